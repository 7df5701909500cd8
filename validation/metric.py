"""Measures: how far a value is from the truth, in units of the result's precision; never a bare allclose."""

import copy

import numpy as np

WIDE = 100      # a ceiling above this many eps needs a reason


class Exact:
    """Equal, NaN equal to NaN."""

    ceilings = {}
    why = ""
    name = "exact"

    def __repr__(self):
        return "exact()"

    def given(self, arguments):
        return self


class _InEps:
    def __init__(self, why, ceilings, name, rounding):
        unknown = set(ceilings) - set("efd")
        if unknown:
            raise ValueError(f"{name}: ceilings are given for result dtypes e, f, d, not {', '.join(sorted(unknown))}")
        if not ceilings:
            raise ValueError(f"{name}: give a ceiling for each result dtype, such as {name}(f=4, d=8)")
        if max(ceilings.values()) > WIDE and not why:
            raise ValueError(f"{name}: a ceiling above {WIDE} eps needs why=, the reason")
        self.ceilings, self.why, self.name, self.rounding = dict(ceilings), why, name, rounding

    def given(self, arguments):
        """The measure for one call, whose (positional, keyword) arguments `rounding` is told."""
        bound = copy.copy(self)
        bound.arguments = arguments
        return bound

    def in_units(self, error, unit, true):
        """Error over the unit, or over what a rounding on the way to the result makes, where that is larger."""
        if self.rounding is not None:
            positional, keywords = self.arguments
            made = np.asarray(self.rounding(true, *positional, **keywords))
            unit = np.maximum(unit, np.where(np.isfinite(made), made, 0))
        return error / unit

    def __repr__(self):
        return f"{self.name}({', '.join(f'{k}={v:g}' for k, v in self.ceilings.items())})"

    def ceiling(self, dtype):
        """Ceiling for a result dtype; complex counts as its real type."""
        char = np.empty(0, dtype).real.dtype.char
        if char not in self.ceilings:
            raise ValueError(f"{self!r} has no ceiling for a result of dtype {np.dtype(dtype)}; add {char}=")
        return self.ceilings[char]


class Ulp(_InEps):
    """Element-wise relative error in eps; `floor` is the size below which it counts as absolute."""

    def __init__(self, floor=0.0, rounding=None, why="", **ceilings):
        super().__init__(why, ceilings, "ulp", rounding)
        self.floor = floor

    def errors(self, got, true):
        eps, tiny, _ = limits(got.dtype)
        size = np.where(np.isfinite(true), np.abs(true), 0)  # NaN and infinity are the pattern's business
        scale = np.maximum(size, max(self.floor, tiny))
        return self.in_units(distance(got, true), eps * scale, true)


class Normwise(_InEps):
    """Error over eps times the largest magnitude in the array, or in each line along `axis`."""

    def __init__(self, axis=None, rounding=None, why="", **ceilings):
        super().__init__(why, ceilings, "normwise", rounding)
        self.axis = axis

    def errors(self, got, true):
        eps, tiny, _ = limits(got.dtype)
        size = np.where(np.isfinite(true), np.abs(true), 0)
        axis = self.axis if true.ndim else None
        scale = np.maximum(size.max(axis=axis, keepdims=axis is not None, initial=0), tiny)
        return self.in_units(distance(got, true), eps * scale, true)


exact, ulp, normwise = Exact, Ulp, Normwise


def limits(dtype):
    """(eps, smallest normal, largest) of a float dtype or of a complex one's parts, as long double."""
    info = np.finfo(np.empty(0, dtype).real.dtype)
    return np.longdouble(info.eps), np.longdouble(info.tiny), np.longdouble(info.max)


def distance(got, true):
    """|got - true| in long double; 0 where either is not finite (the pattern check has dealt with those)."""
    wide = np.clongdouble if np.iscomplexobj(got) or np.iscomplexobj(true) else np.longdouble
    both = np.isfinite(got) & np.isfinite(true)
    a, b = np.where(both, got, 0).astype(wide), np.where(both, true, 0).astype(wide)
    return np.abs(a - b)


def kinds(a):
    """0 finite, 1 NaN, 2 inf, 3 -inf. In a complex number inf outweighs NaN and has no sign."""
    if np.iscomplexobj(a):
        return np.where(np.isinf(a.real) | np.isinf(a.imag), 2, np.where(np.isnan(a), 1, 0))
    return np.where(np.isnan(a), 1, np.where(np.isposinf(a), 2, np.where(np.isneginf(a), 3, 0)))


def rounded_kinds(true, dtype):
    """Kinds of the truth once rounded to `dtype`: beyond its largest number is infinite."""
    _, _, largest = limits(dtype)
    found = kinds(true)
    if np.iscomplexobj(true):
        return np.where((found == 0) & (np.maximum(np.abs(true.real), np.abs(true.imag)) > largest), 2, found)
    over = (found == 0) & (np.abs(true) > largest)
    return np.where(over, np.where(true > 0, 2, 3), found)
