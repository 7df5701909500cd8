"""logsumexp, softmax and log_softmax."""

import numpy as np

import gpusci as gs
from gpusci.core import public

__all__ = ["log_softmax", "logsumexp", "softmax"]


def _floating(x, what):
    """x in its floating dtype: integers in float64."""
    if x.dtype.kind == "c":
        raise TypeError(f"{what} takes real input on gpusci arrays; for complex input call scipy.special.{what} on the host")
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def _signed_sum(a, b, top, axis):
    """(log |total|, sign) of the sum of b exp(a - top), the terms at the maximum taken apart."""
    at_top = a == top
    weight = at_top if b is None else gs.where(at_top, b, b.dtype.type(0))
    m = gs.sum(weight, axis=axis, keepdims=True, dtype=a.dtype)
    # a - top is NaN where both are the same infinity, which is at the top
    e = gs.exp(gs.where(at_top, a.dtype.type(-np.inf), a - gs.where(at_top, a.dtype.type(0), top)))
    rest = gs.sum(e if b is None else gs.where(e == 0, e, b * e), axis=axis, keepdims=True, dtype=a.dtype)
    ratio = rest / gs.where(m == 0, m.dtype.type(1), m)
    close = (m != 0) & (gs.abs(ratio) < 0.5)
    total = m + rest
    size = gs.where(close, gs.log1p(gs.where(close, ratio, ratio.dtype.type(0))) + gs.log(gs.abs(gs.where(close, m, total))),
                    gs.log(gs.abs(total)))  # fmt: skip
    return size, gs.sign(total)


def _complex_sum(a, axis, b):
    """(log of the sum of b exp(a), its phase), with the axis kept."""
    dtype = np.promote_types(np.promote_types(a.dtype, np.float32 if b is None else b.dtype), np.complex64)
    a = a.astype(dtype)
    if b is not None:
        a, b = gs.broadcast_arrays(a, b.astype(dtype))
        a = gs.where(b == 0, dtype.type(-np.inf), a)
    a, b = gs.atleast_1d(a), None if b is None else gs.atleast_1d(b)
    axis = tuple(range(a.ndim)) if axis is None else axis
    with np.errstate(all="ignore"):
        top = gs.max(a.real, axis=axis, keepdims=True, initial=-np.inf)
        shift = gs.where(gs.isfinite(top), top, top.dtype.type(0))
        e = gs.exp(a - shift)
        total = gs.sum(e if b is None else gs.where(e == 0, e, b * e), axis=axis, keepdims=True)
        size = gs.abs(total)
        return gs.log(total) + shift, gs.where(size == 0, dtype.type(0), total / size)


@public("a", "b")
def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    """As `scipy.special.logsumexp`. The sign of -inf is 0, of an empty array too (SciPy: -1)."""
    if a.dtype.kind == "c" or (b is not None and b.dtype.kind == "c"):
        out, sign = _complex_sum(a, axis, b)
        out = out.real if return_sign else out
        if not keepdims:
            axis = tuple(range(out.ndim)) if axis is None else axis
            out, sign = gs.squeeze(out, axis=axis), gs.squeeze(sign, axis=axis)
        return (out, sign) if return_sign else out
    a = _floating(a, "logsumexp")
    if b is not None:
        b = _floating(b, "logsumexp")
        dtype = np.promote_types(a.dtype, b.dtype)
        a, b = gs.broadcast_arrays(a.astype(dtype), b.astype(dtype))
        a = gs.where(b == 0, dtype.type(-np.inf), a)
    a, b = gs.atleast_1d(a), None if b is None else gs.atleast_1d(b)
    axis = tuple(range(a.ndim)) if axis is None else axis
    top = gs.max(a, axis=axis, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):
        size, sign = _signed_sum(a, b, top, axis)
        out = gs.where(gs.isneginf(top), top, size + top)
        sign = gs.where(gs.isneginf(top), sign.dtype.type(0), gs.where(gs.isnan(out), out, sign))
    if not return_sign and b is not None:
        out = gs.where(sign < 0, out.dtype.type(np.nan), out)
    if not keepdims:
        out, sign = gs.squeeze(out, axis=axis), gs.squeeze(sign, axis=axis)
    return (out, sign) if return_sign else out


@public("x")
def softmax(x, axis=None):
    """As `scipy.special.softmax`, for real input."""
    x = _floating(x, "softmax")
    e = gs.exp(x - gs.max(x, axis=axis, keepdims=True))
    return e / gs.sum(e, axis=axis, keepdims=True)


@public("x")
def log_softmax(x, axis=None):
    """As `scipy.special.log_softmax`, for real input. Accurate also where it is near 0 (SciPy: absolute 2e-16)."""
    x = _floating(x, "log_softmax")
    top = gs.max(x, axis=axis, keepdims=True)
    with np.errstate(all="ignore"):
        return (x - top) - _signed_sum(x, None, top, tuple(range(x.ndim)) if axis is None else axis)[0]
