"""Holds gpusci's functions against SciPy and mpmath. README.md says how a subpackage's `_spec.py` is written."""

from math import inf, nan

from .case import Case, args, mp, scipy_same, scipy_wide
from .draw import (
    array,
    axes,
    axis,
    choice,
    drawn,
    increasing,
    integers,
    like,
    log,
    matrix,
    maybe,
    per_axis,
    real,
    slog,
    uniform,
    whole,
)
from .metric import exact, normwise, ulp

__all__ = [
    "Case", "args", "array", "axes", "axis", "choice", "drawn", "exact", "increasing", "inf", "integers", "like", "log",
    "matrix", "maybe", "mp", "nan", "normwise", "per_axis", "real", "scipy_same", "scipy_wide", "slog", "ulp", "uniform",
    "whole",
]
