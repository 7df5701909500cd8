"""watershed_ift: the host's call of SciPy, and what a GPU runs (its blocks by the emulator) beside queues in order."""

import pathlib
import sys

import numpy as np
import pytest
import scipy.ndimage as sn

import gpusci as gs
from gpusci import ndimage
from gpusci.core.host import HOST
from gpusci.ndimage import _blocks, _watershed

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "core"))

RNG = np.random.default_rng(11)
CROSS, FULL = sn.generate_binary_structure(2, 1), np.ones((3, 3), bool)
ONE_WAY = np.array([[0, 0, 0], [1, 0, 1], [0, 1, 1]], bool)         # its paths do not lead back
SHAPES = [(1,), (19,), (2, 2), (1, 7), (6, 7), (3, 2, 4), (2, 3, 2, 3)]
# A pixel alone in its queue moves to a cheaper one: SciPy 1.17 keeps it in both and loses the last pixel.
LOST = np.array([0, 3, 5, 2, 5, 4], np.uint8), np.array([1, 0, -1, 0, 0, 0])


@pytest.fixture
def zones(monkeypatch, folder, on_the_host):
    """The host runs what a GPU runs. Names of the block kernels."""
    from block_emulator import emulate_blocks

    started = emulate_blocks(monkeypatch, folder, vars(_watershed.kernels).values())
    monkeypatch.setattr(_blocks, "has_blocks", lambda device: True)
    return started


@pytest.fixture(params=["in turn", "zones"])
def kernels(request, monkeypatch, on_the_host):
    """The host runs its own kernel (None), or what a GPU runs."""
    if request.param == "zones":
        return request.getfixturevalue("zones")
    monkeypatch.setattr(HOST, "uses_numpy", False)
    return None


def steps(shape, structure):
    strides = np.cumprod((1, *shape[:0:-1]))[::-1]
    return [int(s) for s in (np.argwhere(structure) - 1) @ strides]


def in_order(x, markers, structure):
    """The transform by a list for each cost: the positive at its front, the latest first, the negative at its end."""
    grey, label, queues = x.ravel().astype(int), markers.ravel().copy(), {0: []}
    cost = np.where(label != 0, 0, 1 << 16)
    for p in label.nonzero()[0].tolist():
        queues[0].insert(0 if label[p] > 0 else len(queues[0]), p)
    while queues:
        level = min(queues)
        if not queues[level]:
            del queues[level]
            continue
        p = queues[level].pop(0)
        cost[p] = -1
        for q in (p + s for s in steps(x.shape, structure)):
            if not 0 <= q < x.size:
                continue
            new = max(level, abs(grey[p] - grey[q]))
            if new < cost[q]:
                if cost[q] < 1 << 16:
                    queues[cost[q]].remove(q)
                cost[q], label[q] = new, label[p]
                queue = queues.setdefault(new, [])
                queue.insert(0 if label[p] > 0 else len(queue), q)
    return label.reshape(x.shape)


def costs(x, start, structure):
    """Of every pixel's cheapest path from the pixels in `start`."""
    grey, pixels = x.ravel().astype(int), np.arange(x.size)
    best, last = np.where(start.ravel(), 0, 1 << 16), None
    while last is None or (best != last).any():
        last = best.copy()
        for s in steps(x.shape, structure):
            p = pixels[(pixels + s >= 0) & (pixels + s < x.size)]
            np.minimum.at(best, p + s, np.maximum(best[p], np.abs(grey[p] - grey[p + s])))
    return best


def draw(shape, dtype, greys, share, low):
    x = RNG.integers(0, greys, shape) * (257 if dtype == "H" else 1)
    return x.astype(dtype), np.where(RNG.random(shape) < share, RNG.integers(low, 5, shape), 0).astype("i")


@pytest.mark.parametrize("shape", SHAPES)
def test_small(kernels, shape):
    """Few greys, so that ties decide; any structure, also one that has no centre and one without neighbours."""
    for number in range(24):
        greys, share, low = (1, 2, 3, 8, 256)[number % 5], (0.1, 0.3, 0.6)[number % 3], (1, -1, -3, -3)[number % 4]
        x, markers = draw(shape, "BH"[number % 2], greys, share, low)
        structure = RNG.random((3,) * len(shape)) < (0, 0.3, 0.6, 1)[number // 2 % 4]
        if number < 12:
            structure |= np.flip(structure)         # paths lead both ways
        label = markers.astype("bhil"[number % 4])
        got = ndimage.watershed_ift(x, label, structure)
        assert got.dtype == label.dtype
        np.testing.assert_array_equal(got, in_order(x, markers, structure))


@pytest.mark.parametrize("dtype", "BH")
@pytest.mark.parametrize("greys, share, low, structure", [
    (256, 0.002, 1, CROSS), (4, 0.01, -1, FULL), (40, 0.05, -3, CROSS), (256, 0.4, -3, FULL), (2, 0.02, -4, CROSS),
    (256, 0.01, 1, ONE_WAY), (4, 0.03, -3, ONE_WAY),
])  # fmt: skip
def test_many_rounds(kernels, dtype, greys, share, low, structure):
    """Levels, fronts and waves of more than a block's threads."""
    x, markers = draw((61, 67), dtype, greys, share, low)
    if greys == 256:
        x = sn.uniform_filter(x, 3)
    np.testing.assert_array_equal(ndimage.watershed_ift(x, markers, structure), in_order(x, markers, structure))
    if kernels is not None:
        assert "watershed_turns" in kernels and ("watershed_spread" in kernels) == (structure is ONE_WAY)


def test_many_turns(zones):
    """A map of more turns than a block's threads count at 1024 each; one label of negative seeds, then several."""
    x = RNG.integers(0, 3, (725, 725)).astype("B")
    for low in (-1, -2):
        markers = np.where(RNG.random(x.shape) < 0.3, RNG.integers(low, 4, x.shape), 0).astype("i")
        want = markers.copy()
        arrays = [gs.asarray(a) for a in (x, markers, want)]
        _watershed._in_turn(*arrays, np.array(steps(x.shape, CROSS)), _watershed.INT32)
        np.testing.assert_array_equal(ndimage.watershed_ift(x, markers), want)


def test_wide_numbers(kernels, monkeypatch):
    """Pixels numbered as from 2**31 on."""
    for name in ("_by_zones", "_in_turn"):
        plain = getattr(_watershed, name)
        monkeypatch.setattr(_watershed, name, lambda *arguments, plain=plain: plain(*arguments[:-1], _watershed.INT64))
    for structure in (CROSS, ONE_WAY):
        x, markers = draw((24, 31), "B", 6, 0.1, -3)
        np.testing.assert_array_equal(ndimage.watershed_ift(x, markers, structure), in_order(x, markers, structure))


def test_paths_are_cheapest(kernels):
    for low in (-3, 1):
        x, markers = draw((24, 31), "B", 200, 0.01, low)
        markers[3, 4], markers[20, 7] = 1, low
        got = ndimage.watershed_ift(x, markers)
        paths = {label: costs(x, markers == label, CROSS) for label in np.unique(markers[markers != 0])}
        own = np.select([got.ravel() == label for label in paths], list(paths.values()), 1 << 17)
        np.testing.assert_array_equal(own, np.min(list(paths.values()), axis=0))


def test_scipy_loses_pixels(kernels):
    """DIFFERENCES."""
    x, markers = LOST
    np.testing.assert_array_equal(ndimage.watershed_ift(x, markers), [1, -1, -1, -1, -1, -1])
    assert sn.watershed_ift(x, markers)[-1] == 0


def as_scipy(x, markers, *args):
    for convert in (np.asarray, gs.asarray):
        got = ndimage.watershed_ift(convert(x), convert(markers), *args)
        want = sn.watershed_ift(x, markers, *args)
        assert got.dtype == want.dtype and got.shape == want.shape
        assert isinstance(got, gs.ndarray) == (convert is gs.asarray)
        np.testing.assert_array_equal(gs.asnumpy(got), want)


def two_greys(shape, dtype="B"):
    """With no marker on the lighter grey no path becomes cheaper: SciPy's queues stay in order."""
    x, markers = draw(shape, "B", 2, 0.2, -3)
    return x.astype(dtype) * 90, np.where(x == 0, markers, 0)


@pytest.mark.parametrize("dtype", "BH")
@pytest.mark.parametrize("marker", "bhil")
def test_as_scipy(dtype, marker):
    """On the current device, whatever it is."""
    for shape in SHAPES:
        x, markers = two_greys(shape, dtype)
        as_scipy(x, markers.astype(marker))
        as_scipy(x, markers.astype(marker), RNG.random((3,) * len(shape)) < 0.6)


def check_layouts():
    x, markers = two_greys((9, 14), "H")
    want = sn.watershed_ift(x, markers)
    strided = np.repeat(x, 2, 1)[:, ::2], np.repeat(markers, 2, 0)[::2]
    for a, b in (strided, (np.asfortranarray(x), markers[::-1].copy()[::-1]), (x.astype(">u2"), markers.astype(">i4"))):
        a.flags.writeable = b.flags.writeable = False
        np.testing.assert_array_equal(ndimage.watershed_ift(a, b), want)
    for output in (np.zeros((9, 14), "i"), np.zeros((14, 9), "q").T, np.zeros((9, 28), "b")[:, ::2]):
        assert ndimage.watershed_ift(x, markers, None, output) is output
        np.testing.assert_array_equal(output, want)
    itself = markers.copy()
    ndimage.watershed_ift(x, itself, output=itself)
    np.testing.assert_array_equal(itself, want)
    bits = x.view("h").copy()                       # an output in the input's own memory
    ndimage.watershed_ift(bits.view("H"), markers, output=bits)
    np.testing.assert_array_equal(bits, want)


def check_nothing_there():
    as_scipy(np.zeros((0, 3), "B"), np.zeros((0, 3), "i"))
    as_scipy(np.array(3, "B"), np.array(2, "h"))
    as_scipy(*two_greys((5, 6)), np.zeros((3, 3)))
    as_scipy(two_greys((5, 6))[0], np.zeros((5, 6), "b"))
    as_scipy(np.array([[65535, 0], [0, 0]], "H"), np.array([[1, 0], [0, 0]], "b"))


def test_layouts():
    check_layouts()


def test_layouts_on_kernels(kernels):
    check_layouts()


def test_nothing_there():
    check_nothing_there()


def test_nothing_there_on_kernels(kernels):
    check_nothing_there()


def check_bad():
    x, m = np.zeros((3, 3), "B"), np.zeros((3, 3), "i")
    bad = [((x.astype("i"), m), TypeError), ((x.astype("?"), m), TypeError), ((x, m[:2]), RuntimeError), ((x, m.astype("d")), RuntimeError),
           ((x, m.astype("I")), RuntimeError), ((x, m, np.ones((2, 3))), RuntimeError), ((x, m, np.ones(3)), RuntimeError),
           ((x, m, None, np.zeros((3, 3))), RuntimeError), ((x, m, None, np.zeros((2, 3), "i")), RuntimeError)]  # fmt: skip
    for args, error in bad:
        for module in (sn, ndimage):
            with pytest.raises(error):
                module.watershed_ift(*args)


def test_bad():
    check_bad()


def test_bad_on_kernels(kernels):
    check_bad()
