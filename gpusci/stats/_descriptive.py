"""Moments and what is made of them: skew, kurtosis, moment, variation, sem, describe, and the generalised means."""

import math
from collections import namedtuple

import numpy as np

import gpusci as gs
from gpusci.core import Functor, public
from gpusci.core.callers import warn
from gpusci.core.reduction import reduce_array
from gpusci.stats._slices import Slices, check_policy

__all__ = ["describe", "gmean", "hmean", "kurtosis", "moment", "pmean", "sem", "skew", "variation"]

DescribeResult = namedtuple("DescribeResult", ("nobs", "minmax", "mean", "variance", "skewness", "kurtosis"))


def _central(kind, s, option):
    """Reduce with an accumulator of kernels/moments.h: one pass. option: its `ddof`."""
    name = f"{'nan' if s.omit else ''}{kind}_acc"
    x = s.x[0]
    return reduce_array(Functor(name, "stats/kernels/moments.h"), x, (x.ndim - 1,), x.dtype, x.dtype, ddof=float(option))


def skew_of(s, bias=True):
    return _central("skew", s, 1 if bias else 0)


def kurtosis_of(s, fisher=True, bias=True):
    return _central("kurtosis", s, (1 if bias else 0) + (2 if fisher else 0))


@public("a")
def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    """As `scipy.stats.skew`; one pass over the data, in double precision throughout."""
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    return s.give(lambda: skew_of(s, bias))


@public("a")
def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    """As `scipy.stats.kurtosis`; one pass over the data, in double precision throughout."""
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    return s.give(lambda: kurtosis_of(s, fisher, bias))


@public("a")
def moment(a, order=1, axis=0, nan_policy="propagate", *, center=None, keepdims=False):
    """As `scipy.stats.moment`; central moments of orders 2, 3 and 4 are one pass over the data."""
    orders = np.asarray(gs.asnumpy(order) if isinstance(order, gs.ndarray) else order, float)
    if orders.size == 0 or orders.ndim > 1:
        raise ValueError("`order` must be a scalar or a non-empty 1D array.")
    if np.any(orders != np.round(orders)):
        raise ValueError("All elements of `order` must be integral.")
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    if orders.ndim == 0:
        return s.give(lambda: _moment(s, float(orders), center))
    result = s.give(lambda: tuple(_moment(s, float(k), center) for k in (*orders, 0)), orders.size + 1)
    return gs.stack(result[:-1])


def _moment(s, order, center):
    x = s.x[0]
    if order == 0 or (order == 1 and center is None):
        y = gs.full(s.shape, 1.0 - order, x.dtype, device=x.device)
        return y if s.omit or x.dtype.kind != "f" else gs.where(gs.isnan(x).any(axis=-1), np.nan, y).astype(x.dtype, copy=False)
    if center is None and order in (2, 3, 4) and x.dtype.kind == "f":
        return _central("moment", s, order)
    middle = s.mean()[..., None] if center is None else np.asarray(center, x.dtype)[()]
    power = (x - middle) ** x.dtype.type(order)
    return gs.nanmean(power, axis=-1) if s.omit else gs.mean(power, axis=-1)


@public("a")
def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    """As `scipy.stats.sem`."""
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    return s.give(lambda: (s.std(ddof=ddof) / s.count() ** 0.5).astype(s.dtype, copy=False))


@public("a")
def variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    """As `scipy.stats.variation`."""
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)

    def compute():
        n, mean, std = s.count(), s.mean(), s.std()
        n = gs.asarray(n, device=mean.device)
        left = n - ddof
        y = std * gs.where(left > 0, n / gs.where(left > 0, left, 1.0), np.nan).astype(std.dtype) ** 0.5 / mean
        endless = gs.where(std > 0, gs.copysign(np.inf, mean), np.nan)
        return gs.where(left == 0, endless, y).astype(std.dtype, copy=False)

    return s.give(compute)


@public("a")
def describe(a, axis=0, ddof=1, bias=True, nan_policy="propagate"):
    """As `scipy.stats.describe`; with nan_policy='omit' plain arrays, NaN for slices without numbers (not masked arrays)."""
    check_policy(a, nan_policy)
    if a.size == 0:
        raise ValueError("The input must not be empty.")
    s, whole = Slices(a, axis=axis, nan_policy=nan_policy), Slices(a, axis=axis, promote=False)
    x = whole.x[0]
    low, high = (gs.nanmin, gs.nanmax) if s.omit else (gs.min, gs.max)
    n = s.count().astype(np.int64) if s.omit else _length(s)
    with np.errstate(all="ignore"):
        extremes = (low(x, axis=-1), high(x, axis=-1))
        return DescribeResult(n, extremes, s.mean(), s.var(ddof=ddof), skew_of(s, bias), kurtosis_of(s, True, bias))


def _length(s):
    return np.int64(s.x[0].shape[-1])


# ---- generalised means
def _mean_of(function, a, weights, axis, dtype, nan_policy, keepdims, back):
    """back(mean of function(a)), weighted."""
    a = a.astype(dtype, copy=False) if dtype is not None else a
    samples = (a,) if weights is None else (a, weights.astype(dtype, copy=False) if dtype is not None else weights)
    s = Slices(*samples, axis=axis, nan_policy=nan_policy, keepdims=keepdims, paired=True)

    def compute():
        y = function(s.x[0])
        total = gs.nansum if s.omit else gs.sum
        if weights is None:
            return back(gs.nanmean(y, axis=-1) if s.omit else gs.mean(y, axis=-1))
        return back(total(y * s.x[1], axis=-1) / total(s.x[1], axis=-1))

    return s.give(compute)


@public("a", "weights")
def gmean(a, axis=0, dtype=None, weights=None, *, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.gmean`."""
    return _mean_of(gs.log, a, weights, axis, dtype, nan_policy, keepdims, gs.exp)


def _nonnegative(x, name):
    """x with NaN for negative numbers; SciPy's warning where it shows without waiting for the GPU."""
    bad = x < 0
    if x.device.kind == "host" and bool(bad.any()):
        warn(f"The {name} mean is only defined if all elements are non-negative; otherwise, the result is NaN.", RuntimeWarning)
    return gs.where(bad, np.nan, x).astype(x.dtype, copy=False)


@public("a", "weights")
def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.hmean`."""
    return _mean_of(lambda x: 1.0 / _nonnegative(x, "harmonic"), a, weights, axis, dtype, nan_policy, keepdims, lambda m: 1.0 / m)


@public("a", "weights")
def pmean(a, p, *, axis=0, dtype=None, weights=None, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.pmean`."""
    if not isinstance(p, int | float):
        raise ValueError("Power mean only defined for exponent of type int or float.")
    if p == 0:
        return gmean(a, axis=axis, dtype=dtype, weights=weights, nan_policy=nan_policy, keepdims=keepdims)
    if math.isinf(p):
        raise NotImplementedError("Power mean only implemented for finite `p`")
    return _mean_of(
        lambda x: _nonnegative(x, "power") ** float(p), a, weights, axis, dtype, nan_policy, keepdims, lambda m: m ** (1 / p)
    )
