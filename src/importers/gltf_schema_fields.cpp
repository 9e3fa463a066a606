#include "importers/gltf_schema_fields.h"

#include <array>

namespace warpath {

namespace {

using enum FieldType;

constexpr GltfField index_field(const char* key, const char* target, const char* noun, bool required = false) {
    return {key, Index, required, 0, target, noun, {}};
}
constexpr GltfField object(const char* key, std::span<const GltfField> members, bool required = false) {
    return {key, Object, required, 0, nullptr, nullptr, members};
}
constexpr GltfField numbers(const char* key, uint32_t length) { return {key, Numbers, false, length}; }

constexpr GltfField choice(const char* key, FieldType type, const char* choices) {
    return {key, type, true, 0, nullptr, nullptr, {}, choices};
}

constexpr std::array texture_transform{numbers("offset", 2), GltfField{"rotation", Number}, numbers("scale", 2),
                                       GltfField{"texCoord", SmallCount}};
constexpr std::array texture_info_extensions{object("KHR_texture_transform", texture_transform)};
constexpr std::array texture_info{index_field("index", "textures", "texture", true), GltfField{"texCoord", SmallCount},
                                  GltfField{"scale", Number}, object("extensions", texture_info_extensions)};

constexpr std::array scene{GltfField{"name", Text}, GltfField{"nodes", IndexList, false, 0, "nodes", "node"}};

constexpr std::array node_light{index_field("light", "lights", "light", true)};
constexpr std::array gpu_instancing{GltfField{"attributes", IndexMap, true, 0, "accessors", "accessor"}};
constexpr std::array node_extensions{object("KHR_lights_punctual", node_light),
                                     object("EXT_mesh_gpu_instancing", gpu_instancing)};
constexpr std::array node{GltfField{"name", Text},
                          GltfField{"children", IndexList, false, 0, "nodes", "child"},
                          index_field("mesh", "meshes", "mesh"),
                          index_field("camera", "cameras", "camera"),
                          GltfField{"skin", SmallCount},
                          numbers("matrix", 16),
                          numbers("translation", 3),
                          numbers("rotation", 4),
                          numbers("scale", 3),
                          object("extensions", node_extensions)};

constexpr std::array primitive{GltfField{"attributes", IndexMap, true, 0, "accessors", "accessor"},
                               index_field("indices", "accessors", "accessor"),
                               index_field("material", "materials", "material"), GltfField{"mode", SmallCount}};
constexpr std::array mesh{GltfField{"name", Text},
                          GltfField{"primitives", ObjectList, true, 0, nullptr, "primitive", primitive}};

constexpr std::array sparse_indices{index_field("bufferView", "bufferViews", "buffer view", true),
                                    GltfField{"byteOffset", SmallCount},
                                    choice("componentType", SmallCount, "5121 5123 5125 ")};
constexpr std::array sparse_values{index_field("bufferView", "bufferViews", "buffer view", true),
                                   GltfField{"byteOffset", SmallCount}};
constexpr std::array sparse{GltfField{"count", SmallCount, true}, object("indices", sparse_indices, true),
                            object("values", sparse_values, true)};
constexpr std::array accessor{GltfField{"name", Text},
                              index_field("bufferView", "bufferViews", "buffer view"),
                              GltfField{"byteOffset", Count},
                              choice("componentType", SmallCount, "5120 5121 5122 5123 5125 5126 "),
                              GltfField{"normalized", Flag},
                              GltfField{"count", Count, true},
                              choice("type", Text, "SCALAR VEC2 VEC3 VEC4 MAT2 MAT3 MAT4 "),
                              object("sparse", sparse)};
constexpr std::array buffer_view{GltfField{"name", Text}, index_field("buffer", "buffers", "buffer", true),
                                 GltfField{"byteOffset", Count}, GltfField{"byteLength", Count, true},
                                 GltfField{"byteStride", Count}};
constexpr std::array buffer{GltfField{"name", Text}, GltfField{"uri", Text}, GltfField{"byteLength", Count, true}};

constexpr std::array perspective{GltfField{"yfov", Number, true}, GltfField{"aspectRatio", Number},
                                 GltfField{"znear", Number, true}, GltfField{"zfar", Number}};
constexpr std::array camera{GltfField{"name", Text}, choice("type", Text, "perspective orthographic "),
                            object("perspective", perspective)};

constexpr std::array image{GltfField{"name", Text}, GltfField{"uri", Text}, GltfField{"mimeType", Text},
                           index_field("bufferView", "bufferViews", "buffer view")};
constexpr std::array texture{GltfField{"name", Text}, index_field("source", "images", "image"),
                             index_field("sampler", "samplers", "sampler")};
constexpr std::array sampler{GltfField{"magFilter", SmallCount}, GltfField{"minFilter", SmallCount},
                             GltfField{"wrapS", SmallCount}, GltfField{"wrapT", SmallCount}};

constexpr std::array emissive_strength{GltfField{"emissiveStrength", Number}};
constexpr std::array transmission{GltfField{"transmissionFactor", Number},
                                  GltfField{"transmissionTexture", TextureInfo}};
constexpr std::array ior{GltfField{"ior", Number}};
constexpr std::array volume{GltfField{"thicknessFactor", Number}, GltfField{"thicknessTexture", TextureInfo},
                            GltfField{"attenuationDistance", Number}, numbers("attenuationColor", 3)};
constexpr std::array specular{GltfField{"specularFactor", Number}, GltfField{"specularTexture", TextureInfo},
                              numbers("specularColorFactor", 3), GltfField{"specularColorTexture", TextureInfo}};
constexpr std::array material_extensions{object("KHR_materials_emissive_strength", emissive_strength),
                                         object("KHR_materials_transmission", transmission),
                                         object("KHR_materials_ior", ior),
                                         object("KHR_materials_volume", volume),
                                         object("KHR_materials_specular", specular),
                                         object("KHR_materials_unlit", {})};
constexpr std::array metallic_roughness{numbers("baseColorFactor", 4), GltfField{"baseColorTexture", TextureInfo},
                                        GltfField{"metallicFactor", Number}, GltfField{"roughnessFactor", Number},
                                        GltfField{"metallicRoughnessTexture", TextureInfo}};
constexpr std::array material{GltfField{"name", Text},
                              object("pbrMetallicRoughness", metallic_roughness),
                              GltfField{"normalTexture", TextureInfo},
                              GltfField{"occlusionTexture", TextureInfo},
                              GltfField{"emissiveTexture", TextureInfo},
                              numbers("emissiveFactor", 3),
                              GltfField{"alphaMode", Text},
                              GltfField{"alphaCutoff", Number},
                              GltfField{"doubleSided", Flag},
                              object("extensions", material_extensions)};

constexpr std::array spot{GltfField{"innerConeAngle", Number}, GltfField{"outerConeAngle", Number}};
constexpr std::array light{GltfField{"name", Text},        GltfField{"type", Text, true}, numbers("color", 3),
                           GltfField{"intensity", Number}, GltfField{"range", Number},    object("spot", spot)};

constexpr std::array<GltfArray, 11> arrays{{{"buffers", "buffer", buffer},
                                            {"bufferViews", "buffer view", buffer_view},
                                            {"accessors", "accessor", accessor},
                                            {"images", "image", image},
                                            {"samplers", "sampler", sampler},
                                            {"textures", "texture", texture},
                                            {"materials", "material", material},
                                            {"meshes", "mesh", mesh},
                                            {"cameras", "camera", camera},
                                            {"nodes", "node", node},
                                            {"scenes", "scene", scene}}};

}  // namespace

std::span<const GltfArray> gltf_arrays() { return arrays; }
std::span<const GltfField> gltf_light_fields() { return light; }
std::span<const GltfField> gltf_texture_info_fields() { return texture_info; }

}  // namespace warpath
