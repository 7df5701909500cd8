# cython: language_level=3
"""The hot path of indexing with arrays: lay the operation out, pick the loaded function, launch.

A `Grid` is the shape of an indexing result with, for every dimension, how far a step moves in the indexed array and in each
index array. What the fields mean to the kernels stands in index_map.h; gather.py has the rows and the rest.
"""

cimport numpy as cnp
from libc.stdint cimport INT32_MAX, int64_t, uint64_t, uintptr_t
from libcpp.vector cimport vector

from gpusci.core._launch cimport Function
from gpusci.core._ndarray cimport data_of, ndarray, new

from gpusci.core import errors

cnp.import_array()

ctypedef vector[int64_t] Numbers


cdef class Grid:
    """An indexing operation on an array.

    x          the array, with its indexed axes at coordinate 0
    shape      of the result
    common     shape that the index arrays broadcast to; its dimensions stand at `place` of the result
    index      index arrays on x's device, all int32 or all int64
    """
    cdef readonly ndarray x
    cdef readonly tuple shape, common
    cdef readonly list index
    cdef readonly int place
    cdef Numbers stride             # bytes that x moves per dimension, 0 where only index arrays move
    cdef list istride               # per index array, elements per dimension
    cdef Numbers extent, step       # of the indexed axes: length, bytes

    @staticmethod
    def of_axes(ndarray x, axes, index, int place):
        """Index arrays that broadcast against each other choose on `axes` of x. Raises ValueError where they do not."""
        cdef Grid g = Grid.__new__(Grid)
        cdef int d, nd = cnp.PyArray_NDIM(x._a)
        cdef list slices = [d for d in range(nd) if d not in axes]
        g.x, g.place, g.index = x, place, same_width(index)
        g.common = broadcast(g.index)
        g.shape = (*[cnp.PyArray_DIM(x._a, d) for d in slices[:place]], *g.common,
                   *[cnp.PyArray_DIM(x._a, d) for d in slices[place:]])
        for d in slices[:place]:
            g.stride.push_back(cnp.PyArray_STRIDE(x._a, d))
        for d in range(len(g.common)):
            g.stride.push_back(0)
        for d in slices[place:]:
            g.stride.push_back(cnp.PyArray_STRIDE(x._a, d))
        g.istride = [spread(i, g.common, len(g.shape), place) for i in g.index]
        g.set_axes(axes)
        return g

    @staticmethod
    def along(ndarray x, shape, stride, ndarray index, int axis):
        """One index array of the result's shape (or one that broadcasts to it) chooses on `axis`, x itself moving too."""
        cdef Grid g = Grid.__new__(Grid)
        g.x, g.place, g.index, g.shape, g.common = x, 0, same_width([index]), tuple(shape), tuple(shape)
        for s in stride:
            g.stride.push_back(s)
        g.istride = [spread(g.index[0], g.shape, len(g.shape), 0)]
        g.set_axes((axis,))
        return g

    cdef set_axes(self, axes):
        for d in axes:
            self.extent.push_back(cnp.PyArray_DIM(self.x._a, d))
            self.step.push_back(cnp.PyArray_STRIDE(self.x._a, d))

    @property
    def extents(self):
        """Lengths of the indexed axes."""
        return list(self.extent)


cdef list same_width(index):
    cdef ndarray i
    cdef int number = cnp.NPY_INT32
    cdef list out = []
    for i in index:
        if cnp.PyArray_ITEMSIZE(i._a) > 4 or cnp.PyArray_TYPE(i._a) == cnp.NPY_UINT32:
            number = cnp.NPY_INT64
    for i in index:
        if not cnp.PyArray_EquivTypenums(cnp.PyArray_TYPE(i._a), number):
            i = i.astype("i4" if number == cnp.NPY_INT32 else "i8")
        out.append(i)
    return out


cdef tuple broadcast(list index):
    cdef ndarray i
    if len(index) == 1:
        i = index[0]
        return i.shape
    import numpy as np
    return np.broadcast_shapes(*[i.shape for i in index])


cdef list spread(ndarray i, tuple common, int total, int place):
    """Element strides of an index array over the result's dimensions."""
    cdef list out = [0] * total
    cdef int d, nd = cnp.PyArray_NDIM(i._a), first = place + len(common) - nd
    for d in range(nd):
        if cnp.PyArray_DIM(i._a, d) != 1:
            out[first + d] = cnp.PyArray_STRIDE(i._a, d) // cnp.PyArray_ITEMSIZE(i._a)
    return out


# ---- layouts: lengths, and for every dimension the strides of all operands
cdef class Layout:
    cdef Numbers n, s
    cdef int ops

    def __cinit__(self, int ops):
        self.ops = ops

    cdef int64_t at(self, size_t d, int op) noexcept:
        return self.s[d * self.ops + op]

    cdef void add(self, int64_t n, Numbers& strides) noexcept:
        """One more dimension, merged with the one before where every operand walks both as one."""
        cdef int op
        cdef size_t last = self.n.size()
        if n == 1:
            return
        if last:
            for op in range(self.ops):
                if self.at(last - 1, op) != strides[op] * n:
                    break
            else:
                self.n[last - 1] *= n
                for op in range(self.ops):
                    self.s[(last - 1) * self.ops + op] = strides[op]
                return
        self.n.push_back(n)
        for op in range(self.ops):
            self.s.push_back(strides[op])

    cdef int64_t widen(self, int64_t itemsize, int movers, int64_t others) noexcept:
        """Count in the widest words that the layout allows: bytes of a word.

        The first `movers` operands move data; their strides come in bytes and leave in words. others: gcd of further byte
        counts that a word must divide.
        """
        cdef size_t d, last = self.n.size()
        cdef int op
        cdef bint run = last > 0
        cdef int64_t nbytes = itemsize, word
        if run:
            for op in range(self.ops):
                run &= self.at(last - 1, op) == (itemsize if op < movers else 0)
        if run:                         # the last dimension is contiguous everywhere: it becomes part of the item
            nbytes *= self.n[last - 1]
            self.n.pop_back()
            self.s.resize(self.n.size() * self.ops)
            last -= 1
        word = gcd(gcd(16, nbytes), others)
        for d in range(last):
            for op in range(movers):
                word = gcd(word, self.at(d, op))
        for d in range(last):
            for op in range(movers):
                self.s[d * self.ops + op] //= word
        if nbytes > word or last == 0:
            self.n.push_back(nbytes // word)
            self.s.resize(self.n.size() * self.ops, 0)
            for op in range(movers):
                self.s[(self.n.size() - 1) * self.ops + op] = 1
        return word

    cdef int64_t items(self) noexcept:
        cdef int64_t total = 1
        for n in self.n:
            total *= n
        return total

    cdef void pack(self, Numbers& words, int op) noexcept:
        cdef size_t d
        for d in range(self.n.size()):
            words.push_back(self.at(d, op))


cdef int64_t gcd(int64_t a, int64_t b) noexcept:
    a, b = a if a >= 0 else -a, b if b >= 0 else -b
    while b:
        a, b = b, a % b
    return a


cdef int64_t alignment(Grid g) noexcept:
    """What words must divide beside the strides: x's address and its steps."""
    cdef int64_t found = gcd(16, <int64_t><uintptr_t>data_of(g.x))
    for s in g.step:
        found = gcd(found, s)
    return found


cdef pack_map(Numbers& words, Layout layout, int first, Grid g, int mode, int operation, sentences):
    """The IndexMap of index_map.h; `first` operand of the layout is index array 0."""
    cdef ndarray i
    cdef int k, count = len(g.index)
    for n in layout.n:
        words.push_back(n)
    for k in range(count):
        layout.pack(words, first + k)
    for i in g.index:
        words.push_back(<int64_t><uintptr_t>data_of(i))
    for n in g.extent:
        words.push_back(n)
    words.push_back(mode)
    words.push_back(operation)
    words.push_back(g.x.device.error_cell)
    words.push_back(errors.register(sentences))


cdef launch(row, tuple template, Grid g, int64_t n, Numbers& words):
    cdef bint wide = n > INT32_MAX or cnp.PyArray_SIZE(g.x._a) > INT32_MAX
    cdef Function function = row.function(g.x.device, template, wide)
    function.launch(n, &words[0])
    if function.ordinal < 0:
        errors.check(g.x.device)


cdef object width_of(Grid g):
    cdef ndarray i = g.index[0]
    return i.dtype


def run_gather(row, dict words_of, Grid g, ndarray out, int mode, int operation):
    """out = x[...]; out is contiguous and has elements. words_of: C++ name of a word of so many bytes."""
    cdef Layout layout = Layout(2 + len(g.index))
    cdef Numbers words, line
    cdef int d, k, nd = len(g.shape), count = len(g.index)
    cdef int64_t to, word, n
    line.resize(layout.ops)
    to = cnp.PyArray_NBYTES(out._a)
    for d in range(nd):
        n = g.shape[d]
        to //= n
        line[0], line[1] = g.stride[d], to
        for k in range(count):
            line[2 + k] = (<list>g.istride[k])[d]
        layout.add(n, line)
    word = layout.widen(cnp.PyArray_ITEMSIZE(g.x._a), 2, gcd(alignment(g), <int64_t><uintptr_t>data_of(out)))
    words.push_back(<int64_t><uintptr_t>data_of(g.x))
    words.push_back(<int64_t><uintptr_t>data_of(out))
    layout.pack(words, 0)
    for s in g.step:
        words.push_back(s // word)
    pack_map(words, layout, 2, g, mode, operation, row.errors)
    launch(row, (words_of[word], width_of(g), count, layout.n.size()), g, layout.items(), words)


def run_check(row, Grid g, int mode, int operation):
    """Only the check of the index arrays, for a result without elements."""
    cdef Numbers words
    cdef Layout layout = over_index(g)
    words.push_back(<int64_t><uintptr_t>data_of(g.x))
    pack_map(words, layout, 0, g, mode, operation, row.errors)
    launch(row, (width_of(g), len(g.index), layout.n.size()), g, layout.items(), words)


cdef Layout over_index(Grid g):
    """The dimensions of the index arrays alone."""
    cdef Layout layout = Layout(len(g.index))
    cdef Numbers line
    cdef int d, k
    line.resize(layout.ops)
    for d in range(len(g.common)):
        for k in range(layout.ops):
            line[k] = (<list>g.istride[k])[g.place + d]
        layout.add(g.common[d], line)
    if layout.n.empty():
        layout.n.push_back(1)
        layout.s.resize(layout.ops)
    return layout


cdef int64_t address(x) except? -1:
    """Of an array's first element; 0 for None."""
    if x is None:
        return 0
    return <int64_t><uintptr_t>data_of((<ndarray?>x))


cdef pack_claims(Numbers& words, claims):
    words.push_back(address(claims[0]))
    words.push_back(address(claims[1]))
    words.push_back(claims[2])


def run_claim(row, Grid g, lattice, claims, bint reset, int mode, int operation):
    """One pass of claims (winner, key, mask) over the combinations of the index arrays; see scatter.h."""
    cdef Numbers words
    cdef Layout layout = over_index(g)
    for n in lattice:
        words.push_back(n)
    pack_claims(words, claims)
    pack_map(words, layout, 0, g, mode, operation, row.errors)
    launch(row, (claims[0].dtype, width_of(g), len(g.index), layout.n.size(), reset), g, layout.items(), words)


def run_scatter(row, dict words_of, Grid g, value, bits, lattice, claims, position, int mode, int operation):
    """x[...] = value: an array whose shape broadcasts to the result's, or None and the `bits` of one number (16 bytes)."""
    cdef Layout layout = Layout(3 + len(g.index))
    cdef Numbers words, line, vstride, pstride
    cdef int d, k, nd = len(g.shape), count = len(g.index), common = len(g.common)
    cdef int64_t word, other = alignment(g), step = 1
    cdef ndarray v
    line.resize(layout.ops)
    vstride.resize(nd)
    pstride.resize(nd)
    for d in range(common - 1, -1, -1):
        pstride[g.place + d] = step
        step *= g.common[d]
    if value is not None:
        v = value
        k = nd - cnp.PyArray_NDIM(v._a)
        for d in range(k, nd):
            vstride[d] = cnp.PyArray_STRIDE(v._a, d - k) if cnp.PyArray_DIM(v._a, d - k) != 1 else 0
        other = gcd(other, <int64_t><uintptr_t>data_of(v))
    for d in range(nd):
        # A number's bits fill any word, so it moves as x does and imposes nothing.
        line[0], line[1], line[2] = g.stride[d], vstride[d] if value is not None else g.stride[d], pstride[d]
        for k in range(count):
            line[3 + k] = (<list>g.istride[k])[d]
        layout.add(g.shape[d], line)
    word = layout.widen(cnp.PyArray_ITEMSIZE(g.x._a), 2, other)
    words.push_back(<int64_t><uintptr_t>data_of(g.x))
    words.push_back(address(value))
    words.push_back(bits[0])
    words.push_back(bits[1])
    layout.pack(words, 0)
    for s in g.step:
        words.push_back(s // word)
    layout.pack(words, 1)
    layout.pack(words, 2)
    for n in lattice:
        words.push_back(n)
    pack_claims(words, claims)
    pack_map(words, layout, 3, g, mode, operation, row.errors)
    launch(row, (words_of[word], position, width_of(g), count, layout.n.size()), g, layout.items(), words)
