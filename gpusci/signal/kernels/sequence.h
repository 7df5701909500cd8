// Maximum length sequence of a linear feedback shift register: each bit depends on those before, so one item makes them all
// (on the host).
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

template <class Index>
struct max_len_seq {
    // state: `bits` bytes of 0 or 1, a ring whose oldest element moves; left in order at the end.
    struct Args { const int64_t* taps; int8_t* state; int8_t* out; int64_t taps_n, bits, length; };
    HD static void at(Index, const Args& a) {
        int64_t first = 0;
        for (int64_t i = 0; i < a.length; ++i) {
            int8_t feedback = a.state[first];
            a.out[i] = feedback;
            for (int64_t t = 0; t < a.taps_n; ++t) {
                const int64_t at = a.taps[t] + first;
                feedback ^= a.state[at < a.bits ? at : at - a.bits];
            }
            a.state[first] = feedback;
            if (++first == a.bits) first = 0;
        }
        reverse(a.state, 0, first);                  // rotate left by `first`
        reverse(a.state, first, a.bits);
        reverse(a.state, 0, a.bits);
    }
    HD static void reverse(int8_t* s, int64_t i, int64_t j) {
        for (--j; i < j; ++i, --j) {
            const int8_t t = s[i];
            s[i] = s[j], s[j] = t;
        }
    }
};

}  // namespace gpusci
