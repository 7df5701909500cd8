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

// G: double, or int32_t where every distance measure is a whole number below DISTANCE_FAR (unit sampling). feature and
// feature_out are null when nobody asks for the background elements themselves.
constexpr int32_t DISTANCE_FAR = 1 << 30;
template <class G> HD G distance_none() {
    if constexpr (same<G, double>::value) return DISTANCE_NONE;
    else return DISTANCE_FAR;
}
template <Metric metric, class G>
HD G joined_as(G g, G far) {            // far: the axis' own part, squared for the Euclidean metric
    if constexpr (metric == Metric::chessboard) return g < far ? far : g;
    else return g + far;
}

template <Metric metric, class G, class F, class Index>
struct distance_search {
    struct Args {
        const bool* foreground;             // the first axis: g is 0 where this is false; else null
        const G* g;
        const F* feature;
        G* g_out;
        F* feature_out;
        int64_t length, stride;             // of the axis
        double sampling;
        int64_t last;                       // among equally near elements: the last in C order, not just any
    };
    // Whether element j at distance measure v takes the place of `from`.
    HD static bool better(const Args& a, G v, G best, Index j, Index from) {
        if (v != best || !a.last) return v < best;
        return a.foreground ? j > from : a.feature[j] > a.feature[from];
    }
    HD static G of(const Args& a, Index i) {
        if (a.foreground) return a.foreground[i] ? distance_none<G>() : G(0);
        return a.g[i];
    }
    HD static void at(Index i, const Args& a) { element(i, i / Index(a.stride) % Index(a.length), a); }
    static void range(Index begin, Index end, const Args& a) {         // counts along instead of dividing
        const Index stride = Index(a.stride), length = Index(a.length);
        Index column = begin % stride, x = begin / stride % length;
        for (Index i = begin; i < end; ++i) {
            element(i, x, a);
            if (++column < stride) continue;
            column = 0;
            if (++x == length) x = 0;
        }
    }
    HD static void element(Index i, Index x, const Args& a) {
        const Index stride = Index(a.stride), length = Index(a.length);
        G best = of(a, i);
        Index from = i;
        for (Index d = 1; d < length && best > G(0); ++d) {
            G far;
            if constexpr (same<G, double>::value) {
                far = a.sampling * double(d);
                if constexpr (metric == Metric::euclidean) far *= far;
            } else {
                far = metric == Metric::euclidean ? G(d) * G(d) : G(d);
            }
            if (far > best || (far == best && !a.last) || (d > x && x + d >= length)) break;
            if (d <= x) {
                const G v = joined_as<metric>(of(a, i - d * stride), far);
                if (better(a, v, best, i - d * stride, from)) {
                    best = v;
                    from = i - d * stride;
                }
            }
            if (x + d < length) {
                const G v = joined_as<metric>(of(a, i + d * stride), far);
                if (better(a, v, best, i + d * stride, from)) {
                    best = v;
                    from = i + d * stride;
                }
            }
        }
        a.g_out[i] = best;
        if (a.feature_out) a.feature_out[i] = !a.foreground ? a.feature[from] : best < distance_none<G>() ? F(from) : F(-1);
    }
};

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
        Index c[D], rest = i;
        for (int d = D - 1; d >= 0; --d) {
            c[d] = d > 0 ? rest % Index(a.shape[d]) : rest;
            rest /= Index(a.shape[d]);
        }
        const Index r = Index(a.g[i]), width = 2 * r + 1;
        Index boxes = 1;
        for (int d = 0; d < D; ++d) boxes *= width;
        for (Index t = boxes - 1; t >= 0; --t) {
            Index left = t, flat = 0, step = 1;
            bool inside = true;
            for (int d = D - 1; d >= 0; --d) {
                const Index x = c[d] + left % width - r;
                left /= width;
                inside = inside && x >= 0 && x < Index(a.shape[d]);
                flat += x * step;
                step *= Index(a.shape[d]);
            }
            if (inside && !a.foreground[flat]) {
                a.feature[i] = F(flat);
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

// The last background element in C order at chessboard distance g: none is nearer, so any within the box will do.
template <class F, int D, class Index>
struct chessboard_last {
    struct Args {
        const bool* foreground;
        const double* g;
        F* feature;
        int64_t shape[D];
    };
    HD static void at(Index i, const Args& a) {
        if (a.g[i] == DISTANCE_NONE) return;
        const Index reach = Index(a.g[i]);
        Index low[D], extent[D], stride[D], rest = i, total = 1, step = 1;
        for (int d = D - 1; d >= 0; --d) {
            const Index n = Index(a.shape[d]), q = rest / n, x = rest - q * n;
            rest = q;
            low[d] = x > reach ? x - reach : 0;
            extent[d] = min_of<Index>(x + reach, n - 1) - low[d] + 1;
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
