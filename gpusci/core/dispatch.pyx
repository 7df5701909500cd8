# cython: language_level=3
"""`@public`: the array kind that comes in goes out.

Kinds: `gpusci.ndarray` wins; else anything with DLPack or the CUDA array interface (torch, CuPy, JAX, Numba) is used in place and
returned as its own kind; else NumPy (arrays, lists, scalars) in, NumPy out. Compiled, since every call passes here.
"""

import functools
import importlib
import inspect

cimport numpy as cnp

from gpusci.core._ndarray cimport ndarray

import numpy as np

from gpusci.core import foreign
from gpusci.core._ndarray import from_numpy
from gpusci.core.device import HOST, current_device

cnp.import_array()

OUTPUTS = ("output", "out")

cdef enum:
    ARRAY, ARRAYS, READ_ON_HOST, OUTPUT

cdef class Slot:
    """One parameter that `@public` looks after."""
    cdef str name
    cdef Py_ssize_t index
    cdef int role
    cdef bint required                          # has no default: None is an array-like that no function takes

    cdef object of(self, tuple args, dict kwargs):
        if self.index < len(args):
            return args[self.index]
        return kwargs.get(self.name)

    cdef bint skips(self, value, tuple args, dict kwargs):
        """Whether there is no array to look after: a default None, or nothing given, which `func` will say."""
        return value is None and not (self.required and (self.index < len(args) or self.name in kwargs))


def public(*arrays, host=(), library=False, outputs=OUTPUTS):
    """Decorator of every function that mirrors SciPy.

    arrays    names of the array parameters; a trailing `*` marks a sequence of arrays ("arrays*")
    host      names of parameters that the function reads on the host, such as filter coefficients: they arrive as NumPy arrays,
              lists or scalars, and take part in the rule of kinds. Arrays of a GPU are downloaded, which waits for it
    outputs   names of parameters that are written to: a NumPy array given there gets the result
    library   the work is done by a GPU or LAPACK-class library (for the API table)
    """

    def decorate(func):
        slots = _slots(func, arrays, host, outputs)

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            return _call(func, slots, args, kwargs)

        wrapper.gpusci_status = "library" if library else "native"
        return wrapper

    return decorate


def _slots(func, arrays, host, outputs):
    signature = inspect.signature(func).parameters
    parameters = list(signature)
    cdef Slot slot
    slots = []
    for names, role in ((arrays, ARRAY), (host, READ_ON_HOST), (outputs, OUTPUT)):
        for name in names:
            bare = name.rstrip("*")
            if role == OUTPUT and (bare not in parameters or bare in arrays):
                continue
            slot = Slot.__new__(Slot)
            slot.name, slot.index = bare, parameters.index(bare)
            slot.role = ARRAYS if name.endswith("*") else role
            slot.required = slot.role == ARRAY and signature[bare].default is inspect.Parameter.empty
            slots.append(slot)
    return slots


cdef object _call(object func, list slots, tuple args, dict kwargs):
    cdef Slot slot
    cdef bint ready = True                      # every value is what `func` takes
    cdef bint wide = False                      # some NumPy array is of a dtype wider than ours
    cdef list given, written
    kind = device = None
    for slot in slots:
        value = slot.of(args, kwargs)
        if slot.skips(value, args, kwargs):
            continue
        if slot.role == OUTPUT:
            ready = ready and not isinstance(value, np.ndarray)
            continue
        if type(value) is ndarray:
            if kind is not ndarray:
                kind, device = ndarray, (<ndarray>value).device
            ready = ready and slot.role != READ_ON_HOST
            continue
        wide = wide or _is_wide(value)
        if not (slot.role == READ_ON_HOST and _is_simple(value)):
            ready = False
            if not _is_simple(value):
                kind, device = _join(kind, device, value)
    if wide and _mirrored(func) is not None:
        return on_host(_mirrored(func), args, kwargs)
    if ready and kind is ndarray:
        return func(*args, **kwargs)
    if device is None:
        device = current_device()
    given, written = list(args), []
    for slot in slots:
        value = slot.of(args, kwargs)
        if slot.skips(value, args, kwargs):
            continue
        if slot.role == ARRAY or slot.role == ARRAYS and not isinstance(value, (list, tuple)):
            new = to_array(value, device)
        elif slot.role == ARRAYS:
            new = [v if v is None else to_array(v, device) for v in value]
            new = tuple(new) if isinstance(value, tuple) else new
        elif slot.role == READ_ON_HOST:
            new = value if _is_simple(value) else to_host(value)
        elif isinstance(value, np.ndarray):
            new = writable(value, device)
            written.append((value, new))
        else:
            continue
        if slot.index < len(given):
            given[slot.index] = new
        else:
            kwargs[slot.name] = new
    result = func(*given, **kwargs)
    for value, new in written:
        if not shares(value, new):
            value[...] = new.numpy()
    return as_kind(result, kind, written)


cdef bint _is_wide(value):
    """NumPy's longdouble or clongdouble: in double results would be less than SciPy's, so that it does them (or refuses)."""
    return cnp.PyArray_Check(value) and (<cnp.ndarray>value).descr.type_num in (cnp.NPY_LONGDOUBLE, cnp.NPY_CLONGDOUBLE)


@functools.cache
def _mirrored(func):
    """SciPy's function of the name of one of ours, or None."""
    package, _, place = func.__module__.partition(".")
    if package != "gpusci":
        return None                             # of a subpackage of somebody else's, whose names say nothing
    place = ".".join(part for part in place.split(".") if not part.startswith("_"))
    try:
        return getattr(importlib.import_module("scipy." + place), func.__name__, None)
    except ImportError:
        return None


cdef bint _is_simple(value):
    """NumPy's array, a number, a name, or a list of numbers: nothing to look into."""
    if type(value) is list or type(value) is tuple:
        for item in value:
            if type(item) is not float and type(item) is not int:
                return False
        return True
    return cnp.PyArray_CheckExact(value) and cnp.PyArray_ISNOTSWAPPED(<cnp.ndarray>value) or isinstance(value, (float, int, str))


# ---- the kind of arguments
def kind_of(values):
    """The kind of result (ndarray, None for NumPy, or a foreign array) and the device to work on."""
    kind = device = None
    for value in values:
        kind, device = _join(kind, device, value)
    return kind, device or current_device()


cdef tuple _join(kind, device, value):
    for v in value if isinstance(value, (list, tuple)) and not is_plain(value) else (value,):
        if isinstance(v, ndarray):
            if kind is not ndarray:
                kind, device = ndarray, (<ndarray>v).device
        elif kind is None and foreign.is_foreign(v):
            kind, device = v, foreign.to_gpusci(v).device
    return kind, device


def is_plain(value):
    """Whether a sequence holds numbers, not arrays: only its first element is looked at."""
    while isinstance(value, (list, tuple)) and len(value):
        value = value[0]
    return isinstance(value, (int, float, complex, np.generic, list, tuple))


# ---- in
def to_array(value, device=None):
    """Any array-like as a `gpusci.ndarray`: NumPy, lists and scalars on `device`, arrays of any library where they are."""
    if isinstance(value, ndarray):
        return value
    if not isinstance(value, np.ndarray):
        if foreign.is_foreign(value):
            return foreign.to_gpusci(value)
        if isinstance(value, (list, tuple)) and not is_plain(value):
            import gpusci

            return gpusci.asarray(value, device=device)
    host = from_numpy(value)
    return host if device is None or device is HOST else host.to_device(device)


def writable(value, device):
    """A NumPy array that a function is to write to, on `device`: its own memory on the host."""
    if not value.flags.writeable:
        raise ValueError("output array is read-only")
    return from_numpy(value).to_device(device)


def shares(given, used):
    """Whether what was written to `used` stands in the NumPy array `given`."""
    return used.device.kind == "host" and np.shares_memory(given, used.numpy()) or given.size == 0


# ---- out
def as_kind(result, kind, written=()):
    """Results as the caller's kind, through tuples, lists, dicts and named tuples; `written` pairs given and used outputs."""
    if isinstance(result, ndarray):
        for given, used in written:
            if result is used:
                return given
        if kind is ndarray:
            return result
        if kind is not None:
            return foreign.from_gpusci(result, kind)
        host = (<ndarray>result)._a if (<ndarray>result).device is HOST else result.numpy()
        return host if host.ndim else host[()]
    if isinstance(result, tuple):
        items = [as_kind(item, kind, written) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    if isinstance(result, list):
        return [as_kind(item, kind, written) for item in result]
    if type(result) is dict:
        return {key: as_kind(item, kind, written) for key, item in result.items()}
    return result


# ---- functions that run on the host, such as SciPy's
def on_host(func, args, kwargs):
    """func(*args, **kwargs) with all gpusci and foreign arrays as NumPy arrays, and its arrays as their kind: waits for the GPU."""
    found = []
    result = func(*[to_host(v, found) for v in args], **{key: to_host(v, found) for key, v in kwargs.items()})
    if not found:
        return result
    kind, device = kind_of(found)
    return as_kind(from_host(result, device), kind)


def to_host(value, list found=None):
    """`value` with gpusci and foreign arrays, at any depth, as NumPy arrays of native byte order; `found` collects them."""
    if type(value) is np.ndarray:
        return value if cnp.PyArray_ISNOTSWAPPED(<cnp.ndarray>value) else value.astype(value.dtype.newbyteorder("="))
    if isinstance(value, ndarray) or foreign.is_foreign(value):
        if found is not None:
            found.append(value)
        return to_array(value).numpy()
    if type(value) is list or type(value) is tuple:
        items = [to_host(item, found) for item in value]
        return value if all([new is old for new, old in zip(items, value)]) else type(value)(items)
    return value


def from_host(result, device):
    """`result` with NumPy's arrays and scalars, at any depth, as gpusci arrays on `device`."""
    if isinstance(result, (np.ndarray, np.generic)):
        return from_numpy(result).to_device(device) if result.dtype.kind in "biufc" else result
    if isinstance(result, tuple):
        items = [from_host(item, device) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
    if isinstance(result, list):
        return [from_host(item, device) for item in result]
    return {k: from_host(v, device) for k, v in result.items()} if type(result) is dict else result
