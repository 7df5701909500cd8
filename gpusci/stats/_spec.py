"""Validation cases of gpusci.stats."""

import numpy as np

from validation import Case, args, array, axis, choice, drawn, exact, like, log, maybe, mp, nan, normwise, real, ulp, uniform

LOG_SIZE = 1.0                          # logarithms pass through 0: below this size their error counts as absolute


# ---- distributions
def _values(D, x, *p):
    return D.pdf(x, *p), D.cdf(x, *p), D.sf(x, *p)


def _logs(D, x, *p):
    return D.logpdf(x, *p), D.logcdf(x, *p), D.logsf(x, *p)


def _quantiles(D, q, *p):
    return D.ppf(q, *p), D.isf(q, *p)


def _moments(D, *p):
    return D.mean(*p), D.var(*p), D.std(*p), D.median(*p), D.entropy(*p), D.support(*p), D.interval(0.9, *p), D.stats(*p)


def _single(name, call):
    """SciPy in double, the results as float32."""
    def ref(*p):
        import scipy.stats

        wide = [v.astype("d") if getattr(v, "dtype", None) == np.float32 else v for v in p]
        return tuple(np.asarray(y).astype("f")[()] for y in call(getattr(scipy.stats, name), *wide))
    return ref


def distribution(name, x, *shapes, d=64, f=32, quantiles=64, why=None):
    """Functions of x and quantiles, at random shapes, loc and scale. loc and scale are exact, so that no tail amplifies."""
    place = (choice(0.0, 0.5, -1.0), choice(1.0, 2.0, 4.0))
    for kind, call, first, floor, ceiling in (
        ("values", _values, x, 0, d), ("logs", _logs, x, LOG_SIZE, d), ("quantiles", _quantiles, log(1e-12, 0.99), LOG_SIZE, quantiles),
    ):  # fmt: skip
        given = args(first, *shapes, *place)
        yield Case(name, given, ulp(d=ceiling, floor=floor), dtypes="d", call=call, id=kind, length=64,
                   edges=[] if shapes else [(nan,), (1.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0,), (1.0,)],
                   raises=[args(1.0, *[1.0] * (len(shapes) + 3))])  # fmt: skip
        yield Case(name, given, ulp(f=f, why=why, floor=1 if kind != "values" else 1e-6), dtypes="f", call=call,
                   id=f"{kind} float32", length=64, differs="float32", ref=_single(name, call))  # fmt: skip
    yield Case(name, args(*[uniform(2.2, 4.0) for _ in shapes], 0.5, 2.0), normwise(d=8), dtypes="d", call=_moments, id="moments", n=2)


def _norm():
    """The normal distribution against 40 digits, far into both tails."""
    import mpmath as m

    half = m.mpf(1) / 2
    cdf = lambda x: m.erfc(-x / m.sqrt(2)) / 2
    pdf = lambda x: m.exp(-x * x / 2) / m.sqrt(2 * m.pi)
    both = mp([pdf, cdf, lambda x: cdf(-x)])
    yield Case("norm", args(real(-37, 37)), ulp(d=6), dtypes="d", id="tails", call=_values, ref=both, length=64)
    yield Case("norm", args(real(-300, 300)), ulp(d=4), dtypes="d", id="log tails", call=_logs, length=64,
               ref=mp([lambda x: -x * x * half - m.log(2 * m.pi) * half, lambda x: m.log1p(-cdf(-x)) if x > 0 else m.log(cdf(x)),
                       lambda x: m.log1p(-cdf(x)) if x < 0 else m.log(cdf(-x))], 60))  # fmt: skip


# ---- samples
@drawn
def holes(rng, got):
    """Normal samples with some NaN (none in whole numbers)."""
    rank = int(rng.integers(1, 4))
    shape = [(1 if got.variant == "single" else int(rng.integers(9, 16))) for _ in range(rank)]
    if got.variant == "empty":
        shape[int(rng.integers(rank))] = 0
    a = rng.normal(3, 2, shape)
    if got.dtype.kind == "f":
        a[rng.random(shape) < 0.1] = np.nan
        return a.astype(got.dtype)
    return (10 * a).astype(got.dtype)


def _ttest(f, *a, **k):
    """All that the result holds."""
    r = f(*a, **k)
    return r.statistic, r.pvalue, r.df, r.confidence_interval()


AROUND_ONE = ulp(e=32, f=32, d=64, floor=1)     # differences of numbers about 1, that SciPy rounds as well
TEST = ulp(e=32, f=32, d=256, floor=1, why="for n values a statistic multiplies the rounding of their skewness by sqrt(n / 6), of their "
           "kurtosis by sqrt(n / 24): 24 and 12 for the largest draws. Both are some 8 eps, here and in SciPy")  # fmt: skip
SIDE = choice("two-sided", "less", "greater")
NO_VALUES = {"single": "raises where no value is within the limits", "empty": "raises: no value is within the limits"}
POLICY = {"axis": maybe(axis()), "nan_policy": choice("propagate", "omit"), "keepdims": choice(True, False)}
ONE = {"axis": maybe(axis()), "nan_policy": choice("propagate", "omit")}
BAD_POLICY_2 = [args([1.0, 2.0], 1.0, alternative="x")]
BAD_POLICY = [args(np.array(x), **option) for x, option in (([1.0, 2.0], {"nan_policy": "x"}), ([1.0, np.nan], {"nan_policy": "raise"}),
                                                            ([1.0, 2.0], {"axis": 3}))]  # fmt: skip
POSITIVE = array(ndim=(1, 3), low=0.1, high=4)
FLOATS = "?bIefd"


def sample(name, *rest, measure=None, raises=BAD_POLICY, keepdims=True, dtypes="ifd", **extra):
    given = dict(POLICY if keepdims else ONE)
    given.update({k: v for k, v in extra.items() if k not in ("id", "skip", "call", "post")})
    more = {k: v for k, v in extra.items() if k in ("id", "skip", "call", "post")}
    return Case(name, args(holes, *rest, **given), measure or normwise(e=8, f=8, d=64), dtypes=dtypes, raises=raises, **more)


def ttest(name, second, **extra):
    """Without NaN all that the result holds; with NaN its statistic and p-value."""
    yield Case(name, args(array(low=0, high=5), second, **ONE, **extra, keepdims=choice(True, False), alternative=SIDE),
               ulp(f=32, d=64, floor=1), dtypes="ifd", call=_ttest, id="all", raises=BAD_POLICY_2,
               skip=dict.fromkeys(("single", "empty"), "too small: the dtype of df, which is NaN, follows no rule in SciPy"))  # fmt: skip
    yield sample(name, second, **extra, alternative=SIDE, call=lambda f, *a, **k: tuple(f(*a, **k)), id="nan", dtypes="d", raises=[],
                 measure=ulp(d=400, floor=0.01, why="a mean difference near 0, and p-values, multiply the rounding of means"))


CASES = [
    *_norm(),
    *distribution("norm", real(-6, 6)),
    *distribution("halfnorm", real(-0.5, 6)),
    *distribution("lognorm", log(1e-2, 1e2), uniform(0.5, 1.5)),
    *distribution("uniform", real(-1, 0.9)),
    *distribution("expon", real(-1, 30)),
    *distribution("rayleigh", real(-1, 6)),
    *distribution("laplace", real(-30, 30)),
    *distribution("logistic", real(-30, 30)),
    *distribution("cauchy", real(-100, 100)),
    *distribution("weibull_min", real(-1, 6), uniform(0.6, 3), d=100),
    *distribution("lomax", log(1e-4, 1e4), uniform(0.5, 4)),
    *distribution("pareto", log(0.5, 1e4), uniform(0.5, 4)),
    *distribution("gamma", log(1e-2, 30), uniform(0.5, 6)),
    *distribution("chi2", log(1e-2, 30), uniform(0.5, 9)),
    *distribution("beta", real(-0.1, 1.1), uniform(0.5, 4), uniform(0.5, 4), f=200, why="1 - x of a float32 x near 1"),
    *distribution("t", real(-20, 20), uniform(0.8, 20)),
    sample("skew", measure=AROUND_ONE, bias=choice(True, False)),
    sample("kurtosis", measure=AROUND_ONE, bias=choice(True, False), fisher=choice(True, False)),
    sample("moment", choice(0, 1, 2, 3, 4, 5), center=maybe(uniform(-1, 1)), raises=[*BAD_POLICY, args([1.0], 1.5), args([1.0], [])]),
    sample("sem", ddof=choice(0, 1)),
    sample("variation", ddof=choice(0, 1)),
    Case("describe", args(array(ndim=(1, 3)), axis=maybe(axis()), ddof=choice(0, 1), bias=choice(True, False)),
         ulp(f=8, d=64, floor=1), dtypes="ifd", raises=[args([]), args([1.0], nan_policy="x")],   # a skewness near 0 is a sum that cancels
         skip={"empty": "an empty sample raises", "single": "SciPy's kurtosis of one number is NaN by rounding"}),
    Case("gmean", args(POSITIVE, weights=maybe(like(low=0.1, high=2)), axis=maybe(axis())), normwise(e=8, f=8, d=16), dtypes="fd"),
    Case("hmean", args(POSITIVE, weights=maybe(like(low=0.1, high=2)), axis=maybe(axis())), normwise(e=8, f=8, d=16), dtypes="fd"),
    Case("pmean", args(POSITIVE, choice(1, 2.5, -1.5, 0), weights=maybe(like(low=0.1, high=2)), axis=maybe(axis())),
         normwise(e=8, f=8, d=16), dtypes="fd", raises=[args([1.0], "a")]),
    sample("zscore", keepdims=False, ddof=choice(0, 1), raises=BAD_POLICY[:2]),
    Case("zmap", args(array(ndim=2), like(), axis=maybe(axis()), ddof=choice(0, 1)), normwise(f=8, d=16), dtypes="ifd"),
    sample("skewtest", measure=TEST, alternative=SIDE),
    sample("kurtosistest", measure=TEST, alternative=SIDE),
    sample("normaltest", measure=TEST),
    sample("tmean", limits=maybe((-1.0, 6.0)), inclusive=choice((True, True), (False, True))),
    sample("tvar", limits=maybe((-1.0, 6.0)), ddof=choice(0, 1)),
    sample("tstd", limits=maybe((-1.0, 6.0)), ddof=choice(0, 1)),
    sample("tsem", limits=maybe((-1.0, 6.0)), ddof=choice(0, 1)),
    sample("tmin", lowerlimit=maybe(1), inclusive=choice(True, False), skip=NO_VALUES),
    sample("tmax", upperlimit=maybe(4), inclusive=choice(True, False), skip=NO_VALUES),
    sample("trim_mean", choice(0.0, 0.1, 0.3), raises=[args([1.0, 2.0, 3.0], 0.9)]),
    Case("trimboth", args(array(ndim=(1, 3)), choice(0.0, 0.1, 0.3), axis=maybe(axis())), exact(), dtypes="ifd",
         post=lambda y, a, p, axis: np.sort(y, 0 if axis is None else axis), raises=[args([1.0, 2.0], 0.6)],
         skip={"single": "raises where nothing is left"}),
    sample("iqr", rng=choice((25, 75), (10, 60)), scale=choice(1.0, "normal"), interpolation=choice("linear", "nearest", "lower"),
           raises=[*BAD_POLICY, args([1.0], rng=(1, 2, 3)), args([1.0], scale="x")]),
    sample("median_abs_deviation", scale=choice(1.0, "normal"), raises=[*BAD_POLICY, args([1.0], center=3)]),
    Case("mode", args(array(ndim=(1, 3), low=0, high=9), axis=maybe(axis()), keepdims=choice(True, False)), exact(), dtypes="ifd",
         raises=BAD_POLICY[:2], call=lambda f, a, **k: f(np.round(a) if a.dtype.kind == "f" and a.size else a, **k)),
    Case("entropy", args(POSITIVE, maybe(like(low=0.1, high=2)), base=maybe(2), axis=maybe(axis())), normwise(e=16, f=16, d=32),
         dtypes="fd", raises=[args([1.0], base=-1)], edges=[((0.0, 1.0, 0.0), (0.5, 0.5, 0.0)), ((0.0, 1.0), (1.0, 0.0))]),
    Case("rankdata", args(array(ndim=(1, 3), low=0, high=9), choice("average", "min", "max", "dense", "ordinal"), axis=maybe(axis())),
         exact(), dtypes="?bIefd", raises=[args([1.0], "x"), args([1.0], nan_policy="x")]),
    Case("rankdata", args(holes, axis=maybe(axis()), nan_policy=choice("propagate", "omit")), exact(), dtypes="fd", id="nan"),
    Case("pearsonr", args(array(ndim=2), like(), axis=maybe(axis()), alternative=SIDE), normwise(f=64, d=64), dtypes="ifd",
         raises=[args([1.0], [2.0]), args([1.0, 2.0], [1.0, 2.0, 3.0]), args([1j, 2.0], [1.0, 2.0])],
         post=lambda r, *a, **k: tuple(r), skip={"empty": "raises", "single": "raises"}),
    *ttest("ttest_1samp", uniform(2, 4)),
    *ttest("ttest_rel", like(low=1, high=6)),
    *ttest("ttest_ind", like(low=1, high=6), equal_var=choice(True, False)),
    Case("gzscore", args(POSITIVE, axis=maybe(axis()), ddof=choice(0, 1)), normwise(f=32, d=64), dtypes="fd"),
]  # fmt: skip

DIFFERENCES = {
    "float32": "arguments (and float16) of distributions give float32, computed in float32; SciPy 1.17 gives float64.",
    "omit": "and NaN keep the dtypes that the sample asks for: df of t-tests is int64 where it is whole, counts are int64; in "
    "SciPy they become float64 (or the sample's float) when a slice holds NaN, except counts of SciPy 1.18.",
    "describe": "with nan_policy='omit' gives plain arrays with NaN; SciPy gives masked arrays.",
    "moments": "of distributions, entropy, expect and general fits are numbers that SciPy computes on the host; arrays on a GPU "
    "are copied there.",
}
