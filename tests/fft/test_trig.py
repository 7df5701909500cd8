"""Cosine, sine and Hankel transforms against scipy.fft on the current device."""

import numpy as np
import pytest
import scipy.fft

import gpusci as gs
from gpusci.core.device import HOST

NAMES = ["dct", "idct", "dst", "idst"]


def check(ours, theirs, growth=8):
    ours = ours.numpy()
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    eps = np.finfo(theirs.dtype).eps
    assert np.abs(ours - theirs).max(initial=0) <= growth * eps * np.abs(theirs).max(initial=0) * np.log2(ours.size + 2)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("name", NAMES)
def test_lengths_and_axes(name, kind, dtype):
    r = np.random.default_rng(0)
    for n in (1, 2, 3, 4, 5, 7, 8, 15, 16, 33, 100, 101):
        if kind == 1 and n == 1 and "c" in name:
            continue
        for shape, axis in [((n,), 0), ((3, n), 1), ((n, 4), 0), ((2, n, 3), 1)]:
            x = r.standard_normal(shape).astype(dtype)
            check(getattr(gs.fft, name)(gs.asarray(x), kind, axis=axis), getattr(scipy.fft, name)(x, kind, axis=axis))


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("name", NAMES)
def test_norms(name, kind):
    x = np.random.default_rng(1).standard_normal((5, 6))
    for norm in (None, "backward", "ortho", "forward"):
        for orthogonalize in (None, True, False):
            kw = {"norm": norm, "orthogonalize": orthogonalize}
            check(getattr(gs.fft, name)(gs.asarray(x), kind, 8, **kw), getattr(scipy.fft, name)(x, kind, 8, **kw))
            check(getattr(gs.fft, name + "n")(gs.asarray(x), kind, **kw), getattr(scipy.fft, name + "n")(x, kind, **kw))


@pytest.mark.parametrize("name", NAMES)
def test_other_dtypes(name):
    x = (np.random.default_rng(2).standard_normal((6, 9)) * 10).astype("float64")
    for dtype in ("float16", "int16", "bool", "uint64"):
        y = np.abs(x).astype(dtype)
        check(getattr(gs.fft, name)(gs.asarray(y)), getattr(scipy.fft, name)(y))
    z = x + 1j * x[::-1]
    check(getattr(gs.fft, name)(gs.asarray(z)), getattr(scipy.fft, name)(z))


@pytest.mark.parametrize("name", NAMES)
def test_orthogonalize_of_complex_data(name):
    # SciPy 1.17 ignores it there; each part must be transformed as real data would be.
    z = np.arange(6.0) + 1j * np.arange(6.0)[::-1] ** 2
    for flag in (True, False):
        f = lambda part: getattr(scipy.fft, name)(part, orthogonalize=flag)  # noqa: B023
        check(getattr(gs.fft, name)(gs.asarray(z), orthogonalize=flag), f(z.real) + 1j * f(z.imag))


@pytest.mark.parametrize("name", [n + "n" for n in NAMES])
def test_several_axes(name):
    x = np.random.default_rng(3).standard_normal((3, 4, 5, 2))
    for s, axes in [(None, None), (None, (2, 0)), ((6, 3), (-1, 1)), ((4, 7), None)]:
        for kind in (1, 2, 3, 4):
            check(getattr(gs.fft, name)(gs.asarray(x), kind, s, axes), getattr(scipy.fft, name)(x, kind, s, axes))


def test_views_and_empties():
    x = np.random.default_rng(4).standard_normal((8, 9))
    for view in (lambda a: a.T, lambda a: a[::-1, ::2], lambda a: a[1:, 3:]):
        check(gs.fft.dct(view(gs.asarray(x))), scipy.fft.dct(view(x)))
        check(gs.fft.idstn(view(gs.asarray(x)), 4), scipy.fft.idstn(view(x), 4))
    check(gs.fft.dct(gs.zeros((0, 4))), scipy.fft.dct(np.zeros((0, 4))))


def test_accuracy_of_long_lines():
    # Against the definition in long double at a few frequencies.
    n = 3001
    x = np.random.default_rng(5).standard_normal(n)
    m = np.arange(n, dtype=np.longdouble)
    pi = np.arccos(np.longdouble(-1))
    y = gs.fft.dct(gs.asarray(x)).numpy()
    z = gs.fft.dst(gs.asarray(x), 4).numpy()
    scale = np.sqrt((x**2).sum() * n)
    for k in (0, 1, 777, n - 1):
        assert abs(2 * (x * np.cos(pi * k * (2 * m + 1) / (2 * n))).sum() - y[k]) < 4e-16 * scale
        assert abs(2 * (x * np.sin(pi * (2 * k + 1) * (2 * m + 1) / (4 * n))).sum() - z[k]) < 4e-16 * scale


@pytest.mark.parametrize("n", [16, 17])
@pytest.mark.parametrize("bias", [0.0, 0.1, -0.1])
def test_hankel(n, bias):
    a = np.random.default_rng(6).standard_normal((2, n))
    dln, mu = 0.1, 0.3
    offset = scipy.fft.fhtoffset(dln, mu, initial=0.0, bias=bias)
    assert gs.fft.fhtoffset(dln, mu, 0.0, bias) == offset
    check(gs.fft.fht(gs.asarray(a), dln, mu, offset, bias), scipy.fft.fht(a, dln, mu, offset, bias), 64)
    check(gs.fft.ifht(gs.asarray(a), dln, mu, offset, bias), scipy.fft.ifht(a, dln, mu, offset, bias), 64)


def test_hankel_at_a_pole():
    a = np.random.default_rng(7).standard_normal(64)
    for mu, bias in [(0.0, 1.0), (2.0, -1.0)]:
        check(gs.fft.fht(gs.asarray(a), 0.1, mu, 0.0, bias), scipy.fft.fht(a, 0.1, mu, 0.0, bias), 512)
    with pytest.warns(Warning, match="singular"):
        gs.fft.fht(gs.asarray(a), 0.1, -2.5, 0.0, 1.5)
    with pytest.warns(Warning, match="singular"):
        gs.fft.ifht(gs.asarray(a), 0.1, 0.5, 0.0, 1.5)


def test_frequencies_and_shifts():
    for n in (1, 2, 7, 8):
        np.testing.assert_array_equal(gs.fft.fftfreq(n, 0.3), scipy.fft.fftfreq(n, 0.3))
        np.testing.assert_array_equal(gs.fft.rfftfreq(n), scipy.fft.rfftfreq(n))
        x = np.arange(3 * n).reshape(3, n)
        for axes in (None, 0, (1,), (0, -1)):
            for name in ("fftshift", "ifftshift"):
                ours = getattr(gs.fft, name)(gs.asarray(x), axes).numpy()
                np.testing.assert_array_equal(ours, getattr(scipy.fft, name)(x, axes))
    assert isinstance(gs.fft.fftfreq(4, device="host"), gs.ndarray)
    assert gs.fft.fftfreq(4, device="host").device is HOST
    with pytest.raises(ValueError, match="integer"):
        gs.fft.fftfreq(2.5)
    for module in (scipy.fft, gs.fft):
        with pytest.raises(ValueError):
            module.fftfreq(-3)
        assert module.rfftfreq(-3).size == 0
        with np.errstate(divide="ignore", invalid="ignore"):
            assert np.isinf(module.fftfreq(np.int64(3), 0)[1:]).all()        # NumPy's arithmetic
        with pytest.raises(ZeroDivisionError):
            module.rfftfreq(3, 0)


def test_fast_lengths():
    for target in (1, 7, 13, 97, 1021, 65537):
        for real in (False, True):
            assert gs.fft.next_fast_len(target, real) == scipy.fft.next_fast_len(target, real)
            assert gs.fft.prev_fast_len(target, real) == scipy.fft.prev_fast_len(target, real)
    with pytest.raises(ValueError):
        gs.fft.next_fast_len(-1)
    with pytest.raises(TypeError):
        gs.fft.next_fast_len(1.5)
