#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// URIs as glTF uses them: data URIs, and relative paths with percent escapes (RFC 3986).
namespace warpath {

bool is_data_uri(std::string_view uri);

/// Replaces %XX; other text, also a stray %, stays as it is.
std::string percent_decode(std::string_view text);

/// The file that a relative URI of the glTF file `base` names: the percent-decoded path, or the text as written where
/// only that exists, since some exporters do not escape; then the repairs of `resolve_resource`, each with a warning.
/// Nothing for a URI with a scheme, such as http.
std::optional<std::filesystem::path> resolve_uri(std::string_view uri, const std::filesystem::path& base,
                                                 std::vector<std::string>& warnings);

/// A URI cut to a length fit for a message.
std::string shorten_uri(std::string_view uri);

}  // namespace warpath
