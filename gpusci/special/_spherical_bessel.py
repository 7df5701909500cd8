"""Spherical Bessel functions and their derivatives, for real arguments."""

import numpy as np

import gpusci as gs
from gpusci.core import public
from gpusci.special._bessel_kernels import spherical

__all__ = ["spherical_in", "spherical_jn", "spherical_kn", "spherical_yn"]


def _apply(kind, n, z, derivative):
    if z.dtype.kind == "c":
        raise TypeError(f"spherical_{kind}n takes real z on gpusci arrays; for complex z call scipy.special's on the host")
    return spherical[kind][bool(derivative)](gs.asarray(n).astype(np.int64), z)


@public("n", "z")
def spherical_jn(n, z, derivative=False):
    """As `scipy.special.spherical_jn`, for real z; n is cut to an integer, NaN below 0."""
    return _apply("j", n, z, derivative)


@public("n", "z")
def spherical_yn(n, z, derivative=False):
    """As `scipy.special.spherical_yn`, for real z; n is cut to an integer, NaN below 0. Slopes at 0 are inf (SciPy: NaN)."""
    return _apply("y", n, z, derivative)


@public("n", "z")
def spherical_in(n, z, derivative=False):
    """As `scipy.special.spherical_in`, for real z; n is cut to an integer, NaN below 0. Accurate for tiny z."""
    return _apply("i", n, z, derivative)


@public("n", "z")
def spherical_kn(n, z, derivative=False):
    """As `scipy.special.spherical_kn`, for real z; n is cut to an integer, NaN below 0."""
    return _apply("k", n, z, derivative)
