# cython: language_level=3
"""Launching and allocating: the hot path below every kernel call.

`Function` starts compiled code on its device; `Memory` is a stream-ordered block of GPU memory. The driver's entry
points are function pointers that `cuda.py` looks up at run time, so this module links no CUDA library.
"""

from libc.stdint cimport int64_t, uint64_t, uintptr_t

import weakref

cdef extern from "gpusci/pool.h" namespace "gpusci" nogil:
    ctypedef void (*host_entry)(int64_t, int64_t, const void*) noexcept nogil
    cdef cppclass Pool:
        @staticmethod
        Pool& get()
        int threads()
        void run(int64_t, int64_t, host_entry, const void*) noexcept
    void* current_stream
    struct Driver:
        int (*alloc)(uint64_t*, size_t, void*, void*) noexcept nogil
        int (*free_)(uint64_t, void*) noexcept nogil
        int (*ctx_get)(void**) noexcept nogil
        int (*ctx_set)(void*) noexcept nogil
        int (*copy)(uint64_t, uint64_t, size_t, void*) noexcept nogil
        int (*sync)(void*) noexcept nogil
    Driver driver
    int make_current(void*, void**) noexcept nogil
    int start(void*, const unsigned (&)[3], const unsigned (&)[3], unsigned, void**, bint) noexcept nogil

cdef extern from "gpusci/staging.h" namespace "gpusci" nogil:
    cdef cppclass Staging:
        int upload(uint64_t, uint64_t, size_t, void*) noexcept
        int download(uint64_t, uint64_t, size_t, void*) noexcept
        void release() noexcept

cdef enum:
    MAX_GPUS = 64
cdef void* contexts[MAX_GPUS]
cdef void* pools[MAX_GPUS]
cdef size_t used[MAX_GPUS]          # bytes handed out, for the limit and for messages
cdef size_t limits[MAX_GPUS]        # 0 = none
cdef bint early[MAX_GPUS]           # whether kernels start while the one before them ends
cdef Staging staging[MAX_GPUS]
# Small blocks freed on the legacy default stream wait here for the next request of their size: a pop costs nothing, the
# driver's alloc and free 1.4 us. Order is kept, since the same stream that freed a block uses it again.
cdef enum:
    UNIT = 512                  # the driver's granularity
    CLASSES = 64                # up to 32 KiB
    KEPT = 16                   # blocks of a class: at most 16 MiB in all
cdef struct Shelf:
    int count
    uint64_t ptr[KEPT]
cdef Shelf shelves[MAX_GPUS][CLASSES + 1]

_streams = weakref.WeakValueDictionary()    # handle -> Stream, so that a block keeps its stream alive
_on_pressure = None                 # cuda.py: called with (ordinal, nbytes) when the pool cannot serve a request


def set_driver(*addresses):
    """Store the driver's entry points (addresses from cuGetProcAddress), in the order of the struct Driver."""
    cdef uintptr_t* fields = <uintptr_t*>&driver
    if len(addresses) * sizeof(uintptr_t) > sizeof(driver):
        raise ValueError("there are more addresses than the struct Driver has fields")
    for i, address in enumerate(addresses):
        fields[i] = address


def set_gpu(int ordinal, uintptr_t context, uintptr_t pool, size_t limit, on_pressure, bint starts_early=False):
    """Register a GPU's primary context and memory pool. starts_early: it knows programmatic dependent launch."""
    global _on_pressure
    if not 0 <= ordinal < MAX_GPUS:
        raise ValueError(f"GPU number {ordinal} is beyond the supported {MAX_GPUS}")
    contexts[ordinal], pools[ordinal], limits[ordinal] = <void*>context, <void*>pool, limit
    _on_pressure, early[ordinal] = on_pressure, starts_early


cdef enum:
    NOT_INITIALIZED = 3         # a CUresult


cdef int no_context(void** context) noexcept nogil:
    context[0] = NULL
    return NOT_INITIALIZED


cdef int no_change(void* context) noexcept nogil:
    return NOT_INITIALIZED


def abandon():
    """Let every use of a GPU fail before it reaches the driver: for the child of a process that used one. Blocks are not freed there."""
    driver.ctx_get, driver.ctx_set = no_context, no_change


def memory_used(int ordinal):
    """Bytes held by arrays on a GPU."""
    return used[ordinal]


def release_kept(int ordinal):
    """Give the small blocks that wait for reuse back to the pool, the buffers of large copies to the driver."""
    cdef int k
    cdef void* before = NULL
    cdef Shelf* shelf
    if enter(ordinal, &before) == 0:
        for k in range(CLASSES + 1):
            shelf = &shelves[ordinal][k]
            while shelf.count:
                shelf.count -= 1
                driver.free_(shelf.ptr[shelf.count], NULL)
        with nogil:
            staging[ordinal].release()
    leave(ordinal, before)


def set_stream(uintptr_t handle, stream=None):
    """Make a stream current in this thread; returns the previous handle."""
    global current_stream
    cdef uintptr_t before = <uintptr_t>current_stream
    if stream is not None:
        _streams[handle] = stream
    current_stream = <void*>handle
    return before


def get_stream():
    """Handle of this thread's current stream (0: the legacy default stream)."""
    return <uintptr_t>current_stream


def thread_count():
    """Threads of the host pool."""
    return Pool.get().threads()


cdef inline int enter(int ordinal, void** before) noexcept nogil:
    """Make the GPU's context current; `before` is what leave() must restore."""
    return make_current(contexts[ordinal], before)


cdef inline void leave(int ordinal, void* before) noexcept nogil:
    # A thread that had no context keeps ours; another library's choice of device is put back.
    if before != NULL and before != contexts[ordinal]:
        driver.ctx_set(before)


cdef class Function:
    """Compiled code loaded on one device."""

    def __cinit__(self, uintptr_t handle, int ordinal, owner, int threads=256, int64_t grain=4096):
        self.handle, self.ordinal, self.owner, self.threads, self.grain = handle, ordinal, owner, threads, grain

    cdef int launch(self, int64_t n, const void* args) except -1:
        return self.launch_by(n, args, self.grain)

    cdef int launch_by(self, int64_t n, const void* args, int64_t grain) except -1:
        if n <= 0:
            return 0
        if self.ordinal < 0:
            with nogil:
                Pool.get().run(n, grain, <host_entry>self.handle, args)
            return 0
        cdef int64_t blocks = (n + self.threads - 1) // self.threads
        return self._start(blocks, n, args, 0)

    cdef int launch_blocks(self, int64_t blocks, const void* args, unsigned int shared) except -1:
        if blocks <= 0:
            return 0
        return self._start(blocks, blocks, args, shared)

    cdef int _start(self, int64_t blocks, int64_t n, const void* args, unsigned int shared) except -1:
        cdef void* params[2]
        cdef unsigned grid[3]
        cdef unsigned block[3]
        cdef void* before = NULL
        cdef int err
        if blocks > 0x7fffffff:
            blocks = 0x7fffffff                 # the entry strides over the rest
        params[0], params[1] = <void*>args, &n
        grid[0], grid[1], grid[2], block[0], block[1], block[2] = <unsigned>blocks, 1, 1, self.threads, 1, 1
        err = enter(self.ordinal, &before)
        if err == 0:
            err = start(<void*>self.handle, grid, block, shared, params, early[self.ordinal])
        leave(self.ordinal, before)
        if err:
            raise_driver_error(err, "launch")
        return 0

    def start(self, int64_t n, bytes args, int64_t grain=0):
        """Launch n work items with the Args struct as bytes. grain: instead of the function's own."""
        self.launch_by(n, <const char*>args, grain if grain else self.grain)

    def start_blocks(self, int64_t blocks, bytes args, unsigned int shared=0):
        """Launch thread blocks with the Args struct as bytes."""
        self.launch_blocks(blocks, <const char*>args, shared)


cdef finish(int ordinal, void* before, int err, str what):
    """Leave the context; raises where the driver failed."""
    leave(ordinal, before)
    if err:
        raise_driver_error(err, what)


def launch_raw(uintptr_t handle, int ordinal, grid, block, unsigned int shared, list args):
    """Start a user's kernel: args are writable buffers (NumPy arrays), one per parameter, holding the value."""
    cdef void* params[128]
    cdef void* before = NULL
    cdef const unsigned char[::1] value
    cdef Py_ssize_t i
    if len(args) > 128:
        raise ValueError("a kernel takes at most 128 arguments here")
    for i in range(len(args)):
        value = args[i]
        params[i] = <void*>&value[0]
    cdef unsigned blocks[3]
    cdef unsigned threads[3]
    blocks[0], blocks[1], blocks[2] = tuple(grid) + (1,) * (3 - len(grid))
    threads[0], threads[1], threads[2] = tuple(block) + (1,) * (3 - len(block))
    cdef int err = enter(ordinal, &before)
    if err == 0:
        err = start(<void*>handle, blocks, threads, shared, params, False)     # it does not wait for the one before it
    finish(ordinal, before, err, "launch")


cdef class Memory:
    """A block of GPU memory; freed in the order of the stream it was allocated on."""

    def __dealloc__(self):
        cdef void* before = NULL
        cdef size_t k
        cdef Shelf* shelf
        if not self.ptr:
            return
        used[self.ordinal] -= self.nbytes
        k = (self.nbytes + UNIT - 1) // UNIT
        if k <= CLASSES and self.stream == NULL:
            shelf = &shelves[self.ordinal][k]
            if shelf.count < KEPT:
                shelf.ptr[shelf.count] = self.ptr
                shelf.count += 1
                return
        if enter(self.ordinal, &before) == 0:
            driver.free_(self.ptr, self.stream)         # fails only when the driver is gone, at exit
        leave(self.ordinal, before)


cpdef Memory allocate(int ordinal, size_t nbytes):
    """A block on the current stream. Raises MemoryError naming the sizes."""
    cdef Memory block = Memory.__new__(Memory)
    cdef uint64_t ptr = 0
    cdef void* before = NULL
    cdef int err
    block.nbytes = nbytes if nbytes > 0 else 1
    cdef size_t size = block.nbytes
    block.ordinal, block.stream = ordinal, current_stream
    cdef size_t k = (block.nbytes + UNIT - 1) // UNIT
    if k <= CLASSES:
        if current_stream == NULL and shelves[ordinal][k].count:
            shelves[ordinal][k].count -= 1
            block.ptr = shelves[ordinal][k].ptr[shelves[ordinal][k].count]
            used[ordinal] += block.nbytes
            return block
        size = k * UNIT                                 # what the shelf promises to the next one
    if current_stream != NULL:
        block.stream_owner = _streams.get(<uintptr_t>current_stream)
    if limits[ordinal]:
        _on_pressure(ordinal, block.nbytes, False)
    err = enter(ordinal, &before)
    if err == 0:
        with nogil:
            err = driver.alloc(&ptr, size, pools[ordinal], block.stream)
    if err == 2:                                        # CUDA_ERROR_OUT_OF_MEMORY: give back what is cached, once
        _on_pressure(ordinal, block.nbytes, True)
        err = driver.alloc(&ptr, size, pools[ordinal], block.stream)
        if err == 2:
            leave(ordinal, before)
            raise MemoryError(_on_pressure(ordinal, block.nbytes, None))
    leave(ordinal, before)
    if err:
        raise_driver_error(err, "allocation")
    block.ptr = ptr
    used[ordinal] += block.nbytes
    return block


def copy_async(int ordinal, uint64_t dst, uint64_t src, size_t nbytes):
    """cuMemcpyAsync on the current stream, between addresses of GPUs."""
    cdef void* before = NULL
    if nbytes == 0:
        return
    cdef int err = enter(ordinal, &before)
    if err == 0:
        with nogil:
            err = driver.copy(dst, src, nbytes, current_stream)
    finish(ordinal, before, err, "copy")


def upload(int ordinal, uint64_t dst, uint64_t src, size_t nbytes):
    """Host memory to a GPU, on the current stream. Returns when the host memory may be changed again."""
    cdef void* before = NULL
    if nbytes == 0:
        return
    cdef int err = enter(ordinal, &before)
    if err == 0:
        with nogil:
            err = staging[ordinal].upload(dst, src, nbytes, contexts[ordinal])
    finish(ordinal, before, err, "copy")


def download(int ordinal, uint64_t dst, uint64_t src, size_t nbytes):
    """Memory of a GPU to the host, after the current stream's work so far. Returns when it is there."""
    cdef void* before = NULL
    cdef int err = enter(ordinal, &before)
    if err == 0:
        with nogil:
            err = staging[ordinal].download(dst, src, nbytes, contexts[ordinal])
    finish(ordinal, before, err, "an earlier operation or copy (reported while waiting)")


def synchronize_stream(int ordinal):
    """Wait for the current stream."""
    cdef void* before = NULL
    cdef int err = enter(ordinal, &before)
    if err == 0:
        with nogil:
            err = driver.sync(current_stream)
    finish(ordinal, before, err, "an earlier operation (reported while waiting)")


def use_context(int ordinal):
    """Make a GPU's context current for calls that other libraries make in this thread."""
    cdef void* before = NULL
    cdef int err = enter(ordinal, &before)
    if err:
        raise_driver_error(err, "context")


cdef raise_driver_error(int err, str what):
    from gpusci.core.cuda import error_text
    raise RuntimeError(f"CUDA {what} failed: {error_text(err)}")
