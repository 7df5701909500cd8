"""The regions that a measurement is asked about, and the scans that fill its tables: see kernels/measure.h."""

import functools

import numpy as np

import gpusci as gs
from gpusci.core import constant, cpp_name, ndarray
from gpusci.ndimage import _measure_kernels as kernels
from gpusci.ndimage._arrays import FLOAT64, contiguous

ALONE = 1 << 18         # pixels up to which one thread of the host does a scan, as where regions are small: without atomic updates
FAR_APART = 1 << 18     # regions from which counts and sums take a pass each: a table's pages are then all that a core has at hand
SPARSE = 4096           # regions whose hash table on the host has more free cells than it needs: fewer branches go wrong
SHORT = 64              # regions that are looked at in Python
INT64_MAX = np.iinfo(np.int64).max
EXACT = 1 << 53         # below, integers are floats
# Bytes of shared memory that a block's table may have: by the GPU, as the others have, and for copies of a small table.
SHARED = {"sm_80": 160 << 10, "sm_87": 160 << 10, "sm_90": 224 << 10, "sm_100": 224 << 10, "sm_103": 224 << 10}
SHARED_MIN = 64 << 10
TABLE = 64 << 10


class Regions:
    """The regions asked for and the slots that they have in tables.

    Integers known on the host that lie close together have those of a range, `place` then says which. Others have the slot of
    their place in `index`, equal ones the first one's, and are looked up on the device by their keys in a hash table; nobody
    waits to see whether such an index has gaps (see kernels/regions.h).
    """

    def __init__(self, labels, index):
        self.labels = labels = contiguous(labels)
        if isinstance(index, ndarray):
            index = index.to_device(labels.device)
            index = index.numpy() if index.device.uses_numpy else index
        else:
            index = np.asarray(index)
        for dtype in (labels.dtype, index.dtype):
            if dtype.kind not in "biuf":
                raise TypeError(f"labels and their index are real numbers, not {dtype}")
        self.shape, index = index.shape, index.reshape(-1)
        self.common = np.promote_types(index.dtype, labels.dtype)
        self.real, self.index, self.place = self.common.kind == "f", None, None
        found = _range(index, labels) if isinstance(index, np.ndarray) else None
        if found is not None:
            self.real, (self.first, self.count, place) = False, found
            self.slots = None, None, 0, self.count, self.first
            self.place = None if place is None else constant(place, labels.device)
            return
        self.index = index = contiguous(index) if isinstance(index, ndarray) else constant(index, labels.device)
        self.first, self.count = 0, index.size
        bits = self.count.bit_length() + (3 if labels.device.uses_numpy and self.count <= SPARSE else 1)
        keys, cells = gs.empty(self.count, np.uint64, device=labels.device), gs.zeros((1 << bits) + 1, np.int64, device=labels.device)
        self.slots = keys, cells, bits, self.count, 0
        kernels.region_slots(self.count, (index.dtype, self.real), index, keys, *self.slots)

    def scan(self, field, x, a=None, b=None, c=None):
        """Run a field's kernel over the pixels; its tables are a, b, c."""
        labels = self.labels
        n = labels.size
        if not n or not self.count:
            return
        dtype = FLOAT64 if x is None else x.dtype
        where = (x, labels, n, *self.slots, a, b, c)
        if field == "SumField" and labels.device.kind == "cuda":
            width, blocks, copies, memory = _shared_table(labels, self.count, 4 * (a is not None) + 8 * (b is not None))
            kernels.measure_sums(blocks, (dtype, labels.dtype, self.real), *where, width, blocks, copies, shared=memory)
        else:
            alone = labels.device.uses_numpy and (n <= ALONE or n < 32 * self.count)
            row = kernels.measure_alone if alone else kernels.measure
            row(-(-n // 128), _template(field, dtype, labels.dtype, self.real), *where)

    def spread(self, table):
        """A table's values for every entry of `index`, in its shape."""
        out = table if self.place is None else table[self.place]
        if self.index is not None:
            out = gs.empty(self.count, table.dtype, device=table.device)
            kernels.region_spread(self.count, (table.dtype, self.real), table, out, *self.slots)
        return out if out.shape == self.shape else out.reshape(self.shape)

    def zeros(self, dtype):
        return gs.zeros(self.count, dtype, device=self.labels.device)

    def total(self, x, centre=None):
        """Sum of x per slot, complex sums from two passes; or of squared distances of a real x from the centres."""
        if x.dtype.kind == "c":
            return self.total(contiguous(x.real)) + 1j * self.total(contiguous(x.imag))
        total = self.zeros(FLOAT64)
        self.scan("SumField", x, None, total, centre)
        return total

    def sums(self, x):
        """(count, sum of x) per slot; x may be None, then the sums are useless."""
        count, total = self.zeros(np.int64), self.zeros(FLOAT64)
        if self.count > FAR_APART and self.labels.device.uses_numpy:
            self.scan("SumField", None, count)
            self.scan("SumField", x, None, total)
        else:
            self.scan("SumField", x, count, total)
        return count, total


@functools.lru_cache(256)
def _template(field, x_dtype, label_dtype, real):
    return f"{field}<{cpp_name(x_dtype)}>", x_dtype, label_dtype, real


def _range(index, labels):
    """(first, length, places) of a range of integers that holds all of `index` and is not much longer, to be counted in 64 bits
    together with such labels; places is None where it is the index itself. None where there is no such range."""
    if not index.size or labels.dtype.kind == "f" or index.dtype.kind == "b":
        return None
    if index.dtype.kind == "f":
        return _among_labels(index, labels)
    short = index.tolist() if index.size <= SHORT else None
    low, high = (min(short), max(short)) if short else (int(index.min()), int(index.max()))
    length = high - low + 1
    if length > 4 * index.size or high > INT64_MAX or low < 0 and labels.dtype == np.uint64:
        return _among_labels(index, labels)
    if length == index.size and (short == list(range(low, high + 1)) if short else (index[1:] > index[:-1]).all()):
        return low, length, None
    return low, length, index.astype(np.int64) - low


def _among_labels(index, labels):
    """The same on the host for an index with gaps or fractions, of which only what lies among the labels can be found: a table
    that is short beside the labels is faster than looking each of them up. One more place, which no label has, is for the rest."""
    if not labels.device.uses_numpy or not labels.size:
        return None
    values = labels.numpy()
    low, high = int(values.min()), int(values.max())
    if max(abs(low), abs(high)) >= EXACT:
        return None
    if index.dtype.kind == "f":
        index = index.astype(FLOAT64)
    found = (index >= low) & (index <= high) & (index == np.floor(index))
    wanted = index[found].astype(np.int64)
    if not wanted.size:
        return high + 1, 1, np.zeros(index.size, np.int64)
    low, length = int(wanted.min()), high + 2 - int(wanted.min())
    if length > max(4 * index.size, labels.size // 16):
        return None
    places = np.full(index.size, length - 1)
    places[found] = wanted - low
    return low, length, places


def _shared_table(labels, count, entry):
    """How the GPU's kernel of sums goes over labels: the image's width, blocks, copies of a table with `entry` bytes for each of
    `count` regions in a block's shared memory (0: none, where it does not fit or would be as much work as the pixels), its bytes."""
    n, shape, device = labels.size, labels.shape, labels.device
    last = shape[-1] if shape else 1
    # Rows of at least 32 pixels, several of the array's if need be; a line is folded.
    width = last * -(-32 // last) if n >= 32 * last and len(shape) > 1 else 32
    strips, rows = -(-width // 32), -(-n // width)
    blocks = -(-strips * -(-rows // 32) // 32)
    together = min(blocks, device.processors)
    copies = min(1024, max(TABLE // (entry * count), entry * count <= SHARED.get(device.arch, SHARED_MIN)), n // (together * count))
    if not copies:
        return width, blocks, 0, 0
    copies = 1 << (copies.bit_length() - 1)
    return width, together, copies, copies * count * entry
