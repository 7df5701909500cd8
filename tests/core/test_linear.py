"""Products of arrays and einsum, against NumPy, on every way they run."""

import numpy as np
import pytest
from as_numpy import Call, check, same
from ways import WAYS, use

import gpusci as gs

RNG = np.random.default_rng(1)


def R(*shape, dt="d"):
    """Small whole numbers, so that every order of summation gives the same result."""
    values = RNG.integers(-5, 6, shape)
    return (values + 1j * RNG.integers(-5, 6, shape) if dt in "FD" else values).astype(dt)


@pytest.fixture(params=WAYS)
def way(request):
    with use(request.param):
        yield request.param


PRODUCTS = [
    ("matmul", (3, 4), (4, 5)), ("matmul", (4,), (4, 5)), ("matmul", (3, 4), (4,)), ("matmul", (4,), (4,)),
    ("matmul", (2, 1, 3, 4), (5, 4, 2)),
    ("matmul", (0, 4), (4, 5)), ("matmul", (3, 0), (0, 5)), ("matmul", (2, 4), (3, 2)), ("matmul", (4,), (3,)),
    ("matmul", (2, 3, 4), (3, 4, 2)),
    ("dot", (2, 3, 4), (4, 5)), ("dot", (2, 3, 4), (6, 4, 5)), ("dot", (4,), (4,)), ("dot", (), (4,)),
    ("dot", (2, 3), (2, 3)), ("dot", (3,), (3, 2)),
    ("vdot", (2, 3), (3, 2)), ("vdot", (2, 3), (3,)), ("inner", (2, 3), (4, 3)), ("inner", (2,), (3,)),
    ("inner", (), (3,)), ("outer", (2,), (3,)),
    ("outer", (2, 2), (3,)), ("kron", (2, 3), (3,)), ("kron", (2,), (2, 1, 2)), ("vecdot", (2, 3), (3,)),
    ("vecdot", (2,), (3,)),
    ("matvec", (5, 2, 3), (3,)), ("matvec", (2, 3), (2,)), ("vecmat", (5, 2), (2, 3)), ("vecmat", (3,), (2, 3)),
]  # fmt: skip


@pytest.mark.parametrize("dt", "dfeDFbBiq?")
def test_products(way, dt):
    for name, *shapes in PRODUCTS:
        check(Call(name, *(R(*shape, dt=dt) for shape in shapes)))
    check(Call("matmul", R(4, 3, dt=dt).T, R(5, 4, dt=dt).T))
    check(Call("matmul", R(3, 4, dt=dt)[::-1, ::-2], R(2, 5, dt=dt)))
    a = R(3, 4, 5, dt=dt)
    check(Call("tensordot", a, R(4, 3, 2, dt=dt), axes=([1, 0], [0, 1])))
    for b, axes in ((R(5, 2, dt=dt), 1), (R(2, dt=dt), 0), (R(4, 5, dt=dt), 2), (R(3, 4, dt=dt), 1), (a, ([0, 1], [0]))):
        check(Call("tensordot", a, b, axes))
    check(Call("trace", R(3, 4, dt=dt)))
    check(Call("trace", R(2, 3, 4, dt=dt), 1, 1, 2))
    check(Call("vecdot", R(3, 2, dt=dt), R(3, 1, dt=dt), axis=0))
    if dt != "?":
        check(Call("cross", R(4, 3, dt=dt), R(3, dt=dt)))


CALLS = [
    Call("matmul", R(3, 4), R(4, 5, dt="i")), Call("matmul", R(3, 4, dt="b"), R(4, 5, dt="B")), Call("matmul", 2, R(3)),
    Call("matmul", R(3, 4), R(4, 5), dtype="f"), Call("matmul", R(3, 4, dt="i"), R(4, 5, dt="i"), dtype="f"),
    Call("matmul", R(3, 4), R(4, 5), dtype="i"), Call("matmul", R(4, 3, 2), R(3, 5, 7), axes=[(0, 1), (0, 1), (1, 2)]),
    Call("matmul", R(3, 4), R(4, 5), signature="ff->f"), Call("cross", R(3, 4), R(3, 4), axis=0),
    Call("cross", R(4, 3), R(5, 3)),
    Call("cross", R(4), R(4)), Call("cross", R(2, 4, 3), R(4, 3), axisc=0), Call("trace", R(3)),
    Call("tensordot", R(2), R(2), 3),
    Call("vecdot", 1.0, R(2)), Call("matvec", R(2), R(2)), Call("vecmat", R(2), R(2)),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_arguments(way, call):
    check(call)


@pytest.mark.parametrize("dt", "bBhHiIqQ?")
def test_integers_are_exact_modulo_their_width(way, dt):
    a, b = RNG.integers(-(2**62), 2**62, (130, 70)), RNG.integers(-(2**62), 2**62, (70, 99))
    a, b = (a > 0, b > 2**60) if dt == "?" else (a.astype(dt), b.astype(dt))
    check(Call("matmul", a, b))
    check(Call("matmul", a[None, ::-1, ::2], np.stack([b, b[::-1]])[:, 1::2]))
    check(Call("matmul", a, np.asfortranarray(b)))


def test_block_kernel_agrees(tmp_path, monkeypatch):
    from block_emulator import emulate_blocks

    emulate_blocks(monkeypatch, tmp_path)
    with gs.device("host"):
        for dt in "bq?":
            a, b = R(70, 33, dt=dt), R(33, 65, dt=dt)
            same(gs.matmul(gs.asarray(a), gs.asarray(b)), a @ b)
        same(gs.matmul(gs.asarray(np.stack([a, ~a])[:, ::-1]), gs.asarray(b)), np.stack([a, ~a])[:, ::-1] @ b)


def test_out(way):
    a, b = R(3, 4), R(4, 5)
    x, y = gs.asarray(a), gs.asarray(b)
    out = gs.empty((3, 5))
    for function in (gs.matmul, gs.dot):
        assert function(x, y, out=out) is out
        same(out, a @ b)
    transposed = gs.empty((5, 3)).T
    gs.matmul(x, y, out=transposed)
    same(transposed, a @ b)
    z = gs.array(a[:, :3])
    same(gs.matmul(z, z, out=z), a[:, :3] @ a[:, :3])   # out is an operand
    for bad in (lambda: gs.matmul(x, y, out=gs.empty((3, 4))), lambda: gs.dot(x, y, out=gs.empty((3, 5), "f"))):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(TypeError):
        gs.matmul(x, y, out=gs.empty((3, 5), "i"))


C3, C4 = R(3, 3), R(3, 4)
EINSUMS = [
    ("ij,jk", C4, R(4, 5)), ("ij,jk->ki", C4, R(4, 5)), ("ii", C3), ("ii->i", C3), ("ij->ji", C4), ("ij->", C4),
    ("ij->i", C4), ("i->ii", R(3)),
    ("...j,jk", R(2, 3, 4), R(4, 5)), ("ij,jk,kl->il", C4, R(4, 5), R(5, 3)), ("ij,jk,ki", C4, R(4, 5), R(5, 3)),
    ("ij", R(3)), ("ij->ik", C4),
    ("bij,bjk->bik", R(2, 3, 4), R(2, 4, 5)), ("i,j->ij", R(3), R(4)), ("i,i", R(3), R(3)), ("ij,ij->ij", C4, C4),
    ("iij->j", R(3, 3, 4)),
    ("...ij->...ji", R(2, 3, 4)), ("ij,j", C4, R(4)), ("abc,cd,e->abde", R(2, 3, 4), R(4, 2), R(3)),
    ("ij,k->ik", C4, R(5)), ("...,...", C4, C4),
    ("i,i,i->i", R(3), R(3), R(3)), ("i...,i...->...", R(3, 4), R(3, 1)), ("ij,jk->ik", R(3, 1), R(4, 5)),
    ("ij,jk", C4, R(3, 5)),
    (" i j , j k -> i k ", C4, R(4, 5)), ("ij..., jk... ->ik...", R(2, 3, 4), R(3, 5, 4)), ("ij,jk->i1", C4, R(4, 5)),
    ("ij->jj", C4), ("ij,j", C4),
    ("ijk,ilm,njm,nlk,abc->", R(2, 3, 4), R(2, 5, 6), R(3, 3, 6), R(3, 5, 4), R(2, 2, 2)),
    ("ij,jk", C4.astype("i"), R(4, 5, dt="b")),
    ("ij->j", np.abs(C4).astype("B")), ("ij,jk", C4.astype("F"), R(4, 5)), ("i->", np.array([True, True])),
    ("i,i", np.array([True, True]), np.array([True, False])),
]  # fmt: skip


@pytest.mark.parametrize("case", EINSUMS, ids=lambda case: case[0])
def test_einsum(way, case):
    check(Call("einsum", *case))
    if case[0].count(",") > 1:
        check(Call("einsum", *case, optimize=True))


def test_einsum_forms(way):
    a, b = C4, R(4, 5)
    check(Call("einsum", a, [0, 1], b, [1, 2], [0, 2]))
    check(Call("einsum", a, [0, 1], b, [1, 2]))
    check(Call("einsum", a, [0, Ellipsis], [Ellipsis, 0]))
    check(Call("einsum", "ij,jk", a, b, dtype="f"))
    check(Call("einsum", "ij,jk", a, b, dtype="f", casting="unsafe"))
    check(Call("einsum", "ij,jk", a, b, unknown=1))
    out = gs.empty((3, 5))
    assert gs.einsum("ij,jk->ik", gs.asarray(a), gs.asarray(b), out=out) is out
    same(out, a @ b)
    path, report = gs.einsum_path("ij,jk,kl->il", gs.asarray(a), gs.asarray(b), gs.asarray(R(5, 2)))
    assert path[0] == "einsum_path" and "Complete contraction" in report
