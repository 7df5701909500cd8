// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// as in gamma_coefficients.h, w in [0.0, 0.111111]: error 5.6e-17
HDI double stirling_slope(double p, double q) {
    return poly_slope(p, q, 0x1.5555555555555p-4, -0x1.6c16c16c118c8p-9, 0x1.a01a017bb44fcp-11,
        -0x1.3813680c1022dp-11, 0x1.b948c2129f328p-11, -0x1.f5ab9cb6fd967p-10, 0x1.9af30cbee7fccp-8,
        -0x1.a9c960a52bfb8p-6, 0x1.cf0b2d34d8a98p-4, -0x1.ac0cb38cb7cb4p-2, 0x1.0e1ff44c69c92p+0,
        -0x1.4a230bc47f32dp+0);
}
// as in gamma_coefficients.h, w in [0.0, 0.111111]: error 8.2e-9
HDI float stirling_slope(float p, float q) {
    return poly_slope(p - 0x1.c71c72p-5f, q - 0x1.c71c72p-5f, 0x1.54b5fcp-4f, -0x1.612fd2p-9f, 0x1.73b5ep-11f,
        -0x1.dd2be4p-12f);
}
// (v - log(1 + v)) / v^2, v = t + 0.18, t in [-0.18, 0.18]: error 3.5e-17
HDI double log1p_gap(double t) {
    return poly(t, 0x1.c9d0b60ad77d9p-2, -0x1.09be8000e6a2p-2, 0x1.5765c85ef6aa7p-3, -0x1.d6cb36d299e08p-4,
        0x1.4f22c567f3a46p-4, -0x1.e9cffc298693fp-5, 0x1.6ceb1f0ead698p-5, -0x1.13ee6ff57ba24p-5,
        0x1.a6385d8c1a4ebp-6, -0x1.462496571fd75p-6, 0x1.fbd7c46d1af4dp-7, -0x1.8d024b0d761eep-7,
        0x1.38ca526f523d3p-7, -0x1.0c9d27e2adc88p-7, 0x1.add8ced3cb0dep-8);
}
// (v - log(1 + v)) / v^2, v = t + 0.18, t in [-0.18, 0.18]: error 1.4e-9
HDI float log1p_gap(float t) {
    return poly(t, 0x1.c9d0b6p-2f, -0x1.09be8p-2f, 0x1.5765e8p-3f, -0x1.d6cb9p-4f, 0x1.4efdfcp-4f, -0x1.e982f8p-5f,
        0x1.7afb8cp-5f, -0x1.20300cp-5f);
}
// Gauss-Legendre nodes and weights on [0, 1]: exp(-42 u) and exp(-42 u^2) to the last digit of double
HDI void gauss_rule(int i, double& node, double& weight) {
    constexpr double nodes[] = {0x1.972d609b969afp-10, 0x1.0b94db19549d6p-7, 0x1.478039d084a35p-6,
        0x1.2e48dbebcd487p-5, 0x1.e108342086be4p-5, 0x1.5d0ca0257a457p-4, 0x1.db97817405f64p-4, 0x1.3566ae0d760ebp-3,
        0x1.8494c8c6ff7a7p-3, 0x1.da7f3305f1d55p-3, 0x1.1b1e63c740ab3p-2, 0x1.4b6a494566839p-2, 0x1.7da03a9382886p-2,
        0x1.b137f6726cf29p-2, 0x1.e5a57b8f1ebedp-2, 0x1.0d2d423870a0ap-1, 0x1.276404c6c986bp-1, 0x1.412fe2b63ebbdp-1,
        0x1.5a4adb5d4cbe4p-1, 0x1.7270ce1c5faa7p-1, 0x1.8960333e838abp-1, 0x1.9edacdce40216p-1, 0x1.b2a6547ca27c5p-1,
        0x1.c48d0fd17f414p-1, 0x1.d45e6bfb50b75p-1, 0x1.e1ef7cbdf7942p-1, 0x1.ed1b7241432b8p-1, 0x1.f5c3fe317bdaep-1,
        0x1.fbd1ac939aad9p-1, 0x1.ff34694fb234bp-1};
    constexpr double weights[] = {0x1.051a0b16f2427p-8, 0x1.2e8dfb5e00194p-7, 0x1.d79bd0bef65edp-7,
        0x1.3dd7cde65401p-6, 0x1.8c83c31b159edp-6, 0x1.d6fbe3365a0dep-6, 0x1.0e3afe7b90638p-5, 0x1.2e1abeb620f4ep-5,
        0x1.4ac6b18f8353bp-5, 0x1.63f10800ed9cbp-5, 0x1.79557743c7fbdp-5, 0x1.8ab9f1e859c52p-5, 0x1.97ef454512ac4p-5,
        0x1.a0d1997eea523p-5, 0x1.a548d2c7c13a9p-5, 0x1.a548d2c7c13a9p-5, 0x1.a0d1997eea523p-5, 0x1.97ef454512ac4p-5,
        0x1.8ab9f1e859c52p-5, 0x1.79557743c7fbdp-5, 0x1.63f10800ed9cbp-5, 0x1.4ac6b18f8353bp-5, 0x1.2e1abeb620f4ep-5,
        0x1.0e3afe7b90638p-5, 0x1.d6fbe3365a0dep-6, 0x1.8c83c31b159edp-6, 0x1.3dd7cde65401p-6, 0x1.d79bd0bef65edp-7,
        0x1.2e8dfb5e00194p-7, 0x1.051a0b16f2427p-8};
    node = nodes[i], weight = weights[i];
}
// Gauss-Legendre nodes and weights on [0, 1]: exp(-42 u) and exp(-42 u^2) to the last digit of float
HDI void gauss_rule(int i, float& node, float& weight) {
    constexpr float nodes[] = {0x1.c173cp-8f, 0x1.252176p-5f, 0x1.61e446p-4f, 0x1.40364ap-3f, 0x1.f062aap-3f,
        0x1.5c9d4ep-2f, 0x1.c8ad06p-2f, 0x1.1ba97ep-1f, 0x1.51b15ap-1f, 0x1.83e756p-1f, 0x1.aff26ep-1f,
        0x1.d3c378p-1f, 0x1.edade8p-1f, 0x1.fc7d18p-1f};
    constexpr float weights[] = {0x1.1fb2d8p-6f, 0x1.4853d8p-5f, 0x1.f1bd74p-5f, 0x1.41f3bcp-4f, 0x1.7bfb8ep-4f,
        0x1.a43f18p-4f, 0x1.b8dc42p-4f, 0x1.b8dc42p-4f, 0x1.a43f18p-4f, 0x1.7bfb8ep-4f, 0x1.41f3bcp-4f,
        0x1.f1bd74p-5f, 0x1.4853d8p-5f, 0x1.1fb2d8p-6f};
    node = nodes[i], weight = weights[i];
}
