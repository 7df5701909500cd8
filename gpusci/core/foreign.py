"""Arrays of other libraries (torch, CuPy, JAX, Numba ...), taken over and handed back without a copy."""

import numpy as np

from gpusci.core._ndarray import ndarray

__all__ = ["from_gpusci", "is_foreign", "to_gpusci"]


def is_foreign(v):
    """An array of another library that can be taken over without a copy."""
    if isinstance(v, (np.ndarray, np.generic, ndarray, int, float, complex, str, bytes, list, tuple)):
        return False
    return hasattr(v, "__cuda_array_interface__") or hasattr(v, "__dlpack__")


def to_gpusci(value):
    """A foreign array as a gpusci array on its memory."""
    import gpusci

    return gpusci.from_dlpack(value) if hasattr(value, "__dlpack__") else gpusci.asarray(value)


def from_gpusci(x, like):
    """A gpusci array as an array of the library of `like`, on its memory."""
    module = type(like).__module__.split(".")[0]
    if module in ("jaxlib", "jax"):
        import jax.dlpack

        return jax.dlpack.from_dlpack(x)
    if module == "numba":
        from numba import cuda

        return cuda.as_cuda_array(x)
    namespace = like.__array_namespace__() if hasattr(like, "__array_namespace__") else __import__(module)
    return namespace.from_dlpack(x)
