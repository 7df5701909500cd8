// Mean over a window along one axis. Each window is summed on its own, in double, so a NaN or an infinity stays in the
// windows that hold it, and sums of integers are exact; then divided by the size and truncated as SciPy does.
// Host: sums of 2^k neighbours by doubling, put together by the binary digits of the window: about 2 log2(window) additions.
// SciPy keeps one running sum along the line (1.17), which spreads a NaN to the line's end.
#pragma once
#include "lines.h"

namespace gpusci {

struct Uniform { Line line; };

template <class X, class Y, class Index>
struct uniform {
    struct Args { const X* x; Y* y; Uniform c; };

    // A float32 result hides the rounding of a reciprocal; every other type gets the correctly rounded quotient.
    HD static double mean(double sum, const Line& g) {
        if constexpr (same<Y, float>::value) return sum * (1.0 / double(g.window));
        else return sum / double(g.window);
    }
    HD static void at(Index i, const Args& a) {
        const Line& g = a.c.line;
        const Place<Index> out(i, g);
        const Index first = out.p - Index(g.lo), n = Index(g.n), inner = Index(g.inner);
        double sum = 0;
        if (first >= 0 && first + Index(g.window) <= n) {
            const X* x = a.x + out.base + first * inner;
            for (Index k = 0; k < Index(g.window); ++k) sum += double(x[k * inner]);
        } else
            for (Index k = 0; k < Index(g.window); ++k) {
                const Index q = edge<Index>(g.mode, first + k, n);
                sum += q < 0 ? g.cval[out.part] : double(a.x[out.base + q * inner]);
            }
        a.y[i] = to_output<Y>(mean(sum, g));
    }

#if !defined(GPUSCI_CUDA)
    struct Op {
        using Buf = double;
        static constexpr bool needs_spare = true;
        static double load(X x) { return double(x); }
        static double fill(const Uniform& c, int part) { return c.line.cval[part]; }
        static void apply(double* b, double* sum, int64_t len, int64_t step, const Uniform& c) {
            const int64_t window = c.line.window;
            int64_t done = 0, left = len + (window - 1) * step;
            for (int64_t size = 1;; size *= 2) {                    // b[i]: sum of `size` inputs from i on
                if (window & size) {
                    const double* part = b + done * step;
                    if (done == 0) std::memcpy(sum, part, size_t(len) * sizeof(double));
                    else for (int64_t i = 0; i < len; ++i) sum[i] += part[i];
                    done += size;
                }
                if (done == window) break;
                left -= size * step;
#pragma GCC ivdep
                for (int64_t i = 0; i < left; ++i) b[i] += b[i + size * step];
            }
            std::memcpy(b, sum, size_t(len) * sizeof(double));
        }
        static void store(Y* y, const double* b, int64_t len, const Uniform& c) {
            for (int64_t i = 0; i < len; ++i) y[i] = to_output<Y>(mean(b[i], c.line));
        }
    };
    static void range(Index begin, Index end, const Args& a) {
        LineRunner<Op, X, Y, Uniform>(a.c).run(a.x, a.y, begin, end);
    }
#endif
};

}  // namespace gpusci
