"""Statistics between limits and of trimmed samples; order statistics: iqr, median_abs_deviation."""

import math

import numpy as np

import gpusci as gs
from gpusci.core import public
from gpusci.core.args import normalize_axis
from gpusci.stats._slices import Slices

__all__ = ["iqr", "median_abs_deviation", "tmax", "tmean", "tmin", "trim_mean", "trimboth", "tsem", "tstd", "tvar"]

NORMAL_IQR = 1.3489795003921634         # 2 ndtri(3/4)
NORMAL_MAD = 0.6744897501960817         # ndtri(3/4)


def _outside(x, limits, inclusive):
    """Mask of what is outside the limits, or None. ValueError where nothing is left: this waits for the GPU."""
    if limits is None or (limits[0] is None and limits[1] is None):
        return None
    (low, high), (with_low, with_high) = limits, inclusive
    mask = None
    if low is not None:
        mask = x < low if with_low else x <= low
    if high is not None:
        above = x > high if with_high else x >= high
        mask = above if mask is None else mask | above
    if bool(mask.all()):
        raise ValueError("No array values within given limits")
    return mask


def _between(s, limits, inclusive):
    """(sample with NaN outside the limits, numbers left per slice)"""
    x = s.x[0]
    mask = _outside(x, limits, inclusive)
    dropped = gs.isnan(x) if s.omit else None
    if mask is not None:
        dropped = mask if dropped is None else mask | dropped
    if dropped is None:
        return x, None, x.shape[-1]
    return x, dropped, gs.sum(gs.logical_not(dropped), axis=-1).astype(x.dtype)


def _limited(a, limits, inclusive, axis, nan_policy, keepdims, compute):
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    return s.give(lambda: compute(*_between(s, limits, inclusive)))


def _total(x, dropped):
    return gs.sum(x if dropped is None else gs.where(dropped, 0, x).astype(x.dtype, copy=False), axis=-1)


def _mean(x, dropped, n):
    return (_total(x, dropped) / n).astype(x.dtype, copy=False)


def _variance(x, dropped, n, ddof):
    d = x - _mean(x, dropped, n)[..., None]
    left = gs.asarray(n - ddof, device=x.device)
    return gs.where(left > 0, _total(d * d, dropped) / gs.where(left > 0, left, 1), np.nan).astype(x.dtype, copy=False)


@public("a")
def tmean(a, limits=None, inclusive=(True, True), axis=None, *, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.tmean`; with limits it waits for the GPU, since ValueError says that nothing is between them."""
    if limits is None and a.dtype.kind in "biu" and a.size:
        limits = (None, None)
    return _limited(a, limits, inclusive, axis, nan_policy, keepdims, _mean)


@public("a")
def tvar(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.tvar`; with limits it waits for the GPU."""
    return _limited(a, limits, inclusive, axis, nan_policy, keepdims, lambda x, m, n: _variance(x, m, n, ddof))


@public("a")
def tstd(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.tstd`; with limits it waits for the GPU."""
    return _limited(a, limits, inclusive, axis, nan_policy, keepdims, lambda x, m, n: _variance(x, m, n, ddof) ** 0.5)


@public("a")
def tsem(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.tsem`; with limits it waits for the GPU."""
    return _limited(
        a, limits, inclusive, axis, nan_policy, keepdims,
        lambda x, m, n: (_variance(x, m, n, ddof) ** 0.5 / n**0.5).astype(x.dtype, copy=False),
    )  # fmt: skip


def _extreme(a, limits, inclusive, axis, nan_policy, keepdims, reduce, end):
    """Extreme within limits: whole numbers stay whole unless a slice has none within (that waits)."""
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, promote=False)

    def compute():
        x, dropped, _ = _between(s, limits, inclusive)
        if dropped is None:
            return reduce(x, axis=-1)
        filler = end if x.dtype.kind == "f" else (np.iinfo(x.dtype).max if end > 0 else np.iinfo(x.dtype).min)
        y, nothing = reduce(gs.where(dropped, filler, x).astype(x.dtype, copy=False), axis=-1), dropped.all(axis=-1)
        if x.dtype.kind == "f":
            return gs.where(nothing, np.nan, y).astype(x.dtype, copy=False)
        return gs.where(nothing, np.nan, y) if bool(nothing.any()) else y

    return s.give(compute)


@public("a")
def tmin(a, lowerlimit=None, axis=0, inclusive=True, nan_policy="propagate", *, keepdims=False):
    """As `scipy.stats.tmin`; with a limit it waits for the GPU."""
    return _extreme(a, (lowerlimit, None), (inclusive, True), axis, nan_policy, keepdims, gs.min, math.inf)


@public("a")
def tmax(a, upperlimit=None, axis=0, inclusive=True, nan_policy="propagate", *, keepdims=False):
    """As `scipy.stats.tmax`; with a limit it waits for the GPU."""
    return _extreme(a, (None, upperlimit), (True, inclusive), axis, nan_policy, keepdims, gs.max, -math.inf)


def _cut(n, proportiontocut, strict):
    low = int(proportiontocut * n)
    if low > n - low or (strict and low == n - low):
        raise ValueError("Proportion too big.")
    return low


@public("a")
def trim_mean(a, proportiontocut, axis=0, *, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.trim_mean`."""
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, promote=False)       # short integers are put in order faster
    n = s.x[0].shape[-1]
    low = _cut(n, proportiontocut, False)

    def compute():
        if not n:                                   # and no slices, but for those that `give` knows to be NaN
            return gs.mean(s.x[0], axis=-1)
        if not s.omit:
            y = gs.partition(s.x[0], (low, n - low - 1, n - 1), axis=-1)        # the last place shows whether there are NaN
            mean = gs.mean(y[..., low : n - low], axis=-1)
            return s.nan_where(gs.isnan(y[..., -1]), mean) if y.dtype.kind in "fc" else mean
        y = gs.sort(s.x[0], axis=-1)
        count = s.count()[..., None]                # NaN are last
        left, place = gs.floor(proportiontocut * count), gs.arange(n, device=y.device)
        kept = (place >= left) & (place < count - left)
        return (gs.sum(gs.where(kept, y, 0), axis=-1) / (count - 2 * left)[..., 0]).astype(y.dtype, copy=False)

    return s.give(compute)


@public("a")
def trimboth(a, proportiontocut, axis=0):
    """As `scipy.stats.trimboth`; on a GPU what is left comes out sorted."""
    if a.size == 0:
        return a
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = normalize_axis(axis, a.ndim)
    n = a.shape[axis]
    low = _cut(n, proportiontocut, True)
    return gs.partition(a, (low, n - low - 1), axis=axis)[(slice(None),) * axis + (slice(low, n - low),)]


@public("x")
def iqr(x, axis=None, rng=(25, 75), scale=1.0, nan_policy="propagate", interpolation="linear", keepdims=False):
    """As `scipy.stats.iqr`."""
    if isinstance(scale, str):
        if scale.lower() != "normal":
            raise ValueError(f"{scale} not a valid scale for `iqr`; use 'normal' or a number")
        scale = NORMAL_IQR
    if len(rng) != 2:
        raise TypeError("`rng` must be a two element sequence.")
    if np.isnan(rng).any():
        raise ValueError("`rng` must not contain NaNs.")
    low, high = sorted(rng)
    if low < 0 or high > 100:
        raise ValueError("Elements of `rng` must be in the range [0, 100].")
    s = Slices(x, axis=axis, nan_policy=nan_policy, keepdims=keepdims)

    def compute():
        if s.x[0].size == 0:
            return s.nan()
        y = (gs.nanpercentile if s.omit else gs.percentile)(s.x[0], [low, high], axis=-1, method=interpolation)
        y = y[1] - y[0]
        return (y / scale if scale != 1.0 else y).astype(s.dtype, copy=False)

    return s.give(compute)


@public("x")
def median_abs_deviation(x, axis=0, center=None, scale=1.0, nan_policy="propagate", *, keepdims=False):
    """As `scipy.stats.median_abs_deviation`; `center` is called with a gpusci array."""
    if center is not None and not callable(center):
        raise TypeError(f"The argument 'center' must be callable. The given value {center!r} is not callable.")
    if isinstance(scale, str):
        if scale.lower() != "normal":
            raise ValueError(f"{scale} is not a valid scale value; use 'normal' or a number")
        scale = NORMAL_MAD
    s = Slices(x, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    median = gs.nanmedian if s.omit else gs.median

    def compute():
        if s.x[0].size == 0:
            return s.nan()
        middle = (median if center is None else center)(s.x[0], axis=-1)[..., None]
        return (median(gs.abs(s.x[0] - middle), axis=-1) / scale).astype(s.dtype, copy=False)

    return s.give(compute)
