"""What `numpy.linalg` has beyond SciPy: products of several arrays, tensor equations, and names of the array namespace."""

from math import prod

import numpy as np

import gpusci as gs
from gpusci.core.libraries.host import host_first
from gpusci.linalg._arguments import widened


def _namespace(func):
    # The array namespace's function under numpy.linalg's signature; the namespace returns gpusci arrays, this keeps the kind.
    return host_first("numpy.linalg", *_ARRAYS[func.__name__], library=False)(func)


_ARRAYS = {
    "cross": ("x1", "x2"), "diagonal": ("x",), "matmul": ("x1", "x2"), "matrix_transpose": ("x",), "outer": ("x1", "x2"),
    "tensordot": ("x1", "x2"), "trace": ("x",), "vecdot": ("x1", "x2"), "multi_dot": ("arrays*",), "tensorinv": ("a",),
    "tensorsolve": ("a", "b"),
}  # fmt: skip


@_namespace
def cross(x1, x2, /, *, axis=-1):
    """As `numpy.linalg.cross`."""
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, not {x1.shape} and {x2.shape}")
    return gs.cross(x1, x2, axis=axis)


@_namespace
def diagonal(x, /, *, offset=0):
    """As `numpy.linalg.diagonal`: of the last two axes."""
    return gs.diagonal(x, offset, axis1=-2, axis2=-1)


@_namespace
def matmul(x1, x2, /):
    """As `numpy.linalg.matmul`."""
    return gs.matmul(x1, x2)


@_namespace
def matrix_transpose(x, /):
    """As `numpy.linalg.matrix_transpose`."""
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return x.mT


@_namespace
def outer(x1, x2, /):
    """As `numpy.linalg.outer`: of two vectors."""
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {x1.ndim=} and {x2.ndim=}.")
    return gs.outer(x1, x2)


@_namespace
def tensordot(x1, x2, /, *, axes=2):
    """As `numpy.linalg.tensordot`."""
    return gs.tensordot(x1, x2, axes=axes)


@_namespace
def trace(x, /, *, offset=0, dtype=None):
    """As `numpy.linalg.trace`: of the last two axes."""
    return gs.trace(x, offset, axis1=-2, axis2=-1, dtype=dtype)


@_namespace
def vecdot(x1, x2, /, *, axis=-1):
    """As `numpy.linalg.vecdot`."""
    return gs.vecdot(x1, x2, axis=axis)


@_namespace
def multi_dot(arrays, *, out=None):
    """As `numpy.linalg.multi_dot`: the product of several matrices in the cheapest order."""
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    first, last = arrays[0].ndim == 1, arrays[-1].ndim == 1
    arrays = list(arrays)
    arrays[0] = arrays[0][None] if first else arrays[0]
    arrays[-1] = arrays[-1][:, None] if last else arrays[-1]
    if any(a.ndim != 2 for a in arrays):
        raise np.linalg.LinAlgError("each array must be two-dimensional; the first and the last may be vectors")
    result = _product(arrays, _split_points([a.shape[0] for a in arrays] + [arrays[-1].shape[1]]), 0, len(arrays) - 1)
    result = result.reshape(result.shape[first : 2 - last] if first or last else result.shape)
    if out is not None:
        out[...] = result
        return out
    return result


def _split_points(sizes):
    """Where to split each run of matrices: T. Cormen et al., Introduction to Algorithms, matrix-chain multiplication."""
    n = len(sizes) - 1
    cost, split = np.zeros((n, n)), np.zeros((n, n), int)
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs = [cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)]
            split[i, j] = i + int(np.argmin(costs))
            cost[i, j] = min(costs)
    return split


def _product(arrays, split, i, j):
    if i == j:
        return arrays[i]
    k = split[i, j]
    return gs.matmul(_product(arrays, split, i, k), _product(arrays, split, k + 1, j))


@_namespace
def tensorinv(a, ind=2):
    """As `numpy.linalg.tensorinv`."""
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    shape = a.shape[ind:] + a.shape[:ind]
    if prod(a.shape[:ind]) != prod(a.shape[ind:]):
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    return gs.linalg.inv(widened(a).reshape(prod(a.shape[:ind]), -1)).reshape(shape)


@_namespace
def tensorsolve(a, b, axes=None):
    """As `numpy.linalg.tensorsolve`."""
    if axes is not None:
        kept = [k for k in range(a.ndim) if k not in axes]
        a = gs.transpose(a, (*kept, *axes))
    shape = a.shape[-(a.ndim - b.ndim) :]
    if a.size != prod(shape) ** 2:
        raise np.linalg.LinAlgError(
            "Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    return gs.linalg.solve(widened(a).reshape(-1, prod(shape)), widened(b).ravel()).reshape(shape)
