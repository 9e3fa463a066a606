#pragma once

#include <cstdint>
#include <span>

/// What the importer reads of each kind of glTF object, as data: one line for each property.
namespace warpath {

enum class FieldType : uint8_t {
    Index,       ///< of an object in the array `target`
    IndexList,   ///< array of such
    IndexMap,    ///< object whose values are such
    Count,       ///< integer from 0 to 2^53
    SmallCount,  ///< integer from 0 to 2^31 - 1
    Number,      ///< any finite number
    Numbers,     ///< array of exactly `length` numbers
    Flag,
    Text,
    Object,       ///< members are checked by `members`
    ObjectList,   ///< array of such
    TextureInfo,  ///< object with a texture index
};

struct GltfField {
    const char* key;
    FieldType type;
    bool required = false;
    uint32_t length = 0;                   ///< Numbers
    const char* target = nullptr;          ///< Index*: name of the array
    const char* noun = nullptr;            ///< word for one entry in messages
    std::span<const GltfField> members{};  ///< Object, ObjectList
    const char* choices = nullptr;         ///< Text, SmallCount: the legal values, each followed by a space
};

/// One of the arrays at the root of the file.
struct GltfArray {
    const char* key;
    const char* noun;
    std::span<const GltfField> members;
};

std::span<const GltfArray> gltf_arrays();
/// The lights of KHR_lights_punctual, which lie below the root's extensions.
std::span<const GltfField> gltf_light_fields();
std::span<const GltfField> gltf_texture_info_fields();

}  // namespace warpath
