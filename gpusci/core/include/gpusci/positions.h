// Flat positions to coordinates and back, in C or Fortran order (the caller gives the strides).
#pragma once
#include "index_map.h"

namespace gpusci {

// out[d * n + i] = coordinate d of flat position i. order[]: axes from the fastest to the slowest.
template <class I, int R, class Index>
struct unravel {
    struct Args { const I* flat; int64_t* out; int64_t shape[R], order[R], total, n; ErrorCell err; };
    HD static void at(Index i, const Args& a) {
        int64_t rest = int64_t(a.flat[i]);
        if (rest < 0 || rest >= a.total) {
            a.err.raise(0);
            rest = 0;
        }
#pragma unroll
        for (int k = 0; k < R; ++k) {
            const int64_t d = a.order[k], n = a.shape[d], q = rest / n;
            a.out[d * a.n + i] = rest - q * n;
            rest = q;
        }
    }
};

// out[i] = sum of coordinates times strides; coordinates are rows of a contiguous (R, n) array.
template <int R, class Index>
struct ravel_multi {
    struct Args { const int64_t* coordinate; int64_t* out; int64_t shape[R], stride[R], mode[R], n; ErrorCell err; };
    HD static void at(Index i, const Args& a) {
        int64_t sum = 0;
#pragma unroll
        for (int d = 0; d < R; ++d) {
            const int64_t n = a.shape[d];
            int64_t c = a.coordinate[d * a.n + i];
            if (c < 0 || c >= n) {
                if (a.mode[d] == index_clip) c = c < 0 ? 0 : n - 1;
                else if (a.mode[d] == index_wrap) {
                    c %= n;
                    if (c < 0) c += n;
                } else a.err.raise(0);
            }
            sum += c * a.stride[d];
        }
        a.out[i] = sum;
    }
};

}  // namespace gpusci
