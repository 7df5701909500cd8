"""Fourier transforms without scaling: cuFFT on CUDA, scipy.fft (pocketfft) on the host.

cuFFT takes one batch stride and up to three nested transform strides. What fits runs on views without a copy; batch axes
that do not merge are looped over, and layouts that fit nothing are copied with the transform axes last (the result is then
a view whose axes are in the caller's order, so it may be non-contiguous).
"""

import threading
from collections import OrderedDict
from math import prod

import numpy as np

from gpusci.core import _launch
from gpusci.core._ndarray import from_numpy, new
from gpusci.core.libraries import binding, cuda_type, enter, missing, on_gpu, workspace

__all__ = ["c2c", "c2r", "plans", "r2c", "threads"]

FORWARD, INVERSE = -1, 1  # cufft.h: CUFFT_FORWARD, CUFFT_INVERSE
PLAN_RANK = 3
FEW_LOOPS = 4  # launches that cost no more than the copy of a small array
LOOP_BYTES = 1 << 20  # from this size on, a launch per batch is cheaper than a copy
# Elements from which host threads pay (measured on 2 cores): with the second one busy they cost 15 % at 1 << 16 and 3 % here.
PARALLEL = 1 << 18


def threads(size):
    """Host threads worth using for a transform of this many elements."""
    return _launch.thread_count() if size >= PARALLEL else 1


def c2c(x, axes, inverse=False, overwrite=False):
    """Complex transform of a complex array over `axes`; with `overwrite` the result may be in x's memory."""
    axes = sorted(a for a in axes if x.shape[a] != 1)
    if not on_gpu(x):
        return _host("ifftn" if inverse else "fftn", x, axes, overwrite)
    if not axes or not x.size:
        return x if overwrite else x.copy()
    for first in range(max(len(axes) - PLAN_RANK, 0), -PLAN_RANK, -PLAN_RANK):
        part = axes[max(first, 0) : first + PLAN_RANK]
        x = _run(x, part, x.dtype, x.shape, INVERSE if inverse else FORWARD, x if overwrite else None)
        overwrite = True
    return x


def r2c(x, axes):
    """Forward transform of a real array; the last of `axes` keeps n//2 + 1 values."""
    if not on_gpu(x):
        return _host("rfftn", x, axes, False)
    dtype, half = np.dtype("F" if x.dtype.char == "f" else "D"), axes[-1]
    shape = tuple(n // 2 + 1 if a == half else n for a, n in enumerate(x.shape))
    if not x.size:
        return new(shape, dtype, x.device)
    if x.shape[half] == 1:
        return c2c(x.astype(dtype), axes[:-1], overwrite=True)
    inner = sorted(a for a in axes[:-1] if a < half and x.shape[a] != 1)[1 - PLAN_RANK :]
    y = _run(x, [*inner, half], dtype, shape, FORWARD)
    rest = [a for a in axes[:-1] if a not in inner and x.shape[a] != 1]
    return c2c(y, rest, overwrite=True) if rest else y


def c2r(x, axis, n):
    """Inverse transform along one axis to n real values. Uses up x; the caller makes sure that x is its own, and that the
    values that must be real (the first, and the last for even n) are."""
    dtype = np.dtype("f" if x.dtype.char == "F" else "d")
    if not on_gpu(x):
        import scipy.fft

        y = scipy.fft.irfft(x.numpy(), n, axis, norm="forward", workers=threads(x.size))
        return from_numpy(y)
    shape = tuple(n if a == axis else m for a, m in enumerate(x.shape))
    if not x.size:
        return new(shape, dtype, x.device)
    if n == 1:
        return x.real.copy()
    return _run(x, [axis], dtype, shape, INVERSE)


def _host(name, x, axes, overwrite):
    import scipy.fft

    if not axes:
        return x if overwrite else x.copy()
    norm = "forward" if name[0] == "i" else "backward"  # the two that do not scale
    y = getattr(scipy.fft, name)(x.numpy(), axes=axes, norm=norm, overwrite_x=overwrite, workers=threads(x.size))
    return from_numpy(y)


# ---- cuFFT
class Recipe:
    """Everything about one call that its layouts determine: the plan, the offsets of the batches that are looped over."""

    __slots__ = ("align", "area", "copy", "cufft", "device", "dtype", "offsets", "order", "plan", "shape", "stream", "work")


class Plans:
    """Recipes by layout, the least recently used dropped first. Safe from several threads: a lock covers each enqueue,
    since a plan's stream and workspace are set just before it runs."""

    def __init__(self, limit=64):
        self.limit, self.lock, self._recipes, self._calls = limit, threading.RLock(), OrderedDict(), {}

    def __len__(self):
        return len(self._recipes)

    def get(self, key, make):
        recipe = self._recipes.get(key)
        if recipe is None:
            recipe = self._recipes[key] = make(*key)
            while len(self._recipes) > max(self.limit, 1):
                self._drop(*self._recipes.popitem(last=False))
        else:
            self._recipes.move_to_end(key)
        return recipe

    def clear(self):
        """Destroy all plans (their twiddle tables hold GPU memory)."""
        with self.lock:
            while self._recipes:
                self._drop(*self._recipes.popitem())

    def again(self, call, x):
        """The result of a forward call made before on this layout, where one plan is all there is to it; else None."""
        recipe = self._calls.get((call, x.shape, x.strides, x.dtype, x.device))
        if recipe is None or x.ptr % recipe.align:
            return None
        with self.lock:
            if recipe.plan is None:  # dropped meanwhile
                return None
            out = new(recipe.shape, recipe.dtype, recipe.device)
            _enqueue(recipe, x, out, FORWARD)
        return out

    def remember(self, call, x, axes, result):
        """Let `again` serve this call if a single plan over `axes` has just made the result."""
        key = x.device, x.shape, x.strides, x.dtype, tuple(axes), result.dtype, result.shape, False, True
        with self.lock:
            recipe = self._recipes.get(key)
            if recipe is not None and not recipe.copy:
                if len(self._calls) > 4 * self.limit:
                    self._calls.clear()
                recipe.shape, recipe.dtype = result.shape, result.dtype
                self._calls[call, x.shape, x.strides, x.dtype, x.device] = recipe

    @staticmethod
    def _drop(key, recipe):
        if recipe.plan is not None:
            enter(key[0])
            recipe.cufft.destroy(recipe.plan)
            recipe.plan = None


plans = Plans()


def _run(x, axes, dtype, shape, direction, out=None):
    """One cuFFT plan over at most three axes in increasing order, x to a new array of this dtype and shape (or `out`)."""
    with plans.lock:
        aligned = x.ptr % (2 * _real_size(x.dtype)) == 0
        key = x.device, x.shape, x.strides, x.dtype, tuple(axes), dtype, shape, out is not None, aligned
        recipe = plans.get(key, _recipe)
        if recipe.copy:  # transform axes last, contiguous
            back = np.argsort(recipe.order)
            moved = x.transpose(recipe.order).copy()
            shape = tuple(shape[a] for a in recipe.order)
            last = range(x.ndim - len(axes), x.ndim)
            return _run(moved, last, dtype, shape, direction, moved if dtype == x.dtype else None).transpose(back)
        if out is None:
            out = new(shape, dtype, x.device)
        _enqueue(recipe, x, out, direction)
        return out


def _enqueue(recipe, x, out, direction):
    cufft, device, plan = recipe.cufft, recipe.device, recipe.plan
    enter(device)
    stream = device.stream_ptr
    if recipe.stream != stream:
        cufft.set_stream(plan, stream)
        recipe.stream = stream
    if recipe.work:
        scratch = workspace(recipe.work, device)
        if recipe.area != scratch.ptr:  # mostly the pool gives the same block again, and cuFFT takes long over a new one
            cufft.set_work_area(plan, scratch.ptr)
            recipe.area = scratch.ptr
    source, target = x.ptr, out.ptr
    for i, o in recipe.offsets:
        cufft.xt_exec(plan, source + i, target + o, direction)


def _recipe(device, shape, strides, dtype, axes, out_dtype, out_shape, inplace, aligned):
    recipe = Recipe()
    recipe.device, recipe.copy, recipe.plan, recipe.work, recipe.stream, recipe.area = device, False, None, 0, None, None
    recipe.align = 2 * _real_size(dtype)
    recipe.order = [a for a in range(len(shape)) if a not in axes] + list(axes)
    source = [s // dtype.itemsize for s in strides]
    target = source if inplace else [prod(out_shape[a + 1 :]) for a in range(len(shape))]
    nest_in, nest_out = _nest(shape, source, axes), _nest(out_shape, target, axes)
    loops, batch = _batches([(shape[a], source[a], target[a]) for a in recipe.order[: -len(axes)] if shape[a] != 1])
    recipe.offsets = _offsets(loops, dtype.itemsize, out_dtype.itemsize, prod(shape[a] for a in axes) * batch[0])
    pair_in, pair_out = recipe.align, 2 * _real_size(out_dtype)
    fits = (
        aligned and nest_in and nest_out and recipe.offsets and all(s > 0 for _, s, _ in [*loops, batch])
        and not any(a % pair_in or b % pair_out for a, b in recipe.offsets)
    )  # fmt: skip
    if not fits:
        recipe.copy = True
        return recipe
    # The real side has the logical length.
    n = [max(shape[a], out_shape[a]) if dtype.kind != out_dtype.kind else shape[a] for a in axes]
    recipe.cufft = binding("cufft")
    recipe.plan, recipe.work = _make_plan(recipe.cufft, device, n, nest_in, nest_out, batch, dtype, out_dtype)
    return recipe


def _offsets(loops, itemsize, out_itemsize, size):
    """Byte offsets (in, out) of the looped batches, or None where copying first is cheaper than so many launches."""
    count = prod(n for n, _, _ in loops)
    if count > FEW_LOOPS and size * itemsize < LOOP_BYTES:
        return None
    offsets = [(0, 0)]
    for n, s, t in loops:
        offsets = [(a + i * s * itemsize, b + i * t * out_itemsize) for a, b in offsets for i in range(n)]
    return offsets


def _nest(shape, strides, axes):
    """(embedding lengths, innermost stride) of the transform axes in elements, or None where they do not nest."""
    stride = strides[axes[-1]]
    if stride <= 0:
        return None
    embed = [shape[axes[0]]]
    for outer, inner in zip(axes, axes[1:]):
        length, rest = divmod(strides[outer], strides[inner]) if strides[inner] > 0 else (0, 1)
        if rest or length < shape[inner]:
            return None
        embed.append(length)
    return embed, stride


def _batches(dims):
    """Batch axes (length, stride in, stride out) as (loops, batch): merged where both layouts allow, the largest is the
    plan's batch."""
    dims = sorted(dims, key=lambda d: -abs(d[1]))
    merged = []
    for n, s, t in dims:
        if merged and merged[-1][1] == s * n and merged[-1][2] == t * n:
            merged[-1] = (merged[-1][0] * n, s, t)
        else:
            merged.append((n, s, t))
    if not merged:
        return [], (1, 1, 1)
    batch = max(merged)
    merged.remove(batch)
    return merged, batch


def _make_plan(cufft, device, n, nest_in, nest_out, batch, dtype, out_dtype):
    """(plan, workspace bytes)."""
    enter(device)
    try:
        plan = cufft.create()
    except RuntimeError as error:
        raise ImportError(missing("cufft", "NVIDIA's cufft library")) from error
    execution = cuda_type(out_dtype if out_dtype.kind == "c" else dtype)
    try:
        cufft.set_auto_allocation(plan, 0)
        work = cufft.xt_make_plan_many(
            plan, len(n), n, nest_in[0], nest_in[1], batch[1], cuda_type(dtype),
            nest_out[0], nest_out[1], batch[2], cuda_type(out_dtype), batch[0], execution,
        )  # fmt: skip
    except Exception:
        cufft.destroy(plan)
        raise
    return plan, int(work)


def _real_size(dtype):
    return dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
