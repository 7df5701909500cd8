"""scipy.fft's argument habits for the device's way: dtypes, lengths, axes, norms; cropping and zero padding."""

import operator
import os
from math import prod

import numpy as np

import gpusci as gs
from gpusci.core.args import normalize_axis

COMPLEX = {"f": np.dtype("F"), "d": np.dtype("D"), "F": np.dtype("F"), "D": np.dtype("D")}
INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}  # the trigonometric transform that undoes one of a type
NORMS = {None, "backward", "ortho", "forward"}


def check_unused(workers, plan=None):
    """Arguments that only SciPy's host code reads are checked all the same."""
    if plan is not None:
        raise NotImplementedError("a precomputed plan is not taken: gpusci keeps its plans itself; leave plan= None")
    if workers is None:
        return
    if workers == 0:
        raise ValueError("workers must not be zero; leave it None for the default")
    if workers < -os.cpu_count():
        raise ValueError(f"workers value out of range: {workers} is less than {-os.cpu_count()}, minus the number of CPUs")
    operator.index(workers)


def check_norm(norm):
    if norm not in NORMS:
        raise ValueError(f'Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"')


def as_float(x):
    """float16 as float32, integers and bool as float64."""
    if x.dtype.char in COMPLEX:
        return x
    return x.astype(np.float32 if x.dtype.char == "e" else np.float64)


def as_complex(x):
    """(complex array, whether it is a new one)."""
    x = as_float(x)
    return (x, False) if x.dtype.kind == "c" else (x.astype(COMPLEX[x.dtype.char]), True)


def as_real(x):
    if x.dtype.kind == "c":
        raise TypeError("x must be a real sequence; take x.real, or use the complex transform")
    return as_float(x)


def lengths_1d(x, n, axis):
    """((axis,), (length,)) of a transform along one axis."""
    axis = normalize_axis(axis, x.ndim)
    n = x.shape[axis] if n is None else operator.index(n)
    if n < 1:
        raise ValueError(f"invalid number of data points ({n}) specified")
    return (axis,), (n,)


def lengths_nd(x, s, axes):
    """(axes, lengths) as SciPy reads s and axes."""
    if axes is None and s is not None:
        s = _ints(s, "s")
        if len(s) > x.ndim:
            raise ValueError("s requires more dimensions than x has; give at most one length for each axis")
        axes = range(x.ndim - len(s), x.ndim)
    elif axes is None:
        axes = range(x.ndim)
    else:
        axes = _ints(axes, "axes")
        s = s if s is None else _ints(s, "s")
        if s is not None and axes and len(s) != len(axes):
            raise ValueError("when given, axes and shape arguments (s) must be of the same length")
    shape, ndim = x.shape, x.ndim
    for a in axes:
        if not -ndim <= a < ndim:
            raise ValueError("axes exceeds dimensionality of input")
    axes = tuple([a % ndim for a in axes])
    if len(set(axes)) != len(axes):
        raise ValueError("all axes must be unique")
    lengths = tuple([shape[a] for a in axes])
    if s is not None:
        lengths = tuple([old if new == -1 else new for old, new in zip(lengths, s)])
    if min(lengths, default=1) < 1:
        raise ValueError(f"invalid number of data points ({lengths}) specified")
    return axes, lengths


def half_1d(x, n, axis):
    """Where a complex-to-real transform along one axis goes; the default length is even."""
    if n is None:
        axes, (m,) = lengths_1d(x, None, axis)
        n = 2 * (m - 1)
    return lengths_1d(x, n, axis)


def half_nd(x, s, axes):
    """The same for several axes, of which the last is the real one."""
    axes, lengths = lengths_nd(x, s, axes)
    if not axes or s is not None:
        return axes, lengths
    return axes, (*lengths[:-1], max(2 * (lengths[-1] - 1), 1))


def _ints(value, name):
    try:
        return [operator.index(value)]
    except TypeError:
        pass
    try:
        return [operator.index(v) for v in value]
    except TypeError:
        raise ValueError(f"{name} must be a scalar or iterable of integers") from None


def fit(x, axes, lengths):
    """(x, ours or NumPy's, cropped or padded with zeros to the lengths; whether it is a new array)."""
    shape = list(x.shape)
    for a, n in zip(axes, lengths):
        shape[a] = n
    shape = tuple(shape)
    if shape == x.shape:
        return x, False
    kept = tuple([slice(min(m, n)) for m, n in zip(x.shape, shape)])
    x = x[kept]
    if shape == x.shape:
        return x, False
    padded = np.zeros(shape, x.dtype) if isinstance(x, np.ndarray) else gs.zeros(shape, x.dtype, device=x.device)
    padded[kept] = x
    return padded, True


def factor(norm, lengths, inverse):
    """What a transform of these lengths is multiplied by."""
    check_norm(norm)
    if norm == "ortho":
        return 1 / prod(lengths) ** 0.5
    return 1.0 if (norm == "forward") == inverse else 1 / prod(lengths)
