"""ElementwiseKernel, ReductionKernel on the current device; RawKernel on a GPU."""

import numpy as np
import pytest

import gpusci as gs
from gpusci.core.compiler import CompileError


def test_elementwise_broadcast_strided_and_scalars():
    x, y = np.arange(12.0).reshape(3, 4), np.full((3, 4), 2.0)
    k = gs.ElementwiseKernel("float64 a, float64 x, float64 b, float64 y", "float64 z", "z = a * x + b * y", "lin")
    out = k(1.1, gs.asarray(x)[:, ::2], 3, gs.asarray(y)[::-1, 1::2])
    np.testing.assert_array_equal(out.numpy(), 1.1 * x[:, ::2] + 6.0)


def test_elementwise_two_outputs_and_generic_types():
    k = gs.ElementwiseKernel("T x, T y", "T s, bool less", "s = x + y; less = x < y", "pair")
    x, y = np.arange(6, dtype=np.int32).reshape(2, 3), np.array([2, 2, 9], np.int32)
    s, less = k(gs.asarray(x), gs.asarray(y))
    np.testing.assert_array_equal(s.numpy(), x + y)
    np.testing.assert_array_equal(less.numpy(), x < y)
    assert s.dtype == np.int32
    with pytest.raises(TypeError, match="type T is int32"):
        k(gs.asarray(x), gs.asarray(y.astype(float)))


def test_elementwise_writes_a_strided_output():
    k = gs.ElementwiseKernel("T x", "T y", "y = x * 2", "twice")
    out = gs.zeros((3, 4))
    k(gs.asarray(np.arange(6.0).reshape(3, 2)), out[:, ::2])
    np.testing.assert_array_equal(out.numpy()[:, ::2], np.arange(6.0).reshape(3, 2) * 2)
    assert (out.numpy()[:, 1::2] == 0).all()
    with pytest.raises(ValueError, match="shape"):
        k(gs.asarray(np.arange(6.0)), out)


def test_raw_operands_use_the_loop_index():
    k = gs.ElementwiseKernel("raw T x, int64 m", "T z", "z = x[(i * 7) % m] + _ind.size()", "gather_raw")
    x = np.arange(10.0)
    out = k(gs.asarray(x)[::-1], 10, size=5)
    np.testing.assert_array_equal(out.numpy(), x[::-1][(np.arange(5) * 7) % 10] + 5)
    with pytest.raises(ValueError, match="size="):
        gs.ElementwiseKernel("raw T x", "raw T z", "z[i] = x[i]", "all_raw")(gs.asarray(x), gs.zeros(10))


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2), -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reduction_axes_of_a_transposed_view(axis, keepdims):
    k = gs.ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", "0", "sumsq")
    x = np.arange(24.0).reshape(2, 3, 4)
    out = k(gs.asarray(x).T, axis=axis, keepdims=keepdims)
    np.testing.assert_array_equal(out.numpy(), (x.T**2).sum(axis, keepdims=keepdims))


def test_reduction_of_nothing():
    total = gs.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
    np.testing.assert_array_equal(total(gs.zeros((2, 0, 4)), axis=1).numpy(), np.zeros((2, 4)))
    largest = gs.ReductionKernel("T x", "T y", "x", "a < b ? b : a", "y = a", None, "largest")
    with pytest.raises(ValueError, match="no identity"):
        largest(gs.zeros((2, 0, 4)), axis=1)


def test_reduction_split_over_parts_without_identity():
    k = gs.ReductionKernel("T x", "T y", "x", "a < b ? b : a", "y = a", None, "largest")
    x = np.random.default_rng(3).normal(size=100_003).astype(np.float32) - 50
    assert k(gs.asarray(x)).item() == x.max()


def test_a_wrong_text_raises_with_the_compilers_log():
    with pytest.raises(CompileError, match="error"):
        gs.ElementwiseKernel("T x", "T y", "y = = x", "bad")(gs.zeros(3))


@pytest.mark.parametrize("params", ["float64", "nothing x", "float64 a b", "T x, T x"])
def test_parameters_that_cannot_be_read(params):
    with pytest.raises(ValueError):
        gs.ElementwiseKernel(params, "T y", "y = 0", "bad")


def test_raw_kernel(device):
    code = """extern "C" __global__ void add(const float* x, float* y, int n, double s) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = x[i] + s;
    }"""
    k, x, y = gs.RawKernel(code, "add"), gs.arange(1000, dtype="f4"), gs.zeros(1000, "f4")
    if device.kind != "cuda":
        with pytest.raises(RuntimeError, match="GPU"):
            k((4,), (256,), (x, y, np.int32(1000), 2.5))
        return
    k((4,), (256,), (x, y, np.int32(1000), 2.5))
    np.testing.assert_array_equal(y.numpy(), np.arange(1000, dtype="f4") + 2.5)


def test_functions_that_cuda_has_without_a_header():
    x = gs.asarray([-0.5, 0.25])
    np.testing.assert_array_equal(gs.ElementwiseKernel("T x", "T y", "y = abs(x)", "magnitude")(x).numpy(), [0.5, 0.25])
    np.testing.assert_array_equal(gs.ElementwiseKernel("T x", "T y", "y = max(x, T(0))", "ramp")(x).numpy(), [0, 0.25])
