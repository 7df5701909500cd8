"""An axis of an array as lines: the 2-D form (lines, samples) that the kernels take, and back."""

import math

import numpy as np

from gpusci.core import args, new
from gpusci.signal import _kernels

# SciPy's `padtype` and `boundary` names -> the C++ enum of upfirdn.h.
EXTENSIONS = {
    "odd": "Extension::antireflect", "even": "Extension::reflect", "constant": "Extension::edge", "zeros": "Extension::constant",
}  # fmt: skip


def has_blocks(device):
    return device.kind == "cuda"


def contiguous(x):
    return x if x.flags.c_contiguous else x.copy()


def cast(x, dtype):
    return x if x.dtype == dtype else x.astype(dtype)


REFUSED = ("period", "weight", "weights")  # by number in pointwise.h


def refuse(values, what):
    """ValueError for values that `what` may not have; of a GPU's arrays at the next wait."""
    values = contiguous(cast(values, np.dtype(float)))
    _kernels.refuse(values.size, (), values, REFUSED.index(what))


def to_last(x, axis):
    """A view with a valid `axis` moved to the end."""
    ndim = x.ndim
    axis %= ndim
    if axis == ndim - 1:
        return x
    return x.T if ndim == 2 else x.transpose(*range(axis), *range(axis + 1, ndim), axis)


def from_last(x, axis):
    """A view with the last axis moved to a valid `axis`."""
    last = x.ndim - 1
    axis %= x.ndim
    if axis == last:
        return x
    return x.T if last == 1 else x.transpose(*range(axis), last, *range(axis, last))


def to_lines(x, axis):
    """(lines, samples) with any strides: a view where the layout allows one."""
    if x.ndim == 1 and axis in (0, -1):
        return x[None]
    moved = to_last(x, args.normalize_axis(axis, x.ndim))
    return moved if x.ndim == 2 else moved.reshape(math.prod(moved.shape[:-1]), moved.shape[-1])


def from_lines(lines, shape, axis):
    """Lines of any length as an array of `shape` but for that length along `axis` (a view)."""
    ndim = len(shape)
    if ndim == 1:
        return lines[0]
    if ndim > 2:
        axis %= ndim
        lines = lines.reshape(*shape[:axis], *shape[axis + 1 :], lines.shape[-1])
    return from_last(lines, axis)


def strides(lines):
    """(line, sample) strides in elements."""
    size, (line, sample) = lines.itemsize, lines.strides
    return line // size, sample // size


def extend(lines, edge, kind, dtype):
    """Contiguous lines with `edge` samples added on both sides; kind is a key of EXTENSIONS."""
    count, n = lines.shape
    out = new((count, n + 2 * edge), dtype, lines.device)
    template = (lines.dtype, out.dtype, EXTENSIONS[kind])
    _kernels.extend_lines(out.size, template, contiguous(lines), out, n, edge)
    return out
