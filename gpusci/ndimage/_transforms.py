"""How geometric transforms reach their kernels: the image, the target, and which launch. See kernels/geometry.h."""

import math

import numpy as np

from gpusci.core import args
from gpusci.ndimage import _interpolation_kernels as kernels
from gpusci.ndimage._arrays import (
    FLOAT64,
    UINT8,
    bounds,
    contiguous,
    empty,
    fills,
    host,
    mode_number,
    overlap,
    real_dtype,
    sequence,
    store,
)  # fmt: skip
from gpusci.ndimage._spline import coefficients

COMPILED = "fdFDBH"             # images that are read as they are; others as float64, so that few pairs of dtypes are compiled
_INT32_MAX = 2**31 - 1
_UINT32 = np.dtype(np.uint32)
NO_LAST = -1.0
# How a GPU's items map to the output, the fields tile, columns, across, down of geometry.h.
_IN_ORDER = (0, 1, 1, 1)
_WIDTHS = (5, 4, 3)             # log2 of a warp's width
_MANY = 1 << 18                 # items that fill a large GPU


def check_order(order):
    """Raises RuntimeError, as SciPy, for an order outside 0 ... 5; TypeError for a fraction."""
    order = host(order)
    if order < 0 or order > 5:
        raise RuntimeError("spline order not supported: use 0 to 5")
    if order != int(order):
        raise TypeError("spline order must be an integer")
    return int(order)


def check_output(output, input, shape):
    """The array to write to. Raises RuntimeError for a wrong shape or a dtype that interpolation does not take."""
    is_complex = input.dtype.kind == "c"
    if isinstance(output, str) and not issubclass(np.dtype(output).type, np.number):
        raise RuntimeError("output must have numeric dtype")
    output = args.get_output(output, input, shape=shape, complex_output=is_complex)
    if output.dtype.kind == "c" and not is_complex:
        raise RuntimeError(f"data type {output.dtype!r} not supported as output of real data; give a real output")
    if not output.flags.writeable:
        raise ValueError("output array is read-only; give one that can be written to")
    return output


class Transform:
    """One transform of an image, checked and prefiltered: `Transform(...).affine(matrix, offset)` and so on write `output`.

    axes    the image's axes that are transformed (the last ones are batches if there are others); None for all
    """

    def __init__(self, input, output, order, mode, cval, prefilter, axes=None):
        for x in (input, output):
            if x.dtype.char == "e":
                raise RuntimeError("data type float16 not supported; convert it first, for example with astype('float32')")
        self.order, self.mode, self.output = order, mode_number(mode), output
        # Samples of 64 bits, which a double does not hold, are picked as pairs of 32 bits.
        self.halves = order == 0 and input.dtype.char in "lLqQ" and output.dtype == input.dtype
        self.parts = 2 if self.halves or input.dtype.kind == "c" else 1
        if self.halves:
            constant = _whole(cval, input.dtype)
            self.fills = _halves(constant)
        else:
            self.fills = fills(cval, input.dtype.kind == "c")
            constant = complex(*self.fills) if input.dtype.kind == "c" else self.fills[0]
        if input.size == 0:                     # nothing to read
            output[...] = constant
        self.empty = input.size == 0 or output.size == 0
        self.axes = tuple(range(input.ndim)) if axes is None else tuple(axes)
        if not self.empty:
            self.image, self.pad = coefficients(input, order, mode, constant, prefilter, axes)

    def separable(self, shift, zoom, half=0.0, last=None):
        rank = len(self.axes)
        items = _tiles if rank == 1 else lambda *size: _walks(*size, self.order)
        self._run(kernels.separable, items, (rank,), shift, zoom, half, last or [NO_LAST] * rank)

    def affine(self, matrix, offset):
        rank, output_rank = matrix.shape
        self._run(kernels.affine, lambda *size: _tiles(*size, matrix), (rank, output_rank), matrix.ravel().tolist(), offset.tolist())

    def mapped(self, coordinates):
        if coordinates.dtype.char not in "fd":
            coordinates = coordinates.astype(FLOAT64)
        rank, output_rank = coordinates.shape[0], self.output.ndim
        self._run(kernels.mapped, _tiles, (coordinates.dtype, rank, output_rank), contiguous(coordinates))

    def _run(self, row, items, template, *more):
        if self.empty:
            return
        image, output = self.image, self.output
        if image.dtype.char not in COMPILED and not self.halves:
            image = image.view(UINT8) if image.dtype.kind == "b" else image.astype(FLOAT64)
        image = self._usable(image)
        pair = output.dtype == image.dtype or output.dtype.char in "fdFD"
        direct = pair and _apart(image, output) and self._usable(output) is output
        target = output if direct else empty(output, output.dtype if pair else FLOAT64)
        if len(self.axes) == image.ndim:
            self._launch(row, items, template, image, target, (1, 0, 0), image.shape, image.strides, target.shape, target.strides, more)
        else:
            for x, y in self._batches(image, target):
                batch = (y.shape[0], x.strides[0], y.strides[0])
                self._launch(row, items, template, x, y, batch, x.shape[1:], x.strides[1:], y.shape[1:], y.strides[1:], more)
        if not pair:
            target, wide = empty(output, output.dtype), target
            kernels.round_output(wide.size, (target.dtype,), wide, target)
        if target is not output:
            store(target, output)

    def _usable(self, x):
        """x, or a copy if its kernel could not reach all of it with the indices that core chooses by size."""
        if x.flags.c_contiguous:
            return x
        first, stop = bounds(x)
        wide = (stop - first) // (x.itemsize // self.parts) > _INT32_MAX
        return x if x.size > _INT32_MAX or not wide else x.copy("C")

    def _read_as(self, x):
        return _UINT32 if self.halves else real_dtype(x)

    def _batches(self, x, y):
        """Pairs of views whose axes are (batch, transformed axes ...)."""
        others = [d for d in range(x.ndim) if d not in self.axes]
        order = (*others, *self.axes)
        x, y = x.transpose(order), y.transpose(order)
        *outer, _ = (x.shape[d] for d in range(len(others)))
        return [(x[at], y[at]) for at in np.ndindex(*outer)]

    def _launch(self, row, items, template, x, y, batch, x_shape, x_strides, shape, y_strides, more):
        x_dtype, y_dtype, parts = self._read_as(x), self._read_as(y), self.parts
        x_size, y_size = x_dtype.itemsize, y_dtype.itemsize
        batches, x_batch, y_batch = batch
        n, order = math.prod(shape), _IN_ORDER
        if on_gpu(y.device):
            if batches > 1 and abs(y_batch) < abs(y_strides[-1]):
                items = _across_images
            n, order = items(shape, n * batches * parts)
        image = (*x_shape, *[s // x_size for s in x_strides], self.mode)
        target = (*shape, *[s // y_size for s in y_strides], batches, x_batch // x_size, y_batch // y_size, parts, *order)
        if parts == 2 and x.flags.c_contiguous:
            x = x.view(x_dtype)                 # core counts the elements that a kernel indexes
        row(n * batches * parts, (x_dtype, y_dtype, *template, self.order), x, image, (self.pad, *self.fills), y, target, *more)


def on_gpu(device):
    return device.kind != "host"


def _walks(shape, total, order):
    """(items, how they map) of `separable` with two axes or more: some way along the first axis, by 1 to 4 columns."""
    inner, together = math.prod(shape[1:]), (2 if len(shape) == 2 else 1) * (2 if order < 2 else 1)
    columns = 1 if inner < 32 else max(1, min(16, total // (together * _MANY), shape[0]))
    across, down = -(-shape[0] // columns), 32 * -(-inner // (32 * together))
    return across * down, (0, columns, across, down)


def _tiles(shape, total, matrix=None):
    """(items, how they map) of the others, for one image and `total` elements: tiles, 1 to 16 elements of a row each."""
    if len(shape) == 1:
        tile = 8
    elif shape[-1] < 8:
        return math.prod(shape), _IN_ORDER
    else:
        tile = _WIDTHS[0] if matrix is None else min(_WIDTHS, key=lambda low: _lines(matrix.tolist(), 1 << low, 32 >> low))
    fours = -(-shape[-1] // (4 << tile))        # of a row's elements; items have as many as leave no rest
    columns = next((n for n in (16, 12, 8) if fours % (n // 4) == 0 and total >= n * _MANY), 4)
    if total < 4 * _MANY or shape[-1] < 4 << tile:
        columns = 1
    across, down = -(-shape[-1] // (columns << tile)), 1
    if len(shape) > 1:
        down = -(-shape[-2] // (256 >> tile))
    return across * down * 256 * math.prod(shape[:-2]), (tile, columns, across, down)


def _across_images(shape, total):
    """(items, how they map) where neighbours in memory are of different images: 1 or 4 elements of a row each."""
    columns = 4 if total >= 4 * _MANY else 1
    across = -(-shape[-1] // columns)
    return math.prod(shape[:-1]) * across, (-1, columns, across, 1)


def _lines(matrix, width, height):
    """About how many cache lines (of 32 samples) a warp of width x height outputs reads a sample of."""
    *outer, last = (1 + (width - 1) * abs(m[-1]) + (height - 1) * abs(m[-2]) for m in matrix)
    return math.prod(outer) * (31 + last) / 32


def _whole(cval, dtype):
    """The fill value as an integer of the dtype: rounded and limited as `to_rounded` does it, whole numbers without a double."""
    cval, limits = host(cval), np.iinfo(dtype)
    if not isinstance(cval, (int, np.integer)):
        cval = float(cval)
        if not math.isfinite(cval):
            return limits.max if cval > 0 else limits.min
        cval = math.floor(cval + 0.5) if cval > 0 else math.ceil(cval - 0.5)
    return min(max(int(cval), limits.min), limits.max)


def _halves(whole):
    """Its lower and its upper 32 bits."""
    return float(whole & 0xFFFFFFFF), float(whole >> 32 & 0xFFFFFFFF)


def _apart(x, y):
    """Whether two arrays surely share no memory."""
    if x.flags.c_contiguous and y.flags.c_contiguous and x.device is y.device:
        return x.ptr + x.nbytes <= y.ptr or y.ptr + y.nbytes <= x.ptr
    return not overlap(x, y)


def numbers(value, n):
    """One float64 for each of n axes. Raises RuntimeError for another length, TypeError for complex numbers."""
    return [float(v) for v in sequence(value, n)]


def as_host(value, dtype=np.float64):
    """A small argument as a NumPy array; waits for the GPU if it lies there."""
    return np.asarray(host(value), dtype=dtype)


def int_shape(shape):
    return tuple(int(n) for n in np.atleast_1d(host(shape)).tolist())

