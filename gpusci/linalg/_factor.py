"""Factorisations: LU, Cholesky, QR, singular values; what follows from them directly."""

import functools

import numpy as np

import gpusci as gs
from gpusci.core.libraries import solver
from gpusci.core.libraries.host import host_first
from gpusci.linalg import _kernels
from gpusci.linalg._arguments import (
    adjoint,
    factored,
    finite,
    inexact,
    matrix,
    own_columns,
    own_rows,
    real_of,
    right_side,
    square,
)  # fmt: skip
from gpusci.linalg._basic import _by_cholesky, _cholesky, _stack, _stack_pivots
from gpusci.linalg._on_host import qr as qr_on_host


# ---- LU
def _rows_of(pivots, m):
    """Row permutations and their inverses from LAPACK's exchanges."""
    shape = (*pivots.shape[:-1], m)
    rows, place = (gs.empty(shape, np.int64, device=pivots.device) for _ in range(2))
    _kernels.pivots_to_rows(rows.size // max(m, 1), (pivots.dtype,), pivots, rows, place, m, pivots.shape[-1])
    return rows, place


@host_first("scipy.linalg", "a")
def lu_factor(a, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.lu_factor`. On a GPU there is no warning about a singular matrix."""
    lu = own_columns(matrix(a), inexact(a), check_finite)
    pivots, _ = solver.getrf(lu)
    return lu, (pivots - 1).astype(np.int32)


@host_first("scipy.linalg", "lu_and_piv*", "b")
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.lu_solve`."""
    lu, piv = lu_and_piv
    b, vector = right_side(square(lu, "lu"), b)
    if trans not in (0, 1, 2):
        raise ValueError(f"trans must be 0, 1 or 2, not {trans!r}")
    dtype = inexact(lu, b)
    batch = np.broadcast_shapes(lu.shape[:-2], b.shape[:-2])
    x = own_columns(gs.broadcast_to(b, (*batch, *b.shape[-2:])), dtype, check_finite)
    lu = finite(solver.columns(lu, dtype, copy=False), check_finite)
    solver.getrs(_stack(lu, batch), _stack_pivots(piv.astype(np.int64) + 1, batch), x, "NTC"[trans])
    return x[..., 0] if vector else x


@host_first("scipy.linalg", "a")
def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """As `scipy.linalg.lu`."""
    m, n = matrix(a).shape[-2:]
    k, dtype = min(m, n), inexact(a)
    f = own_columns(a, dtype, check_finite)
    pivots, _ = solver.getrf(f)
    _, place = _rows_of(pivots, m)
    lower = gs.tril(f[..., :, :k], -1) + gs.eye(m, k, dtype=dtype, device=a.device)
    upper = gs.triu(f[..., :k, :])
    if permute_l:
        return gs.take_along_axis(lower, place[..., None], axis=-2), upper
    if p_indices:
        return place.astype(np.int32), lower, upper
    p = (place[..., None] == gs.arange(m, device=a.device)).astype(real_of(dtype))
    return p, lower, upper


# ---- Cholesky
@host_first("scipy.linalg", "a")
def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.cholesky` (upper by default, unlike NumPy's). On a GPU a matrix that is not positive definite is
    reported at the next wait."""
    c, _ = _cholesky(square(a), lower, inexact(a), check_finite)
    return gs.tril(c) if lower else gs.triu(c)


@host_first("scipy.linalg", "a")
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.cho_factor`; errors as `cholesky`."""
    return _cholesky(square(a), lower, inexact(a), check_finite)[0], lower


def _cho_solve_on_host(theirs, c, b, lower, overwrite_b, check_finite):
    return theirs((c, lower), b, overwrite_b, check_finite)


@host_first("scipy.linalg", "c", "b", name="cho_solve", run=_cho_solve_on_host)
def _cho_solve(c, b, lower, overwrite_b, check_finite):
    b, vector = right_side(square(c, "c"), b)
    dtype = inexact(c, b)
    batch = np.broadcast_shapes(c.shape[:-2], b.shape[:-2])
    x = own_columns(gs.broadcast_to(b, (*batch, *b.shape[-2:])), dtype, check_finite)
    c = finite(c.astype(dtype, copy=False), check_finite)
    _by_cholesky(_stack(c, batch), lower, x)
    return x[..., 0] if vector else x


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.cho_solve`."""
    c, lower = c_and_lower
    if type(lower) is not bool:  # a stack's factor has a flag for each matrix
        lower = bool(np.all(lower))
    return _cho_solve(c, b, lower, overwrite_b, check_finite)


cho_solve.gpusci_status = "library"


# ---- QR
@functools.cache
def _tuples_of_stacks():
    """Whether SciPy's qr gives (r,) for a stack too, as it does from 1.18 on."""
    import scipy

    return tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 18)


@host_first("scipy.linalg", "a")
def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """As `scipy.linalg.qr`. With pivoting the work is done on the host (a round trip from a GPU): no GPU library has it."""
    if mode not in ("full", "qr", "r", "economic", "raw"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic', 'raw']")
    m, n = matrix(a).shape[-2:]
    if pivoting:
        return qr_on_host(a, mode=mode, pivoting=True, check_finite=check_finite)
    k, dtype = min(m, n), inexact(a)
    f = own_columns(a, dtype, check_finite)
    tau, _ = solver.geqrf(f)
    r = gs.triu(f[..., :k, :] if mode == "economic" or mode == "raw" else f)
    if mode == "r":
        return (r,) if a.ndim == 2 or _tuples_of_stacks() else r
    if mode == "raw":
        return (f, tau), r
    width = k if mode == "economic" else m
    q = solver.columns(gs.empty((*a.shape[:-2], m, width), dtype, device=a.device))
    q[..., :k] = f[..., :k]
    if width > k:
        q[..., k:] = 0
    return solver.orgqr(q, tau), r


@host_first("scipy.linalg", "a", "c")
def qr_multiply(a, c, mode="right", pivoting=False, conjugate=False, overwrite_a=False, overwrite_c=False):
    """As `scipy.linalg.qr_multiply`, with Q formed."""
    if mode not in ("left", "right"):
        raise ValueError(f"Mode argument can only be 'left' or 'right' but not '{mode}'")
    q, r, *rest = qr(a, mode="economic", pivoting=pivoting)
    vector, k = c.ndim == 1, q.shape[-1]
    c = (c[:, None] if mode == "left" else c[None]) if vector else c
    if mode == "left" and c.shape[0] != k:
        q = qr(a, mode="full", pivoting=pivoting)[0]
        if c.shape[0] != q.shape[1]:
            raise ValueError(f"Array shapes are not compatible for Q @ c operation: {q.shape} vs {c.shape}")
    q = gs.conj(q) if conjugate else q
    out = gs.matmul(q, c) if mode == "left" else gs.matmul(c, q)
    return (out.ravel() if vector else out, r, *rest)


# ---- singular values
@host_first("scipy.linalg", "a")
def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    """As `scipy.linalg.svd`; both drivers are cuSOLVER's QR iteration on a GPU."""
    if not isinstance(lapack_driver, str):
        raise TypeError("lapack_driver must be a string")
    if lapack_driver not in ("gesdd", "gesvd"):
        raise ValueError(f'lapack_driver must be "gesdd" or "gesvd", not "{lapack_driver}"')
    m, n = matrix(a).shape[-2:]
    dtype, vectors = inexact(a), ("A" if full_matrices else "S") if compute_uv else "N"
    if m >= n:
        u, s, vh, info = solver.gesvd(own_columns(a, dtype, check_finite), vectors)
    else:  # of the adjoint, whose columns are the rows of conj(a)
        rows = own_rows(gs.conj(a) if dtype.kind == "c" else a, dtype, check_finite)
        u, s, vh, info = solver.gesvd(rows.mT, vectors)
        if compute_uv:
            u, vh = adjoint(vh), adjoint(u)
    factored(info, _kernels.no_convergence)
    return (u, s, vh) if compute_uv else s


@host_first("scipy.linalg", "a")
def svdvals(a, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.svdvals`."""
    return svd(a, compute_uv=False, check_finite=check_finite)


@host_first("scipy.linalg", "s")
def diagsvd(s, M, N):
    """As `scipy.linalg.diagsvd`."""
    if s.shape[-1] not in (M, N):
        raise ValueError("Length of s must be M or N.")
    out = gs.zeros((*s.shape[:-1], M, N), s.dtype, device=s.device)
    k = np.arange(s.shape[-1])
    out[..., k, k] = s
    return out


def _split(a, rcond, check_finite=True, **kw):
    """(u, vh, rank); waits for the GPU, since the rank is a shape. Raises ValueError for a stack of several ranks."""
    u, s, vh = svd(a, check_finite=check_finite, **kw)
    rcond = np.finfo(s.dtype).eps * max(u.shape[-2], vh.shape[-1]) if rcond is None else rcond
    ranks = np.unique(gs.asnumpy(gs.sum(s > gs.max(s, axis=-1, keepdims=True, initial=0.0) * rcond, axis=-1)))
    if ranks.size != 1:
        raise ValueError(f"a stack's results must have one width, but its matrices have the ranks {ranks.tolist()}: take them one by one")
    return u, vh, int(ranks[0])


@host_first("scipy.linalg", "A")
def orth(A, rcond=None):
    """As `scipy.linalg.orth`. Waits for the GPU: the rank is the result's width."""
    u, _, rank = _split(A, rcond, full_matrices=False)
    return u[..., :rank]


@host_first("scipy.linalg", "A")
def null_space(A, rcond=None, *, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    """As `scipy.linalg.null_space`. Waits for the GPU: the rank is the result's width."""
    _, vh, rank = _split(A, rcond, check_finite, lapack_driver=lapack_driver)
    return adjoint(vh[..., rank:, :])


@host_first("scipy.linalg", "a")
def polar(a, side="right"):
    """As `scipy.linalg.polar`."""
    if side not in ("right", "left"):
        raise ValueError("`side` must be either 'right' or 'left'")
    if a.ndim < 2:
        raise ValueError("`a` must be a 2-D array.")
    w, s, vh = svd(a, full_matrices=False)
    s = s[..., None, :]
    p = gs.matmul(adjoint(vh) * s, vh) if side == "right" else gs.matmul(w * s, adjoint(w))
    return gs.matmul(w, vh), p


@host_first("scipy.linalg", "A", "B")
def orthogonal_procrustes(A, B, check_finite=True):
    """As `scipy.linalg.orthogonal_procrustes`."""
    if A.ndim < 2 or B.ndim < 2:
        raise ValueError(f"expected ndim to be 2, but observed {A.ndim} and {B.ndim}")
    if A.shape[-2:] != B.shape[-2:]:
        raise ValueError(f"the shapes of A and B differ ({A.shape} vs {B.shape})")
    u, w, vh = svd(gs.matmul(adjoint(finite(A, check_finite)), finite(B, check_finite)), check_finite=False)
    return gs.matmul(u, vh), gs.sum(w, axis=-1)
