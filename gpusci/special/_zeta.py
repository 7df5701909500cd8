"""zeta and lambertw: functions with defaults over their rows."""

from gpusci.special._integral_kernels import hurwitz, lambertw_row, riemann

__all__ = ["lambertw", "zeta"]


def zeta(x, q=None, out=None):
    """As `scipy.special.zeta`, for real x. zeta(inf, q) for q > 1 is 0, where SciPy 1.17 has NaN."""
    return riemann(x, out=out) if q is None else hurwitz(x, q, out=out)


def lambertw(z, k=0, tol=1e-8):
    """As `scipy.special.lambertw`. complex128, as there; the branch point -1/e gives -1."""
    return lambertw_row(z, k, tol)
