"""Grey-scale morphology. As `scipy.ndimage`: flat elements are minimum and maximum filters."""

import operator

import numpy as np

import gpusci as gs
from gpusci.core import constant, ndarray, public
from gpusci.core.callers import warn
from gpusci.ndimage import _morphology_kernels as kernels
from gpusci.ndimage._arrays import (
    check_axes,
    check_dtypes,
    contiguous,
    empty,
    get_output,
    host,
    mode_number,
    overlap,
    sequence,
)
from gpusci.ndimage._binary import element_offsets, expand_structure
from gpusci.ndimage._rank import maximum_filter, minimum_filter


def _filter(input, size, footprint, structure, output, mode, cval, origin, axes, is_minimum):
    """Erosion (minimum) or, with everything already reflected, dilation (maximum)."""
    if structure is None:
        flat = minimum_filter if is_minimum else maximum_filter
        return flat(input, size, footprint, output, mode, cval, origin, axes=axes)
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    structure = np.asarray(host(structure), np.float64)
    axes = check_axes(axes, input.ndim)
    if structure.ndim != len(axes) or not structure.size:
        raise RuntimeError(f"structure array has incorrect shape: give one of {len(axes)} dimensions, none of length 0")
    footprint = np.ones(structure.shape, bool) if footprint is None else np.asarray(host(footprint), bool)
    if footprint.shape != structure.shape:
        raise RuntimeError("footprint and structure must have one shape")
    origins = sequence(origin, len(axes))
    output = get_output(output, input)
    height = structure[footprint]
    element, origins = expand_structure(footprint, origins, axes, input.ndim)
    for n, o in zip(element.shape, origins, strict=True):
        if not 0 <= n // 2 + o < n:
            raise ValueError("invalid origin")
        if isinstance(o, bool):
            raise TypeError("an origin is an integer, not a bool")
    origins = [operator.index(o) for o in origins]
    if not element.any():
        raise ValueError("All-zero footprint is not supported.")
    x = contiguous(input)
    if x.ndim == 0:
        x, element, origins = x.reshape(1), element.reshape(1), [0]
    if x.size:
        check_dtypes(x, output)
        usable = output.flags.c_contiguous and output.ndim and not overlap(x, output)
        y = output if usable else empty(x, output.dtype)
        offsets = element_offsets(element, origins, x.shape, x.device)
        mode = mode_number(mode)
        template = (x.dtype, y.dtype, x.ndim, bool(is_minimum))
        kernels.grey_structure(x.size, template, x, y, x.shape, *offsets, constant(height, x.device), mode, float(host(cval) + 0.0))
        if not usable:
            output[...] = y.reshape(output.shape)
    return output


def _need_one(size, footprint, structure):
    if size is None and footprint is None and structure is None:
        raise ValueError("size, footprint, or structure must be specified")


def _erosion(input, size, footprint, structure, output, mode, cval, origin, axes):
    _need_one(size, footprint, structure)
    return _filter(input, size, footprint, structure, output, mode, cval, origin, axes, True)


def _dilation(input, size, footprint, structure, output, mode, cval, origin, axes):
    _need_one(size, footprint, structure)
    found = check_axes(axes, input.ndim)
    reflect = (slice(None, None, -1),)
    sizes = None
    if structure is not None:
        structure = np.asarray(host(structure))
        structure, sizes = structure[reflect * structure.ndim], structure.shape
    if footprint is not None:
        footprint = np.asarray(host(footprint))
        footprint, sizes = footprint[reflect * footprint.ndim], footprint.shape
    if sizes is None:
        sizes = [size] * len(found) if np.ndim(size) == 0 else list(host(size))
    if len(sizes) != len(found):
        error = IndexError if len(sizes) < len(found) else RuntimeError     # SciPy's, which meets the missing axis first
        raise error("size, structure and footprint must have one axis for each axis that is filtered")
    origins = [-o - (0 if n & 1 else 1) for o, n in zip(sequence(origin, len(found)), sizes, strict=True)]
    return _filter(input, size, footprint, structure, output, mode, cval, origins, axes, False)


@public("input")
def grey_erosion(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Grey-scale erosion. As `scipy.ndimage.grey_erosion`. Raises ValueError without size, footprint and structure."""
    return _whole(_erosion, input, size, footprint, structure, output, mode, cval, origin, axes)


@public("input")
def grey_dilation(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Grey-scale dilation. As `scipy.ndimage.grey_dilation`. Raises ValueError without size, footprint and structure."""
    return _whole(_dilation, input, size, footprint, structure, output, mode, cval, origin, axes)


def _whole(operation, input, size, footprint, structure, output, mode, cval, origin, axes):
    """Run an operation; booleans under a structuring function are bytes to SciPy, where -1 is 255, until the result."""
    if input.dtype != bool or structure is None:
        return operation(input, size, footprint, structure, output, mode, cval, origin, axes)
    as_bytes = contiguous(input).view(np.uint8)
    output = get_output(output, input)
    if output.dtype != bool:
        return operation(as_bytes, size, footprint, structure, output, mode, cval, origin, axes)
    output[...] = operation(as_bytes, size, footprint, structure, None, mode, cval, origin, axes) != 0
    return output


def _opening(input, size, footprint, structure, output, mode, cval, origin, axes):
    inner = _erosion(input, size, footprint, structure, None, mode, cval, origin, axes)
    return _dilation(inner, size, footprint, structure, output, mode, cval, origin, axes)


def _closing(input, size, footprint, structure, output, mode, cval, origin, axes):
    outer = _dilation(input, size, footprint, structure, None, mode, cval, origin, axes)
    return _erosion(outer, size, footprint, structure, output, mode, cval, origin, axes)


def _warn_size(size, footprint):
    if size is not None and footprint is not None:
        warn("ignoring size because footprint is set")


@public("input")
def grey_opening(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Erosion, then dilation. As `scipy.ndimage.grey_opening`."""
    _warn_size(size, footprint)
    return _whole(_opening, input, size, footprint, structure, output, mode, cval, origin, axes)


@public("input")
def grey_closing(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Dilation, then erosion. As `scipy.ndimage.grey_closing`."""
    _warn_size(size, footprint)
    return _whole(_closing, input, size, footprint, structure, output, mode, cval, origin, axes)


def _apart(input, output):
    """The input, copied if the output that is written to first lies over it."""
    return input.copy() if isinstance(output, ndarray) and overlap(input, output) else input


@public("input")
def morphological_gradient(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Dilation minus erosion. As `scipy.ndimage.morphological_gradient`; a dtype as output counts for nothing."""
    output = output if isinstance(output, ndarray) else None
    high = _whole(_dilation, input, size, footprint, structure, None, mode, cval, origin, axes)
    low = _whole(_erosion, input, size, footprint, structure, output, mode, cval, origin, axes)
    return gs.subtract(high, low, out=output)


@public("input")
def morphological_laplace(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Dilation plus erosion minus twice the input. As `scipy.ndimage.morphological_laplace`; a dtype as output counts for nothing."""
    output = output if isinstance(output, ndarray) else None
    input = _apart(input, output)
    high = _whole(_dilation, input, size, footprint, structure, None, mode, cval, origin, axes)
    low = _whole(_erosion, input, size, footprint, structure, output, mode, cval, origin, axes)
    gs.add(high, low, out=low)
    gs.subtract(low, input, out=low)
    return gs.subtract(low, input, out=low)


def _difference(a, b, out):
    """a - b in `out`; for booleans the exclusive or."""
    return (gs.bitwise_xor if a.dtype == bool and b.dtype == bool else gs.subtract)(a, b, out=out)


@public("input")
def white_tophat(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Input minus its opening. As `scipy.ndimage.white_tophat`; for booleans the exclusive or."""
    _warn_size(size, footprint)
    input = _apart(input, output)
    opened = _whole(_opening, input, size, footprint, structure, output, mode, cval, origin, axes)
    return _difference(input, opened, opened)


@public("input")
def black_tophat(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Closing minus the input. As `scipy.ndimage.black_tophat`; for booleans the exclusive or."""
    _warn_size(size, footprint)
    input = _apart(input, output)
    closed = _whole(_closing, input, size, footprint, structure, output, mode, cval, origin, axes)
    return _difference(closed, input, closed)
