"""Ufunc rows of special's elementary functions and complete elliptic integrals: each row is the public function."""

from gpusci.core import Ufunc


def _row(name, arguments=1, *, header="elementary", functor=None, cost="medium", complex=False, doc=""):
    return Ufunc(
        name, " ".join(f"{c * arguments}->{c}" for c in ("fdFD" if complex else "fd")), header=f"special/kernels/{header}.h",
        functor=functor or name, complex_header=f"special/kernels/{header}_complex.h" if complex else None, cost=cost,
        doc=f"As `scipy.special.{name}`{'' if complex else ', for real arguments'}.{doc and ' '}{doc}",
    )  # fmt: skip


# ---- logistic and entropy
expit = _row("expit")
log_expit = _row("log_expit")
logit = _row("logit")
xlogy = _row("xlogy", 2, complex=True)
xlog1py = _row("xlog1py", 2, complex=True)
entr = _row("entr")
rel_entr = _row("rel_entr", 2)
kl_div = _row("kl_div", 2)

# ---- losses and power transforms
huber = _row("huber", 2)
pseudo_huber = _row("pseudo_huber", 2)
boxcox = _row("boxcox", 2)
boxcox1p = _row("boxcox1p", 2)
inv_boxcox = _row("inv_boxcox", 2)
inv_boxcox1p = _row("inv_boxcox1p", 2)

# ---- powers and trigonometry in degrees
exprel = _row("exprel")
cosm1 = _row("cosm1")
powm1 = _row("powm1", 2)
expm1 = _row("expm1", functor="expm1_row", complex=True)
log1p = _row("log1p", functor="log1p_row", complex=True)
round = _row("round", functor="round_row")
cbrt = _row("cbrt", functor="cbrt_row")
exp2 = _row("exp2", functor="exp2_row")
exp10 = _row("exp10", functor="exp10_row")
sindg = _row("sindg", doc="Any x, where SciPy 1.17 gives 0 above 1e14.")
cosdg = _row("cosdg", doc="Any x, where SciPy 1.17 gives 0 above 1e14.")
tandg = _row("tandg", doc="Any x, where SciPy 1.17 gives 0 above 1e14.")
cotdg = _row("cotdg", doc="Any x, where SciPy 1.17 gives 0 above 1e14.")
radian = _row("radian", 3)

# ---- complete elliptic integrals
ellipk = _row("ellipk", header="elliptic")
ellipkm1 = _row("ellipkm1", header="elliptic")
ellipe = _row("ellipe", header="elliptic")
