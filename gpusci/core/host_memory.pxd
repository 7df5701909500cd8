cpdef bint is_large(size_t nbytes)
cpdef object reusing(function, tuple args, dict kwargs=*)
