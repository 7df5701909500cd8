"""`eigvals`, whose fourth parameter depends on the installed SciPy. Loaded at its first use: to ask for the release is to import SciPy."""

from gpusci.core.libraries import scipy_since
from gpusci.linalg._eigen import eig
from gpusci.linalg._scipy import scipy_first

__all__ = ["eigvals"]

if scipy_since(1, 18):

    @scipy_first("scipy.linalg", "a", "b")
    def eigvals(a, b=None, overwrite_a=False, overwrite_b=False, check_finite=True, homogeneous_eigvals=False):
        """As `scipy.linalg.eigvals`; with `b` the work is done on the host."""
        return eig(a, b, False, False, overwrite_a, overwrite_b, check_finite, homogeneous_eigvals)

else:

    @scipy_first("scipy.linalg", "a", "b")
    def eigvals(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False):
        """As `scipy.linalg.eigvals`; with `b` the work is done on the host."""
        return eig(a, b, False, False, overwrite_a, False, check_finite, homogeneous_eigvals)
