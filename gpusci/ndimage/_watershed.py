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
INT32, INT64 = np.dtype(np.int32), np.dtype(np.int64)


@public("input", "markers")
def watershed_ift(input, markers, structure=None, output=None):
    """Label the pixels by the marker that reaches them over the smallest steps of grey. As `scipy.ndimage.watershed_ift`.

    The image foresting transform (Falcao, Stolfi and Lotufo 2004; Lotufo and Falcao 2000). Neighbours across the end of a row
    are in the next one, as in SciPy. The host calls SciPy. A GPU does the work itself, in some 40 bytes of memory a pixel and 4
    for each pair of neighbours (about twice that from 2**31 pixels on), and nothing waits, unless the structure has to be
    fetched from there; its labels are always those of cheapest paths, which SciPy's are not: see DIFFERENCES.

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
        grow = _by_a_block if _blocks.has_blocks(input.device) else _in_turn
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
    arguments = (x, markers, labels, cost, *links, table(steps, device), steps.size, greys, x.size)
    kernels.watershed_in_turn(1, (x.dtype, labels.dtype, number), *arguments)


def _by_a_block(x, markers, labels, steps, number):
    """On a GPU, level by level (see kernels/watershed_block.h)."""
    device, n, greys = x.device, x.size, np.iinfo(x.dtype).max + 1
    apart = np.unique(np.abs(steps))
    before = gs.cumsum(markers.reshape(-1) != 0, dtype=INT64)
    pairs = gs.zeros((64 if greys == 256 else 4, greys), INT64, device=device)
    kernels.watershed_pairs(n, (x.dtype,), x, pairs, table(apart, device), apart.size, len(pairs), greys, n)
    until = gs.cumsum(gs.sum(pairs, axis=0), dtype=INT64)
    state = new((n,), np.dtype(np.uint64), device)
    queues = new((n * apart.size,), number, device)
    seen = new((n,), INT32, device)
    kernels.watershed_start(n, (labels.dtype, number), markers, before, labels, state, queues, seen)
    front, flooded, order, turns, seed = (new((n,), number, device) for _ in range(5))
    filled = gs.zeros(greys, number, device=device)
    kernels.watershed_block(
        1, (x.dtype, labels.dtype, number), x, before, labels, state, front, flooded, order, turns, seed, seen, queues, filled,
        until, table(steps, device), steps.size, greys, n,
    )  # fmt: skip
