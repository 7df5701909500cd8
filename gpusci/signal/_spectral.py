"""Spectral estimates and short-time transforms in SciPy's older function interface."""

import math

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import args, new, public
from gpusci.core.callers import warn
from gpusci.signal import _kernels
from gpusci.signal._coefficients import on_host
from gpusci.signal._frames import add_up, cut
from gpusci.signal._lines import EXTENSIONS, contiguous, from_last, to_lines
from gpusci.signal.windows import get_window

GROUP = 32  # sums that one thread adds up: more are added in levels
BATCH = {"host": 1 << 20, "cuda": 1 << 27}  # samples of frames at a time: within the cache, within memory


class Segments:
    """Segment length, step, transform length and window of an estimate, checked as SciPy does."""

    def __init__(self, window, nperseg, noverlap, nfft, n, *, overlap_of=2):
        if nperseg is not None and int(nperseg) < 1:
            raise ValueError(f"Parameter nperseg={nperseg} is not a positive integer!")
        if isinstance(window, (str, tuple)):
            nperseg = 256 if nperseg is None else int(nperseg)
            if nperseg > n:
                warn(f"nperseg={nperseg} is greater than signal length {n}, using nperseg = {n}")
                nperseg = n
            self.window = get_window(window, nperseg)
        else:
            self.window = np.asarray(window)
            if self.window.ndim != 1:
                raise ValueError("window must be 1-D")
            if n < self.window.size:
                raise ValueError("window is longer than input signal")
            if nperseg is not None and int(nperseg) != self.window.size:
                raise ValueError(f"nperseg={nperseg} does not equal the length of the window, {self.window.size}")
        self.width = self.window.size
        self.length = self.width if nfft is None else int(nfft)
        if self.length < self.width:
            raise ValueError(f"nfft={self.length} must be greater than or equal to nperseg={self.width}!")
        self.overlap = self.width // overlap_of if noverlap is None else int(noverlap)
        if self.overlap >= self.width:
            raise ValueError(f"noverlap={self.overlap} must be less than nperseg={self.width}!")
        self.hop = self.width - self.overlap

    def frequencies(self, fs, onesided, device):
        return (fft.rfftfreq if onesided else fft.fftfreq)(self.length, 1 / fs, device=device)

    def fold(self):
        """Bins that stand for their negative frequencies too."""
        return 1, (self.length + 1) // 2


def scaled(window, scaling, fs):
    """The window times the square root of the density or spectrum scale."""
    if scaling == "density":
        return window / np.sqrt(fs * (window * window).sum())
    if scaling == "spectrum":
        return window / window.sum()
    raise ValueError(f"Unknown scaling: {scaling!r}; use 'density' or 'spectrum'")


def _real_dtype(*arrays):
    return np.dtype(np.float32 if np.result_type(*arrays, np.complex64) == np.complex64 else np.float64)


def trend_name(detrend):
    """The kernel's name of a `detrend` argument; "callable" for a function."""
    if not detrend:
        return "none"
    if callable(detrend):
        return "callable"
    if detrend not in ("constant", "c", "linear", "l"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    return "constant" if detrend[0] == "c" else "linear"


def transform(lines, window, real, segments, frames, onesided, detrend, **place):
    """Spectra (lines, frames, bins) of weighted, detrended frames. `place`: offset, margin, extension of `cut`."""
    trend = trend_name(detrend)
    is_complex = lines.dtype.kind == "c" or window.dtype.kind == "c"
    dtype = np.result_type(real, np.complex64) if is_complex and not onesided else real
    if onesided:
        window = window.real
    table = gs.constant(window.astype(dtype if window.dtype.kind == "c" else real), lines.device)
    if trend == "callable":
        ones = gs.constant(np.ones(segments.width, real), lines.device)
        kind = np.result_type(real, np.complex64) if lines.dtype.kind == "c" else real
        pieces = detrend(cut(lines, ones, kind, frames, segments.hop, segments.width, **place))
        pieces = gs.asarray(pieces, device=lines.device) * table
    else:
        pieces = cut(lines, table, dtype, frames, segments.hop, segments.length, trend=trend, **place)
    return (fft.rfft if onesided else fft.fft)(pieces, n=segments.length)


# ---- averages: welch, csd, periodogram, coherence
def _averages(pairs, lines, segments, frames, window, real, onesided, detrend, average):
    """Mean or median over the frames of conj(X) Y for each pair of line sets; |X|^2, real, where both are the same."""
    count = lines[0].shape[0]
    if average not in ("mean", "median"):
        raise ValueError(f"Parameter average={average!r} must be 'median' or 'mean'!")
    bins = segments.length // 2 + 1 if onesided else segments.length
    batch = frames if average == "median" else max(1, min(frames, BATCH[lines[0].device.kind] // (count * segments.length)))
    sums = [[] for _ in pairs]
    for first in range(0, frames, batch):
        n = min(batch, frames - first)
        offset = first * segments.hop
        spectra = [transform(x, window, real, segments, n, onesided, detrend, offset=offset) for x in lines]
        for found, (i, j) in zip(sums, pairs):
            found.append((_medians if average == "median" else _sums)(spectra[i], spectra[j], i != j, count, n, bins))
    low, high = segments.fold() if onesided else (0, 0)
    results = []
    for found, (i, j) in zip(sums, pairs):
        total = found[0] if len(found) == 1 else gs.concatenate(found, axis=1)
        while total.shape[1] > 2 * GROUP:
            total = _grouped(total, total.dtype, GROUP, 0, 0, 1.0)
        dtype = np.result_type(real, np.complex64) if i != j else real
        scale = 1.0 / frames if average == "mean" else 1.0 / _median_bias(frames)
        results.append(_grouped(total, dtype, total.shape[1], low, high, scale)[:, 0])
    return results


def _grouped(sums, dtype, group, low, high, scale):
    """Sums over groups of parts, (lines, groups, bins): bins [low, high) doubled, all times scale."""
    count, parts, bins = sums.shape
    out = new((count, -(-parts // group), bins), dtype, sums.device)
    template = (out.dtype, sums.dtype)
    _kernels.mean_power(out.size, template, sums, out, parts, group, out.shape[1], bins, low, high, scale)
    return out


def _sums(x, y, cross, count, frames, bins):
    """(lines, parts, bins): sums over parts of the frames, enough of them to keep the device busy."""
    wanted = max(1, 8 if x.device.kind == "host" else (1 << 19) // (count * bins))
    part = -(-frames // min(frames, wanted))
    parts = -(-frames // part)
    out = new((count, parts, bins), complex if cross else float, x.device)
    _kernels.sum_power(out.size, (x.dtype, cross), x, y if cross else None, out, frames, bins, part, parts, cost=part)
    return out


def _medians(x, y, cross, count, frames, bins):
    """(lines, 1, bins): the median over frames, of real and imaginary parts apart."""
    power = new(x.shape, x.dtype if cross else x.real.dtype, x.device)
    _kernels.spectral_power(x.size, (x.dtype, cross), x, y if cross else None, power, bins, 0, 0, 1.0)
    if cross:
        middle = gs.median(power.real, axis=1) + 1j * gs.median(power.imag, axis=1)
    else:
        middle = gs.median(power, axis=1)
    return contiguous(middle.astype(complex if cross else float)).reshape(count, 1, bins)


def _median_bias(n):
    """Median over mean of n exponential variables (Allen et al., Phys. Rev. D 85, 122006, appendix B)."""
    k = 2 * np.arange(1.0, (n - 1) // 2 + 1)
    return 1 + np.sum(1.0 / (k + 1) - 1.0 / k) if n > 1 else 1.0


def _estimate(arrays, pairs, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average="mean"):
    """(frequencies, one estimate a pair) for arrays of one outer shape."""
    x = arrays[0]
    axis = args.normalize_axis(axis, x.ndim)
    n = max(a.shape[axis] for a in arrays)
    if scaling not in ("density", "spectrum"):
        raise ValueError(f"Parameter scaling={scaling!r} must be 'density' or 'spectrum'!")
    segments = Segments(window, nperseg, noverlap, nfft, n)
    onesided = bool(return_onesided) and all(a.dtype.kind != "c" for a in arrays)
    real = _real_dtype(*(a.dtype for a in arrays))
    weights = segments.window
    scale = math.sqrt(fs * (np.abs(weights) ** 2).sum()) if scaling == "density" else abs(weights.sum())
    lines = [contiguous(to_lines(a, axis)) for a in arrays]
    frames = (n - segments.overlap) // segments.hop
    results = _averages(pairs, lines, segments, frames, weights.conj() / scale, real, onesided, detrend, average)
    outer = (*x.shape[:axis], *x.shape[axis + 1 :])
    results = [from_last(r.reshape(*outer, r.shape[-1]), axis) for r in results]
    return segments.frequencies(fs, onesided, x.device), results


@public("x", host=("window",))
def welch(
    x, fs=1.0, window="hann_periodic", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
    scaling="density", axis=-1, average="mean",
):  # fmt: skip
    """As `scipy.signal.welch`; `fs` in Hz, the density in units of x squared per Hz."""
    if x.size == 0:
        return new(x.shape, float, x.device), new(x.shape, float, x.device)
    f, (power,) = _estimate(
        [x], [(0, 0)], fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    )  # fmt: skip
    return f, power


def csd(
    x, y, fs=1.0, window="hann_periodic", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
    scaling="density", axis=-1, average="mean",
):  # fmt: skip
    """As `scipy.signal.csd`; `fs` in Hz, the density in units of x times y per Hz."""
    rest = (fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)
    return welch(x, *rest) if y is x else _csd(x, y, *rest)


@public("x", "y", host=("window",))
def _csd(x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average):
    x, y = _same_outer_shape(x, y, axis)
    if x.size == 0 or y.size == 0:
        shape = [*x.shape]
        shape[axis] = min(x.shape[axis], y.shape[axis])
        return new(shape, float, x.device), new(shape, float, x.device)
    f, (power,) = _estimate(
        [x, y], [(0, 1)], fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    )  # fmt: skip
    return f, power


def _same_outer_shape(x, y, axis):
    """x and y with their other axes broadcast."""
    xs, ys = gs.moveaxis(x, axis, -1), gs.moveaxis(y, axis, -1)
    try:
        outer = np.broadcast_shapes(xs.shape[:-1], ys.shape[:-1])
    except ValueError as error:
        raise ValueError("x and y cannot be broadcast together.") from error
    return [gs.moveaxis(gs.broadcast_to(a, (*outer, a.shape[-1])), -1, axis) for a in (xs, ys)]


@public("x", host=("window",))
def periodogram(
    x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1
):  # fmt: skip
    """As `scipy.signal.periodogram`; `fs` in Hz, the density in units of x squared per Hz."""
    if x.size == 0:
        return new(x.shape, float, x.device), new(x.shape, float, x.device)
    axis = args.normalize_axis(axis, x.ndim)
    window = "boxcar" if window is None else window
    nperseg = x.shape[axis] if nfft is None else min(nfft, x.shape[axis])
    if nfft is not None and nfft <= x.shape[axis]:
        x, nfft = x[(slice(None),) * axis + (slice(nfft),)], None
    if hasattr(window, "size") and window.size != nperseg:
        raise ValueError("the size of the window must be the same size of the input on the specified axis")
    return welch(x, fs, window, nperseg, 0, nfft, detrend, return_onesided, scaling, axis)


@public("x", "y", host=("window",))
def coherence(
    x, y, fs=1.0, window="hann_periodic", nperseg=None, noverlap=None, nfft=None, detrend="constant", axis=-1
):  # fmt: skip
    """As `scipy.signal.coherence`; each spectrum is computed once. Where the lengths differ the shorter is padded with zeros
    for its own power too."""
    x, y = _same_outer_shape(x, y, axis)
    if x.size == 0 or y.size == 0:
        return new(x.shape, float, x.device), new(x.shape, float, x.device)
    pairs = [(0, 0), (1, 1), (0, 1)]
    f, (pxx, pyy, pxy) = _estimate([x, y], pairs, fs, window, nperseg, noverlap, nfft, detrend, True, "density", axis)
    return f, (pxy.real**2 + pxy.imag**2) / pxx / pyy


# ---- short-time transforms
def _short_time(x, fs, window, nperseg, noverlap, nfft, detrend, onesided, boundary, padded, axis, scaling, overlap_of=2):
    """(frequencies, times, spectra (..., time, frequency), segments, axis, onesided)."""
    if boundary not in (*EXTENSIONS, None):
        raise ValueError(f"Unknown boundary option '{boundary}', must be one of: {[*EXTENSIONS, None]}")
    axis = args.normalize_axis(axis, x.ndim)
    n = x.shape[axis]
    segments = Segments(window, nperseg, noverlap, nfft, n, overlap_of=overlap_of)
    if onesided and x.dtype.kind == "c":
        warn("Input data is complex, switching to return_onesided=False")
        onesided = False
    margin = segments.width // 2 if boundary is not None else 0
    if boundary in ("even", "odd") and margin > n - 1:
        raise ValueError(f"The extension length n ({margin}) is too big. It must not exceed x.shape[axis]-1, which is {n - 1}.")
    total = n + 2 * margin
    if padded:
        total += -(total - segments.width) % segments.hop % segments.width
    frames = (total - segments.width) // segments.hop + 1
    lines = contiguous(to_lines(x, axis))
    if callable(detrend) and axis != x.ndim - 1:
        detrend = _along(detrend, axis)
    real = _real_dtype(x.dtype)
    spectra = transform(
        lines, scaled(segments.window, scaling, fs), real, segments, frames, onesided, detrend, offset=-margin, margin=margin,
        extension=EXTENSIONS[boundary or "zeros"],
    )  # fmt: skip
    times = np.arange(segments.width / 2, total - segments.width / 2 + 1, segments.hop) / float(fs)
    if boundary is not None:
        times -= segments.width / 2 / fs
    outer = (*x.shape[:axis], *x.shape[axis + 1 :])
    spectra = spectra.reshape(*outer, *spectra.shape[1:])
    return segments.frequencies(fs, onesided, x.device), gs.asarray(times, device=x.device), spectra, segments, axis, onesided


def _along(detrend, axis):
    """SciPy hands a function the frames with their samples at the caller's axis."""
    return lambda frames: gs.moveaxis(detrend(gs.moveaxis(frames, -1, axis)), axis, -1)


def _arrange(spectra, axis):
    """Frequencies at `axis`, times last."""
    return from_last(spectra, axis)


@public("x", host=("window",))
def stft(
    x, fs=1.0, window="hann_periodic", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True,
    boundary="zeros", padded=True, axis=-1, scaling="spectrum",
):  # fmt: skip
    """As `scipy.signal.stft`; `fs` in Hz, times in seconds."""
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"Parameter {scaling=} not in ['spectrum', 'psd']!")
    if x.size == 0:
        return tuple(new(x.shape, float, x.device) for _ in range(3))
    scaling = "density" if scaling == "psd" else scaling
    f, t, spectra, _, axis, _ = _short_time(
        x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, boundary, padded, axis, scaling
    )  # fmt: skip
    return f, t, _arrange(spectra, axis)


@public("x", host=("window",))
def spectrogram(
    x, fs=1.0, window=("tukey_periodic", 0.25), nperseg=None, noverlap=None, nfft=None, detrend="constant",
    return_onesided=True, scaling="density", axis=-1, mode="psd",
):  # fmt: skip
    """As `scipy.signal.spectrogram`; `fs` in Hz, times in seconds."""
    modes = ("psd", "complex", "magnitude", "angle", "phase")
    if mode not in modes:
        raise ValueError(f"unknown value for mode {mode}, must be one of {list(modes)}")
    if x.size == 0:
        return tuple(new(x.shape, float, x.device) for _ in range(3))
    f, t, spectra, segments, axis, onesided = _short_time(
        x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, None, False, axis, scaling, overlap_of=8
    )  # fmt: skip
    if mode == "psd":
        power = new(spectra.shape, spectra.real.dtype, x.device)
        low, high = segments.fold() if onesided else (0, 0)
        _kernels.spectral_power(power.size, (spectra.dtype, False), spectra, None, power, spectra.shape[-1], low, high, 1.0)
        return f, t, _arrange(power, axis)
    if mode == "complex":
        return f, t, _arrange(spectra, axis)
    if mode == "magnitude":
        return f, t, _arrange(gs.absolute(spectra), axis)
    angle = _arrange(gs.angle(spectra), axis)
    return f, t, gs.unwrap(angle, axis=axis) if mode == "phase" else angle


@public("Zxx", host=("window",))
def istft(
    Zxx, fs=1.0, window="hann_periodic", nperseg=None, noverlap=None, nfft=None, input_onesided=True, boundary=True,
    time_axis=-1, freq_axis=-2, scaling="spectrum",
):  # fmt: skip
    """As `scipy.signal.istft`; `fs` in Hz, times in seconds, one for each sample also where the result has several axes."""
    if Zxx.ndim < 2:
        raise ValueError("Input stft must be at least 2d!")
    freq_axis, time_axis = int(freq_axis), int(time_axis)
    if freq_axis == time_axis:
        raise ValueError("Must specify differing time and frequency axes!")
    freq_axis, time_axis = (args.normalize_axis(axis, Zxx.ndim) for axis in (freq_axis, time_axis))
    frames, bins = Zxx.shape[time_axis], Zxx.shape[freq_axis]
    usual = 2 * (bins - 1) if input_onesided else bins
    if nperseg is not None and int(nperseg) < 1:
        raise ValueError("nperseg must be a positive integer")
    nperseg = usual if nperseg is None else int(nperseg)
    if nfft is None:
        nfft = nperseg if input_onesided and nperseg == usual + 1 else usual
    elif nfft < nperseg:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    noverlap = nperseg // 2 if noverlap is None else int(noverlap)
    if noverlap >= nperseg:
        raise ValueError("noverlap must be less than nperseg.")
    if isinstance(window, (str, tuple)):
        window = get_window(window, nperseg)
    window = np.asarray(window)
    if window.ndim != 1:
        raise ValueError("window must be 1-D")
    if window.size != nperseg:
        raise ValueError(f"window must have length of {nperseg}")
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"Parameter {scaling=} not in ['spectrum', 'psd']!")
    scale = window.sum() if scaling == "spectrum" else np.sqrt(fs * (window**2).sum())
    hop, trim = nperseg - noverlap, nperseg // 2 if boundary else 0
    _check_nola(window, hop, frames, trim)
    spectra = gs.moveaxis(Zxx, (time_axis, freq_axis), (-2, -1))
    spectra = spectra if spectra.dtype.kind == "c" else spectra + 0j
    pieces = contiguous((fft.irfft if input_onesided else fft.ifft)(spectra, n=int(nfft)))
    real = pieces.real.dtype
    table = gs.constant(window.astype(pieces.dtype if window.dtype.kind == "c" else real), Zxx.device)
    n = max(nperseg + (frames - 1) * hop - 2 * trim, 0)
    out = new((*pieces.shape[:-2], n), pieces.dtype, Zxx.device)
    add_up(pieces, table, out, frames, hop, nperseg, offset=trim, normalize=True, scale=float(np.real(scale)))
    times = gs.asarray(np.arange(n) / float(fs), device=Zxx.device)
    if out.ndim > 1 and time_axis != Zxx.ndim - 1:
        out = gs.moveaxis(out, -1, time_axis - 1 if freq_axis < time_axis else time_axis)
    return times, out


def _check_nola(window, hop, frames, trim):
    """Warns, as SciPy, where the squared windows add up to nothing. The sum repeats: a few frames show all its values."""
    width = window.size
    frames = min(frames, 2 * (-(-width // hop)) + 1)
    norm = np.zeros(width + (frames - 1) * hop)
    for first in range(0, frames * hop, hop):
        norm[first : first + width] += (window**2).real
    if (norm[trim : norm.size - trim] <= 1e-10).any():
        missing = "" if trim else " Possibly due to missing boundary"
        warn("NOLA condition failed, STFT may not be invertible." + missing)


# ---- overlap-add conditions
def _overlapped(window, nperseg, noverlap, power):
    """The sums over all shifts of window^power within one hop."""
    nperseg = int(nperseg)
    if nperseg < 1:
        raise ValueError("nperseg must be a positive integer")
    if noverlap >= nperseg:
        raise ValueError("noverlap must be less than nperseg.")
    if isinstance(window, (str, tuple)):
        window = get_window(window, nperseg)
    window = np.asarray(window)
    if window.ndim != 1:
        raise ValueError("window must be 1-D")
    if window.size != nperseg:
        raise ValueError("window must have length of nperseg")
    hop = nperseg - int(noverlap)
    padded = np.zeros(-(-nperseg // hop) * hop, window.dtype)
    padded[:nperseg] = window**power
    return padded.reshape(-1, hop).sum(axis=0)


@on_host
def check_COLA(window, nperseg, noverlap, tol=1e-10):
    """As `scipy.signal.check_COLA`."""
    sums = _overlapped(window, nperseg, noverlap, 1)
    return np.max(np.abs(sums - np.median(sums))) < tol


@on_host
def check_NOLA(window, nperseg, noverlap, tol=1e-10):
    """As `scipy.signal.check_NOLA`."""
    if noverlap < 0:
        raise ValueError("noverlap must be a nonnegative integer")
    return np.min(_overlapped(window, nperseg, noverlap, 2)) > tol
