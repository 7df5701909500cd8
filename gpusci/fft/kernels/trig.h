// Discrete cosine and sine transforms around an FFT of the same length: what happens before and after it.
//
// Types II and III: J. Makhoul, A fast cosine transform in one and two dimensions, IEEE Trans. ASSP 28 (1980) 27.
// Type IV, even length: an FFT of half the length with a rotation on both sides (the same paper's idea applied to the
// odd-frequency transform). Type IV, odd length: S. Chan, K. Ho, Direct methods for computing discrete sinusoidal
// transforms, IEE Proc. F 137 (1990) 433: index maps only. Type I: FFT of the even or odd extension, twice the length,
// since the same-length forms lose digits.
// A sine transform is a cosine transform with alternating signs on one side and reversed order on the other.
//
// Lines of n samples lie at stride `inner`: data is (outer, n, inner) in C order, so both ends coalesce for any axis.
// Reads and writes every sample once; one rotation for two outputs.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

// cos and sin of pi * num / den for 0 <= num <= den/2. The angle is rounded in double for both precisions.
HD void cos_sin_pi(int64_t num, int64_t den, double& c, double& s) {
    const double x = double(num) / double(den);
#if defined(__CUDA_ARCH__)
    sincospi(x, &s, &c);
#else
    const double pi = 3.14159265358979323846;
    if (x > 0.25) { c = std::sin(pi * (0.5 - x)); s = std::cos(pi * (0.5 - x)); }    // exact near 1/2
    else { c = std::cos(pi * x); s = std::sin(pi * x); }
#endif
}
HD void cos_sin_pi(int64_t num, int64_t den, float& c, float& s) {
#if defined(__CUDA_ARCH__)
    const double x = double(num) / double(den);
    const float hi = float(x), lo = 3.14159265f * float(x - double(hi));      // first order in what float cannot hold
    float ch, sh;
    sincospif(hi, &sh, &ch);
    c = ch - lo * sh;
    s = sh + lo * ch;
#else
    double cd, sd;
    cos_sin_pi(num, den, cd, sd);
    c = float(cd);
    s = float(sd);
#endif
}

// Position i of (outer, n, inner) split into the line's base offset and the place k on the line.
template <class Index>
HD Index line_of(Index i, Index n, Index inner, Index& k) {
    const Index t = i / inner, a = t / n;
    k = t - a * n;
    return a;
}

// ---- type II
template <class T, class Index>
struct dct2_pre {
    struct Args { const T* x; T* v; int64_t n, inner, sine; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner);
        Index k;
        const Index line = line_of(i, n, inner, k);
        const Index j = k < (n + 1) / 2 ? 2 * k : 2 * (n - k) - 1;
        const T value = a.x[(line * n + j) * inner + i % inner];
        a.v[i] = a.sine && (j & 1) ? -value : value;
    }
};

// Work items: outer * (n/2 + 1) * inner. `first` scales the first cosine coefficient (the last sine one).
template <class T, class Index>
struct dct2_post {
    struct Args { const complex<T>* v; T* y; int64_t n, inner, sine; double scale, first; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner), h = n / 2 + 1;
        Index k;
        const Index line = line_of(i, h, inner, k), b = i % inner;
        T c, s;
        cos_sin_pi(k, 2 * a.n, c, s);
        const complex<T> z = a.v[i];
        const T scale = T(2 * a.scale);
        const T y = (c * z.re + s * z.im) * (k == 0 ? T(2 * a.scale * a.first) : scale);
        a.y[(line * n + (a.sine ? n - 1 - k : k)) * inner + b] = y;
        if (k > 0 && 2 * k < n) a.y[(line * n + (a.sine ? k - 1 : n - k)) * inner + b] = (s * z.re - c * z.im) * scale;
    }
};

// ---- type III, the transpose of type II. Work items: outer * (n/2 + 1) * inner.
template <class T, class Index>
struct dct3_pre {
    struct Args { const T* x; complex<T>* v; int64_t n, inner, sine; double scale, first; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner), h = n / 2 + 1;
        Index k;
        const Index line = line_of(i, h, inner, k), b = i % inner;
        const T* x = a.x + line * n * inner + b;
        const T scale = T(a.scale), p = x[(a.sine ? n - 1 - k : k) * inner];
        if (k == 0) { a.v[i] = complex<T>(p * T(a.scale * a.first)); return; }
        const T q = x[(a.sine ? k - 1 : n - k) * inner];
        T c, s;
        cos_sin_pi(k, 2 * a.n, c, s);
        a.v[i] = complex<T>((c * p + s * q) * scale, 2 * k == n ? T(0) : (s * p - c * q) * scale);
    }
};

template <class T, class Index>
struct dct3_post {
    struct Args { const T* v; T* y; int64_t n, inner, sine; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner);
        Index j;
        const Index line = line_of(i, n, inner, j);
        const Index k = j & 1 ? n - 1 - j / 2 : j / 2;
        const T value = a.v[(line * n + k) * inner + i % inner];
        a.y[i] = a.sine && (j & 1) ? -value : value;
    }
};

// ---- type IV, even n. Work items of both: outer * (n/2) * inner.
template <class T, class Index>
struct dct4_even_pre {
    struct Args { const T* x; complex<T>* v; int64_t n, inner, sine; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner);
        Index m;
        const Index line = line_of(i, n / 2, inner, m);
        const T* x = a.x + line * n * inner + i % inner;
        const T p = x[2 * m * inner], q = x[(n - 1 - 2 * m) * inner];
        T c, s;
        cos_sin_pi(8 * int64_t(m) + 1, 8 * a.n, c, s);
        a.v[i] = complex<T>(a.sine ? q : p, a.sine ? p : q) * complex<T>(c, -s);
    }
};

template <class T, class Index>
struct dct4_even_post {
    struct Args { const complex<T>* v; T* y; int64_t n, inner, sine; double scale; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner);
        Index m;
        const Index line = line_of(i, n / 2, inner, m);
        T* y = a.y + line * n * inner + i % inner;
        T c, s;
        cos_sin_pi(8 * int64_t(m) + 1, 8 * a.n, c, s);
        const complex<T> z = a.v[i] * complex<T>(c, -s);
        const T scale = T(2 * a.scale);
        y[2 * m * inner] = z.re * scale;
        y[(n - 1 - 2 * m) * inner] = (a.sine ? z.im : -z.im) * scale;
    }
};

// ---- type IV, odd n. Both sides live on the odd residues modulo 8n, where x(-b) = x(b) and x(4n - b) = -x(b): each
// sample has one representative b = 1 (mod 8), and b mod n then runs over the line. The Chinese remainder theorem turns
// the kernel cos(2 pi a b / 8n) into cos(2 pi (u/8 + v r s / n)) with u = 1/n mod 8 and v = 1/8 mod n.
// Sample index and sign of the representative that is 1 (mod 8) and r (mod n).
template <class Index>
HD Index chan_ho(Index r, Index n, bool& negative) {
    // b = 1 + 8t with b = r (mod n): t = (r - 1) / 8 (mod n), by as many exact halvings as 8 has.
    int64_t t = r - 1;
    if (t < 0) t += n;
    for (int k = 0; k < 3; ++k) t = (t & 1) ? (t + n) / 2 : t / 2;
    int64_t b = 1 + 8 * t;                      // in [1, 8n)
    if (b > 4 * int64_t(n)) b = 8 * int64_t(n) - b;
    negative = b > 2 * int64_t(n);
    if (negative) b = 4 * int64_t(n) - b;
    return Index((b - 1) / 2);
}

template <class T, class Index>
struct dct4_odd_pre {
    struct Args { const T* x; T* v; int64_t n, inner, sine; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner);
        Index r;
        const Index line = line_of(i, n, inner, r);
        bool negative;
        const Index j = chan_ho(r, n, negative);
        const T value = a.x[(line * n + (a.sine ? n - 1 - j : j)) * inner + i % inner];
        a.v[i] = negative ? -value : value;
    }
};

// Work items: outer * n * inner, in the order of the representatives s. `eighth` is u, `inverse` is v.
template <class T, class Index>
struct dct4_odd_post {
    struct Args { const complex<T>* v; T* y; int64_t n, inner, sine, eighth, inverse; double scale; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner), b = i % inner;
        Index s;
        const Index line = line_of(i, n, inner, s);
        bool negative;
        const Index k = chan_ho(s, n, negative);
        const Index q = Index(int64_t(s) * a.inverse % a.n);
        complex<T> z = a.v[(line * (n / 2 + 1) + (2 * q > n ? n - q : q)) * inner + b];
        if (2 * q > n) z.im = -z.im;
        // cos(pi u / 4) Re + sin(pi u / 4) Im; u is odd, so both are sqrt(1/2) in size.
        const bool re_minus = a.eighth == 3 || a.eighth == 5, im_minus = a.eighth > 4;
        T y = (re_minus ? -z.re : z.re) + (im_minus ? -z.im : z.im);
        if (negative != (a.sine && (k & 1))) y = -y;
        a.y[(line * n + k) * inner + b] = y * T(1.41421356237309504880 * a.scale);      // 2 sqrt(1/2)
    }
};

// ---- type I. The extension has `period` samples: 2n-2 (cosine) or 2n+2 (sine).
template <class T, class Index>
struct dct1_pre {
    struct Args { const T* x; T* v; int64_t n, inner, sine; double ends; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner), period = a.sine ? 2 * n + 2 : 2 * n - 2;
        Index k;
        const Index line = line_of(i, period, inner, k);
        const T* x = a.x + line * n * inner + i % inner;
        if (a.sine) {
            const bool second = k > n;
            const Index j = second ? period - k : k;
            a.v[i] = k == 0 || k == n + 1 ? T(0) : second ? -x[(j - 1) * inner] : x[(j - 1) * inner];
        } else {
            const Index j = k < n ? k : period - k;
            a.v[i] = j == 0 || j == n - 1 ? x[j * inner] * T(a.ends) : x[j * inner];
        }
    }
};

template <class T, class Index>
struct dct1_post {
    struct Args { const complex<T>* v; T* y; int64_t n, inner, sine; double scale, ends; };
    HD static void at(Index i, const Args& a) {
        const Index n = Index(a.n), inner = Index(a.inner);
        Index k;
        const Index line = line_of(i, n, inner, k);
        const Index h = a.sine ? n + 2 : n;
        const complex<T> z = a.v[(line * h + (a.sine ? k + 1 : k)) * inner + i % inner];
        const bool end = !a.sine && (k == 0 || k == n - 1);
        a.y[i] = (a.sine ? -z.im : z.re) * T(end ? a.scale * a.ends : a.scale);
    }
};

}  // namespace gpusci
