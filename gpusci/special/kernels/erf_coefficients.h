// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// limits of the functions below
template <class T> struct erf_constants;
template <> struct erf_constants<double> {
    static constexpr double erfcx_end = 0x1.812746b0379e7p-3, erfinv_start_hi = 0x1.c5bf891b4ef6bp-1,
        erfinv_start_lo = -0x1.618f13eb7ca89p-55;
};
template <> struct erf_constants<float> {
    static constexpr float erfcx_end = 0x1.812746p-3f, erfinv_start_hi = 0x1.c5bf8ap-1f,
        erfinv_start_lo = -0x1.c96212p-26f;
};
// erf(x) / x - 1, w = x^2, w in [0.0, 1.0]: error 1.6e-17
HDI double erf_small(double w) {
    return poly(w, 0x1.06eba8214db69p-3, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b32p-4, -0x1.b82ce31284e9cp-6,
        0x1.565bcd0dbc1adp-8, -0x1.c02db3db06d6p-11, 0x1.f9a321dd3898cp-14, -0x1.f4d1e3a67dc3ep-17,
        0x1.b9df2954a9147p-20, -0x1.5f1f0634fb062p-23, 0x1.f7b72e5bcd4ffp-27, -0x1.38a4b8db8a7c5p-30,
        0x1.0613987edce0dp-34);
}
// erf(x) / x - 1, w = x^2, w in [0.0, 1.0]: error 9.9e-9
HDI float erf_small(float w) {
    return poly(w, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2d18p-4f, -0x1.b7fb38p-6f, 0x1.541636p-8f, -0x1.a46b4p-11f,
        0x1.4a9dacp-14f);
}
// (erfcx(x) / u - 1 / (3 sqrt(pi))) / u, u = 3 / (3 + x), t = 2 u - 1, t in [-1.0, 1.0]: error 8.8e-17
HDI double erfcx_tail(double t) {
    return poly(t, 0x1.5c0908f41c073p-2, 0x1.fe0eabb6e3302p-3, 0x1.27cd17ae17ef2p-3, 0x1.002e29521f75p-4,
        0x1.18d732ffbe0aap-6, 0x1.85e5f1ee8c31ep-11, -0x1.96d592fffd666p-10, -0x1.eda03fbdfbp-12,
        0x1.b951a16bb72ddp-14, 0x1.4c9bb7b6cf43cp-14, -0x1.fd8364dc405c6p-18, -0x1.a93f51b006d8cp-17,
        0x1.1381f868c8838p-20, 0x1.1f53341244f64p-19, -0x1.3f28b857cdb0dp-22, -0x1.8e4e633534336p-22,
        0x1.a9c8821ed919fp-24, 0x1.026cf558a604ap-24, -0x1.fcf6da29d9e87p-26, -0x1.0d55674bc2812p-27,
        0x1.f50ba47c5bf5ep-28, 0x1.4d06674bb5ffp-31, -0x1.650114af5fa29p-30, -0x1.a438b6765b567p-38,
        0x1.0cd1f9d75e9e6p-33);
}
// (erfcx(x) / u - 1 / (3 sqrt(pi))) / u, u = 3 / (3 + x), t = 2 u - 1, t in [-1.0, 1.0]: error 9.2e-8
HDI float erfcx_tail(float t) {
    return poly(t, 0x1.5c0908p-2f, 0x1.fe0eacp-3f, 0x1.27cd1ap-3f, 0x1.002e46p-4f, 0x1.18d654p-6f, 0x1.856d96p-11f,
        -0x1.96978p-10f, -0x1.ea49aep-12f, 0x1.b1431p-14f, 0x1.350354p-14f, -0x1.77e43ep-18f, -0x1.ff3928p-18f);
}
// (erfinv(x) / x - sqrt(pi) / 2) / w, w = -log(1 - x^2) = t + 2.6, t in [-2.6, 2.6]: error 1.4e-17
HDI double erfinv_low(double t) {
    return poly(t, 0x1.f7f7df95bbee6p-3, -0x1.f453f393b859dp-14, -0x1.bdb9c8d78b72bp-10, 0x1.aefe1f6de3fe6p-13,
        0x1.f6f7cce7b2133p-19, -0x1.13faed7dccf22p-18, 0x1.aaed4758ca411p-22, 0x1.22eaa5bc2a18cp-25,
        -0x1.89cd09b6f25cap-27, 0x1.4b2dcd9f3a696p-31, 0x1.600cd108ade8p-33, -0x1.0436ccdd7ce4ap-35,
        0x1.97c95de17c44ap-45, 0x1.4c713cfaed217p-41, -0x1.28c13bf19e789p-44, -0x1.5944f246390dfp-48,
        0x1.0f904cadf64e3p-49, -0x1.d3a78bdd1660bp-54, -0x1.0c281f113da65p-55, 0x1.4779e4538ba2cp-58,
        0x1.f0058186ea6cap-63, -0x1.2dad72e8e7fc9p-64);
}
// (erfinv(x) / x - sqrt(pi) / 2) / w, w = -log(1 - x^2) = t + 2.6, t in [-2.6, 2.6]: error 1.7e-8
HDI float erfinv_low(float t) {
    return poly(t, 0x1.f7f7ep-3f, -0x1.f45712p-14f, -0x1.bdb9dp-10f, 0x1.af02d4p-13f, 0x1.f711b2p-19f,
        -0x1.147b7p-18f, 0x1.aa7106p-22f, 0x1.39b432p-25f, -0x1.85c96p-27f, 0x1.7a95b6p-33f, 0x1.461ccp-33f);
}
// erfinv(x) / x, t = sqrt(-log(1 - x^2)) - 3.25, t in [-1.0, 1.0]: error 4.8e-17
HDI double erfinv_mid(double t) {
    return poly(t, 0x1.8abcc380d5a48p+1, 0x1.0158a6d641d55p+0, 0x1.5ffcfe5b6bd6ap-8, -0x1.ebadabb9fec57p-9,
        0x1.468eeca9a624fp-9, -0x1.ba9240d9de8e1p-10, 0x1.f3cc543fe708bp-11, -0x1.7448bc595ea9cp-12,
        0x1.932eb5db111d1p-16, 0x1.1e6aa96a18ec5p-14, -0x1.8cf4d8443907bp-15, 0x1.a24567fe6a28dp-17,
        0x1.89b7adf41a5fbp-19, -0x1.0b96590a97742p-18, 0x1.8d1c3475e8273p-20, -0x1.93afd6c27fd22p-26,
        -0x1.034e08c640b7bp-22, 0x1.0cc8be1a51348p-23, -0x1.b67a580901eadp-26, -0x1.419c9aeab1cd4p-27,
        0x1.72b67d790d53ep-27, -0x1.885415a102df6p-29, -0x1.0089a7ae57428p-30, 0x1.0c8f596e2a5d3p-31);
}
// erfinv(x) / x, t = sqrt(-log(1 - x^2)) - 3.25, t in [-1.0, 1.0]: error 2.9e-8
HDI float erfinv_mid(float t) {
    return poly(t, 0x1.8abcc4p+1f, 0x1.0158a8p+0f, 0x1.600086p-8f, -0x1.ebbb32p-9f, 0x1.463db8p-9f, -0x1.b9c90cp-10f,
        0x1.f9184ep-11f, -0x1.7e806ap-12f, 0x1.672adep-18f, 0x1.6045e2p-14f, -0x1.0f9c94p-15f);
}
// the same times v = 1 / sqrt(-log(1 - x^2)), t = v - 0.135, t in [-0.101, 0.101]: error 5.1e-17
HDI double erfinv_high(double t) {
    return poly(t, 0x1.f72ecf3615ffdp-1, -0x1.8161448a6dee7p-3, -0x1.a02172863f6a2p-3, 0x1.32483bc278a08p+0,
        -0x1.311bb1d9c77e4p+1, 0x1.9d5f4151cfaf4p+2, -0x1.8bb695699c1fp+4, 0x1.aa7525d76bc2cp+6,
        -0x1.edcb25d8737abp+8, 0x1.306a7d9fb8db2p+11, -0x1.8a5e85a5b6d7cp+13, 0x1.0a134efef0001p+16,
        -0x1.72b4cfd387b6dp+18, 0x1.f9ed430b3ae86p+20, -0x1.5c7aeb4711a19p+23, 0x1.99af1c89f9859p+26,
        -0x1.9047667c76539p+29, -0x1.953ea7bc10f27p+32, 0x1.6f2190aafb645p+36, 0x1.0a69f3bf0325cp+41,
        -0x1.4c01d87c684c5p+44, -0x1.382cd2fddea5p+48, 0x1.661010de94bd2p+51, 0x1.176feb1af23p+55,
        -0x1.302f97b3056dcp+58, -0x1.595ff51f6f6d6p+61, 0x1.6e5f055053a1dp+64, 0x1.24147570c74b9p+67,
        -0x1.2e4dbfebb3132p+70, -0x1.2baff089ba634p+72, 0x1.2ed6ed0320f2fp+75, 0x1.25552928eb32cp+76,
        -0x1.1fec4aabec239p+79);
}
// the same times v = 1 / sqrt(-log(1 - x^2)), t = v - 0.1640625, t in [-0.072, 0.072]: error 1.9e-8
HDI float erfinv_high(float t) {
    return poly(t, 0x1.f44f26p-1f, -0x1.93cbecp-3f, -0x1.c0ee2p-4f, 0x1.ed8ebp-1f, -0x1.ae3dfap+0f, 0x1.be0b2ep+1f,
        -0x1.9ac934p+3f, 0x1.8fb0ecp+5f);
}
