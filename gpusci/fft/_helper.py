"""Frequencies, shifts, and lengths that transform fast."""

import operator
from functools import lru_cache

import numpy as np

import gpusci as gs
from gpusci.core import get_device
from gpusci.core.libraries.host import host_first


def fftfreq(n, d=1.0, *, xp=None, device=None):
    """As `scipy.fft.fftfreq`: a NumPy array, or with `device` a `gpusci.ndarray` there (or with `xp=gpusci`)."""
    n = _count(n)
    if n < 0:
        raise ValueError("n must not be negative")
    integers = np.arange(n)
    integers[(n + 1) // 2 :] -= n
    return _frequencies(integers, n, d, xp, device)


def rfftfreq(n, d=1.0, *, xp=None, device=None):
    """As `scipy.fft.rfftfreq`: a NumPy array, or with `device` a `gpusci.ndarray` there (or with `xp=gpusci`)."""
    n = _count(n)
    return _frequencies(np.arange(n // 2 + 1), n, d, xp, device)


def _count(n):
    if not isinstance(n, (int, np.integer)) or isinstance(n, (bool, np.bool_)):
        raise ValueError("n should be an integer")
    if n == 0:
        raise ZeroDivisionError("n must not be zero: there are no frequencies of no samples")
    return np.int64(n) if isinstance(n, np.integer) else n  # an int8 would wrap round


def _frequencies(integers, n, d, xp, device):
    if isinstance(d, (np.integer, np.floating)):
        d = np.float64(d)
    if xp is None or xp is np or xp is gs:
        values = integers * (1.0 / (n * d))
        if xp is gs or device is not None and xp is None:
            return gs.asarray(values, device=get_device(device))
        if device not in (None, "cpu"):
            raise ValueError(f'NumPy arrays are on the "cpu", not on {device!r}; use xp=gpusci for a GPU')
        return values
    return xp.asarray(integers * (1.0 / (n * d)), dtype=xp.float64, device=device)


@host_first("scipy.fft", "x", library=False)
def fftshift(x, axes=None):
    """As `scipy.fft.fftshift`: the zero frequency moves to the middle."""
    axes = _shifted_axes(x, axes)
    return gs.roll(x, tuple(x.shape[a] // 2 for a in axes), axes)


@host_first("scipy.fft", "x", library=False)
def ifftshift(x, axes=None):
    """As `scipy.fft.ifftshift`, the inverse of `fftshift` (they differ for odd lengths)."""
    axes = _shifted_axes(x, axes)
    return gs.roll(x, tuple(-(x.shape[a] // 2) for a in axes), axes)


def _shifted_axes(x, axes):
    if axes is None:
        return tuple(range(x.ndim))
    return (operator.index(axes),) if hasattr(axes, "__index__") else tuple(axes)


@lru_cache(4096, typed=True)
def next_fast_len(target, real=False):
    """As `scipy.fft.next_fast_len`: the next length with small prime factors (cuFFT likes the same ones)."""
    import scipy.fft

    return scipy.fft.next_fast_len(operator.index(target), bool(real))


@lru_cache(4096, typed=True)
def prev_fast_len(target, real=False):
    """As `scipy.fft.prev_fast_len`."""
    import scipy.fft

    return scipy.fft.prev_fast_len(operator.index(target), bool(real))
