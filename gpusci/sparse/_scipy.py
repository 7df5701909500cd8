"""SciPy where the device uses NumPy: a sparse array then holds SciPy's own object, and SciPy's public methods do the work."""

import inspect
from functools import cache, wraps

import numpy as np

import gpusci as gs
from gpusci.core import dispatch, foreign

ndarray = gs.ndarray
HOST = gs.get_device("host")
NUMBERS = {int, float, slice, type(None), type(Ellipsis), bool, complex, str, type}     # SciPy takes these as they are
ONLY_NUMPY = {np.ndarray}
PLAIN = NUMBERS | ONLY_NUMPY


class Elsewhere(ValueError):
    """An array that is not where SciPy can take it."""


class Sparse:
    """What all sparse arrays share: `_host`, SciPy's object or None on other devices, and `_kind`, the kind of its results."""

    _host = None
    _kind = None


@cache
def scipy_sparse():
    """The module: imported at the first use, since importing it takes as long as all of gpusci."""
    import scipy.sparse

    return scipy.sparse


def is_scipy(x):
    """Whether x is a sparse array or matrix of SciPy."""
    return hasattr(type(x), "tocoo") and not isinstance(x, Sparse)


def issparse(x):
    """Whether x is a sparse array or matrix, of gpusci or SciPy."""
    return isinstance(x, Sparse) or is_scipy(x)


@cache
def classes():
    """{SciPy's class: ours}, for the formats that there are."""
    from gpusci import sparse

    names = [f"{f}_{kind}" for f in ("coo", "csc", "csr") for kind in ("array", "matrix")]
    return {getattr(scipy_sparse(), name): getattr(sparse, name) for name in names}


@cache
def theirs(cls):
    """SciPy's class of the same name."""
    return getattr(scipy_sparse(), cls.__name__)


def join(kind, other):
    """The kind of a result of two operands: gpusci's wins, then that of another library."""
    return other if kind is None or other is ndarray else kind


def is_fit(value):
    """Whether value is a NumPy array, or a tuple of arrays to make a sparse one of, that SciPy takes as it is."""
    if type(value) is np.ndarray:
        dtype = value.dtype
        return dtype.isnative and dtype.char != "e"
    if type(value) is not tuple or not value or not is_fit(value[0]):
        return False
    rest = value[1] if len(value) == 2 and type(value[1]) is tuple else value
    return ONLY_NUMPY.issuperset(map(type, rest))               # SciPy casts index arrays itself


def fit(value):
    """An array as SciPy's sparse arrays take it: native byte order, float32 for float16."""
    dtype = value.dtype
    if dtype.kind == "f" and dtype.itemsize == 2:
        return value.astype(np.float32)
    return value if dtype.isnative else value.astype(dtype.newbyteorder("="))


def place(values):
    """(kind, device) of arguments: arrays, SciPy's or our sparse arrays, and sequences of them."""
    kind, device = _place(values)
    return kind, device or gs.current_device()


def _place(values):
    kind = device = None
    for value in values:
        if type(value) in PLAIN:
            continue
        if type(value) is ndarray:
            other, where = ndarray, value.device
        elif isinstance(value, Sparse):
            other, where = value._kind, HOST if value._host is not None else value.device
        elif _is_group(value):
            other, where = _place(value)
        elif is_scipy(value):
            continue
        else:
            other, where = dispatch.kind_of((value,))
            where = where if other is not None else None
        kind, device = join(kind, other), device or where
    return kind, device


def _is_group(value):
    """Whether to look into a sequence: tuples, and lists of more than numbers."""
    return isinstance(value, tuple) or isinstance(value, list) and not dispatch.is_plain(value)


def lower(value, kind=None):
    """(value as SciPy takes it, kind of the result). Raises a ValueError, Elsewhere, for arrays of another device."""
    if type(value) in PLAIN:
        return value if type(value) is not np.ndarray or is_fit(value) else fit(value), kind
    if type(value) is ndarray:
        value = (value if value.device.uses_numpy else _check_host(value)).numpy()
        return value if value.dtype.char != "e" else fit(value), ndarray
    if isinstance(value, Sparse):
        if value._host is None:
            raise Elsewhere(f"one sparse array is on the host, the other on {value.device.name}; move one with to_device")
        return value._host, join(kind, value._kind)
    if _is_group(value):
        if NUMBERS.issuperset(map(type, value)):
            return value, kind
        items = []
        for item in value:
            item, kind = lower(item, kind)
            items.append(item)
        return tuple(items) if isinstance(value, tuple) else items, kind
    if foreign.is_foreign(value):
        return fit(_check_host(dispatch.to_array(value)).numpy()), join(kind, value)
    return value, kind


def _check_host(x):
    if not x.device.uses_numpy:
        raise Elsewhere(f"the sparse array is on the host, the other operand on {x.device.name}; move one of them")
    return x


def lift(result, kind):
    """What SciPy returned: its sparse arrays as ours, its dense ones as the caller's kind."""
    if isinstance(result, (np.ndarray, np.generic)):
        if kind is None:
            return result
        x = dispatch.to_array(np.asarray(result))
        return x if kind is ndarray else dispatch.as_kind(x, kind)
    cls = classes().get(type(result))
    if cls is not None:
        out = cls.__new__(cls)
        out._host, out._kind = result, kind
        return out
    if isinstance(result, tuple):
        return tuple(lift(item, kind) for item in result)
    return lift(result.tocsr(), kind) if is_scipy(result) else result


def scipy_first(method):
    """Decorator of a method that is SciPy's where the device uses NumPy; the body is the way of other devices."""
    name = method.__name__
    writes = "out" in inspect.signature(method).parameters       # an array to write to stays the very one

    @wraps(method)
    def inner(self, *args, **kwargs):
        host = self._host
        if host is None:
            return method(self, *args, **kwargs)
        kind = self._kind
        if len(args) == 1:
            value = args[0]
            if type(value) is not np.ndarray or not (writes or is_fit(value)):
                value, kind = lower(value, kind)
                args = (value,)
        elif args:
            lowered, kind = lower(args, kind)
            args = tuple(old if writes and type(old) is np.ndarray else new for old, new in zip(args, lowered))
        for key, value in kwargs.items():
            if key != "out" or type(value) is not np.ndarray:
                kwargs[key], kind = lower(value, kind)
        result = getattr(host, name)(*args, **kwargs)
        return self if result is host else lift(result, kind)

    return inner


def scipy_attribute(name):
    """A property that reads and writes SciPy's attribute, or the part `_name` on other devices."""

    def read(self):
        if self._host is None:
            return self._give_part(getattr(self, "_" + name))
        value = getattr(self._host, name)
        return value if self._kind is None else lift(value, self._kind)

    def write(self, value):
        if self._host is None:
            setattr(self, "_" + name, self._operand(value))
            self._canonical = self._canonical and name == "data"
        else:
            setattr(self._host, name, lower(value)[0])

    return property(read, write)
