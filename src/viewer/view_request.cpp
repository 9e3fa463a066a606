#include "viewer/view_request.h"

#include <tuple>

namespace warpath::viewer {

bool changes_picture(const ViewRequest& a, const ViewRequest& b) {
    const auto visible = [](const RenderOptions& o) {
        return std::tie(o.width, o.height, o.max_depth, o.seed, o.sampler, o.filter, o.aovs, o.scheduler);
    };
    return a.scene != b.scene || a.restarts != b.restarts || !(a.camera == b.camera) || visible(a.options) != visible(b.options) ||
           a.scale != b.scale || a.environment_rotation_deg != b.environment_rotation_deg ||
           a.environment_scale != b.environment_scale || a.materials != b.materials;
}

}  // namespace warpath::viewer
