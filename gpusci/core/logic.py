"""Questions about arrays and dtypes: comparisons with tolerance, kinds, promotion, shared memory."""

import numpy as np

from gpusci.core import ufuncs
from gpusci.core._ndarray import ndarray
from gpusci.core.creation import zeros
from gpusci.core.numpylike import LARGE, as_arrays, numpy_like, result_dtype, to_device_array
from gpusci.core.ufunc import Ufunc

__all__ = [
    "allclose", "array_equal", "array_equiv", "can_cast", "common_type", "isclose", "iscomplex", "iscomplexobj", "isfortran",
    "isneginf", "isposinf", "isreal", "isrealobj", "isscalar", "may_share_memory", "min_scalar_type", "ndenumerate",
    "result_type", "shares_memory",
]  # fmt: skip

# rtol and atol come in the precision of the comparison.
is_close = Ufunc("is_close", "ffff?->? dddd?->? FFff?->? DDdd?->?", header="gpusci/selection.h", functor="is_close", cost="light",
                 doc="|x - y| <= atol + rtol |y|.")  # fmt: skip


# ---- closeness and equality
@numpy_like(large=LARGE)
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """As `numpy.isclose`."""
    a, b = (x if np.isscalar(x) else to_device_array(x) for x in (a, b))
    loop = np.result_type(result_dtype(a, b), 1.0)
    real = np.dtype(loop.char.lower() if loop.char != "e" else "f")
    loop = np.promote_types(loop, np.float32)
    a, b = (x.astype(loop, copy=False) for x in as_arrays(a, b))
    limits = [x.astype(real, copy=False) if type(x) is ndarray else real.type(x) for x in (rtol, atol)]
    return is_close(a, b, *limits, np.bool_(equal_nan))


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """As `numpy.allclose`: a Python bool, so it waits for the GPU."""
    return _all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1, a2, equal_nan=False):
    """As `numpy.array_equal`: a Python bool, so it waits for the GPU."""
    a1, a2 = as_arrays(a1, a2)
    return a1.shape == a2.shape and (a1 is a2 and a1.dtype.kind in "biu" or _all(_same(a1, a2, equal_nan)))


def array_equiv(a1, a2):
    """As `numpy.array_equiv`: a Python bool, so it waits for the GPU."""
    a1, a2 = as_arrays(a1, a2)
    try:
        np.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return False
    return _all(ufuncs.equal(a1, a2))


def _same(a, b, equal_nan):
    equal = ufuncs.equal(a, b)
    if equal_nan and a.dtype.kind in "fc" and b.dtype.kind in "fc":
        equal = ufuncs.logical_or(equal, ufuncs.logical_and(ufuncs.isnan(a), ufuncs.isnan(b)))
    return equal


def _all(x):
    from gpusci.core.reduce import all

    return True if x.size == 0 else all(x).item()


# ---- element-wise questions
@numpy_like
def iscomplex(x):
    """As `numpy.iscomplex`."""
    x = to_device_array(x)
    return ufuncs.not_equal(x.imag, 0) if x.dtype.kind == "c" else zeros(x.shape, np.bool_, device=x.device)


@numpy_like
def isreal(x):
    """As `numpy.isreal`."""
    return ufuncs.equal(to_device_array(x).imag, 0)


@numpy_like
def isposinf(x, out=None):
    """As `numpy.isposinf`."""
    return _isinf(x, out, positive=True)


@numpy_like
def isneginf(x, out=None):
    """As `numpy.isneginf`."""
    return _isinf(x, out, positive=False)


def _isinf(x, out, positive):
    x = to_device_array(x)
    if x.dtype.kind == "c":
        raise TypeError(f"This operation is not supported for {x.dtype} values because it would be ambiguous.")
    return ufuncs.equal(x, np.inf if positive else -np.inf, out=out)


# ---- questions about objects and dtypes
def _dtype_of(x):
    return x.dtype if type(x) is ndarray else np.asarray(x).dtype


def iscomplexobj(x):
    """As `numpy.iscomplexobj`."""
    return _dtype_of(x).kind == "c"


def isrealobj(x):
    """As `numpy.isrealobj`."""
    return _dtype_of(x).kind != "c"


def isscalar(element):
    """As `numpy.isscalar`; a 0-d array is not one."""
    return np.isscalar(element)


def isfortran(a):
    """As `numpy.isfortran`."""
    return a.flags.fnc


def result_type(*arrays_and_dtypes):
    """As `numpy.result_type`."""
    return result_dtype(*arrays_and_dtypes)


def can_cast(from_, to, casting="safe"):
    """As `numpy.can_cast`; also for an array, by its dtype."""
    return np.can_cast(from_.dtype if type(from_) is ndarray else from_, to, casting)


def min_scalar_type(a, /):
    """As `numpy.min_scalar_type`; a 0-d array is read, which waits for the GPU."""
    return np.min_scalar_type((a.numpy() if a.ndim == 0 else a._a[:0]) if type(a) is ndarray else a)


def common_type(*arrays):
    """As `numpy.common_type`."""
    return np.common_type(*(np.empty(0, _dtype_of(x)) for x in arrays))


def may_share_memory(a, b, /, max_work=0):
    """As `numpy.may_share_memory`."""
    return _one_memory(a, b) and np.may_share_memory(*(x._a if type(x) is ndarray else x for x in (a, b)), max_work)


def shares_memory(a, b, /, max_work=-1):
    """As `numpy.shares_memory`."""
    return _one_memory(a, b) and np.shares_memory(*(x._a if type(x) is ndarray else x for x in (a, b)), max_work)


def _one_memory(a, b):
    # Addresses of two GPUs, or of a GPU and the host, are apart by the unified address space; the devices say it sooner.
    kinds = {x.device.name if type(x) is ndarray else "host" for x in (a, b)}
    return len(kinds) == 1


def ndenumerate(arr):
    """As `numpy.ndenumerate`: pairs of index and NumPy scalar, from one copy of the data to the host."""
    return np.ndenumerate(arr.numpy() if type(arr) is ndarray else arr)
