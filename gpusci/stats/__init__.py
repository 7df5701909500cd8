"""Statistics: `scipy.stats` on GPU and host arrays."""

from gpusci.core import check, fallback

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ("special", "random")

__all__ = []

__getattr__ = fallback(__name__)
check(__name__)
