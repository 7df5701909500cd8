// What a factorisation's caller would look at: bad input, failed factors, pivots. Found on the device, reported at the next wait.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

HD bool finite_value(float x) { return x - x == 0; }
HD bool finite_value(double x) { return x - x == 0; }
template <class T> HD bool finite_value(complex<T> z) { return finite_value(z.re) && finite_value(z.im); }

template <class T, class Index>
struct check_finite {
    struct Args { const T* x; ErrorCell err; };
    HD static void at(Index i, const Args& a) {
        if (!finite_value(a.x[i])) a.err.raise(0);
    }
};

// A copy that is looked at on its way.
template <class T, class Index>
struct copy_finite {
    struct Args { const T* x; T* out; ErrorCell err; };
    HD static void at(Index i, const Args& a) {
        const T x = a.x[i];
        if (!finite_value(x)) a.err.raise(0);
        a.out[i] = x;
    }
};

// LAPACK's info > 0: the factorisation failed.
template <class Index>
struct check_info {
    struct Args { const int32_t* info; ErrorCell err; };
    HD static void at(Index i, const Args& a) {
        if (a.info[i] > 0) a.err.raise(0);
    }
};

// The diagonals of matrices in C or Fortran order.
template <class T, class Index>
struct check_nonzero {
    struct Args { const T* x; int64_t n; ErrorCell err; };
    HD static void at(Index i, const Args& a) {
        if (a.x[i * Index(a.n) + i % Index(a.n)] == T(0)) a.err.raise(0);
    }
};

// Row exchanges counted from 1 (LAPACK's) or from 0 (SciPy's).
template <class P, class Q, class Index>
struct shift_pivots {
    struct Args { const P* pivots; Q* out; int64_t by; };
    HD static void at(Index i, const Args& a) { a.out[i] = Q(cast<int64_t>(a.pivots[i]) + a.by); }
};

// LAPACK's row exchanges (from 1) as permutations: rows[i] is the row of A that stands i-th after them, place is its
// inverse. One matrix per work item: the exchanges depend on each other.
template <class P, class Index>
struct pivots_to_rows {
    struct Args { const P* pivots; int64_t* rows; int64_t* place; int64_t m, k; };
    HD static void at(Index i, const Args& a) {
        const P* pivots = a.pivots + i * a.k;
        int64_t *rows = a.rows + i * a.m, *place = a.place + i * a.m;
        for (int64_t j = 0; j < a.m; ++j) rows[j] = j;
        for (int64_t j = 0; j < a.k; ++j) {
            const int64_t p = int64_t(pivots[j]) - 1, t = rows[j];
            rows[j] = rows[p];
            rows[p] = t;
        }
        for (int64_t j = 0; j < a.m; ++j) place[rows[j]] = j;
    }
};

}  // namespace gpusci
