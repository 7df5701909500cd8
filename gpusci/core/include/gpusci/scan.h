// Running totals along lines: cumsum, cumprod, ufunc.accumulate. Portable form, any strides.
//
// Long lines are cut into pieces: totals of the pieces, a scan of the totals, then every piece is scanned from its carry.
// Pieces follow from the shape alone, so results do not depend on the number of threads. Functors that are not
// associative are scanned in one piece. The forms for the GPU are in scan_block.h.
//
// An operation `Op<T>` (T: NumPy's loop dtype) has
//     local     type of elements and of totals of some hundred of them; `lift(x)` makes one, `join(a, b)` adds on
//     wide      type of carries; `widen(local)`, `combine(wide, wide)`
//     round(w)  a carry as a result of dtype T
// float32 sums carry double: the error is a few ulp whatever the length.
#pragma once
#include "reduce.h"

namespace gpusci {

template <class T, bool Skip> struct scan_sum_of {
    using local = tile_t<compute_t<T>>;
    using wide = choose_t<is_complex<T>::value, complex<double>, choose_t<is_float<local>::value, double, local>>;
    HD static local lift(const compute_t<T>& x) { return Skip && nan_in(x) ? local(0) : local(x); }
    HD static local join(const local& a, const local& b) { return plus_of(a, b); }
    HD static wide widen(const local& a) { return wide(a); }
    HD static wide combine(const wide& a, const wide& b) { return plus_of(a, b); }
    HD static T round(const wide& w) { return cast<T>(w); }
};
template <class T> struct scan_sum : scan_sum_of<T, false> {};
template <class T> struct scan_nansum : scan_sum_of<T, true> {};

template <class T, bool Skip> struct scan_prod_of {
    using wide = typename prod_acc<T>::wide;
    using local = wide;             // not float: products of some hundred elements would leave its range
    HD static local lift(const compute_t<T>& x) { return Skip && nan_in(x) ? local(1) : local(x); }
    HD static local join(const local& a, const local& b) { return prod_acc<T>::times(a, b); }
    HD static wide widen(const local& a) { return a; }
    HD static wide combine(const wide& a, const wide& b) { return prod_acc<T>::times(a, b); }
    HD static T round(const wide& w) { return cast<T>(w); }
};
template <class T> struct scan_prod : scan_prod_of<T, false> {};
template <class T> struct scan_nanprod : scan_prod_of<T, true> {};

// A binary functor; each step is rounded to the loop's dtype.
template <class F> struct scan_by {
    template <class T> struct op {
        using local = compute_t<T>;
        using wide = local;
        HD static local lift(const compute_t<T>& x) { return x; }
        HD static local join(const local& a, const local& b) { return local(cast<T>(F()(a, b))); }
        HD static wide widen(const local& a) { return a; }
        HD static wide combine(const wide& a, const wide& b) { return join(a, b); }
        HD static T round(const wide& w) { return cast<T>(w); }
    };
};

// Offsets of a line in x and y: K axes besides the scanned one.
template <int K, class Index> HD void line_offsets(Index line, const int64_t* shape, const int64_t* xs, const int64_t* ys,
                                                   Index& x, Index& y) {
    x = y = 0;
#pragma unroll
    for (int d = K - 1; d >= 0; --d) {
        const Index n = Index(shape[d]), q = d ? line / n : 0, c = line - q * n;
        x += c * Index(xs[d]);
        y += c * Index(ys[d]);
        line = q;
    }
}

template <template <class> class Op, class T, class X, class Y, int K>
struct scan_args {
    const X* x;
    Y* y;
    uint8_t* carry;             // slots of 16 bytes, [piece][line]
    int64_t lines, length, piece, pieces, xstep, ystep;
    int64_t shape[K], xstride[K], ystride[K];
};
constexpr int carry_bytes = 16;
template <class W> HD W& carry_at(uint8_t* carry, int64_t i) {
    static_assert(sizeof(W) <= carry_bytes, "carries fit their slots");
    return *reinterpret_cast<W*>(carry + i * carry_bytes);
}

#if !defined(GPUSCI_CUDA)
constexpr int host_lines = 256;

// The host's way through scan_totals and scan_apply: lines that are neighbours in memory advance together, row by row.
// K::at does one item, K::together n of them.
template <class Kernel, class Index, class Args> void scan_items(Index begin, Index end, const Args& a) {
    constexpr int last = sizeof(a.shape) / sizeof(a.shape[0]) - 1;
    const bool columns = a.xstride[last] == 1 && a.ystride[last] == 1 && a.xstep != 1;
    for (Index i = begin; i < end;) {
        const Index line = i % Index(a.lines), left = Index(a.shape[last]) - line % Index(a.shape[last]);
        const Index n = min_of(min_of(left, Index(end - i)), Index(host_lines));
        if (columns && n >= 8) {
            Kernel::together(i, n, a);
            i += n;
        } else Kernel::at(i++, a);
    }
}
#endif

// Work item i is piece i / lines of line i % lines: neighbours read neighbouring columns.
template <template <class> class Op, class T, class X, class Y, int K, class Index>
struct scan_totals {
    using Args = scan_args<Op, T, X, Y, K>;
    HD static void at(Index i, const Args& a) {
        using O = Op<T>;
        const Index line = i % Index(a.lines), p = i / Index(a.lines);
        Index ox, oy;
        line_offsets<K>(line, a.shape, a.xstride, a.ystride, ox, oy);
        const Index begin = p * Index(a.piece), end = min_of(begin + Index(a.piece), Index(a.length));
        auto total = O::widen(O::lift(load_as<T>(a.x[ox + begin * Index(a.xstep)])));
        for (Index j = begin + 1; j < end; ++j)
            total = O::combine(total, O::widen(O::lift(load_as<T>(a.x[ox + j * Index(a.xstep)]))));
        carry_at<typename O::wide>(a.carry, i) = total;
    }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) { scan_items<scan_totals>(begin, end, a); }
    static void together(Index i, Index n, const Args& a) {
        using O = Op<T>;
        const Index line = i % Index(a.lines), p = i / Index(a.lines);
        Index ox, oy;
        line_offsets<K>(line, a.shape, a.xstride, a.ystride, ox, oy);
        const Index begin = p * Index(a.piece), end = min_of(begin + Index(a.piece), Index(a.length));
        typename O::wide total[host_lines];
        const X* x = a.x + ox + begin * Index(a.xstep);
        for (Index c = 0; c < n; ++c) total[c] = O::widen(O::lift(load_as<T>(x[c])));
        for (Index j = begin + 1; j < end; ++j) {
            x += a.xstep;
            for (Index c = 0; c < n; ++c) total[c] = O::combine(total[c], O::widen(O::lift(load_as<T>(x[c]))));
        }
        for (Index c = 0; c < n; ++c) carry_at<typename O::wide>(a.carry, i + c) = total[c];
    }
#endif
};

// Totals of pieces become the carries into the following ones.
template <template <class> class Op, class T, class Index>
struct scan_carries {
    struct Args { uint8_t* carry; int64_t lines, pieces; };
    HD static void at(Index line, const Args& a) {
        using O = Op<T>;
        auto total = carry_at<typename O::wide>(a.carry, line);
        for (int64_t p = 1; p < a.pieces; ++p) {
            auto& slot = carry_at<typename O::wide>(a.carry, p * a.lines + line);
            total = O::combine(total, slot);
            slot = total;
        }
    }
};

template <template <class> class Op, class T, class X, class Y, int K, class Index>
struct scan_apply {
    using Args = scan_args<Op, T, X, Y, K>;
    HD static void at(Index i, const Args& a) {
        using O = Op<T>;
        const Index line = i % Index(a.lines), p = i / Index(a.lines);
        Index ox, oy;
        line_offsets<K>(line, a.shape, a.xstride, a.ystride, ox, oy);
        const Index begin = p * Index(a.piece), end = min_of(begin + Index(a.piece), Index(a.length));
        auto total = O::widen(O::lift(load_as<T>(a.x[ox + begin * Index(a.xstep)])));
        if (p) total = O::combine(carry_at<typename O::wide>(a.carry, i - Index(a.lines)), total);
        a.y[oy + begin * Index(a.ystep)] = cast<Y>(O::round(total));
        for (Index j = begin + 1; j < end; ++j) {
            total = O::combine(total, O::widen(O::lift(load_as<T>(a.x[ox + j * Index(a.xstep)]))));
            a.y[oy + j * Index(a.ystep)] = cast<Y>(O::round(total));
        }
    }
#if !defined(GPUSCI_CUDA)
    static void range(Index begin, Index end, const Args& a) { scan_items<scan_apply>(begin, end, a); }
    static void together(Index i, Index n, const Args& a) {
        using O = Op<T>;
        const Index line = i % Index(a.lines), p = i / Index(a.lines);
        Index ox, oy;
        line_offsets<K>(line, a.shape, a.xstride, a.ystride, ox, oy);
        const Index begin = p * Index(a.piece), end = min_of(begin + Index(a.piece), Index(a.length));
        typename O::wide total[host_lines];
        const X* x = a.x + ox + begin * Index(a.xstep);
        Y* y = a.y + oy + begin * Index(a.ystep);
        for (Index c = 0; c < n; ++c) {
            total[c] = O::widen(O::lift(load_as<T>(x[c])));
            if (p) total[c] = O::combine(carry_at<typename O::wide>(a.carry, i - Index(a.lines) + c), total[c]);
            y[c] = cast<Y>(O::round(total[c]));
        }
        for (Index j = begin + 1; j < end; ++j) {
            x += a.xstep;
            y += a.ystep;
            for (Index c = 0; c < n; ++c) {
                total[c] = O::combine(total[c], O::widen(O::lift(load_as<T>(x[c]))));
                y[c] = cast<Y>(O::round(total[c]));
            }
        }
    }
#endif
};

// Functors that can fail, and all that are not associative: one item a line.
template <class F, class T, class X, class Y, int K, class Index>
struct scan_ordered {
    struct Args {
        const X* x;
        Y* y;
        int64_t length, xstep, ystep;
        int64_t shape[K], xstride[K], ystride[K];
        ErrorCell err;
    };
    HD static void at(Index line, const Args& a) {
        Index ox, oy;
        line_offsets<K>(line, a.shape, a.xstride, a.ystride, ox, oy);
        T total = cast<T>(load_as<T>(a.x[ox]));
        a.y[oy] = cast<Y>(total);
        for (Index j = 1; j < Index(a.length); ++j) {
            total = cast<T>(checked<F>(compute_t<T>(total), load_as<T>(a.x[ox + j * Index(a.xstep)]), a.err));
            a.y[oy + j * Index(a.ystep)] = cast<Y>(total);
        }
    }
};

}  // namespace gpusci
