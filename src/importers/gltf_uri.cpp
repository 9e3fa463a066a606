#include "importers/gltf_uri.h"

#include <algorithm>
#include <cctype>

#include "importers/resource_path.h"

namespace warpath {

namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool has_scheme(std::string_view uri) {
    const size_t colon = uri.find(':');
    if (colon == std::string_view::npos || colon < 2) return false;  // one letter: a Windows drive
    return std::all_of(uri.begin(), uri.begin() + static_cast<std::ptrdiff_t>(colon),
                       [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
}

}  // namespace

bool is_data_uri(std::string_view uri) { return uri.starts_with("data:"); }

std::string percent_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        const int hi = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int lo = hi >= 0 ? hex_digit(text[i + 2]) : -1;
        out.push_back(lo >= 0 ? static_cast<char>(hi << 4 | lo) : text[i]);
        if (lo >= 0) i += 2;
    }
    return out;
}

std::optional<std::filesystem::path> resolve_uri(std::string_view uri, const std::filesystem::path& base,
                                                 std::vector<std::string>& warnings) {
    if (has_scheme(uri)) return std::nullopt;
    std::error_code ec;
    const std::filesystem::path as_written = base.parent_path() / std::filesystem::path(uri);
    if (std::filesystem::is_regular_file(as_written, ec)) return as_written;
    std::string decoded = percent_decode(uri);
    // A zero byte would end the name early and so name another file.
    std::replace(decoded.begin(), decoded.end(), '\0', '?');
    return resolve_resource(base, std::move(decoded), warnings);
}

std::string shorten_uri(std::string_view uri) {
    constexpr size_t longest = 120;
    return uri.size() <= longest ? std::string(uri) : std::string(uri.substr(0, longest - 3)) + "...";
}

}  // namespace warpath
