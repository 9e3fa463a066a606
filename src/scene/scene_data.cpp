#include "scene/scene_data.h"

#include <algorithm>

namespace warpath {

SceneView SceneData::view() const {
    SceneView view;
    static_cast<SceneConstants&>(view) = constants;
    const auto link = [](const char*, auto& to, const auto& from) {
        to.data = from.data();
        to.size = static_cast<uint32_t>(std::min<size_t>(from.size(), 0xffffffffu));  // only texels may be more
    };
    SceneColumns<ViewColumn>::for_each_column(link, view, columns);
    return view;
}

}  // namespace warpath
