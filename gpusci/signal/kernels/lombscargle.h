// Lomb-Scargle sums of one frequency over all samples: of w cos^2, w cos sin, w y cos, w y sin, and with a floating mean of
// w cos, w sin. The phase tau that makes the two waves orthogonal is put in afterwards, by rotating the sums, so that each
// sample needs one sine and cosine (Townsend, ApJS 191 (2010) 247; Zechmeister, Kürster, A&A 496 (2009) 577).
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

struct lomb_sums {
    double cc = 0, cs = 0, yc = 0, ys = 0, c = 0, s = 0;
    HD void add(const lomb_sums& o) { cc += o.cc, cs += o.cs, yc += o.yc, ys += o.ys, c += o.c, s += o.s; }
};

HD void sine_cosine(double x, double& s, double& c) {
#if defined(GPUSCI_CUDA)
    sincos(x, &s, &c);
#else
    s = std::sin(x), c = std::cos(x);
#endif
}

struct lomb_args {
    const double* x; const double* w; const double* wy; const double* freqs;
    double* a; double* b; double* tau; double* power;     // amplitudes along the rotated waves; null where not wanted
    int64_t n, count, floating_mean;                      // samples, frequencies
    const double* y_mean;                                 // sum of w y, where the weights sum to 1; read with floating_mean
    double scale;
};

// From the sums of one frequency to its results.
HD void lomb_finish(int64_t k, lomb_sums t, const lomb_args& g) {
    double cc = t.cc, ss = 1.0 - t.cc, cs = t.cs, c = 0, s = 0;
    if (g.floating_mean) c = t.c, s = t.s, cc -= c * c, ss -= s * s, cs -= c * s;
#if defined(GPUSCI_CUDA)
    const double tau = 0.5 * atan2(2.0 * cs, cc - ss);
#else
    const double tau = 0.5 * std::atan2(2.0 * cs, cc - ss);
#endif
    double st, ct;
    sine_cosine(tau, st, ct);
    double yc = ct * t.yc + st * t.ys, ys = ct * t.ys - st * t.yc;
    cc = ct * ct * t.cc + 2.0 * ct * st * t.cs + st * st * (1.0 - t.cc);
    ss = 1.0 - cc;
    if (g.floating_mean) {
        const double rc = ct * c + st * s, rs = ct * s - st * c;
        yc -= *g.y_mean * rc, ys -= *g.y_mean * rs;
        cc -= rc * rc, ss -= rs * rs;
    }
    constexpr double tiny = 1.1102230246251565e-16;       // 2^-53: a wave without weight
    cc = cc < tiny ? tiny : cc;
    ss = ss < tiny ? tiny : ss;
    const double a = yc / cc, b = ys / ss;
    if (g.power) g.power[k] = g.scale * 2.0 * (a * yc + b * ys);
    if (g.a) g.a[k] = a, g.b[k] = b, g.tau[k] = tau;
}

template <class Index>
struct lombscargle {
    using Args = lomb_args;
    HD static void one(double phase, double w, double wy, lomb_sums& t) {
        double s, c;
        sine_cosine(phase, s, c);
        t.cc += w * c * c, t.cs += w * c * s, t.yc += wy * c, t.ys += wy * s, t.c += w * c, t.s += w * s;
    }
    HD static void at(Index k, const Args& g) {
        lomb_sums t;
        const double f = g.freqs[k];
        for (Index i = 0; i < Index(g.n); ++i) one(f * g.x[i], g.w[i], g.wy[i], t);
        lomb_finish(k, t, g);
    }
#ifndef GPUSCI_CUDA
    // Eight samples side by side, with sines and cosines that the compiler can vectorise: arguments below 2^18 pi / 2 are
    // reduced by pi / 2 in three parts (Cody, Waite 1980), then Taylor's series to degree 17 and 16 on |r| <= pi / 4, where
    // the first term left out is below 2^-55 of the result. Larger arguments go through the library.
    static constexpr int lanes = 8;
    typedef double pack __attribute__((vector_size(8 * lanes)));
    typedef int64_t ipack __attribute__((vector_size(8 * lanes)));
    static constexpr double limit = 411774.0;
    // pi / 2 = p1 + p2 + p3; p1 and p2 have 33 bits, so that k p1 and k p2 are exact for |k| < 2^19.
    static constexpr double p1 = 0x1.921fb544p+0, p2 = 0x1.0b4611a6p-34, p3 = 0x1.3198a2e037073p-69;

    static void sincos_pack(pack x, pack& s, pack& c) {
        const double magic = 0x1.8p52;                    // adding it rounds to an integer, held in the low bits
        const pack shifted = x * 0x1.45f306dc9c883p-1 + magic;
        const ipack quadrant = (ipack)shifted;
        const pack k = shifted - magic;
        const pack r = ((x - k * p1) - k * p2) - k * p3, z = r * r;
        pack sin_r = z * (1.0 / 355687428096000.0) - 1.0 / 1307674368000.0;
        sin_r = sin_r * z + 1.0 / 6227020800.0;
        sin_r = sin_r * z - 1.0 / 39916800.0;
        sin_r = sin_r * z + 1.0 / 362880.0;
        sin_r = sin_r * z - 1.0 / 5040.0;
        sin_r = sin_r * z + 1.0 / 120.0;
        sin_r = r + r * z * (sin_r * z - 1.0 / 6.0);
        pack cos_r = z * (1.0 / 20922789888000.0) - 1.0 / 87178291200.0;
        cos_r = cos_r * z + 1.0 / 479001600.0;
        cos_r = cos_r * z - 1.0 / 3628800.0;
        cos_r = cos_r * z + 1.0 / 40320.0;
        cos_r = cos_r * z - 1.0 / 720.0;
        cos_r = cos_r * z + 1.0 / 24.0;
        cos_r = 1.0 + (z * z * cos_r - 0.5 * z);
        const ipack swap = (quadrant & 1) != 0, flip_s = (quadrant & 2) << 62, flip_c = ((quadrant + 1) & 2) << 62;
        const ipack si = (ipack)sin_r, ci = (ipack)cos_r;
        s = (pack)(((si & ~swap) | (ci & swap)) ^ flip_s);
        c = (pack)(((ci & ~swap) | (si & swap)) ^ flip_c);
    }

    static void range(Index begin, Index end, const Args& g) {
        const Index whole = Index(g.n) / lanes * lanes;
        double largest = 0;
        for (Index i = 0; i < Index(g.n); ++i) largest = max_of(largest, std::fabs(g.x[i]));
        for (Index k = begin; k < end; ++k) {
            const double f = g.freqs[k];
            if (!(std::fabs(f) * largest < limit)) { at(k, g); continue; }
            pack cc = {}, cs = {}, yc = {}, ys = {}, c1 = {}, s1 = {};
            for (Index i = 0; i < whole; i += lanes) {
                pack x, w, wy, s, c;
                std::memcpy(&x, g.x + i, sizeof x);
                std::memcpy(&w, g.w + i, sizeof w);
                std::memcpy(&wy, g.wy + i, sizeof wy);
                sincos_pack(f * x, s, c);
                const pack wc = w * c;
                cc += wc * c, cs += wc * s, yc += wy * c, ys += wy * s, c1 += wc, s1 += w * s;
            }
            lomb_sums t;
            for (int l = 0; l < lanes; ++l)
                t.cc += cc[l], t.cs += cs[l], t.yc += yc[l], t.ys += ys[l], t.c += c1[l], t.s += s1[l];
            for (Index i = whole; i < Index(g.n); ++i) one(f * g.x[i], g.w[i], g.wy[i], t);
            lomb_finish(k, t, g);
        }
    }
#endif
};

#ifdef GPUSCI_CUDA
// A block takes four frequencies over all samples, so that a sample is read once for the four.
template <class Index>
struct lombscargle_block {
    using Args = lomb_args;
    static constexpr int threads = 128, together = 4;
    __device__ static double total(double v, double* shared) {
        for (int off = 16; off; off /= 2) v += __shfl_xor_sync(0xffffffffu, v, off);
        __syncthreads();
        if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
        __syncthreads();
        return (shared[0] + shared[1]) + (shared[2] + shared[3]);
    }
    __device__ static void block(Index b, const Args& g) {
        __shared__ double shared[threads / 32];
        lomb_sums t[together];
        double f[together];
        for (int j = 0; j < together; ++j) f[j] = b * together + j < g.count ? g.freqs[b * together + j] : 0.0;
        for (Index i = threadIdx.x; i < Index(g.n); i += threads) {
            const double x = g.x[i], w = g.w[i], wy = g.wy[i];
#pragma unroll
            for (int j = 0; j < together; ++j) lombscargle<Index>::one(f[j] * x, w, wy, t[j]);
        }
        for (int j = 0; j < together; ++j) {
            lomb_sums sums;
            sums.cc = total(t[j].cc, shared), sums.cs = total(t[j].cs, shared);
            sums.yc = total(t[j].yc, shared), sums.ys = total(t[j].ys, shared);
            sums.c = total(t[j].c, shared), sums.s = total(t[j].s, shared);
            if (threadIdx.x == 0 && b * together + j < g.count) lomb_finish(b * together + j, sums, g);
        }
    }
};
#endif

}  // namespace gpusci
