// Real arithmetic under the special functions: bits, error-free transformations, exp and log in working and in wide
// (about 1.2 times working) precision, sin(pi x). One source for float and double: float functions compute in float.
//
// Why own exp and log: gamma, the incomplete gamma and beta functions and erfc need exp(y) with y known beyond working
// precision (a y of 700 rounded to 2^-53 costs 700 ulp), and host loops over them must inline and vectorise.
// Error-free transformations: Dekker, Numer. Math. 18 (1971) 224; Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005)
// 1955. Argument reduction: Cody and Waite, Software Manual for the Elementary Functions (1980).
#pragma once
#include <gpusci/entry.h>

#if defined(GPUSCI_CUDA)
#define HDI HD
#else
#define HDI inline __attribute__((always_inline))
#endif

namespace gpusci {
namespace sf {

// ---- constants of a type
template <class T> struct fp;
template <> struct fp<double> {
    using bits = int64_t;
    static constexpr int mantissa = 52, bias = 1023;
    static constexpr double eps = 0x1p-52, max = 0x1.fffffffffffffp1023, min = 0x1p-1022, tiny = 0x1p-1074;
    static constexpr double log_max = 0x1.62e42fefa39efp9, log_tiny = -0x1.74385446d71c3p9;  // of max and of tiny
};
template <> struct fp<float> {
    using bits = int32_t;
    static constexpr int mantissa = 23, bias = 127;
    static constexpr float eps = 0x1p-23f, max = 0x1.fffffep127f, min = 0x1p-126f, tiny = 0x1p-149f;
    static constexpr float log_max = 0x1.62e430p6f, log_tiny = -0x1.9d1da0p6f;
};

// ---- bits
#if defined(__CUDA_ARCH__)
HDI int64_t to_bits(double x) { return __double_as_longlong(x); }
HDI int32_t to_bits(float x) { return __float_as_int(x); }
HDI double from_bits(int64_t b) { return __longlong_as_double(b); }
HDI float from_bits(int32_t b) { return __int_as_float(b); }
#else
HDI int64_t to_bits(double x) { int64_t b; memcpy(&b, &x, 8); return b; }
HDI int32_t to_bits(float x) { int32_t b; memcpy(&b, &x, 4); return b; }
HDI double from_bits(int64_t b) { double x; memcpy(&x, &b, 8); return x; }
HDI float from_bits(int32_t b) { float x; memcpy(&x, &b, 4); return x; }
#endif
template <class T> HDI T inf_of() {
    return from_bits(typename fp<T>::bits(2 * fp<T>::bias + 1) << fp<T>::mantissa);
}
template <class T> HDI T nan_of() {
    return from_bits(typename fp<T>::bits(4 * fp<T>::bias + 3) << (fp<T>::mantissa - 1));
}
template <class T> HDI bool is_nan(T x) { return x != x; }
template <class T> HDI T sel(bool c, T a, T b) { return c ? a : b; }

// ---- the compilers' own
HDI double fma_of(double a, double b, double c) { return fma(a, b, c); }
HDI float fma_of(float a, float b, float c) { return fmaf(a, b, c); }
HDI double abs_of(double x) { return fabs(x); }
HDI float abs_of(float x) { return fabsf(x); }
HDI double sqrt_of(double x) { return sqrt(x); }
HDI float sqrt_of(float x) { return sqrtf(x); }
HDI double floor_of(double x) { return floor(x); }
HDI float floor_of(float x) { return floorf(x); }
HDI double rint_of(double x) { return rint(x); }
HDI float rint_of(float x) { return rintf(x); }
HDI double sign_of(double x, double s) { return copysign(x, s); }
HDI float sign_of(float x, float s) { return copysignf(x, s); }

// a b + c, fused where that is one instruction.
template <class T> HDI T madd(T a, T b, T c) {
#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return fma_of(a, b, c);
#else
    return a * b + c;
#endif
}

// c0 + c1 x + c2 x^2 + ...
template <class T> HDI T poly(T, T c) { return c; }
template <class T, class... C> HDI T poly(T x, T c0, C... c) { return madd(poly(x, c...), x, c0); }

// (P(p) - P(q)) / (p - q) for P = c0 + c1 x + ..., without cancellation: Horner's scheme twice.
template <class T> struct horner2 { T value, slope; };
template <class T> HDI horner2<T> poly_both(T, T, T c) { return {c, T(0)}; }
template <class T, class... C> HDI horner2<T> poly_both(T p, T q, T c0, C... c) {
    const horner2<T> h = poly_both(p, q, c...);
    return {madd(h.value, p, c0), madd(h.slope, q, h.value)};
}
template <class T, class... C> HDI T poly_slope(T p, T q, C... c) { return poly_both(p, q, c...).slope; }

// ---- unevaluated sums. Products that enter them are mul_rn: CUDA would fuse them into the sums, and their rounding errors, kept
// apart on purpose, would count twice.
template <class T> struct wide { T hi, lo; };

template <class T> HDI wide<T> two_sum(T a, T b) {
    const T s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}
template <class T> HDI wide<T> fast_two_sum(T a, T b) {     // |a| >= |b| or a == 0
    const T s = a + b;
    return {s, b - (s - a)};
}
template <class T> HDI wide<T> two_prod(T a, T b) {
    const T p = mul_rn(a, b);
    return {p, fma_of(a, b, -p)};
}
template <class T> HDI wide<T> operator+(wide<T> a, wide<T> b) {
    wide<T> s = two_sum(a.hi, b.hi);
    return fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}
template <class T> HDI wide<T> operator+(wide<T> a, T b) {
    wide<T> s = two_sum(a.hi, b);
    return fast_two_sum(s.hi, s.lo + a.lo);
}
template <class T> HDI wide<T> operator-(wide<T> a) { return {-a.hi, -a.lo}; }
template <class T> HDI wide<T> operator-(wide<T> a, wide<T> b) { return a + -b; }
template <class T> HDI wide<T> operator*(wide<T> a, wide<T> b) {
    wide<T> p = two_prod(a.hi, b.hi);
    return fast_two_sum(p.hi, p.lo + madd(a.hi, b.lo, a.lo * b.hi));
}
template <class T> HDI wide<T> operator*(wide<T> a, T b) {
    wide<T> p = two_prod(a.hi, b);
    return fast_two_sum(p.hi, madd(a.lo, b, p.lo));
}
template <class T> HDI wide<T> operator/(wide<T> a, wide<T> b) {
    const T r = T(1) / b.hi, q = mul_rn(a.hi, r);
    const T rest = fma_of(-q, b.hi, a.hi) + madd(-q, b.lo, a.lo);
    return fast_two_sum(q, rest * r);
}

// ---- generated: constants and polynomials (derive.py)
#include "real_coefficients.h"

// ---- powers of two
template <class T> HDI T pow2(int k) {                      // 2^k, -bias < k <= bias
    return from_bits(typename fp<T>::bits(k + fp<T>::bias) << fp<T>::mantissa);
}
template <class T> HDI T scale2(T x, int k) {               // x 2^k for |k| < 2 bias, rounded once if x is normal
    const int half = k >> 1;
    return x * pow2<T>(half) * pow2<T>(k - half);
}

// ---- exponential
template <class T> struct scaled { T value; int k; };       // value 2^k

// exp(hi + lo): value in [0.7, 1.42], relative error before its last rounding below eps / 16.
template <class T> HDI scaled<T> exp_parts(T y, T y_lo) {
    const wide<T> sum = two_sum(y, y_lo);
    T hi = sum.hi, lo = sum.lo;
    constexpr bool d = same<T, double>::value;
    using C = real_constants<T>;                            // ln2_hi has trailing zeros: k ln2_hi is exact
    constexpr T magic = d ? T(0x1.8p52) : T(0x1.8p23f);
    constexpr T limit = d ? T(1400) : T(170);               // beyond it the result is 0 or infinite anyway
    lo = sel(abs_of(hi) > limit, T(0), lo);
    hi = sel(hi > limit, limit, hi);
    hi = sel(hi < -limit, -limit, hi);
    const T t = madd(hi, C::log2e, magic), k = t - magic;
    const T r0 = fma_of(-k, C::ln2_hi, hi), r1 = madd(-k, C::ln2_lo, lo);
    const wide<T> r = fast_two_sum(r0, r1), s = fast_two_sum(T(1), r.hi);
    const T value = s.hi + (s.lo + madd(r.hi * r.hi, exp_tail(r.hi), r.lo));
    return {value, int(to_bits(t) - to_bits(magic))};
}
template <class T> HDI T exp_wide(T hi, T lo, T factor = T(1)) {        // factor exp(hi + lo)
    const scaled<T> e = exp_parts(hi, lo);
    return scale2(e.value * factor, e.k);
}
template <class T> HDI T exp_of(T x) {
    const scaled<T> e = exp_parts(x, T(0));
    return scale2(e.value, e.k);
}

// ---- logarithm
// m 2^k = x with m in [sqrt(1/2), sqrt(2)); x > 0, also subnormal.
template <class T> HDI scaled<T> split2(T x) {
    using B = typename fp<T>::bits;
    constexpr B base = same<T, double>::value ? B(0x3fe6a09e667f3bcdll) : B(0x3f3504f3);   // bits of sqrt(1/2)
    constexpr int up = fp<T>::mantissa + 1;
    const bool small = x < fp<T>::min;
    const B b = to_bits(sel(small, x * pow2<T>(up), x)), k = (b - base) >> fp<T>::mantissa;
    return {from_bits(b - (k << fp<T>::mantissa)), int(k) - (small ? up : 0)};
}
// log(x), below one ulp; 0 gives -inf, negative and NaN give NaN.
template <class T> HDI T log_of(T x) {
    using C = real_constants<T>;
    const scaled<T> m = split2(x);
    const T k = T(m.k), f = m.value - T(1), s = f / (f + T(2)), w = s * s;
    const T rest = (w + w) * madd(w, log_tail(w), C::third_hi);
    const T y = madd(k, C::ln2_hi, f - madd(s, f - rest, -(k * C::ln2_lo)));
    const T bad = x == T(0) ? -inf_of<T>() : nan_of<T>();
    return sel(x > T(0), sel(x <= fp<T>::max, y, x), bad);
}
// log(1 + x): the rounding error of 1 + x put back.
template <class T> HDI T log1p_of(T x) {
    const wide<T> u = two_sum(T(1), x);
    const T y = log_of(u.hi);
    return u.hi > T(0) && u.hi <= fp<T>::max ? y + u.lo / u.hi : y;
}
// log(hi + lo) as a sum, error about eps / 4000 of the larger of itself and |hi + lo - 1|; hi > 0, finite.
template <class T> HDI wide<T> log_wide(T hi, T lo = T(0)) {
    using C = real_constants<T>;
    const scaled<T> m = split2(hi);
    lo = scale2(lo, -m.k);
    const wide<T> p = two_sum(m.value - T(1), lo), q = fast_two_sum(T(1), m.value);
    const T r = T(1) / q.hi, z = mul_rn(p.hi, r);
    const T z_lo = (fma_of(-z, q.hi, p.hi) + madd(-z, q.lo + lo, p.lo)) * r;
    const T s = mul_rn(z, z), s_lo = madd(z + z, z_lo, fma_of(z, z, -s));
    const T c = mul_rn(s, z), c_lo = madd(s_lo, z, madd(s, z_lo, fma_of(s, z, -c)));
    const T t = mul_rn(c, C::third_hi), t_lo = madd(c_lo, C::third_hi, madd(c, C::third_lo, fma_of(c, C::third_hi, -t)));
    const wide<T> u = fast_two_sum(z, t);
    const T tail = madd(c * s, log_tail(s), u.lo + (z_lo + t_lo));
    const T k = T(m.k);
    const wide<T> y = fast_two_sum(k * C::ln2_hi, u.hi + u.hi);
    return fast_two_sum(y.hi, y.lo + madd(k, C::ln2_lo, tail + tail));
}


// ---- sin(pi x), cos(pi x): the reduction is exact
template <class T> struct sine_cosine { T sin, cos; };
template <class T> HDI sine_cosine<T> sincospi_of(T x) {
    using C = real_constants<T>;
    const T k = rint_of(x + x), r = madd(T(-0.5), k, x), w = r * r;
    const T s = r * (C::pi_hi + madd(w, madd(w, sinpi_tail(w), C::sin3_hi), C::pi_lo));
    const T c = madd(w, madd(w, cospi_tail(w), C::cos2_hi), T(1));
    const T q = k - T(4) * floor_of(T(0.25) * k);           // 0, 1, 2, 3; NaN for infinite x
    const bool odd = (q == T(1)) | (q == T(3));
    const T a = sel(odd, c, s), b = sel(odd, s, c);
    return {q >= T(2) ? -a : a, ((q == T(1)) | (q == T(2))) ? -b : b};
}

}  // namespace sf
}  // namespace gpusci
