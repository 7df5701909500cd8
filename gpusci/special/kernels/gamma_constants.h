// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly().
// log(2 pi) / 2 - 1/2, the roots of digamma: the positive one less 1, the first negative
template <class T> struct gamma_constants;
template <> struct gamma_constants<double> {
    static constexpr double offset_hi = 0x1.acfe390c97d69p-2, offset_lo = 0x1.3494bc9001442p-56,
        root_hi = 0x1.d8b618d5af8fep-2, root_lo = -0x1.1e563779a1f5bp-56, low_root_hi = -0x1.02172b05ee26p-1,
        low_root_lo = -0x1.2cd704405bff6p-57;
};
template <> struct gamma_constants<float> {
    static constexpr float offset_hi = 0x1.acfe3ap-2f, offset_lo = -0x1.e6d052p-27f, root_hi = 0x1.d8b618p-2f,
        root_lo = 0x1.ab5f2p-27f, low_root_hi = -0x1.02172cp-1f, low_root_lo = 0x1.f423b4p-26f;
};
