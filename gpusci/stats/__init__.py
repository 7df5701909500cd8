"""Statistics: `scipy.stats` on GPU and host arrays."""

from gpusci.core import check, fallback
from gpusci.stats._continuous import (
    beta, cauchy, chi2, expon, gamma, halfnorm, laplace, logistic, lognorm, lomax, norm, pareto, rayleigh, t, uniform,
    weibull_min,
)  # fmt: skip
from gpusci.stats._descriptive import describe, gmean, hmean, kurtosis, moment, pmean, sem, skew, variation
from gpusci.stats._normality import kurtosistest, normaltest, skewtest
from gpusci.stats._ranks import entropy, mode, rankdata
from gpusci.stats._scores import gzscore, zmap, zscore
from gpusci.stats._trimmed import iqr, median_abs_deviation, tmax, tmean, tmin, trim_mean, trimboth, tsem, tstd, tvar
from gpusci.stats._ttests import pearsonr, ttest_1samp, ttest_ind, ttest_rel

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ("random", "special")

__all__ = [
    "beta", "cauchy", "chi2", "describe", "entropy", "expon", "gamma", "gmean", "gzscore", "halfnorm", "hmean", "iqr",
    "kurtosis", "kurtosistest", "laplace", "logistic", "lognorm", "lomax", "median_abs_deviation", "mode", "moment", "norm",
    "normaltest", "pareto", "pearsonr", "pmean", "rankdata", "rayleigh", "sem", "skew", "skewtest", "t", "tmax", "tmean",
    "tmin", "trim_mean", "trimboth", "tsem", "tstd", "ttest_1samp", "ttest_ind", "ttest_rel", "tvar", "uniform", "variation",
    "weibull_min", "zmap", "zscore",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
