"""Statistics: `scipy.stats` on GPU and host arrays."""

from gpusci.core import check, fallback
from gpusci.stats._continuous import (
    beta, cauchy, chi2, expon, gamma, halfnorm, laplace, logistic, lognorm, lomax, norm, pareto, rayleigh, t, uniform,
    weibull_min,
)  # fmt: skip
from gpusci.stats._descriptive import describe, gmean, hmean, kurtosis, moment, pmean, sem, skew, variation
from gpusci.stats._scores import gzscore, zmap, zscore

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ("random", "special")

__all__ = [
    "beta", "cauchy", "chi2", "describe", "expon", "gamma", "gmean", "gzscore", "halfnorm", "hmean", "kurtosis", "laplace",
    "logistic", "lognorm", "lomax", "moment", "norm", "pareto", "pmean", "rayleigh", "sem", "skew", "t", "uniform",
    "variation", "weibull_min", "zmap", "zscore",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
