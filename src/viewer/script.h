#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace warpath::viewer {

/// What the value of a step must be.
enum class StepValue { True, Text, Texts, Count, Number, Point, TwoPoints, SizeInPixels, Object };

/// A kind of step: the key that names it, its value, further keys that may stand beside it.
struct StepKind {
    const char* name;
    StepValue value;
    std::vector<std::pair<const char*, StepValue>> more;
    const char* meaning;
};
/// All kinds, in the order of docs/viewer.md.
std::span<const StepKind> step_kinds();

struct Step {
    size_t number = 0;               ///< from 1
    const StepKind* kind = nullptr;
    nlohmann::json json;             ///< as checked
    const nlohmann::json& value() const { return json.at(kind->name); }
};

/// Reads a script: a list of objects, each of them a step.
/// Errors:  Io; BadInput naming file and step.
std::vector<Step> read_script(const std::filesystem::path& path);
/// The same of text that was parsed; `place` begins the messages.
std::vector<Step> check_script(const nlohmann::json& json, const std::string& place);

}  // namespace warpath::viewer
