"""The matrix exponential's choices (degree, halvings, waits) and its kernels; Euclidean norms of extreme numbers."""

import pathlib
import sys

import numpy as np
import pytest
import scipy.linalg
from linalg_helpers import close, host

import gpusci as gs
from gpusci.core.host import HOST
from gpusci.linalg import _functions, _kernels

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "core"))
DTYPES = ["float32", "float64", "complex64", "complex128"]


@pytest.fixture(autouse=True)
def own_kernels(monkeypatch):
    monkeypatch.setattr(HOST, "uses_numpy", False)
    with gs.device("host"):
        yield


@pytest.fixture
def seen(monkeypatch):
    """What expm asks for: waits, degrees below 13, halvings."""
    calls = {"_tops": [], "_low_order": [], "_order_13": []}

    def watch(name):
        plain = getattr(_functions, name)

        def watched(*args):
            calls[name].append(args)
            return plain(*args)

        monkeypatch.setattr(_functions, name, watched)

    for name in calls:
        watch(name)
    return calls


def matrix(n, norm, dtype="float64", seed=0):
    r = np.random.default_rng((seed, n))
    a = r.standard_normal((n, n)) + (1j * r.standard_normal((n, n)) if dtype[0] == "c" else 0)
    return (a * (norm / np.linalg.norm(a, 1))).astype(dtype)


@pytest.mark.parametrize(("norm", "degree"), [(0.0149, 3), (0.25, 5), (0.95, 7), (2.09, 9)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_norms_up_to_two_cost_one_wait(seen, norm, degree, dtype):
    a = matrix(20, norm, dtype)
    close(gs.linalg.expm(gs.asarray(a)), scipy.linalg.expm(a), factor=50)
    assert len(seen["_tops"]) == 1
    assert [args[2] for args in seen["_low_order"]] == [degree]


@pytest.mark.parametrize("small", [256, 8])     # all powers at once, or those that are needed
@pytest.mark.parametrize("norm", [2.2, 6, 30, 300])
@pytest.mark.parametrize("dtype", DTYPES)
def test_degree_13(seen, monkeypatch, norm, dtype, small):
    monkeypatch.setattr(_functions, "SMALL", small)
    a = matrix(20, norm, dtype)
    exact = scipy.linalg.expm(a.astype(complex))
    exact = exact if dtype[0] == "c" else exact.real
    close(gs.linalg.expm(gs.asarray(a)), exact.astype(dtype), factor=300 * norm)
    assert not seen["_low_order"]
    (args,) = seen["_order_13"]
    d4, d6, d8, d10 = (np.linalg.norm(np.linalg.matrix_power(a.astype(complex), k), 1) ** (1 / k) for k in (4, 6, 8, 10))
    least = np.ceil(np.log2(min(max(d4, d6), max(d6, d8), max(d8, d10)) / 4.25))
    assert args[4] == max(least, 0) + _further(a, max(least, 0))
    assert len(seen["_tops"]) <= 4              # the norm; the powers' norms, |A|^27's; two more powers' of large matrices


def _further(a, s):
    """l(A) of the paper for the halved matrix."""
    size = np.abs(a).astype(float) * 2.0**-s
    top = np.linalg.norm(np.linalg.matrix_power(size, 27), 1) / np.linalg.norm(size, 1)
    c = 1 / (scipy.special.comb(26, 13) * float(scipy.special.factorial(27)))
    return max(np.ceil(np.log2(c * top * 2.0**53) / 26), 0)


def test_no_halving_for_what_vanishes(seen):
    a = np.triu(np.full((3, 3), 1e30), 1)       # the third power is zero
    np.testing.assert_allclose(host(gs.linalg.expm(gs.asarray(a))), np.eye(3) + a + a @ a / 2, rtol=1e-14)
    assert not np.isfinite(host(gs.linalg.expm(gs.asarray(np.full((3, 3), 1e200))))).any()


@pytest.mark.parametrize("view", [lambda x: x.T, lambda x: x[::-1, ::-1], lambda x: np.asfortranarray(x), lambda x: x[::2, ::2]])
def test_layouts_and_what_is_given_stays(view):
    a = view(matrix(20, 5.0))
    x = gs.asarray(a)
    close(gs.linalg.expm(x), scipy.linalg.expm(a), factor=300)
    close(gs.linalg.expm(gs.asarray(matrix(20, 5.0)).T[1:, 1:]), scipy.linalg.expm(matrix(20, 5.0).T[1:, 1:]), factor=300)
    np.testing.assert_array_equal(host(x), a)


@pytest.mark.parametrize("n", [1, 31, 32, 65, 100])
@pytest.mark.parametrize("dtype", DTYPES)
def test_block_kernels(monkeypatch, tmp_path_factory, n, dtype):
    from block_emulator import emulate_blocks

    emulate_blocks(monkeypatch, tmp_path_factory.getbasetemp(), (_kernels.column_sums_block, _kernels.magnitude_power))
    a, b = (gs.asarray(matrix(n, 1.0, dtype, seed), device="host") for seed in (1, 2))
    weights = gs.asarray(np.linspace(0, 1, n), device="host")
    ours, plain = (gs.empty((4, n), device="host") for _ in range(2))
    args = (a, b, None, None, weights, plain, n, 2, 0.5)
    _kernels.column_sums(4 * n, (a.dtype,), *args)
    _kernels.column_sums_block(4 * ((n + 31) // 32), (a.dtype,), *args[:5], ours, *args[6:])
    x, y = (np.abs(m.numpy().astype(complex)) for m in (a, b))      # in double, as the kernels
    w, near = weights.numpy()[:, None] / 2, (n + 8) * np.finfo(float).eps  # sums of n positive terms, each of a few roundings
    expected = [(m * w).sum(0) for m in (x, y, np.tril(x, -1), np.triu(x, 1))]
    for got in (ours, plain):
        np.testing.assert_allclose(got.numpy(), expected, rtol=near)
    power = gs.empty((n,), device="host")
    _kernels.magnitude_power(1, (a.dtype,), a, power, n, 5, 2.0)
    np.testing.assert_allclose(power.numpy(), np.linalg.matrix_power(2 * x, 5).sum(0), rtol=5 * near)


# ---- norms
@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-160, 1e-155, 1.0, 1e150, 1e155, 1e300])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_euclidean_norms_neither_overflow_nor_underflow(dtype, scale):
    x = matrix(33, 1.0, dtype).ravel() * scale
    for y in (x, np.append(x, 1e-170), np.append(x, 0), x.reshape(33, 33)[:, ::2]):
        exact = np.sqrt((np.abs(y.astype(np.clongdouble)) ** 2).sum())
        np.testing.assert_allclose(float(gs.linalg.norm(gs.asarray(y))), float(exact), rtol=4e-15)


@pytest.mark.parametrize("values", [[np.nan, 1e200], [np.inf, 1], [np.nan, 1e-300], [5e-324], [1e-310, 0], [1e308, 1e308], [0.0]])
def test_euclidean_norms_of_special_values(values):
    ours = gs.linalg.norm(gs.asarray(values), check_finite=False)
    np.testing.assert_allclose(host(ours), scipy.linalg.norm(values, check_finite=False), rtol=1e-15)
