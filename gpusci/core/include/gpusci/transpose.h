// Copy, with cast, between layouts whose contiguous dimensions differ: y[b, i, j] = x[b, i, j] where j is contiguous in y
// and i is contiguous in x. Square tiles go through shared memory, so that reads and writes both take whole 128-byte
// lines; a thread has TILE * TILE / 256 loads in flight. The at-form sibling is elementwise<op::copy>.
#pragma once
#include "entry.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

template <class X, class Y, int R>
struct transpose {
    static constexpr int threads = 256;
    static constexpr int TILE = sizeof(X) > 4 ? 32 : 64, STEP = threads / TILE;

    struct Args {
        const X* x;
        Y* y;
        int64_t rows, columns;                  // lengths of i and j
        int64_t x_column, y_row;                // strides of j in x and of i in y
        int64_t batch[R], x_batch[R], y_batch[R];
    };

    __device__ static void block(int64_t b, const Args& a) {
        __shared__ X tile[TILE][TILE + 1];      // one more column: both directions hit different banks
        const int64_t across = (a.columns + TILE - 1) / TILE, down = (a.rows + TILE - 1) / TILE;
        int64_t q = b / across;
        const int64_t column = (b - q * across) * TILE;
        b = q / down;
        const int64_t row = (q - b * down) * TILE;
        const X* x = a.x;
        Y* y = a.y;
#pragma unroll
        for (int d = R - 1; d >= 0; --d) {
            q = b / a.batch[d];
            x += (b - q * a.batch[d]) * a.x_batch[d];
            y += (b - q * a.batch[d]) * a.y_batch[d];
            b = q;
        }
        const int lane = threadIdx.x % TILE, start = threadIdx.x / TILE;
        X value[TILE / STEP];
#pragma unroll
        for (int k = 0; k < TILE / STEP; ++k) {
            const int64_t i = row + lane, j = column + start + k * STEP;
            if (i < a.rows && j < a.columns) value[k] = x[i + j * a.x_column];
        }
#pragma unroll
        for (int k = 0; k < TILE / STEP; ++k) tile[start + k * STEP][lane] = value[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE / STEP; ++k) {
            const int64_t i = row + start + k * STEP, j = column + lane;
            if (i < a.rows && j < a.columns) y[i * a.y_row + j] = cast<Y>(tile[lane][start + k * STEP]);
        }
    }
};

}  // namespace gpusci
#endif
