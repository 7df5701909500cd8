// Matrix product of integers and booleans, which BLAS lacks: exact modulo 2^bits as NumPy's; booleans are or of ands.
// x is (batch, m, k), y is (batch, k, n), out (batch, m, n) contiguous; any strides, 0 for a repeated batch.
#pragma once
#include "entry.h"

namespace gpusci {

template <class T> struct unsigned_of { using type = T; };
template <> struct unsigned_of<int8_t> { using type = uint8_t; };
template <> struct unsigned_of<int16_t> { using type = uint16_t; };
template <> struct unsigned_of<int32_t> { using type = uint32_t; };
template <> struct unsigned_of<int64_t> { using type = uint64_t; };

// Products and sums in at least 32 unsigned bits: wrapping is defined there, and 16-bit operands would promote to int.
template <class T> using wrap_t =
    choose_t<same<T, bool>::value, bool, choose_t<(sizeof(T) < 4), uint32_t, typename unsigned_of<T>::type>>;

template <class W> HD void multiply_add(W& sum, W x, W y) {
    if constexpr (same<W, bool>::value) sum = sum || (x && y);
    else sum += x * y;
}

template <class T, class Index>
struct matmul_exact {
    using W = wrap_t<T>;
    struct Args {
        const T* x;
        const T* y;
        T* out;
        int64_t m, n, k;
        int64_t xs[3], ys[3];       // strides: batch, row, column
    };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), m = Index(a.m), row = i / n, col = i - row * n, batch = row / m;
        const T* x = a.x + batch * a.xs[0] + (row - batch * m) * a.xs[1];
        const T* y = a.y + batch * a.ys[0] + col * a.ys[2];
        W sum = W(0);
        for (int64_t k = 0; k < a.k; ++k) multiply_add(sum, W(x[k * a.xs[2]]), W(y[k * a.ys[1]]));
        a.out[i] = T(sum);
    }
#if !defined(GPUSCI_CUDA)
    // Rows of the result in strips of 256 columns: the strip of sums stays in cache and the inner loop is a vector one.
    static void range(Index begin, Index end, const Args& a) {
        constexpr int strip = 256;
        while (begin < end) {
            const int64_t row = begin / a.n, col = begin - row * a.n, batch = row / a.m;
            const int width = int(std::min<int64_t>({strip, a.n - col, int64_t(end - begin)}));
            const T* x = a.x + batch * a.xs[0] + (row - batch * a.m) * a.xs[1];
            const T* y = a.y + batch * a.ys[0] + col * a.ys[2];
            W sum[strip] = {};
            for (int64_t k = 0; k < a.k; ++k) {
                const W factor = W(x[k * a.xs[2]]);
                const T* line = y + k * a.ys[1];
                if (a.ys[2] == 1) for (int j = 0; j < width; ++j) multiply_add(sum[j], factor, W(line[j]));
                else for (int j = 0; j < width; ++j) multiply_add(sum[j], factor, W(line[j * a.ys[2]]));
            }
            for (int j = 0; j < width; ++j) a.out[begin + j] = T(sum[j]);
            begin += width;
        }
    }
#endif
};

#if defined(GPUSCI_CUDA)
// A block computes a 64 x 64 tile from tiles in shared memory, 4 x 4 results per thread.
template <class T, class Index>
struct matmul_exact_block {
    static constexpr int threads = 256;
    static constexpr int tile = 64, depth = 16, each = 4;
    using W = wrap_t<T>;
    using Args = typename matmul_exact<T, Index>::Args;
    __device__ static void block(Index b, const Args& a) {
        __shared__ W xt[depth][tile + 1], yt[depth][tile + 1];      // + 1: no bank conflicts when a column is written
        const int64_t across = (a.n + tile - 1) / tile, down = (a.m + tile - 1) / tile;
        const int64_t batch = b / (across * down), rest = b - batch * across * down;
        const int64_t row0 = rest / across * tile, col0 = rest % across * tile;
        const T* x = a.x + batch * a.xs[0];
        const T* y = a.y + batch * a.ys[0];
        const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
        W sum[each][each] = {};
        for (int64_t k0 = 0; k0 < a.k; k0 += depth) {
            for (int e = threadIdx.x; e < tile * depth; e += threads) {
                const int xk = e % depth, xr = e / depth, yc = e % tile, yk = e / tile;
                xt[xk][xr] = row0 + xr < a.m && k0 + xk < a.k ? W(x[(row0 + xr) * a.xs[1] + (k0 + xk) * a.xs[2]]) : W(0);
                yt[yk][yc] = col0 + yc < a.n && k0 + yk < a.k ? W(y[(k0 + yk) * a.ys[1] + (col0 + yc) * a.ys[2]]) : W(0);
            }
            __syncthreads();
#pragma unroll
            for (int k = 0; k < depth; ++k)
#pragma unroll
                for (int i = 0; i < each; ++i)
#pragma unroll
                    for (int j = 0; j < each; ++j) multiply_add(sum[i][j], xt[k][ty + 16 * i], yt[k][tx + 16 * j]);
            __syncthreads();
        }
        for (int i = 0; i < each; ++i)
            for (int j = 0; j < each; ++j) {
                const int64_t row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
                if (row < a.m && col < a.n) a.out[(batch * a.m + row) * a.n + col] = T(sum[i][j]);
            }
    }
};
#endif

}  // namespace gpusci
