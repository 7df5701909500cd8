"""SciPy as the host's library: how functions are written whose work SciPy does where the device uses NumPy."""

import functools
import importlib
import inspect

import numpy as np

from gpusci.core._ndarray import from_numpy, ndarray
from gpusci.core.device import current_device
from gpusci.core.dispatch import is_foreign, public

__all__ = ["host_first", "round_trip"]


def host_first(module, *arrays, library=True, name=None, run=None):
    """Decorator for a function that mirrors one of `module` (such as "scipy.fft"): that one runs where the device uses NumPy,
    on zero-copy views or on the very objects the caller gave; the body is the way of other devices (see `public`).

    name   of the host's function, where it is another
    run(theirs, args, kwargs) calls the host's function, where it needs more than `theirs(*args, **kwargs)`.
    """

    def decorate(func):
        parameters = list(inspect.signature(func).parameters)
        places = [(parameters.index(n.rstrip("*")), n.rstrip("*")) for n in arrays]
        theirs, call = _lazy(module, name or func.__name__), run or _call

        @functools.wraps(func)
        def inner(*args, **kwargs):
            first = _first(places, args, kwargs)
            if not first.device.uses_numpy:
                return func(*args, **kwargs)
            return up(call(theirs(), [*map(_view, args)], {k: _view(v) for k, v in kwargs.items()}), first.device)

        one_array = [index for index, _ in places] == [0]
        bare, inner = inner, public(*arrays, library=library)(inner)

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            if one_array and args and type(args[0]) is ndarray:  # the common case, quickly
                return bare(*args, **kwargs) if args[0].device.uses_numpy else func(*args, **kwargs)
            for index, name in places:
                value = args[index] if index < len(args) else kwargs.get(name)
                if not _is_host_object(value):
                    return inner(*args, **kwargs)
            if not current_device().uses_numpy:
                return inner(*args, **kwargs)
            return call(theirs(), args, kwargs)

        wrapper.gpusci_status = "library" if library else "native"
        return wrapper

    return decorate


def round_trip(module, *arrays):
    """Decorator for a function whose work SciPy does on the host on every device: data of a GPU is copied there and the
    result back. The decorated function is a signature and a docstring."""

    def decorate(func):
        theirs = _lazy(module, func.__name__)

        @functools.wraps(func)
        def body(*args, **kwargs):
            device = _first_array([*args, *kwargs.values()]).device
            return up(theirs()(*map(_view, args), **{k: _view(v) for k, v in kwargs.items()}), device)

        return host_first(module, *arrays)(body)

    return decorate


def _call(theirs, args, kwargs):
    return theirs(*args, **kwargs)


def _lazy(module, name):
    @functools.cache
    def load():
        return getattr(importlib.import_module(module), name)

    return load


def _is_host_object(value):
    """Whether SciPy can take this as it is. Foreign byte order it cannot everywhere (1.17: sqrtm is wrong, others raise)."""
    if isinstance(value, np.ndarray):
        return value.dtype.isnative
    if isinstance(value, (type(None), int, float, complex, np.generic)):
        return True
    if isinstance(value, (list, tuple)):
        return not any(isinstance(v, (ndarray, list, tuple)) or is_foreign(v) for v in value) or all(
            map(_is_host_object, value)
        )
    return not isinstance(value, ndarray) and not is_foreign(value)


def _first(places, args, kwargs):
    """The first array argument (of a sequence: its first array)."""
    for index, name in places:
        value = args[index] if index < len(args) else kwargs.get(name)
        if value is not None:
            return _first_array([value]) if isinstance(value, (list, tuple)) and _holds_arrays(value) else value
    return None


def _holds_arrays(value):
    return any(isinstance(v, (ndarray, np.ndarray)) for v in value)


def _first_array(values):
    for value in values:
        if isinstance(value, ndarray):
            return value
        if isinstance(value, (list, tuple)):
            found = _first_array(value)
            if found is not None:
                return found
    return None


def _view(value):
    """Arrays of ours, also inside sequences, as NumPy arrays."""
    if isinstance(value, ndarray):
        return value.numpy()
    if isinstance(value, (list, tuple)) and _first_array(value) is not None:
        return type(value)(map(_view, value))
    return value


def up(result, device):
    """A SciPy result as arrays on `device`; NumPy scalars and Python floats become 0-d arrays."""
    if isinstance(result, (np.ndarray, np.generic, float, complex)):
        result = np.asarray(result)
        return from_numpy(result).to_device(device) if result.dtype.kind in "biufc" else result
    if isinstance(result, tuple):
        items = [up(item, device) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
    return [up(item, device) for item in result] if isinstance(result, list) else result
