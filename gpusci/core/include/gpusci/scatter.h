// x[index arrays and slices] = value, one work item per element of the grid; where several items name one element, the
// last in C order wins, on every device and in every run.
// Method: before the write, each combination of the index arrays (not each element) claims its cell of the indexed axes
// with an atomic maximum of its position; an item writes only where its combination holds the claim. The table of claims
// is the lattice of the indexed axes itself (only the named cells are cleared, so that the cost is that of the indices),
// or an open-addressing hash table when the lattice is much larger. Left out when no two items can differ in value.
#pragma once
#include "atomics.h"
#include "index_map.h"

namespace gpusci {

// Cells and their claims. P is the integer type that holds a position.
template <class P>
struct Claims {
    P* winner;
    int64_t* key;               // null: the slot of a cell is the cell's own number
    int64_t mask;               // slots of the hash table - 1; a power of two less one, at least half of it free

    HD int64_t first(int64_t cell) const {
        return int64_t((uint64_t(cell) * 0x9e3779b97f4a7c15ull) >> 20) & mask;      // Fibonacci hashing, 2^64 / golden ratio
    }
    HD int64_t find(int64_t cell) const {
        if (!key) return cell;
        int64_t s = first(cell);
        while (key[s] != cell) s = (s + 1) & mask;
        return s;
    }
    HD int64_t insert(int64_t cell) const {
        if (!key) return cell;
        int64_t s = first(cell);
        for (;;) {
            const int64_t seen = atomic_cas(key + s, int64_t(-1), cell);
            if (seen == -1 || seen == cell) return s;
            s = (s + 1) & mask;
        }
    }
};

template <int K, class Index>
HD int64_t cell_number(const Index (&p)[K], const int64_t (&lattice)[K]) {
    int64_t cell = 0;
#pragma unroll
    for (int k = 0; k < K; ++k) cell += int64_t(p[k]) * lattice[k];
    return cell;
}

// One work item per combination of the index arrays. Two passes: reset the cells that are named, then claim them.
template <class P, class I, int K, int R, bool Reset, class Index>
struct claim {
    struct Args {
        int64_t lattice[K];
        Claims<P> claims;
        IndexMap<I, K, R> map;
    };
    HD static void at(Index i, const Args& a) {
        Index c[R], p[K];
        coordinates<R>(i, a.map.shape, c);
        if (!a.map.positions(c, p)) return;
        const int64_t cell = cell_number<K>(p, a.lattice);
        if constexpr (Reset) a.claims.winner[cell] = P(-1);         // racing writes of one value
        else atomic_max(a.claims.winner + a.claims.insert(cell), P(i));
    }
};

template <class T, class P, class I, int K, int R, class Index>
struct scatter {
    struct Args {
        T* x;
        const T* value;             // null: every element gets `bits`
        int64_t bits[2];
        int64_t stride[R], step[K];
        int64_t vstride[R];
        int64_t pstride[R];         // position among the combinations of the index arrays
        int64_t lattice[K];
        Claims<P> claims;           // winner null: no claims were made
        IndexMap<I, K, R> map;
    };
    HD static void at(Index i, const Args& a) {
        Index c[R], p[K];
        coordinates<R>(i, a.map.shape, c);
        if (!a.map.positions(c, p)) return;
        if (a.claims.winner) {
            const int64_t slot = a.claims.find(cell_number<K>(p, a.lattice));
            if (a.claims.winner[slot] != P(inner<R>(c, a.pstride))) return;
        }
        Index to = inner<R>(c, a.stride);
#pragma unroll
        for (int k = 0; k < K; ++k) to += p[k] * Index(a.step[k]);
        a.x[to] = a.value ? a.value[inner<R>(c, a.vstride)] : from_bits(a.bits);
    }
    HD static T from_bits(const int64_t (&bits)[2]) {
        if constexpr (same<T, quad>::value) return quad{uint64_t(bits[0]), uint64_t(bits[1])};
        else return T(bits[0]);
    }
};

}  // namespace gpusci
