"""Methods of `ndarray` that deal in bytes and memory: NumPy's byteswap, getfield, setflags and resize."""

import math
import operator
import sys

import numpy as np

from gpusci.core._dtypes import canonical
from gpusci.core._launch import Memory
from gpusci.core._ndarray import from_pointer, wrap
from gpusci.core.creation import zeros


def byteswap(x, inplace=False):
    """The array with every element's bytes in reverse order: a copy, or x itself."""
    width, order = x.itemsize // (2 if x.dtype.kind == "c" else 1), _order(x)
    parts = x.reshape(-1, order=order).view(np.uint8).reshape(x.nbytes // width, width)
    swapped = parts[:, ::-1].copy().reshape(-1).view(x.dtype).reshape(x.shape, order=order)
    if not inplace:
        return swapped
    x[...] = swapped
    return x


def _order(x):
    """The order of x's elements in memory, as far as it is one of NumPy's two."""
    return "F" if x.flags.f_contiguous and not x.flags.c_contiguous else "C"


def getfield(x, dtype, offset=0):
    """The elements' bytes from `offset` on as a view of another dtype. Raises ValueError where kernels could not address it."""
    dtype, offset = canonical(dtype), operator.index(offset)
    view = x._a.getfield(dtype, offset)                 # NumPy's errors where the dtype leaves the element
    if offset % dtype.itemsize or any(s % dtype.itemsize for s in view.strides):
        raise ValueError(f"a {dtype} field at byte {offset} of {x.dtype} elements is not aligned: give a multiple of {dtype.itemsize}")
    return wrap(view, x)


def flagged(x, write=None, align=None, uic=None):
    """The header of x with other flags. Raises ValueError, as NumPy, for making memory writable that was lent as read-only."""
    header = x._a
    if write and not header.flags.writeable and type(x.owner) is Memory:     # our own GPU memory, which NumPy knows nothing of
        header, write = from_pointer(x.ptr, x.shape, x.dtype, x.strides, x.device, x.owner)._a, None
    header.setflags(write, align, uic)
    return header


def resized(x, shape, refcheck=True):
    """The array that x is to be after `x.resize(*shape)`: the same elements in memory order, cut off or followed by zeros.

    Raises ValueError, as NumPy, for an array that is a view, has views or whose memory is not its own.
    """
    if shape in ((), (None,)):
        return x
    shape = tuple(map(operator.index, shape[0] if len(shape) == 1 and np.ndim(shape[0]) else shape))
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions not allowed")
    if not x.flags.forc:
        raise ValueError("resize only works on single-segment arrays: resize a copy")
    order, size = _order(x), math.prod(shape)
    if size == x.size:
        return x.reshape(shape, order=order)
    if x._a.base is not None or not (x._a.flags.owndata or type(x.owner) is Memory):
        raise ValueError("cannot resize this array: it does not own its data; resize a copy")
    if refcheck and sys.getrefcount(x._a) > 2:          # x's own, and the argument's
        raise ValueError("cannot resize an array that has views: use gpusci.resize for a new array, or refcheck=False")
    out = zeros(shape, x.dtype, order, device=x.device)
    kept = min(size, x.size)
    out.reshape(-1, order=order)[:kept] = x.reshape(-1, order=order)[:kept]
    return out
