// J, Y, I and K of order 0 and 1, plain and scaled (DLMF 10.2, 10.25).
//
// J, Y for x < 8: fits divided by the zero inside, which stands in two words, so that they are accurate relative to
// their value up to there; above: modulus and phase as fits in 1 / x^2 (10.18), accurate relative to the modulus. They compute
// in double: a float32 phase would lose the zeros. I, K: fits below and above x = 8 and x = 1, in the working precision.
#pragma once
#include "bessel_phase.h"

namespace gpusci {
namespace sf {
#include "bessel_order01_coefficients.h"

using Zeros = bessel_zeros<double>;
template <int N> struct order {};                           // picks the fits

HDI double away(double x, double hi, double lo) { return (x - hi) - lo; }
// (x^2 - zero^2)
HDI double squares_away(double x, double hi, double lo) { return away(x, hi, lo) * (x + hi); }

// sqrt(2 / (pi x)) times (cos, sin)(x - (2 n + 1) pi / 4), turned by the two fits; x >= 8.
struct bessel_pair01 { double j, y; };
template <int N> HDI bessel_pair01 oscillation01(double x) {
    if (x > fp<double>::max) return {0, 0};
    const sine_cosine<double> turn = sincos_of(x);
    const double u = 8 / x, w = u * u, s = turn.sin, c = turn.cos;
    const double even = N == 0 ? even_0(w) : even_1(w), odd = u * (N == 0 ? odd_0(w) : odd_1(w));
    const double scale = 0x1.20dd750429b6dp-1 / sqrt_of(x);             // 1 / sqrt(pi)
    const double cosine = N == 0 ? c + s : s - c, sine = N == 0 ? s - c : -(s + c);
    return {scale * madd(cosine, even, -sine * odd), scale * madd(sine, even, cosine * odd)};
}
HDI double j_below(order<0>, double x) {                    // 0 <= x < 8
    if (x < 4) return squares_away(x, Zeros::j0_1_hi, Zeros::j0_1_lo) * j0_low(madd(x, x, -8.0));
    return away(x, Zeros::j0_2_hi, Zeros::j0_2_lo) * j0_high(x - 6);
}
HDI double j_below(order<1>, double x) {
    if (x < 5) return x * squares_away(x, Zeros::j1_1_hi, Zeros::j1_1_lo) * j1_low(madd(x, x, -12.5));
    return away(x, Zeros::j1_2_hi, Zeros::j1_2_lo) * j1_high(x - 6.5);
}
template <int N> HDI double bessel_j01(double x) {
    const double ax = abs_of(x);
    const double y = ax < 8 ? j_below(order<N>(), ax) : oscillation01<N>(ax).j;
    return N == 1 && x < 0 ? -y : (N == 1 && x == 0 ? x : y);
}
// log(x / zero), d = x - zero
HDI double log_from(double x, double zero, double d) {
    const double t = d / zero;
    return abs_of(t) < 0.5 ? log1p_of(t) : log_of(x / zero);
}
HDI double y_below(order<0>, double x) {                    // 0 < x < 8
    if (x < 0x1.6a09e667f3bcdp1) {                          // sqrt(8)
        const double d = away(x, Zeros::y0_1_hi, Zeros::y0_1_lo), logarithm = log_from(x, Zeros::y0_1_hi, d);
        const double rest = d * (x + Zeros::y0_1_hi) * y0_low(madd(x, x, -4.0));
        return madd(0x1.45f306dc9c883p-1 * logarithm, j_below(order<0>(), x), rest);    // 2 / pi
    }
    if (x < 5.5) return away(x, Zeros::y0_2_hi, Zeros::y0_2_lo) * y0_middle(x - 0x1.0a827999fcef3p2);
    return away(x, Zeros::y0_3_hi, Zeros::y0_3_lo) * y0_high(x - 6.75);
}
HDI double y_below(order<1>, double x) {
    if (x < 4) {
        const double d = away(x, Zeros::y1_1_hi, Zeros::y1_1_lo), logarithm = log_from(x, Zeros::y1_1_hi, d);
        const double rest = d * (x + Zeros::y1_1_hi) * y1_low(madd(x, x, -8.0)) / x;
        return madd(0x1.45f306dc9c883p-1 * logarithm, j_below(order<1>(), x), rest);
    }
    return away(x, Zeros::y1_2_hi, Zeros::y1_2_lo) * y1_high(x - 6);
}
template <int N> HDI double bessel_y01(double x) {
    if (!(x > 0)) return x == 0 ? -inf_of<double>() : nan_of<double>();
    return x < 8 ? y_below(order<N>(), x) : oscillation01<N>(x).y;
}

// ---- modified
template <class T> HDI T i_low(order<0>, T x) { return i0_low(T(0.25) * x * x); }
template <class T> HDI T i_low(order<1>, T x) { return T(0.5) * x * i1_low(T(0.25) * x * x); }
template <class T> HDI T i_high(order<0>, T t) { return i0_high(t); }
template <class T> HDI T i_high(order<1>, T t) { return i1_high(t); }
template <int N, bool Scaled, class T> HDI T bessel_i01(T x) {
    const T ax = abs_of(x);
    T y;
    if (ax <= T(8)) {
        y = i_low(order<N>(), ax);
        if (Scaled) y *= exp_of(-ax);
    } else if (ax <= fp<T>::max) {
        y = i_high(order<N>(), T(16) / ax - T(1)) / sqrt_of(ax);
        if (!Scaled) y = exp_wide(ax, T(0), y);
    } else y = Scaled && !is_nan(x) ? T(0) : ax;
    return N == 1 ? sign_of(y, x) : y;
}
template <class T> HDI T k_low(order<0>, T x) {
    const T y = T(0.25) * x * x;
    return madd(-log_of(T(0.5) * x), i0_low(y), k0_low(y));
}
template <class T> HDI T k_low(order<1>, T x) {
    const T y = T(0.25) * x * x;
    return T(1) / x + T(0.5) * x * madd(log_of(T(0.5) * x), i1_low(y), k1_low(y));
}
template <class T> HDI T k_high(order<0>, T t) { return k0_high(t); }
template <class T> HDI T k_high(order<1>, T t) { return k1_high(t); }
template <int N, bool Scaled, class T> HDI T bessel_k01(T x) {
    if (!(x > T(0))) return x == T(0) ? inf_of<T>() : nan_of<T>();
    if (x <= T(1)) return Scaled ? k_low(order<N>(), x) * exp_of(x) : k_low(order<N>(), x);
    if (x > fp<T>::max) return T(0);
    const T y = k_high(order<N>(), T(2) / x - T(1)) / sqrt_of(x);
    return Scaled ? y : exp_wide(-x, T(0), y);
}
}  // namespace sf

struct j0 { template <class T> HD T operator()(T x) const { return T(sf::bessel_j01<0>(double(x))); } };
struct j1 { template <class T> HD T operator()(T x) const { return T(sf::bessel_j01<1>(double(x))); } };
struct y0 { template <class T> HD T operator()(T x) const { return T(sf::bessel_y01<0>(double(x))); } };
struct y1 { template <class T> HD T operator()(T x) const { return T(sf::bessel_y01<1>(double(x))); } };
struct i0 { template <class T> HD T operator()(T x) const { return sf::bessel_i01<0, false>(x); } };
struct i1 { template <class T> HD T operator()(T x) const { return sf::bessel_i01<1, false>(x); } };
struct i0e { template <class T> HD T operator()(T x) const { return sf::bessel_i01<0, true>(x); } };
struct i1e { template <class T> HD T operator()(T x) const { return sf::bessel_i01<1, true>(x); } };
struct k0 { template <class T> HD T operator()(T x) const { return sf::bessel_k01<0, false>(x); } };
struct k1 { template <class T> HD T operator()(T x) const { return sf::bessel_k01<1, false>(x); } };
struct k0e { template <class T> HD T operator()(T x) const { return sf::bessel_k01<0, true>(x); } };
struct k1e { template <class T> HD T operator()(T x) const { return sf::bessel_k01<1, true>(x); } };
}  // namespace gpusci
