// Filters with mirror-symmetric ends, whole lines or images in one item: for short data on a host, where these filters as several
// recurrences, sums and copies would cost more in calls than in work. See _splines.py for the formulas.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

template <class T> struct exact_of { using type = double; };
template <class T> struct exact_of<complex<T>> { using type = complex<double>; };

// sum of weights[k] x[k step], k < terms
template <class S, class T>
HD S weighted_sum(const S* weights, int64_t terms, const T* x, int64_t step) {
    S sum = S(0);
    for (int64_t k = 0; k < terms; ++k) sum = sum + weights[k] * cast<S>(x[k * step]);
    return sum;
}

// c0 / ((1 - z1 z^-1) (1 - z1 z)). One item a line of n >= 2 samples. table: z1, c0, the factor of the last sample, weights of
// the mirrored past.
template <class T, class Index>
struct symmetric_order1 {
    using S = typename exact_of<T>::type;
    struct Args { const T* x; T* y; const S* table; int64_t x_line, x_step, y_line, y_step, n, terms; };
    HD static void at(Index line, const Args& a) {
        const T* x = a.x + line * a.x_line;
        T* y = a.y + line * a.y_line;
        const S z1 = a.table[0], c0 = a.table[1];
        S v = cast<S>(x[0]) + weighted_sum(a.table + 3, a.terms, x, a.x_step);
        y[0] = cast<T>(v);
        for (int64_t t = 1; t < a.n; ++t) y[t * a.y_step] = cast<T>(v = cast<S>(x[t * a.x_step]) + z1 * v);
        v = a.table[2] * cast<S>(y[(a.n - 1) * a.y_step]);
        y[(a.n - 1) * a.y_step] = cast<T>(v);
        for (int64_t t = a.n - 2; t >= 0; --t) y[t * a.y_step] = cast<T>(v = c0 * cast<S>(y[t * a.y_step]) + z1 * v);
    }
};

// A pair of sections with poles r exp(+-i omega), one way and back. One item a line of n >= 2 samples. table: cs, 2 r cos(omega),
// -r^2, factors of x[0] in the first output, of x[0] and x[1] in the second, then the weights of the first two outputs and of the
// last and the last but one.
template <class T, class Index>
struct symmetric_order2 {
    using S = typename exact_of<T>::type;
    struct Args { const T* x; T* y; const S* table; int64_t x_line, x_step, y_line, y_step, n; int64_t terms[4]; };
    HD static void at(Index line, const Args& a) {
        const T* x = a.x + line * a.x_line;
        T* y = a.y + line * a.y_line;
        const S cs = a.table[0], a1 = a.table[1], a2 = a.table[2];
        const S* weights = a.table + 6;
        const S x0 = cast<S>(x[0]), x1 = cast<S>(x[a.x_step]);
        const T* end = x + (a.n - 1) * a.x_step;
        S older = x0 * a.table[3] + weighted_sum(weights, a.terms[0], x, a.x_step);
        weights += a.terms[0];
        S newer = x0 * a.table[4] + x1 * a.table[5] + weighted_sum(weights, a.terms[1], x, a.x_step);
        weights += a.terms[1];
        const S last = weighted_sum(weights, a.terms[2], end, -a.x_step);
        const S before = weighted_sum(weights + a.terms[2], a.terms[3], end, -a.x_step);
        y[0] = cast<T>(older), y[a.y_step] = cast<T>(newer);
        for (int64_t t = 2; t < a.n; ++t) {
            const S v = cs * cast<S>(x[t * a.x_step]) + a1 * newer + a2 * older;
            y[t * a.y_step] = cast<T>(v);
            older = newer, newer = v;
        }
        older = last, newer = before;
        y[(a.n - 1) * a.y_step] = cast<T>(last), y[(a.n - 2) * a.y_step] = cast<T>(before);
        for (int64_t t = a.n - 3; t >= 0; --t) {
            const S v = cs * cast<S>(y[t * a.y_step]) + a1 * newer + a2 * older;
            y[t * a.y_step] = cast<T>(v);
            older = newer, newer = v;
        }
    }
};

// Rows with hrow, then columns with hcol, both of odd length; one item does the image. Sums in double.
template <class T, class Index>
struct separable_fir {
    struct Args { const T* x; T* rows; T* y; const double* hrow; const double* hcol; int64_t height, width, nrow, ncol; };
    static constexpr int run = 64;

    HD static int64_t inside(int64_t i, int64_t n) {
        while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
        return i;
    }
    HD static void at(Index, const Args& a) {
        const int64_t half = a.nrow / 2, reach = a.ncol / 2;
        for (int64_t r = 0; r < a.height; ++r) {
            const T* x = a.x + r * a.width;
            for (int64_t first = 0; first < a.width; first += run) {
                const int m = int(min_of(int64_t(run), a.width - first));
                double sum[run] = {};
                for (int64_t k = 0; k < a.nrow; ++k) {
                    const int64_t from = first + half - k;
                    const double h = a.hrow[k];
                    if (from >= 0 && from + m <= a.width)
                        for (int j = 0; j < m; ++j) sum[j] += h * double(x[from + j]);
                    else
                        for (int j = 0; j < m; ++j) sum[j] += h * double(x[inside(from + j, a.width)]);
                }
                for (int j = 0; j < m; ++j) a.rows[r * a.width + first + j] = T(sum[j]);
            }
        }
        for (int64_t r = 0; r < a.height; ++r)
            for (int64_t first = 0; first < a.width; first += run) {
                const int m = int(min_of(int64_t(run), a.width - first));
                double sum[run] = {};
                for (int64_t k = 0; k < a.ncol; ++k) {
                    const T* x = a.rows + inside(r + reach - k, a.height) * a.width + first;
                    const double h = a.hcol[k];
                    for (int j = 0; j < m; ++j) sum[j] += h * double(x[j]);
                }
                for (int j = 0; j < m; ++j) a.y[r * a.width + first + j] = T(sum[j]);
            }
    }
};

}  // namespace gpusci
