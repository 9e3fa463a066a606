#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace warpath::experiments {

/// How the host waits for a kernel.
enum class HostWait { Stream, Event, BlockingEvent, Device, Query };
inline constexpr const char* host_wait_names[] = {"stream", "event", "blocking event", "device", "query loop"};

/// How a host has short kernels run one after the other.
enum class LaunchStyle { WaitForEach, GraphForEach, Ahead, Graph, Fused };
inline constexpr const char* launch_style_names[] = {"launch and wait", "graph and wait", "launches ahead", "one graph", "fused into one"};

/// Times launches of kernels that do nothing, or hold one warp for a while. Host clock, microseconds; each call measures once.
/// Threads: one.
class LaunchProbe {
  public:
    static constexpr uint32_t parameter_sizes[] = {0, 64, 256, 1024, 4096};  ///< bytes

    virtual ~LaunchProbe() = default;
    /// The launching call alone, the device idle: mean of `num_calls` into an empty queue.
    virtual double call_us(uint32_t parameter_bytes, uint32_t num_calls) = 0;
    /// Launch of a grid and wait for it.
    virtual double round_trip_us(uint32_t num_blocks, uint32_t block_threads, HostWait wait) = 0;
    /// Making and destroying a stream.
    virtual double stream_us() = 0;
    /// From the first launch to the end of the last: num_launches kernels spread over num_streams streams, each holding one warp for kernel_us.
    virtual double streams_us(uint32_t num_streams, uint32_t num_launches, double kernel_us) = 0;
    /// A graph of so many empty kernels in a row: launch and wait. With `one_by_one`, the same kernels by launches.
    virtual double chain_us(uint32_t num_kernels, bool one_by_one) = 0;
    /// Mean time of an iteration: num_iterations kernels of kernel_us, run in one of the styles.
    virtual double iteration_us(LaunchStyle style, double kernel_us, uint32_t num_iterations) = 0;
    /// Launch and wait of kernels that nobody has launched yet, and of the same once more. Only the first call in a process finds such kernels.
    virtual std::vector<double> first_launches_us(std::vector<double>& second_us) = 0;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; Device.
std::unique_ptr<LaunchProbe> make_launch_probe(int device);

}  // namespace warpath::experiments
