"""Shapes, joins, splits, moves and padding, against NumPy, on every way they run."""

import numpy as np
import pytest
from as_numpy import Call, check, same
from ways import WAYS, use

import gpusci as gs

A = np.arange(24.0).reshape(2, 3, 4)
B = np.arange(6, dtype="i").reshape(2, 3)
V = np.array([3, 1, 2], np.int8)
Z = np.array([0, 0, 1, 0, 2, 0])


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


ONE = [
    "transpose", "squeeze", "flip", "fliplr", "flipud", "rot90", "matrix_transpose", "ravel", "atleast_1d", "atleast_2d",
    "atleast_3d", "shape", "ndim", "size",
]  # fmt: skip
CALLS = [
    *(Call(name, a) for name in ONE for a in (A, B, A.T, V, np.array(1.5), np.zeros((0, 3)))),
    Call("moveaxis", A, 0, -1), Call("moveaxis", A, [0, 1], [-1, -2]), Call("moveaxis", A, 5, 0), Call("rollaxis", A, 2),
    Call("swapaxes", A, 0, 2), Call("expand_dims", A, (0, 2)), Call("expand_dims", A, 9), Call("squeeze", A[None], 0),
    Call("squeeze", A, 0), Call("transpose", A, (1, 0, 2)), Call("transpose", A, (1, 0)), Call("permute_dims", A, (2, 0, 1)),
    Call("flip", A, (0, 2)), Call("flip", A, 4), Call("rot90", A, 3, (1, 2)), Call("rot90", V), Call("size", A, 1),
    Call("size", A, (0, 2)),
    Call("broadcast_to", V, (4, 3)), Call("broadcast_to", V, (4, 2)), Call("broadcast_arrays", V, B),
    Call("broadcast_arrays", V, A),
    Call("broadcast_shapes", (3, 1), (1, 4)), Call("atleast_2d", V, A, 1.0), Call("reshape", A, (6, 4)),
    Call("reshape", A.T, (6, -1)),
    Call("reshape", A.T, (6, -1), order="F"), Call("reshape", A, (5, 5)), Call("reshape", A.T, 24, copy=False),
    Call("ravel", A.T, "F"),
    Call("split", A, 2, axis=2), Call("split", A, 3, axis=2), Call("split", A, [1, 3], axis=2), Call("array_split", V, 2),
    Call("hsplit", A, 3), Call("vsplit", A, 2), Call("dsplit", A, 2), Call("unstack", A, axis=1), Call("hsplit", V, 3),
    Call("vsplit", V, 3),
    Call("concatenate", (A, A), axis=1), Call("concatenate", (B, V[None])), Call("concatenate", (B, A)),
    Call("concatenate", (B, B), axis=2),
    Call("concatenate", (B, B.astype("f")), axis=None), Call("concatenate", (B, B), dtype="d"),
    Call("concatenate", (A, A), dtype="i"),
    Call("concatenate", (A, A), dtype="i", casting="unsafe"), Call("concatenate", ()), Call("concatenate", (1.0, 2.0)),
    Call("concatenate", (B.astype("b"), B.astype("B")), axis=-1), Call("concatenate", (B, B[:, :2])),
    Call("concat", [V, [4, 5]]),
    Call("concatenate", (A.T, A.T)), Call("concatenate", (np.zeros((0, 3)), B)), Call("stack", (B, B), axis=-1),
    Call("stack", (B, B), axis=5),
    Call("stack", (B, V)), Call("stack", []), Call("vstack", (V, B)), Call("hstack", (V, V)), Call("hstack", (B, B)),
    Call("vstack", []),
    Call("dstack", (B, B)), Call("dstack", (V, V)), Call("column_stack", (V, B.T)), Call("hstack", (V, V), dtype="D"),
    Call("block", [[B, B], [B, B]]), Call("block", [V, V]), Call("block", B), Call("block", [[V], [V]]),
    Call("block", [[B, B], B]),
    Call("block", (B, B)), Call("block", []), Call("block", [[np.eye(2), np.zeros((2, 3))], [np.ones((3, 2)), np.eye(3)]]),
    Call("tile", B, 2), Call("tile", B, (2, 1, 3)), Call("tile", V, 0), Call("tile", A, (2,)), Call("tile", A.T, (1, 2, 1)),
    Call("repeat", B, 2), Call("repeat", B, 3, axis=1), Call("repeat", B, [1, 2], axis=0),
    Call("repeat", B, np.array([1, 0, 2]), axis=1),
    Call("repeat", B, [1, 2, 3], axis=0), Call("repeat", B, -1), Call("repeat", B, 1.5),
    Call("repeat", B, np.array([2]), axis=0),
    Call("repeat", B, [1.0, 2.0], axis=0), Call("roll", A, 5), Call("roll", A, 1, axis=1),
    Call("roll", A, (1, -2), axis=(0, 2)),
    Call("roll", A, (1, 2), axis=(1, 1)), Call("roll", A, 1, axis=3), Call("roll", np.zeros((0, 3)), 1, axis=0),
    Call("roll", B.T, 2),
    Call("roll", A, 1, axis=(0, 2)), Call("resize", B, (3, 4)), Call("resize", B, (2, 2)), Call("resize", B, 0),
    Call("resize", np.zeros(0), 3),
    Call("resize", B, (-1, 2)), Call("append", B, V), Call("append", B, [[7, 8, 9]], axis=0), Call("append", B, V, axis=0),
    Call("delete", B, 1), Call("delete", B, 1, axis=1), Call("delete", B, [0, 2], axis=1),
    Call("delete", B, slice(None, None, 2), axis=1),
    Call("delete", B, 7, axis=1), Call("delete", B, np.array([True, False, True]), axis=1), Call("delete", V, []),
    Call("insert", B, 1, 7), Call("insert", B, 1, 7, axis=1), Call("insert", B, 1, [7, 8], axis=1),
    Call("insert", B, [1], [[7], [8]], axis=1),
    Call("insert", B, [0, 2], 9.5, axis=1), Call("insert", B, [2, 0, 2], np.array([[1, 2, 3], [4, 5, 6]]), axis=1),
    Call("insert", V, [3, 0], [5, 6]), Call("insert", B, -1, np.array([7, 8, 9]), axis=0), Call("insert", B, 9, 1, axis=0),
    Call("insert", V, slice(0, 2), [8, 9]), Call("insert", V, np.array([True, False, True]), [8, 9]),
    Call("insert", V, [], []),
    Call("insert", B, 1, np.array([[7, 8, 9], [1, 2, 3]]), axis=0),
    *(Call("trim_zeros", z, trim) for z in (Z, np.zeros(3), np.array(3)) for trim in ("fb", "f", "b", "x")),
    Call("trim_zeros", np.pad(B, ((1, 2), (0, 1)))), Call("trim_zeros", np.pad(B, ((1, 2), (0, 1))), axis=1),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_as_numpy(way, call):
    check(call)


VIEWS = [
    lambda m, x: m.transpose(x), lambda m, x: m.moveaxis(x, 0, 2), lambda m, x: m.flip(x), lambda m, x: m.rot90(x),
    lambda m, x: m.expand_dims(x, 1), lambda m, x: m.split(x, 2)[1], lambda m, x: m.unstack(x, axis=2)[3], lambda m,
    x: m.reshape(x, (6, 4)),
    lambda m, x: m.lib.stride_tricks.sliding_window_view(x, 2, axis=1), lambda m, x: m.broadcast_to(x, (2, 2, 3, 4)),
    lambda m, x: m.diagonal(x), lambda m, x: m.real(x), lambda m, x: m.ravel(x), lambda m, x: m.swapaxes(x, 0, 1),
    lambda m, x: m.atleast_3d(x),
]  # fmt: skip


@pytest.mark.parametrize("view", VIEWS)
def test_views_stay_views(way, view):
    x = gs.asarray(A)
    y = view(gs, x)
    assert gs.may_share_memory(x, y)
    same(y, view(np, A))
    x[...] = -1
    assert gs.all(y == -1).item()


def test_broadcast_views_are_read_only(way):
    for y in (gs.broadcast_to(gs.arange(3), (2, 3)), gs.lib.stride_tricks.sliding_window_view(gs.arange(5), 2)):
        with pytest.raises(ValueError, match="read-only"):
            y[0] = 1


def test_out(way):
    out = gs.empty((4, 3))
    assert gs.concatenate([gs.asarray(B), gs.asarray(B)], out=out) is out
    same(out, np.concatenate([B, B]).astype(float))
    stacked = gs.empty((2, 2, 3), "f")
    assert gs.stack([gs.asarray(B), gs.asarray(B)], 1, stacked) is stacked
    same(stacked, np.stack([B, B], 1).astype("f"))
    with pytest.raises(ValueError):
        gs.concatenate([gs.asarray(B), gs.asarray(B)], out=gs.empty((3, 3)))
    with pytest.raises(TypeError):
        gs.concatenate([gs.asarray(B)], out=out, dtype=float)


def test_counts_of_repeat_on_the_device(way):
    x = gs.asarray(B)
    same(gs.repeat(x, gs.asarray([1, 0, 2]), axis=1), np.repeat(B, [1, 0, 2], axis=1))
    same(gs.repeat(x, gs.asarray([2]), axis=0), np.repeat(B, [2], axis=0))


def test_broadcast_object():
    b, n = gs.broadcast(gs.arange(3), gs.zeros((2, 1))), np.broadcast(np.arange(3), np.zeros((2, 1)))
    assert (b.shape, b.nd, b.size, b.numiter) == (n.shape, n.nd, n.size, n.numiter)
    assert [tuple(v.item() for v in pair) for pair in b] == [tuple(v.item() for v in pair) for pair in n]


# ---- padding
def ramp(vector, width, axis, options):
    vector[: width[0]] = options.get("value", 10)
    if width[1]:
        vector[-width[1] :] = -1


RNG = np.random.default_rng(5)
PADDED = [
    RNG.normal(size=(3, 4)), RNG.integers(-5, 6, (2, 5)).astype("i"), RNG.integers(0, 250, (3, 2)).astype("B"),
    np.ones((1, 1), "f"),
    (RNG.integers(-5, 6, (2, 3)) + 1j).astype("F"), np.array([[True, False], [False, False]])[::-1],
]  # fmt: skip
MODES = {
    "constant": [{}, {"constant_values": 5}, {"constant_values": ((1, 2), (3, 4))}], "edge": [{}], "wrap": [{}],
    "linear_ramp": [{}, {"end_values": (4, -3)}], "maximum": [{}, {"stat_length": 1}, {"stat_length": ((1, 2), (2, 1))}],
    "mean": [{}, {"stat_length": 2}], "minimum": [{}], "median": [{}, {"stat_length": 2}],
    "reflect": [{}, {"reflect_type": "odd"}], "symmetric": [{}, {"reflect_type": "odd"}],
}  # fmt: skip
WIDTHS = [2, ((1, 0), (0, 9)), ((3, 7), (11, 2))]
BAD = [
    Call("pad", A, 0), Call("pad", A, (1, 2)), Call("pad", A, {0: 1}), Call("pad", A, 1.5), Call("pad", A, -1),
    Call("pad", A, 1, "bad"),
    Call("pad", A, 1, "edge", constant_values=3), Call("pad", np.zeros((0, 3)), 1, "edge"), Call("pad", np.zeros((0, 3)), 1),
    Call("pad", np.zeros((0, 3)), ((0, 0), (1, 1)), "reflect"), Call("pad", np.array(3.0), ()), Call("pad", A, (1, 2, 3)),
    Call("pad", A[0], 2, ramp), Call("pad", A[0], 2, ramp, value=3), Call("pad", A, 1, "maximum", stat_length=0),
]  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("array", PADDED, ids=lambda a: a.dtype.char)
def test_pad(way, mode, array):
    for options in MODES[mode]:
        if array.dtype == bool and "reflect_type" in options:
            continue
        # Means and ramps in floating point: a few ulp. The rest only moves data.
        tol = {"f": 1e-6, "d": 1e-14, "F": 1e-6}.get(array.dtype.char, 0) if mode in ("mean", "linear_ramp", "reflect", "symmetric") else 0
        for width in WIDTHS:
            check(Call("pad", array, width, mode, tol=tol, **options))


@pytest.mark.parametrize("call", BAD, ids=str)
def test_pad_arguments(way, call):
    check(call)
