"""The fast Hankel transform (FFTLog): A. Hamilton, Uncorrelated modes of the non-linear power spectrum, MNRAS 312 (2000) 257,
appendix B."""

from math import log, pi

import numpy as np

import gpusci as gs
from gpusci.core.callers import warn
from gpusci.core.libraries.host import host_first
from gpusci.fft._arguments import as_real
from gpusci.fft._backend import asking
from gpusci.fft._basic import irfft, rfft

LN_2 = log(2)


@host_first("scipy.fft", "a", library=False)
@asking
def fht(a, dln, mu, offset=0.0, bias=0.0):
    """As `scipy.fft.fht`: the discrete Hankel transform of order mu of samples at logarithmic steps dln."""
    return _hankel(a, dln, mu, offset, bias, inverse=False)


@host_first("scipy.fft", "A", library=False)
@asking
def ifht(A, dln, mu, offset=0.0, bias=0.0):
    """As `scipy.fft.ifht`, the inverse of `fht`."""
    return _hankel(A, dln, mu, offset, bias, inverse=True)


def fhtoffset(dln, mu, initial=0.0, bias=0.0):
    """As `scipy.fft.fhtoffset`: the offset near `initial` that makes the transform of even length low-ringing."""
    import scipy.fft

    return scipy.fft.fhtoffset(dln, mu, initial, bias)


def _hankel(a, dln, mu, offset, bias, *, inverse):
    a = as_real(a)
    n, dtype = a.shape[-1], a.dtype if bias == 0 else np.dtype(np.float64)
    a = a.astype(np.float64, copy=False)
    if bias != 0:  # a(r) -> a(r) (r/r_centre)^-bias, undone on the other side in k
        j = np.arange(n) - (n - 1) / 2
        if inverse:
            a = a * gs.asarray(np.exp(bias * (j * dln + offset)), device=a.device)
        else:
            a = a * gs.asarray(np.exp(-bias * j * dln), device=a.device)
    u = _coefficients(n, dln, mu, offset, bias, inverse)
    spectrum = rfft(a)
    u = gs.asarray(u, device=a.device)
    spectrum = spectrum / gs.conj(u) if inverse else spectrum * u
    y = gs.flip(irfft(spectrum, n), -1)
    if bias != 0:
        if inverse:
            y = y * gs.asarray(np.exp(bias * j * dln), device=a.device)
        else:
            y = y * gs.asarray(np.exp(-bias * (j * dln + offset)), device=a.device)
    return y.astype(dtype, copy=False)


def _coefficients(n, dln, mu, offset, bias, inverse):
    """Hamilton's u_m (his equation B18 with the low-ringing phase), m = 0 ... n/2."""
    from scipy.special import loggamma, poch

    y = np.linspace(0, pi * (n // 2) / (n * dln), n // 2 + 1)
    up, down = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2
    lifted, lowered = loggamma(up + 1j * y), loggamma(down + 1j * y)
    # Gamma(down - iy) is the conjugate of Gamma(down + iy), hence the sum of the two phases.
    phase = 2 * (LN_2 - offset) * y + lifted.imag + lowered.imag
    u = np.exp(lifted.real - lowered.real + LN_2 * bias) * np.exp(1j * phase)
    if n % 2 == 0:  # the Nyquist coefficient of real data is real
        u.imag[-1] = 0
    if not np.isfinite(u[0]):  # at a pole of one of the two gammas: their ratio by the Pochhammer symbol
        u[0] = 2**bias * poch(down, bias)
    if np.isinf(u[0]) and not inverse:
        warn("fht: singular transform; consider changing the bias")
        u[0] = 0
    elif u[0] == 0 and inverse:
        warn("ifht: singular inverse transform; consider changing the bias")
        u[0] = np.inf
    return u
