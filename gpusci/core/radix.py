"""Sorting along the last axis of a contiguous array: the GPU's radix sorts, NumPy on the host.

Stable, NaN last. Rows that fit into a block are sorted in shared memory, many short ones per block; rows of a few blocks are
sorted by blocks and merged; longer rows take one launch per 8 bits of the key.
"""

import numpy as np

from gpusci.core import reduction
from gpusci.core._ndarray import from_numpy, new
from gpusci.core.elementwise import fill_number
from gpusci.core.kernel import BlockKernel
from gpusci.core.plans import keep

__all__ = ["argsort_rows", "contiguous", "sort_rows"]

# Threads of a block by the size of a key: 8192 keys of up to 4 bytes, or 4096 of 8, fill 32 KiB of shared memory. With 1024
# threads a thread holds 8 keys and needs 64 registers, so that 32 warps fit on a multiprocessor; 16 keys leave room for 16.
THREADS = {1: 1024, 2: 1024, 4: 1024, 8: 512}
# Elements of a row, and tiles of all rows, up to which two launches that leave much of the GPU idle are sooner done than the radix
# passes (2^17 float32 on an H200: 51 us against 36).
FEW, FEW_BLOCKS = 1 << 16, 128
# Elements of a thread of radix_move by the bytes of a key and its tag: what 64 registers hold, in 32 KiB of a block of 256. Half as
# many where that leaves a large GPU with fewer blocks than two a multiprocessor.
MOVED = {1: 32, 2: 32, 4: 32, 5: 16, 6: 16, 8: 16, 9: 8, 10: 8, 12: 10, 16: 8}
MOVE_THREADS, ENOUGH_TILES = 256, 264
HISTOGRAM_BLOCKS, HISTOGRAM_STEP = 528, 4096  # all that fit a large GPU at once; elements that a block reads at once
AHEAD = 8 * 256  # words before the state of tile 0 that are read, though not used
LONG = 2**30  # elements of a row whose counts leave no two bits of 32


def _rows_by_threads(name, template, args, first, header="gpusci/sort_block.h", together=None):
    """A row for each number of threads; `first` gives signatures by threads."""
    return {
        threads: BlockKernel(
            name, header, template=template, args=args, threads=threads, first=[first[threads]], together=together
        )
        for threads in (512, 1024)
    }


def _passes(x, items, *rest):
    """The rows of radix_move that sort after a histogram: the first pass, those between, the last."""
    passes = [(True, x.itemsize == 1), (False, False), (False, True)]
    kinds = {1: passes[:1], 2: passes[::2]}.get(x.itemsize, passes)
    return [(radix_move, (x, items, *kind, *rest)) for kind in kinds]


rows_kernel = _rows_by_threads(
    "sort_rows", "X Threads Items Indices Several Reach", "ptr x, ptr values, ptr indices, i64 rows, i64 length, i64 together",
    {512: "d 512 8 true true int32_t", 1024: "f 1024 8 false false int32_t"},
)  # fmt: skip
radix_move = BlockKernel(
    "radix_move", "gpusci/sort_radix.h", template="X Items First Last Indices Count Reach", threads=MOVE_THREADS,
    args="ptr source, ptr tags, ptr target, ptr moved, ptr counts, ptr state, ptr next, i64 length, i64 tiles, i64 pass",
    first=["f 32 true false false I int32_t", "d 10 false true true I int32_t"],
)  # fmt: skip
radix_histogram = BlockKernel(
    "radix_histogram", "gpusci/sort_radix.h", template="X Items Indices Count Reach", threads=512,
    args="ptr x, ptr counts, i64 length, i64 pieces, i64 piece", first=["f 32 false I int32_t", "d 10 true I int32_t"],
    together=lambda template: _passes(*template),
)  # fmt: skip
merge_tiles = BlockKernel("merge_tiles", "gpusci/sort_merge.h", template="X Indices Reach",
                          args="ptr words, ptr tags, ptr values, ptr indices, i64 length, i64 tile",
                          first=["f false int32_t", "d true int32_t"])  # fmt: skip
sort_tiles = _rows_by_threads(
    "sort_tiles", "X Threads Items Indices Reach", "ptr x, ptr words, ptr tags, i64 length, i64 tiles",
    {512: "d 512 8 true int32_t", 1024: "f 1024 8 false int32_t"}, "gpusci/sort_merge.h",
    together=lambda template: [(merge_tiles, (template[0], *template[3:]))],
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


_plans = {}


def _run(x, values, indices):
    if not x.size:
        return
    key = (x.shape, x.dtype, indices is not None)
    plan = _plans.get(key)
    if plan is None:
        plan = keep(_plans, key, _plan(x, indices is not None))
    plan(x, values, indices)


def _plan(x, by_index):
    """What sorts arrays like x, kept for the next call: a function of x and of the results."""
    n = x.shape[-1]
    rows, tile = x.size // n, THREADS[x.itemsize] * 8
    if n <= tile:
        return _within_blocks(x, by_index, rows, n)
    tiles = -(-n // tile)
    if n <= FEW and rows * tiles <= FEW_BLOCKS:
        return _few_blocks(x, by_index, rows, n, tiles)
    return _across_blocks(x, by_index, rows, n)


def _within_blocks(x, by_index, rows, n):
    # The tile that is filled best; of equal ones the largest.
    threads = THREADS[x.itemsize]
    tiles = [threads * items for items in (2, 4, 8)]
    together = {tile: min(tile // n, 255, rows) for tile in tiles if tile >= n}
    tile = max(together, key=lambda t: (together[t] * n / t, t))
    several = together[tile] > 1
    template = (x.dtype, threads, tile // threads, by_index, several, reduction.reach(x))
    blocks = -(-rows // together[tile])
    return lambda x, values, indices: rows_kernel[threads](blocks, template, x, values, indices, rows, n, together[tile])


def _few_blocks(x, by_index, rows, n, tiles):
    threads, index, dtype, size = THREADS[x.itemsize], reduction.reach(x), np.dtype(f"u{x.itemsize}"), x.size
    template, merge = (x.dtype, threads, 8, by_index, index), (x.dtype, by_index, index)
    blocks = rows * -(-n // 256)

    def run(x, values, indices):
        words = new((size,), dtype, x.device)
        tags = new((size,), np.uint16, x.device) if by_index else None
        sort_tiles[threads](rows * tiles, template, x, words, tags, n, tiles)
        merge_tiles(blocks, merge, words, tags, values, indices, n, threads * 8)

    return run


def _across_blocks(x, by_index, rows, n):
    index, passes, size = reduction.reach(x), x.itemsize, x.size
    count = np.dtype(np.uint32 if n < LONG else np.uint64)
    items = MOVED[x.itemsize + by_index * count.itemsize]
    if x.size < ENOUGH_TILES * items * MOVE_THREADS:
        items //= 2
    tiles = -(-n // (items * MOVE_THREADS))
    counts_size, state_size = rows * passes * 256, AHEAD + rows * tiles * 256
    piece = HISTOGRAM_STEP * -(-n // (HISTOGRAM_STEP * max(1, HISTOGRAM_BLOCKS // rows)))
    pieces = -(-n // piece)
    template = (x.dtype, items, by_index, count, index)
    moves = [move for _, move in _passes(*template)]

    def run(x, values, indices):
        device, between = x.device, range(min(passes - 1, 2))
        # Counts and the first pass's state are cleared at once; each pass clears the state of the next one.
        memory = new((counts_size + state_size,), count, device)
        fill_number(memory, 0)
        counts = memory[:counts_size]
        states = [memory[counts_size + AHEAD :], new((state_size,), count, device)[AHEAD:] if passes > 1 else None]
        radix_histogram(rows * pieces, template, x, counts, n, pieces, piece)
        words = [new((size,), f"u{x.itemsize}", device) for _ in between]
        tags = [new((size,), count, device) for _ in between] if by_index else [None, None]
        source, source_tags = x, None
        for p in range(passes):
            last = p == passes - 1
            target, moved = (values, indices) if last else (words[p % 2], tags[p % 2])
            state, after = states[p % 2], None if last else states[1 - p % 2]
            arrays = (source, source_tags, target, moved, counts, state, after)
            radix_move(rows * tiles, moves[0 if p == 0 else -1 if last else 1], *arrays, n, tiles, p)
            source, source_tags = target, moved

    return run
