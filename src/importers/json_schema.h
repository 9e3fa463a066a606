#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace warpath {

/// The text of docs/scene.schema.json, embedded at build time.
std::string_view scene_schema_text();

/// Checks a value against a JSON Schema (draft 2020-12) that uses these keywords only: $ref, type, const, enum,
/// minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, items, minItems, maxItems, properties, required,
/// additionalProperties and oneOf. Alternatives of oneOf must differ in their type, or, being objects, in the const of
/// their property "type": then a message can tell what is wrong with the one that was meant.
/// Beyond the standard, numbers must fit a 32-bit float.
/// Errors:  BadInput at the first fault, with its JSON pointer; Internal for a keyword that is not known.
void check_against_schema(const nlohmann::json& value, const nlohmann::json& schema, const std::string& file);

}  // namespace warpath
