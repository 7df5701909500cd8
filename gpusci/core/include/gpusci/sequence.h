// out[i] = start + i * delta, rounded as NumPy rounds it: product and sum apart, in the type T (half in float).
#pragma once
#include "entry.h"

namespace gpusci {

template <class T, class Index>
struct sequence {
    struct Args { T* out; int64_t start, delta; complex<double> fstart, fdelta; };
    HD static void at(Index i, const Args& a) {
        if constexpr (is_complex<T>::value) {
            using F = decltype(T::re);
            a.out[i] = T(term<F>(i, a.fstart.re, a.fdelta.re), term<F>(i, a.fstart.im, a.fdelta.im));
        } else if constexpr (is_float<T>::value) {
            a.out[i] = T(term<compute_t<T>>(i, a.fstart.re, a.fdelta.re));
        } else {
            a.out[i] = T(uint64_t(a.start) + uint64_t(i) * uint64_t(a.delta));     // wraps, as integers do
        }
    }
    template <class F>
    HD static F term(Index i, double start, double delta) { return F(start) + mul_rn(F(i), F(delta)); }
};

}  // namespace gpusci
