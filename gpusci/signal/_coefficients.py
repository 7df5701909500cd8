"""Functions of small float64 tables, such as filter coefficients: computed on the host."""

import functools
import inspect

import gpusci as gs
from gpusci.core import dispatch, get_device


def library(func):
    """SciPy's design function, on the host."""
    return on_host(func, "library")


def on_host(func, status="native"):
    """`func` on NumPy arrays; its arrays come back as the kind of the array arguments (NumPy without any)."""
    takes_namespace = "xp" in _parameters(func)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        if takes_namespace:
            xp, device = kwargs.get("xp"), kwargs.get("device")
            if xp is gs or xp is None and device not in (None, "cpu"):
                kwargs.update(xp=None, device=None)
                return dispatch.from_host(dispatch.on_host(func, args, kwargs), get_device(device))
        return dispatch.on_host(func, args, kwargs)

    wrapper.gpusci_status = status
    return wrapper


def _parameters(func):
    try:
        return inspect.signature(func).parameters
    except ValueError:
        return ()
