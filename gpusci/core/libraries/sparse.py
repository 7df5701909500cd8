"""Sparse products, solves and conversions: cuSPARSE on CUDA, scipy.sparse on the host by zero-copy views.

A matrix is a `Csr`: three arrays of one device and a shape. Index arrays are both int32 or both int64; what cuSPARSE has for
int32 only says so with a ValueError. Values are float32, float64, complex64 or complex128 where there is arithmetic, anything
where there is none.
"""

from contextlib import ExitStack
from typing import NamedTuple

import numpy as np

from gpusci.core._ndarray import from_numpy, new
from gpusci.core.libraries import cuda_type, handle, on_gpu, one, workspace, zero

__all__ = ["Csr", "coo_order", "matmat", "matvec", "multiply", "solve_triangular", "sort_indices", "transpose"]

OPS = {"N": 0, "T": 1, "C": 2}  # cusparseOperation_t
INDEX = {"i": 2, "l": 3, "q": 3}  # cusparseIndexType_t: 32I, 64I
COLUMN_ORDER, ROW_ORDER = 1, 2  # cusparseOrder_t
SPMM_CSR_ALG2 = 6  # the one for row-major dense matrices
CSR2CSC_ALG1 = 1
FILL_MODE, DIAG_TYPE = 0, 1  # cusparseSpMatAttribute_t
# A type to move values of a size with, where no arithmetic is done.
CARRIER = {1: "b", 2: "e", 4: "f", 8: "d", 16: "D"}


class Csr(NamedTuple):
    """A compressed-sparse-row matrix; the same arrays read as CSC are its transpose."""

    data: object
    indices: object
    indptr: object
    shape: tuple


def matvec(a, x, trans="N", out=None):
    """op(a) @ x for a vector; `out` is a contiguous vector of the result's size."""
    out = new((a.shape[0 if trans == "N" else 1],), a.data.dtype, x.device) if out is None else out
    if not on_gpu(x):
        out.numpy()[...] = _op(a, trans) @ x.numpy()
        return out
    if not a.data.size or not out.size:
        out[...] = 0
        return out
    x = _contiguous(x, a)
    with _Descriptors(x.device) as d:
        kind = cuda_type(a.data.dtype)
        where = (d.handle, _operation(a, trans), one(a.data.dtype), d.csr(a), d.vector(x), zero(a.data.dtype), d.vector(out), kind, 0)
        work = workspace(d.cusparse.sp_mv_buffer_size(*where), x.device)
        d.cusparse.sp_mv(*where, work.ptr)
    return out


def matmat(a, b, trans="N"):
    """op(a) @ b for a dense matrix in any layout; the result is in C order."""
    out = new((a.shape[0 if trans == "N" else 1], b.shape[1]), a.data.dtype, b.device)
    if not on_gpu(b):
        out.numpy()[...] = _op(a, trans) @ b.numpy()
        return out
    if not a.data.size or not out.size:
        out[...] = 0
        return out
    if b.dtype != a.data.dtype:
        b = b.astype(a.data.dtype)
    with _Descriptors(b.device) as d:
        dense, order = d.dense(b)
        kind, algorithm = cuda_type(a.data.dtype), SPMM_CSR_ALG2 if order == ROW_ORDER and trans == "N" else 0
        where = (
            d.handle,
            _operation(a, trans),
            0,
            one(a.data.dtype),
            d.csr(a),
            dense,
            zero(a.data.dtype),
            d.dense(out)[0],
            kind,
            algorithm,
        )
        work = workspace(d.cusparse.sp_mm_buffer_size(*where), b.device)
        d.cusparse.sp_mm(*where, work.ptr)
    return out


def multiply(a, b):
    """a @ b as a `Csr`; indices within a row in no particular order. Waits for the GPU: the size of the result is read."""
    shape = a.shape[0], b.shape[1]
    device, dtype = a.data.device, a.data.dtype
    if not on_gpu(a.data):
        return _from_scipy(_scipy(a) @ _scipy(b))
    _int32(a, "the product of sparse matrices")
    indptr = new((shape[0] + 1,), np.int32, device)
    if not a.data.size or not b.data.size:
        indptr[...] = 0
        return Csr(new((0,), dtype, device), new((0,), np.int32, device), indptr, shape)
    with _Descriptors(device) as d:
        cusparse = d.cusparse
        state = d.keep(cusparse.sp_gemm_create_descr(), cusparse.sp_gemm_destroy_descr)
        c = d.csr(Csr(None, None, indptr, shape), dtype)
        where = (d.handle, 0, 0, one(dtype), d.csr(a), d.csr(b), zero(dtype), c, cuda_type(dtype), 0, state)
        first = workspace(cusparse.sp_gemm_work_estimation(*where, 0), device)
        cusparse.sp_gemm_work_estimation(*where, first.ptr)
        size = np.zeros(1, np.uint64)
        cusparse.sp_gemm_compute(*where, size.ctypes.data, 0)
        second = workspace(int(size[0]), device)
        cusparse.sp_gemm_compute(*where, size.ctypes.data, second.ptr)
        count = cusparse.sp_mat_get_size(c)[2]
        data, indices = new((count,), dtype, device), new((count,), np.int32, device)
        cusparse.csr_set_pointers(c, indptr.ptr, indices.ptr, data.ptr)
        cusparse.sp_gemm_copy(*where)
    return Csr(data, indices, indptr, shape)


def solve_triangular(a, b, lower=True, trans="N", unit_diagonal=False):
    """x with op(triangle of a) @ x = b for a dense vector or matrix b; a has sorted indices. A zero on the diagonal gives
    values that are not finite."""
    if not on_gpu(b):
        return _host_triangular(a, b, lower, trans, unit_diagonal)
    x = new(b.shape, a.data.dtype, b.device)
    if not x.size:
        return x
    columns = x if x.ndim == 2 else x[:, None]
    b = b.astype(a.data.dtype, copy=False)
    with _Descriptors(b.device) as d:
        cusparse, kind = d.cusparse, cuda_type(a.data.dtype)
        matrix = d.csr(a)
        for attribute, value in ((FILL_MODE, 0 if lower else 1), (DIAG_TYPE, int(unit_diagonal))):
            value = np.array([value], np.int32)
            cusparse.sp_mat_set_attribute(matrix, attribute, value.ctypes.data, value.nbytes)
        state = d.keep(cusparse.sp_sm_create_descr(), cusparse.sp_sm_destroy_descr)
        right = d.dense(b if b.ndim == 2 else b[:, None])[0]
        where = (d.handle, _operation(a, trans), 0, one(a.data.dtype), matrix, right, d.dense(columns)[0], kind, 0, state)
        work = workspace(cusparse.sp_sm_buffer_size(*where), b.device)
        cusparse.sp_sm_analysis(*where, work.ptr)
        cusparse.sp_sm_solve(*where)
    return x


def transpose(a):
    """The transpose as a `Csr` with sorted indices, for values of any dtype."""
    (m, n), device, dtype = a.shape, a.data.device, a.data.dtype
    if not on_gpu(a.data):
        return _moved(a, lambda places: places.T.tocsr())
    _int32(a, "the transpose of a sparse matrix")
    count = a.data.size
    out = Csr(new((count,), dtype, device), new((count,), np.int32, device), new((n + 1,), np.int32, device), (n, m))
    if not count:
        out.indptr[...] = 0
        return out
    cusparse, h = handle("cusparse", device)
    where = (h, m, n, count, a.data.ptr, a.indptr.ptr, a.indices.ptr, out.data.ptr, out.indptr.ptr, out.indices.ptr,
             cuda_type(CARRIER[dtype.itemsize]), 1, 0, CSR2CSC_ALG1)  # fmt: skip
    work = workspace(cusparse.csr2csc_ex2_buffer_size(*where), device)
    cusparse.csr2csc_ex2(*where, work.ptr)
    return out


def sort_indices(a):
    """The same matrix with the indices of each row in increasing order; duplicates stay."""
    if not on_gpu(a.data):
        return _moved(a, lambda places: places.sorted_indices())
    _int32(a, "sorting the indices of a sparse matrix")
    if not a.data.size:
        return a
    device, (m, n), count = a.data.device, a.shape, a.data.size
    cusparse, h = handle("cusparse", device)
    indices, order = a.indices.copy(), new((count,), np.int32, device)
    cusparse.create_identity_permutation(h, count, order.ptr)
    work = workspace(cusparse.xcsrsort_buffer_size_ext(h, m, n, count, a.indptr.ptr, indices.ptr), device)
    with _Descriptors(device) as d:
        general = d.keep(cusparse.create_mat_descr(), cusparse.destroy_mat_descr)
        cusparse.xcsrsort(h, m, n, count, general, a.indptr.ptr, indices.ptr, order.ptr, work.ptr)
    return Csr(_take(a.data, order), indices, a.indptr, a.shape)


def coo_order(rows, columns, shape):
    """(rows, columns, order) of a coordinate list sorted by row, then column; `order` takes the values along. int32."""
    if not on_gpu(rows):
        order = np.lexsort((columns.numpy(), rows.numpy()))
        return from_numpy(rows.numpy()[order]), from_numpy(columns.numpy()[order]), from_numpy(order.astype(np.int32))
    if rows.dtype.itemsize != 4 or columns.dtype.itemsize != 4:
        raise ValueError("cuSPARSE sorts int32 coordinates only; use gpusci.lexsort")
    device, count = rows.device, rows.size
    rows, columns, order = rows.copy(), columns.copy(), new((count,), np.int32, device)
    if count:
        cusparse, h = handle("cusparse", device)
        cusparse.create_identity_permutation(h, count, order.ptr)
        work = workspace(cusparse.xcoosort_buffer_size_ext(h, *shape, count, rows.ptr, columns.ptr), device)
        cusparse.xcoosort_by_row(h, *shape, count, rows.ptr, columns.ptr, order.ptr, work.ptr)
    return rows, columns, order


# ---- descriptors
def _operation(a, trans):
    """cusparseOperation_t; for real matrices cuSPARSE refuses the conjugate transpose."""
    return OPS["T" if trans == "C" and a.data.dtype.kind != "c" else trans]


class _Descriptors(ExitStack):
    """cuSPARSE's host-side descriptors of one call, destroyed with it: the library has read them when a call returns."""

    def __init__(self, device):
        super().__init__()
        self.cusparse, self.handle = handle("cusparse", device)

    def keep(self, descriptor, destroy):
        self.callback(destroy, descriptor)
        return descriptor

    def csr(self, a, dtype=None):
        kind, index = cuda_type(a.data.dtype if dtype is None else dtype), INDEX[a.indptr.dtype.char]
        count, indices, data = (a.data.size, a.indices.ptr, a.data.ptr) if a.data is not None else (0, 0, 0)
        made = self.cusparse.create_csr(*a.shape, count, a.indptr.ptr, indices, data, index, index, 0, kind)
        return self.keep(made, self.cusparse.destroy_sp_mat)

    def vector(self, x):
        return self.keep(self.cusparse.create_dn_vec(x.size, x.ptr, cuda_type(x.dtype)), self.cusparse.destroy_dn_vec)

    def dense(self, x):
        """(descriptor, order) of a matrix; copied where its rows or columns are not dense."""
        (m, n), (row, column) = x.shape, (s // x.itemsize for s in x.strides)
        if column == 1 and (row >= n or m == 1):
            order, ld = ROW_ORDER, max(row, n)
        elif row == 1 and (column >= m or n == 1):
            order, ld = COLUMN_ORDER, max(column, m)
        else:
            x = x.copy()
            self.callback(lambda: x)  # kept until the call is enqueued
            order, ld = ROW_ORDER, max(x.shape[1], 1)
        made = self.cusparse.create_dn_mat(*x.shape, ld, x.ptr, cuda_type(x.dtype), order)
        return self.keep(made, self.cusparse.destroy_dn_mat), order


def _contiguous(x, a):
    x = x.astype(a.data.dtype, copy=False)
    return x if x.flags.c_contiguous else x.copy()


def _take(x, order):
    from gpusci.core.indexing import take

    return take(x, order)


def _int32(a, what):
    if a.indptr.dtype.itemsize != 4 or a.indices.dtype.itemsize != 4:
        raise ValueError(f"cuSPARSE has {what} for int32 indices only, these are {a.indices.dtype}; convert them first")


# ---- the host
def _scipy(a):
    from scipy.sparse import csr_array

    return csr_array((a.data.numpy(), a.indices.numpy(), a.indptr.numpy()), shape=a.shape, copy=False)


def _op(a, trans):
    matrix = _scipy(a)
    return matrix if trans == "N" else matrix.T if trans == "T" else matrix.conj().T


def _from_scipy(matrix):
    return Csr(from_numpy(matrix.data), from_numpy(matrix.indices), from_numpy(matrix.indptr), matrix.shape)


def _moved(a, change):
    """`change` applied to the places of the values, so that values of any dtype follow."""
    places = change(_scipy(a._replace(data=from_numpy(np.arange(a.data.size)))))
    return _from_scipy(places)._replace(data=from_numpy(a.data.numpy()[places.data]))


def _host_triangular(a, b, lower, trans, unit_diagonal):
    from scipy.sparse import tril, triu
    from scipy.sparse.linalg import spsolve_triangular

    triangle = _from_scipy((tril if lower else triu)(_scipy(a)).tocsr())
    triangle = _op(triangle, trans).tocsr()
    lower = lower if trans == "N" else not lower
    return from_numpy(spsolve_triangular(triangle, b.numpy(), lower=lower, unit_diagonal=unit_diagonal))
