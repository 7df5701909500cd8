// Sorting rows of a few blocks in two launches: every tile is sorted by a block, then every element finds its place among those
// of the other tiles of its row by binary search. Equal keys keep the order of their tiles, so the sort is stable.
#pragma once
#include "sort_block.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

template <class X, int Threads, int Items, bool Indices, class Index>
struct sort_tiles {
    static constexpr int threads = Threads, tile = threads * Items;
    using key = sort_key<X>;
    using word = typename key::word;
    using sorter = block_sort<X, threads, Items, Indices>;
    struct Args {
        const X* x;
        word* words;            // sorted within tiles
        uint16_t* tags;         // where they were in their tile, when indices are asked for
        int64_t length, tiles;
    };
    __device__ static void block(Index b, const Args& a) {
        __shared__ typename sorter::room room;
        const Index row = b / Index(a.tiles), base = (b - row * Index(a.tiles)) * tile, n = Index(a.length), at = row * n + base;
        const int count = int(min_of(n - base, Index(tile))), first = threadIdx.x / 32 * 32 * Items + threadIdx.x % 32;
        word w[Items];
        uint16_t tag[Items];
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int e = first + j * 32;
            w[j] = e < count ? key::encode(a.x[at + e], Indices) : word(~word(0));
            tag[j] = uint16_t(e);
        }
        sorter::run(w, tag, room);
#pragma unroll
        for (int j = 0; j < Items; ++j) {
            const int e = first + j * 32;
            if (e >= count) continue;
            a.words[at + e] = w[j];
            if constexpr (Indices) a.tags[at + e] = tag[j];
        }
    }
};

template <class X, bool Indices, class Index>
struct merge_tiles {
    static constexpr int threads = 256;
    static constexpr int side = 4;          // tiles searched side by side
    using key = sort_key<X>;
    using word = typename key::word;
    struct Args {
        const word* words;
        const uint16_t* tags;
        X* values;
        int64_t* indices;
        int64_t length, tile;               // tile: a power of 2
    };
    __device__ static void block(Index b, const Args& a) {
        const Index n = Index(a.length), tile = Index(a.tile), blocks = (n + threads - 1) / threads, row = b / blocks;
        const Index e = (b - row * blocks) * threads + threadIdx.x, own = e / tile;
        if (e >= n) return;
        const word* words = a.words + row * n;
        const word w = words[e];
        Index rank = e - own * tile;
        for (Index q = 0; q * tile < n; q += side) rank += lower_elements(words, w, q, own, tile, n);
        if constexpr (Indices) a.indices[row * n + rank] = own * tile + a.tags[row * n + e];
        else a.values[row * n + rank] = key::decode(w);
    }
    // How many elements of tiles q ... q + side - 1, the own one not counted, come before w.
    __device__ static __forceinline__ Index lower_elements(const word* words, word w, Index q, Index own, Index tile, Index n) {
        Index found[side] = {}, count[side];
#pragma unroll
        for (int k = 0; k < side; ++k) count[k] = q + k == own ? 0 : min_of(tile, n - (q + k) * tile);    // < 0 past the end
        for (Index step = tile; step > 0; step /= 2) {
            word v[side];               // all asked for before the first is looked at
#pragma unroll
            for (int k = 0; k < side; ++k) v[k] = words[found[k] + step <= count[k] ? (q + k) * tile + found[k] + step - 1 : 0];
#pragma unroll
            for (int k = 0; k < side; ++k)
                if (found[k] + step <= count[k] && (v[k] < w || (v[k] == w && q + k < own))) found[k] += step;
        }
        Index sum = 0;
#pragma unroll
        for (int k = 0; k < side; ++k) sum += found[k];
        return sum;
    }
};

}  // namespace gpusci
#endif
