"""Sorting and searching with NumPy's names. Every sort is stable; NaN comes last, as in NumPy."""

import os

import numpy as np

from gpusci.core._launch import thread_count
from gpusci.core._ndarray import from_numpy, ndarray
from gpusci.core.args import normalize_axis
from gpusci.core.host_parts import _executor
from gpusci.core.kernel import Kernel
from gpusci.core.numpylike import numpy_like, to_device_array
from gpusci.core.radix import argsort_rows, contiguous
from gpusci.core.radix import sort_rows as sort_rows_of

__all__ = ["argpartition", "argsort", "lexsort", "partition", "searchsorted", "sort", "sort_complex"]

search_sorted = Kernel("search_sorted", "gpusci/search.h", template="T Right Index", args="ptr table, ptr v, ptr y, i64 n",
                       first=["f false", "D true"])  # fmt: skip

KINDS = ("quicksort", "mergesort", "heapsort", "stable")


def _check_kind(kind, order, stable):
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind is not None and stable is not None:
        raise ValueError("`kind` and `stable` parameters can't be provided at the same time. Use only one of them.")
    if kind is not None and (not isinstance(kind, str) or kind[:1].lower() not in "qmhs"):
        raise ValueError(f"sort kind must be one of {', '.join(KINDS)} (got {kind!r})")


def _along(function, a, axis):
    """A function of contiguous rows, applied along an axis; the result is C-contiguous."""
    if axis is None:
        return function(contiguous(a.reshape(-1)))
    if a.ndim == 0 and function is argsort_rows and axis in (0, -1):
        return function(a.reshape(1))
    axis = normalize_axis(axis, a.ndim)
    if axis == a.ndim - 1:
        return function(contiguous(a))
    return contiguous(function(contiguous(a.swapaxes(axis, -1))).swapaxes(axis, -1))


def _along_in_order(function, a, axis):
    """As `_along`, the result in a's memory order: lines that are neighbours in memory stay so, and are not copied."""
    if a.ndim < 2 or axis is None or a.flags.c_contiguous:
        return _along(function, a, axis)
    axes = sorted(range(a.ndim), key=lambda d: (-abs(a.strides[d]), d))
    axis = axes.index(normalize_axis(axis, a.ndim))
    return _along(function, a.transpose(*axes), axis).transpose(*sorted(range(a.ndim), key=axes.__getitem__))


def _rows_in_threads(method, kind):
    """A function of contiguous rows: NumPy's sort or argsort of parts of them, on all threads (NumPy releases the GIL)."""

    def run(x):
        a = x.numpy()
        rows = a.reshape(-1, a.shape[-1])
        out = np.empty(rows.shape, a.dtype if method is np.sort else np.int64)
        bounds = [rows.shape[0] * i // thread_count() for i in range(thread_count() + 1)]

        def part(begin, end):
            out[begin:end] = method(rows[begin:end], axis=-1, kind=kind)

        jobs = [_executor(os.getpid()).submit(part, *b) for b in zip(bounds[1:-1], bounds[2:])]
        part(0, bounds[1])
        for job in jobs:
            job.result()
        return from_numpy(out.reshape(a.shape))

    return run


def _large_rows(a, axis):
    """Whether the host sorts a in parts: several lines, and enough of them to pay for the threads."""
    if not (type(a) is ndarray and a.device.uses_numpy and a.ndim > 1 and a.size >= 1 << 18 and axis is not None):
        return False
    return thread_count() > 1 and a.size // max(a.shape[normalize_axis(axis, a.ndim)], 1) >= thread_count()


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    """As `numpy.sort`; -0.0 comes before 0.0, and NaN come out with one sign."""
    if not _large_rows(a, axis):
        return _sort(a, axis, kind, order, stable=stable)
    _check_kind(kind, order, stable)
    return _along_in_order(_rows_in_threads(np.sort, "stable" if stable else kind), a, axis)


@numpy_like(name="sort")
def _sort(a, axis, kind, order, *, stable):
    _check_kind(kind, order, stable)
    return _along_in_order(sort_rows_of, to_device_array(a), axis)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    """As `numpy.argsort`; always stable on the GPU."""
    if not _large_rows(a, axis):
        return _argsort(a, axis, kind, order, stable=stable)
    _check_kind(kind, order, stable)
    return _along(_rows_in_threads(np.argsort, "stable" if stable else kind), a, axis)


@numpy_like(name="argsort")
def _argsort(a, axis, kind, order, *, stable):
    _check_kind(kind, order, stable)
    return _along(argsort_rows, to_device_array(a), axis)


def _check_kth(kth, a, axis, kind, order):
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind != "introselect":
        raise ValueError(f"{kind!r} is an unrecognized kind of select; use 'introselect'")
    n = max(a.size, 1) if axis is None or a.ndim == 0 else a.shape[normalize_axis(axis, a.ndim)]
    kth = np.asarray(kth.numpy() if isinstance(kth, ndarray) else kth)
    if kth.dtype.kind not in "iu":
        raise TypeError("Partition index must be integer")
    if a.size and kth.size and (kth.min() < -n or kth.max() >= n):
        raise ValueError(f"kth(={int(kth.ravel()[0])}) out of bounds ({n})")


@numpy_like
def partition(a, kth, axis=-1, kind="introselect", order=None):
    """As `numpy.partition`; the whole axis comes out sorted."""
    a = to_device_array(a)
    if axis is not None:
        normalize_axis(axis, a.ndim)                    # a 0-d array has no axis here, unlike in argpartition
    _check_kth(kth, a, axis, kind, order)
    return _along_in_order(sort_rows_of, a, axis)


@numpy_like
def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    """As `numpy.argpartition`; the whole axis comes out sorted."""
    a = to_device_array(a)
    _check_kth(kth, a, axis, kind, order)
    return _along(argsort_rows, a, axis)


@numpy_like
def lexsort(keys, axis=-1):
    """As `numpy.lexsort`: one stable sort a key, the last key being the first in rank."""
    from gpusci.core.indexing import take_along_axis

    if isinstance(keys, ndarray):
        keys = [keys[i] for i in range(keys.shape[0])] if keys.ndim else []
    keys = [to_device_array(key) for key in keys]
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(key.shape != keys[0].shape for key in keys):
        raise ValueError("all keys need to be the same shape")
    first = keys[0]
    if first.ndim == 0:
        return argsort(first.reshape(1)).reshape(())
    axis = normalize_axis(axis, first.ndim)
    order = argsort(first, axis)
    for key in keys[1:]:
        order = take_along_axis(order, argsort(take_along_axis(key, order, axis), axis), axis)
    return order


@numpy_like
def sort_complex(a):
    """As `numpy.sort_complex`."""
    b = sort(to_device_array(a), axis=0 if np.ndim(a) == 1 else -1)
    if b.dtype.kind == "c":
        return b
    return b.astype(np.complex64 if b.dtype.char in "bhBH" else np.complex128)


@numpy_like
def searchsorted(a, v, side="left", sorter=None):
    """As `numpy.searchsorted`; NaN counts as larger than all numbers."""
    import gpusci as gs

    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right' (got {side!r})")
    a = to_device_array(a, v.device if isinstance(v, ndarray) else None)
    if a.ndim != 1:
        raise ValueError("object too deep for desired array: searchsorted takes a 1-d table")
    if sorter is not None:
        sorter = to_device_array(sorter, a.device)
        if sorter.dtype.kind not in "iu":
            raise TypeError("sorter must only contain integers")
        if sorter.shape != a.shape:
            raise ValueError("sorter.size must equal the table's size")
        a = gs.take(a, sorter)
    weak = v if type(v) in (int, float, complex) else None
    values = to_device_array(v, a.device)
    common = np.result_type(a.dtype, values.dtype if weak is None else np.asarray(weak).dtype)
    table = contiguous(a.astype(common, copy=False))
    values = contiguous(values.astype(common, copy=False))
    y = gs.empty(values.shape, np.int64, device=a.device)
    search_sorted(values.size, (table.dtype, side == "right"), table, values, y, table.size)
    return y
