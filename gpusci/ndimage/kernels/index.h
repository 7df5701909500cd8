// Arithmetic of positions, which are never negative: a division without a sign takes half the instructions.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

template <class Index> using unsigned_index = choose_t<sizeof(Index) == 4, uint32_t, uint64_t>;
// i / n for i >= 0, n > 0.
template <class Index>
HD Index quotient(Index i, Index n) { return Index(unsigned_index<Index>(i) / unsigned_index<Index>(n)); }

}  // namespace gpusci
