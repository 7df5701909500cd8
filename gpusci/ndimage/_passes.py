"""Separable filters: passes along one axis each, from the input through as few arrays as possible to the output."""

import math
from typing import NamedTuple

import numpy as np

from gpusci.core import constant
from gpusci.ndimage import _blocks, _kernels
from gpusci.ndimage._arrays import (
    CONSTANT_NUMBERS,
    FLOAT64,
    UINT8,
    check_dtypes,
    contiguous,
    direct,
    empty,
    overlap,
    real_dtype,
    store,
)


class Pass(NamedTuple):
    """One pass. kernel: "correlate1d", "uniform", "minimum" or "maximum"; lo: inputs before the output's position."""

    kernel: str
    axis: int
    window: int
    lo: int
    mode: int
    fills: tuple
    weights: object = None      # float64: a NumPy array, or a gpusci array on the device
    fold: int = 0               # 1 symmetric, -1 antisymmetric weights


def run(input, output, passes):
    """Apply passes in order; each one's result is stored in output's dtype, as SciPy's are. `output` may alias `input`."""
    if not passes:                      # no axis to filter: NumPy's assignment
        output[...] = input if input.dtype == output.dtype else input.astype(output.dtype)
        return output
    check_dtypes(input, output)
    x = contiguous(input)
    usable = output.flags.c_contiguous
    spare = None
    for number, step in enumerate(passes, 1):
        left = len(passes) - number
        dtype = UINT8 if left and output.dtype.kind == "b" else output.dtype    # SciPy keeps raw bytes between passes
        # The output serves every other pass counted from the last, unless it still holds (part of) the input.
        if left % 2 == 0 and usable and dtype == output.dtype and not overlap(x, output):
            y = output
        elif spare is not None and spare is not x and spare.dtype == dtype:
            y = spare
        else:
            y = empty(x, dtype)
        _one(x, y, step)
        if y is not output:
            spare = y
        x = y
    return store(x, output)


def _one(x, y, step):
    """y = step(x) for C-contiguous arrays that do not overlap."""
    if x.size == 0:
        return
    x_dtype, y_dtype = real_dtype(x), real_dtype(y)
    parts = 2 if x.dtype.kind == "c" else 1
    line = (x.shape[step.axis], math.prod(x.shape[step.axis + 1 :]) * parts, step.window, step.lo, step.mode)
    n = x.size * parts
    if step.kernel in ("minimum", "maximum"):
        return _extreme(x, y, step, line, n)
    if not direct(x_dtype, y_dtype):
        wide = empty(x, FLOAT64)
        _one(x, wide, step)
        store(wide, y)
    elif step.kernel == "uniform":
        _launch(_kernels.uniform, _kernels.uniform_blocks, (x_dtype, y_dtype), x, y, n, line, step)
    else:
        w = constant(step.weights, x.device) if isinstance(step.weights, np.ndarray) else step.weights
        _launch(_kernels.correlate1d, _kernels.correlate1d_blocks, (x_dtype, y_dtype), x, y, n, line, step, w, step.fold)


def _launch(row, blocks, types, x, y, n, line, step, *more):
    """The block kernel where the device has one for this shape, else the at-form."""
    tiles = None
    if _blocks.has_blocks(x.device):
        shared = _blocks.shared_size(types[0])
        if blocks is _kernels.minmax_blocks:
            shared = max(4, types[0].itemsize)
        elif step.mode in CONSTANT_NUMBERS and not all(_blocks.holds(value, shared) for value in step.fills):
            shared = 0
        if shared:
            tiles = _blocks.line_tiles(*line[:2], n, step.window, shared, real_dtype(y).itemsize, y.ptr % 16)
    if tiles is None:
        row(n, types, x, y, line, step.fills, *more)
    else:
        columns, count, field, memory = tiles
        blocks[columns](count, types, x, y, line, step.fills, *more, field, shared=memory)


def _extreme(x, y, step, line, n):
    """Minimum or maximum, in the input's dtype; x was widened before if the fill does not fit in it."""
    target = y if y.dtype == x.dtype else empty(x, x.dtype)
    types = (x.dtype, step.kernel == "maximum")
    _launch(_kernels.minmax, _kernels.minmax_blocks, types, x, target, n, line, step)
    if target is not y:
        store(target, y)
