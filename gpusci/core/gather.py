"""Planning and launching of gathers and scatters: what an index with arrays in it does, as the kernels of gather.h and
scatter.h see it.

A `Grid` is the shape of the result with, for every dimension, how far a step moves in the array and in each index array.
"""

import math

import numpy as np

from gpusci.core._ndarray import ndarray, new
from gpusci.core.creation import asarray, full
from gpusci.core.kernel import Kernel

__all__ = ["MODES", "Grid", "gather", "scatter"]

MODES = {"raise": 0, "wrap": 1, "clip": 2}  # values match index_map.h
OPERATIONS = ("indexing", "assignment", "take", "put", "take_along_axis", "choose")
ERRORS = [
    (IndexError, f"{name}: an index is out of bounds for its axis; valid indices of an axis of length n are -n ... n-1")
    for name in OPERATIONS
]
WORDS = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t", 16: "::gpusci::quad"}
# Lattices up to this many cells per index, or of this size, hold claims directly; larger ones use a hash table.
DIRECT_RATIO, DIRECT_SIZE = 16, 1 << 22

MAP = "i64s shape, i64s istride, i64s index, i64s extent, i64 mode, i64 operation, err"
CLAIMS = "ptr winner, ptr key, i64 mask"
gather_kernel = Kernel(
    "gather", "gpusci/gather.h", template="T I K R Index", errors=ERRORS, args=f"raw x, ptr out, i64s stride, i64s step, {MAP}",
    first=["I q 1 1", "Q i 1 2", "B q 2 1", "::gpusci::quad q 1 2"],
)  # fmt: skip
check_kernel = Kernel("check_index", "gpusci/gather.h", template="I K R Index", errors=ERRORS, args=f"raw x, {MAP}",
                      first=["q 1 1", "i 2 1"])  # fmt: skip
claim_kernel = Kernel(
    "claim", "gpusci/scatter.h", template="P I K R Reset Index", errors=ERRORS, args=f"i64s lattice, {CLAIMS}, {MAP}",
    first=["i q 1 1 true", "q q 2 2 false"],
)  # fmt: skip
scatter_kernel = Kernel(
    "scatter", "gpusci/scatter.h", template="T P I K R Index", errors=ERRORS,
    args=f"raw x, raw value, i64s bits, i64s stride, i64s step, i64s vstride, i64s pstride, i64s lattice, {CLAIMS}, {MAP}",
    first=["I i q 1 1", "Q i i 1 2", "B q q 2 1"],
)  # fmt: skip


class Grid:
    """An indexing operation on an array.

    x        array whose indexed axes are at coordinate 0
    shape    of the result
    stride   bytes that x moves per dimension of the result (0 where only index arrays move)
    index    index arrays on x's device, one dtype
    istride  per index array, elements that it moves per dimension
    axes     axes of x that the index arrays choose positions on
    """

    def __init__(self, x, shape, stride, index, istride, axes):
        self.x, self.shape, self.stride, self.istride = x, tuple(shape), tuple(stride), istride
        width = "i" if all(i.dtype.itemsize < 4 or i.dtype == np.int32 for i in index) else "q"
        self.index = [i.astype(width, copy=False) for i in index]
        self.extent = [x.shape[d] for d in axes]
        self.step = [x.strides[d] for d in axes]

    @classmethod
    def of_axes(cls, x, axes, index, place):
        """Index arrays that broadcast against each other choose on `axes`; their dimensions stand at `place` of the result."""
        common = np.broadcast_shapes(*(i.shape for i in index))
        slices = [(n, s) for d, (n, s) in enumerate(zip(x.shape, x.strides)) if d not in axes]
        dims = slices[:place] + [(n, 0) for n in common] + slices[place:]
        istride = []
        for i in index:
            spread = [s // i.itemsize for s in np.broadcast_to(i._a, common).strides]
            istride.append([0] * place + spread + [0] * (len(slices) - place))
        grid = cls(x, [n for n, _ in dims], [s for _, s in dims], index, istride, axes)
        grid.common, grid.place = common, place
        return grid


def _collapse(lengths, operands):
    """Merge neighbouring dimensions that every operand (a list of strides) walks as one; drop those of length 1."""
    dims = [(n, [op[d] for op in operands]) for d, n in enumerate(lengths) if n != 1]
    out = []
    for n, strides in dims:
        if out and all(before == s * n for before, s in zip(out[-1][1], strides)):
            out[-1] = (out[-1][0] * n, strides)
        else:
            out.append((n, strides))
    return out or [(1, [0] * len(operands))]


def _widen(dims, itemsize, movers, others):
    """Count in the widest words that the layout allows.

    dims: (length, strides) with byte strides of the `movers` first operands (the arrays that data moves between).
    others: further byte counts a word must divide: pointers and steps. Returns (dims in words, word size).
    """
    length, strides = dims[-1]
    run = all(s == itemsize for s in strides[:movers]) and not any(strides[movers:])
    outer = dims[:-1] if run else dims
    nbytes = itemsize * (length if run else 1)
    measure = math.gcd(16, nbytes, *others, *(s for _, st in outer for s in st[:movers]))
    out = [(n, [s // measure for s in st[:movers]] + st[movers:]) for n, st in outer]
    if nbytes > measure or not out:
        out.append((nbytes // measure, [1] * movers + [0] * (len(strides) - movers)))
    return out, measure


def _map(grid, lengths, istride, mode, operation):
    flat = [s for line in istride for s in line]
    index = [i.ptr for i in grid.index]
    return lengths, flat, index, grid.extent, MODES[mode], OPERATIONS.index(operation)


def gather(grid, mode="raise", operation="indexing", out=None):
    """x[...] as a new C-contiguous array (or in `out`, contiguous and of x's dtype). Enqueued; nothing waits."""
    x, count = grid.x, len(grid.index)
    if out is None:
        out = new(grid.shape, x.dtype, x.device)
    if out.size == 0:
        _check_empty(grid, mode, operation)
        return out
    to = [x.itemsize * math.prod(grid.shape[d + 1 :]) for d in range(len(grid.shape))]
    dims = _collapse(grid.shape, [grid.stride, to, *grid.istride])
    dims, word = _widen(dims, x.itemsize, 2, [x.ptr, out.ptr, *grid.step])
    lengths = [n for n, _ in dims]
    columns = list(zip(*(strides for _, strides in dims)))
    gather_kernel(
        math.prod(lengths), (WORDS[word], grid.index[0].dtype, count, len(lengths)), x, out,
        columns[0], [s // word for s in grid.step], *_map(grid, lengths, columns[2:], mode, operation),
    )  # fmt: skip
    return out


def _check_empty(grid, mode, operation):
    """Indices are checked even when the result has no elements."""
    lengths = [n for n, moved in zip(grid.shape, zip(*grid.istride)) if any(moved)]
    total = math.prod(i.size for i in grid.index)
    if total == 0:
        return
    if 0 in grid.extent:
        raise IndexError(f"{operation}: index is out of bounds, since the indexed axis has length 0")
    if mode != "raise":
        return
    istride = [[s for s, moved in zip(line, zip(*grid.istride)) if any(moved)] for line in grid.istride]
    check_kernel(
        math.prod(lengths), (grid.index[0].dtype, len(grid.index), max(len(lengths), 1)), grid.x,
        *_map(grid, lengths or [1], istride if lengths else [[0]] * len(grid.index), mode, operation),
    )  # fmt: skip


def scatter(grid, value, mode="raise", operation="assignment", unique=False):
    """x[...] = value; of repeated indices the last in C order wins. Enqueued; nothing waits.

    value: an array of x's dtype that broadcasts to the result, or a NumPy scalar of it. unique: no index repeats.
    """
    x, count = grid.x, len(grid.index)
    if math.prod(grid.shape) == 0:
        _check_empty(grid, mode, operation)
        return
    scalar = type(value) is not ndarray
    vstride = [0] * len(grid.shape) if scalar else np.broadcast_to(value._a, grid.shape).strides
    first, last = grid.place, grid.place + len(grid.common)
    combinations = math.prod(grid.common)
    plain = unique or combinations < 2 or not any(vstride[first:last])
    lattice = [math.prod(grid.extent[k + 1 :]) for k in range(count)]
    claims = (None, None, 0) if plain else _claim(grid, lattice, combinations, mode, operation)
    pstride = [0] * len(grid.shape)
    for d in range(first, last):
        pstride[d] = math.prod(grid.common[d - first + 1 :])
    # A scalar's bits fill any word, so it imposes nothing; its stride is given as x's own and not used.
    moved = grid.stride if scalar else vstride
    dims = _collapse(grid.shape, [grid.stride, moved, pstride, *grid.istride])
    dims, word = _widen(dims, x.itemsize, 2, [x.ptr, *grid.step] + ([] if scalar else [value.ptr]))
    lengths = [n for n, _ in dims]
    columns = list(zip(*(strides for _, strides in dims)))
    position = "q" if plain or claims[0].dtype == np.int64 else "i"
    bits = np.frombuffer(value.tobytes() * (16 // x.itemsize), np.int64).tolist() if scalar else [0, 0]
    scatter_kernel(
        math.prod(lengths), (WORDS[word], np.dtype(position), grid.index[0].dtype, count, len(lengths)), x,
        None if scalar else value, bits, columns[0], [s // word for s in grid.step], columns[1], columns[2], lattice, *claims,
        *_map(grid, lengths, columns[3:], mode, operation),
    )  # fmt: skip


def _claim(grid, lattice, combinations, mode, operation):
    """The table in which every named cell holds the last position that names it: (winner, key, mask) of Claims."""
    device, cells = grid.x.device, math.prod(grid.extent)
    position = np.dtype("i" if combinations < 2**31 else "q")
    inside = [line[grid.place : grid.place + len(grid.common)] for line in grid.istride]
    dims = _collapse(grid.common, inside)
    lengths = [n for n, _ in dims]
    where = _map(grid, lengths, list(zip(*(strides for _, strides in dims))), mode, operation)
    template = (position, grid.index[0].dtype, len(grid.index), len(lengths))
    if cells <= max(DIRECT_RATIO * combinations, DIRECT_SIZE):
        claims = (new((cells,), position, device), None, 0)
        claim_kernel(combinations, (*template, True), lattice, *claims, *where)
    else:
        slots = 1 << (2 * combinations - 1).bit_length()
        claims = (full(slots, -1, position, device=device), full(slots, -1, np.int64, device=device), slots - 1)
    claim_kernel(combinations, (*template, False), lattice, *claims, *where)
    return claims


def to_index(value, extent, device, operation="indexing"):
    """An index array on the device. Host data is checked against the axis at once.

    Raises IndexError for dtypes other than integers, and for host indices out of range.
    """
    if type(value) is ndarray:
        if value.dtype.kind not in "iu":
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        if value.device is not device:
            raise ValueError(f"{operation}: the array is on {device.name} and its index on {value.device.name}; "
                             "bring them together with x.to_device(...)")  # fmt: skip
        return value
    host = np.asarray(value)
    if host.size == 0 and host.dtype.kind == "f" and not isinstance(value, np.ndarray):
        host = host.astype(np.intp)                     # an empty list
    if host.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if extent is not None and host.size:
        for bad in (host.min(), host.max()):
            if not -extent <= bad < extent:
                raise IndexError(f"{operation}: index {bad} is out of bounds for an axis of length {extent}")
    return asarray(host, device=device)
