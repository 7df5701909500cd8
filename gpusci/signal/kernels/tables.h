// Small tables against data: polynomial fits at the ends of lines, rows placed into longer ones.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

// y at the first and the last `half` places of each line of [outer][n][inner]: rows of `fits` times the line's first, or last,
// `window` samples. Item: (outer, one of 2 half places, inner). Sums in double.
template <class X, class Index>
struct fit_edges {
    struct Args { const X* x; X* y; const double* fits; int64_t n, inner, window, half; };   // fits: [2 half][window]
    HD static void at(Index i, const Args& a) {
        const Index inner = Index(a.inner), half = Index(a.half), column = i % inner, row = i / inner % (2 * half);
        const Index line = i / inner / (2 * half) * Index(a.n) * inner + column;
        const X* x = a.x + line + (row < half ? 0 : (Index(a.n) - Index(a.window)) * inner);
        const double* fit = a.fits + row * Index(a.window);
        double sum = 0;
        for (Index k = 0; k < Index(a.window); ++k) sum += fit[k] * double(x[k * inner]);
        a.y[line + (row < half ? row : Index(a.n) - 2 * half + row) * inner] = X(sum);
    }
};

// out[row] = row of `rows` (width samples, of which sizes[row] count) turned so that its middle stands at 0, zeros elsewhere.
template <class T, class Index>
struct place_rows {
    struct Args { const T* rows; const int64_t* sizes; T* out; int64_t width, length; };
    HD static void at(Index i, const Args& a) {
        const Index row = i / Index(a.length), size = Index(a.sizes[row]);
        Index k = i - row * Index(a.length) + (size - 1) / 2;
        if (k >= Index(a.length)) k -= Index(a.length);
        a.out[i] = k < size ? a.rows[row * Index(a.width) + k] : T(0);
    }
};

}  // namespace gpusci
