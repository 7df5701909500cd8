"""Derives the coefficients of the Bessel functions: bessel_coefficients.h. The tools are those of derive.py.

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
        terms.append("\n".join(wrap(numbers, "poly(w, ", ")", 12)))
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


if __name__ == "__main__":
    for name in [name for name in FAMILIES if name != "bessel"]:
        del FAMILIES[name]
    main()
