// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// zeros of J and Y below 8, two words each
template <class T> struct bessel_zeros;
template <> struct bessel_zeros<double> {
    static constexpr double j0_1_hi = 0x1.33d152e971b4p+1, j0_1_lo = -0x1.0f539d7da258ep-53,
        j0_2_hi = 0x1.6148f5b2c2e45p+2, j0_2_lo = 0x1.75054cd60a517p-54, j1_1_hi = 0x1.ea75575af6f09p+1,
        j1_1_lo = -0x1.60155a9d1b256p-53, j1_2_hi = 0x1.c0ff5f3b4725p+2, j1_2_lo = -0x1.b226d9d243827p-54,
        y0_1_hi = 0x1.c982eb8d417eap-1, y0_1_lo = 0x1.ea9d270347f83p-56, y0_2_hi = 0x1.fa9534d98569cp+1,
        y0_2_lo = -0x1.f06ae7804384ep-54, y0_3_hi = 0x1.c581dc4e72103p+2, y0_3_lo = -0x1.9774a495f56cfp-54,
        y1_1_hi = 0x1.193bed4dff243p+1, y1_1_lo = -0x1.bd1e50d219bfdp-55, y1_2_hi = 0x1.5b7fe4e87b02ep+2,
        y1_2_lo = 0x1.dfe7bac228e8cp-52;
};
template <> struct bessel_zeros<float> {
    static constexpr float j0_1_hi = 0x1.33d152p+1f, j0_1_lo = 0x1.d2e368p-24f, j0_2_hi = 0x1.6148f6p+2f,
        j0_2_lo = -0x1.34f46ep-24f, j1_1_hi = 0x1.ea7558p+1f, j1_1_lo = -0x1.4a121ep-24f, j1_2_hi = 0x1.c0ff6p+2f,
        j1_2_lo = -0x1.8971b6p-23f, y0_1_hi = 0x1.c982ecp-1f, y0_1_lo = -0x1.cafa06p-27f, y0_2_hi = 0x1.fa9534p+1f,
        y0_2_lo = 0x1.b30ad4p-24f, y0_3_hi = 0x1.c581dcp+2f, y0_3_lo = 0x1.39c84p-24f, y1_1_hi = 0x1.193beep+1f,
        y1_1_lo = -0x1.6401b8p-24f, y1_2_hi = 0x1.5b7fe4p+2f, y1_2_lo = 0x1.d0f606p-23f;
};
// j0(x) / (x^2 - zero^2), s = x^2 - 8, s in [-8.0, 8.0]: error 1.7e-16
HDI double j0_low(double s) {
    return poly(s, -0x1.6b2948e843e2bp-4, 0x1.08d902d0bf621p-7, -0x1.17057235d9c2bp-12, 0x1.33fa04134ecf5p-18,
        -0x1.a4b2380ccc12p-25, 0x1.87a4ac4550966p-32, -0x1.08c621262a185p-39, 0x1.0fff198f73cb9p-47,
        -0x1.b72e5fe143051p-56, 0x1.1e438a81f9677p-64, -0x1.3344f41d42566p-73);
}
// j0(x) / (x - zero), s = x - 6.0, s in [-2.0, 2.0]: error 6.0e-16
HDI double j0_high(double s) {
    return poly(s, 0x1.416dc96e57c0ep-2, -0x1.3d97028754e55p-4, -0x1.63c76276a6e61p-5, 0x1.15618767e6bcbp-7,
        0x1.bb360f4dabcedp-10, -0x1.307fa1bf6ef64p-12, -0x1.104aed8457e66p-15, 0x1.52a757fbd7ecbp-18,
        0x1.949f1586990fap-22, -0x1.cd44e14468b62p-25, -0x1.950feeaedf7p-29, 0x1.aab88854994a4p-32,
        0x1.2468671bd8c07p-36, -0x1.1e6a8f2800381p-39, -0x1.3ecb115310d5cp-44, 0x1.23cdb882e190fp-47,
        0x1.03d8efcb01637p-52, -0x1.be8e626dfebdbp-56);
}
// j1(x) / x / (x^2 - zero^2), s = x^2 - 12.5, s in [-12.5, 12.5]: error 1.7e-17
HDI double j1_low(double s) {
    return poly(s, -0x1.041c9423ec767p-6, 0x1.128893a098463p-10, -0x1.c74a71d1878b2p-16, 0x1.9f348e9fa659p-22,
        -0x1.e3bd8ce3d0e1p-29, 0x1.88d6fbdab67a3p-36, -0x1.d73818087b857p-44, 0x1.b318a519cfcb2p-52,
        -0x1.3f0c51cad0c13p-60, 0x1.7cc73276e0932p-69, -0x1.79932f0d5be47p-78, 0x1.3b65ac980cd81p-87);
}
// j1(x) / (x - zero), s = x - 6.5, s in [-1.5, 1.5]: error 1.3e-16
HDI double j1_high(double s) {
    return poly(s, 0x1.318ace8aae254p-2, 0x1.d08a4092f3ab2p-6, -0x1.8bedb81f6736dp-5, -0x1.73a59e34c2ed5p-10,
        0x1.25bfadb12839bp-9, 0x1.7a11529a32d29p-16, -0x1.9cbaeed615cc9p-15, -0x1.ec064dc6cb9dep-24,
        0x1.53d2ad8ca575fp-21, -0x1.bbc8d1c48945ep-31, -0x1.70bb57f3ec7dbp-28, 0x1.23c74667c5a75p-36,
        0x1.1bfabcc55f93p-35, -0x1.2504fe8b91b03p-43, -0x1.46b8b1a9fdd4cp-43, 0x1.6cb1c005027a1p-51,
        0x1.1bcf5c1486b3bp-51);
}
// (y0(x) - 2/pi j0(x) log(x / zero)) / (x^2 - zero^2), s = x^2 - 4, s in [-4.0, 4.0]: error 6.2e-17
HDI double y0_low(double s) {
    return poly(s, 0x1.fa0d49fefa15p-4, -0x1.a01c321a8307bp-7, 0x1.dae91f22169e8p-12, -0x1.163f8b89f6a6p-17,
        0x1.8e9975083d706p-24, -0x1.81f7eb14cc97fp-31, 0x1.0dd2e74673c69p-38, -0x1.1d5d37a28860cp-46,
        0x1.d8d8b242fc1ffp-55, -0x1.3b21e2dc9e4ccp-63);
}
// y0(x) / (x - zero), s = x - 4.16421, s in [-1.33579, 1.33579]: error 6.9e-17
HDI double y0_middle(double s) {
    return poly(s, -0x1.8ef5212b2f09ep-2, 0x1.2f6ccee70d383p-4, 0x1.b837fe7d97b23p-5, -0x1.18a450b55c4f9p-7,
        -0x1.ff662ca6d9104p-10, 0x1.0a2c34f4de587p-12, 0x1.6cce5f5ad0318p-15, -0x1.69f9555163fb1p-18,
        -0x1.44c9901f6acb9p-22, 0x1.555c8e0994e26p-27, 0x1.a96ef87073ab1p-27, -0x1.35e820d7a6b56p-29,
        0x1.bcf63c336727dp-32, -0x1.9e1b7f4186e1ep-34, 0x1.8519df720fd61p-36, -0x1.60973a2ec667p-38,
        0x1.0f56243b0f9d6p-40, -0x1.e360abc599e11p-43, 0x1.a8df897e23736p-44, -0x1.8f3d435896993p-46);
}
// y0(x) / (x - zero), s = x - 6.75, s in [-1.25, 1.25]: error 5.3e-17
HDI double y0_high(double s) {
    return poly(s, 0x1.34eee4b2f27c7p-2, 0x1.858bb5a4fa6f9p-7, -0x1.986087c7fc3a8p-5, 0x1.1bae915954b68p-12,
        0x1.31928eb784153p-9, -0x1.671ee28d072b6p-15, -0x1.a6ce14e6ee7cp-15, 0x1.1a6af6651120dp-20,
        0x1.596ea9e61243ap-21, -0x1.df487b0feee31p-27, -0x1.6f5008b4fa0c7p-28, 0x1.d3fbe788919b5p-34,
        0x1.1fe526fafdb29p-35, -0x1.9662da7b94fa5p-41, -0x1.1970ccfbd7f45p-43);
}
// (y1(x) - 2/pi j1(x) log(x / zero)) x / (x^2 - zero^2), s = x^2 - 8, s in [-8.0, 8.0]: error 6.7e-17
HDI double y1_low(double s) {
    return poly(s, 0x1.7d2fc064fa737p-3, -0x1.92e600dff263ep-12, -0x1.5de3bfdf6b0b6p-11, 0x1.a1606356b98a6p-16,
        -0x1.c4e5b1e6c08b9p-22, 0x1.26874783e5c43p-28, -0x1.02ee4bf427005p-35, 0x1.4a4ec0b091a6cp-43,
        -0x1.40a352be7f7f8p-51, 0x1.ea6d345ab5a23p-60, -0x1.2fa144a2245ecp-68, 0x1.366358f5876dfp-77);
}
// y1(x) / (x - zero), s = x - 6.0, s in [-2.0, 2.0]: error 9.9e-17
HDI double y1_high(double s) {
    return poly(s, -0x1.3a3a8cefc7efcp-2, 0x1.579152b20729fp-4, 0x1.4739eeba02f84p-5, -0x1.155cf697f3ac7p-7,
        -0x1.94a78f4d6f68cp-10, 0x1.266b1555b39b7p-12, 0x1.005abac2c9111p-15, -0x1.4c0230a64155ap-18,
        -0x1.72fed34a017c4p-22, 0x1.b0fa0e73a2cafp-25, 0x1.a8742a75dd88dp-29, -0x1.d368b094e3799p-32,
        -0x1.1243a2befffb7p-37, 0x1.55e7ae782d03ep-41, 0x1.502198b235c65p-42, -0x1.a35713156aac4p-45,
        0x1.d9b2a5f59b38bp-48, -0x1.443ea6add0a99p-50, 0x1.362c728be7d4ep-53, -0x1.8c4faf8a26c09p-56,
        0x1.684b93b605f51p-57, -0x1.f01e00dcca917p-60);
}
// real part of sqrt(pi x / 2) H_0(x) exp(-i (x - 1 pi / 4)), w = (8 / x)^2, w in [0.0, 1.0]: error 4.0e-17
HDI double even_0(double w) {
    return poly(w, 1.0, -0x1.1ffffffff94cfp-10, 0x1.cb5fffac442e9p-16, -0x1.251eb4236750dp-19, 0x1.84ac37d48e8f7p-22,
        -0x1.b6676fb2d907ap-24, 0x1.6de611a389682p-25, -0x1.7efd7f2c4d939p-26, 0x1.971320f2044aep-27,
        -0x1.63affe3b00a9fp-28, 0x1.9eab1e39af402p-30, -0x1.cdb3179595bbdp-33);
}
// imaginary part x / 8 of sqrt(pi x / 2) H_0(x) exp(-i (x - 1 pi / 4)), w = (8 / x)^2, w in [0.0, 1.0]: error 2.7e-16
HDI double odd_0(double w) {
    return poly(w, -0x1.ffffffffffffep-7, 0x1.2bfffffff3a2fp-13, -0x1.d11dffa4fe718p-18, 0x1.ba4c16e8377efp-21,
        -0x1.8609c6f07b33fp-23, 0x1.12e8caeea9697p-24, -0x1.15a8340ba0747p-25, 0x1.604fcd25d0c76p-26,
        -0x1.d7d7038f53ea1p-27, 0x1.1746af486c3e7p-27, -0x1.f41e8bd882a47p-29, 0x1.1e8d126b55d38p-30,
        -0x1.33cdb710c05d6p-33);
}
// real part of sqrt(pi x / 2) H_1(x) exp(-i (x - 3 pi / 4)), w = (8 / x)^2, w in [0.0, 1.0]: error 4.2e-17
HDI double even_1(double w) {
    return poly(w, 1.0, 0x1.dffffffff8e49p-10, -0x1.274fffd397c34p-15, 0x1.5a6a210115f08p-19, -0x1.b8802681cb732p-22,
        0x1.e4a0b5c1cedfbp-24, -0x1.8e1a8edbbd44dp-25, 0x1.9caaa5eb52e6ap-26, -0x1.b43888a9c7146p-27,
        0x1.7c04af6b1bff2p-28, -0x1.ba4a78fc47e21p-30, 0x1.ebf5d803cd896p-33);
}
// imaginary part x / 8 of sqrt(pi x / 2) H_1(x) exp(-i (x - 3 pi / 4)), w = (8 / x)^2, w in [0.0, 1.0]: error 1.5e-16
HDI double odd_1(double w) {
    return poly(w, 0x1.7ffffffffffffp-5, -0x1.a3fffffff2f3p-13, 0x1.1c3cffcff9909p-17, -0x1.fe57d23ae38dbp-21,
        0x1.b3ed9dedc6f63p-23, -0x1.2d1f3e6dc2ce1p-24, 0x1.2c114a84cdaf2p-25, -0x1.7976d13dd5e96p-26,
        0x1.f6f0e126e5f08p-27, -0x1.28d3354e6ec23p-27, 0x1.09555c45dc06fp-28, -0x1.2fc0422888dbp-30,
        0x1.46123a8bbc898p-33);
}
// i0(x) / (x / 2)^0, y = x^2 / 4, y in [0.0, 16.0]: error 5.2e-17
HDI double i0_low(double y) {
    return poly(y, 1.0, 1.0, 0x1.0000000000002p-2, 0x1.c71c71c71c6dfp-6, 0x1.c71c71c71cbebp-10,
        0x1.23456789a82b6p-14, 0x1.02e85c08d2b69p-19, 0x1.522a43f14ed5bp-25, 0x1.522a44465db87p-31,
        0x1.0b312ee0b62c8p-37, 0x1.5601c817fb294p-44, 0x1.69c761327b691p-51, 0x1.41b6d2a3ef29ep-58,
        0x1.e56ec2a042a81p-66, 0x1.46a6fe00cd6ffp-73, 0x1.31c4039a69bf6p-81, 0x1.20de50ee937a2p-88);
}
// i0(x) / (x / 2)^0, y = x^2 / 4, y in [0.0, 16.0]: error 3.3e-8
HDI float i0_low(float y) {
    return poly(y, 1.0f, 0x1.fffffap-1f, 0x1.000018p-2f, 0x1.c71afp-6f, 0x1.c7286p-10f, 0x1.230e6p-14f,
        0x1.0423b6p-19f, 0x1.49275ap-25f, 0x1.7c114ap-31f, 0x1.297e2cp-38f, 0x1.5e233ap-43f);
}
// sqrt(x) exp(-x) i0(x), t = 16 / x - 1, t in [-1.0, 1.0]: error 6.4e-17
HDI double i0_high(double t) {
    return poly(t, 0x1.9bd428ad249a5p-2, 0x1.b87969bb93b86p-9, 0x1.1daa72b5cffap-13, 0x1.75e5ee7193c9bp-17,
        0x1.8e513c2fbb4d7p-20, 0x1.3f49a7d62b2a7p-22, 0x1.7d0d0cb6d579cp-24, 0x1.51ce71adfb8dcp-25,
        0x1.7281608082bb2p-26, 0x1.0393c5c549066p-27, -0x1.d6aed4e999c8ap-28, -0x1.ccba1604bc157p-27,
        -0x1.5a374e8067293p-28, 0x1.03813921d363bp-27, 0x1.c2cf2e6a86796p-28, -0x1.e1db3b1fc3ea5p-29,
        -0x1.3a6dfcb29fb62p-28, 0x1.a1d63d6d82361p-30, 0x1.2df0453a22419p-29, -0x1.3a3b59d669597p-31,
        -0x1.6cab377ea12dp-31, 0x1.4ffe43b34b0cep-33, 0x1.9be1812d98421p-34, -0x1.646da6611913p-36);
}
// sqrt(x) exp(-x) i0(x), t = 16 / x - 1, t in [-1.0, 1.0]: error 4.3e-8
HDI float i0_high(float t) {
    return poly(t, 0x1.9bd428p-2f, 0x1.b8798ap-9f, 0x1.1d8a36p-13f, 0x1.74dcap-17f, 0x1.b8007ep-20f,
        0x1.856928p-22f);
}
// regular part of DLMF 10.31.1, y = x^2 / 4, y in [0.0, 0.25]: error 1.2e-17
HDI double k0_low(double y) {
    return poly(y, -0x1.2788cfc6fb619p-1, 0x1.b0ee6072093d4p-2, 0x1.d877303904624p-3, 0x1.1dd628654f89ap-5,
        0x1.56b9b6808ea0bp-9, 0x1.f0f17a163d463p-14, 0x1.e4ce3f6b3c0dcp-19, 0x1.5a826191abaa7p-24);
}
// regular part of DLMF 10.31.1, y = x^2 / 4, y in [0.0, 0.25]: error 1.7e-8
HDI float k0_low(float y) {
    return poly(y, -0x1.2788dp-1f, 0x1.b0ee5ep-2f, 0x1.d877f6p-3f, 0x1.1db39cp-5f, 0x1.608deap-9f);
}
// sqrt(x) exp(x) k0(x), t = 2 / x - 1, t in [-1.0, 1.0]: error 5.9e-17
HDI double k0_high(double t) {
    return poly(t, 0x1.30ae2423de262p+0, -0x1.ac450893fa53bp-5, 0x1.085a24b1da2abp-7, -0x1.f446a7e27d965p-10,
        0x1.2a72159eecd3ap-11, -0x1.9db9cc1618e69p-13, 0x1.3f1d2536c55bp-14, -0x1.0ae1c65d8a23ap-15,
        0x1.dbd966e7b21dcp-17, -0x1.bee0a68c85611p-18, 0x1.b69c976b78bcp-19, -0x1.bf0b9d2718e75p-20,
        0x1.cdb396e304b2dp-21, -0x1.e4e873cde59eep-22, 0x1.59f6caea981c4p-22, -0x1.f2470a20dcbc6p-23,
        -0x1.ea38b7939db6dp-24, 0x1.b3cfc1d435c91p-23, 0x1.0c47af47954f2p-21, -0x1.3372d6414d7bdp-21,
        -0x1.a7883a54a8e98p-21, 0x1.d8652c9fd8e2cp-21, 0x1.07e69bdde460fp-20, -0x1.14364335d45b5p-20,
        -0x1.c240e0002e3eap-21, 0x1.c167651fa4067p-21, 0x1.039e33dff883ep-21, -0x1.ee837c66cb3fep-22,
        -0x1.67752af02da9bp-23, 0x1.4859f51f8e222p-23, 0x1.d36daed3fabcp-26, -0x1.989c91b437199p-26);
}
// sqrt(x) exp(x) k0(x), t = 2 / x - 1, t in [-1.0, 1.0]: error 1.1e-8
HDI float k0_high(float t) {
    return poly(t, 0x1.30ae24p+0f, -0x1.ac4524p-5f, 0x1.085afcp-7f, -0x1.f4059ap-10f, 0x1.29dc5ap-11f,
        -0x1.a871d4p-13f, 0x1.51c72ep-14f, -0x1.63e6bep-16f, 0x1.b2fa02p-18f, -0x1.02c7f6p-16f, 0x1.2743c4p-17f);
}
// i1(x) / (x / 2)^1, y = x^2 / 4, y in [0.0, 16.0]: error 5.8e-17
HDI double i1_low(double y) {
    return poly(y, 1.0, 0x1.0000000000001p-1, 0x1.555555555554p-4, 0x1.c71c71c71c9f2p-8, 0x1.6c16c16c13a31p-12,
        0x1.845c8a0d2769ep-17, 0x1.27e4fb73ec47ep-22, 0x1.522a443bfc5e8p-28, 0x1.2c97551e62e0ap-34,
        0x1.ab8235081a452p-41, 0x1.f172556758d22p-48, 0x1.e29108846b664p-55, 0x1.8a6efe52fa2efp-62,
        0x1.1dc64f2e4590cp-69, 0x1.1ebc3216bf4cfp-77, 0x1.20ebdb99edb53p-84);
}
// i1(x) / (x / 2)^1, y = x^2 / 4, y in [0.0, 16.0]: error 2.4e-8
HDI float i1_low(float y) {
    return poly(y, 1.0f, 0x1p-1f, 0x1.55555ep-4f, 0x1.c71bf8p-8f, 0x1.6c1a8ep-12f, 0x1.843974p-17f, 0x1.28ae44p-22f,
        0x1.4c67a8p-28f, 0x1.476f18p-34f, 0x1.13341p-41f, 0x1.e0ce3ep-47f);
}
// sqrt(x) exp(-x) i1(x), t = 16 / x - 1, t in [-1.0, 1.0]: error 5.8e-17
HDI double i1_high(double t) {
    return poly(t, 0x1.8ebe783a8403p-2, -0x1.3f796198ee62dp-7, -0x1.cbc54df1d5adep-13, -0x1.f89c230615615p-17,
        -0x1.ec8e123ea3305p-20, -0x1.76137f7ae6917p-22, -0x1.ad8b35adc406dp-24, -0x1.727a1058f659fp-25,
        -0x1.91e151ca6bf6p-26, -0x1.21936a1ea1c23p-27, 0x1.d60cff70f4ce9p-28, 0x1.e236784650fbp-27,
        0x1.805f9b8194527p-28, -0x1.069735b018307p-27, -0x1.dfed018844927p-28, 0x1.d6e5e5ac6b3a2p-29,
        0x1.4a94ecae55871p-28, -0x1.8b794674af087p-30, -0x1.3bb2a62cd1582p-29, 0x1.23214d692a96p-31,
        0x1.7c45609d3fdd4p-31, -0x1.341e6ffaf59fap-33, -0x1.acea3b2532277p-34, 0x1.45b8aea87b95p-36);
}
// sqrt(x) exp(-x) i1(x), t = 16 / x - 1, t in [-1.0, 1.0]: error 1.3e-8
HDI float i1_high(float t) {
    return poly(t, 0x1.8ebe78p-2f, -0x1.3f796ap-7f, -0x1.cba0f8p-13f, -0x1.f77314p-17f, -0x1.0dbfd2p-19f,
        -0x1.c4153ap-22f);
}
// regular part of DLMF 10.31.1, y = x^2 / 4, y in [0.0, 0.25]: error 1.2e-17
HDI double k1_low(double y) {
    return poly(y, 0x1.3c467e37db0c8p-4, -0x1.58773039049e8p-2, -0x1.73ddae5ee694dp-4, -0x1.3a47ef81b0ef3p-7,
        -0x1.2462821cd3194p-11, -0x1.5b7a25d44f379p-16, -0x1.1f9b9d8e1b2f5p-21, -0x1.64922cab292b4p-27);
}
// regular part of DLMF 10.31.1, y = x^2 / 4, y in [0.0, 0.25]: error 5.2e-9
HDI float k1_low(float y) {
    return poly(y, 0x1.3c467ep-4f, -0x1.58773p-2f, -0x1.73ddf4p-4f, -0x1.3a2fd8p-7f, -0x1.2b3e8ep-11f);
}
// sqrt(x) exp(x) k1(x), t = 2 / x - 1, t in [-1.0, 1.0]: error 2.1e-17
HDI double k1_high(double t) {
    return poly(t, 0x1.7628990a85c65p+0, 0x1.80fb15bf9d15bp-3, -0x1.03bbb0fa2fc88p-6, 0x1.97e59d89285ddp-9,
        -0x1.bab479a93d75ep-11, 0x1.21729ca43f5ap-12, -0x1.acf5afe0ff9f8p-14, 0x1.5c524e36b38bp-15,
        -0x1.2f8b0e42557f7p-16, 0x1.17edf9bbae709p-17, -0x1.0ea9c312267e7p-18, 0x1.106647c76d24dp-19,
        -0x1.16d5545f9afadp-20, 0x1.22e9d122a2ap-21, -0x1.93a0ef86bb42ap-22, 0x1.1ce46d03e023cp-22,
        0x1.f679c283598b4p-24, -0x1.d06d5cf0f9e8bp-23, -0x1.24bd7e94644c7p-21, 0x1.4e40c3187340fp-21,
        0x1.cc1942f3d839ep-21, -0x1.003af5660fe7dp-20, -0x1.1f06f59133e25p-20, 0x1.2bdbf21bfebb9p-20,
        0x1.e9b238a9c24a2p-21, -0x1.e7ea0f2f75984p-21, -0x1.1a7e85e32455ep-21, 0x1.0c8da9ebd38dcp-21,
        0x1.87451f9839f2cp-23, -0x1.64c2677c8bf14p-23, -0x1.fd44864cca999p-26, 0x1.bc53cc6aefd89p-26);
}
// sqrt(x) exp(x) k1(x), t = 2 / x - 1, t in [-1.0, 1.0]: error 5.0e-8
HDI float k1_high(float t) {
    return poly(t, 0x1.76289ap+0f, 0x1.80fb1ep-3f, -0x1.03bc3p-6f, 0x1.97bec8p-9f, -0x1.ba0396p-11f, 0x1.27da6ep-12f,
        -0x1.c3082ap-14f, 0x1.e3b17cp-16f, -0x1.2d0accp-17f, 0x1.3ca53p-16f, -0x1.63ee4p-17f);
}
