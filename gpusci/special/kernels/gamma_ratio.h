// What the incomplete gamma and beta functions share: the deviance a (m - log(1 + m)) in wide precision, 1 / gamma for small
// arguments, and the beta function itself.
#pragma once
#include "gamma.h"

namespace gpusci {
namespace sf {
#include "gamma_ratio_coefficients.h"

// exp(y) - 1 for -0.7 <= y <= 0, from e = exp(y / 2) - 1 as e (e + 2)
template <class T> HDI T expm1_small(wide<T> y) {
    const T h = T(0.5) * y.hi, e = h + madd(h * h, exp_tail(h), T(0.5) * y.lo * (T(1) + h));
    return e * (e + T(2));
}
// a (m - log(1 + m)) with m = (x - a) / a, as a sum; infinite where exp(-it) is 0. log_r = log(x / a); a >= 3.
template <class T> HDI wide<T> excess(T a, wide<T> m, wide<T> log_r) {
    if (abs_of(m.hi) > T(0.03125)) {
        if (a > (same<T, double>::value ? T(2e6) : T(2e5)) || m.hi > T(300)) return {inf_of<T>(), T(0)};
        return (m - log_r) * a;
    }
    const wide<T> m2 = m * m;                               // m^2 / 2 exactly, the rest is below 0.02 of it
    return wide<T>{T(0.5) * m2.hi, madd(-m2.hi * m.hi, log1pmx_tail(m.hi), T(0.5) * m2.lo)} * a;
}

// stirling's series of log gamma: mu(x) with gamma(x) = sqrt(2 pi / x) (x / e)^x exp(mu(x)), x >= 3
template <class T> HDI T stirling_of(T x) {
    const T u = T(1) / x;
    return u * stirling(u * u);
}
template <class T> HDI T gamma_below_6(T s) {               // gamma(s), 0 < s < 6
    const bool low = s < T(3);
    const T r = rgamma_shifted(low ? s - T(1.75) : s - T(4.75));
    return low ? T(1) / (s * r) : (s - T(1)) * (s - T(2)) / r;
}
// beta(a, b) = factor exp(y) for a, b > 0: no two large terms of opposite sign in y.
template <class T> struct exponent { wide<T> y; T factor; };
template <class T> HDI exponent<T> beta_parts(T p, T q) {
    const T a = p < q ? p : q, b = p < q ? q : p;
    const wide<T> s = two_sum(a, b);
    if (b < T(3)) {
        const T r = rgamma_shifted(a - T(1.75)) * rgamma_shifted(b - T(1.75));
        return {{T(0), T(0)}, T(1) / (gamma_below_6(s.hi) * r) / a / b};
    }
    const bool small = a < T(3);
    const wide<T> v = wide<T>{a, T(0)} / wide<T>{b, T(0)}, ratio = small ? s : s / wide<T>{a, T(0)}, w = two_sum(T(1), v.hi);
    const wide<T> log_v = log_wide(w.hi, w.lo + v.lo), first = log_wide(ratio.hi, ratio.lo) * a;
    if (small) {
        wide<T> y = excess(b, v, log_v) - first;
        y.lo += stirling_of(b) - stirling_of(s.hi);
        return {y, sqrt_of(s.hi / b) / (a * rgamma_shifted(a - T(1.75)))};
    }
    wide<T> y = -first - log_v * b;
    y.lo += (stirling_of(a) + stirling_of(b)) - stirling_of(s.hi);
    return {y, sqrt_of(s.hi / b / a) * (T(1) / real_constants<T>::inv_sqrt_2pi)};
}
}  // namespace sf
}  // namespace gpusci
