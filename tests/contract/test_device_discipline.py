"""Functions on a GPU that is none (tests/core/pretend_gpu.py): tables that stay on the host, host code that reads a GPU array,
scratch that is read before it is written, kernels that leave their arrays, arguments in another order than the struct's."""

import functools
import os
import pathlib
import platform
import shutil
import subprocess
import sys

import pytest

from gpusci.core import subpackage

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64" or not shutil.which("g++"), reason="the block emulator is made of g++ and x86-64 assembly"
)
CORE = pathlib.Path(__file__).parents[1] / "core"
ROOT = CORE.parents[1]
QUICK = ("ndimage", "signal", "radar", "sparse")
SLOW = [name for name in ("numpy", *subpackage.names()) if name == "numpy" or (ROOT / "gpusci" / name / "_spec.py").exists()]


@functools.cache
def folder():
    """What is compiled, kept until `make clean`."""
    path = ROOT / "build" / "pretended"
    path.mkdir(parents=True, exist_ok=True)
    return path


def process(*command):
    """A process of its own, since a wrong memory access ends it."""
    path = os.pathsep.join([str(CORE), str(ROOT), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, "GPUSCI_FALLBACK": "error", "GPUSCI_HOST_KERNELS": "0", "OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, *map(str, command)], env=env, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("name", QUICK)
def test_every_function_keeps_to_its_device(name):
    done = process(CORE / "run_pretended.py", name, folder())
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_every_case_keeps_to_its_device(name):
    done = process(CORE / "run_pretended.py", name, folder(), "--every")
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


# ---- the pretended GPU itself
START = """
import sys, numpy as np, pretend_gpu
gpu = pretend_gpu.install(sys.argv[1])
import gpusci as gs
from gpusci.core import BlockKernel, Kernel, from_numpy, new
from gpusci.signal import _kernels
x = gs.asarray(np.arange(64.0))
"""


def pretended(text):
    return process("-c", START + text, folder())


def test_it_computes():
    done = pretended("print(x.device.name, float((x * 2 + x[::-1]).sum()), gs.sort(-x).numpy()[0])")
    assert done.stdout.split() == ["cuda:0", "6048.0", "-63.0"], done.stderr


@pytest.mark.parametrize("text, says", [
    ("_kernels.shrink(64, (), x, x, x, from_numpy(np.ones(64)), x, 1)", "arrays are on cuda:0 and host"),
    ("Kernel('label_count', 'ndimage/kernels/label.h', template='P Index', args='ptr x, ptr y, i64 n')(2, (x.dtype,), x, x, 64)",
     "24 bytes of arguments are not what Args has"),
    ("BlockKernel('transpose', 'gpusci/transpose.h', template='X Index', args='raw x, raw y', threads=33)(1, (x.dtype,), x, x)",
     "AssertionError"),
])  # fmt: skip
def test_it_refuses(text, says):
    done = pretended(text)
    assert done.returncode == 1 and says in done.stderr, done.stderr


@pytest.mark.parametrize("text", [
    "x._a.sum() if hasattr(x, '_a') else np.frombuffer((__import__('ctypes').c_double * 64).from_address(x.ptr)).sum()",
    "_kernels.shrink(1 << 20, (), x, x, x, x, x, 1)",
])  # fmt: skip
def test_wrong_accesses_end_it(text):
    """Host code that reads GPU memory; a kernel that runs past its arrays."""
    assert pretended(text).returncode < 0


def test_new_memory_is_no_number():
    done = pretended("print(np.isnan(new((5000,), float, gpu).numpy()).all(), new((3,), 'i4', gpu).numpy().tolist())")
    assert done.stdout.split(maxsplit=1) == ["True", "[-1, -1, -1]\n"], done.stderr
