"""B-spline coefficients and filters with mirror-symmetric ends (Unser, Aldroubi, Eden, IEEE Trans. SP 41 (1993) 821)."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import from_numpy, new, public
from gpusci.signal import _kernels
from gpusci.signal._iir import lfilter, sosfilt
from gpusci.signal._lines import contiguous, strides

CUBIC, QUADRATIC = -2 + math.sqrt(3), -3 + 2 * math.sqrt(2)  # the poles inside the unit circle
SHORT = 1 << 16  # samples: below, calls cost a host more than the work


def _floating(x):
    """As SciPy promotes: float16 to float32, integers and booleans to float64."""
    return x if x.dtype.char in "fdFD" else x.astype(np.float32 if x.dtype.char == "e" else np.float64)


def _in_one_go(x):
    """Whether one kernel of splines.h filters x, instead of recurrences, sums and copies of its own that each cost a call."""
    return x.device.uses_numpy and x.size < SHORT and x.ndim <= 2


def _weighted(x, weights):
    """Sum along the last axis of the first len(weights) samples times the weights; keeps that axis."""
    kind = x.dtype if np.iscomplexobj(weights) else x.dtype.char.lower()
    table = gs.constant(np.asarray(weights, kind), x.device)
    return (x[..., : len(weights)] * table).sum(axis=-1, keepdims=True)


def _terms(weight, n, precision, radius):
    """weight(k) for k = 0, 1 ... up to the first within `precision`, or NaN. Raises ValueError where n samples do not reach that.

    All n of them without a precision; radius^k is what becomes too small for floats, and slow before it does.
    """
    if precision is None:
        weights = np.zeros(n, np.result_type(weight(np.zeros(1)), float))
        count = min(n, int(-746 / math.log(radius)) + 2) if 0 < radius < 1 else n
        weights[:count] = weight(np.arange(count, dtype=float))
        return weights
    size = 64
    while True:
        weights = weight(np.arange(min(size, n), dtype=float))
        small = np.flatnonzero(~(np.abs(weights) > precision))
        if small.size or size >= n:
            break
        size *= 8
    if small.size == 0 or small[0] >= n - 1:
        raise ValueError("Sum to find symmetric boundary conditions did not converge.")
    return weights[: small[0] + 1]


# ---- first order: c0 / ((1 - z1 z^-1) (1 - z1 z))
@functools.lru_cache(16)
def _first_order_tables(c0, z1, n, kind, precision):
    """Weights of the mirrored past, and the table of the kernel."""
    with np.errstate(under="ignore"):
        weights = _terms(lambda k: z1 ** (k + 1), n, precision, abs(z1))
    head = np.array([z1, c0, -c0 / (z1 - 1.0)], kind)
    table = np.concatenate([head, weights.astype(kind)])
    return weights, table.astype(np.result_type(kind, float))


def _first_order(x, c0, z1, precision):
    """Forward from the sum of the mirrored past, then backward from its closed form."""
    kind = x.dtype
    weights, table = _first_order_tables(c0, z1, x.shape[-1], kind, precision)
    if _in_one_go(x):
        return _by_lines(_kernels.symmetric_order1, x, table, len(weights))
    start = x[..., :1] + _weighted(x, weights)
    one, a = np.ones(1, kind), np.array([1, -z1], kind)
    forward = lfilter(one, a, x[..., 1:], zi=start * kind.type(z1))[0]
    forward = gs.concatenate([start, forward], axis=-1)
    last = forward[..., -1:] * kind.type(-c0 / (z1 - 1.0))
    back = lfilter(np.array([c0], kind), a, forward[..., -2::-1], zi=last * kind.type(z1))[0]
    return gs.concatenate([gs.flip(back, -1), last], axis=-1)


def _by_lines(row, x, table, terms):
    y = new(x.shape, x.dtype, x.device)
    *lines, n = x.shape
    count = lines[0] if lines else 1
    places = strides(x) + strides(y) if lines else (0, x.strides[0] // x.itemsize, 0, 1)
    row(count, (x.dtype,), x, y, gs.constant(table, x.device), *places, n, terms)
    return y


def _default_precision(precision, dtype):
    if 0 < precision <= 1:
        return precision
    return 1e-6 if dtype.char in "fF" else 1e-11


@public("signal")
def symiirorder1(signal, c0, z1, precision=-1.0):
    """As `scipy.signal.symiirorder1`. With a complex z1 or c0 the result is complex."""
    x = _floating(signal)
    if abs(z1) >= 1:
        raise ValueError("|z1| must be less than 1.0")
    if x.ndim > 2:
        raise ValueError("Input must be 1D or 2D")
    if isinstance(z1, complex) or isinstance(c0, complex) or np.iscomplexobj(z1) or np.iscomplexobj(c0):
        x, z1, c0 = x.astype(np.result_type(x.dtype, np.complex64), copy=False), complex(z1), complex(c0)
    else:
        z1, c0 = float(z1), float(c0)
    return _first_order(x, c0, z1, _default_precision(precision, x.dtype))


# ---- second order with poles r exp(+-i omega)
def _causal(k, cs, r, omega):
    """Impulse response of the causal half at k >= 0."""
    if omega == 0:
        return cs * r**k * (k + 1)
    if omega == math.pi:
        return cs * (-r) ** k * (k + 1)
    return cs * r**k * np.sin(omega * (k + 1)) / math.sin(omega)


def _symmetric(k, cs, r, omega):
    """Impulse response of the whole filter at any k."""
    k, rsq = np.abs(k), r * r
    if omega in (0.0, math.pi):
        sign = 1.0 if omega == 0 else (-1.0) ** k
        gain = cs * cs * (1 + rsq) / (1 - rsq) ** 3
        return gain * r**k * (1 + (1 - rsq) / (1 + rsq) * k) * sign
    gain = cs * cs * (1 + rsq) / (1 - rsq) / (1 - 2 * rsq * math.cos(2 * omega) + rsq**2)
    return gain * r**k * (np.cos(omega * k) + (1 - rsq) / (1 + rsq) / math.tan(omega) * np.sin(omega * k))


@functools.lru_cache(16)
def _second_order_tables(r, omega, n, kind, precision):
    """cs; factors of x[0] in the first output, of x[0] and x[1] in the second;
    weights of the first two and of the last two outputs; the table of the kernel."""
    cs = 1 - 2 * r * math.cos(omega) + r * r
    hc = lambda k: _causal(k, cs, r, omega)
    hs = lambda k: _symmetric(k, cs, r, omega)
    root = None if precision is None else math.sqrt(precision)  # SciPy compares the square here
    with np.errstate(under="ignore"):
        weights = [
            _terms(lambda k: hc(k + 1), n, precision, r), _terms(lambda k: hc(k + 2), n, precision, r),
            _terms(lambda k: hs(k) + hs(k + 1), n, root, r), _terms(lambda k: hs(k - 1) + hs(k + 2), n, root, r),
        ]  # fmt: skip
    h0, h1 = kind.type(hc(0.0)), kind.type(hc(1.0))
    starts = [h0, h1, h0] if precision is not None else [h0, h0, h1]  # SciPy's one-dimensional function takes these
    head = np.array([cs, 2 * r * math.cos(omega), -r * r, *starts], kind)
    table = np.concatenate([head, *(w.astype(kind) for w in weights)])
    return cs, starts, weights, table.astype(np.result_type(kind, float))


def _second_order(x, r, omega, precision):
    """Forward from the mirrored past of the first two samples, then backward from that of the last two."""
    kind = x.dtype
    cs, starts, weights, table = _second_order_tables(r, omega, x.shape[-1], kind, precision)
    if _in_one_go(x) and x.shape[-1] > 1:
        return _by_lines(_kernels.symmetric_order2, x, table, [len(w) for w in weights])
    first = x[..., :1] * starts[0] + _weighted(x, weights[0])
    second = x[..., :1] * starts[1] + x[..., 1:2] * starts[2] + _weighted(x, weights[1])
    sos = np.array([[cs, 0, 0, 1, -2 * r * math.cos(omega), r * r]], kind)
    forward = gs.concatenate([first, second, _run_section(sos, x[..., 2:], first, second)], axis=-1)
    mirrored = x[..., ::-1]
    last, before = _weighted(mirrored, weights[2]), _weighted(mirrored, weights[3])
    back = _run_section(sos, forward[..., -3::-1], last, before)
    return gs.concatenate([gs.flip(back, -1), before, last], axis=-1)


@public("input")
def symiirorder2(input, r, omega, precision=-1.0):
    """As `scipy.signal.symiirorder2`."""
    x = _floating(input)
    if r >= 1.0:
        raise ValueError("r must be less than 1.0")
    if x.ndim > 2:
        raise ValueError("Input must be 1D or 2D")
    return _second_order(x, float(r), float(omega), _default_precision(precision, x.dtype))


def _run_section(sos, x, older, newer):
    """A section without zeros from its two last outputs on."""
    a1, a2 = sos[0, 4], sos[0, 5]
    zi = gs.concatenate([newer * -a1 + older * -a2, newer * -a2], axis=-1)
    return sosfilt(sos, x, zi=gs.expand_dims(zi.astype(x.dtype, copy=False), 0))[0]


def _along_both(filter_rows, x):
    return contiguous(filter_rows(filter_rows(x).T).T)


# ---- B-spline coefficients
def _one_line(x):
    """Raises SciPy's types of exception for what is not one line of samples."""
    if x.ndim == 0:
        raise TypeError("the signal is a number: give at least one sample in a 1-D array")
    if x.ndim > 1:
        raise ValueError(f"the signal must be 1-D, not of {x.ndim} dimensions")
    if x.size == 0:
        raise IndexError("the signal is empty: give at least one sample")


def _coefficients(x, pole, gain):
    """One-dimensional coefficients, with the mirrored past summed to the end."""
    _one_line(x)
    x = x.astype(np.result_type(x.dtype, float), copy=False)
    n = x.shape[-1]
    if n == 1:
        return (x + x * pole) * (pole / (pole - 1))
    return _first_order(x, -pole, pole, None) * gain


def _smoothing_pole(lamb):
    """Radius and angle of the poles of the smoothing spline filter with parameter lamb > 1/144."""
    root = math.sqrt(3 + 144 * lamb)
    xi = 1 - 96 * lamb + 24 * lamb * root
    omega = math.atan2(math.sqrt(144 * lamb - 1), math.sqrt(xi))
    r = (24 * lamb - 1 - math.sqrt(xi)) / (24 * lamb) * math.sqrt((48 * lamb + 24 * lamb * root) / xi)
    return r, omega


@public("signal")
def cspline1d(signal, lamb=0.0):
    """As `scipy.signal.cspline1d`."""
    if lamb == 0.0:
        return _coefficients(signal, CUBIC, 6.0)
    _one_line(signal)
    x = signal.astype(np.result_type(signal.dtype, float), copy=False)
    r, omega = _smoothing_pole(lamb)
    return _second_order(x, r, omega, None)


@public("signal")
def qspline1d(signal, lamb=0.0):
    """As `scipy.signal.qspline1d`."""
    if lamb != 0.0:
        raise ValueError("Smoothing quadratic splines not supported yet.")
    return _coefficients(signal, QUADRATIC, 8.0)


def _precision_2d(precision, dtype):
    return precision if 0 <= precision < 1 else 1e-3 if dtype.char in "fF" else 1e-6


@public("signal")
def cspline2d(signal, lamb=0.0, precision=-1.0):
    """As `scipy.signal.cspline2d`."""
    precision = _precision_2d(precision, signal.dtype)
    if lamb <= 1 / 144.0:
        return _along_both(lambda x: symiirorder1(x, -CUBIC * 6.0, CUBIC, precision), signal)
    r, omega = _smoothing_pole(lamb)
    return _along_both(lambda x: symiirorder2(x, r, omega, precision), signal)


@public("signal")
def qspline2d(signal, lamb=0.0, precision=-1.0):
    """As `scipy.signal.qspline2d`."""
    precision = _precision_2d(precision, signal.dtype)
    if lamb > 0:
        raise ValueError("lambda must be negative or zero")
    return _along_both(lambda x: symiirorder1(x, -QUADRATIC * 8.0, QUADRATIC, precision), signal)


@public("Iin")
def spline_filter(Iin, lmbda=5.0):
    """As `scipy.signal.spline_filter`; complex128 stays complex128 all the way."""
    if Iin.dtype.char not in "fdFD":
        raise TypeError(f"Invalid data type for Iin: Iin.dtype = {Iin.dtype!r}")
    taps = np.array([1.0, 4.0, 1.0], np.float32) / np.float32(6)  # SciPy's, in single precision
    try:
        coefficients = cspline2d(Iin, lmbda)
    except ValueError:
        if Iin.dtype.char != "D":
            raise
        coefficients = cspline2d(Iin, lmbda, 1e-3)      # an image too small for double's sums at its borders; SciPy works in complex64
    return sepfir2d(coefficients, taps, taps).astype(Iin.dtype, copy=False)


@public("input", host=("hrow", "hcol"))
def sepfir2d(input, hrow, hcol):
    """As `scipy.signal.sepfir2d`."""
    hrow, hcol = np.asarray(hrow), np.asarray(hcol)
    if input.ndim != 2:
        depth = "object too deep" if input.ndim > 2 else "object of too small depth"
        raise ValueError(f"{depth}: input must be a 2-D array, not of {input.ndim} dimensions")
    if hrow.ndim != 1 or hcol.ndim != 1:
        raise ValueError("object too deep: hrow and hcol must be 1-D arrays")
    if hrow.size % 2 == 0 or hcol.size % 2 == 0:
        raise ValueError("hrow and hcol must be odd length")
    x = input if input.dtype.char in "fdFD" else input.astype(np.result_type(input.dtype, np.float32))
    if _in_one_go(x) and x.dtype.kind == "f" and hrow.dtype.kind + hcol.dtype.kind == "ff" and x.size:
        rows, y = new(x.shape, x.dtype, x.device), new(x.shape, x.dtype, x.device)
        taps = [from_numpy(np.ascontiguousarray(h, float)) for h in (hrow, hcol)]
        _kernels.separable_fir(1, (x.dtype,), contiguous(x), rows, y, *taps, *x.shape, hrow.size, hcol.size)
        return y
    rows = gs.ndimage.convolve1d(x, hrow, axis=1, mode="reflect")
    return gs.ndimage.convolve1d(rows, hcol, axis=0, mode="reflect")


# ---- evaluation
def _cubic(t):
    t = gs.absolute(t)
    inner, outer = 2 / 3 - t * t * (2 - t) / 2, (2 - t) ** 3 / 6
    return gs.where(t < 1, inner, gs.where(t >= 2, 0.0, outer))     # NaN stays


def _quadratic(t):
    t = gs.absolute(t)
    inner, outer = 0.75 - t * t, (1.5 - t) ** 2 / 2
    return gs.where(t < 0.5, inner, gs.where(t >= 1.5, 0.0, outer))


def _evaluate(cj, at, kind, reach, terms, basis):
    """The spline at distances from its first knot, as `kind`; raises SciPy's TypeError where it cannot be that."""
    if at.size == 0:
        return gs.zeros(at.shape, kind, device=at.device)
    if at.dtype.kind == "c":
        raise TypeError("splines are evaluated at real positions: newx, x0 and dx must be real")
    if not np.can_cast(np.result_type(cj.dtype, at.dtype), kind, "same_kind"):
        raise TypeError(f"coefficients of {cj.dtype} at positions of {at.dtype} have no result of {kind}: convert them first")
    if cj.ndim != 1:
        raise ValueError(f"cj must be a 1-D array of coefficients, not of {cj.ndim} dimensions")
    n, at = cj.size, at.astype(float, copy=False)
    if n > 1:  # mirrored about the first and the last sample
        at = gs.remainder(gs.absolute(at), 2.0 * (n - 1))
        at = gs.where(at > n - 1, 2.0 * (n - 1) - at, at)
    else:
        at = at * 0.0
    lowest = gs.floor(at - reach).astype(np.int64) + 1
    result = 0.0
    for i in range(terms):
        place = lowest + i
        result = result + gs.take(cj, gs.clip(place, 0, n - 1)) * basis(at - place)
    return result.astype(kind, copy=False)


def _positions(newx, dx, x0):
    newx = newx if newx.dtype.kind in "fc" else newx.astype(float)
    return (newx - x0) / dx


@public("cj", "newx")
def cspline1d_eval(cj, newx, dx=1.0, x0=0):
    """As `scipy.signal.cspline1d_eval`."""
    at = _positions(newx, float(dx), x0)
    if cj.size == 0:
        raise ValueError("Spline coefficients 'cj' must not be empty.")
    return _evaluate(cj, at, cj.dtype, 2.0, 4, _cubic)


@public("cj", "newx")
def qspline1d_eval(cj, newx, dx=1.0, x0=0):
    """As `scipy.signal.qspline1d_eval`."""
    at = _positions(newx, dx, x0)
    if cj.size == 0 and at.size:
        raise ValueError("Spline coefficients 'cj' must not be empty.")
    return _evaluate(cj, at, at.dtype, 1.5, 3, _quadratic)


@public("x")
def gauss_spline(x, n):
    """As `scipy.signal.gauss_spline`."""
    variance = (n + 1) / 12.0
    if x.dtype.kind in "biu":
        x = x.astype(float)
    return gs.exp(x * x * (-0.5 / variance)) * (1 / math.sqrt(2 * math.pi * variance))
