// math<T>: the mathematical functions of a real dtype under one name on both compilers. They are the compilers' own
// (CUDA's device functions, <cmath> on the host); half has only what must not go through float.
#pragma once
#include "entry.h"

namespace gpusci {

template <class T> struct math;

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define GPUSCI_STD
#define GPUSCI_ROUNDS_UP true
#else
#define GPUSCI_STD std
#define GPUSCI_ROUNDS_UP false
#endif

#define GPUSCI_MATH1(NAME, C) HD static T NAME(T x) { return GPUSCI_STD::C(x); }
#define GPUSCI_MATH2(NAME, C) HD static T NAME(T x, T y) { return GPUSCI_STD::C(x, y); }
#define GPUSCI_REAL_MATH(TYPE, UINT, INF)                                                                          \
    template <> struct math<TYPE> {                                                                                \
        using T = TYPE;                                                                                            \
        GPUSCI_MATH1(fabs, fabs) GPUSCI_MATH1(sqrt, sqrt) GPUSCI_MATH1(cbrt, cbrt)                                 \
        GPUSCI_MATH1(floor, floor) GPUSCI_MATH1(ceil, ceil) GPUSCI_MATH1(trunc, trunc) GPUSCI_MATH1(rint, rint)    \
        GPUSCI_MATH1(exp, exp) GPUSCI_MATH1(exp2, exp2) GPUSCI_MATH1(expm1, expm1)                                 \
        GPUSCI_MATH1(log, log) GPUSCI_MATH1(log2, log2) GPUSCI_MATH1(log10, log10) GPUSCI_MATH1(log1p, log1p)      \
        GPUSCI_MATH1(sin, sin) GPUSCI_MATH1(cos, cos) GPUSCI_MATH1(tan, tan)                                       \
        GPUSCI_MATH1(arcsin, asin) GPUSCI_MATH1(arccos, acos) GPUSCI_MATH1(arctan, atan)                           \
        GPUSCI_MATH1(sinh, sinh) GPUSCI_MATH1(cosh, cosh) GPUSCI_MATH1(tanh, tanh)                                 \
        GPUSCI_MATH1(arcsinh, asinh) GPUSCI_MATH1(arccosh, acosh) GPUSCI_MATH1(arctanh, atanh)                     \
        GPUSCI_MATH2(atan2, atan2) GPUSCI_MATH2(fmod, fmod)                                                        \
        GPUSCI_MATH2(copysign, copysign) GPUSCI_MATH2(nextafter, nextafter)                                        \
        /* A square is exact to one rounding and much cheaper than pow. */                                         \
        HD static T pow(T x, T y) { return y == T(2) ? x * x : GPUSCI_STD::pow(x, y); }                            \
        HD static bool isinf(T x) { return x == INF || x == -INF; }                                                \
        /* CUDA's may round the largest lengths up to infinity. */                                                 \
        HD static T hypot(T x, T y) {                                                                              \
            const T r = GPUSCI_STD::hypot(x, y);                                                                   \
            if (GPUSCI_ROUNDS_UP && r == INF && !isinf(x) && !isinf(y)) {                                          \
                const T a = fabs(x), b = fabs(y), t = a < b ? a / b : b / a;                                       \
                return (a < b ? b : a) * sqrt(T(1) + t * t);                                                       \
            }                                                                                                      \
            return r;                                                                                              \
        }                                                                                                          \
        HD static bool signbit(T x) { UINT u; memcpy(&u, &x, sizeof x); return u >> (8 * sizeof x - 1); } \
        HD static T ldexp(T x, int n) { return GPUSCI_STD::ldexp(x, n); }                                          \
        HD static T frexp(T x, int32_t& e) {                                                                       \
            if (!(x - x == T(0))) return e = 0, x;          /* C leaves the exponent open */                       \
            int k = 0;                                                                                             \
            const T m = GPUSCI_STD::frexp(x, &k);                                                                  \
            return e = k, m;                                                                                       \
        }                                                                                                          \
        HD static T modf(T x, T& whole) {                                                                          \
            whole = trunc(x);                                                                                      \
            return x != x ? x : copysign(isinf(x) ? T(0) : x - whole, x);                                          \
        }                                                                                                          \
        HD static T spacing(T x) {                                                                                 \
            return x - x == T(0) ? nextafter(x, x < T(0) ? -INF : INF) - x : T(0) * INF;                           \
        }                                                                                                          \
    };
GPUSCI_REAL_MATH(float, uint32_t, (1e30f * 1e30f))
GPUSCI_REAL_MATH(double, uint64_t, (1e300 * 1e300))
#undef GPUSCI_REAL_MATH
#undef GPUSCI_MATH1
#undef GPUSCI_MATH2
#undef GPUSCI_ROUNDS_UP

template <> struct math<half> {
    HD static half raw(unsigned bits) { half y; y.bits = uint16_t(bits); return y; }
    HD static bool isnan(half x) { return (x.bits & 0x7fff) > 0x7c00; }
    HD static half nextafter(half x, half y) {
        if (isnan(x) || isnan(y)) return raw(0x7e00);
        const float from = x, to = y;
        if (from == to) return y;                       // as C: the zero of y's sign
        if (from == 0) return raw((y.bits & 0x8000) | 1);
        return raw((from < to) == (from > 0) ? x.bits + 1 : x.bits - 1);
    }
    HD static half spacing(half x) {
        if ((x.bits & 0x7fff) >= 0x7c00) return raw(0x7e00);
        const half next = nextafter(x, raw(0x7c00));
        return half(float(next) - float(x));
    }
};

}  // namespace gpusci
