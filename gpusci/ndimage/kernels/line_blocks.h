// The block kernels of correlate1d, uniform and minmax: see tiles.h. Same results as the at-forms (a float result of correlate1d
// up to the order of its sum, which is in double).
#pragma once
#include "correlate1d.h"
#include "minmax.h"
#include "tiles.h"
#include "uniform.h"
#if defined(GPUSCI_CUDA)

namespace gpusci {

template <class X, class Y>
struct CorrelateOp {
    using S = typename shared_real<X>::type;
    static constexpr bool exact = truncates<Y>;
    __device__ static S load(X x) { return S(x); }
    __device__ static S fill(const Correlate1d& c, int part) { return S(c.line.cval[part]); }

    // Taps k ... k + 7, `left` of them real. e: the eight values around output 0 of tap k, each replaced once it is used up.
    template <class Read>
    __device__ static void taps(const Read& read, double* sum, double* e, const double* w, int k, int left) {
#pragma unroll
        for (int u = 0; u < 8; ++u) {
            if (u >= left) break;
            const double weight = w[k + u];
#pragma unroll
            for (int r = 0; r < 8; ++r) sum[r] = add_product<exact>(sum[r], e[(u + r) % 8], weight);
            if (u + 1 < left) e[u] = double(read(k / 8 + 1, u));
        }
    }
    template <class Read>
    __device__ static void plain(const Read& read, double* sum, const Correlate1d& c) {
        int count = int(c.line.window);
#pragma unroll
        for (int r = 0; r < 8; ++r) sum[r] = 0;
        if constexpr (exact) {
            --count;
#pragma unroll
            for (int r = 0; r < 8; ++r) sum[r] = mul_rn(double(read.at(count + r)), c.w[count]);
        }
        double e[8];
#pragma unroll
        for (int u = 0; u < 8; ++u) e[u] = double(read(0, u));
        int k = 0;
#pragma unroll 1
        for (; k + 8 < count; k += 8) taps(read, sum, e, c.w, k, 9);
        taps(read, sum, e, c.w, k, count - k);
    }
    // The pairs k and window-1-k from the outside in: one window of values moves up, one down.
    template <class Read>
    __device__ static void folded(const Read& read, double* sum, const Correlate1d& c) {
        const int last = int(c.line.window) - 1, half = last / 2;
        const double sign = double(c.fold);
#pragma unroll
        for (int r = 0; r < 8; ++r) sum[r] = mul_rn(double(read.at(half + r)), c.w[half]);
#pragma unroll 1
        for (int k = 0; k < half; k += 8) {
            double left[15], right[15];
#pragma unroll
            for (int u = 0; u < 15; ++u) {
                left[u] = double(read(k / 8 + (u >> 3), u & 7));
                right[u] = double(read.at(max_of(last - k - 7 + u, 0)));
            }
#pragma unroll
            for (int u = 0; u < 8; ++u) {
                if (k + u >= half) break;
                const double weight = c.w[k + u];
#pragma unroll
                for (int r = 0; r < 8; ++r)
                    sum[r] = add_product<exact>(sum[r], left[u + r] + sign * right[7 - u + r], weight);
            }
        }
    }
    template <class Read>
    __device__ static void eight(const Read& read, Y* out, const Correlate1d& c) {
        double sum[8];
        // A float32 result does not show the order of a sum in double; the others get SciPy's, small outer terms first.
        bool done = false;
        if constexpr (!same<Y, float>::value)
            if ((done = c.fold)) folded(read, sum, c);
        if (!done) plain(read, sum, c);
#pragma unroll
        for (int r = 0; r < 8; ++r) out[r] = to_output<Y>(sum[r]);
    }
};

// Eight windows that share elements 7 ... window-1: those once, the rest from either side.
template <class T, class Read, class Join>
__device__ void shared_windows(const Read& read, int window, T* out, const Join& join) {
    if (window < 8) {
        T e[14];
#pragma unroll
        for (int u = 0; u < 14; ++u)
            if (u < window + 7) e[u] = T(read(u / 8, u % 8));
#pragma unroll
        for (int r = 0; r < 8; ++r) out[r] = e[r];
#pragma unroll
        for (int k = 1; k < 7; ++k) {
            if (k >= window) break;
#pragma unroll
            for (int r = 0; r < 8; ++r) out[r] = join(out[r], e[k + r]);
        }
        return;
    }
    T core = T(read(0, 7)), left[7], right[8];      // left[r]: elements r ... 6; right[r]: window ... window + r - 1
    int k = 8;
#pragma unroll 1
    for (; k + 8 <= window; k += 8)
#pragma unroll
        for (int u = 0; u < 8; ++u) core = join(core, T(read(k / 8, u)));
#pragma unroll 1
    for (; k < window; ++k) core = join(core, T(read.at(k)));
    left[6] = T(read(0, 6)), right[1] = T(read.at(window));
#pragma unroll
    for (int u = 5; u >= 0; --u) left[u] = join(T(read(0, u)), left[u + 1]);
#pragma unroll
    for (int u = 2; u < 8; ++u) right[u] = join(right[u - 1], T(read.at(window + u - 1)));
    out[0] = join(left[0], core);
    out[7] = join(core, right[7]);
#pragma unroll
    for (int r = 1; r < 7; ++r) out[r] = join(join(left[r], core), right[r]);
}

template <class X, class Y, class Index>
struct UniformOp {
    using S = typename shared_real<X>::type;
    __device__ static S load(X x) { return S(x); }
    __device__ static S fill(const Uniform& c, int part) { return S(c.line.cval[part]); }
    template <class Read>
    __device__ static void eight(const Read& read, Y* out, const Uniform& c) {
        double sum[8];
        shared_windows(read, int(c.line.window), sum, [](double a, double b) { return a + b; });
#pragma unroll
        for (int r = 0; r < 8; ++r) out[r] = to_output<Y>(uniform<X, Y, Index>::mean(sum[r], c.line));
    }
};

template <class X, bool maximum, class Index>
struct MinMaxOp {
    using Form = minmax<X, maximum, Index>;
    using K = key_t<X>;
    using S = choose_t<(sizeof(K) < 4), int32_t, K>;
    __device__ static S load(X x) { return S(Form::load(x)); }
    __device__ static S fill(const MinMax& c, int part) { return S(Form::fill(c, part)); }
    template <class Read>
    __device__ static void eight(const Read& read, X* out, const MinMax& c) {
        S best[8];
        shared_windows(read, int(c.line.window), best, [](S a, S b) { return maximum ? max_of(a, b) : min_of(a, b); });
#pragma unroll
        for (int r = 0; r < 8; ++r) out[r] = from_key<X>(K(best[r]));
    }
};

template <class Op, class X, class Y, class C, bool interleaved, class Index>
struct RowBlock {
    static constexpr int threads = tile_threads, resident = sizeof(typename Op::S) == 4 && same<Y, X>::value ? 6 : 5;
    struct Args { const X* x; Y* y; C c; RowTiles tiles; };
    __device__ static void block(Index b, const Args& a) { row_block<Op, interleaved, X, Y, Index>(b, a.x, a.y, a.c, a.c.line, a.tiles); }
};
template <class Op, class X, class Y, class C, bool vectors, class Index>
struct ColumnBlock {
    static constexpr int threads = tile_threads, resident = sizeof(typename Op::S) == 4 && same<Y, X>::value ? 6 : 5;
    struct Args { const X* x; Y* y; C c; ColumnTiles tiles; };
    __device__ static void block(Index b, const Args& a) { column_block<Op, vectors, X, Y, Index>(b, a.x, a.y, a.c, a.c.line, a.tiles); }
};

template <class X, class Y, bool interleaved, class Index>
struct correlate1d_rows : RowBlock<CorrelateOp<X, Y>, X, Y, Correlate1d, interleaved, Index> {};
template <class X, class Y, bool vectors, class Index>
struct correlate1d_columns : ColumnBlock<CorrelateOp<X, Y>, X, Y, Correlate1d, vectors, Index> {};
template <class X, class Y, bool interleaved, class Index>
struct uniform_rows : RowBlock<UniformOp<X, Y, Index>, X, Y, Uniform, interleaved, Index> {};
template <class X, class Y, bool vectors, class Index>
struct uniform_columns : ColumnBlock<UniformOp<X, Y, Index>, X, Y, Uniform, vectors, Index> {};
template <class X, bool maximum, bool interleaved, class Index>
struct minmax_rows : RowBlock<MinMaxOp<X, maximum, Index>, X, X, MinMax, interleaved, Index> {};
template <class X, bool maximum, bool vectors, class Index>
struct minmax_columns : ColumnBlock<MinMaxOp<X, maximum, Index>, X, X, MinMax, vectors, Index> {};

}  // namespace gpusci
#endif
