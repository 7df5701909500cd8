"""The ways array functions run, for tests: NumPy on the host, our kernels on the host, our kernels on a GPU if there is one."""

import contextlib

import numpy as np

import gpusci as gs
from gpusci.core import cuda
from gpusci.core.host import HOST

WAYS = ("numpy", "kernels", *(["cuda"] if cuda.why_not() is None else []))
KERNELS = WAYS[1:]


@contextlib.contextmanager
def use(way):
    """Run the block with one of WAYS; arrays made inside are on its device."""
    before = HOST.uses_numpy
    HOST.uses_numpy = way == "numpy" and before
    try:
        with gs.device("cuda:0" if way == "cuda" else "host"):
            yield
    finally:
        HOST.uses_numpy = before


def put(a):
    """A NumPy array on the current device with its memory layout kept: strides, order, reversed axes, broadcasts."""
    base = a
    while isinstance(base.base, np.ndarray):
        base = base.base
    if base is a or base.dtype != a.dtype or not base.flags.forc or not base.size:
        return gs.asarray(a)
    flat = base.reshape(-1) if base.flags.c_contiguous else base.T.reshape(-1)
    line = gs.asarray(flat)
    start = (a.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // a.itemsize
    from numpy.lib.stride_tricks import as_strided

    from gpusci.core._ndarray import wrap

    return wrap(as_strided(line._a[start:] if start else line._a, a.shape, a.strides), line)
