"""Direct convolution: which kernel, and how SciPy's output modes place the result."""

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.signal import _kernels
from gpusci.signal._lines import contiguous, has_blocks

MODES = ("valid", "same", "full")


def check_mode(mode, word="Acceptable"):
    if mode not in MODES:
        raise ValueError(f"{word} mode flags are 'valid', 'same', or 'full', not mode={mode!r}")


def must_swap(mode, shape1, shape2, axes=None):
    """Whether in2 is the larger one of a 'valid' convolution. Raises ValueError where neither covers the other."""
    if mode != "valid":
        return False
    axes = range(len(shape1)) if axes is None else axes
    if all(shape1[i] >= shape2[i] for i in axes):
        return False
    if all(shape2[i] >= shape1[i] for i in axes):
        return True
    raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")


def placement(mode, n, m):
    """(length, origin) along one axis of n samples and m taps: output o covers samples o - origin ... o - origin + m - 1."""
    if mode == "full":
        return n + m - 1, m - 1
    if mode == "same":
        return n, m - 1 - (m - 1) // 2
    return n - m + 1, 0


def output_shape(mode, shape1, shape2):
    """Of a convolution of arrays that may be empty. Raises ValueError, as NumPy, for a negative length."""
    if must_swap(mode, shape1, shape2):
        shape1, shape2 = shape2, shape1
    shape = [placement(mode, n, m)[0] for n, m in zip(shape1, shape2)]
    if min(shape) < 0:
        raise ValueError("negative dimensions are not allowed: the full convolution of two axes of length 0")
    return shape


def correlate_direct(x, w, mode, boundary="Mode::constant", fill=None, origin=None):
    """sum_u x[o - origin + u] w[u], of the promoted type. w is not conjugated. fill: one value as an array, or None."""
    dtype = x.dtype
    if w.dtype != dtype:
        dtype = np.result_type(dtype, w.dtype)
        x, w = _operand(x, dtype), _operand(w, dtype)
    if x.ndim == 1:
        length, start = placement(mode, x.size, w.size)
        shape, starts = (length,), (start,)
    else:
        shape, starts = zip(*map(placement, (mode,) * x.ndim, x.shape, w.shape))
    y = new(shape, dtype, x.device)
    run(contiguous(x), contiguous(w), y, starts if origin is None else origin, boundary, fill)
    return y


def _operand(a, dtype):
    """In the result's type, or its real type: one kernel a result type, not one a pair of types."""
    if a.dtype == dtype:
        return a
    return a.astype(dtype if dtype.kind != "c" or a.dtype.kind == "c" else dtype.char.lower(), copy=False)


def flipped(w):
    if w.ndim == 1:
        return w[::-1]
    return w[(slice(None, None, -1),) * w.ndim]


def run(x, w, y, origin, boundary="Mode::constant", fill=None):
    """The kernel call; all arrays contiguous and of one rank. A w of one row keeps lines apart: its other axes are batch."""
    if has_blocks(x.device) and x.ndim <= 2 and w.size >= 8:
        _run_tiles(x, w, y, origin, boundary, fill)
    else:
        template = (x.dtype, w.dtype, y.dtype, x.ndim, boundary)
        cost = 2 + 0.1 * w.size
        _kernels.convolve_nd(y.size, template, x, w, y, fill, x.shape, w.shape, y.shape, origin, cost=cost)


def _run_tiles(x, w, y, origin, boundary, fill):
    """convolve_block.h: tiles of images, or of lines where w is one row."""
    tall = 4 if x.ndim == 2 and w.shape[0] > 1 else 1
    factor_bytes = max(4, y.itemsize if x.dtype.kind == "c" or y.dtype.kind != "c" else y.itemsize // 2)
    lanes = 256 if tall == 1 else {4: 32, 8: 16, 16: 8}[factor_bytes]
    threads = 256 if tall == 1 else 8 * lanes
    batch = x.shape[0] if tall == 1 and x.ndim == 2 else 1
    height = 32 if tall == 4 else 1
    rows = (lambda shape: (1, shape[-1])) if tall == 1 else tuple
    across, down = -(-y.shape[-1] // (4 * lanes)), -(-rows(y.shape)[0] // height)
    origin = (0, origin[-1]) if tall == 1 else origin
    _kernels.convolve_tiles[threads](
        batch * across * down, (x.dtype, w.dtype, y.dtype, boundary, tall), x, w, y, fill, batch, rows(x.shape),
        rows(w.shape), rows(y.shape), origin, across, down,
    )  # fmt: skip


def filter_lines(x, b, zi):
    """An FIR filter b (NumPy, the result's dtype) along the lines x, from the delay states zi (lines, taps - 1) or None.

    Returns the output and the final states (None without zi).
    """
    lines, n = x.shape
    taps = gs.constant(np.ascontiguousarray(b[::-1]).reshape(1, -1), x.device)
    length = n if zi is None else n + len(b) - 1
    y = new((lines, length), b.dtype, x.device)
    if y.size:
        run(contiguous(x), taps, y, (0, len(b) - 1))
    if zi is None:
        return y, None
    y[:, : len(b) - 1] += zi
    return y[:, :n], y[:, n:].copy()
