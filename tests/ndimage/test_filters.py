"""Filters against scipy.ndimage: every dtype, mode, axis and layout; what SciPy gets wrong is checked by hand."""

import itertools
import warnings

import numpy as np
import pytest
import scipy.ndimage as sn
from scipy import LowLevelCallable
from scipy.ndimage import _ctest, _cytest

import gpusci as gs
from gpusci import ndimage

RNG = np.random.default_rng(5)
MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap")
REAL = "?bBhHiIlLfd"
FULL = np.ones((3, 3), bool)
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool)


def data(shape, dtype, scale=40):
    x = RNG.normal(size=shape) * scale
    if np.dtype(dtype).kind == "c":
        x = x + 1j * RNG.normal(size=shape) * scale
    if np.dtype(dtype).kind in "uI":
        x = np.abs(x)
    return x > 0 if dtype == "?" else x.astype(dtype)


def run(f, x, *args, **kwargs):
    """The result of one of our filters on an array of the current device, as NumPy."""
    got = getattr(ndimage, f)(gs.asarray(x), *args, **kwargs)
    assert isinstance(got, gs.ndarray)
    return got.numpy()


def same(f, x, *args, ulp=2, **kwargs):
    """Equal to SciPy: integers exactly, floats within `ulp` of the largest value's spacing."""
    want = getattr(sn, f)(x, *args, **kwargs)
    got = run(f, x, *args, **kwargs)
    compare(got, want, ulp)
    return got


def compare(got, want, ulp=2):
    if want.dtype in ("d", "D") and gs.current_device().kind == "cuda":
        # A GPU fuses products with sums: each of the up to 22 terms of these filters (two axes of 11) is rounded otherwise
        # than SciPy's, at most half a spacing a term. Narrower results come from the same sums and hide it.
        ulp = max(ulp, 11)
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.size == 0:
        return
    if want.dtype.kind in "fc":
        np.testing.assert_array_equal(np.isfinite(got), np.isfinite(want))
        scale = np.nanmax(np.abs(np.where(np.isfinite(want), want, 0)))
        np.testing.assert_allclose(got, want, rtol=0, atol=ulp * np.finfo(want.dtype).eps * max(scale, 1e-30))
    else:
        np.testing.assert_array_equal(got, want)


# ---- one axis
LINE_CASES = [
    ("correlate1d", ([0.25, 0.5, 0.25],), {}),
    ("correlate1d", ([-1.0, 0.0, 1.0],), {}),
    ("correlate1d", ([1.5, 2, 0.25, -1],), {"origin": -2}),
    ("convolve1d", ([1.5, 2, 0.25, -1, 3],), {"origin": 1}),
    ("gaussian_filter1d", (1.3,), {}),
    ("gaussian_filter1d", (0.8,), {"order": 1}),
    ("gaussian_filter1d", (1.1,), {"order": 3, "radius": 5}),
    ("uniform_filter1d", (5,), {}),
    ("uniform_filter1d", (4,), {"origin": -2}),
    ("minimum_filter1d", (3,), {"origin": 1}),
    ("maximum_filter1d", (8,), {}),
]


@pytest.mark.parametrize("case", LINE_CASES, ids=lambda c: f"{c[0]}{c[2] or ''}")
@pytest.mark.parametrize("mode", MODES)
def test_line_filters(case, mode):
    f, args, kwargs = case
    for shape in ((1,), (23,), (4, 70), (3, 5, 2)):
        x = data(shape, "d")
        for axis in range(-1, len(shape)):
            same(f, x, *args, axis=axis, mode=mode, cval=1.25, ulp=16, **kwargs)


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("case", LINE_CASES, ids=lambda c: f"{c[0]}{c[2] or ''}")
def test_line_filters_of_every_dtype(case, dtype):
    f, args, kwargs = case
    x = data((9, 66), dtype)
    for axis, mode, cval in ((0, "mirror", 0), (1, "constant", -0.75)):
        same(f, x, *args, axis=axis, mode=mode, cval=cval, ulp=16, **kwargs)


def test_lines_longer_than_a_tile():
    x = data(20_000, "f")
    for f, arg in (("gaussian_filter1d", 2), ("uniform_filter1d", 9), ("maximum_filter1d", 33)):
        same(f, x, arg)
    same("gaussian_filter1d", x, 600)                      # the window is longer than a tile too
    same("minimum_filter1d", x, 9001)
    same("uniform_filter1d", data((30, 300), "d"), 200, axis=0, mode="wrap", ulp=64)


@pytest.mark.parametrize("output", "?bBHiLfd")
@pytest.mark.parametrize("dtype", "?Bhlfd")
def test_output_dtypes(dtype, output):
    x = data((7, 20), dtype, 90)
    if output == "L":                                      # near 2**64 SciPy's running sum cancels
        x = np.abs(x)
    for f, args in (("gaussian_filter", (1.2,)), ("uniform_filter", (3,)), ("correlate", (np.eye(3),)),
                    ("median_filter", (3,)), ("maximum_filter", (3,)), ("minimum_filter", (None, CROSS))):  # fmt: skip
        want, got = getattr(sn, f)(x, *args, output=np.dtype(output).type), run(f, x, *args, output=np.dtype(output).type)
        if output == "?":                                  # SciPy stores bytes above 1 in bools
            want = want.view("u1") != 0
        compare(got, want)


def test_integers_wrap_where_they_leave_the_type():
    x = np.array([1, 5, 3, 200, 250, 0, 9], "B")
    assert same("correlate1d", x, [-1, 0, 1]).tolist() == [4, 2, 195, 247, 56, 15, 9]
    wild = np.array([1, 5, np.nan, 200, np.inf, -np.inf, 1e300, -7.9, 3e9])
    for dtype in "bBhHiIlL":
        same("correlate1d", wild, [1.0], output=np.dtype(dtype))


# ---- what has to be right
def test_uniform_of_integers_is_the_exact_quotient():
    x = np.repeat(np.array([0, 3, 0]), [7, 11, 7])
    for size in (3, 5, 6, 7, 10):
        padded = np.pad(x, (size // 2, (size - 1) // 2), mode="symmetric")
        windows = np.lib.stride_tricks.sliding_window_view(padded, size)
        assert run("uniform_filter1d", x, size).tolist() == (windows.sum(1) // size).tolist()


@pytest.mark.parametrize("size", [3, 8, 33, 500])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_not_finite_values_stay_in_their_windows(size, bad):
    x = data((3, 2000), "d")
    x[1, 700] = bad
    for view, axis in ((x, 1), (x.T, 0)):
        for f in ("uniform_filter1d", "maximum_filter1d", "minimum_filter1d"):
            got = run(f, view, size, axis=axis)
            line = np.moveaxis(got, axis, -1)
            hit = ~np.isfinite(line)
            reach = np.zeros_like(hit)
            reach[1, 700 - (size - 1) // 2 : 700 + size // 2 + 1] = True
            if bad == np.inf and f == "minimum_filter1d":
                assert not hit.any()
                continue
            np.testing.assert_array_equal(hit, reach)
            clean = np.where(np.isfinite(view), view, 0)
            np.testing.assert_allclose(line[~hit], np.moveaxis(getattr(sn, f)(clean, size, axis=axis), axis, -1)[~hit], atol=1e-11)


def test_order_filters_are_exact_for_int64_and_sort_nan_last():
    x = 2**62 + np.array([1, 0, 3, 2, 9, 7, 8])
    padded = np.lib.stride_tricks.sliding_window_view(np.pad(x, 1, mode="symmetric"), 3)
    for f, rank in (("minimum_filter", 0), ("maximum_filter", 2), ("median_filter", 1)):
        np.testing.assert_array_equal(run(f, x, 3), np.sort(padded, axis=1)[:, rank])
    y = data((6, 40), "f")
    y[2, 5] = y[4, 30] = np.nan
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(y, 1, mode="symmetric"), (3, 3)).reshape(6, 40, 9)
    for rank in (1, 4, 7):
        np.testing.assert_array_equal(run("rank_filter", y, rank, 3), np.sort(windows, axis=-1)[..., rank])
    np.testing.assert_array_equal(run("minimum_filter", y, footprint=FULL), np.min(windows, axis=-1))


def test_holes_of_a_line_footprint_count():
    x = np.array([3, 2, 5, 1, 4, 9, 7, 0])                 # SciPy 1.17 fills them in one dimension only
    for footprint in ([1, 0, 1, 1], [1, 0, 1, 1, 0]):
        want = sn.median_filter(x[None], footprint=[footprint])[0]
        np.testing.assert_array_equal(run("median_filter", x, footprint=footprint), want)


@pytest.mark.parametrize("f, args", [
    ("correlate1d", ([1, 2, 4],)), ("convolve", (np.arange(9.0).reshape(3, 3),)), ("gaussian_filter", (1,)),
    ("uniform_filter", (3,)), ("sobel", ()), ("prewitt", (0,)), ("minimum_filter", (3,)), ("maximum_filter", (None, CROSS)),
    ("median_filter", (3,)), ("rank_filter", (2, 3)), ("laplace", ()), ("gaussian_laplace", (1,)), ("generic_filter", (np.sum, 3)),
    ("gaussian_gradient_magnitude", (1,)), ("fourier_gaussian", (1,)), ("gaussian_filter1d", (1, 0)),
])  # fmt: skip
def test_output_may_be_the_input_or_a_part_of_it(f, args):
    x = data((9, 12), "d")
    want = getattr(sn, f)(x.copy(), *args)
    y = gs.asarray(x.copy())
    assert getattr(ndimage, f)(y, *args, output=y) is y
    compare(y.numpy(), want, 16)
    memory = gs.asarray(np.concatenate([x, np.zeros((3, 12))]))
    shifted = memory[3:]                                   # overlaps rows of the input
    getattr(ndimage, f)(memory[:9], *args, output=shifted)
    compare(shifted.numpy(), want, 16)
    strided = gs.zeros((9, 24))[:, ::2]
    getattr(ndimage, f)(gs.asarray(x), *args, output=strided)
    compare(strided.numpy(), want, 16)
    plain = np.zeros_like(x)
    assert getattr(ndimage, f)(x, *args, output=plain) is plain
    compare(plain, want, 16)


@pytest.mark.parametrize("f, args", [
    ("gaussian_filter", (1,)), ("median_filter", (3,)), ("correlate", (np.eye(2),)), ("maximum_filter", (3,)),
])  # fmt: skip
def test_layouts(f, args):
    x = data((10, 14, 6), "f")
    frozen = x.copy()
    frozen.flags.writeable = False
    for view in (x.T, x[::-1, ::2], np.asfortranarray(x), x[:, :0], x[3, 4, 2], frozen, x.astype(">f4"), x.tolist()):
        a = args if f != "correlate" else (np.ones((2,) * np.ndim(view)),)
        want = getattr(sn, f)(view, *a)
        got = getattr(ndimage, f)(view, *a)
        np.testing.assert_allclose(got, want, rtol=0, atol=2e-5)
        assert np.shape(got) == np.shape(want) and np.asarray(got).dtype == want.dtype.newbyteorder("=")


# ---- several axes
def test_modes_origins_and_axes_one_per_axis():
    x = data((6, 8, 12), "d")
    modes = ["wrap", "nearest", "constant"]
    same("gaussian_filter", x, [0.7, 1, 0], order=[0, 1, 0], mode=modes, cval=3, radius=[2, 3, 1])
    same("uniform_filter", x, [3, 1, 4], mode=modes, origin=[-1, 0, 1])
    same("maximum_filter", x, (3, 2, 4), mode=modes, origin=(1, -1, 0))
    same("sobel", x, 1, mode=modes)
    same("gaussian_laplace", x, [1, 2, 0.5], mode=modes, ulp=16)
    for axes in itertools.permutations(range(-3, 0), 2):
        same("gaussian_filter", x, [1, 2], axes=axes, mode=modes[:2])
        same("uniform_filter", x, [2, 5], axes=axes, origin=[0, 1])
        same("minimum_filter", x, (3, 2), axes=axes)
        same("laplace", x, axes=axes, ulp=16)
        same("correlate", x, np.arange(6.0).reshape(2, 3), axes=axes, origin=[0, -1])
        same("rank_filter", x, 2, footprint=np.tri(3), axes=axes)
        # Sizes are those of `axes` one by one, as origins are; SciPy 1.17 sorts the axes first.
        order = np.argsort(axes)
        size, origin = (np.array(pair)[order] for pair in ((2, 3), (0, -1)))
        want = sn.median_filter(x, size, axes=sorted(axes), origin=origin)
        compare(run("median_filter", x, (2, 3), axes=axes, origin=(0, -1)), want)
        compare(run("generic_filter", x, np.max, (2, 3), axes=axes), sn.maximum_filter(x, (2, 3), axes=axes))


@pytest.mark.parametrize("shape", [(40,), (12, 70), (3, 9, 20), (2, 5, 6, 4)], ids=str)
@pytest.mark.parametrize("dtype", "Bifd")
def test_weights_of_any_shape(shape, dtype):
    x = data(shape, dtype)
    for trial in range(4):
        weights = RNG.normal(size=RNG.integers(1, 5, size=len(shape)))
        weights[RNG.random(weights.shape) < 0.2] = 0
        origin = [int(RNG.integers(-(n // 2) + (n % 2 == 0), (n - 1) // 2 + 1)) for n in weights.shape]
        for f in ("correlate", "convolve"):
            same(f, x, weights, mode=MODES[trial], cval=2.5, origin=origin, ulp=8)
            got = getattr(ndimage, f)(gs.asarray(x), gs.asarray(weights), mode=MODES[trial], cval=2.5, origin=origin)
            compare(got.numpy(), getattr(sn, f)(x, weights, mode=MODES[trial], cval=2.5, origin=origin), 8)


def test_zero_weights_do_not_carry_nan():
    x = data((5, 6), "d")
    x[2, 3] = np.nan
    same("correlate", x, CROSS.astype(float))
    assert np.isnan(run("correlate1d", x, [0, 1.0])).sum() == np.isnan(sn.correlate1d(x, [0, 1.0])).sum()


@pytest.mark.parametrize("dtype", "FD")
def test_complex(dtype):
    x = data((8, 70), dtype)
    for f, args in (("gaussian_filter", (1,)), ("uniform_filter", (4,)), ("sobel", (0,)), ("laplace", ()), ("correlate1d", ([1, 2.0],)),
                    ("prewitt", ()), ("correlate", (np.eye(3),)), ("gaussian_laplace", (1,))):  # fmt: skip
        same(f, x, *args, mode="constant", cval=2 - 1j, ulp=16)
    w = np.array([1, 2 - 1j, 0.5j])
    for y in (x, x.real.copy()):
        cval = 1 - 2j if y is x else 1.5
        for f, weights in (("correlate1d", w), ("convolve1d", w), ("correlate", np.outer(w, w)), ("convolve", np.outer(w, w))):
            same(f, y, weights, mode="constant", cval=cval, ulp=16)
            got = getattr(ndimage, f)(gs.asarray(y), gs.asarray(weights), mode="constant", cval=cval)
            compare(got.numpy(), getattr(sn, f)(y, weights, mode="constant", cval=cval), 16)
    with pytest.warns(UserWarning, match="promoting specified output dtype to complex"):
        assert run("correlate1d", x, [1.0], output=np.float32).dtype == np.complex64


@pytest.mark.parametrize("dtype", ["i", "h", "f", "d", "F"])
def test_derivatives(dtype):
    x = data((10, 11, 4), dtype)
    for axis in range(-3, 3):
        same("sobel", x, axis)
        same("prewitt", x, axis, mode="nearest")
    for mode in ("reflect", ["wrap", "mirror", "constant"]):
        same("laplace", x, mode=mode, cval=1, ulp=16)
        same("gaussian_laplace", x, 1.2, mode=mode, ulp=16)
        same("gaussian_gradient_magnitude", x, 1.2, mode=mode, ulp=16)


@pytest.mark.parametrize("kind", [np.ndarray, gs.ndarray])
@pytest.mark.parametrize("f", ["generic_laplace", "generic_gradient_magnitude"])
def test_generic_derivatives_see_the_callers_arrays(f, kind):
    x = data((10, 11), "d")
    seen = set()

    def second(module, input, axis, output, mode, cval, a, b=1.0):
        seen.add(type(input))
        return module.gaussian_filter1d(input, a * b, axis, 2, output, mode, cval)

    kwargs = {"mode": ["wrap", "nearest"], "extra_arguments": (1.0,), "extra_keywords": {"b": 2.0}}
    got = getattr(ndimage, f)(x if kind is np.ndarray else gs.asarray(x), lambda *a, **k: second(ndimage, *a, **k), **kwargs)
    assert isinstance(got, kind) and seen == {kind}
    want = getattr(sn, f)(x, lambda *a, **k: second(sn, *a, **k), **kwargs)
    np.testing.assert_allclose(gs.asnumpy(gs.asarray(got)), want, atol=1e-12)


# ---- order filters
@pytest.mark.parametrize("dtype", REAL)
def test_ranks_of_every_dtype(dtype):
    x = data((11, 40), dtype)
    for size in ((3, 3), (4, 5), (1, 7), (14, 13), (9, 1)):     # networks and sliding windows
        taps = size[0] * size[1]
        for rank in {1, taps // 3, taps // 2, taps - 2}:
            same("rank_filter", x, rank, size, mode="mirror")
    if dtype != "?":                                        # there SciPy's fill is a byte above 1
        for cval in (7.5, 100000 if dtype == "L" else -300):  # outside small types; undefined for uint64
            same("median_filter", x, 3, mode="constant", cval=cval)
            same("median_filter", x[0], 3, mode="constant", cval=cval)
            same("maximum_filter", x, footprint=CROSS, mode="constant", cval=cval, output=float)
            same("minimum_filter", x, 3, mode="constant", cval=cval, output=float)
    same("percentile_filter", x, 20, footprint=CROSS, mode="wrap")
    same("percentile_filter", x, -10, 15)
    same("minimum_filter", x, footprint=CROSS, mode="constant", cval=-1.5, output=np.float64)


@pytest.mark.parametrize("mode", MODES)
def test_ranks_of_any_shape(mode):
    for shape in ((60,), (7, 30), (4, 6, 9), (3, 4, 5, 6)):
        x = data(shape, "f")
        for _ in range(4):
            footprint = RNG.random(RNG.integers(2, 6, size=len(shape))) < 0.7
            footprint.flat[0] = footprint.flat[-1] = True
            taps = int(footprint.sum())
            if len(shape) == 1 and not footprint.all():
                continue
            origin = [int(RNG.integers(-(n // 2), (n - 1) // 2 + 1)) for n in footprint.shape]
            if len(shape) > 1:
                same("rank_filter", x, taps // 2, footprint=footprint, mode=mode, cval=3, origin=origin)
            for f in ("minimum_filter", "maximum_filter"):
                same(f, x, footprint=footprint, mode=mode, cval=3, origin=origin)
    x = data((40, 50), "d")
    disk = np.hypot(*np.mgrid[-9:10, -9:10]) < 9.3
    same("median_filter", x, footprint=disk, mode=mode)
    same("median_filter", data(3000, "f"), 301, mode=mode)
    same("median_filter", data((300, 3), "f"), (101, 1), mode=mode)


def test_float16_only_where_scipy_takes_it():
    x = data(50, "e")
    same("median_filter", x, 5)
    for f, args in (("gaussian_filter", (1,)), ("minimum_filter", (3,)), ("correlate", ([1, 1],)), ("uniform_filter", (3,)),
                    ("generic_filter", (np.sum, 3)), ("fourier_gaussian", (1,))):  # fmt: skip
        with pytest.raises(RuntimeError):
            getattr(sn, f)(x, *args)
        with pytest.raises(RuntimeError, match="not supported"):
            run(f, x, *args)
    assert run("gaussian_filter", x, 0).dtype == np.float16


# ---- functions of the caller
def test_generic_filters():
    x = data((6, 7), "d")
    for mode in MODES:
        same("generic_filter", x, lambda w, k: np.dot(w, w) * k, footprint=CROSS, mode=mode, cval=2, extra_arguments=(3,))

        def cumulative(line, out, scale=1):
            out[:] = np.cumsum(line)[2:] * scale

        if not mode.startswith("grid"):
            same("generic_filter1d", x, cumulative, 3, axis=0, mode=mode, cval=1, origin=-1, extra_keywords={"scale": 2})
    same("generic_filter", data((4, 5), "B"), np.mean, 3)


def test_c_functions():
    x = data((12, 15), "d")
    w = np.arange(5.0)
    for make in (lambda: _ctest.filter2d(w), lambda: _cytest.filter2d(w, with_signature=False),
                 lambda: LowLevelCallable(_cytest.filter2d(w, with_signature=True)),
                 lambda: LowLevelCallable.from_cython(_cytest, "_filter2d", _cytest.filter2d_capsule(w))):  # fmt: skip
        same("generic_filter", x, make(), footprint=CROSS, mode="wrap")
    for make in (lambda: _ctest.filter1d(3), lambda: LowLevelCallable(_cytest.filter1d(3, with_signature=True)),
                 lambda: LowLevelCallable.from_cython(_cytest, "_filter1d", _cytest.filter1d_capsule(3))):  # fmt: skip
        same("generic_filter1d", x, make(), 3, axis=0)
    with pytest.raises(ValueError, match="signature"):
        ndimage.generic_filter(x, LowLevelCallable(_cytest.filter1d(3, with_signature=True)), 3)


def test_vectorized_filter():
    x = data((5, 9, 8), "d")
    for mode in ("reflect", "constant", "nearest", "mirror", "wrap", "valid"):
        for kwargs in ({"size": (3, 2), "axes": (0, 2)}, {"size": 3}, {"footprint": CROSS, "axes": (1, 2)}):
            want = sn.vectorized_filter(x, np.mean, mode=mode, **kwargs)
            np.testing.assert_allclose(ndimage.vectorized_filter(x, np.mean, mode=mode, **kwargs), want, atol=1e-13)
            got = ndimage.vectorized_filter(gs.asarray(x), gs.mean, mode=mode, batch_memory=40_000, **kwargs)
            np.testing.assert_allclose(got.numpy(), want, atol=1e-12)


# ---- the Fourier domain
@pytest.mark.parametrize("f", ["fourier_gaussian", "fourier_uniform", "fourier_ellipsoid", "fourier_shift"])
@pytest.mark.parametrize("dtype", "?BlfdFD")
def test_fourier(f, dtype):
    for shape in ((9,), (8, 7), (5, 6, 7), (1, 6), (0, 3)):
        x = data(shape, dtype)
        for n, axis in ((-1, -1), (2 * shape[0], 0), (13, -1)):
            same(f, x, 1.7, n, axis, ulp=32)               # SciPy's phases are not reduced: its error
        same(f, x, [2.5, -1.0, 0.5][: x.ndim], output=np.complex64)


# ---- errors are SciPy's, before anything runs
X = np.ones((5, 6))
ERRORS = [
    ("gaussian_filter", (X, 1), {"order": -1}), ("gaussian_filter1d", (X, 1), {"radius": -1}),
    ("gaussian_filter1d", (X, 1), {"radius": 1.5}), ("gaussian_filter", (X, [1, 2, 3]), {}),
    ("gaussian_filter", (X, 1), {"mode": "around"}), ("gaussian_filter", (X, 1), {"mode": ["wrap"]}),
    ("gaussian_filter", (X, 1), {"axes": (0, 0)}), ("gaussian_filter", (X, 1), {"axes": (0, 2)}),
    ("gaussian_filter", (X, 1), {"axes": (0.5,)}), ("gaussian_filter", (X, 1), {"output": np.zeros(3)}),
    ("gaussian_filter", (X, 1), {"output": "?"}), ("gaussian_filter", (X, 1), {"output": np.zeros((5, 6), complex)}),
    ("correlate1d", (X, []), {}), ("correlate1d", (X, np.eye(2)), {}), ("correlate1d", (X, [1, 1]), {"axis": 2}),
    ("correlate1d", (X, [1, 1]), {"origin": 1}), ("convolve1d", (X, [1, 1, 1]), {"origin": -2}),
    ("correlate1d", (X, [1j, 1]), {"mode": "constant", "cval": 1j}), ("correlate", (X, [1, 1]), {}),
    ("correlate", (X, np.ones((2, 0))), {}), ("correlate", (X, np.eye(2)), {"mode": ["wrap", "wrap"]}),
    ("convolve", (X, np.eye(2)), {"origin": [0, -2]}), ("uniform_filter1d", (X, 0), {}), ("uniform_filter1d", (X, 3), {"origin": 2}),
    ("uniform_filter", (X, [3, 3, 3]), {}), ("uniform_filter", (np.ones((2, 2), complex), 2), {"output": np.zeros((2, 2))}),
    ("minimum_filter", (X,), {}), ("minimum_filter", (X + 0j, 3), {}), ("minimum_filter1d", (X, 0), {}),
    ("maximum_filter", (X,), {"footprint": np.zeros((2, 2))}), ("maximum_filter", (X,), {"footprint": CROSS, "mode": ["wrap"] * 2}),
    ("maximum_filter", (X,), {"footprint": [1, 0, 1]}), ("rank_filter", (X, 9, 3), {}), ("rank_filter", (X, 0.5, 3), {}),
    ("rank_filter", (X, 1), {}), ("median_filter", (X, 3), {"mode": ["wrap"] * 2}), ("median_filter", (X, 3), {"origin": 2}),
    ("median_filter", (X, 0), {}), ("median_filter", (X + 0j, 3), {}), ("percentile_filter", (X, 101, 3), {}),
    ("generic_filter", (X, 5, 3), {}), ("generic_filter", (X, np.sum), {}), ("generic_filter", (X, str, 3), {}),
    ("generic_filter1d", (X, np.sum, 0), {}), ("generic_filter1d", (X, print, 3), {"origin": 2}),
    ("vectorized_filter", (X, np.mean), {}), ("vectorized_filter", (X, np.mean), {"size": 0}),
    ("fourier_gaussian", (X, [1, 1, 1]), {}), ("fourier_gaussian", (X, 1), {"output": int}), ("fourier_gaussian", (X, 1), {"axis": 5}),
    ("fourier_shift", (X, 1), {"output": np.float64}), ("fourier_ellipsoid", (np.ones((2,) * 4), 1), {}),
    ("sobel", (np.array(1.0),), {}), ("sobel", (X,), {"axis": 2}), ("laplace", (X,), {"mode": ["wrap"]}),
]  # fmt: skip


@pytest.mark.parametrize("f, args, kwargs", ERRORS, ids=[f"{i}-{e[0]}" for i, e in enumerate(ERRORS)])
def test_errors(f, args, kwargs):
    with pytest.raises(Exception) as theirs:
        getattr(sn, f)(*args, **kwargs)
    before = X.copy()
    with pytest.raises(Exception) as ours:
        getattr(ndimage, f)(*args, **kwargs)
    assert issubclass(ours.type, theirs.type) or issubclass(theirs.type, ours.type), (ours.type, theirs.type)
    assert ours.type is not Exception and len(str(ours.value)) > 10
    np.testing.assert_array_equal(X, before)


def test_warnings_and_read_only_output():
    with pytest.warns(UserWarning, match="ignoring size because footprint is set"):
        ndimage.rank_filter(X, 5, size=2, footprint=FULL)
    frozen = np.zeros((5, 6))
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        ndimage.gaussian_filter(X, 1, output=frozen)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndimage.median_filter(X, 3)


def test_ball_transform_against_mpmath():
    """fourier_ellipsoid in two dimensions is 2 J1(r)/r: absolute error of its largest value, in both of its ranges."""
    mpmath = pytest.importorskip("mpmath")
    n = 151
    for size in (3.0, 30.0):
        got = run("fourier_ellipsoid", np.ones((n, n)), size)[:76, :76].ravel()[::53]
        k = np.array([(i, j) for i in range(76) for j in range(76)])[::53]
        with mpmath.workdps(30):
            for value, (i, j) in zip(got, k.tolist(), strict=True):
                r = mpmath.pi * size * mpmath.sqrt(i * i + j * j) / n
                want = 2 * mpmath.besselj(1, r) / r if r else mpmath.mpf(1)
                assert abs(value - want) < 4e-16 * (1 + 0.05 * r)      # r itself carries rounding
