// Beta and Student's t distributions, on the incomplete beta functions of special.
#pragma once
#include "closed.h"
#include "quantile.h"
#include "special/kernels/betainc.h"

namespace gpusci {
namespace dist {

struct beta : form<beta> {
    template <class T> HD static T upper(T, T, T) { return T(1); }
    // x^(a - 1) (1 - x)^(b - 1) / beta(a, b) = factor exp(-y), 0 < x < 1
    template <class T> HDI static sf::exponent<T> density(T x, T a, T b) {
        const sf::wide<T> rest = sf::two_sum(T(1), -x);
        const sf::exponent<T> e = sf::beta_parts(a, b);
        const sf::wide<T> left = times(sf::log_wide(x), T(1) - a), right = times(sf::log_wide(rest.hi, rest.lo), T(1) - b);
        return {e.y + (left + right), T(1) / e.factor};
    }
    template <class T> HD static T edge(T a, T other) { // the density where x or 1 - x is 0
        return a < T(1) ? sf::inf_of<T>() : a == T(1) ? other : T(0);
    }
    template <class T> HD static T pdf(T x, T a, T b) {
        if (x == T(0)) return edge(a, b);
        if (x == T(1)) return edge(b, a);
        const sf::exponent<T> e = density(x, a, b);
        return sf::abs_of(e.y.hi) <= T(4096) ? sf::exp_wide(-e.y.hi, -e.y.lo, e.factor) : T(0);
    }
    template <class T> HD static T logpdf(T x, T a, T b) {
        if (x == T(0)) return sf::log_of(edge(a, b));
        if (x == T(1)) return sf::log_of(edge(b, a));
        const sf::wide<T> rest = sf::two_sum(T(1), -x);
        const sf::exponent<T> e = sf::beta_parts(a, b);
        const sf::wide<T> power = sf::log_wide(x) * (a - T(1)) + sf::log_wide(rest.hi, rest.lo) * (b - T(1));
        return (power - e.y).hi - sf::log_of(e.factor);
    }
    template <class T> HD static T tail(T x, bool right, T a, T b) {
        const auto both = sf::beta_tails_any(a, b, x);
        return right ? both.upper : both.lower;
    }
    template <class T> HD static T cdf(T x, T a, T b) { return tail(x, false, a, b); }
    template <class T> HD static T sf(T x, T a, T b) { return tail(x, true, a, b); }
    // The first term of the power series of the tail, or the mean where that is no small number.
    template <class T> HD static T start(T p, bool right, T a, T b) {
        const T mean = a / (a + b);
        if (right) return mean;
        const sf::exponent<T> e = sf::beta_parts(a, b);
        const T x = sf::exp_of((sf::log_of(p * a * e.factor) + e.y.hi) / a);
        return x > T(0) && x < mean ? x : mean;
    }
    // Above a mean of 1/2, 1 - x is searched for: it is what keeps its digits there.
    template <class T> HD static T quantile(T p, bool right, T a, T b) {
        const bool swap = a > b;
        const T first = swap ? b : a, second = swap ? a : b;
        const bool side = right != swap;
        const T y = solve<beta>(p, side, start(p, side, first, second), first, second);
        return swap ? T(1) - y : y;
    }
    template <class T> HD static T ppf(T q, T a, T b) {
        const bool far = q > T(0.5);
        return quantile(far ? T(1) - q : q, far, a, b);
    }
    template <class T> HD static T isf(T q, T a, T b) {
        const bool far = q > T(0.5);
        return quantile(far ? T(1) - q : q, !far, a, b);
    }
};

// |T|: on (0, inf), so that the quantile search has one side.
struct half_t : form<half_t> {
    template <class T> struct split { T x, y; };            // df / (df + t^2) and t^2 / (df + t^2)
    template <class T> HDI static split<T> parts(T t, T df) {
        const T r = t / sf::sqrt_of(df);
        if (r < T(1)) {
            const T w = t * t, d = df + w;
            return {df / d, w / d};
        }
        const T u = T(1) / r, w = u * u, d = T(1) + w;
        return {w / d, T(1) / d};
    }
    template <class T> HD static T tail(T t, bool right, T df) {
        const split<T> p = parts(t, df);
        const bool near = p.y < p.x;
        const auto both = sf::beta_tails_any(near ? T(0.5) : T(0.5) * df, near ? T(0.5) * df : T(0.5), near ? p.y : p.x);
        return right == near ? both.upper : both.lower;
    }
    template <class T> HD static T cdf(T t, T df) { return tail(t, false, df); }
    template <class T> HD static T sf(T t, T df) { return tail(t, true, df); }
    template <class T> HD static T pdf(T t, T df);
    template <class T> HD static T start(T p, bool right, T df) {
        const T z = right ? -ndtri()(T(0.5) * p) : p * T(1.2533);
        return right ? z + z * (z * z + T(1)) / (T(4) * df) : z;
    }
};

struct t : form<t> {
    template <class T> HD static T lower(T, T) { return -sf::inf_of<T>(); }
    // 1 / (sqrt(df) beta(df / 2, 1 / 2)) (1 + x^2 / df)^(-(df + 1) / 2) = factor exp(-y)
    template <class T> HDI static sf::exponent<T> density(T x, T df) {
        const sf::exponent<T> b = sf::beta_parts(T(0.5) * df, T(0.5));
        const T ax = sf::abs_of(x), root = sf::sqrt_of(df), half = T(0.5) * (df + T(1)), r = ax / root;
        const T factor = T(1) / (root * b.factor);
        if (r > T(same<T, double>::value ? 1e8 : 1e4)) return {b.y + sf::log_wide(r) * (df + T(1)), factor};
        const sf::wide<T> w = sf::two_prod(x, x) / sf::wide<T>{df, T(0)}, u = sf::two_sum(T(1), w.hi);
        return {b.y + sf::log_wide(u.hi, u.lo + w.lo) * half, factor};
    }
    template <class T> HD static T pdf(T x, T df) {
        if (df > sf::fp<T>::max) return norm::pdf(x);
        const sf::exponent<T> e = density(x, df);
        return e.y.hi <= T(4096) ? sf::exp_wide(-e.y.hi, -e.y.lo, e.factor) : T(0);
    }
    template <class T> HD static T logpdf(T x, T df) {
        if (df > sf::fp<T>::max) return norm::logpdf(x);
        const sf::exponent<T> e = density(x, df);
        return sf::log_of(e.factor) - e.y.hi;
    }
    template <class T> HD static T cdf(T x, T df) {
        if (df > sf::fp<T>::max) return norm::cdf(x);
        const T tail = T(0.5) * half_t::sf(sf::abs_of(x), df);
        return x < T(0) ? tail : T(1) - tail;
    }
    template <class T> HD static T sf(T x, T df) { return cdf(-x, df); }
    template <class T> HD static T ppf(T q, T df) {
        if (df > sf::fp<T>::max) return ndtri()(q);
        if (q == T(0.5)) return T(0);
        const T p = q < T(0.5) ? q : T(1) - q;              // exact above 1/2
        const bool far = p < T(0.25);
        const T mass = far ? p + p : (T(0.5) - p) + (T(0.5) - p);
        const T x = solve<half_t>(mass, far, half_t::start(mass, far, df), df);
        return q < T(0.5) ? -x : x;
    }
    template <class T> HD static T isf(T q, T df) { return -ppf(q, df); }
};
template <class T> HD T half_t::pdf(T x, T df) { return T(2) * t::pdf(x, df); }

}  // namespace dist
}  // namespace gpusci
