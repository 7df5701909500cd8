"""Discrete cosine and sine transforms of types 1 to 4, along one axis or several."""

import operator
from math import prod, sqrt

import numpy as np

import gpusci as gs
from gpusci.core.libraries import fft as library
from gpusci.core.libraries.host import host_first
from gpusci.fft import _host, _kernels
from gpusci.fft._arguments import INVERSE, as_float, check_norm, check_unused, fit, lengths_1d, lengths_nd
from gpusci.fft._backend import asking


def transform(func):
    return host_first("scipy.fft", "x", library=False, run=_host.way(func.__name__))(asking(func))


@transform
def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """As `scipy.fft.dct`. On a GPU through an FFT of the same length (type 1: twice the length)."""
    return _public(x, type, lengths_1d(x, n, axis), norm, orthogonalize, workers, sine=False, inverse=False)


@transform
def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """As `scipy.fft.idct`."""
    return _public(x, type, lengths_1d(x, n, axis), norm, orthogonalize, workers, sine=False, inverse=True)


@transform
def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """As `scipy.fft.dst`."""
    return _public(x, type, lengths_1d(x, n, axis), norm, orthogonalize, workers, sine=True, inverse=False)


@transform
def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """As `scipy.fft.idst`."""
    return _public(x, type, lengths_1d(x, n, axis), norm, orthogonalize, workers, sine=True, inverse=True)


@transform
def dctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """As `scipy.fft.dctn`."""
    return _public(x, type, lengths_nd(x, s, axes), norm, orthogonalize, workers, sine=False, inverse=False)


@transform
def idctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """As `scipy.fft.idctn`."""
    return _public(x, type, lengths_nd(x, s, axes), norm, orthogonalize, workers, sine=False, inverse=True)


@transform
def dstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """As `scipy.fft.dstn`."""
    return _public(x, type, lengths_nd(x, s, axes), norm, orthogonalize, workers, sine=True, inverse=False)


@transform
def idstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """As `scipy.fft.idstn`."""
    return _public(x, type, lengths_nd(x, s, axes), norm, orthogonalize, workers, sine=True, inverse=True)


def _public(x, kind, where, norm, orthogonalize, workers, *, sine, inverse):
    axes, lengths = where
    if not axes:
        return x  # as SciPy: no transform, no conversion, no check of what is not used
    check_unused(workers)
    check_norm(norm)
    kind = operator.index(INVERSE.get(kind, kind) if inverse else kind)
    if kind not in INVERSE:
        raise ValueError(f"type {kind!r} is not a transform type; use 1, 2, 3 or 4")
    if kind == 1 and not sine and min(lengths, default=2) < 2:
        raise RuntimeError("zero-length FFT requested: the cosine transform of type 1 needs at least 2 samples")
    ortho = norm == "ortho" if orthogonalize is None else bool(orthogonalize)
    x, _ = fit(as_float(x), axes, lengths)
    if x.dtype.kind == "c":
        y = gs.empty(x.shape, x.dtype, device=x.device)
        y.real[...] = _each_axis(x.real, kind, axes, norm, ortho, sine, inverse)
        y.imag[...] = _each_axis(x.imag, kind, axes, norm, ortho, sine, inverse)
        return y
    return _each_axis(x, kind, axes, norm, ortho, sine, inverse)


def _each_axis(x, kind, axes, norm, ortho, sine, inverse):
    for axis in axes:
        n = x.shape[axis]
        period = 2 * n if kind != 1 else 2 * n + 2 if sine else 2 * n - 2
        if norm == "ortho":
            scale = 1 / sqrt(period)
        else:
            scale = 1.0 if (norm == "forward") == inverse else 1 / period
        x = _TYPES[kind](gs.ascontiguousarray(x), axis, scale, ortho, int(sine))
    return x


# ---- one axis of a contiguous array. Layout: (outer, n, inner); spectra have n//2 + 1 in place of n.
def _with(x, axis, n, dtype=None):
    shape = (*x.shape[:axis], n, *x.shape[axis + 1 :])
    return gs.empty(shape, dtype or x.dtype, device=x.device)


def _line(x, axis):
    return x.shape[axis], prod(x.shape[axis + 1 :])


def _complex_of(x):
    return np.dtype(x.dtype.char.upper())


def _spectrum(v, axis):
    return gs.ascontiguousarray(library.r2c(v, (axis,)))


def _type1(x, axis, scale, ortho, sine):
    n, inner = _line(x, axis)
    v = _with(x, axis, 2 * n + 2 if sine else 2 * n - 2)
    _kernels.dct1_pre(v.size, (x.dtype,), x, v, n, inner, sine, sqrt(2) if ortho else 1.0)
    y = gs.empty(x.shape, x.dtype, device=x.device)
    _kernels.dct1_post(y.size, (x.dtype,), _spectrum(v, axis), y, n, inner, sine, scale, sqrt(0.5) if ortho else 1.0)
    return y


def _type2(x, axis, scale, ortho, sine):
    n, inner = _line(x, axis)
    v = gs.empty(x.shape, x.dtype, device=x.device)
    _kernels.dct2_pre(v.size, (x.dtype,), x, v, n, inner, sine)
    spectrum = _spectrum(v, axis)
    first = sqrt(0.5) if ortho else 1.0
    _kernels.dct2_post(spectrum.size, (x.dtype,), spectrum, v, n, inner, sine, scale, first)
    return v


def _type3(x, axis, scale, ortho, sine):
    n, inner = _line(x, axis)
    v = _with(x, axis, n // 2 + 1, _complex_of(x))
    first = sqrt(2) if ortho else 1.0
    _kernels.dct3_pre(v.size, (x.dtype,), x, v, n, inner, sine, scale, first)
    v = gs.ascontiguousarray(library.c2r(v, axis, n))
    y = gs.empty(x.shape, x.dtype, device=x.device)
    _kernels.dct3_post(y.size, (x.dtype,), v, y, n, inner, sine)
    return y


def _type4(x, axis, scale, ortho, sine):
    n, inner = _line(x, axis)
    y = gs.empty(x.shape, x.dtype, device=x.device)
    if n % 2 == 0:
        v = _with(x, axis, n // 2, _complex_of(x))
        _kernels.dct4_even_pre(v.size, (x.dtype,), x, v, n, inner, sine)
        v = gs.ascontiguousarray(library.c2c(v, (axis,), overwrite=True))
        _kernels.dct4_even_post(v.size, (x.dtype,), v, y, n, inner, sine, scale)
        return y
    v = gs.empty(x.shape, x.dtype, device=x.device)
    _kernels.dct4_odd_pre(v.size, (x.dtype,), x, v, n, inner, sine)
    _kernels.dct4_odd_post(y.size, (x.dtype,), _spectrum(v, axis), y, n, inner, sine, pow(n, -1, 8), pow(8, -1, n), scale)
    return y


_TYPES = {1: _type1, 2: _type2, 3: _type3, 4: _type4}
