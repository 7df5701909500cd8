// Statistics over labelled regions in one pass. Pixels of a label mostly come in runs along a line, so a work item walks a
// piece of a line, gathers a run in registers and touches the table once a run. On CUDA a warp takes a piece together, with
// coalesced loads and a segmented sum over its lanes.
#pragma once
#include <gpusci/atomics.h>

#if !defined(GPUSCI_CUDA)
#include <vector>
#endif

namespace gpusci {

// Place of a label in the table: its distance from `first` (sorted == null), or the first equal entry of a sorted list.
template <class L>
struct Slots {
    const L* sorted;
    int64_t count;
    int64_t first;
    HD int64_t find(L label) const {
        if (!sorted) {
            const int64_t s = int64_t(label) - first;
            return s >= 0 && s < count && L(int64_t(label)) == label ? s : -1;
        }
        int64_t lo = 0, hi = count;
        while (lo < hi) {
            const int64_t mid = (lo + hi) / 2;
            if (sorted[mid] < label) lo = mid + 1;
            else hi = mid;
        }
        return lo < count && sorted[lo] == label ? lo : -1;
    }
};

constexpr int MEASURE_PIECE = 128;      // pixels of a work item

// Updates of the table: atomic where several work items run at once.
template <bool shared, class T> HD void table_add(T* p, T v) {
    if constexpr (shared) atomic_add(p, v);
    else *p += v;
}
template <bool shared, class T> HD void table_min(T* p, T v) {
    if constexpr (shared) atomic_min(p, v);
    else if (v < *p) *p = v;
}
template <bool shared, class T> HD void table_max(T* p, T v) {
    if constexpr (shared) atomic_max(p, v);
    else if (v > *p) *p = v;
}

// What is accumulated. Each has: Table types, start of a run, another pixel, and the write to the table.
template <class X> struct SumField {    // count and sum (of x, or of (x - centre)^2 with a centre per slot)
    struct Table {
        int64_t* count;
        double* sum;
        const double* centre;
    };
    struct Run { int64_t count; double sum; };
    HD static Run begin() { return {0, 0.0}; }
    HD static void take(Run& r, const X& x, Table t, int64_t slot, int64_t) {
        double v = double(x);
        if (t.centre) {
            v -= t.centre[slot];
            v *= v;
        }
        ++r.count;
        r.sum += v;
    }
    template <bool shared = true> HD static void give(Table t, int64_t slot, const Run& r) {
        if (t.count) table_add<shared>(t.count + slot, r.count);
        if (t.sum) table_add<shared>(t.sum + slot, r.sum);
    }
};
template <class X> struct ExtremeField {    // smallest and largest order key
    struct Table {
        uint64_t* low;
        uint64_t* high;
        int64_t* unused;
    };
    struct Run { uint64_t low, high; };
    HD static Run begin() { return {~uint64_t(0), 0}; }
    HD static void take(Run& r, const X& x, Table, int64_t, int64_t) {
        const uint64_t k = order_key(x);
        if (k < r.low) r.low = k;
        if (k > r.high) r.high = k;
    }
    template <bool shared = true> HD static void give(Table t, int64_t slot, const Run& r) {
        if (t.low) table_min<shared>(t.low + slot, r.low);
        if (t.high) table_max<shared>(t.high + slot, r.high);
    }
};
template <class X> struct PlaceField {      // first pixel with the low key, last pixel with the high key
    struct Table {
        const uint64_t* low;
        const uint64_t* high;
        int64_t* place;                     // pairs: first of low, minus last of high
    };
    struct Run { int64_t low, high; };
    HD static Run begin() { return {int64_t(1) << 62, -1}; }
    HD static void take(Run& r, const X& x, Table t, int64_t slot, int64_t i) {
        const uint64_t k = order_key(x);
        if (k == t.low[slot] && i < r.low) r.low = i;
        if (k == t.high[slot] && i > r.high) r.high = i;
    }
    template <bool shared = true> HD static void give(Table t, int64_t slot, const Run& r) {
        if (r.low < int64_t(1) << 62) table_min<shared>(t.place + 2 * slot, r.low);
        if (r.high >= 0) table_min<shared>(t.place + 2 * slot + 1, -r.high);
    }
};

template <class Field, class X, class L, class Index>
struct measure {
    struct Args {
        const X* x;                         // null: only labels are counted
        const L* labels;
        int64_t n;
        Slots<L> slots;
        typename Field::Table table;
    };
    HD static X value(const Args& a, int64_t i) { return a.x ? a.x[i] : X(0); }

    template <bool shared>
    HD static void walk(int64_t begin, int64_t end, const Args& a) {
        L label = a.labels[begin];
        int64_t slot = a.slots.find(label);
        auto run = Field::begin();
        for (int64_t i = begin; i < end; ++i) {
            if (!(a.labels[i] == label)) {
                if (slot >= 0) Field::template give<shared>(a.table, slot, run);
                label = a.labels[i];
                slot = a.slots.find(label);
                run = Field::begin();
            }
            if (slot >= 0) Field::take(run, value(a, i), a.table, slot, i);
        }
        if (slot >= 0) Field::template give<shared>(a.table, slot, run);
    }
    HD static void at(Index item, const Args& a) {
        const int64_t begin = int64_t(item) * MEASURE_PIECE;
        walk<true>(begin, min_of(begin + MEASURE_PIECE, a.n), a);
    }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) {
        const int64_t first = int64_t(begin) * MEASURE_PIECE, last = min_of(int64_t(end) * MEASURE_PIECE, a.n);
        if (first > 0 || last < a.n) walk<true>(first, last, a);
        else if constexpr (same<Field, SumField<X>>::value) sums(a);
        else walk<false>(first, last, a);           // nobody else writes to the table
    }
    // Every pixel to the table, those of no region to a spare entry: no branch for noisy labels to mispredict.
    static void sums(const Args& a) {
        if (a.slots.sorted || !a.x || is_float<L>::value || same<L, uint64_t>::value) return walk<false>(0, a.n, a);
        const auto& t = a.table;
        const size_t count = size_t(a.slots.count);
        std::vector<double> sum(count + 1), centre(count + 1);
        std::vector<int64_t> pixels(count + 1);
        if (t.centre) std::copy(t.centre, t.centre + count, centre.begin());
        for (int64_t i = 0; i < a.n; ++i) {
            const size_t slot = std::min(size_t(a.labels[i]) - size_t(a.slots.first), count);
            const double v = double(a.x[i]) - centre[slot];
            sum[slot] += t.centre ? v * v : v;
            ++pixels[slot];
        }
        for (size_t k = 0; k < count; ++k) {
            if (t.sum) t.sum[k] = sum[k];
            if (t.count) t.count[k] = pixels[k];
        }
    }
#endif
};

#if defined(GPUSCI_CUDA)
// One warp a piece of 32 x 32 pixels: lane l takes pixels l, l + 32, ...; a lane keeps its run while its label stays, and
// lanes that hold one label merge before the table is touched.
template <class X, class L, class Index>
struct measure_sums {
    static constexpr int threads = 256;
    static constexpr int ROUNDS = 32;
    using Args = typename measure<SumField<X>, X, L, Index>::Args;

    __device__ static void give(const Args& a, int64_t slot, int64_t count, double sum) {
        const unsigned all = 0xffffffffu;
        const int lane = threadIdx.x % 32;
        // Lanes of one slot that follow each other are summed into the first of them.
        const int64_t before = __shfl_up_sync(all, slot, 1);
        const bool head = lane == 0 || before != slot;
        const unsigned heads = __ballot_sync(all, head);
        const unsigned above = lane == 31 ? 0u : heads & (0xffffffffu << (lane + 1));
        const int end = above ? __ffs(int(above)) - 1 : 32;         // first lane of the next group
        for (int step = 1; step < 32; step *= 2) {
            const double s = __shfl_down_sync(all, sum, step);
            const int64_t c = __shfl_down_sync(all, count, step);
            if (lane + step < end) {
                sum += s;
                count += c;
            }
        }
        if (head && slot >= 0 && count) SumField<X>::give(a.table, slot, {count, sum});
    }

    __device__ static void block(Index b, const Args& a) {
        const int64_t base = (int64_t(b) * (threads / 32) + threadIdx.x / 32) * (32 * ROUNDS);
        const int lane = threadIdx.x % 32;
        int64_t slot = -1, count = 0;
        double sum = 0;
        L label = L(0);
        bool known = false;
        for (int r = 0; r < ROUNDS; ++r) {
            const int64_t i = base + r * 32 + lane;
            const bool in = i < a.n;
            const L here = in ? a.labels[i] : L(0);
            const bool change = !in || !known || !(here == label);
            if (__any_sync(0xffffffffu, change)) {
                if (__any_sync(0xffffffffu, count > 0)) give(a, slot, count, sum);
                slot = in ? (known && here == label ? slot : a.slots.find(here)) : -1;
                label = here;
                known = in;
                count = 0;
                sum = 0;
            }
            if (slot >= 0) {
                double v = a.x ? double(a.x[i]) : 0.0;
                if (a.table.centre) {
                    v -= a.table.centre[slot];
                    v *= v;
                }
                ++count;
                sum += v;
            }
        }
        give(a, slot, count, sum);
    }
};
#endif

// The values behind order keys, as stored; 0 for a region that does not occur, which has low > high.
template <class Y, class Index>
struct extreme_values {
    struct Args {
        const uint64_t* low;
        const uint64_t* high;
        Y* smallest;                        // null: not wanted
        Y* largest;
    };
    HD static Y value(uint64_t k) {
        const uint64_t top = uint64_t(1) << 63;
        if constexpr (is_float<Y>::value) {
            const uint64_t nan = 0x7ff8000000000000ull, bits = k == ~uint64_t(0) ? nan : k & top ? k ^ top : ~k;
            double x;
            memcpy(&x, &bits, 8);
            return Y(x);
        } else if constexpr (Y(-1) < Y(0)) {
            return Y(int64_t(k ^ top));
        } else {
            return Y(k);
        }
    }
    HD static void at(Index i, const Args& a) {
        const bool present = a.low[i] <= a.high[i];
        if (a.smallest) a.smallest[i] = present ? value(a.low[i]) : Y(0);
        if (a.largest) a.largest[i] = present ? value(a.high[i]) : Y(0);
    }
};

}  // namespace gpusci
