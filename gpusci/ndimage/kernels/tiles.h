// CUDA blocks for passes along one axis: a tile of the input with the boundary filled in goes to shared memory, each thread
// computes eight neighbours along the axis from it, reading every element once into registers.
//   rows      inner small: tiles are pieces of lines (or several short lines); shared memory skips one element in nine, so that
//             threads eight apart fall into different banks; results leave in 16-byte stores
//   columns   inner wide: tiles are 256 bytes of columns by `positions` rows; threads stand side by side, results are coalesced
// An Op gives  S (type in shared memory), load(X), fill(args, part), eight(read, Y out[8], args)  where read(c, u) is element
// 8 c + u of the thread's window (u a constant) and read.at(j) element j.
// 128 threads a block, and as much shared memory as its tile needs (40 KiB at most): many blocks run on a multiprocessor,
// some loading while others compute. A tile's inside comes in vectors, all of a thread's in flight at once, with no test.
#pragma once
#include <gpusci/dynamic_shared.h>
#include "lines.h"
#if defined(GPUSCI_CUDA)

namespace gpusci {

constexpr int tile_threads = 128;

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

// Elements that one load brings: 16 bytes, or four short ones.
template <class X> constexpr int vector_items = sizeof(X) < 4 ? 4 : 16 / int(sizeof(X));
template <class X> struct alignas(vector_items<X> * sizeof(X)) Vector { X v[vector_items<X>]; };

// Positions [first, first + span) of one line, `inner` columns each, to shared[skip_ninth(at + i)], by threads lane of width.
template <class Op, bool interleaved, class X, class Index, class A>
__device__ void fill_line(typename Op::S* shared, int at, const X* line, int64_t first, int span, const A& a, const Line& g,
                          int lane, int width) {
    constexpr int V = vector_items<X>, batch = 4;
    const int inner = interleaved ? int(g.inner) : 1, total = span * inner;
    const X* start = line + first * inner;              // element 0 of the tile, wherever that is
    // Elements from `begin` on are whole vectors inside the line; those before, and those after them, come one by one.
    int begin = first < 0 ? int(min_of<int64_t>(-first, span)) * inner : 0;
    const int stop = int(max_of<int64_t>(min_of<int64_t>(span, g.n - first), 0)) * inner;
    begin += int((uint64_t(V) - reinterpret_cast<size_t>(start + begin) / sizeof(X) % V) % V);
    const int vectors = stop > begin ? (stop - begin) / V : 0, end = begin + vectors * V;
    const Vector<X>* source = reinterpret_cast<const Vector<X>*>(start + begin);
    Vector<X> v[batch];
    const auto load = [&](int i) {
#pragma unroll
        for (int k = 0; k < batch; ++k)
            if (i + k * width < vectors) v[k] = source[i + k * width];
    };
    load(lane);
    const int before = min_of(begin, total), singles = vectors ? before + total - end : total;
#pragma unroll 1
    for (int i = lane; i < singles; i += width) {
        const int j = vectors && i >= before ? i - before + end : i, p = inner == 1 ? j : j / inner, c = j - p * inner;
        const Index q = edge<Index>(g.mode, Index(first) + p, Index(g.n));
        shared[skip_ninth(at + j)] = q < 0 ? Op::fill(a, c & 1) : Op::load(line[int64_t(q) * inner + c]);
    }
#pragma unroll 1
    for (int i = lane; i < vectors; i += batch * width) {
#pragma unroll
        for (int k = 0; k < batch; ++k)
            if (i + k * width < vectors) {
                const int j = at + begin + (i + k * width) * V;
#pragma unroll
                for (int u = 0; u < V; ++u) shared[skip_ninth(j + u)] = Op::load(v[k].v[u]);
            }
        load(i + batch * width);
    }
}

// One block of rows, of one column each or `interleaved`. Groups of eight start at 16-byte boundaries of y where a line has
// several tiles.
template <class Op, bool interleaved, class X, class Y, class Index, class A>
__device__ void row_block(Index b, const X* x, Y* y, const A& a, const Line& g, const RowTiles& t) {
    typename Op::S* shared = dynamic_shared<typename Op::S>();
    const int inner = interleaved ? int(g.inner) : 1, lines = int(t.lines), positions = int(t.positions);
    const int span = positions + int(g.window) - 1, pitch = (span * inner + 7) / 8 * 8;
    const int64_t first_line = int64_t(b / Index(t.tiles)) * lines, length = g.n * g.inner;
    int64_t p0 = int64_t(b % Index(t.tiles)) * positions;
    if (lines == 1 && !interleaved) {
        constexpr int each = sizeof(Y) < 2 ? 8 : 16 / int(sizeof(Y));
        p0 -= int64_t((reinterpret_cast<size_t>(y) / sizeof(Y) + size_t(first_line * length)) % each);
    }
    // Several lines: a warp each, so that all are on their way together.
    const bool apart = lines > 1;
    const int lane = apart ? threadIdx.x % 32 : threadIdx.x, width = apart ? 32 : tile_threads;
#pragma unroll 1
    for (int l = apart ? threadIdx.x / 32 : 0; l < lines && first_line + l < t.outer; l += tile_threads / 32)
        fill_line<Op, interleaved, X, Index>(shared, l * pitch, x + (first_line + l) * length, p0 - g.lo, span, a, g, lane, width);
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
        if constexpr (!interleaved) {
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

// The tile of a block of columns: `span` positions from `first` on, 256 bytes of columns from `line` on, V columns a thread.
template <class Op, int V, class X, class Index, class A>
__device__ void fill_columns(typename Op::S* shared, const X* line, int64_t column, int64_t first, int span, const A& a, const Line& g) {
    using S = typename Op::S;
    constexpr int width = 256 / int(sizeof(S)), lanes = width / V, beside = tile_threads / lanes, batch = V == 1 ? 8 : 5;
    struct alignas(V * sizeof(X)) Run { X v[V]; };
    const int col = threadIdx.x % lanes * V, lane_row = threadIdx.x / lanes;
    if (column + col >= g.inner) return;
    const bool inside = first >= 0 && first + span <= g.n;
    const X* source = line + col + (inside ? (first + lane_row) * g.inner : 0);
#pragma unroll 1
    for (int j = lane_row; j < span; j += batch * beside) {
        Run v[batch];
        bool filled[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
            const int r = j + k * beside;
            filled[k] = false;
            if (r >= span) continue;
            if (inside) v[k] = *reinterpret_cast<const Run*>(source + (r - lane_row) * g.inner);
            else {
                const Index q = edge<Index>(g.mode, Index(first) + r, Index(g.n));
                filled[k] = q < 0;
                if (q >= 0) v[k] = *reinterpret_cast<const Run*>(source + int64_t(q) * g.inner);
            }
        }
#pragma unroll
        for (int k = 0; k < batch; ++k) {
            if (j + k * beside >= span) continue;
            struct alignas(V * sizeof(S) < 16 ? V * sizeof(S) : 16) Kept { S v[V]; } kept;
#pragma unroll
            for (int u = 0; u < V; ++u) kept.v[u] = filled[k] ? Op::fill(a, int(column + col + u) & 1) : Op::load(v[k].v[u]);
            *reinterpret_cast<Kept*>(shared + (j + k * beside) * width + col) = kept;
        }
    }
}

// One block of columns: strips of a row of tiles run side by side, so that the rows two tiles share are still in the L2 cache.
// `vectors`: every row starts at a multiple of what a thread loads at once.
template <class Op, bool vectors, class X, class Y, class Index, class A>
__device__ void column_block(Index b, const X* x, Y* y, const A& a, const Line& g, const ColumnTiles& t) {
    using S = typename Op::S;
    constexpr int width = 256 / int(sizeof(S)), beside = tile_threads / width, V = !vectors ? 1 : sizeof(S) == 8 ? 2 : 4;
    S* shared = dynamic_shared<S>();
    const Index rest = b / Index(t.strips), strip = b - rest * Index(t.strips), outer = rest / Index(t.tiles), tile = rest - outer * Index(t.tiles);
    const int col = threadIdx.x % width, lane_row = threadIdx.x / width, positions = int(t.positions);
    const int span = positions + int(g.window) - 1;
    const int64_t left = int64_t(strip) * width, column = left + col, p0 = int64_t(tile) * positions;
    const X* line = x + int64_t(outer) * g.n * g.inner + left;
    fill_columns<Op, V, X, Index>(shared, line, left, p0 - g.lo, span, a, g);
    __syncthreads();
    if (column >= g.inner) return;
    Y* target = y + (int64_t(outer) * g.n + p0) * g.inner + column;
#pragma unroll 1
    for (int r = 8 * lane_row; r < positions && p0 + r < g.n; r += 8 * beside) {
        Y out[8];
        Op::eight(ColumnReader<S, width>{shared + r * width + col}, out, a);
        Y* to = target + r * g.inner;
        const int count = int(min_of<int64_t>(8, g.n - p0 - r));
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (k < count) to[k * g.inner] = out[k];
    }
}

}  // namespace gpusci
#endif
