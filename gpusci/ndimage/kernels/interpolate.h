// Spline interpolation at one point: where a coordinate falls under a boundary mode, B-spline weights of orders 0 to 5, the
// weighted sum over (order + 1)^rank samples. Coordinates and sums are in double, so that corners and whole shifts are exact.
// Weights: the pieces of the centred B-splines (Unser 1999, IEEE Signal Processing Magazine 16(6), eq. 1), with one
// weight taken as what the others leave of 1, so that constants stay constant.
#pragma once
#include "element.h"

namespace gpusci {

HD double round_down(double x) {
#if defined(GPUSCI_CUDA)
    return floor(x);
#else
    return std::floor(x);
#endif
}

// The image that is read: element strides, so that any view will do.
template <class X, int R>
struct Image {
    const X* x;
    int64_t shape[R], stride[R];
    int64_t mode;
    double pad, cval[2];        // samples that were put before the first; the constant of real and imaginary part
};

// Fold a coordinate into the line of n samples (or near enough for the samples around it to be found by the boundary map).
// False: the constant fills. NaN comes back as NaN.
HD bool fold(Mode mode, double& c, double n) {
    if (c >= 0 && c <= n - 1) return true;
    switch (mode) {
        case Mode::mirror: {
            const double period = 2 * n - 2;
            if (n == 1) c = 0;
            else {
                const double turn = c < 0 ? n - 1 : n;     // SciPy leaves (n-1, n) to the taps: halves round likewise
                c = c < 0 ? -c : c;
                c -= period * round_down(c / period);
                if (c >= turn) c = period - c;
            }
            break;
        }
        case Mode::reflect:
            if (c < 0) c = -1 - c;
            c -= 2 * n * round_down(c / (2 * n));
            if (c >= n) c = 2 * n - 1 - c;
            break;
        case Mode::wrap:        // SciPy's period is n - 1: first and last sample are the same point
            if (n == 1) c = 0;
            else if (c < 0) c += (n - 1) * (round_down(-c / (n - 1)) + 1);
            else c -= (n - 1) * round_down(c / (n - 1));
            break;
        case Mode::grid_wrap: c -= n * round_down(c / n); break;
        case Mode::nearest:     // only limited: the samples around it are clamped one by one
        case Mode::grid_constant:
            c = c < -8 ? -8 : c > n + 7 ? n + 7 : c;
            return true;
        default: return false;
    }
    return c >= -1 && c <= n;   // not so for NaN and what infinities leave
}

// How samples outside are found by a mode: modes whose coordinates never leave continue their coefficients by mirroring.
HD Mode tap_mode(Mode mode) { return mode == Mode::constant || mode == Mode::wrap ? Mode::mirror : mode; }

template <int Order>
HD void spline_weights(double c, double* w) {       // c: coordinate less that of the sample the window is centred on
    if constexpr (Order == 0) w[0] = 1;
    else if constexpr (Order == 1) {
        w[0] = 1 - c;
        w[1] = c;
    } else if constexpr (Order == 2) {
        const double l = 0.5 - c, r = 0.5 + c;
        w[0] = 0.5 * l * l;
        w[2] = 0.5 * r * r;
        w[1] = 1 - w[0] - w[2];
    } else if constexpr (Order == 3) {
        const double d = 1 - c;
        w[0] = d * d * d * (1.0 / 6);
        w[3] = c * c * c * (1.0 / 6);
        w[2] = (d * d * (d - 2) * 3 + 4) * (1.0 / 6);
        w[1] = 1 - w[0] - w[2] - w[3];
    } else if constexpr (Order == 4) {
        const double l = 0.5 - c, r = 0.5 + c, ll = l * l, rr = r * r;
        const auto side = [](double t) {            // 1/2 <= t <= 3/2
            return (55.0 / 96) + t * ((5.0 / 24) + t * (-1.25 + t * ((5.0 / 6) - t * (1.0 / 6))));
        };
        w[0] = ll * ll * (1.0 / 24);
        w[4] = rr * rr * (1.0 / 24);
        w[1] = side(1 + c);
        w[3] = side(1 - c);
        w[2] = 1 - w[0] - w[1] - w[3] - w[4];
    } else {
        const double d = 1 - c, cc = c * c, dd = d * d;
        const auto middle = [](double t, double tt) { return 0.55 + tt * (-0.5 + tt * (0.25 - t * (1.0 / 12))); };
        const auto side = [](double t) {            // 1 <= t <= 2
            return 0.425 + t * (0.625 + t * (-1.75 + t * (1.25 + t * (-0.375 + t * (1.0 / 24)))));
        };
        w[0] = dd * dd * d * (1.0 / 120);
        w[5] = cc * cc * c * (1.0 / 120);
        w[1] = side(1 + c);
        w[4] = side(2 - c);
        w[3] = middle(d, dd);
        w[2] = 1 - w[0] - w[1] - w[3] - w[4] - w[5];
    }
}

// A tap that lies outside where the constant fills sample by sample (grid-constant).
template <class Index> constexpr Index outside_tap = sizeof(Index) == 4 ? Index(-2147483647 - 1) : Index(-9223372036854775807ll - 1);

// Offsets and weights of one axis. False: the constant fills.
template <int Order, class Index>
HD bool axis_taps(double c, int64_t length, int64_t stride, Mode mode, Index* off, double* w) {
    if (!fold(mode, c, double(length))) return false;
    const double centre = round_down(Order & 1 ? c : c + 0.5);
    spline_weights<Order>(c - centre, w);
    // A NaN is somewhere, and its weights are NaN.
    const Index n = Index(length), start = (centre == centre ? Index(centre) : Index(-8)) - Order / 2;
    if (start >= 0 && start + Order < n) {
#pragma unroll
        for (int t = 0; t <= Order; ++t) off[t] = (start + t) * Index(stride);
    } else {
        const Mode taps = tap_mode(mode);
#pragma unroll
        for (int t = 0; t <= Order; ++t) {
            const Index q = edge<Index>(int64_t(taps), start + t, n);
            off[t] = q < 0 ? outside_tap<Index> : q * Index(stride);
        }
    }
    return true;
}

// The weighted sum over axes D ... R-1.
template <int D, int R, int Order, bool fills, class X, class Index>
HD double weighted(const X* x, const Index (&off)[R][Order + 1], const double (&w)[R][Order + 1], bool in, double cval) {
    double sum = 0;
#pragma unroll
    for (int t = 0; t <= Order; ++t) {
        const bool here = !fills || (in && off[D][t] != outside_tap<Index>);
        double value;
        if constexpr (D + 1 < R) value = weighted<D + 1, R, Order, fills>(here ? x + off[D][t] : x, off, w, here, cval);
        else value = here ? double(x[off[D][t]]) : cval;
        if constexpr (Order == 0) sum = value;
        else sum += w[D][t] * value;
    }
    return sum;
}

template <int R>
struct Point {
    double c[R];
};

// A whole number >= 0 as double. On a GPU conversions between integers and doubles run at a quarter of an addition's rate.
template <class Index>
HD double whole(Index k) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Index) == 4) return __hiloint2double(0x43300000, k) - 0x1p52;
#endif
    return double(k);
}
// A coordinate among the samples that are stored: those of orders 0 and 1 have none before the first.
template <int Order, class X, int R>
HD double padded(const Image<X, R>& image, double c) { return Order < 2 ? c : c + image.pad; }

#if defined(GPUSCI_CUDA)
// ---- A GPU looks first whether all samples of a window are inside: these need no boundary mode, and no offset each.
// The window at c in a line: its first sample, and what c lies beyond the sample it is centred on. From additions alone, as
// adding 1.5 * 2^52, rounded down, leaves the whole part in the low bits. False: a sample may lie outside.
template <int Order, class Index>
HD bool window(double c, int64_t length, int32_t& start, double& beyond) {
    constexpr Index margin = Order == 0;        // the nearest sample of a coordinate outside may be the first or the last
    const Index starts = Index(length) - Order - 2 * margin;
    const uint32_t limit = starts < 0 ? 0 : starts > 2147483647 ? 2147483647u : uint32_t(starts);
    const double place = Order & 1 ? c : c + 0.5;
#if defined(__CUDA_ARCH__)
    constexpr double magic = 0x1.8p52;
    const double sum = __dadd_rd(place, magic), centre = sum - magic;
    const bool known = __double2hiint(sum) == 0x43380000;       // 0 <= centre < 2^32
    start = __double2loint(sum) - Order / 2;
#else
    const double centre = round_down(place);
    const bool known = centre >= 0 && centre < 0x1p31;
    start = known ? int32_t(centre) - Order / 2 : -1;
#endif
    beyond = c - centre;
    return known && uint32_t(start) - uint32_t(margin) < limit;
}
// The weighted sum over axes D ... R-1 of a window that begins at x[at], whose samples are `stride` apart.
template <int D, int Order, class Index, class X, class Stride, int R>
HD double window_sum(const Stride (&stride)[R], const X* x, Index at, const double (&w)[R][Order + 1]) {
    if constexpr (D == R) return double(x[at]);
    else {
        double sum = 0;
#pragma unroll
        for (int t = 0; t <= Order; ++t) {
            const double value = window_sum<D + 1, Order, Index>(stride, x, at + t * Index(stride[D]), w);
            if constexpr (Order == 0) sum = value;
            else sum += w[D][t] * value;
        }
        return sum;
    }
}
template <int Order, class Index, class X, int R>
HD double inside_value(const Image<X, R>& image, const int32_t (&start)[R], const double (&beyond)[R], Index shift) {
    double w[R][Order + 1];
#pragma unroll
    for (int d = 0; d < R; ++d) {
        spline_weights<Order>(beyond[d], w[d]);
        shift += Index(start[d]) * Index(image.stride[d]);
    }
    return window_sum<0, Order, Index>(image.stride, image.x, shift, w);
}
#endif
// The value at a point; `shift` elements into the image, part 0 or 1. fills: constants stand in for single samples.
template <int Order, bool fills, class Index, class X, int R>
HD double interpolate_as(const Image<X, R>& image, const Point<R>& at, Index shift, int part) {
    Index off[R][Order + 1];
    double w[R][Order + 1];
#pragma unroll
    for (int d = 0; d < R; ++d)
        if (!axis_taps<Order, Index>(padded<Order>(image, at.c[d]), image.shape[d], image.stride[d], Mode(image.mode), off[d], w[d]))
            return image.cval[part];
    return weighted<0, R, Order, fills>(image.x + shift, off, w, true, image.cval[part]);
}
// Rare points, whose code is kept apart: on the host where constants stand in for single samples, on a GPU all that have a
// sample outside.
#if defined(GPUSCI_CUDA)
template <int Order, class Index, class X, int R>
static __host__ __device__ __attribute__((noinline)) double interpolate_edge(const Image<X, R>& image, Point<R> at, Index shift, int part) {
    if (image.mode == int64_t(Mode::grid_constant)) return interpolate_as<Order, true>(image, at, shift, part);
    return interpolate_as<Order, false>(image, at, shift, part);
}
#else
template <int Order, class Index, class X, int R>
static __attribute__((noinline)) double interpolate_filled(const Image<X, R>& image, Point<R> at, Index shift, int part) {
    return interpolate_as<Order, true>(image, at, shift, part);
}
#endif
template <int Order, class Index, class X, int R>
HD double interpolate(const Image<X, R>& image, const Point<R>& at, Index shift, int part) {
#if defined(GPUSCI_CUDA)
    int32_t start[R];
    double beyond[R];
    bool inside = true;
#pragma unroll
    for (int d = 0; d < R; ++d) inside = inside && window<Order, Index>(padded<Order>(image, at.c[d]), image.shape[d], start[d], beyond[d]);
    if (inside) return inside_value<Order>(image, start, beyond, shift);
    if (image.mode == int64_t(Mode::constant)) {        // often far outside, which takes no call to find
        bool fills = false;
#pragma unroll
        for (int d = 0; d < R; ++d) fills |= !(at.c[d] >= 0 && at.c[d] <= whole(Index(image.shape[d] - 1)));
        if (fills) return image.cval[part];
    }
    return interpolate_edge<Order>(image, at, shift, part);
#else
    if (image.mode == int64_t(Mode::grid_constant)) return interpolate_filled<Order>(image, at, shift, part);
    return interpolate_as<Order, false>(image, at, shift, part);
#endif
}

// To the output dtype: integers round half away from zero and saturate, as SciPy (which overflows at 64 bits; we do not).
template <class Y>
HD Y to_rounded(double v) {
    if constexpr (is_float<Y>::value) return to_output<Y>(v);
    else if constexpr (same<Y, bool>::value) return to_output<Y>(v > 0 ? v + 0x1p-30 : v - 0x1p-30);   // 1 less a rounding is true
    else {
        constexpr bool is_signed = Y(-1) < Y(0);
        constexpr int bits = 8 * int(sizeof(Y)) - is_signed;
        constexpr double top = double(uint64_t(1) << (bits - 1)) * 2;       // one past the greatest value
        constexpr Y greatest = Y(((uint64_t(1) << (bits - 1)) - 1) * 2 + 1);
        v = v > 0 ? v + 0.5 : is_signed ? v - 0.5 : 0.0;                    // NaN: as its conversion does
        if (v >= top) return greatest;
        if (is_signed && v <= -top) return Y(-greatest - 1);
        return to_output<Y>(v);
    }
}

// Outputs whose dtype the transforms are not compiled for.
template <class Y, class Index>
struct round_output {
    struct Args { const double* x; Y* y; };
    HD static void at(Index i, const Args& a) { a.y[i] = to_rounded<Y>(a.x[i]); }
};

}  // namespace gpusci
