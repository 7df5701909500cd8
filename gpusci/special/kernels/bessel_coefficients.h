// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// of the amplitudes
template <class T> struct bessel_constants;
template <> struct bessel_constants<double> {
    static constexpr double sqrt_2_pi = 0x1.9884533d43651p-1, inv_pi = 0x1.45f306dc9c883p-2,
        sqrt_pi_2 = 0x1.40d931ff62706p+0, sqrt_half = 0x1.6a09e667f3bcdp-1, inv_sqrt_2pi = 0x1.9884533d43651p-2;
};
template <> struct bessel_constants<float> {
    static constexpr float sqrt_2_pi = 0x1.988454p-1f, inv_pi = 0x1.45f306p-2f, sqrt_pi_2 = 0x1.40d932p+0f,
        sqrt_half = 0x1.6a09e6p-1f, inv_sqrt_2pi = 0x1.988454p-2f;
};
// Even and odd terms of Debye's expansions, DLMF 10.41.9: sum of U_k(p) p^-k y^[k / 2], w = p^2
HDI double debye_even(double w, double y) {
    return poly(y,
        poly(w, 1.0),
        poly(w, 0x1.2p-4, -0x1.9aaaaaaaaaaabp-2, 0x1.5638e38e38e39p-2),
        poly(w, 0x1.cb6p-4, -0x1.2e9a666666666p+1, 0x1.19408p+3, -0x1.669fc3f35ba78p+3, 0x1.2ada78a021b64p+2),
        poly(w, 0x1.251ee8p-1, -0x1.a7dce636db6dbp+4, 0x1.b4618ac15dc91p+7, -0x1.5dca313ad82d8p+9, 0x1.08ff6393p+10,
              -0x1.7ea050e044d42p+9, 0x1.a923e815a1cf4p+7),
        poly(w, 0x1.84bd1aa98p+2, -0x1.edea5169e2492p+8, 0x1.bc583a953f412p+12, -0x1.41d14f581555cp+15,
              0x1.dd58770920853p+16, -0x1.8d4416b11fe98p+17, 0x1.7811802863395p+17, -0x1.7ad4992fff6c7p+16,
              0x1.3bb12a52aa2fbp+14),
        poly(w, 0x1.b8118d37ff7p+6, -0x1.b1f0b7d0cbfb1p+13, 0x1.2cf699e52c822p+18, -0x1.540a91065230fp+21,
              0x1.958a7e55353d9p+23, -0x1.1e9d645493e4cp+25, 0x1.fa2b20232a522p+25, -0x1.1ab04f0d89c04p+26,
              0x1.84bccd3f0fa29p+25, -0x1.2cb3c31e51931p+24, 0x1.90efaed3176ecp+21),
        poly(w, 0x1.7bc2e57729724p+11, -0x1.0c7a4a7b78e16p+19, 0x1.096da38dd1835p+24, -0x1.ad5adfbc7617p+27,
              0x1.73c2e3e3845c1p+30, -0x1.8733ea609e897p+32, 0x1.0b89e3d8c9f56p+34, -0x1.ec227ad1733f1p+34,
              0x1.338fb49d78209p+35, -0x1.0207616f8514bp+35, 0x1.1679daa552eedp+34, -0x1.5dab67540d45ep+32,
              0x1.84858f40f24dap+29),
        poly(w, 0x1.d0366d1f2a1fcp+16, -0x1.bd61241f49ddp+24, 0x1.294f68360d03fp+30, -0x1.452fdce361dedp+34,
              0x1.7f8bafc20347bp+37, -0x1.16981c00442e8p+40, 0x1.0c7ef86c5c487p+42, -0x1.6692d03f4fc93p+43,
              0x1.53c36f1e925d7p+44, -0x1.ccd1190f05129p+44, 0x1.bcc7f72fa3f52p+44, -0x1.2a8f68053f67p+44,
              0x1.091de1749afccp+43, -0x1.18214409fe408p+41, 0x1.0aca592e16b75p+38));
}
HDI double debye_odd(double w, double y) {
    return poly(y,
        poly(w, 0x1p-3, -0x1.aaaaaaaaaaaabp-3),
        poly(w, 0x1.2cp-4, -0x1.c84cccccccccdp-1, 0x1.d8b1c71c71c72p+0, -0x1.069ba781948b1p+0),
        poly(w, 0x1.d11ep-3, -0x1.d79a53a83a83bp+2, 0x1.5447ad6c16c17p+5, -0x1.6f45e11c71c72p+6, 0x1.528b7ca566307p+6,
              -0x1.c364a631dd95fp+4),
        poly(w, 0x1.ba4c598p+0, -0x1.b05d1a13b6db7p+6, 0x1.2c39c95483d71p+10, -0x1.4b9a5a063f1c7p+12, 0x1.6c3b258dcc4bep+13,
              -0x1.a8946669c5f9bp+13, 0x1.f7db8e0e6ff83p+12, -0x1.dfdd4a56e48aep+10),
        poly(w, 0x1.8616a64f6cp+4, -0x1.387a934e97623p+11, 0x1.614589b7ecd85p+15, -0x1.43df4b09fcb1fp+18,
              0x1.35a8d45f867fp+20, -0x1.5773d9d00c99dp+21, 0x1.cb623a6199ae4p+21, -0x1.6df7ff592a81cp+21,
              0x1.404139d5a8d89p+20, -0x1.da73980d20117p+17),
        poly(w, 0x1.13aafea4e5774p+9, -0x1.48256f009b97ep+16, 0x1.11e5c16c629afp+21, -0x1.7571ceb9ca037p+24,
              0x1.0ef6a77985642p+27, -0x1.d8ead78466863p+28, 0x1.07e453034ac45p+30, -0x1.827ee7a06eeffp+30,
              0x1.7268078e48462p+30, -0x1.bff876bd73df6p+29, 0x1.367d9d22f8e58p+28, -0x1.785a32d50ea99p+25),
        poly(w, 0x1.1d47059b0d98ap+14, -0x1.d8a2cb8a63829p+21, 0x1.110d4e9701237p+27, -0x1.0258a06e72954p+31,
              0x1.06c7289bb5702p+34, -0x1.475491eb205f5p+36, 0x1.0c20dd26c89a3p+38, -0x1.2c857cd0fac0cp+39,
              0x1.d575cfc9e2c3ap+39, -0x1.ff7885a2e2725p+39, 0x1.7d7a79bfd9279p+39, -0x1.73aff169e1ddbp+38,
              0x1.aa8a07524069bp+36, -0x1.b579e01fd909fp+33),
        poly(w, 0x1.96ab69ba805e8p+19, -0x1.bf624170b648dp+27, 0x1.55b4c489b95fdp+33, -0x1.abb30c9d41f8cp+37,
              0x1.214acc7d910afp+41, -0x1.e4231a32338f6p+43, 0x1.0e915e49881c9p+46, -0x1.a71b10ac0f97ep+47,
              0x1.dbb73479600cap+48, -0x1.85ed9a23ccb78p+49, 0x1.d30151d4d5254p+49, -0x1.947f1290b1214p+49,
              0x1.ed9e6cefe60bcp+48, -0x1.92a1f52c0b7a6p+47, 0x1.8a317a4459106p+45, -0x1.5e64de75a4806p+42));
}
// (1/gamma(1 - m) - 1/gamma(1 + m)) / (2 m), w = m^2, w in [0.0, 0.25]: error 9.0e-18
HDI double temme_odd(double w) {
    return poly(w, -0x1.2788cfc6fb619p-1, 0x1.5815e8fa2707p-5, 0x1.59af103c33359p-5, -0x1.d919c52722686p-8,
        0x1.c364fccf40fcep-13, 0x1.51cef9e3bc3d5p-16, -0x1.3045d662c7b1dp-20, -0x1.537297492010dp-28);
}
// (1/gamma(1 - m) + 1/gamma(1 + m)) / 2, w = m^2, w in [0.0, 0.25]: error 4.7e-18
HDI double temme_even(double w) {
    return poly(w, 1.0, -0x1.4fcf4026afa23p-1, 0x1.5512320b4315ap-3, -0x1.3b4af282b78e3p-7, -0x1.317113b01a754p-10,
        0x1.0c8ab4f733f89p-13, -0x1.503b2da6810abp-20, -0x1.aeb8ccfdec4bbp-23);
}
// (t - atan(t)) / t^3, w = t^2, w in [0.0, 1.0]: error 6.6e-17
HDI double atan_tail(double w) {
    return poly(w, 0x1.5555555555555p-2, -0x1.999999999990dp-3, 0x1.249249248d22dp-3, -0x1.c71c71c4b59eap-4,
        0x1.745d16f9a5b8ap-4, -0x1.3b13ab6e67a6ep-4, 0x1.1110c5427df25p-4, -0x1.e1dc6216d4a72p-5,
        0x1.af02a7c98fa1dp-5, -0x1.8552d3410eb6ap-5, 0x1.61079bcb7b617p-5, -0x1.3d86ce8d56c17p-5,
        0x1.150b09b37ac8ap-5, -0x1.c56eca4b5d27ep-6, 0x1.4dba96eefd8b9p-6, -0x1.a5fb803d769bap-7,
        0x1.b48b0c2dc229fp-8, -0x1.5d850df12ff89p-9, 0x1.923602215a5c5p-11, -0x1.25f43f6c7b8f2p-13,
        0x1.980bdd0bf1a3fp-17);
}
