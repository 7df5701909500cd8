"""The radar functions that SciPy and CuPy's copy of it lack, written plainly: what the example is compared with."""

import numpy as np
import scipy.fft
import scipy.ndimage
from scipy.signal import get_window


class Radar:
    """With one library's arrays, transforms and filters: NumPy's and SciPy's, or CuPy's."""

    def __init__(self, xp=np, fft=scipy.fft, ndimage=scipy.ndimage, **transform):
        self.xp, self.fft, self.ndimage, self.transform = xp, fft, ndimage, transform

    def pulse_compression(self, x, template):
        """Matched filter along the samples, by circular correlation."""
        spectrum = self.fft.fft(template, x.shape[1]).conj()
        return self.fft.ifft(self.fft.fft(x, axis=1, **self.transform) * spectrum, axis=1, **self.transform)

    def pulse_doppler(self, x, window):
        """Spectrum over the pulses, with a window."""
        weights = self.xp.asarray(get_window(window, x.shape[0], fftbins=False).astype(x.real.dtype))
        return self.fft.fft(x * weights[:, None], axis=0, **self.transform)

    def ca_cfar(self, power, guard, reference, pfa):
        """Cell-averaging threshold from two box means, and the detections; the border has none."""
        inner = [2 * g + 1 for g in guard]
        outer = [2 * (g + r) + 1 for g, r in zip(guard, reference, strict=True)]
        cells = int(np.prod(outer) - np.prod(inner))
        sums = [self.ndimage.uniform_filter(power, box) * int(np.prod(box)) for box in (outer, inner)]
        noise = (sums[0] - sums[1]) / cells
        threshold = self.xp.zeros_like(power)
        edge = tuple(slice(g + r, -(g + r)) for g, r in zip(guard, reference, strict=True))
        threshold[edge] = (cells * (pfa ** (-1 / cells) - 1) * noise)[edge]
        detections = self.xp.zeros(power.shape, bool)
        detections[edge] = power[edge] > threshold[edge]
        return threshold, detections
