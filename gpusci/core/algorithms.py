"""Places of true elements: nonzero, argwhere, flatnonzero. The names of the neighbouring files are gathered here too.

`nonzero` and its kin wait for the GPU: the shape of their result is the count of true elements.
"""

import numpy as np

from gpusci.core import differences, histograms, masks, order_statistics, reduction, sets
from gpusci.core._ndarray import new
from gpusci.core.differences import *  # noqa: F403
from gpusci.core.histograms import *  # noqa: F403
from gpusci.core.kernel import BlockKernel, Kernel
from gpusci.core.numpylike import numpy_like, to_device_array
from gpusci.core.order_statistics import *  # noqa: F403
from gpusci.core.radix import contiguous
from gpusci.core.sets import *  # noqa: F403

__all__ = [
    "argwhere", "flatnonzero", "nonzero", *differences.__all__, *histograms.__all__, *order_statistics.__all__, *sets.__all__,
]  # fmt: skip

PLACES = "ptr mask, ptr last, ptr y, i64 n, i64 along, i64 across, i64s shape"
true_places = Kernel("true_places", "gpusci/places.h", template="R Index", args=PLACES, grain=4, first=["1", "3"])
true_places_block = BlockKernel("true_places_block", "gpusci/places.h", template="R Index", args=PLACES, first=["1"])


def _places(a, by_item):
    """The coordinates of non-zero elements: (count, ndim) by item, else (ndim, count)."""
    mask = a if a.dtype.kind == "b" else a != 0
    mask = contiguous(mask)
    ndim = a.ndim
    last, total = masks.count_before(mask)
    y = new((total, ndim) if by_item else (ndim, total), np.int64, a.device)
    if total and ndim:
        strides = (ndim, 1) if by_item else (1, total)
        row = true_places_block if reduction.has_blocks(a.device) else true_places
        row(last.size, (ndim,), mask, last, y, mask.size, *strides, mask.shape)
    return y


@numpy_like
def nonzero(a):
    """As `numpy.nonzero`."""
    a = to_device_array(a)
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use gpusci.atleast_1d(scalar).nonzero() instead.")
    y = _places(a, False)
    return tuple(y[d] for d in range(a.ndim))


@numpy_like
def flatnonzero(a):
    """As `numpy.flatnonzero`."""
    return _places(to_device_array(a).reshape(-1), False)[0]


@numpy_like
def argwhere(a):
    """As `numpy.argwhere`."""
    a = to_device_array(a)
    if a.ndim == 0:
        return _places(a.reshape(1), True)[:, :0]
    return _places(a, True)
