#include "importers/gltf_validate.h"

#include <algorithm>

namespace warpath {

namespace {

/// Elements of an accessor without a buffer view are all made here, so that a short file could ask for any amount.
constexpr size_t max_viewless_count = size_t{1} << 24;

std::string number(size_t n) { return std::to_string(n); }

/// Whether `count` elements of `size` bytes, `stride` bytes apart, fit into `available` bytes after `offset`.
bool fits(size_t offset, size_t count, size_t stride, size_t size, size_t available) {
    if (count == 0) return true;
    if (offset > available || size > available - offset) return false;
    return count - 1 <= (available - offset - size) / stride;
}

void check_view(const GltfDocument& doc, size_t index) {
    const tinygltf::BufferView& view = doc.model.bufferViews[index];
    const size_t available = doc.buffers[static_cast<size_t>(view.buffer)].size();
    const std::string name = "buffer view " + number(index);
    if (view.byteOffset > available || view.byteLength > available - view.byteOffset)
        fail_gltf(doc.path, name + " runs past the end of buffer " + std::to_string(view.buffer) + ": it needs " +
                                number(view.byteLength) + " bytes from byte " + number(view.byteOffset) +
                                ", but the buffer has only " + number(available));
    if (view.byteStride != 0 && (view.byteStride < 4 || view.byteStride > 252 || view.byteStride % 4 != 0))
        fail_gltf(doc.path, name + " has a byteStride of " + number(view.byteStride) +
                                "; it must be a multiple of 4 from 4 to 252");
}

void check_component_type(const GltfDocument& doc, const std::string& name, int type, bool only_indices) {
    constexpr int legal[] = {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                             TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,  TINYGLTF_COMPONENT_TYPE_BYTE,
                             TINYGLTF_COMPONENT_TYPE_SHORT,         TINYGLTF_COMPONENT_TYPE_FLOAT};
    const int* end = only_indices ? legal + 3 : std::end(legal);
    if (std::find(legal, end, type) == end)
        fail_gltf(doc.path,
                  name + " has the component type " + std::to_string(type) + ", which glTF does not allow there");
}

/// The part of an accessor that lies in one buffer view.
struct Region {
    std::string name;
    int view;
    size_t offset, count, stride, element_size;
};

void check_region(const GltfDocument& doc, const Region& region) {
    const size_t available = doc.model.bufferViews[static_cast<size_t>(region.view)].byteLength;
    if (!fits(region.offset, region.count, region.stride, region.element_size, available))
        fail_gltf(doc.path, region.name + " runs past the end of buffer view " + std::to_string(region.view) + ": " +
                                number(region.count) + " elements of " + number(region.element_size) + " bytes, " +
                                number(region.stride) + " bytes apart from byte " + number(region.offset) +
                                ", but the view has only " + number(available) + " bytes");
}

void check_sparse(const GltfDocument& doc, const tinygltf::Accessor& accessor, const std::string& name) {
    const auto& sparse = accessor.sparse;
    const auto count = static_cast<size_t>(sparse.count);
    if (count > accessor.count)
        fail_gltf(doc.path,
                  name + " has " + number(count) + " sparse values, but only " + number(accessor.count) + " elements");
    check_component_type(doc, "the sparse index of " + name, sparse.indices.componentType, true);
    const size_t index_size = component_size(sparse.indices.componentType);
    const size_t element_size = component_size(accessor.componentType) * component_count(accessor.type);
    check_region(doc, {"the sparse index of " + name, sparse.indices.bufferView,
                       static_cast<size_t>(sparse.indices.byteOffset), count, index_size, index_size});
    check_region(doc, {"the sparse values of " + name, sparse.values.bufferView,
                       static_cast<size_t>(sparse.values.byteOffset), count, element_size, element_size});
}

void check_accessor(const GltfDocument& doc, size_t index) {
    const tinygltf::Accessor& accessor = doc.model.accessors[index];
    const std::string name = "accessor " + number(index);
    check_component_type(doc, name, accessor.componentType, false);
    const size_t element_size = component_size(accessor.componentType) * component_count(accessor.type);
    if (accessor.bufferView < 0) {
        if (accessor.count > max_viewless_count)
            fail_gltf(doc.path, name + " has " + number(accessor.count) + " elements and no buffer view; at most " +
                                    number(max_viewless_count) + " are accepted");
    } else {
        const size_t stride = accessor_stride(doc.model, accessor);
        if (stride < element_size)
            fail_gltf(doc.path, name + " has elements of " + number(element_size) +
                                    " bytes, but the stride of buffer view " + std::to_string(accessor.bufferView) +
                                    " is only " + number(stride));
        check_region(doc, {name, accessor.bufferView, accessor.byteOffset, accessor.count, stride, element_size});
    }
    if (accessor.sparse.isSparse) check_sparse(doc, accessor, name);
}

}  // namespace

size_t component_size(int component_type) {
    return static_cast<size_t>(tinygltf::GetComponentSizeInBytes(static_cast<uint32_t>(component_type)));
}

size_t component_count(int type) {
    return static_cast<size_t>(tinygltf::GetNumComponentsInType(static_cast<uint32_t>(type)));
}

size_t accessor_stride(const tinygltf::Model& model, const tinygltf::Accessor& accessor) {
    const size_t stride = model.bufferViews[static_cast<size_t>(accessor.bufferView)].byteStride;
    return stride != 0 ? stride : component_size(accessor.componentType) * component_count(accessor.type);
}

void check_gltf_ranges(const GltfDocument& document) {
    for (size_t i = 0; i < document.model.bufferViews.size(); ++i) check_view(document, i);
    for (size_t i = 0; i < document.model.accessors.size(); ++i) check_accessor(document, i);
}

void check_gltf_forest(const GltfDocument& document) {
    const std::vector<tinygltf::Node>& nodes = document.model.nodes;
    std::vector<int> parent(nodes.size(), -1);
    for (size_t i = 0; i < nodes.size(); ++i) {
        for (const int child : nodes[i].children) {
            const std::string names = "node " + number(i) + " names node " + std::to_string(child);
            if (static_cast<size_t>(child) == i)
                fail_gltf(document.path, "node " + number(i) + " names itself as its own child");
            int& known = parent[static_cast<size_t>(child)];
            if (known == static_cast<int>(i)) fail_gltf(document.path, names + " as its child twice");
            if (known >= 0)
                fail_gltf(document.path,
                          names + " as its child, but that has the parent node " + std::to_string(known) + " already");
            known = static_cast<int>(i);
        }
    }
    // With one parent at most, a node that climbing never leads to a root from lies on a cycle or below one.
    std::vector<uint8_t> rooted(nodes.size(), 0);  // 1: on the path being climbed, 2: known to reach a root
    for (size_t i = 0; i < nodes.size(); ++i) {
        int at = static_cast<int>(i);
        for (; at >= 0 && rooted[static_cast<size_t>(at)] == 0; at = parent[static_cast<size_t>(at)])
            rooted[static_cast<size_t>(at)] = 1;
        if (at >= 0 && rooted[static_cast<size_t>(at)] == 1)
            fail_gltf(document.path, "the nodes form a cycle: node " + std::to_string(at) + " is its own ancestor");
        for (at = static_cast<int>(i); at >= 0 && rooted[static_cast<size_t>(at)] == 1;
             at = parent[static_cast<size_t>(at)])
            rooted[static_cast<size_t>(at)] = 2;
    }
    for (size_t i = 0; i < document.model.scenes.size(); ++i) {
        std::vector<int> roots = document.model.scenes[i].nodes;
        std::sort(roots.begin(), roots.end());
        if (const auto twice = std::adjacent_find(roots.begin(), roots.end()); twice != roots.end())
            fail_gltf(document.path, "scene " + number(i) + " lists node " + std::to_string(*twice) + " twice");
        for (const int root : roots)
            if (parent[static_cast<size_t>(root)] >= 0)
                fail_gltf(document.path, "scene " + number(i) + " lists node " + std::to_string(root) +
                                             ", which is no root: node " +
                                             std::to_string(parent[static_cast<size_t>(root)]) + " is its parent");
    }
}

}  // namespace warpath
