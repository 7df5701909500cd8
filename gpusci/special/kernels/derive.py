"""Derives every coefficient of the special functions with mpmath and writes the *_coefficients.h files.

    python gpusci/special/kernels/derive.py [family ...] [--check]

Polynomials are truncated Chebyshev series of the stated function on the stated interval, summed at 60 digits, turned
into powers of the variable and rounded to the type; the error printed beside each is measured after that rounding.
"""
import argparse
import sys
from pathlib import Path

import mpmath as mp

mp.mp.dps = 60
HERE = Path(__file__).parent
BITS = {"double": 53, "float": 24}
FAMILIES = {}


def family(function):
    """Registers the generator of one header's entries under its name."""
    FAMILIES[function.__name__] = function
    return function


def rounded(value, ctype, bits=None):
    """The mpf nearest to value in ctype (with `bits` bits when given)."""
    value = mp.mpf(value)
    if value == 0:
        return value
    with mp.workprec(bits or BITS[ctype]):
        return +value


def literal(value, ctype):
    """A C++ literal of ctype, exact: hexadecimal for double, and for float."""
    value = float(rounded(value, ctype))
    if value == int(value) and abs(value) < 1e6:
        text = repr(value)
    else:
        text = value.hex()
        head, exponent = text.split("p")
        text = (head.rstrip("0").rstrip(".") if "." in head else head) + "p" + exponent
    return text + ("f" if ctype == "float" else "")


def constants(name, doc, **values):
    """struct {name}<T>; a value is an mpf, or (mpf, bits_double, bits_float) for a pair x_hi, x_lo."""
    lines = [f"// {doc}", f"template <class T> struct {name};"]
    for ctype in ("double", "float"):
        fields = []
        for key, value in values.items():
            if isinstance(value, tuple):
                high = rounded(value[0], ctype, value[1 if ctype == "double" else 2])
                fields += [(key + "_hi", high), (key + "_lo", value[0] - high)]
            else:
                fields.append((key, value))
        text = [f"{key} = {literal(value, ctype)}" for key, value in fields]
        lines.append(f"template <> struct {name}<{ctype}> {{")
        lines += wrap(text, f"    static constexpr {ctype} ", ";", 8)
        lines.append("};")
    return lines


def wrap(items, head, tail, indent):
    """Comma-joined items broken into lines of at most 118 characters."""
    lines, line = [], head
    for i, item in enumerate(items):
        piece = item + (tail if i == len(items) - 1 else ",")
        if len(line) + len(piece) + 1 > 118 and line.strip():
            lines.append(line.rstrip())
            line = " " * indent
        line += piece + " "
    return [*lines, line.rstrip()]


def chebyshev(f, a, b, count=56):
    """Coefficients of f on [a, b] from `count` Chebyshev nodes."""
    a, b = mp.mpf(a), mp.mpf(b)
    angles = [mp.pi * (2 * k + 1) / (2 * count) for k in range(count)]
    values = [f((a + b) / 2 + (b - a) / 2 * mp.cos(t)) for t in angles]
    c = [2 * mp.fsum(v * mp.cos(j * t) for v, t in zip(values, angles)) / count for j in range(count)]
    c[0] /= 2
    return c


def powers(c, a, b):
    """Powers of x of the Chebyshev series c on [a, b]."""
    a, b = mp.mpf(a), mp.mpf(b)
    slope, shift = 2 / (b - a), -(a + b) / (b - a)
    previous, current = [mp.mpf(1)], [shift, slope]
    total = [c[0]] + [mp.mpf(0)] * (len(c) - 1)
    for j in range(1, len(c)):
        for i, v in enumerate(current):
            total[i] += c[j] * v
        following = [mp.mpf(0)] * (len(current) + 1)
        for i, v in enumerate(current):
            following[i] += 2 * shift * v
            following[i + 1] += 2 * slope * v
        for i, v in enumerate(previous):
            following[i] -= v
        previous, current = current, following
    return total


def fit(name, doc, f, a, b, *, slack=1.0, var="x", floor=None, single=True, double=True, count=56,
        value=True, slope=False):
    """HD overloads {name}(double), {name}(float): error at most slack * eps / 32 of the smallest |f| (or of floor).

    slope: also {name}_slope(p, q) = ({name}(p) - {name}(q)) / (p - q), the divided difference.
    """
    lines = []
    series = chebyshev(f, a, b, count)
    a, b = mp.mpf(a), mp.mpf(b)
    grid = [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * k / 200) for k in range(201)]
    exact = [f(x) for x in grid]
    small = mp.mpf(floor) if floor is not None else min(abs(v) for v in exact)
    for ctype in ["double"] * double + ["float"] * single:
        goal = mp.mpf(2) ** (1 - BITS[ctype] - 5) * slack
        n = len(series)
        while n > 1 and mp.fsum(abs(v) for v in series[n - 1:]) < small * goal:
            n -= 1
        if n > count - 8:
            raise SystemExit(f"{name}: the series does not converge on [{a}, {b}]")
        best = None
        for centre in (mp.mpf(0), rounded((a + b) / 2, "float")):      # powers of x, unless x - centre is much better
            c = [rounded(v, ctype) for v in powers(series[:n], a - centre, b - centre)]
            error = max(abs(mp.polyval(c[::-1], x - centre) - v) / (mp.mpf(floor) if floor is not None else abs(v))
                        for x, v in zip(grid, exact))
            if best is None or 4 * error < best[0]:
                best = error, c, centre
        error, c, centre = best
        lines.append(f"// {doc}, {var} in [{mp.nstr(a, 6)}, {mp.nstr(b, 6)}]: error {mp.nstr(error, 2)}")
        items = [literal(v, ctype) for v in c]
        at = f"{var} - {literal(centre, ctype)}" if centre else var
        if value:
            lines += [f"HDI {ctype} {name}({ctype} {var}) {{", *wrap(items, f"    return poly({at}, ", ");", 8), "}"]
        if slope:
            both = ", ".join(at.replace(var, v) for v in ("p", "q"))
            lines += [f"HDI {ctype} {name}_slope({ctype} p, {ctype} q) {{",
                      *wrap(items, f"    return poly_slope({both}, ", ");", 8), "}"]
    return lines


# ---------------------------------------------------------------- families
@family
def real():
    yield constants("real_constants", "third and ln2 as sums; k ln2_hi is exact for |k| < 2^11 (2^9 in float)",
                    log2e=1 / mp.log(2), ln2=(mp.log(2), 42, 15), third=(mp.mpf(1) / 3, 53, 24),
                    pi=(mp.pi, 53, 24), inv_sqrt_2pi=1 / mp.sqrt(2 * mp.pi),
                    half_log_2pi=(mp.log(2 * mp.pi) / 2, 53, 24), euler=(mp.euler, 53, 24),
                    sqrt2=mp.sqrt(2),
                    sin3=(-mp.pi**3 / 6, 53, 24), cos2=(-mp.pi**2 / 2, 53, 24), sqrt_half=(mp.sqrt(mp.mpf(1) / 2), 53, 24))
    half = mp.log(2) / 2 * mp.mpf("1.001")
    yield fit("exp_tail", "(exp(r) - 1 - r) / r^2", lambda r: _exp_tail(r), -half, half, var="r", slack=8)
    top = (mp.sqrt(2) - 1) ** 2 / (mp.sqrt(2) + 1) ** 2
    yield fit("log_tail", "(atanh(z) - z - z^3 / 3) / z^5, w = z^2", _log_tail, 0, top * mp.mpf("1.001"), var="w", slack=64)
    yield fit("sinpi_tail", "(sin(pi r) / r - pi + pi^3 w / 6) / w^2, w = r^2", lambda w: _trig_tail(w, 1), 0,
              mp.mpf("0.0626"), var="w", slack=64)
    yield fit("cospi_tail", "(cos(pi r) - 1 + pi^2 w / 2) / w^2, w = r^2", lambda w: _trig_tail(w, 0), 0,
              mp.mpf("0.0626"), var="w", slack=64)


def _trig_tail(w, odd):
    """(sin(pi r) / r - pi + pi^3 w / 6) / w^2 (odd) or (cos(pi r) - 1 + pi^2 w / 2) / w^2 by its series, w = r^2."""
    return mp.fsum((-1) ** k * mp.pi ** (2 * k + odd) * w ** (k - 2) / mp.factorial(2 * k + odd) for k in range(2, 32))


def _exp_tail(r):
    if abs(r) < mp.mpf("1e-12"):
        return mp.fsum(r**k / mp.factorial(k + 2) for k in range(8))
    return (mp.expm1(r) - r) / r**2


def _log_tail(w):
    if w < mp.mpf("1e-6"):
        return mp.fsum(w**k / (2 * k + 5) for k in range(12))
    z = mp.sqrt(w)
    return (mp.atanh(z) - z - z**3 / 3) / z**5


@family
def erf():
    yield constants("erf_constants", "limits of the functions below", erfcx_end=1 / (3 * mp.sqrt(mp.pi)),
                    erfinv_start=(mp.sqrt(mp.pi) / 2, 53, 24))
    yield fit("erf_small", "erf(x) / x - 1, w = x^2", _erf_small, 0, 1, var="w", floor=1)
    yield fit("erfcx_tail", "(erfcx(x) / u - 1 / (3 sqrt(pi))) / u, u = 3 / (3 + x), t = 2 u - 1", _erfcx_tail, -1, 1,
              var="t", slack=4)
    head = mp.mpf("2.6")
    yield fit("erfinv_low", "(erfinv(x) / x - sqrt(pi) / 2) / w, w = -log(1 - x^2) = t + 2.6",
              lambda t: _erfinv_slope(t + head), -head, head, var="t", slack=2)
    yield fit("erfinv_mid", "erfinv(x) / x, t = sqrt(-log(1 - x^2)) - 3.25", lambda t: _erfinv_core((t + mp.mpf("3.25")) ** 2),
              -1, 1, var="t")
    for single, centre, half in ((False, "0.135", "0.101"), (True, "0.1640625", "0.072")):   # to the smallest number
        centre = mp.mpf(centre)
        yield fit("erfinv_high", f"the same times v = 1 / sqrt(-log(1 - x^2)), t = v - {float(centre)}",
                  lambda t, c=centre: _erfinv_core(1 / (t + c) ** 2) * (t + c),
                  -mp.mpf(half), mp.mpf(half), var="t", single=single, double=not single)


def _erf_small(w):
    x = mp.sqrt(w)
    return 2 / mp.sqrt(mp.pi) - 1 if x == 0 else mp.erf(x) / x - 1


def _erfcx_tail(t):
    u = (1 + mp.mpf(t)) / 2
    if u < mp.mpf("0.05"):       # asymptotic series of erfcx(x) x sqrt(pi), 3 = u (x + 3)
        x = 3 / u - 3 if u else mp.inf
        series = mp.fsum((-1) ** k * mp.fac2(2 * k - 1) / mp.mpf(2) ** k / x ** (2 * k - 1) for k in range(1, 40)) if u else 0
        return (1 + series * (1 + 3 / x) / 3) / (mp.sqrt(mp.pi) * (3 - 3 * u)) if u else 1 / (3 * mp.sqrt(mp.pi))
    x = 3 / u - 3
    return (mp.exp(x * x) * mp.erfc(x) / u - 1 / (3 * mp.sqrt(mp.pi))) / u


def _erfinv_core(w):
    """erfinv(x) / x where 1 - x^2 = exp(-w): Newton on log erfc."""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    goal = mp.log(mp.exp(-w) / (1 + x))
    y = mp.mpf(mp.erfinv(min(x, mp.mpf("0.999")))) if w < 3 else mp.sqrt(w)
    for _ in range(60):
        step = (mp.log(mp.erfc(y)) - goal) / (2 / mp.sqrt(mp.pi) * mp.exp(-y * y) / mp.erfc(y))
        y += step
        if abs(step) < mp.mpf(10) ** -50 * y:
            return y / x
    raise ArithmeticError(f"no convergence at w = {w}")


def _erfinv_slope(w):
    """(erfinv(x) / x - sqrt(pi) / 2) / w; its derivative form near 0 would only repeat the limit pi^(3/2) / 24."""
    w = max(w, mp.mpf("1e-25"))
    return (_erfinv_core(w) - mp.sqrt(mp.pi) / 2) / w


@family
def gamma_constants():
    root, low = mp.findroot(mp.digamma, mp.mpf("1.46")), mp.findroot(mp.digamma, mp.mpf("-0.504"))
    yield constants("gamma_constants", "log(2 pi) / 2 - 1/2, the roots of digamma: the positive one less 1, the first negative",
                    offset=(mp.log(2 * mp.pi) / 2 - mp.mpf(1) / 2, 53, 24), root=(root - 1, 53, 24), low_root=(low, 53, 24))


@family
def gamma():
    root, low = mp.findroot(mp.digamma, mp.mpf("1.46")), mp.findroot(mp.digamma, mp.mpf("-0.504"))
    yield fit("stirling", "(log gamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2) x, w = 1 / x^2, x >= 3", _stirling,
              0, mp.mpf(1) / 9, var="w", slack=8)
    yield fit("lgamma_one", "log gamma(x) / ((x - 1) (x - 2)), x = 1.125 + t", lambda t: _lgamma_roots(t + mp.mpf("1.125")),
              -mp.mpf("0.375"), mp.mpf("0.375"), var="t")
    yield fit("lgamma_two", "the same, x = 2.25 + t", lambda t: _lgamma_roots(t + mp.mpf("2.25")),
              -mp.mpf("0.75"), mp.mpf("0.75"), var="t")
    yield fit("digamma_one", "digamma(1 + f) / (f - root), f = t + 1/2", lambda t: mp.digamma(t + 1.5) / (t + 1.5 - root),
              -mp.mpf("0.5"), mp.mpf("0.5"), var="t")
    yield fit("digamma_low", "digamma(x) x (1 + x) / (x - low_root), x = t - 1/2",
              lambda t: mp.digamma(t - 0.5) * (t - 0.5) * (t + 0.5) / (t - 0.5 - low), -mp.mpf("0.25"), mp.mpf("0.25"), var="t")
    yield fit("digamma_stirling", "(log(x) - 1 / (2 x) - digamma(x)) x^2, w = 1 / x^2, x >= 2", _digamma_stirling,
              0, mp.mpf("0.25"), var="w", slack=16)


def _stirling(w):
    if w < mp.mpf("1e-8"):
        return mp.fsum(mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) * w ** (k - 1) for k in range(1, 12))
    x = 1 / mp.sqrt(w)
    return (mp.loggamma(x) - (x - mp.mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def _lgamma_roots(x):
    for point in (1, 2):
        if abs(x - point) < mp.mpf("1e-20"):
            x = point + mp.mpf("1e-20")
    return mp.loggamma(x) / ((x - 1) * (x - 2))


def _digamma_stirling(w):
    if w < mp.mpf("1e-8"):
        return mp.fsum(mp.bernoulli(2 * k) / (2 * k) * w ** (k - 1) for k in range(1, 12))
    x = 1 / mp.sqrt(w)
    return (mp.log(x) - 1 / (2 * x) - mp.digamma(x)) * x * x


def series(name, doc, values, double, single):
    """HDI overloads of a polynomial with these coefficients in a variable of type V, real or complex."""
    lines = [f"// {doc}"]
    for ctype, count in (("double", double), ("float", single)):
        items = [literal(v, ctype) for v in values[:count]]
        lines += [f"HDI complex<{ctype}> {name}(complex<{ctype}> z) {{", *wrap(items, "    return series(z, ", ");", 8), "}"]
    return lines


@family
def gamma_complex():
    yield series("stirling_series", "B_2k / (2 k (2 k - 1)) z^(k - 1), DLMF 5.11.1",
                 [mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 12)], 10, 5)
    yield series("log_gamma_at_1", "log gamma(1 + z) / z, DLMF 5.7.3, |z| < 0.2",
                 [-mp.euler] + [(-1) ** k * mp.zeta(k) / k for k in range(2, 27)], 24, 11)
    yield series("digamma_series", "B_2k / (2 k) z^(k - 1), DLMF 5.11.2", [mp.bernoulli(2 * k) / (2 * k) for k in range(1, 12)], 9, 5)
    root = mp.findroot(mp.digamma, mp.mpf("1.46"))
    yield series("digamma_at_root", "digamma(root + z) / z, |z| < 0.4",
                 [mp.polygamma(k, root) / mp.factorial(k) for k in range(1, 40)], 28, 13)


@family
def gamma_ratio():
    yield fit("log1pmx_tail", "(log(1 + m) - m + m^2 / 2) / m^3", lambda m: mp.fsum((-m) ** k / (k + 3) for k in range(40)),
              -mp.mpf("0.032"), mp.mpf("0.032"), var="m", slack=8)
    yield fit("rgamma_shifted", "1 / gamma(1 + a), a = t + 7/4", lambda t: mp.rgamma(t + mp.mpf("2.75")), -mp.mpf("1.75"),
              mp.mpf("1.75"), var="t", slope=True)
    yield fit("rgamma_rise", "(1 / gamma(1 + a) - 1) / a, a = t + 1/4", _rgamma_rise, -mp.mpf("0.25"), mp.mpf("0.25"), var="t")


@family
def betainc():
    half = mp.mpf("0.18")
    yield fit("stirling", "as in gamma_coefficients.h", _stirling, 0, mp.mpf(1) / 9, var="w", slack=8, slope=True, value=False)
    yield fit("log1p_gap", "(v - log(1 + v)) / v^2, v = t + 0.18", lambda t: _log1p_gap(t + half), -half, half, var="t", slack=2)
    for ctype, count in (("double", 30), ("float", 14)):
        nodes = _gauss_legendre(count)
        yield [f"// Gauss-Legendre nodes and weights on [0, 1]: exp(-42 u) and exp(-42 u^2) to the last digit of {ctype}",
               f"HDI void gauss_rule(int i, {ctype}& node, {ctype}& weight) {{",
               *wrap([literal(x, ctype) for x, w in nodes], f"    constexpr {ctype} nodes[] = {{", "};", 8),
               *wrap([literal(w, ctype) for x, w in nodes], f"    constexpr {ctype} weights[] = {{", "};", 8),
               "    node = nodes[i], weight = weights[i];", "}"]


def _log1p_gap(v):
    return mp.mpf(1) / 2 if abs(v) < mp.mpf("1e-30") else (v - mp.log1p(v)) / v**2


def _gauss_legendre(count):
    """Nodes and weights on [0, 1], Newton from the usual starting values."""
    out = []
    for k in range(count, 0, -1):
        x, step = mp.cos(mp.pi * (4 * k - 1) / (4 * count + 2)), mp.mpf(1)
        while abs(step) > mp.mpf(10) ** -50:
            p = [mp.mpf(1), x]
            for n in range(2, count + 1):
                p.append(((2 * n - 1) * x * p[-1] - (n - 1) * p[-2]) / n)
            slope = count * (x * p[-1] - p[-2]) / (x * x - 1)
            step = p[-1] / slope
            x -= step
        out.append(((1 + x) / 2, 1 / ((1 - x * x) * slope**2)))
    return out


@family
def gammainc():
    table = _temme_series(16)
    for first, single in ((20, False), (12, True)):             # smallest a; DLMF 8.12.9, for |eta| <= 0.8
        eps, count = mp.mpf(2) ** (-27 if single else -56), 0
        while max(abs(mp.polyval(table[count][::-1], e)) for e in (mp.mpf("-0.8"), 0, mp.mpf("0.8"))) > eps * first**count:
            yield fit(f"temme{count}", f"c_{count}(e) of DLMF 8.12.9 for a >= {first}",
                      lambda e, c=table[count]: mp.polyval(c[::-1], e), -mp.mpf("0.8"), mp.mpf("0.8"), var="e",
                      floor=mp.mpf(first) ** count, single=single, double=not single)
            count += 1
        ctype = "float" if single else "double"
        yield [f"HDI {ctype} temme({ctype} e, {ctype} u) {{             // u = 1 / a",
               *wrap([f"temme{k}(e)" for k in range(count)], "    return poly(u, ", ");", 8), "}"]


def _rgamma_rise(t):
    a = mp.mpf(t) + mp.mpf("0.25")
    return mp.euler if a == 0 else (mp.rgamma(1 + a) - 1) / a


def _temme_series(orders, terms=100):
    """Powers of eta of c_0 ... c_{orders - 1} (DLMF 8.12.9 to 8.12.12)."""
    mu = [mp.mpf(0), mp.mpf(1)]                 # of lambda - 1, from eta d eta = (mu / (1 + mu)) d mu
    for n in range(2, terms + 2):
        mu.append((mu[n - 1] - mp.fsum(j * mu[j] * mu[n + 1 - j] for j in range(2, n))) / (n + 1))
    reciprocal = [mp.mpf(1)]                    # of mu / eta; its powers from 1 on are d_{0, n - 1}
    for n in range(1, terms):
        reciprocal.append(-mp.fsum(mu[j + 1] * reciprocal[n - j] for j in range(1, n + 1)))
    first = reciprocal[1:]
    b = [mp.mpf(0)] * (orders + 1)              # of log gamma*(1 / u), DLMF 5.11.1
    b[1::2] = [mp.bernoulli(k + 1) / (k * (k + 1)) for k in range(1, orders + 1, 2)]
    gamma_star = [mp.mpf(1)]                    # its exponential
    for n in range(1, orders):
        gamma_star.append(mp.fsum(k * b[k] * gamma_star[n - k] for k in range(1, n + 1)) / n)
    rows = [first]
    for k in range(1, orders):
        sign = (-1) ** k * gamma_star[k]
        rows.append([sign * first[n] + (n + 2) * rows[-1][n + 2] for n in range(len(rows[-1]) - 2)])
    return rows


@family
def expint():
    root = mp.findroot(mp.ei, mp.mpf("0.3725"))
    yield constants("expint_constants", "the zero of Ei", root=(root, 53, 24))
    yield fit("ei_low", "(Ei(x) - log(x / root)) / (x - root), x = t + 3", lambda t: _ei_low(t + 3, root), -3, 3, var="t")
    for k, (low, high) in enumerate(((6, 10), (10, 20), (20, 40), (40, mp.inf))):
        centre, half = (1 / mp.mpf(low) + 1 / mp.mpf(high)) / 2, (1 / mp.mpf(low) - 1 / mp.mpf(high)) / 2
        yield fit(f"ei_high{k}", f"Ei(x) x exp(-x) at 1 / x = t + {mp.nstr(centre, 20)}",
                  lambda t, c=centre: _ei_scaled(t + c), -half, half, var="t", slack=2)
    yield fit("e1_low", "E_1(x) + log(x)", lambda x: mp.e1(x) + mp.log(x) if x > mp.mpf("1e-30") else -mp.euler, 0, 1, var="x",
              floor="0.2")
    yield fit("e1_mid", "E_1(x) x exp(x) at 1 / x = t + 5/8", lambda t: _e1_scaled(t + mp.mpf(5) / 8), -mp.mpf(3) / 8, mp.mpf(3) / 8,
              var="t", slack=2)
    yield fit("e1_high", "E_1(x) x exp(x) at 1 / x = t + 1/8", lambda t: _e1_scaled(t + mp.mpf(1) / 8), -mp.mpf(1) / 8,
              mp.mpf(1) / 8, var="t", slack=2)


def _ei_low(x, root):
    if abs(x - root) < mp.mpf("1e-20"):
        x = root + mp.mpf("1e-20")
    if x < mp.mpf("1e-30"):
        return (mp.euler + mp.log(root)) / -root
    return (mp.ei(x) - mp.log(x / root)) / (x - root)


def _ei_scaled(u):
    return mp.ei(1 / u) * mp.exp(-1 / u) / u if u > mp.mpf("0.002") else mp.fsum(mp.factorial(k) * u**k for k in range(60))


def _e1_scaled(u):
    return mp.e1(1 / u) * mp.exp(1 / u) / u if u > mp.mpf("0.002") else mp.fsum(mp.factorial(k) * (-u) ** k for k in range(60))


@family
def lambertw():
    mu, alpha = [mp.mpf(-1), mp.mpf(1)], [mp.mpf(2), mp.mpf(-1)]        # Corless et al. (1996), eq. 4.23 to 4.25
    for k in range(2, 18):
        alpha.append(mp.fsum(mu[j] * mu[k + 1 - j] for j in range(2, k)))
        mu.append(mp.mpf(k - 1) / (k + 1) * (mu[k - 2] / 2 + alpha[k - 2] / 4) - alpha[k] / 2 - mu[k - 1] / (k + 1))
    items = [literal(v, "double") for v in mu]
    yield ["// W in powers of p = sqrt(2 (e z + 1)), DLMF 4.13.6", "HDI double branch_series(double p) {",
           *wrap(items, "    return poly(p, ", ");", 8), "}", "HDI complex<double> branch_series(complex<double> p) {",
           *wrap(items[:5], "    return series(p, ", ");", 8), "}"]


@family
def zeta():
    for ctype, count in (("double", 12), ("float", 6)):
        items = [literal(mp.bernoulli(2 * k) / mp.factorial(2 * k), ctype) for k in range(1, count + 1)]
        yield [f"// B_2k / (2 k)!, k = 1 ... {count}", f"HDI int euler_maclaurin(int k, {ctype}& c) {{",
               *wrap(items, f"    constexpr {ctype} values[] = {{", "};", 8), f"    c = values[k];\n    return {count};", "}"]


def render(name):
    """Text of the header of a family."""
    lines = ["// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly()."]
    for block in FAMILIES[name]():
        lines += block
    return "\n".join(lines) + "\n"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", nargs="*", default=[], help=", ".join(FAMILIES))
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    options = parser.parse_args(argv)
    stale = []
    for name in options.family or FAMILIES:
        path, text = HERE / (name + ".h" if name.endswith("_constants") else name + "_coefficients.h"), render(name)
        if options.check:
            stale += [path.name] * (not path.exists() or path.read_text() != text)
        else:
            path.write_text(text)
            print(path.name, text.count("\n"), "lines")
    if stale:
        sys.exit("differ from derive.py: " + ", ".join(stale))


if __name__ == "__main__":
    main()
