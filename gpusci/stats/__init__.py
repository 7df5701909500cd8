"""Statistics: `scipy.stats` on GPU and host arrays."""

from gpusci.core import check, fallback
from gpusci.stats._continuous import (
    beta, cauchy, chi2, expon, gamma, halfnorm, laplace, logistic, lognorm, lomax, norm, pareto, rayleigh, t, uniform,
    weibull_min,
)  # fmt: skip

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ("random", "special")

__all__ = [
    "beta", "cauchy", "chi2", "expon", "gamma", "halfnorm", "laplace", "logistic", "lognorm", "lomax", "norm", "pareto",
    "rayleigh", "t", "uniform", "weibull_min",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
