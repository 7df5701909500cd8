"""Analytic signals: Hilbert transforms and envelopes."""

import math

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import args, new, public
from gpusci.signal import _kernels
from gpusci.signal._lines import cast, contiguous, from_last, to_last
from gpusci.signal._resampling import resample


@public("x")
def hilbert(x, N=None, axis=-1):
    """As `scipy.signal.hilbert`."""
    if x.dtype.kind == "c":
        raise ValueError("x must be real.")
    axis = args.normalize_axis(axis, x.ndim)
    N = x.shape[axis] if N is None else N
    if N <= 0:
        raise ValueError("N must be positive.")
    # The real part is x; the imaginary part has the spectrum turned by -90 degrees, without zero and Nyquist frequency. Two
    # transforms of real data cost less than one of real and one of complex data.
    spectrum = contiguous(fft.rfft(x, N, axis=axis))
    inner = math.prod(x.shape[axis + 1 :])
    _kernels.turn_spectrum(spectrum.size, (spectrum.dtype,), spectrum, spectrum.shape[axis], inner, (N + 1) // 2)
    turned = contiguous(fft.irfft(spectrum, N, axis=axis, overwrite_x=True))
    out = new(turned.shape, spectrum.dtype, x.device)
    real = contiguous(cast(x, turned.dtype))
    _kernels.join_parts(out.size, (turned.dtype,), real, turned, out, x.shape[axis], N, inner)
    return out


@public("x")
def hilbert2(x, N=None, axes=(-2, -1)):
    """As `scipy.signal.hilbert2`."""
    x = gs.atleast_2d(x)
    if x.dtype.kind == "c":
        raise ValueError("x must be real.")
    if len(axes) != 2:
        raise ValueError("axes must be a tuple of length 2")
    if axes[0] == axes[1]:
        raise ValueError("axes must contain 2 distinct axes")
    if N is None:
        N = (x.shape[axes[0]], x.shape[axes[1]])
    elif isinstance(N, (int, np.integer)):
        if N <= 0:
            raise ValueError("N must be positive.")
        N = (N, N)
    elif len(N) != 2 or np.any(np.asarray(N) <= 0):
        raise ValueError("When given as a tuple, N must hold exactly two positive integers")
    spectrum = fft.fft2(x, N, axes=axes)

    def part(first, second):
        where = [slice(None)] * x.ndim
        where[axes[0]], where[axes[1]] = first, second
        return tuple(where)

    # On each axis, as in hilbert: positive frequencies doubled, the Nyquist one kept, negative ones dropped.
    (k0, k1), (n0, n1) = ((n + 1) // 2 for n in N), (n // 2 + 1 for n in N)
    spectrum[part(slice(n0, None), slice(None))] = 0
    spectrum[part(slice(n0), slice(n1, None))] = 0
    for positive in part(slice(1, k0), slice(n1)), part(slice(n0), slice(1, k1)):
        kept = spectrum[positive]
        kept *= 2
    return fft.ifft2(spectrum, axes=axes, overwrite_x=True)


def _band(bp_in, n):
    """(start, stop) of the pass band in bins, negative ones first. Raises ValueError."""
    if len(bp_in) != 2 or not all(isinstance(b, int) or b is None for b in bp_in):
        raise ValueError(f"{bp_in=} isn't a 2-tuple of type (int | None, int | None)!")
    start = -(n // 2) if bp_in[0] is None else bp_in[0]
    stop = (n + 1) // 2 if bp_in[1] is None else bp_in[1]
    if not -n // 2 <= start < stop <= (n + 1) // 2:
        raise ValueError(f"`-n//2 <= bp_in[0] < bp_in[1] <= (n+1)//2` does not hold for n={n} and {bp_in=}!")
    return start, stop


@public("z")
def envelope(z, bp_in=(1, None), *, n_out=None, squared=False, residual="lowpass", axis=-1):
    """As `scipy.signal.envelope`."""
    if not -z.ndim <= axis < z.ndim:
        raise ValueError(f"Invalid parameter {axis=} for {z.shape=}!")
    n = z.shape[axis]
    if n < 1:
        raise ValueError(f"z.shape[axis] not > 0 for {z.shape=}, {axis=}!")
    if not (n_out is None or isinstance(n_out, int) and n_out > 0):
        raise ValueError(f"{n_out=} is not a positive integer or None!")
    if residual not in ("lowpass", "all", None):
        raise ValueError(f"{residual=} not in ['lowpass', 'all', None]!")
    start, stop = _band(bp_in, n)
    n_out = n if n_out is None else n_out
    z = to_last(z, axis)
    is_complex = z.dtype.kind == "c"
    spectrum = _two_sided(z, n, start, stop, is_complex)
    band = _pass(spectrum, start, stop, n)
    baseband = fft.ifft(band, n=n_out) * (n_out / n)
    result = baseband.real**2 + baseband.imag**2 if squared else gs.absolute(baseband)
    result = from_last(result, axis)
    if residual is None:
        return result
    rest = _residual(spectrum, start, stop, n, n_out, residual, is_complex)
    return gs.stack((result, from_last(rest, axis)), axis=0)


def _two_sided(z, n, start, stop, is_complex):
    """Spectrum of n bins; of real data the half of positive frequencies, doubled inside the band, and zeros."""
    if is_complex:
        return fft.fft(z)
    half = fft.rfft(z)
    spectrum = gs.zeros((*z.shape[:-1], n), half.dtype, device=z.device)
    spectrum[..., : n // 2 + 1] = half
    if stop > 0:
        inner = spectrum[..., max(start, 1) : stop]
        inner *= 2
    return spectrum


def _pass(spectrum, start, stop, n):
    """The bins of the band in ascending order of frequency."""
    if start >= 0 or stop <= 0:
        return spectrum[..., start % n if start < 0 else start : (stop % n or n) if start < 0 else stop]
    return gs.concatenate([spectrum[..., start % n :], spectrum[..., :stop]], axis=-1)


def _residual(spectrum, start, stop, n, n_out, residual, is_complex):
    """What is outside the band (below it for "lowpass"), resampled to n_out."""
    if start < 0 < stop:
        spectrum[..., :stop] = 0
        spectrum[..., start % n :] = 0
    elif start < 0:
        spectrum[..., start % n : stop % n or n] = 0
    else:
        spectrum[..., start:stop] = 0
    if residual == "lowpass":
        if stop > 0:
            spectrum[..., stop : (n + 1) // 2] = 0
        else:
            spectrum[..., start % n :] = 0
            spectrum[..., : (n + 1) // 2] = 0
    if is_complex:
        return resample(spectrum, n_out, axis=-1, domain="freq")
    half = spectrum[..., : n // 2 + 1]
    m = min(n, n_out)
    if n_out != n and m % 2 == 0:
        half[..., m // 2] *= 2 if n_out < n else 0.5
    return fft.irfft(half, n=n_out) * (n_out / n)
