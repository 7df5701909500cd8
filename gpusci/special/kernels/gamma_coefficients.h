// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// (log gamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2) x, w = 1 / x^2, x >= 3, w in [0.0, 0.111111]: error 5.6e-17
HDI double stirling(double w) {
    return poly(w, 0x1.5555555555555p-4, -0x1.6c16c16c118c8p-9, 0x1.a01a017bb44fcp-11, -0x1.3813680c1022dp-11,
        0x1.b948c2129f328p-11, -0x1.f5ab9cb6fd967p-10, 0x1.9af30cbee7fccp-8, -0x1.a9c960a52bfb8p-6,
        0x1.cf0b2d34d8a98p-4, -0x1.ac0cb38cb7cb4p-2, 0x1.0e1ff44c69c92p+0, -0x1.4a230bc47f32dp+0);
}
// (log gamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2) x, w = 1 / x^2, x >= 3, w in [0.0, 0.111111]: error 8.2e-9
HDI float stirling(float w) {
    return poly(w - 0x1.c71c72p-5f, 0x1.54b5fcp-4f, -0x1.612fd2p-9f, 0x1.73b5ep-11f, -0x1.dd2be4p-12f);
}
// log gamma(x) / ((x - 1) (x - 2)), x = 1.125 + t, t in [-0.375, 0.375]: error 1.4e-17
HDI double lgamma_one(double t) {
    return poly(t, 0x1.18fa23339f753p-1, -0x1.b0711b5caafep-3, 0x1.e9e50dcc1e965p-4, -0x1.4348c4d3c9c76p-4,
        0x1.cd104346c327fp-5, -0x1.580598a5a3567p-5, 0x1.084e46831b333p-5, -0x1.9e7568c5b3dd4p-6,
        0x1.49db425dbcf07p-6, -0x1.0991ae350d7d9p-6, 0x1.af9333223c84ap-7, -0x1.6155bb6ec5ae8p-7,
        0x1.2328940f746c5p-7, -0x1.e267a39fed775p-8, 0x1.9063372e1f7dep-8, -0x1.4e51f726caa58p-8,
        0x1.21b5e72e2efd2p-8, -0x1.ea7a40d35c85dp-9, 0x1.3afe2df05705cp-9, -0x1.010962e4beea5p-9,
        0x1.00f69bff93797p-8, -0x1.c17a0f0241699p-9);
}
// log gamma(x) / ((x - 1) (x - 2)), x = 1.125 + t, t in [-0.375, 0.375]: error 5.2e-8
HDI float lgamma_one(float t) {
    return poly(t, 0x1.18fa24p-1f, -0x1.b0711cp-3f, 0x1.e9e514p-4f, -0x1.434782p-4f, 0x1.cd0c32p-5f, -0x1.58686cp-5f,
        0x1.08c74ap-5f, -0x1.92442ap-6f, 0x1.3d495cp-6f, -0x1.5b6adap-6f, 0x1.22763ap-6f);
}
// the same, x = 2.25 + t, t in [-0.75, 0.75]: error 2.3e-17
HDI double lgamma_two(double t) {
    return poly(t, 0x1.992dfc9539d9bp-2, -0x1.5fc498795de96p-4, 0x1.9dff298b20962p-6, -0x1.155963451c756p-7,
        0x1.8e9b025ba1921p-9, -0x1.2b1a505b72fefp-10, 0x1.ce0fe40b781fp-12, -0x1.6c4b7acb9f603p-13,
        0x1.2399887140b19p-14, -0x1.d84449baaa1d7p-16, 0x1.81f10579d6e11p-17, -0x1.3dba9fbc0ed01p-18,
        0x1.0734968e56a1bp-19, -0x1.b64462de84e1ap-21, 0x1.6d6bb980ae941p-22, -0x1.3271433e29c79p-23,
        0x1.0acf2279c665bp-24, -0x1.c56bf48b8195p-26, 0x1.22eece25c69f5p-27, -0x1.dc26d7ee2fa32p-29,
        0x1.e0d0ca3ca522fp-29, -0x1.a5a256b6196e5p-30);
}
// the same, x = 2.25 + t, t in [-0.75, 0.75]: error 2.8e-8
HDI float lgamma_two(float t) {
    return poly(t, 0x1.992dfcp-2f, -0x1.5fc49ap-4f, 0x1.9dff3p-6f, -0x1.15584p-7f, 0x1.8e9754p-9f, -0x1.2b736ep-10f,
        0x1.ceeb5p-12f, -0x1.614daap-13f, 0x1.183522p-14f, -0x1.35e072p-15f, 0x1.049bd4p-16f);
}
// digamma(1 + f) / (f - root), f = t + 1/2, t in [-0.5, 0.5]: error 4.8e-17
HDI double digamma_one(double t) {
    return poly(t, 0x1.e6f0cbb873616p-1, -0x1.b1cb63005ee98p-2, 0x1.eca189b8e6f7bp-3, -0x1.2feeeb98a78cbp-3,
        0x1.8512e59037ebbp-4, -0x1.fb44202a259cep-5, 0x1.4de9aa1802de8p-5, -0x1.b9f8b11b2f98ep-6,
        0x1.25647156391a7p-6, -0x1.8635641765f08p-7, 0x1.03c0b2b60f6f7p-7, -0x1.5a06a23d62223p-8,
        0x1.cd1f26d55994ep-9, -0x1.336df991b5f25p-9, 0x1.99e1aca26565dp-10, -0x1.0fb126d4c2892p-10,
        0x1.69ba8fdd1d52cp-11, -0x1.fdacdb7508852p-12, 0x1.56c5b73aaffa6p-12, -0x1.2f41994664278p-13,
        0x1.80260c257a44fp-14, -0x1.761380b8f00cep-13, 0x1.00b98a8f0aa04p-13);
}
// digamma(1 + f) / (f - root), f = t + 1/2, t in [-0.5, 0.5]: error 2.1e-8
HDI float digamma_one(float t) {
    return poly(t, 0x1.e6f0ccp-1f, -0x1.b1cb62p-2f, 0x1.eca1a2p-3f, -0x1.2fef14p-3f, 0x1.850a7cp-4f, -0x1.fb303cp-5f,
        0x1.4f02c8p-5f, -0x1.bc0e1ep-6f, 0x1.150a3p-6f, -0x1.6b738cp-7f, 0x1.70143p-7f, -0x1.f8da9cp-8f);
}
// digamma(x) x (1 + x) / (x - low_root), x = t - 1/2, t in [-0.25, 0.25]: error 3.4e-17
HDI double digamma_low(double t) {
    return poly(t, -0x1.1dfc29be4c45fp+1, 0x1.17908992d7294p-3, 0x1.c159bf34249d7p-1, -0x1.842c2b386207dp-2,
        0x1.b2a39a1ef064dp-3, -0x1.0a425652cada9p-3, 0x1.5390adc715a06p-4, -0x1.b9cd22e127f3cp-5,
        0x1.227ac618adf0dp-5, -0x1.80397340e3f24p-6, 0x1.fdfc2548242b2p-7, -0x1.531230ee0e6fap-7,
        0x1.c0d1425a57febp-8, -0x1.2aacfe15522ecp-8, 0x1.c01ef3b10b9aap-9, -0x1.2cc13718dd4e5p-9);
}
// digamma(x) x (1 + x) / (x - low_root), x = t - 1/2, t in [-0.25, 0.25]: error 1.5e-8
HDI float digamma_low(float t) {
    return poly(t, -0x1.1dfc2ap+1f, 0x1.17908cp-3f, 0x1.c15a0cp-1f, -0x1.842cecp-2f, 0x1.b243fap-3f, -0x1.09ec8cp-3f,
        0x1.6671e2p-4f, -0x1.d5ff62p-5f);
}
// (log(x) - 1 / (2 x) - digamma(x)) x^2, w = 1 / x^2, x >= 2, w in [0.0, 0.25]: error 5.6e-17
HDI double digamma_stirling(double w) {
    return poly(w, 0x1.5555555555555p-4, -0x1.111111110f116p-7, 0x1.041040fc17bbap-8, -0x1.11110ab090348p-8,
        0x1.f07962c4716fap-8, -0x1.5966e1166677fp-6, 0x1.5334bd6ec2a37p-4, -0x1.b3d09a98f82dfp-2,
        0x1.4bb4fd3adc056p+1, -0x1.09e28a7bd6951p+4, 0x1.93e9fe08b79bdp+6, -0x1.0d53c7d70e60ap+9,
        0x1.2b58c3fc8692ep+11, -0x1.0ab8efeace2e5p+13, 0x1.6f75d2014e03bp+14, -0x1.76bb7ef0e806ep+15,
        0x1.094204d1fb5c4p+16, -0x1.d03496431b457p+15, 0x1.7980412724d45p+14);
}
// (log(x) - 1 / (2 x) - digamma(x)) x^2, w = 1 / x^2, x >= 2, w in [0.0, 0.25]: error 5.2e-8
HDI float digamma_stirling(float w) {
    return poly(w, 0x1.555556p-4f, -0x1.110eacp-7f, 0x1.031bccp-8f, -0x1.fc78c6p-9f, 0x1.342b9cp-8f,
        -0x1.dc3edcp-9f);
}
