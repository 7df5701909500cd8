// A pass along one axis of a C-contiguous array seen as (outer, n, inner): item i is the i-th output in C order.
// Complex data are their real and imaginary parts with inner doubled, hence two fill values.
#pragma once
#include "element.h"

namespace gpusci {

struct Line {
    int64_t n, inner;       // length along the axis; elements between neighbours along it
    int64_t window, lo;     // output p reads inputs p - lo ... p - lo + window - 1
    int64_t mode;
    double cval[2];
};

// Where an output stands: position along the axis, offset of its line, parity of its column.
template <class Index>
struct Place {
    Index p, base;
    int part;
    HD Place(Index i, const Line& a) {
        const Index n = Index(a.n), inner = Index(a.inner), row = i / inner, col = i - row * inner;
        p = row % n;
        base = (row - p) * inner + col;
        part = int(col & 1);
    }
};

#if !defined(GPUSCI_CUDA)
// Host: an `Op` works on tiles that hold the inputs of a block of outputs with the boundary filled in:
//   Op::Buf                               type of the tile
//   Op::load(X) -> Buf                    conversion of an input; Op::fill(a, part) -> Buf of the constant
//   Op::apply(Buf* b, Buf* spare, len, step, a)
//                                         output i in b[i] from b[i], b[i + step] ... b[i + (window-1)*step], i < len
//   Op::store(Y* y, const Buf* b, len, a)
// A tile is flat: several positions by `width` columns, step = width; a plain row has width 1.
template <class Op, class X, class Y, class Args>
struct LineRunner {
    using Buf = typename Op::Buf;
    const Args& a;
    const Line& g;
    int64_t rows, cols;             // outputs of a full tile: positions, columns
    Scratch<Buf> tile, spare;

    // 8 Ki buffer elements stay near the core; a window longer than that amortises its own halo.
    static int64_t tile_rows(const Line& g, int64_t cols) {
        const int64_t budget = 8192 / cols - (g.window - 1), least = g.window < 64 ? 64 : g.window;
        return std::min(g.n, std::max(budget, least));
    }
    explicit LineRunner(const Args& args)
        : a(args), g(args.line), rows(0), cols(std::min<int64_t>(g.inner, 64)), tile((rows = tile_rows(g, cols), slack())),
          spare(Op::needs_spare ? slack() : 1) {
        std::fill(tile.data, tile.data + slack(), Buf());
    }
    int64_t slack() const { return (rows + g.window - 1) * cols + 8 * lanes<Buf>; }

    // Fill the tile with positions [p0 - lo, p1 - lo + window - 1) of columns [c0, c1) of the line group at `line`.
    void fill(const X* line, int64_t p0, int64_t p1, int64_t c0, int64_t c1) {
        const int64_t width = c1 - c0, first = p0 - g.lo, last = p1 - g.lo + g.window - 1;
        for (int64_t p = first; p < last;) {
            Buf* out = tile + (p - first) * width;
            if (p >= 0 && p < g.n && width == g.inner) {            // a run that is contiguous in memory
                const int64_t stop = std::min(last, g.n);
                const X* src = line + p * g.inner;
                for (int64_t k = 0; k < (stop - p) * width; ++k) out[k] = Op::load(src[k]);
                p = stop;
                continue;
            }
            const int64_t q = edge<int64_t>(g.mode, p, g.n);
            if (q < 0) for (int64_t c = 0; c < width; ++c) out[c] = Op::fill(a, int(c0 + c) & 1);
            else {
                const X* src = line + q * g.inner + c0;
                for (int64_t c = 0; c < width; ++c) out[c] = Op::load(src[c]);
            }
            ++p;
        }
    }

    // Outputs [p0, p1) x [c0, c1); of the first and last position only columns from `skip` and up to `stop` are stored.
    void block(const X* x, Y* y, int64_t p0, int64_t p1, int64_t c0, int64_t c1) {
        const int64_t width = c1 - c0;
        fill(x, p0, p1, c0, c1);
        Op::apply(tile.data, spare.data, (p1 - p0) * width, width, a);
        if (width == g.inner) Op::store(y + p0 * width, tile.data, (p1 - p0) * width, a);
        else
            for (int64_t p = p0; p < p1; ++p) Op::store(y + p * g.inner + c0, tile + (p - p0) * width, width, a);
    }

    void rectangle(const X* x, Y* y, int64_t p0, int64_t p1, int64_t c0, int64_t c1) {
        for (int64_t c = c0; c < c1; c += cols)
            for (int64_t p = p0; p < p1; p += rows)
                block(x, y, p, std::min(p + rows, p1), c, std::min(c + cols, c1));
    }

    // Outputs [begin, end) in C order: whole rows of `inner` columns with a part of a row before and after.
    void run(const X* x, Y* y, int64_t begin, int64_t end) {
        const int64_t length = g.n * g.inner;
        while (begin < end) {
            const int64_t outer = begin / length, at = begin - outer * length;
            const int64_t stop = std::min(length, at + end - begin);
            const X* xl = x + outer * length;
            Y* yl = y + outer * length;
            int64_t p = at / g.inner, c = at - p * g.inner;
            const int64_t p1 = stop / g.inner, c1 = stop - p1 * g.inner;
            if (c && p < p1) rectangle(xl, yl, p, p + 1, c, g.inner), ++p, c = 0;
            if (p < p1) rectangle(xl, yl, p, p1, 0, g.inner);
            if (c1 > c) rectangle(xl, yl, p1, p1 + 1, c, c1);
            begin += stop - at;
        }
    }
};
#endif

}  // namespace gpusci
