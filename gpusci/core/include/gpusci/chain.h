// How blocks of one launch hand values on: a slot (whole words of 8 bytes) and a flag per value, flags zero at first. And
// shuffles of values of any size.
#pragma once
#include "entry.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

struct chain {
    uint64_t* slots;
    uint32_t* flags;
};
template <class W> union slot_words {
    static constexpr int count = sizeof(W) < 8 ? 1 : sizeof(W) / 8;
    W value;
    uint64_t word[count];
};
template <class W> __device__ __forceinline__ void publish(const chain& c, int64_t i, const W& value) {
    slot_words<W> u;
    u.word[0] = 0;
    u.value = value;
    volatile uint64_t* slot = c.slots + i * u.count;
#pragma unroll
    for (int k = 0; k < u.count; ++k) slot[k] = u.word[k];
}
__device__ __forceinline__ void raise_flag(const chain& c, int64_t i) {
    __threadfence();
    *reinterpret_cast<volatile uint32_t*>(c.flags + i) = 1;
}
__device__ __forceinline__ void wait_flag(const chain& c, int64_t i) {
    while (*reinterpret_cast<volatile uint32_t*>(c.flags + i) == 0) {}
    __threadfence();
}
template <class W> __device__ __forceinline__ W read_slot(const chain& c, int64_t i) {
    slot_words<W> u;
    const volatile uint64_t* slot = c.slots + i * u.count;
#pragma unroll
    for (int k = 0; k < u.count; ++k) u.word[k] = slot[k];
    return u.value;
}

// Shuffles of values of any size, word by word. `move` is one shuffle of 32 bits.
template <class A, class Move> __device__ __forceinline__ A shuffled(const A& a, Move move) {
    constexpr int words = (sizeof(A) + 3) / 4;
    union { A value; uint32_t word[words]; } from, to;
    if (sizeof(A) < 4) from.word[0] = 0;
    from.value = a;
#pragma unroll
    for (int k = 0; k < words; ++k) to.word[k] = move(from.word[k]);
    return to.value;
}
template <class A> __device__ __forceinline__ A shuffle_up(const A& a, int d) {
    return shuffled(a, [&](uint32_t w) { return __shfl_up_sync(0xffffffffu, w, d); });
}
template <class A> __device__ __forceinline__ A shuffle_from(const A& a, int lane) {
    return shuffled(a, [&](uint32_t w) { return __shfl_sync(0xffffffffu, w, lane); });
}

}  // namespace gpusci
#endif
