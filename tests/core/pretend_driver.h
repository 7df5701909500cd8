// A CUDA driver for tests, on the host: the entry points that _launch.pyx and staging.h call. Memory of this "GPU" can be
// touched inside launches and copies only, a page without access follows each allocation, and new memory holds 0xff (NaN, -1),
// so host code that reads a GPU array, kernels that leave their arrays and scratch that is read before it is written show.
// Copies from and to page-locked memory are made as late as a GPU may make them: when somebody waits, or needs the stream.
#include <gpusci/pool.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>

namespace {
constexpr size_t page = 4096;
struct Range { char* base; size_t pages; };
struct Copy { uint64_t to, from; size_t size; };
std::map<uint64_t, Range> live;
std::map<uint64_t, size_t> locked;                    // page-locked memory: where it begins, bytes
std::deque<Copy> late;                                // copies that are still to be made, of all streams
int64_t made = 0;                                     // copies that have been; an event is the number that it waits for
std::set<int64_t*> events;
std::recursive_mutex mutex;                           // every entry point holds it
thread_local void* current = nullptr;
int64_t failing = -1;                                 // allocations of page-locked memory until one fails
using Lock = std::lock_guard<std::recursive_mutex>;
constexpr int INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONTEXT = 201;
void* const context = reinterpret_cast<void*>(1);     // what pretend_gpu.py registers

void protect(int access) {
    for (auto& [ptr, range] : live) mprotect(range.base, range.pages * page, access);
}
struct Open {
    Open() { protect(PROT_READ | PROT_WRITE); }
    ~Open() { protect(PROT_NONE); }
};
bool is_locked(uint64_t address) {
    const auto after = locked.upper_bound(address);
    return after != locked.begin() && address < std::prev(after)->first + std::prev(after)->second;
}
void move(const Copy& copy) { std::memcpy(reinterpret_cast<void*>(copy.to), reinterpret_cast<void*>(copy.from), copy.size); }
void catch_up(int64_t number) {
    if (made >= number) return;
    const Open open;
    for (; made < number; ++made) {
        move(late.front());
        late.pop_front();
    }
}
void catch_up() { catch_up(made + int64_t(late.size())); }
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
    const Lock lock(mutex);
    const size_t pages = (size + page - 1) / page;
    char* base = static_cast<char*>(mmap(nullptr, (pages + 1) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (base == MAP_FAILED) return OUT_OF_MEMORY;
    mprotect(base, pages * page, PROT_READ | PROT_WRITE);
    std::memset(base, 0xff, pages * page);
    mprotect(base, pages * page, PROT_NONE);
    *out = reinterpret_cast<uint64_t>(base) + pages * page - (size + 15) / 16 * 16;
    live[*out] = {base, pages};
    return 0;
}
int pretend_free(uint64_t ptr, void*) {
    const Lock lock(mutex);
    catch_up();
    const auto found = live.find(ptr);
    if (found == live.end()) return INVALID_VALUE;
    munmap(found->second.base, (found->second.pages + 1) * page);
    live.erase(found);
    return 0;
}
int pretend_launch(const gpusci::LaunchConfig* config, void* f, void** params, void**) {
    const unsigned threads = config->block[0], shared = config->shared;
    const Code& code = *static_cast<Code*>(f);
    const int64_t n = *static_cast<int64_t*>(params[1]);
    const Lock lock(mutex);
    catch_up();
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
int pretend_ctx_get(void** out) {
    *out = current;
    return 0;
}
int pretend_ctx_set(void* chosen) {
    current = chosen;
    return 0;
}
int pretend_copy(uint64_t to, uint64_t from, size_t size, void*) {
    const Lock lock(mutex);
    if (current != context) return INVALID_CONTEXT;
    if (is_locked(to) || is_locked(from)) {
        late.push_back({to, from, size});
        return 0;
    }
    catch_up();
    const Open open;
    move({to, from, size});
    return 0;
}
int pretend_sync(void*) {
    const Lock lock(mutex);
    catch_up();
    return 0;
}
int pretend_host_alloc(void** out, size_t size, unsigned) {
    const Lock lock(mutex);
    if (current != context) return INVALID_CONTEXT;
    if (failing >= 0 && failing-- == 0) return OUT_OF_MEMORY;
    *out = std::aligned_alloc(page, (size + page - 1) / page * page);
    std::memset(*out, 0xff, size);
    locked[reinterpret_cast<uint64_t>(*out)] = size;
    return 0;
}
int pretend_host_free(void* p) {
    const Lock lock(mutex);
    if (!locked.erase(reinterpret_cast<uint64_t>(p))) return INVALID_VALUE;
    catch_up();
    std::free(p);
    return 0;
}
int pretend_event_create(void** out, unsigned) {
    const Lock lock(mutex);
    int64_t* event = new int64_t(0);
    events.insert(event);
    *out = event;
    return 0;
}
int pretend_event_record(void* event, void*) {
    const Lock lock(mutex);
    if (current != context || !events.count(static_cast<int64_t*>(event))) return INVALID_VALUE;
    *static_cast<int64_t*>(event) = made + int64_t(late.size());
    return 0;
}
int pretend_event_wait(void* event) {
    const Lock lock(mutex);
    if (!events.count(static_cast<int64_t*>(event))) return INVALID_VALUE;
    catch_up(*static_cast<int64_t*>(event));
    return 0;
}
int pretend_pointer_attributes(unsigned, int*, void** out, uint64_t address) {
    const Lock lock(mutex);
    *static_cast<unsigned*>(*out) = is_locked(address);
    return 0;
}

// For tests: bytes of page-locked memory, copies that are under way, and the next allocation but n to fail.
uint64_t pretend_locked() {
    const Lock lock(mutex);
    uint64_t total = 0;
    for (const auto& [begin, size] : locked) total += size;
    return total;
}
uint64_t pretend_late() {
    const Lock lock(mutex);
    return late.size();
}
void pretend_fail_host_alloc(int64_t n) {
    const Lock lock(mutex);
    failing = n;
}
}
