#pragma once

#include <cstdint>

#include "core/platform.h"

namespace warpath {

/// Bins of time since a frame began, for frames whose length nobody knows: 32 ns wide at first, and never wider than a 1024th of the
/// time that has passed. The last one holds all that comes after 36 minutes.
inline constexpr uint32_t time_unit_ns = 32, time_bin_bits = 10, max_time_bits = 36;
inline constexpr uint32_t num_time_bins = (max_time_bits - time_bin_bits + 1) << time_bin_bits;

/// Position of the highest bit set; v > 0.
WARPATH_HD inline uint32_t highest_bit(uint64_t v) {
#if defined(__CUDA_ARCH__)
    return 63u - static_cast<uint32_t>(__clzll(static_cast<long long>(v)));
#else
    return 63u - static_cast<uint32_t>(__builtin_clzll(v));
#endif
}

WARPATH_HD inline uint32_t time_bin(uint64_t ns) {
    uint64_t units = ns / time_unit_ns;
    if (units >> max_time_bits) units = (uint64_t{1} << max_time_bits) - 1;
    const uint32_t top = highest_bit(units | 1);
    const uint32_t shift = top > time_bin_bits ? top - time_bin_bits : 0;
    return (shift << time_bin_bits) + static_cast<uint32_t>(units >> shift);
}

/// When a bin begins; bin num_time_bins is the end of the last one.
WARPATH_HD inline uint64_t time_bin_start_ns(uint32_t bin) {
    const uint32_t octave = bin >> time_bin_bits, shift = octave > 1 ? octave - 1 : 0;
    return (static_cast<uint64_t>(bin - (shift << time_bin_bits)) << shift) * time_unit_ns;
}

}  // namespace warpath
