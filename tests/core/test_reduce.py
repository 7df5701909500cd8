"""Reductions against NumPy, on every way they run."""

import warnings

import numpy as np
import pytest
from ways import WAYS, put, use

import gpusci as gs

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


ALL = "?bhiqBHIQefdFD"
INEXACT = "efdFD"


def data(char, shape, seed=0, nan=False):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(char)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(max(info.min, -50), 51, shape).astype(dtype)
    a = rng.normal(size=shape)
    if dtype.kind == "c":
        a = a + 1j * rng.normal(size=shape)
    a = a.astype(dtype)
    if nan and a.size:
        a[rng.random(shape) < 0.2] = np.nan
    return a


def ulp(result, expected, scale):
    """Largest error in units of the last place of the result's dtype, relative to `scale`."""
    eps = np.finfo(result.dtype).eps
    error = np.abs(result.astype(expected.dtype) - expected)
    return float(np.max(error / (eps * np.maximum(scale, np.finfo(result.dtype).tiny)), initial=0))


def same(result, expected):
    """Equal in dtype, shape and value; NaN equals NaN."""
    result = result.numpy()
    expected = np.asarray(expected)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)
    assert result.shape == expected.shape


def close(result, expected, scale=None, ulps=4.0):
    result = result.numpy()
    expected = np.asarray(expected)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    if result.dtype.kind not in "fc":
        np.testing.assert_array_equal(result, expected)
        return
    wide = np.result_type(expected, np.float64)
    np.testing.assert_array_equal(np.isnan(result), np.isnan(expected))
    bad = np.isnan(expected) | np.isinf(expected)
    np.testing.assert_array_equal(result[bad & ~np.isnan(expected)], expected[bad & ~np.isnan(expected)])
    scale = np.abs(expected) if scale is None else np.broadcast_to(scale, expected.shape)
    assert ulp(result[~bad], expected[~bad].astype(wide), scale[~bad]) <= ulps


LAYOUTS = {
    "c": lambda a: a,
    "f": lambda a: np.asfortranarray(a),
    "reversed": lambda a: a[::-1, :, ::-1],
    "strided": lambda a: np.repeat(a, 2, axis=2)[:, :, ::2],
    "transposed": lambda a: a.transpose(2, 0, 1),
    "broadcast": lambda a: np.broadcast_to(a[:, :1, :], a.shape),
}
AXES = [None, 0, 1, 2, -1, (0, 2), (1, 2), (0, 1), (0, 1, 2), ()]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", AXES, ids=str)
def test_layouts_and_axes(way, layout, axis):
    a = LAYOUTS[layout](data("f", (5, 40, 33)))
    x = put(a)
    # NumPy's own float32 results where NumPy does the work, else those of float64.
    wide = a if way == "numpy" else a.astype(float)
    size = np.abs(wide).sum(axis)
    close(gs.sum(x, axis=axis), np.asarray(wide.sum(axis=axis)).astype("f"), size, 2)
    same(gs.max(x, axis=axis, keepdims=True), np.max(a, axis=axis, keepdims=True))
    # Few elements, or equal ones, can make a tiny spread of large values.
    close(gs.std(x, axis=axis), np.asarray(wide.std(axis=axis)).astype("f"), np.abs(a).max(), 2)
    if axis is None or isinstance(axis, int):
        same(gs.argmin(x, axis=axis), np.argmin(a, axis=axis))
    same(gs.count_nonzero(x > 0, axis=axis), np.asarray(np.count_nonzero(a > 0, axis=axis)))


@pytest.mark.parametrize("char", ALL)
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "min", "max", "any", "all", "ptp", "count_nonzero",
                                  "argmin", "argmax"])  # fmt: skip
def test_dtypes(way, name, char):
    a = data(char, (7, 50), seed=3)
    if name == "prod" and np.dtype(char).kind in "fc":
        a = a[:, :9]
    if name == "ptp" and char == "?":
        with pytest.raises(TypeError):
            gs.ptp(put(a))
        return
    for axis in (None, 0, 1):
        expected = getattr(np, name)(a, axis=axis)
        result = getattr(gs, name)(put(a), axis=axis)
        if np.dtype(char).kind not in "fc" or name not in ("sum", "prod", "mean", "var", "std"):
            if name in ("mean", "var", "std"):
                close(result, expected)
            else:
                same(result, np.asarray(expected))
            continue
        wide = np.clongdouble if np.dtype(char).kind == "c" else np.longdouble
        exact = getattr(np, name)(a.astype(wide), axis=axis)
        assert result.dtype == expected.dtype
        scale = np.abs(a.astype(wide)).sum(axis) if name in ("sum", "mean") else np.abs(exact) * (4 if name == "prod" else 2)
        close(result, exact.astype(expected.dtype), np.asarray(scale / (a[..., :1].size if name == "mean" else 1)), 4)


@pytest.mark.parametrize("name", ["nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax"])
@pytest.mark.parametrize("char", "?iefdFD")
def test_nan_variants(way, name, char):
    a = data(char, (6, 41), seed=5, nan=True)
    if a.dtype.kind in "fc":
        a[2] = np.nan
    if name == "nanprod":
        a = a[:, :6]
    for axis in (None, 0, 1):
        expected = getattr(np, name)(a, axis=axis)
        result = getattr(gs, name)(put(a), axis=axis)
        if name in ("nanmin", "nanmax"):
            same(result, np.asarray(expected))
            continue
        wide = {"c": np.clongdouble, "f": np.longdouble}.get(a.dtype.kind, a.dtype)
        exact = np.asarray(getattr(np, name)(a.astype(wide), axis=axis)).astype(np.asarray(expected).dtype)
        scale = np.nansum(np.abs(a.astype(np.float64)), axis) if name == "nansum" and char != "?" else np.abs(exact) * 4 + 1
        close(result, exact, scale, 4)


@pytest.mark.parametrize("name", ["nanargmin", "nanargmax"])
def test_nan_arg(way, name):
    a = data("f", (6, 41), seed=5, nan=True)
    for axis in (None, 0, 1):
        same(getattr(gs, name)(put(a), axis=axis), np.asarray(getattr(np, name)(a, axis=axis)))
    a[3] = np.nan
    with pytest.raises(ValueError, match="All-NaN"):
        getattr(gs, name)(put(a), axis=1)
        gs.synchronize()


@pytest.mark.parametrize("char", "efdFD")
def test_nan_and_ties(way, char):
    a = np.array([[1, 3, 3, 0], [0, np.nan, 7, np.nan], [2, 2, 2, 2], [np.inf, -np.inf, np.inf, 0]], char)
    if a.dtype.kind == "c":
        a[0] = [1 + 2j, 1 + 3j, 1 + 3j, 1]
        a[1, 2] = complex(9, np.nan)
    for name in ("min", "max", "argmin", "argmax", "nanmin", "nanmax", "nanargmin", "nanargmax", "sum", "any", "all"):
        for axis in (0, 1):
            same(getattr(gs, name)(put(a), axis=axis), getattr(np, name)(a, axis=axis))


def test_signatures_where_initial_out(way):
    a = data("f", (6, 50), seed=9)
    m = np.random.default_rng(1).random((6, 50)) < 0.3
    m[2] = False
    x, mask = put(a), put(m)
    scale = np.abs(a).sum()
    close(gs.sum(x, axis=1, where=mask, initial=2.5), np.sum(a, axis=1, where=m, initial=2.5), scale)
    close(gs.prod(x, axis=1, where=mask, initial=3), np.prod(a, axis=1, where=m, initial=3), scale)
    close(gs.mean(x, axis=0, where=mask), np.mean(a.astype("d"), axis=0, where=m).astype("f"), 1)
    close(gs.mean(x, axis=1, where=mask), np.mean(a.astype("d"), axis=1, where=m).astype("f"), 1)
    close(gs.var(x, axis=0, where=mask), np.var(a.astype("d"), axis=0, where=m).astype("f"), 1)
    close(gs.std(x, where=mask[0]), np.std(a.astype("d"), where=m[0]).astype("f"), 1)
    same(gs.max(x, axis=1, where=mask, initial=-9), np.max(a, axis=1, where=m, initial=-9))
    same(gs.any(x > 1, axis=1, where=mask), np.any(a > 1, axis=1, where=m))
    same(gs.all(x < 1, axis=1, where=mask), np.all(a < 1, axis=1, where=m))
    close(gs.nanmean(x, axis=0, where=mask), np.nanmean(a.astype("d"), axis=0, where=m).astype("f"), 1)
    out = gs.empty(6, np.float64)
    assert gs.sum(x, axis=1, out=out) is out
    np.testing.assert_allclose(out.numpy(), a.astype("d").sum(1), rtol=1e-12)
    out = gs.empty((6, 1), np.float32)
    assert gs.mean(x, axis=1, out=out, keepdims=True) is out
    close(out, a.astype("d").mean(1, keepdims=True).astype("f"), 1)
    row = gs.empty((50, 6), np.float32)
    gs.max(x, axis=1, out=row[3])
    same(row[3], a.max(1))
    indices = gs.empty(6, np.intp)
    assert gs.argmax(x, axis=1, out=indices) is indices
    same(indices, a.argmax(1))


def test_correction_and_mean(way):
    a = data("d", (5, 60), seed=2)
    x = put(a)
    for f, g in ((gs.var, np.var), (gs.std, np.std), (gs.nanvar, np.nanvar), (gs.nanstd, np.nanstd)):
        close(f(x, axis=1, ddof=1), g(a, axis=1, ddof=1), ulps=8)
        close(f(x, axis=1, correction=2), g(a, axis=1, ddof=2), ulps=8)
        mean = a.mean(1, keepdims=True)
        close(f(x, axis=1, mean=put(mean)), g(a, axis=1, mean=mean), ulps=8)
        with pytest.raises(ValueError):
            f(x, ddof=1, correction=1)


@pytest.mark.parametrize("dtype", ["f", "d", "i", "q"])
def test_dtype_argument(way, dtype):
    a = data("h", (5, 30), seed=2)
    x = put(a)
    same(gs.sum(x, axis=0, dtype=dtype), np.sum(a, axis=0, dtype=dtype))
    close(gs.mean(x, axis=0, dtype=dtype), np.mean(a, axis=0, dtype=dtype))
    same(gs.prod(x[:3], axis=0, dtype=dtype), np.prod(a[:3], axis=0, dtype=dtype))


def test_integers_wrap(way):
    a = np.full(300, 2**62, np.int64)
    u = np.full(300, 2**63 + 5, np.uint64)
    same(gs.sum(put(a)), np.sum(a))
    same(gs.sum(put(u)), np.sum(u))
    same(gs.prod(put(u)), np.prod(u))
    same(gs.sum(put(a.astype("i")), dtype="i"), np.sum(a.astype("i"), dtype="i"))
    same(gs.max(put(u)), u.max())
    low = np.array([5, np.iinfo(np.int64).min, 7])
    same(gs.min(put(low)), low.min())


def test_empty(way):
    a = np.zeros((0, 3), "f")
    x = put(a)
    for name in ("sum", "prod", "any", "all", "count_nonzero"):
        same(getattr(gs, name)(x, axis=0), np.asarray(getattr(np, name)(a, axis=0)))
        same(getattr(gs, name)(x, axis=1), np.asarray(getattr(np, name)(a, axis=1)))
    for name in ("mean", "var", "std", "nanmean"):
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            same(getattr(gs, name)(x, axis=0), getattr(np, name)(a, axis=0))
    for name in ("min", "max", "argmin", "argmax", "ptp"):
        with pytest.raises(ValueError):
            getattr(gs, name)(x, axis=0)
        assert getattr(gs, name)(x, axis=1).shape == (0,)
    same(gs.max(x, axis=0, initial=4), np.max(a, axis=0, initial=4))
    with pytest.raises(ValueError):
        gs.argmax(put(np.zeros(0)))


def test_zero_dimensions(way):
    x = put(np.array(2.5))
    for axis in (None, 0, -1, ()):
        same(gs.sum(x, axis=axis), np.sum(np.array(2.5), axis=axis))
    same(gs.argmax(x, axis=0), np.argmax(np.array(2.5), axis=0))
    with pytest.raises(np.exceptions.AxisError):
        gs.sum(x, axis=1)


def test_bad_input(way):
    a = data("f", (4, 5))
    x = put(a)
    with pytest.raises(np.exceptions.AxisError):
        gs.sum(x, axis=2)
    with pytest.raises(ValueError):
        gs.sum(x, axis=(0, 0))
    with pytest.raises(ValueError):
        gs.sum(x, axis=0, out=gs.empty(4, "f"))
    with pytest.raises(ValueError):
        gs.sum(x, axis=0, out=gs.empty((), "f"))
    same(gs.sum(x, axis=0, out=gs.empty(5, "i")), np.sum(a, axis=0, out=np.empty(5, "i")))
    same(gs.sum(x, dtype=int), np.sum(a, dtype=int))
    with pytest.raises(TypeError):
        gs.sum(x, where=put(np.ones((4, 5))))
    with pytest.raises(ValueError):
        gs.max(x, where=put(a > 0))
    with pytest.raises(TypeError):
        gs.argmax(x, axis=(0, 1))
    with pytest.raises((ValueError, TypeError)):
        gs.sum(x, where=put(np.ones((3, 3), bool)))


def test_average(way):
    a = data("d", (4, 6), seed=1)
    w = np.abs(data("d", (6,), seed=2))
    x = put(a)
    close(gs.average(x, axis=0), np.average(a, axis=0))
    close(gs.average(x, axis=1, weights=put(w)), np.average(a, axis=1, weights=w), ulps=20)
    r, s = gs.average(x, axis=1, weights=put(w), returned=True)
    re, se = np.average(a, axis=1, weights=w, returned=True)
    close(r, re, ulps=20)
    close(s, se)
    with pytest.raises(ZeroDivisionError):
        gs.average(x, axis=1, weights=put(np.zeros(6)))
    with pytest.raises(TypeError):
        gs.average(x, weights=put(w))
    with pytest.raises(ValueError):
        gs.average(x, axis=0, weights=put(w))


def test_float32_sum_is_as_accurate_as_float64(way):
    if way == "numpy":
        pytest.skip("NumPy's own sum")
    rng = np.random.default_rng(4)
    a = (rng.random(1 << 20) * 1000).astype("f")
    exact = a.astype(np.longdouble).sum()
    assert abs(float(gs.sum(put(a))) - exact) <= np.spacing(np.float32(exact))
    b = rng.normal(size=1 << 18) * 10.0 ** rng.integers(-8, 8, 1 << 18)
    exact = b.astype(np.longdouble).sum()
    assert abs(float(gs.sum(put(b))) - exact) <= np.spacing(float(exact))


@pytest.mark.parametrize("char,offset", [("f", 1e4), ("d", 1e9)])
def test_variance_far_from_zero(way, char, offset):
    if way == "numpy":
        pytest.skip("NumPy's own variance")
    rng = np.random.default_rng(6)
    a = (offset + rng.normal(size=(3, 5000))).astype(char)
    exact = a.astype(np.longdouble).var(axis=1)
    for axis, x in ((1, a), (0, np.ascontiguousarray(a.T))):
        r = gs.var(put(x), axis=axis).numpy()
        assert np.max(np.abs(r - exact) / exact) < (3e-7 if char == "f" else 1e-12)
    a[:, 0] = 1e6 * offset
    exact = a.astype(np.longdouble).var(axis=1)
    r = gs.var(put(a), axis=1).numpy()
    assert np.max(np.abs(r - exact) / exact) < (3e-7 if char == "f" else 1e-11)


def test_sums_that_leave_the_range(way):
    a = np.array([np.inf, 1, -1], "d")
    same(gs.sum(put(a)), np.sum(a))
    same(gs.sum(put(np.array([np.inf, -np.inf]))), np.sum([np.inf, -np.inf]))
    same(gs.sum(put(np.array([1e308, 1e308]))), np.sum([1e308, 1e308]))
    same(gs.sum(put(np.array([65504, 65504], "e"))), np.array(np.inf, "e"))
    same(gs.var(put(np.array([np.inf, 1]))), np.var([np.inf, 1]))


def test_methods_and_lists(way):
    a = data("f", (4, 5))
    x = put(a)
    same(x.argmax(1), a.argmax(1))
    same(x.max(axis=0), a.max(0))
    same(gs.sum([1, 2, 3]), np.sum([1, 2, 3]))
    same(gs.amax(x), a.max())
