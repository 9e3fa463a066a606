#include "api/scene_editor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "api/material_parameters.h"
#include "warpath/error.h"

namespace warpath {

namespace {

bool same_lights(const std::vector<Triangle>& a, ArrayView<Triangle> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Triangle& x, const Triangle& y) { return x.light_id == y.light_id; });
}

}  // namespace

SceneEditor::SceneEditor(const SceneImpl& scene) : scene_(scene), lights_(scene.lights) {
    edit_.constants = scene.data.constants;
    if (!scene.environment) return;
    rotation_deg_ = scene.environment->rotation_deg;
    scale_ = scene.environment->scale;
}

const Material& SceneEditor::material(uint32_t index) const {
    const std::vector<Material>& loaded = scene_.data.columns.materials;
    if (index >= loaded.size())
        throw Error(ErrorCode::BadOption, "there is no material " + std::to_string(index) + "; the scene has " + std::to_string(loaded.size()));
    return (edit_.columns.materials.empty() ? loaded : edit_.columns.materials)[index];
}

/// Triangles say for good whether traversal asks their material's alpha.
void SceneEditor::check_alpha(uint32_t index, const Material& material) const {
    if (scene_.asks_alpha[index] || material.alpha_mode == AlphaMode::Opaque) return;
    if (material.alpha >= 1.0f && (material.alpha_mode != AlphaMode::Mask || material.alpha_cutoff <= 1.0f)) return;
    throw Error(ErrorCode::Unavailable, "material \"" + scene_.data.material_names[index] +
                                            "\" was opaque when the scene was loaded and cannot become transparent; change its file and load it again");
}

bool SceneEditor::set_material(uint32_t index, const MaterialParameters& parameters) {
    const Material& before = material(index);
    check_parameters(scene_.data.material_names[index], parameters);
    if (parameters_of(before) == parameters) return false;
    const Material after = with_parameters(before, parameters);
    check_alpha(index, after);
    const bool other_alpha = before.alpha != after.alpha || before.alpha_cutoff != after.alpha_cutoff;
    if (before.emission != after.emission || (after.emits() && other_alpha)) {
        rebuild_emitters(index, after);
    } else {
        if (edit_.columns.materials.empty()) edit_.columns.materials = scene_.data.columns.materials;
        edit_.columns.materials[index] = after;
    }
    edit_.touch(edit_.columns.materials);
    return true;
}

/// Everything is made beside what is in use and then moved in.
void SceneEditor::rebuild_emitters(uint32_t index, const Material& material) {
    SceneView scene = view();
    std::vector<Material> materials(scene.materials.begin(), scene.materials.end());
    materials[index] = material;
    std::vector<Triangle> triangles(scene.triangles.begin(), scene.triangles.end());
    std::vector<Emitter> emitters;
    std::vector<AliasEntry> alias;
    const ArrayView<Triangle> before = scene.triangles;
    scene.materials.data = materials.data();
    scene.triangles.data = triangles.data();
    lights_.emitters = build_emitters(scene, triangles, emitters, alias);
    if (!same_lights(triangles, before)) {
        edit_.columns.triangles = std::move(triangles);
        edit_.touch(edit_.columns.triangles);
    }
    edit_.columns.materials = std::move(materials);
    edit_.columns.emitters = std::move(emitters);
    edit_.columns.emitter_alias = std::move(alias);
    edit_.touch(edit_.columns.emitters), edit_.touch(edit_.columns.emitter_alias);
    set_light_shares(edit_.constants, lights_);
}

Environment SceneEditor::environment_with_texels() const {
    Environment environment = *scene_.environment;
    if (environment.width != 0 && environment.texels.empty()) environment.texels = scene_.data.columns.env_texels;
    environment.rotation_deg = rotation_deg_;
    environment.scale = scale_;
    return environment;
}

void SceneEditor::rebuild_sky() {
    std::vector<std::string> warnings;  // as when it was loaded
    lights_.environment = build_sky(edit_.columns, edit_.constants, environment_with_texels(), warnings);
    edit_.touch(edit_.columns.env_texels), edit_.touch(edit_.columns.env_alias), edit_.touch(edit_.columns.env_pdf);
    set_light_shares(edit_.constants, lights_);
}

bool SceneEditor::set_environment(float rotation_deg, float scale) {
    if (!scene_.environment) throw Error(ErrorCode::Unavailable, "the scene has no environment to rotate or scale; load it with one");
    if (!std::isfinite(rotation_deg) || !std::isfinite(scale) || scale < 0.0f)
        throw Error(ErrorCode::BadInput, "the environment's rotation and scale must be finite, and the scale not negative");
    const bool rotates = rotation_deg != rotation_deg_ && scene_.environment->width != 0, scales = scale != scale_;
    rotation_deg_ = rotation_deg, scale_ = scale;
    if (scales)
        rebuild_sky();
    else if (rotates)
        edit_.constants.env_rotation = rotation_deg * (pi / 180.0f);
    return rotates || scales;
}

}  // namespace warpath
