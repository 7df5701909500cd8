"""Design of FIR filters by windows; on the host, in float64."""

import functools
import math

import numpy as np

from gpusci.core.callers import warn
from gpusci.signal._coefficients import on_host
from gpusci.signal.windows import get_window

__all__ = ["firwin", "firwin2", "firwin_2d", "kaiser_atten", "kaiser_beta", "kaiserord", "minimum_phase"]


# ---- Kaiser's formulas (Kaiser, IEEE ISCAS 1974; Oppenheim, Schafer, section 7.6)
def kaiser_beta(a):
    """As `scipy.signal.kaiser_beta`; `a` is the attenuation in dB."""
    if a > 50:
        return 0.1102 * (a - 8.7)
    return 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21) if a > 21 else 0.0


def kaiser_atten(numtaps, width):
    """As `scipy.signal.kaiser_atten`; `width` as a fraction of the Nyquist frequency, the result in dB."""
    return 2.285 * (numtaps - 1) * np.pi * width + 7.95


def kaiserord(ripple, width):
    """As `scipy.signal.kaiserord`; `ripple` in dB, `width` as a fraction of the Nyquist frequency."""
    ripple = abs(ripple)
    if ripple < 8:
        raise ValueError(
            f"Requested maximum ripple attenuation {ripple:f} is too small for the Kaiser formula: at least 8 dB is needed."
        )
    return math.ceil((ripple - 7.95) / 2.285 / (math.pi * width) + 1), kaiser_beta(ripple)


def sampling_rate(fs, none_allowed=True):
    """fs as a float, 2 for None. Raises ValueError where it is no single number."""
    if fs is None:
        if none_allowed:
            return 2.0
        raise ValueError("Sampling frequency cannot be none.")
    if np.size(fs) != 1:
        raise ValueError("Sampling frequency fs must be a single scalar.")
    return float(fs)


# ---- the window method
def _passes_zero(pass_zero, cutoffs):
    """pass_zero as a bool. Raises ValueError where the name does not fit the number of cutoff frequencies."""
    if isinstance(pass_zero, str):
        single = {"lowpass": (True, True), "highpass": (True, False), "bandpass": (False, False), "bandstop": (False, True)}
        if pass_zero not in single:
            raise ValueError(f"Parameter {pass_zero=} not in (True, False, {', '.join(map(repr, single))})")
        one, result = single[pass_zero]
        if one and cutoffs != 1:
            raise ValueError(f'cutoff must have one element if pass_zero=="{pass_zero}", got {cutoffs} of them')
        if not one and cutoffs < 2:
            raise ValueError(f'cutoff must have at least two elements if pass_zero=="{pass_zero}", got {cutoffs} of them')
        return result
    if not isinstance(pass_zero, (bool, np.bool_, int)):
        raise ValueError(f"Parameter {pass_zero=} not in (True, False) and no string")
    return bool(pass_zero)


@on_host
def firwin(numtaps, cutoff, *, width=None, window="hamming", pass_zero=True, scale=True, fs=None):
    """As `scipy.signal.firwin`."""
    nyquist = 0.5 * sampling_rate(fs)
    cutoff = np.atleast_1d(np.asarray(cutoff, float)) / nyquist
    if cutoff.ndim > 1:
        raise ValueError("The cutoff argument must be at most one-dimensional.")
    if cutoff.size == 0:
        raise ValueError("At least one cutoff frequency must be given.")
    if not (cutoff.min() > 0 and cutoff.max() < 1):  # None is NaN
        raise ValueError("Invalid cutoff frequency: frequencies must be greater than 0 and less than fs/2.")
    if (np.diff(cutoff) <= 0).any():
        raise ValueError("Invalid cutoff frequencies: the frequencies must be strictly increasing.")
    if width is not None:
        window = ("kaiser", kaiser_beta(kaiser_atten(numtaps, float(width) / nyquist)))
    zero = _passes_zero(pass_zero, cutoff.size)
    to_the_top = bool(cutoff.size % 2) ^ zero
    if to_the_top and numtaps % 2 == 0:
        raise ValueError(
            "A filter with an even number of coefficients must have zero response at the Nyquist frequency: use an odd numtaps."
        )
    edges = np.concatenate([[0.0] * zero, cutoff, [1.0] * to_the_top]).reshape(-1, 2)
    time = np.arange(numtaps) - 0.5 * (numtaps - 1)
    h = _bands(edges, time) * get_window(window, numtaps, fftbins=False)
    if scale:  # gain 1 in the middle of the first band: at zero, at the top, or between its edges
        low, high = edges[0]
        middle = 0.0 if low == 0 else 1.0 if high == 1 else 0.5 * (low + high)
        h /= (h * np.cos(np.pi * time * middle)).sum()
    return h


@on_host
def firwin_2d(hsize, window, *, fc=None, fs=2, circular=False, pass_zero=True, scale=True):
    """As `scipy.signal.firwin_2d`, with `pass_zero` and `scale` for both axes."""
    if len(hsize) != 2:
        raise ValueError("hsize must be a 2-element tuple or list")
    if not circular and len(window) != 2:
        raise ValueError("window must be a 2-element tuple or list")
    if fc is None:
        raise ValueError("Cutoff frequency `fc` must be provided")
    line = functools.partial(firwin, cutoff=fc, fs=fs, pass_zero=pass_zero, scale=scale)
    if not circular:
        return np.outer(*(line(n, window=name) for n, name in zip(hsize, window)))
    profile = line(8 * max(hsize), window=window)
    radius = np.hypot(*np.meshgrid(*(np.linspace(-1, 1, n) for n in hsize), indexing="ij"))
    return np.interp(radius, np.linspace(0, 1, profile.size), profile)


def _bands(edges, time):
    """Impulse response of ideal pass bands."""
    h = np.zeros(time.size)
    for low, high in edges:
        h += high * np.sinc(high * time)
        if low:
            h -= low * np.sinc(low * time)
    return h


@on_host
def firwin2(numtaps, freq, gain, *, nfreqs=None, window="hamming", antisymmetric=False, fs=None):
    """As `scipy.signal.firwin2`."""
    fs = sampling_rate(fs)
    nyquist = 0.5 * fs
    freq, gain = np.array(freq, float), np.asarray(gain, float)
    if len(freq) != len(gain):
        raise ValueError("freq and gain must be of same length.")
    if nfreqs is not None and numtaps >= nfreqs:
        raise ValueError(f"ntaps must be less than nfreqs, but firwin2 was called with ntaps={numtaps} and nfreqs={nfreqs}")
    if freq[0] != 0 or freq[-1] != nyquist:
        raise ValueError("freq must start with 0 and end with fs/2.")
    steps = np.diff(freq)
    if (steps < 0).any():
        raise ValueError("The values in freq must be nondecreasing.")
    if ((steps[:-1] + steps[1:]) == 0).any():
        raise ValueError("A value in freq must not occur more than twice.")
    if freq[1] == 0:
        raise ValueError("Value 0 must not be repeated in freq")
    if freq[-2] == nyquist:
        raise ValueError("Value fs/2 must not be repeated in freq")
    kind = (3 if numtaps % 2 else 4) if antisymmetric else (1 if numtaps % 2 else 2)
    if kind in (2, 3) and gain[-1] != 0:
        raise ValueError(f"A Type {'I' * kind} filter must have zero gain at the Nyquist frequency.")
    if kind in (3, 4) and gain[0] != 0:
        raise ValueError(f"A Type {'III' if kind == 3 else 'IV'} filter must have zero gain at zero frequency.")
    if nfreqs is None:
        nfreqs = 1 + 2 ** int(math.ceil(math.log2(numtaps)))
    _spread_jumps(freq, steps, nyquist)
    grid = np.linspace(0.0, nyquist, nfreqs)
    response = np.interp(grid, freq, gain) * np.exp(-0.5j * (numtaps - 1) * np.pi * grid / nyquist)
    if antisymmetric:
        response = response * 1j
    h = np.fft.irfft(response)[:numtaps]
    if window is not None:
        h = h * get_window(window, numtaps, fftbins=False)
    if kind == 3:
        h[h.size // 2] = 0.0
    return h


def _spread_jumps(freq, steps, nyquist):
    """Moves repeated frequencies apart by the smallest step, so that the gain can be interpolated."""
    jumps = np.flatnonzero(steps == 0)
    if jumps.size:
        eps = np.finfo(float).eps * nyquist
        freq[jumps] -= eps
        freq[jumps + 1] += eps
        steps = np.diff(freq)
        if (steps <= 0).any():
            raise ValueError(f"freq cannot contain numbers that are too close (within eps * (fs/2): {eps}) to a repeated value")


# ---- minimum phase (Oppenheim, Schafer, Discrete-Time Signal Processing, 3rd edition, equation 13.42)
@on_host
def minimum_phase(h, method="homomorphic", n_fft=None, *, half=True):
    """As `scipy.signal.minimum_phase`."""
    import scipy.signal

    h = np.asarray(h)
    if method != "homomorphic" or h.ndim != 1 or h.size <= 2 or h.dtype.kind == "c" or n_fft is not None and n_fft < h.size:
        return scipy.signal.minimum_phase(h, method, n_fft, half=half)  # or its error
    if not (h[: -(h.size // 2) - 1 : -1] - h[: h.size // 2] <= 1e-8 + 1e-6 * abs(h[: h.size // 2])).any():
        warn("h does not appear to be symmetric, conversion may fail", RuntimeWarning)
    n = 2 ** math.ceil(math.log2(2 * (h.size - 1) / 0.01)) if n_fft is None else int(n_fft)
    size = abs(np.fft.fft(h, n))
    cepstrum = np.fft.ifft(np.log(size + 1e-7 * size[size > 0].min()) * (0.5 if half else 1.0)).real
    # The causal half: positive times doubled; time 0 and, of an even number, the middle one are their own mirror images.
    fold = np.zeros(n)
    fold[0] = fold[n // 2] = 1
    fold[1 : (n + 1) // 2] = 2
    taps = np.fft.ifft(np.exp(np.fft.fft(cepstrum * fold))).real
    return taps[: h.size // 2 + h.size % 2 if half else h.size]
