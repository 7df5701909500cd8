"""Sets with NumPy's names: unique and its Array API forms, isin, intersections, unions and differences.

All are made of a stable sort and a comparison of neighbours. They wait for the GPU, since the result's size is a count.
"""

import math
from typing import NamedTuple

import numpy as np

from gpusci.core._ndarray import ndarray
from gpusci.core.args import normalize_axis
from gpusci.core.numpylike import numpy_like, to_device_array

__all__ = [
    "in1d", "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all", "unique_counts",
    "unique_inverse", "unique_values",
]  # fmt: skip


class UniqueAllResult(NamedTuple):
    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray


class UniqueCountsResult(NamedTuple):
    values: ndarray
    counts: ndarray


class UniqueInverseResult(NamedTuple):
    values: ndarray
    inverse_indices: ndarray


def _differ(a, b, equal_nan):
    """Whether neighbours of a sorted line differ."""
    import gpusci as gs

    out = a != b
    if equal_nan and a.dtype.kind in "fc":
        out &= ~(gs.isnan(a) & gs.isnan(b))
    return out


def _first_of_runs(x, equal_nan):
    """For a sorted line, True where a new value begins."""
    import gpusci as gs

    first = gs.ones(x.shape, bool, device=x.device)
    if x.size > 1:
        first[1:] = _differ(x[1:], x[:-1], equal_nan)
    return first


def _rows_order(rows):
    """The order that sorts the rows of a 2-d array, first column first."""
    from gpusci.core.sorting import lexsort

    if rows.shape[1] == 0:
        import gpusci as gs

        return gs.arange(rows.shape[0], device=rows.device)
    return lexsort([rows[:, c] for c in range(rows.shape[1] - 1, -1, -1)])


@numpy_like
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    """As `numpy.unique`; always sorted. Waits for the GPU to know how many values there are."""
    import gpusci as gs

    a = to_device_array(ar)
    if axis is not None:
        axis = normalize_axis(axis, a.ndim)
    if axis is None or a.ndim == 1:
        axis = None
        line, shape = a.reshape(-1), a.shape
    else:
        line = gs.moveaxis(a, axis, 0)
        shape = line.shape[0]
    by_index = return_index or return_inverse or axis is not None or a.dtype.kind == "c"
    if axis is not None:
        flat = line.reshape(shape, math.prod(line.shape[1:]))
        order = _rows_order(flat)
        flat = gs.take(flat, order, axis=0)
        first = gs.ones(shape, bool, device=a.device)
        if shape > 1:
            first[1:] = gs.any(flat[1:] != flat[:-1], axis=1)
        line = gs.take(line, order, axis=0)
    else:
        order = gs.argsort(line, stable=True) if by_index else None
        line = gs.take(line, order) if by_index else gs.sort(line)
        first = _first_of_runs(line, equal_nan)
    starts = gs.flatnonzero(first)
    values = gs.take(line, starts, axis=0)
    results = [values if axis is None else gs.moveaxis(values, 0, axis)]
    if return_index:
        results.append(gs.take(order, starts))
    if return_inverse:
        inverse = gs.empty(first.shape, np.int64, device=a.device)
        inverse[order] = gs.cumsum(first) - 1
        results.append(inverse.reshape(shape) if axis is None else inverse)
    if return_counts:
        ends = gs.concatenate([starts[1:], gs.full((1,), first.size, np.int64, device=a.device)])
        results.append(ends - starts if starts.size else starts)
    return results[0] if len(results) == 1 else tuple(results)


@numpy_like
def unique_all(x):
    """As `numpy.unique_all`."""
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


@numpy_like
def unique_counts(x):
    """As `numpy.unique_counts`."""
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


@numpy_like
def unique_inverse(x):
    """As `numpy.unique_inverse`."""
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


@numpy_like
def unique_values(x):
    """As `numpy.unique_values`; sorted."""
    return unique(x, equal_nan=False)


@numpy_like
def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """As `numpy.isin`; `kind` is checked and makes no difference."""
    import gpusci as gs

    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    tests = to_device_array(test_elements, element.device if isinstance(element, ndarray) else None).reshape(-1)
    a = to_device_array(element, tests.device)
    if kind == "table" and (a.dtype.kind not in "biu" or tests.dtype.kind not in "biu"):
        raise ValueError("The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None.")
    if tests.size == 0:
        return gs.full(a.shape, bool(invert), dtype=bool, device=a.device)
    common = np.result_type(a.dtype, tests.dtype)
    table, values = gs.sort(tests.astype(common, copy=False)), a.astype(common, copy=False)
    place = gs.minimum(gs.searchsorted(table, values), table.size - 1)
    found = gs.take(table, place) == values
    return ~found if invert else found


# NumPy 2.4 has no `in1d` any more; older code still calls it.
def in1d(ar1, ar2, assume_unique=False, invert=False, *, kind=None):
    """`isin` of flattened arrays."""
    return isin(to_device_array(ar1).reshape(-1), ar2, assume_unique, invert, kind=kind)


@numpy_like
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """As `numpy.intersect1d`."""
    import gpusci as gs

    a, b = to_device_array(ar1), to_device_array(ar2, ar1.device if isinstance(ar1, ndarray) else None)
    a, b = a.reshape(-1), b.reshape(-1)
    index = []
    if not assume_unique:
        (a, i), (b, j) = unique(a, return_index=True), unique(b, return_index=True)
        index = [i, j]
    both = gs.concatenate([a, b])
    order = gs.argsort(both, stable=True)
    line = gs.take(both, order)
    at = gs.flatnonzero(line[1:] == line[:-1]) if line.size > 1 else gs.zeros(0, np.int64, device=a.device)
    values = gs.take(line, at)
    if not return_indices:
        return values
    i, j = gs.take(order, at), gs.take(order, at + 1) - a.size
    if index:
        i, j = gs.take(index[0], i), gs.take(index[1], j)
    return values, i, j


@numpy_like
def union1d(ar1, ar2):
    """As `numpy.union1d`."""
    import gpusci as gs

    a, b = to_device_array(ar1), to_device_array(ar2, ar1.device if isinstance(ar1, ndarray) else None)
    return unique(gs.concatenate([a.reshape(-1), b.reshape(-1)]))


@numpy_like
def setdiff1d(ar1, ar2, assume_unique=False):
    """As `numpy.setdiff1d`."""
    a = to_device_array(ar1).reshape(-1)
    a = a if assume_unique else unique(a)
    b = to_device_array(ar2, a.device)
    return a[isin(a, b if assume_unique else unique(b), invert=True)]


@numpy_like
def setxor1d(ar1, ar2, assume_unique=False):
    """As `numpy.setxor1d`."""
    import gpusci as gs

    a, b = to_device_array(ar1), to_device_array(ar2, ar1.device if isinstance(ar1, ndarray) else None)
    a, b = (a.reshape(-1), b.reshape(-1)) if assume_unique else (unique(a), unique(b))
    line = gs.sort(gs.concatenate([a, b]))
    if not line.size:
        return line
    edge = gs.ones(line.size + 1, bool, device=line.device)
    edge[1:-1] = line[1:] != line[:-1]
    return line[edge[1:] & edge[:-1]]
