"""Convolution by transforms: of the whole arrays, of blocks that are added where they overlap, and on a GPU in one kernel."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core import args, new, public
from gpusci.signal import _overlap_save
from gpusci.signal._direct import check_mode, must_swap
from gpusci.signal._frames import add_up, cut
from gpusci.signal._lines import contiguous, from_last, has_blocks, to_last


def _floats(*arrays):
    """Arrays of one precision for the transforms: integers and bool count as float64, half as float32."""
    chars = {a.dtype.char for a in arrays}
    if chars <= {"f", "F"} or chars <= {"d", "D"}:
        return arrays
    double = any(a.dtype.kind in "?biu" or a.dtype.char in "dD" for a in arrays)
    kinds = {False: "fF", True: "dD"}[double]
    return [a.astype(kinds[a.dtype.kind == "c"], copy=False) for a in arrays]


def _prepare(in1, in2, mode, axes):
    """The inputs, the larger first for 'valid'; the checked axes in ascending order; those without the ones of length 1."""
    given = axes is not None
    try:
        axes = args.normalize_axes(axes.tolist() if isinstance(axes, np.ndarray) else axes, in1.ndim)
    except TypeError:
        raise ValueError("axes must be a scalar or iterable of integers") from None
    except np.exceptions.AxisError:
        raise ValueError("axes exceeds dimensionality of input") from None
    except ValueError:
        raise ValueError("all axes must be unique") from None
    if given and not axes:
        raise ValueError("when provided, axes cannot be empty")
    s1, s2 = in1.shape, in2.shape
    asked = sorted(axes)
    axes = [a for a in asked if s1[a] != 1 and s2[a] != 1]
    if any(s1[a] != s2[a] and 1 not in (s1[a], s2[a]) for a in range(in1.ndim) if a not in axes):
        raise ValueError(f"incompatible shapes for in1 and in2: {s1} and {s2}")
    return (in2, in1, asked, axes) if must_swap(mode, s1, s2, axes) else (in1, in2, asked, axes)


def _kept(full, s1, s2, mode, asked, axes):
    """First and number along each axis of what `mode` keeps of the full convolution: all of the axes it does not run along."""
    if mode == "full":
        return [0] * len(full), full
    if mode == "same":
        counts = [s1[a] if a in asked else n for a, n in enumerate(full)]
    else:
        counts = [s1[a] - s2[a] + 1 if a in axes else n for a, n in enumerate(full)]
    return [(n - count) // 2 for n, count in zip(full, counts)], counts


def _cut(x, first, counts):
    return x if x.shape == tuple(counts) else x[tuple(slice(i, i + n) for i, n in zip(first, counts))]


def _convolve(in1, in2, mode, axes, full):
    """What fftconvolve and oaconvolve share; full(in1, in2, axes) is the full convolution of float arrays of one precision."""
    if in1.ndim == in2.ndim == 0:
        return in1 * in2
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    if in1.size == 0 or in2.size == 0:
        return new(0, float, in1.device)
    check_mode(mode, "acceptable")
    in1, in2, asked, axes = _prepare(in1, in2, mode, axes)
    s1, s2 = in1.shape, in2.shape
    shape = [n + m - 1 if a in axes else max(n, m) for a, (n, m) in enumerate(zip(s1, s2))]
    first, counts = _kept(shape, s1, s2, mode, asked, axes)
    axis = axes[0] if len(axes) == 1 else None
    long, short = (in1, in2) if axis is None or s1[axis] >= s2[axis] else (in2, in1)
    if axis is not None and _overlap_save.suits(long, short, axis):
        whole = _overlap_save.convolve(*_floats(long, short), axis, first[axis], counts[axis])
        first[axis] = 0
    else:
        whole = full(*_floats(in1, in2), axes) if axes else in1 * in2
    return contiguous(_cut(whole, first, counts))


@public("in1", "in2")
def fftconvolve(in1, in2, mode="full", axes=None):
    """As `scipy.signal.fftconvolve`."""
    return _convolve(in1, in2, mode, axes, convolve_by_fft)


def convolve_by_fft(in1, in2, axes):
    """Full convolution along `axes` of float arrays of one precision, broadcast along the others."""
    is_complex = "c" in in1.dtype.kind + in2.dtype.kind
    lengths = [in1.shape[a] + in2.shape[a] - 1 for a in axes]
    padded = [fft.next_fast_len(n, not is_complex) for n in lengths]
    result = _circular(in1, in2, padded, axes) if in1.size >= in2.size else _circular(in2, in1, padded, axes)
    keep = [slice(None)] * in1.ndim
    for a, n in zip(axes, lengths):
        keep[a] = slice(n)
    return result[tuple(keep)]


def _circular(x, taps, lengths, axes):
    """The convolution along `axes` of x and taps, both padded to `lengths`, around the end."""
    is_complex = "c" in x.dtype.kind + taps.dtype.kind
    if len(axes) == 1:
        forward, backward = (fft.fft, fft.ifft) if is_complex else (fft.rfft, fft.irfft)
        where = lengths[0], axes[0]
    else:
        forward, backward = (fft.fftn, fft.ifftn) if is_complex else (fft.rfftn, fft.irfftn)
        where = lengths, axes
    norm = None
    if has_blocks(x.device):        # the fewer taps take the factor of the inverse, which would be a pass over the spectrum
        taps, norm = taps * (1 / math.prod(lengths)), "forward"
    spectrum, other = (forward(a, *where) for a in (x, taps))
    if spectrum.shape == other.shape:       # of one precision, too
        spectrum *= other
    else:
        spectrum = spectrum * other
    return backward(spectrum, *where, norm=norm, overwrite_x=True)


# ---- overlap-add
WORTH_CUTTING = 2048  # samples: with fewer, cutting and adding up cost more than shorter transforms save (host, 129 taps)


@functools.lru_cache(256)
def block_length(n, m):
    """Transform length for n samples and m taps, m < n: least cost a sample; 0 where one block is as good.

    With blocks of L, n / (L - m + 1) transforms cost L (log2 L + 1) each: the least is looked for among the powers of two.
    """
    if m > n / 2 or n < WORTH_CUTTING:
        return 0
    lengths = [1 << k for k in range(max(m.bit_length(), 6), (n + m).bit_length() + 1)]
    lengths = [length for length in lengths if length >= 2 * m]
    best = min(lengths, key=lambda L: L * (math.log2(L) + 1) / (L - m + 1), default=0)
    return best if 0 < best - m + 1 < n else 0


@public("in1", "in2")
def oaconvolve(in1, in2, mode="full", axes=None):
    """As `scipy.signal.oaconvolve`; the axis that gains most is cut into blocks, the others are transformed whole."""
    return _convolve(in1, in2, mode, axes, _convolve_by_blocks)


def _convolve_by_blocks(in1, in2, axes):
    s1, s2 = in1.shape, in2.shape
    axis = max(axes, key=lambda a: max(s1[a], s2[a]) / min(s1[a], s2[a]))
    long, short = (in1, in2) if s1[axis] >= s2[axis] else (in2, in1)
    length = block_length(long.shape[axis], short.shape[axis])
    return _in_blocks(long, short, axes, axis, length) if length else convolve_by_fft(in1, in2, axes)


def _in_blocks(long, short, axes, axis, length):
    """Full convolution with `long` cut into blocks along `axis`, transforms of `length` there."""
    n, m = long.shape[axis], short.shape[axis]
    step = length - m + 1
    blocks = -(-n // step)
    dtype = np.result_type(long.dtype, short.dtype)
    others = [a for a in axes if a != axis]
    # Axes in front keep their numbers but for `axis`, which goes last; the blocks stand before it.
    order = [a for a in range(long.ndim) if a != axis]
    places = [order.index(a) for a in others]
    moved = to_last(long, axis)
    frames = _frames(moved, blocks, step, length)
    taps = gs.expand_dims(to_last(short, axis), -2)
    sizes = [long.shape[a] + short.shape[a] - 1 for a in others]
    where = [*places, frames.ndim - 1]
    padded = [*(fft.next_fast_len(k, dtype.kind != "c") for k in sizes), length]
    result = _circular(frames, taps, padded, where)
    keep = [slice(None)] * result.ndim
    for a, k in zip(places, sizes):
        keep[a] = slice(k)
    result = contiguous(result[tuple(keep)])
    outer, total = result.shape[:-2], n + m - 1
    out = new((*outer, total), dtype, long.device)
    add_up(result, _ones(length, dtype.char.lower(), long.device), out, blocks, step, length)
    return from_last(out, axis)


def _ones(n, char, device):
    """A window that changes nothing; the short ones, which are used often, are kept."""
    return _kept_ones(n, char, device, device.stream_ptr) if n <= 1 << 14 else gs.ones(n, char, device=device)


@functools.lru_cache(32)
def _kept_ones(n, char, device, stream):
    return gs.ones(n, char, device=device)


def _frames(x, blocks, step, length):
    """Blocks of `step` samples along the last axis, padded with zeros to `length`: (..., blocks, length)."""
    n = x.shape[-1]
    lines = contiguous(x).reshape(math.prod(x.shape[:-1]), n)
    return cut(lines, _ones(step, x.dtype.char.lower(), x.device), x.dtype, blocks, step, length).reshape(*x.shape[:-1], blocks, length)
