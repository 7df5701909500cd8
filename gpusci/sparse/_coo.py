"""COO: coordinates and values, duplicates allowed."""

import numpy as np

import gpusci as gs
from gpusci.core import foreign
from gpusci.sparse._base import SparseArray, check_shape, is_scipy
from gpusci.sparse._convert import canonical_order, index_dtype, row_pointers, sum_duplicates, supported


class coo_array(SparseArray):
    """Coordinate format. As `scipy.sparse.coo_array`, two-dimensional, on either device.

    Made from `(data, (row, col))`, a shape, a dense array or another sparse array. Coordinates are checked against the shape,
    as SciPy does, which waits for the device. Raises ValueError where they lie outside.
    """

    format = "coo"

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        if isinstance(arg1, SparseArray) or is_scipy(arg1):
            self._from_sparse(arg1)
        elif isinstance(arg1, tuple) and len(arg1) == 2 and isinstance(arg1[1], (tuple, list)):
            self._from_coordinates(arg1[0], arg1[1], shape)
        elif isinstance(arg1, tuple) and len(arg1) == 2 and np.ndim(arg1[0]) == 0 and np.ndim(arg1[1]) == 0:
            self._shape = check_shape(arg1)
            self._kind = gs.ndarray if gs.current_device().kind == "cuda" else None
            self._data = gs.zeros(0, dtype or float)
            self._row = self._col = gs.zeros(0, index_dtype(*self._shape))
        elif isinstance(arg1, tuple) and arg1 and all(hasattr(n, "__index__") for n in arg1):
            if self._is_matrix:
                raise TypeError("invalid input format")
            raise ValueError(f"shape must have two dimensions here, got {arg1}")
        else:
            self._from_dense(arg1, shape)
        if dtype is not None:
            self._data = self._data.astype(supported(dtype), copy=False)
        if copy:
            self._data, self._row, self._col = (part.copy() for part in self._parts())

    @classmethod
    def _raw(cls, data, row, col, shape):
        out = cls.__new__(cls)
        out._data, out._row, out._col, out._shape, out._kind = data, row, col, shape, gs.ndarray
        return out

    def _parts(self):
        return self._data, self._row, self._col

    def _with_data(self, data):
        return self._same(type(self), data.astype(supported(data.dtype), copy=False), self._row, self._col)

    def _from_sparse(self, other):
        if is_scipy(other):
            other = other.tocoo()
            self._from_coordinates(other.data, (other.row, other.col), other.shape)
            return
        coo = other.tocoo(copy=False)
        self._data, self._row, self._col, self._shape, self._kind = *coo._parts(), coo.shape, other._kind

    def _from_coordinates(self, data, coordinates, shape):
        if len(coordinates) != 2:
            raise ValueError("two coordinate arrays are needed, rows and columns")
        data, row, col = self._take(data, *coordinates)
        if not data.shape == row.shape == col.shape or data.ndim != 1:
            raise ValueError("row, column, and data array must all be the same length")
        if row.dtype.kind not in "iu" or col.dtype.kind not in "iu":
            if data.size:
                raise ValueError("coordinates must be integers")
            row, col = row.astype("i4"), col.astype("i4")
        if shape is None:
            if data.size == 0:
                raise ValueError("cannot infer dimensions from zero sized index arrays")
            shape = (int(row.max()) + 1, int(col.max()) + 1)
        self._shape = check_shape(shape)
        for name, axis, numbers in (("row", 0, row), ("column", 1, col)):
            if data.size and int(numbers.max()) >= self._shape[axis]:
                raise ValueError(f"{name} index exceeds matrix dimensions")
            if data.size and int(numbers.min()) < 0:
                raise ValueError(f"negative {name} index found")
        itype = self._index_dtype(self._shape, (row, col))
        self._data = data.astype(supported(data.dtype), copy=False)
        self._row, self._col = row.astype(itype, copy=False), col.astype(itype, copy=False)

    def _from_dense(self, dense, shape):
        if not isinstance(dense, gs.ndarray) and not foreign.is_foreign(dense):
            dense = np.asarray(dense)
            if dense.dtype.kind not in "biufc":
                raise ValueError(f"sparse arrays hold numbers, not {dense.dtype}")
        (dense,) = self._take(dense)
        if dense.ndim < 2:
            dense = dense.reshape((1, -1))
        if dense.ndim > 2:
            raise ValueError(f"two dimensions are supported, not {dense.ndim}")
        if shape is not None and check_shape(shape) != dense.shape:
            raise ValueError(f"inconsistent shapes: {shape} != {dense.shape}")
        self._shape = dense.shape
        row, col = gs.nonzero(dense)
        itype = index_dtype(*self._shape)       # the coordinates are ours: nothing of the caller's to keep
        self._data = dense[row, col].astype(supported(dense.dtype), copy=False)
        self._row, self._col = row.astype(itype), col.astype(itype)

    @property
    def row(self):
        return self._give(self._row)

    @property
    def col(self):
        return self._give(self._col)

    @property
    def coords(self):
        return self.row, self.col

    def sum_duplicates(self):
        """Add up entries of equal position, in place; they are then sorted by row and column."""
        self._row, self._col, self._data = sum_duplicates(self._row, self._col, self._data, self._shape)

    def eliminate_zeros(self):
        """Drop stored zeros, in place."""
        keep = gs.flatnonzero(self._data)
        self._data, self._row, self._col = self._data[keep], self._row[keep], self._col[keep]

    def tocoo(self, copy=False):
        return self.copy() if copy else self

    def _compressed(self, name, major, minor, shape):
        order = canonical_order(major, minor, shape[1])
        itype = self._index_dtype((*shape, self.nnz), (self._row, self._col))
        major, minor, data = major[order], minor[order].astype(itype), self._data[order]
        out = self._same(self._format(name), data, minor, row_pointers(major, shape[0], itype))
        out.sum_duplicates()
        return out

    def tocsr(self, copy=False):
        """CSR with duplicates added up, indices sorted."""
        return self._compressed("csr", self._row, self._col, self._shape)

    def tocsc(self, copy=False):
        """CSC with duplicates added up, indices sorted."""
        return self._compressed("csc", self._col, self._row, self._shape[::-1])

    def transpose(self, axes=None, copy=False):
        if axes is not None and tuple(axes) != (1, 0):
            raise ValueError("Sparse arrays do not support an 'axes' parameter other than (1, 0) for transposition")
        out = type(self)._raw(self._data, self._col, self._row, self._shape[::-1])
        out._kind = self._kind
        return out.copy() if copy else out

    def get(self):
        import scipy.sparse

        data, row, col = (part.numpy() for part in self._parts())
        return getattr(scipy.sparse, type(self).__name__)((data, (row, col)), shape=self.shape)


class coo_matrix(coo_array):
    """As `scipy.sparse.coo_matrix`: `*` is the matrix product, sums keep two dimensions."""

    _is_matrix = True
