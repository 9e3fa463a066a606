#include "render/camera.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <string>

#include "warpath/error.h"

namespace warpath {

namespace {

using DVec3 = glm::dvec3;

[[noreturn]] void reject(const Camera& camera, const std::string& what) {
    const std::string name = camera.name.empty() ? "camera" : "camera \"" + camera.name + "\"";
    throw Error(ErrorCode::BadInput, name + ": " + what);
}

void check(const Camera& camera) {
    if (!is_finite(camera.eye)) reject(camera, "eye is not finite");
    if (!is_finite(camera.target)) reject(camera, "target is not finite");
    if (!is_finite(camera.up)) reject(camera, "up is not finite");
    if (camera.eye == camera.target) reject(camera, "eye and target are the same point; move one of them");
    if (!(camera.vfov_deg > 0.0f && camera.vfov_deg < 180.0f))
        reject(camera, "the vertical angle of view is " + std::to_string(camera.vfov_deg) +
                           " degrees; it must lie between 0 and 180");
    if (!(camera.aperture >= 0.0f && is_finite(camera.aperture)))
        reject(camera, "the aperture is " + std::to_string(camera.aperture) + "; it must be finite and not negative");
    if (!(camera.focus_distance >= 0.0f && is_finite(camera.focus_distance)))
        reject(camera, "the focus distance is " + std::to_string(camera.focus_distance) +
                           "; it must be finite and not negative");
}

/// Unit vector to the right of `forward`. An `up` within about 1e-6 of the view axis (or zero) says nothing about the
/// roll: the world axis farthest from the view is taken instead, -Z before X, so that a view straight down has -Z on
/// top.
DVec3 right_of(DVec3 forward, DVec3 up) {
    const double up_length = glm::length(up);
    if (up_length > 0.0) {
        const DVec3 side = glm::cross(forward, up / up_length);
        if (glm::length(side) > 1e-6) return glm::normalize(side);
    }
    const DVec3 axis = std::abs(forward.y) > 0.7 ? DVec3(0, 0, -1) : DVec3(0, 1, 0);
    return glm::normalize(glm::cross(forward, axis));
}

}  // namespace

CameraConstants camera_constants(const Camera& camera, uint32_t width, uint32_t height) {
    check(camera);
    const DVec3 view = DVec3(camera.target) - DVec3(camera.eye);
    const double target_distance = glm::length(view);
    const DVec3 forward = view / target_distance;
    const DVec3 right = right_of(forward, DVec3(camera.up));
    const DVec3 up = glm::cross(right, forward);

    // A pinhole is focused everywhere, so its plane may lie at distance 1, where squares neither overflow nor vanish.
    const double focus = camera.aperture == 0.0f         ? 1.0
                         : camera.focus_distance == 0.0f ? target_distance
                                                         : static_cast<double>(camera.focus_distance);
    const double half_height = focus * std::tan(camera.vfov_deg * (3.14159265358979323846 / 360.0));
    const double pixel = 2.0 * half_height / height;

    CameraConstants constants;
    constants.eye = camera.eye;
    constants.step_x = Vec3(right * pixel);
    constants.step_y = Vec3(-up * pixel);
    constants.corner = Vec3(forward * focus - right * (pixel * 0.5 * width) + up * half_height);
    constants.lens_u = Vec3(right * static_cast<double>(camera.aperture));
    constants.lens_v = Vec3(up * static_cast<double>(camera.aperture));
    return constants;
}

}  // namespace warpath
