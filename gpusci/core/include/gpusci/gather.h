// out = x[index arrays and slices], one work item per element of the result, which is contiguous.
// T is a storage type (1 to 16 bytes), not the dtype: the caller widens contiguous rows to 16-byte items, so that copying
// rows runs at bandwidth. Cost: one read of the indices and of x, one write.
#pragma once
#include "index_map.h"

namespace gpusci {

template <class T, class I, int K, int R, class Index>
struct gather {
    struct Args {
        const T* x;             // the element whose every coordinate is 0
        T* out;
        int64_t stride[R];      // of x along the grid; 0 where index arrays move
        int64_t step[K];        // of x along the indexed axes
        IndexMap<I, K, R> map;
    };
    HD static void at(Index i, const Args& a) {
        Index c[R], p[K];
        coordinates<R>(i, a.map.shape, c);
        if (!a.map.positions(c, p)) return;
        a.out[i] = a.x[inner<R>(c, a.stride) + inner<K>(p, a.step)];
    }
#if !defined(GPUSCI_CUDA)
    // Row by row of the last dimension, whose coordinates follow each other without divisions.
    static void range(Index begin, Index end, const Args& a) {
        const Index length = Index(a.map.shape[R - 1]);
        const int64_t along = a.stride[R - 1];
        const bool steady = a.map.steady();
        while (begin < end) {
            Index c[R], p[K];
            coordinates<R>(begin, a.map.shape, c);
            const Index count = std::min(Index(length - c[R - 1]), Index(end - begin));
            const T* x = a.x + inner<R>(c, a.stride);
            T* out = a.out + begin;
            begin += count;
            if (!steady) pick(a, c, x, out, count);
            else if (a.map.positions(c, p)) {
                x += inner<K>(p, a.step);
                if (along == 1) std::memcpy(out, x, sizeof(T) * count);
                else for (Index j = 0; j < count; ++j) out[j] = x[j * along];
            }
        }
    }
    static void pick(const Args& a, const Index (&c)[R], const T* x, T* out, Index count) {
        const I* index[K];
        int64_t move[K];
        for (int k = 0; k < K; ++k) {
            index[k] = a.map.index[k] + inner<R>(c, a.map.istride + k * R);
            move[k] = a.map.istride[k * R + R - 1];
        }
        const int64_t along = a.stride[R - 1];
        for (Index j = 0; j < count; ++j) {
            int64_t from = j * along;
            bool inside = true;
            for (int k = 0; k < K; ++k) {
                const int64_t at = a.map.position(k, index[k][j * move[k]]);
                inside &= at >= 0;
                from += at * a.step[k];
            }
            if (inside) out[j] = x[from];
        }
    }
#endif
};

}  // namespace gpusci
