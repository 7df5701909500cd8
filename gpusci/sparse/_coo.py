"""COO: coordinates and values, duplicates allowed."""

import numpy as np

import gpusci as gs
from gpusci.core import dispatch
from gpusci.sparse._base import SparseArray, check_shape
from gpusci.sparse._convert import sum_duplicates, supported
from gpusci.sparse._matrix import sparray, spmatrix
from gpusci.sparse._scipy import lift, lower, scipy_first


def _coordinate(axis):
    def read(self):
        if self._host is not None:
            return lift(self._host.row if axis == 0 else self._host.col, self._kind)
        return self._give_part(self._entries()[axis])

    def write(self, value):
        if self._host is not None:
            setattr(self._host, ("row", "col")[axis], lower(value)[0])
        elif axis == 0 and self.ndim == 1:
            raise AttributeError("the row of a one-dimensional coo_array cannot be set")
        else:
            coords = list(self._coords)
            coords[axis - 2 if axis == 0 else -1] = self._operand(value)
            self._coords, self._canonical = tuple(coords), False

    return property(read, write)


class _Coo(SparseArray):
    format = "coo"
    _dimensions = (1, 2)

    row = _coordinate(0)
    col = _coordinate(1)

    @property
    def coords(self):
        return lift(self._host.coords, self._kind) if self._host is not None else tuple(map(self._give_part, self._coords))

    @property
    def has_canonical_format(self):
        """Whether the entries are known to be sorted and distinct."""
        return self._canonical if self._host is None else self._host.has_canonical_format

    @has_canonical_format.setter
    def has_canonical_format(self, value):
        if self._host is not None:
            self._host.has_canonical_format = value
        else:
            self._canonical = bool(value)

    def _parts(self):
        return self._data, *self._coords

    def _set_parts(self, parts):
        self._data, *coords = parts
        self._coords = tuple(coords)

    def _scipy_parts(self):
        data, *coords = (part.numpy() for part in self._parts())
        return data, tuple(coords)

    def _entries(self):
        if len(self._coords) == 1:
            return gs.zeros(self.nnz, self._coords[0].dtype, device=self.device), self._coords[0], self._data
        return *self._coords, self._data

    def _from_entries(self, row, col, data, shape, canonical=False, index=None):
        self._shape, self._data, self._canonical = shape, data, canonical
        itype = index or self._index_dtype(shape, ())
        self._coords = tuple(part.astype(itype, copy=False) for part in (row, col)[2 - len(shape) :])

    def _from_arrays(self, arg1, shape, dtype, device):
        if not isinstance(arg1, tuple):
            self._from_dense(arg1, shape, device)
            return
        if len(arg1) != 2 or not isinstance(arg1[1], (tuple, list)) and np.ndim(arg1[1]) != 2:
            raise TypeError("invalid input format: give (data, coordinates), a shape, a dense or a sparse array")
        data, coords = dispatch.to_array(arg1[0], device), [dispatch.to_array(part, device) for part in arg1[1]]
        if len(coords) not in self._dimensions:
            raise ValueError(f"{len(coords)} coordinate arrays were given; here there are {self._dimensions}")
        if any(part.shape != data.shape or part.ndim != 1 for part in coords):
            raise ValueError("all index and data arrays must have the same length and one dimension")
        if any(part.dtype.kind not in "iu" for part in coords):
            if data.size:
                raise ValueError("coordinates must be integers")
            coords = [part.astype("i4") for part in coords]
        if shape is None:
            if data.size == 0:
                raise ValueError("cannot infer dimensions from zero sized index arrays")
            shape = tuple(int(part.max()) + 1 for part in coords)
        self._shape = check_shape(shape, self._dimensions)
        if len(self._shape) != len(coords):
            raise ValueError("mismatching number of index arrays for shape")
        for axis, part in enumerate(coords):
            if data.size and int(part.max()) >= self._shape[axis]:
                raise ValueError(f"axis {axis} index {int(part.max())} exceeds matrix dimension {self._shape[axis]}")
            if data.size and int(part.min()) < 0:
                raise ValueError(f"negative axis {axis} index: {int(part.min())}")
        itype = self._index_dtype(self._shape, coords)
        self._set_parts([data.astype(supported(data.dtype), copy=False), *(part.astype(itype, copy=False) for part in coords)])

    @scipy_first
    def sum_duplicates(self):
        """Add up entries of equal position, in place; they are then sorted by row and column."""
        if self._canonical:
            return
        row, col, data = self._entries()
        row, col, data = sum_duplicates(row, col, data, self._shape2d)
        self._data, self._coords, self._canonical = data, (row, col)[2 - self.ndim :], True

    @scipy_first
    def eliminate_zeros(self):
        """Drop stored zeros, in place."""
        keep = gs.flatnonzero(self._data)
        self._set_parts(part[keep] for part in self._parts())

    @scipy_first
    def tocoo(self, copy=False):
        return self.copy() if copy else self

    @scipy_first
    def tocsr(self, copy=False):
        """CSR with duplicates added up, indices sorted."""
        return self._compressed("csr")

    @scipy_first
    def tocsc(self, copy=False):
        """CSC with duplicates added up, indices sorted."""
        if self.ndim != 2:
            raise ValueError("Cannot convert a 1d sparse array to csc format")
        return self._compressed("csc")

    def _compressed(self, format):
        cls = self._format(format)
        out = cls.__new__(cls)
        out._kind = self._kind
        index = self._index_dtype((*self._shape, self.nnz), self._coords)
        out._from_entries(*self._entries(), self._shape, canonical=self._canonical, index=index)
        return out

    @scipy_first
    def transpose(self, axes=None, copy=False):
        axes = tuple(range(self.ndim))[::-1] if axes is None else tuple(axes) if hasattr(axes, "__iter__") else (axes,)
        if sorted(a % self.ndim for a in axes) != list(range(self.ndim)):
            raise ValueError(f"axes {axes} do not match an array of {self.ndim} dimensions")
        if axes[0] % self.ndim == 0:
            return self.copy() if copy else self
        out = self._with_data(self._data, copy=copy)
        out._shape, out._coords, out._canonical = self._shape[::-1], out._coords[::-1], self._canonical and self.ndim == 1
        return out

    def _find(self, rows, cols):
        return self.tocsr()._find(rows, cols)

    def _matmul(self, other):
        return self.tocsr()._matmul(other)


class coo_array(_Coo, sparray):
    """Coordinate format. As `scipy.sparse.coo_array`, on either device; on a GPU of one or two dimensions.

    Made from `(data, (row, col))`, a shape, a dense array or another sparse array. Coordinates are checked against the shape,
    as SciPy does, which waits for the device. Raises ValueError where they lie outside.
    """


class coo_matrix(spmatrix, _Coo):
    """As `scipy.sparse.coo_matrix`: `*` is the matrix product, sums keep two dimensions."""

    def __getitem__(self, key):
        raise TypeError("'coo_matrix' object is not subscriptable; convert it with tocsr")

    def __setitem__(self, key, value):
        raise TypeError("'coo_matrix' object does not support item assignment; convert it with tocsr")
