// Included before and after a RawKernel's text: in between, its `__global__` function is one that our kernels call, on either
// device. No #pragma once, therefore.
#if !defined(GPUSCI_RAW)
#define GPUSCI_RAW
#undef __global__
#if defined(GPUSCI_CUDA)
#define __global__ __device__
#else
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict
#include <cstddef>
using std::abs, std::max, std::min;
#pragma GCC visibility push(hidden)         // the user's names are not those of the process
#endif
#else
#undef GPUSCI_RAW
#undef __global__
#if defined(GPUSCI_CUDA)
#define __global__ __attribute__((global))
#else
#undef __device__
#undef __host__
#undef __forceinline__
#undef __restrict__
#pragma GCC visibility pop
#endif
#endif
