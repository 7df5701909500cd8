"""B-spline coefficients: which recursions, in which chunks, along which axes. The kernels are spline.h and spline_blocks.h."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.ndimage import _blocks
from gpusci.ndimage import _interpolation_kernels as kernels
from gpusci.ndimage._arrays import MODE_NUMBERS, UINT8, check_dtypes, contiguous, empty, overlap, parts_dtype, store

# Roots inside the unit circle of the B-splines' sampled polynomials, orders 2 to 5 (Unser, Aldroubi, Eden 1993, table I, where
# they are radicals whose terms cancel): digits from mpmath.polyroots of B-spline values in 40 digits.
_POLES = {
    2: (-0.1715728752538099023966,),
    3: (-0.2679491924311227064726,),
    4: (-0.3613412259002201770922, -0.01372542929733912136033),
    5: (-0.4305753470999737918514, -0.04309628820326465382271),
}
PADDED = ("nearest", "grid-constant")           # no periodic extension exists: SciPy puts samples around the image
PAD = 12
# How the coefficients continue, which settles the recursions' start.
_EXTENSIONS = {"reflect": "reflect", "grid-mirror": "reflect", "nearest": "reflect", "grid-wrap": "grid_wrap"}

_RUN = 32                       # spline_chunks::run
_HOST_CHUNK = 2048              # sixteen chunks of doubles stay in a core's cache
_BLOCK_RUN, _BLOCK_THREADS, _BLOCK_BYTES = 16, 128, 46080
_NARROW = 32                    # elements between neighbours along the axis from which spline_chunks reads whole lines


def extension(mode):
    """The boundary mode by whose rule the coefficients of an interpolation mode continue."""
    return MODE_NUMBERS[f"Mode::{_EXTENSIONS.get(mode, 'mirror')}"]


@functools.lru_cache(64)
def _recursion(order, single):
    """(poles, gains of the parallel form, scale of the cascade, warm-up of the chunks by the GPU, by the host)."""
    poles = _POLES[order]
    scale = math.prod((1 - z) * (1 - 1 / z) for z in poles)
    gains = []
    for z in poles:
        others = math.prod((-w) / ((1 - w / z) * (1 - w * z)) for w in poles if w != z)
        gains.append(scale * -z / (1 - z * z) * others)
    bits = 34 if single else 54                 # what is left of a wrong start is below the rounding of the result
    warm = [math.ceil(bits * math.log(2) / -math.log(-z)) for z in poles]
    pad = (0.0,) * (2 - len(poles))
    return len(poles), (*poles, *pad, *gains, *pad, scale), max(warm), sum(warm)


def _row_tiles(n, inner, outer, warm, itemsize):
    """(blocks, tiles field) of spline_rows."""
    widest = _BLOCK_THREADS * _BLOCK_RUN
    capacity = _BLOCK_BYTES // max(itemsize, 4) * 16 // 17 - 32
    whole = -(-n // _BLOCK_RUN) * _BLOCK_RUN
    positions = min(whole, max(_BLOCK_RUN, widest // inner // _BLOCK_RUN * _BLOCK_RUN))
    lines = max(1, min(outer, widest // (positions * inner), capacity // ((positions + 2 * warm) * inner)))
    tiles = -(-n // positions)
    return -(-outer // lines) * tiles, (outer, lines, positions, tiles)


def _filter_axis(x, y, axis, order, mode):
    """y = coefficients of x along one axis, for C-contiguous arrays that do not overlap."""
    shape, n = x.shape, x.shape[axis]
    if x.size == 0:
        return
    if n == 1:
        store(x, y)
        return
    if y.dtype.kind in "biu":                   # few pairs of dtypes are compiled
        wide = empty(x, np.float64)
        _filter_axis(x, wide, axis, order, mode)
        store(wide, y)
        return
    if x.dtype.char not in "fdFDBH":
        x = x.view(UINT8) if x.dtype.kind == "b" else x.astype(np.float64)
    blocks = _blocks.has_blocks(x.device)
    on_host = not blocks and x.device.kind == "host"
    items, types, line, constants = _plan(shape, axis, order, mode, x.dtype, y.dtype, on_host)
    if blocks and line[1] < _NARROW:
        itemsize, inner = max(_blocks.shared_size(types[0]), types[1].itemsize), line[1]
        blocks, tiles = _row_tiles(n, inner, items // (inner * line[4]), line[5], itemsize)
        kernels.spline_rows(blocks, types, x, y, line, constants, tiles)
    else:
        kernels.spline_chunks(items, types, x, y, line, constants)


@functools.lru_cache(256)
def _plan(shape, axis, order, mode, x_dtype, y_dtype, on_host):
    """(work items, types, line field, constants) of spline_chunks."""
    n, parts = shape[axis], 2 if x_dtype.kind == "c" else 1
    inner, outer = math.prod(shape[axis + 1 :]) * parts, math.prod(shape[:axis])
    x_dtype, y_dtype = parts_dtype(x_dtype), parts_dtype(y_dtype)
    poles, constants, warm, cascade_warm = _recursion(order, y_dtype.char == "f")
    chunk = min(n, _HOST_CHUNK) if on_host else _RUN
    chunks = -(-n // chunk)
    line = (n, inner, mode, chunk, chunks, cascade_warm if on_host else warm)
    return outer * chunks * inner, (x_dtype, y_dtype, poles), line, constants


def filter_axes(input, output, order, mode, axes):
    """Filter along `axes` into output, each pass stored in output's dtype as SciPy's are. `output` may alias `input`."""
    check_dtypes(input, output)
    x, spare, mode, left = contiguous(input), None, extension(mode), len(axes)
    usable = output.flags.c_contiguous and not overlap(x, output)
    for axis in axes:
        left -= 1
        if left % 2 == 0 and usable:
            y = output
        elif spare is not None and spare is not x:
            y = spare
        else:
            y = empty(x, output.dtype)
        _filter_axis(x, y, axis, order, mode)
        if y is not output:
            spare = y
        x = y
    return x if x is output else store(x, output)


def coefficients(input, order, mode, cval, prefilter, axes=None):
    """(image to interpolate, samples put before it): the input itself, or its float64 coefficients along all or some axes."""
    if order < 2 or not prefilter:
        return input, 0
    check_dtypes(input)
    axes = range(input.ndim) if axes is None else axes
    pad = PAD if mode in PADDED else 0
    if pad:
        widths = [(pad, pad) if d in axes else (0, 0) for d in range(input.ndim)]
        if mode == "nearest":
            input = gs.pad(input, widths, mode="edge")
        else:
            input = gs.pad(input, widths, mode="constant", constant_values=cval)
    wide = np.dtype(np.complex128 if input.dtype.kind == "c" else np.float64)
    if not axes:
        return input.astype(wide), pad
    return filter_axes(input, empty(input, wide), order, mode, axes), pad
