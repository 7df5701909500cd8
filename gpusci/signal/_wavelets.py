"""Wavelets and the continuous wavelet transform: names that SciPy had until 1.14 and cuSignal users have."""

import math

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import new, public
from gpusci.signal import _kernels

BATCH = 1 << 26  # samples of a batch of wavelets
SHORT = 256  # taps on average up to which sums are cheaper than transforms


def ricker(points, a):
    """Ricker (Mexican hat) wavelet of `points` samples and width `a` in samples: a NumPy array."""
    t = np.arange(points) - (points - 1.0) / 2
    return 2 / (math.sqrt(3 * a) * math.pi**0.25) * (1 - t**2 / a**2) * np.exp(-(t**2) / (2 * a**2))


def morlet(M, w=5.0, s=1.0, complete=True):
    """Complex Morlet wavelet of M samples on [-2 pi s, 2 pi s] with frequency w: a NumPy array."""
    x = np.linspace(-s * 2 * np.pi, s * 2 * np.pi, M)
    wave = np.exp(1j * w * x)
    if complete:  # without the mean that the envelope leaves
        wave -= np.exp(-0.5 * w**2)
    return wave * np.exp(-0.5 * x**2) * np.pi**-0.25


def morlet2(M, s, w=5):
    """Complex Morlet wavelet of M samples for `cwt`, of width s in samples and frequency w: a NumPy array."""
    x = (np.arange(M) - (M - 1.0) / 2) / s
    return np.exp(1j * w * x) * np.exp(-0.5 * x**2) * np.pi**-0.25 * math.sqrt(1 / s)


@public("hk")
def qmf(hk):
    """High-pass filter that goes with a low-pass filter `hk`: reversed, every second sign changed."""
    signs = (-1.0) ** np.arange(hk.size)
    return hk[::-1] * gs.constant(signs, hk.device)


@public("data")
def cwt(data, wavelet, widths, dtype=None, **kwargs):
    """Continuous wavelet transform: row i is `data` convolved with the conjugate reversed wavelet(N, widths[i], **kwargs) of
    N = min(10 widths[i], len(data)) samples, centred. float64, or complex128 for complex wavelets, unless `dtype` is given.
    """
    if data.ndim != 1 or data.size == 0:
        raise ValueError("data must be a one-dimensional array of at least one sample")
    n = data.size
    rows = [np.asarray(gs.asnumpy(wavelet(min(int(10 * w), n), w, **kwargs))) for w in np.ravel(widths).tolist()]
    complex_rows = any(np.iscomplexobj(row) for row in rows)
    dtype = np.dtype(dtype) if dtype is not None else np.dtype(complex if complex_rows else float)
    is_complex = complex_rows or data.dtype.kind == "c"
    x = data.astype(np.result_type(data.dtype, float), copy=False)
    out = new((len(rows), n), dtype, data.device)
    if not rows:
        return out
    if sum(map(len, rows)) <= SHORT * len(rows):
        result = _by_sums(gs.ascontiguousarray(x), rows, complex_rows)
        if result.dtype == dtype:
            return result
        out[...] = result if dtype.kind == "c" or not is_complex else result.real
        return out
    length = fft.next_fast_len(n + max(len(row) for row in rows) - 1, not is_complex)
    forward, backward = (fft.fft, fft.ifft) if is_complex else (fft.rfft, fft.irfft)
    spectrum = forward(x, length)
    batch = max(1, BATCH // length)
    for first in range(0, len(rows), batch):
        table = _centred(rows[first : first + batch], length, complex if is_complex else float, data.device)
        product = forward(table)
        product *= spectrum
        result = backward(product, length, overwrite_x=True)[:, :n]
        out[first : first + batch] = result if dtype.kind == "c" or not is_complex else result.real
    return out


def _by_sums(x, rows, complex_rows):
    """The transform of a float64 or complex128 signal, wavelet by wavelet in the time domain."""
    sizes = np.array([len(row) for row in rows], np.int64)
    packed = np.zeros((len(rows), sizes.max(initial=0)), complex if complex_rows else float)
    for line, row in zip(packed, rows):
        line[: len(row)] = np.conj(row)
    y = new((len(rows), x.size), np.result_type(x.dtype, packed.dtype), x.device)
    weights, sizes = gs.constant(packed, x.device), gs.constant(sizes, x.device)
    _kernels.correlate_rows(y.size, (x.dtype, packed.dtype, y.dtype), x, weights, sizes, y, x.size, packed.shape[1])
    return y


def _centred(rows, length, dtype, device):
    """The conjugate reversed wavelets, each turned so that output k of the circular convolution is centred on sample k."""
    width = max(len(row) for row in rows)
    packed = np.zeros((len(rows), width), dtype)
    for line, row in zip(packed, rows):
        line[: len(row)] = np.conj(row[::-1])
    table = new((len(rows), length), dtype, device)
    sizes = np.array([len(row) for row in rows], np.int64)
    _kernels.place_rows(table.size, (table.dtype,), gs.constant(packed, device), gs.constant(sizes, device), table, width, length)
    return table
