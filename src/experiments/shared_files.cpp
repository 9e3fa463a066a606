#include "experiments/shared_files.h"

namespace warpath::experiments {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> find_above(fs::path folder, const fs::path& relative) {
    std::error_code ignored;
    for (int i = 0; i < 5; ++i, folder = folder.parent_path()) {
        for (const fs::path& candidate : {folder / relative, folder / "share" / "warpath" / relative})
            if (fs::exists(candidate, ignored)) return candidate;
        if (folder == folder.parent_path()) break;
    }
    return std::nullopt;
}

}  // namespace

std::optional<fs::path> find_shared(const fs::path& relative) {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    if (const auto found = find_above(program.parent_path(), relative)) return found;
    return find_above(fs::current_path(ignored), relative);
}

}  // namespace warpath::experiments
