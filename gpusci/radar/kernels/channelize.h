// Polyphase filter bank and higher-order (Volterra) convolution.
#pragma once
#include "signal/kernels/convolve.h"

namespace gpusci {

// out[i][m] = sum_t x[(i - t) C + C - 1 - m] h[t C + m], the filtered commutator outputs of C channels.
template <class X, class H, class Y, class Index>
struct channelize {
    struct Args { const X* x; const H* h; Y* out; int64_t channels, taps; };
    HD static void at(Index k, const Args& a) {
        const Index channels = Index(a.channels), i = k / channels, m = k - i * channels;
        const Index taps = min_of(Index(a.taps), i + 1);
        const X* x = a.x + (i + 1) * channels - 1 - m;
        const H* h = a.h + m;
        Y sum = Y(0);
        for (Index t = 0; t < taps; ++t) sum += widen<Y>(times(x[-t * channels], h[t * channels]));
        a.out[k] = sum;
    }
};

// y[i] = sum over j1 .. jR of w[j1, .., jR] x[i + n1 - 1 - j1] ... x[i + nR - 1 - jR].
template <class T, int R, class Index>
struct volterra {
    using S = typename sum_of<T>::type;
    struct Args { const T* x; const T* w; T* y; int64_t n[R]; };
    HD static S inner(const T* x, const T*& w, int depth, const Args& a) {
        S sum = S(0);
        for (int64_t j = 0; j < a.n[depth]; ++j) {
            const S v = cast<S>(x[a.n[depth] - 1 - j]);
            if (depth == R - 1) sum += v * cast<S>(*w++);
            else sum += v * inner(x, w, depth + 1, a);
        }
        return sum;
    }
    HD static void at(Index i, const Args& a) {
        const T* w = a.w;
        a.y[i] = cast<T>(inner(a.x + i, w, 0, a));
    }
};

// y = x exp(-2 pi i (step mod 1) k) for sample k of each line; the phase is reduced before it is multiplied by 2 pi.
template <class X, class Y, class Index>
struct shift_frequency {
    struct Args { const X* x; Y* y; int64_t n; double step; };
    HD static void at(Index i, const Args& a) {
        const Index k = i % Index(a.n);
#if defined(GPUSCI_CUDA)
        double s, c;
        const double turns = fma(a.step, double(k), -floor(a.step * double(k)));
        sincospi(-2.0 * turns, &s, &c);
#else
        const double turns = std::fma(a.step, double(k), -std::floor(a.step * double(k)));
        const double s = std::sin(-6.283185307179586 * turns), c = std::cos(-6.283185307179586 * turns);
#endif
        using R = typename real_of<Y>::type;
        a.y[i] = widen<Y>(times(cast<factor_of<Y, X>>(a.x[i]), Y(R(c), R(s))));
    }
};

}  // namespace gpusci
