# cython: language_level=3
"""ndarray: a NumPy array header over host or GPU memory, and NumPy's methods on it.

View algebra is NumPy's own (see DESIGN.md section 1). Everything that computes is a function of the namespace; the
methods here only forward to it by name.
"""

import importlib

cimport numpy as cnp
from cpython.number cimport PyNumber_Index
from cpython.object cimport Py_EQ, Py_GE, Py_GT, Py_LE, Py_LT, Py_NE
from libc.stdint cimport uintptr_t

from gpusci.core._launch cimport Memory, allocate
from gpusci.core.host_memory cimport is_large, reusing

import numpy as np

from gpusci.core._dtypes import DTYPES, canonical

cnp.import_array()

_gs = None                              # the namespace, filled at the first use: `gpusci` imports this module


cdef inline object gs():
    global _gs
    if _gs is None:
        _gs = importlib.import_module("gpusci")
    return _gs


cdef dict _late = {}                    # what other modules of core give, for the same reason


cdef object late(str module, str name):
    found = _late.get(name)
    if found is None:
        found = _late[name] = getattr(importlib.import_module("gpusci.core." + module), name)
    return found


cdef class ndarray:
    """An n-dimensional array on a device; NumPy's attributes, methods and semantics.

    Made by `gpusci.asarray`, `gpusci.zeros` and the like, not by calling the class. Full indexing returns a 0-d array, not a
    scalar, so that nothing waits for the GPU; `item()`, `float(x)` and printing do wait.
    """

    __array_priority__ = 1000.0
    __hash__ = None

    def __init__(self):
        raise TypeError("gpusci.ndarray is not called directly; use gpusci.asarray, empty, zeros ...")

    # ---- attributes
    @property
    def shape(self):
        return (<object>self._a).shape

    @shape.setter
    def shape(self, value):
        self._a = np.reshape(self._a, value, copy=False)

    @property
    def strides(self):
        return (<object>self._a).strides

    @property
    def dtype(self):
        return (<object>self._a).dtype

    @dtype.setter
    def dtype(self, value):
        self._a = (<ndarray>self.view(value))._a

    @property
    def ndim(self):
        return cnp.PyArray_NDIM(self._a)

    @property
    def size(self):
        return cnp.PyArray_SIZE(self._a)

    @property
    def itemsize(self):
        return cnp.PyArray_ITEMSIZE(self._a)

    @property
    def nbytes(self):
        return cnp.PyArray_NBYTES(self._a)

    @property
    def flags(self):
        return (<object>self._a).flags

    @property
    def ptr(self):
        """Address of the first element."""
        return <uintptr_t>data_of(self)

    @property
    def base(self):
        """The memory's owner when this is a view or wraps foreign memory."""
        return self.owner if self.device.kind == "cuda" else (<object>self._a).base

    @property
    def T(self):
        return wrap((<object>self._a).T, self)

    @property
    def mT(self):
        return wrap((<object>self._a).mT, self)

    @property
    def real(self):
        return wrap((<object>self._a).real, self) if (<object>self._a).dtype.kind == "c" else self

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        return wrap((<object>self._a).imag, self) if (<object>self._a).dtype.kind == "c" else gs().zeros_like(self)

    @imag.setter
    def imag(self, value):
        if (<object>self._a).dtype.kind != "c":
            raise TypeError("cannot set the imaginary part of a real array")
        self.imag[...] = value

    @property
    def flat(self):
        return late("raw", "FlatView")(self)

    @flat.setter
    def flat(self, value):                              # as NumPy: the values are repeated as often as they fit
        self[...] = gs().resize(value, self.shape)

    # ---- to the host and back
    def numpy(self):
        """As a NumPy array: a zero-copy view on the host device, else a copy (waits for the GPU)."""
        return self._a if self.device.kind == "host" else self.device.download(self)

    def get(self, stream=None, order="C", out=None):
        """As a NumPy array, in `out` when given (CuPy's name for `numpy()`)."""
        if out is None:
            return self.numpy()
        np.copyto(out, self.numpy())
        return out

    def to_device(self, device, /, *, stream=None):
        """This array on `device` (`"host"`, `"cuda:0"`, a Device); itself when it is there already."""
        device = late("device", "get_device")(device)
        if device is self.device:
            return self
        if device.kind == "host":
            return from_numpy(self.numpy())
        if self.device.kind == "host":
            return device.upload(self._a)
        return device.copy_from(self)

    def item(self, *args):
        """One element as a Python scalar (waits for the GPU)."""
        if self.device.kind == "host":
            return (<object>self._a).item(*args)
        return late("raw", "item")(self, *args)

    @property
    def data(self):
        """The memory as a `memoryview`, on the host only."""
        if self.device.kind != "host":
            raise TypeError("GPU memory has no memoryview: use x.ptr for its address, or x.numpy().data for a copy")
        return (<object>self._a).data

    def tolist(self): return self.numpy().tolist()
    def tobytes(self, order="C"): return self.numpy().tobytes(order)
    def tofile(self, fid, sep="", format="%s"): self.numpy().tofile(fid, sep, format)
    def dump(self, file): self.numpy().dump(file)
    def dumps(self): return self.numpy().dumps()

    def __array__(self, dtype=None, *, copy=None):
        if self.device.kind != "host":
            raise TypeError(
                "implicit conversion of a GPU array to a NumPy array is not allowed, since it waits for the GPU; "
                "use x.numpy() or gpusci.asnumpy(x)"
            )
        return np.array(self._a, dtype=dtype, copy=copy)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return late("_dlpack", "to_capsule")(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self):
        return (1, 0) if self.device.kind == "host" else (2, self.device.index)

    @property
    def __cuda_array_interface__(self):
        return late("raw", "cuda_interface")(self)

    def __array_namespace__(self, *, api_version=None):
        return gs()

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return late("protocols", "array_ufunc")(ufunc, method, inputs, kwargs)

    def __array_function__(self, func, types, args, kwargs):
        return late("protocols", "array_function")(func, args, kwargs)

    def __reduce__(self):
        return late("raw", "unpickled"), (self.numpy(), self.device.name)

    def __copy__(self): return self.copy("K")
    def __deepcopy__(self, memo): return self.copy("K")

    # ---- views and copies
    def __getitem__(self, key):
        if _is_basic(key):
            return wrap((<object>self._a)[_open(key)], self)
        return late("indexing", "getitem")(self, key)

    def __setitem__(self, key, value):
        if not cnp.PyArray_ISWRITEABLE(self._a):
            raise ValueError("assignment destination is read-only")
        if _is_basic(key):
            opened = _open(key)
            view = wrap((<object>self._a)[opened], self)
            if view.ndim == 0 and len(opened) > (len(key) if isinstance(key, tuple) else 1):
                _check_element(view, value)
            _assign(view, value)
        else:
            late("indexing", "setitem")(self, key, value)

    def view(self, dtype=None):
        cdef cnp.ndarray view = (<object>self._a).view() if dtype is None else (<object>self._a).view(canonical(dtype))
        if not _is_own(view):
            raise ValueError(f"rows of this array begin within {view.dtype} elements, which kernels cannot address: copy it first")
        if <uintptr_t>cnp.PyArray_DATA(view) % <uintptr_t>view.itemsize and self.device.kind == "cuda":
            raise ValueError(f"this array begins within {view.dtype} elements, which a GPU cannot address: copy it first")
        return wrap(view, self)

    def reshape(self, *shape, order="C", copy=None):
        if len(shape) == 1:
            shape = shape[0]
        if copy is None and order == "C" and cnp.PyArray_IS_C_CONTIGUOUS(self._a):      # NumPy's quick way never copies here
            return wrap((<object>self._a).reshape(shape), self)
        return late("raw", "reshaped")(self, shape, order, copy)

    def ravel(self, order="C"):
        if order == "K":                                # as the elements lie in memory
            steps = self.strides
            return self.transpose(sorted(range(self.ndim), key=lambda d: -abs(steps[d]))).reshape(-1)
        return self.reshape(-1, order=order)

    def flatten(self, order="C"):
        return self.copy(order).ravel(order)

    def transpose(self, *axes): return wrap((<object>self._a).transpose(*axes), self)
    def swapaxes(self, axis1, axis2): return wrap((<object>self._a).swapaxes(axis1, axis2), self)
    def squeeze(self, axis=None): return wrap((<object>self._a).squeeze(axis), self)
    def diagonal(self, offset=0, axis1=0, axis2=1): return wrap((<object>self._a).diagonal(offset, axis1, axis2), self)
    def byteswap(self, inplace=False): return late("raw", "byteswap")(self, inplace)
    def getfield(self, dtype, offset=0): return late("raw", "getfield")(self, dtype, offset)
    def setfield(self, val, dtype, offset=0): self.getfield(dtype, offset)[...] = val
    def setflags(self, write=None, align=None, uic=None): self._a = late("raw", "flagged")(self, write, align, uic)

    def resize(self, *new_shape, refcheck=True):
        out = late("raw", "resized")(self, new_shape, refcheck)
        self._a, self.owner = out._a, out.owner

    def copy(self, order="C"):
        if self._is_small_on_numpy():
            return make((<object>self._a).copy(order), self.device, None)
        out = late("raw", "empty_ordered")(self, self.dtype, order)
        late("elementwise", "copyto")(out, self)
        return out

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True, *, device=None):
        dtype = canonical(dtype)
        if casting != "unsafe" and not np.can_cast(self.dtype, dtype, casting):
            raise TypeError(f"Cannot cast array data from {self.dtype!r} to {dtype!r} according to the rule {casting!r}")
        if device is not None:
            return self.to_device(device).astype(dtype, order, casting, subok, copy)
        if not copy and dtype == self.dtype and (order in "KA" or self.flags.c_contiguous):
            return self
        if self._is_small_on_numpy():
            return make((<object>self._a).astype(dtype, order), self.device, None)
        out = late("raw", "empty_ordered")(self, dtype, order)
        late("elementwise", "copyto")(out, self, casting="unsafe")
        return out

    cdef bint _is_small_on_numpy(self):
        """Whether NumPy copies it, and one thread is enough."""
        return cnp.PyArray_SIZE(self._a) < 1 << 17 and self.device.uses_numpy

    def fill(self, value):
        _check_element(self, value)
        self[...] = value

    # ---- Python protocols
    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, value):
        return bool((self == value).any())

    def __bool__(self):
        return bool(self.numpy() if self.size == 1 else np.empty(self.shape, np.bool_))     # NumPy's own error for other sizes

    def __int__(self):
        return int(self._one())

    def __float__(self):
        return float(self._one())

    def __complex__(self):
        return complex(self._one())

    def __index__(self):
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self.numpy())

    def _one(self):
        if cnp.PyArray_NDIM(self._a):
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars: take an element, as with x.item()")
        return self.numpy()

    def __repr__(self): return repr(self.numpy())
    def __str__(self): return str(self.numpy())

    def __format__(self, spec):
        return format(self.numpy()[()] if self.ndim == 0 else self.numpy(), spec)

    # ---- operators: one ufunc each
    def __add__(self, other): return _binary(ADD, self, other)
    def __radd__(self, other): return _binary(ADD, other, self)
    def __iadd__(self, other): return _inplace(ADD, self, other)
    def __sub__(self, other): return _binary(SUB, self, other)
    def __rsub__(self, other): return _binary(SUB, other, self)
    def __isub__(self, other): return _inplace(SUB, self, other)
    def __mul__(self, other): return _binary(MUL, self, other)
    def __rmul__(self, other): return _binary(MUL, other, self)
    def __imul__(self, other): return _inplace(MUL, self, other)
    def __truediv__(self, other): return _binary(DIV, self, other)
    def __rtruediv__(self, other): return _binary(DIV, other, self)
    def __itruediv__(self, other): return _inplace(DIV, self, other)
    def __floordiv__(self, other): return _binary(FLOORDIV, self, other)
    def __rfloordiv__(self, other): return _binary(FLOORDIV, other, self)
    def __ifloordiv__(self, other): return _inplace(FLOORDIV, self, other)
    def __mod__(self, other): return _binary(MOD, self, other)
    def __rmod__(self, other): return _binary(MOD, other, self)
    def __imod__(self, other): return _inplace(MOD, self, other)
    def __divmod__(self, other): return _binary(DIVMOD, self, other)
    def __rdivmod__(self, other): return _binary(DIVMOD, other, self)
    def __pow__(self, other, modulo): return _power(self, other, None) if modulo is None else NotImplemented
    def __rpow__(self, other, modulo): return _binary(POW, other, self) if modulo is None else NotImplemented
    def __ipow__(self, other): return _power(self, other, self)
    def __and__(self, other): return _binary(AND, self, other)
    def __rand__(self, other): return _binary(AND, other, self)
    def __iand__(self, other): return _inplace(AND, self, other)
    def __or__(self, other): return _binary(OR, self, other)
    def __ror__(self, other): return _binary(OR, other, self)
    def __ior__(self, other): return _inplace(OR, self, other)
    def __xor__(self, other): return _binary(XOR, self, other)
    def __rxor__(self, other): return _binary(XOR, other, self)
    def __ixor__(self, other): return _inplace(XOR, self, other)
    def __lshift__(self, other): return _binary(LSHIFT, self, other)
    def __rlshift__(self, other): return _binary(LSHIFT, other, self)
    def __ilshift__(self, other): return _inplace(LSHIFT, self, other)
    def __rshift__(self, other): return _binary(RSHIFT, self, other)
    def __rrshift__(self, other): return _binary(RSHIFT, other, self)
    def __irshift__(self, other): return _inplace(RSHIFT, self, other)
    def __matmul__(self, other): return _binary(MATMUL, self, other)
    def __rmatmul__(self, other): return _binary(MATMUL, other, self)
    def __imatmul__(self, other): return _inplace(MATMUL, self, other)
    def __neg__(self): return gs().negative(self)
    def __pos__(self): return gs().positive(self)
    def __abs__(self): return gs().absolute(self)
    def __invert__(self): return gs().invert(self)

    def __richcmp__(self, other, int op):
        if op == Py_EQ or op == Py_NE:
            if other is None or isinstance(other, (str, bytes)):
                return gs().full(self.shape, op == Py_NE, dtype=bool, device=self.device)
            try:
                return _binary(EQ if op == Py_EQ else NE, self, other)
            except TypeError:
                return NotImplemented
        return _binary(LT if op == Py_LT else LE if op == Py_LE else GT if op == Py_GT else GE, self, other)

    # ---- methods that are functions of the namespace
    def sum(self, axis=None, dtype=None, out=None, **kw): return _method(self, "sum", (axis, dtype, out), kw)
    def prod(self, axis=None, dtype=None, out=None, **kw): return _method(self, "prod", (axis, dtype, out), kw)
    def mean(self, axis=None, dtype=None, out=None, **kw): return _method(self, "mean", (axis, dtype, out), kw)
    def var(self, axis=None, dtype=None, out=None, ddof=0, **kw): return _method(self, "var", (axis, dtype, out, ddof), kw)
    def std(self, axis=None, dtype=None, out=None, ddof=0, **kw): return _method(self, "std", (axis, dtype, out, ddof), kw)
    def min(self, axis=None, out=None, **kw): return _method(self, "min", (axis, out), kw)
    def max(self, axis=None, out=None, **kw): return _method(self, "max", (axis, out), kw)
    def all(self, axis=None, out=None, **kw): return _method(self, "all", (axis, out), kw)
    def any(self, axis=None, out=None, **kw): return _method(self, "any", (axis, out), kw)
    def argmin(self, axis=None, out=None, **kw): return _method(self, "argmin", (axis, out), kw)
    def argmax(self, axis=None, out=None, **kw): return _method(self, "argmax", (axis, out), kw)
    def cumsum(self, axis=None, dtype=None, out=None): return _method(self, "cumsum", (axis, dtype, out))
    def cumprod(self, axis=None, dtype=None, out=None): return _method(self, "cumprod", (axis, dtype, out))
    def clip(self, min=None, max=None, out=None, **kw): return gs().clip(self, min, max, out, **kw)
    def round(self, decimals=0, out=None): return _method(self, "round", (decimals, out))
    def conj(self): return self.conjugate()
    def conjugate(self): return gs().conjugate(self) if self.dtype.kind == "c" else self
    def dot(self, b, out=None): return gs().dot(self, b, out)
    def trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
        return gs().trace(self, offset, axis1, axis2, dtype, out)
    def take(self, indices, axis=None, out=None, mode="raise"): return _method(self, "take", (_read(self, indices), axis, out, mode))
    def put(self, indices, values, mode="raise"): gs().put(self, indices, values, mode)
    def repeat(self, repeats, axis=None): return gs().repeat(self, repeats, axis)
    def choose(self, choices, out=None, mode="raise"): return gs().choose(self, choices, out, mode)
    def compress(self, condition, axis=None, out=None): return gs().compress(condition, self, axis, out)
    def nonzero(self): return gs().nonzero(self)
    def searchsorted(self, v, side="left", sorter=None): return _method(self, "searchsorted", (_read(self, v), side, sorter))
    def argsort(self, axis=-1, kind=None, order=None, **kw): return _method(self, "argsort", (axis, kind, order), kw)
    def argpartition(self, kth, axis=-1, kind="introselect", order=None): return gs().argpartition(self, kth, axis, kind)

    def sort(self, axis=-1, kind=None, order=None, *, stable=None):
        self[...] = gs().sort(self, axis, kind, stable=stable)

    def partition(self, kth, axis=-1, kind="introselect", order=None):
        self[...] = gs().partition(self, kth, axis, kind)


cdef object _method(ndarray x, str name, tuple args, dict kw=None):
    """NumPy's own method where NumPy does the work and one thread is enough, else the function of the namespace."""
    if x._is_small_on_numpy() and cnp.PyArray_SIZE(x._a) and _all_simple(args) and (not kw or _all_simple(kw.values())):
        return from_numpy(getattr(x._a, name)(*args, **kw) if kw else getattr(x._a, name)(*args))
    return getattr(gs(), name)(x, *args, **(kw or {}))


cdef bint _all_simple(values):
    """Whether all are what NumPy reads as we do: numbers, axes, names, dtypes and its own arrays."""
    for v in values:
        if not (v is None or type(v) is int or type(v) is bool or type(v) is tuple or type(v) is str or isinstance(v, np.dtype)
                or isinstance(v, type) or type(v) is float or cnp.PyArray_CheckExact(v)):
            return False
    return True


cdef object _read(ndarray x, value):
    """An argument that is read, for `_method`."""
    both = type(value) is ndarray and x._is_small_on_numpy() and (<ndarray>value)._is_small_on_numpy()
    return (<ndarray>value)._a if both else value


# ---- operators
cdef enum:
    ADD, SUB, MUL, DIV, FLOORDIV, MOD, DIVMOD, POW, AND, OR, XOR, LSHIFT, RSHIFT, MATMUL, EQ, NE, LT, LE, GT, GE, OPERATORS

_OPERATOR_NAMES = (
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "divmod", "power", "bitwise_and", "bitwise_or",
    "bitwise_xor", "left_shift", "right_shift", "matmul", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
)
cdef list _operators = []


cdef object _binary(int op, a, b):
    if not _operators:
        _operators.extend([getattr(gs(), name) for name in _OPERATOR_NAMES])
    # Another array library's object with a higher claim, or one that refuses ufuncs, does the operation itself.
    other = b if isinstance(a, ndarray) else a
    if not isinstance(other, (ndarray, int, float, complex, np.generic, np.ndarray)) and _defers(other):
        return NotImplemented
    return _operators[op](a, b)


cdef object _power(ndarray a, b, out):
    """a ** b, where NumPy's operator (unlike `power`) has a function of its own for some exponents."""
    name = None
    if type(b) is int and (b == 2 or b == -1) and (b == 2 or a.dtype.kind in "fc"):
        name = "square" if b == 2 else "reciprocal"
    elif type(b) is float and b == 0.5 and a.dtype.kind in "fc":
        name = "sqrt"
    if name is None:
        return _binary(POW, a, b) if out is None else _inplace(POW, a, b)
    return getattr(gs(), name)(a) if out is None else getattr(gs(), name)(a, out=out)


cdef object _inplace(int op, ndarray a, b):
    if not _operators:
        _operators.extend([getattr(gs(), name) for name in _OPERATOR_NAMES])
    if not isinstance(b, (ndarray, int, float, complex, np.generic, np.ndarray)) and _defers(b):
        return NotImplemented
    _operators[op](a, b, out=a)
    return a


cdef bint _defers(other):
    if getattr(other, "__array_ufunc__", 0) is None:
        return True
    return not hasattr(other, "__array__") and not hasattr(other, "__dlpack__") and not isinstance(other, (list, tuple)) \
        and not hasattr(other, "__cuda_array_interface__") and not hasattr(other, "__index__") and not hasattr(other, "__float__")


# ---- construction
cdef ndarray make(cnp.ndarray a, object device, object owner):
    cdef ndarray x = ndarray.__new__(ndarray)
    x._a, x.device, x.owner = a, device, owner
    return x


cpdef ndarray wrap(cnp.ndarray view, ndarray like):
    """An array on `like`'s device and memory with the layout of `view`, which NumPy derived from `like._a`."""
    return make(view, like.device, like.owner)


cdef unsigned long long _OWN = sum(1 << dtype.num for dtype in DTYPES.values())     # bits by type number
cdef object _host = None


cdef inline object host():
    global _host
    if _host is None:
        _host = late("device", "HOST")
    return _host


cpdef ndarray from_numpy(a):
    """A host array on a NumPy array's memory (copied only for foreign byte order or longdouble)."""
    if not cnp.PyArray_CheckExact(a):
        a = np.asarray(a)
    if _is_own(<cnp.ndarray>a):
        return make(<cnp.ndarray>a, host(), None)
    return make(late("raw", "as_own")(a), host(), None)


def adopted(a):
    """`from_numpy` of a NumPy array that kernels take as it is; None for anything else."""
    return make(<cnp.ndarray>a, host(), None) if cnp.PyArray_CheckExact(a) and _is_own(<cnp.ndarray>a) else None


cdef bint _is_own(cnp.ndarray a):
    """Whether kernels can take a NumPy array as it is: its dtype is the table's, its strides count whole elements."""
    cdef int d, number = cnp.PyArray_TYPE(a)
    if number > 31 or not _OWN >> number & 1 or not cnp.PyArray_ISNOTSWAPPED(a):
        return False
    for d in range(cnp.PyArray_NDIM(a)):
        if cnp.PyArray_STRIDES(a)[d] % cnp.PyArray_ITEMSIZE(a):
            return False
    return True


def remember(ndarray x, bytes contents):
    """Keep what was uploaded to a new array on a GPU, so that reading it back needs no wait: coefficients, mostly."""
    (<Memory?>x.owner).known = contents


def known(ndarray x):
    """A NumPy copy of an array on a GPU whose memory still holds what was uploaded, or None."""
    if type(x.owner) is not Memory or (<Memory>x.owner).known is None:
        return None
    offset = <uintptr_t>cnp.PyArray_DATA(x._a) - (<Memory>x.owner).ptr
    return np.ndarray(x.shape, x.dtype, (<Memory>x.owner).known, offset, x.strides).copy("K")


def from_pointer(ptr, shape, dtype, strides, device, owner, writeable=True):
    """A GPU array over memory that `owner` keeps alive. strides in bytes, None for C order."""
    dtype = canonical(dtype)
    a = np.asarray(_Address(int(ptr) or 256, tuple(shape), dtype, strides, writeable))
    return make(a, device, owner)


class _Address:
    def __init__(self, ptr, shape, dtype, strides, writeable):
        self.__array_interface__ = {
            "data": (ptr, not writeable), "shape": shape, "typestr": dtype.str, "strides": strides, "version": 3,
        }


cdef cnp.ndarray phantom(Memory memory, int ndim, cnp.npy_intp* shape, int typenum, bint fortran):
    return cnp.PyArray_New(np.ndarray, ndim, shape, typenum, NULL, <void*><uintptr_t>memory.ptr, 0,
                           cnp.NPY_ARRAY_WRITEABLE | cnp.NPY_ARRAY_ALIGNED
                           | (cnp.NPY_ARRAY_F_CONTIGUOUS if fortran else cnp.NPY_ARRAY_C_CONTIGUOUS), None)


cpdef ndarray new(shape, dtype, device, order="C"):
    """Uninitialised array. `order` is 'C' or 'F'."""
    cdef cnp.npy_intp dims[64]
    cdef Memory memory
    cdef int i, ndim
    cdef object total = 1
    cdef Py_ssize_t nbytes                      # OverflowError beyond what NumPy takes
    dtype = canonical(dtype)
    if device.kind == "host":
        return make(roomy(shape, dtype, order), device, None)
    if not isinstance(shape, tuple):
        shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    ndim = len(shape)
    if ndim > 64:
        raise ValueError("maximum supported dimension for an ndarray is 64")
    try:
        for i in range(ndim):
            dims[i] = PyNumber_Index(shape[i])
            if dims[i] < 0:
                raise ValueError("negative dimensions are not allowed")
            total *= dims[i]                    # Python's integers: NumPy's wrap
        nbytes = total * dtype.itemsize
        memory = allocate(device.index, nbytes)
    except OverflowError:
        raise ValueError(f"array is too big: {tuple(shape)} elements of {dtype} are more than memory can hold") from None
    return make(phantom(memory, ndim, dims, dtype.num, order == "F"), device, memory)


cdef cnp.ndarray roomy(shape, dtype, order):
    """`np.empty(shape, dtype, order)`; a large array is in memory that is kept."""
    cdef cnp.ndarray a = np.empty(shape, dtype, order)
    if is_large(cnp.PyArray_NBYTES(a)):
        a = None                # never touched; both at once may be too much
        a = reusing(np.empty, (shape, dtype, order))
    return a


cdef ndarray new_like(ndarray like, int typenum):
    cdef Memory memory
    cdef cnp.ndarray a
    cdef size_t nbytes = cnp.PyArray_SIZE(like._a) * <size_t>cnp.PyArray_DescrFromType(typenum).itemsize
    if like.device.index < 0:
        if is_large(nbytes):
            return make(reusing(np.empty, (like.shape, cnp.PyArray_DescrFromType(typenum))), like.device, None)
        a = cnp.PyArray_EMPTY(cnp.PyArray_NDIM(like._a), cnp.PyArray_DIMS(like._a), typenum, 0)
        return make(a, like.device, None)
    memory = allocate(like.device.index, nbytes)
    a = phantom(memory, cnp.PyArray_NDIM(like._a), cnp.PyArray_DIMS(like._a), typenum, False)
    return make(a, like.device, memory)


# ---- keys, values and orders
cdef int _check_element(ndarray x, value) except -1:
    """NumPy's error where a value has dimensions and is given to an element, named by numbers alone."""
    if isinstance(value, (ndarray, np.ndarray, list, tuple)):
        np.empty(1, x.dtype)[0] = np.zeros(value.shape, bool) if isinstance(value, (ndarray, np.ndarray)) else value


cdef int _assign(ndarray view, value) except -1:
    """view[...] = value."""
    if view._is_small_on_numpy():
        if type(value) is ndarray and (<ndarray>value).device is view.device:
            return cnp.PyArray_CopyObject(view._a, (<ndarray>value)._a)
        if isinstance(value, (int, float, complex)) or cnp.PyArray_CheckExact(value) or cnp.PyArray_CheckScalar(value):
            return cnp.PyArray_CopyObject(view._a, value)
    if isinstance(value, (list, tuple)):
        value = gs().asarray(value, view.dtype, device=view.device)
        if value.ndim > view.ndim:                      # unlike an array's, surplus dimensions of a list are refused
            raise ValueError("setting an array element with a sequence: the value has more dimensions than what it is assigned to")
    late("elementwise", "copyto")(view, value, casting="unsafe")


cdef bint _is_basic(key):
    if isinstance(key, tuple):
        for k in key:
            if not _is_basic_item(k):
                return False
        return True
    return _is_basic_item(key)


cdef bint _is_basic_item(k):
    # A boolean is an index array of its own kind.
    return k is None or k is Ellipsis or isinstance(k, (slice, int, np.integer)) and not isinstance(k, bool)


cdef object _open(key):
    # With an ellipsis NumPy returns a 0-d view for a full index instead of reading the element.
    if not isinstance(key, tuple):
        key = (key,)
    for k in key:
        if k is Ellipsis:
            return key
    return key + (Ellipsis,)
