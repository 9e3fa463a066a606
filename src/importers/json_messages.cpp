#include "importers/json_messages.h"

#include <algorithm>
#include <utility>

#include "warpath/error.h"

namespace warpath {

namespace {

constexpr size_t max_listed = 20;  // longer lists are cut

/// Levenshtein distance.
size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
        }
    }
    return row[b.size()];
}

}  // namespace

std::string pointer_to(const std::string& pointer, const std::string& key) {
    std::string text = pointer + "/";
    for (const char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return text;
}

std::string pointer_to(const std::string& pointer, size_t index) { return pointer + "/" + std::to_string(index); }

void fail_at(const std::string& file, const std::string& pointer, const std::string& message) {
    throw Error(ErrorCode::BadInput, file + ": " + (pointer.empty() ? "the scene" : pointer) + " " + message);
}

std::string listed(const std::vector<std::string>& names, const std::string& last_word) {
    const size_t shown = names.size() <= max_listed ? names.size() : max_listed - 1;
    std::string text;
    for (size_t i = 0; i < shown; ++i)
        text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " " + last_word + " ") + names[i];
    if (shown < names.size()) text += " " + last_word + " " + std::to_string(names.size() - shown) + " more";
    return text;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
    if (known.empty()) return "";
    // A part of a name is near: "fov" means "vfov_deg" rather than "eye".
    const auto distance = [&](const std::string& candidate) {
        return name.size() > 1 && candidate.find(name) != std::string::npos ? 0 : edit_distance(name, candidate);
    };
    const auto nearest = std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
        return distance(a) < distance(b);
    });
    if (distance(*nearest) <= std::max<size_t>(1, name.size() / 3)) return "; did you mean \"" + *nearest + "\"?";
    std::vector<std::string> quoted;
    for (const std::string& candidate : known) quoted.push_back("\"" + candidate + "\"");
    return "; known: " + listed(quoted, "and");
}

}  // namespace warpath
