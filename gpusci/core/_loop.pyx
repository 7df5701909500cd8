# cython: language_level=3
"""Laying operands of element-wise kernels out: broadcasting, collapsing dimensions, choosing the loaded function, launching.

`Loop` is a functor on given dtypes on one device; it packs the Args of elementwise.h. No CUDA in here.
"""

cimport numpy as cnp
from libc.stdint cimport INT32_MAX, int64_t, uint64_t, uintptr_t
from libc.string cimport memcpy

from gpusci.core._launch cimport Function
from gpusci.core._ndarray cimport data_of, ndarray, new, wrap

import numpy as np

cnp.import_array()

cdef enum:
    MAX_WORDS = 510                 # kernel arguments: 4 KiB with the launch's own
    THREADS = 256                   # a block, as elementwise.h counts
    LEAST_UNTANGLED = 1 << 20       # elements of an input worth copying into the output's order


cdef class Loop:
    """A functor with its dtypes on one device; see elementwise.h for what they mean.

    itemsizes   of all operands in memory: inputs, outputs, then the mask (1) when `masked`
    vector      (V, U) where the last dimension is contiguous or broadcast; strided: U elsewhere
    load        load(V, U, rank, wide) -> Function
    errors      the row's errors, for functors that can fail
    """

    def __cinit__(self, int nin, int nout, itemsizes, device, load, vector, int strided, errors=()):
        cdef int i
        self.nin, self.nout, self.nop = nin, nout, len(itemsizes)
        if self.nop > MAX_OP:
            raise ValueError(f"an element-wise kernel takes at most {MAX_OP} arrays")
        for i in range(self.nop):
            self.itemsize[i] = itemsizes[i]
        self.device, self.on_host = device, device.kind == "host"
        self.V, self.U = vector
        self.strided_U = strided
        self.load, self.errors = load, tuple(errors)
        if self.errors:
            from gpusci.core.errors import register
            self.error_base = register(self.errors)
        self.functions = [None] * 32

    cdef int run(self, Layout* o) except -1:
        """Launch on laid-out operands (dimensions already tidied)."""
        cdef int k, d, r, slot, first = self.nin, last = o.ndim - 1
        cdef int64_t n = 1, span, units, w
        cdef int V = self.V, U = self.U
        cdef bint whole = True, wide
        for d in range(o.ndim):
            n *= o.shape[d]
        if n == 0:
            return 0
        if o.ndim == 0:
            o.ndim, last, o.shape[0] = 1, 0, 1
            for k in range(o.nop):
                o.stride[k][0] = 0 if k < self.nin else 1
        wide = n > INT32_MAX - 4096 * 16
        for k in range(o.nop):
            span = 0
            for d in range(o.ndim):
                span += (o.shape[d] - 1) * (o.stride[k][d] if o.stride[k][d] >= 0 else -o.stride[k][d])
            wide |= span > INT32_MAX
        if self.on_host:
            units = o.shape[last]
        else:
            for k in range(o.nop):
                w = o.stride[k][last]
                whole &= w == 1 or (w == 0 and not first <= k < first + self.nout) or o.data[k] == 0
            if not whole or (last > 0 and o.shape[last] < 2 * V):
                V, U = 1, self.strided_U
            units = self.units_of_row(o, V)
            n = units
            for d in range(last):
                n *= o.shape[d]
        r = 0                               # ranks compiled: 1 2 3 4 8 16 32 64
        while rank_class(r) < o.ndim:
            r += 1
        slot = r * 4 + (V == 1) * 2 + wide
        function = self.functions[slot]
        if function is None:
            vector = (self.V, self.U) if self.on_host else (V, U)
            function = self.functions[slot] = self.load(*vector, rank_class(r), wide)
        self.pack_and_launch(<Function>function, o, rank_class(r), units, n, n if self.on_host else
                             (n + THREADS * U - 1) // (THREADS * U) * THREADS)
        return 0

    cdef int64_t units_of_row(self, Layout* o, int V):
        # Vectors that cover a row: a row's first one starts where the output is aligned (Place in elementwise.h).
        cdef int d, last = o.ndim - 1, out = self.nin
        cdef int64_t length = o.shape[last], shift
        if V == 1:
            return length
        shift = <int64_t>(o.data[out] // self.itemsize[out] % V)
        for d in range(last):
            if o.stride[out][d] % V:
                shift = V - 1                                   # differs from row to row
        return (length + shift + V - 1) // V

    cdef int pack_and_launch(self, Function function, Layout* o, int rank, int64_t units, int64_t n, int64_t items) except -1:
        cdef uint64_t words[MAX_WORDS]
        cdef int w = 0, k, d, pad = rank - o.ndim
        if (rank + 3) * o.nop + rank + 4 > MAX_WORDS:
            raise ValueError("too many dimensions for one element-wise kernel; work on parts of the arrays")
        if self.errors:
            words[0], words[1] = self.device.error_cell, self.error_base
            w = 2
        for d in range(rank):
            words[w + d] = 1 if d < pad else o.shape[d - pad]
        w += rank
        words[w], words[w + 1] = units, n
        w += 2
        for k in range(o.nop):
            words[w] = o.data[k]
            for d in range(rank):
                words[w + 1 + d] = 0 if d < pad else o.stride[k][d - pad]
            w += 1 + rank
            words[w], words[w + 1] = o.value[k][0], o.value[k][1]
            w += 2
        function.launch(items, words)
        if self.errors and self.on_host:
            from gpusci.core.errors import check
            check(self.device)
        return 0

    def __call__(self, operands):
        """Launch. operands: inputs (arrays of one shape or broadcast, or `Scalar`), outputs (full shape), mask."""
        cdef Layout o
        cdef ndarray out = operands[self.nin]
        cdef list held = []                 # copies must outlive the launch: their memory is freed in the stream's order
        cdef int k
        o.nop, o.ndim = self.nop, cnp.PyArray_NDIM(out._a)
        for k in range(o.ndim):
            o.shape[k] = cnp.PyArray_DIMS(out._a)[k]
        for k in range(self.nop):
            operand = operands[k]
            if not self.on_host and k < self.nin:
                operand = untangled(operand, out)
                held.append(operand)
            self.lay(&o, k, operand)
        tidy(&o, self.nin, self.itemsize)
        self.run(&o)

    cdef int lay(self, Layout* o, int k, object operand) except -1:
        cdef ndarray x
        cdef int d, pad
        cdef cnp.npy_intp* shape
        cdef cnp.npy_intp* strides
        if type(operand) is Scalar:
            o.data[k] = 0
            o.value[k][0], o.value[k][1] = (<Scalar>operand).words[0], (<Scalar>operand).words[1]
            for d in range(o.ndim):
                o.stride[k][d] = 0
            return 0
        x = operand
        shape, strides = cnp.PyArray_DIMS(x._a), cnp.PyArray_STRIDES(x._a)
        o.data[k] = <uint64_t><uintptr_t>data_of(x)
        pad = o.ndim - cnp.PyArray_NDIM(x._a)
        for d in range(o.ndim):
            o.stride[k][d] = 0 if d < pad or shape[d - pad] == 1 else strides[d - pad] // self.itemsize[k]
        return 0


cdef object untangled(x, ndarray out):
    """A large input that runs across the output's rows, copied to run along them: two tiled passes beat scattered reads."""
    cdef cnp.ndarray a
    cdef int d, last
    if type(x) is not ndarray:
        return x
    a = (<ndarray>x)._a
    last = cnp.PyArray_NDIM(a) - 1
    if cnp.PyArray_SIZE(a) < LEAST_UNTANGLED or cnp.PyArray_IS_C_CONTIGUOUS(a) or not cnp.PyArray_IS_C_CONTIGUOUS(out._a) \
            or cnp.PyArray_DIMS(a)[last] < 16 or 0 <= cnp.PyArray_STRIDES(a)[last] <= cnp.PyArray_ITEMSIZE(a):
        return x
    for d in range(last):
        if cnp.PyArray_DIMS(a)[d] >= 16 and cnp.PyArray_STRIDES(a)[d] == cnp.PyArray_ITEMSIZE(a):
            return x.copy()
    return x


cdef inline int rank_class(int r) noexcept:
    return r + 1 if r < 4 else 1 << (r - 1)


cdef class Scalar:
    """An element that travels as a kernel argument."""

    def __cinit__(self, element):
        """element: a NumPy scalar or 0-d array of the dtype that the kernel expects."""
        cdef cnp.ndarray a = np.asarray(element)
        self.words[0] = self.words[1] = 0
        memcpy(self.words, cnp.PyArray_DATA(a), cnp.PyArray_ITEMSIZE(a))


cdef void tidy(Layout* o, int out, int* itemsize) noexcept:
    """Drop dimensions of length 1, order them by the output's strides, walk the output upwards, merge neighbours."""
    cdef int d, e, k, kept = 0
    cdef int64_t n, s
    for d in range(o.ndim):
        n = o.shape[d]
        if n == 1:
            continue
        if o.stride[out][d] < 0:
            for k in range(o.nop):
                o.data[k] += <uint64_t>((n - 1) * o.stride[k][d] * itemsize[k])
                o.stride[k][d] = -o.stride[k][d]
        # Insertion: slowest output stride first.
        s = o.stride[out][d]
        e = kept
        while e > 0 and o.stride[out][e - 1] < s:
            e -= 1
        move(o, d, e, kept)
        kept += 1
    o.ndim = kept
    kept = 0
    for d in range(1, o.ndim):
        for k in range(o.nop):
            if o.stride[k][kept] != o.stride[k][d] * o.shape[d]:
                break
        else:
            o.shape[kept] *= o.shape[d]
            for k in range(o.nop):
                o.stride[k][kept] = o.stride[k][d]
            continue
        kept += 1
        o.shape[kept] = o.shape[d]
        for k in range(o.nop):
            o.stride[k][kept] = o.stride[k][d]
    if o.ndim:
        o.ndim = kept + 1


cdef void move(Layout* o, int source, int target, int kept) noexcept:
    # Put dimension `source` at `target`, shifting [target, kept) up by one. source >= kept.
    cdef int64_t n = o.shape[source], s
    cdef int d, k
    for d in range(kept, target, -1):
        o.shape[d] = o.shape[d - 1]
    o.shape[target] = n
    for k in range(o.nop):
        s = o.stride[k][source]
        for d in range(kept, target, -1):
            o.stride[k][d] = o.stride[k][d - 1]
        o.stride[k][target] = s


def collapse(ndarray dst, ndarray src):
    """Shape and element strides of dst and of src broadcast into it, merged and ordered as for a launch.

    Empty where dst has a negative stride: the walk would then start at another element.
    """
    cdef Layout o
    cdef Loop loop = Loop(1, 1, (cnp.PyArray_ITEMSIZE(src._a), cnp.PyArray_ITEMSIZE(dst._a)), dst.device, None, (1, 1), 1)
    cdef int d
    o.nop, o.ndim = 2, cnp.PyArray_NDIM(dst._a)
    for d in range(o.ndim):
        o.shape[d] = cnp.PyArray_DIMS(dst._a)[d]
    loop.lay(&o, 0, src)
    loop.lay(&o, 1, dst)
    tidy(&o, 1, loop.itemsize)
    if o.data[1] != <uint64_t><uintptr_t>data_of(dst):
        return [], [], []
    return [o.shape[d] for d in range(o.ndim)], [o.stride[1][d] for d in range(o.ndim)], [o.stride[0][d] for d in range(o.ndim)]


# ---- shapes of results
cpdef tuple broadcast_shape(operands):
    """NumPy's broadcast shape of arrays (others are scalars). Raises ValueError in NumPy's words."""
    cdef cnp.npy_intp shape[MAX_DIM]
    cdef int ndim = 0, d, n
    cdef cnp.npy_intp m
    cdef ndarray x
    for operand in operands:
        if type(operand) is not ndarray:
            continue
        x = operand
        n = cnp.PyArray_NDIM(x._a)
        if n > ndim:
            for d in range(ndim - 1, -1, -1):
                shape[d + n - ndim] = shape[d]
            for d in range(n - ndim):
                shape[d] = 1
            ndim = n
        for d in range(n):
            m = cnp.PyArray_DIMS(x._a)[d]
            if shape[d + ndim - n] == 1:
                shape[d + ndim - n] = m
            elif m != 1 and m != shape[d + ndim - n]:
                shapes = " ".join([str(y.shape).replace(" ", "") for y in operands if type(y) is ndarray])
                raise ValueError(f"operands could not be broadcast together with shapes {shapes} ")
    return tuple([shape[d] for d in range(ndim)])


cpdef ndarray new_output(shape, dtype, device, inputs, order):
    """An output of NumPy's memory layout: 'C', 'F', or 'K' as the inputs of full rank lie (A: F if all are Fortran)."""
    cdef ndarray x, out
    cdef list arrays = [y for y in inputs if type(y) is ndarray and y.ndim > 1]
    if order == "A":
        order = "F" if arrays and all([y.flags.fnc for y in arrays]) else "C"
    if order != "K" or not arrays or all([cnp.PyArray_IS_C_CONTIGUOUS((<ndarray>y)._a) for y in arrays]):
        return new(shape, dtype, device, "F" if order == "F" else "C")
    axes = axis_order(len(shape), arrays)
    out = new(tuple([shape[d] for d in axes]), dtype, device)
    back = [0] * len(shape)
    for d, axis in enumerate(axes):
        back[axis] = d
    return wrap((<object>out._a).transpose(back), out)


cdef list axis_order(int ndim, list arrays):
    # Slowest first. An axis moves before another when some array has a larger stride there and none says otherwise
    # (the first array to say something decides), as NumPy's iterator sorts.
    cdef list axes = list(range(ndim))
    cdef int i, j, place
    for i in range(1, ndim):
        place = i
        for j in range(i - 1, -1, -1):
            c = compare_axes(axes[j], axes[i], ndim, arrays)
            if c < 0:
                place = j
            elif c > 0:
                break
        axes.insert(place, axes.pop(i))
    return axes


cdef int compare_axes(int a, int b, int ndim, list arrays):
    # > 0: a is the slower one (right order), < 0: b is, 0: nothing tells them apart.
    cdef ndarray x
    cdef int result = 0, p, q, pad
    cdef cnp.npy_intp s, t
    for y in arrays:
        x = y
        pad = ndim - cnp.PyArray_NDIM(x._a)
        p, q = a - pad, b - pad
        if p < 0 or q < 0 or cnp.PyArray_DIMS(x._a)[p] == 1 or cnp.PyArray_DIMS(x._a)[q] == 1:
            continue
        s, t = cnp.PyArray_STRIDES(x._a)[p], cnp.PyArray_STRIDES(x._a)[q]
        s, t = (s if s >= 0 else -s), (t if t >= 0 else -t)
        if s == 0 or t == 0:
            continue
        if t <= s:
            return 1
        result = -1
    return result
