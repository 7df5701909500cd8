"""Eigenvalues and eigenvectors."""

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.core.libraries import blas, solver
from gpusci.core.libraries.host import host_first
from gpusci.linalg import _kernels
from gpusci.linalg._arguments import (
    adjoint,
    factored,
    finite,
    hermitian,
    inexact,
    own_columns,
    real_of,
    square,
    stack,
    triangle,
    widened,
)
from gpusci.linalg._basic import _cholesky
from gpusci.linalg._on_host import eig as eig_on_host
from gpusci.linalg._scipy import scipy_first, warned_of

STANDARD, GENERALIZED = ("ev", "evd", "evr", "evx"), ("gv", "gvd", "gvx")
OF_SUBSETS = (None, "evr", "evx", "gvx")


@scipy_first("scipy.linalg", "a", "b")
def eigh(
    a, b=None, *, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
    subset_by_index=None, subset_by_value=None, driver=None,
):  # fmt: skip
    """As `scipy.linalg.eigh`; every driver is cuSOLVER's divide and conquer on a GPU. Subsets are cut from the whole; one by
    value waits for the GPU."""
    _check_eigh(square(a), b, type, driver, subset_by_index, subset_by_value)
    vectors = not eigvals_only
    if b is None:
        m = own_columns(a, inexact(a), check_finite, overwrite_a)
    else:
        m, factor = _reduced(a, b, lower, type, check_finite)
        lower = True
    w, info = solver.syevd(m, lower, vectors)
    factored(info, _kernels.no_convergence)
    if b is not None and vectors:
        m = _back(m, factor, type)
    keep = _subset(w, subset_by_index, subset_by_value)
    if keep is not None:
        w, m = w[..., keep], m[..., keep] if vectors else m
    return (w, m) if vectors else w


def _check_eigh(a, b, kind, driver, by_index, by_value):
    n = a.shape[-1]
    if kind not in (1, 2, 3):
        raise ValueError('"type" keyword only accepts 1, 2, and 3.')
    if driver not in (None, *STANDARD, *GENERALIZED):
        raise ValueError(f'"{driver}" is unknown. Possible values are {", ".join(map(repr, (None, *STANDARD, *GENERALIZED)))}.')
    if b is None and driver in GENERALIZED:
        raise ValueError(f"{driver} requires input b array to be supplied for generalized eigenvalue problems.")
    if b is not None and driver in STANDARD:
        raise ValueError(f'"{driver}" does not accept input b array for standard eigenvalue problems.')
    if not (by_index is None and by_value is None) and driver not in OF_SUBSETS:
        raise ValueError(f'"{driver}" cannot compute subsets of eigenvalues; {", ".join(filter(None, OF_SUBSETS))} can')
    if b is not None and square(b, "b").shape[-1] != n:
        raise ValueError(f"wrong b dimensions {b.shape}, should be {a.shape}")
    if by_index is not None and by_value is not None:
        raise ValueError("Either index or value subset can be requested.")
    if by_index is not None:
        lo, hi = (int(i) for i in by_index)
        if not 0 <= lo <= hi < n:
            raise ValueError(f"Requested eigenvalue indices are not valid. Valid range is [0, {n - 1}] and start <= end")
    if by_value is not None:
        lo, hi = by_value
        if not -np.inf <= lo < hi <= np.inf:
            raise ValueError("Requested eigenvalue bounds are not valid. Valid range is (-inf, inf) and low < high")


def _subset(w, by_index, by_value):
    if by_index is not None:
        return slice(int(by_index[0]), int(by_index[1]) + 1)
    if by_value is None:
        return None
    values = gs.asnumpy(w)  # (low, high] of ascending values is a slice
    if values.ndim > 1:
        raise ValueError("subset_by_value takes one matrix: a stack's subsets would have different sizes")
    return slice(*np.searchsorted(values, by_value, side="right").tolist())


def _reduced(a, b, lower, kind, check_finite):
    """The standard problem (column-major) of a generalised one, and the triangular factor that leads back."""
    dtype, batch = inexact(a, b), np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    factor = _cholesky(b, lower, dtype, check_finite)
    factor = triangle(factor, lower)
    factor = stack(factor if lower else adjoint(factor), batch)  # b = L L^H
    full = stack(finite(hermitian(a.astype(dtype), lower), check_finite), batch)
    if kind == 1:  # L^-1 A L^-H
        half = blas.trsm(factor, solver.columns(full), lower=True)
        return blas.trsm(factor, solver.columns(adjoint(half)), lower=True), factor
    return solver.columns(gs.matmul(adjoint(factor), gs.matmul(full, factor))), factor


def _back(v, factor, kind):
    if kind == 3:
        return gs.matmul(factor, v)
    return blas.trsm(factor, v, lower=True, trans="C")


@scipy_first("scipy.linalg", "a", "b")
def eigvalsh(
    a, b=None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1, check_finite=True, subset_by_index=None,
    subset_by_value=None, driver=None,
):  # fmt: skip
    """As `scipy.linalg.eigvalsh`; see `eigh`."""
    return eigh(
        a, b, lower=lower, eigvals_only=True, overwrite_a=overwrite_a, type=type, check_finite=check_finite,
        subset_by_index=subset_by_index, subset_by_value=subset_by_value, driver=driver,
    )  # fmt: skip


@scipy_first("scipy.linalg", "a", "b")
def eig(
    a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, check_finite=True, homogeneous_eigvals=False
):
    """As `scipy.linalg.eig`. Waits for the GPU: whether vectors are complex decides their dtype. With `b` or `left`, and with CUDA
    before 12.8, the work is done on the host."""
    square(a)
    if b is not None or left:
        return eig_on_host(warned_of(a), warned_of(b), left, right, overwrite_a, overwrite_b, check_finite, homogeneous_eigvals)
    dtype = inexact(a)
    w, v, info = _geev(own_columns(a, dtype, check_finite, overwrite_a), right)
    factored(info, _kernels.no_convergence)
    if right and dtype.kind != "c" and w.numpy().imag.any():
        packed, v = v, new(v.shape, w.dtype, a.device)
        _kernels.eigenvectors(v.size, (dtype, v.ndim), w, packed, v)
    if homogeneous_eigvals:
        w = gs.stack([w, gs.ones_like(w)], axis=-2)
    return (w, v) if right else w


def _geev(m, vectors):
    """cuSOLVER's geev where this version has it (CUDA 12.8), else LAPACK's on the host."""
    try:
        return solver.geev(m, vectors)
    except (AttributeError, RuntimeError):
        w, v, info = solver.geev(solver.columns(m.to_device("host")), vectors)
        return w.to_device(m.device), v.to_device(m.device), info.to_device(m.device)


def _rank_on_host(theirs, A, *args, **kwargs):
    """NumPy 2.4 has no rank for matrices without elements."""
    shape = np.shape(A)
    return np.zeros(shape[:-2], np.int64)[()] if len(shape) > 1 and 0 in shape[-2:] else theirs(A, *args, **kwargs)


@host_first("numpy.linalg", "A", run=_rank_on_host)
def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """As `numpy.linalg.matrix_rank`: a 0-d array, so that nothing waits."""
    if A.ndim < 2:
        return gs.any(A != 0).astype(np.int64)
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = widened(A)
    s = gs.abs(eigvalsh(A, check_finite=False)) if hermitian else gs.linalg.svdvals(A, check_finite=False)
    top = gs.max(s, axis=-1, keepdims=True, initial=0.0)
    if tol is None:
        rtol = max(A.shape[-2:]) * np.finfo(real_of(s.dtype)).eps if rtol is None else np.asarray(rtol)[..., None]
        tol = top * rtol
    else:
        tol = np.asarray(tol)[..., None]
    return gs.sum(s > tol, axis=-1)
