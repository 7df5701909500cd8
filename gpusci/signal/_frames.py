"""Lines as overlapping frames and back: the kernel calls that the short-time transforms and overlap-add share."""

from gpusci.core import new
from gpusci.signal import _kernels
from gpusci.signal._lines import has_blocks


def cut(lines, window, dtype, frames, hop, length, *, offset=0, margin=0, roll=0, extension="Extension::constant", trend="none"):
    """(lines, frames, length): frames of len(window) samples, detrended, weighted, padded with zeros to `length`.

    Frame f begins at sample f hop + offset; `margin` samples on each side come from the extension, zeros beyond. `lines`
    must be contiguous.
    """
    y = new((lines.shape[0], frames, length), dtype, lines.device)
    template = (lines.dtype, y.dtype, window.dtype, extension, f"Trend::{trend}")
    call = (lines, window, y, lines.shape[1], frames, hop, window.size, length, offset, margin, roll)
    if has_blocks(lines.device):
        _kernels.frame_block(lines.shape[0] * frames, template, *call)
    else:
        _kernels.cut_frames(lines.shape[0] * frames, template, *call, cost=length)
    return y


def add_up(x, window, out, frames, hop, width, *, offset=0, roll=0, normalize=False, scale=1.0):
    """out[..., t] = scale * the sum at t + offset of the frames x (..., frames, length) times window, over that of window^2."""
    template = (x.dtype, out.dtype, window.dtype)
    _kernels.overlap_add(
        out.size, template, x, window, out, out.shape[-1], frames, hop, width, x.shape[-1], offset, roll, int(normalize), scale
    )  # fmt: skip
