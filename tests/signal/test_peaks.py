"""Peaks with every condition on signals with plateaus, NaN and long slopes; relative extrema."""

import operator
import warnings

import numpy as np
import pytest
import scipy.signal as ss
from signal_helpers import RNG, same

import gpusci as gs
from gpusci import signal
from gpusci.signal import _peaks


def signals():
    yield RNG.normal(size=3000)
    yield np.round(RNG.normal(size=3000) * 2)
    yield np.cumsum(RNG.normal(size=20000))
    yield np.cumsum(RNG.normal(size=100000)).astype("f")         # long enough for the pyramid
    yield np.repeat(np.round(RNG.normal(size=60) * 2), 2000)
    yield np.sin(np.arange(100000) * 1e-3)
    yield np.zeros(10)
    yield np.ones(80000)
    yield np.array([])
    yield np.array([1.0, 2])
    yield np.array([0, 1.0, 0])
    yield RNG.integers(0, 5, 9000)
    yield np.linspace(0, 1, 10000)[::-1]
    x = np.cumsum(RNG.normal(size=80000))
    x[[3000, 9000]] = np.nan
    x[12000:13000] = np.inf
    yield x


@pytest.mark.parametrize("x", list(signals()), ids=lambda x: f"{x.dtype}-{x.size}")
def test_conditions(x):
    for options in (
        {}, {"height": 0.5}, {"height": (None, 1)}, {"height": np.full(x.shape, 0.3)}, {"threshold": 0.1}, {"threshold": (0.1, 2)},
        {"distance": 7.5}, {"prominence": 0.5}, {"prominence": (None, None)}, {"width": 2}, {"width": (None, 9), "rel_height": 0.8},
        {"plateau_size": 1}, {"plateau_size": (2, 5)}, {"prominence": 0, "wlen": 21},
        {"prominence": 0.2, "wlen": 22, "width": 0, "height": -1, "plateau_size": 0, "threshold": 0, "distance": 2},
    ):  # fmt: skip
        # Widths are differences of positions up to x.size, whose last place a contracted a * b + c moves on a GPU.
        same("find_peaks", x, eps=x.size if gs.current_device().kind == "cuda" else 4, **options)


def test_plateaus_and_windows():
    x = np.array([0.0, 2, 2, 2, 0, 1, 3, 3, 1, 0, 5, 0])
    peaks, found = signal.find_peaks(x, plateau_size=1, prominence=0.5, wlen=7)
    np.testing.assert_array_equal(peaks, [2, 6, 10])
    np.testing.assert_array_equal(found["plateau_sizes"], [3, 2, 1])
    np.testing.assert_array_equal(found["prominences"], [2, 3, 5])


def test_warnings_and_bad_input():
    for name in ("peak_prominences", "peak_widths"):
        for args in (([0, 1, 0.0], [1]), ([0, 1, 0.0], [5]), ([0, 1, 0.0], [-1]), ([0, 1, 0.0], [1.5]), ([[0, 1.0]], [1]),
                     ([0, 1, 0.0], [[1]]), ([0, 1, 0], [])):  # fmt: skip
            same(name, *args)
    category = pytest.importorskip("scipy.signal._peak_finding_utils").PeakPropertyWarning
    with pytest.warns(category, match="prominence of 0") as met:
        signal.peak_prominences([0, 1, 1, 0], [0])
    with pytest.warns(category, match="width of 0"):
        signal.peak_widths([0, 1, 0], [1], rel_height=0)
    assert len(met) == 1 and met[0].filename == __file__
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        signal.peak_prominences(gs.asarray([0, 1, 1, 0]), [0])
        signal.peak_widths(gs.asarray([0, 1, 0]), [1], rel_height=0)
        signal.find_peaks(gs.asarray([0, 1, 1, 1, 0]), prominence=0, wlen=2)
        signal.peak_prominences([0, 1, 0], [1])
    assert [m.filename for m in met] == ([] if gs.current_device().kind == "cuda" else [__file__] * 3)  # there it would wait
    for data in (([1.0], [-1], [2]), ([1.0], [0], [3]), ([1.0], [2], [0]), ([1.0, 1], [0, 0], [2, 2])):
        with pytest.raises(ValueError, match="prominence"):
            signal.peak_widths([0, 1, 0], [1], prominence_data=tuple(np.array(d) for d in data))
    with pytest.raises(TypeError, match="None"):
        signal.peak_widths([1, 2, 1], [1], prominence_data=(None, None, None))
    for peak, base, want in ((1, (0, 2), (0.5, 1.5, 1, 1.5)), (0, (0, 0), (-0.5, 0.5, 0.5, 0)), (2, (2, 2), (0, 1.5, 2, 2))):
        found = signal.peak_widths([0.0, 1, 1], [peak], prominence_data=tuple(np.array([d]) for d in (-1.0, *base)))
        assert [float(v[0]) for v in found] == list(want)       # beside peaks below their height, as SciPy 1.18; never beyond the ends
    for options in ({"distance": 0.5}, {"prominence": 1, "wlen": 1}, {"height": np.ones(3)}, {"width": 1, "rel_height": -1}):
        same("find_peaks", np.array([0.0, 1, 0, 2, 0]), **options)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("mode", ["clip", "wrap"])
def test_relative_extrema(axis, mode):
    x = RNG.integers(0, 9, (20, 30, 7))
    for order in (1, 3, 25):
        for comparator in (np.greater, np.less_equal, operator.lt, np.not_equal):
            same("argrelextrema", x, comparator, axis, order, mode)
        same("argrelmax", x.astype("f"), axis, order, mode)
        same("argrelmin", x.T, axis, order, mode)


def test_relative_extrema_bad_input():
    x = np.array([1.0, 2.0])
    same("argrelmax", x, order=0)
    same("argrelmax", x, mode="x")
    same("argrelmax", x, mode="raise")
    same("argrelmax", x, axis=3)


def test_odd_arguments_of_relative_extrema():
    x = np.array([1.0, 3, 2, 2, 4, 0])
    for order in (1.0, 1.5, None, "a", np.int64(2), True, -1):
        for name in ("argrelmax", "argrelmin"):
            same(name, x, order=order)
    for mode in (None, "raise"):                            # to NumPy None is "raise"
        for shape in ((3,), (0,), (0, 3), (2, 0), (1, 1)):
            same("argrelmax", np.ones(shape), mode=mode)
            same("argrelextrema", np.ones(shape), np.greater, mode=mode)
    for axis in (None, 0.0, "a", 1):
        same("argrelmin", x, axis=axis)
    same("argrelmin", np.array(2.0))


def test_odd_conditions_of_peaks():
    x = np.array([0, 1, 0, 2, 2, 0, 3, 1, 5, 1, 0, 1, 1, 0.0])
    conditions = [1, (1, 3), (None, 2), np.ones(14), np.ones(13), (np.ones(14), None), "a", np.nan, [1, 3], np.array(1), (2, 1),
                  np.array([1, 3]), [], (), (1, 2, 3)]  # fmt: skip
    for name in ("height", "threshold", "prominence", "width", "plateau_size"):
        for condition in conditions:
            for y in (x, -x, x[:0], x[:2], np.ones(5)):
                same("find_peaks", y, **{name: condition})
    for y in (x, x[:0]):                                    # DIFFERENCES
        np.testing.assert_array_equal(signal.find_peaks(y, distance=np.inf)[0], [8] if y.size else [])
        with pytest.raises(ValueError, match="distance"):
            signal.find_peaks(y, distance=np.nan)
    for distance in (1.5, 0, -1, "a", True, 100, (1, 2)):
        for y in (x, x[:0], np.ones(5)):
            same("find_peaks", y, distance=distance)
    for wlen in (1, 2, 5.5, 0, -1, "a", np.nan, True, 100):
        same("find_peaks", x, prominence=0.5, wlen=wlen)
        same("peak_prominences", x, [1, 3, 8], wlen)
        same("peak_widths", x, [1, 6, 8], wlen=wlen)
    for dtype in "?bBefFO":
        if dtype not in "FO":
            same("find_peaks", x.astype(dtype), height=0, threshold=0, distance=2, prominence=0, width=0, plateau_size=0)


def test_find_peaks_cwt():
    x = np.sin(np.linspace(0, 20, 300))
    np.testing.assert_array_equal(signal.find_peaks_cwt(x, np.arange(5, 20)), ss.find_peaks_cwt(x, np.arange(5, 20)))


@pytest.mark.parametrize("dtype", "fdb")
def test_peaks_listed_at_once_are_those_of_the_mask(monkeypatch, dtype):
    """Plateaus across the pieces that the list is made of, NaN and infinities; on plain hosts two kernels, else one twice."""
    for n in (3, 255, 256, 257, 258, 259, 513, 2000):
        x = RNG.integers(0, 3, n).astype(dtype)
        x[250:262] = 5
        if dtype != "b":
            x[::97] = np.nan
            x[5::101] = np.inf
        for options in ({}, {"height": (1, 4)}, {"plateau_size": 1}, {"plateau_size": (2, 20), "height": 1}):
            same("find_peaks", x, **options)
            listed = signal.find_peaks(x, **options)
            with monkeypatch.context() as patch:
                patch.setattr(_peaks, "LISTED", 0)
                masked = signal.find_peaks(x, **options)
            np.testing.assert_array_equal(listed[0], masked[0])
            assert list(listed[1]) == list(masked[1])
            for name in listed[1]:
                np.testing.assert_array_equal(listed[1][name], masked[1][name])
