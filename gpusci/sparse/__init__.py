"""Sparse arrays: CSR, CSC and COO, their conversions, arithmetic, indexing and products. As `scipy.sparse`, on either device."""

from gpusci.core import check, fallback
from gpusci.sparse._compressed import csc_array, csc_matrix, csr_array, csr_matrix
from gpusci.sparse._construct import (
    block_array,
    block_diag,
    bmat,
    diags,
    diags_array,
    eye,
    eye_array,
    find,
    hstack,
    identity,
    isspmatrix,
    isspmatrix_bsr,
    isspmatrix_coo,
    isspmatrix_csc,
    isspmatrix_csr,
    isspmatrix_dia,
    isspmatrix_dok,
    isspmatrix_lil,
    kron,
    kronsum,
    load_npz,
    rand,
    random,
    random_array,
    save_npz,
    tril,
    triu,
    vstack,
)
from gpusci.sparse._coo import coo_array, coo_matrix
from gpusci.sparse._matrix import sparray, spmatrix
from gpusci.sparse._scipy import issparse, scipy_sparse

__version__ = "0.2.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()

__all__ = [
    "SparseEfficiencyWarning", "SparseWarning", "block_array", "block_diag", "bmat", "coo_array", "coo_matrix", "csc_array",
    "csc_matrix", "csr_array", "csr_matrix", "diags", "diags_array", "eye", "eye_array", "find", "hstack", "identity",
    "issparse", "isspmatrix", "isspmatrix_bsr", "isspmatrix_coo", "isspmatrix_csc", "isspmatrix_csr", "isspmatrix_dia",
    "isspmatrix_dok", "isspmatrix_lil", "kron", "kronsum", "load_npz", "rand", "random", "random_array", "save_npz", "sparray",
    "spmatrix", "tril", "triu", "vstack",
]  # fmt: skip

_others = fallback(__name__)


def __getattr__(name):
    """SciPy's warnings, without importing SciPy before they are asked for."""
    return getattr(scipy_sparse(), name) if name in ("SparseEfficiencyWarning", "SparseWarning") else _others(name)


check(__name__)
