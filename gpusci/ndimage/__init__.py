"""Multidimensional image processing: `scipy.ndimage` on GPU and host arrays."""

from gpusci.core import check, fallback
from gpusci.ndimage._binary import (
    binary_closing, binary_dilation, binary_erosion, binary_fill_holes, binary_hit_or_miss, binary_opening,
    binary_propagation,
)  # fmt: skip
from gpusci.ndimage._derivatives import (
    gaussian_gradient_magnitude,
    gaussian_laplace,
    generic_gradient_magnitude,
    generic_laplace,
    laplace,
    prewitt,
    sobel,
)
from gpusci.ndimage._distance import distance_transform_bf, distance_transform_cdt, distance_transform_edt
from gpusci.ndimage._filters import (
    convolve,
    convolve1d,
    correlate,
    correlate1d,
    gaussian_filter,
    gaussian_filter1d,
    uniform_filter,
    uniform_filter1d,
)
from gpusci.ndimage._fourier import fourier_ellipsoid, fourier_gaussian, fourier_shift, fourier_uniform
from gpusci.ndimage._generic import generic_filter, generic_filter1d, vectorized_filter
from gpusci.ndimage._grey import (
    black_tophat, grey_closing, grey_dilation, grey_erosion, grey_opening, morphological_gradient, morphological_laplace,
    white_tophat,
)  # fmt: skip
from gpusci.ndimage._interpolation import (
    affine_transform, geometric_transform, map_coordinates, rotate, shift, spline_filter, spline_filter1d, zoom,
)  # fmt: skip
from gpusci.ndimage._label import find_objects, label, value_indices
from gpusci.ndimage._measurements import (
    center_of_mass, extrema, histogram, labeled_comprehension, maximum, maximum_position, mean, median, minimum,
    minimum_position, standard_deviation, sum, sum_labels, variance,
)  # fmt: skip
from gpusci.ndimage._rank import (
    maximum_filter,
    maximum_filter1d,
    median_filter,
    minimum_filter,
    minimum_filter1d,
    percentile_filter,
    rank_filter,
)
from gpusci.ndimage._structure import generate_binary_structure, iterate_structure
from gpusci.ndimage._watershed import watershed_ift

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()

__all__ = [
    "affine_transform", "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes",
    "binary_hit_or_miss", "binary_opening", "binary_propagation", "black_tophat", "center_of_mass", "convolve",
    "convolve1d", "correlate", "correlate1d", "distance_transform_bf", "distance_transform_cdt",
    "distance_transform_edt", "extrema", "find_objects", "fourier_ellipsoid", "fourier_gaussian", "fourier_shift",
    "fourier_uniform", "gaussian_filter", "gaussian_filter1d", "gaussian_gradient_magnitude", "gaussian_laplace",
    "generate_binary_structure", "generic_filter", "generic_filter1d", "generic_gradient_magnitude", "generic_laplace",
    "geometric_transform", "grey_closing", "grey_dilation", "grey_erosion", "grey_opening", "histogram",
    "iterate_structure", "label", "labeled_comprehension", "laplace", "map_coordinates", "maximum", "maximum_filter",
    "maximum_filter1d", "maximum_position", "mean", "median", "median_filter", "minimum", "minimum_filter",
    "minimum_filter1d", "minimum_position", "morphological_gradient", "morphological_laplace", "percentile_filter",
    "prewitt", "rank_filter", "rotate", "shift", "sobel", "spline_filter", "spline_filter1d", "standard_deviation",
    "sum", "sum_labels", "uniform_filter", "uniform_filter1d", "value_indices", "variance", "vectorized_filter",
    "watershed_ift", "white_tophat", "zoom",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
