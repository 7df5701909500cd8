// jinc: 2 J1(x) / x for x >= 0, absolute error below 3e-16 (of a largest value 1; test_filters.py holds it to mpmath).
// Below 3 a series, below 8 a polynomial in x^2, above the amplitude and phase of DLMF 10.17.3: J1 = sqrt(2 / (pi x)) (P cos w - Q sin w),
// w = x - 3 pi / 4, with P and x Q / 8 polynomials in (8/x)^2. All three are Chebyshev interpolants made with mpmath at 50
// digits, as powers of t in [-1, 1]: of 2 J1(x) / x, degree 16 in t = x^2 / 32 - 1, remainder 7e-19; of the real and the imaginary
// part of H1(x) exp(-i w) sqrt(pi x / 2), degree 12 in t = 128 / x^2 - 1, remainder 2e-17. The C library's j1 takes ten times longer.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

template <int N>
HD double horner(const double (&c)[N], double t) {
    double v = c[N - 1];
#pragma unroll
    for (int k = N - 2; k >= 0; --k) v = v * t + c[k];
    return v;
}

// 2 J1(x) / x of the square z = x^2 < 64. Below 9 its power series (DLMF 10.2.2), whose terms stay near 1.
HD double jinc_below_8(double z) {
    const double c[] = {
        -0.11628765591198214, 0.16211732077179591, 0.303033302876132651, -0.519189730571860538, 0.317167528654438763,
        -0.109491636425694438, 0.0249136287845108781, -0.00405807898914119955, 0.000498989162781809849,
        -0.0000480914973193739696, 3.73690507441145459e-6, -2.39341637357443463e-7, 1.28625375715061758e-8,
        -5.88602759678183227e-10, 2.32211958280859303e-11, -8.00914547757229378e-13, 2.41872267926765773e-14};
    const double q = z / 4;
    double series = 1.0;
#pragma unroll
    for (int k = 14; k > 0; --k) series = 1.0 - q * (1.0 / double(k * (k + 1))) * series;
    const double polynomial = horner(c, z / 32 - 1);
    return z < 9 ? series : polynomial;
}

HD double jinc(double x) {
    if (x < 8) return jinc_below_8(x * x);
    const double p[] = {
        1.00090702627808217, 0.000898804941670519507, -7.9596946984786576e-6, 2.45367663311693018e-7,
        -1.47085125161458212e-8, 1.36029706653691105e-9, -1.7131278980857612e-10, 2.72341878112870633e-11,
        -5.18719981491451766e-12, 1.09580929272518018e-12, -2.66891431604198315e-13, 1.09117834676015725e-13,
        -3.42734255116645489e-14};
    const double q[] = {
        0.0467768740274489777, -0.0000962145882205050978, 1.82120185121298503e-6, -8.2919608178862988e-8,
        6.42013298328018137e-9, -7.15101966239441777e-10, 1.03947133359295043e-10, -1.85531345876206224e-11,
        3.88852234888933203e-12, -8.78887227352731593e-13, 2.28613258183305622e-13, -1.05015109225864314e-13,
        3.48650442195058526e-14};
    const double s = 8 / x, t = 2 * s * s - 1, w = x - 2.35619449019234492885;
    return 2 / x * sqrt(0.63661977236758134308 / x) * (horner(p, t) * cos(w) - s * horner(q, t) * sin(w));
}

}  // namespace gpusci
