from libc.stdint cimport int64_t, uint64_t, uintptr_t


cdef class Function:
    cdef readonly uintptr_t handle      # CUfunction, or the address of the host entry
    cdef readonly int ordinal           # GPU number, -1 for the host
    cdef readonly int threads           # per block
    cdef readonly int64_t grain         # least work items that a host thread is woken for
    cdef object owner                   # keeps the module loaded
    # n work items (at-form) or, with `blocks`, n thread blocks. args: the Args struct.
    cdef int launch(self, int64_t n, const void* args) except -1
    cdef int launch_by(self, int64_t n, const void* args, int64_t grain) except -1
    cdef int _start(self, int64_t blocks, int64_t n, const void* args, unsigned int shared) except -1
    cdef int launch_blocks(self, int64_t blocks, const void* args, unsigned int shared) except -1


cdef class Memory:
    cdef readonly uint64_t ptr
    cdef readonly size_t nbytes
    cdef readonly int ordinal
    cdef void* stream
    cdef object stream_owner
    cdef object known                   # bytes that were uploaded, while nothing but the host has had the address; else None


cpdef Memory allocate(int ordinal, size_t nbytes)
