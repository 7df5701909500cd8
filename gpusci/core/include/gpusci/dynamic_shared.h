// A block kernel's dynamic shared memory: as many bytes as its launch asks for, in 16-byte steps.
#pragma once
#include "entry.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

#if defined(GPUSCI_EMULATOR)
template <class S> S* dynamic_shared() { return reinterpret_cast<S*>(emulator::shared_memory()); }
#else
extern __shared__ uint4 dynamic_shared_room[];
template <class S> __device__ S* dynamic_shared() { return reinterpret_cast<S*>(dynamic_shared_room); }
#endif

}  // namespace gpusci
#endif
