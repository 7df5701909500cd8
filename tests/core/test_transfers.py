"""Copies between the host and a GPU, large ones through page-locked buffers. On the pretended GPU, which copies as late as it may."""

import concurrent.futures
import ctypes
import os

import numpy as np
import pretend_gpu
import pytest

import gpusci as gs
from gpusci.core import _launch, cuda, host_memory

LEAST, PIECE = 1 << 20, 2 << 20                         # of staging.h
BUFFERS = 2 * 3 * PIECE                                 # of the three threads that the process has


@pytest.mark.skipif(pretend_gpu.is_alone(__file__), reason="this is that process")
def test_in_a_process_of_their_own():
    pretend_gpu.run_alone(__file__, 47, GPUSCI_NUM_THREADS="3")


@pytest.fixture
def driver(gpu):
    """The pretended driver's own questions, with no buffer there."""
    _launch.release_kept(0)
    gpu._driver.pretend_locked.restype = gpu._driver.pretend_late.restype = ctypes.c_uint64
    yield gpu._driver
    gpu._driver.pretend_fail_host_alloc(ctypes.c_int64(-1))


def numbers(nbytes, seed=0):
    """Bytes of which no two regions are alike."""
    return np.random.default_rng(seed).integers(0, 256, nbytes, np.uint8)


def round_trip(gpu, a):
    """`a`, changed on the host as soon as it may be, through the GPU and back."""
    given = a.copy("K") if a.flags.writeable else a
    x = gs.asarray(given, device=gpu)
    if given.flags.writeable:
        given[...] = 0
    back = x.numpy()
    assert back.dtype == a.dtype and back.flags.writeable and back.flags.owndata
    np.testing.assert_array_equal(back, a)
    return back


SIZES = [0, 1, LEAST - 1, LEAST, LEAST + 1, 3 * LEAST // 2 - 7, 6 * LEAST, PIECE * 6 - 1, PIECE * 6, PIECE * 6 + 1, 17 * PIECE + 12345]


@pytest.mark.parametrize("nbytes", SIZES)
def test_sizes_around_the_limits(gpu, nbytes):
    round_trip(gpu, numbers(nbytes))


@pytest.mark.parametrize("nbytes", SIZES)
def test_nothing_next_to_the_array_is_written(gpu, nbytes):
    a = numbers(nbytes + 128)
    x = gs.asarray(a[64 : 64 + nbytes], device=gpu)
    before = a.copy()
    a[64 : 64 + nbytes] = 0
    _launch.download(0, a.ctypes.data + 64, x.ptr, nbytes)
    np.testing.assert_array_equal(a, before)


def read_only(a):
    a.flags.writeable = False
    return a


LAYOUTS = {
    "C": lambda a: a, "Fortran": np.asfortranarray, "transposed": lambda a: a.transpose(1, 2, 0), "reversed": lambda a: a[:, ::-1],
    "every other": lambda a: a[:, ::2], "read-only": read_only, "big-endian": lambda a: a.astype(">f4"),
    "broadcast": lambda a: np.broadcast_to(a[:1], (300, *a.shape[1:])), "bool": lambda a: a > 0, "half": lambda a: a.astype("e"),
    "complex": lambda a: a + 1j, "longs": lambda a: a.view("q"),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_and_dtypes(gpu, layout):
    a = LAYOUTS[layout](np.random.default_rng(1).standard_normal((300, 40, 250), np.float32))
    back = gs.asarray(a, device=gpu).numpy()
    assert back.dtype == a.dtype.newbyteorder("=")
    np.testing.assert_array_equal(back, a)
    if layout in ("C", "Fortran", "transposed"):
        assert back.strides == a.strides


def test_nan_payloads_stay(gpu):
    a = numbers(3 * LEAST).view(np.float32)
    assert round_trip(gpu, a).tobytes() == a.tobytes()


def test_parts_of_arrays_on_the_gpu(gpu):
    a = np.arange(3 << 18, dtype=np.float32).reshape(768, 1024)
    x = gs.asarray(a, device=gpu)
    for key in (np.s_[100:], np.s_[:, 5:900], np.s_[::-1, ::2], np.s_[:700, 3]):
        np.testing.assert_array_equal(x[key].numpy(), a[key])
    np.testing.assert_array_equal((x + 1).numpy(), a + 1)


def test_copies_within_the_gpu(gpu):
    a = np.arange(300 * 400, dtype=np.float64).reshape(300, 400)
    x, y = gs.asarray(a, device=gpu), gs.empty((400, 300), device=gpu)
    y[...] = x.T                                        # of two blocks, then of one
    np.testing.assert_array_equal(y.numpy(), a.T)
    for to, of in ((np.s_[1:], np.s_[:-1]), (np.s_[:, ::-1], np.s_[:]), (np.s_[:200, :200], np.s_[50:250, 100:300])):
        x[to], a[to] = x[of], a[of].copy()
        np.testing.assert_array_equal(x.numpy(), a)
    square = x[:300, :300]
    square[...] = square.T
    a[:300, :300] = a[:300, :300].T.copy()
    np.testing.assert_array_equal(x.numpy(), a)


def test_buffers_are_made_as_needed_kept_and_given_back(gpu, driver):
    round_trip(gpu, numbers(LEAST - 1))
    assert driver.pretend_locked() == 0
    round_trip(gpu, numbers(LEAST))
    assert driver.pretend_locked() == 4 * PIECE     # pieces of 256 KiB
    for seed in range(3):
        round_trip(gpu, numbers(20 * PIECE, seed))
        assert driver.pretend_locked() <= BUFFERS
    _launch.release_kept(0)
    assert driver.pretend_locked() == 0
    round_trip(gpu, numbers(LEAST))


def test_uploads_do_not_wait_for_their_own_copies(gpu, driver):
    made = []
    for nbytes, pieces in ((BUFFERS, 6), (BUFFERS, 6), (LEAST, 4), (BUFFERS - 1, 6)):
        a = numbers(nbytes, len(made))
        made.append((a, gs.asarray(a, device=gpu)))
        assert driver.pretend_late() == pieces          # the ones before are made
    for a, x in made:
        np.testing.assert_array_equal(x.numpy(), a)
    x = gs.asarray(numbers(20 * PIECE), device=gpu)
    assert driver.pretend_late() > 0
    _launch.release_kept(0)                             # buffers in use
    np.testing.assert_array_equal(x.numpy(), numbers(20 * PIECE))


def test_page_locked_memory_goes_directly(gpu, driver):
    for nbytes in (100, 5 * LEAST):
        address = ctypes.c_void_p()
        _launch.use_context(0)
        assert driver.pretend_host_alloc(ctypes.byref(address), ctypes.c_size_t(nbytes), 0) == 0
        a = np.frombuffer((ctypes.c_uint8 * nbytes).from_address(address.value), np.uint8)
        a[:] = numbers(nbytes)
        before = driver.pretend_locked()
        x = gs.asarray(a, device=gpu)
        assert driver.pretend_late() == 0               # read already: it may be changed
        a[:] = 0
        np.testing.assert_array_equal(gs.add(x, 0).numpy(), numbers(nbytes))
        driver.pretend_host_free(address)
        assert before == nbytes


@pytest.mark.parametrize("n", [0, 1, 3])
def test_without_page_locked_memory_the_driver_copies(gpu, driver, n):
    driver.pretend_fail_host_alloc(ctypes.c_int64(n))
    x = gs.asarray(numbers(20 * PIECE), device=gpu)
    driver.pretend_fail_host_alloc(ctypes.c_int64(0))
    np.testing.assert_array_equal(x.numpy(), numbers(20 * PIECE))


def test_several_threads(gpu, driver):
    def work(seed):
        ok = True
        for n in range(4):
            a = numbers(LEAST + (seed * 7 + n) * 300_001, seed)
            ok &= round_trip(gpu, a).tobytes() == a.tobytes()
        return ok

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))
    assert driver.pretend_locked() <= BUFFERS


def test_while_the_threads_of_the_pool_work_for_somebody_else(gpu):
    with concurrent.futures.ThreadPoolExecutor(1) as other, gs.device("host"):
        busy = other.submit(lambda: [gs.special.gamma(np.linspace(1, 9, 1 << 18)) for _ in range(5)])
        while not busy.done():
            round_trip(gpu, numbers(9 * PIECE + 1))
        busy.result()


def test_large_results_take_memory_that_is_kept(gpu):
    handler = pytest.importorskip("numpy._core.multiarray").get_handler_name
    x = gs.asarray(numbers(33 << 20), device=gpu)
    assert host_memory.is_large(x.nbytes) and handler(x.numpy()) == "gpusci"
    assert handler(gs.asarray(numbers(LEAST), device=gpu).numpy()) == handler(np.empty(10))


def refuses(a, x):
    """Whether the child of a fork gets sentences, and no wait for what its parent's threads had."""
    cuda._after_fork()
    _launch.release_kept(0)
    for use in (lambda: gs.asarray(a, device=x.device), x.numpy):
        with pytest.raises(RuntimeError, match="get_context"):
            use()
    return True


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_while_another_thread_copies(gpu):
    a = numbers(12 * PIECE)
    x = gs.asarray(a, device=gpu)
    with concurrent.futures.ThreadPoolExecutor(1) as other:
        copies = other.submit(lambda: [round_trip(gpu, a) for _ in range(3)])
        while not copies.done():
            child = os.fork()
            if not child:
                try:
                    os._exit(0 if refuses(a, x) else 1)
                finally:
                    os._exit(2)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        copies.result()
    round_trip(gpu, a)
