// A CUDA driver for tests, on the host: the seven entry points that _launch.pyx calls. Memory of this "GPU" can be touched
// inside launches and copies only, a page without access follows each allocation, and new memory holds 0xff (NaN, -1), so
// host code that reads a GPU array, kernels that leave their arrays and scratch that is read before it is written show.
#include <gpusci/pool.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace {
constexpr size_t page = 4096;
struct Range { char* base; size_t pages; };
std::map<uint64_t, Range> live;

void protect(int access) {
    for (auto& [ptr, range] : live) mprotect(range.base, range.pages * page, access);
}
struct Open {
    Open() { protect(PROT_READ | PROT_WRITE); }
    ~Open() { protect(PROT_NONE); }
};
}  // namespace

// What a function handle points to.
struct Code {
    void (*items)(int64_t begin, int64_t end, const void* args);
    void (*blocks)(int64_t blocks, int threads, const void* args);
    void (*set_shared)(uint64_t bytes);
    int64_t threads, most_shared;                     // threads of the struct; dynamic shared memory that a launch may ask for
};

extern "C" {
int pretend_alloc(uint64_t* out, size_t size, void*, void*) {
    const size_t pages = (size + page - 1) / page;
    char* base = static_cast<char*>(mmap(nullptr, (pages + 1) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (base == MAP_FAILED) return 2;
    mprotect(base, pages * page, PROT_READ | PROT_WRITE);
    std::memset(base, 0xff, pages * page);
    mprotect(base, pages * page, PROT_NONE);
    *out = reinterpret_cast<uint64_t>(base) + pages * page - (size + 15) / 16 * 16;
    live[*out] = {base, pages};
    return 0;
}
int pretend_free(uint64_t ptr, void*) {
    const auto found = live.find(ptr);
    if (found == live.end()) return 1;
    munmap(found->second.base, (found->second.pages + 1) * page);
    live.erase(found);
    return 0;
}
int pretend_launch(const gpusci::LaunchConfig* config, void* f, void** params, void**) {
    const unsigned threads = config->block[0], shared = config->shared;
    const Code& code = *static_cast<Code*>(f);
    const int64_t n = *static_cast<int64_t*>(params[1]);
    const Open open;
    if (!code.blocks) {
        code.items(0, n, params[0]);
        return 0;
    }
    if (threads != code.threads || shared > code.most_shared) {
        std::fprintf(stderr, "pretend GPU: %u threads for a kernel of %d, %u bytes of shared memory of %d allowed\n", threads,
                     int(code.threads), shared, int(code.most_shared));
        return 1;
    }
    code.set_shared(shared);
    code.blocks(n, int(threads), params[0]);
    return 0;
}
int pretend_ctx_get(void** context) {
    *context = reinterpret_cast<void*>(1);
    return 0;
}
int pretend_ctx_set(void*) { return 0; }
int pretend_copy(uint64_t to, uint64_t from, size_t size, void*) {
    const Open open;
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), size);
    return 0;
}
int pretend_sync(void*) { return 0; }
}
