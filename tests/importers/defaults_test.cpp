#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "importers/importer.h"

namespace warpath {
namespace {

/// A scene of one triangle with these corners.
Scene scene_of(std::vector<Vec3> corners) {
    Scene scene;
    Mesh mesh;
    mesh.positions = std::move(corners);
    mesh.triangles = {{0, 1, 2}};
    mesh.material_ids = {0};
    scene.meshes.push_back(mesh);
    scene.instances.push_back({"instance", 0, glm::dmat4(1.0)});
    scene.materials.emplace_back();
    scene.material_names.emplace_back("grey");
    return scene;
}

/// Largest angle, in degrees, between the view axis and a corner; infinite if a corner lies behind.
double largest_angle(const Camera& camera, const std::vector<Vec3>& corners) {
    const glm::dvec3 eye(camera.eye), axis = glm::normalize(glm::dvec3(camera.target) - eye);
    double largest = 0;
    for (const Vec3& corner : corners) {
        const glm::dvec3 to_corner = glm::normalize(glm::dvec3(corner) - eye);
        const double cosine = glm::dot(axis, to_corner);
        if (cosine <= 0) return 1e9;
        largest = std::max(largest, std::acos(std::min(1.0, cosine)) * 180 / 3.14159265358979);
    }
    return largest;
}

TEST(framing, shows_everything_at_every_scale_and_place) {
    const std::vector<std::vector<Vec3>> shapes{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},  // flat in z
                                                {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},  // flat in y
                                                {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}},  // flat in x
                                                {{-1, 0, 0}, {1, 0.01f, 0}, {0, 0, 0.01f}}};
    for (const std::vector<Vec3>& shape : shapes) {
        for (const float scale : {1e-3f, 1.0f, 1e6f, 1e14f}) {
            for (const Vec3 place : {Vec3(0.0f), Vec3(1000, 0, -1000)}) {
                std::vector<Vec3> corners;
                for (const Vec3& p : shape) corners.push_back((p + place) * scale);
                Scene scene = scene_of(corners);
                add_defaults(scene);
                ASSERT_EQ(scene.cameras.size(), 1u);
                const Camera& camera = scene.cameras[0];
                ASSERT_NE(camera.eye, camera.target);
                EXPECT_LT(largest_angle(camera, corners), camera.vfov_deg / 2) << "scale " << scale;
                EXPECT_GT(largest_angle(camera, corners), camera.vfov_deg / 8)
                    << "it should fill the picture, not be a speck";
            }
        }
    }
}

TEST(framing, counts_transforms_and_ignores_unusable_corners) {
    Scene scene = scene_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {infinity, 0, 0}, {0, std::nanf(""), 0}, {0, 1e38f, 0}});
    scene.meshes[0].triangles.push_back({3, 4, 5});
    scene.instances[0].to_world = glm::translate(glm::dmat4(1.0), glm::dvec3(50, 0, 0));
    add_defaults(scene);
    EXPECT_EQ(scene.cameras[0].target, Vec3(50.5f, 0.5f, 0));
}

TEST(framing, does_not_touch_every_triangle_of_every_instance) {
    Scene scene;
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles.assign(1000000, UVec3(0, 1, 2));
    mesh.material_ids = {0};
    scene.meshes.push_back(mesh);
    scene.materials.emplace_back();
    scene.material_names.emplace_back("grey");
    scene.instances.resize(1000000);  // 10^12 triangles, which flattening refuses afterwards
    add_defaults(scene);
    ASSERT_EQ(scene.cameras.size(), 1u);
    EXPECT_FLOAT_EQ(scene.cameras[0].target.x, 0.5f);
}

TEST(framing, of_a_single_point_still_is_a_camera) {
    for (const Vec3 point : {Vec3(0.0f), Vec3(1e9f, 0, 0)}) {
        Scene scene = scene_of({point, point, point});
        add_defaults(scene);
        EXPECT_NE(scene.cameras[0].eye, scene.cameras[0].target);
    }
}

TEST(framing, leaves_a_scene_with_a_camera_alone) {
    Scene scene = scene_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    scene.cameras.emplace_back();
    scene.cameras[0].name = "own";
    add_defaults(scene);
    ASSERT_EQ(scene.cameras.size(), 1u);
    EXPECT_EQ(scene.cameras[0].name, "own");
}

TEST(default_sky, is_white_and_only_for_scenes_without_any_emitter) {
    const Scene dark = scene_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    Scene scene = dark;
    add_defaults(scene);
    ASSERT_TRUE(scene.environment.has_value());
    EXPECT_EQ(scene.environment->color * scene.environment->scale, Vec3(1.0f));
    EXPECT_EQ(scene.environment->width, 0u);

    scene = dark;
    scene.materials[0].emission = Vec3(0, 1, 0);
    add_defaults(scene);
    EXPECT_FALSE(scene.environment.has_value()) << "an emissive surface";

    scene = dark;
    scene.lights.emplace_back();
    add_defaults(scene);
    EXPECT_FALSE(scene.environment.has_value()) << "a light";

    scene = dark;
    scene.sun = Sun{};
    add_defaults(scene);
    EXPECT_FALSE(scene.environment.has_value()) << "a sun";

    scene = dark;
    scene.environment = Environment{};
    scene.environment->color = Vec3(0.0f);
    add_defaults(scene);
    EXPECT_EQ(scene.environment->color, Vec3(0.0f)) << "an environment, even a black one";
}

TEST(default_sky, is_given_when_the_emissive_material_is_on_nothing) {
    Scene scene = scene_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    scene.materials.emplace_back();
    scene.material_names.emplace_back("lamp");
    scene.materials[1].emission = Vec3(1.0f);
    add_defaults(scene);
    EXPECT_TRUE(scene.environment.has_value());
    Scene unplaced = scene_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    unplaced.materials[0].emission = Vec3(1.0f);
    unplaced.instances.clear();
    add_defaults(unplaced);
    EXPECT_TRUE(unplaced.environment.has_value()) << "a lamp that no node places";
}

}  // namespace
}  // namespace warpath
