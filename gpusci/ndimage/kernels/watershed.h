// Watershed by the image foresting transform: a pixel costs the largest step of grey on its cheapest path from a marker, and has
// the label of the first path of that cost (Falcao, Stolfi and Lotufo, "The image foresting transform: theory, algorithms, and
// applications", IEEE PAMI 26 (2004) 19; Lotufo and Falcao, "The ordered queue and the optimality of the watershed approaches",
// ISMM 2000). First is what a queue for each cost says: positive labels are put at its front and taken from there, the latest first;
// negative ones wait at its end, first come, first served. Markers come in C order. Neighbours are pixels whose places in the flat
// array differ by a step, as in SciPy: rows continue in the next row. Here: what pixels do on their own, and the whole of it on
// the host, one pixel after the other; watershed_block.h has it for a GPU.
#pragma once
#include <gpusci/atomics.h>

#if !defined(GPUSCI_CUDA)
#include <cstdlib>
#endif

namespace gpusci {

// A pixel's state: the cost of its best path so far plus 1 above, who offered it below. 0 above: it is done.
struct path {
    static constexpr int shift = 47;
    static constexpr uint64_t none = ~uint64_t(0);
    HD static uint64_t of(int cost, int64_t turn) { return uint64_t(cost + 1) << shift | uint64_t(turn); }
    HD static int cost(uint64_t state) { return int(state >> shift) - 1; }
    HD static int64_t turn(uint64_t state) { return int64_t(state & ((uint64_t(1) << shift) - 1)); }
};

// Pixels on their own: labels of the markers, and these in the queue of cost 0. before[i]: markers up to pixel i.
template <class L, class P, class Index>
struct watershed_start {
    struct Args {
        const L* markers;
        const int64_t* before;
        L* label;
        uint64_t* state;
        P* queue;
        int32_t* seen;
    };
    HD static void at(Index i, const Args& a) {
        const L marker = a.markers[i];
        a.label[i] = marker;
        a.state[i] = marker != 0 ? path::of(0, 0) : path::none;
        a.seen[i] = 0;
        if (marker != 0) a.queue[a.before[i] - 1] = P(i);
    }
};

// How many pairs of neighbours differ by each grey; in several tables, since most pairs differ by little.
template <class X, class Index>
struct watershed_pairs {
    struct Args {
        const X* x;
        int64_t* pairs;                 // [tables][greys]
        const int64_t* steps;           // above 0, each once
        int64_t count, tables, greys, n;
    };
    HD static void at(Index i, const Args& a) {
        int64_t* pairs = a.pairs + int64_t(i) / 32 % a.tables * a.greys;
        for (int k = 0; k < int(a.count); ++k) {
            const int64_t j = i + a.steps[k];
            if (j >= a.n) continue;
            const int d = int(a.x[i]) - int(a.x[j]);
            if (d != 0) atomic_add(pairs + (d < 0 ? -d : d), int64_t(1));
        }
    }
};

// The same on the host, pixel by pixel. One work item.
template <class X, class L, class P, class Index>
struct watershed_in_turn {
    struct Args {
        const X* x;
        const L* markers;
        L* label;
        int32_t* cost;                  // -1: done
        P *next, *previous;         // in the pixel's queue, -1 at its ends
        P *first, *last;                // of each queue
        const int64_t* steps;           // each once
        int64_t count, greys, n;
    };
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void enter(P q, int32_t cost, const Args& a) {
        const bool front = a.label[q] > 0;
        const P other = front ? a.first[cost] : a.last[cost];
        (front ? a.next : a.previous)[q] = other;
        (front ? a.previous : a.next)[q] = -1;
        if (other >= 0) (front ? a.previous : a.next)[other] = q;
        if (front || other < 0) a.first[cost] = q;
        if (!front || other < 0) a.last[cost] = q;
        a.cost[q] = cost;
    }
    static void leave(P q, const Args& a) {
        const P before = a.previous[q], after = a.next[q];
        (before >= 0 ? a.next[before] : a.first[a.cost[q]]) = after;
        (after >= 0 ? a.previous[after] : a.last[a.cost[q]]) = before;
    }
    static void at(Index, const Args& a) {
        const int32_t none = int32_t(a.greys);
        for (P c = 0; c < P(a.greys); ++c) a.first[c] = a.last[c] = -1;
        for (P i = 0; i < P(a.n); ++i) {
            a.label[i] = a.markers[i];
            a.cost[i] = none;
            if (a.label[i] != 0) enter(i, 0, a);
        }
        for (int32_t level = 0; level < none; ++level)
            for (P p; (p = a.first[level]) >= 0;) {
                leave(p, a);
                a.cost[p] = -1;
                for (int k = 0; k < int(a.count); ++k) {
                    const int64_t q = p + a.steps[k];
                    if (q < 0 || q >= a.n) continue;
                    const int32_t d = std::abs(int32_t(a.x[p]) - int32_t(a.x[q])), cost = max_of(d, level);
                    if (cost >= a.cost[q]) continue;
                    if (a.cost[q] < none) leave(P(q), a);
                    a.label[q] = a.label[p];
                    enter(P(q), cost, a);
                }
            }
    }
#endif
};

}  // namespace gpusci
