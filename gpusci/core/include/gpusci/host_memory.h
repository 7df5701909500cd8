// Memory of large host arrays, kept for the next one. Not a kernel header.
// Why: malloc maps blocks from 32 MiB on afresh each time, and touching fresh pages took half of the time of adding two
// arrays of 256 MiB (and ten times the addition in a virtual machine that gives its free pages back to its host). What is
// kept is offered to the system (MADV_FREE), which takes the pages without asking when memory is short. Until then they
// count as the process's in what `top` and `ps` show as resident: at most eight blocks, and an eighth of the machine's memory or of
// the limit of the address space (`ulimit -v`). Nothing is kept where the system does not take offers (locked pages, old kernels).
#pragma once
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace gpusci {

class HostMemory {
  public:
    static constexpr size_t LEAST = size_t(32) << 20;   // glibc's largest threshold: smaller blocks malloc uses again itself

    static void* malloc(void*, size_t size) { return size < LEAST ? small(size) : large(size); }

    static void* calloc(void*, size_t count, size_t each) {
        size_t size = 0;
        if (__builtin_mul_overflow(count, each, &size)) return nullptr;
        // Fresh pages are zero, and cost nothing until they are used.
        return size < LEAST ? fill(static_cast<char*>(std::calloc(1, size + ROOM)), 0, size) : fresh(size);
    }

    static void* realloc(void*, void* old, size_t size) {
        void* p = malloc(nullptr, size);
        if (!p || !old) return p;
        std::memcpy(p, old, size < head(old)->size ? size : head(old)->size);
        free(nullptr, old, 0);
        return p;
    }

    static void free(void*, void* p, size_t) {
        if (!p) return;
        Head* h = head(p);
        if (!h->mapped) return std::free(h->base);
        keep({h->base, h->mapped});
    }

    // Everything that is kept, to the system.
    static void give_back() {
        if (!mutex.try_lock()) return;
        while (count) unmap(drop(0));
        mutex.unlock();
    }

  private:
    struct alignas(16) Head {   // just before the array
        char* base;
        size_t mapped, size;    // of the mapping, 0 for malloc's; asked for
    };
    struct Block {
        char* p;
        size_t mapped;
    };
    static constexpr size_t PAGE = size_t(2) << 20;     // a huge page
    static constexpr size_t ROOM = 64;                  // for the head: what is mapped stays aligned to a cache line
    static constexpr int KEPT = 8;
    inline static std::mutex mutex;                     // only tried: who does not get it (a fork, too) asks the system
    inline static Block kept[KEPT] = {};                // oldest first
    inline static int count = 0;
    inline static size_t total = 0;

    static Head* head(void* p) { return reinterpret_cast<Head*>(p) - 1; }
    // Arrays begin at different places within their pages, and not where malloc's large blocks do: in step with another one,
    // two streams share the sets of the caches (a Fourier transform of 2^24 points took 1.5 times as long).
    static constexpr size_t STEP = 4096 + 320, STEPS = 12;
    static size_t shift() {
        static std::atomic<unsigned> turn{0};
        return (1 + turn++ % STEPS) * STEP;
    }
    static size_t round(size_t size) { return (size + ROOM + STEPS * STEP + PAGE - 1) / PAGE * PAGE; }
    static size_t limit() {
        static const size_t machine = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGE_SIZE));
        rlimit space;               // what is offered still takes part of it
        return (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < machine ? size_t(space.rlim_cur) : machine) / 8;
    }

    static void* fill(char* base, size_t mapped, size_t size) {
        if (!base) return nullptr;
        char* p = base + (mapped ? shift() : 0) + ROOM;
        *head(p) = {base, mapped, size};
        return p;
    }

    // Not aligned_alloc, whose blocks break up the heap: six threads left three times as much freed memory with glibc.
    static void* small(size_t size) { return fill(static_cast<char*>(std::malloc(size + ROOM)), 0, size); }

    static void* large(size_t size) {
        const size_t mapped = round(size);
        Block found = {nullptr, 0};
        if (mutex.try_lock()) {
            int best = -1;
            for (int i = 0; i < count; ++i) {
                const bool fits = kept[i].mapped >= mapped && kept[i].mapped - mapped <= mapped / 8;  // the rest is lost
                if (fits && (best < 0 || kept[i].mapped < kept[best].mapped)) best = i;
            }
            if (best >= 0) found = drop(best);
            mutex.unlock();
        }
        return found.p ? fill(found.p, found.mapped, size) : fresh(size);
    }

    static void* fresh(size_t size) {
        if (size > SIZE_MAX / 2) return nullptr;
        char* base = map(round(size));
        if (!base) {
            give_back();
            base = map(round(size));
        }
        return fill(base, round(size), size);
    }

    static void unmap(Block block) { munmap(block.p, block.mapped); }

    static Block drop(int i) {
        const Block block = kept[i];
        total -= block.mapped;
        std::memmove(kept + i, kept + i + 1, size_t(--count - i) * sizeof(Block));
        return block;
    }

    static void keep(Block block) {
        const size_t most = limit();
        if (block.mapped > most || !offer(block) || !mutex.try_lock()) {
            unmap(block);
            return;
        }
        while (count && (count == KEPT || total + block.mapped > most)) unmap(drop(0));
        kept[count++] = block;
        total += block.mapped;
        mutex.unlock();
    }

    static bool offer(Block block) {
#ifdef MADV_FREE
        return madvise(block.p, block.mapped, MADV_FREE) == 0;
#else
        return false;
#endif
    }

    // Aligned to huge pages: the surplus at both ends goes back at once.
    static char* map(size_t mapped) {
        void* got = mmap(nullptr, mapped + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED) return nullptr;
        char *begin = static_cast<char*>(got), *base = begin + (PAGE - reinterpret_cast<size_t>(begin) % PAGE) % PAGE;
        if (base != begin) munmap(begin, size_t(base - begin));
        if (base != begin + PAGE) munmap(base + mapped, size_t(begin + PAGE - base));
#ifdef MADV_HUGEPAGE
        madvise(base, mapped, MADV_HUGEPAGE);
#endif
        return base;
    }
};

}  // namespace gpusci
