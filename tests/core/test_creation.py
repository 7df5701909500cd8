"""Arrays from objects, values, sequences and grids, against NumPy, on every way they run."""

import enum
import warnings

import numpy as np
import pytest
from as_numpy import Call, check, same
from ways import WAYS, use

import gpusci as gs

A = np.arange(24.0).reshape(2, 3, 4)
B = np.arange(6, dtype="i").reshape(2, 3)
V = np.array([3, 1, 2], np.int8)


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


SPACING = [{}, {"endpoint": False}, {"num": 1}, {"num": 0}, {"retstep": True}, {"dtype": "f"}, {"dtype": int}]
CALLS = [
    Call("arange", 5), Call("arange", 2.5, 10, 0.3), Call("arange", 10, 0, -3), Call("arange", 0, 1, 0.1, dtype="f"),
    Call("arange", 2, dtype=bool), Call("arange", 5, dtype=bool), Call("arange", 0, 300, dtype=np.uint8), Call("arange", 0),
    Call("arange", 2**63 - 5, 2**63 - 1), Call("arange", 1, 1000, 1.5, dtype="e"), Call("arange", 0, 5, 1j),
    Call("arange", np.float32(0), np.float32(5000), np.float32(0.7)), Call("arange", 1, 5, 0), Call("arange", 5, 1),
    *(Call("linspace", 1, 7.3, **kw) for kw in SPACING), *(Call("linspace", -3, -3, **kw) for kw in SPACING),
    *(Call("linspace", np.array([0.0, 1]), np.array([5, -9.0]), axis=-1, **kw) for kw in SPACING),
    *(Call("linspace", np.float32(2), np.float32(9), **kw) for kw in SPACING), Call("linspace", 0, 5, -1),
    Call("linspace", 1j, 5, 7),
    # Our log10 and power round otherwise than the C library's: a few ulp.
    Call("logspace", 0, 3, 7, tol=1e-14), Call("logspace", 0, 3, 7, base=np.array([2.0, 3.0]), axis=-1, tol=1e-14),
    Call("geomspace", 1, 1000, 4, tol=1e-14), Call("geomspace", -1000, -1, 7, tol=1e-14), Call("geomspace", 1, 0),
    Call("geomspace", 1j, 1000j, 4, tol=1e-14), Call("geomspace", np.array([1.0, 2]), np.array([100.0, 3]), 5, tol=1e-14),
    Call("eye", 3), Call("eye", 3, 5, k=1), Call("eye", 3, 5, k=-2, dtype="F"), Call("eye", 3, k=7), Call("identity", 4),
    *(Call(name, *args, k) for k in (-2, 0, 1) for name, *args in
      (("tri", 3, 5), ("tril", A), ("triu", A), ("diag", V), ("diag", B), ("diagflat", B))),
    Call("diag", A), Call("vander", V), Call("vander", np.array([0.1, 2]), 4, increasing=True), Call("vander", B),
    Call("meshgrid", V, np.arange(2)), Call("meshgrid", V, np.arange(2.0), np.arange(2), indexing="ij", sparse=True),
    Call("meshgrid", V, V, indexing="no"), Call("indices", (2, 3)), Call("indices", (2, 3), sparse=True),
    Call("zeros", (2, 3)), Call("zeros", 3, dtype="i"), Call("zeros", (2, 3), order="F"), Call("zeros", -1),
    Call("ones", ()),
    Call("ones", (2, 0), dtype="F"), Call("full", (2, 3), 7), Call("full", (2, 3), V, dtype="f"), Call("full", 2, V),
    Call("full_like", A, 2), Call("zeros_like", A.T), Call("ones_like", B, dtype="f"), Call("zeros_like", A, shape=(2,)),
    Call("zeros_like", B, order="X"), Call("array", [[1, 2], [3, 4]]), Call("array", [1, 2.5], ndmin=3),
    Call("array", A, dtype="f"),
    Call("array", [np.array([1, 2]), np.array([3, 4.5])]), Call("array", [[1], [2, 3]]), Call("array", A, order="X"),
    Call("asarray", A.astype(">f8")), Call("asarray", 3), Call("asarray", A[::-1, :, ::2]),
    Call("asarray", A, copy=False, dtype="f"),
    Call("ascontiguousarray", A.T), Call("asfortranarray", A), Call("ascontiguousarray", 1.5), Call("copy", A.T),
    Call("fromiter", [1, 2, 3], dtype=float), Call("frombuffer", b"abcd", dtype=np.uint8),
    Call("frombuffer", b"abc", dtype="i"),
    Call("require", A, "f", ["F"]), Call("require", A, None, ["C", "F"]), Call("asarray_chkfinite", np.array([1, np.nan])),
    Call("asarray_chkfinite", A), *(Call(name, 7) for name in ("bartlett", "blackman", "hamming", "hanning")),
    Call("kaiser", 7, 8.6),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_as_numpy(way, call):
    check(call)


@pytest.mark.parametrize("bad", [["a", "b"], np.array(["2020"], "M8[Y]"), np.array([None]), np.zeros(2, "f4,i4")])
def test_dtypes_without_a_device_type_are_refused(way, bad):
    with pytest.raises(TypeError, match="not supported"):
        gs.asarray(bad)


def test_longdouble_data_are_rounded_only_when_asked(way):
    for char, narrow in (("g", float), ("G", complex)):
        with pytest.raises(TypeError, match=f"rounds it to {np.dtype(narrow).name}"):
            gs.asarray(np.arange(3, dtype=char))
        assert gs.asarray(np.arange(3, dtype=char), narrow).dtype == narrow
    assert gs.zeros(2, np.longdouble).dtype == np.float64


def test_memory_is_shared_or_copied_as_asked():
    host = np.arange(6.0)
    with gs.device("host"):
        shared, copied = gs.asarray(host), gs.array(host)
    host[0] = 9
    assert shared.numpy()[0] == 9 and copied.numpy()[0] == 0
    x = gs.asarray(host)
    assert gs.asarray(x) is x and gs.asarray(x, dtype=float) is x and gs.array(x) is not x


def test_nested_lists_of_arrays(way):
    x = gs.arange(3.0)
    same(gs.asarray([[x, x + 1], [x, [0, 1, 2]]]), np.array([[[0, 1, 2], [1, 2, 3]], [[0, 1, 2], [0, 1, 2]]], float))
    same(gs.array([x[0], 5, x[2]]), np.array([0.0, 5, 2]))


def test_prototype_order_is_kept(way):
    swapped = np.zeros((2, 3, 4)).swapaxes(0, 1)
    for a in (np.zeros((2, 3, 4)).transpose(1, 2, 0), np.zeros((3, 4), order="F"), np.zeros((2, 6))[:, ::2], swapped):
        x = gs.asarray(a)
        for made, wanted in (
            (gs.empty_like(x), np.empty_like(a)),
            (gs.zeros_like(x, order="C"), np.zeros_like(a, order="C")),
        ):
            assert made.strides == wanted.strides and made.shape == wanted.shape


def test_grids(way):
    same(gs.mgrid[0:3, 1:5:2], np.mgrid[0:3, 1:5:2])
    same(gs.mgrid[-1:1:5j], np.mgrid[-1:1:5j])
    same(gs.ogrid[0:3, 0:2], np.ogrid[0:3, 0:2])
    same(gs.fromfunction(lambda i, j: i * 2 + j, (2, 3), dtype=int), np.fromfunction(lambda i, j: i * 2 + j, (2, 3), dtype=int))
    a, b = np.array([1, 2, 3]), np.arange(4.0).reshape(2, 2)
    x, y = gs.asarray(a), gs.asarray(b)
    same(gs.r_[x, 0, 0, x], np.r_[a, 0, 0, a])
    same(gs.r_[-1:1:6j, x, 5.5], np.r_[-1:1:6j, a, 5.5])
    same(gs.r_["-1", y, y], np.r_["-1", b, b])
    same(gs.r_["0,2", x, x], np.r_["0,2", a, a])
    same(gs.r_["1,2,0", x, x], np.r_["1,2,0", a, a])
    same(gs.r_["0,2,0", x, x], np.r_["0,2,0", a, a])
    same(gs.c_[x, x], np.c_[a, a])
    same(gs.c_[y, [[9], [8]]], np.c_[b, [[9], [8]]])
    assert gs.s_[1:2, ...] == np.s_[1:2, ...]


def test_device_argument():
    for name in ("zeros", "ones", "empty"):
        assert getattr(gs, name)(2, device="host").device.name == "host"
    for made in (gs.arange(3, device="host"), gs.linspace(0, 1, 3, device="host"), gs.eye(2, device="host"),
                 gs.full(2, 1, device="host"), gs.asarray([1], device="host"), gs.tri(2, device="host")):  # fmt: skip
        assert made.device.name == "host"
    with pytest.raises(ValueError, match="unknown device"):
        gs.zeros(2, device="tpu")


def test_files(way, tmp_path):
    x = gs.arange(6.0).reshape(2, 3)
    gs.save(tmp_path / "x.npy", x)
    same(gs.load(tmp_path / "x.npy"), x.numpy())
    gs.savez(tmp_path / "x.npz", x, y=x[0])
    with gs.load(tmp_path / "x.npz") as archive:
        assert sorted(archive.files) == ["arr_0", "y"]
        same(archive["y"], x[0].numpy())
    gs.savetxt(tmp_path / "x.txt", x, fmt="%g")
    same(gs.loadtxt(tmp_path / "x.txt"), x.numpy())
    same(gs.genfromtxt(tmp_path / "x.txt"), x.numpy())
    assert gs.array_str(x[0]) == "[0. 1. 2.]" and gs.array_repr(x[0]) == "array([0., 1., 2.])"


@pytest.mark.parametrize("char", "?bHqefdFD")
def test_numbers_that_are_equal_fill_as_they_are(way, char):
    """What is kept between calls tells 0, False, 0.0 and -0.0 apart, and the types they are written to."""
    for value in (0, False, 0.0, -0.0, 1, True, 1.0, 2.5, 2):
        assert gs.asnumpy(gs.full((2, 3), value, char)).tobytes() == np.full((2, 3), value, char).tobytes()
        a, x = np.ones((5, 4), char), gs.ones((5, 4), char)
        a[::-2, 1:] = x[::-2, 1:] = value
        assert gs.asnumpy(x).tobytes() == a.tobytes()


def test_numbers_of_derived_classes(way):
    class Real(float): ...

    class Complex(complex): ...

    for value in (enum.IntEnum("Three", {"three": 3}).three, Real(1.5), Complex(2 + 1j)):
        for char in "?BqfD":
            if char == "D" or type(value) is not Complex:
                x = gs.zeros(3, char)
                x[...] = value
                same(x, np.full(3, value, char))
                gs.copyto(x, value, casting="unsafe")
                same(x, np.full(3, value, char))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
                same(gs.full(3, value, char), np.full(3, value, char))
        same(gs.full(3, value), np.full(3, value))
    with pytest.raises(TypeError):
        gs.copyto(gs.zeros(3, "f"), Complex(1))


def test_dtypes_and_shapes_that_are_none(way):
    for dtype in ({"names": ["a"], "formats": ["f4"]}, [("a", "f4")], "U1", object):
        with pytest.raises(TypeError, match="is not supported"):
            gs.zeros(3, dtype)
    for shape in ([2, [3]], "3", (2.0,)):
        with pytest.raises(TypeError):
            gs.zeros(shape)


def test_numbers_that_do_not_fit_are_refused(way):
    for size in (3, 0):
        with pytest.raises(TypeError):
            gs.copyto(gs.zeros(size, "i"), 2.5)
        with pytest.raises(OverflowError):
            gs.copyto(gs.zeros(size, "B"), 300)
        with pytest.raises(TypeError):
            gs.copyto(gs.zeros(size, "f"), 1j)


@pytest.mark.parametrize("shape", [2**60, 2**62, 2**63, (2**40, 2**40), (2**31, 2**31, 2)])
def test_more_than_memory_can_hold(shape):
    for name in ("zeros", "ones", "empty"):
        with pytest.raises(ValueError, match="array is too big|Maximum allowed dimension"):
            getattr(gs, name)(shape)


@pytest.mark.parametrize("number", [np.uint8, np.int16, np.int64])
def test_shapes_of_numpys_integers(number):
    """Their products wrap, those of a shape must not."""
    n = number(200)
    x = gs.ones((n, n, n), "b")
    assert x.shape == (200, 200, 200) and x.nbytes == 8_000_000 and int(x.sum()) == 8_000_000
    for got, want in zip(gs.unravel_index(gs.arange(300, 310), (n, n)), np.unravel_index(np.arange(300, 310), (200, 200)), strict=True):
        np.testing.assert_array_equal(got.numpy(), want)
    assert int(gs.ravel_multi_index((gs.asarray([150]), gs.asarray([2])), (n, n))[0]) == 30002
