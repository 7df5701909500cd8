"""Convolution and correlation: types, modes, exact integers, NaN, empty input, views."""

import itertools

import numpy as np
import pytest
import scipy.signal as ss
from signal_helpers import RNG, data, same

import gpusci as gs
from gpusci import signal

SHAPES = [((20,), (5,)), ((5,), (20,)), ((7, 9), (3, 4)), ((4, 5, 6), (2, 3, 2)), ((3, 4), (3, 4)), ((1, 6), (4, 1))]


@pytest.mark.parametrize("types", ["dd", "ff", "qi", "Df", "fd"])
@pytest.mark.parametrize("method", ["auto", "direct", "fft"])
def test_methods_and_modes(types, method):
    for first, second in SHAPES:
        x, y = data(first, types[0]), data(second, types[1])
        for mode in ("full", "same", "valid"):
            same("convolve", x, y, mode, method)
            same("correlate", x, y, mode, method)
            if method == "fft":
                same("fftconvolve", x, y, mode)
                same("oaconvolve", x, y, mode)


def test_integers_are_exact():
    a, b = np.array([2**40 + 1, -3, 7]), np.array([2**20 + 1, 5])
    for method in ("auto", "direct"):
        np.testing.assert_array_equal(signal.convolve(a, b, method=method), np.convolve(a, b))
    x = RNG.integers(-(2**31), 2**31, 5000)
    w = RNG.integers(-(2**31), 2**31, 700)
    np.testing.assert_array_equal(signal.convolve(x, w), np.convolve(x, w))          # wraps as NumPy
    small = RNG.integers(-9, 9, 20000)
    np.testing.assert_array_equal(signal.correlate(small, small[:4000]), np.correlate(small, small[:4000], "full"))


def exact_convolve(x, w):
    """In pieces that are small enough for the transforms of SciPy."""
    parts = [[(a & 0x1FFF).astype("d"), (a >> 13).astype("d")] for a in (x, w)]
    terms = [(np.rint(ss.oaconvolve(p, q)).astype("q"), 13 * (i + j)) for i, p in enumerate(parts[0]) for j, q in enumerate(parts[1])]
    return sum(term << places for term, places in terms)


@pytest.mark.parametrize("bits", [46, 48, 49, 50, 52])
def test_integers_are_exact_as_long_as_transforms_are(bits):
    """Sums near 2^50 are off by one in a few places of a float64 transform."""
    n, m = 200_000, 3000
    size = int((2**bits / m) ** 0.5)
    x, w = (np.full(k, size) - RNG.integers(0, 2, k) for k in (n, m))
    np.testing.assert_array_equal(signal.convolve(x, w), exact_convolve(x, w))


@pytest.mark.parametrize("dtype", "bBhHiIqQ")
def test_transforms_of_integers_wrap_as_their_sums(dtype):
    top = min(np.iinfo(dtype).max, 2**20)
    x, w = (RNG.integers(-top * (dtype in "bhiq"), top, k, endpoint=True).astype(dtype) for k in (3000, 400))
    for name in ("convolve", "correlate"):
        got, want = getattr(signal, name)(x, w, method="fft"), getattr(signal, name)(x, w, method="direct")
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, want)


def test_transforms_of_bool_have_no_noise():
    x, w = data(300, "?"), data(40, "?")
    x[100:200] = False
    np.testing.assert_array_equal(signal.convolve(x, w, method="fft"), signal.convolve(x, w, method="direct"))


def test_float16_and_bool_in_two_dimensions():
    x, w = data((9, 8), "e", 1), data((3, 2), "e", 1)
    want = ss.convolve(x.astype("d"), w.astype("d"))
    assert signal.convolve(x, w, method="direct").dtype == np.float16
    np.testing.assert_allclose(signal.convolve(x, w, method="direct"), want, atol=2e-3 * np.abs(want).max())
    x, w = data((9, 8), "?"), data((3, 2), "?")
    np.testing.assert_array_equal(signal.convolve(x, w, method="direct"), ss.convolve(x.astype(int), w.astype(int)) > 0)


@pytest.mark.parametrize("boundary", ["fill", "wrap", "symm"])
def test_boundaries(boundary):
    for first, second in (((9, 7), (5, 8)), ((6, 5), (9, 11)), ((5, 5), (2, 2))):
        x, w = data(first), data(second)
        for mode in ("full", "same", "valid"):
            for fill in (0, 2.5):
                same("convolve2d", x, w, mode, boundary, fill)
                if mode != "valid" or x.size > w.size:      # DIFFERENCES
                    same("correlate2d", x + 1j, w - 2j, mode, boundary, fill)


def test_long_kernels_and_views():
    x = data(3000)
    same("convolve", x[::-2], x[5:900:3], "same", "direct", eps=200)
    same("convolve", data((40, 50)).T[::-1], data((6, 5))[:, ::-1], "valid", "direct")
    same("oaconvolve", data((3, 5000), "f"), data((1, 101), "f"), "same", axes=1)
    same("oaconvolve", data((500, 60)), data((9, 7)))
    same("oaconvolve", data(300), data(299), "valid")


def test_axes():
    x, y = data((8, 9)), data((8, 9))
    for axes in (None, 0, 1, -1, (0, 1), [1], (), [0, 0], 5, [[0, 1]], 1.5):
        same("fftconvolve", x, y, "full", axes)
        same("oaconvolve", x, y[:, :4] if axes == 1 else y, "full", axes)
    same("fftconvolve", x, y[:5], axes=1)


def test_a_nan_of_the_direct_method_is_local():
    x = data(300)
    x[100] = np.nan
    assert np.isnan(signal.convolve(x, np.ones(9), "same", "direct")).sum() == 9
    with gs.device("host"), pytest.warns(RuntimeWarning, match="NAN or inf"):    # on a GPU no warning waits for the values
        signal.convolve(x, np.ones(9), method="fft")


def test_bad_input():
    for name in ("convolve", "correlate", "fftconvolve", "oaconvolve"):
        same(name, 2, 3)
        same(name, [1], [[1]])
        same(name, [1, 2], [1], "zz")
        same(name, np.ones((2, 3)), np.ones((3, 2)), "valid")
    same("convolve", [], [])
    same("convolve", [1.0], [1.0], method="zz")
    same("fftconvolve", [], [1.0])
    for args in (([1], [1]), ([[1]], [[1]], "x"), ([[1]], [[1]], "full", "x"), (np.ones((2, 2), bool), np.ones((2, 2), bool))):
        same("convolve2d", *args)
    same("convolve2d", [[1]], [[1]], fillvalue=[1, 2])
    same("convolve2d", [[1]], [[1]], fillvalue=1j)
    same("convolve2d", np.ones((0, 2)), np.ones((2, 2)))


def test_lags_and_choice():
    for mode in ("full", "same", "valid", "x"):
        for n, m in ((10, 3), (3, 10), (8, 8), (7, 4), (4, 7)):
            same("correlation_lags", n, m, mode)
    for n in (10, 1000, 100000):
        same("choose_conv_method", data(n), data(n))
        same("choose_conv_method", np.full(n, 10**7), np.full(n, 10**7))
    method, times = signal.choose_conv_method(data(100), data(30), measure=True)
    assert set(times) == {"fft", "direct"} and method == min(times, key=times.get)


def test_deconvolution():
    quotient, rest = signal.deconvolve([1.0, 5, 6, 3], [1.0, 2])
    np.testing.assert_allclose(np.convolve(quotient, [1.0, 2]) + rest, [1.0, 5, 6, 3])
    assert signal.deconvolve([1.0], [1.0, 2.0])[0].size == 0


def test_kinds():
    x = gs.asarray(data(50))
    assert isinstance(signal.convolve(x, np.ones(3)), gs.ndarray)
    assert isinstance(signal.convolve(x.numpy(), np.ones(3)), np.ndarray)
    assert isinstance(signal.convolve([1.0, 2.0], [1.0]), np.ndarray)


ODD_SHAPES = [(0,), (1,), (5,), (7,), (), (0, 3), (2, 0), (0, 0), (1, 1), (2, 3), (4, 5), (5, 4), (2, 2, 2)]


@pytest.mark.parametrize("mode", ["full", "same", "valid", "x", None])
@pytest.mark.parametrize("shape", ODD_SHAPES, ids=str)
def test_every_pair_of_shapes(shape, mode):
    """Empty, 0-d, larger in2, unequal ranks: SciPy's result or its type of exception."""
    for other in ODD_SHAPES:
        for method in ("direct", "auto", "fft"):
            for types in ("dd", "di", "df", "?d"):
                x, y = np.abs(data(shape, types[0])), np.abs(data(other, types[1]))    # nothing cancels
                if x.size and y.size or mode in ("full", "same", "valid"):
                    same("convolve", x, y, mode, method)
                    same("correlate", x, y, mode, method)
        x, y = np.abs(data(shape)), np.abs(data(other))
        for name in ("fftconvolve", "oaconvolve", "choose_conv_method"):
            same(name, x, y, mode)
        if x.size:
            for boundary in ("fill", "wrap", "symm", "x"):
                for name in ("convolve2d", "correlate2d"):
                    same(name, x, y, mode, boundary)


def test_the_choice_of_method_for_every_type():
    for types in ("ii", "id", "iD", "?i", "??", "bb", "Bd", "ef", "dd", "FD"):
        for scale in (0.4, 20, 1e9):
            for mode in ("full", "same", "valid"):
                same("choose_conv_method", data(90, types[0], min(scale, 100 if types[0] in "bB?" else 1e9)), data(40, types[1], 5), mode)
    for bad in (np.nan, np.inf):
        same("choose_conv_method", np.array([1, bad]), [1, 2])
    same("choose_conv_method", [], [1, 2])
    same("choose_conv_method", [], [1.0, 2])


def test_correlate2d_of_a_larger_second_image_is_that_of_correlate():
    """SciPy returns the conjugate (DIFFERENCES)."""
    for dtypes in ("DD", "Dd", "dD"):
        x, y = data((2, 3), dtypes[0]), data((4, 5), dtypes[1])
        got, want = signal.correlate2d(x, y, "valid"), ss.correlate(x, y, "valid", "direct")
        np.testing.assert_allclose(got, want, rtol=1e-13)
        np.testing.assert_allclose(ss.correlate2d(x, y, "valid").conj(), want, rtol=1e-13)


def test_nan_beside_integers_and_under_a_larger_kernel():
    """What DIFFERENCES says of them."""
    x = np.array([1.0, np.nan, 2, 4])
    np.testing.assert_array_equal(signal.convolve(x, [1, 2]), [1, np.nan, np.nan, 8, 8])
    y = np.array([1.0, 2, 3, 4, 5, 6, 7])
    got = signal.correlate(np.array([np.inf, 1, 1, 1]), y, "same", "direct")
    assert np.isinf(got).sum() == 4 and not np.isnan(got).any()
    zeros = signal.convolve2d(np.ones((0, 3)), np.ones((2, 2)), boundary="wrap")
    assert zeros.shape == (1, 4) and not zeros.any()


def test_axes_of_every_kind():
    pairs = [(data(7), data(3)), (data((4, 5)), data((2, 3))), (data((4, 5)), data((1, 3))), (data((4, 5)), data((4, 5))),
             (data((4, 5)), data((2, 1))), (np.zeros((0, 2)), data((2, 2)))]  # fmt: skip
    kinds = (None, 0, 1, -1, (0, 1), [0], (), 2, -3, (0, 0), 0.5, "a", (0, 2), (1.0,), np.array([0, 1]), (0, -2), (1, 0))
    for (x, y), axes, mode in itertools.product(pairs, kinds, ("full", "same", "valid")):
        same("fftconvolve", x, y, mode, axes)
        same("oaconvolve", x, y, mode, axes)
