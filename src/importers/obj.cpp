#include <algorithm>
#include <unordered_map>

#include "importers/file_bytes.h"
#include "importers/mtl.h"
#include "importers/obj_data.h"
#include "importers/obj_mesh.h"
#include "importers/registry.h"
#include "importers/resource_path.h"
#include "importers/text_scan.h"
#include "warpath/error.h"

namespace warpath {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
    std::error_code ec;
    return fs::is_regular_file(path, ec);
}

/// The files that one mtllib statement names: all of its words together if there is such a file, else from left to
/// right the longest run of words that is one, else single words.
std::vector<fs::path> library_files(const fs::path& obj, const std::string& arguments,
                                    std::vector<std::string>& warnings) {
    std::vector<std::pair<size_t, size_t>> words;  // begin and end in `arguments`
    for (size_t i = 0; i < arguments.size();) {
        while (i < arguments.size() && is_blank(arguments[i])) ++i;
        const size_t begin = i;
        while (i < arguments.size() && !is_blank(arguments[i])) ++i;
        if (i > begin) words.emplace_back(begin, i);
    }
    std::vector<fs::path> files;
    for (size_t first = 0; first < words.size();) {
        size_t last = words.size() - 1;
        const auto name = [&] { return arguments.substr(words[first].first, words[last].second - words[first].first); };
        std::vector<std::string> unsaid;  // only the name that is taken may warn
        while (last > first && !is_file(resolve_resource(obj, name(), unsaid))) --last;
        files.push_back(resolve_resource(obj, name(), warnings));
        first = last + 1;
    }
    return files;
}

/// Materials by name; the first definition wins.
using Library = std::unordered_map<std::string, MtlMaterial>;

Library read_libraries(const ObjData& data, const fs::path& obj, std::vector<std::string>& warnings) {
    Library library;
    std::vector<fs::path> read;
    for (const std::string& arguments : data.libraries)
        for (const fs::path& file : library_files(obj, arguments, warnings)) {
            if (std::find(read.begin(), read.end(), file) != read.end()) continue;
            read.push_back(file);
            try {
                std::string text = read_file_bytes(file);
                for (MtlMaterial& m : parse_mtl(text, file, warnings)) library.try_emplace(m.name, std::move(m));
            } catch (const Error& error) {
                warnings.push_back("material library of " + obj.filename().string() + ": " + error.what() +
                                   "; its materials become grey");
            }
        }
    return library;
}

uint32_t add_material(Scene& scene, const Material& material, const std::string& name) {
    scene.materials.push_back(material);
    scene.material_names.push_back(name);
    return static_cast<uint32_t>(scene.materials.size() - 1);
}

/// Adds the materials that faces use; returns the scene's index for each name of the file.
std::vector<uint32_t> add_materials(const ObjData& data, Library& library, Scene& scene, const fs::path& obj, const LoadWatch& watch) {
    TextureCache textures(scene, &watch);
    std::vector<uint8_t> used(data.material_names.size(), 0);
    for (const ObjFace& face : data.faces)
        if (face.material != invalid_id) used[face.material] = 1;
    std::vector<uint32_t> ids(data.material_names.size(), invalid_id);
    std::string unknown;
    size_t num_unknown = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
        const std::string& name = data.material_names[i];
        const auto it = library.find(name);
        if (!used[i]) continue;
        if (it == library.end() && ++num_unknown <= 8) unknown += (unknown.empty() ? "'" : ", '") + name + "'";
        ids[i] = add_material(
            scene, it == library.end() ? default_obj_material() : make_mtl_material(it->second, textures, scene), name);
    }
    if (num_unknown > 8) unknown += " and " + std::to_string(num_unknown - 8) + " more";
    if (num_unknown > 0)
        scene.warnings.push_back(obj.filename().string() + " uses materials that no library defines: " + unknown +
                                 "; they become grey");
    return ids;
}

}  // namespace

Scene import_obj(const fs::path& path, const LoadWatch& watch) {
    Scene scene;
    scene.path = path.string();
    ObjData data;
    {
        std::string text = read_file_bytes(path);
        data = parse_obj(text, path, scene.warnings, watch);
    }
    if (data.faces.empty())
        throw Error(ErrorCode::BadInput,
                    path.string() + ": nothing to render: the file has no faces (f) with three corners or more, only " +
                        std::to_string(data.positions.size()) + " vertices");
    Library library = read_libraries(data, path, scene.warnings);
    const std::vector<uint32_t> ids = add_materials(data, library, scene, path, watch);
    uint32_t no_material = invalid_id;
    if (std::any_of(data.faces.begin(), data.faces.end(), [](const ObjFace& f) { return f.material == invalid_id; }))
        no_material = add_material(scene, default_obj_material(), "default");

    watch.check();
    make_obj_normals(data);
    watch.check();
    Mesh mesh = build_obj_mesh(std::move(data), ids, no_material);
    mesh.name = path.stem().string();
    scene.meshes.push_back(std::move(mesh));
    scene.instances.push_back({path.stem().string(), 0, glm::dmat4(1.0)});
    return scene;
}

}  // namespace warpath
