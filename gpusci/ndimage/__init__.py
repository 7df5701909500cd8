"""Multidimensional image processing: `scipy.ndimage` on GPU and host arrays."""

from gpusci.core import check, fallback
from gpusci.ndimage._filters import (
    convolve, convolve1d, correlate, correlate1d, gaussian_filter, gaussian_filter1d, uniform_filter, uniform_filter1d,
)  # fmt: skip
from gpusci.ndimage._rank import (
    maximum_filter, maximum_filter1d, median_filter, minimum_filter, minimum_filter1d, percentile_filter, rank_filter,
)  # fmt: skip

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()

__all__ = [
    "convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d", "maximum_filter",
    "maximum_filter1d", "median_filter", "minimum_filter", "minimum_filter1d", "percentile_filter", "rank_filter",
    "uniform_filter", "uniform_filter1d",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
