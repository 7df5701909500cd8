// SciPy's boundary modes as an index map: where a coordinate outside [0, n) reads from.
#pragma once
#include "entry.h"

namespace gpusci {

// Values match gpusci.core.args.MODES. grid_mirror = reflect, grid_wrap = wrap, grid_constant = constant for integer
// coordinates; they stay separate because the interpolation functions treat them apart.
enum class Mode : int { reflect, constant, nearest, mirror, wrap, grid_constant, grid_wrap };

HD constexpr bool is_constant(Mode m) { return m == Mode::constant || m == Mode::grid_constant; }

// Index into a line of n > 0 samples, or -1 where the constant fills.
template <Mode mode, class Index>
HD Index boundary(Index i, Index n) {
    if (i >= 0 && i < n) return i;
    if constexpr (is_constant(mode)) return Index(-1);
    else if constexpr (mode == Mode::nearest) return i < 0 ? Index(0) : n - 1;
    else if constexpr (mode == Mode::wrap || mode == Mode::grid_wrap) {
        i %= n;
        return i < 0 ? i + n : i;
    } else if constexpr (mode == Mode::reflect) {       // d c b a | a b c d | d c b a, period 2n
        const Index p = 2 * n;
        i %= p;
        if (i < 0) i += p;
        return i < n ? i : p - 1 - i;
    } else {                                            // mirror: d c b | a b c d | c b a, period 2n-2
        if (n == 1) return Index(0);
        const Index p = 2 * n - 2;
        i %= p;
        if (i < 0) i += p;
        return i < n ? i : p - i;
    }
}

}  // namespace gpusci
