// Sorting in registers: arrays of compile-time length whose indices are all constants after unrolling, so that the compiler keeps
// them in registers and drops every comparison that the wanted elements do not need.
#pragma once
#include "element.h"

namespace gpusci {

template <class K, int N>
struct Sorted { K v[N > 0 ? N : 1]; };

// Batcher's odd-even merge of two sorted arrays of any lengths: merge the even and the odd elements, then one row of exchanges.
template <class K, int N, int M>
HD Sorted<K, N + M> merge(const Sorted<K, N>& a, const Sorted<K, M>& b) {
    Sorted<K, N + M> out;
    if constexpr (N == 0) out = b;
    else if constexpr (M == 0) out = a;
    else if constexpr (N == 1 && M == 1) {
        out.v[0] = min_of(a.v[0], b.v[0]);
        out.v[1] = max_of(a.v[0], b.v[0]);
    } else {
        Sorted<K, (N + 1) / 2> ae;
        Sorted<K, N / 2> ao;
        Sorted<K, (M + 1) / 2> be;
        Sorted<K, M / 2> bo;
#pragma unroll
        for (int i = 0; i < N; ++i) (i & 1 ? ao.v[i / 2] : ae.v[i / 2]) = a.v[i];
#pragma unroll
        for (int i = 0; i < M; ++i) (i & 1 ? bo.v[i / 2] : be.v[i / 2]) = b.v[i];
        const auto even = merge(ae, be);
        const auto odd = merge(ao, bo);
        constexpr int evens = (N + 1) / 2 + (M + 1) / 2, odds = N / 2 + M / 2, pairs = odds < evens - 1 ? odds : evens - 1;
        out.v[0] = even.v[0];
#pragma unroll
        for (int i = 0; i < pairs; ++i) {
            out.v[2 * i + 1] = min_of(odd.v[i], even.v[i + 1]);
            out.v[2 * i + 2] = max_of(odd.v[i], even.v[i + 1]);
        }
        if constexpr (evens > pairs + 1) out.v[N + M - 1] = even.v[evens - 1];
        else if constexpr (odds > pairs) out.v[N + M - 1] = odd.v[odds - 1];
    }
    return out;
}

// Elements from `at` on of an array, sorted.
template <int N, int at = 0, class K, int L>
HD Sorted<K, N> sorted(const K (&v)[L]) {
    if constexpr (N == 1) return Sorted<K, 1>{{v[at]}};
    else return merge(sorted<N / 2, at>(v), sorted<N - N / 2, at + N / 2>(v));
}

// Element k of the union of two sorted arrays: the least, over the ways to take k + 1 elements from their fronts, of the last taken.
template <int k, class K, int N, int M>
HD K of_union(const Sorted<K, N>& a, const Sorted<K, M>& b) {
    K best{};
    bool first = true;
#pragma unroll
    for (int i = 0; i <= N; ++i) {
        const int j = k + 1 - i;
        if (j < 0 || j > M) continue;
        const K last = i == 0 ? b.v[j - 1] : j == 0 ? a.v[i - 1] : max_of(a.v[i - 1], b.v[j - 1]);
        best = first ? last : min_of(best, last);
        first = false;
    }
    return best;
}

template <int from, int N, class K, int L>
HD Sorted<K, N> part(const Sorted<K, L>& a) {
    Sorted<K, N> out;
#pragma unroll
    for (int i = 0; i < N; ++i) out.v[i] = a.v[from + i];
    return out;
}

}  // namespace gpusci
