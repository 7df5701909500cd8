// Exponential integrals Ei(x) and E_1(x), real arguments (DLMF 6.2).
//
// Method: fits of Ei(x) - log(x / root) divided by x - root, the root in two parts, and of E_1(x) + log(x); further out of
// Ei(x) x exp(-x) and E_1(x) x exp(x) in 1 / x, the exponential last.
#pragma once
#include "real.h"

namespace gpusci {
namespace sf {
#include "expint_coefficients.h"

template <class T> HDI T exp_integral_1(T x) {              // x > 0
    if (x <= T(1)) return e1_low(x) - log_of(x);
    const T u = T(1) / x, y = x < T(4) ? e1_mid(u - T(0.625)) : e1_high(u - T(0.125));
    return x > T(-2) * fp<T>::log_tiny ? T(0) : exp_wide(-x, T(0), y * u);
}
template <class T> HDI T exp_integral_i(T x) {              // x > 0
    using R = expint_constants<T>;
    if (x < T(6)) {
        const T d = (x - R::root_hi) - R::root_lo;
        const T l = abs_of(d) < T(0.2) ? log1p_of(d / R::root_hi) : log_of(x / R::root_hi);
        return madd(d, ei_low(x - T(3)), l);
    }
    const T u = T(1) / x;
    const T y = x < T(10) ? ei_high0(u - T(2.0 / 15)) : x < T(20) ? ei_high1(u - T(0.075)) : x < T(40) ? ei_high2(u - T(0.0375))
                                                                                            : ei_high3(u - T(0.0125));
    return x > T(2) * fp<T>::log_max ? inf_of<T>() : exp_wide(x, T(0), y * u);
}
}  // namespace sf

struct expi {
    template <class T> HD T operator()(T x) const {
        if (x == T(0)) return -sf::inf_of<T>();
        if (sf::is_nan(x)) return x;
        return x > T(0) ? sf::exp_integral_i(x) : -sf::exp_integral_1(-x);
    }
};
struct exp1 {
    template <class T> HD T operator()(T x) const {
        if (x == T(0)) return sf::inf_of<T>();
        return x > T(0) ? sf::exp_integral_1(x) : sf::nan_of<T>();
    }
};
}  // namespace gpusci
