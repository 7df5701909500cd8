"""generic_filter and generic_filter1d with the user's C++ against SciPy's with the equal Python function.

Each way of running counts: the host's tiles, and what a GPU runs (the at-forms, kernels without `range`) on the host.
"""

import re

import numpy as np
import pytest
import scipy.ndimage as sn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpusci as gs
from gpusci import ndimage
from gpusci.core import compiler
from gpusci.core.host import HOST, Host
from gpusci.ndimage import _generic_kernels

MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap")
REAL = "?bBhHiIlLfd"
RNG = np.random.default_rng(11)

WEIGHTED = gs.WindowKernel("""
    double s = 0;
    for (int k = 0; k < w.size(); ++k)
        s += scale * w[k] * (k + 1);
    return s + n;
""", "float64 scale, int64 n", name="weighted")  # fmt: skip
STEPS = gs.LineKernel("""
    for (int64_t k = 0; k < out.size(); ++k) {
        out[k] = k ? a * out[k - 1] : 0;
        for (int64_t j = k; j <= k + in.size() - out.size(); ++j) out[k] += in[j];
    }
""", "float64 a", name="steps")  # fmt: skip
LARGEST = gs.ReductionKernel("T x", "T y", "x", "max(a, b)", "y = a", None, "largest")
NORM = gs.ReductionKernel("T x", "float64 y", "double(x) * x", "a + b", "y = sqrt(a)", "0", "norm")
RAW = gs.RawKernel('extern "C" __global__ void read(const double* in, ptrdiff_t n, double* out) {\n'
                   "    double s = 0;\n    for (int k = 0; k < n; ++k) s += abs(in[k]) * (k + 1);\n    *out = s;\n}", "read")  # fmt: skip
RAW_LINE = gs.RawKernel('extern "C" __global__ void line(double* in, ptrdiff_t n, double* out, ptrdiff_t m) {\n'
                        "    for (int k = 0; k < m; ++k) out[k] = in[k] - in[k + n - m];\n}", "line")  # fmt: skip


def weighted(w, scale, n):
    s = 0.0
    for k, v in enumerate(w.tolist()):
        s += scale * v * (k + 1)
    return s + n


def steps(line, out, a):
    line, extra = line.tolist(), line.size - out.size
    for k in range(out.size):
        s = a * out[k - 1] if k else 0.0
        for v in line[k : k + extra + 1]:
            s += v
        out[k] = s


def raw(w):
    return weighted(np.abs(w), 1.0, 0)


def raw_line(line, out):
    out[...] = line[: out.size] - line[line.size - out.size :]


@pytest.fixture(params=["as set", "at"])
def way(request, monkeypatch):
    """How the device runs: as the environment says; on the host with a GPU's code and its kernels' at-forms only."""
    if request.param == "as set":
        yield
        return
    load = Host.load

    def without_range(self, entry, *rest, **options):
        hidden = "struct only_at { using K = \\2; using Args = K::Args; static void at(\\1 i, const Args& a) { K::at(i, a); } };"
        entry, found = re.subn(r"GPUSCI_ENTRY\((\w+), (.*)\)", hidden + r" } GPUSCI_ENTRY(\1, gpusci::only_at) namespace gpusci {", entry)
        assert found == 1
        return load(self, entry, *rest, **options)

    monkeypatch.setattr(HOST, "uses_numpy", False)
    monkeypatch.setattr(Host, "load", without_range)
    _forget()
    with gs.device("host"):
        yield
    _forget()


def _forget():
    for cached in (_generic_kernels.window_row, _generic_kernels.line_row, _generic_kernels._row):
        cached.cache_clear()
    _generic_kernels.extend_lines._functions.clear()


def compare(got, want):
    """Bit for bit on the host, where both sum in the same order; a GPU fuses products with sums."""
    got = gs.asnumpy(got) if isinstance(got, gs.ndarray) else np.asarray(got)
    assert got.dtype == want.dtype and got.shape == want.shape
    if gs.current_device().kind == "cuda" and want.dtype == np.float64:
        finite = np.isfinite(want)
        np.testing.assert_array_equal(np.isfinite(got), finite)
        np.testing.assert_allclose(got[finite], want[finite], rtol=0, atol=1e-14 * np.abs(want[finite]).max(initial=1))
    else:
        np.testing.assert_array_equal(got, want)


def data(shape, dtype, seed=0):
    x = np.random.default_rng(seed).normal(size=shape) * 30
    if np.dtype(dtype).kind == "u":
        x = np.abs(x)
    return x > 0 if dtype == "?" else x.astype(dtype)


# Few of them: each compiles. `test_dtypes` has the others.
TYPES = [("d", None), ("f", None), ("B", None), ("h", "f8"), ("f", "B"), ("?", "f4"), ("d", "L")]


@st.composite
def window_calls(draw):
    shape = tuple(draw(st.lists(st.integers(1, 8), min_size=1, max_size=3)))
    extent = [draw(st.integers(1, 5)) for _ in shape]
    dtype, output = draw(st.sampled_from(TYPES))
    x, floating = data(shape, dtype, draw(st.integers(0, 99))), np.dtype(output or dtype).kind == "f"
    # A NaN as an integer is undefined in SciPy.
    cval = draw(st.sampled_from([0.0, -2.5, np.nan] if floating else [0.0, -2.5]))
    if floating and x.dtype.kind == "f" and draw(st.booleans()):
        x.flat[0] = np.inf
    kwargs = {"mode": draw(st.sampled_from(MODES)), "cval": cval, "output": output and np.dtype(output)}
    if draw(st.booleans()):
        count = int(np.prod(extent))
        kwargs["footprint"] = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count))).reshape(extent)
    else:
        kwargs["size"] = extent
    kwargs["origin"] = [draw(st.integers(-(n // 2), (n - 1) // 2)) for n in extent]
    return np.asfortranarray(x)[::-1] if draw(st.booleans()) else x, kwargs


SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@SLOW
@given(window_calls(), st.sampled_from([1.0, -0.75]))
def test_windows_of_every_kind(way, call, scale):
    x, kwargs = call
    extra = {"extra_arguments": (scale,), "extra_keywords": {"n": 3}}
    with np.errstate(all="ignore"):
        want = sn.generic_filter(x, weighted, **kwargs, **extra)
    compare(ndimage.generic_filter(gs.asarray(x), WEIGHTED, **kwargs, **extra), want)


@SLOW
@given(st.data())
def test_lines_of_every_kind(way, data_):
    draw = data_.draw
    shape = tuple(draw(st.lists(st.integers(1, 8), min_size=1, max_size=3)))
    x, size = data(shape, draw(st.sampled_from(REAL)), draw(st.integers(0, 99))), draw(st.integers(1, 5))
    kwargs = {
        "axis": draw(st.integers(-len(shape), len(shape) - 1)), "mode": draw(st.sampled_from(MODES[:5])), "cval": 1.5,
        "origin": draw(st.integers(-(size // 2), (size - 1) // 2)), "extra_arguments": (0.5,),
        "output": draw(st.sampled_from([None, np.float32, np.float64, np.int32])),
    }  # fmt: skip
    if draw(st.booleans()):
        x = x.T
    compare(ndimage.generic_filter1d(gs.asarray(x), STEPS, size, **kwargs), sn.generic_filter1d(x, steps, size, **kwargs))


@pytest.mark.parametrize("dtype", REAL)
def test_dtypes(way, dtype):
    x = data((7, 9), dtype)
    compare(ndimage.generic_filter(gs.asarray(x), WEIGHTED, 2, extra_arguments=(0.5, -2)), sn.generic_filter(x, weighted, 2,
            extra_arguments=(0.5, -2)))  # fmt: skip


def test_four_axes(way):
    x, kwargs = data((3, 4, 5, 2), "d"), {"size": (2, 1, 3, 2), "mode": "mirror", "extra_arguments": (0.5, 0)}
    compare(ndimage.generic_filter(gs.asarray(x), WEIGHTED, **kwargs), sn.generic_filter(x, weighted, **kwargs))


def test_line_modes_that_scipy_refuses(way):
    x = data((3, 5), "d")
    for ours, same in (("grid-wrap", "wrap"), ("grid-constant", "constant"), ("grid-mirror", "reflect")):
        got = ndimage.generic_filter1d(gs.asarray(x), STEPS, 4, axis=0, mode=ours, extra_arguments=(1,))
        compare(got, sn.generic_filter1d(x, steps, 4, axis=0, mode=same, extra_arguments=(1,)))


def test_axes(way):
    x = data((4, 5, 6), "f")
    for axes in ((0, 2), (2, 0), (-1,), 1):
        n = np.size(axes)
        kwargs = {"size": (3, 2, 1)[:n], "axes": axes, "origin": (-1, 0, 0)[:n], "extra_arguments": (1.0, 0)}
        sizes = dict(zip(np.atleast_1d(axes) % 3, kwargs["size"], strict=True))         # SciPy 1.17 reads them by the axes' order
        want = sn.generic_filter(x, weighted, **kwargs | {"size": [sizes[axis] for axis in sorted(sizes)]})
        compare(ndimage.generic_filter(gs.asarray(x), WEIGHTED, **kwargs), want)


def test_large_windows(way):
    x = data((30, 25), "f")
    for kwargs in ({"size": 21}, {"size": (70, 3), "mode": "mirror"}, {"footprint": RNG.random((21, 40)) < 0.3, "mode": "wrap"}):
        compare(ndimage.generic_filter(gs.asarray(x), WEIGHTED, extra_arguments=(1, 0), **kwargs),
                sn.generic_filter(x, weighted, extra_arguments=(1, 0), **kwargs))  # fmt: skip


def norm(w):
    s = 0.0
    for v in w.tolist():
        s += v * v
    return np.sqrt(s)


@pytest.mark.parametrize("dtype", "Bd")
def test_reductions(way, dtype):
    x = data((9, 11), dtype)
    for mode in MODES:
        kwargs = {"footprint": np.array([[0, 1, 0], [1, 1, 1]], bool), "mode": mode, "cval": 2}
        compare(ndimage.generic_filter(gs.asarray(x), LARGEST, **kwargs), sn.maximum_filter(x, **kwargs))
        compare(ndimage.generic_filter(gs.asarray(x), NORM, **kwargs), sn.generic_filter(x, norm, **kwargs))


def test_a_reduction_works_in_its_own_types(way):
    """As CuPy's: T is the array's dtype, so int64 stays exact where a window of doubles would round."""
    x = np.array([2**53 + 1, 5, 2**60 + 1, 7])
    np.testing.assert_array_equal(gs.asnumpy(ndimage.generic_filter(gs.asarray(x), LARGEST, 2)), [x[0], x[0], x[2], x[2]])
    total = gs.ReductionKernel("T x", "U y", "x", "a + b", "y = a", "0", "total", reduce_type="int64")
    got = ndimage.generic_filter(gs.asarray(np.full(5, 200, np.uint8)), total, 3, output=np.int32)
    np.testing.assert_array_equal(gs.asnumpy(got), np.full(5, 600, np.int32))


def test_raw_kernels(way):
    x = data((12, 30), "f")
    for size in (3, 9, (20, 25)):
        compare(ndimage.generic_filter(gs.asarray(x), RAW, size, mode="wrap"), sn.generic_filter(x, raw, size, mode="wrap"))
    for axis in (0, 1):
        compare(ndimage.generic_filter1d(gs.asarray(x), RAW_LINE, 4, axis, origin=1), sn.generic_filter1d(x, raw_line, 4, axis, origin=1))
    with pytest.raises(ValueError, match="2048 values.*WindowKernel"):
        ndimage.generic_filter(x, RAW, 46)
    with pytest.raises(ValueError, match="#define"):
        ndimage.generic_filter(x, gs.RawKernel(RAW.code, "read", options=("-DN=2",)), 3)


def test_names_of_the_users_do_not_meet_ours_or_the_systems(way):
    x = data(9, "d")
    for name in ("sum", "edge", "half"):
        kernel = gs.WindowKernel("return twice(w[1]);", name=name, preamble="HD double twice(double x) { return 2 * x; }")
        compare(ndimage.generic_filter(gs.asarray(x), kernel, 3), 2 * x)
    for name in ("read", "write"):
        kernel = gs.RawKernel(f'extern "C" __global__ void {name}(double* in, int n, double* out) {{ *out = in[1]; }}', name)
        compare(ndimage.generic_filter(gs.asarray(x), kernel, 3), x)


def test_math_functions_are_those_of_double(way):
    """`abs` would be C's, of int, on the host; min and max are only CUDA's."""
    x = np.array([-0.5, 0.25, 3.5])
    kernel = gs.WindowKernel("return min(abs(w[0]), 2.0) + max(w[0], 0.0);", name="mixed")
    compare(ndimage.generic_filter(gs.asarray(x), kernel, 1), np.minimum(abs(x), 2) + np.maximum(x, 0))


def test_output_and_layouts(way):
    x, extra = data((8, 10), "d"), {"extra_arguments": (1.0, 0)}
    want = sn.generic_filter(x, weighted, 3, **extra)
    lines = sn.generic_filter1d(x, steps, 3, 0, extra_arguments=(0.5,))
    y = gs.asarray(x.copy())
    assert ndimage.generic_filter(y, WEIGHTED, 3, output=y, **extra) is y
    compare(y, want)
    y = gs.asarray(x.copy())
    assert ndimage.generic_filter1d(y, STEPS, 3, 0, output=y, extra_arguments=(0.5,)) is y
    compare(y, lines)
    memory = gs.asarray(np.concatenate([x, x[:2]]))
    ndimage.generic_filter(memory[:8], WEIGHTED, 3, output=memory[2:], **extra)
    compare(memory[2:], want)
    strided = gs.zeros((8, 20))[:, ::2]
    ndimage.generic_filter(gs.asarray(x), WEIGHTED, 3, output=strided, **extra)
    compare(strided, want)
    plain = np.zeros((10, 8)).T
    assert ndimage.generic_filter(x, WEIGHTED, 3, output=plain, **extra) is plain
    compare(plain, want)
    frozen = x.copy()
    frozen.flags.writeable = False
    for view in (x.T, x[::-1, ::2], frozen, x.astype(">f4"), x.tolist(), np.float32(3), x[:, :0], np.zeros((0, 3))):
        got = ndimage.generic_filter(view, WEIGHTED, 2, **extra)
        assert isinstance(got, (np.ndarray, np.generic))
        expected = sn.generic_filter(view, weighted, 2, **extra)
        compare(got, expected.astype(expected.dtype.newbyteorder("=")))
        if np.ndim(view):
            expected = sn.generic_filter1d(view, steps, 2, extra_arguments=(1,)) if np.size(view) else np.asarray(view)
            compare(ndimage.generic_filter1d(view, STEPS, 2, extra_arguments=(1,)), expected.astype(expected.dtype.newbyteorder("=")))


def test_empty_footprint(way):
    count = gs.WindowKernel("return w.size();", name="count")
    np.testing.assert_array_equal(ndimage.generic_filter(np.ones((3, 4)), count, footprint=np.zeros((3, 3))), np.zeros((3, 4)))
    with pytest.raises(ValueError, match="identity"):
        ndimage.generic_filter(np.ones((3, 4)), LARGEST, footprint=np.zeros((3, 3)))


def test_sizes_modes_and_parameters_compile_nothing(monkeypatch):
    loads, device = [], gs.current_device()
    load = type(device).load
    monkeypatch.setattr(type(device), "load", lambda self, entry, *a, **k: loads.append(entry) or load(self, entry, *a, **k))
    _forget()
    for n, mode in zip(range(3, 11), MODES, strict=True):
        x = gs.asarray(data((n, 2 * n), "f"))
        ndimage.generic_filter(x, WEIGHTED, n, mode=mode, cval=n, extra_arguments=(n, n))
        again = gs.WindowKernel(WEIGHTED.operation, "float64 scale, int64 n", name="weighted")
        ndimage.generic_filter(x, again, footprint=RNG.random((n, 3)) < 0.5, mode=mode, extra_arguments=(n, n))
        ndimage.generic_filter1d(x, STEPS, n, mode=mode, extra_arguments=(0.1 * n,))
    assert len(loads) == len(set(loads)) and sum("user_window" in entry for entry in loads) == 1
    assert sum("user_line" in entry for entry in loads) == 1


def test_parameters(way):
    x = data(6, "d")
    kernel = gs.WindowKernel("return a * w[0] + b + (c ? 1 : 0) + double(d);", "float32 a, uint64 b, bool c, int8 d", name="sums")
    got = ndimage.generic_filter(gs.asarray(x), kernel, 1, extra_arguments=(0.1, 2**63), extra_keywords={"d": np.int8(-3), "c": True})
    np.testing.assert_array_equal(gs.asnumpy(got), np.float64(np.float32(0.1)) * x + 2.0**63 + 1 - 3)
    for args, keywords, message in (
        ((1, 2, 3, 4, 5), {}, "takes 4"), ((1,), {"a": 2}, "twice"), ((), {"e": 2}, "unknown"), ((1, 2), {"c": 0}, "lacks.*'d'"),
        (("1", 2, 0, 0), {}, "'a' must be a number"), ((1, 2.5, 0, 0), {}, "'b'"), ((1, 2, 0, 300), {}, "'d'"), ((1j, 2, 0, 0), {}, "'a'"),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=message):
            ndimage.generic_filter(x, kernel, 1, extra_arguments=args, extra_keywords=keywords)
    for params in ("raw float64 a", "T a", "complex128 a", "float64 w", "float64 a, int64 a"):
        with pytest.raises(ValueError, match="kernel bad"):
            gs.WindowKernel("return 0;", params, name="bad")
    with pytest.raises(ValueError, match="identifier"):
        gs.LineKernel("out[0] = 0;", name="a b")


def test_wrong_kernels():
    x = data((4, 5), "d")
    two = gs.ReductionKernel("T x, T z", "T y", "x * z", "a + b", "y = a", "0", "dot")
    whole = gs.ReductionKernel("raw T x", "T y", "x[i]", "a + b", "y = a", "0", "whole")
    element = gs.ElementwiseKernel("T x", "T y", "y = x", "copy")
    for kernel, message in ((two, "one input"), (whole, "one input"), (element, "Elementwise.*WindowKernel"), (STEPS, "LineKernel")):
        with pytest.raises(TypeError, match=message):
            ndimage.generic_filter(x, kernel, 3)
    for kernel in (WEIGHTED, LARGEST, element):
        with pytest.raises(TypeError, match="use a LineKernel"):
            ndimage.generic_filter1d(x, kernel, 3)
    with pytest.raises(TypeError, match="no extra arguments"):
        ndimage.generic_filter(x, LARGEST, 3, extra_arguments=(1,))
    with pytest.raises(TypeError, match="Complex"):
        ndimage.generic_filter(x + 1j, WEIGHTED, 3)
    with pytest.raises(RuntimeError, match="not supported"):
        ndimage.generic_filter(x.astype("e"), WEIGHTED, 3, extra_arguments=(1, 1))
    for f, bad in ((ndimage.generic_filter, {"size": 3, "origin": 2}), (ndimage.generic_filter1d, {"filter_size": 3, "origin": -2})):
        with pytest.raises(ValueError, match="origin"):
            f(x, WEIGHTED if "size" in bad else STEPS, extra_arguments=(1, 1), **bad)


BAD = [
    (gs.WindowKernel("double s = 0;\ns += absent;\nreturn s;", name="bad"), r">\s+2 \| s \+= absent;.*absent"),
    (gs.WindowKernel("if (w[0] > 0)\n    return 1;", name="bad"), r"2 \|     return 1;.*return"),
    (gs.ReductionKernel("T x", "T y", "x + absent", "a + b", "y = a", "0", "bad"), r"1 \| x \+ absent.*absent"),
    (gs.RawKernel('extern "C" __global__ void bad(double* x, int n, double* y) {\n    *y = absent; }', "bad"),
     r">\s+2 \|     \*y = absent; }.*absent"),
]  # fmt: skip


@pytest.mark.parametrize("kernel, message", BAD, ids=lambda v: type(v).__name__)
def test_a_wrong_text_shows_the_users_lines(kernel, message):
    with pytest.raises(compiler.CompileError, match="function bad does not compile") as caught:
        ndimage.generic_filter(data((4, 5), "d"), kernel, 3)
    assert re.search(message, str(caught.value), re.DOTALL)


@pytest.mark.parametrize("wide", [False, True])
def test_compile_for_both_devices(wide):
    d, u = np.dtype("d"), np.dtype("B")
    for row, template in (
        (_generic_kernels.window_row(WEIGHTED, d, u, 9), (d, u, 2)), (_generic_kernels.window_row(LARGEST, u, u, 9), (u, u, 2)),
        (_generic_kernels.window_row(NORM, u, d, 9), (u, d, 3)), (_generic_kernels.window_row(RAW, d, d, 900), (d, d, 2)),
        (_generic_kernels.line_row(STEPS), ()), (_generic_kernels.line_row(RAW_LINE), ()),
    ):  # fmt: skip
        source = row.source(template, wide)
        assert compiler.compile_cuda(source, name=row.name, arch="sm_90")[:4] == b"\x7fELF"
        compiler.compile_host(source, name=row.name)
