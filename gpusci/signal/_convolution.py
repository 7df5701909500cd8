"""Convolution and correlation: the choice of method, n-d and 2-D forms, deconvolution."""

import functools
import math
import time

import numpy as np

import gpusci as gs
from gpusci.core import new, public
from gpusci.core.callers import warn
from gpusci.signal import _overlap_save
from gpusci.signal._direct import check_mode, correlate_direct, flipped, must_swap, output_shape
from gpusci.signal._fftconvolve import block_length, fftconvolve, oaconvolve
from gpusci.signal._lines import cast, contiguous

BOUNDARIES = {
    "fill": "Mode::constant", "pad": "Mode::constant", "wrap": "Mode::wrap", "circular": "Mode::wrap",
    "symm": "Mode::reflect", "symmetric": "Mode::reflect",
}  # fmt: skip
# Nanoseconds for one product of the direct method, for one point and level of a transform, and for starting the transforms:
# float32 on 2 threads of a host, and of an H200 from its rates (convolve_block.h, cuFFT; "frames": overlap_save.h).
COSTS = {"host": (0.03, 0.25, 1e5), "cuda": (7e-5, 5e-4, 5e4), "frames": (7e-5, 1.5e-4, 1e4)}
EXACT_IN_FLOAT64 = 2**52 - 1
EXACT_BY_FFT = 2**48  # sums: errors met are then up to a quarter of what rounding allows; in those of 2**50 some are too large
ALWAYS_DIRECT = 1 << 20  # products
EMPTY = "convolution of an empty array: every axis of in1 and in2 must have at least one element"


@public("in1", "in2")
def convolve(in1, in2, mode="full", method="auto"):
    """As `scipy.signal.convolve`. method="auto" takes the faster way on the device at hand; integers stay exact, for which their
    extremes are read back where a transform would be faster."""
    return _convolve(in1, in2, mode, method, "volume and kernel", conjugate=False)


@public("in1", "in2")
def correlate(in1, in2, mode="full", method="auto"):
    """As `scipy.signal.correlate`. method="auto" takes the faster way on the device at hand; integers stay exact, as in `convolve`."""
    return _convolve(in1, in2, mode, method, "in1 and in2", conjugate=True)


def _convolve(in1, in2, mode, method, names, conjugate):
    """Convolution, or with `conjugate` correlation: in2 conjugated and reversed."""
    if conjugate and in2.dtype.kind == "c":
        in2 = gs.conjugate(in2)
    if in1.ndim == in2.ndim == 0:
        return in1 * in2
    if in1.ndim != in2.ndim:
        raise ValueError(f"{names} should have the same dimensionality")
    check_mode(mode)
    swap = must_swap(mode, in1.shape, in2.shape)
    if method not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    if in1.size == 0 or in2.size == 0:
        return _of_nothing(in1, in2, mode, method)
    transform = fftconvolve
    if method == "auto":
        method, transform = _faster(in1, in2, mode), oaconvolve
    if method == "fft":
        return _by_fft(in1, flipped(in2) if conjugate else in2, mode, transform)
    window = in2 if conjugate else flipped(in2)
    if swap:  # the roles change, and with them the direction
        return contiguous(flipped(correlate_direct(window, in1, mode)))
    return correlate_direct(in1, window, mode)


def _of_nothing(in1, in2, mode, method):
    """Zeros, of which there may be none, where SciPy does not raise for an empty array; its types of exception where it does."""
    kinds = in1.dtype.kind + in2.dtype.kind
    by_numpy = in1.ndim == 1 and (mode != "same" or in1.size >= in2.size)
    if method == "fft" or by_numpy or method == "auto" and set(kinds) & set("iu"):
        raise (IndexError if method == "fft" else ValueError)(EMPTY)
    longer, other = (in2, in1) if mode == "full" and in2.size > in1.size else (in1, in2)
    if mode != "valid" and any(m == 0 and n != 1 for n, m in zip(longer.shape, other.shape)):
        raise ValueError(EMPTY)
    return gs.zeros(output_shape(mode, in1.shape, in2.shape), np.result_type(in1.dtype, in2.dtype), device=in1.device)


def _by_fft(in1, in2, mode, transform):
    dtype = in1.dtype if in1.dtype == in2.dtype else np.result_type(in1.dtype, in2.dtype)
    out = transform(in1, in2, mode=mode)
    if dtype.kind in "biu":
        out = gs.rint(out)
        out = out if dtype.itemsize == 8 else out.astype(np.int64)  # wraps as the direct method's sums do
    if out.device.kind == "host" and not np.isfinite(out.numpy().flat[0]):
        warn(
            "Use of fft convolution on input with NAN or inf results in NAN or inf output. Consider using method='direct' "
            "instead.",
            RuntimeWarning,
        )
    return cast(out, dtype)


def _faster(in1, in2, mode):
    """The method for `auto`: by cost, unless a transform would round integers."""
    kinds = in1.dtype.kind + in2.dtype.kind
    if kinds == "bb" or in1.size * in2.size <= ALWAYS_DIRECT:
        return "direct"
    in_frames = in1.ndim == 1 and _overlap_save.suits(in1, in2)
    if _direct_is_faster(in1.shape, in2.shape, mode, "frames" if in_frames else in1.device.kind):
        return "direct"
    # bool counts as exact; integers do unless their sums may be too large.
    return "direct" if set(kinds) & set("iu") and not _exact_by_fft(in1, in2) else "fft"


@functools.lru_cache(256)
def _direct_is_faster(shape1, shape2, mode, way):
    """By cost; way: of the transforms, a key of COSTS."""
    size1, size2 = math.prod(shape1), math.prod(shape2)
    full = [n + m - 1 for n, m in zip(shape1, shape2)]
    kept = full if mode == "full" else shape1 if mode == "same" else [abs(n - m) + 1 for n, m in zip(shape1, shape2)]
    outputs, taps = math.prod(kept), min(size1, size2)
    products = size1 * size2 if mode == "full" else outputs * taps  # of the full one only the overlaps are computed
    product, level, start = COSTS[way]
    work = _overlap_save.work(outputs, taps) if way == "frames" else _transform_work(shape1, shape2, full)
    return products * product <= work * level + start


def _transform_work(shape1, shape2, full):
    """Points times levels of the transforms of `oaconvolve`."""
    n, m = max(shape1[-1], shape2[-1]), min(shape1[-1], shape2[-1])
    length = block_length(n, m) if len(full) == 1 and m > 1 else 0
    if length:
        return 2 * -(-n // (length - m + 1)) * length * math.log2(length)
    points = math.prod(full)
    return 3 * points * math.log2(points + 1)


def _exact_by_fft(in1, in2):
    largest = [abs(int(a.max())) | abs(int(a.min())) if a.dtype.kind in "iub" else 1 for a in (in1, in2)]
    return largest[0] * largest[1] * min(in1.size, in2.size) <= EXACT_BY_FFT


@public("in1", "in2")
def choose_conv_method(in1, in2, mode="full", measure=False):
    """As `scipy.signal.choose_conv_method`: SciPy's own estimate, or with measure=True times taken on the arrays' device.
    Waits for that, and for the largest of integers.

    Raises ValueError or OverflowError, as SciPy, where one array is of integers and the other holds a NaN or an infinity.
    """
    if measure:
        times = {}
        for method in ("fft", "direct"):
            convolve(in1, in2, mode, method)
            best = math.inf
            for _ in range(3):
                in1.device.synchronize()
                start = time.perf_counter()
                convolve(in1, in2, mode, method)
                in1.device.synchronize()
                best = min(best, time.perf_counter() - start)
            times[method] = best
        return min(times, key=times.get), times
    if in1.dtype.kind in "iu" or in2.dtype.kind in "iu":
        largest = [int(gs.absolute(a).max()) for a in (in1, in2)]
        if largest[0] * largest[1] * min(in1.size, in2.size) > EXACT_IN_FLOAT64:
            return "direct"
    elif in1.dtype.kind == in2.dtype.kind == "b":
        return "direct"
    return _estimate(in1.shape, in2.shape, mode)


@functools.lru_cache(256)
def _estimate(shape1, shape2, mode):
    """SciPy's, which reads shapes only: arrays without memory stand for ours."""
    import scipy.signal

    return scipy.signal.choose_conv_method(np.broadcast_to(0.0, shape1), np.broadcast_to(0.0, shape2), mode=mode)


def correlation_lags(in1_len, in2_len, mode="full"):
    """As `scipy.signal.correlation_lags`: a NumPy array."""
    if mode == "full":
        return np.arange(-in2_len + 1, in1_len)
    if mode == "same":
        first = -in2_len + 1 + (in1_len + in2_len - 1) // 2 - in1_len // 2
        return np.arange(first, first + in1_len)
    if mode == "valid":
        surplus = in1_len - in2_len
        return np.arange(min(surplus, 0), max(surplus, 0) + 1)
    raise ValueError(f"Mode {mode} is invalid: use 'full', 'same' or 'valid'")


# ---- 2-D with boundaries
@public("in1", "in2")
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """As `scipy.signal.convolve2d`; always the direct method."""
    return _two_dimensional(in1, in2, mode, boundary, fillvalue, "convolve2d")


@public("in1", "in2")
def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """As `scipy.signal.correlate2d`; always the direct method."""
    return _two_dimensional(in1, in2, mode, boundary, fillvalue, "correlate2d")


def _two_dimensional(in1, in2, mode, boundary, fillvalue, name):
    if not in1.ndim == in2.ndim == 2:
        raise ValueError(f"{name} inputs must both be 2-D arrays")
    swap = must_swap(mode, in1.shape, in2.shape)
    check_mode(mode)
    if boundary not in BOUNDARIES:
        raise ValueError("Acceptable boundary flags are 'fill', 'circular' (or 'wrap'), and 'symmetric' (or 'symm').")
    dtype = in1.dtype if in1.dtype == in2.dtype else np.result_type(in1.dtype, in2.dtype)
    if dtype.char in "?e":
        raise ValueError(f"{name} is not available for {dtype}: convert the inputs, for example to float32")
    if name == "correlate2d" and in2.dtype.kind == "c":
        in2 = gs.conjugate(in2)
    if swap:
        in1, in2 = in2, in1
    window = in2 if name == "correlate2d" else flipped(in2)
    fill = None if isinstance(fillvalue, (int, float)) and fillvalue == 0 else _fill(fillvalue, dtype, in1.device)
    fill = fill if BOUNDARIES[boundary] == "Mode::constant" else None
    if fill is not None:
        in1 = cast(in1, dtype)
    if in1.size == 0 or in2.size == 0:
        return gs.zeros(output_shape(mode, in1.shape, in2.shape), dtype, device=in1.device)
    # SciPy centres windows of even length on the other middle element here than in `correlate`.
    origin = [(m - 1) // 2 for m in window.shape] if name == "correlate2d" and mode == "same" else None
    out = correlate_direct(in1, window, mode, BOUNDARIES[boundary], fill, origin)
    return contiguous(flipped(out)) if swap and name == "correlate2d" else out


def _fill(value, dtype, device):
    """SciPy's `fillvalue` on the device, None for zero."""
    if np.size(value) != 1:
        raise ValueError("`fillvalue` must be scalar or an array with one element.")
    if np.iscomplexobj(value) and dtype.kind != "c":
        raise ValueError(f"could not cast `fillvalue` directly to the output type, {dtype}: give a real value")
    value = np.asarray(gs.asnumpy(value) if hasattr(value, "device") else value).reshape(1)
    return gs.constant(value.astype(dtype), device) if value[0] != 0 else None


@public("signal", "divisor")
def deconvolve(signal, divisor):
    """As `scipy.signal.deconvolve`."""
    from gpusci.signal._iir import lfilter

    num, den = gs.atleast_1d(signal), gs.atleast_1d(divisor)
    for name, a in (("signal", num), ("divisor", den)):
        if a.ndim != 1 or a.size == 0:
            raise ValueError(f"Parameter {name} must be non-empty 1d array, but its shape is {a.shape}!")
    if den.size > num.size:
        return new(0, float, num.device), num
    # The impulse response of num / den, which is num through 1 / den.
    quotient = lfilter(np.ones(1), den, num[: num.size - den.size + 1])
    return quotient, num - convolve(den, quotient, mode="full")
