// CUDA forms of recurrence.h for long lines: a block holds one tile of `threads` chunks in shared memory, so that memory
// is read and written in order; the chunks' states meet in a scan (Kogge, Stone 1973) over the threads. Two reads and one
// write of the data in all: final states of the tiles, carry along the tiles, outputs.
#pragma once
#include "signal/kernels/recurrence.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

template <int P>
struct tile_shape {
    static constexpr int threads = P <= 8 ? 128 : 64;
    static constexpr int chunk = P == 8 ? 24 : 32;         // samples a thread: tile and states within 48 KiB
    static constexpr int samples = threads * chunk;
    static constexpr int scan_steps = P <= 8 ? 7 : 6;      // log2(threads)
};

// Write = false: zf[tile] is the tile's final state from zero.  true: runs the tile from zi[tile] and writes y; the last
// tile of a line also leaves the line's final state in zf[line].
template <class X, class Y, Form form, int P, bool Write, class Index>
struct run_tiles {
    using Filter = recurrence<form, P>;
    using Shape = tile_shape<P>;
    static constexpr int threads = Shape::threads;
    struct Args {
        const X* x;
        Y* y;
        const double* zi;
        double* zf;
        const double* powers;         // A^(chunk 2^j), j = 0 .., each as high and low parts
        int64_t x_line, x_step, y_line, y_step, length, tiles;
        double c[Filter::coefficients];
    };

    __device__ static void block(Index b, const Args& a) {
        using T = choose_t<(sizeof(X) > sizeof(Y)), X, Y>;
        __shared__ T tile[threads * (Shape::chunk + 1)];   // one sample of padding a chunk: no bank conflicts
        __shared__ twofold states[P][threads];
        const Index line = b / Index(a.tiles), begin = b % Index(a.tiles) * Shape::samples;
        const int n = int(min_of(Index(Shape::samples), Index(a.length) - begin)), t = threadIdx.x;
        const X* x = a.x + line * a.x_line + begin * a.x_step;
        for (int i = t; i < n; i += threads) tile[i + i / Shape::chunk] = T(x[i * a.x_step]);
        __syncthreads();
        T* own = tile + t * (Shape::chunk + 1);
        const int m = min_of(Shape::chunk, n - t * Shape::chunk);
        double z[P];
        for (int i = 0; i < P; ++i) z[i] = Write && t == 0 && a.zi ? a.zi[b * P + i] : 0.0;
        for (int k = 0; k < m; ++k) Filter::step(a.c, z, double(own[k]));
        scan(z, states, a.powers);
        if constexpr (!Write) {
            if (t == threads - 1)
                for (int i = 0; i < P; ++i) a.zf[b * P + i] = states[i][t].hi;
        } else {
            for (int i = 0; i < P; ++i) z[i] = t ? states[i][t - 1].hi : a.zi ? a.zi[b * P + i] : 0.0;
            for (int k = 0; k < m; ++k) own[k] = T(Filter::step(a.c, z, double(own[k])));
            if (a.zf && m > 0 && begin + t * Shape::chunk + m == Index(a.length))
                for (int i = 0; i < P; ++i) a.zf[line * P + i] = z[i];
            __syncthreads();
            Y* y = a.y + line * a.y_line + begin * a.y_step;
            for (int i = t; i < n; i += threads) y[i * a.y_step] = Y(tile[i + i / Shape::chunk]);
        }
    }

    // states[.][t]: final state after thread t's chunk, given the chunks before it.
    __device__ static void scan(const double* z, twofold (*states)[threads], const double* powers) {
        const int t = threadIdx.x;
        twofold s[P], before[P];
        for (int i = 0; i < P; ++i) states[i][t] = s[i] = {z[i], 0.0};
        __syncthreads();
        for (int j = 0; j < Shape::scan_steps; ++j, powers += 2 * P * P) {
            const int from = t - (1 << j);
            if (from >= 0)
                for (int i = 0; i < P; ++i) before[i] = states[i][from];
            __syncthreads();
            if (from >= 0) {
                advance<P>(powers, before, s);
                for (int i = 0; i < P; ++i) states[i][t] = s[i];
            }
            __syncthreads();
        }
    }
};

// carry_states for lines of many tiles: one block a line, each thread a run of 2^log_run tiles.
template <int P, class Index>
struct carry_tiles {
    static constexpr int threads = tile_shape<P>::threads;
    struct Args {
        double* s; const double* zi; const double* powers;   // powers: A^(tile 2^j)
        int64_t tiles, log_run;
    };
    __device__ static void block(Index line, const Args& a) {
        __shared__ twofold states[P][threads];
        const int t = threadIdx.x;
        const Index run = Index(1) << a.log_run, begin = t * run, end = min_of(begin + run, Index(a.tiles));
        double* s = a.s + line * Index(a.tiles) * P;
        twofold z[P], next[P];
        for (int i = 0; i < P; ++i) z[i] = {t == 0 && a.zi ? a.zi[line * P + i] : 0.0, 0.0};
        for (Index k = begin; k < end; ++k) step(s + k * P, z, next, a.powers, false);
        const double* power = a.powers + a.log_run * 2 * P * P;
        for (int i = 0; i < P; ++i) states[i][t] = z[i];
        __syncthreads();
        for (int off = 1; off < threads; off *= 2, power += 2 * P * P) {
            if (t >= off)
                for (int i = 0; i < P; ++i) next[i] = states[i][t - off];
            __syncthreads();
            if (t >= off) {
                advance<P>(power, next, z);
                for (int i = 0; i < P; ++i) states[i][t] = z[i];
            }
            __syncthreads();
        }
        for (int i = 0; i < P; ++i)
            z[i] = t ? states[i][t - 1] : twofold{a.zi ? a.zi[line * P + i] : 0.0, 0.0};
        for (Index k = begin; k < end; ++k) step(s + k * P, z, next, a.powers, true);
    }
    // z becomes the state after the tile; its zero-state final state *s is replaced by the state before it on request.
    __device__ static void step(double* s, twofold* z, twofold* next, const double* power, bool store) {
        for (int i = 0; i < P; ++i) next[i] = {s[i], 0.0};
        if (store)
            for (int i = 0; i < P; ++i) s[i] = z[i].hi;
        advance<P>(power, z, next);
        for (int i = 0; i < P; ++i) z[i] = next[i];
    }
};

}  // namespace gpusci
#endif
