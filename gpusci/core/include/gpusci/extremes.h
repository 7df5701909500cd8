// Accumulators for smallest and largest: values, indexes, ranges, and any binary ufunc's functor.
// NaN is NumPy's: it wins in min, max, argmin and argmax (the first one), and is passed over in the nan variants.
#pragma once
#include "accumulators.h"

namespace gpusci {

// Does `a` take the place of `b`, which came earlier? NaN beats all but NaN.
template <bool Max, class E> HD bool beats(const E& a, const E& b) {
    const bool beyond = Max ? a > b : a < b;
    if constexpr (is_complex<E>::value) return (beyond || nan_in(a)) && !nan_in(b);
    else if constexpr (is_float<E>::value) return beyond || (nan_in(a) && !nan_in(b));
    else return beyond;
}
// The larger (or smaller) of two, the first where they are equal.
template <bool Max, class E> HD E extreme(const E& a, const E& b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (same<E, float>::value) {                      // one instruction instead of five; of two zeros it takes 0 for Max
        float r;
        if constexpr (Max) asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
        else asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
        return r;
    }
#endif
    return beats<Max>(b, a) ? b : a;
}
template <bool Max, class E> HD E worst() { return Max ? bottom<E>() : top<E>(); }

template <class T, bool Max> struct extreme_acc {
    using element = compute_t<T>;
    element best;
    uint8_t pad[sizeof(element) < 8 ? 8 - sizeof(element) : 8];
    HD void init() { best = worst<Max, element>(); }
    HD void add(const element& v, int64_t) { best = extreme<Max>(best, v); }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t, int64_t) {
#pragma unroll
        for (int j = 0; j < N; ++j) best = extreme<Max>(best, v[j]);
    }
    HD void merge(const extreme_acc& b) { best = extreme<Max>(best, b.best); }
    template <class Y> HD void store(Y& y, const Finish&, const T* initial) const {
        y = cast<Y>(initial ? extreme<Max>(element(*initial), best) : best);
    }
};
template <class T> struct min_acc : extreme_acc<T, false> {};
template <class T> struct max_acc : extreme_acc<T, true> {};

// NaN is passed over; NaN comes out where there was nothing else. Floats only (others use min and max).
template <class T, bool Max> struct nan_extreme_acc {
    using element = compute_t<T>;
    element best;
    uint8_t pad[sizeof(element) < 8 ? 8 - sizeof(element) : 8];
    HD void init() { best = quiet_nan<element>(); }
    HD static element pick(const element& a, const element& b) {
        if (nan_in(a)) return b;
        return (Max ? b > a : b < a) && !nan_in(b) ? b : a;     // a complex number compares by parts, also with a NaN
    }
    HD void add(const element& v, int64_t) { best = pick(best, v); }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t, int64_t) {
#pragma unroll
        for (int j = 0; j < N; ++j) best = pick(best, v[j]);
    }
    HD void merge(const nan_extreme_acc& b) { best = pick(best, b.best); }
    template <class Y> HD void store(Y& y, const Finish&, const T* initial) const {
        y = cast<Y>(initial ? pick(element(*initial), best) : best);
    }
};
template <class T> struct nanmin_acc : nan_extreme_acc<T, false> {};
template <class T> struct nanmax_acc : nan_extreme_acc<T, true> {};

// Value and index; -1 is the empty state. Within an accumulator indexes grow, so `beats` keeps the first of ties; a merge
// compares indexes. A tile finds its own best first, without its place, which is looked for only where it is the best so far.
template <class T, bool Max, bool Skip> struct arg_acc {
    using element = compute_t<T>;
    element best;
    uint8_t pad[sizeof(element) < 8 ? 8 - sizeof(element) : 8];
    int64_t index;
    HD void init() { best = worst<Max, element>(); index = -1; }
    HD void add(const element& v, int64_t i) {
        if (Skip && nan_in(v)) return;
        if (index < 0 || beats<Max>(v, best)) { best = v; index = i; }
    }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t base, int64_t step) {
        element b = v[0];
#pragma unroll
        for (int j = 1; j < N; ++j) b = Skip && nan_in(b) ? v[j] : Skip && nan_in(v[j]) ? b : extreme<Max>(b, v[j]);
        if (index >= 0 && !beats<Max>(b, best)) return;
        int k = N - 1;
#pragma unroll
        for (int j = N - 2; j >= 0; --j)
            if (v[j] == b || (!Skip && nan_in(v[j]) && nan_in(b))) k = j;
        add(b, base + (k / G) * step + k % G);
    }
    HD void merge(const arg_acc& b) {
        if (b.index < 0) return;
        const bool later = b.index > index;
        if (index < 0 || (later ? beats<Max>(b.best, best) : !beats<Max>(best, b.best))) *this = b;
    }
    template <class Y> HD void store(Y& y, const Finish&, const T*) const { y = cast<Y>(index); }
};
template <class T> struct argmin_acc : arg_acc<T, false, false> {};
template <class T> struct argmax_acc : arg_acc<T, true, false> {};
template <class T> struct nanargmin_acc : arg_acc<T, false, true> {};
template <class T> struct nanargmax_acc : arg_acc<T, true, true> {};

// Peak to peak in one pass.
template <class T> struct ptp_acc {
    using element = compute_t<T>;
    min_acc<T> low;
    max_acc<T> high;
    HD void init() { low.init(); high.init(); }
    HD void add(const element& v, int64_t i) { low.add(v, i); high.add(v, i); }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t i, int64_t step) {
        low.template tile<N, G>(v, i, step);
        high.template tile<N, G>(v, i, step);
    }
    HD void merge(const ptp_acc& b) { low.merge(b.low); high.merge(b.high); }
    template <class Y> HD void store(Y& y, const Finish&, const T*) const { y = cast<Y>(T(high.best - low.best)); }
};

// Any associative binary functor. There is no identity to start from, so the first element is taken as it is.
template <class F> struct by {
    template <class T> struct acc {
        using element = compute_t<T>;
        element value;
        uint8_t pad[sizeof(element) < 8 ? 8 - sizeof(element) : 8];
        int64_t any;
        HD void init() { any = 0; }
        HD void add(const element& v, int64_t) {
            value = any ? cast<element>(F()(value, v)) : v;
            any = 1;
        }
        template <int N, int G> HD void tile(const element (&v)[N], int64_t i, int64_t) {
#pragma unroll
            for (int j = 0; j < N; ++j) add(v[j], i);
        }
        HD void merge(const acc& b) { if (b.any) add(b.value, 0); }
        template <class Y> HD void store(Y& y, const Finish&, const T* initial) const {
            acc t;
            t.init();
            if (initial) t.add(element(*initial), 0);
            t.merge(*this);
            y = cast<Y>(t.value);
        }
    };
};

}  // namespace gpusci
