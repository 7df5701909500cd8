// math<complex<T>>: transcendental functions of complex arguments, with C99's (Annex G) special values and branch cuts,
// signed zeros included. Inverse functions: W. Kahan, "Branch cuts for complex elementary functions" (1987), section
// "Algorithms"; they use no product that cancels. log near |z| = 1 and log1p sum exact products (fused multiply-add).
// Error of the modulus against mpmath: at most 2.3 ulp (NumPy 2.4 on the same points: 2.3, and 5 for exp2), measured by
// test_complex_functions_against_mpmath in tests/core/test_ufunc.py. Powers lose what the logarithm is multiplied by.
#pragma once
#include "functors.h"

namespace gpusci {

template <class T>
struct math<complex<T>> {
    using M = math<T>;
    using C = complex<T>;
    static constexpr bool SINGLE = sizeof(T) == 4;
    // Beyond OVERFLOW_AT exp overflows; HUGE_ROOT squared does; below SMALL squares lose bits.
    static constexpr T OVERFLOW_AT = SINGLE ? T(88.0) : T(709.0), SATURATED = SINGLE ? T(12.0) : T(22.0);
    static constexpr T LARGE = SINGLE ? T(1e18) : T(1e153), SMALL = SINGLE ? T(1e-18) : T(1e-153);
    static constexpr T HALF_PI = T(1.5707963267948966), LN2 = T(0.6931471805599453);
    static constexpr T LN2_LOW = SINGLE ? T(-1.904654299957768e-9) : T(2.3190468138462996e-17);  // log 2 - LN2
    static constexpr T LOG2_E = T(1.4426950408889634), LOG10_E = T(0.4342944819032518);

    HD static T fma(T a, T b, T c) { return ::fma(a, b, c); }
    HD static bool finite(T x) { return x - x == T(0); }
    HD static bool nan(T x) { return x != x; }
    HD static T infinity() { return T(1) / T(0); }
    HD static C i_times(C z) { return {-z.im, z.re}; }              // i z
    HD static C over_i(C z) { return {z.im, -z.re}; }               // z / i
    HD static C rint(C z) { return {M::rint(z.re), M::rint(z.im)}; }

    // ---- exponentials
    // e^x (cos y, sin y), where e^x alone may overflow.
    HD static C polar_exp(T x, T y) {
        const T c = M::cos(y), s = M::sin(y);
        if (x > OVERFLOW_AT) {
            const T half = M::exp(x * T(0.5));
            return {half * c * half, half * s * half};
        }
        const T e = M::exp(x);
        return {e * c, e * s};
    }
    HD static C exp(C z) {
        if (z.im == T(0)) return {M::exp(z.re), z.im};
        if (finite(z.im)) return z.re != z.re ? C(z.re, z.re) : polar_exp(z.re, z.im);
        if (z.re == infinity()) return {z.re, z.im - z.im};
        if (z.re == -infinity()) return {T(0), M::copysign(T(0), z.im)};
        return {z.im - z.im, z.im - z.im};
    }
    HD static C exp2(C z) {
        if (z.im == T(0)) return {M::exp2(z.re), z.im};
        if (!finite(z.re) || !finite(z.im)) return exp(z);
        // y log 2 in two pieces: its rounding error would be the result's.
        const T y = z.im * LN2, low = fma(z.im, LN2, -y) + z.im * LN2_LOW, c = M::cos(y), s = M::sin(y);
        const T half = M::exp2(z.re * T(0.5));
        return {half * (c - low * s) * half, half * (s + low * c) * half};
    }
    HD static C expm1(C z) {
        if (!finite(z.re) || !finite(z.im) || z.re > OVERFLOW_AT) {
            const C w = exp(z);
            return {w.re - T(1), w.im};
        }
        const T s = M::sin(z.im * T(0.5));
        return {M::expm1(z.re) * M::cos(z.im) - T(2) * s * s, M::exp(z.re) * M::sin(z.im)};
    }

    // ---- logarithms
    HD static C log(C z) { return {log_modulus(z.re, z.im), M::atan2(z.im, z.re)}; }
    HD static C log2(C z) { const C w = log(z); return {w.re * LOG2_E, w.im * LOG2_E}; }
    HD static C log10(C z) { const C w = log(z); return {w.re * LOG10_E, w.im * LOG10_E}; }
    HD static C log1p(C z) {
        const T x = z.re, y = z.im;
        // Where |1 + z| is near 1: |1 + z|^2 - 1 = 2x + x^2 + y^2 in twice the precision.
        if (M::fabs(x) < T(4) && M::fabs(y) < T(2)) {
            const T p = x * x, q = y * y, e = fma(x, x, -p) + fma(y, y, -q);
            const T a = T(2) * x + p, a_low = p - (a - T(2) * x);          // |2x| >= p or no cancelling
            const T b = a + q, v = b - a, b_low = (a - (b - v)) + (q - v);
            if (b > T(-0.5)) return {T(0.5) * M::log1p(b + (a_low + b_low + e)), M::atan2(y, T(1) + x)};
        }
        return log(C(T(1) + x, y));
    }
    HD static T log_modulus(T x, T y) {
        x = M::fabs(x), y = M::fabs(y);
        if (x < y) { const T t = x; x = y, y = t; }
        if (x > T(0.5) && x < T(2) && y < T(2)) {
            const T p = x * x, q = y * y, low = fma(x, x, -p) + fma(y, y, -q);
            return T(0.5) * M::log1p(((p - T(1)) + q) + low);
        }
        if (x > LARGE && x < infinity()) return M::log(M::hypot(x * T(0.25), y * T(0.25))) + T(2) * LN2;
        return M::log(M::hypot(x, y));
    }

    // ---- powers
    HD static C sqrt(C z) {
        T x = z.re, y = z.im, scale = T(1);
        if (M::isinf(y)) return {infinity(), y};
        if (nan(x) || (nan(y) && finite(x))) return {x + y, x + y};
        if (x == infinity()) return {x, nan(y) ? y : M::copysign(T(0), y)};
        if (x == -infinity()) return {nan(y) ? y : T(0), M::copysign(infinity(), y)};
        if (x == T(0) && y == T(0)) return {T(0), y};
        const T larger = M::fabs(x) > M::fabs(y) ? M::fabs(x) : M::fabs(y);
        if (larger > LARGE) x *= T(0.0625), y *= T(0.0625), scale = T(4);
        else if (larger < SMALL) {
            const T up = SINGLE ? T(0x1p48) : T(0x1p108);
            x *= up, y *= up, scale = SINGLE ? T(0x1p-24) : T(0x1p-54);
        }
        const T t = M::sqrt((M::fabs(x) + M::hypot(x, y)) * T(0.5)), u = M::fabs(y) / (t + t);
        return x >= T(0) ? C(scale * t, M::copysign(scale * u, y)) : C(scale * u, M::copysign(scale * t, y));
    }
    // As NumPy: small whole exponents by multiplication, 0 to a power only where the limit is plain.
    HD static C pow(C a, C b) {
        if (b.re == T(0) && b.im == T(0)) return C(T(1));
        if (a.re == T(0) && a.im == T(0)) {
            const T bad = infinity() - infinity();
            return b.re > T(0) ? C(T(0)) : C(bad, bad);
        }
        if (b.im == T(0) && b.re > T(-100) && b.re < T(100) && M::trunc(b.re) == b.re) {
            int n = int(M::fabs(b.re));
            C result(T(1)), factor = a;
            for (bool started = false; n; n >>= 1) {
                if (n & 1) result = started ? result * factor : factor, started = true;
                if (n > 1) factor = factor * factor;
            }
            return b.re < T(0) ? C(T(1)) / result : result;
        }
        return exp(b * log(a));
    }

    // ---- hyperbolic and trigonometric functions: f(z) of the circle is f(iz) of the hyperbola
    HD static C sinh(C z) {
        const T x = z.re, y = z.im;
        if (y == T(0)) return {M::sinh(x), y};
        if (!finite(y)) return {x == T(0) ? x : M::isinf(x) ? infinity() : y - y, y - y};
        if (M::fabs(x) > OVERFLOW_AT) {
            const C e = polar_exp(M::fabs(x) - LN2, y);
            return {M::copysign(T(1), x) * e.re, e.im};
        }
        return {M::sinh(x) * M::cos(y), M::cosh(x) * M::sin(y)};
    }
    HD static C cosh(C z) {
        const T x = z.re, y = z.im;
        if (y == T(0)) return {M::cosh(x), nan(x) ? y : M::copysign(T(1), x) * y};
        if (!finite(y)) return {M::isinf(x) ? infinity() : y - y, x == T(0) ? x : y - y};
        if (x == T(0)) return {M::cos(y), x * M::sin(y)};
        if (M::fabs(x) > OVERFLOW_AT) {
            const C e = polar_exp(M::fabs(x) - LN2, y);
            return {e.re, M::copysign(T(1), x) * e.im};
        }
        return {M::cosh(x) * M::cos(y), M::sinh(x) * M::sin(y)};
    }
    HD static C tanh(C z) {
        const T x = z.re, y = z.im;
        if (nan(x)) return {x, y == T(0) ? y : x};
        if (!finite(y)) {
            if (M::isinf(x)) return {M::copysign(T(1), x), M::copysign(T(0), y)};
            return {x == T(0) ? x : y - y, y - y};
        }
        if (M::fabs(x) > SATURATED) {                           // 1 - tanh is below half an ulp
            const T e = M::exp(-M::fabs(x));
            return {M::copysign(T(1), x), T(4) * M::sin(y) * M::cos(y) * e * e};
        }
        const T t = M::tan(y), beta = T(1) + t * t, s = M::sinh(x), rho = M::sqrt(T(1) + s * s), d = T(1) + beta * s * s;
        return {beta * rho * s / d, t / d};
    }
    HD static C sin(C z) {
        if (M::isinf(z.im) && !finite(z.re)) return {z.re - z.re, infinity()};
        return over_i(sinh(i_times(z)));
    }
    HD static C cos(C z) { return cosh(i_times(z)); }
    HD static C tan(C z) { return over_i(tanh(i_times(z))); }

    // ---- their inverses
    HD static C arcsin(C z) {
        // C leaves this infinity's sign open and NumPy takes the NaN's, which a negation may lose.
        if (M::isinf(z.re) && nan(z.im)) return {z.im, M::copysign(infinity(), z.im)};
        return over_i(arcsinh(i_times(z)));
    }
    HD static C arctan(C z) { return over_i(arctanh(i_times(z))); }
    HD static C arccos(C z) {
        const T x = z.re, y = z.im;
        if (M::isinf(x) || M::isinf(y)) return {M::atan2(M::fabs(y), x), M::copysign(infinity(), M::signbit(y) ? T(1) : T(-1))};
        if (nan(x) || nan(y)) return {x == T(0) ? HALF_PI : x + y, x + y};
        const C minus = sqrt(C(T(1) - x, -y)), plus = sqrt(C(T(1) + x, y));
        return {T(2) * M::atan2(minus.re, plus.re), M::arcsinh(plus.re * minus.im - plus.im * minus.re)};
    }
    HD static C arccosh(C z) {
        const T x = z.re, y = z.im;
        if (M::isinf(x) || M::isinf(y)) return {infinity(), M::atan2(y, x)};
        if (nan(x) || nan(y)) return {x + y, x == T(0) ? HALF_PI : x + y};
        const C minus = sqrt(C(x - T(1), y)), plus = sqrt(C(x + T(1), y));
        return {M::arcsinh(minus.re * plus.re + minus.im * plus.im), T(2) * M::atan2(minus.im, plus.re)};
    }
    HD static C arcsinh(C z) {
        const T x = z.re, y = z.im;
        if (M::isinf(x) || M::isinf(y)) return {M::copysign(infinity(), x), M::atan2(y, M::fabs(x))};
        if (nan(x) || nan(y)) return {x + y, y == T(0) ? y : x + y};
        // With u = iz: asinh z = asin(u) / i.
        const C minus = sqrt(C(T(1) + y, -x)), plus = sqrt(C(T(1) - y, x));
        return {M::arcsinh(minus.re * plus.im - minus.im * plus.re), M::atan2(y, minus.re * plus.re - minus.im * plus.im)};
    }
    HD static C arctanh(C z) {
        const T x = M::fabs(z.re), y = z.im;
        if (M::isinf(x) || M::isinf(y)) return {M::copysign(T(0), z.re), nan(y) ? y : M::copysign(HALF_PI, y)};
        if (nan(x) || nan(y)) return {x == T(0) ? z.re : x + y, x + y};
        T re, im;
        if (x > LARGE || M::fabs(y) > LARGE) {                  // atanh z = 1/z +- i pi/2
            const T r = M::hypot(x * T(0.5), y * T(0.5));
            re = x / r / r * T(0.25), im = M::copysign(HALF_PI, y);
        } else if (x == T(1) && M::fabs(y) < T(1)) {            // the quotient below could underflow
            re = y == T(0) ? infinity() : T(0.5) * (M::log(M::hypot(T(2), y)) - M::log(M::fabs(y)));
            im = y == T(0) ? y : T(0.5) * (M::copysign(HALF_PI, y) + M::arctan(y * T(0.5)));
        } else {
            const T d = T(1) - x;
            re = T(0.25) * M::log1p(T(4) * x / (d * d + y * y));
            im = T(0.5) * M::atan2(y + y, d * (T(1) + x) - y * y);
        }
        return {M::copysign(re, z.re), im};
    }
};

}  // namespace gpusci
