// The order of turns in the image foresting transform of watershed.h, where watershed_zones.h has found costs, seeds and zones.
//
// A turn is what one label does without a break: a positive seed with the zones that it floods, or what one negative seed reaches in
// one wave. Turns are numbered in the order of the queues, level by level. The first turn among a seed's neighbours of lower
// levels put it into its queue, and gave it its label. Of the positive seeds of a queue those have their turns first that came
// last; then come the negative ones in the order in which they came. Seeds that one turn put there share theirs, since they have
// one label. So the turns of a level are the ranks of the turns by which its seeds came, which a map of bits gives.
//
// A zone belongs to the seed beside it whose turn is first, if that is positive: all of it at once. The zones that are left are shared
// by the negative seeds in waves: a pixel belongs to the first turn of the wave before that is beside it, and the ranks of these
// turns are the wave's own. Where all negative labels are one, their seeds of a level share a turn and flood like positive ones.
//
// One block does it: seeds are few beside the pixels, and a level's steps too short for any but a block's own barriers.
#pragma once
#include "watershed_front.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

// P: numbers of pixels and turns.
template <class X, class L, class P, class Index>
struct watershed_turns {
    static constexpr int threads = 1024;
    using K = typename levels_of<X>::type;
    using U = word_of<P>;
    static constexpr U none = ~U(0), offered = none / 2 + 1;     // a pixel's turn while it has none, or is offered one

    struct Args {
        const X* x;
        const L* markers;
        const K* level;
        const int64_t* order;           // seeds by level, then other pixels
        const int64_t* until;           // [levels] where each level's seeds end
        const int32_t* several;         // negative labels
        int32_t* seen;                  // the last front that the pixel was in; null if paths lead both ways
        P* parent;                      // of a zone's pixels its root, of others themselves
        U* turn;                        // of seeds, zones' roots, and pixels that waves reach
        L* named;                       // the label of each turn
        uint32_t* marks;                // the map, [n / 16 + 1], and which of its words have bits; both 0
        uint32_t* groups;
        uint32_t* kept;                 // its words while they are looked up
        P* before;                      // bits before each word
        P* room;                        // of a front
        int64_t levels;
        Steps steps;
    };
    struct Shared {
        typename Sums<P, threads>::Shared sums;
        typename Front<P>::Shared front;
    };

    const Args& a;
    const bool several;
    Sums<P, threads> sums;
    Front<P> front;
    int32_t fronts = 64;                // beyond the rounds that `seen` knows

    __device__ watershed_turns(const Args& args, Shared& s)
        : a(args), several(*a.several != 0), sums(s.sums), front(a.room, a.steps.n, s.front) {}

    __device__ U look(int64_t p) const { return U(atomic_load(reinterpret_cast<const P*>(a.turn + p))); }

    __device__ void mark(int64_t v) {
        const uint32_t bit = 1u << (v % 32);
        uint32_t* word = a.marks + v / 32;
        if (uint32_t(atomic_load(reinterpret_cast<const int32_t*>(word))) & bit) return;
        if (atomicOr(word, bit) == 0) atomicOr(a.groups + v / 1024, 1u << (v / 32 % 32));
    }
    // Counts the bits up to `range` and takes them out of the map; `rank` still knows them. All threads call it, after a barrier.
    __device__ int64_t count_marks(int64_t range) {
        const int64_t groups = (range + 1023) / 1024, share = (groups + threads - 1) / threads;
        const int64_t first = share * threadIdx.x, last = min_of(first + share, groups);
        P own = 0, all;
        for (int64_t g = first; g < last; ++g)
            for (uint32_t left = a.groups[g]; left; left &= left - 1) own += __popc(a.marks[32 * g + __ffs(left) - 1]);
        P before = sums.before(own, all);
        for (int64_t g = first; g < last; ++g) {
            for (uint32_t left = a.groups[g]; left; left &= left - 1) {
                const int64_t word = 32 * g + __ffs(left) - 1;
                const uint32_t bits = a.marks[word];
                a.before[word] = before;
                a.kept[word] = bits;
                a.marks[word] = 0;
                before += __popc(bits);
            }
            a.groups[g] = 0;
        }
        __syncthreads();
        return all;
    }
    __device__ int64_t rank(int64_t v) const {
        return a.before[v / 32] + __popc(a.kept[v / 32] & ((1u << (v % 32)) - 1));
    }

    // The first turn that can have put a seed into its queue.
    __device__ U first_beside(int64_t p, K level) const {
        U first = none;
        a.steps.to(p, [&](int64_t q) {
            const bool lower = (a.level[q] & ~no_seed<K>) < level;
            if (lower && grey_step(a.x, p, q) == int(level)) first = min_of(first, a.turn[a.parent[q]]);
        });
        return first;
    }
    // Where a seed's bit is: positive ones from the last that came, then negative ones from the first.
    __device__ int64_t place(L label, int64_t came, int64_t range) const {
        return label > 0 ? range - 1 - came : range + (several ? came : 0);
    }
    // Calls take(q) for the neighbours of p in the zones of the level.
    template <class Take> __device__ void beside(int64_t p, K level, Take take) {
        a.steps.from(p, [&](int64_t q) {
            if (a.level[q] == (level | no_seed<K>) && grey_step(a.x, p, q) <= int(level)) take(q);
        });
    }

    // The turns of a level's seeds, order[from:to], and of what they reach. Returns how many turns there are by then.
    __device__ int64_t take_level(K level, int64_t from, int64_t to, int64_t turns) {
        const int64_t range = level == 0 ? a.steps.n : turns;    // markers came in C order
        for (int64_t i = from + threadIdx.x; i < to; i += threads) {
            const int64_t p = a.order[i];
            const U came = level == 0 ? U(p) : first_beside(p, level);
            a.turn[p] = came;
            mark(place(level == 0 ? a.markers[p] : a.named[came], came, range));
        }
        __syncthreads();
        const int64_t all = count_marks(2 * range);
        ++fronts;
        for (int64_t i = from + threadIdx.x; i < to; i += threads) {
            const int64_t p = a.order[i], came = a.turn[p];
            const L label = level == 0 ? a.markers[p] : a.named[came];
            const U turn = U(turns + rank(place(label, came, range)));
            a.turn[p] = turn;
            a.named[turn] = label;
            if (label > 0 || !several) flood(p, level, turn);
        }
        if (a.seen != nullptr) flood_on(level);
        __syncthreads();
        if (!several) return turns + all;
        for (int64_t i = from + threadIdx.x; i < to; i += threads) {
            const int64_t p = a.order[i];
            if (a.named[a.turn[p]] < 0) front.add(P(p));
        }
        return grow(level, turns, turns + all);
    }

    // A turn for the zones beside p, unless they have an earlier one.
    __device__ void flood(int64_t p, K level, U turn) {
        beside(p, level, [&](int64_t q) {
            const P root = a.parent[q];
            if (turn >= look(root) || atomicMin(a.turn + root, turn) <= turn) return;
            if (a.seen != nullptr && atomicMax(a.seen + root, fronts) < fronts) front.add(root);
        });
    }
    // Where paths lead one way each pixel is a zone: who has an earlier turn than before tells its neighbours.
    __device__ void flood_on(K level) {
        for (int64_t size; (size = front.advance()) > 0;) {
            ++fronts;
            for (int64_t i = threadIdx.x; i < size; i += threads) flood(front.pixels[i], level, look(front.pixels[i]));
        }
    }

    // Waves from the negative seeds that were added to the front, whose turns are among those from `low` to `high`.
    __device__ int64_t grow(K level, int64_t low, int64_t high) {
        for (int64_t size = front.advance(); size > 0;) {
            for (int64_t i = threadIdx.x; i < size; i += threads) {
                const P p = front.pixels[i];
                const U offer = offered | a.turn[p];
                beside(p, level, [&](int64_t q) {
                    if (is_flooded(q) || offer >= look(q)) return;
                    if (atomicMin(a.turn + q, offer) == none) front.add(P(q));
                });
            }
            size = front.advance();
            for (int64_t i = threadIdx.x; i < size; i += threads) mark(int64_t(a.turn[front.pixels[i]] ^ offered) - low);
            __syncthreads();
            const int64_t all = count_marks(high - low);
            for (int64_t i = threadIdx.x; i < size; i += threads) {
                const P q = front.pixels[i];
                const int64_t came = int64_t(a.turn[q] ^ offered), turn = high + rank(came - low);
                a.turn[q] = U(turn);
                a.named[turn] = a.named[came];
                a.parent[q] = q;
            }
            __syncthreads();
            low = high;
            high += all;
        }
        return high;
    }
    // By a positive seed. A root that a wave has reached has a negative one's turn.
    __device__ bool is_flooded(int64_t q) const {
        const U turn = look(a.parent[q]);
        return turn < offered && a.named[turn] > 0;
    }

    __device__ static void block(Index, const Args& a) {
        __shared__ Shared shared;
        watershed_turns all(a, shared);
        int64_t turns = 0;
        for (int64_t from = 0, to, seeds = a.until[a.levels - 1]; from < seeds; from = to) {
            const K level = a.level[a.order[from]];
            to = a.until[level];
            turns = all.take_level(level, from, to, turns);
        }
    }
};

}  // namespace gpusci
#endif
