#include "viewer/camera_controller.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpath::viewer {
namespace {

const CameraOption start{{1, 2, 5}, {0.5f, 1, 0}, {0, 1, 0}, 40};

float distance(const std::array<float, 3>& a, const std::array<float, 3>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

CameraController controller() {
    CameraController camera;
    camera.reset(start, 8);
    return camera;
}

TEST(CameraController, stays_the_camera_it_was_given_until_it_is_moved) {
    CameraController camera = controller();
    camera.orbit(0, 0), camera.look(0, 0), camera.pan(0, 0), camera.dolly(0), camera.fly(0, 0, 0, 1);
    EXPECT_TRUE(camera.camera() == start);
}

TEST(CameraController, orbiting_keeps_target_and_distance) {
    CameraController camera = controller();
    for (int i = 0; i < 100; ++i) camera.orbit(0.13f, 0.05f);
    EXPECT_EQ(camera.camera().target, start.target);
    EXPECT_NEAR(distance(camera.camera().eye, start.target), distance(start.eye, start.target), 1e-3);
}

TEST(CameraController, orbiting_to_the_right_moves_the_eye_to_the_right) {
    CameraController camera;
    camera.reset({{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 40}, 8);
    camera.orbit(0.1f, 0);
    EXPECT_GT(camera.camera().eye[0], 0.4f);
    camera.orbit(0, 0.1f);
    EXPECT_GT(camera.camera().eye[1], 0.4f);
}

TEST(CameraController, no_view_reaches_the_poles) {
    CameraController camera = controller();
    camera.orbit(0, 100);
    const CameraOption& view = camera.camera();
    const float height = view.eye[1] - view.target[1], length = distance(view.eye, view.target);
    EXPECT_GT(height, 0.99f * length);
    EXPECT_LT(height, length);
    camera.orbit(0, -100);
    EXPECT_LT(camera.camera().eye[1], camera.camera().target[1]);
    camera.look(0, 100);
    EXPECT_LT(camera.camera().target[1] - camera.camera().eye[1], distance(camera.camera().eye, camera.camera().target));
}

TEST(CameraController, looking_about_keeps_the_eye_and_turns_right) {
    CameraController camera;
    camera.reset({{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 40}, 8);
    camera.look(0.2f, 0);
    EXPECT_EQ(camera.camera().eye, (std::array<float, 3>{0, 0, 5}));
    EXPECT_NEAR(camera.camera().target[0], 5 * std::sin(0.2f), 1e-4);
}

TEST(CameraController, flying_takes_speed_times_time) {
    CameraController camera = controller();
    camera.fly(0, 0, 1, 2);
    EXPECT_NEAR(distance(camera.camera().eye, start.eye), 2 * camera.speed(), 1e-4);
    EXPECT_NEAR(distance(camera.camera().eye, camera.camera().target), distance(start.eye, start.target), 1e-4);
    const float before = camera.speed();
    camera.change_speed(2);
    EXPECT_NEAR(camera.speed(), 1.44f * before, 1e-4f);
}

TEST(CameraController, dollying_never_passes_the_target) {
    CameraController camera = controller();
    for (int i = 0; i < 1000; ++i) camera.dolly(5);
    EXPECT_GT(distance(camera.camera().eye, start.target), 0);
    for (int i = 0; i < 1000; ++i) camera.dolly(-5);
    EXPECT_TRUE(std::isfinite(camera.camera().eye[0]));
}

TEST(CameraController, panning_by_a_height_moves_by_what_the_picture_shows) {
    CameraController camera;
    camera.reset({{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 90}, 8);
    camera.pan(0, 1);
    EXPECT_NEAR(camera.camera().eye[1], 10, 1e-4);
    EXPECT_NEAR(camera.camera().target[1], 10, 1e-4);
}

TEST(CameraController, focusing_keeps_the_view_and_sets_the_distance) {
    CameraController camera;
    camera.reset({{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 90}, 8);
    camera.focus_on({1, 1, 2}, 3);
    EXPECT_FLOAT_EQ(camera.camera().focus_distance, 3);
    EXPECT_NEAR(camera.camera().target[2], 2, 1e-5);
    EXPECT_NEAR(camera.camera().target[0], 0, 1e-5);
    camera.set_vfov(1000), camera.set_aperture(-1);
    EXPECT_EQ(camera.camera().vfov_deg, 170);
    EXPECT_EQ(camera.camera().aperture, 0);
}

}  // namespace
}  // namespace warpath::viewer
