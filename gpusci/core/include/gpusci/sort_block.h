// Sorting on the GPU: least-significant-digit radix sort, stable, 8 bits a pass.
//
//   sort_rows     rows that fit into a block: all passes in shared memory, one read and one write of global memory;
//                 several short rows share a block and one more pass, over the row number, parts them
//   sort_tiles, merge_tiles   rows of a few blocks: see sort_merge.h
//   radix_histogram, radix_move   long rows: one launch counts the digits of all passes, then one launch a pass moves every
//                 tile, put in digit order in shared memory first so that writes are runs (Adinets and Merrill, Onesweep,
//                 arXiv:2206.01784). Read and written once a pass, and read once more.
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

// ---- ranks of a block's elements by an 8-bit digit. Element j of lane l of warp w is number (w * Items + j) * 32 + l.
template <int Threads, int Items> struct digit_ranks {
    static constexpr int warps = Threads / 32, digits = 256, tile = Threads * Items;
    static_assert(Threads >= digits && tile < 65536, "one thread a digit; 16-bit counts");
    struct room {
        uint16_t count[warps][digits];      // then: elements of the digit in earlier warps
        uint16_t start[digits];             // elements of lower digits
        uint16_t total[digits];
        uint16_t part[8];
    };

    // `digit(j)` is asked twice: cheaper than keeping it in registers.
    template <class Digit>
    __device__ static __forceinline__ void rank(Digit digit, uint16_t (&place)[Items], room& r) {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        __syncthreads();                // the room may be the buffer that was just read
        for (int d = lane; d < digits; d += 32) r.count[warp][d] = 0;
        __syncwarp();
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const uint32_t d = digit(j);
            uint32_t peers = 0xffffffffu;
#pragma unroll
            for (int bit = 0; bit < 8; ++bit) {
                const bool set = d >> bit & 1;
                const uint32_t vote = __ballot_sync(0xffffffffu, set);
                peers &= set ? vote : ~vote;
            }
            const uint32_t before = peers & ((1u << lane) - 1), base = r.count[warp][d];
            place[j] = uint16_t(base + __popc(before));
            __syncwarp();
            if (before == 0) r.count[warp][d] = uint16_t(base + __popc(peers));
            __syncwarp();
        }
        __syncthreads();
        starts(r);
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const uint32_t d = digit(j);
            place[j] = uint16_t(place[j] + r.count[warp][d] + r.start[d]);
        }
    }

    // Counts of warps become sums over earlier warps; totals, and starts of the digits.
    __device__ static __forceinline__ void starts(room& r) {
        const int d = threadIdx.x, lane = d % 32;
        uint32_t sum = 0, upto = 0;
        if (d < digits) {
            uint32_t c[warps];          // all loads before the first store
#pragma unroll
            for (int w = 0; w < warps; ++w) c[w] = r.count[w][d];
#pragma unroll
            for (int w = 0; w < warps; ++w) {
                r.count[w][d] = uint16_t(sum);
                sum += c[w];
            }
            upto = sum;
#pragma unroll
            for (int k = 1; k < 32; k *= 2) {
                const uint32_t up = __shfl_up_sync(0xffffffffu, upto, k);
                if (lane >= k) upto += up;
            }
            if (lane == 31) r.part[d / 32] = uint16_t(upto);
        }
        __syncthreads();
        if (d < digits) {
            for (int w = 0; w < d / 32; ++w) upto += r.part[w];
            r.start[d] = uint16_t(upto - sum);
            r.total[d] = uint16_t(sum);
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
        for (int shift = 0; shift < sort_key<X>::bits; shift += 8) {
            ranks::rank([&](int j) { return uint32_t(w[j] >> shift) & 255u; }, place, reinterpret_cast<typename ranks::room&>(r));
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

// ---- long rows

// The key of element i: in the first pass from the array, later from the words of the pass before.
template <class X, bool First, bool Indices, class Index>
__device__ __forceinline__ typename sort_key<X>::word radix_word(const void* source, Index i) {
    if constexpr (First) return sort_key<X>::encode(static_cast<const X*>(source)[i], Indices);
    else return static_cast<const typename sort_key<X>::word*>(source)[i];
}

// How often each digit occurs in a row, for every pass: counts at [row][pass][digit], zero at first.
template <class X, int Threads, int Items, bool Indices, class Count, class Index>
struct radix_histogram {
    static constexpr int threads = Threads, tile = threads * Items;
    static constexpr int passes = sort_key<X>::bits / 8;
    using word = typename sort_key<X>::word;
    using Counter = choose_t<sizeof(Count) == 8, unsigned long long, unsigned>;     // as CUDA's atomics name them
    struct Args {
        const X* x;
        Count* counts;
        int64_t length, tiles;
    };
    __device__ static void block(Index b, const Args& a) {
        __shared__ uint32_t count[passes * 256];
        const int t = threadIdx.x;
        for (int i = t; i < passes * 256; i += threads) count[i] = 0;
        __syncthreads();
        const Index row = b / Index(a.tiles), base = (b - row * Index(a.tiles)) * tile, n = Index(a.length);
        word w[Items];
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const Index i = base + j * threads + t;
            if (i < n) w[j] = sort_key<X>::encode(a.x[row * n + i], Indices);
        }
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const bool inside = base + j * threads + t < n;
#pragma unroll
            for (int p = 0; p < passes - 1; ++p)
                if (inside) atomicAdd(&count[p * 256 + (uint32_t(w[j] >> 8 * p) & 255u)], 1u);
            add_together(count + (passes - 1) * 256, inside ? uint32_t(w[j] >> 8 * (passes - 1)) & 255u : 256u);
        }
        __syncthreads();
        for (int i = t; i < passes * 256; i += threads)
            if (count[i]) atomicAdd(reinterpret_cast<Counter*>(a.counts + row * passes * 256 + i), Counter(count[i]));
    }
    // The top digit takes few values in a warp (signs and exponents): one atomic for all lanes that have the first one's
    // digit, twice; the rest singly. Digit 256 is none.
    __device__ static __forceinline__ void add_together(uint32_t* count, uint32_t digit) {
        const int lane = threadIdx.x % 32;
        uint32_t left = __ballot_sync(0xffffffffu, digit < 256u);
#pragma unroll
        for (int round = 0; round < 2; ++round) {
            const int leader = left ? __ffs(int(left)) - 1 : 0;
            const uint32_t common = __shfl_sync(0xffffffffu, digit, leader);
            const uint32_t peers = __ballot_sync(0xffffffffu, digit == common) & left;
            if (peers && lane == leader) atomicAdd(&count[common], uint32_t(__popc(peers)));
            left &= ~peers;
        }
        if (left >> lane & 1) atomicAdd(&count[digit], 1u);
    }
};

// One pass. Where a tile's digits go follows from the counts of the row and from the tiles before it, which tell their own
// counts at once and the sums up to them as soon as they know (Merrill and Garland's decoupled look-back; sums of integers
// do not depend on timing). `state` holds them, [row][tile][digit], in the upper two bits how far a word is; zero at first.
// Last: values come out as X, indices as int64; else words and tags.
template <class X, int Threads, int Items, bool First, bool Last, bool Indices, class Tag, class Count, class Index>
struct radix_move {
    static constexpr int threads = Threads, tile = threads * Items;
    using key = sort_key<X>;
    using word = typename key::word;
    using ranks = digit_ranks<threads, Items>;
    static constexpr int passes = key::bits / 8;
    static constexpr Count own = Count(1) << (8 * sizeof(Count) - 2), upto = Count(2) << (8 * sizeof(Count) - 2);
    struct Args {
        const void* source;
        const Tag* tags;
        void* target;
        void* moved;                // tags, or indices in the last pass
        const Count* counts;
        Count* state;
        Count* next;                // the state of the next pass, to be cleared; null in the last
        int64_t length, tiles, shift;
    };
    __device__ static void block(Index b, const Args& a) {
        __shared__ Count offset[256], part[8];
        constexpr int bytes = tile * (sizeof(word) < sizeof(Tag) && Indices ? sizeof(Tag) : sizeof(word));
        alignas(16) __shared__ uint8_t buffer[bytes > int(sizeof(typename ranks::room)) ? bytes : sizeof(typename ranks::room)];
        typename ranks::room& room = *reinterpret_cast<typename ranks::room*>(buffer);      // never needed at the same time
        const Index row = b / Index(a.tiles), p = b - row * Index(a.tiles), base = p * tile, n = Index(a.length);
        const int t = threadIdx.x, first = t / 32 * 32 * Items + t % 32, count = int(min_of(n - base, Index(tile)));
        word w[Items];
        uint16_t place[Items];
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int e = first + j * 32;
            w[j] = e < count ? radix_word<X, First, Indices>(a.source, row * n + base + e) : word(~word(0));
        }
        const int shift = int(a.shift);
        ranks::rank([&](int j) { return uint32_t(w[j] >> shift) & 255u; }, place, room);
        Count before = 0, lower = 0;
        if (t < 256) {
            const Count mine = Count(room.total[t] - (t == 255 ? tile - count : 0));
            before = look_back(a.state + (row * Index(a.tiles) + p) * 256 + t, p, mine);
            lower = a.counts[(row * passes + shift / 8) * 256 + t];
            if constexpr (!Last) a.next[(row * Index(a.tiles) + p) * 256 + t] = 0;
        }
        lower = sum_below(lower, part);
        if (t < 256) offset[t] = lower + before - Count(room.start[t]);
        exchange<threads, Items>(w, place, buffer);
        const word* sorted = reinterpret_cast<const word*>(buffer);
        Index to[Items];
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int q = j * threads + t;
            const word v = sorted[q];
            to[j] = Index(offset[uint32_t(v >> shift) & 255u] + Count(q));
            if (q >= count) continue;
            if constexpr (Last && !Indices) static_cast<X*>(a.target)[row * n + to[j]] = key::decode(v);
            else if constexpr (!Last) static_cast<word*>(a.target)[row * n + to[j]] = v;
        }
        if constexpr (Indices) move_tags(a, to, place, buffer, first, count, row, base, n);
    }
    // Elements with this digit in earlier tiles. A word carries value and progress together, so no fence is needed.
    __device__ static __forceinline__ Count look_back(Count* state, Index p, Count mine) {
        volatile Count* here = state;
        Count before = 0;
        if (p > 0) {
            *here = own | mine;
            for (volatile Count* q = here - 256;;) {
                const Count s = *q;
                if (s == 0) continue;
                before += s & Count(own - 1);
                if (s & upto) break;
                q -= 256;
            }
        }
        *here = upto | (before + mine);
        return before;
    }
    // Over the first 256 threads: the sum of the values of the threads below.
    __device__ static __forceinline__ Count sum_below(Count value, Count* part) {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        Count sum = value;
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const Count up = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum += up;
        }
        if (lane == 31 && warp < 8) part[warp] = sum;
        __syncthreads();
        for (int w = 0; w < warp && w < 8; ++w) sum += part[w];
        return sum - value;
    }
    __device__ static __forceinline__ void move_tags(const Args& a, const Index (&to)[Items], const uint16_t (&place)[Items],
                                                     void* buffer, int first, int count, Index row, Index base, Index n) {
        Tag tag[Items];
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int e = first + j * 32;
            tag[j] = First ? Tag(base + e) : e < count ? a.tags[row * n + base + e] : Tag(0);
        }
        exchange<threads, Items>(tag, place, buffer);
        const Tag* sorted = static_cast<const Tag*>(buffer);
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int q = j * threads + int(threadIdx.x);
            if (q >= count) continue;
            if constexpr (Last) static_cast<int64_t*>(a.moved)[row * n + to[j]] = int64_t(sorted[q]);
            else static_cast<Tag*>(a.moved)[row * n + to[j]] = sorted[q];
        }
    }
};

}  // namespace gpusci
#endif
