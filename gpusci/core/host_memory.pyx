# cython: language_level=3
"""Large NumPy arrays in memory that earlier ones of ours have left: see host_memory.h.

NumPy asks the handler of the current context for the memory of new arrays, and each array gives its memory back to the handler
that it came from. Ours is the handler while a function of ours runs, and only then: arrays that users make are not touched, but
for those of their callbacks (np.pad's mode), which are none the worse.
"""

cimport numpy as cnp
from cpython.pycapsule cimport PyCapsule_New

cnp.import_array()

cdef extern from "gpusci/host_memory.h" namespace "gpusci" nogil:
    size_t LEAST "gpusci::HostMemory::LEAST"
    void c_give_back "gpusci::HostMemory::give_back"()

cdef extern from *:
    """
    static PyDataMem_Handler host_handler = {
        "gpusci", 1,
        {nullptr, gpusci::HostMemory::malloc, gpusci::HostMemory::calloc, gpusci::HostMemory::realloc, gpusci::HostMemory::free},
    };
    """
    void* handler_address "(&host_handler)"

cdef object _handler = PyCapsule_New(handler_address, "mem_handler", NULL)      # the name that NumPy looks for


cpdef bint is_large(size_t nbytes):
    """Whether an array of so many bytes should be made by `reusing`."""
    return nbytes >= LEAST


cpdef object reusing(function, tuple args, dict kwargs={}):
    """`function(*args, **kwargs)`, whose new arrays take memory that is kept."""
    before = cnp.PyDataMem_SetHandler(_handler)
    try:
        return function(*args, **kwargs)
    finally:
        cnp.PyDataMem_SetHandler(before)


def give_back():
    """Return the memory that is kept to the system now."""
    c_give_back()
