// Matrices and vectors made from parts of others, in one launch each: triangles, mirrored triangles, identities, what a
// factorisation leaves packed. Stacks of matrices are taken as they lie (View) and written in C order.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

// The triangle up to (or from, unless `lower`) the k-th diagonal, and zeros; ones on the main diagonal if `unit`.
template <class T, int R, class Index>
struct triangle {
    struct Args { View<T, R> x; T* out; int64_t k, lower, unit; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.x.shape[R - 1]), j = i % n, away = j - i / n % Index(a.x.shape[R - 2]);
        a.out[i] = a.unit && away == 0 ? T(1) : (a.lower ? away <= a.k : away >= a.k) ? a.x[i] : T(0);
    }
};

template <class T> HD T conjugated(T x) { return x; }
template <class T> HD complex<T> conjugated(complex<T> x) { return conj(x); }

// The symmetric (Hermitian with `hermitian`) matrix of which one triangle is given.
template <class T, int R, class Index>
struct mirror {
    struct Args { View<T, R> x; T* out; int64_t lower, hermitian; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.x.shape[R - 1]), j = i % n, row = i / n % n;
        if (a.lower ? j <= row : j >= row) a.out[i] = a.x[i];
        else {
            const T other = a.x[i + (j - row) * (n - 1)];
            a.out[i] = a.hermitian ? conjugated(other) : other;
        }
    }
};

// Matrices of zeros with a one in each row: in the column that `place` has for it, or on the diagonal.
template <class T, class Index>
struct permutation {
    struct Args { const int64_t* place; T* out; int64_t n; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), row = i / n;
        a.out[i] = T(i - row * n == (a.place ? Index(a.place[row]) : row % n) ? 1 : 0);
    }
};

// The diagonals of LU factors, negative where rows were exchanged: their product is the determinant. W: T in double.
template <class T, class P, class W, class Index>
struct signed_diagonal {
    struct Args { const T* lu; const P* pivots; W* out; int64_t n; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), j = i % n;
        const W d = W(a.lu[i * n + j]);
        a.out[i] = a.pivots[i] == P(j + 1) ? d : -d;
    }
};

// Eigenvectors (in C order) of real matrices from LAPACK's columns: of a pair the first has the real part, the second the
// imaginary one.
template <class T, int R, class Index>
struct eigenvectors {
    struct Args { const complex<T>* w; View<T, R> packed; complex<T>* out; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.packed.shape[R - 1]), j = i % n;
        const T side = a.w[i / n / n * n + j].im;
        a.out[i] = side > 0 && j + 1 < n ? complex<T>(a.packed[i], a.packed[i + 1])
                   : side < 0 && j     ? complex<T>(a.packed[i - 1], -a.packed[i])
                                         : complex<T>(a.packed[i]);
    }
};

// Reciprocals of singular values or eigenvalues (k of each matrix, sorted) above atol + rtol times the largest magnitude, zero for
// the others; kept: which those are.
template <class T, class Index>
struct reciprocals {
    struct Args { const T* s; T* out; bool* kept; int64_t k; double atol, rtol; };
    HD static T size(T x) { return x < 0 ? -x : x; }
    HD static void at(Index i, const Args& a) {
        const Index first = i / Index(a.k) * Index(a.k);
        const T top = max_of(size(a.s[first]), size(a.s[first + Index(a.k) - 1]));
        a.kept[i] = size(a.s[i]) > T(a.atol) + top * T(a.rtol);
        a.out[i] = a.kept[i] ? 1 / a.s[i] : T(0);
    }
};

}  // namespace gpusci
