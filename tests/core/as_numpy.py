"""Calls written once and made three times: on NumPy for what is expected, on gpusci in each way (see ways.py)."""

import copy

import numpy as np
from ways import put

import gpusci as gs


class Call:
    """A function's name with arguments; NumPy arrays among them become arrays of the current device.

    tol     relative and absolute tolerance (0: equal); ceiling for functions that round otherwise than NumPy
    inplace the first argument is what the function changes
    """

    def __init__(self, name, *args, tol=0, inplace=False, **kwargs):
        self.name, self.args, self.kwargs, self.tol, self.inplace = name, args, kwargs, tol, inplace

    def __repr__(self):
        words = [_short(a) for a in self.args] + [f"{key}={_short(value)}" for key, value in self.kwargs.items()]
        return f"{self.name}({', '.join(words)})"

    def run(self, namespace, convert):
        args, kwargs = copy.deepcopy(self.args), copy.deepcopy(self.kwargs)
        args = [convert(a) for a in args]
        result = getattr(namespace, self.name)(*args, **{key: convert(value) for key, value in kwargs.items()})
        return args[0] if self.inplace else result


def _short(value):
    if callable(value):                 # repr has an address, and test names must be the same in every process
        return getattr(value, "__name__", type(value).__name__)
    text = f"{value.dtype.char}{list(value.shape)}" if isinstance(value, np.ndarray) else repr(value)
    return text if len(text) < 40 else text[:37] + "..."


def to_device(value):
    """Arrays within an argument on the current device."""
    if isinstance(value, np.ndarray):
        return put(value)
    return type(value)(map(to_device, value)) if type(value) in (list, tuple) else value


def attempt(function):
    """(result, None), or (None, exception)."""
    try:
        with np.errstate(all="ignore"):
            return function(), None
    except Exception as error:  # the exception is what is compared
        return None, error


def check(call):
    """gpusci does what NumPy does: exception type, kind of result, dtype, shape, values."""
    expected, error = attempt(lambda: call.run(np, lambda a: a))
    result, raised = attempt(lambda: _synchronized(call))
    if error is not None:
        assert raised is not None, f"{call}: NumPy raises {error!r}"
        assert isinstance(raised, _public(error)), f"{call}: NumPy raises {error!r}, gpusci {raised!r}"
        return
    if raised is not None:
        raise raised
    same(result, expected, call.tol, str(call))


def _public(error):
    """The exception's first class that users can name: NumPy has private subclasses of TypeError."""
    return next(c for c in type(error).__mro__ if c.__module__ in ("builtins", "numpy.exceptions"))


def _synchronized(call):
    result = call.run(gs, to_device)
    gs.synchronize()
    return result


def same(result, expected, tol=0, label=""):
    """Equal kind, dtype, shape and values, deep through sequences. NaN equals NaN."""
    if isinstance(expected, (list, tuple)):
        assert isinstance(result, (list, tuple)) and len(result) == len(expected), f"{label}: {result!r}"
        for r, e in zip(result, expected):
            same(r, e, tol, label)
        return
    if not isinstance(expected, (np.ndarray, np.generic)):
        assert type(result) is type(expected) and result == expected, f"{label}: {result!r}, NumPy {expected!r}"
        return
    assert isinstance(result, gs.ndarray), f"{label}: {type(result)}"
    result, expected = result.numpy(), np.asarray(expected)
    assert result.dtype == expected.dtype.newbyteorder("="), f"{label}: {result.dtype}, NumPy {expected.dtype}"
    assert result.shape == expected.shape, f"{label}: {result.shape}, NumPy {expected.shape}"
    if tol:
        np.testing.assert_allclose(result, expected, tol, tol, err_msg=label)
    else:
        np.testing.assert_array_equal(result, expected, err_msg=label)
