// The element of given rank (0 the least) under a window of any shape, on integer keys: NaN sorts last, as in NumPy.
//   at-form           descent over the bits of the keys, counting those below; stops when one candidate is left. A GPU sorts up to 64
//                     taps in registers instead (rank_wires)
//   host, few taps    a sorting network pruned to the wanted rank, a vector of outputs at once (Batcher, AFIPS 32 (1968) 307; _rank.py)
//   host, many taps   the keys of a tile become ranks by a radix sort; a bit set over the ranks marks the window, which slides along
//                     the row with its entering and leaving taps, and a pointer follows the wanted element. Cost: the window's
//                     edge, not its area
#pragma once
#include "box.h"
#include "networks.h"

namespace gpusci {

template <class K> struct unsigned_of { using type = K; };
template <> struct unsigned_of<int8_t> { using type = uint8_t; };
template <> struct unsigned_of<int16_t> { using type = uint16_t; };
template <> struct unsigned_of<int32_t> { using type = uint32_t; };
template <> struct unsigned_of<int64_t> { using type = uint64_t; };

// Keys as unsigned integers in the same order.
template <class K>
HD typename unsigned_of<K>::type unsigned_key(K k) {
    using U = typename unsigned_of<K>::type;
    constexpr U sign = K(-1) < K(0) ? U(U(1) << (8 * sizeof(U) - 1)) : U(0);
    return U(U(k) ^ sign);
}
template <class K>
HD K signed_key(typename unsigned_of<K>::type u) {
    using U = typename unsigned_of<K>::type;
    constexpr U sign = K(-1) < K(0) ? U(U(1) << (8 * sizeof(U) - 1)) : U(0);
    return K(U(u ^ sign));
}

template <int R>
struct Rank {
    Window<R> window;
    int64_t rank;
    const int32_t* network;     // host, few taps: pairs (i, j), v[i], v[j] = min, max
    int64_t pairs;
    const int64_t* edge;        // host, many taps: those that leave, then those that enter, as indices into the table
    int64_t edges;              // of each
};

#if !defined(GPUSCI_CUDA)
// Network over N vectors of keys.
template <class X, int R>
struct RankNetwork {
    using K = key_t<X>;
    using Buf = K;
    static constexpr int64_t rows = 16;
    static constexpr int width = 2;             // vectors a wire: hides the latency of the loads behind each other
    const Rank<R>& c;
    Scratch<int64_t> offset;
    Scratch<K> wires;
    explicit RankNetwork(const Rank<R>& rank)
        : c(rank), offset(rank.window.taps), wires(rank.window.taps * width * lanes<K>) {}
    static K load(X x) { return to_key(x); }
    static K fill(const Window<R>& g, int) { return to_key(constant_in<X>(g.cval)); }
    void filled(const K*, int64_t) {}
    void row(const K* b, X* y, int64_t len) {
        constexpr int L = lanes<K>, block = width * L;
        for (int64_t i = 0; i < len; i += block) {
            for (int64_t t = 0; t < c.window.taps; ++t)
                for (int v = 0; v < width; ++v)
                    store_vec(wires + t * block + v * L, load_vec(b + offset[t] + i + v * L));
            for (int64_t e = 0; e < c.pairs; ++e) {
                K *p = wires + c.network[2 * e] * block, *q = wires + c.network[2 * e + 1] * block;
                for (int v = 0; v < width; ++v) {
                    const vec<K> s = load_vec(p + v * L), t = load_vec(q + v * L);
                    store_vec(p + v * L, s < t ? s : t);
                    store_vec(q + v * L, s < t ? t : s);
                }
            }
            const K* found = wires + c.rank * block;
            for (int64_t k = 0; k < std::min<int64_t>(block, len - i); ++k) y[i + k] = from_key<X>(found[k]);
        }
    }
};

// Sliding window over the ranks of a tile.
template <class X, int R>
struct RankSlide {
    using K = key_t<X>;
    using U = typename unsigned_of<K>::type;
    using Buf = U;
    static constexpr int64_t rows = 16;
    static constexpr int digit = sizeof(U) == 1 ? 8 : 11;
    const Rank<R>& c;
    const U* tile = nullptr;
    int64_t size = 0;
    Scratch<int64_t> offset;
    Scratch<uint32_t> order, other, place;      // tile element at a rank; spare; rank of an element
    Scratch<uint64_t> marks;
    explicit RankSlide(const Rank<R>& rank) : c(rank), offset(rank.window.taps) {}
    static U load(X x) { return unsigned_key<K>(to_key(x)); }
    static U fill(const Window<R>& g, int) { return load(constant_in<X>(g.cval)); }

    void filled(const U* t, int64_t n) {
        if (!size) {
            order.reset(n), other.reset(n), place.reset(n), marks.reset(n / 64 + 1);
            std::fill(marks.data, marks.data + n / 64 + 1, uint64_t(0));
        }
        tile = t, size = n;
        uint32_t *from = order, *to = other;
        for (int64_t i = 0; i < n; ++i) from[i] = uint32_t(i);
        for (unsigned shift = 0; shift < 8 * sizeof(U); shift += digit) {
            uint32_t start[1 << digit] = {};
            for (int64_t i = 0; i < n; ++i) ++start[(t[i] >> shift) & ((1 << digit) - 1)];
            if (start[(t[0] >> shift) & ((1 << digit) - 1)] == n) continue;        // one digit throughout
            uint32_t sum = 0;
            for (uint32_t& s : start) { const uint32_t count = s; s = sum, sum += count; }
            for (int64_t i = 0; i < n; ++i) to[start[(t[from[i]] >> shift) & ((1 << digit) - 1)]++] = from[i];
            std::swap(from, to);
        }
        if (from != order.data) std::memcpy(order.data, from, size_t(n) * 4);
        for (int64_t r = 0; r < n; ++r) place[order[r]] = uint32_t(r);
    }

    void row(const U* b, X* y, int64_t len) {
        for (int64_t i = 0; i < std::min(len, c.window.inner); ++i) line(b - tile + i, y + i, len - i);
    }
    // Outputs 0, inner, 2 inner ... < len; `at` is the tile index under the first one.
    void line(int64_t at, X* y, int64_t len) {
        const uint32_t* ranks = place;
        uint64_t* set = marks;
        const int64_t in = c.window.inner;
        int64_t below = 0, here = 0;            // elements of the window that rank less than `here`
        for (int64_t t = 0; t < c.window.taps; ++t) flip(set, ranks[at + offset[t]]);
        for (int64_t i = 0;;) {
            while (below > c.rank) here = before(set, here), --below;
            here = from(set, here);
            while (below < c.rank) here = from(set, here + 1), ++below;
            y[i] = from_key<X>(signed_key<K>(tile[order[here]]));
            if ((i += in) >= len) break;
            for (int64_t e = 0; e < c.edges; ++e) {
                const int64_t out = ranks[at + offset[c.edge[e]]], enter = ranks[at + in + offset[c.edge[c.edges + e]]];
                flip(set, out), flip(set, enter);
                below += int64_t(enter < here) - int64_t(out < here);
            }
            at += in;
        }
        for (int64_t t = 0; t < c.window.taps; ++t) flip(set, ranks[at + offset[t]]);
    }
    static void flip(uint64_t* set, int64_t r) { set[r >> 6] ^= uint64_t(1) << (r & 63); }
    static int64_t from(const uint64_t* set, int64_t r) {       // first mark at r or above
        int64_t w = r >> 6;
        uint64_t bits = set[w] & (~uint64_t(0) << (r & 63));
        while (!bits) bits = set[++w];
        return (w << 6) + __builtin_ctzll(bits);
    }
    static int64_t before(const uint64_t* set, int64_t r) {     // last mark below r
        int64_t w = r >> 6;
        uint64_t bits = set[w] & ((uint64_t(1) << (r & 63)) - 1);
        while (!bits) bits = set[--w];
        return (w << 6) + 63 - __builtin_clzll(bits);
    }
};
#endif

template <class X, int R, class Index>
struct rank {
    using K = key_t<X>;
    using U = typename unsigned_of<K>::type;
    struct Args { const X* x; X* y; Rank<R> c; };

    HD static U input(const WindowAt<R, Index>& window, const Window<R>& g, Index t, Index column, const Args& a) {
        const Index e = window.element(g, g.table + t * (R + 1), column);
        return unsigned_key<K>(to_key(e < 0 ? constant_in<X>(g.cval) : a.x[e]));
    }
    HD static void at(Index i, const Args& a) {
        const Window<R>& g = a.c.window;
        const WindowAt<R, Index> window(i, g);
        const Index column = i % Index(g.inner), taps = Index(g.taps);
        U every = U(~U(0)), some = 0;
        for (Index t = 0; t < taps; ++t) {
            const U u = input(window, g, t, column, a);
            every = U(every & u), some = U(some | u);
        }
        int bit = 8 * int(sizeof(U)) - 1;
        while (bit >= 0 && !((every ^ some) >> bit & 1)) --bit;         // highest bit in which the keys differ
        U mask = U(~((U(2) << (bit < 0 ? 0 : bit)) - 1)), value = U(every & mask);
        if (bit < 0) value = every, mask = U(~U(0));
        Index left = Index(a.c.rank), candidates = taps;
        for (; bit >= 0 && candidates > 1; --bit) {
            mask = U(mask | (U(1) << bit));
            Index below = 0;
            for (Index t = 0; t < taps; ++t) below += (input(window, g, t, column, a) & mask) == value;
            if (left < below) candidates = below;
            else left -= below, candidates -= below, value = U(value | (U(1) << bit));
        }
        if (bit >= 0)                                                   // one candidate, its lower bits not seen yet
            for (Index t = 0; t < taps; ++t) {
                const U u = input(window, g, t, column, a);
                if ((u & mask) == value) { value = u; break; }
            }
        a.y[i] = from_key<X>(signed_key<K>(value));
    }

#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) {
        if (a.c.network) {
            RankNetwork<X, R> op(a.c);
            BoxRunner<RankNetwork<X, R>, X, X, R>(a.c.window, op).run(a.x, a.y, begin, end);
        } else if (a.c.edge) {
            RankSlide<X, R> op(a.c);
            BoxRunner<RankSlide<X, R>, X, X, R>(a.c.window, op).run(a.x, a.y, begin, end);
        } else
            for (Index i = begin; i < end; ++i) at(i, a);
    }
#endif
};

// Up to `wires` taps sorted in registers, filled up at both ends so that the wanted rank stands in the middle: needs
// rank <= wires / 2 and taps - rank <= wires / 2.
template <class X, int R, int wires, class Index>
struct rank_wires {
    using K = key_t<X>;
    using S = choose_t<(sizeof(K) < 4), int32_t, K>;
    struct Args { const X* x; X* y; Window<R> window; int64_t rank; };

    HD static void at(Index i, const Args& a) {
        const Window<R>& g = a.window;
        const WindowAt<R, Index> window(i, g);
        const Index column = i % Index(g.inner);
        const int taps = int(g.taps), low = wires / 2 - int(a.rank);
        S v[wires];
#pragma unroll
        for (int t = 0; t < wires; ++t) {
            v[t] = t < taps + low ? key_limits<S>::low : key_limits<S>::high;
            if (t < taps) {
                const Index e = window.element(g, g.table + t * (R + 1), column);
                v[t] = S(to_key(e < 0 ? constant_in<X>(g.cval) : a.x[e]));
            }
        }
        a.y[i] = from_key<X>(K(sorted<wires>(v).v[wires / 2]));
    }
};

}  // namespace gpusci
