"""Warnings name the line that called gpusci, however deep inside they arise and in whatever way the arrays come."""

import warnings

import numpy as np
import pytest

import gpusci as gs
from gpusci import ndimage, signal

X, IMAGE = np.arange(12.0), np.arange(12.0).reshape(3, 4)
BOX = np.ones((3, 3), bool)
CALLS = {
    "grey_erosion": lambda up: ndimage.grey_erosion(up(IMAGE), size=3, footprint=BOX),
    "median_filter": lambda up: ndimage.median_filter(up(IMAGE), size=3, footprint=BOX),
    "morphological_gradient": lambda up: ndimage.morphological_gradient(up(IMAGE), size=3, footprint=BOX),
    "zoom": lambda up: ndimage.zoom(up(IMAGE), 2, mode="wrap", grid_mode=True),
    "spline_filter": lambda up: ndimage.spline_filter(up(IMAGE) + 1j, output=np.float64),
    "welch": lambda up: signal.welch(up(X), nperseg=50),
    "stft": lambda up: signal.stft(up(X) + 1j, nperseg=4),
    "spectrogram": lambda up: signal.spectrogram(up(X), nperseg=50),
    "medfilt": lambda up: signal.medfilt(up(X), 15),
    "chebwin": lambda up: signal.get_window(("chebwin", 20), 8),
    "fht": lambda up: gs.fft.fht(up(X), 0.1, 1, bias=-2),
    "cov": lambda up: gs.cov(up(X[:1])),
    "var": lambda up: gs.var(up(X[:0])),
    "median": lambda up: gs.median(up(X[:0])),
}


@pytest.mark.parametrize("up", [np.asarray, gs.asarray])
@pytest.mark.parametrize("name", CALLS)
def test_a_warning_names_the_callers_line(name, up, device):
    if name in ("cov", "var", "median", "fht") and device.uses_numpy:
        pytest.skip("the warning of NumPy or SciPy, whose code runs")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        CALLS[name](up)
    assert {w.filename for w in found} == {__file__}
