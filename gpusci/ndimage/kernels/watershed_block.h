// The image foresting transform of watershed.h on a GPU, with the same labels.
//
// Take one cost, a level, with all that is cheaper done. A positive seed in its queue floods everything around it that steps of at
// most the level reach, before the next seed has its turn. So each connected region of pixels not yet reached has the label of
// that seed next to it whose turn is first, in whatever order its pixels are visited: a flood by atomic minima of the seeds'
// turns. Negative seeds then grow by waves, where of two pixels that want a third the one that stands first in its wave has
// it. Last, all pixels of the level, in the order of their turns, offer their neighbours dearer paths: again an atomic minimum,
// of cost and turn. Pixels that have one seed have one label, so their order among each other never shows.
//
// One block does all of it: a level's steps are too short for any but a block's own barriers. The queues lie one after the other in
// one array. A queue has room for as many pixels as there are pairs of neighbours that differ by its cost: only such a pair puts
// a pixel in, and only from the side that is done first. A pixel that has found a cheaper path meanwhile is passed over.
#pragma once
#include "watershed.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

// P: numbers of pixels.
template <class X, class L, class P, class Index>
struct watershed_block {
    static constexpr int threads = 1024, warps = threads / 32;
    static constexpr int room = 2 * threads, room_bits = 11;    // pixels that wait to be put into queues
    struct Args {
        const X* x;
        const int64_t* before;          // the last one: how many markers
        L* label;
        uint64_t* state;
        P* front;                       // of a flood; every other one is in `order`
        P* flooded;                     // from a level's positive seeds on
        P* order;                       // all pixels of a level by their turns
        P* turns;                       // how many pixels each turn has, then where its next one goes
        P* seed;                        // whose turn it is
        int32_t* seen;                  // the last front that the pixel was in
        P* queues;                      // cost 0 has the beginning, until there are others
        P* filled;                      // [greys] pixels in each queue
        const int64_t* until;           // [greys] where its room ends
        const int64_t* steps;           // each once, none of them 0
        int64_t count, greys, n;
    };
    struct Shared {
        P sums[2][warps];
        int64_t flooded, next;          // how many there are
        int level;
        uint32_t key[room];             // cost and number of a pixel that waits
        P pixel[room];
    };
    struct Pair {
        P p, q;
        int step;                       // of grey, between them
    };
    // A thread's pairs of pixels and neighbours, one in `threads`: without a division for each.
    struct Walk {
        int64_t at;
        int k;
        __device__ Walk(const Args& a) : at(threadIdx.x / int(a.count)), k(threadIdx.x % int(a.count)) {}
        __device__ void advance(const Args& a) {
            at += threads / int(a.count);
            k += threads % int(a.count);
            if (k >= int(a.count)) k -= int(a.count), ++at;
        }
    };

    const Args& a;
    Shared& s;
    int parity = 0, level = 0, waiting = 0;
    int32_t fronts = 0;
    int64_t base = 0;                   // turns of the levels before

    __device__ watershed_block(const Args& args, Shared& shared) : a(args), s(shared) {}

    __device__ static int64_t bump(int64_t* p) { return int64_t(atomicAdd(reinterpret_cast<unsigned long long*>(p), 1ull)); }
    __device__ static int32_t bump(int32_t* p) { return atomicAdd(p, 1); }
    __device__ uint64_t look(P q) const { return uint64_t(atomic_load(reinterpret_cast<const int64_t*>(a.state + q))); }

    // The sum of the values of the threads before this one, and of all. All threads of the block call it.
    __device__ P sum_before(P value, P& total) {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        P* sums = s.sums[parity ^= 1];              // two, so that one barrier is enough
        const P own = scan(value, lane);
        if (lane == 31) sums[warp] = own;
        __syncthreads();
        const P all = scan(sums[lane], lane);
        total = __shfl_sync(0xffffffffu, all, 31);
        const P below = __shfl_sync(0xffffffffu, all, (warp + 31) % 32);
        return (warp > 0 ? below : P(0)) + own - value;
    }
    __device__ static P scan(P sum, int lane) {
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const P other = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum += other;
        }
        return sum;
    }

    __device__ bool pair(const P* pixels, const Walk& walk, Pair& out) const {
        out.p = pixels[walk.at];
        const int64_t q = out.p + a.steps[walk.k];
        if (q < 0 || q >= a.n) return false;
        out.q = P(q);
        const int d = int(a.x[out.p]) - int(a.x[q]);
        out.step = d < 0 ? -d : d;
        return true;
    }

    // The queue's pixels that have found no cheaper path: positive ones to `flooded`, negative ones to the queue's beginning. All
    // are done; the turn of a positive one is its place counted from the end. Returns how many are negative.
    __device__ int64_t take_seeds(P* queue, int64_t length) {
        int64_t negative = 0;
        if (threadIdx.x == 0) s.flooded = 0;
        __syncthreads();
        for (int64_t start = 0; start < length; start += threads) {
            const int64_t j = start + threadIdx.x;
            P q = 0;
            bool live = false, positive = false;
            if (j < length) {
                q = queue[j];
                a.turns[j] = 0;
                live = path::cost(a.state[q]) == level;
                positive = live && a.label[q] > 0;
            }
            P all;
            const P before = sum_before(live && !positive, all);    // its barrier also ends the reading of this part
            if (live) a.state[q] = uint64_t(length - 1 - j);
            if (positive) {
                a.seed[length - 1 - j] = q;
                a.flooded[bump(&s.flooded)] = q;
            } else if (live) queue[negative + before] = q;
            negative += all;
        }
        __syncthreads();
        return negative;
    }

    // From the positive seeds on; who learns of an earlier turn tells its neighbours again.
    __device__ void flood() {
        const P* front = a.flooded;
        bool even = false;
        for (int64_t size = s.flooded; size > 0; even = !even) {
            P* next = even ? a.order : a.front;
            __syncthreads();
            if (threadIdx.x == 0) s.next = 0;
            __syncthreads();
            ++fronts;
            for (Walk walk(a); walk.at < size; walk.advance(a)) {
                Pair e;
                if (!pair(front, walk, e) || e.step > level) continue;
                const uint64_t offer = path::of(level, path::turn(look(e.p)));
                if (offer >= look(e.q)) continue;
                const uint64_t old = atomic_min(a.state + e.q, offer);
                if (old <= offer) continue;
                if (path::cost(old) > level) a.flooded[bump(&s.flooded)] = e.q;
                if (atomicMax(a.seen + e.q, fronts) < fronts) next[bump(&s.next)] = e.q;
            }
            __syncthreads();
            size = s.next;
            front = next;
        }
    }

    // The flooded pixels get their labels and, by a counting sort of their turns, all below `length`, their places.
    __device__ int64_t sort_flooded(int64_t length) {
        const int64_t size = s.flooded;
        if (size == 0) return 0;
        for (int64_t i = threadIdx.x; i < size; i += threads) bump(a.turns + path::turn(a.state[a.flooded[i]]));
        __syncthreads();
        P carry = 0;
        for (int64_t start = 0; start < length; start += threads) {
            const int64_t j = start + threadIdx.x;
            P all;
            const P before = sum_before(j < length ? a.turns[j] : P(0), all);
            if (j < length) a.turns[j] = carry + before;
            carry += all;
        }
        __syncthreads();
        for (int64_t i = threadIdx.x; i < size; i += threads) {
            const P q = a.flooded[i];
            const int64_t turn = path::turn(a.state[q]);
            a.order[bump(a.turns + turn)] = q;
            a.label[q] = a.label[a.seed[turn]];
            a.state[q] = 0;
        }
        __syncthreads();
        return size;
    }

    // What a pixel of `order` offers its neighbour: a path of the level's own cost (`within`), or else of a higher one.
    __device__ bool offer(int64_t from, const Walk& walk, bool within, Pair& e, uint64_t& value) const {
        if (!pair(a.order + from, walk, e) || (e.step <= level) != within) return false;
        value = path::of(within ? level : e.step, base + from + walk.at);
        return true;
    }
    __device__ void make_offers(int64_t from, int64_t to, bool within) {
        for (Walk walk(a); walk.at < to - from; walk.advance(a)) {
            Pair e;
            uint64_t value;
            if (offer(from, walk, within, e, value) && value < look(e.q)) atomic_min(a.state + e.q, value);
        }
        __syncthreads();
    }
    // What became of the offers, for all threads together: calls take(e, won, rank among those that won, how many).
    template <class Take> __device__ void settle(int64_t from, int64_t to, bool within, Take take) {
        const int64_t rounds = ((to - from) * a.count + threads - 1) / threads;
        Walk walk(a);
        for (int64_t round = 0; round < rounds; ++round, walk.advance(a)) {
            Pair e;
            uint64_t value;
            const bool won = walk.at < to - from && offer(from, walk, within, e, value) && look(e.q) == value;
            P all;
            const P before = sum_before(won, all);
            if (won) a.label[e.q] = a.label[e.p];
            take(e, won, before, all);
        }
        __syncthreads();
    }

    // The negative seeds and, wave by wave, what they reach, behind the `to` pixels in `order`.
    __device__ int64_t grow(const P* seeds, int64_t count, int64_t to) {
        for (int64_t i = threadIdx.x; i < count; i += threads) a.order[to + i] = seeds[i];
        __syncthreads();
        int64_t from = to;
        to += count;
        while (from < to) {
            int64_t tail = to;
            make_offers(from, to, true);
            settle(from, to, true, [&](const Pair& e, bool won, P before, P all) {
                if (won) {
                    a.order[tail + before] = e.q;
                    a.state[e.q] = 0;
                }
                tail += all;
            });
            from = to;
            to = tail;
        }
        return to;
    }

    // All pixels of the level put their neighbours into queues of higher cost, in their own order.
    __device__ void fill_queues(int64_t size) {
        make_offers(0, size, false);
        settle(0, size, false, [&](const Pair& e, bool won, P before, P all) {
            if (won) {
                const int i = waiting + int(before);
                s.key[i] = uint32_t(e.step) << room_bits | uint32_t(i);
                s.pixel[i] = e.q;
            }
            waiting += int(all);
            if (waiting > room - threads) flush();
        });
        if (waiting > 0) flush();
    }
    // The waiting pixels, sorted by cost and number, to their queues' ends.
    __device__ void flush() {
        int size = 2;
        while (size < waiting) size *= 2;
        for (int i = waiting + threadIdx.x; i < size; i += threads) s.key[i] = ~0u;
        __syncthreads();
        for (int k = 2; k <= size; k *= 2)
            for (int j = k / 2; j > 0; j /= 2) {                // Batcher, bitonic
                for (int t = threadIdx.x; t < size / 2; t += threads) {
                    const int low = 2 * t - (t & (j - 1)), high = low + j;
                    const uint32_t u = s.key[low], v = s.key[high];
                    if ((u > v) == ((low & k) == 0)) s.key[low] = v, s.key[high] = u;
                }
                __syncthreads();
            }
        for (int i = threadIdx.x; i < waiting; i += threads) {
            const int cost = int(s.key[i] >> room_bits);
            a.queues[a.until[cost - 1] + a.filled[cost] + i - run_start(i)] = s.pixel[s.key[i] & (room - 1)];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < waiting; i += threads) {
            const int cost = int(s.key[i] >> room_bits);
            if (i + 1 == waiting || int(s.key[i + 1] >> room_bits) != cost) a.filled[cost] += i + 1 - run_start(i);
        }
        __syncthreads();
        waiting = 0;
    }
    // The first of the sorted keys that have the cost of the i-th.
    __device__ int run_start(int i) const {
        const uint32_t least = s.key[i] >> room_bits << room_bits;
        int low = 0;
        for (int high = i; low < high;) {
            const int middle = (low + high) / 2;
            if (s.key[middle] < least) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    // The next level that has a queue, or `greys`.
    __device__ int next_level() {
        const int greys = int(a.greys);
        int found = greys;
        for (int start = level + 1; start < greys && found == greys; start += threads) {
            if (threadIdx.x == 0) s.level = greys;
            __syncthreads();
            const int c = start + int(threadIdx.x);
            if (c < greys && a.filled[c] > 0) atomicMin(&s.level, c);
            __syncthreads();
            found = s.level;
            __syncthreads();
        }
        return found;
    }

    __device__ void run() {
        int64_t length = a.before[a.n - 1];
        P* queue = a.queues;
        while (level < int(a.greys)) {
            const int64_t negative = take_seeds(queue, length);
            flood();
            const int64_t size = grow(queue, negative, sort_flooded(length));
            fill_queues(size);
            base += size;
            if (base == a.n) return;
            level = next_level();
            if (level < int(a.greys)) {
                queue = a.queues + a.until[level - 1];
                length = a.filled[level];
            }
        }
    }
    __device__ static void block(Index, const Args& a) {
        __shared__ Shared shared;
        watershed_block(a, shared).run();
    }
};

}  // namespace gpusci
#endif
