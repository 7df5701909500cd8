"""Elementary functions of special, elliptic integrals and logsumexp: mpmath, SciPy's edges, bad input."""

import numpy as np
import pytest
import scipy.special as reference

import gpusci as gs
from gpusci import special

mp = pytest.importorskip("mpmath", reason="the references: a wheel that GPU machines may lack")

RNG = np.random.default_rng(3)
N = 80
REAL = np.concatenate([RNG.uniform(-30, 30, N // 2), RNG.normal(size=N // 2)])
POSITIVE, UNIT = 10 ** RNG.uniform(-6, 6, N), RNG.uniform(0, 1, N)
DEGREES, POWER = RNG.uniform(-2000, 2000, N), RNG.uniform(-3, 3, N)
CLOSE = POSITIVE * np.where(RNG.random(N) < 0.5, 1 + RNG.uniform(-0.1, 0.1, N), 10 ** RNG.uniform(-3, 3, N))

# name -> (arguments, truth, ceiling in eps); Box and Cox's transforms are as conditioned as x^l
TRUTH = {
    "expit": ((REAL,), lambda x: 1 / (1 + mp.exp(-x)), 1.5),
    "log_expit": ((REAL,), lambda x: -mp.log1p(mp.exp(-x)), 1.5),
    "logit": ((UNIT,), lambda p: mp.log(p / (1 - p)), 1.5),
    "xlogy": ((REAL, POSITIVE), lambda x, y: x * mp.log(y), 1.5),
    "xlog1py": ((REAL, POSITIVE), lambda x, y: x * mp.log1p(y), 1.5),
    "entr": ((POSITIVE,), lambda x: -x * mp.log(x), 1.5),
    "rel_entr": ((POSITIVE, CLOSE), lambda x, y: x * mp.log(x / y), 1.5),
    "huber": ((POSITIVE, REAL), lambda d, r: r * r / 2 if abs(r) <= d else d * (abs(r) - d / 2), 1.5),
    "pseudo_huber": ((POSITIVE, REAL), lambda d, r: d * d * (mp.sqrt(1 + (r / d) ** 2) - 1), 2.5),
    "boxcox": ((POSITIVE, POWER), lambda x, p: mp.expm1(p * mp.log(x)) / p, 25),
    "boxcox1p": ((POSITIVE, POWER), lambda x, p: mp.expm1(p * mp.log1p(x)) / p, 25),
    "inv_boxcox": ((UNIT, abs(POWER)), lambda y, p: mp.exp(mp.log1p(p * y) / p), 3),
    "inv_boxcox1p": ((UNIT, abs(POWER)), lambda y, p: mp.expm1(mp.log1p(p * y) / p), 3),
    "exprel": ((REAL,), lambda x: mp.expm1(x) / x, 1.5),
    "cosm1": ((REAL[N // 2 :],), lambda x: mp.cos(x) - 1, 2),
    "cbrt": ((POSITIVE,), mp.cbrt, 1),
    "exp2": ((REAL,), lambda x: mp.mpf(2) ** x, 1),
    "exp10": ((REAL,), lambda x: mp.mpf(10) ** x, 1),
    "sindg": ((DEGREES,), lambda x: mp.sinpi(x / 180), 1.5),
    "cosdg": ((DEGREES,), lambda x: mp.cospi(x / 180), 1.5),
    "tandg": ((DEGREES,), lambda x: mp.sinpi(x / 180) / mp.cospi(x / 180), 2.5),
    "cotdg": ((DEGREES,), lambda x: mp.cospi(x / 180) / mp.sinpi(x / 180), 2.5),
    "radian": ((DEGREES, UNIT * 60, UNIT * 60), lambda d, m, s: (d + (m + s / 60) / 60) * mp.pi / 180, 1.5),
    "ellipk": ((np.where(UNIT < 0.5, UNIT, -POSITIVE),), mp.ellipk, 2.5),
    "ellipkm1": ((POSITIVE,), lambda p: mp.ellipk(1 - p), 2.5),
    "ellipe": ((np.where(UNIT < 0.8, UNIT, -POSITIVE),), mp.ellipe, 4),
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", TRUTH)
def test_against_mpmath(name, dtype):
    arguments, truth, ceiling = TRUTH[name]
    arguments = [a.astype(dtype) for a in arguments]
    got, info = getattr(special, name)(*arguments), np.finfo(dtype)
    assert got.dtype == dtype
    worst = 0
    with mp.workdps(60):
        for y, *x in zip(got, *arguments):
            exact = mp.re(truth(*[mp.mpf(float(v)) for v in x]))
            if info.tiny < abs(exact) < info.max:
                worst = max(worst, abs(mp.mpf(float(y)) - exact) / abs(exact) / float(info.eps))
    assert worst < ceiling


EDGES = np.array([-np.inf, -1, -0.0, 0, 0.5, 1, np.inf, np.nan])
ONE = ["expit", "log_expit", "logit", "entr", "exprel", "cbrt", "exp2", "exp10", "ellipk", "ellipe", "ellipkm1"]
TWO = ["xlogy", "xlog1py", "rel_entr", "kl_div", "huber", "pseudo_huber", "boxcox", "boxcox1p", "inv_boxcox", "inv_boxcox1p"]


@pytest.mark.parametrize("name", ONE + TWO)
def test_edges_are_scipys(name):
    arguments = (EDGES,) if name in ONE else np.meshgrid(EDGES, EDGES)
    with np.errstate(all="ignore"):
        want = getattr(reference, name)(*arguments)
    np.testing.assert_allclose(getattr(special, name)(*arguments), want, rtol=1e-14)


def test_degrees_are_exact_at_the_quarters():
    x = np.arange(-720, 721, 90.0)
    for name in ("sindg", "cosdg", "tandg", "cotdg"):
        np.testing.assert_array_equal(getattr(special, name)(x), getattr(reference, name)(x))
    assert special.sindg(3.6e15 + 30) == 0.5


def test_kl_div_and_exprel_beyond_scipy():
    assert special.kl_div(2.0, 3.0) == pytest.approx(2 * np.log(2 / 3) + 1, rel=1e-15)
    assert special.exprel(712.0) == pytest.approx(float(mp.expm1(712) / 712), rel=1e-15)


INF = np.inf
SUMS = [
    ([-INF, -INF], {}), ([INF, -INF], {}), ([np.nan, 1], {}), ([1, 2], {"b": [1, -1]}), ([1, 1], {"b": [1, -1]}),
    ([INF, INF], {"b": [1, -1]}), ([INF, 1], {"b": [-1, 0]}), ([1, 2], {"b": [0, 0]}), (1.5, {}), ([1e-20, -50], {}),
    ([1.0, 2, 2.5], {"b": [2, 1, -0.3]}), (np.zeros((2, 3)), {"axis": (0, 1), "keepdims": True}),
    (np.float32([[1, 2], [3, 4]]), {"axis": -1}), (RNG.normal(size=(3, 4)) * 500, {"axis": 1, "b": RNG.normal(size=(3, 4))}),
    (RNG.normal(size=(3, 4)) * 5, {"axis": 0, "b": np.array([1.0, -2, 0, 3])}),
]  # fmt: skip


@pytest.mark.parametrize("a, keywords", SUMS)
def test_logsumexp(a, keywords):
    with np.errstate(all="ignore"):
        want, want_sign = reference.logsumexp(a, return_sign=True, **keywords)
        plain = reference.logsumexp(a, **keywords)
    got, sign = special.logsumexp(a, return_sign=True, **keywords)
    assert np.shape(got) == np.shape(want) and np.asarray(got).dtype == np.asarray(want).dtype
    rtol = 4 * float(np.finfo(np.asarray(want).dtype).eps) if np.asarray(want).dtype == np.float32 else 1e-13
    np.testing.assert_allclose(got, want, rtol=rtol)
    np.testing.assert_allclose(special.logsumexp(a, **keywords), plain, rtol=rtol)
    if np.ndim(a) == 0 or np.any(np.isfinite(a)) or "b" in keywords:
        np.testing.assert_array_equal(sign, want_sign)


def test_logsumexp_of_nothing_and_of_gpusci_arrays():
    assert special.logsumexp([]) == -INF
    np.testing.assert_array_equal(special.logsumexp(np.zeros((0, 3)), axis=0), [-INF] * 3)
    x = gs.asarray([[1.0, 2.0], [3.0, 1000.0]])
    y = special.logsumexp(x, axis=1)
    assert isinstance(y, gs.ndarray) and y.shape == (2,)


def test_logsumexp_of_complex_numbers():
    a = RNG.normal(size=(3, 5)) * 30 + 1j * RNG.normal(size=(3, 5))
    b = RNG.normal(size=(3, 5)) + 1j
    for keywords in ({}, {"axis": 1}, {"axis": 0, "keepdims": True}, {"b": b}, {"axis": 1, "b": b, "return_sign": True}):
        got, want = special.logsumexp(a, **keywords), reference.logsumexp(a, **keywords)
        for y, value in zip(np.atleast_1d(got), np.atleast_1d(want)):
            np.testing.assert_allclose(y, value, rtol=1e-13)
    assert special.logsumexp([complex(-INF), -INF]) == complex(-INF) and special.logsumexp([0j, complex(INF)]) == complex(INF)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax(name):
    x = RNG.normal(size=(3, 4)) * 50
    for a in (x, x.astype(np.float32), np.arange(6).reshape(2, 3)):
        for axis in (None, 0, -1, (0, 1)):
            got, want = getattr(special, name)(a, axis=axis), getattr(reference, name)(a, axis=axis)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got, want, rtol=1e-12 if want.dtype == np.float64 else 2e-5,
                                       atol=np.finfo(want.dtype).eps)  # SciPy's log(1 + small)
    with pytest.raises(ValueError):
        getattr(special, name)([])


def test_log_softmax_near_zero_and_at_infinities():
    assert special.log_softmax([0.0, -18.0])[0] == pytest.approx(-np.log1p(np.exp(-18.0)), rel=1e-15)
    with np.errstate(all="ignore"):
        for a in ([INF, 1.0], [-INF, -INF], [-INF, 2.0], [np.nan, 1.0]):
            np.testing.assert_array_equal(special.log_softmax(a), reference.log_softmax(a))
