#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bvh/build.h"

namespace warpath {

/// A folder of finished trees, each in a file named by the hash of what it was made from.
/// Files appear whole or not at all, so any number of processes may share the folder. Nothing is ever removed from it
/// but files that were refused, whose place the new tree takes.
struct BvhCache {
    std::filesystem::path folder;  ///< empty: nothing is kept. Made where it is missing
    std::string state = "off";     ///< what `obtain` did: "off", "read", "kept" (built and written) or "not kept"
    std::vector<std::string>
        warnings;  ///< at most one a call: a file that was refused, a folder that cannot be written

    /// The tree from the folder; or else built, and kept there. What goes wrong with the folder ends nothing and is
    /// warned about. Units:   statistics.build_ms is what this call took, without writing. Errors:  as build_bvh.
    Bvh obtain(const BvhGeometry& geometry, const BvhOptions& options);
};

}  // namespace warpath
