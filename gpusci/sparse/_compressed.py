"""CSR and CSC: one storage (data, indices, indptr), rows or columns first."""

import numpy as np

import gpusci as gs
from gpusci.sparse import _kernels
from gpusci.sparse._base import SparseArray, check_shape, is_scipy
from gpusci.sparse._convert import canonical_order, index_dtype, row_numbers, row_pointers, sum_duplicates, supported


class Compressed(SparseArray):
    """Construction, as SciPy: `(data, indices, indptr)`, `(data, (row, col))`, a shape, a dense array, another sparse array."""

    _major = 0  # the compressed axis

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        if isinstance(arg1, SparseArray) or is_scipy(arg1):
            made = self._from_sparse(arg1)
        elif isinstance(arg1, tuple) and len(arg1) == 3:
            made = self._from_parts(*arg1, shape)
        elif isinstance(arg1, tuple) and len(arg1) == 2 and not isinstance(arg1[1], (tuple, list)) and np.ndim(arg1[1]) == 0:
            shape = check_shape(arg1)
            self._kind = gs.ndarray if gs.current_device().kind == "cuda" else None
            zeros = [gs.zeros(n, t) for n, t in ((0, dtype or float), (0, "i4"), (shape[self._major] + 1, "i4"))]
            made = (*zeros, shape)
        else:
            coo = self._format("coo")(arg1, shape=shape, dtype=dtype)
            made = self._from_sparse(coo)
        self._data, self._indices, self._indptr, self._shape = made
        if dtype is not None and supported(dtype) != self.dtype:
            self._data = self._data.astype(supported(dtype))
        if copy:
            self._data, self._indices, self._indptr = (part.copy() for part in self._parts())

    @classmethod
    def _raw(cls, data, indices, indptr, shape):
        out = cls.__new__(cls)
        out._data, out._indices, out._indptr, out._shape, out._kind = data, indices, indptr, shape, gs.ndarray
        return out

    def _parts(self):
        return self._data, self._indices, self._indptr

    def _with_data(self, data):
        return self._same(type(self), data.astype(supported(data.dtype), copy=False), self._indices, self._indptr)

    def _from_parts(self, data, indices, indptr, shape):
        data, indices, indptr = self._take(data, indices, indptr)
        for name, part in (("data", data), ("indices", indices), ("indptr", indptr)):
            if part.ndim != 1:
                raise ValueError(f"{name} must be one-dimensional, it has {part.ndim} dimensions")
        if len(data) != len(indices):
            raise ValueError("indices and data should have the same size")
        if shape is None:
            minor = int(indices.max()) + 1 if indices.size else 0
            shape = (len(indptr) - 1, minor) if self._major == 0 else (minor, len(indptr) - 1)
        shape = check_shape(shape)
        if len(indptr) != shape[self._major] + 1:
            raise ValueError(f"index pointer size {len(indptr)} should be {shape[self._major] + 1}")
        if indices.dtype.kind not in "iu" or indptr.dtype.kind not in "iu":
            raise ValueError("index arrays should have integer data types")
        kept = int(indptr[-1]) if len(indptr) else 0
        if kept > len(indices):
            raise ValueError("Last value of index pointer should be less than the size of index and data arrays")
        itype = self._index_dtype((*shape, kept), (indices, indptr))
        return (
            gs.ascontiguousarray(data[:kept].astype(supported(data.dtype), copy=False)),
            gs.ascontiguousarray(indices[:kept].astype(itype, copy=False)),
            gs.ascontiguousarray(indptr.astype(itype, copy=False)),
            shape,
        )

    def _from_sparse(self, other):
        if is_scipy(other):
            other = other.asformat(self.format)
            return self._from_parts(other.data, other.indices, other.indptr, other.shape)
        self._kind = other._kind
        other = other.asformat(self.format)
        return (*other._parts(), other.shape)

    @property
    def indices(self):
        return self._give(self._indices)

    @property
    def indptr(self):
        return self._give(self._indptr)

    @property
    def has_sorted_indices(self):
        """Whether every row's indices ascend (waits for the device)."""
        if self.nnz < 2:
            return True
        rows = row_numbers(self._indptr, self.nnz)
        return not bool(((self._indices[1:] < self._indices[:-1]) & (rows[1:] == rows[:-1])).any())

    @property
    def has_canonical_format(self):
        """Sorted and free of duplicates (waits for the device)."""
        if self.nnz < 2:
            return True
        rows = row_numbers(self._indptr, self.nnz)
        return not bool(((self._indices[1:] <= self._indices[:-1]) & (rows[1:] == rows[:-1])).any())

    def _entries(self):
        return row_numbers(self._indptr, self.nnz), self._indices, self._data

    def _store(self, major, minor, data):
        self._indptr = row_pointers(major, self._shape[self._major], self._indptr.dtype)
        self._indices, self._data = minor, data

    def sort_indices(self):
        major, minor, data = self._entries()
        order = canonical_order(major, minor, self._shape[1 - self._major])
        self._indices, self._data = minor[order], data[order]

    def sum_duplicates(self):
        """Add up entries of equal position, in place; sorts the indices."""
        shape = self._shape if self._major == 0 else self._shape[::-1]
        self._store(*sum_duplicates(*self._entries(), shape))

    def eliminate_zeros(self):
        """Drop stored zeros, in place."""
        major, minor, data = self._entries()
        keep = gs.flatnonzero(data)
        self._store(major[keep], minor[keep], data[keep])

    def tocoo(self, copy=True):
        major, minor, data = self._entries()
        row, col = (major, minor) if self._major == 0 else (minor, major)
        out = self._same(self._format("coo"), data, row, col)
        return out.copy() if copy else out

    def transpose(self, axes=None, copy=False):
        if axes is not None and tuple(axes) != (1, 0):
            raise ValueError("Sparse arrays do not support an 'axes' parameter other than (1, 0) for transposition")
        out = self._format("csc" if self.format == "csr" else "csr")._raw(*self._parts(), self._shape[::-1])
        out._kind = self._kind
        return out.copy() if copy else out

    def _swapped(self):
        """The parts of the other compressed format: a stable sort by the minor index."""
        major, minor, data = self._entries()
        order = gs.argsort(minor, stable=True)
        return data[order], major[order], row_pointers(minor[order], self._shape[1 - self._major], self._indptr.dtype)

    def tocsr(self, copy=False):
        if self.format == "csr":
            return self.copy() if copy else self
        return self._same(self._format("csr"), *self._swapped())

    def tocsc(self, copy=False):
        if self.format == "csc":
            return self.copy() if copy else self
        return self._same(self._format("csc"), *self._swapped())

    def get(self):
        import scipy.sparse

        parts = tuple(part.numpy() for part in self._parts())
        return getattr(scipy.sparse, type(self).__name__)(parts, shape=self.shape)


class _CsrProducts:
    """Products of CSR with dense and sparse operands."""

    def _dense(self):
        out = gs.zeros(self._shape, self.dtype, device=self.device)
        unique = self._canonical()
        rows, cols, data = unique._entries()
        out.reshape(-1)[rows.astype(np.int64) * self._shape[1] + cols] = data
        return out

    def _matmul(self, other):
        from gpusci.sparse._base import issparse

        if issparse(other):
            other = self._format("csr")(other)
            if self.shape[1] != other.shape[0]:
                raise ValueError(f"matmul: dimension mismatch with signature (n,k={self.shape[1]}),(k={other.shape[0]},m)")
            out = sparse_product(self, other)
            out._kind = gs.ndarray if gs.ndarray in (self._kind, other._kind) else self._kind
            return out
        (x,) = self._operand(other)
        return self._give(self._product(x), other)

    def _product(self, x):
        """Dense result for a vector (n,) or a matrix (n, k)."""
        if x.ndim not in (1, 2):
            raise ValueError(f"a sparse array multiplies vectors and matrices, not {x.ndim}-d arrays")
        if x.shape[0] != self.shape[1]:
            raise ValueError(f"matmul: dimension mismatch with signature (n,k={self.shape[1]}),(k={x.shape[0]},...)")
        dtype = supported(np.result_type(self.dtype, x.dtype))
        out = gs.empty((self.shape[0], *x.shape[1:]), dtype, device=self.device)
        types = (self.dtype, x.dtype, dtype, self._indptr.dtype)
        if x.ndim == 2:
            x = gs.ascontiguousarray(x)
            _kernels.csr_matmat(out.size, types, *self._parts(), x, out, x.shape[1])
        elif self.device.kind == "cuda" and self.nnz > 4 * self.shape[0]:
            # A warp per row pays when rows have several entries; 8 warps a block.
            _kernels.csr_matvec_warps(-(-self.shape[0] // 8), types, *self._parts(), x, out, self.shape[0])
        else:
            _kernels.csr_matvec(self.shape[0], types, *self._parts(), x, out)
        return out


def sparse_product(a, b):
    """CSR times CSR: on the host SciPy's; on a GPU every product is written out, sorted by position, equal ones summed.

    Integers are exact. The count of products and of distinct positions must be known on the host: two waits.
    """
    shape, dtype = (a.shape[0], b.shape[1]), supported(np.result_type(a.dtype, b.dtype))
    if a.device.uses_numpy:
        product = a.get() @ b.get()
        return type(a)._raw(*map(gs.asarray, (product.data, product.indices, product.indptr)), shape)
    lengths = (b._indptr[1:] - b._indptr[:-1])[a._indices].astype(np.int64)
    ends = gs.cumsum(lengths)
    total = int(ends[-1]) if a.nnz else 0
    if total == 0:
        zeros = gs.zeros(0, dtype), gs.zeros(0, "i4"), gs.zeros(shape[0] + 1, "i4")
        return type(a)._raw(*(z.to_device(a.device) for z in zeros), shape)
    left = gs.repeat(gs.arange(a.nnz, device=a.device), lengths)  # entry of a, for every product
    within = gs.arange(total, device=a.device) - (ends - lengths)[left]
    right = b._indptr[a._indices[left]] + within
    rows = row_numbers(a._indptr, a.nnz)[left]
    values = a._data[left].astype(dtype) * b._data[right].astype(dtype)
    rows, cols, values = sum_duplicates(rows, b._indices[right], values, shape)
    itype = index_dtype(*shape, values.size)
    return type(a)._raw(values, cols.astype(itype), row_pointers(rows, shape[0], itype), shape)


class csr_array(_CsrProducts, Compressed):
    """Compressed sparse rows. As `scipy.sparse.csr_array`, two-dimensional, on either device."""

    format = "csr"


class csr_matrix(csr_array):
    """As `scipy.sparse.csr_matrix`: `*` is the matrix product, sums keep two dimensions."""

    _is_matrix = True


class csc_array(Compressed):
    """Compressed sparse columns. As `scipy.sparse.csc_array`, two-dimensional, on either device."""

    format = "csc"
    _major = 1


class csc_matrix(csc_array):
    """As `scipy.sparse.csc_matrix`: `*` is the matrix product, sums keep two dimensions."""

    _is_matrix = True
