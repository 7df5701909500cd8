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
# On the host: a work item a band of rows, or one for all of them.
label_runs, label_bands, label_fill = (
    Kernel(name, "ndimage/kernels/label_runs.h", template="X P Y D Index", first=["? i i 2", "f q q 3"], grain=1,
           args=f"ptr x, ptr y, ptr ends, ptr parent, ptr first, ptr last, ptr found, i64 rows, i64 most, i64 bands, {_NEIGHBOURS}")
    for name in ("label_runs", "label_bands", "label_fill")
)  # fmt: skip
# Shared among threads, or all by the caller's: then without atomic updates.
bounding_boxes, bounding_boxes_alone = (
    Kernel("bounding_boxes", _LABEL, template="L D Index", first=first, grain=grain,
           args="ptr labels, ptr bounds, i64 count, i64s shape")
    for grain, first in ((4096, ["i 2"]), (1 << 62, []))
)  # fmt: skip
group_places = Kernel("group_places", _LABEL, template="L D Index", first=["i 2"], grain=1 << 62,
                      args="ptr x, ptr next, ptr coordinates, i64 first, i64 n, i64s shape")  # fmt: skip

_REGIONS = "ndimage/kernels/regions.h"
_SLOTS = "ptr keys, ptr cells, i64 bits, i64 count, i64 first"
region_slots = Kernel("region_slots", _REGIONS, template="I real Index", args=f"ptr index, ptr out, {_SLOTS}", first=["q false"])
region_spread = Kernel("region_spread", _REGIONS, template="T real Index", args=f"ptr table, ptr y, {_SLOTS}",
                       first=["d false", "f true"])  # fmt: skip
_TABLE = f"ptr x, ptr labels, i64 n, {_SLOTS}, ptr a, ptr b, ptr c"
# By a thread of its own for each few pieces, or all by the caller's: then without atomic updates.
measure, measure_alone = (
    Kernel("measure", _MEASURE, template="Field X L real Index", args=_TABLE, grain=grain, first=first)
    for grain, first in (
        (16, ["SumField<float> f i false", "ExtremeField<float> f i false", "PlaceField<float> f i true"]), (1 << 62, []),
    )
)  # fmt: skip
measure_sums = BlockKernel("measure_sums", _MEASURE, template="X L real Index", args=f"{_TABLE}, i64 width, i64 blocks, i64 copies",
                           threads=1024, first=["f i false", "d q true"])  # fmt: skip
extreme_values = Kernel("extreme_values", _MEASURE, template="Y Index", args="ptr low, ptr high, ptr smallest, ptr largest",
                        first=["f", "q"])  # fmt: skip

# The block does on a GPU what `watershed_in_turn` does on the host.
_WATERSHED = "ndimage/kernels/watershed.h"
watershed_start = Kernel("watershed_start", _WATERSHED, template="L P Index", first=["i i", "b q"],
                         args="ptr markers, ptr before, ptr label, ptr state, ptr queue, ptr seen")  # fmt: skip
watershed_pairs = Kernel("watershed_pairs", _WATERSHED, template="X Index", first=["B", "H"],
                         args="ptr x, ptr pairs, ptr steps, i64 count, i64 tables, i64 greys, i64 n")  # fmt: skip
watershed_in_turn = Kernel("watershed_in_turn", _WATERSHED, template="X L P Index", first=["B i i", "H q q"], grain=1 << 62,
                           args="ptr x, ptr markers, ptr label, ptr cost, ptr next, ptr previous, ptr first, ptr last, "
                                "ptr steps, i64 count, i64 greys, i64 n")  # fmt: skip
watershed_block = BlockKernel("watershed_block", "ndimage/kernels/watershed_block.h", template="X L P Index", first=["B i i", "H q q"],
                              threads=1024,
                              args="ptr x, ptr before, ptr label, ptr state, ptr front, ptr flooded, ptr order, ptr turns, ptr seed, "
                                   "ptr seen, ptr queues, ptr filled, ptr until, ptr steps, i64 count, i64 greys, i64 n")  # fmt: skip
