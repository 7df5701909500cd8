// Searching sorted tables: searchsorted, interp; and counting into bins: bincount, histogram.
#pragma once
#include "atomics.h"
#include "entry.h"

namespace gpusci {

// ---- NumPy's sorting order: NaN last; complex by real, then imaginary part, numbers before those with a NaN
template <class T> HD int nan_class(const T& v) {
    if constexpr (is_complex<T>::value) return 2 * (v.re != v.re) + (v.im != v.im);
    else if constexpr (is_float<T>::value) return compute_t<T>(v) != compute_t<T>(v);
    else return 0;
}
template <class T> HD bool sorts_before(const T& a, const T& b) {
    const int p = nan_class(a), q = nan_class(b);
    if (p != q) return p < q;
    if constexpr (is_complex<T>::value) {
        if (p < 2 && a.re != b.re) return a.re < b.re;
        return p % 2 == 0 && a.im < b.im;
    } else return compute_t<T>(a) < compute_t<T>(b);
}

// Elements of the sorted table before v: those less than it, or (Right) not greater.
template <bool Right, class T> HD int64_t place_in(const T* table, int64_t n, const T& v) {
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        const bool before = Right ? !sorts_before(v, table[mid]) : sorts_before(table[mid], v);
        if (before) low = mid + 1;
        else high = mid;
    }
    return low;
}

template <class T, bool Right, class Index>
struct search_sorted {
    struct Args { const T* table; const T* v; int64_t* y; int64_t n; };
    HD static void at(Index i, const Args& a) { a.y[i] = place_in<Right>(a.table, a.n, a.v[i]); }
};

// Linear interpolation in (xp, fp), xp rising; left and right of the table the given values. T: float64 or complex128.
template <class T, class Index>
struct interpolate {
    struct Args {
        const double* x;
        const double* xp;
        const T* fp;
        const T* ends;          // left, right
        T* y;
        int64_t n;
    };
    HD static double between(double x, double x0, double x1, double f0, double f1) {
        const double slope = (f1 - f0) / (x1 - x0);
        double y = slope * (x - x0) + f0;
        if (y != y) {                               // an infinity at one end: try from the other
            y = slope * (x - x1) + f1;
            if (y != y && f0 == f1) y = f0;
        }
        return y;
    }
    HD static void at(Index i, const Args& a) {
        const double x = a.x[i];
        if (x != x) {
            if constexpr (is_complex<T>::value) a.y[i] = T(x, 0);
            else a.y[i] = x;
        } else if (x < a.xp[0]) a.y[i] = a.ends[0];
        else if (x > a.xp[a.n - 1]) a.y[i] = a.ends[1];
        else {
            const int64_t j = place_in<true>(a.xp, a.n, x) - 1;
            if (j >= a.n - 1 || a.xp[j] == x) {
                a.y[i] = a.fp[j];
                return;
            }
            const double x0 = a.xp[j], x1 = a.xp[j + 1];
            if constexpr (is_complex<T>::value)
                a.y[i] = T(between(x, x0, x1, a.fp[j].re, a.fp[j + 1].re), between(x, x0, x1, a.fp[j].im, a.fp[j + 1].im));
            else a.y[i] = between(x, x0, x1, a.fp[j], a.fp[j + 1]);
        }
    }
};

// ---- bins: the number of the bin, or -1
struct own_bin {                    // bincount: the value is the bin; negative ones are the caller's to refuse
    template <class X, class E> HD static int64_t of(const X& x, const E*, int64_t n, double, double) {
        const int64_t b = int64_t(x);
        return b < n ? b : -1;
    }
};
// Equal bins between first and last; a value at an edge belongs to the bin that begins there, as compared, not as computed.
struct equal_bin {
    template <class X, class E> HD static int64_t of(const X& value, const E* edges, int64_t n, double first, double last) {
        const double x = double(cast<compute_t<X>>(value));
        if (!(x >= first && x <= last)) return -1;
        int64_t b = int64_t((x - first) / (last - first) * double(n));
        if (b >= n) b = n - 1;
        if (x < double(edges[b])) --b;
        else if (b < n - 1 && x >= double(edges[b + 1])) ++b;
        return b;
    }
};
// Any rising edges; the last bin holds its upper edge too.
struct edge_bin {
    template <class X, class E> HD static int64_t of(const X& value, const E* edges, int64_t n, double, double) {
        const E x = cast<E>(value);
        if (nan_class(x) || sorts_before(x, edges[0]) || sorts_before(edges[n], x)) return -1;
        const int64_t b = place_in<true>(edges, n + 1, x) - 1;
        return b < n ? b : n - 1;
    }
};

template <class Bin, class X, class E>
struct bin_args {
    const X* x;
    const E* edges;
    int64_t* y;
    int64_t size, bins, chunk;          // chunk: elements of a block
    double first, last;
};
template <class Bin, class X, class E, class Index>
struct count_bins {
    using Args = bin_args<Bin, X, E>;
    HD static void at(Index i, const Args& a) {
        const int64_t b = Bin::of(a.x[i], a.edges, a.bins, a.first, a.last);
        if (b >= 0) atomic_add(a.y + b, 1);
    }
};
template <class Bin, class X, class E, class Index>
struct which_bin {
    using Args = bin_args<Bin, X, E>;
    HD static void at(Index i, const Args& a) { a.y[i] = Bin::of(a.x[i], a.edges, a.bins, a.first, a.last); }
};

#if defined(GPUSCI_CUDA)
// Few bins: counted in shared memory first.
template <class Bin, class X, class E, class Index>
struct count_bins_block {
    static constexpr int threads = 256;
    static constexpr int most = 8192;           // bins; SHARED_BINS in histograms.py
    using Args = bin_args<Bin, X, E>;
    __device__ static void block(Index b, const Args& a) {
        __shared__ uint32_t count[most];
        const int bins = int(a.bins);
        for (int k = threadIdx.x; k < bins; k += threads) count[k] = 0;
        __syncthreads();
        const Index begin = b * Index(a.chunk), end = min_of(begin + Index(a.chunk), Index(a.size));
        constexpr int U = 4;
        for (Index i = begin + Index(threadIdx.x); i < end; i += U * threads) {
            X x[U];
#pragma unroll
            for (int u = 0; u < U; ++u)
                if (i + u * threads < end) x[u] = a.x[i + u * threads];
#pragma unroll
            for (int u = 0; u < U; ++u) {
                if (i + u * threads >= end) continue;
                const int64_t k = Bin::of(x[u], a.edges, a.bins, a.first, a.last);
                if (k >= 0) atomicAdd(&count[k], 1u);
            }
        }
        __syncthreads();
        for (int k = threadIdx.x; k < bins; k += threads)
            if (count[k]) atomic_add(a.y + k, int64_t(count[k]));
    }
};
#endif

}  // namespace gpusci
