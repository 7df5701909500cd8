// Small element-wise steps around the filters.
#pragma once
#include "element.h"

namespace gpusci {

// double to a dtype as SciPy's filters store it (see to_output), which differs from NumPy's cast outside the type's range.
template <class Y, class Index>
struct truncate {
    struct Args { const double* x; Y* y; };
    HD static void at(Index i, const Args& a) { a.y[i] = to_output<Y>(a.x[i]); }
};

// a + i b, for a filter with complex weights made of two with real ones. X is real or complex, Y complex.
template <class X, class Y, class Index>
struct combine {
    struct Args { const X* a; const X* b; Y* y; };
    HD static void at(Index i, const Args& s) {
        using T = decltype(Y::re);
        if constexpr (is_complex<X>::value) s.y[i] = Y(T(s.a[i].re - s.b[i].im), T(s.a[i].im + s.b[i].re));
        else s.y[i] = Y(T(s.a[i]), T(s.b[i]));
    }
};

// total = sqrt(total^2 + part^2 + ...), one part a call: `first` squares the total, `last` takes the root.
template <class X, class Index>
struct add_square {
    struct Args { X* total; const X* part; int64_t first, last; };
    HD static void at(Index i, const Args& a) {
        const X t = a.total[i], p = a.part[i];
        const X sum = (a.first ? mul_rn(t, t) : t) + mul_rn(p, p);
        a.total[i] = a.last ? root(sum) : sum;
    }
#if defined(GPUSCI_CUDA)
    HD static float root(float x) { return sqrtf(x); }
    HD static double root(double x) { return sqrt(x); }
#else
    static X root(X x) { return std::sqrt(x); }
#endif
};

}  // namespace gpusci
