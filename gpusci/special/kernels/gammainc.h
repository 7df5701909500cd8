// Regularised incomplete gamma functions P and Q and their inverses.
//
// Method, by region (references: DLMF 8.7, 8.9, 8.12; Gautschi, ACM TOMS 5 (1979) 466; Temme, Math. Comput. 29 (1975)
// 1109; DiDonato and Morris, ACM TOMS 12 (1986) 377):
//   a large, x between 0.4 a and 2 a   erfc plus Temme's uniform expansion
//   x < a, or small x                  positive power series for P
//   x >= a                             Legendre's continued fraction for Q, from its tail, without divisions
//   x < 0.7, a < 1/2, P above 1/2      Q from expm1 and 1 / gamma(1 + a) - 1, nothing cancels
// Each computes the smaller of P and Q, so that both keep relative accuracy; the other is the complement. The common
// factor x^a exp(-x) / gamma(a + 1) comes from an exponent in wide precision, so tails are good to their last digits.
// Loops take at most about 60 steps of 3 operations in double, 150 for x near 0.7; 25 and 42 in float.
#pragma once
#include "erf.h"
#include "gamma_ratio.h"

namespace gpusci {
namespace sf {
#include "gammainc_coefficients.h"

template <class T> struct tails { T lower, upper, weight; };    // P, Q and x times the density, x^a exp(-x) / gamma(a)

// sum of x^n / ((a + 1) ... (a + n)), two terms a division; one quotient of two recurrences would lose 12 ulp
template <class T> HDI T gamma_series(T a, T x) {
    T sum = T(1), term = T(1);
    for (T n = T(1); n < T(500); n += T(2)) {
        const T p = a + n, q = p + T(1), r = x / (p * q);   // not on the chain of dependent operations
        sum = madd(term * r, q + x, sum);
        term *= r * x;
        if (term < sum * (fp<T>::eps / T(4))) break;
    }
    return sum;
}
// exp(x) x^-a gamma(a, x) = 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...)), DLMF 8.9.2, x >= max(a, 0.7): from the tail
// inwards, which damps errors. The depth bounds what 2^-55 (2^-26) needs, found on a grid of a and x.
template <class T> HDI T gamma_fraction(T a, T x) {
    constexpr bool d = same<T, double>::value;
    const T n = d ? floor_of(T(105) / x + T(5) + T(0.75) * sel(a < T(20), a, T(20)))
                  : floor_of(T(27) / x + T(3) + T(0.6) * sel(a < T(12), a, T(12)));
    const T base = (x - a) + T(1);
    T top = base + (n + n), bottom = T(1);
    for (T k = n; k >= T(1); k -= T(1)) {
        const T b = base + T(2) * (k - T(1)), next = madd(b, top, -(k * (k - a)) * bottom);
        bottom = top, top = next;
        if (top > T(0x1p60)) top *= T(0x1p-60), bottom *= T(0x1p-60);
    }
    return bottom / top;
}
// Q for x < 0.7, a < 1/2, from log_x_a = a log(x): 1 - x^a / gamma(1 + a) (1 - j)
template <class T> HDI tails<T> gamma_upper_small(T a, T x, wide<T> log_x_a) {
    const T w = expm1_small(log_x_a), g = a * rgamma_rise(a - T(0.25));
    T sum = T(0), term = T(1);
    for (T n = T(1); n < T(30); n += T(1)) {
        term *= -x / n;
        sum -= term / (a + n);
        if (abs_of(term) < sum * fp<T>::eps) break;
    }
    const T j = a * sum, q = madd((T(1) + w) * (T(1) + g), j, -w - g * (T(1) + w));
    return {T(1) - q, q, a * (T(1) + w) * (T(1) + g) * exp_of(-x)};
}

// P and Q for finite a > 0, x > 0: factor exp(-y) is the smaller.
template <class T> HDI tails<T> gamma_tails(T a, T x) {
    using C = real_constants<T>;
    constexpr T large = same<T, double>::value ? T(20) : T(12);
    const bool shape = a >= T(3);
    const wide<T> r = wide<T>{x, T(0)} / wide<T>{a, T(0)}, log_arg = shape ? r : wide<T>{x, T(0)};
    const wide<T> log_r = log_wide(log_arg.hi, log_arg.lo);
    const T u = T(1) / a;
    const bool lower = x < a || x < T(0.7);
    wide<T> y;
    T factor;
    if (shape) {
        const wide<T> m = two_sum(x, -a);
        y = excess(a, m / wide<T>{a, T(0)}, log_r);
        factor = C::inv_sqrt_2pi * sqrt_of(u);
    } else {
        const wide<T> log_power = log_r * a;
        if (x < T(0.7) && a < T(0.5) && log_power.hi > T(-0.7)) return gamma_upper_small(a, x, log_power);
        y = log_power + -x;
        y = x > T(1e4) ? wide<T>{inf_of<T>(), T(0)} : -y;
        factor = rgamma_shifted(a - T(1.75));
    }
    T shrink = T(1), ratio = T(0);                          // of the tail to x^a exp(-x) / gamma(a + 1)
    if (a >= large && x > T(0.4) * a && x < T(2) * a) {     // |eta| < 0.8
        const T s = sqrt_of(T(2) * y.hi * u), part = factor * temme(lower ? -s : s, u);
        const T half = T(0.5) * erfcx_positive(sqrt_of(y.hi));
        ratio = (lower ? half - part : half + part) / factor;
        shrink = poly(u, T(1), T(-1.0 / 12), T(1.0 / 288));  // 1 / gamma*, DLMF 5.11.3; for the weight only
    } else if (y.hi < -fp<T>::log_tiny + T(10)) {           // otherwise 0
        if (shape) y.lo = madd(u, stirling(u * u), y.lo);
        ratio = lower ? gamma_series(a, x) : a * gamma_fraction(a, x);
    }
    const scaled<T> e = exp_parts(-y.hi, -y.lo);
    const T tail = scale2(e.value * (factor * ratio), e.k), weight = scale2(e.value * (factor * a * shrink), e.k);
    return {lower ? tail : T(1) - tail, lower ? T(1) - tail : tail, weight};
}
// The limits: P is a distribution function in x with all its mass at 0 for a = 0 and at infinity for a = infinity.
template <class T> HDI tails<T> gamma_tails_any(T a, T x) {
    const T nan = nan_of<T>();
    if (!(a >= T(0)) || !(x >= T(0))) return {nan, nan, nan};
    const bool a_inf = a > fp<T>::max, x_inf = x > fp<T>::max;
    if ((a == T(0) && x == T(0)) || (a_inf && x_inf)) return {nan, nan, nan};
    if (x == T(0) || a_inf) return {T(0), T(1), T(0)};
    if (a == T(0) || x_inf) return {T(1), T(0), T(0)};
    return gamma_tails(a, x);
}
}  // namespace sf

struct gammainc {
    template <class T> HD T operator()(T a, T x) const { return sf::gamma_tails_any(a, x).lower; }
};
struct gammaincc {
    template <class T> HD T operator()(T a, T x) const { return sf::gamma_tails_any(a, x).upper; }
};
}  // namespace gpusci
