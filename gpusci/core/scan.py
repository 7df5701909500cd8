"""Running totals: cumsum, cumprod, their nan and Array API forms, ufunc.accumulate.

float32 sums carry double, so the error stays at a few ulp whatever the length; results are the same on every run.
"""

import math

import numpy as np

from gpusci.core import reduction
from gpusci.core._ndarray import new
from gpusci.core.args import normalize_axis
from gpusci.core.kernel import BlockKernel, Functor, Kernel
from gpusci.core.numpylike import numpy_like, to_device_array
from gpusci.core.reduction import FAILS, _collapse, numpy_unless_large, reach
from gpusci.core.ufunc_methods import ASSOCIATIVE, functor, loop_of, on_numpy, single_axis, single_out

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "nancumprod", "nancumsum"]

CARRY = 16  # bytes of a carry: carry_bytes in scan.h, at most what a slot of chain.h takes
GROUP, COLUMN_GROUP = 32, 8  # tiles of a group, and groups of a larger one: scan_block.h
WARP_LINES = 512  # lines shorter than this go to warps

STEPS = "i64 xstep, i64 ystep, i64s shape, i64s xstride, i64s ystride"
LINE = "raw x, raw y, ptr carry, i64 lines, i64 length, i64 piece, i64 pieces, " + STEPS
CHAIN = "ptr totals, ptr total_flags, ptr groups, ptr group_flags, ptr carries, ptr carry_flags"
scan_totals = Kernel("scan_totals", "gpusci/scan.h", template="Op T X Y K Reach", args=LINE, grain=1,
                     first=["scan_sum f f f 1 int32_t"])  # fmt: skip
scan_carries = Kernel("scan_carries", "gpusci/scan.h", template="Op T Reach", args="ptr carry, i64 lines, i64 pieces",
                      grain=256, first=["scan_sum f int32_t"])  # fmt: skip
scan_apply = Kernel("scan_apply", "gpusci/scan.h", template="Op T X Y K Reach", args=LINE, grain=1,
                    first=["scan_sum f f f 1 int32_t", "scan_prod D D D 2 int32_t"])  # fmt: skip
scan_ordered = Kernel("scan_ordered", "gpusci/scan.h", template="F T X Y K Reach", grain=1, errors=FAILS,
                      args=f"raw x, raw y, i64 length, {STEPS}, err")  # fmt: skip
scan_lines = BlockKernel("scan_lines", "gpusci/scan_block.h", template="Op T X Y V K Reach",
                         args=f"raw x, raw y, {CHAIN}, i64 length, i64 tiles, i64s shape, i64s xstride, i64s ystride",
                         first=["scan_sum f f f 4 1 int32_t", "scan_sum q ? q 2 1 int32_t"])  # fmt: skip
scan_warps = BlockKernel("scan_warps", "gpusci/scan_block.h", template="Op T X Y K Reach",
                         args="raw x, raw y, i64 lines, i64 length, i64s shape, i64s xstride, i64s ystride",
                         first=["scan_sum f f f 1 int32_t"])  # fmt: skip
scan_columns = BlockKernel("scan_columns", "gpusci/scan_block.h", template="Op T X Y V K Reach",
                           args=f"raw x, raw y, {CHAIN}, i64 columns, i64 strips, i64 lanes, i64 length, i64 tiles, "
                                f"{STEPS}",
                           first=["scan_sum f f f 4 1 int32_t"])  # fmt: skip


class Lines:
    """x and y seen as lines along an axis: the axis' steps, the other axes collapsed, slowest first."""

    def __init__(self, x, y, axis):
        self.x, self.y, self.reach = x, y, reach(x, y)
        self.length = x.shape[axis]
        self.lines = x.size // self.length
        self.xstep, self.ystep = x.strides[axis] // x.itemsize, y.strides[axis] // y.itemsize
        rest = [d for d in range(x.ndim) if d != axis]
        rest.sort(key=lambda d: -abs(x.strides[d]))
        self.rest = _collapse([(x.shape[d], x.strides[d] // x.itemsize, y.strides[d] // y.itemsize) for d in rest])


def scan_array(op, x, axis, loop, y):
    """Scan x along one axis into y (x's shape). op: an operation of scan.h, or a Functor of `scan_by<F>::op`."""
    if not x.size:
        return
    lines = Lines(x, y, axis)
    blocks = reduction.has_blocks(x.device) and x.size >= 1024
    if not (blocks and (_contiguous(op, lines, loop) or _columns(op, lines, loop))):
        _portable(op, lines, loop)


def _width(x, y, strides):
    """Elements a thread loads at once: 16 bytes of the wider array, where every line starts at a multiple."""
    v = 16 // max(x.itemsize, y.itemsize, 4)
    aligned = all(s % v == 0 for s in strides) and x.ptr % (v * x.itemsize) == 0 and y.ptr % (v * y.itemsize) == 0
    return v if aligned else 1


def _chain(device, lines, tiles, group, columns=1, strips=1):
    """Slots and zeroed flags by which blocks hand on totals of tiles, of groups, and carries; all None when a line is one tile."""
    if tiles == 1:
        return (None,) * 6
    from gpusci.core.creation import zeros

    groups = -(-tiles // group)
    counts = [lines * n for n in (tiles, groups, -(-groups // group))]
    flags = zeros((sum(counts) * strips,), np.uint32, device=device)
    out, at = [], 0
    for n in counts:
        out += [new((n * columns * CARRY,), np.uint8, device), flags[at : at + n * strips]]
        at += n * strips
    return out


def _contiguous(op, lines, loop):
    """Lines of neighbouring elements. False when the axis is strided or very short."""
    x, y, rest = lines.x, lines.y, lines.rest
    if lines.xstep != 1 or lines.ystep != 1 or lines.length < 32:
        return False
    shape, xs, ys = zip(*rest)
    if lines.length < WARP_LINES:
        args = (lines.lines, lines.length, shape, xs, ys)
        scan_warps(-(-lines.lines // 8), (op, loop, x.dtype, y.dtype, len(rest), lines.reach), x, y, *args)
        return True
    v = _width(x, y, [*xs, *ys])
    tiles = -(-lines.length // (2048 * v))
    args = (*_chain(x.device, lines.lines, tiles, GROUP), lines.length, tiles, shape, xs, ys)
    scan_lines(lines.lines * tiles, (op, loop, x.dtype, y.dtype, v, len(rest), lines.reach), x, y, *args)
    return True


def _columns(op, lines, loop):
    """Strips of neighbouring lines. False when no other axis is contiguous in both arrays."""
    x, y = lines.x, lines.y
    columns, xunit, yunit = lines.rest[-1]
    if xunit != 1 or yunit != 1 or columns < 2:
        return False
    outer = lines.rest[:-1] or [(1, 0, 0)]
    shape, xs, ys = zip(*outer)
    v = _width(x, y, [columns, lines.xstep, lines.ystep, *xs, *ys])
    lanes = min(32, 1 << (-(-columns // v) - 1).bit_length())
    strips = -(-columns // (v * lanes))
    tiles = -(-lines.length // (256 // lanes * 16))
    count = math.prod(shape)
    chain = _chain(x.device, count, tiles, COLUMN_GROUP, columns, strips)
    scan_columns(
        count * tiles * strips, (op, loop, x.dtype, y.dtype, v, len(outer), lines.reach), x, y, *chain, columns, strips, lanes,
        lines.length, tiles, lines.xstep, lines.ystep, shape, xs, ys,
    )  # fmt: skip
    return True


def _portable(op, lines, loop):
    x, y, length = lines.x, lines.y, lines.length
    wanted, least = (65536, 64) if x.device.kind == "cuda" else (64, 4096)
    pieces = max(1, min(-(-wanted // lines.lines), length // least))
    piece = -(-length // pieces)
    pieces = -(-length // piece)
    carry = new((lines.lines * pieces * CARRY,), np.uint8, x.device) if pieces > 1 else None
    template = (op, loop, x.dtype, y.dtype, len(lines.rest), lines.reach)
    args = (x, y, carry, lines.lines, length, piece, pieces, lines.xstep, lines.ystep, *zip(*lines.rest))
    if pieces > 1:
        scan_totals(lines.lines * pieces, template, *args)
        scan_carries(lines.lines, (op, loop, lines.reach), carry, lines.lines, pieces)
    scan_apply(lines.lines * pieces, template, *args)


def _target(x, loop, out):
    """Where a scan of x writes: `out` itself when it can, else a new array in x's memory order."""
    from gpusci.core.creation import empty_like

    if out is None:
        return empty_like(x, loop) if all(x.strides) else new(x.shape, loop, x.device)      # a broadcast array has no order to keep
    if out.shape != x.shape:
        raise ValueError(f"output array has shape {out.shape}, expected {x.shape}")
    same = out.ptr == x.ptr and out.strides == x.strides and out.itemsize == x.itemsize
    if out.dtype == loop and (same or not np.may_share_memory(out._a, x._a)):
        return out
    return empty_like(x, loop)


def _finish(y, out):
    if out is None or y is out:
        return y
    from gpusci.core.elementwise import copyto

    copyto(out, y, casting="unsafe")
    return out


def _cumulate(ufunc, op, a, axis, dtype, out):
    from gpusci.core.reduce import _loop

    a = to_device_array(a)
    x, axis = (a.reshape(-1), 0) if axis is None else (a, axis)
    if x.ndim == 0:
        x = x.reshape(1)
    axis = normalize_axis(axis, x.ndim)
    loop = _loop(ufunc, a.dtype, None if dtype is None else np.dtype(dtype), None if out is None else out.dtype)
    y = _target(x, loop, out)
    scan_array(op, x, axis, loop, y)
    return _finish(y, out)


@numpy_unless_large
def cumsum(a, axis=None, dtype=None, out=None):
    """As `numpy.cumsum`."""
    return _cumulate("add", "scan_sum", a, axis, dtype, out)


@numpy_unless_large
def cumprod(a, axis=None, dtype=None, out=None):
    """As `numpy.cumprod`; floats are multiplied in double."""
    return _cumulate("multiply", "scan_prod", a, axis, dtype, out)


@numpy_unless_large
def nancumsum(a, axis=None, dtype=None, out=None):
    """As `numpy.nancumsum`."""
    return _cumulate("add", "scan_nansum", a, axis, dtype, out)


@numpy_unless_large
def nancumprod(a, axis=None, dtype=None, out=None):
    """As `numpy.nancumprod`."""
    return _cumulate("multiply", "scan_nanprod", a, axis, dtype, out)


def _cumulative(ufunc, op, x, axis, dtype, out, include_initial, start):
    x = to_device_array(x)
    x = x if x.ndim else x.reshape(1)
    if axis is None:
        if x.ndim != 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    axis = single_axis(axis, x.ndim, "accumulate")
    if not include_initial:
        return _cumulate(ufunc, op, x, axis, dtype, out)
    from gpusci.core.reduce import _loop

    loop = _loop(ufunc, x.dtype, None if dtype is None else np.dtype(dtype), None if out is None else out.dtype)
    shape = (*x.shape[:axis], x.shape[axis] + 1, *x.shape[axis + 1 :])
    if out is not None and out.shape != shape:
        raise ValueError(f"output array has shape {out.shape}, expected {shape}")
    y = new(shape, loop, x.device) if out is None or out.dtype != loop or np.may_share_memory(out._a, x._a) else out
    head = (slice(None),) * axis
    y[(*head, slice(0, 1))] = start
    scan_array(op, x, axis, loop, y[(*head, slice(1, None))])
    return _finish(y, out)


@numpy_like
def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """As `numpy.cumulative_sum`."""
    return _cumulative("add", "scan_sum", x, axis, dtype, out, include_initial, 0)


@numpy_like
def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """As `numpy.cumulative_prod`."""
    return _cumulative("multiply", "scan_prod", x, axis, dtype, out, include_initial, 1)


def ufunc_accumulate(ufunc, array, axis=0, dtype=None, out=None):
    """As `numpy.ufunc.accumulate`; functors that are not associative take one line per thread."""
    x, out = to_device_array(array), single_out(out)
    done = on_numpy(ufunc, "accumulate", x, axis, dtype=dtype, out=out)
    if done is not None:
        return done
    loop, name = loop_of(ufunc, x.dtype, dtype, None if out is None else out.dtype), ufunc.__name__
    if x.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    axis = single_axis(axis, x.ndim, "accumulate")
    y = _target(x, loop, out)
    if not x.size:
        return _finish(y, out)
    if name in ("add", "multiply") and loop.kind != "b":
        scan_array("scan_sum" if name == "add" else "scan_prod", x, axis, loop, y)
    elif name in ASSOCIATIVE:
        f = functor(ufunc, loop)
        scan_array(Functor(f"scan_by<{f.name}>::op", f.header), x, axis, loop, y)
    else:
        lines = Lines(x, y, axis)
        template = (functor(ufunc, loop), loop, x.dtype, y.dtype, len(lines.rest), lines.reach)
        args = (lines.length, lines.xstep, lines.ystep, *zip(*lines.rest))
        scan_ordered(lines.lines, template, x, y, *args)
    return _finish(y, out)
