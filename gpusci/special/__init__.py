"""Special functions: `scipy.special` on GPU and host arrays."""

from gpusci.core import check, fallback
from gpusci.special._bessel_derivatives import ivp, jvp, kvp, yvp
from gpusci.special._bessel_kernels import (
    i0, i0e, i1, i1e, iv, ive, j0, j1, jn, jv, k0, k0e, k1, k1e, kn, kv, kve, y0, y1, yn, yv,
)  # fmt: skip
from gpusci.special._elementary_kernels import (
    boxcox, boxcox1p, cbrt, cosdg, cosm1, cotdg, ellipe, ellipk, ellipkm1, entr, exp10, exp2, expit, expm1, exprel,
    huber, inv_boxcox, inv_boxcox1p, kl_div, log1p, log_expit, logit, powm1, pseudo_huber, radian, rel_entr, round,
    sindg, tandg, xlog1py, xlogy,
)  # fmt: skip
from gpusci.special._factorials import comb, factorial, factorial2, factorialk, multigammaln, perm
from gpusci.special._integral_kernels import exp1, expi, zetac
from gpusci.special._kernels import (
    bdtr, bdtrc, bdtri, beta, betainc, betaincc, betainccinv, betaincinv, betaln, binom, chdtr, chdtrc, chdtri, digamma,
    erf, erfc, erfcinv, erfcx, erfinv, fdtr, fdtrc, fdtri, gamma, gammainc, gammaincc, gammainccinv, gammaincinv,
    gammaln, gammasgn, gdtr, gdtrc, hyp2f1, log_ndtr, loggamma, nbdtr, nbdtrc, nbdtri, ndtr, ndtri, ndtri_exp, pdtr,
    pdtrc, pdtri, poch, psi, rgamma, stdtr, stdtrit,
)  # fmt: skip
from gpusci.special._logsumexp import log_softmax, logsumexp, softmax
from gpusci.special._spherical_bessel import spherical_in, spherical_jn, spherical_kn, spherical_yn
from gpusci.special._zeta import lambertw, polygamma, sinc, zeta

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()

__all__ = [
    "bdtr", "bdtrc", "bdtri", "beta", "betainc", "betaincc", "betainccinv", "betaincinv", "betaln", "binom", "boxcox",
    "boxcox1p", "cbrt", "chdtr", "chdtrc", "chdtri", "comb", "cosdg", "cosm1", "cotdg", "digamma", "ellipe", "ellipk",
    "ellipkm1", "entr", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp1", "exp10", "exp2", "expi", "expit", "expm1",
    "exprel", "factorial", "factorial2", "factorialk", "fdtr", "fdtrc", "fdtri", "gamma", "gammainc", "gammaincc",
    "gammainccinv", "gammaincinv", "gammaln", "gammasgn", "gdtr", "gdtrc", "huber", "hyp2f1", "i0", "i0e", "i1", "i1e",
    "inv_boxcox", "inv_boxcox1p", "iv", "ive", "ivp", "j0", "j1", "jn", "jv", "jvp", "k0", "k0e", "k1", "k1e", "kl_div",
    "kn", "kv", "kve", "kvp", "lambertw", "log1p", "log_expit", "log_ndtr", "log_softmax", "loggamma", "logit",
    "logsumexp", "multigammaln", "nbdtr", "nbdtrc", "nbdtri", "ndtr", "ndtri", "ndtri_exp", "pdtr", "pdtrc", "pdtri",
    "perm", "poch", "polygamma", "powm1", "pseudo_huber", "psi", "radian", "rel_entr", "rgamma", "round", "sinc",
    "sindg", "softmax", "spherical_in", "spherical_jn", "spherical_kn", "spherical_yn", "stdtr", "stdtrit", "tandg",
    "xlog1py", "xlogy", "y0", "y1", "yn", "yv", "yvp", "zeta", "zetac",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
