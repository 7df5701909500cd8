// half, complex and the numeric helpers that differ between the two compilers.
// complex has NumPy's arithmetic (plain products, Smith's quotient, lexicographic order); transcendental functions of
// complex arguments are in complex_math.h, which includes the compilers' own, since that costs compile time.
#pragma once

namespace gpusci {

// ---- IEEE half, a storage type: arithmetic happens in float.
struct half {
    uint16_t bits;
    half() = default;
    HD half(float x) { bits = from_float(x); }
    HD half(double x) { bits = from_double(x); }
    HD half(int x) : half(double(x)) {}
    HD half(unsigned x) : half(double(x)) {}
    HD half(long x) : half(double(x)) {}
    HD half(unsigned long x) : half(double(x)) {}
    HD half(long long x) : half(double(x)) {}
    HD half(unsigned long long x) : half(double(x)) {}
    HD half(bool x) : half(float(x)) {}
    HD operator float() const { return to_float(bits); }

#if defined(GPUSCI_CUDA) && defined(__CUDA_ARCH__)
    HD static float to_float(uint16_t b) { float y; asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(b)); return y; }
    HD static uint16_t from_float(float x) { uint16_t b; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(b) : "f"(x)); return b; }
    HD static uint16_t from_double(double x) { uint16_t b; asm("cvt.rn.f16.f64 %0, %1;" : "=h"(b) : "d"(x)); return b; }
#else
    static float to_float(uint16_t b) {
        const uint32_t sign = uint32_t(b & 0x8000u) << 16, mag = b & 0x7fffu;
        uint32_t u;
        if (mag >= 0x7c00u) u = sign | 0x7f800000u | ((mag & 0x3ffu) << 13);
        else if (mag >= 0x400u) u = sign | ((mag << 13) + 0x38000000u);
        else { float s = float(mag) * 0x1p-24f; std::memcpy(&u, &s, 4); u |= sign; }
        float y; std::memcpy(&y, &u, 4); return y;
    }
    static uint16_t from_float(float x) { return from_double(double(x)); }
    // One rounding, to nearest even.
    static uint16_t from_double(double x) {
        uint64_t u; std::memcpy(&u, &x, 8);
        const uint16_t sign = uint16_t((u >> 48) & 0x8000u);
        const double ax = x < 0 ? -x : x;
        if (x != x) return uint16_t(sign | 0x7e00u);
        if (ax >= 65520.0) return uint16_t(sign | 0x7c00u);
        if (ax < 0x1p-14) return uint16_t(sign | uint16_t(std::nearbyint(ax * 0x1p24)));
        uint64_t m = u & 0x7fffffffffffffffull;
        m += 0x1ffffffffffull + ((m >> 42) & 1);      // ties to even at bit 42
        return uint16_t(sign | uint16_t((m >> 42) - (1008u << 10)));
    }
#endif
};

// ---- complex
template <class T>
struct alignas(2 * sizeof(T)) complex {
    T re, im;
    complex() = default;
    HD complex(T r, T i = T(0)) : re(r), im(i) {}
    template <class U>
    HD explicit complex(const complex<U>& z) : re(T(z.re)), im(T(z.im)) {}
    HD complex& operator+=(const complex& b) { re += b.re; im += b.im; return *this; }
    HD complex& operator-=(const complex& b) { re -= b.re; im -= b.im; return *this; }
    HD complex& operator*=(const complex& b) { return *this = *this * b; }
    HD friend complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
    HD friend complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
    HD friend complex operator-(complex a) { return {-a.re, -a.im}; }
    HD friend complex operator*(complex a, complex b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    HD friend complex operator/(complex a, complex b) {           // Smith, CACM 5 (1962) 435
        const T r = b.re < 0 ? -b.re : b.re, s = b.im < 0 ? -b.im : b.im;
        if (r >= s) {
            if (r == 0 && s == 0) return {a.re / r, a.im / s};
            const T t = b.im / b.re, d = T(1) / (b.re + b.im * t);
            return {(a.re + a.im * t) * d, (a.im - a.re * t) * d};
        }
        const T t = b.re / b.im, d = T(1) / (b.im + b.re * t);
        return {(a.re * t + a.im) * d, (a.im * t - a.re) * d};
    }
    HD friend bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
    HD friend bool operator!=(complex a, complex b) { return !(a == b); }
    HD friend bool operator<(complex a, complex b) { return a.re < b.re || (a.re == b.re && a.im < b.im); }
    HD friend bool operator>(complex a, complex b) { return b < a; }
    HD friend bool operator<=(complex a, complex b) { return a.re < b.re || (a.re == b.re && a.im <= b.im); }
    HD friend bool operator>=(complex a, complex b) { return b <= a; }
};
template <class T> HD complex<T> conj(complex<T> z) { return {z.re, -z.im}; }

// ---- traits
template <class T> struct is_complex { static constexpr bool value = false; };
template <class T> struct is_complex<complex<T>> { static constexpr bool value = true; };
template <class T> struct is_float { static constexpr bool value = false; };
template <> struct is_float<half> { static constexpr bool value = true; };
template <> struct is_float<float> { static constexpr bool value = true; };
template <> struct is_float<double> { static constexpr bool value = true; };
template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };
template <bool C, class A, class B> struct choose { using type = A; };
template <class A, class B> struct choose<false, A, B> { using type = B; };
template <bool C, class A, class B> using choose_t = typename choose<C, A, B>::type;
// The type arithmetic happens in: half -> float, the rest as it is.
template <class T> using compute_t = choose_t<same<T, half>::value, float, T>;

// float or double to an integer, truncated, as NumPy does it on x86: unsigned types wrap (-3 to uint8 is 253), types of
// one and two bytes go through int32. What the signed type in between does not hold gives its smallest value, which is
// x86's answer; CUDA's own conversion would saturate.
template <class To, class From>
HD To to_integer(From x) {
    if constexpr (sizeof(To) < 4) return To(to_integer<int32_t>(x));
    else if constexpr (To(-1) > To(0)) {
        using Signed = choose_t<sizeof(To) == 4, int32_t, int64_t>;
        constexpr From top = sizeof(To) == 4 ? From(0x1p31) : From(0x1p63);
        return x >= top ? To(to_integer<Signed>(x - top)) ^ (To(1) << (8 * sizeof(To) - 1)) : To(to_integer<Signed>(x));
    } else {
#if defined(__CUDA_ARCH__)
        constexpr From limit = sizeof(To) == 4 ? From(0x1p31) : From(0x1p63);
        if (!(x >= -limit && x < limit)) return To(To(1) << (8 * sizeof(To) - 1));
#endif
        return To(x);
    }
}

// ---- conversion between any two dtypes, as NumPy's astype: complex to real drops the imaginary part, anything to
// bool is `!= 0`; float to integer as `to_integer`.
template <class To, class From>
struct convert {
    HD static To call(const From& x) {
        if constexpr (same<To, From>::value) return x;
        else if constexpr (is_complex<From>::value) {
            if constexpr (same<To, bool>::value) return x.re != 0 || x.im != 0;
            else if constexpr (is_complex<To>::value) return To(x);
            else return convert<To, decltype(x.re)>::call(x.re);
        } else if constexpr (is_complex<To>::value) return To(decltype(To::re)(x));
        else if constexpr (same<To, bool>::value) return compute_t<From>(x) != compute_t<From>(0);
        else if constexpr (same<From, half>::value) return convert<To, float>::call(float(x));
        else if constexpr (is_float<From>::value && !is_float<To>::value) return to_integer<To>(x);
        else return To(x);
    }
};
template <class To, class From> HD To cast(const From& x) { return convert<To, From>::call(x); }

// ---- arithmetic that must not be contracted into a fused multiply-add
HD double mul_rn(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}
HD float mul_rn(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

template <class T> HD T min_of(T a, T b) { return b < a ? b : a; }
template <class T> HD T max_of(T a, T b) { return a < b ? b : a; }

}  // namespace gpusci
