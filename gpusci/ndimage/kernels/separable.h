// shift, zoom and diagonal matrices: each axis has its own coordinates, ((k + shift) + half) * zoom - half. An item of a GPU walks
// along the first axis and keeps the sums over the other axes, which the next output needs again; where the first axis reads is
// found once for a warp. On the host the rows that an output row needs are first added up, sample by sample in vectors, and its
// elements then weigh along one axis only.
#pragma once
#include "geometry.h"

namespace gpusci {

#if defined(GPUSCI_CUDA)
// Which samples of an axis an output reads: the first and, for order 1, the second, in any mode; for higher orders the first of
// a window. Else `first` is negative.
struct Taps {
    static constexpr int32_t filled = -2;       // the constant fills
    static constexpr int32_t alone = -1;        // only `edge` finds this output
    int32_t first, second;
    double beyond;                              // as `window`
};
template <int Order, class Index>
static __host__ __device__ __attribute__((noinline)) Taps taps_outside(int mode, double c, int64_t length) {
    Taps taps{Taps::alone, Taps::alone, 0};
    if constexpr (Order < 2) {
        Index at[Order + 1];
        double w[Order + 1];
        if (!axis_taps<Order, Index>(c, length, 1, Mode(mode), at, w)) return {Taps::filled, Taps::filled, 0};
        const Index least = min_of(at[0], at[Order]), greatest = max_of(at[0], at[Order]);
        return least < 0 || greatest > 2147483647 ? taps : Taps{int32_t(at[0]), int32_t(at[Order]), w[Order]};
    } else {
        if (!fold(Mode(mode), c, double(length))) return {Taps::filled, Taps::filled, 0};
        if (!window<Order, Index>(c, length, taps.first, taps.beyond)) taps.first = Taps::alone;
        return taps;
    }
}
template <int Order, class Index>
HD Taps find_taps(double c, int64_t length, int64_t mode) {
    Taps taps;
    if (!window<Order, Index>(c, length, taps.first, taps.beyond)) return taps_outside<Order, Index>(int(mode), c, length);
    taps.second = taps.first + 1;
    return taps;
}
#endif

template <class X, class Y, int R, int Order, class Index>
struct separable {
    // last: coordinate of the last output along an axis, or -1: k * ((n-1) / (m-1)) rounds to the wrong side of n - 1.
    struct Args { Image<X, R> image; Target<Y, R> target; double shift[R], zoom[R], half, last[R]; };

    HD static double coordinate(int d, Index k, const Args& a) {
        if (a.last[d] >= 0 && k == Index(a.target.shape[d]) - 1) return a.last[d];
        return mul_rn((whole(k) + a.shift[d]) + a.half, a.zoom[d]) - a.half;
    }
    HD static Point<R> row(const Index* k, const Args& a) {
        Point<R> point;
#pragma unroll
        for (int d = 0; d < R - 1; ++d) point.c[d] = coordinate(d, k[d], a);
        return point;
    }
    HD static void find(const Point<R>& row, Index last, double* c, const Args& a) {
#pragma unroll
        for (int d = 0; d < R - 1; ++d) c[d] = row.c[d];
        c[R - 1] = coordinate(R - 1, last, a);
    }
    using T = Transform<separable, X, Y, R, R, Order, Index>;
#if defined(GPUSCI_CUDA)
    static constexpr int resident = (R == 2 || R == 3) && Order < 2 && sizeof(Index) == 4 ? 3 : transform_blocks<R, Order, Index>;
    // Columns an item has, 32 apart, which share what is done along the first axis. `_walks` counts on the same.
    static constexpr int together = (R == 2 ? 2 : 1) * (Order < 2 ? 2 : 1);

    HD static Taps taps(int d, Index k, const Args& a) {
        return find_taps<Order, Index>(padded<Order>(a.image, coordinate(d, k, a)), a.image.shape[d], a.image.mode);
    }
    // Those of the first axis at step `step` of a walk that begins at `first`; the lanes of a warp found 32 of them, `mine`.
    HD static Taps taken(const Taps& mine, int step, Index first, const Args& a) {
#if defined(__CUDA_ARCH__)
        Taps taps;
        taps.first = __shfl_sync(0xffffffffu, mine.first, step);
        if constexpr (Order == 1) taps.second = __shfl_sync(0xffffffffu, mine.second, step);
        if constexpr (Order > 0) taps.beyond = __shfl_sync(0xffffffffu, mine.beyond, step);
        return taps;
#else
        return taps(0, first + step, a);
#endif
    }
    // One column of outputs along the first axis.
    struct Column {
        Index from, to, stride[R];      // where its samples and outputs begin; from an axis' sample to its next, 0 if there is none
        double w[R][Order + 1], sum[Order + 1];         // weights and sums over all axes but the first
        int32_t state;                  // negative: filled or alone

        HD void find(Index place, Index batch, int part, const Args& a) {
            state = 0;
            from = batch * Index(a.target.x_batch) + part;
            to = batch * Index(a.target.y_batch) + part;
#pragma unroll
            for (int d = R - 1; d > 0; --d) {
                const Index rest = d > 1 ? quotient(place, Index(a.target.shape[d])) : 0, k = place - rest * Index(a.target.shape[d]);
                const Taps taps = separable::taps(d, k, a);
                spline_weights<Order>(taps.beyond, w[d]);
                state = min_of(state, taps.first);
                from += Index(max_of(taps.first, 0)) * Index(a.image.stride[d]);
                stride[d] = Index(Order < 2 ? taps.second - taps.first : taps.first >= 0) * Index(a.image.stride[d]);
                to += k * Index(a.target.stride[d]);
                place = rest;
            }
#pragma unroll
            for (int t = 0; t <= Order; ++t) sum[t] = 0;
        }
        HD void read(int t, Index at, const Args& a) { sum[t] = window_sum<1, Order, Index>(stride, a.image.x, from + at, w); }
        HD void write(Index at, const double (&v)[Order + 1], bool fills, Y constant, const Args& a) const {
            double value = 0;
#pragma unroll
            for (int t = 0; t <= Order; ++t) value = Order == 0 ? sum[t] : value + v[t] * sum[t];
            a.target.y[to + at] = fills || state < 0 ? constant : to_rounded<Y>(value);
        }
    };
    // Makes all columns hold the sums at the samples that `now` reads along the first axis; `held`: those they have.
    HD static void hold(const Taps& now, Taps& held, Column (&column)[together], const Args& a) {
        const Index stride = Index(a.image.stride[0]);
        if constexpr (Order < 2) {
            if (now.first == held.first && (Order == 0 || now.second == held.second)) return;
            const bool moves = Order == 1 && now.first == held.second;
            if (moves) {
#pragma unroll
                for (int j = 0; j < together; ++j) column[j].sum[0] = column[j].sum[Order];
            } else {
#pragma unroll
                for (int j = 0; j < together; ++j) column[j].read(0, Index(now.first) * stride, a);
            }
            if constexpr (Order == 1) {
#pragma unroll
                for (int j = 0; j < together; ++j) column[j].read(1, Index(now.second) * stride, a);
            }
            held = now;
        } else {
            if (uint32_t(now.first) - uint32_t(held.first) > Order) held.first = now.first - (Order + 1);
#pragma unroll 1
            for (; held.first < now.first; ++held.first)
#pragma unroll
                for (int j = 0; j < together; ++j) {
#pragma unroll
                    for (int t = 0; t < Order; ++t) column[j].sum[t] = column[j].sum[t + 1];
                    column[j].read(Order, Index(held.first + 1 + Order) * stride, a);
                }
        }
    }
    HD static void at(Index i, const Args& a) {
        if constexpr (R == 1) T::item(i, a);    // no other axes
        else walk(i, a);
    }
    HD static void walk(Index i, const Args& a) {
        const Target<Y, R>& t = a.target;
        const int lane = int(i & 31), part = t.parts == 1 ? 0 : int(i & 1);
        if (t.parts != 1) i >>= 1;
        const Index run = quotient(i, Index(t.down)), batch = quotient(run, Index(t.across));
        i -= run * Index(t.down);
        const Index first = (run - batch * Index(t.across)) * Index(t.columns);
        const int steps = int(min_of(Index(t.shape[0]) - first, Index(t.columns)));
        Index places = 1;
#pragma unroll
        for (int d = 1; d < R; ++d) places *= Index(t.shape[d]);
        // All lanes of a warp stay, to share: a column that is not there repeats the last.
        const unsigned_index<Index> place = unsigned_index<Index>(i >> 5) * (32 * together) + (i & 31), last = places - 1;
        Column column[together];
        uint32_t alone = 0, left = 0;   // columns and steps for `edge`: later, when the sums need no registers
#pragma unroll
        for (int j = 0; j < together; ++j) {
            column[j].find(Index(min_of(place + 32 * j, last)), batch, part, a);
            alone |= uint32_t(column[j].state == Taps::alone) << j;
        }
        const Taps mine = taps(0, first + min_of(lane, steps - 1), a);
        const Y constant = to_rounded<Y>(a.image.cval[part]);
        Taps held{-2147483647, -2147483647, 0};
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
            const Taps now = taken(mine, step, first, a);
            if (now.first == Taps::alone) {
                left |= 1u << step;
                continue;
            }
            double v[1][Order + 1];
            spline_weights<Order>(now.beyond, v[0]);
            if (now.first >= 0) hold(now, held, column, a);
#pragma unroll
            for (int j = 0; j < together; ++j) column[j].write((first + step) * Index(t.stride[0]), v[0], now.first < 0, constant, a);
        }
        if (!(alone | left)) return;
#pragma unroll 1
        for (int step = 0; step < steps; ++step)
#pragma unroll 1
            for (int j = 0; j < together; ++j)
                if ((alone >> j | left >> step) & 1) edge(first + step, Index(min_of(place + 32 * j, last)), batch, part, a);
    }
    HD static void edge(Index first, Index place, Index batch, int part, const Args& a) {
        Index k[R], to = batch * Index(a.target.y_batch) + part;
        Point<R> point;
        positions<1, R>(place, a.target.shape, k);
        k[0] = first;
#pragma unroll
        for (int d = 0; d < R; ++d) {
            point.c[d] = coordinate(d, k[d], a);
            to += k[d] * Index(a.target.stride[d]);
        }
        const double value = interpolate_edge<Order>(a.image, point, batch * Index(a.target.x_batch) + part, part);
        a.target.y[to] = to_rounded<Y>(value);
    }
#else
    HD static void at(Index i, const Args& a) { T::item(i, a); }
    // Rows pay where an output element has at least about as many neighbours in its row as samples are added up for it.
    static void range(Index begin, Index end, const Args& a) {
        constexpr int L = R - 1;
        const int64_t columns = a.image.shape[L];
        if (R == 1 || columns == 0 || columns > 2147483646 || columns > 8 * a.target.shape[L] || end - begin < a.target.shape[L])
            return T::items(begin, end, a);
        Rows rows(a);
        Index k[R], batch;
        int part;
        while (begin < end) {
            locate(begin, a.target, k, batch, part);
            const Index stop = std::min(end, begin + Index(a.target.shape[L]) - k[L]);
            rows.run(k, stop - begin, batch, part);
            begin = stop;
        }
    }
    struct Rows {
        const Args& a;
        static constexpr int L = R - 1, N = Order + 1;
        int64_t columns;
        Scratch<double> sum, w;         // the rows added up; weights and taps of every output column
        Scratch<int32_t> tap;           // column of each tap; `columns` holds the constant; tap[0] < 0: all constant
        int64_t low, high;              // columns that any tap reads

        explicit Rows(const Args& args)
            : a(args), columns(a.image.shape[L]), sum(Order ? columns + 1 : 0), w(a.target.shape[L] * N), tap(a.target.shape[L] * N),
              low(columns), high(0) {
            for (int64_t j = 0; j < a.target.shape[L]; ++j) {
                int64_t off[N];
                int32_t* to = tap + j * N;
                if (!axis_taps<Order, int64_t>(coordinate(L, Index(j), a) + a.image.pad, columns, 1, Mode(a.image.mode), off, w + j * N)) {
                    to[0] = -1;
                    continue;
                }
                for (int t = 0; t < N; ++t) {
                    const bool in = off[t] != outside_tap<int64_t>;
                    to[t] = int32_t(in ? off[t] : columns);
                    if (in) low = std::min(low, off[t]), high = std::max(high, off[t] + 1);
                }
            }
            low = std::min(low, high);
        }
        // sum[c] += weight * row[c] over all rows that axes D ... L-1 choose.
        template <int D>
        void add(const X* x, double weight, bool in, const int64_t (&off)[R][N], const double (&v)[R][N], double cval) {
            if constexpr (D == L) {
                double* s = sum;
                const int64_t stride = a.image.stride[L];
                if (!in) for (int64_t c = low; c < high; ++c) s[c] += weight * cval;
                else if (stride == 1) for (int64_t c = low; c < high; ++c) s[c] += weight * double(x[c]);
                else for (int64_t c = low; c < high; ++c) s[c] += weight * double(x[c * stride]);
                s[columns] += weight * cval;
            } else {
                for (int t = 0; t < N; ++t) {
                    const bool here = in && off[D][t] != outside_tap<int64_t>;
                    add<D + 1>(here ? x + off[D][t] : x, weight * v[D][t], here, off, v, cval);
                }
            }
        }
        // Order 0: a row's elements are samples of one row.
        void pick(const X* x, const int64_t (&off)[R][N], bool constant, Y* y, Index first, Index count, double cval) {
            for (int d = 0; d < L && !constant; ++d) {
                constant = off[d][0] == outside_tap<int64_t>;
                if (!constant) x += off[d][0];
            }
            const Y outside = to_rounded<Y>(cval);
            const int64_t from = a.image.stride[L], to = a.target.stride[L];
            for (Index j = 0; j < count; ++j) {
                const int32_t c = tap[first + j];
                y[j * to] = constant || c < 0 || c == columns ? outside : to_rounded<Y>(double(x[c * from]));
            }
        }
        void run(const Index* k, Index count, Index batch, int part) {
            int64_t off[R][N];
            double v[R][N];
            const double cval = a.image.cval[part];
            int64_t at = int64_t(batch) * a.target.y_batch + part + int64_t(k[L]) * a.target.stride[L];
            bool constant = false;
            for (int d = 0; d < L; ++d) {
                at += int64_t(k[d]) * a.target.stride[d];
                constant |= !axis_taps<Order, int64_t>(coordinate(d, k[d], a) + a.image.pad,
                    a.image.shape[d], a.image.stride[d], Mode(a.image.mode), off[d], v[d]);
            }
            const X* x = a.image.x + int64_t(batch) * a.target.x_batch + part;
            if (Order == 0) return pick(x, off, constant, a.target.y + at, k[L], count, cval);
            if (!constant) {
                std::fill(sum + low, sum + high, 0.0);
                sum[columns] = 0;
                add<0>(x, 1.0, true, off, v, cval);
            }
            Y* y = a.target.y + at;
            for (Index j = 0; j < count; ++j) {
                const int32_t* from = tap + (k[L] + j) * N;
                const double* weight = w + (k[L] + j) * N;
                double value = cval;
                if (!constant && from[0] >= 0) {
                    value = 0;
                    for (int t = 0; t < N; ++t) value += weight[t] * sum[from[t]];
                }
                y[int64_t(j) * a.target.stride[L]] = to_rounded<Y>(value);
            }
        }
    };
#endif
};

}  // namespace gpusci
