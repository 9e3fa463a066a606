#pragma once

#include <cstddef>
#include <cstring>

#include "core/platform.h"

namespace warpath {

/// Copies bytes, a multiple of four; the lanes of a group call together, and each copies every so many words. No lane waits for the others.
template <class Ctx>
WARPATH_HD void copy_words(Ctx& ctx, void* to, const void* from, size_t size_bytes) {
    for (size_t i = 4 * ctx.lane(); i < size_bytes; i += 4 * ctx.group_size()) memcpy(static_cast<char*>(to) + i, static_cast<const char*>(from) + i, 4);
}

}  // namespace warpath
