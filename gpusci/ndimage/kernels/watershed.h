// Watershed by the image foresting transform: a pixel costs the largest step of grey on its cheapest path from a marker, and has
// the label of the first path of that cost (Falcao, Stolfi and Lotufo, "The image foresting transform: theory, algorithms, and
// applications", IEEE PAMI 26 (2004) 19; Lotufo and Falcao, "The ordered queue and the optimality of the watershed approaches",
// ISMM 2000). First is what a queue for each cost says: positive labels are put at its front and taken from there, the latest first;
// negative ones wait at its end, first come, first served. Markers come in C order. Neighbours are pixels whose places in the flat
// array differ by a step, as in SciPy: rows continue in the next row. Here it is for the host, one pixel after the other;
// watershed_zones.h has it for a GPU.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

// How much two pixels differ.
template <class X> HD int grey_step(const X* x, int64_t p, int64_t q) {
    const int d = int(x[p]) - int(x[q]);
    return d < 0 ? -d : d;
}

// From a pixel to its neighbours.
struct Steps {
    const int64_t* by;                  // each once, none of them 0
    int64_t count, n;                   // n: pixels

    // Calls take(q) for the neighbours of p.
    template <class Take> HD void from(int64_t p, Take take) const {
        for (int k = 0; k < int(count); ++k) pass(p + by[k], take);
    }
    // And for those whose neighbour it is.
    template <class Take> HD void to(int64_t p, Take take) const {
        for (int k = 0; k < int(count); ++k) pass(p - by[k], take);
    }
    template <class Take> HD void pass(int64_t q, Take take) const {
        if (q >= 0 && q < n) take(q);
    }
};

// One work item.
template <class X, class L, class P, class Index>
struct watershed_in_turn {
    struct Args {
        const X* x;
        const L* markers;
        L* label;
        int32_t* cost;                  // -1: done
        P *next, *previous;         // in the pixel's queue, -1 at its ends
        P *first, *last;                // of each queue
        int64_t greys;
        Steps steps;
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
        for (P i = 0; i < P(a.steps.n); ++i) {
            a.label[i] = a.markers[i];
            a.cost[i] = none;
            if (a.label[i] != 0) enter(i, 0, a);
        }
        for (int32_t level = 0; level < none; ++level)
            for (P p; (p = a.first[level]) >= 0;) {
                leave(p, a);
                a.cost[p] = -1;
                a.steps.from(p, [&](int64_t q) {
                    const int32_t cost = max_of(grey_step(a.x, p, q), level);
                    if (cost >= a.cost[q]) return;
                    if (a.cost[q] < none) leave(P(q), a);
                    a.label[q] = a.label[p];
                    enter(P(q), cost, a);
                });
            }
    }
#endif
};

}  // namespace gpusci
