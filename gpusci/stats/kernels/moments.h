// Accumulators of central moments up to the fourth: skewness, kurtosis and moments in one pass over the data.
//
// Each tile is reduced about its own mean; tiles and partial results are merged by the pairwise formulas of Pebay, Sandia
// report SAND2008-6212 (2008), so that data far from zero do not cancel. Powers are formed in double: the fourth power of a
// float32 deviation would overflow early. `Finish::ddof` carries what a result asks for, see each `store`.
#pragma once
#include <gpusci/accumulators.h>

namespace gpusci {

struct central_moments {
    double n, mean, m2, m3, m4;     // sums of powers of deviations from the mean
    HD void merge(const central_moments& b) {
        if (b.n == 0) return;
        if (n == 0) { *this = b; return; }
        const double total = n + b.n, d = b.mean - mean, u = d / total, v = n * b.n * u * d;     // d^2 n nb / total
        const double w = n * b.m2 - b.n * m2;
        m4 += b.m4 + v * u * u * (n * n - n * b.n + b.n * b.n) + 6 * u * u * (n * n * b.m2 + b.n * b.n * m2)
            + 4 * u * (n * b.m3 - b.n * m3);
        m3 += b.m3 + v * u * (n - b.n) + 3 * u * w;
        m2 += b.m2 + v;
        mean += b.n * u;
        n = total;
    }
};

// Skip: NaN is passed over.
template <class T, bool Skip> struct central_acc {
    using element = compute_t<T>;
    central_moments c;
    HD void init() { c = central_moments{0, 0, 0, 0, 0}; }
    HD void add(const element& v, int64_t) {
        if (Skip && nan_in(v)) return;
        c.merge(central_moments{1, double(v), 0, 0, 0});
    }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t, int64_t) {
        double x[N], d[N];
        bool keep[N];
        int kept = 0;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            keep[j] = !(Skip && nan_in(v[j]));
            kept += keep[j];
            x[j] = keep[j] ? double(v[j]) : 0.0;
        }
        if (Skip && kept == 0) return;
        const double mean = pairwise<N>(x) / kept;
#pragma unroll
        for (int j = 0; j < N; ++j) d[j] = keep[j] ? x[j] - mean : 0.0;
        const double r = pairwise<N>(d) / kept;         // what rounding left in the mean
        double s2 = 0, s3 = 0, s4 = 0;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            const double e = keep[j] ? d[j] - r : 0.0, e2 = e * e;
            s2 += e2;
            s3 += e2 * e;
            s4 += e2 * e2;
        }
        c.merge(central_moments{double(kept), mean + r, s2, s3, s4});
    }
    HD void merge(const central_acc& b) { c.merge(b.c); }

    HD double variance() const { return c.m2 / c.n; }
    // Constant up to rounding of the mean: moments of higher order mean nothing.
    HD bool constant() const {
        using E = choose_t<same<T, double>::value, double, float>;
        const double eps = same<T, half>::value ? 0x1p-10 : same<E, double>::value ? 0x1p-52 : 0x1p-23, e = eps * c.mean;
        return variance() <= e * e;
    }
};
HD double root_of(double v) {
#if defined(GPUSCI_CUDA)
    return sqrt(v);
#else
    return std::sqrt(v);
#endif
}

// ddof: 1 for the biased estimate, 0 for the unbiased one.
template <class T, bool Skip> struct skew_of : central_acc<T, Skip> {
    template <class Y> HD void store(Y& y, const Finish& f, const T*) const {
        const double n = this->c.n, v = this->variance();
        double g = (this->c.m3 / n) / (v * root_of(v));
        if (f.ddof == 0 && n > 2) g *= root_of((n - 1) * n) / (n - 2);
        y = cast<Y>(this->constant() || n == 0 ? quiet_nan<double>() : g);
    }
};
// ddof: 1 for the biased estimate, plus 2 for Fisher's definition (excess over 3).
template <class T, bool Skip> struct kurtosis_of : central_acc<T, Skip> {
    template <class Y> HD void store(Y& y, const Finish& f, const T*) const {
        const double n = this->c.n, v = this->variance();
        const bool fisher = f.ddof >= 2, bias = f.ddof == 1 || f.ddof == 3;
        double k = (this->c.m4 / n) / (v * v);
        if (!bias && n > 3) k = ((n * n - 1) * k - 3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3)) + 3;
        y = cast<Y>(this->constant() || n == 0 ? quiet_nan<double>() : k - (fisher ? 3 : 0));
    }
};
// ddof: the order, 2, 3 or 4.
template <class T, bool Skip> struct moment_of : central_acc<T, Skip> {
    template <class Y> HD void store(Y& y, const Finish& f, const T*) const {
        const double sum = f.ddof == 2 ? this->c.m2 : f.ddof == 3 ? this->c.m3 : this->c.m4;
        y = cast<Y>(this->c.n == 0 ? quiet_nan<double>() : sum / this->c.n);
    }
};
template <class T> struct skew_acc : skew_of<T, false> {};
template <class T> struct nanskew_acc : skew_of<T, true> {};
template <class T> struct kurtosis_acc : kurtosis_of<T, false> {};
template <class T> struct nankurtosis_acc : kurtosis_of<T, true> {};
template <class T> struct moment_acc : moment_of<T, false> {};
template <class T> struct nanmoment_acc : moment_of<T, true> {};

}  // namespace gpusci
