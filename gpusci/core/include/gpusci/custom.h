// Frames of the user's own kernels (ElementwiseKernel, ReductionKernel): operands with strides, a generic loop around the
// user's function. The function's text comes from the user; everything here is ours.
#pragma once
#include "entry.h"

namespace gpusci {

// What CUDA offers without a header. Without std::abs, abs(0.5) would be C's abs(int) on the host.
#if !defined(GPUSCI_CUDA)
using std::abs;
using std::max;
using std::min;
#endif

// ---- parameter kinds of a user's function
template <class T> struct In {
    using type = T;
    using argument = const T&;
    template <int R, class Index> HD static argument get(const View<char, R>& v, Index i) {
        return reinterpret_cast<const T*>(v.data)[v.offset(i)];
    }
};
template <class T> struct Out {
    using type = T;
    using argument = T&;
    template <int R, class Index> HD static argument get(const View<char, R>& v, Index i) {
        return reinterpret_cast<T*>(v.data)[v.offset(i)];
    }
};
// `raw`: the whole array, indexed by the user. It is C-contiguous: the caller sees to it.
template <class T> struct RawArray {
    T* data;
    int64_t count;
    template <class I> HD T& operator[](I i) const { return data[i]; }
    HD int64_t size() const { return count; }
};
template <class T> struct Raw {
    using type = T;
    using argument = RawArray<T>;
    template <int R, class Index> HD static argument get(const View<char, R>& v, Index) {
        return {reinterpret_cast<T*>(v.data), v.shape[0]};
    }
};

struct LoopSize {                           // `_ind.size()` in the user's text
    int64_t count;
    HD int64_t size() const { return count; }
};

template <int... K> struct Sequence {};
template <int N, int... K> struct MakeSequence : MakeSequence<N - 1, N - 1, K...> {};
template <int... K> struct MakeSequence<0, K...> { using type = Sequence<K...>; };

// One call of the user's function per element.
template <class User, int R, class Index, class... P>
struct custom_elementwise {
    struct Args {
        int64_t n;
        View<char, R> operand[sizeof...(P) ? sizeof...(P) : 1];
    };
    template <int... K>
    HD static void call(Index i, const Args& a, Sequence<K...>) {
        User()(LoopSize{a.n}, i, P::get(a.operand[K], i)...);
    }
    HD static void at(Index i, const Args& a) { call(i, a, typename MakeSequence<sizeof...(P)>::type()); }
};

// A reduction without identity: whoever has no element yet says so.
template <class T> struct Maybe { T value; int64_t has; };
template <class Core> struct NoIdentity {
    using accumulator = Maybe<typename Core::accumulator>;
    static constexpr int outputs = Core::outputs;
    HD static accumulator identity() { return {typename Core::accumulator(), 0}; }
    template <class... A> HD static accumulator map(int64_t i, A&&... a) { return {Core::map(i, a...), 1}; }
    HD static accumulator reduce(accumulator a, accumulator b) {
        if (!a.has) return b;
        return b.has ? accumulator{Core::reduce(a.value, b.value), 1} : a;
    }
    template <int R> HD static void post(const accumulator& a, const View<char, R>* out, int64_t i) {
        Core::post(a.value, out, i);
    }
};

// out[o] = post(reduce over r of map(x[o * length + r])); operands are laid out kept dimensions first. A long
// reduction is split: `splits` partial results a row go to `partial`, and a second pass (map = read a partial) ends it.
template <class User, int R, class Index, class... P>
struct custom_reduction {
    using Acc = typename User::accumulator;
    struct Args {
        int64_t length, splits;             // elements a row, parts a row
        Acc* partial;                       // [rows * splits], null in the second pass and when not split
        const Acc* parts;                   // input of the second pass, else null
        View<char, R> operand[sizeof...(P) ? sizeof...(P) : 1];
        View<char, R> result[User::outputs];
    };
    template <int... K>
    HD static Acc map(int64_t i, const Args& a, Sequence<K...>) {
        return User::map(i, P::get(a.operand[K], i)...);
    }
    HD static Acc element(Index o, int64_t r, const Args& a) {
        if (a.parts) return a.parts[int64_t(o) * a.length + r];
        return map(int64_t(o) * a.length + r, a, typename MakeSequence<sizeof...(P)>::type());
    }
    HD static void range_of(Index b, const Args& a, int64_t& begin, int64_t& end) {
        const int64_t part = int64_t(b) % a.splits, each = (a.length + a.splits - 1) / a.splits;
        begin = part * each;
        end = min_of(begin + each, a.length);
    }
    HD static void finish(Index b, Acc value, const Args& a) {
        if (a.partial) a.partial[b] = value;
        else User::post(value, a.result, int64_t(b));
    }
    HD static void at(Index b, const Args& a) {
        int64_t begin, end;
        range_of(b, a, begin, end);
        Acc value = User::identity();
        for (int64_t r = begin; r < end; ++r) value = User::reduce(value, element(Index(b / a.splits), r, a));
        finish(b, value, a);
    }
#if defined(GPUSCI_CUDA)
    static constexpr int threads = 256;
    __device__ static void block(Index b, const Args& a) {
        alignas(16) __shared__ char memory[threads * sizeof(Acc)];
        Acc* shared = reinterpret_cast<Acc*>(memory);
        int64_t begin, end;
        range_of(b, a, begin, end);
        Acc value = User::identity();
        for (int64_t r = begin + threadIdx.x; r < end; r += threads)
            value = User::reduce(value, element(Index(b / a.splits), r, a));
        shared[threadIdx.x] = value;
        for (int step = threads / 2; step > 0; step /= 2) {
            __syncthreads();
            if (threadIdx.x < step) shared[threadIdx.x] = User::reduce(shared[threadIdx.x], shared[threadIdx.x + step]);
        }
        if (threadIdx.x == 0) finish(b, shared[0], a);
        __syncthreads();
    }
#endif
};

}  // namespace gpusci
