// Small passes over spectra: scaling with conjugation, and the values of a half spectrum that must be real.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

// y = factor * x, or factor * conj(x). One vector of 16 bytes (or one value of complex<double>) per work item; n counts
// values, and a tail shorter than a vector is done by the item that meets it.
template <class T, bool Conj, class Index>
struct scale_spectrum {
    struct Args { const T* x; T* y; double factor; int64_t n; };
    static constexpr int V = sizeof(T) <= 8 ? 16 / sizeof(T) : 1;
    struct alignas(16) Vector { T v[V]; };

    HD static T apply(T z, double factor) {
        if constexpr (is_complex<T>::value) {
            using R = decltype(z.re);
            const R f = R(factor);
            return T(z.re * f, Conj ? -(z.im * f) : z.im * f);
        } else {
            return z * T(factor);
        }
    }
    // Arrays may begin anywhere, such as x[1:].
    HD static bool aligned(const T* p) { return reinterpret_cast<uint64_t>(p) % sizeof(Vector) == 0; }
    HD static void at(Index i, const Args& a) {
        const Index first = i * V;
        if (int64_t(first) + V <= a.n && aligned(a.x) && aligned(a.y)) {
            Vector w = reinterpret_cast<const Vector*>(a.x)[i];
#pragma unroll
            for (int k = 0; k < V; ++k) w.v[k] = apply(w.v[k], a.factor);
            reinterpret_cast<Vector*>(a.y)[i] = w;
        } else {
            for (int k = 0; k < V && int64_t(first) + k < a.n; ++k) a.y[first + k] = apply(a.x[first + k], a.factor);
        }
    }
};

// The first value of each line of a half spectrum, and the last for even n, lose their imaginary part, which a
// complex-to-real transform must not see. Lines of h values at stride `inner`; work items: outer * inner.
template <class T, class Index>
struct real_ends {
    struct Args { complex<T>* v; int64_t h, inner, even; };
    HD static void at(Index i, const Args& a) {
        const Index inner = Index(a.inner), h = Index(a.h), outer = i / inner;
        complex<T>* line = a.v + outer * h * inner + (i - outer * inner);
        line[0].im = 0;
        if (a.even) line[(h - 1) * inner].im = 0;
    }
};

}  // namespace gpusci
