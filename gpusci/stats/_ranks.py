"""Ranks, modes and entropy: rankdata, mode, entropy."""

import math
from collections import namedtuple

import numpy as np

import gpusci as gs
from gpusci import special
from gpusci.core import public
from gpusci.core.args import normalize_axis
from gpusci.core.libraries import scipy_since
from gpusci.stats._slices import Slices, check_policy, floating_type

__all__ = ["entropy", "mode", "rankdata"]

METHODS = ("average", "min", "max", "dense", "ordinal")
ModeResult = namedtuple("ModeResult", ("mode", "count"))


def runs(y):
    """Of sorted rows: for every element the first and the last place of the run of equal ones that it is in."""
    n = y.shape[-1]
    place = gs.broadcast_to(gs.arange(n, device=y.device), y.shape)
    differs = y[..., 1:] != y[..., :-1]
    edge = gs.ones((*y.shape[:-1], 1), bool, device=y.device)
    starts, ends = gs.concatenate([edge, differs], axis=-1), gs.concatenate([differs, edge], axis=-1)
    first = gs.maximum.accumulate(gs.where(starts, place, 0), axis=-1)
    last = gs.minimum.accumulate(gs.where(ends, place, n)[..., ::-1], axis=-1)[..., ::-1]
    return starts, first, last


@public("a")
def rankdata(a, method="average", *, axis=None, nan_policy="propagate"):
    """As `scipy.stats.rankdata`; one stable sort. With SciPy 1.17 and other methods than "average" it waits for floats of a GPU: whether
    there are NaN decides the dtype."""
    if method not in METHODS:
        raise ValueError(f'unknown method "{method}"; use one of {", ".join(METHODS)}')
    x, axis = (a.reshape(-1), -1) if axis is None else (a, axis)
    if scipy_since(1, 18):
        dtype = floating_type(x.dtype)
    else:
        dtype = np.dtype(np.float64 if method == "average" else np.int64)
    if x.size == 0:
        return gs.empty(x.shape, dtype, device=x.device)
    check_policy(x, nan_policy)
    x = x.reshape(1) if x.ndim == 0 else x
    axis = normalize_axis(axis, x.ndim)
    rows = x.swapaxes(axis, -1)
    ranks = ranks_of(rows, method).astype(dtype, copy=False)
    if x.dtype.kind in "fc":
        bad = gs.isnan(rows)
        unseen = x.device.kind != "host" and dtype.kind != "i"  # nothing needs to wait
        if unseen or bool(bad.any()):
            bad = bad if nan_policy == "omit" else gs.broadcast_to(bad.any(axis=-1, keepdims=True), rows.shape)
            ranks = gs.where(bad, np.nan, ranks).astype(floating_type(dtype), copy=False)
    return ranks.swapaxes(axis, -1)


def ranks_of(rows, method="average"):
    """Ranks along the last axis; NaN rank last."""
    order = gs.argsort(rows, axis=-1, stable=True)
    if method == "ordinal":
        ranks = gs.broadcast_to(gs.arange(1, rows.shape[-1] + 1, device=rows.device), rows.shape)
    else:
        starts, first, last = runs(gs.take_along_axis(rows, order, axis=-1))
        if method == "average":
            ranks = (first + last) * 0.5 + 1
        elif method == "dense":
            ranks = gs.cumsum(starts, axis=-1)
        else:
            ranks = (first if method == "min" else last) + 1
    out = gs.empty(rows.shape, ranks.dtype, device=rows.device)
    gs.put_along_axis(out, order, ranks, axis=-1)
    return out


@public("a")
def mode(a, axis=0, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.mode`; one sort. NaN count as one value; where all are passed over the count is 0."""
    if a.size and a.dtype.kind not in "iufc":
        raise TypeError("Argument `a` is not recognized as numeric. Convert it to numbers, or use numpy.unique")
    s = Slices(a, axis=axis, nan_policy=nan_policy, keepdims=keepdims, promote=False)
    if a.size == 0:
        nothing = s.give(s.nan)
        return ModeResult(nothing, gs.zeros_like(nothing, dtype=np.int64 if nothing.ndim and scipy_since(1, 18) else nothing.dtype))

    def compute():
        y = gs.sort(s.x[0], axis=-1)
        bad = gs.isnan(y) if y.dtype.kind in "fc" else None
        starts, first, last = runs(y)
        size = last - first + 1
        if bad is not None:
            size = gs.where(bad, 0 if s.omit else bad.sum(axis=-1, keepdims=True), size)
        k = gs.argmax(size, axis=-1, keepdims=True)
        whole = np.float64 if s.omit else np.int64          # floats take NaN without a look at whether there are any
        return gs.take_along_axis(y, k, axis=-1)[..., 0], gs.take_along_axis(size, k, axis=-1)[..., 0].astype(whole)

    value, count = s.give(compute, 2)
    return ModeResult(value, count if count.dtype.kind == "i" else gs.nan_to_num(count).astype(np.int64))


@public("pk", "qk")
def entropy(pk, qk=None, base=None, axis=0, *, nan_policy="propagate", keepdims=False):
    """As `scipy.stats.entropy`."""
    if base is not None and base <= 0:
        raise ValueError("`base` must be a positive number or `None`.")
    s = Slices(*((pk,) if qk is None else (pk, qk)), axis=axis, nan_policy=nan_policy, keepdims=keepdims, paired=True, too_small=-1)
    total = gs.nansum if s.omit else gs.sum

    def compute():
        shares = [x / total(x, axis=-1, keepdims=True) for x in s.x]
        terms = special.entr(*shares) if qk is None else special.rel_entr(*shares)
        if s.omit:                                      # not `total`: the NaN of 0/0 is a result, as in SciPy
            terms = gs.where(gs.isnan(s.x[0]), 0, terms).astype(terms.dtype, copy=False)
        y = gs.sum(terms, axis=-1)
        return y if base is None else (y / math.log(base)).astype(y.dtype, copy=False)

    return s.give(compute)
