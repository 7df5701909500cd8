"""Functions of NumPy that are neither ufuncs nor reductions: rounding and clipping, parts of complex numbers, phases,
derivatives, bits, Python callables over arrays."""

import numpy as np

from gpusci.core import ufuncs
from gpusci.core._ndarray import ndarray, wrap
from gpusci.core.args import normalize_axes, normalize_axis
from gpusci.core.creation import asarray, empty_like, zeros, zeros_like
from gpusci.core.elementwise import copyto
from gpusci.core.fuse import Traced, traced_clip
from gpusci.core.numpylike import LARGE, device_of, numpy_like, to_device_array
from gpusci.core.ufunc import Ufunc

__all__ = [
    "angle", "apply_along_axis", "apply_over_axes", "around", "clip", "fix", "frompyfunc", "gradient", "i0", "imag", "nan_to_num",
    "packbits", "real", "real_if_close", "round", "sinc", "unpackbits", "unwrap", "vectorize",
]  # fmt: skip

REAL = "efd"
clip_between = Ufunc("clip_between", " ".join(f"{c}{c}{c}->{c}" for c in "?bBhHiIqQefdFD"), header="gpusci/selection.h",
                     functor="clip_between", cost="light")  # fmt: skip
replace_special = Ufunc("replace_special", " ".join(f"{c * 4}->{c}" for c in REAL), header="gpusci/selection.h",
                        functor="replace_special", cost="light")  # fmt: skip
sinc_pi = Ufunc("sinc_pi", "f->f d->d", header="gpusci/selection.h", functor="sinc_pi", cost="medium")
bessel_i0 = Ufunc("bessel_i0", "e->e f->f d->d", header="gpusci/bessel_i0.h", functor="bessel_i0", cost="heavy")


# ---- parts of complex numbers
def real(val):
    """As `numpy.real`: a view."""
    return to_device_array(val).real


def imag(val):
    """As `numpy.imag`: a view of complex arrays, zeros for others."""
    return to_device_array(val).imag


@numpy_like
def angle(z, deg=False):
    """As `numpy.angle`."""
    z = to_device_array(z)
    phase = ufuncs.arctan2(z.imag, z.real) if z.dtype.kind == "c" else ufuncs.arctan2(0, z)
    return ufuncs.multiply(phase, 180 / np.pi, out=phase) if deg else phase


@numpy_like
def real_if_close(a, tol=100):
    """As `numpy.real_if_close`. Waits for the GPU."""
    from gpusci.core.reduce import all

    a = to_device_array(a)
    if a.dtype.kind != "c":
        return a
    limit = tol * np.finfo(a.real.dtype).eps if tol > 1 else tol
    return a.real if bool(all(ufuncs.less(ufuncs.absolute(a.imag), limit))) else a


# ---- rounding and bounds
@numpy_like
def round(a, decimals=0, out=None):
    """As `numpy.round`: half to even."""
    a = to_device_array(a)
    if a.dtype.kind == "b" and decimals and (out is None or out.dtype.kind not in "fc"):
        raise TypeError("booleans cannot be rounded to decimals: convert the array, as with astype(float)")
    if a.dtype.kind == "c":
        out = zeros_like(a) if out is None else out
        round(a.real, decimals, out.real)
        round(a.imag, decimals, out.imag)
        return out
    if a.dtype.kind in "iu" and decimals >= 0:
        if out is None:
            return a.copy()
        copyto(out, a)
        return out
    if decimals == 0:
        return ufuncs.rint(a, out=out)
    before, after = (ufuncs.multiply, ufuncs.divide) if decimals > 0 else (ufuncs.divide, ufuncs.multiply)
    scale = 10.0 ** abs(decimals)
    scaled = before(a, scale)
    result = after(ufuncs.rint(scaled, out=scaled), scale, out=scaled)
    if out is None:
        return result.astype(a.dtype, copy=False)
    copyto(out, result, casting="unsafe" if a.dtype.kind in "iu" else "same_kind")
    return out


around = round


@numpy_like
def fix(x, out=None):
    """As `numpy.fix`: towards zero."""
    return ufuncs.trunc(to_device_array(x), out=out)


@numpy_like
def clip(a, a_min=np._NoValue, a_max=np._NoValue, out=None, *, min=np._NoValue, max=np._NoValue, **kwargs):
    """As `numpy.clip`."""
    if a_min is np._NoValue and a_max is np._NoValue:
        a_min, a_max = (None if v is np._NoValue else v for v in (min, max))
    elif a_min is np._NoValue or a_max is np._NoValue:
        missing = "a_min" if a_min is np._NoValue else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: '{missing}'")
    elif min is not np._NoValue or max is not np._NoValue:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    if Traced in (type(a), type(a_min), type(a_max)):   # inside a function that `fuse` traces
        return traced_clip(a, a_min, a_max)
    a = to_device_array(a) if type(a) is ndarray else to_device_array(a, device_of(a, a_min, a_max))
    if a.dtype.kind in "iu":
        # Python ints beyond the dtype bound nothing.
        a_min = None if type(a_min) is int and a_min <= np.iinfo(a.dtype).min else a_min
        a_max = None if type(a_max) is int and a_max >= np.iinfo(a.dtype).max else a_max
    if a_min is None and a_max is None:
        return ufuncs.positive(a, out=out, **kwargs)
    if a_min is None:
        return ufuncs.minimum(a, a_max, out=out, **kwargs)
    if a_max is None:
        return ufuncs.maximum(a, a_min, out=out, **kwargs)
    loop = np.result_type(*(v.dtype if hasattr(v, "dtype") else v for v in (a, a_min, a_max)))
    bounds = [v if type(v) is ndarray else loop.type(v) if np.ndim(v) == 0 else np.asarray(v) for v in (a_min, a_max)]
    return clip_between(a, *bounds, out=out, **kwargs)


@numpy_like(large=LARGE)
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """As `numpy.nan_to_num`; copy=False works in place on a gpusci array."""
    given = x
    x = to_device_array(x)
    if x.dtype.kind not in "fc":
        return x.copy("K") if copy else x
    out = x.copy("K") if copy or type(given) is not ndarray else x
    for part in [out.real, out.imag] if out.dtype.kind == "c" else [out]:
        info, kind = np.finfo(part.dtype), part.dtype.type
        fills = (nan, info.max if posinf is None else posinf, info.min if neginf is None else neginf)
        fills = [v.astype(part.dtype) if type(v) is ndarray else kind(v) if np.ndim(v) == 0 else asarray(v, part.dtype, device=x.device)
                 for v in fills]  # fmt: skip
        replace_special(part, *fills, out=part)
    return out


# ---- special functions
@numpy_like
def sinc(x):
    """As `numpy.sinc`."""
    x = to_device_array(x)
    x = x if x.dtype.kind in "fc" else x.astype(float)
    if x.dtype.char in "fd":
        return sinc_pi(x)
    from gpusci.core.selection import where

    tiny = 1.0e-20 if x.dtype.char != "e" else np.finfo(x.dtype).smallest_subnormal
    y = ufuncs.multiply(where(ufuncs.equal(x, 0), x.dtype.type(tiny), x), np.pi)
    return ufuncs.divide(ufuncs.sin(y), y)


@numpy_like
def i0(x):
    """As `numpy.i0`; relative error at most 6e-16 in float64."""
    x = to_device_array(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    return bessel_i0(x if x.dtype.kind == "f" else x.astype(float))


# ---- along an axis
@numpy_like
def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    """As `numpy.unwrap`."""
    from gpusci.core.differences import diff
    from gpusci.core.scan import cumsum

    p = to_device_array(p)
    axis = normalize_axis(axis, p.ndim)
    step = diff(p, axis=axis)
    discont = period / 2 if discont is None else discont
    dtype = np.result_type(step.dtype, period)
    if dtype.kind in "iu":
        high, rest = divmod(period, 2)
        ambiguous = rest == 0
    else:
        high, ambiguous = period / 2, True
    low = -high
    wrapped = ufuncs.add(ufuncs.remainder(ufuncs.subtract(step, low), period), low)
    if ambiguous:
        at_edge = ufuncs.logical_and(ufuncs.equal(wrapped, low), ufuncs.greater(step, 0))
        copyto(wrapped, high, casting="unsafe", where=at_edge)
    correction = ufuncs.subtract(wrapped, step)
    copyto(correction, 0, where=ufuncs.less(ufuncs.absolute(step), discont))
    out = p.astype(dtype)
    later = (slice(None),) * axis + (slice(1, None),)
    out[later] = ufuncs.add(p[later], cumsum(correction, axis))
    return out


@numpy_like
def gradient(f, *varargs, axis=None, edge_order=1):
    """As `numpy.gradient`."""
    f = to_device_array(f)
    axes = normalize_axes(axis, f.ndim)
    if f.dtype.kind == "b":
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported: convert the array, as with astype(float)")
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError("invalid number of arguments: give no spacing, one, or one per axis")
    if edge_order not in (1, 2):
        raise ValueError("'edge_order' greater than 2 not supported")
    spacings = [1.0] * len(axes) if not varargs else list(varargs) * (len(axes) if len(varargs) == 1 else 1)
    if len(varargs) == 1 and np.ndim(getattr(varargs[0], "_a", varargs[0])) and len(axes) > 1:
        raise ValueError("distances must be either scalars or 1d, and one array of coordinates fits one axis only")
    if f.dtype.kind not in "fc":
        f = f.astype(float)
    out = [_derivative(f, d, h, edge_order) for d, h in zip(axes, spacings)]
    return out[0] if len(axes) == 1 else tuple(out)


def _derivative(f, axis, spacing, edge_order):
    n = f.shape[axis]
    if n < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required."
        )
    y = wrap(np.moveaxis(f._a, axis, 0), f)
    result = empty_like(f)
    out = wrap(np.moveaxis(result._a, axis, 0), result)
    if np.ndim(getattr(spacing, "_a", spacing)) == 0:
        h = spacing.item() if hasattr(spacing, "item") else spacing
        out[1:-1] = (y[2:] - y[:-2]) / (2.0 * h)
        before = after = None
    else:
        x = to_device_array(spacing, f.device)
        if x.ndim != 1:
            raise ValueError("distances must be either scalars or 1d")
        if x.size != n:
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")
        x = x.astype(float) if x.dtype.kind not in "fc" else x
        h = (x[1:] - x[:-1]).reshape((-1,) + (1,) * (y.ndim - 1))
        before, after = h[:-1], h[1:]
        out[1:-1] = (
            -after / (before * (before + after)) * y[:-2]
            + (after - before) / (before * after) * y[1:-1]
            + before / (after * (before + after)) * y[2:]
        )
    _edges(out, y, h, edge_order, before is None)
    return result


def _edges(out, y, h, edge_order, uniform):
    """One-sided differences of first or second order at both ends."""
    if edge_order == 1:
        out[0] = (y[1] - y[0]) / (h if uniform else h[0])
        out[-1] = (y[-1] - y[-2]) / (h if uniform else h[-1])
        return
    for end, inner, sign in ((0, 1, 1), (-1, -2, -1)):
        a, b = (h, h) if uniform else (h[end], h[inner])        # the two nearest intervals, from the edge inwards
        first, second, third = y[end], y[inner], y[2] if end == 0 else y[-3]
        slope = -(2.0 * a + b) / (a * (a + b)) * first + (a + b) / (a * b) * second - a / (b * (a + b)) * third
        out[end] = slope if sign > 0 else -slope


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """As `numpy.apply_along_axis`; `func1d` is called once per line, with a gpusci array."""
    from gpusci.core.manipulation import stack

    arr = to_device_array(arr)
    axis = normalize_axis(axis, arr.ndim)
    lines = wrap(np.moveaxis(arr._a, axis, -1), arr)
    lead = lines.shape[:-1]
    if 0 in lead:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    results = [to_device_array(func1d(lines[place], *args, **kwargs), arr.device) for place in np.ndindex(lead)]
    out = stack(results).reshape(lead + results[0].shape)
    own = results[0].ndim
    return wrap(np.moveaxis(out._a, range(len(lead), len(lead) + own), range(axis, axis + own)), out)


def apply_over_axes(func, a, axes):
    """As `numpy.apply_over_axes`."""
    val = to_device_array(a)
    rank = val.ndim
    for axis in np.atleast_1d(axes).tolist():
        axis = axis + rank if axis < 0 else axis
        result = to_device_array(func(val, axis), val.device)
        if result.ndim != val.ndim:
            result = wrap(np.expand_dims(result._a, axis), result)
            if result.ndim != val.ndim:
                raise ValueError("function is not returning an array of the correct shape")
        val = result
    return val


class vectorize:
    """As `numpy.vectorize`: a Python function over elements, on the host (waits for the GPU); results on the arguments' device."""

    def __init__(self, pyfunc=np._NoValue, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self._host = np.vectorize(pyfunc, otypes, doc, excluded, cache, signature)
        self.__doc__ = self._host.__doc__

    def __call__(self, *args, **kwargs):
        device = device_of(*args, *kwargs.values())
        if getattr(self._host, "pyfunc", np._NoValue) is np._NoValue:       # used as a decorator with options
            self._host = self._host(*args)
            return self
        down = [v.numpy() if type(v) is ndarray else v for v in args]
        result = self._host(*down, **{k: v.numpy() if type(v) is ndarray else v for k, v in kwargs.items()})
        up = tuple(asarray(r, device=device) for r in (result if isinstance(result, tuple) else (result,)))
        return up if isinstance(result, tuple) else up[0]


def frompyfunc(func, /, nin, nout, **kwargs):
    """As `numpy.frompyfunc`, on the host (waits for the GPU); results have the dtype of the values, since there are no objects."""
    host = np.frompyfunc(func, nin, nout, **kwargs)

    def call(*args):
        device = device_of(*args)
        result = host(*(v.numpy() if type(v) is ndarray else v for v in args))
        up = tuple(asarray(np.array(r.tolist() if isinstance(r, np.ndarray) else r), device=device)
                   for r in (result if nout > 1 else (result,)))  # fmt: skip
        return up if nout > 1 else up[0]

    call.nin, call.nout, call.nargs = nin, nout, nin + nout
    return call


# ---- bits
@numpy_like
def packbits(a, /, axis=None, bitorder="big"):
    """As `numpy.packbits`."""
    from gpusci.core.reduce import sum

    a = _bits_input(a, "biu", bitorder, "Expected an input array of integer or boolean data type")
    a, axis = (a.reshape(-1), 0) if axis is None else (a, normalize_axis(axis, a.ndim))
    n = a.shape[axis]
    full = zeros(a.shape[:axis] + (-(-n // 8) * 8,) + a.shape[axis + 1 :], np.uint8, device=a.device)
    full[(slice(None),) * axis + (slice(n),)] = ufuncs.not_equal(a, 0)
    eights = full.reshape(a.shape[:axis] + (-(-n // 8), 8) + a.shape[axis + 1 :])
    return sum(ufuncs.multiply(eights, _bit_values(bitorder, a.ndim - axis - 1, a.device)), axis=axis + 1, dtype=np.uint8)


@numpy_like
def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """As `numpy.unpackbits`."""
    a = _bits_input(a, "u", bitorder, "Expected an input array of unsigned byte data type")
    a, axis = (a.reshape(-1), 0) if axis is None else (a, normalize_axis(axis, a.ndim))
    weights = _bit_values(bitorder, a.ndim - axis - 1, a.device)
    spread = a.reshape(a.shape[: axis + 1] + (1,) + a.shape[axis + 1 :])
    bits = ufuncs.not_equal(ufuncs.bitwise_and(spread, weights), 0).astype(np.uint8)
    bits = bits.reshape(a.shape[:axis] + (a.shape[axis] * 8,) + a.shape[axis + 1 :])
    if count is None:
        return bits
    n = bits.shape[axis]
    if count < -n:
        raise ValueError(f"-ve count={count} is beyond the {n} bits along the axis")
    lead = (slice(None),) * axis
    if count <= n:
        return bits[(*lead, slice(count if count >= 0 else n + count))].copy()
    out = zeros(bits.shape[:axis] + (count,) + bits.shape[axis + 1 :], np.uint8, device=a.device)
    out[(*lead, slice(n))] = bits
    return out


def _bits_input(a, kinds, bitorder, sentence):
    a = to_device_array(a)
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    if a.dtype.kind not in kinds or kinds == "u" and a.dtype.itemsize > 1:
        raise TypeError(sentence)
    return a


def _bit_values(bitorder, after, device):
    values = 1 << np.arange(8, dtype=np.uint8)
    return asarray((values[::-1] if bitorder == "big" else values).reshape((8,) + (1,) * after), device=device)
