"""The longer methods of `ndarray`: those that deal in bytes and memory, the general case of reshape and item, x.flat."""

import math
import operator
import sys

import numpy as np

from gpusci.core._dtypes import canonical
from gpusci.core._launch import Memory
from gpusci.core._ndarray import from_numpy, from_pointer, new, wrap
from gpusci.core.creation import zeros
from gpusci.core.device import HOST, available, get_device


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


def reshaped(x, shape, order="C", copy=None):
    """x.reshape(shape, order, copy): a view where the layout allows."""
    try:
        view = np.reshape(x._a, shape, order=order, copy=False)
    except ValueError:
        header = from_pointer(256, (x.size,), bool, None, HOST, None)._a        # without memory, for NumPy's shape rules
        np.reshape(header, shape, order=order)          # NumPy's error where sizes or order are wrong
        if copy is False:
            raise
        return x.copy("F" if order == "F" else "C").reshape(shape, order=order)
    return wrap(view, x).copy() if copy else wrap(view, x)


def empty_ordered(x, dtype, order):
    """Uninitialised array of x's shape; order 'K' keeps the order of x's axes in memory, 'A' Fortran order if x has it."""
    if order not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    flags = x.flags
    if order == "C" or flags.c_contiguous and order != "F" or order == "A" and not flags.f_contiguous:
        return new(x.shape, dtype, x.device)
    if order != "K" or flags.f_contiguous:
        return new(x.shape, dtype, x.device, "F")
    axes = sorted(range(x.ndim), key=lambda i: -abs(x.strides[i]))
    out = new(tuple(x.shape[i] for i in axes), dtype, x.device)
    return out.transpose(np.argsort(axes))


def item(x, *args):
    """x.item(*args) of a GPU array (waits for it)."""
    if args:
        key = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
        if len(key) == 1 and x.ndim != 1:
            key = np.unravel_index(key[0], x.shape)
        return x[tuple(key)].item()
    if x.size != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return x.numpy().item()


def cuda_interface(x):
    """x.__cuda_array_interface__, version 3."""
    if x.device.kind != "cuda":
        raise AttributeError("__cuda_array_interface__: the array is on the host device")
    return {
        "shape": x.shape, "typestr": x.dtype.str, "data": (x.ptr if x.size else 0, False), "version": 3,
        "strides": None if x.flags.c_contiguous else x.strides, "stream": x.device.stream_ptr or 1,
    }  # fmt: skip


def unpickled(a, device):
    """The array pickled on `device`, on the host where there is no such device here."""
    x = from_numpy(a)
    return x if device == "host" or not available(device) else x.to_device(get_device(device))


class FlatView:
    """x.flat: one-dimensional indexing of an array in C order."""

    def __init__(self, x):
        self._x = x

    def __getitem__(self, key):
        return self._x.reshape(-1)[key]

    def __len__(self):
        return self._x.size

    def __iter__(self):
        return iter(self._x.reshape(-1))

    def __setitem__(self, key, value):
        flat = self._x.reshape(-1)
        flat[key] = value
        if flat.ptr != self._x.ptr:                     # the reshape had to copy
            self._x[...] = flat.reshape(self._x.shape)


def as_own(a):
    """A NumPy array as kernels can take it: one dtype of the table, strides that count whole elements."""
    dtype = canonical(a.dtype)
    if a.dtype.byteorder not in "=|" and a.dtype != dtype or a.dtype.itemsize != dtype.itemsize:
        a = a.astype(dtype)
    if a.dtype.char != dtype.char:
        a = a.view(dtype)
    return a.copy() if any(s % a.itemsize for s in a.strides) else a        # views of records have such strides
