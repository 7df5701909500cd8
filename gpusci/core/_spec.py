"""Validation of the NumPy-like namespace against NumPy: a representative table; `tests/core` holds every function of it."""

import numpy as np

from validation import Case, args, array, axes, axis, choice, drawn, exact, like, normwise, real, scipy_same, ulp, whole

REAL = "bBhHiIlLefd"
ALL = "?" + REAL + "FD"
PAGE = array(shape=(1000, 1000))
LINE = array(shape=(1000000,))


def page(**kw):
    return array(**{"ndim": (1, 3), "size": 3000, **kw})


@drawn
def places(rng, got):
    """Positions along axis 0, negative ones too."""
    n = np.shape(got[0])[0]
    return rng.integers(-n, n, (3, 4)) if n else np.zeros((0, 2), int)


@drawn
def row(rng, got):
    """What broadcasts against the first argument."""
    shape = np.shape(got[0])
    return rng.integers(1, 5, shape[1:] if len(shape) > 1 else ()).astype(got.dtype)


@drawn
def raised(rng, got):
    """Floating point between 0 and 2: sums that do not cancel, whose error would say nothing."""
    a = page()(rng, got)
    return a + a.dtype.type(1) if a.dtype.kind in "fc" else a


# Sums in pairs or compensated, as accurate as NumPy's pairwise ones.
SUMS = normwise(e=2, f=4, d=8)
REDUCTIONS = [
    *(Case(name, args(raised, axis=axes()), SUMS, dtypes=ALL, bench=args(PAGE)) for name in ("sum", "mean")),
    *(Case(name, args(page(), axis=axes(), ddof=choice(0, 1)), normwise(e=4, f=8, d=16), dtypes="blefdFD", bench=args(PAGE),
           skip={"single": "a zero divided by zero: only warnings"}) for name in ("var", "std")),
    Case("prod", args(page(low=0.9, high=1.1, size=200), axis=axes()), normwise(f=40, d=40), dtypes="fd"),
    *(Case(name, args(page(), axis=axes(), keepdims=choice(False, True)), exact(), dtypes="?" + REAL, bench=args(PAGE),
           raises=[args([1.0, 2.0], axis=3), args(np.zeros(0))]) for name in ("max", "min")),
    *(Case(name, args(page(special=0.2), axis=axis()), exact(), dtypes="fd", bench=args(PAGE)) for name in ("nanmax", "nanmin")),
    *(Case(name, args(page(), axis=axis()), exact(), dtypes="?" + REAL, bench=args(PAGE), raises=[args(np.zeros(0))])
      for name in ("argmax", "argmin")),
    *(Case(name, args(page(dtype="?"), axis=axes()), exact(), dtypes="d") for name in ("any", "all")),
    Case("count_nonzero", args(page(low=0, high=3)), exact(), dtypes="blfD", bench=args(PAGE)),
    Case("median", args(page(), axis=axis()), normwise(e=1, f=1, d=1), dtypes="lfd"),
]  # fmt: skip
SCANS = [
    Case("cumsum", args(page(), axis=axis()), normwise(f=40, d=40), dtypes="?blLfdFD", bench=args(LINE)),
    Case("cumprod", args(page(low=0.9, high=1.1, size=200), axis=axis()), normwise(f=40, d=40), dtypes="fd"),
    Case("diff", args(page(), n=whole(0, 3), axis=axis()), normwise(f=4, d=4), dtypes="blfdD", ref=scipy_same),
]  # fmt: skip
SORTING = [
    Case("sort", args(page(special=0.1), axis=axis()), exact(), dtypes="?" + REAL, bench=args(LINE)),
    Case("argsort", args(page(), axis=axis(), stable=True), exact(), dtypes="?" + REAL, bench=args(LINE)),
    Case("unique", args(page(low=0, high=9)), exact(), dtypes="?blLfd", bench=args(LINE)),
    Case("searchsorted", args(np.linspace(-1, 1, 50), real(-1.2, 1.2), side=choice("left", "right")), exact(), dtypes="d"),
    Case("histogram", args(page(), bins=whole(1, 20), range=(-1.0, 1.0)), normwise(d=4), dtypes="d", bench=args(LINE)),
    Case("bincount", args(array("l", ndim=1, low=0, high=30), minlength=choice(0, 50)), exact(), dtypes="d",
         raises=[args([-1, 2])]),
]  # fmt: skip
ELEMENTWISE = [
    *(Case(name, args(page(), row), normwise(e=1, f=1, d=1), dtypes=REAL + "FD", ref=scipy_same, bench=args(PAGE, PAGE))
      for name in ("add", "subtract", "multiply")),
    Case("divide", args(page(), row), ulp(e=1, f=1, d=1), dtypes="bHlefd", ref=scipy_same, bench=args(PAGE, PAGE)),
    Case("floor_divide", args(page(), row), exact(), dtypes=REAL, ref=scipy_same),
    *(Case(name, args(page(low=-3, high=3)), ulp(f=2, d=2), dtypes="fd", bench=args(PAGE)) for name in ("exp", "sin", "tanh")),
    Case("where", args(page(dtype="?"), like(), like()), exact(), dtypes=ALL, bench=args(array("?", shape=(1000, 1000)), PAGE, PAGE)),
    Case("clip", args(page(), -0.5, 0.5), exact(), dtypes="fd", bench=args(PAGE)),
    *(Case(name, args(page(), row), exact(), dtypes=ALL, ref=scipy_same) for name in ("equal", "not_equal")),
]  # fmt: skip
MOVES = [
    Case("take", args(page(), places, axis=0), exact(), dtypes=ALL, skip={"empty": "no positions to take"},
         raises=[args([1.0, 2.0], [2])]),
    Case("transpose", args(page()), exact(), dtypes=ALL, bench=args(PAGE)),
    Case("roll", args(page(), whole(-5, 5), axis=axis()), exact(), dtypes=ALL),
    Case("flip", args(page(), axis=axes()), exact(), dtypes=ALL),
    Case("pad", args(page(), whole(0, 4), mode=choice("edge", "constant", "reflect", "symmetric", "wrap")), exact(), dtypes="lfD",
         skip={"empty": "NumPy raises for all modes but constant"}),
    Case("concatenate", args([np.ones((2, 3)), np.zeros((2, 5))], axis=1), exact(), dtypes="d",
         raises=[args([np.ones(2), np.ones((2, 2))])]),
    Case("nonzero", args(page(low=0, high=2)), exact(), dtypes="?blfD"),
    Case("tril", args(array(ndim=(2, 3)), whole(-3, 3)), exact(), dtypes="?lfD"),
    Case("matmul", args(array(shape=("m", "k")), array(shape=("k", "n"))), normwise(f=16, d=32), dtypes="fdFD",
         bench=args(array(shape=(300, 300)), array(shape=(300, 300)))),
]  # fmt: skip

CASES = [*REDUCTIONS, *SCANS, *SORTING, *ELEMENTWISE, *MOVES]
DIFFERENCES = {
    "histogram/complex": "on a GPU complex numbers are counted between the edges by NumPy's order of them (real parts first), without a "
                         "warning; NumPy 2.4, given a number of bins, discards imaginary parts to count.",
    "einsum/empty": "an index that stands for the lengths 0 and n of one operand is refused; NumPy 2.4 reads memory outside the array.",
    "ndarray.view": "a view of wider elements whose rows do not begin at whole elements is refused, since kernels count strides in them.",
    "memory order": "on a GPU concatenate, stack, insert, delete, median and packbits give C order, as do reductions of broadcast "
                    "arrays, and argmax keeps its argument's; other functions lay their results out as NumPy's.",
}  # fmt: skip
