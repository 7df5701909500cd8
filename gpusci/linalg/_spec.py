"""Validation cases of gpusci.linalg. Where factors are unique up to signs or rotations only, the product is compared."""

import numpy as np

import gpusci as gs
from validation import (
    Case,
    args,
    array,
    axis,
    choice,
    drawn,
    exact,
    like,
    matrix,
    maybe,
    normwise,
    scipy_same,
    whole,
)

ALL = "ifdFD"
EXACT_WHY = "LAPACK's own error bound: a modest multiple of n eps times the condition number, here about 10"
SOLVED = normwise(f=200, d=200, why=EXACT_WHY)
CLOSE = normwise(f=60, d=60)
SYM, TRI, TALL = matrix(kind="symmetric"), matrix(kind="triangular"), matrix("m", "n")
RIGHT = matrix("n", "k")
NOT_SQUARE, NOT_FINITE, SINGULAR = args(np.ones((1, 2))), args(np.array([[np.nan]])), args(np.zeros((2, 2)))


def case(name, arguments, measure=CLOSE, dtypes=ALL, **kw):
    return Case(name, arguments, measure, dtypes=dtypes, ref=kw.pop("ref", None), **kw)


@drawn
def vector(rng, got):
    """As long as the extent n."""
    x = (
        rng.standard_normal(got.extent("n"))
        + 2
        + (1j * rng.standard_normal(got.extent("n")) if got.dtype.char in "FD" else 0)
    )
    return (10 * x).astype(got.dtype) if got.dtype.char in "bhilq" else x.astype(got.dtype)


def _entries(rng, got, *shape):
    if got.dtype.kind in "iu":
        return rng.integers(-3, 4, shape)
    return rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if got.dtype.kind == "c" else 0)


@drawn
def GOOD(rng, got):
    """A matrix with a condition number near 2, whole numbers too."""
    n = got.extent("n")
    return (_entries(rng, got, n, n) + 4 * max(n, 1) * np.eye(n)).astype(got.dtype)


@drawn
def SPD(rng, got):
    """A positive definite matrix with a small condition number."""
    n = got.extent("n")
    a = _entries(rng, got, n, n)
    return (a @ a.conj().T + 4 * max(n, 1) * np.eye(n)).astype(got.dtype)


@drawn
def CALM(rng, got):
    """A Hermitian matrix with a norm of about 2."""
    n = got.extent("n")
    a = _entries(rng, got, n, n)
    return ((a + a.conj().T) / (2 * np.sqrt(max(n, 1)))).astype(got.dtype)


@drawn
def HIGH(rng, got):
    """More rows than columns, of full rank."""
    n = got.extent("n")
    return (_entries(rng, got, n + 3, n) + 3 * np.eye(n + 3, n)).astype(got.dtype)


@drawn
def stack(rng, got):
    """A stack of well-conditioned matrices."""
    n = got.extent("n")
    x = rng.standard_normal((3, n, n)) + (1j * rng.standard_normal((3, n, n)) if got.dtype.char in "FD" else 0)
    return (x + 3 * np.sqrt(max(n, 1)) * np.eye(n)).astype(got.dtype)


def _exp(a):
    """exp(a) in long double, by its series for a / 256 (SciPy 1.17.1 errs by up to 90 eps for small matrices)."""
    wide = np.asarray(a).astype(np.clongdouble if np.iscomplexobj(a) else np.longdouble) / 256
    total = term = np.eye(len(wide), dtype=wide.dtype)
    for k in range(1, 20):
        term = term @ wide / k
        total = total + term
    for _ in range(8):
        total = total @ total
    return total


EXPONENTIALS = {
    "cosm": lambda a: ((_exp(1j * a) + _exp(-1j * a)) / 2) if np.iscomplexobj(a) else _exp(1j * a).real,
    "sinm": lambda a: ((_exp(1j * a) - _exp(-1j * a)) / 2j) if np.iscomplexobj(a) else _exp(1j * a).imag,
    "coshm": lambda a: (_exp(a) + _exp(-a)) / 2,
    "sinhm": lambda a: (_exp(a) - _exp(-a)) / 2,
}


def as_input(result, a, *given, **kw):
    """A norm or determinant in the matrix's precision: SciPy gives some as Python floats or float64."""
    result = np.asarray(gs.asnumpy(result))
    return result.astype(np.result_type(a.dtype if result.dtype.kind == "c" else a.real.dtype, "f"))


def dtype_and_value(result, *given, **kw):
    """Its dtype, and the value as precise as the matrix was."""
    return str(np.asarray(gs.asnumpy(result)).dtype), as_input(result, *given)


def its_triangle(result, a, lower=False, **kw):
    """Of a Cholesky factor: what the other triangle holds is not defined."""
    return (np.tril if lower else np.triu)(gs.asnumpy(result[0])), result[1]


def product(result, *given, **kw):
    """u s vh, v w v^H, q r: what the factors make again."""
    u, s, *rest = result
    if rest:
        k = s.shape[-1]
        return s, (u[..., :k] * s[..., None, :]) @ rest[0][..., :k, :]
    return u @ s


def eigen_product(result, *given, **kw):
    w, v = result
    return w, (v * w[..., None, :]) @ np.conj(np.swapaxes(v, -1, -2))


def residual(result, a, *given, **kw):
    """Sorted eigenvalues, and a v - v w with the scale of a."""
    w, v = result
    w, v, a = (gs.asnumpy(x) for x in (w, v, a))
    return np.sort_complex(w), np.asarray(a @ v - v * w[..., None, :] + np.sum(np.abs(a)), w.dtype)


def projector(result, *given, **kw):
    return result @ np.conj(result.T)


SYSTEMS = [
    case("solve", args(GOOD, RIGHT), SOLVED, raises=[args([[1.0, 2.0]], [1.0]), args([[0.0, 0.0], [0.0, 0.0]], [1.0, 1.0]),
                                                     args([[2.0, 1.0], [1.0, 3.0]], [1.0, 2.0], assume_a="x")]),
    case("solve", args(GOOD, vector), SOLVED, id="vector"),
    case("solve", args(SPD, RIGHT, assume_a=choice("sym", "her", "pos", "upper triangular", "lower triangular"),
                       lower=choice(True, False)), SOLVED, "fd", id="structure"),
    case("solve", args(stack, vector), SOLVED, id="stack"),
    case("inv", args(GOOD), SOLVED, raises=[NOT_SQUARE, NOT_FINITE, SINGULAR]),
    # Factors of float32 are float32, the determinant is float64: no better than eps of float32, whose range SciPy 1.18 has as well.
    case("det", args(GOOD), SOLVED, post=dtype_and_value, raises=[NOT_SQUARE, NOT_FINITE]),
    case("slogdet", args(GOOD), SOLVED, raises=[NOT_SQUARE]),
    case("solve_triangular", args(TRI, RIGHT, trans=choice(0, 1, 2)), SOLVED,
         raises=[args([[0.0]], [1.0]), args([[1.0]], [1.0], trans=5)]),
    case("lstsq", args(HIGH, like(0)), SOLVED, "fdFD", post=lambda r, *a, **k: (r[0], r[3]),
         raises=[args([[1.0]], [1.0], lapack_driver="x"), args(np.ones((1, 1)), np.ones(2))]),
    case("pinv", args(HIGH), SOLVED, raises=[NOT_FINITE]),
    case("pinvh", args(SPD), SOLVED, raises=[NOT_SQUARE, NOT_FINITE]),
    case("tensorinv", args(np.eye(24).reshape(4, 6, 8, 3)), SOLVED, "d"),
    case("tensorsolve", args(np.eye(24).reshape(6, 4, 2, 3, 4), np.arange(24.0).reshape(6, 4)), SOLVED, "d"),
]  # fmt: skip

FACTORS = [
    case("lu_factor", args(GOOD), SOLVED, "fdFD", raises=[NOT_FINITE]),
    case("lu_solve", args(GOOD, RIGHT), SOLVED, call=lambda f, a, b: f(_pair(f, "lu_factor")(a), b)),
    case("lu", args(GOOD, permute_l=choice(True, False)), SOLVED, raises=[NOT_FINITE],
         skip={"single": "SciPy gives P of a complex 1 x 1 matrix a complex dtype"}),
    case("cholesky", args(SPD, lower=choice(True, False)), raises=[NOT_SQUARE, args([[-1.0]]), NOT_FINITE]),
    case("cho_factor", args(SPD, lower=choice(True, False)), post=its_triangle, raises=[args([[-1.0]])]),
    case("cho_solve", args(SPD, RIGHT), SOLVED, call=lambda f, a, b: f(_pair(f, "cho_factor")(a), b)),
    case("qr", args(TALL, mode=choice("full", "economic")), dtypes="fdFD", raises=[args([1.0]), args([[1.0]], mode="x")]),
    case("qr", args(TALL, pivoting=True, mode="economic"), id="pivoting"),
    case("qr_multiply", args(TALL, matrix("k", "m")), dtypes="fdFD", raises=[args([[1.0]], [[1.0]], mode="x")]),
    case("svd", args(TALL, full_matrices=False), post=product, raises=[args([1.0]), NOT_FINITE, args([[1.0]], lapack_driver="x")]),
    case("svdvals", args(TALL), raises=[NOT_FINITE]),
    case("diagsvd", args([3.0, 2.0], 2, whole(2, 5)), exact(), "d", raises=[args([1.0], 3, 4)]),
    case("orth", args(TALL), post=projector),
    case("null_space", args(matrix("m", "n")), post=projector, dtypes="dD"),
    case("polar", args(HIGH, side=choice("left", "right")), SOLVED, "fdFD",
         raises=[args([[1.0]], side="x")], skip={"single": "a matrix of one element may be zero"}),
    case("orthogonal_procrustes", args(HIGH, like(0)), SOLVED, "dD",
         raises=[args([1.0], [1.0]), args([[1.0]], [[1.0, 2.0]])], skip={"empty": "SciPy's result is an artefact"}),
    case("rq", args(TALL)), case("ldl", args(SYM), dtypes="fdFD"),
    # Signs and the order of eigenvalues hang on roundings.
    case("hessenberg", args(GOOD), ref=scipy_same), case("schur", args(GOOD), ref=scipy_same),
    case("rsf2csf", args(GOOD, matrix("n", "n", "wellconditioned")), dtypes="d"), case("qz", args(GOOD, matrix("n", "n")), SOLVED, "d"),
    case("ordqz", args(GOOD, matrix("n", "n", "wellconditioned")), SOLVED, "d", skip={"empty": "LAPACK prints a complaint"}),
    case("cossin", args(np.linalg.qr(np.arange(36.0).reshape(6, 6) + 9 * np.eye(6))[0], 2, 3), dtypes="d"),
    case("matrix_balance", args(GOOD)), case("cdf2rdf", args(np.array([1 + 2j, 1 - 2j]), np.eye(2, dtype=complex)), dtypes="d"),
    case("qr_delete", args(np.linalg.qr(np.arange(9.0).reshape(3, 3) + np.eye(3))[0], np.eye(3), 1), dtypes="d"),
    case("qr_insert", args(np.eye(3), np.triu(np.ones((3, 3))), np.ones(3), 1), dtypes="d"),
    case("qr_update", args(np.eye(3), np.triu(np.ones((3, 3))), np.arange(3.0), np.ones(3)), dtypes="d"),
]  # fmt: skip


def _pair(f, name):
    """The function that belongs with f, from f's own module."""
    import scipy.linalg

    import gpusci

    return getattr(scipy.linalg if f is getattr(scipy.linalg, f.__name__) else gpusci.linalg, name)


EIGEN = [
    case("eigh", args(SYM), SOLVED, post=eigen_product, raises=[NOT_SQUARE, NOT_FINITE]),
    case("eigh", args(SYM, matrix(kind="spd"), eigvals_only=True, type=choice(1, 2, 3)), SOLVED, "fdFD", id="generalised"),
    case("eigvalsh", args(SYM, lower=choice(True, False)), raises=[NOT_SQUARE]),
    case("eig", args(GOOD), SOLVED, "fdFD", post=residual, raises=[NOT_SQUARE, NOT_FINITE]),
    case("eigvals", args(GOOD), SOLVED, "fdFD", post=lambda w, *a, **k: np.sort_complex(w), raises=[NOT_SQUARE]),
    case("matrix_rank", args(TALL), exact()),
    case("eig_banded", args(np.array([[4.0, 4, 4], [1, 1, 0]]), lower=True), post=eigen_product, dtypes="d"),
    case("eigvals_banded", args(np.array([[4.0, 4, 4], [1, 1, 0]]), lower=True), dtypes="d"),
    case("eigh_tridiagonal", args(np.arange(4.0), np.ones(3)), post=eigen_product, dtypes="d"),
    case("eigvalsh_tridiagonal", args(np.arange(4.0), np.ones(3)), dtypes="d"),
]

FUNCTIONS = [
    case("expm", args(CALM), normwise(f=100, d=100), ref=_exp, raises=[NOT_SQUARE]),
    *(case(name, args(CALM), normwise(f=300, d=300, why="the difference of two exponentials cancels for small matrices, in SciPy "
                                      "too"), "fdFD", ref=f) for name, f in EXPONENTIALS.items()),
    *(case(name, args(np.array([[0.3, 0.1], [0.2, -0.4]])), SOLVED, "d") for name in ("tanm", "tanhm")),
    case("matrix_power", args(GOOD, whole(0, 3)), SOLVED, "fdFD", raises=[NOT_SQUARE]),
    case("khatri_rao", args(TALL, matrix("k", "n")), raises=[args([[1.0]], [[1.0, 2.0]])]),
    *(case(name, args(SPD), SOLVED, "dD") for name in ("logm", "sqrtm", "signm")),
    case("funm", args(CALM, np.exp), SOLVED, "d"), case("fractional_matrix_power", args(SPD, 0.5), SOLVED, "d"),
    case("expm_frechet", args(CALM, matrix("n", "n")), SOLVED, "d"), case("expm_cond", args(np.eye(3) / 2), SOLVED, "d"),
]  # fmt: skip

NORMS = [
    case("norm", args(TALL, choice(None, "fro", 1, -1, np.inf, -np.inf, 2, "nuc")), post=as_input,
         raises=[args([[1.0]], "x"), args(np.ones((2, 2, 2)), axis=(0, 1, 2))], skip={"empty": "SciPy's answers vary"}),
    case("norm", args(array(ndim=(1, 3)), choice(None, 1, 2, 3, 0, np.inf, -np.inf), axis=axis(), keepdims=choice(True, False)),
         id="axis", skip={"empty": "SciPy's answers vary"}),
    case("matrix_norm", args(TALL, ord=choice("fro", 1, 2)), skip={"empty": "NumPy's answers vary"}),
    case("vector_norm", args(array(), ord=choice(1, 2, 3)), dtypes="fdFD"),
    case("cond", args(GOOD, choice(None, 1, np.inf, "fro")), SOLVED, "fdFD", skip={"empty": "an error in both"}),
]  # fmt: skip

PRODUCTS = [
    case("matmul", args(TALL, RIGHT), raises=[args([[1.0, 2.0]], [[1.0, 2.0]])]),
    case("multi_dot", args(), call=lambda f: f([np.ones((2, 3)), np.arange(12.0).reshape(3, 4), np.ones(4)]), dtypes="d"),
    case("cross", args(np.eye(3), np.arange(9.0).reshape(3, 3)), dtypes="d", raises=[args([1.0], [1.0])]),
    case("outer", args(vector, vector)),
    case("vecdot", args(vector, vector)),
    case("tensordot", args(GOOD, matrix("n", "n")), dtypes="fdFD"),
    case("trace", args(GOOD), dtypes="fdFD"),
    case("diagonal", args(GOOD), exact()),
    case("matrix_transpose", args(TALL), exact(), raises=[args([1.0])]),
]

STRUCTURED = [
    case("toeplitz", args(vector, maybe(vector)), exact()), case("circulant", args(vector), exact()),
    case("hankel", args(vector, maybe(vector)), exact()), case("companion", args(vector), raises=[args([0.0, 1.0]), args([1.0])]),
    case("fiedler", args(vector), exact(), "ifd"), case("fiedler_companion", args(vector)),
    case("leslie", args([1.0, 2.0, 3.0], [0.5, 0.25]), exact(), "d", raises=[args([1.0], [1.0])]),
    case("convolution_matrix", args(vector, whole(1, 9), mode=choice("full", "same", "valid")), exact(),
         raises=[args([1.0], 0), args([1.0], 2, mode="x")]),
    case("block_diag", args(TALL, vector), exact()),
    *(case(name, args(whole(1, 6)), exact(), "d") for name in ("dft", "hilbert", "invhilbert", "pascal", "invpascal", "helmert")),
    case("hadamard", args(8), exact(), "d", raises=[args(3)]),
    case("matmul_toeplitz", args(vector, RIGHT), SOLVED, "fdFD", skip={"empty": "an error in both"}),
    case("solve_circulant", args([4.0, 1.0, 0.5], [1.0, 2.0, 3.0]), dtypes="d", raises=[args([1.0, 1.0], [1.0, 1.0])]),
    case("solve_toeplitz", args([4.0, 1.0, 0.5], [1.0, 2.0, 3.0]), dtypes="d"),
    case("solve_banded", args((1, 1), np.array([[0.0, 1, 1], [4, 4, 4], [1, 1, 0]]), np.ones(3)), dtypes="d"),
    case("solveh_banded", args(np.array([[0.0, 1, 1], [4, 4, 4]]), np.ones(3)), dtypes="d"),
    case("cholesky_banded", args(np.array([[0.0, 1, 1], [4, 4, 4]])), dtypes="d"),
    case("cho_solve_banded", args((np.array([[0.0, 0.5, 0.5], [2, 2, 2]]), False), np.ones(3)), dtypes="d"),
    case("issymmetric", args(SYM), exact()), case("ishermitian", args(SYM), exact()), case("bandwidth", args(TRI), exact()),
    case("subspace_angles", args(np.eye(4)[:, :2], np.ones((4, 2)) + np.eye(4)[:, 1:3]), dtypes="d"),
    case("solve_sylvester", args(GOOD, matrix("k", "k", "wellconditioned"), matrix("n", "k")), SOLVED, "d"),
    *(case(name, args(np.array([[0.1, 0.2], [0.0, 0.3]]), np.eye(2)), SOLVED, "d")
      for name in ("solve_continuous_lyapunov", "solve_lyapunov", "solve_discrete_lyapunov")),
    *(case(name, args(np.array([[0.1, 0.2], [0.0, 0.3]]), np.eye(2), np.eye(2), np.eye(2)), SOLVED, "d")
      for name in ("solve_continuous_are", "solve_discrete_are")),
    case("clarkson_woodruff_transform", args(np.arange(40.0).reshape(20, 2), 5, 3), dtypes="d"),
]  # fmt: skip

HOST = [
    case("get_blas_funcs", args("gemm"), exact(), "d", post=lambda r, *a: r.typecode),
    case("get_lapack_funcs", args("getrf"), exact(), "d", post=lambda r, *a: r.typecode),
    case("find_best_blas_type", args(), exact(), "d"),
    case("LinAlgError", args("text"), exact(), "d", post=lambda e, *a: str(e)),
    case("LinAlgWarning", args("text"), exact(), "d", post=lambda e, *a: str(e)),
]

CASES = SYSTEMS + FACTORS + EIGEN + FUNCTIONS + NORMS + PRODUCTS + STRUCTURED + HOST

NUMPY = "is numpy.linalg's: gpusci.linalg serves both modules."
DIFFERENCES = {
    **dict.fromkeys(
        ["cond", "cross", "diagonal", "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot",
         "outer", "slogdet", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm"], NUMPY),
    "determinants": "of float32 and complex64 are products in double precision of factors in single on a GPU, as in SciPy 1.17: they stay "
    "finite where those of SciPy 1.18, products in single precision, overflow (or vanish).",
    "errors": "of values (singular, not positive definite, infinite) are raised on a GPU at the next wait, not at the call.",
    "warnings": "about ill-conditioned or singular matrices (LinAlgWarning) are not given on a GPU.",
    "lapack_driver": "is checked and otherwise without effect on a GPU, where each job has one driver.",
    "overwrite": "flags save memory on a GPU where SciPy's do, but for wide matrices given to svd and lstsq, and b of lstsq.",
    "zero-size batches": "of matrices are taken on a GPU, where SciPy refuses some.",
    "empty": "matrices have the permutation of their rows in lu, as any; SciPy's is empty too, where there are no columns.",
    "pivots": "of complex matrices in lu_factor may be others on a GPU: of candidates of nearly one size the libraries choose differently.",
    "norms": "of values whose squares or powers leave the range of the dtype are right: SciPy 1.17 and NumPy 2.4 give inf, 0 or few "
    "digits.",
    "numbers": "have a square root in sqrtm, where SciPy 1.17 gives the exponential.",
    "NaN": "in a matrix makes its logm NaN, where SciPy 1.17 runs for ever for triangular ones.",
    "real and complex matrices": "together are solved by solve_sylvester and both solve_*_lyapunov, multiplied by qr_multiply and "
    "taken by solve_banded for one equation; SciPy 1.17 gives something else, drops the imaginary part or raises.",
    "one equation": "with further diagonals is solved by solveh_banded, where SciPy 1.17 raises ValueError.",
    "single precision": "is kept by signm for every matrix, where SciPy 1.17 has double for defective ones.",
    "rank of nothing": "is 0 in matrix_rank, where NumPy 2.4 raises ValueError for matrices without elements.",
    "singular matrices": "have an infinite cond in every norm, also the nuclear one, for which NumPy raises LinAlgError.",
    "rank": "of pinv, pinvh, lstsq and matrix_rank is a 0-d array for gpusci arrays, so that nothing waits.",
}  # fmt: skip
