"""Windows of any shape: footprints and weights spread over `axes=`, and the geometry their kernels take."""

import functools
import operator

import numpy as np

from gpusci.core import constant
from gpusci.ndimage._arrays import sequence


def spread(window, axes, ndim, name):
    """A footprint or weights with one axis per array axis; as in SciPy its axes follow the order in the array, not in `axes`.

    Raises RuntimeError for another number of axes and for an empty window.
    """
    if len(axes) < ndim and window.ndim != len(axes):
        raise RuntimeError(f"{name}.ndim ({window.ndim}) must match len(axes) ({len(axes)}); give it one axis per filtered axis")
    if len(axes) < ndim:
        window = window.reshape(_beside(window.shape, axes, ndim))
    filled = ndim - window.shape.count(0) if window.ndim == ndim else window.ndim
    if filled != ndim:
        raise RuntimeError(f"{name}.ndim ({filled}) must match len(axes) ({len(axes)}), and no axis of it may be empty")
    return window


def _beside(shape, axes, ndim):
    sizes = iter(shape)
    return tuple(next(sizes) if axis in axes else 1 for axis in range(ndim))


def spread_origin(origin, axes, ndim):
    """One origin per array axis, 0 where it is not filtered."""
    origins = [0] * ndim
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
    flat     the taps as flat indices into the window, int64 bytes; None for all
    """

    __slots__ = ("flat", "rank", "table", "words")

    def __init__(self, shape, parts, extent, origins, mode, flat):
        self.flat = flat
        self.rank, self.words, self.table = _geometry(tuple(shape), parts, tuple(extent), tuple(origins), mode, flat)

    def on(self, device):
        """The taps on a device."""
        return constant(self.table, device)


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
def _geometry(shape, parts, extent, origins, mode, flat):
    lo = [e // 2 + o for e, o in zip(extent, origins, strict=True)]
    axes, inner = _merge(shape, parts, extent, lo)
    lengths, extents, lows = zip(*axes, strict=True)
    taps = np.arange(np.prod(extents)) if flat is None else np.frombuffer(flat, np.int64)
    coordinates = np.stack(np.unravel_index(taps, extents), 1)
    strides = np.cumprod([inner, *lengths[:0:-1]])[::-1]
    table = np.ascontiguousarray(np.column_stack([coordinates @ strides, coordinates]), dtype=np.int64)
    return len(axes), (*lengths, inner, *extents, *lows, len(taps), mode), table
