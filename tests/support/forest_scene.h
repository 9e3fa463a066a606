#pragma once

#include <string>

#include "support/temporary_folder.h"
#include "warpath/scene.h"

namespace warpath::testing {

/// side * side balls of 1280 triangles each, turned and scaled, over a floor.
class ForestScene {
  public:
    explicit ForestScene(uint32_t side) {
        const std::string n = std::to_string(side);
        path_ = folder_.write("forest.json", R"({"camera": {"eye": [-10, 12, -10], "target": [30, 0, 30]}, "environment": {"color": 1},
            "shapes": [{"type": "quad", "name": "ground", "corners": [[-9, 0, 9999], [9999, 0, 9999], [9999, 0, -9], [-9, 0, -9]]},
            {"type": "sphere", "name": "a tree with quite a long name", "subdivisions": 3, "transform": [{"scale": [1, 1.7, 1]}, {"translate": [0, 1.5, 0]}],
             "repeat": [{"count": )" + n + R"(, "step": [3, 0, 0]}, {"count": )" + n + R"(, "step": [0, 0, 3], "jitter": [0.8, 0, 0.8]}],
             "vary": {"turn_deg": 180, "scale": [0.5, 1.2]}}]})");
    }
    LoadedScene load(const LoadOptions& options = {}) const { return LoadedScene::load(path_, options); }

  private:
    test::TemporaryFolder folder_;
    std::filesystem::path path_;
};

}  // namespace warpath::testing
