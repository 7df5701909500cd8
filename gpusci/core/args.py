"""SciPy's argument habits, once: axes, per-axis sequences, boundary modes, origins, `output=`."""

import operator

import numpy as np

from gpusci.core._dtypes import canonical
from gpusci.core._ndarray import ndarray, new
from gpusci.core.callers import warn

__all__ = ["MODES", "get_output", "mode_enum", "normalize_axes", "normalize_axis", "normalize_origin", "normalize_sequence"]

# SciPy's mode names -> the C++ enum of boundary.h.
MODES = {
    "reflect": "Mode::reflect", "grid-mirror": "Mode::reflect", "constant": "Mode::constant", "nearest": "Mode::nearest",
    "mirror": "Mode::mirror", "wrap": "Mode::wrap", "grid-constant": "Mode::grid_constant", "grid-wrap": "Mode::grid_wrap",
}  # fmt: skip


def mode_enum(mode):
    """The C++ enumerator of a boundary mode. Raises RuntimeError, as SciPy, for an unknown one."""
    try:
        return MODES[mode]
    except (KeyError, TypeError):
        raise RuntimeError(f"boundary mode {mode!r} is not supported: use one of {', '.join(MODES)}") from None


def normalize_axis(axis, ndim):
    """One axis as a number in [0, ndim). Raises AxisError (a ValueError and IndexError), as NumPy."""
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis + ndim if axis < 0 else axis


def normalize_axes(axes, ndim):
    """`None` (all), a number or a sequence as a tuple of distinct axes. Raises AxisError, or ValueError for a repeated axis."""
    if axes is None:
        return tuple(range(ndim))
    if np.ndim(axes) == 0:
        return (normalize_axis(axes, ndim),)
    found = tuple(normalize_axis(axis, ndim) for axis in axes)
    if len(set(found)) != len(found):
        raise ValueError("axes must be unique")
    return found


def normalize_sequence(value, n):
    """A scalar or string repeated n times, or a sequence of n. Raises RuntimeError, as SciPy, for another length."""
    if isinstance(value, str) or not (hasattr(value, "__iter__") and np.ndim(value) > 0):
        return [value] * n
    value = list(value)
    if len(value) != n:
        raise RuntimeError("sequence argument must have length equal to input rank")
    return value


def normalize_origin(origin, width):
    """Check a filter's origin. Raises ValueError, as SciPy, when the window would leave its centre."""
    origin = operator.index(origin)
    if width // 2 + origin < 0 or width // 2 + origin > width - 1:
        raise ValueError("invalid origin: it must satisfy -(width // 2) <= origin <= (width - 1) // 2")
    return origin


def get_output(output, input, shape=None, complex_output=False):
    """The array a filter writes to, as SciPy reads `output=`: None, a dtype, a dtype name, or an array of the right shape.

    Raises RuntimeError for a wrong shape or a real output of a complex result.
    """
    shape = input.shape if shape is None else tuple(shape)
    if output is None:
        dtype = input.dtype
        if complex_output and dtype.kind != "c":
            dtype = np.promote_types(dtype, np.complex64)
        return new(shape, dtype, input.device)
    if isinstance(output, ndarray):
        if output.shape != shape:
            raise RuntimeError("output shape not correct")
        if complex_output and output.dtype.kind != "c":
            raise RuntimeError("output must have complex dtype")
        return output
    dtype = canonical(output)
    if complex_output and dtype.kind != "c":
        warn("promoting specified output dtype to complex")
        dtype = np.promote_types(dtype, np.complex64)
    return new(shape, dtype, input.device)
