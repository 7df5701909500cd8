"""What users reported of SciPy, CuPy and others, where gpusci gives the right value: analytic ones, definitions, brute force."""

import mpmath
import numpy as np
import pytest
import scipy.signal as ss
from scipy.linalg import expm
from signal_helpers import data

import gpusci as gs
from gpusci import signal

T = np.linspace(0, 1, 5)
DECAY = np.exp(-T)
B, A = ss.butter(3, 0.2)


def near(got, want, tol=1e-10):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=0, atol=tol * np.abs(want).max(initial=1e-300))


# ---- waves, analytic signals, convolution, Wiener
@pytest.mark.parametrize("dtype", "fd")
def test_sawtooth_just_below_zero(dtype):
    t = -np.logspace(-40, -9, 60).astype(dtype)
    np.testing.assert_allclose(signal.sawtooth(t), 1, atol=1e-6)
    np.testing.assert_allclose(signal.sawtooth(t, np.ones(60)), 1, atol=1e-6)
    for width in (0, 0.5):
        np.testing.assert_allclose(signal.sawtooth(t, width), -1, atol=1e-6)
    assert np.isfinite(signal.sawtooth(2 * np.pi * (np.linspace(0, 1, 50, endpoint=False) - 0.72))).all()


@pytest.mark.parametrize("shape", [(6, 8), (5, 8), (6, 7), (5, 5), (2, 1)])
def test_hilbert2_is_hilbert_along_both_axes(shape):
    x, y = data(shape[0]), data(shape[1])
    near(signal.hilbert2(np.outer(x, y)), np.outer(ss.hilbert(x), ss.hilbert(y)))
    near(signal.hilbert2(np.outer(x, y)[None], N=(8, 4)), np.outer(ss.hilbert(x, 8), ss.hilbert(y, 4))[None])


@pytest.mark.parametrize("name", ["fftconvolve", "oaconvolve"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_broadcast_axes_are_kept(name, mode):
    x, taps = data((1, 3000)), data((7, 10))
    convolve = getattr(signal, name)
    want = [np.convolve(x[0], row, mode) for row in taps]
    near(convolve(x, taps, mode, axes=1), want)
    near(convolve(x.T, taps.T, mode, axes=[0]), np.transpose(want))
    many = np.vstack([x, x, x])
    near(convolve(many, taps[:1], mode, axes=-1), [want[0]] * 3)


@pytest.mark.parametrize("kind", ["d", "D"])
def test_wiener_of_flat_images(kind):
    flat = np.full((8, 8), 0.5, kind)
    near(signal.wiener(flat, 3, noise=0.0)[2:-2, 2:-2], flat[2:-2, 2:-2])
    near(signal.wiener(np.zeros((6, 7), kind), 3), np.zeros((6, 7)))


def test_medians_of_large_unsigned_integers():
    x = np.array([2**64 - 5, 3, 2**63 + 7, 2**53 + 1, 2**53, 1, 2**64 - 1], np.uint64)
    padded = [0, *x.tolist(), 0]
    assert signal.medfilt(x, 3).tolist() == [sorted(padded[i : i + 3])[1] for i in range(7)]


# ---- filters
def test_complex_filters_forward_and_backward_have_no_phase():
    turn, n = np.exp(2j * np.pi * 0.12), 400
    z, p, k = ss.butter(2, 0.05, output="zpk")
    b, a = ss.zpk2tf(z * turn, p * turn, k)
    sos = ss.butter(2, 0.05, output="sos") * turn ** np.array([0, 1, 2, 0, 1, 2])
    quiet = np.zeros(800)
    for f in (0.12, 0.13, -0.12):
        x = np.exp(2j * np.pi * f * np.arange(n)) * np.hanning(n)
        forward = ss.lfilter(b, a, np.concatenate([quiet, x, quiet]))
        want = ss.lfilter(b.conj(), a.conj(), forward[::-1])[::-1][800:-800]
        for got in (
            signal.filtfilt(b, a, x),
            signal.sosfiltfilt(sos, x),
            signal.filtfilt(b, a, x, method="gust"),
            signal.filtfilt(b, a, x, method="gust", irlen=150),
        ):
            np.testing.assert_allclose(got, want, atol=3e-3)
        np.testing.assert_allclose(signal.decimate(x, 2, ftype=ss.dlti(b, a)), want[::2], atol=3e-3)
    x = data((3, 90))
    for method in ("pad", "gust"):
        near(signal.filtfilt([1 + 1j], [1.0], x, method=method), 2 * x)
    near(signal.filtfilt(b, a, x[:, ::-1], method="gust")[:, ::-1], signal.filtfilt(b.conj(), a.conj(), x, method="gust"), 1e-8)


def test_decimate_with_complex_zeros():
    x = data(200)
    for zeros, poles, b, a in (([0.5j], [0.5], [1, -0.5j], [1, -0.5]), ([0.5], [0.5j], [1, -0.5], [1, -0.5j])):
        near(signal.decimate(x, 2, ftype=ss.dlti(zeros, poles, 1.0), zero_phase=False), ss.lfilter(b, a, x)[::2])


@pytest.mark.parametrize("dtype", "?bBhHiIlL")
def test_integers_are_padded_without_wrapping(dtype):
    x = np.random.default_rng(1).integers(0, 100, 60).astype(dtype)
    sos = ss.butter(3, 0.2, output="sos")
    for method in ("pad", "gust"):
        near(signal.filtfilt(B, A, x, method=method), ss.filtfilt(B, A, x.astype(float), method=method))
        near(signal.filtfilt([1, 2], [1], x, method=method), ss.filtfilt([1.0, 2.0], [1.0], x.astype(float), method=method))
    near(signal.sosfiltfilt(sos, x), ss.sosfiltfilt(sos, x.astype(float)))
    near(signal.decimate(x, 3), ss.decimate(x.astype(float), 3))
    near(signal.stft(x, nperseg=16, boundary="odd")[2], ss.stft(x.astype(float), nperseg=16, boundary="odd")[2], 1e-5)
    near(signal.gauss_spline(x, 3), ss.gauss_spline(x.astype(float), 3))


def test_kaiser_windows_of_large_beta():
    for beta in (300.0, 700.0, 800.0, 2000.0, -800.0):
        root = [mpmath.sqrt(1 - (mpmath.mpf(i) / 4 - 1) ** 2) for i in range(9)]
        near(signal.windows.kaiser(9, beta), [float(mpmath.besseli(0, beta * r) / mpmath.besseli(0, beta)) for r in root], 1e-12)
    assert np.isfinite(signal.windows.kaiser_bessel_derived(8, 900.0)).all()


def test_lfiltic_of_numbers():
    near(signal.lfiltic([0.8], [1.0, -0.2], 3.0), [0.6])
    near(signal.lfiltic([0.8, 0.3], [1.0, -0.2], 3.0, 2.0), [1.2])


@pytest.mark.parametrize("taps", [62, 63])
@pytest.mark.parametrize("n_fft", [511, 512])
def test_minimum_phase_keeps_the_magnitude(taps, n_fft):
    h = np.random.default_rng(0).normal(size=taps)      # no zero near the unit circle at 0 and the middle frequency
    h[taps // 2 :] = h[: (taps + 1) // 2][::-1]
    h[taps // 2] += 40                                  # dominates: no zeros near the circle at all
    got = signal.minimum_phase(h, n_fft=n_fft, half=False)
    np.testing.assert_allclose(abs(np.fft.fft(got, n_fft)), abs(np.fft.fft(h, n_fft)), rtol=1e-5)
    assert abs(np.roots(got)).max() < 1
    assert len(signal.minimum_phase(h)) == (taps + 1) // 2
    with pytest.warns(RuntimeWarning, match="symmetric"):
        signal.minimum_phase(np.array([5.0, 4, 3, 20, 30, 40]))


def test_firwin_2d_heeds_all_arguments():
    for options in ({"pass_zero": False}, {"scale": False}, {"pass_zero": False, "scale": False}):
        lines = [ss.firwin(n, 0.3, window=name, fs=2, **options) for n, name in ((11, "hamming"), (7, "hann"))]
        near(signal.firwin_2d((11, 7), ("hamming", "hann"), fc=0.3, **options), np.outer(*lines))
    wide = signal.firwin_2d((5, 9), "hann", fc=0.3, circular=True)
    near(wide, ss.firwin_2d((5, 9), "hann", fc=0.3, circular=True).T)
    for call in (lambda: signal.firwin_2d((9, 9), ("hann", "hann")), lambda: signal.firwin(9, None)):
        with pytest.raises(ValueError):
            call()


def test_zpk2tf_of_rows_of_zeros():
    z, p = np.array([[1, 2.0], [0, -1.0]]), np.array([3.0, 4.0])
    for k in (1j, 2.5, [2.5, 1j], 3):
        b, a = signal.zpk2tf(z, p, k)
        near(b, [g * np.poly(row) for g, row in zip(np.broadcast_to(k, 2), z)])
        near(a, np.poly(p))


# ---- linear systems
@pytest.mark.parametrize("zeros, poles", [([-1.0], [-2.0, 0, 0]), ([], [0.0] * 4), ([-1.0, -3.0], [-2.0, 0, 0, -1e3])])
def test_no_zeros_from_rounding(zeros, poles):
    system = ss.zpk2ss(zeros, poles, 3.0)
    num, den = signal.ss2tf(*system)
    assert len(np.trim_zeros(num[0], "f")) == len(zeros) + 1
    near(num[0][-len(zeros) - 1 :], 3 * np.atleast_1d(np.poly(zeros)))
    near(den, np.poly(poles))
    near(np.sort(signal.ss2zpk(*system)[0]), np.sort(zeros), 1e-8)


@pytest.mark.parametrize("poles, step", [((-1, -3), 1e-6), ((-1, -3), 0.1), ((-1, -2, -3), 1e-4), ((-1, -3, -4, -7), 0.01)])
def test_transfer_functions_sampled_with_short_steps(poles, step):
    with mpmath.workdps(60):
        # The step response by partial fractions, times 1 - 1/z.
        roots = [mpmath.mpf(0), *map(mpmath.mpf, poles)]
        shares = [1 / mpmath.fprod(p - q for q in roots if q != p) for p in roots]
        y = [mpmath.fsum(share * mpmath.exp(p * step * k) for p, share in zip(roots, shares)) for k in range(len(roots))]
        h = [y[0], *(b - a for a, b in zip(y, y[1:]))]
        den = [mpmath.mpf(1)]
        for p in poles:
            turned = [mpmath.exp(mpmath.mpf(p) * step) * c for c in den]
            den = [a - b for a, b in zip([*den, 0], [0, *turned])]
        want = [float(mpmath.fsum(h[j] * den[k - j] for j in range(k + 1))) for k in range(len(roots))]
    num, den, dt = signal.cont2discrete(([1.0], np.poly(poles)), step)
    np.testing.assert_allclose(num[0, 1:], want[1:], rtol=1e-11)
    assert num[0, 0] == 0 and dt == step
    zeros = signal.cont2discrete(([], poles, 1.0), step)[0]
    near(np.sort(zeros), np.sort(np.roots(want[1:])), 1e-5)


def test_poles_of_a_state_space_are_its_eigenvalues():
    Q = np.linalg.qr(np.random.default_rng(3).normal(size=(8, 8)))[0]
    want = np.exp(-1e-2 * np.arange(1.0, 9))
    poles = signal.ss2zpk(Q @ np.diag(want) @ Q.T, np.ones((8, 1)), np.ones((1, 8)), [[0.0]])[1]
    near(np.sort(poles.real), np.sort(want), 1e-13)


def test_transfer_functions_of_any_system():
    rng = np.random.default_rng(0)
    for n, outputs in ((1, 1), (2, 2), (5, 1)):
        A, B, C, D = rng.normal(size=(n, n)), rng.normal(size=(n, 2)), rng.normal(size=(outputs, n)), rng.normal(size=(outputs, 2))
        for feed in (D, 0 * D, D * [0, 1]):
            for i in (0, 1):
                num, den = signal.ss2tf(A, B, C, feed, input=i)
                want = (C @ np.linalg.solve(0.7j * np.eye(n) - A, B) + feed)[:, i]
                near([np.polyval(row, 0.7j) / np.polyval(den, 0.7j) for row in num], want, 1e-10)
    near(signal.ss2tf([[1j]], [[1]], [[2]], [[0]])[0], [[0, 2]])
    near(signal.ss2tf([[1.0]], [[1.0]], [[1.0]], [[1j]])[0], [[1j, 1 - 1j]])


SYSTEM = np.array([[-1, 0], [0, -1]]), np.array([[1], [1]]), np.array([[1, 0]]), np.array([[0]])


def test_integer_states_are_not_truncated():
    for system in (SYSTEM, signal.StateSpace(*SYSTEM), ss.StateSpace(*SYSTEM)):
        near(signal.lsim(system, None, T, [1, 1])[1], DECAY)
        near(signal.impulse(system, T=T)[1], DECAY)
        near(signal.step(system, T=T)[1], 1 - DECAY)
    near(signal.lti(*SYSTEM).output(None, T, [1, 1])[1], DECAY)


def test_complex_simulations():
    A, B, C, D = (m.astype(float) for m in SYSTEM)
    near(signal.lsim(([1.0], [1.0, 1.0]), 1j * np.ones(5), T)[1], 1j * (1 - DECAY))
    near(signal.lsim((A, 1j * B, C, D), np.ones(5), T)[1], 1j * (1 - DECAY))
    near(signal.lsim((A, B, C, D), None, T, [1j, 1])[2], np.outer(DECAY, [1j, 1]))
    near(signal.step((A, 1j * B, C, D), T=T)[1], 1j * (1 - DECAY))
    near(signal.impulse((A, B, C, D), X0=[1j, 0], T=T)[1], (1 + 1j) * DECAY)


def test_impulse_from_a_state():
    A, B, C = np.array([[0, 1.0], [-2, -0.5]]), np.array([[0.0], [1]]), np.array([[1.0, 0]])
    want = [(C @ expm(A * t) @ [1.0, 1.0])[0] for t in T]
    near(signal.impulse((A, B, C, [[0.0]]), X0=[1.0, 0.0], T=T)[1], want)


def test_complex_discrete_systems():
    system = [0.5], [1, -0.5j], 0.1
    n = np.arange(20)
    near(signal.dstep(system, n=20)[1][0][:, 0], ss.lfilter([0, 0.5], [1, -0.5j], np.ones(20, complex)))
    near(signal.dimpulse(system, n=20)[1][0][:, 0], np.where(n > 0, 0.5 * 0.5j ** np.maximum(n - 1, 0), 0))
    near(signal.dlsim(([0.5], [1, -0.5], 1), 1j * np.ones(9))[1][:, 0], 1j * (1 - 0.5 ** np.arange(9)))
    times, y, x = signal.dlsim(([[0.5]], [[1.0]], [[1.0]], [[0.0]], 1), np.zeros(4), x0=[1j])
    near(x[:, 0], 1j * 0.5 ** np.arange(4))
    assert signal.dstep(([0.5], [1, -0.5], 1))[1][0].dtype == float


@pytest.mark.parametrize("dt", [0.1, 0.01, 1 / 3, 0.7, 1e-6, 3600.0])
def test_every_discrete_time_has_its_output(dt):
    system = [1.0], [1.0, -0.5], dt
    for n in (1, 2, 3, 4, 7, 8, 30, 58, 100):
        near(signal.dstep(system, n=n)[0], np.arange(n) * dt)
        near(signal.dlsim(system, np.ones(n), np.arange(n) * dt)[0], np.arange(n) * dt)
    times, y = signal.dlsim(system, np.arange(10.0), np.arange(10) * dt * 0.95)       # up to 8.55 steps
    near(times, np.arange(9) * dt)
    near(y[:, 0], ss.lfilter([0, 1.0], [1, -0.5], np.arange(9) / 0.95))


def test_zeros_that_cancel_poles_on_the_unit_circle():
    comb = [1, 0, 0, 0, 0, -1.0], [1, -1.0, 0, 0, 0, 0], 0.5
    for order in (1, 3):
        system = [np.array([1.0])] * 2
        for _ in range(order):
            system = [np.convolve(have, more) for have, more in zip(system, comb)]
        w, y = signal.dfreqresp((*system, 0.5), n=8)
        near(y, ss.freqz(np.ones(5), worN=w)[1] ** order, 1e-8)
        frequencies, size, phase = signal.dbode((*system, 0.5), n=8)
        near(frequencies, w / 0.5)
        near(10 ** (size / 20), abs(y), 1e-8)
        np.testing.assert_allclose(np.exp(1j * np.deg2rad(phase)), np.exp(1j * np.angle(y)), atol=1e-6)
    with np.errstate(all="ignore"):
        phase = signal.dbode(([1.0], [1.0, -1.0], 1.0), n=8)[2]         # a pole at zero, which nothing cancels
    assert np.isfinite(phase[1:]).all()


def test_systems_keep_the_kind():
    assert all(isinstance(part, gs.ndarray) for part in signal.lsim(([1.0], [1.0, 1.0]), gs.ones(5), gs.asarray(T)))
    assert isinstance(signal.zpk2tf(gs.ones((2, 2)), [1.0], 1.0)[0], gs.ndarray)
    assert isinstance(signal.minimum_phase(gs.asarray(ss.firwin(31, 0.3))), gs.ndarray)
