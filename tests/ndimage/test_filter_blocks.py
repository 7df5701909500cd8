"""What a GPU runs of the filters, without one: block kernels by the block emulator, at-forms without their host `range`."""

import pathlib
import re
import sys

import numpy as np
import pytest
import scipy.ndimage as sn

import gpusci as gs
from gpusci import ndimage
from gpusci.core import Kernel
from gpusci.core.host import Host
from gpusci.ndimage import _blocks

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "core"))

RNG = np.random.default_rng(7)
MODES = ("reflect", "constant", "wrap", "mirror", "nearest")
SHAPES = [(37,), (3000,), (5, 40), (70, 130), (4, 9, 33)]


pytestmark = pytest.mark.usefixtures("on_the_host")


@pytest.fixture
def started(monkeypatch, folder):
    """Names of the block kernels that were loaded."""
    from block_emulator import emulate_blocks

    names = []
    emulate_blocks(monkeypatch, folder)
    load = Host.load

    def counted(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        if block:
            names.append(name)
        return load(self, entry, name, threads, grain, block)

    monkeypatch.setattr(Host, "load", counted)
    monkeypatch.setattr(_blocks, "has_blocks", lambda device: True)
    forget_loaded(monkeypatch)
    return names


def forget_loaded(monkeypatch):
    for row in vars(ndimage._kernels).values():
        for kernel in row.values() if isinstance(row, dict) else row if isinstance(row, tuple) else (row,):
            if isinstance(kernel, Kernel):
                monkeypatch.setattr(kernel, "_functions", {})


@pytest.fixture
def at_forms(monkeypatch):
    """Kernels lose their `range`; functions choose as on a GPU that has no block kernels. Names of those that ran."""
    names, load = [], Host.load

    def without_range(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        assert not block
        hidden = "struct only_at { using K = \\2; using Args = K::Args; static void at(\\1 i, const Args& a) { K::at(i, a); } };"
        entry, found = re.subn(r"GPUSCI_ENTRY\((\w+), (.*)\)", hidden + r" } GPUSCI_ENTRY(\1, gpusci::only_at) namespace gpusci {", entry)
        assert found == 1
        names.append(name)
        return load(self, entry, name, threads, grain, block)

    monkeypatch.setattr(Host, "load", without_range)
    monkeypatch.setattr(_blocks, "has_blocks", lambda device: True)
    monkeypatch.setattr(_blocks, "line_tiles", lambda *args: None)
    monkeypatch.setattr(_blocks, "plane", lambda *args: None)
    forget_loaded(monkeypatch)
    return names


def data(shape, dtype):
    x = RNG.normal(size=shape) * 50
    return (x + 1j * RNG.normal(size=shape)).astype(dtype) if dtype == "F" else np.abs(x).astype(dtype)


def same(f, x, *args, **kwargs):
    got, want = getattr(ndimage, f)(x, *args, **kwargs), getattr(sn, f)(x, *args, **kwargs)
    assert got.dtype == want.dtype
    if f == "uniform_filter1d" and x.dtype == np.float64:       # SciPy's running sum drifts along the line
        want = sn.correlate1d(x, np.ones(args[0]), *args[1:], **kwargs) / args[0]
    if want.dtype.kind in "fc":
        ulp = 8 if want.dtype == np.float64 else 1          # sums in another order | rounded from double
        np.testing.assert_allclose(got, want, rtol=0, atol=ulp * np.finfo(want.dtype).eps * np.abs(want).max())
    else:
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", "fBdF")
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_line_blocks(started, shape, dtype):
    x = data(shape, dtype)
    for number, mode in enumerate(MODES):
        axis = number % len(shape)
        same("gaussian_filter1d", x, 1.7, axis, mode=mode, cval=1.25)
        same("gaussian_filter1d", x, 2.7, axis, 1, mode=mode, cval=1.25)
        same("correlate1d", x, [1.5, 2, 0.25, -1], axis, origin=-1, mode=mode, cval=0.1)
        for size in (2, 9, 14):
            same("uniform_filter1d", x, size, axis, mode=mode, cval=1.25)
            if dtype != "F":
                same("maximum_filter1d", x, size, axis, mode=mode, cval=1)
                same("minimum_filter1d", x, size, axis, mode=mode, origin=-1)
    kinds = {"rows", "columns"} if len(shape) > 1 and np.prod(shape[1:]) >= 32 else {"rows"}
    assert {name.split("_")[1] for name in started} == kinds


@pytest.mark.parametrize("dtype", "fBd")
@pytest.mark.parametrize("shape", [(37, 130), (3, 18, 65), (2, 2, 9, 66)], ids=str)
def test_window_blocks(started, shape, dtype):
    x, flat = data(shape, dtype), (1,) * (len(shape) - 2)
    for mode in MODES:
        for window in ((3, 3), (7, 9), (1, 5), (5, 1)):
            weights = RNG.normal(size=flat + window)
            weights[..., 0, 0] = 0
            same("correlate", x, weights, mode=mode, cval=1.25)
            single = weights.astype(np.float32)             # stays on the device, and is turned round there
            got = ndimage.convolve(x, gs.asarray(single), mode=mode, cval=1.25)
            want = sn.convolve(x, single, mode=mode, cval=1.25)
            np.testing.assert_allclose(got, want, rtol=0, atol=8 * np.spacing(np.abs(want).max()) if dtype != "B" else 0)
        for size in (3, 5, 7):
            same("median_filter", x, flat + (size, size), mode=mode, cval=1)
    assert set(started) == {"correlate_block", "median_block"}


@pytest.mark.parametrize("dtype", "fBdF")
def test_line_at_forms(at_forms, dtype):
    for shape in SHAPES:
        x = data(shape, dtype)
        for number, mode in enumerate(MODES):
            axis = number % len(shape)
            same("gaussian_filter1d", x, 1.7, axis, mode=mode, cval=1.25)
            same("gaussian_filter1d", x, 2.7, axis, 1, mode=mode, cval=1.25)
            same("correlate1d", x, [1.5, 2, 0.25, -1], axis, origin=-1, mode=mode, cval=0.1)
            same("uniform_filter1d", x, 9, axis, mode=mode, cval=1.25)
            if dtype != "F":
                same("maximum_filter1d", x, 8, axis, mode=mode, cval=1)
                same("minimum_filter1d", x, 3, axis, mode=mode, origin=-1)
    assert set(at_forms) == {"correlate1d", "uniform"} | ({"minmax"} if dtype != "F" else set())


@pytest.mark.parametrize("dtype", "fBd")
def test_window_at_forms(at_forms, dtype):
    for shape in ((70,), (12, 30), (4, 7, 9), (2, 3, 4, 5)):
        x = data(shape, dtype)
        footprint = np.ones(np.arange(2, 2 + len(shape)), bool)
        footprint[(0,) * len(shape)] = len(shape) == 1
        for mode in MODES:
            same("correlate", x, footprint * 0.75, mode=mode, cval=1.25)
            same("maximum_filter", x, footprint=footprint, mode=mode, cval=1.5)
            if len(shape) > 1:
                same("rank_filter", x, -2, footprint=footprint, mode=mode, cval=2)
    assert {"correlate", "extreme", "rank_wires"} <= set(at_forms)


def test_ranks_by_registers_and_by_bits(at_forms):
    for dtype in "fBl":
        x = data((6, 9, 12), dtype)
        for size, rank in ((3, 13), ((1, 4, 4), 3), ((3, 5, 4), 30), ((5, 5, 5), 60), ((5, 5, 5), 3)):
            same("rank_filter", x, rank, size, mode="mirror")
    x = data((20, 30), "f")
    x[3, 4] = np.nan
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, 1, mode="symmetric"), (3, 3)).reshape(20, 30, 9)
    for rank in (3, 4):
        np.testing.assert_array_equal(ndimage.rank_filter(x, rank, 3), np.sort(windows, axis=-1)[..., rank])
    assert set(at_forms) == {"rank", "rank_wires"}


@pytest.mark.parametrize("window", [3, 64, 300])
def test_tiles_cover_every_shape_and_fit(window):
    """The plans alone: positions times tiles reach the line's end, and what a block loads fits in shared memory."""
    for n in (1, 7, 64, 100, 1023, 5000):
        for inner in (1, 2, 3, 31, 32, 500):
            for outer in (1, 5, 2000):
                for shared, offset in ((4, 0), (4, 4), (8, 0)):
                    found = _blocks.line_tiles(n, inner, n * inner * outer, window, shared, shared, offset)
                    if found is None:
                        continue
                    columns, blocks, field, memory = found
                    assert memory <= 40960
                    positions = field[0]
                    assert positions % 8 == 0
                    if columns:
                        _, tiles, strips = field
                        assert blocks == outer * tiles * strips and tiles * positions >= n
                        assert (positions + window + 7) * 256 <= memory
                    else:
                        _, lines, tiles, _ = field
                        assert blocks >= outer / lines * tiles and tiles * positions >= n
                        loaded = lines * (-(-(positions + window - 1) * inner // 8) * 8) + 16 * inner
                        assert loaded * 9 / 8 * shared <= memory
