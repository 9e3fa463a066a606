#include "viewer/camera_controller.h"

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace warpath::viewer {
namespace {

using glm::vec3;

constexpr float pole_margin = 0.0175f;  // a degree

vec3 vec(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }
std::array<float, 3> array(const vec3& v) { return {v.x, v.y, v.z}; }

struct View {
    vec3 forward, right, up;  // unit; `up` is that of the picture
    float distance;           // of the target
};

View view_of(const CameraOption& camera) {
    const vec3 to_target = vec(camera.target) - vec(camera.eye);
    const float distance = glm::length(to_target);
    const vec3 forward = to_target / distance, right = glm::normalize(glm::cross(forward, vec(camera.up)));
    return {forward, right, glm::cross(right, forward), distance};
}

vec3 rotated(const vec3& v, float angle, const vec3& axis) {
    return vec3(glm::rotate(glm::mat4(1.0f), angle, axis) * glm::vec4(v, 0.0f));
}

/// The direction after turning it to the right about `up` and up by `pitch`, but no nearer to `up` or its opposite than the margin.
vec3 turned(const vec3& direction, const vec3& up, float yaw, float pitch) {
    const vec3 axis = glm::normalize(up);
    const float angle = std::acos(std::clamp(glm::dot(direction, axis), -1.0f, 1.0f));  // from the pole
    const float wanted = std::clamp(angle - pitch, pole_margin, 3.14159265f - pole_margin);
    const vec3 right = glm::normalize(glm::cross(direction, axis));
    return glm::normalize(rotated(rotated(direction, angle - wanted, right), -yaw, axis));
}

}  // namespace

void CameraController::reset(const CameraOption& camera, float scene_size) {
    camera_ = camera;
    speed_ = scene_size > 0 && std::isfinite(scene_size) ? scene_size / 8 : 1;
}

void CameraController::orbit(float yaw, float pitch) {
    if (yaw == 0 && pitch == 0) return;
    const View view = view_of(camera_);
    const vec3 direction = turned(view.forward, vec(camera_.up), -yaw, -pitch);
    camera_.eye = array(vec(camera_.target) - view.distance * direction);
}

void CameraController::look(float yaw, float pitch) {
    if (yaw == 0 && pitch == 0) return;
    const View view = view_of(camera_);
    camera_.target = array(vec(camera_.eye) + view.distance * turned(view.forward, vec(camera_.up), yaw, pitch));
}

void CameraController::pan(float right, float up) {
    if (right == 0 && up == 0) return;
    const View view = view_of(camera_);
    const float height = 2 * view.distance * std::tan(glm::radians(camera_.vfov_deg) / 2);
    const vec3 move = height * (right * view.right + up * view.up);
    camera_.eye = array(vec(camera_.eye) + move);
    camera_.target = array(vec(camera_.target) + move);
}

void CameraController::dolly(float steps) {
    if (steps == 0) return;
    const View view = view_of(camera_);
    const float distance = std::clamp(view.distance * std::pow(0.9f, steps), 1e-4f * speed_, 1e4f * speed_);
    camera_.eye = array(vec(camera_.target) - distance * view.forward);
}

void CameraController::fly(float right, float up, float forward, float seconds) {
    if (right == 0 && up == 0 && forward == 0) return;
    const View view = view_of(camera_);
    const vec3 move = speed_ * seconds * (right * view.right + up * glm::normalize(vec(camera_.up)) + forward * view.forward);
    camera_.eye = array(vec(camera_.eye) + move);
    camera_.target = array(vec(camera_.target) + move);
}

void CameraController::change_speed(float steps) { speed_ = std::clamp(speed_ * std::pow(1.2f, steps), 1e-6f, 1e9f); }

void CameraController::focus_on(const std::array<float, 3>& point, float view_distance) {
    const View view = view_of(camera_);
    const float distance = glm::length(vec(point) - vec(camera_.eye));
    if (!(distance > 0) || !(view_distance > 0)) return;
    // The view keeps its direction: the target moves along it to the depth of the point.
    camera_.target = array(vec(camera_.eye) + view_distance * view.forward);
    camera_.focus_distance = view_distance;
}

void CameraController::set_vfov(float vfov_deg) { camera_.vfov_deg = std::clamp(vfov_deg, 1.0f, 170.0f); }
void CameraController::set_aperture(float radius) { camera_.aperture = std::max(radius, 0.0f); }
void CameraController::set_focus_distance(float distance) { camera_.focus_distance = std::max(distance, 0.0f); }

}  // namespace warpath::viewer
