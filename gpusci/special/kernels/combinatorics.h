// Pochhammer's symbol, binomial coefficients, factorials of any order.
//
// Short products are taken term by term in wide precision, so that results which are integers below 2^53 (2^24) are exact; longer
// ones are quotients of gamma functions from Stirling's formula with the large terms combined (see gamma_ratio.h, beta.h).
#pragma once
#include "beta.h"

namespace gpusci {
namespace sf {

constexpr int SHORT = 20;                                   // factors of a product taken term by term
template <class T> HDI bool is_whole(T x) { return x == floor_of(x); }

// z (z + 1) ... (z + m - 1)
template <class T> HDI T rising_product(T z, T m) {
    wide<T> p = {T(1), T(0)};
    T plain = T(1);
    for (T i = T(0); i < m; i += T(1)) p = p * two_sum(z, i), plain *= z + i;
    return abs_of(p.hi) <= fp<T>::max ? p.hi : plain;       // a wide product that overflows is NaN
}
// gamma(a + m) / gamma(a) for a, a + m > 0
template <class T> HDI T gamma_quotient(T a, T m) {
    const wide<T> s = two_sum(a, m);
    if (a < T(3) || s.hi < T(3)) {
        const T cap = same<T, double>::value ? T(400) : T(100);
        if (s.hi > cap) return inf_of<T>();
        if (a > cap) return T(0);
        const gamma_parts<T> g = split_gamma(s.hi), h = split_gamma(a);
        wide<T> y = g.y - h.y;
        y.lo += s.lo * (log_of(s.hi + T(1)) - T(1) / s.hi); // digamma, roughly: s is rounded
        return exp_wide(y.hi, y.lo, (a < T(3) ? a * h.p : T(1)) / (s.hi < T(3) ? s.hi * g.p : T(1)));
    }
    const wide<T> one_a = {a, T(0)}, r = s / one_a, l = log_wide(r.hi, r.lo);
    wide<T> y = log_wide(a) * m + (l * s + -m);
    y.lo += (stirling_of(s.hi) - stirling_of(a)) - T(0.5) * (l.hi + l.lo);
    return y.hi > T(2000) ? inf_of<T>() : y.hi < T(-2000) ? T(0) : exp_wide(y.hi, y.lo);
}
// log |gamma(hi + lo)|, hi no pole
template <class T> HDI wide<T> log_abs_gamma(wide<T> x) {
    wide<T> y = log_abs_gamma(x.hi);
    y.lo += x.lo * digamma()(x.hi);
    return y;
}
template <class T> HDI T pochhammer(T z, T m) {
    if (m == T(0)) return T(1);
    if (is_nan(z) || is_nan(m)) return nan_of<T>();
    const T s = z + m;
    if (is_whole(m) && abs_of(m) <= T(SHORT)) {
        if (m > T(0)) return rising_product(z, m);
        return T(1) / rising_product(s, -m);
    }
    const bool pole = is_pole(z), end = is_pole(s);
    if (pole && end) {                                      // (-1)^m gamma(1 - z) / gamma(1 - s)
        const T q = gamma_quotient(T(1) - s, m);
        return is_odd(m) ? -q : q;
    }
    if (end) return inf_of<T>();
    if (pole) return T(0);
    if (z > T(0) && s > T(0)) return gamma_quotient(z, m);
    const wide<T> y = log_abs_gamma(two_sum(z, m)) - log_abs_gamma(z);
    return gamma_sign(s) * gamma_sign(z) * exp_wide(y.hi, y.lo);
}
template <class T> HDI T binomial_coefficient(T n, T k) {
    if (is_nan(n) || is_nan(k) || (n < T(0) && is_whole(n))) return nan_of<T>();
    if (is_whole(k)) {
        const T j = is_whole(n) && n > T(0) && k > T(0.5) * n ? n - k : k;
        if (j < T(0)) return T(0);
        if (j < T(SHORT)) {
            wide<T> p = {T(1), T(0)}, q = p;
            T plain = T(1);
            for (T i = T(1); i <= j; i += T(1)) p = p * two_sum(n - j, i), q = q * i, plain *= (n - j + i) / i;
            const wide<T> r = p / q;
            return abs_of(p.hi) <= fp<T>::max ? r.hi : plain;
        }
    }
    const wide<T> rest = two_sum(n, -k) + T(1);
    if (rest.hi > T(0) && k > T(-1) && n > T(-1)) {
        const exponent<T> e = beta_parts(rest.hi, k + T(1));
        return exp_wide(-e.y.hi, -e.y.lo, T(1) / ((n + T(1)) * e.factor));
    }
    wide<T> y = {T(0), T(0)};
    T sign = T(1);
#pragma unroll 1
    for (int i = 0; i < 3; ++i) {                           // gamma(n + 1) / (gamma(k + 1) gamma(n - k + 1))
        const wide<T> x = i == 0 ? two_sum(n, T(1)) : i == 1 ? two_sum(k, T(1)) : rest;
        if (is_pole(x.hi)) return T(0);
        const wide<T> part = log_abs_gamma(x);
        y = y + (i == 0 ? part : -part);
        sign *= gamma_sign(x.hi);
    }
    return sign * exp_wide(y.hi, y.lo);
}
}  // namespace sf

struct poch {
    template <class T> HD T operator()(T z, T m) const { return sf::pochhammer(z, m); }
};
struct binom {
    template <class T> HD T operator()(T n, T k) const { return sf::binomial_coefficient(n, k); }
};
// Choices of k among n, 0 outside 0 <= k <= n; ordered ones in `permutations`.
struct combinations {
    template <class T> HD T operator()(T n, T k) const {
        return k <= n && n >= T(0) && k >= T(0) ? sf::binomial_coefficient(n, k) : T(0);
    }
};
struct multisets {                                         // choices with repetition
    template <class T> HD T operator()(T n, T k) const {
        return k == T(0) && n >= T(0) ? T(1) : combinations()(n + k - T(1), k);
    }
};
struct permutations {
    template <class T> HD T operator()(T n, T k) const {
        return k <= n && n >= T(0) && k >= T(0) ? sf::pochhammer(n - k + T(1), k) : T(0);
    }
};
struct factorial {                                          // 0 below 0
    template <class T> HD T operator()(T x) const { return x < T(0) ? T(0) : gamma()(x + T(1)); }
};
// n (n - k) (n - 2 k) ..., whole n and k > 0; it overflows after 171 factors at most
struct multifactorial {
    template <class T> HD T operator()(T n, T k) const {
        sf::wide<T> p = {n < T(0) ? T(0) : T(1), T(0)};
        for (; n > T(0) && p.hi <= sf::fp<T>::max; n -= k) p = p * n;
        return p.hi <= sf::fp<T>::max ? p.hi : sf::inf_of<T>();
    }
};
}  // namespace gpusci
