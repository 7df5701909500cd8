"""Kernel rows of gpusci.random."""

from gpusci.core import Kernel

PHILOX, DISTRIBUTIONS = "random/kernels/philox.h", "random/kernels/distributions.h"

fill_real = Kernel(
    "fill_real", PHILOX, template="T Draw Index", args="ptr y, i64 n, i64 key, i64 counter, f64 shift, f64 scale",
    first=[f"{t} gpusci::draw_{how}" for t in "fd" for how in ("uniform", "normal", "exponential")],
)  # fmt: skip
fill_integers = Kernel(
    "fill_integers", PHILOX, template="T Wide Index", args="ptr y, i64 n, i64 key, i64 counter, i64 low, i64 range",
    first=["q I", "q Q", "? I", "B I"],
)  # fmt: skip
fill_integers_between = Kernel(
    "fill_integers_between", PHILOX, template="T Index", args="ptr y, ptr low, ptr range, i64 key, i64 counter", first=["q"]
)
draw = Kernel(
    "draw", DISTRIBUTIONS, template="Dist Y Index", first=["gpusci::standard_gamma d", "gpusci::poisson q", "gpusci::beta_ d"],
    args="ptr y, ptr p, ptr q, ptr s, f64 a, f64 b, f64 c, i64 rule_a, i64 rule_b, i64 rule_c, i64 key, i64 counter, err",
    errors=[(ValueError, "a parameter of a random distribution is outside its range")], grain=256,
)  # fmt: skip
draw_multinomial = Kernel(
    "draw_multinomial", DISTRIBUTIONS, template="Index", first=[""], grain=64,
    args="ptr y, ptr n, ptr p, i64 k, i64 rows_p, i64 key, i64 counter",
)  # fmt: skip
draw_multivariate_hypergeometric = Kernel(
    "draw_multivariate_hypergeometric", DISTRIBUTIONS, template="Index", first=[""], grain=64,
    args="ptr y, ptr colors, i64 k, i64 total, i64 sample, i64 key, i64 counter",
)  # fmt: skip
