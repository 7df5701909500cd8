"""Signal processing, as `scipy.signal`."""

from gpusci.core import check, fallback
from gpusci.signal import windows
from gpusci.signal._convolution import (
    choose_conv_method, convolve, convolve2d, correlate, correlate2d, correlation_lags, deconvolve,
)  # fmt: skip
from gpusci.signal._fftconvolve import fftconvolve, oaconvolve
from gpusci.signal._iir import filtfilt, lfilter, lfilter_zi, lfiltic, sosfilt, sosfilt_zi, sosfiltfilt
from gpusci.signal.windows import get_window

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ("fft",)
__all__ = []
