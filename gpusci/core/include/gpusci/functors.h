// NumPy's ufuncs as functors, one struct a ufunc, for every real dtype (half arrives as float) and for complex
// arithmetic and comparison. Transcendental functions of complex arguments: complex_math.h, which adds math<complex<T>>.
// Integer arithmetic wraps, as NumPy's; division by zero gives 0; the sign rules are Python's for floor_divide and
// remainder and C's for fmod.
#pragma once
#include "entry.h"
#include "real_math.h"

namespace gpusci {

// ---- integer types
template <int Bytes, bool Signed> struct integer;
template <> struct integer<1, true> { using type = int8_t; };
template <> struct integer<2, true> { using type = int16_t; };
template <> struct integer<4, true> { using type = int32_t; };
template <> struct integer<8, true> { using type = int64_t; };
template <> struct integer<1, false> { using type = uint8_t; };
template <> struct integer<2, false> { using type = uint16_t; };
template <> struct integer<4, false> { using type = uint32_t; };
template <> struct integer<8, false> { using type = uint64_t; };
template <class T> constexpr bool is_bool = same<T, bool>::value;
template <class T> constexpr bool is_real = is_float<T>::value;
template <class T> constexpr bool is_cplx = is_complex<T>::value;
template <class T> constexpr bool is_integer = !is_bool<T> && !is_real<T> && !is_cplx<T>;
template <class T> constexpr bool is_signed = T(-1) < T(0);
template <class T> using unsigned_t = typename integer<sizeof(T), false>::type;
// Arithmetic of T modulo 2^bits: at least 32 bits, so that promotion to (signed) int cannot overflow.
template <class T> using wrap_t = typename integer<(sizeof(T) < 4 ? 4 : sizeof(T)), false>::type;
template <class T> HD unsigned_t<T> magnitude(T a) {
    if constexpr (is_signed<T>) return a < 0 ? unsigned_t<T>(wrap_t<T>(0) - wrap_t<T>(a)) : unsigned_t<T>(a);
    else return a;
}

// ---- NaN, and the order of complex numbers: by real part, then imaginary; false where a NaN decides
HD bool is_nan(float x) { return x != x; }
HD bool is_nan(double x) { return x != x; }
template <class T> HD bool is_nan(complex<T> z) { return z.re != z.re || z.im != z.im; }
template <class T> HD bool is_nan(T) { return false; }
template <class T> HD bool truth(T x) {
    if constexpr (is_cplx<T>) return x.re != 0 || x.im != 0;
    else return x != T(0);
}
template <class T> HD bool less_than(T a, T b) {
    if constexpr (is_cplx<T>)
        return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im < b.im);
    else return a < b;
}
template <class T> HD bool less_or_equal(T a, T b) {
    if constexpr (is_cplx<T>)
        return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im <= b.im);
    else return a <= b;
}
// int64 against uint64 compares the numbers, not the bits.
HD bool less_than(int64_t a, uint64_t b) { return a < 0 || uint64_t(a) < b; }
HD bool less_than(uint64_t a, int64_t b) { return b >= 0 && a < uint64_t(b); }
HD bool less_or_equal(int64_t a, uint64_t b) { return a < 0 || uint64_t(a) <= b; }
HD bool less_or_equal(uint64_t a, int64_t b) { return b >= 0 && a <= uint64_t(b); }
template <class T> HD bool equals(T a, T b) { return a == b; }
HD bool equals(int64_t a, uint64_t b) { return a >= 0 && uint64_t(a) == b; }
HD bool equals(uint64_t a, int64_t b) { return equals(b, a); }

namespace op {

// ---- arithmetic
struct copy { template <class T> HD T operator()(T a) const { return a; } };
struct positive : copy {};
struct add {
    template <class T> HD T operator()(T a, T b) const {
        if constexpr (is_bool<T>) return a || b;
        else if constexpr (is_integer<T>) return T(wrap_t<T>(a) + wrap_t<T>(b));
        else return a + b;
    }
};
struct subtract {
    template <class T> HD T operator()(T a, T b) const {
        if constexpr (is_integer<T>) return T(wrap_t<T>(a) - wrap_t<T>(b));
        else return a - b;
    }
};
struct multiply {
    template <class T> HD T operator()(T a, T b) const {
        if constexpr (is_bool<T>) return a && b;
        else if constexpr (is_integer<T>) return T(wrap_t<T>(a) * wrap_t<T>(b));
        else return a * b;
    }
};
struct divide { template <class T> HD T operator()(T a, T b) const { return a / b; } };
struct negative {
    template <class T> HD T operator()(T a) const {
        if constexpr (is_integer<T>) return T(wrap_t<T>(0) - wrap_t<T>(a));
        else return -a;
    }
};
struct square {
    template <class T> HD T operator()(T a) const { return multiply()(a, a); }
};
struct reciprocal {
    template <class T> HD T operator()(T a) const {
        if constexpr (is_integer<T>) return a == 0 ? zero<T>() : magnitude(a) == 1 ? a : T(0);
        else if constexpr (is_cplx<T>) {
            const bool flat = math<decltype(a.re)>::fabs(a.im) <= math<decltype(a.re)>::fabs(a.re);
            const auto r = flat ? a.im / a.re : a.re / a.im, d = flat ? a.re + a.im * r : a.im + a.re * r;
            return flat ? T(1 / d, -r / d) : T(r / d, -1 / d);
        } else return T(1) / a;
    }
    // What the conversion of 1/0 to an integer leaves on x86, which is NumPy's result there.
    template <class T> HD static T zero() {
        if constexpr (sizeof(T) >= 4 && is_signed<T>) return T(unsigned_t<T>(1) << (8 * sizeof(T) - 1));
        else return T(0);
    }
};
struct absolute {
    template <class T> HD auto operator()(T a) const {
        if constexpr (is_cplx<T>) return math<decltype(a.re)>::hypot(a.re, a.im);
        else if constexpr (is_real<T>) return math<T>::fabs(a);
        else if constexpr (is_bool<T>) return a;
        else return T(magnitude(a));
    }
};
struct fabs { template <class T> HD T operator()(T a) const { return math<T>::fabs(a); } };
struct conjugate {
    template <class T> HD T operator()(T a) const {
        if constexpr (is_cplx<T>) return conj(a);
        else return a;
    }
};
struct sign {
    template <class T> HD T operator()(T a) const {
        if constexpr (is_cplx<T>) return direction(a);
        else return a > T(0) ? T(1) : less_than(a, T(0)) ? T(-1) : a == T(0) ? T(0) : a;
    }
    template <class T> HD static complex<T> direction(complex<T> a) {
        const T r = math<T>::hypot(a.re, a.im);
        if (r != r) return {r, r};
        if (!math<T>::isinf(r)) return r == T(0) ? complex<T>(T(0)) : complex<T>(a.re / r, a.im / r);
        const bool x = math<T>::isinf(a.re), y = math<T>::isinf(a.im);
        if (x && y) return {r - r, r - r};
        if (x) return {a.re > 0 ? T(1) : T(-1), T(0)};
        if (y) return {T(0), a.im > 0 ? T(1) : T(-1)};
        return direction(complex<T>(a.re / 4, a.im / 4));       // finite, but the modulus overflows
    }
};

// ---- quotient and remainder. (Half and float alike: Python's float_divmod, with the quotient rounded to an integer.)
template <class T> HD T divided(T a, T b, T& mod) {
    if constexpr (is_integer<T>) {
        if (b == 0) return mod = T(0);
        if constexpr (is_signed<T>) {
            if (b == T(-1)) return mod = T(0), negative()(a);
            const T q = a / b, r = a % b;
            const bool down = r != 0 && (r < 0) != (b < 0);
            return mod = T(down ? r + b : r), T(down ? q - 1 : q);
        } else return mod = a % b, a / b;
    } else {
        mod = math<T>::fmod(a, b);
        if (b == T(0)) return a / b;
        T q = (a - mod) / b;
        if (mod != T(0)) {
            if ((b < T(0)) != (mod < T(0))) mod += b, q -= T(1);
        } else mod = math<T>::copysign(T(0), b);
        if (q == T(0)) return math<T>::copysign(T(0), a / b);
        const T f = math<T>::floor(q);
        return q - f > T(0.5) ? f + T(1) : f;
    }
}
struct floor_divide { template <class T> HD T operator()(T a, T b) const { T mod; return divided(a, b, mod); } };
struct remainder { template <class T> HD T operator()(T a, T b) const { T mod; divided(a, b, mod); return mod; } };
struct divmod { template <class T> HD void operator()(T a, T b, T& q, T& mod) const { q = divided(a, b, mod); } };
struct fmod {
    template <class T> HD T operator()(T a, T b) const {
        if constexpr (is_integer<T>) return b == 0 || (is_signed<T> && b == T(-1)) ? T(0) : T(a % b);
        else return math<T>::fmod(a, b);
    }
};
// Integers to negative integer powers are an error that the row names.
struct power {
    static constexpr bool can_fail = true;
    template <class T> HD static bool invalid(T, T b) {
        if constexpr (is_integer<T>) return less_than(b, T(0));
        else return false;
    }
    template <class T> HD T operator()(T a, T b) const {
        if constexpr (is_integer<T>) {
            wrap_t<T> base = wrap_t<T>(a), result = 1;
            for (unsigned_t<T> n = unsigned_t<T>(b); n; n = unsigned_t<T>(n >> 1), base *= base)
                if (n & 1) result *= base;
            return T(result);
        } else return math<T>::pow(a, b);
    }
};

// ---- order
struct maximum { template <class T> HD T operator()(T a, T b) const { return is_nan(a) || less_or_equal(b, a) ? a : b; } };
struct minimum { template <class T> HD T operator()(T a, T b) const { return is_nan(a) || less_or_equal(a, b) ? a : b; } };
struct fmax { template <class T> HD T operator()(T a, T b) const { return is_nan(b) || less_or_equal(b, a) ? a : b; } };
struct fmin { template <class T> HD T operator()(T a, T b) const { return is_nan(b) || less_or_equal(a, b) ? a : b; } };
struct less { template <class A, class B> HD bool operator()(A a, B b) const { return less_than(a, b); } };
struct less_equal { template <class A, class B> HD bool operator()(A a, B b) const { return less_or_equal(a, b); } };
struct greater { template <class A, class B> HD bool operator()(A a, B b) const { return less_than(b, a); } };
struct greater_equal { template <class A, class B> HD bool operator()(A a, B b) const { return less_or_equal(b, a); } };
struct equal { template <class A, class B> HD bool operator()(A a, B b) const { return equals(a, b); } };
struct not_equal { template <class A, class B> HD bool operator()(A a, B b) const { return !equals(a, b); } };
struct heaviside {
    template <class T> HD T operator()(T x, T at_zero) const {
        return x != x ? x : x == T(0) ? at_zero : x < T(0) ? T(0) : T(1);
    }
};

// ---- logic and bits
struct logical_and { template <class T> HD bool operator()(T a, T b) const { return truth(a) && truth(b); } };
struct logical_or { template <class T> HD bool operator()(T a, T b) const { return truth(a) || truth(b); } };
struct logical_xor { template <class T> HD bool operator()(T a, T b) const { return truth(a) != truth(b); } };
struct logical_not { template <class T> HD bool operator()(T a) const { return !truth(a); } };
struct bitwise_and { template <class T> HD T operator()(T a, T b) const { return T(a & b); } };
struct bitwise_or { template <class T> HD T operator()(T a, T b) const { return T(a | b); } };
struct bitwise_xor { template <class T> HD T operator()(T a, T b) const { return T(a ^ b); } };
struct invert {
    template <class T> HD T operator()(T a) const {
        if constexpr (is_bool<T>) return !a;
        else return T(~a);
    }
};
// A count that is negative or at least the width shifts everything out.
struct left_shift {
    template <class T> HD T operator()(T a, T b) const {
        return unsigned_t<T>(b) < 8 * sizeof(T) ? T(wrap_t<T>(a) << b) : T(0);
    }
};
struct right_shift {
    template <class T> HD T operator()(T a, T b) const {
        return unsigned_t<T>(b) < 8 * sizeof(T) ? T(a >> b) : less_than(a, T(0)) ? T(-1) : T(0);
    }
};
struct bitwise_count {
    template <class T> HD uint8_t operator()(T a) const {
#if defined(__CUDA_ARCH__)
        return uint8_t(__popcll(uint64_t(magnitude(a))));
#else
        return uint8_t(__builtin_popcountll(uint64_t(magnitude(a))));
#endif
    }
};
struct gcd {
    template <class T> HD T operator()(T a, T b) const { return T(common(magnitude(a), magnitude(b))); }
    template <class U> HD static U common(U a, U b) {
        while (a != 0) {
            const U r = U(b % a);
            b = a, a = r;
        }
        return b;
    }
};
struct lcm {
    template <class T> HD T operator()(T a, T b) const {
        const auto p = magnitude(a), q = magnitude(b), g = gcd::common(p, q);
        return g == 0 ? T(0) : T(wrap_t<T>(p / g) * q);
    }
};

// ---- floating point, piece by piece
struct isnan { template <class T> HD bool operator()(T a) const { return is_nan(a); } };
struct isinf {
    template <class T> HD bool operator()(T a) const {
        if constexpr (is_cplx<T>) return isinf()(a.re) || isinf()(a.im);
        else if constexpr (is_real<T>) return math<T>::isinf(a);
        else return false;
    }
};
struct isfinite {
    template <class T> HD bool operator()(T a) const {
        if constexpr (is_cplx<T>) return isfinite()(a.re) && isfinite()(a.im);
        else if constexpr (is_real<T>) return a - a == T(0);
        else return true;
    }
};
struct signbit { template <class T> HD bool operator()(T a) const { return math<T>::signbit(a); } };
struct copysign { template <class T> HD T operator()(T a, T b) const { return math<T>::copysign(a, b); } };
struct nextafter {
    static constexpr bool takes_half = true;
    template <class T> HD T operator()(T a, T b) const { return math<T>::nextafter(a, b); }
};
// The distance to the neighbour away from zero, with the sign of x; in half, as NumPy, to the neighbour above.
struct spacing {
    static constexpr bool takes_half = true;
    template <class T> HD T operator()(T a) const { return math<T>::spacing(a); }
};
struct modf { template <class T> HD void operator()(T a, T& fraction, T& whole) const { fraction = math<T>::modf(a, whole); } };
struct frexp { template <class T> HD void operator()(T a, T& m, int32_t& e) const { m = math<T>::frexp(a, e); } };
struct ldexp {
    template <class T, class I> HD T operator()(T a, I n) const {
        return math<T>::ldexp(a, n > I(100000) ? 100000 : n < I(-100000) ? -100000 : int(n));
    }
};

#define GPUSCI_ROUNDING(NAME)                                                \
    struct NAME {                                                            \
        template <class T> HD T operator()(T a) const {                      \
            if constexpr (is_real<T> || is_cplx<T>) return math<T>::NAME(a); \
            else return a;                                                   \
        }                                                                    \
    };
GPUSCI_ROUNDING(floor)
GPUSCI_ROUNDING(ceil)
GPUSCI_ROUNDING(trunc)
GPUSCI_ROUNDING(rint)
#undef GPUSCI_ROUNDING

// ---- transcendental functions, by name from math<T>
#define GPUSCI_MATH(NAME) \
    struct NAME { template <class T> HD T operator()(T a) const { return math<T>::NAME(a); } };
GPUSCI_MATH(sqrt)
GPUSCI_MATH(cbrt)
GPUSCI_MATH(exp)
GPUSCI_MATH(exp2)
GPUSCI_MATH(expm1)
GPUSCI_MATH(log)
GPUSCI_MATH(log2)
GPUSCI_MATH(log10)
GPUSCI_MATH(log1p)
GPUSCI_MATH(sin)
GPUSCI_MATH(cos)
GPUSCI_MATH(tan)
GPUSCI_MATH(arcsin)
GPUSCI_MATH(arccos)
GPUSCI_MATH(arctan)
GPUSCI_MATH(sinh)
GPUSCI_MATH(cosh)
GPUSCI_MATH(tanh)
GPUSCI_MATH(arcsinh)
GPUSCI_MATH(arccosh)
GPUSCI_MATH(arctanh)
#undef GPUSCI_MATH
struct arctan2 { template <class T> HD T operator()(T a, T b) const { return math<T>::atan2(a, b); } };
struct hypot { template <class T> HD T operator()(T a, T b) const { return math<T>::hypot(a, b); } };
struct deg2rad { template <class T> HD T operator()(T a) const { return a * T(0.017453292519943295); } };     // pi/180
struct rad2deg { template <class T> HD T operator()(T a) const { return a * T(57.29577951308232); } };        // 180/pi
// log(e^a + e^b) without overflow; equal arguments, infinities among them, are a + log 2.
struct logaddexp {
    template <class T> HD T operator()(T a, T b) const {
        if (a == b) return a + T(0.6931471805599453);                                                         // log 2
        const T d = a - b;
        return d > 0 ? a + math<T>::log1p(math<T>::exp(-d)) : d <= 0 ? b + math<T>::log1p(math<T>::exp(d)) : d;
    }
};
struct logaddexp2 {
    template <class T> HD T operator()(T a, T b) const {
        if (a == b) return a + T(1);
        const T d = a - b, k = T(1.4426950408889634);                                                         // log2 e
        return d > 0 ? a + k * math<T>::log1p(math<T>::exp2(-d)) : d <= 0 ? b + k * math<T>::log1p(math<T>::exp2(d)) : d;
    }
};

}  // namespace op
}  // namespace gpusci
