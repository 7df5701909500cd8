"""Labelling and measurements against scipy.ndimage: every rank, structure, index form and dtype."""

import itertools

import numpy as np
import pytest
import scipy.ndimage as sn

import gpusci as gs
from gpusci import ndimage
from gpusci.ndimage import _label, _regions

RNG = np.random.default_rng(11)
SHAPES = [(7,), (1, 1), (40, 53), (3, 200, 1), (12, 13, 14), (5, 6, 4, 5)]


def on_device(x):
    return gs.asarray(x)


def back(x):
    if isinstance(x, gs.ndarray):
        return x.numpy()
    return type(x)(map(back, x)) if isinstance(x, (list, tuple)) else x


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("density", [0, 0.3, 0.55, 0.9, 1])
def test_label_and_find_objects(shape, density):
    x = RNG.random(shape) < density
    for connectivity in range(1, len(shape) + 1):
        s = sn.generate_binary_structure(len(shape), connectivity)
        want, count = sn.label(x, s)
        got, n = ndimage.label(on_device(x), s)
        assert n == count and isinstance(n, int) and got.dtype == want.dtype
        np.testing.assert_array_equal(got.numpy(), want)
        assert ndimage.find_objects(got) == sn.find_objects(want)


@pytest.mark.parametrize("dtype", "?bBhHiIqQfd")
def test_label_of_every_dtype_and_layout(dtype):
    x = (RNG.random((20, 31)) * 3).astype(dtype)
    for view in (x, x.T, x[::-1, ::2], np.asfortranarray(x), x[:, :0]):
        want, count = sn.label(view)
        got, n = ndimage.label(on_device(x if view is x else np.ascontiguousarray(view)))
        assert n == count
        np.testing.assert_array_equal(got.numpy(), want)


def test_label_without_neighbours_along_a_line():
    x = RNG.random((15, 17)) < 0.7
    s = np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]])
    np.testing.assert_array_equal(ndimage.label(x, s)[0], sn.label(x, s)[0])


def test_label_spiral_joins_late():
    # One component whose parts meet only at the end of the scan: the union must reach all of them.
    x = np.zeros((41, 41), bool)
    for k in range(0, 20, 2):
        x[k, k:41 - k] = x[40 - k, k:41 - k] = x[k:41 - k, k] = x[k:41 - k, 40 - k] = True
        x[k + 1, k] = x[k + 2, k + 1] = k < 18
    want, count = sn.label(x)
    got, n = ndimage.label(x)
    assert n == count
    np.testing.assert_array_equal(got, want)


def test_label_outputs():
    x = np.array([[0.25, 0.0, -0.5], [np.nan, 0.0, 1e-30]])
    out = np.zeros((2, 3), np.int16)
    assert ndimage.label(x, output=out) == 2
    np.testing.assert_array_equal(out, [[1, 0, 2], [1, 0, 2]])
    strided = np.zeros((2, 6), np.int64)[:, ::2]
    assert ndimage.label(x, output=strided) == 2 and strided[1, 2] == 2
    labels, n = ndimage.label(x, output=np.uint8)
    assert labels.dtype == np.uint8 and n == 2
    with pytest.raises(RuntimeError, match="bit-depth"):
        ndimage.label(np.tile([1, 0], 300), output=np.uint8)
    assert ndimage.label(np.zeros((0, 3)))[1] == 0


@pytest.mark.parametrize("bad, error", [
    ({"input": np.zeros(3, complex)}, TypeError), ({"input": np.zeros((3, 3)), "structure": np.ones(3)}, RuntimeError),
    ({"input": np.zeros((3, 3)), "structure": np.ones((3, 5))}, ValueError),
    ({"input": np.zeros((3, 3)), "output": np.zeros((2, 3), int)}, ValueError),
    ({"input": np.ones((3, 3)), "structure": [[1, 0, 0], [0, 1, 0], [0, 0, 0]]}, AssertionError),
    ({"input": np.ones((3, 3)), "structure": [[0, 1, 0], [0, 1, 0], [0, 0, 0]]}, AssertionError),
    ({"input": np.ones((3, 3), "e")}, TypeError), ({"input": np.ones((3, 3)), "output": "e"}, TypeError),
    ({"input": np.ones((3, 3)), "output": complex}, TypeError), ({"input": np.ones((3, 3)), "output": np.zeros((3, 3), "F")}, TypeError),
])  # fmt: skip
def test_label_bad_input(bad, error):
    with pytest.raises(error):
        sn.label(**bad)
    with pytest.raises(error):
        ndimage.label(**bad)


def test_label_numbers_along_the_outputs_fastest_axis():
    """As SciPy's, the numbers follow the memory order of an output."""
    for shape in ((7, 9), (4, 5, 6)):
        x = RNG.random(shape) < 0.4
        for axes in itertools.permutations(range(len(shape))):
            # A GPU fills a copy of the output, whose strides are positive.
            for turn in (slice(None), slice(None, None, -1))[: 2 if gs.current_device().uses_numpy else 1]:
                want, got = (np.zeros([shape[a] for a in axes], np.int16).transpose(np.argsort(axes))[turn] for _ in range(2))
                structure = np.ones((3,) * len(shape)) * (np.indices((3,) * len(shape)).sum(0) % 2)
                assert ndimage.label(x, structure, output=got) == sn.label(x, structure, output=want)
                np.testing.assert_array_equal(got, want)
    for output in (bool, "e"):
        got, want = (m.label(np.zeros((0, 3)), output=output) for m in (ndimage, sn))
        assert got[0].dtype == want[0].dtype and got[1] == want[1]
    np.testing.assert_array_equal(ndimage.label([1, 0, 0], output=bool)[0], [True, False, False])


def test_objects_of_values_that_are_no_integers():
    x = np.array([[0.0, 1.9, 2.0], [np.nan, 2.5, -1.0]])
    for a in (x, x.astype("f"), x > 1, np.zeros((0, 3)), np.array(1.0)):
        for limit in (1, 5, np.int64(2), True):
            assert ndimage.find_objects(a, limit) == sn.find_objects(a, limit)
    for a, limit, error in ((x, 2.0, TypeError), (x > 1, 0, TypeError), (x, None, TypeError), (x * 1j, 1, TypeError),
                            (x.astype("e"), 1, RuntimeError)):  # fmt: skip
        for module in (sn, ndimage):
            with pytest.raises(error):
                module.find_objects(a, limit)


IMAGE = RNG.random((60, 70))
LABELS, COUNT = sn.label(IMAGE > 0.6)
INDEXES = [np.arange(1, COUNT + 1), [3, 1, 7, 7, 10**6], None, 5, range(1, 4), np.array([[1, 2], [3, 4]]), [0, -1, 2]]
NAMES = ["sum_labels", "sum", "mean", "variance", "standard_deviation", "minimum", "maximum", "median", "center_of_mass",
         "minimum_position", "maximum_position"]  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("index", INDEXES, ids=lambda i: f"{np.shape(i)}{type(i).__name__}")
@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "u8", "?"])
def test_statistics(name, index, dtype):
    if dtype == "?" and name in ("variance", "standard_deviation", "median", "center_of_mass"):
        pytest.skip("SciPy subtracts booleans there, which NumPy refuses")
    # Distinct values: SciPy's choice among equal extremes follows an unstable sort.
    x = RNG.permutation(IMAGE.size).reshape(IMAGE.shape)
    x = (x % 251 - 120 if dtype == "i1" else x % 2 if dtype == "?" else x).astype(dtype)
    if name.endswith("position") and dtype in ("i1", "?"):
        x = x.astype("f4") + np.arange(x.size, dtype="f4").reshape(x.shape) / 8192
    want = getattr(sn, name)(x, LABELS, index)
    got = getattr(ndimage, name)(x, LABELS, index)
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want)
    if name == "median" and index is not None:
        # SciPy's median of a region that does not occur is another element's value; here NaN, or 0 for integers.
        absent = ~np.isin(np.asarray(index), LABELS)
        want, got = np.where(absent, 0, want), np.where(absent, 0, got)
    # Sums of squares differ by the order of float64 additions; float32 scalars by SciPy's own float32 sums.
    rtol = 2e-6 if dtype == "f4" else 1e-12
    np.testing.assert_allclose(np.asarray(got, float), np.asarray(want, float), rtol=rtol, atol=1e-12)
    on = back(getattr(ndimage, name)(on_device(x), on_device(LABELS), index))
    if name == "median" and index is not None:
        on = np.where(absent, 0, on)
    np.testing.assert_allclose(np.asarray(on, float), np.asarray(want, float), rtol=rtol, atol=1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_index_on_the_device_and_float_labels():
    index = np.array([7, 3, 3, 900, 1])
    for labels in (LABELS, LABELS.astype("f4") / 2):
        ids = index if labels is LABELS else index / 2
        want = sn.mean(IMAGE, labels, ids)
        got = ndimage.mean(on_device(IMAGE), on_device(labels), on_device(ids))
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_complex_values():
    x = IMAGE + 1j * IMAGE[::-1]
    # Not every SciPy takes complex input here: its parts are the reference.
    for index in (np.arange(1, 6), None, 2):
        for name in ("sum_labels", "mean"):
            want = getattr(sn, name)(x.real, LABELS, index) + 1j * getattr(sn, name)(x.imag, LABELS, index)
            np.testing.assert_allclose(getattr(ndimage, name)(x, LABELS, index), want, rtol=1e-12)
        want = sn.variance(x.real, LABELS, index) + sn.variance(x.imag, LABELS, index)
        np.testing.assert_allclose(ndimage.variance(x, LABELS, index), want, rtol=1e-12)


def test_nan_is_the_largest_of_a_region():
    x = np.array([1.0, np.nan, 3.0, 2.0])
    labels = np.array([1, 1, 2, 2])
    np.testing.assert_array_equal(ndimage.maximum(x, labels, [1, 2]), sn.maximum(x, labels, [1, 2]))
    np.testing.assert_array_equal(ndimage.minimum(x, labels, [1, 2]), sn.minimum(x, labels, [1, 2]))


def test_many_regions_in_runs_of_every_length():
    labels = np.repeat(np.arange(1, 400), RNG.integers(1, 90, 399))
    x = RNG.random(labels.size)
    np.testing.assert_allclose(ndimage.sum_labels(x, labels, np.arange(1, 400)), np.bincount(labels, x)[1:], rtol=1e-13)
    np.testing.assert_array_equal(ndimage.maximum(x, labels, np.arange(1, 400)), sn.maximum(x, labels, np.arange(1, 400)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_extrema_histogram_comprehension_value_indices():
    for got, want in zip(ndimage.extrema(IMAGE, LABELS, [1, 2]), sn.extrema(IMAGE, LABELS, [1, 2]), strict=True):
        np.testing.assert_array_equal(back(got), want)
    np.testing.assert_array_equal(ndimage.histogram(IMAGE, 0, 1, 8), sn.histogram(IMAGE, 0, 1, 8))
    for got, want in zip(ndimage.histogram(IMAGE, 0, 1, 8, LABELS, [1, 3]), sn.histogram(IMAGE, 0, 1, 8, LABELS, [1, 3]), strict=True):
        np.testing.assert_array_equal(got, want)
    args = (LABELS, np.arange(1, 5), lambda v, p: v.max() + p[0], float, -1, True)
    np.testing.assert_array_equal(ndimage.labeled_comprehension(IMAGE, *args), sn.labeled_comprehension(IMAGE, *args))
    got, want = ndimage.value_indices(LABELS, ignore_value=0), sn.value_indices(LABELS, ignore_value=0)
    assert list(got) == list(want)
    for key in want:
        for a, b in zip(got[key], want[key], strict=True):
            np.testing.assert_array_equal(a, b)
    with pytest.raises(ValueError):
        ndimage.value_indices(IMAGE)
    assert ndimage.value_indices(np.array(3)) == sn.value_indices(np.array(3)) == {3: ()}
    assert ndimage.histogram(IMAGE, 0, 1, 8, LABELS, 10**6) is None is sn.histogram(IMAGE, 0, 1, 8, LABELS, 10**6)


def test_bad_combinations():
    with pytest.raises(ValueError):
        ndimage.histogram(IMAGE, 0, 1, 3, index=[1])
    # SciPy does not mind there.
    np.testing.assert_allclose(ndimage.sum_labels(IMAGE, index=[1]), sn.sum_labels(IMAGE, index=[1]), rtol=1e-14)
    with pytest.raises(ValueError):
        ndimage.mean(IMAGE, LABELS[:5])
    with pytest.raises(TypeError):
        ndimage.find_objects(IMAGE)
    for module in (sn, ndimage):
        for index in (slice(1, 3), [1j], [None]):
            with pytest.raises(TypeError):
                module.mean(IMAGE, LABELS, index)
        with pytest.raises(IndexError):
            module.center_of_mass(np.array(1.0))
        with pytest.raises(ValueError):
            module.value_indices(LABELS, ignore_value="x")


def test_extremes_of_complex_values():
    """By real part, then by imaginary part; equal ones too."""
    x = RNG.integers(0, 3, (60, 70)) + 1j * RNG.integers(-2, 3, (60, 70))
    for index in (None, 2, [1, 3, 2], [[1, 9], [10**6, 3]]):
        for f in ("minimum", "maximum"):
            np.testing.assert_array_equal(getattr(ndimage, f)(x, LABELS, index), getattr(sn, f)(x, LABELS, index))
        low, high, first, last = ndimage.extrema(x, LABELS, index)
        for values, places in ((low, first), (high, last)):
            for value, place in zip(np.ravel(values), places if np.ndim(values) == 1 else [places] * (np.ndim(values) == 0)):
                assert x[place] == value
    assert np.iscomplexobj(ndimage.mean(x, LABELS, 10**6)) and np.iscomplexobj(sn.mean(x, LABELS, 10**6))


@pytest.mark.parametrize("dtype", ["B", "?", "b", "Q", "f"])
def test_median_of_regions_beyond_the_labels_type(dtype):
    labels = (LABELS % 5).astype(dtype)
    index = np.array([1, 300, -1, 2**40, 0])
    want = [np.median(IMAGE[labels == i]) if (labels == i).any() else np.nan for i in index.tolist()]
    for part in (slice(0, 1), slice(1, 2), slice(2, 3), slice(3, 4), slice(None)):
        np.testing.assert_allclose(ndimage.median(IMAGE, labels, index[part]), want[part], rtol=1e-15)
    run = np.arange(-2, 4)
    want = [np.median(IMAGE[labels == i]) if (labels == i).any() else np.nan for i in run.tolist()]
    np.testing.assert_allclose(ndimage.median(IMAGE, labels, run), want, rtol=1e-15)
    assert np.isnan(ndimage.median(np.zeros((0, 3)), np.zeros((0, 3), dtype), [1, 2])).all()


def test_comprehension_of_python_objects():
    got, want = (m.labeled_comprehension(IMAGE, LABELS, [1, 10**6], lambda v: (v.size,), object, None) for m in (ndimage, sn))
    assert got.dtype == object and list(got) == list(want)


# ---- small arrays take one scan by one thread on the host, large ones are shared: both ways, the same results
@pytest.fixture(params=[False, True], ids=["as is", "shared"])
def shared(request, monkeypatch):
    if request.param:
        monkeypatch.setattr(_label, "ALONE", 0)
        monkeypatch.setattr(_label, "BAND", 1)
        monkeypatch.setattr(_regions, "ALONE", 0)


@pytest.mark.parametrize("shape", [(300,), (150, 170), (7, 80, 90)], ids=str)
def test_scans_alone_and_shared(shared, shape):
    x, labels = RNG.standard_normal(shape), RNG.integers(-2, 9, shape)
    full = np.ones((3,) * len(shape))
    for image in (x > 0, x > 1, labels):
        for structure in (None, full):
            want, count = sn.label(image, structure)
            got, n = ndimage.label(image, structure)
            assert n == count
            np.testing.assert_array_equal(got, want)
    assert ndimage.find_objects(labels) == sn.find_objects(labels)
    for index in ([0, 1, 2], [7, 3, 3, 20], [[1, 2], [3, 4]]):
        for f in ("sum_labels", "variance", "minimum", "maximum"):
            np.testing.assert_allclose(getattr(ndimage, f)(x, labels, index), getattr(sn, f)(x, labels, index), rtol=1e-12, atol=1e-15)
    assert ndimage.extrema(x, labels, [1, 4])[2:] == sn.extrema(x, labels, [1, 4])[2:]


def test_labels_do_not_depend_on_what_the_output_held():
    x = RNG.random((30, 40)) > 0.5
    want, count = sn.label(x)
    for dtype in "iqdfH":
        out = np.full(x.shape, 77, dtype)
        assert ndimage.label(x, output=out) == count
        np.testing.assert_array_equal(out, want)
    turned = np.full(x.shape[::-1], 5, np.int32).T
    assert ndimage.label(x, output=turned) == sn.label(x, output=turned.copy(order="K"))
    with pytest.raises(RuntimeError):
        ndimage.label(np.tile([True, False], 300), output=np.uint8)


@pytest.mark.parametrize("values", [[3, 5, -2], [10**12, 0, -(10**12)], [7]], ids=str)
def test_value_indices_of_near_and_of_distant_values(values):
    x = RNG.choice(values, (6, 7, 8))
    edges = [np.array([np.iinfo(d).min, np.iinfo(d).max, 3], d) for d in (np.int8, np.uint8, np.int64, np.uint64)]
    for arr in (x, x[::-1, :, ::2], x.T, *edges):               # SciPy 1.17 crashes where the values span too much for a table
        got = ndimage.value_indices(arr)
        assert list(got) == np.unique(arr).tolist()
        for key, places in got.items():
            np.testing.assert_array_equal(np.array(places), np.array(np.nonzero(arr == key)))


def regions_of(dtype, shape):
    """Labels: noise, tiles, all of one region, of one row each, runs along lines; with NaN and far values where there are some."""
    n = int(np.prod(shape))
    noise = RNG.integers(-3, 400, n).reshape(shape)
    tiles = (np.indices(shape)[0] // 5 * 17 + np.indices(shape)[-1] // 7) if n else noise
    for labels in (noise, tiles, np.ones(shape), np.arange(n).reshape(shape) // max(shape[-1], 1), np.arange(n).reshape(shape) // 45):
        labels = labels.astype(dtype)
        if dtype == "Q" and n:
            labels.flat[::5] += np.uint64(2**63)
        if dtype in "fd" and n:
            labels.flat[::7], labels.flat[3::7] = np.nan, -0.0
        yield labels


def of_each(x, labels, index):
    """(counts, sums) by comparison in the common type."""
    common = np.promote_types(labels.dtype, index.dtype)
    labels, wanted = labels.astype(common), index.astype(common)
    chosen = [labels == k for k in wanted.ravel()]
    return (np.array([[f(where) for where in chosen] for f in (np.sum, lambda w: x[w].sum(dtype=float))], float)
            .reshape(2, *index.shape))  # fmt: skip


TABLES = {
    "ascending": np.arange(1, 60), "one": np.array([7]), "gaps": np.arange(-4, 200, 3), "descending": np.arange(60, -3, -1),
    "repeated": np.array([[-1, 3, 9], [3, -1, 500]]), "beyond": np.array([-(2**62), 300, 44, 2**62, -128, 2**40 + 1]),
    "fractions": np.array([0.5, 0.0, -0.0, np.nan, 3, 44, np.inf, np.nan, -np.inf]), "halves": np.array([1, 2, 0.5], "e"),
    "unsigned": np.array([2**63 + 9, 5, 2**63 + 10, 2**64 - 1], "Q"), "unsigned range": np.arange(2**63 + 1, 2**63 + 9, dtype="Q"),
    "bytes": np.arange(-128, 128).astype("b"), "from below zero": np.arange(-2, 9), "truths": np.array([True, False]),
    "shuffled": RNG.permutation(300).astype("i"), "none": np.zeros((0,), int),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("index", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("shape, dtypes", [((40, 90), "?bIiqQfd"), ((3000,), "iQ"), ((70, 3), "i"), ((2, 300), "B"), ((4, 50, 33), "i"),
                                           ((0, 4), "id")], ids=str)  # fmt: skip
def test_sums_of_every_index_and_label(shape, dtypes, index):
    for dtype in dtypes:
        for labels in regions_of(dtype, shape):
            x = RNG.integers(-1000, 1000, shape).astype("f")
            count, total = of_each(x, labels, index)
            for ids in (index, on_device(index)):       # sums of integers: exact in any order
                np.testing.assert_array_equal(back(ndimage.sum_labels(on_device(x), on_device(labels), ids)), total)
                np.testing.assert_array_equal(back(ndimage.mean(on_device(x), on_device(labels), ids)), total / count)
            if index.size and x.size:
                got = back(ndimage.maximum(on_device(x), on_device(labels), on_device(index)))
                known = count > 0
                assert (got[~known] == 0).all()
                want = [x[labels.astype(np.promote_types(labels.dtype, index.dtype)) == k].max() for k in index[known]]
                np.testing.assert_array_equal(got[known], want)


@pytest.mark.parametrize("dtype", "?bHqQefd")
def test_sums_of_every_dtype_in_few_and_in_many_regions(dtype):
    for shape, most in (((64, 64), 2), ((300, 330), 40), ((50, 61), 5000), ((33, 95), 10**6)):
        labels = RNG.integers(0, most, shape)
        x = RNG.integers(0, 2 if dtype == "?" else 100, shape).astype(dtype)
        index = RNG.permutation(np.unique(labels)[:40])
        _, total = of_each(x, labels, index)
        np.testing.assert_array_equal(back(ndimage.sum_labels(on_device(x), on_device(labels), on_device(index))), total)
        want = sn.variance(x.astype(float), labels, index)
        np.testing.assert_allclose(back(ndimage.variance(on_device(x), on_device(labels), on_device(index))), want, rtol=1e-12, atol=1e-12)
        got = back(ndimage.sum_labels(on_device(x), on_device(labels), np.arange(min(most, 9000))))
        np.testing.assert_array_equal(got[index[index < got.size]], total[index < got.size])


def test_median_and_histogram_of_labels_that_hold_no_such_index():
    x, labels = RNG.random((20, 30)), RNG.integers(0, 5, (20, 30)).astype("b")
    for index in (np.array([3, 300, -500, 1, 3]), np.array([4, 2])):
        got, want = ndimage.median(x, labels, index), [np.median(x[labels == k]) if (labels == k).any() else np.nan for k in index]
        np.testing.assert_allclose(got, want)
        np.testing.assert_allclose(back(ndimage.median(on_device(x), on_device(labels), on_device(index))), want)
        held = np.abs(index) < 128
        got = ndimage.histogram(on_device(x), 0, 1, 4, on_device(labels), index[held])
        for counts, wanted in zip(got, np.array(want)[held], strict=True):
            assert (counts is None) == np.isnan(wanted)


@pytest.mark.parametrize("dtype, index", [("b", 300), ("b", [1, 300]), ("B", [-1]), ("H", [1.5]), ("?", [2]), ("d", np.nan), ("i", [1j])])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning", "ignore::RuntimeWarning")
def test_histogram_of_an_index_that_no_label_can_be(dtype, index):
    for module, a, b in ((sn, IMAGE, LABELS.astype(dtype)), (ndimage, on_device(IMAGE), on_device(LABELS.astype(dtype)))):
        with pytest.raises(ValueError, match="without loss of precision"):
            module.histogram(a, 0, 1, 4, b, index)


@pytest.mark.parametrize("name", ["minimum_position", "maximum_position", "extrema"])
def test_nothing_has_no_positions(name):
    x, labels = np.zeros((5, 0)), np.zeros((5, 0), int)
    for index in ([4, 3, 2, 1, 0], 1, None):
        with pytest.raises(ValueError, match="zero-size"):
            getattr(sn, name)(x, labels, index)
        with pytest.raises(ValueError, match="no elements|zero-size|empty sequence"):
            getattr(ndimage, name)(on_device(x), on_device(labels), index)


def test_comprehension_without_labels():
    for module, x in ((sn, IMAGE), (ndimage, IMAGE), (ndimage, on_device(IMAGE))):
        assert module.labeled_comprehension(x, None, None, np.max, float, 0) == IMAGE.max()
        for index in (1, [1, 2], []):
            with pytest.raises(ValueError, match="index without defined labels"):
                module.labeled_comprehension(x, None, index, np.max, float, 0)
    got = ndimage.labeled_comprehension(IMAGE, on_device(LABELS), [1, 2], np.max, float, 0)
    assert isinstance(got, gs.ndarray)
    np.testing.assert_array_equal(back(got), sn.labeled_comprehension(IMAGE, LABELS, [1, 2], np.max, float, 0))


@pytest.mark.parametrize("banded", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (9, 1), (1, 9), (9, 2), (7, 63), (8, 64), (9, 65), (6, 130), (5, 4, 70), (3, 1, 40), (6, 5, 1),
                                   (1, 7, 1, 5), (3, 2, 3, 40), (200,)], ids=str)  # fmt: skip
def test_label_by_runs_with_every_kind_of_structure(shape, banded, monkeypatch):
    if banded:                              # a band is then a row or two, less than neighbours reach in three dimensions
        monkeypatch.setattr(_label, "BAND", 1)
    ndim = len(shape)
    half = 3**ndim // 2
    kinds = itertools.product([0, 1], repeat=half) if half <= 4 else RNG.integers(0, 2, (20, half)).tolist()
    for taps in kinds:
        structure = np.array([*taps, 1, *reversed(taps)]).reshape((3,) * ndim)
        for density in (0.3, 0.6, 0.9):
            x = RNG.random(shape) < density
            x = np.where(x, np.nan, 0.0) if density == 0.9 else x
            got, count = ndimage.label(x, structure)
            want, number = sn.label(x, structure)
            assert count == number
            np.testing.assert_array_equal(got, want)


def test_find_objects_of_many_alike_and_of_many_apart():
    tiles = np.arange(60)[:, None] // 2 * 30 + np.arange(90) // 3 + 1
    apart = RNG.integers(0, 2000, (100, 100))
    for labels in (tiles, apart, apart * (apart % 3 > 0), np.kron(RNG.permutation(900).reshape(30, 30), np.ones((1, 4), int))):
        assert ndimage.find_objects(labels) == sn.find_objects(labels)
    for labels in (tiles, tiles * 0, -tiles, np.array(7)):              # more labels are asked for than occur
        assert ndimage.find_objects(labels, 2500) == sn.find_objects(labels, 2500)
    with pytest.raises(OverflowError, match="max_label"):
        ndimage.find_objects(np.array([1, 2**63], np.uint64))


@pytest.mark.parametrize("dtype", "qQ")
def test_spread_of_integers_whose_sum_is_past_64_bits(dtype):
    top = np.iinfo(dtype).max
    x = RNG.integers(top // 2, top, 500, dtype=dtype)
    for labels in (None, np.ones(500, int)):
        for name in ("variance", "standard_deviation"):
            want = getattr(sn, name)(x, labels)
            np.testing.assert_allclose(getattr(ndimage, name)(x, labels), want)
            np.testing.assert_allclose(back(getattr(ndimage, name)(on_device(x), labels)), want)


def test_labels_past_the_integers_that_floats_have():
    labels = np.array([2**53, 2**53 + 1, 2**62, -(2**62), 3])
    for index in ([2**53 + 1, 3, 2**62, 2**40], [2**53 + 1.0, 3.5, 3.0]):
        want = sn.sum_labels(np.arange(1, 6.0), labels, index) if isinstance(index[0], int) else [1 + 2, 0, 5]
        np.testing.assert_array_equal(back(ndimage.sum_labels(on_device(np.arange(1, 6.0)), on_device(labels), index)), want)


def test_labels_that_broadcast():
    x = RNG.random((3, 4))
    for labels in (np.array([1, 2, 0, 1]), np.array([[1], [0], [2]]), 2):
        for index in (None, 2, [1, 2], [2, 2, 9]):
            for name in ("sum_labels", "center_of_mass", "maximum_position", "median"):
                if index == [2, 2, 9] and name != "sum_labels" or np.ndim(labels) == 0 and index == [1, 2]:
                    continue                # of a region that does not occur: see test_statistics
                want = getattr(sn, name)(x, np.broadcast_to(labels, x.shape), index)
                np.testing.assert_allclose(getattr(ndimage, name)(x, labels, index), want)
                np.testing.assert_allclose(back(getattr(ndimage, name)(on_device(x), on_device(labels), index)), want)
    with pytest.raises(ValueError, match="broadcast"):
        ndimage.center_of_mass(x, np.zeros(3, int), 1)


def test_medians_of_two_values():
    rng = np.random.default_rng(5)
    pairs = np.concatenate([rng.normal(size=(500, 2)) * 10.0 ** rng.integers(-30, 30, (500, 1)),
                            [[np.inf, np.inf], [-np.inf, np.inf], [-np.inf, -np.inf], [3e38, 3.2e38], [0.0, -0.0]]])
    labels = np.repeat(np.arange(1, len(pairs) + 1), 2)
    for dtype in "fd":
        x = pairs.astype(dtype).reshape(-1)
        want = sn.median(x, labels, np.unique(labels))
        for labelled in (labels, gs.asarray(labels)):
            got = ndimage.median(gs.asarray(x), labelled, np.unique(labels))
            np.testing.assert_array_equal(gs.asnumpy(got), want)
