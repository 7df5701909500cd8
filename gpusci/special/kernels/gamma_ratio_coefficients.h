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
// 1 / gamma(1 + a), a = t + 3/2, t in [-1.5, 1.5]: error 3.1e-16
HDI double rgamma_shifted(double t) {
    return poly(t, 0x1.812746b0379e7p-1, -0x1.0ed2bc5b7e177p-1, 0x1.91728cfd13b3p-10, 0x1.d9f6a95621d5bp-4,
        -0x1.619ab69eb5eb3p-5, 0x1.60d1bb8b52372p-11, 0x1.038532f850ecfp-8, -0x1.416df214faeb6p-10,
        0x1.42c11129ec2f2p-14, 0x1.a5b4e90994289p-15, -0x1.16aeb242abb18p-16, 0x1.e5ae9aa986cp-20,
        0x1.f0a2f19b8e9cp-23, -0x1.f045f543824bbp-24, 0x1.2e817159915aep-26, -0x1.721d4fedf96eep-32,
        -0x1.b4047f1344aadp-32, 0x1.792decd06265ap-34, -0x1.05109c9f8cb8p-37, -0x1.df7d04fad710bp-42,
        0x1.ee2b94301e45bp-43, -0x1.e33b19709c16ap-46, 0x1.aef0ee85e3a02p-51);
}
// 1 / gamma(1 + a), a = t + 3/2, t in [-1.5, 1.5]: error 6.5e-8
HDI float rgamma_shifted(float t) {
    return poly(t, 0x1.812746p-1f, -0x1.0ed2bcp-1f, 0x1.917116p-10f, 0x1.d9f6a8p-4f, -0x1.619a62p-5f,
        0x1.60d2cap-11f, 0x1.037e22p-8f, -0x1.416efap-10f, 0x1.4507d4p-14f, 0x1.a5d47p-15f, -0x1.1cc342p-16f,
        0x1.e3eba4p-20f, 0x1.7bffc8p-22f, -0x1.ed019ap-24f);
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
