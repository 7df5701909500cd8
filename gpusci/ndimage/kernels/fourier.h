// Filters in the Fourier domain: every element times a factor of its frequencies. fourier_table writes a number for every
// coordinate of an axis; the filters join the numbers of an element's coordinates, outermost axis first.
//   fourier_product   their product (Gaussian, box)
//   fourier_radius    the transform of a ball at the root of their sum of squares
//   fourier_phase     the product of complex phases: no sine an element, and each axis' phase is reduced exactly
// Frequency k/n of an axis runs as in fftfreq, or from 0 up where a real transform of length n was taken along it.
#pragma once
#include "element.h"
#include "jinc.h"

namespace gpusci {

HD double fourier_sinc(double x) { return x > 0 || x < 0 ? sin(x) / x : 1.0; }

// kind 0 Gaussian of sigma `size`, 1 box of `size`, 2 radius, 3 phase of a shift by `size` (complex: two doubles)
template <class Index>
struct fourier_table {
    struct Args { double* table; int64_t length, n, real, kind; double size; };     // one axis; n: length before the transform
    HD static void at(Index i, const Args& a) {
        constexpr double pi = 3.14159265358979323846;
        const int64_t k = a.real || 2 * int64_t(i) < a.length + (a.length & 1) ? int64_t(i) : int64_t(i) - a.length;
        const double turns = double(k) * a.size / double(a.n), x = pi * turns;
        if (a.kind == 0) a.table[i] = exp(-2.0 * x * x);
        else if (a.kind == 1) a.table[i] = k == 0 ? 1.0 : a.size > 0 ? fourier_sinc(x) : 0.0;
        else if (a.kind == 2) a.table[i] = x;
        else {
            const double phase = 2.0 * pi * (turns - rint(turns));
            a.table[2 * i] = cos(phase), a.table[2 * i + 1] = -sin(phase);
        }
    }
};

template <class Op, class X, class Y, int R, class Index>
struct FourierFilter {
    using T = typename Op::T;
    struct Args { const X* x; Y* y; const T* table; int64_t shape[R], first[R]; };     // first: where an axis' numbers start

    HD static T outer(Index row, const Args& a) {
        Index place[R];
#pragma unroll
        for (int d = R - 2; d >= 0; --d) {
            const Index n = Index(a.shape[d]), q = row / n;
            place[d] = row - q * n;
            row = q;
        }
        T joined = Op::start();
#pragma unroll
        for (int d = 0; d < R - 1; ++d) joined = Op::join(joined, a.table[a.first[d] + place[d]]);
        return joined;
    }
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.shape[R - 1]), row = i / n;
        const T joined = Op::join(outer(row, a), a.table[a.first[R - 1] + (i - row * n)]);
        a.y[i] = Op::template apply<Y>(a.x[i], Op::template finish<R>(joined));
    }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) {
        constexpr int block = 256;
        const Index n = Index(a.shape[R - 1]);
        const T* last = a.table + a.first[R - 1];
        while (begin < end) {
            const Index row = begin / n, stop = std::min<Index>(end, (row + 1) * n);
            const T joined = outer(row, a), *t = last - row * n;
            for (; begin < stop; begin += block) {
                const int count = int(std::min<Index>(block, stop - begin));
                T factor[block];
                for (int k = 0; k < count; ++k) factor[k] = Op::join(joined, t[begin + k]);
                Op::template finish_all<R>(factor, count);
                for (int k = 0; k < count; ++k) a.y[begin + k] = Op::template apply<Y>(a.x[begin + k], factor[k]);
            }
            begin = stop;
        }
    }
#endif
};

template <class Y, class X>
HD Y fourier_scaled(const X& x, double factor) {
    if constexpr (is_complex<X>::value) {
        using T = decltype(Y::re);
        return Y(T(double(x.re) * factor), T(double(x.im) * factor));
    } else return cast<Y>(double(x) * factor);
}

struct FourierProduct {
    using T = double;
    HD static T start() { return 1.0; }
    HD static T join(T a, T b) { return a * b; }
    template <int R> HD static T finish(T factor) { return factor; }
    template <int R> static void finish_all(T*, int) {}
    template <class Y, class X> HD static Y apply(const X& x, T factor) { return fourier_scaled<Y>(x, factor); }
};

// Transform of a ball in 1, 2 or 3 dimensions: sin(r)/r, 2 J1(r)/r, 3 (sin r - r cos r)/r^3 (Bracewell, Two-Dimensional Imaging).
struct FourierRadius {
    using T = double;
    HD static T start() { return 0.0; }
    HD static T join(T a, T b) { return a + b * b; }
    template <class Y, class X> HD static Y apply(const X& x, T factor) { return fourier_scaled<Y>(x, factor); }
    template <int R>
    HD static T finish(T square) {
        const double r = sqrt(square);
        if constexpr (R == 1) return fourier_sinc(r);
        else if constexpr (R == 2) return jinc(r);
        else if (r > 1) return 3.0 * (sin(r) - r * cos(r)) / (r * r * r);
        double v = 1.0;                                 // its series below 1, where the difference cancels
#pragma unroll
        for (int m = 9; m > 0; --m) v = 1.0 - r * r * (1.0 / double(2 * m * (2 * m + 3))) * v;
        return v;
    }
#if !defined(GPUSCI_CUDA)
    template <int R>
    static void finish_all(T* v, int n) {
        double square[256];
        std::memcpy(square, v, size_t(n) * sizeof(T));
        if constexpr (R == 2) for (int k = 0; k < n; ++k) v[k] = jinc_below_8(square[k]);     // vectorised; the rest follows
        for (int k = 0; k < n; ++k)
            if (R != 2 || square[k] >= 64) v[k] = finish<R>(square[k]);
    }
#endif
};

struct FourierPhase {
    using T = complex<double>;
    HD static T start() { return {1.0, 0.0}; }
    HD static T join(T a, T b) { return a * b; }
    template <int R> HD static T finish(T phase) { return phase; }
    template <int R> static void finish_all(T*, int) {}
    template <class Y, class X>
    HD static Y apply(const X& x, T phase) {
        using P = decltype(Y::re);
        const T z = is_complex<X>::value ? cast<T>(x) * phase : T(cast<double>(x) * phase.re, cast<double>(x) * phase.im);
        return Y(P(z.re), P(z.im));
    }
};

template <class X, class Y, int R, class Index>
struct fourier_product : FourierFilter<FourierProduct, X, Y, R, Index> {};
template <class X, class Y, int R, class Index>
struct fourier_radius : FourierFilter<FourierRadius, X, Y, R, Index> {};
template <class X, class Y, int R, class Index>
struct fourier_phase : FourierFilter<FourierPhase, X, Y, R, Index> {};

}  // namespace gpusci
