// Connected components on a GPU, two axes or more, a bit a pixel. Only runs (set pixels side by side within a word of 32) have
// a place in the forest, at their first pixel, and most trees are joined in shared memory:
//   label_tiles   a warp takes 32 rows of a word each: it packs their pixels, joins the runs of rows above one another and writes
//                 each run's root within the tile; the tile's roots are bits, too
//   label_seams   joins what touches across words, across tiles and across the planes of further axes
//   label_tally   which of the tiles' roots are still roots, counted by 32 words in C order
//   label_ranks   after a running sum of the counts: a root holds -1 - number
//   label_paint   the pixels: a run's number is looked up once, at most three steps away, and written by a warp, row by row
// A tree's root is its smallest pixel, as in label.h, so that numbers follow C order. Of the forest a 32-byte sector is touched
// for each run or so; at 4096 x 4096 booleans that is 17 MB read, 67 MB written, 8 MB of bits and 25 to 67 MB of the forest
// written and read again. Method: Hennequin, Lacassagne, Cabaret and Meunier, "A new direct connected component labeling and
// analysis algorithms for GPUs", DASIP 2018 (runs from the bits of a warp's vote); trees are joined as in label.h.
#pragma once
#include "index.h"
#include "label.h"

namespace gpusci {

// Rows of `words` words, the last one filled up with zeros; tiles of 32 rows do not reach from one plane into the next.
struct LabelGrid {
    int64_t height, width;              // of a plane
    int64_t words;
    int64_t down, tiles;                // tiles of a plane from top to bottom; all tiles
    int64_t columns;                    // neighbours in the row above: bit 0 the pixel before, 1 the same column, 2 the one after
    int64_t runs;                       // whether the pixels of a row are neighbours
};

// First pixels of a word's runs, and that of the run which pixel c belongs to.
HD uint32_t run_starts(uint32_t word, int64_t runs) { return runs ? word & ~(word << 1) : word; }
HD int run_start(uint32_t starts, int c) { return highest(starts & (0xffffffffu >> (31 - c))); }

// The pixels of `word` that need joining with the pixel at column + d of another row, whose columns -1 .. 32 are the lowest bits of
// `near`: one for each two runs, as far as the word shows. Of neighbours c, c + 1 in both rows the first joins all. With c above
// c a neighbour, too, c and c + d need no joining where one of the other two corners is set: they are neighbours over it.
HD uint32_t touching(int d, uint32_t word, uint64_t near, int columns, int64_t runs) {
    if (!(columns >> (d + 1) & 1)) return 0;
    const uint32_t found = word & uint32_t(near >> (1 + d));
    if (!runs) return found;
    if (d == 0 || !(columns & 2)) return found & ~(found << 1);
    return found & ~uint32_t(near >> 1) & ~(d < 0 ? word << 1 : word >> 1);
}

// What touches across the seams of the tiles. `links`: for each other row of neighbours where it lies along the axes but the last,
// how many rows on, and its columns. Work item: a word. What `touching` leaves out at a word's ends is joined over the two words of
// one of the rows, by `join_left`, which itself leans on nothing but the rows above: never in a circle.
template <class P, int D, class Index>
struct label_seams {
    struct Args {
        P* parent;
        const uint32_t* masks;
        LabelGrid g;
        int64_t shape[D];
        int64_t count;
        const int64_t* links;           // [count][D + 1]
    };
    static constexpr Index far = 32;    // words that a joint reaches back over: the chain of a long run's words is shorter by that

    const Args& a;
    HD uint32_t mask(Index row, Index w) const {
        return w >= 0 && w < Index(a.g.words) ? a.masks[row * Index(a.g.words) + w] : 0u;
    }
    // The run that has column c, -1 .. 32, of a word.
    HD Index run(Index row, Index w, int c) const {
        w += c < 0 ? -1 : c > 31 ? 1 : 0;
        return row * Index(a.g.width) + 32 * w + run_start(run_starts(mask(row, w), a.g.runs), c & 31);
    }
    HD uint64_t near(Index row, Index w) const {
        return uint64_t(mask(row, w)) << 1 | mask(row, w - 1) >> 31 | uint64_t(mask(row, w + 1) & 1) << 33;
    }
    HD void join(Index i, Index j) const { join_trees<P, Index>(a.parent, i, j); }

    // A run goes on from the word before. Where it does so in the row above, too, its two words are joined over that.
    HD void join_left(Index row, Index w, bool above) const {
        if (above && a.g.columns & 2 && (near(row - 1, w) & 3) == 3) return;
        Index from = w - 1;
        while (from > 0 && w - from < far && mask(row, from) == 0xffffffffu && mask(row, from - 1) >> 31) --from;
        join(run(row, w, 0), run(row, from, 31));
    }
    HD void join_rows(Index row, Index w, uint32_t word, Index other, int columns, bool tiled) const {
        const uint64_t beside = near(other, w);
#pragma unroll 1
        for (int d = -1; d <= 1; ++d) {
            uint32_t left = touching(d, word, beside, columns, a.g.runs);
            if (tiled) left &= d == 0 ? 0u : d < 0 ? 1u : 0x80000000u;     // within the tile they are joined already
            for (; left; left &= left - 1) {
                const int c = lowest(left);
                join(run(row, w, c), run(other, w, c + d));
            }
        }
    }
    HD void join_word(Index row, Index w) const {
        const uint32_t word = mask(row, w);
        if (word == 0) return;
        Index place[D];                 // along the axes but the last
        Index rest = row;
        for (int d = D - 2; d >= 0; --d) {
            const Index q = d > 0 ? quotient(rest, Index(a.shape[d])) : Index(0);
            place[d] = rest - q * Index(a.shape[d]);
            rest = q;
        }
        const Index y = place[D - 2];
        if (a.g.runs && word & 1 && mask(row, w - 1) >> 31) join_left(row, w, y > 0);
        for (int k = 0; k < int(a.count); ++k) {
            const int64_t* link = a.links + k * (D + 1);
            bool inside = true;
            for (int d = 0; d < D - 1; ++d) inside = inside && uint64_t(place[d] + link[d]) < uint64_t(a.shape[d]);
            if (inside) join_rows(row, w, word, row + Index(link[D - 1]), int(link[D]), link[D - 1] == -1 && y % 32 != 0);
        }
    }
    HD static void at(Index i, const Args& a) {
        const Index row = quotient(i, Index(a.g.words));
        label_seams{a}.join_word(row, i - row * Index(a.g.words));
    }
};

#if defined(GPUSCI_CUDA)
constexpr int label_threads = 128, label_warps = label_threads / 32;

// A warp's tile: a row and a word are each lane's own. In shared memory rows lie 33 apart, so that a column's are in different banks.
struct LabelTile {
    static constexpr int pitch = 33;
    int lane, rows, cols;
    int64_t row, col, word;             // the first
    __device__ LabelTile(int64_t number, const LabelGrid& g) {
        const int64_t strip = number / g.words, plane = strip / g.down, y = (strip - plane * g.down) * 32, w = number - strip * g.words;
        lane = threadIdx.x % 32;
        rows = number < g.tiles ? int(min_of<int64_t>(32, g.height - y)) : 0;
        cols = int(min_of<int64_t>(32, g.width - w * 32));
        row = plane * g.height + y, col = w * 32, word = row * g.words + w;
    }
    __device__ static int64_t of_warp(int64_t block) { return block * label_warps + threadIdx.x / 32; }
};

// Reads and writes of other lanes' places in shared memory between two __syncwarp are those of join_trees and find_root alone, which
// bear any order (see label.h).
template <class X, class P, class Index>
struct label_tiles {
    // batch: rows read ahead. resident: the most that needs no register in memory.
    static constexpr int threads = label_threads, batch = 16, resident = sizeof(X) + sizeof(P) > 8 ? 6 : 8;
    struct Args {
        const X* x;
        P* parent;
        uint32_t* masks;
        uint32_t* roots;
        LabelGrid g;
    };
    // Bits of the lane's row.
    __device__ static uint32_t pack(const X* x, const LabelTile& t, int64_t width) {
        uint32_t mine = 0;
        const int rows = t.lane < t.cols ? t.rows : 0;
#pragma unroll 1
        for (int r = 0; r < t.rows; r += batch) {
            X v[batch];
#pragma unroll
            for (int k = 0; k < batch; ++k, x += width) {
                v[k] = X(0);
                if (r + k < rows) v[k] = *x;
            }
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                const uint32_t word = __ballot_sync(0xffffffffu, v[k] != X(0));
                if (t.lane == r + k) mine = word;
            }
        }
        return mine;
    }
    __device__ static void block(Index b, const Args& a) {
        __shared__ int32_t shared[label_warps][32 * LabelTile::pitch];
        constexpr int pitch = LabelTile::pitch;
        const LabelGrid& g = a.g;
        const LabelTile t(LabelTile::of_warp(b), g);
        if (t.rows == 0) return;
        int32_t* forest = shared[threadIdx.x / 32];
        for (int k = t.lane; k < 32 * pitch; k += 32) forest[k] = k;
        const uint32_t word = pack(a.x + t.row * g.width + t.col + t.lane, t, g.width), starts = run_starts(word, g.runs);
        const uint32_t other = __shfl_up_sync(0xffffffffu, word, 1), above = t.lane > 0 ? other : 0u;
        const uint32_t starts_above = run_starts(above, g.runs);
        __syncwarp();
#pragma unroll 1
        for (int d = -1; d <= 1; ++d)
            for (uint32_t left = touching(d, word, uint64_t(above) << 1, int(g.columns), g.runs); left; left &= left - 1) {
                const int c = lowest(left), row = t.lane * pitch;
                join_trees<int32_t, int>(forest, row + run_start(starts, c), row - pitch + run_start(starts_above, c + d));
            }
        __syncwarp();
        uint32_t roots = 0;
        for (uint32_t left = starts; left; left &= left - 1) {
            const int c = lowest(left), i = t.lane * pitch + c, r = find_root<int32_t, int>(forest, i);
            if (r == i) roots |= 1u << c;
            a.parent[(t.row + t.lane) * g.width + t.col + c] = P((t.row + r / pitch) * g.width + t.col + r % pitch);
        }
        if (t.lane >= t.rows) return;
        a.masks[t.word + t.lane * g.words] = word;
        a.roots[t.word + t.lane * g.words] = roots;
    }
};

// A warp's 32 words in C order, one a lane.
struct LabelWords {
    int lane;
    int64_t piece, word, pixel;         // the word's first pixel
    uint32_t bits;
    __device__ LabelWords(int64_t block, const uint32_t* roots, int64_t count, const LabelGrid& g) {
        lane = threadIdx.x % 32, piece = LabelTile::of_warp(block), word = piece * 32 + lane;
        const int64_t row = word / g.words;
        pixel = row * g.width + (word - row * g.words) * 32;
        bits = word < count ? roots[word] : 0u;
    }
};

template <class P, class Index>
struct label_tally {
    static constexpr int threads = label_threads;
    struct Args {
        P* parent;
        uint32_t* roots;
        P* counts;                      // [ceil(count / 32)]
        int64_t count;                  // words
        LabelGrid g;
    };
    // A root stays one during this launch, so whoever shortens paths at the same time writes nothing but ancestors.
    __device__ static void block(Index b, const Args& a) {
        const LabelWords t(b, a.roots, a.count, a.g);
        uint32_t kept = t.bits;
        for (uint32_t left = t.bits; left; left &= left - 1) {
            const Index i = Index(t.pixel + lowest(left)), r = find_root<P, Index>(a.parent, i);
            if (r == i) continue;
            kept &= ~(left & (0u - left));
            a.parent[i] = P(r);
        }
        if (kept != t.bits) a.roots[t.word] = kept;
        int sum = __popc(kept);
#pragma unroll
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
        if (t.lane == 0 && t.word < a.count) a.counts[t.piece] = P(sum);
    }
};

template <class P, class Index>
struct label_ranks {
    static constexpr int threads = label_threads;
    struct Args {
        P* parent;
        const uint32_t* roots;
        const P* until;                 // roots up to the end of each 32 words
        int64_t count;
        LabelGrid g;
    };
    __device__ static void block(Index b, const Args& a) {
        const LabelWords t(b, a.roots, a.count, a.g);
        const int own = __popc(t.bits);
        int sum = own;
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, sum, d);
            if (t.lane >= d) sum += other;
        }
        if (!own) return;
        P number = (t.piece > 0 ? a.until[t.piece - 1] : P(0)) + P(sum - own);
        for (uint32_t left = t.bits; left; left &= left - 1) a.parent[t.pixel + lowest(left)] = -1 - ++number;
    }
};

// Nobody writes to the forest any more.
template <class P, class Y, class Index>
struct label_paint {
    static constexpr int threads = label_threads;
    struct Args {
        const P* parent;
        const uint32_t* masks;
        Y* y;
        LabelGrid g;
    };
    __device__ static void block(Index b, const Args& a) {
        __shared__ P shared[label_warps][32 * LabelTile::pitch + 1];
        constexpr int pitch = LabelTile::pitch;
        const LabelGrid& g = a.g;
        const LabelTile t(LabelTile::of_warp(b), g);
        if (t.rows == 0) return;
        P* numbers = shared[threadIdx.x / 32] + 1;      // column -1 may be read, for pixels before a row's first run
        const uint32_t word = t.lane < t.rows ? a.masks[t.word + t.lane * g.words] : 0u, starts = run_starts(word, g.runs);
        for (uint32_t left = starts; left; left &= left - 1) {
            const int c = lowest(left);
            P p = a.parent[(t.row + t.lane) * g.width + t.col + c];
            while (p >= 0) p = a.parent[p];
            numbers[t.lane * pitch + c] = -1 - p;
        }
        __syncwarp();
        Y* y = a.y + t.row * g.width + t.col + t.lane;
        if (t.cols == 32) paint_rows<true>(y, numbers, word, t, g);
        else paint_rows<false>(y, numbers, word, t, g);
    }
    template <bool whole>
    __device__ static void paint_rows(Y* y, const P* numbers, uint32_t word, const LabelTile& t, const LabelGrid& g) {
        const int64_t width = g.width;
        const bool inside = whole || t.lane < t.cols;
#pragma unroll 4
        for (int r = 0; r < t.rows; ++r, y += width, numbers += LabelTile::pitch) {
            const uint32_t set = __shfl_sync(0xffffffffu, word, r);
            const P number = numbers[run_start(run_starts(set, g.runs), t.lane)];
            if (inside) *y = Y(set >> t.lane & 1 ? number : P(0));
        }
    }
};
#endif

}  // namespace gpusci
