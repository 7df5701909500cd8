// Sorting on the GPU: least-significant-digit radix sort, stable, 8 bits a pass.
//
//   sort_rows     rows that fit into a block: all passes in shared memory, one read and one write of global memory;
//                 several short rows share a block and one more pass, over the row number, parts them
//   sort_tiles, merge_tiles   rows of a few blocks: see sort_merge.h
//   radix_histogram, radix_move   long rows: see sort_radix.h
//
// Keys are mapped to unsigned integers that sort alike: NaN last, whatever its sign. Where indices are asked for, -0.0 and
// 0.0 are equal and keep their order. Ranks within a warp come from ballots (Ashkiani et al., GPU Multisplit, PPoPP 2016).
#pragma once
#include "entry.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

// ---- keys
template <int Bytes> struct key_word;
template <> struct key_word<1> { using type = uint8_t; };
template <> struct key_word<2> { using type = uint16_t; };
template <> struct key_word<4> { using type = uint32_t; };
template <> struct key_word<8> { using type = uint64_t; };

template <class X> struct sort_key {
    using word = typename key_word<sizeof(X)>::type;
    static constexpr int bits = 8 * sizeof(X);
    static constexpr word sign = word(word(1) << (bits - 1));
    static constexpr bool real = is_float<X>::value;
    static constexpr bool is_signed = !real && !same<X, bool>::value && X(-1) < X(0);
    // Bits of +inf: NaN has more in its magnitude.
    static constexpr word infinity = word(sizeof(X) == 2 ? 0x7c00ull : sizeof(X) == 4 ? 0x7f800000ull : 0x7ff0000000000000ull);

    __device__ static __forceinline__ word encode(const X& x, bool join_zeros) {
        union { X x; word w; } u;
        u.w = 0;
        u.x = x;
        if constexpr (real) {
            if (word(u.w & ~sign) > infinity) return word(~word(0));
            if (join_zeros && word(u.w << 1) == 0) return sign;
            return u.w & sign ? word(~u.w) : word(u.w | sign);
        } else if constexpr (is_signed) return word(u.w ^ sign);
        else return u.w;
    }
    __device__ static __forceinline__ X decode(word w) {
        union { X x; word w; } u;
        if constexpr (real) u.w = w & sign ? word(w & ~sign) : word(~w);
        else if constexpr (is_signed) u.w = word(w ^ sign);
        else u.w = w;
        return u.x;
    }
};

// Byte number `p` of a word, the lowest being 0.
template <class W> __device__ __forceinline__ uint32_t byte_of(W w, uint32_t p) {
    if constexpr (sizeof(W) == 8) return __byte_perm(uint32_t(w), uint32_t(w >> 32), p) & 255u;
    else return __byte_perm(w, 0u, 0x4440u | p);
}

// One instruction, which the compiler does not find in a chain of volatile ones.
__device__ __forceinline__ uint32_t and_of(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__CUDA_ARCH__)
    asm("lop3.b32 %0, %0, %1, %2, 0x80;" : "+r"(a) : "r"(b), "r"(c));
    return a;
#else
    return a & b & c;
#endif
}

// The lanes of a warp that have the same digit as this one: where the own bit is 0, the vote is negated. In PTX, since the compiler
// makes seven instructions a bit of the plain form, and with a product, since the integer pipe is what ranking waits for.
__device__ __forceinline__ uint32_t same_digit(uint32_t digit) {
    const uint32_t ones = ~threadIdx.y;         // blocks have one axis, which the compiler does not know: ~v is v * ones + ones
    uint32_t v[8];
#pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
        const uint32_t mask = 1u << bit;
#if defined(__CUDA_ARCH__)
        asm volatile("{ .reg .pred p; .reg .b32 t; and.b32 t, %1, %2; setp.ne.u32 p, t, 0;\n"
                     "vote.sync.ballot.b32 %0, p, 0xffffffff; @!p mad.lo.u32 %0, %0, %3, %3; }"
                     : "=r"(v[bit]) : "r"(digit), "r"(mask), "r"(ones));
#else
        const uint32_t vote = __ballot_sync(0xffffffffu, digit & mask);
        v[bit] = digit & mask ? vote : vote * ones + ones;
#endif
    }
    v[0] &= v[1];
#pragma unroll
    for (int bit = 2; bit < 8; bit += 2) v[0] = and_of(v[0], v[bit], v[bit + 1]);
    return v[0];
}

// Over the first 256 threads: the sum of the values of the threads below. All threads of the block call it.
template <class T, class P> __device__ __forceinline__ T sum_below(T value, P (&part)[8]) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T sum = value;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const T up = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d) sum += up;
    }
    if (lane == 31 && warp < 8) part[warp] = P(sum);
    __syncthreads();
#pragma unroll
    for (int w = 0; w < 7; ++w)
        if (w < warp) sum += part[w];
    return sum - value;
}

// ---- ranks of a block's elements by an 8-bit digit. Element j of lane l of warp w is number (w * Items + j) * 32 + l.
template <int Threads, int Items> struct digit_ranks {
    static constexpr int warps = Threads / 32, digits = 256, tile = Threads * Items;
    static_assert(Threads >= digits && tile < 65536, "one thread a digit; 16-bit counts");
    struct room {
        alignas(16) uint16_t count[warps][digits];      // then: place of the warp's first element of the digit
        uint16_t part[8];
    };

    // `digit(j)` is asked twice: cheaper than keeping it in registers.
    template <class Digit>
    __device__ static __forceinline__ void rank(Digit digit, uint16_t (&place)[Items], room& r) {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        __syncthreads();                // the room may be the buffer that was just read
        reinterpret_cast<uint4*>(r.count[warp])[lane] = uint4{0, 0, 0, 0};
        __syncwarp();
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const uint32_t d = digit(j), peers = same_digit(d);
            const uint32_t before = peers & ((1u << lane) - 1), base = r.count[warp][d];
            place[j] = uint16_t(base + __popc(before));
            __syncwarp();
            if (before == 0) r.count[warp][d] = uint16_t(base + __popc(peers));
            __syncwarp();
        }
        __syncthreads();
        starts(r);
#pragma unroll
        for (int j = 0; j < Items; ++j) place[j] = uint16_t(place[j] + r.count[warp][digit(j)]);
    }

    // Counts of warps become places.
    __device__ static __forceinline__ void starts(room& r) {
        const int d = threadIdx.x;
        uint32_t sum = 0;
        if (d < digits) {
#pragma unroll
            for (int w = 0; w < warps; ++w) sum += r.count[w][d];
        }
        uint32_t at = sum_below(sum, r.part);
        if (d < digits) {
#pragma unroll
            for (int w = 0; w < warps; w += 8) {
                uint32_t c[8];          // these loads before the first store
#pragma unroll
                for (int k = 0; k < 8; ++k) c[k] = r.count[w + k][d];
#pragma unroll
                for (int k = 0; k < 8; ++k) {
                    r.count[w + k][d] = uint16_t(at);
                    at += c[k];
                }
            }
        }
        __syncthreads();
    }
};

// Through shared memory to the ranked places and back in block order.
template <int Threads, int Items, class E>
__device__ __forceinline__ void exchange(E (&v)[Items], const uint16_t (&place)[Items], void* buffer) {
    E* shared = reinterpret_cast<E*>(buffer);
    const int first = threadIdx.x / 32 * 32 * Items + threadIdx.x % 32;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < Items; ++j) shared[place[j]] = v[j];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < Items; ++j) v[j] = shared[first + j * 32];
}

// All passes over a block's keys; tags go with them where Tagged.
template <class X, int Threads, int Items, bool Tagged> struct block_sort {
    using word = typename sort_key<X>::word;
    using ranks = digit_ranks<Threads, Items>;
    static constexpr int keys = Threads * Items * (sizeof(word) < 2 ? 2 : sizeof(word)), counts = sizeof(typename ranks::room);
    struct alignas(16) room { uint8_t bytes[keys > counts ? keys : counts]; };     // of either, never both at the same time

    __device__ static __forceinline__ void run(word (&w)[Items], uint16_t (&tag)[Items], room& r) {
        uint16_t place[Items];
        for (int p = 0; p < sort_key<X>::bits / 8; ++p) {
            ranks::rank([&](int j) { return byte_of(w[j], p); }, place, reinterpret_cast<typename ranks::room&>(r));
            exchange<Threads, Items>(w, place, &r);
            if constexpr (Tagged) exchange<Threads, Items>(tag, place, &r);
        }
    }
};

// ---- rows within a block. Indices: the sorted order is written instead of the values.
template <class X, int Threads, int Items, bool Indices, bool Several, class Index>
struct sort_rows {
    static constexpr int threads = Threads;
    static constexpr int tile = threads * Items;
    using key = sort_key<X>;
    using word = typename key::word;
    using ranks = digit_ranks<threads, Items>;
    using sorter = block_sort<X, threads, Items, Indices || Several>;
    struct Args {
        const X* x;
        X* values;
        int64_t* indices;
        int64_t rows, length, together;     // together: rows per block, at most 255
    };
    __device__ static void block(Index b, const Args& a) {
        __shared__ typename sorter::room room;
        const int n = int(a.length), first = threadIdx.x / 32 * 32 * Items + threadIdx.x % 32;
        const Index row = b * Index(a.together);
        const Index here = min_of(Index(a.together), Index(a.rows) - row);
        const int count = int(here) * n;
        const X* x = a.x + row * Index(n);
        word w[Items];
        uint16_t tag[Items];
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int e = first + j * 32;
            w[j] = e < count ? key::encode(x[e], Indices) : word(~word(0));
            tag[j] = uint16_t(e);
        }
        sorter::run(w, tag, room);
        if constexpr (Several) {
            uint16_t place[Items];
            ranks::rank([&](int j) { return tag[j] < count ? uint32_t(tag[j] / n) : 255u; }, place,
                        reinterpret_cast<typename ranks::room&>(room));
            if constexpr (!Indices) exchange<threads, Items>(w, place, &room);
            exchange<threads, Items>(tag, place, &room);
        }
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int e = first + j * 32;
            if (e >= count) continue;
            if constexpr (Indices) a.indices[row * Index(n) + e] = tag[j] % n;
            else a.values[row * Index(n) + e] = key::decode(w[j]);
        }
    }
};

}  // namespace gpusci
#endif
