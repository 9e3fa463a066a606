#pragma once

#include <array>

#include "warpath/scene.h"

namespace warpath::viewer {

/// A camera that somebody moves. It stays bit for bit the one that it was given until the first move.
/// Units:   angles in radians, lengths in world units, times in seconds.
/// Threads: one.
class CameraController {
  public:
    /// Begins anew. `scene_size` is the diagonal of the scene's bounds; speeds follow from it.
    void reset(const CameraOption& camera, float scene_size);
    /// Takes over a camera, such as a bookmark, and keeps speeds.
    void set_camera(const CameraOption& camera) { camera_ = camera; }
    const CameraOption& camera() const { return camera_; }

    /// Turns the eye about the target: to the right, and up until a degree from the pole.
    void orbit(float yaw, float pitch);
    /// Turns the view about the eye: to the right, and up.
    void look(float yaw, float pitch);
    /// Moves eye and target in the picture's plane, in heights of the picture at the target.
    void pan(float right, float up);
    /// Moves the eye towards the target, which it never reaches: each step by a tenth of what is left.
    void dolly(float steps);
    /// Moves eye and target: directions in -1..1, times the speed.
    void fly(float right, float up, float forward, float seconds);
    /// Each step makes flying faster by a fifth.
    void change_speed(float steps);
    float speed() const { return speed_; }  ///< world units per second
    /// The eye goes about the axis `up` through the target.
    void turn(float angle) { orbit(angle, 0); }
    /// From now on orbits about `point`; what lies in its plane is in focus where there is an aperture. `view_distance` is along the view axis.
    void focus_on(const std::array<float, 3>& point, float view_distance);
    void set_vfov(float vfov_deg);                    ///< kept within 1..170
    void set_aperture(float radius);                  ///< at least 0
    void set_focus_distance(float distance);          ///< 0: that of the target

  private:
    CameraOption camera_{{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 45.0f};
    float speed_ = 1;
};

}  // namespace warpath::viewer
