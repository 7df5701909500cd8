"""A child forked from a process that used a GPU: a sentence or the host, where CUDA would hang or crash. On the pretended GPU."""

import os
import subprocess
import sys
import textwrap

import pytest

START = textwrap.dedent("""
    import multiprocessing, os, signal, sys, threading, warnings
    import numpy as np, pretend_gpu
    from gpusci.core import cuda, device
    import gpusci as gs

    real = cuda.why_not, cuda.gpu
    gpu = pretend_gpu.install(sys.argv[1])
    cuda.watch_forks()
    x, small = gs.asarray(np.arange(5000.0)), gs.asarray(np.arange(4.0))

    def refused(use):
        try:
            use()
        except RuntimeError as error:
            return "get_context('spawn')" in str(error)
        return False
""")

CHILD = START + textwrap.dedent("""
    def child(_):
        cuda.why_not, cuda.gpu = real
        uses = [lambda: x + 1, x.numpy, lambda: gs.zeros(10, device=gpu), lambda: gs.asarray(np.ones(5000), device="cuda:0")]
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            total = float(gs.add(np.ones(3), 1).sum())
        return [*map(refused, uses), total, gs.current_device().name, [str(m.message)[:19] for m in met]]

    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(pool.map(child, [0])[0], (x + 1).numpy()[1])
""")

OTHER = START + textwrap.dedent("""
    def child(check):
        pid = os.fork()
        if pid == 0:
            signal.alarm(60)
            cuda.why_not, cuda.gpu = real
            sys.exit(0 if check() else 1)                   # as a program ends: with what frees the arrays
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def in_thread(check):
        codes = []
        thread = threading.Thread(target=lambda: codes.append(child(check)))
        thread.start()
        thread.join()
        return codes[0]

    def with_the_lock_held(check):
        held, done = threading.Event(), threading.Event()
        def hold():
            with device._lock:
                held.set()
                done.wait()
        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()
        code = child(check)
        done.set()
        thread.join()
        return code

    def released():
        global x
        del x
        return True

    def on_host():
        return gs.current_device().name == "host"

    stream = gs.Stream.from_ptr(77, gpu)
    with gs.device(gpu):
        print(child(lambda: refused(lambda: gs.add(np.ones(3), 1))), end=" ")
    print(child(released), child(lambda: child(lambda: refused(lambda: x + 1)) == 0), child(lambda: refused(stream.synchronize)),
          child(lambda: small.numpy()[3] == 3), in_thread(lambda: refused(lambda: x + 1)), with_the_lock_held(on_host),
          (x + 1).numpy()[1])
""")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize("program, printed", [
    (CHILD, "[True, True, True, True, 6.0, 'host', ['working on the host']] 2.0"), (OTHER, "0 0 0 0 0 0 0 2.0"),
], ids=["pool", "fork"])  # fmt: skip
def test_uses_of_the_gpu_in_a_child_raise(program, printed, tmp_path):
    env = {k: v for k, v in os.environ.items() if k != "GPUSCI_DEVICE"} | {"GPUSCI_HOST_KERNELS": "0"}
    env["PYTHONPATH"] = os.pathsep.join([os.path.dirname(__file__), *filter(None, [env.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip() == printed
