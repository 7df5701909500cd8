"""Validation cases of gpusci.special: gamma, error, beta functions, their inverses, and distribution functions.

References are Arb's (python-flint), to 75 bits or more; ceilings are in eps of the result.
"""

from validation import Case, args, inf, integers, log, mp, nan, real, slog, ulp

TAIL = "SciPy's own error reaches 1e3 to 1e15 eps in the tail: the reference is Arb"


def flint(function):
    """A reference that evaluates with Arb; what it cannot give (a pole, no convergence) is NaN."""
    def value(*numbers):
        import mpmath
        from flint import arb, ctx

        for precision in (150, 500, 1600):
            with ctx.workprec(precision):
                y = function(*(arb(float(v)) for v in numbers))
                if y.is_finite() and (y.rel_accuracy_bits() > 75 or abs(y) < 1e-320):
                    high = float(y.mid())
                    return mpmath.mpf(high) + mpmath.mpf(float(y.mid() - high))
        return mpmath.nan
    return mp(value)


def _normal(x):
    from flint import arb

    return (-x / arb(2).sqrt()).erfc() / 2


def _inverse_erfc(y):
    return (1 - y).erfinv() if float(y) > 0.25 else y.erfcinv()


def _quantile(p):
    from flint import arb

    return -arb(2).sqrt() * _inverse_erfc(2 * p)


def _beta(a, b):
    if float(a) > 0 and float(b) > 0:
        return (a.lgamma() + b.lgamma() - (a + b).lgamma()).exp()
    return a.gamma() * b.gamma() * (a + b).rgamma()


LINE = [(0.0,), (-0.0,), (inf,), (-inf,), (nan,)]
POLES = [*LINE, (-1.0,), (-2.0,), (-1e20,), (1e20,)]
PAIRS = [(a, x) for a in (-1.0, 0.0, 2.0, inf, nan) for x in (-1.0, 0.0, 1.5, inf, nan)]
UNIT = [(a, b, x) for a in (0.0, 1.5, inf) for b in (0.0, 2.0, inf) for x in (0.0, 0.5, 1.0)]
BAD_UNIT = [(-1.0, 1.0, 0.5), (1.0, -1.0, 0.5), (1.0, 1.0, -0.1), (1.0, 1.0, 1.1), (nan, 1.0, 0.0), (1.0, 1.0, nan)]
BAD = [args(), args(1.0, 1.0, 1.0, 1.0, 1.0), args("x")]


def one(name, function, *draws, d, f, edges=LINE, **kw):
    """A function of one argument, a case for each way of drawing it."""
    reference = flint(function)
    return [Case(name, args(draw), ulp(d=d, f=f, **kw), ref=reference, edges=edges if i == 0 else [], raises=BAD if i == 0 else [],
                 bench=args(draw) if i == 0 else None, length=64) for i, draw in enumerate(draws)]


def many(name, function, *draws, d, f, edges, **kw):
    reference = flint(function)
    return [Case(name, args(*draw), ulp(d=d, f=f, **kw), ref=reference, edges=edges if i == 0 else [], raises=BAD if i == 0 else [],
                 length=32, n=3) for i, draw in enumerate(draws)]


ERROR = [
    *one("erf", lambda x: x.erf(), real(-6, 6), slog(1e-30, 1), d=1.5, f=1.5),
    *one("erfc", lambda x: x.erfc(), real(-6, 9), slog(1e-30, 1), d=4, f=4),
    *one("erfcx", lambda x: (x * x).exp() * x.erfc(), real(-8, 8), log(1, 1e8), d=4, f=4),
    *one("erfinv", lambda x: x.erfinv(), real(-1, 1), slog(1e-30, 1), d=3, f=3, edges=[*LINE, (1.0,), (-1.0,), (1.5,), (-2.0,)]),
    *one("erfcinv", _inverse_erfc, real(0, 2), log(1e-30, 1), d=3, f=3, edges=[*LINE, (2.0,), (1.0,), (2.5,), (-1.0,)]),
    *one("ndtr", _normal, real(-6, 6), slog(1e-3, 12), d=4, f=4),
    *one("log_ndtr", lambda x: _normal(x).log(), real(-6, 6), slog(1e-3, 12), d=5, f=5),
    *one("ndtri", _quantile, real(0, 1), log(1e-30, 0.5), d=4, f=4, edges=[*LINE, (1.0,), (0.5,), (1.5,), (-1.0,)]),
]

GAMMA = [
    *one("gamma", lambda x: x.gamma(), real(-30, 33), slog(1e-30, 30), d=5, f=6, edges=POLES),
    *one("rgamma", lambda x: x.rgamma(), real(-30, 33), slog(1e-30, 30), d=5, f=6, edges=POLES),
    *one("gammaln", lambda x: x.lgamma() if float(x) > 0 else abs(x.gamma()).log(), real(-20, 100), log(1e-30, 1e30), d=4, f=4,
         floor=0.01, edges=POLES, why="zeros between the negative integers: below 0.01 the error counts as absolute"),
    *one("digamma", lambda x: x.digamma(), real(0, 30), log(1e-30, 1e30), d=4, f=4, edges=POLES),
    *one("digamma", lambda x: x.digamma(), real(-9, 0), d=16, f=16, edges=[], floor=1,
         why="roots between the negative integers: below 1 the error counts as absolute"),
    *one("psi", lambda x: x.digamma(), real(0, 30), d=4, f=4, edges=POLES),
    Case("gammasgn", args(real(-30, 30)), ulp(d=0.5, f=0.5), edges=POLES, raises=BAD),
    *many("beta", _beta, (real(0.1, 20), real(0.1, 20)), (log(1e-5, 1e4), log(1e-5, 1e4)), d=8, f=10,
          edges=[(0.0, 1.0), (-1.0, 1.0), (-2.0, 2.0), (-2.0, 3.0), (1.0, -1.0), (-1.5, 2.0), (0.0, inf), (inf, 1.0), (inf, inf), (nan, 1.0)]),
    *many("betaln", lambda a, b: abs(_beta(a, b)).log(), (real(0.1, 20), real(0.1, 20)), (log(1e-5, 1e4), log(1e-5, 1e4)),
          d=4, f=4, floor=1, why="the logarithm passes through 0: below 1 the error counts as absolute",
          edges=[(0.0, 1.0), (-1.0, 1.0), (-2.0, 2.0), (-1.5, 2.0), (inf, 1.0), (nan, 1.0)]),
]

WIDE = (log(1e-3, 1e3), log(1e-3, 1e3))
INCOMPLETE = [
    *many("gammainc", lambda a, x: x.gamma_lower(a, 1), (real(0.5, 30), real(0.5, 30)), WIDE, d=10, f=10, edges=PAIRS),
    *many("gammaincc", lambda a, x: x.gamma_upper(a, 1), (real(0.5, 30), real(0.5, 30)), WIDE, d=12, f=12, edges=PAIRS),
    *many("betainc", lambda a, b, x: x.beta_lower(a, b, 1), (real(0.5, 10), real(0.5, 10), real(0, 1)),
          (log(1e-3, 1e3), log(1e-3, 1e3), real(0, 1)), d=12, f=12, edges=UNIT + BAD_UNIT),
    *many("betaincc", lambda a, b, x: (1 - x).beta_lower(b, a, 1), (real(0.5, 10), real(0.5, 10), real(0, 1)),
          (log(1e-3, 1e3), log(1e-3, 1e3), real(0, 1)), d=12, f=12, edges=UNIT + BAD_UNIT),
]

def root(name, forward, log_density):
    """A reference for an inverse: SciPy's value, improved by two steps of Newton's iteration in Arb."""
    def solve(*values):
        import scipy.special
        from flint import arb

        goal = -values[-1] if name.endswith("ccinv") else values[-1]
        x = arb(float(getattr(scipy.special, name)(*(float(v.mid()) for v in values))))
        for _ in range(2):
            x = arb((x - (forward(*values[:-1], x) - goal) / log_density(*values[:-1], x).exp()).mid())
        return x
    return flint(solve)


def _gamma_density(a, x):
    return x.log() * (a - 1) - x - a.lgamma()


def _beta_density(a, b, x):
    return x.log() * (a - 1) + (1 - x).log() * (b - 1) - a.lgamma() - b.lgamma() + (a + b).lgamma()


SHAPE = real(0.7, 30)
INVERSE = [
    Case(name, args(*[SHAPE] * shapes, log(1e-6, 0.999)), ulp(d=10, f=12), ref=ref, edges=edges, raises=BAD, length=32, n=3)
    for name, shapes, ref, edges in (
        ("gammaincinv", 1, root("gammaincinv", lambda a, x: x.gamma_lower(a, 1), _gamma_density),
         [(2.0, 0.0), (2.0, 1.0), (2.0, 1.5), (-2.0, 0.5), (0.0, 0.5), (nan, 0.5), (2.0, nan)]),
        ("gammainccinv", 1, root("gammainccinv", lambda a, x: -x.gamma_upper(a, 1), _gamma_density),
         [(2.0, 0.0), (2.0, 1.0), (2.0, -0.5), (-2.0, 0.5), (nan, 0.5), (2.0, nan)]),
        ("betaincinv", 2, root("betaincinv", lambda a, b, x: x.beta_lower(a, b, 1), _beta_density),
         [(2.0, 3.0, 0.0), (2.0, 3.0, 1.0), (2.0, 3.0, 1.5), (0.0, 1.0, 0.5), (2.0, -1.0, 0.5)]),
        ("betainccinv", 2, root("betainccinv", lambda a, b, x: -(1 - x).beta_lower(b, a, 1), _beta_density),
         [(2.0, 3.0, 0.0), (2.0, 3.0, 1.0), (2.0, 3.0, 1.5), (0.0, 1.0, 0.5), (2.0, -1.0, 0.5)]),
    )
]


def distribution(name, *draws, edges=(), d=400, f=40):
    """Against SciPy, whose own error grows with the parameters."""
    return Case(name, args(*draws), ulp(d=d, f=f, why=TAIL), edges=list(edges), raises=BAD, length=64, n=3)


DF, P, COUNT = log(0.3, 100), real(0.001, 0.999), integers(0, 20)
DISTRIBUTIONS = [
    *(distribution(name, DF, real(0.1, 50), edges=[(2.0, -1.0), (0.0, 1.0), (-1.0, 1.0), (2.0, 0.0), (2.0, inf), (nan, 1.0)])
      for name in ("chdtr", "chdtrc")),
    distribution("chdtri", DF, P, edges=[(2.0, 0.0), (2.0, 1.0), (2.0, 1.5), (0.0, 0.5), (-1.0, 0.5)]),
    *(distribution(name, real(0.5, 2), real(0.5, 20), real(0.1, 20), edges=[(1.0, 2.0, -1.0), (0.0, 2.0, 1.0), (1.0, 2.0, inf), (-1.0, 2.0, 1.0)])
      for name in ("gdtr", "gdtrc")),
    *(distribution(name, real(0, 30), real(0.1, 30), edges=[(-1.0, 1.0), (2.0, -1.0), (2.0, 0.0), (2.7, 1.0), (-0.5, 1.0), (2.0, inf)])
      for name in ("pdtr", "pdtrc")),
    distribution("pdtri", real(0, 30), P, edges=[(2.7, 0.5), (-1.0, 0.5), (2.0, 0.0), (2.0, 1.0)]),
    *(distribution(name, COUNT, 25.0, P, edges=[(-1.0, 5.0, 0.5), (5.0, 5.0, 0.5), (6.0, 5.0, 0.5), (2.0, 5.0, 1.1), (2.0, 5.0, 0.0), (2.0, 5.0, 1.0)])
      for name in ("bdtr", "bdtrc")),
    distribution("bdtri", COUNT, 25.0, P, edges=[(5.0, 5.0, 0.5), (-1.0, 5.0, 0.5), (2.0, 5.0, 0.0), (2.0, 5.0, 1.0)]),
    *(distribution(name, COUNT, 7.0, P, edges=[(-1.0, 3.0, 0.5), (2.0, 3.0, 0.0), (2.0, -1.0, 0.5), (2.0, 0.0, 0.5)])
      for name in ("nbdtr", "nbdtrc")),
    distribution("nbdtri", COUNT, 7.0, P, edges=[(2.0, 3.0, 0.0), (2.0, 3.0, 1.0)]),
    *(distribution(name, DF, DF, real(0.1, 5), edges=[(2.0, 3.0, -1.0), (2.0, 3.0, 0.0), (0.0, 3.0, 1.0), (2.0, 3.0, inf), (2.0, inf, 1.0)])
      for name in ("fdtr", "fdtrc")),
    distribution("fdtri", real(1, 30), real(1, 30), P, edges=[(2.0, 3.0, 0.0), (2.0, 3.0, 1.0), (0.0, 3.0, 0.5), (2.0, 3.0, 1.5)]),
    distribution("stdtr", DF, real(-9, 9), edges=[(0.0, 1.0), (-1.0, 1.0), (inf, 1.0), (3.0, inf), (3.0, 0.0), (nan, 1.0)]),
    distribution("stdtrit", real(1, 100), P, edges=[(3.0, 1.0), (inf, 0.7), (-1.0, 0.5), (3.0, 1.5), (3.0, 0.5)]),
    Case("stdtrit", args(3.0, 0.0), ulp(d=1, f=1), dtypes="d", differs="stdtrit", ref=lambda df, p: -float("inf")),
]

CASES = [*ERROR, *GAMMA, *INCOMPLETE, *INVERSE, *DISTRIBUTIONS]
DIFFERENCES = {"stdtrit": "-inf at p = 0, the end of the support; SciPy 1.17 has inf there"}
