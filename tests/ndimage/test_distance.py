"""The parallel passes of distance transforms, which GPUs run, on any device: patterns, line lengths, ties, worst cases against SciPy."""

import numpy as np
import pytest
import scipy.ndimage as sn

import gpusci as gs
from gpusci import ndimage
from gpusci.ndimage import _distance
from gpusci.ndimage import _morphology_kernels as kernels

RNG = np.random.default_rng(29)
# Words have 32 elements and are scanned from 513 on; samples begin at 129, have two levels from 1025 on, three from 8193.
LENGTHS = [(n,) for n in (1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 512, 513, 1000)]
IMAGES = [(1, 1), (3, 65), (65, 3), (40, 130), (130, 129), (2, 700), (700, 2), (33, 40), (1, 130, 1), (2, 200, 5), (5, 6, 150), (150, 6, 5),
          (17, 33, 9)]  # fmt: skip
DENSITIES = (0.5, 0.1, 0.01, 0.001)


def patterns(shape):
    """Foregrounds by name."""
    for p in DENSITIES:
        yield f"density {p}", RNG.random(shape) > p
    yield "none", np.ones(shape, bool)
    yield "all", np.zeros(shape, bool)
    yield "checkerboard", np.indices(shape).sum(0) % 2 == 0
    one, ends = np.ones(shape, bool), np.ones(shape, bool)
    one.flat[RNG.integers(one.size)] = False
    ends[..., [0, -1]] = False
    yield "one", one
    yield "ends", ends
    at = np.sqrt(sum(((i + 0.5) / n - 0.5) ** 2 for i, n in zip(np.indices(shape), shape, strict=True)))
    yield "circle", abs(at - 0.45) > 1 / max(shape)         # a centre to which much of the background is equally near


@pytest.fixture(autouse=True)
def parallel(monkeypatch):
    monkeypatch.setattr(_distance, "_by_lines", lambda device: False)


@pytest.mark.parametrize("shape", [*LENGTHS, *IMAGES])
def test_euclidean(shape):
    for name, x in patterns(shape):
        for sampling in (None, 2.5, (1.5, 1, 0.75)[: x.ndim]):
            want = sn.distance_transform_edt(x, sampling)
            np.testing.assert_array_equal(ndimage.distance_transform_edt(x, sampling), want, f"{name}, {sampling}")
            distance, indices = ndimage.distance_transform_edt(x, sampling, return_indices=True)
            np.testing.assert_array_equal(distance, want, f"{name}, {sampling}, with indices")
            if not x.all():
                assert not x[tuple(indices)].any(), name
                step = np.broadcast_to(1.0 if sampling is None else sampling, x.ndim).reshape((-1,) + (1,) * x.ndim)
                away = np.sqrt((((indices - np.indices(shape)) * step) ** 2).sum(0))
                np.testing.assert_allclose(away, want, rtol=1e-15, err_msg=f"{name}, {sampling}")


@pytest.mark.parametrize("metric", ("taxicab", "chessboard"))
@pytest.mark.parametrize("shape", [*LENGTHS, *IMAGES])
def test_whole_numbers(shape, metric):
    for name, x in patterns(shape):
        want = sn.distance_transform_cdt(x, metric)
        np.testing.assert_array_equal(ndimage.distance_transform_cdt(x, metric), want, name)
        distance = ndimage.distance_transform_bf(x, metric)
        assert distance.dtype == np.uint32
        np.testing.assert_array_equal(distance, want.astype(np.uint32), name)       # -1 is SciPy's UINT32_MAX of bf


@pytest.mark.parametrize("metric", ("euclidean", "taxicab", "chessboard"))
@pytest.mark.parametrize("shape", [*LENGTHS[:9], *IMAGES, (20, 15), (15, 16), (16, 15, 16), (70, 3, 70)])
def test_by_lines(shape, metric, monkeypatch):
    """The passes of the host."""
    if gs.current_device().kind == "cuda":
        pytest.skip("only the host goes line by line")
    monkeypatch.setattr(_distance, "_by_lines", lambda device: True)
    for name, x in patterns(shape):
        if metric == "euclidean":
            np.testing.assert_array_equal(ndimage.distance_transform_edt(x), sn.distance_transform_edt(x), name)
        else:
            np.testing.assert_array_equal(ndimage.distance_transform_cdt(x, metric), sn.distance_transform_cdt(x, metric), name)


@pytest.mark.parametrize("shape", [(129,), (600,), (9, 140), (140, 9), (3, 140, 4)])
@pytest.mark.parametrize("metric", ("euclidean", "taxicab", "chessboard"))
def test_the_last_of_equally_near(shape, metric):
    """SciPy's brute force names that one; it takes time by the number of background elements at an edge."""
    for name, x in patterns(shape):
        for sampling in (None, (0.5, 2, 1)[: x.ndim]) if metric == "euclidean" else (None,):
            want = sn.distance_transform_bf(x, metric, sampling, return_indices=True)
            got = ndimage.distance_transform_bf(x, metric, sampling, return_indices=True)
            for g, w in zip(got, want, strict=True):
                np.testing.assert_array_equal(g, w, f"{name}, {sampling}")


@pytest.mark.parametrize("view", [lambda x: x[3:], lambda x: x[::-1], lambda x: x[::2], lambda x: x.reshape(-1, 4).T])
def test_words_of_odd_memory(view):
    """Words are read eight elements at once where a line is contiguous and begins at a multiple of eight."""
    x = RNG.random(1204) > 0.02
    want = sn.distance_transform_edt(view(x))
    np.testing.assert_array_equal(ndimage.distance_transform_edt(view(gs.asarray(x))).numpy(), want)


@pytest.mark.parametrize("shape", [(1 << 20,), (1, 1 << 18), (2, 1 << 17), (1 << 17, 2), (3, 20_000), (700, 900)])
def test_far_background_costs_no_square_of_the_length(shape):
    """A search without bounds would take hours here."""
    one, ends = np.ones(shape, bool), np.ones(shape, bool)
    one[tuple(n // 3 for n in shape)] = False
    ends[..., [0, -1]] = False
    for x in (one, ends):
        np.testing.assert_array_equal(ndimage.distance_transform_edt(x), sn.distance_transform_edt(x))
        np.testing.assert_array_equal(ndimage.distance_transform_edt(x, 0.5), sn.distance_transform_edt(x, 0.5))
        for metric in ("taxicab", "chessboard"):
            np.testing.assert_array_equal(ndimage.distance_transform_cdt(x, metric), sn.distance_transform_cdt(x, metric))


@pytest.mark.parametrize("metric", ("euclidean", "taxicab", "chessboard"))
@pytest.mark.parametrize("length", (129, 1000, 9000))
def test_samples_bound_every_search(length, metric):
    """Any g along a line, not only what an image can give: ties, plateaus and slopes steeper than the metric."""
    rough = RNG.integers(0, 50, length)
    steep = np.abs(np.arange(length) - length // 3) * (7 if metric == "euclidean" else 1)       # taxicab: all are equally near
    for g in (rough, steep, np.zeros(length), np.where(rough == 7, 3, _distance.DISTANCE_FAR), np.full(length, 9)):
        g = gs.asarray(g.astype(np.int32))
        template = (f"Metric::{metric}", False, _distance.INT32, _distance.INT32)
        bounded, free = gs.empty_like(g), gs.empty_like(g)
        line = (length, 1, 1.0)
        samples, shift = _distance._samples(template, (g, None), line)
        at = samples.numpy()
        assert shift == 5 and (np.diff(at) >= 0).all() and at.size == -(-(length - 1) // 32) + 1
        kernels.distance_search(length, template, g, None, *line, samples, shift, bounded, None)
        kernels.distance_search(length, template, g, None, *line, None, 0, free, None)
        np.testing.assert_array_equal(bounded.numpy(), free.numpy())
