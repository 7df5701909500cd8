"""Morphology and distance transforms against scipy.ndimage: values, dtypes and, for distances, which of equally near zeros."""

import itertools

import numpy as np
import pytest
import scipy.ndimage as sn

import gpusci as gs
from gpusci import ndimage
from gpusci.ndimage import _distance

RNG = np.random.default_rng(17)
ALL = "?bBhHiIlLfd"
MODES = ("reflect", "constant", "nearest", "mirror", "wrap")
SHAPES = [(13,), (9, 12), (5, 6, 7)]
ODD = np.array([[1, 0, 0, 1], [1, 1, 1, 0]], bool)          # no symmetry, even lengths


def mask(shape, p=0.7):
    return RNG.random(shape) < p


def data(shape, dtype):
    x = RNG.integers(0, 100, shape)
    return x > 45 if dtype == "?" else x.astype(dtype)


def same(f, *args, **kwargs):
    want = getattr(sn, f)(*args, **kwargs)
    got = getattr(ndimage, f)(*args, **kwargs)
    equal(got, want)
    x = gs.asarray(args[0])
    device = getattr(ndimage, f)(x, *args[1:], **kwargs)
    equal(device if device is None else tuple(d.numpy() for d in device) if isinstance(device, tuple) else device.numpy(), want)


def equal(got, want):
    if isinstance(want, tuple):
        assert isinstance(got, tuple) and len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            equal(g, w)
    else:
        dtypes = np.asarray(got).dtype, np.asarray(want).dtype
        assert dtypes[0] == dtypes[1]
        np.testing.assert_array_equal(got, want)


# ---- binary
BINARY = ("binary_erosion", "binary_dilation", "binary_opening", "binary_closing")


@pytest.mark.parametrize("f", BINARY)
@pytest.mark.parametrize("shape", SHAPES)
def test_binary(f, shape):
    x = mask(shape)
    for iterations, border in itertools.product((1, 2, 5, -1, 0), (0, 1)):
        same(f, x, iterations=iterations, border_value=border)
    for structure in (np.ones((3,) * x.ndim), np.ones((2,) * x.ndim, int), np.ones((1,) * x.ndim)):
        same(f, x, structure)
        same(f, x, structure, 2, border_value=1)
        for origin in (-1, 0):
            if structure.shape[0] > 1:
                same(f, x, structure, 3, origin=origin)
    same(f, x, mask=mask(shape))
    same(f, x, iterations=-1, mask=mask(shape), border_value=1)
    same(f, x, iterations=3, mask=mask(shape).astype("d"), brute_force=True)


@pytest.mark.parametrize("f", BINARY)
def test_binary_structures(f):
    x = mask((10, 12), 0.6)
    for origin in itertools.product((-1, 0), (-2, -1, 0, 1)):
        same(f, x, ODD, origin=origin)
        same(f, x, ODD, 2, origin=origin, border_value=1)
    same(f, x, np.zeros((3, 3)))
    same(f, x[::-1, ::2], ODD)
    same(f, np.asfortranarray(x), ODD)


@pytest.mark.parametrize("f", BINARY)
def test_binary_axes(f):
    x = mask((5, 6, 7), 0.6)
    for axes in [(0,), (1, 2), (2, 0), (-1,), (0, 1, 2), 1]:
        rank = 1 if isinstance(axes, int) else len(axes)
        same(f, x, axes=axes)
        same(f, x, RNG.random((2, 3, 2)[:rank]) < 0.8, 2, axes=axes, border_value=1)


@pytest.mark.parametrize("dtype", ALL)
def test_binary_dtypes(dtype):
    x = data((8, 9), dtype)
    x[2:4] = 0
    for f in BINARY:
        same(f, x)
        same(f, x, output=bool)
        same(f, x, output=np.dtype(dtype))
    same("binary_fill_holes", x)
    same("binary_propagation", x, mask=np.ones((8, 9)))
    same("binary_hit_or_miss", x)


def test_binary_outputs():
    x = mask((8, 9))
    for f in BINARY:
        want = getattr(sn, f)(x, iterations=2)
        for dtype in "?Bid":
            output = np.zeros(x.shape, dtype)
            getattr(ndimage, f)(x, iterations=2, output=output)
            np.testing.assert_array_equal(output, want.astype(dtype))
        y = x.copy()
        getattr(ndimage, f)(y, iterations=2, output=y)
        np.testing.assert_array_equal(y, want)
        strided = np.zeros((16, 9), bool)
        getattr(ndimage, f)(x, iterations=2, output=strided[::2])
        np.testing.assert_array_equal(strided[::2], want)
        assert not strided[1::2].any()


def test_nan_is_foreground():
    x = np.array([0.0, np.nan, np.inf, 1, -0.0])
    for f in BINARY:
        same(f, x)


def test_binary_fill_holes_and_propagation():
    for shape in SHAPES:
        x = mask(shape, 0.6)
        same("binary_fill_holes", x)
        same("binary_fill_holes", x, np.ones((3,) * x.ndim))
        same("binary_fill_holes", x, np.ones((2,) * x.ndim))
        same("binary_fill_holes", x, np.ones((5,) * x.ndim))
        same("binary_propagation", x & mask(shape, 0.2), mask=x)
        same("binary_propagation", x & mask(shape, 0.2), np.ones((3,) * x.ndim), mask=x, border_value=1)
    x = mask((4, 7, 8), 0.6)
    same("binary_fill_holes", x, axes=(1, 2))
    same("binary_fill_holes", x, axes=(0, 2))
    same("binary_fill_holes", mask((9, 9), 0.6), origin=(0, 1))


def test_hit_or_miss():
    x = mask((10, 12), 0.6)
    for first, second in [(None, None), (ODD, None), (ODD, ~ODD), (np.ones((3, 3)), np.zeros((3, 3))), (mask((3, 3)), mask((3, 3)))]:
        same("binary_hit_or_miss", x, first, second)
    same("binary_hit_or_miss", x, np.ones((3, 3), bool), None, origin1=1)
    same("binary_hit_or_miss", x, mask((3, 3)), mask((3, 3)), origin1=(0, 1), origin2=(-1, 0))
    same("binary_hit_or_miss", mask((4, 5, 6)), axes=(0, 2))


def test_binary_empty_and_scalar():
    for f in (*BINARY, "binary_fill_holes"):
        same(f, np.zeros((3, 0), bool))
        assert bool(getattr(ndimage, f)(np.True_)) == bool(getattr(sn, f)(np.True_))


BAD_BINARY = [
    (("x", np.ones(3)), {}, RuntimeError), (("x", np.ones((0, 3))), {}, RuntimeError), (("x",), {"mask": np.ones((2, 2))}, RuntimeError),
    (("x",), {"iterations": 1.5}, TypeError), (("c",), {}, TypeError), (("x",), {"output": np.zeros((5, 4))}, RuntimeError),
    (("x", np.ones((3, 3))), {"origin": 2}, ValueError), (("x", np.ones((3, 3))), {"origin": (0, 0, 0)}, RuntimeError),
    (("x",), {"axes": (0, 0)}, ValueError), (("x",), {"axes": (0, 2)}, ValueError), (("x",), {"axes": 0.5}, TypeError),
    (("x",), {"output": np.zeros((4, 5), complex)}, TypeError),
]  # fmt: skip


@pytest.mark.parametrize("args, kwargs, error", BAD_BINARY)
def test_bad_binary(args, kwargs, error):
    given = {"x": np.ones((4, 5), bool), "c": np.ones((4, 5), complex)}
    args = [given[a] if isinstance(a, str) else a for a in args]
    with pytest.raises((error, IndexError)):                # SciPy's IndexError for some is an accident
        sn.binary_erosion(*args, **kwargs)
    with pytest.raises(error):
        ndimage.binary_erosion(*args, **kwargs)
    if kwargs.get("origin") != 2:                   # fits when reflected
        with pytest.raises(error):
            ndimage.binary_dilation(*args, **kwargs)


# ---- grey
GREY = ("grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "morphological_gradient", "morphological_laplace",
        "white_tophat", "black_tophat")  # fmt: skip
FLAT = np.array([[1, 0, 1], [0, 1, 1]], bool)


@pytest.mark.parametrize("f", GREY)
@pytest.mark.parametrize("dtype", ALL)
def test_grey_dtypes(f, dtype):
    x = data((8, 11), dtype)
    arguments = [{"size": 3}, {"size": (2, 5)}, {"footprint": FLAT}]
    if dtype != "?":
        arguments += [{"structure": np.array([[1, 2], [0, 3], [4, 1]])}, {"footprint": FLAT, "structure": FLAT * 5}]
    for kwargs in arguments:
        if dtype == "?" and f in ("morphological_gradient", "morphological_laplace"):
            for module in (sn, ndimage):
                if f == "morphological_gradient":
                    with pytest.raises(TypeError):
                        getattr(module, f)(x, **kwargs)
            continue
        same(f, x, **kwargs)


@pytest.mark.parametrize("f", GREY)
@pytest.mark.parametrize("mode", MODES)
def test_grey_modes(f, mode):
    for shape in SHAPES:
        x = data(shape, "d")
        same(f, x, size=4, mode=mode, cval=30)
        same(f, x, structure=RNG.integers(0, 9, (3, 2, 4)[: x.ndim]).astype(float), mode=mode, cval=30)
        same(f, x, size=3, mode=mode, origin=-1)
        same(f, x, structure=np.ones((3,) * x.ndim), mode=mode, origin=1)


@pytest.mark.parametrize("f", GREY)
def test_grey_axes_and_outputs(f):
    x = data((5, 6, 7), "f")
    for axes in [(0,), (1, 2), (2, 0), (-1,), (0, 1, 2)]:
        same(f, x, size=3, axes=axes)
        same(f, x, footprint=np.ones((2, 3, 3)[: len(axes)], bool), axes=axes)
        same(f, x, structure=np.arange(12.0).reshape(2, 3, 2)[(0,) * (3 - len(axes))], axes=axes)
    want = getattr(sn, f)(x, size=3)
    y = x.copy()
    getattr(ndimage, f)(y, size=3, output=y)
    np.testing.assert_array_equal(y, want)
    for dtype in "di" if f.startswith("grey") else "d":
        output = np.zeros(x.shape, dtype)
        getattr(ndimage, f)(x, size=3, output=output)
        np.testing.assert_array_equal(output, getattr(sn, f)(x, size=3, output=np.zeros(x.shape, dtype)))
    same(f, x[::-1, :, ::2].T, size=(3, 2, 3))
    same(f, np.zeros((3, 0)), size=3)


@pytest.mark.parametrize("f", GREY)
def test_grey_bad(f):
    x = np.ones((4, 5))
    cases = [
        ((), {}, ValueError), ((), {"structure": np.ones(3)}, RuntimeError), ((), {"size": 3, "mode": "none"}, RuntimeError),
        ((), {"size": (3, 3, 3)}, RuntimeError), ((), {"size": 3, "origin": 2}, ValueError),
        ((), {"size": 3, "axes": (0, 0)}, ValueError), ((), {"size": 3, "axes": (0, 2)}, ValueError),
        ((), {"footprint": np.zeros((3, 3))}, ValueError), ((), {"size": 3, "output": np.zeros((5, 4))}, (RuntimeError, ValueError)),
    ]  # fmt: skip
    for args, kwargs, error in cases:
        with pytest.raises((*np.atleast_1d(error), IndexError)):
            getattr(sn, f)(x, *args, **kwargs)
        with pytest.raises(error):
            getattr(ndimage, f)(x, *args, **kwargs)


# ---- distances
def nearest(x, sampling):
    """The elements that `indices` names are background and as near as SciPy's: a GPU may name another of equally near ones."""
    distance, indices = ndimage.distance_transform_edt(x, sampling, return_indices=True)
    np.testing.assert_array_equal(distance, sn.distance_transform_edt(x, sampling))
    if x.all():
        return
    assert not x[tuple(indices)].any()
    step = np.broadcast_to(1.0 if sampling is None else sampling, x.ndim).reshape((-1,) + (1,) * x.ndim)
    np.testing.assert_allclose(np.sqrt((((indices - np.indices(x.shape)) * step) ** 2).sum(0)), distance, rtol=1e-14)


@pytest.mark.parametrize("shape", [*SHAPES, (1,), (1, 9), (40, 3)])
@pytest.mark.parametrize("p", (0.5, 0.9, 0.99))
def test_distances(shape, p):
    x = mask(shape, p)
    steps = [None, 2.5, (1.5, 1, 0.75)[: x.ndim]]
    for sampling, indices in itertools.product(steps, (False, True)):
        if indices and gs.current_device().kind == "cuda":
            nearest(x, sampling)
        else:
            same("distance_transform_edt", x, sampling, return_indices=indices)
        for metric in ("euclidean", "taxicab", "chessboard"):
            same("distance_transform_bf", x, metric, sampling, return_indices=indices)
    for metric, indices in itertools.product(("chessboard", "taxicab", "cityblock", "manhattan"), (False, True)):
        same("distance_transform_cdt", x, metric, return_indices=indices)
    for structure in (np.ones((3,) * x.ndim, bool), mask((3,) * x.ndim, 0.6), np.zeros((3,) * x.ndim, bool)):
        same("distance_transform_cdt", x, structure, return_indices=True)
        same("distance_transform_cdt", x, structure)
    if gs.current_device().kind == "host":
        same("distance_transform_edt", x, return_distances=False, return_indices=True)
    same("distance_transform_bf", x, return_distances=False, return_indices=True)
    same("distance_transform_cdt", x, return_distances=False, return_indices=True)


@pytest.mark.parametrize("dtype", ALL)
def test_distance_dtypes(dtype):
    x = data((9, 10), dtype)
    x[3:5, 2:8] = 0
    for f in ("distance_transform_edt", "distance_transform_bf", "distance_transform_cdt"):
        same(f, x)
        same(f, x[::-1, ::2].T)


def test_distance_all_or_nothing():
    for x in (np.ones((4, 5), bool), np.zeros((4, 5), bool)):
        for f in ("distance_transform_edt", "distance_transform_bf", "distance_transform_cdt"):
            same(f, x)
        for metric in ("taxicab", "chessboard"):
            same("distance_transform_bf", x, metric)
    same("distance_transform_edt", np.False_, return_indices=True)
    same("distance_transform_edt", np.True_)


def test_chamfer_structure_of_any_dtype():
    """SciPy 1.17 reads the bytes of a structure that is not boolean."""
    x, cross = mask((9, 12), 0.9), sn.generate_binary_structure(2, 1)
    for dtype in "Bifd":
        equal(ndimage.distance_transform_cdt(x, cross.astype(dtype)), sn.distance_transform_cdt(x, cross))


def test_distance_outputs():
    x = mask((8, 9), 0.9)
    for f, dtype in (("distance_transform_edt", "d"), ("distance_transform_bf", "d"), ("distance_transform_cdt", "i")):
        want, where = getattr(sn, f)(x, return_indices=True)
        distances, indices = np.zeros((8, 9), dtype), np.zeros((2, 8, 9), "i")
        assert getattr(ndimage, f)(x, distances=distances, indices=indices, return_indices=True) is None
        np.testing.assert_array_equal(distances, want)
        np.testing.assert_array_equal(indices, where)
        distances[...] = 0
        equal(getattr(ndimage, f)(x, distances=distances, return_indices=True), where)
        np.testing.assert_array_equal(distances, want)
        device = gs.zeros((8, 9), dtype)
        getattr(ndimage, f)(gs.asarray(x), distances=device)
        np.testing.assert_array_equal(device.numpy(), want)


@pytest.mark.parametrize("f, dtype", [("distance_transform_edt", "d"), ("distance_transform_bf", "d"), ("distance_transform_cdt", "i")])
def test_distance_bad(f, dtype):
    x = mask((4, 5))
    for kwargs in (
        {"return_distances": False}, {"distances": np.zeros((5, 4), dtype)}, {"distances": np.zeros((4, 5), "f")},
        {"return_indices": True, "indices": np.zeros((4, 5), "i")}, {"return_indices": True, "indices": np.zeros((2, 4, 5))},
        {"indices": np.zeros((2, 4, 5), "i")}, {"return_distances": False, "return_indices": True, "distances": np.zeros((4, 5), dtype)},
    ):  # fmt: skip
        with pytest.raises((RuntimeError, ValueError)) as wanted:
            getattr(sn, f)(x, **kwargs)
        with pytest.raises(wanted.type):
            getattr(ndimage, f)(x, **kwargs)
    by_metric = [(("no such",), {}, (RuntimeError, ValueError))]
    by_sampling = [((), {"sampling": (1, 2, 3)}, RuntimeError)]
    for args, kwargs, error in by_sampling if f == "distance_transform_edt" else by_metric:
        for module in (sn, ndimage):
            with pytest.raises(error):
                getattr(module, f)(x, *args, **kwargs)
    if f == "distance_transform_cdt":
        for module, metric in itertools.product((sn, ndimage), (np.ones((2, 3)), np.ones((5, 5)))):
            with pytest.raises(ValueError):
                module.distance_transform_cdt(x, metric)


def test_relaxed_passes_equal_passes_in_place():
    """The GPU's form of the chamfer passes, on any device."""
    for shape in SHAPES:
        x = mask(shape, 0.95)
        structure = mask((3,) * x.ndim, 0.7)
        want = sn.distance_transform_cdt(x, structure, return_indices=True)
        distance = gs.where(gs.asarray(x), np.int32(-1), np.int32(0))
        feature = gs.arange(x.size, dtype=np.int64).reshape(shape)
        delta = np.argwhere(structure.reshape(-1)[: structure.size // 2]).reshape(-1)
        delta = np.stack(np.unravel_index(delta, structure.shape), -1).astype(np.int64) - 1
        strides = np.array([int(np.prod(shape[d + 1 :])) for d in range(x.ndim)], np.int64)
        for side in (delta, -delta):
            where = (shape, len(side), gs.asarray(side), gs.asarray(side @ strides))
            distance, feature = _distance._relaxed(distance, feature, where)
        np.testing.assert_array_equal(distance.numpy(), want[0])
        np.testing.assert_array_equal(np.stack(np.unravel_index(feature.numpy(), shape)), want[1])


def test_no_dimensions():
    """A 0-d image under 0-d structures."""
    yes, no = np.array(True), np.array(False)
    for name in ("binary_erosion", "binary_dilation"):
        for x, structure, given in itertools.product((yes, no), (yes, no), (None, yes, no)):
            got, want = (getattr(m, name)(x, structure, mask=given) for m in (ndimage, sn))
            assert bool(got) == bool(want), (name, x, structure, given)
    for x in (yes, no):
        assert bool(ndimage.binary_hit_or_miss(x)) == bool(sn.binary_hit_or_miss(x))
    for name in ("grey_erosion", "grey_dilation", "grey_opening", "white_tophat", "morphological_gradient"):
        got, want = (getattr(m, name)(np.array(4), structure=np.array(2)) for m in (ndimage, sn))
        assert got == want and got.dtype == want.dtype, name
