// x[mask] for a boolean mask of x's shape: the elements where the mask is true, in C order.
// Method: count the true bytes of each chunk of the mask, sum the counts up, then every chunk copies its elements to its own
// place. The mask is read twice and x once where it is selected; no list of indices is ever written.
// `put` is the reverse, x[mask] = values.
#pragma once
#include "entry.h"

namespace gpusci {

constexpr int select_chunk = 4096;      // mask elements per work item or block; CHUNK in masks.py

template <class Index>
struct mask_count {
    struct Args { const uint8_t* mask; int64_t* count; int64_t n; };
    HD static void at(Index chunk, const Args& a) {
        const int64_t begin = int64_t(chunk) * select_chunk, end = min_of(begin + select_chunk, a.n);
        int count = 0;
        for (int64_t i = begin; i < end; ++i) count += a.mask[i] != 0;
        a.count[chunk] = count;
    }
};

// Counts to running totals, in place. There is one per 4096 elements, so one work item, or one block, is enough.
template <class Index>
struct mask_totals {
    struct Args { int64_t* count; int64_t n; };
    HD static void at(Index, const Args& a) {
        int64_t total = 0;
        for (int64_t i = 0; i < a.n; ++i) a.count[i] = total += a.count[i];
    }
};

// `last` holds, for each chunk, how many elements are selected up to its end.
template <class T, int R, bool Put, class Index>
struct mask_select {
    struct Args { const uint8_t* mask; const int64_t* last; View<T, R> x; T* line; int64_t line_stride, n; };
    HD static void at(Index chunk, const Args& a) {
        const int64_t begin = int64_t(chunk) * select_chunk, end = min_of(begin + select_chunk, a.n);
        int64_t to = chunk ? a.last[chunk - 1] : 0;
#if !defined(GPUSCI_CUDA)
        if constexpr (R == 1 && !Put) {
            if (a.x.stride[0] == 1 && a.line_stride == 1) return compact(a.mask + begin, a.x.data + begin, end - begin, a.line + to);
        }
#endif
        for (int64_t i = begin; i < end; ++i)
            if (a.mask[i]) move(a.x[Index(i)], a.line[to++ * a.line_stride]);
    }
#if !defined(GPUSCI_CUDA)
    // Without branches, which a random mask would mispredict: every element is stored, and the place moves on where it counts.
    static void compact(const uint8_t* mask, const T* x, int64_t n, T* line) {
        alignas(64) unsigned char store[sizeof(T) * (select_chunk + 1)];
        T* kept = reinterpret_cast<T*>(store);
        int64_t count = 0;
        for (int64_t i = 0; i < n; ++i) {
            kept[count] = x[i];
            count += mask[i] != 0;
        }
        std::memcpy(line, kept, sizeof(T) * count);
    }
#endif
    HD static void move(T& element, T& item) {
        if constexpr (Put) element = item;
        else item = element;
    }
};

#if defined(GPUSCI_CUDA)

// Sixteen mask bytes as sixteen bits, lowest first. Bytes other than 0 and 1 occur in views of other types.
__device__ __forceinline__ uint32_t mask_bits(const uint8_t* mask, int64_t i, int64_t n) {
    uint32_t bits = 0;
    if (i + 16 <= n && (uint64_t(mask + i) & 15) == 0) {
        const uint4 words = *reinterpret_cast<const uint4*>(mask + i);
        const uint32_t w[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            // __vcmpne4 gives 0xff per non-zero byte; the product gathers one bit of each byte into the top four.
            bits |= ((__vcmpne4(w[k], 0) & 0x01010101u) * 0x01020408u >> 24 & 15u) << (4 * k);
        }
    } else {
        for (int k = 0; k < 16; ++k) bits |= uint32_t(i + k < n && mask[i + k] != 0) << k;
    }
    return bits;
}

// Sum over a warp, in every lane.
__device__ __forceinline__ int warp_sum(int v) {
#pragma unroll
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

template <class Index>
struct mask_count_block {
    static constexpr int threads = 256;
    using Args = typename mask_count<Index>::Args;
    __device__ static void block(Index chunk, const Args& a) {
        __shared__ int part[threads / 32];
        const int64_t i = int64_t(chunk) * select_chunk + threadIdx.x * 16;
        const int sum = warp_sum(i < a.n ? __popc(mask_bits(a.mask, i, a.n)) : 0);
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            int64_t count = 0;
            for (int w = 0; w < threads / 32; ++w) count += part[w];
            a.count[chunk] = count;
        }
    }
};

template <class Index>
struct mask_totals_block {
    static constexpr int threads = 1024;
    static constexpr int each = 4;
    using Args = typename mask_totals<Index>::Args;
    __device__ static void block(Index, const Args& a) {
        __shared__ int64_t warps[threads / 32];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        int64_t carry = 0;
        for (int64_t begin = 0; begin < a.n; begin += threads * each) {
            const int64_t mine = begin + threadIdx.x * each;
            int64_t sum[each], run = 0;
#pragma unroll
            for (int e = 0; e < each; ++e) sum[e] = run += mine + e < a.n ? a.count[mine + e] : 0;
            int64_t upto = run;             // of this warp, up to this lane
#pragma unroll
            for (int d = 1; d < 32; d <<= 1) {
                const int64_t before = __shfl_up_sync(0xffffffffu, upto, d);
                if (lane >= d) upto += before;
            }
            if (lane == 31) warps[warp] = upto;
            __syncthreads();
            int64_t total = 0, offset = carry + upto - run;
            for (int w = 0; w < threads / 32; ++w) {
                if (w == warp) offset += total;
                total += warps[w];
            }
#pragma unroll
            for (int e = 0; e < each; ++e)
                if (mine + e < a.n) a.count[mine + e] = offset + sum[e];
            carry += total;
            __syncthreads();
        }
    }
};

// A warp takes 512 consecutive elements in 16 steps of 32: loads of x are coalesced and independent of each other, and
// the selected items of a step go to consecutive places.
template <class T, int R, bool Put, class Index>
struct mask_select_block {
    static constexpr int threads = 256;
    using Portable = mask_select<T, R, Put, Index>;
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
        constexpr int steps = sizeof(T) > 8 ? 4 : 8;        // loads in flight, within the registers
        for (int s0 = 0; s0 < 16; s0 += steps) {
            T* item[steps];
            T* element[steps];
#pragma unroll
            for (int s = 0; s < steps; ++s) {
                const uint32_t set = __shfl_sync(0xffffffffu, bits, 2 * (s0 + s))
                    | __shfl_sync(0xffffffffu, bits, 2 * (s0 + s) + 1) << 16;
                const bool selected = set >> lane & 1;
                item[s] = selected ? a.line + (to + __popc(set & below)) * a.line_stride : nullptr;
                element[s] = selected ? &a.x[Index(first + (s0 + s) * 32 + lane)] : nullptr;
                to += __popc(set);
            }
            T held[steps];
#pragma unroll
            for (int s = 0; s < steps; ++s)
                if (item[s]) held[s] = Put ? *item[s] : *element[s];
#pragma unroll
            for (int s = 0; s < steps; ++s)
                if (item[s]) *(Put ? element[s] : item[s]) = held[s];
        }
    }
};
#endif

}  // namespace gpusci
