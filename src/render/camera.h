#pragma once

#include "bvh/bvh.h"
#include "core/math.h"
#include "scene/scene.h"

namespace warpath {

/// A camera made ready for a film: the point of film position (x, y) in pixels, on the plane of focus, is
/// eye + corner + x * step_x + y * step_y.
struct CameraConstants {
    Vec3 eye{0.0f};
    Vec3 corner{0.0f}, step_x{0.0f}, step_y{0.0f};
    Vec3 lens_u{0.0f}, lens_v{0.0f};  ///< lens axes times the lens radius; 0 for a pinhole
};

/// The vertical angle of view holds whatever the aspect ratio; pixel (0, 0) is the upper left.
/// Errors:  BadInput when eye equals target, or an angle or length is out of range (the message names it). `up` parallel to the view is replaced.
CameraConstants camera_constants(const Camera& camera, uint32_t width, uint32_t height);

/// Ray through film position (x, y) from lens position (lens_x, lens_y) on the unit disc. `dir` is unit.
WARPATH_HD inline Ray camera_ray(const CameraConstants& camera, float x, float y, Vec2 lens) {
    const Vec3 focus = madd(camera.step_x, x, madd(camera.step_y, y, camera.corner));
    const Vec3 offset = madd(camera.lens_u, lens.x, camera.lens_v * lens.y);
    Ray ray;
    ray.origin = camera.eye + offset;
    ray.dir = normalize(focus - offset);
    return ray;
}

}  // namespace warpath
