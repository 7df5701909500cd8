"""Filters in the Fourier domain."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import args, public
from gpusci.ndimage import _kernels
from gpusci.ndimage._arrays import contiguous, empty, host, overlap, sequence, store

__all__ = ["fourier_ellipsoid", "fourier_gaussian", "fourier_shift", "fourier_uniform"]

CACHED = 4096           # coordinates up to which tables of factors are kept, on the host

_GAUSSIAN, _BOX, _RADIUS, _PHASE = range(4)


@public("input")
def fourier_gaussian(input, sigma, n=-1, axis=-1, output=None):
    """As `scipy.ndimage.fourier_gaussian`. sigma in samples; n >= 0: a real transform of length n was taken along `axis`."""
    return _filter(_kernels.fourier_product, _GAUSSIAN, input, sigma, n, axis, output)


@public("input")
def fourier_uniform(input, size, n=-1, axis=-1, output=None):
    """As `scipy.ndimage.fourier_uniform`. size in samples; n as in `fourier_gaussian`."""
    return _filter(_kernels.fourier_product, _BOX, input, size, n, axis, output)


@public("input")
def fourier_ellipsoid(input, size, n=-1, axis=-1, output=None):
    """As `scipy.ndimage.fourier_ellipsoid`, for 1 to 3 axes (NotImplementedError beyond). size: diameters in samples."""
    if input.ndim > 3:
        raise NotImplementedError("Only 1d, 2d and 3d inputs are supported")
    return _filter(_kernels.fourier_radius, _RADIUS, input, size, n, axis, output)


@public("input")
def fourier_shift(input, shift, n=-1, axis=-1, output=None):
    """As `scipy.ndimage.fourier_shift`. shift in samples; n as in `fourier_gaussian`."""
    return _filter(_kernels.fourier_phase, _PHASE, input, shift, n, axis, output)


def _output(output, input, kind):
    """Raises RuntimeError, as SciPy, for a shape or dtype that cannot take the result."""
    kept = "FD" if kind == _PHASE else "fFD"
    if input.dtype.char == "e":
        raise RuntimeError("data type not supported; convert float16 first, for example with astype('float32')")
    if output is None:
        default = np.complex128 if kind == _PHASE else np.float64
        return empty(input, input.dtype if input.dtype.char in kept else np.dtype(default))
    if isinstance(output, (str, type, np.dtype)):
        dtype = np.dtype(output)
        if dtype.char not in ("FD" if kind == _PHASE else "fdFD"):
            raise RuntimeError(f"output type not supported: {dtype}")
        output = empty(input, dtype)
    if output.shape != input.shape:
        raise RuntimeError("output shape not correct")
    if output.dtype.char not in "fdFD" or output.dtype.kind != "c" and (input.dtype.kind == "c" or kind == _PHASE):
        raise RuntimeError(f"data type not supported: a result of {input.dtype} input does not fit {output.dtype}")
    return output


def _filter(row, kind, input, size, n, axis, output):
    output = _output(output, input, kind)
    if output.size == 0:
        return output
    axis = args.normalize_axis(axis, input.ndim)
    sizes = tuple([float(value) for value in sequence(size, input.ndim)])
    x, shape, n = contiguous(input), input.shape, int(host(n))
    cached = x.device.kind == "host" and sum(shape) <= CACHED
    table, first = (_tables if cached else _tables.__wrapped__)(shape, sizes, kind, axis if n >= 0 else -1, n, x.device)
    usable = output.flags.c_contiguous and (output is input or not overlap(x, output))
    y = output if usable else empty(x, output.dtype)
    row(math.prod(shape), (x.dtype, y.dtype, len(shape)), x, y, table, shape, first)
    return y if usable else store(y, output)


@functools.lru_cache(64)
def _tables(shape, sizes, kind, real_axis, n, device):
    """The factors of every axis, one after the other, and where each axis' start."""
    table = gs.empty(sum(shape), np.complex128 if kind == _PHASE else np.float64, device=device)
    first = tuple([sum(shape[:d]) for d in range(len(shape))])
    for d, length in enumerate(shape):
        real = d == real_axis
        _kernels.fourier_table(length, (), table[first[d] :], length, n if real else length, real, kind, sizes[d])
    return table, first
