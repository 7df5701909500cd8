"""What a subpackage may use of core: arrays, kernel rows, the `@public` decorator, SciPy's argument habits."""

from gpusci.core import args
from gpusci.core._dtypes import canonical, cpp_name
from gpusci.core._ndarray import from_numpy, ndarray, new
from gpusci.core._version import __version__
from gpusci.core.constants import constant
from gpusci.core.device import Device, current_device, get_device
from gpusci.core.dispatch import public, to_array
from gpusci.core.kernel import BlockKernel, Functor, Kernel
from gpusci.core.subpackage import HostFallbackWarning, check, fallback

__all__ = [
    "BlockKernel", "Device", "Functor", "HostFallbackWarning", "Kernel", "Ufunc", "__version__", "args", "canonical", "check",
    "constant", "cpp_name", "current_device", "fallback", "from_numpy", "get_device", "ndarray", "new", "public", "to_array",
]  # fmt: skip


def __getattr__(name):
    if name == "Ufunc":                 # ufunc.py needs this package first
        from gpusci.core.ufunc import Ufunc

        return Ufunc
    raise AttributeError(f"module 'gpusci.core' has no attribute {name!r}")
