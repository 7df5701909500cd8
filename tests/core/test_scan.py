"""Running totals and the methods of ufuncs against NumPy, on every way they run."""

import numpy as np
import pytest
from ways import KERNELS, WAYS, put, use

import gpusci as gs
from gpusci.core.host import HOST
from gpusci.core.reduce import ufunc_at, ufunc_reduce, ufunc_reduceat
from gpusci.core.scan import ufunc_accumulate

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


def data(char, shape, seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(char)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -9, 10, shape).astype(dtype)
    a = rng.normal(size=shape)
    return (a + 1j * rng.normal(size=shape) if dtype.kind == "c" else a).astype(dtype)


def same(result, expected):
    expected = np.asarray(expected)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result.numpy(), expected)


def no_worse(result, expected, exact):
    """NumPy's dtype and shape, and an error no larger than NumPy's (or than two units in the last place)."""
    expected = np.asarray(expected)
    result = result.numpy()
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    if result.dtype.kind not in "fc":
        np.testing.assert_array_equal(result, expected)
        return
    ours, numpys = (float(np.max(np.abs(r - exact), initial=0)) for r in (result.astype(exact.dtype), expected))
    assert ours <= max(1.01 * numpys, 2 * np.finfo(result.dtype).eps * float(np.max(np.abs(exact), initial=0)))


def wide(a):
    kind = a.dtype.kind
    return a.astype(np.clongdouble if kind == "c" else np.longdouble if kind == "f" else a.dtype)


LAYOUTS = {
    "c": lambda a: a,
    "f": lambda a: np.asfortranarray(a),
    "reversed": lambda a: a[::-1, :, ::-1],
    "strided": lambda a: np.repeat(a, 2, axis=2)[:, :, ::2],
    "broadcast": lambda a: np.broadcast_to(a[:, :1, :], a.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [None, 0, 1, 2, -1], ids=str)
def test_layouts(way, layout, axis):
    a = LAYOUTS[layout](data("f", (4, 60, 37)))
    no_worse(gs.cumsum(put(a), axis=axis), np.cumsum(a, axis=axis), np.cumsum(wide(a), axis=axis))
    i = LAYOUTS[layout](data("i", (4, 60, 37)))
    same(gs.cumsum(put(i), axis=axis), np.cumsum(i, axis=axis))


@pytest.mark.parametrize("char", "?bhiqBHIQefdFD")
@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
def test_dtypes(way, name, char):
    a = data(char, (3, 200), seed=1)
    if a.dtype.kind in "fc" and name.startswith("nan"):
        a[:, ::7] = np.nan
    for axis in (0, 1):
        exact = getattr(np, name)(wide(a), axis=axis)
        no_worse(getattr(gs, name)(put(a), axis=axis), getattr(np, name)(a, axis=axis), exact)


def test_long_lines_keep_float32_accurate(way):
    if way == "numpy":
        pytest.skip("NumPy's own sum")
    a = (np.random.default_rng(2).random(300_000) * 100).astype("f")
    exact = np.cumsum(a.astype("d"))
    r = gs.cumsum(put(a)).numpy()
    # On a GPU a tile's sums are added in another order, with one rounding more.
    assert np.max(np.abs(r - exact) / np.spacing(exact.astype("f"))) <= (2 if way == "cuda" else 1.5)
    b = np.random.default_rng(2).normal(size=(20_000, 3)).astype("f")
    r = gs.cumsum(put(b), axis=0).numpy()
    exact = np.cumsum(b.astype("d"), axis=0)
    # On a GPU 16 elements are added in float32 before double takes over, 1250 times here.
    assert np.max(np.abs(r - exact)) <= np.spacing(np.float32(np.abs(exact).max())) * (4 if way == "cuda" else 2)


def test_nan_and_infinity_stay_behind(way):
    a = np.ones(20_000, "f")
    a[12_000] = np.inf
    a[15_000] = np.nan
    r = gs.cumsum(put(a)).numpy()
    np.testing.assert_array_equal(r, np.cumsum(a))


def test_dtype_and_out(way):
    a = data("f", (5, 40), seed=4)
    x = put(a)
    no_worse(gs.cumsum(x, axis=1, dtype="d"), np.cumsum(a, axis=1, dtype="d"), np.cumsum(wide(a), axis=1))
    out = gs.empty((5, 40), "d")
    assert gs.cumsum(x, axis=1, out=out) is out
    np.testing.assert_allclose(out.numpy(), np.cumsum(a.astype("d"), axis=1), rtol=1e-12, atol=1e-12)
    expected = np.cumsum(a.astype("d"), axis=0)
    assert gs.cumsum(x, axis=0, out=x) is x
    np.testing.assert_allclose(x.numpy(), expected, rtol=1e-6, atol=1e-6)
    x = put(data("f", (5, 40), seed=4))
    y = put(data("i", (100,)))
    expected = np.cumsum(y.numpy()[:-1].copy())
    gs.cumsum(y[:-1], out=y[1:])
    same(y[1:], expected.astype("i"))
    with pytest.raises(ValueError):
        gs.cumsum(x, axis=1, out=gs.empty((5, 41), "f"))
    with pytest.raises(np.exceptions.AxisError):
        gs.cumsum(x, axis=2)


def test_outputs_that_cannot_be_written(way):
    x = put(data("f", (1500,), seed=4))
    for function in (gs.cumsum, gs.nancumprod, gs.cumulative_sum, gs.add.accumulate, gs.maximum.accumulate, gs.subtract.accumulate):
        for char in "fd":
            out = gs.full((1500,), 7, char)
            out.setflags(write=False)
            with pytest.raises(ValueError, match="read-only"):
                function(x, out=out)
            np.testing.assert_array_equal(out.numpy(), np.full(1500, 7, char))
        with pytest.raises(ValueError, match="read-only"):
            function(x, out=gs.broadcast_to(gs.zeros(1, "f"), x.shape))
        with pytest.raises(TypeError, match=r"must be (an array|of ArrayType)"):
            function(x, out=[0.0] * 1500)
    out = gs.zeros(1501, "f")
    out.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        gs.cumulative_sum(x, include_initial=True, out=out)
    same(gs.cumsum(x[:5] > 0, dtype=">f8"), np.cumsum(x[:5].numpy() > 0, dtype="f8"))


@pytest.mark.skipif(not HOST.uses_numpy, reason="our kernels do the work of all sizes")
def test_large_arrays_write_to_numpys_arrays(monkeypatch):
    """On the host `out=` may be a NumPy array, whatever the size from which our kernels do the work."""
    monkeypatch.setattr("gpusci.core.reduction.LARGE", 100)
    with use("numpy"):
        x = put(data("d", (300,)))
        for name, shape in (("cumsum", (300,)), ("sum", ()), ("max", ()), ("std", ())):
            out = np.zeros(shape)
            getattr(gs, name)(x, out=out)
            np.testing.assert_allclose(out, getattr(np, name)(x.numpy()), rtol=1e-12)


def test_cumulative(way):
    a = data("i", (3, 8), seed=1)
    x = put(a)
    for f, g in ((gs.cumulative_sum, np.cumulative_sum), (gs.cumulative_prod, np.cumulative_prod)):
        same(f(x, axis=1), g(a, axis=1))
        same(f(x, axis=0, include_initial=True), g(a, axis=0, include_initial=True))
        same(f(x[0], include_initial=True), g(a[0], include_initial=True))
        with pytest.raises(ValueError):
            f(x)


def test_small_and_empty(way):
    for shape in ((0,), (0, 3), (3, 0), ()):
        a = np.zeros(shape, "f")
        same(gs.cumsum(put(a)), np.cumsum(a))
    same(gs.cumsum([1, 2, 3]), np.cumsum([1, 2, 3]))
    same(put(np.arange(6)).cumsum(), np.arange(6).cumsum())


BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod", "power", "maximum", "minimum", "fmax",
          "fmin", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm",
          "hypot", "logaddexp", "logaddexp2", "copysign", "heaviside", "left_shift", "less", "equal"]  # fmt: skip


def cases(name):
    for char in "?bBqQ" if "power" in name else "?bBqQfdD":
        try:
            getattr(np, name).resolve_dtypes((None, np.dtype(char), None), reduction=True)
        except TypeError:
            continue
        a = data(char, (6, 30), seed=7)
        if name in ("power", "floor_divide", "remainder", "fmod", "left_shift", "divide", "lcm"):
            a = (np.abs(a) % 3 + 1).astype(char)[:, :5] if char != "?" else a[:, :5]
        yield a


@pytest.mark.parametrize("way", KERNELS)
def test_float_power_folds_from_the_left(way):
    # NumPy 2.4's power.reduce and power.reduceat give a[0] ** a[-1] for float columns.
    a = np.array([[1.5], [1.2], [1.3], [2.0]])
    with use(way):
        np.testing.assert_allclose(gs.power.reduce(put(a), 0).numpy(), [((1.5**1.2) ** 1.3) ** 2], rtol=1e-15)
        r = gs.power.reduceat(put(a), [0, 1], 0).numpy()
        np.testing.assert_allclose(r, [[1.5], [(1.2**1.3) ** 2]], rtol=1e-15)


@pytest.mark.parametrize("name", BINARY)
def test_ufunc_reduce_and_accumulate(way, name):
    ufunc, reference = getattr(gs, name), getattr(np, name)
    for a in cases(name):
        for axis in (0, 1):
            pairs = [
                (ufunc_reduce(ufunc, put(a), axis), reference.reduce(a, axis)),
                (ufunc_accumulate(ufunc, put(a), axis), reference.accumulate(a, axis)),
                (ufunc_reduceat(ufunc, put(a), [0, 3, 1, 4], axis), reference.reduceat(a, [0, 3, 1, 4], axis)),
            ]
            for result, expected in pairs:
                assert result.dtype == expected.dtype, a.dtype
                assert result.shape == expected.shape
                if expected.dtype.kind in "fc":
                    rtol = {"e": 4e-3, "f": 5e-5}.get(expected.dtype.char, 1e-12)  # NumPy rounds every step to float16
                    np.testing.assert_allclose(result.numpy(), expected, rtol=rtol, atol=rtol)
                else:
                    np.testing.assert_array_equal(result.numpy(), expected)


def test_ufunc_reduce_arguments(way):
    a = data("f", (4, 6), seed=3)
    x, mask = put(a), a > 0
    same(gs.maximum.reduce(x, axis=None), np.maximum.reduce(a, axis=None))
    same(gs.maximum.reduce(x, axis=(0, 1), keepdims=True), np.maximum.reduce(a, axis=(0, 1), keepdims=True))
    same(gs.maximum.reduce(x, axis=1, where=put(mask), initial=-5), np.maximum.reduce(a, axis=1, where=mask, initial=-5))
    same(gs.hypot.reduce(put(np.zeros((0, 2)))), np.hypot.reduce(np.zeros((0, 2))))
    same(gs.bitwise_and.reduce(put(np.zeros((0, 2), "B"))), np.bitwise_and.reduce(np.zeros((0, 2), "B")))
    same(gs.subtract.reduce(x, axis=1, initial=3), np.subtract.reduce(a, axis=1, initial=3))
    out = gs.empty(4, "f")
    assert gs.subtract.reduce(x, axis=1, out=out) is out
    same(out, np.subtract.reduce(a, axis=1))
    with pytest.raises(ValueError):
        gs.subtract.reduce(x, axis=(0, 1))
    with pytest.raises(ValueError):
        gs.maximum.reduce(put(np.zeros((0, 2))))
    with pytest.raises(TypeError):
        gs.bitwise_and.reduce(x)
    with pytest.raises(ValueError):
        gs.exp.reduce(x)


def test_reduceat_out_of_bounds(way):
    x = put(np.arange(5.0))
    with pytest.raises(IndexError):
        gs.add.reduceat(x, [0, 5])
        gs.synchronize()
    with pytest.raises(IndexError):
        gs.add.reduceat(x, [-1])
        gs.synchronize()


def test_negative_integer_power(way):
    x = put(np.array([2, -1, 3]))
    with pytest.raises(ValueError):
        gs.power.accumulate(x)
        gs.synchronize()


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "divide", "floor_divide", "power", "logical_or"])
@pytest.mark.parametrize("char", "bqfdD")
def test_at_with_repeated_indices(way, name, char):
    ufunc, reference = getattr(gs, name), getattr(np, name)
    rng = np.random.default_rng(8)
    a = (np.abs(data(char, 12)) + 1).astype(char)
    index = rng.integers(-12, 12, 300)
    b = (rng.integers(1, 3, 300) * (1 if name != "power" else 0) + 1).astype(char)
    try:
        expected = a.copy()
        reference.at(expected, index, b)
    except TypeError:
        x = put(a.copy())
        with pytest.raises(TypeError):
            ufunc_at(ufunc, x, put(index), put(b))
        return
    x = put(a.copy())
    ufunc_at(ufunc, x, put(index), put(b))
    if char in "fdD":
        np.testing.assert_allclose(x.numpy(), expected, rtol=1e-5 if char == "f" else 1e-13)
    else:
        np.testing.assert_array_equal(x.numpy(), expected)


@pytest.mark.parametrize("way", KERNELS)
def test_at_keys(way):
    with use(way):
        a = np.arange(20.0).reshape(4, 5)
        x = put(a.copy())
        gs.add.at(x, ([0, 0, 3], [1, 1, -1]), 2.5)
        np.add.at(a, ([0, 0, 3], [1, 1, -1]), 2.5)
        gs.negative.at(x, (slice(None), [0, 0, 2]))
        np.negative.at(a, (slice(None), [0, 0, 2]))
        gs.multiply.at(x, put(a > 10), put(np.array(3.0)))
        np.multiply.at(a, a > 10, 3.0)
        gs.add.at(x.T, 1, put(np.arange(4.0)))
        np.add.at(a.T, 1, np.arange(4.0))
        same(x, a)
        with pytest.raises(TypeError):
            ufunc_at(gs.add, np.zeros(3), 0, 1)
