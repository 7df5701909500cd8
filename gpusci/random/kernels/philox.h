// Counter-based random numbers: Philox4x32-10, J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as easy as
// 1, 2, 3, SC 2011. A block of four 32-bit words is a function of a 64-bit key (the seed) and a 128-bit counter:
// words 0 and 1 number the work item, word 2 the draws of one item, word 3 the use (0: filling, 1 ...: redraws of lane w-1).
// So any item's numbers are found without the others', on every device alike.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {

struct PhiloxBlock { uint32_t w[4]; };

HD PhiloxBlock philox(uint64_t key, uint64_t item, uint32_t draw, uint32_t use) {
    uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
    PhiloxBlock c = {{uint32_t(item), uint32_t(item >> 32), draw, use}};
#pragma unroll
    for (int round = 0; round < 10; ++round) {                  // multipliers and Weyl steps: table 2 of the paper
        const uint64_t a = uint64_t(0xD2511F53u) * c.w[0], b = uint64_t(0xCD9E8D57u) * c.w[2];
        c = {{uint32_t(b >> 32) ^ c.w[1] ^ k0, uint32_t(b), uint32_t(a >> 32) ^ c.w[3] ^ k1, uint32_t(a)}};
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}

HD uint64_t join(uint32_t low, uint32_t high) { return uint64_t(high) << 32 | low; }

// Uniform on [0, 1) with all bits of the mantissa, and on (0, 1) for logarithms.
HD float unit(uint32_t x) { return float(x >> 8) * 0x1p-24f; }
HD double unit(uint64_t x) { return double(x >> 11) * 0x1p-53; }
HD float open_unit(uint32_t x) { return float(x) * 0x1p-32f + 0x1p-33f; }
HD double open_unit(uint64_t x) { return double(x >> 11) * 0x1p-53 + 0x1p-54; }

HD float log_of(float x) { return logf(x); }
HD double log_of(double x) { return log(x); }

// cos and sin of 2 pi x for x in [0, 1).
HD void circle(float x, float& c, float& s) {
#if defined(__CUDA_ARCH__)
    sincospif(2 * x, &s, &c);
#else
    s = sinf(6.28318530717958648f * x);
    c = cosf(6.28318530717958648f * x);
#endif
}
HD void circle(double x, double& c, double& s) {
#if defined(__CUDA_ARCH__)
    sincospi(2 * x, &s, &c);
#else
    s = sin(6.28318530717958648 * x);
    c = cos(6.28318530717958648 * x);
#endif
}

// Two normal numbers from two words: G. Box, M. Muller, Ann. Math. Stat. 29 (1958) 610. The tail ends where the smallest
// argument of the logarithm does, at 6.7 (float) and 8.6 (double) standard deviations.
template <class T, class Word>
HD void box_muller(Word first, Word second, T& x, T& y) {
    const T r = T(sqrt(T(-2) * log_of(open_unit(first))));
    T c, s;
    circle(unit(second), c, s);
    x = r * c;
    y = r * s;
}

// ---- filling: one block makes 4 values of up to 32 bits or 2 of 64
template <class T> struct lanes { static constexpr int value = sizeof(T) > 4 ? 2 : 4; };

struct draw_uniform {
    HD static void block(const PhiloxBlock& b, float* y) { for (int i = 0; i < 4; ++i) y[i] = unit(b.w[i]); }
    HD static void block(const PhiloxBlock& b, double* y) {
        y[0] = unit(join(b.w[0], b.w[1]));
        y[1] = unit(join(b.w[2], b.w[3]));
    }
};
struct draw_normal {
    HD static void block(const PhiloxBlock& b, float* y) {
        box_muller(b.w[0], b.w[1], y[0], y[1]);
        box_muller(b.w[2], b.w[3], y[2], y[3]);
    }
    HD static void block(const PhiloxBlock& b, double* y) {
        box_muller(join(b.w[0], b.w[1]), join(b.w[2], b.w[3]), y[0], y[1]);
    }
};
struct draw_exponential {
    HD static void block(const PhiloxBlock& b, float* y) { for (int i = 0; i < 4; ++i) y[i] = -log_of(open_unit(b.w[i])); }
    HD static void block(const PhiloxBlock& b, double* y) {
        y[0] = -log_of(open_unit(join(b.w[0], b.w[1])));
        y[1] = -log_of(open_unit(join(b.w[2], b.w[3])));
    }
};

template <class T, int N> struct alignas(sizeof(T) * N) Lane { T v[N]; };

// y = shift + scale * (a number of Draw); work items: ceil(n / lanes). 16-byte stores but for the tail.
template <class T, class Draw, class Index>
struct fill_real {
    struct Args { T* y; int64_t n, key, counter; double shift, scale; };
    static constexpr int V = lanes<T>::value;
    HD static void at(Index i, const Args& a) {
        Lane<T, V> out;
        Draw::block(philox(uint64_t(a.key), uint64_t(a.counter) + uint64_t(i), 0, 0), out.v);
        const T shift = T(a.shift), scale = T(a.scale);
#pragma unroll
        for (int k = 0; k < V; ++k) out.v[k] = shift + scale * out.v[k];
        const int64_t first = int64_t(i) * V;
        if (first + V <= a.n) reinterpret_cast<Lane<T, V>*>(a.y)[i] = out;
        else for (int64_t j = first; j < a.n; ++j) a.y[j] = out.v[j - first];
    }
};

// ---- integers low ... low + range, without bias: D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29
// (2019) 3. A word that falls into the uneven part is drawn again from the lane's own counters.
HD uint64_t high_product(uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#else
    return uint64_t((unsigned __int128)(a) * b >> 64);
#endif
}
HD uint32_t below(uint32_t x, uint32_t count, uint64_t key, uint64_t item, uint32_t lane) {
    uint64_t m = uint64_t(x) * count;
    if (uint32_t(m) < count) {
        const uint32_t uneven = (0u - count) % count;
        for (uint32_t draw = 0; uint32_t(m) < uneven; ++draw) m = uint64_t(philox(key, item, draw, lane + 1).w[0]) * count;
    }
    return uint32_t(m >> 32);
}
HD uint64_t below(uint64_t x, uint64_t count, uint64_t key, uint64_t item, uint32_t lane) {
    uint64_t low = x * count;
    if (low < count) {
        const uint64_t uneven = (uint64_t(0) - count) % count;
        for (uint32_t draw = 0; low < uneven; ++draw) {
            const PhiloxBlock b = philox(key, item, draw, lane + 1);
            x = join(b.w[0], b.w[1]);
            low = x * count;
        }
    }
    return high_product(x, count);
}

// range = high - low as an unsigned word of Wide's width; Wide is uint32_t or uint64_t (ranges of more than 32 bits).
template <class T, class Wide, class Index>
struct fill_integers {
    struct Args { T* y; int64_t n, key, counter, low, range; };
    static constexpr int V = lanes<Wide>::value;
    HD static void at(Index i, const Args& a) {
        const uint64_t key = uint64_t(a.key), item = uint64_t(a.counter) + uint64_t(i);
        const PhiloxBlock b = philox(key, item, 0, 0);
        const int64_t first = int64_t(i) * V;
        const Wide count = Wide(a.range) + 1;               // 0: every word is a result
#pragma unroll
        for (int k = 0; k < V; ++k) {
            Wide word;
            if constexpr (V == 4) word = b.w[k];
            else word = join(b.w[2 * k], b.w[2 * k + 1]);
            if (first + k < a.n) {
                const Wide r = count ? below(word, count, key, item, uint32_t(k)) : word;
                a.y[first + k] = T(uint64_t(a.low) + uint64_t(r));
            }
        }
    }
};

// The same with a low and a range for each element.
template <class T, class Index>
struct fill_integers_between {
    struct Args { T* y; const int64_t* low; const int64_t* range; int64_t key, counter; };
    HD static void at(Index i, const Args& a) {
        const uint64_t key = uint64_t(a.key), item = uint64_t(a.counter) + uint64_t(i), count = uint64_t(a.range[i]) + 1;
        const PhiloxBlock b = philox(key, item, 0, 0);
        const uint64_t word = join(b.w[0], b.w[1]), r = count ? below(word, count, key, item, 0) : word;
        a.y[i] = T(uint64_t(a.low[i]) + r);
    }
};

// ---- a stream of numbers of one work item, for rejection methods
struct Stream {
    uint64_t key, item;
    uint32_t draw;
    int left;
    PhiloxBlock b;
    double spare;
    bool has_spare;
    HD Stream(uint64_t key, uint64_t item) : key(key), item(item), draw(0), left(0), b(), spare(0), has_spare(false) {}
    HD uint64_t word() {
        if (left == 0) {
            b = philox(key, item, draw++, 0);
            left = 2;
        }
        --left;
        return left ? join(b.w[0], b.w[1]) : join(b.w[2], b.w[3]);
    }
    HD double uniform() { return unit(word()); }            // [0, 1)
    HD double positive() { return open_unit(word()); }      // (0, 1)
    HD double exponential() { return -log(positive()); }
    HD double normal() {
        if (has_spare) {
            has_spare = false;
            return spare;
        }
        double x;
        const uint64_t first = word();
        box_muller(first, word(), x, spare);
        has_spare = true;
        return x;
    }
};

}  // namespace gpusci
