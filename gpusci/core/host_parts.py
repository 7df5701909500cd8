"""NumPy on large arrays, in parts: ufuncs on several threads (they release the GIL), transposed copies block by block."""

import contextvars
import functools
import os
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from gpusci.core._launch import thread_count
from gpusci.core.host_memory import reusing

__all__ = ["call_in_parts", "copy"]

BLOCK = 256         # edge of a block that the second-level cache holds; 2.5 to 4 times faster than one pass at 4096 and 8192
# Elements from which two threads beat one (measured on 2 cores: exp and sin gain from 2^17 on, add from 2^21).
LEAST = {"heavy": 1 << 17, "medium": 1 << 17, "light": 1 << 21}


@functools.cache
def _executor(pid):
    """The pool of this process: a fork gets its own."""
    return ThreadPoolExecutor(thread_count(), thread_name_prefix="gpusci-host")


def call_in_parts(ufunc, args, cost="light", outs=None):
    """`ufunc(*args)` on NumPy arrays and numbers, with outputs `outs` where given, split along the longest leading axis."""
    arrays = [x for x in args if isinstance(x, np.ndarray)]
    size = max((x.size for x in arrays), default=0)
    keywords = {} if outs is None else {"out": outs}
    if size < LEAST[cost]:
        return ufunc(*args, **keywords)
    return reusing(_in_parts, (ufunc, args, arrays, outs, keywords))


def _in_parts(ufunc, args, arrays, outs, keywords):
    if thread_count() == 1:
        return ufunc(*args, **keywords)
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    axis = next((d for d, n in enumerate(shape) if n >= thread_count()), None)
    # Only C order is split: NumPy's choice of another memory layout for the result is left to NumPy.
    if axis is None or outs is None and not all(x.flags.c_contiguous for x in arrays if x.ndim == len(shape)):
        return ufunc(*args, **keywords)
    if outs is None:
        given = tuple(np.dtype(bool) if x is True or x is False else getattr(x, "dtype", type(x)) for x in args)
        outs = tuple(np.empty(shape, d) for d in ufunc.resolve_dtypes(given + (None,) * ufunc.nout)[ufunc.nin :])
    elif any(y.shape != shape for y in outs):
        return ufunc(*args, **keywords)
    bounds = [shape[axis] * i // thread_count() for i in range(thread_count() + 1)]
    # np.errstate lives in a context variable: each part runs in a copy of the caller's context.
    work, parts = functools.partial(_part, ufunc, args, outs, len(shape), axis), []
    for b in zip(bounds[1:-1], bounds[2:]):
        try:
            parts.append(_executor(os.getpid()).submit(contextvars.copy_context().run, work, slice(*b)))
        except RuntimeError:        # the interpreter is ending (atexit, daemon threads), or has no thread left
            work(slice(*b))
    try:
        work(slice(0, bounds[1]))
    finally:
        wait(parts)                 # also where this part raised: none writes to the outputs any more then
    for part in parts:
        part.result()
    return outs[0] if len(outs) == 1 else outs


def _part(ufunc, args, outs, ndim, axis, part):
    def cut(x):
        d = axis - (ndim - x.ndim) if isinstance(x, np.ndarray) else -1
        return x[(slice(None),) * d + (part,)] if d >= 0 and x.shape[d] > 1 else x

    ufunc(*map(cut, args), out=tuple(map(cut, outs)))


def copy(dst, src, where=True):
    """`numpy.copyto` with any casting; where the contiguous axes differ, block by block."""
    axes = [_fastest(x) for x in (dst, src)] if where is True and dst.size >= BLOCK**2 and src.shape == dst.shape else []
    if not axes or axes[0] == axes[1] or min(dst.shape[axis] for axis in axes) <= BLOCK:
        np.copyto(dst, src, casting="unsafe", where=where)
        return
    part = [slice(None)] * dst.ndim
    for i in range(0, dst.shape[axes[0]], BLOCK):
        part[axes[0]] = slice(i, i + BLOCK)
        for j in range(0, dst.shape[axes[1]], BLOCK):
            part[axes[1]] = slice(j, j + BLOCK)
            np.copyto(dst[tuple(part)], src[tuple(part)], casting="unsafe")


def _fastest(x):
    """The axis of the smallest stride among the axes that matter."""
    return min((axis for axis in range(x.ndim) if x.shape[axis] > 1), key=lambda axis: abs(x.strides[axis]))
