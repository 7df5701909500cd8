// Accumulators: what a reduction carries along. Written once, used by the portable and the block kernels alike.
//
// An accumulator `Acc<T>` (T: the dtype NumPy would compute in) has
//     element            what a value is converted to before it is added (half -> float, the rest as it is)
//     init()             the empty state
//     add(v, index)      one more element; indexes grow within one accumulator
//     tile<N, G>(v, base, step)   N elements at once; element j has index base + j / G * step + j % G
//     merge(b)           the elements of b come in; any order of merges gives a correct result
//     store(y, finish, initial)   the result
// and is a multiple of 8 bytes, so that partial results travel through memory.
//
// Accuracy. Tiles are summed pairwise in the element's own type (N <= 16, so at most 4 roundings deep), then added to a
// double; doubles are added with Neumaier's compensation (ZAMM 54 (1974) 39). So float32 sums carry a few ulp
// whatever the length. Variances are sums about a shift taken from the data (Chan, Golub, LeVeque, Am. Stat. 37
// (1983) 242), with each tile reduced about its own mean, so that float32 tiles never cancel.
#pragma once
#include "entry.h"

namespace gpusci {

struct Finish {
    double count;      // elements reduced per output, by the shapes
    double ddof;
};

template <class T> struct real_of { using type = T; };
template <class T> struct real_of<complex<T>> { using type = T; };
template <class T> using real_t = typename real_of<T>::type;

template <class T> HD bool nan_in(const T& v) {
    if constexpr (is_complex<T>::value) return v.re != v.re || v.im != v.im;
    else if constexpr (is_float<T>::value) return v != v;
    else return false;
}

// Limits without <limits>, which NVRTC lacks. `top` is above every value, `bottom` below.
template <class T> HD T top() {
    if constexpr (is_complex<T>::value) return T(top<real_t<T>>(), top<real_t<T>>());
    else if constexpr (same<T, float>::value) return float(1e308 * 10);
    else if constexpr (same<T, double>::value) return 1e308 * 10;
    else if constexpr (same<T, bool>::value) return true;
    else if constexpr (T(-1) > T(0)) return T(-1);
    else return T((uint64_t(1) << (8 * sizeof(T) - 1)) - 1);
}
template <class T> HD T bottom() {
    if constexpr (is_complex<T>::value) return T(bottom<real_t<T>>(), bottom<real_t<T>>());
    else if constexpr (is_float<T>::value) return -top<T>();
    else if constexpr (same<T, bool>::value || (T(-1) > T(0))) return T(0);
    else return T(-top<T>() - 1);
}
template <class T> HD T quiet_nan() {
    if constexpr (is_complex<T>::value) return T(quiet_nan<real_t<T>>(), real_t<T>(0));
    else return top<T>() - top<T>();
}

// ---- sums

// double with Neumaier's compensation; other scalars plain. `get` drops the compensation once the sum is not finite.
template <class A> struct wide_sum {
    A s;
    HD void init() { s = A(0); }
    HD void add(A v) { s += v; }
    HD void merge(const wide_sum& b) { s += b.s; }
    HD A get() const { return s; }
};
template <> struct wide_sum<double> {
    double s, c;
    HD void init() { s = 0; c = 0; }
    HD void add(double v) {
        const double t = s + v;
        const double big = s < 0 ? -s : s, small = v < 0 ? -v : v;
        c += big >= small ? (s - t) + v : (v - t) + s;
        s = t;
    }
    HD void merge(const wide_sum& b) { add(b.s); c += b.c; }
    HD double get() const {
        const double r = s + c;
        return s - s == 0 && r == r ? r : s;
    }
};
// float elements: a plain double is 29 bits wider than what comes in.
struct float_sum {
    double s;
    HD void init() { s = 0; }
    HD void add(float v) { s += double(v); }
    HD void merge(const float_sum& b) { s += b.s; }
    HD double get() const { return s; }
};
template <class E> struct complex_sum {
    choose_t<same<E, float>::value, float_sum, wide_sum<double>> re, im;
    HD void init() { re.init(); im.init(); }
    HD void add(const complex<E>& v) { re.add(v.re); im.add(v.im); }
    HD void merge(const complex_sum& b) { re.merge(b.re); im.merge(b.im); }
    HD complex<double> get() const { return {re.get(), im.get()}; }
};
template <class E> struct sum_of {
    using type = choose_t<same<E, float>::value, float_sum, wide_sum<choose_t<same<E, double>::value, double, int64_t>>>;
};
template <class E> struct sum_of<complex<E>> { using type = complex_sum<E>; };
template <> struct sum_of<uint64_t> { using type = wide_sum<uint64_t>; };

template <class E> HD E plus_of(const E& a, const E& b) {
    if constexpr (is_float<E>::value || is_complex<E>::value) return a + b;
    else return E(int64_t(uint64_t(a) + uint64_t(b)));     // wraps, as NumPy's
}

// Pairwise sum of N values that came in index order.
template <int N, class E> HD E pairwise(const E* v) {
    if constexpr (N == 1) return v[0];
    else return plus_of(pairwise<N / 2>(v), pairwise<N - N / 2>(v + N / 2));
}

// Integers are widened before they are added, so that a tile of small ones cannot overflow.
template <class E> using tile_t = choose_t<is_float<E>::value || is_complex<E>::value, E,
                                           choose_t<same<E, uint64_t>::value, uint64_t, int64_t>>;

template <class T> struct sum_acc {
    using element = compute_t<T>;
    typename sum_of<element>::type sum;
    HD void init() { sum.init(); }
    HD void add(const element& v, int64_t) { sum.add(tile_t<element>(v)); }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t, int64_t) {
        tile_t<element> w[N];
#pragma unroll
        for (int j = 0; j < N; ++j) w[j] = tile_t<element>(v[j]);
        sum.add(pairwise<N>(w));
    }
    HD void merge(const sum_acc& b) { sum.merge(b.sum); }
    template <class Y> HD void store(Y& y, const Finish&, const T* initial) const {
        sum_acc t = *this;
        if (initial) t.add(element(*initial), 0);
        y = cast<Y>(t.sum.get());
    }
};

// NaN counts as zero.
template <class T> struct nansum_acc : sum_acc<T> {
    using element = compute_t<T>;
    HD void add(const element& v, int64_t i) { if (!nan_in(v)) sum_acc<T>::add(v, i); }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t i, int64_t step) {
        element w[N];
#pragma unroll
        for (int j = 0; j < N; ++j) w[j] = nan_in(v[j]) ? element(0) : v[j];
        sum_acc<T>::template tile<N, G>(w, i, step);
    }
};

// Mean by the count of the shapes.
template <class T> struct mean_acc : sum_acc<T> {
    template <class Y> HD void store(Y& y, const Finish& f, const T*) const {
        if constexpr (is_complex<T>::value) {
            const complex<double> s = this->sum.get();
            y = cast<Y>(complex<double>{s.re / f.count, s.im / f.count});
        } else y = cast<Y>(double(this->sum.get()) / f.count);
    }
};
// Mean of the elements that were really added: under a mask, or without NaN.
template <class T, bool Skip> struct counted_mean {
    using element = compute_t<T>;
    sum_acc<T> sum;
    int64_t n;
    HD void init() { sum.init(); n = 0; }
    HD void add(const element& v, int64_t i) {
        if (Skip && nan_in(v)) return;
        sum.add(v, i);
        ++n;
    }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t base, int64_t step) {
        element w[N];
        int kept = 0;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            const bool drop = Skip && nan_in(v[j]);
            w[j] = drop ? element(0) : v[j];
            kept += !drop;
        }
        sum.template tile<N, G>(w, base, step);
        n += kept;
    }
    HD void merge(const counted_mean& b) { sum.merge(b.sum); n += b.n; }
    template <class Y> HD void store(Y& y, const Finish&, const T*) const {
        mean_acc<T> m;
        m.sum = sum.sum;
        m.store(y, Finish{double(n), 0}, nullptr);
    }
};
template <class T> struct where_mean_acc : counted_mean<T, false> {};
template <class T> struct nanmean_acc : counted_mean<T, true> {};

template <class T> struct prod_acc {
    using element = compute_t<T>;
    using wide = choose_t<is_complex<T>::value, complex<double>,
                          choose_t<is_float<element>::value, double,
                                   choose_t<same<T, uint64_t>::value, uint64_t, int64_t>>>;
    wide p;
    HD static wide times(const wide& a, const wide& b) {
        if constexpr (is_complex<T>::value || is_float<element>::value) return a * b;
        else return wide(uint64_t(a) * uint64_t(b));
    }
    HD void init() { p = wide(1); }
    HD void add(const element& v, int64_t) { p = times(p, wide(v)); }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t i, int64_t) {
#pragma unroll
        for (int j = 0; j < N; ++j) add(v[j], i);
    }
    HD void merge(const prod_acc& b) { p = times(p, b.p); }
    template <class Y> HD void store(Y& y, const Finish&, const T* initial) const {
        y = cast<Y>(initial ? times(wide(element(*initial)), p) : p);
    }
};
template <class T> struct nanprod_acc : prod_acc<T> {
    using element = compute_t<T>;
    HD void add(const element& v, int64_t i) { if (!nan_in(v)) prod_acc<T>::add(v, i); }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t i, int64_t) {
#pragma unroll
        for (int j = 0; j < N; ++j) add(v[j], i);
    }
};

// ---- true_in
template <class T> HD bool true_in(const T& v) {
    if constexpr (is_complex<T>::value) return v.re != 0 || v.im != 0;
    else return v != T(0);
}
template <class T> struct count_acc {
    using element = compute_t<T>;
    int64_t n;
    HD void init() { n = 0; }
    HD void add(const element& v, int64_t) { n += true_in(v); }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t, int64_t) {
        int k = 0;
#pragma unroll
        for (int j = 0; j < N; ++j) k += true_in(v[j]);
        n += k;
    }
    HD void merge(const count_acc& b) { n += b.n; }
    template <class Y> HD void store(Y& y, const Finish&, const T*) const { y = cast<Y>(n); }
};
template <class T, bool Any> struct logical_acc {
    using element = compute_t<T>;
    int64_t hit;                    // any: a true was seen; all: a false was seen
    HD void init() { hit = 0; }
    HD void add(const element& v, int64_t) { hit |= true_in(v) == Any; }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t, int64_t) {
        bool k = false;
#pragma unroll
        for (int j = 0; j < N; ++j) k |= true_in(v[j]) == Any;
        hit |= k;
    }
    HD void merge(const logical_acc& b) { hit |= b.hit; }
    template <class Y> HD void store(Y& y, const Finish&, const T* initial) const {
        const bool h = hit || (initial && true_in(element(*initial)) == Any);
        y = cast<Y>(h == Any);
    }
};
template <class T> struct any_acc : logical_acc<T, true> {};
template <class T> struct all_acc : logical_acc<T, false> {};

}  // namespace gpusci
