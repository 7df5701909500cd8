"""Sparse arrays against scipy.sparse: construction, conversion with duplicates, transposition, products."""

import numpy as np
import pytest
import scipy.sparse as sp

import gpusci as gs
from gpusci import sparse

RNG = np.random.default_rng(5)
DTYPES = "?bBhHiIqQfdFD"


def random_coo(shape=(17, 23), n=120, dtype="f8"):
    row, col = RNG.integers(0, shape[0], n), RNG.integers(0, shape[1], n)
    data = RNG.integers(1, 9, n).astype(dtype)
    return data, row, col


def same(got, want):
    got = got.numpy() if isinstance(got, gs.ndarray) else got
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", DTYPES)
def test_coo_to_csr_csc_adds_duplicates(dtype):
    data, row, col = random_coo(dtype=dtype)
    want = sp.coo_array((data, (row, col)), shape=(17, 23))
    got = sparse.coo_array((data, (row, col)), shape=(17, 23))
    for a, b in ((got.tocsr(), want.tocsr()), (got.tocsc(), want.tocsc())):
        b.sum_duplicates()
        assert a.has_canonical_format and a.nnz == b.nnz
        for name in ("data", "indices", "indptr"):
            same(getattr(a, name), getattr(b, name))
    same(got.toarray(), want.toarray())
    same(got.T.toarray(), want.T.toarray())
    same(got.tocsr().tocsc().tocsr().tocoo().toarray(), want.toarray())


@pytest.mark.parametrize("left", DTYPES)
@pytest.mark.parametrize("right", "bQfD")
def test_products(left, right):
    data, row, col = random_coo(dtype=left)
    a, b = sparse.csr_array((data, (row, col)), shape=(17, 23)), sp.csr_array((data, (row, col)), shape=(17, 23))
    x = RNG.integers(0, 9, (23, 5)).astype(right)
    same(a @ x[:, 0], b @ x[:, 0])
    same(a @ x, b @ x)
    same(a @ x[::-1, ::-2], b @ x[::-1, ::-2])
    same(x.T @ a.T, x.T @ b.T)
    c, d = sparse.csr_array(x), sp.csr_array(x)
    same((a @ c).toarray(), (b @ d).toarray())


def test_large_integers_are_exact():
    m = np.array([[2**40 + 1, 0, 3], [0, -7, 2**33]], np.int64)
    x = np.array([2**20 + 1, 5, -1], np.int64)
    same(sparse.csr_array(m) @ x, m @ x)


def test_kinds_follow_the_construction():
    data, row, col = random_coo()
    a = sparse.csr_array((data, (row, col)), shape=(17, 23))
    assert type(a @ np.ones(23)) is np.ndarray and isinstance(a @ gs.ones(23), gs.ndarray)
    b = sparse.csr_array((gs.asarray(data), (gs.asarray(row), gs.asarray(col))), shape=(17, 23))
    assert isinstance(b @ np.ones(23), gs.ndarray) and isinstance(b.data, gs.ndarray) and isinstance(b.get(), sp.csr_array)
    assert type(sparse.csr_array(sp.csr_array((3, 3))).toarray()) is np.ndarray


def test_construction_forms():
    dense = np.array([[0, 1.5, 0], [2, 0, -1]])
    for cls in (sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix):
        a = cls(dense)
        same(a.toarray(), dense)
        same(cls(a).toarray(), dense)
        same(cls(sp.csr_array(dense)).toarray(), dense)
        assert cls((4, 5)).shape == (4, 5) and cls((4, 5)).nnz == 0
        assert cls(dense, dtype="f4").dtype == np.float32
    same(sparse.csr_array((np.ones(3), np.array([2, 0, 1]), np.array([0, 1, 3]))).toarray(), np.array([[0, 0, 1.0], [1, 1, 0]]))
    same(sparse.csr_matrix(np.empty((0, 5))).tocsc().T.toarray(), np.empty((5, 0)))
    assert sparse.csr_array(dense.astype("f2")).dtype == np.float32


@pytest.mark.parametrize("call, error", [
    (lambda m: m.coo_array((np.ones(2), ([0, 5], [0, 1])), shape=(3, 3)), ValueError),
    (lambda m: m.coo_array((np.ones(2), ([0, -1], [0, 1])), shape=(3, 3)), ValueError),
    (lambda m: m.coo_array((np.ones(2), ([0], [0, 1])), shape=(3, 3)), ValueError),
    (lambda m: m.csr_array((np.ones(2), [0, 1], [0, 2]), shape=(3, 3)), ValueError),
    (lambda m: m.csr_array((np.ones(2), [0], [0, 2]), shape=(1, 3)), ValueError),
    (lambda m: m.csr_array((-1, 3)), ValueError),
    (lambda m: m.csr_array(np.ones((2, 3))) @ np.ones(2), ValueError),
    (lambda m: m.csr_array(np.ones((2, 3))) @ m.csr_array(np.ones((2, 3))), ValueError),
    (lambda m: m.csr_array(np.ones((2, 3))) @ 2, ValueError),
    (lambda m: m.csr_array(np.ones((2, 3))) + m.csr_array(np.ones((3, 2))), ValueError),
    (lambda m: bool(m.csr_array(np.ones((2, 3)))), ValueError),
    (lambda m: len(m.csr_array(np.ones((2, 3)))), TypeError),
])  # fmt: skip
def test_bad_input_raises_as_scipy(call, error):
    with pytest.raises(error):
        call(sp)
    with pytest.raises(error):
        call(sparse)


def test_in_place_and_element_wise():
    data, row, col = random_coo()
    a = sparse.coo_matrix((data, (row, col)), shape=(17, 23))
    dense = a.toarray()
    a.sum_duplicates()
    same(a.toarray(), dense)
    c = a.tocsr()
    same((c + c).toarray(), dense * 2)
    same((c - 2 * c).toarray(), -dense)
    same((c * np.ones(23)), dense @ np.ones(23))
    same(abs(-c).toarray(), dense)
    z = sparse.csr_array((np.array([0.0, 2.0]), ([0, 1], [1, 2])), shape=(2, 3))
    z.eliminate_zeros()
    assert z.nnz == 1 and z.count_nonzero() == 1
    same(c.sum(axis=0), np.asarray(sp.csr_matrix(dense).sum(axis=0)))
    assert c.sum() == dense.sum() and c.diagonal(1).tolist() == dense.diagonal(1).tolist()


def test_unsorted_rows_are_sorted():
    a = sparse.csr_array((np.array([1.0, 2, 3]), np.array([2, 0, 1]), np.array([0, 3])), shape=(1, 3))
    assert not a.has_sorted_indices
    a.sort_indices()
    assert a.has_sorted_indices and a.indices.tolist() == [0, 1, 2] and a.data.tolist() == [2, 3, 1]
