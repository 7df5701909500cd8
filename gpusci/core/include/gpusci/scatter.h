// x[index arrays and slices] = value, one work item per element of the grid; where several items name one element, the
// last in C order wins, on every device and in every run.
// Method: before the write, each combination of the index arrays (not each element) claims its cell of the indexed axes
// with an atomic maximum of its position; an item writes only where its combination holds the claim. The table of claims
// is the lattice of the indexed axes itself (only the named cells are cleared, so that the cost is that of the indices),
// or an open-addressing hash table when the lattice is much larger. Left out when no two items can differ in value.
#pragma once
#include "index_map.h"

namespace gpusci {

// P is int32_t or int64_t. No order among them is needed: the next launch reads the results.
template <class P>
HD void atomic_max(P* cell, P value) {
#if defined(GPUSCI_CUDA)
    using Word = choose_t<sizeof(P) == 4, int, long long>;
    ::atomicMax(reinterpret_cast<Word*>(cell), Word(value));
#else
    P seen = __atomic_load_n(cell, __ATOMIC_RELAXED);
    while (seen < value && !__atomic_compare_exchange_n(cell, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}
HD int64_t atomic_cas(int64_t* cell, int64_t expected, int64_t value) {
#if defined(GPUSCI_CUDA)
    using Word = unsigned long long;
    return int64_t(::atomicCAS(reinterpret_cast<Word*>(cell), Word(expected), Word(value)));
#else
    __atomic_compare_exchange_n(cell, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
#endif
}

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
        const int64_t cell = inner<K>(p, a.lattice);
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
            const int64_t slot = a.claims.find(inner<K>(p, a.lattice));
            if (a.claims.winner[slot] != P(inner<R>(c, a.pstride))) return;
        }
        a.x[inner<R>(c, a.stride) + inner<K>(p, a.step)] = a.value ? a.value[inner<R>(c, a.vstride)] : from_bits(a.bits);
    }
    HD static T from_bits(const int64_t (&bits)[2]) {
        if constexpr (same<T, quad>::value) return quad{uint64_t(bits[0]), uint64_t(bits[1])};
        else return T(bits[0]);
    }
};

}  // namespace gpusci
