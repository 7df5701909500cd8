"""Spectral estimates, short-time transforms in both interfaces, chirp transforms, Lomb-Scargle."""

import warnings

import numpy as np
import pytest
import scipy.signal as ss
from signal_helpers import RNG, data, same

import gpusci as gs
from gpusci import signal

LAYOUTS = [((1000,), -1), ((3, 700, 2), 1), ((700, 3), 0), ((3, 700), -1)]
OPTIONS = [{}, {"nperseg": 64}, {"nperseg": 65, "noverlap": 10}, {"nperseg": 64, "nfft": 100}, {"window": np.hanning(50)},
           {"window": ("kaiser", 4.0), "nperseg": 100}, {"detrend": "linear", "nperseg": 128}, {"detrend": False},
           {"return_onesided": False, "nperseg": 100}, {"nperseg": 2000}, {"nperseg": 1, "noverlap": 0},
           {"detrend": lambda d: d - 1.0}]  # fmt: skip


@pytest.mark.parametrize("dtype", "fdDi")
@pytest.mark.parametrize("shape, axis", LAYOUTS)
def test_estimates(dtype, shape, axis):
    x, y = data(shape, dtype), data(shape, dtype)
    for options in OPTIONS:
        for average in ("mean", "median"):
            same("welch", x, axis=axis, average=average, **options)
            same("csd", x, y, axis=axis, average=average, **options)
        same("spectrogram", x, axis=axis, **options)
        same("stft", x, axis=axis, **options)
    same("welch", x, 10.0, axis=axis, scaling="spectrum")
    same("coherence", x, y, nperseg=64, axis=axis, eps=1e6)
    for options in ({}, {"nfft": 500}, {"nfft": 2000}, {"window": "hann", "scaling": "spectrum"}, {"detrend": "linear"}):
        same("periodogram", x, axis=axis, **options)


def test_estimates_of_other_shapes():
    same("csd", data(500), data(300), nperseg=64)
    same("csd", data((2, 500)), data((3, 300)))
    x = data(500)
    same("csd", x, x)
    f, p = signal.csd(data((2, 1, 500)), data((3, 300)), nperseg=64)         # SciPy raises
    assert p.shape == (2, 3, 33)
    for shape in ((0,), (3, 0), (0, 5)):
        assert signal.welch(np.empty(shape))[1].shape == shape


@pytest.mark.parametrize("boundary", ["even", "odd", "constant", "zeros", None])
def test_boundaries_and_modes(boundary):
    for dtype in "fD":
        for shape, axis in LAYOUTS:
            x = data(shape, dtype)
            for padded in (True, False):
                same("stft", x, axis=axis, boundary=boundary, padded=padded, nperseg=90, scaling="psd")
                same("stft", x, axis=axis, boundary=boundary, padded=padded, nperseg=91, noverlap=70, detrend="constant")
    for mode in ("psd", "complex", "magnitude", "angle", "phase"):
        same("spectrogram", data((700, 2)), axis=0, mode=mode, nperseg=100, eps=1e6)


@pytest.mark.parametrize("dtype", "fdD")
def test_inverse(dtype):
    for options in ({}, {"nperseg": 64}, {"nperseg": 65, "noverlap": 40}, {"nperseg": 64, "nfft": 100}, {"boundary": None, "nperseg": 64}):
        x = data((700, 3), dtype)
        single = 4e-5 if gs.current_device().kind == "cuda" else 2e-5     # two single-precision FFTs, by another library
        onesided = dtype != "D"
        Z = ss.stft(x, axis=0, return_onesided=onesided, **options)[2]
        back = {**options, "boundary": options.get("boundary", True) is not None, "input_onesided": onesided}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for z, axes in ((Z, {"freq_axis": 0}), (np.moveaxis(Z, -1, 0), {"freq_axis": 1, "time_axis": 0})):
                for scaling in ("spectrum", "psd"):
                    t, got = signal.istft(z, 3.0, scaling=scaling, **axes, **back)
                    want = ss.istft(z, 3.0, scaling=scaling, **axes, **back)[1]
                    assert got.dtype == want.dtype and got.shape == want.shape
                    np.testing.assert_allclose(got, want, atol=single * np.abs(want).max() if dtype == "f" else 1e-11)
                    assert t.size == max(got.shape)                        # one time a sample, also with several channels
    for args in ((np.ones(5),), (np.ones((5, 5)), 1.0, "hann", 0)):
        same("istft", *args)
    for options in ({"time_axis": -2}, {"nfft": 3}, {"noverlap": 9}, {"window": np.ones(4)}, {"window": np.ones((4, 2))}, {"scaling": "z"}):
        same("istft", np.ones((5, 5)), **options)
    with pytest.warns(UserWarning, match="NOLA"):
        signal.istft(np.ones((5, 5)), noverlap=0)


@pytest.mark.parametrize("mode", ["onesided", "twosided", "centered", "onesided2X"])
@pytest.mark.parametrize("phase_shift", [0, None, 5, -3])
def test_short_time_fft(mode, phase_shift):
    for window in (np.hanning(50), np.hanning(33)[1:], np.hanning(40) * np.exp(0.1j * np.arange(40))):
        options = {"fft_mode": mode, "mfft": 70, "phase_shift": phase_shift, "scale_to": "psd"}
        try:
            theirs = ss.ShortTimeFFT(window, 11, 10.0, **options)
        except ValueError:
            with pytest.raises(ValueError):
                signal.ShortTimeFFT(window, 11, 10.0, **options)
            continue
        ours = signal.ShortTimeFFT(window, 11, 10.0, **options)
        x = data((2, 300)) + (0 if mode.startswith("one") else 1j * data((2, 300)))
        want = theirs.stft(x)
        np.testing.assert_allclose(ours.stft(x), want, atol=1e-11)
        np.testing.assert_allclose(ours.spectrogram(x), theirs.spectrogram(x), atol=1e-9)
        np.testing.assert_allclose(ours.spectrogram(x, x[:, ::-1]), theirs.spectrogram(x, x[:, ::-1]), atol=1e-9)
        for padding in ("zeros", "edge", "even", "odd"):
            for trend in (None, "constant", "linear", lambda v: v - v.mean(axis=-1, keepdims=True)):
                got = ours.stft_detrend(x, trend, padding=padding, k_offset=3)
                np.testing.assert_allclose(got, theirs.stft_detrend(x, trend, padding=padding, k_offset=3), atol=1e-10)
        for k0, k1 in ((0, None), (0, 300), (-5, 100)):
            np.testing.assert_allclose(ours.istft(want, k0, k1), theirs.istft(want, k0, k1), atol=1e-10)
        np.testing.assert_allclose(ours.istft(want, 20, 250), theirs.istft(want, 0, 300)[:, 20:250], atol=1e-10)
        assert ours.stft(x.T, 0, 9, axis=0).shape == theirs.stft(x.T, 0, 9, axis=0).shape
    assert isinstance(ours.stft(gs.asarray(x)), gs.ndarray)


def test_short_time_fft_made_otherwise():
    window = np.hanning(52)[1:-1]
    assert type(signal.ShortTimeFFT.from_window("hann", 10.0, 50, 20)) is signal.ShortTimeFFT
    assert type(signal.ShortTimeFFT.from_win_equals_dual(gs.asarray(window), 10, 1.0)) is signal.ShortTimeFFT
    assert type(signal.ShortTimeFFT.from_dual(gs.asarray(window), 10, 1.0)) is signal.ShortTimeFFT
    assert isinstance(signal.closest_STFT_dual_window(gs.asarray(window), 10)[0], gs.ndarray)
    with pytest.raises(ValueError):
        signal.ShortTimeFFT(window, 10, 1.0).stft(np.ones(5))
    with pytest.raises(ValueError):
        signal.ShortTimeFFT(window, 10, 1.0).istft(np.ones((5, 5)))


def test_bad_estimates():
    x = data(500)
    for options in ({"nperseg": 0}, {"noverlap": 300}, {"nfft": 10}, {"window": np.ones((2, 2))}, {"window": np.ones(1000)},
                    {"window": np.ones(10), "nperseg": 11}, {"window": "x"}, {"detrend": "x"}):  # fmt: skip
        for name in ("welch", "spectrogram", "stft"):
            same(name, x, **options)
    same("welch", x, scaling="x")
    same("welch", x, average="x")
    same("stft", x, boundary="x")
    same("stft", x, boundary="even", nperseg=500)
    same("spectrogram", x, mode="x")
    same("periodogram", x, window=np.ones(4))


def test_overlap_conditions():
    for window in ("hann", "boxcar", "bartlett", ("kaiser", 3.0), np.ones(120)):
        for overlap in (0, 60, 30, 80, 100, 119, 120, 41):
            same("check_COLA", window, 120, overlap)
            same("check_NOLA", window, 120, overlap)
    same("check_COLA", "hann", 0, 0)
    same("check_NOLA", np.ones(5), 6, 1)
    same("check_NOLA", "hann", 9, -1)


@pytest.mark.parametrize("dtype", "fdDi")
def test_chirp_transforms(dtype):
    x = data((5, 20), dtype)
    for options in ({}, {"m": 7}, {"m": 33, "w": np.exp(-0.1j), "a": 1.1 + 0.2j}, {"axis": 0}, {"m": 0}):
        same("czt", x, eps=1e4, **options)
    for options in ({"fn": 0.5}, {"fn": [0.2, 0.8], "m": 30}, {"fn": [10, 20], "fs": 100, "endpoint": True, "axis": 0}, {"fn": [1, 2, 3]}):
        same("zoom_fft", x, eps=1e4, **options)
    np.testing.assert_allclose(signal.CZT(10, 5).points(), ss.CZT(10, 5).points())
    same("czt_points", 5, 1.1, 2.0)
    same("czt_points", 0)


def test_lombscargle():
    x = np.sort(RNG.uniform(0, 100, 300))
    y, w = np.sin(2 * x) + RNG.normal(size=300), np.linspace(0.1, 10, 200)
    for options in ({}, {"normalize": True}, {"normalize": "amplitude"}, {"floating_mean": True}, {"weights": RNG.uniform(size=300)},
                    {"weights": RNG.uniform(size=300), "floating_mean": True, "normalize": "amplitude"}, {"normalize": "x"}):  # fmt: skip
        same("lombscargle", x, y, w, eps=1e5, **options)
    for weights in (-np.ones(300), np.zeros(300), np.full(300, np.nan), np.where(np.arange(300) == 299, -1e-9, 1)):
        same("lombscargle", x, y, w, weights=weights)
        with pytest.raises(ValueError, match="non-negative"):       # of a GPU's arrays at the latest here
            signal.lombscargle(x, y, w, weights=gs.asarray(weights)).numpy()
    same("lombscargle", x * 1e6, y, w, eps=1e9)      # large arguments, whose rounding in f x - tau is SciPy's error
    for args in ((x, y, [1.0]), (x, y[1:], w), ([], [], w), (x, y, []), (x, y, [0.0, 1.0])):
        same("lombscargle", *args, eps=1e5)
    with pytest.warns(DeprecationWarning, match="precenter"):
        signal.lombscargle(x, y, w, precenter=True)


def test_vectorstrength():
    for args in (([0.1, 0.2, 1.3], 1.0), ([0.1, 0.2, 1.3], [1.0, 2.0]), ([[0.1]], 1), ([1, 2, 3], 2)):
        same("vectorstrength", *args)
    for period in (0, -1.0, [-1.0], (2, 0), np.array([1.0, 0]), np.float32(0), np.nan, [np.nan, 1]):
        same("vectorstrength", [0.1, 0.3], period)
    for period in (np.zeros(2), np.array([1, -1]), np.array(-1.0, "f"), np.linspace(1, -1, 2000)[::-1]):
        with pytest.raises(ValueError, match="periods must be positive"):        # of a GPU's arrays at the latest at the wait
            signal.vectorstrength([0.1, 0.3], gs.asarray(period))[0].numpy()
        with pytest.raises(ValueError, match="periods must be positive"):
            signal.vectorstrength(gs.asarray([0.1, 0.3]), period)
    assert isinstance(signal.vectorstrength([0.1], gs.asarray(2.0))[0], gs.ndarray)


def test_options_of_lombscargle_by_position():
    x, y, w = np.arange(1.0, 9), np.arange(8.0) % 3, np.arange(1.0, 9)
    for late in ((False,), (True, True), (False, False, w), (False, "amplitude", None, True)):
        with pytest.deprecated_call(match="use keyword arguments"):
            got = signal.lombscargle(x, y, w, *late)
        with pytest.deprecated_call():
            want = ss.lombscargle(x, y, w, *late)
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)
    for args, options in (((False,), {"precenter": True}), ((1, 2, 3, 4, 5), {})):
        with pytest.raises(TypeError, match="each once"):
            signal.lombscargle(x, y, w, *args, **options)
