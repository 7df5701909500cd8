// CUDA blocks for windows over the last two axes of (outer, height, width): tiles with the boundary filled in lie in shared memory.
//   correlate_block   each thread sums eight neighbours in each of two rows, so an element read once serves sixteen outputs
//   median_block      square windows of 3, 5, 7: each thread finds four neighbours' medians in registers. Their columns are sorted
//                     once; what two neighbours share is merged, and of it only the size + 1 middle elements can be the median
//                     when `size` more come in, which leaves a selection from two short sorted lists.
#pragma once
#include "correlate.h"
#include "networks.h"
#include "rank.h"
#include "tiles.h"
#if defined(GPUSCI_CUDA)

namespace gpusci {

struct Plane {
    int64_t height, width;
    int64_t rows_lo, cols_lo, h, w;         // the window: inputs before the output, extent
    int64_t mode;
    int64_t rows, tiles_x, tiles_y;         // outputs of a tile's height; tiles
};

struct PlaneTile {
    int64_t y0, x0, base;                   // first output; element index of its plane
    template <class Index>
    __device__ PlaneTile(Index b, const Plane& g, int wide) {
        const Index tx = b % Index(g.tiles_x), rest = b / Index(g.tiles_x), ty = rest % Index(g.tiles_y);
        x0 = int64_t(tx) * wide, y0 = int64_t(ty) * g.rows, base = int64_t(rest / Index(g.tiles_y)) * g.height * g.width;
    }
};

// Rows of shared[row * pitch + place(col)], one warp a row.
template <bool skip, class Op, class X, class S, class Index>
__device__ void fill_plane(S* shared, int pitch, int rows, int cols, const X* x, const PlaneTile& t, const Plane& g, S constant) {
    constexpr int batch = 9;
    const int lane = threadIdx.x % 32;
    const int64_t top = t.y0 - g.rows_lo, left = t.x0 - g.cols_lo;
    const bool inside = top >= 0 && top + rows <= g.height && left >= 0 && left + cols <= g.width;
#pragma unroll 1
    for (int r = threadIdx.x / 32; r < rows; r += tile_threads / 32) {
        const Index q = inside ? Index(top + r) : edge<Index>(g.mode, Index(top) + r, Index(g.height));
        const X* row = x + t.base + (q < 0 ? 0 : int64_t(q) * g.width);
#pragma unroll 1
        for (int c0 = lane; c0 < cols; c0 += 32 * batch) {
            S v[batch];
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                const int c = c0 + 32 * k;
                if (c < cols) {
                    const Index p = inside ? Index(left + c) : q < 0 ? Index(-1) : edge<Index>(g.mode, Index(left) + c, Index(g.width));
                    v[k] = p < 0 ? constant : Op::load(row[p]);
                }
            }
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                const int c = c0 + 32 * k;
                if (c < cols) shared[r * pitch + (skip ? skip_ninth(c) : c)] = v[k];
            }
        }
    }
}

template <class X, class Y, class W, class Index>
struct correlate_block {
    static constexpr int threads = tile_threads, wide = 256, bytes = 36864;     // leaves room for `results`
    struct Args { const X* x; Y* y; Plane plane; double cval; const W* w; int64_t flip; };     // w: h x w, dense, as in Correlate
    using S = typename shared_real<X>::type;
    struct Op { __device__ static S load(X x) { return S(x); } };

    __device__ static void add_row(double* sum, const double* lo, const double* hi, const W* w, int step, int left) {
#pragma unroll
        for (int u = 0; u < 8; ++u) {
            if (u >= left) break;
            const double weight = double(w[u * step]);
            if (!counts(weight)) continue;
#pragma unroll
            for (int r = 0; r < 8; ++r)
                sum[r] = add_product<truncates<Y>>(sum[r], u + r < 8 ? lo[u + r] : hi[u + r - 8], weight);
        }
    }
    __device__ static void block(Index b, const Args& a) {
        __shared__ S shared[bytes / sizeof(S)];
        __shared__ Y results[tile_threads / 32][288];
        const Plane& g = a.plane;
        const PlaneTile t(b, g, wide);
        const int h = int(g.h), w = int(g.w), cols = wide + w - 1, pitch = (cols + 15) / 8 * 9;
        fill_plane<true, Op, X, S, Index>(shared, pitch, int(g.rows) + h - 1, cols, a.x, t, g, S(a.cval));
        __syncthreads();
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, step = a.flip ? -1 : 1;
        const W* first = a.flip ? a.w + h * w - 1 : a.w;
#pragma unroll 1
        for (int r = 2 * warp; r < int(g.rows) && t.y0 + r < g.height; r += tile_threads / 16) {
            double sum[2][8] = {};
#pragma unroll 1
            for (int j = 0; j <= h; ++j) {
                const S* row = shared + (r + j) * pitch + 9 * lane;
                double lo[8], hi[8];
#pragma unroll
                for (int u = 0; u < 8; ++u) lo[u] = double(row[u]);
#pragma unroll 1
                for (int k = 0; k < w; k += 8) {
#pragma unroll
                    for (int u = 0; u < 8; ++u) hi[u] = double(row[9 * (k / 8 + 1) + u]);
                    if (j < h) add_row(sum[0], lo, hi, first + step * (j * w + k), step, w - k);
                    if (j > 0) add_row(sum[1], lo, hi, first + step * ((j - 1) * w + k), step, w - k);
#pragma unroll
                    for (int u = 0; u < 8; ++u) lo[u] = hi[u];
                }
            }
#pragma unroll
            for (int k = 0; k < 2; ++k) {
#pragma unroll
                for (int u = 0; u < 8; ++u) results[warp][9 * lane + u] = to_output<Y>(sum[k][u]);
                __syncwarp();
                Y* out = a.y + t.base + (t.y0 + r + k) * g.width + t.x0;
                if (t.y0 + r + k < g.height && r + k < int(g.rows))
#pragma unroll
                    for (int u = 0; u < 8; ++u)
                        if (t.x0 + lane + 32 * u < g.width) out[lane + 32 * u] = results[warp][skip_ninth(lane + 32 * u)];
                __syncwarp();
            }
        }
    }
};

template <class X, int size, class Index>
struct median_block {
    static constexpr int threads = tile_threads, wide = 128, tile_rows = 16;
    struct Args { const X* x; X* y; Plane plane; double cval; };
    using K = key_t<X>;
    using S = choose_t<(sizeof(K) < 4), int32_t, K>;
    struct Op { __device__ static S load(X x) { return S(to_key(x)); } };
    static constexpr int each = 16 / int(sizeof(S)), columns = size + 3, cols = wide + (columns - 4 + each - 1) / each * each;
    struct alignas(16) Pack { S v[each]; };

    __device__ static void block(Index b, const Args& a) {
        __shared__ Pack shared[(tile_rows + size - 1) * cols / each];
        const Plane& g = a.plane;
        const PlaneTile t(b, g, wide);
        fill_plane<false, Op, X, S, Index>(&shared[0].v[0], cols, int(g.rows) + size - 1, cols, a.x, t, g, Op::load(to_output<X>(a.cval)));
        __syncthreads();
        const int lane = threadIdx.x % 32;
        const int64_t x = t.x0 + 4 * lane;
#pragma unroll 1
        for (int r = threadIdx.x / 32; r < int(g.rows) && t.y0 + r < g.height; r += tile_threads / 32) {
            if (x >= g.width) continue;
            X out[4];
            four(shared + (r * cols + 4 * lane) / each, out);
            X* target = a.y + t.base + (t.y0 + r) * g.width + x;
            if (x + 4 <= g.width && reinterpret_cast<size_t>(target) % (4 * sizeof(X)) == 0 && sizeof(X) < 8) {
                struct alignas(4 * sizeof(X)) Four { X v[4]; };
                *reinterpret_cast<Four*>(target) = Four{{out[0], out[1], out[2], out[3]}};
            } else
#pragma unroll
                for (int k = 0; k < 4; ++k)
                    if (x + k < g.width) target[k] = out[k];
        }
    }

    // Columns from ... to - 1, merged.
    template <int from, int to>
    __device__ static auto merged(const Sorted<S, size>* c) {
        if constexpr (from == to) return Sorted<S, 0>{};
        else if constexpr (to == from + 1) return c[from];
        else return merge(merged<from, (from + to) / 2>(c), merged<(from + to) / 2, to>(c));
    }
    template <int N>
    __device__ static S median(const Sorted<S, N>& shared, const Sorted<S, size>& column) {
        constexpr int middle = size * size / 2;
        return of_union<size>(part<middle - size, size + 1>(shared), column);
    }
    __device__ static void four(const Pack* at, X* out) {
        Sorted<S, size> c[columns];
        S raw[columns][size];
#pragma unroll
        for (int j = 0; j < size; ++j)
#pragma unroll
            for (int p = 0; p < (columns + each - 1) / each; ++p) {
                const Pack pack = at[j * (cols / each) + p];
#pragma unroll
                for (int k = 0; k < each; ++k)
                    if (p * each + k < columns) raw[p * each + k][j] = pack.v[k];
            }
#pragma unroll
        for (int k = 0; k < columns; ++k) c[k] = sorted<size>(raw[k]);
        const auto both = merged<3, size>(c);                       // in the windows of all four
        const auto left = merge(merged<1, 3>(c), both);             // columns 1 ... size - 1, of outputs 0 and 1
        const auto right = merge(both, merged<size, size + 2>(c));  // columns 3 ... size + 1, of outputs 2 and 3
        const S found[4] = {median(left, c[0]), median(left, c[size]), median(right, c[2]), median(right, c[size + 2])};
#pragma unroll
        for (int k = 0; k < 4; ++k) out[k] = from_key<X>(K(found[k]));
    }
};

}  // namespace gpusci
#endif
