#pragma once

#include <cstddef>
#include <memory>

namespace warpath::experiments {

/// What a device can do at most, each measured by a kernel that does nothing else.
enum class Ceiling {
    Fma,         ///< fused multiply-adds, single precision
    L2Bytes,     ///< read in order from 16 MiB again and again
    DramBytes,   ///< read in order from 2 GiB
    L2Fetches,   ///< of 64 aligned bytes by a lane of its own, at random places of 16 MiB
    DramFetches, ///< the same in 2 GiB
};
inline constexpr const char* ceiling_names[] = {"fma", "L2 bytes", "DRAM bytes", "L2 fetches", "DRAM fetches"};
inline constexpr const char* ceiling_units[] = {"Gfma/s", "GB/s", "GB/s", "Gfetches/s", "Gfetches/s"};

/// Threads: one.
class RooflineProbe {
  public:
    virtual ~RooflineProbe() = default;
    /// In the unit of ceiling_units, by events around one kernel of some milliseconds.
    virtual double measure(Ceiling ceiling) = 0;
    /// Fetches as of L2Fetches and DramFetches at random places of so many bytes (64 to 2 GiB), in Gfetches/s; `first_level`: what an SM holds already comes
    /// from its own cache, as traversal has it.
    virtual double measure_fetches(size_t bytes, bool first_level) = 0;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; OutOfMemory; Device.
std::unique_ptr<RooflineProbe> make_roofline_probe(int device);

}  // namespace warpath::experiments
