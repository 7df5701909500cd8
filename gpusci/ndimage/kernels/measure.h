// Statistics over labelled regions in one pass. Pixels of a label mostly come in runs along a line, so a work item walks a
// piece of a line, gathers a run in registers and touches the table once a run. On CUDA a warp takes a piece together, with
// coalesced loads, and sums gather in shared memory.
#pragma once
#include <gpusci/dynamic_shared.h>

#include "regions.h"

#if !defined(GPUSCI_CUDA)
#include <vector>
#endif

namespace gpusci {

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

template <class Field, class X, class L, bool real, class Index>
struct measure {
    struct Args {
        const X* x;                         // null: only labels are counted
        const L* labels;
        int64_t n;
        Slots<real> slots;
        typename Field::Table table;
    };
    HD static X value(const Args& a, int64_t i) { return a.x ? a.x[i] : X(0); }

    template <bool shared>
    HD static void walk(int64_t begin, int64_t end, const Args& a) {
        const auto slots = a.slots.settled();
        L label = a.labels[begin];
        int64_t slot = slots.find(label);
        auto run = Field::begin();
        for (int64_t i = begin; i < end; ++i) {
            if (!(a.labels[i] == label)) {
                if (slot >= 0) Field::template give<shared>(a.table, slot, run);
                label = a.labels[i];
                slot = slots.find(label);
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
        if (first > 0 || last < a.n) scan<true>(first, last, a);
        else scan<false>(first, last, a);           // nobody else writes to the table
    }
    template <bool shared> static void scan(int64_t begin, int64_t end, const Args& a) {
        if constexpr (same<Field, SumField<X>>::value)
            if (a.x && !a.slots.keys && a.slots.count <= (end - begin) / 4) return sums<shared>(begin, end, a);
        walk<shared>(begin, end, a);
    }
    // Every pixel to a table of its own, those of no region to a spare entry: no branch for noisy labels to mispredict. A short
    // table has four copies that take turns, or additions to one entry would wait for each other.
    template <bool shared> static void sums(int64_t begin, int64_t end, const Args& a) {
        const auto& t = a.table;
        const size_t count = size_t(a.slots.count), shift = count < 4096 ? 2 : 0, copies = size_t(1) << shift;
        std::vector<double> sum((count + 1) << shift), centre(count + 1);
        std::vector<int64_t> pixels((count + 1) << shift);
        if (t.centre) std::copy(t.centre, t.centre + count, centre.begin());
        for (int64_t i = begin; i < end; ++i) {
            const size_t slot = std::min(size_t(a.labels[i]) - size_t(a.slots.first), count);
            const size_t entry = slot << shift | (size_t(i) & (copies - 1));
            const double v = double(a.x[i]) - centre[slot];
            sum[entry] += t.centre ? v * v : v;
            ++pixels[entry];
        }
        for (size_t k = 0; k < count; ++k) {
            typename SumField<X>::Run run = {0, 0.0};
            for (size_t e = k << shift; e < (k + 1) << shift; ++e) run = {run.count + pixels[e], run.sum + sum[e]};
            if (run.count) SumField<X>::template give<shared>(t, k, run);
        }
    }
#endif
};

#if defined(GPUSCI_CUDA)
// Sums with many pixels in flight. A warp takes 32 columns of an image `width` wide and goes down ROWS rows; a lane keeps its
// run while its label stays. Runs go to a table of the block's own in shared memory, where one fits (copies > 0; several
// copies where there are few regions, else threads would wait for each other), and from there to everybody's at the end.
template <class X, class L, bool real, class Index>
struct measure_sums {
    static constexpr int threads = 1024, WARPS = threads / 32, ROWS = 32, BATCH = sizeof(X) + sizeof(L) > 8 ? 4 : 8;
    static constexpr int FOLLOWERS = 4;     // lanes that had to wait for others of their slot, from which merging them pays
    static constexpr unsigned ALL = 0xffffffffu;
    struct Args : measure<SumField<X>, X, L, real, Index>::Args {
        int64_t width, blocks, copies;
    };

    // The shared table: sums, then counts, of those that are wanted; entry = slot * copies + copy.
    __device__ static int entries(const Args& a) { return int(a.slots.count) * int(a.copies); }
    __device__ static uint32_t* counts(const Args& a) {
        return reinterpret_cast<uint32_t*>(dynamic_shared<double>() + (a.table.sum ? entries(a) : 0));
    }
    __device__ static void clear(const Args& a) {
        for (int e = threadIdx.x; e < entries(a); e += threads) {
            if (a.table.sum) dynamic_shared<double>()[e] = 0;
            if (a.table.count) counts(a)[e] = 0;
        }
    }
    // Lanes side by side add the copies of a slot up.
    __device__ static void spill(const Args& a) {
        const int copies = int(a.copies), group = min_of(copies, 32), lane = threadIdx.x % group;
        for (int first = 0; first < int(a.slots.count); first += threads / group) {
            const int slot = first + threadIdx.x / group;
            double sum = 0;
            unsigned count = 0;
            if (slot < int(a.slots.count)) {
                for (int e = slot * copies + lane; e < (slot + 1) * copies; e += group) {
                    if (a.table.sum) sum += dynamic_shared<double>()[e];
                    if (a.table.count) count += counts(a)[e];
                }
            }
            for (int step = group / 2; step; step /= 2) {
                sum += __shfl_xor_sync(ALL, sum, step);
                count += __shfl_xor_sync(ALL, count, step);
            }
            if (lane || slot >= int(a.slots.count)) continue;
            if (a.table.sum && sum != 0) atomic_add(a.table.sum + slot, sum);
            if (a.table.count && count) atomic_add(a.table.count + slot, int64_t(count));
        }
    }

    // Runs to the table, from the lanes with a slot.
    __device__ static void give(const Args& a, Index slot, int count, double sum) {
        const int lane = threadIdx.x % 32;
        const Index before = __shfl_up_sync(ALL, slot, 1);
        const bool head = lane == 0 || before != slot;
        if (__popc(__ballot_sync(ALL, !head && slot >= 0)) >= FOLLOWERS) {
            // Lanes of one slot that follow each other are summed into the first of them.
            const unsigned heads = __ballot_sync(ALL, head), above = lane == 31 ? 0u : heads & (ALL << (lane + 1));
            const int end = above ? __ffs(int(above)) - 1 : 32;
            for (int step = 1; step < 32; step *= 2) {
                const double s = __shfl_down_sync(ALL, sum, step);
                const int c = __shfl_down_sync(ALL, count, step);
                if (lane + step < end) {
                    sum += s;
                    count += c;
                }
            }
            if (!head) slot = -1;
        }
        if (slot < 0) return;
        if (!a.copies) return SumField<X>::give(a.table, slot, {count, sum});
        const int entry = int(slot) * int(a.copies) + (threadIdx.x & (int(a.copies) - 1));
        if (a.table.sum) atomicAdd(dynamic_shared<double>() + entry, sum);
        if (a.table.count) atomicAdd(counts(a) + entry, unsigned(count));
    }

    struct Run {
        L label;
        Index slot;
        int count;
        double sum, centre;
        __device__ void start(const Args& a, const Slots<real>& slots, L here) {
            label = here;
            slot = Index(slots.find(here));
            count = 0;
            sum = 0;
            centre = a.table.centre && slot >= 0 ? a.table.centre[slot] : 0;
        }
        __device__ void take(const Args& a, X x) {
            const double v = double(x) - centre;
            ++count;
            sum += a.table.centre ? v * v : v;
        }
    };

    // `rows` rows of a lane's column, from pixel `i`.
    __device__ static void column(const Args& a, const Slots<real>& slots, Index i, int rows) {
        Run run = {L(0), -1, 0, 0, 0};
        for (int r = 0; r < ROWS; r += BATCH) {
            L label[BATCH];
            X x[BATCH];
#pragma unroll
            for (int k = 0; k < BATCH; ++k) {
                const bool in = r + k < rows;
                label[k] = in ? a.labels[i + Index(r + k) * Index(a.width)] : run.label;
                x[k] = in && a.x ? a.x[i + Index(r + k) * Index(a.width)] : X(0);
            }
            if (r == 0 && rows > 0) run.start(a, slots, label[0]);
            bool changes = false;
#pragma unroll
            for (int k = 0; k < BATCH; ++k) changes = changes || !(label[k] == run.label);
            if (!__any_sync(ALL, changes)) {
#pragma unroll
                for (int k = 0; k < BATCH; ++k)
                    if (r + k < rows && run.slot >= 0) run.take(a, x[k]);
                continue;
            }
#pragma unroll 1
            for (int k = 0; k < BATCH; ++k) {
                const bool change = !(label[0] == run.label), over = change && run.count;
                if (__any_sync(ALL, over)) give(a, over ? run.slot : Index(-1), run.count, run.sum);
                if (change) run.start(a, slots, label[0]);
                if (r + k < rows && run.slot >= 0) run.take(a, x[0]);
#pragma unroll
                for (int j = 1; j < BATCH; ++j) {       // the next one to the front: registers have no indexes
                    label[j - 1] = label[j];
                    x[j - 1] = x[j];
                }
            }
        }
        give(a, run.count ? run.slot : Index(-1), run.count, run.sum);
    }

    __device__ static void block(Index b, const Args& a) {
        const auto slots = a.slots.settled();
        const int64_t strips = (a.width + 31) / 32, rows = (a.n + a.width - 1) / a.width, tasks = strips * ((rows + ROWS - 1) / ROWS);
        if (a.copies) {
            clear(a);
            __syncthreads();
        }
        for (int64_t t = int64_t(b) * WARPS + threadIdx.x / 32; t < tasks; t += a.blocks * WARPS) {
            const int64_t row = t / strips * ROWS, x = t % strips * 32 + threadIdx.x % 32, i = row * a.width + x;
            int left = int(min_of(rows - row, int64_t(ROWS)));
            if (i + (left - 1) * a.width >= a.n) --left;        // the last row may be short
            column(a, slots, Index(i), x < a.width ? left : 0);
        }
        if (a.copies) {
            __syncthreads();
            spill(a);
        }
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

// Sums of the lower and the upper 32 bits of pieces of integers of 64 bits, which do not overflow.
template <class X, class Index>
struct half_sums {
    struct Args { const X* x; int64_t* low; int64_t* high; int64_t n, piece; };
    HD static void at(Index i, const Args& a) {
        const int64_t first = int64_t(i) * a.piece, last = min_of(first + a.piece, a.n);
        int64_t low = 0, high = 0;
        for (int64_t j = first; j < last; ++j) {
            low += int64_t(uint64_t(a.x[j]) & 0xffffffffu);
            high += int64_t(a.x[j] >> 32);
        }
        a.low[i] = low;
        a.high[i] = high;
    }
};

}  // namespace gpusci
