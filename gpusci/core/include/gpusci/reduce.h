// Reductions, portable form: any strides, any set of axes, masks, and the ordered folds that have no parallel form.
//
// The shape is split into kept and reduced axes (reduction.py collapses both). Work item i folds one of `splits` pieces of
// the reduced elements of one output; outputs are adjacent for adjacent items. With one piece the result is stored at
// once, else the pieces' accumulators go to `part` and reduce_finish merges them in order: results do not depend on
// the number of threads. The block forms for the GPU are in reduce_block.h.
#pragma once
#include "accumulators.h"
#include "extremes.h"
#include "moments.h"

namespace gpusci {

constexpr int part_bytes = 64;              // room for one accumulator in a workspace; PART in reduction.py
constexpr int tile_size = 16;

template <class Acc> HD Acc& part_at(uint8_t* part, int64_t i) {
    static_assert(sizeof(Acc) <= part_bytes && sizeof(Acc) % 8 == 0, "accumulators travel in workspaces");
    return *reinterpret_cast<Acc*>(part + i * int64_t(sizeof(Acc)));
}

// An element as the accumulator wants it: first the loop's dtype (which rounds or wraps as NumPy would), then its element.
template <class T, class X> HD compute_t<T> load_as(const X& x) { return compute_t<T>(cast<T>(x)); }

template <class T> HD complex<double> widen(const T& v) {
    if constexpr (is_complex<T>::value) return {double(v.re), double(v.im)};
    else return {double(v), 0.0};
}

// Fold n elements `stride` apart, the first one with index `base`.
template <class T, class Acc, class X, class Index>
HD void fold_run(Acc& acc, const X* x, Index stride, Index n, int64_t base) {
    using element = compute_t<T>;
    Index i = 0;
    for (; i + tile_size <= n; i += tile_size) {
        element v[tile_size];
#pragma unroll
        for (int j = 0; j < tile_size; ++j) v[j] = load_as<T>(x[(i + j) * stride]);
        acc.template tile<tile_size, 1>(v, base + i, 1);
    }
    for (; i < n; ++i) acc.add(load_as<T>(x[i * stride]), base + i);
}

#if !defined(GPUSCI_CUDA)
// n accumulators side by side fold `rows` rows, `step` apart; element (r, c) has index base + r * down + c * across.
template <class T, int Rows, class Acc, class X, class Index>
void fold_lanes(Acc* acc, const X* x, Index n, Index step, Index rows, int64_t base, int64_t across, int64_t down) {
    using element = compute_t<T>;
    Index r = 0;
    for (; r + Rows <= rows; r += Rows) {
        const X* row = x + r * step;
        for (Index c = 0; c < n; ++c) {
            element v[Rows];
            for (int j = 0; j < Rows; ++j) v[j] = load_as<T>(row[j * step + c]);
            acc[c].template tile<Rows, 1>(v, base + r * down + c * across, down);
        }
    }
    for (; r < rows; ++r)
        for (Index c = 0; c < n; ++c) acc[c].add(load_as<T>(x[r * step + c]), base + r * down + c * across);
}
#endif

// A contiguous run. On the host, long ones are folded as interleaved ones.
template <class T, class Acc, class X, class Index>
HD void fold_contiguous(Acc& acc, const X* x, Index n, int64_t base) {
#if !defined(GPUSCI_CUDA)
    constexpr Index lanes = 16;
    if (n >= 1024) {
        const Index rows = n / lanes;
        Acc lane[lanes];
        for (Acc& l : lane) l.init();
        fold_lanes<T, tile_size>(lane, x, lanes, lanes, rows, base, 1, lanes);
        for (const Acc& l : lane) acc.merge(l);
        x += rows * lanes;
        base += rows * lanes;
        n -= rows * lanes;
    }
#endif
    fold_run<T>(acc, x, Index(1), n, base);
}

template <template <class> class Acc, class T, class X, class Y, bool Masked, int K, int R, class Index>
struct reduce {
    using acc_t = Acc<T>;
    struct Args {
        const X* x;
        const bool* mask;
        Y* y;
        uint8_t* part;
        const T* initial;
        int64_t outputs, length, piece, splits;
        int64_t kshape[K], kstride[K], kmask[K];
        int64_t rshape[R], rstride[R], rmask[R];
        Finish finish;
    };

    HD static void at(Index i, const Args& a) {
        const Index o = i % Index(a.outputs), s = i / Index(a.outputs);
        Index off = 0, moff = 0, rest = o;
#pragma unroll
        for (int d = K - 1; d >= 0; --d) {
            const Index n = Index(a.kshape[d]), c = d ? rest % n : rest;
            rest /= n;
            off += c * Index(a.kstride[d]);
            if (Masked) moff += c * Index(a.kmask[d]);
        }
        acc_t acc;
        acc.init();
        const Index begin = s * Index(a.piece), end = min_of(begin + Index(a.piece), Index(a.length));
        fold(acc, a, off, moff, begin, end);
        if (a.splits == 1) acc.store(a.y[o], a.finish, a.initial);
        else part_at<acc_t>(a.part, int64_t(s) * a.outputs + o) = acc;
    }

#if !defined(GPUSCI_CUDA)
    // The host's way through the same items: neighbouring outputs side by side where they are neighbours in memory, and long
    // contiguous runs as sixteen interleaved ones, so that the compiler vectorises over them.
    static void range(Index begin, Index end, const Args& a) {
        const bool columns = !Masked && R == 1 && a.kstride[K - 1] == 1 && a.rstride[0] != 1 && a.length > 1;
        for (Index i = begin; i < end;) {
            const Index o = i % Index(a.outputs), left = Index(a.kshape[K - 1]) - o % Index(a.kshape[K - 1]);
            const Index n = min_of(min_of(left, Index(end - i)), Index(host_columns));
            if (columns && n >= 8) {
                fold_columns(i, n, a);
                i += n;
            } else at(i++, a);
        }
    }
    static constexpr int host_columns = 128;
    static void fold_columns(Index i, Index n, const Args& a) {
        const Index o = i % Index(a.outputs), s = i / Index(a.outputs), begin = s * Index(a.piece);
        const Index end = min_of(begin + Index(a.piece), Index(a.length)), step = Index(a.rstride[0]);
        Index off = 0, rest = o;
        for (int d = K - 1; d >= 0; --d) {
            off += (rest % Index(a.kshape[d])) * Index(a.kstride[d]);
            rest /= Index(a.kshape[d]);
        }
        const X* x = a.x + off;
        acc_t acc[host_columns];
        for (Index c = 0; c < n; ++c) acc[c].init();
        // Eight rows: more would not share a cache set where rows are a power of two apart.
        fold_lanes<T, 8>(acc, x + begin * step, n, step, end - begin, int64_t(begin), 0, 1);
        for (Index c = 0; c < n; ++c) {
            if (a.splits == 1) acc[c].store(a.y[o + c], a.finish, a.initial);
            else part_at<acc_t>(a.part, int64_t(i) + c) = acc[c];
        }
    }
#endif

    // The reduced elements begin <= pos < end of one output, in runs along the innermost reduced axis.
    HD static void fold(acc_t& acc, const Args& a, Index off, Index moff, Index begin, Index end) {
        for (Index pos = begin; pos < end;) {
            Index ro = off, rm = moff, rest = pos, c = 0;
#pragma unroll
            for (int d = R - 1; d >= 0; --d) {
                const Index n = Index(a.rshape[d]), k = d ? rest % n : rest;
                rest /= n;
                ro += k * Index(a.rstride[d]);
                if (Masked) rm += k * Index(a.rmask[d]);
                if (d == R - 1) c = k;
            }
            const Index run = min_of(end - pos, Index(a.rshape[R - 1]) - c), stride = Index(a.rstride[R - 1]);
            const X* x = a.x + ro;
            if constexpr (Masked) {
                const bool* mask = a.mask + rm;
                const Index mstep = Index(a.rmask[R - 1]);
                for (Index j = 0; j < run; ++j)
                    if (mask[j * mstep]) acc.add(load_as<T>(x[j * stride]), int64_t(pos) + j);
            } else if (stride == 1) fold_contiguous<T>(acc, x, run, int64_t(pos));
            else fold_run<T>(acc, x, stride, run, int64_t(pos));
            pos += run;
        }
    }
};

// Merge the pieces: output o has pieces part[o * along + p * between].
template <template <class> class Acc, class T, class Y, class Index>
struct reduce_finish {
    using acc_t = Acc<T>;
    struct Args {
        uint8_t* part;
        Y* y;
        const T* initial;
        int64_t pieces, along, between;
        Finish finish;
    };
    HD static void at(Index o, const Args& a) {
        acc_t acc = part_at<acc_t>(a.part, int64_t(o) * a.along);
        for (int64_t p = 1; p < a.pieces; ++p) acc.merge(part_at<acc_t>(a.part, int64_t(o) * a.along + p * a.between));
        acc.store(a.y[o], a.finish, a.initial);
    }
};

// A functor's value; one that can fail reports it first.
template <class F, class = void> struct failing { static constexpr bool value = false; };
template <class F> struct failing<F, choose_t<F::can_fail, void, void>> { static constexpr bool value = F::can_fail; };
template <class F, class E> HD auto checked(const E& a, const E& b, const ErrorCell& err) {
    if constexpr (failing<F>::value)
        if (F::invalid(a, b)) err.raise(0);
    return F()(a, b);
}

// Functors that are not associative (subtract, divide, power ...): strictly one after the other, in the loop's dtype.
template <class F, class T, class X, int K, int R, bool Masked, class Index>
struct fold_ordered {
    struct Args {
        const X* x;
        const bool* mask;
        T* y;
        const T* initial;
        int64_t length;
        int64_t kshape[K], kstride[K], kmask[K];
        int64_t rshape[R], rstride[R], rmask[R];
        ErrorCell err;
    };
    HD static void at(Index o, const Args& a) {
        Index off = 0, moff = 0, rest = o;
#pragma unroll
        for (int d = K - 1; d >= 0; --d) {
            const Index n = Index(a.kshape[d]), c = d ? rest % n : rest;
            rest /= n;
            off += c * Index(a.kstride[d]);
            if (Masked) moff += c * Index(a.kmask[d]);
        }
        bool any = a.initial != nullptr;
        T value = any ? *a.initial : T(0);
        for (Index pos = 0; pos < Index(a.length); ++pos) {
            Index ro = off, rm = moff;
            rest = pos;
#pragma unroll
            for (int d = R - 1; d >= 0; --d) {
                const Index n = Index(a.rshape[d]), k = d ? rest % n : rest;
                rest /= n;
                ro += k * Index(a.rstride[d]);
                if (Masked) rm += k * Index(a.rmask[d]);
            }
            if (Masked && !a.mask[rm]) continue;
            const compute_t<T> v = load_as<T>(a.x[ro]);
            value = any ? cast<T>(checked<F>(compute_t<T>(value), v, a.err)) : cast<T>(v);
            any = true;
        }
        a.y[o] = value;
    }
};

}  // namespace gpusci
