"""Derivatives of the Bessel functions of any order in their argument (DLMF 10.6.7, 10.29.5)."""

import math
import operator

from gpusci.core import public
from gpusci.special._bessel_kernels import iv, jv, kv, yv

__all__ = ["ivp", "jvp", "kvp", "yvp"]


def _derivative(function, v, z, n, step):
    """2^-n times the sum of binomial(n, k) step^k f(v - n + 2 k); `step` is the sign of the next order."""
    n = operator.index(n) if not isinstance(n, float) else _refuse()
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    total = function(v - n, z)
    for k in range(1, n + 1):
        total = total + step**k * math.comb(n, k) * function(v - n + 2 * k, z)
    return total * 0.5**n


def _refuse():
    raise TypeError("n must be a non-negative integer")


@public("v", "z")
def jvp(v, z, n=1):
    """As `scipy.special.jvp`, for real z."""
    return _derivative(jv, v, z, n, -1)


@public("v", "z")
def yvp(v, z, n=1):
    """As `scipy.special.yvp`, for real z."""
    return _derivative(yv, v, z, n, -1)


@public("v", "z")
def ivp(v, z, n=1):
    """As `scipy.special.ivp`, for real z."""
    return _derivative(iv, v, z, n, 1)


@public("v", "z")
def kvp(v, z, n=1):
    """As `scipy.special.kvp`, for real z."""
    return _derivative(kv, v, z, n, 1) * (-1) ** n
