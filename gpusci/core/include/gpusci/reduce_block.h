// Reductions for the GPU: one reduced axis, the rest kept (or reduced by the merge that follows).
//
//   reduce_rows    the reduced axis is contiguous: a block per row, or per piece of a long row
//   reduce_warps   the same with short rows: a warp per row
//   reduce_columns another axis is contiguous: a block takes a strip of columns and a piece of the reduced axis
//   reduce_merge   merges the pieces' accumulators, a block per output
//
// Loads are 16 bytes, eight (or four, see in_flight) in flight per thread. Every tree of merges is fixed by the shapes: results are the same
// on every run. Cost: each element is read once; measured against a copy in benchmarks/.
#pragma once
#include "reduce.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

constexpr int block_threads = 256;

// ---- accumulators across lanes
template <class A> __device__ __forceinline__ A shuffle_down(const A& a, int d) {
    union { A acc; uint32_t words[sizeof(A) / 4]; } from, to;
    from.acc = a;
#pragma unroll
    for (int k = 0; k < int(sizeof(A) / 4); ++k) to.words[k] = __shfl_down_sync(0xffffffffu, from.words[k], d);
    return to.acc;
}
// Merge over the first `lanes` of a warp; lane 0 has the result.
template <int lanes = 32, class A> __device__ __forceinline__ void warp_merge(A& a) {
#pragma unroll
    for (int d = lanes / 2; d; d >>= 1) {
        const A b = shuffle_down(a, d);
        a.merge(b);
    }
}
// Merge over a block; thread 0 has the result.
template <class A> __device__ __forceinline__ void block_merge(A& a) {
    alignas(16) __shared__ uint8_t room[block_threads / 32 * sizeof(A)];
    A* across = reinterpret_cast<A*>(room);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    warp_merge(a);
    if (lane == 0) across[warp] = a;
    __syncthreads();
    if (warp) return;
    a = across[lane % (block_threads / 32)];
    warp_merge<block_threads / 32>(a);
}

// Loads in flight per thread: a large accumulator leaves fewer registers, and more blocks at once make up for them.
template <class A> constexpr int in_flight = sizeof(A) > 16 ? 4 : 8;

// ---- vectors of 16 bytes
template <class X, int V> union vector_of {
    uint4 raw;
    X item[V];
    __device__ vector_of() {}
};

// Fold a contiguous run with all threads of a block. Elements before the first 16-byte boundary and after the last one
// are taken singly.
template <class T, class Acc, class X, class Index>
__device__ __forceinline__ void block_fold(Acc& acc, const X* x, Index n, int64_t base) {
    using element = compute_t<T>;
    constexpr int V = 16 / sizeof(X);
    constexpr int group = V >= 16 ? 1 : V == 8 ? 2 : 4;         // vectors per tile
    constexpr int U = in_flight<Acc>;
    const int t = threadIdx.x;
    Index head = Index((16 - uint64_t(x) % 16) % 16 / sizeof(X));
    if (head > n) head = n;
    if (t < head) acc.add(load_as<T>(x[t]), base + t);          // first, since indexes must grow
    const Index vectors = (n - head) / V;
    const uint4* p = reinterpret_cast<const uint4*>(x + head);
    for (Index at = 0; at < vectors; at += U * block_threads) {
        vector_of<X, V> v[U];
        const bool full = at + U * block_threads <= vectors;
#pragma unroll
        for (int u = 0; u < U; ++u)
            if (full || at + u * block_threads + t < vectors) v[u].raw = p[at + u * block_threads + t];
        const int64_t first = base + head + (int64_t(at) + t) * V;
        if (full) {
#pragma unroll
            for (int u = 0; u < U; u += group) {
                element e[group * V];
#pragma unroll
                for (int j = 0; j < group * V; ++j) e[j] = load_as<T>(v[u + j / V].item[j % V]);
                acc.template tile<group * V, V>(e, first + int64_t(u) * block_threads * V, block_threads * V);
            }
        } else {
#pragma unroll
            for (int u = 0; u < U; ++u) {
                if (at + u * block_threads + t >= vectors) continue;
                element e[V];
#pragma unroll
                for (int j = 0; j < V; ++j) e[j] = load_as<T>(v[u].item[j]);
                acc.template tile<V, V>(e, first + int64_t(u) * block_threads * V, 0);
            }
        }
    }
    const Index tail = head + vectors * V + t;
    if (tail < n) acc.add(load_as<T>(x[tail]), base + tail);
}

template <int K, class Index> __device__ __forceinline__ Index strided(Index i, const int64_t* shape, const int64_t* stride) {
    Index off = 0;
#pragma unroll
    for (int d = K - 1; d > 0; --d) {
        const Index n = Index(shape[d]), q = i / n;
        off += (i - q * n) * Index(stride[d]);
        i = q;
    }
    return off + i * Index(stride[0]);
}

template <template <class> class Acc, class T, class X, class Y, int K, class Index>
struct reduce_rows {
    static constexpr int threads = block_threads;
    using acc_t = Acc<T>;
    static constexpr int resident = sizeof(acc_t) <= 16 && sizeof(X) >= 4 ? 4 : 1;
    struct Args {
        const X* x;
        Y* y;
        uint8_t* part;
        const T* initial;
        int64_t length, piece, splits, pieces;      // pieces: per output, over splits and further reduced axes
        int64_t shape[K], stride[K];
        Finish finish;
    };
    __device__ static void block(Index b, const Args& a) {
        const Index row = b / Index(a.splits), s = b - row * Index(a.splits), begin = s * Index(a.piece);
        const Index n = min_of(Index(a.piece), Index(a.length) - begin);
        acc_t acc;
        acc.init();
        block_fold<T>(acc, a.x + strided<K>(row, a.shape, a.stride) + begin, n, int64_t(begin));
        block_merge(acc);
        if (threadIdx.x) return;
        if (a.pieces == 1) acc.store(a.y[row], a.finish, a.initial);
        else part_at<acc_t>(a.part, b) = acc;
    }
};

template <template <class> class Acc, class T, class X, class Y, int K, class Index>
struct reduce_warps {
    static constexpr int threads = block_threads;
    static constexpr int rows = threads / 32;
    using acc_t = Acc<T>;
    struct Args {
        const X* x;
        Y* y;
        uint8_t* part;
        const T* initial;
        int64_t rows, length, pieces;
        int64_t shape[K], stride[K];
        Finish finish;
    };
    __device__ static void block(Index b, const Args& a) {
        constexpr int U = 8;
        const int lane = threadIdx.x % 32;
        const Index row = b * rows + threadIdx.x / 32, n = Index(a.length);
        if (row >= a.rows) return;
        const X* x = a.x + strided<K>(row, a.shape, a.stride);
        acc_t acc;
        acc.init();
        for (Index i = lane; i - lane < n; i += U * 32) {       // all lanes together
            compute_t<T> v[U];
#pragma unroll
            for (int u = 0; u < U; ++u) v[u] = load_as<T>(x[min_of(Index(i + u * 32), Index(n - 1))]);
            if (i + (U - 1) * 32 < n) acc.template tile<U, 1>(v, i, 32);
            else
#pragma unroll
                for (int u = 0; u < U; ++u)
                    if (i + u * 32 < n) acc.add(v[u], i + u * 32);
        }
        warp_merge(acc);
        if (lane) return;
        if (a.pieces == 1) acc.store(a.y[row], a.finish, a.initial);
        else part_at<acc_t>(a.part, row) = acc;
    }
};

// V columns per thread, `lanes` threads side by side, the other threads below them; U rows in flight.
template <template <class> class Acc, class T, class X, class Y, int V, int K, class Index>
struct reduce_columns {
    static constexpr int threads = block_threads;
    using acc_t = Acc<T>;
    using element = compute_t<T>;
    struct Args {
        const X* x;
        Y* y;
        uint8_t* part;
        const T* initial;
        int64_t columns, strips, lanes, length, step, piece, splits, outer, further, pieces;
        int64_t shape[K], stride[K];                // further reduced axes, then kept ones
        Finish finish;
    };
    struct alignas(V * sizeof(X) > 16 ? 16 : V * sizeof(X)) run { X item[V]; };

    __device__ static void block(Index b, const Args& a) {
        const Index strip = b % Index(a.strips), rest = b / Index(a.strips);
        const Index s = rest % Index(a.splits), out = rest / Index(a.splits);
        const int lanes = int(a.lanes), lane = threadIdx.x % lanes, deep = threads / lanes, level = threadIdx.x / lanes;
        const Index column = (strip * lanes + lane) * V;
        const Index begin = s * Index(a.piece), end = min_of(begin + Index(a.piece), Index(a.length));
        acc_t acc[V];
#pragma unroll
        for (int v = 0; v < V; ++v) acc[v].init();
        if (column < a.columns) fold(acc, a.x + strided<K>(out, a.shape, a.stride) + column, a, begin + level, end, deep);
        const Index kept = Index(a.outer), q = out / kept, o = out - q * kept;
        const int64_t first = int64_t(o) * a.columns + column, piece = int64_t(q) * a.splits + s;
        merge_levels(acc, a, column < a.columns, lanes, level, first, piece);
    }

    __device__ static __forceinline__ void fold(acc_t (&acc)[V], const X* x, const Args& a, Index r, Index end, int deep) {
        constexpr int U = sizeof(element) > 8 ? 4 : V * sizeof(X) > 8 ? in_flight<acc_t> : 8;
        const Index step = Index(a.step);
        for (; r + (U - 1) * deep < end; r += U * deep) {
            run rows[U];
#pragma unroll
            for (int u = 0; u < U; ++u) rows[u] = *reinterpret_cast<const run*>(x + (r + u * deep) * step);
#pragma unroll
            for (int v = 0; v < V; ++v) {
                element e[U];
#pragma unroll
                for (int u = 0; u < U; ++u) e[u] = load_as<T>(rows[u].item[v]);
                acc[v].template tile<U, 1>(e, r, deep);
            }
        }
        for (; r < end; r += deep) {
            const run row = *reinterpret_cast<const run*>(x + r * step);
#pragma unroll
            for (int v = 0; v < V; ++v) acc[v].add(load_as<T>(row.item[v]), r);
        }
    }

    // Threads one above the other hold the same columns: a tree over the levels, one column of each thread at a time.
    __device__ static __forceinline__ void merge_levels(acc_t (&acc)[V], const Args& a, bool inside, int lanes, int level,
                                                        int64_t first, int64_t piece) {
        alignas(16) __shared__ uint8_t room[threads * sizeof(acc_t)];
        acc_t* across = reinterpret_cast<acc_t*>(room);
#pragma unroll
        for (int v = 0; v < V; ++v) {
            across[threadIdx.x] = acc[v];
            for (int h = threads / lanes / 2; h; h /= 2) {
                __syncthreads();
                if (level < h) {
                    acc[v].merge(across[threadIdx.x + h * lanes]);
                    across[threadIdx.x] = acc[v];
                }
            }
            if (level == 0 && inside) {
                if (a.pieces == 1) acc[v].store(a.y[first + v], a.finish, a.initial);
                else part_at<acc_t>(a.part, piece * a.outer * a.columns + first + v) = acc[v];
            }
            __syncthreads();
        }
    }
};

template <template <class> class Acc, class T, class Y, class Index>
struct reduce_merge {
    static constexpr int threads = block_threads;
    using acc_t = Acc<T>;
    using Args = typename reduce_finish<Acc, T, Y, Index>::Args;
    __device__ static void block(Index o, const Args& a) {
        acc_t acc;
        acc.init();
        const int64_t first = int64_t(o) * a.along;
        for (int64_t p = threadIdx.x; p < a.pieces; p += threads) acc.merge(part_at<acc_t>(a.part, first + p * a.between));
        block_merge(acc);
        if (threadIdx.x == 0) acc.store(a.y[o], a.finish, a.initial);
    }
};

}  // namespace gpusci
#endif
