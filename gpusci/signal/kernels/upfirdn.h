// Polyphase resampling: output m of a line is sum_k h[p + k up] x[t - k] with p = (m down) mod up, t = (m down) div up, so
// that only the products that zero stuffing does not cancel are taken (Crochiere, Rabiner 1983, section 3.3).
#pragma once
#include <gpusci/boundary.h>
#include <gpusci/entry.h>
#include "signal/kernels/convolve.h"

namespace gpusci {

// SciPy's signal extensions; the first five are boundary modes.
enum class Extension : int { constant, symmetric, reflect, edge, wrap, smooth, line, antisymmetric, antireflect };

constexpr Mode mode_of(Extension e) {
    return e == Extension::symmetric ? Mode::reflect : e == Extension::reflect ? Mode::mirror
         : e == Extension::edge ? Mode::nearest : e == Extension::wrap ? Mode::wrap : Mode::constant;
}

// x at any position i, inside or outside [0, n).
template <Extension ext, class V, class X, class Index>
HD V extended(const X* x, Index i, Index n, V fill) {
    using T = typename real_of<V>::type;
    if (i >= 0 && i < n) return cast<V>(x[i]);
    if constexpr (ext == Extension::constant) return fill;
    else if constexpr (ext == Extension::smooth) {              // by the slope at the end
        const Index a = i < 0 ? 0 : n - 1, b = i < 0 ? min_of(Index(1), n - 1) : max_of(Index(0), n - 2);
        const T far = T(i < 0 ? -i : i - a);
        return cast<V>(x[a]) + times(cast<V>(x[a]) - cast<V>(x[b]), far);
    } else if constexpr (ext == Extension::line) {              // by the line through both ends
        const V slope = times(cast<V>(x[n - 1]) - cast<V>(x[0]), T(1) / T(n - 1));
        return i < 0 ? cast<V>(x[0]) + times(slope, T(i)) : cast<V>(x[n - 1]) + times(slope, T(i - n + 1));
    } else if constexpr (ext == Extension::antisymmetric) {     // -b -a | a b c | -c -b
        Index r = i % (2 * n);
        if (r < 0) r += 2 * n;
        return r < n ? cast<V>(x[r]) : V(0) - cast<V>(x[2 * n - 1 - r]);
    } else if constexpr (ext == Extension::antireflect) {       // turned by 180 degrees about each end
        if (n == 1) return cast<V>(x[0]);
        const Index p = n - 1;
        if (i < 0 && i >= -p) return times(cast<V>(x[0]), T(2)) - cast<V>(x[-i]);
        Index q = i / p, r = i % p;
        if (r < 0) r += p, --q;
        const V rise = cast<V>(x[p]) - cast<V>(x[0]);
        if (q % 2 == 0) return cast<V>(x[r]) + times(rise, T(q));
        return times(rise, T(q - 1)) + times(cast<V>(x[p]), T(2)) - cast<V>(x[p - r]);
    } else return cast<V>(x[boundary<mode_of(ext)>(i, n)]);
}

// X samples, H taps, Y results. Sums are taken in Y (float for half results).
template <class X, class H, class Y, Extension ext, class Index>
struct upfirdn {
    using S = typename sum_of<Y>::type;
    using XF = factor_of<S, X>;
    using HF = factor_of<S, H>;
    struct Args {
        const X* x;                       // [line][n]
        const H* h;                       // tap k (counted from the oldest sample) of phase p: h[k * h_tap + p * h_phase]
        Y* y;                             // [line][n_out], outputs first .. first + n_out
        const X* fill;                    // one value, or null for zero; Extension::constant only
        int64_t n, n_out, first, up, down, taps, h_tap, h_phase;
    };

    HD static Y output(const X* x, const H* h, Index newest, const Args& a) {
        const Index n = Index(a.n), oldest = newest - Index(a.taps) + 1;
        S sum = S(0);
        Index k = 0, end = Index(a.taps);
        if (oldest < 0 || newest >= n) {
            if (ext == Extension::constant && !a.fill) {
                k = max_of(Index(0), Index(-oldest));
                end = min_of(end, n - oldest);
            } else {
                const XF fill = a.fill ? cast<XF>(*a.fill) : XF(0);
                for (; k < end; ++k)
                    sum += widen<S>(times(extended<ext, XF>(x, oldest + k, n, fill), cast<HF>(h[k * a.h_tap])));
                return cast<Y>(sum);
            }
        }
        const X* from = x + oldest;
        const Index step = Index(a.h_tap);
#if defined(GPUSCI_CUDA)
#pragma unroll 8
#endif
        for (; k < end; ++k) sum += widen<S>(times(cast<XF>(from[k]), cast<HF>(h[k * step])));
        return cast<Y>(sum);
    }

    HD static void at(Index i, const Args& a) {
        const Index line = i / Index(a.n_out);
        const int64_t place = int64_t(i - line * Index(a.n_out)) + a.first;
        const X* x = a.x + line * Index(a.n);
        if ((a.n_out + a.first) * a.down < int64_t(1) << 31) {          // 64-bit division is most of a short filter's time
            const uint32_t t = uint32_t(place) * uint32_t(a.down), newest = t / uint32_t(a.up), phase = t - newest * uint32_t(a.up);
            a.y[i] = output(x, a.h + phase * uint32_t(a.h_phase), Index(newest), a);
        } else {
            const int64_t t = place * a.down;
            a.y[i] = output(x, a.h + t % a.up * a.h_phase, Index(t / a.up), a);
        }
    }

#ifndef GPUSCI_CUDA
    // Inside the line both factors are contiguous: eight partial sums side by side. Spelt out with vectors, since the
    // compiler otherwise keeps the order of one sum.
    static constexpr int lanes = 8;
    template <class T>
    static constexpr bool packs = !is_complex<T>::value && !same<T, half>::value && !same<T, bool>::value;

    static Y inner(const X* x, const H* h, Index taps) {
        Index k = 0;
        S sum = S(0);
        if constexpr (packs<X> && packs<H> && packs<S>) {
            typedef S pack __attribute__((vector_size(lanes * sizeof(S))));
            typedef X xpack __attribute__((vector_size(lanes * sizeof(X))));
            typedef H hpack __attribute__((vector_size(lanes * sizeof(H))));
            pack parts = {};
            for (; k + lanes <= taps; k += lanes) {
                xpack xs;
                hpack hs;
                std::memcpy(&xs, x + k, sizeof xs);
                std::memcpy(&hs, h + k, sizeof hs);
                parts += __builtin_convertvector(xs, pack) * __builtin_convertvector(hs, pack);
            }
            sum = ((parts[0] + parts[4]) + (parts[2] + parts[6])) + ((parts[1] + parts[5]) + (parts[3] + parts[7]));
        }
        for (; k < taps; ++k) sum += widen<S>(times(cast<XF>(x[k]), cast<HF>(h[k])));
        return cast<Y>(sum);
    }

    // Few taps: outputs of one phase side by side, `down` samples apart, over outputs [begin, end) of a line that see no edge.
    static constexpr int side = 64;
    template <bool Dense>
    static void short_taps(const X* x, Y* y, int64_t begin, int64_t end, const Args& a) {
        const Index down = Dense ? 1 : Index(a.down), taps = Index(a.taps);
        for (; begin < end; begin += side * a.up)
            for (int64_t p = begin; p < min_of(begin + a.up, end); ++p) {
                const int64_t t = (p + a.first) * a.down;
                const H* h = a.h + t % a.up * a.h_phase;
                const X* from = x + t / a.up - taps + 1;
                const int count = int(min_of(int64_t(side), (end - p + a.up - 1) / a.up));
                S sum[side] = {};
                for (Index k = 0; k < taps; ++k) {
                    const HF factor = cast<HF>(h[k]);
                    for (int j = 0; j < count; ++j) sum[j] += widen<S>(times(cast<XF>(from[k + j * down]), factor));
                }
                for (int j = 0; j < count; ++j) y[p + j * a.up] = cast<Y>(sum[j]);
            }
    }

    static void range(Index begin, Index end, const Args& a) {
        const Index taps = Index(a.taps);
        // Of each line, outputs [first, last) see no edge.
        const auto above = [&a](int64_t t) { return max_of((t + a.down - 1) / a.down - a.first, int64_t(0)); };
        const int64_t first = above((a.taps - 1) * a.up), last = min_of(above(a.n * a.up), a.n_out);
        while (begin < end) {
            const Index line = begin / Index(a.n_out), place = begin - line * Index(a.n_out);
            const int64_t inside = min_of(last, int64_t(place) + (end - begin));
            if (taps < 16 && a.h_tap == 1 && place >= first && place < inside) {
                const auto run = a.down == 1 ? short_taps<true> : short_taps<false>;
                run(a.x + line * Index(a.n), a.y + line * Index(a.n_out), place, inside, a);
                begin += Index(inside - place);
                continue;
            }
            Index stop = min_of(end, (line + 1) * Index(a.n_out));
            if (taps < 16 && a.h_tap == 1 && place < first && first < last)
                stop = min_of(stop, Index(begin + first - place));
            const X* x = a.x + line * Index(a.n);
            const int64_t t = (begin - line * Index(a.n_out) + a.first) * a.down;
            int64_t phase = t % a.up, newest = t / a.up;
            const int64_t step = a.down / a.up, rest = a.down % a.up;
            for (; begin < stop; ++begin) {
                const H* h = a.h + phase * a.h_phase;
                const int64_t oldest = newest - taps + 1;
                a.y[begin] = oldest >= 0 && newest < a.n && a.h_tap == 1 ? inner(x + oldest, h, taps)
                                                                         : output(x, h, Index(newest), a);
                newest += step, phase += rest;
                if (phase >= a.up) phase -= a.up, ++newest;
            }
        }
    }
#endif
};

// Lines with `edge` extended samples added on both sides.
template <class X, class Y, Extension ext, class Index>
struct extend_lines {
    struct Args { const X* x; Y* y; int64_t n, edge; };
    HD static void at(Index i, const Args& a) {
        const Index width = Index(a.n) + 2 * Index(a.edge), line = i / width;
        const Index k = i - line * width - Index(a.edge);
        const X* x = a.x + line * Index(a.n);
        a.y[i] = k >= 0 && k < Index(a.n) ? cast<Y>(x[k]) : cast<Y>(extended<ext, compute_t<Y>>(x, k, Index(a.n), compute_t<Y>(0)));
    }
#ifndef GPUSCI_CUDA
    static void range(Index begin, Index end, const Args& a) {
        const Index n = Index(a.n), edge = Index(a.edge), width = n + 2 * edge;
        while (begin < end) {
            const Index line = begin / width, k = begin - line * width;
            if (k < edge || k >= edge + n) { at(begin++, a); continue; }
            const Index count = min_of(end - begin, edge + n - k);
            const X* x = a.x + line * n + k - edge;
            for (Index j = 0; j < count; ++j) a.y[begin + j] = cast<Y>(x[j]);
            begin += count;
        }
    }
#endif
};

}  // namespace gpusci
