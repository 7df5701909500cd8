"""Standard scores: zscore, zmap, gzscore."""

import warnings

import numpy as np

import gpusci as gs
from gpusci.core import public
from gpusci.core.args import normalize_axes
from gpusci.stats import _kernels
from gpusci.stats._slices import check_policy, floating, small_sample

__all__ = ["gzscore", "zmap", "zscore"]


def _scores(scores, compare, axis, ddof, nan_policy, itself):
    dtype = np.result_type(floating(scores).dtype, floating(compare).dtype)
    scores, compare = scores.astype(dtype, copy=False), compare.astype(dtype, copy=False)
    omit = check_policy(compare, nan_policy)
    if axis is not None:
        axis = normalize_axes(axis, compare.ndim)
    if compare.size == 0:
        if not itself:
            small_sample(compare.ndim == 1 or axis is None)
        return gs.full(np.broadcast_shapes(scores.shape, _kept(compare, axis)), np.nan, dtype, device=scores.device)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        mean = (gs.nanmean if omit else gs.mean)(compare, axis=axis, keepdims=True)
        std = (gs.nanstd if omit else gs.std)(compare, axis=axis, ddof=ddof, keepdims=True)
        return _kernels.standardise(scores, mean, std) if itself else (scores - mean) / std


def _kept(x, axis):
    axes = range(x.ndim) if axis is None else axis
    return tuple(1 if d in axes else n for d, n in enumerate(x.shape))


@public("a")
def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    """As `scipy.stats.zscore`; two passes over the data, then one kernel. Slices that are constant give NaN."""
    return _scores(a, a, axis, ddof, nan_policy, True)


@public("scores", "compare")
def zmap(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    """As `scipy.stats.zmap`."""
    return _scores(scores, compare, axis, ddof, nan_policy, scores is compare)


@public("a")
def gzscore(a, *, axis=0, ddof=0, nan_policy="propagate"):
    """As `scipy.stats.gzscore`."""
    with np.errstate(all="ignore"):
        logs = gs.log(floating(a))
    return _scores(logs, logs, axis, ddof, nan_policy, True)
