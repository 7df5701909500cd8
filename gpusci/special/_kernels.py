"""Ufunc rows of special: each row is the public function. C++ functors of the same name, in kernels/<family>.h."""

from gpusci.core import Ufunc


def _row(family, name, arguments=1, *, functor=None, types=None, cost="medium", doc=""):
    """A row with a float32 loop, computed in float32, and a float64 loop; or with the loops `types`."""
    types = types or " ".join(f"{c * arguments}->{c}" for c in "fd")
    return Ufunc(
        name, types, header=f"special/kernels/{family}.h", functor=functor or name, cost=cost,
        doc=f"As `scipy.special.{name}`, for real arguments.{doc and ' '}{doc}",
    )  # fmt: skip


# ---- error functions and the normal distribution
erf = _row("erf", "erf")
erfc = _row("erf", "erfc", doc="Relative accuracy in the whole tail (SciPy 1.17 loses up to 1000 ulp there).")
erfcx = _row("erf", "erfcx")
erfinv = _row("erf", "erfinv")
erfcinv = _row("erf", "erfcinv")
ndtr = _row("erf", "ndtr", doc="Relative accuracy in the whole tail.")
ndtri = _row("erf", "ndtri")
log_ndtr = _row("erf", "log_ndtr")

# ---- gamma and its relatives
gamma = _row("gamma", "gamma")
rgamma = _row("gamma", "rgamma")
gammaln = _row("gamma", "gammaln")
gammasgn = _row("gamma", "gammasgn")
digamma = _row("gamma", "digamma")
psi = _row("gamma", "psi", functor="digamma")
gammainc = _row("gammainc", "gammainc", 2, cost="heavy")
gammaincc = _row("gammainc", "gammaincc", 2, cost="heavy")
