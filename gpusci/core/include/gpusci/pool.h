// Host thread pool of the launch module: splits [0, n) into chunks that threads take in turn.
// Not a kernel header. Survives fork: the child starts with a new pool.
#pragma once
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace gpusci {

typedef void (*host_entry)(int64_t begin, int64_t end, const void* args);

class Pool {
  public:
    static Pool& get() {
        static std::once_flag once;
        std::call_once(once, [] {
            instance() = new Pool();
            pthread_atfork(nullptr, nullptr, [] { instance() = new Pool(); });  // the parent's threads are not here
        });
        return *instance();
    }

    int threads() const { return threads_; }

    void run(int64_t n, int64_t grain, host_entry entry, const void* args) {
        if (grain < 1) grain = 1;
        int64_t chunks = (n + grain - 1) / grain;
        // A few chunks a thread even out unequal work; a busy pool (another Python thread launches) means run here.
        if (chunks > threads_ * 8) chunks = threads_ * 8;
        if (chunks <= 1 || threads_ == 1 || !busy_.try_lock()) {
            entry(0, n, args);
            return;
        }
        std::lock_guard<std::mutex> guard(busy_, std::adopt_lock);
        start();
        n_ = n, chunks_ = chunks, entry_ = entry, args_ = args;
        next_.store(0);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ++generation_;
            active_ = threads_ - 1;
        }
        wake_.notify_all();
        work();
        std::unique_lock<std::mutex> lock(mutex_);
        done_.wait(lock, [this] { return active_ == 0; });
    }

  private:
    static Pool*& instance() {
        static Pool* pool = nullptr;
        return pool;
    }

    Pool() {
        const char* asked = std::getenv("GPUSCI_NUM_THREADS");
        threads_ = asked ? std::atoi(asked) : 0;
        if (threads_ < 1) {
            cpu_set_t set;
            threads_ = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                                   : int(std::thread::hardware_concurrency());
        }
        if (threads_ < 1) threads_ = 1;
    }

    void start() {
        if (started_) return;
        started_ = true;
        for (int t = 1; t < threads_; ++t) std::thread([this] { loop(); }).detach();
    }

    void loop() {
        uint64_t seen = 0;
        for (;;) {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wake_.wait(lock, [&] { return generation_ != seen; });
                seen = generation_;
            }
            work();
            std::lock_guard<std::mutex> lock(mutex_);
            if (--active_ == 0) done_.notify_one();
        }
    }

    void work() {
        for (int64_t c; (c = next_.fetch_add(1)) < chunks_;)
            entry_(bound(c), bound(c + 1), args_);
    }
    int64_t bound(int64_t c) const { return c * (n_ / chunks_) + (c < n_ % chunks_ ? c : n_ % chunks_); }

    int threads_ = 1, active_ = 0;
    bool started_ = false;
    uint64_t generation_ = 0;
    std::atomic<int64_t> next_{0};
    int64_t n_ = 0, chunks_ = 0;
    host_entry entry_ = nullptr;
    const void* args_ = nullptr;
    std::mutex busy_, mutex_;
    std::condition_variable wake_, done_;
};

// Per-thread state of the CUDA side.
inline thread_local void* current_stream = nullptr;

// Driver entry points, filled in once by cuda.py through cuGetProcAddress; nothing is linked.
struct LaunchAttribute {            // CUlaunchAttribute: a union of 64 bytes follows the number
    int number, unused, value[16];
};
struct LaunchConfig {               // CUlaunchConfig
    unsigned grid[3], block[3], shared;
    void* stream;
    const LaunchAttribute* attributes;
    unsigned count;
};
struct Driver {
    int (*launch)(const LaunchConfig*, void*, void**, void**);
    int (*alloc)(uint64_t*, size_t, void*, void*);
    int (*free_)(uint64_t, void*);
    int (*ctx_get)(void**);
    int (*ctx_set)(void*);
    int (*copy)(uint64_t, uint64_t, size_t, void*);
    int (*sync)(void*);
    int (*host_alloc)(void**, size_t, unsigned);
    int (*host_free)(void*);
    int (*event_create)(void**, unsigned);
    int (*event_record)(void*, void*);
    int (*event_wait)(void*);
    int (*pointer_attributes)(unsigned, int*, void**, uint64_t);
};
inline Driver driver{};

// Make a GPU's context current in this thread; `before` is the one that was.
inline int make_current(void* context, void** before) {
    driver.ctx_get(before);
    return *before == context ? 0 : driver.ctx_set(context);
}

// early: the kernel may be brought onto the GPU while the one before it ends, and waits for it itself (entry.h).
inline int start(void* function, const unsigned (&grid)[3], const unsigned (&block)[3], unsigned shared, void** params, bool early) {
    const LaunchAttribute attribute{6, 0, {1}};       // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
    const LaunchConfig config{{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared, current_stream, &attribute, early};
    return driver.launch(&config, function, params, nullptr);
}

}  // namespace gpusci
