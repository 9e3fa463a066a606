#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "backends/cpu/thread_pool.h"
#include "experiments/contention_probe.h"

namespace warpath::experiments {
namespace {

uint64_t now_ns() { return static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count()); }

/// A counter on a cache line of its own.
struct alignas(64) ShareCounter {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;
};

class CpuContentionProbe final : public ContentionProbe {
  public:
    GrabResult hand_out(const GrabPolicy& policy, uint32_t batch, uint32_t workers, uint64_t num_items) override {
        if (!pool_ || pool_->size() != workers) pool_ = std::make_unique<ThreadPool>(workers);
        const uint32_t num_shares = policy.source == GrabSource::OneCounter ? 1 : workers;
        std::vector<ShareCounter> counters(num_shares);
        for (uint32_t i = 0; i < num_shares; ++i) counters[i].next = num_items * i / num_shares, counters[i].end = num_items * (i + 1) / num_shares;
        std::vector<GrabResult> own(workers);
        const uint64_t begin = now_ns();
        pool_->start(workers, [&](uint32_t worker) { own[worker] = take_all(counters, worker % num_shares, batch); });
        while (!pool_->wait(std::chrono::milliseconds(100))) {}
        GrabResult sum;
        sum.time_us = static_cast<double>(now_ns() - begin) * 1e-3;
        double ticks = 0;
        for (const GrabResult& one : own) sum.num_grabs += one.num_grabs, sum.num_items += one.num_items, sum.sum += one.sum, ticks += one.time_us * 1e3;
        sum.ticks_per_grab = sum.num_grabs > 0 ? ticks / static_cast<double>(sum.num_grabs) : 0;
        return sum;
    }

  private:
    /// From the worker's own counter, then from the others'. There is nothing to do but to grab, so the time of a worker is that of its grabs.
    static GrabResult take_all(std::vector<ShareCounter>& counters, size_t first, uint32_t batch) {
        GrabResult own;
        const uint64_t start = now_ns();
        for (size_t i = 0; i < counters.size(); ++i) {
            ShareCounter& counter = counters[(first + i) % counters.size()];
            while (true) {
                const uint64_t begin = counter.next.fetch_add(batch, std::memory_order_relaxed);
                if (begin >= counter.end) break;
                const uint64_t end = begin + batch < counter.end ? begin + batch : counter.end, n = end - begin;
                own.num_grabs += 1, own.num_items += n, own.sum += (begin + end - 1) * n / 2;
            }
        }
        own.time_us = static_cast<double>(now_ns() - start) * 1e-3;
        return own;
    }

    std::unique_ptr<ThreadPool> pool_;
};

}  // namespace

std::unique_ptr<ContentionProbe> make_cpu_contention_probe() { return std::make_unique<CpuContentionProbe>(); }

}  // namespace warpath::experiments
