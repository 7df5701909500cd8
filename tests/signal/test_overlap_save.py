"""Convolution of long lines by short taps as a GPU runs it, by the block emulator."""

import pathlib
import sys

import numpy as np
import pytest
import scipy.signal as ss
from signal_helpers import data

import gpusci as gs
from gpusci import signal
from gpusci.core import kernel
from gpusci.signal import _convolution, _direct, _overlap_save

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "core"))

BOTH = ["taps_spectrum", "overlap_save"]
MODES = ("full", "same", "valid")


pytestmark = pytest.mark.usefixtures("on_the_host")


@pytest.fixture
def started(monkeypatch, folder):
    """Names of the block kernels that ran."""
    from block_emulator import emulate_blocks

    names = emulate_blocks(monkeypatch, folder)
    monkeypatch.setattr(_overlap_save, "has_blocks", lambda device: True)
    for row in kernel.rows():
        if row.header.startswith("signal/"):
            monkeypatch.setattr(row, "_functions", {})
    return names


# Errors of a transform are about eps times its levels' square root, relative to the largest value (Gentleman and Sande, 1966);
# there and back, with factors that are rounded too, 4 eps sqrt(log2 N) leaves little room.
LEVELS = 4 * np.sqrt(12)


def close(got, x, w, mode="full", axes=None):
    wide = [a.astype("D" if a.dtype.kind == "c" else "d") for a in (x, w)]
    want = ss.oaconvolve(*wide, mode, axes)
    dtype = np.result_type(x.dtype, w.dtype)
    dtype = np.dtype("d") if dtype.kind in "?iu" else np.dtype("f") if dtype.char == "e" else dtype
    assert got.dtype == dtype and got.shape == want.shape
    limit = LEVELS * np.finfo(dtype).eps * np.abs(want).max()
    np.testing.assert_allclose(got, want, rtol=0, atol=limit)


@pytest.mark.parametrize("types", ["ff", "dd", "FF", "DD", "fF", "Df", "fd", "ei", "?h"])
def test_lines_and_taps_of_every_length(started, types):
    sizes = [(2, 2), (5, 31), (1023, 33), (4096, 3), (4097, 2048), (3073, 3072), (7000, 129), (12400, 1001), (20001, 64)]
    for n, m in sizes if types in ("ff", "DD") else sizes[3::3]:
        x, w = data(n, types[0]), data(m, types[1])
        for mode in MODES:
            close(signal.oaconvolve(x, w, mode), x, w, mode)
            close(signal.fftconvolve(w, x, mode), w, x, mode)
    assert set(started) == set(BOTH)


def test_frames_begin_and_end_where_they_should(started):
    """Each output once, by whole numbers of frames and one more or less."""
    for m in (2, 1000, 1025):
        step = _overlap_save.step(m)
        for outputs in (step - 1, step, step + 1, 2 * step, 2 * step + 1, 3 * step):
            x, w = data(outputs, "f"), data(m, "f")
            for mode in ("same", "full"):
                close(signal.oaconvolve(x, w, mode), x, w, mode)
    assert started[:2] == BOTH


@pytest.mark.parametrize("dtype", "fD")
def test_lines_are_batches(started, dtype):
    for s1, s2, axis in (
        ((3, 5000), (3, 40), 1), ((3, 5000), (1, 40), -1), ((1, 5000), (3, 40), 1), ((5000, 2), (30, 2), 0), ((40, 2), (5000, 1), 0),
        ((2, 1, 1500), (1, 3, 20), 2), ((2, 3, 1500), (2, 1, 20), 2), ((2, 1500, 3), (1, 200, 3), 1), ((1, 1, 900), (1, 1, 9), None),
    ):  # fmt: skip
        x, w = data(s1, dtype), data(s2, dtype)
        for mode in MODES:
            if mode != "same" or all(a >= b for a, b in zip(s1, s2)):
                close(signal.oaconvolve(x, w, mode, axis), x, w, mode, axis)
                close(signal.fftconvolve(x, w, mode, axis), x, w, mode, axis)
    assert started == BOTH * (len(started) // 2)


def test_lines_do_not_touch_each_other(started):
    """Two frames in one transform are of one line: a loud line, or one with a NaN, leaves the others as they are."""
    x, w = data((3, 3000), "f"), data((1, 100), "f")
    alone = signal.oaconvolve(x[:1], w, axes=1)
    x[1] *= 1e9
    x[2, 5] = np.nan
    np.testing.assert_array_equal(signal.oaconvolve(x, w, axes=1)[:1], alone)


def test_views(started):
    x, w = data(9000, "d"), data(600, "d")
    turned = np.asfortranarray(data((2, 3000), "F"))
    for a, b in ((x[::-1], w[::-1]), (x[::2], w[::3]), (x[5:], np.broadcast_to(2.0, 300)), (x.astype(">f8"), w)):
        close(signal.oaconvolve(a, b), a, b)
    close(signal.oaconvolve(turned, turned[::-1, 7:300], axes=1), turned, turned[::-1, 7:300], axes=1)
    x.flags.writeable = False
    close(signal.oaconvolve(x, x[:50], "same"), x, x[:50], "same")


def test_a_nan_stays_in_its_frames(started):
    x, w = data(60000, "f"), data(101, "f")
    x[30000] = np.nan
    bad = np.isnan(signal.oaconvolve(x, w, "same"))
    assert bad[29950:30051].all() and bad.sum() <= 4 * _overlap_save.step(101)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("n, m, types, frames", [
    (3000, 400, "ff", False), (50_000, 1001, "dd", False), (400_000, 3001, "ff", True), (3000, 300_000, "FF", True),
    (200_000, 2000, "hh", True),
])  # fmt: skip
def test_the_choice_of_method(started, monkeypatch, name, n, m, types, frames):
    """By cost; integers come out exact, wrapped as the direct method wraps them."""
    monkeypatch.setattr(_direct, "has_blocks", lambda device: True)
    x, w = data(n, types[0]), data(m, types[1])
    wide = [a.astype("D" if a.dtype.kind == "c" else "d") for a in (x, w)]
    for mode in MODES if n >= m else ("full", "valid"):
        del started[:]
        got, want = getattr(signal, name)(x, w, mode), getattr(ss, name)(*wide, mode, "fft")
        ran = [name for name in started if name in (*BOTH, "convolve_tile")]        # integers have their extremes taken, too
        assert ran == (BOTH if frames else ["convolve_tile"]) and got.dtype == x.dtype
        if types == "hh":
            np.testing.assert_array_equal(got, np.rint(want).astype("q").astype("h"))
        else:
            np.testing.assert_allclose(got, want, rtol=0, atol=LEVELS * np.finfo(x.dtype).eps * np.abs(want).max())


def test_costs_of_frames():
    """129 taps go by frames, 9 directly; a few samples directly."""
    for n, m, direct in ((1 << 22, 129, False), (1 << 22, 9, True), (5000, 400, True), (1 << 22, 1001, False)):
        assert _convolution._direct_is_faster((n,), (m,), "full", "frames") == direct


def test_what_is_left_to_other_transforms(started):
    for s1, s2, suits in (
        ((5000,), (3073,), False), ((3073,), (5000,), False), ((5000,), (3072,), True), ((1000, 100), (1, 20), False),
        ((1000, 1100), (1, 20), True), ((1000, 1100), (1000, 20), False), ((1000, 4100), (1000, 20), True), ((9, 9), (9, 2), True),
    ):  # fmt: skip
        assert _overlap_save.suits(gs.zeros(s1), gs.zeros(s2), -1) == suits
    x, w = data((200, 300), "f"), data((1, 30), "f")
    close(signal.oaconvolve(x, w, axes=1), x, w, axes=1)
    assert not set(BOTH) & set(started)
    signal.oaconvolve(data((90, 90)), data((9, 8)))
    assert started == []
