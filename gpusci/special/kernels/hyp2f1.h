// Gauss's hypergeometric function 2F1(a, b; c; x), real arguments, x <= 1.
//
// Method (DLMF 15): power series up to 0.8 (15.2.1); beyond, the two series in 1 - x (15.8.4), or, where c - a - b is near a whole
// number and these cancel, Taylor series of the differential equation (15.10.1) from centre to centre, each 0.6 of the way to
// the singularity at 1. x < 0 by Pfaff's transformation (15.8.1), terms of one sign preferred; x = 1 by Gauss's sum (15.4.20).
// Polynomials are summed. Parameters far below 0 cancel: the error grows with their size. float32 computes in double.
#pragma once
#include "gamma.h"

namespace gpusci {
namespace sf {

template <class T> HDI T real_power(T x, T p) {             // x^p, x > 0
    const wide<T> y = log_wide(x) * p;
    return abs_of(y.hi) < T(3000) ? exp_wide(y.hi, y.lo) : y.hi > T(0) ? inf_of<T>() : T(0);
}
template <class T> struct value_slope { T value, slope; };

// The power series and its derivative, two terms a division; c no whole number <= 0.
template <class T> HDI value_slope<T> hyp2f1_series(T a, T b, T c, T x) {
    T sum = T(1), slope = T(0), term = T(1);
    for (T n = T(0); n < T(200000); n += T(2)) {
        const T m = n + T(1), p = (a + n) * (b + n), q = (a + m) * (b + m), d = (c + n) * m, e = (c + m) * (m + T(1));
        const T u = p * x / (d * e), first = term * (u * e);        // not on the chain of dependent operations
        term *= u * (q * x);
        slope = madd(m, first, madd(m + T(1), term, slope));
        sum += first + term;
        // small, past the changes of sign of negative parameters
        const bool settled = ((a + n > T(0)) & (b + n > T(0)) & (c + n > T(0))) | (n > T(2000));
        if (settled && abs_of(term) <= abs_of(sum) * (fp<T>::eps / T(8))) break;
        if (term == T(0) || !(abs_of(sum) <= fp<T>::max)) break;
    }
    return {sum, slope / x};
}
// F(-m, b; c; x), m a whole number; c may be one below -m.
template <class T> HDI T hyp2f1_sum(T m, T b, T c, T x) {
    T sum = T(1), term = T(1);
    for (T n = T(0); n < m && abs_of(term) <= fp<T>::max; n += T(1)) {
        term *= (n - m) * (b + n) / ((c + n) * (n + T(1))) * x;
        sum += term;
    }
    return sum;
}
template <class T> HDI T hyp2f1_polynomial(T m, T b, T c, T x) {
    if (x > T(0) && x < T(1) && c > T(0) && c - b > T(0)) return real_power(T(1) - x, m) * hyp2f1_sum(m, c - b, c, x / (x - T(1)));
    const T d = b - c - m + T(1);                           // about 1 instead of 0, DLMF 15.8.7
    if (x > T(0.5) && x < T(1.5) && !is_pole(c) && d != floor_of(d)) {
        T factor = T(1);
        for (T n = T(0); n < m; n += T(1)) factor *= (c - b + n) / (c + n);
        return factor * hyp2f1_sum(m, b, d, T(1) - x);
    }
    return hyp2f1_sum(m, b, c, x);
}
// From 1 - x = y to 1 - x = y - h, h <= 0.6 y, by the Taylor series of the differential equation.
template <class T> HDI value_slope<T> hyp2f1_step(T a, T b, T c, T y, T h, value_slope<T> f) {
    const T x = T(1) - y, r = T(1) / (x * y), drift = c - (a + b + T(1)) * x, tilt = y - x, h2 = h * h;
    T u = f.value, v = f.slope * h, sum = u + v, slope = v;
    for (T n = T(0); n < T(400); n += T(1)) {
        const T next = ((a + n) * (b + n) * h2 * u - (n + T(1)) * madd(n, tilt, drift) * h * v) * r
                       / ((n + T(1)) * (n + T(2)));
        sum += next;
        slope = madd(n + T(2), next, slope);
        const T small = abs_of(sum) * (fp<T>::eps / T(8));
        if (abs_of(next) <= small && abs_of(v) <= small) break;
        u = v, v = next;
    }
    return {sum, slope / h};
}
// gamma(p) gamma(q) / (gamma(r) gamma(t)), p and q no poles
template <class T> HDI T gamma_cross(T p, T q, T r, T t) {
    if (is_pole(r) || is_pole(t)) return T(0);
    wide<T> y = {T(0), T(0)};
    T sign = T(1);
#pragma unroll 1
    for (int k = 0; k < 4; ++k) {
        const T z = k == 0 ? p : k == 1 ? q : k == 2 ? r : t;
        const wide<T> part = log_abs_gamma(z);
        y = y + (k < 2 ? part : -part);
        sign *= gamma_sign(z);
    }
    return sign * exp_wide(y.hi, y.lo);
}
// 0 <= x < 1, y = 1 - x to full accuracy
template <class T> HDI T hyp2f1_unit(T a, T b, T c, T x, T y) {
    if (x <= T(0.8)) return hyp2f1_series(a, b, c, x).value;
    const T s = c - a - b;
    if (abs_of(s - rint_of(s)) > T(0.05)) {
        T sum = T(0);
#pragma unroll 1
        for (int k = 0; k < 2; ++k) {                       // the regular solution, then y^s times the other one
            const T d = k == 0 ? s : -s, p = k == 0 ? a : c - a, q = k == 0 ? b : c - b;
            const T weight = gamma_cross(c, d, c - p, c - q);
            if (weight != T(0)) sum += weight * (k == 0 ? T(1) : real_power(y, s)) * hyp2f1_series(p, q, T(1) - d, y).value;
        }
        return sum;
    }
    T at = T(0.25);
    value_slope<T> f = hyp2f1_series(a, b, c, T(0.75));
    while (at > y && abs_of(f.value) <= fp<T>::max) {
        const T next = max_of(T(0.4) * at, y);
        f = hyp2f1_step(a, b, c, at, at - next, f);
        at = next;
    }
    return f.value;
}
template <class T> HDI T hyp2f1_at_1(T a, T b, T c) {
    const T s = c - a - b;
    return s > T(0) ? gamma_cross(c, s, c - a, c - b) : inf_of<T>();
}
template <class T> HDI T hyp2f1_real(T a, T b, T c, T x) {
    if (is_nan(a) || is_nan(b) || is_nan(c) || is_nan(x)) return nan_of<T>();
    if (x == T(0)) return T(1);
    const T y = T(1) - x;
    if (a == c || b == c) {
        const T p = a == c ? b : a;
        if (y > T(0)) return real_power(y, -p);
        if (p == floor_of(p) && y < T(0)) {
            const T size = real_power(-y, -p);
            return p - T(2) * floor_of(T(0.5) * p) == T(1) ? -size : size;
        }
        return p < T(0) && y == T(0) ? T(0) : inf_of<T>();
    }
    if (a == T(0) || b == T(0)) return T(1);
    const bool finite = is_pole(a) || is_pole(b);
    if (is_pole(c)) {                                       // finite only where the numerator ends first
        const T m = is_pole(a) && is_pole(b) ? max_of(a, b) : is_pole(a) ? a : b;
        if (!finite || m < c) return inf_of<T>();
    }
    if (finite) {
        const bool first = is_pole(a) && !(is_pole(b) && b > a);
        return hyp2f1_polynomial(first ? -a : -b, first ? b : a, c, x);
    }
    if (x > T(1)) return inf_of<T>();
    if (x == T(1)) return hyp2f1_at_1(a, b, c);
    T p = a, q = b, z = x, w = y, factor = T(1);
    if (x < T(0)) {                                         // (1 - x)^-a F(a, c - b; c; x / (x - 1)), or with a, b exchanged
        if (!(x >= -fp<T>::max)) return nan_of<T>();
        const bool first = min_of(a, c - b) >= min_of(b, c - a);
        p = first ? a : b, q = first ? c - b : c - a;
        factor = real_power(y, first ? -a : -b);
        z = x > T(-1e15) ? x / (x - T(1)) : T(1), w = T(1) / y;
    } else if (c - a > T(0) && c - b > T(0) && (a < T(0) || b < T(0))) {
        p = c - a, q = c - b, factor = real_power(y, c - a - b);
    }
    return factor * hyp2f1_unit(p, q, c, z, w);
}
}  // namespace sf

struct hyp2f1 {
    HD double operator()(double a, double b, double c, double x) const { return sf::hyp2f1_real(a, b, c, x); }
    HD float operator()(float a, float b, float c, float x) const { return float(sf::hyp2f1_real<double>(a, b, c, x)); }
};
}  // namespace gpusci
