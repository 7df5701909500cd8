"""Gathers and scatters: what an index with arrays in it does. The rows, and the choices above `_gather.pyx`."""

import math

import numpy as np

from gpusci.core._gather import Grid, run_check, run_claim, run_gather, run_scatter
from gpusci.core._ndarray import ndarray, new
from gpusci.core.creation import asarray, full
from gpusci.core.kernel import Kernel

__all__ = ["MODES", "Grid", "gather", "scatter", "to_index"]

MODES = {"raise": 0, "wrap": 1, "clip": 2}  # values match index_map.h
OPERATIONS = {name: i for i, name in enumerate(("indexing", "assignment", "take", "put", "take_along_axis", "choose"))}
# NumPy's exception types.
ERRORS = [
    (
        ValueError if name == "choose" else IndexError,
        f"{name}: an index is out of bounds for its axis; valid indices of an axis of length n are -n ... n-1",
    )
    for name in OPERATIONS
]
WORDS = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t", 16: "quad"}
# Lattices up to this many cells per index, or of this size, hold claims directly; larger ones use a hash table.
DIRECT_RATIO, DIRECT_SIZE = 16, 1 << 22

MAP = "i64s shape, i64s istride, i64s index, i64s extent, i64 mode, i64 operation, err"
CLAIMS = "ptr winner, ptr key, i64 mask"
gather_kernel = Kernel(
    "gather", "gpusci/gather.h", template="T I K R Index", errors=ERRORS, args=f"raw x, ptr out, i64s stride, i64s step, {MAP}",
    first=["I q 1 1", "Q i 1 2", "B q 2 1", "quad q 1 2"],
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


def gather(grid, mode="raise", operation="indexing", out=None):
    """x[...] as a new C-contiguous array (or in `out`, contiguous and of x's dtype). Enqueued; nothing waits."""
    if out is None:
        out = new(grid.shape, grid.x.dtype, grid.x.device)
    if out.size:
        run_gather(gather_kernel, WORDS, grid, out, MODES[mode], OPERATIONS[operation])
    else:
        _check_empty(grid, mode, operation)
    return out


def _check_empty(grid, mode, operation):
    """Indices are checked even when the result has no elements."""
    if 0 in grid.common:
        return
    if 0 in grid.extents:
        raise IndexError(f"{operation}: index is out of bounds, since the indexed axis has length 0")
    if mode == "raise":
        run_check(check_kernel, grid, MODES[mode], OPERATIONS[operation])


def scatter(grid, value, mode="raise", operation="assignment", unique=False):
    """x[...] = value; of repeated indices the last in C order wins. Enqueued; nothing waits.

    value: an array of x's dtype that broadcasts to the result, or a NumPy scalar of it. unique: no index repeats.
    """
    how = MODES[mode], OPERATIONS[operation]
    if 0 in grid.shape:
        _check_empty(grid, mode, operation)
        return
    bits, array = (0, 0), value
    if type(value) is not ndarray:
        bits, array = np.frombuffer(value.tobytes() * (16 // value.itemsize), np.int64).tolist(), None
    combinations = math.prod(grid.common)
    lattice = [math.prod(grid.extents[k + 1 :]) for k in range(len(grid.index))]
    claims, position = (None, None, 0), np.dtype("i")
    if array is not None and combinations > 1 and not unique and _varies(array, grid):
        claims = _claim(grid, lattice, combinations, *how)
        position = claims[0].dtype
    run_scatter(scatter_kernel, WORDS, grid, array, bits, lattice, claims, position, *how)


def _varies(value, grid):
    """Whether combinations of the index arrays get values of their own."""
    after = len(grid.shape) - grid.place - len(grid.common)
    lengths = value.shape[max(value.ndim - after - len(grid.common), 0) : value.ndim - after]
    return any(n != 1 for n in lengths)


def _claim(grid, lattice, combinations, mode, operation):
    """The table in which every named cell holds the last position that names it: (winner, key, mask) of Claims."""
    device, cells = grid.x.device, math.prod(grid.extents)
    position = np.dtype("i" if combinations < 2**31 else "q")
    if cells <= max(DIRECT_RATIO * combinations, DIRECT_SIZE):
        claims = (new((cells,), position, device), None, 0)
        run_claim(claim_kernel, grid, lattice, claims, True, mode, operation)
    else:
        slots = 1 << (2 * combinations - 1).bit_length()
        claims = (full(slots, -1, position, device=device), full(slots, -1, np.int64, device=device), slots - 1)
    run_claim(claim_kernel, grid, lattice, claims, False, mode, operation)
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
                kind = ERRORS[OPERATIONS[operation]][0]
                raise kind(f"{operation}: index {bad} is out of bounds for an axis of length {extent}")
    return asarray(host, device=device)
