"""Order filters: minimum, maximum, rank, median, percentile."""

import functools
import math
import operator

import numpy as np

from gpusci.core import args, constant, public
from gpusci.core.callers import warn
from gpusci.ndimage import _blocks, _kernels
from gpusci.ndimage._arrays import (
    CONSTANT_MODES,
    FLOAT64,
    check_axes,
    check_dtypes,
    contiguous,
    cost,
    empty,
    get_output,
    host,
    one_mode,
    overlap,
    sequence,
    store,
)
from gpusci.ndimage._filters import window_pass, window_passes
from gpusci.ndimage._passes import run
from gpusci.ndimage._windows import Geometry, check_origins, spread_origin, turn, window_of

__all__ = [
    "maximum_filter", "maximum_filter1d", "median_filter", "minimum_filter", "minimum_filter1d", "percentile_filter",
    "rank_filter",
]  # fmt: skip

# Most taps for which the host sorts by a network, by item size: beyond, sliding along the row is faster (measured on 512^2
# with squares; a line of taps slides at a third of that).
NETWORK_TAPS = {1: 180, 2: 120, 4: 80, 8: 36}
MEDIAN_SIZES = (3, 5, 7)        # squares that median_block is made for


# ---- minimum and maximum
@public("input")
def minimum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """As `scipy.ndimage.minimum_filter1d`; exact for int64. A NaN makes its windows NaN (in SciPy this depends on the order)."""
    return _extreme1d("minimum", input, size, axis, output, mode, cval, origin)


@public("input")
def maximum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """As `scipy.ndimage.maximum_filter1d`; exact for int64. A NaN makes its windows NaN (in SciPy this depends on the order)."""
    return _extreme1d("maximum", input, size, axis, output, mode, cval, origin)


def _extreme1d(kernel, input, size, axis, output, mode, cval, origin):
    _check_real(input)
    axis = args.normalize_axis(axis, input.ndim)
    cval = _fill(cval, input.dtype, kernel)
    step = window_pass(kernel, axis, size, origin, mode)
    output = get_output(output, input)
    return run(widened(input, output, mode, cval), output, [step], _pair(cval))


@public("input")
def minimum_filter(
    input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """As `scipy.ndimage.minimum_filter`; exact for int64, NaN as in `minimum_filter1d`."""
    return _extreme("minimum", input, size, footprint, output, mode, cval, origin, axes)


@public("input")
def maximum_filter(
    input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """As `scipy.ndimage.maximum_filter`; exact for int64, NaN as in `maximum_filter1d`."""
    return _extreme("maximum", input, size, footprint, output, mode, cval, origin, axes)


def _extreme(kernel, input, size, footprint, output, mode, cval, origin, axes):
    _warn_both(size, footprint)
    if footprint is None and size is None:
        raise RuntimeError("no footprint provided; give size or footprint")
    if footprint is not None:
        footprint = np.asarray(host(footprint), bool)
        if not footprint.any():
            raise ValueError("All-zero footprint is not supported.")
        if footprint.all():
            size, footprint = footprint.shape, None
    _check_real(input)
    output = get_output(output, input)
    axes = check_axes(axes, input.ndim)
    if footprint is None:
        return _separable_extreme(kernel, input, size, output, mode, cval, origin, axes)
    window = window_of(None, footprint, axes, input.ndim)
    origins = spread_origin(origin, axes, input.ndim)
    check_origins(origins, window.extent)
    return _footprint_extreme(kernel, input, window, output, mode, cval, origins)


def _separable_extreme(kernel, input, size, output, mode, cval, origin, axes):
    cval = _fill(cval, input.dtype, kernel)
    steps = window_passes(kernel, axes, size, origin, mode)
    if mode != "reflect" and steps and any(m in CONSTANT_MODES for m in sequence(mode, len(axes))):
        input = widened(input, output, "constant", cval)
    return run(input, output, steps, _pair(cval))


def _footprint_extreme(kernel, input, window, output, mode, cval, origins):
    number, cval = one_mode(mode), _fill(cval, input.dtype)
    check_dtypes(input, output)
    if input.size == 0:
        return output
    x = contiguous(input)                   # the fill value is cast to its dtype, as in SciPy
    geometry = Geometry(x.shape, 1, window, origins, number)
    y = _target(x, output)
    types = x.dtype, kernel == "maximum", geometry.rank
    _kernels.extreme(x.size, types, x, y, geometry.words, _pair(cval), geometry.on(x.device), cost=cost(window.taps))
    return store(y, output)


# ---- ranks
@public("input")
def rank_filter(
    input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """As `scipy.ndimage.rank_filter`; exact for int64, NaN sorts last, and holes of a 1-D footprint count (SciPy 1.17 fills them)."""
    return _rank(input, operator.index(rank), size, footprint, output, mode, cval, origin, "rank", axes)


@public("input")
def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """As `scipy.ndimage.median_filter`: the upper median; details as in `rank_filter`."""
    return _rank(input, 0, size, footprint, output, mode, cval, origin, "median", axes)


@public("input")
def percentile_filter(
    input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """As `scipy.ndimage.percentile_filter`; details as in `rank_filter`. percentile in [-100, 100], negative from the top."""
    return _rank(input, float(host(percentile)), size, footprint, output, mode, cval, origin, "percentile", axes)


def _rank(input, rank, size, footprint, output, mode, cval, origin, operation, axes):
    _warn_both(size, footprint)
    _check_real(input)
    axes = check_axes(axes, input.ndim)
    window = window_of(size, footprint, axes, input.ndim)
    origins = spread_origin(origin, axes, input.ndim)
    check_origins(origins, window.extent)
    rank = _wanted(operation, rank, window.taps)
    output = get_output(output, input)
    if rank in (0, window.taps - 1) and not (input.ndim == 1 and input.dtype.char == "e"):
        return _edge_rank(input, rank == 0, window, output, mode, cval, origins, axes)
    return _ranked(input, rank, window, output, mode, one_mode(mode), _fill(cval, input.dtype), origins)


def _wanted(operation, rank, taps):
    """The rank, 0 the least. Raises RuntimeError, as SciPy, outside the footprint's size."""
    if operation == "median":
        rank = taps // 2
    elif operation == "percentile":
        percentile = rank + 100.0 if rank < 0.0 else rank
        if not 0 <= percentile <= 100:
            raise RuntimeError("invalid percentile; it must be in [-100, 100]")
        rank = taps - 1 if percentile == 100.0 else int(float(taps) * percentile / 100.0)
    if rank < 0:
        rank += taps
    if not 0 <= rank < taps:
        raise RuntimeError("rank not within filter footprint size")
    return rank


def _edge_rank(input, least, window, output, mode, cval, origins, axes):
    """First and last rank are the minimum and the maximum."""
    kernel = "minimum" if least else "maximum"
    if window.flat is not None:
        return _footprint_extreme(kernel, input, window, output, mode, cval, origins)
    every = tuple(range(input.ndim))
    if not isinstance(mode, str) and len(axes) < input.ndim:
        given = dict(zip(axes, sequence(mode, len(axes)), strict=True))
        mode = [given.get(axis, "constant") for axis in every]
    return _separable_extreme(kernel, input, window.extent, output, mode, cval, origins, every)


def _ranked(input, rank, window, output, mode, number, cval, origins):
    if input.dtype.char == "e" or output.dtype.char == "e":
        if input.ndim != 1:
            check_dtypes(input, output)
        single = np.dtype(np.float32)
        wide = _ranked(input.astype(single), rank, window, empty(input, single), mode, number, cval, origins)
        return store(wide, output)
    if input.size == 0:
        return output
    # In one dimension SciPy compares with the fill value itself, else with the fill value in the input's dtype.
    x = contiguous(widened(input, input, mode, cval) if input.ndim == 1 else input)
    work = _rank_on_host if x.device.kind == "host" and not _blocks.has_blocks(x.device) else _rank_on_gpu
    y = _target(x, output)
    return store(work(x, y, rank, window, number, cval, origins), output)


def _rank_on_host(x, y, rank, window, number, cval, origins):
    """A sorting network for few taps, else the window slides along the last axis, to which its longest one is turned."""
    extent, longest = window.extent, max(window.extent)
    if window.taps <= NETWORK_TAPS[x.itemsize] // (3 if window.taps == longest else 1):
        geometry = Geometry(x.shape, 1, window, origins, number)
        return _rank_general(x, y, rank, geometry, cval, network=_network(window.taps, rank))
    if extent[-1] < longest:
        axis, last = extent.index(longest), len(extent) - 1
        turned = [(last if k == axis else axis if k == last else k) for k in range(len(extent))]
        x = contiguous(x.transpose(turned))
        window, origins = turn(window, turned), [origins[k] for k in turned]
        return _rank_on_host(x, empty(x, x.dtype), rank, window, number, cval, origins).transpose(turned)
    geometry = Geometry(x.shape, 1, window, origins, number)
    return _rank_general(x, y, rank, geometry, cval, edge=_edges(window))


def _rank_general(x, y, rank, geometry, cval, network=None, edge=None):
    tables = [None if t is None else constant(t, x.device) for t in (network, edge)]
    pairs, edges = 0 if network is None else len(network), 0 if edge is None else edge.shape[1]
    _kernels.rank(
        x.size, (x.dtype, geometry.rank), x, y, geometry.words, _pair(cval), geometry.on(x.device), rank,
        tables[0], pairs, tables[1], edges,
    )  # fmt: skip
    return y


def _rank_on_gpu(x, y, rank, window, number, cval, origins):
    """In order: blocks for the median of small squares, sorting in registers up to 64 taps, descent over bits."""
    geometry, taps = Geometry(x.shape, 1, window, origins, number), window.taps
    size = math.isqrt(taps)
    if size in MEDIAN_SIZES and taps == size * size and window.flat is None and rank == taps // 2:
        found = _blocks.plane(geometry.words, geometry.rank, 128, None)
        if found is not None and found[1][4:6] == (size, size) and _pair(cval)[1] == 0:
            _kernels.median_block(found[0], (x.dtype, size), x, y, found[1], float(cval))
            return y
    wires = next((n for n in (16, 32, 64) if rank <= n // 2 and taps - rank <= n // 2), None)
    if wires is None:
        return _rank_general(x, y, rank, geometry, cval)
    types = (x.dtype, geometry.rank, wires)
    _kernels.rank_wires(x.size, types, x, y, geometry.words, _pair(cval), geometry.on(x.device), rank)
    return y


@functools.lru_cache(64)
def _network(n, rank):
    """Pairs of Batcher's odd-even merge sort for n wires that matter to one rank, as int32 (pairs, 2)."""
    pairs = []
    block = 1
    while block < n:
        step = block
        while step >= 1:
            start = np.arange(step % block, n - step, 2 * step)[:, None] + np.arange(step)
            low = start[start + step < n]
            low = low[low // (2 * block) == (low + step) // (2 * block)]
            pairs.extend(zip(low.tolist(), (low + step).tolist(), strict=True))
            step //= 2
        block *= 2
    needed, kept = {rank}, []
    for pair in reversed(pairs):
        if needed.intersection(pair):
            needed.update(pair)
            kept.append(pair)
    return np.array(kept[::-1], np.int32).reshape(-1, 2)


@functools.lru_cache(64)
def _edges(window):
    """Taps that leave and taps that enter the window when it moves by one along the last axis, as int64 (2, edges)."""
    number = np.zeros(window.extent, np.int64)
    taps = np.arange(window.taps) if window.flat is None else np.frombuffer(window.flat, np.int64)
    number.reshape(-1)[taps] = np.arange(1, window.taps + 1)
    padded = np.pad(number, [(0, 0)] * (number.ndim - 1) + [(1, 1)])
    leaving = number[(number > 0) & (padded[..., :-2] == 0)] - 1
    entering = number[(number > 0) & (padded[..., 2:] == 0)] - 1
    return np.ascontiguousarray(np.stack([leaving, entering]))


# ---- shared
def _check_real(input):
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported; filter the real and the imaginary part")


def _warn_both(size, footprint):
    if size is not None and footprint is not None:
        warn("ignoring size because footprint is set")


def _fill(cval, dtype, kernel=None):
    """The fill value, a whole number within an integer dtype's range as int. Beyond the range it never is the minimum, or the
    maximum, of a window, all of which have an element: then the dtype's own limit stands for it."""
    given = host(cval)
    cval = float(given)
    if cval == 0 or dtype.kind not in "iu":
        return cval
    limits = np.iinfo(dtype)
    if isinstance(given, (int, np.integer)) and limits.min <= given <= limits.max:
        return int(given)
    if kernel == "minimum" and cval > limits.max:
        return int(limits.max)
    return int(limits.min) if kernel == "maximum" and cval < limits.min else cval


def _pair(cval):
    """The fill value as `constant_in` of kernels/element.h takes it."""
    near = float(cval)
    return near, float(cval - int(near)) if type(cval) is int else 0.0


def widened(input, output, mode, cval):
    """The input, as float64 where the fill value would be changed by the input's dtype."""
    dtype = input.dtype
    if mode not in CONSTANT_MODES or dtype == FLOAT64 or dtype.char == "e":
        return input
    if dtype.kind == "f":
        keeps = output.dtype == dtype or float(dtype.type(cval)) == cval
    elif dtype.kind == "b":
        keeps = cval in (0, 1)
    else:
        info = np.iinfo(dtype)
        keeps = math.isfinite(cval) and info.min <= int(cval) <= info.max and (output.dtype.kind != "f" or int(cval) == cval)
    return input if keeps else input.astype(FLOAT64)


def _target(x, output):
    return output if output.dtype == x.dtype and output.flags.c_contiguous and not overlap(x, output) else empty(x, x.dtype)
