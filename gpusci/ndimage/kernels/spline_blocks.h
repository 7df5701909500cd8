// spline_chunks for axes whose neighbours lie close together (the last one): tiles in shared memory, so that memory is read
// and written in whole lines. A thread filters `run` positions of one column; elements are skewed by one every 16, which
// spreads the threads' equal strides over the banks. Same results as spline_chunks to rounding of the double sums.
#pragma once
#include "spline.h"
#if defined(GPUSCI_CUDA)

namespace gpusci {

struct SplineTiles {
    int64_t outer, lines, positions, tiles;     // lines in all; of a block: lines and positions; tiles along a line
};

template <class X, class Y, int Poles, class Index>
struct spline_rows {
    static constexpr int threads = 128, run = 16, bytes = 46080;
    using S = choose_t<(sizeof(X) < 4 || same<X, float>::value), float, double>;    // keeps every value of X
    struct Args { const X* x; Y* y; Spline line; SplineTiles t; };

    __device__ static int skew(int e) { return e + (e >> 4); }

    __device__ static void block(Index b, const Args& a) {
        alignas(16) __shared__ unsigned char memory[bytes];
        S* in = reinterpret_cast<S*>(memory);
        Y* out = reinterpret_cast<Y*>(memory);
        const Spline& g = a.line;
        const Index group = b / Index(a.t.tiles), n = Index(g.n), row = n * Index(g.inner);
        const Index first = (b - group * Index(a.t.tiles)) * Index(a.t.positions), line0 = group * Index(a.t.lines);
        const int inner = int(g.inner), warm = int(g.warm), positions = int(a.t.positions);
        const int lines = int(min_of(Index(a.t.lines), Index(a.t.outer) - line0));
        const int width = (positions + 2 * warm) * inner;
        for (int e = threadIdx.x; e < lines * width; e += threads) {
            const int line = e / width, r = e - line * width, p = r / inner;
            const Index q = edge<Index>(g.mode, first + (p - warm), n);
            in[skew(e)] = S(a.x[(line0 + line) * row + q * Index(inner) + (r - p * inner)]);
        }
        __syncthreads();

        // Task: column fastest, then chunk, then line.
        const int per_line = positions / run * inner, task = threadIdx.x;
        const int line = task / per_line, rest = task - line * per_line, chunk = rest / inner, column = rest - chunk * inner;
        double v[run];
        if (line < lines) {
            const int start = line * width + (chunk * run + warm) * inner + column;
            spline_run<Poles, run>([&](int k) { return double(in[skew(start + k * inner)]); }, v, g);
        }
        __syncthreads();
        if (line < lines) {
#pragma unroll
            for (int k = 0; k < run; ++k)
                out[skew((line * positions + chunk * run + k) * inner + column)] = to_output<Y>(v[k]);
        }
        __syncthreads();
        const int tile = positions * inner, valid = int(min_of(Index(positions), n - first)) * inner;
        for (int e = threadIdx.x; e < lines * tile; e += threads) {
            const int l = e / tile, r = e - l * tile;
            if (r < valid) a.y[(line0 + l) * row + first * Index(inner) + r] = out[skew(e)];
        }
    }
};

}  // namespace gpusci
#endif
