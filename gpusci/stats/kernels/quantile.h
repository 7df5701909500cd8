// Quantiles of a standard form on (0, upper) by a bracketed Newton iteration on log F over log x.
//
// Near both ends F behaves as a power of x or falls exponentially, so log F over log x is nearly straight and few steps are
// needed from any start (typically 4 to 7). A step that leaves the bracket is replaced by halving the bracket in the ordering
// of floating-point numbers, which ends after at most 64 steps whatever the shape. The caller gives the smaller tail
// probability, so the result has the relative accuracy of cdf or sf there, divided by the slope.
#pragma once
#include "distribution.h"

namespace gpusci {
namespace dist {

// x with cdf(x) = p, or sf(x) = p when `right`; 0 < p <= 1/2, start > 0.
template <class D, class T, class... S> HD T solve(T p, bool right, T start, S... s) {
    using B = typename sf::fp<T>::bits;
    constexpr T settled = same<T, double>::value ? T(1e-11) : T(3e-6);
    T low = T(0), high = D::upper(p, s...), x = start, before = sf::inf_of<T>();
    for (int step = 0; step < 120; ++step) {
        if (!(x > low) || !(x < high)) {
            const B middle = (sf::to_bits(low) >> 1) + (sf::to_bits(high) >> 1);
            x = sf::from_bits(middle);
            if (!(x > low) || !(x < high)) return x;
            before = sf::inf_of<T>();
        }
        const T f = D::tail(x, right, s...);
        if (f == p || f != f) return x;
        if ((f < p) == right) high = x;
        else low = x;
        const T rise = sf::abs_of(f - p) < T(0.25) * p ? sf::log1p_of((f - p) / p) : sf::log_of(f / p);
        const T slope = x * (D::pdf(x, s...) / f), move = (right ? rise : -rise) / slope;
        const T room = (D::upper(p, s...) - x) / x;        // near a finite end 1 - x is what counts
        if (sf::abs_of(move) < settled * (room < T(1) ? room : T(1))) return x + x * move;
        const bool slow = sf::abs_of(move) > T(0.7) * before;           // not converging: halve
        before = sf::abs_of(move);
        x = slow ? T(-1) : x * sf::exp_of(move);
    }
    return x;
}
template <class D, class T, class... S> HD T lower_quantile(T q, S... s) {
    const bool right = q > T(0.5);
    const T p = right ? T(1) - q : q;
    return solve<D>(p, right, D::start(p, right, s...), s...);
}
template <class D, class T, class... S> HD T upper_quantile(T q, S... s) {
    const bool right = q <= T(0.5);
    const T p = right ? q : T(1) - q;
    return solve<D>(p, right, D::start(p, right, s...), s...);
}

}  // namespace dist
}  // namespace gpusci
