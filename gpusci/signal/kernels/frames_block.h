// CUDA form of cut_frames: a block a frame, so that neighbouring threads read and write neighbouring samples; the second
// read of a frame comes from the cache.
#pragma once
#include "signal/kernels/frames.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

template <class X, class Y, class W, Extension ext, Trend trend, class Index>
struct frame_block {
    using Frame = cut_frames<X, Y, W, ext, trend, Index>;
    using Args = typename Frame::Args;
    using V = typename Frame::V;
    using D = typename Frame::D;
    static constexpr int threads = 128;

    __device__ static double shuffle(double v, int off) { return __shfl_xor_sync(0xffffffffu, v, off); }
    __device__ static complex<double> shuffle(complex<double> v, int off) { return {shuffle(v.re, off), shuffle(v.im, off)}; }
    __device__ static D total(D v, D* shared) {
        for (int off = 16; off; off /= 2) v = v + shuffle(v, off);
        __syncthreads();
        if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
        __syncthreads();
        v = shared[0];
        for (int w = 1; w < threads / 32; ++w) v = v + shared[w];
        return v;
    }
    __device__ static void block(Index item, const Args& a) {
        __shared__ D shared[threads / 32];
        const X* x = a.x + item / Index(a.frames) * Index(a.n);
        const Index first = item % Index(a.frames) * Index(a.hop) + Index(a.offset), width = Index(a.width);
        Y* y = a.y + item * Index(a.length);
        typename Frame::Fit fit;
        if (trend != Trend::none) {
            for (Index k = threadIdx.x; k < width; k += threads) fit.add(Frame::sample(x, first + k, a), double(k), a);
            fit.sum = total(fit.sum, shared);
            if (trend == Trend::linear) fit.moment = total(fit.moment, shared);
            fit.finish(a);
        }
        for (Index k = threadIdx.x; k < width; k += threads)
            y[Frame::place(k, a)] = Frame::weighted(fit.rest(Frame::sample(x, first + k, a), k, a), a.window[k]);
        for (Index k = width + threadIdx.x; k < Index(a.length); k += threads) y[Frame::place(k, a)] = Y(0);
    }
};

}  // namespace gpusci
#endif
