"""Changing the sampling rate: upfirdn, resample_poly, resample, decimate."""

import functools
import math
import operator

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import args, new, public
from gpusci.signal import _kernels
from gpusci.signal._fir_design import firwin
from gpusci.signal._lines import contiguous, from_last, from_lines, has_blocks, to_last, to_lines
from gpusci.signal.windows import get_window

PADTYPES = ("constant", "wrap", "edge", "smooth", "symmetric", "reflect", "antisymmetric", "antireflect", "line")
RUN, TILE_BYTES = 128, 40960  # upfirdn_block.h
ENOUGH_BLOCKS = 264  # blocks that keep a large GPU busy
BACKGROUNDS = ("maximum", "mean", "median", "minimum")


# ---- polyphase
@public("x", host=("h",))
def upfirdn(h, x, up=1, down=1, axis=-1, mode="constant", cval=0):
    """As `scipy.signal.upfirdn`, for any factors, axis and strides. Sums are of the result's type, float32 in float32."""
    h = np.asarray(h)
    if h.ndim != 1 or h.size == 0:
        raise ValueError("h must be 1-D with non-zero length")
    up, down = int(up), int(down)
    if up < 1 or down < 1:
        raise ValueError("Both up and down must be >= 1")
    if mode not in PADTYPES:
        raise ValueError(f"Unknown mode: {mode}; use one of {', '.join(PADTYPES)}")
    if x.ndim == 0:
        raise IndexError("x must have at least one dimension")
    axis = args.normalize_axis(axis, x.ndim)
    count = ((x.shape[axis] - 1) * up + h.size - 1) // down + 1
    return run_polyphase(h, x, up, down, axis, mode, cval, 0, count)


def run_polyphase(h, x, up, down, axis, mode, cval, first, count):
    """Outputs first .. first + count of upfirdn."""
    dtype = np.result_type(h.dtype, x.dtype, np.float32)
    dtype = np.dtype(dtype.char.replace("g", "d").replace("G", "D"))
    if x.dtype.kind in "biu" and cval != int(cval):  # the padding is no whole number
        x = x.astype(dtype)
    lines = contiguous(to_lines(x, axis))
    y = new((lines.shape[0], max(count, 0)), dtype, x.device)
    if lines.shape[1] == 0:
        return from_lines(gs.zeros(y.shape, dtype, device=x.device), x.shape, axis)
    taps = -(-h.size // up)
    table = np.zeros((taps, up), dtype if h.dtype.kind == "c" else dtype.char.lower())
    table.ravel()[: h.size] = h
    table = table[::-1]  # tap 0 meets the oldest sample
    tile = _tile(up, down, taps, y.shape, lines.dtype, dtype) if has_blocks(x.device) else None
    # Neighbouring GPU threads read neighbouring phases, a host loop and a tile the taps of one phase.
    by_phase = has_blocks(x.device) and tile is None
    strides = (up, 1) if by_phase else (1, taps)
    table = gs.constant(table if by_phase else table.T, x.device)
    fill = gs.constant(np.array([cval], x.dtype), x.device) if mode == "constant" and cval else None
    template = (lines.dtype, table.dtype, dtype, f"Extension::{mode}")
    call = (lines, table, y, fill, lines.shape[1], y.shape[1], first, up, down, taps, *strides)
    if tile is not None:
        _kernels.upfirdn_tile(y.shape[0] * tile[0], template, *call, *tile)
    else:
        _kernels.upfirdn(y.size, template, *call, cost=5 + 0.2 * taps)
    return from_lines(y, x.shape, axis)


def _tile(up, down, taps, shape, x_dtype, y_dtype):
    """(tiles a line, groups, pitch) of upfirdn_block.h, or None where no tile fits into its memory."""
    sample = max(4, y_dtype.itemsize if x_dtype.kind == "c" or y_dtype.kind != "c" else y_dtype.itemsize // 2)
    lines, count = shape
    best = None
    for groups in (1, 2, 4, 8):
        # Samples from the first tap of the first to the last tap of the last output, by place modulo down; odd, so that
        # the places do not fall on the same bank.
        pitch = (groups * RUN + -(-(taps + down) // down) + 2) | 1
        if -(-down * pitch * sample // 16) * 16 + groups * RUN * up * y_dtype.itemsize > TILE_BYTES:
            break
        tiles = -(-count // (groups * RUN * up))
        if best is None or lines * tiles >= ENOUGH_BLOCKS or groups * up <= 8:
            best = tiles, groups, pitch
    return best


@functools.lru_cache(64)
def _lowpass(taps, cutoff, window):
    return firwin(taps, cutoff, window=window)


@public("x", host=("window",))
def resample_poly(x, up, down, axis=0, window=("kaiser", 5.0), padtype="constant", cval=None):
    """As `scipy.signal.resample_poly`. float32 and complex64 stay what they are."""
    if up != int(up):
        raise ValueError("up must be an integer")
    if down != int(down):
        raise ValueError("down must be an integer")
    up, down = int(up), int(down)
    if up < 1 or down < 1:
        raise ValueError("up and down must be >= 1")
    if cval is not None and padtype != "constant":
        raise ValueError("cval has no effect when padtype is ", padtype)
    if padtype not in PADTYPES + BACKGROUNDS:
        raise ValueError(f"padtype must be one of: {', '.join(BACKGROUNDS + PADTYPES)}")
    common = math.gcd(up, down)
    up, down = up // common, down // common
    if up == down == 1:
        return x.copy()
    if x.ndim == 0:
        raise IndexError("x must have at least one dimension")
    axis = args.normalize_axis(axis, x.ndim)
    h, half = _resampling_filter(x.dtype, up, down, window)
    background = None
    if padtype in BACKGROUNDS:
        x = x.astype(float) if x.dtype.kind in "?biu" else x
        name = {"maximum": "max", "minimum": "min"}.get(padtype, padtype)
        background = getattr(gs, name)(x, axis=axis, keepdims=True)
        x, padtype = x - background, "constant"
    # Leading zeros put the centre of the filter on an output sample; outputs before it are not computed at all.
    lead = down - half % down
    count = -(-x.shape[axis] * up // down)
    y = run_polyphase(
        np.concatenate([np.zeros(lead, h.dtype), h]), x, up, down, axis, padtype, cval or 0, (half + lead) // down, count
    )
    if background is not None:
        y += background
    return y


def _resampling_filter(dtype, up, down, window):
    """Taps, scaled by `up`, and the samples before their centre."""
    if isinstance(window, (list, np.ndarray)):
        h = np.array(window)
        if h.ndim > 1:
            raise ValueError("window must be 1-D")
        return h * up, (h.size - 1) // 2
    rate = max(up, down)
    h = (_lowpass if isinstance(window, (str, tuple)) else firwin)(20 * rate + 1, 1.0 / rate, window=window) * up
    return h.astype(np.float32) if dtype.char in "efF" else h, 10 * rate


# ---- by transform
def _resample(x, num, t, axis, window, domain):
    n = x.shape[axis]
    scale = num / n
    X = to_last(x, axis)
    if domain == "time" and x.dtype.kind != "c":
        spectrum = fft.rfft(X)
        if window is not None:  # the mean of the weights of a frequency and its negative
            bins = spectrum.shape[-1]
            folded = window[:bins].copy()
            folded[1:] = (folded[1:] + gs.flip(window)[: bins - 1]) / 2
            spectrum = spectrum * folded
        spectrum = spectrum[..., : min(num, n) // 2 + 1]
        spectrum *= scale
        if min(num, n) % 2 == 0 and num != n:  # the Nyquist bin of the shorter side stands for both its halves
            nyquist = spectrum[..., -1:]
            nyquist *= 2 if num < n else 0.5
        y = fft.irfft(spectrum, n=num, overwrite_x=True)
    else:
        spectrum = fft.fft(X) if domain == "time" else X
        if window is not None:
            spectrum = spectrum * window
        y = fft.ifft(_resized(spectrum, num) * scale, n=num, overwrite_x=True)
    y = from_last(y, axis)
    if t is None:
        return y
    return y, t[0] + (t[1] - t[0]) / scale * gs.arange(num, device=x.device)


def _resized(spectrum, num):
    """A two-sided spectrum cut or padded to `num` bins."""
    n = spectrum.shape[-1]
    m = min(num, n)
    out = gs.zeros((*spectrum.shape[:-1], num), spectrum.dtype, device=spectrum.device)
    half = m // 2 + 1
    out[..., :half] = spectrum[..., :half]
    if half < m:
        out[..., half - m :] = spectrum[..., half - m :]
    if m % 2 == 0:
        if num < n:
            out[..., m // 2] += spectrum[..., -(m // 2)]
        elif n < num:
            out[..., m // 2] /= 2
            out[..., num - m // 2] = out[..., m // 2]
    return out


@public("x", "t")
def resample(x, num, t=None, axis=0, window=None, domain="time"):
    """As `scipy.signal.resample`."""
    if domain not in ("time", "freq"):
        raise ValueError(f"Parameter {domain=} not in ('time', 'freq')!")
    if x.ndim == 0:
        raise IndexError("x must have at least one dimension")
    axis = args.normalize_axis(axis, x.ndim)
    n = x.shape[axis]
    num = operator.index(num)
    if num < 1 or n < 1:
        raise (ZeroDivisionError if num == 0 else ValueError)(f"cannot resample {n} samples to {num}: both must be positive")
    if callable(window):
        weights = window(np.fft.fftfreq(n))
    elif window is None or hasattr(window, "shape"):
        weights = window
        if window is not None and tuple(window.shape) != (n,):
            raise ValueError(
                f"{window.shape=} != ({n},), i.e., window length is not equal to number of frequency bins!"
            )
    else:
        weights = np.fft.fftshift(get_window(window, n))
    if isinstance(weights, np.ndarray):
        if x.dtype.char in "fe" and domain == "time" and weights.dtype == float:
            weights = weights.astype(np.float32)
        weights = gs.constant(weights, x.device)
    return _resample(x, num, t, axis, weights, domain)


# ---- decimation
@functools.lru_cache(64)
def _decimation_sos(order, q):
    """Sections of a Chebyshev low-pass of type I with 0.05 dB of ripple up to 0.8 of the new Nyquist frequency.

    SciPy's choice of filter. Poles: Oppenheim, Schafer, appendix B; the bilinear transform with 2 samples a unit of time.
    """
    ripple, edge = math.sqrt(10 ** (0.1 * 0.05) - 1), 4 * math.tan(math.pi * 0.8 / q / 2)
    angle = np.pi * (np.arange(order) - (order - 1) / 2) / order
    analog = -edge * np.sinh(math.asinh(1 / ripple) / order + 1j * angle)
    gain = np.prod(-analog).real / np.prod(4 - analog).real / (math.sqrt(1 + ripple**2) if order % 2 == 0 else 1)
    poles = (4 + analog) / (4 - analog)  # of each conjugate pair one, the least resonant first
    poles = sorted((p for p, phase in zip(poles, angle) if phase >= -1e-12), key=abs)
    sos = np.array([[1, 2, 1, 1, -2 * p.real, abs(p) ** 2] for p in poles])
    if order % 2:
        sos[np.argmin(np.abs(np.imag(poles)))] = [1, 1, 0, 1, -min(poles, key=lambda p: abs(p.imag)).real, 0]
    sos[0, :3] *= gain
    return sos


@public("x")
def decimate(x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    """As `scipy.signal.decimate`. float32 data is filtered with float64 coefficients, as float64 data, and rounded once."""
    from gpusci.signal._iir import filtfilt, lfilter, sosfilt
    from gpusci.signal._iir import zero_phase as both_ways

    q = operator.index(q)
    n = None if n is None else operator.index(n)
    axis = args.normalize_axis(axis, x.ndim)
    dtype = x.dtype if x.dtype.char in "fdFD" else np.dtype(float)
    sos = system = None
    if ftype == "iir":
        sos = _decimation_sos(8 if n is None else n, q)
    elif ftype != "fir":
        sos, system = _given_system(ftype)
    if ftype == "fir" or system is not None and len(system[1]) == 1:
        b = _lowpass((20 * q if n is None else n) + 1, 1.0 / q, "hamming") if system is None else system[0] / system[1]
        if system is None:
            b = b.astype(dtype.char.lower())
        if zero_phase:
            return resample_poly(x, 1, q, axis=axis, window=b)
        return run_polyphase(b, x, 1, q, axis, "constant", 0, 0, -(-x.shape[axis] // q))
    if sos is not None:
        if zero_phase:
            y = both_ways(sos, x, axis, "odd", None, dtype)
        else:
            y = sosfilt(sos, x.astype(np.result_type(dtype, float), copy=False), axis=axis).astype(dtype, copy=False)
    else:
        y = (filtfilt if zero_phase else lfilter)(*system, x, axis=axis)
    return y[(slice(None),) * axis + (slice(None, None, q),)]


def _given_system(ftype):
    """(sos, None) or (None, (b, a)) of a `dlti` object."""
    from scipy.signal import dlti, zpk2sos

    if not isinstance(ftype, dlti):
        raise ValueError("invalid ftype: use 'iir', 'fir' or a dlti object")
    roots = ftype.to_zpk()
    if roots.poles.size == 0 or np.iscomplex([*roots.poles, *np.poly(roots.zeros), roots.gain]).any():
        system = ftype.to_tf()
        return None, (np.atleast_1d(system.num), np.atleast_1d(system.den)[: 1 if roots.poles.size == 0 else None])
    return zpk2sos(roots.zeros, roots.poles, roots.gain), None
