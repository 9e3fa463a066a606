#include "render/surface.h"

#include <gtest/gtest.h>

#include "scene/flatten.h"
#include "support/small_scenes.h"

namespace warpath {
namespace {

/// The unit square in the plane z = 0, outside towards +z, uv along x and y; hit in its first triangle.
struct Square {
    SceneData data;
    explicit Square(Mesh mesh, const Material& material = lambert(Vec3(1)), glm::dmat4 to_world = glm::dmat4(1.0)) {
        Scene scene;
        add(scene, std::move(mesh), material);
        scene.instances[0].to_world = to_world;
        data = flatten(std::move(scene));
    }
    SurfacePoint at(Vec3 wo, float u = 0.25f, float v = 0.25f) const {
        Hit hit;
        hit.t = 1, hit.u = u, hit.v = v, hit.prim_id = 0;
        return make_surface_point(data.view(), hit, normalize(wo));
    }
};
Mesh unit_square() { return quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}); }

void expect_near(Vec3 a, Vec3 b, float tolerance = 1e-5f) {
    EXPECT_LT(length(a - b), tolerance) << a.x << " " << a.y << " " << a.z;
}

TEST(Surface, position_is_interpolated_from_the_corners) {
    const SurfacePoint at = Square(unit_square()).at({0, 0, 1}, 0.25f, 0.5f);  // corners (0,0) (1,0) (1,1)
    expect_near(at.position, {0.75f, 0.5f, 0});
    EXPECT_FLOAT_EQ(at.inputs.uv0.x, 0.75f);
    EXPECT_FLOAT_EQ(at.inputs.uv0.y, 0.5f);
}

TEST(Surface, normals_are_on_the_side_of_wo_and_the_front_is_the_outside) {
    const Square square(unit_square());
    const SurfacePoint front = square.at({0, 0.5f, 1}), back = square.at({0, 0.5f, -1});
    EXPECT_TRUE(front.front_side);
    EXPECT_FALSE(back.front_side);
    expect_near(front.geometric_normal, {0, 0, 1});
    expect_near(back.geometric_normal, {0, 0, -1});
    expect_near(back.shading.normal, {0, 0, -1});
    EXPECT_GT(front.wo.z, 0.0f);
    EXPECT_GT(back.wo.z, 0.0f);
    EXPECT_GT(front.origin(false).z, 0.0f);
    EXPECT_LT(front.origin(true).z, 0.0f);
}

TEST(Surface, a_mirroring_instance_keeps_its_outside) {
    glm::dmat4 mirrored(1.0);
    mirrored[0][0] = -1.0;  // x to -x: the square still looks along +z
    const SurfacePoint at = Square(unit_square(), lambert(Vec3(1)), mirrored).at({0, 0, 1});
    EXPECT_TRUE(at.front_side);
    expect_near(at.geometric_normal, {0, 0, 1});
}

TEST(Surface, normals_that_lean_are_interpolated_and_kept) {
    Mesh mesh = unit_square();
    mesh.normals.assign(4, normalize(Vec3(1, 0, 1)));
    const SurfacePoint at = Square(mesh).at({0, 0, 1});
    expect_near(at.shading.normal, normalize(Vec3(1, 0, 1)));
    expect_near(at.geometric_normal, {0, 0, 1});
}

TEST(Surface, a_shading_normal_that_leans_away_from_wo_is_bent_until_wo_is_above_it) {
    Mesh mesh = unit_square();
    mesh.normals.assign(4, normalize(Vec3(2, 0, 1)));
    const SurfacePoint at = Square(mesh).at({-3, 0, 1});
    EXPECT_NEAR(dot(at.shading.normal, normalize(Vec3(-3, 0, 1))), 0.01f, 1e-4f);
    EXPECT_GT(at.shading.normal.x, 0.0f) << "no more than needed";
    EXPECT_GT(at.wo.z, 0.0f);
}

TEST(Surface, grazing_directions_do_not_bend_a_flat_surface) {
    const SurfacePoint at = Square(unit_square()).at({1, 0, 1e-4f});
    expect_near(at.shading.normal, {0, 0, 1}, 1e-7f);
}

TEST(Surface, zero_and_opposite_and_broken_normals_do_no_harm) {
    Mesh mesh = unit_square();
    mesh.normals.assign(4, Vec3(0));
    expect_near(Square(mesh).at({0, 0, 1}).shading.normal, {0, 0, 1});
    mesh.normals.assign(4, Vec3(0, 0, -1));
    expect_near(Square(mesh).at({0, 0, 1}).shading.normal, {0, 0, 1});
    expect_near(Square(mesh).at({0, 0, -1}).shading.normal, {0, 0, -1});
}

/// A one-texel normal map whose tangent-space normal is `n`.
Square with_normal_map(Mesh mesh, Vec3 n) {
    Scene scene;
    Texture texture;
    texture.name = "bump", texture.width = texture.height = 1;
    n = n * 0.5f + Vec3(0.5f);
    texture.texels32 = {Vec4(n.x, n.y, n.z, 1)};
    scene.textures.push_back(texture);
    Material material = lambert(Vec3(1));
    material.normal_tex.texture = 0;
    add(scene, std::move(mesh), material);
    Square square(unit_square());
    square.data = flatten(std::move(scene));
    return square;
}

TEST(Surface, a_normal_map_leans_along_u_for_red_and_against_v_for_green) {
    // Row 0 of an image is v = 0, so up in the image is against v; uv of the square run along x and y.
    const Vec3 red = normalize(Vec3(1, 0, 1)), green = normalize(Vec3(0, 1, 1));
    expect_near(with_normal_map(unit_square(), red).at({0, 0, 1}).shading.normal, red);
    expect_near(with_normal_map(unit_square(), green).at({0, 0, 1}).shading.normal, normalize(Vec3(0, -1, 1)));
    Mesh flipped = unit_square();
    for (Vec2& uv : flipped.uvs) uv.x = 1 - uv.x;
    expect_near(with_normal_map(flipped, red).at({0, 0, 1}).shading.normal, normalize(Vec3(-1, 0, 1)));
    expect_near(with_normal_map(flipped, green).at({0, 0, 1}).shading.normal, normalize(Vec3(0, -1, 1)));
}

TEST(Surface, tangents_of_the_mesh_come_first) {
    Mesh mesh = unit_square();
    mesh.normals.assign(4, Vec3(0, 0, 1));
    mesh.tangents.assign(4, Vec4(0, 1, 0, 1));  // bitangent = cross(z, y) = -x
    expect_near(with_normal_map(mesh, normalize(Vec3(1, 0, 1))).at({0, 0, 1}).shading.normal, normalize(Vec3(0, 1, 1)));
    expect_near(with_normal_map(mesh, normalize(Vec3(0, 1, 1))).at({0, 0, 1}).shading.normal,
                normalize(Vec3(-1, 0, 1)));
}

TEST(Surface, a_bump_is_a_dent_seen_from_behind) {
    const SurfacePoint back = with_normal_map(unit_square(), normalize(Vec3(1, 0, 1))).at({0, 0, -1});
    expect_near(back.shading.normal, normalize(Vec3(-1, 0, -1)));
}

TEST(Surface, degenerate_uv_leave_the_normal_alone) {
    Mesh mesh = unit_square();
    mesh.uvs.assign(4, Vec2(0.5f));
    expect_near(with_normal_map(mesh, normalize(Vec3(1, 0, 1))).at({0, 0, 1}).shading.normal, {0, 0, 1});
    mesh.uvs.clear();
    expect_near(with_normal_map(mesh, normalize(Vec3(1, 0, 1))).at({0, 0, 1}).shading.normal, {0, 0, 1});
}

}  // namespace
}  // namespace warpath
