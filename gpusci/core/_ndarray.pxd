cimport numpy as cnp

from gpusci.core._launch cimport Memory


cdef class ndarray:
    cdef readonly cnp.ndarray _a        # real on the host, a phantom on a GPU: see DESIGN.md section 1
    cdef readonly object device
    cdef readonly object owner          # the memory behind a phantom
    cdef object __weakref__

    cdef bint _is_small_on_numpy(self)


# Address of the first element, for whoever may write there: what was known of the contents no longer holds.
cdef inline void* data_of(ndarray x) noexcept:
    if type(x.owner) is Memory and (<Memory>x.owner).known is not None:
        (<Memory>x.owner).known = None
    return cnp.PyArray_DATA(x._a)


cdef ndarray make(cnp.ndarray a, object device, object owner)
cpdef ndarray wrap(cnp.ndarray view, ndarray like)
cpdef ndarray from_numpy(a)
cpdef ndarray new(shape, dtype, device, order=*)
# Same shape, C order, on the same device: what an element-wise operation writes to.
cdef ndarray new_like(ndarray like, int typenum)
