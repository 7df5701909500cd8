"""Binary morphology. As `scipy.ndimage`."""

import functools
import math
import operator

import numpy as np

import gpusci as gs
from gpusci.core import ndarray, public
from gpusci.ndimage import _bits
from gpusci.ndimage import _morphology_kernels as kernels
from gpusci.ndimage._arrays import (
    BOOL,
    check_axes,
    check_dtypes,
    contiguous,
    empty,
    get_output,
    host,
    overlap,
    sequence,
    table,
)
from gpusci.ndimage._label import label
from gpusci.ndimage._structure import default_structure
from gpusci.ndimage._windows import CACHED_TAPS

BATCH = 16  # steps before a look at whether anything still changes: more would be wasted work, fewer more waits
LOOK = 1024     # steps from which looks are worth their waits, since most images come to rest long before


def element_offsets(element, origins, shape, device):
    """The set elements of a structure as offsets: (count, table of coordinates, table of index steps), both on the device."""
    work = _offsets if element.size <= CACHED_TAPS else _offsets.__wrapped__
    delta, steps = work(element.tobytes(), element.shape, tuple(origins), shape)
    return len(delta), table(delta, device), table(steps, device)


@functools.lru_cache(256)
def _offsets(element, extent, origins, shape):
    element = np.frombuffer(element, bool).reshape(extent)
    centre = [n // 2 + o for n, o in zip(extent, origins, strict=True)]
    delta = np.argwhere(element) - np.array(centre, np.int64).reshape(-1)
    delta = np.ascontiguousarray(delta.reshape(-1, len(shape)), np.int64)
    return delta, delta @ np.array([math.prod(shape[d + 1 :]) for d in range(len(shape))], np.int64)


def expand_structure(structure, origin, axes, ndim):
    """Structure and origins for all axes, from those for `axes`: 1 wide along the others.

    As in SciPy the structure's axes follow the order in the array, the origins the order in `axes` unless these are all.
    """
    origin = sequence(origin, len(axes))
    if len(axes) == ndim:
        return structure, origin
    extents = iter(structure.shape)
    shape = [next(extents) if axis in axes else 1 for axis in range(ndim)]
    full = [0] * ndim
    for axis, value in zip(axes, origin, strict=True):
        full[axis] = value
    return structure.reshape(shape), full


def _check_structure(structure, axes, flip=False):
    structure = default_structure(len(axes)) if structure is None else np.asarray(host(structure)).astype(bool, copy=False)
    if structure.ndim != len(axes):
        # A dilation of SciPy's meets the missing axis first.
        error = IndexError if flip and structure.ndim < len(axes) else RuntimeError
        raise error(f"structure and input must have same dimensionality: give a structure of {len(axes)} dimensions")
    if structure.size < 1:
        raise RuntimeError("structure must not be empty")
    return structure


def _check_origins(structure, origins):
    """Origins as Python integers. Raises SciPy's IndexError for fractions, and where the centre leaves the structure."""
    if all(type(o) is int and 0 <= n // 2 + o < n for n, o in zip(structure.shape, origins, strict=True)):
        return origins
    whole = []
    for n, origin in zip(structure.shape, origins, strict=True):
        centre = n // 2 + origin                        # TypeError for what is no number
        if not hasattr(centre, "__index__") or not 0 <= centre < n:
            raise IndexError(f"origin {origin} is outside of a structure {n} wide: give {-(n // 2)} to {(n - 1) // 2}")
        if isinstance(origin, bool):
            raise TypeError("an origin is an integer, not a bool")
        whole.append(operator.index(origin))
    return whole


def _check_output(output, input):
    """The array to write to; a dtype counts for nothing, as in SciPy."""
    if not isinstance(output, ndarray):
        return get_output(bool, input)
    if output.dtype.kind == "c":
        raise TypeError("Complex output type not supported")
    if input.size:
        check_dtypes(output)
    return get_output(output, input)


def _own_output(output, input):
    """The caller's array, or None: functions that SciPy ends by a NumPy expression take no notice of a dtype."""
    return _check_output(output, input) if isinstance(output, ndarray) else None


def _deliver(result, output):
    """The result, or None when it went into the caller's array, as SciPy."""
    if output is None:
        return result
    output[...] = result
    return None


def _erode(input, structure, iterations, mask, output, border_value, origin, invert, axes, flip=False):
    """Erosion, or with invert the dilation by the reflected structure. `flip`: reflect it here."""
    try:
        iterations = operator.index(iterations)
    except TypeError:
        raise TypeError("iterations parameter should be an integer") from None
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported: compare the values first")
    axes = check_axes(axes, input.ndim)
    structure = _check_structure(structure, axes, flip)
    if mask is not None and mask.shape != input.shape:
        raise RuntimeError("mask and input must have equal sizes")
    origins = sequence(origin, len(axes))
    if flip:
        structure = structure[(slice(None, None, -1),) * structure.ndim]
        origins = [-o - (1 if n % 2 == 0 else 0) for o, n in zip(origins, structure.shape, strict=True)]
    structure, origins = expand_structure(structure, origins, axes, input.ndim)
    origins = _check_origins(structure, origins)
    output = _check_output(output, input)
    border = bool(operator.index(host(border_value)))
    if input.size:
        check_dtypes(input)
        if mask is not None:
            check_dtypes(mask)
            if mask.dtype.kind == "c":
                raise RuntimeError("data type of the mask not supported: compare its values first")
    if input.ndim == 0:
        result = input != 0 if structure.any() else gs.full((), not invert, device=input.device)
        output[...] = result if mask is None else gs.where(mask != 0, result, input != 0)
        return output
    if input.size == 0:
        return output
    apart = not (overlap(input, output) or mask is not None and overlap(mask, output))
    own = output if apart and output.dtype == bool and output.flags.c_contiguous else None
    result = steps(_bytes(input), structure, origins, iterations, mask, border, invert, own)
    if result is not output:
        output[...] = result
    return output


def _bytes(x):
    """Zero and nonzero, a byte an element."""
    x = x if x.itemsize == 1 else x != 0
    return contiguous(x).view(bool)


def steps(x, structure, origins, iterations, mask, border, invert, output):
    """`iterations` erosions of a boolean array, or until nothing changes for iterations < 1 (on a GPU it then waits at times).

    output: a boolean array that may hold the result, or None.
    """
    mask = None if mask is None else _bytes(mask)
    centred = structure[tuple([n // 2 + o for n, o in zip(structure.shape, origins, strict=True)])]
    left = iterations if iterations > 0 else math.inf
    looks, batch = left >= LOOK, min(left, BATCH)
    if not x.device.uses_numpy and _bits.pay(x, structure, origins, iterations, mask):
        image = _bits.Packed(x, structure, origins, mask, border, invert)
        if not looks:
            image.erode(iterations)
        while looks and left and not image.settle(batch):
            left -= batch
            if left >= x.size and centred and _labels_will_do(structure, origins):      # each step changes a pixel for good
                return _settled(image, structure, mask)
            batch = min(2 * batch, 4 * BATCH, left)
        return image.unpack(output)
    element = element_offsets(structure, origins, x.shape, x.device)
    types, shape = (x.ndim,), x.shape
    if x.device.uses_numpy and centred and not 1 <= iterations <= BATCH:
        y = empty(x, BOOL) if output is None else output
        kernels.binary_step(x.size, types, x, y, mask, None, shape, *element, border, invert)
        kernels.binary_flood(1, types, x, y, mask, shape, *element, x.size, max(iterations, 0) - 1)
        return y
    spare = [empty(x, BOOL) if output is None else output, empty(x, BOOL) if iterations != 1 else None]
    changed = gs.zeros(1, np.int64, device=x.device) if looks else None
    done = 0
    while True:
        for _ in range(min(left, BATCH) if looks else iterations):
            y = spare[done % 2]
            kernels.binary_step(x.size, types, x, y, mask, changed, shape, *element, border, invert)
            x, done = y, done + 1
        if not looks or done == iterations or not int(changed[0]):
            return x
        left -= BATCH
        changed.fill(0)


def _settled(image, structure, mask):
    """What steps of an element that holds its centre come to, whatever their number: as soon as one pixel changes, so do all
    those that are connected to it through pixels that can."""
    before = image.unpack()
    can_change = before != bool(image.invert)
    if mask is not None:
        can_change &= mask.view(np.uint8) != 0
    image.erode(1)
    labels, count = label(can_change, _widened(structure))
    changes = gs.zeros(count + 1, bool, device=before.device)
    changes[labels[image.unpack() != before]] = True
    return before ^ changes[labels]


@public("input", "mask")
def binary_erosion(
    input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, brute_force=False, *, axes=None
):
    """Erosion of the nonzero elements. As `scipy.ndimage.binary_erosion`; `brute_force` changes nothing here.

    iterations < 1 repeats until nothing changes, which waits for the GPU after 16 steps, then more, as 1024 and more iterations do; by
    the default structure, or another symmetric one 3 wide, what is left after 16 is found by labels. Raises TypeError for complex
    input or iterations that are no integer, RuntimeError for a structure of another rank or an empty one, or a mask of another shape.
    """
    return _erode(input, structure, iterations, mask, output, border_value, origin, 0, axes)


@public("input", "mask")
def binary_dilation(
    input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, brute_force=False, *, axes=None
):
    """Dilation of the nonzero elements. As `scipy.ndimage.binary_dilation`; see `binary_erosion`."""
    return _erode(input, structure, iterations, mask, output, border_value, origin, 1, axes, flip=True)


@public("input", "mask")
def binary_opening(
    input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, brute_force=False, *, axes=None
):
    """Erosion, then dilation. As `scipy.ndimage.binary_opening`."""
    inner = _erode(input, structure, iterations, mask, None, border_value, origin, 0, axes)
    return _erode(inner, structure, iterations, mask, output, border_value, origin, 1, axes, flip=True)


@public("input", "mask")
def binary_closing(
    input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, brute_force=False, *, axes=None
):
    """Dilation, then erosion. As `scipy.ndimage.binary_closing`."""
    outer = _erode(input, structure, iterations, mask, None, border_value, origin, 1, axes, flip=True)
    return _erode(outer, structure, iterations, mask, output, border_value, origin, 0, axes)


@public("input")
def binary_hit_or_miss(input, structure1=None, structure2=None, output=None, origin1=0, origin2=None, *, axes=None):
    """Places where structure1 fits the image and structure2 its complement. As `scipy.ndimage.binary_hit_or_miss`.

    Returns None when `output` is an array, which gets the result; a dtype there counts for nothing.
    """
    found = check_axes(axes, input.ndim)
    structure1 = default_structure(len(found)) if structure1 is None else np.asarray(host(structure1))
    structure2 = np.logical_not(structure1) if structure2 is None else host(structure2)
    origin2 = origin1 if origin2 is None else origin2
    output = _own_output(output, input)
    hit = _erode(input, structure1, 1, None, None, 0, origin1, 0, axes)
    # SciPy dilates the image by structure2, unreflected: a miss is where nothing of it is met.
    meets = _erode(input, structure2, 1, None, None, 0, origin2, 1, axes)
    return _deliver(hit & ~meets, output)


@public("input", "mask")
def binary_propagation(input, structure=None, mask=None, output=None, border_value=0, origin=0, *, axes=None):
    """Dilation within the mask until nothing changes. As `scipy.ndimage.binary_propagation`; see `binary_erosion`."""
    return _erode(input, structure, -1, mask, output, border_value, origin, 1, axes, flip=True)


@public("input")
def binary_fill_holes(input, structure=None, output=None, origin=0, *, axes=None):
    """Fill the background that is not connected to the border. As `scipy.ndimage.binary_fill_holes`.

    Returns None when `output` is an array, which gets the result.
    On a GPU and with the default structure, or another symmetric one 3 wide, the background is labelled (no steps); otherwise it
    is eaten from the border step by step, which waits for the GPU as `binary_erosion` does.
    """
    found = check_axes(axes, input.ndim)
    output = _own_output(output, input)
    element = _check_structure(structure, found, flip=True)
    background = input == 0
    origins = sequence(origin, len(found))
    if input.size and input.ndim and not input.device.uses_numpy and _labels_will_do(element, origins):
        full, _ = expand_structure(element, origins, found, input.ndim)
        _check_origins(element, origins)
        filled = ~_reached(background, _widened(full), found)
    else:
        outside = gs.zeros(input.shape, bool, device=input.device)
        filled = ~_erode(outside, structure, -1, background, None, 1, origin, 1, axes, flip=True)
    return _deliver(filled, output)


def _labels_will_do(structure, origins):
    reflected = structure[(slice(None, None, -1),) * structure.ndim]
    return all(n in (1, 3) for n in structure.shape) and (structure == reflected).all() and not np.any(origins)


def _widened(structure):
    """A structure 1 or 3 wide as one 3 wide."""
    return np.pad(structure, [((3 - n) // 2,) * 2 for n in structure.shape])


def _reached(background, structure, axes):
    """Background elements whose component touches the border along `axes` through an offset of the structure."""
    labels, count = label(background, structure)
    touched = gs.zeros(count + 1, bool, device=background.device)
    for axis in axes:
        for side, step in ((0, -1), (-1, 1)):
            plane = [slice(None)] * structure.ndim
            plane[axis] = 1 + step
            if structure[tuple(plane)].any():
                edge = [slice(None)] * structure.ndim
                edge[axis] = side
                touched[labels[tuple(edge)].reshape(-1)] = True
    touched[0] = False
    return touched[labels]
