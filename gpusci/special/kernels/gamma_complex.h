// gamma, its logarithm and reciprocal, and digamma, of complex arguments.
//
// Method: Stirling's series (DLMF 5.11.1) where the real or imaginary part is above 7, reached by the recurrence, whose product
// keeps count of the times its argument passes pi (Hare, J. Algorithms 25 (1997) 221, also for the branch of the reflection
// formula); Taylor series about the zeros at 1 and 2 (5.7.3). digamma likewise, with a series about its positive root.
#pragma once
#include <gpusci/complex_math.h>
#include "real.h"

namespace gpusci {
namespace sf {
#include "gamma_constants.h"

// c0 + c1 z + ... with real coefficients
template <class T> HDI complex<T> series(complex<T>, T c) { return {c, T(0)}; }
template <class T, class... C> HDI complex<T> series(complex<T> z, T c0, C... c) { return series(z, c...) * z + complex<T>(c0); }
#include "gamma_complex_coefficients.h"

template <class T> HDI bool has_nan(complex<T> z) { return z.re != z.re || z.im != z.im; }
template <class T> HDI complex<T> complex_nan() { return {nan_of<T>(), nan_of<T>()}; }
template <class T> HDI bool is_pole(complex<T> z) { return z.im == T(0) && z.re <= T(0) && z.re == floor_of(z.re); }
template <class T> HDI complex<T> log_of(complex<T> z) { return math<complex<T>>::log(z); }

// sin(pi z) and cos(pi z), |Im z| small enough not to overflow
template <class T> struct complex_pair { complex<T> sin, cos; };
template <class T> HDI complex_pair<T> sincospi_of(complex<T> z) {
    const sine_cosine<T> a = sincospi_of(z.re);
    const T y = real_constants<T>::pi_hi * z.im, s = math<T>::sinh(y), c = math<T>::cosh(y);
    return {{a.sin * c, a.cos * s}, {a.cos * c, -a.sin * s}};
}
template <class T> HDI complex<T> loggamma_stirling(complex<T> z) {
    const complex<T> u = complex<T>(T(1)) / z, l = log_of(z);
    return (z - complex<T>(T(0.5))) * l - z + complex<T>(real_constants<T>::half_log_2pi_hi) + stirling_series(u * u) * u;
}
// Re z >= 0.1, 0 <= Im z <= 7, away from the zeros: at z + n, less the logarithm of z (z + 1) ... (z + n - 1)
template <class T> HDI complex<T> loggamma_shifted(complex<T> z) {
    complex<T> product = z;
    int turns = 0;
    bool below = false;
    z.re += T(1);
    while (z.re <= T(7)) {
        product = product * z;
        const bool now = product.im < T(0);
        turns += now && !below;
        below = now;
        z.re += T(1);
    }
    complex<T> l = log_of(product);
    l.im += T(turns) * T(2) * real_constants<T>::pi_hi;
    return loggamma_stirling(z) - l;
}
// Re z >= 0.1
template <class T> HDI complex<T> loggamma_right(complex<T> z) {
    const complex<T> one = T(1), d = z - one, e = d - one;
    if (abs_of(d.re) + abs_of(d.im) < T(0.2)) return d * log_gamma_at_1(d);
    if (abs_of(e.re) + abs_of(e.im) < T(0.2)) return math<complex<T>>::log1p(e) + e * log_gamma_at_1(e);
    if (z.re > T(7) || abs_of(z.im) > T(7)) return loggamma_stirling(z);
    return z.im < T(0) || (z.im == T(0) && sign_of(T(1), z.im) < T(0)) ? conj(loggamma_shifted(conj(z))) : loggamma_shifted(z);
}
template <class T> HDI complex<T> loggamma_of(complex<T> z) {
    if (has_nan(z) || is_pole(z)) return complex_nan<T>();
    if (abs_of(z.im) > T(7) && z.re < T(0.1)) return loggamma_stirling(z);
    const bool left = z.re < T(0.1);
    const complex<T> right = loggamma_right(left ? complex<T>(T(1)) - z : z);
    if (!left) return right;
    using C = real_constants<T>;
    const T turns = sign_of(T(2) * C::pi_hi, z.im) * floor_of(madd(T(0.5), z.re, T(0.25)));
    return complex<T>(T(1.1447298858494002), turns) - log_of(sincospi_of(z).sin) - right;     // log pi
}
// digamma(z) for Re z >= 0
template <class T> HDI complex<T> digamma_right(complex<T> z) {
    using G = gamma_constants<T>;
    const complex<T> one = T(1);
    const complex<T> w = {((z.re - T(1)) - G::root_hi) - G::root_lo, z.im};
    if (w.re * w.re + w.im * w.im < T(0.16)) return w * digamma_at_root(w);
    complex<T> sum = T(0);
    while (z.re < T(10) && abs_of(z.im) < T(10)) {
        sum = sum - one / z;
        z.re += T(1);
    }
    const complex<T> u = one / z, v = u * u;
    return log_of(z) - u * complex<T>(T(0.5)) - v * digamma_series(v) + sum;
}
}  // namespace sf

struct loggamma {
    template <class T> HD complex<T> operator()(complex<T> z) const { return sf::loggamma_of(z); }
};
struct gamma {
    template <class T> HD complex<T> operator()(complex<T> z) const { return math<complex<T>>::exp(sf::loggamma_of(z)); }
};
struct rgamma {
    template <class T> HD complex<T> operator()(complex<T> z) const {
        return sf::is_pole(z) ? complex<T>(T(0), T(0)) : math<complex<T>>::exp(-sf::loggamma_of(z));
    }
};
struct digamma {
    template <class T> HD complex<T> operator()(complex<T> z) const {
        using namespace sf;
        if (has_nan(z) || is_pole(z)) return complex_nan<T>();
        if (z.re >= T(0)) return digamma_right(z);
        const complex<T> right = digamma_right(complex<T>(T(1)) - z);
        const T pi = real_constants<T>::pi_hi;
        if (abs_of(z.im) > T(20)) return right + complex<T>(T(0), sign_of(pi, z.im));         // cot(pi z) is -i or i
        const complex_pair<T> a = sincospi_of(z);
        return right - a.cos / a.sin * complex<T>(pi);
    }
};
}  // namespace gpusci
