// Binary morphology on packed images, for GPUs: a bit a pixel, 128 pixels of a row a Quad, rows padded to whole ones. Images of
// 4096 x 4096 pixels are 2 MiB, which stay in the cache from step to step, and a tap costs 13 instructions for a Quad.
//   pack_bits      bytes to bits; a dilation packs the complement, so that all steps are erosions
//   binary_bits    one erosion. The padding holds the border's value before and after it, so only whole Quads are ever outside
//   unpack_bits    bits to bytes
#pragma once
#include "index.h"

namespace gpusci {

// The first pixel is the lowest bit of the first word, as the host's and the GPU's order of bytes has it.
struct alignas(16) Quad {
    uint32_t word[4];
};
constexpr int QUAD = 128, SIXTEEN = 16;

// Work item: 16 bits. Any byte but 0 is a 1.
template <class Index>
struct pack_bits {
    struct Args {
        const uint8_t* x;
        uint16_t* bits;
        int64_t n, length, pitch;   // pixels, those of a row, items of a row
        int64_t invert, padding;    // 0 or 1
    };
    using Place = unsigned_index<Index>;        // the padding may reach beyond the last pixel that Index knows
    HD static void at(Index i, const Args& a) {
        const Place length = Place(a.length), row = Place(i) / Place(a.pitch), first = (Place(i) - row * Place(a.pitch)) * SIXTEEN;
        const int count = first < length ? int(min_of<Place>(SIXTEEN, length - first)) : 0;
        const uint32_t beyond = 0xffffu << count, values = gathered(row * length + first, count, a) ^ (a.invert ? 0xffffu : 0u);
        a.bits[i] = uint16_t((values & ~beyond) | (a.padding ? beyond : 0u));
    }
    HD static uint32_t gathered(Place p, int count, const Args& a) {
        const uint8_t* x = a.x + p;
        const int shift = int(uint64_t(x) & 3);
        if (count == SIXTEEN && (uint64_t(x) & 15) == 0) return sixteen(*reinterpret_cast<const Quad*>(x));
        if (count == SIXTEEN && p >= Place(shift) && p - shift + 20 <= Place(a.n)) {     // the words around them are the array's
            const uint32_t* words = reinterpret_cast<const uint32_t*>(x - shift);
            const uint32_t w[5] = {words[0], words[1], words[2], words[3], words[4]};
            Quad bytes;
#pragma unroll
            for (int k = 0; k < 4; ++k) bytes.word[k] = uint32_t((uint64_t(w[k + 1]) << 32 | w[k]) >> (8 * shift));
            return sixteen(bytes);
        }
        uint32_t bits = 0;
#pragma unroll 1
        for (int k = 0; k < count; ++k) bits |= uint32_t(x[k] != 0) << k;
        return bits;
    }
    HD static uint32_t sixteen(const Quad& bytes) {
        return four(bytes.word[0]) | four(bytes.word[1]) << 4 | four(bytes.word[2]) << 8 | four(bytes.word[3]) << 12;
    }
    // A byte's highest bit says that it is not 0; the product brings the four side by side, at the top.
    HD static uint32_t four(uint32_t bytes) {
        const uint32_t set = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
        return (set >> 7) * 0x01020408u >> 24;
    }
};

// Work item: 16 pixels that follow each other in C order, so that they are written at once whatever the length of a row.
template <class Index>
struct unpack_bits {
    struct Args {
        const uint32_t* bits;
        uint8_t* y;
        int64_t n, length, pitch;   // pixels, those of a row, words of a row
        int64_t invert;
    };
    HD static void at(Index i, const Args& a) {
        const Index p = i * SIXTEEN, row = quotient(p, Index(a.length)), x = p - row * Index(a.length);
        const int count = int(min_of<Index>(SIXTEEN, Index(a.n) - p));
        const uint32_t values = taken(a.bits + row * Index(a.pitch), x, count, a) ^ (a.invert ? 0xffffu : 0u);
        uint8_t* y = a.y + p;
        if (count == SIXTEEN && (uint64_t(y) & 15) == 0) {
            const Quad bytes = {{four(values), four(values >> 4), four(values >> 8), four(values >> 12)}};
            *reinterpret_cast<Quad*>(y) = bytes;
        } else {
#pragma unroll 1
            for (int k = 0; k < count; ++k) y[k] = uint8_t(values >> k & 1u);
        }
    }
    HD static uint32_t taken(const uint32_t* row, Index x, int count, const Args& a) {
        if (Index(a.length) - x >= count) {
            const int shift = int(x & 31);
            const uint32_t* from = row + (x >> 5);
            return uint32_t((uint64_t(shift + count > 32 ? from[1] : 0u) << 32 | from[0]) >> shift);
        }
        uint32_t values = 0;
#pragma unroll 1
        for (int k = 0; k < count; ++k, ++x) {
            if (x == Index(a.length)) x = 0, row += a.pitch;
            values |= (row[x >> 5] >> (x & 31) & 1u) << k;
        }
        return values;
    }
    HD static uint32_t four(uint32_t bits) { return (bits & 15u) * 0x00204081u & 0x01010101u; }
};

// Work item: a Quad of y. The element comes as runs: its taps in one row that reach from 64 pixels before a Quad (`ahead` Quads
// on) to 63 after it, a bit each.
template <int D, class Index>
struct binary_bits {
    static constexpr int RUN = D + 2;
    struct Args {
        const Quad* x;
        Quad* y;
        const Quad* mask;           // null: everywhere. Where it is 0 the pixel keeps its value
        int64_t* changed;           // null: nobody asks. Set when some pixel changed
        int64_t shape[D];           // the last axis in Quads
        int64_t tail;               // pixels of a row's last Quad
        int64_t count;
        const int64_t* run;         // [count][RUN]: steps along the other axes, `ahead`, bits for before and after
        int64_t border;
    };
    HD static void at(Index i, const Args& a) {
        const Index length = Index(a.shape[D - 1]), row = quotient(i, length), column = i - row * length;
        const uint32_t border = a.border ? ~0u : 0u;
        Quad all = {{~0u, ~0u, ~0u, ~0u}};
        for (int r = 0; r < int(a.count) && (all.word[0] | all.word[1] | all.word[2] | all.word[3]); ++r) {
            const int64_t* run = a.run + int64_t(r) * RUN;
            const Index from = source(row, run, a);
            if (from >= 0) meet(all, from * length, column + Index(run[D - 1]), run + D, border, a);
            else if (!border) all = {{0, 0, 0, 0}};
        }
        if (column + 1 == length) pad(all, int(a.tail), border);
        if (a.mask || a.changed) all = kept(all, i, a);
        a.y[i] = all;
    }
    // The row that a run reads, or -1 for one outside of the image.
    HD static Index source(Index row, const int64_t* run, const Args& a) {
        Index from = 0, step = 1;
#pragma unroll
        for (int d = D - 2; d >= 0; --d) {
            const Index n = Index(a.shape[d]), above = d > 0 ? quotient(row, n) : Index(0);
            const Index x = row - above * n + Index(run[d]);
            if (x < 0 || x >= n) return Index(-1);
            from += x * step;
            step *= n;
            row = above;
        }
        return from;
    }
    HD static void meet(Quad& all, Index row, Index column, const int64_t* bits, uint32_t border, const Args& a) {
        const uint64_t before = uint64_t(bits[0]), after = uint64_t(bits[1]);
        const Quad left = load(row, column - 1, before != 0, border, a), right = load(row, column + 1, after > 1, border, a);
        const Quad here = load(row, column, true, border, a);
        const uint32_t w[8] = {left.word[2], left.word[3], here.word[0], here.word[1],
                               here.word[2], here.word[3], right.word[0], right.word[1]};
#pragma unroll
        for (int g = 0; g < 4; ++g) {
            for (uint32_t taps = uint32_t((g < 2 ? before : after) >> (g % 2 * 32)); taps; taps &= taps - 1) {
                const int shift = lowest(taps);
#pragma unroll
                for (int j = 0; j < 4; ++j) all.word[j] &= uint32_t((uint64_t(w[g + j + 1]) << 32 | w[g + j]) >> shift);
            }
        }
    }
    HD static Quad load(Index row, Index column, bool wanted, uint32_t border, const Args& a) {
        const bool in = wanted && column >= 0 && column < Index(a.shape[D - 1]);
        return in ? a.x[row + column] : Quad{{border, border, border, border}};
    }
    HD static void pad(Quad& all, int tail, uint32_t border) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int count = tail - 32 * j;
            const uint32_t beyond = count >= 32 ? 0u : count > 0 ? ~0u << count : ~0u;
            all.word[j] = (all.word[j] & ~beyond) | (border & beyond);
        }
    }
    HD static Quad kept(Quad all, Index i, const Args& a) {
        const Quad before = a.x[i], mask = a.mask ? a.mask[i] : Quad{{~0u, ~0u, ~0u, ~0u}};
        uint32_t different = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const uint32_t flips = (all.word[j] ^ before.word[j]) & mask.word[j];
            all.word[j] = before.word[j] ^ flips;
            different |= flips;
        }
        if (a.changed && different) *a.changed = 1;
        return all;
    }
};

}  // namespace gpusci
