"""NumPy's polynomial functions: coefficients, highest power first. Few numbers, so all but `polyval` work on the host:
coefficients in a GPU array are read back, which waits for the GPU."""

import numpy as np

from gpusci.core import ufuncs
from gpusci.core.creation import zeros_like
from gpusci.core.numpylike import device_of, numpy_like, through_host, to_device_array

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots"]


@numpy_like
def polyval(p, x):
    """As `numpy.polyval`: Horner's rule, element-wise; nothing waits."""
    home = device_of(p, x)
    p, x = to_device_array(p, home), to_device_array(x, home)
    y = zeros_like(x)
    for coefficient in p:
        y = ufuncs.add(ufuncs.multiply(y, x), coefficient)
    return y


@through_host
def poly(seq_of_zeros):
    """As `numpy.poly`."""


@through_host
def polyadd(a1, a2):
    """As `numpy.polyadd`."""


@through_host
def polyder(p, m=1):
    """As `numpy.polyder`."""


@through_host
def polydiv(u, v):
    """As `numpy.polydiv`."""


@through_host
def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """As `numpy.polyfit`: LAPACK's least squares on the host."""


@through_host
def polyint(p, m=1, k=None):
    """As `numpy.polyint`."""


@through_host
def polymul(a1, a2):
    """As `numpy.polymul`."""


@through_host
def polysub(a1, a2):
    """As `numpy.polysub`."""


@through_host
def roots(p):
    """As `numpy.roots`."""
