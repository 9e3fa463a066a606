#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "importers/mtl.h"
#include "importers/text_scan.h"

#define TINYOBJLOADER_IMPLEMENTATION
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <tiny_obj_loader.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

// tinyobjloader 2.0 reads the material statements, one material at a time. It is handed a cleaned text, because by
// itself it does not tell absent values from zeros, knows only some spellings of the keys, takes a file name for a
// number after -s, -o or -t with fewer than three values, and a missing option for a file name.
namespace warpath {

namespace {

enum class ValueKind { Color, Scalar, Integer, Map };

struct Key {
    const char* spelling;   ///< in lower case
    const char* canonical;  ///< as tinyobjloader knows it
    ValueKind kind;
};

constexpr std::array<Key, 22> keys{{
    {"kd", "Kd", ValueKind::Color},       {"ks", "Ks", ValueKind::Color},
    {"ke", "Ke", ValueKind::Color},       {"tf", "Tf", ValueKind::Color},
    {"kt", "Tf", ValueKind::Color},       {"ns", "Ns", ValueKind::Scalar},
    {"ni", "Ni", ValueKind::Scalar},      {"d", "d", ValueKind::Scalar},
    {"tr", "Tr", ValueKind::Scalar},      {"pr", "Pr", ValueKind::Scalar},
    {"pm", "Pm", ValueKind::Scalar},      {"illum", "illum", ValueKind::Integer},
    {"map_kd", "map_Kd", ValueKind::Map}, {"map_ks", "map_Ks", ValueKind::Map},
    {"map_ke", "map_Ke", ValueKind::Map}, {"map_ns", "map_Ns", ValueKind::Map},
    {"map_d", "map_d", ValueKind::Map},   {"map_bump", "map_Bump", ValueKind::Map},
    {"bump", "map_Bump", ValueKind::Map}, {"norm", "norm", ValueKind::Map},
    {"map_pr", "map_Pr", ValueKind::Map}, {"map_pm", "map_Pm", ValueKind::Map},
}};

/// Options of texture statements and how many values follow; -o, -s and -t take one to three.
struct Option {
    const char* name;
    int num_values;
    bool numbers;
};
constexpr std::array<Option, 14> options{{
    {"-blendu", 1, false},
    {"-blendv", 1, false},
    {"-cc", 1, false},
    {"-clamp", 1, false},
    {"-bm", 1, true},
    {"-boost", 1, true},
    {"-imfchan", 1, false},
    {"-mm", 2, true},
    {"-o", 3, true},
    {"-s", 3, true},
    {"-t", 3, true},
    {"-texres", 1, true},
    {"-type", 1, false},
    {"-colorspace", 1, false},
}};

std::string to_text(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
    return text;
}

const Option* find_option(std::string_view word) {
    const auto it = std::find_if(options.begin(), options.end(), [&](const Option& o) { return word == o.name; });
    return it == options.end() ? nullptr : &*it;
}

/// The words of a text, as views into it.
std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
    return words;
}

/// How many of the words from `first` on are values of the option. A word that the file name needs is no value.
size_t num_option_values(const Option& option, const std::vector<std::string_view>& words, size_t first,
                         bool name_follows) {
    const size_t end = words.size() - (name_follows && first < words.size() ? 1 : 0);
    size_t n = 0;
    float number = 0.0f;
    while (n < static_cast<size_t>(option.num_values) && first + n < end &&
           (!option.numbers || parse_number(words[first + n], number)))
        ++n;
    return n;
}

/// One option in the form that tinyobjloader reads, with all of its values; empty for those that warpath has no use
/// for.
std::string clean_option(std::string_view name, const std::string_view* values, size_t num_values) {
    std::string text(name);
    if (name == "-clamp" || name == "-imfchan") return num_values == 1 ? text + " " + std::string(values[0]) + " " : "";
    if (name != "-o" && name != "-s" && name != "-bm") return "";
    for (size_t i = 0; i < (name == "-bm" ? 1u : 3u); ++i) {
        float value = name == "-o" ? 0.0f : 1.0f;
        if (i < num_values) parse_number(values[i], value);
        text += " " + to_text(is_finite(value) ? value : 0.0f);
    }
    return text + " ";
}

/// Rewrites a texture statement's arguments: options first and complete, then the file name, which may hold blanks and
/// is followed by options in some files. Empty when there is no file name.
std::string clean_map(std::string_view arguments) {
    const std::vector<std::string_view> words = split_words(arguments);
    std::string options_text;
    std::string_view name;
    for (size_t i = 0; i < words.size();) {
        if (const Option* option = find_option(words[i])) {
            const size_t n = num_option_values(*option, words, i + 1, name.empty());
            options_text += clean_option(words[i], words.data() + i + 1, n);
            i += 1 + n;
            continue;
        }
        const size_t start = i;
        while (i < words.size() && !find_option(words[i])) ++i;
        const char* end = words[i - 1].data() + words[i - 1].size();
        if (name.empty()) name = std::string_view(words[start].data(), static_cast<size_t>(end - words[start].data()));
    }
    return name.empty() ? "" : options_text + std::string(name);
}

/// Rewrites numbers; empty when one of them is none. A single number stands for all three of a colour.
std::string clean_numbers(std::string_view arguments, ValueKind kind) {
    const std::vector<std::string_view> words = split_words(arguments);
    const size_t first = !words.empty() && words[0] == "-halo" ? 1 : 0;
    const size_t wanted = kind == ValueKind::Color ? 3 : 1;
    std::string text;
    float value = 0.0f;
    for (size_t i = 0; i < wanted; ++i) {
        if (first + i < words.size() && words[first + i][0] != '#') {
            if (!parse_number(words[first + i], value) || !is_finite(value)) return "";
        } else if (i != 1 || wanted != 3) {
            return "";
        } else {
            return text + text + text;
        }
        text += (kind == ValueKind::Integer ? std::to_string(static_cast<int>(clamp(value, -1e6f, 1e6f)))
                                            : to_text(value)) +
                " ";
    }
    return text;
}

/// The statements of one material, cleaned.
struct Block {
    std::string name, text;
    std::set<std::string> keys;
};

MtlMap to_map(const std::string& file, const tinyobj::texture_option_t& options, bool has_channel) {
    MtlMap map;
    map.file = file;
    map.scale_u = options.scale[0], map.scale_v = options.scale[1];
    map.offset_u = options.origin_offset[0], map.offset_v = options.origin_offset[1];
    map.bump = options.bump_multiplier;
    map.clamp = options.clamp;
    map.channel = has_channel ? options.imfchan : '\0';
    return map;
}

MtlMaterial to_material(const Block& block, const std::filesystem::path& path) {
    std::map<std::string, int> names;
    std::vector<tinyobj::material_t> materials;
    std::istringstream stream("newmtl m\n" + block.text);
    std::string warning, error;
    tinyobj::LoadMtl(&names, &materials, &stream, &warning, &error);
    const tinyobj::material_t& m = materials.at(0);

    MtlMaterial out;
    out.name = block.name;
    out.file = path;
    const auto has = [&](const char* key) { return block.keys.count(key) != 0; };
    const auto color = [&](const char* key, const float(&v)[3]) {
        return has(key) ? std::optional(Vec3(v[0], v[1], v[2])) : std::nullopt;
    };
    const auto scalar = [&](const char* key, float v) { return has(key) ? std::optional(v) : std::nullopt; };
    out.kd = color("Kd", m.diffuse), out.ks = color("Ks", m.specular);
    out.ke = color("Ke", m.emission), out.tf = color("Tf", m.transmittance);
    out.ns = scalar("Ns", m.shininess), out.ni = scalar("Ni", m.ior);
    out.pr = scalar("Pr", m.roughness), out.pm = scalar("Pm", m.metallic);
    if (has("d") || has("Tr")) out.d = m.dissolve;
    if (has("illum")) out.illum = m.illum;

    const auto map = [&](std::optional<MtlMap>& to, const char* key, const std::string& file,
                         const tinyobj::texture_option_t& o) {
        if (has(key)) to = to_map(file, o, has((std::string(key) + " -imfchan").c_str()));
    };
    map(out.map_kd, "map_Kd", m.diffuse_texname, m.diffuse_texopt);
    map(out.map_ks, "map_Ks", m.specular_texname, m.specular_texopt);
    map(out.map_ke, "map_Ke", m.emissive_texname, m.emissive_texopt);
    map(out.map_ns, "map_Ns", m.specular_highlight_texname, m.specular_highlight_texopt);
    map(out.map_d, "map_d", m.alpha_texname, m.alpha_texopt);
    map(out.map_bump, "map_Bump", m.bump_texname, m.bump_texopt);
    map(out.map_norm, "norm", m.normal_texname, m.normal_texopt);
    map(out.map_pr, "map_Pr", m.roughness_texname, m.roughness_texopt);
    map(out.map_pm, "map_Pm", m.metallic_texname, m.metallic_texopt);
    return out;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

}  // namespace

std::vector<MtlMaterial> parse_mtl(std::string& text, const std::filesystem::path& path,
                                   std::vector<std::string>& warnings) {
    join_lines(text);
    LineReader reader(text);
    std::vector<Block> blocks;
    for (std::string_view line; reader.next(line);) {
        const std::string_view word = next_word(line);
        const std::string keyword = lower(word);
        if (keyword == "newmtl") {
            blocks.push_back({std::string(trimmed(line)), "", {}});
            continue;
        }
        const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return keyword == k.spelling; });
        if (key == keys.end()) continue;
        const std::string arguments = key->kind == ValueKind::Map ? clean_map(line) : clean_numbers(line, key->kind);
        if (arguments.empty() || blocks.empty()) {
            warnings.push_back(
                path.filename().string() + ":" + std::to_string(reader.number()) + ": '" + std::string(word) +
                (blocks.empty() ? "' before any newmtl is left out" : "' without a usable value is left out"));
            continue;
        }
        blocks.back().text += std::string(key->canonical) + " " + arguments + "\n";
        blocks.back().keys.insert(key->canonical);
        if (arguments.find("-imfchan ") != std::string::npos)
            blocks.back().keys.insert(std::string(key->canonical) + " -imfchan");
    }
    std::vector<MtlMaterial> materials;
    for (const Block& block : blocks) materials.push_back(to_material(block, path));
    return materials;
}

}  // namespace warpath
