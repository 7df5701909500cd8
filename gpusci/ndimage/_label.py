"""Labelling and finding objects. As `scipy.ndimage`; a component's number follows its first pixel in C order
(of the axes as an `output` in another order has them)."""

import functools
import gc
import itertools
import math
import operator

import numpy as np

import gpusci as gs
from gpusci.core import args, from_numpy, ndarray, new, public
from gpusci.ndimage import _blocks
from gpusci.ndimage import _measure_kernels as kernels
from gpusci.ndimage._arrays import check_dtypes, contiguous, empty, host, overlap, table
from gpusci.ndimage._structure import default_structure

INT32_MAX = np.iinfo(np.int32).max
INT32, INT64, UINT32 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.uint32)
WORD, TILES = 32, 4     # pixels of a word; tiles of a block: label_warps in kernels/label_tiles.h
_BITS = dict(zip("?bBhHiIlLqQ", map(np.dtype, "BBBHHIIQQQQ"), strict=True))     # a pixel of these is set where a bit is
PIECE = 4096            # pixels whose roots are counted by one work item
BAND = 1 << 18          # pixels of a band of rows that a thread of the host labels
ALONE = 1 << 22         # pixels up to which one thread of the host finds boxes: without atomic updates
MANY = 1000             # slices, from which equal ones are looked for
VERY_MANY = 1 << 14     # from which each axis has its own: an array of them all would be 128 KiB, which malloc maps anew each time


@public("input")
def label(input, structure=None, output=None):
    """Number the connected components of the nonzero elements. As `scipy.ndimage.label`.

    Returns (labels, count), or the count alone when `output` is an array. labels are int32 (int64 past 2**31 elements)
    unless `output` says otherwise. The count is a Python int, so the call waits for the GPU.

    Raises TypeError for complex or float16 input or output, RuntimeError for a structure of another rank, ValueError for one
    that is not 3 wide or an output of another shape, AssertionError for one that is not symmetric about its centre,
    RuntimeError when the labels do not fit `output`.
    """
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported: label the absolute value, or a comparison, instead")
    neighbours = _structure(structure, input.ndim)
    wide = input.size > INT32_MAX
    given = isinstance(output, (ndarray, np.ndarray))
    if output is None:
        output = INT64 if wide else INT32
    if given and output.shape != input.shape:
        raise ValueError("output shape not correct")
    labels = args.get_output(output, input)
    if input.ndim and input.size:
        _check_types(input, labels, neighbours)
    parent = INT64 if wide else INT32
    axis = _fastest(labels.strides)
    if axis == input.ndim - 1:
        count = _label_into(input, neighbours, labels, parent)
    else:
        along = [gs.moveaxis(a, axis, -1) for a in (input, labels)]
        count = _label_into(along[0], np.moveaxis(neighbours, axis, -1), along[1], parent)
    return count if given else (labels, count)


def _check_types(input, labels, structure):
    """What SciPy checks only where there is something to label."""
    taps = structure.tobytes()
    if taps != taps[::-1]:
        raise AssertionError("Structuring element is not symmetric: a neighbour's neighbour must be the element itself")
    for a in (input, labels):
        if a.dtype.char in "eFD":
            raise TypeError(f"labels come from and go to booleans, integers, float32 or float64, not {a.dtype}: convert it first")


def _fastest(strides):
    """The axis along which SciPy numbers the components: that of the output's smallest stride, the last one in C order."""
    axis, least = 0, next((s for s in strides if s), 0)
    for d, stride in enumerate(strides[1:], 1):
        if 0 < stride < least:
            axis, least = d, stride
    return axis if strides and least != strides[-1] else len(strides) - 1


def _structure(structure, ndim):
    """The structuring element as a boolean NumPy array of rank ndim, 3 wide."""
    if structure is None:
        return default_structure(ndim)
    structure = np.asarray(host(structure)).astype(bool)
    if structure.ndim != ndim:
        raise RuntimeError("structure and input must have equal rank")
    if any(n != 3 for n in structure.shape):
        raise ValueError("structure dimensions must be equal to 3")
    return structure


@functools.lru_cache(256)
def _before(structure, shape):
    """The neighbours that precede a pixel in C order, by rising distance: coordinates, steps of the flat index, and whether
    the pixel before it in its row is one of them."""
    taps = np.frombuffer(structure, bool)
    delta = [d for d, tap in zip(itertools.product((-1, 0, 1), repeat=len(shape)), taps[: taps.size // 2], strict=False) if tap]
    pairs = sorted((sum(k * math.prod(shape[axis + 1 :]) for axis, k in enumerate(d)), d) for d in delta)
    offsets = np.array([d for _, d in pairs], np.int64).reshape(len(pairs), len(shape))
    steps = np.array([step for step, _ in pairs], np.int64)
    return offsets, steps, (0,) * (len(shape) - 1) + (-1,) in delta


def _label_into(input, structure, labels, parent_type):
    """Fill `labels`; returns the number of components."""
    if input.size == 0:
        return 0
    if input.ndim == 0:
        found = input != 0
        labels[...] = found                 # complex ones, too, as SciPy
        return int(found)
    shape, x = input.shape, contiguous(input)
    if 1 in shape and len(shape) > 1:           # an axis that has no neighbours
        long = [n > 1 for n in shape[:-1]] + [shape[-1] > 1 or max(shape) == 1]
        structure = structure[tuple(slice(None) if kept else 1 for kept in long)]
        shape = tuple(itertools.compress(shape, long))
    usable = labels.flags.c_contiguous and not overlap(x, labels)
    flat = labels if usable else empty(labels, labels.dtype)
    run = _label_runs if x.device.uses_numpy else _chosen(x.device, shape)
    count = run(x, parent_type, flat, shape, structure.tobytes())
    if not usable:
        labels[...] = flat
    return count


def _chosen(device, shape):
    """What labels on a GPU."""
    if len(shape) == 1:
        return _label_line
    return _label_by_tiles if _blocks.has_blocks(device) else _label_in_parallel


def _neighbours(structure, shape, device):
    """What Neighbours holds in kernels/label.h."""
    delta, steps, runs = _before(structure, shape)
    return shape, len(steps), table(delta, device), table(steps, device), runs


def _check_depth(count, dtype):
    if dtype.kind in "iu" and count > np.iinfo(dtype).max:
        raise RuntimeError(f"insufficient bit-depth in requested output type: {count} labels do not fit {dtype}")


def _label_runs(x, parent_type, labels, shape, structure):
    """On the host, by runs along the rows (see kernels/label_runs.h)."""
    device, length = x.device, shape[-1]
    where = _neighbours(structure, shape, device)
    rows, most = x.size // length, (length + 1) // 2 if where[-1] else length
    bands = min(x.size // BAND or 1, rows, 64)
    runs = [new((n,), parent_type, device) for n in (2 * rows * most, rows * most, rows, rows)]
    found = new((1,), INT64, device)
    types = (x.dtype, parent_type, labels.dtype, len(shape))
    arguments = (x, labels, *runs, found, rows, most, bands, *where)
    kernels.label_runs(bands, types, *arguments)
    if bands > 1:
        kernels.label_bands(1, types, *arguments)
    count = found.numpy().item(0)
    _check_depth(count, labels.dtype)
    if bands > 1:
        kernels.label_fill(bands, types, *arguments)
    return count


def _label_line(x, parent_type, labels, shape, structure):
    """One axis: a component begins at every pixel that does not go on with the one before."""
    x = x.reshape(-1)
    pixels = x != 0
    begins = pixels
    if _before(structure, shape)[2]:
        begins = pixels.copy()
        gs.greater(pixels[1:], pixels[:-1], out=begins[1:])
    numbers = gs.cumsum(begins, dtype=parent_type)
    count = int(numbers[-1])
    _check_depth(count, labels.dtype)
    gs.multiply(numbers, pixels, out=labels.reshape(-1), casting="unsafe")
    return count


@functools.lru_cache(256)
def _tiles(structure, shape):
    """Words of pixels, LabelGrid's fields, and the rows that have neighbours of a row's pixels: see kernels/label_tiles.h."""
    delta, steps, runs = _before(structure, shape)
    height, width = shape[-2:]
    words, down, rows = -(-width // WORD), -(-height // WORD), math.prod(shape[:-1])
    columns = {}
    for d, step in zip(delta.tolist(), steps.tolist(), strict=True):
        if any(d[:-1]):
            row = (*d[:-1], (step - d[-1]) // width)
            columns[row] = columns.get(row, 0) | 1 << (d[-1] + 1)
    above = columns.get((0,) * (len(shape) - 2) + (-1, -1), 0)
    grid = (height, width, words, down, rows // height * down * words, above, runs)
    links = np.array([(*row, taps) for row, taps in columns.items()], np.int64).reshape(len(columns), len(shape) + 1)
    return rows * words, grid, links


def _label_by_tiles(x, parent_type, labels, shape, structure):
    """On a GPU, by words of 32 pixels (see kernels/label_tiles.h). Where every count fits the labels nothing waits until the end."""
    words, grid, links = _tiles(structure, shape)
    device, pieces, tiled = x.device, -(-words // WORD), -(-grid[4] // TILES)
    masks, roots = (new((words,), UINT32, device) for _ in range(2))
    parent, counts = empty(x, parent_type), new((pieces,), parent_type, device)
    kernels.label_tiles(tiled, (_BITS.get(x.dtype.char, x.dtype), parent_type), x, parent, masks, roots, grid)
    kernels.label_seams(words, (parent_type, len(shape)), parent, masks, grid, shape, len(links), table(links, device))
    blocks = -(-pieces // TILES)
    kernels.label_tally(blocks, (parent_type,), parent, roots, counts, words, grid)
    until = gs.cumsum(counts, dtype=parent_type)
    count = None
    if labels.dtype.kind in "iu" and x.size > np.iinfo(labels.dtype).max:
        count = int(until[-1])
        _check_depth(count, labels.dtype)
    kernels.label_ranks(blocks, (parent_type,), parent, roots, until, words, grid)
    kernels.label_paint(tiled, (parent_type, labels.dtype), parent, masks, labels, grid)
    return int(until[-1]) if count is None else count


def _label_in_parallel(x, parent_type, labels, shape, structure):
    device, ndim, parent = x.device, len(shape), empty(x, parent_type)
    where = _neighbours(structure, shape, device)
    kernels.label_start(x.size, (x.dtype, parent_type, ndim), x, parent, *where)
    if where[1]:
        kernels.label_join(x.size, (parent_type, ndim), parent, *where)
    pieces = -(-x.size // PIECE)
    roots = new((pieces,), parent_type, device)
    kernels.label_count(pieces, (parent_type,), parent, roots, x.size, PIECE)
    until = gs.cumsum(roots, dtype=parent_type)
    count = int(until[-1])
    _check_depth(count, labels.dtype)
    kernels.label_roots(pieces, (parent_type,), parent, until, x.size, PIECE)
    kernels.label_number(x.size, (parent_type, labels.dtype), parent, labels)
    return count


def find_objects(input, max_label=0):
    """Bounding boxes of the labels 1..max_label as tuples of slices, None for absent ones. As `scipy.ndimage.find_objects`.

    The slices are Python objects, so the call waits for the GPU, twice without max_label or with more than there are pixels. Raises
    TypeError for input that is not of integers, unless max_label is given: then fractions are cut off.
    """
    starts, stops, present, count = _boxes(input, max_label)
    ndim = starts.shape[1]
    if not ndim:
        return [() if label in present else None for label in range(count)]
    if starts.size < VERY_MANY:         # one iterator: its next `ndim` slices are a label's
        slices = [iter(_slices(starts.ravel(), stops.ravel()))] * ndim
    else:
        slices = [_slices(*axis) for axis in zip(starts.T, stops.T, strict=True)]
    boxes = _listed(zip(*slices, strict=True))
    if present.size == count:
        return boxes
    found = [None] * count
    for label, box in zip(present.tolist(), boxes, strict=True):
        found[label] = box
    return found


def _listed(boxes):
    """Their list. All of them stay: looking for garbage among them while they are made would take most of the time."""
    pause = gc.isenabled()
    try:
        gc.disable()
        return list(boxes)
    finally:
        if pause:
            gc.enable()


def _slices(starts, stops):
    """The slices from starts to stops. Where many are alike, equal ones are one object: making one takes longest of all here."""
    if starts.size >= MANY:
        lengths = stops - starts
        reach = int(lengths.max()) + 1
        size = (int(starts.max()) + 1) * reach
        if size <= 32 * starts.size:
            keys, known = starts * reach + lengths, np.zeros(size, bool)
            known[keys] = True
            distinct = known.nonzero()[0]
            if 2 * distinct.size < keys.size:
                first, length = np.divmod(distinct, reach)
                made, number = np.empty(distinct.size, object), np.empty(size, np.int32)
                made[:] = list(map(slice, first.tolist(), (first + length).tolist()))
                number[distinct] = np.arange(distinct.size)
                return made[number[keys]].tolist()
    return map(slice, starts.tolist(), stops.tolist())


@public("input")
def _boxes(input, max_label):
    """Starts and stops of the boxes, NumPy (labels present, ndim); which labels these are, less 1; how many are asked for."""
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported: find_objects needs labels, an array of integers")
    given = max_label >= 1
    max_label = operator.index(max_label) if given else 0
    if input.dtype.kind in "bf":
        if not given:
            raise TypeError("find_objects needs labels, an array of integers: convert them, or give max_label")
        if input.size:
            check_dtypes(input)
        input = input.astype(np.int64)
    if not given:
        max_label = int(_apart(input).max()) if input.size else 0
    if max_label > np.iinfo(np.int64).max:
        raise OverflowError(f"label {max_label} is too large to list objects up to it: renumber the labels, or give a smaller max_label")
    shape = input.shape
    if max_label < 1 or input.ndim == 0:
        nothing = np.empty((0, len(shape)), np.int64)
        return nothing, nothing, np.array([int(input) - 1] if max_label >= 1 else []), max(max_label, 0)
    x, asked = contiguous(input), max_label
    if given and x.size and max_label > (MANY if x.device.uses_numpy else x.size):        # no table of labels that do not occur
        max_label = max(1, min(max_label, int(_apart(x).max())))
    bounds = gs.zeros((2, max_label, x.ndim), np.int64, device=x.device)
    items = x.size
    if not x.device.uses_numpy:
        row, items = kernels.box_corners, -(-items // 8)
    else:
        row = kernels.bounding_boxes_alone if items <= ALONE else kernels.bounding_boxes
    row(items, (x.dtype, x.ndim), x, bounds, max_label, shape)
    bounds = bounds.numpy()
    present = bounds[1, :, 0].nonzero()[0]
    starts, stops = bounds if present.size == max_label else bounds[:, present]
    return shape - starts, stops, present, asked


def _apart(x):
    """The array for NumPy's own functions where they do the work: they need no wrapping then."""
    return x.numpy() if x.device.uses_numpy else x


@public("arr")
def value_indices(arr, *, ignore_value=None):
    """Where each distinct value lies: {value: index arrays}. As `scipy.ndimage.value_indices`.

    Raises ValueError for an array that is not of integers. The dict's keys are Python integers: the call waits for the GPU.
    """
    if arr.dtype.kind not in "iu":
        raise ValueError(f"Parameter 'arr' must be an integer array, not {arr.dtype}")
    ignore_value = None if ignore_value is None else arr.dtype.type(ignore_value)
    if arr.device.uses_numpy and arr.size and arr.ndim:
        values, starts, places = _grouped(contiguous(arr))
    else:
        values, starts, places = _sorted(arr)
    result = {}
    for k, value in enumerate(values):
        if ignore_value is None or value != ignore_value:
            result[value] = tuple([axis[starts[k] : starts[k + 1]] for axis in places])
    return result


def _sorted(arr):
    """The distinct values, where the places of each start and end, and the places along each axis in that order."""
    flat = arr.reshape(-1)
    order = gs.argsort(flat, stable=True)
    values, starts = gs.unique(flat[order], return_index=True)
    return values.numpy(), [*starts.numpy().tolist(), arr.size], gs.unravel_index(order, arr.shape) if arr.ndim else ()


def _grouped(arr):
    """The same by counting, where the values lie close together."""
    x = arr.numpy()
    first, last = int(x.min()), int(x.max())
    if last - first > max(1024, 4 * x.size) or last > np.iinfo(np.int64).max:
        return _sorted(arr)
    wide = x.reshape(-1).astype(np.int64, copy=False)
    counts = np.bincount(wide - first if first else wide)
    present = counts.nonzero()[0]
    starts = [0, *np.cumsum(counts[present]).tolist()]
    places = gs.empty((x.ndim, x.size), np.int64, device=arr.device)
    kernels.group_places(1, (arr.dtype, x.ndim), arr, from_numpy(np.cumsum(counts) - counts), places, first, x.size, x.shape)
    return (present + first).astype(x.dtype), starts, [places[d] for d in range(x.ndim)]
