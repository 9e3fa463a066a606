#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "warpath/renderer.h"

namespace warpath::cli {

/// What --stats prints: every counter and every derived figure, a line each, with unit and meaning.
std::vector<std::string> statistics_lines(const RenderResult& result);

/// Derived figures, by name.
nlohmann::ordered_json figures_json(const Figures& figures);

/// The groups' times by SM, as columns; with `each_group`, those of each warp slot or thread too.
nlohmann::ordered_json groups_json(const FrameRecord& record, bool each_group);

}  // namespace warpath::cli
