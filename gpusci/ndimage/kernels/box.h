// A window of any shape sliding over a C-contiguous array seen as (shape[0], ..., shape[R-1], inner), R >= 2: item i is the
// i-th output in C order. `inner` trailing elements stand beside each other under the window: channels, complex parts.
#pragma once
#include "element.h"

namespace gpusci {

template <int R>
struct Window {
    int64_t shape[R], inner;
    int64_t extent[R], lo[R];   // output p reads positions p - lo ... p - lo + extent - 1
    int64_t taps, mode;
    double cval[2];             // fill for the real and the imaginary part
    const int64_t* table;       // taps x (R + 1): offset in elements from the window's first, then the R coordinates
};

// The window of one output.
template <int R, class Index>
struct WindowAt {
    Index first[R], base;       // position of the window's first element; its element index (only for `inside`)
    int part;
    bool inside;
    HD WindowAt(Index i, const Window<R>& g) {
        Index rest = i / Index(g.inner), stride = Index(g.inner);
        base = i - rest * Index(g.inner);
        part = int(base & 1);
        inside = true;
#pragma unroll
        for (int d = R - 1; d >= 0; --d) {
            const Index n = Index(g.shape[d]), q = rest / n;
            first[d] = rest - q * n - Index(g.lo[d]);
            inside = inside && first[d] >= 0 && first[d] + Index(g.extent[d]) <= n;
            base += first[d] * stride;
            stride *= n;
            rest = q;
        }
    }
    // Element that a tap reads, -1 for the constant.
    HD Index element(const Window<R>& g, const int64_t* tap, Index column) const {
        if (inside) return base + Index(tap[0]);
        Index e = 0;
#pragma unroll
        for (int d = 0; d < R; ++d) {
            const Index n = Index(g.shape[d]), q = edge<Index>(g.mode, first[d] + Index(tap[1 + d]), n);
            if (q < 0) return Index(-1);
            e = e * n + q;
        }
        return e * Index(g.inner) + column;
    }
};

#if !defined(GPUSCI_CUDA)
// Host: tiles of rows by lanes (a lane is an element of the last axis and `inner` together) with the boundary filled in.
//   Op::Buf, Op::load(X), Op::fill(g, part) as for lines; Op::rows, the least number of rows in a tile
//   op.filled(const Buf* tile, size)    a tile is complete
//   op.row(const Buf* b, Y* y, len)     outputs of one row: output i from b[i + op.offset[tap]]
template <class Op, class X, class Y, int R>
struct BoxRunner {
    using Buf = typename Op::Buf;
    const Window<R>& g;
    Op& op;
    int64_t rows, width, lanes_out, pitch, height, planes;     // elements of a row; outputs of a tile row; geometry of the tile
    Scratch<Buf> tile;

    BoxRunner(const Window<R>& w, Op& o)
        : g(w), op(o), rows(std::max(Op::rows, w.extent[R - 2] / 2)), width(w.shape[R - 1] * w.inner),
          lanes_out(std::min(width, std::max<int64_t>(w.shape[R - 2] == 1 ? 8192 : 512, w.extent[R - 1] * w.inner))),
          pitch((lanes_out / w.inner + 1 + w.extent[R - 1]) * w.inner + 8 * lanes<Buf>),
          height(std::min(rows, w.shape[R - 2]) + w.extent[R - 2] - 1), planes(outer_planes(w)), tile(planes * height * pitch) {
        std::fill(tile.data, tile.data + planes * height * pitch, Buf());
        for (int64_t t = 0; t < g.taps; ++t) {
            const int64_t* c = g.table + t * (R + 1) + 1;
            int64_t plane = 0;
            for (int d = 0; d < R - 2; ++d) plane = plane * g.extent[d] + c[d];
            op.offset[t] = (plane * height + c[R - 2]) * pitch + c[R - 1] * g.inner;
        }
    }
    static int64_t outer_planes(const Window<R>& w) {
        int64_t n = 1;
        for (int d = 0; d < R - 2; ++d) n *= w.extent[d];
        return n;
    }

    // One tile row: positions [p0, p1) of the last axis of the row at `src` (null: all constant).
    void fill_row(Buf* out, const X* src, int64_t p0, int64_t p1) {
        const int64_t n = g.shape[R - 1], in = g.inner;
        for (int64_t p = p0; p < p1;) {
            Buf* o = out + (p - p0) * in;
            if (src && p >= 0 && p < n) {
                const int64_t stop = std::min(p1, n);
                for (int64_t k = 0; k < (stop - p) * in; ++k) o[k] = Op::load(src[p * in + k]);
                p = stop;
                continue;
            }
            const int64_t q = src ? edge<int64_t>(g.mode, p, n) : -1;
            for (int64_t c = 0; c < in; ++c) o[c] = q < 0 ? Op::fill(g, int(c & 1)) : Op::load(src[q * in + c]);
            ++p;
        }
    }

    void fill(const X* x, const int64_t* outer, int64_t r0, int64_t r1, int64_t p0, int64_t p1) {
        for (int64_t plane = 0; plane < planes; ++plane) {
            int64_t base = 0, stride = 1, rest = plane;
            bool constant = false;
            for (int d = R - 3; d >= 0; --d) {
                const int64_t c = rest % g.extent[d], q = edge<int64_t>(g.mode, outer[d] - g.lo[d] + c, g.shape[d]);
                constant |= q < 0;
                base += q * stride;
                stride *= g.shape[d];
                rest /= g.extent[d];
            }
            const int64_t last = r1 - r0 + g.extent[R - 2] - 1;
            for (int64_t r = 0; r < last; ++r) {
                const int64_t q = constant ? -1 : edge<int64_t>(g.mode, r0 - g.lo[R - 2] + r, g.shape[R - 2]);
                fill_row(tile + (plane * height + r) * pitch, q < 0 ? nullptr : x + (base * g.shape[R - 2] + q) * width,
                         p0 - g.lo[R - 1], p1 - g.lo[R - 1] + g.extent[R - 1] - 1);
            }
        }
    }

    void rectangle(const X* x, Y* y, const int64_t* outer, int64_t r0, int64_t r1, int64_t l0, int64_t l1) {
        for (int64_t r = r0; r < r1; r += rows)
            for (int64_t l = l0; l < l1; l += lanes_out) {
                const int64_t re = std::min(r + rows, r1), le = std::min(l + lanes_out, l1), p = l / g.inner;
                fill(x, outer, r, re, p, (le - 1) / g.inner + 1);
                op.filled(tile.data, planes * height * pitch);
                for (int64_t k = r; k < re; ++k)
                    op.row(tile + (k - r) * pitch + (l - p * g.inner), y + k * width + l, le - l);
            }
    }

    void run(const X* x, Y* y, int64_t begin, int64_t end) {
        const int64_t plane = g.shape[R - 2] * width;
        while (begin < end) {
            int64_t outer[R > 2 ? R - 2 : 1], rest = begin / plane;
            const int64_t at = begin - rest * plane, stop = std::min(plane, at + end - begin);
            Y* out = y + rest * plane;
            for (int d = R - 3; d >= 0; --d) outer[d] = rest % g.shape[d], rest /= g.shape[d];
            int64_t r = at / width, l = at - r * width;
            const int64_t r1 = stop / width, l1 = stop - r1 * width;
            if (l && r < r1) rectangle(x, out, outer, r, r + 1, l, width), ++r, l = 0;
            if (r < r1) rectangle(x, out, outer, r, r1, 0, width);
            if (l1 > l) rectangle(x, out, outer, r1, r1 + 1, l, l1);
            begin += stop - at;
        }
    }
};
#endif

}  // namespace gpusci
