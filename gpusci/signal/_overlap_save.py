"""Convolution of long lines by short taps on a GPU: frames are transformed, multiplied and transformed back in one kernel."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.signal import _kernels
from gpusci.signal._lines import contiguous, from_last, has_blocks, to_last

POINTS = 4096  # of a frame: overlap_save.h
MOST_TAPS = 3072  # a quarter of each frame is new then; above, longer transforms cost less
FEW_LINES = 128  # about one for each multiprocessor
ALIGNED = 32  # outputs of a frame come in multiples of it, so that warps write whole sectors


def suits(long, short, axis=0):
    """Whether `convolve` is the faster way, whichever of the two is the longer one.

    Many lines that are a small part of a frame, or a part of one with taps of their own, are left to transforms of their length.
    """
    n, m = long.shape[axis], short.shape[axis]
    if min(n, m) > MOST_TAPS or not has_blocks(long.device):
        return False
    lines = max(long.size // n, short.size // m)
    return lines <= FEW_LINES or n + m > (POINTS if short.size > m else POINTS // 4)


def step(m):
    """New outputs of a frame with m taps."""
    return (POINTS - m + 1) // ALIGNED * ALIGNED


def work(outputs, m):
    """Points times levels of the transforms."""
    return 2 * -(-outputs // step(m)) * POINTS * math.log2(POINTS)


def convolve(long, short, axis, first, kept):
    """Outputs `first` ... `first` + `kept` - 1 of the full convolution along `axis` of float arrays of one precision, broadcast
    along the others; `short` has at most MOST_TAPS samples there."""
    device, dtype = long.device, long.dtype
    if short.dtype != dtype:
        dtype = np.result_type(dtype, short.dtype)
    x, taps = to_last(long, axis), to_last(short, axis)
    n, m, outer = x.shape[-1], taps.shape[-1], x.shape[:-1]
    if outer != taps.shape[:-1]:
        outer = np.broadcast_shapes(outer, taps.shape[:-1])
    (x, x_count), (taps, taps_count) = _lines(contiguous(x), outer), _lines(taps, outer)
    factors, size = _factors(dtype.char.upper(), device, device.stream_ptr), taps.itemsize
    spectrum = new(taps_count * POINTS, factors.dtype, device)
    _kernels.taps_spectrum(
        taps_count, (taps.dtype,), taps, factors, spectrum, m, taps.strides[0] // size, taps.strides[-1] // size
    )  # fmt: skip
    y = new((*outer, kept), dtype, device)
    outputs = step(m)
    blocks = -(-kept // (outputs if dtype.kind == "c" else 2 * outputs))
    _kernels.overlap_save(
        max(x_count, taps_count) * blocks, (x.dtype, dtype), x, spectrum, factors, y, n, kept, first, outputs, blocks,
        n if x_count > 1 else 0, POINTS if taps_count > 1 else 0,
    )  # fmt: skip
    return from_last(y, axis)


def _lines(x, outer):
    """An array with its samples last as lines, one for all of `outer` or one for each, and their number."""
    if x.ndim == 1:
        return x, 1
    count, n = x.size // x.shape[-1], x.shape[-1]
    if count > 1 and x.shape[:-1] != outer:
        x, count = gs.broadcast_to(x, (*outer, n)), math.prod(outer)
    return x.reshape(count, n), count


@functools.lru_cache(32)
def _factors(char, device, stream):
    """Those between the passes of block_transform: rounded once, so that they add as little as they can to its errors."""
    k, t = np.ogrid[:16, :256]
    turns = np.concatenate([(k * t).ravel(), (k * (16 * t[:, :16])).ravel()])
    angles = turns * (np.arccos(np.longdouble(-1)) * 2 / POINTS)
    return gs.asarray((np.cos(angles) - 1j * np.sin(angles)).astype(char), device=device)
