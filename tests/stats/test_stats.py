"""gpusci.stats beyond its validation cases: random numbers, frozen distributions, result objects, warnings, errors."""

import pickle

import numpy as np
import pytest
import scipy.stats as reference

import gpusci as gs
from gpusci import stats
from gpusci.stats._slices import Slices

mpmath = pytest.importorskip("mpmath", reason="the references: a wheel that GPU machines may lack")

SHAPES = {
    "norm": (), "halfnorm": (), "uniform": (), "expon": (), "rayleigh": (), "laplace": (), "logistic": (), "cauchy": (),
    "lognorm": (0.7,), "weibull_min": (1.5,), "lomax": (2.5,), "pareto": (2.5,), "gamma": (2.3,), "chi2": (5.0,),
    "beta": (2.1, 0.7), "t": (3.3,),
}  # fmt: skip
RNG = np.random.default_rng(11)


# ---- random numbers
@pytest.mark.parametrize("name", SHAPES)
def test_rvs_are_scipys_for_the_same_seed(name):
    ours, theirs = getattr(stats, name), getattr(reference, name)
    for seed in (5, np.random.default_rng(7)):
        other = np.random.default_rng(7) if seed != 5 else 5
        got = ours.rvs(*SHAPES[name], 2.0, 3.0, size=(4, 3), random_state=seed)
        want = theirs.rvs(*SHAPES[name], 2.0, 3.0, size=(4, 3), random_state=other)
        np.testing.assert_allclose(got, want, rtol=1e-13)


@pytest.mark.parametrize("name", SHAPES)
def test_rvs_of_a_gpusci_generator_follow_the_distribution(name):
    x = getattr(stats, name).rvs(*SHAPES[name], size=4000, random_state=gs.random.default_rng(3))
    assert isinstance(x, gs.ndarray) and x.shape == (4000,)
    assert reference.kstest(x.numpy(), name, args=SHAPES[name]).pvalue > 1e-3


def test_rvs_sizes():
    assert np.ndim(stats.norm.rvs(random_state=1)) == 0
    assert stats.norm.rvs(size=5, random_state=1).shape == (5,)
    assert stats.norm.rvs(loc=[1.0, 2.0], scale=[[1.0], [2.0], [3.0]], random_state=1).shape == (3, 2)
    assert stats.norm.rvs([1.0, 2.0], size=(3, 2), random_state=1).shape == (3, 2)
    np.testing.assert_array_equal(stats.norm.rvs(3.0, 0.0, size=4), np.full(4, 3.0))
    with pytest.raises(ValueError, match="size does not match"):
        stats.norm.rvs([1.0, 2.0], size=3)
    with pytest.raises(ValueError, match="Domain error"):
        stats.norm.rvs(scale=-1.0)
    with pytest.raises(ValueError, match="Domain error"):
        stats.gamma.rvs(-1.0)
    with pytest.raises(ValueError, match="cannot be used to seed"):
        stats.norm.rvs(random_state="x")


# ---- distributions
def test_tails_keep_their_digits():
    np.testing.assert_allclose(stats.norm.ppf([1e-300, 1e-18]), reference.norm.ppf([1e-300, 1e-18]), rtol=1e-14)
    np.testing.assert_allclose(stats.norm.isf(1e-300), -reference.norm.ppf(1e-300), rtol=1e-14)
    np.testing.assert_allclose(stats.norm.logcdf(-45.0), float(mpmath.log(mpmath.ncdf(-45))), rtol=1e-14)
    np.testing.assert_allclose(stats.chi2.ppf(6e-21, 2), 1.2e-20, rtol=1e-14)
    np.testing.assert_allclose(stats.lomax.ppf(stats.lomax.cdf(1e-90, 2), 2), 1e-90, rtol=1e-14)
    assert stats.expon.ppf(6e-21) == 6e-21


@pytest.mark.parametrize("dtype", "?bhiqBHIQ")
def test_whole_numbers_give_float64(dtype):
    got = stats.norm.cdf(np.array([0, 1], dtype))
    assert got.dtype == np.float64
    np.testing.assert_allclose(got, reference.norm.cdf([0, 1]), rtol=1e-15)


def test_single_precision_stays_single():
    assert stats.norm.cdf(np.array([0.5], "f")).dtype == np.float32
    assert stats.norm.cdf(np.array([0.5], "f"), np.array([0.1])).dtype == np.float64
    assert stats.norm.cdf(gs.asarray([0.5], "f"), 1, 2).dtype == np.float32


@pytest.mark.parametrize("method", ["pdf", "logpdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf"])
@pytest.mark.parametrize("name", SHAPES)
def test_edges_are_scipys(name, method):
    x = np.array([-np.inf, -1.0, 0.0, 1.0, np.inf, np.nan, 2.0])
    if method.endswith("pdf") and name in ("weibull_min", "gamma", "chi2"):
        x = np.where(x == np.inf, 50.0, x)               # SciPy's density at infinity is NaN; it is 0
    for place in ((0.0, 1.0), (1.0, 0.0), (1.0, -1.0), (np.nan, 1.0), (0.0, np.nan)):
        with np.errstate(all="ignore"):
            want = getattr(getattr(reference, name), method)(x, *SHAPES[name], *place)
        got = getattr(getattr(stats, name), method)(x, *SHAPES[name], *place)
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-15, err_msg=f"{name}.{method} {place}")


@pytest.mark.parametrize("name", [n for n in SHAPES if SHAPES[n]])
def test_invalid_shapes_give_nan(name):
    bad = (-1.0, *SHAPES[name][1:])
    assert np.isnan(getattr(stats, name).cdf(0.5, *bad)) and np.isnan(getattr(stats, name).ppf(0.5, *bad))


def test_wrong_arguments_raise_type_errors():
    for call in (lambda: stats.norm.cdf(1, 2, 3, 4), lambda: stats.gamma.cdf(1), lambda: stats.norm.cdf(1, mu=2),
                 lambda: stats.norm.cdf(1, 2, loc=3), lambda: stats.norm(1, 2, 3)):  # fmt: skip
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("name", SHAPES)
def test_frozen(name):
    ours, theirs = getattr(stats, name)(*SHAPES[name], 0.5, 2.0), getattr(reference, name)(*SHAPES[name], loc=0.5, scale=2.0)
    for method in ("pdf", "cdf", "sf", "logsf"):
        np.testing.assert_allclose(getattr(ours, method)([1.0, 1.5]), getattr(theirs, method)([1.0, 1.5]), rtol=1e-13)
    for method in ("mean", "var", "std", "median", "entropy", "support"):
        np.testing.assert_allclose(getattr(ours, method)(), getattr(theirs, method)(), rtol=1e-13)
    np.testing.assert_allclose(ours.interval(0.8), theirs.interval(0.8), rtol=1e-12)
    np.testing.assert_allclose(ours.stats("mv"), theirs.stats("mv"))
    np.testing.assert_allclose(ours.rvs(3, random_state=2), theirs.rvs(3, random_state=2), rtol=1e-13)
    again = pickle.loads(pickle.dumps(ours))
    assert again.cdf(1.25) == ours.cdf(1.25)


def test_a_frozen_generator_is_its_own():
    f = stats.norm()
    f.random_state = 4
    assert f.rvs() == reference.norm.rvs(random_state=4)
    assert stats.norm.random_state is np.random.mtrand._rand


def test_fit():
    x = RNG.normal(3, 2, 500)
    np.testing.assert_allclose(stats.norm.fit(x), reference.norm.fit(x), rtol=1e-14)
    np.testing.assert_allclose(stats.norm.fit(gs.asarray(x), floc=1.0), reference.norm.fit(x, floc=1.0), rtol=1e-14)
    np.testing.assert_allclose(stats.expon.fit(x), reference.expon.fit(x))
    with pytest.raises(ValueError, match="All parameters fixed"):
        stats.norm.fit(x, floc=1, fscale=1)
    with pytest.raises(ValueError, match="non-finite"):
        stats.norm.fit([1.0, np.nan])


def test_expect_and_moment():
    assert stats.norm.expect(lambda x: x * x, loc=1.0) == pytest.approx(2.0)
    assert stats.gamma.moment(2, 2.0) == reference.gamma.moment(2, 2.0)


# ---- samples
def test_constant_data_have_no_scores():
    for value in (-0.113, 0.77, 4.0, 1e100):
        assert np.isnan(stats.zscore(np.full(7, value))).all()


@pytest.mark.parametrize("name", ["skew", "kurtosis"])
def test_moments_far_from_zero(name):
    x = RNG.gamma(2.0, size=5000)
    want = getattr(reference, name)(x)
    np.testing.assert_allclose(getattr(stats, name)(x + 1e6), want, rtol=1e-7)
    np.testing.assert_allclose(getattr(stats, name)((x * 1e12).astype("f")), want, rtol=1e-5)
    assert np.isnan(getattr(stats, name)(np.full(10, 0.1)))


@pytest.mark.parametrize("name", ["skew", "sem", "gmean", "tmean", "variation", "iqr", "mode"])
def test_empty_samples_warn(name):
    with pytest.warns(RuntimeWarning, match="too small"):
        result = getattr(stats, name)(np.zeros(0))
    assert np.isnan(result[0] if name == "mode" else result)


def test_omitting_everything_warns():
    with gs.device("host"), pytest.warns(RuntimeWarning, match="After omitting NaNs"):   # a GPU's values are not waited for
        got = stats.sem(np.array([[1.0, np.nan], [3.0, np.nan]]), nan_policy="omit")
    assert got[0] == 1.0 and np.isnan(got[1])


def test_mode_and_ranks_with_nan():
    x = np.array([[1.0, np.nan, 1.0, 2.0], [np.nan, np.nan, np.nan, 2.0]])
    for policy in ("propagate", "omit"):
        got, want = stats.mode(x, axis=1, nan_policy=policy), reference.mode(x, axis=1, nan_policy=policy)
        np.testing.assert_array_equal(got.mode, want.mode)
        np.testing.assert_array_equal(got.count, want.count)
    np.testing.assert_array_equal(stats.rankdata([3.0, np.nan, 3.0, 1.0], nan_policy="omit"), [2.5, np.nan, 2.5, 1.0])
    np.testing.assert_array_equal(stats.rankdata(np.full(100001, 7.0))[:2], 50001.0)


@pytest.mark.parametrize("char", "?bQefdFD")
@pytest.mark.parametrize("method", ["average", "min", "max", "dense", "ordinal"])
def test_dtypes_of_ranks(char, method):
    x = np.array([[3, 1, 1, 2], [0, 0, 5, 4]], char)
    with_nan = np.where([[True, False, False, False]] * 2, np.nan, x).astype(char) if char in "efdFD" else x
    for a in (x, with_nan, x[:, :0]):
        for policy in ("propagate", "omit"):
            got, want = (m.rankdata(a, method, axis=1, nan_policy=policy) for m in (stats, reference))
            assert (got.dtype, got.shape) == (want.dtype, want.shape)
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("shape, axis", [((0,), 0), ((0, 3), 0), ((0, 3), 1), ((3, 0), None), ((0, 2, 0), 1)])
@pytest.mark.parametrize("char", "?ief")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_modes_of_nothing(shape, axis, char):
    for keepdims in (False, True):
        got, want = (m.mode(np.zeros(shape, char), axis=axis, keepdims=keepdims) for m in (stats, reference))
        for ours, theirs in zip(got, want):
            assert (ours.dtype, np.shape(ours)) == (theirs.dtype, np.shape(theirs))
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_counts_where_all_is_omitted():
    x = np.array([[1.0, np.nan], [1.0, np.nan]], "f")
    value, count = stats.mode(x, nan_policy="omit")
    assert count.dtype == np.int64 and count.tolist() == [2, 0] and value[0] == 1 and np.isnan(value[1])


def test_counts_of_modes_wait_for_no_gpu(monkeypatch):
    """Integers take NaN only after a look at whether there are any."""
    seen, nan_where = [], Slices.nan_where
    monkeypatch.setattr(Slices, "nan_where", staticmethod(lambda small, y: seen.append(y.dtype.kind) or nan_where(small, y)))
    assert stats.mode([1.0, 1.0, np.nan], nan_policy="omit") == (1.0, 2)
    assert seen == ["f", "f"]


def plain(result):
    """What a t-test gives, and the parts that its confidence interval is made of, as NumPy arrays."""
    return [np.asarray(gs.asnumpy(y) if isinstance(y, gs.ndarray) else y)
            for y in (*result, result.df, result._standard_error, result._estimate)]  # fmt: skip


def as_scipys(name, *args, exact=True, **options):
    """The same numbers as SciPy's, from arrays of either kind; exact: the same dtypes."""
    want = plain(getattr(reference, name)(*args, **options))
    for kind in (np.asarray, gs.asarray):
        got = plain(getattr(stats, name)(*(kind(x) if isinstance(x, np.ndarray) else x for x in args), **options))
        for ours, theirs in zip(got, want, strict=True):
            assert ours.shape == theirs.shape and (ours.dtype == theirs.dtype or not exact)
            # Of float16, two roundings.
            np.testing.assert_allclose(ours, theirs, rtol=2e-3 if args[0].dtype == np.float16 else 1e-6)


@pytest.mark.parametrize("name", ["ttest_1samp", "ttest_rel"])
@pytest.mark.parametrize("device", [False, True])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_degrees_of_freedom_are_whole(name, device):
    x = RNG.normal(size=(5, 3)).astype("f")
    holes, one, none = x.copy(), x.copy(), x.copy()
    holes[0, 0] = one[:4, 0] = none[:, 0] = np.nan
    second = x[::-1] ** 2 if name == "ttest_rel" else 0.5
    for a, dtype, df in ((x, "q", [4, 4, 4]), (holes, "q", [3, 4, 4]), (one, "q", [0, 4, 4]), (none, "d", [np.nan, 4, 4])):
        got = getattr(stats, name)(gs.asarray(a) if device else a, second, nan_policy="omit").df
        np.testing.assert_array_equal(gs.asnumpy(got) if device else got, np.array(df, dtype), strict=True)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("char", "efdi")
def test_t_tests_of_one_value_and_of_nothing(char):
    for shape, axis in (((1,), 0), ((2, 1), 1), ((2, 0), 0), ((1, 0), 0), ((0, 2), 0), ((0,), 0), ((0, 0), 1), ((), None), ((3,), 0)):
        x = np.arange(2, 2 + np.prod(shape, dtype=int)).reshape(shape).astype(char)
        as_scipys("ttest_1samp", x, 0.5, axis=axis)
        for name in ("ttest_rel", "ttest_ind"):
            as_scipys(name, x, x * x, axis=axis)
    if char != "i":
        left = np.array([[2, np.nan, np.nan], [1, 5, np.nan], [np.nan] * 3], char)
        as_scipys("ttest_1samp", left, 0.5, axis=1, nan_policy="omit", exact=False)
        as_scipys("ttest_rel", left, np.ones((3, 3), char), axis=1, nan_policy="omit", exact=False)
        as_scipys("ttest_1samp", left[0], 0.5, nan_policy="omit")


def test_one_value_has_no_variance():
    one = np.array([[2.0, np.nan], [1.0, 3.0]])
    for call in (lambda: stats.ttest_1samp([2.0], 0.5), lambda: stats.ttest_rel([1], [2])):
        with pytest.warns(RuntimeWarning, match="one value has no variance") as caught:
            call()
        assert {w.category for w in caught} == {RuntimeWarning} and caught[0].filename == __file__
    with gs.device("host"), pytest.warns(RuntimeWarning, match="one value has no variance"):    # a GPU's values are not waited for
        assert stats.ttest_1samp(one, 0.5, axis=1, nan_policy="omit").df.tolist() == [0, 1]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_infinite_pairs_are_not_missing():
    inf, nan = np.inf, np.nan
    a, b = np.array([inf, 1, 2, 3]), np.array([inf, 2, 2, 5])
    as_scipys("ttest_rel", a, b, nan_policy="omit")
    as_scipys("ttest_rel", np.append(a, nan), np.append(b, 1), nan_policy="omit")
    a, b = np.array([[inf, 1, 2, 3], [1, 2, nan, 4], [nan, inf, 3, 1]]), np.array([[inf, 2, 2, 5], [2, 3, 4, 9], [1, 2, 3, nan]])
    as_scipys("ttest_rel", a, b, axis=1, nan_policy="omit", exact=False)


def test_t_tests_are_of_real_samples():
    x, z = np.array([1.0, 2.0, 4.0]), np.array([1j, 2, 3])
    for name, args in (("ttest_1samp", (z, 0.5)), ("ttest_1samp", (x, 1j)), ("ttest_rel", (x, z)), ("ttest_ind", (z, x))):
        for module in (reference, stats):
            with pytest.raises(TypeError):
                getattr(module, name)(*args)


def test_pearsonr_whatever_the_scale():
    x, y = np.array([1.0, 2.0, 4.0]), np.array([3.0, 1.0, 2.0])
    want = np.corrcoef(x, y)[0, 1]
    for scale in (1e200, 1.0, 1e-200):
        assert stats.pearsonr(x * scale, y * scale).statistic == pytest.approx(want, rel=1e-14)
    assert stats.pearsonr([1e200, 2e200], [3.0, 1.0]) == (-1.0, 1.0)
    with gs.device("host"), pytest.warns(reference.ConstantInputWarning):   # a GPU's values are not waited for
        assert np.isnan(stats.pearsonr([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]).statistic)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_result_objects(alternative):
    x, y = RNG.normal(size=30), RNG.normal(size=30)
    for name, args in (("ttest_1samp", (x, 0.2)), ("ttest_rel", (x, y)), ("ttest_ind", (x, y)), ("pearsonr", (x, y))):
        got, want = (getattr(m, name)(*args, alternative=alternative) for m in (stats, reference))
        np.testing.assert_allclose(tuple(got), tuple(want), rtol=1e-12)
        np.testing.assert_allclose(got.confidence_interval(0.9), want.confidence_interval(0.9), rtol=1e-12)
        again = pickle.loads(pickle.dumps(got))
        assert tuple(again) == tuple(got) and again.pvalue == got.pvalue
    on_device = stats.ttest_rel(gs.asarray(x), gs.asarray(y))
    assert isinstance(on_device.statistic, gs.ndarray) and isinstance(on_device.df, gs.ndarray)
    with pytest.raises(ValueError, match="confidence_level"):
        stats.ttest_rel(x, y).confidence_interval(2)


def test_nothing_within_limits():
    for name in ("tmean", "tvar", "tstd", "tsem"):
        with pytest.raises(ValueError, match="No array values"):
            getattr(stats, name)(np.arange(4.0), (10, 20))
    with pytest.raises(ValueError, match="No array values"):
        stats.tmin(np.arange(4), 10)


@pytest.mark.parametrize("policy", ["propagate", "omit"])
def test_entropy_of_nothing_negative_infinite_and_nan(policy):
    p = np.array([[1, 2, np.nan, 0], [0, 0, 0, 0], [-1, 2, 3, 4], [1, np.inf, 2, 3], [1, 0, 2, 3]])
    q = np.array([[1, 0, 2, 0], [1, 2, 3, 4], [1, 1, np.nan, 1], [0, 0, 0, 1], [2, 1, 1, 0]])
    for args in ((p,), (p, q), (q, p)):
        got, want = (m.entropy(*args, base=2, axis=1, nan_policy=policy) for m in (stats, reference))
        np.testing.assert_allclose(got, want, rtol=1e-14)


def test_entropy_of_half_precision_is_single():
    p = np.array([1, 2, 3, 4], np.float16)
    got, want = stats.entropy(p, base=2), reference.entropy(p, base=2)
    assert got.dtype == want.dtype == np.float32
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", "?Bqefd")
@pytest.mark.parametrize("proportion", [0, 0.1, 0.49, 0.5])
def test_trim_mean_with_nan_anywhere(dtype, proportion):
    x = (RNG.random((6, 41)) * 9).astype(dtype)
    if np.dtype(dtype).kind == "f":
        x[range(6), [0, 5, 20, 39, 40, 7]] = [np.nan, 1, np.nan, np.nan, np.nan, np.inf]
    for axis in (0, 1, None):
        for policy in ("propagate", "omit"):
            got, want = (m.trim_mean(x, proportion, axis, nan_policy=policy) for m in (stats, reference))
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got, want, rtol=2e-3 if dtype == "e" else 1e-6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shape", [(0,), (0, 0), (0, 3), (3, 0)], ids=str)
def test_trim_mean_of_nothing(shape):
    for axis in (None, *range(len(shape))):
        for policy in ("propagate", "omit", "raise"):
            got, want = (m.trim_mean(np.zeros(shape), 0.1, axis, nan_policy=policy) for m in (stats, reference))
            np.testing.assert_array_equal(got, want)
