#pragma once

#include <string_view>

#include "experiments/plan.h"

namespace warpath::experiments {

/// The text of docs/bench-plan.schema.json, embedded at build time.
std::string_view plan_schema_text();

/// A plan file, read and checked against the schema; nothing in it has been looked up yet.
/// Errors:  BadInput with the file and the path of the wrong key ("/film/0"); Io.
nlohmann::json read_plan_file(const std::filesystem::path& file);

/// The backend that a plan names, or, where it names none, `cuda` if a device answers, else `cpu`.
std::string backend_of_plan(const nlohmann::json& document);

/// Puts what the file says in place of a plan's defaults.
/// Errors:  BadInput as above: a film that is no size, an unknown experiment, scheduler or option.
void apply_plan_file(Plan& plan, const nlohmann::json& document, const std::filesystem::path& file);

/// "1920x1080"; nothing if it is anything else.
std::optional<Film> film_from(const std::string& text);

}  // namespace warpath::experiments
