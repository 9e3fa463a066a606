#pragma once

#include "support/temporary_folder.h"
#include "warpath/scene.h"

namespace warpath::testing {

/// Turned, scaled, stretched and mirrored copies of a ball, a box, a sheet that is half there and a glass box, over a floor and
/// under a lamp, in a file of their own.
class CopiesScene {
  public:
    LoadedScene load(Instancing instancing, const std::filesystem::path& bvh_cache = {}) const {
        LoadOptions options;
        options.instancing = instancing;
        options.bvh_cache = bvh_cache;
        return LoadedScene::load(path_, options);
    }

  private:
    static constexpr const char* text = R"({
        "camera": {"eye": [0, 4, 9], "target": [0, 0.6, 0], "vfov_deg": 45},
        "environment": {"color": 0.3},
        "materials": [{"name": "grey", "base_color": 0.6, "specular": 0}, {"name": "lamp", "emission": 10},
                      {"name": "red", "base_color": [0.7, 0.2, 0.1], "roughness": 0.4},
                      {"name": "veil", "base_color": [0.1, 0.5, 0.2], "alpha": 0.5, "alpha_mode": "blend"},
                      {"name": "glass", "base_color": 1, "transmission": 1, "roughness": 0, "absorption": [0.5, 0.1, 0.1]}],
        "shapes": [
          {"type": "quad", "name": "floor", "material": "grey", "corners": [[-6, 0, 6], [6, 0, 6], [6, 0, -6], [-6, 0, -6]]},
          {"type": "disc", "name": "lamp", "material": "lamp", "center": [0, 6, 0], "normal": [0, -1, 0], "segments": 8},
          {"type": "sphere", "name": "balls", "material": ["red", "grey"], "subdivisions": 2, "radius": 0.5,
           "transform": [{"scale": [1, 0.6, 1.3]}, {"rotate_deg": [20, 30, 0]}, {"translate": [-3, 0.7, -2]}],
           "repeat": [{"count": 4, "step": [2, 0, 0], "jitter": [0.2, 0, 0.2]}], "vary": {"turn_deg": 180, "scale": [0.7, 1.2]}},
          {"type": "box", "name": "mirrored boxes", "material": "red", "transform": [{"scale": [-1, 1, 0.7]}, {"translate": [-2, 0.51, 0.5]}],
           "repeat": [{"count": 3, "step": [2, 0, 0]}], "vary": {"turn_deg": 45}},
          {"type": "box", "name": "glass boxes", "material": "glass", "transform": {"scale": 0.8, "translate": [-1, 0.5, 2.5]},
           "repeat": [{"count": 2, "step": [2, 0, 0]}]},
          {"type": "quad", "name": "veils", "material": "veil", "corners": [[-0.5, 0, 0], [0.5, 0, 0], [0.5, 1.5, 0], [-0.5, 1.5, 0]],
           "transform": {"translate": [-3, 0, 3]}, "repeat": [{"count": 5, "step": [1.5, 0, 0]}], "vary": {"turn_deg": 60}}]})";
    test::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_.write("copies.json", text);
};

}  // namespace warpath::testing
