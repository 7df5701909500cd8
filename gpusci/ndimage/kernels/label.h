// Connected components by union-find on pixel numbers: every component's root is its first pixel in C order, so the final
// numbers follow the order of the scan, as SciPy's. Three passes: each foreground pixel points at its first foreground
// neighbour of those before it; the other such neighbours' trees are joined (the larger root points at the smaller, by
// compare-and-swap-like atomic minimum); every pixel then looks its root up. Method: Jaiganesh and Burtscher, "A high-
// performance connected components implementation for GPUs", HPDC 2018 (hooking with intermediate pointer jumping).
// The portable form of label_tiles.h, which has the same results.
#pragma once
#include <gpusci/atomics.h>

namespace gpusci {

// Offsets of the neighbours that precede a pixel, as coordinates (rank D each, -1, 0 or 1) and as index steps.
template <int D>
struct Neighbours {
    int64_t shape[D];
    int64_t count;
    const int64_t* delta;               // [count][D]
    const int64_t* step;                // [count], ascending
    int64_t runs;                       // whether neighbours along the last axis belong together
};

// The neighbours that pixels of one row have: those inside the array along all axes but the last.
template <int D, class Index>
struct RowNeighbours {
    static constexpr int most() {
        int n = 1;
        for (int d = 0; d < D; ++d) n *= 3;
        return n / 2;
    }
    int count;
    Index step[most()];
    Index last[most()];                 // along the last axis: -1, 0, 1

    HD RowNeighbours(Index row, const Neighbours<D>& nb) {
        Index c[D];
        for (int d = D - 2; d >= 0; --d) {
            c[d] = d > 0 ? row % Index(nb.shape[d]) : row;
            row /= Index(nb.shape[d]);
        }
        count = 0;
        for (int k = 0; k < int(nb.count); ++k) {
            bool in = true;
            for (int d = 0; d < D - 1; ++d) {
                const Index x = c[d] + Index(nb.delta[k * D + d]);
                in = in && x >= 0 && x < Index(nb.shape[d]);
            }
            if (!in) continue;
            step[count] = Index(nb.step[k]);
            last[count++] = Index(nb.delta[k * D + D - 1]);
        }
    }
    HD bool has(int k, Index x, Index length) const { return x + last[k] >= 0 && x + last[k] < length; }
};

// Root of pixel i; halves the path on the way. Needs no lock: a parent, however old, is smaller than its pixel and in the same
// component, and what is not joined to it yet whoever has set another one is about to join (see join_trees).
template <class P, class Index>
HD Index find_root(P* parent, Index i) {
    Index p = Index(atomic_load(parent + i));
    while (p != i) {
        const Index g = Index(atomic_load(parent + p));
        if (g != p) parent[i] = P(g);
        i = p;
        p = g;
    }
    return i;
}

// Make the trees of pixels i and j one. Where the atomic minimum finds that u is no root any more it may have taken u from its
// parent, or a shortened path may undo it: either way what is left to join is that parent's tree and v's, as the next round does.
template <class P, class Index>
HD void join_trees(P* parent, Index i, Index j) {
    Index u = find_root<P, Index>(parent, i), v = find_root<P, Index>(parent, j);
    while (u != v) {
        if (u < v) {
            const Index t = u;
            u = v;
            v = t;
        }
        // u is the larger root: hook it under v unless another thread was faster.
        const Index old = Index(atomic_min(parent + u, P(v)));
        if (old == u) break;
        u = find_root<P, Index>(parent, old);
        v = find_root<P, Index>(parent, v);
    }
}

// Work on the pixels [begin, end), a row at a time.
template <class K, int D, class Index>
HD void by_rows(Index begin, Index end, const typename K::Args& a) {
    const Index length = Index(a.nb.shape[D - 1]);
    while (begin < end) {
        const Index row = begin / length, x0 = begin - row * length, x1 = min_of(length, x0 + (end - begin));
        const RowNeighbours<D, Index> near(row, a.nb);
        for (Index x = x0; x < x1; ++x) K::pixel(begin + (x - x0), x, length, near, a);
        begin += x1 - x0;
    }
}

template <class X, class P, int D, class Index>
struct label_start {
    struct Args {
        const X* x;
        P* parent;
        Neighbours<D> nb;
    };
    HD static void pixel(Index i, Index x, Index length, const RowNeighbours<D, Index>& near, const Args& a) {
        if (!cast<bool>(a.x[i])) {
            a.parent[i] = P(-1);
            return;
        }
        Index first = i;
        for (int k = 0; k < near.count && first == i; ++k)
            if (near.has(k, x, length) && cast<bool>(a.x[i + near.step[k]])) first = i + near.step[k];
        a.parent[i] = P(first);
    }
    HD static void at(Index i, const Args& a) { by_rows<label_start, D, Index>(i, i + 1, a); }
    HD static void range(Index begin, Index end, const Args& a) { by_rows<label_start, D, Index>(begin, end, a); }
};

template <class P, int D, class Index>
struct label_join {
    struct Args {
        P* parent;
        Neighbours<D> nb;
    };
    HD static void pixel(Index i, Index x, Index length, const RowNeighbours<D, Index>& near, const Args& a) {
        if (a.parent[i] < 0) return;
        // Inside a run, a neighbour whose own left pixel is set is met by the left pixel too: nothing new.
        const bool left = a.nb.runs && x > 0 && a.parent[i - 1] >= 0;
        bool first = true, linked = false;
        for (int k = 0; k < near.count; ++k) {
            const Index j = i + near.step[k];
            if (!near.has(k, x, length) || a.parent[j] < 0) continue;
            const bool known = left && near.step[k] != -1 && x + near.last[k] > 0 && a.parent[j - 1] >= 0;
            if (first) {                // pixel i started out pointing at this one
                first = false;
                linked = known;         // and through it is one with its left pixel
            } else if (!known && !(linked && near.step[k] == -1)) {
                join_trees<P, Index>(a.parent, i, j);
            }
        }
    }
    HD static void at(Index i, const Args& a) { by_rows<label_join, D, Index>(i, i + 1, a); }
    HD static void range(Index begin, Index end, const Args& a) { by_rows<label_join, D, Index>(begin, end, a); }
};

// Roots in each piece of the array; their running sum numbers the components in C order.
template <class P, class Index>
struct label_count {
    struct Args {
        const P* parent;
        P* roots;                       // [pieces]
        int64_t n, piece;
    };
    HD static void at(Index b, const Args& a) {
        P found = 0;
        for (int64_t i = b * a.piece, end = min_of(i + a.piece, a.n); i < end; ++i) found += a.parent[i] == P(i);
        a.roots[b] = found;
    }
};

// A root holds -1 - number from here on.
template <class P, class Index>
struct label_roots {
    struct Args {
        P* parent;
        const P* until;                 // roots up to the end of each piece
        int64_t n, piece;
    };
    HD static void at(Index b, const Args& a) {
        P number = b > 0 ? a.until[b - 1] : P(0);
        for (int64_t i = b * a.piece, end = min_of(i + a.piece, a.n); i < end; ++i)
            if (a.parent[i] == P(i)) a.parent[i] = -1 - ++number;
    }
};

template <class P, class Y, class Index>
struct label_number {
    struct Args {
        P* parent;
        Y* y;
    };
    HD static void at(Index i, const Args& a) {
        P r = P(i), p = a.parent[i];
        while (p >= 0) {
            r = p;
            p = a.parent[r];
        }
        if (r != P(i)) a.parent[i] = r;         // shortens the way of pixels that pass through here
        a.y[i] = Y(-1 - p);
    }
};

// Places of equal values side by side, in C order among themselves: `next[value - first]` says where the next one goes, and
// where `coordinates[d]` gets its place along axis d. Host only, one work item.
template <class L, int D, class Index>
struct group_places {
    struct Args {
        const L* x;
        int64_t* next;
        int64_t* coordinates;           // [D][n]
        int64_t first, n;
        int64_t shape[D];
    };
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index, const Args& a) {
        const Index length = Index(a.shape[D - 1]), rows = Index(a.n) / length;
        Index i = 0, c[D] = {};
        for (Index row = 0; row < rows; ++row) {
            for (Index x = 0; x < length; ++x, ++i) {
                int64_t* out = a.coordinates + a.next[int64_t(a.x[i]) - a.first]++;
                for (int d = 0; d < D; ++d) out[d * a.n] = d == D - 1 ? x : c[d];
            }
            for (int d = D - 2; d >= 0; --d) {
                if (++c[d] < Index(a.shape[d])) break;
                c[d] = 0;
            }
        }
    }
#endif
};

}  // namespace gpusci
