"""The same sparse arrays in gpusci and SciPy, and what `the same result` means."""

import numpy as np
import pytest
import scipy.sparse as sp

import gpusci as gs
from gpusci import sparse

FORMATS = [f"{f}_{kind}" for f in ("csr", "csc", "coo") for kind in ("array", "matrix")]


def words(text):
    """Expressions of a text, none of which has a blank."""
    return text.split()


def entries(dtype="f8", shape=(5, 6), n=14, seed=3):
    """(data, (row, col)) with duplicates, explicit zeros, an empty row and an empty column."""
    rng = np.random.default_rng(seed)
    row, col = rng.integers(0, shape[0] - 1, n), rng.integers(0, shape[1] - 1, n)
    data = rng.integers(-4, 5, n)
    data[2::5] = 0
    data = data * (1 - 2j) if np.dtype(dtype).kind == "c" else abs(data) if np.dtype(dtype).kind in "u?" else data
    return data.astype(dtype), (row, col)


def pair(name, dtype="f8", shape=(5, 6), **given):
    """The same array in both libraries; compressed formats keep duplicates, unsorted indices and stored zeros."""
    data, (row, col) = entries(dtype, shape, **given)
    if name.startswith("coo"):
        return getattr(sparse, name)((data, (row, col)), shape=shape), getattr(sp, name)((data, (row, col)), shape=shape)
    major = row if name.startswith("csr") else col
    order = np.argsort(major, kind="stable")
    lines = shape[0] if name.startswith("csr") else shape[1]
    indptr = np.searchsorted(major[order], np.arange(lines + 1))
    parts = data[order], (col if name.startswith("csr") else row)[order], indptr
    # The libraries get copies: methods such as sum_duplicates write to what an array holds.
    return (getattr(m, name)(tuple(part.copy() for part in parts), shape=shape) for m in (sparse, sp))


def same(got, want, rtol=1e-13, where=""):
    if getattr(want, "dtype", np.dtype(bool)).char in "fF":
        rtol = 1e-6
    if sp.issparse(want):
        assert sparse.issparse(got) and not sp.issparse(got), where
        format = want.format if want.format in ("csr", "csc", "coo") else "csr"
        assert type(got).__name__ == type(want).__name__.replace(want.format, format), where
        assert got.shape == want.shape and got.dtype == want.dtype, (where, got, want)
        got, want = got.toarray(), want.toarray()
    if isinstance(want, tuple):
        assert type(got) is tuple and len(got) == len(want), where
        for a, b in zip(got, want):
            same(a, b, rtol, where)
        return
    if isinstance(want, (np.ndarray, np.generic)):
        got = gs.asnumpy(got) if isinstance(got, gs.ndarray) else got      # what was made of no array is on the GPU
        assert isinstance(got, np.matrix) == isinstance(want, np.matrix), (where, type(got))
        assert np.shape(got) == want.shape and np.asarray(got).dtype == want.dtype, (where, got, want)
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=rtol, atol=1e-13, err_msg=where)
    else:
        assert got == want and isinstance(got, type(want)), (where, got, want)


def both(name, text, a, b, **names):
    """Evaluates an expression of X with both libraries: equal results or the same kind of exception."""
    try:
        want = eval(text, {"X": b, "np": np, **{k: v[1] if isinstance(v, tuple) else v for k, v in names.items()}})
    except Exception as error:
        with pytest.raises(_kinds(error)):
            eval(text, {"X": a, "np": np, **{k: v[0] if isinstance(v, tuple) else v for k, v in names.items()}})
        return
    got = eval(text, {"X": a, "np": np, **{k: v[0] if isinstance(v, tuple) else v for k, v in names.items()}})
    same(got, want, where=f"{name}: {text}")


def _kinds(error):
    """SciPy raises by accident in places; ours is then the exception that says it."""
    return (type(error), AttributeError) if isinstance(error, TypeError) else (type(error), TypeError, ValueError)
