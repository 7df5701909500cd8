// Inverses of the incomplete gamma and beta functions in their last argument.
//
// Newton's iteration on log F over log x, F the smaller of the two tails: both ends are powers or exponentials of x, so the
// curve is nearly straight there and any start leads in (3 to 6 steps are typical). The sign of each residual shrinks a
// bracket; a step that leaves it, or fails to halve the residual, is replaced by halving the bracket in the order of
// floating-point numbers, which ends after at most 64 steps. Starts: DiDonato and Morris, ACM TOMS 12 (1986) 377, eq. 18 and
// 31; Wilson and Hilferty, PNAS 17 (1931) 684; Abramowitz and Stegun 26.5.22.
#pragma once
#include "betainc.h"
#include "gammainc.h"

namespace gpusci {
namespace sf {

// The search for x in (0, high) where a tail is `goal` <= 1/2: the lower one, or the upper one where `right`.
template <class T> struct tail_search {
    using B = typename fp<T>::bits;
    T goal, x, low, high, before;
    bool right;

    // Take the tails at x, and weight = x dF/dx; true when x is the answer.
    HDI bool step(T lower, T upper, T weight) {
        constexpr T settled = same<T, double>::value ? T(1e-8) : T(2e-4);      // Newton squares it
        const T value = right ? upper : lower, gap = value - goal;
        if (gap == T(0) || is_nan(value)) return true;
        if ((gap < T(0)) == right) high = x;
        else low = x;
        const T rise = abs_of(gap) < T(0.5) * goal ? log1p_of(gap / goal) : log_of(value) - log_of(goal);
        const T move = (right ? rise : -rise) * (value / weight), size = abs_of(rise);
        if (size < settled) {
            x = abs_of(move) < T(0.5) ? x + x * move : x;
            return true;
        }
        const bool slow = size > T(0.5) * before || !(abs_of(move) < T(700));
        before = size;
        return aim(slow ? T(-1) : x * exp_of(move));
    }
    // Go to y, or into the middle of the bracket when y is outside; true when nothing is between.
    HDI bool aim(T y) {
        x = y;
        if (x > low && x < high) return false;
        x = from_bits(B((to_bits(low) >> 1) + (to_bits(high) >> 1)));
        before = inf_of<T>();
        return !(x > low && x < high);
    }
};
// Phi^-1(1 - p) within 0.003 for p <= 1/2: Abramowitz and Stegun 26.2.22
template <class T> HDI T normal_start(T p) {
    const T t = sqrt_of(T(-2) * log_of(p));
    return t - madd(t, T(0.27061), T(2.30753)) / poly(t, T(1), T(0.99229), T(0.04481));
}

template <class T> HDI T gamma_start(T a, T p, T q) {
    const bool left = p <= q;
    const T a1 = a + T(1), log_p = left ? log_of(p) : log1p_of(-q);
    const T log_gamma = madd(a + T(0.5), log_of(a1), T(0.9189385) - a1) + T(0.083333) / a1;       // gamma(a + 1), within 0.002
    const T power = exp_of((log_p + log_gamma) / a);        // first term of the series of P
    if (power < T(0.2) * a1) return power * exp_of(power / a1);
    if (a > T(0.5)) {
        const T z = normal_start(left ? p : q), root = T(1) / (T(3) * sqrt_of(a));
        const T w = T(1) - root * root + (left ? -z : z) * root;
        return w > T(0.2) ? a * w * w * w : power < a ? power : T(0.5) * a;
    }
    const T y = -log_of(q / a);                             // Q near a E_1(x) for small a
    return y > T(1) ? y - log_of(y) : T(0.5);
}
// P(a, x) = p, 1 - P = q; one of the two is exact, the smaller one is used.
template <class T> HDI T gamma_inverse(T a, T p, T q) {
    if (!(a > T(0)) || a > fp<T>::max || !(p >= T(0)) || !(q >= T(0))) return nan_of<T>();
    if (p == T(0)) return T(0);
    if (q == T(0)) return inf_of<T>();
    const bool right = q < p;
    tail_search<T> search = {right ? q : p, T(0), T(0), inf_of<T>(), inf_of<T>(), right};
    const T start = gamma_start(a, p, q);
    if (start < fp<T>::tiny) return T(0);
    search.aim(start);
    for (int i = 0; i < 100; ++i) {
        const tails<T> t = gamma_tails(a, search.x);
        if (search.step(t.lower, t.upper, t.weight)) break;
    }
    return search.x;
}
// From log_beta = log(beta(a, b)).
template <class T> HDI T beta_start(T a, T b, T p, T q, T log_beta) {
    const bool left = p <= q;
    const T power = exp_of(((left ? log_of(p) : log1p_of(-q)) + log_of(a) + log_beta) / a);       // first term of the series in x
    if (power * abs_of(b - T(1)) < T(0.2) * (a + T(1)) && power < T(0.4)) return power;
    if (a > T(0.6) && b > T(0.6)) {
        const T z = normal_start(left ? p : q) * (left ? T(1) : T(-1)), u = T(1) / (a + a - T(1)), v = T(1) / (b + b - T(1));
        const T lambda = (z * z - T(3)) * T(1.0 / 6), h = T(2) / (u + v), r = h + lambda;
        const T w = z * sqrt_of(r) / h - (v - u) * (lambda + T(5.0 / 6) - T(2) / (T(3) * h));
        const T x = a / (a + b * exp_of(w + w));
        if (x > T(0) && x < T(1)) return x;
    }
    return a / (a + b);
}
// x and 1 - x with I_x(a, b) = p, 1 - I = q. Solved for the smaller of x and 1 - x, which the value at 1/2 tells, so that both ends keep
// relative accuracy.
template <class T> struct parts { T x, rest; };
template <class T> HDI parts<T> beta_inverse(T a, T b, T p, T q) {
    const T huge = T(0.25) * fp<T>::max;
    if (!(a > T(0)) || !(b > T(0)) || a > huge || b > huge || !(p >= T(0)) || !(q >= T(0)))
        return {nan_of<T>(), nan_of<T>()};
    if (p == T(0)) return {T(0), T(1)};
    if (q == T(0)) return {T(1), T(0)};
    bool far = false;
    tail_search<T> search = {T(0), T(0.5), T(0), T(0.75), inf_of<T>(), false};
    for (int i = 0; i < 100; ++i) {
        const beta_tails<T> t = beta_tails_any(far ? b : a, far ? a : b, search.x);
        if (i > 0) {
            if (search.step(t.lower, t.upper, t.weight / (T(1) - search.x))) break;
            continue;
        }
        far = t.lower < T(0.5) ? t.lower < p : q < t.upper; // x > 1/2
        const T s = far ? q : p, r = far ? p : q;
        search.right = r < s;
        search.goal = search.right ? r : s;
        const T log_beta = T(-0.6931471805599453) * (a + b) - log_of(t.weight);
        const T start = beta_start(far ? b : a, far ? a : b, s, r, log_beta);
        if (start < fp<T>::tiny) {
            search.x = T(0);
            break;
        }
        search.aim(start < T(0.5) ? start : T(0.5));
    }
    const T x = search.x, rest = T(1) - x;
    return {far ? rest : x, far ? x : rest};
}
}  // namespace sf

struct gammaincinv {
    template <class T> HD T operator()(T a, T p) const { return sf::gamma_inverse(a, p, T(1) - p); }
};
struct gammainccinv {
    template <class T> HD T operator()(T a, T q) const { return sf::gamma_inverse(a, T(1) - q, q); }
};
struct betaincinv {
    template <class T> HD T operator()(T a, T b, T p) const { return sf::beta_inverse(a, b, p, T(1) - p).x; }
};
struct betainccinv {
    template <class T> HD T operator()(T a, T b, T q) const { return sf::beta_inverse(a, b, T(1) - q, q).x; }
};
}  // namespace gpusci
