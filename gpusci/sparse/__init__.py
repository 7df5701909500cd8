"""Sparse arrays: CSR, CSC and COO, their conversions and products. As `scipy.sparse`, on either device."""

from gpusci.core import check, fallback
from gpusci.sparse._base import issparse
from gpusci.sparse._compressed import csc_array, csc_matrix, csr_array, csr_matrix
from gpusci.sparse._coo import coo_array, coo_matrix

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()

__all__ = ["coo_array", "coo_matrix", "csc_array", "csc_matrix", "csr_array", "csr_matrix", "issparse"]

__getattr__ = fallback(__name__)
check(__name__)
