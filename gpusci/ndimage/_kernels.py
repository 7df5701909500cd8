"""Kernel rows of ndimage's filters. Geometry structs travel as one `i64s` field: see lines.h and box.h."""

from gpusci.core import BlockKernel, Kernel

# n, inner, window, lo, mode; then the fill of the real and of the imaginary part
_LINE = "i64s line, f64s cval"
# shape[R], inner, extent[R], lo[R], taps, mode; the fills; taps x (R + 1) offsets
_WINDOW = "i64s window, f64s cval, ptr table"

WIDE = 1 << 15          # elements that a thread of the host takes at least where each costs about a nanosecond


# ---- passes along one axis
correlate1d = Kernel(
    "correlate1d", "ndimage/kernels/correlate1d.h", template="X Y Index", args=f"ptr x, ptr y, {_LINE}, ptr w, i64 fold",
    first=["f f", "d d", "B B"],
)  # fmt: skip
uniform = Kernel(
    "uniform", "ndimage/kernels/uniform.h", template="X Y Index", args=f"ptr x, ptr y, {_LINE}", grain=WIDE,
    first=["f f", "d d", "B B"],
)  # fmt: skip
minmax = Kernel(
    "minmax", "ndimage/kernels/minmax.h", template="X maximum Index", args=f"ptr x, ptr y, {_LINE}", grain=WIDE,
    first=["f true", "d false", "B true"],
)  # fmt: skip

# ---- the same passes as blocks with tiles in shared memory (CUDA): positions, lines | tiles, tiles | strips, outer
def _line_blocks(name, template, args, first):
    """(rows, columns). The last template value but Index: whether rows are interleaved, whether columns are loaded by vectors."""
    some = [f"{types} {special}" for types, special in zip(first, ("false", "true"), strict=True)]

    def row(kind, special, **options):
        return BlockKernel(f"{name}_{kind}", "ndimage/kernels/line_blocks.h", template=f"{template} {special} Index", first=some,
                           threads=128, args=f"ptr x, ptr y, {_LINE}{args}, i64s tiles", **options)  # fmt: skip

    rows = row("rows", "interleaved")
    # Columns come first where there are several axes; the last axis follows.
    return rows, row("columns", "vectors", together=lambda types: [(rows, _next_pass(types))])


def _next_pass(types):
    """Template values of the pass along the last axis, after one along columns."""
    first, second, _ = types
    return (first, second, False) if isinstance(second, bool) else (second, second, False)


correlate1d_blocks = _line_blocks("correlate1d", "X Y", ", ptr w, i64 fold", ["f f", "B B"])
uniform_blocks = _line_blocks("uniform", "X Y", "", ["f f", "d d"])
minmax_blocks = _line_blocks("minmax", "X maximum", "", ["f true", "B false"])

# ---- windows of any shape
correlate = Kernel(
    "correlate", "ndimage/kernels/correlate.h", template="X Y W R Index", args=f"ptr x, ptr y, {_WINDOW}, ptr w, i64 flip",
    first=["f f d 2", "d d d 2", "B B f 3"],
)  # fmt: skip
extreme = Kernel(
    "extreme", "ndimage/kernels/minmax.h", template="X maximum R Index", args=f"ptr x, ptr y, {_WINDOW}",
    first=["f true 2", "d false 2", "B true 2"],
)  # fmt: skip
rank = Kernel(
    "rank", "ndimage/kernels/rank.h", template="X R Index",
    args=f"ptr x, ptr y, {_WINDOW}, i64 rank, ptr network, i64 pairs, ptr edge, i64 edges", first=["f 2", "d 2", "B 2"],
)  # fmt: skip
rank_wires = Kernel(
    "rank_wires", "ndimage/kernels/rank.h", template="X R wires Index", args=f"ptr x, ptr y, {_WINDOW}, i64 rank",
    first=["f 2 32", "B 3 32"],
)  # fmt: skip

# ---- windows over the last two axes as blocks (CUDA): height, width, rows_lo, cols_lo, h, w, mode, rows, tiles_x, tiles_y
correlate_block = BlockKernel(
    "correlate_block", "ndimage/kernels/window_blocks.h", template="X Y W Index", first=["f f d", "B B f"], threads=128,
    args="ptr x, ptr y, i64s plane, f64 cval, ptr w, i64 flip",
)  # fmt: skip
median_block = BlockKernel(
    "median_block", "ndimage/kernels/window_blocks.h", template="X size Index", first=["f 5", "B 3"], threads=128,
    args="ptr x, ptr y, i64s plane, f64 cval",
)  # fmt: skip

# ---- small steps
truncate = Kernel(
    "truncate", "ndimage/kernels/parts.h", template="Y Index", args="ptr x, ptr y", first=["B", "i"], grain=WIDE
)
add_square = Kernel(
    "add_square", "ndimage/kernels/parts.h", template="X Index", args="ptr total, ptr part, i64 first, i64 last",
    first=["f", "d"], grain=WIDE,
)  # fmt: skip
combine = Kernel(
    "combine", "ndimage/kernels/parts.h", template="X Y Index", args="ptr a, ptr b, ptr y", first=["D F", "d D"]
)

# ---- in the Fourier domain
fourier_table = Kernel(
    "fourier_table", "ndimage/kernels/fourier.h", template="Index",
    args="raw table, i64 length, i64 n, i64 real, i64 kind, f64 size", first=[""],
)  # fmt: skip
fourier_product, fourier_radius, fourier_phase = (
    Kernel(
        name, "ndimage/kernels/fourier.h", template="X Y R Index",
        args="ptr x, ptr y, ptr table, i64s shape, i64s first", first=first, grain=8192 if name == "fourier_radius" else WIDE,
    )
    for name, first in (("fourier_product", ["F F 2", "f f 2"]), ("fourier_radius", ["D D 3", "F F 2"]),
                        ("fourier_phase", ["F F 2", "d D 1"]))
)  # fmt: skip

# ---- with the caller's C function (host only)
window_call = Kernel(
    "window_call", "ndimage/kernels/call.h", template="R Index", grain=1 << 62, first=["2"],
    args="ptr padded, ptr offset, i64 taps, ptr y, i64s shape, i64s padded_shape, i64 function, i64 data, err",
    errors=[(RuntimeError, "generic_filter: the callback reported an error (it returned 0)")],
)  # fmt: skip
line_call = Kernel(
    "line_call", "ndimage/kernels/call.h", template="Index", grain=1 << 62, first=[""],
    args="ptr padded, i64 length, ptr y, i64 n, i64 function, i64 data, err",
    errors=[(RuntimeError, "generic_filter1d: the callback reported an error (it returned 0)")],
)  # fmt: skip
