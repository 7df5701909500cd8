"""Every method against SciPy's: one expression a line, on all formats, arrays and matrices, and matrices made to be awkward."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sparse_pairs import FORMATS, both, entries, pair, same, words

import gpusci as gs
from gpusci import sparse

pytestmark = pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning", "ignore::RuntimeWarning",
                                        "ignore::PendingDeprecationWarning")
ARITHMETIC = words("""
X+Y X-Y Y-X X+D D+X X-D D-X X+0 X*2 2*X X*2.5 X/2 -X abs(X) X.multiply(Y) X.multiply(D) X.multiply(D[0]) X.multiply(D[:,:1])
X.multiply(3) X.multiply(Y[:1]) X.multiply(Y[:,:1]) Y[:1].multiply(X) Y[:,:1].multiply(Y[:1]) X[:1].multiply(D) X[:,:1].multiply(D)
X.maximum(Y) X.minimum(Y) X.maximum(D) X.minimum(D) X.maximum(0) X.minimum(0) X.maximum(1) X.minimum(-1) X.maximum(-1)
X!=Y X==Y X<Y X>Y X<=Y X>=Y X!=0 X==0 X>1 X<1 X>=0 X<=-1 X!=D X>D X==D X<=D X/Y X/D X.power(2) X.power(2,dtype='f4')
X.conj() X.conjugate(copy=False) X.real X.imag X.sqrt() X.sin() X.sign() X.astype('f4') X.astype(bool) X.astype('i8') X.copy()
X.T X.transpose() X@Y.T X@D.T D@X.T X@D[0] D[:,0]@X X.dot(D[0]) X.dot(Y.T) X@Y Y.T@X X*D.T D*X X*D[:3] X@'x' X**2 X.T@X X@X.T
X+Z Z+X X-Z X@Z.T Z@X.T X.multiply(Z) X.maximum(Z) X!=Z
""")

REDUCTIONS = words("""
X.sum() X.sum(0) X.sum(1) X.sum(-1) X.sum(axis=(0,1)) X.sum(axis=0,dtype='f4') X.sum(2) X.sum(1.5) X.mean() X.mean(0) X.mean(1)
X.mean(axis=0,dtype='f4') X.max() X.min() X.max(0) X.max(1) X.min(0) X.min(axis=-1) X.max(axis=(0,1)) X.max(axis=0,explicit=True)
X.min(explicit=True) X.nanmax() X.nanmin(0) X.nanmax(1,explicit=True)
X.count_nonzero() np.asarray(X.count_nonzero(0)).astype(int) np.asarray(X.count_nonzero(axis=1)).astype(int)
X.diagonal() X.diagonal(2) X.diagonal(-1) X.diagonal(9) X.trace() X.trace(1) X.nnz X.shape X.ndim X.dtype X.format X.size
X.toarray() X.todense() X.toarray(order='F') X.toarray(out=np.empty(X.shape,X.dtype)) X.tocsr() X.tocsc() X.tocoo() X.asformat('coo')
X.reshape(6,5) X.reshape((3,-1)) X.reshape(6,5,order='F') X.reshape(-1) X.reshape((1,30)) X.reshape(7,7) X.asformat('nonsense')
len(X) bool(X) X.max(3) X.max(0,out=1) X.argmax(2) X.has_canonical_format
X.getnnz() X.getnnz(0) X.getnnz(-1) X.getrow(1) X.getcol(-2) X.getrow(9) X.getH() X.asfptype() X.getformat() X.get_shape()
X.tocsr().has_sorted_indices
""")

INDEXING = words("""
X[0] X[1] X[-1] X[5] X[-6] X[:,1] X[:,-1] X[:,6] X[1,2] X[-1,-2] X[7,1] X[1:3] X[::2] X[::-1] X[::-2] X[4:0:-2] X[3:1] X[1:3,2:5] X[:,::2]
X[:,::-1] X[::-1,::-1] X[1,2:5] X[-1,::2] X[2:4,1] X[...] X[...,1] X[1,...] X[:] X[:,:] X[0,:] X[[0,1]] X[[1,0,1]] X[[-1,0]] X[:,[0,1]]
X[:,[5,0,0]] X[[0,1],[1,2]] X[[[0],[1]],[1,2]] X[[[0,1],[1,0]],[[1,2],[0,0]]] X[1,[0,2]] X[[1,2],0] X[[0,1],1:3] X[1:3,[0,2]]
X[[0,9]] X[:,[0,-7]] X[np.array([1,0,1,0,1],bool)] X[:,np.array([1,0,1,0,1,1],bool)] X[np.array([1,0,1],bool)] X[D>0] X[X>0] X[[]]
X[:,[]] X[[0,1],[0,1,2]] X[0,1,2] X[1.5] X[None,1] X[np.int64(1)] X[np.array([1,2])] X[np.array([[1,2],[0,1]]),1]
X[np.array([1],np.uint8)] X[5:2,1:] X[...,...] X[...,D[0]>0] X[D[:,0]>0,...] X[1,D[0]>0]
X.transpose((1,0)) X.transpose(3) X.transpose((0,1,2))
""")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("texts", [ARITHMETIC, REDUCTIONS, INDEXING], ids=["arithmetic", "reductions", "indexing"])
def test_methods(name, texts):
    rng = np.random.default_rng(0)
    dense = rng.integers(-2, 3, (5, 6)).astype(float)
    for text in texts:
        a, b = pair(name)
        other = tuple(pair(name, seed=5))
        both(name, text, a, b, Y=other, Z=other[1], D=dense)            # Z: SciPy's own beside ours


@pytest.mark.parametrize("dtype", ["?", "b", "B", "i8", "f4", "F", "D"])
def test_dtypes(dtype):
    texts = words("""X+Y X-Y X*2 2.5*X X/2 X.multiply(Y) X.maximum(Y) X!=Y X>Y abs(X) X.sum() X.sum(0) X.sum(1) X.mean() X.mean(0) X.max()
        X.max(0) X.min(1) X.conj() X.real X.imag X.astype('D') X[1] X[[0,1],[1,2]] X[:,::2] X@Y.T X.toarray() X.diagonal()
        X.multiply(D) X+D X.power(2) X.count_nonzero() X.reshape(6,5) -X X[:,[1,1,0]] X.sum_duplicates()""")
    if dtype == "?":
        texts = [t for t in texts if t not in ("X-Y", "X.power(2)")]        # SciPy's bool kernels compute 1 - 1 = 1 or raise
    dense = np.arange(30).reshape(5, 6).astype(dtype)
    for text in texts:
        a, b = pair("csr_array", dtype)
        both("csr_array", text, a, b, Y=tuple(pair("csr_array", dtype, seed=5)), D=dense)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0), (1, 1), (1, 7), (7, 1)])
@pytest.mark.parametrize("name", FORMATS)
def test_small_and_empty(name, shape):
    texts = words("""X.T X.tocsr() X.tocsc() X.tocoo() X.toarray() X.sum() X.sum(0) X.sum(1) X.max() X.max(0) X.max(1) X+X X.multiply(X)
        X@X.T X*2 X.reshape(-1,1) X[:0] X[:,:0] X!=X X.count_nonzero() X.mean(0) X.T@X X.copy() abs(X) X.maximum(X)""")
    dense = np.zeros(shape)
    dense[-1:, -1:] = 3
    for text in texts:
        both(name, text, getattr(sparse, name)(dense), getattr(sp, name)(dense))


@pytest.mark.parametrize("name", ["csr_array", "csc_matrix", "coo_array"])
@pytest.mark.parametrize("explicit", [False, True])
def test_argmax_is_that_of_the_dense_array(name, explicit):
    """SciPy 1.17 is wrong where zeros are stored: the dense array is the reference."""
    rng = np.random.default_rng(1)
    for _ in range(8):
        dense = rng.integers(-2, 2, (4, 5)) * (rng.random((4, 5)) < 0.7)
        row, col = np.nonzero(rng.random((4, 5)) < (1.1 if explicit else 0.6))
        dense[rng.random((4, 5)) < 0.2] = 0
        keep = np.zeros_like(dense)
        keep[row, col] = dense[row, col]
        a = getattr(sparse, name)((dense[row, col].astype(float), (row, col)), shape=(4, 5))
        for which in ("argmax", "argmin"):
            assert getattr(a, which)(explicit=explicit) == getattr(keep, which)()
            for axis in (0, 1, -1):
                got = getattr(a, which)(axis=axis, explicit=explicit)
                np.testing.assert_array_equal(np.asarray(got).ravel(), getattr(keep, which)(axis))
    with pytest.raises(ValueError):
        getattr(sparse, name)((3, 0)).argmax(axis=1)
    with pytest.raises(ValueError):
        getattr(sparse, name)((3, 3)).argmax(explicit=True)


def test_nan_and_infinity():
    data = np.array([[np.nan, 0, -1], [0, np.inf, 0], [np.nan, np.nan, np.nan]])
    for name in FORMATS:
        a, b = getattr(sparse, name)(data), getattr(sp, name)(data)
        for text in ("X.max(0)", "X.max()", "X.min(1)", "X.nanmax(0)", "X.nanmin()", "X.nanmax(1)", "X.multiply(X)", "X+X", "X-X", "X!=X"):
            both(name, text, a, b)


@pytest.mark.parametrize("name", FORMATS)
def test_in_place(name):
    for change in ("X.sum_duplicates()", "X.eliminate_zeros()", "X.setdiag(7)", "X.setdiag([1.,2.,3.],k=1)", "X.setdiag([8.,9.],k=-2)",
                   "X.resize(3, 9)", "X.resize((7, 2))"):
        a, b = pair(name)
        eval(change, {"X": a})
        eval(change, {"X": b})
        same(a.toarray(), b.toarray(), where=change)
        assert a.shape == b.shape
        if "sum" in change or "zeros" in change:
            assert a.nnz == b.nnz
    a, b = pair(name)
    a *= 3
    b *= 3
    a /= 4
    b /= 4
    same(a.toarray(), b.toarray())
    if gs.current_device().uses_numpy:                      # the parts are the array's own memory
        a.data[:] = 1
        b.data[:] = 1
        same(a.toarray(), b.toarray())
    else:                                                   # of arrays made from NumPy's, copies that say so
        with pytest.raises(ValueError, match="read-only"):
            a.data[:] = 1
    with pytest.raises(ValueError):
        a.setdiag(1, k=99)


def test_one_dimension():
    x = np.array([0, 3.0, 0, -1, 0])
    for name in ("csr_array", "coo_array"):
        a, b = getattr(sparse, name)(x), getattr(sp, name)(x)
        for text in words("""X X.T X.sum() X.max() X.toarray() X.reshape(5,1) X.reshape((1,-1)) X+X X*2 X@x X@X X@M M.T@X X[1] X[1:4]
                X[::-1] X[[3,3,1]]
                X.tocoo() X.tocsr() X.tocsc() X.nonzero() X.multiply(X) X!=X X.mean() X.copy() X.sum(0) X.max(0) X.min(axis=-1) X[-1]
                X[9] X.coords X.shape X.diagonal() X.power(2) abs(X) X.count_nonzero()"""):
            if text == "X.coords" and name == "csr_array":
                continue
            m = np.arange(10.0).reshape(5, 2)
            both(name, text, a, b, x=x, M=(sparse.csr_array(m), sp.csr_array(m)))
    with pytest.raises(ValueError):
        sparse.csc_array(x)
    a = sparse.coo_array((np.ones(3), ([1, 1, 4],)), shape=(5,))
    same(a.toarray(), np.array([0, 2.0, 0, 0, 1]))
    assert a.row.tolist() == [0, 0, 0] and a.col.tolist() == [1, 1, 4]


def test_gpusci_arrays_stay_gpusci_arrays():
    data, (row, col) = entries()
    a = sparse.csr_array((gs.asarray(data), (gs.asarray(row), gs.asarray(col))), shape=(5, 6))
    b = sparse.csr_array((data, (row, col)), shape=(5, 6))
    dense = b.toarray()
    for got in (a.sum(0), a.sum(), a.toarray(), a.max(), a.diagonal(), a.data, a.indices, a.nonzero()[0], a[[0, 1], [1, 2]], b @ gs.ones(6),
                gs.ones(5) @ b, b + gs.ones((5, 6)), gs.ones((5, 6)) + b, (a + b).toarray(), b.multiply(gs.ones((5, 6))).toarray(),
                b[gs.asarray([0, 1])].toarray(), b[0, gs.asarray([1, 2])].toarray(), sparse.hstack([a, b]).toarray(), sparse.find(a)[2]):
        assert isinstance(got, gs.ndarray)
    np.testing.assert_array_equal((gs.ones((5, 6)) + b).numpy(), dense + 1)
    np.testing.assert_array_equal((gs.ones((5, 6)) - b).numpy(), 1 - dense)
    assert type((a * 2).sum(axis=0)) is gs.ndarray and type(sparse.csr_matrix(a).sum(axis=0)) is gs.ndarray


def test_index_types():
    wide = 2**31 + 5
    a = sparse.coo_array((np.ones(2), (np.array([0, 1]), np.array([1, wide - 1]))), shape=(2, wide))
    assert a.col.dtype == np.int64 and a.tocsr().indices.dtype == np.int64
    assert sparse.hstack([sparse.csr_array((1, 2**30))] * 3).tocsr().indices.dtype == np.int64
    parts = np.ones(1), np.array([1], np.int64), np.array([0, 1], np.int64)
    for name in ("csr_array", "csr_matrix"):
        small, theirs = (getattr(m, name)(parts, shape=(1, 3)) for m in (sparse, sp))
        assert small.indices.dtype == theirs.indices.dtype and small.tocoo().col.dtype == theirs.tocoo().col.dtype
    huge = sparse.coo_array((np.array([1.0, 2, 4]), (np.array([0, 2**40 - 1, 2**40 - 1]), np.array([5, 2**40 - 2, 2**40 - 2]))),
                            shape=(2**40, 2**40))
    huge.sum_duplicates()                                   # positions that no 64-bit number holds
    assert huge.data.tolist() == [1, 6] and huge.row.tolist() == [0, 2**40 - 1]


def test_odd_inputs():
    data, (row, col) = entries()
    for part in (data, row, col):
        part.flags.writeable = False
    a = sparse.csr_array((data, (row, col)), shape=(5, 6))
    b = sp.csr_array((data, (row, col)), shape=(5, 6))
    same(a @ np.arange(6.0), b @ np.arange(6.0))
    same(sparse.csr_array(b.toarray()[::-1, ::-2]).toarray(), b.toarray()[::-1, ::-2])
    swapped = sparse.csr_array(b.toarray().astype(">f8"))
    assert swapped.dtype == np.float64
    same(swapped @ np.arange(6.0), b @ np.arange(6.0))
    for bad in (np.array([["a"]]), "text", np.ones((2, 2, 2))):
        with pytest.raises((TypeError, ValueError)):
            sparse.csr_array(bad)
    for key in ((0, 0, 0), "x", [[1.5]]):
        with pytest.raises(IndexError):
            a[key]


def test_comparison_of_other_shapes_and_kinds():
    a, b = pair("csr_array")
    assert (a == sparse.csr_array((2, 2))) is (b == sp.csr_array((2, 2)))
    assert (a != sparse.csr_array((2, 2))) is (b != sp.csr_array((2, 2)))
    with pytest.raises(ValueError):
        _ = a < sparse.csr_array((2, 2))
    with pytest.raises(TypeError):
        _ = a < "x"
    with warnings.catch_warnings(), pytest.raises(sp.SparseEfficiencyWarning):
        warnings.simplefilter("error")
        _ = a == a


def test_conversions_follow_changes():
    """What a conversion keeps for the next one is not used for other values or another structure."""
    a, b = pair("csr_array")
    twice = "X.data.__imul__(2)" if gs.current_device().uses_numpy else "X.__imul__(2)"
    for change in ("X.T @ np.ones(5)", twice, "X.sum_duplicates()", "X.eliminate_zeros()", "X.setdiag(3)"):
        for x in (a, b):
            eval(change, {"X": x, "np": np})
        same(a.T @ np.arange(5.0), b.T @ np.arange(5.0), where=change)
        same(a.tocsc(), b.tocsc(), where=change)
        same(a.T.tocsr().T.tocsr(), b.T.tocsr().T.tocsr(), where=change)
        same(a.sum(0), b.sum(0), where=change)
    a.indices, a.data = a.indices[::-1].copy(), a.data * 2
    b.indices, b.data = b.indices[::-1].copy(), b.data * 2
    same(a.toarray(), b.toarray())
    same(a.tocsc().toarray(), b.tocsc().toarray())


def test_to_device():
    for name in FORMATS:
        a, b = pair(name)
        moved = a.to_device("host")
        assert isinstance(moved.data, gs.ndarray) and type(moved) is type(a)
        same(moved.toarray().numpy(), b.toarray())
        assert type(a.get()) is type(b)


@pytest.mark.parametrize("name", [n for n in FORMATS if n != "coo_matrix"])
def test_assignment(name):
    dense = np.arange(30.0).reshape(5, 6)
    row = dense[0]
    for change in (
        "X[1,2]=9", "X[-1,0]=0", "X[0]=row", "X[:,1]=3", "X[1:3,::2]=dense[1:3,::2]", "X[[0,2],[1,1]]=[5,6]", "X[[0,0],[1,1]]=[5,6]",
        "X[[1,3]]=2", "X[:,[0,5]]=7", "X[[[0],[4]],[1,2]]=dense[:2,:2]", "X[X>1]=-1", "X[dense>20]=4", "X[2]=0", "X[:]=1",
        "X[1:3]=Z[1:3]", "X[0:1]=Z[3:4]", "X[7,0]=1", "X[0,0,0]=1", "X[0]=row[:4]", "X[[0,1],[0,1,2]]=1", "X[3:3]=1",
    ):
        if name == "coo_array" and "[0,0],[1,1]" in change:
            continue                    # SciPy 1.17 keeps the first of repeated ones there
        (a, b), (z, w) = pair(name), pair(name, seed=5)
        try:
            exec(change, {"X": b, "Z": w, "dense": dense, "row": row})
        except Exception as error:
            with pytest.raises((type(error), ValueError, IndexError)):
                exec(change, {"X": a, "Z": z, "dense": dense, "row": row})
            continue
        exec(change, {"X": a, "Z": z, "dense": dense, "row": row})
        same(a.toarray(), b.toarray(), where=change)
    if name == "csr_array":
        a, b = sparse.csr_array(row), sp.csr_array(row)
        for x in (a, b):
            x[2], x[[4, 5]], x[:2] = 8, [1, 2], -1
        same(a.toarray(), b.toarray())


def test_coo_matrix_has_no_elements():
    a = sparse.coo_matrix((3, 3))
    with pytest.raises(TypeError):
        a[0, 0]
    with pytest.raises(TypeError):
        a[0, 0] = 1


def test_outputs_are_the_given_arrays():
    a, b = pair("csr_array")
    for dtype in ("f8", ">f8"):
        out = np.zeros(6, dtype)
        assert a.sum(0, None, out) is out and (out == b.sum(0)).all()
        out, theirs = np.zeros(5, dtype), np.zeros(5, dtype)
        assert a.mean(axis=1, out=out) is out or b.mean(axis=1, out=theirs) is not theirs  # SciPy's, with NumPy 2.5 and foreign byte order
        np.testing.assert_allclose(out, b.mean(axis=1))
    dense = np.zeros((5, 6))
    assert a.toarray(None, dense) is dense and (dense == b.toarray()).all()
    with pytest.raises(ValueError):
        a.sum(0, out=np.zeros(3))
