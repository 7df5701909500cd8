"""Block kernels of reductions, scans and sorts, run on the host by the block emulator: the GPU's code paths without a GPU.

Shapes are chosen so that every branch of the planning is taken; `taken` says which kernels must have run.
"""

import numpy as np
import pytest
from block_emulator import emulate_blocks

import gpusci as gs
from gpusci.core import algorithms, compiler, histograms, radix, reduction, scan, ufunc_methods
from gpusci.core._ndarray import from_numpy
from gpusci.core.kernel import BlockKernel

MODULES = (reduction, scan, radix, algorithms, histograms, ufunc_methods)


pytestmark = pytest.mark.usefixtures("on_the_host")


@pytest.fixture
def taken(monkeypatch, folder):
    """The names of the block kernels that ran."""
    return emulate_blocks(monkeypatch, folder)


def draw(shape, char="f", seed=0):
    rng = np.random.default_rng(seed)
    if char == "?":
        return rng.random(shape) < 0.5
    if char in "bhiqBHIQ":
        info = np.iinfo(char)
        return rng.integers(info.min, info.max, shape, dtype=char, endpoint=True)
    a = rng.normal(size=shape)
    return (a + 1j * rng.normal(size=shape) if char in "FD" else a).astype(char)


REDUCTIONS = [
    # shape, view, axis, kernels
    ((2, 17000), None, 1, {"reduce_rows"}),
    ((2, 9000), (slice(None), slice(1, None)), 1, {"reduce_rows"}),
    ((3, 5000), None, None, {"reduce_rows"}),
    ((40, 700), (slice(None), slice(3, 690)), 1, {"reduce_warps"}),
    ((3, 2000), None, 0, {"reduce_columns"}),
    ((700, 33), None, 0, {"reduce_columns"}),
    ((20000, 3), None, 0, {"reduce_columns", "reduce_merge"}),
    ((9, 40, 50), None, (0, 2), {"reduce_warps"}),
    ((9, 40, 52), None, (0, 1), {"reduce_columns"}),
    ((6, 70, 20), None, 1, {"reduce_columns"}),
]


def _id(value):
    return str(sorted(value)) if isinstance(value, (set, frozenset)) else str(value)


@pytest.mark.parametrize("shape, view, axis, kernels", REDUCTIONS, ids=_id)
def test_reductions(taken, shape, view, axis, kernels):
    a = draw(shape)
    a = a if view is None else a[view]
    x, wide = from_numpy(a), a.astype("d")
    np.testing.assert_allclose(gs.sum(x, axis).numpy(), wide.sum(axis), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(gs.std(x, axis).numpy(), wide.std(axis), rtol=5e-7)
    assert kernels <= set(taken)
    if not isinstance(axis, tuple):
        a = np.round(a * 3)
        np.testing.assert_array_equal(gs.argmax(from_numpy(a), axis).numpy(), a.argmax(axis))


@pytest.mark.parametrize("char", "?beDq")
def test_reduction_dtypes(taken, char):
    a = draw((3, 3001), char)
    x = from_numpy(a)
    np.testing.assert_array_equal(gs.max(x, axis=1).numpy(), a.max(1))
    np.testing.assert_array_equal(gs.argmin(x, axis=1).numpy(), a.argmin(1))
    wide = a.astype("D" if char == "D" else "d")
    np.testing.assert_allclose(gs.var(x, axis=1).numpy(), wide.var(1), rtol=2e-3 if char == "e" else 1e-12)
    assert set(taken) == {"reduce_rows"}


def test_nan_in_blocks(taken):
    a = draw((2, 9000))
    a[0, 5000] = a[0, 8999] = np.nan
    x = from_numpy(a)
    np.testing.assert_array_equal(gs.argmax(x, axis=1).numpy(), a.argmax(1))
    np.testing.assert_array_equal(gs.nanargmin(x, axis=1).numpy(), np.nanargmin(a, 1))
    np.testing.assert_array_equal(gs.max(x, axis=1).numpy(), a.max(1))
    np.testing.assert_allclose(gs.nanvar(x, axis=1).numpy(), np.nanvar(a.astype("d"), 1), rtol=1e-6)


def exact_scan(a, axis):
    return np.cumsum(a.astype(np.clongdouble if a.dtype.kind == "c" else np.longdouble), axis=axis)


@pytest.mark.parametrize("shape, axis, char, kernels", [
    ((2, 9000), 1, "f", {"scan_lines"}), ((2, 5000), 1, "d", {"scan_lines"}), ((530_000,), 0, "D", {"scan_lines"}),
    ((50, 300), 1, "f", {"scan_warps"}), ((300, 36), 0, "f", {"scan_columns"}), ((2500, 33), 0, "f", {"scan_columns"}),
    ((9000, 3), 0, "d", {"scan_columns"}), ((3, 200, 8), 1, "F", {"scan_columns"}),
    # groups of groups of tiles
    ((2_110_000,), 0, "D", {"scan_lines"}), ((2, 70_000, 2), 1, "d", {"scan_columns"}),
])  # fmt: skip
def test_scans(taken, shape, axis, char, kernels):
    a = draw(shape, char)
    exact = exact_scan(a, axis)
    r = gs.cumsum(from_numpy(a), axis=axis).numpy()
    numpys = np.max(np.abs(np.cumsum(a, axis=axis) - exact))
    assert np.max(np.abs(r - exact)) <= max(numpys, 2 * np.finfo(char).eps * np.max(np.abs(exact)))
    assert kernels == set(taken)


@pytest.mark.parametrize("shape, axis, tile", [((3, 32), 1, 4096), ((7, 130), 0, 128), ((8, 130), 0, 128), ((9, 130), 0, 128),
                                               ((64, 130), 0, 128)])  # fmt: skip
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_scans_at_the_edges_of_groups(taken, shape, axis, tile, more):
    """Few tiles are read again by later blocks, unless the scan is in place: then totals go through a chain."""
    shape = tuple(n * tile + more if d == axis else n for d, n in enumerate(shape))
    a = draw(shape, "q")
    x, expected = from_numpy(a.copy()), np.cumsum(a, axis=axis)
    np.testing.assert_array_equal(gs.cumsum(x, axis=axis).numpy(), expected)
    np.testing.assert_array_equal(gs.cumsum(x, axis=axis, out=x).numpy(), expected)
    assert set(taken) == {"scan_columns" if axis == 0 else "scan_lines"}


@pytest.mark.parametrize("shape, axis", [((40, 300), 1), ((2, 20_000), 1), ((300, 36), 0), ((5000, 4), 0)])
def test_scans_keep_the_sign_of_zero(taken, shape, axis):
    a = np.full(shape, -0.0, "f")
    np.moveaxis(a, axis, 0)[-9:] = 0.0
    for name in ("cumsum", "nancumsum"):
        r = getattr(gs, name)(from_numpy(a), axis=axis).numpy()
        np.testing.assert_array_equal(np.signbit(r), np.signbit(getattr(np, name)(a, axis=axis)))
    assert len(taken) == 2


@pytest.mark.parametrize("shape, axis", [((40_000,), 0), ((1000, 7), 0), ((2, 700, 130), 1)])
def test_scans_of_few_tiles(taken, shape, axis):
    a = draw(shape)
    exact = exact_scan(a, axis)
    for name in ("cumsum", "nancumsum"):
        r = getattr(gs, name)(from_numpy(a), axis=axis).numpy()
        assert np.max(np.abs(r - exact)) <= 2 * np.finfo("f").eps * np.max(np.abs(exact))
    r = gs.maximum.accumulate(from_numpy(a), axis=axis).numpy()
    np.testing.assert_array_equal(r, np.maximum.accumulate(a, axis=axis))
    assert set(taken) == {"scan_columns" if len(shape) > 1 else "scan_lines"}


@pytest.mark.parametrize("char", "?bi")
def test_integer_scans(taken, char):
    a = draw((3, 5000), char)
    np.testing.assert_array_equal(gs.cumsum(from_numpy(a), axis=1).numpy(), np.cumsum(a, axis=1))
    np.testing.assert_array_equal(gs.maximum.accumulate(from_numpy(a), axis=1).numpy(), np.maximum.accumulate(a, axis=1))
    np.testing.assert_array_equal(gs.maximum.accumulate(from_numpy(a.T), axis=0).numpy(), np.maximum.accumulate(a.T, axis=0))
    assert set(taken) == {"scan_lines"}


SORTS = [((2, 3001), "f", {"sort_rows"}), ((300, 7), "f", {"sort_rows"}), ((3, 4000), "d", {"sort_rows"}),
         ((40, 20), "e", {"sort_rows"}), ((30, 50), "?", {"sort_rows"}), ((3, 200), "B", {"sort_rows"}),
         ((3, 200), "q", {"sort_rows"}), ((8500,), "f", {"sort_tiles", "merge_tiles"}), ((16400,), "B", {"sort_tiles", "merge_tiles"}),
         ((2, 8200), "h", {"sort_tiles", "merge_tiles"}), ((2, 22000), "d", {"sort_tiles", "merge_tiles"}),
         ((40961,), "q", {"sort_tiles", "merge_tiles"}), ((133_000,), "?", {"radix_histogram", "radix_move"})]  # fmt: skip


@pytest.mark.parametrize("shape, char, kernels", SORTS, ids=_id)
def test_sorts(taken, shape, char, kernels):
    check_sorts(shape, char)
    assert kernels == set(taken)


@pytest.mark.parametrize("shape, char, limits", [
    ((8500,), "f", {}), ((2, 8200), "h", {"ENOUGH_TILES": 0}), ((3, 4500), "d", {"ENOUGH_TILES": 0}), ((16_384,), "f", {}),
    ((8500,), "f", {"LONG": 1}), ((9000,), "?", {"LONG": 1}), ((8200,), "e", {"LONG": 1}),
])  # fmt: skip
def test_radix_sorts(taken, monkeypatch, shape, char, limits):
    """The way of large arrays, here taken by small ones: of few blocks, of many (ENOUGH_TILES), and with counts of 64 bits (LONG)."""
    for name, value in {"FEW": 1, "_plans": {}, **limits}.items():
        monkeypatch.setattr(radix, name, value)
    check_sorts(shape, char)
    assert {"radix_histogram", "radix_move"} == set(taken)


def test_radix_sort_of_few_values(taken, monkeypatch):
    """Whole warps have one digit, and the order of equal keys is the array's."""
    monkeypatch.setattr(radix, "FEW", 1)
    monkeypatch.setattr(radix, "_plans", {})
    for a in (np.zeros(9000, "i"), np.arange(9000, dtype="i") // 2000 * 2**24, np.full(9000, -1, "i")):
        np.testing.assert_array_equal(gs.sort(from_numpy(a)).numpy(), np.sort(a))
        np.testing.assert_array_equal(gs.argsort(from_numpy(a)).numpy(), np.argsort(a, stable=True))


LOOK_BACK = """
#include "gpusci/sort_radix.h"
namespace gpusci {
template <class Count> struct look_back_test {
    static constexpr int threads = 256;
    struct Args { Count* state; Count* found; };
    __device__ static void block(int32_t b, const Args& a) {        // block b is tile b + 1, and 8 lie before tile 0
        using move = radix_move<float, 8, false, false, false, Count, int32_t>;
        a.found[b * 256 + threadIdx.x] = move::look_back(a.state + (b + 9) * 256 + threadIdx.x);
    }
};
}
"""


@pytest.mark.parametrize("char", "IQ")
def test_look_back(taken, tmp_path, char):
    """The emulator's blocks run in turn, so that a tile always finds the sum that it needs one tile back: here it does not."""
    compiler.add_include_dir(tmp_path)
    (tmp_path / "look_back_test.h").write_text(LOOK_BACK)
    row = BlockKernel("look_back_test", str(tmp_path / "look_back_test.h"), template="Count", args="ptr state, ptr found")
    one, tiles, rng = np.array(1, char), 41, np.random.default_rng(2)
    counts = rng.integers(0, 9000, (tiles, 256)).astype(char)
    sums, top = np.cumsum(counts, 0).astype(char), np.array(np.iinfo(char).bits - 2, char)
    told = np.where(rng.random((tiles, 256)) < 0.06, sums | one << (top + one), counts | one << top)
    told[0] = sums[0] | one << (top + one)
    found, ahead = from_numpy(np.zeros((tiles - 1, 256), char)), np.zeros((8, 256), char)
    row(tiles - 1, (np.dtype(char),), from_numpy(np.concatenate([ahead, told])), found)
    np.testing.assert_array_equal(found.numpy(), sums[:-1])


def check_sorts(shape, char):
    a = draw(shape, char)
    if a.dtype.kind == "f":
        flat = a.reshape(-1)
        flat[::9], flat[4::31], flat[5::37], flat[6::41] = 0.0, -0.0, np.nan, -np.inf
        flat[7::43] = -np.float64(np.nan)
    np.testing.assert_array_equal(gs.sort(from_numpy(a)).numpy(), np.sort(a))
    np.testing.assert_array_equal(gs.argsort(from_numpy(a)).numpy(), np.argsort(a, stable=True))


def test_complex_sort(taken):
    a = np.round(draw((2, 500), "D"))
    a[0, ::7], a[1, ::5], a[0, ::11] = np.nan, complex(2, np.nan), complex(np.nan, np.nan)
    np.testing.assert_array_equal(gs.sort(from_numpy(a)).numpy(), np.sort(a))
    np.testing.assert_array_equal(gs.argsort(from_numpy(a)).numpy(), np.argsort(a, stable=True))


def test_places_bins_and_segments(taken):
    a = draw((5, 3000)) > 0.7
    for found, expected in zip(gs.nonzero(from_numpy(a)), np.nonzero(a)):
        np.testing.assert_array_equal(found.numpy(), expected)
    x = np.random.default_rng(1).integers(0, 9, 4000)
    np.testing.assert_array_equal(gs.bincount(from_numpy(x)).numpy(), np.bincount(x))
    w = draw(4000, "d")
    np.testing.assert_allclose(gs.bincount(from_numpy(x), from_numpy(w)).numpy(), np.bincount(x, w), rtol=1e-11)
    np.testing.assert_array_equal(gs.histogram(from_numpy(w), 12)[0].numpy(), np.histogram(w, 12)[0])
    assert {"true_places_block", "count_bins_block", "reduceat_block"} <= set(taken)
