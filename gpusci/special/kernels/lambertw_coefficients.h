// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// W in powers of p = sqrt(2 (e z + 1)), DLMF 4.13.6
HDI double branch_series(double p) {
    return poly(p, -1.0, 1.0, -0x1.5555555555555p-2, 0x1.38e38e38e38e4p-3, -0x1.4629b7f0d462ap-4,
        0x1.6c901e573ac9p-5, -0x1.a9bbcb24fe29fp-6, 0x1.002c98983bc43p-6, -0x1.3b20565de449cp-7,
        0x1.8a2b4a92630e7p-8, -0x1.f38df0d491306p-9, 0x1.3fee464a7d9c5p-9, -0x1.9d620108b4284p-10,
        0x1.0d075d983b845p-10, -0x1.605a95d04e643p-11, 0x1.cff7754715cf2p-12, -0x1.32e4f1bc682e6p-12,
        0x1.97a8dfca0994p-13);
}
HDI complex<double> branch_series(complex<double> p) {
    return series(p, -1.0, 1.0, -0x1.5555555555555p-2, 0x1.38e38e38e38e4p-3, -0x1.4629b7f0d462ap-4);
}
