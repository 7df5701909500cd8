"""Kernel rows of morphology and distance transforms."""

from gpusci.core import Kernel

_ELEMENT = "i64s shape, i64 count, ptr delta, ptr step"
_MORPHOLOGY, _DISTANCE = "ndimage/kernels/morphology.h", "ndimage/kernels/distance.h"

binary_step = Kernel("binary_step", _MORPHOLOGY, template="D Index", first=["2"], grain=1 << 15,
                     args=f"ptr x, ptr y, ptr mask, ptr changed, {_ELEMENT}, i64 border, i64 invert")  # fmt: skip
binary_flood = Kernel("binary_flood", _MORPHOLOGY, template="D Index", first=["2"], grain=1 << 62,
                      args=f"ptr x, ptr y, ptr mask, {_ELEMENT}, i64 n, i64 steps")  # fmt: skip
grey_structure = Kernel("grey_structure", _MORPHOLOGY, template="X Y D Minimum Index", first=["f f 2 true"],
                        args=f"ptr x, ptr y, {_ELEMENT}, ptr height, i64 mode, f64 cval", grain=8192)  # fmt: skip

distance_search = Kernel("distance_search", _DISTANCE, template="M G F Index", grain=8192, first=[
    "Metric::euclidean i i", "Metric::euclidean d i", "Metric::taxicab d i", "Metric::chessboard d i",
], args="ptr foreground, ptr g, ptr feature, ptr g_out, ptr feature_out, i64 length, i64 stride, f64 sampling, i64 last")  # fmt: skip
last_in_box = Kernel("last_in_box", _DISTANCE, template="F D Index", args="ptr foreground, ptr g, ptr feature, i64s shape",
                     first=["i 2"], grain=64)  # fmt: skip
distance_root = Kernel("distance_root", _DISTANCE, template="D Index", args="ptr g, ptr distance, i64s shape", first=["2"])
# By the lines that a thread takes at least: `_distance.envelope` picks so that they are worth waking it.
distance_envelopes = {
    grain: Kernel("distance_envelope", _DISTANCE, template="F Index", grain=grain, first=["i"] if grain == 1 else [],
                  args="ptr foreground, ptr g, ptr feature, i64 length, i64 stride, f64 sampling")
    for grain in (1, 16, 256, 4096)
}  # fmt: skip
distance_finish = Kernel("distance_finish", _DISTANCE, template="F D Index", first=["i 2"], grain=8192,
                         args="ptr feature, ptr distance, ptr indices, i64 n, i64s shape, f64s sampling")  # fmt: skip
chessboard_last = Kernel("chessboard_last", _DISTANCE, template="F D Index", args="ptr foreground, ptr g, ptr feature, i64s shape",
                         first=["i 2"], grain=256)  # fmt: skip
_NEIGHBOURS = "i64s shape, i64 count, ptr delta, ptr step"
chamfer_pass = Kernel("chamfer_pass", _DISTANCE, template="D Index", first=["2"], grain=1 << 62,
                      args=f"ptr x, ptr feature, i64 n, i64 reverse, {_NEIGHBOURS}")  # fmt: skip
chamfer_step = Kernel(
    "chamfer_step", _DISTANCE, template="D Index", first=["2"],
    args=f"ptr start, ptr start_feature, ptr x, ptr feature, ptr x_out, ptr feature_out, ptr changed, {_NEIGHBOURS}",
)  # fmt: skip
