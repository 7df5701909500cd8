// Running totals for the GPU, in one pass: every element is read once and written once.
//
//   scan_lines    the scanned axis is contiguous: a block per tile of a line
//   scan_warps    the same with short lines: a warp per line
//   scan_columns  another axis is contiguous: a block takes a strip of columns and some rows (scan_columns.h)
//
// Tiles of one line are chained as in Merrill and Garland's decoupled look-back (NVIDIA NVR-2016-002), but in groups of
// fixed size, and those in groups again: a tile adds up the totals of the tiles before it in its group, those of the groups
// before that in the larger group (the last tile of a group makes them, of its tiles alone), and the carry into the larger
// group. So the result does not depend on timing, and the chain of carries, each of which waits for the one before, is
// shorter than the line by the square of a group. Blocks wait for blocks with lower numbers only, which the hardware starts
// first. Where tiles are few, a block rather reads the tiles before its own itself (not Chained): no flags to clear, nobody to
// wait for. The output must then not be the input.
#pragma once
#include "chain.h"
#include "reduce_block.h"
#include "scan.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

// Adds a carry to local totals and rounds. For float, the carry is split in two floats: no double per element.
template <class O, class T> struct with_carry {
    typename O::wide carry;
    bool any;
    __device__ void set(bool any_, const typename O::wide& c) {
        carry = c;
        any = any_;
    }
    __device__ T operator()(const typename O::local& v) const {
        return O::round(any ? O::combine(carry, O::widen(v)) : O::widen(v));
    }
};
template <bool Skip> struct with_carry<scan_sum_of<float, Skip>, float> {
    float high, low;
    __device__ void set(bool any, double c) {
        high = any ? float(c) : -0.0f;                             // -0 + x is x, also where x is -0
        low = any && high - high == 0 && c != high ? float(c - double(high)) : -0.0f;
    }
    __device__ float operator()(float v) const { return high + (low + v); }
};
template <class O, class T> struct carrier { using type = with_carry<O, T>; };
template <> struct carrier<scan_sum<float>, float> { using type = with_carry<scan_sum_of<float, false>, float>; };
template <> struct carrier<scan_nansum<float>, float> { using type = with_carry<scan_sum_of<float, true>, float>; };

template <template <class> class Op, class T, class X, class Y, int V, int K, bool Chained, class Index>
struct scan_lines {
    static constexpr int threads = block_threads;
    static constexpr int warps = threads / 32;
    static constexpr int U = 8;                                    // rows of 32 * V elements per warp
    static constexpr int segment = U * 32 * V, tile = warps * segment;
    static constexpr int group = 32;
    using O = Op<T>;
    using local = typename O::local;
    using wide = typename O::wide;
    static constexpr int resident = Chained && sizeof(local) <= 4 ? 4 : 1;
    struct Args {
        const X* x;
        Y* y;
        chain totals, groups, carries;  // per tile, per group of tiles, per group of groups
        int64_t length, tiles;
        int64_t shape[K], xstride[K], ystride[K];
    };
    template <class E> struct alignas(V * sizeof(E) > 16 ? 16 : V * sizeof(E)) run { E item[V]; };

    __device__ static void block(Index b, const Args& a) {
        __shared__ wide across[warps], before[Chained ? 1 : warps];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const Index line = b / Index(a.tiles), p = b - line * Index(a.tiles);
        Index ox, oy;
        line_offsets<K>(line, a.shape, a.xstride, a.ystride, ox, oy);
        const Index start = p * tile + warp * segment + lane * V, n = Index(a.length);
        if constexpr (!Chained) read_again(before[warp], a.x + ox, p, start - p * tile, lane);
        local v[U][V];
        load(v, a.x + ox, start, n);
        // Totals of each thread's V elements, scanned over the lanes, row by row.
        local row[U];
#pragma unroll
        for (int u = 0; u < U; ++u) {
#pragma unroll
            for (int k = 1; k < V; ++k) v[u][k] = O::join(v[u][k - 1], v[u][k]);
            row[u] = v[u][V - 1];
        }
#pragma unroll
        for (int d = 1; d < 32; d *= 2)
#pragma unroll
            for (int u = 0; u < U; ++u) {
                const local up = shuffle_up(row[u], d);
                if (lane >= d) row[u] = O::join(up, row[u]);
            }
        // Rows of the warp one after the other: `v` becomes the total from the warp's first element.
        local so_far = shuffle_from(row[0], 31);
#pragma unroll
        for (int u = 0; u < U; ++u) {
            const local left = shuffle_up(row[u], 1), whole = shuffle_from(row[u], 31);
            const bool has = u || lane;
            local base = lane ? left : so_far;
            if (u && lane) base = O::join(so_far, left);
            if (has)
#pragma unroll
                for (int k = 0; k < V; ++k) v[u][k] = O::join(base, v[u][k]);
            if (u) so_far = O::join(so_far, whole);
        }
        if (lane == 31) across[warp] = O::widen(so_far);
        __syncthreads();
        if constexpr (Chained) {
            if (warp == 0) {
                const wide c = look_back(a, line, p, total_of(across), lane);
                if (lane == 0) before[0] = c;
            }
            __syncthreads();
        }
        bool any = p > 0;
        wide carry = !any ? across[0] : Chained ? before[0] : total_of(before);
        for (int w = 0; w < warp; ++w) {
            carry = any ? O::combine(carry, across[w]) : across[w];
            any = true;
        }
        typename carrier<O, T>::type carried;
        carried.set(any, carry);
        store(v, a.y + oy, start, n, carried);
    }

    __device__ static __forceinline__ wide total_of(const wide* of_warps) {
        wide total = of_warps[0];
        for (int w = 1; w < warps; ++w) total = O::combine(total, of_warps[w]);
        return total;
    }
    // This warp's part of the total of the tiles before p, from lane 0. `at`: the thread's place in a tile.
    __device__ static __forceinline__ void read_again(wide& part, const X* x, Index p, Index at, int lane) {
        if (p == 0) return;
        wide total;
        for (Index q = 0; q < p; ++q) {
            local v[U][V];
            load(v, x, q * tile + at, p * tile);
            local sum = v[0][0];
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int k = u ? 0 : 1; k < V; ++k) sum = O::join(sum, v[u][k]);
            total = q ? O::combine(total, O::widen(sum)) : O::widen(sum);
        }
#pragma unroll
        for (int d = 16; d > 0; d /= 2) total = O::combine(total, shuffle_from(total, lane + d));
        if (lane == 0) part = total;
    }

    // Elements past the end repeat the last one; nothing after them is stored.
    __device__ static __forceinline__ void load(local (&v)[U][V], const X* x, Index start, Index n) {
        run<X> r[U];
#pragma unroll
        for (int u = 0; u < U; ++u) {
            const Index i = start + u * 32 * V;
            if (i + V <= n) r[u] = *reinterpret_cast<const run<X>*>(x + i);
            else
#pragma unroll
                for (int k = 0; k < V; ++k) r[u].item[k] = x[i + k < n ? i + k : n - 1];
        }
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int k = 0; k < V; ++k) v[u][k] = O::lift(load_as<T>(r[u].item[k]));
    }
    template <class C>
    __device__ static __forceinline__ void store(const local (&v)[U][V], Y* y, Index start, Index n, const C& carried) {
#pragma unroll
        for (int u = 0; u < U; ++u) {
            const Index i = start + u * 32 * V;
            run<Y> r;
#pragma unroll
            for (int k = 0; k < V; ++k) r.item[k] = cast<Y>(carried(v[u][k]));
            if (i + V <= n) *reinterpret_cast<run<Y>*>(y + i) = r;
            else
                for (int k = 0; k < V; ++k)
                    if (i + k < n) y[i + k] = r.item[k];
        }
    }

    // The carry into tile p, for warp 0 of its block (the result is right in lane 0); tells the others this tile's total.
    __device__ static __forceinline__ wide look_back(const Args& a, Index line, Index p, const wide& total, int lane) {
        const Index tiles = Index(a.tiles), groups = count_of(tiles), g = p / group, all = g / group;
        const Index tile = line * tiles + p, first = line * groups, slot = line * count_of(groups) + all;
        const int inside = int(p % group), before = int(g % group);
        const bool ends = p + 1 < tiles && inside == group - 1;
        if (lane == 0) hand_on(a.totals, tile, total);
        wide carry = total_of(a.totals, tile - inside, inside, total, lane);
        bool any = inside > 0;
        if (ends && lane == 0) hand_on(a.groups, first + g, any ? O::combine(carry, total) : total);
        if (before > 0) {
            const wide part = total_of(a.groups, first + all * group, before, total, lane);
            carry = any ? O::combine(part, carry) : part;
            any = true;
        }
        if (all > 0) {
            const wide part = total_of(a.carries, slot, 1, total, lane);
            carry = any ? O::combine(part, carry) : part;
            any = true;
        }
        if (ends && before == group - 1 && lane == 0) hand_on(a.carries, slot + 1, any ? O::combine(carry, total) : total);
        return carry;
    }
    __device__ static Index count_of(Index n) { return (n + group - 1) / group; }
    __device__ static void hand_on(const chain& c, Index i, const wide& value) {
        publish(c, i, value);
        raise_flag(c, i);
    }
    // Total of `count` < 32 neighbouring slots, in a fixed tree; right in lane 0. `some`: any value, for idle lanes.
    __device__ static wide total_of(const chain& c, Index first, int count, const wide& some, int lane) {
        wide part = some;
        if (lane < count) {
            wait_flag(c, first + lane);
            part = read_slot<wide>(c, first + lane);
        }
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const wide other = shuffle_from(part, lane + d);
            if (lane + d < count) part = O::combine(part, other);
        }
        return part;
    }
};

template <template <class> class Op, class T, class X, class Y, int K, class Index>
struct scan_warps {
    static constexpr int threads = block_threads;
    using O = Op<T>;
    using local = typename O::local;
    using wide = typename O::wide;
    struct Args {
        const X* x;
        Y* y;
        int64_t lines, length;
        int64_t shape[K], xstride[K], ystride[K];
    };
    __device__ static void block(Index b, const Args& a) {
        constexpr int U = 4;
        const int lane = threadIdx.x % 32;
        const Index line = b * (threads / 32) + threadIdx.x / 32, n = Index(a.length);
        if (line >= a.lines) return;
        Index ox, oy;
        line_offsets<K>(line, a.shape, a.xstride, a.ystride, ox, oy);
        const X* x = a.x + ox;
        Y* y = a.y + oy;
        wide carry = O::widen(O::lift(load_as<T>(x[0])));
        for (Index i = 0; i < n; i += 32 * U) {
            local v[U];
#pragma unroll
            for (int u = 0; u < U; ++u) v[u] = O::lift(load_as<T>(x[min_of(Index(i + u * 32 + lane), Index(n - 1))]));
#pragma unroll
            for (int d = 1; d < 32; d *= 2)
#pragma unroll
                for (int u = 0; u < U; ++u) {
                    const local up = shuffle_up(v[u], d);
                    if (lane >= d) v[u] = O::join(up, v[u]);
                }
#pragma unroll
            for (int u = 0; u < U; ++u) {
                const bool any = i > 0 || u > 0;
                typename carrier<O, T>::type carried;
                carried.set(any, carry);
                if (i + u * 32 + lane < n) y[i + u * 32 + lane] = cast<Y>(carried(v[u]));
                const wide whole = O::widen(shuffle_from(v[u], 31));
                carry = any ? O::combine(carry, whole) : whole;
            }
        }
    }
};

}  // namespace gpusci
#endif
