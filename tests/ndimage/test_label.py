"""label and find_objects as the current device does them, and as a GPU does: at-forms, and tiles of words by the emulator."""

import gc
import itertools
import pathlib
import sys

import numpy as np
import pytest
import scipy.ndimage as sn

import gpusci as gs
from gpusci import ndimage
from gpusci.core.host import HOST
from gpusci.ndimage import _blocks, _label

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "core"))

RNG = np.random.default_rng(23)
CROSS, FULL = sn.generate_binary_structure(2, 1), np.ones((3, 3), bool)
TILES = {"label_tiles", "label_tally", "label_ranks", "label_paint"}


@pytest.fixture(params=["device", "at form", "tiles"])
def way(request, monkeypatch, folder):
    """Who does the work. Names of the block kernels that ran, or None."""
    if request.param == "device":
        yield None
        return
    with gs.device("host"):
        monkeypatch.setattr(HOST, "uses_numpy", False)
        if request.param == "at form":
            yield None
            return
        from block_emulator import emulate_blocks

        started = emulate_blocks(monkeypatch, folder, vars(_label.kernels).values())
        monkeypatch.setattr(_blocks, "has_blocks", lambda device: True)
        yield started


def structures(ndim):
    """All that are symmetric about their centre."""
    for half in itertools.product((False, True), repeat=3**ndim // 2):
        yield np.array([*half, True, *half[::-1]]).reshape((3,) * ndim)


def check(x, structure=None, output=None):
    want, count = sn.label(x, structure, output)
    got, n = ndimage.label(x, structure, output)
    assert n == count and got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("shape", [(40, 70), (33, 33), (5, 64), (100, 2), (2, 131), (65, 97)], ids=str)
def test_every_structure_of_two_axes(way, shape):
    for structure in structures(2):
        for density in (0.3, 0.6, 0.95):
            check(RNG.random(shape) < density, structure)
        # Long runs, with ends at every place of a word and gaps of one pixel.
        check((RNG.random(shape) < 0.6).repeat(7, 1)[:, 3 : shape[1] + 3] & (RNG.random(shape) < 0.97), structure)
    if way is not None:
        assert set(way) >= TILES


def test_more_axes_and_fewer(way):
    volumes, some = list(structures(3)), RNG.random
    for number in range(60):
        shape = tuple(RNG.integers(1, (5, 40, 70)).tolist())
        check(some(shape) < (0.1, 0.3, 0.5, 0.8, 1)[number % 5], volumes[RNG.integers(len(volumes))])
    for number in range(20):
        taps = some((3,) * 4) < 0.4
        check(some(tuple(RNG.integers(1, (4, 4, 35, 40)))) < (0.05, 0.2, 0.6)[number % 3], taps | taps[::-1, ::-1, ::-1, ::-1])
    for shape in ((1,), (200,), (1, 77), (77, 1), (3, 1, 50), (1, 40, 1, 40), (0, 5), (4, 0), ()):
        for density in (0, 0.5, 1):
            check(some(shape) < density)
    check(some(90) < 0.5, [0, 1, 0])
    check(some((1, 90)) < 0.5, [[0, 1, 0]] * 3)


def spiral(n):
    x = np.zeros((n, n), bool)
    for k in range(0, n // 2, 2):
        x[k, max(k - 2, 0) : n - k] = x[n - 1 - k, k : n - k] = x[k : n - k, n - 1 - k] = x[k + 2 : n - k, k] = True
    return x


def shapes_that_meet_late():
    comb = np.zeros((70, 75), bool)
    comb[:, ::2] = comb[-1] = True                              # joined in the last row alone
    stairs = np.eye(80, dtype=bool) | np.eye(80, k=1, dtype=bool)
    rows = np.zeros((67, 300), bool)
    rows[::2] = True
    rows[1::4, -1] = rows[3::4, 0] = True                       # to and fro
    yield from (comb, comb.T, comb[::-1], comb[:, ::-1], stairs, stairs[:, ::-1], rows, rows.T, spiral(83), ~spiral(83), spiral(83)[::-1])
    yield np.ones((71, 100), bool)
    yield np.ones((2, 2100), bool)                              # words whose joints reach back over many
    yield np.indices((70, 70)).sum(0) % 2 == 0
    yield np.zeros((50, 50), bool)


def test_shapes_that_meet_late(way):
    for x in shapes_that_meet_late():
        for structure in (CROSS, FULL, ~CROSS | np.eye(3, dtype=bool), [[0, 1, 0]] * 3, [[0, 0, 0], [1, 1, 1], [0, 0, 0]]):
            check(np.ascontiguousarray(x), structure)


def test_large_images():
    """As the device does them: many blocks at once, trees that grow while others read them."""
    for density, structure in ((0.593, CROSS), (0.407, FULL), (0.5, CROSS), (1, CROSS)):
        check(RNG.random((1100, 1301)) < density, structure)
    for x in (spiral(1001), RNG.random((64, 70, 301)) < 0.31, np.ones((2, 1 << 18), bool), RNG.random(1 << 18) < 0.9):
        check(x)


@pytest.mark.parametrize("dtype", "?bBhHiIqQfd")
def test_pixels_and_labels_of_every_dtype(way, dtype):
    x = (RNG.integers(-2, 3, (37, 45)) * RNG.integers(0, 2, (37, 45))).astype(dtype)
    if dtype in "fd":
        x[::5, ::3], x[1::7] = np.nan, -0.0
    for view in (x, x.T, x[::-1, 1:], x[:, ::-2]):
        check(view)
    np.testing.assert_array_equal(ndimage.label(x.astype(x.dtype.newbyteorder()))[0], sn.label(x)[0])
    few = np.kron(RNG.random((4, 5)) < 0.5, np.ones((9, 11)))
    for image in (few, few[0]):
        check(image, None, dtype)
        want, count = sn.label(image, output=dtype)
        both = image.astype(dtype)
        assert ndimage.label(both, output=both) == count
        np.testing.assert_array_equal(both, want)


def test_counts_that_do_not_fit(way):
    for x in (np.tile([[1, 0], [0, 0]], (40, 40)), np.tile([1, 0], 600)):
        for dtype in "bB":
            out = np.full(x.shape, 5, dtype)
            with pytest.raises(RuntimeError, match="bit-depth"):
                ndimage.label(x, output=out)
        check(x, None, np.int16)
    check(np.tile([[1, 0], [0, 0]], (8, 8)), None, np.uint8)


def test_bytes_that_are_no_plain_bools(way):
    x = (RNG.integers(0, 2, (40, 40)) * RNG.integers(1, 256, (40, 40))).astype(np.uint8)
    want, count = sn.label(x)
    got, n = ndimage.label(x.view(bool))
    assert n == count
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", "?ifdFD")
def test_one_pixel_goes_to_any_output(way, dtype):
    for value, structure in itertools.product((0, 3), (None, False)):
        out, want = np.full((), 5, dtype), np.full((), 5, dtype)
        assert ndimage.label(np.array(value), structure, out) == sn.label(np.array(value), structure, want)
        assert out == want


def test_numbers_of_64_bits(way, monkeypatch):
    """As past 2**31 pixels."""
    monkeypatch.setattr(_label, "INT32_MAX", 0)
    for shape in ((300,), (67, 71), (4, 35, 40)):
        x = RNG.random(shape) < 0.5
        want, count = sn.label(x)
        got, n = ndimage.label(x)
        assert n == count and got.dtype == np.int64
        np.testing.assert_array_equal(got, want)


# ---- find_objects
@pytest.mark.parametrize("dtype", "bBhHiIqQ")
@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
def test_boxes(way, dtype, ndim):
    """Noise, blocks, and labels that start at any byte."""
    for number in range(12):
        shape = RNG.integers(1, (300, 40, 12, 7)[ndim - 1], ndim)
        x = RNG.integers(-2 * (dtype.islower()), (2, 5, 60)[number % 3], shape).astype(dtype)
        x = x.repeat(RNG.integers(1, 12), -1).repeat(RNG.integers(1, 4), 0)[..., number % 2 :]
        if not x.size:
            continue
        moved = gs.asarray(np.append(x.reshape(-1)[:1], x))[1:].reshape(x.shape)
        for most in (0, 1, 4, 100, x.size + 1, 100_000):
            assert ndimage.find_objects(x, most) == ndimage.find_objects(moved, most) == sn.find_objects(x, most)


def test_boxes_of_one_label_far_apart(way):
    x = np.zeros((70, 90), np.int32)
    for label, (y, z) in enumerate(RNG.integers(0, (70, 90), (40, 2)), 1):
        x[y, z] = x[RNG.integers(0, 70), RNG.integers(0, 90)] = label // 2 + 1
    x[0, 89], x[1, 0] = 77, 77                                  # neighbours in memory only
    for image in (x, x.T.copy(), np.roll(x, 45, 1), x[None], x[:, None]):
        assert ndimage.find_objects(image) == sn.find_objects(image)


def test_more_objects_than_there_can_be(way):
    for x, most in ((np.array([1, 2]), 2**64), (np.array([1, 2**63 + 1], np.uint64), 0)):
        with pytest.raises(OverflowError, match="smaller max_label"):
            ndimage.find_objects(x, most)


@pytest.mark.parametrize("per_side, size", [(40, 200), (95, 190), (130, 130), (1, 5)])
def test_many_boxes(per_side, size):
    """Alike along the axes, as tiles are, or not; garbage collection is as it was."""
    i = np.arange(size) * per_side // size
    for x in (i[:, None] * per_side + i + 1, RNG.permutation(size * size).reshape(size, size)):
        for collecting in (True, False):
            (gc.enable if collecting else gc.disable)()
            try:
                assert ndimage.find_objects(x) == sn.find_objects(x)
                assert gc.isenabled() == collecting
            finally:
                gc.enable()
