"""Validation cases of signal, and where it differs from SciPy 1.17 on purpose."""

import numpy as np
import scipy.signal

from validation import Case, args, array, axis, choice, drawn, exact, like, maybe, normwise, scipy_same, uniform, whole
from validation.draw import values

SUMS = normwise(e=4, f=16, d=16)
CLOSE = normwise(f=40, d=40)
IIR = normwise(f=200, d=200, why="rounding errors fed back, or of positions times the slope: factors of 10 to 100")
CANCEL = normwise(d=1000, why="the mean of unit vectors that nearly cancel")
LOOSE = normwise(f=1000, d=1000, why="SciPy's own error there: float32 sums, or solutions of least-squares problems")
EMPTY = {"empty": "SciPy's result for empty input is an artefact"}
SOS_SKIP = {"strided": "SciPy raises for sections that are not C-contiguous",
"empty": "SciPy raises for empty data of one line"}
MIRROR_SKIP = {"strided": "SciPy's initial states ignore strides and are wrong there"}
SHORT = {"empty": "too short for the function", "single": "too short for the function"}
MODE = choice("full", "same", "valid")
MODE_ERRORS = [args([1.0, 2.0], [1.0], "x"), args([1.0], [[1.0]])]
AXIS_ERROR = [args([1.0, 2.0], 2, 1, axis=5)]


def signal(low=60, high=300, lines=True, scale=10.0):
    """1-d or (with lines) up to 3-d data whose every axis is a usable signal where it is the last or the only one."""
    def draw(rng, got):
        n = {"empty": 0, "single": 1}.get(got.variant) if got.variant in ("empty", "single") else int(rng.integers(low, high))
        outer = [(), (3,), (2, 3)][int(rng.integers(3))] if lines else ()
        return values(rng, (*outer, n), got.dtype, *((-scale, scale) if got.dtype.kind in "fc" else ()))
    return drawn(draw)


def fixed(x):
    """A table that takes the type under test, like a user's coefficients."""
    x = np.asarray(x)

    def draw(rng, got):
        if got.dtype.kind in "fc":
            return x.astype(got.dtype if x.dtype.kind == "c" else got.dtype.char.lower())
        return x
    return drawn(draw)


# Butterworth low-pass filters of order 4 at 0.2 and, in sections, of order 5 at 0.3 (scipy.signal.butter).
B, A = [0.0048243, 0.0192974, 0.0289461, 0.0192974, 0.0048243], [1.0, -2.3695130, 2.3139884, -1.0546654, 0.1873795]
SOS = np.array([[0.0257, 0.0257, 0.0, 1.0, -0.3249197, 0.0], [1.0, 2.0, 1.0, 1.0, -0.7080, 0.1867],
                [1.0, 2.0, 1.0, 1.0, -0.9243, 0.5500]])  # fmt: skip
TAPS = np.hanning(15)[1:-1] / 7

CONVOLUTION = [
    Case("convolve", args(array(ndim=1, size=200), array(ndim=1, size=40), MODE, choice("auto", "direct", "fft")), SUMS,
         dtypes="ihfdFD",
         ref=scipy_same, skip=EMPTY, raises=[*MODE_ERRORS, args([1.0], [1.0], method="x"), args([], [1.0])]),
    Case("convolve", args(array(ndim=2), array(ndim=2, size=50), choice("full", "same")), SUMS, dtypes="ifdD", id="2-d"),
    Case("correlate", args(array(ndim=1, size=200), array(ndim=1, size=40), MODE, choice("auto", "direct", "fft")), SUMS,
         dtypes="ihfdFD",
         ref=scipy_same, skip=EMPTY, raises=MODE_ERRORS),
    Case("correlate", args(array(ndim=3), array(ndim=3, size=30), choice("full", "same")), SUMS, dtypes="fF", id="3-d"),
    Case("fftconvolve", args(array(ndim=2), array(ndim=2, size=60), choice("full", "same")), SUMS, dtypes="fdFDi",
         raises=MODE_ERRORS),
    Case("oaconvolve", args(signal(400, 3000, lines=False), fixed(TAPS), MODE), SUMS, dtypes="fdFD", raises=MODE_ERRORS),
    Case("convolve2d", args(array(ndim=2), array(ndim=2, size=40), choice("full", "same"), choice("fill", "wrap", "symm")),
         SUMS,
         dtypes="ifdFD", skip=EMPTY, raises=[args([1.0], [1.0]), args([[1.0]], [[1.0]], "x"), args([[1.0]], [[1.0]], "full",
         "x"),
                                 args([[1.0]], [[1.0]], fillvalue=[1, 2])]),
    Case("correlate2d", args(array(ndim=2), array(ndim=2, size=40), choice("full", "same"), choice("fill", "wrap", "symm")),
         SUMS,
         dtypes="ifdFD", skip=EMPTY, raises=[args([1.0], [1.0]), args([[1.0]], [[1.0]], "x")]),
    Case("choose_conv_method", args(array(ndim=1), array(ndim=1)), exact(), dtypes="fdi", skip=EMPTY),
    Case("correlation_lags", args(whole(1, 30), whole(1, 30), MODE), exact(), dtypes="d", raises=[args(3, 4, "x")]),
    Case("deconvolve", args(fixed([1.0, 5.0, 6.0, 3.0, 1.0]), fixed([1.0, 2.0])), CLOSE, raises=[args([], [1.0]), args([1.0],
         [[1.0]])]),
]  # fmt: skip

RECURSIVE = [
    Case("lfilter", args(fixed(B), fixed(A), signal()), IIR, dtypes="fdFD", raises=[args([], [1.0], [1.0]), args([1.0], [0.0,
         1.0], [1.0]),
         args([1.0], [1.0, 0.5], [1.0], axis=2), args([1.0], [1.0, 0.5], [1.0, 2.0], zi=[1.0, 2.0])]),
    Case("lfilter", args(fixed(B), fixed(A), array(shape=(4, 50)), axis=choice(0, 1, -1)), IIR, dtypes="fdD", id="axis"),
    Case("lfilter", args(fixed(TAPS), [2.0], signal()), SUMS, dtypes="fdFD", id="fir", skip=EMPTY),
    Case("lfilter", args(fixed(B), fixed(A), signal(33000, 40000, lines=False)), IIR, dtypes="fd", n=2, id="long"),
    Case("lfilter", args(B, A, array(shape=(3, 70)), zi=array(shape=(3, 4))), IIR, dtypes="dD", id="zi"),
    Case("lfilter_zi", args(fixed(B), fixed(A)), CLOSE, raises=[args([[1.0]], [1.0]), args([1.0], [[1.0]]), args([1.0],
         [0.0])]),
    Case("lfiltic", args(B, A, array(shape=(4,)), maybe(array(shape=(4,)))), CLOSE, dtypes="dD",
         raises=[args([1.0], [0.0, 1.0], [1.0]), args([[1.0]], [1.0], [1.0])]),
    Case("filtfilt", args(fixed(B), fixed(A), signal(), padtype=choice("odd", "even", "constant", None)), IIR, dtypes="fdFD",
         skip=SHORT,
         raises=[args([1.0], [1.0, 0.5], [1.0]), args([1.0], [1.0, 0.5], np.ones(20), method="x"),
                 args([1.0], [1.0, 0.5], np.ones(20), padtype="x")]),
    Case("filtfilt", args(B, A, signal(), method="gust", irlen=maybe(20)), LOOSE, dtypes="d", skip=SHORT, id="gust"),
    Case("sosfilt", args(fixed(SOS), signal()), IIR, dtypes="fdFD", skip=SOS_SKIP, raises=[args([3.0], [4.0]), args(SOS[:,
         :5], [1.0, 2.0]),
         args(SOS * 2, [1.0]), args(SOS, 1.0), args(SOS, [1.0], zi=[1.0])]),
    Case("sosfilt", args(SOS, array(shape=(2, 80)), zi=array(shape=(3, 2, 2))), IIR, dtypes="dD", id="zi", skip=SOS_SKIP),
    Case("sosfilt", args(fixed(SOS), signal(33000, 40000, lines=False)), IIR, dtypes="fd", n=2, id="long", skip=SOS_SKIP),
    Case("sosfilt_zi", args(fixed(SOS)), CLOSE, raises=[args([1.0, 2.0])]),
    Case("sosfiltfilt", args(fixed(SOS), signal(), padtype=choice("odd", "even", "constant", None)), IIR, dtypes="fdFD",
         skip=SHORT | SOS_SKIP,
         raises=[args(SOS, [1.0])]),
]  # fmt: skip

RATES = [
    Case("upfirdn", args(fixed(TAPS), signal(), whole(1, 5), whole(1, 5), mode=choice("constant", "edge", "wrap",
         "symmetric", "line")),
         SUMS, dtypes="fdFDh", skip=SHORT, raises=[args([], [1.0]), args([1.0], [1.0], 0), args([1.0], [1.0], mode="x")]),
    Case("upfirdn", args(fixed(TAPS), array(shape=(40, 5)), 3, 2, axis=choice(0, 1, -2)), SUMS, dtypes="fD", id="axis"),
    Case("resample_poly", args(signal(lines=False), whole(1, 7), whole(1, 7), padtype=choice("constant", "mean", "line",
         "minimum")), SUMS,
         dtypes="fdFD", skip=SHORT, raises=[args([1.0], 1.5, 1), args([1.0], 0, 1), args([1.0], 2, 1, padtype="x"),
                                             args([1.0], 2, 1, window=[[1.0]])]),
    Case("resample", args(signal(lines=False), whole(20, 90), window=maybe("hamming")), CLOSE, dtypes="fdD", skip=SHORT,
         raises=[args([1.0, 2.0], 0), args([1.0], 2, domain="x"), args([1.0, 2.0], 4, window=np.ones(3))]),
    Case("decimate", args(signal(), whole(2, 5), ftype=choice("iir", "fir"), zero_phase=choice(True, False)), IIR,
         dtypes="dD", skip=SHORT,
         raises=[args(np.ones(90), 2.0), args(np.ones(5), 2), args(np.ones(90), 2, ftype="x")]),
]  # fmt: skip

SPECTRA = [
    Case("welch", args(signal(), uniform(1, 50), nperseg=choice(16, 33, 64), detrend=choice("constant", "linear", False),
         average=choice("mean", "median"), scaling=choice("density", "spectrum")), CLOSE, dtypes="fdFDi",
         skip={"single": "a window of one sample has no area"},
         raises=[args(np.ones(9), nperseg=0), args(np.ones(9), noverlap=300), args(np.ones(9), window="x"), args(np.ones(9),
         scaling="x")]),
    Case("csd", args(signal(), like(0), nperseg=choice(16, 33, 64), average=choice("mean", "median")), CLOSE, dtypes="fdFD",
         skip={"single": "a window of one sample has no area"}, raises=[args(np.ones((2, 9)), np.ones((3, 9)))]),
    Case("periodogram", args(signal(), window=choice("boxcar", "hann"), scaling=choice("density", "spectrum")), CLOSE,
         dtypes="fdFD",
         skip={"single": "a window of one sample has no area"}, raises=[args(np.ones(9), window=np.ones(4))]),
    Case("coherence", args(signal(), like(0), nperseg=16), LOOSE, dtypes="fd", skip=SHORT, raises=[args(np.ones((2, 9)),
         np.ones((3, 9)))]),
    Case("spectrogram", args(signal(), nperseg=choice(16, 33), mode=choice("psd", "complex", "magnitude")), CLOSE,
         dtypes="fdFD", skip=SHORT,
         raises=[args(np.ones(9), mode="x"), args(np.ones(9), window=np.ones((2, 2)))]),
    Case("stft", args(signal(), nperseg=choice(16, 33), boundary=choice("zeros", "even", "odd", "constant", None),
         padded=choice(True, False)), CLOSE, dtypes="fdFDi", skip=SHORT,
         raises=[args(np.ones(9), scaling="x"), args(np.ones(9), boundary="x"), args(np.ones(9), nfft=2)]),
    Case("istft", args(array(shape=(9, 11)), nperseg=16), CLOSE, dtypes="fdFD",
         raises=[args(np.ones(5)), args(np.ones((5, 5)), time_axis=-2), args(np.ones((5, 5)), noverlap=9), args(np.ones((5,
         5)), scaling="x")]),
    Case("ShortTimeFFT", args(np.hanning(18)[1:-1], whole(2, 9), 10.0, signal(), fft_mode=choice("onesided", "twosided",
         "centered"),
         phase_shift=choice(None, 0, 3)), CLOSE, dtypes="fd", skip=SHORT, call=lambda C, w, hop, fs, x, **kw: C(w, hop, fs,
         **kw).stft(x)),
    Case("ShortTimeFFT", args(np.hanning(18)[1:-1], whole(2, 9), 10.0, signal()), CLOSE, dtypes="d", skip=SHORT, id="inverse",
         call=lambda C, w, hop, fs, x: (lambda T: T.istft(T.stft(x), k1=x.shape[-1]))(C(w, hop, fs))),
    Case("closest_STFT_dual_window", args(np.hanning(18)[1:-1], whole(2, 9)), CLOSE, dtypes="d"),
    Case("check_COLA", args(choice("hann", "boxcar", "blackman"), 24, choice(0, 6, 12, 18)), exact(), dtypes="d",
         raises=[args("hann", 0, 0)]),
    Case("check_NOLA", args(choice("hann", "boxcar", "blackman"), 24, choice(0, 6, 12, 18)), exact(), dtypes="d",
         raises=[args("hann", 9, -1)]),
    Case("lombscargle", args(signal(lines=False), like(0), np.linspace(0.1, 9, 40), normalize=choice(False, True, "amplitude"),
         floating_mean=choice(True, False)), LOOSE, dtypes="fd", skip=SHORT,
         raises=[args([1.0], [1.0, 2.0], [1.0]), args([1.0], [1.0], []), args([1.0], [1.0], [1.0], normalize="x")]),
    Case("czt", args(signal(), m=choice(None, 20, 50)), CLOSE, dtypes="fdFD", skip=SHORT, raises=[args(np.ones(4), 0)]),
    Case("zoom_fft", args(signal(), choice(0.5, [0.2, 0.7]), m=choice(None, 33)), CLOSE, dtypes="fdFD", skip=SHORT,
         raises=[args(np.ones(4), [1, 2, 3])]),
    Case("CZT", args(30, 12, array(shape=(4, 30))), CLOSE, dtypes="fdD", call=lambda C, n, m, x: C(n, m)(x)),
    Case("ZoomFFT", args(30, 0.4, array(shape=(4, 30))), CLOSE, dtypes="fdD", call=lambda C, n, f, x: C(n, f)(x)),
    Case("czt_points", args(whole(1, 20), maybe(0.9), 1.1), CLOSE, dtypes="d", raises=[args(0)]),
    Case("vectorstrength", args(array(ndim=1, low=0, high=9), choice(1.5, [1.0, 2.5])), CANCEL, dtypes="d", skip=EMPTY,
         post=lambda r, *a, **k: r[0] * np.exp(1j * r[1]),
         raises=[args([[1.0]], 1.0), args([1.0], -1.0)]),
]  # fmt: skip


def steps(rng, got):
    """Data with plateaus."""
    n = {"empty": 0, "single": 1}.get(got.variant, int(rng.integers(60, 300)))
    return np.round(rng.normal(size=n) * 2).astype(got.dtype)


PEAKS = [
    Case("find_peaks", args(drawn(steps), height=choice(None, 1, (0, 3)), threshold=choice(None, 1), distance=choice(None, 4),
         prominence=choice(None, 2, (1, 4)), width=choice(None, 1), wlen=choice(None, 21), plateau_size=choice(None, 1)),
         CLOSE, dtypes="fdi",
         raises=[args([[1.0]]), args([1.0, 2.0], distance=0.5), args([1.0, 2.0, 1.0], prominence=1, wlen=1)]),
    Case("peak_prominences", args(np.sin(np.arange(90.0)) * np.arange(90.0), np.arange(2, 80, 6), wlen=choice(None, 12)),
         CLOSE, dtypes="d",
         raises=[args([0, 1, 0], [5]), args([0, 1, 0], [1.5]), args([[1.0]], [0])]),
    Case("peak_widths", args(np.sin(np.arange(90.0)) * np.arange(90.0), np.arange(2, 80, 6), rel_height=uniform(0, 1)),
         CLOSE, dtypes="d",
         raises=[args([0, 1, 0], [5]), args([0, 1, 0], [1], rel_height=-1)]),
    Case("argrelextrema", args(array(), choice(np.greater, np.less_equal), axis=axis(), order=whole(1, 3),
         mode=choice("clip", "wrap")),
         exact(), dtypes="fdiB", skip=EMPTY, raises=[args([1.0], np.less, order=0)]),
    Case("argrelmax", args(array(), axis=axis(), order=whole(1, 3)), exact(), dtypes="fdi", skip=EMPTY, raises=[args([1.0],
         order=0)]),
    Case("argrelmin", args(array(), axis=axis(), order=whole(1, 3)), exact(), dtypes="fdi", skip=EMPTY, raises=[args([1.0],
         order=0)]),
]  # fmt: skip

SMOOTHING = [
    Case("savgol_filter", args(signal(), choice(5, 7, 11), choice(2, 3), deriv=choice(0, 1),
         mode=choice("interp", "mirror", "constant", "nearest", "wrap")), CLOSE, dtypes="fdi", skip=SHORT,
         raises=[args(np.ones(4), 5, 2), args(np.ones(9), 5, 5), args(np.ones(9), 5, 2, mode="x")]),
    Case("savgol_coeffs", args(choice(5, 7, 11), choice(2, 3), deriv=choice(0, 1, 2), use=choice("conv", "dot")), LOOSE,
         dtypes="d",
         raises=[args(5, 5), args(5, 2, pos=7), args(5, 2, use="x")]),
    Case("medfilt", args(array(ndim=(1, 2)), choice(None, 3, 5)), exact(), dtypes="fdihB", skip=EMPTY,
         raises=[args(np.ones(5), 4), args(np.ones(5, complex), 3)]),
    Case("medfilt2d", args(array(ndim=2), choice(3, [3, 5])), exact(), dtypes="fdiB", skip=EMPTY, raises=[args(np.ones((5,
         5)), 4)]),
    Case("order_filter", args(array(ndim=2), np.ones((3, 3)), whole(0, 8)), exact(), dtypes="fdi", skip=EMPTY,
         raises=[args(np.ones((5, 5)), np.ones((2, 3)), 1)]),
    Case("wiener", args(array(ndim=2, low=0, high=5), choice(None, 3, (3, 5)), noise=0.5), LOOSE, dtypes="fd", skip=SHORT),
    Case("detrend", args(signal(), type=choice("linear", "constant")), LOOSE, dtypes="fdFDi", skip=SHORT,
         raises=[args(np.ones(5), type="x"), args(np.ones(5), bp=9)]),
    Case("hilbert", args(signal(), N=maybe(70)), CLOSE, dtypes="fdi", skip=EMPTY, raises=[args(np.ones(4, complex)),
         args(np.ones(4), 0)]),
    Case("hilbert2", args(array(ndim=2)), CLOSE, dtypes="fdi", skip=EMPTY, differs="hilbert2/nyquist", ref=lambda x: _both_axes(x)),
    Case("hilbert2", args(array(shape=(2, 9, 7))), CLOSE, dtypes="fd", id="odd", raises=[args(np.ones((2, 2), complex)),
         args(np.ones((2, 2)), axes=(0, 0))]),
    Case("envelope", args(signal(), choice((1, None), (2, 9)), residual=choice("lowpass", "all", None), n_out=maybe(80)),
         CLOSE, dtypes="fd", skip=SHORT,
         raises=[args(np.ones(9), (3, 2)), args(np.ones(9), residual="x"), args(np.ones(9), axis=3)]),
    Case("cspline1d", args(signal(lines=False), choice(0.0, 2.0)), CLOSE, dtypes="fdi", skip=SHORT),
    Case("qspline1d", args(signal(lines=False)), CLOSE, dtypes="fdi", skip=SHORT, raises=[args(np.ones(9), 1.0)]),
    Case("cspline1d_eval", args(signal(lines=False), np.linspace(-30, 90, 77)), IIR, dtypes="d", skip=SHORT, raises=[args([],
         [1.0])]),
    Case("qspline1d_eval", args(signal(lines=False), np.linspace(-30, 90, 77)), IIR, dtypes="d", skip=SHORT, raises=[args([],
         [1.0])]),
    Case("cspline2d", args(array(shape=(30, 25)), choice(0.0, 0.05)), LOOSE, dtypes="fd", ref=scipy_same, skip=MIRROR_SKIP),
    Case("qspline2d", args(array(shape=(30, 25))), LOOSE, dtypes="fd", ref=scipy_same, skip=MIRROR_SKIP,
         raises=[args(np.ones((9, 9)), 1.0)]),
    Case("spline_filter", args(array(shape=(30, 25)), 0.001), LOOSE, dtypes="fd", ref=scipy_same, skip=MIRROR_SKIP,
         raises=[args(np.ones((9, 9), int))]),
    Case("symiirorder1", args(array(shape=(4, 60)), 0.5, choice(0.3, -0.2)), LOOSE, dtypes="fdFD", ref=scipy_same,
         skip=MIRROR_SKIP, raises=[args(np.ones(9), 0.5, 1.5)]),
    Case("symiirorder2", args(array(shape=(4, 60)), 0.3, choice(0.5, 0.0)), LOOSE, dtypes="fd", ref=scipy_same,
         skip=MIRROR_SKIP, raises=[args(np.ones(9), 1.5, 0.1)]),
    Case("sepfir2d", args(array(shape=(12, 14)), fixed([1.0, 2.0, 4.0]), fixed([1.0, 3.0, 5.0, 3.0, 1.0])), SUMS,
         dtypes="fd", raises=[args(np.ones((4, 4)), [1.0, 2.0], [1.0])]),
    Case("gauss_spline", args(array(), whole(1, 5)), SUMS, dtypes="fd"),
    Case("ricker", args(whole(1, 40), uniform(1, 5)), CLOSE, dtypes="d", differs="ricker", ref=lambda n, a: _ricker(n, a)),
    Case("morlet", args(whole(2, 40), uniform(3, 6)), CLOSE, dtypes="d", differs="morlet", ref=lambda n, w: _morlet(n, w)),
    Case("morlet2", args(whole(1, 40), uniform(1, 5)), CLOSE, dtypes="d", differs="morlet2", ref=lambda n, s: _morlet2(n, s)),
    Case("qmf", args(fixed([1.0, 2.0, 3.0, 4.0])), exact(), dtypes="fd", differs="qmf",
         ref=lambda h: np.asarray(h[::-1] * np.array([1.0, -1, 1, -1]))),
    Case("cwt", args(signal(lines=False), (lambda n, a: _ricker(n, a)), [1, 2, 5]), CLOSE, dtypes="d", differs="cwt",
         skip=SHORT,
         ref=lambda x, wavelet, widths: np.array([np.convolve(x, wavelet(min(10 * w, len(x)), w)[::-1],
         "same") for w in widths])),
]  # fmt: skip


def _ricker(n, a):
    t = (np.arange(n) - (n - 1.0) / 2) / a
    return 2 / (np.sqrt(3 * a) * np.pi**0.25) * (1 - t * t) * np.exp(-t * t / 2)


def _morlet(n, w):
    x = np.linspace(-2 * np.pi, 2 * np.pi, n)
    return (np.exp(1j * w * x) - np.exp(-0.5 * w * w)) * np.exp(-0.5 * x * x) * np.pi**-0.25


def _both_axes(x):
    """hilbert along both axes: a spectrum with the negative frequencies dropped."""
    spectrum = np.fft.fft2(x)
    for i, n in enumerate(x.shape):
        k = np.arange(n)
        weight = np.where(k == 0, 1, np.where(2 * k < n, 2, 2 * k == n))
        spectrum *= np.expand_dims(weight, 1 - i)
    return np.fft.ifft2(spectrum).astype(np.complex64 if x.dtype.char in "ef" else complex)


def _morlet2(n, s):
    x = (np.arange(n) - (n - 1.0) / 2) / s
    return np.exp(5j * x) * np.exp(-0.5 * x * x) * np.pi**-0.25 / np.sqrt(s)


PHASE = normwise(d=200, why="the phase is some 100 radians: its rounding")
WAVES = [
    Case("chirp", args(array(ndim=1, low=0, high=3), 1.0, 3.0, 5.0, choice("linear", "quadratic", "logarithmic",
         "hyperbolic"), complex=choice(True, False)),
         PHASE, dtypes="d", raises=[args([1.0], 1, 1, 2, "x"), args([1.0], 0, 1, 2, "log")]),
    Case("sawtooth", args(array(low=-20, high=20), choice(1, 0.3, 0)), CLOSE, dtypes="fdi"),
    Case("square", args(array(low=-20, high=20), choice(0.5, 0.2)), exact(), dtypes="fdi"),
    Case("gausspulse", args(array(ndim=1, low=-0.01, high=0.01), retquad=choice(True, False), retenv=choice(True, False)),
         CLOSE, dtypes="d",
         raises=[args([1.0], -1), args([1.0], bw=0), args("x")]),
    Case("sweep_poly", args(array(ndim=1, low=0, high=2), [1.0, 2.0, 3.0], 30), CLOSE, dtypes="d"),
    Case("unit_impulse", args(choice(7, (3, 4)), choice(None, "mid", 1)), exact(), dtypes="d"),
    Case("max_len_seq", args(whole(2, 12)), exact(), dtypes="d", raises=[args(33), args(4, [0, 0, 0, 0]), args(4, taps=[9])]),
]  # fmt: skip

SYMMETRIC = choice(True, False)
WINDOW_ARGS = {
    "barthann": (), "bartlett": (), "blackman": (), "blackmanharris": (), "bohman": (), "boxcar": (), "chebwin": (uniform(50,
    100),),
    "cosine": (), "dpss": (1.5,), "exponential": (), "flattop": (), "gaussian": (uniform(2, 9),), "general_cosine": ([0.5,
    0.3, 0.2],),
    "general_gaussian": (1.5, uniform(2, 9)), "general_hamming": (uniform(0.4, 0.8),), "hamming": (), "hann": (),
    "kaiser": (uniform(0, 14),), "lanczos": (), "nuttall": (), "parzen": (), "taylor": (), "triang": (), "tukey": (uniform(0,
    1),),
}  # fmt: skip
WINDOWS = [
    Case(f"windows.{name}", args(whole(4, 60), *rest, sym=SYMMETRIC), CLOSE, dtypes="d", raises=[args(-1,
         *(1.5 for _ in rest))])
    for name, rest in WINDOW_ARGS.items() if name != "general_cosine"
] + [
    Case("windows.general_cosine", args(whole(4, 60), [0.5, 0.3, 0.2], sym=SYMMETRIC), CLOSE, dtypes="d"),
    Case("windows.kaiser_bessel_derived", args(choice(4, 10, 40), uniform(1, 9)), CLOSE, dtypes="d", raises=[args(5, 1.0),
         args(4, 1.0, sym=False)]),
    Case("windows.get_window", args(choice("hann", ("kaiser", 4.0), 3.5, "nuttall_symmetric"), whole(4, 60)), CLOSE,
         dtypes="d", raises=[args("x", 5), args("kaiser", 5)]),
    Case("get_window", args(choice("hann", ("kaiser", 4.0), 3.5), whole(4, 60), SYMMETRIC), CLOSE, dtypes="d",
         raises=[args("x", 5), args("hann", 0)]),
]  # fmt: skip

# ---- design: one call a function, on the host on both sides
BA = ([1.0, 0.5], [1.0, -0.3, 0.2])
ZPK = ([-1.0, -0.5], [0.3 + 0.2j, 0.3 - 0.2j], 2.0)
SYSTEM = ([[0.0, 1.0], [-0.5, -0.7]], [[0.0], [1.0]], [[1.0, 0.0]], [[0.0]])
T, U = np.linspace(0, 5, 30), np.sin(np.linspace(0, 5, 30))
PAIR = {"call": lambda C, *s: C(*s).to_zpk().poles}
DESIGN = {
    "firwin": (whole(11, 60), 0.3), "firwin2": (31, [0.0, 0.5, 1.0], [1.0, 1.0, 0.0]), "firls": (31, [0, 0.3, 0.4, 1], [1, 1,
    0, 0]),
    "kaiser_atten": (whole(5, 60), 0.1), "kaiser_beta": (uniform(10, 90),),
    "kaiserord": (uniform(20, 90), 0.1),
    "minimum_phase": (np.array([1.0, 2, 5, 20, 5, 2, 1]),), "remez": (31, [0, 0.2, 0.3, 0.5], [1, 0]), "band_stop_obj": (0.3, 0,
    np.array([0.2, 0.8]), np.array([0.4, 0.6]), 1, 20, "butter"),
    "bessel": (4, 0.3), "besselap": (4,), "bilinear": BA, "bilinear_zpk": (*ZPK, 2.0), "bode": ((BA[0], BA[1]),),
    "buttap": (4,), "butter": (4, 0.3), "buttord": (0.2, 0.3, 1, 40),
    "cheb1ap": (4, 1), "cheb1ord": (0.2, 0.3, 1, 40), "cheb2ap": (4, 40), "cheb2ord": (0.2, 0.3, 1, 40), "cheby1": (4, 1,
    0.3), "cheby2": (4, 40, 0.3), "dbode": ((*BA, 0.1),),
    "cont2discrete": (tuple(map(np.array, SYSTEM)), 0.1), "dfreqresp": ((*BA, 0.1),), "dimpulse": ((*BA, 0.1),), "dlsim": ((*BA, 0.1), U),
    "dstep": ((*BA, 0.1),), "ellip": (4, 1, 40, 0.3), "ellipap": (4, 1, 40),
    "ellipord": (0.2, 0.3, 1, 40), "find_peaks_cwt": (np.sin(T * 3), np.arange(1, 6)), "findfreqs": (*BA, 20),
    "freqresp": ((BA[0], BA[1]),), "freqs": BA, "freqs_zpk": ZPK, "freqz": BA,
    "freqz_sos": (SOS,), "freqz_zpk": ZPK, "gammatone": (0.2, "iir"), "group_delay": (BA,), "iircomb": (0.25, 20.0),
    "iirdesign": (0.2, 0.3, 1, 40), "iirfilter": (4, [0.2, 0.4]), "iirnotch": (0.2, 30.0),
    "iirpeak": (0.2, 30.0), "impulse": ((BA[0], BA[1]),), "invres": ([1.0, 2.0], [-1.0, -2.0], []), "invresz": ([1.0, 2.0],
    [0.1, 0.2], []), "lp2bp": BA, "lp2bp_zpk": ZPK, "lp2bs": BA, "lp2bs_zpk": ZPK,
    "lp2hp": BA, "lp2hp_zpk": ZPK, "lp2lp": BA, "lp2lp_zpk": ZPK, "lsim": ((BA[0], BA[1]), U, T), "normalize": BA,
    "residue": BA, "residuez": BA, "sos2tf": (SOS,), "sos2zpk": (SOS,), "sosfreqz": (SOS,),
    "abcd_normalize": SYSTEM, "ss2tf": SYSTEM, "ss2zpk": SYSTEM, "step": ((BA[0], BA[1]),), "tf2sos": BA, "tf2ss": BA,
    "tf2zpk": BA, "unique_roots": ([1.0, 1.0001, 2.0],), "zpk2sos": ZPK, "zpk2ss": ZPK, "zpk2tf": ZPK,
}  # fmt: skip
DESIGNS = [Case(name, args(*row), LOOSE, dtypes="d", ref=scipy_same, n=2) for name, row in DESIGN.items()] + [
    Case("firwin_2d", args((9, 7), ("hamming", "hann"), fc=0.4), LOOSE, dtypes="d", n=1, ref=scipy_same, raises=[args((9,), "hann",
         fc=0.4), args((9, 9), "hann", fc=0.4), args((9, 9), "hann", circular=True)]),
    Case("firwin_2d", args((9, 9), "hamming", fc=0.4, circular=True), LOOSE, dtypes="d", n=1, ref=scipy_same, id="circular"),
    Case("place_poles", args(np.array(SYSTEM[0]), np.array(SYSTEM[1]), [-1.0, -2.0]), LOOSE, dtypes="d", n=1, post=lambda r, *a,
         **k: np.asarray(r.gain_matrix)),
    Case("lti", args(*BA), LOOSE, dtypes="d", n=1, **PAIR), Case("dlti", args(*BA), LOOSE, dtypes="d", n=1, **PAIR),
    Case("TransferFunction", args(*BA), LOOSE, dtypes="d", n=1, **PAIR), Case("ZerosPolesGain", args(*ZPK), LOOSE,
         dtypes="d", n=1, **PAIR),
    Case("StateSpace", args(*SYSTEM), LOOSE, dtypes="d", n=1, **PAIR),
]  # fmt: skip

# What SciPy has from 1.18 on only.
NEW = [
    Case("whittaker_henderson", args(signal(lines=False), lamb=choice("reml", 0, 20.0), order=choice(1, 2, 3),
         weights=maybe(drawn(lambda rng, got: rng.uniform(0.5, 2, np.shape(got[0]))))), LOOSE, dtypes="dfi", skip=SHORT,
         post=lambda r, *a, **k: r.x, raises=[args(np.ones(2)), args(np.ones((3, 9))), args(np.ones(9), order=0), args(np.ones(9),
         lamb=-1.0)]),
]  # fmt: skip

CASES = [*CONVOLUTION, *RECURSIVE, *RATES, *SPECTRA, *PEAKS, *SMOOTHING, *WAVES, *WINDOWS, *DESIGNS,
         *(case for case in NEW if hasattr(scipy.signal, case.name))]  # fmt: skip

CUSIGNAL = "kept from SciPy 1.14 and cuSignal, where users of both have it; SciPy removed it in 1.15"
DIFFERENCES = {
    "ricker": CUSIGNAL, "morlet": CUSIGNAL, "morlet2": CUSIGNAL, "qmf": CUSIGNAL, "cwt": CUSIGNAL,
    "convolve": "float16 and bool work in any number of dimensions with method='direct'; SciPy 1.17 raises beyond one. On a GPU "
                "there is no warning for NaN or infinity in the transform's result, since that would wait.",
    "convolve/integers": "method='auto' takes a NaN or an infinity beside integers; SciPy 1.17 raises, from the choice of method. Sums of "
                         "transforms are exact with it and wrap as the direct method's; in SciPy 1.17 sums near 2^52 are off by a few, "
                         "those that int32 does not hold become 0 in narrower types, and bool is True where rounding leaves any error.",
    "correlate/nan": "a NaN or an infinity spoils what it is multiplied into; SciPy 1.17, where in2 is the larger one of mode "
                     "'same', spreads it by zeros it pads with. Likewise correlate2d.",
    "correlate2d/valid": "where in2 is the larger one the result is that of `correlate`; SciPy 1.17 returns its conjugate.",
    "convolve2d/empty": "an empty in1 counts as zeros under boundary 'wrap' and 'symm', where SciPy 1.17 crashes.",
    "convolve2d": "boundary='reflect', which SciPy 1.17 lists and then refuses, is a ValueError as any unknown name.",
    "decimate/float32": "float32 data is filtered with float64 coefficients and rounded once; SciPy 1.17 rounds the coefficients "
                        "to float32 first, which makes narrow filters inaccurate (scipy#16096).",
    "resample_poly/float16": "float16 data is filtered with float32 taps; SciPy 1.17 rounds the taps to float16.",
    "filtfilt/gain": "a filter of order 0 multiplies by its squared gain; SciPy 1.17 raises.",
    "filtfilt/complex": "backward a complex filter runs with conjugate coefficients, so that its phase cancels; SciPy 1.17 runs the same, "
                        "which stops the band they pass (scipy#17877). Likewise sosfiltfilt, and decimate with a complex filter.",
    "filtfilt/integers": "padding integers does not wrap around; SciPy 1.17's does, which spoils the ends. Likewise sosfiltfilt, decimate, "
                         "stft and ShortTimeFFT.",
    "gauss_spline/integers": "squares of integers are taken in float64; in SciPy 1.17 they overflow.",
    "windows.kaiser/beta": "beta above 709 works, also in kaiser_bessel_derived; SciPy 1.17 gives NaN.",
    "hilbert2/nyquist": "the Nyquist frequencies of even lengths are kept, as in hilbert; SciPy 1.17 drops them (scipy#25176).",
    "fftconvolve/same": "mode='same' keeps all of axes that are broadcast and not convolved along; SciPy 1.17 cuts them to those of in1 "
                        "(scipy#21876). Likewise oaconvolve.",
    "sawtooth/turn": "width=1 at times that round up to a whole turn is 1; SciPy 1.17 gives NaN (scipy#22940).",
    "lfiltic/numbers": "y and x may be numbers; SciPy 1.17 raises.",
    "decimate/zeros": "filters with real poles and complex zeros work; SciPy 1.17 raises.",
    "minimum_phase/fold": "the middle of the cepstrum counts as it must; SciPy 1.17 drops it, or halves its neighbour (scipy#22752).",
    "firwin_2d/arguments": "pass_zero and scale count, fc is needed, and a circular filter has the shape of hsize; SciPy 1.17 ignores them "
                           "(scipy#25986), gives NaN, and transposes.",
    "zpk2tf/gains": "rows of zeros take complex gains; SciPy 1.17 drops their imaginary part (scipy#24395).",
    "ss2tf/accuracy": "numerators have digits where SciPy 1.17's difference of two polynomials has none: for poles -1 and -3 discretized "
                      "in steps of 1e-6, 2e-16 in place of 4e-4. Leading zeros are zeros (scipy#17405). Likewise cont2discrete "
                      "and ss2zpk, whose poles are the eigenvalues of A.",
    "lsim/types": "states are of a type that holds them: SciPy 1.17 truncates those of integer systems and drops imaginary parts of "
                  "inputs, outputs and states of systems with a real A (scipy#18982). Likewise impulse, step.",
    "impulse/state": "X0 of systems of several states works; SciPy 1.17 raises.",
    "dlsim/complex": "complex systems, inputs and states have complex outputs; SciPy 1.17 drops the imaginary parts (scipy#18273). "
                     "Likewise dstep, dimpulse. The methods of StateSpace and others are SciPy's.",
    "dlsim/times": "one output for each multiple of dt up to t[-1], also where t[-1] is rounded down: SciPy 1.17 may miss the last one, "
                   "and spreads the others where t[-1] lies between two. Likewise dstep, dimpulse.",
    "dfreqresp/cancelled": "a zero on a pole on the unit circle has its limit; SciPy 1.17 gives NaN, and in dbode for all "
                           "phases (scipy#23419).",
    "wiener/flat": "where noise and variance are zero the result is the mean; SciPy 1.17 gives NaN.",
    "medfilt/uint64": "numbers above 2^63 are sorted as what they are, also in medfilt2d and order_filter; SciPy 1.17 confuses some.",
    "istft/time": "one time per sample; SciPy 1.17 gives the length of the first axis where the result has several.",
    "ShortTimeFFT/istft": "any k0 that the checks admit works; SciPy 1.17 raises a broadcasting error for some.",
    "envelope/band": "a band that begins at 0 keeps a residual, and one that ends at 0 holds the negative frequencies; SciPy "
                     "1.17 returns zeros there.",
    "symiirorder1/strides": "any strides; SciPy 1.17's initial states ignore them. Likewise symiirorder2 and the splines on them.",
    "symiirorder2/omega": "omega = pi gives the right filter; SciPy 1.17's initial states have a wrong sign there.",
    "symiirorder2/float16": "float16 data is filtered with float32 coefficients; SciPy 1.17 rounds them to float16.",
    "symiirorder1/complex": "a complex z1 or c0 makes real data complex; SciPy 1.17 drops the imaginary part of some coefficients.",
    "symiirorder2/complex": "complex data works, also in cspline2d and spline_filter with smoothing; SciPy 1.17 raises.",
    "cspline1d_eval/dx": "dx = 0 gives NaN; SciPy 1.17 raises RecursionError. Likewise qspline1d_eval.",
    "sepfir2d/taps": "taps of any type; SciPy 1.17 raises for arrays that do not cast safely to the image's.",
    "wiener/integers": "squares of integers and float16 are taken in float64; in SciPy 1.17 they overflow.",
    "medfilt/nan": "NaN sorts last, also in medfilt2d and order_filter; SciPy's result depends on the order.",
    "medfilt2d/size": "a kernel_size of more than two numbers is a RuntimeError; SciPy 1.17 ignores the rest, and crashes or returns "
                      "other memory for negative ones.",
    "argrelmin/lists": "lists are taken as arrays; SciPy 1.17 raises AttributeError. Likewise argrelmax, argrelextrema.",
    "sosfilt/strides": "sections of any strides; SciPy 1.17 raises for some.",
    "find_peaks/distance": "an infinite distance keeps the highest peak, and NaN is a ValueError; SciPy 1.17 keeps all for both.",
    "find_peaks/warning": "no PeakPropertyWarning on a GPU, where it would wait; peak_prominences and peak_widths warn of results that "
                          "do not stay there.",
    "lombscargle/weights": "on a GPU negative weights raise at the next wait; likewise periods <= 0 in an array there in vectorstrength.",
    "square/float16": "float16 times are computed in float32 (and rounded to float16 where SciPy is 1.18), whose period is 2 pi; SciPy "
                      "1.18's is 6.28125. Likewise sawtooth.",
    "spectrogram/empty": "empty input gives empty results, as in welch; SciPy 1.17 raises about the window's length.",
    "csd/outer": "x and y of different length and other numbers of dimensions are broadcast; SciPy 1.17 raises.",
    "savgol_coeffs/accuracy": "computed in a Legendre basis, to about 1e-15; SciPy 1.17's powers lose digits (4e-8 at 31 points, "
                              "order 9).",
}  # fmt: skip
