// Gamma and chi-squared distributions, on the incomplete gamma functions of special.
#pragma once
#include "quantile.h"
#include "special/kernels/gammainc.h"

namespace gpusci {
namespace dist {

struct gamma : form<gamma> {
    // x^(a - 1) exp(-x) / gamma(a) = factor exp(-y), without large terms of opposite sign (see gammainc.h); x > 0 finite.
    template <class T> HDI static sf::exponent<T> density(T x, T a) {
        const sf::wide<T> log_x = sf::log_wide(x);
        if (a < T(3)) {
            const sf::wide<T> y = log_x * (T(1) - a) + x;
            return {y, rgamma()(a)};
        }
        const sf::wide<T> r = sf::wide<T>{x, T(0)} / sf::wide<T>{a, T(0)};
        sf::wide<T> y = sf::excess(a, sf::two_sum(x, -a) / sf::wide<T>{a, T(0)}, sf::log_wide(r.hi, r.lo));
        y.lo += sf::stirling_of(a);
        T factor = sf::real_constants<T>::inv_sqrt_2pi * sf::sqrt_of(a);
        if (x < T(1)) y = y + log_x;
        else factor /= x;
        return {y, factor};
    }
    template <class T> HD static T pdf(T x, T a) {
        if (x == T(0)) return a < T(1) ? sf::inf_of<T>() : a == T(1) ? T(1) : T(0);
        const sf::exponent<T> e = density(x, a);
        return e.y.hi <= T(4096) ? sf::exp_wide(-e.y.hi, -e.y.lo, e.factor) : T(0);
    }
    template <class T> HD static T logpdf(T x, T a) {
        if (x == T(0)) return a < T(1) ? sf::inf_of<T>() : a == T(1) ? T(0) : -sf::inf_of<T>();
        // `excess` gives up where the density is 0: the logarithm goes on.
        const sf::exponent<T> e = density(x, a);
        if (e.y.hi <= sf::fp<T>::max) return (sf::log_of(e.factor) - e.y.hi) - e.y.lo;     // lo is no mere rounding error: Stirling's rest is in it
        return (a - T(1)) * sf::log_of(x) - x - gammaln()(a);
    }
    template <class T> HD static T tail(T x, bool right, T a) {
        const auto both = sf::gamma_tails_any(a, x);
        return right ? both.upper : both.lower;
    }
    template <class T> HD static T cdf(T x, T a) { return tail(x, false, a); }
    template <class T> HD static T sf(T x, T a) { return tail(x, true, a); }
    // Wilson and Hilferty, PNAS 17 (1931) 684, or the first term of the power series.
    template <class T> HD static T start(T p, bool right, T a) {
        const T z = ndtri()(p), root = T(1) / (T(3) * sf::sqrt_of(a));
        const T w = T(1) - root * root + (right ? -z : z) * root;
        if (w > T(0.3) && a > T(0.3)) return a * w * w * w;
        if (right) {
            const T y = -sf::log_of(p) + sf::log_of(a);
            return y > T(0.5) ? y : T(0.5);
        }
        return sf::exp_of((sf::log_of(p) + gammaln()(a + T(1))) / a);
    }
    template <class T> HD static T ppf(T q, T a) { return lower_quantile<gamma>(q, a); }
    template <class T> HD static T isf(T q, T a) { return upper_quantile<gamma>(q, a); }
};

struct chi2 : form<chi2> {
    template <class T> HD static T pdf(T x, T df) { return T(0.5) * gamma::pdf(T(0.5) * x, T(0.5) * df); }
    template <class T> HD static T logpdf(T x, T df) {
        return gamma::logpdf(T(0.5) * x, T(0.5) * df) - T(0.69314718055994530942);
    }
    template <class T> HD static T cdf(T x, T df) { return gamma::cdf(T(0.5) * x, T(0.5) * df); }
    template <class T> HD static T sf(T x, T df) { return gamma::sf(T(0.5) * x, T(0.5) * df); }
    template <class T> HD static T ppf(T q, T df) { return T(2) * gamma::ppf(q, T(0.5) * df); }
    template <class T> HD static T isf(T q, T df) { return T(2) * gamma::isf(q, T(0.5) * df); }
};

}  // namespace dist
}  // namespace gpusci
