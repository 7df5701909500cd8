// Geometric transforms: every output element pulls a value of the image at coordinates that its own position gives, by an
// affine map, by axes one at a time (shift, zoom), or from an array. Nothing is stored in between. On a GPU the items of a
// block are a tile of the output's last two axes, so that what they read overlaps in the L1 cache, and an item may be several
// elements of a row, which share what depends on the row.
#pragma once
#include "index.h"
#include "interpolate.h"

namespace gpusci {

template <class Y, int R>
struct Target {
    Y* y;
    int64_t shape[R], stride[R];
    int64_t batch, x_batch, y_batch;    // images of one shape and their distances
    int64_t parts;                      // 2: real and imaginary parts, one element apart
    // 0: items in C order. Above: blocks are 2^tile elements wide, each item has `columns` elements that many apart, and there are
    // `across` x `down` blocks in the last two axes. Below: neighbours are of different images, an item is `columns` elements of
    // a row, a row has `across` items. For `separable`: items are `columns` elements along the first axis.
    int64_t tile, columns, across, down;
};

// Axes D-1 ... first of a position that counts in C order; what is left of i.
template <int First, int D, class Index>
HD Index positions(Index i, const int64_t* shape, Index* k) {
#pragma unroll
    for (int d = D - 1; d >= First; --d) {
        const Index q = quotient(i, Index(shape[d]));
        k[d] = i - q * Index(shape[d]);
        i = q;
    }
    return i;
}

// Item -> output position, batch, part. False: beyond the edge of the output (tiles overhang).
template <class Y, int R, class Index>
HD bool locate(Index i, const Target<Y, R>& t, Index* k, Index& batch, int& part) {
    if (t.tile < 0) {
        part = t.parts == 1 ? 0 : int(i & 1);
        if (t.parts != 1) i >>= 1;
        Index q = quotient(i, Index(t.batch));
        batch = i - q * Index(t.batch);
        i = q;
        q = quotient(i, Index(t.across));
        k[R - 1] = (i - q * Index(t.across)) * Index(t.columns);
        positions<0, R - 1>(q, t.shape, k);
        return true;
    }
    if (t.tile) {
        using Unsigned = unsigned_index<Index>;     // what overhangs may be past the greatest Index
        const int lane = int(i & 255), low = int(t.tile);
        i >>= 8;
        Index q = quotient(i, Index(t.across));
        const Unsigned x = ((Unsigned(i - q * Index(t.across)) * Unsigned(t.columns)) << low) + (lane & ((1 << low) - 1));
        if (x >= Unsigned(t.shape[R - 1])) return false;
        k[R - 1] = Index(x);
        i = q;
        if constexpr (R > 1) {
            q = quotient(i, Index(t.down));
            const Unsigned y = (Unsigned(i - q * Index(t.down)) << (8 - low)) + (lane >> low);
            if (y >= Unsigned(t.shape[R - 2])) return false;
            k[R - 2] = Index(y);
            i = q;
        }
        i = positions<0, R - 2>(i, t.shape, k);
    } else i = positions<0, R>(i, t.shape, k);
    batch = t.parts == 1 ? i : i >> 1;
    part = t.parts == 1 ? 0 : int(i & 1);
    return true;
}

// Blocks a multiprocessor should hold at once: as many as leave registers enough for what is done for every element.
template <int R, int Order, class Index>
constexpr int transform_blocks = sizeof(Index) > 4 || R > 3 || Order > 3 || (R > 2 && Order > 1) ? 1 : R + Order <= 3 ? 4 : 3;

// What the transforms share. `Map` gives coordinates: Map::row(k, args) what depends on all of a position but its last axis,
// Map::find(row, last, coordinates, args) the rest.
template <class Map, class X, class Y, int R, int O, int Order, class Index>
struct Transform {
    template <class Row, class Args>
    HD static void one(const Row& row, Index last, Index from, Index to, int part, const Args& a) {
        Point<R> point;
        Map::find(row, last, point.c, a);
        a.target.y[to + last * Index(a.target.stride[O - 1])] = to_rounded<Y>(interpolate<Order, Index>(a.image, point, from, part));
    }
    // Distances of a position's image, and of its output row.
    template <class Args>
    HD static void places(const Index* k, Index batch, int part, const Args& a, Index& from, Index& to) {
        from = batch * Index(a.target.x_batch) + part;
        to = batch * Index(a.target.y_batch) + part;
#pragma unroll
        for (int d = 0; d < O - 1; ++d) to += k[d] * Index(a.target.stride[d]);
    }
#if defined(GPUSCI_CUDA)
    static constexpr int together = 4;
    // Elements last, last + apart, ... at once, so that their loads are under way together. False: not all windows are inside.
    template <class Row, class Args>
    HD static bool several(const Row& row, Index last, Index apart, Index from, Index to, const Args& a) {
        int32_t start[together][R];
        double beyond[together][R], value[together];
        bool inside = true;
#pragma unroll
        for (int j = 0; j < together; ++j) {
            double c[R];
            Map::find(row, last + j * apart, c, a);
#pragma unroll
            for (int d = 0; d < R; ++d) inside &= window<Order, Index>(padded<Order>(a.image, c[d]), a.image.shape[d], start[j][d], beyond[j][d]);
        }
        if (!inside) return false;
#pragma unroll
        for (int j = 0; j < together; ++j) value[j] = inside_value<Order, Index>(a.image, start[j], beyond[j], from);
#pragma unroll
        for (int j = 0; j < together; ++j) a.target.y[to + (last + j * apart) * Index(a.target.stride[O - 1])] = to_rounded<Y>(value[j]);
        return true;
    }
    template <class Args>
    HD static void item(Index i, const Args& a) {
        Index k[O], batch, from, to;
        int part;
        if (!locate(i, a.target, k, batch, part)) return;
        places(k, batch, part, a, from, to);
        const auto row = Map::row(k, a);
        const Index last = k[O - 1], apart = Index(1) << max_of(int(a.target.tile), 0);
        const Index width = min_of(Index(a.target.shape[O - 1]) - last, Index(a.target.columns) * apart);
#pragma unroll 1
        for (Index j = 0; j < width; j += together * apart) {
            const Index here = min_of(width - j, together * apart);
            if constexpr (Order < 2)            // higher orders have loads enough
                if (here > (together - 1) * apart && several(row, last + j, apart, from, to, a)) continue;
#pragma unroll 1
            for (Index h = 0; h < here; h += apart) one(row, last + j + h, from, to, part, a);
        }
    }
#else
    template <class Args>
    HD static void item(Index i, const Args& a) { items(i, i + 1, a); }
    // Positions count up instead of being divided out.
    template <class Args>
    static void items(Index begin, Index end, const Args& args) {
        const Args a = args;            // a copy that no store can reach stays in registers
        Index k[O], batch, from, to;
        int part;
        while (begin < end) {
            locate(begin, a.target, k, batch, part);
            places(k, batch, part, a, from, to);
            const auto row = Map::row(k, a);
            const Index stop = std::min(end, begin + Index(a.target.shape[O - 1]) - k[O - 1]);
            for (; begin < stop; ++begin, ++k[O - 1]) one(row, k[O - 1], from, to, part, a);
        }
    }
#endif
};

// ---- matrix and offset. SciPy's order: the offset first, then the products one by one, none of them contracted.
template <class X, class Y, int R, int O, int Order, class Index>
struct affine {
    static constexpr int resident = transform_blocks<R, Order, Index>;
    struct Args { Image<X, R> image; Target<Y, O> target; double matrix[R * O], offset[R]; };
    HD static Point<R> row(const Index* k, const Args& a) {
        Point<R> sum;
#pragma unroll
        for (int d = 0; d < R; ++d) {
            sum.c[d] = a.offset[d];
#pragma unroll
            for (int e = 0; e < O - 1; ++e) sum.c[d] += mul_rn(a.matrix[d * O + e], whole(k[e]));
        }
        return sum;
    }
    HD static void find(const Point<R>& row, Index last, double* c, const Args& a) {
#pragma unroll
        for (int d = 0; d < R; ++d) c[d] = row.c[d] + mul_rn(a.matrix[d * O + O - 1], whole(last));
    }
    using T = Transform<affine, X, Y, R, O, Order, Index>;
    HD static void at(Index i, const Args& a) { T::item(i, a); }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) { T::items(begin, end, a); }
#endif
};

// ---- coordinates from an array (rank first), one column for each output in C order
template <class X, class Y, class C, int R, int O, int Order, class Index>
struct mapped {
    static constexpr int resident = transform_blocks<R, Order, Index>;
    struct Args { Image<X, R> image; Target<Y, O> target; const C* coordinates; };
    struct Row { Index at, size; };         // of a row's first coordinates, and in all
    HD static Row row(const Index* k, const Args& a) {
        Row row{0, 1};
#pragma unroll
        for (int d = 0; d < O; ++d) {
            row.at = row.at * Index(a.target.shape[d]) + (d < O - 1 ? k[d] : 0);
            row.size *= Index(a.target.shape[d]);
        }
        return row;
    }
    HD static void find(const Row& row, Index last, double* c, const Args& a) {
#pragma unroll
        for (int d = 0; d < R; ++d) c[d] = double(a.coordinates[d * row.size + row.at + last]);
    }
    using T = Transform<mapped, X, Y, R, O, Order, Index>;
    HD static void at(Index i, const Args& a) { T::item(i, a); }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) { T::items(begin, end, a); }
#endif
};

}  // namespace gpusci
