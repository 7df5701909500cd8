// Standard forms that are closed expressions of exp, log, erf and their inverses.
// Formulas: Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 1 and 2 (1994, 1995). Each is written so that
// the smaller of cdf and sf, and quantiles of tiny probabilities, keep relative accuracy.
#pragma once
#include "distribution.h"
#include "special/kernels/erf.h"

namespace gpusci {
namespace dist {

struct norm : form<norm> {
    template <class T> HD static T lower(T) { return -sf::inf_of<T>(); }
    template <class T> HD static T pdf(T x) {
        // |x| / sqrt 2 in two parts: rounded to one it would cost x^2 / 2 ulp. Beyond the cap the density is 0.
        using C = sf::real_constants<T>;
        const T cap = same<T, double>::value ? T(40) : T(15), ax = sf::abs_of(x), y = sel(ax > cap, cap, ax);
        const T z = y * C::sqrt_half_hi, z_lo = sf::madd(y, C::sqrt_half_lo, sf::fma_of(y, C::sqrt_half_hi, -z));
        return sf::gauss(z, z_lo, T(C::inv_sqrt_2pi));
    }
    template <class T> HD static T logpdf(T x) { return T(-0.5) * x * x - T(0.91893853320467274178); }  // log(2 pi) / 2
    template <class T> HD static T cdf(T x) { return ndtr()(x); }
    template <class T> HD static T sf(T x) { return ndtr()(-x); }
    template <class T> HD static T logcdf(T x) { return log_ndtr()(x); }
    template <class T> HD static T logsf(T x) { return log_ndtr()(-x); }
    template <class T> HD static T ppf(T q) { return ndtri()(q); }
    template <class T> HD static T isf(T q) { return -ndtri()(q); }
};

struct halfnorm : form<halfnorm> {
    template <class T> HD static T pdf(T x) { return T(2) * norm::pdf(x); }
    template <class T> HD static T logpdf(T x) { return norm::logpdf(x) + T(0.69314718055994530942); }
    template <class T> HD static T cdf(T x) { return sel(x < T(1), erf()(x * T(0.70710678118654752440)), T(1) - sf(x)); }
    template <class T> HD static T sf(T x) { return T(2) * ndtr()(-x); }
    template <class T> HD static T logsf(T x) { return log_ndtr()(-x) + T(0.69314718055994530942); }
    template <class T> HD static T ppf(T q) { return sf::real_constants<T>::sqrt2 * erfinv()(q); }
    template <class T> HD static T isf(T q) { return -ndtri()(T(0.5) * q); }
};

struct lognorm : form<lognorm> {
    template <class T> HD static T pdf(T x, T s) {
        return sel(x > T(0), norm::pdf(sf::log_of(x) / s) / (s * x), T(0));
    }
    template <class T> HD static T logpdf(T x, T s) {
        const T y = sf::log_of(x);
        return sel(x > T(0), norm::logpdf(y / s) - (sf::log_of(s) + y), -sf::inf_of<T>());
    }
    template <class T> HD static T cdf(T x, T s) { return ndtr()(sf::log_of(x) / s); }
    template <class T> HD static T sf(T x, T s) { return ndtr()(-sf::log_of(x) / s); }
    template <class T> HD static T logcdf(T x, T s) { return log_ndtr()(sf::log_of(x) / s); }
    template <class T> HD static T logsf(T x, T s) { return log_ndtr()(-sf::log_of(x) / s); }
    template <class T> HD static T ppf(T q, T s) { return sf::exp_of(s * ndtri()(q)); }
    template <class T> HD static T isf(T q, T s) { return sf::exp_of(-s * ndtri()(q)); }
};

struct uniform : form<uniform> {
    template <class T> HD static T upper(T) { return T(1); }
    template <class T> HD static T pdf(T) { return T(1); }
    template <class T> HD static T logpdf(T) { return T(0); }
    template <class T> HD static T cdf(T x) { return x; }
    template <class T> HD static T sf(T x) { return T(1) - x; }
    template <class T> HD static T ppf(T q) { return q; }
    template <class T> HD static T isf(T q) { return T(1) - q; }
};

struct expon : hazard_form<expon> {
    template <class T> HD static T hazard(T x) { return x; }
    template <class T> HD static T quantile(T h) { return h; }
    template <class T> HD static T pdf(T x) { return sf::exp_of(-x); }
    template <class T> HD static T logpdf(T x) { return -x; }
};

struct rayleigh : hazard_form<rayleigh> {
    template <class T> HD static T hazard(T x) { return T(0.5) * x * x; }
    template <class T> HD static T quantile(T h) { return sf::sqrt_of(h + h); }
    template <class T> HD static T pdf(T x) { return x * (T(2.50662827463100050242) * norm::pdf(x)); }    // sqrt(2 pi)
    template <class T> HD static T logpdf(T x) { return sf::log_of(x) - T(0.5) * x * x; }
};

struct weibull_min : hazard_form<weibull_min> {
    template <class T> HD static T hazard(T x, T c) { return power(sel(x > T(0), x, T(1)), c); }
    template <class T> HD static T quantile(T h, T c) { return sel(h > T(0), power(sel(h > T(0), h, T(1)), T(1) / c), T(0)); }
    template <class T> HD static T pdf(T x, T c) {
        const sf::wide<T> y = sf::log_wide(sel(x > T(0), x, T(1)));
        const T inside = power(y, c - T(1), c) * sf::exp_of(-power(y, c));
        return sel(x > T(0), inside, sel(c < T(1), sf::inf_of<T>(), sel(c == T(1), T(1), T(0))));
    }
    template <class T> HD static T logpdf(T x, T c) {
        const T log_power = sel((x == T(0)) & (c == T(1)), T(0), (c - T(1)) * sf::log_of(x));
        return sf::log_of(c) + log_power - sel(x > T(0), hazard(x, c), T(0));
    }
};

struct lomax : hazard_form<lomax> {
    template <class T> HD static T hazard(T x, T c) { return c * sf::log1p_of(x); }
    template <class T> HD static T quantile(T h, T c) { return expm1_of(h / c); }
    template <class T> HD static T sf(T x, T c) { return power(log1p_wide(x), -c); }
    template <class T> HD static T pdf(T x, T c) { return power(log1p_wide(x), -c - T(1), c); }
    template <class T> HD static T logpdf(T x, T c) { return sf::log_of(c) - (c + T(1)) * sf::log1p_of(x); }
};

struct pareto : hazard_form<pareto> {
    template <class T> HD static T lower(T, T) { return T(1); }
    template <class T> HD static T hazard(T x, T b) { return b * sf::log_of(x); }
    template <class T> HD static T quantile(T h, T b) { return sf::exp_of(h / b); }
    template <class T> HD static T sf(T x, T b) { return power(x, -b); }
    template <class T> HD static T pdf(T x, T b) { return power(sf::log_wide(x), -b - T(1), b); }
    template <class T> HD static T logpdf(T x, T b) { return sf::log_of(b) - (b + T(1)) * sf::log_of(x); }
};

struct laplace : form<laplace> {
    template <class T> HD static T lower(T) { return -sf::inf_of<T>(); }
    template <class T> HD static T pdf(T x) { return T(0.5) * sf::exp_of(-sf::abs_of(x)); }
    template <class T> HD static T logpdf(T x) { return -sf::abs_of(x) - T(0.69314718055994530942); }
    template <class T> HD static T cdf(T x) {
        const T tail = pdf(x);
        return sel(x < T(0), tail, T(1) - tail);
    }
    template <class T> HD static T sf(T x) { return cdf(-x); }
    template <class T> HD static T logcdf(T x) {
        return sel(x < T(0), x - T(0.69314718055994530942), sf::log1p_of(-pdf(x)));
    }
    template <class T> HD static T logsf(T x) { return logcdf(-x); }
    template <class T> HD static T ppf(T q) {
        return sel(q < T(0.5), sf::log_of(q + q), -sf::log_of(T(2) * (T(1) - q)));
    }
    template <class T> HD static T isf(T q) { return -ppf(q); }
};

struct logistic : form<logistic> {
    template <class T> HD static T lower(T) { return -sf::inf_of<T>(); }
    template <class T> HD static T pdf(T x) {
        const T e = sf::exp_of(-sf::abs_of(x)), d = T(1) + e;
        return e / (d * d);
    }
    template <class T> HD static T logpdf(T x) {
        const T y = -sf::abs_of(x);
        return y - T(2) * sf::log1p_of(sf::exp_of(y));
    }
    template <class T> HD static T cdf(T x) {
        const T e = sf::exp_of(-sf::abs_of(x)), d = T(1) + e;
        return sel(x < T(0), e, T(1)) / d;
    }
    template <class T> HD static T sf(T x) { return cdf(-x); }
    template <class T> HD static T logcdf(T x) {
        return sel(x < T(0), x, T(0)) - sf::log1p_of(sf::exp_of(-sf::abs_of(x)));
    }
    template <class T> HD static T logsf(T x) { return logcdf(-x); }
    template <class T> HD static T ppf(T q) {               // near 1/2, log((1 + d) / (1 - d)) with d = 2 q - 1
        const T d = q - (T(1) - q), r = T(1) - q;
        return sel(sf::abs_of(d) < T(0.5), sf::log1p_of(d / r), sf::log_of(q) - sf::log_of(r));
    }
    template <class T> HD static T isf(T q) { return -ppf(q); }
};

HDI double atan_of(double x) { return atan(x); }
HDI float atan_of(float x) { return atanf(x); }

struct cauchy : form<cauchy> {
    template <class T> HD static T lower(T) { return -sf::inf_of<T>(); }
    template <class T> HD static T pdf(T x) { return T(0.31830988618379067154) / (T(1) + x * x); }
    template <class T> HD static T logpdf(T x) {            // log1p(x^2) without overflow
        const T big = T(same<T, double>::value ? 1e100 : 1e15), y = sf::abs_of(x);
        const T square = sel(y > big, T(2) * sf::log_of(y), sf::log1p_of(sel(y > big, T(1), y) * y));
        return T(-1.14472988584940017414) - square;         // log(pi)
    }
    template <class T> HD static T cdf(T x) {
        const T inv_pi = T(0.31830988618379067154);
        return sel(x < T(-1), -inv_pi * atan_of(T(1) / x), T(0.5) + inv_pi * atan_of(x));
    }
    template <class T> HD static T sf(T x) { return cdf(-x); }
    template <class T> HD static T ppf(T q) {               // -cot(pi q); 1 - q is exact above 1/2
        const sf::sine_cosine<T> c = sf::sincospi_of(q);
        return -c.cos / c.sin;
    }
    template <class T> HD static T isf(T q) { return -ppf(q); }
};

}  // namespace dist
}  // namespace gpusci
