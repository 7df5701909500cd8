"""Sequences, grids and structured matrices made from a few numbers."""

import math
import operator

import numpy as np

from gpusci.core._dtypes import canonical
from gpusci.core._ndarray import from_numpy, ndarray, new, wrap
from gpusci.core.creation import asarray, empty, zeros
from gpusci.core.device import get_device
from gpusci.core.kernel import Kernel
from gpusci.core.numpylike import as_arrays, device_of, numpy_like, result_dtype, to_device_array

__all__ = [
    "arange", "bartlett", "blackman", "c_", "diag", "diagflat", "eye", "geomspace", "hamming", "hanning", "identity",
    "indices", "kaiser", "linspace", "logspace", "meshgrid", "mgrid", "ogrid", "r_", "tri", "tril", "triu",
    "vander",
]  # fmt: skip

sequence = Kernel(
    "sequence", "gpusci/sequence.h", template="T Index", args="ptr out, i64 start, i64 delta, c128 fstart, c128 fdelta",
    first=["q", "d", "f", "e", "D"],
)  # fmt: skip


def _sequence(length, dtype, start, delta, device):
    """start + i * delta for i < length, in the arithmetic of `dtype`."""
    out = new((length,), dtype, device)
    whole = dtype.kind in "iu"
    signed = [(int(v) + 2**63) % 2**64 - 2**63 if whole else 0 for v in (start, delta)]
    floats = [0.0 if whole else complex(v) for v in (start, delta)]
    sequence(length, (dtype,), out, *signed, *floats)
    return out


# ---- sequences
def arange(start=None, /, stop=None, step=1, dtype=None, *, device=None, like=None):
    """As `numpy.arange`."""
    if start is None:
        if stop is None:
            raise TypeError("arange() requires stop to be specified.")
        start, stop = 0, stop
    device = get_device(device if device is not None else like.device if type(like) is ndarray else device_of(start, stop))
    ends = [v.item() if type(v) is ndarray else v for v in (start, stop, step)]
    ends = [0, ends[0], ends[2]] if ends[1] is None else ends
    if device.uses_numpy:
        return from_numpy(np.arange(*ends, dtype))
    # NumPy works out the dtype from types alone, and the rule of the first two elements from them.
    dtype = canonical(np.arange(*(type(v)(1) for v in ends), dtype=dtype).dtype)
    start, stop, step = ends
    if step == 0:
        raise ZeroDivisionError("division by zero: arange needs a step other than 0")
    span = (stop - start) / step
    length = max(math.ceil(span.real if not isinstance(span, complex) else min(span.real, span.imag)), 0)
    if length > 2 and dtype.kind == "b":
        raise TypeError("arange() is only supported for booleans when the result has at most length 2.")
    if length <= 2:
        return from_numpy(np.arange(*ends, dtype=dtype)).to_device(device)
    first, second = cells = np.empty(2, dtype)
    cells[0], cells[1] = start, start + step            # NumPy's errors for numbers out of the dtype's range
    first, second = cells
    delta = int(second) - int(first) if dtype.kind in "iu" else second - first
    return _sequence(length, dtype, first, delta, device)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """As `numpy.linspace`. `retstep` gives a 0-d array, or one of the ends' shape."""
    device = get_device(device) if device is not None else device_of(start, stop)
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    if device.uses_numpy:
        start, stop = (v.numpy() if type(v) is ndarray else v for v in (start, stop))
        y, step = np.linspace(start, stop, num, endpoint, True, dtype, axis)
        return (from_numpy(y), asarray(step, device=device)) if retstep else from_numpy(y)
    from gpusci.core import ufuncs

    parts = num - 1 if endpoint else num
    start, stop = (v if type(v) is ndarray else np.asanyarray(v) for v in (start, stop))
    loop = np.result_type(*(v.dtype if v.dtype.kind in "fc" else float for v in (start, stop)), float(num))
    target = loop if dtype is None else canonical(dtype)
    if start.ndim == 0 and stop.ndim == 0 and type(start) is np.ndarray and type(stop) is np.ndarray:
        delta = loop.type(stop) - loop.type(start)
        step = delta / parts if parts > 0 else loop.type("nan")
        y = _sequence(num, loop, start.astype(loop)[()], step if parts > 0 else delta, device)
    else:
        start, stop = (to_device_array(v, device).astype(loop) for v in (start, stop))
        delta = ufuncs.subtract(stop, start)
        step = ufuncs.divide(delta, parts) if parts > 0 else ufuncs.multiply(delta, float("nan"))
        steps = arange(num, dtype=loop.char.lower(), device=device).reshape((-1,) + (1,) * delta.ndim)
        y = ufuncs.add(ufuncs.multiply(steps, step if parts > 0 else delta), start)
    if endpoint and num > 1:
        y[-1] = stop
    if target.kind in "iu":
        y = ufuncs.floor(y)
    y = y.astype(target, copy=False)
    y = wrap(np.moveaxis(y._a, 0, axis), y) if axis else y
    return (y, asarray(step, device=device)) if retstep else y


@numpy_like
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """As `numpy.logspace`."""
    from gpusci.core import ufuncs

    if not np.isscalar(base) and np.ndim(getattr(base, "_a", base)):
        start, stop, base = as_arrays(start, stop, base)
        rank = max(start.ndim, stop.ndim, base.ndim)
        start, stop, base = (v.reshape((1,) * (rank - v.ndim) + v.shape) for v in (start, stop, base))
        base = wrap(np.expand_dims(base._a, axis), base)
    y = linspace(start, stop, num, endpoint, axis=axis)
    y = ufuncs.power(base, y)
    return y if dtype is None else y.astype(dtype, copy=False)


@numpy_like
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """As `numpy.geomspace`; ends given as arrays are checked for zeros, which waits for the GPU."""
    from gpusci.core import ufuncs

    home = device_of(start, stop)
    start, stop = (np.asanyarray(v.numpy() if type(v) is ndarray else v) for v in (start, stop))
    # The ends are few numbers: NumPy spaces their logarithms' ends on the host, the device does the samples.
    if np.any(start == 0) or np.any(stop == 0):
        raise ValueError("Geometric sequence cannot include zero")
    loop = np.result_type(start, stop, float(num), np.zeros((), dtype))
    start, stop = np.broadcast_arrays(start.astype(loop), stop.astype(loop))
    scale = start if loop.kind == "c" else np.sign(start)
    log_start, log_stop = (np.log10(v / scale) for v in (start, stop))
    y = logspace(asarray(log_start, device=home), asarray(log_stop, device=home), num, endpoint)
    y = ufuncs.multiply(y, asarray(scale.astype(loop), device=home))
    if num > 0:
        y[0] = asarray(start, device=home)
        if num > 1 and endpoint:
            y[-1] = asarray(stop, device=home)
    y = y.astype(loop if dtype is None else dtype, copy=False)
    return wrap(np.moveaxis(y._a, 0, axis), y) if axis else y


# ---- grids
def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """As `numpy.meshgrid`: a tuple of arrays."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    arrays, ndim = as_arrays(*xi), len(xi)
    out = [x.reshape((1,) * i + (-1,) + (1,) * (ndim - i - 1)) for i, x in enumerate(arrays)]
    if indexing == "xy" and ndim > 1:
        out[0] = out[0].reshape((1, -1) + (1,) * (ndim - 2))
        out[1] = out[1].reshape((-1, 1) + (1,) * (ndim - 2))
    if not sparse:
        shape = np.broadcast_shapes(*(x.shape for x in out))
        out = [wrap(np.broadcast_to(x._a, shape), x) for x in out]
    return tuple(x.copy() for x in out) if copy else tuple(out)


def indices(dimensions, dtype=int, sparse=False, *, device=None):
    """As `numpy.indices`."""
    dimensions, device = tuple(dimensions), get_device(device)
    n = len(dimensions)
    lines = [arange(d, dtype=dtype, device=device).reshape((1,) * i + (-1,) + (1,) * (n - i - 1))
             for i, d in enumerate(dimensions)]  # fmt: skip
    if sparse:
        return tuple(lines)
    out = empty((n, *dimensions), dtype, device=device)
    for i, line in enumerate(lines):
        out[i] = line
    return out


class Grid:
    """`mgrid` and `ogrid`: as NumPy's, on the current device."""

    def __init__(self, sparse):
        self._host = np.ogrid if sparse else np.mgrid

    def __getitem__(self, key):
        found = self._host[key]
        return tuple(map(asarray, found)) if isinstance(found, (tuple, list)) else asarray(found)


mgrid, ogrid = Grid(False), Grid(True)


class Concatenator:
    """`r_` and `c_`: as NumPy's, with gpusci arrays among the items."""

    def __init__(self, axis, ndmin, trans1d):
        self.axis, self.ndmin, self.trans1d = axis, ndmin, trans1d

    def __getitem__(self, key):
        from gpusci.core.manipulation import concatenate

        key = key if isinstance(key, tuple) else (key,)
        axis, ndmin, trans1d = self.axis, self.ndmin, self.trans1d
        if isinstance(key[0], str):
            numbers = [int(v) for v in key[0].split(",")]
            axis, ndmin, trans1d = (numbers + [self.ndmin, self.trans1d][len(numbers) - 1 :])[:3]
            key = key[1:]
        home = device_of(*key)
        scalars = [v for v in key if np.isscalar(v)]
        parts = [self._part(item, home, ndmin, trans1d) for item in key]
        dtype = result_dtype(*(p for p, v in zip(parts, key) if not np.isscalar(v)), *scalars)
        return concatenate([p.astype(dtype, copy=False) for p in parts], axis)

    @staticmethod
    def _part(item, home, ndmin, trans1d):
        if isinstance(item, slice):
            start, stop, step = item.start or 0, item.stop, 1 if item.step is None else item.step
            imaginary = isinstance(step, complex)
            x = linspace(start, stop, int(abs(step)), device=home) if imaginary else arange(start, stop, step, device=home)
        else:
            x = to_device_array(item, home)
        if isinstance(item, slice) or x.ndim >= ndmin:
            added, x = max(ndmin - x.ndim, 0), x.reshape((1,) * (ndmin - x.ndim) + x.shape)
            return wrap(x._a.swapaxes(-1, trans1d), x) if isinstance(item, slice) and ndmin > 1 and added else x
        before = trans1d if trans1d >= 0 else ndmin - x.ndim + trans1d + 1
        before = min(max(before, 0), ndmin - x.ndim)
        return x.reshape((1,) * before + x.shape + (1,) * (ndmin - x.ndim - before))


r_, c_ = Concatenator(0, 1, -1), Concatenator(-1, 2, 0)


# ---- matrices
def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    """As `numpy.eye`."""
    N = operator.index(N)
    M = N if M is None else operator.index(M)
    out = zeros((N, M), dtype, order, device=device, like=like)
    if -N < k < M:
        diagonal(out, operator.index(k))[...] = 1
    return out


def identity(n, dtype=None, *, like=None, device=None):
    """As `numpy.identity`."""
    return eye(n, dtype=dtype, like=like, device=device)


def diagonal(x, k):
    """The k-th diagonal of a matrix as a writeable view."""
    a = x._a[:, k:] if k >= 0 else x._a[-k:]
    n = min(a.shape)
    strided = np.lib.stride_tricks.as_strided(a[:n, :n], (n,), (a.strides[0] + a.strides[1],))
    return wrap(strided, x)


def diag(v, k=0):
    """As `numpy.diag`: of a matrix, a read-only view."""
    v = to_device_array(v)
    if v.ndim == 2:
        return wrap(np.diagonal(v._a, k), v)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    out = zeros((v.size + abs(k),) * 2, v.dtype, device=v.device)
    if v.size:
        diagonal(out, k)[...] = v
    return out


def diagflat(v, k=0):
    """As `numpy.diagflat`."""
    return diag(to_device_array(v).reshape(-1), k)


def tri(N, M=None, k=0, dtype=float, *, like=None, device=None):
    """As `numpy.tri`."""
    from gpusci.core.ufuncs import greater_equal

    device = get_device(device if device is not None or type(like) is not ndarray else like.device)
    M = N if M is None else M
    if device.uses_numpy:
        return from_numpy(np.tri(N, M, k, dtype))
    rows, columns = arange(N, device=device), arange(-k, M - k, device=device)
    return greater_equal(rows.reshape(-1, 1), columns).astype(dtype, copy=False)


@numpy_like
def tril(m, k=0):
    """As `numpy.tril`."""
    from gpusci.core.selection import where

    m = to_device_array(m)
    return where(tri(*m.shape[-2:], k=k, dtype=bool, device=m.device), m, m.dtype.type(0))


@numpy_like
def triu(m, k=0):
    """As `numpy.triu`."""
    from gpusci.core.selection import where

    m = to_device_array(m)
    return where(tri(*m.shape[-2:], k=k - 1, dtype=bool, device=m.device), m.dtype.type(0), m)


@numpy_like
def vander(x, N=None, increasing=False):
    """As `numpy.vander`."""
    from gpusci.core.ufuncs import multiply

    x = to_device_array(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    N = x.size if N is None else N
    out = empty((x.size, N), np.promote_types(x.dtype, int), device=x.device)
    columns = out if increasing else out[:, ::-1]
    if N > 0:
        columns[:, 0] = 1
    for j in range(1, N):
        multiply(columns[:, j - 1], x, out=columns[:, j])
    return out


# ---- windows: few numbers, made on the host
def bartlett(M):
    """As `numpy.bartlett`."""
    return asarray(np.bartlett(M))


def blackman(M):
    """As `numpy.blackman`."""
    return asarray(np.blackman(M))


def hamming(M):
    """As `numpy.hamming`."""
    return asarray(np.hamming(M))


def hanning(M):
    """As `numpy.hanning`."""
    return asarray(np.hanning(M))


def kaiser(M, beta):
    """As `numpy.kaiser`."""
    return asarray(np.kaiser(M, beta))
