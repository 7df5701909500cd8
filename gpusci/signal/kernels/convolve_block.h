// CUDA form of convolve.h for rows: a block holds a tile of x in shared memory and, for every tap read, feeds many outputs
// kept in registers. A thread owns four neighbouring columns of Tall rows; per four taps it reads one quad of x and
// Tall quads of w and does 16 Tall products, so that float32 is bound by arithmetic and not by shared memory.
#pragma once
#include "signal/kernels/convolve.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

template <class T>
struct alignas(sizeof(T) * 4 < 16 ? sizeof(T) * 4 : 16) quad { T v[4]; };

// Tall = 4: images, tiles of 32 rows.  Tall = 1: lines, one row of w, the batch in the blocks.
template <class X, class W, class Y, Mode mode, int Tall, class Index>
struct convolve_tile {
    using S = typename sum_of<Y>::type;
    using XF = factor_of<S, X>;
    using WF = factor_of<S, W>;
    static constexpr int lanes = Tall == 1 ? 256 : sizeof(XF) > 8 ? 8 : sizeof(XF) > 4 ? 16 : 32;
    static constexpr int threads = Tall == 1 ? 256 : 8 * lanes;
    static constexpr int width = 4 * lanes, height = Tall * (threads / lanes);    // outputs a block
    static constexpr int taps = Tall > 1 && sizeof(XF) > 4 ? 16 : 32;             // of w at a time: tiles within 48 KiB
    static constexpr int rows = Tall == 1 ? 1 : taps;
    static constexpr int pitch = width + taps + 4;
    struct Args {
        const X* x; const W* w; Y* y; const X* fill;
        int64_t batch, xs[2], ws[2], ys[2], origin[2];       // [rows, columns]; Tall = 1: one row of w
        int64_t across, down;                                // blocks per image
    };

    __device__ static void block(Index b, const Args& a) {
        alignas(16) __shared__ XF tile[(height + rows - 1) * pitch];
        alignas(16) __shared__ WF taps_of[rows * taps];
        const Index image = b / Index(a.across * a.down), place = b % Index(a.across * a.down);
        const Index row0 = place / Index(a.across) * height, col0 = place % Index(a.across) * width;
        const int tx = threadIdx.x % lanes * 4, ty = threadIdx.x / lanes * Tall;
        S total[Tall][4] = {};
        for (Index u0 = 0; u0 < Index(a.ws[0]); u0 += rows)
            for (Index v0 = 0; v0 < Index(a.ws[1]); v0 += taps) {
                const int nu = int(min_of(Index(rows), Index(a.ws[0]) - u0)), nv = int(min_of(Index(taps), Index(a.ws[1]) - v0));
                __syncthreads();
                load(tile, taps_of, image, row0 + u0 - Index(a.origin[0]), col0 + v0 - Index(a.origin[1]), u0, v0, nu, nv, a);
                __syncthreads();
                S part[Tall][4] = {};
                for (int r = 0; r < nu + Tall - 1; ++r) one_row(part, tile + (ty + r) * pitch + tx, taps_of, r, nu, nv);
#pragma unroll
                for (int t = 0; t < Tall; ++t)
#pragma unroll
                    for (int q = 0; q < 4; ++q) total[t][q] += part[t][q];
            }
        Y* y = a.y + image * Index(a.ys[0]) * Index(a.ys[1]);
        for (int t = 0; t < Tall; ++t)
            for (int q = 0; q < 4; ++q) {
                const Index row = row0 + ty + t, col = col0 + tx + q;
                if (row < Index(a.ys[0]) && col < Index(a.ys[1])) y[row * Index(a.ys[1]) + col] = cast<Y>(total[t][q]);
            }
    }

    // Row r of the thread's window meets row r - t of w for its output row t.
    __device__ static void one_row(S (*part)[4], const XF* x, const WF* w, int r, int nu, int nv) {
        quad<XF> left = *reinterpret_cast<const quad<XF>*>(x), right;
        for (int v = 0; v < nv; v += 4, left = right) {
            right = *reinterpret_cast<const quad<XF>*>(x + v + 4);
            XF near[8];
#pragma unroll
            for (int q = 0; q < 4; ++q) near[q] = left.v[q], near[q + 4] = right.v[q];
#pragma unroll
            for (int t = 0; t < Tall; ++t) {
                const int u = r - t;
                if (u < 0 || u >= nu) continue;
                const quad<WF> four = *reinterpret_cast<const quad<WF>*>(w + u * taps + v);
#pragma unroll
                for (int k = 0; k < 4; ++k)
                    if (v + k < nv)              // taps past the end must not meet a NaN
#pragma unroll
                        for (int q = 0; q < 4; ++q) part[t][q] += widen<S>(times(near[k + q], four.v[k]));
            }
        }
    }

    __device__ static void load(XF* tile, WF* taps_of, Index image, Index top, Index left, Index u0, Index v0, int nu, int nv,
                                const Args& a) {
        for (int i = threadIdx.x; i < nu * taps; i += threads) {
            const int u = i / taps, v = i % taps;
            if (v < nv) taps_of[i] = cast<WF>(a.w[(u0 + u) * Index(a.ws[1]) + v0 + v]);
        }
        const XF fill = a.fill ? cast<XF>(*a.fill) : XF(0);
        const X* x = a.x + image * Index(a.xs[0]) * Index(a.xs[1]);
        const int need = width + (nv + 3) / 4 * 4 + 4;
        for (int r = threadIdx.x / 32; r < height + nu - 1; r += threads / 32) {
            const Index i = boundary<mode>(top + r, Index(a.xs[0]));
            for (int c = threadIdx.x % 32; c < need; c += 32) {
                const Index j = boundary<mode>(left + c, Index(a.xs[1]));
                tile[r * pitch + c] = i < 0 || j < 0 ? fill : cast<XF>(x[i * Index(a.xs[1]) + j]);
            }
        }
    }
};

}  // namespace gpusci
#endif
