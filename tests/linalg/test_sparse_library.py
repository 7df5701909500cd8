"""core.libraries.sparse on the current device, and its calls to cuSPARSE on an emulation."""

import inspect

import emulated_sparse
import numpy as np
import pytest
import scipy.sparse as sp

import gpusci as gs
from gpusci.core.device import HOST
from gpusci.core.libraries import sparse


@pytest.fixture(params=["device", "emulated"])
def where(request, monkeypatch):
    if request.param == "emulated":
        fake = emulated_sparse.Cusparse()
        monkeypatch.setattr(sparse, "on_gpu", lambda x: True)
        monkeypatch.setattr(sparse, "handle", lambda name, device: (fake, 1))
        monkeypatch.setattr(HOST, "uses_numpy", False)
        with gs.device("host"):
            yield request.param
        assert not fake.objects  # every descriptor is destroyed
    else:
        yield request.param


def test_emulation_has_the_real_signatures():
    real = pytest.importorskip("nvmath.bindings.cusparse")
    for method, function in inspect.getmembers(emulated_sparse.Cusparse, inspect.isfunction):
        parameters = list(inspect.signature(function).parameters)[1:]
        if not method.startswith("_") and parameters not in (["args"], ["number"]):
            assert parameters == list(inspect.signature(getattr(real, method)).parameters), method


def matrix(m=7, n=5, dtype="float64", index="int32", density=0.4, seed=0):
    r = np.random.default_rng(seed)
    a = sp.random_array((m, n), density=density, rng=r, format="csr")
    values = r.standard_normal(a.nnz) + (1j * r.standard_normal(a.nnz) if dtype[0] == "c" else 0)
    a = sp.csr_array((values.astype(dtype), a.indices.astype(index), a.indptr.astype(index)), shape=(m, n))
    return a, sparse.Csr(*(gs.asarray(x) for x in (a.data, a.indices, a.indptr)), a.shape)


def back(c):
    return sp.csr_array((c.data.numpy(), c.indices.numpy(), c.indptr.numpy()), shape=c.shape)


def close(ours, theirs):
    ours = ours.numpy() if isinstance(ours, gs.ndarray) else ours
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=20 * np.finfo(theirs.dtype).eps, atol=20 * np.finfo(theirs.dtype).eps)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_products_with_dense(where, dtype, index):
    a, c = matrix(dtype=dtype, index=index)
    r = np.random.default_rng(1)
    for trans, op in (("N", a), ("T", a.T), ("C", a.conj().T)):
        x = r.standard_normal(op.shape[1]).astype(dtype)
        close(sparse.matvec(c, gs.asarray(x), trans), op @ x)
        close(sparse.matvec(c, gs.asarray(np.repeat(x, 2))[::2], trans), op @ x)
        out = gs.empty(op.shape[0], dtype)
        assert sparse.matvec(c, gs.asarray(x), trans, out) is out
        close(out, op @ x)
        b = r.standard_normal((op.shape[1], 3)).astype(dtype)
        for layout in (
            lambda y: y,
            np.asfortranarray,
            lambda y: np.repeat(y, 2, axis=1)[:, ::2],
            lambda y: y[:, :1],
            lambda y: y[:, :0],
        ):
            close(sparse.matmat(c, gs.asarray(layout(b)), trans), op @ layout(b))


def test_empty(where):
    for shape in ((3, 4), (0, 4), (3, 0)):
        a, c = matrix(*shape, density=0.0)
        close(sparse.matvec(c, gs.ones(shape[1])), a @ np.ones(shape[1]))
        close(sparse.matmat(c, gs.ones((shape[1], 2))), a @ np.ones((shape[1], 2)))
        assert back(sparse.transpose(c)).shape == shape[::-1]
        assert back(sparse.sort_indices(c)).nnz == 0
        assert back(sparse.multiply(c, sparse.transpose(c))).shape == (shape[0], shape[0])


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_sparse_products(where, dtype):
    (a, c), (b, d) = matrix(6, 8, dtype), matrix(8, 5, dtype, seed=3)
    close(back(sparse.multiply(c, d)).toarray(), (a @ b).toarray())


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_triangular_solves(where, dtype):
    a, _ = matrix(6, 6, dtype, density=0.5)
    a = sp.csr_array(a + 3 * sp.eye_array(6).astype(dtype))
    a.sort_indices()
    c = sparse.Csr(*(gs.asarray(x) for x in (a.data, a.indices.astype("int32"), a.indptr.astype("int32"))), a.shape)
    b = np.random.default_rng(2).standard_normal((6, 2)).astype(dtype)
    for lower in (True, False):
        t = np.tril(a.toarray()) if lower else np.triu(a.toarray())
        for trans, op in (("N", t), ("T", t.T), ("C", t.conj().T)):
            close(sparse.solve_triangular(c, gs.asarray(b), lower, trans), np.linalg.solve(op, b))
            close(sparse.solve_triangular(c, gs.asarray(b[:, 0]), lower, trans), np.linalg.solve(op, b[:, 0]))
            unit = op - np.diag(np.diag(op)) + np.eye(6, dtype=dtype)
            close(sparse.solve_triangular(c, gs.asarray(b), lower, trans, True), np.linalg.solve(unit, b))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int8", "int64", "bool", "float16"])
def test_conversions(where, dtype):
    a, c = matrix()
    data = (a.data * 10).astype(dtype)
    c = c._replace(data=gs.asarray(data))
    t, order = sparse.transpose(c), sp.csr_array((np.arange(a.nnz), a.indices, a.indptr), shape=a.shape).T.tocsr()
    assert t.shape == a.shape[::-1]
    for ours, theirs in ((t.data, data[order.data]), (t.indices, order.indices), (t.indptr, order.indptr)):
        np.testing.assert_array_equal(ours.numpy(), theirs)
    r = np.random.default_rng(4)
    shuffled = np.concatenate([r.permutation(np.arange(i, j)) for i, j in zip(a.indptr, a.indptr[1:])])
    messy = sparse.Csr(gs.asarray(data[shuffled]), gs.asarray(a.indices[shuffled]), c.indptr, a.shape)
    tidy = sparse.sort_indices(messy)
    np.testing.assert_array_equal(tidy.indices.numpy(), a.indices)
    np.testing.assert_array_equal(tidy.data.numpy(), data)


def test_sorting_coordinates(where):
    r = np.random.default_rng(5)
    rows, columns = r.integers(0, 9, 50, dtype="int32"), r.integers(0, 7, 50, dtype="int32")
    i, j, order = (x.numpy() for x in sparse.coo_order(gs.asarray(rows), gs.asarray(columns), (9, 7)))
    np.testing.assert_array_equal(i, rows[order])
    np.testing.assert_array_equal(j, columns[order])
    assert (np.diff(i * 7 + j) >= 0).all()


def test_64_bit_indices_are_refused_where_the_library_has_none(where):
    if where == "device" and gs.current_device().kind == "host":
        pytest.skip("SciPy has them")
    _, c = matrix(index="int64")
    for call in (sparse.transpose, sparse.sort_indices, lambda x: sparse.multiply(x, sparse.transpose(x))):
        with pytest.raises(ValueError, match="int32"):
            call(c)
