// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// third and ln2 as sums; k ln2_hi is exact for |k| < 2^11 (2^9 in float)
template <class T> struct real_constants;
template <> struct real_constants<double> {
    static constexpr double log2e = 0x1.71547652b82fep+0, ln2_hi = 0x1.62e42fefa38p-1, ln2_lo = 0x1.ef35793c7673p-45,
        third_hi = 0x1.5555555555555p-2, third_lo = 0x1.5555555555555p-56, pi_hi = 0x1.921fb54442d18p+1,
        pi_lo = 0x1.1a62633145c07p-53, pi_2_hi = 0x1.921fb54442d18p+0, pi_2_lo = 0x1.1a62633145c07p-54,
        inv_sqrt_pi_hi = 0x1.20dd750429b6dp-1, inv_sqrt_pi_lo = 0x1.1ae3a914fed8p-57,
        half_log_2pi_hi = 0x1.d67f1c864beb5p-1, half_log_2pi_lo = -0x1.65b5a1b7ff5dfp-55,
        euler_hi = 0x1.2788cfc6fb619p-1, euler_lo = -0x1.6cb90701fbfabp-58;
};
template <> struct real_constants<float> {
    static constexpr float log2e = 0x1.715476p+0f, ln2_hi = 0x1.62e4p-1f, ln2_lo = 0x1.7f7d1cp-20f,
        third_hi = 0x1.555556p-2f, third_lo = -0x1.555556p-27f, pi_hi = 0x1.921fb6p+1f, pi_lo = -0x1.777a5cp-24f,
        pi_2_hi = 0x1.921fb6p+0f, pi_2_lo = -0x1.777a5cp-25f, inv_sqrt_pi_hi = 0x1.20dd76p-1f,
        inv_sqrt_pi_lo = -0x1.f7ac92p-26f, half_log_2pi_hi = 0x1.d67f1cp-1f, half_log_2pi_lo = 0x1.0c97d6p-26f,
        euler_hi = 0x1.2788dp-1f, euler_lo = -0x1.c824f4p-28f;
};
// (exp(r) - 1 - r) / r^2, r in [-0.34692, 0.34692]: error 5.4e-18
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
