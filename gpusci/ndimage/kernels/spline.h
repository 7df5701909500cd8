// B-spline coefficients of every line along one axis: the inverse of sampling a B-spline, a product of recursive filters
// with poles z (Unser, Aldroubi, Eden 1993; poles in _spline.py). Its impulse response is sum_i gain_i z_i^|k|, and a line
// continued by its boundary mode (mirror, reflect or periodic) has the coefficients continued alike. So a chunk of a line
// is filtered by itself: `warm` samples before and behind it, read through the boundary map, bring the recursions to
// within rounding of their state, whichever boundary it is; no initial conditions are needed, and a long line is as parallel
// as many short ones. Cost: 2 (warm + chunk) / chunk multiply-adds per pole and sample.
// A NaN reaches its own chunk and its neighbours only, as far as the warm-up reads it.
#pragma once
#include "element.h"

namespace gpusci {

struct Spline {
    int64_t n, inner;               // length along the axis; elements between neighbours along it
    int64_t mode, chunk, chunks, warm;
    double pole[2], gain[2], scale; // scale: of the recursions in cascade, the product of (1 - z)(1 - 1/z)
};

// The sum over poles of causal and anticausal recursions (partial fractions), for `Run` outputs from `first` on.
// read(k) is the sample at first + k. Independent chains share each sample, and no intermediate needs memory.
template <int Poles, int Run, class Read>
HD void spline_run(const Read& read, double* v, const Spline& g) {
    const int warm = int(g.warm);
    double s[Poles] = {};
#pragma unroll 4
    for (int k = -warm; k < 0; ++k) {
        const double x = read(k);
#pragma unroll
        for (int p = 0; p < Poles; ++p) s[p] = x + g.pole[p] * s[p];
    }
#pragma unroll
    for (int k = 0; k < Run; ++k) {
        const double x = read(k);
        v[k] = 0;
#pragma unroll
        for (int p = 0; p < Poles; ++p) {
            s[p] = x + g.pole[p] * s[p];
            v[k] += g.gain[p] * s[p];
        }
    }
#pragma unroll
    for (int p = 0; p < Poles; ++p) s[p] = 0;
#pragma unroll 4
    for (int k = Run + warm - 1; k >= Run; --k) {
        const double x = read(k);
#pragma unroll
        for (int p = 0; p < Poles; ++p) s[p] = g.pole[p] * (s[p] + x);
    }
#pragma unroll
    for (int k = Run - 1; k >= 0; --k) {
        const double x = k ? read(k) : 0.0;
#pragma unroll
        for (int p = 0; p < Poles; ++p) {
            v[k] += g.gain[p] * s[p];
            s[p] = g.pole[p] * (s[p] + x);
        }
    }
}

// Item i: one chunk of one line; neighbouring items are neighbouring columns.
template <class X, class Y, int Poles, class Index>
struct spline_chunks {
    static constexpr int run = 32;          // outputs that a GPU thread keeps in registers: its chunk
    struct Args { const X* x; Y* y; Spline line; };

    struct Item {
        Index base, first;
        HD Item(Index i, const Spline& g) {
            const Index inner = Index(g.inner), q = i / inner, outer = q / Index(g.chunks);
            base = outer * Index(g.n) * inner + (i - q * inner);
            first = (q - outer * Index(g.chunks)) * Index(g.chunk);
        }
    };
    HD static void at(Index i, const Args& a) {
        const Spline& g = a.line;
        const Item item(i, g);
        const Index n = Index(g.n), inner = Index(g.inner), stop = min_of(n, item.first + Index(g.chunk));
        for (Index first = item.first; first < stop; first += run) {
            double v[run];
            const X* x = a.x + item.base;
            if (first >= Index(g.warm) && first + Index(run + g.warm) <= n) {
                const X* at_first = x + first * inner;
                spline_run<Poles, run>([&](int k) { return double(at_first[k * inner]); }, v, g);
            } else
                spline_run<Poles, run>([&](int k) { return double(x[edge<Index>(g.mode, first + k, n) * inner]); }, v, g);
#pragma unroll
            for (int k = 0; k < run; ++k)
                if (first + k < stop) a.y[item.base + (first + k) * inner] = to_output<Y>(v[k]);
        }
    }

#if !defined(GPUSCI_CUDA)
    // Host: the recursions in cascade on sixteen chunks side by side (or a few one by one), in place in one buffer of doubles.
    static constexpr int side = 16, few = 3;
    // Where the samples of a chunk and of its surroundings lie on the line; most chunks of small images share one answer.
    struct Reach {
        Scratch<int64_t> place;
        int64_t known = -1;
        explicit Reach(const Spline& g) : place(g.chunk + 2 * g.warm) {}
        const int64_t* of(int64_t first, const Spline& g) {
            if (first != known)
                for (int64_t k = 0; k < g.chunk + 2 * g.warm; ++k) place[k] = edge<int64_t>(g.mode, first - g.warm + k, g.n) * g.inner;
            known = first;
            return place;
        }
    };
    static void range(Index begin, Index end, const Args& a) {
        Scratch<double> buffer((a.line.chunk + 2 * a.line.warm) * (end - begin > few ? side : 1));
        Reach reach(a.line);
        while (begin < end) {
            const int count = int(std::min<Index>(side, end - begin));
            if (count > few) sixteen(begin, count, buffer, reach, a);
            else
                for (int l = 0; l < count; ++l) one(begin + l, buffer, reach, a);
            begin += count;
        }
    }
    static void one(Index i, double* b, Reach& reach, const Args& a) {
        const Spline& g = a.line;
        const Item item(i, g);
        const int64_t length = g.chunk + 2 * g.warm, *place = reach.of(item.first, g);
        for (int64_t k = 0; k < length; ++k) b[k] = double(a.x[item.base + place[k]]);
        double scale = g.scale;
        for (int p = 0; p < Poles; ++p, scale = 1) {
            const double z = g.pole[p];
            double s = 0;
            for (int64_t k = 0; k < length; ++k) b[k] = s = b[k] * scale + s * z;
            s = 0;
            for (int64_t k = length - 1; k >= 0; --k) b[k] = s = (s - b[k]) * z;
        }
        for (int64_t k = 0; k < std::min<int64_t>(g.chunk, g.n - item.first); ++k)
            a.y[item.base + (item.first + k) * g.inner] = to_output<Y>(b[g.warm + k]);
    }
    static void sixteen(Index i, int count, double* b, Reach& reach, const Args& a) {
        const Spline& g = a.line;
        const int64_t length = g.chunk + 2 * g.warm, inner = g.inner;
        Index base[side], first[side];
        for (int l = 0; l < side; ++l) {
            const Item item(i + std::min(l, count - 1), g);
            base[l] = item.base, first[l] = item.first;
        }
        const bool adjacent = count == side && base[side - 1] == base[0] + side - 1 && first[side - 1] == first[0];
        if (adjacent) {
            for (int64_t k = 0; k < length; ++k) {
                const X* x = a.x + base[0] + edge<int64_t>(g.mode, first[0] - g.warm + k, g.n) * inner;
                for (int l = 0; l < side; ++l) b[k * side + l] = double(x[l]);
            }
        } else {
            for (int l = 0; l < side; ++l) {
                const X* x = a.x + base[l];
                const int64_t* place = reach.of(first[l], g);
                for (int64_t k = 0; k < length; ++k) b[k * side + l] = double(x[place[k]]);
            }
        }
        cascade(b, length, g);
        b += g.warm * side;
        if (adjacent) {
            for (int64_t k = 0; k < std::min<int64_t>(g.chunk, g.n - first[0]); ++k) {
                Y* y = a.y + base[0] + (first[0] + k) * inner;
                for (int l = 0; l < side; ++l) y[l] = to_output<Y>(b[k * side + l]);
            }
        } else {
            for (int l = 0; l < count; ++l)
                for (int64_t k = 0; k < std::min<int64_t>(g.chunk, g.n - first[l]); ++k)
                    a.y[base[l] + (first[l] + k) * inner] = to_output<Y>(b[k * side + l]);
        }
    }
    static void cascade(double* b, int64_t length, const Spline& g) {
        constexpr int L = lanes<double>;
        double scale = g.scale;
        for (int p = 0; p < Poles; ++p) {
            const double z = g.pole[p];
            vec<double> s0{}, s1{};
            for (int64_t k = 0; k < length; ++k) {
                double* at = b + k * side;
                store_vec(at, s0 = load_vec(at) * scale + s0 * z);
                store_vec(at + L, s1 = load_vec(at + L) * scale + s1 * z);
            }
            scale = 1;
            s0 = s1 = vec<double>{};
            for (int64_t k = length - 1; k >= 0; --k) {
                double* at = b + k * side;
                store_vec(at, s0 = (s0 - load_vec(at)) * z);
                store_vec(at + L, s1 = (s1 - load_vec(at + L)) * z);
            }
        }
    }
#endif
};

}  // namespace gpusci
