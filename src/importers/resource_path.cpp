#include "importers/resource_path.h"

#include <algorithm>
#include <cctype>

namespace warpath {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
    std::error_code ec;
    return fs::exists(path, ec) && !fs::is_directory(path, ec);
}

bool same_ignoring_case(const std::string& a, const std::string& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// `folder` / `relative` with each part matched exactly where possible, else in any letter case. Empty when some part
/// is absent.
fs::path find_ignoring_case(fs::path folder, const fs::path& relative) {
    for (const fs::path& part : relative) {
        std::error_code ec;
        if (fs::path exact = folder / part; fs::exists(exact, ec)) {
            folder = std::move(exact);
            continue;
        }
        std::vector<fs::path> matches;
        for (fs::directory_iterator it(folder.empty() ? "." : folder, ec), end; !ec && it != end; it.increment(ec))
            if (same_ignoring_case(it->path().filename().string(), part.string()))
                matches.push_back(it->path().filename());
        if (matches.empty()) return {};
        // Directory order is arbitrary; the smallest name keeps the choice the same everywhere.
        folder /= *std::min_element(matches.begin(), matches.end());
    }
    return is_file(folder) ? folder : fs::path{};
}

}  // namespace

fs::path resolve_resource(const fs::path& naming_file, std::string name, std::vector<std::string>& warnings) {
    std::replace(name.begin(), name.end(), '\\', '/');
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    const fs::path folder = naming_file.parent_path();
    const fs::path wanted = folder / fs::path(name);  // an absolute name replaces the folder
    if (is_file(wanted) || name.empty()) return wanted;

    fs::path found = fs::path(name).is_absolute() ? fs::path{} : find_ignoring_case(folder, fs::path(name));
    if (found.empty()) found = find_ignoring_case(folder, fs::path(name).filename());
    if (found.empty()) return wanted;
    warnings.push_back(naming_file.filename().string() + " names '" + name + "', which is absent; '" + found.string() +
                       "' is used instead");
    return found;
}

}  // namespace warpath
