"""Functions that make sparse arrays: stacking, diagonals, Kronecker products, triangles, random ones.

Where the device uses NumPy they are SciPy's. Elsewhere the entries are computed there, in coordinates. There is no dia, bsr,
lil or dok format: what SciPy returns in one of these becomes csr.
"""

from functools import cache, wraps

import numpy as np

import gpusci as gs
from gpusci.core import dispatch
from gpusci.sparse._base import SparseArray, theirs_to_ours
from gpusci.sparse._convert import supported
from gpusci.sparse._coo import coo_array, coo_matrix
from gpusci.sparse._scipy import Elsewhere, is_scipy, issparse, lift, lower, place, scipy_sparse

FORMATS = (None, "coo", "csc", "csr")
NOT_GIVEN = object()  # diags without a dtype: SciPy has an older rule for it


def scipy_function(func):
    """Decorator of a function that is SciPy's where the device uses NumPy; the body is the way of other devices."""
    @cache
    def theirs():
        return getattr(scipy_sparse(), func.__name__)

    def on_host(args, kwargs):
        args, kind = lower(args)
        given = {}
        for key, value in kwargs.items():
            given[key], kind = lower(value, kind)
        return lift(theirs()(*args, **given), kind)

    @wraps(func)
    def inner(*args, **kwargs):
        if kwargs.get("format") not in FORMATS:
            raise ValueError(f"format is {kwargs['format']!r}; it must be 'coo', 'csc' or 'csr'")
        if gs.current_device().uses_numpy:
            try:
                return on_host(args, kwargs)
            except Elsewhere:
                pass                                    # its arrays are on a GPU all the same
        _, device = place((*args, *kwargs.values()))
        return on_host(args, kwargs) if device.uses_numpy else func(*args, **kwargs)

    inner.gpusci_status = "library"
    return inner


def _made(row, col, data, shape, format, matrix, kind, canonical=False, default="coo"):
    """The result from entries on their device."""
    out = (coo_matrix if matrix else coo_array).__new__(coo_matrix if matrix else coo_array)
    out._kind = kind
    out._from_entries(row, col, data.astype(supported(data.dtype), copy=False), shape, canonical)
    return out.asformat(format or default)


def _free_kind(device):
    """The kind of a result that no array was given for."""
    return gs.ndarray if device.kind == "cuda" else None


def _is_array(x):
    return isinstance(x, SparseArray) and not x._is_matrix or is_scipy(x) and not scipy_sparse().isspmatrix(x)


def _coo(x, device):
    """Anything two-dimensional as coo entries on a device; formats as they are."""
    x = theirs_to_ours(x, device) if is_scipy(x) else x
    if isinstance(x, SparseArray):
        if x.device is not device:
            raise ValueError(f"sparse arrays of different devices: {x.device.name} and {device.name}; move one with to_device")
        return x.tocoo(copy=False)
    like = coo_array.__new__(coo_array)
    like._kind = None
    like._from_dense(dispatch.to_array(np.atleast_2d(x) if not isinstance(x, gs.ndarray) else x, device), None, device)
    return like


# ---- blocks
@scipy_function
def hstack(blocks, format=None, dtype=None):
    """Sparse arrays side by side. As `scipy.sparse.hstack`."""
    return _blocks([list(blocks)], format, dtype, not any(map(_is_array, blocks)))


@scipy_function
def vstack(blocks, format=None, dtype=None):
    """Sparse arrays one below the other. As `scipy.sparse.vstack`."""
    return _blocks([[b] for b in blocks], format, dtype, not any(map(_is_array, blocks)))


@scipy_function
def block_array(blocks, *, format=None, dtype=None):
    """A sparse array from a table of blocks, None for zeros. As `scipy.sparse.block_array`."""
    return _blocks(blocks, format, dtype, False)


@scipy_function
def bmat(blocks, format=None, dtype=None):
    """As `scipy.sparse.bmat`: a matrix unless a block is a sparse array."""
    return _blocks(blocks, format, dtype, not any(_is_array(b) for row in blocks for b in row))


def _blocks(blocks, format, dtype, matrix):
    kind, device = place(blocks)
    table = [list(row) for row in blocks]
    if not table or not table[0] or len({len(row) for row in table}) != 1:
        raise ValueError("blocks must be a table of two dimensions")
    formats = {b.format if issparse(b) else None for row in table for b in row}
    table = [[None if b is None else _coo(b, device) for b in row] for row in table]
    heights = [_common([b._shape2d[0] for b in row if b is not None], f"blocks[{i},:] has incompatible row dimensions")
               for i, row in enumerate(table)]  # fmt: skip
    widths = [_common([b._shape2d[1] for b in col if b is not None], f"blocks[:,{j}] has incompatible column dimensions")
              for j, col in enumerate(zip(*table))]  # fmt: skip
    tops, lefts = np.cumsum([0, *heights]).tolist(), np.cumsum([0, *widths]).tolist()
    pieces = [(b, tops[i], lefts[j]) for i, row in enumerate(table) for j, b in enumerate(row) if b is not None]
    default = formats.pop() if formats in ({"csr"}, {"csc"}) else "coo"
    return _assembled(pieces, (tops[-1], lefts[-1]), format or default, dtype, matrix, kind, device)


def _assembled(pieces, shape, format, dtype, matrix, kind, device):
    """The array that consists of coo arrays, each with the row and column where it begins."""
    zeros = [gs.zeros(0, t, device=device) for t in (np.int64, np.int64)]
    rows, cols, values = zeros[:1], zeros[1:], []
    for block, top, left in pieces:
        row, col, data = block._entries()
        rows.append(row.astype(np.int64) + top)
        cols.append(col.astype(np.int64) + left)
        values.append(data)
    data = gs.concatenate(values) if values else gs.zeros(0, np.float64, device=device)
    data = data if dtype is None else data.astype(dtype)
    return _made(gs.concatenate(rows), gs.concatenate(cols), data, shape, format, matrix, kind)


def _common(sizes, message):
    if len(set(sizes)) > 1:
        raise ValueError(f"{message}: {sizes}")
    return sizes[0] if sizes else 0


@scipy_function
def block_diag(mats, format=None, dtype=None):
    """Blocks along the diagonal. As `scipy.sparse.block_diag`."""
    kind, device = place((list(mats),))
    pieces, top, left = [], 0, 0
    for a in mats:
        block = _coo(a, device)
        pieces.append((block, top, left))
        top, left = top + block._shape2d[0], left + block._shape2d[1]
    return _assembled(pieces, (top, left), format, dtype, not any(map(_is_array, mats)), kind, device)


# ---- diagonals
@scipy_function
def eye_array(m, n=None, *, k=0, dtype=float, format=None):
    """Ones on a diagonal. As `scipy.sparse.eye_array`, csr where no format is given."""
    return _eye(m, n, k, dtype, format, False)


@scipy_function
def eye(m, n=None, k=0, dtype=float, format=None):
    """Ones on a diagonal, as a matrix. As `scipy.sparse.eye`, csr where no format is given."""
    return _eye(m, n, k, dtype, format, True)


@scipy_function
def identity(n, dtype="d", format=None):
    """The identity, as a matrix. As `scipy.sparse.identity`, csr where no format is given."""
    return _eye(n, n, 0, dtype, format, True)


def _eye(m, n, k, dtype, format, matrix):
    device = gs.current_device()
    m, n = int(m), int(m if n is None else n)
    length = min(m + k, n - k, m, n)
    if length < 0:
        raise ValueError(f"diagonal {k} is out of bounds of an array of shape ({m}, {n})")
    i = gs.arange(length, device=device)
    ones = gs.ones(i.size, dtype, device=device)
    return _made(i + max(-k, 0), i + max(k, 0), ones, (m, n), format, matrix, _free_kind(device), True, default="csr")


@scipy_function
def diags_array(diagonals, /, *, offsets=0, shape=None, format=None, dtype=NOT_GIVEN):
    """A sparse array from diagonals. As `scipy.sparse.diags_array`, csr where no format is given."""
    return _diags(diagonals, offsets, shape, format, dtype, False)


@scipy_function
def diags(diagonals, offsets=0, shape=None, format=None, dtype=NOT_GIVEN):
    """A sparse matrix from diagonals. As `scipy.sparse.diags`, csr where no format is given."""
    return _diags(diagonals, offsets, shape, format, dtype, True)


def _diags(diagonals, offsets, shape, format, dtype, matrix):
    kind, device = place((diagonals,))
    if np.ndim(offsets) == 0:
        if len(diagonals) and np.ndim(diagonals[0]):
            raise ValueError("Different number of diagonals and offsets.")
        diagonals = [diagonals]
    lines = [x if isinstance(x, gs.ndarray) else dispatch.to_array(np.atleast_1d(x), device) for x in diagonals]
    lines = [x.reshape(1) if x.ndim == 0 else x for x in lines]
    offsets = [int(k) for k in np.atleast_1d(offsets)]
    if len(lines) != len(offsets):
        raise ValueError("Different number of diagonals and offsets.")
    if len(set(offsets)) != len(offsets):
        raise ValueError("offset array contains duplicate values")
    if dtype is NOT_GIVEN or dtype is None:
        common = np.result_type(*(x.dtype for x in lines))
        dtype = np.common_type(*(np.empty(0, x.dtype) for x in lines)) if dtype is NOT_GIVEN else common
    m, n = shape if shape is not None else (lines[0].size + abs(offsets[0]),) * 2
    parts = []
    for j, (x, k) in enumerate(zip(lines, offsets)):
        length = min(m + k, n - k, m, n)
        if length < 0:
            raise ValueError(f"Offset {k} (index {j}) out of bounds")
        if x.size < length and x.size != 1:
            raise ValueError(f"Diagonal length (index {j}: {x.size} at offset {k}) does not agree with array size ({m}, {n}).")
        i = gs.arange(length, device=device)
        parts.append((i + max(-k, 0), i + max(k, 0), gs.broadcast_to(x[:length] if x.size > 1 else x, (length,)).astype(dtype)))
    row, col, data = (gs.concatenate(part) for part in zip(*parts))
    keep = gs.flatnonzero(data)
    kind = kind if any(isinstance(x, gs.ndarray) for x in diagonals) or kind is not None else _free_kind(device)
    return _made(row[keep], col[keep], data[keep], (int(m), int(n)), format, matrix, kind, default="csr")


# ---- products and parts
@scipy_function
def kron(A, B, format=None):
    """Kronecker product. As `scipy.sparse.kron`, csr where SciPy chooses bsr."""
    kind, device = place((A, B))
    matrix = not (_is_array(A) or _is_array(B))
    a, b = _coo(A, device), _coo(B, device)
    (r, c, x), (s, t, y) = a._entries(), b._entries()
    (p, q), (m, n) = a._shape2d, b._shape2d
    row = gs.repeat(r.astype(np.int64) * m, y.size) + gs.tile(s, x.size)
    col = gs.repeat(c.astype(np.int64) * n, y.size) + gs.tile(t, x.size)
    data = gs.repeat(x, y.size) * gs.tile(y, x.size) if x.size and y.size else gs.zeros(0, np.float64, device=device)
    dense = format is None and 2 * y.size >= m * n and x.size and y.size
    return _made(row, col, data, (p * m, q * n), format, matrix, kind, default="csr" if dense else "coo")


@scipy_function
def kronsum(A, B, format=None):
    """kron(I, A) + kron(B, I). As `scipy.sparse.kronsum`."""
    kind, device = place((A, B))
    a, b = _coo(A, device), _coo(B, device)
    for name, x in (("A", a), ("B", b)):
        if x.ndim != 2 or x.shape[0] != x.shape[1]:
            raise ValueError(f"{name} is not square")
    m, n = a.shape[0], b.shape[0]
    dtype = np.result_type(a.dtype, b.dtype)
    with gs.device(device):
        left, right = kron(_eye(n, n, 0, dtype, None, False), a), kron(b, _eye(m, m, 0, dtype, None, False))
    out = left.tocsr() + right.tocsr()
    matrix = not (_is_array(A) or _is_array(B))
    return _made(*out._canonical_entries(), out.shape, format, matrix, kind, True, default="csr")


@scipy_function
def tril(A, k=0, format=None):
    """The elements on and below a diagonal. As `scipy.sparse.tril`."""
    return _triangle(A, format, lambda row, col: row.astype(np.int64) + k >= col)


@scipy_function
def triu(A, k=0, format=None):
    """The elements on and above a diagonal. As `scipy.sparse.triu`."""
    return _triangle(A, format, lambda row, col: row.astype(np.int64) + k <= col)


def _triangle(A, format, inside):
    kind, device = place((A,))
    a = _coo(A, device)
    row, col, data = a._entries()
    keep = gs.flatnonzero(inside(row, col))
    return _made(row[keep], col[keep], data[keep], a._shape2d, format, not _is_array(A), kind, a._canonical)


@scipy_function
def find(A):
    """Rows, columns and values of the elements that are not zero. As `scipy.sparse.find`."""
    kind, device = place((A,))
    row, col, data = _coo(A, device)._canonical_entries()
    keep = gs.flatnonzero(data)
    return dispatch.as_kind((row[keep], col[keep], data[keep]), kind)


# ---- random ones
def _drawn(name, args, kwargs):
    """SciPy's random array, drawn on the host: a seed gives the same numbers on every device."""
    return _uploaded(getattr(scipy_sparse(), name)(*args, **kwargs))


def _uploaded(made):
    """SciPy's array on the current device."""
    device = gs.current_device()
    if device.uses_numpy:
        return lift(made, None)
    out = theirs_to_ours(made, device)
    out._kind = _free_kind(device)
    return out


@scipy_function
def random_array(shape, *, density=0.01, format="coo", dtype=None, rng=None, data_sampler=None, random_state=None):
    """Random entries. As `scipy.sparse.random_array`; drawn on the host, so that a seed gives the same on every device."""
    seed = {"random_state": random_state} if random_state is not None else {"rng": rng}
    return _drawn("random_array", (shape,), dict(density=density, format=format, dtype=dtype, data_sampler=data_sampler, **seed))


@scipy_function
def random(m, n, density=0.01, format="coo", dtype=None, rng=None, data_rvs=None, *, random_state=None):
    """Random entries, as a matrix. As `scipy.sparse.random`; drawn on the host, so that a seed gives the same everywhere."""
    seed = {"random_state": random_state} if random_state is not None else {"rng": rng}
    return _drawn("random", (m, n), dict(density=density, format=format, dtype=dtype, data_rvs=data_rvs, **seed))


@scipy_function
def rand(m, n, density=0.01, format="coo", dtype=None, rng=None, *, random_state=None):
    """Uniform entries, as a matrix. As `scipy.sparse.rand`; drawn on the host, so that a seed gives the same everywhere."""
    return random(m, n, density, format, dtype, rng, random_state=random_state)


# ---- what is it
def isspmatrix(x):
    """Whether x is a sparse matrix (not a sparse array), of gpusci or SciPy."""
    return isinstance(x, SparseArray) and x._is_matrix or is_scipy(x) and scipy_sparse().isspmatrix(x)


def isspmatrix_coo(x):
    """Whether x is a coo_matrix, of gpusci or SciPy."""
    return isspmatrix(x) and x.format == "coo"


def isspmatrix_csc(x):
    """Whether x is a csc_matrix, of gpusci or SciPy."""
    return isspmatrix(x) and x.format == "csc"


def isspmatrix_csr(x):
    """Whether x is a csr_matrix, of gpusci or SciPy."""
    return isspmatrix(x) and x.format == "csr"


def isspmatrix_bsr(x):
    """Whether x is SciPy's bsr_matrix; there is none here."""
    return isspmatrix(x) and x.format == "bsr"


def isspmatrix_dia(x):
    """Whether x is SciPy's dia_matrix; there is none here."""
    return isspmatrix(x) and x.format == "dia"


def isspmatrix_dok(x):
    """Whether x is SciPy's dok_matrix; there is none here."""
    return isspmatrix(x) and x.format == "dok"


def isspmatrix_lil(x):
    """Whether x is SciPy's lil_matrix; there is none here."""
    return isspmatrix(x) and x.format == "lil"


# ---- files
def save_npz(file, matrix, compressed=True):
    """Write a sparse array to a file that SciPy reads too. As `scipy.sparse.save_npz`; downloads it from a GPU."""
    scipy_sparse().save_npz(file, matrix.get() if isinstance(matrix, SparseArray) else matrix, compressed)


def load_npz(file):
    """A sparse array from a file of `save_npz`, on the current device; formats that lack here become csr."""
    return _uploaded(scipy_sparse().load_npz(file))


save_npz.gpusci_status = load_npz.gpusci_status = "library"
