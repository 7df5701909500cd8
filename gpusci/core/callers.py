"""Whose line called gpusci: what warnings name."""

import sys
import warnings

__all__ = ["own_frames", "warn"]


def own_frames():
    """Frames of gpusci up to the one that asks, innermost first."""
    frames, frame = [], sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "gpusci":
        frames.append(frame)
        frame = frame.f_back
    return frames


def warn(text, category=UserWarning):
    """A warning that names the line that called gpusci: Python shows a DeprecationWarning only to whose line it is."""
    warnings.warn(text, category, stacklevel=len(own_frames()) + 1)
