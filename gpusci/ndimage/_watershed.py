"""Watershed by the image foresting transform."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import args, ndarray, new, public
from gpusci.ndimage import _blocks
from gpusci.ndimage import _measure_kernels as kernels
from gpusci.ndimage._arrays import contiguous, host, overlap, table
from gpusci.ndimage._structure import default_structure

__all__ = ["watershed_ift"]

_SIGNED = "bhilq"
UINT16, UINT32, INT32, INT64 = (np.dtype(c) for c in "HIil")


@public("input", "markers")
def watershed_ift(input, markers, structure=None, output=None):
    """Label the pixels by the marker that reaches them over the smallest steps of grey. As `scipy.ndimage.watershed_ift`.

    The image foresting transform (Falcao, Stolfi and Lotufo 2004; Lotufo and Falcao 2000). Neighbours across the end of a row
    are in the next one, as in SciPy. The host calls SciPy. A GPU does the work itself, in some 50 bytes of memory a pixel (about
    twice that from 2**31 pixels on), and nothing waits, unless the structure has to be fetched from there. Negative labels that
    differ, and a structure that is not symmetric, leave more of it to one block and take longer. Its labels are always those of
    cheapest paths, which SciPy's are not: see DIFFERENCES.

    Raises TypeError for an input that is not uint8 or uint16, RuntimeError for shapes and dtypes that do not fit.
    """
    structure = _check(input, markers, structure)
    if isinstance(output, ndarray):
        if output.dtype.char not in _SIGNED:
            raise RuntimeError("output should be of integer type: int8 to int64")
        output = args.get_output(output, input)
    else:
        output = new(input.shape, markers.dtype, input.device)
    input, markers = (a.copy() if overlap(a, output) else a for a in (input, markers))
    if input.device.uses_numpy:
        import scipy.ndimage

        scipy.ndimage.watershed_ift(input.numpy(), markers.numpy(), structure=structure, output=output.numpy())
        return output
    steps = _steps(structure.tobytes(), input.shape)
    if input.size == 0 or not steps.size:
        output[...] = markers
    else:
        usable = output.dtype == markers.dtype and output.flags.c_contiguous
        labels = output if usable else new(markers.shape, markers.dtype, markers.device)
        grow = _by_zones if _blocks.has_blocks(input.device) else _in_turn
        number = INT32 if input.size <= np.iinfo(np.int32).max else INT64
        grow(contiguous(input), contiguous(markers), labels, steps, number)
        if not usable:
            output[...] = labels
    return output


def _check(input, markers, structure):
    """The structure as a boolean NumPy array. Raises as SciPy."""
    if input.dtype.char not in "BH":
        raise TypeError("only 8 and 16 unsigned inputs are supported: convert with astype('uint8') or 'uint16'")
    structure = default_structure(input.ndim) if structure is None else np.asarray(host(structure)).astype(bool)
    if structure.ndim != input.ndim:
        raise RuntimeError("structure and input must have equal rank")
    if any(n != 3 for n in structure.shape):
        raise RuntimeError("structure dimensions must be equal to 3")
    if input.shape != markers.shape:
        raise RuntimeError("input and markers must have equal shape")
    if markers.dtype.char not in _SIGNED:
        raise RuntimeError("marker should be of integer type: int8 to int64")
    return structure


@functools.lru_cache(64)
def _steps(structure, shape):
    """From a pixel's place in the flat array to its neighbours', each once."""
    taps = np.frombuffer(structure, bool).reshape((3,) * len(shape))
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    steps = (np.argwhere(taps) - 1) @ np.array(strides, np.int64)
    return np.unique(steps[steps != 0]).astype(np.int64)


def _in_turn(x, markers, labels, steps, number):
    """Pixel by pixel."""
    device, greys = x.device, np.iinfo(x.dtype).max + 1
    cost = new((x.size,), INT32, device)
    links = [new((x.size,), number, device) for _ in range(2)] + [new((greys,), number, device) for _ in range(2)]
    arguments = (x, markers, labels, cost, *links, greys, table(steps, device), steps.size, x.size)
    kernels.watershed_in_turn(1, (x.dtype, labels.dtype, number), *arguments)


def _by_zones(x, markers, labels, steps, number):
    """On a GPU: what pixels cost, then whose turn comes when (see kernels/watershed_zones.h)."""
    device, n, levels = x.device, x.size, np.iinfo(x.dtype).max + 1
    both_ways, around = np.array_equal(steps, -steps[::-1]), (table(steps, device), steps.size, n)
    ahead = (table(steps[steps > 0], device), steps.size // 2, n) if both_ways else None
    parent, turn, room = (new((size,), number, device) for size in (n, n, 2 * n))
    cost, reached, several = new((n,), x.dtype, device), new((n,), INT32, device), gs.zeros(1, INT32, device=device)
    kernels.watershed_open(n, (x.dtype, labels.dtype, number), markers, gs.min(markers), parent, cost, reached, several)
    for turned in range(1, 8 * x.dtype.itemsize + 1):
        bit = levels >> turned
        if both_ways:
            kernels.watershed_join(n, (x.dtype, number), x, cost, parent, reached, bit, turned, *ahead)
            kernels.watershed_reach(n, (labels.dtype, number), markers, parent, reached, turned)
        else:
            kernels.watershed_spread(1, (x.dtype, labels.dtype, number), x, markers, cost, reached, room, bit, turned, *around)
        kernels.watershed_narrow(n, (x.dtype, number), cost, parent, reached, bit, turned)
    level = new((n,), UINT16 if levels == 256 else UINT32, device)
    kernels.watershed_seeds(n, (x.dtype, labels.dtype), x, markers, cost, level, *around)
    if both_ways:
        kernels.watershed_zones(n, (x.dtype, number), x, level, parent, *ahead)
    kernels.watershed_roots(n, (number,), parent, turn)
    order, until = gs.argsort(level), new((levels,), INT64, device)
    kernels.watershed_until(levels, (x.dtype,), level, order, until, n)
    named = new((n,), labels.dtype, device)
    marks, groups = (gs.zeros(n // part + 1, UINT32, device=device) for part in (16, 512))      # a bit each for 2 n turns
    kept, before = (new(marks.shape, dtype, device) for dtype in (UINT32, number))
    kernels.watershed_turns(1, (x.dtype, labels.dtype, number), x, markers, level, order, until, several, None if both_ways else reached,
                            parent, turn, named, marks, groups, kept, before, room, levels, *around)  # fmt: skip
    kernels.watershed_labels(n, (labels.dtype, number), parent, turn, named, labels)
