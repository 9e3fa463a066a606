#include "importers/gltf_document.h"

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>

#include "importers/file_bytes.h"
#include "importers/gltf_container.h"
#include "importers/gltf_extensions.h"
#include "importers/gltf_schema.h"
#include "importers/gltf_uri.h"
#include "importers/gltf_validate.h"
#include "importers/texture_loader.h"
#include "warpath/error.h"

namespace warpath {

namespace {

using nlohmann::json;

/// Deeper JSON than any real file has; keeps recursion in tinygltf and in destructors bounded.
constexpr int max_json_depth = 200;

bool claims_gltf(const std::filesystem::path& path, std::string_view file) {
    std::string ext = path.extension().string();
    std::transform(ext.begin(), ext.end(), ext.begin(), [](unsigned char c) { return std::tolower(c); });
    return ext == ".gltf" || ext == ".glb" || is_glb(file);
}

/// Depth of brackets outside strings. Looked at before parsing: the parser's own callback costs time quadratic in the
/// length of an array.
int json_depth(std::string_view text) {
    int depth = 0, deepest = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string && c == '\\') ++i;
        if (c == '"') in_string = !in_string;
        if (in_string) continue;
        if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
        if (c == ']' || c == '}') --depth;
    }
    return deepest;
}

json parse_json(std::string_view text, const std::filesystem::path& path, bool claimed) {
    // Some exporters pad the JSON chunk with zeros instead of spaces.
    text = text.substr(0, text.find_last_not_of('\0') + 1);
    if (json_depth(text) > max_json_depth)
        fail_gltf(path, "its JSON is nested more than " + std::to_string(max_json_depth) + " deep");
    try {
        return json::parse(text.begin(), text.end());
    } catch (const json::exception& error) {
        if (!claimed) throw FormatNotSupported("'" + path.string() + "' is not JSON");
        const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line 1, ..."
        const size_t prefix = what.find("] ");
        fail_gltf(path, prefix == std::string::npos ? what : what.substr(prefix + 2));
    }
}

/// Whether this is glTF 2. Text without an asset may be another JSON format, unless the file's name says otherwise.
void check_asset(const json& root, const std::filesystem::path& path, bool claimed) {
    const auto asset = root.is_object() ? root.find("asset") : root.end();
    if (!root.is_object() || asset == root.end()) {
        if (!claimed) throw FormatNotSupported("'" + path.string() + "' is not glTF");
        fail_gltf(path, "it has no \"asset\", so it is not glTF 2.0");
    }
    if (!asset->is_object() || !asset->contains("version") || !(*asset)["version"].is_string())
        fail_gltf(path, "its \"asset\" has no \"version\"");
    for (const char* key : {"version", "minVersion"}) {
        if (!asset->contains(key) || !(*asset)[key].is_string()) continue;
        const auto version = (*asset)[key].get<std::string>();
        const bool known = key == std::string("version") ? version.starts_with("2.") : version == "2.0";
        if (!known) fail_gltf(path, "its glTF " + std::string(key) + " is " + version + "; warpath reads glTF 2.0");
    }
}

/// The bytes of one buffer, at least as many as it promises.
std::string_view load_buffer(GltfDocument& doc, const json& buffer, size_t index,
                             std::optional<std::string_view> binary) {
    const std::string name = "buffer " + std::to_string(index);
    const auto promised = buffer["byteLength"].get<uint64_t>();
    std::string_view bytes;
    std::string source = "the binary chunk";
    if (const auto it = buffer.find("uri"); it != buffer.end()) {
        const auto& uri = it->get_ref<const std::string&>();
        if (is_data_uri(uri)) {
            source = "its data URI";
            doc.storage.push_back(decode_data_uri(uri, "cannot load '" + doc.path.string() + "': " + name));
        } else {
            const auto file = resolve_uri(uri, doc.path, doc.warnings);
            if (!file) fail_gltf(doc.path, name + " lies at '" + shorten_uri(uri) + "'; only local files are read");
            source = "'" + file->string() + "'";
            try {
                doc.storage.push_back(read_file_bytes(*file));
            } catch (const Error& error) {
                throw Error(ErrorCode::Io, "cannot load '" + doc.path.string() + "': " + name + ": " + error.what());
            }
        }
        bytes = doc.storage.back();
    } else if (index == 0 && binary) {
        bytes = *binary;
    } else {
        fail_gltf(doc.path, name + " has no \"uri\" and there is no binary chunk for it");
    }
    if (promised > bytes.size())
        fail_gltf(doc.path, name + " promises " + std::to_string(promised) + " bytes, but " + source + " has only " +
                                std::to_string(bytes.size()));
    return bytes.substr(0, promised);
}

tinygltf::Image make_image(const json& record) {
    tinygltf::Image image;
    image.name = record.value("name", "");
    image.uri = record.value("uri", "");
    image.mimeType = record.value("mimeType", "");
    image.bufferView = record.value("bufferView", -1);
    return image;
}

/// What tinygltf is not shown, in file order.
struct Withheld {
    std::vector<int> indices;     ///< of primitives: it refuses those whose accessor has no buffer view, which is legal
    std::vector<size_t> strides;  ///< of buffer views: it refuses wrong ones without saying where
    std::vector<tinygltf::Image> images;
};

/// Takes those out of the JSON, with the resources that tinygltf would open itself and what nobody reads.
Withheld withhold(json& root) {
    Withheld withheld;
    const auto list = [&](const char* key) { return root.contains(key) ? std::move(root[key]) : json::array(); };
    for (const json& record : list("images")) withheld.images.push_back(make_image(record));
    for (const char* key : {"buffers", "images", "animations", "skins", "extras"}) root.erase(key);
    if (root.contains("bufferViews"))
        for (json& view : root["bufferViews"]) {
            withheld.strides.push_back(view.value("byteStride", size_t{0}));
            view.erase("byteStride");
        }
    if (root.contains("meshes"))
        for (json& mesh : root["meshes"])
            for (json& primitive : mesh["primitives"]) {
                withheld.indices.push_back(primitive.value("indices", -1));
                primitive.erase("indices");
            }
    return withheld;
}

/// Puts it back where it belongs. tinygltf skips primitives that it cannot parse; that none is skipped was checked
/// before, and is counted here.
void restore(Withheld&& withheld, GltfDocument& doc) {
    tinygltf::Model& model = doc.model;
    size_t num_primitives = 0;
    for (const tinygltf::Mesh& mesh : model.meshes) num_primitives += mesh.primitives.size();
    if (num_primitives != withheld.indices.size() || model.bufferViews.size() != withheld.strides.size())
        fail_gltf(doc.path, "tinygltf did not read all of its primitives");
    size_t next = 0;
    for (tinygltf::Mesh& mesh : model.meshes)
        for (tinygltf::Primitive& primitive : mesh.primitives) primitive.indices = withheld.indices[next++];
    for (size_t i = 0; i < withheld.strides.size(); ++i) model.bufferViews[i].byteStride = withheld.strides[i];
    model.images = std::move(withheld.images);
}

void parse_model(GltfDocument& doc, json&& root) {
    Withheld withheld = withhold(root);
    const std::string text = root.dump();
    root = nullptr;
    if (text.size() > UINT_MAX) fail_gltf(doc.path, "its JSON is larger than 4 GB");
    tinygltf::TinyGLTF parser;
    std::string errors, warnings;
    if (!parser.LoadASCIIFromString(&doc.model, &errors, &warnings, text.c_str(), static_cast<unsigned>(text.size()),
                                    "")) {
        std::replace(errors.begin(), errors.end(), '\n', ' ');
        fail_gltf(doc.path, errors.empty() ? "tinygltf refused it" : errors);
    }
    restore(std::move(withheld), doc);
}

}  // namespace

void GltfDocument::warn(const std::string& what) {
    std::string text = path.string();
    text.append(": ").append(what);
    if (warned_.insert(text).second) warnings.push_back(std::move(text));
}

void fail_gltf(const std::filesystem::path& path, const std::string& what) {
    throw Error(ErrorCode::BadInput, "cannot load '" + path.string() + "': " + what);
}

GltfDocument load_gltf_document(const std::filesystem::path& path) {
    GltfDocument doc;
    doc.path = path;
    doc.storage.push_back(read_file_bytes(path));
    const std::string_view file = doc.storage.front();
    const bool claimed = claims_gltf(path, file);
    const GltfChunks chunks = split_gltf(file, path);
    json root = parse_json(chunks.json, path, claimed);
    check_asset(root, path, claimed);
    check_gltf_extensions(root, doc);
    check_gltf_schema(root, path);
    if (root.contains("buffers"))
        for (size_t i = 0; i < root["buffers"].size(); ++i)
            doc.buffers.push_back(load_buffer(doc, root["buffers"][i], i, chunks.binary));
    parse_model(doc, std::move(root));
    check_gltf_forest(doc);
    check_gltf_ranges(doc);
    return doc;
}

}  // namespace warpath
