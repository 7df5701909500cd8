// erf, erfc, erfcx, their inverses, and the normal distribution function with its logarithm and inverse.
//
// Method: erf(x) = x + x P(x^2) below 1; above it erfc(x) = exp(-x^2) erfcx(x), exp(-x^2) from the square in two parts
// and erfcx(x) (1 + x/3) as one polynomial in (3 - x) / (3 + x) over [0, inf), after Shepherd and Laframboise, Math.
// Comput. 36 (1981) 249. The inverses are polynomials in -log(1 - x^2) and its root, after Giles, GPU Computing Gems
// Jade (2011) 109. No iteration, so a warp does not diverge; results are accurate down to subnormal numbers.
#pragma once
#include "real.h"

namespace gpusci {
namespace sf {
#include "erf_coefficients.h"

// exp(x^2) erfc(x), x >= 0
template <class T> HDI T erfcx_positive(T x) {
    const wide<T> d = two_sum(T(3), x);
    const T u = T(3) / d.hi, y = u * madd(u, erfcx_tail(madd(T(2), u, T(-1))), erf_constants<T>::erfcx_end);
    // u's rounding error, (3 - u d) / 3 of it, enters about 1 + 2.2 u times: put it back.
    const T rest = madd(-u, sel(x <= fp<T>::max, d.lo, T(0)), fma_of(-u, d.hi, T(3))) * T(1.0 / 3);
    return x <= fp<T>::max ? madd(y, rest * madd(T(2.2), u, T(1)), y) : y;
}
// exp(-(hi + lo)^2) factor
template <class T> HDI T gauss(T hi, T lo, T factor) {
    const wide<T> y = two_prod(hi, hi);
    return exp_wide(-y.hi, -madd(hi + hi, lo, y.lo), factor);
}
// erf and erfc of |x| where x = hi + lo >= 0.
template <class T> HDI T erf_low(T x) {                     // x <= 1
    return madd(x, erf_small(x * x), x);
}
template <class T> HDI T erfc_high(T hi, T lo = T(0)) {
    const T cap = same<T, double>::value ? T(28) : T(11);   // erfc is 0 beyond it
    const bool big = hi > cap;
    return gauss(sel(big, cap, hi), sel(big, T(0), lo), erfcx_positive(hi));
}
// erfinv(x) / x where x^2 = 1 - exp(-w).
template <class T> HDI T erfinv_core(T w) {
    using C = erf_constants<T>;
    if (w < T(5)) return C::erfinv_start_hi + madd(w, erfinv_low(w - T(2.6)), C::erfinv_start_lo);
    const T s = sqrt_of(w);
    if (s < T(4.25)) return erfinv_mid(s - T(3.25));
    return s * erfinv_high(T(1) / s - (same<T, double>::value ? T(0.135) : T(0.1640625)));
}
}  // namespace sf

struct erf {
    template <class T> HD T operator()(T x) const {
        const T y = sf::abs_of(x);
        const T low = sf::erf_low(y), high = T(1) - sf::erfc_high(y);
        return sf::sign_of(sf::sel(y < T(1), low, high), x);
    }
};
struct erfc {
    template <class T> HD T operator()(T x) const {
        const T y = sf::abs_of(x);
        const T low = sf::erf_low(y), high = sf::erfc_high(y);
        const T right = sf::sel(y < T(0.5), T(1) - low, high);
        const T left = T(1) + sf::sel(y < T(1), low, T(1) - high);
        return sf::sel(x < T(0), left, right);
    }
};
struct erfcx {
    template <class T> HD T operator()(T x) const {
        const T y = sf::abs_of(x);
        if (!(x < T(0))) return sf::erfcx_positive(y);
        const T e = y < T(1) ? sf::erf_low(y) : T(1) - sf::erfc_high(y);
        const sf::wide<T> s = sf::two_prod(x, x);
        return sf::exp_wide(s.hi, s.hi <= sf::fp<T>::max ? s.lo : T(0), T(1) + e);
    }
};
struct erfinv {
    template <class T> HD T operator()(T x) const {
        const T y = sf::abs_of(x);
        if (y == T(1)) return sf::sign_of(sf::inf_of<T>(), x);
        return x * sf::erfinv_core(-sf::log_of((T(1) - y) * (T(1) + y)));      // NaN beyond 1 from the logarithm
    }
};
struct erfcinv {
    template <class T> HD T operator()(T y) const {
        if (y == T(0)) return sf::inf_of<T>();
        if (y == T(2)) return -sf::inf_of<T>();
        return (T(1) - y) * sf::erfinv_core(-sf::log_of(y * (T(2) - y)));
    }
};

struct ndtr {
    template <class T> HD T operator()(T x) const {
        // |x| / sqrt 2 in two parts: rounded to one it would cost x^2 / 2 ulp.
        using C = sf::real_constants<T>;
        const T y = sf::abs_of(x), z = mul_rn(y, C::sqrt_half_hi);
        const T z_lo = sf::madd(y, C::sqrt_half_lo, sf::fma_of(y, C::sqrt_half_hi, -z));
        const T low = T(0.5) * sf::erf_low(z), high = T(0.5) * sf::erfc_high(z, z_lo);
        const T left = sf::sel(z < T(0.5), T(0.5) - low, high);
        const T right = sf::sel(z < T(1), T(0.5) + low, T(1) - high);
        return sf::sel(x < T(0), left, right);
    }
};
struct ndtri {
    template <class T> HD T operator()(T p) const {
        if (p == T(0)) return -sf::inf_of<T>();
        if (p == T(1)) return sf::inf_of<T>();
        const T w = -sf::log_of((T(4) * p) * (T(1) - p));
        return sf::madd(T(2), p, T(-1)) * (sf::real_constants<T>::sqrt2 * sf::erfinv_core(w < T(0) ? T(0) : w));
    }
};
struct log_ndtr {
    template <class T> HD T operator()(T x) const {
        // x < 0: -x^2 / 2 + log(erfcx / 2), both terms negative; else log1p(-q), q = ndtr(-x). One log for both.
        using C = sf::real_constants<T>;
        const T y = sf::abs_of(x), z = mul_rn(y, C::sqrt_half_hi);
        const T z_lo = sf::madd(y, C::sqrt_half_lo, sf::fma_of(y, C::sqrt_half_hi, -z));
        const T q = T(0.5) * sf::erfc_high(z, z_lo), u = T(1) - q;
        const bool left = x < T(0);
        const T log_u = sf::log_of(sf::sel(left, T(0.5) * sf::erfcx_positive(z), u));
        const T rest = sf::sel(left, T(-0.5) * x * x, ((T(1) - u) - q) / u);
        return x < -sf::fp<T>::max ? x : log_u + rest;
    }
};
// The x with log_ndtr(x) = y: ndtri(exp(y)), and in the far left tail Newton's iteration on log_ndtr.
struct ndtri_exp {
    template <class T> HD T operator()(T y) const {
        using namespace sf;
        using C = real_constants<T>;
        if (y < -fp<T>::max) return y;
        if (y > T(-0.01)) return y <= T(0) ? -ndtri()(-expm1_right(y)) : nan_of<T>();
        if (y > (same<T, double>::value ? T(-600) : T(-70))) return ndtri()(exp_of(y));
        const T s = T(-2) * y;
        T x = -sqrt_of(s - log_of(s * T(6.283185307179586)));
        for (int i = 0; i < 4; ++i) {                       // slope sqrt(2 / pi) / erfcx(-x / sqrt 2)
            const T e = erfcx_positive(-x * C::sqrt_half_hi);
            const T gap = madd(T(-0.5) * x, x, log_of(T(0.5) * e)) - y;
            x -= gap * e * T(1.2533141373155003);
        }
        return x;
    }
    template <class T> HDI static T expm1_right(T y) { return y + y * y * sf::exp_tail(y); }       // exp(y) - 1, |y| <= 0.01
};
}  // namespace gpusci
