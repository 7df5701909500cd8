"""Kernel rows of morphology and distance transforms."""

from gpusci.core import Kernel

_ELEMENT = "i64s shape, i64 count, ptr delta, ptr step"
_MORPHOLOGY, _DISTANCE = "ndimage/kernels/morphology.h", "ndimage/kernels/distance.h"
_LINES, _BITS = "ndimage/kernels/distance_lines.h", "ndimage/kernels/binary_bits.h"

binary_step = Kernel("binary_step", _MORPHOLOGY, template="D Index", first=["2"], grain=1 << 15,
                     args=f"ptr x, ptr y, ptr mask, ptr changed, {_ELEMENT}, i64 border, i64 invert")  # fmt: skip
binary_flood = Kernel("binary_flood", _MORPHOLOGY, template="D Index", first=["2"], grain=1 << 62,
                      args=f"ptr x, ptr y, ptr mask, {_ELEMENT}, i64 n, i64 steps")  # fmt: skip
pack_bits = Kernel("pack_bits", _BITS, template="Index", first=[""],
                   args="ptr x, ptr bits, i64 n, i64 length, i64 pitch, i64 invert, i64 padding")  # fmt: skip
unpack_bits = Kernel("unpack_bits", _BITS, template="Index", first=[""],
                     args="ptr bits, ptr y, i64 n, i64 length, i64 pitch, i64 invert")  # fmt: skip
binary_bits = Kernel("binary_bits", _BITS, template="D Index", first=["2", "3"], grain=256,
                     args="ptr x, ptr y, ptr mask, ptr changed, i64s shape, i64 tail, i64 count, ptr run, i64 border")  # fmt: skip
grey_structure = Kernel("grey_structure", _MORPHOLOGY, template="X Y D Minimum Index", first=["f f 2 true"],
                        args=f"ptr x, ptr y, {_ELEMENT}, ptr height, i64 mode, f64 cval", grain=8192)  # fmt: skip

_PASS = "ptr g, ptr feature, i64 length, i64 stride, f64 sampling, ptr samples, i64 shift"
_FIRST = ["Metric::euclidean i i", "Metric::euclidean d i", "Metric::taxicab i i", "Metric::chessboard i i"]
_LATER = ["Metric::euclidean false i i", "Metric::euclidean false d i", "Metric::taxicab true d i", "Metric::chessboard false i i"]
background_words = Kernel("background_words", _LINES, template="F Index", first=["i"], grain=256,
                          args="ptr foreground, ptr words, ptr carry, i64 length, i64 stride, i64 count, i64 total")  # fmt: skip
# An item is an element or, where rows of the array are wide, 16 of them.
distance_firsts = {
    rows: Kernel("distance_first", _LINES, template="M G F Index", first=_FIRST if rows == 1 else [], grain=8192 // rows,
                 args="ptr words, ptr carry, ptr g, ptr feature, i64 length, i64 stride, i64 count, i64 total, i64 rows, f64 sampling")
    for rows in (1, 16)
}  # fmt: skip
distance_samples = Kernel("distance_samples", _LINES, template="M Last G F Index", first=_LATER, grain=1024,
                          args=f"{_PASS}, ptr out, i64 step")  # fmt: skip
distance_search = Kernel("distance_search", _LINES, template="M Last G F Index", first=_LATER, grain=8192,
                         args=f"{_PASS}, ptr g_out, ptr feature_out")  # fmt: skip
last_in_box = Kernel("last_in_box", _DISTANCE, template="F D Index", args="ptr foreground, ptr g, ptr feature, i64s shape",
                     first=["i 2"], grain=64)  # fmt: skip
distance_root = Kernel("distance_root", _DISTANCE, template="D Index", args="ptr g, ptr distance, i64s shape", first=["2"])
distance_envelope = Kernel("distance_envelope", _DISTANCE, template="F Index", first=["i"],
                           args="ptr foreground, ptr g, ptr feature, i64 length, i64 stride, f64 sampling")  # fmt: skip
distance_whole = Kernel("distance_whole", _DISTANCE, template="M Index", first=["Metric::taxicab", "Metric::chessboard"],
                        args="ptr g, i64 length, i64 stride")  # fmt: skip
distance_columns = Kernel("distance_columns", _DISTANCE, template="Index", first=[""],
                          args="ptr foreground, ptr g, i64 length, i64 stride")  # fmt: skip
distance_finish = Kernel("distance_finish", _DISTANCE, template="F D Index", first=["i 2"], grain=8192,
                         args="ptr feature, ptr distance, ptr indices, i64 n, i64s shape, f64s sampling")  # fmt: skip
chamfer_pass = Kernel("chamfer_pass", _DISTANCE, template="D Index", first=["2"], grain=1 << 62,
                      args=f"ptr x, ptr feature, i64 n, i64 reverse, {_ELEMENT}")  # fmt: skip
chamfer_step = Kernel(
    "chamfer_step", _DISTANCE, template="D Index", first=["2"],
    args=f"ptr start, ptr start_feature, ptr x, ptr feature, ptr x_out, ptr feature_out, ptr changed, {_ELEMENT}",
)  # fmt: skip
