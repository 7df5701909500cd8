"""An axis of an array as lines: the 2-D form (lines, samples) that the kernels take, and back."""

import numpy as np

import gpusci as gs
from gpusci.core import args
from gpusci.signal import _kernels

# SciPy's `padtype` and `boundary` names -> the C++ enum of upfirdn.h.
EXTENSIONS = {
    "odd": "Extension::antireflect", "even": "Extension::reflect", "constant": "Extension::edge", "zeros": "Extension::constant",
}  # fmt: skip


THREAD_WORK = 100_000  # nanoseconds that waking a thread must be worth


def has_blocks(device):
    return device.kind == "cuda"


def pick(rows, nanoseconds):
    """The row of `_kernels.graded` for items of about that cost: a thread of the host then has enough to do."""
    for grain, row in rows.items():
        if grain * nanoseconds >= THREAD_WORK:
            return row
    return row


def contiguous(x):
    return x if x.flags.c_contiguous else x.copy()


def cast(x, dtype):
    return x if x.dtype == dtype else x.astype(dtype)


def to_lines(x, axis):
    """(lines, samples) with any strides: a view where the layout allows one."""
    if x.ndim == 1 and axis in (0, -1):
        return x[None]
    moved = gs.moveaxis(x, args.normalize_axis(axis, x.ndim), -1)
    lines = int(np.prod(moved.shape[:-1]))
    return moved.reshape(lines, moved.shape[-1])


def from_lines(lines, shape, axis):
    """Lines of any length as an array of `shape` but for that length along `axis` (a view)."""
    if len(shape) == 1:
        return lines[0]
    axis = axis % len(shape)
    outer = (*shape[:axis], *shape[axis + 1 :])
    return gs.moveaxis(lines.reshape(*outer, lines.shape[-1]), -1, axis)


def strides(lines):
    """(line, sample) strides in elements."""
    return lines.strides[0] // lines.itemsize, lines.strides[1] // lines.itemsize


def extend(lines, edge, kind, dtype):
    """Contiguous lines with `edge` samples added on both sides; kind is a key of EXTENSIONS."""
    count, n = lines.shape
    out = gs.empty((count, n + 2 * edge), dtype, device=lines.device)
    template = (lines.dtype, out.dtype, EXTENSIONS[kind])
    _kernels.extend_lines(out.size, template, contiguous(lines), out, n, edge)
    return out
