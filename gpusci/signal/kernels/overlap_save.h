// Convolution of long lines by short taps, overlap-save (Helms, IEEE Trans. Audio Electroacoust. 15 (1967) 85): a block transforms
// a frame of 4096 samples, multiplies by the taps' spectrum and transforms back, and keeps the outputs that the frame's ends do
// not touch. The frame stays in registers, 16 points a thread, and passes through shared memory between three passes of 16-point
// transforms (Cooley and Tukey). The forward passes leave frequencies in digit-reversed order, the inverse ones take them so, and
// the taps' spectrum is stored so: nothing is ever put in order.
// A frame of two transforms takes about 1300 floating-point instructions a thread and reads and writes each sample once.
// Errors are below 4 eps sqrt(log2 4096) of the largest output that a frame's samples could make with any signs (factors are rounded
// once, from a table made on the host).
#pragma once
#include "signal/kernels/convolve.h"

#ifdef GPUSCI_CUDA
namespace gpusci {

// Transforms of 4096 points by 256 threads, from and to registers. Thread t holds points t + 256 i, and frequencies
// t / 16 + 16 (t % 16) + 256 i.
template <class R>
struct block_transform {
    using C = complex<R>;
    static constexpr int threads = 256, points = 4096;
    // Point or frequency 256 k + t lies at 272 k + t for the 16 threads that have t / 16 = k in the inner passes: they are in one
    // warp, whose two halves then use different banks. Between the inner passes 16 points are 17 apart, for the same end.
    static constexpr int row = 272, column = 17, room = 16 * row;

    // Where dft16 leaves frequency k.
    __device__ static constexpr int slot(int k) { return k % 4 * 4 + k / 4; }
    __device__ static constexpr R cosine(int n) {           // of 2 pi n / 16, for the n that occur
        return R(n == 1 ? 0.92387953251128675613 : n == 2 ? 0.70710678118654752440 : n == 3 ? 0.38268343236508977173
                 : n == 6 ? -0.70710678118654752440 : -0.92387953251128675613);
    }
    __device__ static constexpr R sine(int n) {
        return R(n == 1 ? 0.38268343236508977173 : n == 2 || n == 6 ? 0.70710678118654752440
                 : n == 3 ? 0.92387953251128675613 : -0.38268343236508977173);
    }
    template <bool inverse>
    __device__ static C quarter(C z) { return inverse ? C(-z.im, z.re) : C(z.im, -z.re); }
    // z w^n with w = exp(-2 pi i / 16), or its conjugate.
    template <bool inverse>
    __device__ static C turned(C z, int n) {
        return n == 0 ? z : n == 4 ? quarter<inverse>(z) : z * C(cosine(n), inverse ? sine(n) : -sine(n));
    }
    template <bool inverse>
    __device__ static void dft4(C& a, C& b, C& c, C& d) {
        const C even = a + c, odd = b + d, difference = a - c, side = quarter<inverse>(b - d);
        a = even + odd, b = difference + side, c = even - odd, d = difference - side;
    }
    template <bool inverse>
    __device__ static void dft16(C (&v)[16]) {
#pragma unroll
        for (int b = 0; b < 4; ++b) {
            dft4<inverse>(v[b], v[4 + b], v[8 + b], v[12 + b]);
#pragma unroll
            for (int c = 1; c < 4; ++c) v[4 * c + b] = turned<inverse>(v[4 * c + b], b * c);
        }
#pragma unroll
        for (int c = 0; c < 4; ++c) dft4<inverse>(v[4 * c], v[4 * c + 1], v[4 * c + 2], v[4 * c + 3]);
    }
    template <bool across>
    __device__ static void meet() {
        if constexpr (across) __syncthreads();
        else __syncwarp();
    }
    // Frequency k of a dft16 goes to `to` + to_step k, point k of the next one comes from `from` + from_step k; real and imaginary
    // parts one after the other, so that double needs no more than 48 KB. across: not only among the 16 threads of a row.
    template <bool across, int to_step, int from_step>
    __device__ static void exchange(C (&v)[16], R* shared, int to, int from) {
        R real[16];
#pragma unroll
        for (int k = 0; k < 16; ++k) shared[to + to_step * k] = v[slot(k)].re;
        meet<across>();
#pragma unroll
        for (int k = 0; k < 16; ++k) real[k] = shared[from + from_step * k];
        meet<across>();
#pragma unroll
        for (int k = 0; k < 16; ++k) shared[to + to_step * k] = v[slot(k)].im;
        meet<across>();
#pragma unroll
        for (int k = 0; k < 16; ++k) v[k] = {real[k], shared[from + from_step * k]};
        __syncwarp();                       // what follows in the same places is by the same 16 threads
    }
    // table: w_4096^(k t) at 256 k + t, then w_256^(k u) at 16 k + u. Frequency i comes to lie at slot(i).
    __device__ static void forward(C (&v)[16], R* shared, const C* table) {
        const int t = threadIdx.x, inner = t / 16 * row + t % 16;
        dft16<false>(v);
#pragma unroll
        for (int k = 1; k < 16; ++k) v[slot(k)] = v[slot(k)] * table[256 * k + t];
        exchange<true, row, 16>(v, shared, t, inner);
        dft16<false>(v);
#pragma unroll
        for (int k = 1; k < 16; ++k) v[slot(k)] = v[slot(k)] * table[points + 16 * k + t % 16];
        exchange<false, column, 1>(v, shared, inner, column * t);
        dft16<false>(v);
    }
    // Without the factor 1/4096. Point i comes to lie at slot(i).
    __device__ static void inverse(C (&v)[16], R* shared, const C* table) {
        const int t = threadIdx.x, inner = t / 16 * row + t % 16;
        dft16<true>(v);
        exchange<false, 1, column>(v, shared, column * t, inner);
#pragma unroll
        for (int k = 1; k < 16; ++k) v[k] = v[k] * conj(table[points + 16 * k + t % 16]);
        dft16<true>(v);
        exchange<true, 16, row>(v, shared, inner, t);
#pragma unroll
        for (int k = 1; k < 16; ++k) v[k] = v[k] * conj(table[256 * k + t]);
        dft16<true>(v);
    }
};

// The spectrum of a line of taps, in the order of block_transform, over the 4096 of the inverse; a block a line.
template <class W, class Index>
struct taps_spectrum {
    using R = typename real_of<W>::type;
    using C = complex<R>;
    using Transform = block_transform<R>;
    static constexpr int threads = Transform::threads;
    struct Args { const W* taps; const C* table; C* spectrum; int64_t count, line, step; };

    __device__ static void block(Index b, const Args& a) {
        __shared__ R shared[Transform::room];
        const W* taps = a.taps + int64_t(b) * a.line;
        C v[16];
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const int at = 256 * i + threadIdx.x;
            v[i] = at < int(a.count) ? cast<C>(taps[at * a.step]) : C(0);
        }
        Transform::forward(v, shared, a.table);
        C* spectrum = a.spectrum + int64_t(b) * Transform::points;
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const C value = v[Transform::slot(i)];
            spectrum[256 * i + threadIdx.x] = {value.re * R(1.0 / Transform::points), value.im * R(1.0 / Transform::points)};
        }
    }
};

// Outputs `first` ... `first` + kept - 1 of the full convolution of each line; a block takes `step` of them, or twice as many
// where all is real: the spectrum of real taps keeps real and imaginary part apart, so two frames of a line are transformed as
// one complex one. Inf and NaN spoil the frame they are in, and the one beside it.
template <class X, class Y, class Index>
struct overlap_save {
    using R = typename real_of<Y>::type;
    using C = complex<R>;
    using Transform = block_transform<R>;
    static constexpr int threads = Transform::threads, resident = sizeof(R) == 4 ? 3 : 2;
    static constexpr bool paired = !is_complex<Y>::value;
    struct Args {
        const X* x;                                       // [line][n]
        const C *spectrum, *table;                        // taps_spectrum's
        Y* y;                                             // [line][kept]
        int64_t n, kept, first, step, blocks;             // blocks: of a line
        int64_t x_line, spectrum_line;                    // 0: one for all lines
    };
    // Samples of a frame, zeros where the line has none. Offsets within a frame are ints whatever the size of the arrays.
    struct Frame {
        const X* x;
        int low, count;
        __device__ Frame(const X* line, int64_t start, int64_t n) : x(line + start) {
            low = int(min_of(max_of(-start, int64_t(0)), int64_t(Transform::points)));
            count = int(max_of(min_of(n - start, int64_t(Transform::points)), int64_t(low))) - low;
        }
        __device__ X operator[](int i) const { return unsigned(i - low) < unsigned(count) ? x[i] : X(0); }
    };

    // Waits in shared memory while the transforms need all registers. Output `at` of a frame, from `start` on, goes to y[at].
    struct Place {
        int64_t spectrum, y;
        int start, end, second_end;
    };

    __device__ static void block(Index b, const Args& a) {
        __shared__ R shared[Transform::room];
        __shared__ Place place;
        const Index line = b / Index(a.blocks);
        const int64_t out = int64_t(b - line * Index(a.blocks)) * (paired ? 2 : 1) * a.step;
        const int skip = Transform::points - int(a.step);
        C v[16], w[16];
        load(v, a.x + int64_t(line) * a.x_line, a.first + out - skip, a);
        if (threadIdx.x == 0)
            place = {int64_t(line) * a.spectrum_line, int64_t(line) * a.kept + out - skip, skip, end(out, skip, a),
                     end(out + a.step, skip, a)};
        Transform::forward(v, shared, a.table);
        const C* spectrum = a.spectrum + place.spectrum;
#pragma unroll
        for (int i = 0; i < 16; ++i) w[i] = v[Transform::slot(i)] * spectrum[256 * i + threadIdx.x];
        Transform::inverse(w, shared, a.table);
        store(w, place, a);
    }

    __device__ static void store(const C (&w)[16], const Place place, const Args& a) {
        Y *y = a.y + place.y, *second = y + a.step;
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const int at = 256 * i + threadIdx.x;
            const C value = w[Transform::slot(i)];
            if constexpr (paired) {
                if (at >= place.start && at < place.end) y[at] = value.re;
                if (at >= place.start && at < place.second_end) second[at] = value.im;
            } else if (at >= place.start && at < place.end) y[at] = value;
        }
    }
    __device__ static void load(C (&v)[16], const X* x, int64_t start, const Args& a) {
        const Frame frame(x, start, a.n), second(x, start + a.step, a.n);
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const int at = 256 * i + threadIdx.x;
            if constexpr (paired) v[i] = {frame[at], second[at]};
            else v[i] = cast<C>(frame[at]);
        }
    }
    // Where the outputs of a frame end whose first one is `out`.
    __device__ static int end(int64_t out, int skip, const Args& a) {
        return skip + int(max_of(min_of(a.step, a.kept - out), int64_t(0)));
    }
};

}  // namespace gpusci
#endif
