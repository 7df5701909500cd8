"""Indexing with arrays, and NumPy's functions of indices and conditions, against NumPy, on every way they run."""

import numpy as np
import pytest
from as_numpy import Call, attempt, check, same, to_device
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ways import KERNELS, WAYS, put, use

import gpusci as gs
from gpusci.core import gather

A = np.arange(24.0).reshape(2, 3, 4)
B = np.arange(6, dtype="i").reshape(2, 3)
V = np.array([3, 1, 2], np.int8)
I = np.array([[0, 2], [-1, 1]])
M = B > 2
X = np.arange(10.0)


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


# ---- keys drawn at random
SLICES = [slice(None), slice(None, None, -1), slice(1, None, 2), slice(0, 0), slice(-1, None)]
EXAMPLES = settings(
    max_examples=150, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


@st.composite
def arrays(draw):
    """An array of up to four dimensions with any layout; float64 or int16, so that few kernels are compiled."""
    shape = draw(st.lists(st.sampled_from([2, 3, 4, 5, 1, 0]), min_size=0, max_size=4))
    dtype = draw(st.sampled_from(["d", "d", "h"]))
    a = np.arange(int(np.prod(shape)) or 1)[: int(np.prod(shape))].astype(dtype).reshape(shape)
    a = a.T if draw(st.booleans()) else a
    return a[::-1] if a.ndim and draw(st.booleans()) else a


@st.composite
def keys(draw, shape):
    """A key of ints, slices, None, Ellipsis, integer arrays of shapes that broadcast (or not), masks and booleans."""
    common = draw(st.sampled_from([(), (3,), (2, 3), (1,), (0,)]))
    items, axis = [], 0
    while axis < len(shape) and len(items) < 8:
        n = shape[axis]
        kind = draw(st.sampled_from(["array", "slice", "array", "mask", "int", "new", "ellipsis", "truth", "end"]))
        if kind == "array":
            part = draw(st.sampled_from([common, common[1:], (1,) * len(common)]))
            low, high = (-n, n - 1) if n else (0, 0)
            size = int(np.prod(part)) if n else 0
            values = draw(st.lists(st.integers(low, high), min_size=size, max_size=size))
            index = np.array(values, draw(st.sampled_from(["q", "q", "b"]))).reshape(part if n else (0,))
            items.append(index.tolist() if draw(st.booleans()) else index)
        elif kind == "slice":
            items.append(draw(st.sampled_from(SLICES)))
        elif kind == "mask":
            rank = draw(st.sampled_from([1, 1, 2]))
            if axis + rank > len(shape):
                continue
            size = int(np.prod(shape[axis : axis + rank]))
            bits = draw(st.lists(st.booleans(), min_size=size, max_size=size))
            items.append(np.array(bits, bool).reshape(shape[axis : axis + rank]))
            axis += rank - 1
        elif kind == "int":
            items.append(draw(st.integers(-n - 1, n)))
        elif kind == "ellipsis" and not any(k is Ellipsis for k in items):
            items.append(Ellipsis)
            axis += draw(st.integers(0, len(shape) - axis)) - 1
        elif kind == "end":
            break
        else:
            items.append(None if kind == "new" else draw(st.booleans()))
            axis -= 1
        axis += 1
    return items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


@st.composite
def cases(draw):
    a = draw(arrays())
    key = draw(keys(a.shape))
    on_host = draw(st.booleans())
    expected, error = attempt(lambda: np.asarray(a[key]))
    shape = expected.shape if error is None else ()
    value_shape = draw(st.sampled_from([shape, shape[1:], (), (1, *shape), (*shape[-1:], 7)]))
    value = np.arange(100, 100 + int(np.prod(value_shape)), dtype=draw(st.sampled_from([a.dtype.char, "q"]))).reshape(value_shape)
    return a, key, value, on_host


def _get(a, key, on_host):
    x = put(a)
    result = x[key if on_host else to_device(key)]
    gs.synchronize()
    return result


def _set(a, key, value, on_host):
    x = put(a.copy())
    x[key if on_host else to_device(key)] = value if on_host else put(value)
    gs.synchronize()
    return x


def _assigned(a, key, value):
    b = a.copy()
    b[key] = value
    return b


@EXAMPLES
@given(case=cases())
def test_get_and_set_with_any_key(way, case):
    a, key, value, on_host = case
    expected, error = attempt(lambda: np.asarray(a[key]))
    if error is not None:
        with pytest.raises(type(error)):
            _get(a, key, on_host)
        return
    same(_get(a, key, on_host), expected, label=repr(key))
    if expected.ndim == 0:
        return                                          # one element: basic assignment, tested with ndarray
    expected, error = attempt(lambda: _assigned(a, key, value))
    if error is not None:
        with pytest.raises(type(error)):
            _set(a, key, value, on_host)
    else:
        same(_set(a, key, value, on_host), expected, label=repr(key))


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_every_dtype(way, dtype):
    a = np.arange(60).reshape(5, 12).astype(dtype)
    for key in (I, (slice(None), I), a.astype(bool), (I, I)):
        x = put(a)
        same(x[to_device(key)], a[key])
        b = a.copy()
        b[key], x[to_device(key)] = 1, 1
        same(x, b)
        b[key] = b[key][..., ::-1] if b[key].ndim else b[key]
        x[to_device(key)] = x[to_device(key)][..., ::-1]
        same(x, b)


@pytest.mark.parametrize("direct", [True, False], ids=["lattice", "hash"])
def test_last_of_repeated_indices_wins(way, direct, monkeypatch):
    if not direct:
        monkeypatch.setattr(gather, "DIRECT_RATIO", 0)
        monkeypatch.setattr(gather, "DIRECT_SIZE", 0)
    rng = np.random.default_rng(2)
    for shape, size in (((1000,), 20000), ((40, 7), 3000), ((100, 30, 5), 2000)):
        a = np.zeros(shape)
        index = tuple(rng.integers(-n, n, size) for n in shape[:2])
        value = rng.normal(size=(size, *shape[2:]))
        x = put(a)
        x[to_device(index)] = put(value)
        a[index] = value
        same(x, a)


def test_assignment_from_itself(way):
    a = np.arange(12.0)
    x = gs.asarray(a)
    x[gs.asarray([0, 1, 2, 3])] = x[8:12]
    a[[0, 1, 2, 3]] = a[8:12]
    x[gs.asarray([1, 2, 3])] = x[:3]
    a[[1, 2, 3]] = a[:3].copy()
    x[gs.asarray(np.arange(12) % 2 == 0)] = x[:6]
    a[np.arange(12) % 2 == 0] = a[:6].copy()
    same(x, a)
    i = np.array([3, 0, 4, 1, 2])                       # the index is what is written
    y = gs.array(i)
    y[y] = gs.arange(5)
    i[i.copy()] = np.arange(5)
    same(y, i)
    m = np.arange(9000) % 3 == 0
    z = gs.array(m)
    z[::-1][z] = gs.zeros(3000, bool)
    m[::-1][m.copy()] = False
    same(z, m)


BEYOND = [
    lambda: gs.arange(3)[gs.asarray([5])], lambda: gs.arange(3)[gs.asarray([-4])], lambda: gs.zeros((3, 0))[gs.asarray([4])],
    lambda: gs.arange(3)[[3]], lambda: gs.arange(3)[np.array([-4], "b")],
    lambda: gs.arange(3).__setitem__(gs.asarray([3]), 1),
    lambda: gs.zeros((3, 0)).__setitem__([3], 1), lambda: gs.take(gs.arange(3), gs.asarray([9])),
    lambda: gs.put(gs.arange(3), gs.asarray([9]), 1),
    lambda: gs.take_along_axis(gs.arange(3), gs.asarray([7]), 0), lambda: gs.choose(gs.asarray([2]), [1, 2]),
]  # fmt: skip


@pytest.mark.parametrize("use_index", BEYOND)
def test_out_of_range_raises_by_the_next_synchronisation(way, use_index):
    error = ValueError if "choose" in use_index.__code__.co_names else IndexError
    with pytest.raises(error):
        use_index()
        gs.synchronize()
    gs.synchronize()                                    # reported once


def test_message_names_the_operation():
    with use(KERNELS[0]), pytest.raises(IndexError, match="take: .*out of bounds"):
        gs.take(gs.arange(3), gs.asarray([9]))
        gs.synchronize()


def test_arrays_of_two_devices_are_refused():
    if len(KERNELS) < 2:
        pytest.skip("needs a GPU")
    x = gs.arange(3, device="cuda:0")
    with pytest.raises(ValueError, match="to_device"):
        x[gs.asarray([1], device="host")]


MODES = ["raise", "wrap", "clip", "bad"]
CALLS = [
    *(Call("take", A, I, axis=1, mode=m) for m in MODES), *(Call("take", A, [5, -7, 30], mode=m) for m in MODES),
    *(Call("take", A, np.array([100]), axis=0, mode=m) for m in MODES), Call("take", A, 1, axis=2), Call("take", A, I),
    Call("take", A, [1.5]), Call("take", A, np.array([1.5])), Call("take", A, [], axis=0),
    Call("take", np.zeros((0, 3)), [0], axis=0),
    Call("take", np.zeros((0, 3)), [], axis=0), Call("take", np.zeros((3, 0)), [5], axis=0),
    Call("take", A, np.array([True, False]), axis=0),
    Call("take", A, 0, axis=4), Call("take", A.T, I, axis=1), Call("take", B, np.array([0, 1], np.uint8), axis=0),
    Call("take_along_axis", B, np.argsort(-B, axis=1), axis=1), Call("take_along_axis", A, np.array([[[1]]]), axis=1),
    Call("take_along_axis", B, np.array([4, 5]), axis=None), Call("take_along_axis", B, I, axis=0),
    Call("take_along_axis", B, np.array([1, 2]), axis=0), Call("take_along_axis", B, np.array([[1.0, 2]]), axis=0),
    Call("choose", np.array([0, 1, 2, 0]), [np.arange(4), np.arange(4) * 10, np.arange(4) * 100]),
    Call("choose", np.array([[0], [1]]), [V, V * 2.0]),
    Call("choose", np.array([5, -1]), [1, 2], mode="wrap"), Call("choose", np.array([5, -1]), [1, 2], mode="clip"),
    Call("choose", np.array([5.0]), [1, 2]), Call("choose", np.array([True, False]), (10, 20)),
    Call("choose", np.array([0]), []),
    Call("where", M, B, -1), Call("where", M, B.astype("f"), 2.5), Call("where", M, 1, 0.0),
    Call("where", M, B.astype("B"), B.astype("b")),
    Call("where", M), Call("where", M, B), Call("where", B, A[:, :, 0], V), Call("where", np.array([True, False]), B),
    Call("where", True, 1j, B),
    Call("where", M, B.astype("e"), B.astype("h")), Call("where", B.astype("d"), np.float32(3), 1.0),
    Call("where", M, np.uint64(3), B.astype("q")),
    Call("select", [X < 3, X > 5], [X, X**2], 42), Call("select", [X < 3, X > 5], [X, X**2]),
    Call("select", [X < 3], [X, X]), Call("select", [], []),
    Call("select", [X], [X]), Call("select", [X < 3, X[:, None] > 5], [np.float32(1), X.astype("f")]),
    Call("select", [X < 3, X < 5], [1, 2], 0),
    Call("compress", [0, 1], B, axis=0), Call("compress", [True, False, True], B, axis=1),
    Call("compress", [1, 0, 1, 1], B), Call("compress", M, B),
    Call("compress", [0, 0, 0, 1], B, axis=1), Call("extract", M, B), Call("extract", B % 2, B), Call("ix_", [0, 1], [2, 1]),
    Call("ix_", [True, False], [1, 2]), Call("ix_", B), Call("diagonal", A), Call("diagonal", A, 1, 1, 2),
    Call("diagonal", V),
    Call("unravel_index", [22, 41, 37], (7, 6)), Call("unravel_index", [31, 41, 13], (7, 6), order="F"),
    Call("unravel_index", 1621, (6, 7, 8, 9)),
    Call("unravel_index", [100], (7, 6)), Call("unravel_index", [1.0], (2,)), Call("unravel_index", 5, 7),
    Call("unravel_index", [-1], (3,)),
    Call("unravel_index", np.array([[1, 2], [3, 4]], "b"), (2, 3)), Call("unravel_index", np.zeros(0, int), (3,)),
    Call("unravel_index", [1], (3,), "X"),
    *(Call("ravel_multi_index", np.array([[3, 6, 6], [4, 5, 1]]), *args, **kw) for args, kw in (
        (((7, 6),), {}), (((7, 6),), {"order": "F"}), (((4, 6),), {"mode": "clip"}), (((4, 4),), {"mode": ("clip", "wrap")}),
        (((4, 6),), {}), (((4, 6, 3),), {}))), Call("ravel_multi_index", (3, 1, 4, 1), (6, 7, 8, 9)), Call("diag_indices",
        3), Call("tril_indices", 3, 1),
    Call("triu_indices", 3, -1, 5), Call("tril_indices_from", B), Call("triu_indices_from", A),
    Call("diag_indices_from", np.eye(3)),
    Call("diag_indices_from", B),
]  # fmt: skip
PLACES = [
    ("put", B, [0, 4], [9, 8]), ("put", B, I, [9, 8, 7]), ("put", B, [1, 1, 1], [4, 5, 6]), ("put", B, [9], 1),
    ("put", B, [9, -8], [1, 2], "wrap"),
    ("put", B, [9, -8], [1, 2], "clip"), ("put", B.T, [1, 2], [50, 60]), ("put", B, [], []), ("put", B, [1], []),
    ("put", B, [0, 1], 7),
    ("put_along_axis", B, np.array([[1], [2]]), 99, 1),
    ("put_along_axis", B, np.array([[1, 1], [2, 0]]), np.array([[5, 6], [7, 8]]), 1),
    ("put_along_axis", B, np.array([4, 4]), np.array([1, 2]), None), ("place", B, M, [9, 8]), ("place", B, M, [9]),
    ("place", B, M, []),
    ("place", B, np.zeros((2, 3), bool), []), ("place", B, M, np.arange(10)), ("place", B, M[:1], [1]),
    ("place", B.T, M.T, [9, 8]),
    ("putmask", B, M, [9, 8]), ("putmask", B, M, -B), ("putmask", B, M, 5), ("putmask", B, M, []),
    ("putmask", B, M, np.arange(4)),
    ("putmask", B, M, 1.5), ("putmask", B, M[:1], 1), ("copyto", B, V), ("copyto", B, 1.5),
    ("copyto", B, np.zeros((3, 2), "i")),
    ("fill_diagonal", np.zeros((3, 3, 3)), 2), ("fill_diagonal", np.zeros((3, 3, 2)), 2), ("fill_diagonal", np.zeros(3), 2),
    ("fill_diagonal", np.zeros((12, 3)).T, 2), ("fill_diagonal", B, 2.7),
    *(("fill_diagonal", np.zeros(shape), *args) for args in
    ((5.0,), ([1, 2], True), (np.arange(10.0),)) for shape in ((3, 3), (7, 3), (4, 9))),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_as_numpy(way, call):
    check(call)


@pytest.mark.parametrize("call", [Call(*place, inplace=True) for place in PLACES], ids=str)
def test_in_place(way, call):
    check(call)


def test_copyto_where(way):
    check(Call("copyto", B, 5, where=np.array([True, False, True]), inplace=True))
    check(Call("copyto", B, A[0, 0, :3], casting="unsafe", inplace=True))


def test_read_only_arrays_are_not_written(way):
    x = gs.broadcast_to(gs.arange(3), (2, 3))
    for write in (lambda: gs.place(x, x > 1, 1), lambda: gs.putmask(x, x > 1, 1), lambda: x.__setitem__([0], 1), lambda: gs.copyto(x, 1)):
        with pytest.raises(ValueError, match="read-only"):
            write()


def test_take_out(way):
    x, index = gs.asarray(A), gs.asarray(I)
    out = gs.empty((2, 2, 2, 4))
    assert gs.take(x, index, 1, out, "clip") is out
    same(out, np.take(A, I, 1, mode="clip"))
    with pytest.raises(ValueError):
        gs.take(x, index, 1, gs.empty((2, 2)))
    same(gs.take(gs.asarray(5), [0, 0], axis=-1), np.take(np.array(5), [0, 0], axis=-1))
    with pytest.raises(np.exceptions.AxisError):
        gs.take(gs.asarray(5), [0], axis=1)


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
def test_take_from_an_empty_axis(way, mode):
    """NumPy 2.4 never ends for some of these with mode "wrap"."""
    for shape, axis in (((0, 0), 0), ((0, 0), -1), ((0, 3), 0), ((3, 0), 1), ((0, 0), None), ((0,), None), ((2, 0, 3, 0), 1)):
        for index in ([-1, 0], 0, [[5]], np.array([-7]), gs.asarray([0])):
            for x in (gs.zeros(shape), np.zeros(shape)):
                with pytest.raises(IndexError, match="cannot do a non-empty take from an empty axes"):
                    gs.take(x, index, axis, mode=mode)
        with pytest.raises(IndexError, match="cannot do a non-empty take"):
            gs.zeros(shape).take([-1, 0], axis, mode=mode)
        same(gs.take(gs.zeros(shape), [], axis, mode=mode), np.take(np.zeros(shape), [], axis, mode=mode))
    same(gs.take(gs.zeros((0, 3)), [-1, 4], 1, mode="clip"), np.take(np.zeros((0, 3)), [-1, 4], 1, mode="clip"))
    with pytest.raises(np.exceptions.AxisError):
        gs.take(gs.zeros((0, 3)), [0], 2, mode=mode)


def test_piecewise(way):
    x = gs.asarray(X)
    functions = [lambda t: -t, 5, lambda t: t * t]
    same(gs.piecewise(x, [x < 3, x >= 6], functions), np.piecewise(X, [X < 3, X >= 6], functions))
    same(gs.piecewise(x, x < 3, [1, lambda t, k: t * k], 2), np.piecewise(X, X < 3, [1, lambda t, k: t * k], 2))
    same(gs.piecewise(gs.asarray(4.0), [True], [7]), np.piecewise(4.0, [True], [7]))
    with pytest.raises(ValueError):
        gs.piecewise(x, [x < 3], [1, 2, 3])


def test_mask_indices(way):
    same(gs.mask_indices(3, gs.triu, 1), np.mask_indices(3, np.triu, 1))


def test_large_masks(way):
    rng = np.random.default_rng(0)
    for n in (4095, 4096, 4097, 100_000):
        a, m = rng.normal(size=n), rng.random(n) < 0.3
        x, mask = gs.asarray(a), gs.asarray(m)
        same(x[mask], a[m])
        same(x[::-1][mask], a[::-1][m])
        value = rng.normal(size=int(m.sum()))
        a[m], x[mask] = value, gs.asarray(value)
        same(x, a)


def test_large_arrays(way):
    """Sizes from which our kernels run on the host too."""
    rng = np.random.default_rng(4)
    n = 70_000
    a, index, few = rng.normal(size=n), rng.integers(-n, n, n), rng.integers(0, 4, n)
    square, columns = a[: 300 * 200].reshape(300, 200), np.array([3, -1, 0])
    b = np.where(few == 1, np.nan, a)
    b[few == 2] = np.inf
    for call in (
        Call("take", a, index), Call("take", square, columns, 1), Call("take", a, index + n, mode="clip"), Call("where", a > 0, a, -a),
        Call("where", a > 0, a.astype("F"), a), Call("choose", few, [a, -a, a, 2 * a]), Call("select", [a > 1, a < 0], [a, -a], 7),
        Call("take_along_axis", square, np.argsort(square, 1), 1), Call("isclose", b, b, equal_nan=True), Call("nan_to_num", b),
        Call("isclose", b.astype("f"), b), Call("take", a, index + n), Call("choose", few + 1, [a, a, a, a]),
    ):  # fmt: skip
        check(call)
    same(gs.asarray(a)[gs.asarray(index)], a[index])
    same(gs.asarray(square)[gs.asarray(few) % 300], square[few % 300])
    c, m = a.copy(), a > 0.5
    x = gs.array(a)
    c[m], x[gs.asarray(m)] = 3, 3
    same(x, c)
    for key in (gs.asarray(index + n), index + n):
        with pytest.raises(IndexError):
            gs.asarray(a)[key]
            gs.synchronize()


def test_masks_with_bytes_other_than_one(way):
    bits = np.arange(5000, dtype=np.uint8).view(bool)   # as views of other types make them
    a = np.arange(5000.0)
    same(gs.asarray(a)[gs.asarray(bits)], a[bits.view(np.uint8) != 0])


def test_block_kernels_agree(tmp_path, monkeypatch):
    from block_emulator import emulate_blocks

    emulate_blocks(monkeypatch, tmp_path)
    rng = np.random.default_rng(1)
    for n, dtype in ((31, "f"), (5000, "f"), (5000, "D"), (9000, "B")):
        a, m = rng.integers(0, 99, n).astype(dtype), rng.random(n) < 0.4
        with gs.device("host"):
            x, mask = gs.asarray(a), gs.asarray(m)
            same(x[mask], a[m])
            same(x[1:][mask[1:]], a[1:][m[1:]])         # a mask that is not aligned to 16 bytes
            value = rng.integers(0, 99, int(m.sum())).astype(dtype)
            a[m], x[mask] = value, gs.asarray(value)
            same(x, a)
