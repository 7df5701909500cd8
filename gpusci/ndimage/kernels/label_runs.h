// Connected components on the host, by runs: the set pixels of a row are found 64 at a time and kept as runs, which are joined
// with those of the rows before; pixels are written once, when the runs have their numbers. Bands of rows are scanned by
// threads of their own and then joined along their edges. A tree's root is its smallest run, so that one pass over the runs
// in C order numbers them: every parent has its number before its children look. Method: He, Chao and Suzuki, "A run-based
// two-scan labeling algorithm", IEEE Transactions on Image Processing 17 (2008) 749.
#pragma once
#include "label.h"

#if !defined(GPUSCI_CUDA)
#include <algorithm>
#include <vector>
#endif

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
// A bool may be any byte that is not zero.
template <class X> bool is_set(const X& x) {
    if constexpr (same<X, bool>::value) return reinterpret_cast<const uint8_t&>(x) != 0;
    else return x != X(0);
}

// Which of the m <= 64 values are set, the first one lowest.
template <class X> uint64_t set_mask(const X* x, int m) {
    uint64_t mask = 0;
    if (m <= 8) {
        for (int k = 0; k < m; ++k) mask |= uint64_t(is_set(x[k])) << k;
        return mask;
    }
    uint8_t flag[64] = {};
    for (int k = 0; k < m; ++k) flag[k] = is_set(x[k]);
    for (int w = 0; 8 * w < m; ++w) {
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

// Join the runs of a row with those of an earlier one. columns: which of its pixels are neighbours, bit 0 the one before, bit 1
// the same, bit 2 the one after.
template <class Args> void join_rows(const Args& a, int64_t row, int64_t other, int columns) {
    using P = std::remove_pointer_t<decltype(a.parent)>;
    const int low = columns & 1 ? -1 : columns & 2 ? 0 : 1, high = columns & 4 ? 1 : columns & 2 ? 0 : -1;
    const int64_t end = a.last[other];
    int64_t from = a.first[other];
    for (int64_t i = a.first[row]; i < a.last[row]; ++i) {
        const P start = a.ends[2 * i], stop = a.ends[2 * i + 1];
        while (from < end && a.ends[2 * from + 1] <= start + low) ++from;
        P root = run_root(a.parent, P(i));
        for (int64_t j = from; j < end && a.ends[2 * j] < stop + high; ++j) {
            // Only the columns beside it: not a pixel right under one.
            if (columns == 5 && a.ends[2 * j] == start && a.ends[2 * j + 1] == start + 1 && stop == start + 1) continue;
            if (a.parent[j] == root) continue;
            const P s = run_root(a.parent, a.parent[j]);
            if (s < root) root = a.parent[root] = s;
            else a.parent[s] = root;
        }
        a.parent[i] = root;
    }
}

// An earlier row that has neighbours of a row's pixels.
template <int D> struct RowLink {
    const int64_t* delta;               // of one of them
    int64_t rows;                       // back: below zero
    int columns;
};

// Joins rows, one after the other, with those before them.
template <class Args, int D> struct RowJoiner {
    const Args& a;
    std::vector<RowLink<D>> links;
    int64_t row, place[D];              // along the axes but the last

    RowJoiner(const Args& args, int64_t begin) : a(args), row(begin) {
        for (int64_t k = 0; k < a.nb.count; ++k) {
            const int64_t *delta = a.nb.delta + k * D, last = delta[D - 1], rows = (a.nb.step[k] - last) / a.length();
            if (rows >= 0) continue;    // the same row, or one that is never inside of the array
            auto link = links.begin();
            while (link != links.end() && !std::equal(delta, delta + D - 1, link->delta)) ++link;
            if (link == links.end()) link = links.insert(link, {delta, rows, 0});
            link->columns |= 1 << (last + 1);
        }
        for (int d = D - 2; d >= 0; --d) {
            place[d] = begin % a.nb.shape[d];
            begin /= a.nb.shape[d];
        }
    }
    bool inside(const int64_t* delta) const {
        for (int d = 0; d < D - 1; ++d)
            if (uint64_t(place[d] + delta[d]) >= uint64_t(a.nb.shape[d])) return false;
        return true;
    }
    // The next row, with those of the rows [begin, end).
    void next(int64_t begin, int64_t end) {
        for (const auto& link : links) {
            const int64_t other = row + link.rows;
            if (other >= begin && other < end && inside(link.delta)) join_rows(a, row, other, link.columns);
        }
        ++row;
        for (int d = D - 2; d >= 0 && ++place[d] == a.nb.shape[d]; --d) place[d] = 0;
    }
};

// Parents become numbers.
template <class Args> void number_runs(const Args& a) {
    using P = std::remove_pointer_t<decltype(a.parent)>;
    P found = 0;
    for (int64_t b = 0; b < a.bands; ++b)
        for (P r = a.first[a.band(b)], end = a.last[a.band(b + 1) - 1]; r < end; ++r) {
            const P up = a.parent[r];
            found += up == r;
            a.parent[r] = up == r ? found : a.parent[up];
        }
    *a.found = found;
}

// y[from, to) = v in a row of that length. Ranges are mostly short: without looking how short, it writes a few elements beyond,
// where what comes next is written later.
template <class Y> void fill_range(Y* y, int64_t from, int64_t to, int64_t length, Y v) {
    constexpr int few = 8;
    if (from + few <= length) {
        for (int k = 0; k < few; ++k) y[from + k] = v;
        from += few;
    }
    for (; from < to; ++from) y[from] = v;
}

template <class Args> void fill_rows(const Args& a, int64_t begin, int64_t end) {
    using Y = std::remove_pointer_t<decltype(a.y)>;
    const int64_t length = a.length();
    for (int64_t row = begin; row < end; ++row) {
        Y* y = a.y + row * length;
        int64_t at = 0;
        for (int64_t r = a.first[row]; r < a.last[row]; ++r) {
            const int64_t start = a.ends[2 * r], stop = a.ends[2 * r + 1];
            if (at < start) fill_range(y, at, start, length, Y(0));
            fill_range(y, start, stop, length, Y(a.parent[r]));
            at = stop;
        }
        if (at < length) fill_range(y, at, length, length, Y(0));
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
        RowJoiner<Args, D> joiner(a, begin);
        for (int64_t row = begin; row < end; ++row) {
            const P first = a.first[row] = run;
            run = a.last[row] = find_runs(a.x + row * a.length(), a.length(), !a.nb.runs, first, a.ends);
            for (P r = first; r < run; ++r) a.parent[r] = r;
            joiner.next(begin, row);
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
            RowJoiner<Args, D> joiner(a, begin);
            for (int64_t row = begin; row < end; ++row) joiner.next(0, begin);
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
