// Atomic updates that both compilers offer under one name. On the host they are the compiler's __atomic builtins: the thread
// pool runs work items of one launch concurrently.
#pragma once
#include "entry.h"

namespace gpusci {

#if defined(GPUSCI_CUDA)
// 64-bit integers go by CUDA's own type names.
HD unsigned long long* wide(uint64_t* p) { return reinterpret_cast<unsigned long long*>(p); }
HD int32_t atomic_load(const int32_t* p) { return *reinterpret_cast<const volatile int32_t*>(p); }
HD int64_t atomic_load(const int64_t* p) { return *reinterpret_cast<const volatile int64_t*>(p); }
__device__ __forceinline__ int32_t atomic_min(int32_t* p, int32_t v) { return atomicMin(p, v); }
__device__ __forceinline__ int64_t atomic_min(int64_t* p, int64_t v) {
    return atomicMin(reinterpret_cast<long long*>(p), static_cast<long long>(v));
}
__device__ __forceinline__ int64_t atomic_max(int64_t* p, int64_t v) {
    return atomicMax(reinterpret_cast<long long*>(p), static_cast<long long>(v));
}
__device__ __forceinline__ uint64_t atomic_min(uint64_t* p, uint64_t v) { return atomicMin(wide(p), v); }
__device__ __forceinline__ uint64_t atomic_max(uint64_t* p, uint64_t v) { return atomicMax(wide(p), v); }
__device__ __forceinline__ void atomic_add(int64_t* p, int64_t v) {
    atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(v));
}
__device__ __forceinline__ void atomic_add(double* p, double v) { atomicAdd(p, v); }
__device__ __forceinline__ void atomic_add(float* p, float v) { atomicAdd(p, v); }
#else
template <class T> T atomic_load(const T* p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
template <class T, class Better> T atomic_update(T* p, T v, Better better) {
    T old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (better(v, old) && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return old;
}
template <class T> T atomic_min(T* p, T v) { return atomic_update(p, v, [](T a, T b) { return a < b; }); }
template <class T> T atomic_max(T* p, T v) { return atomic_update(p, v, [](T a, T b) { return a > b; }); }
inline void atomic_add(int64_t* p, int64_t v) { __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
template <class Bits, class T> void add_float(T* p, T v) {
    Bits* q = reinterpret_cast<Bits*>(p);
    Bits old = __atomic_load_n(q, __ATOMIC_RELAXED), now;
    do {
        T x;
        std::memcpy(&x, &old, sizeof x);
        x += v;
        std::memcpy(&now, &x, sizeof x);
    } while (!__atomic_compare_exchange_n(q, &old, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
inline void atomic_add(double* p, double v) { add_float<uint64_t>(p, v); }
inline void atomic_add(float* p, float v) { add_float<uint32_t>(p, v); }
#endif

// A key whose unsigned order is the order of the values, NaN last; -0 and 0 have one key. Equal bits in `from_key`.
HD uint64_t order_key(double x) {
    if (x != x) return ~uint64_t(0);
    if (x == 0) x = 0.0;
    int64_t bits;
    memcpy(&bits, &x, 8);
    return uint64_t(bits) ^ (bits < 0 ? ~uint64_t(0) : uint64_t(1) << 63);
}
HD uint64_t order_key(float x) { return order_key(double(x)); }
HD uint64_t order_key(half x) { return order_key(double(float(x))); }
HD uint64_t order_key(int64_t x) { return uint64_t(x) ^ (uint64_t(1) << 63); }
HD uint64_t order_key(int32_t x) { return order_key(int64_t(x)); }
HD uint64_t order_key(int16_t x) { return order_key(int64_t(x)); }
HD uint64_t order_key(int8_t x) { return order_key(int64_t(x)); }
HD uint64_t order_key(uint64_t x) { return x; }
HD uint64_t order_key(uint32_t x) { return x; }
HD uint64_t order_key(uint16_t x) { return x; }
HD uint64_t order_key(uint8_t x) { return x; }
HD uint64_t order_key(bool x) { return x; }

}  // namespace gpusci
