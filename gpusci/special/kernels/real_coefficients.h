// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// third and ln2 as sums; k ln2_hi is exact for |k| < 2^11 (2^9 in float)
template <class T> struct real_constants;
template <> struct real_constants<double> {
    static constexpr double log2e = 0x1.71547652b82fep+0, ln2_hi = 0x1.62e42fefa38p-1, ln2_lo = 0x1.ef35793c7673p-45,
        third_hi = 0x1.5555555555555p-2, third_lo = 0x1.5555555555555p-56, pi_hi = 0x1.921fb54442d18p+1,
        pi_lo = 0x1.1a62633145c07p-53, inv_sqrt_2pi = 0x1.9884533d43651p-2, half_log_2pi_hi = 0x1.d67f1c864beb5p-1,
        half_log_2pi_lo = -0x1.65b5a1b7ff5dfp-55, euler_hi = 0x1.2788cfc6fb619p-1, euler_lo = -0x1.6cb90701fbfabp-58,
        sqrt2 = 0x1.6a09e667f3bcdp+0, sin3_hi = -0x1.4abbce625be53p+2, sin3_lo = 0x1.05511c68476a8p-52,
        cos2_hi = -0x1.3bd3cc9be45dep+2, cos2_lo = -0x1.692b71366cc04p-52, sqrt_half_hi = 0x1.6a09e667f3bcdp-1,
        sqrt_half_lo = -0x1.bdd3413b26456p-55;
};
template <> struct real_constants<float> {
    static constexpr float log2e = 0x1.715476p+0f, ln2_hi = 0x1.62e4p-1f, ln2_lo = 0x1.7f7d1cp-20f,
        third_hi = 0x1.555556p-2f, third_lo = -0x1.555556p-27f, pi_hi = 0x1.921fb6p+1f, pi_lo = -0x1.777a5cp-24f,
        inv_sqrt_2pi = 0x1.988454p-2f, half_log_2pi_hi = 0x1.d67f1cp-1f, half_log_2pi_lo = 0x1.0c97d6p-26f,
        euler_hi = 0x1.2788dp-1f, euler_lo = -0x1.c824f4p-28f, sqrt2 = 0x1.6a09e6p+0f, sin3_hi = -0x1.4abbcep+2f,
        sin3_lo = -0x1.896f94p-24f, cos2_hi = -0x1.3bd3ccp+2f, cos2_lo = -0x1.37c8bcp-23f,
        sqrt_half_hi = 0x1.6a09e6p-1f, sqrt_half_lo = 0x1.9fcef4p-27f;
};
// (exp(r) - 1 - r) / r^2, r in [-0.34692, 0.34692]: error 4.6e-18
HDI double exp_tail(double r) {
    return poly(r, 0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555557p-5, 0x1.11111111100bdp-7, 0x1.6c16c16c15a47p-10,
        0x1.a01a01abf881cp-13, 0x1.a01a01a9f7442p-16, 0x1.71de01fd535cdp-19, 0x1.27e4d3f4d165cp-22,
        0x1.af4e560b572dbp-26, 0x1.1f7f6b080fb0cp-29);
}
// (exp(r) - 1 - r) / r^2, r in [-0.34692, 0.34692]: error 9.8e-9
HDI float exp_tail(float r) {
    return poly(r, 0x1p-1f, 0x1.555556p-3f, 0x1.5554e8p-5f, 0x1.1110c6p-7f, 0x1.6d43b4p-10f, 0x1.a1520cp-13f);
}
// (atanh(z) - z - z^3 / 3) / z^5, w = z^2, w in [0.0, 0.0294667]: error 6.5e-17
HDI double log_tail(double w) {
    return poly(w, 0x1.999999999999ap-3, 0x1.2492492492523p-3, 0x1.c71c71c6ea272p-4, 0x1.745d177afd53p-4,
        0x1.3b1395a8916f6p-4, 0x1.1118d06f5f37fp-4, 0x1.df7b0c31db5b4p-5, 0x1.e04027a01aac1p-5);
}
// (atanh(z) - z - z^3 / 3) / z^5, w = z^2, w in [0.0, 0.0294667]: error 2.0e-8
HDI float log_tail(float w) {
    return poly(w, 0x1.99999ap-3f, 0x1.24928ep-3f, 0x1.c6c08ep-4f, 0x1.879ef2p-4f);
}
// (sin(pi r) / r - pi + pi^3 w / 6) / w^2, w = r^2, w in [0.0, 0.0626]: error 5.0e-17
HDI double sinpi_tail(double w) {
    return poly(w, 0x1.466bc6775aae2p+1, -0x1.32d2cce62bc95p-1, 0x1.5078348796d62p-4, -0x1.e3074e691a528p-8,
        0x1.e8f1655d9f241p-12, -0x1.6d2e8271dca49p-16);
}
// (sin(pi r) / r - pi + pi^3 w / 6) / w^2, w = r^2, w in [0.0, 0.0626]: error 2.2e-8
HDI float sinpi_tail(float w) {
    return poly(w, 0x1.466bc6p+1f, -0x1.32d0bp-1f, 0x1.4da5d8p-4f);
}
// (cos(pi r) - 1 + pi^2 w / 2) / w^2, w = r^2, w in [0.0, 0.0626]: error 1.3e-16
HDI double cospi_tail(double w) {
    return poly(w, 0x1.03c1f081b5ac4p+2, -0x1.55d3c7e3cbd6fp+0, 0x1.e1f506882eb8bp-3, -0x1.a6d1f0a924087p-6,
        0x1.f9cfbd756702ap-10, -0x1.b381ea122c3d9p-14);
}
// (cos(pi r) - 1 + pi^2 w / 2) / w^2, w = r^2, w in [0.0, 0.0626]: error 6.9e-8
HDI float cospi_tail(float w) {
    return poly(w, 0x1.03c1fp+2f, -0x1.55d014p+0f, 0x1.dd0572p-3f);
}
