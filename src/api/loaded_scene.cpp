#include <chrono>

#include "api/bvh_cache.h"
#include "api/material_parameters.h"
#include "api/scene_impl.h"
#include "bvh/build.h"
#include "importers/importer.h"
#include "lights/light_tables.h"
#include "materials/bsdf.h"
#include "materials/energy.h"
#include "scene/flatten.h"
#include "warpath/error.h"

namespace warpath {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

Vec3 vec3(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }
std::array<float, 3> array3(Vec3 v) { return {v.x, v.y, v.z}; }

std::string describe_environment(const std::optional<Environment>& environment) {
    if (!environment) return "none";
    if (environment->width == 0) return "constant";
    return environment->name + ", " + std::to_string(environment->width) + "x" + std::to_string(environment->height);
}

LoadWatch watch_of(const LoadOptions& options) {
    const auto report = [progress = options.progress](LoadStep step, double share, const std::string& item) {
        progress({static_cast<LoadStage>(step), share, item});
    };
    return {options.progress ? LoadWatch::Report(report) : LoadWatch::Report(), options.stop};
}

/// For rebuilding the tables with another factor. A map without factors lies in the scene's columns already.
std::optional<Environment> kept_environment(std::optional<Environment>& environment) {
    if (environment && environment->color == Vec3(1.0f) && environment->scale == 1.0f) environment->texels = {};
    return std::move(environment);
}

/// By material: whether all of its triangles have traversal ask for alpha. A material without triangles may do as it likes.
std::vector<uint8_t> alpha_materials(const SceneColumns<HostColumn>& columns) {
    std::vector<uint8_t> asks(columns.materials.size(), 1);
    for (const Triangle& triangle : columns.triangles)
        if (!(triangle.flags & triangle_has_alpha)) asks[triangle.material_id] = 0;
    return asks;
}

void apply_options(Scene& scene, const LoadOptions& options) {
    if (options.environment) scene.environment = import_environment(*options.environment, &scene.warnings);
    if (!options.camera) return;
    Camera camera;
    camera.name = "command line";
    camera.eye = vec3(options.camera->eye);
    camera.target = vec3(options.camera->target);
    camera.up = vec3(options.camera->up);
    camera.vfov_deg = options.camera->vfov_deg;
    camera.aperture = options.camera->aperture;
    camera.focus_distance = options.camera->focus_distance;
    scene.cameras.insert(scene.cameras.begin(), camera);
}

Bvh obtain_bvh(SceneData& data, const LoadOptions& options, SceneInfo& info) {
    BvhOptions bvh_options = bvh_preset(static_cast<BvhPreset>(options.bvh));
    bvh_options.stop = options.stop;
    bvh_options.num_threads = options.num_threads;
    BvhCache cache;
    cache.folder = options.bvh_cache;
    Bvh bvh = cache.obtain(geometry_of(data), bvh_options);
    data.instance_spaces = {};
    info.bvh_quality = bvh_quality_name(options.bvh);
    info.bvh_cache = cache.state;
    data.warnings.insert(data.warnings.end(), cache.warnings.begin(), cache.warnings.end());
    return bvh;
}

void describe(const SceneData& data, const Bvh& bvh, SceneInfo& info) {
    const SceneColumns<HostColumn>& columns = data.columns;
    info.num_triangles = data.num_prims;
    info.num_stored_triangles = columns.triangles.size();
    info.num_shared_meshes = data.shared_meshes.size();
    info.num_shared_instances = columns.instances.size();
    info.num_skipped_triangles = data.num_skipped_triangles;
    info.num_vertices = columns.vertices.size();
    info.num_materials = columns.materials.size();
    info.num_textures = columns.textures.size();
    info.num_emissive_triangles = columns.emitters.size();
    info.num_punctual_lights = columns.lights.size();
    info.has_sun = data.constants.has_sun;
    info.bounds_lo = array3(data.constants.bounds.lo);
    info.bounds_hi = array3(data.constants.bounds.hi);
    info.material_names = data.material_names;
    info.warnings = data.warnings;
    const Camera& camera = data.cameras.front();
    info.camera = {array3(camera.eye), array3(camera.target), array3(camera.up), camera.vfov_deg, camera.aperture, camera.focus_distance};
    info.bvh_nodes = bvh.statistics.num_nodes;
    info.bvh_leaves = bvh.statistics.num_leaves;
    info.bvh_references = bvh.statistics.num_references;
    info.bvh_bytes = bvh.statistics.size_bytes;
    info.bvh_max_depth = bvh.statistics.max_depth;
    info.bvh_sah_cost = bvh.statistics.sah_cost;
    info.bvh_build_ms = bvh.statistics.build_ms;
    SceneColumns<HostColumn>::for_each_column(
        [&](const char*, const auto& column) { info.scene_bytes += column.size() * sizeof(column[0]); }, columns);
    const RenderDefaults& defaults = data.defaults;
    info.width = defaults.width, info.height = defaults.height, info.spp = defaults.spp, info.max_depth = defaults.max_depth;
    info.seed = defaults.seed, info.exposure = defaults.exposure, info.sampler = defaults.sampler, info.filter = defaults.filter;
}

}  // namespace

const char* bvh_quality_name(BvhQuality quality) { return bvh_quality_names()[static_cast<size_t>(quality)].c_str(); }

const std::vector<std::string>& bvh_quality_names() {
    static const std::vector<std::string> names = {"fast", "balanced", "best", "splits"};
    return names;
}

BvhQuality bvh_quality_of(const std::string& name) {
    if (name == "splits") return BvhQuality::Balanced;
    for (const BvhQuality quality : {BvhQuality::Fast, BvhQuality::Balanced, BvhQuality::Best}) {
        if (name == bvh_quality_name(quality)) return quality;
    }
    throw Error(ErrorCode::BadOption, "there is no BVH '" + name + "': it is fast, balanced or best");
}

const char* instancing_name(Instancing instancing) { return instancing_names()[static_cast<size_t>(instancing)].c_str(); }

const std::vector<std::string>& instancing_names() {
    static const std::vector<std::string> names = {"auto", "on", "off"};
    return names;
}

Instancing instancing_of(const std::string& name) {
    for (const Instancing instancing : {Instancing::Auto, Instancing::On, Instancing::Off})
        if (name == instancing_name(instancing)) return instancing;
    throw Error(ErrorCode::BadOption, "there is no instancing '" + name + "': it is auto, on or off");
}

LoadedScene LoadedScene::load(const std::filesystem::path& path, const LoadOptions& options) {
    const auto start = Clock::now();
    auto impl = std::make_shared<SceneImpl>();
    SceneInfo& info = impl->info;

    const LoadWatch watch = watch_of(options);
    watch.at(LoadStep::Reading, 0.0, path.filename().string());
    Scene scene = import_scene(path, watch);
    apply_options(scene, options);
    add_defaults(scene);
    for (Material& material : scene.materials) material.kind = simplified_kind(material);
    info.num_meshes = scene.meshes.size();
    info.num_instances = scene.instances.size();
    info.environment = describe_environment(scene.environment);
    if (scene.environment) info.environment_rotation_deg = scene.environment->rotation_deg, info.environment_scale = scene.environment->scale;

    watch.at(LoadStep::Flattening);
    impl->data = flatten(std::move(scene), static_cast<InstanceSharing>(options.instancing));
    info.instancing = instancing_name(options.instancing);
    watch.at(LoadStep::Lights);
    SceneData& data = impl->data;
    for (std::string& warning : build_light_tables(data.columns, data.constants, data.environment, data.sun, &impl->lights))
        data.warnings.push_back(std::move(warning));
    impl->environment = kept_environment(data.environment);
    data.environment.reset();
    impl->asks_alpha = alpha_materials(data.columns);
    data.columns.energy_tables = make_energy_tables();

    watch.at(LoadStep::Bvh);
    impl->bvh = obtain_bvh(data, options, info);
    describe(data, impl->bvh, info);
    info.load_ms = ms_since(start) - info.bvh_build_ms;

    watch.at(LoadStep::Done, 1.0);
    LoadedScene loaded;
    loaded.impl_ = std::move(impl);
    return loaded;
}

const SceneInfo& LoadedScene::info() const { return impl_->info; }

std::vector<MaterialInfo> LoadedScene::materials() const {
    const SceneData& data = impl_->data;
    std::vector<MaterialInfo> infos;
    for (size_t i = 0; i < data.columns.materials.size(); ++i) {
        const Material& material = data.columns.materials[i];
        infos.push_back({data.material_names[i], parameters_of(material), alpha_mode_name(material.alpha_mode), textured_parameters(material),
                         material.alpha_mode != AlphaMode::Opaque && impl_->asks_alpha[i] != 0});
    }
    return infos;
}

const char* describe(LoadStage stage) {
    constexpr const char* names[] = {"reading the scene", "reading textures", "laying out triangles", "finding lights", "building the BVH", "done"};
    return names[static_cast<size_t>(stage)];
}

}  // namespace warpath
