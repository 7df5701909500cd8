"""Tests of normality by moments: skewtest, kurtosistest, normaltest."""

from collections import namedtuple

import numpy as np

import gpusci as gs
from gpusci.core import public
from gpusci.stats._continuous import chi2, norm
from gpusci.stats._descriptive import kurtosis_of, skew_of
from gpusci.stats._slices import Slices

__all__ = ["check_alternative", "kurtosistest", "normaltest", "pvalue", "skewtest"]

SkewtestResult = namedtuple("SkewtestResult", ("statistic", "pvalue"))
KurtosistestResult = namedtuple("KurtosistestResult", ("statistic", "pvalue"))
NormaltestResult = namedtuple("NormaltestResult", ("statistic", "pvalue"))
SIDES = {"less": -1, "two-sided": 0, "greater": 1}


def check_alternative(alternative):
    if alternative not in SIDES:
        raise ValueError("`alternative` must be 'less', 'greater', or 'two-sided'.")


def pvalue(statistic, dist, alternative, *shapes):
    """Probability of a statistic at least as extreme, of a distribution that is symmetric about 0."""
    if alternative == "less":
        return dist.cdf(statistic, *shapes)
    if alternative == "greater":
        return dist.sf(statistic, *shapes)
    return 2 * dist.sf(gs.abs(statistic), *shapes)


def _size(s):
    """Numbers per slice; a NumPy float, which divides by zero as arrays do."""
    return s.count() if s.omit else np.float64(s.count())


def _z_of_skew(s):
    """D'Agostino, Belanger and D'Agostino, Am. Stat. 44 (1990) 316."""
    n, g = _size(s), skew_of(s)
    y = g * gs.sqrt(gs.asarray((n + 1) * (n + 3) / (6.0 * (n - 2)), device=g.device))
    b = 3.0 * (n**2 + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2.0) * (n + 5) * (n + 7) * (n + 9))
    w = (2 * (b - 1)) ** 0.5 - 1
    delta = 1 / gs.sqrt(0.5 * gs.log(gs.asarray(w, device=g.device)))
    y = gs.where(y == 0, 1.0, y) / (2.0 / (w - 1)) ** 0.5
    return (delta * gs.arcsinh(y)).astype(g.dtype, copy=False)


def _z_of_kurtosis(s):
    """Anscombe and Glynn, Biometrika 70 (1983) 227."""
    n, k = _size(s), kurtosis_of(s, fisher=False)
    mean, variance = 3.0 * (n - 1) / (n + 1), 24.0 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (k - mean) / variance**0.5
    skewness = 6.0 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * (6.0 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3))) ** 0.5
    a = 6.0 + 8.0 / skewness * (2.0 / skewness + (1 + 4.0 / skewness**2) ** 0.5)
    below = 1 + x * (2 / (a - 4.0)) ** 0.5
    root = gs.sign(below) * gs.where(below == 0, np.nan, ((1 - 2.0 / a) / gs.abs(below)) ** (1 / 3))
    return ((1 - 2 / (9.0 * a) - root) / (2 / (9.0 * a)) ** 0.5).astype(k.dtype, copy=False)


@public("a")
def skewtest(a, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """As `scipy.stats.skewtest`."""
    check_alternative(alternative)
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, too_small=7)

    def compute():
        z = _z_of_skew(s)
        return z, pvalue(z, norm, alternative)

    return SkewtestResult(*s.give(compute, 2))


@public("a")
def kurtosistest(a, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """As `scipy.stats.kurtosistest`."""
    check_alternative(alternative)
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, too_small=4)

    def compute():
        z = _z_of_kurtosis(s)
        return z, pvalue(z, norm, alternative)

    return KurtosistestResult(*s.give(compute, 2))


@public("a")
def normaltest(a, axis=0, nan_policy="propagate", *, keepdims=False):
    """As `scipy.stats.normaltest`."""
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, too_small=7)

    def compute():
        statistic = _z_of_skew(s) ** 2 + _z_of_kurtosis(s) ** 2
        return statistic, chi2.sf(statistic, 2)

    return NormaltestResult(*s.give(compute, 2))
