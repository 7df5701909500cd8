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


# SciPy 1.17 and 1.18 follow changed pixels beyond the image's memory, reading and writing, where a structure is off its centre and
# steps are many (valgrind shows it); brute_force does not.
SAFE = {"brute_force": True}
BINARY = ("binary_erosion", "binary_dilation", "binary_opening", "binary_closing")


def same(f, *args, **kwargs):
    want, got = getattr(sn, f)(*args, **kwargs | (SAFE if f in BINARY else {})), getattr(ndimage, f)(*args, **kwargs)
    x = gs.asarray(args[0])
    device = getattr(ndimage, f)(x, *args[1:], **kwargs)
    device = device if device is None else tuple(d.numpy() for d in device) if isinstance(device, tuple) else device.numpy()
    for result in (got, device):
        # Among equally near elements any may be named.
        if f == "distance_transform_edt" and kwargs.get("return_indices") and np.ndim(args[0]):
            where, nearest = (r[-1] if isinstance(r, tuple) else r for r in (want, result))
            steps = kwargs.get("sampling") or 1.0
            here = np.indices(x.shape)
            far = [np.sqrt(((np.moveaxis(i - here, 0, -1) * steps) ** 2).sum(-1)) for i in (nearest, where)]
            np.testing.assert_allclose(far[0], far[1], rtol=1e-15)
            result = (result[0], where.astype(nearest.dtype)) if isinstance(want, tuple) else where.astype(nearest.dtype)
        equal(result, want)


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


def raises_alike(f, *args, **kwargs):
    """SciPy raises, and so do we, the same type of exception."""
    with pytest.raises(Exception) as wanted:
        getattr(sn, f)(*args, **kwargs)
    for x in (args[0], gs.asarray(args[0])):
        with pytest.raises(wanted.type):
            getattr(ndimage, f)(x, *args[1:], **kwargs)


BAD_BINARY = [
    {"structure": np.ones(3)}, {"structure": np.ones((3, 3, 3))}, {"structure": np.ones((0, 3))}, {"mask": np.ones((2, 2))},
    {"iterations": 1.5}, {"iterations": None}, {"output": np.zeros((5, 4))}, {"output": np.zeros((4, 5), complex)},
    {"output": np.zeros((4, 5), "e")}, {"mask": np.ones((4, 5), complex)}, {"mask": np.ones((4, 5), "e")},
    {"origin": 5}, {"origin": (0, 5)}, {"origin": (0, 0, 0)}, {"origin": 0.0}, {"origin": None}, {"origin": "ab"},
    {"structure": np.ones((3, 1)), "origin": (0, 3)}, {"border_value": 0.5}, {"border_value": None}, {"border_value": 1j},
    {"border_value": [1]}, {"axes": (0, 0)}, {"axes": (0, 2)}, {"axes": 0.5}, {"structure": np.ones((3, 3)), "axes": (1,)},
]  # fmt: skip


@pytest.mark.parametrize("kwargs", BAD_BINARY, ids=str)
def test_bad_binary(kwargs):
    for f in (*BINARY, "binary_propagation"):
        if f != "binary_propagation" or "iterations" not in kwargs:
            raises_alike(f, np.ones((4, 5), bool), **kwargs)
    if not {"mask", "iterations", "border_value"} & set(kwargs):
        raises_alike("binary_fill_holes", np.ones((4, 5), bool), **kwargs)
    renamed = {{"structure": "structure1", "origin": "origin1"}.get(key, key): value for key, value in kwargs.items()}
    if set(renamed) <= {"structure1", "origin1", "axes"} and renamed.get("structure1", np.ones((3, 3))).size:
        raises_alike("binary_hit_or_miss", np.ones((4, 5), bool), **renamed)


def test_binary_refuses_complex_and_float16():
    for f in (*BINARY, "binary_propagation", "binary_hit_or_miss"):
        for dtype in "Fe":
            raises_alike(f, np.ones((4, 5), dtype))
    same("binary_fill_holes", np.ones((4, 5), "e"))
    same("binary_fill_holes", np.ones((4, 5), "F"))


def test_an_origin_outside_of_the_structure_is_refused():
    """SciPy reads the structure's other end, then outside of the image, for these, or crashes: DIFFERENCES."""
    for f in (*BINARY, "binary_propagation", "binary_fill_holes"):
        for origin in (2, -2, (1, 0), (0, -1)):
            structure = np.ones((1, 1)) if isinstance(origin, tuple) else np.ones((3, 3))
            with pytest.raises(IndexError, match="outside of a structure"):
                getattr(ndimage, f)(np.ones((4, 5), bool), structure, origin=origin)


def test_outputs_of_compositions_get_the_result_and_nothing_comes_back():
    x = mask((8, 9), 0.6)
    for f in ("binary_fill_holes", "binary_hit_or_miss"):
        for dtype in "?bd":
            want, got = np.zeros(x.shape, dtype), np.zeros(x.shape, dtype)
            assert getattr(sn, f)(x, output=want) is None is getattr(ndimage, f)(x, output=got)
            np.testing.assert_array_equal(got, want)
        same(f, x, output=float)                            # a dtype counts for nothing
        raises_alike(f, x, output=np.zeros((9, 8)))
        raises_alike(f, x, output=np.zeros(x.shape, complex))


def test_binary_axes_in_any_order():
    x = mask((5, 6), 0.6)
    for f in BINARY:
        same(f, x, np.ones((3, 1)), axes=(1, 0), origin=(1, 0))
        same(f, mask((5, 6, 4)), np.ones((3, 2)), axes=(2, 0), origin=(0, -1))


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


BAD_GREY = [
    {}, {"structure": np.ones(3)}, {"structure": np.ones((3, 3, 3))}, {"structure": np.ones((0, 3))}, {"size": (3, 3, 3)},
    {"size": (3,)}, {"footprint": np.ones(3)}, {"footprint": np.ones((2, 3, 3))}, {"footprint": np.zeros((3, 3))},
    {"size": 3, "mode": "none"}, {"size": 3, "origin": 2}, {"size": 3, "origin": (0,)}, {"structure": np.ones((3, 3)), "origin": 2},
    {"structure": np.ones((3, 3)), "origin": 0.0}, {"size": 3, "axes": (0, 0)},
    {"size": 3, "axes": (0, 2)}, {"size": 3, "output": np.zeros((5, 4))}, {"structure": np.ones((3, 3)), "cval": "x"},
    {"structure": np.ones((3, 3)), "output": np.zeros((4, 5), "e")}, {"structure": np.ones((3, 3)), "output": np.zeros((4, 5), "F")},
]  # fmt: skip


@pytest.mark.parametrize("f", GREY)
def test_grey_bad(f):
    for kwargs in BAD_GREY:
        raises_alike(f, np.ones((4, 5)), **kwargs)
    raises_alike(f, np.ones((4, 5), complex), structure=np.ones((3, 3)))
    raises_alike(f, np.ones((4, 5), "e"), structure=np.ones((3, 3)))
    if f == "grey_erosion":
        raises_alike(f, np.ones((4, 5)), structure=np.ones((3, 3)), origin=True)


@pytest.mark.parametrize("f", GREY)
def test_grey_outputs_are_scipys(f):
    """What comes back and what is written for dtypes and arrays as output; some of these raise."""
    for dtype, out in itertools.product("?Bld", "?bBfd"):
        x = data((6, 7), dtype)
        for kwargs in ({"size": 3}, {"structure": np.ones((3, 3))}, {"footprint": FLAT}):
            want, got = np.zeros(x.shape, out), np.zeros(x.shape, out)
            try:
                result = getattr(sn, f)(x, output=want, **kwargs)
            except TypeError:
                with pytest.raises(TypeError):
                    getattr(ndimage, f)(x, output=got, **kwargs)
                continue
            assert (getattr(ndimage, f)(x, output=got, **kwargs) is got) == (result is want)
            np.testing.assert_array_equal(got, want)
        try:
            want = getattr(sn, f)(x, size=3, output=np.dtype(out))
        except TypeError:
            continue
        equal(getattr(ndimage, f)(x, size=3, output=np.dtype(out)), want)


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
    for dtype in "bBhiqefdD":
        equal(ndimage.distance_transform_cdt(x, cross.astype(dtype)), sn.distance_transform_cdt(x, cross))
    disc = np.pad([[0, 1, 1, 1, 0], *[[1] * 5] * 3, [0, 1, 1, 1, 0]], 2)        # of SciPy's test_distance_transform_cdt05, which wants -21
    for dtype in "?bhiqefd":
        for structure in (np.ones((3, 3)), np.ones((3, 3), np.int8), [[1] * 3] * 3):
            found = ndimage.distance_transform_cdt(disc.astype(dtype), structure)
            equal(found, sn.distance_transform_cdt(disc, "chessboard"))
            assert found.sum() == 26


def test_distance_outputs():
    x = mask((8, 9), 0.9)
    for f, dtype in (("distance_transform_edt", "d"), ("distance_transform_bf", "d"), ("distance_transform_cdt", "i")):
        want, where = getattr(sn, f)(x, return_indices=True)
        distances, indices = np.zeros((8, 9), dtype), np.zeros((2, 8, 9), "i")
        assert getattr(ndimage, f)(x, distances=distances, indices=indices, return_indices=True) is None
        np.testing.assert_array_equal(distances, want)
        if f == "distance_transform_edt":                  # among equally near elements any may be named
            np.testing.assert_array_equal(np.hypot(*(indices - np.indices((8, 9)))), want)
            where = indices.copy()
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


def test_distances_of_odd_arguments():
    x = mask((4, 5), 0.9)
    for f in ("distance_transform_edt", "distance_transform_bf", "distance_transform_cdt"):
        same(f, x * 1j)
        same(f, x * (1 + 0j), return_indices=True)
    for sampling in ((1,), (1, 2, 3), "ab", 1j):
        for metric in ("euclidean", "taxicab", "chessboard"):
            raises_alike("distance_transform_bf", x, metric, sampling)
        raises_alike("distance_transform_edt", x, sampling=sampling)
    for metric in ("euclid", None, 3, np.ones((3, 3))):
        raises_alike("distance_transform_bf", x, metric)
    for metric in ("euclidean", "Taxicab", np.ones((2, 2)), np.ones((1, 3))):
        raises_alike("distance_transform_cdt", x, metric)
    raises_alike("distance_transform_cdt", x, indices=np.zeros((2, 4, 5), "i"), distances=np.zeros((5, 4)))
    with pytest.raises(TypeError, match="array to write to"):
        ndimage.distance_transform_edt(x, distances=[[0.0]])


@pytest.mark.parametrize("x", [np.array(1.0), np.array(0), np.array(True)], ids=str)
def test_distances_without_dimensions(x):
    for metric, flags in itertools.product(("euclidean", "taxicab", "chessboard"), ((True, True), (True, False), (False, True))):
        kwargs = dict(zip(("return_distances", "return_indices"), flags, strict=True))
        same("distance_transform_bf", x, metric, **kwargs)
        same("distance_transform_edt", x, **kwargs)
        raises_alike("distance_transform_cdt", x, **kwargs)
    raises_alike("distance_transform_cdt", x, np.array(1))
    indices = np.zeros((1, 1), "i")
    ndimage.distance_transform_edt(x, indices=indices, return_indices=True)
    raises_alike("distance_transform_edt", x, distances=np.zeros(()))


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


# ---- many steps, which the host follows from the pixels that changed
@pytest.mark.parametrize("iterations", [1, 2, 16, 17, 40, 0])
@pytest.mark.parametrize("border", [0, 1])
def test_many_steps(iterations, border):
    x, within = mask((60, 45), 0.97), mask((60, 45), 0.8)
    seed = np.zeros_like(x)
    seed[20:23, 30] = True
    uneven = np.array([[0, 1, 1, 0], [1, 1, 0, 0]], bool)       # the centre, at [1, 2], is not in it
    for structure in (None, np.ones((3, 3)), ODD, uneven):
        if structure is uneven and iterations == 0:
            continue                                            # such steps need not come to rest
        for limit in (None, within):
            same("binary_erosion", x, structure, iterations, limit, border_value=border)
            same("binary_dilation", seed, structure, iterations, limit, border_value=border)


def test_any_nonzero_byte_is_true():
    bytes_ = RNG.integers(0, 4, (2, 20, 30)).astype(np.uint8)
    x, within = bytes_.view(bool)
    for f, args in (("binary_erosion", (None, 1)), ("binary_dilation", (None, 1, within)), ("binary_dilation", (None, 0, within))):
        want = getattr(sn, f)(bytes_[0] != 0, *args[:2], *[bytes_[1] != 0 for _ in args[2:]])
        got = getattr(ndimage, f)(x, *args)
        np.testing.assert_array_equal(got.view(np.uint8), want.view(np.uint8))


def test_binary_output_over_input_or_mask():
    x, within = mask((30, 40), 0.8), mask((30, 40))
    want = sn.binary_erosion(x, iterations=2, mask=within)
    over_input, over_mask = x.copy(), within.copy()
    ndimage.binary_erosion(over_input, iterations=2, mask=within, output=over_input)
    ndimage.binary_erosion(x, iterations=2, mask=over_mask, output=over_mask)
    np.testing.assert_array_equal(over_input, want)
    np.testing.assert_array_equal(over_mask, want)


@pytest.mark.parametrize("dtype", "?BbHilfd")
@pytest.mark.parametrize("mode", MODES)
def test_grey_structures_longer_than_the_image(dtype, mode):
    structure = RNG.integers(-3, 4, (2, 5)).astype(float)
    for shape in ((3, 2), (1, 1300), (40, 3)):
        same("grey_erosion", data(shape, dtype), structure=structure, mode=mode, cval=7)
        same("grey_dilation", data(shape, dtype), structure=structure, mode=mode, cval=7)
