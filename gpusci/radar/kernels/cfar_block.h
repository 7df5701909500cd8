// CUDA form of ca_cfar: a block holds a tile with its surroundings in shared memory, sums columns, then rows. Eight
// neighbouring sums of one width share their common samples (box8), so that a sum costs about width / 8 + 2 reads.
#pragma once
#include "radar/kernels/cfar.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

// out[k] = sum of p[(k + j) step], 0 <= j < width, k < 8, of additions only: a tail of the first 7, the common middle, a head
// of the last 7 (van Herk 1992, Gil and Werman 1993).
template <class X>
__device__ __forceinline__ void box8(const X* p, int step, int width, X (&out)[8], bool add) {
    X sums[8];
    if (width < 8) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            X s = X(0);
            for (int j = 0; j < width; ++j) s += p[(k + j) * step];
            sums[k] = s;
        }
    } else {
        X middle = X(0), tail[8], head = X(0);
        for (int j = 7; j < width; ++j) middle += p[j * step];
        tail[7] = X(0);
#pragma unroll
        for (int k = 6; k >= 0; --k) tail[k] = tail[k + 1] + p[k * step];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            if (k) head += p[(width + k - 1) * step];
            sums[k] = (tail[k] + middle) + head;
        }
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) out[k] = add ? out[k] + sums[k] : sums[k];
}

template <class X, class Index>
struct ca_cfar_tile {
    using Cells = ca_cfar<X, Index>;
    // height and width of a tile: multiples of 8 that give at most 2048 cells and fit into `memory` (_detection.py).
    struct Args { typename Cells::Args cells; int64_t height, width; };
    static constexpr int threads = 256, memory = 40960 / sizeof(X);

    // Shared memory: the tile with its surroundings, then the column sums over the outer and the middle rows of the ring.
    __device__ static void block(Index b, const Args& g) {
        __shared__ X tile[memory];
        const auto& a = g.cells;
        const int height = int(g.height), width = int(g.width);
        const int e0 = int(a.s.guard0 + a.s.ref0), e1 = int(a.s.guard1 + a.s.ref1), wide = width + 2 * e1;
        const Index across = (Index(a.s.cols) + width - 1) / width;
        const Index row0 = b / across * height, col0 = b % across * width;
        X* outer = tile + (height + 2 * e0) * wide;
        X* middle = outer + height * wide;
        for (int i = threadIdx.x; i < (height + 2 * e0) * wide; i += threads) {
            const Index r = row0 - e0 + i / wide, c = col0 - e1 + i % wide;
            tile[i] = r >= 0 && r < Index(a.s.rows) && c >= 0 && c < Index(a.s.cols) ? a.x[r * Index(a.s.cols) + c] : X(0);
        }
        __syncthreads();
        const int ref0 = int(a.s.ref0), inner0 = 2 * int(a.s.guard0) + 1;
        for (int i = threadIdx.x; i < wide * (height / 8); i += threads) {
            const int c = i % wide, r = i / wide * 8;
            const X* p = tile + r * wide + c;
            X sums[8];
            box8(p, wide, ref0, sums, false);
            box8(p + (ref0 + inner0) * wide, wide, ref0, sums, true);
#pragma unroll
            for (int k = 0; k < 8; ++k) outer[(r + k) * wide + c] = sums[k];
            box8(p + ref0 * wide, wide, inner0, sums, false);
#pragma unroll
            for (int k = 0; k < 8; ++k) middle[(r + k) * wide + c] = sums[k];
        }
        __syncthreads();
        along(row0, col0, tile, outer, middle, wide, g);
    }

    // A thread sums eight neighbours of a row; the results go through the tile's memory, to be written in order.
    __device__ static void along(Index row0, Index col0, X* tile, const X* outer, const X* middle, int wide, const Args& g) {
        const auto& a = g.cells;
        const int height = int(g.height), width = int(g.width), pitch = width + (a.s.ref1 + a.s.guard1 > 0);
        const int ref1 = int(a.s.ref1), inner1 = 2 * int(a.s.guard1) + 1;
        const int r = threadIdx.x / (width / 8), c = threadIdx.x % (width / 8) * 8;
        if (r < height) {
            X sums[8];
            box8(outer + r * wide + c, 1, 2 * ref1 + inner1, sums, false);
            box8(middle + r * wide + c, 1, ref1, sums, true);
            box8(middle + r * wide + c + ref1 + inner1, 1, ref1, sums, true);
#pragma unroll
            for (int k = 0; k < 8; ++k) tile[r * pitch + c + k] = sums[k] * X(a.scale);
        }
        __syncthreads();
        for (int j = threadIdx.x; j < height * width; j += threads) {
            const Index row = row0 + j / width, col = col0 + j % width;
            if (row >= Index(a.s.rows) || col >= Index(a.s.cols)) continue;
            const bool inside = !a.s.border(row, col);
            const X level = inside ? tile[j / width * pitch + j % width] : X(0);
            Cells::finish(row * Index(a.s.cols) + col, level, inside, a);
        }
    }
};

}  // namespace gpusci
#endif
