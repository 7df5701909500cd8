"""Chirp z-transform and zoom FFT, by Bluestein's convolution (Rabiner, Schafer, Rader, Bell Syst. Tech. J. 48 (1969) 1249)."""

import cmath
import functools
import numbers

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import args, public
from gpusci.signal._coefficients import on_host
from gpusci.signal._lines import from_last, to_last


def _sizes(n, m):
    for name, value in (("data", n), ("output", m)):
        if value is not None and not (isinstance(value, numbers.Integral) and value >= 1):
            raise ValueError(f"Invalid number of CZT {name} points ({value}) specified. It must be positive and integer type.")
    return n if m is None else m


@on_host
def czt_points(m, w=None, a=1 + 0j):
    """As `scipy.signal.czt_points`."""
    m = _sizes(1, m)
    k = np.arange(m)
    if w is not None:
        return 1.0 * a * (1.0 * w) ** -k
    points = np.exp(2j * np.pi * k / m)
    return points if isinstance(a, complex) and a == 1 else 1.0 * a * points


class _Chirp:
    """A transform of fixed sizes: tables on the host, and on each device that it was used on."""

    def _prepare(self, n, m, before, chirp):
        """before: factors of the samples; chirp: w^(k^2 / 2) for k < max(m, n)."""
        self.n, self.m = n, m
        self._length = fft.next_fast_len(n + m - 1)
        kernel = np.fft.fft(1 / np.concatenate([chirp[n - 1 : 0 : -1], chirp[:m]]), self._length)
        self._tables = before * chirp[:n], kernel, chirp[:m].copy()
        self._on_device = {}

    def _device_tables(self, device):
        if device not in self._on_device:
            self._on_device[device] = [gs.asarray(table, device=device) for table in self._tables]
        return self._on_device[device]

    def __call__(self, x, *, axis=-1):
        """The transform of x along `axis`, in complex128."""
        return _apply(x, self, axis)


@public("x")
def _apply(x, transform, axis):
    axis = args.normalize_axis(axis, x.ndim)
    if x.shape[axis] != transform.n:
        raise ValueError(f"CZT defined for length {transform.n}, not {x.shape[axis]}")
    before, kernel, after = transform._device_tables(x.device)
    spectrum = fft.fft(to_last(x, axis) * before, transform._length)
    spectrum *= kernel
    y = fft.ifft(spectrum, overwrite_x=True)[..., transform.n - 1 : transform.n + transform.m - 1] * after
    return from_last(y, axis)


class CZT(_Chirp):
    """As `scipy.signal.CZT`."""

    def __init__(self, n, m=None, w=None, a=1 + 0j):
        m = _sizes(n, m)
        k = np.arange(max(m, n), dtype=np.int64)
        if w is None:
            w = cmath.exp(-2j * np.pi / m)
            chirp = np.exp(-1j * np.pi * (k**2 % (2 * m)) / m)
        else:
            chirp = w ** (k**2 / 2.0)
        self.w, self.a = w, 1.0 * a
        self._prepare(n, m, self.a ** -k[:n], chirp)

    def points(self):
        """The points of the z-plane at which the transform is evaluated."""
        return czt_points(self.m, self.w, self.a)


class ZoomFFT(CZT):
    """As `scipy.signal.ZoomFFT`; frequencies in the units of `fs`."""

    def __init__(self, n, fn, m=None, *, fs=2, endpoint=False):
        m = _sizes(n, m)
        if np.size(fn) not in (1, 2):
            raise ValueError("fn must be a scalar or 2-length sequence")
        self.f1, self.f2 = (0.0, fn) if np.size(fn) == 1 else fn
        self.fs = fs
        width = (self.f2 - self.f1) * m / (fs * (m - 1)) if endpoint else (self.f2 - self.f1) / fs
        k = np.arange(max(m, n), dtype=np.int64)
        self.w, self.a = cmath.exp(-2j * np.pi / m * width), cmath.exp(2j * np.pi * self.f1 / fs)
        self._prepare(n, m, np.exp(-2j * np.pi * self.f1 / fs * k[:n]), np.exp(-1j * np.pi * width * k**2 / m))


@functools.lru_cache(16)
def _transform(cls, *arguments, **keywords):
    return cls(*arguments, **keywords)


@public("x", host=("w", "a"))
def czt(x, m=None, w=None, a=1 + 0j, *, axis=-1):
    """As `scipy.signal.czt`."""
    return _transform(CZT, x.shape[axis], m, None if w is None else complex(w), complex(a))(x, axis=axis)


@public("x", host=("fn",))
def zoom_fft(x, fn, m=None, *, fs=2, endpoint=False, axis=-1):
    """As `scipy.signal.zoom_fft`; frequencies in the units of `fs`."""
    if np.size(fn) not in (1, 2):
        raise ValueError("fn must be a scalar or 2-length sequence")
    fn = tuple(float(f) for f in np.ravel(fn))
    return _transform(ZoomFFT, x.shape[axis], fn[0] if len(fn) == 1 else fn, m, fs=float(fs), endpoint=endpoint)(x, axis=axis)
