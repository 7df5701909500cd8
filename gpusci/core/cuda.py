"""The GPU devices, on cuda-python's driver bindings. Nothing here runs before a GPU is asked for."""

import ctypes
import functools
import os

import numpy as np

from gpusci.core import _launch, device, errors
from gpusci.core.device import Device
from gpusci.core.host_memory import reusing

__all__ = ["Stream", "count", "free_cached", "gpu", "memory_info", "why_not"]

KNOWN = 4096  # bytes of an upload that the host keeps a copy of
OLDEST_DRIVER = 12000  # CUDA 12.0: the first whose NVRTC and stream-ordered pools we test against
FORKED = ("this process was forked from one that uses the GPU, which CUDA does not survive: start processes with "
          "multiprocessing.get_context('spawn')")  # fmt: skip
_forked = False


def _driver():
    from cuda.bindings import driver

    return driver


def call(name, *args):
    """A driver function by name; raises RuntimeError with the driver's text."""
    if _forked:
        raise RuntimeError(f"{name} failed: {FORKED}")
    err, *rest = getattr(_driver(), name)(*args)
    if int(err):
        raise RuntimeError(f"{name} failed: {error_text(int(err))}")
    return rest[0] if len(rest) == 1 else tuple(rest)


def error_text(number):
    """Name and description of a CUresult."""
    if _forked:
        return FORKED
    driver = _driver()
    code = driver.CUresult(number)
    name, text = driver.cuGetErrorName(code)[1], driver.cuGetErrorString(code)[1]
    return f"{(name or b'?').decode()}: {(text or b'?').decode()}"


def why_not():
    """None when a GPU can be used, else the reason in one sentence."""
    return FORKED if _forked else _why_not()


@functools.cache
def _why_not():
    try:
        import cuda.bindings
        from cuda.bindings import driver
    except ImportError:
        return "cuda-bindings is not installed: pip install 'gpusci[cuda13]' (or [cuda12], to match the driver)"
    try:
        err, version = driver.cuDriverGetVersion()
        init = driver.cuInit(0)[0] if not int(err) else err
    except Exception:  # cuda.pathfinder's own class where libcuda is absent
        return "no NVIDIA driver was found on this machine (libcuda is missing)"
    watch_forks()
    if int(init):
        return f"the NVIDIA driver refused to start: {error_text(int(init))}"
    if version < OLDEST_DRIVER:
        return f"the NVIDIA driver supports CUDA {version // 1000}.{version % 1000 // 10} only; CUDA 12.0 or newer is needed"
    wheels = int(cuda.bindings.__version__.split(".")[0])
    if wheels > version // 1000:
        return (
            f"the installed CUDA {wheels} wheels are newer than the driver, which supports CUDA {version // 1000}: "
            f"pip install 'gpusci[cuda{version // 1000}]' or update the driver"
        )
    if not int(driver.cuDeviceGetCount()[1]):
        return "the NVIDIA driver sees no GPU"
    return None


@functools.cache
def watch_forks():
    """A child of this process must not call the driver, which would hang or crash: its uses of a GPU raise instead."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)


def _after_fork():
    global _forked
    _forked = True
    _launch.abandon()
    device.forget_default()


def count():
    """Number of GPUs."""
    return int(call("cuDeviceGetCount"))


@functools.cache
def _gpu(index):
    return Cuda(index)


def gpu(index):
    """The Device of a GPU number. Raises RuntimeError, with the reason, where it cannot be used."""
    reason = why_not()
    if reason:
        raise RuntimeError(f"no GPU can be used: {reason}")
    if index >= count():
        raise RuntimeError(f"there is no cuda:{index}: the driver sees {count()} GPU(s)")
    return _gpu(index)


class Cuda(Device):
    """One GPU: its primary context, a memory pool that keeps what is freed, the code loaded on it."""

    kind = "cuda"

    def __init__(self, index):
        driver = _driver()
        self.index = index
        handle = call("cuDeviceGet", index)
        major, minor = (
            call("cuDeviceGetAttribute", getattr(driver.CUdevice_attribute, name), handle)
            for name in (
                "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
                "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR",
            )
        )
        self.arch = f"sm_{major}{minor}"
        self.processors = call(
            "cuDeviceGetAttribute", driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, handle
        )
        self.title = call("cuDeviceGetName", 256, handle).split(b"\0")[0].decode()
        self.total_memory = int(call("cuDeviceTotalMem", handle))
        context = call("cuDevicePrimaryCtxRetain", handle)
        self._pool = self._make_pool(driver, index)
        _set_driver()
        limit = _memory_limit(os.environ.get("GPUSCI_MEMORY_LIMIT", ""), self.total_memory)
        self.memory_limit = limit
        _launch.set_gpu(index, int(context), int(self._pool), limit, _on_pressure, major >= 9)

    @staticmethod
    def _make_pool(driver, index):
        props = driver.CUmemPoolProps()
        props.allocType = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        props.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        props.location.id = index
        pool = call("cuMemPoolCreate", props)
        keep_all = driver.cuuint64_t(2**64 - 1)
        call("cuMemPoolSetAttribute", pool, driver.CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, keep_all)
        return pool

    @property
    def stream_ptr(self):
        """Handle of the current stream, 0 for the legacy default one."""
        return _launch.get_stream()

    def use(self):
        """Make this GPU current for calls that other CUDA libraries make in this thread."""
        _launch.use_context(self.index)

    def synchronize(self):
        self.use()
        call("cuCtxSynchronize")
        errors.check(self)

    def prepare(self, kernels):
        """Compile several kernels in one go, those that are not cached: (source, name, exact) each."""
        from gpusci.core import compiler

        options = compiler.cuda_options
        compiler.compile_together([compiler.Job("cuda", entry, name, self.arch, options(exact)) for entry, name, exact in kernels])

    def load(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        from gpusci.core import compiler

        cubin = compiler.compile_cuda(entry, name=name, arch=self.arch, options=compiler.cuda_options(exact))
        self.use()
        module = call("cuModuleLoadData", cubin)
        function = call("cuModuleGetFunction", module, compiler.cuda_symbol(entry, name).encode())
        return _launch.Function(int(function), self.index, module, threads, grain)

    def allow_shared(self, function, nbytes):
        """Let a kernel have more dynamic shared memory than 48 KiB."""
        driver = _driver()
        self.use()
        attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        call("cuFuncSetAttribute", driver.CUfunction(function.handle), attribute, nbytes)

    # ---- the error cell: pinned memory that kernels write and the host reads after a wait
    @functools.cached_property
    def error_cell(self):
        self.use()
        address = int(call("cuMemHostAlloc", 8, 3))  # CU_MEMHOSTALLOC_PORTABLE | DEVICEMAP
        ctypes.memset(address, 0, 8)
        return address

    @functools.cached_property
    def cell(self):
        return np.frombuffer((ctypes.c_int64 * 1).from_address(self.error_cell), np.int64)

    # ---- copies
    def upload(self, a):
        """A NumPy array on this GPU. Returns when `a` may be changed again."""
        from gpusci.core._ndarray import new, remember

        axes = _memory_axes(a)
        if axes is not None:  # keep the order of the axes in memory
            return self.upload(a.transpose(axes)).transpose(np.argsort(axes))
        order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
        a = a if a.flags.forc else reusing(np.ascontiguousarray, (a,))
        out = new(a.shape, a.dtype, self, order)
        _launch.upload(self.index, out.ptr, a.ctypes.data, a.nbytes)
        if 0 < a.nbytes <= KNOWN:
            remember(out, a.tobytes("A"))
        return out

    def download(self, x):
        """A NumPy copy; waits for the stream and raises pending errors, unless the contents are known."""
        from gpusci.core._ndarray import known, new

        found = known(x)
        if found is not None:
            return found
        axes = _memory_axes(x)
        if axes is not None:
            return self.download(x.transpose(axes)).transpose(np.argsort(axes))
        if not x.flags.forc:
            x = x.copy()
        out = new(x.shape, x.dtype, device.HOST, "C" if x.flags.c_contiguous else "F").numpy()
        _launch.download(self.index, out.ctypes.data, x.ptr, x.nbytes)
        errors.check(self)
        return out

    def copy_from(self, x):
        """An array of another GPU on this one."""
        from gpusci.core._ndarray import new

        x = x if x.flags.forc else x.copy()
        x.device.synchronize()
        out = new(x.shape, x.dtype, self, "C" if x.flags.c_contiguous else "F")
        _launch.copy_async(self.index, out.ptr, x.ptr, x.nbytes)
        return out

    def table(self, array):
        return self.upload(np.ascontiguousarray(array))

    # ---- memory
    def pool_bytes(self, name):
        """A counter of the pool: RESERVED_MEM_CURRENT, USED_MEM_CURRENT, USED_MEM_HIGH."""
        attribute = getattr(_driver().CUmemPool_attribute, f"CU_MEMPOOL_ATTR_{name}")
        return int(call("cuMemPoolGetAttribute", self._pool, attribute))

    def free_cached(self):
        """Give cached blocks back to the driver; waits for the GPU, whose pending frees then count."""
        self.use()
        _launch.release_kept(self.index)
        call("cuCtxSynchronize")
        call("cuMemPoolTrimTo", self._pool, 0)


def _memory_axes(a):
    """The axes, slowest first, of an array that fills its memory in another order than C or Fortran; else None."""
    if a.flags.forc or not a.size:
        return None
    axes = sorted(range(a.ndim), key=lambda d: -a.strides[d])
    return axes if a.transpose(axes).flags.c_contiguous else None


def _set_driver():
    flag = _driver().CUdriverProcAddress_flags.CU_GET_PROC_ADDRESS_LEGACY_STREAM
    names = (
        "LaunchKernelEx", "MemAllocFromPoolAsync", "MemFreeAsync", "CtxGetCurrent", "CtxSetCurrent", "MemcpyAsync", "StreamSynchronize",
        "MemHostAlloc", "MemFreeHost", "EventCreate", "EventRecord", "EventSynchronize", "PointerGetAttributes",
    )  # fmt: skip
    addresses = [call("cuGetProcAddress", f"cu{name}".encode(), 12000, flag) for name in names]
    _launch.set_driver(*(int(a[0] if isinstance(a, tuple) else a) for a in addresses))


def _memory_limit(text, total):
    if not text:
        return 0
    try:
        limit = int(float(text[:-1]) / 100 * total) if text.endswith("%") else int(text)
    except ValueError:
        limit = -1
    if limit <= 0:
        raise ValueError(f"GPUSCI_MEMORY_LIMIT={text!r}: give a number of bytes, or a percentage such as 80%")
    return limit


def _on_pressure(index, nbytes, full):
    """Called by `allocate`: before a request under a limit (full=False), when the driver is out of memory (True), and for
    the message of the error (None)."""
    device = _gpu(index)
    if full is None:
        return _out_of_memory(device, nbytes)
    if full:
        return device.free_cached()
    limit = device.memory_limit
    if device.pool_bytes("RESERVED_MEM_CURRENT") + nbytes > limit:
        device.free_cached()
    if _launch.memory_used(index) + nbytes > limit:
        raise MemoryError(_out_of_memory(device, nbytes))
    return None


def _out_of_memory(device, nbytes):
    info = memory_info(device)
    limit = f", limit {info['limit']:,} (GPUSCI_MEMORY_LIMIT)" if info["limit"] else ""
    return (
        f"out of GPU memory on {device.name}: {nbytes:,} bytes asked for; arrays hold {info['used']:,}, "
        f"{info['free']:,} of {info['total']:,} are free{limit}. Delete arrays, or process the data in parts."
    )


def memory_info(device=None):
    """Memory of a GPU in bytes: used by arrays, cached by the pool, free, total, limit (0: none)."""
    from gpusci.core.device import get_device

    device = get_device(device)
    if device.kind == "host":
        raise ValueError("memory_info is about GPUs: the host device uses NumPy's memory")
    device.use()
    free, total = map(int, call("cuMemGetInfo"))
    used, reserved = _launch.memory_used(device.index), device.pool_bytes("RESERVED_MEM_CURRENT")
    return {
        "used": used,
        "cached": max(reserved - used, 0),
        "free": free,
        "total": total,
        "limit": device.memory_limit,
    }


def free_cached(device=None):
    """Give the memory that the pool keeps for reuse back to the driver, and the page-locked buffers of large copies (waits)."""
    from gpusci.core.device import get_device

    device = get_device(device)
    if device.kind == "cuda":
        device.free_cached()


class Stream:
    """A CUDA stream: `with gpusci.Stream():` makes it current in this thread.

    Without one the legacy default stream is used, as in CuPy and torch, so that libraries in one program stay ordered.
    `Stream.from_ptr(handle)` wraps another library's stream.
    """

    def __init__(self, device=None, *, non_blocking=False):
        from gpusci.core.device import current_device, get_device

        self.device = current_device() if device is None else get_device(device)
        self.ptr, self._owned, self._before = 0, False, []
        if self.device.kind == "cuda":
            self.device.use()
            self.ptr, self._owned = int(call("cuStreamCreate", 1 if non_blocking else 0)), True

    @classmethod
    def from_ptr(cls, handle, device=None):
        from gpusci.core.device import current_device, get_device

        self = cls.__new__(cls)
        self.device = current_device() if device is None else get_device(device)
        self.ptr, self._owned, self._before = int(handle), False, []
        return self

    def __enter__(self):
        self._before.append(_launch.set_stream(self.ptr, self))
        return self

    def __exit__(self, *exc):
        _launch.set_stream(self._before.pop())

    def synchronize(self):
        """Wait for the work enqueued so far; raises pending device-side errors."""
        if self.device.kind == "cuda":
            with self:
                _launch.synchronize_stream(self.device.index)
        errors.check(self.device)

    def __del__(self):
        if getattr(self, "_owned", False):
            try:
                self.device.use()
                _driver().cuStreamDestroy(self.ptr)
            except Exception:  # interpreter shutdown: the driver is gone
                pass
