"""Element-wise kernels below the ufuncs: walking memory, copyto, fill, tiled transposition, compiling."""

import ctypes
import itertools
import mmap
import platform

import numpy as np
import pytest
import ways
from block_emulator import emulate_blocks
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

import gpusci as gs
from gpusci.core import compiler, elementwise, ufuncs
from gpusci.core._dtypes import DTYPES
from gpusci.core._launch import Function
from gpusci.core._loop import collapse
from gpusci.core._ndarray import from_numpy
from gpusci.core.elementwise import Elementwise, copyto, overlaps, vector_shape
from gpusci.core.kernel import Functor
from gpusci.core.ufunc import Ufunc


@pytest.fixture(params=ways.WAYS)
def way(request):
    with ways.use(request.param):
        yield request.param


@pytest.fixture(params=ways.KERNELS)
def kernels(request):
    with ways.use(request.param):
        yield request.param


def layouts(a):
    """The same values in many memory layouts."""
    yield "C", np.ascontiguousarray(a)
    yield "F", np.asfortranarray(a)
    wide = np.zeros([2 * n for n in a.shape], a.dtype)
    wide[tuple([slice(None, None, 2)] * a.ndim)] = a
    yield "strided", wide[tuple([slice(None, None, 2)] * a.ndim)]
    yield "reversed", np.ascontiguousarray(a[tuple([slice(None, None, -1)] * a.ndim)])[tuple([slice(None, None, -1)] * a.ndim)]
    shifted = np.zeros(a.size + 3, a.dtype)[3:].reshape(a.shape)
    shifted[...] = a
    yield "unaligned to vectors", shifted


@pytest.mark.parametrize("shape", [(1,), (7,), (1000,), (3, 5), (40, 1), (1, 40), (33, 65), (4, 5, 6), (2, 3, 4, 5, 6)])
def test_every_layout_of_input_and_output(way, shape):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=shape).astype("f"), rng.normal(size=shape).astype("f")
    for (_, x), (_, y), (_, z) in itertools.product(layouts(a), layouts(b), layouts(np.zeros_like(a))):
        out = ways.put(z)
        assert gs.add(ways.put(x), ways.put(y), out=out) is out
        np.testing.assert_array_equal(gs.asnumpy(out), a + b)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 255, 256, 257, 511, 513, 4095, 4097])
@pytest.mark.parametrize("char", "bhfdD")
def test_lengths_around_vectors_and_tiles(way, n, char):
    x = (np.arange(n + 5) % 50).astype(char)
    for start in range(5):
        part = x[start : start + n]
        np.testing.assert_array_equal(gs.asnumpy(gs.multiply(ways.put(part), ways.put(part))), part * part)


def test_rows_of_other_alignment_than_the_output(way):
    x = np.arange(7 * 1001, dtype="f").reshape(7, 1001)
    for view in (x[:, 1:], x[:, 3:998], x[1::2, 2:], x[::-1, 1:], x[:, :40], x[:, ::2], x.T[:, 1:]):
        np.testing.assert_array_equal(gs.asnumpy(gs.add(ways.put(view), ways.put(view[0]))), view + view[0])


def test_broadcasting(way):
    rng = np.random.default_rng(1)
    shapes = [(5, 1, 7), (4, 7), (1,), (), (5, 4, 1), (1, 1, 1)]
    arrays = [rng.integers(-9, 9, s) for s in shapes]
    for a, b in itertools.product(arrays, arrays):
        np.testing.assert_array_equal(gs.asnumpy(gs.subtract(gs.asarray(a), gs.asarray(b))), a - b)
    stretched = np.broadcast_to(rng.normal(size=(3, 1)), (3, 300))
    np.testing.assert_array_equal(gs.asnumpy(gs.multiply(ways.put(stretched), 2.0)), stretched * 2)


def test_many_dimensions(way):
    x = np.arange(2**16, dtype="i4").reshape((2,) * 16)
    y = x.transpose(np.random.default_rng(2).permutation(16))
    np.testing.assert_array_equal(gs.asnumpy(gs.add(ways.put(x), ways.put(y))), x + y)
    deep = np.ones((1,) * 63 + (3,))
    np.testing.assert_array_equal(gs.asnumpy(gs.add(ways.put(deep), 1)), deep + 1)


def test_mixed_dtypes_cast_at_load_and_store(kernels):
    loop = ufuncs.add.row.loop
    chars = "?bHiQefdD"
    for (i, a), (j, b) in itertools.product(enumerate(chars), repeat=2):
        # A load or a store knows its own dtype and the loop's only: every pair is met, not every triple (minutes of g++).
        c = "D" if "D" in (a, b) else chars[(i + 2 * j) % 9]
        x, y = np.arange(2, 32).astype(a), np.arange(1, 31).astype(b)
        out = gs.empty(30, c)
        mid = np.result_type(a, b, c)
        dtypes = (DTYPES[np.dtype(mid.str).char.replace("l", "q").replace("L", "Q")],) * 3
        loop(dtypes, (DTYPES[a], DTYPES[b], DTYPES[c]), out.device)((gs.asarray(x), gs.asarray(y), out))
        want = np.add(x.astype(mid), y.astype(mid)).astype(c)
        np.testing.assert_array_equal(gs.asnumpy(out), want, err_msg=f"{a}{b}->{c}")


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="C leaves these values open; x86's are the rule here")
@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("char", "bBhHiIqQ")
def test_floats_outside_an_integer_type(way, char):
    """Unsigned types wrap, as x86's instructions do it in NumPy; a GPU's own would saturate."""
    values = [0.0, -0.5, -1, -3, -3.7, 126.5, 127, 128, 255, 256, 300, 32768, 65535, 65536, -70000, 2**31 - 1, 2**31, -(2**31), 3e9]
    values += [-(2**31) - 1, 2**32 - 1, 2**32, 5e9, -3e9, 2.0**62, 2.0**63, -(2.0**63), 1e19, 2.0**64, -1e19, 1e30, np.inf, -np.inf, np.nan]
    for source in "efd":
        with np.errstate(over="ignore", invalid="ignore"):
            # Whole vectors: NumPy's uint32 leftovers of a line come from other instructions than its vectors.
            x = np.tile(np.array(values).astype(source), 16)
            x = x[np.isfinite(x)] if source == "e" else x       # NumPy has other instructions for half, and other leftovers
            want = x.astype(char)
        np.testing.assert_array_equal(gs.asnumpy(gs.asarray(x).astype(char)), want)


# ---- layout algebra
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_collapsed_walk_visits_what_the_arrays_hold(data):
    ndim = data.draw(st.integers(1, 5))
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=ndim, max_size=ndim)))
    order = data.draw(st.permutations(range(ndim)))
    source = np.arange(np.prod(shape, dtype=int)).reshape([shape[d] for d in order]).transpose(np.argsort(order))
    if data.draw(st.booleans()):
        source = np.broadcast_to(source[:1], shape)
    with gs.device("host"):
        dst, src = gs.empty(shape, "q"), ways.put(source)
        merged, to, of = collapse(dst, src)
        walk = [as_strided(x.numpy(), merged, [8 * s for s in strides]) for x, strides in ((dst, to), (src, of))]
        walk[0][...] = walk[1]
    np.testing.assert_array_equal(dst.numpy(), source)
    assert all(n > 1 for n in merged) and len(merged) <= ndim


def test_contiguous_arrays_collapse_to_one_dimension():
    with gs.device("host"):
        x = gs.empty((3, 4, 5, 1), "f")
        assert collapse(x, x) == ([60], [1], [1])
        assert collapse(x.T, x.T) == ([60], [1], [1])
        assert collapse(x[:, 1:], x[:, 1:]) == ([3, 15], [20, 1], [20, 1])


def test_output_keeps_the_inputs_memory_order(way):
    for order in itertools.permutations(range(3)):
        x = np.zeros((3, 4, 5), "f").transpose(order)
        assert gs.negative(ways.put(x)).strides == np.negative(x).strides
        assert gs.add(ways.put(x), ways.put(x[0])).strides == np.add(x, x[0]).strides
        for way_of in "CFAK":
            assert gs.negative(ways.put(x), order=way_of).strides == np.negative(x, order=way_of).strides


# ---- vectors
def test_vector_shapes_bound_bytes_and_registers():
    for chars in itertools.product("?befdD", repeat=3):
        sizes = [np.dtype(c).itemsize for c in chars]
        v, u = vector_shape("light", 2, [np.dtype(c) for c in chars])
        assert v * min(sizes) <= 16 and u * v <= 16 and v & (v - 1) == 0
    assert vector_shape("light", 2, [np.dtype("f")] * 3) == (4, 2)
    assert vector_shape("light", 1, [np.dtype("f")] * 2) == (4, 4)
    assert vector_shape("heavy", 1, [np.dtype("f")] * 2) == (1, 1)
    with pytest.raises(ValueError, match="cost must be one of"):
        Elementwise(Functor("op::add", "gpusci/functors.h"), 2, cost="free", first=[DTYPES["f"]] * 3)


# ---- the GPU's walk, thread by thread on the host: vectors, alignment, tails
class EmulatedGpu:
    """A device whose at-form is the GPU's, compiled by g++ and called once for every thread."""

    kind, index, uses_numpy, name = "cuda", -1, False, "emulated"
    HEAD = """
    #define GPUSCI_CUDA 1
    struct alignas(16) uint4 { unsigned x, y, z, w; };
    struct alignas(8) uint2 { unsigned x, y; };
    #include <gpusci/entry.h>
    #undef GPUSCI_ENTRY
    #define GPUSCI_ENTRY(INDEX, ...)                                                            \\
        extern "C" void gpusci_entry(int64_t begin, int64_t end, const void* args) {            \\
            for (int64_t i = begin; i < end; ++i)                                               \\
                __VA_ARGS__::at(INDEX(i), *static_cast<const typename __VA_ARGS__::Args*>(args)); \\
        }
    """

    def load(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        library = ctypes.CDLL(compiler.compile_host(self.HEAD + entry, name=f"emulated_{name}"))
        return Function(ctypes.cast(library.gpusci_entry, ctypes.c_void_p).value, -1, library, threads, 1 << 40)


EMULATED = EmulatedGpu()


def guarded(a, at_end):
    """A copy that ends (or begins) at a page which faults when touched."""
    page = mmap.PAGESIZE
    pages = -(-a.nbytes // page) + 2
    region = mmap.mmap(-1, pages * page)
    base = ctypes.addressof(ctypes.c_char.from_buffer(region))
    libc = ctypes.CDLL(None)
    for guard in (0, pages - 1):
        assert libc.mprotect(ctypes.c_void_p(base + guard * page), page, 0) == 0
    start = page if not at_end else (pages - 1) * page - a.nbytes
    copy = np.ndarray(a.shape, a.dtype, region, start)
    copy[...] = a
    return copy


@pytest.mark.parametrize("n", [1, 3, 4, 5, 8, 250, 1024, 1029, 2048 * 3 + 7])
@pytest.mark.parametrize("chars", ["fff", "bbb", "ddd", "eee", "DDD", "fd?", "bdd", "hhd"])
def test_gpu_walk_of_lines(n, chars):
    dtypes = tuple(DTYPES[c] for c in chars)
    memory = [DTYPES[c] for c in chars]
    mid = DTYPES[np.result_type(*memory).char] if chars != "fd?" else DTYPES["d"]
    loop = ufuncs.add.row.loop((mid,) * 3, memory, EMULATED)
    rng = np.random.default_rng(n)
    a, b = (rng.integers(0, 50, n + 3).astype(d) for d in dtypes[:2])
    for at_end in (False, True):
        x, y = guarded(a, at_end), guarded(b, at_end)
        z = guarded(np.zeros(n + 3, dtypes[2]), at_end)
        for i, j, k in [(0, 0, 0), (1, 1, 1), (3, 0, 2), (0, 2, 3), (2, 3, 0)]:
            z[...] = 0
            loop((put(x[i : i + n]), put(y[j : j + n]), put(z[k : k + n])))
            want = np.zeros(n + 3, dtypes[2])
            want[k : k + n] = x[i : i + n].astype(mid) + y[j : j + n]
            np.testing.assert_array_equal(z, want)


def test_gpu_walk_of_rows_and_broadcasts():
    rng = np.random.default_rng(4)
    f = DTYPES["f"]
    loop = ufuncs.subtract.row.loop((f,) * 3, (f,) * 3, EMULATED)
    masked = ufuncs.subtract.row.loop((f,) * 3, (f,) * 3, EMULATED, True)
    a = rng.normal(size=(6, 5, 41)).astype("f")
    views = [a, a[:, :, 1:], a[:, 1:, :40], a[::2, :, 2:], a[..., ::2], a.transpose(1, 0, 2), a.transpose(2, 1, 0)]
    for x in [*views, a[..., ::-1], a[:, :, :3]]:
        padded = np.zeros((*x.shape[:2], x.shape[2] + 3), "f")
        for y in (x, x[0], x[:, :1], x[:, :, :1], x[:1, :, :1]):
            for z in (np.zeros(x.shape, "f"), padded[..., 2:-1], np.zeros_like(x), np.zeros(x.shape, "f")[::-1]):
                loop((put(x), put(y), put(z)))
                np.testing.assert_array_equal(z, x - y)
                mask = rng.random(x.shape) > 0.5
                z[...] = 7
                masked((put(x), put(y), put(z), put(mask)))
                np.testing.assert_array_equal(z, np.where(mask, x - y, np.float32(7)))


def test_gpu_walk_with_scalars_and_two_outputs():
    d, i = DTYPES["d"], DTYPES["i"]
    x, m, e = np.linspace(-3, 9, 1003), np.zeros(1005)[1:-1], np.zeros(1003, "i")
    ufuncs.frexp.row.loop((d, d, i), (d, d, i), EMULATED)((put(x), put(m), put(e)))
    for got, want in zip((m, e), np.frexp(x), strict=True):
        np.testing.assert_array_equal(got, want)
    ufuncs.multiply.row.loop((d,) * 3, (d,) * 3, EMULATED)((put(x), elementwise.as_scalar(2.5, d), put(m)))
    np.testing.assert_array_equal(m, x * 2.5)
    z, c = np.zeros(77, "D"), DTYPES["D"]
    ufuncs.multiply.row.loop((c,) * 3, (c,) * 3, EMULATED)((elementwise.as_scalar(1 + 2j, c), put(z + 1j), put(z)))
    np.testing.assert_array_equal(z, np.full(77, (1 + 2j) * 1j))


def test_gpu_walk_of_large_crossing_inputs():
    f = DTYPES["f"]
    x = np.arange(1024 * 1030, dtype="f").reshape(1030, 1024)
    z = np.zeros((1024, 1030), "f")
    ufuncs.subtract.row.loop((f,) * 3, (f,) * 3, EMULATED)((put(x.T), put(x[:, 0].copy()), put(z)))
    np.testing.assert_array_equal(z, x.T - x[:, 0])


def test_gpu_walk_with_64_bit_indices(monkeypatch):
    f = DTYPES["f"]
    row = Elementwise(Functor("op::add", "gpusci/functors.h"), 2, cost="light")
    load = row.kernel.function
    monkeypatch.setattr(row.kernel, "function", lambda device, template, wide: load(device, template, True))
    x = np.arange(35 * 77, dtype="f").reshape(35, 77)[:, 1:]
    z = np.zeros((35, 76), "f")
    row.loop((f,) * 3, (f,) * 3, EMULATED)((put(x), put(x[0]), put(z)))
    np.testing.assert_array_equal(z, x + x[0])


def put(a):
    """A host array of ours on a NumPy array's memory."""
    return from_numpy(a)


# ---- copyto and fill
@pytest.mark.parametrize("shape", [(0,), (1,), (17,), (33, 70), (70, 33), (4, 20, 30), (3, 0, 2)])
@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize("pair", ["ff", "dd", "bb", "ee", "DD", "fd", "df", "?i", "i?", "fe", "Fd", "qB"])
def test_copyto_between_layouts(way, shape, pair):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(pair[0])
    for (_, x), (_, y) in itertools.product(layouts(a), layouts(np.zeros(shape, pair[1]))):
        dst = ways.put(y)
        copyto(dst, ways.put(x), casting="unsafe")
        np.testing.assert_array_equal(gs.asnumpy(dst), x.astype(pair[1]) if pair != "Fd" else x.real.astype("d"))


def test_copyto_broadcasts_and_masks(way):
    want = np.zeros((4, 5))
    dst = gs.asarray(want)
    np.copyto(want, np.arange(5.0))
    copyto(dst, gs.arange(5.0))
    np.testing.assert_array_equal(gs.asnumpy(dst), want)
    mask = np.arange(20).reshape(4, 5) % 3 == 0
    np.copyto(want, np.arange(4)[:, None], where=mask)
    copyto(dst, gs.asarray(np.arange(4)[:, None]), where=gs.asarray(mask))
    np.testing.assert_array_equal(gs.asnumpy(dst), want)
    np.copyto(want, 7, where=mask[0])
    copyto(dst, 7, where=mask[0])
    np.testing.assert_array_equal(gs.asnumpy(dst), want)
    copyto(dst, np.ones((1, 1, 5)))         # surplus leading ones are dropped, as in an assignment
    np.testing.assert_array_equal(gs.asnumpy(dst), np.ones((4, 5)))


@pytest.mark.parametrize("shape, mask", [((0,), (3,)), ((0, 3), (2, 3)), ((3, 0), (3,)), ((2, 3), (2,)), ((3,), (1, 3)), ((), (1,))])
def test_copyto_refuses_masks_that_do_not_fit(way, shape, mask):
    with pytest.raises(ValueError, match="could not broadcast where mask from shape"):
        copyto(gs.zeros(shape), 1, where=np.ones(mask, bool))
    with pytest.raises(ValueError, match="could not broadcast where mask from shape"):
        copyto(gs.zeros(shape), gs.zeros(shape), where=gs.ones(mask, bool))


@pytest.mark.parametrize("char", "?bBhHiIqQefdFD")
def test_fill(way, char):
    for shape in [(), (1,), (100,), (7, 9)]:
        x = gs.empty(shape, char)
        x.fill(1)
        np.testing.assert_array_equal(gs.asnumpy(x), np.ones(shape, char))
    y = gs.zeros((6, 8), char)
    y[::2, 1:-1].fill(np.float64(3.7))
    want = np.zeros((6, 8), char)
    want[::2, 1:-1] = np.float64(3.7)
    np.testing.assert_array_equal(gs.asnumpy(y), want)


def test_fill_errors(way):
    with pytest.raises(OverflowError, match="300 out of bounds for int8"):
        gs.zeros(3, "b").fill(300)
    with pytest.raises(ValueError, match="setting an array element with a sequence"):
        gs.zeros(3).fill(gs.zeros(3))
    x = gs.zeros(3)
    x.fill(gs.asarray(2.5))
    assert gs.asnumpy(x).tolist() == [2.5] * 3


def test_discarding_an_imaginary_part_warns(way):
    with pytest.warns(np.exceptions.ComplexWarning):
        copyto(gs.zeros(3), gs.ones(3, "D"), casting="unsafe")


def test_copyto_keeps_nan_payloads(kernels):
    bits = np.array([0x7E01, 0xFE33, 0x7C01, 0x3C00], np.uint16)
    dst = gs.empty(4, "e")[::-1]
    copyto(dst, gs.asarray(bits.view("e")))
    np.testing.assert_array_equal(gs.asnumpy(dst).copy().view(np.uint16), bits)


def test_copyto_with_overlap(way):
    for to, of in [(np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:]), (np.s_[::-1], np.s_[:]), (np.s_[:], np.s_[:])]:
        want = np.arange(1000.0)
        x = gs.asarray(want)
        copyto(x[to], x[of])
        want[to] = want[of].copy()
        np.testing.assert_array_equal(gs.asnumpy(x), want)
    square = np.arange(64.0).reshape(8, 8)
    x = gs.asarray(square.copy())
    copyto(x, x.T)
    np.testing.assert_array_equal(gs.asnumpy(x), square.T)


def test_overlap_is_exact(kernels):
    x = gs.arange(20.0)
    assert overlaps(x[1:], x[:-1]) and not overlaps(x[::2], x[1::2]) and not overlaps(x, x)
    assert overlaps(x[::-1], x) and not overlaps(x, gs.arange(20.0))
    assert overlaps(x.view("f"), x[:].view("q").view("f")[::-1])


def test_copyto_errors(way):
    x = gs.zeros((2, 3))
    with pytest.raises(ValueError, match="could not broadcast"):
        copyto(x, gs.zeros(2))
    with pytest.raises(ValueError, match="could not broadcast"):
        copyto(x, gs.zeros((2, 2, 3)))
    with pytest.raises(TypeError, match="Cannot cast"):
        copyto(gs.zeros(3, "q"), gs.zeros(3))
    with pytest.raises(TypeError, match="Cannot cast"):
        copyto(gs.zeros(3, "q"), 2.5)
    with pytest.raises(OverflowError, match="300 out of bounds for int8"):
        copyto(gs.zeros(3, "b"), 300)
    with pytest.raises(TypeError, match="bool"):
        copyto(x, 1.0, where=gs.ones((2, 3)))
    with pytest.raises(TypeError, match="argument 1"):
        copyto(np.zeros(3), 1.0)
    frozen = ways.put(np.broadcast_to(np.zeros(1), 3))
    if not frozen.flags.writeable:
        with pytest.raises(ValueError, match="read-only"):
            copyto(frozen, 1.0)


def test_large_transposed_copy(way):
    for shape, axes in [((600, 700), (1, 0)), ((300, 5, 400), (2, 1, 0)), ((3, 400, 600), (0, 2, 1))]:
        x = np.arange(np.prod(shape), dtype="f").reshape(shape)
        np.testing.assert_array_equal(gs.asnumpy(gs.asarray(x).transpose(axes).copy()), x.transpose(axes))
        assert gs.asarray(x).transpose(axes).astype("d").dtype == np.float64


# ---- the tiled kernel
@pytest.mark.parametrize("pair", ["ff", "bb", "dd", "DD", "ef", "df"])
def test_tiled_transposition(monkeypatch, tmp_path_factory, pair):
    emulate_blocks(monkeypatch, tmp_path_factory.getbasetemp())
    rng = np.random.default_rng(3)
    with gs.device("host"):
        for shape, axes in [((100, 70), (1, 0)), ((3, 65, 33), (0, 2, 1)), ((40, 2, 50), (2, 1, 0)), ((2, 17, 3, 64), (0, 3, 2, 1))]:
            a = rng.integers(0, 99, shape).astype(pair[0])
            src = gs.asarray(a).transpose(axes)
            dst = gs.zeros(src.shape, pair[1])
            assert elementwise._transposed(dst, src)
            np.testing.assert_array_equal(gs.asnumpy(dst), a.transpose(axes).astype(pair[1]))
        plain = gs.zeros((50, 50), "f")
        assert not elementwise._transposed(plain, gs.zeros((50, 50), "f"))
        assert not elementwise._transposed(plain[:, ::2], gs.zeros((25, 50), "f").T)
        assert not elementwise._transposed(gs.zeros((8, 50), "f"), gs.zeros((50, 8), "f").T)


# ---- compiling
def rows():
    return {row.__name__: row for row in vars(ufuncs).values() if isinstance(row, Ufunc)}


def every_loop(row):
    """One translation unit with an entry for each loop of a row."""
    parts = []
    for k, dtypes in enumerate(row._loops):
        template = row.row._template(dtypes, dtypes, False, *row.row._vector(dtypes, dtypes), 1)
        parts.append(f"#define gpusci_entry entry_{k}\n{row.row.kernel.source(template)}#undef gpusci_entry\n")
    return "".join(parts)


@pytest.mark.parametrize("name", sorted(rows()))
def test_every_loop_compiles_for_cuda(name):
    if not compiler.nvrtc_version():
        pytest.skip("NVRTC is not installed")
    cubin = compiler.compile_cuda(every_loop(rows()[name]), name=name, arch="sm_90")
    assert cubin.count(b".text.entry_") >= len(rows()[name]._loops)


@pytest.mark.parametrize("case", ["float16", "complex", "masked", "64-bit", "strided", "two outputs"])
def test_variants_compile_for_cuda(case):
    e, d, f = DTYPES["e"], DTYPES["D"], DTYPES["f"]
    row, dtypes, memory, masked, vector, rank, wide = {
        "float16": (ufuncs.add, (e,) * 3, (e, DTYPES["b"], e), False, (8, 2), 2, False),
        "complex": (ufuncs.arctanh, (d,) * 2, (d,) * 2, False, (1, 1), 1, False),
        "masked": (ufuncs.add, (f,) * 3, (f,) * 3, True, (4, 2), 1, False),
        "64-bit": (ufuncs.exp, (f,) * 2, (f,) * 2, False, (4, 4), 3, True),
        "strided": (ufuncs.add, (f,) * 3, (f,) * 3, False, (1, 2), 8, False),
        "two outputs": (ufuncs.divmod, (f,) * 4, (f,) * 4, False, (4, 1), 1, False),
    }[case]
    source = row.row.kernel.source(row.row._template(dtypes, memory, masked, *vector, rank), wide)
    assert len(compiler.compile_cuda(source, name=row.__name__, arch="sm_90")) > 1000


def test_another_shape_compiles_nothing(kernels, monkeypatch):
    x = gs.ones((30, 40), "f")
    gs.add(x, x[0])
    monkeypatch.setattr(type(x.device), "load", lambda *a, **k: pytest.fail("compiled again"))
    y = gs.ones((50, 64), "f")
    gs.add(y, y[0])
    gs.add(gs.ones((2, 77), "f"), gs.ones(77, "f"))
