"""Norms and condition numbers."""

import numpy as np

import gpusci as gs
from gpusci.core import Functor
from gpusci.core.args import normalize_axis
from gpusci.core.libraries.host import host_first
from gpusci.core.reduction import reduce_array
from gpusci.linalg import _norms_on_host
from gpusci.linalg._arguments import finite, inexact, real_of, widened
from gpusci.linalg._basic import inverse
from gpusci.linalg._scipy import scipy_first

EUCLIDEAN = Functor("euclidean_acc", "linalg/kernels/norms.h")


@scipy_first("scipy.linalg", "a", library=False, run=_norms_on_host.norm)
def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    """As `scipy.linalg.norm` and `numpy.linalg.norm`: of vectors or matrices along one or two axes."""
    a = finite(a, check_finite)
    if a.dtype.kind not in "fc":
        a = a.astype(np.float64)
    result = _norm(a, ord, axis, keepdims)
    # Where SciPy asks BLAS or LAPACK the result is a float64 of single precision.
    lapack = (a.ndim == 1 and ord in (None, 2)) or (
        a.ndim == 2 and ord in (1, np.inf) and a.flags.c_contiguous != a.flags.f_contiguous
    )
    return result.astype(np.float64) if lapack and axis is None and not keepdims and a.size and a.dtype.char in "fF" else result


def _norm(a, ord, axis, keepdims):
    if axis is None:
        if ord is None or (ord in ("f", "fro") and a.ndim == 2) or (ord == 2 and a.ndim == 1):
            return _euclidean(a, None, keepdims)
        axis = tuple(range(a.ndim))
    axes = (axis,) if hasattr(axis, "__index__") else tuple(axis)
    axes = tuple(normalize_axis(i, a.ndim) for i in axes)
    if len(axes) == 1:
        return _vector(a, ord, axes[0], keepdims)
    if len(axes) == 2:
        if axes[0] == axes[1]:
            raise ValueError("Duplicate axes given.")
        return _matrix(a, ord, axes, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def _euclidean(a, axes, keepdims):
    axes = tuple(range(a.ndim)) if axes is None else (axes,) if isinstance(axes, int) else axes
    out = reduce_array(EUCLIDEAN, a, axes, a.dtype, np.dtype(a.dtype.char.lower()))
    return out.reshape([1 if i in axes else n for i, n in enumerate(a.shape)]) if keepdims else out


def _vector(a, ord, axis, keepdims):
    kw = {"axis": axis, "keepdims": keepdims}
    if ord is None or ord == 2:
        return _euclidean(a, axis, keepdims)
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    size = gs.abs(a)
    if ord == np.inf:
        return gs.max(size, initial=0.0, **kw)
    if ord == -np.inf:
        return gs.min(size, **kw)
    if ord == 0:
        return gs.sum((a != 0).astype(size.dtype), **kw)
    if ord == 1:
        return gs.sum(size, **kw)
    size = size.astype(np.float32) if size.dtype.char == "e" else size
    top = gs.max(size, axis, keepdims=True, initial=0.0) if ord > 0 else gs.min(size, axis, keepdims=True, initial=np.inf)
    top = gs.where((top > 0) & (top < np.inf), top, 1)  # powers of what is relative to it stay in range
    out = gs.sum((size / top) ** ord, axis, keepdims=True) ** (1 / ord) * top
    return (out if keepdims else gs.squeeze(out, axis)).astype(a.real.dtype, copy=False)


def _matrix(a, ord, axes, keepdims):
    rows, columns = axes
    if ord in (None, "fro", "f"):
        return _euclidean(a, axes, keepdims)
    if ord in (2, -2, "nuc"):
        s = gs.linalg.svdvals(gs.moveaxis(a, axes, (-2, -1)), check_finite=False)
        out = gs.sum(s, axis=-1) if ord == "nuc" else gs.max(s, axis=-1, initial=0.0) if ord == 2 else gs.min(s, axis=-1)
        return gs.expand_dims(out, tuple(sorted(axes))) if keepdims else out
    if ord not in (1, -1, np.inf, -np.inf):
        raise ValueError("Invalid norm order for matrices.")
    summed, kept = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = gs.sum(gs.abs(a), axis=summed, keepdims=True)
    out = gs.max(sums, axis=kept, keepdims=True, initial=0.0) if ord > 0 else gs.min(sums, axis=kept, keepdims=True)
    return out if keepdims else gs.squeeze(out, axes)


@host_first("numpy.linalg", "x", library=False, run=_norms_on_host.matrix_norm)
def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """As `numpy.linalg.matrix_norm`."""
    return norm(x, ord, (-2, -1), keepdims, check_finite=False)


@host_first("numpy.linalg", "x", library=False, run=_norms_on_host.vector_norm)
def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """As `numpy.linalg.vector_norm`."""
    shape = list(x.shape)
    if axis is None:
        out = norm(x.ravel(), ord, 0, False, check_finite=False)
        return out.reshape((1,) * x.ndim) if keepdims else out
    if hasattr(axis, "__index__"):
        return norm(x, ord, axis, keepdims, check_finite=False)
    axes = [normalize_axis(i, x.ndim) for i in axis]
    rest = [i for i in range(x.ndim) if i not in axes]
    flat = gs.transpose(x, (*axes, *rest)).reshape(-1, *(shape[i] for i in rest))
    out = norm(flat, ord, 0, False, check_finite=False)
    return gs.expand_dims(out, tuple(sorted(axes))) if keepdims else out


@host_first("numpy.linalg", "x", library=False)
def cond(x, p=None):
    """As `numpy.linalg.cond`."""
    if x.ndim < 2:
        raise np.linalg.LinAlgError(f"{x.ndim}-dimensional array given. Array must be at least two-dimensional")
    if 0 in x.shape[-2:]:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    x = widened(x)
    if p is None or p in (2, -2):
        s = gs.linalg.svdvals(x, check_finite=False)
        out = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        out = _cond_by_inverse(x, p)
    unknown = gs.isnan(out) & ~gs.any(gs.isnan(x), axis=(-2, -1))
    return gs.where(unknown, np.inf, out)


def _cond_by_inverse(x, p):
    if x.shape[-1] != x.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if not x.size:
        return gs.zeros(x.shape[:-2], real_of(inexact(x)), device=x.device)
    y, info, _ = inverse(x, inexact(x), False)
    singular = info.reshape(x.shape[:-2]) != 0
    y = gs.where(singular[..., None, None], 0, y)
    out = norm(x, p, (-2, -1), check_finite=False) * norm(y, p, (-2, -1), check_finite=False)
    return gs.where(singular, np.inf, out)
