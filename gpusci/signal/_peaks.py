"""Peaks: local maxima and their properties, relative extrema."""

import functools
import math
import operator

import numpy as np

import gpusci as gs
from gpusci.core import args as arguments
from gpusci.core import from_numpy, ndarray, new, public, to_array
from gpusci.core.callers import warn
from gpusci.signal import _kernels
from gpusci.signal._lines import cast, contiguous

TILE, MAX_LEVELS = 64, 8  # peaks.h
PYRAMID_FROM = 1 << 16  # samples: below, walks are short anyway
LISTED = 1 << 17  # samples: below, one thread of a host lists the peaks at once (list_peaks)


# ---- arguments
def _signal(x):
    if x.ndim != 1:
        raise ValueError("`x` must be a 1-D array")
    return contiguous(cast(x, np.float32 if x.dtype == np.float32 else np.float64))


def _peak_indices(peaks):
    if peaks.size == 0:
        peaks = new(0, np.int64, peaks.device)
    if peaks.dtype != np.int64 and not np.can_cast(peaks.dtype, np.int64, "safe"):
        raise TypeError(f"cannot safely cast `peaks` from {peaks.dtype} to int64: give indices as integers")
    if peaks.ndim != 1:
        raise ValueError("`peaks` must be a 1-D array")
    return contiguous(cast(peaks, np.int64))


def _half_window(wlen, n):
    """Samples on each side of a peak that its prominence looks at."""
    if wlen is None:
        return n
    if not wlen > 1:
        raise ValueError(f"`wlen` must be larger than 1, was {wlen}")
    return int(math.ceil(wlen)) // 2


# ---- conditions. Where the device uses NumPy, x, peaks and properties are NumPy's arrays here: they are short.
def _ours(a):
    return from_numpy(a) if type(a) is np.ndarray else a


def _as(like, arrays):
    """Arrays of ours as the kind of `like`."""
    return [a.numpy() for a in arrays] if type(like) is np.ndarray else arrays


def _interval(interval, x, peaks):
    """(least, largest) of a condition: None, numbers, or arrays as long as x that are read at the peaks."""
    if isinstance(interval, (int, float)):
        return interval, None
    try:
        low, high = interval
    except (TypeError, ValueError):
        low, high = interval, None
    limits = []
    for name, limit in (("lower", low), ("upper", high)):
        if isinstance(limit, np.ndarray) or isinstance(limit, ndarray) and limit.ndim:  # ours of 0 dimensions are numbers
            if limit.size != x.size:
                raise ValueError(f"array size of {name} interval border must match x")
            limit = gs.asarray(limit, device="host" if type(x) is np.ndarray else x.device).reshape(-1)
            limit = _as(x, [limit])[0].take(peaks)
        elif isinstance(limit, ndarray):
            limit = _as(x, [limit])[0]
        limits.append(limit)
    return limits


def _between(values, limits):
    """Mask of the values within the limits, or None where there are none."""
    low, high = limits
    keep = None
    if low is not None:
        keep = values >= low
    if high is not None:
        keep = values <= high if keep is None else keep & (values <= high)
    return keep


def _select(keep, peaks, properties):
    if keep is None:
        return peaks, properties
    (places,) = keep.nonzero()
    if places.size == keep.size:
        return peaks, properties
    return peaks.take(places), {name: values.take(places) for name, values in properties.items()}


# ---- kernels
NO_PYRAMID = (None, 0, (0,) * MAX_LEVELS, (0,) * MAX_LEVELS)  # plain walks


def _pyramid(x):
    """Least and largest values of tiles of 64, 64^2, ... samples (peaks.h), as arguments of a kernel."""
    if x.size < PYRAMID_FROM:
        return NO_PYRAMID
    counts = []
    while len(counts) < MAX_LEVELS and x.size // TILE ** (len(counts) + 1) > 0:
        counts.append(x.size // TILE ** (len(counts) + 1))
    starts = [2 * sum(counts[:level]) for level in range(len(counts))]
    extremes = new(2 * sum(counts), x.dtype, x.device)
    low = high = x
    for start, count in zip(starts, counts):
        low_out, high_out = extremes[start : start + count], extremes[start + count : start + 2 * count]
        _kernels.tile_extremes(count, (x.dtype,), low, high, low_out, high_out)
        low, high = low_out, high_out
    pad = [0] * (MAX_LEVELS - len(counts))
    return extremes, len(counts), counts + pad, starts + pad


def _local_maxima(x, pyramid, low, high, with_edges):
    """Indices of the maxima (middle of a plateau, rounded down) with low <= x <= high. Waits for their number.

    Followed, where wanted, by the edges of their plateaus.
    """
    if x.size < 3:
        return [new(0, np.int64, x.device) for _ in range(3)]
    mask = new(x.size, bool, x.device)
    _kernels.mark_peaks(x.size, (x.dtype,), x, mask, x.size, low, high)
    _kernels.mark_plateaus(x.size - 2, (x.dtype,), x, mask, *pyramid, low, high)
    peaks = gs.flatnonzero(mask)
    if not with_edges:
        return [peaks]
    left, right = (new(peaks.size, np.int64, x.device) for _ in range(2))
    _kernels.plateau_edges(peaks.size, (x.dtype,), x, peaks, left, right, *pyramid, x.size)
    return [peaks, left, right]


def _prominences(x, pyramid, peaks, half):
    prominence, left, right = (new(peaks.shape, kind, x.device) for kind in (np.float64, np.int64, np.int64))
    _kernels.prominences(peaks.size, (x.dtype,), x, peaks, prominence, left, right, *pyramid, x.size, half)
    return prominence, left, right


def _widths(x, pyramid, peaks, rel_height, prominence, left, right):
    if rel_height < 0:
        raise ValueError("`rel_height` must be greater or equal to 0.0")
    outputs = tuple(new(peaks.size, np.float64, x.device) for _ in range(4))
    _kernels.widths(peaks.size, (x.dtype,), x, peaks, prominence, left, right, *outputs, *pyramid, x.size, rel_height)
    return outputs


def _warn_zero(values, name):
    """SciPy's warning; not of an array on a GPU, where it would wait for the result."""
    if type(values) is not np.ndarray:
        values = to_array(values)
        if values.device.kind != "host":
            return
        values = values.numpy()
    if np.count_nonzero(values) < values.size:
        try:
            from scipy.signal._peak_finding_utils import PeakPropertyWarning as Category
        except ImportError:
            Category = RuntimeWarning
        warn(f"some peaks have a {name} of 0", Category)


def _warns_of_zero(name):
    """Decorator: SciPy's warning of the first result as the caller gets it. NumPy's callers have waited for theirs by then."""

    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            found = func(*args, **kwargs)
            _warn_zero(found[0], name)
            return found

        return wrapper

    return decorate


def _listed_maxima(x, low, high, with_edges):
    """_local_maxima of a line on the host, as NumPy's arrays."""
    size = (x.size + 3) // 2
    found, left, right = np.empty(size, np.int64), None, None
    if with_edges:
        left, right = np.empty(size, np.int64), np.empty(size, np.int64)
    _kernels.list_peaks(1, (x.dtype,), x, from_numpy(found), _ours(left), _ours(right), x.size, low, high)
    count = found.item(0)
    peaks = found[1 : 1 + count].copy()
    return (peaks, left[:count].copy(), right[:count].copy()) if with_edges else (peaks,)


# ---- public
@_warns_of_zero("prominence")
@public("x", "peaks")
def peak_prominences(x, peaks, wlen=None):
    """As `scipy.signal.peak_prominences`; no warning for a prominence of 0 where the results stay on a GPU."""
    x, peaks = _signal(x), _peak_indices(peaks)
    return _prominences(x, _pyramid(x), peaks, _half_window(wlen, x.size))


@_warns_of_zero("width")
@public("x", "peaks", "prominence_data*")
def peak_widths(x, peaks, rel_height=0.5, prominence_data=None, wlen=None):
    """As `scipy.signal.peak_widths`; no warning for a width of 0 where the results stay on a GPU."""
    x, peaks = _signal(x), _peak_indices(peaks)
    pyramid = _pyramid(x)
    if prominence_data is None:
        prominence_data = _prominences(x, pyramid, peaks, _half_window(wlen, x.size))
        _warn_zero(prominence_data[0], "prominence")
    prominence, left, right = prominence_data
    if prominence is None or left is None or right is None:
        raise TypeError("prominence_data must be three arrays, not None")
    if not prominence.shape == left.shape == right.shape == peaks.shape:
        raise ValueError("arrays in `prominence_data` must have the same shape as `peaks`")
    data = [contiguous(cast(a, kind)) for a, kind in ((prominence, np.float64), (left, np.int64), (right, np.int64))]
    return _widths(x, pyramid, peaks, rel_height, *data)


@public("x")
def find_peaks(
    x, height=None, threshold=None, distance=None, prominence=None, width=None, wlen=None, rel_height=0.5, plateau_size=None
):  # fmt: skip
    """As `scipy.signal.find_peaks`. On a GPU it waits once for the number of peaks and once more for each condition among
    threshold, plateau_size, prominence, width or an array of heights; distance also runs on a host copy of the peaks. There it does
    not warn of prominences and widths of 0."""
    data = _signal(x)
    if distance is not None and (distance < 1 or distance != distance):
        raise ValueError("`distance` must be greater or equal to 1")
    walks = data.device.kind == "cuda" or prominence is not None or width is not None  # else each plateau is walked along once
    pyramid = _pyramid(data) if walks else NO_PYRAMID
    low, high, height_done = _height_limits(height)
    x, properties = data.numpy() if data.device.uses_numpy else data, {}
    if data.device.uses_numpy and data.size < LISTED:
        peaks, *edges = _listed_maxima(data, low, high, plateau_size is not None)
    else:
        peaks, *edges = _as(x, _local_maxima(data, pyramid, low, high, plateau_size is not None))
    if plateau_size is not None:
        left, right = edges
        properties = {"plateau_sizes": right - left + 1, "left_edges": left, "right_edges": right}
        keep = _between(properties["plateau_sizes"], _interval(plateau_size, x, peaks))
        peaks, properties = _select(keep, peaks, properties)
    if height is not None:
        properties["peak_heights"] = x.take(peaks).astype(float, copy=False)
        if not height_done:
            keep = _between(properties["peak_heights"], _interval(height, x, peaks))
            peaks, properties = _select(keep, peaks, properties)
    if threshold is not None:
        peaks, properties = _by_threshold(x, peaks, properties, threshold)
    if distance is not None:
        peaks, properties = _select(_by_distance(x, peaks, distance), peaks, properties)
    if prominence is not None or width is not None:
        found = _prominences(data, pyramid, _ours(peaks), _half_window(wlen, x.size))
        _warn_zero(found[0], "prominence")
        properties.update(zip(("prominences", "left_bases", "right_bases"), _as(x, found)))
    if prominence is not None:
        keep = _between(properties["prominences"], _interval(prominence, x, peaks))
        peaks, properties = _select(keep, peaks, properties)
    if width is not None:
        bases = [_ours(properties[name]) for name in ("prominences", "left_bases", "right_bases")]
        found = _widths(data, pyramid, _ours(peaks), rel_height, *bases)
        _warn_zero(found[0], "width")
        properties.update(zip(("widths", "width_heights", "left_ips", "right_ips"), _as(x, found)))
        peaks, properties = _select(_between(properties["widths"], _interval(width, x, peaks)), peaks, properties)
    for name in properties:
        properties[name] = _ours(properties[name])
    return _ours(peaks), properties


def _height_limits(height):
    """Numbers go into the search for maxima itself: (low, high, True); anything else is applied to the peaks found."""
    if height is None:
        return -math.inf, math.inf, True
    low, high = height if isinstance(height, (tuple, list)) and len(height) == 2 else (height, None)
    numbers = (int, float, np.integer, np.floating, type(None))
    if isinstance(low, numbers) and isinstance(high, numbers):
        low, high = -math.inf if low is None else float(low), math.inf if high is None else float(high)
        if not (math.isnan(low) or math.isnan(high)):
            return low, high, True
    return -math.inf, math.inf, False


def _by_threshold(x, peaks, properties, threshold):
    here = x.take(peaks).astype(float, copy=False)
    left, right = here - x.take(peaks - 1), here - x.take(peaks + 1)
    properties.update(left_thresholds=left, right_thresholds=right)
    low, high = _interval(threshold, x, peaks)
    names = np if type(x) is np.ndarray else gs
    keep = None if low is None else names.minimum(left, right) >= low
    if high is not None:
        upper = names.maximum(left, right) <= high
        keep = upper if keep is None else keep & upper
    return _select(keep, peaks, properties)


def _by_distance(x, peaks, distance):
    heights, places = (a if type(a) is np.ndarray else a.numpy() for a in (x.take(peaks), peaks))
    keep = np.ones(places.size, bool)
    arrays = map(from_numpy, (places, heights.argsort(), keep))
    _kernels.select_distant(1, (), *arrays, places.size, math.ceil(min(distance, x.size)))
    return keep if type(x) is np.ndarray else gs.asarray(keep, device=x.device)


# ---- relative extrema
COMPARE = {
    np.less: "less", np.less_equal: "less_equal", np.greater: "greater", np.greater_equal: "greater_equal",
    operator.lt: "less", operator.le: "less_equal", operator.gt: "greater", operator.ge: "greater_equal",
}  # fmt: skip


@public("data")
def argrelextrema(data, comparator, axis=0, order=1, mode="clip"):
    """As `scipy.signal.argrelextrema`; waits for the number of extrema. Other comparators than NumPy's order relations are
    called with `gpusci.ndarray`s."""
    return _extrema(data, COMPARE.get(comparator, comparator), axis, order, mode)


@public("data")
def argrelmin(data, axis=0, order=1, mode="clip"):
    """As `scipy.signal.argrelmin`."""
    return _extrema(data, "less", axis, order, mode)


@public("data")
def argrelmax(data, axis=0, order=1, mode="clip"):
    """As `scipy.signal.argrelmax`."""
    return _extrema(data, "greater", axis, order, mode)


def _extrema(data, comparator, axis, order, mode):
    if int(order) != order or order < 1:
        raise ValueError("Order must be an int >= 1")
    order = operator.index(order)
    axis = arguments.normalize_axis(axis, data.ndim)
    n = data.shape[axis]
    if mode not in ("clip", "wrap") and (n or mode not in ("raise", None)):     # None is NumPy's "raise"
        raise (IndexError if mode in ("raise", None) else ValueError)(f"mode must be 'clip' or 'wrap', not {mode!r}")
    if callable(comparator):
        return gs.nonzero(_compare_all(data, comparator, axis, order, mode))
    data = contiguous(data)
    mask = new(data.shape, bool, data.device)
    inner = math.prod(data.shape[axis + 1 :])
    template = (data.dtype, f"Compare::{comparator}", mode == "wrap")
    _kernels.relative_extrema(data.size, template, data, mask, n, inner, order)
    return gs.nonzero(mask)


def _compare_all(data, comparator, axis, order, mode):
    n = data.shape[axis]
    found = gs.ones(data.shape, bool, device=data.device)
    places = np.arange(n)
    for shift in range(1, order + 1):
        for moved in (places + shift, places - shift):
            moved = moved % n if mode == "wrap" else np.clip(moved, 0, n - 1)
            found &= comparator(data, gs.take(data, gs.asarray(moved, device=data.device), axis=axis))
    return found
