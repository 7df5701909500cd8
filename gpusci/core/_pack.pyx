# cython: language_level=3
"""Packing the Args struct of a kernel row: the Python values of one call as the bytes that C++ expects.

Every field is made of 8-byte words; see DESIGN.md section 2 for the kinds.
"""

cimport numpy as cnp
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, int64_t, uint64_t, uintptr_t

from gpusci.core._ndarray cimport data_of, ndarray

from gpusci.core.errors import register

cnp.import_array()

KINDS = ("ptr", "raw", "view", "i64", "f64", "c128", "i64s", "f64s", "err")

cdef enum:
    PTR, RAW, VIEW, I64, F64, C128, I64S, F64S, ERR
    MAX_WORDS = 512             # 4 KiB, what a kernel may be given

cdef union Word:
    uint64_t u
    int64_t i
    double d


cdef class Packer:
    """The fields of one row: their kinds and names."""

    def __init__(self, row, fields, errors):
        self.row, self.errors = row, errors
        self.kinds = [KINDS.index(field[0]) for field in fields]
        self.names = [field[1] if len(field) > 1 else field[0] for field in fields]

    cpdef tuple pack(self, tuple args):
        cdef Word words[MAX_WORDS]
        cdef int w = 0, field, kind, d, ndim, given = 0
        cdef int64_t n, s, span, itemsize
        cdef bint wide = False
        cdef ndarray x
        cdef cnp.npy_intp* shape
        cdef cnp.npy_intp* strides
        device = None
        for field in range(len(self.kinds)):
            kind = self.kinds[field]
            if w > MAX_WORDS - 140:
                raise ValueError(f"{self.row}: too many arguments for one kernel")
            if kind == ERR:
                if device is None:
                    device = self._first_device(args)
                words[w].u, words[w + 1].i = device.error_cell, register(self.errors)
                w += 2
                continue
            if given >= len(args):
                raise TypeError(f"{self.row}: argument {self.names[field]} is missing")
            value = args[given]
            given += 1
            if kind <= VIEW:
                if value is None:
                    words[w].u = 0
                    w += 1
                    continue
                if not isinstance(value, ndarray):
                    raise TypeError(f"{self.row}: argument {self.names[field]} must be a gpusci array, not {type(value).__name__}")
                x = value
                if device is None:
                    device = x.device
                elif x.device is not device:
                    raise ValueError(
                        f"{self.row}: arrays are on {device.name} and {x.device.name}; "
                        "bring them together with x.to_device(...)"
                    )
                if kind == PTR and not cnp.PyArray_IS_C_CONTIGUOUS(x._a):
                    raise ValueError(f"{self.row}: argument {self.names[field]} must be C-contiguous")
                wide |= cnp.PyArray_SIZE(x._a) > INT32_MAX
                words[w].u = <uint64_t><uintptr_t>data_of(x)
                w += 1
                if kind == PTR:
                    continue
                ndim, itemsize = cnp.PyArray_NDIM(x._a), cnp.PyArray_ITEMSIZE(x._a)
                shape, strides = cnp.PyArray_DIMS(x._a), cnp.PyArray_STRIDES(x._a)
                span = 0
                for d in range(ndim):
                    n, s = shape[d], strides[d] // itemsize
                    span += (n - 1) * (s if s >= 0 else -s)
                    if kind == VIEW:
                        words[w + d].i, words[w + ndim + d].i = n, s
                wide |= span > INT32_MAX
                if kind == RAW:
                    continue
                if ndim == 0:
                    words[w].i = words[w + 1].i = 0
                w += 2 * ndim if ndim else 2
            elif kind == I64:
                words[w].i = value
                w += 1
            elif kind == F64:
                words[w].d = value
                w += 1
            elif kind == C128:
                if w % 2:                               # complex<double> is aligned to its size
                    words[w].u = 0
                    w += 1
                words[w].d, words[w + 1].d = value.real, value.imag
                w += 2
            else:
                for item in value:
                    if w >= MAX_WORDS:
                        raise ValueError(f"{self.row}: too many arguments for one kernel")
                    if kind == I64S:
                        words[w].i = item
                    else:
                        words[w].d = item
                    w += 1
        if given != len(args):
            raise TypeError(f"{self.row}: {len(args)} arguments given, the row has {given}")
        if device is None:
            raise TypeError(f"{self.row}: no array among the arguments")
        return PyBytes_FromStringAndSize(<char*>words, 8 * w), wide, device

    def _first_device(self, args):
        for value in args:
            if isinstance(value, ndarray):
                return value.device
        raise TypeError(f"{self.row}: no array among the arguments")
