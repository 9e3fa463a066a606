#pragma once

#include <cstdint>
#include <memory>

namespace warpath::experiments {

/// How a kernel waits that has nothing to do: a block of 512 threads on each multiprocessor, as `resident` has it.
struct Waiting {
    bool every_warp = false;  ///< all of a block's look; else one does, and the others wait for it at a barrier
    uint32_t longest_pause_ns =
        0;  ///< between two looks it sleeps 20 ns, then half as long again each time, up to this; 0: it never sleeps
};

/// A kernel that waits in ways that the renderer's does not offer, for measuring what they draw. It leaves by itself
/// after 20 seconds. Threads: one.
class WaitingProbe {
  public:
    virtual ~WaitingProbe() = default;  ///< sends the kernel away
    /// Returns once every block waits. One kernel at a time.
    /// Errors:  Device, also when the blocks did not all come to wait within a second.
    virtual void begin(const Waiting& waiting) = 0;
    /// Gives the number of looks that the kernel took, all blocks together.
    virtual uint64_t end() = 0;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; Device.
std::unique_ptr<WaitingProbe> make_waiting_probe(int device);

}  // namespace warpath::experiments
