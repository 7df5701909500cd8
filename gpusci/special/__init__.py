"""Special functions: `scipy.special` on GPU and host arrays."""

from gpusci.core import check, fallback
from gpusci.special._kernels import (
    digamma, erf, erfc, erfcinv, erfcx, erfinv, gamma, gammainc, gammaincc, gammaln, gammasgn, log_ndtr, ndtr, ndtri,
    psi, rgamma,
)  # fmt: skip

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()

__all__ = [
    "digamma", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "gamma", "gammainc", "gammaincc", "gammaln", "gammasgn",
    "log_ndtr", "ndtr", "ndtri", "psi", "rgamma",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
