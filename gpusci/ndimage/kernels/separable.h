// shift, zoom and diagonal matrices: each axis has its own coordinates, ((k + shift) + half) * zoom - half. On the host the
// rows that an output row needs are first added up, sample by sample in vectors; its elements then weigh along one axis only.
#pragma once
#include "geometry.h"

namespace gpusci {

template <class X, class Y, int R, int Order, class Index>
struct separable {
    static constexpr int resident = R <= 2 && Order <= 1 && sizeof(Index) == 4 ? 5 : 1;
    // last: coordinate of the last output along an axis, or -1: k * ((n-1) / (m-1)) rounds to the wrong side of n - 1.
    struct Args { Image<X, R> image; Target<Y, R> target; double shift[R], zoom[R], half, last[R]; };

    HD static double coordinate(int d, Index k, const Args& a) {
        if (a.last[d] >= 0 && k == Index(a.target.shape[d]) - 1) return a.last[d];
        return mul_rn((whole(k) + a.shift[d]) + a.half, a.zoom[d]) - a.half;
    }
    HD static void find(const Index* k, double* c, const Args& a) {
#pragma unroll
        for (int d = 0; d < R; ++d) c[d] = coordinate(d, k[d], a);
    }
    using T = Transform<separable, X, Y, R, R, Order, Index>;
    HD static void at(Index i, const Args& a) { T::item(i, a); }

#if !defined(GPUSCI_CUDA)
    // Rows pay where an output element has at least about as many neighbours in its row as samples are added up for it.
    static void range(Index begin, Index end, const Args& a) {
        constexpr int L = R - 1;
        const int64_t columns = a.image.shape[L];
        if (Order == 0 || R == 1 || columns == 0 || columns > 2147483646 || columns > 8 * a.target.shape[L] || end - begin < a.target.shape[L])
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
            : a(args), columns(a.image.shape[L]), sum(columns + 1), w(a.target.shape[L] * N), tap(a.target.shape[L] * N),
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
            if (!constant) {
                std::fill(sum + low, sum + high, 0.0);
                sum[columns] = 0;
                add<0>(a.image.x + int64_t(batch) * a.target.x_batch + part, 1.0, true, off, v, cval);
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
