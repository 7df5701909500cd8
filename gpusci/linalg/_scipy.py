"""How functions of this package meet the installed SciPy: who does the work, which dtypes it takes, what changed between its releases."""

import functools
import importlib
import inspect

import numpy as np

import gpusci as gs
from gpusci.core.device import current_device
from gpusci.core.dispatch import on_host
from gpusci.core.foreign import is_foreign
from gpusci.core.libraries.host import host_first, up

HELD = "?bhiqlpBHIQLPefdFD"  # dtypes of gpusci arrays, by their characters
ALWAYS_FINE = "bhiqlpBHIQLPfdFD"  # SciPy's rule has nothing to say of these


@functools.cache
def since(major, minor):
    """Whether the installed SciPy is of this release or a later one."""
    import scipy

    return tuple(map(int, scipy.__version__.split(".")[:2])) >= (major, minor)


@functools.cache
def _rule():
    """SciPy's warning about dtypes that linalg will refuse one day (1.18: bool and float16 of those that we hold), if it has one."""
    return getattr(importlib.import_module("scipy._lib._util"), "_deprecate_dtypes", None)


def _warn_of_dtypes(name, values):
    odd = [v for v in values if isinstance(v, gs.ndarray) and v.dtype.char not in ALWAYS_FINE]
    if odd and _rule():
        _rule()(name, *odd)


def scipy_first(module, *arrays, name=None, run=None, library=True, takes_any=False):
    """`host_first`, which see; and what no gpusci array holds (long doubles, dates, strings, objects) is left to SciPy on the host
    on every device: to convert it, to warn of it or to refuse it. takes_any: SciPy's rule about dtypes does not look at this one."""

    def decorate(func):
        @functools.wraps(func)
        def on_device(*args, **kwargs):
            if not takes_any:
                _warn_of_dtypes(func.__name__, (*args, *kwargs.values()))
            return func(*args, **kwargs)

        dispatched = host_first(module, *arrays, library=library, name=name, run=run)(on_device)
        names = [n.rstrip("*") for n in arrays]

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            if current_device().uses_numpy or not _has_long((*args, *kwargs.values())):
                try:
                    return dispatched(*args, **kwargs)
                except TypeError:
                    if _all_held(func, names, args, kwargs):
                        raise
            theirs = getattr(importlib.import_module(module), name or func.__name__)
            return on_host(functools.partial(run, theirs) if run else theirs, args, kwargs)

        wrapper.gpusci_status = dispatched.gpusci_status
        return wrapper

    return decorate


def _has_long(values):
    """Whether there is a NumPy array of long doubles, which core rounds to float64 without a word."""
    for value in values:
        kind = type(value)
        if kind is np.ndarray and value.dtype.char in "gG" or kind is tuple and _has_long(value):
            return True
    return False


def _all_held(func, names, args, kwargs):
    """Whether gpusci arrays can hold the array arguments, or the call itself is wrong."""
    try:
        given = inspect.signature(func).bind(*args, **kwargs).arguments
    except TypeError:
        return True
    return all(_held(given.get(name)) for name in names)


def _held(value):
    if value is None or isinstance(value, (gs.ndarray, int, float, complex)) or is_foreign(value):
        return True
    if isinstance(value, (list, tuple)):
        return all(map(_held, value))
    return np.asarray(value).dtype.char in HELD


# ---- SciPy's work on every device
def mirror(module, *arrays):
    """Decorator for a signature and a docstring: SciPy does the work on the host on every device; data of a GPU makes a round trip.
    Arrays that SciPy was allowed to overwrite, and did, are changed on the GPU too."""

    def decorate(func):
        flags = [p for p in inspect.signature(func).parameters if p.startswith("overwrite")]
        places = {p: list(inspect.signature(func).parameters).index(p) for p in flags}

        @functools.wraps(func)
        def body(*args, **kwargs):
            theirs = getattr(importlib.import_module(module), func.__name__)
            overwrites = any(kwargs.get(p) or args[i : i + 1] and args[i] for p, i in places.items())
            trip = _Trip(overwrites)
            result = theirs(*trip.down(args), **{k: trip.down(v) for k, v in kwargs.items()})
            return trip.back(result)

        return scipy_first(module, *arrays, takes_any=True)(body)  # SciPy itself sees the dtypes

    return decorate


class _Trip:
    """The arrays of one call, on their way to the host and back."""

    def __init__(self, overwrites):
        self.overwrites, self.arrays, self.device = overwrites, [], None

    def down(self, value):
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.down, value))
        if not isinstance(value, gs.ndarray):
            return value
        self.device = self.device or value.device
        before = value.numpy()
        if not value.ndim:  # a number, as it was: some functions tell it from an array
            return before[()]
        copy = before
        if self.overwrites and value.flags.writeable:
            copy = before.copy("K")
        elif self.overwrites:
            copy = before.view()
            copy.flags.writeable = False
        self.arrays.append((value, copy, before))
        return copy

    def back(self, result):
        for x, copy, before in self.arrays:
            if copy is not before and copy.tobytes() != before.tobytes():
                x[...] = gs.asarray(copy, device=x.device)
        return self._up(result)

    def _up(self, result):
        for x, copy, _ in self.arrays:
            if result is copy and self.overwrites:
                return x
        if type(result) in (list, tuple):
            return type(result)(map(self._up, result))
        return up(result, self.device)
