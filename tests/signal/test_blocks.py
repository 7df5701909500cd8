"""What a GPU runs of signal and radar, without one: block kernels by the block emulator, at-forms without their host `range`."""

import pathlib
import re
import sys

import numpy as np
import pytest
import scipy.signal as ss

import gpusci as gs
from gpusci import radar, signal
from gpusci.core.host import Host
from gpusci.core.kernel import Kernel
from gpusci.radar import _detection
from gpusci.signal import _direct, _frames, _lombscargle, _recurrence, _resampling

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "core"))

RNG = np.random.default_rng(11)
SOS = ss.butter(4, [0.004, 0.006], btype="band", output="sos")


def kernels():
    for module in (signal._kernels, radar._kernels):
        for row in vars(module).values():
            for kernel in row.values() if isinstance(row, dict) else (row,):
                if isinstance(kernel, Kernel):
                    yield kernel


pytestmark = pytest.mark.usefixtures("on_the_host")


@pytest.fixture
def started(monkeypatch, folder):
    """Names of the block kernels that ran."""
    from block_emulator import emulate_blocks

    names = emulate_blocks(monkeypatch, folder, kernels())
    for module in (_direct, _frames, _lombscargle, _recurrence, _resampling, _detection):
        monkeypatch.setattr(module, "has_blocks", lambda device: True)
    return names


@pytest.fixture
def at_forms(monkeypatch):
    """The kernels item by item, as a GPU runs them."""
    load = Host.load

    def without_range(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        hidden = "struct only_at { using K = \\2; using Args = K::Args; static void at(\\1 i, const Args& a) { K::at(i, a); } };"
        entry, found = re.subn(r"GPUSCI_ENTRY\((\w+), (.*)\)", hidden + r" } GPUSCI_ENTRY(\1, gpusci::only_at) namespace gpusci {", entry)
        assert found == 1
        return load(self, entry, name, threads, grain, block)

    monkeypatch.setattr(Host, "load", without_range)
    for kernel in kernels():
        monkeypatch.setattr(kernel, "_functions", {})


def close(got, want, eps=40):
    want = np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape
    limit = eps * np.finfo(want.dtype).eps * np.nanmax(np.abs(want)) if want.dtype.kind in "fc" else 0
    np.testing.assert_allclose(got, want, rtol=0, atol=limit)


def data(shape, dtype):
    x = RNG.normal(size=shape) * 10
    return (x + 1j * RNG.normal(size=shape)).astype(dtype) if np.dtype(dtype).kind == "c" else x.astype(dtype)


# ---- recursive filters: one tile, some tiles, and so many that the carry is a scan of its own
@pytest.mark.parametrize("n", [130, 9000, 150000])
@pytest.mark.parametrize("order", [1, 2, 4, 7, 12])
def test_tiles_of_one_section(started, n, order):
    b, a = ss.butter(order, 0.3)
    x = data((2, n), "d")
    zi = data((2, order), "d")
    y, zf = signal.lfilter(b, a, x, zi=zi)
    want, final = ss.lfilter(b, a, x, zi=zi)
    close(y, want, 4000 if order > 7 else 400)
    close(zf, final, 40000 if order > 7 else 400)
    kept = ["carry_tiles"] if order == 12 else []  # beyond a tile
    assert started == (["run_tiles"] if n <= 4096 else ["run_tiles", *kept, "run_tiles"])


@pytest.mark.parametrize("dtype", "fdFD")
def test_tiles_of_sections(started, dtype):
    sos = ss.butter(7, 0.2, output="sos").astype(dtype.lower())
    x = data((3, 7000), dtype)
    for view, axis in ((x, -1), (x.T, 0), (x[:, ::-1], 1), (x[::2, ::2], 1)):
        wide = ss.sosfilt(sos.astype(float), view.astype("D" if dtype in "FD" else "d"), axis=axis).astype(dtype)
        close(signal.sosfilt(sos, view, axis=axis), wide)
    close(signal.sosfiltfilt(sos, x), ss.sosfiltfilt(sos.astype(float), x.astype("D" if dtype in "FD" else "d")).astype(dtype), 400)
    assert "run_tiles" in started


def test_tiles_stay_accurate_next_to_the_unit_circle(started):
    """Powers of the transition matrix must not cost digits (NeuralEnsemble/elephant#220)."""
    x = np.sign(np.sin(np.arange(60000) * 0.0021)) + 0.3
    exact = ss.sosfilt(SOS.astype(np.longdouble), x.astype(np.longdouble)).astype(float)
    assert np.abs(signal.sosfilt(SOS, x) - exact).max() < 1e-12
    b, a = ss.butter(8, 0.05)
    exact = ss.lfilter(b.astype(np.longdouble), a.astype(np.longdouble), x.astype(np.longdouble)).astype(float)
    sequential = np.abs(ss.lfilter(b, a, x) - exact).max()
    assert np.abs(signal.lfilter(b, a, x) - exact).max() <= 1.5 * sequential


# ---- direct convolution
@pytest.mark.parametrize("dtype", "eqfD")
def test_convolution_tiles(started, dtype):
    for shape, taps in (((5000,), 9), ((700,), 100), ((70, 150), (3, 5)), ((40, 40), (33, 34)), ((9, 2000), (1, 40))):
        x, w = data(shape, dtype), data(taps, dtype)
        for mode in ("full", "same", "valid"):
            wide = "D" if dtype in "FD" else "d" if dtype in "efd" else dtype
            want = ss.convolve(x.astype(wide), w.astype(wide), mode, "direct").astype(dtype)
            close(signal.convolve(x, w, mode, "direct"), want)
    assert set(started) == {"convolve_tile"}


@pytest.mark.parametrize("boundary", ["fill", "wrap", "symm"])
def test_convolution_tiles_with_boundaries(started, boundary):
    x, w = data((37, 150), "d"), data((7, 6), "d")
    close(signal.convolve2d(x, w, "same", boundary, 2.5), ss.convolve2d(x, w, "same", boundary, 2.5))
    close(signal.correlate2d(x, w, "full", boundary), ss.correlate2d(x, w, "full", boundary))
    assert set(started) == {"convolve_tile"}


def test_a_nan_stays_in_its_windows(started):
    x = data((60, 200), "f")
    x[30, 100] = np.nan
    y = signal.convolve2d(x, np.ones((5, 7), np.float32), "same")
    assert np.isnan(y).sum() == 35 and np.isnan(y[28:33, 97:104]).all()
    y = signal.convolve(x[30], np.ones(10, np.float32), "same", "direct")
    assert np.isnan(y).sum() == 10


def test_fir_tiles(started):
    x, b = data((3, 3000), "f"), data(25, "f")
    zi = data((3, 24), "f")
    y, zf = signal.lfilter(b, np.float32([2]), x, zi=zi)
    want, final = ss.lfilter(b.astype(float), [2.0], x.astype(float), zi=zi.astype(float))
    close(y, want.astype("f"))
    close(zf, final.astype("f"))
    assert set(started) == {"convolve_tile"}


@pytest.mark.parametrize("dtype", "fDh")
def test_polyphase_tiles(started, dtype):
    cases = [(1, 1, 9, 400), (3, 2, 61, 5000), (2, 3, 61, 3000), (1, 4, 81, 9000), (7, 5, 3, 700), (5, 1, 64, 200), (1, 30, 7, 900)]
    for up, down, taps, n in cases:
        h, x = data(taps, "d" if dtype == "D" else "f"), data((2, n), dtype)
        wide = x.astype("D" if dtype == "D" else "d")
        for mode in ("constant", "reflect") if n > 600 else ("constant", "line", "antisymmetric"):
            got = signal.upfirdn(h, x, up, down, mode=mode)
            close(got, ss.upfirdn(h.astype("d"), wide, up, down, mode=mode).astype(got.dtype))
        if dtype != "D":                                # results are wider than samples
            turned = h * (1 + 1j)
            got = signal.upfirdn(turned, x, up, down)
            close(got, ss.upfirdn(turned.astype("D"), wide, up, down).astype(got.dtype))
        got = signal.resample_poly(x, up, down, axis=1) if dtype != "h" else None
        if got is not None:
            close(got, ss.resample_poly(wide, up, down, axis=1).astype(got.dtype))
    assert set(started) == {"upfirdn_tile"}
    signal.upfirdn(h, x, 400, 133)                       # no tile: the at-form
    assert set(started) == {"upfirdn_tile"}


# ---- spectra, Lomb-Scargle, detectors
@pytest.mark.parametrize("dtype, detrend", [("f", False), ("d", "constant"), ("F", "linear")])
def test_frame_blocks(started, dtype, detrend):
    x = data((2, 900), dtype)
    wide = x.astype("D" if dtype in "FD" else "d")
    two_sided = dtype in "FD"
    for boundary in ("zeros", "even", "odd", "constant", None):
        got = signal.stft(x, nperseg=65, boundary=boundary, detrend=detrend, return_onesided=not two_sided)[2]
        want = ss.stft(wide, nperseg=65, boundary=boundary, detrend=detrend, return_onesided=not two_sided)[2]
        close(got, want.astype(got.dtype))
    close(signal.welch(x, nperseg=64, detrend=detrend)[1], ss.welch(wide, nperseg=64, detrend=detrend)[1].astype(x.real.dtype))
    transform = signal.ShortTimeFFT(np.hanning(50), 11, 1.0, fft_mode="twosided", phase_shift=5, mfft=70)
    reference = ss.ShortTimeFFT(np.hanning(50), 11, 1.0, fft_mode="twosided", phase_shift=5, mfft=70)
    close(transform.stft(x), reference.stft(x))
    assert set(started) == {"frame_block"}


def test_lombscargle_blocks(started):
    t = np.sort(RNG.uniform(0, 100, 333))
    y = np.sin(2 * t) + RNG.normal(size=333)
    for options in ({}, {"floating_mean": True, "normalize": True}, {"normalize": "amplitude"}):
        close(signal.lombscargle(t, y, np.linspace(0.1, 9, 30), **options), ss.lombscargle(t, y, np.linspace(0.1, 9, 30), **options), 1000)
    assert "lombscargle_block" in started


@pytest.mark.parametrize("dtype", "fd")
def test_cfar_tiles(started, dtype):
    x = (RNG.normal(size=(130, 210)) ** 2).astype(dtype)
    x[60, 100] = np.nan
    for guard, ref in (((2, 2), (8, 8)), ((0, 1), (1, 9)), ((1, 0), (0, 3)), ((3, 0), (2, 0))):
        threshold, detected = radar.ca_cfar(x, guard, ref)
        plain, marks = by_cell(x, guard, ref)
        close(threshold, plain)
        np.testing.assert_array_equal(detected, marks)
        assert np.isnan(threshold).sum() == np.isnan(plain).sum()
    assert set(started) == {"ca_cfar_tile"}


def by_cell(x, guard, ref):
    """The detector from sliding windows, in float64."""
    (g0, g1), (r0, r1) = guard, ref
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(float), (2 * (g0 + r0) + 1, 2 * (g1 + r1) + 1))
    ring = np.ones(windows.shape[2:], bool)
    ring[r0 : r0 + 2 * g0 + 1, r1 : r1 + 2 * g1 + 1] = False
    mean = windows[:, :, ring].mean(axis=-1)
    threshold, inside = np.zeros(x.shape, x.dtype), np.zeros(x.shape, bool)
    core = (slice(g0 + r0, x.shape[0] - g0 - r0), slice(g1 + r1, x.shape[1] - g1 - r1))
    threshold[core], inside[core] = radar.cfar_alpha(1e-3, ring.sum()) * mean, True
    return threshold, inside & (x > threshold)


# ---- at-forms as a GPU runs them
def test_at_forms(at_forms):
    x = data((3, 400), "d")
    b, a = ss.butter(4, 0.2)
    close(signal.lfilter(b, a, x), ss.lfilter(b, a, x))
    close(signal.convolve(x, x[:, :30], "same", "direct"), ss.convolve(x, x[:, :30], "same", "direct"))
    close(signal.convolve2d(x, x[:2, :9], "full", "symm"), ss.convolve2d(x, x[:2, :9], "full", "symm"))
    close(signal.upfirdn(x[0, :31], x, 3, 2, mode="line"), ss.upfirdn(x[0, :31], x, 3, 2, mode="line"))
    close(signal.sosfiltfilt(SOS, x), ss.sosfiltfilt(SOS, x), 4000)
    close(signal.welch(x, nperseg=64)[1], ss.welch(x, nperseg=64)[1])
    close(signal.istft(ss.stft(x, nperseg=60)[2], nperseg=60)[1], ss.istft(ss.stft(x, nperseg=60)[2], nperseg=60)[1])
    t = np.sort(RNG.uniform(0, 50, 100))
    close(signal.lombscargle(t, x[0, :100], [0.5, 1.0, 2.0]), ss.lombscargle(t, x[0, :100], [0.5, 1.0, 2.0]), 400)
    close(radar.ca_cfar(x**2, (0, 2), (1, 4))[0], by_cell(x**2, (0, 2), (1, 4))[0])
    steps = np.round(np.repeat(x[0], 3) / 5)
    got, want = signal.find_peaks(steps, plateau_size=1, height=0), ss.find_peaks(steps, plateau_size=1, height=0)
    np.testing.assert_array_equal(got[0], want[0])
    np.testing.assert_array_equal(got[1]["plateau_sizes"], want[1]["plateau_sizes"])


def test_device_arrays_stay_device_arrays():
    x = gs.asarray(data((2, 300), "f"))
    for result in (signal.sosfilt(SOS, x), signal.welch(x)[0], signal.find_peaks(x[0])[0], signal.resample_poly(x, 3, 2, axis=1),
                   radar.pulse_doppler(x), signal.lfilter(gs.asarray([1.0]), [1.0, 0.5], x.numpy())):  # fmt: skip
        assert isinstance(result, gs.ndarray)
