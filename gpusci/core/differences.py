"""Differences, integrals, interpolation, sums of products along lines, covariances; with NumPy's names."""

import numpy as np

from gpusci.core._ndarray import ndarray, new
from gpusci.core.args import normalize_axis
from gpusci.core.callers import warn
from gpusci.core.constants import constant
from gpusci.core.kernel import Kernel
from gpusci.core.numpylike import numpy_like, to_device_array
from gpusci.core.radix import contiguous

__all__ = ["convolve", "corrcoef", "correlate", "cov", "diff", "ediff1d", "interp", "trapezoid"]

NO = np._NoValue

interpolate = Kernel("interpolate", "gpusci/search.h", template="T Index", args="ptr x, ptr xp, ptr fp, ptr ends, ptr y, i64 n",
                     first=["d", "D"])  # fmt: skip
convolve_lines = Kernel("convolve_lines", "gpusci/convolve1d.h", template="T Index", grain=256,
                        args="ptr a, ptr v, ptr y, i64 na, i64 nv, i64 first", first=["f", "q", "D"])  # fmt: skip


@numpy_like
def diff(a, n=1, axis=-1, prepend=NO, append=NO):
    """As `numpy.diff`."""
    import gpusci as gs

    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    a = to_device_array(a)
    if n == 0:
        return a
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = normalize_axis(axis, a.ndim)
    parts = []
    for extra in (prepend, a, append):
        if extra is NO:
            continue
        if extra is not a:
            extra = to_device_array(extra, a.device)
            if extra.ndim == 0:
                extra = gs.broadcast_to(extra, (*a.shape[:axis], 1, *a.shape[axis + 1 :]))
        parts.append(extra)
    if len(parts) > 1:
        a = gs.concatenate(parts, axis)
    head = (slice(None),) * axis
    minus = gs.not_equal if a.dtype.kind == "b" else gs.subtract
    for _ in range(n):
        a = minus(a[(*head, slice(1, None))], a[(*head, slice(None, -1))])
    return a


@numpy_like
def ediff1d(ary, to_end=None, to_begin=None):
    """As `numpy.ediff1d`."""
    import gpusci as gs

    a = to_device_array(ary).reshape(-1)
    parts = [gs.subtract(a[1:], a[:-1])]
    for extra, place in ((to_begin, 0), (to_end, len(parts) + 1)):
        if extra is None:
            continue
        extra = to_device_array(extra, a.device)
        if not np.can_cast(extra.dtype, a.dtype, casting="same_kind"):
            name = "to_begin" if place == 0 else "to_end"
            raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
        parts.insert(place, extra.reshape(-1).astype(a.dtype, copy=False))
    return gs.concatenate(parts) if len(parts) > 1 else parts[0]


@numpy_like
def trapezoid(y, x=None, dx=1.0, axis=-1):
    """As `numpy.trapezoid`."""
    import gpusci as gs

    y = to_device_array(y)
    axis = normalize_axis(axis, y.ndim)
    if x is None:
        d = to_device_array(dx, y.device) if isinstance(dx, (list, tuple, np.ndarray)) else dx
    else:
        x = to_device_array(x, y.device)
        if x.ndim == 1:
            d = diff(x).reshape(tuple(-1 if k == axis else 1 for k in range(y.ndim)))
        else:
            d = diff(x, axis=axis)
    head = (slice(None),) * axis
    return gs.sum(d * (y[(*head, slice(1, None))] + y[(*head, slice(None, -1))]) / 2.0, axis)


@numpy_like
def interp(x, xp, fp, left=None, right=None, period=None):
    """As `numpy.interp`."""
    import gpusci as gs

    device = next((v.device for v in (x, xp, fp) if isinstance(v, ndarray)), None)
    x, xp, fp = to_device_array(x, device), to_device_array(xp, device), to_device_array(fp, device)
    dtype = np.dtype(np.complex128 if fp.dtype.kind == "c" else np.float64)
    for v in (x, xp):
        if v.dtype.kind == "c":
            raise TypeError(f"Cannot cast array data from {v.dtype!r} to dtype('float64') according to the rule 'safe'")
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if xp.shape != fp.shape:
        raise ValueError("fp and xp are not of the same length.")
    if xp.size == 0:
        raise ValueError("array of sample points is empty")
    xp, fp = xp.astype(np.float64), contiguous(fp.astype(dtype))
    at = contiguous(x.astype(np.float64))
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        left = right = None
        period = abs(period)
        at, xp = at % period, xp % period
        order = gs.argsort(xp, stable=True)
        xp, fp = gs.take(xp, order), gs.take(fp, order)
        xp = gs.concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = gs.concatenate([fp[-1:], fp, fp[:1]])
    ends = [fp[:1] if left is None else left, fp[-1:] if right is None else right]
    if any(isinstance(e, ndarray) for e in ends):
        ends = [e if isinstance(e, ndarray) else gs.full(1, e, dtype, device=at.device) for e in ends]
        ends = gs.concatenate([e.reshape(1) for e in ends]).astype(dtype, copy=False)
    else:
        ends = constant(np.array(ends, dtype), at.device)
    y = new(at.shape, dtype, at.device)
    interpolate(at.size, (dtype,), at, contiguous(xp), fp, ends, y, xp.size)
    return y


def _lines(a, v, name):
    device = next((z.device for z in (a, v) if isinstance(z, ndarray)), None)
    a, v = (z if z.ndim else z.reshape(1) for z in (to_device_array(a, device), to_device_array(v, device)))
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(f"object too deep for desired array: {name} takes 1-d arrays")
    if not a.size:
        raise ValueError("a cannot be empty")
    if not v.size:
        raise ValueError("v cannot be empty")
    dtype = np.result_type(a.dtype, v.dtype)
    return contiguous(a.astype(dtype, copy=False)), contiguous(v.astype(dtype, copy=False))


def _modes(mode):
    modes = {"valid": 0, "same": 1, "full": 2, 0: 0, 1: 1, 2: 2}
    if mode not in modes:
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    return modes[mode]


def _convolve(a, v, mode):
    """Convolution of lines with len(a) >= len(v)."""
    n, m = a.size, v.size
    first, size = {0: (m - 1, n - m + 1), 1: ((m - 1) // 2, n), 2: (0, n + m - 1)}[mode]
    y = new((size,), a.dtype, a.device)
    convolve_lines(size, (a.dtype,), a, v, y, n, m, first)
    return y


@numpy_like
def convolve(a, v, mode="full"):
    """As `numpy.convolve`, by direct sums."""
    a, v = _lines(a, v, "convolve")
    return _convolve(v, a, _modes(mode)) if v.size > a.size else _convolve(a, v, _modes(mode))


@numpy_like
def correlate(a, v, mode="valid"):
    """As `numpy.correlate`, by direct sums."""
    import gpusci as gs

    a, v = _lines(a, v, "correlate")
    mode, v = _modes(mode), gs.conjugate(v) if v.dtype.kind == "c" else v
    if v.size <= a.size:
        return _convolve(a, contiguous(v[::-1]), mode)
    return contiguous(_convolve(v, contiguous(a[::-1]), mode)[::-1])


@numpy_like
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """As `numpy.cov`; with weights it waits for the GPU to check them."""
    import gpusci as gs

    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    m = to_device_array(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    y = None if y is None else to_device_array(y, m.device)
    if y is not None and y.ndim > 2:
        raise ValueError("y has more than 2 dimensions")
    if dtype is None:
        dtype = np.result_type(m.dtype, np.float64 if y is None else np.promote_types(y.dtype, np.float64))
    x = gs.atleast_2d(m).astype(dtype)
    x = x if rowvar or m.ndim == 1 else x.T
    if x.shape[0] == 0:
        return gs.zeros((0, 0), dtype, device=m.device)
    if y is not None:
        y = gs.atleast_2d(y).astype(dtype)
        x = gs.concatenate([x, y.T if not rowvar and y.shape[0] != 1 else y], axis=0)
    ddof = (0 if bias else 1) if ddof is None else ddof
    w = _cov_weights(fweights, aweights, x)
    total = float(x.shape[1]) if w is None else float(gs.sum(w))
    mean = gs.average(x, axis=1, weights=w)
    if w is None:
        fact = x.shape[1] - ddof
    elif ddof == 0:
        fact = total
    elif aweights is None:
        fact = total - ddof
    else:
        fact = total - ddof * float(gs.sum(w * to_device_array(aweights, x.device))) / total
    if fact <= 0:
        warn("Degrees of freedom <= 0 for slice", RuntimeWarning)
        fact = 0.0
    x = x - mean[:, None]
    right = x if w is None else x * w
    c = gs.matmul(x, gs.conjugate(right.T))
    return gs.squeeze(gs.divide(c, fact))


def _cov_weights(fweights, aweights, x):
    import gpusci as gs

    w = None
    if fweights is not None:
        f = to_device_array(fweights, x.device).astype(np.float64)
        if f.ndim > 1:
            raise RuntimeError("cannot handle multidimensional fweights")
        if f.shape[0] != x.shape[1]:
            raise RuntimeError("incompatible numbers of samples and fweights")
        if bool(gs.any(f != gs.rint(f))):
            raise TypeError("fweights must be integer")
        if bool(gs.any(f < 0)):
            raise ValueError("fweights cannot be negative")
        w = f
    if aweights is not None:
        a = to_device_array(aweights, x.device).astype(np.float64)
        if a.ndim > 1:
            raise RuntimeError("cannot handle multidimensional aweights")
        if a.shape[0] != x.shape[1]:
            raise RuntimeError("incompatible numbers of samples and aweights")
        if bool(gs.any(a < 0)):
            raise ValueError("aweights cannot be negative")
        w = a if w is None else w * a
    return w


@numpy_like
def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """As `numpy.corrcoef`."""
    import gpusci as gs

    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    scale = gs.sqrt(gs.real(gs.diagonal(c)))
    c = c / scale[:, None] / scale[None, :]
    if c.dtype.kind == "c":
        return gs.clip(c.real, -1, 1) + 1j * gs.clip(c.imag, -1, 1)
    return gs.clip(c, -1, 1)
