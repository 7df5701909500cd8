"""Making arrays: from objects, of one value, from memory of other libraries. Sequences and grids are in ranges.py."""

import operator

import numpy as np

from gpusci.core import dispatch, foreign
from gpusci.core._dtypes import canonical
from gpusci.core._ndarray import adopted, from_numpy, from_pointer, ndarray, new, wrap
from gpusci.core.device import HOST, current_device, get_device
from gpusci.core.elementwise import copyto, fill_number
from gpusci.core.numpylike import device_of, to_device_array

__all__ = [
    "array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray", "asnumpy", "astype", "copy",
    "empty", "empty_like", "frombuffer", "fromfile", "from_dlpack", "fromfunction", "fromiter", "fromstring", "full",
    "full_like", "ones", "ones_like", "require", "zeros", "zeros_like",
]  # fmt: skip


DLPACK_CPU = 1  # kDLCPU in dlpack.h


# ---- from objects
def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None, device=None):
    """As `numpy.array`: a copy of `object` on `device` (default: where it is, else the current device).

    Raises TypeError for dtypes without a device type (strings, objects).
    """
    if order not in ("K", "A", "C", "F"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    x = _from_object(object, dtype, _device(device, like), order, copy, ndmax)
    return wrap(x._a[(None,) * (ndmin - x.ndim)], x) if x.ndim < ndmin else x


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """As `numpy.asarray`: `a` itself where it is on the device already, else a copy; NumPy memory is shared on the host."""
    if dtype is None and order is None and device is None and not copy and like is None:
        x = a if type(a) is ndarray else adopted(a) if current_device() is HOST else None
        if x is not None:
            return x
    return _from_object(a, dtype, _device(device, like), order or "K", copy)


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """As `numpy.asanyarray`; gpusci arrays have no subclasses."""
    return asarray(a, dtype, order, device=device, copy=copy, like=like)


def ascontiguousarray(a, dtype=None, *, like=None, device=None):
    """As `numpy.ascontiguousarray`: in C order and at least one-dimensional."""
    return array(a, dtype, copy=None, order="C", ndmin=1, like=like, device=device)


def asfortranarray(a, dtype=None, *, like=None, device=None):
    """As `numpy.asfortranarray`: in Fortran order and at least one-dimensional."""
    return array(a, dtype, copy=None, order="F", ndmin=1, like=like, device=device)


def asarray_chkfinite(a, dtype=None, order=None):
    """As `numpy.asarray_chkfinite`. Waits for the GPU."""
    from gpusci.core.reduce import all
    from gpusci.core.ufuncs import isfinite

    a = asarray(a, dtype, order)
    if a.dtype.kind in "fc" and not bool(all(isfinite(a))):
        raise ValueError("array must not contain infs or NaNs")
    return a


def copy(a, order="K", subok=False):
    """As `numpy.copy`."""
    return array(a, order=order, copy=True)


def astype(x, dtype, /, *, copy=True, device=None):
    """As `numpy.astype`."""
    if type(x) is not ndarray:
        raise TypeError(f"Input should be a gpusci array, not {type(x).__name__}; use gpusci.asarray(x, dtype)")
    return x.astype(dtype, copy=copy, device=device)


def require(a, dtype=None, requirements=None, *, like=None):
    """As `numpy.require`: C, F, A, W, O and E; every gpusci array is aligned."""
    names = {"C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
             "A": "A", "ALIGNED": "A", "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O", "E": "E", "ENSUREARRAY": "E"}  # fmt: skip
    wanted = {names[r.upper()] for r in requirements or ()}
    if {"C", "F"} <= wanted:
        raise ValueError('Cannot specify both "C" and "F" order')
    order = "C" if "C" in wanted else "F" if "F" in wanted else None
    x = asarray(a, dtype, order, like=like)
    return x.copy(order or "K") if "W" in wanted and not x.flags.writeable or "O" in wanted and x.base is not None else x


def _device(device, like):
    if device is not None:
        return get_device(device)
    return like.device if type(like) is ndarray else None


def _from_object(obj, dtype, device, order, copy, ndmax=0):
    dtype = None if dtype is None else canonical(dtype)
    if type(obj) is ndarray:
        return _placed(obj, dtype, device, order, copy)
    if not isinstance(obj, (np.ndarray, np.generic, list, tuple, int, float, complex)):
        x = _from_foreign(obj)
        if x is not None:
            return _placed(x, dtype, device, order, copy)
    if dtype is None and isinstance(obj, (np.ndarray, np.generic)) and obj.dtype.char in "gG":
        narrow = "float" if obj.dtype.char == "g" else "complex"
        raise TypeError(f"gpusci has no {obj.dtype}: asarray(x, {narrow}) rounds it to {canonical(obj.dtype)}")
    sequence = isinstance(obj, (list, tuple))
    plain = sequence and obj and type(obj[0]) in (int, float, complex, bool)
    if sequence and not plain and _holds_arrays(obj, 1):
        return _placed(_stacked(obj), dtype, device, order, False if copy else copy)
    more = {"ndmax": ndmax} if ndmax else {}
    try:
        # NumPy reads the object and casts on the host, where the data is.
        host = np.array(obj, dtype, copy=copy, order=order, **more)
    except TypeError:                                   # GPU arrays deep within a list refuse to be read so
        if not sequence or not _holds_arrays(obj, 64):
            raise
        return _placed(_stacked(obj), dtype, device, order, False if copy else copy)
    x, device = from_numpy(host), get_device(device)
    return x if device is HOST else x.to_device(device)


def _stacked(sequence):
    """Nested sequences with arrays of ours in them as one array, on the device of the first."""
    from gpusci.core.manipulation import stack

    home = device_of(sequence)
    return stack([_from_object(item, None, None if type(item) is ndarray else home, "K", None) for item in sequence])


def _placed(x, dtype, device, order, copy):
    """An array with the wanted dtype, device and memory order; a copy only when one is needed or asked for."""
    if not x.flags.forc and order == "A":
        order = "C"
    moved = device is not None and x.device is not device
    laid_out = order in "KA" or (x.flags.c_contiguous if order == "C" else x.flags.f_contiguous)
    cast = dtype is not None and x.dtype != dtype
    if copy is False and (moved or cast or not laid_out):
        raise ValueError("Unable to avoid copy while creating an array as requested; use copy=None to allow one")
    if cast and dtype.itemsize < x.dtype.itemsize or not moved:
        x = x.astype(dtype, order=order) if cast else x.copy(order) if copy and not moved or not laid_out else x
        return x.to_device(device) if moved else x
    x = x.to_device(device)
    return x.astype(dtype, order=order) if cast else x if laid_out else x.copy(order)


def _holds_arrays(sequence, depth):
    """Whether arrays of ours are among the items; with depth 1, of the sequence and of its first items only."""
    if any(type(item) is ndarray for item in sequence):
        return True
    inner = sequence if depth > 1 else sequence[:1]
    return any(isinstance(item, (list, tuple)) and _holds_arrays(item, depth) for item in inner)


# ---- from other memory
def from_dlpack(x, /, *, device=None, copy=None):
    """As `numpy.from_dlpack`: another library's array, without a copy where it is on a device of ours."""
    from gpusci.core._dlpack import from_dlpack as import_array

    if type(x) is not ndarray:
        x = import_array(x)
    return _placed(x, None, _device(device, None), "K", copy)


def _from_foreign(obj):
    """Another library's array, in place; None for what is none, or what NumPy reads as well."""
    if hasattr(obj, "__dlpack_device__") and (obj.__dlpack_device__()[0] != DLPACK_CPU or not hasattr(obj, "__array__")):
        return from_dlpack(obj)
    return _from_cuda_interface(obj) if hasattr(obj, "__cuda_array_interface__") else None


def _from_cuda_interface(obj):
    """An array on the GPU memory that `obj` describes (Numba and others without DLPack), after its stream's work."""
    from gpusci.core import cuda
    from gpusci.core._dlpack import _order

    if cuda.why_not():
        raise RuntimeError(f"this array is on a GPU, which gpusci cannot use here: {cuda.why_not()}")
    described = obj.__cuda_array_interface__
    if described.get("mask") is not None:
        raise TypeError("arrays with a mask in __cuda_array_interface__ are not supported")
    ptr, read_only = described["data"]
    attribute = cuda._driver().CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    device = cuda.gpu(int(cuda.call("cuPointerGetAttribute", attribute, ptr)) if ptr else 0)
    if described.get("stream") is not None:
        stream = described["stream"]                    # 1: the legacy default stream, ours is 0
        _order(device, 0 if stream == 1 else stream, device.stream_ptr)
    return from_pointer(
        ptr, described["shape"], np.dtype(described["typestr"]), described.get("strides"), device, obj, not read_only
    )


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    """As a NumPy array, CuPy's name: a copy of GPU data (waits for the GPU), the array's own memory on the host device.

    Anything that is no array of a device goes through `numpy.asarray`.
    """
    if type(a) is not ndarray:
        if not foreign.is_foreign(a):
            host = np.asarray(a, order=None if order == "C" else order)
            return host if out is None else np.copyto(out, host) or out
        a = dispatch.to_array(a)
    return a.get(stream=stream, order=order, out=out)


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None, device=None):
    """As `numpy.frombuffer`: shares the memory on the host device, else a copy."""
    return asarray(np.frombuffer(buffer, dtype, count, offset), device=_device(device, like))


def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, like=None, device=None):
    """As `numpy.fromfile`."""
    return asarray(np.fromfile(file, dtype, count, sep, offset), device=_device(device, like))


def fromstring(string, dtype=float, count=-1, *, sep, like=None, device=None):
    """As `numpy.fromstring`."""
    return asarray(np.fromstring(string, dtype, count, sep=sep), device=_device(device, like))


def fromiter(iter, dtype, count=-1, *, like=None, device=None):
    """As `numpy.fromiter`: the iterator is read on the host."""
    return asarray(np.fromiter(iter, dtype, count), device=_device(device, like))


def fromfunction(function, shape, *, dtype=float, like=None, device=None, **kwargs):
    """As `numpy.fromfunction`: `function` gets gpusci arrays of coordinates."""
    from gpusci.core.ranges import indices

    return function(*indices(shape, dtype=dtype, device=_device(device, like)), **kwargs)


# ---- of one value
def empty(shape, dtype=float, order="C", *, device=None, like=None):
    """As `numpy.empty`."""
    return new(_shape(shape), float if dtype is None else dtype, get_device(_device(device, like)), _order(order))


def zeros(shape, dtype=float, order="C", *, device=None, like=None):
    """As `numpy.zeros`."""
    device, dtype = get_device(_device(device, like)), float if dtype is None else dtype
    if device.uses_numpy:
        return from_numpy(np.zeros(shape, canonical(dtype), order))
    x = new(_shape(shape), dtype, device, _order(order))
    fill_number(x, 0)
    return x


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    """As `numpy.ones`."""
    return _filled(empty(shape, dtype, order, device=device, like=like), 1)


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    """As `numpy.full`; `fill_value` may be an array that broadcasts to the shape."""
    target = _device(device, like) or device_of(fill_value)
    if dtype is None:
        dtype = fill_value.dtype if type(fill_value) is ndarray else np.asarray(fill_value).dtype
    return _filled(empty(shape, dtype, order, device=target), fill_value)


def empty_like(prototype, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """As `numpy.empty_like`."""
    x = to_device_array(prototype, device)
    device = get_device(device) if device is not None else x.device
    dtype = x.dtype if dtype is None else dtype
    if shape is not None and len(_shape(shape)) != x.ndim and order == "K":
        order = "C"
    if order == "K" and not x.flags.forc:
        # Axes by falling stride: the same memory order as the prototype's.
        axes = sorted(range(x.ndim), key=lambda d: (-abs(x.strides[d]), d))
        size = x.shape if shape is None else _shape(shape)
        out = new(tuple(size[d] for d in axes), dtype, device)
        return out.transpose(*np.argsort(axes).tolist())
    fortran = order == "F" or order in ("A", "K") and x.flags.f_contiguous and not x.flags.c_contiguous
    if order not in ("K", "A", "C", "F"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return new(x.shape if shape is None else _shape(shape), dtype, device, "F" if fortran else "C")


def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """As `numpy.zeros_like`."""
    return _filled(empty_like(a, dtype, order, subok, shape, device=device), 0)


def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """As `numpy.ones_like`."""
    return _filled(empty_like(a, dtype, order, subok, shape, device=device), 1)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """As `numpy.full_like`."""
    return _filled(empty_like(a, dtype, order, subok, shape, device=device), fill_value)


def _filled(x, value):
    if x.device.uses_numpy:
        np.copyto(x.numpy(), value.numpy() if type(value) is ndarray else value, casting="unsafe")
        return x
    if type(value) in (int, bool) or type(value) is float and x.dtype.kind in "fc":
        fill_number(x, value)
        return x
    # As NumPy: unlike in an assignment, NaN to integers and complex to real are casts.
    copyto(x, np.asarray(value) if isinstance(value, (float, complex)) else value, casting="unsafe")
    return x


def _shape(shape):
    """A shape as a tuple of ints, from an int or a sequence (host arrays included)."""
    if isinstance(shape, tuple):
        return shape
    if hasattr(shape, "__index__") and not getattr(shape, "ndim", 0):
        return (shape.__index__(),)
    return tuple(int(n) if type(n) is ndarray else operator.index(n) for n in shape)


def _order(order):
    if order not in ("C", "F", "K", "A"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return "F" if order == "F" else "C"
