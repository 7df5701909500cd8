"""gpusci.random: the generator's known answers, each distribution against its law, NumPy's interface and errors."""

import inspect
import pickle

import numpy as np
import pytest
import scipy.stats

import gpusci as gs

N = 40_000


def philox(seed=1):
    """A generator that runs our kernels on every device, the host's too."""
    return gs.random.Generator(gs.random.Philox4x32(seed))


def host(x):
    return x.numpy() if isinstance(x, gs.ndarray) else np.asarray(x)


# ---- Philox itself
@pytest.mark.parametrize(
    ("key", "counter", "words"),
    [   # kat_vectors of Random123 1.14 for philox4x32-10, where counter words 2 and 3 are zero
        (0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ],
)  # fmt: skip
def test_known_answers(key, counter, words):
    bits = gs.random.Philox4x32(0)
    bits.state = {"bit_generator": "Philox4x32", "state": {"key": key, "counter": counter}}
    got = host(gs.random.Generator(bits).integers(0, 2**32, 4, dtype=np.uint32))
    assert [int(w, 16) for w in words.split()] == got.tolist()


def reference(key, counter):
    """Philox4x32-10 in Python integers."""
    c, k = [counter % 2**32, counter >> 32, 0, 0], [key % 2**32, key >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b % 2**32, (a >> 32) ^ c[3] ^ k[1], a % 2**32]
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return c


def test_words_of_any_counter():
    bits = gs.random.Philox4x32(0)
    for key, counter in [(1, 0), (2**64 - 1, 5), (0x123456789ABCDEF0, 2**63 + 7), (3, 2**32 - 1)]:
        bits.state = {"bit_generator": "Philox4x32", "state": {"key": key, "counter": counter}}
        got = host(gs.random.Generator(bits).integers(0, 2**32, 8, dtype=np.uint32)).tolist()
        assert got == reference(key, counter) + reference(key, (counter + 1) % 2**64)
        assert bits.state["state"]["counter"] == (counter + 2) % 2**64


def test_normal_numbers_are_box_mullers():
    bits = gs.random.Philox4x32(0)
    bits.state = {"bit_generator": "Philox4x32", "state": {"key": 9, "counter": 4}}
    w = reference(9, 4)
    u = (w[0] + 0.5) / 2**32, (w[1] >> 8) / 2**24
    expected = np.sqrt(-2 * np.log(u[0])) * np.array([np.cos(2 * np.pi * u[1]), np.sin(2 * np.pi * u[1])])
    got = host(gs.random.Generator(bits).standard_normal(2, dtype="f"))
    np.testing.assert_allclose(got, expected, rtol=2e-6, atol=1e-6)


def test_reproducible_and_independent_of_how_it_is_asked():
    a, b = philox(5), philox(5)
    np.testing.assert_array_equal(host(a.random(1001)), host(b.random((7, 143))).ravel())
    np.testing.assert_array_equal(host(a.standard_normal(9)), host(b.standard_normal(9)))
    assert not np.array_equal(host(a.random(9)), host(philox(6).random(9)))
    x, y = philox(5), pickle.loads(pickle.dumps(philox(5)))
    x.gamma(2.0, size=5), y.gamma(2.0, size=5)
    np.testing.assert_array_equal(host(x.integers(0, 100, 50)), host(y.integers(0, 100, 50)))
    state = x.bit_generator.state
    first = host(x.random(5))
    x.bit_generator.state = state
    np.testing.assert_array_equal(host(x.random(5)), first)
    children = x.spawn(2)
    assert not np.array_equal(host(children[0].random(5)), host(children[1].random(5)))


# ---- the laws
CONTINUOUS = {
    "random": ((), scipy.stats.uniform()), "standard_normal": ((), scipy.stats.norm()),
    "standard_exponential": ((), scipy.stats.expon()), "uniform": ((-2.0, 3.0), scipy.stats.uniform(-2, 5)),
    "normal": ((1.0, 2.0), scipy.stats.norm(1, 2)), "exponential": ((2.5,), scipy.stats.expon(scale=2.5)),
    "lognormal": ((0.5, 0.7), scipy.stats.lognorm(0.7, scale=np.exp(0.5))), "laplace": ((1.0, 2.0), scipy.stats.laplace(1, 2)),
    "logistic": ((1.0, 2.0), scipy.stats.logistic(1, 2)), "gumbel": ((1.0, 2.0), scipy.stats.gumbel_r(1, 2)),
    "rayleigh": ((2.0,), scipy.stats.rayleigh(scale=2)), "pareto": ((3.0,), scipy.stats.lomax(3)),
    "weibull": ((1.7,), scipy.stats.weibull_min(1.7)), "power": ((2.3,), scipy.stats.powerlaw(2.3)),
    "standard_cauchy": ((), scipy.stats.cauchy()), "triangular": ((-1.0, 0.5, 2.0), scipy.stats.triang(0.5, -1, 3)),
    "gamma": ((2.5, 1.5), scipy.stats.gamma(2.5, scale=1.5)), "standard_gamma": ((0.3,), scipy.stats.gamma(0.3)),
    "chisquare": ((3.0,), scipy.stats.chi2(3)), "beta": ((0.4, 2.0), scipy.stats.beta(0.4, 2)),
    "f": ((5.0, 7.0), scipy.stats.f(5, 7)), "standard_t": ((4.0,), scipy.stats.t(4)), "wald": ((2.0, 3.0), scipy.stats.invgauss(
        2 / 3, scale=3)), "noncentral_chisquare": ((3.0, 2.0), scipy.stats.ncx2(3, 2)),
    "noncentral_f": ((5.0, 9.0, 2.0), scipy.stats.ncf(5, 9, 2)), "vonmises": ((0.0, 2.0), scipy.stats.vonmises(2)),
}  # fmt: skip
MORE = [
    ("gamma", (0.7, 1.0), scipy.stats.gamma(0.7)), ("gamma", (300.0, 2.0), scipy.stats.gamma(300, scale=2)),
    ("beta", (0.5, 0.5), scipy.stats.beta(0.5, 0.5)), ("beta", (30.0, 4.0), scipy.stats.beta(30, 4)),
    ("noncentral_chisquare", (0.7, 3.0), scipy.stats.ncx2(0.7, 3)), ("vonmises", (0.0, 1e-3), scipy.stats.vonmises(1e-3)),
    ("vonmises", (0.0, 1e-9), scipy.stats.uniform(-np.pi, 2 * np.pi)), ("vonmises", (0.3, 50.0), scipy.stats.vonmises(50, 0.3)),
    ("wald", (2.0, 1e4), scipy.stats.invgauss(2e-4, scale=1e4)), ("standard_t", (1.0,), scipy.stats.cauchy()),
]  # fmt: skip
DISCRETE = [
    ("poisson", (0.5,), scipy.stats.poisson(0.5)), ("poisson", (9.0,), scipy.stats.poisson(9)),
    ("poisson", (11.0,), scipy.stats.poisson(11)), ("poisson", (400.0,), scipy.stats.poisson(400)),
    ("binomial", (12, 0.3), scipy.stats.binom(12, 0.3)), ("binomial", (40, 0.7), scipy.stats.binom(40, 0.7)),
    ("binomial", (1000, 0.35), scipy.stats.binom(1000, 0.35)), ("binomial", (10**6, 1e-6), scipy.stats.binom(10**6, 1e-6)),
    ("geometric", (0.2,), scipy.stats.geom(0.2)), ("geometric", (0.9,), scipy.stats.geom(0.9)),
    ("negative_binomial", (3.5, 0.4), scipy.stats.nbinom(3.5, 0.4)), ("logseries", (0.6,), scipy.stats.logser(0.6)),
    ("zipf", (3.0,), scipy.stats.zipf(3)), ("zipf", (2000.0,), scipy.stats.zipf(2000)),
    ("hypergeometric", (20, 30, 12), scipy.stats.hypergeom(50, 20, 12)), ("hypergeometric", (5, 7, 4), scipy.stats.hypergeom(12, 5, 4)),
    ("hypergeometric", (300, 200, 260), scipy.stats.hypergeom(500, 300, 260)),
    ("hypergeometric", (15, 1000, 500), scipy.stats.hypergeom(1015, 15, 500)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "law"), [(n, *v) for n, v in CONTINUOUS.items()] + MORE)
def test_continuous_laws(name, args, law):
    x = host(getattr(philox(3), name)(*args, size=N))
    assert x.dtype == np.float64
    assert scipy.stats.kstest(x, law.cdf).pvalue > 1e-4


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
def test_float32_laws(name):
    x = host(getattr(philox(4), name)(N, dtype=np.float32))
    assert x.dtype == np.float32
    assert scipy.stats.kstest(x.astype(float), CONTINUOUS[name][1].cdf).pvalue > 1e-4
    y = host(philox(4).standard_gamma(1.3, N, dtype="f"))
    assert y.dtype == np.float32
    assert scipy.stats.kstest(y.astype(float), scipy.stats.gamma(1.3).cdf).pvalue > 1e-4


def fits(counts, expected):
    """Chi-square test with rare classes joined."""
    keep = expected >= 5
    observed, wanted = np.append(counts[keep], counts[~keep].sum()), np.append(expected[keep], expected[~keep].sum())
    if wanted[-1] < 5:
        observed, wanted = np.append(observed[:-2], observed[-2:].sum()), np.append(wanted[:-2], wanted[-2:].sum())
    if len(wanted) == 1:
        return observed[0] == N
    return scipy.stats.chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue > 1e-4


@pytest.mark.parametrize(("name", "args", "law"), DISCRETE)
def test_discrete_laws(name, args, law):
    x = host(getattr(philox(5), name)(*args, size=N))
    assert x.dtype == np.int64
    least, most = (
        int(law.ppf(1e-12)),
        int(min(law.ppf(1 - 1e-9), law.mean() + 60 * law.std() + 60)) if name != "zipf" else 200,
    )
    counts = np.bincount(np.clip(x, least - 1, most + 1) - (least - 1), minlength=most - least + 3)
    k = np.arange(least - 1, most + 2)
    expected = law.pmf(k) * N
    expected[-1] = law.sf(most) * N
    expected[0] = law.cdf(least - 1) * N
    assert fits(counts, expected)


def test_counts_of_large_means():
    # Means past 1e15, where naive log-factorials cancel: normal to the resolution of the sample.
    for name, args, mean, std in [("poisson", (1e17,), 1e17, 1e17**0.5), ("binomial", (10**18, 0.5), 5e17, 5e8),
                                  ("binomial", (10**15, 0.3), 3e14, (1e15 * 0.21) ** 0.5)]:  # fmt: skip
        x = (host(getattr(philox(6), name)(*args, size=N)).astype(float) - mean) / std
        assert scipy.stats.kstest(x, "norm").pvalue > 1e-4


def test_no_correlation():
    x = host(philox(7).standard_normal((4, 2**16)))
    assert np.abs(np.corrcoef(x) - np.eye(4)).max() < 0.02
    for lag in (1, 2, 3, 4, 8):
        assert abs(np.corrcoef(x[0, lag:], x[0, :-lag])[0, 1]) < 0.02
    assert np.abs(x).max() > 4


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers(dtype):
    info = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for low, high in [(0, 1), (info[0], info[1]), (3, 100), (info[0] // 2, info[1] // 3)] if dtype != "bool" else [(0, 1)]:
        x = host(philox(8).integers(low, high, 5000, dtype=dtype, endpoint=True))
        assert x.dtype == dtype
        assert (x >= low).all()
        assert (x <= high).all()
        u = (x.astype(float) - low + np.random.default_rng(0).random(x.size)) / (float(high) - float(low) + 1)
        assert scipy.stats.kstest(u, "uniform").pvalue > 1e-4


def test_integers_are_unbiased():
    x = host(philox(9).integers(0, 3 * 2**30, 2**16, dtype="int64"))  # a quarter of all words is redrawn
    assert fits(np.bincount(x // 2**28, minlength=12), np.full(12, 2**16 / 12))
    x = host(philox(9).integers(0, 3 * 2**61, 2**16, dtype="int64"))
    assert fits(np.bincount(x // 2**59, minlength=12), np.full(12, 2**16 / 12))


def test_integers_of_arrays():
    x = host(philox(10).integers([0, 10, -5], [5, 20, 5], (1000, 3)))
    assert (x.min(axis=0) == [0, 10, -5]).all()
    assert (x.max(axis=0) == [4, 19, 4]).all()
    assert host(philox(10).integers([[1], [2]], [5, 6, 7])).shape == (2, 3)
    with pytest.raises(ValueError, match="low >= high"):
        philox().integers([0, 5], [1, 5])


def test_parameter_arrays():
    mean = np.array([[1.0], [100.0], [10_000.0]])
    x = host(philox(11).poisson(mean, (3, 5000)))
    np.testing.assert_allclose(x.mean(axis=1), mean[:, 0], rtol=0.05)
    y = host(philox(11).normal(gs.asarray(mean), [1.0, 0.1], (4000, 3, 2)))
    np.testing.assert_allclose(y.mean(axis=0), np.broadcast_to(mean, (3, 2)), atol=0.1)
    assert host(philox().gamma([1.0, 2.0], [[1.0], [2.0]])).shape == (2, 2)
    with pytest.raises(ValueError, match="not compatible"):
        philox().gamma([1.0, 2.0], size=3)
    for call in (lambda g: g.gamma([1.0, -1.0]), lambda g: g.binomial(5, [0.5, 1.5]), lambda g: g.zipf([2.0, 1.0]),
                 lambda g: g.poisson([np.nan]), lambda g: g.triangular([0.0], 2.0, 1.0), lambda g: g.logseries([1.0])):  # fmt: skip
        with pytest.raises(ValueError, match="parameter"):
            host(call(philox()))


# ---- vectors and samples
def test_dirichlet():
    x = host(philox(12).dirichlet([1.0, 2.0, 5.0], N))
    np.testing.assert_allclose(x.sum(axis=1), 1)
    assert scipy.stats.kstest(x[:, 1], scipy.stats.beta(2, 6).cdf).pvalue > 1e-4
    tiny = host(philox(12).dirichlet([1e-4] * 3, 1000))
    assert np.isfinite(tiny).all()
    np.testing.assert_allclose(tiny.sum(axis=1), 1)


def test_multinomial():
    p = [0.2, 0.5, 0.3]
    x = host(philox(13).multinomial(20, p, N))
    assert x.shape == (N, 3)
    assert (x.sum(axis=1) == 20).all()
    assert fits(np.bincount(x[:, 1], minlength=21), scipy.stats.binom(20, 0.5).pmf(np.arange(21)) * N)
    np.testing.assert_allclose(np.cov(x.T), 20 * (np.diag(p) - np.outer(p, p)), atol=0.15)
    assert host(philox().multinomial([[3], [5]], [[0.5, 0.5], [0.1, 0.9]])).shape == (2, 2, 2)
    y = host(philox(13).multivariate_hypergeometric([5, 8, 7], 6, N))
    assert (y.sum(axis=1) == 6).all()
    assert fits(np.bincount(y[:, 1], minlength=7), scipy.stats.hypergeom(20, 8, 6).pmf(np.arange(7)) * N)


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    mean, cov = [1.0, -2.0], [[2.0, 0.8], [0.8, 1.0]]
    x = host(philox(14).multivariate_normal(mean, cov, (N // 2, 2), method=method)).reshape(-1, 2)
    np.testing.assert_allclose(x.mean(axis=0), mean, atol=0.05)
    np.testing.assert_allclose(np.cov(x.T), cov, atol=0.05)
    with pytest.raises(ValueError):
        philox().multivariate_normal(mean, [[1.0]])


def test_permutations():
    g = philox(15)
    assert sorted(host(g.permutation(1000)).tolist()) == list(range(1000))
    x = np.arange(24).reshape(4, 6)
    y = host(g.permutation(gs.asarray(x), axis=1))
    assert sorted(map(tuple, y.T.tolist())) == sorted(map(tuple, x.T.tolist()))
    for kind in (gs.asarray(x.copy()), x.copy(), list(range(50))):
        before = host(kind).copy()
        g.shuffle(kind)
        assert sorted(map(str, host(kind).tolist())) == sorted(map(str, before.tolist()))
    z = host(g.permuted(gs.asarray(x), axis=1))
    assert (np.sort(z, axis=1) == x).all()
    out = gs.zeros((4, 6), dtype=x.dtype)
    assert g.permuted(x, out=out) is out
    assert sorted(host(out).ravel().tolist()) == list(range(24))
    first = [int(host(g.permutation(5))[0]) for _ in range(1000)]
    assert fits(np.bincount(first, minlength=5), np.full(5, 200.0))


def test_choice():
    g = philox(16)
    assert fits(np.bincount(host(g.choice(4, N, p=[0.1, 0.2, 0.3, 0.4])), minlength=4), N * np.array([0.1, 0.2, 0.3, 0.4]))
    assert host(g.choice(7, 100)).max() == 6
    assert sorted(host(g.choice(10, 10, replace=False)).tolist()) == list(range(10))
    x = host(g.choice(np.arange(12).reshape(3, 4), 2, axis=1, replace=False))
    assert x.shape == (3, 2)
    one = [int(host(g.choice(3, 1, replace=False, p=[0.7, 0.3, 0.0]))[0]) for _ in range(2000)]
    assert fits(np.bincount(one, minlength=3)[:2], 2000 * np.array([0.7, 0.3]))
    assert set(host(g.choice(gs.asarray(np.array([5, 6])), (3, 3))).ravel().tolist()) <= {5, 6}
    for bad in ({"p": [0.5, 0.6]}, {"p": [0.5]}, {"p": [-1.0, 2.0]}, {"size": 5, "replace": False},
                {"size": 2, "replace": False, "p": [1.0, 0.0]}, {"p": [np.nan, 1.0]}):  # fmt: skip
        with pytest.raises(ValueError):
            g.choice(2, **bad)


# ---- NumPy's interface
def test_signatures():
    for ours, theirs in ((gs.random.Generator, np.random.Generator), (gs.random.RandomState, np.random.RandomState)):
        for name in dir(theirs):
            if name.startswith("_") or name == "bit_generator":
                continue
            a, b = inspect.signature(getattr(ours, name)), inspect.signature(getattr(theirs, name))
            assert list(a.parameters) == list(b.parameters), name
    for name in np.random.__all__:
        assert hasattr(gs.random, name)


def test_on_the_host_the_numbers_are_numpys():
    ours, theirs = gs.random.default_rng(3, device="host"), np.random.default_rng(3)
    if ours.bit_generator.__class__ is gs.random.Philox4x32:
        pytest.skip("host kernels instead of NumPy")
    for call in (lambda g: g.random(5), lambda g: g.normal(1, 2, (2, 3)), lambda g: g.integers(0, 9, 4), lambda g: g.gamma([1.0, 2.0]),
                 lambda g: g.choice(9, 3), lambda g: g.permutation(5), lambda g: g.dirichlet([1, 2])):  # fmt: skip
        np.testing.assert_array_equal(host(call(ours)), call(theirs))
    with gs.device("host"):
        gs.random.seed(4)
        np.random.seed(4)  # noqa: NPY002  the interface that is compared
        for call in (lambda m: m.rand(2, 2), lambda m: m.randn(3), lambda m: m.randint(0, 9, 4), lambda m: m.permutation(4)):
            np.testing.assert_array_equal(host(call(gs.random)), call(np.random))


@pytest.mark.parametrize(
    "make", [philox, lambda: gs.random.default_rng(1), lambda: gs.random.RandomState(1), lambda: gs.random]
)
def test_results(make):
    g = make()
    for call, shape, dtype in [
        (lambda g: g.normal(), (), "float64"), (lambda g: g.poisson(3.0), (), "int64"), (lambda g: g.beta(1.0, 2.0, 4), (4,), "float64"),
        (lambda g: g.standard_normal((2, 3)), (2, 3), "float64"), (lambda g: g.exponential(size=0), (0,), "float64"),
        (lambda g: g.multinomial(3, [0.5, 0.5], 4), (4, 2), "int64"), (lambda g: g.choice(5, (2, 2)), (2, 2), "int64"),
        (lambda g: g.permutation(4), (4,), "int64"), (lambda g: g.standard_gamma(2.0, 3), (3,), "float64"),
        (lambda g: g.dirichlet([1.0, 1.0], 2), (2, 2), "float64"), (lambda g: g.random(5), (5,), "float64"),
    ]:  # fmt: skip
        x = call(g)
        assert isinstance(x, gs.ndarray)
        assert (x.shape, x.dtype) == (shape, np.dtype(dtype))
    assert len(g.bytes(7)) == 7


def test_output_arrays():
    for g in (philox(), gs.random.default_rng(1)):
        for name, args in (
            ("random", ()),
            ("standard_normal", ()),
            ("standard_exponential", ()),
            ("standard_gamma", (2.0,)),
        ):
            out = gs.zeros((3, 5), dtype="f", device=g._source()[2])
            assert getattr(g, name)(*args, dtype="f", out=out) is out
            assert (host(out) != 0).any()
            with pytest.raises((TypeError, ValueError)):
                getattr(g, name)(*args, out=out)
            with pytest.raises(ValueError):
                getattr(g, name)(*args, size=4, dtype="f", out=out)


def outcome(call, g):
    """The kind of error, or the mean of the numbers to one standard deviation."""
    try:
        return np.round(np.mean(host(call(g))))
    except (OverflowError, TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("call", [
    lambda g: g.normal(1, 2, 999) * 0, lambda g: g.normal(1000, 0, 9), lambda g: g.normal(np.nan, 1, 9), lambda g: abs(g.normal(5, np.inf)),
    lambda g: g.normal(0, -0.0, 3), lambda g: g.normal(1, np.nan, 3), lambda g: g.normal(7, np.float32(0)), lambda g: g.normal(10**400, 1),
    lambda g: g.normal(5, True) * 0, lambda g: g.uniform(2, 3, 9) // 1, lambda g: g.uniform(3, 2, 9), lambda g: g.uniform(3, 3, 9),
    lambda g: g.uniform(np.nan, 3), lambda g: g.uniform(-np.inf, 3), lambda g: g.uniform(-1e308, 1e308), lambda g: g.exponential(0, 3),
    lambda g: g.exponential(-1), lambda g: g.exponential(1j), lambda g: g.exponential(np.array(0.0)), lambda g: g.normal("1", 2),
    lambda g: g.normal([1j, 2], 1),
])  # fmt: skip
def test_parameters_are_taken_and_refused_as_by_numpy(call):
    np.testing.assert_equal(outcome(call, philox()), outcome(call, np.random.Generator(np.random.PCG64(1))))


def test_seeds():
    for seed in (0, 7, 2**70):
        words = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        for same in (seed, [seed], np.random.SeedSequence(seed)):
            assert gs.random.Philox4x32(same).key == int(words[0])
    a, b = gs.random.Philox4x32(3), gs.random.Philox4x32(np.random.SeedSequence(3))
    assert a.seed_seq is a.seed_seq and [c.key for c in a.spawn(2) + a.spawn(1)] == [c.key for c in b.spawn(3)]
    assert gs.random.Philox4x32(None).key != gs.random.Philox4x32(None).key
    for bad, error in ((-1, ValueError), ("a", TypeError), (1.5, TypeError)):
        with pytest.raises(error):
            gs.random.Philox4x32(bad)


@pytest.mark.parametrize("call", [
    lambda g: g.gamma(-1.0), lambda g: g.normal(0, -1.0), lambda g: g.beta(0, 1), lambda g: g.binomial(-1, 0.5),
    lambda g: g.binomial(5, 2), lambda g: g.geometric(0.0), lambda g: g.poisson(-1.0), lambda g: g.poisson(1e300),
    lambda g: g.zipf(1.0), lambda g: g.logseries(1.0), lambda g: g.triangular(2, 1, 0), lambda g: g.hypergeometric(3, 3, 9),
    lambda g: g.integers(5, 5), lambda g: g.integers(0, 300, dtype="u1"), lambda g: g.dirichlet([-1.0, 1.0]),
    lambda g: g.multinomial(3, [0.9, 0.9, 0.1]), lambda g: g.chisquare(0), lambda g: g.wald(0, 1),
    lambda g: g.multivariate_hypergeometric([1, 2], 9), lambda g: g.choice(0, 2), lambda g: g.normal(size=-1),
])  # fmt: skip
def test_errors(call):
    with pytest.raises(ValueError):
        call(np.random.default_rng(0))
    with pytest.raises(ValueError):
        call(philox())


def test_shares_of_a_zero_alpha_are_zero():
    for g in (philox(), gs.random.default_rng(1)):
        shares = host(g.dirichlet([0, 1, 2], 50))
        assert (shares[:, 0] == 0).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_a_choice_from_a_fraction_is_a_value_error():
    for g in (philox(), gs.random.default_rng(1), gs.random):
        with pytest.raises(ValueError, match="integer"):
            g.choice(5.5)


def test_other_errors():
    g = philox()
    for call in (lambda: g.random(3, dtype="int64"), lambda: g.uniform("a", 2), lambda: gs.random.Generator(3)):
        with pytest.raises((TypeError, ValueError)):
            call()
    with pytest.raises(OverflowError):
        g.uniform(-1e308, 1e308)
    with pytest.raises(TypeError):
        gs.random.seed("a")
    with pytest.raises(ValueError):
        g.bit_generator.state = {}


def test_random_state():
    g = gs.random.RandomState(7)
    state = g.get_state()
    x = host(g.rand(3, 2))
    g.set_state(state)
    np.testing.assert_array_equal(host(g.rand(3, 2)), x)
    h = pickle.loads(pickle.dumps(g))
    np.testing.assert_array_equal(host(h.randn(4)), host(g.randn(4)))
    g.seed(7)
    np.testing.assert_array_equal(host(g.rand(3, 2)), x)
    assert host(g.randint(3, size=100)).max() == 2
    assert host(g.tomaxint(4)).min() >= 0
    assert set(host(g.random_integers(2, size=50)).tolist()) == {1, 2}
    values = list(range(20))
    g.shuffle(values)
    assert sorted(values) == list(range(20))
    assert isinstance(g.standard_exponential(3), gs.ndarray)
    assert host(g.choice(2, 3)).shape == (3,)


def test_library_generator():
    from gpusci.core.libraries.random import LibraryGenerator

    for dtype in ("f", "d"):
        g = LibraryGenerator(3, gs.current_device())
        x = host(g.uniform(gs.empty(N + 1, dtype)))
        assert scipy.stats.kstest(x.astype(float), "uniform").pvalue > 1e-4
        y = host(g.normal(gs.empty(N + 1, dtype), 1.0, 2.0))
        assert scipy.stats.kstest(y.astype(float), scipy.stats.norm(1, 2).cdf).pvalue > 1e-4
    with pytest.raises(ValueError):
        g.uniform(gs.empty((4, 4), "d").T[::2])
