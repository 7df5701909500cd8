"""Kernel rows of ndimage's filters. Geometry structs travel as one `i64s` field: see lines.h and box.h."""

from gpusci.core import Kernel

# n, inner, window, lo, mode; then the fill of the real and of the imaginary part
_LINE = "i64s line, f64s cval"
# shape[R], inner, extent[R], lo[R], taps, mode; the fills; taps x (R + 1) offsets
_WINDOW = "i64s window, f64s cval, ptr table"

correlate1d = Kernel(
    "correlate1d", "ndimage/kernels/correlate1d.h", template="X Y Index", args=f"ptr x, ptr y, {_LINE}, ptr w, i64 fold",
    first=["f f", "d d", "B B"],
)  # fmt: skip
correlate = Kernel(
    "correlate", "ndimage/kernels/correlate.h", template="X Y R Index", args=f"ptr x, ptr y, {_WINDOW}, ptr w",
    first=["f f 2", "d d 2", "B B 3"],
)  # fmt: skip
uniform = Kernel(
    "uniform", "ndimage/kernels/uniform.h", template="X Y Index", args=f"ptr x, ptr y, {_LINE}", first=["f f", "d d", "B B"]
)
minmax = Kernel(
    "minmax", "ndimage/kernels/minmax.h", template="X maximum Index", args=f"ptr x, ptr y, {_LINE}",
    first=["f true", "d false", "B true"],
)  # fmt: skip
extreme = Kernel(
    "extreme", "ndimage/kernels/minmax.h", template="X maximum R Index", args=f"ptr x, ptr y, {_WINDOW}",
    first=["f true 2", "d false 2", "B true 2"],
)  # fmt: skip
rank = Kernel(
    "rank", "ndimage/kernels/rank.h", template="X R Index",
    args=f"ptr x, ptr y, {_WINDOW}, i64 rank, ptr network, i64 pairs, ptr edge, i64 edges", first=["f 2", "d 2", "B 2"],
)  # fmt: skip
truncate = Kernel("truncate", "ndimage/kernels/parts.h", template="Y Index", args="ptr x, ptr y", first=["B", "i"])
add_square = Kernel(
    "add_square", "ndimage/kernels/parts.h", template="X Index", args="ptr total, ptr part, i64 first, i64 last",
    first=["f", "d"],
)  # fmt: skip
combine = Kernel(
    "combine", "ndimage/kernels/parts.h", template="X Y Index", args="ptr a, ptr b, ptr y", first=["D F", "d D"]
)
