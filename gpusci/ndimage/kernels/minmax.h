// Minimum or maximum over a window along one axis, on integer keys in the input's own type (SciPy 1.17 goes through
// double and loses int64 above 2^53). A NaN makes its windows NaN, as numpy.minimum; SciPy's result then depends on the order.
// Host: windows of 2^k by doubling, then two overlapping ones: log2(window) + 1 comparisons an output.
#pragma once
#include "box.h"
#include "lines.h"

namespace gpusci {

struct MinMax { Line line; };

template <class X, bool maximum, class Index>
struct minmax {
    using K = key_t<X>;
    struct Args { const X* x; X* y; MinMax c; };

    HD static K best(K a, K b) { return maximum ? max_of(a, b) : min_of(a, b); }
    HD static K load(X x) { return to_key<!maximum>(x); }
    HD static K fill(const MinMax& c, int) { return load(constant_in<X>(c.line.cval)); }

    HD static void at(Index i, const Args& a) {
        const Line& g = a.c.line;
        const Place<Index> out(i, g);
        const Index first = out.p - Index(g.lo), n = Index(g.n), inner = Index(g.inner);
        K k{};
        for (Index j = 0; j < Index(g.window); ++j) {
            const Index q = edge<Index>(g.mode, first + j, n);
            const K v = q < 0 ? fill(a.c, 0) : load(a.x[out.base + q * inner]);
            k = j == 0 ? v : best(k, v);
        }
        a.y[i] = from_key<X>(k);
    }

#if !defined(GPUSCI_CUDA)
    struct Op {
        using Buf = K;
        static constexpr bool needs_spare = false;
        static K load(X x) { return minmax::load(x); }
        static K fill(const MinMax& c, int part) { return minmax::fill(c, part); }
        static void apply(K* b, K*, int64_t len, int64_t step, const MinMax& c) {
            const int64_t window = c.line.window;
            int64_t size = 1, left = len + (window - 1) * step;
            for (; 2 * size <= window; size *= 2) join(b, left -= size * step, size * step);
            if (size < window) join(b, len, (window - size) * step);
        }
        static void join(K* b, int64_t len, int64_t shift) {
#pragma GCC ivdep
            for (int64_t i = 0; i < len; ++i) b[i] = best(b[i], b[i + shift]);
        }
        static void store(X* y, const K* b, int64_t len, const MinMax&) {
            for (int64_t i = 0; i < len; ++i) y[i] = from_key<X>(b[i]);
        }
    };
    static void range(Index begin, Index end, const Args& a) {
        LineRunner<Op, X, X, MinMax>(a.c).run(a.x, a.y, begin, end);
    }
#endif
};

// The same under a window of any shape.
template <class X, bool maximum, int R, class Index>
struct extreme {
    using K = key_t<X>;
    struct Args { const X* x; X* y; Window<R> window; };

    HD static K best(K a, K b) { return maximum ? max_of(a, b) : min_of(a, b); }
    HD static K load(X x) { return to_key<!maximum>(x); }

    HD static void at(Index i, const Args& a) {
        const Window<R>& g = a.window;
        const WindowAt<R, Index> window(i, g);
        const Index column = i % Index(g.inner);
        K k{};
        for (Index t = 0; t < Index(g.taps); ++t) {
            const Index e = window.element(g, g.table + t * (R + 1), column);
            const K v = load(e < 0 ? constant_in<X>(g.cval) : a.x[e]);
            k = t == 0 ? v : best(k, v);
        }
        a.y[i] = from_key<X>(k);
    }

#if !defined(GPUSCI_CUDA)
    struct Op {
        using Buf = K;
        static constexpr int64_t rows = 16;
        int64_t taps;
        Scratch<int64_t> offset;
        explicit Op(const Window<R>& g) : taps(g.taps), offset(g.taps) {}
        static K load(X x) { return extreme::load(x); }
        static K fill(const Window<R>& g, int) { return load(constant_in<X>(g.cval)); }
        void filled(const K*, int64_t) {}
        void row(const K* b, X* y, int64_t len) {
            constexpr int L = lanes<K>;
            for (int64_t i = 0; i < len; i += L) {
                vec<K> k = load_vec(b + offset[0] + i);
                for (int64_t t = 1; t < taps; ++t) {
                    const vec<K> v = load_vec(b + offset[t] + i);
                    k = (maximum ? k < v : v < k) ? v : k;
                }
                K found[L];
                store_vec(found, k);
                for (int64_t j = 0; j < std::min<int64_t>(L, len - i); ++j) y[i + j] = from_key<X>(found[j]);
            }
        }
    };
    static void range(Index begin, Index end, const Args& a) {
        Op op(a.window);
        BoxRunner<Op, X, X, R>(a.window, op).run(a.x, a.y, begin, end);
    }
#endif
};

}  // namespace gpusci
