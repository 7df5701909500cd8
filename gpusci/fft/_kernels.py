"""Kernel rows of gpusci.fft."""

from gpusci.core import Kernel

SPECTRUM, TRIG = "fft/kernels/spectrum.h", "fft/kernels/trig.h"
BOTH = ["f", "d"]

scale_spectrum = Kernel(
    "scale_spectrum", SPECTRUM, template="T Conj Index", args="ptr x, ptr y, f64 factor, i64 n",
    first=["f false", "d false", "F false", "F true", "D false", "D true"],
)  # fmt: skip
real_ends = Kernel("real_ends", SPECTRUM, template="T Index", args="ptr v, i64 h, i64 inner, i64 even", first=BOTH)

LINE = "ptr x, ptr v, i64 n, i64 inner, i64 sine"
dct1_pre = Kernel("dct1_pre", TRIG, template="T Index", args=LINE + ", f64 ends", first=BOTH)
dct1_post = Kernel("dct1_post", TRIG, template="T Index", args=LINE + ", f64 scale, f64 ends", first=BOTH)
dct2_pre = Kernel("dct2_pre", TRIG, template="T Index", args=LINE, first=BOTH)
dct2_post = Kernel("dct2_post", TRIG, template="T Index", args=LINE + ", f64 scale, f64 first", first=BOTH)
dct3_pre = Kernel("dct3_pre", TRIG, template="T Index", args=LINE + ", f64 scale, f64 first", first=BOTH)
dct3_post = Kernel("dct3_post", TRIG, template="T Index", args=LINE, first=BOTH)
dct4_even_pre = Kernel("dct4_even_pre", TRIG, template="T Index", args=LINE, first=BOTH)
dct4_even_post = Kernel("dct4_even_post", TRIG, template="T Index", args=LINE + ", f64 scale", first=BOTH)
dct4_odd_pre = Kernel("dct4_odd_pre", TRIG, template="T Index", args=LINE, first=BOTH)
dct4_odd_post = Kernel(
    "dct4_odd_post", TRIG, template="T Index", args=LINE + ", i64 eighth, i64 inverse, f64 scale", first=BOTH
)
