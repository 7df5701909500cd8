// Morphology with any structuring element: a list of offsets around each pixel. Binary images are bytes 0 and 1.
#pragma once
#include <gpusci/atomics.h>
#include "element.h"

#if !defined(GPUSCI_CUDA)
#include <vector>
#endif

namespace gpusci {

template <int D>
struct Offsets {
    int64_t shape[D];
    int64_t count;
    const int64_t* delta;               // [count][D]
    const int64_t* step;                // [count] steps of the flat index

    // The position of flat index i.
    template <class Index> HD void place(Index i, Index (&c)[D]) const {
        for (int d = D - 1; d > 0; --d) {
            const Index q = i / Index(shape[d]);
            c[d] = i - q * Index(shape[d]);
            i = q;
        }
        c[0] = i;
    }
};

// One erosion (invert = 0), or dilation as the erosion of the complement (invert = 1): y = all of x under the element.
// Where mask is 0 the pixel keeps its value. `changed` is set when some pixel did. Any byte but 0 in x and mask is a 1.
template <int D, class Index>
struct binary_step {
    struct Args {
        const uint8_t* x;
        uint8_t* y;
        const uint8_t* mask;            // null: everywhere
        int64_t* changed;               // null: nobody asks
        Offsets<D> element;
        int64_t border, invert;
    };
    HD static void put(Index i, uint8_t all, const Args& a) {
        const uint8_t before = a.x[i] != 0;
        const uint8_t value = a.mask && !a.mask[i] ? before : uint8_t(all ^ uint8_t(a.invert));
        a.y[i] = value;
        if (a.changed && value != before) *a.changed = 1;
    }
    HD static void at(Index i, const Args& a) {
        Index c[D];
        a.element.place(i, c);
        const uint8_t flip = uint8_t(a.invert), border = uint8_t(a.border) ^ flip;
        uint8_t all = 1;
        for (int k = 0; k < int(a.element.count) && all; ++k) {
            bool in = true;
            for (int d = 0; d < D; ++d) {
                const Index x = c[d] + Index(a.element.delta[k * D + d]);
                in = in && x >= 0 && x < Index(a.element.shape[d]);
            }
            all = in ? uint8_t(a.x[i + Index(a.element.step[k])] != 0) ^ flip : border;
        }
        put(i, all, a);
    }
    // Rows of bytes: each offset is one pass over a piece of the row, which the compiler turns into wide ANDs.
    static void range(Index begin, Index end, const Args& a) {
        constexpr Index CHUNK = 1024;
        uint8_t all[CHUNK];
        const Index length = Index(a.element.shape[D - 1]);
        while (begin < end) {
            const Index row = begin / length, x0 = begin - row * length;
            const Index n = min_of(min_of(length - x0, end - begin), CHUNK);
            piece(begin, row, x0, n, all, a);
            for (Index j = 0; j < n; ++j) put(begin + j, all[j], a);
            begin += n;
        }
    }
    static void piece(Index begin, Index row, Index x0, Index n, uint8_t* all, const Args& a) {
        const uint8_t flip = uint8_t(a.invert), border = uint8_t(a.border) ^ flip;
        const Index length = Index(a.element.shape[D - 1]);
        std::memset(all, 1, size_t(n));
        for (int k = 0; k < int(a.element.count); ++k) {
            Index rest = row;
            bool in = true;
            for (int d = D - 2; d >= 0; --d) {
                const Index size = Index(a.element.shape[d]), c = d > 0 ? rest % size : rest;
                rest /= size;
                const Index x = c + Index(a.element.delta[k * D + d]);
                in = in && x >= 0 && x < size;
            }
            const Index shift = Index(a.element.delta[k * D + D - 1]);
            const Index lo = in ? min_of(max_of(-(x0 + shift), Index(0)), n) : n;
            const Index hi = in ? max_of(min_of(length - (x0 + shift), n), lo) : n;
            const uint8_t* p = a.x + begin + Index(a.element.step[k]);
            if (!border) {
                for (Index j = 0; j < lo; ++j) all[j] = 0;
                for (Index j = hi; j < n; ++j) all[j] = 0;
            }
            for (Index j = lo; j < hi; ++j) all[j] &= uint8_t(uint8_t(p[j] != 0) ^ flip);
        }
    }
};

// Further steps after the first one (from x to y), for an element that holds its centre: then pixels change in one direction
// only, each because one that it looks at changed in the step before. Host only, one work item.
template <int D, class Index>
struct binary_flood {
    struct Args {
        const uint8_t* x;
        uint8_t* y;
        const uint8_t* mask;            // null: everywhere
        Offsets<D> element;
        int64_t n, steps;               // steps < 0: until nothing changes
    };
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index, const Args& a) {
        std::vector<Index> front, next;
        for (Index i = 0; i < Index(a.n); ++i)
            if ((a.x[i] != 0) != (a.y[i] != 0)) front.push_back(i);
        for (int64_t left = a.steps; left && !front.empty(); --left) {
            const uint8_t now = a.y[front[0]];
            next.clear();
            for (const Index i : front) spread(i, now, next, a);
            front.swap(next);
        }
    }
    static void spread(Index i, uint8_t now, std::vector<Index>& next, const Args& a) {
        Index c[D];
        a.element.place(i, c);
        for (int k = 0; k < int(a.element.count); ++k) {        // the pixels that look at i
            bool in = true;
            for (int d = 0; d < D; ++d) {
                const Index p = c[d] - Index(a.element.delta[k * D + d]);
                in = in && p >= 0 && p < Index(a.element.shape[d]);
            }
            const Index j = i - Index(a.element.step[k]);
            if (!in || a.y[j] == now || (a.mask && !a.mask[j])) continue;
            a.y[j] = now;
            next.push_back(j);
        }
    }
#endif
};

// Grey erosion (minimum of x - s) or dilation (maximum of x + s) with a structuring function, in SciPy's arithmetic: the
// first element's sum is a double, the others' are of x's type, so that integers wrap and s loses its fraction there.
template <class X, class Y, int D, bool Minimum, class Index>
struct grey_structure {
    struct Args {
        const X* x;
        Y* y;
        Offsets<D> element;
        const double* height;           // [count]
        int64_t mode;                   // a Mode
        double cval;
    };
    HD static double height(int k, const Args& a) { return Minimum ? -a.height[k] : a.height[k]; }
    HD static double value(int k, X x, double h) { return k == 0 ? double(x) + h : double(X(x + to_output<X>(h))); }
    // Where row `row` moved by element k reads from: the start of that row, or -1 for the constant.
    HD static Index source(Index row, int k, const Args& a) {
        Index place = 0, step = Index(a.element.shape[D - 1]);
        for (int d = D - 2; d >= 0 && place >= 0; --d) {
            const Index n = Index(a.element.shape[d]), c = d > 0 ? row % n : row;
            row = d > 0 ? row / n : row;
            const Index x = edge<Index>(a.mode, c + Index(a.element.delta[k * D + d]), n);
            place = x < 0 ? Index(-1) : place + x * step;
            step *= n;
        }
        return place;
    }
    HD static void at(Index i, const Args& a) {
        const Index length = Index(a.element.shape[D - 1]), row = i / length, x = i - row * length;
        double best = 0;
        for (int k = 0; k < int(a.element.count); ++k) {
            const Index from = source(row, k, a), p = edge<Index>(a.mode, x + Index(a.element.delta[k * D + D - 1]), length);
            const double v = value(k, from < 0 || p < 0 ? to_output<X>(a.cval) : a.x[from + p], height(k, a));
            if (k == 0 || (Minimum ? v < best : v > best)) best = v;
        }
        a.y[i] = to_output<Y>(best);
    }
#if !defined(GPUSCI_CUDA)
    // Pieces of rows: an element is one pass over a piece, whose inner part the compiler turns into vectors.
    static void range(Index begin, Index end, const Args& a) {
        constexpr Index CHUNK = 512;
        double best[CHUNK];
        const Index length = Index(a.element.shape[D - 1]);
        while (begin < end) {
            const Index row = begin / length, x0 = begin - row * length;
            const Index n = min_of(min_of(length - x0, end - begin), CHUNK);
            for (int k = 0; k < int(a.element.count); ++k) {
                const Index from = source(row, k, a), shift = x0 + Index(a.element.delta[k * D + D - 1]);
                const Index lo = min_of(max_of(-shift, Index(0)), n), hi = max_of(min_of(length - shift, n), lo);
                const double h = height(k, a);
                const auto take = [&](Index j, X x) {
                    const double v = value(k, x, h);
                    if (k == 0 || (Minimum ? v < best[j] : v > best[j])) best[j] = v;
                };
                const auto outside = [&](Index j) {
                    const Index p = from < 0 ? Index(-1) : edge<Index>(a.mode, shift + j, length);
                    take(j, p < 0 ? to_output<X>(a.cval) : a.x[from + p]);
                };
                const Index inner = from < 0 ? n : lo, stop = from < 0 ? n : hi;
                for (Index j = 0; j < inner; ++j) outside(j);
                inside(a.x + from + shift, best, inner, stop, k, h);
                for (Index j = stop; j < n; ++j) outside(j);
            }
            for (Index j = 0; j < n; ++j) a.y[begin + j] = to_output<Y>(best[j]);
            begin += n;
        }
    }
    static void inside(const X* x, double* best, Index begin, Index end, int k, double h) {
        if (k == 0) {
            for (Index j = begin; j < end; ++j) best[j] = double(x[j]) + h;
            return;
        }
        const X s = to_output<X>(h);
        for (Index j = begin; j < end; ++j) {
            const double v = double(X(x[j] + s));
            best[j] = (Minimum ? v < best[j] : v > best[j]) ? v : best[j];
        }
    }
#endif
};

}  // namespace gpusci
