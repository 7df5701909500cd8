"""Kernel rows of spline interpolation. The structs Spline, Image and Target travel as runs of words: see kernels/."""

import numpy as np

from gpusci.core import BlockKernel, Kernel


def _exact(template):
    """Whether an instantiation repeats SciPy's roundings: all but float32 results, which hide them."""
    return template[1] != np.dtype(np.float32)


_SPLINE = "ptr x, ptr y, i64s line, f64s poles"
# shape, stride, mode; pad, constants; then shape, stride, batch, x_batch, y_batch, parts, tile
_TRANSFORM = "raw x, i64s image, f64s fill, raw y, i64s target"

spline_rows = BlockKernel(
    "spline_rows", "ndimage/kernels/spline_blocks.h", exact=_exact, template="X Y poles Index", args=f"{_SPLINE}, i64s tiles",
    threads=128, first=["f f 1", "d d 2"],
)  # fmt: skip
# Columns come first where there are several axes; the last axis follows.
spline_chunks = Kernel(
    "spline_chunks", "ndimage/kernels/spline.h", exact=_exact, template="X Y poles Index", args=_SPLINE, grain=64, threads=128,
    first=["f f 1", "f d 1", "d d 2"], together=lambda types: [(spline_rows, (types[1], *types[1:]))],
)  # fmt: skip
affine = Kernel(
    "affine", "ndimage/kernels/geometry.h", exact=_exact, template="X Y rank output_rank order Index", grain=1024,
    args=f"{_TRANSFORM}, f64s matrix, f64s offset", first=["f f 2 2 1", "d f 2 2 3", "B B 3 3 0"],
)  # fmt: skip
separable = Kernel(
    "separable", "ndimage/kernels/separable.h", exact=_exact, template="X Y rank order Index", grain=1024,
    args=f"{_TRANSFORM}, f64s shift, f64s zoom, f64 half, f64s last", first=["f f 2 1", "d f 2 3", "d d 3 5", "I I 2 0"],
)  # fmt: skip
mapped = Kernel(
    "mapped", "ndimage/kernels/geometry.h", exact=_exact, template="X Y C rank output_rank order Index", grain=1024,
    args=f"{_TRANSFORM}, ptr coordinates", first=["f f d 2 2 1", "d f f 2 1 3"],
)  # fmt: skip
round_output = Kernel("round_output", "ndimage/kernels/interpolate.h", template="Y Index", args="ptr x, ptr y", first=["B", "i"])
mapping_call = Kernel(
    "mapping_call", "ndimage/kernels/geometry_call.h", template="rank Index", grain=1 << 62, first=["2"],
    args="ptr coordinates, i64s shape, i64 input_rank, i64 function, i64 data, err",
    errors=[(RuntimeError, "geometric_transform: the mapping reported an error (it returned 0)")],
)  # fmt: skip
