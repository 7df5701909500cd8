"""The short way to pocketfft on the host gives what scipy.fft gives: values, dtypes, errors, what happens to the input."""

import numpy as np
import pytest
import scipy.fft

import gpusci as gs
from gpusci.core.device import current_device
from gpusci.fft import _host

pytestmark = pytest.mark.skipif(not current_device().uses_numpy, reason="the device does not use NumPy")

REAL = np.random.default_rng(3).standard_normal((6, 8))
FOURIER = [name + end for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft") for end in ("", "2", "n")]
TRIGONOMETRIC = [name + end for name in ("dct", "idct", "dst", "idst") for end in ("", "n")]


def unaligned(x):
    raw = np.zeros(x.nbytes + 1, np.uint8)
    out = raw[1:].view(x.dtype).reshape(x.shape)
    out[...] = x
    return out


INPUTS = {
    "double": REAL, "float": REAL.astype("f"), "half": REAL.astype("e"), "int": (9 * REAL).astype(int), "bool": REAL > 0,
    "list": REAL.tolist(), "longdouble": REAL.astype("g"), "swapped": REAL.astype(">f8"), "unaligned": unaligned(REAL),
    "strided": REAL[::-2, 1::2], "fortran": np.asfortranarray(REAL), "matrix": np.asmatrix(REAL),
}  # fmt: skip


def same(ours, theirs):
    assert type(ours) is type(theirs) and ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("name", FOURIER + TRIGONOMETRIC)
def test_every_kind_of_input(name, kind):
    x, before = INPUTS[kind], np.array(INPUTS[kind])
    same(getattr(gs.fft, name)(x), getattr(scipy.fft, name)(x))
    np.testing.assert_array_equal(np.array(x), before)


@pytest.mark.parametrize("name", FOURIER + TRIGONOMETRIC)
def test_arguments(name):
    several = name[-1] in "2n"
    for dtype in "df" if name in TRIGONOMETRIC or name.strip("2n") in ("rfft", "ihfft") else "DF":
        x = REAL.astype(dtype)
        calls = [{"norm": norm} for norm in (None, "backward", "ortho", "forward")]
        if several:
            calls += [{"s": (4, 10)}, {"s": (7, -1)}, {"s": (9, 3), "axes": (1, 0)}, {"axes": (1,)}, {"axes": [-1, -2]}]
        else:
            calls += [{"axis": 0}, {"n": 3}, {"n": 13}, {"n": 12, "axis": -2, "norm": "ortho"}, {"workers": 2}]
        if name in TRIGONOMETRIC:
            calls += [{"type": t, "orthogonalize": o, "norm": n} for t in (1, 2, 3, 4) for o in (None, True, False)
                      for n in (None, "ortho", "forward")]  # fmt: skip
        for call in calls:
            same(getattr(gs.fft, name)(x, **call), getattr(scipy.fft, name)(x, **call))


BAD = [{"norm": "x"}, {"workers": 0}, {"n": 0}, {"n": 2.5}, {"axis": 2}, {"axis": "0"}, {"unknown": 1}, {"plan": 1}]
BAD_ND = [{"s": (1, 2, 3)}, {"s": 0}, {"axes": (0, 0)}, {"axes": 5}, {"s": (2,), "axes": (0, 1)}, {"norm": []}]


@pytest.mark.parametrize("name, call", [(n, c) for n in FOURIER + TRIGONOMETRIC for c in (BAD_ND if n[-1] in "2n" else BAD)])
def test_errors_have_scipys_type(name, call):
    kind = ValueError
    if call != {"n": 0} or name not in ("irfft", "hfft"):  # DIFFERENCES["no samples"]
        with pytest.raises(Exception) as theirs:
            getattr(scipy.fft, name)(REAL, **call)
        kind = theirs.type
    with pytest.raises(kind):
        getattr(gs.fft, name)(REAL, **call)


def test_real_transforms_of_complex_data():
    for name in ("rfft", "rfftn", "ihfft", "ihfft2"):
        with pytest.raises(TypeError):
            getattr(gs.fft, name)(REAL + 0j)
    same(gs.fft.dct(REAL + 1j), scipy.fft.dct(REAL + 1j))


def test_no_axes_and_no_samples():
    assert gs.fft.fftn(REAL, axes=()) is REAL
    assert gs.fft.dctn(REAL, axes=()) is REAL
    with pytest.raises(ValueError, match="at least 1 axis"):
        gs.fft.rfftn(REAL, axes=())
    same(gs.fft.fft(np.ones((0, 3))), scipy.fft.fft(np.ones((0, 3))))
    with pytest.raises(ValueError, match="invalid number of data points"):
        gs.fft.fft(np.ones((3, 0)))


def test_overwrite_is_in_place_where_scipys_is():
    x = REAL + 0j
    assert np.shares_memory(gs.fft.fftn(x, overwrite_x=True), x)
    y = REAL.copy()
    assert np.shares_memory(gs.fft.dct(y, overwrite_x=True), y)
    y.flags.writeable = False
    same(gs.fft.dct(y), scipy.fft.dct(y))


def test_without_the_known_pocketfft_scipys_functions_do_the_work(monkeypatch):
    monkeypatch.setattr(_host, "_pocketfft", lambda: None)
    for name in FOURIER + TRIGONOMETRIC:
        same(getattr(gs.fft, name)(REAL), getattr(scipy.fft, name)(REAL))
