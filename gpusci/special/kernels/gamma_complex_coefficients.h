// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// B_2k / (2 k (2 k - 1)) z^(k - 1), DLMF 5.11.1
HDI complex<double> stirling_series(complex<double> z) {
    return series(z, 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11, -0x1.3813813813814p-11,
        0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8, -0x1.e4286cb0f5398p-6,
        0x1.6fe96381e068p-3, -0x1.6476701181f3ap+0);
}
HDI complex<float> stirling_series(complex<float> z) {
    return series(z, 0x1.555556p-4f, -0x1.6c16c2p-9f, 0x1.a01a02p-11f, -0x1.381382p-11f, 0x1.b951e2p-11f);
}
// log gamma(1 + z) / z, DLMF 5.7.3, |z| < 0.2
HDI complex<double> log_gamma_at_1(complex<double> z) {
    return series(z, -0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab2d7p-2, 0x1.151322ac7d848p-2,
        -0x1.a8b9c17aa6149p-3, 0x1.5b40cb100c306p-3, -0x1.2703a1dcea3aep-3, 0x1.010b36af86397p-3,
        -0x1.c806706d57db4p-4, 0x1.9a01e385d5f8fp-4, -0x1.748c33114c6d6p-4, 0x1.556ad63243bc4p-4,
        -0x1.3b1d971fc5985p-4, 0x1.2496df8320c5fp-4, -0x1.11133476e7fep-4, 0x1.00010064cdeb2p-4,
        -0x1.e1e2d311e8abdp-5, 0x1.c71ce3a20b419p-5, -0x1.af28a1b5688ap-5, 0x1.9999b3352d5bap-5,
        -0x1.86186db77bfbfp-5, 0x1.745d1d1778df9p-5, -0x1.642c88591b66dp-5, 0x1.555556aaafdcdp-5);
}
HDI complex<float> log_gamma_at_1(complex<float> z) {
    return series(z, -0x1.2788dp-1f, 0x1.a51a66p-1f, -0x1.9a4d56p-2f, 0x1.151322p-2f, -0x1.a8b9c2p-3f,
        0x1.5b40ccp-3f, -0x1.2703a2p-3f, 0x1.010b36p-3f, -0x1.c8067p-4f, 0x1.9a01e4p-4f, -0x1.748c34p-4f);
}
// B_2k / (2 k) z^(k - 1), DLMF 5.11.2
HDI complex<double> digamma_series(complex<double> z) {
    return series(z, 0x1.5555555555555p-4, -0x1.1111111111111p-7, 0x1.041041041041p-8, -0x1.1111111111111p-8,
        0x1.f07c1f07c1f08p-8, -0x1.5995995995996p-6, 0x1.5555555555555p-4, -0x1.c5e5e5e5e5e5ep-2,
        0x1.86e7f9b9fe6e8p+1);
}
HDI complex<float> digamma_series(complex<float> z) {
    return series(z, 0x1.555556p-4f, -0x1.111112p-7f, 0x1.041042p-8f, -0x1.111112p-8f, 0x1.f07c2p-8f);
}
// digamma(root + z) / z, |z| < 0.4
HDI complex<double> digamma_at_root(complex<double> z) {
    return series(z, 0x1.ef72bc8ee38acp-1, -0x1.c563b54aa1a35p-2, 0x1.08b4294d50381p-2, -0x1.4fc1317257da8p-3,
        0x1.b9a5b6370f3abp-4, -0x1.27baba261cc2cp-4, 0x1.8fce02b239ca7p-5, -0x1.0fa7ec36a7d8fp-5,
        0x1.723d6807edccp-6, -0x1.f970508e1b6a2p-7, 0x1.5955caaa962f3p-7, -0x1.d828079282eb8p-8,
        0x1.42e1acf81d8dcp-8, -0x1.b9afc7cee8a14p-9, 0x1.2e23345f79aafp-9, -0x1.9d626f71d1f7ap-10,
        0x1.1acebbd761089p-10, -0x1.82f6345c65b35p-11, 0x1.08bdae1a261d4p-11, -0x1.6a3fddea11304p-12,
        0x1.efacab6fb8985p-13, -0x1.531f5dc5eb563p-13, 0x1.d0080f810fab5p-14, -0x1.3d7972688af67p-14,
        0x1.b2691182c5c34p-15, -0x1.29357f7d6cb86p-15, 0x1.96ae4a8e32b49p-16, -0x1.163cc7373be8bp-16);
}
HDI complex<float> digamma_at_root(complex<float> z) {
    return series(z, 0x1.ef72bcp-1f, -0x1.c563b6p-2f, 0x1.08b42ap-2f, -0x1.4fc132p-3f, 0x1.b9a5b6p-4f,
        -0x1.27babap-4f, 0x1.8fce02p-5f, -0x1.0fa7ecp-5f, 0x1.723d68p-6f, -0x1.f9705p-7f, 0x1.5955cap-7f,
        -0x1.d82808p-8f, 0x1.42e1acp-8f);
}
