"""Largest errors of special's functions against Arb (python-flint), beside SciPy's own, by function, region and dtype.

    python tests/special/special_accuracy.py [name ...] [--samples N]     # a Markdown table, with compile times

Every region of a function has a drawing rule and one ceiling in units in the last place for each dtype; test_accuracy.py
holds them. SciPy computes float32 in float64, so that its float32 error is 0.5; ours computes in float32.
"""
import argparse
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.special as reference
from flint import arb, ctx

from gpusci import special

SQRT2 = lambda: arb(2).sqrt()
TINY = {"d": -300, "f": -36}                # decades of the smallest arguments drawn


@dataclass(frozen=True)
class Region:
    name: str
    label: str
    draw: Callable                          # (rng, dtype character, n) -> arguments as float64
    d: float                                # ceilings
    f: float
    worse: str = ""                         # why ours may be worse than SciPy's in float64
    floor: float = 0                        # size below which an error counts as absolute: zeros of the function

    @property
    def key(self):
        return f"{self.name}-{self.label}"


# ---- exact values
def _inverse_erfc(y):
    return (1 - y).erfinv() if float(y) > 0.25 else y.erfcinv()


def _gamma_ratio(a, b):
    if float(a) > 0 and float(b) > 0:
        return (a.lgamma() + b.lgamma() - (a + b).lgamma()).exp()
    return a.gamma() * b.gamma() * (a + b).rgamma()


def _beta_upper(a, b, x):
    return (1 - x).beta_lower(b, a, 1)


EXACT = {
    "erf": lambda x: x.erf(),
    "erfc": lambda x: x.erfc(),
    "erfcx": lambda x: (x * x).exp() * x.erfc(),
    "erfinv": lambda x: x.erfinv(),
    "erfcinv": _inverse_erfc,
    "ndtr": lambda x: (-x / SQRT2()).erfc() / 2,
    "log_ndtr": lambda x: ((-x / SQRT2()).erfc() / 2).log(),
    "ndtri": lambda p: -SQRT2() * _inverse_erfc(2 * p),
    "gamma": lambda x: x.gamma(),
    "rgamma": lambda x: x.rgamma(),
    "gammaln": lambda x: x.lgamma() if float(x) > 0 else abs(x.gamma()).log(),
    "digamma": lambda x: x.digamma(),
    "beta": _gamma_ratio,
    "betaln": lambda a, b: abs(_gamma_ratio(a, b)).log(),
    "gammainc": lambda a, x: x.gamma_lower(a, 1),
    "gammaincc": lambda a, x: x.gamma_upper(a, 1),
    "betainc": lambda a, b, x: x.beta_lower(a, b, 1),
    "betaincc": _beta_upper,
    "zeta": lambda x, q: x.zeta(q),
    "zetac": lambda x: x.zeta() - 1,
    "expi": lambda x: x.ei(),
    "exp1": lambda x: x.expint(arb(1)),
    "hyp2f1": lambda a, b, c, x: x.hypgeom_2f1(a, b, c),
}


def exact(name, values):
    """The value to 75 bits or more, or None where Arb cannot give it in time or it underflows."""
    for precision in (150, 500, 1600):
        with ctx.workprec(precision):
            value = EXACT[name](*(arb(float(v)) for v in values))
            if value.is_finite() and value.rel_accuracy_bits() > 75:
                return value
    return None


# ---- inverses: the error of a root, from the residual of the forward function and its derivative
def _density(name, values, x):
    if name.startswith("gamma"):
        (a,) = values
        return (x.log() * (a - 1) - x - a.lgamma()).exp()
    a, b = values
    return (x.log() * (a - 1) + (1 - x).log() * (b - 1) - a.lgamma() - b.lgamma() + (a + b).lgamma()).exp()


INVERSE = {"gammaincinv": "gammainc", "gammainccinv": "gammaincc", "betaincinv": "betainc", "betainccinv": "betaincc"}


def root_error(name, values, x):
    """Distance of x from the root, in float64; NaN where x is an end of the range or the residual has no digits."""
    *shapes, goal = (arb(float(v)) for v in values)
    if not 0 < x < (np.inf if name.startswith("gamma") else 1):
        return np.nan
    with ctx.workprec(1600):
        value = EXACT[INVERSE[name]](*shapes, arb(float(x)))
        gap = (value - goal) / _density(name, shapes, arb(float(x)))
        return abs(float(gap.mid())) if gap.is_finite() and gap.rad() < 1e-25 * abs(x) else np.nan


# ---- errors in units in the last place
def ulps(got, truth, dtype, floor=0.0):
    out = np.full(len(got), np.nan)
    for i, (y, value) in enumerate(zip(got, truth)):
        if value is None:
            continue
        with np.errstate(over="ignore"):
            nearest = np.asarray(float(value.mid()), dtype)
        if not np.isfinite(nearest) or not np.isfinite(y):
            out[i] = 0 if nearest == y else np.inf
            continue
        out[i] = abs(float(arb(float(y)) - value)) / float(np.spacing(max(abs(nearest), np.asarray(floor, dtype))))
    return out


def measure(region, char, samples):
    """(our largest error, SciPy's, our worst arguments) of a region in ulp."""
    rng = np.random.default_rng(zlib.crc32(f"{region.key}{char}".encode()))
    given = [np.asarray(v).astype(char) for v in region.draw(rng, char, samples)]
    ours, theirs = (getattr(module, region.name)(*given) for module in (special, reference))
    assert ours.dtype == theirs.dtype == np.dtype(char)
    rows = list(zip(*given))
    if region.name in INVERSE:
        errors = [np.array([root_error(region.name, row, float(x)) / float(np.spacing(abs(x))) for row, x in zip(rows, y)])
                  for y in (ours, theirs)]
    else:
        truth = [exact(region.name, row) for row in rows]
        errors = [ulps(y, truth, char, region.floor) for y in (ours, theirs)]
    assert np.isfinite(errors[0]).mean() > 0.5, f"{region.key}: most samples have no reference"
    worst = np.nanargmax(errors[0])
    return np.nanmax(errors[0]), np.nanmax(errors[1]), tuple(v[worst] for v in given)


# ---- regions
def uniform(*bounds):
    return lambda rng, char, n: [rng.uniform(low, high, n) for low, high in bounds]


def decades(*bounds):
    """Log-uniform; a bound None is the smallest decade of the dtype, a negative pair of bounds gives negative values."""
    return lambda rng, char, n: [10.0 ** rng.uniform(TINY[char] if low is None else low, high, n) for low, high in bounds]


def negated(draw):
    return lambda *args: [-v for v in draw(*args)]


def from_one(side, low):
    return lambda rng, char, n: [1 + side * 10.0 ** rng.uniform(low if char == "d" else max(low, -7), -1, n)]


def _overflow(low, double, single):
    return lambda rng, char, n: [rng.uniform(low, double if char == "d" else single, n)]


def _near_mean(low, high, spread):
    def draw(rng, char, n):
        a = 10.0 ** rng.uniform(low, high, n)
        return a, np.abs(a + spread * np.sqrt(a) * rng.uniform(-1, 1, n))
    return draw


def _beta_near(low, high, spread):
    def draw(rng, char, n):
        a, b = 10.0 ** rng.uniform(low, high, (2, n))
        x = a / (a + b) + spread * rng.uniform(-1, 1, n) * np.sqrt(a * b / (a + b + 1)) / (a + b)
        return a, b, np.clip(x, 1e-9, 1 - 1e-7)
    return draw


def _beta_one_small(swap):
    def draw(rng, char, n):
        a, b, t = 10.0 ** rng.uniform(-2, 1, n), 10.0 ** rng.uniform(1, 5, n), 10.0 ** rng.uniform(-2, 1.3, n)
        x = np.clip(a * t / (a + b), 0, 0.99)
        return (b, a, 1 - x) if swap else (a, b, x)
    return draw


REGIONS = [
    Region("erf", "small", uniform((-1, 1)), 1, 1.2), Region("erf", "large", uniform((-6, 6)), 1, 1.2),
    Region("erf", "tiny", decades((None, 0)), 1, 1.2),
    Region("erfc", "both sides", uniform((-6, 6)), 4, 4), Region("erfc", "tail", _overflow(1, 27.2, 10), 4, 4),
    Region("erfcx", "left", uniform((-9, 0)), 4, 4), Region("erfcx", "right", decades((-3, 8)), 3, 3),
    Region("erfinv", "centre", uniform((-1, 1)), 3, 3), Region("erfinv", "tiny", decades((None, 0)), 3, 3),
    Region("erfinv", "end", from_one(-1, -15), 3, 3),
    Region("erfcinv", "centre", uniform((0, 2)), 3, 3), Region("erfcinv", "tail", decades((None, 0)), 3, 3),
    Region("ndtr", "both sides", uniform((-6, 6)), 4, 4), Region("ndtr", "tail", negated(_overflow(1, 37, 13)), 4, 4),
    Region("log_ndtr", "both sides", uniform((-6, 6)), 5, 5), Region("log_ndtr", "tail", negated(decades((0, 2))), 4, 4),
    Region("ndtri", "centre", uniform((0, 1)), 4, 4), Region("ndtri", "tail", decades((None, 0)), 4, 4),
    Region("gamma", "positive", _overflow(0, 171, 35), 3, 4), Region("gamma", "negative", negated(_overflow(0, 170, 34)), 4, 5),
    Region("gamma", "tiny", decades((None, 0)), 3, 4),
    Region("rgamma", "positive", _overflow(0, 170, 34), 3, 4), Region("rgamma", "negative", negated(_overflow(0, 170, 34)), 4, 5),
    Region("gammaln", "positive", uniform((0, 100)), 3, 3), Region("gammaln", "huge", decades((1, 35)), 2, 2),
    Region("gammaln", "tiny", decades((None, 0)), 3, 3), Region("gammaln", "near 1", from_one(1, -14), 3, 3),
    Region("gammaln", "negative", negated(uniform((0, 20))), 6, 6, floor=1),
    Region("digamma", "positive", uniform((0, 20)), 3, 3), Region("digamma", "huge", decades((1, 30)), 2, 2),
    Region("digamma", "tiny", decades((None, 0)), 3, 3), Region("digamma", "first negative root", uniform((-0.7, -0.3)), 4, 4),
    Region("beta", "middle", uniform((0.1, 20), (0.1, 20)), 6, 8), Region("beta", "wide", decades((-5, 5), (-5, 5)), 8, 8),
    Region("beta", "tiny", decades((None, 0), (-3, 2)), 8, 8), Region("beta", "negative", uniform((-20, 20), (-20, 0)), 10, 100),
    Region("gammainc", "middle", uniform((0.5, 30), (0.5, 30)), 8, 8), Region("gammaincc", "middle", uniform((0.5, 30), (0.5, 30)), 8, 8),
    Region("gammainc", "wide", decades((-3, 2.5), (-3, 2.5)), 8, 8), Region("gammaincc", "wide", decades((-3, 2.5), (-3, 2.5)), 10, 10),
    Region("gammainc", "near a", _near_mean(0, 3, 4), 8, 8), Region("gammaincc", "near a", _near_mean(0, 3, 4), 8, 8),
    Region("gammainc", "tiny", decades((None, -1), (None, 1)), 4, 4), Region("gammaincc", "tiny", decades((None, -1), (None, 1)), 12, 12),
    *(Region(name, label, draw, 10, 12, worse="SciPy's betaincc uses 80-bit arithmetic" if name == "betaincc" else "")
      for name in ("betainc", "betaincc") for label, draw in (
        ("middle", uniform((0.5, 10), (0.5, 10), (0, 1))), ("small", decades((-5, 0.3), (-5, 0.3), (-3, -0.01))),
        ("near mean", _beta_near(0, 3, 4)), ("large", _beta_near(3, 4, 3)), ("one small", _beta_one_small(False)),
        ("other small", _beta_one_small(True)), ("tiny", decades((None, -1), (None, -1), (-2, -0.01))))),
    Region("zeta", "middle", uniform((1.01, 10), (0.1, 10)), 6, 6), Region("zeta", "wide", decades((0.01, 1.5), (-2, 4)), 6, 6),
    Region("zetac", "all", uniform((1.01, 60)), 5, 5),
    Region("expi", "positive", decades((-20, 1.9)), 4, 4), Region("expi", "zero", uniform((0.372, 0.373)), 4, 4),
    Region("expi", "negative", negated(uniform((0, 30))), 4, 4), Region("exp1", "all", decades((-20, 1.9)), 4, 4),
    Region("hyp2f1", "unit", uniform((0, 4), (0, 4), (0.5, 6), (0, 0.8)), 16, 1),
    Region("hyp2f1", "near 1", uniform((0, 4), (0, 4), (0.5, 6), (0.8, 1)), 2000, 1, worse="two terms that cancel"),
    Region("hyp2f1", "negative", uniform((0, 4), (0, 4), (0.5, 6), (-20, 0)), 2000, 1, worse="two terms that cancel"),
    Region("gammaincinv", "middle", uniform((0.5, 30), (0, 1)), 6, 6), Region("gammainccinv", "middle", uniform((0.5, 30), (0, 1)), 6, 6),
    Region("gammaincinv", "tail", decades((-0.3, 1.5), (-30, 0)), 10, 12),
    Region("gammainccinv", "tail", decades((-0.3, 1.5), (-30, 0)), 10, 12),
    *(Region(name, label, draw, 30, 40, worse="both are at the conditioning of the root")
      for name in ("betaincinv", "betainccinv") for label, draw in (
        ("middle", uniform((0.5, 10), (0.5, 10), (0, 1))), ("tail", decades((-0.3, 1.5), (-0.3, 1.5), (-20, 0))))),
]


def compile_times(name):
    """Seconds of the host compiler and of NVRTC for the float64 loop."""
    from gpusci.core import compiler
    from gpusci.special._integral_kernels import hurwitz

    row = hurwitz if name == "zeta" else getattr(special, name)
    text = f'#include "{row.header}"\n#include <gpusci/elementwise.h>\n' + "GPUSCI_ENTRY(int32_t, gpusci::elementwise<{}>)\n"
    chars = row.types[-1].replace("->", "")
    types = f"gpusci::types<{', '.join(['double'] * len(chars))}>"
    source = text.format(f"gpusci::{row.functor}, {row.nin}, {types}, {types}, false, 1, 1, 1, int32_t")
    seconds = []
    for compiled in (compiler.compile_host, lambda s, name: compiler.compile_cuda(s, name=name, arch="sm_90")):
        start = time.perf_counter()
        compiled(source + f"// {time.time_ns()}\n", name=name)
        seconds.append(time.perf_counter() - start)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--samples", type=int, default=300)
    options = parser.parse_args()
    print("| function | region | float64 ulp | SciPy's | float32 ulp | SciPy's | g++ s | NVRTC s |\n|---|---|--:|--:|--:|--:|--:|--:|")
    seen = set()
    for region in REGIONS:
        if options.names and region.name not in options.names:
            continue
        cells = [f"{value:.3g}" for char in "df" for value in measure(region, char, options.samples)[:2]]
        times = [f"{s:.2f}" for s in compile_times(region.name)] if region.name not in seen else ["", ""]
        seen.add(region.name)
        print("|", " | ".join([region.name, region.label, *cells, *times]), "|", flush=True)


if __name__ == "__main__":
    main()
