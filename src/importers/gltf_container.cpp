#include "importers/gltf_container.h"

#include <cstdint>
#include <string>

#include "importers/gltf_document.h"

namespace warpath {

namespace {

constexpr size_t header_size = 12, chunk_header_size = 8;
constexpr uint32_t chunk_json = 0x4E4F534A, chunk_binary = 0x004E4942;  // "JSON" and "BIN\0", little-endian

uint32_t read_u32(std::string_view bytes, size_t at) {
    uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<size_t>(i)]);
    return value;
}

}  // namespace

bool is_glb(std::string_view file) { return file.starts_with("glTF"); }

GltfChunks split_gltf(std::string_view file, const std::filesystem::path& path) {
    if (!is_glb(file)) return {file, std::nullopt};
    if (file.size() < header_size) fail_gltf(path, "the GLB header is cut short");
    if (const uint32_t version = read_u32(file, 4); version != 2)
        fail_gltf(path, "GLB version " + std::to_string(version) + " is not known; export it as glTF 2.0");
    const size_t length = read_u32(file, 8);
    if (length > file.size())
        fail_gltf(path, "the GLB header promises " + std::to_string(length) + " bytes, but the file has only " +
                            std::to_string(file.size()));

    GltfChunks chunks;
    size_t num_chunks = 0;
    for (size_t at = header_size; at + chunk_header_size <= length; ++num_chunks) {
        const size_t size = read_u32(file, at);
        const uint32_t type = read_u32(file, at + 4);
        at += chunk_header_size;
        if (size > length - at)
            fail_gltf(path, "GLB chunk " + std::to_string(num_chunks) + " of " + std::to_string(size) +
                                " bytes runs past the end of the file");
        const std::string_view data = file.substr(at, size);
        if (num_chunks == 0 && type != chunk_json) fail_gltf(path, "the first GLB chunk is not JSON");
        if (num_chunks == 0) chunks.json = data;
        if (num_chunks == 1 && type == chunk_binary) chunks.binary = data;
        at += size;
    }
    if (num_chunks == 0) fail_gltf(path, "the GLB container has no JSON chunk");
    return chunks;
}

}  // namespace warpath
