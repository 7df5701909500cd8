"""Factorisations: LU, Cholesky, QR, singular values; what follows from them directly."""

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.core.callers import warn
from gpusci.core.libraries import scipy_since, solver
from gpusci.linalg import _kernels
from gpusci.linalg._arguments import (
    Solution,
    adjoint,
    factored,
    finite,
    inexact,
    matrix,
    own_columns,
    own_rows,
    real_of,
    square,
    stack,
    triangle,
)  # fmt: skip
from gpusci.linalg._basic import _by_cholesky, _cholesky, _stack_pivots
from gpusci.linalg._on_host import qr as qr_on_host
from gpusci.linalg._scipy import NOT_GIVEN, scipy_first, warned_of


# ---- LU
def _rows_of(pivots, m):
    """Row permutations and their inverses from LAPACK's exchanges."""
    shape = (*pivots.shape[:-1], m)
    rows, place = (gs.empty(shape, np.int64, device=pivots.device) for _ in range(2))
    _kernels.pivots_to_rows(rows.size // max(m, 1), (pivots.dtype,), pivots, rows, place, m, pivots.shape[-1])
    return rows, place


def _shifted(pivots, dtype, by):
    out = new(pivots.shape, dtype, pivots.device)
    _kernels.shift_pivots(out.size, (pivots.dtype, out.dtype), pivots, out, by)
    return out


@scipy_first("scipy.linalg", "a")
def lu_factor(a, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.lu_factor`. On a GPU there is no warning about a singular matrix."""
    lu = own_columns(matrix(a), inexact(a), check_finite, overwrite_a)
    pivots, _ = solver.getrf(lu)
    return lu, _shifted(pivots, np.int32, -1)


@scipy_first("scipy.linalg", "lu_and_piv*", "b")
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.lu_solve`."""
    lu, piv = lu_and_piv
    square(lu, "lu")
    if trans not in (0, 1, 2):
        raise ValueError(f"trans must be 0, 1 or 2, not {trans!r}")
    dtype = inexact(lu, b)
    sentence = f"Shapes of lu {lu.shape} and b {b.shape} are incompatible"
    solution = Solution(lu, b, dtype, check_finite, overwrite_b, sentence)
    lu = finite(solver.columns(lu, dtype, copy=False), check_finite)
    pivots = _stack_pivots(_shifted(gs.ascontiguousarray(piv), np.int64, 1), solution.batch)
    solver.getrs(stack(lu, solution.batch), pivots, solution.x, "NTC"[trans])
    return solution.result()


@scipy_first("scipy.linalg", "a")
def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """As `scipy.linalg.lu`."""
    m, n = matrix(a).shape[-2:]
    k, dtype = min(m, n), inexact(a)
    f = own_columns(a, dtype, check_finite)
    pivots, _ = solver.getrf(f)
    _, place = _rows_of(pivots, m)
    if not a.size:  # as SciPy: a permutation of no rows
        place, m = place[..., :0], 0
    lower, upper = triangle(f[..., :, :k], True, unit=True), triangle(f[..., :k, :], False)
    if permute_l:
        return lower if not a.size else gs.take_along_axis(lower, place[..., None], axis=-2), upper
    if p_indices:
        return place.astype(np.int32), lower, upper
    p = new((*place.shape, m), real_of(dtype), a.device)
    _kernels.permutation(p.size, (p.dtype,), place, p, m)
    return p, lower, upper


# ---- Cholesky
NOT_SQUARE = "Expected a square matrix or batch thereof"


@scipy_first("scipy.linalg", "a")
def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.cholesky` (upper by default, unlike NumPy's). On a GPU a matrix that is not positive definite is
    reported at the next wait."""
    a = gs.atleast_2d(a) if a.ndim < 2 else a
    c = _cholesky(square(a, sentence=NOT_SQUARE), lower, inexact(a), check_finite, overwrite_a)
    clean = triangle(c, lower)
    if c is not a:
        return clean
    a[...] = clean
    return a


@scipy_first("scipy.linalg", "a")
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.cho_factor`; errors as `cholesky`. A stack's flags are a NumPy array."""
    a = gs.atleast_2d(a) if a.ndim < 2 else a
    c = _cholesky(square(a, sentence=NOT_SQUARE), lower, inexact(a), check_finite, overwrite_a)
    return c, lower if a.ndim == 2 else np.full(a.shape[:-2], lower)


def _cho_solve_on_host(theirs, c, b, lower, overwrite_b, check_finite):
    return theirs((c, lower), b, overwrite_b, check_finite)


@scipy_first("scipy.linalg", "c", "b", name="cho_solve", run=_cho_solve_on_host)
def _cho_solve(c, b, lower, overwrite_b, check_finite):
    square(c, "c", "The factored matrix c is not square")
    dtype = inexact(c, b)
    solution = Solution(c, b, dtype, check_finite, overwrite_b, f"incompatible dimensions ({c.shape} and {b.shape})")
    c = finite(c.astype(dtype, copy=False), check_finite)
    _by_cholesky(stack(c, solution.batch), lower, solution.x)
    return solution.result()


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.cho_solve`."""
    c, lower = c_and_lower
    if type(lower) is not bool:  # a stack's factor has a flag for each matrix
        lower = bool(np.all(lower))
    return _cho_solve(c, b, lower, overwrite_b, check_finite)


cho_solve.gpusci_status = "library"


# ---- QR
@scipy_first("scipy.linalg", "a")
def qr(a, overwrite_a=False, lwork=NOT_GIVEN, mode="full", pivoting=False, check_finite=True):
    """As `scipy.linalg.qr`. With pivoting the work is done on the host (a round trip from a GPU): no GPU library has it.
    `overwrite_a` saves memory for a matrix in Fortran order."""
    if mode not in ("full", "qr", "r", "economic", "raw"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic', 'raw']")
    m, n = matrix(a, sentence="Expected at least a 2-D array").shape[-2:]
    _check_lwork(lwork, m, n)
    if pivoting:
        return qr_on_host(warned_of(a), overwrite_a, mode=mode, pivoting=True, check_finite=check_finite)
    k, dtype = min(m, n), inexact(a)
    f = own_columns(a, dtype, check_finite, overwrite_a)
    tau, _ = solver.geqrf(f)
    if mode == "r":
        r = _cut(f, a)
        return (r,) if a.ndim == 2 or scipy_since(1, 18) else r
    if mode == "raw":
        return (f, tau), triangle(f[..., :k, :], False)
    if mode == "economic":
        r = triangle(f[..., :k, :], False)
        return solver.orgqr(f if n == k else solver.columns(f[..., :k]), tau), r
    q = solver.columns(gs.empty((*a.shape[:-2], m, m), dtype, device=a.device))
    q[..., :k] = f[..., :k]
    q[..., k:] = 0
    return _orthogonal(q, tau), _cut(f, a)


def _check_lwork(lwork, m, n):
    """The size of a workspace, which a GPU finds by itself: SciPy 1.17 takes what LAPACK takes, 1.18 tells not to give it."""
    if lwork is NOT_GIVEN:
        return
    most = m if scipy_since(1, 18) else max(n, 1) - 1  # of what is too small
    if lwork not in (None, -1) and (lwork if scipy_since(1, 18) else int(lwork)) <= most:
        raise ValueError(f"lwork should be None, -1 or > {most}, got {lwork}: leave it out")
    if scipy_since(1, 18):
        warn("scipy.linalg: the `lwork` keyword is deprecated and no longer in use: leave it out", DeprecationWarning)


def _cut(f, a):
    """The triangle of `f`, in its memory where that is `a`'s."""
    r = triangle(f, False)
    if f is not a:
        return r
    a[...] = r
    return a


def _orthogonal(q, tau):
    """Q in full, from the reflectors; of an empty matrix it is the identity."""
    if not tau.shape[-1]:
        q[...] = gs.eye(q.shape[-1], dtype=q.dtype, device=q.device)
    return solver.orgqr(q, tau)


def _multiply_on_host(theirs, a, c, *args, **kwargs):
    """SciPy 1.17 drops the imaginary part of c where a is real."""
    if not np.iscomplexobj(c) or np.iscomplexobj(a):
        return theirs(a, c, *args, **kwargs)
    a = np.asarray(a)
    product, r, *rest = theirs(a.astype(np.result_type(a, np.complex64)), c, *args, **kwargs)
    return (product, r.real, *rest)


@scipy_first("scipy.linalg", "a", "c", run=_multiply_on_host)
def qr_multiply(a, c, mode="right", pivoting=False, conjugate=False, overwrite_a=False, overwrite_c=False):
    """As `scipy.linalg.qr_multiply`, with Q formed; stacks of `a` and of `c` broadcast."""
    if mode not in ("left", "right"):
        raise ValueError(f"Mode argument can only be 'left' or 'right' but not '{mode}'")
    a = gs.atleast_2d(a)
    (m, n), left, vector = a.shape[-2:], mode == "left", c.ndim == 1
    c = (c[:, None] if left else c[None]) if vector else c
    rows = m if overwrite_c else min(m, n)
    if c.ndim < 2 or left and c.shape[-2] != rows:
        raise ValueError(f"Array shapes are not compatible for Q @ c operation: {a.shape} vs {c.shape}")
    if not left and c.shape[-1] != m:
        raise ValueError(f"Array shapes are not compatible for c @ Q operation: {c.shape} vs {a.shape}")
    q, r, *rest = qr(a, overwrite_a, mode="full" if left and rows > min(m, n) else "economic", pivoting=pivoting)
    q, c = gs.conj(q) if conjugate else q, finite(c)
    if not c.size:
        out = c.copy()
    else:
        out = gs.matmul(q, c) if left else gs.matmul(c, q)
    if vector:
        out = out.reshape(*out.shape[:-2], -1)
    return (out, r[..., : min(m, n), :], *rest)


# ---- singular values
@scipy_first("scipy.linalg", "a")
def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    """As `scipy.linalg.svd`; both drivers are cuSOLVER's QR iteration on a GPU."""
    if not isinstance(lapack_driver, str):
        raise TypeError("lapack_driver must be a string")
    if lapack_driver not in ("gesdd", "gesvd"):
        raise ValueError(f'lapack_driver must be "gesdd" or "gesvd", not "{lapack_driver}"')
    m, n = matrix(a).shape[-2:]
    dtype, vectors = inexact(a), ("A" if full_matrices else "S") if compute_uv else "N"
    if not min(m, n):
        return _svd_of_nothing(a, dtype, vectors)
    if m >= n:
        u, s, vh, info = solver.gesvd(own_columns(a, dtype, check_finite, overwrite_a), vectors)
    else:  # of the adjoint, whose columns are the rows of conj(a)
        rows = own_rows(gs.conj(a) if dtype.kind == "c" else a, dtype, check_finite)
        u, s, vh, info = solver.gesvd(rows.mT, vectors)
        if compute_uv:
            u, vh = adjoint(vh), adjoint(u)
    factored(info, _kernels.no_convergence)
    return (u, s, vh) if compute_uv else s


def _svd_of_nothing(a, dtype, vectors):
    """Of matrices without rows or without columns: no singular values, and any orthogonal vectors, such as the axes."""
    batch, (m, n) = a.shape[:-2], a.shape[-2:]
    s = gs.empty((*batch, 0), real_of(dtype), device=a.device)
    if vectors == "N":
        return s
    shapes = ((m, m), (n, n)) if vectors == "A" else ((m, 0), (0, n))
    u, vh = (gs.broadcast_to(gs.eye(*shape, dtype=dtype, device=a.device), (*batch, *shape)).copy() for shape in shapes)
    return u, s, vh


@scipy_first("scipy.linalg", "a")
def svdvals(a, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.svdvals`."""
    return svd(a, compute_uv=False, overwrite_a=overwrite_a, check_finite=check_finite)


@scipy_first("scipy.linalg", "s")
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


@scipy_first("scipy.linalg", "A")
def orth(A, rcond=None):
    """As `scipy.linalg.orth`. Waits for the GPU: the rank is the result's width."""
    u, _, rank = _split(A, rcond, full_matrices=False)
    return u[..., :rank]


@scipy_first("scipy.linalg", "A")
def null_space(A, rcond=None, *, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    """As `scipy.linalg.null_space`. Waits for the GPU: the rank is the result's width."""
    _, vh, rank = _split(A, rcond, check_finite, overwrite_a=overwrite_a, lapack_driver=lapack_driver)
    return adjoint(vh[..., rank:, :])


@scipy_first("scipy.linalg", "a")
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


@scipy_first("scipy.linalg", "A", "B")
def orthogonal_procrustes(A, B, check_finite=True):
    """As `scipy.linalg.orthogonal_procrustes`."""
    if A.ndim < 2 or B.ndim < 2:
        raise ValueError(f"expected ndim to be 2, but observed {A.ndim} and {B.ndim}")
    if A.shape[-2:] != B.shape[-2:]:
        raise ValueError(f"the shapes of A and B differ ({A.shape} vs {B.shape})")
    u, w, vh = svd(gs.matmul(adjoint(finite(A, check_finite)), finite(B, check_finite)), check_finite=False)
    return gs.matmul(u, vh), gs.sum(w, axis=-1)
