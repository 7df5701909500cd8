"""Validation cases of gpusci.random: results have NumPy's dtypes and shapes, bad parameters NumPy's errors.

Random numbers are no function of the arguments; each distribution is held against its law in tests/random.
"""

import numpy as np

from validation import Case, args, choice, exact, whole

SIZE = choice(None, 0, 3, (2, 3))


def form(result, *given, **kw):
    """Dtype and shape."""
    return f"{result.dtype.str} {tuple(result.shape)}" if hasattr(result, "dtype") else f"{np.dtype(type(result)).str} ()"


def draws(name, *parameters, raises=()):
    return Case(name, args(*parameters, size=SIZE), exact(), dtypes="d", post=form, raises=raises)


def made(name, *arguments, **kw):
    return Case(name, args(*arguments), exact(), dtypes="d", **kw)


CASES = [
    draws("beta", 1.0, 2.0, raises=[args(0, 1), args(1, -1)]), draws("binomial", 5, 0.5, raises=[args(-1, 0.5), args(5, 2.0)]),
    draws("chisquare", 2.0, raises=[args(0)]), draws("dirichlet", [1.0, 2.0], raises=[args([-1.0, 1.0])]),
    draws("exponential", 2.0, raises=[args(-1.0)]), draws("f", 2.0, 3.0, raises=[args(0, 1)]),
    draws("gamma", 2.0, 3.0, raises=[args(-1.0)]), draws("geometric", 0.5, raises=[args(0.0), args(2.0)]),
    draws("gumbel", 0.0, 1.0, raises=[args(0.0, -1.0)]), draws("hypergeometric", 5, 6, 7, raises=[args(1, 1, 5)]),
    draws("laplace", 0.0, 1.0, raises=[args(0.0, -1.0)]), draws("logistic", 0.0, 1.0, raises=[args(0.0, -1.0)]),
    draws("lognormal", 0.0, 1.0, raises=[args(0.0, -1.0)]), draws("logseries", 0.5, raises=[args(1.0)]),
    draws("multinomial", 5, [0.5, 0.5], raises=[args(5, [0.9, 0.9, 0.1])]),
    draws("multivariate_normal", [0.0, 1.0], np.eye(2), raises=[args([0.0], np.eye(2))]),
    draws("negative_binomial", 3, 0.5, raises=[args(0, 0.5)]), draws("noncentral_chisquare", 2.0, 1.0, raises=[args(0, 1)]),
    draws("noncentral_f", 2.0, 3.0, 1.0, raises=[args(0, 1, 1)]), draws("normal", 0.0, 1.0, raises=[args(0.0, -1.0)]),
    Case("normal", args([0.0, 1.0, 2.0], 1.0, (2, 3)), exact(), dtypes="d", post=form, id="arrays",
         raises=[args([0.0, 1.0], 1.0, 3)]),
    draws("pareto", 2.0, raises=[args(0)]), draws("poisson", 3.0, raises=[args(-1.0), args(1e300)]),
    draws("power", 2.0, raises=[args(0)]), draws("rayleigh", 1.0, raises=[args(-1.0)]), draws("standard_cauchy"),
    draws("standard_exponential"), draws("standard_gamma", 2.0, raises=[args(-1.0)]), draws("standard_normal"),
    draws("standard_t", 3.0, raises=[args(0)]), draws("triangular", 0.0, 1.0, 2.0, raises=[args(2, 1, 0)]),
    draws("uniform", 0.0, 1.0, raises=[args(-1e308, 1e308)]), draws("vonmises", 0.0, 1.0, raises=[args(0, -1)]),
    draws("wald", 1.0, 2.0, raises=[args(0, 1)]), draws("weibull", 2.0, raises=[args(-1)]), draws("zipf", 2.0, raises=[args(1.0)]),
    draws("random"), draws("random_sample"), draws("ranf"), draws("sample"), made("rand", 2, 3, post=form), made("randn", 2, 3, post=form),
    draws("randint", 0, 9, raises=[args(5, 5), args(0, 300, dtype="u1")]), draws("random_integers", 1, 6),
    draws("choice", 5, raises=[args(0), args(3, p=[0.5, 0.5]), args(2, 5, replace=False)]),
    made("permutation", whole(0, 9), call=lambda f, n: np.sort(np.asarray(_host(f(n))))),
    made("shuffle", whole(0, 9), call=lambda f, n: _shuffled(f, n)), made("bytes", whole(0, 9), post=lambda r, n: len(r)),
    made("seed", 3, post=lambda r, n: r is None, raises=[args("a")]),
    made("get_state", call=lambda f: f() is not None), made("set_state", call=lambda f: f.__name__),
    made("default_rng", 3, call=lambda f, n: form(f(n).random((2, 3)))),
    made("Generator", call=lambda f: form(f(np.random.PCG64(0)).integers(0, 9, (2, 3))), raises=[args(3)]),
    made("RandomState", 3, call=lambda f, n: form(f(n).rand(2, 3)), raises=[args("a")]),
    *(made(name, 3, call=lambda f, n: type(f(n).state).__name__) for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")),
    made("SeedSequence", 3, call=lambda f, n: f(n).generate_state(2)), made("BitGenerator", call=lambda f: f.__name__),
    made("Philox4x32", call=lambda f: f(3).state["state"], differs="Philox4x32", ref=lambda: {"key": _key(3), "counter": 0}),
]  # fmt: skip


def _key(seed):
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])


def _host(x):
    return x.numpy() if hasattr(x, "numpy") else x


def _shuffled(f, n):
    x = np.arange(n)
    f(x)
    return np.sort(x)


DIFFERENCES = {
    "Philox4x32": "is gpusci's own bit generator (Philox with 32-bit words), the one of GPUs; NumPy's Philox has 64-bit words.",
    "numbers": "on a GPU are those of Philox4x32, not NumPy's for the same seed; on the host they are NumPy's.",
    "get_state/legacy": "on a GPU the state is the dictionary of Philox4x32 with legacy=True too, as NumPy's for all but MT19937.",
    "size=None": "gives a 0-d array, not a Python number, so that nothing waits for a GPU.",
}
