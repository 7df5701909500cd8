"""Pulse processing: matched filter, Doppler transform, ambiguity function. Rows are pulses, columns fast-time samples."""

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import public
from gpusci.signal import get_window


def _weights(window, x):
    """A window argument as weights of x's first axis, real unless given complex, in x's precision.

    Raises ValueError where their number is not the length of that axis.
    """
    n, real = x.shape[0], np.float32 if x.dtype.char in "efF" else np.float64
    if isinstance(window, tuple) or np.isscalar(window):
        return gs.constant(get_window(window, n, False).astype(real), x.device)
    if callable(window):
        window = window(np.fft.fftfreq(n))
    window = gs.asarray(window, device=x.device)
    if window.shape != (n,):
        raise ValueError(f"window must have the same length as data: {window.shape} is given, ({n},) is needed")
    return window.astype(np.result_type(real, np.complex64) if window.dtype.kind == "c" else real)


def _spectral(x):
    """The dtype of x's spectrum."""
    return np.dtype(np.complex64 if x.dtype.char in "efF" else np.complex128)


def _wide(x, dtype):
    """x, real or complex as it is, in double precision where dtype is complex128."""
    return x.astype(np.result_type(x.dtype, np.float64)) if dtype == np.complex128 and x.dtype.char in "efF" else x


def _norm(x):
    """The square root of x's energy, summed in float64: neither small integers nor float32 overflow."""
    return gs.sqrt((gs.absolute(x.astype(np.result_type(x.dtype, np.float64))) ** 2).sum())


@public("x", "template")
def pulse_compression(x, template, normalize=False, window=None, nfft=None):
    """Matched filter of each pulse (row of x) with the transmitted `template`, by a circular correlation of nfft points.

    x          (pulses, samples): received samples; a single pulse may be one-dimensional
    template   (taps,): transmitted waveform
    normalize  divide the template by its norm, so that noise keeps its power
    window     weights of the template: name, tuple or number as in `signal.get_window`, array or list of its length, or a
               function of numpy.fft.fftfreq(taps)
    nfft       points of the transform; the default is the samples of a pulse

    Returns complex samples (pulses, nfft), complex64 where x and template are of single precision. An echo that begins at
    sample d peaks at sample d, with the template's energy (not normalized) or norm (normalized). Echoes that wrap round the
    end fold back: give nfft >= samples + taps - 1 to keep them apart.
    """
    if x.ndim not in (1, 2) or template.ndim != 1:
        raise ValueError(f"x must be (pulses, samples) and template (taps,), not {x.shape} and {template.shape}")
    nfft = x.shape[-1] if nfft is None else int(nfft)
    if window is not None:
        template = template * _weights(window, template)
    dtype = np.result_type(_spectral(x), _spectral(template))
    if normalize:
        template = (template / _norm(template)).astype(np.result_type(template.dtype, np.float32))
    x, template = _wide(x, dtype), _wide(template, dtype)
    spectrum = fft.fft(x, nfft)
    spectrum *= gs.conjugate(fft.fft(template, nfft, norm="forward"))      # 1 / nfft here costs no pass over the pulses
    return fft.ifft(spectrum, nfft, norm="forward", overwrite_x=True)


@public("x")
def pulse_doppler(x, window=None, nfft=None):
    """Range-Doppler matrix: the transform of x (pulses, samples) along the pulses, in nfft points (default: the pulses).

    Row k holds Doppler frequency k prf / nfft in Hz, frequencies from prf / 2 on being negative (see `doppler_axis`).
    window: weights of the pulses, as in `pulse_compression`.
    """
    if x.ndim != 2:
        raise ValueError(f"x must be (pulses, samples), not {x.shape}")
    nfft = x.shape[0] if nfft is None else int(nfft)
    if window is not None:
        x = x * _weights(window, x)[:, None]
    return fft.fft(x, nfft, axis=0)


@public("x", "y")
def ambgfun(x, fs, prf, y=None, cut="2d", cutValue=0):
    """Magnitude of the ambiguity function of x, or the cross-ambiguity of x and y, both normalized to energy 1:
    |sum over k of y[k] conj(x[k + delay]) exp(2 pi i doppler k / fs)|.

    fs        sampling rate in Hz
    prf       pulse repetition frequency in Hz (kept for its place in the signature: nothing depends on it)
    cut       "2d": rows are delays -(len(y) - 1) .. len(x) - 1 samples, columns Doppler frequencies -fs/2 .. fs/2 in nfreq
              steps, the power of two not below the number of rows;
              "delay": the row at the delay cutValue in seconds, x being interpolated by its spectrum between samples;
              "doppler": the column at the Doppler frequency cutValue in Hz

    Where y is not x, cuSignal takes "doppler" with delay and frequency reversed, unlike its plane; here it is the plane's column.
    """
    cut = str(cut).lower()
    if cut not in ("2d", "delay", "doppler"):
        raise ValueError("2d, delay, and doppler are the only cut values allowed")
    y = x if y is None else y
    if x.ndim != 1 or y.ndim != 1 or x.size == 0 or y.size == 0:
        raise ValueError(f"x and y must be one-dimensional and not empty, not {x.shape} and {y.shape}")
    dtype = np.result_type(_spectral(x), _spectral(y))
    x, y = ((a / _norm(a)).astype(dtype) for a in (x, y))
    delays = x.size + y.size - 1
    points = 1 << (delays - 1).bit_length()
    if cut == "doppler":
        return _ambiguity_column(x, y, delays, cutValue / fs)
    if cut == "2d":
        margin = gs.zeros(y.size - 1, dtype, device=x.device)
        products = y * gs.conjugate(gs.sliding_window_view(gs.concatenate([margin, x, margin]), y.size))
    else:
        products = y * gs.conjugate(_delayed(x, y.size, points, cutValue * fs))
    return gs.absolute(fft.fftshift(fft.ifft(products, points, axis=-1, norm="forward"), axes=-1))


def _delayed(x, n, points, delay):
    """x[k + delay] for 0 <= k < n, by a turn of x's spectrum; zeros where the pulse has left."""
    if not -n < delay < x.size:
        return gs.zeros(n, x.dtype, device=x.device)
    turn = np.exp(2j * np.pi * np.fft.fftfreq(points) * delay).astype(x.dtype)
    return fft.ifft(fft.fft(x, points) * gs.asarray(turn, device=x.device))[:n]


def _ambiguity_column(x, y, delays, turns):
    """Correlation of x with y turned by `turns` a sample, over all delays."""
    turned = y * gs.asarray(np.exp(2j * np.pi * turns * np.arange(y.size)).astype(y.dtype), device=y.device)
    correlation = fft.ifft(fft.fft(x, delays) * gs.conjugate(fft.fft(turned, delays)))
    return gs.absolute(gs.roll(correlation, y.size - 1))
