"""How functions of this package meet the installed SciPy: who does the work, which dtypes it takes, what changed between its releases."""

import functools
import importlib
import inspect

import gpusci as gs
from gpusci.core.callers import own_frames, warn
from gpusci.core.libraries import scipy_since
from gpusci.core.libraries.host import host_first, up

ALWAYS_FINE = "bhiqlpBHIQLPfdFD"  # SciPy's rule has nothing to say of these


class _NotGiven:
    def __repr__(self):
        return "<not given>"


NOT_GIVEN = _NotGiven()  # default of what SciPy's releases differ in: theirs decides, and sees it only where the caller gave it


def _warn_of_dtypes(name, values):
    """SciPy's warning about dtypes that linalg will refuse one day (1.18: bool and float16 of those that we hold): of the function
    that the user called, not of those that it calls."""
    odd = next((v.dtype for v in values if isinstance(v, gs.ndarray) and v.dtype.char not in ALWAYS_FINE), None)
    if odd is None or not scipy_since(1, 18) or [f.f_code.co_name for f in own_frames()].count("on_device") > 1:
        return
    warn(f"Calling {name} with arguments of dtype={odd} is deprecated in SciPy 1.18: convert them to float32, float64, complex64 or "
         "complex128", DeprecationWarning)  # fmt: skip


def warned_of(x):
    """For SciPy's own function, which would warn again: an array of such a dtype in the one that SciPy works in."""
    odd = x is not None and x.dtype.char not in ALWAYS_FINE and scipy_since(1, 18)
    return x.astype("f") if odd else x


def scipy_first(module, *arrays, name=None, run=None, library=True):
    """`host_first`, which see, with SciPy's warning about dtypes."""

    def decorate(func):
        @functools.wraps(func)
        def on_device(*args, **kwargs):
            _warn_of_dtypes(func.__name__, (*args, *kwargs.values()))
            return func(*args, **kwargs)

        return host_first(module, *arrays, library=library, name=name, run=run)(on_device)

    return decorate


# ---- SciPy's work on every device
def mirror(module, *arrays, run=None):
    """Decorator for a signature and a docstring: SciPy does the work on the host on every device; data of a GPU makes a round trip.
    Arrays that SciPy was allowed to overwrite, and did, are changed on the GPU too. `run` as in `host_first`."""

    def decorate(func):
        places = {p: i for i, p in enumerate(inspect.signature(func).parameters) if p.startswith("overwrite")}

        @functools.wraps(func)
        def body(*args, **kwargs):
            theirs = getattr(importlib.import_module(module), func.__name__)
            theirs = theirs if run is None else functools.partial(run, theirs)
            overwrites = any(kwargs.get(p) or args[i : i + 1] and args[i] for p, i in places.items())
            trip = _Trip(overwrites)
            result = theirs(*trip.down(args), **{k: trip.down(v) for k, v in kwargs.items()})
            return trip.back(result)

        return host_first(module, *arrays, run=run)(body)  # SciPy itself sees the dtypes

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
