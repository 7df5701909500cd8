"""What the formats share below the classes: index types, sorting entries, summing duplicates, joining two lists of entries."""

import numpy as np

import gpusci as gs
from gpusci.sparse import _kernels

# The dtypes that sparse arrays compute in; others go up to the first that holds them.
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
    if indptr.device.uses_numpy:
        return gs.repeat(gs.arange(indptr.size - 1, dtype=indptr.dtype, device=indptr.device), gs.diff(indptr))
    rows = gs.empty(count, indptr.dtype, device=indptr.device)
    _kernels.expand_indptr(count, (indptr.dtype,), indptr, rows, indptr.size - 1)
    return rows


def row_pointers(sorted_rows, rows, dtype):
    """indptr of entries whose row numbers ascend."""
    edges = gs.arange(rows + 1, dtype=sorted_rows.dtype, device=sorted_rows.device)
    return gs.searchsorted(sorted_rows, edges, side="left").astype(dtype)


def canonical_order(major, minor, shape):
    """Permutation that sorts entries by (major, minor), stable."""
    if shape[0] * shape[1] < 2**63:
        return gs.argsort(major.astype(np.int64) * max(shape[1], 1) + minor, stable=True)
    return gs.lexsort((minor, major))


def runs(major, minor):
    """Starts of the runs of equal positions in sorted entries (waits for their count), and the run of every entry."""
    new = (major[1:] != major[:-1]) | (minor[1:] != minor[:-1])
    first = gs.concatenate([gs.ones(min(major.size, 1), bool, device=major.device), new])
    return gs.flatnonzero(first), first


def sum_duplicates(major, minor, data, shape):
    """Entries sorted by (major, minor) with equal positions added up (bool: or). Waits for the count of distinct ones."""
    if data.size == 0:
        return major, minor, data
    order = canonical_order(major, minor, shape)
    major, minor, data = major[order], minor[order], data[order]
    starts, _ = runs(major, minor)
    if starts.size == data.size:
        return major, minor, data
    add = gs.logical_or if data.dtype == bool else gs.add
    return major[starts], minor[starts], add.reduceat(data, starts, dtype=data.dtype)


def union(a, b, shape):
    """Positions in either of two lists of distinct entries (row, column, data), and the values of both there, zero where
    absent: (rows, columns, left, right), sorted. Waits for the count."""
    major, minor = (gs.concatenate(pair) for pair in zip(a[:2], b[:2]))
    order = canonical_order(major, minor, shape)
    major, minor = major[order], minor[order]
    starts, first = runs(major, minor)
    where = gs.empty(order.size, np.int64, device=order.device)
    where[order] = gs.cumsum(first, dtype=np.int64) - 1
    values = []
    for data, spots in ((a[2], where[: a[2].size]), (b[2], where[a[2].size :])):
        full = gs.zeros(starts.size, data.dtype, device=data.device)
        full[spots] = data
        values.append(full)
    return major[starts], minor[starts], *values


def expand(starts, lengths):
    """Runs start, start + 1, ... of given lengths one after the other: (run of every item, its value). Waits for the total."""
    ends = gs.cumsum(lengths, dtype=np.int64)
    total = int(ends[-1]) if lengths.size else 0
    owner = gs.repeat(gs.arange(lengths.size, device=lengths.device), lengths)
    return owner, gs.arange(total, device=lengths.device) - (ends - lengths)[owner] + starts[owner]
