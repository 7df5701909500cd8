cdef class Packer:
    cdef str row
    cdef list names, kinds
    cdef tuple errors
    # (bytes, whether an array needs 64-bit indices, the arrays' device)
    cpdef tuple pack(self, tuple args)
