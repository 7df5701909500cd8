"""gpusci.linalg against scipy.linalg (numpy.linalg for its further names) on the current device."""

import numpy as np
import pytest
import scipy.linalg
from linalg_helpers import INEXACT, close, host, numbers, positive, well_conditioned

import gpusci as gs


def both(name, *args, **kw):
    """(ours, theirs) of a function of that name, arrays passed as gpusci arrays to ours."""
    up = lambda v: gs.asarray(v) if isinstance(v, np.ndarray) else v
    module = scipy.linalg if hasattr(scipy.linalg, name) else np.linalg
    return getattr(gs.linalg, name)(*map(up, args), **kw), getattr(module, name)(*args, **kw)


# ---- systems
@pytest.mark.parametrize("dtype", [*INEXACT, "float16", "int32", "int8", "bool"])
def test_solve_dtypes(dtype):
    a = well_conditioned(5, 5).astype(dtype) if dtype != "bool" else np.triu(np.ones((5, 5), bool))
    b = numbers(5, 2).astype(dtype if dtype[0] in "fc" else "int16")
    close(*both("solve", a, b))
    close(*both("inv", a))


@pytest.mark.parametrize("assume_a", [None, "gen", "general", "banded", "tridiagonal", "diagonal", "sym", "her", "pos",
                                      "upper triangular", "lower triangular"])  # fmt: skip
@pytest.mark.parametrize("dtype", INEXACT)
def test_solve_structures(assume_a, dtype):
    a, b = positive(6, 6, dtype=dtype), numbers(6, 3, dtype=dtype)
    if assume_a in ("tridiagonal", "diagonal"):
        width = int(assume_a == "tridiagonal")
        a = np.triu(np.tril(a, width), -width)
    if assume_a == "sym":
        a = a + a.T
    for lower in (False, True):
        close(*both("solve", a, b, lower=lower, assume_a=assume_a))
        if assume_a not in ("banded", "tridiagonal"):
            close(*both("inv", a, assume_a=assume_a, lower=lower))
    if dtype[0] == "f" and assume_a not in ("banded", "tridiagonal"):
        close(*both("solve", a, b, assume_a=assume_a, transposed=True))


@pytest.mark.parametrize("shapes", [((3, 4, 4), (4,)), ((3, 4, 4), (4, 2)), ((3, 4, 4), (3, 4, 1)), ((4, 4), (5, 4, 2)),
                                    ((2, 1, 4, 4), (3, 4, 2)), ((0, 4, 4), (4,)), ((0, 0), (0, 3)), ((1, 1), (1,))])  # fmt: skip
def test_solve_stacks(shapes):
    a, b = well_conditioned(*shapes[0]), numbers(*shapes[1])
    for assume_a in ("gen", "upper triangular"):
        close(*both("solve", a, b, assume_a=assume_a))


@pytest.mark.parametrize("layout", [lambda x: x.T, lambda x: x[::-1, ::-1], lambda x: np.kron(x, np.ones((2, 3)))[::2, ::3],
                                    np.asfortranarray])  # fmt: skip
def test_layouts(layout):
    a, b = layout(well_conditioned(5, 5)), numbers(5, 4)[:, ::2]
    before = a.copy()
    for name in ("inv", "det", "cholesky", "svdvals", "expm"):
        close(*both(name, layout(positive(5, 5)) if name == "cholesky" else a))
    close(*both("solve", a, b))
    np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("dtype", INEXACT)
def test_triangular(dtype):
    a, b = well_conditioned(5, 5, dtype=dtype), numbers(5, 3, dtype=dtype)
    for trans in (0, 1, 2, "N", "T", "C"):
        for lower in (False, True):
            for unit in (False, True):
                for rhs in (b, b[:, 0], np.asfortranarray(b)):
                    close(*both("solve_triangular", a, rhs, trans=trans, lower=lower, unit_diagonal=unit), factor=5000)
                close(*both("solve_triangular", a.T, b, trans=trans, lower=lower, unit_diagonal=unit), factor=5000)


@pytest.mark.parametrize("dtype", INEXACT)
def test_determinants(dtype):
    for a in (well_conditioned(4, 4, dtype=dtype), well_conditioned(3, 2, 4, 4, dtype=dtype), numbers(5, 5, dtype=dtype)):
        ours, theirs = both("det", a)
        assert host(ours).dtype == np.asarray(theirs).dtype
        # Always in double; the factors it is the product of are rounded in the dtype of the matrix.
        close(host(ours).astype(dtype), np.asarray(theirs).astype(dtype))
        ours, theirs = both("slogdet", a)
        close(ours.sign, theirs.sign, 200)
        close(ours.logabsdet, theirs.logabsdet, 200)
    assert host(gs.linalg.det(gs.asarray(np.zeros((3, 3))))) == 0
    ours = gs.linalg.slogdet(gs.asarray(np.zeros((2, 2))))
    assert (host(ours.sign), host(ours.logabsdet)) == (0, -np.inf)
    assert host(gs.linalg.det(gs.asarray(np.eye(4)[[1, 0, 2, 3]]))) == -1


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (5, 5)])
@pytest.mark.parametrize("dtype", INEXACT)
def test_least_squares(shape, dtype):
    a = numbers(*shape, dtype=dtype)
    for b in (numbers(shape[0], dtype=dtype), numbers(shape[0], 2, dtype=dtype)):
        ours, theirs = both("lstsq", a, b)
        close(ours[0], theirs[0], 2000)
        close(np.real(host(ours[1])), np.real(theirs[1]), 2000, 10)  # complex since SciPy 1.18, with zeros
        assert ours[2] == theirs[2]
        close(ours[3], theirs[3])
    close(*both("pinv", a), factor=2000)
    ours, theirs = both("pinv", a, return_rank=True)
    assert int(ours[1]) == theirs[1]


def test_least_squares_of_deficient_rank():
    a = numbers(6, 2) @ numbers(2, 4)
    b = numbers(6)
    ours, theirs = both("lstsq", a, b, cond=1e-10)
    close(ours[0], theirs[0], 1e4)
    assert ours[2] == theirs[2] == 2
    assert host(ours[1]).shape in ((0,), np.shape(theirs[1]))  # SciPy 1.18 has a NaN for a vector b
    assert gs.linalg.lstsq(gs.asarray(a), gs.asarray(b), lapack_driver="gelsy")[3] is None
    assert int(gs.linalg.matrix_rank(gs.asarray(a))) == 2
    close(*both("pinv", a, rtol=1e-10), factor=1e4)
    close(*both("pinvh", a.T @ a, rtol=1e-10), factor=1e5)
    ours, theirs = both("lstsq", np.stack([a[:, :2]] * 3), b)
    close(ours[0], theirs[0], 1e4)
    close(ours[2], theirs[2])


# ---- factorisations
@pytest.mark.parametrize("shape", [(5, 5), (6, 4), (4, 6), (2, 3, 3), (0, 0), (1, 1)])
@pytest.mark.parametrize("dtype", INEXACT)
def test_lu(shape, dtype):
    a = numbers(*shape, dtype=dtype)
    for kw in ({}, {"permute_l": True}, {"p_indices": True}):
        ours, theirs = both("lu", a, **kw)
        if len(shape) == 3 and dtype[0] == "c" and gs.current_device().kind == "cuda":
            check_factors(a, ours, theirs, kw)
            continue
        for x, y in zip(ours, theirs):
            close(x, y.real.astype(host(x).dtype) if a.size == 1 and x.dtype.kind != "c" else y, 500)
    if len(shape) == 2:
        ours, theirs = both("lu_factor", a)
        close(ours[0], theirs[0], 500)
        close(ours[1], theirs[1])


def check_factors(a, ours, theirs, kw):
    """An LU factorisation by other pivots than LAPACK's: cuBLAS's batched one may take another element of a complex column
    for the largest (LAPACK compares |re| + |im|)."""
    for x, y in zip(ours, theirs, strict=True):
        assert (x.shape, x.dtype) == (y.shape, y.dtype)
    *first, lower, upper = map(host, ours) if not kw.get("permute_l") else (None, *map(host, ours))
    if kw.get("p_indices"):
        place = first[0]
        product = np.take_along_axis(lower @ upper, place[..., None], axis=-2)
    else:
        product = lower @ upper if first[0] is None else first[0].astype(a.dtype) @ lower @ upper
    close(product, a, 20)
    np.testing.assert_array_equal(upper, np.triu(upper))
    assert np.abs(lower).max() <= np.sqrt(2) * (1 + np.finfo(a.dtype).eps)
    if not kw.get("permute_l"):
        np.testing.assert_array_equal(np.triu(lower), np.broadcast_to(np.eye(a.shape[-1]), a.shape))


@pytest.mark.parametrize("trans", [0, 1, 2])
@pytest.mark.parametrize("dtype", INEXACT)
def test_lu_solve(trans, dtype):
    for shape in ((5, 5), (3, 4, 4)):
        a, b = well_conditioned(*shape, dtype=dtype), numbers(shape[-1], 2, dtype=dtype)
        ours = gs.linalg.lu_solve(gs.linalg.lu_factor(gs.asarray(a)), gs.asarray(b), trans)
        close(ours, scipy.linalg.lu_solve(scipy.linalg.lu_factor(a), b, trans))


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("dtype", INEXACT)
def test_cholesky(lower, dtype):
    for shape in ((5, 5), (3, 4, 4), (0, 0)):
        a = positive(*shape, dtype=dtype)
        close(*both("cholesky", a, lower=lower))
        ours, theirs = both("cho_factor", a, lower=lower)
        triangle = np.tril if lower else np.triu  # the other one is unspecified: what it was, or zeros since SciPy 1.18
        close(triangle(host(ours[0])), triangle(theirs[0]))
        assert np.all(ours[1] == lower)
        if len(shape) == 2 and shape[0]:
            b = numbers(shape[-1], 2, dtype=dtype)
            close(gs.linalg.cho_solve(ours, gs.asarray(b)), scipy.linalg.cho_solve(theirs, b), 200)
            close(gs.linalg.cho_solve(ours, gs.asarray(b[:, 0])), scipy.linalg.cho_solve(theirs, b[:, 0]), 200)


@pytest.mark.parametrize("shape", [(5, 5), (6, 4), (4, 6), (2, 5, 3)])
@pytest.mark.parametrize("dtype", INEXACT)
def test_qr(shape, dtype):
    a = numbers(*shape, dtype=dtype)
    for mode in ("full", "economic", "r"):
        ours, theirs = both("qr", a, mode=mode)
        if mode == "r":
            assert isinstance(ours, tuple) == isinstance(theirs, tuple)  # of a stack: since SciPy 1.18
        for x, y in zip(ours, theirs, strict=True) if mode != "r" or isinstance(theirs, tuple) else [(ours, theirs)]:
            close(x, y, 100)
    if len(shape) == 2:
        (ours, r), (theirs, s) = both("qr", a, mode="raw")
        close(ours[0], theirs[0], 100)
        close(ours[1], theirs[1], 100)
        close(r, s, 100)
        for ours, theirs in zip(*both("qr", a, pivoting=True), strict=True):
            close(ours, theirs, 100)
        c = numbers(3, shape[0], dtype=dtype)
        for ours, theirs in zip(*both("qr_multiply", a, c), strict=True):
            close(ours, theirs, 100)
        for ours, theirs in zip(*both("qr_multiply", a, numbers(min(shape), 2, dtype=dtype), mode="left"), strict=True):
            close(ours, theirs, 100)


@pytest.mark.parametrize("shape", [(5, 5), (6, 4), (4, 6), (2, 5, 3), (2, 3, 5), (1, 4), (0, 0)])
@pytest.mark.parametrize("dtype", INEXACT)
def test_singular_values(shape, dtype):
    a = numbers(*shape, dtype=dtype)
    for full in (True, False):
        (u, s, vh), theirs = both("svd", a, full_matrices=full)
        assert [u.shape, s.shape, vh.shape] == [t.shape for t in theirs]
        close(s, theirs[1])
        u, s, vh = host(u), host(s), host(vh)
        k, eye = (
            s.shape[-1],
            lambda x: np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), (*x.shape[:-2], *[x.shape[-1]] * 2)),
        )
        close(u.conj().mT @ u, eye(u), 100)
        close(vh @ vh.conj().mT, eye(vh.mT), 100)
        close((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, 100)
    close(*both("svdvals", a))
    close(*both("svd", a, compute_uv=False))


def test_what_singular_values_give():
    a = numbers(5, 3) @ numbers(3, 4)
    for name in ("orth", "null_space"):
        ours, theirs = both(name, a)
        close(host(ours) @ host(ours).T, theirs @ theirs.T, 200)
    for side in ("left", "right"):
        for shape in ((5, 4), (4, 5)):
            for ours, theirs in zip(*both("polar", numbers(*shape), side=side)):
                close(ours, theirs, 200)
    for dtype in ("float64", "complex128"):
        for ours, theirs in zip(
            *both("orthogonal_procrustes", numbers(6, 3, dtype=dtype), numbers(6, 3, dtype=dtype, seed=1))
        ):
            close(ours, theirs, 200)
    close(*both("diagsvd", np.array([3.0, 2.0]), 2, 4))


# ---- eigenvalues
@pytest.mark.parametrize("dtype", INEXACT)
def test_symmetric_eigenvalues(dtype):
    for shape in ((5, 5), (3, 4, 4), (1, 1), (0, 0)):
        a = numbers(*shape, dtype=dtype)
        for lower in (True, False):
            (w, v), theirs = both("eigh", a, lower=lower)
            close(w, theirs[0], 100)
            t = np.tril(a) + np.tril(a, -1).conj().mT if lower else np.triu(a) + np.triu(a, 1).conj().mT
            if dtype[0] == "c":
                t.imag[..., np.arange(shape[-1]), np.arange(shape[-1])] = 0
            w, v = host(w), host(v)
            close(t @ v, (v * w[..., None, :]).astype(dtype), 200, 10)
            close(*both("eigvalsh", a, lower=lower), factor=100)


def test_generalised_eigenvalues():
    for dtype in ("float64", "complex128"):
        a, b = numbers(5, 5, dtype=dtype), positive(5, 5, dtype=dtype)
        a = a + a.conj().T
        for kind in (1, 2, 3):
            for lower in (True, False):
                (w, v), theirs = both("eigh", a, b, type=kind, lower=lower)
                close(w, theirs[0], 500)
                close(np.abs(host(v)), np.abs(theirs[1]), 1000)


def test_subsets_of_eigenvalues():
    a = numbers(6, 6)
    for kw in ({"subset_by_index": [1, 3]}, {"subset_by_value": [-1.0, 2.0]}, {"subset_by_value": [-np.inf, np.inf]}):
        (w, v), theirs = both("eigh", a, **kw)
        close(w, theirs[0], 100)
        assert v.shape == theirs[1].shape


def turned(v, reference):
    """The eigenvectors times factors of modulus 1, free in each, such that they point where those of `reference` do."""
    along = (v.conj() * reference).sum(axis=-2, keepdims=True)
    np.testing.assert_allclose(np.abs(along), 1, atol=1000 * np.finfo(v.dtype).eps)
    return (v * (along / np.abs(along))).astype(v.dtype)


@pytest.mark.parametrize("dtype", INEXACT)
def test_general_eigenvalues(dtype):
    for shape in ((5, 5), (3, 4, 4), (0, 0)):
        a = numbers(*shape, dtype=dtype)
        (w, v), theirs = both("eig", a)
        close(w, theirs[0], 500)
        close(turned(host(v), theirs[1]), theirs[1], 1000)
        close(*both("eigvals", a), factor=500)
    a = np.diag(np.arange(1, 5)).astype(dtype)
    (w, v), theirs = both("eig", a)
    close(v, theirs[1])
    close(*both("eigvals", a, homogeneous_eigvals=True))
    ours, theirs = both("eig", numbers(4, 4, dtype=dtype), positive(4, 4, dtype=dtype), left=True)
    for x, y in zip(ours, theirs, strict=True):
        close(x, y, 1e4)


# ---- functions of matrices
@pytest.mark.parametrize("dtype", [*INEXACT, "float16", "int64"])
@pytest.mark.parametrize("size", [1e-3, 0.1, 0.9, 2.5, 8.0, 40.0])
def test_exponential(size, dtype):
    a = numbers(7, 7)
    a = (a * (size / np.linalg.norm(a, 1))).astype(dtype) if dtype != "int64" else np.round(a * size / 10).astype(dtype)
    close(*both("expm", a), factor=300 * max(size, 1))


def test_exponential_of_special_matrices():
    close(*both("expm", np.zeros((3, 3))))
    close(*both("expm", np.array([[0.0, 1e6], [0.0, 0.0]])), factor=300)  # its square is zero: no scaling is needed
    close(*both("expm", numbers(2, 3, 4, 4)), factor=300)
    close(*both("expm", np.triu(numbers(5, 5)) * 20), factor=1e5)
    close(*both("expm", np.array([[2.0]])))
    assert host(gs.linalg.expm(gs.asarray(np.zeros((0, 0))))).shape == (0, 0)
    assert not np.isfinite(host(gs.linalg.expm(gs.asarray(np.full((2, 2), np.nan))))).any()
    with pytest.raises(np.linalg.LinAlgError):
        gs.linalg.expm(gs.asarray(np.ones((2, 3))))


@pytest.mark.parametrize("name", ["cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm"])
def test_trigonometric(name):
    for dtype in INEXACT:
        close(*both(name, numbers(4, 4, dtype=dtype) / 2), factor=500)


def test_powers():
    for a in (numbers(4, 4), numbers(2, 3, 3), np.arange(9).reshape(3, 3)):
        for n in (0, 1, 2, 5, 10):
            close(*both("matrix_power", a, n), factor=200)
    close(*both("matrix_power", well_conditioned(4, 4), -3), factor=500)
    with pytest.raises(TypeError):
        gs.linalg.matrix_power(gs.asarray(np.eye(2)), 1.5)


# ---- norms
@pytest.mark.parametrize("dtype", [*INEXACT, "int32", "float16"])
def test_norms(dtype):
    x, a = numbers(7).astype(dtype), numbers(4, 5).astype(dtype)
    for order in (None, 2, 1, np.inf, -np.inf, 0, 3, -1, 2.5):
        ours, theirs = both("norm", x, order)
        close(ours, np.asarray(theirs, host(ours).dtype), factor=20)  # SciPy gives a Python float for some
        for axis in (0, 1, -1):
            close(*both("norm", a, order, axis=axis, keepdims=True), factor=20)
    for order in (None, "fro", 1, -1, np.inf, -np.inf, *((2, -2, "nuc") if dtype != "float16" else ())):
        ours, theirs = both("norm", a, order)
        close(ours, np.asarray(theirs, host(ours).dtype), factor=20)
        close(*both("norm", np.stack([a, 2 * a]), order, axis=(2, 1), keepdims=True), factor=20)
    close(*both("norm", np.stack([a, a])), factor=20)


def test_norms_do_not_overflow():
    for dtype, big in (("float32", 1e30), ("float64", 1e200), ("complex128", 1e200)):
        for x in (np.full(10, big, dtype), np.full(10, 1 / big, dtype)):
            ours = host(gs.linalg.norm(gs.asarray(x))).astype(x.real.dtype)  # SciPy's is a Python float
            close(ours, np.asarray(np.sqrt(10) * abs(x[0]), x.real.dtype))
    assert host(gs.linalg.norm(gs.asarray(np.zeros(3)))) == 0
    assert host(gs.linalg.norm(gs.asarray(np.array([np.inf, 1.0])), check_finite=False)) == np.inf
    assert host(gs.linalg.norm(gs.asarray(np.zeros(0)))) == 0


def test_numpy_names():
    a, b = numbers(4, 4), numbers(2, 4, 4)
    for p in (None, 1, 2, -2, np.inf, "fro"):
        close(*both("cond", a, p), factor=1000)
    close(*both("matrix_norm", b, ord=1, keepdims=True))
    close(*both("vector_norm", b, axis=(0, 2)))
    close(*both("vector_norm", b, keepdims=True, ord=1))
    chain = [a, numbers(4, 2), numbers(2, 9), numbers(9)]
    close(gs.linalg.multi_dot([gs.asarray(m) for m in chain]), np.linalg.multi_dot(chain))
    close(*both("tensorinv", np.eye(24).reshape(4, 6, 8, 3)))
    close(*both("tensorsolve", np.eye(24).reshape(6, 4, 2, 3, 4), numbers(6, 4)))
    close(*both("cross", numbers(5, 3), numbers(5, 3, seed=1)))
    close(*both("outer", numbers(3), numbers(4)))
    close(*both("trace", b))
    close(*both("diagonal", b))
    close(*both("vecdot", a, a))
    close(*both("tensordot", a, a))
    close(*both("matrix_transpose", b))
    close(*both("matmul", b, a))
    assert int(gs.linalg.matrix_rank(gs.asarray(np.array([0.0, 1.0])))) == 1


# ---- special matrices and structured systems
def test_special_matrices():
    c, r = numbers(4), numbers(3, seed=1)
    close(*both("toeplitz", c, r))
    close(*both("toeplitz", numbers(4, dtype="complex128")))
    close(*both("toeplitz", numbers(2, 4)))
    close(*both("circulant", c))
    close(*both("circulant", numbers(2, 3)))
    close(*both("hankel", c, r))
    close(*both("hankel", np.arange(4)))
    close(*both("companion", c))
    close(*both("fiedler", c))
    close(*both("fiedler_companion", c))
    close(*both("leslie", c, r))
    close(*both("khatri_rao", numbers(3, 2), numbers(4, 2)))
    for mode in ("full", "same", "valid"):
        close(*both("convolution_matrix", c, 6, mode=mode))
        close(*both("convolution_matrix", c, 2, mode=mode))
    close(gs.linalg.block_diag(gs.asarray(numbers(2, 3)), gs.asarray(np.arange(2)), gs.asarray(np.ones((1, 1)))),
          scipy.linalg.block_diag(numbers(2, 3), np.arange(2), np.ones((1, 1))))  # fmt: skip
    assert gs.linalg.block_diag().shape == scipy.linalg.block_diag().shape
    for name in ("hilbert", "invhilbert", "pascal", "invpascal", "helmert", "dft", "hadamard"):
        close(getattr(gs.linalg, name)(4), getattr(scipy.linalg, name)(4))


def test_structured_systems():
    c, r, b = numbers(5) + 6 * np.eye(5)[0], numbers(5, seed=1), numbers(5, 2)
    close(*both("matmul_toeplitz", c, b), factor=100)
    close(gs.linalg.matmul_toeplitz((gs.asarray(c), gs.asarray(r[:3])), gs.asarray(b[:3])),
          scipy.linalg.matmul_toeplitz((c, r[:3]), b[:3]), 100)  # fmt: skip
    close(*both("solve_circulant", c, b), factor=100)
    close(*both("solve_toeplitz", c, b), factor=100)
    with pytest.raises(np.linalg.LinAlgError):
        gs.linalg.solve_circulant(gs.asarray(np.ones(4)), gs.asarray(np.ones(4)))
    close(*both("solve_circulant", np.ones(4), numbers(4), singular="lstsq"), factor=100)
    ab = np.array([[0.0, 1, 1, 1], [4, 4, 4, 4], [1, 1, 1, 0]])
    close(
        gs.linalg.solve_banded((1, 1), gs.asarray(ab), gs.asarray(np.ones(4))),
        scipy.linalg.solve_banded((1, 1), ab, np.ones(4)),
    )
    close(*both("solveh_banded", ab[:2], np.ones(4)))
    cb = scipy.linalg.cholesky_banded(ab[:2])
    close(*both("cholesky_banded", ab[:2]))
    close(gs.linalg.cho_solve_banded((gs.asarray(cb), False), gs.asarray(np.ones(4))),
          scipy.linalg.cho_solve_banded((cb, False), np.ones(4)))  # fmt: skip


def test_structure_questions():
    s = numbers(4, 4) + numbers(4, 4).T
    for a in (s, numbers(4, 4), np.triu(s), np.diag(np.ones(4)), s + 1e-9 * numbers(4, 4)):
        for name in ("issymmetric", "ishermitian"):
            assert getattr(gs.linalg, name)(gs.asarray(a)) is getattr(scipy.linalg, name)(a)
            assert getattr(gs.linalg, name)(gs.asarray(a), atol=1e-6) is getattr(scipy.linalg, name)(a, atol=1e-6)
        assert gs.linalg.bandwidth(gs.asarray(a)) == scipy.linalg.bandwidth(a)


def test_done_on_the_host():
    a, b = well_conditioned(4, 4), numbers(4, 4, seed=1)
    for name, args in {
        "schur": (a,), "hessenberg": (a,), "ldl": (a + a.T,), "rq": (a,), "qz": (a, b), "sqrtm": (a,), "logm": (a,), "signm": (a,),
        "fractional_matrix_power": (a, 0.5), "expm_frechet": (a, b), "expm_cond": (a,), "solve_sylvester": (a, b, a),
        "solve_continuous_lyapunov": (a, b), "solve_discrete_lyapunov": (a / 20, b), "subspace_angles": (a[:, :2], b[:, :2]),
        "eigh_tridiagonal": (np.ones(4), np.ones(3)), "eigvals_banded": (a[:2],), "matrix_balance": (a,), "rsf2csf": (a, b),
        "qr_update": (*np.linalg.qr(a), b[0], b[1]), "solve_continuous_are": (a, b, np.eye(4), np.eye(4)),
    }.items():  # fmt: skip
        ours, theirs = both(name, *args)
        for x, y in zip(ours, theirs, strict=True) if isinstance(theirs, tuple) else [(ours, theirs)]:
            close(x, y, 100)
            assert isinstance(x, gs.ndarray)
            assert x.device is gs.current_device()
    close(gs.linalg.funm(gs.asarray(a), np.exp), scipy.linalg.funm(a, np.exp))


def test_interpolative():
    a = numbers(8, 3) @ numbers(3, 6)
    k, idx, proj = gs.linalg.interpolative.interp_decomp(gs.asarray(a), 1e-8)
    assert k == 3
    skeleton = gs.linalg.interpolative.reconstruct_skel_matrix(gs.asarray(a), k, idx)
    close(gs.linalg.interpolative.reconstruct_matrix_from_id(skeleton, idx, proj), a, 1e4)
    assert isinstance(proj, gs.ndarray)
    u, s, v = gs.linalg.interpolative.svd(a, 1e-8)
    close((u * s) @ v.conj().T, a, 1e4)


def test_raw_routines():
    assert gs.linalg.get_lapack_funcs("getrf", dtype="float32").typecode == "s"
    assert gs.linalg.blas.dgemm(1.0, np.eye(2), np.eye(2)).tolist() == np.eye(2).tolist()


# ---- errors and kinds
@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m, xp: m.inv(xp(np.zeros((2, 2)))), np.linalg.LinAlgError),
        (lambda m, xp: m.solve(xp(np.zeros((2, 2))), xp(np.ones(2))), np.linalg.LinAlgError),
        (lambda m, xp: m.solve_triangular(xp(np.zeros((2, 2))), xp(np.ones(2))), np.linalg.LinAlgError),
        (lambda m, xp: m.cholesky(xp(-np.eye(2))), np.linalg.LinAlgError),
        (lambda m, xp: m.inv(xp(np.full((2, 2), np.nan))), ValueError),
        (lambda m, xp: m.eigh(xp(np.full((2, 2), np.inf))), ValueError),
        (lambda m, xp: m.inv(xp(np.ones((2, 3)))), ValueError),
        (lambda m, xp: m.inv(xp(np.ones(3))), ValueError),
        (lambda m, xp: m.det(xp(np.ones((2, 3)))), ValueError),
        (lambda m, xp: m.eigvalsh(xp(np.ones((2, 3)))), ValueError),
        (lambda m, xp: m.qr(xp(np.ones(3))), ValueError),
        (lambda m, xp: m.svd(xp(np.ones(3))), ValueError),
        (lambda m, xp: m.solve(xp(np.eye(2) + 1), xp(np.ones(3))), ValueError),
        (lambda m, xp: m.solve(xp(np.eye(2) + 1), xp(np.ones(2)), assume_a="nice"), ValueError),
        (lambda m, xp: m.svd(xp(np.eye(2)), lapack_driver="x"), ValueError),
        (lambda m, xp: m.lstsq(xp(np.eye(2)), xp(np.ones(2)), lapack_driver="x"), ValueError),
        (lambda m, xp: m.eigh(xp(np.eye(2)), xp(np.eye(2)), type=4), ValueError),
        (lambda m, xp: m.eigh(xp(np.eye(2)), subset_by_index=[1, 5]), ValueError),
        (lambda m, xp: m.qr(xp(np.eye(2)), mode="x"), ValueError),
        (lambda m, xp: m.norm(xp(np.eye(2)), "x"), ValueError),
        (lambda m, xp: m.norm(xp(np.ones((2, 2, 2))), axis=(0, 1, 2)), ValueError),
        (lambda m, xp: m.polar(xp(np.eye(2)), side="x"), ValueError),
        (lambda m, xp: m.toeplitz(xp(np.array(["a"]))), (TypeError, ValueError)),
    ],
)
def test_errors(call, error):
    if call.__code__.co_names[0] != "toeplitz":
        with pytest.raises(error):
            call(scipy.linalg, np.asarray)
    with pytest.raises(error):
        call(gs.linalg, gs.asarray)
        gs.synchronize()


def test_kinds_of_array():
    a = well_conditioned(3, 3)
    assert type(gs.linalg.inv(a)) is np.ndarray
    assert type(gs.linalg.inv(a.tolist())) is np.ndarray
    assert isinstance(gs.linalg.det(a), (float, np.floating))
    assert all(type(x) is np.ndarray for x in gs.linalg.lu(a))
    assert all(isinstance(x, gs.ndarray) for x in gs.linalg.lu(gs.asarray(a)))
    assert isinstance(gs.linalg.solve(a, gs.asarray(np.ones(3))), gs.ndarray)
    assert isinstance(np.linalg.inv(gs.asarray(a)), gs.ndarray)
    assert isinstance(np.linalg.norm(gs.asarray(a)), gs.ndarray)
