"""Running a linear recurrence along lines: which kernels, how a long line is split, powers of the transition matrix.

See kernels/recurrence.h for the method. A split line needs A^m, the state after m samples without input, for m up to the
length of the line: they are taken in integers of fixed point here, exactly but for 2^-200, and handed over as double-double.

The GPU takes its powers from one table of A^(32 2^level). Low parts matter beside poles near the unit circle, where the terms
of A^m z are larger than states are, and cancel. Where the terms are smaller than states by as much as they cancel at worst,
plain doubles add no more to the error than the loop does, also to what is left of a burst. A power that is GONE is nothing,
and ends the table. Where powers leave the range of floats, lines are filtered in pieces that are short enough.
"""

import functools
import math
import os
from typing import NamedTuple

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.signal import _kernels
from gpusci.signal._lines import has_blocks, strides

ORDERS = (1, 2, 4, 8, 16)
BITS = 200
LANES = 8  # items that the host runs side by side (recurrence.h)
SPLIT_FROM = 32768  # samples: below, a line is faster in one piece on the host
PLAIN = 16.0  # size of A^m times the largest of any m; size: terms of A^m z over states, both as white noise makes them
GONE = 2.0**-190  # entries of A^m
WARPS = 2048  # that keep a large GPU's multiprocessors busy; half of them where longer chunks spare exact products
SHARED = 48 * 1024  # bytes of shared memory that a block may have without more ado
MARKS = 8192  # tiles of a line whose marks every tile reads; of more a launch in between does
STATES, OUTPUTS, WHOLE = range(3)  # C++'s Part


class Filter:
    """Coefficients of one recurrence, padded with zeros to an order that a kernel exists for.

    form "transposed": b and a of one section, a[0] = 1.  form "cascade": rows b0 b1 b2 a0 a1 a2, a0 = 1.
    """

    def __init__(self, form, order, coefficients):
        self.form, self.order = form, order
        self.template = (f"Form::{form}", order)
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
    """Filter the lines x, or one 1-D line, into y (float32 or float64, any strides; y may be x). Returns the final states, where
    wanted.

    States are float64 arrays (lines, order), contiguous.
    """
    if x.ndim == 1:
        n = x.size
        if x.device.kind == "host" and 0 < n < SPLIT_FROM:  # what most calls are: straight to the kernel
            zf = new((1, system.order), float, x.device) if want_final else None
            step, y_step = x.strides[0] // x.itemsize, y.strides[0] // y.itemsize
            template = (x.dtype, y.dtype, *system.template)
            _kernels.run_chunks(1, template, x, y, zi, zf, 0, step, 0, y_step, n, n, 1, system.coefficients)
            return zf
        x, y = x[None], y[None]
    lines, n = x.shape
    if lines == 0 or n == 0:
        return zi if zi is not None else gs.zeros((lines, system.order), float, device=x.device) if want_final else None
    zf = new((lines, system.order), float, x.device) if want_final else None
    if has_blocks(x.device) and n >= 128 and not _lines_side_by_side(x):
        piece = _piece(system.form, system.order, system.key, n)
        if piece:
            _in_pieces(system, x, y, zi, zf, piece)
            return zf
    elif x.device.kind == "host" and n >= SPLIT_FROM and _in_chunks(system, x, y, zi, zf):
        return zf
    _run_chunks(system, x, y, zi, zf, n, 1)
    return zf


def _lines_side_by_side(x):
    """Many lines whose samples at one time are neighbours: one thread a line reads in order."""
    return x.shape[0] >= 8192 and abs(strides(x)[0]) == 1


def _run_chunks(system, x, y, zi, zf, chunk, chunks):
    template = (x.dtype, x.dtype if y is None else y.dtype, *system.template)
    y_strides = (0, 0) if y is None else strides(y)
    lines, n = x.shape
    _kernels.run_chunks(
        lines * chunks, template, x, y, zi, zf, *strides(x), *y_strides, n, chunk, chunks, system.coefficients,
        cost=chunk * system.order,
    )  # fmt: skip


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
    states = new((lines * chunks, system.order), float, x.device)
    _run_chunks(system, x, None, None, states, chunk, chunks)
    _kernels.carry_states(lines, system.template, states, zi, gs.constant(power, x.device), chunks)
    finals = None if zf is None else gs.empty_like(states)
    _run_chunks(system, x, y, states, finals, chunk, chunks)
    if zf is not None:
        zf[...] = finals.reshape(lines, chunks, system.order)[:, -1]
    return True


def _in_pieces(system, x, y, zi, zf, piece):
    """GPU: a piece of all lines after another, in tiles."""
    n = x.shape[1]
    for start in range(0, n - piece, piece):
        final = new((x.shape[0], system.order), float, x.device)
        _in_tiles(system, x[:, start : start + piece], y[:, start : start + piece], zi, final)
        zi = final
    if piece < n:
        start = (n - 1) // piece * piece
        x, y = x[:, start:], y[:, start:]
    _in_tiles(system, x, y, zi, zf)


@functools.lru_cache(512)
def _piece(form, order, key, n):
    """Samples of a line that powers stay in the range of floats for: n; less for an unstable filter; 0 where one thread is better."""
    piece = n
    while _table(form, order, key, _levels(piece)) is None:
        piece = 1 << (piece - 1).bit_length() - 1
        if piece < 1024:
            return 0
    return piece


def _levels(n):
    """Powers A^(32 2^level) that a line of n samples needs."""
    return (max(n - 1, 32) // 32).bit_length()


def _in_tiles(system, x, y, zi, zf):
    """GPU: tiles of 32 chunks, one a warp (recurrence_block.h)."""
    lines, n = x.shape
    plan = _plan(system.form, system.order, system.key, lines, n, x.itemsize)
    template = (x.dtype, *system.template, plan.exact > plan.level)
    data, run, blocks = (*strides(x), *strides(y)), _kernels.run_tiles, lines * plan.tiles
    uploaded = _uploaded(system.form, system.order, system.key, _levels(n), x.device, x.device.stream_ptr)
    powers = (uploaded, plan.exact, len(plan.powers))
    shape, shared, c = (n, plan.tiles, plan.level), plan.shared, system.coefficients
    if plan.tiles == 1:
        run(blocks, template, x, y, None, zi, zf, *powers, *data, *shape, 0, 0, WHOLE, c, shared=shared)
        return
    room = new((plan.room,), float, x.device)
    run(blocks, template, x, y, room, zi, None, *powers, *data, *shape, plan.finals, plan.marks, STATES, c, shared=shared)
    for part in plan.carry:
        _carry(system, lines, plan, part, room, powers)
    marks = 0 if plan.carry else plan.marks
    run(blocks, template, x, y, room, zi, zf, *powers, *data, *shape, plan.ends, marks, OUTPUTS, c, shared=shared)


@functools.lru_cache(256)
def _uploaded(form, order, key, count, device, stream):
    """The powers of `_table` on a device, or None where there are none. What is uploaded in one stream is for that stream."""
    powers, _ = _table(form, order, key, count)
    return gs.constant(powers, device) if len(powers) else None


def _carry(system, lines, plan, part, room, powers):
    groups, level = -(-plan.tiles // 32), plan.level + 5
    shared = max(0, len(plan.powers) - level) * 2 * system.order**2 * 8
    shared = shared if shared <= SHARED else 0
    places = plan.finals, plan.ends, plan.folds, plan.marks
    template = (*system.template, plan.exact > level)
    _kernels.carry_tiles(lines * groups, template, room, *powers, plan.tiles, groups, level, *places, part, shared, shared=shared)


class Plan(NamedTuple):
    """How lines are filtered in tiles. finals, ends, folds, marks: places in scratch memory of `room` doubles (recurrence_block.h)."""

    powers: np.ndarray
    exact: int  # of them; the rest may be used in plain double
    level: int  # chunks have 32 << level samples
    tiles: int  # a line
    shared: int
    room: int
    finals: int
    ends: int
    folds: int
    marks: int
    carry: tuple  # parts of carry_tiles


@functools.lru_cache(512)
def _plan(form, order, key, lines, n, itemsize):
    powers, exact = _table(form, order, key, _levels(n))
    level = _tile_level(lines, n, order, itemsize, exact, len(powers))
    tiles = -(-n // (1024 << level))
    states, groups, carry = lines * tiles * order, -(-tiles // 32), ()
    beyond = len(powers) - (level + 5)  # A^(samples of 2^beyond tiles) has vanished
    if tiles > 1 and beyond > 0 or tiles > MARKS:
        carry = (STATES, OUTPUTS) if beyond > 5 and groups > 2 else (OUTPUTS,)
    finals = 32 * states
    ends = finals + states if carry else finals
    folds = ends + states if len(carry) > 1 else 0
    marks = (folds + lines * groups * order if folds else ends + states) + 1 & ~1  # a multiple of 16 bytes
    room, shared = marks + lines * -(-tiles // 16) * 2, _tile_bytes(level, order, itemsize, len(powers))
    return Plan(powers, exact, level, tiles, shared, room, finals, ends, folds, marks, carry)


def _tile_bytes(level, order, itemsize, levels):
    """Shared memory of a warp whose chunks have 32 << level samples: five powers, padded chunks."""
    return max(0, min(5, levels - level)) * 2 * order * order * 8 + 32 * ((32 << level) + 1) * itemsize


def _tile_level(lines, n, order, itemsize, exact, levels):
    """Chunks of 32 << level samples: as long as leaves warps enough, or one tile a line where that fits."""
    for level in range(3):
        if n <= 1024 << level and _tile_bytes(level, order, itemsize, levels) <= SHARED:
            return level
    level = 0
    while (32 << level) * itemsize < 512 and lines * n >> (11 + level) >= (WARPS // 2 if exact > level else WARPS):
        level += 1
    return level


# ---- powers of the transition matrix
@functools.lru_cache(256)
def _powers(form, order, key, base, count):
    """See Filter.powers."""
    matrix = _power(_transition(form, order, np.frombuffer(key)), base)
    try:
        return _in_range([_split(power) for power in _squares(matrix, count)])
    except OverflowError:  # an unstable filter: its states leave the range of floats within a line
        return None


@functools.lru_cache(256)
def _table(form, order, key, count):
    """A^(32 2^level) for level < count, or to where they are gone, and how many of them are needed as exactly as given.

    None where they leave the range of floats.
    """
    coefficients = np.frombuffer(key)
    powers = []
    try:
        covariance = _response(form, order, coefficients)  # of the states, after 2^j samples of white noise
        for matrix in _squares(_transition(form, order, coefficients), count + 5):
            powers.append(_split(matrix))
            if len(powers) > 5 and np.abs(powers[-1]).max() < GONE:
                break
            covariance = covariance + (((matrix @ covariance) >> BITS) @ matrix.T >> BITS)
        states = np.array([math.isqrt(v << BITS) / (1 << BITS) for v in covariance.diagonal()])
        states = states if states.any() else np.ones(order)
        powers = _in_range(powers)
    except OverflowError:
        return None
    if powers is None:
        return None
    entries = np.abs(powers[:, 0])
    terms = (entries * states).sum(-1)
    sizes = np.divide(terms, states, out=np.zeros_like(terms), where=states > 0).max(-1)
    exact, levels = (_above(size[5:], limit) for size, limit in ((sizes * sizes.max(), PLAIN), (entries.max((1, 2)), GONE)))
    return powers[5 : 5 + levels], min(exact, levels)


def _above(sizes, limit):
    """How many sizes there are up to the last one that is above the limit."""
    return int(np.max(np.nonzero(sizes > limit)[0] + 1, initial=0))


def _in_range(powers):
    powers = np.array(powers)
    return powers if np.abs(powers).max() < 1e100 else None


def _squares(matrix, count):
    """A matrix of fixed-point integers, its square, the square of that, and so on."""
    for j in range(count):
        yield matrix
        if j + 1 < count:
            matrix = (matrix @ matrix) >> BITS


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
        columns.append(_advance(form, order, c, z, 0))
    return np.array(columns, object).T


def _response(form, order, coefficients):
    """The state after one sample, times its transpose; of such a sample that the state is about one."""
    b = _advance(form, order, [_fixed(v) for v in coefficients.tolist()], [0] * order, 1 << BITS)
    shift = BITS - max(map(abs, b)).bit_length()
    b = np.array([v << shift if shift > 0 else v >> -shift for v in b], object)
    return np.outer(b, b) >> BITS


def _advance(form, order, c, z, x):
    if form == "transposed":
        b, a = c, c[order:]
        y = (b[0] * x >> BITS) + z[0]
        return [(z[i + 1] if i + 1 < order else 0) + (b[i + 1] * x - a[i + 1] * y >> BITS) for i in range(order)]
    out = []
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
