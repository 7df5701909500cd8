// Correlation of every line along one axis with given weights, in double as SciPy: the sum runs in SciPy's order
// (symmetric and antisymmetric weights folded about the centre, else the last tap first), so that truncated results agree.
// Cost: `window` multiply-adds an output; on the host from a tile of doubles, four vectors of outputs at a time.
#pragma once
#include "lines.h"

namespace gpusci {

struct Correlate1d {
    Line line;
    const double* w;
    int64_t fold;           // 1 symmetric, -1 antisymmetric, 0 neither
};

template <class X, class Y, class Index>
struct correlate1d {
    struct Args { const X* x; Y* y; Correlate1d c; };

    HD static double input(Index p, Index base, int part, const Args& a) {
        const Line& g = a.c.line;
        const Index q = edge<Index>(g.mode, p, Index(g.n));
        return q < 0 ? g.cval[part] : double(a.x[base + q * Index(g.inner)]);
    }
    HD static void at(Index i, const Args& a) {
        constexpr bool exact = truncates<Y>;
        const Line& g = a.c.line;
        const double* w = a.c.w;
        const Place<Index> out(i, g);
        const Index first = out.p - Index(g.lo), taps = Index(g.window), half = taps / 2;
        double sum;
        if (a.c.fold) {
            const double sign = double(a.c.fold);
            sum = mul_rn(input(first + half, out.base, out.part, a), w[half]);
            for (Index k = 0; k < half; ++k)
                sum = add_product<exact>(sum, input(first + k, out.base, out.part, a) +
                                         sign * input(first + (taps - 1 - k), out.base, out.part, a), w[k]);
        } else {
            sum = mul_rn(input(first + (taps - 1), out.base, out.part, a), w[taps - 1]);
            for (Index k = 0; k + 1 < taps; ++k)
                sum = add_product<exact>(sum, input(first + k, out.base, out.part, a), w[k]);
        }
        a.y[i] = to_output<Y>(sum);
    }

#if !defined(GPUSCI_CUDA)
    struct Op {
        using Buf = double;
        static constexpr bool needs_spare = false;
        static double load(X x) { return double(x); }
        static double fill(const Correlate1d& c, int part) { return c.line.cval[part]; }
        static void apply(double* b, double*, int64_t len, int64_t step, const Correlate1d& c) {
            for (int64_t i = 0; i < len; i += 4 * lanes<double>) block(b + i, step, c);
        }
        static void block(double* b, int64_t step, const Correlate1d& c) {
            constexpr int L = lanes<double>;
            const int64_t taps = c.line.window, half = taps / 2;
            const double* w = c.w;
            vec<double> s[4];
            if (c.fold) {
                const double* centre = b + half * step;
                for (int v = 0; v < 4; ++v) s[v] = load_vec(centre + v * L) * w[half];
                for (int64_t k = 0; k < half; ++k) {
                    const double *l = b + k * step, *r = b + (taps - 1 - k) * step;
                    if (c.fold > 0)
                        for (int v = 0; v < 4; ++v) s[v] += (load_vec(l + v * L) + load_vec(r + v * L)) * w[k];
                    else
                        for (int v = 0; v < 4; ++v) s[v] += (load_vec(l + v * L) - load_vec(r + v * L)) * w[k];
                }
            } else {
                const double* last = b + (taps - 1) * step;
                for (int v = 0; v < 4; ++v) s[v] = load_vec(last + v * L) * w[taps - 1];
                for (int64_t k = 0; k + 1 < taps; ++k)
                    for (int v = 0; v < 4; ++v) s[v] += load_vec(b + k * step + v * L) * w[k];
            }
            for (int v = 0; v < 4; ++v) store_vec(b + v * L, s[v]);     // later blocks read beyond these
        }
        static void store(Y* y, const double* b, int64_t len, const Correlate1d&) {
            for (int64_t i = 0; i < len; ++i) y[i] = to_output<Y>(b[i]);
        }
    };
    static void range(Index begin, Index end, const Args& a) {
        LineRunner<Op, X, Y, Correlate1d>(a.c).run(a.x, a.y, begin, end);
    }
#endif
};

}  // namespace gpusci
