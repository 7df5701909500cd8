// The image foresting transform of watershed.h on a GPU: all of it but the order of turns, which watershed_turns.h finds.
//
// What a pixel costs depends on no order: at most c, if steps of at most c connect it to a marker. The bits of the costs are found one
// after the other, the highest first. Pixels that agree so far are joined in a round where they differ by less than the next bit
// would add; their tree is reached if a marker is in it, or if such a step leads to it from a pixel that costs less already. The
// others cost more by that bit. (Where paths lead one way only, watershed_spread.h tells what is reached.)
//
// A pixel with a step of its own cost to one that costs less comes from a queue, as markers do: a seed. The others of a cost, joined
// by steps of at most that, are zones: the seed beside a zone that has its turn first floods all of it.
#pragma once
#include "label.h"
#include "watershed.h"

namespace gpusci {

// Costs, with the top bit set where a pixel is no seed: sorted, the seeds come first.
template <class X> struct levels_of { using type = uint16_t; };
template <> struct levels_of<uint16_t> { using type = uint32_t; };
template <class K> constexpr K no_seed = K(K(1) << (8 * sizeof(K) - 1));

// The root of a pixel's tree, while nobody joins any.
template <class P>
HD P root_of(const P* parent, P p) {
    for (P q; (q = atomic_load(parent + p)) != p; p = q) {}
    return p;
}

// several: whether there are negative labels besides the lowest one; 0 at first.
template <class X, class L, class P, class Index>
struct watershed_open {
    struct Args {
        const L* markers;
        const L* lowest;                // of all
        P* parent;
        X* cost;
        int32_t* reached;
        int32_t* several;
    };
    HD static void at(Index i, const Args& a) {
        a.parent[i] = P(i);
        a.cost[i] = 0;
        a.reached[i] = 0;
        if (a.markers[i] < 0 && a.markers[i] != *a.lowest) *a.several = 1;
    }
};

// A round is three kernels: pixels are joined, roots learn whether their trees are reached, pixels learn it from the roots.
template <class X, class P, class Index>
struct watershed_join {
    struct Args {
        const X* x;
        const X* cost;
        P* parent;
        int32_t* reached;               // the last round in which the pixel was
        int64_t bit, round;
        Steps ahead;
    };
    HD static void at(Index p, const Args& a) {
        const int own = a.cost[p];
        a.ahead.from(p, [&](int64_t q) {
            const int other = a.cost[q];
            if (grey_step(a.x, p, q) >= max_of(own, other) + int(a.bit)) return;
            if (own == other) join_trees<P, Index>(a.parent, p, Index(q));
            else a.reached[own > other ? int64_t(p) : q] = int32_t(a.round);
        });
    }
};

template <class L, class P, class Index>
struct watershed_reach {
    struct Args {
        const L* markers;
        P* parent;
        int32_t* reached;
        int64_t round;
    };
    HD static void at(Index p, const Args& a) {
        const P root = root_of(a.parent, P(p));
        a.parent[p] = root;
        const bool here = a.markers[p] != 0 || a.reached[p] == a.round;
        if (here && a.reached[root] != a.round) a.reached[root] = int32_t(a.round);
    }
};

template <class X, class P, class Index>
struct watershed_narrow {
    struct Args {
        X* cost;
        P* parent;                      // its root; then each pixel is its own
        const int32_t* reached;
        int64_t bit, round;
    };
    HD static void at(Index p, const Args& a) {
        if (a.reached[a.parent[p]] != a.round) a.cost[p] = X(a.cost[p] + a.bit);
        a.parent[p] = P(p);
    }
};

template <class X, class L, class Index>
struct watershed_seeds {
    using K = typename levels_of<X>::type;
    struct Args {
        const X* x;
        const L* markers;
        const X* cost;
        K* level;
        Steps steps;
    };
    HD static void at(Index p, const Args& a) {
        const int own = a.cost[p];
        bool seed = a.markers[p] != 0;
        a.steps.to(p, [&](int64_t q) { seed = seed || (a.cost[q] < own && grey_step(a.x, p, q) == own); });
        a.level[p] = seed ? K(own) : K(K(own) | no_seed<K>);
    }
};

template <class X, class P, class Index>
struct watershed_zones {
    using K = typename levels_of<X>::type;
    struct Args {
        const X* x;
        const K* level;
        P* parent;
        Steps ahead;
    };
    HD static void at(Index p, const Args& a) {
        const K own = a.level[p];
        if (own < no_seed<K>) return;
        a.ahead.from(p, [&](int64_t q) {
            if (a.level[q] == own && grey_step(a.x, p, q) <= int(own ^ no_seed<K>)) join_trees<P, Index>(a.parent, p, Index(q));
        });
    }
};

// Pixels of zones learn their roots, and nobody has had a turn.
template <class P, class Index>
struct watershed_roots {
    struct Args {
        P* parent;
        P* turn;
    };
    HD static void at(Index p, const Args& a) {
        a.parent[p] = root_of(a.parent, P(p));
        a.turn[p] = P(-1);
    }
};

// How many seeds have the item's level or a lower one.
template <class X, class Index>
struct watershed_until {
    using K = typename levels_of<X>::type;
    struct Args {
        const K* level;
        const int64_t* order;           // sorts it
        int64_t* until;
        int64_t n;
    };
    HD static void at(Index i, const Args& a) {
        int64_t low = 0;
        for (int64_t high = a.n; low < high;) {
            const int64_t middle = (low + high) / 2;
            if (int64_t(a.level[a.order[middle]]) <= int64_t(i)) low = middle + 1;
            else high = middle;
        }
        a.until[i] = low;
    }
};

// named: the label of each turn. What no path reaches has had none.
template <class L, class P, class Index>
struct watershed_labels {
    struct Args {
        const P* parent;
        const P* turn;
        const L* named;
        L* label;
    };
    HD static void at(Index p, const Args& a) {
        const P turn = a.turn[a.parent[p]];
        a.label[p] = turn == P(-1) ? L(0) : a.named[turn];
    }
};

}  // namespace gpusci
