"""Filters by a function of the caller: Python callables, C functions, C++ text, and vectorised array functions.

Python and C functions get NumPy buffers of doubles on the host, whatever the device (GPU arrays are copied there and back).
C++ text (gs.WindowKernel, gs.LineKernel, gs.ReductionKernel, gs.RawKernel) is compiled for the array's device and runs there.
"""

import ctypes
import math
import operator

import numpy as np

import gpusci as gs
from gpusci.core import args, ndarray, public
from gpusci.core.callers import warn
from gpusci.ndimage import _generic_kernels, _kernels
from gpusci.ndimage._arrays import (
    check_axes,
    check_dtypes,
    contiguous,
    empty,
    get_output,
    host,
    mode_number,
    one_mode,
    overlap,
    store,
)
from gpusci.ndimage._windows import Geometry, Window, check_origins, extents, spread, spread_origin

__all__ = ["generic_filter", "generic_filter1d", "vectorized_filter"]

_CHUNK = 1 << 16        # elements of gathered windows at a time


@public("input")
def generic_filter(
    input, function, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, extra_arguments=(),
    extra_keywords=None, *, axes=None,
):  # fmt: skip
    """As `scipy.ndimage.generic_filter`: `function` (Python, or a `scipy.LowLevelCallable`) runs on the host, window by window.

    A `gs.WindowKernel` (C++ text) runs on the array's device, asynchronously on a GPU, and takes extra_arguments and
    extra_keywords by its parameters. So do, as in CuPy, a `gs.ReductionKernel` of one input and one output, on values of
    its own types in the footprint's order, and a `gs.RawKernel` of (double* values, ptrdiff_t count, double* result), of at
    most 2048 values. Raises TypeError for a kernel of another kind, CompileError with the text's lines where it is wrong.
    """
    if size is not None and footprint is not None:
        warn("ignoring size because footprint is set")
    _check_real(input)
    axes = check_axes(axes, input.ndim)
    if footprint is None:
        if size is None:
            raise RuntimeError("no footprint or filter size provided; give one of them")
        footprint, along = np.ones(extents(size, axes, input.ndim), bool), tuple(range(input.ndim))
    else:
        footprint, along = np.asarray(host(footprint), bool), axes
    footprint = spread(footprint, along, input.ndim, "footprint")
    origins = spread_origin(origin, axes, input.ndim)
    check_origins(origins, footprint.shape)
    output = get_output(output, input)
    number, cval = one_mode(mode), float(host(cval))
    check_dtypes(input, output)
    if _is_kernel(function, gs.WindowKernel, gs.ReductionKernel, gs.RawKernel):
        words = _words(function, extra_arguments, extra_keywords)
        return _compiled_windows(function, words, input, output, footprint, origins, number, cval)
    call = _c_function(function, 1)
    if input.size == 0:
        return output
    lo = [n // 2 + o for n, o in zip(footprint.shape, origins, strict=True)]
    padded = _extended(input.numpy(), lo, footprint.shape, number, cval)
    offsets = np.argwhere(footprint) @ (np.array(padded.strides, np.int64) // padded.itemsize)
    result = _result(output)
    if call:
        device = [gs.asarray(a, device="host") for a in (padded, offsets, result)]
        shapes = [shape or (1,) for shape in (input.shape, padded.shape)]
        _kernels.window_call(input.size, (len(shapes[0]),), *device[:2], offsets.size, device[2], *shapes, *call)
    else:
        _each_window(function, padded, input.shape, offsets, result.reshape(-1), extra_arguments, extra_keywords or {})
    return _stored(result, output)


def _each_window(function, padded, shape, offsets, result, extra_arguments, extra_keywords):
    starts = np.arange(padded.size).reshape(padded.shape)[tuple(map(slice, shape))].ravel()
    padded = padded.ravel()
    step = max(1, _CHUNK // max(1, offsets.size))
    for first in range(0, starts.size, step):
        windows = padded[starts[first : first + step, None] + offsets]
        for k, window in enumerate(windows, first):
            # ldexp takes what C takes as a double, and no strings.
            result[k] = math.ldexp(function(window, *extra_arguments, **extra_keywords), 0)


def _is_kernel(function, *usable):
    """Whether `function` is C++ text that can be this filter's function. Raises TypeError for text of another kind."""
    kinds = (gs.ElementwiseKernel, gs.LineKernel, gs.RawKernel, gs.RawModule, gs.ReductionKernel, gs.WindowKernel)
    if isinstance(function, kinds) and not isinstance(function, usable):
        names = " or ".join(kind.__name__ for kind in usable)
        raise TypeError(f"this filter's function cannot be a {type(function).__name__}; use a {names}")
    return isinstance(function, usable)


def _words(function, extra_arguments, extra_keywords):
    """The values of a kernel's parameters. Raises TypeError for one that lacks, is unknown, or is no number."""
    if isinstance(function, (gs.WindowKernel, gs.LineKernel)):
        return function.words(tuple(extra_arguments), extra_keywords or {})
    if extra_arguments or extra_keywords:
        raise TypeError(f"a {type(function).__name__} takes no extra arguments; a WindowKernel or LineKernel does")
    return [0]


def _compiled_windows(function, words, input, output, footprint, origins, mode, cval):
    flat = np.flatnonzero(footprint)
    row = _generic_kernels.window_row(function, input.dtype, output.dtype, flat.size)
    if input.size == 0:
        return output
    window = Window(footprint.shape, None if flat.size == footprint.size else flat.astype(np.int64).tobytes(), flat.size)
    x = contiguous(input)
    y = output if output.flags.c_contiguous and not overlap(x, output) else empty(x, output.dtype)
    geometry = Geometry(x.shape, 1, window, origins, mode)
    row(x.size, (x.dtype, y.dtype, geometry.rank), x, y, geometry.words, (cval, cval), geometry.on(x.device), *words)
    return store(y, output)


@public("input")
def generic_filter1d(
    input, function, filter_size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0, extra_arguments=(),
    extra_keywords=None,
):  # fmt: skip
    """As `scipy.ndimage.generic_filter1d`: `function(input_line, output_line)` (Python or C) runs on the host, line by line.

    A `gs.LineKernel` (C++ text) runs on the array's device, one thread a line, asynchronously on a GPU. So does, as in CuPy, a
    `gs.RawKernel` of (double* in, ptrdiff_t length, double* out, ptrdiff_t length). Errors as in `generic_filter`.
    """
    _check_real(input)
    output = get_output(output, input)
    size, origin = operator.index(filter_size), operator.index(host(origin))
    if size < 1:
        raise RuntimeError("invalid filter size; it must be at least 1")
    axis = args.normalize_axis(axis, input.ndim)
    check_origins([origin], [size])
    number, cval = mode_number(mode), float(host(cval))
    check_dtypes(input, output)
    if _is_kernel(function, gs.LineKernel, gs.RawKernel):
        words = _words(function, extra_arguments, extra_keywords)
        return _compiled_lines(function, words, input, output, axis, size, size // 2 + origin, number, cval)
    call = _c_function(function, 2)
    if input.size == 0:
        return output
    lines = np.moveaxis(input.numpy(), axis, -1)
    extent = (1,) * (input.ndim - 1) + (size,)
    padded = _extended(lines, [0] * (input.ndim - 1) + [size // 2 + origin], extent, number, cval)
    result = np.zeros(lines.shape)
    inputs, outputs = padded.reshape(-1, padded.shape[-1]), result.reshape(-1, result.shape[-1])
    if call:
        device = [gs.asarray(a, device="host") for a in (inputs, outputs)]
        _kernels.line_call(len(inputs), (), device[0], inputs.shape[1], device[1], outputs.shape[1], *call)
    else:
        for line, out in zip(inputs, outputs, strict=True):
            function(line, out, *extra_arguments, **(extra_keywords or {}))
    return _stored(np.moveaxis(result, -1, axis), output)


def _compiled_lines(function, words, input, output, axis, size, lo, mode, cval):
    row = _generic_kernels.line_row(function)
    if input.size == 0:
        return output
    x, n = contiguous(input), input.shape[axis]
    lines, length, inner = x.size // n, n + size - 1, math.prod(x.shape[axis + 1 :])
    # Neighbouring threads read neighbouring lines; a host thread reads along its line, and so does a RawKernel anywhere.
    across = not x.device.uses_numpy and not isinstance(function, gs.RawKernel)
    others = x.shape[:axis] + x.shape[axis + 1 :]
    extended = gs.empty(lines * length, device=x.device)
    place = 0 if across else input.ndim - 1             # of the axis in the result
    usable = axis == place and output.dtype == np.float64 and output.flags.c_contiguous
    result = output if usable else gs.empty((n, *others) if across else (*others, n), device=x.device)
    _generic_kernels.extend_lines(extended.size, (x.dtype,), x, extended, n, inner, lines, length, lo, mode, across, cval)
    steps = (lines, 1, 1) if across else (1, length, n)
    row(lines, (), extended, result, length, n, *steps, *words)
    return output if usable else store(gs.moveaxis(result, place, axis), output)


def _check_real(input):
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported; filter the real and the imaginary part")


def _result(output):
    """Doubles to compute into: the output's own memory where it can be."""
    usable = output.device.kind == "host" and output.dtype == np.float64 and output.flags.c_contiguous
    return output.numpy() if usable else np.empty(output.shape)


def _stored(result, output):
    if output.device.kind == "host" and result is output.numpy():
        return output
    return store(gs.asarray(np.ascontiguousarray(result), device=output.device), output)


def _extended(x, lo, extent, mode, cval):
    """x as float64 in C order with the positions that windows reach outside filled in, one axis after the other."""
    padded = np.empty([n + width - 1 for n, width in zip(x.shape, extent, strict=True)])
    padded[tuple(slice(low, low + n) for n, low in zip(x.shape, lo, strict=True))] = x
    for d, (n, low, width) in enumerate(zip(x.shape, lo, extent, strict=True)):
        if width == 1:
            continue
        border = np.r_[:low, low + n : n + width - 1]
        # Later axes are not filled yet: only what lies inside them is read and written.
        inside = tuple(slice(k, k + m) for m, k in zip(x.shape[d + 1 :], lo[d + 1 :], strict=True))
        at = _reads(border - low, n, mode)
        before = (slice(None),) * d
        outside = at < 0
        padded[(*before, border[outside], *inside)] = cval
        padded[(*before, border[~outside], *inside)] = padded[(*before, at[~outside] + low, *inside)]
    return padded


def _reads(i, n, mode):
    """boundary.h's index map on an array of positions: -1 where the constant fills."""
    if mode in (1, 5):
        return np.where((i >= 0) & (i < n), i, -1)
    if mode == 2:
        return np.clip(i, 0, n - 1)
    if mode in (4, 6):
        return i % n
    if mode == 0:
        i = i % (2 * n)
        return np.where(i < n, i, 2 * n - 1 - i)
    i = i % max(2 * n - 2, 1)
    return np.where(i < n, i, 2 * n - 2 - i)


# ---- vectorised functions
_PAD_MODES = {
    "reflect": "symmetric", "constant": "constant", "nearest": "edge", "mirror": "reflect", "wrap": "wrap",
    "grid-mirror": "reflect", "grid-constant": "constant", "grid-wrap": "wrap", "valid": "valid",
}  # fmt: skip  as SciPy 1.17, whose grid-mirror is mirror here, not reflect


def vectorized_filter(
    input, function, *, size=None, footprint=None, output=None, mode="reflect", cval=None, origin=None, axes=None,
    batch_memory=2**30,
):  # fmt: skip
    """As `scipy.ndimage.vectorized_filter`: `function(windows, axis=...)` gets views on the caller's own kind of array.

    NumPy callers get NumPy windows, all others gpusci's, which stay on their device. Raises ValueError as SciPy.
    """

    @public("input")
    def on_device(input, output=None):
        return _vectorized(gs, input, function, size, footprint, output, mode, cval, origin, axes, batch_memory)

    foreign = hasattr(input, "__dlpack__") and not isinstance(input, (np.ndarray, np.generic))
    if isinstance(input, ndarray) or foreign or isinstance(output, ndarray):
        return on_device(input, output)
    return _vectorized(np, np.asarray(input), function, size, footprint, output, mode, cval, origin, axes, batch_memory)


def _vectorized(xp, input, function, size, footprint, output, mode, cval, origin, axes, batch_memory):
    if not callable(function):
        raise ValueError("`function` must be a callable.")
    size, footprint, axes = _vector_window(input, host(size), host(footprint), host(axes))
    origin = _vector_origin(host(origin), len(axes))
    if mode not in _PAD_MODES:
        raise ValueError(f"`mode` must be one of {set(_PAD_MODES)}.")
    if mode == "valid" and any(origin):
        raise ValueError("`mode='valid'` is incompatible with use of `origin`.")
    pad_mode = _PAD_MODES[mode]
    if cval is not None and pad_mode != "constant":
        raise ValueError("Use of `cval` is compatible only with `mode='constant'`.")
    cval = np.asarray(0.0 if cval is None else host(cval))
    if cval.dtype.kind not in "iufc":
        raise ValueError("`cval` must include only numbers.")
    batch_memory = np.asarray(host(batch_memory))
    if batch_memory.ndim or batch_memory.dtype.kind not in "iuf" or batch_memory <= 0:
        raise ValueError("`batch_memory` must be positive number.")

    def call(windows, **axis):
        return function(windows if footprint is None else windows[..., footprint], **axis)

    if input.size == 0:
        return input
    if input.ndim == 0 and size == ():
        return xp.asarray(function(input if footprint is None else input[bool(footprint)], axis=()))
    last = tuple(range(-len(axes), 0))
    x = xp.moveaxis(input, axes, last)
    if pad_mode != "valid":
        borders = [(0, 0)] * (x.ndim - len(axes)) + [(n // 2 + o, (n - 1) // 2 - o) for n, o in zip(size, origin, strict=True)]
        x = xp.pad(x, borders, mode=pad_mode, **({"constant_values": cval[()]} if pad_mode == "constant" else {}))
    view = xp.lib.stride_tricks.sliding_window_view(x, size, last)
    target = None if output is None else xp.moveaxis(output, axes, last)
    # A mask leaves one axis of the window.
    result = _batches(xp, view, call, last if footprint is None else -1, target, float(batch_memory), len(axes))
    return output if output is not None else xp.moveaxis(result, last, axes)


def _vector_window(input, size, footprint, axes):
    """(size, footprint, axes) of a vectorized_filter: tuples and a bool array or None."""
    if size is None and footprint is None:
        raise ValueError("Either `size` or `footprint` must be provided.")
    if size is not None and footprint is not None:
        raise ValueError("Either `size` or `footprint` may be provided, not both.")
    axes = tuple(range(-input.ndim, 0)) if axes is None else (axes,) if np.ndim(axes) == 0 else tuple(axes)
    if len(axes) > input.ndim:
        raise ValueError("The length of `axes` may not exceed the dimensionality of `input`(`input.ndim`).")
    if size is None:
        footprint = np.asarray(footprint, bool)
        size = footprint.shape
    else:
        size = (size,) * len(axes) if np.ndim(size) == 0 else tuple(size)
        if not all(np.asarray(n).dtype.kind in "iu" and n > 0 for n in size):
            raise ValueError("All elements of `size` must be positive integers.")
    if len(axes) != len(size):
        raise ValueError(
            "`axes` must be compatible with the dimensionality of the window specified by `size` or `footprint`."
        )
    return size, footprint, axes


def _vector_origin(origin, n):
    if origin is None:
        return (0,) * n
    origin = (origin,) * n if np.ndim(origin) == 0 else tuple(origin)
    if not all(np.asarray(o).dtype.kind in "iu" for o in origin):
        raise ValueError("All elements of `origin` must be integers.")
    if len(origin) != n:
        raise ValueError("`origin` must be an integer or tuple of integers with length equal to the number of axes.")
    return origin


def _batches(xp, view, call, axis, output, batch_memory, n_axes):
    """call(windows) over slices of the first axis whose windows fit in batch_memory, into output where one is given."""
    if n_axes == 0:
        return call(xp.asarray(view), axis=axis)
    length = view.shape[0]
    one = math.prod(view.shape[1:]) * view.dtype.itemsize
    step = length if math.isinf(batch_memory) else min(length, int(batch_memory // one))
    if step < 1:
        raise ValueError("`batch_memory` is insufficient for minimum chunk size.")
    if step == length and output is None:
        return call(view, axis=axis)
    for start in range(0, length, step):
        part = call(view[start : start + step], axis=axis)
        if output is None:
            output = xp.empty(view.shape[:-n_axes], dtype=part.dtype)
        output[start : start + step] = part
    return output


# ---- C functions
_capsule = ctypes.pythonapi
_capsule.PyCapsule_GetName.restype, _capsule.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
_capsule.PyCapsule_GetPointer.restype = _capsule.PyCapsule_GetContext.restype = ctypes.c_void_p
_capsule.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsule.PyCapsule_GetContext.argtypes = [ctypes.py_object]
_INTEGERS = ("intptr_t", "npy_intp", "long", "long long")


def _c_function(function, lengths):
    """(address, data) of a LowLevelCallable or capsule, None for a Python function. Raises ValueError for anything else.

    lengths    1 for (window, length, result, data), 2 for (line, length, results, length, data)
    """
    capsule = function
    if type(function).__name__ == "LowLevelCallable" and isinstance(function, tuple):
        capsule = tuple.__getitem__(function, 0)
        if callable(capsule):
            return None
    if type(capsule).__name__ != "PyCapsule":
        if not callable(function):
            raise ValueError("invalid callable given; use a Python function or a scipy.LowLevelCallable")
        return None
    name = _capsule.PyCapsule_GetName(capsule)
    if name is not None:
        pieces = ("double *", "{0}", "double *", *["{0}"] * (lengths - 1), "void *")
        expected = [f"int ({', '.join(pieces)})".format(integer) for integer in _INTEGERS]
        if name.decode() not in expected:
            raise ValueError(f'Invalid scipy.LowLevelCallable signature "{name.decode()}". Expected one of: {expected}')
    return _capsule.PyCapsule_GetPointer(capsule, name), _capsule.PyCapsule_GetContext(capsule) or 0
