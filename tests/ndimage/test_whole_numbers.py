"""Integers that a double does not hold, and constants that a dtype does not hold: what SciPy 1.17 rounds, wraps or overflows."""

import numpy as np
import pytest
import scipy.ndimage as sn

import gpusci as gs
from gpusci import ndimage

RNG = np.random.default_rng(6986)
WIDE = {"q": (-(2**63), 2**63 - 1), "Q": (0, 2**64 - 1)}
MODES = ("reflect", "constant", "nearest", "mirror", "grid-wrap", "grid-constant", "wrap")


def wide(shape, dtype):
    """Values over the whole range, all but sure to have more than 53 bits."""
    low, high = WIDE[dtype]
    return RNG.integers(low, high, shape, dtype, endpoint=True)


def run(f, x, *args, **kwargs):
    got = getattr(ndimage, f)(gs.asarray(x), *args, **kwargs)
    assert isinstance(got, gs.ndarray)
    return got.numpy()


# ---- order 0 picks samples
def picked(f, x, *args, cval=0, **kwargs):
    """Which samples SciPy picks, from an image of their places: it is exact for small integers."""
    places = np.arange(1, x.size + 1, dtype=np.int32).reshape(x.shape)
    return np.r_[np.array([cval], x.dtype), x.ravel()][getattr(sn, f)(places, *args, **kwargs)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", "qQ")
def test_nearest_samples_are_exact(dtype, mode):
    for shape in ((40,), (9, 11), (30, 41), (4, 7, 5)):
        x = wide(shape, dtype)
        at = RNG.uniform(-6, 12, (x.ndim, 5, 8))
        matrix = np.eye(x.ndim) * 0.8 + 0.05
        cases = [("shift", 1.7), ("zoom", 1.6), ("map_coordinates", at), ("affine_transform", matrix), ("affine_transform", matrix[0])]
        if x.ndim > 1:
            cases += [("rotate", 33.0), ("rotate", 90.0)]
        for f, argument in cases:
            want = picked(f, x, argument, order=0, mode=mode)
            for view in (x, np.asfortranarray(x), np.repeat(x, 2, -1)[..., ::2]):
                got = run(f, view, argument, order=0, mode=mode)
                assert got.dtype == dtype
                np.testing.assert_array_equal(got, want, f"{f} {shape}")
    np.testing.assert_array_equal(ndimage.geometric_transform(x, lambda p: p[::-1], order=0, mode=mode, output_shape=x.shape[::-1]),
                                  x.transpose())  # fmt: skip


@pytest.mark.parametrize("dtype", "qQ")
def test_constants_of_nearest_samples(dtype):
    low, high = WIDE[dtype]
    x = wide((5, 6), dtype)
    for cval, want in ((high, high), (low, low), (2**62 + 1, 2**62 + 1), (np.int64(7), 7), (2.5, 3), (-2.5, max(low, -3)),
                       (1e30, high), (-1e30, low), (np.inf, high), (high + 1, high)):  # fmt: skip
        for f, argument in (("shift", (2, 0)), ("affine_transform", [[1.0, 0.0], [0.0, 1.0]])):
            more = {"offset": (-2, 0)} if f == "affine_transform" else {}
            for mode in ("constant", "grid-constant"):
                got = run(f, x, argument, order=0, mode=mode, cval=cval, **more)
                assert (got[:2] == np.array(want, dtype)).all(), (f, cval)
                np.testing.assert_array_equal(got[2:], x[:-2])
    out = gs.asarray(x.copy())
    ndimage.shift(out, (0, 1), order=0, mode="grid-wrap", output=out)
    np.testing.assert_array_equal(out.numpy(), np.roll(x, 1, 1))
    assert run("shift", x, 1, order=0, output=np.float64).dtype == "d"


def test_true_stays_true():
    """Interpolated values that are 1 but for rounding."""
    x, matrix = np.ones((33, 64), bool), np.array([[0.9, 0.1], [-0.1, 0.9]])
    for order in range(6):
        for f, argument in (("zoom", (0.25, 1.3)), ("rotate", 17), ("shift", 0.3), ("affine_transform", matrix)):
            assert run(f, x, argument, order=order, mode="nearest").all(), (f, order)
    x = RNG.random((30, 31)) < 0.5
    got, values = run("zoom", x, 1.7, order=1), sn.zoom(x.astype(float), 1.7, order=1)
    np.testing.assert_array_equal(got, values > 1 - 1e-9)


# ---- constants of minima, maxima and ranks
def windows(x, size, cval):
    """All windows of an image of Python integers, one a row."""
    low = [n // 2 for n in size]
    padded = np.pad(x.astype(object), [(k, n - k - 1) for k, n in zip(low, size, strict=True)], constant_values=cval)
    return np.lib.stride_tricks.sliding_window_view(padded, size).reshape(*x.shape, -1)


@pytest.mark.parametrize("dtype", "qQ")
def test_constants_are_exact(dtype):
    x = wide((9, 10), dtype)
    for cval in (WIDE[dtype][1], 2**62 + 1, 2**53 + 1, WIDE[dtype][0] + 1):
        for size in ((3, 3), (2, 5), (5, 1), (7, 7)):
            sorted_ = np.sort(windows(x, size, cval), -1)
            n = sorted_.shape[-1]
            for f, args, rank in (("minimum_filter", (), 0), ("maximum_filter", (), -1), ("median_filter", (), n // 2),
                                  ("rank_filter", (1,), 1), ("percentile_filter", (80,), int(n * 80.0 / 100))):  # fmt: skip
                got = run(f, x, *args, size=size, mode="constant", cval=cval)
                np.testing.assert_array_equal(got, sorted_[..., rank].astype(dtype), f"{f} {size} {cval}")
    hole = np.array([[1, 0, 1], [1, 1, 1]], bool)
    want = windows(x, hole.shape, 2**62 + 1)[..., hole.ravel()].max(-1).astype(dtype)
    np.testing.assert_array_equal(run("maximum_filter", x, footprint=hole, mode="constant", cval=2**62 + 1), want)


@pytest.mark.parametrize("dtype", "bBhHiIqQ")
def test_constants_beyond_the_dtype_leave_minima_and_maxima_alone(dtype):
    limits = np.iinfo(dtype)
    x = RNG.integers(limits.min, limits.max, (8, 9), dtype, endpoint=True)
    for past in (1, 10, 10**30, np.inf):
        for f, cval, limit, reduce in (("minimum_filter", limits.max + past, limits.max, np.min),
                                       ("maximum_filter", limits.min - past, limits.min, np.max)):  # fmt: skip
            want, line = (reduce(windows(x, size, int(limit)), -1).astype(dtype) for size in ((3, 4), (1, 4)))
            np.testing.assert_array_equal(run(f, x, (3, 4), mode="constant", cval=cval), want, f"{f} {cval}")
            np.testing.assert_array_equal(run(f + "1d", x, 4, mode="constant", cval=cval), line)
        got = run("grey_erosion", x, 3, mode="constant", cval=limits.max + past)
        np.testing.assert_array_equal(got, run("grey_erosion", x, 3, mode="nearest"))


# ---- sums
@pytest.mark.parametrize("dtype", "qQ")
def test_means_of_many_wide_integers(dtype):
    for n in (5, 40_000, 70_001):
        x = wide(n, dtype)
        for view in (x, x[::-2], np.full(n, WIDE[dtype][0] + 1, dtype), np.full(n, WIDE[dtype][1], dtype)):
            want = float(view.astype(object).sum()) / view.size
            got = float(ndimage.mean(gs.asarray(view)))
            assert abs(got - want) <= 1e-15 * abs(view.astype(float)).max()


def test_centres_and_means_do_not_overflow():
    labels = np.ones((40, 50), int)
    labels[:, 25:] = 2
    for dtype, value in (("b", 127), ("B", 255), ("h", 32767), ("i", 2**31 - 1), ("q", 2**62), ("Q", 2**63), ("e", 60000)):
        x = gs.asarray(np.full((40, 50), value, dtype))
        np.testing.assert_allclose(ndimage.center_of_mass(x), (19.5, 24.5), rtol=1e-12)
        np.testing.assert_allclose(float(ndimage.mean(x)), float(np.array(value, dtype)), rtol=1e-12)
        if dtype != "e":
            np.testing.assert_allclose(ndimage.center_of_mass(x, labels, [1, 2]), [(19.5, 12), (19.5, 37)], rtol=1e-12)
            np.testing.assert_allclose(ndimage.center_of_mass(x, labels, 2), (19.5, 37), rtol=1e-12)
            for index in (1, [1, 2], None):
                np.testing.assert_allclose(gs.asnumpy(ndimage.mean(x, labels, index)), float(value), rtol=1e-12)
                np.testing.assert_allclose(gs.asnumpy(ndimage.variance(x, labels, index)), 0, atol=1e-6 * float(value))
