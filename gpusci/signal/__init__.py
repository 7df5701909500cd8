"""Signal processing, as `scipy.signal`: convolution, filtering, resampling, spectra, peaks, waveforms, filter design.

Data is processed on its device. Filter design is float64 work on the host; its coefficients may be NumPy arrays whatever
the kind of the data.
"""

import importlib

from gpusci.core import check, fallback
from gpusci.signal import windows
from gpusci.signal._analytic import envelope, hilbert, hilbert2
from gpusci.signal._convolution import (
    choose_conv_method,
    convolve,
    convolve2d,
    correlate,
    correlate2d,
    correlation_lags,
    deconvolve,
)  # fmt: skip
from gpusci.signal._czt import CZT, ZoomFFT, czt, czt_points, zoom_fft
from gpusci.signal._fftconvolve import fftconvolve, oaconvolve
from gpusci.signal._filters import detrend, medfilt, medfilt2d, order_filter, savgol_coeffs, savgol_filter, wiener
from gpusci.signal._fir_design import firwin, firwin2, firwin_2d, kaiser_atten, kaiser_beta, kaiserord, minimum_phase
from gpusci.signal._iir import filtfilt, lfilter, lfilter_zi, lfiltic, sosfilt, sosfilt_zi, sosfiltfilt
from gpusci.signal._lombscargle import lombscargle
from gpusci.signal._peaks import argrelextrema, argrelmax, argrelmin, find_peaks, peak_prominences, peak_widths
from gpusci.signal._resampling import decimate, resample, resample_poly, upfirdn
from gpusci.signal._spectral import check_COLA, check_NOLA, coherence, csd, istft, periodogram, spectrogram, stft, welch
from gpusci.signal._splines import (
    cspline1d,
    cspline1d_eval,
    cspline2d,
    gauss_spline,
    qspline1d,
    qspline1d_eval,
    qspline2d,
    sepfir2d,
    spline_filter,
    symiirorder1,
    symiirorder2,
)  # fmt: skip
from gpusci.signal._vectorstrength import vectorstrength
from gpusci.signal._waveforms import chirp, gausspulse, max_len_seq, sawtooth, square, sweep_poly, unit_impulse
from gpusci.signal._wavelets import cwt, morlet, morlet2, qmf, ricker
from gpusci.signal.windows import get_window

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ("fft", "ndimage")

# Modules that need SciPy's signal package, which takes a second to import: loaded at the first use of one of their names.
_LATER = {
    "_design": (
        "BadCoefficients", "StateSpace", "TransferFunction", "ZerosPolesGain", "abcd_normalize", "band_stop_obj", "bessel",
        "besselap", "bilinear", "bilinear_zpk", "bode", "buttap", "butter", "buttord", "cheb1ap", "cheb1ord", "cheb2ap",
        "cheb2ord", "cheby1", "cheby2", "cont2discrete", "dlti", "ellip", "ellipap", "ellipord", "find_peaks_cwt", "findfreqs",
        "firls", "freqresp", "freqs", "freqs_zpk", "freqz", "freqz_sos", "freqz_zpk", "gammatone", "group_delay",
        "iircomb", "iirdesign", "iirfilter", "iirnotch", "iirpeak", "invres", "invresz", "lp2bp", "lp2bp_zpk", "lp2bs",
        "lp2bs_zpk", "lp2hp", "lp2hp_zpk", "lp2lp", "lp2lp_zpk", "lti", "normalize", "place_poles", "remez",
        "residue", "residuez", "sos2tf", "sos2zpk", "sosfreqz", "ss2tf", "ss2zpk", "tf2sos", "tf2ss", "tf2zpk", "unique_roots",
        "zpk2sos", "zpk2ss", "zpk2tf",
    ),
    "_systems": ("dbode", "dfreqresp", "dimpulse", "dlsim", "dstep", "impulse", "lsim", "step"),
    "_short_time_fft": ("ShortTimeFFT", "closest_STFT_dual_window"),
}  # fmt: skip


def _scipy_has(file):
    """Whether the installed SciPy has a file, which tells what it offers without importing it (15 ms)."""
    from importlib.util import find_spec
    from os.path import exists

    return any(exists(f"{folder}/{file}") for folder in find_spec("scipy").submodule_search_locations)


if _scipy_has("signal/_whittaker.py"):  # from 1.18 on
    _LATER["_whittaker"] = ("whittaker_henderson",)

__all__ = [
    "CZT", "ZoomFFT", "argrelextrema", "argrelmax", "argrelmin", "check_COLA", "check_NOLA", "chirp", "choose_conv_method",
    "coherence", "convolve", "convolve2d", "correlate", "correlate2d", "correlation_lags", "csd", "cspline1d",
    "cspline1d_eval", "cspline2d", "cwt", "czt", "czt_points", "decimate", "deconvolve", "detrend", "envelope", "fftconvolve",
    "filtfilt", "find_peaks", "firwin", "firwin2", "firwin_2d", "gauss_spline", "gausspulse", "get_window", "hilbert", "hilbert2", "istft",
    "kaiser_atten", "kaiser_beta", "kaiserord", "lfilter", "lfilter_zi", "lfiltic", "lombscargle", "max_len_seq", "medfilt",
    "medfilt2d", "minimum_phase", "morlet", "morlet2", "oaconvolve", "order_filter", "peak_prominences", "peak_widths",
    "periodogram", "qmf", "qspline1d", "qspline1d_eval", "qspline2d", "resample", "resample_poly", "ricker", "savgol_coeffs",
    "savgol_filter", "sawtooth", "sepfir2d", "sosfilt", "sosfilt_zi", "sosfiltfilt", "spectrogram", "spline_filter", "square",
    "stft", "sweep_poly", "symiirorder1", "symiirorder2", "unit_impulse", "upfirdn", "vectorstrength", "welch", "wiener",
    "windows", "zoom_fft",
    *(name for names in _LATER.values() for name in names),
]  # fmt: skip

_fallback = fallback(__name__)


def __getattr__(name):
    for module, names in _LATER.items():
        if name in names:
            value = globals()[name] = getattr(importlib.import_module(f"gpusci.signal.{module}"), name)
            return value
    return _fallback(name)


def __dir__():
    return sorted({*globals(), *__all__})


check(__name__)
