// Small formulas of whole arrays in one pass each.
#pragma once
#include <gpusci/accumulators.h>
#include <gpusci/entry.h>
#include <gpusci/functors.h>

namespace gpusci {

// ---- Hilbert transform
// In place, a one-sided spectrum [outer][bins][inner] turned by -90 degrees for 1 <= bin < half; zero elsewhere.
template <class C, class Index>
struct turn_spectrum {
    struct Args { C* s; int64_t bins, inner, half; };
    HD static void at(Index i, const Args& a) {
        const Index k = i / Index(a.inner) % Index(a.bins);
        const C v = a.s[i];
        a.s[i] = k > 0 && k < Index(a.half) ? C{v.im, -v.re} : C{0, 0};
    }
};

// out = x + i y along the middle axis of [outer][n][inner], where x has `given` samples there: cut, or zero after them.
template <class T, class Index>
struct join_parts {
    struct Args { const T* x; const T* y; complex<T>* out; int64_t given, n, inner; };
    HD static void at(Index i, const Args& a) {
        if (a.given == a.n) {
            a.out[i] = complex<T>{a.x[i], a.y[i]};
            return;
        }
        const Index inner = Index(a.inner), row = i / inner, k = row % Index(a.n), outer = row / Index(a.n);
        const T x = k < Index(a.given) ? a.x[(outer * Index(a.given) + k) * inner + i % inner] : T(0);
        a.out[i] = complex<T>{x, a.y[i]};
    }
};

// ---- Wiener filter
// Sums of values and of squares over boxes of `size` samples -> mean and variance, in place.
template <class Index>
struct box_moments {
    struct Args { double* mean; double* variance; double size; };
    HD static void at(Index i, const Args& a) {
        const double mean = a.mean[i] / a.size;
        a.mean[i] = mean;
        a.variance[i] = a.variance[i] / a.size - mean * mean;
    }
};

// The mean where the variance is not above the noise (both may be zero), else x shrunk towards it. noise_step: 0 for one value, 1 for one a sample.
template <class Index>
struct shrink {
    struct Args { const double* x; const double* mean; const double* variance; const double* noise; double* y; int64_t noise_step; };
    HD static void at(Index i, const Args& a) {
        const double noise = a.noise[i * Index(a.noise_step)], mean = a.mean[i], v = a.variance[i];
        const double y = (a.x[i] - mean) * (1.0 - noise / v) + mean;
        a.y[i] = v <= noise ? mean : y;
    }
};

// ---- mean along the middle axis of [outer][n][inner], subtracted. One item: up to 64 neighbouring lines. Sums in double, of 1024
// terms each at first, so that rounding does not grow with n.
template <class T, class Index>
struct remove_mean {
    static constexpr int lanes = 64, piece = 1024;
    struct Args { const T* x; T* y; int64_t n, inner, blocks; };
    HD static void at(Index item, const Args& a) {
        const int64_t first = item % Index(a.blocks) * lanes, start = item / Index(a.blocks) * a.n * a.inner + first;
        const int count = int(min_of(a.inner - first, int64_t(lanes)));
        const T* x = a.x + start;
        T* y = a.y + start;
        if (a.inner == 1) {
            const T mean = T(sum(x, a.n) / double(a.n));
            for (int64_t k = 0; k < a.n; ++k) y[k] = x[k] - mean;
            return;
        }
        double total[lanes] = {};
        for (int64_t k0 = 0; k0 < a.n; k0 += piece) {
            double part[lanes] = {};
            for (int64_t k = k0; k < min_of(k0 + piece, a.n); ++k)
                for (int j = 0; j < count; ++j) part[j] += double(x[k * a.inner + j]);
            for (int j = 0; j < count; ++j) total[j] += part[j];
        }
        T mean[lanes];
        for (int j = 0; j < count; ++j) mean[j] = T(total[j] / double(a.n));
        for (int64_t k = 0; k < a.n; ++k)
            for (int j = 0; j < count; ++j) y[k * a.inner + j] = x[k * a.inner + j] - mean[j];
    }
    HD static double sum(const T* x, int64_t n) {
        double total = 0;
        for (int64_t k0 = 0; k0 < n; k0 += piece) {
            const int64_t end = min_of(k0 + piece, n);
            double part[8] = {};
            int64_t k = k0;
            for (; k + 8 <= end; k += 8)
                for (int j = 0; j < 8; ++j) part[j] += double(x[k + j]);
            for (; k < end; ++k) part[0] += double(x[k]);
            total += ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
        }
        return total;
    }
};

// ---- periodic waves of t, NaN where share is not within [0, 1]. share_step: 0 for one value, 1 for one a sample. In the type of t
// throughout, pi and its double too: then a sample at the very end of the first part falls on SciPy's side.
template <class T> HD T turn() { return T(2 * 3.14159265358979323846); }

// Rises from -1 to 1 on the first `share` of each period, then falls.
struct sawtooth_wave {
    template <class T> HD T operator()(T phase, T share) const {
        const T pi = turn<T>() / 2;
        // A phase just below zero is rounded up to a whole turn, which belongs to the rise where that takes all of it.
        return phase < share * turn<T>() || share == 1 ? phase / (pi * share) - 1 : (pi * (share + 1) - phase) / (pi * (1 - share));
    }
};
struct square_wave {
    template <class T> HD T operator()(T phase, T share) const { return phase < share * turn<T>() ? T(1) : T(-1); }
};

template <class T, class Wave, class Index>
struct periodic_wave {
    struct Args { const T* t; const T* share; T* y; int64_t share_step; };
    HD static void at(Index i, const Args& a) {
        const T share = a.share[i * Index(a.share_step)];
        const T phase = op::remainder()(a.t[i], turn<T>());
        a.y[i] = share > 1 || share < 0 ? quiet_nan<T>() : Wave()(phase, share);
    }
};

// ---- values that a function may not have, for its error: 0 periods, 1 weights, 2 the sum of the weights
template <class Index>
struct refuse {
    struct Args { const double* x; int64_t what; ErrorCell err; };
    HD static void at(Index i, const Args& a) {
        const double x = a.x[i];
        if (a.what == 0 ? x <= 0 : a.what == 1 ? !(x >= 0) : !(x > 0)) a.err.raise(int(a.what));
    }
};

}  // namespace gpusci
