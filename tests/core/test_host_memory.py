"""Memory of large host arrays is kept for the next one, and NumPy's arrays stay NumPy's."""

import ctypes
import os
import subprocess
import sys

import numpy as np
import pytest

import gpusci as gs
from gpusci.core.device import HOST
from gpusci.core.host_memory import is_large, reusing
from gpusci.fft._host import _pocketfft

LARGE = 10 << 20         # float64: 80 MiB
handler = pytest.importorskip("numpy._core.multiarray").get_handler_name


@pytest.fixture(autouse=True)
def host():
    HOST.free_cached()          # what other tests have left may fit better
    with gs.device("host"):
        yield


def block(x):
    """Where the block begins that x is near the beginning of."""
    assert x.ctypes.data % 64 == 0
    return x.ctypes.data >> 21


def test_the_next_large_array_takes_the_memory_of_the_last():
    first = reusing(np.empty, (LARGE,))
    where = block(first)
    del first
    again = reusing(np.empty, (LARGE - 1000,))
    assert block(again) == where
    other = reusing(np.empty, (LARGE,))                 # that one is in use
    assert block(other) != where
    half = reusing(np.empty, (LARGE // 2,))             # far too much room
    assert block(half) not in (where, block(other))


def test_arrays_do_not_run_in_step_through_the_caches():
    arrays = [reusing(np.empty, (LARGE,)) for _ in range(8)]
    places = {x.ctypes.data % 4096 for x in arrays}
    assert len(places) == 8 and not {0, 16, 64} & places        # nor with malloc's


def check_kept(make):
    x = make(gs.ones(LARGE)).numpy()
    assert is_large(x.nbytes) and handler(x) == "gpusci" and x.flags.owndata and x.base is None


@pytest.mark.parametrize("make", [lambda a: a + a, gs.cumsum, gs.empty_like, gs.copy])
def test_results_of_kernels_are_kept_and_own_their_memory(make):
    check_kept(make)


@pytest.mark.skipif(not gs.get_device("host").uses_numpy, reason="kernels do what NumPy does on the host")
@pytest.mark.parametrize("make", [gs.sort, gs.fft.dct, lambda a: gs.concatenate([a, a])])
def test_results_of_numpy_and_pocketfft_are_kept_too(make):
    if make is gs.fft.dct and _pocketfft() is None:
        pytest.skip("this SciPy's own transforms allocate their results")
    check_kept(make)


def test_what_users_make_is_numpys():
    before = handler()
    gs.ones(LARGE) + 1
    assert handler() == before != "gpusci"
    assert handler(np.empty(LARGE)) == before
    assert handler(gs.empty(10).numpy()) == before


def test_the_handler_goes_back_after_an_exception():
    before = handler()
    with pytest.raises(ZeroDivisionError):
        reusing(lambda: 1 // 0, ())
    assert handler() == before


def test_zeros_are_zero_in_used_memory():
    x = reusing(np.empty, (LARGE,))
    x.fill(7)
    del x
    assert not reusing(np.zeros, (LARGE,)).any()
    assert not reusing(np.zeros, (100,)).any()


@pytest.mark.parametrize("size", [10, LARGE // 2, LARGE + LARGE // 2])
def test_resize_moves_the_values(size):
    x = reusing(np.empty, (LARGE,))
    x[:] = np.arange(LARGE)
    x.resize(size, refcheck=False)
    kept = min(size, LARGE)
    assert np.array_equal(x[:kept], np.arange(kept, dtype=float)) and not x[kept:].any()
    y = reusing(np.arange, (10.0,))
    y.resize(size, refcheck=False)
    assert y[:10].tolist() == list(range(10))


def test_many_sizes_leave_a_bounded_number_of_blocks():
    for n in range(12):
        reusing(np.empty, (LARGE + n * LARGE // 3,))
    arrays = [reusing(np.empty, (LARGE,)) for _ in range(10)]
    assert len({block(x) for x in arrays}) == 10


def memory(column=1):
    """Bytes that this process has resident (column 0: mapped)."""
    with open("/proc/self/statm") as f:
        return int(f.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")


def test_what_is_kept_goes_back_on_demand():
    before = memory()
    reusing(np.ones, (LARGE,))
    assert memory() - before > 4 * LARGE
    HOST.free_cached()
    assert memory() - before < 4 * LARGE


def test_nothing_is_kept_that_the_system_does_not_take():
    x = reusing(np.ones, (LARGE,))
    if ctypes.CDLL(None).mlock(ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(4096)):
        pytest.skip("no page may be locked")
    before = memory(0)
    del x
    assert before - memory(0) > 7 * LARGE


def run(script):
    """What a process of its own prints."""
    settings = {"GPUSCI_DEVICE": "host", "GPUSCI_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, **settings})
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


HEAD = """
import numpy as np
import gpusci as gs
from gpusci.core.host_memory import reusing
def memory(column):
    return int(open("/proc/self/statm").read().split()[column]) * 4096 >> 20
"""


def test_a_limited_address_space_is_left_to_the_user():
    made = run(HEAD + """
import resource
def make(megabytes):
    try:
        return gs.empty(megabytes << 20, "u1").nbytes >> 20
    except MemoryError:
        return 0
for n in (60, 70, 80, 90):
    make(n)
limit = memory(0) + 700 << 20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
print(make(600), make(950), make(600), make(80), np.empty(600 << 20, "u1").nbytes >> 20)
""")
    assert made.split() == ["600", "0", "600", "80", "600"]


def test_large_arrays_at_the_end_of_the_interpreter():
    assert run(HEAD + """
import atexit
x = gs.ones(9 << 20)
atexit.register(lambda: print(float((x + 1).sum()) / (9 << 20), np.geterr()["over"]))
x + 1
""").split() == ["2.0", "warn"]


def test_a_size_that_does_not_fit():
    with pytest.raises(MemoryError):
        reusing(np.empty, (1 << 59,))
    with pytest.raises(MemoryError):
        reusing(np.zeros, (1 << 59,))
    with pytest.raises(MemoryError):
        gs.empty(1 << 58)


def test_after_a_fork():
    x = reusing(np.empty, (LARGE,))
    x[:10] = 3
    del x
    child = os.fork()
    if not child:
        y = reusing(np.ones, (LARGE,))
        os._exit(0 if y.sum() == LARGE else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
