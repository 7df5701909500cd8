// Complex loops of elementary.h, on core's complex functions.
#pragma once
#include <gpusci/complex_math.h>

namespace gpusci {

template <class T> HD bool undefined(complex<T> z) { return z.re != z.re || z.im != z.im; }

struct log1p_row { template <class T> HD complex<T> operator()(complex<T> z) const { return math<complex<T>>::log1p(z); } };
struct expm1_row { template <class T> HD complex<T> operator()(complex<T> z) const { return math<complex<T>>::expm1(z); } };
// x log(y) and x log(1 + y), 0 for x = 0 unless y is NaN
struct xlogy {
    template <class T> HD complex<T> operator()(complex<T> x, complex<T> y) const {
        const bool zero = x.re == T(0) && x.im == T(0) && !undefined(y);
        return zero ? complex<T>(T(0), T(0)) : x * math<complex<T>>::log(y);
    }
};
struct xlog1py {
    template <class T> HD complex<T> operator()(complex<T> x, complex<T> y) const {
        const bool zero = x.re == T(0) && x.im == T(0) && !undefined(y);
        return zero ? complex<T>(T(0), T(0)) : x * math<complex<T>>::log1p(y);
    }
};
}  // namespace gpusci
