// What a matrix exponential needs beside products of matrices: 1-norms, and polynomials in one pass over their terms.
// Matrices are square and in C order. Magnitudes are summed in double for every dtype.
#pragma once
#include <gpusci/real_math.h>

namespace gpusci {

HD double magnitude(float x) { return math<double>::fabs(double(x)); }
HD double magnitude(double x) { return math<double>::fabs(x); }
template <class T> HD double magnitude(complex<T> z) { return math<double>::hypot(double(z.re), double(z.im)); }

// Row r of `out`: the column sums of |x[r]|, each row of x weighted by v and scale; then two rows more, of what lies below
// and above the diagonal of x[0].
template <class T, class Index>
struct column_sums {
    struct Args { const T* x[4]; const double* v; double* out; int64_t n, count; double scale; };
    // Of every step-th term, which a warp reads side by side in its 32 columns.
    HD static double part(Index row, Index j, Index first, Index step, const Args& a) {
        const Index n = Index(a.n), end = row == a.count + 1 ? j : n;
        const T* x = a.x[row < a.count ? row : 0];
        double sum = 0;
#pragma unroll 8
        for (Index i = first + (row == a.count ? (j + step - first) / step * step : 0); i < end; i += step)
            sum += magnitude(x[i * n + j]) * (a.v ? a.v[i] : 1);
        return sum * a.scale;
    }
    HD static void at(Index i, const Args& a) { a.out[i] = part(i / Index(a.n), i % Index(a.n), 0, 1, a); }
};

// Two polynomials of up to four matrices: the k-th of `out` is the sum of factor[k][j] x[j], plus unit[k] on the diagonal, plus
// what was there if `more`. Summed in double.
template <class T, class Index>
struct combine_two {
    struct Args { T* out[2]; const T* x[4]; double factor[2][4], unit[2]; int64_t n, more; };
    using Wide = choose_t<is_complex<T>::value, complex<double>, double>;
    HD static void add(double& sum, double factor, double x) { sum += factor * x; }
    HD static void add(complex<double>& sum, double factor, complex<double> x) {
        sum.re += factor * x.re;
        sum.im += factor * x.im;
    }
    HD static void at(Index i, const Args& a) {
        Wide sum[2];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            sum[k] = a.more ? Wide(a.out[k][i]) : Wide(0);
            if (i % Index(a.n + 1) == 0) sum[k] += Wide(a.unit[k]);
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            if (!a.x[j]) break;
            const Wide x = Wide(a.x[j][i]);
#pragma unroll
            for (int k = 0; k < 2; ++k) add(sum[k], a.factor[k][j], x);
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) a.out[k][i] = T(sum[k]);
    }
};

#ifdef GPUSCI_CUDA
// column_sums by blocks of 32 columns: eight warps share a column's rows.
template <class T, class Index>
struct column_sums_block {
    using Sums = column_sums<T, Index>;
    using Args = typename Sums::Args;
    static constexpr int threads = 256;
    __device__ static void block(Index b, const Args& a) {
        __shared__ double parts[8][32];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const Index groups = Index((a.n + 31) / 32), row = b / groups, j = b % groups * 32 + lane;
        parts[warp][lane] = j < a.n ? Sums::part(row, j, warp, 8, a) : 0;
        __syncthreads();
        if (warp || j >= a.n) return;
        double sum = 0;
        for (int w = 0; w < 8; ++w) sum += parts[w][lane];
        a.out[row * Index(a.n) + j] = sum;
    }
};

// The column sums of the power of scale |x| in one block: `steps` times v = v scale |x|, from ones. n is at most 256, so that
// the columns are at most 8 groups of 32, whose rows the 32 warps share.
template <class T, class Index>
struct magnitude_power {
    struct Args { const T* x; double* out; int64_t n, steps; double scale; };
    static constexpr int threads = 1024;
    __device__ static void block(Index, const Args& a) {
        __shared__ double v[256], parts[32][32];
        const int n = int(a.n), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const int groups = (n + 31) / 32, share = 32 / groups, group = warp % groups, first = warp / groups, j = group * 32 + lane;
        if (threadIdx.x < 256) v[threadIdx.x] = 1;
        for (int64_t k = 0; k < a.steps; ++k) {
            __syncthreads();
            double sum = 0;
            if (j < n && first < share) {
#pragma unroll 4
                for (int i = first; i < n; i += share) sum += magnitude(a.x[i * n + j]) * v[i];
            }
            parts[warp][lane] = sum;
            __syncthreads();
            if (first || j >= n) continue;
            sum = 0;
            for (int p = 0; p < share; ++p) sum += parts[p * groups + group][lane];
            v[j] = sum * a.scale;
        }
        if (first == 0 && j < n) a.out[j] = v[j];
    }
};
#endif

}  // namespace gpusci
