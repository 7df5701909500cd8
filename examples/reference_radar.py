"""The radar functions that SciPy lacks, in NumPy and SciPy alone: what the example is compared with."""

import numpy as np
import scipy.fft
from scipy import ndimage


def pulse_compression(x, template):
    """Matched filter along the samples, by circular correlation."""
    spectrum = scipy.fft.fft(template, x.shape[1]).conj()
    return scipy.fft.ifft(scipy.fft.fft(x, axis=1, workers=-1) * spectrum, axis=1, workers=-1)


def pulse_doppler(x, window=None):
    """Spectrum over the pulses, with a window."""
    if window is not None:
        from scipy.signal import get_window

        x = x * get_window(window, x.shape[0], fftbins=False)[:, None].astype(x.real.dtype)
    return scipy.fft.fft(x, axis=0, workers=-1)


def ca_cfar(power, guard, reference, pfa):
    """Cell-averaging threshold from two box means, and the detections; the border has none."""
    inner = [2 * g + 1 for g in guard]
    outer = [2 * (g + r) + 1 for g, r in zip(guard, reference, strict=True)]
    cells = np.prod(outer) - np.prod(inner)
    noise = (
        ndimage.uniform_filter(power, outer) * np.prod(outer) - ndimage.uniform_filter(power, inner) * np.prod(inner)
    ) / cells
    threshold = np.zeros_like(power)
    edge = tuple(slice(g + r, -(g + r)) for g, r in zip(guard, reference, strict=True))
    threshold[edge] = (cells * (pfa ** (-1 / cells) - 1) * noise)[edge]
    detections = np.zeros(power.shape, bool)
    detections[edge] = power[edge] > threshold[edge]
    return threshold, detections
