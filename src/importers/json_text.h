#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpath {

/// Parses JSON text (RFC 8259). `file` names it in messages.
/// Errors:  BadInput with "FILE:LINE:COLUMN: ..." for a syntax error, and for a key given twice in one object.
nlohmann::json parse_json_text(const std::string& text, const std::string& file);

}  // namespace warpath
