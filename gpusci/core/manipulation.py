"""Shapes, joins, splits and rearrangements. Padding is in padding.py."""

import math
import operator

import numpy as np

from gpusci.core._ndarray import ndarray, new, wrap
from gpusci.core.args import normalize_axes, normalize_axis
from gpusci.core.creation import asarray, empty_like, zeros
from gpusci.core.elementwise import copyto
from gpusci.core.numpylike import as_arrays, device_of, numpy_like, spread, to_device_array, view_like

__all__ = [
    "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "block", "broadcast", "broadcast_arrays", "broadcast_shapes",
    "broadcast_to", "column_stack", "concat", "concatenate", "dsplit", "dstack", "expand_dims", "flip", "fliplr",
    "flipud", "hsplit", "hstack", "matrix_transpose", "moveaxis", "ndim", "permute_dims", "ravel", "repeat",
    "reshape", "resize", "roll", "rollaxis", "rot90", "row_stack", "shape", "size", "sliding_window_view", "split", "squeeze",
    "stack", "swapaxes", "tile", "transpose", "unstack", "vsplit", "vstack",
]  # fmt: skip


# ---- questions about shape
def shape(a):
    """As `numpy.shape`."""
    return a.shape if type(a) is ndarray else np.shape(a)


def ndim(a):
    """As `numpy.ndim`."""
    return a.ndim if type(a) is ndarray else np.ndim(a)


def size(a, axis=None):
    """As `numpy.size`."""
    if axis is None:
        return a.size if type(a) is ndarray else np.size(a)
    sizes = shape(a)
    return int(np.prod([sizes[d] for d in normalize_axes(axis, len(sizes))]))


def broadcast_shapes(*args):
    """As `numpy.broadcast_shapes`."""
    return np.broadcast_shapes(*args)


# ---- views
def reshape(a, /, shape, order="C", *, copy=None):
    """As `numpy.reshape`: a view where the layout allows."""
    return to_device_array(a).reshape(shape, order=order, copy=copy)


def ravel(a, order="C"):
    """As `numpy.ravel`: a view where the layout allows."""
    return to_device_array(a).ravel(order)


@view_like
def transpose(a, axes=None):
    """As `numpy.transpose`."""
    return np.transpose(a, axes)


permute_dims = transpose


@view_like
def matrix_transpose(x, /):
    """As `numpy.matrix_transpose`."""
    return np.matrix_transpose(x)


@view_like
def moveaxis(a, source, destination):
    """As `numpy.moveaxis`."""
    if type(source) is int and type(destination) is int:
        axes = list(range(a.ndim))
        axes.insert(normalize_axis(destination, a.ndim), axes.pop(normalize_axis(source, a.ndim)))
        return a.transpose(axes)
    return np.moveaxis(a, source, destination)


@view_like
def rollaxis(a, axis, start=0):
    """As `numpy.rollaxis`."""
    return np.rollaxis(a, axis, start)


@view_like
def swapaxes(a, axis1, axis2):
    """As `numpy.swapaxes`."""
    return np.swapaxes(a, axis1, axis2)


@view_like
def expand_dims(a, axis):
    """As `numpy.expand_dims`."""
    if type(axis) is int:
        return a[(slice(None),) * normalize_axis(axis, a.ndim + 1) + (None, ...)]
    return np.expand_dims(a, axis)


@view_like
def squeeze(a, axis=None):
    """As `numpy.squeeze`."""
    return np.squeeze(a, axis)


@view_like
def flip(m, axis=None):
    """As `numpy.flip`."""
    if type(axis) is int and m.ndim:
        return m[(slice(None),) * normalize_axis(axis, m.ndim) + (slice(None, None, -1),)]
    return m if m.ndim == 0 and axis in (None, ()) else np.flip(m, axis)    # NumPy reads the element of a 0-d array


@view_like
def fliplr(m):
    """As `numpy.fliplr`."""
    return np.fliplr(m)


@view_like
def flipud(m):
    """As `numpy.flipud`."""
    return np.flipud(m)


@view_like
def rot90(m, k=1, axes=(0, 1)):
    """As `numpy.rot90`: a view."""
    return np.rot90(m, k, axes)


@view_like
def broadcast_to(array, shape, subok=False):
    """As `numpy.broadcast_to`: a read-only view."""
    return spread(array, shape)


@view_like
def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """As `numpy.lib.stride_tricks.sliding_window_view`."""
    return np.lib.stride_tricks.sliding_window_view(x, window_shape, axis, writeable=writeable)


@view_like
def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    """As `numpy.lib.stride_tricks.as_strided`: nothing checks the bounds."""
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=writeable)


def broadcast_arrays(*args, subok=False):
    """As `numpy.broadcast_arrays`: a tuple of views."""
    arrays = as_arrays(*args)
    target = np.broadcast_shapes(*(x.shape for x in arrays))
    return tuple(x if x.shape == target else broadcast_to(x, target) for x in arrays)


class broadcast:
    """As `numpy.broadcast`, for shapes; iterating gives tuples of 0-d arrays."""

    def __init__(self, *args):
        self._arrays = broadcast_arrays(*args)
        self.shape = self._arrays[0].shape if args else ()
        self.ndim = self.nd = len(self.shape)
        self.size, self.numiter = math.prod(self.shape), len(args)

    @property
    def iters(self):
        return tuple(x.flat for x in self._arrays)

    def __iter__(self):
        return zip(*(x.reshape(-1) for x in self._arrays))


def _at_least(function):
    def at_least(*arys):
        arrays = [wrap(function(x._a), x) for x in as_arrays(*arys)]
        return arrays[0] if len(arrays) == 1 else tuple(arrays)

    at_least.__name__ = at_least.__qualname__ = function.__name__
    at_least.__doc__ = f"As `numpy.{function.__name__}`."
    return at_least


atleast_1d, atleast_2d, atleast_3d = map(_at_least, (np.atleast_1d, np.atleast_2d, np.atleast_3d))


# ---- splitting
def _cuts(indices_or_sections):
    return indices_or_sections.tolist() if type(indices_or_sections) is ndarray else indices_or_sections


@view_like
def array_split(ary, indices_or_sections, axis=0):
    """As `numpy.array_split`: a list of views."""
    return np.array_split(ary, _cuts(indices_or_sections), axis)


@view_like
def split(ary, indices_or_sections, axis=0):
    """As `numpy.split`: a list of views."""
    return np.split(ary, _cuts(indices_or_sections), axis)


@view_like
def hsplit(ary, indices_or_sections):
    """As `numpy.hsplit`: a list of views."""
    return np.hsplit(ary, _cuts(indices_or_sections))


@view_like
def vsplit(ary, indices_or_sections):
    """As `numpy.vsplit`: a list of views."""
    return np.vsplit(ary, _cuts(indices_or_sections))


@view_like
def dsplit(ary, indices_or_sections):
    """As `numpy.dsplit`: a list of views."""
    return np.dsplit(ary, _cuts(indices_or_sections))


@view_like
def unstack(x, /, *, axis=0):
    """As `numpy.unstack`: a tuple of views."""
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    lines = np.moveaxis(x, axis, 0)
    return tuple(lines[i, ...] for i in range(lines.shape[0]))


# ---- joining
def _joined(arrays, dtype, casting):
    """The dtype of a join, checked against the casting rule."""
    wanted = np.result_type(*(x.dtype for x in arrays)) if dtype is None else np.dtype(dtype)
    for x in arrays:
        if not np.can_cast(x.dtype, wanted, casting):
            raise TypeError(f"Cannot cast array data from {x.dtype!r} to {wanted!r} according to the rule {casting!r}")
    return wanted


@numpy_like
def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """As `numpy.concatenate`."""
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    arrays = as_arrays(*arrays)
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        arrays, axis = [x.reshape(-1) for x in arrays], 0
    rank = arrays[0].ndim
    if rank == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    (axis,) = normalize_axes(axis, rank)
    for i, x in enumerate(arrays):
        if x.ndim != rank:
            raise ValueError(
                "all the input array dimensions except for the concatenation axis must match exactly, but the array at index "
                f"0 has {rank} dimension(s) and the array at index {i} has {x.ndim} dimension(s)"
            )
        for d in range(rank):
            if d != axis and x.shape[d] != arrays[0].shape[d]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along dimension "
                    f"{d}, the array at index 0 has size {arrays[0].shape[d]} and the array at index {i} has size {x.shape[d]}"
                )
    wanted = _joined(arrays, dtype if out is None else out.dtype, casting)
    length = sum(x.shape[axis] for x in arrays)
    target = arrays[0].shape[:axis] + (length,) + arrays[0].shape[axis + 1 :]
    if out is None:
        fortran = rank > 1 and all(x.flags.f_contiguous and not x.flags.c_contiguous for x in arrays)
        out = new(target, wanted, arrays[0].device, "F" if fortran else "C")
    elif out.shape != target:
        raise ValueError("Output array is the wrong shape")
    begin = 0
    for x in arrays:
        copyto(out[(slice(None),) * axis + (slice(begin, begin + x.shape[axis]),)], x, casting="unsafe")
        begin += x.shape[axis]
    return out


concat = concatenate


@numpy_like
def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """As `numpy.stack`."""
    arrays = as_arrays(*arrays)
    if not arrays:
        raise ValueError("need at least one array to stack")
    if len({x.shape for x in arrays}) != 1:
        raise ValueError("all input arrays must have the same shape")
    (axis,) = normalize_axes(axis, arrays[0].ndim + 1)
    return concatenate([expand_dims(x, axis) for x in arrays], axis, out, dtype=dtype, casting=casting)


def _each(function, tup):
    if not isinstance(tup, (list, tuple, ndarray, np.ndarray)):
        raise TypeError("arrays to stack must be passed as a \"sequence\" type such as list or tuple.")
    return [function(x) for x in as_arrays(*tup)]


def vstack(tup, *, dtype=None, casting="same_kind"):
    """As `numpy.vstack`."""
    return concatenate(_each(atleast_2d, tup), 0, dtype=dtype, casting=casting)


row_stack = vstack


def hstack(tup, *, dtype=None, casting="same_kind"):
    """As `numpy.hstack`."""
    arrays = _each(atleast_1d, tup)
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype, casting=casting)


def dstack(tup):
    """As `numpy.dstack`."""
    return concatenate(_each(atleast_3d, tup), 2)


def column_stack(tup):
    """As `numpy.column_stack`."""
    return concatenate([x.reshape(-1, 1) if x.ndim < 2 else x for x in _each(lambda x: x, tup)], 1)


def block(arrays):
    """As `numpy.block`: nested lists of arrays."""
    depth, rank = _block_depth(arrays, ()), 0

    def ranks(item):
        return max(map(ranks, item)) if isinstance(item, list) else ndim(item)

    rank, home = max(ranks(arrays), depth), device_of(arrays)

    def join(item, level):
        if not isinstance(item, list):
            x = to_device_array(item, home)
            return x.reshape((1,) * (rank - x.ndim) + x.shape)
        return concatenate([join(part, level + 1) for part in item], level - depth)

    out = join(arrays, 0)
    return out.copy() if not isinstance(arrays, list) else out


def _block_depth(item, place):
    if isinstance(item, tuple):
        raise TypeError(f"arrays{''.join(f'[{i}]' for i in place)} is a tuple. Only lists can be used to arrange blocks")
    if not isinstance(item, list):
        return 0
    if not item:
        raise ValueError(f"List at arrays{''.join(f'[{i}]' for i in place)} cannot be empty")
    depths = [_block_depth(part, (*place, i)) for i, part in enumerate(item)]
    if len(set(depths)) > 1:
        raise ValueError("List depths are mismatched: the nested lists of a block must all have the same depth")
    return depths[0] + 1


# ---- repeating and moving
@numpy_like
def tile(A, reps):
    """As `numpy.tile`."""
    A = to_device_array(A)
    reps = tuple(int(r) for r in reps) if np.ndim(reps) else (int(reps),)
    rank = max(A.ndim, len(reps))
    reps, sizes = (1,) * (rank - len(reps)) + reps, (1,) * (rank - A.ndim) + A.shape
    spread = broadcast_to(A.reshape([n for size in sizes for n in (1, size)]), [n for pair in zip(reps, sizes) for n in pair])
    return spread.copy().reshape([r * n for r, n in zip(reps, sizes)])


@numpy_like
def repeat(a, repeats, axis=None):
    """As `numpy.repeat`. Counts in a GPU array are summed first, which waits for the GPU."""
    a = to_device_array(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    a = a if a.ndim else a.reshape(1)                   # as NumPy: a 0-d array has an axis 0
    (axis,) = normalize_axes(axis, a.ndim)
    n = a.shape[axis]
    counts = repeats if type(repeats) is ndarray else np.asarray(repeats)
    if not isinstance(repeats, (ndarray, np.ndarray)):
        counts = counts.astype(np.intp)                 # numbers and lists by any cast, arrays by a safe one
    if not np.can_cast(counts.dtype, np.int64, "safe"):
        raise TypeError(f"Cannot cast array data from {counts.dtype!r} to dtype('int64') according to the rule 'safe'")
    if counts.ndim > 1:
        raise ValueError("object too deep for desired array")
    if type(counts) is not ndarray and counts.size == 1:
        count = int(counts.reshape(()))
        if count < 0:
            raise ValueError("repeats may not contain negative values.")
        spread = a.reshape(a.shape[: axis + 1] + (1,) + a.shape[axis + 1 :])
        spread = broadcast_to(spread, a.shape[: axis + 1] + (count,) + a.shape[axis + 1 :])
        return spread.copy().reshape(a.shape[:axis] + (n * count,) + a.shape[axis + 1 :])
    if counts.size not in (1, n):
        raise ValueError(f"operands could not be broadcast together with shape ({n},) ({counts.size},)")
    from gpusci.core.indexing import take

    return take(a, _repeat_index(counts, n, a.device), axis)


def _repeat_index(counts, n, device):
    if type(counts) is not ndarray:
        if np.any(counts < 0):
            raise ValueError("repeats may not contain negative values.")
        return asarray(np.repeat(np.arange(n), counts), device=device)
    from gpusci.core.ranges import arange
    from gpusci.core.scan import cumsum
    from gpusci.core.sorting import searchsorted

    ends = cumsum(broadcast_to(counts.reshape(-1), (n,)), dtype=np.int64)
    total = int(ends[-1]) if n else 0
    return searchsorted(ends, arange(total, device=device), side="right")


@numpy_like
def roll(a, shift, axis=None):
    """As `numpy.roll`."""
    a = to_device_array(a)
    if axis is None:
        return roll(a.reshape(-1), shift, 0).reshape(a.shape)
    axes = [normalize_axis(d, a.ndim) for d in np.atleast_1d(axis)]
    shift = shift.tolist() if type(shift) is ndarray else shift
    pairs = np.broadcast(np.asarray(shift), np.asarray(axes))
    if pairs.ndim > 1:
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    total = dict.fromkeys(axes, 0)
    for by, d in pairs:
        total[int(d)] += operator.index(by)
    pieces = [((), ())]                     # (destination, source) slices of every block that moves as one
    for d, n in enumerate(a.shape):
        by = total.get(d, 0) % (n or 1)
        moves = [(slice(by, None), slice(None, n - by))] + [(slice(None, by), slice(n - by, None))] * (by > 0)
        pieces = [(to + (t,), source + (s,)) for to, source in pieces for t, s in moves]
    out = empty_like(a)
    for to, source in pieces:
        out[to] = a[source]
    return out


@numpy_like
def resize(a, new_shape):
    """As `numpy.resize`: repeats `a` to fill the shape."""
    a = to_device_array(a).reshape(-1)
    new_shape = (new_shape,) if np.ndim(new_shape) == 0 else tuple(new_shape)
    if any(n < 0 for n in new_shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    total = int(np.prod(new_shape))
    if a.size == 0 or total == 0:
        return zeros(new_shape, a.dtype, device=a.device)
    return tile(a, -(-total // a.size))[:total].reshape(new_shape)
