// Complete elliptic integrals K(m), E(m) of real parameter m <= 1 (DLMF 19.2.8).
//
// Method: K by the arithmetic-geometric mean (19.8.5); E as Bulirsch's cel(k', 1, 1, k'^2) by his transformation,
// Numer. Math. 7 (1965) 78, which adds positive terms. Both converge quadratically. Accuracy: 3 eps.
#pragma once
#include "real.h"

namespace gpusci {
namespace sf {
// A fixed number of steps, without branches, so that the host's loop vectorises: 7 suffice from 1e-8 on, below which
// log(4 / sqrt(p)) and one term more are exact (DLMF 19.12.1).
template <class T> HDI T elliptic_k(T p) {                  // p = 1 - m >= 0
    T a = T(1), g = sqrt_of(p);
    const T l = T(1.3862943611198906) - T(0.5) * log_of(p), near = madd(T(0.25) * p, l - T(1), l);
#pragma unroll
    for (int i = 0; i < 7; ++i) {
        const T mean = T(0.5) * (a + g);
        g = sqrt_of(a * g);
        a = mean;
    }
    const T k = sel(p < T(1e-8), near, real_constants<T>::pi_hi / (a + g));
    return sel(p >= T(0), sel(p > fp<T>::max, T(0), sel(p == T(0), inf_of<T>(), k)), nan_of<T>());
}
template <class T> HDI T elliptic_e(T p) {
    if (!(p >= T(0))) return nan_of<T>();
    if (p == T(0)) return T(1);
    if (p > fp<T>::max) return p;
    T k = sqrt_of(p), e = k, scale = T(1), q = T(1), a = T(1), b = p;
    for (int i = 0; i < 20; ++i) {
        const T f = a, g = e / q, h = scale;
        a += b / q;
        b = T(2) * (b + f * g);
        q += g;
        scale += k;
        if (abs_of(h - k) <= sqrt_of(fp<T>::eps) * T(0.5) * h) break;
        k = T(2) * sqrt_of(e);
        e = k * scale;
    }
    return T(0.5) * real_constants<T>::pi_hi * (b + a * scale) / (scale * (scale + q));
}
}  // namespace sf

struct ellipk { template <class T> HD T operator()(T m) const { return sf::elliptic_k(T(1) - m); } };
struct ellipkm1 { template <class T> HD T operator()(T p) const { return sf::elliptic_k(p); } };
struct ellipe { template <class T> HD T operator()(T m) const { return sf::elliptic_e(T(1) - m); } };
}  // namespace gpusci
