"""Smoothing and detrending: Savitzky-Golay, median, Wiener and order filters, detrend."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import args, new, public
from gpusci.core.callers import warn
from gpusci.signal import _kernels
from gpusci.signal._direct import correlate_direct
from gpusci.signal._lines import contiguous, to_last
from gpusci.signal.windows import _deliver

REAL = {char: np.dtype(char.lower()) for char in "fdFD"}


# ---- Savitzky-Golay (Savitzky, Golay, Anal. Chem. 36 (1964) 1627)
def savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use="conv", *, xp=None, device=None):
    """As `scipy.signal.savgol_coeffs`."""
    if polyorder >= window_length:
        raise ValueError("polyorder must be less than window_length.")
    if pos is None:
        pos = window_length // 2 if window_length % 2 else window_length / 2 - 0.5
    if not 0 <= pos < window_length:
        raise ValueError("pos must be nonnegative and less than window_length.")
    if use not in ("conv", "dot"):
        raise ValueError("`use` must be 'conv' or 'dot'")
    if deriv > polyorder:
        return _deliver(np.zeros(window_length), xp, device)
    row = _fit(window_length, polyorder, deriv, float(delta), float(pos), 1)[0]
    return _deliver(row[::-1].copy() if use == "conv" else row.copy(), xp, device)


@functools.lru_cache(128)
def _fit(window, order, deriv, delta, start, count):
    """Matrix that maps `window` samples to the deriv-th derivative of their least-squares polynomial at
    start, start + 1, ... (`count` places).

    The polynomial is in u = (t - middle) / half on [-1, 1]: an orthonormal basis of the powers there stays well conditioned
    where powers of t do not.
    """
    middle, half = (window - 1) / 2, max((window - 1) / 2, 1.0)
    if deriv > order:
        return np.zeros((count, window))
    legendre = np.polynomial.legendre
    basis = legendre.legvander((np.arange(window) - middle) / half, order)
    places = start + np.arange(count)
    at = np.stack(
        [legendre.legval((places - middle) / half, legendre.legder(row, deriv)) for row in np.eye(order + 1)], axis=1
    )
    return at @ np.linalg.pinv(basis) / (half * delta) ** deriv


@public("x")
def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    """As `scipy.signal.savgol_filter`."""
    if mode not in ("mirror", "constant", "nearest", "interp", "wrap"):
        raise ValueError("mode must be 'mirror', 'constant', 'nearest' 'wrap' or 'interp'.")
    x = x.astype(np.float32 if x.dtype == np.float32 else np.float64, copy=False)
    coefficients = savgol_coeffs(window_length, polyorder, deriv, delta)
    if mode != "interp":
        return gs.ndimage.convolve1d(x, coefficients, axis=axis, mode=mode, cval=cval)
    axis = args.normalize_axis(axis, x.ndim)
    n, half = x.shape[axis], window_length // 2
    if window_length > n:
        raise ValueError("If mode is 'interp', window_length must be less than or equal to the size of x.")
    x = contiguous(x)
    y = gs.ndimage.convolve1d(x, coefficients, axis=axis, mode="constant")
    # At both ends the values of the polynomial through the first and last window.
    if half:
        ends = [_fit(window_length, polyorder, deriv, float(delta), start, half) for start in (0.0, float(window_length - half))]
        fits = gs.constant(np.concatenate(ends), x.device)
        inner = math.prod(x.shape[axis + 1 :])
        _kernels.fit_edges(x.size // n * 2 * half, (x.dtype,), x, y, fits, n, inner, window_length, half)
    return y


# ---- order statistics
def _median_size(kernel_size, ndim, short=IndexError):
    size = np.asarray([3] * ndim if kernel_size is None else kernel_size)
    size = np.repeat(size, ndim) if size.ndim == 0 else size
    if size.ndim > 1:
        raise ValueError("kernel_size must be a number or one number for each axis")
    if len(size) < ndim:
        raise short(f"kernel_size has {len(size)} numbers for {ndim} axes: give one for each")
    if any(k % 2 != 1 for k in size.tolist()[:ndim]):
        raise ValueError("Each element of kernel_size should be odd.")
    return size.tolist()


@public("volume", host=("kernel_size",))
def medfilt(volume, kernel_size=None):
    """As `scipy.signal.medfilt`."""
    volume = gs.atleast_1d(volume)
    if volume.dtype.kind not in "iu" and volume.dtype.char not in "fd":
        raise ValueError(f"dtype={volume.dtype} is not supported by medfilt: use integers, float32 or float64")
    size = _median_size(kernel_size, volume.ndim)
    if any(type(k) is bool for k in size):
        raise TypeError("kernel_size must be integers, not booleans")
    if any(k > n for k, n in zip(size, volume.shape)):
        warn("kernel_size exceeds volume extent: the volume will be zero-padded.")
    return gs.ndimage.rank_filter(volume, math.prod(size) // 2, size=size, mode="constant")


@public("input", host=("kernel_size",))
def medfilt2d(input, kernel_size=3):
    """As `scipy.signal.medfilt2d`."""
    if input.dtype.char not in "Bfd":
        return medfilt(input, kernel_size)
    if input.ndim != 2:
        raise ValueError(f"medfilt2d takes a 2-D image, not an array of {input.ndim} dimensions")
    if np.size(kernel_size) == 0:
        raise TypeError("kernel_size is empty: give an integer or two")
    size = [int(k) if type(k) is bool else k for k in _median_size(kernel_size, 2, short=ValueError)]
    return gs.ndimage.rank_filter(input, math.prod(size) // 2, size=size, mode="constant")


@public("a", host=("domain",))
def order_filter(a, domain, rank):
    """As `scipy.signal.order_filter`."""
    domain = np.asarray(domain)
    if any(n % 2 != 1 for n in domain.shape):
        raise ValueError("Each dimension of domain argument should have an odd number of elements.")
    if a.dtype.kind not in "iu" and a.dtype.char not in "fd":
        raise ValueError(f"dtype={a.dtype} is not supported by order_filter: use integers, float32 or float64")
    return gs.ndimage.rank_filter(a, rank, footprint=domain, mode="constant")


# ---- Wiener
def _window_size(mysize, ndim):
    """One length for each axis. Raises SciPy's TypeError for what is no integer, ValueError for other numbers of them or below 1."""
    size = np.asarray([3] * ndim if mysize is None else mysize)
    size = np.repeat(size, ndim) if size.ndim == 0 else size
    if size.size and (size.dtype.kind not in "iu" or size.ndim > 1):
        raise TypeError("mysize must be an integer or one for each axis")
    if len(size) != ndim or (size < 1).any():
        raise ValueError(f"mysize must be one length of at least 1 for each of {ndim} axes, not {size.tolist()}")
    return size.tolist()


@public("im", host=("mysize",))
def wiener(im, mysize=None, noise=None):
    """As `scipy.signal.wiener`."""
    size = _window_size(mysize, im.ndim)
    im = im.astype(np.result_type(im.dtype, float), copy=False)
    if im.dtype == float and not np.iscomplexobj(noise):
        return _shrunk(contiguous(im), size, noise)
    mean, variance = (_box_sum(a, size) / math.prod(size) for a in (im, im * im))
    variance -= mean * mean
    if noise is None:
        noise = variance.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = noise / variance
    result = im - mean
    result *= gs.subtract(1, gain, out=gain)
    result += mean
    gs.copyto(result, mean, where=variance <= noise)
    return result


def _shrunk(x, size, noise):
    """The filter of float64 data, in few passes."""
    mean, variance, y = _box_sum(x, size), _box_sum(x * x, size), new(x.shape, x.dtype, x.device)
    _kernels.box_moments(x.size, (), mean, variance, float(math.prod(size)))
    noise = variance.mean() if noise is None else gs.asarray(noise, float, device=x.device)
    if noise.size != 1:
        noise = contiguous(gs.broadcast_to(noise, x.shape))
    _kernels.shrink(x.size, (), x, mean, variance, noise, y, int(noise.size != 1))
    return y


def _box_sum(x, size):
    """Sums over boxes, zeros outside. A large box goes axis by axis."""
    if x.ndim == 0:
        return x.copy()
    boxes = [size] if math.prod(size) <= 16 else [[n if a == axis else 1 for a in range(x.ndim)] for axis, n in enumerate(size)]
    for box in boxes:
        x = correlate_direct(x, gs.constant(np.ones(box), x.device), "same")
    return x


# ---- trends
@public("data", host=("bp",))
def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    """As `scipy.signal.detrend`; the data is never overwritten."""
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    if type in ("constant", "c"):
        if data.device.uses_numpy and data.dtype.char in "fdFD" and data.size and isinstance(axis, int):
            return _without_mean(contiguous(data), args.normalize_axis(axis, data.ndim))
        return data - data.mean(axis=axis, keepdims=True)
    axis = args.normalize_axis(axis, data.ndim)
    n = data.shape[axis]
    breaks = np.unique(np.concatenate([np.atleast_1d(bp), [0, n]]))
    if (breaks > n).any():
        raise ValueError("Breakpoints must be less than length of data along given axis.")
    dtype = data.dtype if data.dtype.char in "fdFD" else np.dtype(float)
    out = new(data.shape, dtype, data.device)
    source, target = to_last(data, axis), to_last(out, axis)
    for start, stop in zip(breaks[:-1].tolist(), breaks[1:].tolist()):
        target[..., start:stop] = _without_line(source[..., start:stop], np.result_type(dtype, float))
    return out


def _without_mean(x, axis):
    """In one pass, which pays on a host."""
    y = new(x.shape, x.dtype, x.device)
    parts = 2 if x.dtype.kind == "c" else 1
    n, inner = x.shape[axis], math.prod(x.shape[axis + 1 :]) * parts
    blocks = -(-inner // 64)
    cost = 0.5 * n * min(inner, 64)
    _kernels.remove_mean(x.size * parts // (n * inner) * blocks, (REAL[x.dtype.char],), x, y, n, inner, blocks, cost=cost)
    return y


def _without_line(piece, wide):
    """Minus the least-squares line along the last axis, with sums in double."""
    n = piece.shape[-1]
    piece = piece.astype(wide, copy=False)
    rest = piece - piece.mean(axis=-1, keepdims=True)
    if n == 1:
        return rest
    time = gs.arange(n, device=piece.device) - (n - 1) / 2
    slope = (rest * time).sum(axis=-1, keepdims=True) * (12.0 / (n * (n * n - 1.0)))
    return rest - slope * time
