"""Choosing elements by conditions: where, select, choose, piecewise, compress, place ..."""

import numpy as np

from gpusci.core import masks
from gpusci.core._ndarray import ndarray
from gpusci.core.creation import asarray, full, zeros
from gpusci.core.elementwise import copyto
from gpusci.core.fuse import Traced, traced_where
from gpusci.core.gather import Grid, gather
from gpusci.core.indexing import _checked_index, take
from gpusci.core.numpylike import LARGE, as_arrays, device_of, numpy_like, result_dtype, to_device_array
from gpusci.core.ufunc import Ufunc

__all__ = ["choose", "compress", "copyto", "extract", "piecewise", "place", "putmask", "select", "where"]

ALL = "?bBhHiIqQefdFD"
where_else = Ufunc("where_else", " ".join(f"?{c}{c}->{c}" for c in ALL), header="gpusci/selection.h", functor="where_else", cost="light",
                   doc="x where the condition holds, else y.")  # fmt: skip


def where(condition, x=None, y=None, /):
    """As `numpy.where`. With the condition alone, `nonzero`, which waits for the GPU."""
    if (x is None) != (y is None):
        raise ValueError("either both or neither of x and y should be given")
    if x is None:
        from gpusci.core.algorithms import nonzero

        return nonzero(condition)
    return _where(condition, x, y)


@numpy_like(name="where", large=LARGE)
def _where(condition, x, y):
    if type(condition) is ndarray and type(x) is type(y) is ndarray and condition.dtype == bool and x.dtype == y.dtype:
        return where_else(condition, x, y)
    if Traced in (type(condition), type(x), type(y)):   # inside a function that `fuse` traces
        return traced_where(condition, x, y)
    home = device_of(condition, x, y)
    condition = to_device_array(condition, home).astype(bool, copy=False)
    # Python numbers stay weak; other host data is an array.
    x, y = (v if type(v) in (bool, int, float, complex) else to_device_array(v, home) for v in (x, y))
    dtype = result_dtype(x, y)
    # As the NumPy at hand, numbers beyond an integer dtype wrap around (before 2.5, unlike its arithmetic) or raise.
    for v in (x, y):
        if type(v) is int and dtype.kind in "iu":
            np.where(np.empty(0, bool), np.empty(0, dtype), v)
    return where_else(condition, *(v.astype(dtype, copy=False) if type(v) is ndarray else np.asarray(v).astype(dtype)[()] for v in (x, y)))


@numpy_like(large=LARGE)
def select(condlist, choicelist, default=0):
    """As `numpy.select`."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    home = device_of(condlist, choicelist, default)
    conditions = [to_device_array(c, home) for c in condlist]
    for i, condition in enumerate(conditions):
        if condition.dtype != bool:
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    choices = [v if type(v) in (int, float, complex) else to_device_array(v, home) for v in [*choicelist, default]]
    dtype = result_dtype(*choices)
    shape = np.broadcast_shapes(*(c.shape for c in conditions), *(v.shape for v in choices if type(v) is ndarray))
    # As NumPy: a default beyond an integer dtype wraps around, a choice must be castable.
    out = full(shape, choices[-1] if type(choices[-1]) is ndarray else np.asarray(choices[-1]).astype(dtype)[()], dtype, device=home)
    # The first condition that holds decides, so the last is written first.
    for condition, choice in zip(conditions[::-1], choices[-2::-1]):
        copyto(out, choice if type(choice) is ndarray else np.asarray(choice), where=condition)
    return out


@numpy_like(large=LARGE)
def choose(a, choices, out=None, mode="raise"):
    """As `numpy.choose`."""
    home = device_of(a, choices)
    a = to_device_array(a, home)
    choices = [to_device_array(c, home) for c in choices]
    if not choices:
        raise ValueError("need at least one array to choose from")
    if not np.can_cast(a.dtype, np.intp, "same_kind"):
        raise TypeError(f"Cannot cast array data from {a.dtype!r} to dtype('int64') according to the rule 'safe'")
    shape = np.broadcast_shapes(a.shape, *(c.shape for c in choices))
    stacked = zeros((len(choices), *shape), np.result_type(*(c.dtype for c in choices)), device=home)
    for row, choice in zip(stacked, choices):
        row[...] = choice
    index = a if a.dtype.kind == "u" else a.astype(np.intp)
    if mode == "raise" and index.dtype.kind == "i":     # unlike an index, a negative number chooses nothing
        index = where(index < 0, len(choices), index)
    index = _checked_index(index, stacked, 0, mode, "choose")
    result = gather(Grid.along(stacked, shape, stacked.strides[1:], index, 0), mode, "choose")
    if out is None:
        return result
    if out.shape != shape:
        raise TypeError("choose: invalid shape for output array.")
    out[...] = result
    return out


def piecewise(x, condlist, funclist, *args, **kw):
    """As `numpy.piecewise`; each function gets the elements that its condition selects, which waits for the GPU."""
    x = to_device_array(x)
    if isinstance(condlist, (list, tuple)):
        single = x.ndim and all(np.ndim(getattr(c, "_a", c)) == 0 for c in condlist)     # one condition, as a list
    else:
        single = np.ndim(getattr(condlist, "_a", condlist)) < 2
    if single:
        condlist = [condlist]
    conditions = [to_device_array(c, x.device).astype(bool, copy=False) for c in condlist]
    n = len(conditions)
    if len(funclist) == n + 1:
        from gpusci.core.ufuncs import logical_not, logical_or

        held = conditions[0]
        for condition in conditions[1:]:
            held = logical_or(held, condition)
        conditions.append(logical_not(held))
    elif len(funclist) != n:
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    out = zeros(x.shape, x.dtype, device=x.device)
    for condition, func in zip(conditions, funclist):
        if not callable(func):
            copyto(out, func, casting="unsafe", where=condition)
            continue
        values = x[condition]
        if values.size:
            out[condition] = func(values, *args, **kw)
    return out


@numpy_like
def compress(condition, a, axis=None, out=None):
    """As `numpy.compress`. Waits for the GPU."""
    condition, a = as_arrays(condition, a)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    (index,) = masks.nonzero(condition, condition.device)
    return take(a, index, axis, out)


@numpy_like
def extract(condition, arr):
    """As `numpy.extract`. Waits for the GPU."""
    condition, arr = as_arrays(condition, arr)
    condition = condition.astype(bool, copy=False).reshape(-1)
    if condition.size == arr.size:
        return masks.select(arr.reshape(-1), condition)
    return take(arr.reshape(-1), masks.nonzero(condition, arr.device)[0])


def _in_place(a, name):
    if type(a) is not ndarray:
        raise TypeError(f"{name}: argument 1 must be a gpusci array, not {type(a).__name__}")
    if not a.flags.writeable:
        raise ValueError(f"{name}: the array is read-only")


def _values(values, like):
    """Values of a masked write in the dtype written to: arrays by safe casts only, lists and numbers by any, as in NumPy."""
    if isinstance(values, (ndarray, np.ndarray)):
        if not np.can_cast(values.dtype, like.dtype):
            raise TypeError(f"Cannot cast array data from {values.dtype!r} to {like.dtype!r} according to the rule 'safe'")
        return to_device_array(values, like.device).astype(like.dtype, copy=False)
    return asarray(np.asarray(values).astype(like.dtype), device=like.device)


def _host(*values):
    return [v.numpy() if type(v) is ndarray else v for v in values]


def place(arr, mask, vals):
    """As `numpy.place`: in place. Waits for the GPU unless there is one value."""
    _in_place(arr, "place")
    if arr.device.uses_numpy:
        np.place(arr.numpy(), *_host(mask, vals))
        return
    from gpusci.core.manipulation import resize

    mask = to_device_array(mask, arr.device).astype(bool, copy=False)
    if mask.size != arr.size:
        raise ValueError("place: mask and data must be the same size")
    vals = _values(vals, arr).reshape(-1)
    mask = mask.reshape(arr.shape)
    if vals.size == 1:
        copyto(arr, vals.reshape(()), where=mask)
        return
    last, total = masks.count_before(mask if mask.flags.c_contiguous else mask.copy())
    if total and not vals.size:
        raise ValueError("Cannot insert from an empty array!")
    if total:
        arr[mask] = resize(vals, total)


def putmask(a, /, mask, values):
    """As `numpy.putmask`: in place."""
    _in_place(a, "putmask")
    if a.device.uses_numpy:
        np.putmask(a.numpy(), *_host(mask, values))
        return
    from gpusci.core.manipulation import resize

    mask, values = to_device_array(mask, a.device).astype(bool, copy=False), _values(values, a)
    if mask.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    if values.size == 0:
        return
    values = values.reshape(()) if values.size == 1 else resize(values, a.size).reshape(a.shape)
    copyto(a, values, where=mask.reshape(a.shape))
