// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// pi / 2 as a sum, 33 bits each in a and b
struct quarter_turn { static constexpr double a = 0x1.921fb544p+0, b = 0x1.0b4611a6p-34, c = 0x1.3198a2e037073p-69; };
HDI double quarter_turns(double x) { return rint_of(x * 0x1.45f306dc9c883p-1); }
// (sin(r) - r) / r^3, w = r^2, w in [0.0, 0.617467]: error 5.7e-17
HDI double phase_sin(double w) {
    return poly(w, -0x1.5555555555555p-3, 0x1.111111111111p-7, -0x1.a01a01a01992fp-13, 0x1.71de3a545f8f3p-19,
        -0x1.ae645410fbb2p-26, 0x1.61217d9f9f713p-33, -0x1.ab16fcf890141p-41);
}
// (cos(r) - 1 + r^2 / 2) / r^4, w = r^2, w in [0.0, 0.617467]: error 5.8e-17
HDI double phase_cos(double w) {
    return poly(w, 0x1.5555555555555p-5, -0x1.6c16c16c16964p-10, 0x1.a01a019f4dec6p-16, -0x1.27e4fa16da666p-22,
        0x1.1eeb67dd50932p-29, -0x1.907ce1862b0b7p-37);
}
