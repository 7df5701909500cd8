// Arithmetic of positions, which are never negative: a division without a sign takes half the instructions. Bits of words.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

template <class Index> using unsigned_index = choose_t<sizeof(Index) == 4, uint32_t, uint64_t>;
// i / n for i >= 0, n > 0.
template <class Index>
HD Index quotient(Index i, Index n) { return Index(unsigned_index<Index>(i) / unsigned_index<Index>(n)); }

// Positions of the highest and the lowest set bit of a word that has one.
HD int highest(uint32_t word) {
#if defined(GPUSCI_CUDA)
    return 31 - __clz(int(word));
#else
    return 31 - __builtin_clz(word);
#endif
}
HD int lowest(uint32_t word) {
#if defined(GPUSCI_CUDA)
    return __ffs(int(word)) - 1;
#else
    return __builtin_ctz(word);
#endif
}

}  // namespace gpusci
