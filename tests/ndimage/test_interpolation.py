"""Spline interpolation against scipy.ndimage: orders, modes, dtypes, layouts; what SciPy gets wrong is checked by hand."""

import itertools
import warnings

import numpy as np
import pytest
import scipy.ndimage as sn
from scipy import LowLevelCallable
from scipy.ndimage import _ctest, _cytest

import gpusci as gs
from gpusci import ndimage

RNG = np.random.default_rng(11)
MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap")
REAL = "?bBhHiIlLfd"
ORDERS = range(6)
MATRIX = np.array([[0.83, 0.31], [-0.27, 1.13]])


def data(shape, dtype="d", scale=60):
    x = RNG.normal(size=shape) * scale
    if np.dtype(dtype).kind == "c":
        x = x + 1j * RNG.normal(size=shape) * scale
    if np.dtype(dtype).kind == "u":
        x = np.abs(x)
    return x > 0 if dtype == "?" else x.astype(dtype)


def run(f, x, *args, **kwargs):
    got = getattr(ndimage, f)(gs.asarray(x), *args, **kwargs)
    assert isinstance(got, gs.ndarray)
    return got.numpy()


def same(f, x, *args, ulp=16, **kwargs):
    """Equal to SciPy: integers exactly, floats within `ulp` spacings of the largest value."""
    want = getattr(sn, f)(x, *args, **kwargs)
    got = run(f, x, *args, **kwargs)
    if want.dtype.kind in "iu":
        # Samples are added up in another order than SciPy's: values half way between integers may go the other way.
        value = getattr(sn, f)(x, *args, **{**kwargs, "output": np.float64})
        tie = np.abs(np.abs(value - np.floor(value)) - 0.5) < 1e-9
        assert np.abs(got.astype(float) - want)[tie].max(initial=0) <= 1
        got = np.where(tie, want, got)
    # Values are sums over the input: where those that stay inside are few and small, its size says how exact they can be.
    compare(got, want, ulp, np.abs(x[np.isfinite(x)]).max(initial=0))
    return got


def compare(got, want, ulp=16, size=0):
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.size == 0:
        return
    if want.dtype.kind in "fc":
        np.testing.assert_array_equal(np.isfinite(got), np.isfinite(want))
        finite = np.isfinite(want)
        scale = np.max(np.abs(want[finite]), initial=max(size, 1e-30))
        np.testing.assert_allclose(got[finite], want[finite], rtol=0, atol=ulp * np.finfo(want.dtype).eps * scale)
    else:
        np.testing.assert_array_equal(got, want)


# ---- coefficients
@pytest.mark.parametrize("order", range(2, 6))
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", [(1,), (2,), (5,), (97,), (5000,), (7, 33), (40, 3), (3, 1, 20), (2, 17, 40)])
def test_spline_filter(shape, mode, order):
    x = data(shape)
    if mode in ("reflect", "nearest", "grid-mirror") and min(shape) < 30:
        return          # SciPy's start of these is an approximation: see test_spline_filter_solves
    for axis in range(len(shape)):
        same("spline_filter1d", x, order, axis, mode=mode)
    same("spline_filter", x, order, mode=mode)


SAMPLES = {2: (1, 6, 1), 3: (1, 4, 1), 4: (1, 76, 230, 76, 1), 5: (1, 26, 66, 26, 1)}      # of the B-splines, unscaled


@pytest.mark.parametrize("order", range(2, 6))
@pytest.mark.parametrize("mode", ("mirror", "reflect", "grid-wrap"))
def test_spline_filter_solves(mode, order):
    """Against a dense solution. SciPy 1.17 is off by up to 2e-2 for reflect and short lines."""
    taps = np.array(SAMPLES[order]) / np.sum(SAMPLES[order])
    for n in (2, 3, 4, 5, 8, 20, 61):
        matrix = np.zeros((n, n))
        for i, (k, tap) in itertools.product(range(n), enumerate(taps)):
            q = np.pad(np.arange(n), 50, mode={"mirror": "reflect", "reflect": "symmetric", "grid-wrap": "wrap"}[mode])
            matrix[i, q[50 + i + k - len(taps) // 2]] += tap
        x = RNG.normal(size=n)
        np.testing.assert_allclose(ndimage.spline_filter1d(x, order, mode=mode), np.linalg.solve(matrix, x), rtol=0, atol=2e-14)


@pytest.mark.parametrize("dtype", [*REAL, "F", "D"])
def test_spline_filter_dtypes(dtype):
    x = data((20, 37), dtype)
    same("spline_filter", x, 3)
    same("spline_filter1d", x, 5, 0, mode="grid-wrap")
    wide = "F" if dtype in "FD" else "f"
    same("spline_filter1d", x, 3, 1, output=wide, ulp=2)
    same("spline_filter", x[::-2, 3:].T, 4)
    same("spline_filter1d", np.asfortranarray(x), 2, 0)


def test_spline_filter_inverts_sampling():
    """The B-splines with these coefficients pass through the samples."""
    x = data((60, 50))
    for order, mode in itertools.product(range(2, 6), ("mirror", "reflect", "grid-wrap")):
        c = ndimage.spline_filter(x, order, mode=mode)
        back = ndimage.shift(c, 0, order=order, mode=mode, prefilter=False)
        np.testing.assert_allclose(back, x, rtol=0, atol=1e-12 * np.abs(x).max())


def test_spline_filter_outputs():
    x = data((12, 9))
    want = sn.spline_filter(x)
    y = x.copy()
    assert ndimage.spline_filter(y, output=y) is y
    compare(y, want)
    big = np.zeros((24, 9))
    ndimage.spline_filter(x, output=big[::2])
    compare(big[::2], want)
    assert not big[1::2].any()
    readonly = x.copy()
    readonly.flags.writeable = False
    compare(ndimage.spline_filter(readonly), want)
    compare(ndimage.spline_filter(x.astype(">f8")), want)


def test_spline_filter_small_and_bad():
    assert ndimage.spline_filter(np.float64(3)) == 3
    assert ndimage.spline_filter(np.zeros((3, 0))).shape == (3, 0)
    x = data((4, 5), "i")
    compare(ndimage.spline_filter1d(x, 1), x.astype(float))
    for f, args, error in [
        ("spline_filter", (x, 1), RuntimeError), ("spline_filter", (x, 6), RuntimeError), ("spline_filter1d", (x, -1), RuntimeError),
        ("spline_filter1d", (x, 3, 2), np.exceptions.AxisError), ("spline_filter1d", (np.float64(2),), np.exceptions.AxisError),
        ("spline_filter", (x.astype("e"),), RuntimeError),
    ]:  # fmt: skip
        with pytest.raises(error):
            getattr(sn, f)(*args)
        with pytest.raises(error):
            getattr(ndimage, f)(*args)
    for kwargs in ({"mode": "none"}, {"output": np.zeros((5, 4))}):
        with pytest.raises(RuntimeError):
            ndimage.spline_filter(x, **kwargs)


# ---- every order and mode
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("mode", MODES)
def test_transforms(mode, order):
    for x in (data((30, 31)), data((9,)), data((2, 3)), data((5, 6, 7))):
        options = {"order": order, "mode": mode, "cval": 3.5}
        ulp = 64
        for prefilter in (True, False):
            if prefilter and order > 1 and mode in ("reflect", "grid-mirror") and min(x.shape) < 23:
                continue        # SciPy's coefficients are approximate: see test_spline_filter_solves
            options["prefilter"] = prefilter
            same("shift", x, [1.7, -2.25, 3][: x.ndim], ulp=ulp, **options)
            same("zoom", x, 1.61, ulp=ulp, **options)
            for dim in ((0.7, 2.3, 1.2)[: x.ndim],):
                same("affine_transform", x, np.array(dim), -1.5, ulp=ulp, **options)
            points = RNG.uniform(-1.5, 2.5, (x.ndim, 40)) * np.array(x.shape)[:, None]
            same("map_coordinates", x, points, ulp=ulp, **options)
            if x.ndim == 2:
                same("affine_transform", x, MATRIX, [-3.3, 2.2], ulp=ulp, **options)
                same("rotate", x, 33, ulp=ulp, **options)
        options["prefilter"] = mode not in ("reflect", "grid-mirror")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same("zoom", x, [0.6, 2, 1.5][: x.ndim], grid_mode=True, ulp=ulp, **options)


@pytest.mark.parametrize("mode", MODES)
def test_order_zero_halves(mode):
    x = np.arange(7.0) + 1
    for step in (0.25, 0.5, 1.0):
        points = np.arange(-20, 28, step)[None]
        for order in (0, 1):
            same("map_coordinates", x, points, order=order, mode=mode, cval=-4)
    same("shift", x, 0.5, order=0, mode=mode)
    same("zoom", x, 3, order=0, mode=mode)


# ---- dtypes
@pytest.mark.parametrize("dtype", [*REAL, "F", "D"])
@pytest.mark.parametrize("order", (0, 1, 3))
def test_input_dtypes(dtype, order):
    x = data((15, 18), dtype)
    cval = 2 - 3j if dtype in "FD" else 2
    same("affine_transform", x, MATRIX, 1.25, order=order, cval=cval)
    same("shift", x, (0.25, -3), order=order, mode="grid-constant", cval=cval)
    same("zoom", x, 0.7, order=order, mode="nearest")
    same("map_coordinates", x, RNG.uniform(-2, 20, (2, 3, 5)), order=order, mode="reflect")
    same("rotate", x, -20, order=order, reshape=False, mode="wrap")


@pytest.mark.parametrize("dtype", REAL)
def test_output_dtypes(dtype):
    x = data((40,), scale=200)
    x[:6] = [2.5, -2.5, 0.5, -0.5, 127.5, 255.5]
    output = np.zeros(40, dtype)
    ndimage.shift(x, 0, order=0, output=output)
    compare(output, sn.shift(x, 0, order=0, output=np.zeros(40, dtype)))
    if dtype != "?":
        same("zoom", data((6, 7), scale=300), 1.5, order=1, output=dtype)


def test_integers_saturate():
    x = np.array([1e30, -1e30, 300.0])
    for dtype in "bBhHiIlL":
        info = np.iinfo(dtype)
        got = ndimage.shift(x, 0, order=0, output=dtype)
        assert got[0] == info.max and got[1] == info.min and got[2] == min(300, info.max)


@pytest.mark.parametrize("dtype", "bBhHiIlLfd")
def test_coordinate_dtypes(dtype):
    x = data((30, 30))
    points = np.abs(data((2, 4, 5), "d", 10)).astype(dtype)
    same("map_coordinates", x, points, order=1)
    same("map_coordinates", x, points.transpose(0, 2, 1), order=3, mode="mirror")
    same("map_coordinates", x, points[:, ::-1, ::2].tolist(), order=0)


# ---- geometry
def test_affine_forms():
    x, y = data((8, 9)), data((4, 5, 6))
    same("affine_transform", x, [0.5, 2.0], order=1)
    same("affine_transform", x, [[0.5, 0.1, 1.0], [0, 2.0, -1.0]], order=1)
    same("affine_transform", x, [[0.5, 0.1, 1.0], [0, 2.0, -1.0], [0, 0, 1]], offset=77, order=1)
    same("affine_transform", x, [[1.0], [1.5]], 0.25, output_shape=(6,), order=3)
    same("affine_transform", y, [[1, 0], [0.5, 0.5], [0, 1.0]], (0, 1, 0.5), output_shape=(4, 6), order=2)
    same("affine_transform", x, np.eye(2), order=1, output_shape=(12, 14), mode="nearest")
    output = np.zeros((11, 3))
    compare(ndimage.affine_transform(x, MATRIX, output=output), sn.affine_transform(x, MATRIX, output=np.zeros((11, 3))))


def test_more_output_axes_than_input():
    x = data((9,))
    want = sn.affine_transform(x, np.array([[0.5, 1.0, 0.25]]), 1, output_shape=(2, 3, 4), order=1)
    compare(run("affine_transform", x, np.array([[0.5, 1.0, 0.25]]), 1, output_shape=(2, 3, 4), order=1), want)


@pytest.mark.parametrize("axes", [(1, 0), (0, 2), (-1, 1), (2, 3)])
@pytest.mark.parametrize("reshape", [True, False])
def test_rotate_planes(axes, reshape):
    x = data((4, 5, 6, 3))
    same("rotate", x, 40, axes, reshape, order=3, ulp=64)
    same("rotate", x.astype("F"), 15, axes, reshape, order=1, ulp=64)
    same("rotate", x.astype("h"), 77, axes, reshape, order=1, mode="nearest")
    same("rotate", x[::-1, :, ::2], 77, axes, reshape, order=3, mode="grid-constant", cval=2, ulp=64)


@pytest.mark.parametrize("order", (0, 1, 3))
def test_turns_are_exact(order):
    x = np.arange(2.0, 38.0).reshape(6, 6)
    for turns in range(5):
        got = ndimage.rotate(x, 90 * turns, order=order)
        np.testing.assert_allclose(got, np.rot90(x, turns), rtol=1e-12)


def test_zoom_reaches_the_last_sample():
    """SciPy 1.17 gives cval there for some of these sizes."""
    for n, z in [(15, 1.7), (28, 0.97), (28, 1.7), (31, 0.97), (9, 1.375), (12, 2.3)]:
        x = np.arange(1.0, n + 1)
        for order in (0, 1, 3):
            got = ndimage.zoom(x, z, order=order)
            assert got[0] == pytest.approx(1) and got[-1] == pytest.approx(n)


def test_zoom_arguments():
    x = data((6, 7))
    compare(ndimage.zoom(x.astype("e"), 1), x.astype("e"))
    same("zoom", x, 1)
    same("zoom", x, (1, 2.5))
    same("zoom", x, 1, prefilter=False)
    same("zoom", x, 0.01)
    same("zoom", x, (0.1, 1), order=1)
    same("zoom", np.zeros((3, 0)), 2)
    for mode in ("constant", "wrap"):
        with pytest.warns(UserWarning, match="recommended to use mode = grid-"):
            ndimage.zoom(x, 2, mode=mode, grid_mode=True)


def test_coordinates_far_out_and_not_finite():
    """SciPy 1.17 overflows its integers for huge and infinite coordinates; NaN behaves as there."""
    x = np.arange(1.0, 5.0)
    far = np.array([[np.inf, -np.inf, 1e300, -1e300, 1e18, -1e18]])
    for order in (0, 1):
        np.testing.assert_array_equal(ndimage.map_coordinates(x, far, order=order, mode="nearest"), [4, 1] * 3)
        for mode in ("constant", "grid-constant"):
            np.testing.assert_array_equal(ndimage.map_coordinates(x, far, order=order, mode=mode, cval=7), [7.0] * 6)
        for mode in ("reflect", "mirror", "wrap", "grid-wrap"):
            got = ndimage.map_coordinates(x, far, order=order, mode=mode, cval=7)
            assert np.isin(got, [1, 2, 3, 4, 7]).all()
    for mode, order in itertools.product(MODES, (0, 1, 3)):
        compare(ndimage.map_coordinates(x, [[np.nan, 1]], order=order, mode=mode, cval=7),
                sn.map_coordinates(x, [[np.nan, 1]], order=order, mode=mode, cval=7))  # fmt: skip


def test_nan_and_inf_samples():
    x = data((12, 13))
    x[5, 6], x[2, 2] = np.nan, np.inf
    for order in (0, 1):
        same("shift", x, (0.5, 1), order=order)
        same("affine_transform", x, MATRIX, order=order)
        same("zoom", x, 1.7, order=order, mode="nearest")
    same("spline_filter1d", x, 3, 0)


# ---- functions
def test_geometric_transform():
    x = data((8, 9))
    for order in (0, 1, 3):
        same("geometric_transform", x, lambda p: (p[0] * 0.7 - 0.5, p[1] + 0.25), order=order)
    same("geometric_transform", x, lambda p: (p[0], p[0] + 0.5), output_shape=(5,), order=1)
    same("geometric_transform", x, lambda p, a, b=0: (p[0] + a, p[1] * b), extra_arguments=(1.5,), extra_keywords={"b": 0.5})
    same("geometric_transform", x + 1j, lambda p: (p[0] - 0.5, p[1]), order=1, cval=1 + 2j)
    same("geometric_transform", x, lambda p: (0, 1, 2), order=1)


def test_geometric_transform_positions():
    seen = []
    ndimage.geometric_transform(np.zeros((2, 3)), lambda p: (seen.append(p), p)[1], order=1)
    assert seen == list(itertools.product(range(2), range(3))) and all(type(v) is int for p in seen for v in p)


C_TRANSFORMS = [
    _ctest.transform, lambda shift: _cytest.transform(shift, with_signature=False),
    lambda shift: LowLevelCallable(_cytest.transform(shift, with_signature=True)),
    lambda shift: LowLevelCallable.from_cython(_cytest, "_transform", _cytest.transform_capsule(shift)),
]  # fmt: skip


@pytest.mark.parametrize("make", C_TRANSFORMS)
def test_geometric_transform_in_c(make):
    x = np.arange(12, dtype=np.float64).reshape(4, 3)
    for order in (0, 1, 3):
        same("geometric_transform", x, make(0.5), order=order)


def test_geometric_transform_wrong_signature():
    with pytest.raises(ValueError, match="signature"):
        ndimage.geometric_transform(np.zeros((2, 3)), LowLevelCallable(_ctest.filter1d(3), signature="int (double)"))


def test_geometric_transform_bad():
    x = data((4,))
    for mapping, error in [(5, ValueError), (lambda p: [p[0]], TypeError), (lambda p: p[0], TypeError), (lambda p: (), TypeError),
                           (lambda p: ("a",), TypeError)]:  # fmt: skip
        for module in (sn, ndimage):
            with pytest.raises(error):
                module.geometric_transform(x, mapping)
    with pytest.raises(ZeroDivisionError):
        ndimage.geometric_transform(x, lambda p: (1 / 0,))


# ---- outputs and layouts
@pytest.mark.parametrize("order", (0, 1, 3))
def test_layouts(order):
    x = data((20, 24))
    for view in (x[::-1], x[:, ::3], x.T, np.asfortranarray(x), np.broadcast_to(x[0], (5, 24)), x.astype(">f8"), x[None, ..., None]):
        options = {"order": order, "mode": "mirror"}
        same("shift", view, 0.75, **options)
        same("affine_transform", view, np.eye(view.ndim) * 0.9, 0.5, **options)
    readonly = x.copy()
    readonly.flags.writeable = False
    same("zoom", readonly, 1.5, order=order)


def test_outputs():
    x = data((10, 11))
    want = sn.shift(x, (1.5, 2))
    big = np.full((20, 33), 7.0)
    view = big[::2, ::3]
    assert ndimage.shift(x, (1.5, 2), output=view) is view
    compare(view.copy(), want)
    assert (big[1::2] == 7).all()
    y = x.copy()
    ndimage.shift(y, (1.5, 2), output=y)
    compare(y, want)
    z = x.copy()
    ndimage.shift(z, (1, 0), order=1, output=z)         # SciPy reads what it has overwritten
    compare(z, sn.shift(x, (1, 0), order=1))
    fortran = np.zeros((10, 11), order="F")
    compare(ndimage.rotate(x, 20, reshape=False, output=fortran), sn.rotate(x, 20, reshape=False))
    device = gs.empty((10, 11))
    assert ndimage.shift(gs.asarray(x), (1.5, 2), output=device) is device
    compare(device.numpy(), want)
    with pytest.warns(UserWarning, match="complex"):
        ndimage.shift(x + 1j, 1, output=float)


def test_empty():
    assert ndimage.map_coordinates(np.zeros(0), [[1.0, 2]], order=1, cval=4).tolist() == [4, 4]
    assert ndimage.map_coordinates(np.zeros(0), [[1.0, 2]], order=3).tolist() == [0, 0]
    assert ndimage.map_coordinates(np.zeros(4), np.zeros((1, 0))).shape == (0,)
    assert ndimage.shift(np.zeros((3, 0)), 1).shape == (3, 0)
    assert ndimage.affine_transform(np.zeros(3), [[1.0]], output_shape=(0,)).shape == (0,)


BAD = [
    ("shift", (np.float64(1), 1), {}, RuntimeError), ("shift", (np.zeros(3), (1, 2)), {}, RuntimeError),
    ("shift", (np.zeros(3), 1), {"order": 6}, RuntimeError), ("shift", (np.zeros(3), 1), {"order": -1}, RuntimeError),
    ("shift", (np.zeros(3), 1), {"mode": "none"}, RuntimeError), ("shift", (np.zeros(3), 1j), {}, TypeError),
    ("shift", (np.zeros(3), 1), {"cval": 1j}, TypeError), ("shift", (np.zeros(3), 1), {"output": np.zeros(4)}, RuntimeError),
    ("shift", (np.zeros(3), 1), {"output": np.zeros(3, complex)}, RuntimeError), ("shift", (np.zeros(3, "e"), 1), {}, RuntimeError),
    ("shift", (np.zeros(3, "e"), 1), {"order": 1}, RuntimeError),
    ("zoom", (np.zeros((2, 3)), (1, 2, 3)), {}, RuntimeError), ("zoom", (np.float64(1), 2), {}, RuntimeError),
    ("map_coordinates", (np.zeros((2, 3)), np.zeros((3, 4))), {}, RuntimeError),
    ("map_coordinates", (np.zeros((2, 3)), np.zeros(2)), {}, RuntimeError),
    ("map_coordinates", (np.zeros(3), np.zeros((1, 2), complex)), {}, TypeError),
    ("map_coordinates", (np.zeros(3), np.zeros((1, 2), "e")), {"order": 1}, RuntimeError),
    ("affine_transform", (np.zeros((2, 3)), np.eye(4)), {}, RuntimeError),
    ("affine_transform", (np.zeros((2, 3)), np.zeros((2, 2, 2))), {}, RuntimeError),
    ("affine_transform", (np.zeros((2, 3)), np.ones((3, 3))), {}, ValueError),
    ("affine_transform", (np.zeros((2, 3)), np.ones((2, 1))), {}, RuntimeError),
    ("affine_transform", (np.zeros((2, 3)), np.eye(2), (1, 2, 3)), {}, RuntimeError),
    ("rotate", (np.zeros(3), 10), {}, ValueError), ("rotate", (np.zeros((2, 3)), 10, (0, 1, 2)), {}, ValueError),
    ("rotate", (np.zeros((2, 3)), 10, (0, 2)), {}, ValueError), ("rotate", (np.zeros((2, 3)), 10, (0, 0.5)), {}, ValueError),
]  # fmt: skip


@pytest.mark.parametrize("f, args, kwargs, error", BAD)
def test_bad_input(f, args, kwargs, error):
    with pytest.raises(error):
        getattr(sn, f)(*args, **kwargs)
    with pytest.raises(error):
        getattr(ndimage, f)(*args, **kwargs)
