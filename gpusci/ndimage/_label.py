"""Labelling and finding objects. As `scipy.ndimage`; a component's number follows its first pixel in C order
(of the axes as an `output` in another order has them)."""

import itertools
import operator

import numpy as np

import gpusci as gs
from gpusci.core import args, constant, ndarray, public
from gpusci.ndimage import _measure_kernels as kernels
from gpusci.ndimage._arrays import check_dtypes
from gpusci.ndimage._structure import generate_binary_structure

INT32_MAX = np.iinfo(np.int32).max


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
        output = np.int64 if wide else np.int32
    if given and output.shape != input.shape:
        raise ValueError("output shape not correct")
    labels = args.get_output(output, input)
    if input.ndim and input.size:
        _check_types(input, labels, neighbours)
    parent = np.dtype(np.int64 if wide else np.int32)
    axis = _fastest(labels.strides)
    if axis == input.ndim - 1:
        count = _label_into(input, neighbours, labels, parent)
    else:
        along = [gs.moveaxis(a, axis, -1) for a in (input, labels)]
        count = _label_into(along[0], np.moveaxis(neighbours, axis, -1), along[1], parent)
    return count if given else (labels, count)


def _check_types(input, labels, structure):
    """What SciPy checks only where there is something to label."""
    for a in (input, labels):
        if a.dtype.char in "eFD":
            raise TypeError(f"labels come from and go to booleans, integers, float32 or float64, not {a.dtype}: convert it first")
    if not (structure == structure[(slice(None, None, -1),) * structure.ndim]).all():
        raise AssertionError("Structuring element is not symmetric: a neighbour's neighbour must be the element itself")


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
        structure = generate_binary_structure(ndim, 1)
    structure = structure.numpy() if isinstance(structure, ndarray) else np.asarray(structure)
    structure = structure.astype(bool)
    if structure.ndim != ndim:
        raise RuntimeError("structure and input must have equal rank")
    if any(n != 3 for n in structure.shape):
        raise ValueError("structure dimensions must be equal to 3")
    return structure


def _label_into(input, structure, labels, parent_type):
    """Fill `labels`; returns the number of components."""
    if input.size == 0:
        return 0
    if input.ndim == 0:
        labels[...] = input != 0
        return int(labels)
    device, shape = input.device, input.shape
    x = gs.ascontiguousarray(input)
    before = list(itertools.product((-1, 0, 1), repeat=input.ndim))[: 3**input.ndim // 2]
    delta = [d for d in before if structure[tuple(k + 1 for k in d)]]
    steps = [int(np.prod(shape[d + 1 :], dtype=np.int64)) for d in range(input.ndim)]
    step = [sum(a * b for a, b in zip(d, steps, strict=True)) for d in delta]
    order = np.argsort(step, kind="stable")
    table = np.array([delta[k] for k in order], np.int64).reshape(len(delta), input.ndim)
    where = (shape, len(delta), constant(table, device), constant(np.array([step[k] for k in order], np.int64), device),
             -1 in step)

    parent = gs.empty(x.size, parent_type, device=device)
    kernels.label_start(x.size, (x.dtype, parent_type, input.ndim), x, parent, *where)
    if delta:
        kernels.label_join(x.size, (parent_type, input.ndim), parent, *where)
    piece = 32 if device.kind == "cuda" else 4096
    pieces = -(-x.size // piece)
    roots = gs.empty(pieces, parent_type, device=device)
    kernels.label_count(pieces, (parent_type,), parent, roots, x.size, piece)
    until = gs.cumsum(roots, dtype=parent_type)
    count = int(until[-1])
    if labels.dtype.kind in "iu" and count > np.iinfo(labels.dtype).max:
        raise RuntimeError(f"insufficient bit-depth in requested output type: {count} labels do not fit {labels.dtype}")
    flat = labels.reshape(-1) if labels.flags.c_contiguous else gs.empty(labels.size, labels.dtype, device=device)
    kernels.label_roots(pieces, (parent_type,), parent, until, x.size, piece)
    kernels.label_number(x.size, (parent_type, labels.dtype), parent, flat)
    if not labels.flags.c_contiguous:
        labels[...] = flat.reshape(shape)
    return count


@public("input")
def find_objects(input, max_label=0):
    """Bounding boxes of the labels 1..max_label as tuples of slices, None for absent ones. As `scipy.ndimage.find_objects`.

    The slices are Python objects, so the call waits for the GPU once. Raises TypeError for input that is not of integers,
    unless max_label is given: then fractions are cut off.
    """
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
        max_label = int(input.max()) if input.size else 0
    if max_label < 1:
        return []
    if input.ndim == 0:
        return [() if int(input) == k else None for k in range(1, max_label + 1)]
    x = gs.ascontiguousarray(input)
    bounds = gs.zeros((2, max_label, input.ndim), np.int64, device=x.device)
    bounds[0] = max(input.shape)
    kernels.bounding_boxes(x.size, (x.dtype, x.ndim), x, bounds[0], bounds[1], max_label, x.shape)
    low, high = bounds.numpy()
    slices = map(slice, low.ravel().tolist(), high.ravel().tolist())
    found = list(zip(*[slices] * x.ndim))                   # the iterator's next `ndim` slices are a label's
    for label in np.flatnonzero(high[:, 0] == 0).tolist():
        found[label] = None
    return found


@public("arr")
def value_indices(arr, *, ignore_value=None):
    """Where each distinct value lies: {value: index arrays}. As `scipy.ndimage.value_indices`.

    Raises ValueError for an array that is not of integers. The dict's keys are Python integers: the call waits for the GPU.
    """
    if arr.dtype.kind not in "iu":
        raise ValueError(f"Parameter 'arr' must be an integer array, not {arr.dtype}")
    ignore_value = None if ignore_value is None else arr.dtype.type(ignore_value)
    flat = arr.reshape(-1)
    order = gs.argsort(flat, stable=True)
    values, starts = gs.unique(flat[order], return_index=True)
    values, starts = values.numpy(), [*starts.numpy().tolist(), arr.size]
    result = {}
    for k, value in enumerate(values):
        if ignore_value is None or value != ignore_value:
            result[value] = gs.unravel_index(order[starts[k] : starts[k + 1]], arr.shape) if arr.ndim else ()
    return result
