"""The continuous distributions: one row each. Their standard forms are in kernels/, their kernel rows in `_kernels.py`.

A row: name, shapes, how to draw from the standard form (without it: the quantile of a uniform number, as SciPy), a
closed fit.
"""

import numpy as np

import gpusci as gs
from gpusci.core import dispatch
from gpusci.stats._distribution import Continuous

__all__ = [
    "beta", "cauchy", "chi2", "expon", "gamma", "halfnorm", "laplace", "logistic", "lognorm", "lomax", "norm", "pareto",
    "rayleigh", "t", "uniform", "weibull_min",
]  # fmt: skip


def _fit_norm(data, kwds):
    """Mean and standard deviation; None where SciPy's general search is asked for."""
    if set(kwds) - {"floc", "fscale"}:
        return None
    floc, fscale = kwds.get("floc"), kwds.get("fscale")
    if floc is not None and fscale is not None:
        raise ValueError("All parameters fixed. There is nothing to optimize.")
    x = dispatch.to_array(data)
    if not bool(gs.isfinite(x).all()):
        raise ValueError("The data contains non-finite values.")
    loc = np.float64(gs.mean(x)) if floc is None else floc
    if fscale is not None:
        return loc, fscale
    scale = np.float64(gs.std(x) if floc is None else gs.sqrt(gs.mean((x - floc) ** 2)))
    return loc, scale


norm = Continuous("norm", draw=lambda g, size: g.standard_normal(size), fit=_fit_norm)
halfnorm = Continuous("halfnorm", draw=lambda g, size: abs(g.standard_normal(size=size)))
lognorm = Continuous("lognorm", "s", draw=lambda g, size, s: np.exp(s * g.standard_normal(size)))
uniform = Continuous("uniform", draw=lambda g, size: g.uniform(0.0, 1.0, size))
expon = Continuous("expon", draw=lambda g, size: g.standard_exponential(size))
rayleigh = Continuous("rayleigh", draw=lambda g, size: np.sqrt(g.chisquare(2, size=size)))
laplace = Continuous("laplace", draw=lambda g, size: g.laplace(0, 1, size=size))
logistic = Continuous("logistic", draw=lambda g, size: g.logistic(size=size))
cauchy = Continuous("cauchy")
weibull_min = Continuous("weibull_min", "c")
lomax = Continuous("lomax", "c")
pareto = Continuous("pareto", "b")
gamma = Continuous("gamma", "a", draw=lambda g, size, a: g.standard_gamma(a, size))
chi2 = Continuous("chi2", "df", draw=lambda g, size, df: g.chisquare(df, size))
beta = Continuous("beta", "a, b", draw=lambda g, size, a, b: g.beta(a, b, size))
t = Continuous("t", "df", draw=lambda g, size, df: g.standard_t(df, size=size))
