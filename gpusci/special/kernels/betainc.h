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

template <class T> struct beta_arguments { T a, b, x, y, y_lo; wide<T> s, lambda; };     // y + y_lo = 1 - x, s = a + b

template <class T> HDI beta_arguments<T> beta_problem(T a, T b, T x, T x_lo, T y, T y_lo) {
    const wide<T> left = wide<T>{y, y_lo} * a, right = wide<T>{x, x_lo} * b;
    return {a, b, x, y, y_lo, two_sum(a, b), left - right};
}
// One parameter's share of the exponent of x^a y^b / beta(a, b): excess above its mean, or -a log(x s) + s x.
template <class T> HDI wide<T> beta_share(T a, bool other_large, wide<T> x, wide<T> s, wide<T> m) {
    const bool large = a >= T(3);
    const wide<T> scale = large ? s / wide<T>{a, T(0)} : other_large ? s : wide<T>{T(1), T(0)};
    const wide<T> arg = x * scale, log_arg = log_wide(arg.hi, arg.lo);
    if (large) return excess(a, m, log_arg);
    const wide<T> y = -(log_arg * a);
    return other_large ? y + arg : y;
}
// x^a y^b / beta(a, b) = factor exp(-y)
template <class T> HDI exponent<T> beta_prefix(const beta_arguments<T>& p, T x_lo) {
    const bool a_large = p.a >= T(3), b_large = p.b >= T(3);
    const wide<T> u = -p.lambda / wide<T>{p.a, T(0)}, v = p.lambda / wide<T>{p.b, T(0)};
    wide<T> y = beta_share(p.a, b_large, wide<T>{p.x, x_lo}, p.s, u) + beta_share(p.b, a_large, wide<T>{p.y, p.y_lo}, p.s, v);
    const T ra = a_large ? T(1) : p.a * rgamma_shifted(p.a - T(1.5)), rb = b_large ? T(1) : p.b * rgamma_shifted(p.b - T(1.5));
    T factor = ra * rb;
    if (!a_large && !b_large) return {y, factor * gamma_below_6(p.s.hi)};
    y.lo -= stirling_of(p.s.hi);
    if (a_large) y.lo += stirling_of(p.a);
    if (b_large) y.lo += stirling_of(p.b);
    if (a_large && b_large) factor = real_constants<T>::inv_sqrt_2pi * sqrt_of(p.a) * sqrt_of(p.b / p.s.hi);
    else factor *= sqrt_of((a_large ? p.a : p.b) / p.s.hi);
    return {y, factor};
}

// beta(a, b) I / (x^a y^b), x below the mean: 1 / (beta_0 + alpha_1 / (beta_1 + ...)), from the tail inwards. `steps`
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
    return bottom / top;
}
// The same for large a and b: (1 / y) times the integral of exp(h(u)), h = -a u + (b - 1) log(1 + x / y (1 - exp(-u))), with
// h written as a sum of negative terms.
template <class T> HDI T beta_quadrature(const beta_arguments<T>& p) {
    constexpr bool d = same<T, double>::value;
    constexpr int nodes = d ? 30 : 14;
    constexpr T depth = d ? T(42) : T(19);
    const T z = p.x / p.y, m = p.b - T(1), slope = (p.lambda.hi + p.x) / p.y, bend = m * z * (T(1) + z);
    const T length = T(2) * depth / (slope + sqrt_of(slope * slope + T(2) * depth * bend));
    T sum = T(0);
    for (int i = 0; i < nodes; ++i) {
        T node, weight;
        gauss_rule(i, node, weight);
        const T u = length * node, e = u * u * exp_tail(-u), v = z * (u - e);
        sum = madd(weight, exp_of(-madd(slope, u, m * madd(z, e, v * v * log1p_gap(v - T(0.18))))), sum);
    }
    return sum * length / p.y;
}
// I_x(a, b) for y, a y and b small: 1 - y^b c (1 + b sum), c = gamma(s) / (gamma(a) gamma(1 + b)), with
// log(gamma(s) / gamma(a)) the integral of digamma from a to s by Gauss's three-point rule (b < a / 100).
template <class T> HDI T beta_small_tail(const beta_arguments<T>& p, T log_power) {
    const T w = expm1_small(wide<T>{log_power, T(0)}), g = p.b * rgamma_rise(p.b - T(0.25));
    T sum = T(0), term = T(1);
    for (T n = T(1); n < T(40); n += T(1)) {
        term *= (n - p.a) * p.y / n;
        sum += term / (p.b + n);
        if (abs_of(term) < abs_of(sum) * fp<T>::eps) break;
    }
    return madd(-(T(1) + w) * (T(1) + g), p.b * sum, -w - g * (T(1) + w));
}
template <class T> HDI T digamma_less_log(T x) {            // digamma(x) - log(x), x >= 2
    const T u = T(1) / x, w = u * u;
    return -madd(w, digamma_stirling(w), T(0.5) * u);
}
// log(y) + mean of digamma over [a, a + b]
template <class T> HDI T beta_log_power(const beta_arguments<T>& p) {
    const T mid = p.a + T(0.5) * p.b, reach = T(0.3872983346207417) * p.b;      // sqrt(3/5) / 2
    const T low = mid - reach, high = mid + reach;
    if (p.a < T(2)) {
        const digamma f;
        return log_of(p.y) + (T(8) * f(mid) + T(5) * (f(low) + f(high))) * T(1.0 / 18);
    }
    const T r = p.b / p.a, rise = log1p_of(T(0.5) * r);
    const T bend = T(8) * digamma_less_log(mid) + T(5) * (digamma_less_log(low) + digamma_less_log(high));
    return log_of(p.a * p.y) + (rise - r * r * T(1.0 / 24) + bend * T(1.0 / 18));
}

// The lower tail for x at or below the mean.
template <class T> HDI T beta_lower(const beta_arguments<T>& p, T x_lo) {
    const T ay = p.a * p.y, w = p.a * (p.b / p.s.hi);
    const bool series = ay < T(0.7) * p.x && p.y < T(0.005);
    if (series && p.b < T(0.5)) {
        const T log_power = p.b * beta_log_power(p);
        if (log_power > T(-0.7)) return beta_small_tail(p, log_power);
    }
    const exponent<T> prefix = beta_prefix(p, x_lo);
    if (!(prefix.y.hi < -fp<T>::log_tiny + T(80)) && !series) return T(0);
    T value;
    if (series) {                                           // the other tail, by its power series in y
        T sum = T(1), term = T(1);
        for (T n = T(0); n < T(60); n += T(1)) {
            term *= p.y * ((p.s.hi + n) / (p.b + n + T(1)));
            sum += term;
            if (term < sum * (fp<T>::eps / T(4))) break;
        }
        value = sum / p.b;
    } else {
        const bool large = w > (same<T, double>::value ? T(2000) : T(500));
        value = large && p.lambda.hi < T(3) * sqrt_of(w) ? beta_quadrature(p) : beta_fraction(p);
    }
    const T tail = exp_wide(-prefix.y.hi, -prefix.y.lo, prefix.factor * value);
    return series ? T(1) - tail : tail;
}
template <class T> struct beta_tails { T lower, upper; };
template <class T> HDI beta_tails<T> beta_tails_any(T a, T b, T x) {
    const T nan = nan_of<T>();
    if (!(a >= T(0)) || !(b >= T(0)) || !(x >= T(0)) || !(x <= T(1))) return {nan, nan};
    const bool a_inf = a > fp<T>::max, b_inf = b > fp<T>::max;
    if ((a == T(0) && b == T(0)) || (a_inf && b_inf)) return {nan, nan};
    if (x == T(0)) return {T(0), T(1)};
    if (x == T(1)) return {T(1), T(0)};
    if (a == T(0) || b_inf) return {T(1), T(0)};            // all mass at 0
    if (b == T(0) || a_inf) return {T(0), T(1)};            // all mass at 1
    const wide<T> y = two_sum(T(1), -x);
    beta_arguments<T> p = beta_problem(a, b, x, T(0), y.hi, y.lo);
    const bool swap = p.lambda.hi < T(0);
    T x_lo = T(0);
    if (swap) {
        p = {b, a, y.hi, x, T(0), p.s, -p.lambda};
        x_lo = y.lo;
    }
    const T tail = beta_lower(p, x_lo);
    return swap ? beta_tails<T>{T(1) - tail, tail} : beta_tails<T>{tail, T(1) - tail};
}
}  // namespace sf

struct betainc {
    template <class T> HD T operator()(T a, T b, T x) const { return sf::beta_tails_any(a, b, x).lower; }
};
struct betaincc {
    template <class T> HD T operator()(T a, T b, T x) const { return sf::beta_tails_any(a, b, x).upper; }
};
}  // namespace gpusci
