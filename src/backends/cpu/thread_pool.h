#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warpath {

/// A fixed set of threads that run one numbered task set at a time, all tasks truly side by side: task i runs on thread i.
/// (A task-stealing pool promises no such concurrency, which groups that wait for each other need.)
class ThreadPool {
  public:
    explicit ThreadPool(uint32_t num_threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    uint32_t size() const { return static_cast<uint32_t>(threads_.size()); }

    /// Starts task(i) for i < num_tasks, num_tasks <= size(). One set at a time: wait() first.
    void start(uint32_t num_tasks, std::function<void(uint32_t)> task);
    /// True when all tasks have returned; else false after `timeout`. Rethrows the first exception of a task.
    bool wait(std::chrono::milliseconds timeout);

  private:
    void work(uint32_t index);

    std::mutex mutex_;
    std::condition_variable started_, finished_;
    std::function<void(uint32_t)> task_;
    std::exception_ptr failure_;
    uint64_t generation_ = 0;
    uint32_t num_tasks_ = 0, num_running_ = 0;
    bool closing_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace warpath
