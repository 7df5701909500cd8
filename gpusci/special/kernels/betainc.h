// The beta function, the regularised incomplete beta function I_x(a, b) and its complement.
//
// Method (DLMF 8.17; DiDonato and Morris, ACM TOMS 18 (1992) 360): take the tail on x's side of the mean a / (a + b), so
// that x <= mean after a swap of a with b and x with 1 - x; the other tail is the complement. Then, with y = 1 - x,
//   common          x^a y^b / beta(a, b) from an exponent in wide precision: a and b may be anything up to 1e300
//   a, b large      Gauss-Legendre quadrature of the integrand over the tail, from x to where it is below eps
//   y, a y small    power series in y for the other tail; for b < 1/2 written so that nothing cancels
//   else            the continued fraction of DiDonato and Morris, from its tail inwards; its first denominator has
//                   lambda = a y - b x, computed exactly (the plain fraction of DLMF 8.17.22 loses sqrt(a) ulp)
// Loops: at most about 150 steps in double, near the mean for a, b of 2000; typically 20, in float 8.
#pragma once
#include "gamma_ratio.h"

namespace gpusci {
namespace sf {
#include "betainc_coefficients.h"

// x + x_lo + y + y_lo = 1, s = a + b, lambda = a y - b x: at least 0 for x at or below the mean.
template <class T> struct beta_arguments { T a, b, x, x_lo, y, y_lo; wide<T> s, lambda; };

// One parameter's share of the exponent of x^a y^b / beta(a, b): excess above its mean, or -a log(x s) + s x.
template <class T> HDI wide<T> beta_share(T a, bool other_large, wide<T> x, wide<T> s, wide<T> m) {
    const bool large = a >= T(3);
    const wide<T> one = {T(1), T(0)}, scale = (large ? s : other_large ? s : one) / (large ? wide<T>{a, T(0)} : one);
    const wide<T> arg = x * scale, log_arg = log_wide(arg.hi, arg.lo);
    if (large) {
        wide<T> y = excess(a, m, log_arg);
        y.lo += stirling_of(a);
        return y;
    }
    const wide<T> y = -(log_arg * a);
    return other_large ? y + arg : y;
}
// x^a y^b / (a beta(a, b)) = factor exp(-y)
template <class T> HDI exponent<T> beta_prefix(const beta_arguments<T>& p) {
    const bool a_large = p.a >= T(3), b_large = p.b >= T(3);
    wide<T> y = {T(0), T(0)};
    T factor = T(1);
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {                           // a loop, to compile its logarithm once
        const T c = k == 0 ? p.a : p.b;
        const bool large = c >= T(3), other = k == 0 ? b_large : a_large;
        const wide<T> m = (k == 0 ? -p.lambda : p.lambda) / wide<T>{c, T(0)};
        y = y + beta_share(c, other, k == 0 ? wide<T>{p.x, p.x_lo} : wide<T>{p.y, p.y_lo}, p.s, m);
        if (!large) factor *= rgamma_shifted(c - T(1.75)) * (k == 0 ? T(1) : c);
    }
    if (!a_large && !b_large) return {y, p.s.hi < T(1) ? factor / p.s.hi * gamma_below_6(p.s.hi + T(1)) : factor * gamma_below_6(p.s.hi)};
    y.lo -= stirling_of(p.s.hi);
    if (a_large && b_large) factor = real_constants<T>::inv_sqrt_2pi * sqrt_of(p.b / p.s.hi / p.a);
    else factor *= sqrt_of((a_large ? p.a : p.b) / p.s.hi) / (a_large ? p.a : T(1));
    return {y, factor};
}

// a beta(a, b) I / (x^a y^b), x below the mean: a / (beta_0 + alpha_1 / (beta_1 + ...)), from the tail inwards. `steps`
// bounds what 2^-54 (2^-26) needs; found by search over 5000 random (a, b, x).
template <class T> HDI T beta_fraction(const beta_arguments<T>& p) {
    constexpr bool d = same<T, double>::value;
    const T a = p.a, b = p.b, x = p.x, s = p.s.hi, w = a * (b / s), lambda = p.lambda.hi;
    const T near_one = min_of((d ? T(95) : T(26)) * x / (a * p.y), (d ? T(9.4) : T(4.5)) / sqrt_of(p.y));
    const T bulk = (d ? T(3.3) : T(2.2)) * w / (sqrt_of(w) + T(0.35) * lambda), far = (d ? T(240) : T(90)) * sqrt_of(w) / lambda;
    const T steps = floor_of((d ? T(6) : T(3)) + near_one + min_of(bulk, far));
    // Step n divides by c = a + 2 n - 1 and a + 2 n + 1, the latter shared with step n + 1.
    T outer = T(1) / (a + T(2) * steps + T(1)), top = T(0), bottom = T(1);
    for (T n = steps; n >= T(0); n -= T(1)) {
        const T inner = T(1) / (a + (n + n) - T(1)), grow = n * (b - n) * x * inner;
        const T beta = n > T(0) ? madd((a + n) * outer, madd(n, T(2) - x, lambda + T(1)), n + grow) : a * outer * (lambda + T(1));
        if (n == steps) top = beta;
        else {
            // alpha of step n + 1, whose `inner` is this step's `outer`
            const T k = n + T(1), alpha = ((a + n) * outer) * ((s + n) * x * outer) * (k * (b - k) * x);
            const T next = madd(beta, top, alpha * bottom);
            bottom = top, top = next;
        }
        if (top > T(0x1p40)) top *= T(0x1p-40), bottom *= T(0x1p-40);
        outer = inner;
    }
    return a * bottom / top;
}
// The same for large a and b: (a / y) times the integral of exp(h(u)), h = -a u + (b - 1) log(1 + x / y (1 - exp(-u))), with
// h written as a sum of negative terms.
template <class T> HDI T beta_quadrature(const beta_arguments<T>& p) {
    constexpr bool d = same<T, double>::value;
    constexpr int nodes = d ? 30 : 14;
    constexpr T depth = d ? T(42) : T(19);
    const T z = p.x / p.y, m = p.b - T(1), slope = (p.lambda.hi + p.x) / p.y, bend = m * z * (T(1) + z);
    const T length = T(2) * depth / (slope + sqrt_of(slope * slope + T(2) * depth * bend));
    T sum = T(0);
#pragma unroll 1
    for (int i = 0; i < nodes; ++i) {
        T node, weight;
        gauss_rule(i, node, weight);
        const T u = length * node, e = u * u * exp_tail(-u), v = z * (u - e);
        sum = madd(weight, exp_of(-madd(slope, u, m * madd(z, e, v * v * log1p_gap(v - T(0.18))))), sum);
    }
    return sum * length * (p.a / p.y);
}
// -1 + product of (1 + u)(1 + v)
template <class T> HDI T joined(T u, T v) { return madd(u, v, u + v); }

// I_y(b, a) - 1 = y^b gamma(a + b) / (gamma(a) gamma(1 + b)) (1 + b sum) - 1 for b < 1/2, y <= 1/2, a y < 0.7, every factor
// kept as its distance from 1, so that a tiny b costs nothing. Below -1/2 its value is not needed.
template <class T> HDI T beta_less_one(T a, T b, T y, T& weight) {
    const T s = a + b, g = b * rgamma_rise(b - T(0.25));
    T power, acc;
    if (a < T(3)) {                                         // gamma(s) / gamma(a) = a / s R(a) / R(s), R(x) = 1 / gamma(1 + x)
        power = b * log_of(y);
        const T r = b * rgamma_shifted_slope(s - T(1.75), a - T(1.75)) / rgamma_shifted(s - T(1.75));
        acc = joined(-b / s, -r);
    } else {                                                // Stirling's formula for both, differences divided by b
        const T z = b / a, us = T(1) / s, ua = T(1) / a, du = -z * us, ws = us * us, wa = ua * ua;
        const T rise = du * madd(ua * (us + ua), stirling_slope(ws, wa), stirling(ws));
        power = madd(b, log_of(a * y), (rise - b * z * log1p_gap(z - T(0.18))) + (b - T(0.5)) * log1p_of(z));
        acc = T(0);
    }
    if (!(power > T(-0.7))) return T(-1);
    acc = joined(joined(acc, g), power > T(0) ? power : expm1_small(wide<T>{power, T(0)}));
    T sum = T(0), term = T(1);
    for (T n = T(1); n < T(80); n += T(1)) {
        term *= (n - a) * y / n;
        sum += term / (b + n);
        if (abs_of(term) <= abs_of(sum) * (fp<T>::eps / T(4))) break;
    }
    weight = b * (T(1) + acc) * exp_of(a * log1p_of(-y));   // y^b (1 - y)^a / beta(a, b)
    return joined(acc, b * sum);
}

// I_x(a, b), 1 - I_x(a, b), and x (1 - x) times the density, for x at or below the mean.
template <class T> struct beta_tails { T lower, upper, weight; };
template <class T> HDI beta_tails<T> beta_both(const beta_arguments<T>& p) {
    const bool right = p.b < T(0.5) && p.y <= T(0.5) && p.a * p.y < T(0.7) * p.x;
    const bool left = p.a < T(0.5) && p.x <= T(0.5) && p.b * p.x < T(0.7);
    if (right || left) {
        T weight = T(0);
        const T d = beta_less_one(right ? p.a : p.b, right ? p.b : p.a, right ? p.y : p.x, weight);
        if (d > T(-0.5)) return {right ? -d : T(1) + d, right ? T(1) + d : -d, weight};
    }
    const exponent<T> prefix = beta_prefix(p);
    T value = T(1);
    const bool series = p.a * p.y < T(0.7) * p.x && p.y < T(0.005);
    if (series) {                                           // the other tail, by its power series in y
        T term = T(1);
        for (T n = T(0); n < T(60); n += T(1)) {
            term *= p.y * ((p.s.hi + n) / (p.b + n + T(1)));
            value += term;
            if (term < value * (fp<T>::eps / T(4))) break;
        }
        value *= p.a / p.b;
    } else if (prefix.y.hi < T(80) - fp<T>::log_tiny) {     // otherwise 0
        const T w = p.a * (p.b / p.s.hi);
        const bool bulk = w > (same<T, double>::value ? T(2000) : T(500)) && p.lambda.hi < T(3) * sqrt_of(w);
        value = bulk ? beta_quadrature(p) : beta_fraction(p);
    }
    const scaled<T> e = exp_parts(-prefix.y.hi, -prefix.y.lo);
    const T tail = scale2(e.value * (prefix.factor * value), e.k), weight = scale2(e.value * (prefix.factor * p.a), e.k);
    return {series ? T(1) - tail : tail, series ? tail : T(1) - tail, weight};
}
// The same for x and y = 1 - x, each to full relative accuracy: any x, finite a, b > 0. The smaller one is taken as exact.
template <class T> HDI beta_tails<T> beta_tails_pair(T a, T b, T x, T y) {
    const bool low = x < y;
    const wide<T> wx = {x, low ? T(0) : (T(1) - x) - y}, wy = {y, low ? (T(1) - y) - x : T(0)};
    const wide<T> lambda = wy * a - wx * b;
    const bool swap = lambda.hi < T(0);                     // selects, so that the work is compiled once
    const beta_arguments<T> p = {swap ? b : a, swap ? a : b, swap ? wy.hi : wx.hi, swap ? wy.lo : wx.lo,
                                 swap ? wx.hi : wy.hi, swap ? wx.lo : wy.lo, two_sum(a, b), swap ? -lambda : lambda};
    const beta_tails<T> t = beta_both(p);
    return {swap ? t.upper : t.lower, swap ? t.lower : t.upper, t.weight};
}
// With the limits: all mass at 0 for a = 0 or b = infinity, at 1 for b = 0 or a = infinity.
template <class T> HDI beta_tails<T> beta_tails_any(T a, T b, T x, T y) {
    const T nan = nan_of<T>();
    if (!(a >= T(0)) || !(b >= T(0)) || !(x >= T(0)) || !(y >= T(0))) return {nan, nan, nan};
    const bool a_inf = a > fp<T>::max, b_inf = b > fp<T>::max;
    if ((a == T(0) && b == T(0)) || (a_inf && b_inf)) return {nan, nan, nan};
    if (x == T(0)) return {T(0), T(1), T(0)};
    if (y == T(0)) return {T(1), T(0), T(0)};
    if (a == T(0) || b_inf) return {T(1), T(0), T(0)};
    if (b == T(0) || a_inf) return {T(0), T(1), T(0)};
    return beta_tails_pair(a, b, x, y);
}
template <class T> HDI beta_tails<T> beta_tails_any(T a, T b, T x) {
    // 1 - x to full accuracy: its rounding error is what beta_tails_pair puts back.
    return beta_tails_any(a, b, x, T(1) - x);
}
}  // namespace sf

struct betainc {
    template <class T> HD T operator()(T a, T b, T x) const { return sf::beta_tails_any(a, b, x).lower; }
};
struct betaincc {
    template <class T> HD T operator()(T a, T b, T x) const { return sf::beta_tails_any(a, b, x).upper; }
};
}  // namespace gpusci
