"""CSR and CSC: one storage (data, indices, indptr), rows or columns first."""

import numpy as np

import gpusci as gs
from gpusci.core import dispatch
from gpusci.sparse import _kernels
from gpusci.sparse._base import SparseArray, check_shape
from gpusci.sparse._convert import canonical_order, row_numbers, row_pointers, sum_duplicates, supported
from gpusci.sparse._matrix import sparray, spmatrix
from gpusci.sparse._products import Products
from gpusci.sparse._scipy import scipy_attribute, scipy_first


class Compressed(Products, SparseArray):
    """Construction, as SciPy: `(data, indices, indptr)`, `(data, (row, col))`, a shape, a dense array, another sparse array."""

    _major = 0  # the compressed axis

    indices = scipy_attribute("indices")
    indptr = scipy_attribute("indptr")

    def _parts(self):
        return self._data, self._indices, self._indptr

    def _set_parts(self, parts):
        self._data, self._indices, self._indptr = parts
        self._kept = {}  # what `_swapped` found, shared with transposes

    def _scipy_parts(self):
        return tuple(part.numpy() for part in self._parts())

    @property
    def _lines(self):
        """Rows of csr, columns of csc."""
        return self._shape2d[self._major]

    def _from_arrays(self, arg1, shape, dtype, device):
        if isinstance(arg1, tuple) and len(arg1) == 3:
            self._from_parts(*(dispatch.to_array(part, device) for part in arg1), shape)
        elif isinstance(arg1, tuple):
            coo = self._format("coo")(arg1, shape=shape, dtype=dtype)
            keep = self._index_dtype((*coo.shape, coo.nnz), coo._coords)
            self._from_entries(*coo._entries(), coo.shape, index=keep)
        else:
            self._from_dense(arg1, shape, device)

    def _from_parts(self, data, indices, indptr, shape):
        for name, part in (("data", data), ("indices", indices), ("indptr", indptr)):
            if part.ndim != 1:
                raise ValueError(f"data, indices, and indptr should be 1-D; {name} has {part.ndim} dimensions")
        if len(data) != len(indices):
            raise ValueError("indices and data should have the same size")
        if shape is None:
            minor = int(indices.max()) + 1 if indices.size else 0
            shape = (len(indptr) - 1, minor) if self._major == 0 else (minor, len(indptr) - 1)
        self._shape = shape = check_shape(shape, self._dimensions)
        if len(indptr) != self._lines + 1:
            raise ValueError(f"index pointer size {len(indptr)} should be {self._lines + 1}")
        if indices.dtype.kind not in "iu" or indptr.dtype.kind not in "iu":
            raise ValueError("index arrays should have integer data types")
        if int(indptr[0]) != 0:
            raise ValueError("index pointer should start with 0")
        kept = int(indptr[-1])
        if kept > len(indices):
            raise ValueError("Last value of index pointer should be less than the size of index and data arrays")
        itype = self._index_dtype((*shape, kept), (indices, indptr))
        self._set_parts(gs.ascontiguousarray(part) for part in (
            data[:kept].astype(supported(data.dtype), copy=False),
            indices[:kept].astype(itype, copy=False),
            indptr.astype(itype, copy=False),
        ))  # fmt: skip

    def _from_entries(self, row, col, data, shape, canonical=False, index=None):
        """From entries by row and column; canonical: sorted by them and distinct. Duplicates are added up."""
        self._shape = shape
        lines = self._shape2d if self._major == 0 else self._shape2d[::-1]
        major, minor = (row, col) if self._major == 0 else (col, row)
        if not canonical:
            major, minor, data = sum_duplicates(major, minor, data, lines)
        elif self._major == 1:
            order = canonical_order(major, minor, lines)
            major, minor, data = major[order], minor[order], data[order]
        itype = index or self._index_dtype((*shape, data.size), ())
        self._set_parts((data, minor.astype(itype, copy=False), row_pointers(major, lines[0], itype)))
        self._canonical = True

    @property
    def has_sorted_indices(self):
        """Whether every row's indices ascend (waits for the device)."""
        if self._host is not None:
            return self._host.has_sorted_indices
        return self._ascends(gs.less)

    @has_sorted_indices.setter
    def has_sorted_indices(self, value):
        if self._host is not None:
            self._host.has_sorted_indices = value

    @property
    def has_canonical_format(self):
        """Sorted and free of duplicates (waits for the device)."""
        if self._host is not None:
            return self._host.has_canonical_format
        self._canonical = self._ascends(gs.less_equal)
        return self._canonical

    @has_canonical_format.setter
    def has_canonical_format(self, value):
        if self._host is not None:
            self._host.has_canonical_format = value
        else:
            self._canonical = bool(value)

    def _ascends(self, wrong):
        if self.nnz < 2:
            return True
        rows = row_numbers(self._indptr, self.nnz)
        return not bool((wrong(self._indices[1:], self._indices[:-1]) & (rows[1:] == rows[:-1])).any())

    def _entries(self):
        major = row_numbers(self._indptr, self.nnz)
        return (major, self._indices, self._data) if self._major == 0 else (self._indices, major, self._data)

    def _replace(self, row, col, data):
        """Other entries in this very object, with its index type."""
        self._from_entries(row, col, data, self._shape, index=self._indptr.dtype)

    @scipy_first
    def check_format(self, full_check=True):
        """Raises ValueError where the parts do not make a sparse array; `full_check` looks at every index (waits)."""
        if full_check and self.nnz:
            if int(self._indices.max()) >= self._shape2d[1 - self._major]:
                raise ValueError(f"indices must be < {self._shape2d[1 - self._major]}")
            if int(self._indices.min()) < 0:
                raise ValueError("indices must be >= 0")
            if int(gs.diff(self._indptr).min()) < 0:
                raise ValueError("indptr must be a non-decreasing sequence")

    @scipy_first
    def sort_indices(self):
        """Sort the indices of every row, in place; duplicates stay."""
        major, minor = row_numbers(self._indptr, self.nnz), self._indices
        order = canonical_order(major, minor, self._shape2d if self._major == 0 else self._shape2d[::-1])
        self._indices, self._data = minor[order], self._data[order]

    @scipy_first
    def sorted_indices(self):
        """A copy with sorted indices."""
        out = self.copy()
        out.sort_indices()
        return out

    @scipy_first
    def sum_duplicates(self):
        """Add up entries of equal position, in place; sorts the indices."""
        if not self._canonical:
            self._replace(*self._entries())

    @scipy_first
    def eliminate_zeros(self):
        """Drop stored zeros, in place."""
        keep = gs.flatnonzero(self._data)
        major = row_numbers(self._indptr, self.nnz)[keep]
        self._data, self._indices = self._data[keep], self._indices[keep]
        self._indptr = row_pointers(major, self._lines, self._indptr.dtype)

    @scipy_first
    def prune(self):
        """Nothing to do here: no room is kept behind the last entry."""

    @scipy_first
    def tocoo(self, copy=True):
        row, col, data = self._entries()
        in_order = self._canonical and self.format == "csr"
        out = self._like("coo", row, col, data, self._shape, canonical=in_order, index=self._indices.dtype)
        return out.copy() if copy else out

    @scipy_first
    def transpose(self, axes=None, copy=False):
        if axes is not None and axes != (1, 0):
            raise ValueError("Sparse arrays do not support an 'axes' parameter other than (1, 0) for transposition")
        if self.ndim == 1:
            return self.copy() if copy else self
        cls = self._format("csc" if self.format == "csr" else "csr")
        out = cls.__new__(cls)
        out._kind, out._shape, out._canonical = self._kind, self._shape[::-1], self._canonical
        out._set_parts(part.copy() if copy else part for part in self._parts())
        out._kept = {} if copy else self._kept
        return out

    def _swapped(self):
        """(order of the entries, indices, indptr) of the other compressed format: a stable sort by the minor index.

        Kept with the structure, not the values, so that `a.T @ x` in a loop sorts once; the index arrays are its key.
        """
        kept = self._kept.get("swapped")
        if kept is None or kept[0] is not self._indices or kept[1] is not self._indptr:
            order = gs.argsort(self._indices, stable=True)
            major = row_numbers(self._indptr, self.nnz)[order]
            indptr = row_pointers(self._indices[order], self._shape2d[1 - self._major], self._indptr.dtype)
            kept = self._kept["swapped"] = self._indices, self._indptr, (order, major, indptr)
        return kept[2]

    def _other(self, format):
        """The other compressed format; duplicates stay."""
        cls = self._format(format)
        out = cls.__new__(cls)
        order, indices, indptr = self._swapped()
        out._kind, out._shape, out._canonical = self._kind, self._shape, self._canonical
        out._set_parts((self._data[order], indices, indptr))
        return out

    @scipy_first
    def tocsr(self, copy=False):
        return (self.copy() if copy else self) if self.format == "csr" else self._other("csr")

    @scipy_first
    def tocsc(self, copy=False):
        if self.ndim != 2:
            raise ValueError("Cannot convert a 1d sparse array to csc format")
        return (self.copy() if copy else self) if self.format == "csc" else self._other("csc")

    def _find(self, rows, cols):
        """Values at positions, zero where nothing is stored: a binary search in every row."""
        a = self.tocsr()
        a = a if a._canonical else a._like("csr", *a._canonical_entries(), a._shape)
        out = gs.empty(rows.shape, a.dtype, device=a.device)
        _kernels.csr_find(out.size, (a.dtype, a._indptr.dtype), *a._parts(), rows.astype(np.int64), cols.astype(np.int64), out)
        return out


class _Csr(Compressed):
    format = "csr"
    _dimensions = (1, 2)


class _Csc(Compressed):
    format = "csc"
    _major = 1


class csr_array(_Csr, sparray):
    """Compressed sparse rows. As `scipy.sparse.csr_array`, of one or two dimensions, on either device."""


class csr_matrix(spmatrix, _Csr):
    """As `scipy.sparse.csr_matrix`: `*` is the matrix product, sums keep two dimensions."""


class csc_array(_Csc, sparray):
    """Compressed sparse columns. As `scipy.sparse.csc_array`, two-dimensional, on either device."""


class csc_matrix(spmatrix, _Csc):
    """As `scipy.sparse.csc_matrix`: `*` is the matrix product, sums keep two dimensions."""
