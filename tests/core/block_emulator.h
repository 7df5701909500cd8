// Runs block kernels without a GPU, for tests: included before everything else by the host compiler, which then reads the
// CUDA branches of our headers. Threads of a block are fibers, blocks run one after the other, warps meet at their shuffles
// and votes, and a block in which nobody can go on is reported instead of hanging. It checks what a kernel computes
// and that its barriers match; it knows nothing of memory order between blocks, or of speed.
#pragma once
#define __CUDACC__ 1
#define GPUSCI_EMULATOR 1
#include <math.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ static

struct uint2 { uint32_t x, y; };
struct alignas(16) uint4 { uint32_t x, y, z, w; };
struct alignas(16) double2 { double x, y; };
struct emulated_index { unsigned x, y, z; };

namespace emulator {

struct Meeting {                    // a barrier: `waiting` of those needed have come to meeting `number`
    int waiting = 0;
    int64_t number = 0;
};
// Switching stacks: callee-saved registers are pushed, the stack pointers swapped. (ucontext would make two system calls.)
extern "C" void emulator_switch(void** save, void* load);
#if defined(__x86_64__)
asm(".text\n.type emulator_switch,@function\nemulator_switch:\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");
constexpr int saved_words = 6;
#else
#error "the block emulator knows x86-64 only"
#endif
struct Fiber {
    void* stack = nullptr;
    bool done = false;
    emulated_index thread;
};
inline std::vector<Fiber> fibers;
inline std::vector<Meeting> warps;
inline Meeting all;
inline void* scheduler = nullptr;
inline Fiber* now = nullptr;
inline int live = 0;
inline bool progress = false;
inline unsigned grid = 1, block_at = 0, threads = 1;
// Dynamic shared memory, the same for every block: what the launch asked for, to within 16 bytes, then a page without access.
inline char* shared_room = nullptr;
inline void* shared_memory() { return shared_room; }
inline void set_shared(uint64_t bytes) {
    constexpr uint64_t page = 4096, most = 64 * page;
    static char* base = static_cast<char*>(mmap(nullptr, most + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base, most, PROT_READ | PROT_WRITE);
    std::memset(base, 0xff, most);
    shared_room = base + most - (bytes + 15) / 16 * 16;
}
struct Slot { unsigned char bytes[16]; };
inline std::vector<Slot> slots;

inline void yield() { emulator_switch(&now->stack, scheduler); }

template <class Needed> void meet(Meeting& m, Needed needed) {
    const int64_t mine = m.number;
    ++m.waiting;
    progress = true;
    while (m.number == mine) {
        if (m.waiting >= needed()) {
            m.waiting = 0;
            ++m.number;
            progress = true;
        } else yield();
    }
}
inline int bits(uint32_t v) { return __builtin_popcount(v); }
inline void meet_warp(uint32_t mask) {
    meet(warps[now->thread.x / 32], [mask] { return bits(mask); });
}
template <class T> T exchange(uint32_t mask, T value, int from) {
    static_assert(sizeof(T) <= sizeof(Slot), "shuffles move at most 16 bytes here");
    const unsigned base = now->thread.x / 32 * 32;
    std::memcpy(slots[now->thread.x].bytes, &value, sizeof(T));
    meet_warp(mask);
    T out = value;
    if (from >= 0 && from < 32 && base + from < threads) std::memcpy(&out, slots[base + from].bytes, sizeof(T));
    meet_warp(mask);
    return out;
}
template <class Body> struct Start {
    static Body* body;
    static void go() {
        (*body)();
        now->done = true;
        --live;
        progress = true;
        yield();
    }
};
template <class Body> Body* Start<Body>::body;

// One block: all fibers to their ends.
template <class Body> void run_block(unsigned b, Body body) {
    static std::vector<std::vector<char>> stacks;
    block_at = b;
    Start<Body>::body = &body;
    fibers.assign(threads, Fiber());
    warps.assign((threads + 31) / 32, Meeting());
    slots.assign(threads, Slot());
    all = Meeting();
    live = int(threads);
    if (stacks.size() < threads) stacks.resize(threads, std::vector<char>(64 * 1024));
    for (unsigned t = 0; t < threads; ++t) {
        Fiber& f = fibers[t];
        f.thread = {t, 0, 0};
        // The first switch pops the registers and returns into `go`, with the stack aligned as after a call.
        void** top = reinterpret_cast<void**>((uint64_t(stacks[t].data() + stacks[t].size()) & ~uint64_t(15)) - 8);
        *top = nullptr;
        *--top = reinterpret_cast<void*>(Start<Body>::go);
        f.stack = top - saved_words;
    }
    while (live) {
        progress = false;
        for (Fiber& f : fibers) {
            if (f.done) continue;
            now = &f;
            emulator_switch(&scheduler, f.stack);
        }
        if (!progress && live) {
            std::fprintf(stderr, "block emulator: block %u cannot go on, %d threads wait\n", b, live);
            std::abort();
        }
    }
}
}  // namespace emulator

#define threadIdx (emulator::now->thread)
#define blockIdx (emulated_index{emulator::block_at, 0, 0})
#define gridDim (emulated_index{emulator::grid, 1, 1})
#define blockDim (emulated_index{emulator::threads, 1, 1})

inline void __syncthreads() { emulator::meet(emulator::all, [] { return emulator::live; }); }
inline void __syncwarp(uint32_t mask = 0xffffffffu) { emulator::meet_warp(mask); }
inline void __threadfence() {}
inline int emulated_lane() { return emulator::now->thread.x % 32; }
template <class T> T __shfl_sync(uint32_t m, T v, int from) { return emulator::exchange(m, v, from & 31); }
template <class T> T __shfl_down_sync(uint32_t m, T v, int d) {
    const int from = emulated_lane() + d;
    return emulator::exchange(m, v, from < 32 ? from : -1);
}
template <class T> T __shfl_up_sync(uint32_t m, T v, int d) { return emulator::exchange(m, v, emulated_lane() - d); }
template <class T> T __shfl_xor_sync(uint32_t m, T v, int d) { return emulator::exchange(m, v, emulated_lane() ^ d); }
inline uint32_t __ballot_sync(uint32_t mask, int predicate) {
    const unsigned base = emulator::now->thread.x / 32 * 32;
    emulator::slots[emulator::now->thread.x].bytes[0] = predicate != 0;
    emulator::meet_warp(mask);
    uint32_t out = 0;
    for (unsigned l = 0; l < 32; ++l)
        if (mask >> l & 1) out |= uint32_t(emulator::slots[base + l].bytes[0]) << l;
    emulator::meet_warp(mask);
    return out;
}
inline int __any_sync(uint32_t mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(uint32_t mask, int predicate) { return __ballot_sync(mask, predicate) == mask; }
inline uint32_t __byte_perm(uint32_t x, uint32_t y, uint32_t s) {
    uint32_t out = 0;
    for (int k = 0; k < 4; ++k) out |= uint32_t((uint64_t(y) << 32 | x) >> 8 * (s >> 4 * k & 7) & 255u) << 8 * k;
    return out;
}
inline int __popc(uint32_t v) { return __builtin_popcount(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline int __clz(int v) { return v ? __builtin_clz(v) : 32; }
inline uint32_t __vcmpne4(uint32_t a, uint32_t b) {
    uint32_t out = 0;
    for (int k = 0; k < 32; k += 8) out |= ((a >> k & 255) != (b >> k & 255) ? 255u : 0u) << k;
    return out;
}
template <class T> T __ldg(const T* p) { return *p; }
template <class T, class U> T atomicAdd(T* p, U v) { const T old = *p; *p = T(old + T(v)); return old; }
template <class T, class U> T atomicMax(T* p, U v) { const T old = *p; if (T(v) > old) *p = T(v); return old; }
template <class T, class U> T atomicMin(T* p, U v) { const T old = *p; if (T(v) < old) *p = T(v); return old; }
template <class T, class U> T atomicOr(T* p, U v) { const T old = *p; *p = T(old | T(v)); return old; }
template <class T, class U, class W> T atomicCAS(T* p, U expected, W v) { const T old = *p; if (old == T(expected)) *p = T(v); return old; }

extern "C" void gpusci_entry_blocks(int64_t blocks, int threads, const void* args);
// Whether that many bytes of arguments fill the struct, but for what its alignment adds.
#define EMULATOR_ARGS(ARGS)                                                                         \
    extern "C" int gpusci_takes(uint64_t bytes) {                                                   \
        return bytes <= sizeof(ARGS) && sizeof(ARGS) - bytes < (alignof(ARGS) > 8 ? alignof(ARGS) : 8); \
    }
// Follows the kernel's own entry: see block_emulator.py.
#define EMULATOR_ENTRY(ARGS)                                                                        \
    extern "C" void gpusci_set_shared(uint64_t bytes) { emulator::set_shared(bytes); }              \
    EMULATOR_ARGS(ARGS)                                                                             \
    extern "C" void gpusci_entry_blocks(int64_t blocks, int threads, const void* args) {            \
        emulator::grid = unsigned(blocks), emulator::threads = unsigned(threads);                   \
        ARGS a;                                                                                     \
        std::memcpy(&a, args, sizeof(a));                                                           \
        for (int64_t b = 0; b < blocks; ++b)                                                        \
            emulator::run_block(unsigned(b), [&] { gpusci_entry(a, blocks); });                     \
    }
// At-form: one thread that takes all items.
#define EMULATOR_ITEMS_ENTRY(ARGS)                                                                  \
    EMULATOR_ARGS(ARGS)                                                                             \
    extern "C" void gpusci_entry_items(int64_t begin, int64_t end, const void* args) {              \
        static emulator::Fiber only;                                                                \
        emulator::grid = emulator::threads = 1, emulator::block_at = 0;                             \
        emulator::now = &only;                                                                      \
        emulator::slots.assign(1, emulator::Slot());                                                \
        ARGS a;                                                                                     \
        std::memcpy(&a, args, sizeof(a));                                                           \
        gpusci_entry(a, end);                                                                       \
    }
