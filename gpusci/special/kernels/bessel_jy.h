// J and Y of real order v and real argument x (DLMF 10.2).
//
// Method, for v >= 0 and x > 0, first that applies:
//   x^2 <= 4 (v + 1)      J by its power series (10.2.2)
//   x >= 25, v^2 <= 2 x   Hankel's expansion (10.17.3)
//   far from x = v        Debye's expansions, 16 terms (10.19.3, 10.19.6)
//   x < 2                 Y by Temme's series for an order in [-1/2, 1/2] and the recurrence upward
//   else                  J by Miller's backward recurrence (10.74(iv)), normalised by Steed's continued fraction for
//                         (J' + i Y') / (J + i Y) and the Wronskian; Y by the recurrence upward
// The last costs max(x - v, 0) + O(x^(1/3)) steps and happens only for x below about 100 or within O(v^(1/3)) of v.
// Negative orders by 10.2.3. Accuracy: a few eps of the amplitude sqrt(J^2 + Y^2), times x eps from the phase above v.
#pragma once
#include "bessel.h"
#include "bessel_phase.h"

namespace gpusci {
namespace sf {

struct bessel_pair { double j, y; };

// amplitude (cos, sin)(phase - pi / 4 - turn pi / 2) combined with the two sums; phase = hi + lo.
HDI bessel_pair oscillation(double amplitude, double hi, double lo, double turn, even_odd sum) {
    const sine_cosine<double> p = sincos_of(hi, lo), t = sincospi_of(0.5 * turn);
    const double s = p.sin * t.cos - p.cos * t.sin, c = p.cos * t.cos + p.sin * t.sin;
    const double scale = amplitude * Bessel::sqrt_half;
    const double cosine = scale * (c + s), sine = scale * (s - c);
    return {cosine * sum.even - sine * sum.odd, sine * sum.even + cosine * sum.odd};
}
HDI bessel_pair jy_hankel(double v, double x) {
    const double turn = v - 4 * floor_of(0.25 * v);         // exact
    return oscillation(Bessel::sqrt_2_pi / sqrt_of(x), x, 0, turn, hankel_sums(v, x, -1));
}
// sqrt(|x^2 - v^2|) as a sum; a > b > 0.
HDI wide<double> root_of_difference(double a, double b) {
    const double s = sqrt_of(a - b) * sqrt_of(a + b);
    if (a > 1e140) return {s, 0};
    const wide<double> d = two_sum(a, -b), u = two_sum(a, b), p = d * u, q = two_prod(s, s);
    return fast_two_sum(s, 0.5 * ((p.hi - q.hi) + (p.lo - q.lo)) / s);
}
HDI bessel_pair jy_debye_above(double v, double x, wide<double> s) {
    const double t = s.hi / v, w = t * t;
    // s - v beta, tan beta = s / v; near the turning point the two cancel
    const wide<double> phase = t < 1 ? wide<double>{v * t * w * atan_tail(w), 0} : s - two_prod(v, atan2(s.hi, v));
    const even_odd sum = debye_sums(v, s.hi, -1);
    return oscillation(Bessel::sqrt_2_pi / sqrt_of(s.hi), phase.hi, phase.lo, 0, {sum.even, -sum.odd});
}
HDI bessel_pair jy_debye_below(double v, double x, wide<double> s) {
    if (v > 1e10 && x < 0.5 * v) return {0, -inf_of<double>()};
    const wide<double> up = s + v, log_ratio = log_wide(up.hi, up.lo) - log_wide(x);
    const wide<double> e = log_ratio * v - s;               // v (alpha - tanh alpha)
    const even_odd sum = debye_sums(v, s.hi, 1);
    const double scale = 1 / sqrt_of(s.hi);
    return {exp_wide(-e.hi, -e.lo, scale * Bessel::inv_sqrt_2pi * (sum.even + sum.odd)),
            exp_wide(e.hi, e.lo, -scale * Bessel::sqrt_2_pi * (sum.even - sum.odd))};
}

// Y of order m + n from orders m and m + 1, upward.
HDI double y_upward(double m, int n, double x, double y, double next) {
    const double r = 2 / x;
    for (int k = 0; k < n; ++k) {
        const double after = madd((m + k + 1) * r, next, -y);
        y = next;
        if (!(abs_of(after) <= fp<double>::max)) return k + 1 < n ? -inf_of<double>() : y;
        next = after;
    }
    return y;
}
HDI double y_small(double v, double x) {                    // x < 2
    const int n = int(v + 0.5);
    const double m = v - n, t = -0.25 * x * x, w = m * m, half = sincospi_of(0.5 * m).sin;
    const temme_start a = temme(m, x);
    double f = a.f, p = a.p, q = a.q, c = 1;
    const double r = abs_of(m) < 1e-150 ? 0 : 2 * half * half / m;      // of 10.8.3's limit, Temme 1976
    double sum = f + r * q, next = p;
    for (int k = 1; k < 100; ++k) {
        f = (k * f + p + q) / (k * double(k) - w);
        c *= t / k;
        p /= k - m;
        q /= k + m;
        const double term = c * (f + r * q);
        sum += term;
        next += c * (p - k * (f + r * q));
        if (abs_of(term) < 0x1p-55 * abs_of(sum) && k > 3) break;
    }
    const double scale = -2 * Bessel::inv_pi;
    return y_upward(m, n, x, scale * sum, scale * next * (2 / x));
}

// (J' + i Y') / (J + i Y) by the continued fraction of Steed (10.74(v)), evaluated forward.
HDI complex<double> steed(double v, double x) {
    double a = 0.25 - v * v;                                // (k - 1/2)^2 - v^2
    complex<double> b(2 * x, 2);
    // f = b_0 + a_1 / (b_1 + ...), Lentz; start at a_1 i / x / b_1
    complex<double> d = conj(b) * (1 / (b.re * b.re + b.im * b.im)), h = d * a, delta = h;
    for (int k = 2; k < 20000; ++k) {
        a += 2 * (k - 1);
        b.im += 2;
        const complex<double> e = b + d * a;
        d = conj(e) * (1 / (e.re * e.re + e.im * e.im));
        delta = delta * (b * d - complex<double>(1));
        h += delta;
        if (abs_of(delta.re) + abs_of(delta.im) < 0x1p-54 * (abs_of(h.re) + abs_of(h.im))) break;
    }
    return complex<double>(-0.5 / x - h.im / x, 1 + h.re / x);
}
HDI bessel_pair jy_recurrence(double v, double x) {         // x >= 2
    const int down = v > x ? int(v - x) + 1 : 0;            // to an order m where J oscillates
    const double m = v - down, r = 2 / x;
    const int extra = int((v < x ? x - v : 0) + 9 * cbrt(x > v ? x : v)) + 4;
    double above = 0, f = 0x1p-900, at_v = 0;
    for (int k = down + extra; k > 0; --k) {
        if (k == down) at_v = f;
        const double below = madd((m + k) * r, f, -above);
        above = f;
        f = below;
    }
    if (down == 0) at_v = f;
    const double peak = max_of(abs_of(f), abs_of(above)), g = f / peak, slope = (m / x) * g - above / peak;
    const complex<double> pq = steed(m, x);
    const double t = (pq.re * g - slope) / pq.im;           // Y / J's scale
    const double wronskian = 2 * Bessel::inv_pi / x;
    const double scale = sqrt_of(wronskian / (pq.im * (g * g + t * t)));
    const double y = scale * t, y_slope = pq.im * scale * g + pq.re * y;
    return {at_v / peak * scale, down == 0 ? y : y_upward(m, down, x, y, (m / x) * y - y_slope)};
}

// Both, v >= 0 and 0 < x < inf.
HDI bessel_pair bessel_jy(double v, double x, bool want_j, bool want_y) {
    bessel_pair b = {0, 0};
    if (want_j && 0.25 * x * x <= v + 1) {
        b.j = series_start(v, x) * power_series(v, x, -1);
        want_j = false;
    }
    if (!want_j && !want_y) return b;
    const double j = b.j;
    const bool above = x > v;
    const wide<double> s = above ? root_of_difference(x, v) : (v > x ? root_of_difference(v, x) : wide<double>{0, 0});
    if (hankel_converges(v, x)) b = jy_hankel(v, x);
    else if (debye_converges(v, s.hi, above)) b = above ? jy_debye_above(v, x, s) : jy_debye_below(v, x, s);
    else if (x < 2) b.y = y_small(v, x);
    else b = jy_recurrence(v, x);
    if (!want_j) b.j = j;
    return b;
}
HDI bool is_odd(double n) { return n - 2 * floor_of(0.5 * n) == 1; }

HD double bessel_j(double v, double x) {
    const double u = abs_of(v), ax = abs_of(x);
    const bool whole = u == floor_of(u);
    if (is_nan(v) || is_nan(x) || (x < 0 && !whole)) return nan_of<double>();
    if (u > fp<double>::max) return ax > fp<double>::max ? nan_of<double>() : 0;
    if (ax > fp<double>::max) return 0;
    const sine_cosine<double> t = sincospi_of(u);
    if (x == 0) return u == 0 ? 1 : (v > 0 || whole ? 0 : sign_of(inf_of<double>(), t.sin));
    const bool mixed = v < 0 && !whole;                     // J_-u = cos(pi u) J_u - sin(pi u) Y_u
    const bessel_pair b = bessel_jy(u, ax, true, mixed);
    if (mixed) return t.cos == 0 ? -t.sin * b.y : t.cos * b.j - t.sin * b.y;
    return is_odd(u) && (v < 0) != (x < 0) ? -b.j : b.j;
}
HD double bessel_y(double v, double x) {
    const double u = abs_of(v);
    const bool whole = u == floor_of(u);
    if (is_nan(v) || is_nan(x) || x < 0) return nan_of<double>();
    if (u > fp<double>::max) return x > fp<double>::max || v < 0 ? nan_of<double>() : -inf_of<double>();
    if (x > fp<double>::max) return 0;
    const sine_cosine<double> t = sincospi_of(u);
    const bool mixed = v < 0 && !whole;                     // Y_-u = sin(pi u) J_u + cos(pi u) Y_u
    const double factor = v < 0 ? t.cos : 1;
    if (x == 0) return factor == 0 ? 0 : -sign_of(inf_of<double>(), factor);
    const bessel_pair b = bessel_jy(u, x, mixed, true);
    if (mixed) return t.cos == 0 ? t.sin * b.j : t.sin * b.j + t.cos * b.y;
    return factor * b.y;
}
}  // namespace sf

struct jv {
    HD double operator()(double v, double x) const { return sf::bessel_j(v, x); }
    HD float operator()(float v, float x) const { return float(sf::bessel_j(v, x)); }
};
struct yv {
    HD double operator()(double v, double x) const { return sf::bessel_y(v, x); }
    HD float operator()(float v, float x) const { return float(sf::bessel_y(v, x)); }
};
struct yn {                                                 // as SciPy's: the order is cut to an integer
    template <class T> HD T operator()(T n, T x) const {
        return yv()(n < T(0) ? -sf::floor_of(-n) : sf::floor_of(n), x);
    }
    HD double operator()(int64_t n, double x) const { return sf::bessel_y(double(n), x); }
};
}  // namespace gpusci
