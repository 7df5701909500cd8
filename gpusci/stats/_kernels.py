"""Kernel rows of stats: eight methods for each distribution, loc and scale inside; and standardising."""

from gpusci.core import Ufunc

METHODS = {
    "pdf": "pdf", "logpdf": "logpdf", "cdf": "cdf", "sf": "survival", "logcdf": "logcdf", "logsf": "logsf", "ppf": "ppf",
    "isf": "isf",
}  # fmt: skip


def _rows(name, header, shapes=0):
    """The rows of a distribution whose standard form is the struct `name` in kernels/<header>.h: {method: Ufunc}."""
    types = " ".join(f"{c * (3 + shapes)}->{c}" for c in "fd")
    return {
        method: Ufunc(f"{name}_{method}", types, header=f"stats/kernels/{header}.h", functor=f"dist::{functor}<dist::{name}>",
                      cost="medium" if header == "closed" else "heavy")
        for method, functor in METHODS.items()
    }  # fmt: skip


DISTRIBUTIONS = {
    **{name: _rows(name, "closed") for name in
       ("norm", "halfnorm", "uniform", "expon", "rayleigh", "laplace", "logistic", "cauchy")},
    **{name: _rows(name, "closed", 1) for name in ("lognorm", "weibull_min", "lomax", "pareto")},
    **{name: _rows(name, "gammas", 1) for name in ("gamma", "chi2")},
    "beta": _rows("beta", "betas", 2), "t": _rows("t", "betas", 1),
}  # fmt: skip

standardise = Ufunc("standardise", "fff->f ddd->d", header="stats/kernels/zscore.h", functor="dist::standardise", cost="light")
