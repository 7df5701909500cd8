"""What the formats share below the classes: index types, sorting entries, summing duplicates, expanding row pointers."""

import numpy as np

import gpusci as gs
from gpusci.sparse import _kernels

# The dtypes that SciPy's sparse arrays compute in; others go up to the first that holds them.
SUPPORTED = tuple(np.dtype(c) for c in "?bBhHiIqQfdFD")


def index_dtype(*numbers, keep=()):
    """int32 where every number (shape, count of entries) fits, else int64, as SciPy.

    keep: the caller's index arrays, when wide ones stay wide (sparse arrays; the older matrices narrow them).
    """
    wide = max(numbers, default=0) > np.iinfo(np.int32).max or any(not np.can_cast(x.dtype, np.int32) for x in keep)
    return np.dtype(np.int64 if wide else np.int32)


def supported(dtype):
    """The dtype a sparse array holds for data of `dtype`. float16 becomes float32."""
    dtype = np.dtype(dtype)
    for candidate in SUPPORTED:
        if np.can_cast(dtype, candidate, "safe"):
            return candidate
    raise ValueError(f"sparse arrays do not hold {dtype}")


def row_numbers(indptr, count):
    """Row of every stored entry of a CSR structure."""
    rows = gs.empty(count, indptr.dtype, device=indptr.device)
    _kernels.expand_indptr(count, (indptr.dtype,), indptr, rows, indptr.size - 1)
    return rows


def row_pointers(sorted_rows, rows, dtype):
    """indptr of entries whose row numbers ascend."""
    edges = gs.arange(rows + 1, dtype=sorted_rows.dtype, device=sorted_rows.device)
    return gs.searchsorted(sorted_rows, edges, side="left").astype(dtype)


def canonical_order(major, minor, minor_size):
    """Permutation that sorts entries by (major, minor), stable."""
    return gs.argsort(major.astype(np.int64) * max(minor_size, 1) + minor, stable=True)


def sum_duplicates(major, minor, data, shape):
    """Entries sorted by (major, minor) with equal positions added up (bool: or). Waits for the count of distinct ones."""
    if data.size == 0:
        return major, minor, data
    order = canonical_order(major, minor, shape[1])
    major, minor, data = major[order], minor[order], data[order]
    first = gs.concatenate([gs.ones(1, bool, device=data.device), (major[1:] != major[:-1]) | (minor[1:] != minor[:-1])])
    starts = gs.flatnonzero(first)
    if starts.size == data.size:
        return major, minor, data
    add = gs.logical_or if data.dtype == bool else gs.add
    return major[starts], minor[starts], add.reduceat(data, starts, dtype=data.dtype)
