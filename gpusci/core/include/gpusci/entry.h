// The one header every kernel includes: which compiler reads it, basic types, and the entry points.
// Kept light: under NVRTC it includes nothing, so a kernel compiles in about 0.1 s.
#pragma once

#if defined(__CUDACC__)
#define GPUSCI_CUDA 1
#define HD __host__ __device__ __forceinline__
#else
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#define HD inline
#endif

#if defined(__CUDACC_RTC__)
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#elif defined(__CUDACC__)
#include <cstdint>
#endif

#include "types.h"

namespace gpusci {

// An array of rank R: element strides, so that views (negative, broadcast, transposed) need no copy.
template <class T, int R>
struct View {
    T* data;
    int64_t shape[R > 0 ? R : 1];
    int64_t stride[R > 0 ? R : 1];

    // Element offset of the i-th element in C order.
    template <class Index>
    HD Index offset(Index i) const {
        Index off = 0;
#pragma unroll
        for (int d = R - 1; d > 0; --d) {
            const Index n = Index(shape[d]), q = i / n;
            off += (i - q * n) * Index(stride[d]);
            i = q;
        }
        return R > 0 ? off + i * Index(stride[0]) : off;
    }
    template <class Index>
    HD T& operator[](Index i) const { return data[offset(i)]; }
};

// Where a kernel reports a bad input it can only see on the device; `which` counts the row's errors. First one wins.
struct ErrorCell {
    int64_t* cell;
    int64_t base;
    HD void raise(int which) const {
        if (*cell == 0) *cell = base + which;
    }
};

}  // namespace gpusci

// A kernel may say how many of its blocks should fit a multiprocessor at once, which bounds its registers.
namespace gpusci {
template <class K, class = void> struct resident_blocks { static constexpr int value = 1; };
template <class K> struct resident_blocks<K, choose_t<(K::resident > 0), void, void>> { static constexpr int value = K::resident; };
}  // namespace gpusci

// Entry points. Core emits one include and one of these, with the instantiation as argument.
#if defined(GPUSCI_CUDA)
namespace gpusci {
// Launches overlap on sm_90 and later (programmatic dependent launch): the next kernel may be brought onto the GPU as soon as
// all blocks of this one run, and this one waits for the one before it to be complete before it touches memory.
__device__ __forceinline__ void take_turn() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
}  // namespace gpusci
#define GPUSCI_ENTRY(INDEX, ...)                                                                      \
    extern "C" __global__ void __launch_bounds__(256, gpusci::resident_blocks<__VA_ARGS__>::value)    \
    gpusci_entry(const __grid_constant__ __VA_ARGS__::Args a, const int64_t n) {                      \
        gpusci::take_turn();                                                                          \
        const int64_t step = int64_t(gridDim.x) * blockDim.x;                                         \
        for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)            \
            __VA_ARGS__::at(INDEX(i), a);                                                             \
    }
#define GPUSCI_BLOCK_ENTRY(INDEX, ...)                                                                \
    extern "C" __global__ void                                                                        \
    __launch_bounds__(__VA_ARGS__::threads, gpusci::resident_blocks<__VA_ARGS__>::value)              \
    gpusci_entry(const __grid_constant__ __VA_ARGS__::Args a, const int64_t blocks) {                 \
        gpusci::take_turn();                                                                          \
        for (int64_t b = blockIdx.x; b < blocks; b += gridDim.x) {                                    \
            __VA_ARGS__::block(INDEX(b), a);                                                          \
            if (b + gridDim.x < blocks) __syncthreads();                                              \
        }                                                                                             \
    }
#else
namespace gpusci {
template <class K, class Index, class = void>
struct host_runner {
    static void run(Index begin, Index end, const typename K::Args& a) {
        for (Index i = begin; i < end; ++i) K::at(i, a);
    }
};
template <class K, class Index>
struct host_runner<K, Index, decltype(K::range(Index(), Index(), std::declval<const typename K::Args&>()))> {
    static void run(Index begin, Index end, const typename K::Args& a) { K::range(begin, end, a); }
};
}  // namespace gpusci
#define GPUSCI_ENTRY(INDEX, ...)                                                                      \
    extern "C" void gpusci_entry(int64_t begin, int64_t end, const void* args) {                      \
        gpusci::host_runner<__VA_ARGS__, INDEX>::run(INDEX(begin), INDEX(end),                        \
            *static_cast<const typename __VA_ARGS__::Args*>(args));                                   \
    }
#endif
