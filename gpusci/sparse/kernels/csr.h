// Products of a CSR matrix with dense operands. One work item is a row (matvec) or a row times a column (matmat); sums run
// in the order of the stored entries, in the result's type, so integers are exact and results repeat.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

// Products in the result's type; bool is logical.
template <class Y> struct semiring {
    HD static void add(Y& sum, Y a, Y b) { sum += a * b; }
};
template <> struct semiring<bool> {
    HD static void add(bool& sum, bool a, bool b) { sum = sum || (a && b); }
};

template <class A, class X, class Y, class I, class Index>
struct csr_matvec {
    struct Args {
        const A* data;
        const I* indices;
        const I* indptr;
        View<const X, 1> x;
        Y* y;
    };
    HD static void at(Index row, const Args& a) {
        Y sum = Y(0);
        for (I k = a.indptr[row], end = a.indptr[row + 1]; k < end; ++k)
            semiring<Y>::add(sum, cast<Y>(a.data[k]), cast<Y>(a.x.data[a.indices[k] * a.x.stride[0]]));
        a.y[row] = sum;
    }
#if defined(GPUSCI_CUDA)
    static constexpr int threads = 256, warps = threads / 32;
    // A warp per row: coalesced loads of the entries, a shuffle tree at the end (a fixed order: results repeat).
    __device__ static void block(Index b, const Args& a, Index rows) {
        const Index row = b * warps + threadIdx.x / 32;
        const int lane = threadIdx.x % 32;
        if (row >= rows) return;
        Y sum = Y(0);
        for (I k = a.indptr[row] + lane, end = a.indptr[row + 1]; k < end; k += 32)
            semiring<Y>::add(sum, cast<Y>(a.data[k]), cast<Y>(a.x.data[a.indices[k] * a.x.stride[0]]));
        alignas(16) __shared__ char memory[threads * sizeof(Y)];
        Y* part = reinterpret_cast<Y*>(memory) + (threadIdx.x - lane);
        part[lane] = sum;
        __syncwarp();
        for (int step = 16; step > 0; step /= 2) {
            if (lane < step) semiring<Y>::add(part[lane], part[lane + step], Y(1));
            __syncwarp();
        }
        if (lane == 0) a.y[row] = part[0];
    }
#endif
};

#if defined(GPUSCI_CUDA)
template <class A, class X, class Y, class I, class Index>
struct csr_matvec_warps {
    static constexpr int threads = 256;
    struct Args {
        typename csr_matvec<A, X, Y, I, Index>::Args matvec;
        int64_t rows;
    };
    __device__ static void block(Index b, const Args& a) {
        csr_matvec<A, X, Y, I, Index>::block(b, a.matvec, Index(a.rows));
    }
};
#endif

// y (rows, columns) = matrix @ x, both C-contiguous.
template <class A, class X, class Y, class I, class Index>
struct csr_matmat {
    struct Args {
        const A* data;
        const I* indices;
        const I* indptr;
        const X* x;
        Y* y;
        int64_t columns;
    };
    HD static void at(Index i, const Args& a) {
        const Index columns = Index(a.columns), row = i / columns, c = i - row * columns;
        Y sum = Y(0);
        for (I k = a.indptr[row], end = a.indptr[row + 1]; k < end; ++k)
            semiring<Y>::add(sum, cast<Y>(a.data[k]), cast<Y>(a.x[Index(a.indices[k]) * columns + c]));
        a.y[i] = sum;
    }
    // Runs of one row together, so that the inner loop is over contiguous columns.
    static void range(Index begin, Index end, const Args& a) {
        const Index columns = Index(a.columns);
        while (begin < end) {
            const Index row = begin / columns, c0 = begin - row * columns, c1 = min_of(columns, c0 + (end - begin));
            Y* y = a.y + row * columns;
            for (Index c = c0; c < c1; ++c) y[c] = Y(0);
            for (I k = a.indptr[row], stop = a.indptr[row + 1]; k < stop; ++k) {
                const Y value = cast<Y>(a.data[k]);
                const X* x = a.x + Index(a.indices[k]) * columns;
                for (Index c = c0; c < c1; ++c) semiring<Y>::add(y[c], value, cast<Y>(x[c]));
            }
            begin += c1 - c0;
        }
    }
};

// rows[k] of every stored entry: the row in whose range of indptr it lies.
template <class I, class Index>
struct expand_indptr {
    struct Args {
        const I* indptr;
        I* rows;
        int64_t n;
    };
    HD static void at(Index k, const Args& a) {
        Index lo = 0, hi = Index(a.n);          // the last row whose start is at most k
        while (lo < hi) {
            const Index mid = lo + (hi - lo) / 2;
            if (a.indptr[mid + 1] <= I(k)) lo = mid + 1;
            else hi = mid;
        }
        a.rows[k] = I(lo);
    }
};

// out[i] = the element (rows[i], cols[i]) of a matrix with sorted rows and no duplicates, zero where nothing is stored.
template <class A, class I, class Index>
struct csr_find {
    struct Args {
        const A* data;
        const I* indices;
        const I* indptr;
        const int64_t* rows;
        const int64_t* cols;
        A* out;
    };
    HD static void at(Index i, const Args& a) {
        I lo = a.indptr[a.rows[i]];
        const I end = a.indptr[a.rows[i] + 1], col = I(a.cols[i]);
        for (I hi = end; lo < hi;) {
            const I mid = lo + (hi - lo) / 2;
            if (a.indices[mid] < col) lo = mid + 1;
            else hi = mid;
        }
        a.out[i] = lo < end && a.indices[lo] == col ? a.data[lo] : A(0);
    }
};

}  // namespace gpusci
