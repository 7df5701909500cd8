cimport numpy as cnp
from libc.stdint cimport int64_t, uint64_t

from gpusci.core._launch cimport Function
from gpusci.core._ndarray cimport ndarray

cdef enum:
    MAX_DIM = 64            # NumPy's
    MAX_OP = 16

# Operands before packing: strides in elements; without data an operand is a scalar.
cdef struct Layout:
    int nop
    int ndim
    int64_t shape[MAX_DIM]
    int64_t stride[MAX_OP][MAX_DIM]
    uint64_t data[MAX_OP]
    uint64_t value[MAX_OP][2]


cdef class Loop:
    cdef readonly int nin, nout, nop
    cdef readonly object device
    cdef bint on_host
    cdef int itemsize[MAX_OP]
    cdef int V, U, strided_U
    cdef object load
    cdef tuple errors
    cdef int64_t error_base
    cdef list functions
    # Launch on laid-out operands (dimensions already tidied).
    cdef int run(self, Layout* o) except -1
    cdef int lay(self, Layout* o, int k, object operand) except -1
    cdef int64_t units_of_row(self, Layout* o, int V)
    cdef int pack_and_launch(self, Function function, Layout* o, int rank, int64_t units, int64_t n, int64_t items) except -1


cdef class Scalar:
    cdef uint64_t words[2]


cdef void tidy(Layout* o, int out, int* itemsize) noexcept
cdef object untangled(x, ndarray out)
cpdef tuple broadcast_shape(operands)
cpdef ndarray new_output(shape, dtype, device, inputs, order)
