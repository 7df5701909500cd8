// Hurwitz's zeta function sum (q + k)^-x for x > 1, and Riemann's for any real x.
//
// Method: Euler-Maclaurin summation (DLMF 25.11.7), the sum taken until q + k exceeds about 5 + 3/4 x (3 + x / 2 in float), powers from
// logarithms in wide precision; Riemann's function below 0 by reflection (25.4.2), the exponents joined in wide precision.
#pragma once
#include "gamma.h"

namespace gpusci {
namespace sf {
#include "zeta_coefficients.h"

template <class T> HDI T inverse_power(T a, T x) {          // a^-x, a > 0
    const wide<T> y = log_wide(a) * -x;
    return abs_of(y.hi) < T(3000) ? exp_wide(y.hi, y.lo) : y.hi > T(0) ? inf_of<T>() : T(0);
}
// sum over k >= 0 of (q + k)^-x, continued to x >= 0; q > 0; less = x - 1, not 0, may be more accurate than x
template <class T> HDI T hurwitz(T x, T q, T less) {
    constexpr bool d = same<T, double>::value;
    const T far = d ? max_of(madd(T(0.5), x, T(7)), madd(T(0.75), x, T(4.5))) : max_of(madd(T(0.4), x, T(4)), madd(T(0.6), x, T(2)));
    T sum = T(0), a = q, power = inverse_power(a, x);
    while (a < far) {
        sum += power;
        if (power < sum * (fp<T>::eps / T(64))) return sum;
        a += T(1);
        power = inverse_power(a, x);
    }
    // a^(1 - x) / (x - 1) + a^-x / 2 + x a^-(x + 1) B_2 / 2! + ...
    T tail = a / less + T(0.5), rising = x / a, c;
    const T u = T(1) / a;
    int count = 1;
    for (int k = 0; k < count; ++k) {
        count = euler_maclaurin(k, c);
        const T term = rising * c;
        tail += term;
        if (abs_of(term) < abs_of(tail) * (fp<T>::eps / T(16))) break;
        const T n = T(2 * k + 1);
        rising *= ((x + n) * u) * ((x + n + T(1)) * u);
    }
    // a^-x may underflow where a^(1 - x) does not
    return power < fp<T>::min / fp<T>::eps ? madd(inverse_power(a, less), tail * u, sum) : madd(power, tail, sum);
}
template <class T> HDI T hurwitz_any(T x, T q) {
    if (is_nan(x) || is_nan(q) || x < T(1)) return nan_of<T>();
    if (x == T(1)) return inf_of<T>();
    if (x > fp<T>::max) return q > T(1) ? T(0) : q == T(1) ? T(1) : inf_of<T>();
    if (q > fp<T>::max) return T(0);
    if (q > T(0)) return hurwitz(x, q, x - T(1));
    if (q == floor_of(q)) return inf_of<T>();
    if (x != floor_of(x)) return nan_of<T>();
    const bool odd = x - T(2) * floor_of(T(0.5) * x) == T(1);
    T sum = T(0);
    for (; q < T(0); q += T(1)) sum += odd ? -inverse_power(-q, x) : inverse_power(-q, x);
    return sum + hurwitz(x, q, x - T(1));
}
template <class T> HDI T riemann(T x) {
    if (is_nan(x) || x < -fp<T>::max) return nan_of<T>();
    if (x == T(1) || x > fp<T>::max) return x == T(1) ? inf_of<T>() : T(1);
    if (x > T(1)) return T(1) + hurwitz(x, T(2), x - T(1));
    if (x >= T(0)) return hurwitz(x, T(1), x - T(1));
    // 2 (2 pi)^(x - 1) sin(pi x / 2) gamma(1 - x) zeta(1 - x)
    const T s = T(1) - x, wave = sincospi_of(T(0.5) * x).sin;
    if (wave == T(0)) return T(0);
    if (s > (same<T, double>::value ? T(400) : T(100))) return wave > T(0) ? inf_of<T>() : -inf_of<T>();
    using C = real_constants<T>;
    const wide<T> log_2pi = wide<T>{C::half_log_2pi_hi, C::half_log_2pi_lo} * T(2);
    const gamma_parts<T> g = split_gamma(s);
    const wide<T> y = g.y - log_2pi * s;
    return exp_wide(y.hi, y.lo, T(2) * wave * (T(1) + hurwitz(s, T(2), -x)) / (s < T(3) ? s * g.p : T(1)));
}
}  // namespace sf

struct zeta {
    template <class T> HD T operator()(T x, T q) const { return sf::hurwitz_any(x, q); }
};
struct riemann_zeta {
    template <class T> HD T operator()(T x) const { return sf::riemann(x); }
};
struct zetac {                                              // zeta(x) - 1
    template <class T> HD T operator()(T x) const {
        if (x > sf::fp<T>::max) return T(0);
        return x > T(1) ? sf::hurwitz(x, T(2), x - T(1)) : sf::riemann(x) - T(1);
    }
};
struct polygamma {                                          // (-1)^(n + 1) n! zeta(n + 1, x), DLMF 25.11.12
    HD double operator()(double n, double x) const {
        if (n == 0) return digamma()(x);
        if (!(n > 0) || n != sf::floor_of(n)) return sf::nan_of<double>();
        const double y = gamma()(n + 1) * sf::hurwitz_any(n + 1, x);
        return n - 2 * sf::floor_of(0.5 * n) == 1 ? y : -y;
    }
};
}  // namespace gpusci
