"""What a GPU's way of gpusci.linalg promises as SciPy does: whose memory is used, which dtypes, messages, stacks. On emulated libraries."""

import inspect
import warnings

import numpy as np
import pytest
import scipy.linalg
from linalg_helpers import INEXACT, close, host, numbers, positive, well_conditioned

import gpusci as gs
from gpusci.core.libraries import scipy_since
from gpusci.linalg import _scipy

pytestmark = pytest.mark.usefixtures("emulated_gpu")
ORDERS = [np.ascontiguousarray, np.asfortranarray]


def ours(a):
    """A gpusci array of its own memory, in the same layout."""
    return gs.asarray(a.copy("K"))


# ---- overwrite_*
def used_up(a, before):
    return host(a).tobytes() != before.tobytes()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", [*INEXACT, "int64"])
@pytest.mark.parametrize("assume_a", [None, "diagonal", "pos", "upper triangular"])
def test_solve_in_the_callers_memory(order, dtype, assume_a):
    a, b = order((10 * positive(4, 4)).astype(dtype)), order((10 * numbers(4, 2)).astype(dtype))
    expected = scipy.linalg.solve(a, b, assume_a=assume_a)
    fits = dtype != "int64" and order is np.asfortranarray
    for transposed in (False, True) if dtype[0] == "f" and assume_a is None else (False,):
        expected = scipy.linalg.solve(a, b, assume_a=assume_a, transposed=transposed)
        x, y = ours(a), ours(b)
        got = gs.linalg.solve(x, y, overwrite_a=True, overwrite_b=True, assume_a=assume_a, transposed=transposed)
        close(got, expected)
        assert (got is y) == fits == used_up(y, b)
        assert used_up(x, a) == (fits and assume_a is None)
        x, y = ours(a), ours(b)
        close(gs.linalg.solve(x, y, assume_a=assume_a, transposed=transposed), expected)
        assert not used_up(x, a) and not used_up(y, b)


def test_right_sides_in_the_callers_memory():
    a, b = well_conditioned(4, 4), numbers(4)
    (lu, piv), (c, lower) = scipy.linalg.lu_factor(a), scipy.linalg.cho_factor(positive(4, 4))
    for name, first, up in (
        ("solve", a, ours(a)), ("solve_triangular", a, ours(a)), ("lu_solve", (lu, piv), (ours(lu), ours(piv))),
        ("cho_solve", (c, lower), (ours(c), lower)),
    ):  # fmt: skip
        x = ours(b)
        got = getattr(gs.linalg, name)(up, x, overwrite_b=True)
        assert got is x
        close(got, getattr(scipy.linalg, name)(first, b))
        fixed = gs.asarray(b.copy())
        fixed = gs.broadcast_to(fixed, (4,))                    # read-only
        close(getattr(gs.linalg, name)(up, fixed, overwrite_b=True), getattr(scipy.linalg, name)(first, b))
        assert not used_up(fixed, b)


@pytest.mark.parametrize("dtype", INEXACT)
@pytest.mark.parametrize("order", ORDERS)
def test_factors_in_the_callers_memory(order, dtype):
    a, by_columns = order(positive(4, 4, dtype=dtype)), order is np.asfortranarray
    for name in ("inv", "lu_factor", "cholesky", "cho_factor", "qr"):
        kw = {"mode": "r"} if name == "qr" else {"lower": True} if name[:3] == "cho" else {}
        x = ours(a)
        got, expected = getattr(gs.linalg, name)(x, overwrite_a=True, **kw), getattr(scipy.linalg, name)(a, **kw)
        first = got[0] if type(got) is tuple else got
        assert (first is x) == (by_columns or name[:3] == "cho")
        assert used_up(x, a) == (first is x)
        if name == "cho_factor":
            close(np.tril(host(first)), np.tril(expected[0]))
        else:
            close(first, expected[0] if type(got) is tuple else expected)
    x = ours(a)
    close(gs.linalg.det(x, overwrite_a=True).astype(dtype), scipy.linalg.det(a).astype(dtype))
    assert used_up(x, a)
    for name in ("eig", "eigh", "svd", "svdvals", "eigvalsh"):
        x = ours(a)
        got = getattr(gs.linalg, name)(x, overwrite_a=True)
        assert used_up(x, a) == by_columns
        values = got[name == "svd"] if type(got) is tuple else got
        close(gs.sort(values.real), np.sort(scipy.linalg.svdvals(a)))


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (3, 3), (2, 4, 3)])
@pytest.mark.parametrize("mode", ["full", "r", "economic", "raw"])
def test_qr_in_the_callers_memory(shape, mode):
    a = numbers(*shape).mT.copy().mT
    x = ours(a)
    got = gs.linalg.qr(x, overwrite_a=True, mode=mode)
    if mode == "raw" and a.ndim == 2:
        (raw, tau), r = scipy.linalg.qr(a, mode=mode)
        for part, theirs in zip((*got[0], got[1]), (raw, tau, r), strict=True):
            close(part, theirs)
    elif mode in ("full", "economic"):
        close(gs.matmul(*got), a)
    reused = {"full": got[-1], "r": got[0], "economic": got[0], "raw": got[0][0]}[mode]
    assert (reused is x) == (a.ndim == 2 and (mode != "economic" or shape[0] >= shape[1]))


def test_generalised_eigenvalues_in_the_callers_memory():
    a, b = np.asfortranarray(numbers(3, 3)), np.asfortranarray(well_conditioned(3, 3))
    x, y = ours(a), ours(b)
    for ours_, theirs in zip(gs.linalg.eig(x, y, overwrite_a=True), scipy.linalg.eig(a, b), strict=True):
        close(ours_, theirs)
    assert used_up(x, a)
    assert not used_up(y, b)


@pytest.mark.parametrize("step", [1, 2])
def test_updates_in_the_callers_memory(step):
    a = numbers(6, 6)
    q, r = scipy.linalg.qr(a)
    wide = np.zeros((6, 6 * step))
    wide[:, ::step] = q
    x = gs.asarray(wide)[:, ::step]
    y = ours(r)
    got = gs.linalg.qr_delete(x, y, 0, 1, "col", overwrite_qr=True)
    expected = q.copy("F"), r.copy("F")
    theirs = scipy.linalg.qr_delete(*expected, 0, 1, "col", overwrite_qr=True)
    for part, other in zip(got, theirs, strict=True):
        close(part, other)
    np.testing.assert_allclose(host(x) @ host(got[1]), np.delete(a, 0, 1), atol=1e-13)
    x, y = ours(q), ours(r)
    gs.linalg.qr_update(x, y, gs.ones(6), gs.ones(6))
    assert not used_up(x, q) and not used_up(y, r)


# ---- dtypes
@pytest.mark.parametrize("name", ["inv", "det", "eigh", "qr_delete", "cho_factor", "rq", "lu"])
@pytest.mark.parametrize("values", [
    np.eye(2, dtype="longdouble"), np.eye(2, dtype="clongdouble"), np.eye(2).astype("timedelta64[s]"), np.eye(2).astype("U"),
    np.eye(2).astype(object), np.eye(2).astype("S"), [["1", "0"], ["0", "1"]],
])  # fmt: skip
def test_what_our_arrays_cannot_hold_is_scipys(name, values):
    args = (values, np.eye(2), 0) if name == "qr_delete" else (values,)
    outcome = []
    for module in (scipy.linalg, gs.linalg):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = getattr(module, name)(*args)
            except Exception as error:
                result = type(error), str(error)
        outcome.append((repr(result), [(w.category, str(w.message)) for w in caught]))
    assert outcome[0] == outcome[1]


def test_arrays_stay_with_their_kind_beside_long_doubles():
    a, b = well_conditioned(3, 3), numbers(3).astype("longdouble")
    got = gs.linalg.solve(gs.asarray(a), b)
    assert isinstance(got, gs.ndarray)
    close(got, scipy.linalg.solve(a, b))


@pytest.mark.parametrize("call", [
    lambda: gs.linalg.inv(gs.eye(2), wrong=1), lambda: gs.linalg.svd(np.eye(2), lapack_driver=1), lambda: gs.linalg.inv(None),
])  # fmt: skip
def test_type_errors_of_the_call_stay(call):
    with pytest.raises(TypeError):
        call()


def warned(call, *args, **options):
    """What a call in this file warns of, as (where, text)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*args, **options)
    return [(w.filename, str(w.message)) for w in caught if issubclass(w.category, (DeprecationWarning, FutureWarning))]


@pytest.mark.parametrize("name", ["inv", "det", "eigh", "eigvals", "eigvalsh", "svdvals", "pinv", "polar", "orth"])
@pytest.mark.parametrize("char", "e?f")
def test_odd_dtypes_are_told_once_and_at_the_callers_line(name, char, monkeypatch):
    monkeypatch.setattr(_scipy, "scipy_since", lambda *release: True)
    a = gs.asarray(positive(3, 3).astype(char) if char != "?" else np.eye(3, dtype=bool))
    got = warned(getattr(gs.linalg, name), a)
    assert len(got) == (char != "f")
    assert all(where == __file__ and f"Calling {name} with arguments of dtype={a.dtype}" in text for where, text in got)


@pytest.mark.skipif(not scipy_since(1, 18), reason="SciPy 1.18 brought the rule")
@pytest.mark.parametrize("call, options", [
    (gs.linalg.eig, {"left": True}), (gs.linalg.eig, {"b": True}), (gs.linalg.eigvals, {"b": True}), (gs.linalg.qr, {"pivoting": True}),
])  # fmt: skip
def test_what_scipy_does_on_the_host_is_told_once(call, options):
    a = gs.asarray(positive(3, 3).astype("float16"))
    options = {k: a if k == "b" else v for k, v in options.items()}
    assert [where for where, _ in warned(call, a, **options)] == [__file__]


def test_constructors_take_every_dtype(monkeypatch):
    monkeypatch.setattr(_scipy, "scipy_since", lambda *release: True)
    assert not warned(gs.linalg.toeplitz, gs.asarray(np.ones(3, "float16")))


@pytest.mark.skipif(not scipy_since(1, 18), reason="SciPy 1.18 brought the rule")
def test_scipys_rule_warns():
    for name in ("inv", "pinv", "polar", "svdvals"):
        with pytest.warns(DeprecationWarning, match="float16"):
            getattr(gs.linalg, name)(gs.asarray(positive(3, 3).astype("float16")))


# ---- messages that begin as SciPy's
@pytest.mark.parametrize(("call", "error", "sentence"), [
    (lambda: gs.linalg.solve(gs.eye(2, dtype="D"), gs.ones(2), transposed=True), NotImplementedError,
     "scipy.linalg.solve can currently not solve"),
    (lambda: gs.linalg.solve(gs.ones((2, 3)), gs.ones(2)), ValueError, "Expected square matrix"),
    (lambda: gs.linalg.solve(gs.eye(2), gs.ones(2), assume_a="kaboom"), ValueError, "not a recognized matrix structure"),
    (lambda: gs.linalg.inv(gs.eye(2), assume_a="kaboom"), KeyError, "kaboom"),
    (lambda: gs.linalg.cholesky(gs.ones(3)), ValueError, "Expected a square matrix or batch"),
    (lambda: gs.linalg.cho_factor(gs.ones((2, 3))), ValueError, "Expected a square matrix or batch"),
    (lambda: gs.linalg.cholesky(-gs.eye(2)), np.linalg.LinAlgError, "Internal potrf return info"),
    (lambda: gs.linalg.det(gs.ones(3)), ValueError, "The input array must be at least two-dimensional"),
    (lambda: gs.linalg.lstsq(gs.ones((3, 4)), gs.ones(4)), ValueError, "Shape mismatch"),
    (lambda: gs.linalg.lstsq(gs.ones(3), gs.ones(3)), ValueError, "Input array"),
    (lambda: gs.linalg.cho_solve((gs.ones((2, 3)), True), gs.ones(2)), ValueError, "The factored matrix c is not square"),
    (lambda: gs.linalg.qr(gs.eye(3), lwork=2), ValueError, "lwork"),
    (lambda: gs.linalg.cossin(0), ValueError, "containing the subblocks of X"),
    (lambda: gs.linalg.eigh(gs.eye(3), driver="gvx"), ValueError, "requires input b array"),
    (lambda: gs.linalg.eigh(gs.eye(3), gs.eye(3), driver="evr"), ValueError, "does not accept input b array"),
    (lambda: gs.linalg.eigh(gs.eye(3), driver="evd", subset_by_index=[0, 1]), ValueError, "cannot compute subsets"),
])  # fmt: skip
def test_messages(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()
        gs.zeros(1).device.synchronize()


@pytest.mark.skipif(not scipy_since(1, 18), reason="SciPy 1.18 has no use for it")
def test_qr_warns_of_its_workspace():
    for lwork in (-1, 9, 3.5, None):
        ((where, text),) = warned(gs.linalg.qr, gs.ones((3, 4)), lwork=lwork)
        assert where == __file__ and "lwork" in text
    with pytest.raises(ValueError, match="lwork should be None, -1 or >"):
        gs.linalg.qr(gs.ones((3, 4)), lwork=2.5)


def test_a_default_of_scipys_reads_well():
    assert "lwork=<not given>" in str(inspect.signature(gs.linalg.qr))


@pytest.mark.parametrize("given, options", [
    ((None, False, False), {}), ((None, False, True, False), {}), ((None, False, False, True), {}), ((None, False, True, True, True), {}),
    ((np.diag([2.0, 4.0]), False, False, False), {}), ((), {"overwrite_b": True}),
])  # fmt: skip
def test_eigvals_has_the_parameters_of_the_installed_scipy(given, options):
    """Its fourth is check_finite in 1.17, overwrite_b in 1.18."""
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    try:
        meant = inspect.signature(scipy.linalg.eigvals).bind(a, *given, **options)
    except TypeError:
        with pytest.raises(TypeError):
            gs.linalg.eigvals(gs.asarray(a), *given, **options)
        return
    close(gs.linalg.eigvals(gs.asarray(a), *given, **options), scipy.linalg.eigvals(a, *given, **options))
    meant.apply_defaults()
    if meant.arguments["check_finite"]:
        with pytest.raises(ValueError):
            gs.linalg.eigvals(gs.asarray(a * np.nan), *given, **options)
            gs.zeros(1).device.synchronize()


def test_defaults_that_differ_between_releases_are_scipys():
    for name, routine in (("get_blas_funcs", "gemm"), ("get_lapack_funcs", "getrf")):
        for options in ({}, {"ilp64": False}):
            ours, theirs = (getattr(module, name)(routine, **options) for module in (gs.linalg, scipy.linalg))
            assert (ours.int_dtype, ours.typecode) == (theirs.int_dtype, theirs.typecode)


@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 3)])
def test_fiedler_of_nothing(shape):
    got, expected = gs.linalg.fiedler(gs.zeros(shape, "float32")), scipy.linalg.fiedler(np.zeros(shape, "float32"))
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_determinants_of_single_precision_have_the_range_of_double(dtype, scale):
    a = (positive(4, 4) * scale).astype(dtype)
    got, expected = host(gs.linalg.det(gs.asarray(a))), np.linalg.det(a.astype("complex128"))
    assert got.dtype == ("float64" if dtype == "float32" else "complex128")
    assert abs(got - expected) < 100 * np.finfo("float32").eps * abs(expected)


def test_hankel_warns_of_scipys_plans():
    ((where, text),) = warned(gs.linalg.hankel, gs.ones((2, 3)))
    assert where == __file__ and text.startswith("Beginning in SciPy 1.19, multidimensional input will be")


# ---- stacks and empty matrices
@pytest.mark.parametrize("vectors", [True, False])
def test_generalised_stacks_broadcast(vectors):
    a, b = positive(1, 3, 4, 4), positive(2, 1, 4, 4, seed=1)
    got = gs.linalg.eigh(gs.asarray(a), gs.asarray(b), eigvals_only=not vectors)
    w = host(got[0] if vectors else got)
    assert w.shape == (2, 3, 4)
    for i in np.ndindex(2, 3):
        np.testing.assert_allclose(w[i], scipy.linalg.eigvalsh(a[0, i[1]], b[i[0], 0]), rtol=1e-12)
    if vectors:
        v = host(got[1])
        np.testing.assert_allclose(a @ v, b @ v * w[..., None, :], atol=1e-12)


@pytest.mark.parametrize("dtype", INEXACT)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (5, 3, 2, 0)])
@pytest.mark.parametrize("full", [True, False])
def test_singular_values_of_nothing(shape, full, dtype):
    u, s, vh = gs.linalg.svd(gs.zeros(shape, dtype), full_matrices=full)
    m, n = shape[-2:]
    assert (u.shape, s.shape, vh.shape) == ((*shape[:-1], m * full), (*shape[:-2], 0), (*shape[:-2], n * full, n))
    assert u.dtype == vh.dtype == dtype and s.dtype == np.dtype(dtype).char.lower()
    if full:
        np.testing.assert_array_equal(host(u), np.broadcast_to(np.eye(m), u.shape))
        np.testing.assert_array_equal(host(vh), np.broadcast_to(np.eye(n), vh.shape))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 3, 0)])
def test_orthogonal_factors_of_nothing(shape):
    q, r = gs.linalg.qr(gs.zeros(shape))
    np.testing.assert_array_equal(host(q), np.broadcast_to(np.eye(shape[-2]), q.shape))
    assert r.shape == shape


@pytest.mark.parametrize("driver", ["gelsd", "gelsy"])
@pytest.mark.parametrize("shapes", [
    ((4, 3, 2), (3,)), ((4, 3, 2), (3, 5)), ((3, 2), (4, 3, 1)), ((2, 3, 4), (3, 2)), ((2, 3, 3), (2, 3, 1)),
])  # fmt: skip
def test_least_squares_of_stacks_of_several_ranks(shapes, driver):
    a, b = numbers(*shapes[0]), numbers(*shapes[1])
    if a.ndim == 3:
        a[0] = 0
    x, residues, rank, s = gs.linalg.lstsq(gs.asarray(a), gs.asarray(b), lapack_driver=driver)
    vector = b.ndim == 1
    columns = b[:, None] if vector else b
    batch = np.broadcast_shapes(a.shape[:-2], columns.shape[:-2])
    x = host(x)[..., None] if vector else host(x)
    for i in np.ndindex(batch):
        one, side = np.broadcast_to(a, (*batch, *a.shape[-2:]))[i], np.broadcast_to(columns, (*batch, *columns.shape[-2:]))[i]
        theirs = scipy.linalg.lstsq(one, side, lapack_driver=driver)
        np.testing.assert_allclose(x[i], theirs[0], atol=1e-13)
        assert host(rank)[i] == theirs[2]
        if driver == "gelsd":
            np.testing.assert_allclose(host(s)[i], theirs[3], atol=1e-13)
    m, n = a.shape[-2:]
    if driver == "gelsy" or m <= n:
        assert residues.shape == (*batch, 0)
        assert (s is None) == (driver == "gelsy")
        return
    missing = np.sum((columns - a @ x) ** 2, axis=-2)
    missing[host(rank) < n] = np.nan
    np.testing.assert_allclose(host(residues), missing[..., 0] if vector else missing, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", INEXACT)
@pytest.mark.parametrize("x_shape", [(5,), (5, 4), (2, 3, 5, 4)])
@pytest.mark.parametrize("rows", [None, (2, 3, 5), (5,), (3, 5)])
def test_products_with_stacks_of_toeplitz_matrices(rows, x_shape, dtype):
    c, x = numbers(2, 3, 5, dtype=dtype), numbers(*x_shape, dtype=dtype)
    r = None if rows is None else numbers(*rows, dtype=dtype, seed=1)
    given = gs.asarray(c) if r is None else (gs.asarray(c), gs.asarray(r))
    full = host(gs.linalg.toeplitz(gs.asarray(c), None if r is None else gs.asarray(r)))
    wide = np.result_type(dtype, np.float64)
    close(gs.linalg.matmul_toeplitz(given, gs.asarray(x)), full.astype(wide) @ x.astype(wide))


@pytest.mark.parametrize("c_shape", [(5,), (5, 4), (2, 3, 5, 4)])
@pytest.mark.parametrize("pivoting", [False, True])
def test_products_with_stacks_of_orthogonal_factors(c_shape, pivoting):
    a, c = numbers(2, 3, 5, 5), numbers(*c_shape)
    got = gs.linalg.qr_multiply(gs.asarray(a), gs.asarray(c), mode="left", pivoting=pivoting)
    q, r, *rest = gs.linalg.qr(gs.asarray(a), pivoting=pivoting)
    close(got[0], host(q) @ c)
    close(got[1], host(r))
    assert len(got) == 2 + len(rest)
    for bad in (numbers(4), numbers(4, 5)):
        with pytest.raises(ValueError, match="not compatible"):
            gs.linalg.qr_multiply(gs.asarray(a), gs.asarray(bad), mode="left")


def test_flags_of_stacks_of_factors():
    a, b = positive(2, 3, 4, 4), numbers(4)
    c, lower = gs.linalg.cho_factor(gs.asarray(a), lower=True)
    assert lower.shape == (2, 3) and lower.all()
    close(gs.linalg.cho_solve((c, lower), gs.asarray(b)), np.linalg.solve(a, np.broadcast_to(b[:, None], (2, 3, 4, 1)))[..., 0])


# ---- exponentials of triangles
def _triangle(rng, n, dtype, scale):
    a = np.triu(rng.standard_normal((n, n))) * scale
    return (a + 1j * np.triu(rng.standard_normal((n, n))) if np.dtype(dtype).kind == "c" else a).astype(dtype)


@pytest.mark.parametrize("dtype", INEXACT)
@pytest.mark.parametrize("scale", [0.3, 3, 20])
def test_exponentials_of_triangles(scale, dtype):
    mpmath = pytest.importorskip("mpmath")
    a = _triangle(np.random.default_rng(3), 5, dtype, scale)
    a[2, 2] = a[1, 1]                                           # equal and nearly equal neighbours
    a[4, 4] = a[3, 3] * (1 + 1e-6)
    with mpmath.workdps(60):
        exact = np.array(mpmath.expm(mpmath.matrix(a.tolist()), method="taylor").tolist(), complex)
    exact = (exact if a.dtype.kind == "c" else exact.real).astype(dtype)
    for x, expected in ((a, exact), (a.T, exact.T)):
        got = gs.linalg.expm(gs.asarray(x))
        close(got, expected, factor=4)
        np.testing.assert_allclose(np.diag(host(got)), np.diag(expected), rtol=8 * np.finfo(dtype).eps)


def test_exponentials_of_triangles_far_from_one():
    a = np.array([[-2000.0, 3.0], [0.0, 0.0]])
    np.testing.assert_allclose(host(gs.linalg.expm(gs.asarray(a))), [[0, 3 / 2000], [0, 1]], rtol=1e-14)
    rough = np.triu(np.full((4, 4), 3e4), 1) + np.diag([0.32346, 0.30089, 0.3221, 0.30744])
    back = host(gs.linalg.expm(gs.asarray(scipy.linalg.logm(rough))))       # of condition 1e11
    np.testing.assert_allclose(back, rough, rtol=5e-5, atol=1e-14)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 0, 3), (2, 3, 0), (0, 2, 3), (3, 2)])
def test_lu_of_empty_matrices(shape):
    a = well_conditioned(3, 3)[: shape[-2], : shape[-1]] if shape == (3, 2) else np.empty(shape, "F")
    for kw in ({}, {"p_indices": True}, {"permute_l": True}):
        found, expected = gs.linalg.lu(ours(a), **kw), scipy.linalg.lu(a, **kw)
        assert [(v.shape, v.dtype) for v in found] == [(v.shape, v.dtype) for v in expected]
