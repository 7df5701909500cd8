"""Windows of any shape: footprints and weights spread over `axes=`, and the geometry their kernels take."""

import functools
import math
import operator
from typing import NamedTuple

import numpy as np

from gpusci.ndimage._arrays import host, sequence, table

CACHED_TAPS = 4096      # windows of more taps are described anew at each call, so that the cache stays small


class Window(NamedTuple):
    """Which neighbours a filter reads: one extent per array axis; `flat`: taps as int64 bytes of flat indices, None for all."""

    extent: tuple
    flat: bytes | None
    taps: int


def window_of(size, footprint, axes, ndim):
    """The Window of SciPy's size= and footprint=, of which the latter wins. Raises RuntimeError for one that does not fit."""
    if footprint is None:
        if size is None:
            raise RuntimeError("no footprint or filter size provided; give one of them")
        extent = extents(size, axes, ndim)
        _check_filled(extent, axes, ndim, "footprint")
        return Window(extent, None, math.prod(extent))
    footprint = spread(np.asarray(host(footprint), bool), axes, ndim, "footprint")
    flat = np.flatnonzero(footprint)
    return Window(footprint.shape, None if flat.size == footprint.size else flat.astype(np.int64).tobytes(), flat.size)


def extents(size, axes, ndim):
    """The window's extent along every axis: the k-th size is that of axes[k], in any order (SciPy 1.17 sorts the axes)."""
    found = [1] * ndim
    for axis, n in zip(axes, sequence(size, len(axes)), strict=True):
        found[axis] = operator.index(n)
    if min(found, default=1) < 0:
        raise ValueError("negative dimensions are not allowed in a filter's size")
    return tuple(found)


def turn(window, axes):
    """A Window whose axes are permuted as by transpose(axes)."""
    extent = tuple(window.extent[k] for k in axes)
    if window.flat is None:
        return Window(extent, None, window.taps)
    footprint = np.zeros(window.extent, bool)
    footprint.reshape(-1)[np.frombuffer(window.flat, np.int64)] = True
    return Window(extent, np.flatnonzero(footprint.transpose(axes)).astype(np.int64).tobytes(), window.taps)


def spread(window, axes, ndim, name):
    """A footprint or weights with one axis per array axis; as in SciPy its axes follow the order in the array, not in `axes`.

    Raises RuntimeError for another number of axes and for an empty window.
    """
    if len(axes) < ndim and window.ndim != len(axes):
        raise RuntimeError(f"{name}.ndim ({window.ndim}) must match len(axes) ({len(axes)}); give it one axis per filtered axis")
    if len(axes) < ndim:
        window = window.reshape(_beside(window.shape, axes, ndim))
    _check_filled(window.shape, axes, ndim, name)
    return window


def _check_filled(extent, axes, ndim, name):
    filled = len(extent) - extent.count(0)
    if filled != ndim:
        raise RuntimeError(f"{name}.ndim ({filled}) must match len(axes) ({len(axes)}), and no axis of it may be empty")


def _beside(shape, axes, ndim):
    sizes = iter(shape)
    return tuple(next(sizes) if axis in axes else 1 for axis in range(ndim))


def spread_origin(origin, axes, ndim):
    """One origin per array axis, 0 where it is not filtered."""
    origins = [0] * ndim
    if type(origin) is int and origin == 0:
        return origins
    for axis, value in zip(axes, sequence(origin, len(axes)), strict=True):
        origins[axis] = operator.index(value)
    return origins


def check_origins(origins, extent, text="invalid origin"):
    """Raises ValueError, as SciPy, where an origin would put the output outside its window."""
    for origin, width in zip(origins, extent, strict=True):
        if not -(width // 2) <= origin <= (width - 1) // 2:
            raise ValueError(f"{text}; it must satisfy -(size // 2) <= origin <= (size - 1) // 2 on every axis")


class Geometry:
    """What a window kernel needs of an array and a window. Neighbouring axes that the window skips are merged.

    rank     R of the kernels, at least 2
    words    the `i64s window` field
    table    taps x (R + 1): offset in elements, coordinates
    """

    __slots__ = ("rank", "table", "words")

    def __init__(self, shape, parts, window, origins, mode):
        work = _geometry if window.taps <= CACHED_TAPS else _geometry.__wrapped__
        self.rank, self.words, self.table = work(shape, parts, window, tuple(origins), mode)

    def on(self, device):
        """The taps on a device."""
        return table(self.table, device)


def _merge(shape, parts, extent, lo):
    """Axes of the kernel as [length, extent, lo], and the `inner` elements that trail them."""
    axes = []
    inner = parts
    for n, e, low in zip(reversed(shape), reversed(extent), reversed(lo), strict=True):
        if e == 1 and not axes and inner * n < 64:      # short trailing axes ride along beside each other
            inner *= n
        elif e == 1 and axes and axes[0][1] == 1:
            axes[0][0] *= n
        else:
            axes.insert(0, [n, e, low])
    while len(axes) < 2:
        axes.insert(0, [1, 1, 0])
    return axes, inner


@functools.lru_cache(256)
def _geometry(shape, parts, window, origins, mode):
    extent, flat, _ = window
    lo = [e // 2 + o for e, o in zip(extent, origins, strict=True)]
    axes, inner = _merge(shape, parts, extent, lo)
    lengths, extents, lows = zip(*axes, strict=True)
    taps = np.arange(np.prod(extents)) if flat is None else np.frombuffer(flat, np.int64)
    coordinates = np.stack(np.unravel_index(taps, extents), 1)
    strides = np.cumprod([inner, *lengths[:0:-1]])[::-1]
    offsets = np.ascontiguousarray(np.column_stack([coordinates @ strides, coordinates]), dtype=np.int64)
    return len(axes), (*lengths, inner, *extents, *lows, len(taps), mode), offsets
