// The structure of the source tree: which module may include which, how long a file may be, what a header starts with.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace warpath {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// What each module may include besides itself and the C++ library: whole modules by their folder, single headers by
/// their path. Arrows point down only; `api` alone sees everything; programs see include/warpath only.
const std::map<std::string, Names>& allowed_includes() {
    static const Names public_api{"warpath"};
    static const Names stages{"core", "scene", "bvh", "materials", "lights", "render", "schedulers"};
    static const std::map<std::string, Names> table = [] {
        // Plain words that every module may use: what is counted, and how failure is reported.
        const Names words{"warpath/counters.h", "warpath/error.h"};
        const auto with = [](Names names, const Names& more) {
            names.insert(more.begin(), more.end());
            return names;
        };
        Names everything = with(stages, {"importers", "backends", "backends/cpu", "backends/cuda", "warpath"});
        Names backend = with(with(stages, words), {"backends", "warpath/renderer.h"});
        // Of the importers, experiments use how a JSON file is read, checked and complained about.
        // To record what rays cost, they also make a job of a loaded scene, as the renderer does.
        Names experiment = with(stages, {"api/render_options.h", "api/scene_impl.h", "backends", "backends/cpu", "backends/cuda", "cli/report_errors.h", "warpath", "importers/json_messages.h",
                                         "importers/json_schema.h", "importers/json_text.h"});
        return std::map<std::string, Names>{
            {"warpath", {}},
            {"core", words},
            {"scene", with(words, {"core"})},
            {"bvh", with(words, {"core", "scene"})},
            {"materials", with(words, {"core", "scene"})},
            // An emissive triangle shines as its material says: textures, coverage.
            {"lights", with(words, {"core", "scene", "materials"})},
            {"render", with(words, {"core", "scene", "bvh", "materials", "lights"})},
            // A scheduler moves slot numbers between stage ids; it never sees a ray or a material.
            {"schedulers", with(words, {"core", "render/stage_id.h"})},
            {"importers", with(words, {"core", "scene"})},
            {"backends", backend},
            {"backends/cpu", backend},
            {"backends/cuda", backend},
            {"api", everything},
            {"cli", public_api},
            // The viewer's options are read, its errors reported and its medians taken as those of the programs beside it.
            {"viewer", with(public_api, {"cli/parse.h", "cli/report_errors.h", "cli/scene_flags.h", "cli/text_flag.h", "experiments/statistics.h"})},
            {"experiments", experiment},
        };
    }();
    return table;
}

struct Include {
    fs::path file;       ///< relative to the source directory
    std::string target;  ///< as written
};

fs::path source_dir() { return WARPATH_SOURCE_DIR; }

std::vector<fs::path> source_files() {
    static const Names extensions{".h", ".cuh", ".cpp", ".cu"};
    std::vector<fs::path> files;
    for (const char* folder : {"include", "src"}) {
        for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
            if (extensions.count(entry.path().extension().string()))
                files.push_back(entry.path().lexically_relative(source_dir()));
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> lines_of(const fs::path& file) {
    std::ifstream in(source_dir() / file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<Include> includes() {
    static const std::regex pattern(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
    std::vector<Include> found;
    for (const fs::path& file : source_files()) {
        for (const std::string& line : lines_of(file)) {
            std::smatch match;
            if (std::regex_search(line, match, pattern)) found.push_back({file, match[1]});
        }
    }
    return found;
}

/// "bvh" for bvh/builders/x.h; the two backends count as modules of their own.
std::string module_of(const fs::path& path) {
    auto part = path.begin();
    const std::string first = part->string();
    if (first != "backends" || ++part == path.end()) return first;
    return *part == "cpu" || *part == "cuda" ? first + "/" + part->string() : first;
}

std::string module_of_file(const fs::path& file) { return module_of(file.lexically_relative(*file.begin())); }

bool is_ours(const std::string& target) {
    return fs::exists(source_dir() / "src" / target) || fs::exists(source_dir() / "include" / target);
}

bool may_include(const std::string& module, const std::string& target) {
    const std::string other = module_of(target);
    if (other == module) return true;
    const auto row = allowed_includes().find(module);
    return row != allowed_includes().end() && (row->second.count(other) || row->second.count(target));
}

bool is_cuda_header(const std::string& target) {
    static const std::regex pattern(
        R"(^(cuda|cub|thrust|nv|cooperative_groups)(/|_|\.h)|)"
        R"(^(driver_types|vector_types|device_launch_parameters|math_constants)\.h|\.cuh$)");
    return std::regex_search(target, pattern);
}

TEST(Layering, every_module_is_in_the_table) {
    for (const fs::path& file : source_files()) {
        EXPECT_TRUE(allowed_includes().count(module_of_file(file)))
            << file << " is in a folder that the table does not name";
    }
}

TEST(Layering, arrows_point_down_only) {
    size_t num_ours = 0;
    for (const auto& [file, target] : includes()) {
        if (!is_ours(target)) continue;
        ++num_ours;
        EXPECT_TRUE(may_include(module_of_file(file), target)) << file.string() << " must not include " << target;
    }
    EXPECT_GT(num_ours, 50u) << "the test reads no includes";
}

TEST(Layering, the_table_refuses_what_the_drawing_forbids) {
    EXPECT_TRUE(may_include("render", "bvh/bvh.h"));
    EXPECT_TRUE(may_include("schedulers", "render/stage_id.h"));
    EXPECT_FALSE(may_include("schedulers", "render/slots.h"));
    EXPECT_FALSE(may_include("backends/cpu", "backends/cuda/tuning.h"));
    EXPECT_FALSE(may_include("backends/cuda", "backends/cpu/cpu_context.h"));
    EXPECT_FALSE(may_include("cli", "scene/scene.h"));
    EXPECT_FALSE(may_include("core", "scene/scene.h"));
    EXPECT_FALSE(may_include("materials", "lights/sun.h"));
    EXPECT_FALSE(may_include("bvh", "render/slots.h"));
    EXPECT_FALSE(may_include("warpath", "core/math.h"));
    EXPECT_FALSE(may_include("importers", "render/camera.h"));
}

TEST(Layering, own_headers_are_named_from_the_root_and_exist) {
    for (const auto& [file, target] : includes()) {
        const bool relative =
            target.find('/') == std::string::npos && fs::exists((source_dir() / file).parent_path() / target);
        EXPECT_FALSE(relative) << file.string() << " includes " << target << " without its module";
        if (allowed_includes().count(module_of(target))) {
            EXPECT_TRUE(is_ours(target)) << file.string() << " includes " << target << ", which does not exist";
        }
    }
}

TEST(Layering, only_cuda_code_includes_cuda_headers) {
    for (const auto& [file, target] : includes()) {
        const std::string module = module_of_file(file);
        if (module == "backends/cuda" || module == "experiments" || module == "viewer") continue;
        const bool behind_the_backend = module == "api" && target.rfind("backends/cuda/", 0) == 0;
        EXPECT_TRUE(!is_cuda_header(target) || behind_the_backend) << file.string() << " includes " << target;
    }
}

TEST(Layering, the_cpu_context_is_instantiated_in_cpp_files_only) {
    for (const auto& [file, target] : includes()) {
        const bool for_nvcc = file.extension() == ".cu" || file.extension() == ".cuh";
        EXPECT_FALSE(for_nvcc && module_of(target) == "backends/cpu") << file.string() << " includes " << target;
    }
}

TEST(Structure, no_file_is_longer_than_400_lines) {
    for (const fs::path& file : source_files()) EXPECT_LE(lines_of(file).size(), 400u) << file.string();
}

TEST(Structure, every_header_starts_with_pragma_once) {
    for (const fs::path& file : source_files()) {
        if (file.extension() != ".h" && file.extension() != ".cuh") continue;
        const std::vector<std::string> lines = lines_of(file);
        EXPECT_TRUE(!lines.empty() && lines.front() == "#pragma once") << file.string();
    }
}

TEST(Structure, stages_and_schedulers_know_no_compiler_macro) {
    static const Names shared{"materials", "lights", "render", "schedulers"};
    for (const fs::path& file : source_files()) {
        if (!shared.count(module_of_file(file))) continue;
        for (const std::string& line : lines_of(file)) {
            EXPECT_EQ(line.find("__CUDA_ARCH__"), std::string::npos) << file.string() << ": " << line;
        }
    }
}

TEST(Structure, no_file_is_a_drawer_for_odds_and_ends) {
    static const Names drawers{"utils", "util", "common", "misc", "helpers"};
    for (const fs::path& file : source_files()) EXPECT_FALSE(drawers.count(file.stem().string())) << file.string();
}

}  // namespace
}  // namespace warpath
