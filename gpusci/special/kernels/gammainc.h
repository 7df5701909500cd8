// Regularised incomplete gamma functions P and Q and their inverses.
//
// Method, by region (references: DLMF 8.7, 8.9, 8.12; Gautschi, ACM TOMS 5 (1979) 466; Temme, Math. Comput. 29 (1975)
// 1109; DiDonato and Morris, ACM TOMS 12 (1986) 377):
//   a large, x between 0.4 a and 2 a   erfc plus Temme's uniform expansion
//   x < a, or small x                  positive power series for P
//   x >= a                             Legendre's continued fraction for Q, from its tail, without divisions
//   x < 1, a < 1/2, P above 1/2        Q from expm1 and 1 / gamma(1 + a) - 1, nothing cancels
// Each computes the smaller of P and Q, so that both keep relative accuracy; the other is the complement. The common
// factor x^a exp(-x) / gamma(a + 1) comes from an exponent in wide precision, so tails are good to their last digits.
// Loops take at most about 60 steps of 3 operations in double, 110 for x near 1; 25 and 35 in float.
#pragma once
#include "erf.h"
#include "gamma.h"

namespace gpusci {
namespace sf {
#include "gammainc_coefficients.h"

template <class T> struct tails { T lower, upper; };        // P and Q

template <class T> HDI T expm1_of(wide<T> y) {              // exp(y) - 1
    const T h = y.hi;
    if (abs_of(h) < T(0.34)) return h + madd(h * h, exp_tail(h), y.lo * (T(1) + h));
    return exp_wide(y.hi, y.lo) - T(1);
}
// a (m - log(1 + m)) for m = (x - a) / a >= -1, as a sum; infinite where exp(-it) is 0. a >= 3.
template <class T> HDI wide<T> excess(T a, T x) {
    constexpr bool d = same<T, double>::value;
    const wide<T> m = two_sum(x, -a) / wide<T>{a, T(0)};
    if (abs_of(m.hi) <= T(0.03125)) {                       // m^2 / 2 exactly, the rest is below 0.02 of it
        const wide<T> m2 = m * m;
        return wide<T>{T(0.5) * m2.hi, madd(-m2.hi * m.hi, log1pmx_tail(m.hi), T(0.5) * m2.lo)} * a;
    }
    if (a > (d ? T(2e6) : T(2e5)) || m.hi > T(300)) return {inf_of<T>(), T(0)};
    const wide<T> r = wide<T>{x, T(0)} / wide<T>{a, T(0)};
    return (m - log_wide(r.hi, r.lo)) * a;
}
// x^a exp(-x) / gamma(a + 1), given excess(a, x) where a >= 3.
template <class T> HDI T gamma_prefix(T a, T x, wide<T> y) {
    if (a < T(3)) {
        const gamma_parts<T> g = split_gamma(a);
        const wide<T> e = log_wide(x) * a + -x - g.y;
        return x > T(1e4) ? T(0) : exp_wide(e.hi, e.lo, g.p);
    }
    const T u = T(1) / a;
    return exp_wide(-y.hi, -madd(u, stirling(u * u), y.lo), real_constants<T>::inv_sqrt_2pi * sqrt_of(u));
}
// sum of x^n / ((a + 1) ... (a + n)) as one quotient: three products a term, no division
template <class T> HDI T gamma_series(T a, T x) {
    T top = T(1), bottom = T(1), power = x;
    for (T n = T(1); n < T(500); n += T(1)) {
        const T d = a + n;
        top = madd(top, d, power), bottom *= d;
        if (power < top * (fp<T>::eps / T(8))) break;
        power *= x;
        if (top > T(0x1p60)) top *= T(0x1p-60), bottom *= T(0x1p-60), power *= T(0x1p-60);
    }
    return top / bottom;
}
// exp(x) x^-a gamma(a, x) = 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...)), DLMF 8.9.2, x >= max(a, 1): from the tail
// inwards, which damps errors. The depth bounds what 2^-55 (2^-26) needs, found on a grid of a and x.
template <class T> HDI T gamma_fraction(T a, T x) {
    constexpr bool d = same<T, double>::value;
    const T n = d ? floor_of(T(104) / x + T(5) + T(0.75) * sel(a < T(20), a, T(20)))
                  : floor_of(T(27) / x + T(3) + T(0.6) * sel(a < T(12), a, T(12)));
    T b = x + T(1) - a + (n + n), top = b, bottom = T(1);
    for (T k = n; k >= T(1); k -= T(1)) {
        b -= T(2);
        const T next = madd(b, top, -(k * (k - a)) * bottom);
        bottom = top, top = next;
        if (top > T(0x1p60)) top *= T(0x1p-60), bottom *= T(0x1p-60);
    }
    return bottom / top;
}
// Q for x < 1, a < 1/2, from log_x_a = a log(x): 1 - x^a / gamma(1 + a) (1 - j)
template <class T> HDI T gamma_upper_small(T a, T x, wide<T> log_x_a) {
    const T w = expm1_of(log_x_a), g = a * rgamma_rise(a - T(0.25));
    T sum = T(0), term = T(1);
    for (T n = T(1); n < T(30); n += T(1)) {
        term *= -x / n;
        sum -= term / (a + n);
        if (abs_of(term) < sum * fp<T>::eps) break;
    }
    const T j = a * sum;
    return madd((T(1) + w) * (T(1) + g), j, -w - g * (T(1) + w));
}
template <class T> HDI tails<T> lower_small(T p) { return {p, T(1) - p}; }
template <class T> HDI tails<T> upper_small(T q) { return {T(1) - q, q}; }

// P and Q for finite a > 0, x > 0.
template <class T> HDI tails<T> gamma_tails(T a, T x) {
    constexpr T large = same<T, double>::value ? T(20) : T(12);
    wide<T> y = {T(0), T(0)};
    if (a >= T(3)) y = excess(a, x);
    if (a >= large && x > T(0.4) * a && x < T(2) * a) {     // |eta| < 0.8
        const T s = sqrt_of(T(2) * y.hi / a), eta = x < a ? -s : s;
        const T correction = temme(eta, T(1) / a) * (real_constants<T>::inv_sqrt_2pi / sqrt_of(a));
        const T half = T(0.5) * erfcx_positive(sqrt_of(y.hi));
        const T e = exp_wide(-y.hi, -y.lo, x < a ? half - correction : half + correction);
        return x < a ? lower_small(e) : upper_small(e);
    }
    if (x < T(1) && a < T(0.5)) {
        const wide<T> w = log_wide(x) * a;
        if (w.hi > T(-0.7)) return upper_small(gamma_upper_small(a, x, w));
    }
    const T prefix = gamma_prefix(a, x, y);
    if (x < a || x < T(1)) return lower_small(prefix > T(0) ? prefix * gamma_series(a, x) : T(0));
    return upper_small(prefix > T(0) ? prefix * a * gamma_fraction(a, x) : T(0));
}
// The limits: P is a distribution function in x with all its mass at 0 for a = 0 and at infinity for a = infinity.
template <class T> HDI tails<T> gamma_tails_any(T a, T x) {
    const T nan = nan_of<T>();
    if (!(a >= T(0)) || !(x >= T(0))) return {nan, nan};
    const bool a_inf = a > fp<T>::max, x_inf = x > fp<T>::max;
    if ((a == T(0) && x == T(0)) || (a_inf && x_inf)) return {nan, nan};
    if (x == T(0) || a_inf) return {T(0), T(1)};
    if (a == T(0) || x_inf) return {T(1), T(0)};
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
