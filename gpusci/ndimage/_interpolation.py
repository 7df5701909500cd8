"""Spline interpolation: coefficients, and images resampled by shifts, zooms, rotations, matrices, functions, coordinates.

Coordinates, weights and sums are float64 whatever the dtype, as in SciPy. An output that shares memory with the input gets the
result of the untouched input (SciPy reads what it has overwritten).
"""

import numpy as np

import gpusci as gs
from gpusci.core import args, ndarray, public
from gpusci.core.callers import warn
from gpusci.ndimage._arrays import get_output, host, sequence
from gpusci.ndimage._mapping import coordinates as mapped_coordinates
from gpusci.ndimage._spline import filter_axes
from gpusci.ndimage._transforms import NO_LAST, Transform, as_host, check_order, check_output, int_shape, numbers

__all__ = ["affine_transform", "geometric_transform", "map_coordinates", "rotate", "shift", "spline_filter", "spline_filter1d", "zoom"]


def _check_rank(input, *shapes):
    if input.ndim < 1 or any(len(shape) < 1 for shape in shapes):
        raise RuntimeError("input and output rank must be > 0")


# ---- coefficients
@public("input")
def spline_filter1d(input, order=3, axis=-1, output=np.float64, mode="mirror"):
    """B-spline coefficients along one axis. As `scipy.ndimage.spline_filter1d`.

    A NaN spoils the chunk it lies in (the line, up to 2048 samples on the host; its surroundings on a GPU), not always the
    whole line. Raises RuntimeError for an order outside 0 ... 5.
    """
    order = check_order(order)
    output = get_output(output, input, complex_output=input.dtype.kind == "c")
    if order < 2:
        output[...] = input
        return output
    args.mode_enum(mode)
    return filter_axes(input, output, order, mode, [args.normalize_axis(axis, input.ndim)])


@public("input")
def spline_filter(input, order=3, output=np.float64, mode="mirror"):
    """B-spline coefficients along every axis. As `scipy.ndimage.spline_filter`; see `spline_filter1d` for NaN.

    Raises RuntimeError for an order outside 2 ... 5.
    """
    order = check_order(order)
    if order < 2:
        raise RuntimeError("spline order not supported: use 2 to 5")
    output = get_output(output, input, complex_output=input.dtype.kind == "c")
    if input.ndim == 0:
        output[...] = input
        return output
    args.mode_enum(mode)
    return filter_axes(input, output, order, mode, range(input.ndim))


# ---- by functions and coordinates
@public("input")
def geometric_transform(
    input, mapping, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True, extra_arguments=(),
    extra_keywords=None,
):  # fmt: skip
    """As `scipy.ndimage.geometric_transform`: `mapping` (Python, or a `scipy.LowLevelCallable`) runs on the host, point by point.

    Complex input calls it once for each point, not twice. `map_coordinates` does without a function.
    """
    order = check_order(order)
    shape = input.shape if output_shape is None else int_shape(output_shape)
    _check_rank(input, shape)
    output = check_output(output, input, shape)
    transform = Transform(input, output, order, mode, cval, prefilter)
    points = mapped_coordinates(mapping, shape, input.ndim, extra_arguments, extra_keywords or {})
    transform.mapped(gs.asarray(points, device=input.device))
    return output


@public("input", "coordinates")
def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Values at given coordinates, (rank, *shape). As `scipy.ndimage.map_coordinates`.

    Coordinates that are infinite or huge fall outside as any others do. Raises RuntimeError for coordinates of a wrong shape.
    """
    order = check_order(order)
    if coordinates.dtype.kind == "c":
        raise TypeError("Complex type not supported: coordinates must be real")
    shape = coordinates.shape[1:]
    _check_rank(input, shape)
    if coordinates.shape[0] != input.ndim:
        raise RuntimeError("invalid shape for coordinate array: its first axis must have one entry for each axis of the input")
    output = check_output(output, input, shape)
    if coordinates.dtype.char == "e":
        raise RuntimeError("coordinate array data type not supported; convert it first, for example with astype('float32')")
    Transform(input, output, order, mode, cval, prefilter).mapped(coordinates)
    return output


# ---- by matrices
def _matrix(matrix, offset, rank, output_rank):
    """(matrix of one or two dimensions, offsets) on the host. Raises RuntimeError for shapes that do not fit."""
    matrix = as_host(matrix)
    if matrix.ndim not in (1, 2) or matrix.shape[0] < 1:
        raise RuntimeError("no proper affine matrix provided: give one or two dimensions")
    if matrix.ndim == 2 and matrix.shape[1] == rank + 1 and matrix.shape[0] in (rank, rank + 1):
        bottom = [0] * rank + [1]
        if matrix.shape[0] == rank + 1 and not np.all(matrix[rank] == bottom):
            raise ValueError(f"Expected a homogeneous matrix of shape {matrix.shape} with bottom row {bottom}")
        offset, matrix = matrix[:rank, rank], matrix[:rank, :rank]
    if matrix.shape[0] != rank:
        raise RuntimeError(f"affine matrix has wrong number of rows: {matrix.shape[0]}, not {rank}")
    if matrix.ndim == 2 and matrix.shape[1] != output_rank:
        raise RuntimeError(f"affine matrix has wrong number of columns: {matrix.shape[1]}, not {output_rank}")
    return matrix, np.array(numbers(offset, rank))


@public("input")
def affine_transform(
    input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):
    """Output position o pulls from input position matrix @ o + offset. As `scipy.ndimage.affine_transform`.

    A matrix on the GPU is fetched from there. Raises RuntimeError, or ValueError for a homogeneous matrix with a wrong last row.
    """
    order = check_order(order)
    if output_shape is None:
        shape = output.shape if isinstance(output, (ndarray, np.ndarray)) else input.shape
    else:
        shape = int_shape(output_shape)
    _check_rank(input, shape)
    output = check_output(output, input, shape)
    matrix, offset = _matrix(matrix, offset, input.ndim, output.ndim)
    transform = Transform(input, output, order, mode, cval, prefilter)
    if matrix.ndim == 2:
        transform.affine(matrix, offset)
    elif output.ndim != input.ndim:
        raise RuntimeError("a diagonal matrix keeps the rank: output_shape must have one length for each axis of the input")
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            transform.separable(offset / matrix, matrix)
    return output


@public("input")
def shift(input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """As `scipy.ndimage.shift`: positive shifts move content to higher positions. Raises RuntimeError for a wrong number of them."""
    order = check_order(order)
    _check_rank(input)
    output = check_output(output, input, input.shape)
    shifts = [-s for s in numbers(shift, input.ndim)]
    Transform(input, output, order, mode, cval, prefilter).separable(shifts, [1.0] * input.ndim)
    return output


@public("input")
def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    """As `scipy.ndimage.zoom`. The last output sample is the last input sample exactly (SciPy may miss it and give cval).

    Raises RuntimeError for a wrong number of factors.
    """
    order = check_order(order)
    _check_rank(input)
    factors = sequence(zoom, input.ndim)
    shape = tuple(int(round(n * z)) for n, z in zip(input.shape, factors, strict=True))
    output = check_output(output, input, shape)
    if all(z == 1 for z in factors) and prefilter:
        output[...] = input
        return output
    if grid_mode and mode in ("constant", "wrap"):
        warn(f"It is recommended to use mode = grid-{mode} instead of {mode} when grid_mode is True.")
    ends = 0 if grid_mode else 1
    steps = [(n - ends) / (m - ends) if m != ends else 1.0 for n, m in zip(input.shape, shape, strict=True)]
    last = [NO_LAST if grid_mode or m < 2 else float(n - 1) for n, m in zip(input.shape, shape, strict=True)]
    half = 0.5 if grid_mode else 0.0
    Transform(input, output, order, mode, cval, prefilter).separable([0.0] * input.ndim, steps, half, last)
    return output


@public("input")
def rotate(input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Rotation in the plane of two axes by `angle` degrees. As `scipy.ndimage.rotate`. Raises ValueError for a wrong plane."""
    ndim = input.ndim
    if ndim < 2:
        raise ValueError("input array should be at least 2D")
    axes = list(host(axes))
    if len(axes) != 2:
        raise ValueError("axes should contain exactly two values")
    if not all(float(axis).is_integer() for axis in axes):
        raise ValueError("axes should contain only integer values")
    axes = sorted(int(axis) + ndim * (axis < 0) for axis in axes)
    if axes[0] < 0 or axes[1] >= ndim or axes[0] == axes[1]:
        raise ValueError("invalid rotation plane specified: give two different axes of the input")
    from scipy import special  # exact at multiples of 90 degrees

    order = check_order(order)
    angle = float(host(angle))
    c, s = float(special.cosdg(angle)), float(special.sindg(angle))
    matrix = np.array([[c, s], [-s, c]])
    plane = np.array([input.shape[axis] for axis in axes])
    out_plane = plane
    if reshape:
        corners = matrix @ [[0, 0, plane[0], plane[0]], [0, plane[1], 0, plane[1]]]
        out_plane = (np.ptp(corners, axis=1) + 0.5).astype(int)
    offset = (plane - 1) / 2 - matrix @ ((out_plane - 1) / 2)
    shape = list(input.shape)
    for axis, n in zip(axes, out_plane, strict=True):
        shape[axis] = int(n)
    output = check_output(output, input, tuple(shape))
    Transform(input, output, order, mode, cval, prefilter, axes).affine(matrix, offset)
    return output
