// Which pixels paths reach in a round of watershed_zones.h, where they lead one way only: pixels that a path connects need not
// connect back, so that no tree can hold them. One block goes from pixel to pixel.
#pragma once
#include "watershed_front.h"

#if defined(GPUSCI_CUDA)
namespace gpusci {

template <class X, class L, class P, class Index>
struct watershed_spread {
    static constexpr int threads = 1024;
    struct Args {
        const X* x;
        const L* markers;
        const X* cost;
        int32_t* reached;               // the last round in which the pixel was
        P* room;                        // of a front
        int64_t bit, round;
        Steps steps;
    };
    __device__ static void block(Index, const Args& a) {
        __shared__ typename Front<P>::Shared shared;
        Front<P> front(a.room, a.steps.n, shared);
        const int32_t round = int32_t(a.round);
        for (int64_t p = threadIdx.x; p < a.steps.n; p += threads) {
            const int own = a.cost[p], limit = own + int(a.bit);
            bool starts = a.markers[p] != 0;
            a.steps.to(p, [&](int64_t q) { starts = starts || (a.cost[q] < own && grey_step(a.x, p, q) < limit); });
            if (!starts) continue;
            a.reached[p] = round;
            front.add(P(p));
        }
        for (int64_t size; (size = front.advance()) > 0;)
            for (int64_t i = threadIdx.x; i < size; i += threads) {
                const int64_t p = front.pixels[i];
                const int own = a.cost[p], limit = own + int(a.bit);
                a.steps.from(p, [&](int64_t q) {
                    if (a.cost[q] != own || grey_step(a.x, p, q) >= limit || atomic_load(a.reached + q) == round) return;
                    if (atomicMax(a.reached + q, round) < round) front.add(P(q));
                });
            }
    }
};

}  // namespace gpusci
#endif
