#include "scene/scene_data.h"

#include <algorithm>

#include "scene/scene_edit.h"

namespace warpath {

namespace {

constexpr auto link = [](const char*, auto& to, const auto& from) {
    to.data = from.data();
    to.size = static_cast<uint32_t>(std::min<size_t>(from.size(), 0xffffffffu));  // only texels may be more
};

}  // namespace

SceneView view_of(const SceneColumns<HostColumn>& columns) {
    SceneView view;
    SceneColumns<ViewColumn>::for_each_column(link, view, columns);
    return view;
}

SceneView SceneData::view() const {
    SceneView view = view_of(columns);
    static_cast<SceneConstants&>(view) = constants;
    return view;
}

SceneView edited_view(const SceneView& loaded, const SceneEdit& edit) {
    SceneView view = loaded;
    static_cast<SceneConstants&>(view) = edit.constants;
    size_t i = 0;
    const auto replace = [&](const char* name, auto& to, const auto& from) {
        if (edit.version[i++] != 0) link(name, to, from);
    };
    SceneColumns<ViewColumn>::for_each_column(replace, view, edit.columns);
    return view;
}

}  // namespace warpath
