"""Parameters that are read on the host: filter coefficients, and the arguments of SciPy's design functions.

They are small float64 tables that the host needs before it can launch anything. Given as NumPy arrays, lists or scalars
they cost nothing; given as GPU arrays they are downloaded, which waits for the GPU. They take part in the rule of kinds.
"""

import functools
import inspect

import numpy as np

import gpusci as gs
from gpusci.core import get_device, ndarray, public, to_array


def on_host(*names):
    """Decorator above `@public`: the named parameters reach the function as NumPy arrays, lists or scalars."""

    def decorate(func):
        places = {name: place for place, name in enumerate(inspect.signature(func).parameters) if name in names}

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            anchors = []
            for name, place in places.items():
                if place < len(args):
                    value = down(args[place], anchors)
                    if value is not args[place]:
                        args = (*args[:place], value, *args[place + 1 :])
                elif name in kwargs:
                    kwargs[name] = down(kwargs[name], anchors)
            result = func(*args, **kwargs)
            return up(result, anchors) if anchors and not _any_of_ours((*args, *kwargs.values())) else result

        return wrapper

    return decorate


def library(func):
    """SciPy's design function on the host: arrays come back as the kind of the array arguments (NumPy without any)."""
    takes_namespace = "xp" in _parameters(func)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        anchors = []
        args = [down(value, anchors) for value in args]
        kwargs = {name: down(value, anchors) for name, value in kwargs.items()}
        if takes_namespace:
            xp, device = kwargs.get("xp"), kwargs.get("device")
            if xp is gs or xp is None and device not in (None, "cpu"):
                kwargs.update(xp=None, device=None)
                anchors.append(gs.empty(0, device=get_device(device)))
        result = func(*args, **kwargs)
        return up(result, anchors) if anchors else result

    wrapper.gpusci_status = "library"
    return wrapper


def _parameters(func):
    try:
        return inspect.signature(func).parameters
    except ValueError:
        return ()


def down(value, anchors):
    """`value` with device arrays as NumPy arrays, deep; `anchors` collects those arrays."""
    if type(value) is np.ndarray:
        return value if value.dtype.isnative else value.astype(value.dtype.newbyteorder("="))
    if isinstance(value, (np.generic, str, int, float)):
        return value
    if isinstance(value, ndarray) or hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        anchors.append(value)
        return to_array(value).numpy()
    if type(value) in (list, tuple):
        found = [down(item, anchors) for item in value]
        return value if all(new is old for new, old in zip(found, value)) else type(value)(found)
    return value


def up(result, anchors):
    """`result` with NumPy arrays as the kind of the anchors."""
    return _as_kind(anchors, result)


@public("anchors*")
def _as_kind(anchors, result):
    return _wrapped(result, anchors[0].device)


def _wrapped(result, device):
    if isinstance(result, np.ndarray) and result.dtype.kind in "?biufc":
        return gs.asarray(result, device=device)
    if isinstance(result, np.generic) and result.dtype.kind in "?biufc":
        return gs.asarray(result, device=device)
    if isinstance(result, tuple):
        items = [_wrapped(item, device) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
    if isinstance(result, list):
        return [_wrapped(item, device) for item in result]
    return {k: _wrapped(v, device) for k, v in result.items()} if type(result) is dict else result


def _any_of_ours(values):
    return any(isinstance(value, ndarray) for value in values)
