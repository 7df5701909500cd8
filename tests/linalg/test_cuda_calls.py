"""The calls to cuBLAS and cuSOLVER, without a GPU: everything of test_linalg.py that factorises, on emulated libraries."""

import inspect

import emulated
import numpy as np
import pytest
import test_linalg

import gpusci as gs
from gpusci.core.libraries import blas


@pytest.fixture(autouse=True)
def cuda(emulated_gpu):
    return emulated_gpu


@pytest.mark.parametrize("name", ["cublas", "cusolverDn"])
def test_emulations_have_the_real_signatures(name):
    real = pytest.importorskip("nvmath.bindings." + name)
    for method, function in inspect.getmembers(
        {"cublas": emulated.Cublas, "cusolverDn": emulated.Cusolver}[name], inspect.isfunction
    ):
        parameters = list(inspect.signature(function).parameters)[1:]
        if method.startswith("_") or "rest" in parameters:
            continue
        theirs = list(inspect.signature(getattr(real, method)).parameters)
        assert len(theirs) == len(parameters) or "args" in parameters
        if method.startswith("gemm"):
            assert parameters == theirs


# ---- products
LAYOUTS = [
    lambda x: x, lambda x: np.asfortranarray(x), lambda x: x[::-1], lambda x: np.kron(x, np.ones((1, 2)))[:, ::2],
    lambda x: np.kron(x, np.ones((2, 1)))[::2], lambda x: np.pad(x, 2)[2:-2, 2:-2], lambda x: np.pad(x, 2).T[2:-2, 2:-2].T,
]  # fmt: skip


def random(*shape, dtype="float64", seed=0):
    r = np.random.default_rng((seed, *shape))
    x = r.standard_normal(shape) + (1j * r.standard_normal(shape) if dtype[0] == "c" else 0)
    return x.astype(dtype)


def same(ours, theirs, dtype):
    ours = ours.numpy()
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype == dtype
    if theirs.size:
        assert np.abs(ours - theirs).max() <= 20 * np.finfo(dtype).eps * max(np.abs(theirs).max(), 1)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_matmul_layouts(dtype):
    a, b = random(4, 5, dtype=dtype), random(5, 3, dtype=dtype)
    expected = (a.astype("float32") @ b.astype("float32")).astype(dtype) if dtype == "float16" else a @ b
    for la in LAYOUTS:
        for lb in LAYOUTS:
            x, y = gs.asarray(la(a).astype(dtype, copy=False)), gs.asarray(lb(b).astype(dtype, copy=False))
            reference = la(np.arange(20).reshape(4, 5)) @ lb(np.arange(15).reshape(5, 3))
            got = blas.matmul(gs.asarray(la(np.arange(20.0).reshape(4, 5))), gs.asarray(lb(np.arange(15.0).reshape(5, 3))))
            np.testing.assert_array_equal(got.numpy(), reference)
            if la in LAYOUTS[:2] and lb in LAYOUTS[:2]:
                same(blas.matmul(x, y), expected, dtype)
                for lo in LAYOUTS:
                    out = gs.asarray(lo(np.zeros((4, 3), dtype)).astype(dtype, copy=False))
                    assert blas.matmul(x, y, out) is out
                    same(out, expected, dtype)


@pytest.mark.parametrize("shapes", [
    ((3, 4, 5), (3, 5, 2)), ((3, 4, 5), (5, 2)), ((4, 5), (3, 5, 2)), ((2, 3, 4, 5), (3, 5, 2)), ((2, 1, 4, 5), (3, 5, 2)),
    ((20, 1, 4, 5), (1, 30, 5, 2)), ((5,), (5,)), ((5,), (5, 3)), ((4, 5), (5,)), ((3, 4, 5), (5,)), ((5,), (3, 5, 2)),
    ((0, 5), (5, 2)), ((4, 0), (0, 2)), ((0,), (0,)), ((2, 0, 5), (5, 3)), ((1, 1), (1, 1)), ((1, 5), (5, 1)),
])  # fmt: skip
def test_matmul_batches(shapes):
    a, b = random(*shapes[0]), random(*shapes[1])
    same(blas.matmul(gs.asarray(a), gs.asarray(b)), np.asarray(a @ b), "float64")
    if a.ndim > 2:
        view = a[::-1].swapaxes(-1, -2).copy().swapaxes(-1, -2)
        same(blas.matmul(gs.asarray(view), gs.asarray(b)), view @ b, "float64")


def test_matmul_takes_the_fewest_calls(cuda):
    calls = cuda["cublas"].calls
    for shapes, expected in [(((8, 4, 5), (8, 5, 2)), "strided"), (((8, 4, 5), (5, 2)), "gemm"), (((5,), (5,)), "dot"),
                             (((20, 1, 4, 5), (1, 30, 5, 2)), "pointers"), (((4, 5), (8, 5, 2)), "strided")]:  # fmt: skip
        calls.clear()
        blas.matmul(gs.asarray(random(*shapes[0])), gs.asarray(random(*shapes[1])))
        assert calls == [expected]


def test_matmul_into_its_own_operand():
    a = random(4, 4)
    x = gs.asarray(a.copy())
    blas.matmul(x, x, x)
    same(x, a @ a, "float64")
    y = gs.asarray(a.copy())
    blas.matmul(y, gs.asarray(a), y.T)
    same(y, (a @ a).T, "float64")


def test_matmul_errors():
    with pytest.raises(ValueError, match="mismatch"):
        blas.matmul(gs.asarray(np.ones((2, 3))), gs.asarray(np.ones((2, 3))))
    with pytest.raises(ValueError, match="dimensions"):
        blas.matmul(gs.asarray(np.ones(())), gs.asarray(np.ones(3)))
    with pytest.raises(TypeError):
        blas.matmul(gs.asarray(np.ones((2, 2), int)), gs.asarray(np.ones((2, 2), int)))
    with pytest.raises(ValueError, match="out"):
        blas.matmul(gs.asarray(np.ones((2, 2))), gs.asarray(np.ones((2, 2))), gs.asarray(np.ones((3, 2))))


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
@pytest.mark.parametrize("batch", [(), (3,), (5, 4)])
def test_triangular_solves(batch, dtype):
    a = random(*batch, 4, 4, dtype=dtype) + 4 * np.eye(4, dtype=dtype)
    for order in (lambda x: x, lambda x: x.swapaxes(-1, -2).copy().swapaxes(-1, -2)):
        for lower in (True, False):
            for trans, op in (("N", lambda x: x), ("T", lambda x: x.mT), ("C", lambda x: x.mT.conj())):
                for nrhs in (1, 3):
                    b = random(*batch, 4, nrhs, dtype=dtype)
                    for layout in (lambda x: x, lambda x: x.mT.copy().mT):
                        x = gs.asarray(layout(b.copy()))
                        blas.trsm(gs.asarray(order(a)), x, lower=lower, trans=trans)
                        t = op(np.tril(a) if lower else np.triu(a))
                        assert np.abs(t @ x.numpy() - b).max() < 100 * np.finfo(dtype).eps
                        x = gs.asarray(layout(b.copy()))
                        blas.trsm(gs.asarray(order(a)), x, lower=lower, trans=trans, unit_diagonal=True)
                        unit = t - t * np.eye(4) + np.eye(4)
                        assert np.abs(unit @ x.numpy() - b).max() < 1000 * np.finfo(dtype).eps * np.abs(x.numpy()).max()


# ---- test_linalg.py again, through the emulations
TESTS = [
    "test_solve_dtypes", "test_solve_structures", "test_solve_stacks", "test_layouts", "test_triangular", "test_determinants",
    "test_least_squares", "test_least_squares_of_deficient_rank", "test_lu", "test_lu_solve", "test_cholesky", "test_qr",
    "test_singular_values", "test_what_singular_values_give", "test_symmetric_eigenvalues", "test_generalised_eigenvalues",
    "test_subsets_of_eigenvalues", "test_general_eigenvalues", "test_exponential_of_special_matrices",
]  # fmt: skip


def _cases():
    for name in TESTS:
        test = getattr(test_linalg, name)
        rows = [{}]
        for mark in getattr(test, "pytestmark", ()):
            names = [n.strip() for n in mark.args[0].split(",")]
            rows = [{**row, **dict(zip(names, [v] if len(names) == 1 else v))} for row in rows for v in mark.args[1]]
        for i, row in enumerate(rows):
            yield pytest.param(test, row, id=f"{name}-{i}")


@pytest.mark.parametrize(("test", "arguments"), list(_cases()))
def test_emulated(test, arguments):
    test(**arguments)


def test_large_stacks_are_factored_in_one_call():
    a = random(40, 3, 3) + 3 * np.eye(3)
    b = random(40, 3, 2)
    same(gs.linalg.solve(gs.asarray(a), gs.asarray(b)), np.linalg.solve(a, b), "float64")
    same(gs.linalg.inv(gs.asarray(a)), np.linalg.inv(a), "float64")
    same(gs.linalg.det(gs.asarray(a)), np.linalg.det(a), "float64")


def test_errors_are_reported():
    for call in (lambda: gs.linalg.inv(gs.zeros((2, 2))), lambda: gs.linalg.cholesky(-gs.eye(3))):
        with pytest.raises(np.linalg.LinAlgError):
            call()
    with pytest.raises(ValueError, match="infs or NaNs"):
        gs.linalg.svd(gs.full((2, 2), np.inf))
