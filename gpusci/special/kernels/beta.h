// The beta function and its logarithm, real arguments.
//
// Positive arguments: gamma_ratio.h. Others: gamma's signs, and the sum of three log |gamma| in wide precision (DLMF 5.12.1).
// At a = -m the function is finite only for integers 0 < b <= m: (-1)^b beta(1 + m - b, b), the limit along b fixed.
#pragma once
#include "gamma_ratio.h"

namespace gpusci {
namespace sf {

// |beta(a, b)| = factor exp(y) with its sign in `sign`; infinite and zero values have y = 0.
template <class T> struct signed_exponent { exponent<T> value; T sign; };
template <class T> HDI bool is_odd(T x) { return x - T(2) * floor_of(T(0.5) * x) == T(1); }

template <class T> HDI signed_exponent<T> beta_any(T a, T b) {
    T sign = T(1);
    const wide<T> zero = {T(0), T(0)};
    if (is_nan(a) || is_nan(b)) return {{zero, nan_of<T>()}, sign};
    if (is_pole(a) || is_pole(b)) {
        const T pole = is_pole(a) ? a : b, other = is_pole(a) ? b : a, rest = T(1) - pole - other;
        const bool limit = other == floor_of(other) && rest > T(0);
        sign = limit && is_odd(other) ? T(-1) : T(1);
        if (!limit || !(other > T(0))) return {{zero, inf_of<T>()}, sign};
        a = rest, b = other;
    }
    if (a > T(0) && b > T(0)) {
        if (a + b > fp<T>::max) return {{zero, a > fp<T>::max && b > fp<T>::max ? nan_of<T>() : T(0)}, sign};
        return {beta_parts(a, b), sign};
    }
    const wide<T> sum = two_sum(a, b);
    const T s = sum.hi;
    if (is_pole(s)) return {{zero, T(0)}, sign};
    wide<T> y = {-sum.lo * digamma()(s), T(0)};             // s is rounded
#pragma unroll 1
    for (int k = 0; k < 3; ++k) {                           // a loop, to compile it once
        const T x = k == 0 ? a : k == 1 ? b : s;
        const wide<T> part = log_abs_gamma(x);
        y = y + (k == 2 ? -part : part);
        sign *= gamma_sign(x);
    }
    return {{y, T(1)}, sign};
}
}  // namespace sf

struct beta {
    template <class T> HD T operator()(T a, T b) const {
        const sf::signed_exponent<T> e = sf::beta_any(a, b);
        return e.sign * sf::exp_wide(e.value.y.hi, e.value.y.lo, e.value.factor);
    }
};
struct betaln {
    template <class T> HD T operator()(T a, T b) const {
        const sf::exponent<T> e = sf::beta_any(a, b).value;
        return sf::log_of(e.factor) + (e.y.hi + e.y.lo);
    }
};
}  // namespace gpusci
