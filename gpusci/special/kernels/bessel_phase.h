// sin and cos of a phase known as a sum of two doubles, as the oscillating Bessel functions need them.
//
// Method: reduction by pi / 2 in three words (Cody and Waite), exact for |x| < 2^20, and fits; the compiler's own
// beyond, whose reduction is exact for all x but takes three times as long. Error below one eps.
#pragma once
#include "real.h"

namespace gpusci {
namespace sf {
#include "bessel_phase_coefficients.h"

HDI sine_cosine<double> turned_back(double hi, double lo) {             // the compiler's own
    const double s = sin(hi), c = cos(hi);
    return {madd(lo, c, s), madd(-lo, s, c)};
}
HDI sine_cosine<double> sincos_of(double hi, double lo = 0) {           // |lo| <= eps |hi|
    if (!(abs_of(hi) < 0x1p20)) return turned_back(hi, lo);
    const double k = quarter_turns(hi);
    const wide<double> r = two_sum(hi - k * quarter_turn::a, -k * quarter_turn::b);     // the products are exact
    const double rest = lo + (r.lo - k * quarter_turn::c);
    const double w = r.hi * r.hi, half = 0.5 * w, top = 1 - half;
    const double s = r.hi + madd(r.hi * w, phase_sin(w), rest * top);
    const double c = top + (((1 - top) - half) + madd(w * w, phase_cos(w), -r.hi * rest));
    const int q = int(k) & 3;
    const double a = q & 1 ? c : s, b = q & 1 ? s : c;
    return {q & 2 ? -a : a, (q + 1) & 2 ? -b : b};
}

}  // namespace sf
}  // namespace gpusci
