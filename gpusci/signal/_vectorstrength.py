"""Phase synchrony of events with a period."""

import math

import numpy as np

import gpusci as gs
from gpusci.core import public
from gpusci.signal._lines import refuse

NUMBERS = (int, float, np.generic)


def vectorstrength(events, period):
    """As `scipy.signal.vectorstrength`. A period <= 0 in an array of a GPU raises ValueError at the next wait for that GPU."""
    known = isinstance(period, (*NUMBERS, np.ndarray))
    known = known or isinstance(period, (list, tuple)) and all(isinstance(p, NUMBERS) for p in period)
    if known and (np.asarray(period) <= 0).any():
        raise ValueError("periods must be positive")
    return _strength(events, period, known)


@public("events", "period")
def _strength(events, period, known):
    if events.ndim > 1:
        raise ValueError("events cannot have dimensions more than 1")
    if period.ndim > 1:
        raise ValueError("period cannot have dimensions more than 1")
    if not known:
        refuse(period, "period")
    dtype = period.dtype if period.dtype.kind == "f" else np.dtype(float)
    single = period.ndim == 0
    turns = gs.atleast_1d(events).astype(dtype, copy=False) / gs.atleast_1d(period).astype(dtype, copy=False)[:, None]
    mean = gs.exp(2j * math.pi * turns).mean(axis=1)
    strength, phase = gs.absolute(mean), gs.angle(mean)
    return (strength[0], phase[0]) if single else (strength, phase)
