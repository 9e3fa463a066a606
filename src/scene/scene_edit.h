#pragma once

#include <array>

#include "scene/scene_data.h"

namespace warpath {

/// What somebody changed in a scene that is in a device's memory: whole columns that replace those loaded, and the constants.
struct SceneEdit {
    SceneColumns<HostColumn> columns;        ///< only those replaced are filled
    SceneConstants constants;                ///< always meant
    std::array<uint32_t, 32> version{};      ///< by column, in the order of for_each_column; 0: as loaded, and it grows with every change

    /// `column` is one of `columns` and has been changed.
    template <class Column>
    void touch(const Column& column) {
        size_t i = 0;
        const auto bump = [&](const char*, const auto& own) {
            if (static_cast<const void*>(&own) == &column) ++version[i];
            ++i;
        };
        SceneColumns<HostColumn>::for_each_column(bump, columns);
    }
};

/// `loaded` with the edit's columns and constants in place.
SceneView edited_view(const SceneView& loaded, const SceneEdit& edit);

}  // namespace warpath
