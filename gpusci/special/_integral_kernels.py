"""Ufunc rows of special: zeta functions, exponential integrals, Lambert's W. C++ functors in kernels/<family>.h."""

from gpusci.core import Ufunc


def _row(family, name, types, *, functor=None, cost="heavy", doc=""):
    return Ufunc(name, types, header=f"special/kernels/{family}.h", functor=functor or name, cost=cost,
                 doc=f"As `scipy.special.{name}`, for real arguments.{doc and ' '}{doc}")  # fmt: skip


hurwitz = _row("zeta", "zeta", "ff->f dd->d")
riemann = _row("zeta", "zeta", "f->f d->d", functor="riemann_zeta")
zetac = _row("zeta", "zetac", "f->f d->d")
polygamma_row = _row("zeta", "polygamma", "dd->d")
expi = _row("expint", "expi", "f->f d->d", cost="medium", doc="Finite up to the overflow of the result.")
exp1 = _row("expint", "exp1", "f->f d->d", cost="medium")
lambertw_row = _row("lambertw", "lambertw", "Dqd->D")
