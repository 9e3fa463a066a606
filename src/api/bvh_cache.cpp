#include "api/bvh_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "bvh/builders/instance_boxes.h"
#include "bvh/tree_file.h"
#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

fs::path file_of(const fs::path& folder, const Hash128& key) {
    std::array<char, 40> name;
    std::snprintf(name.data(), name.size(), "%016llx%016llx.bvh", static_cast<unsigned long long>(key.word[0]),
                  static_cast<unsigned long long>(key.word[1]));
    return folder / name.data();
}

/// Returns "" and the tree, or why there is none; "" without a tree where there is no file.
std::string read(const fs::path& path, const Hash128& key, const BvhGeometry& geometry, Bvh& bvh) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR ? "" : std::string("cannot be opened: ") + std::strerror(errno);
    std::string wrong = read_tree_file(file, key, bvh);
    ::close(file);
    if (!wrong.empty() || bvh.columns.nodes.empty()) return wrong;
    if (!is_tree_of(bvh, geometry)) {
        bvh = {};
        return "is damaged";
    }
    if (!geometry.instances.empty()) enter_instances(geometry, bvh);
    return {};
}

/// Returns "", or why the tree could not be kept.
std::string keep(const fs::path& path, const Hash128& key, const Bvh& bvh) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return "cannot make the folder " + path.parent_path().string() + ": " + error.message();
    try {
        TreeFileHeader header;
        write_file(path, tree_file_parts(bvh, key, header));
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

}  // namespace

Bvh BvhCache::obtain(const BvhGeometry& geometry, const BvhOptions& options) {
    state = "off";
    if (folder.empty() || geometry.triangles.empty()) return build_bvh(geometry, options);
    const auto start = Clock::now();
    const Hash128 key = tree_key(geometry, options);
    const fs::path path = file_of(folder, key);
    Bvh bvh;
    std::string warning;
    if (const std::string wrong = read(path, key, geometry, bvh); !wrong.empty())
        warning = "the kept BVH " + path.string() + " " + wrong + "; it is built anew";
    state = "read";
    if (bvh.columns.nodes.empty()) {
        bvh = build_bvh(geometry, options);
        const double built_ms = ms_since(start);
        const std::string failure = keep(path, key, bvh);
        state = failure.empty() ? "kept" : "not kept";
        if (!failure.empty()) warning += (warning.empty() ? "the BVH is not kept: " : ", but not kept: ") + failure;
        bvh.statistics.build_ms = built_ms;
    } else {
        bvh.statistics.build_ms = ms_since(start);
        bvh.statistics.peak_build_bytes = bvh.statistics.size_bytes;
    }
    if (!warning.empty()) warnings.push_back(warning);
    return bvh;
}

}  // namespace warpath
