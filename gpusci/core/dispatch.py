"""`@public`: the array kind that comes in goes out; and NumPy's own dispatch protocols.

Kinds: `gpusci.ndarray` wins; else anything with DLPack or the CUDA array interface (torch, CuPy, JAX, Numba) is used in place and
returned as its own kind; else NumPy (arrays, lists, scalars) in, NumPy out.
"""

import functools
import inspect

import numpy as np

from gpusci.core._ndarray import from_numpy, ndarray
from gpusci.core.device import current_device

__all__ = ["public", "to_array"]

OUTPUTS = ("output", "out")


def public(*arrays, library=False, outputs=OUTPUTS):
    """Decorator of every function that mirrors SciPy.

    arrays    names of the array parameters; a trailing `*` marks a sequence of arrays ("arrays*"), or var-positional ones
    outputs   names of parameters that are written to: a NumPy array given there gets the result
    library   the work is done by a GPU or LAPACK-class library (for the API table)
    """

    def decorate(func):
        parameters = list(inspect.signature(func).parameters)
        wanted = [(parameters.index(n.rstrip("*")), n.rstrip("*"), n.endswith("*")) for n in arrays]
        outs = [(parameters.index(n), n) for n in outputs if n in parameters and n not in arrays]

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            slots = _slots(wanted, args, kwargs, func)
            kind, device = _kind_of(value for _, value, _ in slots)
            out_slots = _slots([(i, n, False) for i, n in outs], args, kwargs, func)
            if kind is ndarray and not out_slots and all(type(v) is ndarray for _, v, _ in slots):
                return func(*args, **kwargs)
            args, outputs = list(args), []
            for place, value, many in slots:
                if many:
                    new = [v if v is None else to_array(v, device) for v in value]
                    new = tuple(new) if isinstance(value, tuple) else new
                else:
                    new = to_array(value, device)
                (args if isinstance(place, int) else kwargs)[place] = new
            for place, value, _ in out_slots:
                if isinstance(value, np.ndarray):
                    new = _output(value, device)
                    outputs.append((value, new))
                    (args if isinstance(place, int) else kwargs)[place] = new
            result = func(*args, **kwargs)
            for given, used in outputs:
                if not _shares(given, used):
                    given[...] = used.numpy()
            return _back(result, kind, outputs)

        wrapper.gpusci_status = "library" if library else "native"
        return wrapper

    return decorate


def _slots(wanted, args, kwargs, func):
    """(place, value, many) of the array arguments that were given."""
    slots = []
    for index, name, many in wanted:
        if index < len(args):
            value, place = args[index], index
        elif name in kwargs:
            value, place = kwargs[name], name
        else:
            continue
        if value is not None:
            many = many and isinstance(value, (list, tuple))
            slots.append((place, value, many))
    return slots


def _kind_of(values):
    """The kind of result (ndarray, None for NumPy, or a foreign array) and the device to work on."""
    kind, device = None, None
    for value in values:
        for v in value if isinstance(value, (list, tuple)) and not _plain(value) else (value,):
            if isinstance(v, ndarray):
                if kind is not ndarray:
                    kind, device = ndarray, v.device
            elif kind is None and is_foreign(v):
                kind, device = v, _import_foreign(v).device
    return kind, device or current_device()


def _plain(value):
    """Whether a sequence holds numbers, not arrays: only its first element is looked at."""
    while isinstance(value, (list, tuple)) and len(value):
        value = value[0]
    return isinstance(value, (int, float, complex, np.generic, list, tuple))


def is_foreign(v):
    """An array of another library that can be taken over without a copy."""
    if isinstance(v, (np.ndarray, np.generic, ndarray, int, float, complex, str, bytes, list, tuple)):
        return False
    return hasattr(v, "__cuda_array_interface__") or hasattr(v, "__dlpack__")


def to_array(value, device=None):
    """Any array-like as a `gpusci.ndarray`: NumPy, lists and scalars on `device`, arrays of any library where they are."""
    if isinstance(value, ndarray):
        return value
    if is_foreign(value):
        return _import_foreign(value)
    if isinstance(value, (list, tuple)) and not _plain(value):
        import gpusci

        return gpusci.asarray(value, device=device)
    host = from_numpy(np.asarray(value))
    return host if device is None else host.to_device(device)


def _import_foreign(value):
    import gpusci

    return gpusci.from_dlpack(value) if hasattr(value, "__dlpack__") else gpusci.asarray(value)


def _output(value, device):
    if not value.flags.writeable:
        raise ValueError("output array is read-only")
    return from_numpy(value).to_device(device)


def _shares(given, used):
    return used.device.kind == "host" and np.shares_memory(given, used.numpy()) or given.size == 0


def _back(result, kind, outputs):
    """Results as the caller's kind, through tuples, lists, dicts and named tuples."""
    if isinstance(result, ndarray):
        for given, used in outputs:
            if result is used:
                return given
        if kind is ndarray:
            return result
        if kind is None:
            host = result.numpy()
            return host if host.ndim else host[()]
        return _export_foreign(result, kind)
    if isinstance(result, tuple):
        items = [_back(item, kind, outputs) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    if isinstance(result, list):
        return [_back(item, kind, outputs) for item in result]
    if type(result) is dict:
        return {key: _back(item, kind, outputs) for key, item in result.items()}
    return result


def _export_foreign(x, like):
    """An array as the kind of `like`, without a copy."""
    module = type(like).__module__.split(".")[0]
    if module == "jaxlib" or module == "jax":
        import jax.dlpack

        return jax.dlpack.from_dlpack(x)
    if module == "numba":
        from numba import cuda

        return cuda.as_cuda_array(x)
    namespace = like.__array_namespace__() if hasattr(like, "__array_namespace__") else __import__(module)
    return namespace.from_dlpack(x)


# ---- NumPy's protocols on gpusci.ndarray
def array_ufunc(ufunc, method, inputs, kwargs):
    """`np.add(x, y)` and `np.add.reduce(x)` with a gpusci array run the namespace's ufunc of that name."""
    import gpusci

    ours = getattr(gpusci, ufunc.__name__, None)
    if ours is None:
        from gpusci.core.subpackage import loaded_attribute

        ours = loaded_attribute("special", ufunc.__name__)
    if ours is None:
        return NotImplemented
    out = kwargs.get("out")
    if isinstance(out, tuple) and len(out) == 1:
        kwargs["out"] = out[0]
    return (ours if method == "__call__" else getattr(ours, method))(*inputs, **kwargs)


def array_function(func, args, kwargs):
    """`np.mean(x)`, `np.fft.fft(x)`, `np.linalg.norm(x)` ... with a gpusci array run the function of that name here."""
    import gpusci

    namespace = gpusci
    for part in (func.__module__ or "").split(".")[1:]:
        if part in ("fft", "linalg", "random"):
            namespace = getattr(gpusci, part)
    ours = getattr(namespace, func.__name__, None)
    if ours is None:
        raise TypeError(f"gpusci has no {func.__module__}.{func.__name__}; convert with x.numpy() to use NumPy's")
    return ours(*args, **kwargs)
