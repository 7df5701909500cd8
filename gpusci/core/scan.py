"""Running totals: cumsum, cumprod, their nan and Array API forms, ufunc.accumulate.

float32 sums carry double, so the error stays at a few ulp whatever the length. Results are the same on every run; how sums of
floats are associated depends on shapes and alignment, and on whether the output is the input.
"""

import math

import numpy as np

from gpusci.core import reduction
from gpusci.core._dtypes import canonical
from gpusci.core._ndarray import ndarray, new
from gpusci.core.args import normalize_axis
from gpusci.core.creation import empty_like
from gpusci.core.elementwise import copyto, fill_number
from gpusci.core.kernel import BlockKernel, Functor, Kernel
from gpusci.core.numpylike import numpy_like, to_device_array
from gpusci.core.plans import keep
from gpusci.core.reduction import FAILS, _collapse, numpy_unless_large, reach
from gpusci.core.ufunc_methods import ASSOCIATIVE, functor, loop_of, on_numpy, single_axis, single_out

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "nancumprod", "nancumsum"]

CARRY = 16  # bytes of a carry: carry_bytes in scan.h, and a slot of chain.h
GROUP, COLUMN_GROUP = 32, 8  # tiles of a group, and groups of a larger one: scan_block.h
WARP_LINES = 512  # lines shorter than this go to warps
# Tiles of a line up to which blocks read the tiles before their own again: 32 KiB each, or 64 for columns, at some 100 GB/s a
# block, against the launch that clears a chain's flags. Blocks in all: no more than run at once.
FEW_TILES, FEW_COLUMN_TILES, FEW_BLOCKS = 16, 8, 128

STEPS = "i64 xstep, i64 ystep, i64s shape, i64s xstride, i64s ystride"
LINE = "raw x, raw y, ptr carry, i64 lines, i64 length, i64 piece, i64 pieces, " + STEPS
CHAINS = "i64s chains"  # addresses: slots and flags of the totals of tiles, of groups, and of carries
scan_totals = Kernel("scan_totals", "gpusci/scan.h", template="Op T X Y K Reach", args=LINE, grain=1,
                     first=["scan_sum f f f 1 int32_t"])  # fmt: skip
scan_carries = Kernel("scan_carries", "gpusci/scan.h", template="Op T Reach", args="ptr carry, i64 lines, i64 pieces",
                      grain=256, first=["scan_sum f int32_t"])  # fmt: skip
scan_apply = Kernel("scan_apply", "gpusci/scan.h", template="Op T X Y K Reach", args=LINE, grain=1,
                    first=["scan_sum f f f 1 int32_t", "scan_prod D D D 2 int32_t"])  # fmt: skip
scan_ordered = Kernel("scan_ordered", "gpusci/scan.h", template="F T X Y K Reach", grain=1, errors=FAILS,
                      args=f"raw x, raw y, i64 length, {STEPS}, err")  # fmt: skip
scan_lines = BlockKernel("scan_lines", "gpusci/scan_block.h", template="Op T X Y V K Chained Reach",
                         args=f"raw x, raw y, {CHAINS}, i64 length, i64 tiles, i64s shape, i64s xstride, i64s ystride",
                         first=["scan_sum f f f 4 1 true int32_t", "scan_sum q ? q 2 1 false int32_t"])  # fmt: skip
scan_warps = BlockKernel("scan_warps", "gpusci/scan_block.h", template="Op T X Y K Reach",
                         args="raw x, raw y, i64 lines, i64 length, i64s shape, i64s xstride, i64s ystride",
                         first=["scan_sum f f f 1 int32_t"])  # fmt: skip
scan_columns = BlockKernel("scan_columns", "gpusci/scan_columns.h", template="Op T X Y V K Chained Reach",
                           args=f"raw x, raw y, {CHAINS}, i64 columns, i64 strips, i64 lanes, i64 length, i64 tiles, "
                                f"{STEPS}",
                           first=["scan_sum f f f 4 1 true int32_t", "scan_sum f f f 4 1 false int32_t"])  # fmt: skip


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


_plans = {}


def scan_array(op, x, axis, loop, y):
    """Scan x along one axis into y (x's shape). op: an operation of scan.h, or a Functor of `scan_by<F>::op`."""
    place, target = x.ptr, y.ptr
    key = (op, x.shape, x.strides, x.dtype, axis, loop, y.dtype, y.strides, place % 16, target % 16, place == target, x.device)
    plan = _plans.get(key)
    if plan is None:
        plan = keep(_plans, key, _plan(op, x, axis, loop, y))
    plan(x, y)


def _plan(op, x, axis, loop, y):
    """What scans arrays like these, kept for the next call: a function of x and y."""
    if not x.size:
        return lambda x, y: None
    lines = Lines(x, y, axis)
    blocks = reduction.has_blocks(x.device) and x.size >= 1024
    plan = (blocks and (_contiguous(op, lines, loop) or _columns(op, lines, loop))) or _portable(op, lines, loop)
    lines.x = lines.y = None  # a plan outlives its arrays
    return plan


def _width(x, y, strides):
    """Elements a thread loads at once: 16 bytes of the wider array, where every line starts at a multiple."""
    v = 16 // max(x.itemsize, y.itemsize, 4)
    aligned = all(s % v == 0 for s in strides) and x.ptr % (v * x.itemsize) == 0 and y.ptr % (v * y.itemsize) == 0
    return v if aligned else 1


class Tiles:
    """The launch of a scan by blocks, several of which may work on a line.

    Blocks hand on totals of tiles, of groups and carries through chains in one piece of memory: the flags first, which a launch
    of their own clears, then the slots. Where tiles are `few` and the output is not the input, there are none.
    """

    def __init__(self, row, count, template, tail, *, lines, tiles, few, group, columns=1, strips=1, apart=True):
        self.row, self.count, self.tail = row, count, tail
        self.chained = tiles > 1 and not (apart and tiles <= few and count <= FEW_BLOCKS)
        self.template = (*template[:-1], self.chained, template[-1])
        if self.chained:
            groups = -(-tiles // group)
            counts = [lines * n for n in (tiles, groups, -(-groups // group))]
            flags = self.flags = -(-sum(counts) * strips // 4) * 4  # in words of 4 bytes; slots begin at 16 bytes
            self.bytes = flags * 4 + sum(counts) * columns * CARRY
            before = (0, counts[0], counts[0] + counts[1])
            self.places = [at for n in before for at in (flags * 4 + n * columns * CARRY, n * strips * 4)]

    def __call__(self, x, y):
        chains = (0,) * 6
        if self.chained:
            memory = new((self.bytes // 4,), np.uint32, x.device)
            fill_number(memory[: self.flags], 0)
            start = memory.ptr
            chains = [start + at for at in self.places]
        self.row(self.count, self.template, x, y, chains, *self.tail)


def _contiguous(op, lines, loop):
    """Lines of neighbouring elements. None when the axis is strided or very short."""
    x, y, rest = lines.x, lines.y, lines.rest
    if lines.xstep != 1 or lines.ystep != 1 or lines.length < 32:
        return None
    shape, xs, ys = zip(*rest)
    if lines.length < WARP_LINES:
        count, template = -(-lines.lines // 8), (op, loop, x.dtype, y.dtype, len(rest), lines.reach)
        return lambda x, y: scan_warps(count, template, x, y, lines.lines, lines.length, shape, xs, ys)
    v = _width(x, y, [*xs, *ys])
    tiles = -(-lines.length // (2048 * v))
    return Tiles(
        scan_lines, lines.lines * tiles, (op, loop, x.dtype, y.dtype, v, len(rest), lines.reach), (lines.length, tiles, shape, xs, ys),
        lines=lines.lines, tiles=tiles, few=FEW_TILES, group=GROUP, apart=x.ptr != y.ptr,
    )  # fmt: skip


def _columns(op, lines, loop):
    """Strips of neighbouring lines. None when no other axis is contiguous in both arrays."""
    x, y = lines.x, lines.y
    columns, xunit, yunit = lines.rest[-1]
    if xunit != 1 or yunit != 1 or columns < 2:
        return None
    outer = lines.rest[:-1] or [(1, 0, 0)]
    shape, xs, ys = zip(*outer)
    v = _width(x, y, [columns, lines.xstep, lines.ystep, *xs, *ys])
    lanes = min(32, 1 << (-(-columns // v) - 1).bit_length())
    strips = -(-columns // (v * lanes))
    tiles = -(-lines.length // (256 // lanes * 16))
    count = math.prod(shape)
    return Tiles(
        scan_columns, count * tiles * strips, (op, loop, x.dtype, y.dtype, v, len(outer), lines.reach),
        (columns, strips, lanes, lines.length, tiles, lines.xstep, lines.ystep, shape, xs, ys),
        lines=count, tiles=tiles, few=FEW_COLUMN_TILES, group=COLUMN_GROUP, columns=columns, strips=strips, apart=x.ptr != y.ptr,
    )  # fmt: skip


def _portable(op, lines, loop):
    x, y, length = lines.x, lines.y, lines.length
    wanted, least = (65536, 64) if x.device.kind == "cuda" else (64, 4096)
    pieces = max(1, min(-(-wanted // lines.lines), length // least))
    piece = -(-length // pieces)
    pieces = -(-length // piece)
    template = (op, loop, x.dtype, y.dtype, len(lines.rest), lines.reach)
    tail = (lines.lines, length, piece, pieces, lines.xstep, lines.ystep, *zip(*lines.rest))
    count = lines.lines * pieces

    def run(x, y):
        carry = new((count * CARRY,), np.uint8, x.device) if pieces > 1 else None
        if pieces > 1:
            scan_totals(count, template, x, y, carry, *tail)
            scan_carries(lines.lines, (op, loop, lines.reach), carry, lines.lines, pieces)
        scan_apply(count, template, x, y, carry, *tail)

    return run


def _check_out(out, shape):
    """Raises for an `out=` that results of this shape cannot be written to."""
    if not isinstance(out, ndarray):
        kind = f"{type(out).__module__}.{type(out).__name__}"
        raise TypeError(f"output must be an array: with an array of a GPU give out= as a gpusci.ndarray, not as {kind}")
    if out.shape != shape:
        raise ValueError(f"output array has shape {out.shape}, expected {shape}")
    if not out.flags.writeable:
        raise ValueError("output array is read-only")


def _target(x, loop, out):
    """Where a scan of x writes: `out` itself when it can, else a new array in x's memory order."""
    if out is None:     # a broadcast array has no order to keep
        return new(x.shape, loop, x.device) if x.flags.c_contiguous or not all(x.strides) else empty_like(x, loop)
    same = out.ptr == x.ptr and out.strides == x.strides and out.itemsize == x.itemsize
    if out.dtype == loop and (same or not np.may_share_memory(out._a, x._a)):
        return out
    return empty_like(x, loop)


def _finish(y, out):
    if out is None or y is out:
        return y
    copyto(out, y, casting="unsafe")
    return out


def _loop_dtype(ufunc, x, dtype, out):
    """The dtype that NumPy computes in, dtype= and out= as the caller gave them."""
    from gpusci.core.reduce import _loop

    return _loop(ufunc, x.dtype, None if dtype is None else canonical(dtype), None if out is None else out.dtype)


def _cumulate(ufunc, op, a, axis, dtype, out):
    a = to_device_array(a)
    x, axis = (a.reshape(-1), 0) if axis is None else (a, axis)
    if x.ndim == 0:
        x = x.reshape(1)
    axis = normalize_axis(axis, x.ndim)
    if out is not None:
        _check_out(out, x.shape)
    loop = _loop_dtype(ufunc, x, dtype, out)
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
    shape = (*x.shape[:axis], x.shape[axis] + 1, *x.shape[axis + 1 :])
    if out is not None:
        _check_out(out, shape)
    loop = _loop_dtype(ufunc, x, dtype, out)
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
    if x.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    axis = single_axis(axis, x.ndim, "accumulate")
    if out is not None:
        _check_out(out, x.shape)
    loop, name = loop_of(ufunc, x.dtype, dtype, None if out is None else out.dtype), ufunc.__name__
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
