"""Savitzky-Golay, order filters, Wiener, detrend, analytic signals, splines, waveforms, windows, wavelets."""

import itertools
import warnings

import numpy as np
import pytest
import scipy.signal as ss
from scipy.optimize import OptimizeResult
from scipy.signal import windows as sw
from signal_helpers import data, same

import gpusci as gs
from gpusci import signal
from gpusci.signal import _splines, _waveforms, _whittaker, windows


@pytest.mark.parametrize("dtype", "fdi")
def test_savgol(dtype):
    x = data((40, 31), dtype)
    for axis in (0, 1, -1):
        for mode in ("interp", "mirror", "constant", "nearest", "wrap"):
            for window, order, deriv in ((5, 2, 0), (7, 3, 1), (4, 2, 0), (11, 4, 2), (5, 2, 4)):
                same("savgol_filter", x, window, order, deriv, 0.5, axis, mode, 1.5, eps=400)
    line = 3 - 2.0 * np.arange(12.0) + 0.5 * np.arange(12.0) ** 2
    np.testing.assert_allclose(signal.savgol_filter(line, 5, 2), line, atol=1e-12)
    np.testing.assert_allclose(signal.savgol_filter(line, 5, 2, deriv=1), -2.0 + np.arange(12.0), atol=1e-12)
    for args in (([1.0] * 4, 5, 2), ([1.0] * 40, 5, 5), ([1.0] * 40, 5, 2, 0, 1.0, -1, "x")):
        same("savgol_filter", *args)


def test_savgol_coefficients():
    for args, options in (((5, 2), {}), ((5, 2), {"deriv": 1}), ((6, 2), {}), ((5, 2), {"pos": 4}), ((5, 2), {"use": "dot"}),
                 ((5, 5), {}),
                          ((5, 2), {"pos": 5}), ((5, 2), {"use": "x"}), ((5, 2), {"deriv": 3})):  # fmt: skip
        same("savgol_coeffs", *args, eps=1e4, **options)
    assert isinstance(signal.savgol_coeffs(5, 2, device="host"), gs.ndarray)
    exact = [np.float64(v) for v in _exact_savgol(31, 9, 2)]
    np.testing.assert_allclose(signal.savgol_coeffs(31, 9, 2, use="dot"), exact, atol=1e-14)


def _exact_savgol(window, order, deriv):
    import mpmath

    with mpmath.workdps(60):
        v = mpmath.matrix(window, order + 1)
        for i in range(window):
            for j in range(order + 1):
                v[i, j] = mpmath.mpf(i - window // 2) ** j
        fit = (v.T * v) ** -1 * v.T
        return [float(fit[deriv, i] * mpmath.factorial(deriv)) for i in range(window)]


@pytest.mark.parametrize("dtype", "fdhB")
def test_order_statistics(dtype):
    x = data((20, 31), dtype)
    for size in (None, 3, 5, (3, 5), 4):
        same("medfilt", x, size)
        same("medfilt2d", x, 3 if size is None else size)
    same("medfilt", x[0], 7)
    same("medfilt2d", x[0], 3)
    same("order_filter", x, np.ones((3, 3)), 2)
    same("order_filter", x, np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]]), 3)
    same("order_filter", x, np.ones((2, 3)), 1)
    same("medfilt", data(9, "D"))
    with pytest.warns(UserWarning, match="exceeds volume"):
        signal.medfilt([1.0, 2.0], 5)


def test_wiener():
    x = data((40, 31))
    for args in ((), (5,), ((3, 5), 0.5)):
        same("wiener", x, *args, eps=1e5)
    same("wiener", x[0], 4, eps=1e5)
    assert signal.wiener(x.astype("f"), 3).dtype == np.float64


@pytest.mark.parametrize("dtype", "fdDi")
def test_detrend(dtype):
    x = data((40, 31), dtype)
    before = x.copy()
    for kind in ("linear", "constant", "l", "x"):
        for axis in (0, -1, 1):
            same("detrend", x, axis, kind, eps=400)
    same("detrend", x, 1, "linear", [5, 20], eps=400)
    same("detrend", x, 0, "linear", 50)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("dtype", "fdi")
def test_hilbert(dtype):
    x = data((40, 31), dtype)
    for n in (None, 20, 50, 51, 0, -1):
        same("hilbert", x, n, 0)
        same("hilbert", x, n)
    for args in ((15,), ((11, 51),), ((10, 0),), ((21, 5), (1, 0)), (None, (0, 0))):
        same("hilbert2", x, *args)
    same("hilbert", x + 0j)


@pytest.mark.parametrize("dtype", "fdDi")
def test_envelope(dtype):
    for n in (30, 31):
        z = data((3, n), dtype)
        for band in ((1, None), (None, None), (2, 9), (-5, 5), (-9, -2), (3, 3), (0, 99)):
            for points in (None, 20, 31, 60):
                for residual in ("lowpass", "all", None):
                    same("envelope", z, band, n_out=points, residual=residual, squared=residual is None)
        same("envelope", z, axis=0)
    for options in ({"axis": 3}, {"residual": "x"}, {"n_out": 0}, {"bp_in": (1, 2.5)}):
        same("envelope", data(9), **options)


def test_envelope_of_bands_at_zero():
    """A band from 0 on keeps what is outside it; SciPy 1.17 returns zeros there."""
    t = np.arange(60)
    z = np.exp(2j * np.pi * t * 3 / 60) + 2 * np.exp(2j * np.pi * t * 20 / 60) + 4 * np.exp(-2j * np.pi * t * 7 / 60)
    envelope, rest = signal.envelope(z, (0, 5), residual="all")
    np.testing.assert_allclose(envelope, np.ones(60), atol=1e-12)
    np.testing.assert_allclose(rest, z - np.exp(2j * np.pi * t * 3 / 60), atol=1e-12)
    envelope = signal.envelope(z, (None, 0), residual=None)
    np.testing.assert_allclose(envelope, 4 * np.ones(60), atol=1e-12)


SIZES = (None, 3, (3, 5), (3,), (1, 3, 3), 0, 2, -1, 2.5, 3.0, True, (), (3, 0), (3, 2), "ab", 1j, [3, 3], np.array(5), (3.0, 3))


@pytest.mark.parametrize("shape", [(9,), (6, 7), (), (0, 3), (1, 1)], ids=str)
def test_odd_windows_of_filters(shape):
    for size in SIZES:
        x = np.abs(data(shape)) + 1
        if x.ndim and not (shape == (1, 1) and str(size) in ("0", "(3, 0)")):    # SciPy takes 0 for one sample
            same("wiener", x, size, eps=1e4)
            same("wiener", x, size, 0.5, eps=1e4)
        for dtype in "dfiB?eD":
            same("medfilt", data(shape, dtype), size)
            fits = x.ndim == 2 or np.asarray(size).dtype.kind not in "Uc"
            if fits and np.size(size) <= 2 and str(size) != "-1":           # DIFFERENCES
                same("medfilt2d", data(shape, dtype), size)
    domains = (np.ones((3, 3)), np.ones(3), np.ones((2, 2)), np.zeros((3, 3)), np.ones((1, 3)), [1, 0, 1], 1, np.ones((0, 3)), None)
    for domain, rank in itertools.product(domains, (0, 1, 8, 9, -1, 1.0, None, "a", True)):
        same("order_filter", data(shape), domain, rank)


def test_wiener_without_dimensions_and_of_bytes():
    for size in (None, 3, ()):
        same("wiener", np.array(2.0), size, 0.5)
        assert signal.wiener(np.array(2.0), size) == 2      # NaN in SciPy: neither variance nor noise
    x = data((6, 7), "b", 60)
    np.testing.assert_allclose(signal.wiener(x, 3), ss.wiener(x.astype(float), 3), rtol=1e-12)      # SciPy's squares overflow


@pytest.mark.parametrize("dtype", "fdi")
def test_splines(dtype):
    x = data((30, 25), dtype)
    floats = x if dtype != "i" else x.astype(float)
    same("cspline1d", x[0], eps=400)
    same("qspline1d", x[0], eps=400)
    same("cspline1d", x[0], 3.0, eps=4e6 if dtype == "f" else 1e5)
    same("qspline1d", x[0], 1.0)
    for args in ((x, 0.5, 0.3), (x[0], 0.5, -0.3), (x[0], 0.5, 0.99), (x, 0.5, 1.2)):
        same("symiirorder1", *args)
    for args in ((x, 0.3, 0.5), (x[0], 0.3, 0.0), (x, 1.3, 0.0)):
        same("symiirorder2", *args)
    for args in ((floats,), (floats, 0.1)):
        same("cspline2d", *args, eps=1000)
    same("qspline2d", floats, eps=400)
    same("spline_filter", floats, 0.001, eps=1000)
    same("sepfir2d", floats, np.array([1, 2, 4], floats.dtype), np.array([1, 3, 5, 7, 9], floats.dtype))
    coefficients, places = ss.cspline1d(floats[0]), np.linspace(-40, 80, 333)
    same("cspline1d_eval", coefficients, places, eps=1e4)
    same("cspline1d_eval", coefficients, places, 0.5, 3.0, eps=1e4)
    same("qspline1d_eval", coefficients, places, eps=1e4)
    same("cspline1d_eval", [], places)
    same("gauss_spline", places, 3)


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_spline_types(dtype):
    """float16 becomes float32, integers float64."""
    x = data((30, 32), dtype)
    for shape in (x, x[0].copy()):
        for precision in (-1, 0, 1e-3, 1, 2):
            same("symiirorder1", shape, 1.5, 0.5, precision, eps=2000)
            if dtype not in "eFD":
                same("symiirorder2", shape, 0.5, 0.3, precision, eps=2000)
            if dtype == "e":                                # SciPy rounds coefficients to float16: DIFFERENCES
                got, want = signal.symiirorder2(shape, 0.5, 0.3, precision), ss.symiirorder2(shape.astype("f"), 0.5, 0.3, precision)
                assert got.dtype == np.float32 == ss.symiirorder2(shape, 0.5, 0.3, precision).dtype
                np.testing.assert_allclose(got, want, rtol=0, atol=1e-4)    # float32, values up to 200
    for name in ("cspline2d", "qspline2d"):
        for precision in (-1, 0, 0.5, 1):
            if dtype == "e":
                got = getattr(signal, name)(x, 0.0, precision)
                want = getattr(ss, name)(x.astype("f"), 0.0, precision if 0 <= precision < 1 else 1e-6)
                assert got.dtype == np.float32 == getattr(ss, name)(x, 0.0, precision).dtype
                np.testing.assert_allclose(got, want, rtol=0, atol=1e-4)    # float32, values up to 200
            else:
                same(name, x, 0.0, precision, eps=1e6 if precision == 0 else 2000)
    same("cspline1d", x[0], eps=2000)
    same("qspline1d", x[0], eps=2000)
    for places in (np.linspace(-3, 45, 17), np.arange(5), [], [np.nan], np.array([1.5], "f"), np.array([1.5], "e"), 2.5):
        same("cspline1d_eval", x[0], places, eps=1e9 if np.asarray(places).dtype.char in "ef" else 1e5)
        same("qspline1d_eval", x[0], places, eps=1e9 if np.asarray(places).dtype.char in "ef" else 1e5)


def test_splines_of_odd_arguments():
    x = data(40)
    for name in ("cspline1d", "qspline1d"):
        for bad in (np.array(2.0), np.zeros(0), data((4, 5)), np.zeros((0, 3))):
            same(name, bad)
    for name in ("cspline1d_eval", "qspline1d_eval"):
        for bad in ([1j], np.array(["a"])):
            same(name, x, bad)
        same(name, data((40, 42)), [1.5, 2])
        for dx, x0 in ((-1, 0), (np.nan, 0), (1, np.nan), (1, 1j), ("a", 0), (1, "a"), (2, 1.5)):
            same(name, x, [1.5, 2], dx, x0, eps=1e4)
    same("qspline1d_eval", data(40, "D"), [1.5])
    same("cspline1d_eval", data(40, "q"), [1.5])
    for r, omega in ((1, 0.3), (0.5, np.nan), (np.nan, 0.3), ("a", 0), (0.5, None), (0.5j, 0), (0.5, 1j)):
        same("symiirorder2", x, r, omega, eps=2000)
    r, omega = np.float32(0.3), np.float32(0.4)
    for name in ("symiirorder1", "symiirorder2"):
        np.testing.assert_array_equal(getattr(signal, name)(x, r, omega), getattr(signal, name)(x, float(r), float(omega)))
    for c0, z1 in ((1, 1), (1, -1.0), (1, 2), (1, np.nan), (1, "a"), (1, None), ("a", 0.5)):
        same("symiirorder1", x, c0, z1, eps=2000)
    for c0, z1 in ((1, 0.5 + 0.1j), (1j, 0.5), (2, -0.3j)):
        same("symiirorder1", x + 1j, c0, z1, eps=2000)
        want = ss.symiirorder1(x + 0j, c0, z1)
        np.testing.assert_allclose(signal.symiirorder1(x, c0, z1), want, rtol=0, atol=1e-9)     # SciPy is wrong on real data
    for n in (-1, -2, 0, 1, 3, 1.5, "a", None):
        same("gauss_spline", x, n)


@pytest.mark.parametrize("omega", [np.pi, 0.0, 0.5])
def test_symmetric_sections_are_the_filter_of_the_mirrored_signal(omega):
    x, r = data(100, "d", 1), 0.3
    mirrored = np.tile(np.concatenate([x, x[::-1]]), 20)
    cs, a = 1 - 2 * r * np.cos(omega) + r * r, [1, -2 * r * np.cos(omega), r * r]
    there = ss.lfilter([cs], a, mirrored)
    back = ss.lfilter([cs], a, there[::-1])[::-1]
    np.testing.assert_allclose(signal.symiirorder2(x, r, omega), back[2000:2100], atol=2e-6)


@pytest.mark.parametrize("dtype", "efdi")
def test_waves_keep_the_type_of_their_times_from_scipy_1_18_on(dtype, monkeypatch):
    """Python's numbers have no say there; the numbers are those of NumPy's arithmetic in float32 and float64."""
    monkeypatch.setattr(_waveforms, "scipy_since", lambda *release: True)
    t = np.linspace(-20, 20, 400).astype(dtype)
    shares = [0.25, 0, 1, 1.5] + [kind(0.75) for kind in (np.float16, np.float32, np.float64)] + [np.linspace(0, 1, 400, dtype="f")]
    for share in shares:
        wanted = np.result_type(t, share, 1.0)
        inside = np.dtype("f") if wanted == np.float16 else wanted
        w, pi = np.asarray(share, inside), inside.type(np.pi)
        phase = np.mod(t.astype(inside), 2 * pi)
        rise, fall = phase / (pi * w + (w == 0)) - 1, (pi * (w + 1) - phase) / (pi * (1 - w) + (w == 1))
        for name, first, second in (("square", 1, -1), ("sawtooth", rise, fall)):
            found = getattr(signal, name)(t, share)
            assert found.dtype == wanted
            want = np.where((w < 0) | (w > 1), np.nan, np.where(phase < w * 2 * pi, first, second))
            steep = np.where((w > 0) & (w < 1), np.minimum(w, 1 - w), 1)       # errors of the phase count more on a steep part
            np.testing.assert_allclose(found * steep, want.astype(wanted) * steep, rtol=0, atol=8 * np.finfo(wanted).eps)
    assert signal.square(3).dtype == signal.square([3], np.float32(0.5)).dtype == np.float64
    assert signal.square(3, np.float32(0.5)).dtype == np.float32
    assert isinstance(signal.sawtooth(gs.asarray(t)), gs.ndarray)
    assert isinstance(signal.sawtooth(t, gs.asarray(0.5)), gs.ndarray)


def test_duty_of_float32_times(monkeypatch):
    """SciPy 1.18's own test: the samples at the end of the first part of a period fall on the same side as there."""
    monkeypatch.setattr(_waveforms, "scipy_since", lambda *release: True)
    for dtype in "fd":
        t = np.arange(10000.0, dtype=dtype) / 10000 * 2 * np.pi
        for duty in (0.1, 0.25, 0.5, 0.75):
            assert np.mean(signal.square(t, duty) == 1) == pytest.approx(duty, rel=1e-6 if dtype == "d" else 3e-4)


@pytest.mark.parametrize("method", ["linear", "quadratic", "logarithmic", "hyperbolic", "x"])
def test_chirp(method):
    t = np.abs(np.linspace(-2, 3, 200))
    for f0, f1 in ((1, 5), (5, 1), (0, 3), (2, 2), (-1, 3)):
        for options in ({}, {"vertex_zero": False}, {"phi": 30}, {"complex": True}):
            same("chirp", t, f0, 3.0, f1, method, eps=1e5, **options)
    same("chirp", np.arange(10), 1, 5, 2, eps=1e5)


def test_waveforms():
    t = np.linspace(-2, 3, 200)
    for width in (1, 0.5, 0, 0.25, 1.5, -1, np.linspace(0, 1, 200)):
        same("sawtooth", t * 7, width, eps=1e4)
        same("square", t * 7, width)
    for options in ({}, {"retquad": True}, {"retenv": True}, {"retquad": True, "retenv": True}, {"fc": -1}, {"bw": 0}, {"bwr": 1}):
        same("gausspulse", t * 1e-3, eps=1e4, **options)
    for args in (("cutoff",), ("x",), ("cutoff", 1000, 0.5, -6, 1)):
        same("gausspulse", *args)
    same("sweep_poly", t, [1, 2, 3], 30, eps=1e5)
    same("sweep_poly", t, np.poly1d([1.0, 0.5]), eps=1e5)
    for args in ((7,), (7, 2), ((3, 4),), ((3, 4), "mid"), ((3, 4), 1), ((3, 4), (1, 2)), (5, None, int)):
        same("unit_impulse", *args)
    for bits in [*range(2, 17), 33, 1]:
        same("max_len_seq", bits)
    for args in ((5, [1, 0, 1, 0, 1], 20), (5, [0] * 5), (5, [1] * 4), (5, None, -1), (5, None, None, [1, 3]), (5, None,
                 None, [9])):  # fmt: skip
        same("max_len_seq", *args)


PARAMETERS = {"kaiser": [(8.0,)], "kaiser_bessel_derived": [(4.0,)], "gaussian": [(5.0,)], "general_gaussian": [(1.5, 5.0)],
              "general_cosine": [([0.5, 0.3, 0.2],)], "general_hamming": [(0.6,)], "chebwin": [(100,), (60,), (20,)],
              "dpss": [(2.5,), (2.5, 3)], "tukey": [(), (0.2,), (0,), (1,)], "taylor": [(), (6, 40, False)],
              "exponential": [(None, 3.0), (2.0, 3.0)]}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in sw.__all__ if n != "get_window"])
def test_windows(name):
    for length in (0, 1, 2, 3, 4, 5, 7, 8, 16, 51, 64, 101, 1000, -1, 2.5):
        for sym in (True, False):
            for args in PARAMETERS.get(name, [()]):
                results = []
                for module in (windows, sw):
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        try:
                            results.append(getattr(module, name)(length, *args, sym=sym))
                        except Exception as error:
                            results.append(error)
                got, want = results
                if isinstance(want, Exception):
                    assert type(got) is type(want)
                    continue
                assert got.dtype == want.dtype and got.shape == want.shape
                np.testing.assert_allclose(got, want, rtol=0, atol=2e-14)


def test_windows_by_name_and_device():
    for args in (("hann", 8), (("kaiser", 3.0), 9, False), (4.5, 7), ("hann_symmetric", 8), (("tukey_periodic", 0.3), 8),
                 ("x", 5), ("kaiser", 5),
                 (("hann", 1), 5), (["hann"], 5), ((42,), 5), ("hann", 0), ("hann", 5, 1), (("dpss", 1, 2), 5)):  # fmt: skip
        same("get_window", *args)
    assert set(sw._windows._WIN_FUNCS) == set(windows._BY_NAME)
    assert isinstance(windows.hann(8), np.ndarray)
    assert isinstance(windows.hann(8, device="host"), gs.ndarray) and isinstance(windows.hann(8, xp=gs), gs.ndarray)
    values, ratios = windows.dpss(64, 2.5, 3, return_ratios=True)
    np.testing.assert_allclose(ratios, sw.dpss(64, 2.5, 3, return_ratios=True)[1], atol=1e-14)
    np.testing.assert_allclose(windows.dpss(64, 2.5, norm="subsample"), sw.dpss(64, 2.5, norm="subsample"), atol=1e-14)


def test_wavelets():
    x = data(500)
    # Sums for short wavelets, transforms for long ones.
    for wavelet, widths in itertools.product((signal.ricker, signal.morlet2), ([1, 3, 16, 60.0], [60.0, 75])):
        got = signal.cwt(x, wavelet, widths)
        rows = [np.convolve(x, np.conj(wavelet(min(int(10 * w), 500), w)[::-1]), "full") for w in widths]
        starts = [(min(int(10 * w), 500) - 1) // 2 for w in widths]
        want = np.array([row[s : s + 500] for row, s in zip(rows, starts)])
        np.testing.assert_allclose(got, want, atol=1e-11)
    assert signal.cwt(x, signal.ricker, []).shape == (0, 500)
    assert isinstance(signal.cwt(gs.asarray(x), signal.ricker, [2]), gs.ndarray)
    np.testing.assert_allclose(signal.qmf([1.0, 2, 3, 4]), [4, -3, 2, -1])
    assert abs(signal.morlet(99).sum()) < 1e-6
    with pytest.raises(ValueError):
        signal.cwt(np.ones((2, 2)), signal.ricker, [1])


def test_design_keeps_the_kind():
    assert isinstance(signal.butter(4, 0.2)[0], np.ndarray)
    assert isinstance(signal.sos2tf(gs.asarray(ss.butter(4, 0.2, output="sos")))[0], gs.ndarray)
    assert isinstance(signal.freqz(gs.asarray([1.0, 0.5]))[1], gs.ndarray)
    assert isinstance(signal.buttap(3, device="host")[1], gs.ndarray)
    system = signal.lti(gs.asarray([1.0]), [1.0, 2.0])
    assert isinstance(system, signal.lti) and isinstance(system, signal.TransferFunction) and not isinstance(system, signal.dlti)
    np.testing.assert_allclose(signal.step(system)[1], ss.step(ss.lti([1.0], [1.0, 2.0]))[1])


def test_classes_derived_from_systems():
    class Tagged(signal.StateSpace):
        def __init__(self, *system):
            super().__init__(*system)
            self.tag = 3

    system = Tagged(np.eye(2), np.ones((2, 1)), np.ones((1, 2)), [[0.0]])
    assert type(system) is Tagged and system.tag == 3 and system.A.shape == (2, 2)
    assert isinstance(system, signal.StateSpace) and isinstance(system, ss.StateSpace) and issubclass(Tagged, signal.StateSpace)


@pytest.mark.parametrize("dtype", "fdFD")
def test_splines_in_one_go_are_those_of_recurrences(monkeypatch, dtype):
    """splines.h on a plain host against lfilter, sosfilt and ndimage, which long data and GPUs take; strided lines."""
    image = data((60, 150), dtype)[:, ::-2]
    calls = [("symiirorder1", image[0], 1.5, -0.4), ("symiirorder1", image.T, 1.5, 0.5), ("cspline1d", image[1])]
    if dtype in "fd":
        taps = np.array([1, 2, 4], dtype), np.array([1, 3, 5, 7, 9], dtype)
        calls += [("symiirorder2", image[0], 0.5, 0.3), ("symiirorder2", image.T, 0.5, 0.3), ("cspline1d", image[1], 3.0)]
        calls += [("cspline2d", image, 0.1), ("sepfir2d", image, *taps), ("sepfir2d", image[:2, :3], taps[1], taps[1])]
    for name, *args in calls:
        got = getattr(signal, name)(*args)
        with monkeypatch.context() as patch:
            patch.setattr(_splines, "SHORT", 0)
            want = getattr(signal, name)(*args)
        assert got.dtype == want.dtype and got.flags.c_contiguous == want.flags.c_contiguous
        np.testing.assert_allclose(got, want, rtol=0, atol=100 * np.finfo(want.dtype).eps * np.abs(want).max(), err_msg=name)


@pytest.mark.parametrize("dtype", "fdFDeb")
def test_a_mean_along_any_axis(dtype):
    x = data((3, 5, 130), dtype)
    for axis in (0, 1, 2, -2, None):
        for y in (x, x[:, ::-1], x.T):
            same("detrend", y, axis, "constant")
    x = (np.arange(5000) % 7 + 1e6).astype("f")             # where float32 are 1/16 apart: the mean is rounded
    np.testing.assert_allclose(signal.detrend(x, type="constant"), x - x.astype(float).mean(), atol=1 / 32)


def test_waves_with_a_share_for_each_sample():
    t = np.linspace(-20, 20, 50)
    for share in (0, 1, 0.3, 1.2, -0.1, np.linspace(-0.1, 1.1, 50), np.array([0.3]), np.linspace(0, 1, 3)[:, None], np.nan):
        for name in ("square", "sawtooth"):
            same(name, t, share)
            same(name, t.astype("f"), share)
            same(name, np.float64(3), share)
    same("square", np.arange(9))
    for name in ("square", "sawtooth"):
        same(name, t, None)
        same(name, t * 1j)
        same(name, 3)
        same(name, t.astype("f"), np.float32(0.3))
        same(name, t.astype("e"), np.float64(0.3))
    same("sweep_poly", t.astype("f"), np.poly1d([1.0, 2, 3]), eps=1e4)
    same("sweep_poly", np.arange(9), [2], 30, eps=1e4)


def test_spline_filter_of_double_complex_is_that_of_its_parts():
    r = np.random.default_rng(4)
    z = r.random((40, 40)) + 1j * r.random((40, 40))
    parts = ss.spline_filter(z.real.copy(), 0) + 1j * ss.spline_filter(z.imag.copy(), 0)
    np.testing.assert_allclose(signal.spline_filter(z, 0), parts, rtol=0, atol=1e-14)
    small = z[:7, :7]                                   # too few samples for parts in double: SciPy works in complex64
    with pytest.raises(ValueError, match="did not converge"):
        ss.spline_filter(small.real.copy(), 0)
    np.testing.assert_allclose(signal.spline_filter(small, 0), ss.spline_filter(small, 0), rtol=0, atol=1e-5)  # some eps of complex64


@pytest.mark.parametrize("char", "efdiFD")
def test_pulses_are_computed_in_double(char):
    t = np.linspace(0, 1, 5).astype(char)
    same(signal.gausspulse(t, 5, retquad=True, retenv=True), ss.gausspulse(t, 5, retquad=True, retenv=True))


def dense_smoother(signal, *, lamb="reml", order=2, weights=None):
    """What SciPy's whittaker_henderson returns, for a number `lamb`."""
    weights = np.eye(len(signal)) if weights is None else np.diag(weights)
    steps = np.diff(np.eye(len(signal)), order, axis=0)
    return OptimizeResult(x=np.linalg.solve(weights + lamb * steps.T @ steps, weights @ signal), lamb=lamb)


def test_whittaker_henderson(monkeypatch):
    """Offered where the installed SciPy has it; arrays are of the signal's kind."""
    assert ("whittaker_henderson" in signal.__all__) == hasattr(ss, "whittaker_henderson")
    if not hasattr(ss, "whittaker_henderson"):
        monkeypatch.setattr(ss, "whittaker_henderson", dense_smoother, raising=False)
    x, weights = data(30), np.linspace(0, 2, 30)
    smooth = _whittaker.whittaker_henderson
    for options in ({}, {"order": 1}, {"order": 3}, {"weights": weights}, {"weights": gs.asarray(weights)}):
        plain = {name: gs.asnumpy(v) if isinstance(v, gs.ndarray) else v for name, v in options.items()}
        want = dense_smoother(x, lamb=5.0, **plain).x
        for y, kind in ((x, gs.ndarray if options.get("weights") is not plain.get("weights") else np.ndarray), (gs.asarray(x), gs.ndarray)):
            found = smooth(y, lamb=5.0, **options)
            assert type(found.x) is kind and found.lamb == found["lamb"] == 5.0 and found["x"] is found.x
            np.testing.assert_allclose(gs.asnumpy(found.x), want, rtol=0, atol=1e-10)
    assert type(smooth(list(x), lamb=1).x) is np.ndarray
