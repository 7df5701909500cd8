// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// (log(1 + m) - m + m^2 / 2) / m^3, m in [-0.032, 0.032]: error 9.3e-17
HDI double log1pmx_tail(double m) {
    return poly(m, 0x1.5555555555555p-2, -0x1.fffffffffff8cp-3, 0x1.999999999986fp-3, -0x1.55555556c702ep-3,
        0x1.24924926cb206p-3, -0x1.ffffd858c27ddp-4, 0x1.c71c425254228p-4, -0x1.9a6332667a1d6p-4,
        0x1.752be1e92ca0ap-4);
}
// (log(1 + m) - m + m^2 / 2) / m^3, m in [-0.032, 0.032]: error 3.2e-8
HDI float log1pmx_tail(float m) {
    return poly(m, 0x1.555556p-2f, -0x1.fffffap-3f, 0x1.99999p-3f, -0x1.55a94ap-3f, 0x1.24ebdap-3f);
}
// 1 / gamma(1 + a), a = t + 7/4, t in [-1.75, 1.75]: error 1.8e-16
HDI double rgamma_shifted(double t) {
    return poly(t, 0x1.3e5638dd813bap-1, -0x1.04afb3b85a415p-1, 0x1.28b99f42aad1dp-4, 0x1.2f49850df7656p-4,
        -0x1.4193de87f333ep-5, 0x1.4db1b0a2e81d9p-8, 0x1.066a434ac4e99p-9, -0x1.02f3b12f2379cp-10,
        0x1.370e1b058bebbp-13, 0x1.038aec5105606p-16, -0x1.7579331eb03a9p-17, 0x1.115ccc22bab3dp-19,
        -0x1.a3992d9e6a75ep-25, -0x1.f9a469c870903p-25, 0x1.e79afd9bf8e9fp-27, -0x1.632ad5187f118p-30,
        -0x1.d17b4bbfcf066p-34, 0x1.c24acda6ea6cp-35, -0x1.02ed527c33cf7p-37, 0x1.6538bf44a8b06p-42,
        0x1.722c64b29ca5fp-44, -0x1.710c323942e11p-46, 0x1.26e19b387d3dp-49, 0x1.fd2d04518aa07p-55,
        -0x1.19d182b249f48p-55);
}
HDI double rgamma_shifted_slope(double p, double q) {
    return poly_slope(p, q, 0x1.3e5638dd813bap-1, -0x1.04afb3b85a415p-1, 0x1.28b99f42aad1dp-4, 0x1.2f49850df7656p-4,
        -0x1.4193de87f333ep-5, 0x1.4db1b0a2e81d9p-8, 0x1.066a434ac4e99p-9, -0x1.02f3b12f2379cp-10,
        0x1.370e1b058bebbp-13, 0x1.038aec5105606p-16, -0x1.7579331eb03a9p-17, 0x1.115ccc22bab3dp-19,
        -0x1.a3992d9e6a75ep-25, -0x1.f9a469c870903p-25, 0x1.e79afd9bf8e9fp-27, -0x1.632ad5187f118p-30,
        -0x1.d17b4bbfcf066p-34, 0x1.c24acda6ea6cp-35, -0x1.02ed527c33cf7p-37, 0x1.6538bf44a8b06p-42,
        0x1.722c64b29ca5fp-44, -0x1.710c323942e11p-46, 0x1.26e19b387d3dp-49, 0x1.fd2d04518aa07p-55,
        -0x1.19d182b249f48p-55);
}
// 1 / gamma(1 + a), a = t + 7/4, t in [-1.75, 1.75]: error 7.3e-7
HDI float rgamma_shifted(float t) {
    return poly(t, 0x1.3e5638p-1f, -0x1.04afb4p-1f, 0x1.28b99ep-4f, 0x1.2f498ap-4f, -0x1.4193d8p-5f, 0x1.4db08cp-8f,
        0x1.066926p-9f, -0x1.02ec5ap-10f, 0x1.37248cp-13f, 0x1.02003p-16f, -0x1.766d0cp-17f, 0x1.1711eep-19f,
        -0x1.499442p-25f, -0x1.2a9c94p-24f, 0x1.a5fd4ep-27f);
}
HDI float rgamma_shifted_slope(float p, float q) {
    return poly_slope(p, q, 0x1.3e5638p-1f, -0x1.04afb4p-1f, 0x1.28b99ep-4f, 0x1.2f498ap-4f, -0x1.4193d8p-5f,
        0x1.4db08cp-8f, 0x1.066926p-9f, -0x1.02ec5ap-10f, 0x1.37248cp-13f, 0x1.02003p-16f, -0x1.766d0cp-17f,
        0x1.1711eep-19f, -0x1.499442p-25f, -0x1.2a9c94p-24f, 0x1.a5fd4ep-27f);
}
// (1 / gamma(1 + a) - 1) / a, a = t + 1/4, t in [-0.25, 0.25]: error 4.8e-17
HDI double rgamma_rise(double t) {
    return poly(t, 0x1.a6f6bce523d42p-2, -0x1.4c00207b00114p-1, 0x1.0e384379579acp-4, 0x1.ed37b901145f8p-4,
        -0x1.8a5a5ba1548bfp-5, -0x1.db35ea8bf5b0bp-12, 0x1.44b1d137c9613p-8, -0x1.60dff7c2d7447p-10,
        0x1.f5de739d11b82p-17, 0x1.41eee6c0f415cp-14, -0x1.4be68f9e39049p-16, 0x1.3a230b448dae2p-20,
        0x1.1d1c0b3aa531fp-21);
}
// (1 / gamma(1 + a) - 1) / a, a = t + 1/4, t in [-0.25, 0.25]: error 3.8e-8
HDI float rgamma_rise(float t) {
    return poly(t, 0x1.a6f6bcp-2f, -0x1.4c002p-1f, 0x1.0e3844p-4f, 0x1.ed37bcp-4f, -0x1.8a5a7cp-5f, -0x1.dbbdfep-12f,
        0x1.44cd8cp-8f, -0x1.5e0a9p-10f);
}
