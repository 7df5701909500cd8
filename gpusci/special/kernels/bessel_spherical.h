// Spherical Bessel functions of integer order n >= 0, real argument, and their derivatives (DLMF 10.47, 10.51.2, 10.51.5).
//
// Method: sqrt(pi / (2 z)) times the function of order n + 1/2; for small z the power series with its own first factor, so
// that nothing underflows before the result does. Negative z by 10.47(v).
#pragma once
#include "bessel_ik.h"
#include "bessel_jy.h"

namespace gpusci {
namespace sf {

// z^n / (2 n + 1)!! times the power series of order n + 1/2, 10.53.1 and 10.53.3
HDI double spherical_series(double n, double z, double sign) {
    const double start = n == 0 ? 1 : Bessel::sqrt_pi_2 * Bessel::sqrt_half * power_over_gamma(n, two_sum(n, 1.5), z);
    return start * power_series(n + 0.5, z, sign);
}
struct spherical_j {                                        // z > 0, finite
    static constexpr int parity = 1;
    HDI static double at_zero(double n) { return n == 0 ? 1 : 0; }
    HDI static double slope_at_zero(double n) { return n == 1 ? 1.0 / 3 : 0; }
    HDI static double at_infinity() { return 0; }
    HDI static double value(double n, double z) {
        if (0.25 * z * z <= n + 1.5) return spherical_series(n, z, -1);
        return Bessel::sqrt_pi_2 / sqrt_of(z) * bessel_j(n + 0.5, z);
    }
    // f_n' from f_{n-1} (of order 0: f_1) and f_n
    HDI static double slope(double n, double z, double other, double f) { return n == 0 ? -other : other - (n + 1) / z * f; }
};
struct spherical_y {
    static constexpr int parity = -1;
    HDI static double at_zero(double) { return -inf_of<double>(); }
    HDI static double slope_at_zero(double) { return inf_of<double>(); }
    HDI static double at_infinity() { return 0; }
    HDI static double value(double n, double z) { return Bessel::sqrt_pi_2 / sqrt_of(z) * bessel_y(n + 0.5, z); }
    HDI static double slope(double n, double z, double other, double f) {
        return f == -inf_of<double>() ? -f : spherical_j::slope(n, z, other, f);
    }
};
struct spherical_i {
    static constexpr int parity = 1;
    HDI static double at_zero(double n) { return n == 0 ? 1 : 0; }
    HDI static double slope_at_zero(double n) { return n == 1 ? 1.0 / 3 : 0; }
    HDI static double at_infinity() { return inf_of<double>(); }
    HDI static double value(double n, double z) {
        if (z <= 30 || 0.25 * z * z <= n + 1.5) return spherical_series(n, z, 1);
        return exp_wide(z, 0.0, Bessel::sqrt_pi_2 / sqrt_of(z) * i_positive(n + 0.5, z, true));
    }
    HDI static double slope(double n, double z, double other, double f) {
        return n == 0 || other == inf_of<double>() ? other : other - (n + 1) / z * f;
    }
};
struct spherical_k {
    static constexpr int parity = -1;
    HDI static double at_zero(double) { return inf_of<double>(); }
    HDI static double slope_at_zero(double) { return -inf_of<double>(); }
    HDI static double at_infinity() { return 0; }
    HDI static double value(double n, double z) { return Bessel::sqrt_pi_2 / sqrt_of(z) * bessel_k(n + 0.5, z, false); }
    HDI static double slope(double n, double z, double other, double f) { return n == 0 ? -other : -other - (n + 1) / z * f; }
};

template <class F, bool Slope> HD double spherical_positive(double n, double z) {
    if (z == 0) return Slope ? F::slope_at_zero(n) : F::at_zero(n);
    if (z > fp<double>::max) return F::at_infinity();
    if (!Slope) return F::value(n, z);
    double f = 0, other = 0;
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {                           // a loop, so that the long body is compiled once
        other = f;
        f = F::value(k == 1 ? n : (n == 0 ? 1 : n - 1), z);
    }
    return F::slope(n, z, other, f);
}
template <class F, bool Slope> HD double spherical(int64_t order, double z) {
    if (order < 0 || is_nan(z)) return nan_of<double>();
    const double n = double(order), y = spherical_positive<F, Slope>(n, abs_of(z));
    const bool flip = ((order & 1) != 0) != ((F::parity < 0) != Slope);
    if (z >= 0) return y;
    const double mirrored = flip ? -y : y;
    if (!same<F, spherical_k>::value) return mirrored;
    const double i = real_constants<double>::pi_hi * spherical_positive<spherical_i, Slope>(n, -z);
    return Slope ? mirrored + i : mirrored - i;             // 10.47.16
}
}  // namespace sf

template <class F> struct spherical_row {
    HD double operator()(int64_t n, double z) const { return sf::spherical<F, false>(n, z); }
};
template <class F> struct spherical_slope {
    HD double operator()(int64_t n, double z) const { return sf::spherical<F, true>(n, z); }
};
using spherical_jn = spherical_row<sf::spherical_j>;
using spherical_yn = spherical_row<sf::spherical_y>;
using spherical_in = spherical_row<sf::spherical_i>;
using spherical_kn = spherical_row<sf::spherical_k>;
using spherical_jn_slope = spherical_slope<sf::spherical_j>;
using spherical_yn_slope = spherical_slope<sf::spherical_y>;
using spherical_in_slope = spherical_slope<sf::spherical_i>;
using spherical_kn_slope = spherical_slope<sf::spherical_k>;
}  // namespace gpusci
