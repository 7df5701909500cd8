"""What tells sparse arrays and sparse matrices apart, and the methods that only matrices have."""

import numpy as np

import gpusci as gs
from gpusci.sparse._indexing import wrap_index
from gpusci.sparse._scipy import scipy_first


class sparray:
    """What the sparse arrays are instances of, and the matrices are not."""


class spmatrix:
    """What the sparse matrices are instances of, and the arrays are not; their older methods."""

    _is_matrix = True
    _dimensions = (2,)

    @scipy_first
    def getnnz(self, axis=None):
        """Stored entries along an axis or all."""
        if axis is None:
            return self.nnz
        axis = self._axis(axis)
        if (self.format, axis) in (("csr", 1), ("csc", 0)):
            return self._give(gs.diff(self._indptr))
        row, col, _ = self._entries()
        return self._give(gs.bincount(col if axis == 0 else row, minlength=self.shape[1 - axis]))

    def getrow(self, i):
        """Row i as a matrix of one row."""
        i = wrap_index(i, self.shape[0])
        return self.tocsr()[i : i + 1]

    def getcol(self, j):
        """Column j as a matrix of one column."""
        j = wrap_index(j, self.shape[1])
        return (self if self.format == "csc" else self.tocsr())[:, j : j + 1]

    def getH(self):
        """The conjugate transpose."""
        return self.conjugate().transpose()

    def getformat(self):
        return self.format

    def get_shape(self):
        return self.shape

    def asfptype(self):
        """This matrix, with integers as float64."""
        return self if self.dtype.kind in "fc" else self.astype(np.float64)
