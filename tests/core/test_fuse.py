"""fuse: one kernel for an expression, with the types and values of the operations one by one."""

import numpy as np
import pytest

import gpusci as gs


def close(got, want):
    got = got.numpy() if isinstance(got, gs.ndarray) else got
    assert got.dtype == want.dtype and got.shape == want.shape
    # One contracted multiply-add per operation may differ in the last place of the largest term.
    np.testing.assert_allclose(got, want, rtol=4 * np.finfo(want.dtype).eps, atol=4 * np.finfo(want.dtype).eps)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_multiply_add(dtype):
    f = gs.fuse(lambda a, b, c: a * b + c)
    a, b, c = np.random.default_rng(1).random((3, 5, 1000)).astype(dtype)
    close(f(a, b, c), a * b + c)
    x = gs.asarray(a)
    assert isinstance(f(x, b, c), gs.ndarray)
    close(f(x.T, gs.asarray(b).T, 2.0), a.T * b.T + 2)


def test_broadcasting_constants_and_defaults():
    @gs.fuse
    def g(a, b, s=2):
        return gs.exp(-((a - b) ** 2) / (2 * s**2)) + (a > 0.5) * np.float32(3)

    a, b = np.random.default_rng(2).random((2, 3, 4)).astype("f4")
    close(g(a, b[:1]), np.exp(-((a - b[:1]) ** 2) / np.float32(8)) + (a > 0.5) * np.float32(3))


def test_mixed_dtypes_follow_numpys_promotion():
    f = gs.fuse(lambda a, b: a / b - 1)
    a, b = np.arange(1, 7, dtype=np.int32), np.arange(2, 8, dtype=np.float32)
    close(f(a, b), a / b - 1)


def test_out_and_its_shape():
    f = gs.fuse(lambda a: a + 1)
    out = gs.zeros((2, 3))
    assert f(gs.ones((2, 3)), out=out) is out and (out.numpy() == 2).all()
    with pytest.raises(ValueError, match="shape"):
        f(gs.ones(5), out=out)


def test_new_constants_compile_nothing():
    f = gs.fuse(lambda a, s: a * s)
    x = gs.ones(10)
    for s in (1.0, 2.0, 3.5):
        assert f(x, s).numpy()[0] == s
    assert len(f.rows) == 1


def test_where_and_clip():
    x, y = np.array([[-1.5, 2.0, 0.0], [3.0, -4.0, np.nan]]), np.array([1.0, -5.0, 0.0])
    for f, want in (
        (lambda a, b: gs.where(a > b, a * 2 + 1, gs.exp(b)), np.where(x > y, x * 2 + 1, np.exp(y))),
        (lambda a, b: gs.where(a, 1, b), np.where(x, 1, y)),
        (lambda a, b: gs.where(a > 0, 1, 0) + b, np.where(x > 0, 1, 0) + y),
        (lambda a, b: gs.clip(a, -1, 1) * b, np.clip(x, -1, 1) * y),
        (lambda a, b: gs.clip(a, None, b), np.clip(x, None, y)),
        (lambda a, b: gs.clip(a, min=b) + 0, np.clip(x, min=y)),
    ):
        close(gs.fuse(f)(x, y), want)
    i = np.arange(4, dtype=np.int8)
    whole = gs.fuse(lambda a: gs.where(a > 1, a, 0))(i)
    assert whole.dtype == np.int8 and (whole == [0, 0, 2, 3]).all()


@pytest.mark.parametrize("function, error", [
    (lambda x: x if x > 0 else -x, TypeError), (lambda x: x.sum(), AttributeError), (lambda x: x[0], TypeError),
    (lambda x: gs.divmod(x, 2)[0], TypeError), (lambda x: 3, TypeError), (lambda x: gs.sum(x), TypeError),
    (lambda x: gs.sort(x), TypeError), (lambda x: gs.zeros_like(x), TypeError),
])  # fmt: skip
def test_what_cannot_be_fused(function, error):
    with pytest.raises(error, match="fuse"):
        gs.fuse(function)(np.ones(3))
