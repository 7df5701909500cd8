"""Products of CSR with dense and sparse operands."""

import numpy as np

import gpusci as gs
from gpusci.sparse import _kernels
from gpusci.sparse._convert import expand, row_numbers, sum_duplicates, supported
from gpusci.sparse._scipy import issparse


class Products:
    """The device's way of `@`: own kernels, sums in the order of the stored entries. All methods are those of a CSR array."""

    def _matmul(self, other):
        if issparse(other):
            return self._matmul_sparse(self._sparse_operand(other))
        x = self._operand(other)
        return self._give(self._product(x), other)

    def _matmul_sparse(self, other):
        n, k = self._shape2d
        shape = other.shape if other.ndim == 2 else (other.shape[0], 1)
        if k != shape[0]:
            raise ValueError(f"matmul: dimension mismatch with signature (n,k={k}),(k={shape[0]},m)")
        b = other.tocsr()
        right = b if other.ndim == 2 else other.reshape((shape[0], 1)).tocsr()
        row, col, data = sparse_product(self, right, (n, shape[1]))
        if self.ndim == other.ndim == 1:
            return self._give(data.sum(dtype=data.dtype), other)
        result = (self.shape[0],) if other.ndim == 1 else (shape[1],) if self.ndim == 1 else (n, shape[1])
        if other.ndim == 1:
            row, col = col, row
        entries = sum_duplicates(row, col, data, (1, *result) if len(result) == 1 else result)
        return self._like("coo" if len(result) == 1 else "csr", *entries, result, other)

    def _product(self, x):
        """Dense result for a vector (n,) or a matrix (n, k)."""
        rows, columns = self._shape2d
        if x.ndim not in (1, 2):
            raise ValueError(f"a sparse array multiplies vectors and matrices, not {x.ndim}-d arrays")
        if x.shape[0] != columns:
            raise ValueError(f"matmul: dimension mismatch with signature (n,k={columns}),(k={x.shape[0]},...)")
        dtype = supported(np.result_type(self.dtype, x.dtype))
        out = gs.empty((rows, *x.shape[1:]), dtype, device=self.device)
        types = (self.dtype, x.dtype, dtype, self._indptr.dtype)
        if x.ndim == 2:
            x = gs.ascontiguousarray(x)
            _kernels.csr_matmat(out.size, types, *self._parts(), x, out, x.shape[1])
        elif self.device.kind == "cuda" and self.nnz > 4 * rows:
            # A warp per row pays when rows have several entries; 8 warps a block.
            _kernels.csr_matvec_warps(-(-rows // 8), types, *self._parts(), x, out, rows)
        else:
            _kernels.csr_matvec(rows, types, *self._parts(), x, out)
        return out[0] if self.ndim == 1 else out


def sparse_product(a, b, shape):
    """Entries of CSR times CSR, duplicates not yet added up: every product is written out. Integers are exact.

    The count of products must be known on the host: a wait.
    """
    dtype = supported(np.result_type(a.dtype, b.dtype))
    starts = b._indptr[:-1].astype(np.int64)
    lengths = b._indptr[1:] - starts
    left, right = expand(starts[a._indices], lengths[a._indices])     # entry of a and of b, for every product
    rows = row_numbers(a._indptr, a.nnz)[left]
    return rows, b._indices[right], a._data[left].astype(dtype) * b._data[right].astype(dtype)
