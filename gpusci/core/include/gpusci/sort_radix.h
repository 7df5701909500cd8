// Sorting long rows: one launch counts the digits of all passes, then one launch a pass moves every tile, put in digit order in
// shared memory first so that writes are runs (Adinets and Merrill, Onesweep, arXiv:2206.01784). Read and written once a pass,
// and read once more.
#pragma once
#include "sort_block.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

// How often each digit occurs in a row, for every pass: counts at [row][pass][digit], zero at first. A block counts `piece`
// elements in several columns, by lane, so that fewer lanes meet in one bank; equal addresses cost a counting atomic nothing.
template <class X, int Items, bool Indices, class Count, class Index>
struct radix_histogram {
    static constexpr int threads = 512, resident = 4, passes = sort_key<X>::bits / 8, columns = 32 / passes;
    static constexpr int at_once = Items < 8 ? Items : 8;
    using Counter = choose_t<sizeof(Count) == 8, unsigned long long, unsigned>;     // as CUDA's atomics name them
    struct Args {
        const X* x;
        Count* counts;
        int64_t length, pieces, piece;
    };
    __device__ static void block(Index b, const Args& a) {
        __shared__ uint32_t count[passes * 256 * columns];
        const int t = threadIdx.x, column = t % columns;
        for (int i = t; i < passes * 256 * columns; i += threads) count[i] = 0;
        __syncthreads();
        const Index row = b / Index(a.pieces), begin = (b - row * Index(a.pieces)) * Index(a.piece);
        const Index end = begin + min_of(Index(a.length) - begin, Index(a.piece));
        const X* x = a.x + row * Index(a.length);
        Index base = begin;
        for (; end - base >= threads * at_once; base += threads * at_once) {
            X v[at_once];
#pragma unroll
            for (int j = 0; j < at_once; ++j) v[j] = x[base + t + j * threads];
#pragma unroll
            for (int j = 0; j < at_once; ++j) add(count + column, sort_key<X>::encode(v[j], Indices));
        }
        for (base += t; base < end; base += threads) add(count + column, sort_key<X>::encode(x[base], Indices));
        __syncthreads();
        for (int i = t; i < passes * 256; i += threads) {
            uint32_t sum = 0;
#pragma unroll 4
            for (int c = 0; c < columns; ++c) sum += count[i * columns + (c + t) % columns];
            if (sum) atomicAdd(reinterpret_cast<Counter*>(a.counts + row * passes * 256 + i), Counter(sum));
        }
    }
    __device__ static __forceinline__ void add(uint32_t* count, typename sort_key<X>::word w) {
#pragma unroll
        for (int p = 0; p < passes; ++p) atomicAdd(&count[(p * 256 + (uint32_t(w >> 8 * p) & 255u)) * columns], 1u);
    }
};

// One pass. Where a tile's digits go follows from the counts of the row and from the tiles before it, which tell their own
// counts at once and the sums up to them as soon as they know (Merrill and Garland's decoupled look-back; sums of integers
// do not depend on timing). `state` holds them, [row][tile][digit], in the upper two bits how far a word is; zero at first.
// Last: values come out as X, indices as int64; else words and tags.
//
// What bounds a pass on an H200 is the work per key, not memory: for 32 of them some 60 instructions of a scheduler, and 21 cycles
// of the multiprocessor's shared memory, since its addresses are random. Hence counts of warps first, which tell a key its place
// at once (no second look-up, no registers that hold places; later tiles learn of the counts before the ranking), and 64
// registers, so that other blocks work while one looks back. The look-back asks for several tiles at once: a tile comes every
// 30 ns, and one answer takes 700, so that one after the other would be 20 of them.
template <class X, int Items, bool First, bool Last, bool Indices, class Count, class Index>
struct radix_move {
    static constexpr int threads = 256, warps = threads / 32, tile = threads * Items;
    static constexpr int resident = sizeof(Count) == 8 || sizeof(X) < 4 ? 3 : 4;     // so that no registers are spilled
    using key = sort_key<X>;
    using word = typename key::word;
    static constexpr int passes = key::bits / 8;
    static constexpr Count own = Count(1) << (8 * sizeof(Count) - 2), upto = Count(2) << (8 * sizeof(Count) - 2);
    struct Args {
        const void* source;
        const Count* tags;          // where elements were in their row, when indices are asked for
        void* target;
        void* moved;                // tags, or indices in the last pass
        const Count* counts;
        Count* state;               // at least 8 * 256 words of memory lie before it
        Count* next;                // the state of the next pass, to be cleared; null in the last
        int64_t length, tiles, pass;
    };
    struct room {
        alignas(16) uint32_t count[warps][256];     // then: place of the warp's next element of the digit
        word words[tile];                           // in digit order
        Count tags[Indices ? tile : 1], offset[256], sums[8];
        uint32_t part[8];
        uint32_t pass;      // read again, so that the compiler does not keep digits in registers, of which there are too few
    };
    __device__ static void block(Index b, const Args& a) {
        __shared__ room r;
        const Index row = b / Index(a.tiles), p = b - row * Index(a.tiles), base = p * tile, n = Index(a.length);
        const int t = threadIdx.x, first = t / 32 * 32 * Items + t % 32, count = int(min_of(n - base, Index(tile)));
        const uint32_t pass = r.pass = uint32_t(a.pass);
        clear(r.count[t / 32]);
        word w[Items];
        Count tag[Indices ? Items : 1];
        if (count == tile) load<true>(a, row * n + base + first, base + first, tile - first, w, tag);
        else load<false>(a, row * n + base + first, base + first, count - first, w, tag);
        __syncwarp();
#pragma unroll
        for (int j = 0; j < Items; ++j) atomicAdd(&r.count[t / 32][byte_of(w[j], pass)], 1u);
        __syncthreads();
        uint32_t total = 0;
#pragma unroll
        for (int k = 0; k < warps; ++k) total += r.count[k][t];
        Count* here = a.state + (row * Index(a.tiles) + p) * 256 + t;
        const Count mine = Count(total - (t == 255 ? tile - count : 0));
        Count before = 0;
        if (p == 0) before = sum_below(a.counts[(row * passes + pass) * 256 + t], r.sums);
        tell(here, (p == 0 ? upto : own) | (before + mine));
        if constexpr (!Last) a.next[(row * Index(a.tiles) + p) * 256 + t] = 0;
        const uint32_t start = sum_below(total, r.part);
        places(r, start);
        put_in_order(r, w, tag, *static_cast<volatile uint32_t*>(&r.pass));
        if (p > 0) {
            before = look_back(here);
            tell(here, upto | (before + mine));
        }
        r.offset[t] = before - Count(start);
        __syncthreads();
        if (count == tile) store<true>(a, r, row * n + t, tile - t, pass);
        else store<false>(a, r, row * n + t, count - t, pass);
    }
    // Elements at, at + 32, ... of the array, which are `number` and so on of their row. Keys that come last past the end.
    template <bool Full, int Tags>
    __device__ static __forceinline__ void load(const Args& a, Index at, Index number, int left, word (&w)[Items],
                                                Count (&tag)[Tags]) {
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const bool inside = Full || j * 32 < left;
            if (!inside) w[j] = word(~word(0));
            else if constexpr (First) w[j] = key::encode(static_cast<const X*>(a.source)[at + j * 32], Indices);
            else w[j] = static_cast<const word*>(a.source)[at + j * 32];
            if constexpr (Indices) tag[j] = First ? Count(number + j * 32) : inside ? a.tags[at + j * 32] : Count(0);
        }
    }
    template <bool Full>
    __device__ static __forceinline__ void store(const Args& a, const room& r, Index at, int left, uint32_t pass) {
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int q = j * threads + int(threadIdx.x);
            const word v = r.words[q];
            const Index to = at + Index(r.offset[byte_of(v, pass)]) + j * threads;
            if (!Full && j * threads >= left) continue;
            if constexpr (!Last) static_cast<word*>(a.target)[to] = v;
            else if constexpr (!Indices) static_cast<X*>(a.target)[to] = key::decode(v);
            if constexpr (Indices && Last) static_cast<int64_t*>(a.moved)[to] = int64_t(r.tags[q]);
            else if constexpr (Indices) static_cast<Count*>(a.moved)[to] = r.tags[q];
        }
    }
    __device__ static __forceinline__ void clear(uint32_t (&count)[256]) {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int k = 0; k < 2; ++k) reinterpret_cast<uint4*>(count)[lane + 32 * k] = uint4{0, 0, 0, 0};
    }
    // Counts of warps become places; thread t has digit t, whose first place is `start`.
    __device__ static __forceinline__ void places(room& r, uint32_t start) {
        uint32_t c[warps];                  // all loads before the first store
#pragma unroll
        for (int k = 0; k < warps; ++k) c[k] = r.count[k][threadIdx.x];
#pragma unroll
        for (int k = 0; k < warps; ++k) {
            r.count[k][threadIdx.x] = start;
            start += c[k];
        }
        __syncthreads();
    }
    template <int Tags>
    __device__ static __forceinline__ void put_in_order(room& r, const word (&w)[Items], const Count (&tag)[Tags], uint32_t pass) {
        const uint32_t below = (1u << threadIdx.x % 32) - 1;
        uint32_t* next = r.count[threadIdx.x / 32];
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const uint32_t d = byte_of(w[j], pass), peers = same_digit(d), before = peers & below;
            const uint32_t place = next[d], to = place + __popc(before);
            __syncwarp();
            if (before == 0) next[d] = place + __popc(peers);
            r.words[to] = w[j];
            if constexpr (Indices) r.tags[to] = tag[j];
            __syncwarp();
        }
        __syncthreads();
    }
    // A word carries value and progress together, so no fence is needed.
    __device__ static __forceinline__ void tell(Count* here, Count word) { *static_cast<volatile Count*>(here) = word; }
    // Elements of the row with lower digits, and those with this one in the tiles before, of which there is one.
    __device__ static __forceinline__ Count look_back(const Count* state) {
        constexpr int together = 8;
        const volatile Count* here = state;
        for (Count before = 0;; here -= 256 * together) {
            Count s[together];              // all asked for before the first is looked at; those before tile 0 never are
#pragma unroll
            for (int k = 0; k < together; ++k) s[k] = here[-256 * (k + 1)];
#pragma unroll
            for (int k = 0; k < together; ++k) {
                while (s[k] == 0) s[k] = here[-256 * (k + 1)];
                before += s[k] & Count(own - 1);
                if (s[k] & upto) return before;
            }
        }
    }
};

}  // namespace gpusci
#endif
