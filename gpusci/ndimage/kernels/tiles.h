// CUDA blocks for passes along one axis: a tile of the input with the boundary filled in goes to shared memory, each thread
// computes eight neighbours along the axis from it, reading every element once into registers.
//   rows      inner small: tiles are pieces of lines (or several short lines); shared memory skips one element in nine, so that
//             threads eight apart fall into different banks; results leave in 16-byte stores
//   columns   inner wide: tiles are 256 bytes of columns by `positions` rows; threads stand side by side, results are coalesced
// An Op gives  S (type in shared memory), load(X), fill(args, part), eight(read, Y out[8], args)  where read(c, u) is element
// 8 c + u of the thread's window (u a constant) and read.at(j) element j.
// 128 threads and 40 KiB a block: five blocks run on a multiprocessor, some loading while others compute.
#pragma once
#include "lines.h"
#if defined(GPUSCI_CUDA)

namespace gpusci {

constexpr int tile_threads = 128, tile_bytes = 40960;

struct RowTiles { int64_t positions, lines, tiles, outer; };            // of a block; tiles of a line; lines in all
struct ColumnTiles { int64_t positions, tiles, strips; };               // rows of a block; row tiles of a line; column tiles

// The type in shared memory: float where it holds every value exactly, else double.
template <class X> struct shared_real { using type = choose_t<(sizeof(X) < 4 || same<X, float>::value), float, double>; };

HD int skip_ninth(int i) { return i + (i >> 3); }

template <class S>
struct RowReader {          // base: a multiple of 8
    const S* s;
    int base;
    __device__ S operator()(int chunk, int u) const { return s[9 * (base / 8 + chunk) + u]; }
    __device__ S at(int j) const { return s[skip_ninth(base + j)]; }
};
template <class S>
struct StridedReader {      // `inner` elements between neighbours
    const S* s;
    int base, inner;
    __device__ S at(int j) const { return s[skip_ninth(base + j * inner)]; }
    __device__ S operator()(int chunk, int u) const { return at(8 * chunk + u); }
};
template <class S, int pitch>
struct ColumnReader {
    const S* s;
    __device__ S at(int j) const { return s[j * pitch]; }
    __device__ S operator()(int chunk, int u) const { return s[(8 * chunk + u) * pitch]; }
};

// Eight results to consecutive addresses, `count` of them from `first` on; whole groups in the widest stores that fit.
template <class Y>
__device__ void store_eight(Y* y, const Y* v, int first, int count) {
    constexpr int bytes = 8 * int(sizeof(Y));
    if (first == 0 && count == 8 && reinterpret_cast<size_t>(y) % (bytes < 16 ? bytes : 16) == 0) {
        if constexpr (bytes == 8) {
            uint64_t word = 0;
#pragma unroll
            for (int k = 0; k < 8; ++k) word |= uint64_t(uint8_t(v[k])) << (8 * k);
            *reinterpret_cast<uint64_t*>(y) = word;
        } else {
            struct alignas(16) Pack { Y v[16 / sizeof(Y)]; };
            constexpr int each = 16 / int(sizeof(Y));
#pragma unroll
            for (int p = 0; p < 8 / each; ++p) {
                Pack pack;
#pragma unroll
                for (int k = 0; k < each; ++k) pack.v[k] = v[p * each + k];
                reinterpret_cast<Pack*>(y)[p] = pack;
            }
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (k >= first && k < count) y[k] = v[k];
}

// Positions [first, first + span) of one line, `inner` columns each, to shared[skip_ninth(at + i)].
template <class Op, class X, class Index, class A>
__device__ void fill_line(typename Op::S* shared, int at, const X* line, int64_t first, int span, const A& a, const Line& g) {
    const int inner = int(g.inner), total = span * inner;
    const bool inside = first >= 0 && first + span <= g.n;
    const X* start = line + first * inner;
    constexpr int batch = 8;                    // loads in flight a thread
#pragma unroll 1
    for (int i = threadIdx.x; i < total; i += batch * tile_threads) {
        typename Op::S v[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
            const int j = i + k * tile_threads;
            if (j < total) {
                if (inside) v[k] = Op::load(start[j]);
                else {
                    const Index p = Index(first) + Index(j / inner), q = edge<Index>(g.mode, p, Index(g.n));
                    const int c = j % inner;
                    v[k] = q < 0 ? Op::fill(a, c & 1) : Op::load(line[int64_t(q) * inner + c]);
                }
            }
        }
#pragma unroll
        for (int k = 0; k < batch; ++k)
            if (i + k * tile_threads < total) shared[skip_ninth(at + i + k * tile_threads)] = v[k];
    }
}

// One block of rows. Groups of eight start at 16-byte boundaries of y where a line has several tiles.
template <class Op, class X, class Y, class Index, class A>
__device__ void row_block(Index b, const X* x, Y* y, const A& a, const Line& g, const RowTiles& t) {
    __shared__ typename Op::S shared[tile_bytes / sizeof(typename Op::S)];
    const int inner = int(g.inner), lines = int(t.lines), positions = int(t.positions);
    const int span = positions + int(g.window) - 1, pitch = (span * inner + 7) / 8 * 8;
    const int64_t first_line = int64_t(b / Index(t.tiles)) * lines, length = g.n * g.inner;
    int64_t p0 = int64_t(b % Index(t.tiles)) * positions;
    if (lines == 1 && inner == 1) {
        constexpr int each = sizeof(Y) < 2 ? 8 : 16 / int(sizeof(Y));
        p0 -= int64_t((reinterpret_cast<size_t>(y) / sizeof(Y) + size_t(first_line * length)) % each);
    }
#pragma unroll 1
    for (int l = 0; l < lines && first_line + l < t.outer; ++l)
        fill_line<Op, X, Index>(shared, l * pitch, x + (first_line + l) * length, p0 - g.lo, span, a, g);
    __syncthreads();
    const int groups = positions / 8, line_items = groups * inner;
#pragma unroll 1
    for (int item = threadIdx.x; item < lines * line_items; item += tile_threads) {
        const int l = lines == 1 ? 0 : item / line_items, rest = item - l * line_items;
        const int group = inner == 1 ? rest : rest / inner, c = rest - group * inner;
        const int64_t p = p0 + 8 * group, line = first_line + l;
        if (line >= t.outer || p >= g.n || p <= -8) continue;
        Y out[8];
        Y* target = y + line * length + p * inner + c;
        const int begin = p < 0 ? int(-p) : 0, end = int(min_of<int64_t>(8, g.n - p));
        if (inner == 1) {
            Op::eight(RowReader<typename Op::S>{shared, l * pitch + 8 * group}, out, a);
            store_eight(target, out, begin, end);
        } else {
            Op::eight(StridedReader<typename Op::S>{shared, l * pitch + 8 * group * inner + c, inner}, out, a);
#pragma unroll
            for (int k = 0; k < 8; ++k)
                if (k < end) target[k * inner] = out[k];
        }
    }
}

// One block of columns: strips of a row of tiles run side by side, so that the rows two tiles share are still in the L2 cache.
template <class Op, class X, class Y, class Index, class A>
__device__ void column_block(Index b, const X* x, Y* y, const A& a, const Line& g, const ColumnTiles& t) {
    using S = typename Op::S;
    constexpr int width = 256 / int(sizeof(S)), beside = tile_threads / width, batch = 8;
    __shared__ S shared[tile_bytes / sizeof(S)];
    const Index strip = b % Index(t.strips), tile = b / Index(t.strips) % Index(t.tiles), outer = b / Index(t.strips) / Index(t.tiles);
    const int col = threadIdx.x % width, lane_row = threadIdx.x / width, positions = int(t.positions);
    const int span = positions + int(g.window) - 1;
    const int64_t column = int64_t(strip) * width + col, p0 = int64_t(tile) * positions, first = p0 - g.lo;
    const bool live = column < g.inner, inside = first >= 0 && first + span <= g.n;
    const X* line = x + int64_t(outer) * g.n * g.inner + column;
#pragma unroll 1
    for (int j = lane_row; j < span; j += batch * beside) {
        S v[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
            const int r = j + k * beside;
            if (r < span && live) {
                const Index q = inside ? Index(first + r) : edge<Index>(g.mode, Index(first) + r, Index(g.n));
                v[k] = q < 0 ? Op::fill(a, int(column & 1)) : Op::load(line[int64_t(q) * g.inner]);
            }
        }
#pragma unroll
        for (int k = 0; k < batch; ++k)
            if (j + k * beside < span) shared[(j + k * beside) * width + col] = v[k];
    }
    __syncthreads();
    if (!live) return;
    Y* target = y + (int64_t(outer) * g.n + p0) * g.inner + column;
#pragma unroll 1
    for (int r = 8 * lane_row; r < positions && p0 + r < g.n; r += 8 * beside) {
        Y out[8];
        Op::eight(ColumnReader<S, width>{shared + r * width + col}, out, a);
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (p0 + r + k < g.n) target[int64_t(r + k) * g.inner] = out[k];
    }
}

}  // namespace gpusci
#endif
