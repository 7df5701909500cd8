// Connected components on the host, by runs: the set pixels of a row are found 64 at a time and kept as runs, which are joined
// with those of the rows before; pixels are written once, when the runs have their numbers. Bands of rows are scanned by
// threads of their own and then joined along their edges. A tree's root is its smallest run, so that one pass over the runs
// in C order numbers them: every parent has its number before its children look. Method: He, Chao and Suzuki, "A run-based
// two-scan labeling algorithm", IEEE Transactions on Image Processing 17 (2008) 749.
#pragma once
#include "label.h"

namespace gpusci {

// What the three kernels share. Run r is columns [ends[2r], ends[2r+1]) of its row; row y has runs [first[y], last[y]).
template <class X, class P, class Y, int D>
struct RunArgs {
    const X* x;
    Y* y;
    P* ends;
    P* parent;                          // later: the run's number
    P* first;
    P* last;
    int64_t* found;                     // how many components
    int64_t rows, most, bands;          // most: runs that a row can have
    Neighbours<D> nb;

    HD int64_t length() const { return nb.shape[D - 1]; }
    HD int64_t band(int64_t b) const { return rows * b / bands; }
};

#if !defined(GPUSCI_CUDA)
// Which of the m <= 64 values are set, the first one lowest.
template <class X> uint64_t set_mask(const X* x, int m) {
    uint8_t flag[64] = {};
    for (int k = 0; k < m; ++k) {
        if constexpr (same<X, bool>::value) flag[k] = reinterpret_cast<const uint8_t*>(x)[k] != 0;
        else flag[k] = x[k] != X(0);
    }
    uint64_t mask = 0;
    for (int w = 0; w < 8; ++w) {
        uint64_t eight;
        std::memcpy(&eight, flag + 8 * w, 8);
        mask |= (eight * 0x0102040810204080ull >> 56) << (8 * w);
    }
    return mask;
}

// The runs of a row from number `run` on; returns the next free number. alone: pixels of a row are no neighbours.
template <class X, class P> P find_runs(const X* x, int64_t length, bool alone, P run, P* ends) {
    P* end = ends + 2 * int64_t(run);
    uint64_t before = 0;
    for (int64_t base = 0; base < length; base += 64) {
        const uint64_t set = set_mask(x + base, int(min_of(length - base, int64_t(64))));
        uint64_t edges = alone ? set : set ^ (set << 1 | before);
        before = set >> 63;
        for (; edges; edges &= edges - 1) {
            *end++ = P(base + __builtin_ctzll(edges));
            if (alone) *end++ = P(base + __builtin_ctzll(edges) + 1);
        }
    }
    if ((end - ends) % 2) *end++ = P(length);
    return P((end - ends) / 2);
}

template <class P> P run_root(P* parent, P i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// Join the runs of a row with those of an earlier one. links: which columns are neighbours, bit 0 the one before, bit 1 the
// same, bit 2 the one after.
template <class Args> void join_rows(const Args& a, int64_t row, int64_t other, int links) {
    using P = std::remove_pointer_t<decltype(a.parent)>;
    const int low = links & 1 ? -1 : links & 2 ? 0 : 1, high = links & 4 ? 1 : links & 2 ? 0 : -1;
    const int64_t end = a.last[other];
    int64_t from = a.first[other];
    for (int64_t i = a.first[row]; i < a.last[row]; ++i) {
        const P start = a.ends[2 * i], stop = a.ends[2 * i + 1];
        while (from < end && a.ends[2 * from + 1] <= start + low) ++from;
        P root = -1;
        for (int64_t j = from; j < end && a.ends[2 * j] < stop + high; ++j) {
            // Only the columns beside it: not a pixel right under one.
            if (links == 5 && a.ends[2 * j] == start && a.ends[2 * j + 1] == start + 1 && stop == start + 1) continue;
            if (root < 0) root = run_root(a.parent, P(i));
            const P s = run_root(a.parent, P(j));
            if (s < root) root = a.parent[root] = s;
            else a.parent[s] = root;
        }
    }
}

// Join a row with those before it: those from row `start` on, or (across) those before that.
template <class Args, int D> void join_row(const Args& a, const Neighbours<D>& nb, int64_t row, int64_t start, bool across) {
    const RowNeighbours<D, int64_t> near(row, nb);
    int64_t rows[RowNeighbours<D, int64_t>::most()];
    int links[RowNeighbours<D, int64_t>::most()], count = 0;
    for (int k = 0; k < near.count; ++k) {
        const int64_t step = near.step[k] - near.last[k];
        if (!step) continue;
        int g = 0;
        while (g < count && rows[g] != step) ++g;
        if (g == count) {
            rows[count] = step;
            links[count++] = 0;
        }
        links[g] |= 1 << (near.last[k] + 1);
    }
    for (int g = 0; g < count; ++g) {
        const int64_t other = row + rows[g] / a.length();
        if ((other < start) == across) join_rows(a, row, other, links[g]);
    }
}

// Parents become numbers.
template <class Args> void number_runs(const Args& a) {
    using P = std::remove_pointer_t<decltype(a.parent)>;
    P found = 0;
    for (int64_t b = 0; b < a.bands; ++b)
        for (P r = a.first[a.band(b)], end = a.last[a.band(b + 1) - 1]; r < end; ++r)
            a.parent[r] = a.parent[r] == r ? ++found : a.parent[a.parent[r]];
    *a.found = found;
}

template <class Args> void fill_rows(const Args& a, int64_t begin, int64_t end) {
    using Y = std::remove_pointer_t<decltype(a.y)>;
    for (int64_t row = begin; row < end; ++row) {
        auto* y = a.y + row * a.length();
        int64_t at = 0;
        for (int64_t r = a.first[row]; r < a.last[row]; ++r) {
            const int64_t start = a.ends[2 * r], stop = a.ends[2 * r + 1];
            const Y number = Y(a.parent[r]);
            for (; at < start; ++at) y[at] = Y(0);
            for (; at < stop; ++at) y[at] = number;
        }
        for (; at < a.length(); ++at) y[at] = Y(0);
    }
}
#endif

// A band's runs, joined; all there is to do where there is one band. Host only, as those that follow.
template <class X, class P, class Y, int D, class Index>
struct label_runs {
    using Args = RunArgs<X, P, Y, D>;
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index b, const Args& a) {
        const int64_t begin = a.band(b), end = a.band(int64_t(b) + 1);
        P run = P(begin * a.most);
        for (int64_t row = begin; row < end; ++row) {
            const P first = a.first[row] = run;
            run = a.last[row] = find_runs(a.x + row * a.length(), a.length(), !a.nb.runs, first, a.ends);
            for (P r = first; r < run; ++r) a.parent[r] = r;
            join_row(a, a.nb, row, begin, false);
        }
        if (a.bands > 1) return;
        number_runs(a);
        fill_rows(a, begin, end);
    }
#endif
};

// The bands' edges joined, and all runs numbered. One work item.
template <class X, class P, class Y, int D, class Index>
struct label_bands {
    using Args = RunArgs<X, P, Y, D>;
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index, const Args& a) {
        int64_t reach = 1;                              // rows back to the farthest neighbour
        for (int64_t k = 0; k < a.nb.count; ++k) reach = max_of(reach, 1 - a.nb.step[k] / a.length());
        for (int64_t b = 1; b < a.bands; ++b) {
            const int64_t begin = a.band(b), end = min_of(a.band(b + 1), begin + reach);
            for (int64_t row = begin; row < end; ++row) join_row(a, a.nb, row, begin, true);
        }
        number_runs(a);
    }
#endif
};

template <class X, class P, class Y, int D, class Index>
struct label_fill {
    using Args = RunArgs<X, P, Y, D>;
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index b, const Args& a) { fill_rows(a, a.band(b), a.band(int64_t(b) + 1)); }
#endif
};

}  // namespace gpusci
