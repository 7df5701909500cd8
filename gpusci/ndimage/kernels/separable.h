// shift, zoom and diagonal matrices: each axis has its own coordinates, ((k + shift) + half) * zoom - half. An item of a GPU walks
// along the first axis and keeps the sums over the other axes, which the next output needs again; on the host the rows that
// an output row needs are first added up, sample by sample in vectors, and its elements then weigh along one axis only.
#pragma once
#include "geometry.h"

namespace gpusci {

#if defined(GPUSCI_CUDA)
// A coordinate outside, folded; still outside where the constant fills.
static __host__ __device__ __attribute__((noinline)) double folded(int mode, double c, double n) {
    return fold(Mode(mode), c, n) ? c : -1;
}
// As `window`, for coordinates of which few lie outside.
template <int Order, class Index>
HD bool window_anywhere(double c, int64_t length, int64_t mode, int32_t& start, double& beyond) {
    return window<Order, Index>(c, length, start, beyond) ||
           (!is_constant(Mode(mode)) && window<Order, Index>(folded(int(mode), c, double(length)), length, start, beyond));
}
#endif

template <class X, class Y, int R, int Order, class Index>
struct separable {
    // last: coordinate of the last output along an axis, or -1: k * ((n-1) / (m-1)) rounds to the wrong side of n - 1.
    struct Args { Image<X, R> image; Target<Y, R> target; double shift[R], zoom[R], half, last[R]; };

    HD static double coordinate(int d, Index k, const Args& a) {
        return a.last[d] >= 0 && k == Index(a.target.shape[d]) - 1 ? a.last[d] : along(d, k, a);
    }
    HD static double along(int d, Index k, const Args& a) { return mul_rn((whole(k) + a.shift[d]) + a.half, a.zoom[d]) - a.half; }
#if defined(GPUSCI_CUDA)
    static constexpr int resident = transform_blocks<R, Order, Index>;
    // Columns an item has, 32 apart, which share the window along the first axis.
    static constexpr int together = R == 2 ? 2 : 1;
    // The sums over all axes but the first of samples held ... held + Order of the first, in one column.
    struct Column {
        Index from, to;                 // distances where its windows and its outputs begin
        double w[R][Order + 1], sum[Order + 1];

        // False: a sample may lie outside.
        HD bool find(Index place, Index batch, int part, const Args& a) {
            Index k[R];
            bool inside = true;
            positions<1, R>(place, a.target.shape, k);
            from = batch * Index(a.target.x_batch) + part;
            to = batch * Index(a.target.y_batch) + part;
#pragma unroll
            for (int d = 1; d < R; ++d) {
                int32_t start;
                double beyond;
                inside &= window_anywhere<Order, Index>(padded<Order>(a.image, coordinate(d, k[d], a)), a.image.shape[d], a.image.mode, start, beyond);
                spline_weights<Order>(beyond, w[d]);
                from += Index(start) * Index(a.image.stride[d]);
                to += k[d] * Index(a.target.stride[d]);
            }
            return inside;
        }
        HD void next(Index at, const Args& a) {
#pragma unroll
            for (int t = 0; t < Order; ++t) sum[t] = sum[t + 1];
            sum[Order] = window_sum<1, Order, Index>(a.image, a.image.x + (from + at), w);
        }
        HD void write(Index at, const double (&v)[Order + 1], const Args& a) const {
            double value = 0;
#pragma unroll
            for (int t = 0; t <= Order; ++t) value = Order == 0 ? sum[t] : value + v[t] * sum[t];
            a.target.y[to + at] = to_rounded<Y>(value);
        }
    };
    HD static void at(Index i, const Args& a) {
        const Target<Y, R>& t = a.target;
        const int part = t.parts == 1 ? 0 : int(i & 1);
        if (t.parts != 1) i >>= 1;
        const Index run = quotient(i, Index(t.down)), batch = quotient(run, Index(t.across));
        i -= run * Index(t.down);
        Index place = (i >> 5) * (32 * together) + (i & 31), places = 1;
#pragma unroll
        for (int d = 1; d < R; ++d) places *= Index(t.shape[d]);
        if (place >= places) return;
        Column column[together];
        bool inside = true;
#pragma unroll
        for (int j = 0; j < together; ++j)      // a column that is not there repeats the first
            inside &= column[j].find(places - place > 32 * j ? place + 32 * j : place, batch, part, a);
        const Index first = (run - batch * Index(t.across)) * Index(t.columns), n = Index(t.shape[0]);
        const int steps = int(min_of(n - first, Index(t.columns)));
        uint32_t left = 0;                      // steps with a sample outside: later, when the sums need no registers
        int32_t held = -2147483647, start;
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
            const Index k = first + step;
            double beyond, v[1][Order + 1];
            if (!(inside && k < n - 1 && window_anywhere<Order, Index>(padded<Order>(a.image, along(0, k, a)), a.image.shape[0], a.image.mode, start, beyond))) {
                left |= 1u << step;
                continue;
            }
            if (uint32_t(start) - uint32_t(held) > Order) held = start - (Order + 1);
#pragma unroll 1
            for (; held < start; ++held) {
                const Index at = Index(held + 1 + Order) * Index(a.image.stride[0]);
#pragma unroll
                for (int j = 0; j < together; ++j) column[j].next(at, a);
            }
            spline_weights<Order>(beyond, v[0]);
#pragma unroll
            for (int j = 0; j < together; ++j) column[j].write(k * Index(t.stride[0]), v[0], a);
        }
#pragma unroll 1
        for (int step = 0; left; ++step, left >>= 1)
#pragma unroll 1
            for (int j = 0; left & 1 && j < together && places - place > 32 * j; ++j) edge(first + step, place + 32 * j, batch, part, a);
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
    HD static Point<R> row(const Index* k, const Args& a) {
        Point<R> point;
        for (int d = 0; d < R - 1; ++d) point.c[d] = coordinate(d, k[d], a);
        return point;
    }
    HD static void find(const Point<R>& row, Index last, double* c, const Args& a) {
        for (int d = 0; d < R - 1; ++d) c[d] = row.c[d];
        c[R - 1] = coordinate(R - 1, last, a);
    }
    using T = Transform<separable, X, Y, R, R, Order, Index>;
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
