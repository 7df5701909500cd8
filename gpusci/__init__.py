"""gpusci: SciPy and NumPy on the GPU and on the host, from one source.

`from gpusci import signal, ndimage, sparse` instead of SciPy's; `import gpusci as gs` for the NumPy-like namespace.
Importing compiles nothing and opens no device.
"""

from gpusci.core import HostFallbackWarning, constant, ndarray
from gpusci.core._version import __version__
from gpusci.core.cuda import Stream, free_cached, memory_info
from gpusci.core.device import Device, current_device, device, devices, get_device
from gpusci.core.info import info
from gpusci.core.kernel import BlockKernel, Kernel
from gpusci.core.namespace import *  # noqa: F403  the NumPy-like names, listed there one by one
from gpusci.core.subpackage import config
from gpusci.core.subpackage import load as _load


def synchronize():
    """Wait for the current device; raises errors that kernels reported (an index out of range, ...)."""
    current_device().synchronize()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'gpusci' has no attribute {name!r}")
    return _load(name)
