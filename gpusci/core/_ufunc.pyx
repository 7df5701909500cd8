# cython: language_level=3
"""The hot path of ufuncs: `UfuncBase` answers a plain call `f(a, b)` from a plan found by the operands' type numbers.

Everything else it leaves to `ufunc.py`.
"""

cimport numpy as cnp
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy

from gpusci.core._loop cimport MAX_OP, Layout, Loop, broadcast_shape, new_output, tidy, untangled
from gpusci.core._ndarray cimport data_of, from_numpy, ndarray, new_like

import numpy as np

from gpusci.core._dtypes import DTYPES

cnp.import_array()

cdef extern from *:
    """
    // An int of Python as a C integer without raising: returns 0 when it does not fit.
    static inline int fits_int64(PyObject* x, int64_t* value) {
        int overflow = 0;
        *value = PyLong_AsLongLongAndOverflow(x, &overflow);
        return !overflow;
    }
    """
    bint fits_int64(object x, int64_t* value)
    object PyObject_Vectorcall(object callable, PyObject** args, size_t count, PyObject* names)

# Codes of operands: NumPy's type number of an array, weak Python numbers beside them, SCALAR + number for NumPy's scalars.
cdef enum:
    INT = 28
    FLOAT = 29
    COMPLEX = 30
    SCALAR = 32

cdef int INT64 = DTYPES["q"].num, UINT64 = DTYPES["Q"].num
HOST_SPLIT = 1 << 17        # elements from which NumPy's loops are worth a second thread
SCALAR_CODE = SCALAR        # for ufunc.py
TYPES = {INT: int, FLOAT: float, COMPLEX: complex} | {d.num: d for d in DTYPES.values()}


# ---- the plain call
cdef class Plan:
    """What a plain call on given dtypes does on one device."""
    cdef public Loop loop
    cdef public object dtypes           # of the loop, inputs then outputs
    cdef int typenum[MAX_OP]

    def __init__(self, loop, dtypes):
        self.loop, self.dtypes = loop, tuple(dtypes)
        for i, dtype in enumerate(dtypes):
            self.typenum[i] = dtype.num


cdef class UfuncBase:
    """`__call__` of a ufunc: a plan for plain calls on arrays and Python numbers, else the subclass's `call`.

    The subclass gives `call(args, kwargs)` and `plan(codes, device)`.
    """
    cdef readonly int nin, nout
    cdef object numpy_ufunc             # NumPy's own, for devices that use NumPy
    cdef object device                  # of the last call, with its plans
    cdef bint may_use_numpy
    cdef dict plans, plans_by_device

    def __init__(self, int nin, int nout, numpy_ufunc=None):
        self.nin, self.nout, self.numpy_ufunc = nin, nout, numpy_ufunc
        self.plans_by_device = {}

    def __call__(self, *args, **kwargs):
        if len(args) == self.nin:
            out = None
            if kwargs:
                out = kwargs["out"] if len(kwargs) == 1 and self.nout == 1 and "out" in kwargs else NotImplemented
            if out is None or type(out) is ndarray:
                result = self.fast(args, out)
                if result is not NotImplemented:
                    return result
        return self.call(args, kwargs)

    cdef object fast(self, tuple args, out):
        """The result, or NotImplemented for what the general call must sort out. out: an array or None."""
        cdef ndarray x, first = None
        cdef int64_t key = 0
        cdef int i, code
        if self.nin > 8:                # the key has 6 bits for each
            return NotImplemented
        for i in range(self.nin):
            item = args[i]
            if type(item) is ndarray:
                x = item
                if first is None:
                    first = x
                elif x.device is not first.device:
                    return NotImplemented
                code = cnp.PyArray_TYPE(x._a)
            elif type(item) is float:
                code = FLOAT
            elif type(item) is int:
                code = INT
            elif type(item) is complex:
                code = COMPLEX
            elif cnp.PyArray_CheckScalar(item):
                code = scalar_code(item)
                if code < 0:
                    return NotImplemented
            else:
                return NotImplemented
            key = key * 64 + code
        if first is None or (out is not None and (<ndarray>out).device is not first.device):
            return NotImplemented
        if first.device is not self.device:
            self.switch_device(first.device)
        if self.may_use_numpy and self.device.uses_numpy:
            return self.on_numpy(args, out)
        plan = self.plans.get(key)
        if plan is None:
            plan = self.plans[key] = self.plan(codes_of(key, self.nin), first.device)
        return self.start(<Plan>plan, args, first, out)

    cdef switch_device(self, device):
        self.plans = self.plans_by_device.setdefault(device, {})
        self.device, self.may_use_numpy = device, device.kind == "host" and self.numpy_ufunc is not None

    cdef object on_numpy(self, tuple args, out):
        cdef PyObject* items[MAX_OP]            # borrowed: NumPy takes references of its own
        cdef int n = 0
        for item in args:
            if type(item) is ndarray:
                if cnp.PyArray_SIZE((<ndarray>item)._a) >= HOST_SPLIT:
                    return NotImplemented                       # perhaps worth several threads
                items[n] = <PyObject*>(<ndarray>item)._a
            else:
                items[n] = <PyObject*>item
            n += 1
        if out is not None:
            items[n] = <PyObject*>(<ndarray>out)._a
            n += 1
        result = PyObject_Vectorcall(self.numpy_ufunc, items, n, NULL)
        if out is not None:
            return out
        if self.nout == 1:
            return from_numpy(result)
        return tuple([from_numpy(y) for y in result])

    cdef object start(self, Plan plan, tuple args, ndarray first, out):
        cdef Layout o
        cdef Loop loop = plan.loop
        cdef ndarray x, y, z
        cdef int i
        cdef bint flat = cnp.PyArray_IS_C_CONTIGUOUS(first._a)
        o.nop = loop.nop
        for i in range(self.nin):
            item = args[i]
            if type(item) is ndarray:
                x = item
                flat = flat and (x is first or same_shape(x._a, first._a))
                o.data[i], o.stride[i][0] = <uint64_t><uintptr_t>data_of(x), 1
            else:
                o.data[i], o.stride[i][0] = 0, 0
                if not put_scalar(item, plan.typenum[i], o.value[i]):
                    return NotImplemented
        o.ndim, o.shape[0] = 1, cnp.PyArray_SIZE(first._a)
        if out is not None:
            y = out
            if not (flat and fits_flat(y._a, first._a, plan.typenum[self.nin], &o, self.nin, loop.itemsize)):
                return NotImplemented
        elif not flat or self.nout > 2:
            return self.start_general(plan, args, first, &o)
        else:
            y = new_like(first, plan.typenum[self.nin])
        o.data[self.nin], o.stride[self.nin][0] = <uint64_t><uintptr_t>data_of(y), 1
        if self.nout == 2:
            z = new_like(first, plan.typenum[self.nin + 1])
            o.data[self.nin + 1], o.stride[self.nin + 1][0] = <uint64_t><uintptr_t>data_of(z), 1
        loop.run(&o)
        return y if self.nout == 1 else (y, z)

    cdef object start_general(self, Plan plan, tuple args, ndarray first, Layout* o):
        cdef Loop loop = plan.loop
        cdef int i, d
        cdef tuple shape = broadcast_shape(args)
        cdef list held = []
        cdef list outs = [new_output(shape, plan.dtypes[self.nin + i], first.device, args, "K") for i in range(self.nout)]
        o.ndim = len(shape)
        for i in range(o.ndim):
            o.shape[i] = shape[i]
        for i in range(self.nin):
            if o.data[i]:
                operand = args[i]
                if not loop.on_host:
                    operand = untangled(operand, outs[0])
                    held.append(operand)
                loop.lay(o, i, operand)
            else:
                for d in range(o.ndim):
                    o.stride[i][d] = 0
        for i in range(self.nout):
            loop.lay(o, self.nin + i, outs[i])
        tidy(o, self.nin, loop.itemsize)
        loop.run(o)
        return outs[0] if self.nout == 1 else tuple(outs)


cdef bint fits_flat(cnp.ndarray y, cnp.ndarray first, int typenum, Layout* o, int nin, int* itemsize):
    """Whether y can take a flat result: the loop's dtype, the same shape, and no input it would overwrite too early."""
    cdef uint64_t begin = <uint64_t>cnp.PyArray_DATA(y), end = begin + <uint64_t>cnp.PyArray_NBYTES(y)
    cdef int i
    if cnp.PyArray_TYPE(y) != typenum or not same_shape(y, first) or not cnp.PyArray_ISWRITEABLE(y):
        return False
    for i in range(nin):
        if o.data[i] and not (o.data[i] == begin and itemsize[i] == itemsize[nin]) \
                and o.data[i] < end and begin < o.data[i] + <uint64_t>(o.shape[0] * itemsize[i]):
            return False
    return True


cdef tuple codes_of(int64_t key, int n):
    return tuple([(key >> (6 * (n - 1 - i))) & 63 for i in range(n)])


cdef int scalar_code(item) except -2:
    """Code of a NumPy scalar or 0-d array, -1 for a dtype that must be converted first."""
    cdef cnp.ndarray a = np.asarray(item)
    cdef int t = cnp.PyArray_TYPE(a)
    known = TYPES.get(t)
    return SCALAR + t if known is not None and known == a.dtype and cnp.PyArray_ISNOTSWAPPED(a) else -1


cdef inline bint same_shape(cnp.ndarray a, cnp.ndarray b):
    cdef int d, n = cnp.PyArray_NDIM(a)
    if n != cnp.PyArray_NDIM(b) or not cnp.PyArray_IS_C_CONTIGUOUS(a):
        return False
    for d in range(n):
        if cnp.PyArray_DIMS(a)[d] != cnp.PyArray_DIMS(b)[d]:
            return False
    return True


cdef bint put_scalar(item, int typenum, uint64_t* words) except -1:
    """A number as an element; False where the general call must convert it (or raise)."""
    cdef int64_t v
    cdef double x
    cdef float f
    cdef cnp.ndarray a
    words[0] = words[1] = 0
    if cnp.PyArray_CheckScalar(item):
        a = np.asarray(item)
        if cnp.PyArray_TYPE(a) != typenum:
            a = a.astype(TYPES[typenum])
        memcpy(words, cnp.PyArray_DATA(a), cnp.PyArray_ITEMSIZE(a))
        return True
    if type(item) is float or (type(item) is int and (typenum == cnp.NPY_DOUBLE or typenum == cnp.NPY_FLOAT)):
        if type(item) is float:
            x = PyFloat_AS_DOUBLE(item)
        else:
            if not fits_int64(item, &v) or v > 1 << 53 or v < -(1 << 53):
                return False
            x = <double>v
        if typenum == cnp.NPY_DOUBLE or typenum == cnp.NPY_CDOUBLE:
            memcpy(words, &x, 8)
        elif typenum == cnp.NPY_FLOAT or typenum == cnp.NPY_CFLOAT:
            f = <float>x
            memcpy(words, &f, 4)
        else:
            return False
        return True
    if type(item) is int and fits_int64(item, &v):
        if typenum == INT64 or (typenum == cnp.NPY_INT and v == <int32_t>v) \
                or (typenum == cnp.NPY_SHORT and v == <int16_t>v) or (typenum == cnp.NPY_BYTE and v == <int8_t>v) \
                or (typenum == cnp.NPY_UBYTE and v == <uint8_t>v) or (typenum == cnp.NPY_USHORT and v == <uint16_t>v) \
                or (typenum == cnp.NPY_UINT and v == <uint32_t>v) or (typenum == UINT64 and v >= 0):
            words[0] = <uint64_t>v                 # little endian: the low bytes are the element
            return True
    return False
