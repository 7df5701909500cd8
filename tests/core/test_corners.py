"""Corners of the NumPy-like namespace, against NumPy, on every way: 0-d and empty arrays, axes given oddly, memory order."""

import copy
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from as_numpy import Call, check, same
from ways import WAYS, put, use

import gpusci as gs

A = np.arange(24.0).reshape(2, 3, 4)
B = np.array([[True, False], [True, True]])
EMPTY = np.zeros((3, 0, 2))
LINE = np.zeros(0)
SCALAR = np.array(2.5)
BYTES = np.array([127, 0, 1, 2, -128], np.int8)
SPECIAL = np.array([np.nan, 1, 0.0, np.inf, -np.inf, np.nan, 2])
SUMS = ("sum", "prod", "max", "min", "any", "all", "nansum", "nanmean")


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


AXES = [
    *(Call(name, A, axis=axis) for name in (*SUMS, "mean", "var") for axis in ([0, 1], (0, 0), (0, -1), np.int8(1), 3)),
    *(Call(name, SCALAR, axis=axis) for name in (*SUMS, "mean", "std", "argmax") for axis in (0, -1, (), (-1,), None)),
    *(Call(name, A, axis=True) for name in SUMS),
    Call("repeat", SCALAR, 2, axis=0), Call("repeat", SCALAR, np.array([2]), 0), Call("flip", SCALAR, ()),
    Call("cumulative_sum", SCALAR), Call("cumulative_prod", SCALAR, include_initial=True), Call("cumulative_sum", A, axis=(-1,)),
    Call("cumulative_sum", A, axis=(0, 1)), Call("partition", SCALAR, 0), Call("argpartition", SCALAR, 0),
    Call("partition", LINE, 5), Call("argpartition", LINE, -1), Call("gradient", B),
    Call("arange", stop=3), Call("arange"),
]  # fmt: skip
EMPTIES = [
    *(Call(name, EMPTY, axis=axis) for name in ("median", "nanmedian") for axis in (0, -1)),
    Call("nanmedian", EMPTY, axis=(0, 2)),
    Call("nanquantile", EMPTY, 0.5, axis=-1, keepdims=True), Call("unique", np.zeros((0, 3)), axis=0), Call("unique", LINE, axis=0),
]  # fmt: skip
VALUES = [
    Call("unique", SPECIAL, return_index=True, return_inverse=True, return_counts=True, axis=-1),
    Call("histogram", BYTES, "auto"), Call("histogram", BYTES, "sturges"),
    Call("histogram_bin_edges", np.array([-(2**63), 2**63 - 1]), "sturges"),
    Call("choose", np.array([0, -1]), [1, 2, 3]), Call("choose", np.array([0, -1]), [1, 2, 3], mode="wrap"),
    Call("choose", np.array([True, False]), [1, 2]), Call("choose", np.array([0, 2], np.uint8), [1, 2, 3]),
    Call("power", np.zeros(4, complex), np.array([2 + 1j, -1 + 1j, 2, 0])),
    *(Call(name, *pair) for name in ("equal", "less", "greater_equal") for pair in ((2, 3), (2**63, 1), (2**70, 2**70), (2, 3.0))),
    Call("full_like", np.zeros(2), 1j), Call("full", (2,), 2.7, dtype="i4"), Call("full_like", BYTES, 300),
    Call("quantile", A, 0.5, method="inverted_cdf", weights=np.zeros_like(A)),
    Call("quantile", A, 0.5, method="inverted_cdf", weights=np.full_like(A, np.nan)),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", [*AXES, *EMPTIES, *VALUES], ids=str)
def test_as_numpy(call, way):
    check(call)


def test_histogram_of_complex_numbers_goes_by_their_order(way):
    z = np.array([0, 1 + 1j, 1 + 2j, 3, 2 - 1j, 1.5j])
    edges = np.array([0, 1 + 1.5j, 2, 3])
    same(gs.histogram(put(z), gs.asarray(edges))[0], np.array([3, 2, 1]))
    counts, found = gs.histogram(put(z), 3)
    same(found, np.histogram_bin_edges(z, 3), 1e-15)
    same(counts, np.array([2, 3, 1]))
    same(gs.histogram(put(z), 3, weights=put(np.arange(6.0)))[0], np.array([5.0, 7.0, 3.0]))


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_order_of_ravel_and_flatten(way, order):
    for a in (A, np.asfortranarray(A), A.transpose(2, 0, 1), A[:, ::-1].T, EMPTY, SCALAR):
        same(put(a).flatten(order), a.flatten(order))
        same(put(a).ravel(order), a.ravel(order))


def test_a_wrong_order_is_a_value_error(way):
    for call in (lambda x: x.reshape(-1, order="K"), lambda x: gs.reshape(x, -1, order="Z"), lambda x: x.ravel("Z")):
        with pytest.raises(ValueError):
            call(gs.asarray(A))


def test_copies_keep_the_memory_order(way):
    x = put(np.asfortranarray(A))
    for made in (copy.copy(x), copy.deepcopy(x)):
        assert made.flags.f_contiguous and made.ptr != x.ptr
        same(made, A)


def test_conjugate_of_real_numbers_is_the_array_itself(way):
    x = gs.asarray([True, False])
    assert x.conj() is x and x.conjugate().dtype == bool
    same(gs.asarray([1j]).conj(), np.array([-1j]))


def test_ufunc_methods_take_numpys_odd_arguments(way):
    same(gs.add.outer(put(BYTES), 2), np.add.outer(BYTES, 2))
    same(gs.add.outer(2, put(BYTES)), np.add.outer(2, BYTES))
    same(gs.add.accumulate(put(BYTES), axis=None), np.add.accumulate(BYTES, axis=None))
    same(gs.maximum.accumulate(put(A), axis=(1,)), np.maximum.accumulate(A, axis=(1,)))
    same(gs.add.reduceat(put(BYTES), [0.5, 2]), np.add.reduceat(BYTES, [0.5, 2]))
    for call, error in (
        (lambda: gs.add.accumulate(put(A), axis=None), ValueError), (lambda: gs.add.reduceat(put(A), [0], axis=(0, 1)), ValueError),
        (lambda: gs.add.reduceat(put(SCALAR), [0]), TypeError),
    ):  # fmt: skip
        with pytest.raises(error):
            call()


def test_at_reads_an_operand_that_is_the_array_before_it_writes(way):
    x = gs.arange(3.0)
    gs.add.at(x, gs.asarray([1, 0, 2]), x)
    same(x, np.array([1.0, 1.0, 4.0]))


@pytest.mark.parametrize("key", [0, ..., [0], [], [[]]], ids=str)
@pytest.mark.parametrize(
    "value, error", [(None, None), ("2", None), ("a", ValueError), (Fraction(1, 3), None), (Decimal("0.1"), None)], ids=str
)
def test_assignment_reads_none_text_and_fractions_as_numpy(way, key, value, error):
    expected, x = np.arange(3.0), gs.arange(3.0)
    if error is not None and key != [] and key != [[]]:
        with pytest.raises(error):
            x[key] = value
    elif error is None:
        x[key] = expected[key] = value
        same(x, expected)


def test_empty_nested_lists_are_indices(way):
    for key in ([[]], ([[]], 0)):
        same(gs.asarray(A)[key], A[key])


def test_flat_is_assigned_with_repeated_values(way):
    a, x = A.copy(), gs.array(A)
    a.flat = x.flat = [7, 8]
    same(x, a)
    x.T.flat = 1
    same(x, np.ones_like(A))


def test_diagonal_of_einsum_is_writeable(way):
    x = gs.zeros((3, 3))
    gs.einsum("ii->i", x)[...] = 7
    same(x, np.eye(3) * 7)


def test_argmax_casts_to_out(way):
    out = gs.zeros(2, np.int32)
    assert gs.argmax(gs.asarray([[1, 3], [2, 1]]), axis=1, out=out) is out
    same(out, np.array([1, 0], np.int32))
    with pytest.raises(TypeError):
        gs.argmax(gs.asarray([[1, 3], [2, 1]]), axis=1, out=gs.zeros(2))
