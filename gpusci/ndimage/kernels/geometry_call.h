// Coordinates from a C function of the caller (scipy.LowLevelCallable): host only, one call after the other in C order.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

template <int R, class Index>
struct mapping_call {
    // Row i of `coordinates` is what the function makes of output position i. 0 returned is an error.
    struct Args {
        double* coordinates; int64_t shape[R]; int64_t input_rank;
        int (*function)(int64_t*, double*, int, int, void*); void* data; ErrorCell err;
    };
    HD static void at(Index i, const Args& a) {
#if !defined(GPUSCI_CUDA)
        int64_t position[R], rest = i;
        for (int d = R - 1; d >= 0; --d) {
            position[d] = rest % a.shape[d];
            rest /= a.shape[d];
        }
        if (!a.function(position, a.coordinates + int64_t(i) * a.input_rank, R, int(a.input_rank), a.data)) a.err.raise(0);
#endif
    }
};

}  // namespace gpusci
