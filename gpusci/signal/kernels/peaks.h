// Peaks of a line: local maxima with plateaus, their prominence and width.
//
// The walks from a peak (to a higher sample, to a level) skip whole tiles by their least and largest value, over a
// pyramid of tiles of 64, 64^2, ... samples, so that the highest peak of a long line costs some hundred reads and not n.
// A NaN makes both values of its tiles NaN, which no comparison passes: the walk then looks at single samples, as SciPy.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

constexpr int tile_bits = 6, tile_size = 1 << tile_bits, max_levels = 8;

// low[l], high[l]: extremes of the tiles of 64^(l+1) samples; whole tiles only.
template <class X>
struct Pyramid {
    const X* extremes;                 // level after level: count low values, then count high values
    int64_t levels, count[max_levels], start[max_levels];
    HD X low(int level, int64_t tile) const { return extremes[start[level] + tile]; }
    HD X high(int level, int64_t tile) const { return extremes[start[level] + count[level] + tile]; }
};

// One level from the one below (from the samples: low = high = x). n counts tiles.
template <class X, class Index>
struct tile_extremes {
    struct Args { const X* low; const X* high; X* low_out; X* high_out; };
    HD static void at(Index tile, const Args& a) {
        const int64_t first = int64_t(tile) * tile_size;
        X low = a.low[first], high = a.high[first];
        for (int k = 1; k < tile_size; ++k) {
            const X l = a.low[first + k], h = a.high[first + k];
            low = l < low || l != l ? l : low;
            high = h > high || h != h ? h : high;
            if (low != low || high != high) break;
        }
        const bool nan = low != low || high != high;
        a.low_out[tile] = nan ? low + high : low;
        a.high_out[tile] = nan ? low + high : high;
    }
};

// Walks from sample i in steps of Step (-1 or +1) up to `end` (included) while every sample passes `test`; whole tiles pass
// by `skip(low, high)`, and are told to `taken`. Returns the first sample that does not pass, or end + Step.
template <int Step, class X, class Test, class Skip, class Taken>
HD int64_t walk(const X* x, const Pyramid<X>& p, int64_t i, int64_t end, Test test, Skip skip, Taken taken) {
    if (p.levels == 0) {
        for (; Step < 0 ? i >= end : i <= end; i += Step) {
            if (!test(x[i])) return i;
            taken(x[i], -1, i);
        }
        return Step < 0 ? end - 1 : end + 1;
    }
    while (Step < 0 ? i >= end : i <= end) {
        int level = -1;
        int64_t size = 1;
        while (level + 1 < p.levels) {                 // the largest tile that starts here, is inside and passes
            const int64_t next = size * tile_size;
            const int64_t edge = Step < 0 ? i + 1 : i;
            if (edge % next || (Step < 0 ? i + 1 - next < end : i + next - 1 > end)) break;
            const int64_t tile = i / next;
            if (tile >= p.count[level + 1] || !skip(p.low(level + 1, tile), p.high(level + 1, tile))) break;
            ++level, size = next;
        }
        if (level >= 0) taken(p.low(level, i / size), level, i / size);
        else {
            if (!test(x[i])) return i;
            taken(x[i], -1, i);
        }
        i += Step * size;
    }
    return Step < 0 ? end - 1 : end + 1;
}

// The sample equal to `value` that is met first when walking through a tile.
template <int Step, class X>
HD int64_t locate(const X* x, const Pyramid<X>& p, int level, int64_t tile, X value) {
    for (; level >= 0; --level) {
        int64_t child = tile * tile_size + (Step < 0 ? tile_size - 1 : 0);
        for (int k = 1; k < tile_size && (level ? p.low(level - 1, child) : x[child]) != value; ++k) child += Step;
        tile = child;
    }
    return tile;
}

// mask[k] = is sample k higher than both neighbours, and low <= x[k] <= high? n items.
template <class X, class Index>
struct mark_peaks {
    struct Args { const X* x; bool* mask; int64_t n; double low, high; };
    HD static bool peak(Index k, const Args& a) {
        const X v = a.x[k];
        return (a.x[k - 1] < v) & (a.x[k + 1] < v) & (double(v) >= a.low) & (double(v) <= a.high);
    }
    HD static void at(Index k, const Args& a) { a.mask[k] = k > 0 && k + 1 < Index(a.n) && peak(k, a); }
#ifndef GPUSCI_CUDA
    static void range(Index begin, Index end, const Args& a) {
        if (begin == 0) at(begin++, a);
        if (end == Index(a.n) && begin < end) at(--end, a);
        for (Index k = begin; k < end; ++k) a.mask[k] = peak(k, a);
    }
#endif
};

// All of mark_peaks and mark_plateaus at once, as a list: found[0] = how many, then their indices; where asked for, also
// the edges of their plateaus. One item, for the host: a short line is done before NumPy has looked through a mask.
template <class X, class Index>
struct list_peaks {
    struct Args {
        const X* x;
        int64_t* found; int64_t* left; int64_t* right;      // left, right: null, or room for the edges
        int64_t n;
        double low, high;
    };
    // Of a word of bytes 0 and 1 that is not zero: the first byte that is 1.
    HD static int lowest_byte(uint64_t word) {
#if defined(GPUSCI_CUDA)
        return (__ffsll(word) - 1) / 8;
#else
        return __builtin_ctzll(word) / 8;
#endif
    }
    HD static void at(Index, const Args& a) {
        constexpr int64_t piece = 256;
        const X* x = a.x;
        int64_t count = 0;
        const auto add = [&a, &count](int64_t peak, int64_t left, int64_t right) {
            if (a.left) a.left[count] = left, a.right[count] = right;
            a.found[++count] = peak;
        };
        for (int64_t first = 1; first < a.n - 1; first += piece) {
            const int m = int(min_of(piece, a.n - 1 - first));
            uint64_t words[piece / 8] = {};
            unsigned char* mask = reinterpret_cast<unsigned char*>(words);
            unsigned equal = 0;
            for (int k = 0; k < m; ++k) equal |= x[first + k - 1] == x[first + k];
            for (int k = 0; k < m; ++k) {
                const X v = x[first + k];
                mask[k] = (x[first + k - 1] < v) & (x[first + k + 1] < v) & (double(v) >= a.low) & (double(v) <= a.high);
            }
            if (!equal)
                for (int w = 0; w < (m + 7) / 8; ++w)
                    for (uint64_t word = words[w]; word; word &= word - 1) {
                        const int64_t peak = first + 8 * w + lowest_byte(word);
                        add(peak, peak, peak);
                    }
            else
                for (int k = 0; k < m; ++k) {
                    const int64_t end = first + k;      // of a plateau, perhaps
                    const X v = x[end];
                    if (mask[k]) add(end, end, end);
                    if (!(x[end - 1] == v && x[end + 1] < v && double(v) >= a.low && double(v) <= a.high)) continue;
                    int64_t before = end - 2;
                    while (before >= 0 && x[before] == v) --before;
                    if (before >= 0 && x[before] < v) add((before + 1 + end) / 2, before + 1, end);
                }
        }
        a.found[0] = count;
    }
};

// Adds the plateaus: mask[(first + last) / 2] = 1. Runs after mark_peaks. Item k: does a plateau end at sample k + 1 and is
// it higher than both sides? n - 2 items.
template <class X, class Index>
struct mark_plateaus {
    struct Args { const X* x; bool* mask; Pyramid<X> p; double low, high; };
    HD static void at(Index k, const Args& a) {
        const X v = a.x[k + 1];
        if (!(a.x[k] == v && a.x[k + 2] < v && double(v) >= a.low && double(v) <= a.high)) return;
        const auto same_value = [v](X u) { return u == v; };
        const auto flat = [v](X low, X high) { return low == v && high == v; };
        const int64_t before = walk<-1>(a.x, a.p, k, 0, same_value, flat, [](X, int, int64_t) {});
        if (before >= 0 && a.x[before] < v) a.mask[(before + 1 + k + 1) / 2] = true;
    }
#ifndef GPUSCI_CUDA
    static void range(Index begin, Index end, const Args& a) {
        constexpr Index piece = 1024;
        for (; begin < end; begin += piece) {
            const Index stop = min_of(begin + piece, end);
            unsigned equal = 0;
            for (Index k = begin; k < stop; ++k) equal |= a.x[k] == a.x[k + 1];
            if (equal)
                for (Index k = begin; k < stop; ++k) at(k, a);
        }
    }
#endif
};

// Edges of the plateaus around the peaks.
template <class X, class Index>
struct plateau_edges {
    struct Args { const X* x; const int64_t* peaks; int64_t* left; int64_t* right; Pyramid<X> p; int64_t n; };
    HD static void at(Index i, const Args& a) {
        const int64_t peak = a.peaks[i];
        const X v = a.x[peak];
        const auto same_value = [v](X u) { return u == v; };
        const auto flat = [v](X low, X high) { return low == v && high == v; };
        const auto nothing = [](X, int, int64_t) {};
        a.left[i] = walk<-1>(a.x, a.p, peak, 0, same_value, flat, nothing) + 1;
        a.right[i] = walk<1>(a.x, a.p, peak, a.n - 1, same_value, flat, nothing) - 1;
    }
};

// Height above the higher of the two lowest points on the way to higher ground (or to the window's ends).
template <class X, class Index>
struct prominences {
    struct Args {
        const X* x; const int64_t* peaks; double* prominence; int64_t* left; int64_t* right;
        Pyramid<X> p;
        int64_t n, half;               // half: samples of the window on each side
        ErrorCell err;
    };
    struct Lowest { X value; int level; int64_t place; };

    template <int Step>
    HD static Lowest lowest(int64_t peak, int64_t end, const Args& a) {
        const X v = a.x[peak];
        if (a.p.levels == 0) {                       // a plain walk, without a branch for the lowest one
            X least = v;
            int64_t place = peak;
            for (int64_t i = peak + Step; (Step < 0 ? i >= end : i <= end) && a.x[i] <= v; i += Step) {
                const X u = a.x[i];
                place = u < least ? i : place;
                least = u < least ? u : least;
            }
            return {least, -1, place};
        }
        Lowest found = {v, -1, peak};
        walk<Step>(a.x, a.p, peak, end, [v](X u) { return u <= v; }, [v](X, X high) { return high <= v; },
                   [&found](X u, int level, int64_t place) { if (u < found.value) found = {u, level, place}; });
        found.place = locate<Step>(a.x, a.p, found.level, found.place, found.value);
        return found;
    }
    HD static void at(Index i, const Args& a) {
        const int64_t peak = a.peaks[i];
        if (peak < 0 || peak >= a.n) {
            a.err.raise(0);
            a.prominence[i] = 0, a.left[i] = a.right[i] = 0;
            return;
        }
        const Lowest l = lowest<-1>(peak, max_of(peak - a.half, int64_t(0)), a);
        const Lowest r = lowest<1>(peak, min_of(peak + min_of(a.half, a.n), a.n - 1), a);
        a.prominence[i] = double(a.x[peak]) - double(max_of(l.value, r.value));
        a.left[i] = l.place;
        a.right[i] = r.place;
    }
};

// Where the signal falls below `height` on both sides of a peak, interpolated between samples.
template <class X, class Index>
struct widths {
    struct Args {
        const X* x; const int64_t* peaks; const double* prominence; const int64_t* left; const int64_t* right;
        double* width; double* height; double* left_ip; double* right_ip;
        Pyramid<X> p;
        int64_t n;
        double rel_height;
        ErrorCell err;
    };
    template <int Step>
    HD static double crossing(int64_t peak, int64_t base, double height, const Args& a) {
        const auto above = [height](X u) { return height < double(u); };
        // The base itself ends the walk, whatever its value.
        int64_t i = peak == base ? base : walk<Step>(a.x, a.p, peak, base - Step, above,
                                                     [height](X low, X) { return height < double(low); },
                                                     [](X, int, int64_t) {});
        // A peak below the height (negative prominences): its neighbour may be as high, or beyond the end.
        const int64_t before = i - Step;
        if (before < 0 || before >= a.n) return double(i);
        const double at = double(a.x[i]), rise = double(a.x[before]) - at;
        return at < height && rise != 0 ? double(i) - Step * ((height - at) / rise) : double(i);
    }
    HD static void at(Index i, const Args& a) {
        const int64_t peak = a.peaks[i], left = a.left[i], right = a.right[i];
        if (left < 0 || left > peak || right < peak || right >= a.n) {
            a.err.raise(0);
            a.width[i] = a.height[i] = a.left_ip[i] = a.right_ip[i] = 0;
            return;
        }
        const double height = double(a.x[peak]) - a.prominence[i] * a.rel_height;
        const double l = crossing<-1>(peak, left, height, a), r = crossing<1>(peak, right, height, a);
        a.height[i] = height;
        a.left_ip[i] = l;
        a.right_ip[i] = r;
        a.width[i] = r - l;
    }
};

// Greedy selection: from the highest peak on, each that is left removes its neighbours closer than `distance`. One item;
// every choice depends on those before, so this runs on the host, on a copy of the peaks.
template <class Index>
struct select_distant {
    struct Args { const int64_t* peaks; const int64_t* ascending; bool* keep; int64_t n, distance; };
    HD static void at(Index, const Args& a) {
        for (int64_t i = a.n - 1; i >= 0; --i) {
            const int64_t j = a.ascending[i];
            if (!a.keep[j]) continue;
            for (int64_t k = j - 1; k >= 0 && a.peaks[j] - a.peaks[k] < a.distance; --k) a.keep[k] = false;
            for (int64_t k = j + 1; k < a.n && a.peaks[k] - a.peaks[j] < a.distance; ++k) a.keep[k] = false;
        }
    }
};

// ---- relative extrema along an axis
enum class Compare : int { less, less_equal, greater, greater_equal };
template <Compare c, class X>
HD bool compare(X a, X b) {
    return c == Compare::less ? a < b : c == Compare::less_equal ? a <= b : c == Compare::greater ? a > b : a >= b;
}

// mask = all of x[i] c x[i - k] and x[i] c x[i + k], k = 1 .. order, along the middle axis of [outer][n][inner].
template <class X, Compare c, bool Wrap, class Index>
struct relative_extrema {
    struct Args { const X* x; bool* mask; int64_t n, inner, order; };
    HD static void at(Index i, const Args& a) {
        const Index inner = Index(a.inner), n = Index(a.n), place = i / inner % n;
        const X* line = a.x + (i - place * inner);
        const compute_t<X> v = line[place * inner];
        bool found = true;
        for (Index k = 1; found && k <= Index(a.order); ++k) {
            Index before = place - k, after = place + k;
            if (Wrap) before %= n, before += before < 0 ? n : 0, after %= n;
            else before = max_of(before, Index(0)), after = min_of(after, n - 1);
            found = compare<c, compute_t<X>>(v, line[before * inner]) && compare<c, compute_t<X>>(v, line[after * inner]);
        }
        a.mask[i] = found;
    }
#ifndef GPUSCI_CUDA
    // Runs of elements whose neighbours all stand at the same offsets: the inside of a line, or one place of many lines.
    static void range(Index begin, Index end, const Args& a) {
        const Index inner = Index(a.inner), n = Index(a.n), order = Index(a.order);
        while (begin < end) {
            const Index row = begin / inner, place = row % n, left = inner - (begin - row * inner);
            Index count = min_of(left, end - begin);
            if (inner == 1) count = min_of(n - order - place, end - begin);
            if (place < order || place >= n - order) {
                const Index stop = min_of(end, begin + (inner == 1 ? Index(1) : left));
                for (; begin < stop; ++begin) at(begin, a);
                continue;
            }
            const X* x = a.x + begin;
            bool* mask = a.mask + begin;
            for (Index k = 1; k <= order; ++k) {
                const X *before = x - k * inner, *after = x + k * inner;
                if (k == 1)
                    for (Index j = 0; j < count; ++j) mask[j] = both(x[j], before[j], after[j]);
                else
                    for (Index j = 0; j < count; ++j) mask[j] = mask[j] & both(x[j], before[j], after[j]);
            }
            begin += count;
        }
    }
    static bool both(X v, X before, X after) {
        return compare<c, compute_t<X>>(v, before) & compare<c, compute_t<X>>(v, after);
    }
#endif
};

}  // namespace gpusci
