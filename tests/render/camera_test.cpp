#include "render/camera.h"

#include <gtest/gtest.h>

#include "core/sampling.h"
#include "warpath/error.h"

namespace warpath {
namespace {

Camera looking_along_minus_z(float vfov_deg) {
    Camera camera;
    camera.eye = {1, 2, 3}, camera.target = {1, 2, -7};
    camera.vfov_deg = vfov_deg;
    return camera;
}

Vec3 direction(const Camera& camera, uint32_t width, uint32_t height, float x, float y) {
    return camera_ray(camera_constants(camera, width, height), x, y, Vec2(0)).dir;
}

TEST(Camera, the_angle_of_view_is_vertical_for_any_aspect_ratio) {
    for (auto [width, height] : {std::pair{1u, 1u}, {1u, 4096u}, {4096u, 1u}, {90u, 30u}, {30u, 90u}}) {
        const Camera camera = looking_along_minus_z(60);
        const Vec3 top = direction(camera, width, height, width * 0.5f, 0);
        const Vec3 bottom = direction(camera, width, height, width * 0.5f, static_cast<float>(height));
        EXPECT_NEAR(top.y, std::sin(pi / 6), 1e-5f);
        EXPECT_NEAR(bottom.y, -std::sin(pi / 6), 1e-5f);
        EXPECT_NEAR(top.x, 0, 1e-5f);
    }
}

TEST(Camera, pixel_0_0_is_upper_left_and_pixels_are_square) {
    const Camera camera = looking_along_minus_z(40);
    const Vec3 corner = direction(camera, 200, 100, 0, 0);
    EXPECT_LT(corner.x, 0);
    EXPECT_GT(corner.y, 0);
    EXPECT_NEAR(corner.x / corner.y, -2.0f, 1e-4f);
    const Vec3 center = direction(camera, 200, 100, 100, 50);
    EXPECT_NEAR(center.z, -1.0f, 1e-6f);
}

TEST(Camera, rays_through_any_lens_point_meet_at_the_plane_of_focus) {
    Camera camera = looking_along_minus_z(50);
    camera.aperture = 0.5f;
    camera.focus_distance = 4;
    const CameraConstants constants = camera_constants(camera, 64, 48);
    const auto at_focus = [&](Vec2 lens) {
        const Ray ray = camera_ray(constants, 11, 37, lens);
        return ray.origin + ray.dir * ((-1.0f - ray.origin.z) / ray.dir.z);  // the plane z = 3 - 4
    };
    const Vec3 sharp = at_focus({0, 0});
    for (Vec2 lens : {Vec2(1, 0), Vec2(0, 1), Vec2(-0.6f, 0.8f)}) {
        const Vec3 p = at_focus(lens);
        EXPECT_NEAR(length(p - sharp), 0, 1e-5f);
        const Vec3 moved = camera_ray(constants, 11, 37, lens).origin - camera.eye;
        EXPECT_NEAR(length(moved), 0.5f, 1e-6f);
        EXPECT_NEAR(moved.z, 0, 1e-6f);
    }
}

TEST(Camera, focus_distance_0_means_the_target) {
    Camera camera = looking_along_minus_z(50);
    camera.aperture = 0.1f;
    const CameraConstants constants = camera_constants(camera, 2, 2);
    const Ray ray = camera_ray(constants, 1, 1, {0, 1});
    const Vec3 p = ray.origin + ray.dir * (10.0f / -ray.dir.z);
    EXPECT_NEAR(length(p - camera.target), 0, 1e-5f);
}

TEST(Camera, up_along_the_view_is_replaced) {
    Camera camera;
    camera.eye = {0, 3, 0}, camera.target = {0, 0, 0}, camera.up = {0, 1, 0};
    const Vec3 top = direction(camera, 10, 10, 5, 0);
    EXPECT_NEAR(length(top), 1, 1e-6f);
    EXPECT_LT(top.z, 0) << "a view straight down has -Z on top";
    camera.up = Vec3(0);
    EXPECT_TRUE(is_finite(direction(camera, 10, 10, 0, 0)));
}

TEST(Camera, scale_does_not_matter) {
    for (float s : {0x1p-40f, 0x1p-10f, 0x1p20f, 0x1p50f}) {
        Camera camera;
        camera.eye = Vec3(2.25f, 1.75f, 4) * s, camera.target = Vec3(0.125f, 0, 0) * s;
        Camera unit;
        unit.eye = Vec3(2.25f, 1.75f, 4), unit.target = Vec3(0.125f, 0, 0);
        EXPECT_EQ(direction(camera, 48, 48, 3.5f, 7.5f), direction(unit, 48, 48, 3.5f, 7.5f));
    }
}

TEST(Camera, wrong_cameras_are_refused_with_what_is_wrong) {
    const auto message = [](const Camera& camera) -> std::string {
        try {
            camera_constants(camera, 4, 4);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::BadInput);
            return error.what();
        }
        return "accepted";
    };
    Camera camera;
    camera.name = "front";
    const auto with = [&](auto change) {
        Camera wrong = camera;
        change(wrong);
        return message(wrong);
    };
    EXPECT_NE(with([](Camera& c) { c.target = c.eye; }).find("\"front\": eye and target"), std::string::npos);
    EXPECT_NE(with([](Camera& c) { c.vfov_deg = 180; }).find("angle of view"), std::string::npos);
    EXPECT_NE(with([](Camera& c) { c.vfov_deg = -1; }).find("angle of view"), std::string::npos);
    EXPECT_NE(with([](Camera& c) { c.vfov_deg = std::nanf(""); }).find("angle of view"), std::string::npos);
    EXPECT_NE(with([](Camera& c) { c.eye.x = infinity; }).find("eye"), std::string::npos);
    EXPECT_NE(with([](Camera& c) { c.up.x = std::nanf(""); }).find("up"), std::string::npos);
    EXPECT_NE(with([](Camera& c) { c.aperture = -1; }).find("aperture"), std::string::npos);
    EXPECT_NE(with([](Camera& c) { c.focus_distance = infinity; }).find("focus distance"), std::string::npos);
    EXPECT_EQ(message(camera), "accepted");
}

}  // namespace
}  // namespace warpath
