"""Measures shared by the tests of gpusci.linalg."""

import numpy as np

import gpusci as gs

INEXACT = ["float32", "float64", "complex64", "complex128"]


def numbers(*shape, dtype="float64", seed=0):
    r = np.random.default_rng((seed, *shape))
    x = r.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * r.standard_normal(shape)
    return x.astype(dtype)


def well_conditioned(*shape, dtype="float64", seed=0):
    return numbers(*shape, dtype=dtype, seed=seed) + (3 * np.sqrt(shape[-1]) * np.eye(*shape[-2:])).astype(dtype)


def positive(*shape, dtype="float64", seed=0):
    a = numbers(*shape, dtype=dtype, seed=seed)
    return (a @ a.conj().mT / shape[-1] + np.eye(shape[-1])).astype(dtype)


def host(x):
    return x.numpy() if isinstance(x, gs.ndarray) else np.asarray(x)


def close(ours, theirs, factor=50, scale=None):
    """Same dtype and shape; error against the norm of the reference (or `scale`) in units of the dtype's rounding."""
    ours, theirs = host(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    if not theirs.size:
        return
    if theirs.dtype.kind not in "fc":
        np.testing.assert_array_equal(ours, theirs)
        return
    eps = np.finfo(theirs.dtype).eps
    scale = np.abs(theirs).max() if scale is None else scale
    assert np.abs(ours - theirs).max() <= factor * eps * max(scale, np.finfo(theirs.dtype).tiny) * max(
        theirs.shape[-1:] or (1,)
    )
