cimport numpy as cnp


cdef class ndarray:
    cdef readonly cnp.ndarray _a        # real on the host, a phantom on a GPU: see DESIGN.md section 1
    cdef readonly object device
    cdef readonly object owner          # the memory behind a phantom
    cdef object __weakref__

    cdef bint _is_small_on_numpy(self)


cdef ndarray make(cnp.ndarray a, object device, object owner)
cpdef ndarray wrap(cnp.ndarray view, ndarray like)
cpdef ndarray from_numpy(a)
cpdef ndarray new(shape, dtype, device, order=*)
# Same shape, C order, on the same device: what an element-wise operation writes to.
cdef ndarray new_like(ndarray like, int typenum)
