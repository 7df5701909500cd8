"""A GPU that is none, for tests: `cuda:0` on the host, with a driver of its own (pretend_driver.h).

What the GPU device runs is run, through the block emulator, which reads the CUDA branches of our headers. Arrays live in
memory that the host cannot touch. CUDA's libraries are SciPy here. Installed once a process, for good: see run_pretended.py.
"""

import ctypes
import functools
import importlib
import os
import pathlib
import subprocess
import sys
import traceback

import block_emulator
import numpy as np

from gpusci.core import _launch, compile_cache, compiler, cuda, device, errors
from gpusci.core._ndarray import from_numpy, ndarray

HERE = pathlib.Path(__file__).parent
LIBRARIES = {
    "fft": ("c2c", "r2c", "c2r"), "blas": ("matmul", "gemm", "trsm"),
    "solver": ("potrf", "getrf", "getrs", "geqrf", "orgqr", "gesvd", "syevd", "geev"),
    "sparse": ("matvec", "matmat", "multiply", "solve_triangular", "transpose", "sort_indices", "coo_order"),
}  # fmt: skip
ELEMENTWISE = "gpusci/elementwise.h"
DIRECT = (ELEMENTWISE, "gpusci/gather.h", "gpusci/scatter.h")  # launched without the Python method
BRANCHES = ("#if defined(GPUSCI_CUDA)", "#ifdef GPUSCI_CUDA")
MOST_SHARED = 227 * 1024
plain = []  # (kernel, why) that run in the host's form
waits = []  # (function, line) of what copied to the host, innermost frame of gpusci outside core first


class Code(ctypes.Structure):
    _fields_ = [("items", ctypes.c_void_p), ("blocks", ctypes.c_void_p), ("set_shared", ctypes.c_void_p),
                ("threads", ctypes.c_int64), ("most_shared", ctypes.c_int64)]  # fmt: skip


class Checked:
    """A loaded kernel that takes no other bytes of arguments than its struct has."""

    def __init__(self, function, library, name):
        self.function, self.takes, self.name, self.handle = function, library.gpusci_takes, name, function.handle

    def start(self, n, words, grain=0):
        self.check(words)
        self.function.start(n, words)

    def start_blocks(self, blocks, words, shared=0):
        self.check(words)
        self.function.start_blocks(blocks, words, shared)

    def check(self, words):
        assert self.takes(ctypes.c_uint64(len(words))), f"{self.name}: {len(words)} bytes of arguments are not what Args has"


class PretendGpu(cuda.Cuda):
    def __init__(self, folder, everywhere):
        self.index, self.arch, self.processors, self.title = 0, "sm_90", 132, "pretended"
        self.total_memory, self.memory_limit = 1 << 33, 0
        self.folder, self.everywhere = folder, everywhere
        driver = _library(HERE / "pretend_driver.h", folder)
        names = (
            "launch", "alloc", "free", "ctx_get", "ctx_set", "copy", "sync", "host_alloc", "host_free", "event_create",
            "event_record", "event_wait", "pointer_attributes",
        )  # fmt: skip
        _launch.set_driver(*(_address(driver, f"pretend_{name}") for name in names))
        _launch.set_gpu(0, 1, 1, 0, lambda *_: None)
        self._driver, self._cell = driver, np.zeros(1, np.int64)

    error_cell = property(lambda self: self._cell.ctypes.data)
    cell = property(lambda self: self._cell)

    def use(self):
        pass

    def free_cached(self):
        pass

    def synchronize(self):
        errors.check(self)

    def prepare(self, kernels):
        assert len(kernels) > 1

    def load(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        if block:
            assert threads % 32 == 0 and threads <= 1024
            library = block_emulator.compile_block(entry, self.folder)
            code = Code(None, _address(library, "gpusci_entry_blocks"), _address(library, "gpusci_set_shared"), threads, 48 * 1024)
        else:
            library, symbol = self._at_form(entry, name)
            code = Code(_address(library, symbol), None, None, threads, 0)
        function = _launch.Function(ctypes.addressof(code), 0, (library, code), threads, grain)
        if any(header in entry for header in DIRECT) or not hasattr(library, "gpusci_takes"):
            return function
        return Checked(function, library, name)

    def _at_form(self, entry, name):
        """With the CUDA branches where a subpackage's header has some, and the emulator knows what they call; else the host's form."""
        if self.everywhere or ELEMENTWISE in entry or any(mark in text for text in _headers(entry) for mark in BRANCHES):
            try:
                return block_emulator.compile_items(entry, self.folder), "gpusci_entry_items"
            except block_emulator.CannotCompile as error:
                if ELEMENTWISE in entry:                 # its work items on CUDA are others
                    raise
                plain.append((name, str(error)))
        return ctypes.CDLL(compiler.compile_host(entry, name=name)), "gpusci_entry"

    def allow_shared(self, function, nbytes):
        assert nbytes <= MOST_SHARED, f"{nbytes} bytes of shared memory: a block has {MOST_SHARED}"
        Code.from_address(function.handle).most_shared = nbytes

    def download(self, x):
        frames = [f for f in traceback.extract_stack() if "/gpusci/" in f.filename and "/gpusci/core/" not in f.filename]
        waits.append((frames[-1].filename.rpartition("/gpusci/")[2], frames[-1].lineno) if frames else ("core", 0))
        return super().download(x)


def install(folder, everywhere=False):
    """Make `cuda:0` the pretended GPU and the current device of this process. everywhere: the emulator for all kernels, which
    also compares the size of their arguments with the struct's."""
    gpu = PretendGpu(folder, everywhere)
    cuda.why_not, cuda.count, cuda.gpu = lambda: None, lambda: 1, lambda index: gpu
    device._default = gpu
    for module, names in LIBRARIES.items():
        module = importlib.import_module(f"gpusci.core.libraries.{module}")
        for name in names:
            setattr(module, name, _on_host(getattr(module, name)))
    return gpu


# ---- files of tests that install it
def is_alone(file):
    """Whether this process is the one that `run_alone` has made for a file."""
    return os.environ.get("GPUSCI_TEST_ALONE") == os.path.basename(file)


def run_alone(file, count, **variables):
    """Run the tests of a file that take the fixture `gpu`, `count` of them, in a process of their own: the driver stays."""
    env = {**os.environ, "GPUSCI_TEST_ALONE": os.path.basename(file), "GPUSCI_HOST_KERNELS": "0", **variables}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", file]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert cuda.why_not() is None or f"{count} passed" in done.stdout


def _on_host(func):
    """A library's function with arrays of the GPU copied to the host and back, as the library would leave them."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        copies = []                                     # (GPU array, its copy, its values before)

        def down(x):
            for gpu_array, copy, _ in copies:
                if gpu_array is x:
                    return copy
            copy = from_numpy(cuda.Cuda.download(x.device, x))
            copies.append((x, copy, copy.numpy().copy()))
            return copy

        gpu = next((a.device for a in _arrays((*args, *kwargs.values())) if a.device.kind == "cuda"), None)
        if gpu is None:
            return func(*args, **kwargs)
        result = func(*_map(args, down), **{key: _map(value, down) for key, value in kwargs.items()})
        for x, copy, before in copies:
            if copy.numpy().tobytes() != before.tobytes():
                x[...] = copy.to_device(gpu)

        def up(y):
            own = [x for x, copy, _ in copies if copy is y]
            return own[0] if own else gpu.upload(y.numpy())

        return _map(result, up)

    return wrapper


def _headers(entry):
    """Texts of the subpackages' headers that a kernel's source reaches."""
    ours, _ = compiler._headers.closure(entry, compiler._include_dirs)
    return [pathlib.Path(path).read_text() for path, _ in ours if "/core/include/" not in str(path)]


def _arrays(value):
    if isinstance(value, ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays(item)


def _map(value, change):
    if isinstance(value, ndarray):
        return change(value)
    if isinstance(value, tuple):
        items = [_map(item, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return [_map(item, change) for item in value] if isinstance(value, list) else value


def _address(library, name):
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value


def _library(source, folder):
    path = pathlib.Path(folder) / f"driver-{compile_cache.digest(source.read_text())}.so"
    if not path.exists():
        block_emulator._gcc(["-shared", f"-I{compiler.include_dirs()[0]}", "-x", "c++", source], path)
    return ctypes.CDLL(str(path))
