"""What a subpackage may use of core: arrays, kernel rows, the `@public` decorator, SciPy's argument habits."""

from gpusci.core import args
from gpusci.core._ndarray import ndarray
from gpusci.core._version import __version__
from gpusci.core.constants import constant
from gpusci.core.device import Device, current_device, get_device
from gpusci.core.dispatch import public, to_array
from gpusci.core.kernel import BlockKernel, Functor, Kernel
from gpusci.core.subpackage import HostFallbackWarning, check, fallback

__all__ = [
    "BlockKernel", "Device", "Functor", "HostFallbackWarning", "Kernel", "Ufunc", "__version__", "args", "check", "constant",
    "current_device", "fallback", "get_device", "ndarray", "public", "to_array",
]  # fmt: skip


def __getattr__(name):
    if name == "Ufunc":                 # ufunc.py needs this package first
        from gpusci.core.ufunc import Ufunc

        return Ufunc
    raise AttributeError(f"module 'gpusci.core' has no attribute {name!r}")
