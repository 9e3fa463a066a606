#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpath::experiments {

/// What holds the device while a second workload asks for it: a kernel that stays, one block on each multiprocessor with all of its shared memory.
enum class Occupant {
    None,
    Full,          ///< on every multiprocessor, until the end
    FewerBlocks,   ///< on all but a few
    GreenContext,  ///< on all but a few, kept apart by the driver
    Parked,        ///< on every one, but it leaves whenever the second workload asks, and comes back afterwards
};
inline constexpr const char* occupant_names[] = {"nobody", "resident", "resident, fewer blocks", "resident, green context", "resident, parked"};

/// What asks for the device every millisecond.
enum class SecondWorkload {
    SmallKernel,  ///< some thousand threads
    ToneMapping,  ///< a kernel over the pixels of a film of 1920x1080
    Copies,       ///< 8 MiB to the device and back, from pinned memory: no multiprocessor is asked for
};
inline constexpr const char* second_workload_names[] = {"small kernel", "tone mapping", "copies"};

/// How what is asked for every millisecond fared.
struct Requests {
    std::vector<double> latency_us;  ///< from the first call to the end of the work, one each
    uint32_t num_unserved = 0;       ///< still waited for after unserved_us; the first one ends the measurement
    double occupant_rate = 0;        ///< work of the occupant, chunks per millisecond; 0 without one
    static constexpr double unserved_us = 1e5;
};

/// Threads: one.
class StarvationProbe {
  public:
    static constexpr uint32_t num_reserved_sms = 8;  ///< that FewerBlocks and GreenContext leave

    virtual ~StarvationProbe() = default;
    /// The second workload for so many seconds beside an occupant of the probe's own.
    virtual Requests beside_occupant(Occupant occupant, SecondWorkload workload, double seconds) = 0;
    /// The same beside whatever the caller has running. What is unserved is waited for by settle(), once the caller has made room.
    virtual Requests beside_others(SecondWorkload workload, double seconds, bool high_priority) = 0;
    virtual void settle() = 0;
    /// Empty where the driver has green contexts.
    virtual std::string why_no_green_contexts() const = 0;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; Device.
std::unique_ptr<StarvationProbe> make_starvation_probe(int device);

}  // namespace warpath::experiments
