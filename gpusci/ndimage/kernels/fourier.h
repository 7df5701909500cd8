// Filters in the Fourier domain: every element times a factor of its frequencies. Frequency k/n of an axis runs as in fftfreq, or
// from 0 up where a real transform of length n was taken along it. fourier_table writes one number per axis and coordinate,
// the others combine those of an element: their product, a ball's transform of their sum of squares, a phase.
#pragma once
#include "element.h"

namespace gpusci {

HD double fourier_sinc(double x) { return x > 0 || x < 0 ? sin(x) / x : 1.0; }

// kind 0 Gaussian of sigma `size`, 1 box of `size`, 2 radius, 3 phase of a shift by `size`
template <class Index>
struct fourier_table {
    struct Args { double* table; int64_t length, n, real, kind; double size; };    // one axis; n: length before the transform
    HD static void at(Index i, const Args& a) {
        constexpr double pi = 3.14159265358979323846;
        const int64_t k = a.real || 2 * int64_t(i) < a.length + (a.length & 1) ? int64_t(i) : int64_t(i) - a.length;
        const double f = double(k) / double(a.n), x = pi * f * a.size;
        if (a.kind == 0) a.table[i] = exp(-2.0 * x * x);
        else if (a.kind == 1) a.table[i] = k == 0 ? 1.0 : a.size > 0 ? fourier_sinc(x) : 0.0;
        else if (a.kind == 2) a.table[i] = x;
        else {                                                  // in turns, whole ones taken off exactly
            const double turns = double(k) * a.size / double(a.n);
            a.table[i] = turns - rint(turns);
        }
    }
};

template <class X, class Y>
HD Y fourier_scaled(const X& x, double factor) {
    if constexpr (is_complex<X>::value) {
        using T = decltype(Y::re);
        return Y(T(double(x.re) * factor), T(double(x.im) * factor));
    } else return cast<Y>(double(x) * factor);
}

template <class X, class Y, int R, class Index>
struct fourier_product {
    struct Args { const X* x; Y* y; const double* table; int64_t shape[R], first[R]; };
    HD static void at(Index i, const Args& a) {
        double factor = 1;
        Index rest = i;
#pragma unroll
        for (int d = R - 1; d >= 0; --d) {
            const Index n = Index(a.shape[d]), q = rest / n;
            factor *= a.table[a.first[d] + (rest - q * n)];
            rest = q;
        }
        a.y[i] = fourier_scaled<X, Y>(a.x[i], factor);
    }
};

// Transform of a ball in 1, 2 or 3 dimensions at radius r: sin(r)/r, 2 J1(r)/r, 3 (sin r - r cos r)/r^3 (Bracewell).
template <int R>
HD double fourier_ball(double r) {
    if constexpr (R == 1) return fourier_sinc(r);
    else if constexpr (R == 2) return r > 0 ? 2.0 * j1(r) / r : 1.0;
    else return r > 1e-2 ? 3.0 * (sin(r) - r * cos(r)) / (r * r * r)            // below, the series: no cancellation
                         : 1.0 - r * r / 10.0 * (1.0 - r * r / 28.0);
}

template <class X, class Y, int R, class Index>
struct fourier_radius {
    struct Args { const X* x; Y* y; const double* table; int64_t shape[R], first[R]; };
    HD static void at(Index i, const Args& a) {
        double square = 0;
        Index rest = i;
#pragma unroll
        for (int d = R - 1; d >= 0; --d) {
            const Index n = Index(a.shape[d]), q = rest / n;
            const double x = a.table[a.first[d] + (rest - q * n)];
            square += x * x;
            rest = q;
        }
        a.y[i] = fourier_scaled<X, Y>(a.x[i], fourier_ball<R>(sqrt(square)));
    }
};

template <class X, class Y, int R, class Index>
struct fourier_phase {
    struct Args { const X* x; Y* y; const double* table; int64_t shape[R], first[R]; };
    HD static void at(Index i, const Args& a) {
        double turns = 0;
        Index rest = i;
#pragma unroll
        for (int d = R - 1; d >= 0; --d) {
            const Index n = Index(a.shape[d]), q = rest / n;
            turns -= a.table[a.first[d] + (rest - q * n)];
            rest = q;
        }
        using T = decltype(Y::re);
        const double phase = 6.28318530717958647692 * (turns - rint(turns));
        const complex<double> z = cast<complex<double>>(a.x[i]) * complex<double>(cos(phase), sin(phase));
        a.y[i] = Y(T(z.re), T(z.im));
    }
};

}  // namespace gpusci
