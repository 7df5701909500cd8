// Direct convolution in any number of dimensions, as a correlation with the flipped kernel:
//     y[o] = sum_u x[o - origin + u] * w[u],   samples outside x by the boundary mode.
// Exact for integers (modulo 2^bits, as NumPy). Float sums are taken 32 taps at a time, so that the error of float32
// grows with sqrt(32 + taps / 32) and not with sqrt(taps). A NaN stays within the outputs whose windows hold it.
#pragma once
#include <gpusci/boundary.h>
#include <gpusci/entry.h>

namespace gpusci {

// Where products are summed: integers in unsigned words (no undefined overflow), half in float.
template <class T> struct sum_of { using type = T; };
template <> struct sum_of<half> { using type = float; };
template <> struct sum_of<bool> { using type = uint32_t; };
template <> struct sum_of<int8_t> { using type = uint32_t; };
template <> struct sum_of<uint8_t> { using type = uint32_t; };
template <> struct sum_of<int16_t> { using type = uint32_t; };
template <> struct sum_of<uint16_t> { using type = uint32_t; };
template <> struct sum_of<int32_t> { using type = uint32_t; };
template <> struct sum_of<int64_t> { using type = uint64_t; };

template <class T> struct real_of { using type = T; };
template <class T> struct real_of<complex<T>> { using type = T; };

// A factor of a product with sums of type S: real factors of complex sums stay real.
template <class S, class T>
using factor_of = choose_t<is_complex<T>::value, S, typename real_of<S>::type>;

template <class T> HD T times(T a, T b) { return a * b; }
template <class T> HD complex<T> times(complex<T> a, T b) { return {a.re * b, a.im * b}; }
template <class T> HD complex<T> times(T a, complex<T> b) { return {a * b.re, a * b.im}; }
template <class S, class T> HD S widen(T a) {
    if constexpr (is_complex<S>::value && !is_complex<T>::value) return S(a);
    else return a;
}

constexpr int taps_a_sum = 32;

template <class X, class W, class Y, int R, Mode mode, class Index>
struct convolve_nd {
    using S = typename sum_of<Y>::type;
    using XF = factor_of<S, X>;
    using WF = factor_of<S, W>;
    struct Args {
        const X* x;
        const W* w;
        Y* y;
        const X* fill;                   // one value, or null for zero; Mode::constant only
        int64_t xs[R], ws[R], ys[R], origin[R];
    };

    HD static S product(X x, W w) { return widen<S>(times(cast<XF>(x), cast<WF>(w))); }

    // Walks the rows of w: for each, the offset of the row of x it meets, or -1 where that row is all fill.
    struct Rows {
        Index o[R], u[R];
        HD Rows(Index row, const Args& a) {
            for (int d = R - 2; d >= 0; --d) o[d] = row % Index(a.ys[d]), row /= Index(a.ys[d]), u[d] = 0;
        }
        HD Index source(const Args& a) const {
            Index off = 0;
            for (int d = 0; d < R - 1; ++d) {
                const Index i = boundary<mode>(o[d] - Index(a.origin[d]) + u[d], Index(a.xs[d]));
                if (i < 0) return Index(-1);
                off = off * Index(a.xs[d]) + i;
            }
            return off * Index(a.xs[R - 1]);
        }
        HD bool next(const Args& a) {
            for (int d = R - 2; d >= 0; --d) {
                if (++u[d] < Index(a.ws[d])) return true;
                u[d] = 0;
            }
            return false;
        }
    };

    HD static void at(Index i, const Args& a) {
        const Index width = Index(a.ys[R - 1]), n = Index(a.xs[R - 1]), m = Index(a.ws[R - 1]);
        const Index first = i % width - Index(a.origin[R - 1]);
        Rows rows(i / width, a);
        S total = S(0);
        const W* w = a.w;
        do {
            const Index row = rows.source(a);
            if (row < 0 && !a.fill) { w += m; continue; }
            for (Index v0 = 0; v0 < m; v0 += taps_a_sum) {
                const Index v1 = min_of(v0 + taps_a_sum, m);
                S part = S(0);
                for (Index v = v0; v < v1; ++v) {
                    const Index k = row < 0 ? Index(-1) : boundary<mode>(first + v, n);
                    if (k >= 0) part += product(a.x[row + k], w[v]);
                    else if (a.fill) part += product(*a.fill, w[v]);
                }
                total += part;
            }
            w += m;
        } while (rows.next(a));
        a.y[i] = cast<Y>(total);
    }

#ifndef GPUSCI_CUDA
    // A run of outputs of one row: each tap adds a scaled, shifted piece of a row of x, which vectorises.
    static constexpr int piece = 512;

    static void one_row(Index row, Index j0, Index count, const Args& a) {
        const Index n = Index(a.xs[R - 1]), m = Index(a.ws[R - 1]), shift = j0 - Index(a.origin[R - 1]);
        S total[piece], part[piece];
        std::fill(total, total + count, S(0));
        std::fill(part, part + count, S(0));
        Rows rows(row, a);
        const W* w = a.w;
        int taps = 0;
        do {
            const Index source = rows.source(a);
            if (source < 0 && !a.fill) { w += m; continue; }
            const X* x = a.x + source + shift;
            for (Index v = 0; v < m;) {
                // All of four neighbouring taps read inside x for lo <= j < hi.
                const int step = v + 4 <= m ? 4 : 1;
                Index lo = count, hi = count;
                if (step == 4 && source >= 0) {
                    lo = clamp(-shift - v, count);
                    hi = max_of(lo, clamp(n - shift - v - 3, count));
                    four_taps(part + lo, x + v + lo, w + v, hi - lo);
                }
                for (int k = 0; k < step; ++k) {
                    one_tap(part, source, shift, v + k, w[v + k], Index(0), lo, a);
                    one_tap(part, source, shift, v + k, w[v + k], hi, count, a);
                }
                v += step;
                if ((taps += step) >= taps_a_sum) {
                    taps = 0;
                    for (Index j = 0; j < count; ++j) total[j] += part[j], part[j] = S(0);
                }
            }
            w += m;
        } while (rows.next(a));
        Y* y = a.y + row * Index(a.ys[R - 1]) + j0;
        for (Index j = 0; j < count; ++j) y[j] = cast<Y>(total[j] + part[j]);
    }
    static void four_taps(S* part, const X* x, const W* w, Index count) {
        const WF w0 = cast<WF>(w[0]), w1 = cast<WF>(w[1]), w2 = cast<WF>(w[2]), w3 = cast<WF>(w[3]);
        for (Index j = 0; j < count; ++j)
            part[j] += widen<S>((times(cast<XF>(x[j]), w0) + times(cast<XF>(x[j + 1]), w1))
                                + (times(cast<XF>(x[j + 2]), w2) + times(cast<XF>(x[j + 3]), w3)));
    }
    static Index clamp(Index j, Index count) { return max_of(Index(0), min_of(j, count)); }
    // One tap for outputs [j0, j1), of which [lo, hi) read inside x.
    static void one_tap(S* part, Index source, Index shift, Index v, W w, Index j0, Index j1, const Args& a) {
        if (j0 >= j1) return;
        Index lo = j1, hi = j1;
        if (source >= 0) {
            lo = max_of(j0, min_of(j1, Index(-shift - v)));
            hi = max_of(lo, min_of(j1, Index(a.xs[R - 1]) - shift - v));
        }
        if (!is_constant(mode) || a.fill) {
            for (Index j = j0; j < lo; ++j) part[j] += product(outside(source, shift + j + v, a), w);
            for (Index j = hi; j < j1; ++j) part[j] += product(outside(source, shift + j + v, a), w);
        }
        const WF factor = cast<WF>(w);
        const X* x = a.x + source + shift + v;
        for (Index j = lo; j < hi; ++j) part[j] += widen<S>(times(cast<XF>(x[j]), factor));
    }
    static X outside(Index source, Index k, const Args& a) {
        const Index i = source < 0 ? Index(-1) : boundary<mode>(k, Index(a.xs[R - 1]));
        return i < 0 ? *a.fill : a.x[source + i];
    }

    static void range(Index begin, Index end, const Args& a) {
        const Index width = Index(a.ys[R - 1]);
        while (begin < end) {
            const Index row = begin / width, j0 = begin - row * width;
            const Index count = min_of(min_of(width - j0, end - begin), Index(piece));
            one_row(row, j0, count, a);
            begin += count;
        }
    }
#endif
};

}  // namespace gpusci
