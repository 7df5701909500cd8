"""What a GPU runs of the interpolations, without one: their kernels compiled as for CUDA by the host compiler, item after item."""

import ctypes
import itertools
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import gpusci as gs
from gpusci import ndimage
from gpusci.core import kernel
from gpusci.core.host import Host
from gpusci.ndimage import _interpolation_kernels, _transforms

CORE = pathlib.Path(__file__).parents[1] / "core"
PACKAGE = pathlib.Path(gs.core.__file__).parents[1]
RNG = np.random.default_rng(5)
MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-constant", "grid-wrap")
TURN = np.array([[0.83, 0.31], [-0.27, 1.13]])
ROWS = {name: getattr(_interpolation_kernels, name) for name in ("affine", "separable", "mapped")}
loaded = {(cuda, name): {} for cuda in (False, True) for name in ROWS}


class Items:
    """What core expects of a loaded kernel."""

    def __init__(self, library):
        self.library = library

    def start(self, n, words, grain=0):
        self.library.run(ctypes.c_int64(n), ctypes.create_string_buffer(words, len(words) + 16))


def compiled(entry, folder, cuda):
    """Items 0 ... n-1 of a row's instantiation: as a GPU does them, or on the host one element each."""
    index, kind = re.search(r"GPUSCI_ENTRY\((\w+), (.*)\) \}", entry).groups()
    text = f'#include "{CORE}/block_emulator.h"\n' * cuda + re.sub(r"GPUSCI_ENTRY\(.*\) \}", "}", entry) + (
        f'extern "C" void run(int64_t n, const void* args) {{ using namespace gpusci; using K = {kind};\n'
        f"    for (int64_t i = 0; i < n; ++i) K::at({index}(i), *static_cast<const K::Args*>(args)); }}\n"
    )
    path = folder / f"{len(list(folder.iterdir()))}.so"
    path.with_suffix(".cpp").write_text(text)
    command = ["g++", "-std=c++17", "-O0", "-w", "-fPIC", "-shared", "-ffp-contract=off", f"-I{PACKAGE}/core/include",
               f"-I{PACKAGE}", path.with_suffix(".cpp"), "-o", path]  # fmt: skip
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]
    return Items(ctypes.CDLL(str(path)))


@pytest.fixture
def same(monkeypatch, folder):
    """Checks that a GPU, which takes small images as large ones here, gives what elements give that are found one by one."""
    plain = Host.load

    def run(cuda, f, args, kwargs):
        def load(self, entry, name, *more, **options):
            return compiled(entry, folder, cuda) if name in ROWS else plain(self, entry, name, *more, **options)

        with monkeypatch.context() as patch:
            patch.setattr(Host, "load", load)
            patch.setattr(_transforms, "on_gpu", lambda device: cuda)
            patch.setattr(_transforms, "_MANY", 40)
            for name, row in ROWS.items():
                patch.setattr(row, "_functions", loaded[cuda, name])
            with gs.device("host"):
                return getattr(ndimage, f)(*args, **kwargs)

    def check(row, f, *args, **kwargs):
        want, got = run(False, f, args, kwargs), run(True, f, args, kwargs)
        assert loaded[True, row]
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_array_equal(got, want)

    return check


def data(shape, dtype="d"):
    x = RNG.normal(size=shape) * 50
    return (x + 1j * RNG.normal(size=shape)).astype(dtype) if dtype in "FD" else np.abs(x).astype(dtype)


@pytest.mark.parametrize("order", (0, 1, 5))
@pytest.mark.parametrize("shape", [(300,), (23, 70), (41, 5), (9, 7, 40)], ids=str)
def test_separable(same, shape, order):
    x, rank = data(shape), len(shape)
    for mode in MODES:
        options = {"order": order, "mode": mode, "cval": 1.25}
        same("separable", "shift", x, (3.4, -2.25, 1)[:rank], **options)
        same("separable", "shift", x, (-2, 1, 3)[:rank], **options)
        for factors in ((1.7, 2.1, 0.8), (0.45, 1, 1.3)):
            same("separable", "zoom", x, factors[:rank], **options, grid_mode=mode == "grid-wrap")
        same("separable", "affine_transform", x, (-0.8, 1.1, -1)[:rank], [n - 1.5 for n in shape], **options)


@pytest.mark.parametrize("order", (0, 1, 3))
def test_separable_outside(same, order):
    x = data((37, 70))
    x[0, 3], x[-1, 4], x[5, -1] = np.nan, np.inf, -np.inf
    for mode in MODES:
        options = {"order": order, "mode": mode, "cval": 1.25, "prefilter": False}
        for by in [(90.5, -70), (-36, 69), (0.5, -0.5), (np.nan, 1.5), (0.25, np.nan), (1e300, 0.5), (-2.25, np.inf)]:
            same("separable", "shift", x, by, **options)
        same("separable", "shift", data((5, 3, 4, 40)), (1.25, -0.5, 3, 0.75), **options)
        same("separable", "affine_transform", x, (2.5, 1.75), (-3, 2.5), **options)


@pytest.mark.parametrize("order", (0, 1, 4))
def test_affine(same, order):
    x = data((37, 90))
    for mode in MODES:
        options = {"order": order, "mode": mode, "cval": 1.25}
        same("affine", "affine_transform", x, TURN, (1.5, -4), **options)
        same("affine", "affine_transform", x, np.array([[0.9, 0.01], [0, 1.2]]), **options, output_shape=(50, 140))
        same("affine", "rotate", x, 33, **options)
        same("affine", "rotate", x, 90, **options)
    same("affine", "affine_transform", data((6, 20, 40)), np.eye(3) * 0.8 + 0.05, (0.5, 1, -2), order=order)
    same("affine", "affine_transform", data((3, 20, 40)), [[0.1, 0.2], [0.5, 0], [0.1, 0.4]], output_shape=(30, 70), order=order)
    same("affine", "affine_transform", x, [[0.3], [0.5]], output_shape=(500,), order=order)
    same("affine", "rotate", data((70, 9, 40), "F"), 20, (0, 2), order=order, reshape=False)
    for dtype in "fD":          # neighbours are of different images
        same("affine", "rotate", data((30, 45, 5), dtype), 20, (0, 1), order=order, mode="mirror")


@pytest.mark.parametrize("order", (0, 1))
def test_mapped(same, order):
    x = data((37, 60), "f")
    for shape, mode in itertools.product([(700,), (21, 150), (40, 3)], MODES):
        points = RNG.uniform(-8, 65, (2, *shape))
        points.reshape(2, -1)[0, :4] = np.nan, np.inf, 1e300, -1e300
        points.reshape(2, -1)[:, 4:9] = np.array([[0, 36, 36, -0.25, 36.25], [0, 59, 0, 5, 59.25]])
        same("mapped", "map_coordinates", x, points, order=order, mode=mode, cval=1.25)
        same("mapped", "map_coordinates", x, points.clip(-9, 99).astype("f"), order=order, mode=mode)


@pytest.mark.parametrize("dtype", "fBiD")
def test_dtypes_and_layouts(same, dtype):
    x = data((30, 72), dtype)
    for order in (0, 1):
        out = np.zeros((60, 144), x.dtype)[::2, ::2]
        for view in (x, x[::-1, ::-2], x.T, np.asfortranarray(x), x[:1], x[:, :1], x[:2, :2]):
            same("separable", "shift", view, (1.3, 0), order=order, mode="mirror")
            same("separable", "zoom", view, 1.6, order=order, mode="mirror")
            same("affine", "affine_transform", view, TURN, order=order, mode="mirror")
        same("separable", "shift", x, (0, 2), out, order=order)


def test_wide_indices(same, monkeypatch):
    monkeypatch.setattr(kernel, "INT32_MAX", 0)
    x = data((41, 90))
    for mode in MODES:
        same("separable", "zoom", x, (1.7, 0.8), order=1, mode=mode)
        same("affine", "affine_transform", x, TURN, (1.5, -4), order=1, mode=mode)
    same("mapped", "map_coordinates", x, RNG.uniform(-5, 90, (2, 30, 140)), order=1)
    assert any(wide for _, _, wide in loaded[True, "separable"])


# Arrays end at pages that cannot be read (tests/core/pretend_gpu.py), and images are narrower than a window.
FENCED = """
import sys, numpy as np, pretend_gpu
pretend_gpu.install(sys.argv[1], True)
import gpusci as gs
from gpusci import ndimage
from gpusci.ndimage import _transforms
_transforms._MANY = 40
for shape in ((4096, 2), (2048, 4), (64, 2, 32)):
    x = np.random.default_rng(0).normal(size=shape)
    on_gpu, on_host = gs.asarray(x, device="cuda:0"), gs.asarray(x, device="host")
    for order, mode in ((1, "constant"), (1, "mirror"), (3, "constant"), (3, "mirror"), (5, "nearest")):
        for f in (ndimage.shift, ndimage.zoom):
            got, want = (gs.asnumpy(f(a, 1.25, order=order, mode=mode)) for a in (on_gpu, on_host))
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-13, err_msg=f"{f.__name__} {shape} {order} {mode}")
"""


def test_reads_stay_inside(folder):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(CORE), str(PACKAGE.parent)]), "GPUSCI_HOST_KERNELS": "0"}
    done = subprocess.run([sys.executable, "-c", FENCED, folder], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
