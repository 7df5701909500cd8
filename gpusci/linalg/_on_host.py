"""What no GPU library has: LAPACK and SciPy on the host on every device. Data of a GPU makes a round trip."""

import functools

import numpy as np

import gpusci as gs
from gpusci.core.libraries.host import host_first
from gpusci.linalg._scipy import NOT_GIVEN, mirror

_mirror = functools.partial(mirror, "scipy.linalg")


@_mirror("a")
def qr(a, overwrite_a=False, lwork=NOT_GIVEN, mode="full", pivoting=False, check_finite=True):
    """The pivoted part of `gpusci.linalg.qr`."""


# ---- banded and Toeplitz systems
def _complex_side(theirs, l_and_u, ab, b, *args, **kwargs):
    """SciPy 1.17 has no room for a complex solution where one equation has a real right side."""
    return theirs(l_and_u, ab, _as_complex(b) if np.iscomplexobj(ab) else b, *args, **kwargs)


def _one_diagonal(theirs, ab, b, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True):
    """SciPy 1.17 fails for one equation with a further diagonal, of which nothing is used."""
    if np.ndim(ab) > 1 and np.shape(ab)[-1] == 1:
        ab = np.asarray(ab)[..., :1, :] if lower else np.asarray(ab)[..., -1:, :]
    return theirs(ab, b, overwrite_ab, overwrite_b, lower, check_finite)


def _as_complex(value):
    if value is None or isinstance(value, str):
        return value
    x = np.asarray(value)
    return x.astype(np.result_type(x, np.complex64), copy=False)


@_mirror("ab", "b", run=_complex_side)
def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.solve_banded`, on the host."""


@_mirror("ab", "b", run=_one_diagonal)
def solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True):
    """As `scipy.linalg.solveh_banded`, on the host."""


@_mirror("c_or_cr*", "b")
def solve_toeplitz(c_or_cr, b, check_finite=True):
    """As `scipy.linalg.solve_toeplitz` (Levinson's recursion, sequential by nature), on the host."""


@_mirror("ab")
def cholesky_banded(ab, overwrite_ab=False, lower=False, check_finite=True):
    """As `scipy.linalg.cholesky_banded`, on the host."""


def _with_flag(theirs, cb, b, lower, overwrite_b, check_finite):
    return theirs((cb, lower), b, overwrite_b, check_finite)


@host_first("scipy.linalg", "cb", "b", name="cho_solve_banded", run=_with_flag)
def _cho_solve_banded(cb, b, lower, overwrite_b, check_finite):
    from scipy.linalg import cho_solve_banded

    return gs.asarray(cho_solve_banded((cb.numpy(), lower), b.numpy(), overwrite_b, check_finite), device=b.device)


def cho_solve_banded(cb_and_lower, b, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.cho_solve_banded`, on the host."""
    cb, lower = cb_and_lower
    return _cho_solve_banded(cb, b, bool(np.all(lower)), overwrite_b, check_finite)


cho_solve_banded.gpusci_status = "library"


# ---- eigenvalues of special forms
@_mirror("a_band")
def eig_banded(
    a_band,
    lower=False,
    eigvals_only=False,
    overwrite_a_band=False,
    select="a",
    select_range=None,
    max_ev=0,
    check_finite=True,
):
    """As `scipy.linalg.eig_banded`, on the host."""


@_mirror("a_band")
def eigvals_banded(a_band, lower=False, overwrite_a_band=False, select="a", select_range=None, check_finite=True):
    """As `scipy.linalg.eigvals_banded`, on the host."""


@_mirror("d", "e")
def eigh_tridiagonal(
    d, e, eigvals_only=False, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"
):
    """As `scipy.linalg.eigh_tridiagonal`, on the host."""


@_mirror("d", "e")
def eigvalsh_tridiagonal(d, e, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """As `scipy.linalg.eigvalsh_tridiagonal`, on the host."""


@_mirror("a", "b")
def eig(
    a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, check_finite=True, homogeneous_eigvals=False
):
    """The generalised and left part of `gpusci.linalg.eig`."""


@_mirror("w", "v")
def cdf2rdf(w, v):
    """As `scipy.linalg.cdf2rdf`, on the host."""


# ---- further factorisations
@_mirror("a")
def rq(a, overwrite_a=False, lwork=None, mode="full", check_finite=True):
    """As `scipy.linalg.rq`, on the host."""


@_mirror("A")
def ldl(A, lower=True, hermitian=True, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.ldl`, on the host."""


@_mirror("a")
def hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True):
    """As `scipy.linalg.hessenberg`, on the host."""


@_mirror("a")
def schur(a, output="real", lwork=None, overwrite_a=False, sort=None, check_finite=True):
    """As `scipy.linalg.schur`, on the host."""


@_mirror("T", "Z")
def rsf2csf(T, Z, check_finite=True):
    """As `scipy.linalg.rsf2csf`, on the host."""


@_mirror("A", "B")
def qz(A, B, output="real", lwork=None, sort=None, overwrite_a=False, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.qz`, on the host."""


@_mirror("A", "B")
def ordqz(A, B, sort="lhp", output="real", overwrite_a=False, overwrite_b=False, check_finite=True):
    """As `scipy.linalg.ordqz`, on the host."""


@_mirror("X*")
def cossin(X, p=None, q=None, separate=False, swap_sign=False, compute_u=True, compute_vh=True):
    """As `scipy.linalg.cossin`, on the host."""


@_mirror("A")
def matrix_balance(A, permute=True, scale=True, separate=False, overwrite_a=False):
    """As `scipy.linalg.matrix_balance`, on the host."""


@_mirror("Q", "R")
def qr_delete(Q, R, k, p=1, which="row", overwrite_qr=False, check_finite=True):
    """As `scipy.linalg.qr_delete`, on the host."""


@_mirror("Q", "R", "u")
def qr_insert(Q, R, u, k, which="row", rcond=None, overwrite_qru=False, check_finite=True):
    """As `scipy.linalg.qr_insert`, on the host."""


@_mirror("Q", "R", "u", "v")
def qr_update(Q, R, u, v, overwrite_qruv=False, check_finite=True):
    """As `scipy.linalg.qr_update`, on the host."""


@_mirror("A", "B")
def subspace_angles(A, B):
    """As `scipy.linalg.subspace_angles`, on the host."""


# ---- matrix functions
def _logm_of_finite(theirs, A, *args, **kwargs):
    """SciPy 1.17 runs for ever for triangular matrices with a NaN or an infinity."""
    x = np.asarray(A)
    bad = ~np.isfinite(x).all((-2, -1)) if x.ndim > 1 and x.dtype.kind in "fc" else np.False_
    if not bad.any():
        return theirs(A, *args, **kwargs)
    result = theirs(np.where(bad[..., None, None], np.eye(x.shape[-1]), x), *args, **kwargs)
    if isinstance(result, tuple):  # disp=False: with an estimate of the error
        return _nan_where(bad[..., None, None], result[0]), _nan_where(bad, result[1])
    return _nan_where(bad[..., None, None], result)


def _nan_where(bad, values):
    return np.where(bad, np.asarray(np.nan, np.asarray(values).dtype), values)[()]


def _sqrtm_of_number(theirs, A, *args, **kwargs):
    """SciPy 1.17 gives the exponential of a number."""
    return theirs(np.reshape(A, (1, 1)) if np.ndim(A) < 2 and np.size(A) == 1 else A, *args, **kwargs)


def _signm_of_one_dtype(theirs, A, *args, **kwargs):
    """SciPy 1.17 has a result in double precision for some matrices in single."""
    single = {"d": "f", "D": "F"} if np.asarray(A).dtype.char in "fF" else {}
    result = theirs(A, *args, **kwargs)
    sign, *rest = result if isinstance(result, tuple) else (result,)
    sign = sign.astype(single.get(sign.dtype.char, sign.dtype), copy=False)
    return (sign, *rest) if rest else sign


@_mirror("A", run=_logm_of_finite)
def logm(A, disp=NOT_GIVEN):
    """As `scipy.linalg.logm`, on the host."""


@_mirror("A", run=_sqrtm_of_number)
def sqrtm(A, disp=NOT_GIVEN, blocksize=NOT_GIVEN):
    """As `scipy.linalg.sqrtm`, on the host."""


@_mirror("A", run=_signm_of_one_dtype)
def signm(A, disp=NOT_GIVEN):
    """As `scipy.linalg.signm`, on the host."""


@_mirror("A")
def funm(A, func, disp=True):
    """As `scipy.linalg.funm`, on the host: `func` gets NumPy arrays."""


@_mirror("A")
def fractional_matrix_power(A, t):
    """As `scipy.linalg.fractional_matrix_power`, on the host."""


@_mirror("A", "E")
def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    """As `scipy.linalg.expm_frechet`, on the host."""


@_mirror("A")
def expm_cond(A, check_finite=True):
    """As `scipy.linalg.expm_cond`, on the host."""


# ---- matrix equations
def _of_one_kind(theirs, *args, **kwargs):
    """SciPy 1.17 is wrong where some of the matrices are real and some complex."""
    if any(map(np.iscomplexobj, (*args, *kwargs.values()))):
        args, kwargs = map(_as_complex, args), {k: _as_complex(v) for k, v in kwargs.items()}
    return theirs(*args, **kwargs)


@_mirror("a", "b", "q", run=_of_one_kind)
def solve_sylvester(a, b, q):
    """As `scipy.linalg.solve_sylvester`, on the host."""


@_mirror("a", "q", run=_of_one_kind)
def solve_continuous_lyapunov(a, q):
    """As `scipy.linalg.solve_continuous_lyapunov`, on the host."""


@_mirror("a", "q", run=_of_one_kind)
def solve_discrete_lyapunov(a, q, method=None):
    """As `scipy.linalg.solve_discrete_lyapunov`, on the host."""


@_mirror("a", "b", "q", "r", "e", "s")
def solve_continuous_are(a, b, q, r, e=None, s=None, balanced=True):
    """As `scipy.linalg.solve_continuous_are`, on the host."""


@_mirror("a", "b", "q", "r", "e", "s")
def solve_discrete_are(a, b, q, r, e=None, s=None, balanced=True):
    """As `scipy.linalg.solve_discrete_are`, on the host."""


# ---- special matrices
@_mirror("a")
def fiedler_companion(a):
    """As `scipy.linalg.fiedler_companion`, on the host."""


@_mirror("input_matrix")
def clarkson_woodruff_transform(input_matrix, sketch_size, rng=None, *, seed=None):
    """As `scipy.linalg.clarkson_woodruff_transform`, on the host."""
