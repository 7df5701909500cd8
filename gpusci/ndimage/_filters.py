"""Linear filters: correlation, convolution, Gaussian and uniform. As in SciPy every sum is in double, whatever the dtype."""

import functools
import math
import numbers
import operator

import numpy as np

from gpusci.core import args, constant, ndarray, public, to_array
from gpusci.ndimage import _blocks, _kernels
from gpusci.ndimage._arrays import (
    CONSTANT_NUMBERS,
    FLOAT64,
    check_axes,
    check_cval,
    check_dtypes,
    contiguous,
    cost,
    direct,
    empty,
    fills,
    get_output,
    host,
    mode_number,
    one_mode,
    overlap,
    real_dtype,
    sequence,
    store,
    table,
)
from gpusci.ndimage._passes import Pass, run
from gpusci.ndimage._windows import CACHED_TAPS, Geometry, Window, check_origins, spread, spread_origin

__all__ = [
    "convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d", "uniform_filter",
    "uniform_filter1d",
]  # fmt: skip


# ---- one axis
@public("input")
def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """As `scipy.ndimage.correlate1d`. Weights on the GPU stay there unless the output is integer (that waits for them).

    Raises RuntimeError for weights that are not a line, ValueError for an origin outside it.
    """
    return _line(input, _weights(weights, input.device), axis, output, mode, cval, origin, conjugate=True)


@public("input")
def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """As `scipy.ndimage.convolve1d`: `correlate1d` with the weights reversed."""
    weights = _weights(weights, input.device)
    if weights.ndim == 1:
        weights = weights[::-1]
        origin = -operator.index(origin) - (weights.shape[0] % 2 == 0)
    return _line(input, weights, axis, output, mode, cval, origin, conjugate=False)


def _weights(weights, device):
    """Weights as float64 or complex128 (float32 too on a device): on the device if they lie there, else a NumPy array."""
    if type(weights) is not np.ndarray:
        if hasattr(weights, "__dlpack__") and not isinstance(weights, (ndarray, np.ndarray, np.generic)):
            weights = to_array(weights)
        if isinstance(weights, ndarray) and weights.device is not device:
            weights = weights.numpy()
        elif not isinstance(weights, ndarray):
            weights = np.asarray(weights)
    if weights.dtype.char in "dD" and weights.dtype.isnative or weights.dtype.char == "f" and isinstance(weights, ndarray):
        return weights
    return weights.astype(np.complex128 if weights.dtype.kind == "c" else FLOAT64)


def _line(input, weights, axis, output, mode, cval, origin, conjugate):
    is_complex = input.dtype.kind == "c" or weights.dtype.kind == "c"
    output = get_output(output, input, complex_output=is_complex)
    check_cval(input, weights, cval)
    if weights.ndim != 1 or weights.shape[0] < 1:
        raise RuntimeError("no filter weights given; weights must be one-dimensional with at least one element")
    axis, origin = args.normalize_axis(axis, input.ndim), operator.index(origin)

    def filter(weights, output, fills):
        return run(input, output, [_line_pass(weights, axis, origin, mode, output)], fills)

    if weights.dtype.kind == "c":
        return _complex_weights(filter, input, weights, output, cval, conjugate)
    return filter(weights, output, fills(cval, is_complex))


def _line_pass(weights, axis, origin, mode, output):
    """The pass with some weights; where these are on the device they stay there, unless the result is truncated.

    Only truncated results depend beyond the last bit on whether the kernel folds symmetric weights about their centre.
    """
    if isinstance(weights, ndarray):
        if real_dtype(output).kind == "f":
            size = weights.shape[0]
            check_origins([origin], [size], "Invalid origin")
            weights = contiguous(weights.astype(FLOAT64, copy=False))
            return Pass("correlate1d", axis, size, size // 2 + origin, mode_number(mode), weights)
        weights = weights.numpy()
    work = _host_pass if weights.size <= CACHED_TAPS else _host_pass.__wrapped__
    return work(weights.tobytes(), axis, origin, mode_number(mode))


@functools.lru_cache(256)
def _host_pass(weights, axis, origin, number):
    weights = np.frombuffer(weights, FLOAT64)
    check_origins([origin], [weights.size], "Invalid origin")
    return Pass("correlate1d", axis, weights.size, weights.size // 2 + origin, number, weights, _symmetry(weights))


def _complex_weights(filter, input, weights, output, cval, conjugate):
    """Two filters with real weights, w.real and w.imag, in double; then a + i b (a - i b to conjugate the weights)."""
    both = fills(cval, input.dtype.kind == "c")
    check_dtypes(input)
    wide = np.dtype(np.complex128) if input.dtype.kind == "c" else FLOAT64
    a = filter(weights.real, empty(input, wide), both)
    b = filter(-weights.imag if conjugate else weights.imag, empty(input, wide), both)
    y = output if output.flags.c_contiguous else empty(output, output.dtype)
    _kernels.combine(y.size, (wide, y.dtype), a, b, y)
    return store(y, output)


def _symmetry(w):
    """SciPy's criterion: odd length, mirrored weights equal or opposite within DBL_EPSILON."""
    half = len(w) // 2
    if len(w) % 2 == 0:
        return 0
    left, right, eps = w[:half], w[:half:-1], np.finfo(float).eps
    if np.all(np.abs(left - right) <= eps):
        return 1
    return -1 if np.all(np.abs(left + right) <= eps) else 0


# ---- Gaussian
@public("input")
def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    """As `scipy.ndimage.gaussian_filter1d`. sigma and radius in samples. Raises ValueError for a negative order or radius."""
    is_complex = input.dtype.kind == "c"
    output = get_output(output, input, complex_output=is_complex)
    axis = args.normalize_axis(axis, input.ndim)
    return run(input, output, [_gaussian_pass(sigma, axis, order, mode, truncate, radius)], fills(cval, is_complex))


@public("input")
def gaussian_filter(
    input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None
):
    """As `scipy.ndimage.gaussian_filter`: one pass an axis, each rounded to the output's dtype. sigma, radius in samples."""
    return gaussian(input, sigma, order, output, mode, cval, truncate, radius, axes)


def gaussian(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, radius=None, axes=None):
    """`gaussian_filter` on gpusci arrays, for the filters made of it."""
    is_complex = input.dtype.kind == "c"
    output = get_output(output, input, complex_output=is_complex)
    axes = check_axes(axes, input.ndim)
    values = [sequence(value, len(axes)) for value in (sigma, order, mode, radius)]
    steps = [
        _gaussian_pass(sigma, axis, order, mode, truncate, radius)
        for axis, sigma, order, mode, radius in zip(axes, *values, strict=True)
        if sigma > 1e-15
    ]
    return run(input, output, steps, fills(cval, is_complex))


def _gaussian_pass(sigma, axis, order, mode, truncate, radius):
    sigma = float(sigma)
    if radius is None:
        radius = int(truncate * sigma + 0.5)
    elif not isinstance(radius, numbers.Integral) and not (isinstance(radius, ndarray) and radius.dtype.kind in "iu"):
        raise ValueError("Radius must be a nonnegative integer.")
    radius = int(radius)
    if radius < 0:
        raise ValueError("Radius must be a nonnegative integer.")
    work = _gaussian_taps if radius <= CACHED_TAPS else _gaussian_taps.__wrapped__
    return work(sigma, operator.index(order), radius, axis, mode_number(mode))


@functools.lru_cache(256)
def _gaussian_taps(sigma, order, radius, axis, number):
    weights, fold = gaussian_weights(sigma, order, radius)
    return Pass("correlate1d", axis, 2 * radius + 1, radius, number, weights, fold)


@functools.lru_cache(256)
def gaussian_weights(sigma, order, radius):
    """Weights for a correlation with the order-th derivative of a Gaussian, and their symmetry (see `_folded`).

    The derivative is q(x) exp(-x^2 / 2 sigma^2) with q <- q' - x q / sigma^2 at each order; the sum of the Gaussian's samples is 1.
    """
    if order < 0:
        raise ValueError("order must be non-negative")
    x = np.arange(-radius, radius + 1)
    gauss = np.exp(-0.5 / (sigma * sigma) * x**2)
    gauss = gauss / gauss.sum()
    if order:
        q = np.zeros(order + 1)
        q[0] = 1
        power = np.arange(order + 1)
        for _ in range(order):
            derivative = np.append(q[1:] * power[1:], 0.0)
            q = derivative - np.append(0.0, q[:-1]) / (sigma * sigma)
        gauss = (x[:, None] ** power).dot(q) * gauss
    weights = np.ascontiguousarray(gauss[::-1])
    weights.flags.writeable = False
    return weights, _symmetry(weights)


# ---- uniform
@public("input")
def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """As `scipy.ndimage.uniform_filter1d`, but each window is summed on its own: a NaN stays in the windows that hold it."""
    is_complex = input.dtype.kind == "c"
    step = window_pass("uniform", args.normalize_axis(axis, input.ndim), size, origin, mode)
    return run(input, get_output(output, input, complex_output=is_complex), [step], fills(cval, is_complex))


@public("input")
def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """As `scipy.ndimage.uniform_filter`, with NaN kept local as in `uniform_filter1d`."""
    is_complex = input.dtype.kind == "c"
    output = get_output(output, input, complex_output=is_complex)
    steps = window_passes("uniform", check_axes(axes, input.ndim), size, origin, mode)
    return run(input, output, steps, fills(cval, is_complex))


def window_passes(kernel, axes, size, origin, mode):
    """The passes of a separable filter: one for each of `axes` along which the window is wider than 1."""
    if type(size) is type(origin) is int and type(mode) is str:
        return _equal_passes(kernel, axes, size, origin, mode)
    values = [sequence(value, len(axes)) for value in (size, origin, mode)]
    return [
        window_pass(kernel, axis, int(size), origin, mode)
        for axis, size, origin, mode in zip(axes, *values, strict=True)
        if size > 1
    ]


@functools.lru_cache(256)
def _equal_passes(kernel, axes, size, origin, mode):
    return tuple([window_pass(kernel, axis, size, origin, mode) for axis in axes if size > 1])


def window_pass(kernel, axis, size, origin, mode):
    """A pass over windows of `size` samples. Raises RuntimeError for an empty one, ValueError for an origin outside it."""
    if type(size) is type(origin) is int and type(mode) is str:
        return _window_pass(kernel, axis, size, origin, mode)
    return _window_pass.__wrapped__(kernel, axis, operator.index(host(size)), operator.index(host(origin)), mode)


@functools.lru_cache(256)
def _window_pass(kernel, axis, size, origin, mode):
    if size < 1:
        raise RuntimeError("incorrect filter size; it must be at least 1")
    check_origins([origin], [size])
    return Pass(kernel, axis, size, size // 2 + origin, mode_number(mode))


# ---- weights of any shape
@public("input")
def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """As `scipy.ndimage.correlate`. Weights on the GPU stay there."""
    return _any_shape(input, weights, output, mode, cval, origin, axes, convolution=False)


@public("input")
def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """As `scipy.ndimage.convolve`. Weights on the GPU stay there."""
    return _any_shape(input, weights, output, mode, cval, origin, axes, convolution=True)


def _any_shape(input, weights, output, mode, cval, origin, axes, convolution):
    weights = _weights(weights, input.device)
    is_complex = input.dtype.kind == "c" or weights.dtype.kind == "c"
    output = get_output(output, input, complex_output=is_complex)
    check_cval(input, weights, host(cval))
    axes = check_axes(axes, input.ndim)
    weights = spread(weights, axes, input.ndim, "weights")
    origins = spread_origin(origin, axes, input.ndim)
    flip = convolution and isinstance(weights, ndarray) and weights.dtype.kind != "c"    # then the kernel turns them round
    if convolution:
        if not flip:
            weights = weights[(slice(None, None, -1),) * weights.ndim]
        origins = [-o - (n % 2 == 0) for o, n in zip(origins, weights.shape, strict=True)]
    check_origins(origins, weights.shape, "Invalid origin")
    number = one_mode(mode)

    def filter(weights, output, fills):
        return correlate_taps(input, weights, output, number, origins, fills, flip)

    if weights.dtype.kind == "c":
        return _complex_weights(filter, input, weights, output, cval, conjugate=not convolution)
    return filter(weights, output, fills(cval, input.dtype.kind == "c"))


def correlate_taps(input, weights, output, mode, origins, both, flip=False):
    """Correlation with real weights, one axis per array axis, on gpusci arrays; `flip` reverses weights on the device."""
    check_dtypes(input, output)
    if input.size == 0:
        return output
    x, parts = contiguous(input), 2 if input.dtype.kind == "c" else 1
    y = output if output.flags.c_contiguous and not overlap(x, output) else empty(x, output.dtype)
    x_dtype, y_dtype = real_dtype(x), real_dtype(y)
    if not direct(x_dtype, y_dtype):
        y, y_dtype = empty(x, FLOAT64), FLOAT64
    if isinstance(weights, ndarray):
        weights = contiguous(weights)
    if _correlate_block(x, y, x_dtype, y_dtype, weights, mode, origins, both, flip):
        return store(y, output)
    if isinstance(weights, ndarray):            # the kernel passes over weights that do not count
        window, w = Window(weights.shape, None, weights.size), weights
    else:
        work = _counted if weights.size <= CACHED_TAPS else _counted.__wrapped__
        window, w = work(weights.tobytes(), weights.shape)
        w = table(w, x.device)
    geometry = Geometry(x.shape, parts, window, origins, mode)
    n = math.prod(x.shape) * parts
    types = (x_dtype, y_dtype, w.dtype, geometry.rank)
    _kernels.correlate(n, types, x, y, geometry.words, both, geometry.on(x.device), w, flip, cost=cost(geometry.words[-2]))
    return store(y, output)


@functools.lru_cache(256)
def _counted(weights, shape):
    """The Window of the weights that count, and these."""
    weights = np.frombuffer(weights, FLOAT64)
    counted = np.flatnonzero(np.abs(weights) > np.finfo(float).eps)
    return Window(shape, counted.astype(np.int64).tobytes(), counted.size), weights[counted]


def _correlate_block(x, y, x_dtype, y_dtype, weights, mode, origins, both, flip):
    """Run the block kernel where it fits; whether it did."""
    if not _blocks.has_blocks(x.device) or x.dtype.kind == "c":
        return False
    shared = _blocks.shared_size(x_dtype)
    if mode in CONSTANT_NUMBERS and not _blocks.holds(both[0], shared):
        return False
    geometry = Geometry(x.shape, 1, Window(weights.shape, None, weights.size), origins, mode)
    found = _blocks.plane(geometry.words, geometry.rank, 256, 36864 // shared)
    if found is None:
        return False
    blocks, field = found
    w = weights if isinstance(weights, ndarray) else constant(weights, x.device)
    _kernels.correlate_block(blocks, (x_dtype, y_dtype, w.dtype), x, y, field, both[0], w, flip)
    return True
