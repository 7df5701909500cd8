// Distribution functions of the chi-squared, gamma, Poisson, binomial, negative binomial, F and t distributions in the
// arguments of scipy.special, on the incomplete gamma and beta functions. Ratios like d / (d + t^2) are formed together with
// their complement, so that neither tail loses digits.
#pragma once
#include "inverse.h"

namespace gpusci {
namespace sf {
template <class T> HDI bool outside(T p) { return !(p >= T(0) && p <= T(1)); }
// u / (u + v) and v / (u + v) for u, v >= 0, one of them finite and one of them positive
template <class T> HDI parts<T> shares(T u, T v) {
    const T small = min_of(u, v), large = max_of(u, v), r = small / large, rest = T(1) / (T(1) + r);
    return u < v ? parts<T>{r * rest, rest} : parts<T>{rest, r * rest};
}
// P(T > |t|), t finite: I_z(df / 2, 1 / 2) / 2 with z = df / (df + t^2)
template <class T> HDI T student_tail(T df, T t) {
    const T r = abs_of(t) / sqrt_of(df);
    const parts<T> z = r < T(1) ? shares(T(1), r * r) : shares(T(1) / r / r, T(1));
    return T(0.5) * beta_tails_pair(T(0.5) * df, T(0.5), z.x, z.rest).lower;
}
}  // namespace sf

struct chdtr {
    template <class T> HD T operator()(T v, T x) const { return sf::gamma_tails_any(T(0.5) * v, T(0.5) * x).lower; }
};
struct chdtrc {
    template <class T> HD T operator()(T v, T x) const { return sf::gamma_tails_any(T(0.5) * v, T(0.5) * x).upper; }
};
struct chdtri {
    template <class T> HD T operator()(T v, T p) const { return T(2) * sf::gamma_inverse(T(0.5) * v, T(1) - p, p); }
};
struct gdtr {
    template <class T> HD T operator()(T a, T b, T x) const {
        return x < T(0) ? sf::nan_of<T>() : sf::gamma_tails_any(b, a * x).lower;
    }
};
struct gdtrc {
    template <class T> HD T operator()(T a, T b, T x) const {
        return x < T(0) ? sf::nan_of<T>() : sf::gamma_tails_any(b, a * x).upper;
    }
};
struct pdtr {
    template <class T> HD T operator()(T k, T m) const {
        const T n = sf::floor_of(k);
        if (!(n >= T(0)) || !(m >= T(0))) return sf::nan_of<T>();
        return n > sf::fp<T>::max ? T(1) : sf::gamma_tails_any(n + T(1), m).upper;
    }
};
struct pdtrc {
    template <class T> HD T operator()(T k, T m) const {
        const T n = sf::floor_of(k);
        if (!(n >= T(0)) || !(m >= T(0))) return sf::nan_of<T>();
        return n > sf::fp<T>::max ? T(0) : sf::gamma_tails_any(n + T(1), m).lower;
    }
};
struct pdtri {
    template <class T> HD T operator()(T k, T y) const {
        const T n = sf::floor_of(k);
        return n >= T(0) && y < T(1) ? sf::gamma_inverse(n + T(1), T(1) - y, y) : sf::nan_of<T>();
    }
};

// k successes at most (bdtr) or at least k + 1 (bdtrc) in n trials: 1 - I_p(k + 1, n - k) and I_p(k + 1, n - k)
struct binomial {
    template <class T> HDI static sf::beta_tails<T> tails(T k, T n, T p) {
        const T m = sf::floor_of(k), total = sf::floor_of(n), nan = sf::nan_of<T>();
        if (sf::outside(p) || !(total >= m) || total > sf::fp<T>::max) return {nan, nan, nan};
        if (m < T(0)) return {T(1), nan, T(0)};
        if (m == total) return {T(0), T(1), T(0)};
        return sf::beta_tails_any(m + T(1), total - m, p);
    }
};
struct bdtr {
    template <class T> HD T operator()(T k, T n, T p) const { return binomial::tails(k, n, p).upper; }
};
struct bdtrc {
    template <class T> HD T operator()(T k, T n, T p) const { return binomial::tails(k, n, p).lower; }
};
struct bdtri {
    template <class T> HD T operator()(T k, T n, T y) const {
        const T m = sf::floor_of(k), total = sf::floor_of(n);
        if (sf::outside(y) || !(m >= T(0)) || !(total > m)) return sf::nan_of<T>();
        return sf::beta_inverse(m + T(1), total - m, T(1) - y, y).x;
    }
};
struct nbdtr {
    template <class T> HD T operator()(T k, T n, T p) const {
        const T m = sf::floor_of(k), r = sf::floor_of(n);
        return m >= T(0) && r > T(0) ? sf::beta_tails_any(r, m + T(1), p).lower : sf::nan_of<T>();
    }
};
struct nbdtrc {
    template <class T> HD T operator()(T k, T n, T p) const {
        const T m = sf::floor_of(k), r = sf::floor_of(n);
        return m >= T(0) && r > T(0) ? sf::beta_tails_any(r, m + T(1), p).upper : sf::nan_of<T>();
    }
};
struct nbdtri {
    template <class T> HD T operator()(T k, T n, T y) const {
        const T m = sf::floor_of(k), r = sf::floor_of(n);
        return m >= T(0) && !sf::outside(y) ? sf::beta_inverse(r, m + T(1), y, T(1) - y).x : sf::nan_of<T>();
    }
};
struct f_distribution {
    template <class T> HDI static sf::beta_tails<T> tails(T a, T b, T x) {
        const T nan = sf::nan_of<T>();
        if (!(a > T(0)) || !(b > T(0)) || a > sf::fp<T>::max || b > sf::fp<T>::max || !(x >= T(0))) return {nan, nan, nan};
        const T u = a * x;
        if (u > sf::fp<T>::max) return {T(1), T(0), T(0)};
        const sf::parts<T> w = sf::shares(u, b);
        return sf::beta_tails_any(T(0.5) * a, T(0.5) * b, w.x, w.rest);
    }
};
struct fdtr {
    template <class T> HD T operator()(T a, T b, T x) const { return f_distribution::tails(a, b, x).lower; }
};
struct fdtrc {
    template <class T> HD T operator()(T a, T b, T x) const { return f_distribution::tails(a, b, x).upper; }
};
struct fdtri {
    template <class T> HD T operator()(T a, T b, T p) const {
        const sf::parts<T> w = sf::beta_inverse(T(0.5) * a, T(0.5) * b, p, T(1) - p);
        return b / a * (w.x / w.rest);
    }
};
struct stdtr {
    template <class T> HD T operator()(T df, T t) const {
        if (!(df > T(0)) || sf::is_nan(t)) return sf::nan_of<T>();
        if (df > sf::fp<T>::max) return ndtr()(t);
        if (sf::abs_of(t) > sf::fp<T>::max) return t > T(0) ? T(1) : T(0);
        const T tail = sf::student_tail(df, t);
        return t > T(0) ? T(1) - tail : tail;
    }
};
struct stdtrit {
    template <class T> HD T operator()(T df, T p) const {
        if (!(df > T(0)) || sf::outside(p)) return sf::nan_of<T>();
        if (df > sf::fp<T>::max) return ndtri()(p);
        // t^2 / (df + t^2) is beta distributed with 1/2, df / 2; its complement carries the tails.
        const T q = p < T(0.5) ? p : T(1) - p;
        const sf::parts<T> w = sf::beta_inverse(T(0.5), T(0.5) * df, T(1) - (q + q), q + q);
        const T t = sf::sqrt_of(df) * sf::sqrt_of(w.x / w.rest);
        return p < T(0.5) ? -t : t;
    }
};
}  // namespace gpusci
