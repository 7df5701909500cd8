"""Positions in arrays: coordinates of flat positions and back, index arrays of diagonals and triangles."""

import math
import operator

import numpy as np

from gpusci.core._ndarray import ndarray, new
from gpusci.core.creation import ones
from gpusci.core.gather import MODES
from gpusci.core.kernel import Kernel
from gpusci.core.numpylike import as_arrays, numpy_like, to_device_array
from gpusci.core.ranges import arange, tri

__all__ = [
    "diag_indices", "diag_indices_from", "mask_indices", "ravel_multi_index", "tril_indices", "tril_indices_from",
    "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip

unravel = Kernel(
    "unravel", "gpusci/positions.h", template="I R Index",
    args="ptr flat, ptr out, i64s shape, i64s order, i64 total, i64 n, err",
    errors=[(ValueError, "unravel_index: an index is out of bounds for an array of this shape")], first=["q 2"],
)  # fmt: skip
ravel_multi = Kernel(
    "ravel_multi", "gpusci/positions.h", template="R Index",
    args="ptr coordinate, ptr out, i64s shape, i64s stride, i64s mode, i64 n, err",
    errors=[(ValueError, "ravel_multi_index: invalid entry in coordinates array; pass mode='wrap' or 'clip' to allow it")],
    first=["2"],
)  # fmt: skip


def _order(order):
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    return order


def _dims(shape):
    """A shape as Python's integers: products of NumPy's wrap."""
    return tuple(map(operator.index, shape if np.ndim(shape) else (shape,)))


def _size(dims):
    total = math.prod(dims)
    if total > np.iinfo(np.intp).max:
        raise ValueError("dimensions are too large; arrays and shapes with a total size greater than 'intp' are not supported.")
    return total


@numpy_like
def unravel_index(indices, shape, order="C"):
    """As `numpy.unravel_index`. A position out of bounds in a GPU array raises ValueError at the next synchronising point."""
    flat = to_device_array(indices)
    if flat.dtype.kind not in "iu":
        raise TypeError("only int indices permitted")
    dims = _dims(shape)
    total, fortran = _size(dims), _order(order) == "F"
    if not dims:
        if flat.ndim:
            raise ValueError("multiple indices are not supported for 0d array")
        return ()
    if total == 0 and flat.size:
        raise ValueError("indices must be integral: the provided empty sequence is all there is in a shape of size 0")
    flat = flat.astype(np.int32 if flat.dtype == np.int32 else np.int64, order="C", copy=False)
    flat = flat if flat.flags.c_contiguous else flat.copy()
    out = new((len(dims), *flat.shape), np.int64, flat.device)
    axes = list(range(len(dims))) if fortran else list(range(len(dims)))[::-1]
    unravel(flat.size, (flat.dtype, len(dims)), flat, out, dims, axes, total, flat.size)
    return tuple(out)


@numpy_like
def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """As `numpy.ravel_multi_index`. A bad coordinate in a GPU array raises ValueError at the next synchronising point."""
    arrays = as_arrays(*multi_index)
    dims = _dims(dims)
    if len(arrays) != len(dims):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(dims)}")
    if any(x.dtype.kind not in "iu" for x in arrays):
        raise TypeError("only int indices permitted")
    modes = [mode] * len(dims) if isinstance(mode, str) else list(mode)
    if len(modes) != len(dims) or not set(modes) <= set(MODES):
        raise ValueError(f"mode must be 'raise', 'wrap' or 'clip', or one of them per dimension (got {mode!r})")
    _size(dims)
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    stride = [math.prod(dims[:d] if _order(order) == "F" else dims[d + 1 :]) for d in range(len(dims))]
    table = new((len(dims), *shape), np.int64, arrays[0].device)
    for row, x in zip(table, arrays):
        row[...] = x
    out = new(shape, np.int64, table.device)
    ravel_multi(out.size, (len(dims),), table, out, dims, stride, [MODES[m] for m in modes], out.size)
    return out


# ---- diagonals and triangles
def diag_indices(n, ndim=2, *, device=None):
    """As `numpy.diag_indices`."""
    return (arange(n, device=device),) * ndim


def diag_indices_from(arr):
    """As `numpy.diag_indices_from`."""
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim, device=arr.device if type(arr) is ndarray else None)


def _true_at(mask):
    from gpusci.core.algorithms import nonzero

    return nonzero(mask)


def tril_indices(n, k=0, m=None, *, device=None):
    """As `numpy.tril_indices`. Waits for the GPU."""
    return _true_at(tri(n, m, k, dtype=bool, device=device))


def triu_indices(n, k=0, m=None, *, device=None):
    """As `numpy.triu_indices`. Waits for the GPU."""
    return _true_at(~tri(n, m, k - 1, dtype=bool, device=device))


def _from(function, arr, k):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return function(arr.shape[-2], k, arr.shape[-1], device=arr.device if type(arr) is ndarray else None)


def tril_indices_from(arr, k=0):
    """As `numpy.tril_indices_from`. Waits for the GPU."""
    return _from(tril_indices, arr, k)


def triu_indices_from(arr, k=0):
    """As `numpy.triu_indices_from`. Waits for the GPU."""
    return _from(triu_indices, arr, k)


def mask_indices(n, mask_func, k=0):
    """As `numpy.mask_indices`; `mask_func` gets a gpusci array. Waits for the GPU."""
    return _true_at(to_device_array(mask_func(ones((n, n), int), k)) != 0)
