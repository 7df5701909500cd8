"""Factorials, combinations, Pochhammer's symbol: exactness, types, SciPy's errors."""

import math

import numpy as np
import pytest
import scipy.special as reference

import gpusci as gs
from gpusci import special

NAMES = [("factorial", ()), ("factorial2", ()), ("factorialk", (3,))]


def product(n, k):
    return math.prod(range(n, 0, -k)) if n >= 0 else 0


@pytest.mark.parametrize("k, limit", [(1, 18), (2, 30), (3, 43)])
def test_rounded_results_are_exact_while_they_fit_a_float(k, limit):
    n = np.arange(-3, limit + 1)
    got = special.factorialk(n, k)
    assert got.dtype == np.float64
    assert [int(v) for v in got] == [product(int(m), k) for m in n]


@pytest.mark.parametrize("name, order", NAMES)
def test_exact_results_are_integers_of_any_size(name, order):
    f, k = getattr(special, name), order[0] if order else {"factorial": 1, "factorial2": 2}[name]
    assert f(170, *order, exact=True) == product(170, k)
    assert type(f(20, *order, exact=True)) is int
    small, big = f(np.array([5, -1, 0]), *order, exact=True), f(np.array([[60], [5]]), *order, exact=True)
    assert small.dtype == np.int64 and small.tolist() == [product(5, k), 0, 1]
    assert big.shape == (2, 1) and int(big[0, 0]) == product(60, k)


@pytest.mark.parametrize("name, order", NAMES)
@pytest.mark.parametrize("bad, keywords", [
    ("a", {}), (True, {}), (np.array([True]), {}), (1j, {}), (np.array([1j]), {}), (2.5, {"exact": True}), (3, {"extend": "x"}),
    (3, {"exact": True, "extend": "complex"}), (np.array([1.5]), {"exact": True}),
])  # fmt: skip
def test_errors_are_scipys(name, order, bad, keywords):
    for module in (special, reference):
        with pytest.raises(ValueError):
            getattr(module, name)(bad, *order, **keywords)


def test_orders_are_checked():
    for module in (special, reference):
        for k in (0, -1, "a", [3], 2.5):
            with pytest.raises(ValueError):
                module.factorialk(5, k)


@pytest.mark.parametrize("name, order", NAMES)
def test_the_complex_extension(name, order):
    f, g = getattr(special, name), getattr(reference, name)
    for n in (0, 1, 5, -3, 2.5, np.float64(3), np.array([0, 1, 4, -2]), np.array([2.5, -1.5]), np.array([1 + 1j, 2 - 3j]), 1j):
        got, want = f(n, *order, extend="complex"), g(n, *order, extend="complex")
        assert np.asarray(got).dtype == np.asarray(want).dtype and np.shape(got) == np.shape(want)
        np.testing.assert_allclose(got, want, rtol=1e-13)


def test_none_nan_and_empty():
    assert np.isnan(special.factorial(None)) and np.isnan(special.factorial(np.nan))
    assert special.factorial(np.array([], int)).dtype == int
    assert special.factorial([]).shape == (0,)


def test_device_arrays_stay_device_arrays():
    x = gs.asarray(np.arange(6.0))
    got = special.factorial(x)
    assert isinstance(got, gs.ndarray) and got.device == x.device
    np.testing.assert_array_equal(gs.asnumpy(got), [1, 1, 2, 6, 24, 120])
    assert isinstance(special.comb(x, 2), gs.ndarray)


def test_combinations():
    n, k = np.arange(-2, 25)[:, None], np.arange(-2, 25)
    want = [[math.comb(int(a), int(b)) if a >= 0 and b >= 0 else 0 for b in k] for a in n[:, 0]]
    np.testing.assert_array_equal(special.comb(n, k), np.array(want, float))
    want = [[math.perm(int(a), int(b)) if a >= 0 and b >= 0 else 0 for b in k] for a in n[:, 0]]
    np.testing.assert_allclose(special.perm(n, k), np.array(want, float), rtol=3e-15)
    assert special.comb(1000, 500, exact=True) == math.comb(1000, 500)
    assert special.comb(5, 0, repetition=True) == special.comb(0, 0, repetition=True) == 1
    assert special.comb(4, 3, exact=True, repetition=True) == special.comb(4, 3, repetition=True) == 20
    with pytest.raises(ValueError):
        special.comb(10.5, 3, exact=True)
    with pytest.raises(ValueError):
        special.perm([10, 3], 3, exact=True)


@pytest.mark.parametrize("z, m, want", [(2, 3, 24), (0, 0, 1), (-2, 2, 2), (-3, 5, 0), (5, -2, 1 / 12), (-30, 25,
    -math.factorial(30) / 120)])
def test_pochhammer_at_integers(z, m, want):
    assert special.poch(z, m) == pytest.approx(want, rel=4e-16, abs=0)


def test_multigammaln():
    a = np.array([[3.0, 4.5], [20.0, 7.25]])
    np.testing.assert_allclose(special.multigammaln(a, 4), reference.multigammaln(a, 4), rtol=1e-14)
    for bad in ((0.5, 2), (3.0, 2.5)):
        with pytest.raises(ValueError):
            special.multigammaln(*bad)
