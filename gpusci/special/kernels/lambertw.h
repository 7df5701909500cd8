// Lambert's W, the solutions of w exp(w) = z (DLMF 4.13; Corless et al., Adv. Comput. Math. 5 (1996) 329).
//
// Real results (z >= -1/e on branch 0, -1/e <= z < 0 on branch -1): w <- w / (1 + w) (1 + log(z / w)), Iacono and Boyd, Adv.
// Comput. Math. 43 (2017) 1403, which cannot overflow. Otherwise Halley's iteration on complex numbers. Near -1/e both start
// from the series in sqrt(2 (e z + 1)), e z + 1 formed without cancellation.
#pragma once
#include <gpusci/complex_math.h>
#include "real.h"

namespace gpusci {
namespace sf {
constexpr double EULER_HI = 0x1.5bf0a8b145769p+1, EULER_LO = 0x1.4d57ee2b1013ap-53;   // e

HDI complex<double> series(complex<double>, double c) { return c; }
template <class... C> HDI complex<double> series(complex<double> z, double c0, C... c) { return series(z, c...) * z + complex<double>(c0); }
#include "lambertw_coefficients.h"

HDI double lambertw_real(double z, bool lower) {
    if (z == 0) return lower ? -inf_of<double>() : z;
    if (z > fp<double>::max) return z;
    const double distance = fma_of(EULER_HI, z, 1.0) + EULER_LO * z;        // e z + 1
    if (!(distance > 0)) return distance > -1e-15 ? -1.0 : nan_of<double>();
    double w;
    if (distance < 0.3) {
        const double p = sqrt_of(2 * distance);
        w = branch_series(lower ? -p : p);
        if (distance < 0.011) return w;                     // exact there, while the iteration loses 1 / (1 + w) ulp
    } else if (lower) {
        const double l = log_of(-z);
        w = l - log_of(-l);
    } else if (z < 2) {
        w = z / (1 + z * (z < 0 ? 1.0 : 0.6));
    } else {
        const double l = log_of(z);
        w = l - log_of(l) * (l / (1 + l));
    }
    for (int i = 0; i < 12; ++i) {
        const double next = w / (1 + w) * (1 + log_of(z / w));
        const double change = abs_of(next - w);
        w = next;
        if (change <= 1e-9 * abs_of(w)) break;              // quadratic: the next step would be exact
    }
    return w;
}
HDI complex<double> lambertw_complex(complex<double> z, int64_t k, double tolerance) {
    using C = complex<double>;
    using M = math<C>;
    const C one = 1.0;
    const C distance = {fma_of(EULER_HI, z.re, 1.0) + EULER_LO * z.re, EULER_HI * z.im};
    const double size = abs_of(z.re) + abs_of(z.im);
    const bool near_branch = z.re < 0 && distance.re * distance.re + distance.im * distance.im < 1.5;
    C w;
    if (near_branch && (k == 0 || (k == -1 && z.im >= 0) || (k == 1 && z.im < 0))) {
        const C p = M::sqrt(distance * C(2.0));
        w = branch_series(k == 0 ? p : -p);
    } else if (k == 0 && size < 4 && z.re > -0.7) {         // S. Winitzki, LNCS 2667 (2003) 780
        const C l = M::log1p(z);
        w = l * (one - M::log1p(l) / (C(2.0) + l));
    } else {
        const C l = M::log(z) + C(0.0, 2 * real_constants<double>::pi_hi * double(k));
        w = l - M::log(l);
    }
    for (int i = 0; i < 100; ++i) {                         // on w - z exp(-w) or on its mirror, whichever does not overflow
        const C e = M::exp(w.re < 0 ? w : -w);
        const C f = w.re < 0 ? w * e - z : w - z * e, wp = w + one;
        const C d = w.re < 0 ? e * wp : wp;
        const C change = f / (d - (w + C(2.0)) * f / (C(2.0) * wp));
        const C next = w - change;
        w = next;
        if (abs_of(change.re) + abs_of(change.im) <= tolerance * (abs_of(w.re) + abs_of(w.im))) return w;
    }
    return {nan_of<double>(), nan_of<double>()};
}
}  // namespace sf

struct lambertw {
    HD complex<double> operator()(complex<double> z, int64_t k, double tolerance) const {
        using namespace sf;
        if (is_nan(z.re) || is_nan(z.im)) return z;
        if (z.re > fp<double>::max) return {z.re, z.im + 2 * real_constants<double>::pi_hi * double(k)};
        if (z.re < -fp<double>::max) return {-z.re, z.im + (2 * double(k) + 1) * real_constants<double>::pi_hi};
        if (z.re == 0 && z.im == 0) return k == 0 ? z : complex<double>(-inf_of<double>(), 0.0);
        const bool real_0 = k == 0 && z.re >= -0.36787944117144233, real_1 = k == -1 && z.re < 0 && z.re >= -0.36787944117144233;
        if (z.im == 0 && (real_0 || real_1)) return {lambertw_real(z.re, k != 0), z.im};
        return lambertw_complex(z, k, tolerance);
    }
};
}  // namespace gpusci
