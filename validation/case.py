"""The rows of a `_spec.py`: what to call, with which arguments, judged how."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .metric import Exact

VARIANTS = ("plain", "strided", "empty", "single", "device", "byteorder")


class Args:
    """Positional and keyword arguments of one call, drawn or not."""

    def __init__(self, positional, keywords):
        self.positional, self.keywords = tuple(positional), dict(keywords)

    def __repr__(self):
        items = [repr(v) for v in self.positional] + [f"{k}={v!r}" for k, v in self.keywords.items()]
        return f"args({', '.join(items)})"


def args(*positional, **keywords):
    """The arguments of a call as the user writes them; a draw stands for the values it gives."""
    return Args(positional, keywords)


@dataclass(frozen=True)
class Case:
    """One way to call one public function. README.md describes the fields."""

    name: str
    arguments: Args
    measure: Any = Exact()
    dtypes: str = "fd"
    ref: Any = None                     # None: scipy_wide
    n: int = 6
    length: int = 256                   # of the vectors that real, log, slog, integers draw
    edges: tuple = ()
    raises: tuple = ()
    call: Any = None
    post: Any = None
    bench: Any = None
    skip: dict = field(default_factory=dict)
    differs: str | None = None
    id: str = ""

    def __post_init__(self):
        where = f"Case({self.name!r})"
        if not isinstance(self.arguments, Args):
            raise TypeError(f"{where}: the second field is args(...), not {type(self.arguments).__name__}")
        if not hasattr(self.measure, "ceilings"):
            raise TypeError(f"{where}: the third field is a measure: ulp(...), normwise(...) or exact()")
        unknown = set(self.skip) - set(VARIANTS)
        if unknown or not all(self.skip.values()):
            raise ValueError(f"{where}: skip maps a variant ({', '.join(VARIANTS)}) to the reason, got {self.skip}")
        if self.differs is not None and not callable(self.ref):
            raise ValueError(f"{where}: differs={self.differs!r} needs ref=, a function that says what is right")
        for row in self.raises:
            if not isinstance(row, Args):
                raise TypeError(f"{where}: raises is a list of args(...)")


class ScipyWide:
    """SciPy on input widened to double; the truth for float32 results, and SciPy as is for double ones."""

    def __repr__(self):
        return "scipy_wide"


class ScipySame:
    """SciPy on the very same arguments."""

    def __repr__(self):
        return "scipy_same"


class Mp:
    """mpmath, element by element; `functions` has one function for each output."""

    def __init__(self, functions, digits):
        self.functions = functions if isinstance(functions, (list, tuple)) else (functions,)
        self.digits = digits

    def __call__(self, *arguments):
        import mpmath
        arrays = np.broadcast_arrays(*(np.asarray(a) for a in arguments))
        with mpmath.workdps(self.digits):
            columns = [[_mp_value(f, values) for values in zip(*(a.ravel().tolist() for a in arrays))]
                       for f in self.functions]
        out = tuple(_extended(column).reshape(arrays[0].shape) for column in columns)
        return out if len(out) > 1 else out[0]


scipy_wide, scipy_same = ScipyWide(), ScipySame()


def mp(functions, digits=40):
    """A reference that evaluates with `digits` decimals; what mpmath cannot give (no convergence, a pole) is NaN."""
    return Mp(functions, digits)


def _mp_value(function, values):
    import mpmath
    numbers = [mpmath.mpmathify(v) for v in values]
    if any(mpmath.isnan(v) for v in numbers):
        return mpmath.nan
    try:
        return mpmath.mpmathify(function(*numbers))
    except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.NoConvergence):
        return mpmath.nan


def _extended(values):
    """mpmath numbers as long double (or its complex), in two halves so that no digit of it is lost."""
    import mpmath

    def real(v):
        high = float(v)
        return np.longdouble(high) + (np.longdouble(float(v - high)) if np.isfinite(high) else 0)

    if any(isinstance(v, mpmath.mpc) for v in values):
        out = np.empty(len(values), np.clongdouble)
        for i, v in enumerate(values):
            v = mpmath.mpc(v)
            out[i] = real(v.real) + 1j * real(v.imag)
        return out
    return np.array([real(v) for v in values], np.longdouble)
