#include "cli/scene_report.h"

#include <array>
#include <cstdio>

#include "cli/log.h"
#include "cli/parse.h"

namespace warpath::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string nine_digits(double x) {
    std::array<char, 40> text;
    std::snprintf(text.data(), text.size(), "%.9g", x);
    return text.data();
}

std::string vector_text(const std::array<float, 3>& v) {
    return nine_digits(v[0]) + " " + nine_digits(v[1]) + " " + nine_digits(v[2]);
}

void add_bvh_lines(const SceneInfo& info, std::vector<std::string>& lines) {
    lines.push_back("bvh kind: " + info.bvh_quality);
    lines.push_back("bvh cache: " + info.bvh_cache);
    lines.push_back("bvh nodes: " + std::to_string(info.bvh_nodes));
    lines.push_back("bvh leaves: " + std::to_string(info.bvh_leaves));
    lines.push_back("bvh references: " + std::to_string(info.bvh_references));
    lines.push_back("bvh max depth: " + std::to_string(info.bvh_max_depth));
    lines.push_back("bvh SAH cost: " + nine_digits(info.bvh_sah_cost));
    lines.push_back("bvh bytes: " + std::to_string(info.bvh_bytes));
    lines.push_back("bvh build ms: " + nine_digits(info.bvh_build_ms));
}

/// What the scene file says about rendering; keys that it leaves out are left out here.
Json settings_json(const SceneInfo& info) {
    Json settings = Json::object();
    if (info.width) settings["width"] = *info.width;
    if (info.height) settings["height"] = *info.height;
    if (info.spp) settings["spp"] = *info.spp;
    if (info.max_depth) settings["max_depth"] = *info.max_depth;
    if (info.seed) settings["seed"] = *info.seed;
    if (info.exposure) settings["exposure"] = *info.exposure;
    if (info.sampler) settings["sampler"] = *info.sampler;
    if (info.filter) settings["filter"] = *info.filter;
    return settings;
}

}  // namespace

std::vector<std::string> scene_lines(const SceneInfo& info) {
    std::vector<std::string> lines = {
        "triangles: " + std::to_string(info.num_triangles),
        "skipped triangles: " + std::to_string(info.num_skipped_triangles),
        "vertices: " + std::to_string(info.num_vertices),
        "meshes: " + std::to_string(info.num_meshes),
        "instances: " + std::to_string(info.num_instances),
        "instancing: " + info.instancing,
        "shared meshes: " + std::to_string(info.num_shared_meshes),
        "shared instances: " + std::to_string(info.num_shared_instances),
        "stored triangles: " + std::to_string(info.num_stored_triangles),
        "materials: " + std::to_string(info.num_materials),
    };
    for (const std::string& name : info.material_names) lines.push_back("material: " + printable(name));
    lines.push_back("textures: " + std::to_string(info.num_textures));
    lines.push_back("emissive triangles: " + std::to_string(info.num_emissive_triangles));
    lines.push_back("punctual lights: " + std::to_string(info.num_punctual_lights));
    lines.push_back(std::string("sun: ") + (info.has_sun ? "yes" : "no"));
    lines.push_back("environment: " + printable(info.environment));
    lines.push_back("bounds: " + vector_text(info.bounds_lo) + " " + vector_text(info.bounds_hi));
    lines.push_back("camera: " + format_camera(info.camera));
    const Json settings = settings_json(info);
    for (const auto& [key, value] : settings.items())
        lines.push_back("setting " + key + ": " +
                        (value.is_string() ? printable(value.get<std::string>()) : value.dump()));
    add_bvh_lines(info, lines);
    lines.push_back("scene bytes: " + std::to_string(info.scene_bytes));
    lines.push_back("load ms: " + nine_digits(info.load_ms));
    return lines;
}

Json scene_json(const SceneInfo& info) {
    return {{"triangles", info.num_triangles},
            {"skipped_triangles", info.num_skipped_triangles},
            {"vertices", info.num_vertices},
            {"meshes", info.num_meshes},
            {"instances", info.num_instances},
            {"instancing",
             {{"mode", info.instancing},
              {"shared_meshes", info.num_shared_meshes},
              {"shared_instances", info.num_shared_instances},
              {"stored_triangles", info.num_stored_triangles}}},
            {"materials", info.num_materials},
            {"material_names", info.material_names},
            {"textures", info.num_textures},
            {"emissive_triangles", info.num_emissive_triangles},
            {"punctual_lights", info.num_punctual_lights},
            {"sun", info.has_sun},
            {"environment", info.environment},
            {"bounds", {info.bounds_lo, info.bounds_hi}},
            {"camera", format_camera(info.camera)},
            {"settings", settings_json(info)},
            {"bvh",
             {{"kind", info.bvh_quality},
              {"cache", info.bvh_cache},
              {"nodes", info.bvh_nodes},
              {"leaves", info.bvh_leaves},
              {"references", info.bvh_references},
              {"max_depth", info.bvh_max_depth},
              {"sah_cost", info.bvh_sah_cost},
              {"size_bytes", info.bvh_bytes},
              {"build_ms", info.bvh_build_ms}}},
            {"size_bytes", info.scene_bytes},
            {"load_ms", info.load_ms},
            {"warnings", info.warnings}};
}

std::vector<std::string> memory_lines(const std::vector<MemoryItem>& plan) {
    std::vector<std::string> lines;
    for (const MemoryItem& item : plan)
        lines.push_back("memory " + printable(item.name) + ": " + std::to_string(item.size_bytes));
    lines.push_back("memory total: " + std::to_string(total_bytes(plan)));
    return lines;
}

Json memory_json(const std::vector<MemoryItem>& plan) {
    Json items = Json::array();
    for (const MemoryItem& item : plan) items.push_back({{"name", item.name}, {"size_bytes", item.size_bytes}});
    return items;
}

uint64_t total_bytes(const std::vector<MemoryItem>& plan) {
    uint64_t sum = 0;
    for (const MemoryItem& item : plan) sum += item.size_bytes;
    return sum;
}

std::string json_text(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpath::cli
