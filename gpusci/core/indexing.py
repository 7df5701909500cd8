"""Indexing with arrays: behind `x[key]`, and NumPy's functions that take indices.

Boolean masks need their count of true elements, which is read back: one wait for the GPU. Integer arrays never wait; an
index out of range in a GPU array raises IndexError at the next synchronising point.
"""

import operator

import numpy as np

from gpusci.core import masks
from gpusci.core._ndarray import from_numpy, ndarray, wrap
from gpusci.core.args import normalize_axis
from gpusci.core.creation import _holds_arrays, asarray
from gpusci.core.elementwise import copyto
from gpusci.core.gather import Grid, gather, scatter, to_index
from gpusci.core.host import HOST
from gpusci.core.numpylike import LARGE, as_arrays, device_of, numpy_like, to_device_array, view_like

__all__ = [
    "diagonal", "fill_diagonal", "ix_", "put", "put_along_axis", "take", "take_along_axis",
]  # fmt: skip


# ---- x[key]
def getitem(x, key):
    """x[key] for a key with arrays, lists or booleans in it: always a copy."""
    if x.device.uses_numpy and not _is_large(x, key):
        return from_numpy(np.asarray(x._a[_host_key(key)]))
    # The commonest case, without a plan.
    if type(key) is ndarray and key.dtype.kind in "iu" and x.ndim and (x.flags.c_contiguous or _strides_fall(x)):
        return gather(Grid.of_axes(x, (0,), (to_index(key, None, x.device),), 0))
    mask = _single_mask(x, key)
    if mask is not None:
        return masks.select(x, mask)
    plan = Plan(x, key)
    return plan.gathered() if plan.grid is not None else plan.basic.copy()


def setitem(x, key, value):
    """x[key] = value for a key with arrays, lists or booleans in it. Of repeated indices the last one wins."""
    if x.device.uses_numpy and not (_is_large(x, key) and key.dtype == bool):
        x._a[_host_key(key)] = value.numpy() if type(value) is ndarray else value
        return
    value, key = _as_value(x, value), _detached(x, key)
    mask = _single_mask(x, key)
    if mask is not None:
        masks.assign(x, mask, value)
        return
    plan = Plan(x, key)
    shape = plan.shape
    value = _fit_value(value, shape)
    if plan.grid is None:
        plan.basic[...] = value
    else:
        scatter(plan.grid, value, unique=plan.unique)


def _is_large(x, key):
    """Whether our kernels beat NumPy on the host: one large array as the key."""
    return isinstance(key, (ndarray, np.ndarray)) and key.size >= LARGE and (key.dtype != bool or key.ndim == x.ndim)


def _host_key(key):
    if type(key) is tuple:
        return tuple(_host_key(k) for k in key)
    if type(key) is ndarray:
        return _on_device(key, HOST)._a
    return [_host_key(k) for k in key] if type(key) is list else key


def _as_value(x, value):
    """The value of an assignment in x's dtype: an array, brought to x's device, that does not overlap x, or a NumPy scalar."""
    if type(value) is ndarray:
        value = value.to_device(x.device)
        if value.dtype != x.dtype:
            return value.astype(x.dtype)
        return value.copy() if np.may_share_memory(value._a, x._a) else value
    cell = np.empty((), x.dtype)
    if np.ndim(value) == 0:
        cell[()] = value                                # NumPy's errors: out of bounds, complex to real
        return cell[()]
    if isinstance(value, (list, tuple)):
        return asarray(value, x.dtype, device=x.device)
    return asarray(np.asarray(value).astype(x.dtype), device=x.device)


def _detached(x, key):
    """The key with copies of the arrays in it that the assignment to x would change."""
    if type(key) is tuple:
        return tuple(_detached(x, k) for k in key)
    return key.copy() if type(key) is ndarray and np.may_share_memory(key._a, x._a) else key


def _fit_value(value, shape):
    """A value that broadcasts to the result's shape; leading dimensions of length 1 may be too many, as in NumPy."""
    if type(value) is not ndarray:
        return value
    extra = value.ndim - len(shape)
    if extra > 0 and value.shape[:extra] == (1,) * extra:
        value = value.reshape(value.shape[extra:])
    try:
        fits = np.broadcast_shapes(value.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"shape mismatch: value array of shape {value.shape} could not be broadcast to indexing result of shape {shape}"
        )
    return value


def _single_mask(x, key):
    """The mask when the key is nothing but one boolean array of x's shape, else None."""
    if type(key) is tuple and len(key) == 1:
        key = key[0]
    if isinstance(key, (ndarray, np.ndarray)) and key.dtype == bool and key.ndim == x.ndim and key.ndim > 0:
        _check_mask(key, x.shape, 0)
        if key.shape != x.shape:
            return None
        return _on_device(key, x.device) if type(key) is ndarray else asarray(key, device=x.device)
    return None


def _on_device(index, device):
    if index.device is not device:
        raise ValueError(
            f"the array is on {device.name} and its index on {index.device.name}; bring them together with index.to_device(...)"
        )
    return index


def _check_mask(mask, lengths, axis):
    for d, (n, wanted) in enumerate(zip(mask.shape, lengths)):
        if n not in (wanted, 0):                        # an empty mask selects nothing of any length, as in NumPy
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + d}; size of axis is {wanted} but size of "
                f"corresponding boolean axis is {n}"
            )


class Plan:
    """A key taken apart by NumPy's rules, against an array.

    grid    the gather or scatter that remains after slices, None for keys that are views after all
    basic   the view, where grid is None
    shape   of x[key]
    unique  whether no element is named twice
    """

    def __init__(self, x, key):
        items = self._items(x, key)
        basic, self.index, self.axes, numbers, place = [], [], [], [], []
        axis = axis_out = 0                             # of x, and of the view that the slices leave
        count = None                                    # elements of 0-d booleans: 0 or 1
        for number, (kind, item) in enumerate(items):
            if kind == "gap":
                continue
            if kind in ("slice", "new"):
                basic.append(item)
                axis, axis_out = axis + (kind == "slice"), axis_out + 1
                continue
            numbers.append(number)
            place.append(axis_out - len(self.axes))
            if kind == "truth":
                count = item if count is None else count and item
                continue
            if kind == "index" and type(item) is not ndarray and item.ndim == 0:
                basic.append(int(item))                 # a number: part of the view, no index array is needed
                axis += 1
                continue
            for i in item if kind == "mask" else [item]:
                self.index.append(to_index(i, x.shape[axis], x.device))
                self.axes.append(axis_out)
                basic.append(slice(None))
                axis, axis_out = axis + 1, axis_out + 1
        arrays = [kind for kind, item in items if kind == "mask" or kind == "index" and np.ndim(getattr(item, "_a", item))]
        self.unique = arrays == ["mask"]
        view = wrap(x._a[(*basic, ...)], x)
        together = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        self._finish(view, count, place[0] if together else 0)

    def _finish(self, view, count, place):
        self.grid = self.basic = None
        if count is not None and self.index:
            # A 0-d boolean broadcasts as an index array of one element, or of none.
            self.index = [i if i.ndim else i.reshape(1) for i in self.index]
            if not count:
                self.index = [wrap(np.broadcast_to(i._a, _broadcast([i.shape, (0,)])), i) for i in self.index]
        if not self.index:
            if count is not None:
                before = (slice(None),) * place
                view = wrap(view._a[(*before, None)][(*before, slice(int(count)))], view)
            self.basic, self.shape = view, view.shape
            return
        _broadcast([i.shape for i in self.index])
        self.view, self.place = view, place
        self.grid = Grid.of_axes(view, self.axes, self.index, place)
        self.shape = self.grid.shape

    def gathered(self):
        """x[key], new. Where x is not in C order, as NumPy: the index arrays' dimensions vary slowest, the others as in x, so that
        neighbours in memory are copied as such."""
        view, place, n = self.view, self.place, len(self.grid.common)
        if _strides_fall(view):
            return gather(self.grid)
        rest = [d for d in range(view.ndim) if d not in self.axes]
        order = sorted(range(len(rest)), key=lambda i: (-abs(view.strides[rest[i]]), i))
        moved = view.transpose(*self.axes, *(rest[i] for i in order))
        out = gather(Grid.of_axes(moved, range(len(self.axes)), self.index, 0))
        back = [n + order.index(i) for i in range(len(rest))]
        return out.transpose(*back[:place], *range(n), *back[place:])

    @staticmethod
    def _items(x, key):
        """(kind, item) pairs that cover every axis of x: slice, new, index, mask (its index arrays), truth (a 0-d boolean), gap."""
        items, used, ellipsis = [], 0, None
        for k in key if type(key) is tuple else (key,):
            kind, item, axes = _classify(k)
            if kind == "ellipsis":
                if ellipsis is not None:
                    raise IndexError("an index can only have a single ellipsis ('...')")
                ellipsis = len(items)
                continue
            items.append((kind, item))
            used += axes
        if used > x.ndim:
            raise IndexError(f"too many indices for array: array is {x.ndim}-dimensional, but {used} were indexed")
        fill = [("slice", slice(None))] * (x.ndim - used)
        # An ellipsis that stands for nothing still parts the index arrays around it.
        place = len(items) if ellipsis is None else ellipsis
        items[place:place] = fill or [("gap", None)] * (ellipsis is not None)
        axis = 0
        for n, (kind, item) in enumerate(items):
            if kind == "mask":
                _check_mask(item, x.shape[axis : axis + item.ndim], axis)
                items[n] = kind, masks.nonzero(item, x.device)
                axis += item.ndim
            else:
                axis += kind in ("slice", "index")
        return items


def _strides_fall(x):
    steps = [abs(step) for n, step in zip(x.shape, x.strides) if n > 1]
    return steps == sorted(steps, reverse=True)


def _broadcast(shapes):
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        text = " ".join(map(str, shapes))
        raise IndexError(f"shape mismatch: indexing arrays could not be broadcast together with shapes {text}") from None


def _classify(k):
    """(kind, item, axes consumed) of one part of a key."""
    if k is None:
        return "new", None, 0
    if k is Ellipsis:
        return "ellipsis", None, 0
    if isinstance(k, slice):
        return "slice", k, 1
    if isinstance(k, (bool, np.bool_)):
        return "truth", int(k), 0
    if type(k) is not ndarray:
        if isinstance(k, (list, tuple)):
            if _holds_arrays(k, 64):
                k = asarray(k)
            elif len(k) == 0:
                k = np.empty(0, np.intp)
        if type(k) is not ndarray:
            k = _host_index(k)
    if k.dtype != bool:
        return "index", k, 1
    return ("mask", k, k.ndim) if k.ndim else ("truth", int(bool(k)), 0)


def _host_index(k):
    try:
        host = np.asarray(k)
    except ValueError:                                  # ragged
        host = None
    if host is not None and host.size == 0 and not isinstance(k, np.ndarray):
        return host.astype(np.intp)                     # an empty list has no kind of its own
    if host is None or host.dtype.kind not in "biu":
        if hasattr(k, "__index__") and not isinstance(k, np.ndarray):
            return np.asarray(operator.index(k))
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices"
        )
    return host


# ---- take and put
def take(a, indices, axis=None, out=None, mode="raise"):
    """As `numpy.take`. Raises IndexError for taking something from an empty axis in all modes; NumPy 2.4 never ends for some."""
    if getattr(a, "size", 1) == 0 and np.size(indices) and (axis is None or a.shape[normalize_axis(axis, a.ndim)] == 0):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    return _take(a, indices, axis, out, mode)


@numpy_like(name="take", large=4 * LARGE)
def _take(a, indices, axis, out, mode):
    a = to_device_array(a, device_of(a, indices))
    a = a if a.ndim else a.reshape(1)                   # as NumPy: a 0-d array has an axis 0
    a, axis = (a.reshape(-1), 0) if axis is None else (a, normalize_axis(axis, a.ndim))
    index = _checked_index(indices, a, axis, mode, "take")
    grid = Grid.of_axes(a, [axis], [index], axis)
    if out is None:
        return gather(grid, mode, "take")
    if out.shape != grid.shape:
        raise ValueError("output array does not match result of ndarray.take")
    if not np.can_cast(out.dtype, a.dtype):             # NumPy's rule, in this direction
        raise TypeError(f"Cannot cast array data from {out.dtype!r} to {a.dtype!r} according to the rule 'safe'")
    if out.flags.c_contiguous and out.dtype == a.dtype and not np.may_share_memory(out._a, a._a):
        return gather(grid, mode, "take", out)
    copyto(out, gather(grid, mode, "take"), casting="unsafe")
    return out


def _checked_index(indices, a, axis, mode, operation):
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    n = a.shape[axis]
    host = indices if type(indices) is ndarray else np.asarray(indices)
    if host.dtype == bool or not isinstance(indices, (np.ndarray, ndarray)):
        indices = host.astype(np.intp)                  # NumPy reads numbers and lists by any cast, arrays by a safe one
    elif not np.can_cast(host.dtype, np.intp, "same_kind"):
        raise TypeError(f"Cannot cast array data from {host.dtype!r} to dtype('int64') according to the rule 'safe'")
    if n == 0 and host.size:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    return to_index(indices, n if mode == "raise" else None, a.device, operation)


@numpy_like(large=LARGE)
def take_along_axis(arr, indices, axis=-1):
    """As `numpy.take_along_axis`."""
    arr, index, axis = _along_axis(arr, indices, axis)
    lengths = [1 if d == axis else n for d, n in enumerate(arr.shape)]
    try:
        shape = np.broadcast_shapes(lengths, index.shape)
    except ValueError:
        raise IndexError(f"shape mismatch: indices of shape {index.shape} do not fit an array of shape {arr.shape}") from None
    stride = [0 if d == axis or arr.shape[d] == 1 else s for d, s in enumerate(arr.strides)]
    return gather(Grid.along(arr, shape, stride, index, axis), operation="take_along_axis")


def _along_axis(arr, indices, axis):
    home = device_of(arr, indices)
    arr, indices = to_device_array(arr, home), to_device_array(indices, home)
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        arr, axis = arr.reshape(-1), 0
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    axis = normalize_axis(axis, arr.ndim)
    return arr, to_index(indices, None, arr.device), axis


def put_along_axis(arr, indices, values, axis):
    """As `numpy.put_along_axis`: in place. Of repeated indices the last one wins."""
    if arr.device.uses_numpy:
        host = [v.numpy() if type(v) is ndarray else v for v in (indices, values)]
        np.put_along_axis(arr.numpy(), *host, axis)
        return
    flat, index, axis = _along_axis(arr, indices, axis)
    if flat.ptr != arr.ptr and arr.size:
        raise ValueError("put_along_axis with axis=None needs a contiguous array: the result is written into it")
    from gpusci.core.ranges import arange

    key = [arange(n, device=arr.device).reshape((-1,) + (1,) * (flat.ndim - d - 1)) for d, n in enumerate(flat.shape)]
    key[axis] = index
    setitem(flat, tuple(key), values)


def put(a, ind, v, mode="raise"):
    """As `numpy.put`: in place. Of repeated indices the last one wins."""
    if type(a) is not ndarray:
        raise TypeError(f"argument 1 must be a gpusci array, not {type(a).__name__}")
    if a.device.uses_numpy:
        np.put(a.numpy(), *(x.numpy() if type(x) is ndarray else x for x in (ind, v)), mode)
        return
    from gpusci.core.manipulation import resize

    flat = a.reshape(-1)
    index = _checked_index(ind, flat, 0, mode, "put").reshape(-1)
    value = _as_value(a, v)
    if index.size == 0 or getattr(value, "size", 1) == 0:
        return
    if type(value) is ndarray:
        value = value.reshape(-1)
        value = value.reshape(()) if value.size == 1 else value if value.size == index.size else resize(value, index.size)
    scatter(Grid.of_axes(flat, [0], [index], 0), value, mode, "put")
    if not np.may_share_memory(flat._a, a._a):
        a[...] = flat.reshape(a.shape)


# ---- diagonals and open meshes
@view_like
def diagonal(a, offset=0, axis1=0, axis2=1):
    """As `numpy.diagonal`: a read-only view."""
    return np.diagonal(a, offset, axis1, axis2)


def fill_diagonal(a, val, wrap=False):
    """As `numpy.fill_diagonal`: in place."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    if a.device.uses_numpy:
        np.fill_diagonal(a.numpy(), val.numpy() if type(val) is ndarray else val, wrap)
        return
    from gpusci.core.manipulation import resize

    n = min(a.shape)
    parts = [(0, n)]
    if a.ndim == 2 and wrap:                            # after a row left free, the diagonal starts again
        period = a.shape[1] + 1
        parts = [(row, min(a.shape[1], a.shape[0] - row)) for row in range(0, a.shape[0], period)]
    views = [_diagonal_from(a, row, length) for row, length in parts]
    value = to_device_array(val, a.device).reshape(-1)
    if value.size > 1:
        value = resize(value, sum(length for _, length in parts))
    begin = 0
    for view in views:
        copyto(view, value if value.size == 1 else value[begin : begin + view.size], casting="unsafe")
        begin += view.size


def _diagonal_from(a, row, length):
    start = a._a[row:]
    return wrap(np.lib.stride_tricks.as_strided(start, (length,), (sum(a.strides),)), a)


def ix_(*args):
    """As `numpy.ix_`. A boolean sequence waits for the GPU."""
    out = []
    arrays = as_arrays(*args)
    for k, x in enumerate(arrays):
        if x.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if x.size == 0 and not isinstance(args[k], (ndarray, np.ndarray)):
            x = x.astype(np.intp)
        if x.dtype == bool:
            (x,) = masks.nonzero(x, x.device)
        out.append(x.reshape((1,) * k + (x.size,) + (1,) * (len(args) - k - 1)))
    return tuple(out)
