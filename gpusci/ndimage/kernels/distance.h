// Distance transforms: what comes before and after the parallel passes along the axes (distance_lines.h), the pass of the host,
//   distance_envelope   a line at a time through the lower envelope of parabolas, linear in its length
//                       (Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions", Theory of Computing 8, 2012)
//   distance_whole      the same for the other metrics on whole numbers (Meijster, Roerdink and Hesselink, "A general algorithm for
//                       computing distance transforms in linear time", Mathematical Morphology and its Applications, 2000)
// and chamfer distances.
#pragma once
#include "distance_lines.h"

#if !defined(GPUSCI_CUDA)
#include <algorithm>
#include <vector>
#endif

namespace gpusci {

// Chessboard metric: the nearest elements are all the background of the box of radius g; this finds its last one in C order
// (which the passes cannot: a farther element of one axis may tie with a nearer one after the next).
template <class F, int D, class Index>
struct last_in_box {
    struct Args {
        const bool* foreground;
        const double* g;
        F* feature;
        int64_t shape[D];
    };
    HD static void at(Index i, const Args& a) {
        if (a.g[i] >= DISTANCE_NONE) return;
        const Index reach = Index(a.g[i]);
        Index low[D], extent[D], stride[D], rest = i, total = 1, step = 1;
        for (int d = D - 1; d >= 0; --d) {
            const Index n = Index(a.shape[d]), q = rest / n, x = rest - q * n;
            rest = q;
            low[d] = x > reach ? x - reach : 0;
            extent[d] = min_of<Index>(reach, n - 1 - x) + x - low[d] + 1;
            stride[d] = step;
            step *= n;
            total *= extent[d];
        }
        for (Index t = total - 1; t >= 0; --t) {
            Index j = 0, r = t;
            for (int d = D - 1; d >= 0; --d) {
                const Index q = r / extent[d];
                j += (low[d] + r - q * extent[d]) * stride[d];
                r = q;
            }
            if (!a.foreground[j]) {
                a.feature[i] = F(j);
                return;
            }
        }
    }
};

// Distances from whole-numbered squares; without any background, to the element (-1, 0, 0, ...), as SciPy.
template <int D, class Index>
struct distance_root {
    struct Args {
        const int32_t* g;
        double* distance;
        int64_t shape[D];
    };
    HD static void at(Index i, const Args& a) {
        double square = double(a.g[i]);
        if (a.g[i] >= DISTANCE_FAR) {
            Index rest = i;
            square = 0;
            for (int d = D - 1; d >= 0; --d) {
                const Index n = Index(a.shape[d]), x = d > 0 ? rest % n : rest + 1;
                rest /= n;
                square += double(x) * double(x);
            }
        }
        a.distance[i] = sqrt(square);
    }
};

// Euclidean only, host only. Work item: a line.
template <class F, class Index>
struct distance_envelope {
    struct Args {
        const bool* foreground;             // the first axis: g is 0 where this is false; else null
        double* g;
        F* feature;
        int64_t length, stride;
        double sampling;
    };
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index line, const Args& a) { range(line, line + 1, a); }
    static void range(Index begin, Index end, const Args& a) {
        const Index n = Index(a.length), stride = Index(a.stride);
        std::vector<double> value(n), edge(n);
        std::vector<Index> at(n);
        std::vector<F> feature(n);
        const double s2 = a.sampling * a.sampling;
        for (Index line = begin; line < end; ++line) {
            const Index base = line / stride * stride * n + line % stride;
            Index count = 0;
            for (Index q = 0; q < n; ++q) {
                const Index i = base + q * stride;
                value[q] = !a.foreground ? a.g[i] : a.foreground[i] ? DISTANCE_NONE : 0.0;
                feature[q] = !a.foreground ? a.feature[i] : a.foreground[i] ? F(-1) : F(i);
                if (value[q] == DISTANCE_NONE) continue;
                double z = -DISTANCE_NONE;
                while (count > 0) {
                    const Index p = at[count - 1];
                    // Where the parabola of q meets that of p, in samples.
                    z = ((value[q] - value[p]) / s2 + double(q) * double(q) - double(p) * double(p)) / (2.0 * double(q - p));
                    if (z > edge[count - 1]) break;
                    --count;
                }
                if (count == 0) z = -DISTANCE_NONE;
                at[count] = q;
                edge[count++] = z;
            }
            if (count == 0) {
                for (Index q = 0; q < n; ++q) a.g[base + q * stride] = DISTANCE_NONE, a.feature[base + q * stride] = F(-1);
                continue;
            }
            for (Index x = 0, k = 0; x < n; ++x) {
                while (k + 1 < count && edge[k + 1] < double(x)) ++k;
                const double d = a.sampling * double(x - at[k]);
                a.g[base + x * stride] = value[at[k]] + d * d;
                a.feature[base + x * stride] = feature[at[k]];
            }
        }
    }
#endif
};

// What both other metrics do along their first axis, and taxicab along all: a step costs one, from either side. Host only, in
// place. Work item: COLUMNS lines side by side.
template <class Index>
struct distance_columns {
    static constexpr int64_t COLUMNS = 64;
    struct Args {
        const bool* foreground;             // the first axis: g is 0 where this is false; else null
        int32_t* g;
        int64_t length, stride;
    };
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index item, const Args& a) {
        const int64_t across = (a.stride + COLUMNS - 1) / COLUMNS, column = item % across * COLUMNS;
        const int64_t start = item / across * a.length * a.stride + column, count = std::min(COLUMNS, a.stride - column);
        for (int64_t y = 0; y < a.length; ++y) {
            int32_t* const g = a.g + (start + y * a.stride);
            if (a.foreground) begin(a.foreground + (start + y * a.stride), g, count);
            if (y) step(g - a.stride, g, count);
        }
        for (int64_t y = a.length - 2; y >= 0; --y) step(a.g + (start + (y + 1) * a.stride), a.g + (start + y * a.stride), count);
    }
    static void begin(const bool* foreground, int32_t* g, int64_t count) {
        for (int64_t x = 0; x < count; ++x) g[x] = foreground[x] ? DISTANCE_FAR : 0;
    }
    static void step(const int32_t* from, int32_t* g, int64_t count) {
        for (int64_t x = 0; x < count; ++x) g[x] = std::min(g[x], from[x] + 1);
    }
#endif
};

// The other metrics, host only, in place; a later axis. Work item: a line.
template <Metric metric, class Index>
struct distance_whole {
    struct Args {
        int32_t* g;
        int64_t length, stride;
    };
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index line, const Args& a) { range(line, line + 1, a); }
    static void range(Index begin, Index end, const Args& a) {
        const Index n = Index(a.length), stride = Index(a.stride);
        std::vector<int32_t> g, out;
        std::vector<Index> from, start;             // best elements, and where each begins to be best
        for (Index line = begin; line < end; ++line) {
            int32_t* const at = a.g + (line / stride * stride * n + line % stride);
            if constexpr (metric == Metric::taxicab) {
                count_steps(at, n, stride);
                continue;
            }
            g.resize(n), out.resize(n);
            for (Index x = 0; x < n; ++x) g[x] = at[x * stride];
            if (n < 16 || !near(g.data(), n, out.data())) {
                from.resize(n), start.resize(n);
                nearest(g.data(), n, out.data(), from.data(), start.data());
            }
            for (Index x = 0; x < n; ++x) at[x * stride] = out[x];
        }
    }
    static void count_steps(int32_t* g, Index n, Index stride) {            // taxicab: a step costs one, from either side
        int32_t d = g[0];
        for (Index x = 1; x < n; ++x) g[x * stride] = d = std::min(g[x * stride], d + 1);
        for (Index x = n - 2; x >= 0; --x) g[x * stride] = d = std::min(g[x * stride], d + 1);
    }
    // Looks at elements 1, 2, 3 ... away, whole lines at a time; false where that is not enough.
    static bool near(const int32_t* g, Index n, int32_t* out) {
        constexpr int32_t most = 12;
        int32_t worst = 0, least = DISTANCE_FAR;
        for (Index x = 0; x < n; ++x) {
            out[x] = g[x];
            worst = std::max(worst, g[x]);
            least = std::min(least, g[x]);
        }
        for (int32_t d = 1; worst > std::max(d, least); ++d) {          // what is still to be looked at is no nearer
            if (d >= n) return true;
            if (d > most || least > most || (d == 4 && worst > most)) return false;
            worst = 0;
            const Index inner = std::max<Index>(n - d, d);
            for (Index x = 0; x < d; ++x) closer(g, n, x, d, out, worst);
            for (Index x = d; x < n - d; ++x) {
                out[x] = std::min(out[x], std::max(std::min(g[x - d], g[x + d]), d));
                worst = std::max(worst, out[x]);
            }
            for (Index x = inner; x < n; ++x) closer(g, n, x, d, out, worst);
        }
        return true;
    }
    static void closer(const int32_t* g, Index n, Index x, int32_t d, int32_t* out, int32_t& worst) {       // at the ends of a line
        if (x >= d) out[x] = std::min(out[x], std::max(g[x - d], d));
        if (x + d < n) out[x] = std::min(out[x], std::max(g[x + d], d));
        worst = std::max(worst, out[x]);
    }
    static int32_t measure(const int32_t* g, Index x, Index q) { return std::max(g[q], int32_t(x < q ? q - x : x - q)); }
    static void nearest(const int32_t* g, Index n, int32_t* out, Index* from, Index* start) {
        Index count = 1;
        from[0] = start[0] = 0;
        for (Index q = 1; q < n; ++q) {
            while (count > 0 && measure(g, start[count - 1], from[count - 1]) > measure(g, start[count - 1], q)) --count;
            Index x = 0;
            if (count > 0) {                        // q is better to the right of x - 1
                const Index p = from[count - 1], middle = (p + q) / 2;
                x = 1 + (g[p] <= g[q] ? std::max<Index>(p + g[q], middle) : std::min<Index>(q - g[p], middle));
            }
            if (x >= n) continue;
            from[count] = q;
            start[count++] = x;
        }
        for (Index x = n - 1; x >= 0; --x) {
            out[x] = measure(g, x, from[count - 1]);
            if (x == start[count - 1]) --count;
        }
    }
#endif
};

// Distances from features, as SciPy forms them: the coordinate differences, times the sampling, squared, summed in the
// order of the axes. Without any background the feature is (-1, 0, 0, ...).
template <class F, int D, class Index>
struct distance_finish {
    struct Args {
        const F* feature;
        double* distance;                   // null: not wanted
        int32_t* indices;                   // [D][n], null: not wanted
        int64_t n;
        int64_t shape[D];
        double sampling[D];
    };
    HD static void at(Index i, const Args& a) {
        const F f = a.feature[i];
        Index here = i, there = f < 0 ? Index(0) : Index(f);
        double squares[D];
        for (int d = D - 1; d >= 0; --d) {
            const Index n = Index(a.shape[d]);
            const Index x = d > 0 ? here % n : here, y = f < 0 ? (d > 0 ? Index(0) : Index(-1)) : d > 0 ? there % n : there;
            here /= n;
            there /= n;
            if (a.indices) a.indices[d * a.n + i] = int32_t(y);
            const double t = mul_rn(double(y - x), a.sampling[d]);
            squares[d] = mul_rn(t, t);
        }
        if (!a.distance) return;
        double sum = 0;
        for (int d = 0; d < D; ++d) sum += squares[d];
        a.distance[i] = sqrt(sum);
    }
};

// Chamfer distances as SciPy forms them, bit for bit: two passes over the elements, the second in reverse, in which each
// takes 1 more than the least of its neighbours on one side (the first of equals), -1 being a neighbour not reached.
template <int D>
struct Neighbours {
    int64_t shape[D];
    int64_t count;
    const int64_t* delta;       // count x D, and the same as steps of the flat index
    const int64_t* step;
    template <class Index>
    HD Index best(Index i, const int32_t* x, int32_t& value) const {
        Index c[D], rest = i, from = i;
        for (int d = D - 1; d > 0; --d) {
            c[d] = rest % Index(shape[d]);
            rest /= Index(shape[d]);
        }
        c[0] = rest;
        for (int k = 0; k < int(count); ++k) {
            bool in = true;
            for (int d = 0; d < D; ++d) {
                const Index p = c[d] + Index(delta[k * D + d]);
                in = in && p >= 0 && p < Index(shape[d]);
            }
            if (!in) continue;
            const Index j = i + Index(step[k]);
            if (x[j] >= 0 && (value < 0 || x[j] + 1 < value)) {
                value = x[j] + 1;
                from = j;
            }
        }
        return from;
    }
};

// One pass in place, one element after the other: for the host.
template <int D, class Index>
struct chamfer_pass {
    struct Args { int32_t* x; int64_t* feature; int64_t n, reverse; Neighbours<D> neighbours; };
    HD static void at(Index i, const Args& a) {
        if (a.reverse) i = Index(a.n) - 1 - i;
        if (a.x[i] != 0) a.feature[i] = a.feature[a.neighbours.template best<Index>(i, a.x, a.x[i])];
    }
};

// One relaxation of a pass, all elements at once: for the GPU. Each looks at neighbours on one side only, so that repeating
// this from what the pass began with (start) ends, when nothing changes, where the pass would.
template <int D, class Index>
struct chamfer_step {
    struct Args {
        const int32_t* start;
        const int64_t* start_feature;
        const int32_t* x;
        const int64_t* feature;
        int32_t* x_out;
        int64_t* feature_out;
        int64_t* changed;
        Neighbours<D> neighbours;
    };
    HD static void at(Index i, const Args& a) {
        int32_t value = a.start[i];
        int64_t feature = a.start_feature[i];
        if (value != 0) {
            const Index from = a.neighbours.template best<Index>(i, a.x, value);
            if (from != i) feature = a.feature[from];
        }
        if (value != a.x[i] || feature != a.feature[i]) *a.changed = 1;
        a.x_out[i] = value;
        a.feature_out[i] = feature;
    }
};

}  // namespace gpusci
