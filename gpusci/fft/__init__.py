"""Fourier, cosine, sine and Hankel transforms, as `scipy.fft`: cuFFT on a GPU, SciPy's pocketfft with all threads on the host.

`scipy.fft.set_backend(gpusci.fft)` makes it SciPy's own backend.
"""

from gpusci.core import check, fallback
from gpusci.fft._backend import (
    __ua_domain__,
    __ua_function__,
    get_workers,
    register_backend,
    set_backend,
    set_global_backend,
    set_workers,
    skip_backend,
)  # fmt: skip
from gpusci.fft._basic import (
    fft,
    fft2,
    fftn,
    hfft,
    hfft2,
    hfftn,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    ihfft2,
    ihfftn,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)  # fmt: skip
from gpusci.fft._fftlog import fht, fhtoffset, ifht
from gpusci.fft._helper import fftfreq, fftshift, ifftshift, next_fast_len, prev_fast_len, rfftfreq
from gpusci.fft._realtransforms import dct, dctn, dst, dstn, idct, idctn, idst, idstn

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()

__all__ = [
    "dct", "dctn", "dst", "dstn", "fft", "fft2", "fftfreq", "fftn", "fftshift", "fht", "fhtoffset", "get_workers", "hfft",
    "hfft2", "hfftn", "idct", "idctn", "idst", "idstn", "ifft", "ifft2", "ifftn", "ifftshift", "ifht", "ihfft", "ihfft2",
    "ihfftn", "irfft", "irfft2", "irfftn", "next_fast_len", "prev_fast_len", "register_backend", "rfft", "rfft2", "rfftfreq",
    "rfftn", "set_backend", "set_global_backend", "set_workers", "skip_backend",
]  # fmt: skip

__getattr__ = fallback(__name__)
check(__name__)
