"""Random numbers of a library in place: cuRAND's Philox generator on CUDA, NumPy's on the host.

gpusci.random has its own kernels, which draw the same numbers on every device; this is for programs that want cuRAND's
sequences, and the yardstick for those kernels.
"""

import weakref

import numpy as np

from gpusci.core._ndarray import new
from gpusci.core.libraries import binding, enter, missing

__all__ = ["LibraryGenerator"]

PHILOX = 161  # curand.h: CURAND_RNG_PSEUDO_PHILOX4_32_10
SUFFIX = {"f": "", "d": "_double"}


class LibraryGenerator:
    """A stateful generator on one device; one thread at a time. Arrays to fill are contiguous, float32 or float64."""

    def __init__(self, seed, device):
        self.device = device
        if device.kind != "cuda":
            self._numpy = np.random.Generator(np.random.Philox(seed))
            return
        self._curand = binding("curand")
        enter(device)
        try:
            self._handle = self._curand.create_generator(PHILOX)
        except RuntimeError as error:  # nvmath: NotFoundError where the shared library is absent
            raise ImportError(missing("curand", "NVIDIA's curand library")) from error
        weakref.finalize(self, self._curand.destroy_generator, self._handle)
        self._curand.set_pseudo_random_generator_seed(self._handle, seed)

    def uniform(self, out):
        """Fill with numbers between 0 and 1: (0, 1] by cuRAND, [0, 1) by NumPy. Returns `out`."""
        if self.device.kind != "cuda":
            self._numpy.random(dtype=_checked(out), out=out.numpy())
        else:
            self._ready()
            getattr(self._curand, "generate_uniform" + SUFFIX[_checked(out).char])(self._handle, out.ptr, out.size)
        return out

    def normal(self, out, loc=0.0, scale=1.0):
        """Fill with normal numbers. Returns `out`."""
        if self.device.kind != "cuda":
            view = out.numpy()
            self._numpy.standard_normal(dtype=_checked(out), out=view)
            view *= scale
            view += loc
            return out
        self._ready()
        generate = getattr(self._curand, "generate_normal" + SUFFIX[_checked(out).char])
        even = out if out.size % 2 == 0 else new((out.size + 1,), out.dtype, self.device)  # cuRAND makes them in pairs
        generate(self._handle, even.ptr, even.size, loc, scale)
        if even is not out:
            out[...] = even[:-1].reshape(out.shape)
        return out

    def _ready(self):
        enter(self.device)
        self._curand.set_stream(self._handle, self.device.stream_ptr)


def _checked(out):
    if out.dtype.char not in SUFFIX or not out.flags.c_contiguous:
        raise ValueError("the array to fill must be C-contiguous and float32 or float64")
    return out.dtype
