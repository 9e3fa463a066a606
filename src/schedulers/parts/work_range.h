#pragma once

#include <cstdint>

#include "core/platform.h"

namespace warpath {

/// Items begin .. end-1.
struct WorkRange {
    uint64_t begin = 0, end = 0;
    WARPATH_HD bool empty() const { return begin >= end; }
    WARPATH_HD uint64_t size() const { return begin < end ? end - begin : 0; }
};

WARPATH_HD inline WorkRange clipped(uint64_t begin, uint64_t count, uint64_t num_items) {
    if (begin >= num_items) return {num_items, num_items};
    const uint64_t left = num_items - begin;
    return {begin, begin + (count < left ? count : left)};
}

}  // namespace warpath
