// Which element an advanced index names: shared by gather.h and scatter.h.
// An indexing result is a grid of rank R. Along each of its dimensions either the indexed array itself moves (a slice was
// taken there) or index arrays do; K index arrays each choose a position on one axis of the indexed array.
#pragma once
#include "entry.h"

namespace gpusci {

// The widest storage type: sixteen bytes in one access, for rows whose layout allows it.
struct alignas(16) quad { uint64_t lo, hi; };

// What an index outside [0, n) means. The values match MODES in indexing.py.
constexpr int64_t index_raise = 0, index_wrap = 1, index_clip = 2;

// Coordinates of the i-th item of a row-major grid.
template <int R, class Index>
HD void coordinates(Index i, const int64_t (&shape)[R], Index (&c)[R]) {
#pragma unroll
    for (int d = R - 1; d > 0; --d) {
        const Index n = Index(shape[d]), q = i / n;
        c[d] = i - q * n;
        i = q;
    }
    c[0] = i;
}

// An offset. In 64 bits always: a small grid may step far in a large array.
template <int R, class Index>
HD int64_t inner(const Index (&c)[R], const int64_t* stride) {
    int64_t sum = 0;
#pragma unroll
    for (int d = 0; d < R; ++d) sum += c[d] * stride[d];
    return sum;
}

template <class I, int K, int R>
struct IndexMap {
    int64_t shape[R];           // of the grid
    int64_t istride[K * R];     // index array k moves by istride[k * R + d] along dimension d
    const I* index[K];
    int64_t extent[K];          // length of the axis that array k indexes
    int64_t mode, operation;    // operation: number of the message among the row's errors
    ErrorCell err;

    // Position on the k-th indexed axis of the index `at`; -1 after reporting that it is out of range.
    HD int64_t position(int k, int64_t at) const {
        const int64_t n = extent[k];
        if (uint64_t(at) < uint64_t(n)) return at;
        if (mode == index_clip) return at < 0 ? 0 : n - 1;
        if (mode == index_wrap) {
            at %= n;
            return at < 0 ? at + n : at;
        }
        at += n;
        if (uint64_t(at) < uint64_t(n)) return at;
        err.raise(int(operation));
        return -1;
    }
    // Positions on the K indexed axes; false where one is out of range.
    template <class Index>
    HD bool positions(const Index (&c)[R], Index (&p)[K]) const {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            const int64_t at = position(k, index[k][inner<R>(c, istride + k * R)]);
            if (at < 0) return false;
            p[k] = Index(at);
        }
        return true;
    }
    // Whether the index arrays stand still along the last dimension: rows of it then have one position.
    HD bool steady() const {
        for (int k = 0; k < K; ++k)
            if (istride[k * R + R - 1] != 0) return false;
        return true;
    }
};

// Only the check, for results that have no elements but whose index arrays do.
template <class I, int K, int R, class Index>
struct check_index {
    struct Args { const void* x; IndexMap<I, K, R> map; };      // x only tells core the device
    HD static void at(Index i, const Args& a) {
        Index c[R], p[K];
        coordinates<R>(i, a.map.shape, c);
        a.map.positions(c, p);
    }
};

}  // namespace gpusci
