#include "importers/gltf_instancing.h"

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>

#include "importers/gltf_accessors.h"

namespace warpath {

namespace {

/// What the attribute's accessor holds, or nothing where the node has none.
template <class Vec>
std::optional<std::vector<Vec>> read_attribute(const GltfDocument& doc, const tinygltf::Value& attributes, const char* name,
                                               const std::string& label) {
    if (!attributes.Has(name)) return std::nullopt;
    const int index = attributes.Get(name).GetNumberAsInt();
    const tinygltf::Accessor& accessor = doc.model.accessors[static_cast<size_t>(index)];
    const bool is_float = accessor.componentType == TINYGLTF_COMPONENT_TYPE_FLOAT;
    const bool is_turn = accessor.type == TINYGLTF_TYPE_VEC4 && (accessor.componentType == TINYGLTF_COMPONENT_TYPE_BYTE ||
                                                                accessor.componentType == TINYGLTF_COMPONENT_TYPE_SHORT);
    constexpr int type = Vec::length() == 4 ? TINYGLTF_TYPE_VEC4 : TINYGLTF_TYPE_VEC3;
    if (accessor.type != type || !(is_float || is_turn))
        fail_gltf(doc.path, label + ": its " + name + " of instances, " + accessor_label(doc, index) +
                                ", has a type that EXT_mesh_gpu_instancing does not allow there");
    std::vector<Vec> values = read_vectors<Vec>(doc, index, Vec::length(), IntegerScale::Unit);
    for (const Vec& value : values)
        for (int c = 0; c < Vec::length(); ++c)
            if (!std::isfinite(value[c]))
                fail_gltf(doc.path, label + ": its " + name + " of instances has a value that is not finite");
    return values;
}

/// glTF stores x y z w; no turn where that has no length.
glm::dmat4 turn_of(const Vec4& r) {
    const glm::dquat q(r.w, r.x, r.y, r.z);
    const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return length > 0.0 ? glm::mat4_cast(glm::dquat(q.w / length, q.x / length, q.y / length, q.z / length)) : glm::dmat4(1.0);
}

}  // namespace

std::vector<glm::dmat4> gltf_instance_transforms(const GltfDocument& doc, const tinygltf::Node& node, const std::string& label) {
    const auto extension = node.extensions.find("EXT_mesh_gpu_instancing");
    if (extension == node.extensions.end()) return {glm::dmat4(1.0)};
    const tinygltf::Value& attributes = extension->second.Get("attributes");
    const auto translations = read_attribute<Vec3>(doc, attributes, "TRANSLATION", label);
    const auto rotations = read_attribute<Vec4>(doc, attributes, "ROTATION", label);
    const auto scales = read_attribute<Vec3>(doc, attributes, "SCALE", label);
    std::optional<size_t> count;
    const auto agree = [&](const auto& values) {
        if (!values) return;
        if (count && *count != values->size())
            fail_gltf(doc.path, label + ": the attributes of its instances have " + std::to_string(*count) + " and " +
                                    std::to_string(values->size()) + " elements; they must have as many");
        count = values->size();
    };
    agree(translations), agree(rotations), agree(scales);
    std::vector<glm::dmat4> transforms(count.value_or(1), glm::dmat4(1.0));
    for (size_t i = 0; i < transforms.size(); ++i) {
        glm::dmat4& m = transforms[i];
        if (translations) m = glm::translate(m, glm::dvec3((*translations)[i]));
        if (rotations) m = m * turn_of((*rotations)[i]);
        if (scales) m = glm::scale(m, glm::dvec3((*scales)[i]));
    }
    return transforms;
}

}  // namespace warpath
