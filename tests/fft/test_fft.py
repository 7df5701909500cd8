"""gpusci.fft against scipy.fft on the current device, in layouts, dtypes, lengths and norms; errors; kinds of array."""

import os
import pathlib
import platform
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
import scipy.fft

import gpusci as gs
import gpusci.fft
from gpusci.core.device import HOST
from gpusci.fft import _backend

ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
MANY = ["fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"]
TWO = ["fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"]
REAL_ONLY = {"rfft", "ihfft", "rfftn", "ihfftn", "rfft2", "ihfft2"}
DTYPES = ["float16", "float32", "float64", "complex64", "complex128", "int32", "uint8", "bool"]


def data(shape, dtype, seed=0):
    r = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    x = r.standard_normal(shape)
    if dtype.kind == "c":
        x = x + 1j * r.standard_normal(shape)
    return (x * 10).astype(dtype) if dtype.kind in "iu" else (x > 0) if dtype.kind == "b" else x.astype(dtype)


def check(ours, theirs):
    """Same dtype and shape; error against the norm within the growth of a transform's rounding."""
    if isinstance(ours, gs.ndarray):
        ours = ours.numpy()
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    if ours.size and theirs.dtype.kind in "fc":
        eps = np.finfo(theirs.dtype).eps
        assert np.abs(ours - theirs).max() <= 8 * eps * np.abs(theirs).max() * np.log2(ours.size + 2)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ONE)
def test_one_axis(name, dtype):
    if name in REAL_ONLY and np.dtype(dtype).kind == "c":
        pytest.skip("real transforms take no complex data: test_errors")
    for shape, axis in [
        ((7,), 0),
        ((8,), -1),
        ((3, 10), 1),
        ((6, 3), 0),
        ((2, 9, 4), 1),
        ((5, 0), 0),
        ((1,), 0),
        ((2, 1), 0),
    ]:
        x = data(shape, dtype)
        for n in (None, 5, 12, 1):
            if n is None and name in ("irfft", "hfft") and shape[axis] == 1:
                continue
            for norm in (None, "ortho", "forward", "backward"):
                ref = getattr(scipy.fft, name)(x, n, axis, norm)
                check(getattr(gs.fft, name)(gs.asarray(x), n, axis, norm), ref)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("name", MANY)
def test_many_axes(name, dtype):
    if name in REAL_ONLY and np.dtype(dtype).kind == "c":
        dtype = {"complex64": "float32", "complex128": "float64"}[dtype]
    cases = [
        ((4, 6), None, None), ((4, 6), None, (1, 0)), ((3, 4, 5), None, (0, 2)), ((3, 4, 5), (4, 8), (-1, 0)),
        ((3, 4, 5), (6, 7), None), ((2, 3, 4, 5), None, None), ((2, 3, 4, 5), None, (3, 1, 0)), ((2, 3, 2, 3, 2), None, None),
        ((4, 6), (-1, 3), (0, 1)), ((1, 5, 1), None, None), ((3, 5), (2,), (0,)), ((0, 4), (4,), (1,)),
    ]  # fmt: skip
    for shape, s, axes in cases:
        last = -1 if axes is None else axes[-1]
        if name in ("irfftn", "hfftn") and shape[last] == 1 and s is None:
            continue
        x = data(shape, dtype, 1)
        ref = getattr(scipy.fft, name)(x, s, axes, "ortho")
        check(getattr(gs.fft, name)(gs.asarray(x), s, axes, "ortho"), ref)


@pytest.mark.parametrize("name", TWO)
def test_two_axes(name):
    x = data((3, 6, 8), "float64" if name in REAL_ONLY else "complex128")
    check(getattr(gs.fft, name)(gs.asarray(x)), getattr(scipy.fft, name)(x))
    check(getattr(gs.fft, name)(gs.asarray(x), (5, 4), (0, 2)), getattr(scipy.fft, name)(x, (5, 4), (0, 2)))


LAYOUTS = {
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1, ::-1],
    "stepped": lambda x: x[::2, 1::3],
    "fortran": np.asfortranarray,
    "offset": lambda x: x[1:, 1:],
    "broadcast": lambda x: np.broadcast_to(x[:1], x.shape),
    "swapped": lambda x: x.astype(x.dtype.newbyteorder()),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "fftn", "irfftn", "rfftn"])
def test_layouts(name, layout):
    for dtype in ("float32", "complex128") if name not in REAL_ONLY else ("float32", "float64"):
        base = data((12, 14), dtype)
        x = LAYOUTS[layout](base)
        ours = gs.asarray(x) if layout == "swapped" else LAYOUTS[layout](gs.asarray(base)) if layout not in (
            "fortran", "broadcast") else {"fortran": gs.asfortranarray}.get(layout, lambda b: gs.broadcast_to(b[:1], b.shape))(
            gs.asarray(base))  # fmt: skip
        before = x.copy()
        for axes in ([0], [1]) if name in ONE else ([0, 1], [1, 0]):
            kw = {"axis": axes[0]} if name in ONE else {"axes": axes}
            check(getattr(gs.fft, name)(ours, **kw), getattr(scipy.fft, name)(x, **kw))
        np.testing.assert_array_equal(ours.numpy(), before)  # the input is left alone


@pytest.mark.parametrize("dtype", ["float32", "complex64", "complex128"])
def test_views_that_begin_anywhere(dtype):
    """Vectors of 16 bytes are read where an array begins at a multiple of 16, and only there."""
    x = data((21,), dtype)
    for start in (0, 1, 2, 3):
        part = x[start:]
        for name in ONE if dtype == "float32" else ("fft", "ifft", "irfft", "hfft"):
            for norm in ("backward", "ortho", "forward"):
                check(getattr(gs.fft, name)(gs.asarray(x)[start:], norm=norm), getattr(scipy.fft, name)(part, norm=norm))
        y = gs.asarray(x.copy())
        check(gs.fft.ifft(y[start:], overwrite_x=True), scipy.fft.ifft(part))
        np.testing.assert_array_equal(y[:start].numpy(), x[:start])


@pytest.mark.skipif(platform.machine() != "x86_64" or not shutil.which("g++"), reason="the block emulator needs g++ and x86-64")
def test_views_that_begin_anywhere_on_a_pretended_gpu(tmp_path):
    """Which stops at accesses that are not aligned."""
    text = """import sys, pytest, pretend_gpu; pretend_gpu.install(sys.argv[1], True)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", sys.argv[2], "-k", "anywhere and not pretended"]))"""
    path = os.pathsep.join([str(pathlib.Path(__file__).parents[1] / "core"), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, "GPUSCI_HOST_KERNELS": "0"}
    done = subprocess.run([sys.executable, "-c", text, tmp_path, __file__], env=env, capture_output=True, text=True)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout[-3000:] + done.stderr[-2000:]


def test_overwrite_gives_the_same():
    x = data((6, 8), "complex128")
    check(gs.fft.fft(gs.asarray(x.copy()), overwrite_x=True), scipy.fft.fft(x))
    y = gs.asarray(x.copy())
    check(gs.fft.ifft2(y[::2], overwrite_x=True), scipy.fft.ifft2(x[::2]))


def test_spectra_that_no_real_signal_has():
    # The first and last coefficients of a half spectrum lose their imaginary part before anything else.
    x = data((5, 6), "complex128")
    for n in (9, 10):
        check(gs.fft.irfft(gs.asarray(x), n), scipy.fft.irfft(x, n))
        check(gs.fft.hfftn(gs.asarray(x), (4, n)), scipy.fft.hfftn(x, (4, n)))


def test_infinities_stay_on_their_line():
    x = data((3, 8), "complex64")
    x[1, 2] = np.inf
    ours = gs.fft.fft(gs.asarray(x)).numpy()
    assert np.isfinite(ours[[0, 2]]).all()
    assert not np.isfinite(ours[1]).any()


def test_kinds():
    x = data((8,), "float64")
    assert type(gs.fft.rfft(x)) is np.ndarray
    assert type(gs.fft.rfft(list(x))) is np.ndarray
    assert type(gs.fft.rfft(gs.asarray(x))) is gs.ndarray
    assert gs.fft.rfft(gs.asarray(x)).device is gs.current_device()
    x.flags.writeable = False
    check(gs.fft.fft(x, overwrite_x=True), scipy.fft.fft(x))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m, x: m.fft(x, 0), ValueError),
        (lambda m, x: m.fft(x, axis=3), (ValueError, IndexError)),
        (lambda m, x: m.fft(x, norm="both"), ValueError),
        (lambda m, x: m.rfft(x + 1j), TypeError),
        (lambda m, x: m.fft(x[:, :0]), ValueError),
        (lambda m, x: m.irfft(x[:, :1]), ValueError),
        (lambda m, x: m.fftn(x, axes=(0, 0)), ValueError),
        (lambda m, x: m.fftn(x, axes=(0, 5)), ValueError),
        (lambda m, x: m.fftn(x, (1, 2, 3)), ValueError),
        (lambda m, x: m.fftn(x, (1, 2), (0,)), ValueError),
        (lambda m, x: m.fftn(x, (1.5, 2), (0, 1)), ValueError),
        (lambda m, x: m.rfftn(x, axes=()), ValueError),
        (lambda m, x: m.fft(x, plan=object()), NotImplementedError),
        (lambda m, x: m.ihfft2(x, plan="foo"), NotImplementedError),
        (lambda m, x: m.fft(x, workers=0), ValueError),
        (lambda m, x: m.hfftn(x, workers=0.0), ValueError),
        (lambda m, x: m.ifft(x, workers=-os.cpu_count() - 1), ValueError),
        (lambda m, x: m.dctn(x, workers=-os.cpu_count() - 1), ValueError),
        (lambda m, x: m.rfft2(x, workers=1.5), TypeError),
        (lambda m, x: m.idst(x, workers="all"), TypeError),
        (lambda m, x: m.fft(x, norm=[]), TypeError),
        (lambda m, x: m.dct(x, 5), ValueError),
        (lambda m, x: m.dct(x, 2.0), TypeError),
        (lambda m, x: m.idstn(x, "2"), TypeError),
        (lambda m, x: m.dstn(x, None), TypeError),
        (lambda m, x: m.dct(x[:, :1], 1), (ValueError, RuntimeError)),
        (lambda m, x: m.dct(x, norm="x"), ValueError),
        (lambda m, x: m.dst(x, n=-1), ValueError),
    ],
)
@pytest.mark.parametrize("uses_numpy", [True, False])
def test_errors(call, error, uses_numpy, monkeypatch):
    """On a host both by SciPy and by the checks that stand before a GPU's transforms."""
    monkeypatch.setattr(HOST, "uses_numpy", uses_numpy)
    x = data((4, 4), "float64")
    with pytest.raises(error):
        call(scipy.fft, x)
    with pytest.raises(error):
        call(gs.fft, gs.asarray(x))


@pytest.mark.parametrize("uses_numpy", [True, False])
def test_errors_say_what_scipys_say(uses_numpy, monkeypatch):
    monkeypatch.setattr(HOST, "uses_numpy", uses_numpy)
    x = gs.asarray(data((4, 4), "float64"))
    for name in (*ONE, *MANY, *TWO):
        with pytest.raises(NotImplementedError, match="precomputed plan"):
            getattr(gs.fft, name)(x, plan="foo")
    for name in (*ONE, *MANY, *TWO, "dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn"):
        call = getattr(gs.fft, name)
        call(x, workers=-os.cpu_count())
        with pytest.raises(ValueError, match="workers must not be zero"):
            call(x, workers=0)
        with pytest.raises(ValueError, match="workers value out of range"):
            call(x, workers=-os.cpu_count() - 1)


@pytest.mark.parametrize("uses_numpy", [True, False])
def test_no_axes(uses_numpy, monkeypatch):
    monkeypatch.setattr(HOST, "uses_numpy", uses_numpy)
    x = data((3, 4), "float32")
    check(gs.fft.fftn(gs.asarray(x), (5,), axes=()), scipy.fft.fftn(x, (5,), axes=()))
    check(gs.fft.fftn(gs.asarray(x), axes=()), scipy.fft.fftn(x, axes=()))
    check(gs.fft.dctn(gs.asarray(x), axes=()), scipy.fft.dctn(x, axes=()))
    check(gs.fft.ifftn(gs.asarray(x > 0), axes=()), x > 0)


def test_scipy_backend():
    x = data((4, 6), "float32")
    with scipy.fft.set_backend(gpusci.fft, only=True):
        check(scipy.fft.rfft(x), np.fft.rfft(x).astype("complex64"))
        assert type(scipy.fft.fft2(gs.asarray(x))) is gs.ndarray
        check(scipy.fft.dctn(gs.asarray(x)), gs.fft.dctn(x))
    with gs.fft.set_backend("scipy", only=True):
        check(scipy.fft.fft(x), np.fft.fft(x).astype("complex64"))


@pytest.mark.parametrize("uses_numpy", [True, False])
def test_a_backend_chosen_here_is_asked(uses_numpy, monkeypatch):
    calls = []

    class Backend:
        __ua_domain__ = "numpy.scipy.fft"

        @staticmethod
        def __ua_function__(method, args, kwargs):
            calls.append((method.__name__, kwargs.get("plan")))
            if method.__name__ == "dst":
                raise NotImplementedError("its own error")
            return NotImplemented if "rfft" in method.__name__ else np.full(2, 7.0)

    monkeypatch.setattr(HOST, "uses_numpy", uses_numpy)
    x = gs.asarray(data((6, 8), "float32"))
    with gs.fft.set_backend(Backend):
        for result in (gs.fft.fft(x), gs.fft.ifft2(x, plan=3), gs.fft.dct(x), gs.fft.ifht(x, 0.1, 1)):
            assert gs.asnumpy(result).tolist() == [7, 7]
        check(gs.fft.rfft(x), np.fft.rfft(x.numpy()).astype("complex64"))       # the backend has none
        with pytest.raises(NotImplementedError, match="its own"):
            gs.fft.dst(x)
    assert not _backend.chosen
    assert calls[:5] == [("fft", None), ("ifft2", 3), ("dct", None), ("ifht", None), ("rfft", None)]
    check(gs.fft.fft(x), np.fft.fft(x.numpy()).astype("complex64"))


def test_a_backend_is_asked_for_as_long_as_it_is_chosen(monkeypatch):
    """Asked for longer, or when it was refused, every later call would take SciPy's long way."""
    monkeypatch.setattr(_backend, "chosen", [])
    for choose in (gs.fft.set_backend, gs.fft.set_global_backend, gs.fft.register_backend):
        for wrong in (3, "cufft", np):
            with pytest.raises((ValueError, AttributeError)):
                choose(wrong)
        choose("scipy")
    assert not _backend.chosen
    block = gs.fft.set_backend(gpusci.fft)
    assert not _backend.chosen
    with block, block:
        assert _backend.chosen
        with pytest.raises(ZeroDivisionError), gs.fft.set_backend(gpusci.fft):
            raise ZeroDivisionError
        assert _backend.chosen
    assert not _backend.chosen
    monkeypatch.setattr(scipy.fft, "set_global_backend", lambda *args: None)
    gs.fft.set_global_backend(gpusci.fft)
    assert _backend.chosen
    gs.fft.set_global_backend("scipy")
    assert not _backend.chosen


def test_workers():
    x = data((64, 1024), "complex128")
    assert gs.fft.get_workers() == scipy.fft.get_workers()
    with gs.fft.set_workers(2):
        assert gs.fft.get_workers() == 2
        check(gs.fft.fft(gs.asarray(x)), scipy.fft.fft(x))
    check(gs.fft.fft(gs.asarray(x), workers=1), scipy.fft.fft(x))


def test_numpy_protocol():
    x = data((4, 6), "float64")
    check(np.fft.rfft(gs.asarray(x)), np.fft.rfft(x))


class Sevens:
    __ua_domain__ = "numpy.scipy.fft"

    @staticmethod
    def __ua_function__(method, args, kwargs):
        return np.full(2, 7.0)


@pytest.mark.parametrize("uses_numpy", [True, False])
def test_the_innermost_block_chooses(uses_numpy, monkeypatch):
    monkeypatch.setattr(HOST, "uses_numpy", uses_numpy)
    x = gs.asarray([1.0, 2.0, 3.0])
    theirs = [7, 7]
    first = lambda: gs.asnumpy(gs.fft.dct(x)).tolist()[:2]
    with gs.fft.set_backend(Sevens):
        assert first() == theirs
        for only in (False, True):
            with gs.fft.set_backend("scipy", only=only):
                assert first() == pytest.approx(scipy.fft.dct(x.numpy())[:2])
                with gs.fft.set_backend(Sevens):
                    assert first() == theirs
        seen = []
        thread = threading.Thread(target=lambda: seen.append(gs.asnumpy(gs.fft.fft(x)).real.tolist()))  # blocks are a thread's own
        thread.start()
        thread.join()
        assert seen[0] == pytest.approx([6, -1.5, -1.5])
        with scipy.fft.set_backend(gs.fft):         # comes first: the other one is not asked
            assert gs.asnumpy(scipy.fft.fft(x))[0] == 6


def test_as_the_global_backend_of_scipy():
    """It takes the place of SciPy's own, to which work on the host goes all the same. In a process of its own: nothing undoes it."""
    code = (
        "import numpy as np, scipy.fft, gpusci as gs\n"
        "x = np.array([1.0, 2.0, 3.0]); plain = {n: getattr(scipy.fft, n)(x) for n in ('fft', 'rfft', 'dct', 'idst', 'hfft')}\n"
        "hankel = scipy.fft.fht(x, 0.1, 1.0)\n"
        "scipy.fft.set_global_backend(gs.fft)\n"
        "for given in (x, gs.asarray(x)):\n"
        "    for n, y in plain.items(): np.testing.assert_allclose(gs.asnumpy(getattr(scipy.fft, n)(given)), y, atol=1e-14)\n"
        "    np.testing.assert_allclose(gs.asnumpy(scipy.fft.fht(given, 0.1, 1.0)), hankel)\n"
        "assert isinstance(scipy.fft.fft(gs.asarray(x)), gs.ndarray)\n"
        "assert scipy.fft.fft(x.astype(np.longdouble)).dtype == np.clongdouble\n"
        "np.testing.assert_allclose(scipy.fft.fft(x, workers=2), plain['fft'])\n"
    )
    for extra in ({}, {"GPUSCI_HOST_KERNELS": "1"}):
        env = {**os.environ, "GPUSCI_DEVICE": "host", **extra}
        subprocess.run([sys.executable, "-c", code], env=env, check=True, timeout=120)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "float32"])
def test_frequencies_of_small_numbers(kind):
    for n in (100, 127):
        for function in (gs.fft.fftfreq, gs.fft.rfftfreq):
            expected = getattr(scipy.fft, function.__name__)(n, 2)
            np.testing.assert_array_equal(function(n, np.dtype(kind).type(2)), expected)
            if kind != "float32":
                np.testing.assert_array_equal(function(np.dtype(kind).type(n), 2), expected)
