"""Selecting by a boolean mask of the array's shape: x[mask] and x[mask] = values, by the kernels of select.h."""

import numpy as np

from gpusci.core import reduction
from gpusci.core._ndarray import ndarray, new
from gpusci.core.creation import asarray, ascontiguousarray
from gpusci.core.gather import WORDS
from gpusci.core.kernel import BlockKernel, Kernel

__all__ = ["assign", "count_before", "nonzero", "select"]

CHUNK = 4096  # mask elements per work item: select_chunk in select.h

COUNT = "ptr mask, ptr count, i64 n"
TOTALS = "ptr count, i64 n"
MOVE = "ptr mask, ptr last, view x, raw line, i64 line_stride, i64 n"
mask_count = Kernel("mask_count", "gpusci/select.h", template="Index", args=COUNT, first=[""], grain=4)
mask_count_block = BlockKernel("mask_count_block", "gpusci/select.h", template="Index", args=COUNT, first=[""])
mask_totals = Kernel("mask_totals", "gpusci/select.h", template="Index", args=TOTALS, first=[""])
mask_totals_block = BlockKernel("mask_totals_block", "gpusci/select.h", template="Index", args=TOTALS, first=[""], threads=1024)
mask_select = Kernel("mask_select", "gpusci/select.h", template="T R Put Index", args=MOVE, grain=4,
                     first=["I 1 false", "D 2 true"])  # fmt: skip
mask_select_block = BlockKernel("mask_select_block", "gpusci/select.h", template="T R Put Index", args=MOVE,
                                first=["I 1 false", "D 2 true"])  # fmt: skip


def count_before(mask):
    """For each chunk of a contiguous mask, the true elements up to its end; and their total, which waits for the GPU."""
    chunks = -(-mask.size // CHUNK)
    last = new((chunks,), np.int64, mask.device)
    count, totals = (mask_count_block, mask_totals_block) if reduction.has_blocks(mask.device) else (mask_count, mask_totals)
    count(chunks, (), mask, last, mask.size)
    totals(1, (), last, chunks)
    return last, int(last[-1]) if chunks else 0


def select(x, mask):
    """x[mask], mask boolean and of x's shape. The count of true elements is read back: one wait for the GPU."""
    mask = ascontiguousarray(mask)
    x = x if _aligned(x) else x.copy()
    last, total = count_before(mask)
    out = new((total,), x.dtype, x.device)
    if total:
        _move(x, mask, last, out, 1, False)
    return out


def assign(x, mask, value):
    """x[mask] = value. A value per true element needs their count, which waits for the GPU; one value for all does not.

    value: an array on x's device of x's dtype, or a NumPy scalar. Raises ValueError where the counts differ, TypeError for more than one
    dimension.
    """
    if type(value) is ndarray and value.ndim > 1:
        raise TypeError(
            f"NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has {value.ndim} dimensions"
        )
    if type(value) is not ndarray or value.size == 1:
        _fill(x, mask, value if type(value) is not ndarray else value.reshape(()))
        return
    mask = ascontiguousarray(mask)
    last, total = count_before(mask)
    if value.size != total:
        raise ValueError(
            f"NumPy boolean array indexing assignment cannot assign {value.size} input values to the {total} output values "
            "where the mask is true"
        )
    if total and not _aligned(x):
        work = x.copy()
        assign(work, mask, value)
        x[...] = work
    elif total:
        value = value if _aligned(value) else value.copy()
        _move(x, mask, last, value, value.strides[0] // value.itemsize, True)


def _fill(x, mask, value):
    from gpusci.core.selection import copyto, where_else

    if x.device.kind == "host":
        where_else(mask, value, x, out=x)               # writes all: a branch per element costs more than its memory traffic
    else:
        copyto(x, value, where=mask)


def _move(x, mask, last, line, line_stride, put):
    # One dimension when x is contiguous; the element type is any of the same size.
    x = x.reshape(-1) if x.flags.c_contiguous else x
    word = np.dtype("D") if x.itemsize == 16 else WORDS[x.itemsize]
    row = mask_select_block if reduction.has_blocks(x.device) else mask_select
    row(last.size, (word, x.ndim, put), mask, last, x, line, line_stride, mask.size)


def _aligned(x):
    """complex128 moves in 16-byte words, but NumPy aligns it to 8."""
    return x.itemsize < 16 or x.ptr % 16 == 0


def nonzero(mask, device):
    """Index arrays of a mask's true elements on the device; for a mask on the device, one wait."""
    if type(mask) is not ndarray:
        return [asarray(i, device=device) for i in np.nonzero(mask)]
    from gpusci.core.algorithms import nonzero as find

    if mask.device is not device:
        raise ValueError(f"the array is on {device.name} and its mask on {mask.device.name}; use mask.to_device(...)")
    return list(find(mask))
