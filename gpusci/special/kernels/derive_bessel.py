"""Derives the coefficients of the Bessel functions: bessel{,_order01,_phase}_coefficients.h.

    python gpusci/special/kernels/derive_bessel.py [--check]
"""
from fractions import Fraction

import mpmath as mp
from derive import FAMILIES, constants, family, fit, literal, main, wrap

TERMS = 16                                  # of Debye's expansions


def debye_rows(count):
    """c[k][j] with U_k(p) = sum_j c[k][j] p^(k + 2 j), DLMF 10.41.9, as exact fractions."""
    u, rows = {0: Fraction(1)}, []
    for k in range(count):
        rows.append([u.get(k + 2 * j, Fraction(0)) for j in range(k + 1)])
        following = {}
        for n, c in u.items():
            for power, value in ((n + 1, Fraction(n, 2) + Fraction(1, 8) / (n + 1)),
                                 (n + 3, -Fraction(n, 2) - Fraction(5, 8) / (n + 3))):
                following[power] = following.get(power, 0) + c * value
        u = following
    return rows


def debye(name, first):
    """The sum over k = first, first + 2, ... of U_k(p) p^-k y^(k // 2) as Horner schemes in w = p^2 and in y."""
    terms = []
    for row in debye_rows(TERMS)[first::2]:
        numbers = [literal(mp.mpf(c.numerator) / c.denominator, "double") for c in row]
        terms.append("\n".join(wrap(numbers, "poly(w, ", ")", 14)))
    return [f"HDI double {name}(double w, double y) {{", "    return poly(y,",
            ",\n".join("        " + t for t in terms) + ");", "}"]


def _temme(w, odd):
    """(1/Gamma(1 - m) - 1/Gamma(1 + m)) / (2 m) (odd), or half the sum, w = m^2."""
    m = mp.sqrt(w)
    if odd:
        return (mp.rgamma(1 - m) - mp.rgamma(1 + m)) / (2 * m) if m > 1e-15 else -mp.euler
    return (mp.rgamma(1 - m) + mp.rgamma(1 + m)) / 2


def _atan_tail(w):
    t = mp.sqrt(w)
    return (t - mp.atan(t)) / (t * w) if w > 1e-20 else mp.mpf(1) / 3


@family
def bessel():
    yield constants("bessel_constants", "of the amplitudes", sqrt_2_pi=mp.sqrt(2 / mp.pi), inv_pi=1 / mp.pi,
                    sqrt_pi_2=mp.sqrt(mp.pi / 2), sqrt_half=mp.sqrt(mp.mpf(1) / 2), inv_sqrt_2pi=1 / mp.sqrt(2 * mp.pi))
    yield ["// Even and odd terms of Debye's expansions, DLMF 10.41.9: sum of U_k(p) p^-k y^[k / 2], w = p^2"]
    yield debye("debye_even", 0)
    yield debye("debye_odd", 1)
    yield fit("temme_odd", "(1/gamma(1 - m) - 1/gamma(1 + m)) / (2 m), w = m^2", lambda w: _temme(w, True), 0, 0.25,
              var="w", slack=8, single=False)
    yield fit("temme_even", "(1/gamma(1 - m) + 1/gamma(1 + m)) / 2, w = m^2", lambda w: _temme(w, False), 0, 0.25,
              var="w", slack=8, single=False)
    yield fit("atan_tail", "(t - atan(t)) / t^3, w = t^2", _atan_tail, 0, 1, var="w", slack=8, single=False)


@family
def bessel_phase():
    with mp.workprec(33):
        a = +(mp.pi / 2)
    b = mp.pi / 2 - a
    with mp.workprec(33):
        b = +b
    values = ", ".join(f"{name} = {literal(v, 'double')}" for name, v in (("a", a), ("b", b), ("c", mp.pi / 2 - a - b)))
    yield ["// pi / 2 as a sum, 33 bits each in a and b",
           f"struct quarter_turn {{ static constexpr double {values}; }};",
           f"HDI double quarter_turns(double x) {{ return rint_of(x * {literal(2 / mp.pi, 'double')}); }}"]
    top = (mp.pi / 4) ** 2 * mp.mpf("1.001")
    yield fit("phase_sin", "(sin(r) - r) / r^3, w = r^2", lambda w: -_trig_tail(w, 3), 0, top, var="w", slack=8,
              single=False)
    yield fit("phase_cos", "(cos(r) - 1 + r^2 / 2) / r^4, w = r^2", lambda w: _trig_tail(w, 4), 0, top, var="w", slack=8,
              single=False)


def _trig_tail(w, start):
    return mp.fsum((-w) ** k / mp.factorial(2 * k + start) for k in range(30))


# ---- orders 0 and 1
SPLIT = 8                                   # J, Y: fits below, amplitude and phase above


def _zero(kind, n, k):
    return (mp.besseljzero if kind == "j" else mp.besselyzero)(n, k)


def _hankel(n, w, odd):
    """Re, or Im 8 / u with u = 8 / x, of sqrt(pi x / 2) H1_n(x) exp(-i (x - (2 n + 1) pi / 4)), w = u^2."""
    if w < 1e-40:
        return (4 * mp.mpf(n) ** 2 - 1) / 8 / SPLIT if odd else mp.mpf(1)
    x = SPLIT / mp.sqrt(w)
    h = mp.sqrt(mp.pi * x / 2) * mp.hankel1(n, x) * mp.expj(-(x - (2 * n + 1) * mp.pi / 4))
    return h.imag / mp.sqrt(w) if odd else h.real


def _y_regular(n, x, r):
    """(Y_n(x) - 2/pi J_n(x) log(x / r)) x^n / (x^2 - r^2): entire in x^2."""
    return (mp.bessely(n, x) - 2 / mp.pi * mp.besselj(n, x) * mp.log(x / r)) * x**n / (x**2 - r**2)


def _oscillating():
    zeros = {f"{kind}{n}_{k}": (_zero(kind, n, k), 53, 24) for kind in "jy" for n in (0, 1) for k in (1, 2, 3)
             if (kind, n, k) in {("j", 0, 1), ("j", 0, 2), ("j", 1, 1), ("j", 1, 2), ("y", 0, 1), ("y", 0, 2),
                                 ("y", 0, 3), ("y", 1, 1), ("y", 1, 2)}}
    yield constants("bessel_zeros", "zeros of J and Y below 8, two words each", **zeros)
    r = {name: value[0] for name, value in zeros.items()}

    def piece(name, f, zero, a, b):
        middle = (mp.mpf(a) + b) / 2
        return fit(name, f"{name[:2]}(x) / (x - zero), s = x - {mp.nstr(middle, 6)}",
                   lambda s: f(s + middle) / (s + middle - zero), a - middle, b - middle, var="s", slack=8,
                   single=False)

    yield fit("j0_low", "j0(x) / (x^2 - zero^2), s = x^2 - 8",
              lambda s: mp.besselj(0, mp.sqrt(s + 8)) / (s + 8 - r["j0_1"] ** 2), -8, 8, var="s", slack=8, single=False)
    yield piece("j0_high", lambda x: mp.besselj(0, x), r["j0_2"], 4, 8)
    yield fit("j1_low", "j1(x) / x / (x^2 - zero^2), s = x^2 - 12.5",
              lambda s: _j1_ratio(mp.sqrt(s + 12.5)) / (s + 12.5 - r["j1_1"] ** 2), -12.5, 12.5, var="s", slack=8,
              single=False)
    yield piece("j1_high", lambda x: mp.besselj(1, x), r["j1_2"], 5, 8)
    yield fit("y0_low", "(y0(x) - 2/pi j0(x) log(x / zero)) / (x^2 - zero^2), s = x^2 - 4",
              lambda s: _y_regular(0, mp.sqrt(s + 4), r["y0_1"]), -4, 4, var="s", slack=8, single=False)
    yield piece("y0_middle", lambda x: mp.bessely(0, x), r["y0_2"], mp.sqrt(8), 5.5)
    yield piece("y0_high", lambda x: mp.bessely(0, x), r["y0_3"], 5.5, 8)
    yield fit("y1_low", "(y1(x) - 2/pi j1(x) log(x / zero)) x / (x^2 - zero^2), s = x^2 - 8",
              lambda s: _y_regular(1, mp.sqrt(s + 8), r["y1_1"]), -8, 8, var="s", slack=8, single=False)
    yield piece("y1_high", lambda x: mp.bessely(1, x), r["y1_2"], 4, 8)
    for n in (0, 1):
        what = f"of sqrt(pi x / 2) H_{n}(x) exp(-i (x - {2 * n + 1} pi / 4)), w = (8 / x)^2"
        yield fit(f"even_{n}", f"real part {what}", lambda w, n=n: _hankel(n, w, False), 0, 1, var="w", slack=8,
                  single=False)
        yield fit(f"odd_{n}", f"imaginary part x / 8 {what}", lambda w, n=n: _hankel(n, w, True), 0, 1, var="w", slack=64,
                  single=False)


def _j1_ratio(x):
    return mp.besselj(1, x) / x if x else mp.mpf(1) / 2


def _i_ratio(n, y):
    """I_n(x) / (x / 2)^n, y = x^2 / 4."""
    return mp.hyp0f1(n + 1, y)


def _k_regular(n, y):
    """K_0 + log(x / 2) I_0, or (K_1 - log(x / 2) I_1 - 1 / x) 2 / x, y = x^2 / 4 (DLMF 10.31.1)."""
    return mp.fsum((mp.digamma(k + 1) if n == 0 else -(mp.digamma(k + 1) + mp.digamma(k + 2)) / 2) * y**k
                   / mp.factorial(k) / mp.factorial(k + n) for k in range(40))


def _scaled(function, n, u, sign):
    """sqrt(x) exp(sign x) function(n, x) at x = 1 / u."""
    if u < 1e-20:                           # two terms of DLMF 10.40.1, 10.40.2
        return (1 + sign * (4 * n * n - 1) * u / 8) * mp.sqrt(mp.pi / 2 if sign > 0 else 1 / (2 * mp.pi))
    x = 1 / u
    return mp.sqrt(x) * mp.exp(sign * x) * function(n, x)


def _monotone():
    for n in (0, 1):
        yield fit(f"i{n}_low", f"i{n}(x) / (x / 2)^{n}, y = x^2 / 4", lambda y, n=n: _i_ratio(n, y), 0, 16, var="y", slack=4)
        yield fit(f"i{n}_high", f"sqrt(x) exp(-x) i{n}(x), t = 16 / x - 1",
                  lambda t, n=n: _scaled(mp.besseli, n, (t + 1) / 16, -1), -1, 1, var="t", slack=4)
        yield fit(f"k{n}_low", "regular part of DLMF 10.31.1, y = x^2 / 4", lambda y, n=n: _k_regular(n, y), 0, 0.25,
                  var="y", slack=4, floor=0.4)
        yield fit(f"k{n}_high", f"sqrt(x) exp(x) k{n}(x), t = 2 / x - 1",
                  lambda t, n=n: _scaled(mp.besselk, n, (t + 1) / 2, 1), -1, 1, var="t", slack=4)


@family
def bessel_order01():
    yield from _oscillating()
    yield from _monotone()


if __name__ == "__main__":
    for name in [name for name in FAMILIES if FAMILIES[name].__module__ != __name__]:
        del FAMILIES[name]
    main()
