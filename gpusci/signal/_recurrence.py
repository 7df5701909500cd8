"""Running a linear recurrence along lines: which kernels, how a long line is split, powers of the transition matrix.

See kernels/recurrence.h for the method. A split line needs A^m, the state after m samples without input, for m up to the
length of the line: they are taken in integers of fixed point here, exactly but for 2^-200, and handed over as double-double.
"""

import functools
import math
import os

import numpy as np

import gpusci as gs
from gpusci.signal import _kernels
from gpusci.signal._lines import has_blocks, pick, strides

ORDERS = (1, 2, 4, 8, 16)
BITS = 200
LANES = 8  # items that the host runs side by side (recurrence.h)
SPLIT_FROM = 32768  # samples: below, a line is faster in one piece on the host
TILES = {1: (32, 128), 2: (32, 128), 4: (32, 128), 8: (24, 128), 16: (32, 64)}  # order: (chunk, threads) of tile_shape
CARRY_BY_SCAN = 32  # tiles a line from which the carry is a scan too


class Filter:
    """Coefficients of one recurrence, padded with zeros to an order that a kernel exists for.

    form "transposed": b and a of one section, a[0] = 1.  form "cascade": rows b0 b1 b2 a0 a1 a2, a0 = 1.
    """

    def __init__(self, form, order, coefficients):
        self.form, self.order = form, order
        self.coefficients = tuple(coefficients.tolist())
        self.key = coefficients.tobytes()

    @classmethod
    def section(cls, b, a):
        order = max(len(b), len(a)) - 1
        padded = next(p for p in ORDERS if p >= order)
        c = np.zeros(2 * padded + 1)
        c[: len(b)] = b
        c[padded + 1 : padded + len(a)] = a[1:]
        return cls("transposed", padded, c)

    @classmethod
    def cascade(cls, sos):
        sections = next(p for p in ORDERS if p >= len(sos))
        c = np.zeros((sections, 5))
        c[:, 0] = 1  # a section that does nothing
        c[: len(sos)] = sos[:, [0, 1, 2, 4, 5]]
        return cls("cascade", 2 * sections, c.ravel())

    def powers(self, base, count):
        """A^(base 2^j) for j < count as (count, 2, P, P) high and low parts, or None where they leave the range of floats."""
        return _powers(self.form, self.order, self.key, base, count)


def run(system, x, y, zi=None, want_final=True):
    """Filter the lines x into y (float32 or float64, any strides; y may be x). Returns the final states, where wanted.

    States are float64 arrays (lines, order), contiguous.
    """
    lines, n = x.shape
    zf = gs.zeros((lines, system.order), float, device=x.device) if want_final else None
    if lines == 0 or n == 0:
        return zf if zi is None else zi
    if has_blocks(x.device) and n >= 128 and not _lines_side_by_side(x):
        if _in_tiles(system, x, y, zi, zf):
            return zf
    elif x.device.kind == "host" and n >= SPLIT_FROM and _in_chunks(system, x, y, zi, zf):
        return zf
    _run_chunks(system, x, y, zi, zf, n, 1)
    return zf


def _lines_side_by_side(x):
    """Many lines whose samples at one time are neighbours: one thread a line reads in order."""
    return x.shape[0] >= 8192 and abs(strides(x)[0]) == 1


def _run_chunks(system, x, y, zi, zf, chunk, chunks):
    template = (x.dtype, y.dtype if y is not None else x.dtype, f"Form::{system.form}", system.order)
    y_strides = strides(y) if y is not None else (0, 0)
    lines, n = x.shape
    row = pick(_kernels.run_chunks, chunk * system.order)
    row(lines * chunks, template, x, y, zi, zf, *strides(x), *y_strides, n, chunk, chunks, system.coefficients)


def _in_chunks(system, x, y, zi, zf):
    """Host: every line in as many chunks as keep all lanes of all threads busy. False where that does not pay or work."""
    lines, n = x.shape
    wanted = LANES * (os.cpu_count() or 1)
    chunks = min(-(-wanted // lines), n // 1024)
    if chunks < 4:
        return False
    chunk = -(-n // chunks)
    unit = 1 << max(0, chunk.bit_length() - 4)  # few lengths, so that the powers are often known already
    chunk = -(-chunk // unit) * unit
    chunks = -(-n // chunk)
    power = system.powers(chunk, 1)
    if power is None:
        return False
    states = gs.empty((lines * chunks, system.order), float, device=x.device)
    _run_chunks(system, x, None, None, states, chunk, chunks)
    _kernels.carry_states(lines, (system.order,), states, zi, gs.constant(power, x.device), chunks)
    finals = None if zf is None else gs.empty_like(states)
    _run_chunks(system, x, y, states, finals, chunk, chunks)
    if zf is not None:
        zf[...] = finals.reshape(lines, chunks, system.order)[:, -1]
    return True


def _in_tiles(system, x, y, zi, zf):
    lines, n = x.shape
    order = system.order
    chunk, threads = TILES[order]
    tiles = -(-n // (chunk * threads))
    scan_steps = threads.bit_length() - 1
    log_run = max(0, (-(-tiles // threads) - 1).bit_length())
    powers = system.powers(chunk, scan_steps + 1 + (log_run + scan_steps if tiles > CARRY_BY_SCAN else 0))
    if powers is None:
        return False
    table = gs.constant(powers, x.device)
    run_tiles = _kernels.run_tiles if threads == 128 else _kernels.run_tiles_16

    def launch(write, y, zi, zf):
        template = (x.dtype, x.dtype, f"Form::{system.form}", order, write)
        y_strides = strides(y) if write else (0, 0)
        run_tiles(lines * tiles, template, x, y, zi, zf, table, *strides(x), *y_strides, n, tiles, system.coefficients)

    if tiles == 1:
        launch(True, y, zi, zf)
        return True
    states = gs.empty((lines * tiles, order), float, device=x.device)
    launch(False, None, None, states)
    tile_powers = table[scan_steps:]  # the first is A^tile
    if tiles > CARRY_BY_SCAN:
        carry = _kernels.carry_tiles if threads == 128 else _kernels.carry_tiles_16
        carry(lines, (order,), states, zi, tile_powers, tiles, log_run)
    else:
        _kernels.carry_states(lines, (order,), states, zi, tile_powers, tiles)
    launch(True, y, states, zf)
    return True


# ---- powers of the transition matrix
@functools.lru_cache(256)
def _powers(form, order, key, base, count):
    matrix = _power(_transition(form, order, np.frombuffer(key)), base)
    out = np.empty((count, 2, order, order))
    try:
        for j in range(count):
            out[j] = _split(matrix)
            if j + 1 < count:
                matrix = (matrix @ matrix) >> BITS
    except OverflowError:  # an unstable filter: its states leave the range of floats within a line
        return None
    return out if np.abs(out).max() < 1e100 else None


def _fixed(value):
    """A float as an integer of BITS binary places."""
    if not math.isfinite(value):
        raise OverflowError("a filter coefficient is not finite")
    mantissa, exponent = math.frexp(value)
    shift = exponent - 53 + BITS
    integer = int(math.ldexp(mantissa, 53))
    return integer << shift if shift >= 0 else integer >> -shift


def _split(matrix):
    """High and low parts of a matrix of fixed-point integers."""
    one = 1 << BITS
    high = [[v / one for v in row] for row in matrix]
    low = [[(v - _fixed(h)) / one for v, h in zip(row, heads)] for row, heads in zip(matrix, high)]
    return np.array([high, low])


def _transition(form, order, coefficients):
    """A: column j is the state one sample, without input, after the j-th unit state."""
    try:
        c = [_fixed(v) for v in coefficients.tolist()]
    except OverflowError:
        return np.full((order, order), 1 << (BITS + 1100), object)
    columns = []
    for j in range(order):
        z = [0] * order
        z[j] = 1 << BITS
        columns.append(_advance(form, order, c, z))
    return np.array(columns, object).T


def _advance(form, order, c, z):
    if form == "transposed":
        y, a = z[0], c[order:]
        return [(z[i + 1] if i + 1 < order else 0) - (a[i + 1] * y >> BITS) for i in range(order)]
    x, out = 0, []
    for s in range(order // 2):
        b0, b1, b2, a1, a2 = c[5 * s : 5 * s + 5]
        y = (b0 * x >> BITS) + z[2 * s]
        out += [((b1 * x - a1 * y) >> BITS) + z[2 * s + 1], (b2 * x - a2 * y) >> BITS]
        x = y
    return out


def _power(matrix, exponent):
    result = None
    while exponent:
        if exponent & 1:
            result = matrix if result is None else (result @ matrix) >> BITS
        exponent >>= 1
        if exponent:
            matrix = (matrix @ matrix) >> BITS
            if abs(matrix).max() >> (BITS + 1100):
                return matrix  # far outside the range of floats: the caller finds that out
    return result
