// CUDA forms of recurrence.h for long lines. A warp takes a tile of 32 chunks, one a lane, through shared memory, so that
// global memory is read and written in order; the states of the chunks meet in a scan over the lanes (Kogge, Stone 1973).
// Three launches: run_tiles of Part::states, carry_tiles, run_tiles of Part::outputs; the data are read twice and written
// once, and each sample passes through the filter twice. A line of one tile takes one launch, of Part::whole.
// A single pass with look-back (Merrill, Garland 2016) would read the data once; but it needs a launch that clears flags, and
// a tile would wait for all those before it, however fast the filter forgets: one NaN there decides. Blocks of 128 threads
// that scanned in double-double throughout, and filtered each sample three times, took 19 times as long as a copy.
//
// All powers come from one table of A^(32 2^level), level = 0 ..: those below `exact` are used in double-double, those up to
// `levels` in plain double, and the ones after that have vanished (_recurrence.py decides).
#pragma once
#include <gpusci/dynamic_shared.h>
#include "signal/kernels/recurrence.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

struct power_table {
    const double* data;
    int64_t exact, levels;
};
template <Form form, int P>
__device__ __forceinline__ void advance(const power_table& table, int level, const double* power, const twofold* z, twofold* s) {
    if (level < table.exact) transition<form, P>::exact(power, z, s);
    else if (level < table.levels) transition<form, P>::plain(power, z, s);
    else transition<form, P>::vanished(z, s);
}

enum class Part : int { states, outputs, whole };

template <class X, Form form, int P, Part part, class Index>
struct run_tiles {
    using Filter = recurrence<form, P>;
    static constexpr int threads = 32, steps = 5, resident = P <= 4 ? 16 : P <= 8 ? 12 : 1;
    static constexpr int words = transition<form, P>::words;
    struct Args {
        const X* x;
        X* y;
        double* chunks;               // [tile][P][32] final states from zero; states: written, outputs: read
        double* tiles;                // [tile][P] states: final ones from zero, written; else: initial ones, or null for zeros
        double* zf;                   // [line][P] final states of the lines, or null
        power_table powers;
        int64_t x_line, x_step, y_line, y_step, length, per_line, level;      // chunks have 32 << level samples
        double c[Filter::coefficients];
    };

    __device__ static void block(Index b, const Args& a) {
        const int lane = threadIdx.x, level = int(a.level), chunk = 32 << level;
        const Index line = b / Index(a.per_line), begin = b % Index(a.per_line) * (chunk * 32);
        const int n = int(min_of(Index(chunk * 32), Index(a.length) - begin));
        const int table = max_of(0, min_of(steps, int(a.powers.levels) - level)) * words;
        double* powers = dynamic_shared<double>();      // those that the scan takes, then the samples
        X* tile = reinterpret_cast<X*>(powers + table);          // one sample of padding a chunk: no bank conflicts
        double z[P];
        if constexpr (part == Part::outputs)
            for (int i = 0; i < P; ++i) z[i] = lane ? a.chunks[(b * P + i) * 32 + lane - 1] : a.tiles[b * P + i];
        const X* x = a.x + line * a.x_line + begin * Index(a.x_step);
        if (a.x_step == 1) load<1>(tile, x, n, powers, table, a);
        else if (a.x_step == -1) load<-1>(tile, x, n, powers, table, a);
        else load<0>(tile, x, n, powers, table, a);
        __syncwarp();
        X* own = tile + lane * (chunk + 1);
        const int m = min_of(chunk, n - lane * chunk);
        if constexpr (part != Part::outputs) {
            for (int i = 0; i < P; ++i) z[i] = 0;
            run<false>(own, m, z, a.c);
        }
        if constexpr (part == Part::states) {
            for (int i = 0; i < P; ++i) a.chunks[(b * P + i) * 32 + lane] = z[i];
            scan(z, lane, powers, a);
            if (lane == 31)
                for (int i = 0; i < P; ++i) a.tiles[b * P + i] = z[i];
            return;
        }
        if constexpr (part == Part::whole)
            for (int i = 0; i < P; ++i) {
                z[i] = __shfl_up_sync(~0u, z[i], 1);
                if (lane == 0) z[i] = a.tiles ? a.tiles[b * P + i] : 0.0;
            }
        scan(z, lane, powers, a);
        run<true>(own, m, z, a.c);
        if (a.zf && m > 0 && begin + lane * chunk + m == Index(a.length))
            for (int i = 0; i < P; ++i) a.zf[line * P + i] = z[i];
        __syncwarp();
        X* y = a.y + line * a.y_line + begin * Index(a.y_step);
        if (a.y_step == 1) store<1>(y, tile, n, a);
        else if (a.y_step == -1) store<-1>(y, tile, n, a);
        else store<0>(y, tile, n, a);
    }

    // Samples and powers into shared memory, with as many reads under way as fit the registers. Row r of the tile is the
    // samples 32 r + lane, which lie in chunk r >> level. Step is the stride where that is known: half the instructions.
    static constexpr int rows = 32;
    template <int Step>
    __device__ static __forceinline__ void load(X* tile, const X* x, int n, double* powers, int table, const Args& a) {
        constexpr int each = (steps * words + 31) / 32, held = each < 20 ? each : 20;
        const int lane = threadIdx.x;
        const double* source = a.powers.data + a.level * words;
        double power[held];
#pragma unroll
        for (int r = 0; r < held; ++r) power[r] = r * 32 + lane < table ? source[r * 32 + lane] : 0.0;
        const int64_t step = Step ? Step : a.x_step;
        x += lane * step;
        for (int first = 0; first * 32 < n; first += rows) {
            const int left = n - first * 32 - lane;
            X v[rows];
#pragma unroll
            for (int r = 0; r < rows; ++r, x += 32 * step) v[r] = r * 32 < left ? *x : X(0);
#pragma unroll
            for (int r = 0; r < rows; ++r) tile[(first + r) * 32 + lane + ((first + r) >> a.level)] = v[r];
        }
#pragma unroll
        for (int r = 0; r < held; ++r)
            if (r * 32 + lane < table) powers[r * 32 + lane] = power[r];
        if constexpr (each > held)
            for (int i = held * 32 + lane; i < table; i += 32) powers[i] = source[i];
    }
    template <int Step>
    __device__ static __forceinline__ void store(X* y, const X* tile, int n, const Args& a) {
        const int lane = threadIdx.x;
        const int64_t step = Step ? Step : a.y_step;
        y += lane * step;
        for (int first = 0; first * 32 < n; first += rows) {
            const int left = n - first * 32 - lane;
#pragma unroll
            for (int r = 0; r < rows; ++r, y += 32 * step)
                if (r * 32 < left) *y = tile[(first + r) * 32 + lane + ((first + r) >> a.level)];
        }
    }

    template <bool Write>
    __device__ static __forceinline__ void run(X* own, int m, double* z, const double* c) {
#pragma unroll 4
        for (int k = 0; k < m; ++k) {
            const double v = Filter::step(c, z, double(own[k]));
            if constexpr (Write) own[k] = X(v);
        }
    }

    // Lane l: z becomes the sum of A^(chunk (l - k)) z_k over the lanes k <= l.
    __device__ static __forceinline__ void scan(double* z, int lane, const double* powers, const Args& a) {
        twofold s[P], before[P];
        for (int i = 0; i < P; ++i) s[i] = {z[i], 0.0};
        for (int j = 0; j < steps; ++j, powers += words) {
            for (int i = 0; i < P; ++i)
                before[i] = {__shfl_up_sync(~0u, s[i].hi, 1 << j), __shfl_up_sync(~0u, s[i].lo, 1 << j)};
            if (lane >= 1 << j) advance<form, P>(a.powers, int(a.level) + j, powers, before, s);
        }
        for (int i = 0; i < P; ++i) z[i] = s[i].hi;
    }
};

// Turns the final states from zero of a line's tiles into their initial states, in place: one block a line, each thread a
// run of 2^log_run tiles.
template <Form form, int P, int Threads, class Index>
struct carry_tiles {
    static constexpr int threads = Threads;
    static constexpr int ahead = P <= 4 ? 4 : P <= 8 ? 2 : 1;      // tiles asked for before their turn
    static constexpr int words = transition<form, P>::words;
    struct Args {
        double* s;                    // [line][tile][P]
        const double* zi;             // [line][P], or null for zeros
        power_table powers;
        int64_t tiles, log_run, level;                 // A^(samples a tile) is that level of the table
    };
    __device__ static void block(Index line, const Args& a) {
        __shared__ twofold states[P][threads];
        const int t = threadIdx.x, level = int(a.level + a.log_run);
        const Index run = Index(1) << a.log_run, begin = t * run, end = min_of(Index(begin + run), Index(a.tiles));
        const int busy = int((a.tiles + run - 1) >> a.log_run);
        double* s = a.s + line * Index(a.tiles) * P;
        twofold z[P], before[P];
        for (int i = 0; i < P; ++i) z[i] = {t == 0 && a.zi ? a.zi[line * P + i] : 0.0, 0.0};
        walk<false>(s, begin, end, z, a);
        for (int i = 0; i < P; ++i) states[i][t] = z[i];
        __syncthreads();
        for (int j = 0; 1 << j < busy; ++j) {
            const int from = t - (1 << j);
            if (from >= 0)
                for (int i = 0; i < P; ++i) before[i] = states[i][from];
            __syncthreads();
            if (from >= 0) {
                advance<form, P>(a.powers, level + j, a.powers.data + (level + j) * words, before, z);
                for (int i = 0; i < P; ++i) states[i][t] = z[i];
            }
            __syncthreads();
        }
        for (int i = 0; i < P; ++i) z[i] = t ? states[i][t - 1] : twofold{a.zi ? a.zi[line * P + i] : 0.0, 0.0};
        walk<true>(s, begin, end, z, a);
    }
    // z over a run of tiles; Store: the state before each replaces its final state from zero.
    template <bool Store>
    __device__ static __forceinline__ void walk(double* s, Index k, Index end, twofold* z, const Args& a) {
        const double* power = a.powers.data + a.level * words;
        double coming[ahead][P];
#pragma unroll
        for (int g = 0; g < ahead; ++g)
            for (int i = 0; i < P; ++i) coming[g][i] = k + g < end ? s[(k + g) * P + i] : 0.0;
#pragma unroll 1
        for (; k < end; ++k) {
            twofold next[P];
            for (int i = 0; i < P; ++i) next[i] = {coming[0][i], 0.0};
#pragma unroll
            for (int g = 1; g < ahead; ++g)
                for (int i = 0; i < P; ++i) coming[g - 1][i] = coming[g][i];
            if (k + ahead < end)
                for (int i = 0; i < P; ++i) coming[ahead - 1][i] = s[(k + ahead) * P + i];
            if constexpr (Store)
                for (int i = 0; i < P; ++i) s[k * P + i] = z[i].hi;
            advance<form, P>(a.powers, int(a.level), power, z, next);
            for (int i = 0; i < P; ++i) z[i] = next[i];
        }
    }
};

}  // namespace gpusci
#endif
