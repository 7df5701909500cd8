"""Coordinates from a function of the caller (Python or C), evaluated on the host for each output position in C order."""

import itertools
import math

import numpy as np

from gpusci.core import get_device, to_array
from gpusci.ndimage import _interpolation_kernels as kernels
from gpusci.ndimage._generic import _capsule

_INTEGERS = ("intptr_t", "npy_intp", "long", "long long")
_SIGNATURES = tuple(f"int ({integer} *, double *, int, int, void *)" for integer in _INTEGERS)


def coordinates(mapping, shape, rank, extra_arguments, extra_keywords):
    """float64 (rank, *shape) on the host. Raises ValueError for what cannot be called, TypeError for what is no tuple."""
    call = _c_function(mapping)
    size = math.prod(shape)
    found = np.empty((size, rank))
    if call and size:
        kernels.mapping_call(size, (len(shape),), to_array(found, get_device("host")), shape, rank, *call)
    elif not call:
        for row, position in zip(found, itertools.product(*map(range, shape)), strict=True):
            point = mapping(position, *extra_arguments, **extra_keywords)
            if not isinstance(point, tuple) or len(point) < rank:
                raise TypeError(f"the mapping must return a tuple of {rank} coordinates, one for each axis of the input")
            for d in range(rank):
                row[d] = math.ldexp(point[d], 0)        # takes what C takes as a double, and no strings
    return np.ascontiguousarray(found.T).reshape(rank, *shape)


def _c_function(mapping):
    """(address, data) of a LowLevelCallable or capsule, None for a Python function."""
    capsule = mapping
    if type(mapping).__name__ == "LowLevelCallable" and isinstance(mapping, tuple):
        capsule = tuple.__getitem__(mapping, 0)
        if callable(capsule):
            return None
    if type(capsule).__name__ != "PyCapsule":
        if not callable(mapping):
            raise ValueError("invalid callable given; use a Python function or a scipy.LowLevelCallable")
        return None
    name = _capsule.PyCapsule_GetName(capsule)
    if name is not None and name.decode() not in _SIGNATURES:
        raise ValueError(f'Invalid scipy.LowLevelCallable signature "{name.decode()}". Expected one of: {list(_SIGNATURES)}')
    return _capsule.PyCapsule_GetPointer(capsule, name), _capsule.PyCapsule_GetContext(capsule) or 0
