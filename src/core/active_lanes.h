#pragma once

#include <cstdint>

#include "core/platform.h"

namespace warpath {

/// 1 in one of the lanes that run this together, 0 in the others: summed over lanes it counts how often a group ran this, however its
/// lanes had parted. 1 on the host, where lanes never run together; 0 where accounts are compiled out.
WARPATH_HD inline uint32_t leads_active_lanes() {
    if constexpr (!keeps_accounts) return 0;
#if defined(__CUDA_ARCH__)
    uint32_t lower_lanes;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower_lanes));
    return (__activemask() & lower_lanes) == 0;
#else
    return 1;
#endif
}

/// Lanes that run this together, to be given to most_of_lanes() once they have run on; 0 where accounts are compiled out.
WARPATH_HD inline uint32_t lanes_together() {
#if defined(__CUDA_ARCH__)
    if constexpr (keeps_accounts) return __activemask();
#endif
    return 0;
}
/// What leads_active_lanes() would have come to if each lane had added it `n` times in a loop that they left together: the largest n in one of the lanes, 0 in
/// the others. All of `lanes` call.
WARPATH_HD inline uint32_t most_of_lanes(uint32_t lanes, uint32_t n) {
    if constexpr (!keeps_accounts) return 0;
#if defined(__CUDA_ARCH__)
    uint32_t lower_lanes;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower_lanes));
    uint32_t most = 0;
#if __CUDA_ARCH__ >= 800
    most = __reduce_max_sync(lanes, n);
#else
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t other = __shfl_sync(lanes, n, __ffs(left) - 1);
        most = other > most ? other : most;
    }
#endif
    return (lanes & lower_lanes) == 0 ? most : 0;
#else
    return n;
#endif
}

}  // namespace warpath
