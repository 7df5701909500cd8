"""Reductions with NumPy's names: sum, mean, std, min, argmax, any ... and their nan variants.

Dtypes and errors are NumPy's, asked of NumPy itself (`_loop`, `_probe`). float32 and float16 are summed in double, float64
with compensation, so results are at least as accurate as NumPy's. On the GPU nothing waits: the nan variants give NaN for
an empty slice without NumPy's RuntimeWarning, and nanargmin and nanargmax report an all-NaN slice at the next synchronising
point. Only `average` waits, to see whether weights sum to zero.
"""

import builtins
import functools
import math
import warnings

import numpy as np

from gpusci.core._dtypes import canonical
from gpusci.core._ndarray import ndarray, wrap
from gpusci.core.args import normalize_axes
from gpusci.core.callers import warn
from gpusci.core.kernel import Kernel
from gpusci.core.numpylike import numpy_like, to_device_array
from gpusci.core.reduction import numpy_unless_large, reduce_array
from gpusci.core.ufunc_methods import ufunc_at, ufunc_reduce, ufunc_reduceat  # noqa: F401  the Ufunc methods' home

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "count_nonzero", "max", "mean", "min", "nanargmax",
    "nanargmin", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "prod", "ptp", "std", "sum", "var",
]  # fmt: skip

NO = np._NoValue

all_nan = Kernel(
    "all_nan", "gpusci/arg_check.h", template="Index", args="ptr index, err",
    errors=[(ValueError, "All-NaN slice encountered: nanargmin and nanargmax need a number in every slice")], first=[""],
)  # fmt: skip


# ---- NumPy's rules
@functools.cache
def _loop(name, dtype, asked, out):
    """The dtype that NumPy's `name.reduce` computes in."""
    casting = "same_kind" if asked is None and out is None else "unsafe"  # dtype= and out= are orders, as in NumPy
    signature = (asked, None, None)
    resolve = getattr(np, name).resolve_dtypes
    return canonical(resolve((out, dtype, None), signature=signature, casting=casting, reduction=True)[0])


@functools.cache
def _probe(name, dtype, asked):
    """The dtype of NumPy's result; its TypeErrors are raised here."""
    extra = {} if asked is None else {"dtype": asked}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return canonical(getattr(np, name)(np.ones(2, dtype), axis=0, **extra).dtype)


def reduced_axes(axis, ndim):
    """Axes of a reduction as a tuple; a 0-d array takes axis 0 and -1, as NumPy's."""
    if ndim == 0 and axis in (0, -1) and not isinstance(axis, bool):
        return ()
    if isinstance(axis, (list, bool, np.bool_)):
        raise TypeError(f"axis must be an integer, a tuple of integers or None, not {axis!r}")
    if isinstance(axis, tuple) and len({a % ndim for a in axis if -ndim <= a < ndim}) != len(axis):
        normalize_axes(axis, ndim)
        raise ValueError("duplicate value in 'axis'")
    return normalize_axes(axis, ndim)


def mask_of(where, a):
    """`where=` as a boolean array of a's shape, or None."""
    if where is NO or where is True:
        return None
    mask = to_device_array(where, a.device)
    if not np.can_cast(mask.dtype, np.bool_, "safe"):
        raise TypeError(f"where must be boolean, not {mask.dtype}: pass a mask such as x > 0")
    return wrap(np.broadcast_to(mask._a, a.shape), mask)


def start_of(initial):
    """`initial=` as a Python or NumPy scalar, or None."""
    if initial is NO or initial is None:
        return None
    return initial.item() if isinstance(initial, ndarray) else initial


def deliver(result, axes, ndim, keepdims, out, name):
    """Put reduced axes back as 1 when asked, and write to `out` when given."""
    if keepdims is not NO and keepdims:
        result = wrap(np.expand_dims(result._a, axes), result)
    if out is None:
        return result
    if out.ndim != result.ndim:
        raise ValueError(
            f"output parameter for reduction operation {name} has the wrong number of dimensions: "
            f"Found {out.ndim} but expected {result.ndim}"
        )
    if out.shape != result.shape:
        raise ValueError(f"output parameter for reduction operation {name} has shape {out.shape}, expected {result.shape}")
    from gpusci.core.elementwise import copyto

    copyto(out, result, casting="unsafe")
    return out


def reduce_with(acc, a, axis, loop, dtype, *, out=None, keepdims=NO, initial=NO, where=NO, ddof=0.0, name="", index=False):
    """Arguments of a NumPy reduction -> engine -> result."""
    axes = reduced_axes(axis, a.ndim)
    x = a
    if index and axis is None and a.ndim > 1 and not a.flags.c_contiguous:
        x = a.copy()
    result = reduce_array(
        acc, x, axes, loop, dtype, mask=mask_of(where, a), initial=start_of(initial), ddof=ddof, in_order=index
    )
    return deliver(result, axes, a.ndim, keepdims, out, name or acc)


def _count(a, axis, where=NO):
    """Elements per output; None under a mask."""
    if where is not NO and where is not True:
        return None
    return math.prod(a.shape[d] for d in reduced_axes(axis, a.ndim))


def _empty_slice(a, axis):
    """Whether there are outputs that nothing is reduced into."""
    axes = reduced_axes(axis, a.ndim)
    return a.size == 0 and math.prod(n for d, n in enumerate(a.shape) if d not in axes) > 0


# ---- sums and products
def _fold(ufunc, acc, a, axis, dtype, out, keepdims, initial, where):
    a = to_device_array(a)
    loop = _loop(ufunc, a.dtype, None if dtype is None else canonical(dtype), None if out is None else out.dtype)
    return reduce_with(acc, a, axis, loop, loop, out=out, keepdims=keepdims, initial=initial, where=where, name=ufunc)


@numpy_unless_large
def sum(a, axis=None, dtype=None, out=None, keepdims=NO, initial=NO, where=NO):
    """As `numpy.sum`."""
    return _fold("add", "sum_acc", a, axis, dtype, out, keepdims, initial, where)


@numpy_like
def prod(a, axis=None, dtype=None, out=None, keepdims=NO, initial=NO, where=NO):
    """As `numpy.prod`; floats are multiplied in double."""
    return _fold("multiply", "prod_acc", a, axis, dtype, out, keepdims, initial, where)


@numpy_unless_large
def nansum(a, axis=None, dtype=None, out=None, keepdims=NO, initial=NO, where=NO):
    """As `numpy.nansum`."""
    return _fold("add", "nansum_acc", a, axis, dtype, out, keepdims, initial, where)


@numpy_like
def nanprod(a, axis=None, dtype=None, out=None, keepdims=NO, initial=NO, where=NO):
    """As `numpy.nanprod`."""
    return _fold("multiply", "nanprod_acc", a, axis, dtype, out, keepdims, initial, where)


# ---- means and variances
def _refuse_axes_of_scalar(name, a, axis):
    """A 0-d array has an axis 0 for sums, but not for what counts elements; the nan variants do not mind."""
    if a.ndim == 0 and axis is not None and not name.startswith("nan"):
        normalize_axes(axis, 0)


def _mean(name, acc, a, axis, dtype, out, keepdims, where):
    a = to_device_array(a)
    asked = None if dtype is None else canonical(dtype)
    result = _probe(name, a.dtype, asked)
    _refuse_axes_of_scalar(name, a, axis)
    if acc == "mean_acc" and _count(a, axis, where) is None:
        acc = "where_mean_acc"
    elif name == "mean" and _empty_slice(a, axis):
        warn("Mean of empty slice", RuntimeWarning)
    # Integers asked for as integers are summed as such; all else in the result's dtype.
    return reduce_with(acc, a, axis, result, result, out=out, keepdims=keepdims, where=where, name="mean")


@numpy_unless_large
def mean(a, axis=None, dtype=None, out=None, keepdims=NO, *, where=NO):
    """As `numpy.mean`."""
    return _mean("mean", "mean_acc", a, axis, dtype, out, keepdims, where)


@numpy_unless_large
def nanmean(a, axis=None, dtype=None, out=None, keepdims=NO, *, where=NO):
    """As `numpy.nanmean`."""
    return _mean("nanmean", "nanmean_acc", a, axis, dtype, out, keepdims, where)


def _spread(name, a, axis, dtype, out, ddof, keepdims, where, mean, correction):
    a = to_device_array(a)
    if correction is not NO:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously: they mean the same, give one of them")
        ddof = correction
    asked = None if dtype is None else canonical(dtype)
    result = _probe(name, a.dtype, asked)
    _refuse_axes_of_scalar(name, a, axis)
    if mean is not NO:
        return _about(name, a, axis, result, out, ddof, keepdims, where, to_device_array(mean, a.device))
    count = _count(a, axis, where)
    if count is not None and count - ddof <= 0 and not name.startswith("nan"):
        warn("Degrees of freedom <= 0 for slice", RuntimeWarning)
    loop = a.dtype if asked is None else asked
    if loop.kind in "biu":
        loop = np.dtype(np.float64)
    if a.dtype.kind == "c" and loop.kind != "c":
        loop = np.result_type(loop, np.complex64)
    how = {"out": out, "keepdims": keepdims, "where": where, "name": name.removeprefix("nan")}
    return reduce_with(f"{name}_acc", a, axis, loop, result, ddof=ddof, **how)


def _about(name, a, axis, dtype, out, ddof, keepdims, where, mean):
    """Variance about a mean that the caller has; as NumPy, its shape must broadcast against a (keepdims)."""
    import gpusci as gs

    d = a - mean
    d = gs.real(d) ** 2 + gs.imag(d) ** 2 if d.dtype.kind == "c" else d * d
    ones = gs.broadcast_to(gs.ones((), bool, device=a.device), a.shape)
    add = nansum if name.startswith("nan") else sum
    ones = gs.logical_not(gs.isnan(a)) if name.startswith("nan") and a.dtype.kind in "fc" else ones
    left = gs.maximum(sum(ones, axis, keepdims=keepdims, where=where) - ddof, 0)
    v = add(d, axis, dtype if dtype.kind == "f" else None, keepdims=keepdims, where=where) / left
    v = gs.sqrt(v) if name.endswith("std") else v
    return deliver(v.astype(dtype, copy=False), (), a.ndim, False, out, name)


@numpy_unless_large
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=NO, *, where=NO, mean=NO, correction=NO):
    """As `numpy.var`; one pass over the data."""
    return _spread("var", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


@numpy_unless_large
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=NO, *, where=NO, mean=NO, correction=NO):
    """As `numpy.std`; one pass over the data."""
    return _spread("std", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


@numpy_unless_large
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=NO, *, where=NO, mean=NO, correction=NO):
    """As `numpy.nanvar`."""
    return _spread("nanvar", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


@numpy_unless_large
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=NO, *, where=NO, mean=NO, correction=NO):
    """As `numpy.nanstd`."""
    return _spread("nanstd", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


@numpy_like
def average(a, axis=None, weights=None, returned=False, *, keepdims=NO):
    """As `numpy.average`; with weights it waits for the GPU, since a zero sum of weights raises ZeroDivisionError."""
    import gpusci as gs

    a = to_device_array(a)
    if weights is None:
        result = mean(a, axis, keepdims=keepdims)
        scale = gs.full(result.shape, a.size / builtins.max(result.size, 1), result.dtype, device=a.device)
        return (result, scale) if returned else result
    w = to_device_array(weights, a.device)
    integral = a.dtype.kind in "biu"
    dtype = np.result_type(a.dtype, w.dtype, np.float64) if integral else np.result_type(a.dtype, w.dtype)
    if a.shape != w.shape:
        w = _weights_along(a, axis, w)
    scale = sum(w, axis, dtype, keepdims=keepdims)
    if bool(any(scale == 0)):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    result = sum(gs.multiply(a, w, dtype=dtype), axis, keepdims=keepdims) / scale
    return (result, gs.broadcast_to(scale, result.shape).copy()) if returned else result


def _weights_along(a, axis, w):
    """Weights of the reduced axes only, shaped to broadcast against a."""
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = normalize_axes(axis, a.ndim)
    if w.shape != tuple(a.shape[d] for d in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    w = w.transpose(*np.argsort(axes).tolist())
    return w.reshape(tuple(n if d in axes else 1 for d, n in enumerate(a.shape)))


# ---- extremes
def _extreme(ufunc, acc, a, axis, out, keepdims, initial, where):
    a = to_device_array(a)
    if start_of(initial) is None:
        if where is not NO and where is not True:
            raise ValueError(
                f"reduction operation '{ufunc}' does not have an identity, so to use a where mask one has to specify 'initial'"
            )
        if _empty_slice(a, axis):
            raise ValueError(f"zero-size array to reduction operation {ufunc} which has no identity; give initial=")
    if acc.startswith("nan") and a.dtype.kind not in "fc":
        acc = acc[3:]
    return reduce_with(acc, a, axis, a.dtype, a.dtype, out=out, keepdims=keepdims, initial=initial, where=where, name=ufunc)


@numpy_like
def min(a, axis=None, out=None, keepdims=NO, initial=NO, where=NO):
    """As `numpy.min`."""
    return _extreme("minimum", "min_acc", a, axis, out, keepdims, initial, where)


@numpy_like
def max(a, axis=None, out=None, keepdims=NO, initial=NO, where=NO):
    """As `numpy.max`."""
    return _extreme("maximum", "max_acc", a, axis, out, keepdims, initial, where)


amin, amax = min, max


@numpy_like
def nanmin(a, axis=None, out=None, keepdims=NO, initial=NO, where=NO):
    """As `numpy.nanmin`."""
    return _extreme("fmin", "nanmin_acc", a, axis, out, keepdims, initial, where)


@numpy_like
def nanmax(a, axis=None, out=None, keepdims=NO, initial=NO, where=NO):
    """As `numpy.nanmax`."""
    return _extreme("fmax", "nanmax_acc", a, axis, out, keepdims, initial, where)


@numpy_like
def ptp(a, axis=None, out=None, keepdims=NO):
    """As `numpy.ptp`; one pass over the data."""
    a = to_device_array(a)
    if a.dtype.kind == "b":
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported: ptp of booleans has no meaning")
    if _empty_slice(a, axis):
        raise ValueError("zero-size array to reduction operation maximum which has no identity")
    return reduce_with("ptp_acc", a, axis, a.dtype, a.dtype, out=out, keepdims=keepdims, name="ptp")


def _arg(name, a, axis, out, keepdims):
    a = to_device_array(a)
    if axis is not None and not hasattr(axis, "__index__"):
        raise TypeError(f"{name} takes one axis or None, not {axis!r}")
    if _empty_slice(a, axis):
        raise ValueError(f"attempt to get {name.removeprefix('nan')} of an empty sequence")
    skip = name.startswith("nan") and a.dtype.kind in "fc"
    acc = f"{name if skip else name.removeprefix('nan')}_acc"
    if out is not None and not np.can_cast(out.dtype, np.intp):     # NumPy's rule, in this direction
        raise TypeError(f"{name}: out must have dtype {np.dtype(np.intp)}, not {out.dtype}")
    result = reduce_with(acc, a, axis, a.dtype, np.dtype(np.int64), out=out, keepdims=keepdims, name=name, index=True)
    if skip:
        all_nan(result.size, (), result if result.flags.c_contiguous else result.copy())
    return result


@numpy_like
def argmin(a, axis=None, out=None, *, keepdims=NO):
    """As `numpy.argmin`."""
    return _arg("argmin", a, axis, out, keepdims)


@numpy_like
def argmax(a, axis=None, out=None, *, keepdims=NO):
    """As `numpy.argmax`."""
    return _arg("argmax", a, axis, out, keepdims)


@numpy_like
def nanargmin(a, axis=None, out=None, *, keepdims=NO):
    """As `numpy.nanargmin`; on the GPU an all-NaN slice raises ValueError at the next synchronising point."""
    return _arg("nanargmin", a, axis, out, keepdims)


@numpy_like
def nanargmax(a, axis=None, out=None, *, keepdims=NO):
    """As `numpy.nanargmax`; on the GPU an all-NaN slice raises ValueError at the next synchronising point."""
    return _arg("nanargmax", a, axis, out, keepdims)


# ---- truth
@numpy_like
def any(a, axis=None, out=None, keepdims=NO, *, where=NO):
    """As `numpy.any`."""
    a = to_device_array(a)
    return reduce_with("any_acc", a, axis, a.dtype, np.dtype(bool), out=out, keepdims=keepdims, where=where, name="any")


@numpy_like
def all(a, axis=None, out=None, keepdims=NO, *, where=NO):
    """As `numpy.all`."""
    a = to_device_array(a)
    return reduce_with("all_acc", a, axis, a.dtype, np.dtype(bool), out=out, keepdims=keepdims, where=where, name="all")


@numpy_like
def count_nonzero(a, axis=None, *, keepdims=False):
    """As `numpy.count_nonzero`; the count of all elements is a 0-d array, so that nothing waits for the GPU."""
    a = to_device_array(a)
    return reduce_with("count_acc", a, axis, a.dtype, np.dtype(np.int64), keepdims=keepdims, name="add")
