"""Structuring elements."""

import functools

import numpy as np

import gpusci as gs
from gpusci.core import public


def generate_binary_structure(rank, connectivity):
    """Elements within `connectivity` unit steps of the centre of a 3 x ... x 3 cube, as a boolean NumPy array. As SciPy's."""
    reach = max(connectivity, 1)
    if rank < 1:
        return np.array(True, dtype=bool)
    return np.abs(np.indices([3] * rank) - 1).sum(0) <= reach


@functools.lru_cache(64)
def default_structure(rank):
    """The cross of `generate_binary_structure(rank, 1)`; not to be written to."""
    structure = generate_binary_structure(rank, 1)
    structure.flags.writeable = False
    return structure


@public("structure")
def iterate_structure(structure, iterations, origin=None):
    """A structure dilated with itself iterations - 1 times. As `scipy.ndimage.iterate_structure`.

    With `origin` also the origins, multiplied by iterations. Raises TypeError for iterations that are no integer.
    """
    import scipy.ndimage

    # Structures are a few elements: the host does it, whatever the device.
    result = scipy.ndimage.iterate_structure(structure.numpy(), iterations, origin)
    if not isinstance(result, tuple):       # nor is it one for a single iteration
        return gs.asarray(result, device=structure.device)
    return gs.asarray(result[0], device=structure.device), result[1]
