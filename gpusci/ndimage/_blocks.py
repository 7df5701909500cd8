"""When and how the block kernels run: tiles of shared memory on a GPU (see kernels/tiles.h), else None for the at-form."""

import functools

import numpy as np

_SHARED = 40960                 # bytes of a block at most
_ENOUGH = 264                   # blocks that keep a large GPU busy; smaller problems get smaller tiles
_NARROW = 32                    # elements between neighbours along the axis from which columns pay


def has_blocks(device):
    """Whether block kernels run there; tests say yes for the emulator."""
    return device.kind == "cuda"


def holds(value, itemsize):
    """Whether shared memory, float32 for short items, keeps a fill value."""
    return itemsize == 8 or float(np.float32(value)) == value


def shared_size(dtype):
    """Bytes of an element that is summed in double: float32 in shared memory where that holds every value."""
    return 4 if dtype.itemsize < 4 or dtype.char == "f" else 8


@functools.lru_cache(512)
def line_tiles(n, inner, size, window, shared, y_size, offset=1):
    """(0 for rows or 1 for columns, blocks, tiles field, shared bytes) for a pass over lines of n, or None.

    shared, y_size: item sizes; offset: the output's address modulo 16.
    """
    outer = size // (n * inner)
    if inner >= _NARROW:
        found = _column_tiles(n, inner, outer, window, _SHARED // 256, 256 // shared)
        return found and (*found, (found[2][0] + window + 7) * 256)
    aligned = max(1, 16 // y_size) if y_size > 1 else 8
    # Tiles start at 16-byte boundaries of the output, so the first may begin before its line.
    shift = aligned - 1 if inner == 1 and (offset or n % aligned) else 0
    found = _row_tiles(n, inner, outer, window, _SHARED // shared, shift)
    if found is None:
        return None
    positions, lines, *_ = found[2]
    loaded = lines * (((positions + window - 1) * inner + 7) // 8 * 8) + 16 * inner + 8
    return (*found, min(_SHARED, -(-loaded * 9 // 8) * shared))


def _column_tiles(n, inner, outer, window, rows, width):
    positions = min(64, -(-n // 8) * 8, (rows - window - 8) // 8 * 8)
    if positions < min(16, n):
        return None
    strips = -(-inner // width)
    while positions > 16 and outer * strips * -(-n // positions) < _ENOUGH:
        positions = max(16, positions // 16 * 8)
    tiles = -(-n // positions)
    return 1, outer * strips * tiles, (positions, tiles, strips)


def _row_tiles(n, inner, outer, window, capacity, shift):
    whole = -(-n // 8) * 8
    room = capacity * 8 // 9 - 24 * inner - 8              # elements, less what the last chunk reads beyond its taps
    if n * inner < 1024:
        pitch = (whole + window - 1) * inner + 7
        lines = min(outer, max(1, 2048 // (whole * inner)), room // pitch)
        while lines > 1 and -(-outer // lines) < _ENOUGH:
            lines //= 2
        if lines > 1 or lines == 1 and inner > 1:
            return 0, -(-outer // lines), (whole, lines, 1, outer)
    positions = min(2048 // inner // 8 * 8, (room // inner - window + 1) // 8 * 8, whole + 8)
    if positions < max(8, min(window // 4, n)):
        return None
    while positions > 256 and outer * -(-(n + shift) // positions) < _ENOUGH:
        positions = max(256, positions // 16 * 8)
    tiles = -(-(n + shift) // positions)
    return 0, outer * tiles, (positions, 1, tiles, outer)


@functools.lru_cache(256)
def plane(words, rank, wide, capacity):
    """(blocks, plane field) for a window over the last two axes of a Geometry's words, or None.

    wide      outputs of a tile's width
    capacity  elements of shared memory for correlate_block, None for median_block
    """
    lengths, inner, extent, lo, mode = words[:rank], words[rank], words[rank + 1 : 2 * rank + 1], words[2 * rank + 1 : -2], words[-1]
    if inner != 1 or any(e != 1 for e in extent[:-2]) or lengths[-1] < wide // 4:
        return None
    (height, width), (h, w) = lengths[-2:], extent[-2:]
    tiles_x, outer = -(-width // wide), int(np.prod(lengths[:-2]))
    pitch = (wide + w + 14) // 8 * 9
    for rows in (16, 8, 4):
        tiles_y = -(-height // rows)
        fits = capacity is None or (rows + h - 1) * pitch <= capacity
        if fits and (rows == 4 or outer * tiles_x * tiles_y >= _ENOUGH or rows >= 2 * height):
            return outer * tiles_x * tiles_y, (height, width, *lo[-2:], h, w, mode, rows, tiles_x, tiles_y)
    return None
