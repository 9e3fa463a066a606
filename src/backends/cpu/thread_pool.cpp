#include "backends/cpu/thread_pool.h"

#include <utility>

namespace warpath {

ThreadPool::ThreadPool(uint32_t num_threads) {
    threads_.reserve(num_threads);
    for (uint32_t i = 0; i < num_threads; ++i) threads_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    started_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::start(uint32_t num_tasks, std::function<void(uint32_t)> task) {
    {
        const std::lock_guard lock(mutex_);
        task_ = std::move(task);
        num_tasks_ = num_running_ = num_tasks;
        ++generation_;
    }
    started_.notify_all();
}

bool ThreadPool::wait(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    if (!finished_.wait_for(lock, timeout, [this] { return num_running_ == 0; })) return false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return true;
}

void ThreadPool::work(uint32_t index) {
    uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        started_.wait(lock, [&] { return closing_ || generation_ != seen; });
        if (closing_) return;
        seen = generation_;
        if (index >= num_tasks_) continue;
        lock.unlock();
        std::exception_ptr failure;
        try {
            task_(index);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (failure && !failure_) failure_ = failure;
        if (--num_running_ == 0) finished_.notify_all();
    }
}

}  // namespace warpath
