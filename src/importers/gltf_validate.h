#pragma once

#include "importers/gltf_document.h"

/// Checks of a parsed file that go beyond types and indices. All arithmetic is safe against overflow.
namespace warpath {

/// Every buffer view lies inside its buffer, and every accessor, also its sparse part, inside its buffer view.
/// Errors:  BadInput, naming the buffer view or accessor, the bytes it needs and the bytes there.
void check_gltf_ranges(const GltfDocument& document);

/// The nodes form a forest: no node has two parents, none is its own ancestor, and scenes list roots only, each once.
/// Errors:  BadInput, naming the nodes.
void check_gltf_forest(const GltfDocument& document);

/// Bytes of one component (1, 2 or 4) and components of one element (1 to 16) of an accessor.
size_t component_size(int component_type);
size_t component_count(int type);

/// Distance between elements in bytes: the view's stride, or the element's size where it has none.
size_t accessor_stride(const tinygltf::Model& model, const tinygltf::Accessor& accessor);

}  // namespace warpath
