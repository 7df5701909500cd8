"""Pulse processing: matched filter, Doppler transform, ambiguity function. Rows are pulses, columns fast-time samples."""

import math

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import ndarray, public
from gpusci.signal import get_window


def _weights(window, n, device):
    """A window argument as n weights on the device. Raises ValueError for an array of another length."""
    if callable(window):
        return gs.asarray(window(np.fft.fftfreq(n)), device=device)
    if isinstance(window, (np.ndarray, ndarray)):
        if window.shape != (n,):
            raise ValueError(f"window must have the same length as data: {window.shape} is given, ({n},) is needed")
        return gs.asarray(window, device=device)
    return gs.constant(get_window(window, n, False), device)


def _matched(weights, x):
    """float64 weights in x's precision, so that single precision stays single."""
    return weights.astype(np.float32) if weights.dtype == np.float64 and x.dtype.char in "efF" else weights


@public("x", "template")
def pulse_compression(x, template, normalize=False, window=None, nfft=None):
    """Matched filter of each pulse (row of x) with the transmitted `template`, by a circular correlation of nfft points.

    x          (pulses, samples): received samples; a single pulse may be one-dimensional
    template   (taps,): transmitted waveform
    normalize  divide the template by its norm, so that noise keeps its power
    window     weights of the template: name, tuple or float as in `signal.get_window`, array of its length, or a function
               of frequency
    nfft       points of the transform; the default is the samples of a pulse

    Returns complex samples (pulses, nfft). An echo that begins at sample d peaks at sample d, with the template's energy
    (not normalized) or norm (normalized). Echoes that wrap round the end fold back: give nfft >= samples + taps - 1 to
    keep them apart.
    """
    if x.ndim not in (1, 2) or template.ndim != 1:
        raise ValueError(f"x must be (pulses, samples) and template (taps,), not {x.shape} and {template.shape}")
    nfft = x.shape[-1] if nfft is None else int(nfft)
    if window is not None:
        template = template * _matched(_weights(window, template.size, x.device), template)
    if normalize:
        template = template / gs.sqrt((gs.absolute(template) ** 2).sum())
    spectrum = fft.fft(x, nfft)
    reference = gs.conjugate(fft.fft(template, nfft, norm="forward"))      # 1 / nfft here costs no pass over the pulses
    if spectrum.dtype == np.result_type(spectrum.dtype, reference.dtype):
        spectrum *= reference
    else:
        spectrum = spectrum * reference
    return fft.ifft(spectrum, nfft, norm="forward", overwrite_x=True)


@public("x")
def pulse_doppler(x, window=None, nfft=None):
    """Range-Doppler matrix: the transform of x (pulses, samples) along the pulses, in nfft points (default: the pulses).

    Row k holds Doppler frequency k prf / nfft in Hz, frequencies from prf / 2 on being negative (see `doppler_axis`).
    window: weights of the pulses, as in `pulse_compression`.
    """
    if x.ndim != 2:
        raise ValueError(f"x must be (pulses, samples), not {x.shape}")
    pulses = x.shape[0]
    nfft = pulses if nfft is None else int(nfft)
    if window is not None:
        x = x * _matched(_weights(window, pulses, x.device), x)[:, None]
    return fft.fft(x, nfft, axis=0)


@public("x", "y")
def ambgfun(x, fs, prf, y=None, cut="2d", cutValue=0):
    """Magnitude of the ambiguity function of x, or the cross-ambiguity of x and y, both normalized to energy 1.

    fs        sampling rate in Hz
    prf       pulse repetition frequency in Hz (kept for its place in the signature: nothing depends on it)
    cut       "2d": rows are delays -(N - 1) .. N - 1 samples, columns Doppler frequencies -fs/2 .. fs/2 in nfreq steps;
              "delay": the cut at the delay cutValue in seconds, over Doppler;
              "doppler": the cut at the Doppler frequency cutValue in Hz, over delay
    """
    cut = cut.lower()
    if cut not in ("2d", "delay", "doppler"):
        raise ValueError("2d, delay, and doppler are the only cut values allowed")
    y = x if y is None else y
    if x.ndim != 1 or y.ndim != 1 or x.size == 0 or y.size == 0:
        raise ValueError(f"x and y must be one-dimensional and not empty, not {x.shape} and {y.shape}")
    x, y = _unit_energy(x), _unit_energy(y)
    n = max(x.size, y.size)
    total = x.size + y.size
    points = 1 << math.ceil(math.log2(max(total - 1, 1)))
    x, y = (gs.concatenate([a, gs.zeros(n - a.size, a.dtype, device=a.device)]) if a.size < n else a for a in (x, y))
    if cut == "2d":
        return _ambiguity_plane(x, y, total - 1, points)
    if cut == "delay":
        doppler = np.arange(points) * (fs / points) - fs / 2
        turn = gs.asarray(np.exp(2j * np.pi * doppler * cutValue), device=x.device)
        delayed = fft.ifft(fft.fft(x, points) * turn)
        padded = gs.concatenate([y, gs.zeros(points - n, y.dtype, device=y.device)])
        return points * gs.absolute(fft.ifftshift(fft.ifft(padded * gs.conjugate(delayed), points)))
    turn = gs.asarray(np.exp(2j * np.pi * cutValue * np.arange(n) / fs), device=x.device)
    spectrum = fft.fft(y, total - 1) * gs.conjugate(fft.fft(x * turn, total - 1))
    return gs.absolute(fft.fftshift(fft.ifft(spectrum)))


def _unit_energy(x):
    x = x if x.dtype.kind in "fc" else x.astype(float)
    return x / gs.sqrt((gs.absolute(x) ** 2).sum())


def _ambiguity_plane(x, y, delays, points):
    """Row r: transform over samples of y[k] conj(x[k - (n - 1) + r])."""
    n = x.size
    place = np.arange(n)[None, :] - (n - 1) + np.arange(delays)[:, None]
    inside = (place >= 0) & (place < n)
    shifted = gs.take(gs.conjugate(x), gs.asarray(np.where(inside, place, 0), device=x.device))
    products = gs.where(gs.asarray(inside, device=x.device), shifted * y, 0)
    return points * gs.absolute(fft.fftshift(fft.ifft(products, points, axis=1), axes=1))
