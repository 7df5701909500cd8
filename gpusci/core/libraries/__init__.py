"""GPU libraries behind one face each: nvmath's bindings on CUDA, NumPy and SciPy on the host by zero-copy views.

Each module (`fft`, `blas`, `solver`, `sparse`, `random`) takes and returns `gpusci.ndarray` and hides pointers, handles,
workspaces and data layouts. Calls are asynchronous on CUDA: on the current stream, with stream-ordered workspaces. `host` is
the decorator of functions that SciPy does where the device uses NumPy.
"""

import functools
import threading
from importlib import import_module

import numpy as np

from gpusci.core import _launch
from gpusci.core._ndarray import new

__all__ = ["binding", "cuda_type", "enter", "handle", "missing", "on_gpu", "one", "scipy_since", "workspace", "zero"]

# cudaDataType_t (library_types.h) by dtype character.
_CUDA_TYPES = {"e": 2, "f": 0, "d": 1, "F": 4, "D": 5, "b": 3, "B": 8, "i": 10, "I": 12, "q": 24, "Q": 26, "l": 24, "L": 26}
_local = threading.local()
_scalars = {}


@functools.cache
def scipy_since(major, minor):
    """Whether the installed SciPy is of this release or a later one: where releases differ, functions do as the installed one."""
    import scipy

    return tuple(map(int, scipy.__version__.split(".")[:2])) >= (major, minor)


def on_gpu(x):
    """Whether the CUDA library does the work for this array. Everything else goes to NumPy and SciPy."""
    return x.device.kind == "cuda"


def binding(name):
    """nvmath's module for a CUDA library. Raises ImportError naming what to install."""
    try:
        return import_module("nvmath.bindings." + name)
    except ImportError as error:
        raise ImportError(missing(name, "the Python package nvmath-python")) from error


def missing(name, what):
    """The sentence of an ImportError: what a library needs and how to get it."""
    return (
        f"{name} on the GPU needs {what}, which was not found; install it with `pip install gpusci[cuda13]` "
        "(or gpusci[cuda12] for a CUDA 12 driver), or work on the host with GPUSCI_DEVICE=host"
    )


def enter(device):
    """Make the device's context current in this thread, as the libraries expect it."""
    device.use()


def handle(name, device):
    """(nvmath module, handle) for a library, made once per GPU and thread, bound to the current stream.

    Not for use across threads. The cache key has neither math modes nor pointer modes: callers leave those alone.
    """
    enter(device)
    cache = _local.__dict__.setdefault("handles", {})
    key = name, device.index
    stream = device.stream_ptr
    entry = cache.get(key)
    if entry is None:
        module = binding(name)
        try:
            entry = cache[key] = [module, module.create(), None]
        except RuntimeError as error:  # nvmath: NotFoundError where the shared library is absent
            raise ImportError(missing(name, f"NVIDIA's {name} library")) from error
    module, made, bound = entry
    if bound != stream:
        module.set_stream(made, stream)
        entry[2] = stream
    return module, made


def cuda_type(dtype):
    """cudaDataType of a dtype; TypeError for one that the libraries do not take."""
    try:
        return _CUDA_TYPES[np.dtype(dtype).char]
    except KeyError:
        raise TypeError(f"CUDA libraries take no arrays of dtype {dtype}; convert with astype first") from None


def _scalar(value, dtype):
    key = value, np.dtype(dtype).char
    if key not in _scalars:
        _scalars[key] = np.array(value, dtype)
    return _scalars[key].ctypes.data


def one(dtype):
    """Host address of a 1 of this dtype (libraries read alpha and beta from host memory), valid for ever."""
    return _scalar(1, dtype)


def zero(dtype):
    """Host address of a 0 of this dtype."""
    return _scalar(0, dtype)


def workspace(nbytes, device):
    """Scratch memory of the device: an object with `ptr`. Dropping it after the call is safe: its release is ordered behind
    the work on the same stream."""
    nbytes = max(int(nbytes), 1)
    return _launch.allocate(device.index, nbytes) if device.kind == "cuda" else new((nbytes,), np.uint8, device)
