# cython: language_level=3
"""How the NumPy-like functions are written: the body is the device's way, and NumPy's function of the same name runs where
the device uses NumPy.

`@numpy_like` serves functions that compute, `@view_like` those whose result is a view: NumPy's own view algebra on the
array's header, on every device (see DESIGN.md section 1).
"""

import functools
import sys

cimport numpy as cnp
from cpython.number cimport PyNumber_Index

from gpusci.core._ndarray cimport from_numpy, ndarray, wrap
from gpusci.core.host_memory cimport is_large, reusing

import numpy as np

from gpusci.core.device import current_device

__all__ = ["LARGE", "as_arrays", "device_of", "numpy_like", "result_dtype", "spread", "through_host", "to_device_array", "view_like"]


cnp.import_array()

# Elements from which a kernel of ours that beats NumPy on the host is worth starting (and, once, compiling).
LARGE = 1 << 16


def device_of(*values):
    """The device of the first array among values (sequences are searched), else the current device."""
    return _find(values) or current_device()


cdef object _find(values):
    for value in values:
        if type(value) is ndarray:
            return (<ndarray>value).device
        if type(value) in (list, tuple) and _may_hold_arrays(value):
            found = _find(value)
            if found is not None:
                return found
    return None


cdef bint _may_hold_arrays(sequence):
    # A list of numbers may be long; arrays stand among few items.
    return len(sequence) < 4096 or type(sequence[0]) in (ndarray, list, tuple)


def numpy_like(func=None, *, name=None, module=np, large=sys.maxsize):
    """Decorator: NumPy's function `name` (default: the same name) on devices that use NumPy, else the body.

    large: elements of an array argument from which the body is faster on the host too, by its threads or its single pass.
    NumPy's results come back as `gpusci.ndarray`; a result that is an argument (`out=`) comes back as that argument. The
    body is called with the arguments as given.
    """
    if func is None:
        return functools.partial(numpy_like, name=name, module=module, large=large)
    host = getattr(module, name or func.__name__)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        device = _find(args) or _find(kwargs.values()) or current_device()
        if not device.uses_numpy or large < sys.maxsize and _reaches(args, large):
            return func(*args, **kwargs)
        given = []
        args = [_open(value, device, given) for value in args]
        for key, value in kwargs.items():
            kwargs[key] = _open(value, device, given)
        return _close(reusing(host, tuple(args), kwargs) if _are_large(given) else host(*args, **kwargs), given)

    return wrapper


cdef bint _are_large(list given):
    """Whether results may be large enough for memory that is kept."""
    cdef size_t total = 0
    for x in given:
        total += cnp.PyArray_NBYTES((<ndarray>x)._a)
    return is_large(total)


cdef bint _reaches(tuple values, Py_ssize_t size):
    """Whether one of the values is an array of so many elements."""
    for value in values:
        if type(value) is ndarray and cnp.PyArray_SIZE((<ndarray>value)._a) >= size:
            return True
    return False


def through_host(func):
    """Decorator of functions that NumPy does on the host for every device: arguments are read back (which waits for the GPU),
    array results go to their device. The function has no body of its own."""
    host = getattr(np, func.__name__)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        device = _find(args) or _find(kwargs.values()) or current_device()
        args = [_down(value) for value in args]
        return _up(host(*args, **{key: _down(value) for key, value in kwargs.items()}), device)

    return wrapper


cdef object _down(value):
    if type(value) is ndarray:
        return value.numpy()
    return type(value)([_down(item) for item in value]) if type(value) in (list, tuple) else value


cdef object _up(result, device):
    if isinstance(result, (np.ndarray, np.generic)):
        return from_numpy(np.asarray(result)).to_device(device)
    return type(result)([_up(item, device) for item in result]) if type(result) in (list, tuple) else result


cdef object _open(value, device, list given):
    """The NumPy arrays behind an argument; `given` collects the pairs."""
    if type(value) is ndarray:
        if (<ndarray>value).device is not device:
            raise ValueError(
                f"arrays are on {device.name} and {value.device.name}; bring them together with x.to_device(...)"
            )
        given.append(value)
        return (<ndarray>value)._a
    if type(value) in (list, tuple) and _may_hold_arrays(value) and _find(value) is not None:
        return type(value)([_open(item, device, given) for item in value])
    return value


cdef object _close(result, list given):
    if isinstance(result, np.ndarray):
        for x in given:
            if result is (<ndarray>x)._a:
                return x
        return from_numpy(result)
    if isinstance(result, np.generic):
        return from_numpy(np.asarray(result))
    if isinstance(result, (tuple, list)):
        items = [_close(item, given) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    return result


def view_like(func):
    """Decorator of functions of one array (the first argument) whose result is a view or a list of views.

    The body sees a NumPy header over the array's memory, on every device, and must only derive views from it.
    """
    first = func.__code__.co_varnames[0]

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        x, rest = (args[0], args[1:]) if args else (kwargs.pop(first), ())
        if type(x) is not ndarray:
            x = to_device_array(x)
        return _rewrap(func((<ndarray>x)._a, *rest, **kwargs), x)

    return wrapper


def spread(cnp.ndarray a, shape):
    """`np.broadcast_to` of a header, at a fraction of its time; NumPy's own for what does not fit, and its errors."""
    cdef cnp.npy_intp dims[64]
    cdef cnp.npy_intp steps[64]
    cdef int d, nd = len(shape) if type(shape) is tuple else -1, extra = nd - cnp.PyArray_NDIM(a)
    cdef cnp.ndarray out
    if extra < 0 or nd > 64:
        return np.broadcast_to(a, shape)
    for d in range(nd):
        dims[d], steps[d] = PyNumber_Index(shape[d]), 0
        if d >= extra and cnp.PyArray_DIM(a, d - extra) != 1:
            steps[d] = cnp.PyArray_STRIDE(a, d - extra)
            if cnp.PyArray_DIM(a, d - extra) != dims[d]:
                return np.broadcast_to(a, shape)
    out = cnp.PyArray_New(np.ndarray, nd, dims, cnp.PyArray_TYPE(a), steps, cnp.PyArray_DATA(a), 0, cnp.NPY_ARRAY_ALIGNED, None)
    cnp.set_array_base(out, a)
    return out


cdef object _rewrap(result, ndarray x):
    if isinstance(result, (list, tuple)):
        return type(result)([_rewrap(item, x) for item in result])
    return wrap(result, x)


def to_device_array(value, device=None, dtype=None):
    """An array-like as an array on `device` (None: the current one; arrays of ours stay where they are)."""
    from gpusci.core.creation import asarray

    return asarray(value, dtype, device=None if type(value) is ndarray else device)


def as_arrays(*values):
    """Array-likes as arrays on the device of the first of ours among them (else the current one).

    Raises ValueError when arrays are on two devices.
    """
    device = device_of(*values)
    arrays = [to_device_array(value, device) for value in values]
    for x in arrays:
        if x.device is not device:
            raise ValueError(f"arrays are on {device.name} and {x.device.name}; bring them together with x.to_device(...)")
    return arrays


def result_dtype(*values):
    """NumPy's result type of arrays, dtypes and Python scalars, which stay weak."""
    return np.result_type(*(value.dtype if type(value) is ndarray else value for value in values))
