# cython: language_level=3
"""DLPack capsules of GPU arrays, both ways. The structures are those of the DLPack specification, versions 0.8 and 1.0.

Host arrays go through NumPy's own support.
"""

from cpython.pycapsule cimport PyCapsule_GetName, PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New, PyCapsule_SetName
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc

import numpy as np

from gpusci.core._ndarray import from_numpy, from_pointer

cdef struct DLDevice:
    int32_t device_type
    int32_t device_id

cdef struct DLDataType:
    uint8_t code
    uint8_t bits
    uint16_t lanes

cdef struct DLTensor:
    void* data
    DLDevice device
    int32_t ndim
    DLDataType dtype
    int64_t* shape
    int64_t* strides
    uint64_t byte_offset

cdef struct DLManagedTensor:
    DLTensor dl_tensor
    void* manager_ctx
    void (*deleter)(DLManagedTensor*) noexcept with gil

cdef struct DLManagedTensorVersioned:
    uint32_t major
    uint32_t minor
    void* manager_ctx
    void (*deleter)(DLManagedTensorVersioned*) noexcept with gil
    uint64_t flags
    DLTensor dl_tensor

cdef enum:
    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLCUDAManaged = 13

_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_KINDS = {code: kind for kind, code in _CODES.items()}


cdef void _delete(DLManagedTensor* tensor) noexcept with gil:
    Py_DECREF(<object>tensor.manager_ctx)
    free(tensor.dl_tensor.shape)
    free(tensor)


cdef void _drop_capsule(object capsule) noexcept:
    # Only a capsule that nobody consumed still owns its tensor.
    if PyCapsule_IsValid(capsule, b"dltensor"):
        _delete(<DLManagedTensor*>PyCapsule_GetPointer(capsule, b"dltensor"))


def to_capsule(x, stream=None, max_version=None, dl_device=None, copy=None):
    """`x.__dlpack__`: see the array API standard for the arguments. Raises BufferError where x cannot be exported so."""
    if x.device.kind == "host":
        return x._a.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
    if dl_device is not None and tuple(dl_device) != x.__dlpack_device__():
        if tuple(dl_device) == (kDLCPU, 0) and copy is not False:
            return x.numpy().__dlpack__(max_version=max_version)
        raise BufferError(f"the array is on {x.device.name}; move it with x.to_device(...) first")
    if not x.flags.writeable:
        raise BufferError("a read-only array cannot be exported through DLPack; export a copy")
    if copy:
        x = x.copy()
    if stream is not None and stream != -1:
        _order(x.device, x.device.stream_ptr, 0 if stream == 1 else stream)
    cdef DLManagedTensor* tensor = <DLManagedTensor*>malloc(sizeof(DLManagedTensor))
    cdef int ndim = x.ndim, i
    cdef int64_t* numbers = <int64_t*>malloc(max(2 * ndim, 1) * sizeof(int64_t))
    shape, strides, itemsize = x.shape, x.strides, x.itemsize
    for i in range(ndim):
        numbers[i], numbers[ndim + i] = shape[i], strides[i] // itemsize
    tensor.dl_tensor = DLTensor(
        <void*><uintptr_t>x.ptr, DLDevice(kDLCUDA, x.device.index), ndim,
        DLDataType(_CODES[x.dtype.kind], 8 * itemsize, 1), numbers, numbers + ndim, 0)
    Py_INCREF(x)
    tensor.manager_ctx, tensor.deleter = <void*>x, _delete
    return PyCapsule_New(tensor, b"dltensor", <void (*)(object) noexcept>_drop_capsule)


cdef class _Foreign:
    """Keeps a consumed tensor until the last array on it is gone."""
    cdef DLManagedTensor* old
    cdef DLManagedTensorVersioned* new

    def __dealloc__(self):
        if self.old != NULL and self.old.deleter != NULL:
            self.old.deleter(self.old)
        if self.new != NULL and self.new.deleter != NULL:
            self.new.deleter(self.new)


def from_dlpack(obj):
    """A `gpusci.ndarray` on the memory of any array with `__dlpack__`, without a copy, on the device where it is."""
    from gpusci.core.device import get_device
    kind, number = obj.__dlpack_device__()
    if kind in (kDLCPU, kDLCUDAHost):
        return from_numpy(np.from_dlpack(obj))
    if kind not in (kDLCUDA, kDLCUDAManaged):
        raise BufferError(f"DLPack device type {int(kind)} is neither the host nor a CUDA GPU")
    device = get_device(f"cuda:{int(number)}")
    stream = device.stream_ptr or 1             # 1 is the legacy default stream in the protocol
    try:
        capsule = obj.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:                           # a producer of the protocol before version 1
        capsule = obj.__dlpack__(stream=stream)
    return _consume(capsule, device)


cdef _consume(object capsule, device):
    cdef _Foreign owner = _Foreign.__new__(_Foreign)
    cdef DLTensor* tensor
    cdef bint writeable = True
    if PyCapsule_IsValid(capsule, b"dltensor_versioned"):
        owner.new = <DLManagedTensorVersioned*>PyCapsule_GetPointer(capsule, b"dltensor_versioned")
        if owner.new.major != 1:
            owner.new = NULL
            raise BufferError("the producer speaks a newer major version of DLPack than 1")
        PyCapsule_SetName(capsule, b"used_dltensor_versioned")
        tensor, writeable = &owner.new.dl_tensor, not owner.new.flags & 1
    else:
        owner.old = <DLManagedTensor*>PyCapsule_GetPointer(capsule, b"dltensor")
        PyCapsule_SetName(capsule, b"used_dltensor")
        tensor = &owner.old.dl_tensor
    if tensor.dtype.lanes != 1 or tensor.dtype.code not in _KINDS:
        raise BufferError("the array's type has no NumPy dtype; convert it first (bfloat16 to float32, for example)")
    dtype = np.dtype(f"{_KINDS[tensor.dtype.code]}{tensor.dtype.bits // 8}")
    shape = tuple([tensor.shape[i] for i in range(tensor.ndim)])
    strides = None
    if tensor.strides != NULL:
        strides = tuple([tensor.strides[i] * dtype.itemsize for i in range(tensor.ndim)])
    return from_pointer(<uintptr_t>tensor.data + tensor.byte_offset, shape, dtype, strides, device, owner, writeable)


def _order(device, producer, consumer):
    """Let the consumer's stream wait for what is enqueued on the producer's."""
    from gpusci.core.cuda import call
    if producer == consumer:
        return
    device.use()
    event = call("cuEventCreate", 2)            # CU_EVENT_DISABLE_TIMING
    call("cuEventRecord", event, producer)
    call("cuStreamWaitEvent", consumer, event, 0)
    call("cuEventDestroy", event)
