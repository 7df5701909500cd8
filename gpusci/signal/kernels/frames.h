// Short-time segments: cut, extended at the ends, detrended, weighted, padded to the transform's length in one pass; and the
// way back by overlap-add. Sums behind the trends are taken in double.
#pragma once
#include "signal/kernels/upfirdn.h"

namespace gpusci {

enum class Trend : int { none, constant, linear };

template <class X, class Y, class W, Extension ext, Trend trend, class Index>
struct cut_frames {
    using Real = typename real_of<Y>::type;
    using V = factor_of<Y, X>;                        // a sample in the result's precision
    using D = choose_t<is_complex<X>::value, complex<double>, double>;
    struct Args {
        const X* x;                                   // [line][n]
        const W* window;                              // [width]
        Y* y;                                         // [line][frame][length], zeros from width on
        int64_t n, frames, hop, width, length;
        int64_t offset;                               // first sample of frame 0
        int64_t margin;                               // samples extended on each side; zeros beyond
        int64_t roll;                                 // sample k goes to place k - roll, round the end
    };
    HD static Index place(Index k, const Args& a) { return k < Index(a.roll) ? k - Index(a.roll) + Index(a.length) : k - Index(a.roll); }

    HD static V sample(const X* x, Index i, const Args& a) {
        const Index n = Index(a.n), margin = Index(a.margin);
        if (i >= 0 && i < n) return cast<V>(x[i]);
        return i >= -margin && i < n + margin ? extended<ext, V>(x, i, n, V(0)) : V(0);
    }
    HD static D center(double k, const Args& a) { return D(k - 0.5 * double(a.width - 1)); }

    // Mean and slope of samples [first, first + width) about their middle.
    struct Fit {
        D sum = D(0), moment = D(0);
        HD void add(V v, double k, const Args& a) {
            const D d = cast<D>(v);
            sum = sum + d;
            if (trend == Trend::linear) moment = moment + d * center(k, a);
        }
        HD void finish(const Args& a) {
            const double n = double(a.width);
            sum = sum * D(1.0 / n);
            moment = a.width > 1 ? moment * D(12.0 / (n * (n * n - 1.0))) : D(0);
        }
        HD V rest(V v, Index k, const Args& a) const {
            if (trend == Trend::none) return v;
            if (trend == Trend::constant) return cast<V>(cast<D>(v) - sum);
            return cast<V>(cast<D>(v) - (sum + moment * center(double(k), a)));
        }
    };

    // Item: one frame.
    HD static void at(Index item, const Args& a) {
        const X* x = a.x + item / Index(a.frames) * Index(a.n);
        const Index first = item % Index(a.frames) * Index(a.hop) + Index(a.offset), width = Index(a.width);
        Y* y = a.y + item * Index(a.length);
        Fit fit;
        const bool inside = first >= 0 && first + width <= Index(a.n);
        if (trend != Trend::none) {
            for (Index k = 0; k < width; ++k) fit.add(inside ? cast<V>(x[first + k]) : sample(x, first + k, a), double(k), a);
            fit.finish(a);
        }
        if (inside && a.roll == 0)
            for (Index k = 0; k < width; ++k) y[k] = weighted(fit.rest(cast<V>(x[first + k]), k, a), a.window[k]);
        else
            for (Index k = 0; k < width; ++k) y[place(k, a)] = weighted(fit.rest(sample(x, first + k, a), k, a), a.window[k]);
        for (Index k = width; k < Index(a.length); ++k) y[place(k, a)] = Y(0);
    }
    HD static Y weighted(V v, W w) { return widen<Y>(times(v, cast<factor_of<Y, W>>(w))); }
};

// y[t] = sum over the frames that hold t of frame * window, over the sum of window^2 where that exceeds 1e-10.
template <class X, class Y, class W, class Index>
struct overlap_add {
    struct Args {
        const X* x;                                   // [line][frame][length]; sample k of a frame at k - roll, round the end
        const W* window;
        Y* y;                                         // [line][n]
        int64_t n, frames, hop, width, length, offset;   // offset: place in the overlapped signal of y[0]
        int64_t roll, normalize;
        double scale;
    };
    using V = factor_of<Y, X>;
    using R = typename real_of<Y>::type;
    using F = factor_of<Y, W>;
    HD static void at(Index i, const Args& a) {
        const Index line = i / Index(a.n), t = i - line * Index(a.n) + Index(a.offset);
        const Index hop = Index(a.hop), width = Index(a.width);
        const Index last = min_of(Index(a.frames) - 1, t / hop), first = t < width ? 0 : (t - width) / hop + 1;
        const X* x = a.x + line * Index(a.frames) * Index(a.length);
        Y sum = Y(0);
        R norm = R(0);
        for (Index f = first; f <= last; ++f) {
            const Index k = t - f * hop;
            const W w = a.window[k];
            const Index place = k < Index(a.roll) ? k - Index(a.roll) + Index(a.length) : k - Index(a.roll);
            sum += widen<Y>(times(cast<V>(x[f * Index(a.length) + place]), cast<F>(w)));
            norm += square(w);
        }
        if (!a.normalize || !(norm > R(1e-10))) norm = R(1);
        a.y[i] = times(sum, R(R(a.scale) / norm));
    }
#ifndef GPUSCI_CUDA
    static void range(Index begin, Index end, const Args& a) {     // frame by frame over a piece: both factors contiguous
        constexpr Index piece = 1024;
        Y sum[piece];
        R norm[piece];
        while (begin < end) {
            const Index line = begin / Index(a.n), j = begin - line * Index(a.n), t = j + Index(a.offset);
            const Index count = min_of(min_of(Index(a.n) - j, end - begin), piece), hop = Index(a.hop), width = Index(a.width);
            std::fill(sum, sum + count, Y(0));
            std::fill(norm, norm + count, R(0));
            const X* x = a.x + line * Index(a.frames) * Index(a.length);
            for (Index f = t < width ? 0 : (t - width) / hop + 1; f < Index(a.frames) && f * hop < t + count; ++f) {
                const Index k0 = max_of(Index(0), t - f * hop), k1 = min_of(width, t + count - f * hop);
                const Index turn = max_of(k0, min_of(k1, Index(a.roll))), to = f * hop - t;
                const X* frame = x + f * Index(a.length) - Index(a.roll);
                add_run(frame + a.length, a.window, sum + to, norm + to, k0, turn);
                add_run(frame, a.window, sum + to, norm + to, turn, k1);
            }
            for (Index k = 0; k < count; ++k) {
                const R below = a.normalize && norm[k] > R(1e-10) ? norm[k] : R(1);
                a.y[begin + k] = times(sum[k], R(R(a.scale) / below));
            }
            begin += count;
        }
    }
    static void add_run(const X* x, const W* w, Y* sum, R* norm, Index k0, Index k1) {
        for (Index k = k0; k < k1; ++k) {
            sum[k] += widen<Y>(times(cast<V>(x[k]), cast<F>(w[k])));
            norm[k] += square(w[k]);
        }
    }
#endif
    template <class T> HD static T square(T w) { return w * w; }
    template <class T> HD static T square(complex<T> w) { return w.re * w.re - w.im * w.im; }
};

// ---- spectra
// conj(X) Y, or |X|^2 where Cross is false; doubled where the negative frequencies are folded in.
template <class X, bool Cross>
struct cross_spectrum {
    using R = typename real_of<X>::type;
    using P = choose_t<Cross, X, R>;
    HD static P call(X x, X y) {
        if constexpr (Cross) return conj(x) * y;
        else return x.re * x.re + x.im * x.im;
    }
};

template <class X, bool Cross, class Index>
struct spectral_power {
    using Pair = cross_spectrum<X, Cross>;
    struct Args {
        const X* x; const X* y; typename Pair::P* out;      // [frame][bins]
        int64_t bins, fold_begin, fold_end;                 // bins [fold_begin, fold_end) count twice
        double scale;
    };
    HD static void at(Index i, const Args& a) {
        const Index f = i % Index(a.bins);
        const typename Pair::R scale = typename Pair::R(a.scale) * (f >= a.fold_begin && f < a.fold_end ? 2 : 1);
        a.out[i] = times(Pair::call(a.x[i], Cross ? a.y[i] : a.x[i]), scale);
    }
};

// Sums over frames, in double: out[line][part][bin] = sum of the part's frames. Item: (line, part, bin).
template <class X, bool Cross, class Index>
struct sum_power {
    using Pair = cross_spectrum<X, Cross>;
    using D = choose_t<Cross, complex<double>, double>;
    struct Args {
        const X* x; const X* y; D* out;
        int64_t frames, bins, part, parts;                  // part: frames a part
    };
    HD static Index base(Index group, const Args& a) {
        return (group / Index(a.parts) * Index(a.frames) + group % Index(a.parts) * Index(a.part)) * Index(a.bins);
    }
    HD static Index count(Index group, const Args& a) {
        return min_of(Index(a.part), Index(a.frames) - group % Index(a.parts) * Index(a.part));
    }
    HD static void at(Index i, const Args& a) {
        const Index group = i / Index(a.bins), f = i - group * Index(a.bins), n = count(group, a);
        Index at = base(group, a) + f;
        D sum = D(0);
        for (Index k = 0; k < n; ++k, at += Index(a.bins)) sum = sum + cast<D>(Pair::call(a.x[at], Cross ? a.y[at] : a.x[at]));
        a.out[i] = sum;
    }
#ifndef GPUSCI_CUDA
    static void range(Index begin, Index end, const Args& a) {     // frame by frame: memory in order
        while (begin < end) {
            const Index group = begin / Index(a.bins), f0 = begin - group * Index(a.bins);
            const Index width = min_of(Index(a.bins) - f0, end - begin), n = count(group, a);
            D* out = a.out + begin;
            std::fill(out, out + width, D(0));
            const X* x = a.x + base(group, a) + f0;
            const X* y = Cross ? a.y + base(group, a) + f0 : x;
            for (Index k = 0; k < n; ++k, x += a.bins, y += a.bins)
                for (Index f = 0; f < width; ++f) out[f] = out[f] + cast<D>(Pair::call(x[f], y[f]));
            begin += width;
        }
    }
#endif
};

// out[line][group][bin] = scale * sum over the group's parts, doubled where folded.
template <class P, class D, class Index>
struct mean_power {
    struct Args { const D* sums; P* out; int64_t parts, group, groups, bins, fold_begin, fold_end; double scale; };
    HD static void at(Index i, const Args& a) {
        const Index row = i / Index(a.bins), f = i - row * Index(a.bins), line = row / Index(a.groups);
        const Index first = (row - line * Index(a.groups)) * Index(a.group);
        const Index end = min_of(first + Index(a.group), Index(a.parts));
        D sum = D(0);
        for (Index k = first; k < end; ++k) sum = sum + a.sums[(line * Index(a.parts) + k) * Index(a.bins) + f];
        a.out[i] = cast<P>(times(sum, a.scale * (f >= a.fold_begin && f < a.fold_end ? 2.0 : 1.0)));
    }
};

}  // namespace gpusci
