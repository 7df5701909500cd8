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
// `levels` in plain double, and the ones after that have vanished (_recurrence.py decides).
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

// Global to shared memory past the registers, so that all of a warp's reads are under way at once.
template <class T>
__device__ __forceinline__ void start_copy(T* to, const T* from) {
#if defined(GPUSCI_EMULATOR) || __CUDA_ARCH__ < 800
    *to = *from;
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(uint32_t(__cvta_generic_to_shared(to))), "l"(from), "n"(sizeof(T)) : "memory");
#endif
}
__device__ __forceinline__ void finish_copies() {
#if !defined(GPUSCI_EMULATOR) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// A^(32 2^level) for level < levels; those below `exact` are used in double-double.
template <Form form, int P>
struct power_table {
    static constexpr int words = transition<form, P>::words;
    const double* data;
    int64_t exact, levels;

    // s += A^m z with power `at`, which is of that level.
    __device__ __forceinline__ void advance(int level, const double* at, const twofold* z, twofold* s) const {
        if (level < exact) transition<form, P>::exact(at, z, s);
        else transition<form, P>::plain(at, z, s);
    }
    // Lane l: z becomes the sum of A^(m (l - k)) z_k over the lanes k <= l, where A^m is the power `at`. NaN and infinity
    // reach all lanes after them, also where powers have vanished.
    __device__ __forceinline__ void scan(int level, const double* at, double* z) const {
        const int lane = threadIdx.x;
        const uint32_t lost = __ballot_sync(all_lanes, !is_finite<P>(z));
        const int steps = min_of(5, int(levels) - level);
        twofold s[P], before[P];
        for (int i = 0; i < P; ++i) s[i] = {z[i], 0.0};
#pragma unroll 1
        for (int j = 0; j < steps; ++j, at += words) {
            for (int i = 0; i < P; ++i) before[i] = {__shfl_up_sync(all_lanes, s[i].hi, 1 << j), 0.0};
            if (level + j < exact)
                for (int i = 0; i < P; ++i) before[i].lo = __shfl_up_sync(all_lanes, s[i].lo, 1 << j);
            if (lane >= 1 << j) advance(level + j, at, before, s);
        }
        for (int i = 0; i < P; ++i) z[i] = s[i].hi;
        if (lost << (31 - lane)) lose<P>(z);
    }
};

// A byte a tile: whether its final state is NaN or infinite. The marks of a line begin at a multiple of 16 bytes.
__device__ inline unsigned char* marks_of(double* marks, int64_t line, int64_t tiles) {
    return reinterpret_cast<unsigned char*>(marks) + line * ((tiles + 15) / 16 * 16);
}
// Whether NaN or infinity comes to a line before its tile k, from another tile or the initial state.
template <int P>
__device__ bool lost_before(double* marks, int64_t line, int64_t tiles, int k, const double* zi) {
    const unsigned char* own = marks_of(marks, line, tiles);
    const uint4* words = reinterpret_cast<const uint4*>(own);
    uint32_t seen = int(threadIdx.x) < k % 16 ? own[k / 16 * 16 + threadIdx.x] : 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < k / 16; i += 32) seen |= words[i].x | words[i].y | words[i].z | words[i].w;
    return __any_sync(all_lanes, seen || (zi && !is_finite<P>(zi)));
}

template <class X, Form form, int P, class Index>
struct run_tiles {
    using Filter = recurrence<form, P>;
    using Table = power_table<form, P>;
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
        const Index line = b / Index(a.per_line), k = b % Index(a.per_line), begin = k * (chunk * 32);
        const int n = int(min_of(Index(chunk * 32), Index(a.length) - begin));
        const int table = max_of(0, min_of(5, int(a.powers.levels) - level)) * Table::words;
        double* powers = dynamic_shared<double>();               // those that the scan takes, then the samples
        X* tile = reinterpret_cast<X*>(powers + table);          // one sample of padding a chunk: no bank conflicts
        double z[P];
        for (int i = 0; i < P; ++i) z[i] = part == Part::outputs && lane ? a.room[(b * P + i) * 32 + lane - 1] : 0.0;
#pragma unroll 4
        for (int i = lane; i < table; i += 32) start_copy(powers + i, a.powers.data + level * Table::words + i);
        load(tile, a.x + line * a.x_line + begin * Index(a.x_step), n, a);
        finish_copies();
        __syncwarp();
        X* own = tile + lane * (chunk + 1);
        const int m = min_of(chunk, n - lane * chunk);
        bool second = part == Part::outputs;
#pragma unroll 1
        for (;; second = true) {                                 // once through the filter for the states, once for the outputs
            if (second) {
                if (part != Part::states) enter(z, line, k, a);
                a.powers.scan(level, powers, z);
                if (part == Part::states) return leave(z, line, k, a);
            }
            run(own, m, second, z, a.c);
            if (second) break;
            if (part == Part::states)
                for (int i = 0; i < P; ++i) a.room[(b * P + i) * 32 + lane] = z[i];
            else
                for (int i = 0; i < P; ++i) z[i] = __shfl_up_sync(all_lanes, z[i], 1);
        }
        if (a.zf && m > 0 && begin + lane * chunk + m == Index(a.length))
            for (int i = 0; i < P; ++i) a.zf[line * P + i] = z[i];
        __syncwarp();
        store(a.y + line * a.y_line + begin * Index(a.y_step), tile, n, a);
    }

    // The first lane's state at the beginning of tile k.
    __device__ static void enter(double* z, Index line, Index k, const Args& a) {
        const double* zi = a.zi ? a.zi + line * P : nullptr;
        const double* before = k ? a.room + a.ends + (line * Index(a.per_line) + k - 1) * P : zi;
        double first[P];
        for (int i = 0; i < P; ++i) first[i] = before ? before[i] : 0.0;
        if (k && a.marks && lost_before<P>(a.room + a.marks, line, a.per_line, int(k), zi)) lose<P>(first);
        if (threadIdx.x == 0)
            for (int i = 0; i < P; ++i) z[i] = first[i];
    }
    // The last lane's state is that at the end of tile k, from zero.
    __device__ static void leave(const double* z, Index line, Index k, const Args& a) {
        if (threadIdx.x < 31) return;
        double* end = a.room + a.ends + (line * Index(a.per_line) + k) * P;
        for (int i = 0; i < P; ++i) end[i] = z[i];
        marks_of(a.room + a.marks, line, a.per_line)[k] = !is_finite<P>(z);
    }

    // Samples between global and shared memory, 32 in order at once. Of four such rows some begin a chunk, with a sample of
    // padding before it: always the same of the four, since a chunk has one, two or four rows.
    __device__ static __forceinline__ void load(X* tile, const X* x, int n, const Args& a) {
        const int lane = threadIdx.x, level = int(a.level);
        tile += lane, x += lane * a.x_step;
#pragma unroll 1
        for (int left = n - lane; left > 0; left -= 128, tile += 128 + (4 >> level), x += 128 * a.x_step)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                if (r * 32 < left) start_copy(tile + r * 32 + (r >> level), x + r * 32 * a.x_step);
    }
    __device__ static __forceinline__ void store(X* y, const X* tile, int n, const Args& a) {
        const int lane = threadIdx.x, level = int(a.level);
        tile += lane, y += lane * a.y_step;
#pragma unroll 1
        for (int left = n - lane; left > 0; left -= 128, tile += 128 + (4 >> level), y += 128 * a.y_step)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                if (r * 32 < left) y[r * 32 * a.y_step] = tile[r * 32 + (r >> level)];
    }

    __device__ static __forceinline__ void run(X* own, int m, bool write, double* z, const double* c) {
#pragma unroll 4
        for (int k = 0; k < m; ++k) {
            const double v = Filter::step(c, z, double(own[k]));
            if (write) own[k] = X(v);
        }
    }
};

// Turns the final states of tiles from zero into those from the beginning of their lines: one warp for 32 tiles, a group.
// It starts from the state at the end of the group before: of the 32 tiles there alone, where a filter forgets within
// them, else of all groups, whose own final states from zero a launch of Part::states has left in `folds`.
template <Form form, int P, class Index>
struct carry_tiles {
    using Table = power_table<form, P>;
    static constexpr int threads = 32;
    struct Args {
        double* room;
        const double* zi;             // [line][P], or null for zeros
        Table powers;
        int64_t tiles, groups, level;               // of a line; A^(samples a tile) is that level of the table
        int64_t finals, ends, folds, marks;         // in `room`: [line][tile][P] in and out, [line][group][P] or 0, see above
        int64_t part, shared;                       // whether shared memory has room for the powers
    };
    struct Sweep { const double* s; int64_t count, pad; int level, log_run; bool from_start; };

    __device__ static void block(Index b, const Args& a) {
        const int lane = threadIdx.x;
        const Index line = b / Index(a.groups), g = b % Index(a.groups);
        const double* zi = a.zi ? a.zi + line * P : nullptr;
        const bool folding = Part(a.part) == Part::states;
        const double* powers = nearby(a);
        const bool lost = !folding && lost_before<P>(a.room + a.marks, line, a.tiles, int(g) * 32, zi);
        double entering[P], z[P];
        for (int i = 0; i < P; ++i) entering[i] = 0;
#pragma unroll 1
        for (bool own = folding || g == 0;; own = true) {          // first over what lies before the group, then over the group
            const Sweep w = sweep(line, g, own, a);
            if (zi && !folding && w.from_start)
                for (int i = 0; i < P; ++i) entering[i] = zi[i];
            walk(w, entering, z, powers, a);
            a.powers.scan(w.level + w.log_run, powers + (w.level + w.log_run - a.level) * Table::words, z);
            if (own) break;
            for (int i = 0; i < P; ++i) entering[i] = __shfl_sync(all_lanes, z[i], 31);
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
        if (own) return {finals + g * 32 * P, min_of(int64_t(32), a.tiles - g * 32), 0, int(a.level), 0, g == 0};
        if (!a.folds) return {finals + (g - 1) * 32 * P, 32, 0, int(a.level), 0, g == 1};
        int log_run = 0;
        while (Index(32) << log_run < g) ++log_run;
        return {a.room + a.folds + line * Index(a.groups) * P, g, (int64_t(32) << log_run) - g, int(a.level) + 5, log_run, true};
    }
    // A lane's run of 2^log_run states; the first of all comes after `entering`.
    __device__ static __forceinline__ void walk(const Sweep& w, const double* entering, double* z, const double* powers,
                                                const Args& a) {
        const int64_t begin = (int64_t(threadIdx.x) << w.log_run) - w.pad, end = min_of(begin + (int64_t(1) << w.log_run), w.count);
        const double* power = powers + (w.level - a.level) * Table::words;
        twofold run[P];
        for (int i = 0; i < P; ++i) run[i] = {begin <= 0 && end > 0 ? entering[i] : 0.0, 0.0};
#pragma unroll 1
        for (int64_t k = max_of(begin, int64_t(0)); k < end; ++k) {
            twofold next[P];
            for (int i = 0; i < P; ++i) next[i] = {w.s[k * P + i], 0.0};
            if (w.level < a.powers.levels) a.powers.advance(w.level, power, run, next);
            for (int i = 0; i < P; ++i) run[i] = next[i];
        }
        for (int i = 0; i < P; ++i) z[i] = run[i].hi;
    }
    // The powers from the level of a tile on, in shared memory where they fit.
    __device__ static const double* nearby(const Args& a) {
        const double* source = a.powers.data + a.level * Table::words;
        if (!a.shared) return source;
        double* powers = dynamic_shared<double>();
        const int count = int(a.powers.levels - a.level) * Table::words;
#pragma unroll 4
        for (int i = threadIdx.x; i < count; i += 32) start_copy(powers + i, source + i);
        finish_copies();
        __syncwarp();
        return powers;
    }
};

}  // namespace gpusci
#endif
