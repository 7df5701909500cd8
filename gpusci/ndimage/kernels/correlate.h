// Correlation with weights of any shape, in double and in SciPy's order: C order over the taps, weights of magnitude up to
// DBL_EPSILON left out (a zero weight must not carry a NaN or an infinity into the sum). Cost: one multiply-add a tap.
#pragma once
#include "box.h"

namespace gpusci {

template <class W, int R>
struct Correlate {
    Window<R> window;
    const W* w;                 // one weight a tap
    int64_t flip;               // a convolution whose weights stay as they lie on the device: the last weight goes first
    HD double weight(int64_t tap) const { return double(w[flip ? window.taps - 1 - tap : tap]); }
};
HD bool counts(double w) { return w > 2.220446049250313e-16 || w < -2.220446049250313e-16; }

template <class X, class Y, class W, int R, class Index>
struct correlate {
    struct Args { const X* x; Y* y; Correlate<W, R> c; };

    HD static void at(Index i, const Args& a) {
        const Window<R>& g = a.c.window;
        const WindowAt<R, Index> window(i, g);
        const Index column = i % Index(g.inner);
        double sum = 0;
        for (Index t = 0; t < Index(g.taps); ++t) {
            const double w = a.c.weight(t);
            if (!counts(w)) continue;
            const Index e = window.element(g, g.table + t * (R + 1), column);
            sum = add_product<truncates<Y>>(sum, e < 0 ? g.cval[window.part] : double(a.x[e]), w);
        }
        a.y[i] = to_output<Y>(sum);
    }

#if !defined(GPUSCI_CUDA)
    struct Op {
        using Buf = double;
        static constexpr int64_t rows = 16;
        const Correlate<W, R>& c;
        Scratch<int64_t> offset;
        explicit Op(const Correlate<W, R>& correlate) : c(correlate), offset(correlate.window.taps) {}
        void filled(const double*, int64_t) {}
        static double load(X x) { return double(x); }
        static double fill(const Window<R>& g, int part) { return g.cval[part]; }
        void row(const double* b, Y* y, int64_t len) {
            constexpr int L = lanes<double>;
            for (int64_t i = 0; i < len; i += 4 * L) {
                vec<double> s[4] = {};
                for (int64_t t = 0; t < c.window.taps; ++t) {
                    const double w = c.weight(t);
                    if (!counts(w)) continue;
                    const double* p = b + offset[t] + i;
                    for (int v = 0; v < 4; ++v) s[v] += load_vec(p + v * L) * w;
                }
                double sums[4 * L];
                for (int v = 0; v < 4; ++v) store_vec(sums + v * L, s[v]);
                if (len - i >= 4 * L) for (int k = 0; k < 4 * L; ++k) y[i + k] = to_output<Y>(sums[k]);
                else for (int k = 0; k < len - i; ++k) y[i + k] = to_output<Y>(sums[k]);
            }
        }
    };
    static void range(Index begin, Index end, const Args& a) {
        Op op(a.c);
        BoxRunner<Op, X, Y, R>(a.c.window, op).run(a.x, a.y, begin, end);
    }
#endif
};

}  // namespace gpusci
