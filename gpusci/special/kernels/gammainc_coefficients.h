// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// c_0(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 2.3e-17
HDI double temme0(double e) {
    return poly(e, -0x1.5555555555555p-2, 0x1.5555555555555p-4, -0x1.e573ac901e526p-7, 0x1.2f684bda1301fp-10,
        0x1.71de3a5552fdcp-12, -0x1.76e06fec7c149p-13, 0x1.48c5893c54e1ep-15, -0x1.25537047e4ec9p-19,
        -0x1.f1b23c5bbb6dfp-20, 0x1.bd6d1ee95c5b5p-21, -0x1.7b5dbef48d344p-23, 0x1.ccfb6a7826f87p-28,
        0x1.6047be4ab47c2p-27, -0x1.2d2de9bf7c335p-28, 0x1.fed8f1d91dceep-31, -0x1.b2063fbd5af52p-36,
        -0x1.382edbd79e79p-34, 0x1.a55947e6b66a4p-36);
}
// c_1(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 2.8e-18
HDI double temme1(double e) {
    return poly(e, -0x1.e573ac901e477p-10, -0x1.c71c71c71c692p-9, 0x1.5ac056b00f76cp-9, -0x1.0394f6f0a36dcp-10,
        0x1.af83441b26f8fp-13, -0x1.af833d619bee2p-22, -0x1.2fa4b398b3868p-16, 0x1.00a9c8bf661e2p-17,
        -0x1.b0bc0570d4046p-20, 0x1.3fa8daa01c52ap-28, 0x1.27d9b9c514dfp-23, -0x1.ee3f6cf9334b2p-25,
        0x1.a104572e4f32cp-27, 0x1.5cc478dbf25f5p-40, -0x1.493f1bfdc76e9p-30, 0x1.bbe50d0b64914p-32);
}
// c_2(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 1.2e-18
HDI double temme2(double e) {
    return poly(e, 0x1.0ee643b990e4cp-8, -0x1.5f7268edae6e9p-9, 0x1.948b0fcdaad66p-11, 0x1.0db20d554cd85p-19,
        -0x1.c253efe7aafbap-14, 0x1.bbf43ad0897e8p-15, -0x1.ac2ced95b3883p-17, 0x1.2667546dce919p-25,
        0x1.7054014cbf5d2p-20, -0x1.523f0e4852dep-21, 0x1.3325357c921b6p-23, 0x1.50a750eb661dap-35,
        -0x1.f1ed74c6bdbb5p-27, 0x1.9f048218da2p-28, -0x1.11d20a2792157p-30);
}
// c_3(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 5.7e-18
HDI double temme3(double e) {
    return poly(e, 0x1.547d93b36c552p-11, 0x1.e13ce475cd156p-13, -0x1.ebfb18af76643p-12, 0x1.18b9b46e80bd5p-12,
        -0x1.3d2a2c2ac6899p-14, -0x1.0113769864464p-22, 0x1.73db3290b778fp-17, -0x1.7ceacac7e4949p-18,
        0x1.7e92474017d5ap-20, 0x1.6c16dbddcc061p-29, -0x1.765946c1efef8p-23, 0x1.51131f974b5fap-24,
        -0x1.ddf1836d85f61p-27);
}
// c_4(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 1.2e-18
HDI double temme4(double e) {
    return poly(e, -0x1.c3e0b02d8b1b5p-11, 0x1.9b0ff6a178557p-11, -0x1.3999a87cdd926p-12, -0x1.88fba394fd70dp-20,
        0x1.169098fb02fd8p-14, -0x1.4ce07b62d2ed2p-15, 0x1.7db0aa69c120dp-17, -0x1.253073e3996c6p-27,
        -0x1.c6864c50aa50bp-20, 0x1.ea907e838d32fp-21, -0x1.f794131a5e611p-23, -0x1.f1bccc713c145p-26,
        0x1.2ec1b13063079p-25);
}
// c_5(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 4.9e-18
HDI double temme5(double e) {
    return poly(e, -0x1.6128ac6df8127p-12, -0x1.24763cc0f5e37p-14, 0x1.22be8ff73b17fp-12, -0x1.a200bb3ee3d74p-13,
        0x1.1d1c1299c50b1p-14, 0x1.6fac2cf0e57ecp-24, -0x1.c798ea8efeb0fp-17, 0x1.13d6edd7e3aa4p-17,
        -0x1.3a62d85d4ea8cp-19, -0x1.56b11fd332a09p-22, 0x1.c60c5454e00ep-22);
}
// c_6(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 1.3e-18
HDI double temme6(double e) {
    return poly(e, 0x1.168ef495ecac4p-11, -0x1.367738609eb45p-11, 0x1.1c0783cd591a6p-12, 0x1.a69f0c967c0e9p-21,
        -0x1.55a40ef2afccap-14, 0x1.d6f3a08a364c7p-15, -0x1.3a1d3c43cf57ap-16, -0x1.628df4e7a3b2p-24,
        0x1.1b9488800ecf4p-18, -0x1.03cf71c0b8a68p-19);
}
// c_7(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 4.2e-18
HDI double temme7(double e) {
    return poly(e, 0x1.69170d045e22cp-12, 0x1.b1cb65b34e74bp-15, -0x1.5eea3f4a935e8p-12, 0x1.270bf82d9518cp-12,
        -0x1.d5be52a7f662cp-14, -0x1.69997a3877979p-21, 0x1.1b7a347f77178p-15, -0x1.240c501884491p-16);
}
// c_8(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 2.0e-18
HDI double temme8(double e) {
    return poly(e, -0x1.562768093772fp-11, 0x1.b843271714c54p-11, -0x1.cc798935e4c87p-12, -0x1.bccb8aab0a583p-19,
        0x1.6aaf1640aeb2cp-13, -0x1.fe5cd987683bdp-14, 0x1.016929804ca4fp-15);
}
// c_9(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 4.8e-18
HDI double temme9(double e) {
    return poly(e, -0x1.3951faef89e42p-11, -0x1.4b0256ac44306p-14, 0x1.6fe55e0e4c56fp-11, -0x1.3ea7f29dcdc6dp-11,
        0x1.80c114c70f0afp-13);
}
// c_10(e) of DLMF 8.12.9 for a >= 20, e in [-0.8, 0.8]: error 4.0e-18
HDI double temme10(double e) {
    return poly(e, 0x1.65901b487a214p-10, -0x1.01c4439c685dcp-9, 0x1.7ed9f484d487fp-11, 0x1.5c6dc48052c56p-12);
}
HDI double temme(double e, double u) {             // u = 1 / a
    return poly(u, temme0(e), temme1(e), temme2(e), temme3(e), temme4(e), temme5(e), temme6(e), temme7(e), temme8(e),
        temme9(e), temme10(e));
}
// c_0(e) of DLMF 8.12.9 for a >= 12, e in [-0.8, 0.8]: error 1.6e-8
HDI float temme0(float e) {
    return poly(e, -0x1.555556p-2f, 0x1.555554p-4f, -0x1.e574d2p-7f, 0x1.2f6f2ap-10f, 0x1.72f898p-12f,
        -0x1.781592p-13f, 0x1.333d2ep-15f, -0x1.08ca1ep-20f);
}
// c_1(e) of DLMF 8.12.9 for a >= 12, e in [-0.8, 0.8]: error 2.2e-9
HDI float temme1(float e) {
    return poly(e, -0x1.e5738ep-10f, -0x1.c71524p-9f, 0x1.5abd3cp-9f, -0x1.044bdp-10f, 0x1.b10dbp-13f,
        0x1.10d244p-17f, -0x1.4f6ddep-16f);
}
// c_2(e) of DLMF 8.12.9 for a >= 12, e in [-0.8, 0.8]: error 6.3e-10
HDI float temme2(float e) {
    return poly(e, 0x1.0ee4bep-8f, -0x1.5f731ep-9f, 0x1.95e848p-11f, 0x1.2d1a08p-19f, -0x1.f14f34p-14f,
        0x1.b76de2p-15f);
}
// c_3(e) of DLMF 8.12.9 for a >= 12, e in [-0.8, 0.8]: error 2.0e-9
HDI float temme3(float e) {
    return poly(e, 0x1.564376p-11f, 0x1.e2a864p-13f, -0x1.0cf968p-11f, 0x1.1557f8p-12f);
}
// c_4(e) of DLMF 8.12.9 for a >= 12, e in [-0.8, 0.8]: error 4.3e-10
HDI float temme4(float e) {
    return poly(e, -0x1.c5e0dep-11f, 0x1.9567f6p-11f, -0x1.08e33ap-12f);
}
HDI float temme(float e, float u) {             // u = 1 / a
    return poly(u, temme0(e), temme1(e), temme2(e), temme3(e), temme4(e));
}
