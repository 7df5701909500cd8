// Copies between host memory and a GPU; large ones go through page-locked buffers. Not a kernel header.
// Why: the driver copies pageable memory on one thread, at 7 GB/s up and 2.8 down into fresh pages (H200), where the link does
// 55. Here threads of the pool fill or empty buffers, two each, while the GPU's copy engine works on the others. A thread takes
// a piece from the common counter, queues its copy itself and waits for its own buffers alone.
#pragma once
#include <algorithm>
#include <cstring>

#include "pool.h"

namespace gpusci {

// One for each GPU, whose context is current in calls. They return a CUresult.
class Staging {
  public:
    static constexpr size_t LEAST = size_t(1) << 20;            // waking the threads takes what the driver copies 200 KB in

    // On the current stream. Returns when `from` may be changed again.
    int upload(uint64_t to, uint64_t from, size_t size, void* context) {
        if (is_page_locked(from)) return copy_and_wait(to, from, size);     // the GPU reads it at its time
        if (size < LEAST) return driver.copy(to, from, size, current_stream);
        const int err = through_buffers(Job(to, from, size, context, send));
        return err == NO_BUFFER ? driver.copy(to, from, size, current_stream) : err;
    }

    // Returns when `to` holds what the current stream's work so far has left.
    int download(uint64_t to, uint64_t from, size_t size, void* context) {
        const int err = size < LEAST ? NO_BUFFER : through_buffers(Job(to, from, size, context, receive));
        return err == NO_BUFFER ? copy_and_wait(to, from, size) : err;
    }

    // Gives the buffers back to the driver.
    void release() {
        std::lock_guard<std::mutex> guard(mutex_);
        for (Buffer& buffer : buffers_) {
            if (!buffer.memory) continue;
            driver.event_wait(buffer.used);
            driver.host_free(buffer.memory);
            buffer.memory = nullptr;
        }
    }

  private:
    static constexpr int WORKERS = 8;                           // of 8 to 12 GB/s each
    static constexpr size_t PIECE = size_t(2) << 20;            // 38 us on the link, so that 2 us between copies do not count
    static constexpr size_t SMALLEST = size_t(256) << 10, UNIT = size_t(64) << 10;
    enum { NO_BUFFER = -1 };                                    // not a CUresult

    struct Buffer {
        void* memory = nullptr;
        void* used = nullptr;                                   // the event after the last copy from or to it
    };
    struct Piece {
        size_t begin, size;
    };
    struct Job {
        const uint64_t to, from;
        const size_t size;
        void* const context;
        const host_entry work;
        void* const stream = current_stream;
        bool fits = false;                                      // into the buffers: each piece has its own
        size_t piece = 0;
        Buffer* buffers = nullptr;
        mutable std::atomic<size_t> next{0};
        mutable std::atomic<int> error{0};                      // the first one ends the job

        Job(uint64_t to, uint64_t from, size_t size, void* context, host_entry work)
            : to(to), from(from), size(size), context(context), work(work) {}

        Piece take() const {                                    // empty when none is left
            const size_t begin = error ? size : std::min(next.fetch_add(piece), size);
            return {begin, std::min(piece, size - begin)};
        }
        Buffer& buffer(const Piece& p, int64_t worker, int turn) const {
            return buffers[fits ? p.begin / piece : 2 * worker + turn];
        }
        bool fails(int err) const {
            int none = 0;
            if (err) error.compare_exchange_strong(none, err);
            return err != 0;
        }
        int queue(uint64_t target, uint64_t source, size_t bytes, const Buffer& buffer) const {
            const int err = driver.copy(target, source, bytes, stream);
            return err ? err : driver.event_record(buffer.used, stream);
        }
    };

    static bool is_page_locked(uint64_t address) {
        unsigned type = 0;                                      // what CUDA says of memory that it does not know
        int asked = 2;                                          // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
        void* answer = &type;
        return driver.pointer_attributes(1, &asked, &answer, address) == 0 && type != 0;
    }

    static int copy_and_wait(uint64_t to, uint64_t from, size_t size) {
        const int err = size ? driver.copy(to, from, size, current_stream) : 0;
        return err ? err : driver.sync(current_stream);
    }

    int through_buffers(Job&& job) {
        const int workers = std::min(Pool::get().threads(), WORKERS);
        job.fits = job.size <= 2 * workers * PIECE;
        // Threads of the pool wait for copies, never for long kernels: those are waited for here. An upload that fits waits for
        // the copies of the one before it alone.
        int err = job.fits && job.work == send ? 0 : driver.sync(job.stream);
        if (err) return err;
        std::lock_guard<std::mutex> guard(mutex_);
        for (Buffer& buffer : buffers_)
            if (buffer.used && (err = driver.event_wait(buffer.used))) return err;
        job.piece = std::clamp((job.size / (2 * workers) / UNIT + 1) * UNIT, SMALLEST, PIECE);
        job.buffers = buffers_;
        Pool::get().run(workers, 1, job.work, &job);            // all in this thread where the pool is busy
        return job.error;
    }

    // A buffer that nothing is under way in.
    static int prepare(Buffer& buffer) {
        if (!buffer.used && driver.event_create(&buffer.used, 2)) return NO_BUFFER;             // DISABLE_TIMING
        if (!buffer.memory && driver.host_alloc(&buffer.memory, PIECE, 0)) return NO_BUFFER;
        return driver.event_wait(buffer.used);
    }

    static void send(int64_t begin, int64_t end, const void* args) { for_each_worker(begin, end, args, send_pieces); }
    static void receive(int64_t begin, int64_t end, const void* args) { for_each_worker(begin, end, args, receive_pieces); }

    static void for_each_worker(int64_t begin, int64_t end, const void* args, void (*work)(const Job&, int64_t)) {
        const Job& job = *static_cast<const Job*>(args);
        void* before = nullptr;                                 // threads of the pool stay in the context
        if (job.fails(make_current(job.context, &before))) return;
        for (int64_t worker = begin; worker < end; ++worker) work(job, worker);
    }

    static void send_pieces(const Job& job, int64_t worker) {
        for (int turn = 0;; turn ^= 1) {
            const Piece piece = job.take();
            if (!piece.size) return;
            Buffer& buffer = job.buffer(piece, worker, turn);
            if (job.fails(prepare(buffer))) return;
            std::memcpy(buffer.memory, pointer(job.from + piece.begin), piece.size);
            if (job.fails(job.queue(job.to + piece.begin, address(buffer.memory), piece.size, buffer))) return;
        }
    }

    static void receive_pieces(const Job& job, int64_t worker) {
        Piece before = {0, 0};
        for (int turn = 0;; turn ^= 1) {
            const Piece piece = job.take();
            if (piece.size) {
                Buffer& buffer = job.buffer(piece, worker, turn);
                if (job.fails(prepare(buffer))) return;
                if (job.fails(job.queue(address(buffer.memory), job.from + piece.begin, piece.size, buffer))) return;
            }
            if (before.size) {
                const Buffer& buffer = job.buffer(before, worker, turn ^ 1);
                if (job.fails(driver.event_wait(buffer.used))) return;
                std::memcpy(pointer(job.to + before.begin), buffer.memory, before.size);
            }
            if (!piece.size) return;
            before = piece;
        }
    }

    static void* pointer(uint64_t address) { return reinterpret_cast<void*>(address); }
    static uint64_t address(void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

    std::mutex mutex_;                                          // of the buffers
    Buffer buffers_[2 * WORKERS];
};

}  // namespace gpusci
