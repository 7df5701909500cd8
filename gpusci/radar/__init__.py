"""Radar: pulse compression, Doppler processing, ambiguity functions, detectors, channelizers, beamforming.

Names and signatures are cuSignal's. SciPy has no such module: this one shows how a subpackage of its own looks. Data is
(pulses, samples): rows are pulses (slow time), columns samples (fast time). Frequencies in Hz, times in seconds.
"""

from gpusci.core import check
from gpusci.radar._channels import (
    channelize_poly,
    convolve1d2o,
    convolve1d3o,
    doppler_axis,
    freq_shift,
    mvdr,
    range_axis,
    velocity_axis,
)  # fmt: skip
from gpusci.radar._detection import ca_cfar, cfar_alpha, os_cfar, os_cfar_alpha
from gpusci.radar._pulses import ambgfun, pulse_compression, pulse_doppler

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
MIRRORS = None
REQUIRES = ("fft", "signal")  # and gpusci.linalg at the first call of mvdr

__all__ = [
    "ambgfun", "ca_cfar", "cfar_alpha", "channelize_poly", "convolve1d2o", "convolve1d3o", "doppler_axis", "freq_shift", "mvdr",
    "os_cfar", "os_cfar_alpha", "pulse_compression", "pulse_doppler", "range_axis", "velocity_axis",
]  # fmt: skip

check(__name__)
