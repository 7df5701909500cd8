"""Stacks of matrices, sizes of zero and one, NaN: what the device's way must share with scipy.linalg."""

import numpy as np
import pytest
import scipy.linalg
from linalg_helpers import INEXACT, close, numbers, well_conditioned

import gpusci as gs


def both(name, *args, **kw):
    up = lambda v: gs.asarray(v) if isinstance(v, np.ndarray) else v
    return getattr(gs.linalg, name)(*map(up, args), **kw), getattr(scipy.linalg, name)(*args, **kw)


def projector(basis):
    basis = np.asarray(gs.asnumpy(basis))
    return basis @ np.conj(np.swapaxes(basis, -1, -2))


@pytest.mark.parametrize("dtype", INEXACT)
def test_bases_of_stacks(dtype):
    a = numbers(2, 3, 4, 2, dtype=dtype) @ numbers(2, 3, 2, 3, dtype=dtype)      # 4 x 3 of rank 2
    for name in ("null_space", "orth"):
        ours, theirs = both(name, a, rcond=1e-4)
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
        close(projector(ours), projector(theirs))
    a[0, 0] = 0
    for name in ("null_space", "orth"):
        with pytest.raises(ValueError):
            getattr(gs.linalg, name)(gs.asarray(a), rcond=1e-4)


@pytest.mark.parametrize("dtype", INEXACT)
def test_factors_of_stacks(dtype):
    a, b = well_conditioned(2, 3, 4, 4, dtype=dtype), well_conditioned(2, 3, 4, 4, seed=1, dtype=dtype)
    for name, args, kw in (("polar", (a,), {"side": "left"}), ("polar", (a,), {}), ("orthogonal_procrustes", (a, b), {})):
        for ours, theirs in zip(*both(name, *args, **kw), strict=True):
            close(ours, theirs)
    close(*both("companion", a[0]))


def test_structure_of_stacks():
    a = numbers(3, 4, 4)
    a[1] = a[1] + a[1].T
    a[2] = np.tril(np.triu(a[2], -1), 2)
    for name in ("issymmetric", "ishermitian", "bandwidth"):
        ours, theirs = both(name, a)
        np.testing.assert_array_equal(np.asarray([gs.asnumpy(part) for part in ours]), np.asarray(theirs))
    for name in ("issymmetric", "ishermitian"):
        with pytest.raises(ValueError):
            getattr(gs.linalg, name)(gs.asarray(a[0, :3]))


@pytest.mark.parametrize("place", [(1, 1), (0, 2)])
@pytest.mark.parametrize("dtype", INEXACT)
def test_structure_with_nan(dtype, place):
    a = np.eye(3, dtype=dtype)
    a[place] = a[place[::-1]] = np.nan
    for name in ("issymmetric", "ishermitian"):
        for kw in ({}, {"atol": 1.0}):
            ours, theirs = both(name, a, **kw)
            assert ours is theirs


@pytest.mark.parametrize("name", ["expm", "sinm", "cosm", "sinhm", "coshm"])
@pytest.mark.parametrize("dtype", INEXACT)
def test_nan_reaches_functions_of_matrices(name, dtype):
    a = np.eye(2, dtype=dtype)
    a[0, 1] = np.nan
    assert np.isnan(gs.asnumpy(getattr(gs.linalg, name)(gs.asarray(a)))[0, 1])


def test_functions_of_one_number():
    for a in (np.array(2.0), np.array([2.0]), np.array([[2.0]]), np.array([1j])):
        close(*both("expm", a))
    for name in ("sinm", "coshm"):
        with pytest.raises(ValueError):
            getattr(gs.linalg, name)(gs.asarray(np.array(2.0)))


def test_special_matrices_take_scipys_shapes():
    for name, args in (("toeplitz", (np.ones(3, bool),)), ("hankel", (numbers(2, 3),)), ("hankel", (numbers(3), numbers(2, 2))),
                       ("fiedler", (numbers(1, 1),)), ("fiedler", (numbers(2, 3),)), ("companion", (well_conditioned(3, 3),))):  # fmt: skip
        ours, theirs = both(name, *args)
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
        np.testing.assert_allclose(gs.asnumpy(ours), theirs)
    for args in ((numbers(1), numbers(0)), (np.array(1.0), np.array(1.0)), (numbers(3), numbers(3))):
        with pytest.raises(ValueError):
            gs.linalg.leslie(*map(gs.asarray, args))
    with pytest.raises(ValueError):
        gs.linalg.companion(gs.asarray(np.zeros((2, 3))))


def test_systems_of_no_and_of_one_equation():
    two = np.array([[2.0]])
    for a, b in ((two, numbers(3)), (two[0, 0, ...], numbers(3)), (two, numbers(3, 2)), (two, numbers(1, 2)), (0 * two, numbers(1, 0))):
        close(*both("solve", a, b))
    close(*both("solve", numbers(4, 4) + 9 * np.eye(4), numbers(4, 2), assume_a="tridiagonal"))
    for name in ("matmul_toeplitz", "solve_circulant"):
        close(*both(name, numbers(0), numbers(0)))
    for shape in ((0, 0), (3, 0), (0, 3)):
        for ours, theirs in zip(*both("lstsq", numbers(*shape), numbers(shape[0]))):
            np.testing.assert_array_equal(gs.asnumpy(ours), theirs)


@pytest.mark.parametrize("ord", [None, "fro", "nuc", 1, 2, np.inf])
def test_norms_of_nothing(ord):
    for shape in ((0, 0), (0, 3), (3, 0)):
        close(*both("norm", numbers(*shape), ord))
    if not isinstance(ord, str):
        close(*both("norm", numbers(0), ord))


@pytest.mark.parametrize("ord", [None, 1, 2, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", INEXACT)
def test_dtypes_of_norms(dtype, ord):
    a = numbers(5, 4, dtype=dtype)
    for x, kw in ((a, {}), (a[0], {}), (a, {"axis": (0, 1)}), (a, {"keepdims": True}), (a[:, ::2], {}), (a[0], {"axis": 0})):
        ours, theirs = both("norm", x, ord, **kw)
        if x.flags.c_contiguous or gs.current_device().kind == "host":      # on a GPU it is contiguous, for which SciPy has another dtype
            assert ours.dtype == np.asarray(theirs).dtype
        np.testing.assert_allclose(gs.asnumpy(ours), theirs, rtol=1e-12 if dtype in ("float64", "complex128") else 1e-6)
