"""Tiles of recursive filters as a GPU runs them, by the block emulator: every chunk length, order, form and layout; powers."""

import ctypes
import pathlib
import sys

import numpy as np
import pytest
import scipy.signal as ss

import gpusci as gs
from gpusci import signal
from gpusci.core.host import Host
from gpusci.signal import _kernels, _recurrence
from gpusci.signal._recurrence import Filter

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "core"))

RNG = np.random.default_rng(5)


class Levels(list):
    """Of the tiles, and `started`: names of the kernels that ran."""


@pytest.fixture(autouse=True)
def tiles(monkeypatch, folder):
    """The host runs block kernels; the chunk lengths (levels) of the tiles that ran."""
    from block_emulator import emulate_blocks

    started = emulate_blocks(monkeypatch, folder, (_kernels.run_tiles, _kernels.carry_tiles))
    monkeypatch.setattr(_recurrence, "has_blocks", lambda device: True)
    _recurrence._plan.cache_clear()
    chosen, plain = Levels(), _recurrence._tile_level
    chosen.started = started

    def level(*args):
        chosen.append(plain(*args))
        return chosen[-1]

    monkeypatch.setattr(_recurrence, "_tile_level", level)
    with gs.device("host"):
        yield chosen


def exact_step(system, x):
    """One line through the recurrence in extended precision, sample by sample."""
    c, z, y = np.array(system.coefficients, np.longdouble), np.zeros(system.order, np.longdouble), []
    for v in x.astype(np.longdouble):
        if system.form == "transposed":
            b, a = c[: system.order + 1], c[system.order + 1 :]
            v, u = b[0] * v + z[0], v
            z = b[1:] * u + np.append(z[1:], 0) - a * v
        else:
            for s, (b0, b1, b2, a1, a2) in enumerate(c.reshape(-1, 5)):
                v, u = b0 * v + z[2 * s], v
                z[2 * s], z[2 * s + 1] = b1 * u - a1 * v + z[2 * s + 1], b2 * u - a2 * v
        y.append(v)
    return np.array(y)


def near(got, want):
    for g, w in zip(got, want):
        np.testing.assert_allclose(g, w, rtol=0, atol=1e-11 * np.abs(w).max())


def section(b, a):
    return Filter.section(np.asarray(b, float), np.asarray(a, float))


@pytest.mark.parametrize("dtype, wanted", [("f", 0), ("f", 1), ("f", 2), ("d", 0), ("d", 1)])
@pytest.mark.parametrize("order", [1, 2, 4, 8])
def test_chunk_lengths(tiles, monkeypatch, order, dtype, wanted):
    """Long chunks are for long data: here the number of warps asked for is small instead."""
    monkeypatch.setattr(_recurrence, "WARPS", {0: 1 << 20, 1: 6, 2: 2}[wanted])
    n = 9000 if wanted else 5001
    x = (RNG.normal(size=(2, n)) * 10).astype(dtype)
    b, a, sos = (c.astype(dtype) for c in (*ss.butter(order, 0.3), ss.butter(order, 0.3, output="sos")))
    wide = x.astype(float)
    for got, want in (
        (signal.lfilter(b, a, x), ss.lfilter(b.astype(float), a.astype(float), wide)),
        (signal.sosfilt(sos, x), ss.sosfilt(sos.astype(float), wide)),
    ):
        assert got.dtype == x.dtype
        np.testing.assert_allclose(got, want, rtol=0, atol=np.finfo(dtype).eps * (1 if dtype == "f" else 1000) * np.abs(want).max())
    assert set(tiles) == {wanted}


def test_lines_of_one_tile(tiles):
    """One launch up to 4096 samples, but for orders whose powers leave too little shared memory for long chunks."""
    for order, n in ((4, 1024), (4, 1025), (4, 2049), (4, 4096), (12, 4000), (4, 4097)):
        b, a = ss.butter(order, 0.3)
        x, zi = RNG.normal(size=(3, n)), RNG.normal(size=(3, order))
        for view in (x, x[:, ::-1], np.asfortranarray(x)):
            near(signal.lfilter(b, a, view, zi=zi), ss.lfilter(b, a, view, zi=zi))
    assert tiles == [0, 1, 2, 2, 0, 0]


@pytest.mark.parametrize("sections", [1, 5])
def test_layouts_and_states(sections):
    """Strides of any sign, initial and final states, in place, complex data."""
    sos = ss.butter(2 * sections, 0.1, output="sos")
    x = RNG.normal(size=(3, 2 * 270000))[:, ::90] if sections == 1 else RNG.normal(size=(3, 6000))
    zi = RNG.normal(size=(sections, 3, 2))
    want, final = ss.sosfilt(sos, x, zi=zi)
    for view in (x, np.ascontiguousarray(x), np.asfortranarray(x), x[:, ::-1].copy()[:, ::-1]):
        near(signal.sosfilt(sos, view, zi=zi), (want, final))
    near(signal.sosfilt(sos, x.T, 0, zi=zi.swapaxes(1, 2)), (want.T, final.swapaxes(1, 2)))
    near((signal.sosfiltfilt(sos, x),), (ss.sosfiltfilt(sos, x),))
    z = x + 1j * x[::-1]
    near((signal.sosfilt(sos, z),), (ss.sosfilt(sos, z),))


def test_carry_of_runs(tiles):
    """More tiles than the carry has threads: each takes a run, of a length that does not divide evenly."""
    n = 1024 * 300 + 77
    x = RNG.normal(size=(1, n))
    for b, a in (([1.0], [1.0, -0.9999]), ([1.0], [1.0, -1.0]), ([1.0, 0.2], [1.0, -1.9998, 0.9999])):
        zi = np.ones((1, len(a) - 1))
        near(signal.lfilter(b, a, x, zi=zi), ss.lfilter(b, a, x, zi=zi))
    assert set(tiles) == {0}


@pytest.mark.parametrize("kept", range(-1, 8))
def test_carry_of_a_window(tiles, kept):
    """A filter that forgets within 2^kept tiles looks so far back, one that does not at all of the line."""
    radius = 2.0 ** (-190 / (0.8 * 1024 * 2.0**kept))  # 0.8 of those samples, to one part in 2^190
    system = section([1.0, 0.5], [1.0, -radius])
    x = RNG.normal(size=(2, 1024 * 99 + 500))
    zi = np.array([[3.0], [-2.0]])
    near(signal.lfilter([1.0, 0.5], [1.0, -radius], x, zi=zi), ss.lfilter([1.0, 0.5], [1.0, -radius], x, zi=zi))
    carries = 0 if kept <= 0 else 1 if kept <= 5 else 2
    assert len(table(system, x.shape[1])[0]) == max(0, 5 + kept)
    assert tiles.started == ["run_tiles", *["carry_tiles"] * carries, "run_tiles"]


def test_double_double_is_compiled_where_it_is_needed():
    """Kernels without it for filters whose powers are small by the time they are used."""
    used = {True: set(), False: set()}
    for cutoff in (0.2, 0.02, 0.005):
        for kernel in (_kernels.run_tiles, _kernels.carry_tiles):
            kernel._functions.clear()
        b, a = ss.butter(4, cutoff)
        signal.lfilter(b, a, np.ones((2, 100000)))
        for kernel in (_kernels.run_tiles, _kernels.carry_tiles):
            for _, template, _ in kernel._functions:
                used[template[-1]].add((kernel.name, cutoff))
    assert used[False] == {("run_tiles", 0.2), ("carry_tiles", 0.02)}
    assert used[True] == {("run_tiles", 0.02), ("run_tiles", 0.005), ("carry_tiles", 0.005)}


def test_carry_through_many_groups(monkeypatch):
    """More groups of tiles than a warp has lanes: each lane takes a run of them, of which the first is short."""
    lines, tiles = 2, 2500
    for b, a in (([1.0], [1.0, -0.999999]), ([1.0], [1.0, -1.0]), ([1.0, 0.1], [1.0, -1.9999, 0.99995])):
        system = section(b, a)
        plan = _recurrence._plan(system.form, system.order, system.key, lines, tiles * 2048, 8)
        assert plan.level == 1 and plan.tiles == tiles and len(plan.carry) == 2
        room = np.full(plan.room, np.nan)
        finals = RNG.normal(size=(lines, tiles, system.order))
        room[plan.finals : plan.ends] = finals.ravel()
        room[plan.marks :] = 0
        scratch = gs.asarray(room)
        powers = gs.constant(plan.powers, scratch.device), plan.exact, len(plan.powers)
        for part in plan.carry:
            _recurrence._carry(system, lines, plan, part, scratch, powers)
        ends = gs.asnumpy(scratch)[plan.ends : plan.folds].reshape(finals.shape)
        power = plan.powers[plan.level + 5].astype(np.longdouble).sum(0)
        state, want = np.zeros((lines, system.order), np.longdouble), np.empty(finals.shape, np.longdouble)
        for k in range(tiles):
            state = want[:, k] = finals[:, k] + state @ power.T
        np.testing.assert_allclose(ends, want.astype(float), rtol=0, atol=1e-12 * float(np.abs(want).max()))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("cutoff", [0.5, 0.05, 0.001])
def test_nan_reaches_the_end_of_a_line_and_no_other(monkeypatch, bad, cutoff):
    """However fast the filter forgets, with and without a carry: a mark lets NaN and infinity through."""
    filters = ss.butter(2, cutoff)
    for n, at, most in ((20000, 3000, 8192), (1000, 100, 8192), (150000, 5, 8192), (90000, 40000, 8)):
        monkeypatch.setattr(_recurrence, "MARKS", most)
        _recurrence._plan.cache_clear()
        x = RNG.normal(size=(3, n))
        x[1, at] = bad
        with np.errstate(all="ignore"):
            y = signal.lfilter(*filters, x)
        assert np.isfinite(y[[0, 2]]).all() and np.isfinite(y[1, :at]).all()
        assert not np.isfinite(y[1, at:]).any()
        zi = np.zeros((3, 2))
        zi[0, 1] = bad
        with np.errstate(all="ignore"):
            y, zf = signal.lfilter(*filters, x, zi=zi)
        assert not np.isfinite(y[0, 1:]).any() and np.isfinite(y[2]).all()
        assert not np.isfinite(zf[:2]).any() and np.isfinite(zf[2]).all()


def test_unstable_filters_in_pieces(tiles):
    """Powers of all the line leave the range of floats, those of a piece do not."""
    b, a = (c.astype(np.float32).astype(float) for c in ss.butter(4, 0.002))
    system, n = section(b, a), 40000
    assert _recurrence._piece(system.form, system.order, system.key, n) == 32768
    x, zi = RNG.normal(size=(2, n)), RNG.normal(size=(2, 4))
    want, final = ss.lfilter(b.astype(np.longdouble), a.astype(np.longdouble), x.astype(np.longdouble), zi=zi.astype(np.longdouble))
    scipy = np.abs(ss.lfilter(b, a, x, zi=zi)[0] - want).max(0)
    y, zf = signal.lfilter(b, a, x, zi=zi)
    error = np.abs(y - want).max(0)
    for part in np.split(np.arange(n), 40):                # the errors of both grow as the filter does
        assert error[part].max() <= 2 * scipy[part].max()
    np.testing.assert_allclose(zf, final.astype(float), rtol=1e-9)
    assert tiles.started.count("run_tiles") == 4
    assert _recurrence._piece("transposed", 1, section([1.0], [1.0, -2.0]).key, 5000) == 0


class Items:
    """An at-form kernel as CUDA compiles it; one thread takes all items."""

    def __init__(self, library):
        self.library = library

    def start(self, n, words, grain=0):
        self.library.gpusci_entry_items(ctypes.c_int64(0), ctypes.c_int64(n), ctypes.create_string_buffer(words, len(words) + 16))


@pytest.fixture
def threads(monkeypatch, folder):
    """At-form recurrences run as CUDA compiles them."""
    from block_emulator import compile_items

    def load(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        return Items(compile_items(entry, folder))

    monkeypatch.setattr(Host, "load", load)
    for row in (_kernels.run_chunks, _kernels.run_lines):
        monkeypatch.setattr(row, "_functions", {})


LENGTHS = (1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50)


@pytest.mark.parametrize("order", [1, 4, 12])
@pytest.mark.parametrize("dtype", "fd")
def test_a_thread_reads_ahead(threads, order, dtype):
    """Lines that one thread each takes: shorter and longer than what it reads before its turn, also into themselves."""
    system = section(*ss.butter(order, 0.3))
    b, a = system.coefficients[: system.order + 1], np.append(1, system.coefficients[system.order + 1 :])
    for n in LENGTHS:
        x, zi = RNG.normal(size=(3, n)).astype(dtype), RNG.normal(size=(3, system.order))
        want, final = ss.lfilter(b, a, x.astype(float), zi=zi)
        backward, own = gs.asarray(x[:, ::-1].copy())[:, ::-1], gs.asarray(x.copy())
        for source, y in ((gs.asarray(x), gs.empty((3, 2 * n), dtype)[:, ::2]), (backward, backward), (own, own)):
            zf = gs.empty((3, system.order), float)
            _recurrence._run_chunks(system, source, y, gs.asarray(zi), zf, n, 1)
            np.testing.assert_allclose(gs.asnumpy(y), want, rtol=0, atol=8 * np.finfo(dtype).eps * np.abs(want).max())
            np.testing.assert_allclose(gs.asnumpy(zf), final, rtol=0, atol=1e-13 * np.abs(final).max())


@pytest.mark.parametrize("order", [1, 2, 4, 6])
def test_complex_coefficients(threads, order):
    """States in registers, and those of higher orders in memory."""
    b, a = (c + 0.1j * RNG.normal(size=order + 1) for c in ss.butter(order, 0.3))
    a[0] = 1
    for n in LENGTHS:
        x, zi = RNG.normal(size=(3, n)), RNG.normal(size=(3, order)) + 0.5j
        want, final = ss.lfilter(b, a, x, zi=zi)
        y, z = gs.empty((3, n), complex), gs.asarray(zi.copy())
        template = (np.dtype(float), np.dtype(complex), np.dtype(complex))
        _kernels.run_lines(3, template, gs.asarray(x), y, z, gs.asarray(b), gs.asarray(a), n, 1, n, 1, n, order)
        for got, exact in ((y, want), (z, final)):
            np.testing.assert_allclose(gs.asnumpy(got), exact, rtol=0, atol=1e-13 * np.abs(exact).max())


NARROW = {
    "lowpass": section(*ss.butter(4, 0.02)),
    "lowpass8": section(*ss.butter(8, 0.05)),
    "chebyshev": section(*ss.cheby1(8, 0.05, 0.2)),
    "band": section(*ss.butter(4, [0.1, 0.12], "band")),
    "peak": section(*ss.iirpeak(0.001, 100)),
    "double integrator": section([1.0], [1.0, -2.0, 1.0]),
    "sections": Filter.cascade(ss.butter(4, [0.004, 0.006], "band", output="sos")),
    "decimation": Filter.cascade(ss.cheby1(8, 0.05, 0.2, output="sos")),
}


@pytest.mark.parametrize("name", NARROW)
def test_as_accurate_as_the_loop(name):
    """Of noise, of a slow square wave, and of what follows a burst: measured against the largest sample of the second half."""
    system, n = NARROW[name], 8000
    noise, time = RNG.normal(size=n), np.arange(n)
    for x in (noise, np.sign(np.sin(time * 0.0021)) + 0.3, noise * np.where(time < 1000, 1e12, 1)):
        exact = exact_step(system, x)
        y, loop = gs.empty((1, n), float), gs.empty((1, n), float)
        _recurrence.run(system, gs.asarray(x[None]), y, None, False)
        _recurrence._run_chunks(system, gs.asarray(x[None]), loop, None, None, n, 1)
        ours, sequential = (np.abs(gs.asnumpy(r)[0] - exact)[n // 2 :].max() for r in (y, loop))
        assert ours <= 2 * sequential + 4 * np.finfo(float).eps * np.abs(exact[n // 2 :]).max()


def table(system, n):
    return _recurrence._table(system.form, system.order, system.key, _recurrence._levels(n))


def test_tables_of_powers():
    powers, exact = table(NARROW["decimation"], 1 << 22)
    assert exact == 1 and powers.shape == (7, 2, 8, 8)                # A^4096 has vanished
    np.testing.assert_array_equal(powers[2], NARROW["decimation"].powers(128, 1)[0])
    powers, exact = table(NARROW["double integrator"], 1 << 22)
    assert exact == len(powers) == 17                                 # up to half the line
    assert table(section([1.0], [1.0, -1.0]), 1 << 20)[1] == 0        # nothing cancels
    tiny = NARROW["lowpass"].coefficients                             # the size of b does not matter
    tiny = section(np.array(tiny[:5]) * 1e-50, [1, *tiny[5:]])
    assert table(tiny, 1 << 22)[1] == table(NARROW["lowpass"], 1 << 22)[1] == 5
    assert len(table(section([1.0, 2.0], [1.0, 0.0]), 1 << 20)[0]) == 0
    for a in (-1.5, np.nan, np.inf):
        assert table(section([1.0], [1.0, a]), 1 << 16) is None


def test_tiles_fit_shared_memory():
    for order in _recurrence.ORDERS:
        for itemsize in (4, 8):
            for n in (100, 2000, 4096, 5000, 1 << 20, 1 << 26):
                level = _recurrence._tile_level(1, n, order, itemsize, 20, 20)
                assert _recurrence._tile_bytes(level, order, itemsize, 20) <= _recurrence.SHARED
