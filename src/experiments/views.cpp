#include "experiments/views.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "warpath/error.h"

namespace warpath::experiments {
namespace {

using Json = nlohmann::json;

View read_view(const Json& entry, const std::filesystem::path& folder) {
    View view{entry.at("name"), folder / entry.at("scene").get<std::string>(), {}};
    if (entry.contains("camera")) view.load.camera = read_camera(entry["camera"]);
    if (entry.contains("env")) view.load.environment = folder / entry["env"].get<std::string>();
    return view;
}

std::vector<View> all_views(const std::filesystem::path& list, const std::filesystem::path& folder) {
    std::ifstream file(list);
    if (!file) throw Error(ErrorCode::Io, "cannot read the list of views " + list.string());
    std::vector<View> views;
    try {
        const Json document = Json::parse(file);
        for (const Json& entry : document.at("views")) views.push_back(read_view(entry, folder));
    } catch (const Json::exception& e) {
        throw Error(ErrorCode::BadInput, list.string() + " is no list of views: " + e.what());
    }
    return views;
}

}  // namespace

CameraOption read_camera(const std::string& text) {
    CameraOption c{};
    int length = 0;
    const int n =
        std::sscanf(text.c_str(), "%f,%f,%f/%f,%f,%f/%f,%f,%f/%f%n", &c.eye[0], &c.eye[1], &c.eye[2], &c.target[0],
                    &c.target[1], &c.target[2], &c.up[0], &c.up[1], &c.up[2], &c.vfov_deg, &length);
    if (n != 10 || static_cast<size_t>(length) != text.size())
        throw Error(ErrorCode::BadInput, "camera '" + text + "' is not ex,ey,ez/tx,ty,tz/ux,uy,uz/vfov");
    return c;
}

View view_of_scene(const std::filesystem::path& scene) { return {scene.stem().string(), scene, {}}; }

std::vector<View> read_views(const std::filesystem::path& list, const std::filesystem::path& folder,
                             const std::vector<std::string>& only) {
    const std::vector<View> all = all_views(list, folder);
    if (only.empty()) return all;
    std::vector<View> views;
    for (const std::string& name : only) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const View& view) { return view.name == name; });
        if (found == all.end())
            throw Error(ErrorCode::BadOption, "--only '" + name + "': " + list.string() + " has no such view");
        views.push_back(*found);
    }
    return views;
}

}  // namespace warpath::experiments
