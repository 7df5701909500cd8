"""Integers, permutations and samples on a device, for `Generator` and `RandomState`."""

import operator
from math import prod, sqrt

import numpy as np

import gpusci as gs
from gpusci.core.args import normalize_axis
from gpusci.random import _kernels
from gpusci.random._distributions import host_value, is_scalar, result_shape, shape_of
from gpusci.random._philox import fill_between, fill_integers, fill_real, probe


def integers(bits, low, high, size, dtype, endpoint):
    """As `numpy.random.Generator.integers`."""
    dtype = np.dtype(dtype)
    if is_scalar(low) and (high is None or is_scalar(high)):
        probe().integers(low, high, dtype=dtype, endpoint=endpoint)  # NumPy's own errors
        low, high = (0, int(low)) if high is None else (int(low), int(high))
        out = gs.empty(shape_of(size), dtype, device=bits.device)
        return fill_integers(bits, out, low, high if endpoint else high - 1)
    low, high = (0, low) if high is None else (low, high)
    shape = result_shape(size, low, high)
    low, high = (np.asarray(host_value(v)) for v in (low, high))
    first = np.zeros(1, bool)[:0] if not low.size * high.size else np.broadcast_arrays(low, high)
    if len(first):
        probe().integers(low, high, dtype=dtype, endpoint=endpoint)
    last = high.astype(object) - (not endpoint)
    span = np.asarray(last - low.astype(object), object).astype(np.uint64).view(np.int64)
    arrays = [gs.asarray(np.ascontiguousarray(np.broadcast_to(v, shape)), device=bits.device)
              for v in (low.astype(np.int64) if low.dtype.kind != "u" else low.astype(np.uint64).view(np.int64), span)]  # fmt: skip
    return fill_between(bits, gs.empty(shape, dtype, device=bits.device), *arrays)


def shuffled_order(bits, n):
    """A random permutation of 0 ... n-1: the order of n random 64-bit keys."""
    keys = fill_integers(bits, gs.empty((n,), np.uint64, device=bits.device), 0, 2**64 - 1)
    return gs.argsort(keys)


def permutation(bits, x, axis=0):
    """As `numpy.random.Generator.permutation`."""
    if is_scalar(x):
        return shuffled_order(bits, int(x))
    x = gs.asarray(x, device=None if isinstance(x, gs.ndarray) else bits.device)
    axis = normalize_axis(axis, x.ndim)
    return gs.take(x, shuffled_order(bits, x.shape[axis]), axis=axis)


def shuffle(bits, x, axis=0):
    """As `numpy.random.Generator.shuffle`: in place, of arrays of any kind and of lists."""
    if isinstance(x, gs.ndarray):
        axis = normalize_axis(axis, x.ndim)
        x[...] = gs.take(x, shuffled_order(bits, x.shape[axis]), axis=axis)
    elif isinstance(x, np.ndarray):
        axis = normalize_axis(axis, x.ndim)
        x[...] = np.take(x, gs.asnumpy(shuffled_order(bits, x.shape[axis])), axis=axis)
    else:
        if axis != 0:
            raise NotImplementedError("Axis argument is only supported on ndarray objects")
        x[:] = [x[i] for i in gs.asnumpy(shuffled_order(bits, len(x)))]


def permuted(bits, x, axis=None, out=None):
    """As `numpy.random.Generator.permuted`: each line along the axis in an order of its own."""
    x = gs.asarray(x, device=None if isinstance(x, gs.ndarray) else bits.device)
    if axis is None:
        result = permutation(bits, x.ravel()).reshape(x.shape)
    else:
        keys = fill_integers(bits, gs.empty(x.shape, np.uint64, device=bits.device), 0, 2**64 - 1)
        result = gs.take_along_axis(x, gs.argsort(keys, axis=axis), axis=axis)
    if out is None:
        return result
    if out.shape != x.shape:
        raise ValueError("out must have the same shape as x")
    out[...] = result if isinstance(out, gs.ndarray) else gs.asnumpy(result)
    return out


def choice(bits, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    """As `numpy.random.Generator.choice`. Without replacement a whole permutation is drawn, in any case a random order."""
    if is_scalar(a):
        try:
            population, n = None, operator.index(a)
        except TypeError:
            raise ValueError(f"a must be a sequence or an integer, not {a!r}") from None
        if n < 0 or (n == 0 and prod(shape_of(size))):
            raise ValueError("a must be a positive integer unless no samples are taken")
    else:
        population = gs.asarray(a, device=None if isinstance(a, gs.ndarray) else bits.device)
        n = population.shape[normalize_axis(axis, population.ndim)]
        if n == 0 and prod(shape_of(size)):
            raise ValueError("a cannot be empty unless no samples are taken")
    shape = shape_of(size)
    p = None if p is None else _weights(p, n, bits.device)
    if replace:
        index = _with_replacement(bits, n, shape, p)
    else:
        index = _without_replacement(bits, n, prod(shape), p).reshape(shape)
    return index if population is None else gs.take(population, index, axis=axis)


def _weights(p, n, device):
    p = gs.asarray(p, dtype=np.float64, device=None if isinstance(p, gs.ndarray) else device)
    if p.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if p.size != n:
        raise ValueError("a and p must have same size")
    total, least = float(gs.sum(p)), float(gs.min(p))  # waits for the GPU, as the errors must be raised here
    if np.isnan(total):
        raise ValueError("Probabilities contain NaN")
    if least < 0:
        raise ValueError("Probabilities are not non-negative")
    if abs(total - 1) > sqrt(np.finfo(np.float64).eps):
        raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more information.")
    return p


def _with_replacement(bits, n, shape, p):
    if not prod(shape):
        return gs.empty(shape, np.int64, device=bits.device)
    if p is None:
        return fill_integers(bits, gs.empty(shape, np.int64, device=bits.device), 0, n - 1)
    steps = gs.cumsum(p)
    u = fill_real(bits, "uniform", gs.empty(shape, np.float64, device=bits.device))
    return gs.searchsorted(steps, u * steps[-1], side="right")


def _without_replacement(bits, n, count, p):
    if count > n:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if p is None:
        return shuffled_order(bits, n)[:count]
    if int(gs.sum(p > 0)) < count:
        raise ValueError("Fewer non-zero entries in p than size")
    # Exponential arrival times at rates p: the first ones are a sample one by one (P. Efraimidis, P. Spirakis, 2006).
    times = fill_real(bits, "exponential", gs.empty((n,), np.float64, device=bits.device))
    return gs.argsort(gs.where(p > 0, times / gs.where(p > 0, p, 1.0), np.inf))[:count]


def multinomial(bits, n, pvals, size):
    """As `numpy.random.Generator.multinomial`."""
    pvals = np.ascontiguousarray(host_value(pvals), np.float64)
    if pvals.ndim == 0:
        raise ValueError("pvals must have at least 1 dimension; the last one is the categories")
    n = np.asarray(host_value(n))
    probe().multinomial(1 if n.ndim else n, pvals.reshape(-1, pvals.shape[-1]) if pvals.ndim > 1 else pvals)
    if (n < 0).any():
        raise ValueError("n < 0")
    k, rows = pvals.shape[-1], result_shape(size, n, np.empty(pvals.shape[:-1]))
    out = gs.empty((*rows, k), np.int64, device=bits.device)
    trials = np.ascontiguousarray(np.broadcast_to(n, rows), np.int64)
    count = prod(rows)
    p = pvals if pvals.ndim == 1 else np.ascontiguousarray(np.broadcast_to(pvals, (*rows, k)))
    key, counter = bits.take(count)
    up = [gs.asarray(v, device=bits.device) for v in (trials.reshape(-1), p.reshape(-1, k))]
    _kernels.draw_multinomial(count, (), out, *up, k, up[1].shape[0], key, counter)
    return out


def multivariate_hypergeometric(bits, colors, nsample, size, method):
    """As `numpy.random.Generator.multivariate_hypergeometric`; both methods are one."""
    colors = np.ascontiguousarray(host_value(colors))
    probe().multivariate_hypergeometric(colors, nsample, method=method)
    colors, rows = colors.astype(np.int64), shape_of(size)
    out = gs.empty((*rows, colors.size), np.int64, device=bits.device)
    key, counter = bits.take(prod(rows))
    _kernels.draw_multivariate_hypergeometric(
        prod(rows),
        (),
        out,
        gs.asarray(colors, device=bits.device),
        colors.size,
        int(colors.sum()),
        int(nsample),
        key,
        counter,
    )
    return out
