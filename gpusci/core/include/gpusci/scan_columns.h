// Running totals for the GPU where another axis than the scanned one is contiguous; see scan_block.h.
#pragma once
#include "scan_block.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

// `lanes` threads side by side with V columns each, `deep` of them one above the other with U rows each.
template <template <class> class Op, class T, class X, class Y, int V, int K, bool Chained, class Index>
struct scan_columns {
    static constexpr int threads = block_threads;
    static constexpr int U = 16;
    static constexpr int group = 8;
    using O = Op<T>;
    using local = typename O::local;
    using wide = typename O::wide;
    static constexpr int resident = Chained && sizeof(local) * V <= 16 ? 2 : 1;
    struct Args {
        const X* x;
        Y* y;
        chain totals, groups, carries;  // of tiles, groups, groups of groups: [outer][those][column]; flags: [outer][those][strip]
        int64_t columns, strips, lanes, length, tiles, xstep, ystep;
        int64_t shape[K], xstride[K], ystride[K];
    };
    template <class E> struct alignas(V * sizeof(E) > 16 ? 16 : V * sizeof(E)) run { E item[V]; };

    __device__ static void block(Index b, const Args& a) {
        alignas(16) __shared__ uint8_t room[threads * V * sizeof(wide)];
        __shared__ wide before[Chained ? 1 : 32 * V];
        wide* across = reinterpret_cast<wide*>(room);             // [level][column]
        const int lanes = int(a.lanes), lane = threadIdx.x % lanes, level = threadIdx.x / lanes, deep = threads / lanes;
        const int breadth = lanes * V;
        const Index strip = b % Index(a.strips), rest = b / Index(a.strips);
        const Index p = rest % Index(a.tiles), outer = rest / Index(a.tiles);
        const Index column = strip * breadth + lane * V, row = (p * deep + level) * U, n = Index(a.length);
        const bool inside = column < a.columns && row < n;
        Index ox, oy;
        line_offsets<K>(outer, a.shape, a.xstride, a.ystride, ox, oy);
        if constexpr (!Chained)
            if (p > 0) read_again(before, across, a.x + ox + column, a, p, level, lane * V, breadth, column < a.columns);
        local v[U][V];
        if (inside) {
            load(v, a.x + ox + column, row, n, Index(a.xstep));
#pragma unroll
            for (int k = 0; k < V; ++k) across[level * breadth + lane * V + k] = O::widen(v[U - 1][k]);
        }
        __syncthreads();
        carry_in(across, before, a, strip, p, outer, breadth, int(min_of(Index(deep), (n - p * deep * U + U - 1) / U)));
        __syncthreads();
        if (!inside) return;
        store(v, a.y + oy + column, across + level * breadth + lane * V, p > 0 || level > 0, row, n, Index(a.ystep));
    }

    // The totals of the tiles before p, for the thread of each column. x: this thread's columns, of which the first is number
    // `first` of the strip.
    __device__ static __forceinline__ void read_again(wide* before, wide* across, const X* x, const Args& a, Index p, int level,
                                                      int first, int breadth, bool inside) {
        const int deep = threads / int(a.lanes), c = threadIdx.x;
        wide* sum = across + level * breadth + first;
        for (Index q = 0; q < p && inside; ++q) {
            local v[U][V];
            load(v, x, (q * deep + level) * U, Index(a.length), Index(a.xstep));
#pragma unroll
            for (int k = 0; k < V; ++k) sum[k] = q ? O::combine(sum[k], O::widen(v[U - 1][k])) : O::widen(v[U - 1][k]);
        }
        __syncthreads();
        if (c < breadth) {
            before[c] = across[c];
            for (int l = 1; l < deep; ++l) before[c] = O::combine(before[c], across[l * breadth + c]);
        }
        __syncthreads();
    }

    // U rows, and their running totals down the columns.
    __device__ static __forceinline__ void load(local (&v)[U][V], const X* x, Index row, Index n, Index step) {
        run<X> r[U];
#pragma unroll
        for (int u = 0; u < U; ++u) r[u] = *reinterpret_cast<const run<X>*>(x + min_of(Index(row + u), Index(n - 1)) * step);
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int k = 0; k < V; ++k) {
                const local e = O::lift(load_as<T>(r[u].item[k]));
                v[u][k] = u ? O::join(v[u - 1][k], e) : e;
            }
    }
    __device__ static __forceinline__ void store(const local (&v)[U][V], Y* y, const wide* carries, bool any, Index row,
                                                 Index n, Index step) {
        typename carrier<O, T>::type carried[V];
#pragma unroll
        for (int k = 0; k < V; ++k) carried[k].set(any, carries[k]);
#pragma unroll
        for (int u = 0; u < U; ++u) {
            if (row + u >= n) return;
            run<Y> r;
#pragma unroll
            for (int k = 0; k < V; ++k) r.item[k] = cast<Y>(carried[k](v[u][k]));
            *reinterpret_cast<run<Y>*>(y + (row + u) * step) = r;
        }
    }

    // `across` holds the totals of the levels and becomes the carries into them. One thread a column: breadth <= threads.
    __device__ static __forceinline__ void carry_in(wide* across, const wide* before, const Args& a, Index strip, Index p,
                                                    Index outer, int breadth, int levels) {
        const int c = threadIdx.x;
        const bool mine = c < breadth && strip * breadth + c < a.columns;
        wide carry = across[c];
        bool any = p > 0;
        if constexpr (Chained) {
            wide total = carry;
            if (mine)
                for (int l = 1; l < levels; ++l) total = O::combine(total, across[l * breadth + c]);
            any = look_back(carry, a, strip, p, outer, int64_t(strip) * breadth + c, mine, total);
        } else if (mine && any) carry = before[c];
        if (mine)
            for (int l = 0; l < levels; ++l) {
                const wide t = across[l * breadth + c];
                across[l * breadth + c] = carry;
                carry = any ? O::combine(carry, t) : t;
                any = true;
            }
    }
    // The carry into tile p, where there is one; tells the others this tile's total.
    __device__ static __forceinline__ bool look_back(wide& carry, const Args& a, int64_t strip, int64_t p, int64_t outer,
                                                     int64_t column, bool mine, const wide& total) {
        const int64_t groups = count_of(a.tiles), g = p / group, all = g / group;
        const int64_t tile = outer * a.tiles + p, slot = outer * groups + g, top = outer * count_of(groups) + all;
        const int inside = int(p - g * group), before = int(g - all * group);
        const bool ends = p + 1 < a.tiles && inside == group - 1;
        bool any = false;
        hand_on(a.totals, tile, a, strip, column, mine, total);
        add(carry, any, a.totals, tile - inside, inside, a, strip, column, mine);
        if (ends) hand_on(a.groups, slot, a, strip, column, mine, any ? O::combine(carry, total) : total);
        wide earlier = carry;
        bool some = false;
        if (all > 0) add(earlier, some, a.carries, top, 1, a, strip, column, mine);
        if (before > 0) add(earlier, some, a.groups, slot - before, before, a, strip, column, mine);
        if (some) carry = any ? O::combine(earlier, carry) : earlier;
        any = any || some;
        if (ends && before == group - 1) hand_on(a.carries, top + 1, a, strip, column, mine, any ? O::combine(carry, total) : total);
        return any;
    }
    __device__ static int64_t count_of(int64_t n) { return (n + group - 1) / group; }
    __device__ static __forceinline__ void hand_on(const chain& c, int64_t i, const Args& a, int64_t strip, int64_t column, bool mine,
                                                   const wide& value) {
        if (mine) publish(c, i * a.columns + column, value);
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) raise_flag(c, i * a.strips + strip);
    }
    // Adds `count` < group values from slots of rows first, first + 1, ... to `sum`, all asked for at once.
    __device__ static __forceinline__ void add(wide& sum, bool& any, const chain& c, int64_t first, int count, const Args& a, int64_t strip,
                                               int64_t column, bool mine) {
        if (int(threadIdx.x) < count) wait_flag(c, (first + threadIdx.x) * a.strips + strip);
        __syncthreads();
        if (!mine) return;
        wide part[group - 1];
#pragma unroll
        for (int i = 0; i < group - 1; ++i)
            if (i < count) part[i] = read_slot<wide>(c, (first + i) * a.columns + column);
#pragma unroll
        for (int i = 0; i < group - 1; ++i)
            if (i < count) {
                sum = any ? O::combine(sum, part[i]) : part[i];
                any = true;
            }
    }
};

}  // namespace gpusci
#endif
