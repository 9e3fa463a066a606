#include "importers/gltf_accessors.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "importers/gltf_validate.h"

namespace warpath {

namespace {

/// Calls `f` with a value of the accessor's component type.
template <class F>
void with_component_type(int type, F&& f) {
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_BYTE:
            return f(int8_t{});
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
            return f(uint8_t{});
        case TINYGLTF_COMPONENT_TYPE_SHORT:
            return f(int16_t{});
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
            return f(uint16_t{});
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
            return f(uint32_t{});
        default:
            return f(float{});
    }
}

/// Views promise no alignment, so every component is copied out.
template <class T>
T load(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

template <class T>
float to_float(T value, bool unit) {
    if constexpr (std::is_floating_point_v<T>) {
        return value;
    } else {
        if (!unit) return static_cast<float>(value);
        // In double: a 32-bit integer has more digits than a float. Both -128 and -127 are -1.
        return static_cast<float>(std::max(static_cast<double>(value) / std::numeric_limits<T>::max(), -1.0));
    }
}

/// Where the values of a sparse accessor go.
std::vector<uint32_t> read_sparse_indices(const GltfDocument& doc, int index) {
    const tinygltf::Accessor& accessor = doc.model.accessors[static_cast<size_t>(index)];
    const auto& sparse = accessor.sparse;
    std::vector<uint32_t> targets(static_cast<size_t>(sparse.count));
    const char* bytes = doc.view_bytes(sparse.indices.bufferView).data() + sparse.indices.byteOffset;
    with_component_type(sparse.indices.componentType, [&](auto zero) {
        using T = decltype(zero);
        for (size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<uint32_t>(load<T>(bytes + i * sizeof(T)));
    });
    const auto label = [&](size_t i) {
        return "sparse index " + std::to_string(targets[i]) + " of " + accessor_label(doc, index);
    };
    for (size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] >= accessor.count)
            fail_gltf(doc.path, label(i) + " is out of range: the accessor has only " + std::to_string(accessor.count) +
                                    " elements");
        if (i > 0 && targets[i] <= targets[i - 1])
            fail_gltf(doc.path,
                      label(i) + " follows " + std::to_string(targets[i - 1]) + "; sparse indices must increase");
    }
    return targets;
}

/// Calls `read(position, bytes of the element)` for every element of the base view, then for the sparse values.
template <class Read>
void for_each_element(const GltfDocument& doc, int index, Read read) {
    const tinygltf::Accessor& accessor = doc.model.accessors[static_cast<size_t>(index)];
    if (accessor.bufferView >= 0) {
        const char* bytes = doc.view_bytes(accessor.bufferView).data() + accessor.byteOffset;
        const size_t stride = accessor_stride(doc.model, accessor);
        for (size_t i = 0; i < accessor.count; ++i) read(i, bytes + i * stride);
    }
    if (!accessor.sparse.isSparse) return;
    const std::vector<uint32_t> targets = read_sparse_indices(doc, index);
    const char* bytes = doc.view_bytes(accessor.sparse.values.bufferView).data() + accessor.sparse.values.byteOffset;
    const size_t size = component_size(accessor.componentType) * component_count(accessor.type);
    for (size_t i = 0; i < targets.size(); ++i) read(targets[i], bytes + i * size);
}

}  // namespace

std::string accessor_label(const GltfDocument& doc, int accessor) {
    const std::string& name = doc.model.accessors[static_cast<size_t>(accessor)].name;
    return "accessor " + std::to_string(accessor) + (name.empty() ? "" : " (\"" + name + "\")");
}

template <class Vec>
std::vector<Vec> read_vectors(const GltfDocument& doc, int index, uint32_t num_components, IntegerScale scale,
                              Vec fill) {
    const tinygltf::Accessor& accessor = doc.model.accessors[static_cast<size_t>(index)];
    const bool unit = accessor.normalized || scale == IntegerScale::Unit;
    // An element that no view defines is zero, whatever stands in for the components the accessor lacks.
    Vec initial = fill;
    for (uint32_t c = 0; c < num_components; ++c) initial[static_cast<int>(c)] = 0.0f;
    std::vector<Vec> values(accessor.count, initial);
    with_component_type(accessor.componentType, [&](auto zero) {
        using T = decltype(zero);
        for_each_element(doc, index, [&](size_t i, const char* bytes) {
            for (uint32_t c = 0; c < num_components; ++c)
                values[i][static_cast<int>(c)] = to_float(load<T>(bytes + c * sizeof(T)), unit);
        });
    });
    return values;
}

template std::vector<Vec2> read_vectors(const GltfDocument&, int, uint32_t, IntegerScale, Vec2);
template std::vector<Vec3> read_vectors(const GltfDocument&, int, uint32_t, IntegerScale, Vec3);
template std::vector<Vec4> read_vectors(const GltfDocument&, int, uint32_t, IntegerScale, Vec4);

std::vector<uint32_t> read_indices(const GltfDocument& doc, int index) {
    const tinygltf::Accessor& accessor = doc.model.accessors[static_cast<size_t>(index)];
    const int type = accessor.componentType;
    if (accessor.type != TINYGLTF_TYPE_SCALAR ||
        (type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE && type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT &&
         type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT))
        fail_gltf(doc.path, accessor_label(doc, index) +
                                " holds vertex indices, but is not a list of unsigned 8, 16 or 32 bit integers");
    std::vector<uint32_t> values(accessor.count, 0);
    with_component_type(type, [&](auto zero) {
        using T = decltype(zero);
        for_each_element(doc, index,
                         [&](size_t i, const char* bytes) { values[i] = static_cast<uint32_t>(load<T>(bytes)); });
    });
    return values;
}

}  // namespace warpath
