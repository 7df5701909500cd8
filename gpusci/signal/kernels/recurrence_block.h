// CUDA forms of recurrence.h for long lines. A warp takes a tile of 32 chunks, one a lane, through shared memory, so that
// global memory is read and written in order; the states of the chunks meet in a scan over the lanes (Kogge, Stone 1973).
// Two launches, run_tiles of Part::states and of Part::outputs: the data are read twice and written once, and each sample
// passes through the filter twice. A tile enters in the final state of the one before. Where a filter remembers longer than
// a tile, carry_tiles in between makes that state the true one. A line of one tile takes one launch, of Part::whole.
// However fast a filter forgets, a NaN stays: a mark of each tile says whether there is one, and the tiles after it look.
// A single pass with look-back (Merrill, Garland 2016) would read the data once; but it needs a launch that clears flags, and
// a tile would wait for all those before it. One block that carried through a whole line took as long as both passes: its
// double-double products keep one multiprocessor busy. The part is no template value, since a second kernel costs the first
// call more than a branch costs each.
//
// All powers come from one table of A^(32 2^level), level = 0 ..: those below `exact` are used in double-double, those up to
// `levels` in plain double, and the ones after that have vanished (_recurrence.py decides). A launch that meets none of the
// first takes kernels without them (Exact), since double-double products are a good part of what a first call compiles.
#pragma once
#include <gpusci/accumulators.h>
#include <gpusci/dynamic_shared.h>
#include "signal/kernels/recurrence.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

enum class Part : int { states, outputs, whole };
constexpr uint32_t all_lanes = ~0u;

template <int P>
__device__ __forceinline__ bool is_finite(const double* z) {
    double nothing = 0;
#pragma unroll
    for (int i = 0; i < P; ++i) nothing += 0.0 * z[i];
    return nothing == 0;
}
template <int P>
__device__ __forceinline__ void lose(double* z) {
#pragma unroll
    for (int i = 0; i < P; ++i) z[i] = quiet_nan<double>();
}

// NaN and infinity reach all lanes after them, also where powers have vanished.
template <int P>
__device__ __forceinline__ void pass_on_loss(double* z) {
    if (__ballot_sync(all_lanes, !is_finite<P>(z)) << (31 - threadIdx.x)) lose<P>(z);
}

// Global to shared memory past the registers, so that all of a warp's reads are under way at once.
template <class T>
__device__ __forceinline__ void start_copy(T* to, const T* from) {
#if defined(GPUSCI_EMULATOR) || __CUDA_ARCH__ < 800
    *to = *from;
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(uint32_t(__cvta_generic_to_shared(to))), "l"(from), "n"(sizeof(T)) : "memory");
#endif
}
__device__ __forceinline__ void start_copies(double* to, const double* from, int count) {
#pragma unroll 1
    for (int i = threadIdx.x; i < count; i += 32) start_copy(to + i, from + i);
}
__device__ __forceinline__ void finish_copies() {
#if !defined(GPUSCI_EMULATOR) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// A^(32 2^level) for level < levels; those below `exact` are used in double-double, if Exact.
template <Form form, int P, bool Exact>
struct power_table {
    static constexpr int words = transition<form, P>::words;
    const double* data;
    int64_t exact, levels;

    // s += A^m z with power `at`, which is of that level.
    __device__ __forceinline__ void advance(int level, const double* at, const twofold* z, twofold* s) const {
        if (Exact && level < exact) transition<form, P>::exact(at, z, s);
        else transition<form, P>::plain(at, z, s);
    }
    // Lane l: z becomes the sum of A^(m (l - k)) z_k over the lanes k <= l, where A^m is the power `at`.
    __device__ __forceinline__ void scan(int level, const double* at, double* z) const {
        const int steps = min_of(5, int(levels) - level);
        twofold s[P], before[P];
        for (int i = 0; i < P; ++i) s[i] = {z[i], 0.0};
#pragma unroll 1
        for (int j = 0; j < steps; ++j, at += words) {
            shift(s, before, 1 << j);
            if (int(threadIdx.x) >= 1 << j) advance(level + j, at, before, s);
        }
        for (int i = 0; i < P; ++i) z[i] = s[i].hi;
        pass_on_loss<P>(z);
    }
    __device__ static __forceinline__ void shift(const twofold* s, twofold* before, int lanes) {
        for (int i = 0; i < P; ++i) before[i].hi = __shfl_up_sync(all_lanes, s[i].hi, lanes);
        for (int i = 0; i < P; ++i) before[i].lo = Exact ? __shfl_up_sync(all_lanes, s[i].lo, lanes) : 0.0;
    }
};

// A byte a tile: whether its final state is NaN or infinite. The marks of a line begin at a multiple of 16 bytes.
__device__ __forceinline__ unsigned char* marks_of(double* marks, int64_t line, int64_t tiles) {
    return reinterpret_cast<unsigned char*>(marks) + line * ((tiles + 15) & ~15);
}
// Whether NaN or infinity comes to a line before its tile k, from another tile.
__device__ __forceinline__ bool lost_before(double* marks, int64_t line, int64_t tiles, int k) {
    const unsigned char* own = marks_of(marks, line, tiles);
    uint32_t seen = int(threadIdx.x) < (k & 15) ? own[(k & ~15) + threadIdx.x] : 0;
#pragma unroll 1
    for (int i = threadIdx.x; i < k >> 4; i += 32) {
        const uint4 word = reinterpret_cast<const uint4*>(own)[i];
        seen |= word.x | word.y | word.z | word.w;
    }
    return __any_sync(all_lanes, seen);
}

template <class X, Form form, int P, bool Exact, class Index>
struct run_tiles {
    using Filter = recurrence<form, P>;
    using Table = power_table<form, P, Exact>;
    static constexpr int threads = 32, resident = P <= 4 ? 16 : P <= 8 ? 12 : 1;
    struct Args {
        const X* x;
        X* y;
        double* room;                 // [tile][P][32] final states of chunks from zero; states: written, outputs: read
        const double* zi;             // [line][P] initial states of the lines, or null for zeros
        double* zf;                   // [line][P] final states of the lines, or null
        Table powers;
        int64_t x_line, x_step, y_line, y_step, length, per_line, level;      // chunks have 32 << level samples
        int64_t ends, marks;          // where in `room` [tile][P] final states of tiles are, and marks (0: none to look at)
        int64_t part;
        double c[Filter::coefficients];
    };

    __device__ static void block(Index b, const Args& a) {
        const int lane = threadIdx.x, level = int(a.level), chunk = 32 << level;
        const Part part = Part(a.part);
        const Index line = b / Index(a.per_line), k = b - line * Index(a.per_line), begin = k * (chunk * 32);
        const int n = int(min_of(Index(chunk * 32), Index(a.length) - begin));
        const int table = max_of(0, min_of(5, int(a.powers.levels) - level)) * Table::words;
        double* powers = dynamic_shared<double>();               // those that the scan takes, then the samples
        X* tile = reinterpret_cast<X*>(powers + table);          // one sample of padding a chunk: no bank conflicts
        start_copies(powers, a.powers.data + level * Table::words, table);
        load(tile, a.x + line * Index(a.x_line) + (begin + lane) * Index(a.x_step), n, a);
        double z[P];
        enter(z, b, line, k, a);
        finish_copies();
        __syncwarp();
        X* own = tile + lane * (chunk + 1);
        const int m = min_of(chunk, n - lane * chunk);
        bool second = part == Part::outputs;
#pragma unroll 1
        for (;; second = true) {                                 // once through the filter for the states, once for the outputs
            if (second) {
                a.powers.scan(level, powers, z);
                if (part == Part::states) return leave(z, b, line, k, a);
            }
            if (a.zi && k == 0 && lane == 0)                     // a line's first chunk: both times, so none later needs zi
                for (int i = 0; i < P; ++i) z[i] = a.zi[line * P + i];
            run(own, m, second, z, a.c);
            if (second) break;
            if (part == Part::states)
                for (int i = 0; i < P; ++i) a.room[(b * P + i) * 32 + lane] = z[i];
            else
                for (int i = 0; i < P; ++i) {
                    const double before = __shfl_up_sync(all_lanes, z[i], 1);
                    z[i] = lane ? before : 0.0;
                }
        }
        if (a.zf && m > 0 && begin + lane * chunk + m == Index(a.length))
            for (int i = 0; i < P; ++i) a.zf[line * P + i] = z[i];
        __syncwarp();
        store(a.y + line * Index(a.y_line) + (begin + lane) * Index(a.y_step), tile, n, a);
    }

    // Outputs: the state at the end of the chunk before, from zero; for the first lane that at the end of the tile before.
    __device__ static __forceinline__ void enter(double* z, Index b, Index line, Index k, const Args& a) {
        const int lane = threadIdx.x;
        for (int i = 0; i < P; ++i) z[i] = 0.0;
        if (Part(a.part) != Part::outputs) return;
        if (lane)
            for (int i = 0; i < P; ++i) z[i] = a.room[(b * P + i) * 32 + lane - 1];
        else if (k)
            for (int i = 0; i < P; ++i) z[i] = a.room[a.ends + (b - 1) * P + i];
        if (k && a.marks && lost_before(a.room + a.marks, line, a.per_line, int(k))) lose<P>(z);
    }
    // The last lane's state is that at the end of tile k, from zero.
    __device__ static __forceinline__ void leave(const double* z, Index b, Index line, Index k, const Args& a) {
        if (threadIdx.x < 31) return;
        for (int i = 0; i < P; ++i) a.room[a.ends + b * P + i] = z[i];
        marks_of(a.room + a.marks, line, a.per_line)[k] = !is_finite<P>(z);
    }

    // Samples between global and shared memory, 32 in order at once. Of four such rows some begin a chunk, with a sample of
    // padding before it: always the same of the four, since a chunk has one, two or four rows.
    __device__ static __forceinline__ void load(X* tile, const X* x, int n, const Args& a) {
        const int lane = threadIdx.x, level = int(a.level);
        tile += lane;
#pragma unroll 1
        for (int left = n - lane; left > 0; left -= 128, tile += 128 + (4 >> level), x += 128 * a.x_step)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                if (r * 32 < left) start_copy(tile + r * 32 + (r >> level), x + r * 32 * Index(a.x_step));
    }
    __device__ static __forceinline__ void store(X* y, const X* tile, int n, const Args& a) {
        const int lane = threadIdx.x, level = int(a.level);
        tile += lane;
#pragma unroll 1
        for (int left = n - lane; left > 0; left -= 128, tile += 128 + (4 >> level), y += 128 * a.y_step)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                if (r * 32 < left) y[r * 32 * Index(a.y_step)] = tile[r * 32 + (r >> level)];
    }

    // Each sample is read a step early (after the last the padding is): so two steps in a row keep double precision as busy as
    // four would, which take longer to compile.
    __device__ static __forceinline__ void run(X* own, int m, bool write, double* z, const double* c) {
        double next = double(own[0]);
#pragma unroll 2
        for (int k = 0; k < m; ++k) {
            const double x = next;
            next = double(own[k + 1]);
            const double v = Filter::step(c, z, x);
            if (write) own[k] = X(v);
        }
    }
};

// Turns the final states of tiles from zero into those from the beginning of their lines: one warp for 32 tiles, a group.
// It starts from the state at the end of the group before: of the 32 tiles there alone, where a filter forgets within
// them, else of all groups, whose own final states from zero a launch of Part::states has left in `folds`.
template <Form form, int P, bool Exact, class Index>
struct carry_tiles {
    using Table = power_table<form, P, Exact>;
    static constexpr int threads = 32;
    struct Args {
        double* room;
        Table powers;
        int64_t tiles, groups, level;               // of a line; A^(samples a tile) is that level of the table
        int64_t finals, ends, folds, marks;         // in `room`: [line][tile][P] in and out, [line][group][P] or 0, see above
        int64_t part, shared;                       // whether shared memory has room for the powers
    };
    struct Sweep { const double* s; int64_t count, pad; int level, log_run; };

    __device__ static void block(Index b, const Args& a) {
        const int lane = threadIdx.x;
        const Index line = b / Index(a.groups), g = b % Index(a.groups);
        const bool folding = Part(a.part) == Part::states;
        const double* powers = nearby(a);
        const bool lost = !folding && lost_before(a.room + a.marks, line, a.tiles, int(g) * 32);
        double z[P];
        for (int i = 0; i < P; ++i) z[i] = 0.0;
#pragma unroll 1
        for (bool own = folding || g == 0;; own = true) {          // first over what lies before the group, then over the group
            gather(sweep(line, g, own, a), z, powers, a);
            if (own) break;
            for (int i = 0; i < P; ++i) {
                const double entering = __shfl_sync(all_lanes, z[i], 31);
                z[i] = lane ? 0.0 : entering;
            }
        }
        if (lost) lose<P>(z);
        const Index k = g * 32 + lane;
        double* out = folding ? a.room + a.folds + (line * Index(a.groups) + g) * P
                              : a.room + a.ends + (line * Index(a.tiles) + k) * P;
        if (folding ? lane == 31 : k < Index(a.tiles))
            for (int i = 0; i < P; ++i) out[i] = z[i];
    }

    // States, how many, and so many missing ones before them that the last lane's run ends with the last.
    __device__ static Sweep sweep(Index line, Index g, bool own, const Args& a) {
        const double* finals = a.room + a.finals + line * Index(a.tiles) * P;
        if (own) return {finals + g * 32 * P, min_of(int64_t(32), a.tiles - g * 32), 0, int(a.level), 0};
        if (!a.folds) return {finals + (g - 1) * 32 * P, 32, 0, int(a.level), 0};
        int log_run = 0;
        while (Index(32) << log_run < g) ++log_run;
        return {a.room + a.folds + line * Index(a.groups) * P, g, (int64_t(32) << log_run) - g, int(a.level) + 5, log_run};
    }
    // A lane's run of 2^log_run states, then a scan over the lanes: z becomes the state at the end of all of them, after what
    // the first lane's z was. One loop for both, since their product by a power is most of what there is to compile.
    __device__ static __forceinline__ void gather(const Sweep& w, double* z, const double* powers, const Args& a) {
        const int lane = threadIdx.x, levels = int(a.powers.levels), steps = max_of(0, min_of(5, levels - w.level - w.log_run));
        int64_t k = (int64_t(lane) << w.log_run) - w.pad;
        twofold s[P], before[P];
        for (int i = 0; i < P; ++i) s[i] = {z[i], 0.0};
#pragma unroll 1
        for (int j = -(1 << w.log_run); j < steps; ++j, ++k) {
            int level = w.level;
            bool taken = k >= 0 && k < w.count;
            if (j < 0) {
                for (int i = 0; i < P; ++i) before[i] = s[i];
                if (taken)
                    for (int i = 0; i < P; ++i) s[i] = {w.s[k * P + i], 0.0};
            } else {
                level += w.log_run + j, taken = lane >= 1 << j;
                Table::shift(s, before, 1 << j);
            }
            if (taken && level < levels) a.powers.advance(level, powers + (level - a.level) * Table::words, before, s);
        }
        for (int i = 0; i < P; ++i) z[i] = s[i].hi;
        pass_on_loss<P>(z);
    }
    // The powers from the level of a tile on, in shared memory where they fit.
    __device__ static const double* nearby(const Args& a) {
        const double* source = a.powers.data + a.level * Table::words;
        if (!a.shared) return source;
        double* powers = dynamic_shared<double>();
        start_copies(powers, source, int(a.powers.levels - a.level) * Table::words);
        finish_copies();
        __syncwarp();
        return powers;
    }
};

}  // namespace gpusci
#endif
