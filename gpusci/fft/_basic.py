"""Discrete Fourier transforms: complex, real and Hermitian, along one axis, two, or any number."""

from math import prod

import numpy as np

from gpusci.core import new
from gpusci.core.libraries import fft as library
from gpusci.core.libraries.host import host_first
from gpusci.fft import _host, _kernels
from gpusci.fft._arguments import (
    as_complex,
    as_real,
    check_unused,
    factor,
    fit,
    half_1d,
    half_nd,
    lengths_1d,
    lengths_nd,
)  # fmt: skip
from gpusci.fft._backend import asking

LAST_TWO = (-2, -1)


def transform(func):
    return host_first("scipy.fft", "x", run=_host.way(func.__name__))(asking(func))


# ---- the three ways, on a device. A plain forward call (no scale, padding or conversion) is one plan, and the next one on
# the same layout goes there directly.
def _c2c(x, where, norm, overwrite_x, inverse):
    axes, lengths = where
    if not axes:
        return x  # as SciPy: no transform, no conversion
    plain = norm is None and not inverse and not overwrite_x
    y = library.plans.again(("c2c", where), x) if plain else None
    if y is not None:
        return y
    scale = factor(norm, lengths, inverse)
    z, made = as_complex(x)
    z, padded = fit(z, axes, lengths)
    y = library.c2c(z, axes, inverse, overwrite=made or padded or (overwrite_x and z.flags.writeable))
    if plain and z is x:
        library.plans.remember(("c2c", where), x, sorted(a for a in axes if x.shape[a] != 1), y)
    return _scaled(y, scale)


def _r2c(x, where, norm, conj):
    axes, lengths = where
    if not axes:
        raise ValueError("at least 1 axis must be transformed")
    plain = norm is None and not conj
    y = library.plans.again(("r2c", where), x) if plain else None
    if y is not None:
        return y
    scale = factor(norm, lengths, inverse=conj)
    z, _ = fit(as_real(x), axes, lengths)
    y = library.r2c(z, axes)
    if plain and z is x:
        library.plans.remember(("r2c", where), x, axes, y)
    return _scaled(y, scale, conj)


def _c2r(x, where, norm, overwrite_x, conj):
    """Lengths are those of the result. The library destroys its input: mostly a copy is needed, so that the factor costs nothing."""
    axes, lengths = where
    if not axes:
        raise ValueError("at least 1 axis must be transformed")
    scale = factor(norm, lengths, inverse=not conj)
    n = lengths[-1]
    x, owned = as_complex(x)
    x, padded = fit(x, axes, (*lengths[:-1], n // 2 + 1))
    owned = owned or padded or (overwrite_x and x.flags.writeable)
    y = _scaled(x, scale, conj, out=x if owned else None)
    y = library.c2c(y, axes[:-1], inverse=True, overwrite=True)
    if not y.flags.c_contiguous:
        y = y.copy()
    h, inner = n // 2 + 1, prod(y.shape[axes[-1] + 1 :])
    _kernels.real_ends(y.size // h, (np.dtype(y.dtype.char.lower()),), y, h, inner, n % 2 == 0)
    return library.c2r(y, axes[-1], n)


def _scaled(x, scale, conj=False, out=...):
    """x times `scale`, conjugated on request: in place, or in a new array where out is None."""
    out = x if out is ... else out
    if out is x and scale == 1 and not conj:
        return x
    order = None
    if not x.flags.c_contiguous:  # results of the library may have their axes permuted
        order = sorted(range(x.ndim), key=lambda a: -x.strides[a])
        dense = x.transpose(order)
        if not dense.flags.c_contiguous:
            order, dense = None, x.copy()
            out = dense
        x = dense
    target = new(x.shape, x.dtype, x.device) if out is None else x
    per_item = max(16 // x.itemsize, 1)
    _kernels.scale_spectrum(-(-x.size // per_item), (x.dtype, bool(conj)), x, target, float(scale), x.size)
    return target if order is None else target.transpose(np.argsort(order))


# ---- one axis
@transform
def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.fft`. cuFFT on a GPU; integers are computed as float64, float16 as float32."""
    check_unused(workers, plan)
    return _c2c(x, lengths_1d(x, n, axis), norm, overwrite_x, inverse=False)


@transform
def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.ifft`."""
    check_unused(workers, plan)
    return _c2c(x, lengths_1d(x, n, axis), norm, overwrite_x, inverse=True)


@transform
def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.rfft`: the n//2 + 1 first coefficients of real data. Raises TypeError for complex data."""
    check_unused(workers, plan)
    return _r2c(x, lengths_1d(x, n, axis), norm, conj=False)


@transform
def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.irfft`: n real values (default 2*(m-1)) from the non-negative frequencies."""
    check_unused(workers, plan)
    return _c2r(x, half_1d(x, n, axis), norm, overwrite_x, conj=False)


@transform
def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.hfft`: the real spectrum of a Hermitian-symmetric signal, given by its first half."""
    check_unused(workers, plan)
    return _c2r(x, half_1d(x, n, axis), norm, overwrite_x, conj=True)


@transform
def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.ihfft`, the inverse of `hfft`."""
    check_unused(workers, plan)
    return _r2c(x, lengths_1d(x, n, axis), norm, conj=True)


# ---- any number of axes
@transform
def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.fftn`; up to three axes in one pass of cuFFT."""
    check_unused(workers, plan)
    return _c2c(x, lengths_nd(x, s, axes), norm, overwrite_x, inverse=False)


@transform
def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.ifftn`."""
    check_unused(workers, plan)
    return _c2c(x, lengths_nd(x, s, axes), norm, overwrite_x, inverse=True)


@transform
def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.rfftn`: the last of `axes` keeps its non-negative frequencies. Raises TypeError for complex data."""
    check_unused(workers, plan)
    return _r2c(x, lengths_nd(x, s, axes), norm, conj=False)


@transform
def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.irfftn`; right for any input, not only for spectra of real data."""
    check_unused(workers, plan)
    return _c2r(x, half_nd(x, s, axes), norm, overwrite_x, conj=False)


@transform
def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.hfftn`."""
    check_unused(workers, plan)
    return _c2r(x, half_nd(x, s, axes), norm, overwrite_x, conj=True)


@transform
def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.ihfftn`."""
    check_unused(workers, plan)
    return _r2c(x, lengths_nd(x, s, axes), norm, conj=True)


# ---- two axes
@transform
def fft2(x, s=None, axes=LAST_TWO, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.fft2`."""
    check_unused(workers, plan)
    return _c2c(x, lengths_nd(x, s, axes), norm, overwrite_x, inverse=False)


@transform
def ifft2(x, s=None, axes=LAST_TWO, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.ifft2`."""
    check_unused(workers, plan)
    return _c2c(x, lengths_nd(x, s, axes), norm, overwrite_x, inverse=True)


@transform
def rfft2(x, s=None, axes=LAST_TWO, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.rfft2`."""
    check_unused(workers, plan)
    return _r2c(x, lengths_nd(x, s, axes), norm, conj=False)


@transform
def irfft2(x, s=None, axes=LAST_TWO, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.irfft2`."""
    check_unused(workers, plan)
    return _c2r(x, half_nd(x, s, axes), norm, overwrite_x, conj=False)


@transform
def hfft2(x, s=None, axes=LAST_TWO, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.hfft2`."""
    check_unused(workers, plan)
    return _c2r(x, half_nd(x, s, axes), norm, overwrite_x, conj=True)


@transform
def ihfft2(x, s=None, axes=LAST_TWO, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As `scipy.fft.ihfft2`."""
    check_unused(workers, plan)
    return _r2c(x, lengths_nd(x, s, axes), norm, conj=True)
