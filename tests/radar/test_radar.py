"""Radar: what the functions are for, measured: delays, Doppler bins, false alarm rates; and bad input."""

import mpmath
import numpy as np
import pytest
from scipy import special

import gpusci as gs
from gpusci import radar

RNG = np.random.default_rng(5)
CHIRP = np.exp(1j * np.pi * 0.02 * np.arange(40) ** 2)


def echoes(delays, n=128):
    return np.array([[CHIRP[k - d] if 0 <= k - d < 40 else 0 for k in range(n)] for d in delays])


@pytest.mark.parametrize("dtype", "FD")
def test_pulse_compression_peaks_at_the_delay(dtype):
    x, template = echoes((5, 60, 80)).astype(dtype), CHIRP.astype(dtype)
    y = radar.pulse_compression(x, template)
    assert y.dtype == dtype and y.shape == (3, 128)
    np.testing.assert_array_equal(np.abs(y).argmax(1), [5, 60, 80])
    np.testing.assert_allclose(np.abs(y).max(1), 40, rtol=1e-5)
    y = radar.pulse_compression(x, template, normalize=True, window="hamming", nfft=256)
    assert y.dtype == dtype and y.shape == (3, 256)
    np.testing.assert_array_equal(np.abs(y).argmax(1), [5, 60, 80])
    windowed = radar.pulse_compression(x, template, window=lambda f: np.exp(-f * f))
    np.testing.assert_allclose(windowed, radar.pulse_compression(x, template * np.exp(-np.fft.fftfreq(40) ** 2)), atol=1e-4)
    np.testing.assert_allclose(radar.pulse_compression(x[0], template), radar.pulse_compression(x, template)[0], atol=1e-4)


def test_a_normalized_template_keeps_the_noise_power():
    noise = RNG.normal(size=(50, 400)) + 1j * RNG.normal(size=(50, 400))
    power = (np.abs(radar.pulse_compression(noise, CHIRP, normalize=True)) ** 2).mean()
    assert abs(power - 2) < 0.1


def test_pulse_doppler_transforms_over_pulses():
    x = np.exp(2j * np.pi * np.outer(np.arange(16), np.array([3, 9]) / 16.0))
    y = np.abs(radar.pulse_doppler(x))
    np.testing.assert_array_equal(y.argmax(axis=0), [3, 9])
    axis = radar.doppler_axis(16, 1600.0)
    np.testing.assert_allclose(axis[[3, 9]], [300.0, -700.0])
    assert radar.pulse_doppler(x.astype("F"), "hann", 32).dtype == np.complex64
    weights = RNG.uniform(size=16)
    np.testing.assert_allclose(radar.pulse_doppler(x, weights), np.fft.fft(x * weights[:, None], axis=0), atol=1e-12)


@pytest.mark.parametrize("kinds", ["Fd", "fD", "Df", "dF", "hF", "Bh"])
def test_pulse_compression_is_as_exact_as_its_dtype(kinds):
    x, template = RNG.integers(0, 100, (3, 40)).astype(kinds[0]), RNG.integers(0, 100, 11).astype(kinds[1])
    y = radar.pulse_compression(x, template)
    want = np.fft.ifft(np.fft.fft(x.astype("D")) * np.conj(np.fft.fft(template.astype("D"), 40)))
    assert y.dtype == np.complex128
    np.testing.assert_allclose(y, want, atol=1e-14 * abs(want).max())


@pytest.mark.parametrize("template", [np.array([-128, 100, 90, 7], "b"), np.array([3e30, 1e30, -2e30], "f"), np.array([300, 200], "e")])
def test_normalizing_overflows_nowhere(template):
    x = RNG.normal(size=(2, 30)).astype("f")
    wide = template.astype(float)
    want = radar.pulse_compression(x, wide / np.linalg.norm(wide))
    np.testing.assert_allclose(radar.pulse_compression(x, template, normalize=True), want, atol=2e-6)
    np.testing.assert_allclose(radar.ambgfun(template, 1.0, 1.0), radar.ambgfun(wide, 1.0, 1.0), atol=1e-6)


class Foreign:
    """An array of another library."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


def test_windows():
    x, template = echoes((5,)).astype("F"), CHIRP.astype("F")
    want = radar.pulse_compression(x, template * np.hamming(40).astype("f"))
    weights = np.hamming(40)
    for window in ("hamming", weights, list(weights), gs.asarray(weights), Foreign(weights), weights.astype("D"), lambda f: weights):
        y = radar.pulse_compression(x, template, window=window)
        assert y.dtype == np.complex64
        np.testing.assert_allclose(y, want, atol=2e-5)
    assert radar.pulse_doppler(np.ones((3, 4), "f"), np.array([1, 2, 1])).dtype == np.complex64
    for window in (np.ones(39), [1.0], lambda f: 1.0, np.ones((40, 1))):
        with pytest.raises(ValueError, match="same length"):
            radar.pulse_compression(x, template, window=window)


def ambiguity(x, y):
    """The plane by its definition, over all delays at which x and y meet."""
    x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    delays, k = np.arange(1 - len(y), len(x)), np.arange(len(y))
    points = 1 << int(np.ceil(np.log2(len(delays))))
    padded = np.pad(x, len(y))
    products = y * np.conj(padded[delays[:, None] + k + len(y)])
    return abs(products @ np.exp(2j * np.pi * np.outer(k, np.arange(points) / points - 0.5)))


@pytest.mark.parametrize("sizes", [(20, 20), (20, 9), (9, 20), (1, 1), (1, 5), (5, 1)])
def test_cross_ambiguity_and_its_cuts(sizes):
    x, y = (RNG.normal(size=n) + 1j * RNG.normal(size=n) for n in sizes)
    want, fs = ambiguity(x, y), 10.0
    np.testing.assert_allclose(radar.ambgfun(x, fs, 1.0, y), want, atol=1e-13)
    points = want.shape[1]
    for k in range(points):
        cut = radar.ambgfun(x, fs, 1.0, y, "doppler", (k / points - 0.5) * fs)
        np.testing.assert_allclose(cut, want[:, k], atol=1e-13)
    for r in range(len(want)):
        np.testing.assert_allclose(radar.ambgfun(x, fs, 1.0, y, "delay", (r - sizes[1] + 1) / fs), want[r], atol=1e-13)
    for delay in (sizes[0], -sizes[1], 4 * points):          # the pulses no longer meet
        assert not radar.ambgfun(x, fs, 1.0, y, "delay", delay / fs).any()


def test_ambiguity_in_closed_form():
    n, rate = 32, 0.01                                       # a rectangular pulse, and a chirp, whose ridge is f = rate * delay
    delay, doppler = np.arange(1 - n, n)[:, None], np.arange(64) / 64 - 0.5
    for pulse, slope in ((np.ones(n), 0.0), (np.exp(1j * np.pi * rate * np.arange(n) ** 2), rate)):
        f = doppler - slope * delay + 1e-15
        want = abs(np.sin(np.pi * f * (n - abs(delay))) / (n * np.sin(np.pi * f)))
        np.testing.assert_allclose(radar.ambgfun(pulse, 1.0, 1.0), want, atol=1e-12)


@pytest.mark.parametrize("delay", [0.5, 1.25, -3.7])
def test_ambiguity_between_samples(delay):
    t, pulse = np.arange(64), lambda t: np.exp(-(((t - 32) / 6) ** 2) + 0.04j * np.pi * t)
    turns = np.exp(2j * np.pi * np.outer(np.arange(128) / 128 - 0.5, t))
    want = abs(turns @ (pulse(t) * np.conj(pulse(t + delay)))) / np.linalg.norm(pulse(t)) ** 2
    np.testing.assert_allclose(radar.ambgfun(pulse(t), 1.0, 1.0, cut="delay", cutValue=delay), want, atol=1e-12)
    assert radar.ambgfun(pulse(t).astype("F"), 1.0, 1.0, cut="delay", cutValue=delay).dtype == np.float32


def test_ambiguity_function():
    plane = radar.ambgfun(CHIRP[:20], 1.0, 1.0)
    assert plane.shape == (39, 64) and np.unravel_index(plane.argmax(), plane.shape) == (19, 32)
    np.testing.assert_allclose(plane[19, 32], 1.0)
    np.testing.assert_allclose(radar.ambgfun(CHIRP[:20], 1.0, 1.0, cut="delay"), plane[19], atol=1e-12)
    np.testing.assert_allclose(radar.ambgfun(CHIRP[:20], 1.0, 1.0, cut="doppler"), plane[:, 32], atol=1e-12)
    cross = radar.ambgfun(CHIRP[:20], 1.0, 1.0, y=np.roll(CHIRP[:20], 0) * 3, cut="2D")
    np.testing.assert_allclose(cross, plane, atol=1e-12)


@pytest.mark.parametrize("pfa", [1e-1, 1e-2])
def test_detectors_hold_the_false_alarm_rate(pfa):
    noise = RNG.exponential(size=(500, 500))
    inner = (slice(6, -6), slice(6, -6))
    for detector in (radar.ca_cfar, radar.os_cfar):
        rate = detector(noise, (2, 2), (4, 4), pfa)[1][inner].mean()
        assert abs(rate - pfa) < 5 * np.sqrt(pfa / noise.size) + 0.03 * pfa


def test_threshold_factors():
    for pfa, cells in ((1e-3, 10**6), (1e-6, 10**9), (0.5, 1), (1e-12, 3)):
        with mpmath.workdps(40):
            want = float(cells * (mpmath.mpf(pfa) ** (mpmath.mpf(-1) / cells) - 1))
        np.testing.assert_allclose(radar.cfar_alpha(pfa, cells), want, rtol=1e-14)
    np.testing.assert_allclose(radar.cfar_alpha(np.array([1e-3, 1e-2]), 3), [27, 3 * (100 ** (1 / 3) - 1)], rtol=1e-14)
    for pfa, cells, rank in ((1e-6, 24, 21), (1e-6, 32, 24), (1e-4, 16, 12), (1e-6, 8, 1), (1e-3, 5, 5)):
        alpha = radar.os_cfar_alpha(pfa, cells, rank)        # Rohling's product as a beta function
        log = special.gammaln([cells + 1, cells - rank + 1 + alpha, cells - rank + 1, cells + alpha + 1]) @ [1, 1, -1, -1]
        np.testing.assert_allclose(log, np.log(pfa), rtol=1e-9)


@pytest.mark.parametrize("guard, reference, pfa", [(0, 1, 0.1), (1, 2, 1e-2), (3, 8, 1e-3), (2, 32, 1e-2)])
def test_false_alarms_in_one_dimension(guard, reference, pfa):
    noise = 7 * RNG.exponential(size=200000)
    for detector in (radar.ca_cfar, radar.os_cfar):
        found, trials = detector(noise, guard, reference, pfa)[1].sum(), noise.size - 2 * (guard + reference)
        assert abs(found - pfa * trials) < 5 * np.sqrt(trials * pfa * (1 - pfa))


def test_one_dimension():
    x = RNG.exponential(size=300)
    threshold, detected = radar.ca_cfar(x, 2, 5)
    ring = np.lib.stride_tricks.sliding_window_view(x, 15)[:, [0, 1, 2, 3, 4, 10, 11, 12, 13, 14]]
    np.testing.assert_allclose(threshold[7:-7], radar.cfar_alpha(1e-3, 10) * ring.mean(1))
    assert not threshold[:7].any() and not threshold[-7:].any() and not detected[:7].any()
    threshold = radar.os_cfar(x, 2, 5, rank=4)[0]
    np.testing.assert_allclose(threshold[7:-7], radar.os_cfar_alpha(1e-3, 10, 4) * np.sort(ring, axis=1)[:, 3])


def test_a_strong_target_and_a_nan_stay_local():
    x = RNG.exponential(size=(60, 80)).astype("f")
    plain = radar.ca_cfar(x, (2, 2), (3, 4))[0]
    x[30, 40] = 1e12                                         # among the guard cells of its neighbours
    strong = radar.ca_cfar(x, (2, 2), (3, 4))[0]
    np.testing.assert_array_equal(strong[28:33, 38:43], plain[28:33, 38:43])
    x[30, 40] = np.nan
    bad = np.isnan(radar.ca_cfar(x, (2, 2), (3, 4))[0])
    assert bad.sum() == 11 * 13 - 25 and not bad[28:33, 38:43].any()


def test_detector_types():
    x = RNG.integers(0, 100, (30, 40))
    for dtype, result in (("e", "f"), ("f", "f"), ("d", "d"), ("i", "d"), ("B", "d"), (">f8", "d")):
        threshold, detected = radar.ca_cfar(x.astype(dtype), (1, 1), (2, 2))
        assert threshold.dtype == result and detected.dtype == bool
        np.testing.assert_allclose(threshold, radar.ca_cfar(x.astype("d"), (1, 1), (2, 2))[0], rtol=1e-5)
    view = x.astype("d")[::-1, ::2]
    np.testing.assert_allclose(radar.ca_cfar(view, (1, 1), (2, 2))[0], radar.ca_cfar(view.copy(), (1, 1), (2, 2))[0])


def test_bad_detector_input():
    x = np.ones((20, 30))
    for args, error in (((x, 2, 3), TypeError), ((x[0], 1.5, 3), TypeError), ((x[0], "2", 3), TypeError),
                        *(((x[0], 1, 3, pfa), ValueError) for pfa in (0.0, 1.0, -0.1, np.nan)),
                        ((x[None], (2, 2), (3, 3)), TypeError), ((x, (20, 2), (3, 3)), ValueError),
                        ((x + 0j, (2, 2), (3, 3)), TypeError), ((x[0], (1, 1), (2, 2)), TypeError), ((x[0], 10, 30), ValueError),
                        ((x, (1, 1), (0, 0)), ValueError), ((x, (-1, 1), (1, 1)), ValueError)):  # fmt: skip
        for detector in (radar.ca_cfar, radar.os_cfar):
            with pytest.raises(error):
                detector(*args)
    with pytest.raises(ValueError, match="rank"):
        radar.os_cfar(x, (1, 1), (1, 1), rank=99)
    with pytest.raises(ValueError, match="pfa"):
        radar.os_cfar_alpha(2.0, 5, 1)


def test_channelizer_separates_tones():
    from gpusci.signal import firwin

    n, channels = 8192, 8
    taps = firwin(8 * 16, 1 / channels)
    for k in range(channels):
        tone = np.exp(2j * np.pi * (k / channels) * np.arange(n))
        power = (np.abs(radar.channelize_poly(tone, taps, channels)[:, 40:]) ** 2).mean(axis=1)
        assert power.argmax() == k and power[k] > 1e4 * np.delete(power, k).max()
    assert radar.channelize_poly(np.ones(35, "f"), np.ones(16, "f"), 4).shape == (4, 8)
    for args in ((np.ones((2, 2)), np.ones(4), 2), (np.ones(9), np.ones(4), 5), (np.ones(9), np.ones(4), 0)):
        with pytest.raises(ValueError):
            radar.channelize_poly(*args)


@pytest.mark.parametrize("kinds", ["dd", "Dd", "dD", "DD", "fF", "hh"])
def test_channelizer_is_a_filter_bank(kinds):
    x, h = (RNG.integers(-50, 50, n) * (1 if kind in "dfh" else 1 + 2j) for n, kind in zip((70, 25), kinds, strict=True))
    x, h = x + x[::-1] * (1j if kinds[0] in "DF" else 0), h + h[::-1] * (1j if kinds[1] in "DF" else 0)
    x, h = x.astype(kinds[0]), h.astype(kinds[1])
    bank = np.exp(2j * np.pi * np.outer(np.arange(8), np.arange(24)) / 8) * h[:24]
    want = np.array([np.convolve(x, taps)[7::8][:8] for taps in bank])
    y = radar.channelize_poly(x, h, 8)
    assert y.dtype == ("D" if set("dD") & set(kinds) else "F")
    np.testing.assert_allclose(y, want, atol=(1e-13 if y.dtype == "D" else 1e-6) * abs(want).max())
    with pytest.raises(TypeError):
        radar.channelize_poly(x, h, 2.5)


def test_frequency_shift():
    t = np.arange(100000) / 100.0
    np.testing.assert_allclose(radar.freq_shift(np.exp(2j * np.pi * 13 * t), 13, 100.0), 1, atol=1e-8)
    assert radar.freq_shift(np.ones((2, 5), "f"), 1, 4).dtype == np.complex64
    assert radar.freq_shift(np.ones((0, 5)), 1, 4).shape == (0, 5)
    assert radar.freq_shift(np.float64(3), 1, 4).shape == ()


def test_beamformer_passes_the_steered_direction():
    x = RNG.normal(size=(4, 500)) + 1j * RNG.normal(size=(4, 500))
    steering, jammer = (np.exp(1j * np.pi * np.arange(4) * np.sin(angle)) for angle in (0.1, 0.7))
    x = x + 30 * jammer[:, None] * RNG.normal(size=500)
    weights = radar.mvdr(x, steering)
    np.testing.assert_allclose(np.conj(weights) @ steering, 1)
    assert abs(np.conj(weights) @ jammer) < 0.02
    np.testing.assert_allclose(radar.mvdr(np.cov(x), steering, calc_cov=False), weights, atol=1e-10)
    many = radar.mvdr(x, np.stack([steering, 2 * jammer], axis=1))
    np.testing.assert_allclose(many, np.stack([weights, radar.mvdr(x, 2 * jammer)], axis=1), atol=1e-12)
    rough = x.astype("F")
    np.testing.assert_allclose(radar.mvdr(rough, steering), radar.mvdr(rough.astype("D"), steering), atol=1e-12)
    for args in ((np.ones((5, 3)), np.ones(5)), (np.ones((3, 5)), np.ones(4)), (np.ones(3), np.ones(3))):
        with pytest.raises(ValueError):
            radar.mvdr(*args)


def test_volterra_filters():
    x, w = RNG.normal(size=60), RNG.normal(size=(5, 5))
    windows = np.lib.stride_tricks.sliding_window_view(x, 5)[:, ::-1]
    np.testing.assert_allclose(radar.convolve1d2o(x, w), np.einsum("nj,nk,jk->n", windows, windows, w), atol=1e-12)
    w = RNG.normal(size=(5, 5, 5))
    np.testing.assert_allclose(radar.convolve1d3o(x, w), np.einsum("nj,nk,nl,jkl->n", windows, windows, windows, w), atol=1e-11)
    for args, error in (((x, x), ValueError), ((w, x), ValueError), ((x[:3], w[0]), ValueError), ((x, w[0], "full"), NotImplementedError),
                        ((x, w[0], "valid", "fft"), NotImplementedError)):  # fmt: skip
        with pytest.raises(error):
            radar.convolve1d2o(*args)


def test_axes():
    np.testing.assert_allclose(radar.range_axis(3, 1e6), [0, 149.896229, 299.792458])
    np.testing.assert_allclose(radar.velocity_axis(4, 1000.0, 1e10)[1], 3.74740572)
    assert isinstance(radar.range_axis(3, 1e6, device="host"), gs.ndarray)


def test_kinds():
    x = gs.asarray(echoes((5,)))
    assert isinstance(radar.pulse_compression(x, CHIRP), gs.ndarray)
    assert isinstance(radar.pulse_compression(x.numpy(), CHIRP), np.ndarray)
    assert all(isinstance(part, gs.ndarray) for part in radar.ca_cfar(gs.asarray(np.ones((20, 20))), (1, 1), (1, 1)))
