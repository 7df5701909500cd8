"""SciPy's habits of `axis`, `nan_policy` and `keepdims`, once: samples with the axis that is reduced last."""

import importlib
import math
import warnings

import numpy as np

import gpusci as gs
from gpusci.core.args import normalize_axes
from gpusci.core.callers import warn

__all__ = ["Slices", "check_policy", "floating", "floating_type", "small_sample"]

POLICIES = ("propagate", "raise", "omit")


def floating_type(dtype):
    """Real and complex dtypes as they are, whole numbers and booleans as float64."""
    return dtype if dtype.kind in "fc" else np.dtype(np.float64)


def floating(x):
    """`x` as `floating_type` says."""
    return x.astype(floating_type(x.dtype), copy=False)


def check_policy(x, nan_policy):
    """Whether NaN are to be passed over. ValueError for an unknown policy, and for NaN under 'raise' (this waits)."""
    if nan_policy not in POLICIES:
        raise ValueError(f"nan_policy must be one of {set(POLICIES)} (got {nan_policy!r}).")
    if x.dtype.kind not in "fc":
        return False
    if nan_policy == "raise" and bool(gs.isnan(x).any()):
        raise ValueError("The input contains nan values; nan_policy='omit' passes over them")
    return nan_policy == "omit"


def small_sample(one, omitted=False):
    """SciPy's warning that a sample is too small. one: there is one slice; omitted: NaN were passed over."""
    module = importlib.import_module("scipy.stats._axis_nan_policy")
    text = getattr(module, f"too_small_{'1d' if one else 'nd'}_{'omit' if omitted else 'not_omit'}")
    warn(text, module.SmallSampleWarning)


class Slices:
    """Samples reduced along `axis`: `x[i]` has that axis last (several merged into one) and a real dtype.

    omit       NaN are passed over: `mean`, `var`, `count` do
    too_small  sizes up to it give NaN, with SciPy's warning where it shows without waiting for the GPU
    paired     samples have the same length, and NaN in one is NaN in all
    """

    def __init__(self, *samples, axis, nan_policy="propagate", keepdims=False, too_small=0, paired=False, promote=True):
        given = samples = [x.reshape(1) if x.ndim == 0 else x for x in samples]
        if promote:
            samples = [floating(x) for x in samples]
        dtype = np.result_type(*(x.dtype for x in samples))
        samples = [x.astype(dtype, copy=False) if promote else x for x in samples]
        if axis is None:
            samples, self.axes, self.ndim = [x.reshape(-1) for x in samples], None, max(x.ndim for x in samples)
        else:
            self.ndim = max(x.ndim for x in samples)
            samples = [x.reshape((1,) * (self.ndim - x.ndim) + x.shape) for x in samples]
            self.axes = normalize_axes(axis, self.ndim)
            samples = [self._last(x) for x in samples]
        self.x = self._broadcast(samples, paired)
        self.keepdims, self.too_small = keepdims, too_small
        self.omit = any(check_policy(x, nan_policy) for x in given)            # integers hold no NaN
        if self.omit and self.x[0].device.kind == "host":
            self.omit = any(bool(gs.isnan(x).any()) for x in self.x)       # the plain way is the faster one
        if self.omit and paired:
            bad = gs.isnan(self.x[0])
            for x in self.x[1:]:
                bad = bad | gs.isnan(x)
            self.x = [gs.where(bad, np.nan, x).astype(x.dtype, copy=False) for x in self.x]
        self.shape = self.x[0].shape[:-1]
        self.dtype = floating_type(dtype)
        self.short = min(x.shape[-1] for x in self.x) <= too_small and math.prod(self.shape) > 0

    def _last(self, x):
        axes = self.axes
        kept = [d for d in range(x.ndim) if d not in axes]
        length = math.prod(x.shape[d] for d in axes)
        if len(axes) == 1 and axes[0] == x.ndim - 1:
            return x
        return x.transpose(*kept, *axes).reshape(tuple(x.shape[d] for d in kept) + (length,))

    @staticmethod
    def _broadcast(samples, paired):
        if len(samples) == 1:
            return samples
        try:
            if paired:
                full = np.broadcast_shapes(*(x.shape for x in samples))
                return [gs.broadcast_to(x, full) for x in samples]
            full = np.broadcast_shapes(*(x.shape[:-1] for x in samples))
            return [gs.broadcast_to(x, full + x.shape[-1:]) for x in samples]
        except ValueError:
            raise ValueError("Array shapes are incompatible for broadcasting: samples differ in an axis that is kept") from None

    # ---- statistics of sample i, with the reduced axis gone
    def count(self, i=0):
        """Numbers per slice: an int, or an array when NaN are passed over."""
        x = self.x[i]
        return gs.sum(gs.logical_not(gs.isnan(x)), axis=-1).astype(np.float64) if self.omit else x.shape[-1]

    def mean(self, i=0, dtype=None):
        return self._quiet(gs.nanmean if self.omit else gs.mean, i, dtype=dtype)

    def var(self, i=0, ddof=0, dtype=None):
        return self._quiet(gs.nanvar if self.omit else gs.var, i, ddof=ddof, dtype=dtype)

    def std(self, i=0, ddof=0):
        return self._quiet(gs.nanstd if self.omit else gs.std, i, ddof=ddof)

    def _quiet(self, function, i, **options):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", RuntimeWarning)
            return function(self.x[i], axis=-1, **options)

    def nan(self):
        return gs.full(self.shape, np.nan, self.dtype, device=self.x[0].device)

    def give(self, compute, outputs=1):
        """compute()'s array, or tuple of `outputs` arrays; NaN where samples are too small; reduced axes put back."""
        if self.short:
            small_sample(self.ndim == 1 or self.axes is None)
            result = (self.nan(),) * outputs
        else:
            with np.errstate(all="ignore"):
                result = compute() if outputs > 1 else (compute(),)
            if self.omit:
                result = self._omitted(result)
        result = tuple(map(self._shaped, result))
        return result if outputs > 1 else result[0]

    def _omitted(self, result):
        small = self.count(0) <= self.too_small
        for i in range(1, len(self.x)):
            small = small | (self.count(i) <= self.too_small)
        if small.device.kind == "host" and bool(small.any()):
            small_sample(self.ndim == 1 or self.axes is None, omitted=True)
        return tuple(self.nan_where(small, y) for y in result)

    @staticmethod
    def nan_where(small, y):
        if y.dtype.kind in "fc":
            return gs.where(small, np.nan, y).astype(y.dtype, copy=False)
        return gs.where(small, np.nan, y) if bool(small.any()) else y       # the dtype depends on the data, as in SciPy

    def _shaped(self, y):
        if not self.keepdims:
            return y
        axes, sizes = range(self.ndim) if self.axes is None else self.axes, iter(y.shape)
        return y.reshape(tuple(1 if d in axes else next(sizes) for d in range(self.ndim)))
