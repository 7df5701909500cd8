// Filters by a C function of the caller (scipy.LowLevelCallable): host only, one call after the other in C order.
#pragma once
#include "element.h"

namespace gpusci {

template <int R, class Index>
struct window_call {
    // Window i: the doubles padded[start + offset[t]], t < taps, start where output i's window begins. 0 returned is an error.
    struct Args {
        const double* padded; const int64_t* offset; int64_t taps; double* y; int64_t shape[R], padded_shape[R];
        int (*function)(double*, int64_t, double*, void*); void* data; ErrorCell err;
    };
    HD static void at(Index i, const Args& a) {
#if !defined(GPUSCI_CUDA)
        range(i, i + 1, a);
#endif
    }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) {
        Scratch<double> window(a.taps + 1);
        int64_t start = 0, column = a.shape[R - 1];         // of a new row
        for (Index i = begin; i < end; ++i, ++start, ++column) {
            if (i == begin || column == a.shape[R - 1]) {
                column = i % a.shape[R - 1], start = 0;
                int64_t rest = i, stride = 1;
                for (int d = R - 1; d >= 0; --d) {
                    start += rest % a.shape[d] * stride;
                    rest /= a.shape[d];
                    stride *= a.padded_shape[d];
                }
            }
            for (int64_t t = 0; t < a.taps; ++t) window[t] = a.padded[start + a.offset[t]];
            if (!a.function(window, a.taps, a.y + i, a.data)) return a.err.raise(0);
        }
    }
#endif
};

template <class Index>
struct line_call {
    // Line i: `length` doubles with the boundary filled in; the function writes n results.
    struct Args {
        double* padded; int64_t length; double* y; int64_t n;
        int (*function)(double*, int64_t, double*, int64_t, void*); void* data; ErrorCell err;
    };
    HD static void at(Index i, const Args& a) {
#if !defined(GPUSCI_CUDA)
        if (!a.function(a.padded + i * a.length, a.length, a.y + i * a.n, a.n, a.data)) a.err.raise(0);
#endif
    }
};

}  // namespace gpusci
