// gamma, its logarithm, reciprocal and logarithmic derivative, and the beta function, for real arguments.
//
// Method: log gamma(x) = (x - 1/2) log x - x + log(2 pi) / 2 + s(1/x) (DLMF 5.11.1) with s fitted for x >= 3 and the rest
// summed in wide precision, so that its exponential costs one rounding, and gamma(n) is exact where n! is a float.
// Below 3 three steps of the recurrence (DLMF 5.5.1), below 0 the reflection formula (5.5.3). log gamma near its zeros at
// 1 and 2 and digamma near its roots are polynomials divided by the root. No loops: a warp diverges at two places.
#pragma once
#include "real.h"

namespace gpusci {
namespace sf {
#include "gamma_constants.h"
#include "gamma_coefficients.h"

// log gamma(x + x_lo) as a sum, 3 <= x < 1e300 (1e35 in float), |x_lo| <= ulp(x).
template <class T> HDI wide<T> lgamma_stirling(T x, T x_lo = T(0)) {
    using G = gamma_constants<T>;
    const wide<T> log_x = log_wide(x), m = two_sum(x, T(-0.5)), n = fast_two_sum(log_x.hi, T(-1));
    const T n_lo = n.lo + log_x.lo, u = T(1) / x;
    const wide<T> p = two_prod(m.hi, n.hi), s = two_sum(p.hi, G::offset_hi);
    const T cross = madd(m.hi, n_lo, madd(m.lo, n.hi, p.lo));
    const T rest = madd(u, stirling(u * u), madd(x_lo, log_x.hi - T(0.5) * u, G::offset_lo));
    return fast_two_sum(s.hi, s.lo + (cross + rest));
}
// gamma(x) for x > 0 is exp(y) / (x p) with p = (x + 1)(x + 2) below 3, and exp(y) with p = 1 above.
template <class T> struct gamma_parts { wide<T> y; T p; };
template <class T> HDI gamma_parts<T> split_gamma(T x) {
    const bool shifted = x < T(3);
    const wide<T> z = two_sum(x, T(3));
    const T p = madd(x, z.hi, madd(x, z.lo, T(2)));         // x^2 + 3 x + 2
    return {lgamma_stirling(sel(shifted, z.hi, x), sel(shifted, z.lo, T(0))), sel(shifted, p, T(1))};
}
template <class T> HDI bool is_pole(T x) { return (x <= T(0)) & (x == floor_of(x)); }

// |sin(pi x)| as a sum, error about eps / 200.
template <class T> HDI wide<T> sinpi_wide(T x) {
    using C = real_constants<T>;
    const T d = abs_of(x - rint_of(x)), e = T(0.5) - d;     // both exact where they matter
    const bool near = d <= T(0.25);
    const T r = near ? d : e, w = r * r;
    const wide<T> r2 = two_prod(r, r), third = r2 * wide<T>{near ? C::sin3_hi : C::cos2_hi, near ? C::sin3_lo : C::cos2_lo};
    const T tail = w * w * (near ? sinpi_tail(w) : cospi_tail(w));
    const wide<T> y = (near ? wide<T>{C::pi_hi, C::pi_lo} : wide<T>{T(1), T(0)}) + (third + tail);
    return near ? y * r : y;
}
// log |gamma(x)|, any finite x that is no pole; one flow for all x, so that the host's loop vectorises.
// x <= 0: |gamma(x)| = pi / (|x sin(pi x)| gamma(|x|)), all in wide precision, since its logarithm has zeros there.
template <class T> HDI wide<T> log_abs_gamma(T x) {
    using C = real_constants<T>;
    const T ax = abs_of(x);
    const bool negative = x < T(0), small = ax < T(3), low = x < T(0.75);
    // Stirling's formula, at |x| + 3 for -3 < x < 0
    const wide<T> up = two_sum(ax, T(3));
    const bool shift = negative & small;
    const wide<T> y = lgamma_stirling(sel(shift, up.hi, sel(small, T(3), ax)), sel(shift, up.lo, T(0)));
    // 0 < x < 3: between the zeros, log gamma(x + 1) - log(x) below 3/4
    const T z = sel(low, x + T(1), x), d = sel(low, x, x - T(1));
    const T q = sel(z < T(1.5), lgamma_one(z - T(1.125)), lgamma_two(z - T(2.25)));
    const T between = d * (d - T(1)) * q;
    wide<T> second = {x, T(0)};
    if (negative) {
        const wide<T> s = sinpi_wide(ax), pi = {C::pi_hi, C::pi_lo};
        const wide<T> product = (two_sum(ax, T(1)) * (two_sum(ax, T(2)))), top = pi * product, bottom = s * ax;
        second = wide<T>{sel(small, top.hi, pi.hi), sel(small, top.lo, pi.lo)}
               / wide<T>{sel(small, s.hi, bottom.hi), sel(small, s.lo, bottom.lo)};
    }
    wide<T> log_second = {T(0), T(0)};
    if (low) log_second = log_wide(second.hi, second.lo);
    const wide<T> r = log_second - y;
    const T hi = sel(negative, r.hi, sel(small, between - log_second.hi, y.hi));
    return {hi, sel(negative, r.lo, sel(small, T(0), y.lo))};
}
template <class T> HDI T gamma_sign(T x) {                  // of gamma(x), no pole
    const T f = floor_of(x);
    return x > T(0) || f == T(2) * floor_of(T(0.5) * f) ? T(1) : T(-1);
}
}  // namespace sf

struct gamma {
    template <class T> HD T operator()(T x) const {
        using namespace sf;
        const T cap = same<T, double>::value ? T(200) : T(60), ax = abs_of(x);
        const bool negative = x < T(0), shifted = ax < T(3);
        const gamma_parts<T> g = split_gamma(ax < cap ? ax : cap);
        T s = T(1);
        if (negative) s = -sincospi_of(ax).sin / real_constants<T>::pi_hi;
        const T top = sel(negative, g.p, T(1));             // p is 1 above 3
        const T bottom = sel(negative, sel(shifted, s, ax * s), sel(shifted, x * g.p, T(1)));
        const T y = exp_wide(sel(negative, -g.y.hi, g.y.hi), sel(negative, -g.y.lo, g.y.lo), top / bottom);
        const T edge = x == T(0) ? sign_of(inf_of<T>(), x) : nan_of<T>();
        return (is_pole(x) | is_nan(x)) ? edge : (x > cap ? inf_of<T>() : y);
    }
};
struct rgamma {
    template <class T> HD T operator()(T x) const {
        using namespace sf;
        const T cap = same<T, double>::value ? T(200) : T(60), ax = abs_of(x);
        const bool negative = x < T(0), shifted = ax < T(3);
        const gamma_parts<T> g = split_gamma(ax < cap ? ax : cap);
        T s = T(1);
        if (negative) s = -sincospi_of(ax).sin / real_constants<T>::pi_hi;
        const T factor = sel(negative, sel(shifted, s / g.p, ax * s), sel(shifted, x * g.p, T(1)));
        const T y = exp_wide(sel(negative, g.y.hi, -g.y.hi), sel(negative, g.y.lo, -g.y.lo), factor);
        const T edge = (is_pole(x) | (x > cap)) ? T(0) : y;
        return (is_nan(x) | (x == T(0))) ? x : edge;
    }
};
// Lighter than log_abs_gamma, for the host's vectors: near the zeros between the negative integers the error counts as absolute.
struct gammaln {
    template <class T> HD T operator()(T x) const {
        using namespace sf;
        using C = real_constants<T>;
        using G = gamma_constants<T>;
        const T ax = abs_of(x), huge = fp<T>::max / T(2000);
        const bool negative = x < T(0), small = ax < T(3), low = ax < T(0.75), far = ax > huge;
        // Stirling's formula, the logarithm with the rounding error of its last sum
        const scaled<T> m = split2(ax);
        const T k = T(m.k), f = m.value - T(1), s = f / (f + T(2)), w = s * s;
        const T rest = (w + w) * madd(w, log_tail(w), C::third_hi);
        const T t = f - madd(s, f - rest, -(k * C::ln2_lo));
        const wide<T> l = fast_two_sum(k * C::ln2_hi, t);
        const T less = (l.hi - T(1)) + l.lo, u = T(1) / ax;
        const T stirling_value = madd(ax - T(0.5), less, madd(u, stirling(u * u), G::offset_hi));
        // between the zeros at 1 and 2, or log gamma(ax + 1) - log(ax)
        const T z = sel(low, ax + T(1), ax), d = sel(low, ax, ax - T(1));
        const T q = sel(z < T(1.5), lgamma_one(z - T(1.125)), lgamma_two(z - T(2.25)));
        const T between = madd(d * (d - T(1)), q, sel(low, -l.hi, T(0)));
        T y = sel(small, between, sel(far, ax * less, stirling_value));
        if (negative) y = -log_of(ax * abs_of(sincospi_of(ax).sin) * (T(1) / C::pi_hi)) - y;
        y = sel(is_pole(x), inf_of<T>(), y);
        return sel(ax <= fp<T>::max, y, x);
    }
};
struct loggamma {
    template <class T> HD T operator()(T x) const { return x < T(0) ? sf::nan_of<T>() : gammaln()(x); }
};
struct gammasgn {
    template <class T> HD T operator()(T x) const {
        using namespace sf;
        if (x == T(0)) return sign_of(T(1), x);
        if (is_nan(x) || is_pole(x)) return nan_of<T>();
        return gamma_sign(x);
    }
};
struct digamma {
    template <class T> HD T operator()(T x) const {
        using namespace sf;
        using C = real_constants<T>;
        using G = gamma_constants<T>;
        const T ax = abs_of(x);
        const bool negative = x < T(0), below = ax < T(1), near = ax < T(2);
        // digamma(1 + f) about its root, or the asymptotic series
        const T f = sel(below, ax, ax - T(1)), root = ((f - G::root_hi) - G::root_lo) * digamma_one(f - T(0.5));
        const T u = T(1) / ax, w = u * u, far = log_of(ax) - madd(w, digamma_stirling(w), T(0.5) * u);
        T y = sel(near, root, far);                         // digamma(ax), or digamma(ax + 1) below 1
        y = sel(below == negative, y, y + sel(negative, u, -u));
        if (negative) {                                     // digamma(x) = digamma(1 - x) + pi cot(-pi x), DLMF 5.5.4
            const sine_cosine<T> c = sincospi_of(ax);
            y = madd(C::pi_hi, c.cos / c.sin, y);
            const T v = ((x - G::low_root_hi) - G::low_root_lo) * digamma_low(x + T(0.5)) / (x * (T(1) + x));
            y = sel((x >= T(-0.75)) & (x <= T(-0.25)), v, y);
        }
        y = sel(x > fp<T>::max, x, y);
        return sel(x == T(0), -sign_of(inf_of<T>(), x), sel(is_pole(x), nan_of<T>(), y));
    }
};
}  // namespace gpusci
