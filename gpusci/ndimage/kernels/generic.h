// Filters by the user's C++: WindowKernel, LineKernel, ReductionKernel and RawKernel as functions of generic_filter and
// generic_filter1d. The user's text is put between this header and the entry, in namespace gpusci::user (RawKernel: outside).
// A window is an accessor, not an array: w[k] reads the element where it lies, through the boundary map (on the host from
// a tile with the boundary filled in). So windows of every size share one kernel and none has to fit into registers.
#pragma once
#include <gpusci/custom.h>
#include "box.h"

namespace gpusci {

// ---- what the user's function becomes: `value`, the type of the window's values; Parameters; call(window, parameters)
template <class Function> struct window_body : Function { using value = double; };

template <class Core, bool has_identity, class In, class Out>
struct window_reduction {
    using value = In;
    struct Parameters { int64_t none; };
    template <class Values>
    HD static Out call(const Values& w, const Parameters&) {
        auto sum = has_identity ? Core::identity() : Core::map(0, w[0]);
        for (int64_t k = has_identity ? 0 : 1; k < w.size(); ++k) sum = Core::reduce(sum, Core::map(k, w[k]));
        Out y = Out();
        View<char, 0> place = {};
        place.data = reinterpret_cast<char*>(&y);
        Core::post(sum, &place, 0);
        return y;
    }
};

// A function of (values, count, result) needs its values side by side.
template <class Function, int capacity>
struct window_buffer {
    using value = double;
    struct Parameters { int64_t none; };
    template <class Values>
    HD static double call(const Values& w, const Parameters&) {
        double buffer[capacity], y = 0;
        for (int64_t k = 0; k < w.size(); ++k) buffer[k] = w[k];
        Function::call(buffer, w.size(), &y);
        return y;
    }
};

// ---- windows
// Values at known offsets from the first one, `stride` words apart in their table.
template <class V, class X, int stride>
struct PlacedValues {
    const X* first;
    const int64_t* offset;
    int64_t taps;
    HD int64_t size() const { return taps; }
    HD V operator[](int64_t k) const { return cast<V>(first[offset[k * stride]]); }
};

// Values of a window that reaches over the boundary.
template <class V, class X, int R, class Index>
struct EdgeValues {
    const X* x;
    const Window<R>& g;
    const WindowAt<R, Index>& where;
    Index column;
    HD int64_t size() const { return g.taps; }
    HD V operator[](int64_t k) const {
        const Index e = where.element(g, g.table + k * (R + 1), column);
        return e < 0 ? cast<V>(g.cval[0]) : cast<V>(x[e]);
    }
};

// The result as an output value: double as SciPy's C code converts it.
template <class Y, class T>
HD Y stored(T value) {
    if constexpr (is_float<T>::value) return to_output<Y>(double(value));
    else return cast<Y>(value);
}

template <class User, class X, class Y, int R, class Index>
struct window_function {
    using V = typename User::value;
    struct Args { const X* x; Y* y; Window<R> window; typename User::Parameters parameters; };

    HD static void at(Index i, const Args& a) {
        const Window<R>& g = a.window;
        const WindowAt<R, Index> where(i, g);
        const typename User::Parameters& p = a.parameters;
        // Twice the code, but without a branch a value the loads of an inner window overlap.
        if (where.inside) a.y[i] = stored<Y>(User::call(PlacedValues<V, X, R + 1>{a.x + where.base, g.table, g.taps}, p));
        else a.y[i] = stored<Y>(User::call(EdgeValues<V, X, R, Index>{a.x, g, where, Index(i % Index(g.inner))}, p));
    }

#if !defined(GPUSCI_CUDA)
    struct Op {
        using Buf = V;
        static constexpr int64_t rows = 16;
        const Args& a;
        Scratch<int64_t> offset;
        explicit Op(const Args& args) : a(args), offset(args.window.taps + 1) {}
        void filled(const V*, int64_t) {}
        static V load(X x) { return cast<V>(x); }
        static V fill(const Window<R>& g, int) { return cast<V>(g.cval[0]); }
        void row(const V* b, Y* y, int64_t len) {
            for (int64_t i = 0; i < len; ++i)
                y[i] = stored<Y>(User::call(PlacedValues<V, V, 1>{b + i, offset, a.window.taps}, a.parameters));
        }
    };
    static void range(Index begin, Index end, const Args& a) {
        Op op(a);
        BoxRunner<Op, X, Y, R>(a.window, op).run(a.x, a.y, begin, end);
    }
#endif
};

// ---- lines
// Item i is an element of `extended`: the lines of a C-contiguous array seen as (outer, n, inner) as doubles, with the
// boundary filled in. `across`: neighbours of other lines lie side by side, which threads read together; else a line's own do.
template <class X, class Index>
struct extend_lines {
    struct Args { const X* x; double* extended; int64_t n, inner, lines, length, lo, mode, across; double cval; };
    HD static void at(Index i, const Args& a) {
        const Index rows = Index(a.across ? a.lines : a.length), major = i / rows, minor = i - major * rows;
        const Index line = a.across ? minor : major, p = a.across ? major : minor;
        const Index inner = Index(a.inner), outer = line / inner, n = Index(a.n);
        const Index q = edge<Index>(a.mode, p - Index(a.lo), n);
        a.extended[i] = q < 0 ? a.cval : double(a.x[(outer * n + q) * inner + line - outer * inner]);
    }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) {
        if (a.across) {
            for (Index i = begin; i < end; ++i) at(i, a);
            return;
        }
        for (int64_t i = begin, stop; i < end; i = stop) {      // a line: its inside without a look at the boundary
            const int64_t line = i / a.length, inside = line * a.length + a.lo;
            stop = std::min<int64_t>(end, (line + 1) * a.length);
            const int64_t first = std::clamp(inside, i, stop), last = std::clamp(inside + a.n, i, stop);
            const X* x = a.x + line / a.inner * a.n * a.inner + line % a.inner;
            for (int64_t k = i; k < first; ++k) at(Index(k), a);
            for (int64_t k = first; k < last; ++k) a.extended[k] = double(x[(k - inside) * a.inner]);
            for (int64_t k = last; k < stop; ++k) at(Index(k), a);
        }
    }
#endif
};

template <class Index>
struct LineValues {
    double* data;
    Index step;
    int64_t count;
    HD int64_t size() const { return count; }
    HD double& operator[](int64_t k) const { return data[Index(k) * step]; }
};

struct RowValues {                      // side by side: the compiler sees which elements follow each other
    double* data;
    int64_t count;
    HD int64_t size() const { return count; }
    HD double& operator[](int64_t k) const { return data[k]; }
};

// The user's function on line i of arrays that extend_lines laid out.
template <class User, class Index>
struct line_function {
    struct Args {
        double* extended; double* y;
        int64_t length, n;          // of a line of `extended`, of `y`
        int64_t step, line, out;    // elements between neighbours of a line; between lines of `extended`, of `y`
        typename User::Parameters parameters;
    };
    HD static void at(Index i, const Args& a) {
        double* const line = a.extended + i * Index(a.line);
        double* const y = a.y + i * Index(a.out);
#if !defined(GPUSCI_CUDA)
        if (a.step == 1) return User::call(RowValues{line, a.length}, RowValues{y, a.n}, a.parameters);
#endif
        const LineValues<Index> in = {line, Index(a.step), a.length}, out = {y, Index(a.step), a.n};
        User::call(in, out, a.parameters);
    }
};

// A function of (line, length, results, length): lines whose elements are side by side.
template <class Function>
struct line_buffer {
    struct Parameters { int64_t none; };
    template <class Values>
    HD static void call(const Values& in, const Values& out, const Parameters&) {
        Function::call(in.data, in.size(), out.data, out.size());
    }
};

}  // namespace gpusci

// From here on, in the user's text: a path without `return` is an error, not a crash.
#if defined(GPUSCI_CUDA)
#pragma nv_diag_error 940
#else
#pragma GCC diagnostic error "-Wreturn-type"
#endif
