// Functors of selection.py and functional.py that NumPy has as functions, not as ufuncs.
#pragma once
#include "entry.h"

namespace gpusci {

// On the host by bits: g++ makes a branch of `?:` here, which a random condition mispredicts.
struct where_else {
#if defined(GPUSCI_CUDA)
    template <class T> HD T operator()(bool condition, T x, T y) const { return condition ? x : y; }
#else
    template <class Bits, class T> static T blend(bool condition, T x, T y) {
        Bits a, b;
        std::memcpy(&a, &x, sizeof a);
        std::memcpy(&b, &y, sizeof b);
        const Bits mask = Bits(-Bits(condition));
        a = Bits((a & mask) | (b & Bits(~mask)));
        std::memcpy(&x, &a, sizeof a);
        return x;
    }
    template <class T> T operator()(bool condition, T x, T y) const {
        if constexpr (is_complex<T>::value) {
            return {(*this)(condition, x.re, y.re), (*this)(condition, x.im, y.im)};
        } else if constexpr (sizeof(T) == 1) return blend<uint8_t>(condition, x, y);
        else if constexpr (sizeof(T) == 2) return blend<uint16_t>(condition, x, y);
        else if constexpr (sizeof(T) == 4) return blend<uint32_t>(condition, x, y);
        else return blend<uint64_t>(condition, x, y);
    }
#endif
};

struct same_value {
    template <class T> HD T operator()(T x) const { return x; }
};

// min(max(x, low), high) with NumPy's order of arguments: a NaN anywhere is the result, complex values by their order.
struct clip_between {
    template <class T> HD static bool is_nan(T x) {
        if constexpr (is_complex<T>::value) return x.re != x.re || x.im != x.im;
        else return x != x;
    }
    template <class T> HD T operator()(T x, T low, T high) const {
        const T raised = is_nan(x) || x > low ? x : low;
        return is_nan(raised) || raised < high ? raised : high;
    }
};

// |x - y| <= atol + rtol * |y| for finite y; equal infinities are close.
struct is_close {
    HD static float size(float x) { return fabsf(x); }
    HD static double size(double x) { return fabs(x); }
    HD static float size(complex<float> z) { return hypotf(z.re, z.im); }
    HD static double size(complex<double> z) { return hypot(z.re, z.im); }
    template <class F> HD static bool finite(F x) { return x - x == F(0); }
    template <class F> HD static bool finite(complex<F> z) { return finite(z.re) && finite(z.im); }
    template <class T, class F>
    HD bool operator()(T x, T y, F rtol, F atol, bool equal_nan) const {
        if (x == y) return true;
        if (finite(y)) return size(x - y) <= atol + mul_rn(rtol, size(y));
        return equal_nan && clip_between::is_nan(x) && clip_between::is_nan(y);
    }
};

// One value for NaN, one for each infinity.
struct replace_special {
    template <class F> HD F operator()(F x, F nan, F high, F low) const {
        return x != x ? nan : x - x == F(0) ? x : x > F(0) ? high : low;
    }
};

// sin(pi x) / (pi x), 1 at 0. The product with pi is rounded before the sine, as NumPy's.
struct sinc_pi {
    HD float operator()(float x) const {
        if (x == 0) return 1.0f;
        const float y = 3.14159274f * x;            // pi in float
        return sinf(y) / y;
    }
    HD double operator()(double x) const {
        if (x == 0) return 1.0;
        const double y = 3.141592653589793 * x;     // pi in double
        return sin(y) / y;
    }
};

}  // namespace gpusci
