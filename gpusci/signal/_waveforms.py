"""Waveforms and test sequences."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import from_numpy, new, public
from gpusci.core.libraries import scipy_since
from gpusci.signal import _kernels
from gpusci.signal._coefficients import on_host
from gpusci.signal._lines import cast, contiguous

NUMBERS, FLOAT64 = (int, float), np.dtype(float)


def _periodic(name, t, share):
    """A wave of period 2 pi in t, one part of which takes `share` of the period."""
    if type(share) in NUMBERS:
        return _wave(t, None, name, type(t) in NUMBERS, share)
    if share is None:
        raise TypeError("the share of a period (width, duty) is a number or an array, not None")
    return _wave(t, share, name, type(t) in NUMBERS, None)


@public("t", "share")
def _wave(t, share=None, name="", is_number=False, number=None):
    """share: of each time, or None for one number. is_number: t was Python's, which has no say in the type from SciPy 1.18 on."""
    keeps = scipy_since(1, 18)  # the type of the times; before, always float64
    kinds = [1.0 if keeps and is_number else t.dtype, share.dtype if share is not None else 1.0 if keeps else FLOAT64]
    dtype = np.result_type(*kinds, 1.0)
    if dtype.kind == "c":
        raise TypeError("a periodic wave needs real times and shares: take t.real")
    inside = np.dtype(np.float32) if dtype.itemsize <= 4 else FLOAT64
    if share is None:
        share = gs.constant(np.array(number, inside), t.device)
    elif share.size != 1 or share.ndim > t.ndim:
        t, share = gs.broadcast_arrays(t, share)
    t, share = contiguous(cast(t, inside)), contiguous(cast(share, inside))
    y = new(t.shape, inside, t.device)
    _kernels.periodic_wave(t.size, (inside, name), t, share, y, int(share.size != 1))
    return cast(y, dtype if keeps else FLOAT64)


def sawtooth(t, width=1):
    """As `scipy.signal.sawtooth`."""
    return _periodic("sawtooth_wave", t, width)


def square(t, duty=0.5):
    """As `scipy.signal.square`."""
    return _periodic("square_wave", t, duty)


def gausspulse(t, fc=1000, bw=0.5, bwr=-6, tpr=-60, retquad=False, retenv=False):
    """As `scipy.signal.gausspulse`; `fc` in Hz, levels in dB."""
    if fc < 0:
        raise ValueError(f"Center frequency (fc={fc:.2f}) must be >=0.")
    if bw <= 0:
        raise ValueError(f"Fractional bandwidth (bw={bw:.2f}) must be > 0.")
    if bwr >= 0:
        raise ValueError(f"Reference level for bandwidth (bwr={bwr:.2f}) must be < 0 dB")
    # exp(-a t^2) has the spectrum exp(-(pi f)^2 / a), which is down by bwr dB at f = bw fc / 2.
    a = -((math.pi * fc * bw) ** 2) / (4.0 * math.log(10.0 ** (bwr / 20.0)))
    if isinstance(t, str):
        if t != "cutoff":
            raise ValueError("If `t` is a string, it must be 'cutoff'")
        if tpr >= 0:
            raise ValueError("Reference level for time cutoff must be < 0 dB")
        return np.sqrt(-np.log(10.0 ** (tpr / 20.0)) / a)
    return _pulse(t, a, fc, retquad, retenv)


@public("t")
def _pulse(t, a, fc, retquad, retenv):
    t = t.astype(np.result_type(t.dtype, float), copy=False)
    envelope = gs.exp(-a * t * t)
    phase = 2 * math.pi * fc * t
    parts = [envelope * gs.cos(phase)]
    if retquad:
        parts.append(envelope * gs.sin(phase))
    if retenv:
        parts.append(envelope)
    return parts[0] if len(parts) == 1 else tuple(parts)


@public("t")
def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):
    """As `scipy.signal.chirp`; frequencies in Hz, `phi` in degrees."""
    t = t.astype(np.result_type(t.dtype, float), copy=False)
    phase = _chirp_phase(t, float(f0), float(t1), float(f1), method, vertex_zero)
    phase = phase + math.radians(phi) if phi else phase
    return gs.exp(1j * phase) if complex else gs.cos(phase)


def _chirp_phase(t, f0, t1, f1, method, vertex_zero):
    turn = 2 * math.pi
    if method in ("linear", "lin", "li"):
        return t * (turn * f0 + (turn * 0.5 * (f1 - f0) / t1) * t)
    if method in ("quadratic", "quad", "q"):
        rate = (f1 - f0) / t1**2
        if vertex_zero:
            return t * (turn * f0 + (turn * rate / 3) * (t * t))
        return turn * (f1 * t + rate * ((t1 - t) ** 3 - t1**3) / 3)
    if method in ("logarithmic", "log", "lo"):
        if f0 * f1 <= 0.0:
            raise ValueError("For a logarithmic chirp, f0 and f1 must be nonzero and have the same sign.")
        if f0 == f1:
            return turn * f0 * t
        return turn * (t1 / math.log(f1 / f0)) * f0 * ((f1 / f0) ** (t / t1) - 1.0)
    if method in ("hyperbolic", "hyp"):
        if f0 == 0 or f1 == 0:
            raise ValueError("For a hyperbolic chirp, f0 and f1 must be nonzero.")
        if f0 == f1:
            return turn * f0 * t
        pole = -f1 * t1 / (f0 - f1)  # where the frequency would be infinite
        return turn * (-pole * f0) * gs.log(gs.absolute(1 - t / pole))
    raise ValueError(f"method must be 'linear', 'quadratic', 'logarithmic', or 'hyperbolic', but a value of {method!r} was given.")


@public("t", host=("poly",))
def sweep_poly(t, poly, phi=0):
    """As `scipy.signal.sweep_poly`; frequencies in Hz, `phi` in degrees."""
    coefficients = poly.coeffs if isinstance(poly, np.poly1d) else np.poly1d(poly).coeffs
    t = cast(t, np.result_type(t.dtype, coefficients.dtype, float))
    phase = 0.0
    for power, c in zip(range(len(coefficients), 0, -1), coefficients.tolist()):
        phase = (phase + c / power) * t
    return gs.cos(phase * (2 * math.pi) + math.radians(phi))


def unit_impulse(shape, idx=None, dtype=float):
    """As `scipy.signal.unit_impulse`: a NumPy array."""
    out = np.zeros(shape, dtype)
    if idx is None:
        idx = (0,) * out.ndim
    elif isinstance(idx, str) and idx == "mid":
        idx = tuple(n // 2 for n in out.shape)
    elif not hasattr(idx, "__iter__"):
        idx = (idx,) * out.ndim
    out[tuple(idx)] = 1
    return out


# Feedback taps of primitive polynomials (Alfke, Xilinx application note XAPP 052, 1996, table 3), without the output bit.
MLS_TAPS = {
    2: [1], 3: [2], 4: [3], 5: [3], 6: [5], 7: [6], 8: [7, 6, 1], 9: [5], 10: [7], 11: [9], 12: [11, 10, 4], 13: [12, 11, 8],
    14: [13, 12, 2], 15: [14], 16: [15, 13, 4], 17: [14], 18: [11], 19: [18, 17, 14], 20: [17], 21: [19], 22: [21], 23: [18],
    24: [23, 22, 17], 25: [22], 26: [25, 24, 20], 27: [26, 25, 22], 28: [25], 29: [27], 30: [29, 28, 7], 31: [28],
    32: [31, 30, 10],
}  # fmt: skip


@functools.lru_cache(32)
def _known_taps(nbits):
    return np.array(MLS_TAPS[nbits], np.int64)


@on_host
def max_len_seq(nbits, state=None, length=None, taps=None):
    """As `scipy.signal.max_len_seq`."""
    if taps is None:
        if nbits not in MLS_TAPS:
            raise ValueError(f"nbits must be between {min(MLS_TAPS)} and {max(MLS_TAPS)} if taps is None")
        taps = _known_taps(nbits)
    else:
        taps = np.unique(np.array(taps, np.int64))[::-1]
        if taps.size < 1 or (taps < 0).any() or (taps > nbits).any():
            raise ValueError("taps must be non-empty with values between zero and nbits (inclusive)")
    length = 2 ** int(nbits) - 1 if length is None else int(length)
    if length < 0:
        raise ValueError("length must be greater than or equal to 0")
    state = np.ones(nbits, np.int8) if state is None else np.array(state, dtype=bool, order="C").astype(np.int8)
    if state.ndim != 1 or state.size != nbits:
        raise ValueError("state must be a 1-D array of size nbits")
    if not state.any():
        raise ValueError("state must not be all zeros")
    out = np.empty(length, np.int8)
    arrays = map(from_numpy, (np.ascontiguousarray(taps), state, out))
    _kernels.max_len_seq(1, (), *arrays, taps.size, nbits, length)
    return out, state
