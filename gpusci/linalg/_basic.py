"""Linear systems: general, triangular, circulant and Toeplitz; inverses, determinants, least squares."""

from typing import NamedTuple

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.core.libraries import blas, scipy_since, solver
from gpusci.core.libraries.host import host_first
from gpusci.linalg import _kernels
from gpusci.linalg._arguments import (
    Solution,
    adjoint,
    diagonal,
    factored,
    finite,
    hermitian,
    identities,
    inexact,
    matrix,
    nonzero_diagonal,
    own_either,
    own_rows,
    real_of,
    reciprocals,
    right_side,
    square,
    stack,
    symmetric,
    triangle,
    widened,
)  # fmt: skip
from gpusci.linalg._scipy import scipy_first

STRUCTURES = {
    None: "gen", "gen": "gen", "general": "gen", "banded": "gen", "tridiagonal": "tridiagonal", "diagonal": "diagonal",
    "sym": "sym", "symmetric": "sym", "her": "her", "hermitian": "her", "pos": "pos", "positive definite": "pos",
    "upper triangular": "upper", "lower triangular": "lower",
}  # fmt: skip
DRIVERS = (None, "gelsd", "gelsy", "gelss")


def _structure(assume_a, error=ValueError):
    if assume_a not in STRUCTURES:
        raise error(
            f"{assume_a} is not a recognized matrix structure; use one of {', '.join(filter(None, STRUCTURES))}"
        )
    return STRUCTURES[assume_a]


@scipy_first("scipy.linalg", "a", "b")
def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    """As `scipy.linalg.solve`. On a GPU a singular matrix is reported at the next wait, and there is no warning about an
    ill-conditioned one. `overwrite_a` saves memory for general matrices in Fortran order, `overwrite_b` for such right sides."""
    kind = _structure(assume_a)
    a, b = a if a.ndim > 1 else gs.atleast_2d(a), b if b.ndim else b.reshape(1)
    square(a, sentence="Expected square matrix")
    if a.ndim == 2 and a.size == 1 and 0 < b.ndim < 3 and b.shape[0] != 1:  # as SciPy: one equation for each number of b
        return solve(a, b.reshape(1, -1), lower, check_finite=check_finite, assume_a=assume_a).reshape(b.shape)
    dtype = inexact(a, b, small="e")
    if transposed and dtype.kind == "c":
        raise NotImplementedError(
            "scipy.linalg.solve can currently not solve a^T x = b or a^H x = b for complex matrices: pass a.T or a.conj().T instead"
        )
    solution = Solution(a, b, dtype, check_finite, overwrite_b)
    x, batch = solution.x, solution.batch
    if not x.size:
        return solution.result()
    if kind == "diagonal":
        d = finite(diagonal(a).astype(dtype), check_finite)
        nonzero_diagonal(d[..., None, None])
        x /= d[..., None]
    elif kind in ("upper", "lower"):
        t = own_rows(a, dtype, check_finite)
        nonzero_diagonal(t)
        blas.trsm(stack(t, batch), x, lower=kind == "lower", trans="T" if transposed else "N")
    elif kind == "pos":
        _by_cholesky(stack(_cholesky(a, lower, dtype, check_finite), batch), lower, x)
    else:
        if kind != "gen":
            a = _of_structure(a, kind, lower)
        _, lu, turned = own_either(a, dtype, check_finite, overwrite_a and a.flags.f_contiguous)
        pivots, info = solver.getrf(lu)
        factored(info, _kernels.singular)
        solver.getrs(stack(lu, batch), _stack_pivots(pivots, batch), x, "T" if turned != bool(transposed) else "N")
    return solution.result()


def _of_structure(a, kind, lower):
    if kind == "tridiagonal":
        return triangle(triangle(a, True, 1), False, -1)
    return hermitian(a, lower) if kind == "her" else symmetric(a, lower)


def _stack_pivots(pivots, batch):
    if pivots.shape[:-1] == batch:
        return pivots
    return gs.ascontiguousarray(gs.broadcast_to(pivots, (*batch, pivots.shape[-1])))


def _cholesky(a, lower, dtype, check_finite, overwrite=False):
    """The factor in one triangle, the other as it was. The transposed matrix has the other triangle."""
    c, by_columns, turned = own_either(a, dtype, check_finite, overwrite)
    factored(solver.potrf(by_columns, bool(lower) != turned), _kernels.not_definite)
    return c


def _by_cholesky(c, lower, x):
    blas.trsm(c, x, lower=lower, trans="N" if lower else "C")
    blas.trsm(c, x, lower=lower, trans="C" if lower else "N")
    return x


@scipy_first("scipy.linalg", "a", "b")
def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.solve_triangular`. On a GPU a zero on the diagonal is reported at the next wait."""
    square(a)
    op = {0: "N", 1: "T", 2: "C"}.get(trans, trans)
    if op not in ("N", "T", "C"):
        raise ValueError(f"trans must be 0, 1, 2, 'N', 'T' or 'C', not {trans!r}")
    dtype = inexact(a, b)
    solution = Solution(a, b, dtype, check_finite, overwrite_b, f"shapes of a {a.shape} and b {b.shape} are incompatible")
    t = finite(a.astype(dtype, copy=False), check_finite)
    if not unit_diagonal:
        nonzero_diagonal(t)
    blas.trsm(stack(t, solution.batch), solution.x, lower=lower, trans=op, unit_diagonal=unit_diagonal)
    return solution.result()


@scipy_first("scipy.linalg", "a")
def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    """As `scipy.linalg.inv`. On a GPU a singular matrix is reported at the next wait."""
    dtype = inexact(square(a, sentence="Expected square matrix"))
    if _structure(assume_a, KeyError) != "gen":
        return solve(a.astype(dtype), identities(a.shape, dtype, a.device), lower=lower, check_finite=check_finite, assume_a=assume_a)
    x, info, own = inverse(a, dtype, check_finite, overwrite_a)
    factored(info, _kernels.singular)
    if own is not a:
        return x
    a[...] = x
    return a


def inverse(a, dtype, check_finite, overwrite_a=False):
    """(inverses, LAPACK's info of each: not 0 where there is none; the memory that was worked in)."""
    own, lu, turned = own_either(a, dtype, check_finite, overwrite_a and a.flags.f_contiguous)
    pivots, info = solver.getrf(lu)
    x = identities(a.shape, dtype, a.device)
    solver.getrs(lu, pivots, x.mT, "N" if turned else "T")  # into columns: the transposed inverse
    return x, info, own


def _factors(a, check_finite, overwrite=False):
    """The diagonals of U, negative where rows were exchanged: the determinants are their products. float64 or complex128."""
    _, lu, _ = own_either(a, inexact(a), check_finite, overwrite)
    pivots, _ = solver.getrf(lu)
    d = new(a.shape[:-1], np.dtype("D" if lu.dtype.kind == "c" else "d"), a.device)
    _kernels.signed_diagonal(d.size, (lu.dtype, pivots.dtype, d.dtype), lu.mT, pivots, d, a.shape[-1])
    return d


@scipy_first("scipy.linalg", "a")
def det(a, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.det`: float64 or complex128 for every input."""
    if matrix(a, sentence="The input array must be at least two-dimensional").shape[-1] != a.shape[-2]:
        raise ValueError(f"Last 2 dimensions of the array must be square but received shape {a.shape}.")
    return gs.prod(_factors(a, check_finite, overwrite_a), axis=-1)


class SlogdetResult(NamedTuple):
    sign: object
    logabsdet: object


@host_first("numpy.linalg", "a")
def slogdet(a):
    """As `numpy.linalg.slogdet`: (sign, log of the absolute determinant)."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    a = widened(a)
    d, dtype = _factors(a, False), inexact(a)
    size = gs.abs(d)
    unit = gs.where(size == 0, gs.zeros_like(d), d / gs.where(size == 0, 1.0, size))
    parts = gs.prod(unit, axis=-1), gs.sum(gs.log(size), axis=-1)
    return SlogdetResult(parts[0].astype(dtype), parts[1].astype(real_of(dtype)))


@scipy_first("scipy.linalg", "a", "b")
def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    """As `scipy.linalg.lstsq`, by the singular value decomposition with every driver; stacks as from SciPy 1.18 on. Waits for
    the GPU where SciPy is older and `a` is one tall matrix: its rank decides whether there are residues."""
    matrix(a, sentence="Input array a should be at least 2D")
    if lapack_driver not in DRIVERS:
        raise ValueError(f'LAPACK driver "{lapack_driver}" is not found; use gelsd, gelss or gelsy')
    b, vector = right_side(a, b, "Shape mismatch: a and b should have the same number of rows")
    (m, n), dtype = a.shape[-2:], inexact(a, b)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    if not m or not n:
        return _lstsq_of_nothing(n, b, vector, batch, dtype)
    if not b.shape[-1] and not batch:
        none = gs.empty((0,), device=a.device)
        return gs.zeros((n, 0), dtype, device=a.device), none, 0, none
    b = finite(b.astype(dtype), check_finite)
    u, s, vh = gs.linalg.svd(
        finite(a.astype(dtype, copy=False), check_finite), full_matrices=False, overwrite_a=overwrite_a, check_finite=False
    )
    weights, kept = reciprocals(s, 0.0, np.finfo(dtype).eps if cond is None or cond < 0 else float(cond))
    in_u = gs.matmul(adjoint(u), b)
    x = gs.matmul(adjoint(vh), weights[..., None] * in_u)
    rank = gs.broadcast_to(gs.sum(kept, axis=-1), batch)
    missing = b - gs.matmul(u, in_u) if m > n and lapack_driver != "gelsy" else None
    residues = _residues(missing, rank, n, vector, batch, dtype, a.device)
    s = None if lapack_driver == "gelsy" else gs.broadcast_to(s, (*batch, *s.shape[-1:])).copy() if batch else s
    return (x[..., 0] if vector else x), residues, rank.copy() if batch else rank, s


def _lstsq_of_nothing(n, b, vector, batch, dtype):
    x = gs.zeros((*batch, n, b.shape[-1]), dtype, device=b.device)
    residues = gs.empty((*batch, 0), device=b.device) if n else gs.linalg.norm(b.astype(dtype), axis=-2) ** 2
    residues = residues[..., 0] if vector and not n else residues
    rank = gs.zeros(batch, np.int64, device=b.device) if batch else 0
    return (x[..., 0] if vector else x), residues, rank, gs.empty((*batch, 0), device=b.device)


def _residues(missing, rank, n, vector, batch, dtype, device):
    """Squared norms of what no solution reaches. SciPy has them for tall matrices of full rank, and else NaN (1.18) or nothing."""
    none = gs.empty((*batch, 0), dtype, device=device)
    if missing is None or not batch and not scipy_since(1, 18) and int(rank) < n:
        return none
    size = gs.sum(gs.abs(missing) ** 2, axis=-2)
    size = gs.where((rank == n)[..., None], size, np.nan).astype(dtype if scipy_since(1, 18) else size.dtype)
    return size[..., 0] if vector else size


def _weights(s, atol, rtol, shape):
    """Reciprocals of the values that a pseudo-inverse keeps, and which those are."""
    atol = 0.0 if atol is None else atol
    rtol = max(shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else rtol
    if atol < 0 or rtol < 0:
        raise ValueError("atol and rtol values must be positive.")
    return reciprocals(s, atol, rtol)


@scipy_first("scipy.linalg", "a")
def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """As `scipy.linalg.pinv`; the rank is a 0-d array, so that nothing waits."""
    matrix(a)
    u, s, vh = gs.linalg.svd(a, full_matrices=False, check_finite=check_finite)
    weights, kept = _weights(s, atol, rtol, a.shape)
    b = gs.matmul(adjoint(vh) * weights[..., None, :], adjoint(u))
    return (b, gs.sum(kept, axis=-1)) if return_rank else b


@scipy_first("scipy.linalg", "a")
def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """As `scipy.linalg.pinvh`; the rank is a 0-d array, so that nothing waits."""
    w, v = gs.linalg.eigh(square(a), lower=lower, check_finite=check_finite)
    weights, kept = _weights(w, atol, rtol, a.shape)
    b = gs.matmul(v * weights[..., None, :], adjoint(v))
    return (b, gs.sum(kept, axis=-1)) if return_rank else b
