# cython: language_level=3
"""SciPy as the host's library: how functions are written whose work SciPy does where the device uses NumPy.

Compiled, since what stands in front of SciPy must cost less than a tenth of its smallest calls (2 us).
"""

import functools
import importlib
import inspect

cimport numpy as cnp

from gpusci.core._ndarray cimport ndarray

import numpy as np

from gpusci.core._ndarray import from_numpy
from gpusci.core.device import HOST, current_device
from gpusci.core.dispatch import on_host, public
from gpusci.core.foreign import is_foreign

__all__ = ["host_first", "is_ready", "up"]

cnp.import_array()


cdef class Way:
    """What one function needs to know of itself."""
    cdef list names, indexes            # of its array parameters
    cdef list many                      # which of them are sequences of arrays
    cdef object module, name, theirs    # the host's function, imported at the first call
    cdef object run                     # calls `theirs`; None: it is called with the arguments as they are
    cdef object public                  # any kind of array, any device
    cdef object body                    # gpusci arrays on a device that does not use NumPy

    cdef object call(self, tuple args, dict kwargs):
        if self.theirs is None:
            self.theirs = getattr(importlib.import_module(self.module), self.name)
        if self.run is not None:
            return self.run(self.theirs, *args, **kwargs)
        return self.theirs(*args, **kwargs) if kwargs else self.theirs(*args)


def host_first(module, *arrays, library=True, name=None, run=None):
    """Decorator for a function that mirrors one of `module` (such as "scipy.fft"): that one runs where the device uses NumPy,
    on zero-copy views or on the very objects the caller gave; the body is the way of other devices (see `public`). What no gpusci
    array holds (long doubles, dates, strings, objects) is left to `module` on every device: to convert it, to warn or to refuse.

    name   of the host's function, where it is another
    run(theirs, *args, **kwargs) calls the host's function, where it needs more than `theirs(*args, **kwargs)`.
    """

    def decorate(func):
        cdef Way way = Way.__new__(Way)
        parameters = list(inspect.signature(func).parameters)
        way.names, way.many = [n.rstrip("*") for n in arrays], [n.endswith("*") for n in arrays]
        way.indexes = [parameters.index(n) for n in way.names]
        way.module, way.name, way.run, way.body = module, name or func.__name__, run, func

        @functools.wraps(func)
        def inner(*args, **kwargs):
            found = _first_of(args, kwargs)
            device = current_device() if found is None else found.device   # no array: SciPy, or `func`, says which is missing
            return _on_views(way, args, kwargs, device) if device.uses_numpy else func(*args, **kwargs)

        way.public = public(*arrays, library=library)(inner)

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            return _call(way, args, kwargs)

        wrapper.gpusci_status = "library" if library else "native"
        return wrapper

    return decorate


cdef enum:
    # SciPy takes it as it is; gpusci arrays; both in a sequence; neither; no array of ours can hold it
    NUMPY, OURS, MIXED, OTHER, UNHELD


cdef object _call(Way way, tuple args, dict kwargs):
    cdef Py_ssize_t i, index, given = len(args)
    cdef bint ours_only = True
    cdef int kind
    cdef object device = None
    for i in range(len(way.indexes)):
        index = way.indexes[i]
        value = args[index] if index < given else kwargs.get(way.names[i])
        if value is None:
            continue
        kind = _scan(value)
        if kind == OTHER:
            return way.public(*args, **kwargs)
        if kind == UNHELD:
            return on_host(functools.partial(_theirs, way), args, kwargs)
        ours_only = ours_only and kind == OURS and (type(value) is ndarray or way.many[i])
        if device is None and kind != NUMPY:
            device = (<ndarray>_first_array((value,))).device
    if device is None:
        return way.call(args, kwargs) if current_device().uses_numpy else way.public(*args, **kwargs)
    if device.uses_numpy:
        return _on_views(way, args, kwargs, device)
    return (way.body if ours_only else way.public)(*args, **kwargs)


cdef int _scan(value):
    cdef int kind, ours = 0
    if type(value) is ndarray:
        return OURS
    if isinstance(value, np.ndarray):  # of foreign byte order SciPy takes not everywhere (1.17: sqrtm is wrong, others raise)
        if not _is_held(cnp.PyArray_TYPE(<cnp.ndarray>value)):
            return UNHELD
        return NUMPY if cnp.PyArray_ISNOTSWAPPED(<cnp.ndarray>value) else OTHER
    if isinstance(value, (list, tuple)):
        for item in value:
            if type(item) is float or type(item) is int:
                continue
            kind = _scan(item)
            if kind >= MIXED:
                return kind
            ours += kind == OURS
        return NUMPY if ours == 0 else OURS if ours == len(value) else MIXED
    if value is None or isinstance(value, (int, float, complex)):
        return NUMPY
    if is_foreign(value):
        return OTHER
    return NUMPY if _is_held(cnp.PyArray_TYPE(<cnp.ndarray>np.asarray(value))) else UNHELD


cdef bint _is_held(int kind):
    return kind <= cnp.NPY_CDOUBLE and kind != cnp.NPY_LONGDOUBLE or kind == cnp.NPY_FLOAT16


def _theirs(Way way, *args, **kwargs):
    return way.call(args, kwargs)


cdef object _on_views(Way way, tuple args, dict kwargs, device):
    """The host's function on NumPy views of our arrays (of a GPU: on copies), its results on `device`."""
    return up(way.call(_views(args), {k: _view(v) for k, v in kwargs.items()} if kwargs else kwargs), device)


cdef object _first_of(tuple args, dict kwargs):
    found = _first_array(args)
    return _first_array(kwargs.values()) if found is None else found


cdef object _first_array(values):
    for value in values:
        if isinstance(value, ndarray):
            return value
        if isinstance(value, (list, tuple)):
            found = _first_array(value)
            if found is not None:
                return found
    return None


cdef tuple _views(tuple values):
    return tuple([_view(v) for v in values])


cdef object _view(value):
    """Arrays of ours, also inside sequences, as NumPy arrays."""
    if isinstance(value, ndarray):
        return (<ndarray>value)._a if (<ndarray>value).device is HOST else value.numpy()
    if isinstance(value, (list, tuple)) and _first_array(value) is not None:
        return type(value)(map(_view, value))
    return value


cpdef object up(result, device):
    """A SciPy result as arrays on `device`; NumPy scalars and Python floats become 0-d arrays."""
    cdef cnp.ndarray array
    if cnp.PyArray_Check(result) or cnp.PyArray_CheckScalar(result) or isinstance(result, (float, complex)):
        array = cnp.PyArray_FROM_O(result)
        if not cnp.PyArray_ISNUMBER(array) and not cnp.PyArray_ISBOOL(array):
            return result
        return from_numpy(array) if device is HOST else from_numpy(array).to_device(device)
    if isinstance(result, tuple):
        items = [up(item, device) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
    return [up(item, device) for item in result] if isinstance(result, list) else result


def is_ready(value):
    """Whether a compiled library can take this as it is: a NumPy array of native, aligned float32, float64 or complex of these."""
    if not cnp.PyArray_CheckExact(value):
        return False
    cdef int kind = cnp.PyArray_TYPE(<cnp.ndarray>value)
    return cnp.PyArray_ISBEHAVED_RO(<cnp.ndarray>value) and kind in (
        cnp.NPY_FLOAT, cnp.NPY_DOUBLE, cnp.NPY_CFLOAT, cnp.NPY_CDOUBLE
    )
