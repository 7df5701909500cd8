// Element-wise kernels: any functor over any number of inputs and outputs, with casts at load and store.
//
// A thread handles U vectors of V elements, 256 vectors apart, so that a warp reads 512 consecutive bytes and every
// thread has several independent 16-byte loads in flight. With V > 1 each operand's last dimension is contiguous or
// broadcast (stride 0); with V = 1 its stride is free. Rows start where the output is aligned to a whole vector: head
// and tail go element by element, and an input of another alignment is read element by element as well, which costs
// cache traffic, not memory traffic.
// On the host the same Args are walked in chunks that stay in the first-level cache: operands of another dtype or stride
// are gathered there, so that the functor's own loop always runs over contiguous data and is vectorised.
#pragma once
#include "entry.h"

namespace gpusci {

template <class... T> struct types {};

template <int I, class List> struct nth;
template <int I, class T, class... Rest>
struct nth<I, types<T, Rest...>> { using type = typename nth<I - 1, types<Rest...>>::type; };
template <class T, class... Rest>
struct nth<0, types<T, Rest...>> { using type = T; };
template <int I, class List> using nth_t = typename nth<I, List>::type;

template <int... I> struct indices {};
template <int N, int... I> struct count_to { using type = typename count_to<N - 1, N - 1, I...>::type; };
template <int... I> struct count_to<0, I...> { using type = indices<I...>; };
template <int N> using count_t = typename count_to<N>::type;

// A functor that works on half itself (nextafter, spacing) says so; the others see float.
template <class F, class = void> struct takes_half { static constexpr bool value = false; };
template <class F> struct takes_half<F, decltype(void(F::takes_half))> { static constexpr bool value = true; };
// A functor that refuses some inputs has `invalid(inputs...)`; the row then names one error.
template <class F, class = void> struct can_fail { static constexpr bool value = false; };
template <class F> struct can_fail<F, decltype(void(F::can_fail))> { static constexpr bool value = true; };

// One operand as core packs it: strides in elements. Without data it is a scalar, its bits in `value`.
template <int R>
struct Operand {
    char* data;
    int64_t stride[R];
    uint64_t value[2];
};

template <bool On> struct ErrorField { ErrorCell err; };
template <> struct ErrorField<false> {};

// F: functor. NIN inputs. Loop: dtypes of F's loop, inputs then outputs. Mem: dtypes in memory. Masked: one more bool
// operand says which elements are written (`where=`).
template <class F, int NIN, class Loop, class Mem, bool Masked, int V, int U, int R, class Index>
struct elementwise;

template <class F, int NIN, class... L, class... M, bool Masked, int V, int U, int R, class Index>
struct elementwise<F, NIN, types<L...>, types<M...>, Masked, V, U, R, Index> {
    static constexpr int N = sizeof...(L), NOUT = N - NIN, OPERANDS = N + Masked;
    template <int K> using Dtype = nth_t<K, types<L..., bool>>;
    template <int K> using Stored = nth_t<K, types<M..., bool>>;
    template <int K>
    using Value = choose_t<takes_half<F>::value, Dtype<K>, compute_t<Dtype<K>>>;       // what F sees

    struct Args : ErrorField<can_fail<F>::value> {
        int64_t shape[R];           // collapsed, slowest first
        int64_t units;              // vectors in a row, the last dimension; all vectors in `n` below
        int64_t n;
        Operand<R> op[OPERANDS];
    };

    template <int K>
    HD static Value<K> read(const Stored<K>& x) { return cast<Value<K>>(cast<Dtype<K>>(x)); }
    template <int K>
    HD static Value<K> scalar(const Args& a) {
        Stored<K> x;
        memcpy(&x, a.op[K].value, sizeof x);
        return read<K>(x);
    }
    template <int K>
    HD static Stored<K> written(const Value<K>& x) { return cast<Stored<K>>(cast<Dtype<K>>(x)); }

    // ---- F on one element, results through references
    template <class... X>
    HD static void apply(const Args& a, Value<NIN>& y, const X&... x) {
        if constexpr (can_fail<F>::value) {
            if (F::invalid(x...)) a.err.raise(0);
        }
        y = cast<Value<NIN>>(F()(x...));
    }
    template <class... X>
    HD static void apply2(Value<NIN>& y, Value<NIN + NOUT - 1>& z, const X&... x) { F()(x..., y, z); }

#if defined(GPUSCI_CUDA)
    // ---- where a vector lies: offsets of its first element, and which of its elements exist
    struct Place {
        Index offset[OPERANDS];
        Index column;                   // may be negative in the first, partial vector
        int begin, end;
        HD bool whole() const { return begin == 0 && end == V; }
        HD bool has(int v) const { return v >= begin && v < end; }
    };

    HD static Place place(const Args& a, Index unit) {
        Place p;
#pragma unroll
        for (int k = 0; k < OPERANDS; ++k) p.offset[k] = 0;
        Index column = unit;
        if constexpr (R > 1) {
            Index row = unit / Index(a.units);
            column = unit - row * Index(a.units);
#pragma unroll
            for (int d = R - 2; d >= 0; --d) {
                const Index q = d > 0 ? row / Index(a.shape[d]) : 0, i = row - q * Index(a.shape[d]);
#pragma unroll
                for (int k = 0; k < OPERANDS; ++k) p.offset[k] += i * Index(a.op[k].stride[d]);
                row = q;
            }
        }
        const Index length = Index(a.shape[R - 1]);
        if constexpr (V > 1) {
            const uint64_t first = reinterpret_cast<uint64_t>(a.op[NIN].data) / sizeof(Stored<NIN>) + p.offset[NIN];
            p.column = column * V - Index(first % V);
        } else {
            p.column = column;
        }
        p.begin = p.column < 0 ? int(-p.column) : 0;
        p.end = unit >= Index(a.n) || p.column >= length ? 0 : length - p.column < V ? int(length - p.column) : V;
        return p;
    }

    // ---- vector loads and stores, in pieces of at most 16 bytes
    template <class T>
    struct alignas(sizeof(T) * V < 16 ? sizeof(T) * V : 16) pack { T v[V]; };
    template <class T>
    HD static bool aligned(const T* p) { return reinterpret_cast<uint64_t>(p) % alignof(pack<T>) == 0; }

    template <class T>
    HD static void copy_pack(pack<T>& to, const pack<T>& from) {
        constexpr int bytes = sizeof(T) * V;
        if constexpr (bytes % 16 == 0) {
#pragma unroll
            for (int i = 0; i < bytes / 16; ++i) reinterpret_cast<uint4*>(&to)[i] = reinterpret_cast<const uint4*>(&from)[i];
        } else if constexpr (bytes == 8) reinterpret_cast<uint2&>(to) = reinterpret_cast<const uint2&>(from);
        else if constexpr (bytes == 4) reinterpret_cast<uint32_t&>(to) = reinterpret_cast<const uint32_t&>(from);
        else if constexpr (bytes == 2) reinterpret_cast<uint16_t&>(to) = reinterpret_cast<const uint16_t&>(from);
        else to = from;
    }

    template <int K>
    HD static void load(Stored<K> (&x)[U * V], const Args& a, const Place (&at)[U]) {
        using T = Stored<K>;
        const T* data = reinterpret_cast<const T*>(a.op[K].data);
        const Index step = Index(a.op[K].stride[R - 1]);
        if (data == nullptr) {
            T s;
            memcpy(&s, a.op[K].value, sizeof s);
#pragma unroll
            for (int i = 0; i < U * V; ++i) x[i] = s;
        } else if (V > 1 && step == 0) {
#pragma unroll
            for (int u = 0; u < U; ++u) {
                const T s = at[u].end > 0 ? data[at[u].offset[K]] : T();
#pragma unroll
                for (int v = 0; v < V; ++v) x[u * V + v] = s;
            }
        } else {
            const T* p[U];
            bool whole = V > 1;
#pragma unroll
            for (int u = 0; u < U; ++u) {
                p[u] = data + (at[u].offset[K] + at[u].column * (V > 1 ? Index(1) : step));
                whole &= at[u].whole() && aligned(p[u]);
            }
            if (whole) {
                pack<T> r[U];
#pragma unroll
                for (int u = 0; u < U; ++u) copy_pack(r[u], *reinterpret_cast<const pack<T>*>(p[u]));
#pragma unroll
                for (int i = 0; i < U * V; ++i) x[i] = r[i / V].v[i % V];
            } else {
#pragma unroll
                for (int i = 0; i < U * V; ++i) x[i] = at[i / V].has(i % V) ? p[i / V][i % V] : T();
            }
        }
    }

    template <int K>
    HD static void store(const Value<K> (&y)[U * V], const bool (&mask)[U * V], const Args& a, const Place (&at)[U]) {
        using T = Stored<K>;
        T* data = reinterpret_cast<T*>(a.op[K].data);
        const Index step = V > 1 ? Index(1) : Index(a.op[K].stride[R - 1]);
#pragma unroll
        for (int u = 0; u < U; ++u) {
            T* p = data + (at[u].offset[K] + at[u].column * step);
            if (V > 1 && !Masked && at[u].whole() && aligned(p)) {
                pack<T> r;
#pragma unroll
                for (int v = 0; v < V; ++v) r.v[v] = written<K>(y[u * V + v]);
                copy_pack(*reinterpret_cast<pack<T>*>(p), r);
            } else {
#pragma unroll
                for (int v = 0; v < V; ++v)
                    if (at[u].has(v) && (!Masked || mask[u * V + v])) p[v] = written<K>(y[u * V + v]);
            }
        }
    }

    template <int K> struct Register { Stored<K> x[U * V]; };
    template <class I> struct Registers;
    template <int... I> struct Registers<indices<I...>> : Register<I>... {};

    template <int... I>
    HD static void run(const Args& a, const Place (&at)[U], indices<I...>) {
        Registers<indices<I...>> in;
        (load<I>(static_cast<Register<I>&>(in).x, a, at), ...);
        bool mask[U * V];
        if constexpr (Masked) load<N>(mask, a, at);
        Value<NIN> y[U * V];
        Value<NIN + NOUT - 1> z[NOUT > 1 ? U * V : 1];
#pragma unroll
        for (int i = 0; i < U * V; ++i) {
            if constexpr (can_fail<F>::value) {
                if (!at[i / V].has(i % V) || (Masked && !mask[i])) continue;
            }
            if constexpr (NOUT == 1) apply(a, y[i], read<I>(static_cast<Register<I>&>(in).x[i])...);
            else apply2(y[i], z[i], read<I>(static_cast<Register<I>&>(in).x[i])...);
        }
        store<NIN>(y, mask, a, at);
        if constexpr (NOUT > 1) store<NIN + 1>(z, mask, a, at);
    }

    HD static void at(Index item, const Args& a) {
        const Index unit = item / 256 * (256 * U) + item % 256;
        Place where[U];
#pragma unroll
        for (int u = 0; u < U; ++u) where[u] = place(a, unit + u * 256);
        run(a, where, count_t<NIN>());
    }
#else
    // ---- the host: chunks of contiguous values, as F sees them
    static constexpr int CHUNK = 256;
    template <int K> struct Line {
        const Value<K>* data;
        const void* held = nullptr;         // the broadcast element that fills `buffer`
        Value<K> buffer[CHUNK];
    };
    template <class I> struct Lines;
    template <int... I> struct Lines<indices<I...>> : Line<I>... {};

    // Point the line at `count` values of operand K, gathering them unless they lie in memory as F wants them.
    template <int K>
    static void gather(Line<K>& line, const Args& a, Index offset, Index column, Index count) {
        using T = Stored<K>;
        const Index step = Index(a.op[K].stride[R - 1]);
        const T* p = reinterpret_cast<const T*>(a.op[K].data);
        if (p != nullptr) p += offset + column * step;
        if constexpr (same<T, Value<K>>::value) {
            if (p != nullptr && step == 1) {
                line.data = p;
                return;
            }
        }
        line.data = line.buffer;
        if (p == nullptr || step == 0) {
            if (line.held == (p == nullptr ? static_cast<const void*>(&a) : p)) return;
            line.held = p == nullptr ? static_cast<const void*>(&a) : p;
            const Value<K> x = p == nullptr ? scalar<K>(a) : read<K>(*p);
            for (int i = 0; i < CHUNK; ++i) line.buffer[i] = x;
        } else if (step == 1) {
            for (Index i = 0; i < count; ++i) line.buffer[i] = read<K>(p[i]);
        } else {
            for (Index i = 0; i < count; ++i) line.buffer[i] = read<K>(p[i * step]);
        }
    }

    // Where F's results go: straight to memory, or to a buffer that scatter() empties.
    template <int K>
    static Value<K>* target(Value<K>* buffer, const Args& a, Index offset, Index column) {
        if constexpr (same<Stored<K>, Value<K>>::value && !Masked)
            if (a.op[K].stride[R - 1] == 1) return reinterpret_cast<Value<K>*>(a.op[K].data) + offset + column;
        return buffer;
    }
    template <int K>
    static void scatter(const Value<K>* buffer, const bool* mask, const Args& a, Index offset, Index column, Index count) {
        const Index step = Index(a.op[K].stride[R - 1]);
        Stored<K>* p = reinterpret_cast<Stored<K>*>(a.op[K].data) + offset + column * step;
        if (step == 1 && !Masked)
            for (Index i = 0; i < count; ++i) p[i] = written<K>(buffer[i]);
        else
            for (Index i = 0; i < count; ++i)
                if (!Masked || mask[i]) p[i * step] = written<K>(buffer[i]);
    }

    template <int... I>
    static void chunk(Lines<indices<I...>>& in, Line<NIN + NOUT * Masked>& mask, const Args& a, const Index* offset,
                      Index column, Index count, indices<I...>) {
        Value<NIN> y_buffer[CHUNK], *y = target<NIN>(y_buffer, a, offset[NIN], column);
        (gather<I>(static_cast<Line<I>&>(in), a, offset[I], column, count), ...);
        const bool* wanted = nullptr;
        if constexpr (Masked) {
            gather<N>(mask, a, offset[N], column, count);
            wanted = mask.data;
        }
        if constexpr (NOUT == 2) {
            constexpr int SECOND = NIN + 1;
            Value<SECOND> z_buffer[CHUNK], *z = target<SECOND>(z_buffer, a, offset[SECOND], column);
            for (Index i = 0; i < count; ++i) apply2(y[i], z[i], static_cast<Line<I>&>(in).data[i]...);
            if (z == z_buffer) scatter<SECOND>(z, wanted, a, offset[SECOND], column, count);
        } else if constexpr (can_fail<F>::value) {
            for (Index i = 0; i < count; ++i)
                if (!Masked || wanted[i]) apply(a, y[i], static_cast<Line<I>&>(in).data[i]...);
        } else {
            // In place is allowed: element i is read before it is written.
#pragma GCC ivdep
            for (Index i = 0; i < count; ++i) apply(a, y[i], static_cast<Line<I>&>(in).data[i]...);
        }
        if (y == y_buffer) scatter<NIN>(y, wanted, a, offset[NIN], column, count);
    }

    // Work item: one element. A row's elements go through in chunks.
    static void range(Index begin, Index end, const Args& a) {
        Lines<count_t<NIN>> in;
        Line<NIN + NOUT * Masked> mask;
        const Index length = Index(a.units);
        Index row = begin / length, column = begin - row * length;
        for (Index left = end - begin; left > 0; ++row, column = 0) {
            Index offset[OPERANDS] = {}, rest = row;
            for (int d = R - 2; d >= 0; --d) {
                const Index q = d > 0 ? rest / Index(a.shape[d]) : 0, i = rest - q * Index(a.shape[d]);
                for (int k = 0; k < OPERANDS; ++k) offset[k] += i * Index(a.op[k].stride[d]);
                rest = q;
            }
            const Index stop = left < length - column ? column + left : length;
            left -= stop - column;
            for (; column < stop; column += CHUNK)
                chunk(in, mask, a, offset, column, stop - column < CHUNK ? stop - column : CHUNK, count_t<NIN>());
        }
    }
    HD static void at(Index i, const Args& a) { range(i, i + 1, a); }
#endif
};

}  // namespace gpusci
