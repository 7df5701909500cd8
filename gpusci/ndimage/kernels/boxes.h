// Bounding boxes of labels, for find_objects: by runs on the host, by corners on a GPU.
#pragma once
#include <gpusci/atomics.h>
#include "index.h"

namespace gpusci {

// Bounding boxes of the labels 1 .. count: along axis d, `bounds[0][label - 1][d]` is the axis' length less the first place,
// [1][label - 1][d] the last place + 1: both are the greatest of their kind, and 0 where the label does not occur. Host only.
template <class L, int D, class Index>
struct bounding_boxes {
    struct Args {
        const L* labels;
        int64_t* bounds;
        int64_t count;
        int64_t shape[D];
    };
    template <bool shared>
    HD static void widen(int64_t* bound, int64_t v) {
        if constexpr (shared) {
            if (v > atomic_load(bound)) atomic_max(bound, v);
        } else if (v > *bound) *bound = v;
    }
    // Pixel i at x along the last axis, the other coordinates in c.
    template <bool shared>
    HD static void pixel(Index i, Index x, const Index (&c)[D], const Args& a) {
        const int64_t label = int64_t(a.labels[i]);
        if (label < 1 || label > a.count) return;
        // Only the ends of a run along the last axis can widen a box.
        const Index last = Index(a.shape[D - 1]) - 1;
        const bool opens = x == 0 || a.labels[i - 1] != a.labels[i], closes = x == last || a.labels[i + 1] != a.labels[i];
        if (!opens && !closes) return;
        int64_t *start = a.bounds + (label - 1) * D, *stop = start + a.count * D;
        for (int d = 0; d < D; ++d) {
            const int64_t at = d == D - 1 ? x : c[d];
            widen<shared>(start + d, a.shape[d] - at);
            widen<shared>(stop + d, at + 1);
        }
    }
    HD static void place(Index row, Index (&c)[D], const Args& a) {
        for (int d = D - 2; d >= 0; --d) {
            c[d] = d > 0 ? row % Index(a.shape[d]) : row;
            row /= Index(a.shape[d]);
        }
    }
    template <bool shared>
    HD static void walk(Index begin, Index end, const Args& a) {
        const Index length = Index(a.shape[D - 1]);
        while (begin < end) {
            const Index row = begin / length, x0 = begin - row * length, x1 = min_of(length, x0 + (end - begin));
            Index c[D];
            place(row, c, a);
            for (Index x = x0; x < x1; ++x) pixel<shared>(begin + (x - x0), x, c, a);
            begin += x1 - x0;
        }
    }
#if defined(GPUSCI_CUDA)
    HD static void at(Index, const Args&) {}
#else
    static void at(Index i, const Args& a) { walk<true>(i, i + 1, a); }
    static void range(Index begin, Index end, const Args& a) {
        int64_t n = 1;
        for (int d = 0; d < D; ++d) n *= a.shape[d];
        if (begin == 0 && int64_t(end) == n) walk<false>(begin, end, a);       // nobody else writes to the table
        else walk<true>(begin, end, a);
    }
#endif
};

// The same on a GPU. A pixel counts for the starts only where no neighbour one step back along an axis has its label, for the stops
// only where none one step on has it: of a way from neighbour to neighbour, the end is as good as every pixel along all axes.
// So a box costs an update for each of its region's corners, not for each run. Work item: 8 pixels, in C order.
template <class L, int D, class Index>
struct box_corners {
    using Args = typename bounding_boxes<L, D, Index>::Args;
    static constexpr int piece = 8, alignment = sizeof(L) * piece < 16 ? sizeof(L) * piece : 16;
    struct alignas(alignment) Pack { L v[piece]; };

    const Args& a;
    Index length, n;                    // of a row, of the array

    HD box_corners(const Args& args) : a(args), length(Index(args.shape[D - 1])), n(1) {
        for (int d = 0; d < D; ++d) n *= Index(a.shape[d]);
    }
    // The labels from the one before `first` on; 0 outside the array.
    HD void load(Index first, L (&v)[piece + 2]) const {
        v[0] = first > 0 ? a.labels[first - 1] : L(0);
        v[piece + 1] = n - first > piece ? a.labels[first + piece] : L(0);
        if (n - first >= piece && uint64_t(a.labels) % alignment == 0) {
            const Pack p = *reinterpret_cast<const Pack*>(a.labels + first);
#pragma unroll
            for (int k = 0; k < piece; ++k) v[k + 1] = p.v[k];
        } else {
#pragma unroll
            for (int k = 0; k < piece; ++k) v[k + 1] = n - first > k ? a.labels[first + k] : L(0);
        }
    }
    // A pixel that is the last of its label along its row, going one way: step is -1 or 1.
    HD void corner(Index i, int step) const {
        const L label = a.labels[i];
        if (int64_t(label) < 1 || int64_t(label) > a.count) return;
        Index place[D], rest = i, stride = 1;
        for (int d = D - 1; d >= 0; --d) {
            const Index size = Index(a.shape[d]), q = d > 0 ? quotient(rest, size) : Index(0);
            place[d] = rest - q * size;
            const bool inside = step < 0 ? place[d] > 0 : place[d] < size - 1;
            if (d < D - 1 && inside && a.labels[i + step * stride] == label) return;
            stride *= size;
            rest = q;
        }
        int64_t* bound = a.bounds + (int64_t(label) - 1 + (step < 0 ? int64_t(0) : a.count)) * D;
        for (int d = 0; d < D; ++d) {
            const int64_t reach = step < 0 ? a.shape[d] - place[d] : int64_t(place[d]) + 1;
            if (reach > atomic_load(bound + d)) atomic_max(bound + d, reach);
        }
    }
    HD void run(Index first) const {
        L v[piece + 2];
        load(first, v);
        Index x = first - quotient(first, length) * length;
        uint32_t opens = 0, closes = 0;
#pragma unroll
        for (int k = 0; k < piece; ++k) {
            const bool some = v[k + 1] != L(0);
            opens |= uint32_t(some && (x == 0 || v[k] != v[k + 1])) << k;
            closes |= uint32_t(some && (x == length - 1 || v[k + 2] != v[k + 1])) << k;
            x = x == length - 1 ? Index(0) : x + 1;
        }
        for (; opens; opens &= opens - 1) corner(first + lowest(opens), -1);
        for (; closes; closes &= closes - 1) corner(first + lowest(closes), 1);
    }
    HD static void at(Index item, const Args& a) { box_corners(a).run(item * piece); }
};

}  // namespace gpusci
