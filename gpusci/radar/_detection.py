"""Detection at a constant false alarm rate."""

import functools
import math
import operator

import numpy as np

import gpusci as gs
from gpusci.core import public
from gpusci.radar import _kernels

TILE_BYTES, TILE_CELLS = 40960, 2048  # shared memory and outputs of a block (cfar_block.h)


def has_blocks(device):
    return device.kind == "cuda"


def cfar_alpha(pfa, N):
    """Threshold factor of the cell-averaging detector for false alarm probability pfa with N reference cells of
    exponentially distributed power: N (pfa^(-1/N) - 1)."""
    return N * np.expm1(-np.log(pfa) / N)        # no digits lost to the difference where N is large


def _check_pfa(pfa):
    if not 0 < pfa < 1:
        raise ValueError(f"pfa must be between 0 and 1, not {pfa}")


def os_cfar_alpha(pfa, N, rank):
    """Threshold factor of the ordered-statistic detector: pfa = product over i < rank of (N - i) / (N - i + alpha).

    rank counts from 1, the least of N cells (Rohling 1983, eq. 35). The root is found by bisection of its logarithm.
    """
    if not 1 <= rank <= N:
        raise ValueError(f"rank must be between 1 and the number of reference cells, {N}, not {rank}")
    _check_pfa(pfa)
    return _os_root(float(pfa), int(N), int(rank))


@functools.lru_cache(256)
def _os_root(pfa, N, rank):
    cells = N - np.arange(rank)
    log_pfa = lambda alpha: -np.log1p(alpha / cells).sum()
    low, high = 0.0, 1.0
    while log_pfa(high) > math.log(pfa):
        high *= 2
    middle = 0.5 * (low + high)
    while low < middle < high:
        low, high = (middle, high) if log_pfa(middle) > math.log(pfa) else (low, middle)
        middle = 0.5 * (low + high)
    return middle


def _ring(array, guard_cells, reference_cells):
    """(rows, cols, guard0, guard1, ref0, ref1) and the number of reference cells. Raises TypeError and ValueError."""
    if array.ndim not in (1, 2):
        raise TypeError("Only 1D and 2D arrays are currently supported.")
    if array.dtype.kind not in "?biuf":
        raise TypeError(f"the detector takes real power or magnitude, not {array.dtype}: use abs(x) ** 2")
    if array.ndim == 2 and (np.size(guard_cells) != 2 or np.size(reference_cells) != 2):
        raise TypeError("Guard and reference cells must be two dimensional.")
    try:
        guard, ref = (tuple(operator.index(n) for n in np.ravel(cells)) for cells in (guard_cells, reference_cells))
    except TypeError:
        raise TypeError(f"Guard and reference cells must be whole numbers, not {guard_cells} and {reference_cells}.") from None
    if len(guard) != array.ndim or len(ref) != array.ndim:
        raise TypeError("Guard and reference cells of a 1D array must be one number each.")
    if min(guard) < 0 or min(ref) < 0 or max(ref) == 0:
        raise ValueError("guard and reference cells must not be negative, and some reference cells are needed")
    for name, n, g, r in zip(("first", "second"), array.shape, guard, ref):
        if n - 2 * g - 2 * r <= 0:
            raise ValueError(f"Array {name} dimension too small for given parameters: {n} cells, {2 * g + 2 * r + 1} are needed.")
    if array.ndim == 1:
        return (1, array.size, 0, guard[0], 0, ref[0]), 2 * ref[0]
    (g0, g1), (r0, r1) = guard, ref
    cells = (2 * (g0 + r0) + 1) * (2 * (g1 + r1) + 1) - (2 * g0 + 1) * (2 * g1 + 1)
    return (*array.shape, g0, g1, r0, r1), cells


def _arrays(array):
    x = gs.ascontiguousarray(array.astype(np.float32 if array.dtype.char in "ef" else np.float64, copy=False))
    return x, gs.empty(x.shape, x.dtype, device=x.device), gs.empty(x.shape, bool, device=x.device)


@public("array")
def ca_cfar(array, guard_cells, reference_cells, pfa=1e-3):
    """Cell-averaging detector: (threshold, detections), detections being array > threshold where there is a threshold.

    array            (cells,) or (rows, columns) of power (square-law detector)
    guard_cells      cells on each side that are left out of the mean; one number, or two for a 2-D array
    reference_cells  cells on each side beyond the guard cells that are averaged; likewise
    pfa              probability of false alarm in exponentially distributed noise

    The threshold is cfar_alpha(pfa, N) times the mean of the N reference cells, in float32 for float16 and float32 input,
    else in float64. Cells whose window leaves the array have the threshold 0 and no detection (cuSignal marks positive
    ones as detected). A NaN stays within the cells that average it.
    """
    shape, cells = _ring(array, guard_cells, reference_cells)
    _check_pfa(pfa)
    x, threshold, detected = _arrays(array)
    scale = cfar_alpha(pfa, cells) / cells
    tile = _tile(shape[2] + shape[4], shape[3] + shape[5], x.itemsize) if has_blocks(x.device) and x.ndim == 2 else None
    if tile is not None:
        blocks = -(-x.shape[0] // tile[0]) * -(-x.shape[1] // tile[1])
        _kernels.ca_cfar_tile(blocks, (x.dtype,), x, threshold, detected, *shape, scale, *tile)
    else:
        _kernels.ca_cfar(x.size, (x.dtype,), x, threshold, detected, *shape, scale)
    return threshold, detected


@functools.lru_cache(64)
def _tile(e0, e1, itemsize):
    """(height, width) of the tile that reads least around its cells, or None where no tile fits."""
    best = None
    for height in (8, 16, 24, 32, 40, 48, 64):
        for width in (16, 32, 48, 64, 96, 128):
            wide = width + 2 * e1
            if height * width <= TILE_CELLS and (3 * height + 2 * e0) * wide * itemsize <= TILE_BYTES:
                cost = (height + 2 * e0) * wide / (height * width) * (1.2 if height * width < 1024 else 1.0)
                best = min(best or (cost, height, width), (cost, height, width))
    return best and best[1:]


@public("array")
def os_cfar(array, guard_cells, reference_cells, pfa=1e-3, rank=None):
    """Ordered-statistic detector: as `ca_cfar`, with the rank-th smallest reference cell in place of the mean.

    rank counts from 1; the default is three quarters of the reference cells. Keeps its threshold where other targets or
    clutter edges lie among the reference cells. A NaN among them counts as the largest.
    """
    shape, cells = _ring(array, guard_cells, reference_cells)
    rank = max(1, (3 * cells) // 4) if rank is None else operator.index(rank)
    alpha = os_cfar_alpha(pfa, cells, rank)
    x, threshold, detected = _arrays(array)
    _kernels.os_cfar(x.size, (x.dtype,), x, threshold, detected, *shape, alpha, rank - 1)
    return threshold, detected
