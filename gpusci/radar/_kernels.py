"""Kernel rows of radar."""

from gpusci.core import BlockKernel, Kernel

CFAR = "i64 rows, i64 cols, i64 guard0, i64 guard1, i64 ref0, i64 ref1, f64 scale"
ca_cfar = Kernel(
    "ca_cfar", "radar/kernels/cfar.h", template="X Index", grain=16384, args=f"ptr x, ptr threshold, ptr detected, {CFAR}",
    first=["f", "d"],
)  # fmt: skip
ca_cfar_tile = BlockKernel(
    "ca_cfar_tile", "radar/kernels/cfar_block.h", template="X Index", threads=256,
    args=f"ptr x, ptr threshold, ptr detected, {CFAR}, i64 height, i64 width", first=["f", "d"],
)  # fmt: skip
os_cfar = Kernel(
    "os_cfar", "radar/kernels/cfar.h", template="X Index", grain=64,
    args=f"ptr x, ptr threshold, ptr detected, {CFAR}, i64 rank", first=["f", "d"],
)  # fmt: skip
channelize = Kernel(
    "channelize", "radar/kernels/channelize.h", template="X H Y Index", args="ptr x, ptr h, ptr out, i64 channels, i64 taps",
    first=["F f F", "d d D"],
)  # fmt: skip
volterra = Kernel(
    "volterra", "radar/kernels/channelize.h", template="T R Index", grain=64, args="ptr x, ptr w, ptr y, i64s n",
    first=["f 2", "d 3"],
)  # fmt: skip
shift_frequency = Kernel(
    "shift_frequency", "radar/kernels/channelize.h", template="X Y Index", args="ptr x, ptr y, i64 n, f64 step",
    first=["F F", "d D"],
)  # fmt: skip
