"""Validation cases of gpusci.sparse."""

import numpy as np

from validation import Case, args, choice, drawn, exact, normwise

ANY = "?bIqfdFD"
REAL = "bqfdFD"
BAD = [args([1, 2], shape=(2,) * 3), args((3,) * 3), args("text")]


@drawn
def dense(rng, got):
    """A matrix that is mostly zero, with an empty row where there is room."""
    rows, cols = (1, 1) if got.variant == "single" else (int(rng.integers(2, 30)), int(rng.integers(2, 30)))
    if got.variant == "empty":
        rows, cols = [(0, cols), (rows, 0)][int(rng.integers(2))]
    a = rng.integers(1, 9, (rows, cols)) * (rng.random((rows, cols)) < 0.2)
    if rows > 2:
        a[int(rng.integers(rows))] = 0
    return (a + 1j * np.roll(a, 1)).astype(got.dtype) if got.dtype.kind == "c" else a.astype(got.dtype)


def factor(columns):
    """A dense right factor: a vector, or a matrix of some columns."""
    @drawn
    def draw(rng, got):
        shape = (np.shape(got[0])[1], columns) if columns else (np.shape(got[0])[1],)
        return rng.integers(-5, 6, shape).astype(got.dtype)
    return draw


def _entries(rng, got):
    """(data, row, column) with duplicates."""
    n = {"empty": 0, "single": 1}.get(got.variant, 40)
    return rng.integers(1, 9, n).astype(got.dtype), rng.integers(0, 7, n), rng.integers(0, 5, n)


def part(which):
    @drawn
    def draw(rng, got):
        if which == 0:
            return _entries(rng, got)[0]
        return rng.integers(0, (7, 5)[which - 1], len(got[0]))
    return draw


# ---- what is done with an object: everything it holds, everything it becomes
def _formats(make, a):
    x = make(a)
    return tuple(getattr(x, f"to{f}")().toarray() for f in ("csr", "csc", "coo")), x.T.toarray(), x.nnz, x.shape, x.format


def _structure(make, a):
    x = make(a)
    if x.format == "coo":
        return x.data, x.row, x.col
    return x.data, x.indices, x.indptr


def _from_entries(make, data, row, col):
    x = make((data, (row, col)), shape=(7, 5))
    return x.toarray(), x.tocsr().toarray(), x.tocsc().toarray(), (x + x).toarray(), (-x if data.dtype.kind != "b" else x).toarray()


def _product(make, a, x):
    return make(a) @ x


def _algebra(make, a, scale):
    x = make(a)
    return (x * scale).toarray(), (x - x.tocsr() * 2).toarray(), (x @ x.T).toarray(), x.diagonal(), x.diagonal(1), abs(x).toarray()


def _sums(make, a):
    x = make(a)
    columns = x.sum(axis=0)             # of matrices: numpy.matrix in SciPy
    return x.sum(), np.asarray(columns).reshape(-1) if isinstance(columns, np.ndarray) else columns.reshape(-1)


CLASSES = [f"{f}_{kind}" for f in ("coo", "csc", "csr") for kind in ("array", "matrix")]

CASES = [
    *(Case(name, args(dense), exact(), dtypes=ANY, call=_formats, id="formats", raises=BAD[1:]) for name in CLASSES),
    *(Case(name, args(dense), exact(), dtypes="if", call=_structure, id="structure") for name in CLASSES),
    *(Case(name, args(part(0), part(1), part(2)), exact(), dtypes=REAL, call=_from_entries, id="entries") for name in CLASSES),
    *(Case(name, args(dense, factor(0)), normwise(f=4, d=4), dtypes="iqfdFD", call=_product, id="vector",
           skip={"single": "SciPy 1.17's coo_array of shape (1, 1) drops the axis of the result"} if name == "coo_array" else {})
      for name in CLASSES),
    *(Case(name, args(dense, factor(4)), normwise(f=4, d=4), dtypes="ifD", call=_product, id="matrix") for name in CLASSES),
    *(Case(name, args(dense, choice(2, 0.5)), normwise(f=8, d=8), dtypes="ifdD", call=_algebra, id="algebra",
           skip={"empty": "SciPy has no diagonal of a matrix without rows or columns"}) for name in CLASSES),
    *(Case(name, args(dense), normwise(f=4, d=4), dtypes="?bifD", call=_sums, id="sums") for name in CLASSES),
    Case("issparse", args(dense), exact(), dtypes="d", call=lambda f, a: f(a)),
]  # fmt: skip

DIFFERENCES = {
    "shape": "sparse arrays have two dimensions; one-dimensional coo_array and csr_array are not supported yet.",
    "multiply": "element-wise products and quotients with arrays are not supported yet.",
}
