"""Validation cases of gpusci.sparse."""

from importlib import import_module
from io import BytesIO

import numpy as np

import gpusci as gs
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


@drawn
def same_shape(rng, got):
    """A second matrix of the first one's shape."""
    a = np.asarray(got[0])
    return rng.permuted(a, axis=0) if a.size else a.copy()


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


def _arithmetic(make, a, b):
    x, y = make(a), make(b)
    dense = gs.asnumpy(a)
    return tuple(r.toarray() for r in (x.multiply(y), x.maximum(y), x.minimum(y), x + y, x != y, x > y, x.multiply(dense[:1]),
                                       x != 0, x.maximum(0))) + (x + dense, (x.power(2) if x.dtype != bool else x).toarray())


def _elements(make, a):
    x = make(a).tocsr() if make.__name__ == "coo_matrix" else make(a)
    m, n = x.shape
    mask = np.arange(m) % 3 != 1
    outs = x[::-1], x[m // 2 :, ::2], x[mask], x[:, [n - 1, 0, 0]], x[[0, m - 1]], x[m - 1]
    return tuple(out.toarray().reshape(-1, n if k != 1 and k != 3 else out.shape[-1]) for k, out in enumerate(outs)) + (x[m - 1, 0],)


def _extremes(make, a):
    x = make(a)
    lines = tuple(getattr(x, f)(axis=k).toarray().reshape(-1) for f in ("max", "min", "nanmax") for k in (0, 1))
    places = tuple(gs.asnumpy(x.argmax(axis=k)).reshape(-1) for k in (0, 1))
    return (*lines, *places, x.max(), x.min(), x.argmax(), x.count_nonzero(), *x.tocsr().nonzero(), x.reshape((-1, 1)).toarray())


# ---- functions: arrays of the same library as the function
def _library(f):
    return import_module("scipy.sparse" if f.__module__.startswith("scipy") else "gpusci.sparse")


def _stack(f, a, b):
    m = _library(f)
    arrays = m.csr_array(a), m.csr_array(np.flip(a)), m.csc_array(b)
    return (f([arrays[0], arrays[1]]).toarray(), f([arrays[0], arrays[1]], format="coo").toarray(), f([m.coo_matrix(a)] * 3).toarray(),
            f([arrays[2], np.flip(b)]).toarray())  # fmt: skip


def _table(f, a, b):
    m = _library(f)
    x, y = m.csr_array(a), m.coo_matrix(b)
    return f([[x, None], [None, y]]).toarray(), f([[x, x], [x, None]], format="csc").toarray()


def _along_diagonal(f, a, b):
    m = _library(f)
    return f((m.csr_array(a), b, m.coo_matrix(b))).toarray()


def _kron(f, a, b):
    m = _library(f)
    return f(m.csr_array(a), m.coo_array(b)).toarray(), f(m.csc_matrix(a), b, format="csr").toarray()


def _kronsum(f, a):
    m = _library(f)
    n = min(a.shape)
    return f(m.csr_array(a[:n, :n]), m.coo_array(a[-n:, -n:] if n else a[:n, :n])).toarray()


def _triangle(f, a, k):
    x = _library(f).csr_array(a)
    return f(x, k).toarray(), f(x.tocoo(), k=k, format="csc").toarray(), f(gs.asnumpy(a), k).toarray()


def _find(f, a):
    return f(_library(f).csr_array(a))


def _shaped(f, m, k):
    return f(m, m + 2, k=k, format="csr").toarray(), f(m, k=k, dtype="i4").toarray()


def _diagonals(f, a, k):
    line = gs.asnumpy(a).diagonal()
    return f([line], offsets=[k], dtype=None).toarray(), f([1.0, -2.0, 1.0], offsets=[-1, 0, 1], shape=(4, 5), format="csc").toarray()


def _seeded(f, seed):
    shape = ((9, 14),) if f.__name__ == "random_array" else (9, 14)
    return f(*shape, density=0.3, rng=seed).toarray(), f(*shape, density=0.1, format="csr", dtype="f4", rng=seed).toarray()


def _asked(f, a):
    m = _library(f)
    return tuple(f(x) for x in (m.csr_array(a), m.csr_matrix(a), m.csc_matrix(a), m.coo_matrix(a), a, None))


def _instances(f, a):
    m = _library(f)
    return tuple(isinstance(x, f) for x in (m.csr_array(a), m.csr_matrix(a), m.csc_array(a), m.coo_matrix(a), a))


def _file(f, a):
    m, file = _library(f), BytesIO()
    m.save_npz(file, m.csr_array(a))
    file.seek(0)
    return m.load_npz(file).toarray()


NO_PLACES = {"empty": "no largest element without elements"}
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
    *(Case(name, args(dense, same_shape), normwise(f=4, d=4), dtypes="?ifdD", call=_arithmetic, id="arithmetic")
      for name in CLASSES),
    *(Case(name, args(dense), exact(), dtypes="?ifdD", call=_elements, id="elements", skip=NO_PLACES) for name in CLASSES),
    *(Case(name, args(dense), exact(), dtypes="?bifd", call=_extremes, id="extremes", skip=NO_PLACES) for name in CLASSES),
    *(Case(name, args(dense, same_shape), exact(), dtypes="?ifD", call=_stack) for name in ("hstack", "vstack")),
    *(Case(name, args(dense, same_shape), exact(), dtypes="ifD", call=_table) for name in ("block_array", "bmat")),
    Case("block_diag", args(dense, same_shape), exact(), dtypes="ifD", call=_along_diagonal),
    Case("kron", args(dense, same_shape), exact(), dtypes="ifD", call=_kron),
    Case("kronsum", args(dense), exact(), dtypes="ifD", call=_kronsum),
    *(Case(name, args(dense, choice(0, 2, -1)), exact(), dtypes="?ifD", call=_triangle) for name in ("tril", "triu")),
    Case("find", args(dense), exact(), dtypes="?ifD", call=_find),
    *(Case(name, args(choice(3, 7), choice(0, 1, -2)), exact(), call=_shaped) for name in ("eye_array", "eye")),
    Case("identity", args(choice(0, 1, 5)), exact(), call=lambda f, n: (f(n).toarray(), f(n, "i4", format="coo").toarray())),
    *(Case(name, args(dense, choice(0, 1, -2)), exact(), dtypes="ifD", call=_diagonals, skip=NO_PLACES)
      for name in ("diags_array", "diags")),
    *(Case(name, args(choice(0, 7)), exact(), call=_seeded) for name in ("random_array", "random", "rand")),
    *(Case(name, args(dense), exact(), dtypes="d", call=_asked)
      for name in ("issparse", "isspmatrix", *(f"isspmatrix_{f}" for f in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")))),
    *(Case(name, args(dense), exact(), dtypes="d", call=_instances) for name in ("sparray", "spmatrix")),
    *(Case(name, args(dense), exact(), dtypes="?ifD", call=_file) for name in ("load_npz", "save_npz")),
]  # fmt: skip

DIFFERENCES = {
    "formats": "coo, csc and csr: what SciPy returns as dia or bsr (eye, diags, kron) is csr; todia, tobsr, tolil and todok lack.",
    "dimensions": "on a GPU coo arrays have one or two dimensions; on the host more, as SciPy's.",
    "argmax": "argmax and argmin see a stored zero where it stands; SciPy 1.17 takes it for a later one (cupy/cupy#10169).",
    "assignment": "of repeated elements the last counts; SciPy 1.17's coo_array, and ours on the host, keeps the first.",
    "float16": "becomes float32; SciPy refuses it.",
    "spmatrix": "has no set_shape and getmaxprint.",
    "random": "on a GPU the entries are drawn on the host, so that a seed gives the same numbers everywhere.",
}
