"""t-tests of means, and Pearson's correlation."""

import importlib
import math
from collections import namedtuple

import numpy as np

import gpusci as gs
from gpusci.core import public
from gpusci.core.args import normalize_axis
from gpusci.core.callers import warn
from gpusci.stats._continuous import beta, norm, t
from gpusci.stats._normality import SIDES, check_alternative, pvalue
from gpusci.stats._slices import Slices

__all__ = ["pearsonr", "ttest_1samp", "ttest_ind", "ttest_rel"]

ConfidenceInterval = namedtuple("ConfidenceInterval", ("low", "high"))


class TtestResult(tuple):
    """As `scipy.stats` gives it: (statistic, pvalue) with `df` and `confidence_interval`."""

    def __new__(cls, statistic, pvalue, df, alternative, standard_error, estimate):
        self = super().__new__(cls, (statistic, pvalue))
        self.df, self._alternative, self._standard_error, self._estimate = df, alternative, standard_error, estimate
        return self

    def __getnewargs__(self):
        return (*self, self.df, self._alternative, self._standard_error, self._estimate)

    statistic = property(lambda self: self[0], doc="The t-statistic.")
    pvalue = property(lambda self: self[1], doc="Probability of one at least as extreme.")

    def __repr__(self):
        return f"TtestResult(statistic={self[0]!r}, pvalue={self[1]!r}, df={self.df!r})"

    def confidence_interval(self, confidence_level=0.95):
        """Of the (difference of) means, one-sided as the test was."""
        if not 0 <= confidence_level <= 1:
            raise ValueError("`confidence_level` must be a number between 0 and 1.")
        tail = (1 - confidence_level) / (1 if self._alternative else 2)
        reach = t.isf(tail, self.df).astype(self._standard_error.dtype) * self._standard_error
        low, high = self._estimate - reach, self._estimate + reach
        if self._alternative:
            endless = 0 * reach + np.inf
            low, high = (low, endless) if self._alternative > 0 else (-endless, high)
        return ConfidenceInterval(low, high)


def _finish(s, difference, deviation, df, alternative):
    """Means and variances come in double; results are of the samples' dtype, but for an int64 df and the float32 p of float16."""
    statistic = difference / deviation
    df = gs.broadcast_to(gs.asarray(df, device=statistic.device), statistic.shape).copy()
    p = pvalue(statistic, t, alternative, df.astype(np.float64, copy=False))
    results = [(statistic, s.dtype), (p, s.dtype), (df, s.dtype), (deviation, s.dtype), (difference, s.dtype)]
    if statistic.size:
        results[1] = p, np.promote_types(s.dtype, np.float32)
        results[2] = df, df.dtype if df.dtype.kind == "i" else s.dtype
    return tuple(y.astype(dtype, copy=False) for y, dtype in results)


def _one_less(s, n):
    """Degrees of freedom of one mean: whole numbers, as in SciPy. Warns of 0 where it shows without waiting for the GPU."""
    df = n - 1 if isinstance(n, int) else (n - 1).astype(np.int64)
    if math.prod(s.shape) and (df == 0 if isinstance(df, int) else df.device.kind == "host" and bool((df == 0).any())):
        warn("A sample of one value has no variance: its statistic is NaN, with 0 degrees of freedom.", RuntimeWarning)
    return df


def _result(values, alternative):
    statistic, p, df, deviation, estimate = values
    return TtestResult(statistic, p, df, SIDES[alternative], deviation, estimate)


def _check_real(*samples):
    if any(x.dtype.kind == "c" for x in samples):
        raise TypeError("t-tests compare real samples: test the real and the imaginary parts")


@public("a", "popmean")
def _one_sample(a, popmean, axis, nan_policy, alternative, keepdims):
    _check_real(a, popmean)
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    other = popmean
    if popmean.ndim and axis is not None:
        place = normalize_axis(axis, popmean.ndim)
        if popmean.shape[place] != 1:
            raise ValueError("`popmean.shape[axis]` must equal 1.")
        other = popmean.reshape(popmean.shape[:place] + popmean.shape[place + 1 :])

    def compute():
        mean, n = s.mean(dtype=np.float64), s.count()
        *values, _ = _finish(s, mean - other, (s.var(ddof=1, dtype=np.float64) / n) ** 0.5, _one_less(s, n), alternative)
        return (*values, mean.astype(s.dtype, copy=False))

    return s.give(compute, 5)


def ttest_1samp(a, popmean, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """As `scipy.stats.ttest_1samp`. With nan_policy="omit" it waits for floats of a GPU: `df` is float where a slice has nothing left."""
    check_alternative(alternative)
    return _result(_one_sample(a, popmean, axis, nan_policy, alternative, keepdims), alternative)


@public("a", "b")
def _related(a, b, axis, nan_policy, alternative, keepdims):
    _check_real(a, b)
    s = Slices(a, b, axis=axis, nan_policy=nan_policy, keepdims=keepdims, paired=True)
    d = Slices(s.x[0] - s.x[1], axis=-1, nan_policy="omit" if s.omit else "propagate")

    def compute():
        n, mean, variance = s.count(), d.mean(dtype=np.float64), d.var(ddof=1, dtype=np.float64)
        if s.omit:
            sound = gs.where(d.count() == n, 1.0, np.nan)           # inf - inf is NaN, but not missing
            mean, variance = mean * sound, variance * sound
        return _finish(s, mean, (variance / n) ** 0.5, _one_less(s, n), alternative)

    return s.give(compute, 5)


def ttest_rel(a, b, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """As `scipy.stats.ttest_rel`. With nan_policy="omit" it waits for floats of a GPU: `df` is float where a slice has nothing left."""
    check_alternative(alternative)
    return _result(_related(a, b, axis, nan_policy, alternative, keepdims), alternative)


@public("a", "b")
def _independent(a, b, axis, equal_var, nan_policy, alternative, keepdims):
    _check_real(a, b)
    s = Slices(a, b, axis=axis, nan_policy=nan_policy, keepdims=keepdims)

    def compute():
        n1, n2, v1, v2 = s.count(0), s.count(1), *(s.var(i, ddof=1, dtype=np.float64) for i in (0, 1))
        device = v1.device
        n1, n2 = (gs.asarray(n, dtype=np.float64, device=device) for n in (n1, n2))
        if equal_var:
            squares = gs.where(n1 == 1, 0.0, (n1 - 1) * v1) + gs.where(n2 == 1, 0.0, (n2 - 1) * v2)
            df = n1 + n2 - 2
            deviation = (squares / df * (1 / n1 + 1 / n2)) ** 0.5
        else:
            w1, w2 = v1 / n1, v2 / n2
            df = (w1 + w2) ** 2 / (w1**2 / (n1 - 1) + w2**2 / (n2 - 1))
            df, deviation = gs.where(gs.isnan(df), 1.0, df), (w1 + w2) ** 0.5
        return _finish(s, s.mean(0, dtype=np.float64) - s.mean(1, dtype=np.float64), deviation, df, alternative)

    return s.give(compute, 5)


def ttest_ind(a, b, *, axis=0, equal_var=True, nan_policy="propagate", alternative="two-sided", trim=0, method=None, keepdims=False):
    """As `scipy.stats.ttest_ind`; trimmed samples and resampling methods are SciPy's, on the host."""
    check_alternative(alternative)
    if not 0 <= trim < 0.5:
        raise ValueError("Trimming percentage should be 0 <= `trim` < .5.")
    if trim or method is not None:
        return _on_host("ttest_ind", a, b, axis=axis, equal_var=equal_var, nan_policy=nan_policy, alternative=alternative,
                        trim=trim, method=method, keepdims=keepdims)  # fmt: skip
    return _result(_independent(a, b, axis, equal_var, nan_policy, alternative, keepdims), alternative)


def _on_host(name, *samples, **options):
    samples = [x.numpy() if isinstance(x, gs.ndarray) else x for x in samples]
    return getattr(importlib.import_module("scipy.stats"), name)(*samples, **options)


# ---- Pearson's correlation
class PearsonRResult(tuple):
    """As `scipy.stats` gives it: (statistic, pvalue) with `confidence_interval`."""

    def __new__(cls, statistic, pvalue, alternative, n):
        self = super().__new__(cls, (statistic, pvalue))
        self._alternative, self._n = alternative, n
        return self

    def __getnewargs__(self):
        return (*self, self._alternative, self._n)

    statistic = correlation = property(lambda self: self[0], doc="The correlation coefficient.")
    pvalue = property(lambda self: self[1], doc="Probability of one at least as extreme, of independent normal samples.")

    def __repr__(self):
        return f"PearsonRResult(statistic={self[0]!r}, pvalue={self[1]!r})"

    def confidence_interval(self, confidence_level=0.95, method=None):
        """Of the correlation, by Fisher's transformation."""
        if method is not None:
            raise ValueError("`method` must be None: bootstrap intervals need the samples; use scipy.stats.pearsonr for them")
        if self._n < 4:
            missing = 0 * self[0] + np.nan
            return ConfidenceInterval(missing, missing)
        tail = (1 - confidence_level) / (2 if self._alternative == "two-sided" else 1)
        with np.errstate(all="ignore"):
            reach, z = norm.isf(tail) / (self._n - 3) ** 0.5, np.arctanh(self[0])
            low, high = np.tanh(z - reach), np.tanh(z + reach)
        one = 0 * self[0] + 1.0
        return ConfidenceInterval(-one if self._alternative == "less" else low, one if self._alternative == "greater" else high)


def _scaled(x):
    """Deviations from the mean divided by their norm; and whether x is constant. No sum of squares overflows."""
    size = gs.max(gs.abs(x), axis=-1, keepdims=True)
    x = x / gs.where(size > 0, size, 1).astype(x.dtype, copy=False)
    x = x - gs.mean(x, axis=-1, keepdims=True)
    size = gs.max(gs.abs(x), axis=-1, keepdims=True)
    x = x / gs.where(size > 0, size, 1).astype(x.dtype, copy=False)
    return x / gs.sqrt(gs.sum(x * x, axis=-1, keepdims=True))


@public("x", "y")
def _correlation(x, y, alternative, axis):
    if x.dtype.kind == "c" or y.dtype.kind == "c":
        raise ValueError("This function does not support complex data")
    if axis is None:
        x, y, axis = x.reshape(-1), y.reshape(-1), -1
    ndim = max(x.ndim, y.ndim)
    x, y = (v.reshape((1,) * (ndim - v.ndim) + v.shape) for v in (x, y))
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        raise ValueError("`x` and `y` must be broadcastable.") from None
    place = normalize_axis(axis, ndim)
    n = x.shape[place]
    if n != y.shape[place]:
        raise ValueError("`x` and `y` must have the same length along `axis`.")
    if n < 2:
        raise ValueError("`x` and `y` must have length at least 2.")
    s = Slices(x, y, axis=place, paired=True)
    x, y = s.x
    constant = (x == x[..., :1]).all(axis=-1) | (y == y[..., :1]).all(axis=-1)
    _warn_constant(constant)
    with np.errstate(all="ignore"):
        r = gs.clip(gs.sum(_scaled(x) * _scaled(y), axis=-1), -1.0, 1.0)
        r = gs.where(constant, np.nan, gs.rint(r) if n == 2 else r).astype(x.dtype, copy=False)
        if n == 2:
            return r, gs.where(gs.isnan(r), np.nan, 1.0).astype(r.dtype, copy=False), n
        half = n / 2 - 1
        if alternative == "two-sided":
            p = 2 * beta.sf(gs.abs(r), half, half, loc=-1, scale=2)
        else:
            p = (beta.cdf if alternative == "less" else beta.sf)(r, half, half, loc=-1, scale=2)
    return r, p.astype(r.dtype, copy=False), n


def _warn_constant(constant):
    """SciPy's warning, where it shows without waiting for the GPU."""
    if constant.device.kind == "host" and bool(constant.any()):
        kind = importlib.import_module("scipy.stats").ConstantInputWarning
        warn("An input array is constant; the correlation coefficient is not defined.", kind)


def pearsonr(x, y, *, alternative="two-sided", method=None, axis=0):
    """As `scipy.stats.pearsonr`; whatever the scale of the samples. Resampling methods are SciPy's, on the host."""
    if method is not None:
        return _on_host("pearsonr", x, y, alternative=alternative, method=method, axis=axis)
    check_alternative(alternative)
    if axis is not None and int(axis) != axis:
        raise ValueError("`axis` must be an integer.")
    r, p, n = _correlation(x, y, alternative, axis)
    return PearsonRResult(r, p, alternative, n)
