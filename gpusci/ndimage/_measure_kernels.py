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
# On a GPU, two axes or more.
_TILES, _GRID = "ndimage/kernels/label_tiles.h", "i64s grid"
label_tiles = BlockKernel("label_tiles", _TILES, template="X P Index", args=f"ptr x, ptr parent, ptr masks, ptr roots, {_GRID}",
                          threads=128, first=["B i", "d q"])  # fmt: skip
label_seams = Kernel("label_seams", _TILES, template="P D Index", args=f"ptr parent, ptr masks, {_GRID}, i64s shape, i64 count, ptr links",
                     first=["i 2", "q 3"])  # fmt: skip
label_tally = BlockKernel("label_tally", _TILES, template="P Index", args=f"ptr parent, ptr roots, ptr counts, i64 count, {_GRID}",
                          threads=128, first=["i", "q"])  # fmt: skip
label_ranks = BlockKernel("label_ranks", _TILES, template="P Index", args=f"ptr parent, ptr roots, ptr until, i64 count, {_GRID}",
                          threads=128, first=["i", "q"])  # fmt: skip
label_paint = BlockKernel("label_paint", _TILES, template="P Y Index", args=f"ptr parent, ptr masks, ptr y, {_GRID}", threads=128,
                          first=["i i", "q d"])  # fmt: skip
# On the host: a work item a band of rows, or one for all of them.
label_runs, label_bands, label_fill = (
    Kernel(name, "ndimage/kernels/label_runs.h", template="X P Y D Index", first=["? i i 2", "f q q 3"], grain=1,
           args=f"ptr x, ptr y, ptr ends, ptr parent, ptr first, ptr last, ptr found, i64 rows, i64 most, i64 bands, {_NEIGHBOURS}")
    for name in ("label_runs", "label_bands", "label_fill")
)  # fmt: skip
# On the host, shared among threads, or all by the caller's: then without atomic updates. On a GPU: a work item 8 pixels.
_BOXES, _BOUNDS = "ndimage/kernels/boxes.h", "ptr labels, ptr bounds, i64 count, i64s shape"
bounding_boxes, bounding_boxes_alone = (
    Kernel("bounding_boxes", _BOXES, template="L D Index", first=first, grain=grain, args=_BOUNDS)
    for grain, first in ((4096, ["i 2"]), (1 << 62, []))
)
box_corners = Kernel("box_corners", _BOXES, template="L D Index", args=_BOUNDS, first=["i 2", "Q 3"])
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

# The first on the host, all others on a GPU.
_WATERSHED, _ZONES, _STEPS = "ndimage/kernels/watershed.h", "ndimage/kernels/watershed_zones.h", "ptr steps, i64 count, i64 n"
watershed_in_turn = Kernel("watershed_in_turn", _WATERSHED, template="X L P Index", first=["B i i", "H q q"], grain=1 << 62,
                           args="ptr x, ptr markers, ptr label, ptr cost, ptr next, ptr previous, ptr first, ptr last, i64 greys, "
                                f"{_STEPS}")  # fmt: skip
watershed_open = Kernel("watershed_open", _ZONES, template="X L P Index", first=["B i i", "H q q"],
                        args="ptr markers, ptr lowest, ptr parent, ptr cost, ptr reached, ptr several")  # fmt: skip
watershed_join = Kernel("watershed_join", _ZONES, template="X P Index", first=["B i", "H q"],
                        args=f"ptr x, ptr cost, ptr parent, ptr reached, i64 bit, i64 round, {_STEPS}")  # fmt: skip
watershed_reach = Kernel("watershed_reach", _ZONES, template="L P Index", first=["i i", "q q"],
                         args="ptr markers, ptr parent, ptr reached, i64 round")  # fmt: skip
watershed_spread = BlockKernel("watershed_spread", "ndimage/kernels/watershed_spread.h", template="X L P Index", threads=1024,
                               first=["B i i", "H q q"],
                               args=f"ptr x, ptr markers, ptr cost, ptr reached, ptr room, i64 bit, i64 round, {_STEPS}")  # fmt: skip
watershed_narrow = Kernel("watershed_narrow", _ZONES, template="X P Index", first=["B i", "H q"],
                          args="ptr cost, ptr parent, ptr reached, i64 bit, i64 round")  # fmt: skip
watershed_seeds = Kernel("watershed_seeds", _ZONES, template="X L Index", first=["B i", "H q"],
                         args=f"ptr x, ptr markers, ptr cost, ptr level, {_STEPS}")  # fmt: skip
watershed_zones = Kernel("watershed_zones", _ZONES, template="X P Index", first=["B i", "H q"],
                         args=f"ptr x, ptr level, ptr parent, {_STEPS}")  # fmt: skip
watershed_roots = Kernel("watershed_roots", _ZONES, template="P Index", first=["i", "q"], args="ptr parent, ptr turn")
watershed_until = Kernel("watershed_until", _ZONES, template="X Index", first=["B", "H"], args="ptr level, ptr order, ptr until, i64 n")
watershed_turns = BlockKernel("watershed_turns", "ndimage/kernels/watershed_turns.h", template="X L P Index", threads=1024,
                              first=["B i i", "H q q"],
                              args="ptr x, ptr markers, ptr level, ptr order, ptr until, ptr several, ptr seen, ptr parent, ptr turn, "
                                   f"ptr named, ptr marks, ptr groups, ptr kept, ptr before, ptr room, i64 levels, {_STEPS}")  # fmt: skip
watershed_labels = Kernel("watershed_labels", _ZONES, template="L P Index", first=["i i", "q q"],
                          args="ptr parent, ptr turn, ptr named, ptr label")  # fmt: skip
half_sums = Kernel("half_sums", _MEASURE, template="X Index", args="ptr x, ptr low, ptr high, i64 n, i64 piece", first=["q"], grain=4)
