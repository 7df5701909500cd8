"""Adding and removing items along an axis."""

import numpy as np

from gpusci.core._ndarray import ndarray
from gpusci.core.args import normalize_axes, normalize_axis
from gpusci.core.creation import empty
from gpusci.core.indexing import take
from gpusci.core.manipulation import concatenate, moveaxis
from gpusci.core.numpylike import as_arrays, numpy_like, to_device_array

__all__ = ["append", "delete", "insert", "trim_zeros"]

@numpy_like
def append(arr, values, axis=None):
    """As `numpy.append`."""
    arr, values = as_arrays(arr, values)
    if axis is None:
        arr, values, axis = arr.reshape(-1), values.reshape(-1), 0
    return concatenate((arr, values), axis)


@numpy_like
def delete(arr, obj, axis=None):
    """As `numpy.delete`. Indices in a GPU array are read back, which waits for the GPU."""
    arr, obj = to_device_array(arr), obj.numpy() if type(obj) is ndarray else obj
    if axis is None:
        arr, axis = (arr.reshape(-1) if arr.ndim != 1 else arr), 0
    axis = normalize_axis(axis, arr.ndim)
    kept = np.delete(np.arange(arr.shape[axis]), obj)       # NumPy's rules and errors, on positions alone
    return take(arr, kept, axis)


@numpy_like
def insert(arr, obj, values, axis=None):
    """As `numpy.insert`. Indices in a GPU array are read back, which waits for the GPU."""
    arr, values = as_arrays(arr, values)
    obj = obj.numpy() if type(obj) is ndarray else obj
    if axis is None:
        arr, axis = (arr.reshape(-1) if arr.ndim != 1 else arr), 0
    axis = normalize_axis(axis, arr.ndim)
    n = arr.shape[axis]
    obj = np.arange(n)[obj] if isinstance(obj, slice) else np.asarray(obj, None if np.size(obj) else np.intp)
    obj = np.flatnonzero(obj) if obj.dtype == bool else obj
    # Where the items of the result come from: those of `values` are counted down from -1.
    if obj.size == 1:
        values = values.reshape((1,) * (arr.ndim - values.ndim) + values.shape)
        values = moveaxis(values, 0, axis) if obj.ndim == 0 else values
        count = values.shape[axis]
        positions = np.insert(np.arange(n), obj.item(), -1 - np.arange(count))
    else:
        count = obj.size
        positions = np.insert(np.arange(n), obj, -1 - np.arange(count))
    out = empty(arr.shape[:axis] + (n + count,) + arr.shape[axis + 1 :], arr.dtype, device=arr.device)
    lead = (slice(None),) * axis
    out[(*lead, np.flatnonzero(positions >= 0))] = arr
    placed = np.flatnonzero(positions < 0)
    order = np.argsort(-1 - positions[placed], kind="stable")
    out[(*lead, placed[order])] = values
    return out


def trim_zeros(filt, trim="fb", axis=None):
    """As `numpy.trim_zeros`: a view. Waits for the GPU."""
    from gpusci.core.algorithms import nonzero

    filt = to_device_array(filt)
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    if filt.ndim == 0:
        return filt
    axes = range(filt.ndim) if axis is None else normalize_axes(axis, filt.ndim)
    found = [x.numpy() for x in nonzero(filt)]
    bounds = [slice(None)] * filt.ndim
    for d in axes:
        first, last = (int(found[d].min()), int(found[d].max()) + 1) if found[d].size else (0, 0)
        bounds[d] = slice(0) if not last else slice(first if "f" in trim else None, last if "b" in trim else None)
    return filt[tuple(bounds)]
