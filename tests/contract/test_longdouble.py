"""NumPy's longdouble, which no device has: SciPy's functions do it, with their dtypes and errors, instead of a silent rounding."""

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal

import gpusci as gs
from gpusci import ndimage, signal
from gpusci.core import public

X = np.arange(20, dtype=np.longdouble).reshape(4, 5) / 3
A = np.array([1, 0.5], np.longdouble)
OURS, THEIRS = {"ndimage": ndimage, "signal": signal}, {"ndimage": scipy.ndimage, "signal": scipy.signal}


def both(module, name, *args, **kwargs):
    return (getattr(modules[module], name)(*args, **kwargs) for modules in (OURS, THEIRS))


@pytest.mark.parametrize("module, name, args", [
    ("signal", "convolve", (X, X)), ("signal", "lfilter", ([1.0], [1, 0.5], X)), ("signal", "lfilter", ([1.0], A, X.astype(float))),
    ("signal", "hilbert", (X,)), ("signal", "sosfilt", ([[1.0, 0, 0, 1, 0.5, 0]], X + 1j)), ("signal", "detrend", (X,)),
    ("ndimage", "sum_labels", (X,)), ("ndimage", "center_of_mass", (X,)),
])  # fmt: skip
def test_results_are_scipys(module, name, args):
    got, want = (np.asarray(r) for r in both(module, name, *args))
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("module, name, args, error", [
    ("signal", "medfilt", (X, 3), ValueError), ("signal", "upfirdn", ([1.0], X, 2, 1), TypeError),
    ("ndimage", "gaussian_filter", (X, 1.0), RuntimeError), ("ndimage", "label", (X,), TypeError),
])  # fmt: skip
def test_errors_are_scipys(module, name, args, error):
    for modules in (OURS, THEIRS):
        with pytest.raises(error):
            getattr(modules[module], name)(*args)


def test_beside_an_array_of_ours():
    got = signal.convolve(gs.asarray([1.0, 2]), np.array([1, 3], np.longdouble))
    assert isinstance(got, gs.ndarray) and got.dtype == np.float64
    np.testing.assert_array_equal(got.numpy(), [1, 5, 6])


def test_functions_of_other_packages_are_their_own():
    def convolve(x):
        """A plugin's, which SciPy's function of that name does not replace."""
        return x * 2

    convolve.__module__ = "gpusci_optics.signal"
    got = public("x")(convolve)(np.array([1, 2], np.longdouble))
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, [2, 4])
