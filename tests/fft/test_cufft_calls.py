"""The calls to cuFFT, without a GPU: an emulation that reads and writes memory exactly as cuFFT's advanced data layout says
(CUDA documentation, cuFFT 2.6) and that is strict where cuFFT is undefined."""

import ctypes
import inspect
import itertools
import types

import numpy as np
import pytest
import scipy.fft

import gpusci as gs
from gpusci.core.device import HOST
from gpusci.core.libraries import fft as library

TYPES = {0: "f", 1: "d", 4: "F", 5: "D"}


def memory(address, dtype, shape, strides):
    """A view of raw memory; strides in elements."""
    dtype = np.dtype(dtype)
    extent = sum((n - 1) * s for n, s in zip(shape, strides)) + 1
    raw = (ctypes.c_char * (extent * dtype.itemsize)).from_address(address)
    flat = np.frombuffer(raw, dtype, extent)
    return np.lib.stride_tricks.as_strided(flat, shape, [s * dtype.itemsize for s in strides])


class Cufft:
    def __init__(self):
        self.plans, self.areas, self.launches, self.ids = {}, {}, 0, itertools.count(1)

    def create(self):
        plan = next(self.ids)
        self.plans[plan] = None
        return plan

    def destroy(self, plan):
        del self.plans[plan]

    def set_auto_allocation(self, plan, auto_allocate):
        assert auto_allocate == 0

    def set_stream(self, plan, stream):
        assert stream == 0

    def set_work_area(self, plan, work_area):
        assert work_area
        self.areas[plan] = work_area

    def xt_make_plan_many(
        self, plan, rank, n, inembed, istride, idist, inputtype, onembed, ostride, odist, outputtype, batch, executiontype
    ):
        assert rank == len(n) == len(inembed) == len(onembed) <= 3
        assert min(*n, istride, idist, ostride, odist, batch) >= 1
        assert executiontype in (4, 5)
        self.plans[plan] = n, inembed, istride, idist, TYPES[inputtype], onembed, ostride, odist, TYPES[outputtype], batch
        return 1024

    @staticmethod
    def _view(address, n, embed, stride, dist, char, batch):
        assert address % (8 if char in "fF" else 16) == 0  # cuFFT wants the alignment of the complex type
        strides, step = [], stride
        for length in reversed(embed[1:]):
            strides.insert(0, step)
            step *= length
        for length, count in zip(embed[1:], n[1:]):
            assert length >= count
        return memory(address, char, (batch, *n), (dist, step, *strides))

    def xt_exec(self, plan, input, output, direction):
        n, inembed, istride, idist, ichar, onembed, ostride, odist, ochar, batch = self.plans[plan]
        half = (*n[:-1], n[-1] // 2 + 1)
        source = self._view(input, half if ichar in "FD" and ochar in "fd" else n, inembed, istride, idist, ichar, batch)
        target = self._view(output, half if ichar in "fd" else n, onembed, ostride, odist, ochar, batch)
        axes = range(1, len(n) + 1)
        self.launches += 1
        assert self.areas[plan] == self.area
        if ichar in "fd":
            assert direction == -1
            target[...] = scipy.fft.rfftn(source, axes=axes)
        elif ochar in "fd":
            assert direction == 1
            assert not source[..., 0].imag.any()  # what cuFFT does with such input is undefined
            target[...] = scipy.fft.irfftn(source.copy(), n, axes, norm="forward")
            source[...] = np.nan  # a complex-to-real transform may destroy its input
        else:
            f = scipy.fft.fftn if direction == -1 else scipy.fft.ifftn
            target[...] = f(source.copy(), axes=axes, norm="backward" if direction == -1 else "forward")


@pytest.fixture
def cufft(monkeypatch):
    fake, workspace = Cufft(), library.workspace

    def recorded(nbytes, device):
        scratch = workspace(nbytes, device)
        fake.area = scratch.ptr
        return scratch

    monkeypatch.setattr(library, "workspace", recorded)
    monkeypatch.setattr(library, "on_gpu", lambda x: True)
    monkeypatch.setattr(library, "binding", lambda name: fake)
    monkeypatch.setattr(library, "enter", lambda device: None)
    monkeypatch.setattr(library, "plans", library.Plans())
    monkeypatch.setattr(HOST, "uses_numpy", False)
    return fake


def on_host(x):
    return gs.asarray(x, device="host")


def check(ours, theirs):
    ours = ours.numpy()
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    eps = np.finfo(theirs.dtype).eps
    assert np.abs(ours - theirs).max(initial=0) <= 8 * eps * np.abs(theirs).max(initial=0) * np.log2(ours.size + 2)


def test_emulation_has_the_real_signatures():
    real = pytest.importorskip("nvmath.bindings.cufft")
    for name in ("create", "destroy", "set_auto_allocation", "set_stream", "set_work_area", "xt_make_plan_many", "xt_exec"):
        ours = list(inspect.signature(getattr(Cufft, name)).parameters)[1:]
        assert ours == list(inspect.signature(getattr(real, name)).parameters)


VIEWS = {
    "plain": lambda x: x, "transposed": lambda x: x.transpose(2, 0, 1), "reversed": lambda x: x[::-1, :, ::-1],
    "stepped": lambda x: x[:, ::2, ::3], "offset": lambda x: x[1:, :, 1:], "swapped": lambda x: x.swapaxes(0, 1),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("view", VIEWS)
def test_layouts(cufft, view, dtype):
    r = np.random.default_rng(0)
    x = r.standard_normal((6, 4, 10)) + 1j * r.standard_normal((6, 4, 10))
    x = VIEWS[view](x.real.astype(dtype) if dtype[0] == "f" else x.astype(dtype))
    y = VIEWS[view](on_host(np.ascontiguousarray(VIEWS["plain"](x.base if x.base is not None else x))))
    y = on_host(x)
    for axes in [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (2, 0), (0, 1, 2), (2, 1, 0), (1, 0)]:
        check(gs.fft.fftn(y, axes=axes), scipy.fft.fftn(x, axes=axes))
        check(gs.fft.ifftn(y, axes=axes, norm="ortho"), scipy.fft.ifftn(x, axes=axes, norm="ortho"))
        check(gs.fft.irfftn(y, axes=axes), scipy.fft.irfftn(x, axes=axes))
        if dtype[0] == "f":
            check(gs.fft.rfftn(y, axes=axes), scipy.fft.rfftn(x, axes=axes))
    np.testing.assert_array_equal(y.numpy(), x)


def test_more_than_three_axes(cufft):
    x = np.random.default_rng(1).standard_normal((2, 3, 4, 2, 5))
    check(gs.fft.rfftn(on_host(x)), scipy.fft.rfftn(x))
    check(gs.fft.fftn(on_host(x)), scipy.fft.fftn(x))
    check(gs.fft.irfftn(on_host(x)), scipy.fft.irfftn(x))


def test_trig(cufft):
    x = np.random.default_rng(2).standard_normal((5, 8, 7)).astype("float32")
    for kind in (1, 2, 3, 4):
        for axis in (0, 1, 2):
            check(gs.fft.dct(on_host(x), kind, axis=axis), scipy.fft.dct(x, kind, axis=axis))
            check(gs.fft.idst(on_host(x), kind, axis=axis), scipy.fft.idst(x, kind, axis=axis))


def test_no_copy_and_one_launch_where_the_layout_fits(cufft):
    x = np.random.default_rng(3).standard_normal((6, 8)) + 0j
    for view, axis in [(x, 0), (x, 1), (x.T, 0), (x.T, 1), (x[:, ::2], 1), (x[::2], 0)]:
        cufft.launches = 0
        check(gs.fft.fft(on_host(view), axis=axis), scipy.fft.fft(view, axis=axis))
        assert cufft.launches == 1
    assert not any(recipe.copy for recipe in library.plans._recipes.values())


def test_plans_are_reused_and_limited(cufft):
    x = on_host(np.ones((4, 8), "complex64"))
    for _ in range(3):
        gs.fft.fft(x)
    assert len(cufft.plans) == len(library.plans) == 1
    library.plans.limit = 3
    for n in range(2, 12):
        gs.fft.fft(x, n)
    assert len(cufft.plans) == len(library.plans) == 3
    library.plans.clear()
    assert not cufft.plans


def test_a_work_area_is_that_of_its_call(cufft, monkeypatch):
    """Plans take turns, blocks come again or not: cuFFT is told of a block when it is another one, and only then."""
    blocks = iter([4096, 4096, 4096, 8192, 8192, 4096, 4096])

    def scratch(nbytes, device):
        cufft.area = next(blocks)
        return types.SimpleNamespace(ptr=cufft.area)

    monkeypatch.setattr(library, "workspace", scratch)
    told = []
    monkeypatch.setattr(cufft, "set_work_area", lambda plan, area: (told.append((plan, area)), cufft.areas.update({plan: area})))
    x, y = (on_host(np.ones((4, n), "complex64")) for n in (8, 16))
    for a in (x, x, y, x, y, x, y):
        gs.fft.fft(a)
    assert told == [(1, 4096), (2, 4096), (1, 8192), (2, 8192), (1, 4096), (2, 4096)]


def test_a_missing_library_says_what_to_install(monkeypatch):
    from gpusci.core import libraries

    def absent(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(libraries, "import_module", absent)
    with pytest.raises(ImportError, match=r"pip install gpusci\[cuda13\]"):
        libraries.binding("cufft")
