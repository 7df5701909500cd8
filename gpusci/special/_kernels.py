"""Ufunc rows of special: each row is the public function. C++ functors of the same name, in kernels/<family>.h."""

from gpusci.core import Ufunc


def _row(family, name, arguments=1, *, functor=None, complex_family=None, cost="medium", doc=""):
    """A row with a float32 loop, computed in float32, a float64 loop, and complex ones where there is a header for them."""
    chars = "fdFD" if complex_family else "fd"
    return Ufunc(
        name, " ".join(f"{c * arguments}->{c}" for c in chars), header=f"special/kernels/{family}.h", functor=functor or name,
        complex_header=complex_family and f"special/kernels/{complex_family}.h", cost=cost,
        doc=f"As `scipy.special.{name}`{'' if complex_family else ', for real arguments'}.{doc and ' '}{doc}",
    )  # fmt: skip


# ---- error functions and the normal distribution
_TAIL = "Relative accuracy in the whole tail, where SciPy 1.17 loses up to 1000 ulp."
erf = _row("erf", "erf")
erfc = _row("erf", "erfc", doc=_TAIL)
erfcx = _row("erf", "erfcx")
erfinv = _row("erf", "erfinv")
erfcinv = _row("erf", "erfcinv")
ndtr = _row("erf", "ndtr", doc=_TAIL)
ndtri = _row("erf", "ndtri")
log_ndtr = _row("erf", "log_ndtr")
ndtri_exp = _row("erf", "ndtri_exp")

# ---- gamma and its relatives
gamma = _row("gamma", "gamma", complex_family="gamma_complex", doc="Exact for integers up to 23 (14 in float32).")
rgamma = _row("gamma", "rgamma", complex_family="gamma_complex")
gammaln = _row("gamma", "gammaln")
loggamma = _row("gamma", "loggamma", complex_family="gamma_complex")
gammasgn = _row("gamma", "gammasgn")
digamma = _row("gamma", "digamma", complex_family="gamma_complex")
psi = _row("gamma", "psi", functor="digamma", complex_family="gamma_complex")
beta = _row("beta", "beta", 2, cost="heavy")
betaln = _row("beta", "betaln", 2, cost="heavy")


# ---- products
def _product(name, arguments=2, functor=None):
    return _row("combinatorics", name, arguments, functor=functor, cost="heavy")


poch, binom = _product("poch"), _product("binom")
factorial, multifactorial = _product("factorial", 1), _product("multifactorial")
combinations, multisets, permutations = _product("combinations"), _product("multisets"), _product("permutations")

hyp2f1 = _row("hyp2f1", "hyp2f1", 4, cost="heavy", doc="float32 is computed in float64.")

# ---- incomplete gamma and beta functions: 10 ulp at most for any parameters
gammainc = _row("gammainc", "gammainc", 2, cost="heavy")
gammaincc = _row("gammainc", "gammaincc", 2, cost="heavy")
betainc = _row("betainc", "betainc", 3, cost="heavy")
betaincc = _row("betainc", "betaincc", 3, cost="heavy")
gammaincinv = _row("inverse", "gammaincinv", 2, cost="heavy")
gammainccinv = _row("inverse", "gammainccinv", 2, cost="heavy")
betaincinv = _row("inverse", "betaincinv", 3, cost="heavy")
betainccinv = _row("inverse", "betainccinv", 3, cost="heavy")


# ---- distribution functions on them
def _distribution(name, arguments, doc=""):
    return _row("distributions", name, arguments, cost="heavy", doc=doc)


chdtr, chdtrc, chdtri = (_distribution(name, 2) for name in ("chdtr", "chdtrc", "chdtri"))
gdtr, gdtrc = (_distribution(name, 3) for name in ("gdtr", "gdtrc"))
pdtr, pdtrc, pdtri = (_distribution(name, 2) for name in ("pdtr", "pdtrc", "pdtri"))
bdtr, bdtrc, bdtri = (_distribution(name, 3, "n is cut to an integer.") for name in ("bdtr", "bdtrc", "bdtri"))
nbdtr, nbdtrc, nbdtri = (_distribution(name, 3, "k and n are cut to integers.") for name in ("nbdtr", "nbdtrc", "nbdtri"))
fdtr, fdtrc, fdtri = (_distribution(name, 3) for name in ("fdtr", "fdtrc", "fdtri"))
stdtr = _distribution("stdtr", 2)
stdtrit = _distribution("stdtrit", 2, "-inf at p = 0, where SciPy 1.17 has inf.")
