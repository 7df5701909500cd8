// Constant false alarm rate thresholds over a ring of reference cells around guard cells around the cell under test (Finn,
// Johnson, RCA Review 29 (1968) 414; Rohling, IEEE Trans. AES 19 (1983) 608).
//
// Sums of the ring are sums only: nothing is added and taken away again, so a strong target among the guard cells costs no
// digits and a NaN reaches only the cells that have it in their ring.
#pragma once
#include <gpusci/entry.h>
#ifndef GPUSCI_CUDA
#include <vector>
#endif

namespace gpusci {

struct cfar_shape {
    int64_t rows, cols, guard0, guard1, ref0, ref1;      // 1-D: rows = 1, guard0 = ref0 = 0
    HD bool border(int64_t r, int64_t c) const {
        const int64_t e0 = guard0 + ref0, e1 = guard1 + ref1;
        return r < e0 || r >= rows - e0 || c < e1 || c >= cols - e1;
    }
    HD bool guarded(int64_t dr, int64_t dc) const {
        return dr >= -guard0 && dr <= guard0 && dc >= -guard1 && dc <= guard1;
    }
};

template <class X, class Index>
struct ca_cfar {
    struct Args { const X* x; X* threshold; bool* detected; cfar_shape s; double scale; };

    HD static void at(Index i, const Args& a) {
        const int64_t r = i / Index(a.s.cols), c = i - Index(r) * Index(a.s.cols);
        X sum = X(0);
        const bool inside = !a.s.border(r, c);
        if (inside) {
            const int64_t e0 = a.s.guard0 + a.s.ref0, e1 = a.s.guard1 + a.s.ref1;
            for (int64_t dr = -e0; dr <= e0; ++dr) {
                const X* row = a.x + (r + dr) * a.s.cols + c;
                X part = X(0);
                if (dr < -a.s.guard0 || dr > a.s.guard0) {
                    for (int64_t dc = -e1; dc <= e1; ++dc) part += row[dc];
                } else {
                    for (int64_t dc = -e1; dc < -a.s.guard1; ++dc) part += row[dc];
                    for (int64_t dc = a.s.guard1 + 1; dc <= e1; ++dc) part += row[dc];
                }
                sum += part;
            }
        }
        finish(i, sum * X(a.scale), inside, a);
    }
    // A border cell has no threshold, so nothing is detected there.
    HD static void finish(Index i, X level, bool inside, const Args& a) {
        a.threshold[i] = level;
        a.detected[i] = inside && a.x[i] > level;
    }

#ifndef GPUSCI_CUDA
    // A piece of a row: column sums over the ring's rows, then sums along the row; both loops vectorise.
    static constexpr Index piece = 1024;
    static void range(Index begin, Index end, const Args& a) {
        const Index cols = Index(a.s.cols), e1 = Index(a.s.guard1 + a.s.ref1);
        std::vector<X> outer(piece + 2 * e1), middle(piece + 2 * e1), sum(piece);
        while (begin < end) {
            const Index r = begin / cols, c = begin - r * cols, count = min_of(min_of(cols - c, end - begin), piece);
            const Index lo = max_of(c, e1), hi = min_of(c + count, cols - e1);
            const bool whole_border = a.s.border(r, e1) || lo >= hi;
            if (whole_border)
                for (Index j = 0; j < count; ++j) finish(begin + j, X(0), false, a);
            else {
                for (Index j = c; j < lo; ++j) finish(begin + j - c, X(0), false, a);
                for (Index j = hi; j < c + count; ++j) finish(begin + j - c, X(0), false, a);
                columns(r, lo - e1, hi - lo + 2 * e1, outer.data(), middle.data(), a);
                along(hi - lo, outer.data(), middle.data(), sum.data(), a);
                for (Index j = 0; j < hi - lo; ++j) finish(begin + lo - c + j, sum[j] * X(a.scale), true, a);
            }
            begin += count;
        }
    }
    static void columns(Index r, Index first, Index n, X* outer, X* middle, const Args& a) {
        std::fill(outer, outer + n, X(0));
        std::fill(middle, middle + n, X(0));
        const int64_t e0 = a.s.guard0 + a.s.ref0;
        for (int64_t dr = -e0; dr <= e0; ++dr) {
            const X* x = a.x + (r + dr) * a.s.cols + first;
            X* to = dr < -a.s.guard0 || dr > a.s.guard0 ? outer : middle;
            for (Index j = 0; j < n; ++j) to[j] += x[j];
        }
    }
    static void along(Index n, const X* outer, const X* middle, X* sum, const Args& a) {
        std::fill(sum, sum + n, X(0));
        const Index ref = Index(a.s.ref1), width = 2 * Index(a.s.guard1 + a.s.ref1) + 1;
        if (a.s.ref0 > 0)
            for (Index k = 0; k < width; ++k)
                for (Index j = 0; j < n; ++j) sum[j] += outer[j + k];
        for (Index k = 0; k < ref; ++k)
            for (Index j = 0; j < n; ++j) sum[j] += middle[j + k] + middle[j + width - 1 - k];
    }
#endif
};

// The rank-th smallest of the ring's cells (0 the least), times scale. The value is found by halving the range of its bit
// pattern, ordered as the numbers: as many passes over the ring as the type has bits, and no memory.
template <class X, class Index>
struct os_cfar {
    using Bits = choose_t<sizeof(X) == 4, uint32_t, uint64_t>;
    struct Args { const X* x; X* threshold; bool* detected; cfar_shape s; double scale; int64_t rank; };

    static constexpr Bits sign = Bits(1) << (8 * sizeof(X) - 1);
    HD static Bits ordered(X v) {
        union { X x; Bits b; } u;
        u.x = v == v ? v : X(1) / X(0);            // NaN: larger than all
        return u.b & sign ? ~u.b : u.b | sign;
    }
    HD static X value(Bits b) {
        union { X x; Bits b; } u;
        u.b = b & sign ? b & ~sign : ~b;
        return u.x;
    }
    HD static int64_t count_below(int64_t r, int64_t c, Bits limit, const Args& a) {
        const int64_t e0 = a.s.guard0 + a.s.ref0, e1 = a.s.guard1 + a.s.ref1;
        int64_t count = 0;
        for (int64_t dr = -e0; dr <= e0; ++dr)
            for (int64_t dc = -e1; dc <= e1; ++dc)
                if (!a.s.guarded(dr, dc)) count += ordered(a.x[(r + dr) * a.s.cols + c + dc]) < limit;
        return count;
    }
    HD static void at(Index i, const Args& a) {
        const int64_t r = i / Index(a.s.cols), c = i - Index(r) * Index(a.s.cols);
        X level = X(0);
        const bool inside = !a.s.border(r, c);
        if (inside) {
            Bits found = 0;                        // the largest pattern with at most `rank` cells below it
            for (Bits bit = sign; bit; bit >>= 1)
                if (count_below(r, c, found | bit, a) <= a.rank) found |= bit;
            level = value(found) * X(a.scale);
        }
        a.threshold[i] = level;
        a.detected[i] = inside && a.x[i] > level;
    }
};

}  // namespace gpusci
