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

}  // namespace warpath
