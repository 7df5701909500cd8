// numpy.convolve and numpy.correlate: sums of products of two lines, directly. Integers are exact (and wrap); float32 sums are
// carried in double, sixteen products at a time.
#pragma once
#include "accumulators.h"

namespace gpusci {

// y[i] = sum over k of a[i + first - k] * v[k], where that lies in a. bool: any product is true.
template <class T, class Index>
struct convolve_lines {
    struct Args {
        const T* a;
        const T* v;
        T* y;
        int64_t na, nv, first;
    };
    HD static void at(Index i, const Args& a) {
        using E = compute_t<T>;
        const int64_t top = int64_t(i) + a.first;                   // a's element that meets v[0]
        int64_t k = top - a.na + 1 < 0 ? 0 : top - a.na + 1;
        const int64_t end = top + 1 < a.nv ? top + 1 : a.nv;
        if constexpr (same<T, bool>::value) {
            bool any = false;
            for (; k < end; ++k) any |= a.a[top - k] && a.v[k];
            a.y[i] = any;
        } else {
            sum_acc<T> sum;
            sum.init();
            for (; k + 16 <= end; k += 16) {
                E p[16];
#pragma unroll
                for (int j = 0; j < 16; ++j) p[j] = times(E(a.a[top - k - j]), E(a.v[k + j]));
                sum.template tile<16, 1>(p, 0, 0);
            }
            for (; k < end; ++k) sum.add(times(E(a.a[top - k]), E(a.v[k])), 0);
            sum.store(a.y[i], Finish{1, 0}, nullptr);
        }
    }
    template <class E> HD static E times(const E& x, const E& y) {
        if constexpr (is_float<E>::value || is_complex<E>::value) return x * y;
        else return E(uint64_t(x) * uint64_t(y));
    }
};

}  // namespace gpusci
