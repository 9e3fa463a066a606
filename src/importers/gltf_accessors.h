#pragma once

#include <cstdint>
#include <vector>

#include "core/math.h"
#include "importers/gltf_document.h"

namespace warpath {

/// How integers become floats.
enum class IntegerScale : uint8_t {
    AsDeclared,  ///< to [0,1] or [-1,1] if the accessor says "normalized", else their own value
    Unit,        ///< always to [0,1] or [-1,1]
};

/// Reads an accessor into vectors, sparse values included. Only the first `num_components` floats of each Vec are
/// written; the others keep `fill`. Shapes:  accessor.count entries. The accessor must have `num_components`
/// components. Errors:  BadInput for sparse indices that do not increase or exceed the count. Source:  glTF 2.0
/// Specification, section 3.6.2, "Accessors".
template <class Vec>
std::vector<Vec> read_vectors(const GltfDocument& doc, int accessor, uint32_t num_components, IntegerScale scale,
                              Vec fill = Vec(0.0f));

/// Reads vertex indices (unsigned 8, 16 or 32 bits).
/// Errors:  BadInput for an accessor of another type, or as above.
std::vector<uint32_t> read_indices(const GltfDocument& doc, int accessor);

/// "accessor 3", with its name if it has one.
std::string accessor_label(const GltfDocument& doc, int accessor);

}  // namespace warpath
