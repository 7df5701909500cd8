// Distances one axis after the other: g holds the distance within the axes done so far (squared for the Euclidean metric),
// feature the flat index of the background element it belongs to. All elements in parallel, and bounded whatever the image:
//   background_words, distance_first   the first axis: the nearest set bit of a word, or the nearest of the words around it
//   distance_samples, distance_search  a later axis: an element takes the best of its line, looking outward until no farther
//                                      one can win and never beyond the bests of the sampled elements around it
// Why samples bound it: for q < p the measure of p less that of q never grows as x moves right (|x - q| is convex), so an element
// p that is as good as q at a sample is as good at all x right of it, and the mirrored (totally monotone: Aggarwal, Klawe, Moran,
// Shor and Wilber, "Geometric applications of a matrix-searching algorithm", Algorithmica 2, 1987). The largest of two also has
// that. For sums, those that tie with the best lie there too, so the last of them in C order is found. Samples are sampled
// alike, every 8th first. The ranges between the samples of a line add up to its length, so that of evaluations an element
// costs 32 on average, a level of samples 8 an element, and the coarsest, which looks through the line, 33.
#pragma once
#include "index.h"

namespace gpusci {

enum class Metric : int { euclidean, taxicab, chessboard };

// G: double, or int32_t where every distance measure is a whole number below DISTANCE_FAR (unit sampling), without features.
constexpr double DISTANCE_NONE = 1.7976931348623157e308;        // no background met so far
constexpr int32_t DISTANCE_FAR = 1 << 30;
template <class G> HD G distance_none() {
    if constexpr (same<G, double>::value) return DISTANCE_NONE;
    else return DISTANCE_FAR;
}
// The axis' own part at d elements.
template <Metric metric, class G, class Index>
HD G distance_part(Index d, double sampling) {
    if constexpr (same<G, double>::value) {
        const double far = sampling * double(d);
        return metric == Metric::euclidean ? far * far : far;
    } else {
        return metric == Metric::euclidean ? G(d) * G(d) : G(d);
    }
}
template <Metric metric, class G>
HD G joined_as(G g, G far) {
    if constexpr (metric == Metric::chessboard) return g < far ? far : g;
    else return g + far;
}

constexpr int WORD = 32;        // elements of a line in a word: bits are found by one instruction

// Work item: a word, bits set where the line has background; words lie as the array, their own axis in place of the line's.
// carry, if any: per word the last background of the line in it, -1 for none, and after all these the same of the mirrored
// lines. Running maxima along them then say where the nearest one before a word is, and, mirrored, after it.
template <class F, class Index>
struct background_words {
    struct Args {
        const bool* foreground;
        uint32_t* words;
        F* carry;
        int64_t length, stride, count, total;       // words of a line, and of all
    };
    HD static void at(Index i, const Args& a) {
        const Index stride = Index(a.stride), length = Index(a.length), count = Index(a.count);
        const Index row = quotient(i, stride), column = i - row * stride, line = quotient(row, count), w = row - line * count;
        const int rows = int(min_of<Index>(WORD, length - w * WORD));
        const uint32_t word = bits(a.foreground + ((line * length + w * WORD) * stride + column), stride, rows);
        a.words[i] = word;
        if (!a.carry) return;
        a.carry[i] = word ? F(w * WORD + highest(word)) : F(-1);
        const Index mirrored = (line * count + count - 1 - w) * stride + column;
        a.carry[a.total + mirrored] = word ? F(length - 1 - w * WORD - lowest(word)) : F(-1);
    }
    HD static uint32_t bits(const bool* x, Index stride, int rows) {
        uint32_t word = 0;
        if (stride == 1 && rows == WORD && reinterpret_cast<uint64_t>(x) % 8 == 0) {      // 8 elements a load
            const uint64_t* eight = reinterpret_cast<const uint64_t*>(x);
#pragma unroll
            for (int k = 0; k < 4; ++k)                     // the product gathers the lowest bits of the bytes in the highest
                word |= uint32_t((~eight[k] & 0x0101010101010101ull) * 0x0102040810204080ull >> 56) << 8 * k;
        } else if (rows == WORD) {
#pragma unroll
            for (int r = 0; r < WORD; ++r) word |= uint32_t(!x[r * stride]) << r;
        } else {
            for (int r = 0; r < rows; ++r) word |= uint32_t(!x[r * stride]) << r;
        }
        return word;
    }
};

// Work item: `rows` elements of a line within a word: one where neighbours in memory are neighbours of the line, more where
// whole rows of the array are wide, for the word and what is around it are then read once for all of them.
template <Metric metric, class G, class F, class Index>
struct distance_first {
    struct Args {
        const uint32_t* words;
        const F* carry;                     // null: look through the words of the line, which are few
        G* g;
        F* feature;                         // null: not wanted
        int64_t length, stride, count, total, rows;
        double sampling;
    };
    HD static void at(Index i, const Args& a) {
        const Index stride = Index(a.stride), length = Index(a.length), count = Index(a.count), rows = Index(a.rows);
        const Index runs = quotient(length + (rows - 1), rows), run = quotient(i, stride), column = i - run * stride;
        const Index line = quotient(run, runs);
        const Index first = (run - line * runs) * rows, w = first / WORD;
        const uint32_t word = a.words[(line * count + w) * stride + column];
        const Index before = last_before(w, line, column, a), after = last_before_mirrored(count - 1 - w, line, column, a);
        // From the first element to the nearest ones outside of the word; `length` or more where there is none.
        const Index back = before < 0 ? length : first - before, steps = min_of(rows, length - first);
        const Index forth = after < 0 ? length + (rows - 1) : length - 1 - after - first;
        for (Index k = 0; k < steps; ++k) {
            const int r = int(first + k - w * WORD);
            const uint32_t below = word << (WORD - 1 - r), above = word >> r;
            const Index left = below ? WORD - 1 - highest(below) : back + k, right = above ? lowest(above) : forth - k;
            const Index d = min_of(left, right), e = (line * length + first + k) * stride + column;
            G g = distance_none<G>();
            if (d < length) g = d == 0 ? G(0) : min_of(g, distance_part<metric, G>(d, a.sampling));
            a.g[e] = g;
            if constexpr (same<G, double>::value)           // of equally near ones the last
                if (a.feature) a.feature[e] = g == DISTANCE_NONE ? F(-1) : F(right > left ? e - left * stride : e + right * stride);
        }
    }
    // The last background before word w of a line, -1 if there is none; and the same of the mirrored line.
    HD static Index last_before(Index w, Index line, Index column, const Args& a) {
        const Index stride = Index(a.stride), start = line * Index(a.count) * stride + column;
        if (a.carry) return w > 0 ? Index(a.carry[start + (w - 1) * stride]) : Index(-1);
        for (--w; w >= 0; --w)
            if (const uint32_t word = a.words[start + w * stride]) return w * WORD + highest(word);
        return Index(-1);
    }
    HD static Index last_before_mirrored(Index w, Index line, Index column, const Args& a) {
        const Index stride = Index(a.stride), count = Index(a.count), start = line * count * stride + column;
        if (a.carry) return w > 0 ? Index(a.carry[Index(a.total) + start + (w - 1) * stride]) : Index(-1);
        for (Index real = count - w; real < count; ++real)
            if (const uint32_t word = a.words[start + real * stride]) return Index(a.length) - 1 - real * WORD - lowest(word);
        return Index(-1);
    }
};

// What a later axis' pass reads.
template <class G, class F>
struct DistanceLine {
    const G* g;
    const F* feature;                       // null: nobody asks for the background elements themselves
    int64_t length, stride;                 // of the axis
    double sampling;
    const F* samples;                       // null, or of every 2^shift-th element of a line and its last: the best, as a position
    int64_t shift;
};
HD int64_t sample_count(int64_t length, int64_t shift) { return ((length - 2) >> shift) + 2; }      // length > 1

// The best of a line for its element x. last: of equally near background elements the last in C order, not just any.
template <Metric metric, bool last, class G, class F, class Index>
struct Nearest {
    const DistanceLine<G, F>& line;
    Index base, stride, x;                  // base: of the line's first element
    G best;
    Index from;                             // position in the line

    HD Nearest(const DistanceLine<G, F>& a, Index number, Index column, Index place)
        : line(a), base(number * Index(a.length) * Index(a.stride) + column), stride(Index(a.stride)), x(place) {
        Index low = 0, high = Index(a.length) - 1;
        if (a.samples) {
            const int shift = int(a.shift);
            const Index count = Index(sample_count(a.length, a.shift)), k = x >> shift;
            const F* sample = a.samples + ((number * count + k) * stride + column);
            low = Index(sample[0]);
            high = x == k << shift ? low : Index(sample[stride]);
            if (x == Index(a.length) - 1) low = high;
        }
        search(low, high);
    }
    HD G part(Index d) const { return distance_part<metric, G>(d, line.sampling); }
    HD bool may_win(G far) const {          // an element so far away
        if constexpr (last) return best > G(0) && far <= best;
        else return far < best;
    }
    HD void take(Index q, G g, G far) {
        const G v = joined_as<metric>(g, far);
        bool better = v < best;
        if constexpr (last)
            if (v == best) better = line.feature[base + q * stride] > line.feature[base + from * stride];
        if (!better) return;
        best = v;
        from = q;
    }
    // Both sides of x in turn while near, which finds a near one at once; farther away, where it may take long, a side at a time.
    HD void search(Index low, Index high) {
        constexpr Index near = 24;
        from = x < low ? low : x > high ? high : x;
        const Index start = from < x ? x - from : from - x;
        best = line.g[base + from * stride];
        if (start) best = joined_as<metric>(best, part(start));
        const Index left = x - low, right = high - x, end = max_of(left, right), stop = min_of<Index>(end, start + near);
        Index d = start + 1;
        const G* const here = line.g + (base + x * stride);
        const G *behind = here - d * stride, *ahead = here + d * stride;
        for (; d <= stop; ++d, behind -= stride, ahead += stride) {
            const G far = part(d);
            if (!may_win(far)) return;
            if (d <= left) take(x - d, *behind, far);
            if (d <= right) take(x + d, *ahead, far);
        }
        if (d > end) return;
        side(-1, d, left);
        side(1, d, right);
    }
    HD void side(Index sign, Index d, Index end) {
        constexpr int ahead = 8;            // loads under way at once
        for (; d <= end && may_win(part(d)); d += ahead) {
            G g[ahead];
#pragma unroll
            for (int k = 0; k < ahead; ++k) g[k] = line.g[base + (x + sign * min_of<Index>(d + k, end)) * stride];
#pragma unroll
            for (int k = 0; k < ahead; ++k) {
                const Index e = min_of<Index>(d + k, end);
                take(x + sign * e, g[k], part(e));
            }
        }
    }
};

// Work item: every 2^step-th element of a line, and its last. out: what DistanceLine knows as samples.
template <Metric metric, bool last, class G, class F, class Index>
struct distance_samples {
    struct Args {
        DistanceLine<G, F> line;
        F* out;
        int64_t step;
    };
    HD static void at(Index i, const Args& a) {
        const Index stride = Index(a.line.stride), count = Index(sample_count(a.line.length, a.step));
        const Index row = quotient(i, stride), number = quotient(row, count), x = (row - number * count) << int(a.step);
        a.out[i] = F(Nearest<metric, last, G, F, Index>(a.line, number, i - row * stride, min_of(x, Index(a.line.length) - 1)).from);
    }
};

// Work item: an element.
template <Metric metric, bool last, class G, class F, class Index>
struct distance_search {
    struct Args {
        DistanceLine<G, F> line;
        G* g_out;
        F* feature_out;
    };
    HD static void at(Index i, const Args& a) {
        const Index stride = Index(a.line.stride), length = Index(a.line.length);
        const Index row = quotient(i, stride), number = quotient(row, length);
        element(i, number, i - row * stride, row - number * length, a);
    }
    static void range(Index begin, Index end, const Args& a) {         // counts along instead of dividing
        const Index stride = Index(a.line.stride), length = Index(a.line.length);
        Index column = begin % stride, x = begin / stride % length, number = begin / stride / length;
        for (Index i = begin; i < end; ++i) {
            element(i, number, column, x, a);
            if (++column < stride) continue;
            column = 0;
            if (++x < length) continue;
            x = 0;
            ++number;
        }
    }
    HD static void element(Index i, Index number, Index column, Index x, const Args& a) {
        const Nearest<metric, last, G, F, Index> found(a.line, number, column, x);
        a.g_out[i] = found.best;
        if constexpr (same<G, double>::value)
            if (a.feature_out) a.feature_out[i] = a.line.feature[found.base + found.from * found.stride];
    }
};

}  // namespace gpusci
