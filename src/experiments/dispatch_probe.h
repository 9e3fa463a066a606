#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace warpath::experiments {

/// Times how work gets to warps: by launches, from the host to a kernel that is there already, and from one warp to another. Every kernel leaves by itself
/// a second after it last heard of anybody.
/// Threads: one.
class DispatchProbe {
  public:
    static constexpr uint32_t shortest_pause_ns = 20;  ///< what a growing pause begins with
    /// Warps that wait for work, each a block of its own, and how they do.
    struct Pollers {
        uint32_t num = 1, pause_ns = 0;  ///< 0: they look again at once
        bool own_lines = false;          ///< in the host's memory: each looks at a line of its own, and the host writes all of them, rather than at the same word
        bool backs_off = false;          ///< pauses begin at shortest_pause_ns after every request and grow by half each time, up to pause_ns
        uint32_t rest_us = 0;            ///< that whoever asks lets pass between an answer and the next request
    };

    virtual ~DispatchProbe() = default;
    /// Launch of an empty kernel, or of a graph that holds one, and wait for it. Microseconds, one for each time; fewer after limit_s seconds.
    virtual std::vector<double> launches_us(bool graph, uint32_t num_times, double limit_s) = 0;
    /// From the host's writing a word to its reading the answer of whichever warp saw it first. Microseconds, as above; fewer also where nobody answered.
    virtual std::vector<double> host_queue_us(const Pollers& pollers, uint32_t num_times, double limit_s) = 0;
    /// The same from a warp to another through device memory: half of the way there and back, nanoseconds.
    virtual std::vector<double> device_queue_ns(const Pollers& pollers, uint32_t num_times, double limit_s) = 0;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; Device.
std::unique_ptr<DispatchProbe> make_dispatch_probe(int device);

}  // namespace warpath::experiments
