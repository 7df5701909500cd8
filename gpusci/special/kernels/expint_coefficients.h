// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// the zero of Ei
template <class T> struct expint_constants;
template <> struct expint_constants<double> {
    static constexpr double root_hi = 0x1.7d72952b4b5fcp-2, root_lo = 0x1.e4c986021c6f2p-57;
};
template <> struct expint_constants<float> {
    static constexpr float root_hi = 0x1.7d7296p-2f, root_lo = -0x1.a9694p-27f;
};
// (Ei(x) - log(x / root)) / (x - root), x = t + 3, t in [-3.0, 3.0]: error 1.5e-16
HDI double ei_low(double t) {
    return poly(t, 0x1.7e4e8d89143cfp+1, 0x1.48d677bf4083ep+0, 0x1.86ccf1c914435p-2, 0x1.6036aa65f25ap-4,
        0x1.002b1e160044bp-6, 0x1.38e37bdac04c8p-9, 0x1.49c169805222bp-12, 0x1.31dcbaf75f7c1p-15,
        0x1.faee6eb6f3da2p-19, 0x1.7bc7be4e7ac19p-22, 0x1.03af3c4b72eafp-25, 0x1.46b055cc81a7ap-29,
        0x1.7c913ebc461d5p-33, 0x1.9cd5634b34e4cp-37, 0x1.a30e1fbfc6d64p-41, 0x1.8fc86dc53e49cp-45,
        0x1.67a77e3d31a8ap-49, 0x1.309d9a58fd513p-53, 0x1.ec6dfca39ffa8p-58, 0x1.a21864c60ef6ap-62,
        0x1.316976e0106f6p-66);
}
// (Ei(x) - log(x / root)) / (x - root), x = t + 3, t in [-3.0, 3.0]: error 6.1e-8
HDI float ei_low(float t) {
    return poly(t, 0x1.7e4e8ep+1f, 0x1.48d678p+0f, 0x1.86ccf2p-2f, 0x1.6036aap-4f, 0x1.002b28p-6f, 0x1.38e386p-9f,
        0x1.49bfbep-12f, 0x1.31db84p-15f, 0x1.fb31dap-19f, 0x1.7bf19ep-22f, 0x1.00f782p-25f, 0x1.43ac6cp-29f,
        0x1.b39b02p-33f, 0x1.d4e084p-37f);
}
// Ei(x) x exp(-x) at 1 / x = t + 0.13333333333333333333, t in [-0.0333333, 0.0333333]: error 4.5e-17
HDI double ei_high0(double t) {
    return poly(t, 0x1.334ed2ca3218dp+0, 0x1.22a15200851d4p+1, 0x1.236ee9c6b32d9p+2, -0x1.c57b718dfda2cp+5,
        -0x1.ea7fa7d1882fbp+7, 0x1.83d4bf728ec4cp+11, -0x1.03c0c621314b2p+11, -0x1.0c413d462d0e9p+17,
        0x1.04bda29f209d1p+20, -0x1.839a3b4c5f02ap+20, -0x1.3402438f7f183p+25, 0x1.afcaf74c1c651p+28,
        -0x1.13349bb339ap+31, -0x1.5fcd51cf31c4cp+27, 0x1.d5d5a15737609p+36, -0x1.3b6bd5943a838p+40,
        0x1.7c85c9b9f5228p+42);
}
// Ei(x) x exp(-x) at 1 / x = t + 0.13333333333333333333, t in [-0.0333333, 0.0333333]: error 4.1e-8
HDI float ei_high0(float t) {
    return poly(t, 0x1.334ed2p+0f, 0x1.22a152p+1f, 0x1.236f06p+2f, -0x1.c57c08p+5f, -0x1.ea98eap+7f, 0x1.83facap+11f,
        -0x1.e8d34ep+10f, -0x1.10471ap+17f, 0x1.cd7fb4p+19f);
}
// Ei(x) x exp(-x) at 1 / x = t + 0.075, t in [-0.025, 0.025]: error 1.1e-16
HDI double ei_high1(double t) {
    return poly(t, 0x1.171378d1eeb29p+0, 0x1.7d659c2f8d5b3p+0, 0x1.6ecfe8880305ep+2, 0x1.1d9f89c57a9ep+5,
        -0x1.4ed9c6c3d3318p+3, -0x1.44ea9fb697642p+12, -0x1.8cf7337c4db91p+14, 0x1.7aedcf0dfefd8p+19,
        0x1.b68e16e88f55ap+20, -0x1.f907c5f6a4288p+26, 0x1.53f2ee57acc98p+29, 0x1.b805c1f902bc2p+33,
        -0x1.00167dbbb39ffp+38, 0x1.9b7a935dc3dd9p+39, 0x1.f4a5ea18ad99dp+44, -0x1.2769d8993e07cp+49,
        0x1.5ddad8e46efd2p+51, 0x1.1d85dc19185aep+56, -0x1.0b46d0e47044cp+60);
}
// Ei(x) x exp(-x) at 1 / x = t + 0.075, t in [-0.025, 0.025]: error 4.8e-8
HDI float ei_high1(float t) {
    return poly(t, 0x1.171378p+0f, 0x1.7d65a6p+0f, 0x1.6ed258p+2f, 0x1.1d8598p+5f, -0x1.741336p+3f, -0x1.4041a8p+12f,
        -0x1.60e9ep+14f, 0x1.29f072p+19f);
}
// Ei(x) x exp(-x) at 1 / x = t + 0.0375, t in [-0.0125, 0.0125]: error 9.0e-17
HDI double ei_high2(double t) {
    return poly(t, 0x1.0a6a880ddea6ep+0, 0x1.2e99fa6a65577p+0, 0x1.7ceb68d4bc83fp+1, 0x1.98a1e5e5eb8eep+3,
        0x1.5c5f2b91aa545p+6, 0x1.d6c1d02607ec2p+9, 0x1.b3d56c56278a1p+13, 0x1.2954f0cf2408dp+17,
        -0x1.50b7a1f22dba1p+21, -0x1.4e1b187214a02p+27, -0x1.aec494deb6d08p+30, 0x1.46e5c4db6b142p+36,
        0x1.a8ae5e170bac9p+40, -0x1.593387f7aef48p+45, -0x1.9a8e8b6c2bdf5p+49, 0x1.47e4afe5aa4c1p+54);
}
// Ei(x) x exp(-x) at 1 / x = t + 0.0375, t in [-0.0125, 0.0125]: error 6.7e-9
HDI float ei_high2(float t) {
    return poly(t, 0x1.0a6a88p+0f, 0x1.2e99fcp+0f, 0x1.7ce578p+1f, 0x1.988eb6p+3f, 0x1.68ee72p+6f, 0x1.e72784p+9f);
}
// Ei(x) x exp(-x) at 1 / x = t + 0.0125, t in [-0.0125, 0.0125]: error 1.1e-16
HDI double ei_high3(double t) {
    return poly(t, 0x1.03487d2ef1264p+0, 0x1.0d9276e160f6cp+0, 0x1.2004be682e7fdp+1, 0x1.daedc690b2ffep+2,
        0x1.0cf2eab192cadp+5, 0x1.88e02655effcbp+7, 0x1.63e5b86d06316p+10, 0x1.858f746db5bb7p+13,
        0x1.f9df814b94c7fp+16, 0x1.7b0f55e9ffca7p+20, 0x1.47dc49b70f08ap+24, 0x1.b2972ccc693b8p+28,
        0x1.1c35cc3243989p+33);
}
// Ei(x) x exp(-x) at 1 / x = t + 0.0125, t in [-0.0125, 0.0125]: error 5.2e-8
HDI float ei_high3(float t) {
    return poly(t, 0x1.03487ep+0f, 0x1.0d925ep+0f, 0x1.200416p+1f, 0x1.dd690ep+2f, 0x1.0fa9e8p+5f);
}
// E_1(x) + log(x), x in [0.0, 1.0]: error 1.8e-17
HDI double e1_low(double x) {
    return poly(x - 0x1p-1, -0x1.11262ba8bb9b6p-3, 0x1.92e9a0720d3ecp-1, -0x1.7179c2ac4f788p-3, 0x1.3a4dba1c75dadp-5,
        -0x1.cb2d6660774dfp-8, 0x1.20c319a53da5ap-10, -0x1.3cdd41b9233acp-13, 0x1.33836e914d1e4p-16,
        -0x1.0b2239a48513ap-19, 0x1.a3b3dc6feca0ep-23, -0x1.2cc402e3eb991p-26, 0x1.8de4d53ca1592p-30,
        -0x1.e492889011261p-34);
}
// E_1(x) + log(x), x in [0.0, 1.0]: error 3.3e-8
HDI float e1_low(float x) {
    return poly(x, -0x1.2788dp-1f, 1.0f, -0x1.ffffeap-3f, 0x1.c7198cp-5f, -0x1.552706p-7f, 0x1.b1be48p-10f,
        -0x1.c64dd6p-13f, 0x1.355ceep-16f);
}
// E_1(x) x exp(x) at 1 / x = t + 5/8, t in [-0.375, 0.375]: error 8.2e-17
HDI double e1_mid(double t) {
    return poly(t, 0x1.5e32b9eab3a67p-1, -0x1.243566fce0ed4p-2, 0x1.65a40ae56efecp-3, -0x1.057d7f249de09p-3,
        0x1.a9b64b2485f75p-4, -0x1.74f391bccf2dap-4, 0x1.58ee5a708e2b8p-4, -0x1.4cb8e579ffa2fp-4,
        0x1.4bfe05558c44bp-4, -0x1.54a88763347ap-4, 0x1.65e6a9b663bcep-4, -0x1.7fc42018a85ap-4, 0x1.a2d0e9e0f7df9p-4,
        -0x1.cf0d94205e34ep-4, 0x1.03ca79c215447p-3, -0x1.303844f3682cp-3, 0x1.6252dd16feaa9p-3,
        -0x1.416ecf3635418p-3, 0x1.58c7a3670c2c5p-3, -0x1.03c704fa3b257p-1, 0x1.5c2887fe1598fp-1,
        0x1.1eb0aa43f4631p-1, -0x1.c34f47580f6c2p-1, -0x1.3e2bef54a22e6p+1, 0x1.a4bcb9daa7b46p+1);
}
// E_1(x) x exp(x) at 1 / x = t + 5/8, t in [-0.375, 0.375]: error 1.2e-8
HDI float e1_mid(float t) {
    return poly(t, 0x1.5e32bap-1f, -0x1.243566p-2f, 0x1.65a43cp-3f, -0x1.057e1p-3f, 0x1.a99768p-4f, -0x1.74b4dp-4f,
        0x1.5c772p-4f, -0x1.527994p-4f, 0x1.1e3ee6p-4f, -0x1.14a1b4p-4f, 0x1.33cea4p-3f, -0x1.608b9ep-3f);
}
// E_1(x) x exp(x) at 1 / x = t + 1/8, t in [-0.125, 0.125]: error 6.3e-17
HDI double e1_high(double t) {
    return poly(t, 0x1.cbe5bc299b793p-1, -0x1.589cebb3ba184p-1, 0x1.be40fdb08d025p-1, -0x1.7f52de4f536d5p+0,
        0x1.8acf225f73beap+1, -0x1.cedc4f9d0ed55p+2, 0x1.2b63bd8061a2ep+4, -0x1.a2c61ed82b682p+5,
        0x1.383924587f767p+7, -0x1.eb37745e734dp+8, 0x1.9485b6afb9639p+10, -0x1.5a4546bc976a2p+12,
        0x1.32cae770e4442p+14, -0x1.1dba1b079dfacp+16, 0x1.119ad6c062cd4p+18, -0x1.a5171a245cc6p+19,
        0x1.5079bfd6975e4p+21, -0x1.19aa8b3d6eb49p+25, 0x1.8f219ad8a7352p+27, 0x1.28fa1f9e67096p+30,
        -0x1.050f4df23cf2fp+33, -0x1.2d0f19c646a4cp+36, 0x1.c636445bcdbd6p+38, 0x1.f4675c415dbe7p+40,
        -0x1.709ce3dc88cd6p+43, -0x1.f2e2745855c47p+44, 0x1.54cc4fc419e61p+47);
}
// E_1(x) x exp(x) at 1 / x = t + 1/8, t in [-0.125, 0.125]: error 9.0e-9
HDI float e1_high(float t) {
    return poly(t, 0x1.cbe5bcp-1f, -0x1.589cfp-1f, 0x1.be412ep-1f, -0x1.7f49cap+0f, 0x1.8aad4ep+1f, -0x1.d1e94p+2f,
        0x1.2fb244p+4f, -0x1.6e96aap+5f, 0x1.f52daap+6f, -0x1.aca49ap+9f, 0x1.872c6ep+11f);
}
