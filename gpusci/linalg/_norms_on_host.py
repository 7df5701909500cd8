"""Norms on the host: NumPy's and SciPy's, done again with scaled values where their squares or powers may have left the range."""

import math

import numpy as np

# A power is in range, with all its digits, while the binary logarithm of its magnitude is at most this.
REACH = {"e": 12, "f": 100, "d": 900}
SQUARED = 2.0**-450, 2.0**450  # float64 whose squares are
SMALL = 1000  # values, for which a call costs more than the work


@np.errstate(over="ignore", under="ignore", divide="ignore")
def _quietly(function, *args, **kwargs):
    return function(*args, **kwargs)


def norm(theirs, a, ord=None, axis=None, keepdims=False, check_finite=True):
    """`run` (see `host_first`) of `norm`."""
    array = type(a) is np.ndarray
    if array and ord is axis is None and not keepdims and a.dtype.char in "fdFD":
        if a.ndim == 1:
            return theirs(a, None, None, False, check_finite)  # BLAS, which scales
        if a.size < SMALL:
            kind = np.float32 if a.dtype.char in "fF" else np.float64
            return kind(theirs(a.ravel("K"), None, None, False, check_finite))
    power = _power(ord)
    if power is None:
        return theirs(a, ord, axis, keepdims, check_finite)
    if array and ord is None and axis is not None:  # a finite norm is one of finite values: no need to look at them
        out = _quietly(np.linalg.norm, a, None, axis, keepdims)
        if _in_range(out, power):
            return out
    out = _quietly(theirs, a, ord, axis, keepdims, check_finite)
    if _in_range(out, power):
        return out
    return _scaled(lambda x: _quietly(theirs, x, ord, axis, keepdims, check_finite), a, out, axis, keepdims, power < 0)


def matrix_norm(theirs, x, /, *, keepdims=False, ord="fro"):
    """The same of `matrix_norm`."""
    return _namespace(theirs, x, (-2, -1), keepdims, ord)


def vector_norm(theirs, x, /, *, axis=None, keepdims=False, ord=2):
    """The same of `vector_norm`."""
    return _namespace(theirs, x, axis, keepdims, ord, axis=axis)


def _namespace(theirs, x, axes, keepdims, ord, **kw):
    power = _power(ord)
    out = _quietly(theirs, x, keepdims=keepdims, ord=ord, **kw)
    if power is None or _in_range(out, power):
        return out
    return _scaled(lambda v: _quietly(theirs, v, keepdims=keepdims, ord=ord, **kw), x, out, axes, keepdims, power < 0)


def _power(ord):
    """The power that values are raised to, None where there is none, or one that loses nothing."""
    if ord is None or isinstance(ord, str):
        return None if ord == "nuc" else 2
    return ord if isinstance(ord, (int, float, np.number)) and ord not in (0, 1, -1) and math.isfinite(ord) else None


def _in_range(out, power):
    if type(out) is np.float64 and power == 2:
        return SQUARED[0] <= out <= SQUARED[1]
    char = getattr(out, "dtype", np.dtype("d")).char
    if char not in REACH:
        return True
    top = 2.0 ** (REACH[char] / max(abs(power), 1))
    if not isinstance(out, np.ndarray):
        return 1 / top <= float(out) <= top
    if out.size < SMALL:
        values = out.ravel().tolist()
        return not values or 1 / top <= min(values) and max(values) <= top and math.isfinite(sum(values))  # no NaN
    return 1 / top <= float(out.min()) and float(out.max()) <= top


def _scaled(compute, x, out, axes, keepdims, smallest):
    """The norms `out` again, of values that were divided by a power of 2: the largest magnitude of each becomes about 1."""
    x = np.asarray(x)
    x = x if x.dtype.char in "fdFD" else x.astype("f" if x.dtype.char == "e" else "d")
    size = np.maximum(np.abs(x.real), np.abs(x.imag))
    axes = tuple(range(x.ndim)) if axes is None else axes
    top = size.min(axes, keepdims=True, initial=np.inf) if smallest else size.max(axes, keepdims=True, initial=0)
    exponent = np.where(np.isfinite(top), np.frexp(top)[1], 0)
    y = np.empty_like(x)
    y.real = _quietly(np.ldexp, x.real, -exponent)
    if y.dtype.kind == "c":
        y.imag = _quietly(np.ldexp, x.imag, -exponent)
    exponent = exponent if keepdims else exponent.squeeze(axes)
    return np.ldexp(compute(y), exponent).astype(np.asarray(out).dtype)
