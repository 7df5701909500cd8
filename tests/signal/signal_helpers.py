"""Comparing gpusci.signal with SciPy on the same call: type of the error, dtype, shape, value."""

import warnings

import numpy as np
import scipy.signal as ss

from gpusci import signal

RNG = np.random.default_rng(3)


def data(shape, dtype="d", scale=20.0):
    x = RNG.normal(size=shape) * scale
    if np.dtype(dtype).kind == "c":
        x = x + 1j * RNG.normal(size=shape)
    return x > 0 if np.dtype(dtype).kind == "b" else x.astype(dtype)


def outcome(module, name, args, kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return getattr(module, name)(*args, **kwargs)
        except Exception as error:
            return error


def same(name, *args, eps=60, **kwargs):
    """gpusci and SciPy agree; eps is the error allowed in units of the precision of the result or of single input."""
    got, want = outcome(signal, name, args, kwargs), outcome(ss, name, args, kwargs)
    where = f"{name}{[getattr(a, 'shape', a) for a in args]}, {kwargs}"
    if isinstance(want, Exception):
        # NumPy's own TypeErrors are private subclasses.
        assert isinstance(got, TypeError if isinstance(want, TypeError) else type(want)), f"{where}: SciPy raises {want!r}, here {got!r}"
        return
    assert not isinstance(got, Exception), f"{where}: raises {got!r}"
    single = any(np.asarray(a).dtype.char in "efF" for a in args if isinstance(a, np.ndarray))
    agree(got, want, eps, single, where)


def agree(got, want, eps, single, where):
    if isinstance(want, dict):
        assert list(got) == list(want), where
        got, want = tuple(got.values()), tuple(want.values())
    if isinstance(want, tuple):
        assert len(got) == len(want), where
        for g, w in zip(got, want):
            agree(g, w, eps, single, where)
        return
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, f"{where}: {got.dtype}{got.shape}, SciPy {want.dtype}{want.shape}"
    if want.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want, err_msg=where)
    elif want.size:
        precision = np.finfo("f" if single or want.dtype.char in "fF" else "d").eps if want.dtype.char != "e" else 1e-3
        limit = eps * precision * np.nanmax(np.abs(want[np.isfinite(want)]), initial=0)
        np.testing.assert_allclose(got, want, rtol=0, atol=limit, err_msg=where)
