"""Linear systems: general, triangular, circulant and Toeplitz; inverses, determinants, least squares."""

from typing import NamedTuple

import numpy as np

import gpusci as gs
from gpusci.core.libraries import blas, solver
from gpusci.core.libraries.host import host_first
from gpusci.linalg import _kernels
from gpusci.linalg._arguments import (
    adjoint,
    diagonal,
    factored,
    finite,
    hermitian,
    inexact,
    matrix,
    own_columns,
    own_rows,
    real_of,
    right_side,
    square,
)  # fmt: skip

STRUCTURES = {
    None: "gen", "gen": "gen", "general": "gen", "banded": "gen", "tridiagonal": "tridiagonal", "diagonal": "diagonal",
    "sym": "sym", "symmetric": "sym", "her": "her", "hermitian": "her", "pos": "pos", "positive definite": "pos",
    "upper triangular": "upper", "lower triangular": "lower",
}  # fmt: skip
DRIVERS = (None, "gelsd", "gelsy", "gelss")


def _structure(assume_a):
    if assume_a not in STRUCTURES:
        raise ValueError(
            f"{assume_a} is not a recognized matrix structure; use one of {', '.join(filter(None, STRUCTURES))}"
        )
    return STRUCTURES[assume_a]


@host_first("scipy.linalg", "a", "b")
def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    """As `scipy.linalg.solve`. On a GPU a singular matrix is reported at the next wait, and there is no warning about an
    ill-conditioned one."""
    kind, a = _structure(assume_a), square(gs.atleast_2d(a))
    if a.ndim == 2 and a.size == 1 and 0 < b.ndim < 3 and b.shape[0] != 1:  # as SciPy: one equation for each number of b
        return solve(a, b.reshape(1, -1), lower, check_finite=check_finite, assume_a=assume_a).reshape(b.shape)
    b, vector = right_side(a, b)
    dtype = inexact(a, b, small="e")
    if transposed and dtype.kind == "c":
        raise NotImplementedError("scipy.linalg.solve takes transposed=True for real matrices only; pass a.T instead")
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = own_columns(gs.broadcast_to(b, (*batch, *b.shape[-2:])), dtype, check_finite)
    if not x.size:
        return x[..., 0] if vector else x
    if kind == "diagonal":
        d = finite(diagonal(a).astype(dtype), check_finite)
        _kernels.check_nonzero(d.size, (dtype,), gs.ascontiguousarray(d))
        x = x / d[..., None]
    elif kind in ("upper", "lower"):
        t = own_rows(a, dtype, check_finite)
        _nonzero_diagonal(t)
        blas.trsm(_stack(t, batch), x, lower=kind == "lower", trans="T" if transposed else "N")
    elif kind == "pos":
        c, _ = _cholesky(a, lower, dtype, check_finite)
        _by_cholesky(_stack(c, batch), lower, x)
    else:
        if kind != "gen":
            a = hermitian(a, lower) if kind == "her" else _symmetric(a, lower) if kind == "sym" else gs.triu(gs.tril(a, 1), -1)
        lu = own_rows(a, dtype, check_finite)
        pivots, info = solver.getrf(lu.mT)  # of the transpose, which is what column order sees
        factored(info, _kernels.singular)
        solver.getrs(_stack(lu.mT, batch), _stack_pivots(pivots, batch), x, "N" if transposed else "T")
    return x[..., 0] if vector else x


def _symmetric(a, lower):
    return gs.tril(a) + gs.tril(a, -1).mT if lower else gs.triu(a) + gs.triu(a, 1).mT


def _stack(a, batch):
    return a if a.shape[:-2] == batch else gs.broadcast_to(a, (*batch, *a.shape[-2:]))


def _stack_pivots(pivots, batch):
    if pivots.shape[:-1] == batch:
        return pivots
    return gs.ascontiguousarray(gs.broadcast_to(pivots, (*batch, pivots.shape[-1])))


def _nonzero_diagonal(a):
    d = gs.ascontiguousarray(diagonal(a))
    _kernels.check_nonzero(d.size, (d.dtype,), d)


def _cholesky(a, lower, dtype, check_finite):
    """(factor in one triangle, the other as it was; C order). The transposed matrix has the other triangle."""
    c = own_rows(a, dtype, check_finite)
    info = solver.potrf(c.mT, not lower)
    factored(info, _kernels.not_definite)
    return c, info


def _by_cholesky(c, lower, x):
    blas.trsm(c, x, lower=lower, trans="N" if lower else "C")
    blas.trsm(c, x, lower=lower, trans="C" if lower else "N")
    return x


@host_first("scipy.linalg", "a", "b")
def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.solve_triangular`. On a GPU a zero on the diagonal is reported at the next wait."""
    square(a)
    op = {0: "N", 1: "T", 2: "C"}.get(trans, trans)
    if op not in ("N", "T", "C"):
        raise ValueError(f"trans must be 0, 1, 2, 'N', 'T' or 'C', not {trans!r}")
    b, vector = right_side(a, b)
    dtype = inexact(a, b)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = own_columns(gs.broadcast_to(b, (*batch, *b.shape[-2:])), dtype, check_finite)
    t = finite(a.astype(dtype, copy=False), check_finite)
    if not unit_diagonal:
        _nonzero_diagonal(t)
    blas.trsm(_stack(t, batch), x, lower=lower, trans=op, unit_diagonal=unit_diagonal)
    return x[..., 0] if vector else x


@host_first("scipy.linalg", "a")
def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    """As `scipy.linalg.inv`. On a GPU a singular matrix is reported at the next wait."""
    n, dtype = square(a).shape[-1], inexact(a)
    if _structure(assume_a) != "gen":
        eye = gs.broadcast_to(gs.eye(n, dtype=dtype, device=a.device), a.shape)
        return solve(a.astype(dtype), eye, lower=lower, check_finite=check_finite, assume_a=assume_a)
    lu = own_rows(a, dtype, check_finite)
    pivots, info = solver.getrf(lu.mT)
    factored(info, _kernels.singular)
    x = gs.empty(a.shape, dtype, device=a.device)
    x[...] = gs.eye(n, dtype=dtype, device=a.device)
    return solver.getrs(lu.mT, pivots, x.mT).mT  # the inverse of the transpose, transposed


def _log_or_product(a, check_finite):
    """(diagonal of U, sign of the row exchanges) of square matrices."""
    lu = own_rows(a, inexact(a), check_finite)
    pivots, _ = solver.getrf(lu.mT)
    d = diagonal(lu)
    wide = d.astype(np.result_type(d.dtype, np.float64))
    swaps = gs.sum(pivots != gs.arange(1, pivots.shape[-1] + 1, device=a.device), axis=-1)
    return wide, 1.0 - 2.0 * (swaps % 2)


@host_first("scipy.linalg", "a")
def det(a, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.det`: float64 or complex128 for every input."""
    if matrix(a).shape[-1] != a.shape[-2]:
        raise ValueError(f"Last 2 dimensions of the array must be square but received shape {a.shape}.")
    d, sign = _log_or_product(a, check_finite)
    return gs.prod(d, axis=-1) * sign


class SlogdetResult(NamedTuple):
    sign: object
    logabsdet: object


@host_first("numpy.linalg", "a")
def slogdet(a):
    """As `numpy.linalg.slogdet`: (sign, log of the absolute determinant)."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    d, sign = _log_or_product(a, False)
    dtype = inexact(a)
    size = gs.abs(d)
    unit = gs.where(size == 0, gs.zeros_like(d), d / gs.where(size == 0, 1.0, size))
    parts = gs.prod(unit, axis=-1) * sign, gs.sum(gs.log(size), axis=-1)
    return SlogdetResult(parts[0].astype(dtype), parts[1].astype(real_of(dtype)))


@host_first("scipy.linalg", "a", "b")
def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    """As `scipy.linalg.lstsq`, by the singular value decomposition with every driver. Waits for the GPU: the rank decides
    what is returned."""
    matrix(a)
    if lapack_driver not in DRIVERS:
        raise ValueError(f'LAPACK driver "{lapack_driver}" is not found; use gelsd, gelss or gelsy')
    b, vector = right_side(a, b)
    if a.ndim > 2 or b.ndim > 2:
        return _lstsq_stack(a, b, vector, cond, check_finite, lapack_driver)
    (m, n), dtype = a.shape, inexact(a, b)
    if not a.size or not b.shape[1]:
        x, none = gs.zeros((n, b.shape[1]), dtype, device=a.device), gs.empty((0,), device=a.device)
        residues = none if n else gs.linalg.norm(b.astype(dtype), axis=0) ** 2
        residues = residues[0] if vector and not n else residues
        return (x[:, 0] if vector else x), residues, 0, none
    a, b = finite(a.astype(dtype), check_finite), finite(b.astype(dtype), check_finite)
    u, s, vh = gs.linalg.svd(a, full_matrices=False, check_finite=False)
    cutoff = (np.finfo(dtype).eps if cond is None or cond < 0 else float(cond)) * s[:1]
    kept = s > cutoff
    weights = gs.where(kept, 1 / gs.where(kept, s, 1), 0).astype(real_of(dtype))
    x = gs.matmul(adjoint(vh), weights[:, None] * gs.matmul(adjoint(u), b))
    rank = int(gs.sum(kept))
    residues = gs.empty((0,), dtype, device=a.device)
    if rank == n and m > n:
        residues = gs.sum(gs.abs(b - gs.matmul(a, x)) ** 2, axis=0)
        residues = residues[0] if vector else residues
    return (x[:, 0] if vector else x), residues, rank, None if lapack_driver == "gelsy" else s


def _lstsq_stack(a, b, vector, cond, check_finite, driver):
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = _stack(a, batch), _stack(b, batch)
    parts = []
    for i in np.ndindex(batch):
        parts.append(lstsq(a[i], b[i][:, 0] if vector else b[i], cond, check_finite=check_finite, lapack_driver=driver))
    x, residues, rank, s = zip(*parts)
    stacked = [gs.stack(p).reshape(*batch, *p[0].shape) if p[0] is not None else None for p in (x, residues, s)]
    return stacked[0], stacked[1], gs.asarray(np.reshape(rank, batch), device=a.device), stacked[2]


def _cutoff(top, atol, rtol, default):
    atol = 0.0 if atol is None else atol
    rtol = default if rtol is None else rtol
    if atol < 0 or rtol < 0:
        raise ValueError("atol and rtol values must be positive.")
    return atol + top * rtol


@host_first("scipy.linalg", "a")
def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """As `scipy.linalg.pinv`; the rank is a 0-d array, so that nothing waits."""
    matrix(a)
    u, s, vh = gs.linalg.svd(a, full_matrices=False, check_finite=check_finite)
    top = gs.max(s, axis=-1, keepdims=True, initial=0.0)
    kept = s > _cutoff(top, atol, rtol, max(a.shape[-2:]) * np.finfo(s.dtype).eps)
    weights = gs.where(kept, 1 / gs.where(kept, s, 1), 0).astype(s.dtype)
    b = gs.matmul(adjoint(vh) * weights[..., None, :], adjoint(u))
    return (b, gs.sum(kept, axis=-1)) if return_rank else b


@host_first("scipy.linalg", "a")
def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """As `scipy.linalg.pinvh`; the rank is a 0-d array, so that nothing waits."""
    w, v = gs.linalg.eigh(square(a), lower=lower, check_finite=check_finite)
    top = gs.max(gs.abs(w), axis=-1, keepdims=True, initial=0.0)
    kept = gs.abs(w) > _cutoff(top, atol, rtol, max(a.shape[-2:]) * np.finfo(w.dtype).eps)
    weights = gs.where(kept, 1 / gs.where(kept, w, 1), 0).astype(w.dtype)
    b = gs.matmul(v * weights[..., None, :], adjoint(v))
    return (b, gs.sum(kept, axis=-1)) if return_rank else b
