"""Kernel rows of signal."""

from gpusci.core import BlockKernel, Kernel

# ---- recurrences (IIR filters)
run_chunks = Kernel(
    "run_chunks", "signal/kernels/recurrence.h", template="X Y Form P Index",
    args="raw x, raw y, ptr zi, ptr zf, i64 x_line, i64 x_step, i64 y_line, i64 y_step, i64 length, i64 chunk, i64 chunks, "
         "f64s coefficients",
    first=["d d Form::transposed 4", "f f Form::cascade 4"],
)  # fmt: skip
carry_states = Kernel(
    "carry_states", "signal/kernels/recurrence.h", template="Form P Index", grain=64,
    args="ptr s, ptr zi, ptr power, i64 chunks", first=["Form::transposed 4", "Form::cascade 8"],
)  # fmt: skip
run_lines = Kernel(
    "run_lines", "signal/kernels/recurrence.h", template="X Y C Index", grain=1,
    args="raw x, raw y, ptr z, ptr b, ptr a, i64 x_line, i64 x_step, i64 y_line, i64 y_step, i64 length, i64 order",
    first=["d d d", "F F D"],
)  # fmt: skip
POWERS = "ptr powers, i64 exact, i64 levels"
run_tiles = BlockKernel(
    "run_tiles", "signal/kernels/recurrence_block.h", template="X Form P Exact Index", threads=32,
    args=f"raw x, raw y, ptr room, ptr zi, ptr zf, {POWERS}, i64 x_line, i64 x_step, i64 y_line, i64 y_step, i64 length, "
         "i64 per_line, i64 level, i64 ends, i64 marks, i64 part, f64s coefficients",
    first=["f Form::transposed 4 false", "d Form::cascade 8 true", "d Form::transposed 16 true"],
)  # fmt: skip
carry_tiles = BlockKernel(
    "carry_tiles", "signal/kernels/recurrence_block.h", template="Form P Exact Index", threads=32,
    args=f"ptr room, {POWERS}, i64 tiles, i64 groups, i64 level, i64 finals, i64 ends, i64 folds, i64 marks, i64 part, "
         "i64 shared",
    first=["Form::transposed 4 false", "Form::cascade 8 true", "Form::transposed 16 true"],
)  # fmt: skip

# ---- convolution and resampling
convolve_nd = Kernel(
    "convolve_nd", "signal/kernels/convolve.h", template="X W Y R Mode Index",
    args="ptr x, ptr w, ptr y, ptr fill, i64s xs, i64s ws, i64s ys, i64s origin",
    first=["f f f 1 Mode::constant", "d d d 2 Mode::constant", "q q q 1 Mode::constant", "F F F 2 Mode::reflect"],
)  # fmt: skip
# Blocks of convolve_tile have threads by item size: 256 for lines and 4-byte samples, 128 for 8 bytes, 64 for 16.
convolve_tiles = {
    threads: BlockKernel(
        "convolve_tile", "signal/kernels/convolve_block.h", template="X W Y Mode Tall Index", threads=threads,
        args="ptr x, ptr w, ptr y, ptr fill, i64 batch, i64s xs, i64s ws, i64s ys, i64s origin, i64 across, i64 down",
        first=first,
    )
    for threads, first in {
        256: ["f f f Mode::constant 4", "d d d Mode::constant 1"],
        128: ["d d d Mode::constant 4"],
        64: ["D D D Mode::wrap 4"],
    }.items()
}  # fmt: skip
overlap_save = BlockKernel(
    "overlap_save", "signal/kernels/overlap_save.h", template="X Y Index", threads=256,
    args="ptr x, ptr spectrum, ptr table, ptr y, i64 n, i64 kept, i64 first, i64 step, i64 blocks, i64 x_line, i64 spectrum_line",
    first=["f f", "F F", "d d", "D D"],
)  # fmt: skip
taps_spectrum = BlockKernel(
    "taps_spectrum", "signal/kernels/overlap_save.h", template="W Index", threads=256,
    args="raw taps, ptr table, ptr spectrum, i64 count, i64 line, i64 step", first=["f", "D"],
    together=lambda types: [(overlap_save, types * 2)],
)  # fmt: skip
upfirdn = Kernel(
    "upfirdn", "signal/kernels/upfirdn.h", template="X H Y Extension Index",
    args="ptr x, ptr h, ptr y, ptr fill, i64 n, i64 n_out, i64 first, i64 up, i64 down, i64 taps, i64 h_tap, i64 h_phase",
    first=["f f f Extension::constant", "F f F Extension::constant", "d d d Extension::line"],
)  # fmt: skip
upfirdn_tile = BlockKernel(
    "upfirdn_tile", "signal/kernels/upfirdn_block.h", template="X H Y Extension Index", threads=256,
    args="ptr x, ptr h, ptr y, ptr fill, i64 n, i64 n_out, i64 first, i64 up, i64 down, i64 taps, i64 h_tap, i64 h_phase, "
         "i64 tiles, i64 groups, i64 pitch",
    first=["f f f Extension::constant", "D d D Extension::edge"],
)  # fmt: skip
extend_lines = Kernel(
    "extend_lines", "signal/kernels/upfirdn.h", template="X Y Extension Index", grain=65536,
    args="ptr x, ptr y, i64 n, i64 edge", first=["d d Extension::antireflect", "f f Extension::reflect"],
)  # fmt: skip

# ---- peaks
def _to_the_last_bit(_):
    """Peaks are chosen by their widths and prominences, so a last bit decides."""
    return True


PYRAMID = "ptr extremes, i64 levels, i64s count, i64s start"
BAD_PEAK = (ValueError, "a peak is not a valid index for `x`: every peak must satisfy 0 <= peak < len(x)")
BAD_BASES = (ValueError, "prominence data is invalid for peak: 0 <= left base <= peak <= right base < len(x) must hold")
tile_extremes = Kernel(
    "tile_extremes", "signal/kernels/peaks.h", template="X Index", grain=2048,
    args="ptr low, ptr high, raw low_out, raw high_out", first=["d", "f"],
)  # fmt: skip
mark_peaks = Kernel(
    "mark_peaks", "signal/kernels/peaks.h", template="X Index", grain=131072,
    args="ptr x, ptr mask, i64 n, f64 low, f64 high", first=["d", "f"],
)  # fmt: skip
list_peaks = Kernel(
    "list_peaks", "signal/kernels/peaks.h", template="X Index",
    args="ptr x, ptr found, ptr left, ptr right, i64 n, f64 low, f64 high", first=["d", "f"],
)
mark_plateaus = Kernel(
    "mark_plateaus", "signal/kernels/peaks.h", template="X Index", grain=131072,
    args=f"ptr x, ptr mask, {PYRAMID}, f64 low, f64 high", first=["d", "f"],
)  # fmt: skip
plateau_edges = Kernel(
    "plateau_edges", "signal/kernels/peaks.h", template="X Index", grain=4096,
    args=f"ptr x, ptr peaks, ptr left, ptr right, {PYRAMID}, i64 n", first=["d", "f"],
)  # fmt: skip
prominences = Kernel(
    "prominences", "signal/kernels/peaks.h", template="X Index", grain=4096, errors=[BAD_PEAK], exact=_to_the_last_bit,
    args=f"ptr x, ptr peaks, ptr prominence, ptr left, ptr right, {PYRAMID}, i64 n, i64 half, err", first=["d", "f"],
)  # fmt: skip
widths = Kernel(
    "widths", "signal/kernels/peaks.h", template="X Index", grain=4096, errors=[BAD_BASES], exact=_to_the_last_bit,
    args="ptr x, ptr peaks, ptr prominence, ptr left, ptr right, ptr width, ptr height, ptr left_ip, ptr right_ip, "
         f"{PYRAMID}, i64 n, f64 rel_height, err",
    first=["d", "f"],
)  # fmt: skip
select_distant = Kernel(
    "select_distant", "signal/kernels/peaks.h", template="Index", args="ptr peaks, ptr ascending, ptr keep, i64 n, i64 distance",
    first=[""],
)  # fmt: skip
relative_extrema = Kernel(
    "relative_extrema", "signal/kernels/peaks.h", template="X Compare Wrap Index", grain=32768,
    args="ptr x, ptr mask, i64 n, i64 inner, i64 order", first=["d Compare::greater false", "f Compare::less true"],
)  # fmt: skip

# ---- spectra
FRAMES = "ptr x, ptr window, ptr y, i64 n, i64 frames, i64 hop, i64 width, i64 length, i64 offset, i64 margin, i64 roll"
cut_frames = Kernel(
    "cut_frames", "signal/kernels/frames.h", template="X Y W Extension Trend Index", args=FRAMES,
    first=["f f f Extension::constant Trend::none", "d d d Extension::constant Trend::constant"],
)  # fmt: skip
frame_block = BlockKernel(
    "frame_block", "signal/kernels/frames_block.h", template="X Y W Extension Trend Index", threads=128, args=FRAMES,
    first=["f f f Extension::constant Trend::none", "d d d Extension::constant Trend::constant"],
)  # fmt: skip
overlap_add = Kernel(
    "overlap_add", "signal/kernels/frames.h", template="X Y W Index", grain=16384,
    args="ptr x, ptr window, ptr y, i64 n, i64 frames, i64 hop, i64 width, i64 length, i64 offset, "
         "i64 roll, i64 normalize, f64 scale",
    first=["f f f", "D D d"],
)  # fmt: skip
spectral_power = Kernel(
    "spectral_power", "signal/kernels/frames.h", template="X Cross Index", grain=65536,
    args="ptr x, ptr y, ptr out, i64 bins, i64 fold_begin, i64 fold_end, f64 scale", first=["F false", "D true"],
)  # fmt: skip
sum_power = Kernel(
    "sum_power", "signal/kernels/frames.h", template="X Cross Index",
    args="ptr x, ptr y, ptr out, i64 frames, i64 bins, i64 part, i64 parts", first=["F false", "D true"],
)  # fmt: skip
mean_power = Kernel(
    "mean_power", "signal/kernels/frames.h", template="P D Index", grain=16384,
    args="ptr sums, ptr out, i64 parts, i64 group, i64 groups, i64 bins, i64 fold_begin, i64 fold_end, f64 scale", first=["f d", "D D"],
)  # fmt: skip

# ---- tables
fit_edges = Kernel(
    "fit_edges", "signal/kernels/tables.h", template="X Index", args="ptr x, ptr y, ptr fits, i64 n, i64 inner, i64 window, i64 half",
    first=["d", "f"],
)  # fmt: skip
place_rows = Kernel(
    "place_rows", "signal/kernels/tables.h", template="T Index", grain=65536,
    args="ptr rows, ptr sizes, ptr out, i64 width, i64 length", first=["d", "D"],
)  # fmt: skip
correlate_rows = Kernel(
    "correlate_rows", "signal/kernels/correlate_rows.h", template="X W Y Index", grain=4096,
    args="ptr x, ptr w, ptr sizes, ptr y, i64 n, i64 width", first=["d d d", "d D D", "D d D", "D D D"],
)  # fmt: skip

# ---- splines
LINE = "i64 x_line, i64 x_step, i64 y_line, i64 y_step, i64 n"
symmetric_order1 = Kernel(
    "symmetric_order1", "signal/kernels/splines.h", template="T Index", grain=64,
    args=f"raw x, raw y, ptr table, {LINE}, i64 terms", first=["d", "F"],
)  # fmt: skip
symmetric_order2 = Kernel(
    "symmetric_order2", "signal/kernels/splines.h", template="T Index", grain=64,
    args=f"raw x, raw y, ptr table, {LINE}, i64s terms", first=["d", "F"],
)  # fmt: skip
separable_fir = Kernel(
    "separable_fir", "signal/kernels/splines.h", template="T Index", first=["d", "f"],
    args="ptr x, ptr rows, ptr y, ptr hrow, ptr hcol, i64 height, i64 width, i64 nrow, i64 ncol",
)  # fmt: skip

# ---- uneven sampling
LOMB = ("ptr x, ptr w, ptr wy, ptr freqs, ptr a, ptr b, ptr tau, ptr power, i64 n, i64 count, i64 floating_mean, ptr y_mean, "
        "f64 scale")  # fmt: skip
lombscargle = Kernel("lombscargle", "signal/kernels/lombscargle.h", template="Index", args=LOMB, first=[""])
lombscargle_block = BlockKernel(
    "lombscargle_block", "signal/kernels/lombscargle.h", template="Index", threads=128, args=LOMB, first=[""]
)  # fmt: skip

# ---- formulas
turn_spectrum = Kernel(
    "turn_spectrum", "signal/kernels/pointwise.h", template="C Index", args="ptr s, i64 bins, i64 inner, i64 half", grain=32768,
    first=["F", "D"],
)  # fmt: skip
join_parts = Kernel(
    "join_parts", "signal/kernels/pointwise.h", template="T Index", grain=32768,
    args="ptr x, ptr y, ptr out, i64 given, i64 n, i64 inner", first=["f", "d"],
)  # fmt: skip
box_moments = Kernel(
    "box_moments", "signal/kernels/pointwise.h", template="Index", args="ptr mean, ptr variance, f64 size", grain=65536, first=[""]
)
shrink = Kernel(
    "shrink", "signal/kernels/pointwise.h", template="Index", grain=65536,
    args="ptr x, ptr mean, ptr variance, ptr noise, ptr y, i64 noise_step", first=[""],
)  # fmt: skip
remove_mean = Kernel(
    "remove_mean", "signal/kernels/pointwise.h", template="T Index", args="ptr x, ptr y, i64 n, i64 inner, i64 blocks",
    first=["d", "f"],
)  # fmt: skip
periodic_wave = Kernel(
    "periodic_wave", "signal/kernels/pointwise.h", template="T Wave Index", args="ptr t, ptr share, ptr y, i64 share_step", grain=8192,
    first=["d square_wave", "f sawtooth_wave"],
)  # fmt: skip
BAD_WEIGHTS = (ValueError, "lombscargle: Parameter weights must have only non-negative entries which sum to a positive value!")
refuse = Kernel(
    "refuse", "signal/kernels/pointwise.h", template="Index", args="ptr x, i64 what, err", grain=65536, first=[""],
    errors=[(ValueError, "vectorstrength: periods must be positive"), BAD_WEIGHTS, BAD_WEIGHTS],
)  # fmt: skip

# ---- sequences
max_len_seq = Kernel(
    "max_len_seq", "signal/kernels/sequence.h", template="Index", args="ptr taps, ptr state, ptr out, i64 taps_n, i64 bits, i64 length",
    first=[""],
)  # fmt: skip
