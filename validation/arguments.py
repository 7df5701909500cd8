"""Walking the arguments of a call: copies that keep strides, other layouts, other dtypes, source text."""

import copy

import numpy as np

WIDER = {"e": "d", "f": "d", "F": "D"}


def map_type(value, kind, f):
    if isinstance(value, kind):
        return f(value)
    if isinstance(value, tuple):
        items = [map_type(v, kind, f) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [map_type(v, kind, f) for v in value]
    if type(value) is dict:
        return {k: map_type(v, kind, f) for k, v in value.items()}
    return value


def map_arrays(value, f):
    return map_type(value, np.ndarray, lambda a: f(a) if a.dtype.kind in "biufc" else a)


def each_value(arguments):
    """Top-level values and the members of lists and tuples."""
    out = []
    for value in (*arguments[0], *arguments[1].values()):
        out += list(value) if isinstance(value, (list, tuple)) else [value]
    return out


def array_leaves(value):
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in array_leaves(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in array_leaves(item)]
    return [value] if hasattr(value, "dtype") else []


def copy_values(value):
    """A deep copy that keeps the strides of arrays, so that both sides get the same memory layout."""
    if isinstance(value, np.ndarray):
        return _copy_array(value)
    if isinstance(value, tuple):
        items = [copy_values(v) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [copy_values(v) for v in value]
    if type(value) is dict:
        return {k: copy_values(v) for k, v in value.items()}
    return value if callable(value) else copy.deepcopy(value)


def _copy_array(a):
    base = a
    while isinstance(base.base, np.ndarray):
        base = base.base
    if base is a or not base.flags.c_contiguous or 0 in a.shape:
        out = a.copy(order="K")
    else:
        start = a.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        out = np.ndarray(a.shape, a.dtype, base.copy(), start, a.strides)
    out.flags.writeable = a.flags.writeable
    return out


def restride(rng, a):
    """The same values in an awkward layout: steps, negative strides, Fortran order; sometimes read-only."""
    if a.ndim == 0 or not a.size:
        return a
    style = int(rng.integers(4))
    if style == 0:
        out = np.asfortranarray(a) if a.ndim > 1 else np.repeat(a, 2)[::2]
    elif style == 1:
        ax = int(rng.integers(a.ndim))
        out = np.flip(np.ascontiguousarray(np.flip(a, ax)), ax)
    elif style == 2:
        ax = int(rng.integers(a.ndim))
        out = np.repeat(a, 3, axis=ax)[(slice(None),) * ax + (slice(1, None, 3),)]
    else:
        padded = np.pad(a, 2, mode="edge")
        out = padded[tuple(slice(2, -2) for _ in a.shape)]
    if rng.random() < 0.25:
        out = out.view()
        out.flags.writeable = False
    return out


def widen(a):
    char = WIDER.get(a.dtype.char)
    return a.astype(char) if char else a


def changed(before, after):
    return any(a is not b for a, b in zip(each_value(before), each_value(after)))


def native(arguments):
    return map_arrays(arguments, lambda a: a.astype(a.dtype.newbyteorder("=")))


def same_bits(a, b):
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def literal(value):
    """Python source of an argument, exact."""
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()!r}, '{value.dtype.char}')".replace("nan", "np.nan").replace("inf", "np.inf")
    if isinstance(value, (float, complex, np.generic)):
        return repr(value).replace("(nan", "(np.nan").replace("(inf", "(np.inf").replace("(-inf", "(-np.inf")
    if isinstance(value, str):
        return f"'{value}'"
    return repr(value)
