"""Ufunc rows of special's Bessel functions: each row is the public function; C++ functors of the same name."""

from gpusci.core import Ufunc

_IN_DOUBLE = "float32 is computed in float64 and rounded."


def _row(name, header, arguments=2, *, cost="heavy", types=None, doc=""):
    types = types or " ".join(f"{c * arguments}->{c}" for c in "fd")
    text = f"As `scipy.special.{name}`, for real arguments. {doc}{doc and ' '}{_IN_DOUBLE}"
    return Ufunc(name, types, header=f"special/kernels/{header}.h", functor=name, cost=cost, doc=text)


# ---- any real order
jv = _row("jv", "bessel_jy", doc="The limit 0 at infinite x, where SciPy 1.17 has NaN.")
yv = _row("yv", "bessel_jy", doc="The limits at 0, infinity and infinite order, where SciPy 1.17 has NaN.")
yn = _row("yn", "bessel_jy", types="qd->d ff->f dd->d", doc="The order is cut to an integer.")
iv = _row("iv", "bessel_ik", doc="The limits at 0 and infinity, where SciPy 1.17 has NaN or the wrong sign.")
ive = _row("ive", "bessel_ik", doc="The limits at 0 and infinity, where SciPy 1.17 has NaN.")
kv = _row("kv", "bessel_ik", doc="The limits at infinite order, where SciPy 1.17 has NaN.")
kve = _row("kve", "bessel_ik", doc="The limits at infinity, where SciPy 1.17 has NaN.")
kn = _row("kn", "bessel_ik", types="qd->d ff->f dd->d", doc="The order is cut to an integer.")
jn = jv


# ---- order 0 and 1
def _row01(name, *, cost, in_double=False, doc=""):
    tail = f" {_IN_DOUBLE}" if in_double else ""
    return Ufunc(name, "f->f d->d", header="special/kernels/bessel_order01.h", functor=name, cost=cost,
                 doc=f"As `scipy.special.{name}`.{doc and ' '}{doc}{tail}")  # fmt: skip


_AT_INFINITY = "0 at infinity, where SciPy 1.17 has NaN."
j0 = _row01("j0", cost="heavy", in_double=True, doc=_AT_INFINITY)
j1 = _row01("j1", cost="heavy", in_double=True, doc=_AT_INFINITY)
y0 = _row01("y0", cost="heavy", in_double=True, doc=_AT_INFINITY)
y1 = _row01("y1", cost="heavy", in_double=True, doc=_AT_INFINITY)
i0 = _row01("i0", cost="medium", doc="Finite up to the overflow of the result; infinity at infinity.")
i1 = _row01("i1", cost="medium", doc="Finite up to the overflow of the result; infinity at infinity.")
i0e = _row01("i0e", cost="medium")
i1e = _row01("i1e", cost="medium")
k0 = _row01("k0", cost="medium")
k1 = _row01("k1", cost="medium")
k0e = _row01("k0e", cost="medium")
k1e = _row01("k1e", cost="medium")

# ---- spherical: (function, derivative) of each kind
spherical = {
    kind: tuple(
        Ufunc(f"spherical_{kind}n{tail}", "qd->d", header="special/kernels/bessel_spherical.h",
              functor=f"spherical_{kind}n{tail}")
        for tail in ("", "_slope")
    )
    for kind in "jyik"
}  # fmt: skip
