"""Kernel rows of labelling and measurements."""

from gpusci.core import BlockKernel, Kernel

_NEIGHBOURS = "i64s shape, i64 count, ptr delta, ptr step, i64 runs"
_LABEL, _MEASURE = "ndimage/kernels/label.h", "ndimage/kernels/measure.h"

label_start = Kernel("label_start", _LABEL, template="X P D Index", args=f"ptr x, ptr parent, {_NEIGHBOURS}",
                     first=["? i 2", "f q 3"])  # fmt: skip
label_join = Kernel("label_join", _LABEL, template="P D Index", args=f"ptr parent, {_NEIGHBOURS}", first=["i 2", "q 3"])
_PIECES = "i64 n, i64 piece"
label_count = Kernel("label_count", _LABEL, template="P Index", args=f"ptr parent, ptr roots, {_PIECES}", first=["i"], grain=1)
label_roots = Kernel("label_roots", _LABEL, template="P Index", args=f"ptr parent, ptr until, {_PIECES}", first=["i"], grain=1)
label_number = Kernel("label_number", _LABEL, template="P Y Index", args="ptr parent, ptr y", first=["i i"])
bounding_boxes = Kernel("bounding_boxes", _LABEL, template="L D Index", first=["i 2"],
                        args="ptr labels, ptr low, ptr high, i64 count, i64s shape")  # fmt: skip

_TABLE = "ptr x, ptr labels, i64 n, ptr sorted, i64 count, i64 first, ptr a, ptr b, ptr c"
measure = Kernel("measure", _MEASURE, template="Field X L Index", args=_TABLE, grain=16,
                 first=["SumField<float> f i", "ExtremeField<float> f i", "PlaceField<float> f i"])  # fmt: skip
measure_sums = BlockKernel("measure_sums", _MEASURE, template="X L Index", args=_TABLE, first=["f i"])
from_order_key = Kernel("from_order_key", _MEASURE, template="Y Index", args="ptr key, ptr y", first=["f", "q"])
