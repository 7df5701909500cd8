// Logistic, logarithmic, entropy, loss and power transforms, and trigonometry in degrees: a few operations each.
//
// Each is arranged so that no intermediate overflows or cancels before the result does; float computes in float,
// but Box and Cox's transforms, which would lose the digits of l log x. expm1, log1p and cbrt are the compilers' own.
#pragma once
#include "real.h"

namespace gpusci {
namespace sf {
HDI double expm1_of(double x) { return expm1(x); }
HDI float expm1_of(float x) { return expm1f(x); }
HDI double ln1p_of(double x) { return log1p(x); }
HDI float ln1p_of(float x) { return log1pf(x); }
HDI double cbrt_of(double x) {                              // one step of Newton's method: 1.5 to 0.6 eps
    const double y = cbrt(x);
    if (!(abs_of(y) > 1e-100 && abs_of(y) <= fp<double>::max)) return y;
    const wide<double> w = two_prod(y, y);
    return y - (fma_of(w.hi, y, -x) + w.lo * y) / (3 * w.hi);
}
HDI float cbrt_of(float x) { return cbrtf(x); }
HDI double pow_of(double x, double y) { return pow(x, y); }
HDI float pow_of(float x, float y) { return powf(x, y); }

// log(x / y), x, y > 0: accurate near x = y and where the quotient leaves the range.
template <class T> HDI T log_ratio(T x, T y) {
    const T r = x / y;
    if (r > T(0.5) && r < T(2)) return ln1p_of((x - y) / y);
    return r >= fp<T>::min && r <= fp<T>::max ? log_of(r) : log_of(x) - log_of(y);
}
// sin and cos of x degrees: exact reduction, so that multiples of 90 give 0 and 1.
template <class T> HDI sine_cosine<T> degrees(T x) {
    const T ax = abs_of(x), turns = ax < T(360) ? ax : T(fmod(double(ax), 360.0));
    const T k = rint_of(turns / T(90));
    const sine_cosine<T> t = sincospi_of((turns - T(90) * k) / T(180));
    const bool odd = k == T(1) || k == T(3);
    const T s = odd ? t.cos : t.sin, c = odd ? t.sin : t.cos;
    const T sine = k == T(2) || k == T(3) ? -s : s, cosine = k == T(1) || k == T(2) ? -c : c;
    return {x < T(0) ? -sine : sine, cosine};
}
// expm1(e) / l, or exp(e - log |l|) with l's sign where that overflows: Box and Cox's transform of exp(e / l).
template <class T> HDI T box_cox(T l, T log_x) {
    if (l == T(0)) return log_x;
    const T e = l * log_x;
    if (e < fp<T>::log_max) return abs_of(e) < fp<T>::min ? log_x : expm1_of(e) / l;
    return sign_of(exp_of(e - log_of(abs_of(l))), l) - T(1) / l;
}
}  // namespace sf

struct expit {
    template <class T> HD T operator()(T x) const {
        const T e = sf::exp_of(-sf::abs_of(x)), s = T(1) / (T(1) + e);
        return x >= T(0) ? s : e * s;
    }
};
struct log_expit {
    template <class T> HD T operator()(T x) const {
        return sf::sel(x < T(0), x, T(0)) - sf::ln1p_of(sf::exp_of(-sf::abs_of(x)));
    }
};
struct logit {
    template <class T> HD T operator()(T p) const {
        if (p > T(0.3) && p < T(0.65)) {                    // the root at 1/2
            const T s = T(2) * (p - T(0.5));
            return sf::ln1p_of(s) - sf::ln1p_of(-s);
        }
        return sf::log_of(p / (T(1) - p));
    }
};
struct xlogy {
    template <class T> HD T operator()(T x, T y) const { return x == T(0) && !sf::is_nan(y) ? T(0) : x * sf::log_of(y); }
};
struct xlog1py {
    template <class T> HD T operator()(T x, T y) const { return x == T(0) && !sf::is_nan(y) ? T(0) : x * sf::ln1p_of(y); }
};
struct entr {
    template <class T> HD T operator()(T x) const {
        if (x > T(0)) return -x * sf::log_of(x);
        return x == T(0) ? T(0) : (sf::is_nan(x) ? x : -sf::inf_of<T>());
    }
};
struct rel_entr {
    template <class T> HD T operator()(T x, T y) const {
        if (sf::is_nan(x) || sf::is_nan(y)) return sf::nan_of<T>();
        if (x > T(0) && y > T(0)) return x * sf::log_ratio(x, y);
        return x == T(0) && y >= T(0) ? T(0) : sf::inf_of<T>();
    }
};
struct kl_div {
    template <class T> HD T operator()(T x, T y) const {
        if (sf::is_nan(x) || sf::is_nan(y)) return sf::nan_of<T>();
        if (x > T(0) && y > T(0)) return x * sf::log_ratio(x, y) - x + y;
        return x == T(0) && y >= T(0) ? y : sf::inf_of<T>();
    }
};
struct exprel {
    template <class T> HD T operator()(T x) const {
        if (sf::abs_of(x) < sf::fp<T>::eps) return T(1);
        if (x > sf::fp<T>::max) return x;
        const T half = sf::exp_of(T(0.5) * x);              // exp(x) overflows before the quotient does
        return x < T(0.5) * sf::fp<T>::log_max ? sf::expm1_of(x) / x : half / x * half;
    }
};
struct cosm1 {
    HD double operator()(double x) const { const double s = sin(0.5 * x); return -2 * s * s; }
    HD float operator()(float x) const { const float s = sinf(0.5f * x); return -2 * s * s; }
};
struct huber {
    template <class T> HD T operator()(T delta, T r) const {
        const T a = sf::abs_of(r);
        if (delta < T(0)) return sf::inf_of<T>();
        return a <= delta ? T(0.5) * r * r : delta * (a - T(0.5) * delta);
    }
};
struct pseudo_huber {
    template <class T> HD T operator()(T delta, T r) const {
        if (delta < T(0)) return sf::inf_of<T>();
        if (delta == T(0) || r == T(0)) return T(0);
        if (sf::abs_of(r) > sf::fp<T>::max && delta <= sf::fp<T>::max) return sf::inf_of<T>();
        const T v = r / delta;                              // delta^2 (sqrt(1 + v^2) - 1) without cancelling
        return delta * r * (v / (T(1) + sf::sqrt_of(T(1) + v * v)));
    }
};
struct boxcox {
    template <class T> HD T operator()(T x, T l) const { return T(sf::box_cox(double(l), sf::log_of(double(x)))); }
};
struct boxcox1p {
    template <class T> HD T operator()(T x, T l) const { return T(sf::box_cox(double(l), sf::ln1p_of(double(x)))); }
};
struct inv_boxcox {
    template <class T> HD T operator()(T y, T l) const {
        if (l == T(0)) return sf::exp_of(y);
        const T p = l * y;
        if (sf::abs_of(p) <= sf::fp<T>::max) return sf::exp_of(sf::ln1p_of(p) / l);
        if (!(p > T(0))) return sf::nan_of<T>();
        return sf::exp_of((sf::log_of(sf::abs_of(y + T(1) / l)) + sf::log_of(sf::abs_of(l))) / l);
    }
};
struct inv_boxcox1p {
    template <class T> HD T operator()(T y, T l) const {
        if (l == T(0)) return sf::expm1_of(y);
        const T p = l * y;
        if (sf::abs_of(p) < sf::fp<T>::min) return y;
        return sf::abs_of(p) <= sf::fp<T>::max ? sf::expm1_of(sf::ln1p_of(p) / l) : inv_boxcox()(y, l) - T(1);
    }
};
struct cbrt_row { template <class T> HD T operator()(T x) const { return sf::cbrt_of(x); } };
struct exp2_row { template <class T> HD T operator()(T x) const { return sf::pow_of(T(2), x); } };
struct exp10_row { template <class T> HD T operator()(T x) const { return sf::pow_of(T(10), x); } };
struct sindg { template <class T> HD T operator()(T x) const { return x == T(0) ? x : sf::degrees(x).sin; } };
struct cosdg { template <class T> HD T operator()(T x) const { return sf::degrees(x).cos; } };
struct tandg {
    template <class T> HD T operator()(T x) const {
        const sf::sine_cosine<T> t = sf::degrees(x);
        return x == T(0) ? x : (t.cos == T(0) ? sf::inf_of<T>() : t.sin / t.cos);
    }
};
struct cotdg {
    template <class T> HD T operator()(T x) const {
        const sf::sine_cosine<T> t = sf::degrees(x);
        return t.sin == T(0) ? sf::inf_of<T>() : t.cos / t.sin;
    }
};
struct radian {
    template <class T> HD T operator()(T d, T m, T s) const {
        return T((double(d) + (double(m) + double(s) / 60) / 60) * 0x1.1df46a2529d39p-6);      // pi / 180
    }
};

// x^y - 1, without cancellation where y log x is small; NumPy's special values of the power.
struct powm1 {
    template <class T> HD T operator()(T x, T y) const {
        using namespace sf;
        if (y == T(0) || x == T(1)) return T(0);
        if (x > T(0) && x <= fp<T>::max && abs_of(y) <= fp<T>::max) {
            const wide<T> e = log_wide(x) * y;
            if (abs_of(e.hi) < T(0.34)) return e.hi + madd(e.hi * e.hi, exp_tail(e.hi), e.lo * (T(1) + e.hi));
            return e.hi > T(3000) ? inf_of<T>() : e.hi < T(-3000) ? T(-1) : exp_wide(e.hi, e.lo) - T(1);
        }
        if (x == T(0)) return y > T(0) ? T(-1) : is_nan(y) ? y : inf_of<T>();
        if (x == T(-1) && abs_of(y) > fp<T>::max) return nan_of<T>();
        return pow_of(x, y) - T(1);
    }
};
struct log1p_row { template <class T> HD T operator()(T x) const { return sf::ln1p_of(x); } };
struct expm1_row { template <class T> HD T operator()(T x) const { return sf::expm1_of(x); } };
struct round_row { template <class T> HD T operator()(T x) const { return sf::rint_of(x); } };
}  // namespace gpusci
