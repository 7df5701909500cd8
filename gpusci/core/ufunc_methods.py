"""The methods of binary ufuncs that are not element-wise: reduce, reduceat, at. `accumulate` is in scan.py.

Functors that are associative are folded in parallel, the others (subtract, divide, power ...) strictly in order, as NumPy.
"""

import functools
import math

import numpy as np

from gpusci.core import reduction
from gpusci.core._dtypes import canonical
from gpusci.core._ndarray import from_numpy, ndarray, new
from gpusci.core.args import normalize_axis
from gpusci.core.kernel import BlockKernel, Functor, Kernel
from gpusci.core.numpylike import to_device_array
from gpusci.core.plans import keep
from gpusci.core.reduction import FAILS, Layout, fold_in_order, reduce_array

__all__ = ["ASSOCIATIVE", "on_numpy", "segment_sums", "ufunc_at", "ufunc_reduce", "ufunc_reduceat"]

NO = np._NoValue

# Ufuncs with an accumulator of their own, by NumPy's name.
ACCUMULATORS = {
    "add": "sum_acc", "multiply": "prod_acc", "maximum": "max_acc", "minimum": "min_acc", "logical_and": "all_acc",
    "logical_or": "any_acc",
}  # fmt: skip
ASSOCIATIVE = {
    *ACCUMULATORS, "fmax", "fmin", "bitwise_and", "bitwise_or", "bitwise_xor", "logical_xor", "logaddexp", "logaddexp2",
    "hypot", "gcd", "lcm",
}  # fmt: skip

BOUNDS = [*FAILS, (IndexError, "reduceat: index out of bounds; indices must be in [0, length of the axis)")]
SEGMENTS = "raw x, ptr index, ptr y, i64 segments, i64 length, i64 step, i64 plain, i64s shape, i64s stride, err"
reduceat = Kernel(
    "reduceat", "gpusci/ufunc_methods.h", template="Acc T X K Reach", grain=64, errors=BOUNDS, first=["sum_acc f f 1 int32_t"],
    args=SEGMENTS,
)  # fmt: skip
reduceat_block = BlockKernel(
    "reduceat_block", "gpusci/ufunc_methods.h", template="Acc T X K Reach", errors=BOUNDS, first=["sum_acc d d 1 int32_t"],
    args=SEGMENTS,
)  # fmt: skip
reduceat_ordered = Kernel(
    "reduceat_ordered", "gpusci/ufunc_methods.h", template="F T X K Reach", grain=64, errors=BOUNDS,
    args=SEGMENTS,
)  # fmt: skip
at_places = Kernel(
    "at_places", "gpusci/ufunc_methods.h", template="F Inputs T X B Index", grain=4096, errors=FAILS,
    args="ptr x, ptr b, ptr place, ptr from, i64 n, err",
)  # fmt: skip


_layouts = {}


def functor(ufunc, loop):
    """The C++ functor for a loop of inputs of one dtype."""
    return ufunc.functor_of(loop.char * ufunc.nin + loop.char * ufunc.nout)


def accumulator(ufunc, loop):
    """The accumulator of an associative ufunc, as a template value."""
    name = ufunc.__name__
    if name in ACCUMULATORS and not (name in ("add", "multiply") and loop.kind == "b"):
        return ACCUMULATORS[name]
    f = functor(ufunc, loop)
    return Functor(f"by<{f.name}>::acc", f.header)


def loop_of(ufunc, dtype, asked=None, out=None):
    """The dtype that `ufunc.reduce` computes in, as NumPy finds it. Raises TypeError where there is no such loop."""
    if ufunc.nin != 2 or ufunc.nout != 1:
        raise ValueError("reduce, accumulate and reduceat are only supported for binary functions")
    return _loop_of(ufunc, dtype, None if asked is None else canonical(asked), out)


@functools.lru_cache(4096)
def _loop_of(ufunc, dtype, asked, out):
    if ufunc.numpy is not None:
        casting = "same_kind" if asked is None and out is None else "unsafe"  # dtype= and out= are orders
        signature = (asked, None, None)
        found = ufunc.numpy.resolve_dtypes((out, dtype, None), signature=signature, casting=casting, reduction=True)
    else:
        found = ufunc.resolve((asked or dtype,) * 2)
    if found[0] != found[2] or found[1] != found[2]:
        raise TypeError(f"the loop of {ufunc.__name__} for {dtype} has operands of several dtypes, which cannot be reduced")
    return canonical(found[0])


def on_numpy(ufunc, method, a, *args, **kwargs):
    """NumPy's method on arrays of a device that uses NumPy, or None where the ufunc has to run its own kernel."""
    if ufunc.numpy is None or not a.device.uses_numpy:
        return None

    def open_(value):
        return value.numpy() if isinstance(value, ndarray) else value

    out = kwargs.get("out")
    result = getattr(ufunc.numpy, method)(a.numpy(), *map(open_, args), **{k: open_(v) for k, v in kwargs.items()})
    return out if out is not None else from_numpy(np.asarray(result))


def single_out(out):
    """`out=` as NumPy's methods take it: an array, or a tuple of one."""
    if isinstance(out, tuple):
        if len(out) != 1:
            raise ValueError("The 'out' tuple must have exactly one entry")
        return out[0]
    return out


def ufunc_reduce(ufunc, a, axis=0, dtype=None, out=None, keepdims=False, initial=NO, where=True):
    """As `numpy.ufunc.reduce`."""
    from gpusci.core.reduce import deliver, mask_of, reduced_axes, start_of

    a, out = to_device_array(a), single_out(out)
    done = on_numpy(ufunc, "reduce", a, axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)
    if done is not None:
        return done
    loop = loop_of(ufunc, a.dtype, dtype, None if out is None else out.dtype)
    axes, mask, name = reduced_axes(axis, a.ndim), mask_of(where, a), ufunc.__name__
    start = start_of(initial)
    if start is None:
        masked = mask is not None
        empty = math.prod(a.shape[d] for d in axes) == 0
        if initial is NO and ufunc.identity is not None:
            start = np.array(ufunc.identity).astype(loop)[()] if (masked or empty) and name not in ACCUMULATORS else None
        elif masked:
            raise ValueError(
                f"reduction operation '{name}' does not have an identity, so to use a where mask one has to specify 'initial'"
            )
        elif empty and math.prod(n for d, n in enumerate(a.shape) if d not in axes):
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if name in ASSOCIATIVE:
        result = reduce_array(accumulator(ufunc, loop), a, axes, loop, loop, mask=mask, initial=start)
    else:
        if len(axes) > 1:
            raise ValueError(f"reduction operation '{name}' is not reorderable, so at most one axis may be specified")
        result = fold_in_order(functor(ufunc, loop), a, axes, loop, mask=mask, initial=start)
    return deliver(result, axes, a.ndim, keepdims, out, name)


def single_axis(axis, ndim, method):
    """The axis of `accumulate` and `reduceat`: a number, or None or a tuple that come to one axis."""
    axes = range(ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    found = [normalize_axis(d, ndim) for d in axes]
    if len(found) != 1:
        raise ValueError(f"{method} does not allow multiple axes")
    return found[0]


def ufunc_reduceat(ufunc, a, indices, axis=0, dtype=None, out=None):
    """As `numpy.ufunc.reduceat`; on the GPU, indices out of bounds raise IndexError at the next synchronising point."""
    from gpusci.core.elementwise import copyto

    a, out = to_device_array(a), single_out(out)
    done = on_numpy(ufunc, "reduceat", a, indices, axis, dtype=dtype, out=out)
    if done is not None:
        return done
    loop, name = loop_of(ufunc, a.dtype, dtype, None if out is None else out.dtype), ufunc.__name__
    if a.ndim == 0:
        raise TypeError("cannot reduceat on a scalar")
    axis = single_axis(axis, a.ndim, "reduceat")
    given = to_device_array(indices, a.device)
    if given.ndim != 1:
        raise ValueError(f"object of too small depth for desired array: {name}.reduceat takes 1-d indices")
    if given.dtype.kind not in "biu" and given.size and isinstance(indices, (ndarray, np.ndarray)):
        raise TypeError(f"Cannot cast array data from {given.dtype!r} to dtype('int64') according to the rule 'safe'")
    index = given.astype(np.int64, copy=False)
    index = index if index.flags.c_contiguous else index.copy()
    layout = _layout(a, axis)
    y = new((*layout.shape, index.size), loop, a.device)
    length, step, _ = layout.reduced[0] if a.shape[axis] != 1 else (1, 1, 0)
    kept = layout.kept
    args = (a, index, y, index.size, length, step, 0, [n for n, _, _ in kept], [s for _, s, _ in kept])
    if name in ASSOCIATIVE:
        template = (accumulator(ufunc, loop), loop, a.dtype, len(kept), layout.reach)
        _segments(template, y.size, length // max(index.size, 1), step, args)
    else:
        reduceat_ordered(y.size, (functor(ufunc, loop), loop, a.dtype, len(kept), layout.reach), *args)
    order = [*layout.order, axis]
    result = y.transpose(*sorted(range(a.ndim), key=order.__getitem__))
    if out is None:
        return result
    copyto(out, result, casting="same_kind")
    return out


def _layout(a, axis):
    """The Layout of lines along an axis, kept for the next call."""
    key = (a.shape, a.strides, a.dtype, axis)
    found = _layouts.get(key)
    if found is None:
        found = keep(_layouts, key, Layout(a, (axis,), in_order=True))
        found.x = None  # it outlives the array
    return found


def _segments(template, count, length, step, args):
    """A block a segment where they are long and contiguous, else a thread."""
    if length >= 256 and step == 1 and reduction.has_blocks(args[0].device):
        reduceat_block(count, template, *args)
    else:
        reduceat(count, template, *args)


def segment_sums(line, edges):
    """Sums of line[edges[k] : edges[k + 1]] of a contiguous 1-d array, empty ones 0, each in the order of the line."""
    count = edges.size - 1
    y = new((count,), line.dtype, line.device)
    template = ("sum_acc", line.dtype, line.dtype, 1, reduction.reach(line))
    _segments(template, count, line.size // max(count, 1), 1, (line, edges, y, count, line.size, 1, 1, (1,), (0,)))
    return y


def ufunc_at(ufunc, a, indices, b=None):
    """As `numpy.ufunc.at`: repeated indices act one after the other, in the order they are given."""
    import gpusci as gs
    from gpusci.core.elementwise import copyto
    from gpusci.core.radix import contiguous

    if not isinstance(a, ndarray):
        raise TypeError("first operand must be a gpusci.ndarray: ufunc.at works in place")
    if (b is None) != (ufunc.nin == 1) or ufunc.nout != 1:
        raise ValueError(f"{ufunc.__name__}.at takes {ufunc.nin} operand(s): the array and the rest")
    if ufunc.numpy is not None and a.device.uses_numpy:
        rest = () if b is None else (b.numpy() if isinstance(b, ndarray) else b,)
        ufunc.numpy.at(a.numpy(), _host_key(indices), *rest)
        return
    if not a.flags.writeable:
        raise ValueError("ufunc.at: the array is read-only")
    place = gs.arange(a.size, device=a.device).reshape(a.shape)[indices]
    rest = to_device_array(a if b is None else b, a.device)
    dtypes = (a.dtype,) if b is None else (a.dtype, rest.dtype)
    found = ufunc.resolve(dtypes, (a.dtype,), casting="unsafe")  # as NumPy: the result is cast to the array's dtype
    if any(d != found[0] for d in found[: ufunc.nin]):
        raise TypeError(f"{ufunc.__name__}.at: the loop for {dtypes} has operands of several dtypes, which is not supported")
    if place.size == 0:
        return
    operand = rest if b is None else contiguous(gs.broadcast_to(rest, place.shape))
    if b is not None and np.may_share_memory(operand._a, a._a):
        operand = operand.copy()
    x = a if a.flags.c_contiguous else a.copy()
    flat = place.reshape(-1)
    order = gs.argsort(flat, stable=True)
    template = (ufunc.functor_of("".join(d.char for d in found)), ufunc.nin, found[0], a.dtype, operand.dtype)
    at_places(flat.size, template, x, operand, gs.take(flat, order), order, flat.size)
    if x is not a:
        copyto(a, x)


def _host_key(key):
    if isinstance(key, tuple):
        return tuple(_host_key(k) for k in key)
    return key.numpy() if isinstance(key, ndarray) else key
