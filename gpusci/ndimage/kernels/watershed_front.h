// What the blocks of watershed_turns.h and watershed_spread.h keep: lists of pixels, and sums over their threads.
#pragma once
#include "watershed_zones.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

// Unsigned numbers of the width of P, which atomic functions know.
template <class P> using word_of = choose_t<sizeof(P) == 4, unsigned int, unsigned long long>;

// The pixels at work, and those that they add for the next turn.
template <class P>
struct Front {
    struct Shared {
        word_of<P> added[2];
    };
    P* pixels;
    P* next;
    Shared& s;
    int which = 0;

    // pixels: room for twice the pixels there are. All threads call it, and `advance`.
    __device__ Front(P* room, int64_t n, Shared& shared) : pixels(room + n), next(room), s(shared) {
        if (threadIdx.x == 0) s.added[0] = 0;
        __syncthreads();
    }
    __device__ void add(P q) { next[atomicAdd(s.added + which, word_of<P>(1))] = q; }
    // Returns how many were added: these are the pixels at work now.
    __device__ int64_t advance() {
        __syncthreads();
        const int64_t size = s.added[which];
        which ^= 1;
        if (threadIdx.x == 0) s.added[which] = 0;
        P* const done = pixels;
        pixels = next;
        next = done;
        __syncthreads();
        return size;
    }
};

// All threads call `before`; its barrier separates what they do before from what they do after.
template <class P, int threads>
struct Sums {
    static_assert(threads == 1024, "a warp adds the sums of 32 warps");
    struct Shared {
        P sums[2][32];                  // in turns, so that one barrier is enough
    };
    Shared& s;
    int which = 0;

    __device__ explicit Sums(Shared& shared) : s(shared) {}

    // The sum of the values of the threads before this one, and of all.
    __device__ P before(P value, P& total) {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        P* sums = s.sums[which ^= 1];
        const P own = scan(value, lane);
        if (lane == 31) sums[warp] = own;
        __syncthreads();
        const P all = scan(sums[lane], lane);
        total = __shfl_sync(0xffffffffu, all, 31);
        const P below = __shfl_sync(0xffffffffu, all, (warp + 31) % 32);
        return (warp > 0 ? below : P(0)) + own - value;
    }
    __device__ static P scan(P sum, int lane) {
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const P other = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum += other;
        }
        return sum;
    }
};

}  // namespace gpusci
#endif
