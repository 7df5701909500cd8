"""Where NumPy's operators, assignments and memory orders have rules of their own: the same here, on every way."""

import numpy as np
import pytest
from as_numpy import Call, attempt, check, same
from ways import WAYS, put, use

import gpusci as gs

BOOLS = np.array([True, False, True, True])
BYTES = np.array([1, 200, 3], np.uint8)
C = np.arange(24.0).reshape(2, 3, 4)
F = np.asfortranarray(C)
TURNED = C.transpose(2, 0, 1)
SPREAD = np.broadcast_to(np.arange(3.0), (2, 4, 3))
ONES = np.ones((2, 2))
NO_ROWS, NO_MASK = np.zeros((0, 2), bool), np.zeros(0, bool)


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


def finished(result):
    """The result once the device is done: errors that a kernel found are raised then."""
    gs.current_device().synchronize()
    return result


def as_numpy(function, *arrays, tol=0):
    """function(*arrays) gives the same on gpusci's arrays as on NumPy's, or raises an exception of the same type."""
    expected, error = attempt(lambda: function(*map(np.array, arrays)))
    result, raised = attempt(lambda: finished(function(*map(gs.array, arrays))))
    if error is None:
        assert raised is None, raised
        same(result, expected, tol)
    else:
        kind = next(c for c in type(error).__mro__ if c.__module__ in ("builtins", "numpy.exceptions"))
        assert isinstance(raised, kind), (error, raised)


CALLS = [
    *(Call("round", BOOLS, n) for n in (0, 1, -1)), Call("round", BOOLS, 1, np.zeros(4)),
    *(Call("arange", *ends, dtype=dtype) for ends, dtype in (
        ((-1, 2), "u1"), ((298, 301), "u1"), ((-1.5, 2), "u1"), ((0, 1000, 300), "i1"), ((5, -1, -1), "u1"), ((250, 261, 5), "u1"),
        ((-2, 0), "u8"), ((126, 130), "i1"))),
    *(Call("bincount", x) for x in (np.zeros(0), np.zeros(0, "u8"), np.zeros(1), [], BOOLS)),
    *(Call("unwrap", x, period=p) for x in (BOOLS, BYTES, BYTES.astype(float)) for p in (4, 255, 6.0)), Call("unwrap", C, axis=1),
    *(Call("pad", x, n, mode, reflect_type="odd") for x in (BOOLS, ~BOOLS, BOOLS[:2], BOOLS[:1], BOOLS.reshape(2, 2))
      for n in (2, 9, (0, 5), (11, 1)) for mode in ("reflect", "symmetric")),
    *(Call("interp", np.array([0.5, 4.5, -7.25]), x, np.array([1j, 2, 3 + 1j]), period=p, tol=1e-15)
      for x in (np.array([0, 1.0, 2]), np.array([2.0, 0, 1])) for p in (3.0, -3.5)),
    *(Call("where", BOOLS[:2], x, y) for x, y in (
        (BYTES[:2], 300), (300, BYTES[:2]), (BYTES[:2], -1), (BYTES[:2], 1.5), (np.arange(2, dtype="i4"), 2**40),
        (np.arange(2), 2**63), (np.arange(2, dtype="i1"), 2**70), (np.zeros(2, "f4"), 1e300), (1, 2), (BYTES[:2], np.int64(300)))),
    Call("select", [BOOLS[:2]], [BYTES[:2]], 300),
    *(Call("select", [BOOLS[:2]], [3], x) for x in (BYTES[:2], np.arange(2, dtype="i1"), np.zeros(2, "f4"))),
    *(Call("matmul", ONES, ONES, out=np.zeros(s)) for s in ((3, 2, 2), (2, 2), (3, 2), (2, 3, 2, 2), (3, 2, 3))),
    Call("matmul", np.ones((1, 2, 2)), ONES, out=np.zeros((3, 2, 2))), Call("matmul", np.ones((2, 2, 2)), ONES, out=np.zeros((3, 2, 2))),
    Call("matmul", np.ones(2), np.ones(2), out=np.zeros(3)), Call("matmul", np.ones(2), np.ones(2), out=np.zeros(())),
    Call("matmul", np.ones((2, 2), int), np.ones((2, 2), int), out=np.zeros((3, 2, 2))),
    Call("matvec", ONES, np.ones(2), out=np.zeros((3, 2))),
    Call("vecmat", np.ones(2), ONES, out=np.zeros((3, 2))), Call("vecdot", ONES, ONES, out=np.zeros((3, 2))),
    Call("matmul", ONES, ONES, out=np.zeros((2, 2), int)),
    *(Call("einsum", "ii->i", np.ones(s)) for s in ((1, 3), (3, 1), (3, 0), (2, 3), (3, 3), (0, 0))), Call("einsum", "ii", np.ones((1, 3))),
    Call("einsum", "iii->i", np.ones((1, 3, 1))), Call("einsum", "ij,jk", np.ones((2, 1)), np.ones((0, 2))),
    Call("einsum", "ij,jk", np.ones((2, 1)), np.ones((3, 2))),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_calls(call, way):
    check(call)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("a", [BOOLS, BYTES, np.array([2, -3]), np.array([-0.0, -np.inf, 4, 0.5]), np.array([0.3, 7], "f4"),
                               np.array([1 + 2j, -1])], ids=lambda a: a.dtype.char)  # fmt: skip
@pytest.mark.parametrize("b", [0, 1, 2, 3, -1, 0.5, True, np.int8(2), np.int64(2)], ids=repr)
def test_power_by_a_number(way, a, b):
    as_numpy(lambda x: x**b, a, tol=2e-7 if a.dtype.char == "f" else 2e-15 if a.dtype.kind in "fc" or b == 0.5 else 0)

    def in_place(x):
        x **= b
        return x

    as_numpy(in_place, a, tol=2e-7 if a.dtype.char == "f" else 2e-15 if a.dtype.kind in "fc" else 0)


def test_power_takes_no_modulus(way):
    with pytest.raises(TypeError):
        pow(gs.arange(3), 2, 3)
    with pytest.raises(TypeError):
        pow(2, gs.arange(3), 3)


@pytest.mark.parametrize("convert", [int, float, complex])
def test_only_arrays_without_dimensions_are_numbers(way, convert):
    assert convert(gs.asarray(1.5)) == convert(1.5)
    for shape in ((1,), (1, 1), (0,), (2,)):
        with pytest.raises(TypeError):
            convert(gs.ones(shape))


KEYS = [(0, 0, 0), (0, 0, 0, ...), (0, 0, 0, None), (0, 0), (0, 0, slice(0, 1)), ..., [0, 1], (0, [0, 1], 1)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", [7, 2.5, 1j, None, "2", [7], [7, 8], [[7]], [], np.array(7.0), np.array([7.0]), np.float32(3)], ids=repr)
@pytest.mark.parametrize("key", KEYS, ids=str)
def test_assignment(way, key, value):
    def assign(x):
        x[key] = value
        return x

    as_numpy(assign, np.zeros((2, 3, 4)))
    as_numpy(assign, np.zeros((2, 3, 2), np.uint8))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", [7, 2.5, 1j, None, "2", "a", [1], [[1]], [], np.array(2.0), np.array([2.0]), np.nan, 300], ids=repr)
def test_fill(way, value):
    def fill(x):
        x.fill(value)
        return x

    as_numpy(fill, np.zeros((2, 2)))
    as_numpy(fill, np.zeros((2, 2), np.uint8))


def test_fill_and_elements_take_arrays_without_dimensions_only(way):
    x = gs.zeros(2)
    x.fill(gs.asarray(2.0))
    x[0] = gs.asarray(3.0)
    same(x, np.array([3.0, 2.0]))
    for refused in (lambda: x.fill(gs.ones(1)), lambda: x.__setitem__(0, gs.ones(1))):
        with pytest.raises(ValueError):
            refused()
    x[:1] = gs.ones((1, 1))                             # an array's surplus dimensions of length 1 are dropped
    same(x, np.array([1.0, 2.0]))


def test_lists_of_numbers_out_of_range_are_not_assigned(way):
    x = gs.zeros(2, np.uint8)
    for key in (..., [0, 1]):
        with pytest.raises(OverflowError):
            x[key] = [300, 1]


MASKS = [NO_MASK, NO_ROWS, NO_ROWS.T, *(np.zeros(shape, bool) for shape in ((0, 0), (0, 3), 1)), (slice(None), NO_MASK), (NO_MASK, 0)]


@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_empty_masks_fit_any_length(way, mask):
    def pick(x):
        return x[mask]

    def assign(x):
        x[mask] = 5
        return x

    as_numpy(pick, ONES)
    as_numpy(assign, ONES)


def test_dtype_is_assigned(way):
    for new in (np.int64, np.float32, "u1", np.complex64, np.complex128):
        def change(x, new=new):
            x.dtype = new
            return x

        as_numpy(change, np.arange(3.0))
    a = np.arange(3.0)
    x = gs.asarray(a)
    x.dtype = np.int64
    assert a.dtype == float                             # the header changes, not the array that lends the memory
    with pytest.raises(TypeError):
        x.dtype = object


def test_views_that_kernels_cannot_address_are_refused(way):
    x = gs.zeros((3, 5), np.float32)[:, :4]
    same(x.view(np.int32), np.zeros((3, 4), np.int32))
    with pytest.raises(ValueError, match="copy"):
        x.view(np.float64)                              # rows of 2.5 elements
    with pytest.raises(ValueError, match="copy"):
        x.dtype = np.float64
    same(x.copy().view(np.float64), np.zeros((3, 2)))


VIEWS = [
    *(Call("moveaxis", C, *axes) for axes in ((0, 2), (-1, 0), (1, 1), (3, 0), (0, -4), ([0, 1], [2, 0]), (True, 0), (np.int8(1), 0))),
    *(Call("expand_dims", C, axis) for axis in (0, 3, -1, -4, 4, -5, (0, 2))), Call("expand_dims", np.array(2.0), 0),
    *(Call("flip", x, axis) for x in (C, F) for axis in (0, -1, 3, None, (0, 2))), Call("flip", np.array(2.0), 0),
    *(Call("broadcast_to", x, shape) for x in (C, F[:1, ::-1], np.array(2.0), np.zeros((0, 1)), SPREAD) for shape in (
        (2, 3, 4), (5, 2, 3, 4), (2, 4, 3), (0, 3), (2, 3), (), 3, [2, 2, 3, 4], (-1, 3, 4), (1.5, 3, 4), ("a",), (1, 0, 7),
        (2**40, 2**40, 3, 4))),
]  # fmt: skip


@pytest.mark.parametrize("call", VIEWS, ids=str)
def test_views(call, way):
    check(call)


def test_broadcast_views_cannot_be_written(way):
    x = gs.arange(3.0)
    y = gs.broadcast_to(x, (2, 3))
    assert not y.flags.writeable and y.strides == (0, 8) and y.ptr == x.ptr
    with pytest.raises(ValueError):
        y[0, 0] = 1


ORDERED = {
    "sort": lambda n, x: n.sort(x, 0), "sort by last": lambda n, x: n.sort(x), "partition": lambda n, x: n.partition(x, 1, 0),
    "gradient": lambda n, x: n.gradient(x, axis=1), "roll": lambda n, x: n.roll(x, 1, 1), "nan_to_num": lambda n, x: n.nan_to_num(x),
    "cumsum": lambda n, x: n.cumsum(x, 0), "cumprod": lambda n, x: n.cumprod(x, -1), "pad": lambda n, x: n.pad(x, 1),
    "accumulate": lambda n, x: n.add.accumulate(x, 0),
    "x[i]": lambda n, x: x[[1, 0]], "x[:, i]": lambda n, x: x[:, [1, 0]], "x[..., i]": lambda n, x: x[..., [0, 1]],
    "x[:, i, j]": lambda n, x: x[:, [0, 1], [1, 0]], "x[i, :, j]": lambda n, x: x[[0, 1], :, [1, 0]],
    "x[ij]": lambda n, x: x[[[0, 1], [1, 0]]], "x[:, ij]": lambda n, x: x[:, [[0, 1], [1, 0]]], "x[i, j]": lambda n, x: x[[0, 1], [1, 0]],
    "x[:, m]": lambda n, x: x[:, n.asarray([True, False] + [True] * (x.shape[1] - 2))],
    "x[array]": lambda n, x: x[n.asarray([1, 0, 1])],
    "x[:, 1:, i]": lambda n, x: x[:, 1:, [0, 1, 1]], "x[None, :, i]": lambda n, x: x[None, :, [0, 1]],
}  # fmt: skip


@pytest.mark.parametrize("a", [F, TURNED, SPREAD, F[:, ::-1]], ids=["fortran", "turned", "broadcast", "reversed"])
@pytest.mark.parametrize("name", ORDERED)
def test_memory_order(way, name, a):
    """Results lie in memory as NumPy's: neighbours of the argument are neighbours of the result."""
    expected, result = ORDERED[name](np, a), ORDERED[name](gs, put(a))
    same(result, expected)
    long = [d for d, n in enumerate(expected.shape) if n > 1]
    assert [result.strides[d] for d in long] == [expected.strides[d] for d in long]


def test_methods_are_the_functions(way):
    x, plain = put(C), C
    out = gs.zeros((3, 4))
    assert x.sum(0, out=out) is out and x.max(axis=0, out=out) is out
    same(out, plain.max(0))
    same(x.sum(axis=(0, 2), keepdims=True), plain.sum(axis=(0, 2), keepdims=True))
    same(x.sum(where=x > 3), plain.sum(where=plain > 3))
    same(x.sum(dtype=np.float32), plain.sum(dtype=np.float32))
    same(x.take(gs.asarray([1, 0]), 1), plain.take([1, 0], 1))
    same(x.take(gs.asarray([1, 0]), 1, mode="clip"), plain.take([1, 0], 1, mode="clip"))
    same(x[0, 0].searchsorted(gs.asarray([1.5, 0])), plain[0, 0].searchsorted([1.5, 0]))
    same(x.argsort(1), plain.argsort(1))
    same(x.std(0, ddof=1), plain.std(0, ddof=1), 1e-15)
    same(gs.zeros((0, 3)).sum(0), np.zeros(3))
    with pytest.raises(IndexError):
        gs.zeros(0).take([0])
        gs.synchronize()
    for wrong in (lambda: x.sum(axis=5), lambda: x.argmax(axis=7)):
        with pytest.raises(np.exceptions.AxisError):
            wrong()


def test_known_differences():
    """The rows of `_spec.DIFFERENCES` that are not seen elsewhere."""
    with use("kernels"):
        z = np.array([1, 0, 2 + 2j, 1, 0, 2 + 2j, 1 + 3j, 1j, 2 + 2j, 1 + 1j, 2, 3j])
        counts, edges = gs.histogram(gs.asarray(z), 3)
        same(counts, np.histogram(np.searchsorted(edges.numpy()[1:-1], z, side="right"), np.arange(4))[0])
        for shape in ((0, 3), (3, 0)):
            with pytest.raises(ValueError, match="index 'i'"):
                gs.einsum("ii->i", gs.ones(shape))
        same(gs.concatenate([gs.asarray(C).transpose(2, 0, 1)] * 2), np.concatenate([TURNED] * 2))
        assert gs.concatenate([gs.asarray(C).transpose(2, 0, 1)] * 2).flags.c_contiguous
        assert gs.argmax(gs.asarray(F), 1).flags.f_contiguous
        assert gs.random.get_state()["bit_generator"] == "Philox4x32"
