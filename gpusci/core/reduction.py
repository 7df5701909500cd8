"""The engine of reductions: from an array and axes to kernel launches.

Axes are split into kept and reduced ones; both are sorted by stride and merged where they are contiguous, so that a kernel
sees few. On the GPU one reduced axis is folded by a block kernel (rows when it is contiguous, columns when a kept axis
is), further reduced axes and pieces of long ones are merged by a second launch. All partitions follow from the shape
alone, so results are the same on every run.
"""

import functools
import math

import numpy as np

from gpusci.core._ndarray import ndarray, new
from gpusci.core.constants import constant
from gpusci.core.kernel import BlockKernel, Kernel
from gpusci.core.numpylike import numpy_like
from gpusci.core.plans import keep

__all__ = ["Layout", "fold_in_order", "has_blocks", "numpy_unless_large", "reach", "reduce_array"]

PART = 64  # bytes of one accumulator at most; part_bytes in reduce.h
BATCH = 16 * 256 * 8  # bytes that a block has in flight
LARGE = 1 << 20  # elements from which the host's kernels beat NumPy by more than their first compilation matters
WARP_ROWS = 1024  # rows shorter than this go to warps
SMALL = 1 << 19  # bytes of an array whose columns a second launch would not reduce sooner
# Blocks that fill a large GPU, for rows and for strips of columns. More cost more in merging: std of 8192^2 along columns takes an
# H200 78 us with 264, 83 with 1024, 92 with 528 (its 132 multiprocessors hold 4 each: a second round of a few).
ROW_BLOCKS, COLUMN_BLOCKS = 528, 264
MOMENTS = ("var_acc", "std_acc", "nanvar_acc", "nanstd_acc")  # large accumulators: fewer columns per thread, more threads

# What a functor that can fail reports: integer power is the only one.
FAILS = [(ValueError, "Integers to negative integer powers are not allowed.")]

reduce = Kernel(
    "reduce", "gpusci/reduce.h", template="Acc T X Y Masked K R Reach", grain=1,
    args="raw x, raw mask, ptr y, ptr part, ptr initial, i64 outputs, i64 length, i64 piece, i64 splits, "
         "i64s kshape, i64s kstride, i64s kmask, i64s rshape, i64s rstride, i64s rmask, f64 count, f64 ddof",
    first=["sum_acc f f f false 1 1 int32_t", "std_acc d d d true 1 1 int32_t", "argmax_acc f f q false 1 1 int64_t"],
)  # fmt: skip
reduce_finish = Kernel(
    "reduce_finish", "gpusci/reduce.h", template="Acc T Y Reach",
    args="ptr part, ptr y, ptr initial, i64 pieces, i64 along, i64 between, f64 count, f64 ddof", grain=64,
    first=["sum_acc f f int32_t", "std_acc d d int32_t"],
)  # fmt: skip
reduce_merge = BlockKernel(
    "reduce_merge", "gpusci/reduce_block.h", template="Acc T Y Reach",
    args="ptr part, ptr y, ptr initial, i64 pieces, i64 along, i64 between, f64 count, f64 ddof", first=["sum_acc f f int32_t"],
)  # fmt: skip
reduce_rows = BlockKernel(
    "reduce_rows", "gpusci/reduce_block.h", template="Acc T X Y K Reach",
    args="raw x, ptr y, ptr part, ptr initial, i64 length, i64 piece, i64 splits, i64 pieces, i64s shape, i64s stride, "
         "f64 count, f64 ddof",
    first=["sum_acc f f f 1 int32_t", "std_acc f f f 1 int32_t", "argmax_acc f f q 1 int64_t"],
)  # fmt: skip
reduce_warps = BlockKernel(
    "reduce_warps", "gpusci/reduce_block.h", template="Acc T X Y K Reach",
    args="raw x, ptr y, ptr part, ptr initial, i64 rows, i64 length, i64 pieces, i64s shape, i64s stride, "
         "f64 count, f64 ddof",
    first=["sum_acc f f f 1 int32_t"],
)  # fmt: skip
reduce_columns = BlockKernel(
    "reduce_columns", "gpusci/reduce_block.h", template="Acc T X Y V K Reach",
    args="raw x, ptr y, ptr part, ptr initial, i64 columns, i64 strips, i64 lanes, i64 length, i64 step, i64 piece, "
         "i64 splits, i64 outer, i64 further, i64 pieces, i64s shape, i64s stride, f64 count, f64 ddof",
    first=["sum_acc f f f 4 1 int32_t", "std_acc f f f 2 1 int32_t"],
)  # fmt: skip
fold_ordered = Kernel(
    "fold_ordered", "gpusci/reduce.h", template="F T X K R Masked Reach",
    args="raw x, raw mask, ptr y, ptr initial, i64 length, i64s kshape, i64s kstride, i64s kmask, i64s rshape, "
         "i64s rstride, i64s rmask, err", grain=1, errors=FAILS,
)  # fmt: skip


def reach(*arrays):
    """The C++ index type for kernels that walk these arrays: 64 bits when an offset, or a step past the end, needs them.

    Core's own choice (a template parameter called Index) goes by sizes; views can span more than their size.
    """
    for x in arrays:
        span = sum((n - 1) * abs(s) for n, s in zip(x.shape, x.strides)) // x.itemsize if x.size else 0
        if max(span, x.size) >= 2**31 - 2**20:
            return "int64_t"
    return "int32_t"


@functools.cache
def _compiles():
    """Whether the host has a C++ compiler."""
    from gpusci.core import compiler

    try:
        compiler.host_compiler()
    except compiler.CompileError:
        return False
    return True


def numpy_unless_large(func):
    """As `numpy_like`, but large floating-point arrays on the host go to our kernels: all threads, one pass, more accurate."""
    plain = numpy_like(func)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        x = args[0] if args else kwargs.get("a")
        ours = type(x) is ndarray and x.size >= LARGE and x.device.uses_numpy and x.dtype.kind in "fc" and _compiles()
        if ours and not any(isinstance(value, np.ndarray) for value in (*args, *kwargs.values())):  # out= of any size is NumPy's
            return func(*args, **kwargs)
        return plain(*args, **kwargs)

    return wrapper


def has_blocks(device):
    """Whether block kernels run on this device."""
    return device.kind == "cuda"


class Layout:
    """An array seen by a reduction: collapsed kept and reduced axes as (size, stride, mask stride), strides in elements.

    x, mask   the array and the mask (or None) with reversed reduced axes turned round, by the key `flip`
    order     kept axes, slowest first: the output's memory follows the input's; `back` puts them where the caller expects
    """

    def __init__(self, x, axes, mask=None, in_order=False):
        self.flip = None if in_order else _backward(x, axes)
        if self.flip is not None:
            x, mask = x[self.flip], mask if mask is None else mask[self.flip]
        self.x, self.mask = x, mask
        self.reach = reach(x) if mask is None else reach(x, mask)
        steps = [s // x.itemsize for s in x.strides]
        masks = list(mask.strides) if mask is not None else [0] * x.ndim
        every = [(n, s, m) for n, s, m in zip(x.shape, steps, masks)]
        self.order = [d for d in range(x.ndim) if d not in axes]
        self.order.sort(key=lambda d: -abs(steps[d]) if x.shape[d] > 1 else -math.inf)
        inner = [d for d in range(x.ndim) if d in axes]
        if not in_order:
            inner.sort(key=lambda d: (-steps[d], -masks[d]))
        self.shape = tuple(x.shape[d] for d in self.order)
        self.kept = _collapse([every[d] for d in self.order])
        self.reduced = _collapse([every[d] for d in inner])
        self.outputs = math.prod(self.shape)
        self.length = math.prod(x.shape[d] for d in inner)

        back = sorted(range(len(self.order)), key=self.order.__getitem__)
        self.back = tuple(back) if back != list(range(len(back))) else None


def _backward(x, axes):
    """The key that turns reversed reduced axes round, or None."""
    back = tuple(slice(None, None, -1) if d in axes and x.strides[d] < 0 else slice(None) for d in range(x.ndim))
    return back if slice(None, None, -1) in back else None


def _collapse(axes):
    """Merge neighbours that are one contiguous axis; at least one axis remains."""
    out = []
    for n, s, m in axes:
        if n == 1:
            continue
        if out and out[-1][1] == n * s and out[-1][2] == n * m:
            out[-1] = (out[-1][0] * n, s, m)
        else:
            out.append((n, s, m))
    return out or [(1, 0, 0)]


class Plan:
    """The launches of one kind of reduction: all that follows from shapes, strides and dtypes, kept for the next call.

    kernel, count, template, tail   the first launch: its row, items or blocks, template values, last arguments
    parts                           accumulators in the workspace, 0 when the first launch stores the results
    merge                           (row, template, pieces, along, between) of the second launch
    """

    def __init__(self, acc, x, layout, loop, dtype, in_order):
        self.acc, self.layout, self.loop, self.dtype, self.x = acc, layout, loop, dtype, x
        self.flip = layout.flip
        self.parts, self.merge, self.takes_mask = 0, None, False
        blocks = has_blocks(x.device) and layout.mask is None and layout.length * layout.outputs >= 128
        if layout.outputs and not (blocks and (self._rows(in_order) or self._columns(in_order))):
            self._portable()
        self.length = float(layout.length)
        self.x = layout.x = layout.mask = None  # a plan outlives its arrays

    def run(self, x, mask, initial, ddof):
        layout = self.layout
        if self.flip is not None:
            x, mask = x[self.flip], mask if mask is None else mask[self.flip]
        y = new(layout.shape, self.dtype, x.device)
        if layout.outputs:
            part = new((self.parts * PART,), np.uint8, x.device) if self.parts else None
            if initial is not None:
                initial = constant(np.array([initial], self.loop), x.device)
            arrays = (x, mask, y, part, initial) if self.takes_mask else (x, y, part, initial)
            self.kernel(self.count, self.template, *arrays, *self.tail, self.length, ddof)
            if self.merge is not None:
                row, template, *pieces = self.merge
                row(layout.outputs, template, part, y, initial, *pieces, self.length, ddof)
        return y if layout.back is None else y.transpose(*layout.back)

    def _merged(self, pieces, along, between):
        """A second launch that merges `pieces` accumulators of each output, `between` apart."""
        self.parts = pieces * self.layout.outputs
        row = reduce_merge if pieces > 32 and has_blocks(self.x.device) else reduce_finish
        index = "int32_t" if self.parts < 2**31 else "int64_t"
        self.merge = (row, (self.acc, self.loop, self.dtype, index), pieces, along, between)

    def _rows(self, in_order):
        """Rows by blocks or warps. False when the fastest axis is not a long reduced one."""
        layout, x = self.layout, self.x
        length, stride, _ = layout.reduced[-1]
        further = layout.reduced[:-1]
        if stride != 1 or length < 32 or (in_order and further):
            return False
        outer = layout.kept + further if further else layout.kept
        shape, strides = tuple(n for n, _, _ in outer), tuple(s for _, s, _ in outer)
        q = math.prod(n for n, _, _ in further)
        rows = layout.outputs * q
        self.template = (self.acc, self.loop, x.dtype, self.dtype, len(outer), layout.reach)
        if length < WARP_ROWS:
            self.kernel, self.count = reduce_warps, -(-rows // 8)
            self.tail = (rows, length, q, shape, strides)
        else:
            batch = BATCH // x.itemsize
            wanted = -(-ROW_BLOCKS // rows)
            piece = batch * max(1, -(-length // (batch * wanted)))
            splits = -(-length // piece)
            q *= splits
            self.kernel, self.count = reduce_rows, rows * splits
            self.tail = (length, piece, splits, q, shape, strides)
        if q > 1:
            self._merged(q, q, 1)
        return True

    def _columns(self, in_order):
        """Strips of columns. False when no kept axis is contiguous."""
        layout, x = self.layout, self.x
        columns, unit, _ = layout.kept[-1]
        if unit != 1 or columns < 2 or (in_order and len(layout.reduced) > 1):
            return False
        axis = max(range(len(layout.reduced)), key=lambda d: layout.reduced[d][0])
        length, step, _ = layout.reduced[axis]
        if length < 2:
            return False
        further = layout.reduced[:axis] + layout.reduced[axis + 1 :]
        outer = further + layout.kept[:-1] or [(1, 0, 0)]
        shape, strides = tuple(n for n, _, _ in outer), tuple(s for _, s, _ in outer)
        most = 2 if self.acc in MOMENTS else 4
        width = _vector(x, columns, [step, *strides], most)
        lanes = min(32, 1 << max(0, -(-columns // width) - 1).bit_length())
        strips = -(-columns // (width * lanes))
        q = math.prod(n for n, _, _ in further)
        rows_at_once = 256 // lanes * 8
        total = strips * math.prod(shape)
        wanted = max(1, -(-COLUMN_BLOCKS // total))
        piece = rows_at_once * max(1, -(-length // (rows_at_once * wanted)))
        if length <= 4 * rows_at_once and x.nbytes <= SMALL:
            piece = length
        splits = -(-length // piece)
        pieces = q * splits
        self.kernel, self.count = reduce_columns, total * splits
        self.template = (self.acc, self.loop, x.dtype, self.dtype, width, len(outer), layout.reach)
        kept = layout.outputs // columns
        self.tail = (columns, strips, lanes, length, step, piece, splits, kept, q, pieces, shape, strides)
        if pieces > 1:
            self._merged(pieces, 1, layout.outputs)
        return True

    def _portable(self):
        layout, x = self.layout, self.x
        wanted, least = (65536, 64) if x.device.kind == "cuda" else (64, 4096)
        splits = max(1, min(-(-wanted // layout.outputs), layout.length // least))
        piece = -(-layout.length // splits)
        splits = max(1, -(-layout.length // piece)) if piece else 1
        kept, reduced = layout.kept, layout.reduced
        self.kernel, self.count, self.takes_mask = reduce, layout.outputs * splits, True
        masked = layout.mask is not None
        self.template = (self.acc, self.loop, x.dtype, self.dtype, masked, len(kept), len(reduced), layout.reach)
        self.tail = (layout.outputs, layout.length, piece, splits, *zip(*kept), *zip(*reduced))
        if splits > 1:
            self._merged(splits, 1, layout.outputs)


def _vector(x, columns, strides, most):
    """Columns a thread loads at once: `most` or 16 bytes, where every row starts at a multiple of them."""
    width = min(most, 16 // x.itemsize)
    aligned = x.ptr % (width * x.itemsize) == 0 and columns % width == 0 and all(s % width == 0 for s in strides)
    return width if aligned else 1


_plans = {}


def reduce_array(acc, x, axes, loop, dtype, *, mask=None, initial=None, ddof=0.0, in_order=False):
    """Reduce x over axes (a tuple of numbers) with an accumulator of accumulators.h, extremes.h or moments.h.

    acc       its C++ name, or a Functor of `by<F>::acc`
    loop      the dtype NumPy computes in; elements are cast to it first
    dtype     dtype of the result
    mask      boolean array of x's shape, or None
    in_order  the accumulator looks at indexes: reduced axes keep their order, indexes count in C order

    Returns a new array of the kept axes.
    """
    steps = None if mask is None else mask.strides
    key = (acc, x.shape, x.strides, x.dtype, axes, loop, dtype, steps, in_order, x.ptr % 16, x.device)
    plan = _plans.get(key)
    if plan is None:
        layout = Layout(x, axes, mask, in_order)
        plan = keep(_plans, key, Plan(acc, layout.x, layout, loop, dtype, in_order))
    return plan.run(x, mask, initial, ddof)


def fold_in_order(functor, x, axes, loop, *, mask=None, initial=None):
    """Reduce with a functor that is not associative: strictly in C order, one thread an output."""
    layout = Layout(x, axes, mask, in_order=True)
    y = new(layout.shape, loop, x.device)
    start = None if initial is None else constant(np.array([initial], loop), x.device)
    template = (functor, loop, x.dtype, len(layout.kept), len(layout.reduced), mask is not None, layout.reach)
    fold_ordered(
        layout.outputs, template, layout.x, layout.mask, y, start, layout.length, *zip(*layout.kept), *zip(*layout.reduced)
    )
    return y if layout.back is None else y.transpose(*layout.back)
