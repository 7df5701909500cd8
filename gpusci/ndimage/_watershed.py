"""Watershed by the image foresting transform."""

import numpy as np

import gpusci as gs
from gpusci.core import args, ndarray, public
from gpusci.ndimage._arrays import host

__all__ = ["watershed_ift"]

_SIGNED = "bhilq"


@public("input", "markers", library=True)
def watershed_ift(input, markers, structure=None, output=None):
    """As `scipy.ndimage.watershed_ift`, which does the work on the host: the first come, first served order of its queues
    decides between equal costs, and no parallel form gives the same labels. GPU arrays are copied there and back.

    Raises TypeError for an input that is not uint8 or uint16, RuntimeError for shapes and dtypes that do not fit.
    """
    import scipy.ndimage

    if input.dtype.char not in "BH":
        raise TypeError("only 8 and 16 unsigned inputs are supported: convert with astype('uint8') or 'uint16'")
    if input.shape != markers.shape:
        raise RuntimeError("input and markers must have equal shape")
    if markers.dtype.char not in _SIGNED:
        raise RuntimeError("marker should be of integer type: int8 to int64")
    if isinstance(output, ndarray):
        if output.dtype.char not in _SIGNED:
            raise RuntimeError("output should be of integer type: int8 to int64")
        output = args.get_output(output, input)
    else:
        output = gs.empty(input.shape, markers.dtype, device=input.device)
    structure = None if structure is None else np.asarray(host(structure))
    target = output.numpy()         # on the host the output's own memory
    scipy.ndimage.watershed_ift(input.numpy(), markers.numpy(), structure=structure, output=target)
    if output.device.kind != "host":
        output[...] = gs.asarray(target, device=output.device)
    return output
