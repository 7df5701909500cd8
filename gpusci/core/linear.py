"""Products of arrays: matmul and its relatives. Floats go to BLAS, integers and booleans to a kernel of their own.

einsum is in einsum.py.
"""

import math

import numpy as np

from gpusci.core import reduction, ufuncs
from gpusci.core._ndarray import from_numpy, ndarray, new, wrap
from gpusci.core.args import normalize_axis
from gpusci.core.elementwise import copyto
from gpusci.core.kernel import BlockKernel, Kernel
from gpusci.core.libraries import blas
from gpusci.core.numpylike import as_arrays, numpy_like, to_device_array

__all__ = ["cross", "dot", "inner", "kron", "matmul", "matvec", "outer", "tensordot", "trace", "vdot", "vecdot", "vecmat"]

EXACT = "raw x, raw y, ptr out, i64 m, i64 n, i64 k, i64s xs, i64s ys"
matmul_exact = Kernel("matmul_exact", "gpusci/matmul_exact.h", template="T Index", args=EXACT, first=["q", "?", "B"], grain=256)
matmul_exact_block = BlockKernel("matmul_exact_block", "gpusci/matmul_exact.h", template="T Index", args=EXACT,
                                 first=["q", "?", "B"])  # fmt: skip
TILE = 64  # of a block in matmul_exact.h
SMALL = 1 << 12  # elements below which NumPy's own call costs least on the host
HOST_KERNEL_WORK = 1 << 18  # multiplications from which our kernel is faster than starting it: NumPy has no BLAS for integers


# ---- matmul and the products of its family
@numpy_like(large=SMALL)
def matmul(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, axes=None, axis=None, keepdims=False, subok=True,
           signature=None):  # fmt: skip
    """As `numpy.matmul`. Integers are exact modulo 2^bits."""
    if axis is not None or keepdims:
        raise TypeError("matmul does not support axis= and keepdims=; use axes=")
    x1, x2 = _operands(x1, x2, _loop_dtype(dtype, signature), casting, "matmul")
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError(
            f"matmul: Input operand {0 if x1.ndim == 0 else 1} does not have enough dimensions (a scalar was given; use multiply)"
        )
    if axes is None:
        return _finish(_matmul(x1, x2), out, casting, (x1.ndim > 1) + (x2.ndim > 1))
    pairs = [(a,) if isinstance(a, int) else tuple(a) for a in axes]
    x1, x2 = (wrap(np.moveaxis(x._a, p, range(-len(p), 0)), x) for x, p in zip((x1, x2), pairs))
    result = _matmul(x1, x2)
    core = (x1.ndim > 1) + (x2.ndim > 1)
    result = wrap(np.moveaxis(result._a, range(-core, 0), pairs[2] if len(pairs) > 2 else range(-core, 0)), result)
    return _finish(result, out, casting)


def _loop_dtype(dtype, signature):
    """The loop that dtype= or signature= ("dd->d") asks for, None for the operands' own."""
    if signature is None:
        return dtype
    if dtype is not None:
        raise TypeError("cannot specify both 'signature' and 'dtype'")
    kinds = set(signature.replace("->", "") if isinstance(signature, str) else signature) - {None}
    if len(kinds) > 1:
        raise TypeError(f"no loop matching the signature {signature!r}: all its dtypes must be the same")
    return kinds.pop() if kinds else None


def _operands(x1, x2, dtype, casting, name):
    """Both operands in the loop's dtype."""
    x1, x2 = as_arrays(x1, x2)
    if dtype is None and x1.dtype == x2.dtype:
        return x1, x2
    loop = np.result_type(x1.dtype, x2.dtype) if dtype is None else np.dtype(dtype)
    for x in (x1, x2):
        if not np.can_cast(x.dtype, loop, casting):
            raise TypeError(f"Cannot cast ufunc {name!r} input from {x.dtype!r} to {loop!r} with casting rule {casting!r}")
    return x1.astype(loop, copy=False), x2.astype(loop, copy=False)


def _finish(result, out, casting="same_kind", core=None):
    """The result, in `out` when given. core: dimensions of the product itself; those before may be broadcast into out's."""
    if out is None:
        return result
    out = out[0] if isinstance(out, tuple) else out
    if core is not None and out.ndim >= result.ndim and out.shape[out.ndim - core :] == result.shape[result.ndim - core :]:
        _check_broadcast(result, out)
    elif out.shape != result.shape:
        raise ValueError(f"output array has shape {out.shape}, the result has shape {result.shape}")
    if not np.can_cast(result.dtype, out.dtype, casting):
        raise TypeError(f"Cannot cast output from {result.dtype!r} to {out.dtype!r} with casting rule {casting!r}")
    copyto(out, result, casting="unsafe")
    return out


def _check_broadcast(result, out):
    for n, m in zip(result.shape[::-1], out.shape[::-1]):
        if n not in (1, m):
            raise ValueError(f"the result of shape {result.shape} cannot be broadcast into an output of shape {out.shape}")


def _matmul(x1, x2):
    """The product of two arrays of one dtype and at least one dimension."""
    if x1.dtype.kind in "fc":
        return blas.matmul(x1, x2)
    k = x2.shape[-2] if x2.ndim > 1 else x2.shape[0]
    if x1.shape[-1] != k:
        raise ValueError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
            f"(size {k} is different from {x1.shape[-1]})"
        )
    rows, columns = x1.shape[-2] if x1.ndim > 1 else 1, x2.shape[-1] if x2.ndim > 1 else 1
    batch = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    if x1.device.uses_numpy and math.prod(batch) * rows * columns * k < HOST_KERNEL_WORK:
        return from_numpy(np.asarray(np.matmul(x1.numpy(), x2.numpy())))
    a = x1 if x1.ndim > 1 else x1.reshape(1, k)
    b = x2 if x2.ndim > 1 else x2.reshape(k, 1)
    out = _exact(a, b, batch)
    shape = batch + (rows,) * (x1.ndim > 1) + (columns,) * (x2.ndim > 1)
    return out.reshape(shape)


def _exact(a, b, batch):
    m, n, k = a.shape[-2], b.shape[-1], a.shape[-1]
    out = new((*batch, m, n), a.dtype, a.device)
    count = math.prod(batch)
    (a, step_a), (b, step_b) = (_one_batch(x, batch) for x in (a, b))
    strides = [[step, *(s // x.itemsize for s in x.strides[-2:])] for x, step in ((a, step_a), (b, step_b))]
    if reduction.has_blocks(a.device):
        blocks = count * -(-m // TILE) * -(-n // TILE)
        matmul_exact_block(blocks, (a.dtype,), a, b, out, m, n, k, *strides)
    else:
        matmul_exact(count * m * n, (a.dtype,), a, b, out, m, n, k, *strides)
    return out


def _one_batch(x, batch):
    """x and the one stride (in elements) that walks its batch; copied where no single stride does."""
    lead = x.shape[:-2]
    if math.prod(lead) == 1:
        return x, 0
    spread = wrap(np.broadcast_to(x._a, batch + x.shape[-2:]), x)
    try:
        flat = np.reshape(spread._a, (math.prod(batch), *x.shape[-2:]), copy=False)
    except ValueError:
        spread = spread.copy()
        flat = np.reshape(spread._a, (math.prod(batch), *x.shape[-2:]), copy=False)
    return wrap(flat, spread), flat.strides[0] // x.itemsize


def _conj(x):
    return ufuncs.conjugate(x) if x.dtype.kind == "c" else x


def _cored(name, x1, x2, axis, axes, dtype, casting):
    """Operands of vecdot, matvec and vecmat with their core axes last."""
    x1, x2 = _operands(x1, x2, dtype, casting, name)
    if axis is not None:
        axes = [(axis,), (axis,)]
    if axes is not None:
        pairs = [(a,) if isinstance(a, int) else tuple(a) for a in axes]
        x1, x2 = (wrap(np.moveaxis(x._a, p, range(-len(p), 0)), x) for x, p in zip((x1, x2), pairs))
    return x1, x2


def _core_error(name, a, b):
    return ValueError(f"{name}: Input operand 1 has a mismatch in its core dimension 0 (size {b} is different from {a})")


@numpy_like(large=SMALL)
def vecdot(x1, x2, /, out=None, *, axis=None, axes=None, casting="same_kind", order="K", dtype=None, keepdims=False, subok=True,
           signature=None):  # fmt: skip
    """As `numpy.vecdot`: the first operand is conjugated."""
    x1, x2 = _cored("vecdot", x1, x2, axis, axes, _loop_dtype(dtype, signature), casting)
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError("vecdot: Input operand does not have enough dimensions")
    if x1.shape[-1] != x2.shape[-1]:
        raise _core_error("vecdot", x1.shape[-1], x2.shape[-1])
    result = _matmul(_conj(x1)[..., None, :], x2[..., :, None])[..., 0, 0]
    if keepdims:
        return _finish(wrap(np.expand_dims(result._a, -1 if axis is None else axis), result), out, casting)
    return _finish(result, out, casting, 0)


@numpy_like(large=SMALL)
def matvec(x1, x2, /, out=None, *, axes=None, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """As `numpy.matvec`."""
    x1, x2 = _cored("matvec", x1, x2, None, axes, _loop_dtype(dtype, signature), casting)
    if x1.ndim < 2 or x2.ndim < 1:
        raise ValueError("matvec: Input operand does not have enough dimensions")
    if x1.shape[-1] != x2.shape[-1]:
        raise _core_error("matvec", x1.shape[-1], x2.shape[-1])
    return _finish(_matmul(x1, x2[..., None])[..., 0], out, casting, 1)


@numpy_like(large=SMALL)
def vecmat(x1, x2, /, out=None, *, axes=None, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """As `numpy.vecmat`: the vector is conjugated."""
    x1, x2 = _cored("vecmat", x1, x2, None, axes, _loop_dtype(dtype, signature), casting)
    if x1.ndim < 1 or x2.ndim < 2:
        raise ValueError("vecmat: Input operand does not have enough dimensions")
    if x1.shape[-1] != x2.shape[-2]:
        raise _core_error("vecmat", x1.shape[-1], x2.shape[-2])
    return _finish(_matmul(_conj(x1)[..., None, :], x2)[..., 0, :], out, casting, 1)


# ---- sums of products over chosen axes
@numpy_like(large=SMALL)
def dot(a, b, out=None):
    """As `numpy.dot`."""
    a, b = as_arrays(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return _dot_out(ufuncs.multiply(a, b), out)
    return _dot_out(_tensordot(a, b, [-1], [-2 if b.ndim > 1 else 0], "dot"), out)


def _dot_out(result, out):
    if out is None:
        return result
    if out.dtype != result.dtype or out.shape != result.shape or not out.flags.c_contiguous:
        raise ValueError("output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)")
    out[...] = result
    return out


@numpy_like(large=SMALL)
def vdot(a, b, /):
    """As `numpy.vdot`: the first operand is conjugated."""
    a, b = as_arrays(a, b)
    if a.size != b.size:
        raise ValueError(f"cannot reshape array of size {b.size} into shape {(a.size,)}")
    return dot(_conj(a.reshape(-1)), b.reshape(-1))


@numpy_like(large=SMALL)
def inner(a, b, /):
    """As `numpy.inner`."""
    a, b = as_arrays(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return ufuncs.multiply(a, b)
    return _tensordot(a, b, [-1], [-1], "inner")


@numpy_like(large=SMALL)
def outer(a, b, out=None):
    """As `numpy.outer`."""
    a, b = as_arrays(a, b)
    return ufuncs.multiply(a.reshape(-1, 1), b.reshape(1, -1), out=out)


@numpy_like(large=SMALL)
def tensordot(a, b, axes=2):
    """As `numpy.tensordot`."""
    a, b = as_arrays(a, b)
    if np.ndim(axes) == 0:
        n = int(axes)
        axes_a, axes_b = list(range(-n, 0)), list(range(n))
    else:
        axes_a, axes_b = (list(v) if np.ndim(v) else [v] for v in axes)
    return _tensordot(a, b, axes_a, axes_b, "tensordot")


def _tensordot(a, b, axes_a, axes_b, name):
    mismatch = ValueError(f"{name}: shape-mismatch for sum: {a.shape} and {b.shape} over axes {axes_a} and {axes_b}")
    if len(axes_a) != len(axes_b):
        raise mismatch
    axes_a, axes_b = ([normalize_axis(d, x.ndim) for d in axes] for x, axes in ((a, axes_a), (b, axes_b)))
    if any(a.shape[i] != b.shape[j] for i, j in zip(axes_a, axes_b)):
        if name == "dot":
            raise ValueError(f"shapes {a.shape} and {b.shape} not aligned: {a.shape[axes_a[0]]} (dim {axes_a[0]}) != "
                             f"{b.shape[axes_b[0]]} (dim {axes_b[0]})")  # fmt: skip
        raise mismatch
    free_a, free_b = ([d for d in range(x.ndim) if d not in axes] for x, axes in ((a, axes_a), (b, axes_b)))
    rows, columns = [a.shape[d] for d in free_a], [b.shape[d] for d in free_b]
    k = math.prod(a.shape[d] for d in axes_a)
    dtype = np.result_type(a.dtype, b.dtype)
    left = a.transpose(*free_a, *axes_a).reshape(math.prod(rows), k).astype(dtype, copy=False)
    right = b.transpose(*axes_b, *free_b).reshape(k, math.prod(columns)).astype(dtype, copy=False)
    return _matmul(left, right).reshape(*rows, *columns) if rows or columns else _matmul(left, right).reshape(())


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """As `numpy.trace`."""
    from gpusci.core.reduce import sum

    a = to_device_array(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return sum(wrap(np.diagonal(a._a, offset, axis1, axis2), a), axis=-1, dtype=dtype, out=out)


@numpy_like
def kron(a, b):
    """As `numpy.kron`."""
    a, b = as_arrays(a, b)
    rank = max(a.ndim, b.ndim)
    a, b = (x.reshape((1,) * (rank - x.ndim) + x.shape) for x in (a, b))
    left = a.reshape([n for size in a.shape for n in (size, 1)])
    right = b.reshape([n for size in b.shape for n in (1, size)])
    return ufuncs.multiply(left, right).reshape([n * m for n, m in zip(a.shape, b.shape)])


@numpy_like
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """As `numpy.cross`."""
    axisa, axisb, axisc = (axis,) * 3 if axis is not None else (axisa, axisb, axisc)
    a, b = as_arrays(a, b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    a, b = (wrap(np.moveaxis(x._a, normalize_axis(d, x.ndim), -1), x) for x, d in ((a, axisa), (b, axisb)))
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
                         f"{a.shape[-1]} and {b.shape[-1]} dimensional instead.")  # fmt: skip
    shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    dtype = np.promote_types(a.dtype, b.dtype)
    planar = a.shape[-1] == b.shape[-1] == 2
    a, b = ([x[..., i].astype(dtype, copy=False) if i < x.shape[-1] else None for i in range(3)] for x in (a, b))

    def minor(i, j):
        terms = [ufuncs.multiply(a[p], b[q]) if a[p] is not None and b[q] is not None else None for p, q in ((i, j), (j, i))]
        if terms[0] is None:
            return ufuncs.negative(terms[1])
        return terms[0] if terms[1] is None else ufuncs.subtract(*terms)

    if planar:
        return minor(0, 1)
    out = new((*shape, 3), dtype, next(x for x in a if type(x) is ndarray).device)
    for i, (p, q) in enumerate(((1, 2), (2, 0), (0, 1))):
        out[..., i] = minor(p, q)
    return wrap(np.moveaxis(out._a, -1, normalize_axis(axisc, out.ndim)), out)
