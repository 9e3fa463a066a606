#pragma once

#include <string>
#include <vector>

#include "importers/registry.h"
#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::test {

/// Loads OBJ texts from a folder that may hold MTL files and textures as well.
class ObjFolder : public TemporaryFolder {
  public:
    Scene load(const std::string& text) const { return import_obj(write("scene.obj", text)); }

    /// The message of the Error that loading throws, or "".
    std::string error_of(const std::string& text) const {
        try {
            load(text);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline size_t num_warnings_with(const Scene& scene, const std::string& part) {
    size_t n = 0;
    for (const std::string& w : scene.warnings) n += contains(w, part);
    return n;
}

inline Bounds bounds_of(const Mesh& mesh) {
    Bounds b;
    for (const UVec3& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) b.grow(mesh.positions[t[k]]);
    return b;
}

/// The material of that name; the scene must have it.
inline const Material& material(const Scene& scene, const std::string& name) {
    for (size_t i = 0; i < scene.materials.size(); ++i)
        if (scene.material_names[i] == name) return scene.materials[i];
    throw std::runtime_error("no material " + name);
}

}  // namespace warpath::test
