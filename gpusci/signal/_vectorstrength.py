"""Phase synchrony of events with a period."""

import math

import numpy as np

import gpusci as gs
from gpusci.core import public


@public("events", "period")
def vectorstrength(events, period):
    """As `scipy.signal.vectorstrength`. On a GPU the periods are not looked at: they must be positive."""
    if events.ndim > 1:
        raise ValueError("events cannot have dimensions more than 1")
    if period.ndim > 1:
        raise ValueError("period cannot have dimensions more than 1")
    if period.device.kind == "host" and (period.numpy() <= 0).any():
        raise ValueError("periods must be positive")
    dtype = period.dtype if period.dtype.kind == "f" else np.dtype(float)
    single = period.ndim == 0
    turns = gs.atleast_1d(events).astype(dtype, copy=False) / gs.atleast_1d(period).astype(dtype, copy=False)[:, None]
    mean = gs.exp(2j * math.pi * turns).mean(axis=1)
    strength, phase = gs.absolute(mean), gs.angle(mean)
    return (strength[0], phase[0]) if single else (strength, phase)
