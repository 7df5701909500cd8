"""Functions that make sparse arrays, against SciPy's."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sparse_pairs import FORMATS, entries, pair, same

import gpusci as gs
from gpusci import sparse

pytestmark = pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning", "ignore::FutureWarning")


def both(call, *pairs):
    """call(module, *arrays) for gpusci and SciPy: equal results or the same exception."""
    try:
        want = call(sp, *(p[1] for p in pairs))
    except Exception as error:
        with pytest.raises((type(error), ValueError) if isinstance(error, (IndexError, AttributeError)) else type(error)):
            call(sparse, *(p[0] for p in pairs))
        return
    same(call(sparse, *(p[0] for p in pairs)), want)


@pytest.mark.parametrize("name", FORMATS)
def test_stacking(name):
    a, b, c = tuple(pair(name)), tuple(pair(name, "i4", seed=4)), tuple(pair(name, "F", (5, 2), seed=5))
    dense = np.eye(5, 3, dtype="f4")
    both(lambda m, x, y: m.vstack([x, y]), a, b)
    both(lambda m, x, y, z: m.hstack([x, y, z]), a, b, c)
    both(lambda m, x: m.hstack([x, dense]), a)
    both(lambda m, x, y: m.hstack((x, y), format="csc", dtype="f4"), a, b)
    both(lambda m, x, y, z: m.bmat([[x, None, z], [None, y, None]]), a, b, c)
    both(lambda m, x, y, z: m.block_array([[x, None, z], [None, y, None]], format="csr"), a, b, c)
    both(lambda m, x, y: m.vstack([x, y]), a, c)
    both(lambda m, x, y: m.block_diag([x, y, 3, [[1, 2]], np.ones((2, 1))]), a, c)
    both(lambda m, x, y: m.block_diag((x, y), format="csr"), a, b)
    both(lambda m, x: m.vstack([x]), a)


def test_formats_of_stacks():
    a, b = tuple(pair("csr_array")), tuple(pair("csc_array", seed=4))
    both(lambda m, x, y: m.vstack([x, y]), a, b)
    both(lambda m, x: m.vstack([x, x]), a)
    both(lambda m, x: m.hstack([x, x]), b)
    for bad in ("nonsense", "dia"):
        with pytest.raises(ValueError):
            sparse.vstack([a[0], a[0]], format=bad)
    for blocks in ([], [[a[0]], [a[0], a[0]]]):
        with pytest.raises(ValueError):
            sparse.block_array(blocks)
    with pytest.raises(ValueError):
        sparse.block_array([[a[0], None], [None, a[0][:2]], [a[0], a[0][:2]]])


@pytest.mark.parametrize("args", [(4,), (3, 5), (5, 3), (0,), (3, 0)])
@pytest.mark.parametrize("k", [0, 1, -2, 7])
def test_eye(args, k):
    for format in ("csr", "csc", "coo", None):
        both(lambda m, format=format: m.eye_array(*args, k=k, format=format, dtype="f4"))
        both(lambda m, format=format: m.eye(*args, k=k, format=format))
    both(lambda m: m.identity(args[0], dtype="i8", format="csc"))


def test_diags():
    both(lambda m: m.diags_array([[1.0, 2, 3], [4.0, 5]], offsets=[0, -1]))
    both(lambda m: m.diags_array([1.0, -2.0, 1.0], offsets=[-1, 0, 1], shape=(4, 4), format="csr"))
    both(lambda m: m.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(4, 6), dtype="f4"))
    both(lambda m: m.diags([1, 2, 3], dtype=None))
    both(lambda m: m.diags([1, 2, 3]))
    both(lambda m: m.diags_array(np.array([1j, 2, 0]), offsets=2, dtype=None))
    both(lambda m: m.diags_array(np.arange(6.0).reshape(2, 3), offsets=[1, 2], shape=(5, 5)))
    both(lambda m: m.diags_array([[1.0, 2], [3.0]], offsets=[0, 0]))
    both(lambda m: m.diags_array([[1.0, 2], [3.0]], offsets=[0]))
    both(lambda m: m.diags_array([[1.0, 2]], offsets=[0], shape=(5, 5)))
    both(lambda m: m.diags_array([[1.0]], offsets=[9], shape=(5, 5)))
    got = sparse.diags_array([gs.asarray([1.0, 2.0])], offsets=[1])
    assert isinstance(got.data, gs.ndarray) and got.toarray().numpy().tolist() == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]


@pytest.mark.parametrize("name", FORMATS)
def test_products_and_parts(name):
    a, b, s = tuple(pair(name)), tuple(pair(name, "F", (2, 3), n=3, seed=8)), tuple(pair(name, "f8", (4, 4), seed=2))
    both(lambda m, x, y: m.kron(x, y), a, b)
    both(lambda m, x, y: m.kron(y, x, format="csr"), a, b)
    both(lambda m, x: m.kron(x, np.ones((2, 2))), a)
    both(lambda m, x: m.kronsum(x, x), s)
    both(lambda m, x, y: m.kronsum(x, y, format="csc"), s, a)
    for k in (0, 1, -2, 9):
        both(lambda m, x, k=k: m.tril(x, k), a)
        both(lambda m, x, k=k: m.triu(x, k=k, format="csr"), a)
    both(lambda m, x: m.find(x), a)
    both(lambda m: m.tril(np.arange(12.0).reshape(3, 4)))
    both(lambda m: m.find(np.eye(3)))


def test_random_arrays_repeat():
    for make in (
        lambda m: m.random_array((20, 30), density=0.1, rng=4),
        lambda m: m.random(9, 8, 0.3, "csr", rng=np.random.default_rng(1)),
        lambda m: m.rand(7, 9, density=0.2, rng=3),
        lambda m: m.random_array((5, 5), density=0.5, format="csc", dtype="i4", rng=2),
    ):
        same(make(sparse), make(sp))
    with pytest.raises(ValueError):
        sparse.random(3, 3, density=2)


def test_questions():
    for name in FORMATS:
        a, b = pair(name)
        for f in ("issparse", "isspmatrix", "isspmatrix_csr", "isspmatrix_csc", "isspmatrix_coo"):
            assert getattr(sparse, f)(a) == getattr(sparse, f)(b) == getattr(sp, f)(b)
    assert not sparse.issparse(np.eye(3)) and not sparse.isspmatrix([[1]])


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 20), st.integers(0, 2**31), st.sampled_from(FORMATS))
def test_round_trips(rows, cols, n, seed, name):
    """Any entries: conversions, sums and slices agree with the dense array."""
    rng = np.random.default_rng(seed)
    data, row, col = rng.integers(-3, 4, n).astype("f8"), rng.integers(0, rows, n), rng.integers(0, cols, n)
    dense = np.zeros((rows, cols))
    np.add.at(dense, (row, col), data)
    a = getattr(sparse, name)((data, (row, col)), shape=(rows, cols))
    csr = a.tocsr()
    there_and_back = a.reshape(cols, rows).reshape(rows, cols)
    for b in (a, csr, a.tocsc(), a.tocoo(), a.T.T, there_and_back, sparse.vstack([csr[:1], csr[1:]])):
        np.testing.assert_array_equal(np.asarray(b.toarray()), dense)
    np.testing.assert_array_equal(np.asarray(a.sum(axis=0)).ravel(), dense.sum(0))
    np.testing.assert_array_equal(np.asarray(a.tocsr()[::-1, ::2].toarray()), dense[::-1, ::2])
    np.testing.assert_array_equal(np.asarray((a + a).toarray()), 2 * dense)
    np.testing.assert_array_equal(np.asarray(a.max(axis=1).toarray()).ravel(), dense.max(1))
    np.testing.assert_array_equal(np.asarray(a.argmin(axis=0)).ravel(), dense.argmin(0))


def test_entries_of_the_tests_are_awkward():
    data, (row, col) = entries()
    assert len(set(zip(row, col))) < len(data) and (data == 0).any() and (np.diff(row) < 0).any()
