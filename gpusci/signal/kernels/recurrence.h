// Linear recurrences along lines (IIR filters), direct form II transposed, in double whatever the data type.
//
// Parallel in time by chunks: every chunk is first run from a zero state, its final state s_k is combined with the carry
// Z_{k+1} = A^L Z_k + s_k, and the chunk is then run again from Z_k. The samples themselves never pass through a power of
// A; only one state a chunk does, in double-double arithmetic with powers of A exact to about 106 bits (see
// _recurrence.py). So rounding errors enter where the sequential loop has them and no larger, also for poles next to the
// unit circle, where the entries of A^L are huge and cancel. Scans of plain doubles lost 6 digits on order 8 there; where
// A^L is small they lose nothing.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

// transposed: one section of order P.  cascade: P / 2 sections of order two, one feeding the next.
enum class Form : int { transposed, cascade };

template <Form form, int P>
struct recurrence {
    // transposed: b0 .. bP, a1 .. aP.  cascade: b0 b1 b2 a1 a2 of each section.
    static constexpr int coefficients = form == Form::transposed ? 2 * P + 1 : 5 * (P / 2);

    // One sample through the filter; V is a double or a vector of them (one lane a line or chunk).
    template <class V>
    HD static V step(const double* c, V* z, V x) {
        if constexpr (form == Form::transposed) {
            const double* a = c + P;             // a[1] .. a[P]
            const V y = c[0] * x + z[0];
#pragma unroll
            for (int i = 0; i < P - 1; ++i) z[i] = (c[i + 1] * x + z[i + 1]) - a[i + 1] * y;
            z[P - 1] = c[P] * x - a[P] * y;
            return y;
        } else {
#pragma unroll
            for (int s = 0; s < P / 2; ++s, c += 5) {
                const V y = c[0] * x + z[2 * s];
                z[2 * s] = (c[1] * x + z[2 * s + 1]) - c[3] * y;
                z[2 * s + 1] = c[2] * x - c[4] * y;
                x = y;
            }
            return x;
        }
    }
};

// ---- work items: one chunk of one line each; a line is one chunk when it is not split

// take(t, sample) for t = t .. n - 1. A GPU's thread on its own would wait for the memory at every sample: it reads a block of
// them before it takes those of the block in front.
template <int Block, class X, class Index, class Take>
HD void each_sample(const X* x, int64_t step, Index t, Index n, Take take) {
#if defined(GPUSCI_CUDA)
    X now[Block], next[Block];
    const auto read = [&](X* block, Index from) {
#pragma unroll
        for (int i = 0; i < Block; ++i) block[i] = x[(from + i) * step];
    };
    if (n - t >= Block) read(now, t);
    for (; n - t >= Block; t += Block) {
        read(next, min_of(t + Block, n - Block));                // always: behind a branch it would be put off
#pragma unroll
        for (int i = 0; i < Block; ++i) {
            take(t + i, now[i]);
            now[i] = next[i];
        }
    }
#endif
    for (; t < n; ++t) take(t, x[t * step]);
}

template <class X, class Y, Form form, int P, class Index>
struct run_chunks {
    using Filter = recurrence<form, P>;
    struct Args {
        const X* x;                   // sample t of line l: x[l * x_line + t * x_step]
        Y* y;                         // null: only the final states are wanted
        const double* zi;             // [item][P] initial states, or null for zeros
        double* zf;                   // [item][P] final states, or null
        int64_t x_line, x_step, y_line, y_step;
        int64_t length, chunk, chunks;   // samples a line, samples a chunk, chunks a line
        double c[Filter::coefficients];
    };

    HD static Index start(Index item, const Args& a) { return item % Index(a.chunks) * Index(a.chunk); }
    HD static Index count(Index item, const Args& a) {
        return min_of(Index(a.chunk), Index(a.length) - start(item, a));
    }
    HD static const X* source(Index item, const Args& a) {
        return a.x + item / Index(a.chunks) * a.x_line + start(item, a) * a.x_step;
    }
    HD static Y* target(Index item, const Args& a) {
        return a.y ? a.y + item / Index(a.chunks) * a.y_line + start(item, a) * a.y_step : nullptr;
    }

    // Samples [t, count) of one item from state z, which is left at the end.
    HD static void finish(Index item, Index t, double* z, const Args& a) {
        const X* x = source(item, a);
        Y* y = target(item, a);
        each_sample<P <= 8 ? 16 : 8>(x, a.x_step, t, count(item, a), [&](Index k, X in) {
            const double v = Filter::step(a.c, z, double(in));
            if (y) y[k * a.y_step] = Y(v);
        });
        if (a.zf)
            for (int i = 0; i < P; ++i) a.zf[item * P + i] = z[i];
    }
    HD static void at(Index item, const Args& a) {
        double z[P];
        for (int i = 0; i < P; ++i) z[i] = a.zi ? a.zi[item * P + i] : 0.0;
        finish(item, 0, z, a);
    }

#ifndef GPUSCI_CUDA
    // A sequential recurrence waits for its own result (some 12 cycles a sample); eight items side by side do not. Samples
    // go through a small buffer: lines a power of two apart would otherwise fight for the same few cache sets.
    static constexpr int lanes = 8, depth = 64;
    typedef double pack __attribute__((vector_size(8 * lanes)));

    // Items [first, first + live), live <= lanes; idle lanes repeat the first and write nothing.
    template <bool Write>
    static void together(Index first, int live, Index n, pack* z, const Args& a) {
        const X* x[lanes];
        Y* y[lanes];
        for (int w = 0; w < lanes; ++w) x[w] = source(first + (w < live ? w : 0), a), y[w] = target(first + w, a);
        pack buffer[depth];
        const bool across = a.chunks == 1 && a.x_line == 1;        // neighbouring lines are neighbours in memory
        for (Index t = 0; t < n; t += depth) {
            const int m = int(min_of(Index(depth), n - t));
            if (across)
                for (int k = 0; k < m; ++k)
                    for (int w = 0; w < lanes; ++w) buffer[k][w] = double(x[w][(t + k) * a.x_step]);
            else
                for (int w = 0; w < lanes; ++w)
                    for (int k = 0; k < m; ++k) buffer[k][w] = double(x[w][(t + k) * a.x_step]);
            for (int k = 0; k < m; ++k) buffer[k] = Filter::step(a.c, z, buffer[k]);
            if constexpr (Write) {
                if (across)
                    for (int k = 0; k < m; ++k)
                        for (int w = 0; w < live; ++w) y[w][(t + k) * a.y_step] = Y(buffer[k][w]);
                else
                    for (int w = 0; w < live; ++w)
                        for (int k = 0; k < m; ++k) y[w][(t + k) * a.y_step] = Y(buffer[k][w]);
            }
        }
    }

    static void range(Index begin, Index end, const Args& a) {
        for (Index item = begin; item < end; item += lanes) {
            const int live = int(min_of(Index(lanes), end - item));
            if (live < 3) {
                for (int w = 0; w < live; ++w) at(item + w, a);
                continue;
            }
            Index n = count(item, a);
            for (int w = 1; w < live; ++w) n = min_of(n, count(item + w, a));
            pack z[P] = {};
            for (int w = 0; w < live; ++w)
                for (int i = 0; i < P; ++i) z[i][w] = a.zi ? a.zi[(item + w) * P + i] : 0.0;
            if (a.y) together<true>(item, live, n, z, a);
            else together<false>(item, live, n, z, a);
            for (int w = 0; w < live; ++w) {
                double own[P];
                for (int i = 0; i < P; ++i) own[i] = z[i][w];
                finish(item + w, n, own, a);
            }
        }
    }
#endif
};

// ---- powers of the transition matrix, A^m, on states: s += A^m z, in double-double where that matters
struct twofold { double hi, lo; };

template <Form form, int P>
struct transition {
    static constexpr int words = 2 * P * P;      // of one power: its high parts, then its low parts
    // Entries of row i that can differ from zero: a section knows nothing of those after it.
    HD static constexpr int width(int i) { return form == Form::cascade ? (i | 1) + 1 : P; }

    // Dot2 of Ogita, Rump and Oishi (2005): products and sums with their errors, which are added up on the side.
    HD static void exact(const double* power, const twofold* z, twofold* s) {
#pragma unroll(P <= 8 ? P : 1)
        for (int i = 0; i < P; ++i) {
            double sum = s[i].hi, rest = s[i].lo;
#pragma unroll
            for (int j = 0; j < P; ++j) {
                if (j >= width(i)) break;
                const double high = power[i * P + j], low = power[P * P + i * P + j];
                const double p = mul_rn(high, z[j].hi);      // never contracted into the sum it goes to
                const double next = sum + p, t = next - sum;
                rest += (sum - (next - t)) + (p - t);
                rest += fused(high, z[j].hi, -p);
                rest = fused(high, z[j].lo, fused(low, z[j].hi, rest));
                sum = next;
            }
            s[i].hi = sum + rest;
            s[i].lo = rest - (s[i].hi - sum);
        }
    }
    HD static void plain(const double* power, const twofold* z, twofold* s) {
#pragma unroll(P <= 8 ? P : 1)
        for (int i = 0; i < P; ++i) {
            double sum = s[i].hi;
#pragma unroll
            for (int j = 0; j < P; ++j) {
                if (j >= width(i)) break;
                sum += power[i * P + j] * z[j].hi;
            }
            s[i] = {sum, 0.0};
        }
    }
    // A power too small to be seen: only NaN and infinity get through.
    HD static void vanished(const twofold* z, twofold* s) {
        double nothing = 0;
#pragma unroll
        for (int j = 0; j < P; ++j) nothing += 0.0 * z[j].hi;
#pragma unroll
        for (int i = 0; i < P; ++i) s[i].hi += nothing;
    }
    HD static double fused(double a, double b, double c) {
#if defined(GPUSCI_CUDA)
        return fma(a, b, c);
#else
        return std::fma(a, b, c);
#endif
    }
};

// Turns the zero-state final states of a line's chunks into their initial states, in place.
template <Form form, int P, class Index>
struct carry_states {
    struct Args { double* s; const double* zi; const double* power; int64_t chunks; };   // [line][chunk][P], [line][P]
    HD static void at(Index line, const Args& a) {
        twofold z[P];
        for (int i = 0; i < P; ++i) z[i] = {a.zi ? a.zi[line * P + i] : 0.0, 0.0};
        for (Index k = 0; k < Index(a.chunks); ++k) {
            double* s = a.s + (line * Index(a.chunks) + k) * P;
            twofold next[P];
            for (int i = 0; i < P; ++i) next[i] = {s[i], 0.0};
            for (int i = 0; i < P; ++i) s[i] = z[i].hi;
            transition<form, P>::exact(a.power, z, next);
            for (int i = 0; i < P; ++i) z[i] = next[i];
        }
    }
};

// ---- any order and complex coefficients, sequential in time; the state lives in memory
template <class X, class Y, class C, class Index>
struct run_lines {
    struct Args {
        const X* x; Y* y; C* z; const C* b; const C* a;      // z: [line][order], in and out; a[0] = 1
        int64_t x_line, x_step, y_line, y_step, length, order;
    };
    static constexpr int few = 4;
    HD static void at(Index line, const Args& g) {
        const X* x = g.x + line * g.x_line;
        Y* y = g.y + line * g.y_line;
        C* z = g.z + line * g.order;
        if (g.order <= few) return in_registers(x, y, z, g);
        for (Index t = 0; t < Index(g.length); ++t) {
            const C in = cast<C>(x[t * g.x_step]), out = g.b[0] * in + z[0];
            for (Index i = 0; i + 1 < Index(g.order); ++i) z[i] = (g.b[i + 1] * in + z[i + 1]) - g.a[i + 1] * out;
            z[g.order - 1] = g.b[g.order] * in - g.a[g.order] * out;
            y[t * g.y_step] = cast<Y>(out);
        }
    }
    HD static void in_registers(const X* x, Y* y, C* z, const Args& g) {
        const int order = int(g.order);
        C b[few + 1], a[few + 1], s[few + 1];                    // s[order] stays zero
#pragma unroll
        for (int i = 0; i <= few; ++i) {
            b[i] = i <= order ? g.b[i] : C(0);
            a[i] = i <= order ? g.a[i] : C(0);
            s[i] = i < order ? z[i] : C(0);
        }
        each_sample<8>(x, g.x_step, Index(0), Index(g.length), [&](Index t, X v) {
            const C in = cast<C>(v), out = b[0] * in + s[0];
            y[t * g.y_step] = cast<Y>(out);
#pragma unroll
            for (int i = 0; i < few; ++i)
                if (i < order) s[i] = (b[i + 1] * in + s[i + 1]) - a[i + 1] * out;
        });
#pragma unroll
        for (int i = 0; i < few; ++i)
            if (i < order) z[i] = s[i];
    }
};

}  // namespace gpusci
