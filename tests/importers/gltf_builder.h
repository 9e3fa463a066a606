#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "importers/gltf.h"
#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::test {

inline constexpr int gltf_u8 = 5121, gltf_i16 = 5122, gltf_u16 = 5123, gltf_u32 = 5125, gltf_float = 5126;

/// An RGBA image of one pixel: 10, 20, 30, alpha 128.
inline constexpr const char* one_pixel_png =
    "data:image/"
    "png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGPgEpFrAAABJQC97kY5HgAAAABJRU5ErkJggg==";

inline std::string encode_base64(const std::string& bytes) {
    const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0u);
        for (size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digits[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

/// Writes glTF files for tests. `root` is the JSON and may be edited at will; the bytes of all views go into buffer 0.
class GltfBuilder {
  public:
    nlohmann::json root = {{"asset", {{"version", "2.0"}}}};
    std::string bytes;

    /// Adds the values' bytes as a buffer view and returns its index.
    template <class T>
    int view(const std::vector<T>& values) {
        bytes.resize((bytes.size() + 3) / 4 * 4);
        const size_t size = values.size() * sizeof(T);
        root["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}});
        bytes.append(reinterpret_cast<const char*>(values.data()), size);
        return static_cast<int>(root["bufferViews"].size()) - 1;
    }
    int accessor(nlohmann::json properties) {
        root["accessors"].push_back(std::move(properties));
        return static_cast<int>(root["accessors"].size()) - 1;
    }
    /// Adds a view and an accessor of the whole of it.
    template <class T>
    int data(const std::vector<T>& values, int component_type, const char* type, size_t count) {
        const int v = view(values);
        return accessor({{"bufferView", v}, {"componentType", component_type}, {"type", type}, {"count", count}});
    }
    int floats(const std::vector<float>& values, const char* type, size_t width) {
        return data(values, gltf_float, type, values.size() / width);
    }

    /// A mesh of one primitive, placed by a node of its own in scene 0.
    void show(nlohmann::json primitive) {
        root["meshes"].push_back({{"primitives", nlohmann::json::array({std::move(primitive)})}});
        root["nodes"].push_back({{"mesh", root["meshes"].size() - 1}});
        root["scene"] = 0;
        root["scenes"][0]["nodes"].push_back(root["nodes"].size() - 1);
    }
    /// The unit square in the plane z = 0: two triangles of four vertices.
    void show_square() {
        const int positions = floats({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "VEC3", 3);
        const int indices = data<uint16_t>({0, 1, 2, 0, 2, 3}, gltf_u16, "SCALAR", 6);
        show({{"attributes", {{"POSITION", positions}}}, {"indices", indices}});
    }
    nlohmann::json& primitive() { return root["meshes"][0]["primitives"][0]; }

    /// JSON with the buffer as a data URI, unless `root` has buffers of its own.
    std::string text() const {
        nlohmann::json file = root;
        if (!file.contains("buffers") && !bytes.empty())
            file["buffers"] = {{{"byteLength", bytes.size()},
                                {"uri", "data:application/octet-stream;base64," + encode_base64(bytes)}}};
        return file.dump();
    }
    /// The same as a binary container.
    std::string glb() const {
        nlohmann::json file = root;
        file["buffers"] = {{{"byteLength", bytes.size()}}};
        std::string json = file.dump(), binary = bytes;
        json.resize((json.size() + 3) / 4 * 4, ' ');
        binary.resize((binary.size() + 3) / 4 * 4, '\0');
        const size_t length = 12 + 8 + json.size() + 8 + binary.size();
        return "glTF" + word(2) + word(length) + word(json.size()) + "JSON" + json + word(binary.size()) +
               std::string("BIN\0", 4) + binary;
    }

    Scene load() const { return load_text(text()); }
    std::string error() const { return error_of_text(text()); }

    static Scene load_text(const std::string& text, const std::string& name = "test.gltf") {
        const TemporaryFolder folder;
        return import_gltf(folder.write(name, text));
    }
    /// What the importer says against such a file; empty if it loads.
    static std::string error_of_text(const std::string& text, const std::string& name = "test.gltf") {
        try {
            load_text(text, name);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

  private:
    static std::string word(size_t value) {
        std::string text(4, '\0');
        for (size_t i = 0; i < 4; ++i) text[i] = static_cast<char>(value >> (8 * i));
        return text;
    }
};

/// Whether some warning holds `part`.
inline bool warns(const Scene& scene, const std::string& part) {
    for (const std::string& warning : scene.warnings)
        if (warning.find(part) != std::string::npos) return true;
    return false;
}

inline testing::AssertionResult says(const std::string& message, const std::string& part) {
    if (message.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "\"" << message << "\" does not say \"" << part << "\"";
}

}  // namespace warpath::test
