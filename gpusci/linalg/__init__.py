"""Linear algebra, as `scipy.linalg`, with `numpy.linalg`'s further names: cuSOLVER and cuBLAS on a GPU, LAPACK on the host.

Where SciPy and NumPy disagree under one name (cholesky's triangle, qr's modes, eigh's keywords) SciPy's way holds. On a GPU a
bad matrix (singular, not positive definite, infinite) raises at the next wait, not at the call. NumPy arrays of dtypes that gpusci
arrays do not hold (long doubles, dates, objects) are SciPy's to convert or refuse, on the host.
"""

import importlib

from numpy.linalg import LinAlgError

from gpusci.core import check, fallback
from gpusci.linalg._basic import det, inv, lstsq, pinv, pinvh, slogdet, solve, solve_triangular
from gpusci.linalg._eigen import eig, eigh, eigvalsh, matrix_rank
from gpusci.linalg._factor import (
    cho_factor,
    cho_solve,
    cholesky,
    diagsvd,
    lu,
    lu_factor,
    lu_solve,
    null_space,
    orth,
    orthogonal_procrustes,
    polar,
    qr,
    qr_multiply,
    svd,
    svdvals,
)  # fmt: skip
from gpusci.linalg._functions import coshm, cosm, expm, khatri_rao, matrix_power, sinhm, sinm, tanhm, tanm
from gpusci.linalg._norms import cond, matrix_norm, norm, vector_norm
from gpusci.linalg._numpy_names import (
    cross,
    diagonal,
    matmul,
    matrix_transpose,
    multi_dot,
    outer,
    tensordot,
    tensorinv,
    tensorsolve,
    trace,
    vecdot,
)  # fmt: skip
from gpusci.linalg._on_host import (
    cdf2rdf,
    cho_solve_banded,
    cholesky_banded,
    clarkson_woodruff_transform,
    cossin,
    eig_banded,
    eigh_tridiagonal,
    eigvals_banded,
    eigvalsh_tridiagonal,
    expm_cond,
    expm_frechet,
    fiedler_companion,
    fractional_matrix_power,
    funm,
    hessenberg,
    ldl,
    logm,
    matrix_balance,
    ordqz,
    qr_delete,
    qr_insert,
    qr_update,
    qz,
    rq,
    rsf2csf,
    schur,
    signm,
    solve_banded,
    solve_continuous_are,
    solve_continuous_lyapunov,
    solve_discrete_are,
    solve_discrete_lyapunov,
    solve_sylvester,
    solve_toeplitz,
    solveh_banded,
    sqrtm,
    subspace_angles,
)  # fmt: skip
from gpusci.linalg._special import (
    bandwidth,
    block_diag,
    circulant,
    companion,
    convolution_matrix,
    dft,
    fiedler,
    find_best_blas_type,
    get_blas_funcs,
    get_lapack_funcs,
    hadamard,
    hankel,
    helmert,
    hilbert,
    invhilbert,
    invpascal,
    ishermitian,
    issymmetric,
    leslie,
    matmul_toeplitz,
    pascal,
    solve_circulant,
    toeplitz,
)  # fmt: skip

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ("fft>=0.1,<0.2",)

solve_lyapunov = solve_continuous_lyapunov  # SciPy's older name

__all__ = [
    "LinAlgError", "LinAlgWarning", "bandwidth", "block_diag", "cdf2rdf", "cho_factor", "cho_solve", "cho_solve_banded",
    "cholesky", "cholesky_banded", "circulant", "clarkson_woodruff_transform", "companion", "cond", "convolution_matrix",
    "coshm", "cosm", "cossin", "cross", "det", "dft", "diagonal", "diagsvd", "eig", "eig_banded", "eigh", "eigh_tridiagonal",
    "eigvals", "eigvals_banded", "eigvalsh", "eigvalsh_tridiagonal", "expm", "expm_cond", "expm_frechet", "fiedler",
    "fiedler_companion", "find_best_blas_type", "fractional_matrix_power", "funm", "get_blas_funcs", "get_lapack_funcs",
    "hadamard", "hankel", "helmert", "hessenberg", "hilbert", "inv", "invhilbert", "invpascal", "ishermitian", "issymmetric",
    "khatri_rao", "ldl", "leslie", "logm", "lstsq", "lu", "lu_factor", "lu_solve", "matmul", "matmul_toeplitz",
    "matrix_balance", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "null_space",
    "ordqz", "orth", "orthogonal_procrustes", "outer", "pascal", "pinv", "pinvh", "polar", "qr", "qr_delete", "qr_insert",
    "qr_multiply", "qr_update", "qz", "rq", "rsf2csf", "schur", "signm", "sinhm", "sinm", "slogdet", "solve", "solve_banded",
    "solve_circulant", "solve_continuous_are", "solve_continuous_lyapunov", "solve_discrete_are", "solve_discrete_lyapunov",
    "solve_lyapunov", "solve_sylvester", "solve_toeplitz", "solve_triangular", "solveh_banded", "sqrtm", "subspace_angles",
    "svd", "svdvals", "tanhm", "tanm", "tensordot", "tensorinv", "tensorsolve", "toeplitz", "trace", "vecdot", "vector_norm",
]  # fmt: skip


_fallback = fallback(__name__)


def __getattr__(name):
    if name == "LinAlgWarning":  # importing scipy.linalg costs more than the rest of this package
        from scipy.linalg import LinAlgWarning

        return LinAlgWarning
    if name == "eigvals":
        value = globals()[name] = importlib.import_module("gpusci.linalg._eigvals").eigvals
        return value
    if name in ("blas", "lapack", "cython_blas", "cython_lapack"):  # the host's raw routines
        return importlib.import_module(f"scipy.linalg.{name}")
    if name == "interpolative":
        return importlib.import_module("gpusci.linalg.interpolative")
    return _fallback(name)


def __dir__():
    return sorted({*globals(), *__all__})


check(__name__)
