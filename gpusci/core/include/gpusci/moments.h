// Accumulators of variance and standard deviation: one pass over the data, sums about a shift.
//
// With any K near the data, sum((x - mean)^2) = sum((x - K)^2) - sum(x - K)^2 / n. The loss in the difference is at most
// the ratio (mean - K)^2 / variance, which is at most n / m when K is the mean of m of the elements; in double that
// leaves 1e-12 at worst for 10^4 elements. K is the mean of the first tile (or the first element) that an accumulator
// meets, so it needs no other thread's data. Each tile is first reduced about its own mean in the element's type, so
// that float32 data never cancel in float32. Chan, Golub, LeVeque, Am. Stat. 37 (1983) 242.
#pragma once
#include "accumulators.h"

namespace gpusci {

// Moments of real values of type E (float or double: the arithmetic inside a tile).
template <class E> struct moments {
    double n, shift, s, q;          // s = sum(x - shift), q = sum((x - shift)^2)
    HD void add(double v) {
        shift = n == 0 ? v : shift;
        const double d = v - shift;
        n += 1;
        s += d;
        q += d * d;
    }
    // `kept` of the N values count; the others are zero in `v` and false in `keep`.
    template <int N> HD void tile(const E (&v)[N], const bool (&keep)[N], int kept) {
        const E mean = pairwise<N>(v) / E(kept);
        E d[N], e[N];
#pragma unroll
        for (int j = 0; j < N; ++j) {
            d[j] = keep[j] ? v[j] - mean : E(0);
            e[j] = d[j] * d[j];
        }
        const E rest = pairwise<N>(d);              // what rounding left in the mean
        const double count = kept, r = double(rest) / count;
        shift = n == 0 ? double(mean) : shift;
        const double m = (double(mean) - shift) + r;
        n += count;
        s += count * m;
        q += count * m * m + (double(pairwise<N>(e)) - double(rest) * r);
    }
    HD double m2() const {
        const double r = q - s * s / n;
        return r < 0 ? 0 : r;                       // rounding; NaN stays
    }
    HD void merge(const moments& b) {
        if (b.n == 0) return;
        if (n == 0) { *this = b; return; }
        const double d = b.shift - shift;           // b's sums about our shift; the shifts lie in the data, so little is lost
        q += b.q + d * (2 * b.s + b.n * d);
        s += b.s + b.n * d;
        n += b.n;
    }
};

template <class T> struct moment_type { using type = choose_t<same<compute_t<T>, float>::value, float, double>; };
template <class R> struct moment_type<complex<R>> { using type = R; };

// Skip: NaN is passed over. Root: the standard deviation.
template <class T, bool Skip, bool Root> struct var_acc_of {
    using element = compute_t<T>;
    using E = typename moment_type<T>::type;
    static constexpr int parts = is_complex<T>::value ? 2 : 1;
    moments<E> part[parts];

    HD static E component(const element& v, int p) {
        if constexpr (is_complex<T>::value) return p ? v.im : v.re;
        else return E(v);
    }
    HD void init() {
#pragma unroll
        for (int p = 0; p < parts; ++p) part[p] = {0, 0, 0, 0};
    }
    HD void add(const element& v, int64_t) {
        if (Skip && nan_in(v)) return;
#pragma unroll
        for (int p = 0; p < parts; ++p) part[p].add(double(component(v, p)));
    }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t, int64_t) {
        bool keep[N];
        int kept = N;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            keep[j] = !(Skip && nan_in(v[j]));
            kept -= !keep[j];
        }
        if (Skip && kept == 0) return;
#pragma unroll
        for (int p = 0; p < parts; ++p) {
            E w[N];
#pragma unroll
            for (int j = 0; j < N; ++j) w[j] = keep[j] ? component(v[j], p) : E(0);
            part[p].template tile<N>(w, keep, kept);
        }
    }
    HD void merge(const var_acc_of& b) {
#pragma unroll
        for (int p = 0; p < parts; ++p) part[p].merge(b.part[p]);
    }
    // Nothing left after `ddof`: NumPy divides by max(n - ddof, 0), the nan variants give NaN.
    template <class Y> HD void store(Y& y, const Finish& f, const T*) const {
        double q = part[0].n > 0 ? part[0].m2() : 0;
        if constexpr (parts == 2) q += part[1].n > 0 ? part[1].m2() : 0;
        const double left = part[0].n - f.ddof;
        double v = q / (left > 0 ? left : 0.0);
        if (Skip && !(left > 0)) v = quiet_nan<double>();
        if (part[0].n == 0) v = quiet_nan<double>();
        y = cast<Y>(Root ? root(v) : v);
    }
    HD static double root(double v) {
#if defined(GPUSCI_CUDA)
        return sqrt(v);
#else
        return std::sqrt(v);
#endif
    }
};
template <class T> struct var_acc : var_acc_of<T, false, false> {};
template <class T> struct std_acc : var_acc_of<T, false, true> {};
template <class T> struct nanvar_acc : var_acc_of<T, true, false> {};
template <class T> struct nanstd_acc : var_acc_of<T, true, true> {};

}  // namespace gpusci
