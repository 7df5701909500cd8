"""Medians, percentiles and quantiles, with NumPy's names and all of its methods.

The axes are sorted (radix.py), then two neighbours are picked and blended. Blending never leaves the interval between them,
so quantiles do not decrease with q; where both ends are equal, or the weight is 0, the value is exact (NumPy gives NaN next
to an infinity). q is read on the host: a gpusci array of q waits for the GPU.
"""

import math
import warnings

import numpy as np

from gpusci.core._ndarray import ndarray
from gpusci.core.args import normalize_axes
from gpusci.core.callers import warn
from gpusci.core.constants import constant
from gpusci.core.numpylike import numpy_like, to_device_array
from gpusci.core.radix import contiguous, sort_rows

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

NO = np._NoValue

# Hyndman and Fan, Am. Stat. 50 (1996) 361: continuous methods by (alpha, beta).
PLOTTING = {
    "interpolated_inverted_cdf": (0, 1), "hazen": (0.5, 0.5), "weibull": (0, 0), "linear": (1, 1),
    "median_unbiased": (1 / 3, 1 / 3), "normal_unbiased": (3 / 8, 3 / 8),
}  # fmt: skip


def _position(method, n, q, xp):
    """Zero-based index of the lower neighbour and the weight of the upper one, for n sorted elements.

    n and q are arrays of the namespace xp (NumPy when n is the same for all slices, else gpusci).
    """
    if method in PLOTTING:
        alpha, beta = PLOTTING[method]
        index = (n - 1) * q if method == "linear" else n * q + (alpha + q * (1 - alpha - beta)) - 1
        low = xp.floor(index)
        return low, index - low
    if method in ("inverted_cdf", "averaged_inverted_cdf", "closest_observation"):
        index = n * q - 1 - (0.5 if method == "closest_observation" else 0)
        low = xp.floor(index)
        whole = index == low
        if method == "closest_observation":
            whole = whole & (low % 2 == 1)  # the observation with the even number
        upper = xp.where(whole, 0.5 if method == "averaged_inverted_cdf" else 0.0, 1.0)
        return low, upper
    index = (n - 1) * q
    low = xp.floor(index)
    part = index - low
    if method == "lower":
        upper = xp.zeros_like(part)
    elif method == "higher":
        upper = xp.where(part > 0, 1.0, 0.0)
    elif method == "midpoint":
        upper = xp.where(part > 0, 0.5, 0.0)
    else:
        upper = xp.where((part > 0.5) | ((part == 0.5) & (low % 2 == 1)), 1.0, 0.0)
    return low, upper


def _blend(a, b, t, dtype):
    """a + (b - a) * t, monotone in t, exact at the ends and between equal values."""
    import gpusci as gs

    if dtype.kind in "biu":
        return gs.where(t == 0, a, b).astype(dtype, copy=False)
    wide = np.result_type(dtype, np.float64) if dtype.kind == "f" else dtype
    a, b = a.astype(wide, copy=False), b.astype(wide, copy=False)
    d = b - a
    between = gs.where(t < 0.5, a + d * t, b - d * (1 - t))
    out = gs.where((t == 0) | (a == b), a, gs.where(t == 1, b, between))
    return out.astype(dtype, copy=False)


def _sorted_slices(a, axis):
    """a with the reduced axes as one last axis, sorted; the axes; the kept shape."""
    from gpusci.core.manipulation import moveaxis

    axes = normalize_axes(axis, a.ndim)
    kept = [d for d in range(a.ndim) if d not in axes]
    lines = moveaxis(a, axes, range(len(kept), a.ndim)).reshape(*(a.shape[d] for d in kept), math.prod(a.shape[d] for d in axes))
    lines = contiguous(lines)
    return (sort_rows(lines) if lines.size else lines), axes, lines.shape[:-1]


def _finish(result, axes, ndim, keepdims, out, lead=0):
    """Reduced axes back as 1 when asked (after `lead` axes of q), and the copy to `out`."""
    import gpusci as gs

    if keepdims is not NO and keepdims:
        result = gs.expand_dims(result, tuple(d + lead for d in axes))
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError(f"output array has shape {out.shape}, expected {result.shape}")
    gs.copyto(out, result, casting="unsafe")
    return out


# ---- medians
@numpy_like
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """As `numpy.median`."""
    import gpusci as gs

    a = to_device_array(a)
    s, axes, shape = _sorted_slices(a, axis)
    n, dtype = s.shape[-1], np.median(np.ones(2, a.dtype)).dtype
    if n == 0:
        warn("Mean of empty slice.", RuntimeWarning)
        result = gs.full(shape, np.nan, dtype, device=a.device)
    else:
        middle = s[..., (n - 1) // 2 : n // 2 + 1]
        result = gs.mean(middle, axis=-1)
        # Two equal infinities, or one number: no sum is needed.
        result = gs.where(middle[..., 0] == middle[..., -1], middle[..., 0], result)
        if a.dtype.kind in "fc":
            result = gs.where(gs.isnan(s[..., -1]), s[..., -1], result)
        result = result.astype(dtype, copy=False)
    return _finish(result, axes, a.ndim, keepdims, out)


@numpy_like
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=NO):
    """As `numpy.nanmedian`; an all-NaN slice gives NaN without a warning."""
    import gpusci as gs

    a = to_device_array(a)
    if a.dtype.kind not in "fc":
        return median(a, axis, out, overwrite_input, keepdims)
    s, axes, shape = _sorted_slices(a, axis)
    if s.shape[-1] == 0:
        return _finish(gs.full(shape, np.nan, a.dtype, device=a.device), axes, a.ndim, keepdims, out)
    n = gs.count_nonzero(~gs.isnan(s), axis=-1, keepdims=True)
    low = gs.take_along_axis(s, gs.maximum(n - 1, 0) // 2, -1)[..., 0]
    high = gs.take_along_axis(s, gs.minimum(n // 2, s.shape[-1] - 1), -1)[..., 0]
    result = gs.where(low == high, low, gs.mean(gs.stack([low, high]), axis=0)).astype(a.dtype, copy=False)
    return _finish(result, axes, a.ndim, keepdims, out)


# ---- quantiles
def _quantile(name, a, q, axis, out, method, keepdims, weights, skip):
    """`name` is NumPy's function of the same arguments: asked, on one element, for errors and the dtype."""
    import gpusci as gs

    q = q.numpy() if isinstance(q, ndarray) else q
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = np.ones((1,) * a.ndim, a.dtype)
        extra = {} if weights is None else {"weights": one}
        asked = getattr(np, name)(one, q, axis=axis, method=method, **extra)
    dtype, q = np.asarray(asked).dtype, np.asanyarray(q)
    q = q.astype(np.float64) / (100 if "percentile" in name else 1)
    lead, points = q.ndim, q.reshape(-1)
    if weights is not None:
        return _weighted(a, points, q.shape, axis, to_device_array(weights, a.device), keepdims, out, dtype, skip)
    s, axes, shape = _sorted_slices(a, axis)
    n = s.shape[-1]
    if n == 0:
        if not skip:
            raise IndexError("index -1 is out of bounds for axis 0 with size 0: a quantile of an empty slice")
        result = gs.full((*q.shape, *shape), np.nan, dtype, device=a.device)
        return _finish(result, axes, a.ndim, keepdims, out, lead)
    if skip and a.dtype.kind == "f":
        count = gs.count_nonzero(~gs.isnan(s), axis=-1, keepdims=True)
        low, t = _position(method, count, constant(points, a.device), gs)
        last = gs.maximum(count - 1, 0)
        i, j = gs.minimum(gs.maximum(low, 0), last), gs.minimum(gs.maximum(low + 1, 0), last)
        below, above = (gs.take_along_axis(s, k.astype(np.int64), -1) for k in (i, j))
    else:
        low, t = _position(method, n, points, np)
        i, j = (np.clip(low + k, 0, n - 1).astype(np.int64) for k in (0, 1))
        below, above = (gs.take(s, constant(k, a.device), axis=-1) for k in (i, j))
        t = constant(np.asarray(t, np.float64), a.device)
    result = _blend(below, above, t, dtype)
    if a.dtype.kind == "f" and not skip:
        result = gs.where(gs.isnan(s[..., -1:]), s[..., -1:].astype(dtype, copy=False), result)
    result = gs.moveaxis(result, -1, 0).reshape(*q.shape, *shape)
    return _finish(result, axes, a.ndim, keepdims, out, lead)


def _weighted(a, points, q_shape, axis, weights, keepdims, out, dtype, skip):
    """inverted_cdf under weights: the first element whose share of the total weight reaches q."""
    import gpusci as gs

    axes = normalize_axes(axis, a.ndim)
    if weights.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if weights.shape != tuple(a.shape[d] for d in axes):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        weights = weights.transpose(*np.argsort(axes).tolist())
        weights = weights.reshape(tuple(n if d in axes else 1 for d, n in enumerate(a.shape)))
        weights = gs.broadcast_to(weights, a.shape)
    if bool(gs.any(weights < 0)):
        raise ValueError("Weights must be non-negative.")
    kept = [d for d in range(a.ndim) if d not in axes]
    shape = tuple(a.shape[d] for d in kept)
    lines, w = (gs.moveaxis(x, axes, range(len(kept), a.ndim)).reshape(*shape, -1) for x in (a, weights))
    order = gs.argsort(lines, axis=-1)
    s, w = gs.take_along_axis(lines, order, -1), gs.take_along_axis(w, order, -1).astype(np.float64)
    if skip and a.dtype.kind == "f":
        w = gs.where(gs.isnan(s), 0.0, w)
    cdf = gs.cumsum(w, axis=-1)
    cdf = cdf / cdf[..., -1:]
    if not skip and bool(gs.any(gs.isnan(cdf[..., -1]))):
        raise ValueError("Weights included NaN, inf or were all zero.")
    cdf = gs.where(cdf == 0, -1.0, cdf)  # no weight so far: not even q = 0 stops here
    last = s.shape[-1] - 1
    picked = [
        gs.take_along_axis(s, gs.minimum(gs.sum(cdf < float(q), axis=-1, keepdims=True), last), -1)[..., 0] for q in points
    ]
    result = gs.stack(picked).astype(dtype, copy=False)
    if a.dtype.kind == "f" and not skip:
        result = gs.where(gs.isnan(s[..., -1]), s[..., -1], result)
    return _finish(result.reshape(*q_shape, *shape), axes, a.ndim, keepdims, out, len(q_shape))


@numpy_like
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """As `numpy.quantile`."""
    return _quantile("quantile", to_device_array(a), q, axis, out, method, keepdims, weights, False)


@numpy_like
def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """As `numpy.percentile`."""
    return _quantile("percentile", to_device_array(a), q, axis, out, method, keepdims, weights, False)


@numpy_like
def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=NO, *, weights=None):
    """As `numpy.nanquantile`; an all-NaN slice gives NaN without a warning."""
    return _quantile("nanquantile", to_device_array(a), q, axis, out, method, keepdims, weights, True)


@numpy_like
def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=NO, *, weights=None):
    """As `numpy.nanpercentile`; an all-NaN slice gives NaN without a warning."""
    return _quantile("nanpercentile", to_device_array(a), q, axis, out, method, keepdims, weights, True)
