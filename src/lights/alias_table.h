#pragma once

#include <cstdint>
#include <vector>

#include "core/random.h"
#include "scene/scene_data.h"

namespace warpath {

/// Draws an index from a table in constant time. `keep` lies in [0, 1); with fewer than 32 bits in `index_bits`, large
/// tables would have entries that are never drawn.
WARPATH_HD inline uint32_t sample_alias(const ArrayView<AliasEntry>& table, uint32_t index_bits, float keep) {
    const uint32_t i = scale_to_range(index_bits, table.size);
    const AliasEntry entry = table[i];
    return keep < entry.threshold ? i : entry.alias;
}

/// Table over `weights`, which are finite, not negative and not all 0. An entry of weight 0 is never drawn.
/// Shapes:  `weights[n]` with n < 2^32 in, n entries out.
/// Source:  Vose, "A Linear Algorithm for Generating Random Numbers with a Given Distribution", IEEE TSE 17(9), 1991.
std::vector<AliasEntry> build_alias_table(const std::vector<double>& weights);

}  // namespace warpath
