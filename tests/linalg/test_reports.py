"""What users reported of other libraries' linear algebra, and of SciPy's own: the right values, on every way (host, kernels)."""

import warnings

import numpy as np
import pytest
import scipy.linalg
from linalg_helpers import INEXACT, host, numbers

import gpusci as gs
from gpusci import linalg
from gpusci.core.device import HOST


@pytest.fixture(params=["numpy", "kernels"], autouse=True)
def way(request, monkeypatch):
    monkeypatch.setattr(HOST, "uses_numpy", request.param == "numpy")
    with gs.device("host"), warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield request.param


def p_norm(x, p):
    """In long double, whose range holds the powers."""
    size = np.abs(np.asarray(x).astype(np.clongdouble))
    return float((size**p).sum() ** (np.longdouble(1) / p))


# ---- norms: numpy#8775, #19097, #32372, scipy#20136, #25977
@pytest.mark.parametrize("p", [None, 2, 3, 0.5, -2, 7])
@pytest.mark.parametrize("dtype", ["float16", *INEXACT])
def test_norms_of_large_and_small_values(dtype, p):
    info = np.finfo(dtype)
    for size in (float(info.max) / 400, float(info.max) ** 0.6, float(info.tiny) ** 0.6, 30 * float(info.tiny)):
        x = (numbers(3, 4, dtype="complex128" if np.dtype(dtype).kind == "c" else "float64") * size).astype(dtype)
        x[1] *= 0.125
        rows, columns = [p_norm(r, p or 2) for r in x], [p_norm(c, p or 2) for c in x.T]
        if max(rows) > info.max or min(rows) < info.tiny or min(columns) < info.tiny:
            continue
        rtol = 30 * info.eps
        for given in (x, gs.asarray(x)):
            np.testing.assert_allclose(host(linalg.norm(given, p, axis=1)), rows, rtol)
            np.testing.assert_allclose(host(linalg.norm(given, p, axis=0, keepdims=True)), [columns], rtol)
            np.testing.assert_allclose(host(linalg.norm(given[1], p)), rows[1], rtol)
            np.testing.assert_allclose(host(linalg.vector_norm(given, axis=-1, ord=p or 2)), rows, rtol)
            assert host(linalg.norm(given, p, axis=1)).dtype == info.dtype
            if p is None:
                np.testing.assert_allclose(host(linalg.norm(given)), p_norm(x, 2), rtol)
                np.testing.assert_allclose(host(linalg.matrix_norm(given)), p_norm(x, 2), rtol)


def test_norms_of_many_half_precision_values():
    x = np.full((300, 300), 2, np.float16)
    for given in (x, gs.asarray(x)):
        assert float(linalg.norm(given)) == 600
        assert float(linalg.norm(given[0], 3)) == pytest.approx(2 * 300 ** (1 / 3), rel=1e-3)


def test_norms_that_are_not_finite_and_of_nothing():
    for bad in ([np.inf, 1.0], [np.nan, 1.0], [np.nan, np.inf], [0.0, 0.0]):
        for p in (None, 2, 3, -2):
            with np.errstate(divide="ignore"):
                expected = np.linalg.norm(bad, p)
            np.testing.assert_equal(float(linalg.norm(np.array(bad), p, check_finite=False)), expected)
            np.testing.assert_equal(host(linalg.norm(np.array([bad, [3.0, 4.0]]), p, axis=1, check_finite=False))[0], expected)
    for p in (None, 2, 3):
        assert host(linalg.norm(np.zeros((3, 0)), p, axis=1)).tolist() == [0, 0, 0]
        assert host(linalg.norm(np.zeros((0, 3)), p, axis=1)).size == 0
    with pytest.raises(ValueError, match="NaN"):
        host(linalg.norm(np.array([[1.0, np.nan]]), axis=1))
    assert float(linalg.norm(np.array([-128, 0], np.int8), 3)) == pytest.approx(128)


# ---- numpy.linalg's names: whole numbers are computed in float64, also small ones
@pytest.mark.parametrize("dtype", ["?", "b", "B", "H", "i"])
def test_whole_numbers_in_numpys_functions(dtype):
    a = np.array([[1, 0], [1, 1]]).astype(dtype)
    x = gs.asarray(a)
    tensor = np.eye(4).reshape(2, 2, 2, 2).astype(dtype)
    pairs = [
        (linalg.slogdet(x).sign, np.linalg.slogdet(a).sign), (linalg.cond(x), np.linalg.cond(a)),
        (linalg.cond(x, 1), np.linalg.cond(a, 1)), (linalg.matrix_rank(x), np.linalg.matrix_rank(a)),
        (linalg.matrix_power(x, -2), np.linalg.matrix_power(a, -2)), (linalg.tensorinv(gs.asarray(tensor)), np.linalg.tensorinv(tensor)),
        (linalg.tensorsolve(gs.asarray(tensor), x), np.linalg.tensorsolve(tensor, a)),
    ]  # fmt: skip
    for ours, theirs in pairs:
        assert host(ours).dtype == np.asarray(theirs).dtype
        np.testing.assert_allclose(host(ours), theirs, 1e-13, 1e-13)


def test_rank_of_nearly_singular_whole_numbers():
    a = np.array([[60000, 59999], [59999, 59998]], np.uint16)      # its determinant is -1
    assert int(linalg.matrix_rank(gs.asarray(a))) == 2
    assert float(linalg.slogdet(gs.asarray(a)).logabsdet) == pytest.approx(0, abs=1e-5)


def test_rank_of_empty_matrices():      # numpy#30915
    for shape in ((0, 3), (3, 0), (0, 0)):
        assert int(linalg.matrix_rank(np.zeros(shape))) == 0
        assert int(linalg.matrix_rank(gs.zeros(shape))) == 0
    assert host(linalg.matrix_rank(gs.zeros((2, 0, 3)))).tolist() == [0, 0]


@pytest.mark.parametrize("p", [1, -1, np.inf, -np.inf, "fro", "nuc"])
def test_condition_of_singular_matrices(p):
    singular, regular = np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 1.0]])
    if p != "nuc":      # NumPy: SVD did not converge
        assert float(linalg.cond(gs.asarray(singular), p)) == np.inf
        got = host(linalg.cond(gs.asarray(np.stack([singular, regular])), p))
        np.testing.assert_allclose(got, [np.inf, np.linalg.cond(regular, p)])
    assert host(linalg.cond(gs.zeros((0, 2, 2)), p)).shape == (0,)
    for wrong in (gs.ones(3), gs.ones((2, 3)), gs.zeros((0, 0))):
        with pytest.raises(np.linalg.LinAlgError):
            linalg.cond(wrong, p)
    with pytest.raises(np.linalg.LinAlgError):
        linalg.cond(gs.ones(3))


# ---- functions of matrices
def test_square_root_of_a_number():     # scipy#25610
    for given in (4.0, np.int64(4), [4.0], gs.asarray(4.0)):
        assert host(linalg.sqrtm(given)).tolist() == [[2.0]]
    assert host(linalg.sqrtm(-4.0)).tolist() == [[2j]]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_logarithm_ends(value):         # SciPy's never does
    bad = np.array([[1.0, value], [0.0, 2.0]])
    for given in (bad, bad.astype("float32"), bad.astype(complex), gs.asarray(bad)):
        assert np.isnan(host(linalg.logm(given))).all()
    stack = host(linalg.logm(np.stack([bad, np.diag([1.0, np.e]), bad.T])))
    np.testing.assert_array_equal(np.isnan(stack).all((1, 2)), [True, False, True])
    np.testing.assert_allclose(stack[1], np.diag([0.0, 1.0]), atol=1e-15)


def test_sign_keeps_single_precision():     # scipy#25657
    defective = np.array([[0, 1, 0], [0, 0, 0], [0, 0, 2]])
    for dtype in INEXACT:
        for given in (defective.astype(dtype), gs.asarray(defective.astype(dtype))):
            assert host(linalg.signm(given)).dtype == dtype


def test_exponential_with_nan(way):
    nan = np.nan
    upper, lower = ([[1, nan], [0, 1]], [[nan, nan], [0, nan]]), ([[1, 0], [nan, 1]], [[nan, 0], [nan, nan]])
    for a, want in (upper, lower, (np.diag([1, nan]), np.diag([np.e, nan]))):
        want = want if way == "kernels" else scipy.linalg.expm(np.array(a))     # SciPy 1.18's triangles lose their zeros
        np.testing.assert_allclose(host(linalg.expm(gs.asarray(a))), want, 1e-14)


def test_factors_of_a_number():
    assert host(linalg.cholesky(gs.asarray(4.0))).tolist() == [[2.0]]
    assert host(linalg.cho_factor(gs.asarray([4.0]))[0]).tolist() == [[2.0]]


def test_inverse_of_complex_symmetric_matrices():       # scipy#24423: symmetric is not Hermitian
    for n in (1, 2, 3, 6):
        s = numbers(n, n)
        a = np.diag(numbers(n)) + 1j * (s + s.T)
        for given in (a, gs.asarray(a)):
            np.testing.assert_allclose(host(linalg.inv(given)) @ a, np.eye(n), atol=1e-11 * np.linalg.cond(a))


# ---- matrix equations: scipy#26177, #26227
@pytest.mark.parametrize("kinds", ["fFd", "dDd", "DdD", "ddD", "iDi", "Ddd"])
def test_equations_of_real_and_complex_matrices(kinds):
    a, b, q = (numbers(4, 4, dtype="complex128" if k in "FD" else "float64", seed=i).astype(k) for i, k in enumerate(kinds))
    a = (a + 9 * np.eye(4)).astype(a.dtype)     # no two eigenvalues of opposite signs
    tol = 1e-3 if "f" in kinds else 1e-10
    for on in (lambda v: v, gs.asarray):
        x = host(linalg.solve_sylvester(on(a), on(b), q=on(q)))
        np.testing.assert_allclose(a @ x + x @ b, q, atol=tol)
        x = host(linalg.solve_continuous_lyapunov(on(a), on(q)))
        np.testing.assert_allclose(a @ x + x @ a.conj().T, q, atol=tol)
        for method in ("direct", "bilinear"):
            x = host(linalg.solve_discrete_lyapunov(on(a), on(q), method))
            np.testing.assert_allclose(a @ x @ a.conj().T - x, -q, atol=tol)


@pytest.mark.parametrize("mode", ["right", "left"])
def test_complex_products_with_real_q(mode):
    a, rows = numbers(5, 3), numbers(2, 5, dtype="complex128")
    q, r = scipy.linalg.qr(a, mode="economic")
    for on in (lambda v: v, gs.asarray):
        c = rows if mode == "right" else rows[:, :3].T
        product, triangle = map(host, linalg.qr_multiply(on(a), on(c), mode))
        np.testing.assert_allclose(np.abs(product), np.abs(c @ q if mode == "right" else q @ c), atol=1e-14)     # signs of q are free
        assert triangle.dtype == r.dtype


@pytest.mark.parametrize("kinds", ["fd", "Dd", "dD", "DD"])
def test_banded_systems_of_one_equation(kinds):
    a, b = (np.array([[v]]).astype(k) for k, v in zip(kinds, (4, 2)))
    unused = np.concatenate([np.full_like(a, np.nan), a]), np.concatenate([a, np.full_like(a, np.nan)])
    for on in (lambda v: v, gs.asarray):
        for below, above, band in ((0, 0, a), (0, 1, unused[0]), (1, 0, unused[1])):
            assert host(linalg.solve_banded((below, above), on(band), on(b), check_finite=False)).tolist() == [[0.5]]
        for lower, band in ((False, unused[0]), (True, unused[1]), (False, a), (True, a)):
            assert host(linalg.solveh_banded(on(band), on(b), lower=lower, check_finite=False)).tolist() == [[0.5]]
