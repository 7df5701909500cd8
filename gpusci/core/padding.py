"""pad: every mode of numpy.pad. One axis after the other, so that corners follow from the axes already padded."""

import importlib

import numpy as np

from gpusci.core import ufuncs
from gpusci.core._ndarray import ndarray, new
from gpusci.core.creation import asarray
from gpusci.core.numpylike import numpy_like, to_device_array

__all__ = ["pad"]

# mode -> its keyword arguments with NumPy's defaults
MODES = {
    "constant": {"constant_values": 0}, "edge": {}, "empty": {}, "linear_ramp": {"end_values": 0},
    "maximum": {"stat_length": None}, "mean": {"stat_length": None}, "median": {"stat_length": None},
    "minimum": {"stat_length": None}, "reflect": {"reflect_type": "even"}, "symmetric": {"reflect_type": "even"}, "wrap": {},
}  # fmt: skip


@numpy_like
def pad(array, pad_width, mode="constant", **kwargs):
    """As `numpy.pad`; a function as `mode` gets vectors of the host and waits for the GPU."""
    array = to_device_array(array)
    widths = _widths(pad_width, array.ndim)
    if callable(mode):
        return asarray(np.pad(array.numpy(), pad_width, mode, **kwargs), device=array.device)
    if mode not in MODES:
        raise ValueError(f"mode {mode!r} is not supported")
    unknown = set(kwargs) - set(MODES[mode])
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode {mode!r}: {unknown}")
    options = MODES[mode] | kwargs
    inside = tuple(slice(left, left + n) for (left, _), n in zip(widths, array.shape))
    out = new(tuple(left + n + right for (left, right), n in zip(widths, array.shape)), array.dtype, array.device,
              "F" if array.flags.fnc else "C")  # fmt: skip
    out[inside] = array
    if array.size == 0:
        _empty_input(out, inside, widths, array.shape, mode, options)
        return out
    fill = FILLS[mode]
    values = _pairs(next(iter(options.values())), array.ndim) if options and mode != "reflect" and mode != "symmetric" else None
    for axis, (left, right) in enumerate(widths):
        if left == right == 0 or fill is None:
            continue
        # Axes before this one are whole by now; of the later ones only the part inside is needed.
        region = out[(slice(None),) * (axis + 1) + inside[axis + 1 :]]
        argument = values[axis] if values is not None else options.get("reflect_type")
        fill(region, axis, left, right, argument)
    return out


def _empty_input(out, inside, widths, shape, mode, options):
    if mode in ("constant", "empty"):
        if mode == "constant":
            for axis, (left, right) in enumerate(widths):
                _constant(out, axis, left, right, _pairs(options["constant_values"], out.ndim)[axis])
        return
    for axis, ((left, right), n) in enumerate(zip(widths, shape)):
        if n == 0 and (left or right):
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")


def _widths(pad_width, ndim):
    """((before, after), ...) for every axis."""
    if isinstance(pad_width, dict):
        full = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            full[axis] = width if np.ndim(width) else (width, width)
        pad_width = full
    widths = np.asarray(pad_width)
    if widths.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    widths = np.broadcast_to(widths, (ndim, 2)).tolist()
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError("index can't contain negative values")
    return [tuple(pair) for pair in widths]


def _pairs(value, ndim):
    """A value per end of every axis: NumPy's broadcasting to (ndim, 2)."""
    if type(value) is ndarray:
        value = value.numpy()
    if value is None:
        return [(None, None)] * ndim
    return [tuple(pair) for pair in np.broadcast_to(np.asarray(value), (ndim, 2))]


def _part(x, axis, begin, end):
    return x[(slice(None),) * axis + (slice(begin, end),)]


# ---- how one axis is filled: fill(region, axis, left, right, argument)
def _constant(x, axis, left, right, values):
    n = x.shape[axis]
    for part, value in ((_part(x, axis, 0, left), values[0]), (_part(x, axis, n - right, n), values[1])):
        if part.size:
            part[...] = np.asarray(value).astype(x.dtype)[()]


def _edge(x, axis, left, right, _):
    n = x.shape[axis]
    _part(x, axis, 0, left)[...] = _part(x, axis, left, left + 1)
    _part(x, axis, n - right, n)[...] = _part(x, axis, n - right - 1, n - right)


def _linear_ramp(x, axis, left, right, ends):
    from gpusci.core.ranges import linspace

    n = x.shape[axis]
    for begin, width, edge, end, flip in (
        (0, left, left, ends[0], False),
        (n - right, right, n - right - 1, ends[1], True),
    ):
        if not width:
            continue
        edge = x[(slice(None),) * axis + (edge,)]
        # NumPy's ramp: from the end value towards the edge, the edge itself left out; integers in float64, truncated.
        ramp = linspace(np.asarray(end), edge, width, endpoint=False, dtype=x.dtype, axis=axis)
        part = _part(x, axis, begin, begin + width)
        part[...] = ramp[(slice(None),) * axis + (slice(None, None, -1),)] if flip else ramp


def _statistic(name):
    def fill(x, axis, left, right, lengths):
        function = getattr(importlib.import_module("gpusci.core." + ("algorithms" if name == "median" else "reduce")), name)
        n = x.shape[axis]
        size = n - left - right
        for begin, width, length, at_end in ((0, left, lengths[0], False), (n - right, right, lengths[1], True)):
            if not width:
                continue
            length = size if length is None or length > size else int(length)
            if length < 0:
                raise ValueError("index can't contain negative values")
            if length == 0 and name in ("max", "min"):
                raise ValueError("stat_length of 0 yields no value for padding")
            start = n - right - length if at_end else left
            value = function(_part(x, axis, start, start + length), axis=axis, keepdims=True)
            if x.dtype.kind in "iu" and value.dtype.kind == "f":
                value = ufuncs.rint(value)
            _part(x, axis, begin, begin + width)[...] = value.astype(x.dtype, copy=False)

    return fill


def _mapped(index_of, half_period):
    """Padding that repeats samples. index_of(k, n): where position k of the endless line (0 = first sample) reads."""

    def fill(x, axis, left, right, reflect_type):
        from gpusci.core.indexing import take

        n = x.shape[axis]
        size = n - left - right
        body = _part(x, axis, left, left + size)
        places = np.concatenate([np.arange(-left, 0), np.arange(size, size + right)])
        values = take(body, index_of(places, size), axis)
        if reflect_type == "odd":
            values = _odd(values, body, axis, places // max(half_period(size), 1))
        _part(x, axis, 0, left)[...] = _part(values, axis, 0, left)
        _part(x, axis, n - right, n)[...] = _part(values, axis, left, left + right)

    return fill


def _odd(values, body, axis, turn):
    """Odd reflection. With first and last sample a and b: every second turn of the line is 2 b - (even value), and each two
    turns add 2 (b - a)."""
    from gpusci.core.selection import where

    a, b = _part(body, axis, 0, 1), _part(body, axis, body.shape[axis] - 1, None)
    shape, device = (-1,) + (1,) * (values.ndim - axis - 1), values.device
    if values.dtype.kind == "b":                        # 2 a - v is true where a or v is, and every turn meets one more end
        for end, met in ((a, (turn < 0) | (turn > 1)), (b, (turn > 0) | (turn < -1))):
            values = ufuncs.logical_or(values, ufuncs.logical_and(end, asarray(met, device=device).reshape(shape)))
        return values
    mirrored = asarray(turn % 2 == 1, device=device).reshape(shape)
    pairs = asarray((turn // 2).astype(values.dtype), device=device).reshape(shape)
    two = values.dtype.type(2)
    turned = ufuncs.subtract(ufuncs.multiply(b, two), values)
    rise = ufuncs.multiply(ufuncs.multiply(ufuncs.subtract(b, a), two), pairs)
    return ufuncs.add(where(mirrored, turned, values), rise)


def _reflect_index(k, n):
    period = max(2 * n - 2, 1)
    k = k % period
    return np.where(k < n, k, period - k)


def _symmetric_index(k, n):
    k = k % (2 * n)
    return np.where(k < n, k, 2 * n - 1 - k)


FILLS = {
    "constant": _constant, "edge": _edge, "empty": None, "linear_ramp": _linear_ramp, "maximum": _statistic("max"),
    "mean": _statistic("mean"), "median": _statistic("median"), "minimum": _statistic("min"),
    "reflect": _mapped(_reflect_index, lambda n: n - 1), "symmetric": _mapped(_symmetric_index, lambda n: n),
    "wrap": _mapped(lambda k, n: k % n, None),
}  # fmt: skip
