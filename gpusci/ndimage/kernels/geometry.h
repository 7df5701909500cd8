// Geometric transforms: every output element pulls a value of the image at coordinates that its own position gives, by an
// affine map, by axes one at a time (shift, zoom), or from an array. Nothing is stored in between. On a GPU the items of a
// block are a tile of the output's last two axes, so that what they read overlaps in the L1 cache.
#pragma once
#include "interpolate.h"

namespace gpusci {

template <class Y, int R>
struct Target {
    Y* y;
    int64_t shape[R], stride[R];
    int64_t batch, x_batch, y_batch;    // images of one shape and their distances
    int64_t parts;                      // 2: real and imaginary parts, one element apart
    int64_t tile;                       // 0: items in C order; else log2 of a warp's width, in tiles of 256 items
};

// Item -> output position, batch, part. False: beyond the edge of the output (tiles overhang).
template <class Y, int R, class Index>
HD bool locate(Index i, const Target<Y, R>& t, Index* k, Index& batch, int& part) {
    if (R > 1 && t.tile) {
        constexpr int A = R > 1 ? R - 2 : 0;        // the second last axis
        const int lane = int(i & 255), low = int(t.tile), wide = low == 5 ? 5 : 4;
        const int in_warp = lane & 31, warp = lane >> 5;
        // A warp is 32 x 1 or 8 x 4 elements, a tile 32 x 8 or 16 x 16.
        const int x = low == 5 ? in_warp : (in_warp & 7) + 8 * (warp & 1), y = low == 5 ? warp : (in_warp >> 3) + 4 * (warp >> 1);
        const Index across = (Index(t.shape[R - 1]) + (Index(1) << wide) - 1) >> wide;
        const Index down = (Index(t.shape[A]) + (Index(256) >> wide) - 1) / (Index(256) >> wide);
        i >>= 8;
        Index q = i / across;
        k[R - 1] = ((i - q * across) << wide) + x;
        i = q / down;
        k[A] = (q - i * down) * (Index(256) >> wide) + y;
        if (k[R - 1] >= Index(t.shape[R - 1]) || k[A] >= Index(t.shape[A])) return false;
#pragma unroll
        for (int d = R - 3; d >= 0; --d) {
            q = i / Index(t.shape[d]);
            k[d] = i - q * Index(t.shape[d]);
            i = q;
        }
    } else {
#pragma unroll
        for (int d = R - 1; d >= 0; --d) {
            const Index q = i / Index(t.shape[d]);
            k[d] = i - q * Index(t.shape[d]);
            i = q;
        }
    }
    batch = t.parts == 1 ? i : i >> 1;
    part = t.parts == 1 ? 0 : int(i & 1);
    return true;
}

// What the three transforms share; `Map` gives coordinates: Map::find(k, coordinates, args).
template <class Map, class X, class Y, int R, int O, int Order, class Index>
struct Transform {
    template <class Args>
    HD static void one(const Index* k, Index batch, int part, const Args& a) {
        Point<R> point;
        Map::find(k, point.c, a);
        const Target<Y, O>& t = a.target;
        const double v = interpolate<Order, Index>(a.image, point, batch * Index(t.x_batch) + part, part);
        Index at = batch * Index(t.y_batch) + part;
#pragma unroll
        for (int d = 0; d < O; ++d) at += k[d] * Index(t.stride[d]);
        t.y[at] = to_rounded<Y>(v);
    }
    template <class Args>
    HD static void item(Index i, const Args& a) {
        Index k[O], batch;
        int part;
        if (locate(i, a.target, k, batch, part)) one(k, batch, part, a);
    }
#if !defined(GPUSCI_CUDA)
    // Host: positions count up instead of being divided out.
    template <class Args>
    static void items(Index begin, Index end, const Args& args) {
        const Args a = args;            // a copy that no store can reach stays in registers
        Index k[O], batch;
        int part;
        while (begin < end) {
            locate(begin, a.target, k, batch, part);
            const Index stop = std::min(end, begin + Index(a.target.shape[O - 1]) - k[O - 1]);
            for (; begin < stop; ++begin, ++k[O - 1]) one(k, batch, part, a);
        }
    }
#endif
};

// ---- matrix and offset. SciPy's order: the offset first, then the products one by one, none of them contracted.
template <class X, class Y, int R, int O, int Order, class Index>
struct affine {
    static constexpr int resident = R <= 2 && Order <= 1 && sizeof(Index) == 4 ? 5 : 1;
    struct Args { Image<X, R> image; Target<Y, O> target; double matrix[R * O], offset[R]; };
    HD static void find(const Index* k, double* c, const Args& a) {
#pragma unroll
        for (int d = 0; d < R; ++d) {
            double sum = a.offset[d];
#pragma unroll
            for (int e = 0; e < O; ++e) sum += mul_rn(a.matrix[d * O + e], whole(k[e]));
            c[d] = sum;
        }
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
    struct Args { Image<X, R> image; Target<Y, O> target; const C* coordinates; };
    HD static void find(const Index* k, double* c, const Args& a) {
        Index at = 0, size = 1;
#pragma unroll
        for (int d = 0; d < O; ++d) {
            at = at * Index(a.target.shape[d]) + k[d];
            size *= Index(a.target.shape[d]);
        }
#pragma unroll
        for (int d = 0; d < R; ++d) c[d] = double(a.coordinates[d * size + at]);
    }
    using T = Transform<mapped, X, Y, R, O, Order, Index>;
    HD static void at(Index i, const Args& a) { T::item(i, a); }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) { T::items(begin, end, a); }
#endif
};

}  // namespace gpusci
