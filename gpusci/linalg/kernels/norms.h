// The Euclidean norm as an accumulator (see accumulators.h): root of the sum of squares, without overflow or underflow.
// Squares that double holds are summed with compensation; those of very large and very small numbers on the side, scaled, as in
// J. Blue, A portable Fortran program to find the Euclidean norm of a vector, ACM TOMS 4 (1978) 15.
#pragma once
#include <gpusci/accumulators.h>
#include <gpusci/real_math.h>

namespace gpusci {

template <class T> struct euclidean_acc {
    using element = compute_t<T>;
    using M = math<double>;
    static constexpr int parts = is_complex<T>::value ? 2 : 1;
    static constexpr bool wide = same<real_t<element>, double>::value;      // the squares of others fit
    static constexpr double SMALL = 0x1p-511, LARGE = 0x1p486, UP = 0x1p537, DOWN = 0x1p-538;
    wide_sum<double> sum;
    double small, large;                                                    // of squares times UP^2, DOWN^2

    HD static bool plain(double x) { return !wide || x == 0 || (M::fabs(x) >= SMALL && M::fabs(x) <= LARGE); }
    HD static double component(const element& v, int p) {
        if constexpr (is_complex<T>::value) return double(p ? v.im : v.re);
        else return double(v);
    }
    HD void init() { sum.init(); small = large = 0; }
    HD void add_one(double x) {
        if (M::fabs(x) > LARGE) large += x * DOWN * (x * DOWN);
        else if (M::fabs(x) < SMALL) small += x * UP * (x * UP);
        else sum.add(x * x);                                                // and NaN
    }
    HD void add(const element& v, int64_t) {
#pragma unroll
        for (int p = 0; p < parts; ++p) add_one(component(v, p));
    }
    template <int N, int G> HD void tile(const element (&v)[N], int64_t, int64_t) {
        double squares[N];
        bool all = true;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            squares[j] = 0;
#pragma unroll
            for (int p = 0; p < parts; ++p) {
                const double x = component(v[j], p);
                all = all && plain(x);
                squares[j] += x * x;
            }
        }
        if (all) sum.add(pairwise<N>(squares));
        else
            for (int j = 0; j < N; ++j) add(v[j], 0);
    }
    HD void merge(const euclidean_acc& b) {
        sum.merge(b.sum);
        small += b.small;
        large += b.large;
    }
    template <class Y> HD void store(Y& y, const Finish&, const T*) const {
        const double squares = sum.get();
        double r = M::sqrt(squares);
        if (large > 0) r = M::sqrt(large + squares * DOWN * DOWN) / DOWN;
        else if (small > 0) {
            const double other = M::sqrt(small) / UP, top = max_of(r, other), low = min_of(r, other);
            r = squares == squares ? top * M::sqrt(1 + low / top * (low / top)) : squares;
        }
        y = cast<Y>(r);
    }
};

}  // namespace gpusci
