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
};

}  // namespace gpusci
