// One signal against many short rows of weights: y[row][k] = sum_m w[row][m] x[k - size/2 + m], zeros beyond the signal's ends.
// Cost: the taps of all rows times the signal's length in multiply-adds; every output is written once.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

template <class X, class W, class Y, class Index>
struct correlate_rows {
    struct Args {
        const X* x;
        const W* w;                 // [row][width], `sizes[row]` of them count
        const int64_t* sizes;
        Y* y;                       // [row][n]
        int64_t n, width;
    };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), row = i / n, k = i - row * n, size = Index(a.sizes[row]), first = k - size / 2;
        const Index begin = max_of(Index(0), Index(-first)), end = min_of(size, Index(n - first));
        const W* w = a.w + int64_t(row) * a.width;
        const X* x = a.x + first;
        Y sum = Y(0);
#if defined(GPUSCI_CUDA)
#pragma unroll 8
#endif
        for (Index m = begin; m < end; ++m) sum += w[m] * x[m];
        a.y[i] = sum;
    }
#if !defined(GPUSCI_CUDA)
    // A piece of a row that stays in the cache, one weight after the other.
    static void range(Index begin, Index end, const Args& a) {
        constexpr Index piece = 1024;
        const Index n = Index(a.n);
        while (begin < end) {
            const Index row = begin / n, k = begin - row * n, count = std::min(std::min(piece, n - k), end - begin);
            const Index size = Index(a.sizes[row]), first = k - size / 2;
            const W* w = a.w + int64_t(row) * a.width;
            Y* y = a.y + begin;
            std::fill(y, y + count, Y(0));
            const bool inside = first >= 0 && first + count + size <= n;
            Index m = 0;
            for (; inside && m + 4 <= size; m += 4) {
                const X* x = a.x + first + m;
                const W w0 = w[m], w1 = w[m + 1], w2 = w[m + 2], w3 = w[m + 3];
#pragma GCC ivdep
                for (Index j = 0; j < count; ++j) y[j] = (((y[j] + w0 * x[j]) + w1 * x[j + 1]) + w2 * x[j + 2]) + w3 * x[j + 3];
            }
            for (; m < size; ++m) {
                const Index low = std::max(Index(0), Index(-first - m)), high = std::min(count, Index(n - first - m));
                const X* x = a.x + first + m;
                const W weight = w[m];
#pragma GCC ivdep
                for (Index j = low; j < high; ++j) y[j] += weight * x[j];
            }
            begin += count;
        }
    }
#endif
};

}  // namespace gpusci
