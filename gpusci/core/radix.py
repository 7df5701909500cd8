"""Sorting along the last axis of a contiguous array: the GPU's radix sorts, NumPy on the host.

Stable, NaN last. Rows that fit into a block are sorted in shared memory, many short ones per block; longer rows take one
launch per 8 bits of the key.
"""

import numpy as np

from gpusci.core import reduction
from gpusci.core._ndarray import from_numpy, new
from gpusci.core.creation import zeros
from gpusci.core.kernel import BlockKernel

__all__ = ["argsort_rows", "contiguous", "sort_rows"]

# Threads of a block by the size of a key: 8192 keys of up to 4 bytes, or 4096 of 8, fill 32 KiB of shared memory. With 1024
# threads a thread holds 8 keys and needs 64 registers, so that 32 warps fit on a multiprocessor; 16 keys leave room for 16.
THREADS = {1: 1024, 2: 1024, 4: 1024, 8: 512}


def _rows_by_threads(name, template, args, first):
    """A row for each number of threads; `first` gives signatures by threads."""
    return {
        threads: BlockKernel(
            name, "gpusci/sort_block.h", template=template, args=args, threads=threads, first=[first[threads]]
        )
        for threads in (512, 1024)
    }


rows_kernel = _rows_by_threads(
    "sort_rows", "X Threads Items Indices Several Reach", "ptr x, ptr values, ptr indices, i64 rows, i64 length, i64 together",
    {512: "d 512 8 true true int32_t", 1024: "f 1024 8 false false int32_t"},
)  # fmt: skip
radix_histogram = _rows_by_threads(
    "radix_histogram", "X Threads Items Indices Count Reach", "ptr x, ptr counts, i64 length, i64 tiles",
    {512: "d 512 8 true I int32_t", 1024: "f 1024 8 false I int32_t"},
)  # fmt: skip
radix_move = _rows_by_threads(
    "radix_move", "X Threads Items First Last Indices Tag Count Reach",
    "ptr source, ptr tags, ptr target, ptr moved, ptr counts, ptr state, i64 length, i64 tiles, i64 shift",
    {512: "d 512 8 false true true I I int32_t", 1024: "f 1024 8 true false false I I int32_t"},
)  # fmt: skip


def contiguous(x):
    """x itself when it is C-contiguous, else a copy; 0-d arrays stay so."""
    return x if x.flags.c_contiguous else x.copy()


def sort_rows(x):
    """The rows of a C-contiguous array (any number of axes; the last one is sorted) in ascending order, as a new array."""
    if not reduction.has_blocks(x.device):
        return from_numpy(np.sort(x.numpy(), axis=-1, kind="stable"))
    if x.dtype.kind == "c":
        from gpusci.core.indexing import take_along_axis

        return take_along_axis(x, argsort_rows(x), -1)
    out = new(x.shape, x.dtype, x.device)
    _run(x, out, None)
    return out


def argsort_rows(x):
    """The order that sorts each row, as int64."""
    if not reduction.has_blocks(x.device):
        return from_numpy(np.argsort(x.numpy(), axis=-1, kind="stable"))
    if x.dtype.kind == "c":
        return _argsort_complex(x)
    out = new(x.shape, np.int64, x.device)
    _run(x, None, out)
    return out


def _argsort_complex(x):
    """By imaginary part, then by real part, then numbers before those with a NaN: imaginary NaN, real NaN, both."""
    import gpusci as gs

    order = argsort_rows(contiguous(x.imag))
    for part in (x.real, gs.isnan(x.real).astype(np.uint8) * 2 + gs.isnan(x.imag).astype(np.uint8)):
        moved = gs.take_along_axis(part, order, -1)
        order = gs.take_along_axis(order, argsort_rows(contiguous(moved)), -1)
    return order


def _run(x, values, indices):
    if not x.size:
        return
    n = x.shape[-1]
    rows = x.size // n
    if n <= THREADS[x.itemsize] * 8:
        _within_blocks(x, values, indices, rows, n)
    else:
        _across_blocks(x, values, indices, rows, n)


def _within_blocks(x, values, indices, rows, n):
    # The tile that is filled best; of equal ones the largest.
    threads = THREADS[x.itemsize]
    tiles = [threads * items for items in (2, 4, 8)]
    together = {tile: min(tile // n, 255, rows) for tile in tiles if tile >= n}
    tile = max(together, key=lambda t: (together[t] * n / t, t))
    several = together[tile] > 1
    template = (x.dtype, threads, tile // threads, indices is not None, several, reduction.reach(x))
    blocks = -(-rows // together[tile])
    rows_kernel[threads](blocks, template, x, values, indices, rows, n, together[tile])


def _across_blocks(x, values, indices, rows, n):
    device, by_index, index = x.device, indices is not None, reduction.reach(x)
    # Two bits of a count say how far it is.
    count = np.dtype(np.uint32 if n < 2**30 else np.uint64)
    tag = np.dtype(np.uint32 if n < 2**32 else np.int64)
    threads = THREADS[max(x.itemsize, tag.itemsize if by_index else 0)]
    tiles = -(-n // (threads * 8))
    passes = x.itemsize
    counts = zeros((rows, passes, 256), count, device=device)
    radix_histogram[threads](rows * tiles, (x.dtype, threads, 8, by_index, count, index), x, counts, n, tiles)
    words = [new((x.size,), f"u{x.itemsize}", device) for _ in range(min(passes - 1, 2))]
    tags = [new((x.size,), tag, device) for _ in range(min(passes - 1, 2))] if by_index else [None, None]
    source, source_tags = x, None
    for p in range(passes):
        first, last = p == 0, p == passes - 1
        state = zeros((rows, tiles, 256), count, device=device)
        target, moved = (values, indices) if last else (words[p % 2], tags[p % 2])
        template = (x.dtype, threads, 8, first, last, by_index, tag, count, index)
        radix_move[threads](rows * tiles, template, source, source_tags, target, moved, counts, state, n, tiles, 8 * p)
        source, source_tags = target, moved
