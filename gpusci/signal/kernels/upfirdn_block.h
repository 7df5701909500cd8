// CUDA form of upfirdn.h. Outputs m, m + up, m + 2 up, ... have the same taps, and their samples stand `down` apart: a tile's
// samples lie in shared memory sorted by place modulo `down`, so that neighbouring lanes read neighbours and each of a
// thread's four outputs takes over a sample of the one before it. A quarter of a read a product, of the samples as of the taps.
#pragma once
#include "signal/kernels/upfirdn.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

template <class X, class H, class Y, Extension ext, class Index>
struct upfirdn_tile {
    using Item = upfirdn<X, H, Y, ext, Index>;
    using S = typename Item::S;
    using XF = typename Item::XF;
    using HF = typename Item::HF;
    static constexpr int threads = 256, run = 128, bytes = 40960;      // run: outputs of one residue that a warp takes
    struct alignas(16) Memory { unsigned char data[bytes]; };
    // A tile is groups * run * up outputs; `pitch` samples of each place modulo down (see _resampling.py).
    struct Args { typename Item::Args a; int64_t tiles, groups, pitch; };

    __device__ static void block(Index b, const Args& g) {
        __shared__ Memory memory;
        const auto& a = g.a;
        XF* samples = reinterpret_cast<XF*>(memory.data);
        Y* results = reinterpret_cast<Y*>(memory.data + (a.down * g.pitch * int64_t(sizeof(XF)) + 15) / 16 * 16);
        const int up = int(a.up), down = int(a.down), pitch = int(g.pitch), span = int(g.groups) * run;
        const Index line = b / Index(g.tiles), out = b % Index(g.tiles) * Index(span) * up;
        const int64_t start = (a.first + out) * down, newest = start / up;      // the tile's first output, in samples
        const int rest = int(start - newest * up);
        const Index oldest = Index(newest - a.taps + 1);               // the first sample it reads
        const X* x = a.x + line * Index(a.n);
        const XF fill = a.fill ? cast<XF>(*a.fill) : XF(0);
        for (int d = threadIdx.x; d < down * pitch; d += threads)
            samples[d % down * pitch + d / down] = extended<ext, XF>(x, oldest + d, Index(a.n), fill);
        __syncthreads();
        for (int unit = threadIdx.x / 32; unit < up * int(g.groups); unit += threads / 32) {
            const int r = unit % up, at = unit / up * run + threadIdx.x % 32 * 4;
            const int t = rest + r * down;
            S sums[4] = {};
            outputs(sums, samples, a.h + t % up * a.h_phase, t / up, at, down, pitch, a);
#pragma unroll
            for (int j = 0; j < 4; ++j) results[(at + j) * up + r] = cast<Y>(sums[j]);
        }
        __syncthreads();
        Y* y = a.y + line * Index(a.n_out) + out;
        const int count = int(min_of(Index(span) * up, Index(a.n_out) - out));
        for (int k = threadIdx.x; k < count; k += threads) y[k] = results[k];
    }

    // Four outputs `down` samples apart; their first tap meets sample `place` + down * (at + j).
    __device__ static void outputs(S (&sums)[4], const XF* samples, const H* h, int place, int at, int down, int pitch,
                                   const typename Item::Args& a) {
        const int taps = int(a.taps);
        for (int c = 0; c < down && c < taps; ++c) {                   // taps c, c + down, ...
            const XF* row = samples + (place + c) % down * pitch + (place + c) / down + at;
            XF window[4] = {row[0], row[1], row[2], XF(0)};
            const H* tap = h + c * a.h_tap;
#pragma unroll 4
            for (int k = c, l = 3; k < taps; k += down, ++l, tap += down * a.h_tap) {
                window[3] = row[l];
                const HF factor = cast<HF>(*tap);
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[j] += widen<S>(times(window[j], factor));
                window[0] = window[1], window[1] = window[2], window[2] = window[3];
            }
        }
    }
};

}  // namespace gpusci
#endif
