#include "importers/gltf.h"

#include <new>
#include <stdexcept>
#include <unordered_set>

#include "importers/gltf_document.h"
#include "importers/gltf_materials.h"
#include "importers/gltf_nodes.h"
#include "warpath/error.h"

namespace warpath {

namespace {

/// Keeps the first of equal warnings.
void remove_repeats(std::vector<std::string>& warnings) {
    std::unordered_set<std::string> seen;
    std::erase_if(warnings, [&](const std::string& text) { return !seen.insert(text).second; });
}

}  // namespace

Scene import_gltf(const std::filesystem::path& path, const LoadWatch& watch) try {
    Scene scene;
    scene.path = path.string();
    watch.at(LoadStep::Reading, 0.0, path.filename().string());
    GltfDocument document = load_gltf_document(path);
    document.watch = &watch;
    read_gltf_materials(document, scene);
    place_gltf_nodes(document, scene);
    scene.warnings.insert(scene.warnings.begin(), document.warnings.begin(), document.warnings.end());
    remove_repeats(scene.warnings);
    return scene;
} catch (const std::length_error&) {
    throw Error(ErrorCode::OutOfMemory,
                "cannot load '" + path.string() + "': it asks for more memory than can be addressed");
} catch (const std::bad_alloc&) {
    throw Error(ErrorCode::OutOfMemory, "cannot load '" + path.string() + "': there is not enough memory for it");
}

}  // namespace warpath
