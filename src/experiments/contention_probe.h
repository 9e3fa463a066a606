#pragma once

#include <cstdint>
#include <memory>

namespace warpath::experiments {

/// Who takes a batch of items, and from where.
enum class GrabLevel { Lane, Warp, Block };
enum class GrabSource {
    OneCounter,   ///< all from one
    PerSm,        ///< a share for each SM (on the CPU: for each thread); who finds its own used up takes from the others'
    Donation,     ///< a share for each block, which gives half of what it has left to a block that has run out and asks
};
struct GrabPolicy {
    GrabLevel level = GrabLevel::Warp;
    GrabSource source = GrabSource::OneCounter;
};

/// What handing out all items came to.
struct GrabResult {
    double time_us = 0;
    uint64_t num_grabs = 0;          ///< that brought items
    double ticks_per_grab = 0;       ///< from asking to having, of all grabs: SM cycles on CUDA, nanoseconds on the CPU
    uint64_t num_items = 0, sum = 0; ///< of the items handed out, and of their numbers: each exactly once gives n and n (n - 1) / 2
    bool in_time = true;             ///< false: some group gave up waiting
    bool correct(uint64_t n) const { return in_time && num_items == n && sum == n * (n - 1) / 2; }
};

/// Hands out items that cost nothing, so that what remains is the counter.
/// Threads: one.
class ContentionProbe {
  public:
    virtual ~ContentionProbe() = default;
    /// `workers`: blocks of 64 threads per SM, at most as many as are resident; on the CPU: threads. num_items: below 2^32. Donation is always between blocks.
    virtual GrabResult hand_out(const GrabPolicy& policy, uint32_t batch, uint32_t workers, uint64_t num_items) = 0;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; Device.
std::unique_ptr<ContentionProbe> make_contention_probe(int device);
/// Threads and std::atomic. Level and Donation do not matter: every thread is a group of its own.
std::unique_ptr<ContentionProbe> make_cpu_contention_probe();

}  // namespace warpath::experiments
