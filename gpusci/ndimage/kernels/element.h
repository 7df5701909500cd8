// Elements of SciPy's filters: how a double becomes an output value, where a coordinate outside the array reads from,
// keys that order every dtype (NaN last) by integer comparison, and on the host a fixed-width vector.
#pragma once
#include <gpusci/boundary.h>

namespace gpusci {

// ---- double to the output dtype, as SciPy's C code does on x86-64: truncation, wrapping for values outside the type.
// Spelled out because a GPU's own conversion saturates (sobel of uint8 would lose its negative half).
HD int32_t trunc32(double x) { return x > -2147483649.0 && x < 2147483648.0 ? int32_t(x) : int32_t(-2147483647 - 1); }
HD int64_t trunc64(double x) {
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? int64_t(x) : -9223372036854775807ll - 1;
}
template <class Y>
HD Y to_output(double x) {
    if constexpr (is_float<Y>::value) return Y(x);
    else if constexpr (same<Y, bool>::value) return (trunc32(x) & 0xff) != 0;
    else if constexpr (sizeof(Y) < 4 || same<Y, int32_t>::value) return Y(trunc32(x));
    else if constexpr (same<Y, uint64_t>::value)
        return x >= 9223372036854775808.0 ? uint64_t(trunc64(x - 9223372036854775808.0)) ^ (uint64_t(1) << 63)
                                          : uint64_t(trunc64(x));
    else return Y(trunc64(x));
}

// The constant of minima and ranks, in the input's dtype: a double, and what it lacks of an integer of 64 bits.
template <class X>
HD X constant_in(const double* cval) {
    if constexpr (sizeof(X) == 8 && !is_float<X>::value) return X(uint64_t(to_output<X>(cval[0])) + uint64_t(to_output<int64_t>(cval[1])));
    else return to_output<X>(cval[0]);
}

// Whether rounding in the sum can show: a truncated result must repeat SciPy's sequence of operations exactly.
template <class Y> constexpr bool truncates = !is_float<Y>::value;
template <bool exact>
HD double add_product(double sum, double a, double b) {
    if constexpr (exact) return sum + mul_rn(a, b);
    else return sum + a * b;
}

// ---- boundary modes chosen at run time: a filter meets them at the edge only, and one compiled kernel serves all.
// The rare case is a call on a GPU: inlined, its divisions would be most of an unrolled kernel's code and compile time.
#if defined(GPUSCI_CUDA)
#define GPUSCI_RARE static __host__ __device__ __attribute__((noinline))
#else
#define GPUSCI_RARE inline
#endif
template <class Index>
GPUSCI_RARE Index edge_outside(int mode, Index i, Index n) {
    switch (Mode(mode)) {
        case Mode::reflect: return boundary<Mode::reflect>(i, n);
        case Mode::nearest: return boundary<Mode::nearest>(i, n);
        case Mode::mirror: return boundary<Mode::mirror>(i, n);
        case Mode::wrap:
        case Mode::grid_wrap: return boundary<Mode::wrap>(i, n);
        default: return Index(-1);
    }
}
template <class Index>
HD Index edge(int64_t mode, Index i, Index n) {
    return i >= 0 && i < n ? i : edge_outside(int(mode), i, n);
}

// ---- keys: integers in the order of the values. Floats: sign-magnitude to two's complement, every NaN to `nan`.
template <class X> struct key_of { using type = X; };
template <> struct key_of<bool> { using type = uint8_t; };
template <> struct key_of<float> { using type = int32_t; };
template <> struct key_of<double> { using type = int64_t; };
template <class X> using key_t = typename key_of<X>::type;

template <class To, class From>
HD To bits_as(From x) {
    static_assert(sizeof(To) == sizeof(From), "bits_as keeps the size");
    union { From from; To to; } bits;       // every compiler of ours defines this
    bits.from = x;
    return bits.to;
}
template <class K> struct key_limits { static constexpr K low = 0, high = K(~K(0)); };
template <> struct key_limits<int32_t> { static constexpr int32_t low = -2147483647 - 1, high = 2147483647; };
template <> struct key_limits<int64_t> {
    static constexpr int64_t low = -9223372036854775807ll - 1, high = 9223372036854775807ll;
};
// nan_low: the NaN key is the least one (a minimum then propagates NaN), else the greatest (as in NumPy's sort).
template <bool nan_low = false, class X>
HD key_t<X> to_key(X x) {
    using K = key_t<X>;
    if constexpr (same<X, float>::value || same<X, double>::value) {
        const K b = bits_as<K>(x), k = b ^ ((b >> (8 * sizeof(K) - 1)) & key_limits<K>::high);
        return x == x ? k : (nan_low ? key_limits<K>::low : key_limits<K>::high);
    } else return K(x);
}
template <class X>
HD X from_key(key_t<X> k) {
    using K = key_t<X>;
    if constexpr (same<X, float>::value || same<X, double>::value)     // both NaN keys come back as NaNs
        return bits_as<X>(K(k ^ ((k >> (8 * sizeof(K) - 1)) & key_limits<K>::high)));
    else return X(k);
}

#if !defined(GPUSCI_CUDA)
// ---- host vectors: 64 bytes, which the compiler splits where registers are shorter.
constexpr int vector_bytes = 64;
template <class T> struct vector_of { typedef T type __attribute__((vector_size(vector_bytes))); };
template <class T> using vec = typename vector_of<T>::type;
template <class T> constexpr int lanes = vector_bytes / int(sizeof(T));
template <class T>
inline vec<T> load_vec(const T* p) {
    vec<T> v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
template <class T>
inline void store_vec(T* p, vec<T> v) { std::memcpy(p, &v, sizeof v); }

// Scratch memory of a range call, aligned to a vector.
template <class T>
struct Scratch {
    T* data = nullptr;
    explicit Scratch(int64_t n = 0) { if (n) reset(n); }
    ~Scratch() { std::free(data); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    operator T*() const { return data; }
    void reset(int64_t n) {
        std::free(data);
        data = static_cast<T*>(std::aligned_alloc(64, (size_t(n) * sizeof(T) + 127) / 64 * 64));
        if (!data) std::abort();        // nothing can be thrown across the C entry point
    }
};
#endif

}  // namespace gpusci
