// Morphology with any structuring element: a list of offsets around each pixel. Binary images are bytes 0 and 1.
#pragma once
#include <gpusci/atomics.h>
#include "element.h"

namespace gpusci {

template <int D>
struct Offsets {
    int64_t shape[D];
    int64_t count;
    const int64_t* delta;               // [count][D]
    const int64_t* step;                // [count] steps of the flat index
};

// One erosion (invert = 0), or dilation as the erosion of the complement (invert = 1): y = all of x under the element.
// Where mask is 0 the pixel keeps its value. `changed` is set when some pixel did.
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
        const uint8_t before = a.x[i];
        const uint8_t value = a.mask && !a.mask[i] ? before : uint8_t(all ^ uint8_t(a.invert));
        a.y[i] = value;
        if (a.changed && value != before) *a.changed = 1;
    }
    HD static void at(Index i, const Args& a) {
        Index c[D], rest = i;
        for (int d = D - 1; d > 0; --d) {
            const Index q = rest / Index(a.element.shape[d]);
            c[d] = rest - q * Index(a.element.shape[d]);
            rest = q;
        }
        c[0] = rest;
        const uint8_t flip = uint8_t(a.invert), border = uint8_t(a.border) ^ flip;
        uint8_t all = 1;
        for (int k = 0; k < int(a.element.count) && all; ++k) {
            bool in = true;
            for (int d = 0; d < D; ++d) {
                const Index x = c[d] + Index(a.element.delta[k * D + d]);
                in = in && x >= 0 && x < Index(a.element.shape[d]);
            }
            all = in ? a.x[i + Index(a.element.step[k])] ^ flip : border;
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
            for (Index j = lo; j < hi; ++j) all[j] &= uint8_t(p[j] ^ flip);
        }
    }
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
    HD static void at(Index i, const Args& a) {
        Index c[D], rest = i;
        for (int d = D - 1; d > 0; --d) {
            const Index q = rest / Index(a.element.shape[d]);
            c[d] = rest - q * Index(a.element.shape[d]);
            rest = q;
        }
        c[0] = rest;
        double best = 0;
        for (int k = 0; k < int(a.element.count); ++k) {
            Index place = 0;
            for (int d = 0; d < D && place >= 0; ++d) {
                const Index n = Index(a.element.shape[d]), x = edge<Index>(a.mode, c[d] + Index(a.element.delta[k * D + d]), n);
                place = x < 0 ? Index(-1) : place * n + x;
            }
            const double h = Minimum ? -a.height[k] : a.height[k];
            const X x = place < 0 ? to_output<X>(a.cval) : a.x[place];
            if (k == 0) {
                best = double(x) + h;
                continue;
            }
            const double v = double(X(x + to_output<X>(h)));
            if (Minimum ? v < best : v > best) best = v;
        }
        a.y[i] = to_output<Y>(best);
    }
};

}  // namespace gpusci
