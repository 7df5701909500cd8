"""Choice of device, streams, memory, errors that the device reports."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import gpusci as gs
from gpusci.core import cuda
from gpusci.core.device import HOST


def run(code, **env):
    return subprocess.run([sys.executable, "-c", code], env={**os.environ, **env}, capture_output=True, text=True, timeout=120)


def test_names():
    assert gs.get_device("host") is HOST and gs.get_device("cpu") is HOST and gs.get_device(HOST) is HOST
    for bad in ("tpu", "cuda:x", "host:3", ""):
        with pytest.raises(ValueError, match="unknown device"):
            gs.get_device(bad)


def test_context_manager_is_per_thread():
    seen = []
    with gs.device("host"):
        assert gs.current_device() is HOST
        thread = threading.Thread(target=lambda: seen.append(gs.current_device()))
        thread.start()
        thread.join()
        assert gs.zeros(3).device is HOST
    assert seen == [gs.current_device()]


def test_without_a_gpu_the_reason_is_told():
    if cuda.why_not() is None:
        pytest.skip("a GPU works here")
    with pytest.raises(RuntimeError, match="no GPU can be used: .*(driver|bindings|GPU)"):
        gs.get_device("cuda")
    assert gs.info()["why_no_gpu"] == cuda.why_not()
    done = run("import gpusci as gs; gs.zeros(3)", GPUSCI_DEVICE="cuda:0")
    assert done.returncode and cuda.why_not() in done.stderr


def test_environment_chooses_the_host():
    done = run("import gpusci as gs; print(gs.zeros(3).device.name)", GPUSCI_DEVICE="host")
    assert done.stdout.strip() == "host", done.stderr


def test_import_opens_no_device_and_no_compiler():
    code = (
        "import sys, gpusci, gpusci.ndimage, gpusci.signal, gpusci.special; from gpusci.core import device\n"
        "assert device._default is None\n"
        "loaded = [m for m in sys.modules if m.startswith(('cuda.bindings', 'nvmath', 'gpusci.core.compiler'))]\n"
        "assert not loaded, loaded"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr


def test_threads_and_fork_keep_the_pool_alive():
    code = (
        "import os, numpy as np, gpusci as gs\n"
        "f = lambda: gs.ElementwiseKernel('T x', 'T y', 'y = x + 1', 'inc')(gs.arange(100000.)).numpy().sum()\n"
        "want = f(); pid = os.fork()\n"
        "if pid == 0: os._exit(0 if f() == want else 1)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0\n"
    )
    done = run(code, GPUSCI_DEVICE="host")
    assert done.returncode == 0, done.stderr


def test_to_device_and_back():
    a = np.arange(12.0).reshape(3, 4)
    for d in gs.devices():
        x = gs.asarray(a, device=d)
        assert x.device is d and x.to_device(d) is x
        np.testing.assert_array_equal(x.T.to_device("host").numpy(), a.T)


def test_stream_orders_its_work(device):
    with gs.Stream() as stream:
        x = gs.arange(1000.0) * 2
        stream.synchronize()
    np.testing.assert_array_equal(x.numpy(), np.arange(1000.0) * 2)


def test_memory(device):
    if device.kind == "host":
        with pytest.raises(ValueError, match="GPU"):
            gs.memory_info()
        return
    before = gs.memory_info()["used"]
    x = gs.zeros(2**20, "f8")
    assert gs.memory_info()["used"] - before >= x.nbytes
    del x
    gs.free_cached()
    assert gs.memory_info()["used"] == before
    with pytest.raises(MemoryError, match="bytes asked for"):
        gs.empty(2**45)
    limit = ("import gpusci as gs\nx = gs.zeros(2**24, 'u1'); del x\ny = gs.zeros(3 * 2**23, 'u1')\n"
             "try: gs.zeros(2**24, 'u1')\nexcept MemoryError as e: print(e)")
    done = run(limit, GPUSCI_MEMORY_LIMIT=str(2**25))
    assert "GPUSCI_MEMORY_LIMIT" in done.stdout, done.stderr


@pytest.mark.parametrize("text", ["abc", "-5", "0%"])
def test_memory_limit_that_cannot_be_read(text):
    with pytest.raises(ValueError, match="GPUSCI_MEMORY_LIMIT"):
        cuda._memory_limit(text, 2**30)
    assert cuda._memory_limit("50%", 1000) == 500 and cuda._memory_limit("123", 1000) == 123 and cuda._memory_limit("", 9) == 0
