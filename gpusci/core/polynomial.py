"""NumPy's polynomial functions: coefficients, highest power first. Few numbers, so all but `polyval` work on the host:
coefficients in a GPU array are read back, which waits for the GPU."""

import numpy as np

from gpusci.core import ufuncs
from gpusci.core._ndarray import ndarray
from gpusci.core.creation import asarray, zeros_like
from gpusci.core.numpylike import device_of, numpy_like, through_host, to_device_array

__all__ = ["poly", "poly1d", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots"]


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


class poly1d:
    """As `numpy.poly1d`: coefficients on the host (they are few), evaluated on the argument's device."""

    __hash__ = None

    def __init__(self, c_or_r, r=False, variable=None):
        host = c_or_r._host if isinstance(c_or_r, poly1d) else c_or_r.numpy() if type(c_or_r) is ndarray else c_or_r
        self._host = np.poly1d(host, r, variable)

    coeffs = coef = coefficients = c = property(lambda self: asarray(self._host.coeffs))
    roots = r = property(lambda self: asarray(self._host.roots))
    order = o = property(lambda self: self._host.order)
    variable = property(lambda self: self._host.variable)

    def __call__(self, val):
        return poly1d(self._host(val._host)) if isinstance(val, poly1d) else polyval(self._host.coeffs, val)

    def _make(self, operation, other):
        return poly1d(getattr(self._host, operation)(other._host if isinstance(other, poly1d) else other))

    def __add__(self, other): return self._make("__add__", other)
    def __radd__(self, other): return self._make("__radd__", other)
    def __sub__(self, other): return self._make("__sub__", other)
    def __rsub__(self, other): return self._make("__rsub__", other)
    def __mul__(self, other): return self._make("__mul__", other)
    def __rmul__(self, other): return self._make("__rmul__", other)
    def __pow__(self, power): return self._make("__pow__", power)
    def __neg__(self): return poly1d(-self._host)

    def __truediv__(self, other):
        result = self._host / (other._host if isinstance(other, poly1d) else other)
        return tuple(map(poly1d, result)) if isinstance(result, tuple) else poly1d(result)

    def __eq__(self, other):
        return isinstance(other, poly1d) and bool(self._host == other._host)

    def __getitem__(self, power):
        return self._host[power]

    def __len__(self):
        return len(self._host)

    def __iter__(self):
        return iter(self._host)

    def __repr__(self):
        return repr(self._host)

    def __str__(self):
        return str(self._host)

    def deriv(self, m=1):
        """The m-th derivative."""
        return poly1d(self._host.deriv(m))

    def integ(self, m=1, k=0):
        """The m-th integral, with constants k."""
        return poly1d(self._host.integ(m, k))
