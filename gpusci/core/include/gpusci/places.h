// Where a mask is true: the index arrays of nonzero, argwhere and flatnonzero. `last` is from masks.py: selected elements up
// to the end of each chunk.
#pragma once
#include "select.h"

namespace gpusci {

template <int R, class Index>
struct true_places {
    struct Args {
        const uint8_t* mask;
        const int64_t* last;
        int64_t* y;
        int64_t n, along, across;           // strides of y: from item to item, from axis to axis
        int64_t shape[R];
    };
    HD static void write(const Args& a, int64_t to, Index i) {
#pragma unroll
        for (int d = R - 1; d >= 0; --d) {
            const Index n = Index(a.shape[d]), q = d ? i / n : Index(0);
            a.y[to * a.along + d * a.across] = d ? i - q * n : i;
            i = q;
        }
    }
    HD static void at(Index chunk, const Args& a) {
        const int64_t begin = int64_t(chunk) * select_chunk, end = min_of(begin + select_chunk, a.n);
        int64_t to = chunk ? a.last[chunk - 1] : 0;
        for (int64_t i = begin; i < end; ++i)
            if (a.mask[i]) write(a, to++, Index(i));
    }
};

#if defined(GPUSCI_CUDA)
// A warp takes 512 mask bytes; the places of 32 neighbours are written together.
template <int R, class Index>
struct true_places_block {
    static constexpr int threads = 256;
    using Portable = true_places<R, Index>;
    using Args = typename Portable::Args;
    __device__ static void block(Index chunk, const Args& a) {
        __shared__ int part[threads / 32];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const int64_t first = int64_t(chunk) * select_chunk + warp * 512, mine = first + lane * 16;
        const uint32_t bits = mine < a.n ? mask_bits(a.mask, mine, a.n) : 0;
        const int sum = warp_sum(__popc(bits));
        if (lane == 0) part[warp] = sum;
        __syncthreads();
        if (sum == 0) return;
        int64_t to = chunk ? a.last[chunk - 1] : 0;
        for (int w = 0; w < warp; ++w) to += part[w];
        const uint32_t below = (1u << lane) - 1;
        for (int s = 0; s < 16; ++s) {
            const uint32_t set = __shfl_sync(0xffffffffu, bits, 2 * s) | __shfl_sync(0xffffffffu, bits, 2 * s + 1) << 16;
            if (set >> lane & 1) Portable::write(a, to + __popc(set & below), Index(first + s * 32 + lane));
            to += __popc(set);
        }
    }
};
#endif

}  // namespace gpusci
