// Methods of a continuous distribution: loc and scale, the support, and the edges around a standard form.
//
// A standard form D is a struct with static functions of x and its shapes: valid, lower, upper (the support), pdf, logpdf,
// cdf, sf, logcdf, logsf inside the open support, ppf and isf for 0 < q < 1. `form<D>` has what follows from others. What is
// outside, invalid or NaN is settled here, by selection, so that loops over simple forms vectorise.
#pragma once
#include "special/kernels/gamma_ratio.h"

namespace gpusci {
namespace dist {
using sf::sel;

// ---- elementary functions, accurate where the argument is small
template <class T> HDI T expm1_of(T y) {
    const T near = sf::sel(sf::abs_of(y) < T(0.7), y, T(0));
    return sel(near == y, sf::expm1_small(sf::wide<T>{near, T(0)}), sf::exp_of(y) - T(1));
}
// log(1 - exp(y)), y < 0
template <class T> HDI T log1mexp(T y) {
    return sel(y > T(-0.7), sf::log_of(-expm1_of(y)), sf::log1p_of(-sf::exp_of(y)));
}
template <class T> HDI sf::wide<T> log1p_wide(T x) {
    const sf::wide<T> u = sf::two_sum(T(1), x);
    return sf::log_wide(u.hi, u.lo);
}
// exp(c log_x): a power whose exponent keeps its digits. 0 for a zero base stays the caller's.
template <class T> HDI sf::wide<T> times(sf::wide<T> log_x, T c) {
    const T top = log_x.hi * c, far = T(4096);
    const sf::wide<T> y = log_x * c;
    return {sel(top > far, far, sel(top < -far, -far, y.hi)), sel(sf::abs_of(top) <= far, y.lo, T(0))};
}
template <class T> HDI T power(sf::wide<T> log_x, T c, T factor = T(1)) {
    const sf::wide<T> y = times(log_x, c);
    return sf::exp_wide(y.hi, y.lo, factor);
}
template <class T> HDI T power(T x, T c) {                  // 0 < x < inf
    return power(sf::log_wide(x), c);
}

// ---- what follows from pdf, cdf and sf
template <class D> struct form {
    template <class T, class... S> HD static bool valid(T, S... s) { return ((s > T(0)) & ... & true); }
    template <class T, class... S> HD static T lower(T, S...) { return T(0); }
    template <class T, class... S> HD static T upper(T, S...) { return sf::inf_of<T>(); }
    template <class T, class... S> HD static T logpdf(T x, S... s) { return sf::log_of(D::pdf(x, s...)); }
    template <class T, class... S> HD static T logcdf(T x, S... s) { return log_of_part(D::cdf(x, s...), D::sf(x, s...)); }
    template <class T, class... S> HD static T logsf(T x, S... s) { return log_of_part(D::sf(x, s...), D::cdf(x, s...)); }
    // cdf or sf: a form whose two are made together says so, so that a search compiles them once.
    template <class T, class... S> HD static T tail(T x, bool right, S... s) { return right ? D::sf(x, s...) : D::cdf(x, s...); }
    template <class T> HD static T log_of_part(T p, T q) {
        return sel(p < T(0.5), sf::log_of(p), sf::log1p_of(-q));
    }
};
// Distributions whose sf is exp(-H(x)): H the cumulative hazard, `quantile` its inverse.
template <class D> struct hazard_form : form<D> {
    template <class T, class... S> HD static T cdf(T x, S... s) { return -expm1_of(-D::hazard(x, s...)); }
    template <class T, class... S> HD static T sf(T x, S... s) { return sf::exp_of(-D::hazard(x, s...)); }
    template <class T, class... S> HD static T logcdf(T x, S... s) { return log1mexp(-D::hazard(x, s...)); }
    template <class T, class... S> HD static T logsf(T x, S... s) { return -D::hazard(x, s...); }
    template <class T, class... S> HD static T ppf(T q, S... s) { return D::quantile(-sf::log1p_of(-q), s...); }
    template <class T, class... S> HD static T isf(T q, S... s) { return D::quantile(-sf::log_of(q), s...); }
};

// ---- the methods: x, shapes, loc, scale
template <class M> struct method {
    template <class T> HD T operator()(T x, T loc, T scale) const { return M::at(x, loc, scale); }
    template <class T> HD T operator()(T x, T a, T loc, T scale) const { return M::at(x, loc, scale, a); }
    template <class T> HD T operator()(T x, T a, T b, T loc, T scale) const { return M::at(x, loc, scale, a, b); }
};
// A distribution function's value: `below` and `above` the support, NaN where an argument is invalid.
template <class D, class T, class... S> HDI T bounded(T z, T scale, T y, T below, T above, S... s) {
    y = sel(z <= D::lower(z, s...), below, sel(z >= D::upper(z, s...), above, y));
    return sel((scale > T(0)) & D::valid(z, s...) & (z == z), y, sf::nan_of<T>());
}
// A density's: `outside` the closed support and at infinity.
template <class D, class T, class... S> HDI T dense(T z, T scale, T y, T outside, S... s) {
    const bool in = (z >= D::lower(z, s...)) & (z <= D::upper(z, s...)) & (sf::abs_of(z) <= sf::fp<T>::max);
    return sel((scale > T(0)) & D::valid(z, s...) & (z == z), sel(in, y, outside), sf::nan_of<T>());
}
template <class D, class T, class... S> HDI T quantile_at(T q, T loc, T scale, T y, T at0, T at1, S... s) {
    y = sel(q == T(0), at0, sel(q == T(1), at1, y)) * scale + loc;
    return sel((q >= T(0)) & (q <= T(1)) & (scale > T(0)) & D::valid(q, s...), y, sf::nan_of<T>());
}

template <class D> struct pdf : method<pdf<D>> {
    template <class T, class... S> HD static T at(T x, T loc, T scale, S... s) {
        const T z = (x - loc) / scale;
        return dense<D>(z, scale, D::pdf(z, s...) / scale, T(0), s...);
    }
};
template <class D> struct logpdf : method<logpdf<D>> {
    template <class T, class... S> HD static T at(T x, T loc, T scale, S... s) {
        const T z = (x - loc) / scale;
        return dense<D>(z, scale, D::logpdf(z, s...) - sf::log_of(scale), -sf::inf_of<T>(), s...);
    }
};
template <class D> struct cdf : method<cdf<D>> {
    template <class T, class... S> HD static T at(T x, T loc, T scale, S... s) {
        const T z = (x - loc) / scale;
        return bounded<D>(z, scale, D::cdf(z, s...), T(0), T(1), s...);
    }
};
template <class D> struct survival : method<survival<D>> {
    template <class T, class... S> HD static T at(T x, T loc, T scale, S... s) {
        const T z = (x - loc) / scale;
        return bounded<D>(z, scale, D::sf(z, s...), T(1), T(0), s...);
    }
};
template <class D> struct logcdf : method<logcdf<D>> {
    template <class T, class... S> HD static T at(T x, T loc, T scale, S... s) {
        const T z = (x - loc) / scale;
        return bounded<D>(z, scale, D::logcdf(z, s...), -sf::inf_of<T>(), T(0), s...);
    }
};
template <class D> struct logsf : method<logsf<D>> {
    template <class T, class... S> HD static T at(T x, T loc, T scale, S... s) {
        const T z = (x - loc) / scale;
        return bounded<D>(z, scale, D::logsf(z, s...), T(0), -sf::inf_of<T>(), s...);
    }
};
template <class D> struct ppf : method<ppf<D>> {
    template <class T, class... S> HD static T at(T q, T loc, T scale, S... s) {
        return quantile_at<D>(q, loc, scale, D::ppf(q, s...), D::lower(q, s...), D::upper(q, s...), s...);
    }
};
template <class D> struct isf : method<isf<D>> {
    template <class T, class... S> HD static T at(T q, T loc, T scale, S... s) {
        return quantile_at<D>(q, loc, scale, D::isf(q, s...), D::upper(q, s...), D::lower(q, s...), s...);
    }
};

}  // namespace dist
}  // namespace gpusci
