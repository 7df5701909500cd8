"""Whittaker-Henderson smoothing, which SciPy has from 1.18 on."""

import scipy.signal

from gpusci.core import dispatch


def whittaker_henderson(signal, *, lamb="reml", order=2, weights=None):
    """As `scipy.signal.whittaker_henderson`: SciPy solves the banded system on the host, in float64. Arrays of a GPU are copied
    there, which waits for it; `x` of the result is of the signal's kind, `lamb` a number."""
    found = []

    def smooth(*args, **kwargs):
        found.append(scipy.signal.whittaker_henderson(*args, **kwargs))
        return found[0].x

    smoothed = dispatch.on_host(smooth, (signal,), {"lamb": lamb, "order": order, "weights": weights})
    found[0].x = smoothed
    return found[0]


whittaker_henderson.gpusci_status = "library"
