#pragma once

#include "api/scene_impl.h"
#include "scene/scene_edit.h"

namespace warpath {

/// Changes a loaded scene as far as it can be changed without another BVH: parameters of materials, and the environment. What depends on them (which
/// triangles shine, tables by which lights are found, the film's range) follows, so that the edited scene is the one that loading the edited file
/// would give. The loaded scene itself stays as it is, and must outlive the editor.
class SceneEditor {
  public:
    explicit SceneEditor(const SceneImpl& scene);

    const SceneEdit& edit() const { return edit_; }
    SceneView view() const { return edited_view(scene_.data.view(), edit_); }
    const Material& material(uint32_t index) const;
    /// These say whether anything changed, and change nothing when they throw. Errors: as LiveFrame's functions of these names.
    bool set_material(uint32_t index, const MaterialParameters& parameters);
    bool set_environment(float rotation_deg, float scale);

  private:
    void check_alpha(uint32_t index, const Material& material) const;
    void rebuild_emitters(uint32_t index, const Material& material);
    void rebuild_sky();
    Environment environment_with_texels() const;

    const SceneImpl& scene_;
    SceneEdit edit_;
    LightShares lights_;
    float rotation_deg_ = 0.0f, scale_ = 1.0f;
};

}  // namespace warpath
