"""Dense products and triangular solves: cuBLAS on CUDA, NumPy and SciPy's BLAS on the host.

Row-major, column-major and padded matrices, batches and broadcast batches are passed as they lie; only other layouts are
copied. cuBLAS thinks in columns: a row-major C = A B is handed to it as C' = B' A'.
"""

from math import prod

import numpy as np

from gpusci.core._ndarray import from_numpy, new
from gpusci.core.libraries import cuda_type, handle, on_gpu, one, zero
from gpusci.core.plans import keep

__all__ = ["PREFIX", "gemm", "matmul", "trsm"]

PREFIX = {"f": "s", "d": "d", "F": "c", "D": "z"}  # BLAS and LAPACK names by dtype
# cublasComputeType_t: products of float16 are summed in float32; no TF32.
COMPUTE = {"e": 68, "f": 68, "F": 68, "d": 70, "D": 70}
N, T, C = 0, 1, 2  # cublasOperation_t
DEFAULT_ALGORITHM = -1
FEW = 16  # matrix products worth a launch each
HALF_BY_FLOAT = 1 << 12  # on the host: elements from which a float32 product pays


def matmul(a, b, out=None):
    """As `numpy.matmul` for float and complex arrays: 1-d operands, broadcast batches; `out` must have the result's dtype.

    Raises TypeError for other dtypes, ValueError for shapes that do not match.
    """
    dtype = a.dtype if a.dtype == b.dtype else np.result_type(a.dtype, b.dtype)
    if dtype.char not in COMPUTE:
        raise TypeError(f"blas.matmul takes float and complex arrays, not {dtype}")
    shape = _result_shape(a.shape, b.shape)
    if out is not None and (out.shape != shape or out.dtype != dtype):
        raise ValueError(f"matmul: out has shape {out.shape} and dtype {out.dtype}; {shape} and {dtype} are needed")
    if not on_gpu(a):
        return _host_matmul(a, b, dtype, out)
    target = out
    if out is None or _overlap(out, a) or _overlap(out, b):
        target = new(shape, dtype, a.device)
    a, b = (x if x.dtype == dtype else x.astype(dtype) for x in (a, b))
    if a.ndim == b.ndim == 1:
        _dot(a, b, target)
    else:
        c = target[..., None, :] if a.ndim == 1 else target
        c = c[..., None] if b.ndim == 1 else c
        gemm(a[None] if a.ndim == 1 else a, b[:, None] if b.ndim == 1 else b, c)
    if out is not None and target is not out:
        out[...] = target
    return target if out is None else out


def _result_shape(a, b):
    if not a or not b:
        raise ValueError("matmul: Input operand does not have enough dimensions (a scalar was given; use multiply)")
    if a[-1] != b[-2 if len(b) > 1 else 0]:
        raise ValueError(
            f"matmul: Input operand 1 has a mismatch in its core dimension 0: {a[-1]} columns of the first operand do not "
            f"match {b[-2 if len(b) > 1 else 0]} rows of the second"
        )
    batch = a[:-2] if len(a) == len(b) and a[:-2] == b[:-2] else np.broadcast_shapes(a[:-2], b[:-2])
    return (*batch, *a[-2:-1], *b[-1:]) if len(b) > 1 else (*batch, *a[-2:-1])


def _host_matmul(a, b, dtype, out):
    if dtype.char == "e" and a.size + b.size > HALF_BY_FLOAT:  # NumPy has no BLAS for float16
        result = np.matmul(a.numpy().astype(np.float32), b.numpy().astype(np.float32)).astype(dtype)
        if out is None:
            return from_numpy(result)
        out.numpy()[...] = result
        return out
    if out is not None:
        np.matmul(a.numpy(), b.numpy(), out=out.numpy())
        return out
    return from_numpy(np.asarray(np.matmul(a.numpy(), b.numpy())))


def _overlap(x, y):
    """Whether the memory of two arrays may overlap (by their extents)."""

    def extent(z):
        spans = [(n - 1) * s for n, s in zip(z.shape, z.strides)]
        return z.ptr + sum(s for s in spans if s < 0), z.ptr + sum(s for s in spans if s > 0) + z.itemsize

    (a, b), (c, d) = extent(x), extent(y)
    return bool(x.size and y.size) and a < d and c < b


# ---- cuBLAS
_calls = {}  # the product of arrays that lie in a certain way -> a function of the three


def gemm(a, b, c):
    """c = a @ b for matrices or batches of them, all of c's dtype; batch axes of a and b broadcast. c must not overlap them."""
    key = (c.dtype, a.shape, a.strides, b.shape, b.strides, c.shape, c.strides)
    call = _calls.get(key)
    if call is None:
        if not c.size:
            return
        if not a.shape[-1]:
            c[...] = 0
            return
        call = keep(_calls, key, _one_call(a, b, c) or _in_steps)
    call(a, b, c)


def _one_call(a, b, c):
    """The product of arrays that lie like these as one call of the library, or None where it takes copies or several calls."""
    if None in (layouts := [_layout(x) for x in (a, b, c)]):
        return None
    (ta, lda), (tb, ldb), (tc, ldc) = layouts
    if tc == T:  # column-major result: the transposed problem
        turned = _one_call(b.mT, a.mT, c.mT)
        return turned and (lambda a, b, c: turned(b, a, c))
    m, n, k, dims = _extents(a, b, c, ta, lda, ldc)
    if len(dims) > 1:
        return None
    count, sb, sa, sc = dims[0] if dims else (1, 0, 0, 0)
    kind, alpha, beta, compute = _types(c.dtype)
    if count == 1:

        def run(a, b, c):
            cublas, h = handle("cublas", c.device)
            cublas.gemm_ex_64(
                h, tb, ta, n, m, k, alpha, b.ptr, kind, ldb, a.ptr, kind, lda, beta, c.ptr, kind, ldc, compute, DEFAULT_ALGORITHM
            )

        return run

    def run_batch(a, b, c):
        cublas, h = handle("cublas", c.device)
        cublas.gemm_strided_batched_ex_64(
            h, tb, ta, n, m, k, alpha, b.ptr, kind, ldb, sb, a.ptr, kind, lda, sa, beta, c.ptr, kind, ldc, sc, count, compute,
            DEFAULT_ALGORITHM,
        )  # fmt: skip

    return run_batch


def _extents(a, b, c, ta, lda, ldc):
    """m, n, k of the matrices and the batch axes with their strides of b, a and c."""
    m, n, k, batch = *c.shape[-2:], a.shape[-1], c.shape[:-2]
    dims = _merge(batch, *(_batch_strides(x, batch) for x in (b, a, c)))
    if len(dims) == 1 and dims[0][1] == 0 and ta == N and dims[0][2] == m * lda and dims[0][3] == m * ldc:
        m, dims = m * dims[0][0], []  # one right factor for all: a single tall product
    return m, n, k, dims


def _in_steps(a, b, c):
    layout = _layout(c)
    if layout is None:  # a result with other strides goes through a contiguous one
        dense = new(c.shape, c.dtype, c.device)
        gemm(a, b, dense)
        c[...] = dense
        return
    if layout[0] == T:
        return gemm(b.mT, a.mT, c.mT)
    if _layout(a) is None or _layout(b) is None:
        return gemm(*(x if _layout(x) else x.copy() for x in (a, b)), c)
    (ta, lda), (tb, ldb), ldc = _layout(a), _layout(b), layout[1]
    m, n, k, dims = _extents(a, b, c, ta, lda, ldc)
    job = (tb, ta, n, m, k, (b, ldb), (a, lda), (c, ldc))
    if prod(d[0] for d in dims[:-1]) <= FEW:
        _strided(job, dims)
    else:
        _pointers(job, dims)


def _layout(x):
    """(N or T, leading dimension) of the matrices in x seen as row-major, or None where BLAS has no name for it."""
    (r, c), (sr, sc) = x.shape[-2:], (s // x.itemsize for s in x.strides[-2:])
    if (sc == 1 or c == 1) and (sr >= c or r == 1):
        return N, max(sr if r > 1 else c, 1)
    if (sr == 1 or r == 1) and (sc >= r or c == 1):
        return T, max(sc if c > 1 else r, 1)
    return None


def _laid_out(x):
    layout = _layout(x)
    if layout is None:
        x = x.copy()
        layout = _layout(x)
    return x, layout


def _batch_strides(x, batch):
    strides = [0] * (len(batch) - x.ndim + 2)
    return strides + [s // x.itemsize if n > 1 else 0 for n, s in zip(x.shape[:-2], x.strides)]


def _merge(batch, *strides):
    """Batch axes as [(length, stride of each operand)], adjacent ones merged where every operand allows."""
    dims = []
    for n, *step in zip(batch, *strides):
        if n == 1:
            continue
        if dims and all(outer == inner * n for outer, inner in zip(dims[-1][1:], step)):
            dims[-1] = (dims[-1][0] * n, *step)
        else:
            dims.append((n, *step))
    return dims


def _offsets(dims):
    """Element offsets (one per operand) of all combinations of the batch axes, as an array (count, operands)."""
    offsets = np.zeros((1, 3), np.int64)
    for n, *step in dims:
        offsets = (offsets[:, None] + np.arange(n)[:, None] * np.array(step, np.int64)).reshape(-1, 3)
    return offsets


def _types(dtype):
    scalar = np.float32 if dtype.char == "e" else dtype
    return cuda_type(dtype), one(scalar), zero(scalar), COMPUTE[dtype.char]


def _strided(job, dims):
    """A strided-batched product for each combination of the outer batch axes; the innermost is the library's batch."""
    tx, ty, rows, columns, k, (x, ldx), (y, ldy), (c, ldc) = job
    count, sx, sy, sc = dims[-1]
    cublas, h = handle("cublas", c.device)
    kind, alpha, beta, compute = _types(c.dtype)
    for ox, oy, oc in (_offsets(dims[:-1]) * c.itemsize).tolist():
        cublas.gemm_strided_batched_ex_64(
            h, tx, ty, rows, columns, k, alpha, x.ptr + ox, kind, ldx, sx, y.ptr + oy, kind, ldy, sy, beta, c.ptr + oc, kind, ldc,
            sc, count, compute, DEFAULT_ALGORITHM,
        )  # fmt: skip


def _pointers(job, dims):
    """One call over an array of pointers: batches that no single stride describes."""
    tx, ty, rows, columns, k, (x, ldx), (y, ldy), (c, ldc) = job
    addresses = _offsets(dims) * c.itemsize + np.array([x.ptr, y.ptr, c.ptr], np.int64)
    table = c.device.table(np.ascontiguousarray(addresses.T))
    count, step = table.shape[1], table.strides[0]
    cublas, h = handle("cublas", c.device)
    kind, alpha, beta, compute = _types(c.dtype)
    cublas.gemm_batched_ex_64(
        h, tx, ty, rows, columns, k, alpha, table.ptr, kind, ldx, table.ptr + step, kind, ldy, beta, table.ptr + 2 * step,
        kind, ldc, count, compute, DEFAULT_ALGORITHM,
    )  # fmt: skip


def _dot(a, b, out):
    """out = sum(a * b) for vectors."""
    n = a.size
    if not n:
        out[...] = 0
        return
    a, b = (x if x.strides[0] > 0 or n == 1 else x.copy() for x in (a, b))
    cublas, h = handle("cublas", a.device)
    kind, compute = cuda_type(a.dtype), cuda_type("f" if a.dtype.char == "e" else a.dtype)
    step = [max(x.strides[0] // x.itemsize, 1) for x in (a, b)]
    cublas.set_pointer_mode(h, 1)  # the result stays on the device
    try:
        cublas.dot_ex_64(h, n, a.ptr, kind, step[0], b.ptr, kind, step[1], out.ptr, kind, compute)
    finally:
        cublas.set_pointer_mode(h, 0)


# ---- triangular solves
def trsm(a, b, *, lower, trans="N", unit_diagonal=False):
    """Solve op(a) x = b in place of b, which is (..., n, nrhs) with as many leading axes as a has; matrices in C or Fortran
    order, both float or complex of one dtype. trans: "N", "T" or "C" (conjugate transpose)."""
    if not b.size:
        return b
    if not on_gpu(b):
        return _host_trsm(a, b, lower, trans, unit_diagonal)
    if trans == "C" and a.dtype.kind != "c":
        trans = "T"
    a, (ta, lda) = _laid_out(a)
    lb = _layout(b)
    if trans == "C" and (ta == N or lb is None or lb[0] == N):  # BLAS has no conjugation without transposition
        a, (ta, lda) = _laid_out(_conj(a).mT)
        trans, lower = "N", not lower
    if lb is None:
        dense = trsm(a, b.copy(), lower=lower, trans=trans, unit_diagonal=unit_diagonal)
        b[...] = dense
        return b
    # Seen by columns a row-major matrix is its transpose: op and triangle flip.
    op = {"N": N, "T": T, "C": C}[trans]
    if ta == N:
        op, lower = (T if op == N else N), not lower
    left = lb[0] == T
    if not left:  # row-major b: x' op(a)' = b'
        op = T if op == N else N
    m, n = b.shape[-2:] if left else b.shape[:-3:-1]
    cublas, h = handle("cublas", b.device)
    name = PREFIX[b.dtype.char] + "trsm"
    where = (h, 0 if left else 1, 0 if lower else 1, op, int(unit_diagonal), m, n, one(b.dtype))
    batch = b.shape[:-2]
    dims = _merge(batch, *(_batch_strides(x, batch) for x in (a, b, b)))
    offsets = _offsets(dims)[:, :2] * b.itemsize + np.array([a.ptr, b.ptr])
    if len(offsets) <= FEW:
        for pa, pb in offsets.tolist():
            getattr(cublas, name + "_64")(*where, pa, lda, pb, lb[1])
    else:
        table = b.device.table(np.ascontiguousarray(offsets.T))
        getattr(cublas, name + "_batched_64")(*where, table.ptr, lda, table.ptr + table.strides[0], lb[1], len(offsets))
    return b


def _conj(x):
    from gpusci.core.ufuncs import conjugate

    return conjugate(x)


def _host_trsm(a, b, lower, trans, unit_diagonal):
    from scipy.linalg import solve_triangular

    a, x = np.broadcast_to(a.numpy(), (*b.shape[:-2], *a.shape[-2:])), b.numpy()
    kw = {"lower": lower, "trans": trans, "unit_diagonal": unit_diagonal, "check_finite": False}
    for i in np.ndindex(b.shape[:-2]):
        try:
            x[i] = solve_triangular(a[i], x[i], **kw)
        except np.linalg.LinAlgError:  # cuBLAS divides by the zero, and so do we
            x[i] = np.inf
    return b
