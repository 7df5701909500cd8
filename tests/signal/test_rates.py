"""upfirdn, resample_poly, resample, decimate, and the FIR designs they rest on."""

import numpy as np
import pytest
import scipy.signal as ss
from signal_helpers import data, same

from gpusci import signal
from gpusci.signal import _resampling


@pytest.mark.parametrize("dtype", "fdFDh")
def test_factors_and_axes(dtype):
    x = data((30, 4, 5), dtype) if dtype != "h" else data((30, 4, 5)).astype("h")
    h = data(13)
    for axis in (0, 1, -1):
        for up, down in ((1, 1), (3, 2), (2, 3), (1, 4), (6, 4)):
            same("upfirdn", h, x, up, down, axis)
            same("resample_poly", x, up, down, axis)


@pytest.mark.parametrize("mode", _resampling.PADTYPES)
def test_extensions(mode):
    for n in (2, 3, 5, 40):
        for up, down in ((1, 1), (3, 2), (2, 5)):
            same("upfirdn", data(31), data(n), up, down, mode=mode)
    same("resample_poly", data((40, 2)), 3, 2, padtype=mode)
    same("upfirdn", data(5), data(9), 2, mode="constant", cval=2.5)


def test_backgrounds_of_integers_are_those_of_floats():
    x = np.array([10, 22, 31, 40, 28, 12, -5], np.int16)
    for padtype in ("line", *_resampling.BACKGROUNDS):
        np.testing.assert_allclose(signal.resample_poly(x, 3, 2, padtype=padtype), ss.resample_poly(x.astype(float), 3, 2, padtype=padtype))


def test_padding_of_whole_numbers_with_a_fraction():
    h, x = np.array([1.0, 2, 3]), np.arange(6)
    want = ss.upfirdn(h, x, 2, 3, mode="constant", cval=1.5)
    np.testing.assert_array_equal(signal.upfirdn(h, x, 2, 3, mode="constant", cval=1.5), want)


def test_views_and_windows():
    x = data((40, 6))
    same("upfirdn", data(9), x[::-1, 1], 5, 3)
    same("upfirdn", data(9, "f"), x.T.astype("F"), 2, 1)
    same("resample_poly", x[::-2, 0], 3, 2)
    for window in ([1, 2, 1], np.array([1, 2, 1.0]), "hann", ("kaiser", 3.0), 5.0):
        same("resample_poly", x, 3, 2, window=window)
    tone = np.exp(2j * np.pi * 0.013 * np.arange(9000))
    late = np.exp(2j * np.pi * 0.013 * np.arange(-(-9000 * 400 // 1333)) * 1333 / 400)
    assert np.abs(signal.resample_poly(tone, 400, 1333) - late)[200:-200].max() < 3e-3


def test_half_precision_uses_single_precision_taps():
    x = data(60, "e", 1)
    y = signal.resample_poly(x, 3, 2)
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, ss.resample_poly(x.astype("f"), 3, 2), atol=1e-5)


@pytest.mark.parametrize("dtype", "fdFi")
@pytest.mark.parametrize("num", [1, 2, 15, 30, 31, 44, 60])
def test_fourier_resampling(dtype, num):
    x = data((30, 4), dtype)
    for options in ({}, {"axis": 1}, {"window": "hamming"}, {"domain": "freq"}, {"window": lambda f: np.exp(-f * f)}):
        same("resample", x, num, **options)
    same("resample", x[:, 0], num, np.arange(30.0))


@pytest.mark.parametrize("q", [2, 3, 7])
@pytest.mark.parametrize("zero_phase", [True, False])
def test_decimation(q, zero_phase):
    for dtype in "dD":
        x = data((200, 2), dtype)
        for options in ({}, {"n": 5}, {"ftype": "fir"}, {"ftype": "fir", "n": 12}):
            same("decimate", x, q, axis=0, zero_phase=zero_phase, eps=1e5, **options)
    x = (100 + np.sin(np.arange(6000) * 0.01)).astype(np.float32)
    y = signal.decimate(x, q, zero_phase=zero_phase)
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, ss.decimate(x.astype(float), q, zero_phase=zero_phase), atol=1e-4)


def test_decimation_by_given_systems():
    for system in (ss.dlti([0.1, 0.2], [1, -0.5]), ss.dlti([1.0, 2, 3], [1.0]), ss.dlti([1.0, 0.2], [1, -1.0, 0.5])):
        for zero_phase in (True, False):
            same("decimate", data((60, 2)), 2, ftype=system, axis=0, zero_phase=zero_phase, eps=1e4)


def test_bad_rates():
    for args in (([], [1.0]), ([[1]], [1.0]), ([1], 3.0), ([1], [1.0], 0), ([1], [1.0], 1, 1, 3), ([1], [1.0], 1, 1, -1, "x")):
        same("upfirdn", *args)
    for options in ({"up": 1.5, "down": 1}, {"up": 0, "down": 1}, {"up": 2, "down": 1, "padtype": "x"}, {"up": 2, "down": 1,
                 "window": [[1]]},
                    {"up": 2, "down": 1, "padtype": "mean", "cval": 1}):  # fmt: skip
        same("resample_poly", [1.0, 2, 3], **options)
    for args in (([1.0, 2, 3], 0), ([1.0, 2, 3], 2.5), ([], 2), ([1.0, 2, 3], 4, None, 0, None, "z"), ([1.0, 2, 3], 4, None,
                 0, np.ones(4))):  # fmt: skip
        same("resample", *args)
    same("decimate", [1.0] * 50, 2.0)
    same("decimate", [1.0] * 5, 2)
    same("decimate", np.ones(50), 2, ftype="z")


@pytest.mark.parametrize("taps", [1, 2, 11, 12, 101])
def test_window_designs(taps):
    for cutoff in (0.3, [0.2, 0.5], [0.1, 0.3, 0.6], [0.5, 0.2], 0, 1.0, [], [[0.1]]):
        for pass_zero in (True, False, "lowpass", "highpass", "bandpass", "bandstop", "x"):
            for options in ({}, {"scale": False}, {"width": 0.1}, {"fs": 4.0}, {"window": ("kaiser", 3.0)}):
                same("firwin", taps, cutoff, pass_zero=pass_zero, **options)
    for antisymmetric in (True, False):
        same("firwin2", taps, [0, 0.5, 1], [0, 1, 0], antisymmetric=antisymmetric)
        same("firwin2", taps, [0, 0.5, 0.5, 1], [1, 1, 0, 0], antisymmetric=antisymmetric, window=None)
    for args in (([0, 1], [1, 1, 1]), ([0, 0.5], [1, 1]), ([0, 0, 1], [1, 1, 1]), ([0, 0.5, 0.5, 0.5, 1], [1, 1, 1, 1, 0])):
        same("firwin2", taps, *args)
    same("firwin", 5, 0.3, fs=[1, 2])
    same("kaiserord", 60, 0.1)
    same("kaiserord", 3, 0.1)


@pytest.mark.parametrize("dtype", "fdFD")
def test_short_filters_of_several_lines(dtype):
    """Fewer taps than `up` end a line before its last sample; 64 outputs of a phase go side by side."""
    for shape in ((3, 70), (3, 1), (2, 200), (500,)):
        x = data(shape, dtype)
        for taps in (1, 3, 9, 15):
            for up, down in ((1, 1), (5, 1), (5, 3), (2, 1), (3, 7)):
                for mode in ("constant", "edge"):
                    same("upfirdn", data(taps), x, up, down, mode=mode)
