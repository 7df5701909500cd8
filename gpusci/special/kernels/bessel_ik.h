// I and K of real order v and real argument x, plain and scaled by exp(-|x|) and exp(x) (DLMF 10.25).
//
// Method, for v >= 0 and x > 0, first that applies:
//   x <= 30 or x^2 <= 4 (v + 1)   I by its power series (10.25.2), whose terms are positive
//   x >= 25, v^2 <= 2 x           Hankel's expansion (10.40.1, 10.40.2)
//   x^2 + v^2 >= 28^2             Debye's uniform expansion, 16 terms (10.41.3, 10.41.4)
//   x <= 2                        K by Temme's series and the recurrence upward
//   else                          K by Temme's continued fraction (1975, 10.74(v)) and the recurrence upward
// Exponents are sums of two doubles and enter with the factor, so nothing overflows before the result does. Every loop
// is bounded. Accuracy: a few eps everywhere, plus v eps / 20 in the power series' first factor.
#pragma once
#include "bessel.h"

namespace gpusci {
namespace sf {

// exp(sign eta) factor, with or without the scaling: eta = s - v log((v + s) / x), s^2 = x^2 + v^2.
struct debye_exponent { wide<double> eta, scaled; double s; };
HDI debye_exponent exponent_ik(double v, double x) {
    const double big = max_of(v, x), q = min_of(v, x) / big;
    wide<double> s = {big * sqrt_of(1 + q * q), 0};
    if (big < 1e140) {
        const wide<double> d = two_prod(x, x) + two_prod(v, v), e = two_prod(s.hi, s.hi);
        s = fast_two_sum(s.hi, 0.5 * ((d.hi - e.hi) + (d.lo - e.lo)) / s.hi);
    }
    const wide<double> up = s + v, turn = (log_wide(up.hi, up.lo) - log_wide(x)) * v;
    return {s - turn, (s + -x) - turn, s.hi};
}
HDI double i_positive(double v, double x, bool scaled) {
    if (x <= 30 || 0.25 * x * x <= v + 1) {
        const double y = series_start(v, x) * power_series(v, x, 1);
        return scaled ? y * exp_of(-x) : y;
    }
    if (hankel_converges(v, x)) {
        const even_odd sum = hankel_sums(v, x, 1);
        const double y = Bessel::inv_sqrt_2pi / sqrt_of(x) * (sum.even - sum.odd);
        return scaled ? y : exp_wide(x, 0.0, y);
    }
    const debye_exponent e = exponent_ik(v, x);
    const even_odd sum = debye_sums(v, e.s, 1);
    const wide<double> eta = scaled ? e.scaled : e.eta;
    return exp_wide(eta.hi, eta.lo, Bessel::inv_sqrt_2pi / sqrt_of(e.s) * (sum.even + sum.odd));
}

// K of orders m and m + 1 times exp(x), |m| <= 1/2.
struct k_pair { double k, next; };
HDI k_pair k_small(double m, double x) {                    // 0 < x <= 2
    const temme_start a = temme(m, x);
    const double t = 0.25 * x * x, w = m * m;
    double f = a.f, p = a.p, q = a.q, c = 1, sum = f, next = p;
    for (int k = 1; k < 100; ++k) {
        f = (k * f + p + q) / (k * double(k) - w);
        c *= t / k;
        p /= k - m;
        q /= k + m;
        const double term = c * f;
        sum += term;
        next += c * (p - k * f);
        if (abs_of(term) < 0x1p-55 * abs_of(sum)) break;
    }
    return {sum, next * (2 / x)};
}
HDI k_pair k_fraction(double m, double x) {                 // x >= 2, without exp(-x)
    const double a1 = 0.25 - m * m;
    double b = 2 * (1 + x), d = 1 / b, h = d, delta = d, before = 0, now = 1, c = a1, q = a1, a = -a1;
    double sum = 1 + q * delta;
    for (int k = 2; k < 500; ++k) {
        a -= 2 * (k - 1);
        c *= -a / k;
        const double after = (before - b * now) / a;
        before = now;
        now = after;
        q += c * now;
        b += 2;
        d = 1 / (b + a * d);
        delta *= b * d - 1;
        h += delta;
        const double term = q * delta;
        sum += term;
        if (abs_of(term) < 0x1p-54 * abs_of(sum)) break;
    }
    const double k = Bessel::sqrt_pi_2 / (sqrt_of(x) * sum);
    return {k, k * (m + x + 0.5 - a1 * h) / x};
}
HDI double k_positive(double v, double x, bool scaled) {
    if (hankel_converges(v, x)) {
        const even_odd sum = hankel_sums(v, x, 1);
        const double y = Bessel::sqrt_pi_2 / sqrt_of(x) * (sum.even + sum.odd);
        return scaled ? y : exp_wide(-x, 0.0, y);
    }
    if (v > 1e10 && x < 0.5 * v) return inf_of<double>();
    if (x >= 28 || v >= 28) {
        const debye_exponent e = exponent_ik(v, x);
        const even_odd sum = debye_sums(v, e.s, 1);
        const wide<double> eta = scaled ? e.scaled : e.eta;
        return exp_wide(-eta.hi, -eta.lo, Bessel::sqrt_pi_2 / sqrt_of(e.s) * (sum.even - sum.odd));
    }
    const int n = int(v + 0.5);
    const double m = v - n, r = 2 / x;
    k_pair k = x <= 2 ? k_small(m, x) : k_fraction(m, x);
    for (int i = 1; i <= n; ++i) {
        const double after = madd((m + i) * r, k.next, k.k);
        k.k = k.next;
        k.next = after;
    }
    if (x <= 2) return scaled ? k.k * exp_of(x) : k.k;
    return scaled ? k.k : exp_wide(-x, 0.0, k.k);
}

HD double bessel_i(double v, double x, bool scaled) {
    const double u = abs_of(v), ax = abs_of(x);
    const bool whole = u == floor_of(u), flip = x < 0 && whole && u - 2 * floor_of(0.5 * u) == 1;
    if (is_nan(v) || is_nan(x) || (x < 0 && !whole)) return nan_of<double>();
    if (u > fp<double>::max) return ax > fp<double>::max ? nan_of<double>() : 0;
    if (ax > fp<double>::max) return scaled ? 0 : (flip ? -ax : ax);
    const double turn = v < 0 && !whole ? 2 * Bessel::inv_pi * sincospi_of(u).sin : 0;
    if (x == 0) return u == 0 ? 1 : (v > 0 || whole ? 0 : sign_of(inf_of<double>(), turn));
    const double y = i_positive(u, ax, scaled);
    if (turn == 0) return flip ? -y : y;
    const double k = k_positive(u, ax, scaled);             // I_-u = I_u + 2/pi sin(pi u) K_u, DLMF 10.27.2
    return y + turn * (scaled ? k * exp_of(-2 * ax) : k);
}
HD double bessel_k(double v, double x, bool scaled) {
    const double u = abs_of(v);
    if (is_nan(v) || is_nan(x) || x < 0) return nan_of<double>();
    if (x > fp<double>::max) return u > fp<double>::max ? nan_of<double>() : 0;
    if (x == 0 || u > fp<double>::max) return inf_of<double>();
    return k_positive(u, x, scaled);
}
}  // namespace sf

struct iv {
    HD double operator()(double v, double x) const { return sf::bessel_i(v, x, false); }
    HD float operator()(float v, float x) const { return float(sf::bessel_i(v, x, false)); }
};
struct ive {
    HD double operator()(double v, double x) const { return sf::bessel_i(v, x, true); }
    HD float operator()(float v, float x) const { return float(sf::bessel_i(v, x, true)); }
};
struct kv {
    HD double operator()(double v, double x) const { return sf::bessel_k(v, x, false); }
    HD float operator()(float v, float x) const { return float(sf::bessel_k(v, x, false)); }
};
struct kve {
    HD double operator()(double v, double x) const { return sf::bessel_k(v, x, true); }
    HD float operator()(float v, float x) const { return float(sf::bessel_k(v, x, true)); }
};
struct kn {                                                 // as SciPy's: the order is cut to an integer
    template <class T> HD T operator()(T n, T x) const {
        return kv()(n < T(0) ? -sf::floor_of(-n) : sf::floor_of(n), x);
    }
    HD double operator()(int64_t n, double x) const { return sf::bessel_k(double(n), x, false); }
};
}  // namespace gpusci
