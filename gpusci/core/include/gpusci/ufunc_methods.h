// ufunc.reduceat and ufunc.at.
#pragma once
#include "reduce_block.h"

namespace gpusci {

// Segment k of a line: [index[k], index[k + 1]) when that is not empty, else the element index[k]; the last one runs to the
// end. With `plain`, index has one more entry and empty segments are empty. Work item i is segment i % segments of line
// i / segments.
template <template <class> class Acc, class T, class X, int K, class Index>
struct reduceat {
    struct Args {
        const X* x;
        const int64_t* index;
        T* y;
        int64_t segments, length, step, plain;
        int64_t shape[K], stride[K];
        ErrorCell err;
    };
    template <class Body> HD static void segment(Index i, const Args& a, Body body) {
        const Index k = i % Index(a.segments), line = i / Index(a.segments);
        const int64_t begin = a.index[k], end = k + 1 < a.segments + a.plain ? a.index[k + 1] : a.length;
        if (begin < 0 || begin >= a.length + a.plain || end < 0 || end > a.length) {
            a.err.raise(1);
            return;
        }
        Index off = 0, rest = line;
#pragma unroll
        for (int d = K - 1; d >= 0; --d) {
            const Index n = Index(a.shape[d]), c = d ? rest % n : rest;
            rest /= n;
            off += c * Index(a.stride[d]);
        }
        body(a.x + off + Index(begin) * Index(a.step), Index(end > begin ? end - begin : !a.plain), a.y[i]);
    }
    HD static void at(Index i, const Args& a) {
        segment(i, a, [&](const X* x, Index n, T& y) {
            Acc<T> acc;
            acc.init();
            fold_run<T>(acc, x, Index(a.step), n, int64_t(0));
            acc.store(y, Finish{double(n), 0}, nullptr);
        });
    }
};

#if defined(GPUSCI_CUDA)
// A block per segment of contiguous lines with long segments.
template <template <class> class Acc, class T, class X, int K, class Index>
struct reduceat_block {
    static constexpr int threads = block_threads;
    using Portable = reduceat<Acc, T, X, K, Index>;
    using Args = typename Portable::Args;
    __device__ static void block(Index b, const Args& a) {
        Portable::segment(b, a, [&](const X* x, Index n, T& y) {
            Acc<T> acc;
            acc.init();
            block_fold<T>(acc, x, n, int64_t(0));
            block_merge(acc);
            if (threadIdx.x == 0) acc.store(y, Finish{double(n), 0}, nullptr);
        });
    }
};
#endif

// The same for functors that are not associative.
template <class F, class T, class X, int K, class Index>
struct reduceat_ordered {
    template <class U> using none = sum_acc<U>;
    using Portable = reduceat<none, T, X, K, Index>;
    using Args = typename Portable::Args;
    HD static void at(Index i, const Args& a) {
        Portable::segment(i, a, [&](const X* x, Index n, T& y) {
            T value = cast<T>(load_as<T>(*x));
            for (Index j = 1; j < n; ++j)
                value = cast<T>(checked<F>(compute_t<T>(value), load_as<T>(x[j * Index(a.step)]), a.err));
            y = value;
        });
    }
};

// ufunc.at: `place` holds element numbers of x, sorted, with equal ones in the order they were given; `from` says which
// operand each belongs to. The first of equal ones does the work of all, in order, as a loop over the indices would.
template <class F, int Inputs, class T, class X, class B, class Index>
struct at_places {
    struct Args {
        X* x;
        const B* b;
        const int64_t* place;
        const int64_t* from;
        int64_t n;
        ErrorCell err;
    };
    HD static void at(Index i, const Args& a) {
        const int64_t place = a.place[i];
        if (i > 0 && a.place[i - 1] == place) return;
        X value = a.x[place];
        for (int64_t j = i; j < a.n && a.place[j] == place; ++j) {
            if constexpr (Inputs == 1) value = cast<X>(F()(load_as<T>(value)));
            else value = cast<X>(cast<T>(checked<F>(load_as<T>(value), load_as<T>(a.b[a.from[j]]), a.err)));
        }
        a.x[place] = value;
    }
};

}  // namespace gpusci
