#include "importers/registry.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "importers/importer.h"
#include "importers/text_scan.h"
#include "warpath/error.h"

namespace warpath {

namespace {

constexpr size_t head_size = 4096;

std::string_view skip_space(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// Text never holds a zero byte; every binary format here does within its first bytes.
bool is_binary(std::string_view head) { return head.find('\0') != std::string_view::npos; }

ContentMatch matches_obj(std::string_view head) {
    return is_binary(head) || skip_space(head).starts_with('{') ? ContentMatch::No : ContentMatch::Possible;
}
ContentMatch matches_gltf(std::string_view head) {
    if (head.starts_with("glTF")) return ContentMatch::Certain;
    return !is_binary(head) && skip_space(head).starts_with('{') ? ContentMatch::Possible : ContentMatch::No;
}
ContentMatch matches_json(std::string_view head) {
    return !is_binary(head) && skip_space(head).starts_with('{') ? ContentMatch::Possible : ContentMatch::No;
}

constexpr std::array<Importer, 3> table{{
    {"Wavefront OBJ", ".obj", matches_obj, import_obj},
    {"glTF 2.0", ".gltf .glb", matches_gltf, import_gltf},
    {"warpath JSON", ".json", matches_json, import_json},
}};

bool has_extension(const Importer& importer, const std::filesystem::path& path) {
    std::string ext = path.extension().string();
    std::transform(ext.begin(), ext.end(), ext.begin(), [](unsigned char c) { return std::tolower(c); });
    std::string_view known = importer.extensions;
    for (std::string_view word = next_word(known); !word.empty(); word = next_word(known))
        if (word == ext) return true;
    return false;
}

/// The first bytes of the scene file; says in one sentence why there are none.
std::string read_head(const std::filesystem::path& path) {
    const auto fail = [&](const std::string& why) -> void {
        throw Error(ErrorCode::Io, "cannot open scene '" + path.string() + "': " + why);
    };
    std::error_code ec;
    const auto status = std::filesystem::status(path, ec);
    if (status.type() == std::filesystem::file_type::not_found) fail("there is no such file");
    if (ec) fail(ec.message());
    if (std::filesystem::is_directory(status)) fail("it is a directory; name the scene file inside it");
    if (!std::filesystem::is_regular_file(status)) fail("it is not a regular file");
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) fail("it cannot be read; check its permissions");
    std::string head(head_size, '\0');
    head.resize(std::fread(head.data(), 1, head.size(), file.get()));
    if (std::ferror(file.get())) fail("reading it failed");
    if (head.empty()) throw Error(ErrorCode::BadInput, "cannot open scene '" + path.string() + "': the file is empty");
    return head;
}

std::string known_formats() {
    std::string text;
    for (const Importer& i : table)
        text += (text.empty() ? "" : ", ") + std::string(i.name) + " (" + std::string(i.extensions) + ")";
    return text;
}

/// Content that is certain beats the extension, and the extension beats content that is merely possible: `scene.json`
/// with broken JSON should be told about its JSON, not about missing OBJ statements.
int rank(const Importer& importer, std::string_view head, const std::filesystem::path& path) {
    const ContentMatch match = importer.matches(head);
    const bool text_with_extension = has_extension(importer, path) && !is_binary(head);
    return (match == ContentMatch::Certain ? 4 : 0) + (text_with_extension ? 2 : 0) +
           (match == ContentMatch::Possible ? 1 : 0);
}

}  // namespace

std::span<const Importer> importers() { return table; }

Scene import_scene(const std::filesystem::path& path, const LoadWatch& watch) {
    const std::string head = read_head(path);
    std::vector<std::pair<int, const Importer*>> candidates;
    for (const Importer& importer : table)
        if (const int r = rank(importer, head, path); r > 0) candidates.emplace_back(r, &importer);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [r, importer] : candidates) {
        try {
            Scene scene = importer->load(path, watch);
            scene.path = path.string();
            return scene;
        } catch (const FormatNotSupported&) {
            // The next candidate may know it.
        }
    }
    const bool utf16 = head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
    const char* what = utf16             ? "is UTF-16 text; save it as UTF-8"
                       : is_binary(head) ? "holds binary data of no known format"
                                         : "is of no known format";
    throw Error(ErrorCode::BadInput, "scene '" + path.string() + "' " + what + "; warpath reads " + known_formats());
}

}  // namespace warpath
