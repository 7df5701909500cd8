// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// B_2k / (2 k)!, k = 1 ... 12
HDI int euler_maclaurin(int k, double& c) {
    constexpr double values[] = {0x1.5555555555555p-4, -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15,
        -0x1.bbd779334ef0bp-21, 0x1.66a8f2bf70ebep-26, -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37,
        -0x1.7da4e1f79955cp-42, 0x1.355871d652e9ep-47, -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58,
        -0x1.497d9033a2b5cp-63};
    c = values[k];
    return 12;
}
// B_2k / (2 k)!, k = 1 ... 6
HDI int euler_maclaurin(int k, float& c) {
    constexpr float values[] = {0x1.555556p-4f, -0x1.6c16c2p-10f, 0x1.1566acp-15f, -0x1.bbd77ap-21f, 0x1.66a8f2p-26f,
        -0x1.22805ep-31f};
    c = values[k];
    return 6;
}
