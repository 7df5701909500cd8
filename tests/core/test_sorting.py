"""Sorting, searching, sets, order statistics, histograms and differences against NumPy, on every way they run."""

import numpy as np
import pytest
from ways import KERNELS, WAYS, put, use

import gpusci as gs

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


ALL = "?bhiqBHIQefdFD"


def data(char, shape, seed=0, special=True):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(char)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(max(info.min, -20), 21, shape).astype(dtype)
    a = np.round(rng.normal(size=shape) * 4) / 2
    if dtype.kind == "c":
        a = a + 1j * np.round(rng.normal(size=shape))
    a = a.astype(dtype)
    if special and a.size > 8:
        flat = a.reshape(-1)
        flat[::7] = np.inf
        flat[3::11] = -np.inf
        flat[5::13] = np.nan
        if dtype.kind == "c":
            flat[6::17] = complex(np.nan, 2)
            flat[7::17] = complex(3, np.nan)
    return a


def same(result, expected):
    expected = np.asarray(expected)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result.numpy(), expected)


def near(result, expected, rtol=1e-12):
    expected = np.asarray(expected)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    rtol = {"e": 2e-3, "f": 2e-6, "F": 2e-6}.get(expected.dtype.char, rtol)
    np.testing.assert_allclose(result.numpy(), expected, rtol=rtol, atol=rtol)


def each(results, expected, check=same):
    assert type(results) is tuple or isinstance(results, tuple)
    assert len(results) == len(expected)
    for r, e in zip(results, expected):
        check(r, e)


# ---- sorts
@pytest.mark.parametrize("char", ALL)
@pytest.mark.parametrize("axis", [None, 0, 1, -1], ids=str)
def test_sort_and_argsort(way, char, axis):
    a = data(char, (9, 33))
    for view in (a, a.T, a[::-1, ::-2]):
        x = put(view)
        same(gs.sort(x, axis=axis), np.sort(view, axis=axis))
        same(gs.argsort(x, axis=axis, stable=True), np.argsort(view, axis=axis, stable=True))
        same(x, view)


def test_sort_arguments(way):
    a = data("f", (4, 9), special=False)
    x = put(a.copy())
    same(gs.sort(x, kind="stable"), np.sort(a))
    same(gs.sort([3, 1, 2]), np.sort([3, 1, 2]))
    same(gs.argsort(put(np.array(3.0))), np.argsort(np.array(3.0)))
    with pytest.raises(np.exceptions.AxisError):
        gs.sort(put(np.array(3.0)))
    same(gs.sort(put(np.zeros((0, 3))), axis=0), np.zeros((0, 3)))
    x.sort(axis=0)
    same(x, np.sort(a, axis=0))
    for call in (lambda: gs.sort(x, axis=2), lambda: gs.argsort(x, axis=-3)):
        with pytest.raises(np.exceptions.AxisError):
            call()
    with pytest.raises(ValueError):
        gs.sort(x, kind="bogus")
    with pytest.raises(ValueError):
        gs.sort(x, kind="stable", stable=True)
    with pytest.raises(ValueError):
        gs.argsort(x, order="field")


def test_large_rows_on_the_host(way):
    a = np.random.default_rng(1).integers(0, 50, (600, 700)).astype("f")
    for axis in (0, 1):
        same(gs.sort(put(a), axis=axis), np.sort(a, axis=axis))
        same(gs.argsort(put(a), axis=axis, stable=True), np.argsort(a, axis=axis, stable=True))
        near(gs.median(put(a), axis=axis), np.median(a, axis=axis))
    with pytest.raises(ValueError):
        gs.sort(put(a), kind="bogus")


def test_lexsort(way):
    a, b, c = data("i", 60, 1), data("f", 60, 2), data("b", 60, 3)
    same(gs.lexsort((put(a), put(b), put(c))), np.lexsort((a, b, c)))
    m = data("i", (3, 4, 7), 4)
    same(gs.lexsort(put(m)), np.lexsort(m))
    same(gs.lexsort(put(m), axis=0), np.lexsort(m, axis=0))
    with pytest.raises(ValueError):
        gs.lexsort((put(a), put(b[:5])))


def test_partition(way):
    a = data("f", (5, 30), special=False)
    for kth in (4, -3, [2, 20]):
        r = gs.partition(put(a), kth, axis=1).numpy()
        i = gs.argpartition(put(a), kth, axis=1).numpy()
        for line, order, source in zip(r, i, a):
            np.testing.assert_array_equal(source[order][kth], np.sort(source)[kth])
            np.testing.assert_array_equal(line[kth], np.sort(source)[kth])
            for k in np.atleast_1d(kth) % 30:
                assert line[:k].max(initial=-np.inf) <= line[k] <= line[k:].min()
    with pytest.raises(ValueError):
        gs.partition(put(a), 30, axis=1)
    with pytest.raises(TypeError):
        gs.argpartition(put(a), 1.5)
    with pytest.raises(ValueError):
        gs.partition(put(a), 1, kind="quick")


def test_sort_complex(way):
    for char in "bhifdFD":
        a = data(char, 20, special=False)
        same(gs.sort_complex(put(a)), np.sort_complex(a))


# ---- searching
@pytest.mark.parametrize("char", "bqQefdFD")
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(way, char, side):
    a, v = np.sort(data(char, 80, 1)), data(char, (6, 7), 2)
    same(gs.searchsorted(put(a), put(v), side=side), np.searchsorted(a, v, side=side))
    order = np.random.default_rng(0).permutation(80)
    shuffled = np.empty_like(a)
    shuffled[order] = a
    same(gs.searchsorted(put(shuffled), put(v), side=side, sorter=put(order)), np.searchsorted(a, v, side=side))
    same(gs.searchsorted(put(a), a[5].item(), side=side), np.asarray(np.searchsorted(a, a[5].item(), side=side)))


def test_searchsorted_input(way):
    a = np.arange(10)
    same(gs.searchsorted(put(a), put(np.array([2.5, np.nan]))), np.searchsorted(a, [2.5, np.nan]))
    same(gs.searchsorted(put(a[:0]), put(a)), np.searchsorted(a[:0], a))
    same(gs.searchsorted(put(a[::-1]), 3, sorter=put(a[::-1])), np.asarray(np.searchsorted(a[::-1], 3, sorter=a[::-1])))
    with pytest.raises(ValueError):
        gs.searchsorted(put(a), 3, side="middle")
    with pytest.raises(ValueError):
        gs.searchsorted(put(a.reshape(2, 5)), 3)
    with pytest.raises(ValueError):
        gs.searchsorted(put(a), 3, sorter=put(a[:4]))
    with pytest.raises(TypeError):
        gs.searchsorted(put(a), 3, sorter=put(a * 1.0))


def test_digitize(way):
    x, bins = data("f", (5, 8), 1), np.array([-2.0, -0.5, 0, 0, 1.5])
    for right in (False, True):
        same(gs.digitize(put(x), put(bins), right), np.digitize(x, bins, right))
        same(gs.digitize(put(x), put(bins[::-1]), right), np.digitize(x, bins[::-1], right))
    with pytest.raises(ValueError):
        gs.digitize(put(x), put(np.array([1.0, 3, 2])))
    with pytest.raises(TypeError):
        gs.digitize(put(x * 1j), put(bins))


@pytest.mark.parametrize("char", ALL)
def test_nonzero(way, char):
    a = data(char, (3, 5, 700), 2)
    for view in (a, a.T, a[:, ::-1, ::3], a[0, 0]):
        x = put(view)
        each(gs.nonzero(x), np.nonzero(view))
        same(gs.argwhere(x), np.argwhere(view))
        same(gs.flatnonzero(x), np.flatnonzero(view))
    same(gs.argwhere(put(np.array(2))), np.argwhere(np.array(2)))
    each(gs.nonzero(put(a[:, :0])), np.nonzero(a[:, :0]))
    with pytest.raises(ValueError):
        gs.nonzero(put(np.array(1)))


# ---- sets
@pytest.mark.parametrize("char", ALL)
def test_unique(way, char):
    a = data(char, (6, 30), 3)
    x = put(a)
    same(gs.unique(x), np.unique(a))
    each(gs.unique(x, True, True, True), np.unique(a, True, True, True))
    if a.dtype.kind == "f":
        same(gs.unique(x, equal_nan=False), np.unique(a, equal_nan=False))
    each(gs.unique_all(x), np.unique_all(a))
    each(gs.unique_counts(x), np.unique_counts(a))
    found, expected = gs.unique_inverse(x), np.unique_inverse(a)
    same(found.values, expected.values)
    same(gs.take(found.values, found.inverse_indices), a)  # NumPy numbers several NaN as its sort happens to
    np.testing.assert_array_equal(np.sort(gs.unique_values(x).numpy()), np.sort(np.unique_values(a)))
    assert gs.unique_all(x).inverse_indices.shape == a.shape


def test_unique_along_axis(way):
    a = np.random.default_rng(1).integers(0, 2, (7, 4, 3))
    for axis in (0, 1, -1):
        each(gs.unique(put(a), True, True, True, axis=axis), np.unique(a, True, True, True, axis=axis))
    with pytest.raises(np.exceptions.AxisError):
        gs.unique(put(a), axis=3)
    same(gs.unique(put(np.zeros(0))), np.unique(np.zeros(0)))
    each(gs.unique(put(np.zeros(0)), True, True, True), np.unique(np.zeros(0), True, True, True))


def test_set_operations(way):
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 40, 60), rng.integers(20, 70, 30)
    x, y = put(a), put(b)
    same(gs.isin(put(a.reshape(6, 10)), y), np.isin(a.reshape(6, 10), b))
    same(gs.isin(x, y, invert=True, kind="table"), np.isin(a, b, invert=True))
    same(gs.isin(x, [1, 2, 3]), np.isin(a, [1, 2, 3]))
    same(gs.isin(x, y[:0]), np.isin(a, b[:0]))
    same(gs.in1d(x, y), np.isin(a, b))
    same(gs.union1d(x, y), np.union1d(a, b))
    same(gs.intersect1d(x, y), np.intersect1d(a, b))
    each(gs.intersect1d(x, y, return_indices=True), np.intersect1d(a, b, return_indices=True))
    same(gs.setdiff1d(x, y), np.setdiff1d(a, b))
    same(gs.setxor1d(x, y), np.setxor1d(a, b))
    f = data("f", 50, 1)
    same(gs.isin(put(f), put(f[:9])), np.isin(f, f[:9]))
    u, v = np.unique(a), np.unique(b)
    each(
        gs.intersect1d(put(u), put(v), assume_unique=True, return_indices=True),
        np.intersect1d(u, v, assume_unique=True, return_indices=True),
    )
    with pytest.raises(ValueError):
        gs.isin(x, y, kind="bogus")


# ---- order statistics
AXES = [None, 0, 1, -1, (0, 2)]


@pytest.mark.parametrize("char", "?bqBefdFD")
@pytest.mark.parametrize("axis", AXES, ids=str)
def test_median(way, char, axis):
    for shape in ((3, 4, 5), (3, 4, 6)):
        a = data(char, shape, 1, special=False)
        if a.dtype.kind == "f":
            a[0, 1, 2] = np.nan
        near(gs.median(put(a), axis=axis), np.median(a, axis=axis))
        near(gs.median(put(a), axis=axis, keepdims=True), np.median(a, axis=axis, keepdims=True))
        if a.dtype.kind == "f":
            a[1] = np.nan
            near(gs.nanmedian(put(a), axis=axis), np.nanmedian(a, axis=axis))


METHODS = ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
           "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased"]  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("char", "ifd")
def test_quantile_methods(way, method, char):
    a = data(char, (4, 5, 6), 2, special=False)
    q = np.array([[0, 0.1, 0.25], [1 / 3, 0.5, 0.7], [0.75, 0.999, 1]])
    for axis in AXES:
        near(gs.quantile(put(a), q, axis=axis, method=method), np.quantile(a, q, axis=axis, method=method))
    near(gs.percentile(put(a), 30, axis=1, method=method), np.percentile(a, 30, axis=1, method=method))
    if char != "i":
        a[2] = np.nan  # not the first slice, whose NaN decide NumPy's dtype
        a[1, 2, 3] = np.nan
        near(gs.quantile(put(a), q, axis=1, method=method), np.quantile(a, q, axis=1, method=method))
        near(gs.nanquantile(put(a), q, axis=1, method=method), np.nanquantile(a, q, axis=1, method=method))
        near(gs.nanpercentile(put(a), 40, axis=(0, 1), method=method, keepdims=True),
             np.nanpercentile(a, 40, axis=(0, 1), method=method, keepdims=True))  # fmt: skip


@pytest.mark.parametrize("char", "?bhiqBQefd")
def test_quantile_dtypes(way, char):
    a = data(char, 31, 3, special=False)
    for q in (0.3, [0.2, 0.9], np.array([0.5], "f")):
        try:
            expected = np.quantile(a, q)
        except TypeError:
            with pytest.raises(TypeError):
                gs.quantile(put(a), q)
            continue
        near(gs.quantile(put(a), q), expected)


def test_quantile_weights_and_errors(way):
    a, w = data("d", (4, 9), 3, special=False), np.abs(data("d", (4, 9), 4, special=False))
    w[:, 0] = 0
    args = {"axis": 1, "method": "inverted_cdf"}
    near(gs.quantile(put(a), [0, 0.3, 1], weights=put(w), **args), np.quantile(a, [0, 0.3, 1], weights=w, **args))
    near(gs.quantile(put(a), 0.6, weights=put(w[0]), **args), np.quantile(a, 0.6, weights=w[0], **args))
    x = put(a)
    with pytest.raises(ValueError):
        gs.quantile(x, 1.5)
    with pytest.raises(ValueError):
        gs.percentile(x, -1)
    with pytest.raises(ValueError):
        gs.percentile(x, 5, method="bogus")
    with pytest.raises(ValueError):
        gs.quantile(x, 0.5, weights=put(w), axis=1)
    with pytest.raises(TypeError):
        gs.quantile(put(a * 1j), 0.5)
    with pytest.raises(np.exceptions.AxisError):
        gs.median(x, axis=5)
    out = gs.empty((2, 4))
    assert gs.quantile(x, [0.1, 0.2], axis=1, out=out) is out
    near(out, np.quantile(a, [0.1, 0.2], axis=1))


def test_percentiles_do_not_decrease(way):
    a = np.array([0.7, -974212007.1, 9.0, -974212007.1, 5.25, -974212007.1])
    p = gs.percentile(put(a), np.linspace(0, 100, 41)).numpy()
    assert (np.diff(p) >= 0).all()
    assert p[0] == a.min() and p[-1] == 9.0


@pytest.mark.parametrize("way", KERNELS)
def test_quantile_next_to_infinity(way):
    with use(way):
        r = gs.quantile(put(np.array([1.0, np.inf, np.inf])), [0, 0.5, 0.75, 1]).numpy()
        np.testing.assert_array_equal(r, [1, np.inf, np.inf, np.inf])


# ---- histograms
def test_bincount(way):
    x = np.random.default_rng(1).integers(0, 50, 3000)
    w = np.random.default_rng(2).normal(size=3000)
    same(gs.bincount(put(x)), np.bincount(x))
    same(gs.bincount(put(x.astype("B")), minlength=80), np.bincount(x.astype("B"), minlength=80))
    near(gs.bincount(put(x), put(w)), np.bincount(x, w))
    near(gs.bincount(put(x), put(w.astype("f")), 70), np.bincount(x, w.astype("f"), 70))
    same(gs.bincount(put(x[:0])), np.bincount(x[:0]))
    same(gs.bincount(put(x * 1000)), np.bincount(x * 1000))
    for bad in (put(x - 5), put(x.reshape(2, -1))):
        with pytest.raises(ValueError):
            gs.bincount(bad)
    with pytest.raises(TypeError):
        gs.bincount(put(w))
    with pytest.raises(ValueError):
        gs.bincount(put(x), put(w[:5]))
    with pytest.raises(ValueError):
        gs.bincount(put(x), minlength=-1)


@pytest.mark.parametrize("char", "?bhiQefd")
def test_histogram(way, char):
    a = data(char, 4000, 1, special=False)
    for bins in (10, 7, [-3, -1, 0, 0.5, 4, 5]):
        counts, edges = gs.histogram(put(a), bins)
        expected = np.histogram(a, bins)
        same(counts, expected[0])
        near(edges, expected[1])
    counts, _ = gs.histogram(put(a), 9, range=(-2.5, 3))
    same(counts, np.histogram(a, 9, range=(-2.5, 3))[0])
    w = np.random.default_rng(3).integers(0, 5, 4000)
    same(gs.histogram(put(a), 10, weights=put(w))[0], np.histogram(a, 10, weights=w)[0])
    near(gs.histogram(put(a), 10, weights=put(w * 0.3))[0], np.histogram(a, 10, weights=w * 0.3)[0])
    near(gs.histogram(put(a), 10, density=True)[0], np.histogram(a, 10, density=True)[0])
    if char in "fd":
        a[::5] = np.nan
        same(gs.histogram(put(a), 6, range=(-1, 1))[0], np.histogram(a, 6, range=(-1, 1))[0])
        same(gs.histogram(put(a), [-1, 0, 2])[0], np.histogram(a, [-1, 0, 2])[0])
        with pytest.raises(ValueError):
            gs.histogram(put(a), 6)


@pytest.mark.parametrize("name", ["auto", "sqrt", "rice", "sturges", "scott", "doane", "fd", "stone"])
def test_histogram_bin_edges(way, name):
    for a in (np.random.default_rng(1).normal(size=400), np.arange(50), np.ones(7), np.zeros(0)):
        near(gs.histogram_bin_edges(put(a), name), np.histogram_bin_edges(a, name), rtol=1e-9)


def test_histogram_errors(way):
    a = put(np.arange(10.0))
    for bad in ({"bins": 0}, {"bins": "bogus"}, {"bins": [3, 1, 2]}, {"range": (3, 1)}, {"range": (0, np.inf)},
                {"weights": put(np.ones(3))}):  # fmt: skip
        with pytest.raises(ValueError):
            gs.histogram(a, **bad)
    with pytest.raises(TypeError):
        gs.histogram(a, bins=2.5)
    with pytest.raises(TypeError):
        gs.histogram(a, bins="auto", weights=a)


def test_histogramdd(way):
    s = np.random.default_rng(4).normal(size=(500, 3))
    w = np.random.default_rng(5).random(500)
    for kw in ({}, {"bins": (3, 4, 5)}, {"density": True}, {"range": [(-1, 1)] * 3},
               {"bins": [[-1, 0, 1.5], 4, [-2, 2]]}):  # fmt: skip
        h, edges = gs.histogramdd(put(s), **kw)
        he, ee = np.histogramdd(s, **kw)
        near(h, he)
        each(tuple(edges), tuple(ee), near)
    near(gs.histogramdd(put(s), weights=put(w))[0], np.histogramdd(s, weights=w)[0])
    each(gs.histogram2d(put(s[:, 0]), put(s[:, 1]), 5), np.histogram2d(s[:, 0], s[:, 1], 5), near)
    each(gs.histogram2d(put(s[:, 0]), put(s[:, 1]), [-1.0, 0, 2]), np.histogram2d(s[:, 0], s[:, 1], [-1.0, 0, 2]), near)
    with pytest.raises(ValueError):
        gs.histogramdd(put(s), bins=(3, 4))
    with pytest.raises(ValueError):
        gs.histogram2d(put(s[:, 0]), put(s[:5, 1]))


# ---- differences and the like
@pytest.mark.parametrize("char", "?bQfD")
def test_diff(way, char):
    a = data(char, (5, 6, 7), 1, special=False)
    x = put(a)
    for axis in (0, 1, -1):
        for n in (0, 1, 2):
            same(gs.diff(x, n, axis), np.diff(a, n, axis))
    same(gs.diff(x, prepend=put(a[..., :2]), append=0), np.diff(a, prepend=a[..., :2], append=0))
    with pytest.raises(ValueError):
        gs.diff(x, -1)
    with pytest.raises(ValueError):
        gs.diff(put(np.array(1)))


def test_ediff1d(way):
    a = data("i", (3, 4), 1)
    same(gs.ediff1d(put(a)), np.ediff1d(a))
    same(gs.ediff1d(put(a), to_begin=put(np.array([7, 8], "i")), to_end=put(np.array([9], "i"))),
         np.ediff1d(a, to_begin=np.array([7, 8], "i"), to_end=np.array([9], "i")))  # fmt: skip
    with pytest.raises(TypeError):
        gs.ediff1d(put(a), to_end=put(np.array([1.5])))


def test_trapezoid(way):
    y, x = data("f", (4, 7), 1, special=False), np.sort(data("d", 7, 2, special=False))
    near(gs.trapezoid(put(y)), np.trapezoid(y))
    near(gs.trapezoid(put(y), dx=0.5, axis=0), np.trapezoid(y, dx=0.5, axis=0))
    near(gs.trapezoid(put(y), put(x)), np.trapezoid(y, x))
    near(gs.trapezoid(put(y), put(np.cumsum(np.abs(y), 1))), np.trapezoid(y, np.cumsum(np.abs(y), 1)))


def test_interp(way):
    xp = np.array([0, 1, 2.5, 4, 4, 6])
    fp = np.array([3, -1, np.inf, 2, 5, 7])
    x = np.concatenate([np.linspace(-1, 7, 60), xp, [np.nan, np.inf, -np.inf]])
    near(gs.interp(put(x), put(xp), put(fp)), np.interp(x, xp, fp))
    near(gs.interp(put(x), put(xp), put(fp), left=-9, right=11), np.interp(x, xp, fp, left=-9, right=11))
    near(gs.interp(put(x.reshape(3, -1)), put(xp), put(fp * 1j)), np.interp(x.reshape(3, -1), xp, fp * 1j))
    x = np.linspace(-10, 20, 50)
    near(gs.interp(put(x), put(np.array([350, 10, 170.0])), put(fp[:3] * 0 + [1, 2, 5]), period=360),
         np.interp(x, [350, 10, 170], fp[:3] * 0 + [1, 2, 5], period=360))  # fmt: skip
    near(gs.interp(2.5, [1, 2, 3], [3, 2, 0]), np.interp(2.5, [1, 2, 3], [3, 2, 0]))
    with pytest.raises(ValueError):
        gs.interp(put(x), put(xp), put(fp[:3]))
    with pytest.raises(ValueError):
        gs.interp(put(x), put(xp[:0]), put(fp[:0]))
    with pytest.raises(ValueError):
        gs.interp(put(x), put(xp), put(fp), period=0)
    with pytest.raises(TypeError):
        gs.interp(put(x * 1j), put(xp), put(fp))


@pytest.mark.parametrize("char", "?bQefdFD")
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolve_and_correlate(way, char, mode):
    for n, m in ((50, 7), (50, 8), (8, 50), (7, 50), (1, 1), (40, 40)):
        a, v = data(char, n, 1, special=False), data(char, m, 2, special=False)
        near(gs.convolve(put(a), put(v), mode), np.convolve(a, v, mode))
        near(gs.correlate(put(a), put(v), mode), np.correlate(a, v, mode))
    with pytest.raises(ValueError):
        gs.convolve(put(a), put(v[:0]))
    with pytest.raises(ValueError):
        gs.convolve(put(a), put(v), "bogus")


def test_cov_and_corrcoef(way):
    m, y = data("d", (3, 20), 1, special=False), data("d", (2, 20), 2, special=False)
    x = put(m)
    near(gs.cov(x), np.cov(m))
    near(gs.cov(x, put(y), ddof=0), np.cov(m, y, ddof=0))
    near(gs.cov(put(m.T), rowvar=False, bias=True), np.cov(m.T, rowvar=False, bias=True))
    f, w = np.arange(20) % 3 + 1, np.linspace(0.5, 2, 20)
    near(gs.cov(x, fweights=put(f), aweights=put(w)), np.cov(m, fweights=f, aweights=w))
    near(gs.cov(put(m[0])), np.cov(m[0]))
    near(gs.corrcoef(x), np.corrcoef(m))
    near(gs.corrcoef(put(m[0])), np.corrcoef(m[0]))
    with pytest.raises(ValueError):
        gs.cov(put(m.reshape(3, 4, 5)))
    with pytest.raises(TypeError):
        gs.cov(x, fweights=put(w))
    with pytest.raises(ValueError):
        gs.cov(x, aweights=put(-w))
