"""zeta, polygamma, lambertw and sinc: functions over rows."""

import gpusci as gs
from gpusci.core import public
from gpusci.special._integral_kernels import hurwitz, lambertw_row, polygamma_row, riemann

__all__ = ["lambertw", "polygamma", "sinc", "zeta"]


def zeta(x, q=None, out=None):
    """As `scipy.special.zeta`, for real x. zeta(inf, q) for q > 1 is 0, where SciPy 1.17 has NaN."""
    return riemann(x, out=out) if q is None else hurwitz(x, q, out=out)


def lambertw(z, k=0, tol=1e-8):
    """As `scipy.special.lambertw`. complex128, as there; the branch point -1/e gives -1."""
    return lambertw_row(z, k, tol)


def polygamma(n, x):
    """As `scipy.special.polygamma`."""
    return polygamma_row(n, x)


@public("x")
def sinc(x):
    """As `scipy.special.sinc`: sin(pi x) / (pi x)."""
    return gs.sinc(x)
