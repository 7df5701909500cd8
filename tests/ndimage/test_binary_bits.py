"""Binary morphology with a bit a pixel, which GPUs do, against scipy.ndimage: by the kernels' host form, and on a pretended GPU."""

import itertools
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import scipy.ndimage as sn

import gpusci as gs
from gpusci import ndimage
from gpusci.core import kernel
from gpusci.core.host import HOST
from gpusci.ndimage import _bits

CORE = pathlib.Path(__file__).parents[1] / "core"
NAMES = ("binary_erosion", "binary_dilation", "binary_opening", "binary_closing")
# Around the ends of words, of what is packed at once, of Quads and of a run's reach.
LENGTHS = (1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 300, 385)
WIDTHS = (1, 2, 3, 4, 31, 40, 64, 65, 129, 200, 257, 400)
CROSS = sn.generate_binary_structure(2, 1)


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """Packing pays for every image, and the host does what a GPU does."""
    monkeypatch.setattr(HOST, "uses_numpy", False)
    monkeypatch.setattr(_bits, "BYTES", 1e-9)
    monkeypatch.setattr(_bits, "SHORT", 1)


@pytest.fixture
def counts(monkeypatch):
    """How often each of these kernels runs."""
    found = dict.fromkeys(("pack_bits", "binary_bits", "unpack_bits", "binary_step"), 0)
    for name in found:
        row = getattr(_bits.kernels, name)

        def counted(*args, row=row, name=name):
            found[name] += 1
            return row(*args)

        monkeypatch.setattr(_bits.kernels, name, counted)
    return found


# SciPy's way of following changed pixels reads and writes outside of the image where a structure is off its centre.
def check(name, x, **kwargs):
    want = getattr(sn, name)(x, **kwargs, brute_force=True)
    got = getattr(ndimage, name)(gs.asarray(x), **kwargs)
    assert got.dtype == bool
    np.testing.assert_array_equal(got.numpy(), want, err_msg=f"{name} of {x.shape} {x.dtype}, {kwargs}")


def drawn_structure(rng, ndim):
    kind = rng.integers(4)
    if kind == 0:
        return None
    if kind == 1:
        return sn.generate_binary_structure(ndim, int(rng.integers(ndim + 1)))
    if kind == 2:
        return rng.random(rng.integers(1, 5, ndim)) < rng.choice([0.3, 0.7, 1])
    return rng.random((*rng.integers(1, 4, ndim - 1), rng.choice(WIDTHS))) < rng.choice([0.02, 0.1, 1])


def drawn_case(rng, ndim):
    """A name, an image and arguments; those that need not come to rest have a number of steps."""
    shape = (*rng.integers(1, (0, 1, 40, 8, 5)[ndim] + 1, ndim - 1), rng.choice(LENGTHS))
    structure = drawn_structure(rng, ndim)
    extent = (3,) * ndim if structure is None else structure.shape
    origin = [int(rng.integers(-(n // 2), (n + 1) // 2)) if rng.random() < 0.5 else 0 for n in extent]
    centred = structure is None or structure[tuple(n // 2 + o for n, o in zip(extent, origin, strict=True))]
    x = (rng.random(shape) < rng.choice([0.02, 0.5, 0.9, 0.99])) * rng.integers(1, 100, shape)
    kwargs = {
        "structure": structure, "iterations": int(rng.choice([1, 1, 2, 3, 5, 9, *[0, -1, 33] * bool(centred)])),
        "mask": None if rng.random() < 0.5 else rng.integers(0, 4, shape).astype(rng.choice(["?", "B", "f"])),
        "border_value": int(rng.integers(2)), "origin": origin,
    }  # fmt: skip
    x = x.astype(rng.choice(["?", "B", "b", "H", "i", "f", "d", ">i4"]))
    return rng.choice(NAMES), (x[..., ::-1], np.asfortranarray(x), x, x)[rng.integers(4)], kwargs


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
def test_drawn(ndim, counts):
    rng = np.random.default_rng(ndim)
    for _ in range(150):
        name, x, kwargs = drawn_case(rng, ndim)
        check(name, x, **kwargs)
    assert counts["binary_step"] == 0 and counts["binary_bits"] >= 150


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("start", [0, 1, 3, 4, 8])
def test_images_anywhere_in_memory(length, start):
    """Rows and arrays that begin at any byte, and outputs that do."""
    rng = np.random.default_rng(length)
    memory = gs.asarray(rng.random(start + 5 * length) < 0.8)
    x = memory[start:].reshape(5, length)
    for border in (0, 1):
        want = sn.binary_erosion(x.numpy(), iterations=2, border_value=border, brute_force=True)
        out = gs.zeros(memory.shape, bool)
        ndimage.binary_erosion(x, iterations=2, border_value=border, output=out[start:].reshape(5, length))
        np.testing.assert_array_equal(out.numpy()[start:].reshape(5, length), want)
        assert not out.numpy()[:start].any()


def test_axes():
    x = np.random.default_rng(5).random((6, 20, 140)) < 0.8
    for axes in ((0,), (2,), (0, 1), (1, 2), (0, 2), (-1, 0)):
        for name, steps in itertools.product(NAMES, (1, 4)):
            got = getattr(ndimage, name)(gs.asarray(x), axes=axes, iterations=steps)
            want = np.empty_like(x)
            rest = tuple(d for d in range(3) if d not in {a % 3 for a in axes})
            structure = sn.generate_binary_structure(len(axes), 1)
            for place in itertools.product(*(range(x.shape[d]) for d in rest)):
                at = [slice(None)] * 3
                for d, p in zip(rest, place, strict=True):
                    at[d] = p
                want[tuple(at)] = getattr(sn, name)(x[tuple(at)], structure, steps, brute_force=True)
            np.testing.assert_array_equal(got.numpy(), want)


def test_bytes_and_outputs():
    """Any byte but 0 is a 1. Outputs of other dtypes and orders, or over the input or the mask."""
    rng = np.random.default_rng(6)
    bytes_ = rng.integers(0, 4, (2, 20, 150)).astype(np.uint8)
    for steps in (1, 3, 0):
        x, mask = gs.asarray(bytes_.copy()).view(bool)
        want = sn.binary_dilation(bytes_[0], None, steps, bytes_[1])
        got = ndimage.binary_dilation(x, None, steps, mask)
        np.testing.assert_array_equal(got.numpy().view(np.uint8), want.view(np.uint8))
        for out in (gs.empty((20, 150), "f"), gs.empty((150, 20), bool).T, x, mask):
            x[...], mask[...] = gs.asarray(bytes_ != 0)
            assert ndimage.binary_dilation(x, None, steps, mask, out) is out
            np.testing.assert_array_equal(out.numpy(), want)


# ---- several steps as one
@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (50, 1), (2, 3), (3, 130), (30, 40)], ids=str)
@pytest.mark.parametrize("border", [0, 1])
def test_several_steps_at_once(shape, border, counts):
    x = np.random.default_rng(8).random(shape) < 0.95
    corner = np.array([[0, 0, 0], [0, 1, 1], [0, 1, 0]], bool)
    for structure in (CROSS, np.ones((3, 3)), np.ones((1, 3)), np.ones((1, 1)), corner, np.zeros((3, 3))):
        for name, steps in itertools.product(NAMES[:2], (2, 5, 20, 70)):
            check(name, x, structure=structure, iterations=steps, border_value=border)
    assert counts["binary_bits"] < counts["pack_bits"] * 8


def test_steps_that_stay_apart():
    """By elements whose steps may have to leave the image, or one after the other with a mask, which changes what they meet."""
    diagonal = np.eye(3, dtype=bool)
    for structure, origins, mask in ((diagonal, (0, 0), None), (CROSS, (0, 1), None), (CROSS, (0, 0), CROSS), (CROSS[1:], (0, 0), None)):
        assert _bits.steps_at_once(structure, origins, mask) == 1
    assert _bits.steps_at_once(CROSS, (0, 0), None) >= 4
    x = np.random.default_rng(9).random((3, 200)) < 0.98
    for name, border in itertools.product(NAMES, (0, 1)):
        check(name, x, structure=diagonal, iterations=4, border_value=border)


def test_launches(counts):
    x = gs.ones((100, 100), bool)
    ndimage.binary_erosion(x, iterations=5)
    assert counts == {"pack_bits": 1, "binary_bits": 1, "unpack_bits": 1, "binary_step": 0}
    ndimage.binary_erosion(x, iterations=5, mask=x)
    assert counts == {"pack_bits": 3, "binary_bits": 6, "unpack_bits": 2, "binary_step": 0}


def test_small_images_and_short_rows_stay_bytes(counts, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(HOST, "uses_numpy", False)
    cases = [((200, 200), 1, 1), ((200, 200), 2, 1), ((200, 200), 20, 0), ((2000, 2000), 1, 0), ((90_000, 15), 1, 1), ((60, 60), 0, 0)]
    for shape, steps, is_bytes in cases:
        image = gs.zeros(shape, bool)
        assert _bits.pay(image, CROSS, [0, 0], steps, None) != is_bytes, (shape, steps)


# ---- until nothing changes
def winding(n):
    """A path of one pixel's width that fills a square from one corner."""
    path = np.zeros((n, n), bool)
    path[::2] = True
    path[1::4, -1] = path[3::4, 0] = True
    return path


@pytest.mark.parametrize("structure", [None, np.ones((3, 3)), np.ones((5, 5)), np.array([[0, 0, 0], [1, 1, 0], [1, 1, 0]])], ids=str)
def test_long_ways(structure, monkeypatch):
    settled, settle = [], _bits.Packed.settle
    monkeypatch.setattr(_bits.Packed, "settle", lambda image, steps: settled.append(steps) or settle(image, steps))
    path, seed = winding(41), np.zeros((41, 41), bool)
    seed[-1, -1] = seed[0, 0] = True
    check("binary_dilation", seed, structure=structure, mask=path, iterations=-1)
    check("binary_erosion", ~seed, structure=structure, mask=path, iterations=0, border_value=1)
    check("binary_erosion", ~seed, structure=structure, iterations=-1, border_value=1)
    got = ndimage.binary_propagation(gs.asarray(seed), structure, gs.asarray(path))
    np.testing.assert_array_equal(got.numpy(), sn.binary_propagation(seed, structure, path))
    if structure is None or len(structure) == 3 and structure.all():
        assert settled == [16] * len(settled)       # components do the rest
    else:
        assert max(settled) >= 32


@pytest.mark.parametrize("packed", [True, False])
def test_very_many_steps(packed, monkeypatch):
    """They end where nothing changes, and not before. (SciPy does all by brute force, hence no more than it needs.)"""
    monkeypatch.setattr(_bits, "SHORT", 1 if packed else 1 << 30)
    path, seed = winding(61), np.zeros((61, 61), bool)
    seed[0, 0] = True
    lopsided, off_centre = np.array([[0, 0, 0], [1, 1, 0], [1, 1, 0]]), np.array([[1, 0, 0]])
    for structure, steps in itertools.product((None, lopsided, off_centre), (1023, 1024, 1030, 1100, 10**5, np.int64(10**9))):
        mask = None if structure is off_centre else path
        got = ndimage.binary_dilation(gs.asarray(seed), structure, steps, mask).numpy()
        np.testing.assert_array_equal(got, sn.binary_dilation(seed, structure, min(steps, 2000), mask, brute_force=True))


def test_thin_structures_of_many_axes():
    """Several steps at once by such an element would be 65 wide along each axis."""
    x = np.random.default_rng(13).random((2, 2, 2, 2, 2, 2, 140)) < 0.98
    line, point = np.zeros((2, *(3,) * 7), bool)
    line[1, 1, 1, 1, 1, 1], point[(1,) * 7] = True, True
    for structure, name in itertools.product((line, point, ~line & line), NAMES[:2]):
        check(name, x, structure=structure, iterations=40, border_value=1)


def test_fill_holes():
    rng = np.random.default_rng(10)
    for shape, width in itertools.product([(200,), (30, 150), (6, 7, 140)], (3, 4, 5)):
        x = rng.random(shape) < 0.6
        structure = np.ones((width,) * len(shape), bool)
        got = ndimage.binary_fill_holes(gs.asarray(x), structure)
        np.testing.assert_array_equal(got.numpy(), sn.binary_fill_holes(x, structure))


def test_wide_indices(monkeypatch):
    monkeypatch.setattr(kernel, "INT32_MAX", 0)
    rng = np.random.default_rng(11)
    for ndim in (1, 2, 3):
        for _ in range(20):
            name, x, kwargs = drawn_case(rng, ndim)
            check(name, x, **kwargs)


FENCED = """
import sys
import pretend_gpu
pretend_gpu.install(sys.argv[1], True)
import numpy as np
import test_binary_bits as tests
from gpusci.ndimage import _bits
_bits.BYTES, _bits.SHORT = 1e-9, 1
rng = np.random.default_rng(12)
for ndim in (1, 2, 3):
    for _ in range(40):
        name, x, kwargs = tests.drawn_case(rng, ndim)
        tests.check(name, x, **kwargs)
assert not pretend_gpu.plain
"""


def test_reads_and_writes_stay_inside(folder):
    path = os.pathsep.join([str(CORE), str(pathlib.Path(__file__).parent), str(pathlib.Path(gs.__file__).parents[1])])
    env = {**os.environ, "PYTHONPATH": path, "GPUSCI_HOST_KERNELS": "0"}
    done = subprocess.run([sys.executable, "-c", FENCED, folder], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
