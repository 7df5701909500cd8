"""Channelizers, frequency shift, beamforming, higher-order convolution, axes of radar data."""

import operator

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import public
from gpusci.radar import _kernels

SPEED_OF_LIGHT = 299792458.0  # m/s, exact (SI)


@public("x")
def freq_shift(x, freq, fs):
    """x times exp(-2 pi i freq t) along the last axis, t = sample / fs: what was at `freq` (Hz) comes to 0 Hz. fs in Hz.

    complex64 for float32 and complex64 input, else complex128.
    """
    dtype = np.result_type(x.dtype, np.complex64)
    y = gs.empty(x.shape, dtype, device=x.device)
    if y.size:
        line = x.shape[-1] if x.ndim else 1
        _kernels.shift_frequency(x.size, (x.dtype, dtype), gs.ascontiguousarray(x), y, line, float(freq) / float(fs))
    return y


@public("x", "h")
def channelize_poly(x, h, n_chans):
    """Polyphase filter bank: x cut into n_chans channels, each at fs / n_chans, critically sampled.

    x        (samples,): input at rate fs; samples beyond a multiple of n_chans are left out
    h        (taps,): low-pass prototype for the rate fs, a multiple of n_chans taps (more are left out)
    n_chans  number of channels

    Returns (n_chans, samples // n_chans) complex: row k is x convolved with h[l] exp(2 pi i k l / n_chans), every n_chans-th
    sample from n_chans - 1 on: the band around k fs / n_chans. complex64 for single precision.
    """
    n_chans = operator.index(n_chans)
    if x.ndim != 1 or h.ndim != 1:
        raise ValueError(f"x and h must be one-dimensional, not {x.shape} and {h.shape}")
    if not 1 <= n_chans <= h.size:
        raise ValueError(f"n_chans must be between 1 and the number of taps, {h.size}, not {n_chans}")
    taps, points = h.size // n_chans, x.size // n_chans
    dtype = np.result_type(x.dtype, h.dtype, np.float32)
    real = np.dtype(dtype.char.lower())
    x, h = (gs.ascontiguousarray(a.astype(dtype if a.dtype.kind == "c" else real, copy=False)) for a in (x, h))
    result = np.result_type(dtype, np.complex64)
    filtered = gs.empty((points, n_chans), result, device=x.device)
    _kernels.channelize(filtered.size, (x.dtype, h.dtype, result), x, h, filtered, n_chans, taps)
    return fft.ifft(filtered, axis=1, norm="forward", overwrite_x=True).T


@public("x", "sv")
def mvdr(x, sv, calc_cov=True):
    """Weights of the minimum variance distortionless response beamformer: R^-1 s / (s^H R^-1 s).

    x         (sensors, samples) of received data, or with calc_cov=False the covariance matrix (sensors, sensors)
    sv        (sensors,): steering vector, or (sensors, k): k of them, each with weights of its own
    """
    if x.ndim != 2:
        raise ValueError(f"x must be (sensors, samples) or a covariance matrix, not {x.shape}")
    if x.shape[0] > x.shape[1]:
        raise ValueError("Matrix has more sensors than samples: transpose it, rows are sensors")
    if sv.ndim not in (1, 2) or x.shape[0] != sv.shape[0]:
        raise ValueError("Steering Vector and input data do not align")
    dtype = np.result_type(x.dtype, sv.dtype, np.float32)
    x = x.astype(dtype if x.dtype.kind == "c" else dtype.char.lower(), copy=False)
    if calc_cov:
        rest = x - x.mean(axis=1, keepdims=True)
        x = gs.matmul(rest, gs.conjugate(rest).T) / max(x.shape[1] - 1, 1)
    weights = gs.linalg.solve(x, sv)
    return weights / (gs.conjugate(sv) * weights).sum(axis=0)


# ---- higher-order filters
@public("in1", "in2")
def convolve1d2o(in1, in2, mode="valid", method="direct"):
    """Second-order (Volterra) convolution: y[i] = sum of in2[j, k] x[i - j] x[i - k] where all samples exist.

    in1 (samples,), in2 (taps, taps). Only mode="valid" and method="direct" exist.
    """
    return _volterra(in1, in2, 2, mode, method)


@public("in1", "in2")
def convolve1d3o(in1, in2, mode="valid", method="direct"):
    """Third-order (Volterra) convolution, as `convolve1d2o` with in2 (taps, taps, taps)."""
    return _volterra(in1, in2, 3, mode, method)


def _volterra(in1, in2, order, mode, method):
    if in1.ndim != 1:
        raise ValueError("in1 should have one dimension")
    if in2.ndim != order:
        raise ValueError(f"in2 should have {order} dimensions")
    if mode != "valid":
        raise NotImplementedError(f"Mode == {mode} not implemented: use 'valid'")
    if method != "direct":
        raise NotImplementedError("Only Direct method implemented")
    count = in1.size - max(in2.shape, default=0) + 1
    if in2.size == 0 or count < 1:
        raise ValueError(f"in1 has {in1.size} samples: at least {max(in2.shape, default=0)}, and some taps, are needed")
    dtype = np.result_type(in1.dtype, in2.dtype)
    in1, in2 = (gs.ascontiguousarray(a.astype(dtype, copy=False)) for a in (in1, in2))
    y = gs.empty(count, dtype, device=in1.device)
    _kernels.volterra(count, (dtype, order), in1, in2, y, in2.shape)
    return y


# ---- axes
def range_axis(samples, fs, start=0.0, *, device=None):
    """Ranges in metres of fast-time samples at rate fs (Hz): c t / 2, t from `start` seconds after the pulse on."""
    return _axis(SPEED_OF_LIGHT / 2 * (start + np.arange(samples) / fs), device)


def doppler_axis(nfft, prf, *, device=None):
    """Doppler frequencies in Hz of the rows of `pulse_doppler` for a pulse repetition frequency prf in Hz."""
    return _axis(np.fft.fftfreq(nfft, 1.0 / prf), device)


def velocity_axis(nfft, prf, carrier, *, device=None):
    """Radial velocities in m/s, towards the radar positive, of the rows of `pulse_doppler`; prf and carrier in Hz."""
    return _axis(np.fft.fftfreq(nfft, 1.0 / prf) * (SPEED_OF_LIGHT / (2 * carrier)), device)


def _axis(values, device):
    return values if device is None else gs.asarray(values, device=device)
