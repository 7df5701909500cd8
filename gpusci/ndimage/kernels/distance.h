// Distance transforms, one axis after the other: g holds the distance within the axes done so far (squared for the
// Euclidean metric), feature the flat index of the background element it belongs to. Along an axis every element takes the
// best of its line. Two forms of one pass, equal in value:
//   distance_search   an element looks outward until no farther one can win: all elements in parallel, for the GPU
//   distance_envelope a line at a time through the lower envelope of parabolas, linear in its length, for the host
//                     (Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions", Theory of Computing 8, 2012)
#pragma once
#include <gpusci/entry.h>

#if !defined(GPUSCI_CUDA)
#include <vector>
#endif

namespace gpusci {

enum class Metric : int { euclidean, taxicab, chessboard };

constexpr double DISTANCE_NONE = 1.7976931348623157e308;        // no background met so far

template <Metric metric>
HD double joined(double g, double d) {
    if constexpr (metric == Metric::euclidean) return g + d * d;
    else if constexpr (metric == Metric::taxicab) return g + d;
    else return g < d ? d : g;
}

template <class F, class Index>
struct distance_start {
    struct Args {
        const bool* foreground;
        double* g;
        F* feature;
    };
    HD static void at(Index i, const Args& a) {
        a.g[i] = a.foreground[i] ? DISTANCE_NONE : 0.0;
        a.feature[i] = a.foreground[i] ? F(-1) : F(i);
    }
};

template <Metric metric, class F, class Index>
struct distance_search {
    struct Args {
        const double* g;
        const F* feature;
        double* g_out;
        F* feature_out;
        int64_t length, stride;             // of the axis
        double sampling;
    };
    HD static void at(Index i, const Args& a) {
        const Index stride = Index(a.stride), length = Index(a.length), x = i / stride % length;
        double best = a.g[i];
        Index from = i;
        for (Index d = 1; d < length; ++d) {
            const double far = a.sampling * double(d);
            if (joined<metric>(0.0, far) >= best || (d > x && x + d >= length)) break;
            // The lower index first, so that it wins among equals.
            if (d <= x) {
                const double v = joined<metric>(a.g[i - d * stride], far);
                if (v < best) {
                    best = v;
                    from = i - d * stride;
                }
            }
            if (x + d < length) {
                const double v = joined<metric>(a.g[i + d * stride], far);
                if (v < best) {
                    best = v;
                    from = i + d * stride;
                }
            }
        }
        a.g_out[i] = best;
        a.feature_out[i] = a.feature[from];
    }
};

// Euclidean only, host only. Work item: a line.
template <class F, class Index>
struct distance_envelope {
    struct Args {
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
                value[q] = a.g[base + q * stride];
                feature[q] = a.feature[base + q * stride];
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
            if (count == 0) continue;
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

// One relaxation of a chamfer distance: every step along an offset of the structure costs 1. -1: not reached yet.
template <int D, class Index>
struct chamfer_step {
    struct Args {
        const int32_t* x;
        const int64_t* from;
        int32_t* y;
        int64_t* from_out;
        int64_t* changed;
        int64_t shape[D];
        int64_t count;
        const int64_t* delta;
        const int64_t* step;
    };
    HD static void at(Index i, const Args& a) {
        Index c[D], rest = i;
        for (int d = D - 1; d > 0; --d) {
            c[d] = rest % Index(a.shape[d]);
            rest /= Index(a.shape[d]);
        }
        c[0] = rest;
        int32_t best = a.x[i];
        int64_t from = a.from[i];
        for (int k = 0; k < int(a.count); ++k) {
            bool in = true;
            for (int d = 0; d < D; ++d) {
                const Index x = c[d] + Index(a.delta[k * D + d]);
                in = in && x >= 0 && x < Index(a.shape[d]);
            }
            if (!in) continue;
            const Index j = i + Index(a.step[k]);
            if (a.x[j] >= 0 && (best < 0 || a.x[j] + 1 < best)) {
                best = a.x[j] + 1;
                from = a.from[j];
            }
        }
        if (best != a.x[i]) *a.changed = 1;
        a.y[i] = best;
        a.from_out[i] = from;
    }
};

}  // namespace gpusci
