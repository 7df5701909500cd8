"""Multidimensional image processing: `scipy.ndimage` on GPU and host arrays."""

from gpusci.core import check, fallback
from gpusci.ndimage._derivatives import (
    gaussian_gradient_magnitude, gaussian_laplace, generic_gradient_magnitude, generic_laplace, laplace, prewitt,
    sobel,
)  # fmt: skip
from gpusci.ndimage._filters import (
    convolve, convolve1d, correlate, correlate1d, gaussian_filter, gaussian_filter1d, uniform_filter,
    uniform_filter1d,
)  # fmt: skip
from gpusci.ndimage._fourier import fourier_ellipsoid, fourier_gaussian, fourier_shift, fourier_uniform
from gpusci.ndimage._generic import generic_filter, generic_filter1d, vectorized_filter
from gpusci.ndimage._rank import (
    maximum_filter, maximum_filter1d, median_filter, minimum_filter, minimum_filter1d, percentile_filter, rank_filter,
)  # fmt: skip

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()

__all__ = [
    "convolve", "convolve1d", "correlate", "correlate1d", "fourier_ellipsoid", "fourier_gaussian", "fourier_shift",
    "fourier_uniform", "gaussian_filter", "gaussian_filter1d", "gaussian_gradient_magnitude", "gaussian_laplace",
    "generic_filter", "generic_filter1d", "generic_gradient_magnitude", "generic_laplace", "laplace",
    "maximum_filter", "maximum_filter1d", "median_filter", "minimum_filter", "minimum_filter1d", "percentile_filter",
    "prewitt", "rank_filter", "sobel", "uniform_filter", "uniform_filter1d", "vectorized_filter",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
