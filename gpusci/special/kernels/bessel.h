// What the Bessel functions share: the power series' first term, Temme's start values, Debye's and Hankel's sums.
//
// Everything computes in double, float32 loops too: a result near a zero needs more than the working precision, and the
// recurrences' error would show. References: DLMF 10; Temme, J. Comput. Phys. 19 (1975) 324 and 21 (1976) 343.
#pragma once
#include "gamma.h"

namespace gpusci {
namespace sf {
#include "bessel_coefficients.h"

using Bessel = bessel_constants<double>;

// (x / 2)^p / gamma(a), x > 0, a > p >= 0: the logarithm in wide precision, since p log x may be hundreds.
HDI double power_over_gamma(double p, wide<double> a, double x) {
    if (p > 1e10) return 0;                                 // x <= 2 sqrt(p + 1.5) here: below exp(-p)
    const wide<double> power = log_wide(0.5 * x) * p;
    if (a.hi < 9) return exp_wide(power.hi, power.lo, rgamma()(a.hi));
    const wide<double> y = power - lgamma_stirling(a.hi, a.lo);
    return exp_wide(y.hi, y.lo);
}
HDI double series_start(double v, double x) { return v == 0 ? 1 : power_over_gamma(v, two_sum(v, 1.0), x); }
// The power series of J (sign = -1) and I (sign = 1) without its first factor, DLMF 10.2.2 and 10.25.2.
HDI double power_series(double v, double x, double sign) {
    const double t = sign * 0.25 * x * x;
    double term = 1, sum = 0;                               // the sum without its 1
    for (int k = 1; k < 500; ++k) {
        term *= t / (k * (v + k));
        sum += term;
        if (abs_of(term) <= 0x1p-54 * (1 + abs_of(sum))) break;
    }
    return 1 + sum;
}

// Temme's series for orders |m| <= 1/2 and 0 < x <= 2: the quantities common to Y and K.
struct temme_start { double f, p, q; };                     // f_0, p_0, q_0 of K, Temme 1975
HDI temme_start temme(double m, double x) {
    const double w = m * m, log_2x = -log_of(0.5 * x), e = m * log_2x;
    const double odd = temme_odd(w), even = temme_even(w), up = exp_of(e), down = exp_of(-e);
    const double s = abs_of(m) < 1e-9 ? 1 : real_constants<double>::pi_hi * m / sincospi_of(m).sin;
    const double e2 = e * e;
    const double sinhc = abs_of(e) < 0.3 ? poly(e2, 1.0, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800)
                                         : 0.5 * (up - down) / e;
    const double plus = even - m * odd, minus = even + m * odd;         // 1/gamma(1 + m), 1/gamma(1 - m)
    return {s * (odd * 0.5 * (up + down) + even * log_2x * sinhc), 0.5 * up / plus, 0.5 * down / minus};
}

// Sums over Debye's terms U_k(v / s) / v^k for even and odd k. For real s^2 = x^2 + v^2 (I, K) or v^2 - x^2 (J, Y below
// the turning point) w = (v / s)^2; above the turning point both w and s^2 are negative. DLMF 10.41.3, 10.19.3, 10.19.6.
struct even_odd { double even, odd; };
HDI even_odd debye_sums(double v, double s, double sign) {
    const double r = 1 / s, w = sign * (v * r) * (v * r), y = sign * r * r;
    return {debye_even(w, y), r * debye_odd(w, y)};
}
// Whether the 16 terms reach full accuracy (limits fitted to the size of the last two): below, above the turning point.
// For I and K s >= 28 is enough.
HDI bool debye_converges(double v, double s, bool above) {
    const double p = v / s;
    return s >= (above ? poly(p, 28.0, 30.0, 77.0) : poly(p, -50.0, 0.0, 80.0));
}
// Hankel's sums, DLMF 10.17.3 and 10.40.1: a_k(v) / x^k for even and odd k, `sign` = -1 where they alternate. For x >=
// 25 and v^2 <= 2 x the terms fall below 2^-53 before they grow again.
HDI even_odd hankel_sums(double v, double x, double sign) {
    const double v4 = 4 * v * v, r = 0.125 / x;
    double term = 1, even = 0, odd = 0;                     // `even` without its 1
    for (int k = 1; k < 60; k += 2) {
        const double a = 2 * k - 1, b = 2 * k + 1;
        term *= (v4 - a * a) * r / k;
        odd += term;
        term *= sign * (v4 - b * b) * r / (k + 1);
        even += term;
        if (abs_of(term) < 0x1p-56) break;
    }
    return {1 + even, odd};
}
HDI bool hankel_converges(double v, double x) { return (x >= 25) & (v * v <= 2 * x); }

}  // namespace sf
}  // namespace gpusci
