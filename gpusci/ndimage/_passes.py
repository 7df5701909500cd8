"""Separable filters: passes along one axis each, from the input through as few arrays as possible to the output."""

import math

import numpy as np

from gpusci.core import constant, from_numpy
from gpusci.ndimage import _blocks, _kernels
from gpusci.ndimage._arrays import (
    CONSTANT_NUMBERS,
    FLOAT64,
    UINT8,
    check_dtypes,
    contiguous,
    cost,
    direct,
    empty,
    overlap,
    real_dtype,
    store,
)

PLANS = 64      # shapes and dtypes that a pass remembers


class Pass:
    """One pass. Functions that make passes cache them, since each keeps its plans for the arrays it has met.

    kernel      "correlate1d", "uniform", "minimum" or "maximum"
    lo          inputs before the output's position
    mode        a mode number
    weights     float64: a NumPy array, or a gpusci array on the device; kept as the latter
    fold        1 symmetric, -1 antisymmetric weights
    """

    __slots__ = ("axis", "fold", "kernel", "lo", "mode", "plans", "weights", "window")

    def __init__(self, kernel, axis, window, lo, mode, weights=None, fold=0):
        self.kernel, self.axis, self.window, self.lo, self.mode = kernel, axis, window, lo, mode
        self.weights = from_numpy(weights) if isinstance(weights, np.ndarray) else weights
        self.fold, self.plans = fold, {}

    def plan(self, x, y):
        """(row, its block form, work items, dtypes, line field, dtype to go through to y's or None), by shape and dtypes."""
        key = x.shape, x.dtype, y.dtype
        found = self.plans.get(key)
        if found is None:
            if len(self.plans) >= PLANS:
                self.plans.clear()
            check_dtypes(x, y)
            found = self.plans[key] = self._plan(x.shape, real_dtype(x), real_dtype(y), 2 if x.dtype.kind == "c" else 1)
        return found

    def _plan(self, shape, x_dtype, y_dtype, parts):
        line = (shape[self.axis], math.prod(shape[self.axis + 1 :]) * parts, self.window, self.lo, self.mode)
        if self.kernel in ("minimum", "maximum"):           # in the input's dtype
            row, blocks, work = _kernels.minmax, _kernels.minmax_blocks, 0
            types = x_dtype, self.kernel == "maximum"
            through = None if x_dtype == y_dtype else x_dtype
        else:
            linear = self.kernel == "correlate1d"
            row, blocks = (_kernels.correlate1d, _kernels.correlate1d_blocks) if linear else (_kernels.uniform, _kernels.uniform_blocks)
            work = cost(self.window) if linear else 0
            types, through = (x_dtype, y_dtype), None if direct(x_dtype, y_dtype) else FLOAT64
        return row, work, blocks, math.prod(shape) * parts, types, line, through


def run(input, output, passes, fills):
    """Apply passes in order; each one's result is stored in output's dtype, as SciPy's are. `output` may alias `input`.

    fills: the constant for the real and for the imaginary part; minima and maxima take one that the input's dtype holds.
    """
    if not passes:                      # no axis to filter: NumPy's assignment
        output[...] = input if input.dtype == output.dtype else input.astype(output.dtype)
        return output
    x, dtype = contiguous(input), output.dtype
    usable = output.flags.c_contiguous and not overlap(x, output)
    between = UINT8 if dtype.kind == "b" else dtype         # SciPy keeps raw bytes between passes
    spare, left = None, len(passes)
    for step in passes:
        left -= 1
        # The output serves every other pass counted from the last, unless it holds (part of) the input.
        if usable and left % 2 == 0 and (left == 0 or between is dtype):
            y = output
        elif left and spare is not None and spare is not x:
            y = spare
        else:
            y = empty(x, between if left else dtype)
        _one(x, y, step, fills)
        if left and y is not output:
            spare = y
        x = y
    return x if x is output else store(x, output)


def _one(x, y, step, fills):
    """y = step(x) for C-contiguous arrays that do not overlap."""
    row, work, blocks, n, types, line, through = step.plan(x, y)
    if n == 0:
        return
    if through is not None:
        wide = empty(x, through)
        _one(x, wide, step, fills)
        store(wide, y)
        return
    more, weights, device = (), step.weights, x.device
    if weights is not None:
        more = (weights if weights.device is device else constant(weights.numpy(), device)), step.fold
    tiles = None
    if _blocks.has_blocks(device):
        tiles = _tiles(blocks, n, types, line, x, y, fills)
    if tiles is None:
        row(n, types, x, y, line, fills, *more, cost=work)
    else:
        columns, special, count, field, memory = tiles
        blocks[columns](count, (*types, special), x, y, line, fills, *more, field, shared=memory)


def _tiles(blocks, n, types, line, x, y, fills):
    """What `_blocks.line_tiles` finds for the block kernel of this shape, and its last template value; None for the at-form."""
    inner, shared = line[1], _blocks.shared_size(types[0])
    if blocks is _kernels.minmax_blocks:
        shared = max(4, types[0].itemsize)
    elif line[-1] in CONSTANT_NUMBERS and not all(_blocks.holds(value, shared) for value in fills):
        return None
    found = _blocks.line_tiles(line[0], inner, n, line[2], shared, real_dtype(y).itemsize, y.ptr % 16)
    if found is None:
        return None
    together = 2 if shared == 8 else 4
    vectors = inner % together == 0 and x.ptr % (together * types[0].itemsize) == 0
    return found[0], vectors if found[0] else inner > 1, *found[1:]
