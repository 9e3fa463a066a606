#include <gtest/gtest.h>

#include <cmath>

#include "importers/obj_loading.h"

namespace warpath::test {
namespace {

/// Two unit squares that meet at the x axis; the second leans by `degrees` from the first, which faces +z.
std::string ridge(double degrees, const std::string& before_first, const std::string& before_second) {
    const double a = degrees * 3.14159265358979 / 180.0;
    return "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 " + std::to_string(-std::cos(a)) + " " +
           std::to_string(-std::sin(a)) + "\nv 1 " + std::to_string(-std::cos(a)) + " " + std::to_string(-std::sin(a)) +
           "\n" + before_first + "f 1 2 3 4\n" + before_second + "f 5 6 2 1\n";
}

/// The normal of the first triangle's corner at the ridge; flat normals as they are used, from the geometry.
Vec3 normal_at_ridge(const Scene& scene) {
    const Mesh& mesh = scene.meshes[0];
    const UVec3 t = mesh.triangles[0];
    if (!mesh.normals.empty())
        for (int k = 0; k < 3; ++k)
            if (mesh.positions[t[k]] == Vec3(0.0f) && !is_zero(mesh.normals[t[k]])) return mesh.normals[t[k]];
    return normalize(cross(mesh.positions[t.y] - mesh.positions[t.x], mesh.positions[t.z] - mesh.positions[t.x]));
}

void expect_normal(const Scene& scene, double degrees) {
    const double a = degrees * 3.14159265358979 / 180.0;
    const Vec3 n = normal_at_ridge(scene);
    EXPECT_NEAR(n.x, 0.0, 1e-5);
    EXPECT_NEAR(n.y, -std::sin(a), 1e-5);
    EXPECT_NEAR(n.z, std::cos(a), 1e-5);
}

class ObjNormals : public ::testing::Test {
  protected:
    ObjFolder folder_;
};

TEST_F(ObjNormals, faces_of_one_group_share_them_at_any_angle) {
    for (const double degrees : {20.0, 45.0, 80.0})
        expect_normal(folder_.load(ridge(degrees, "s 1\n", "")), degrees / 2);
    expect_normal(folder_.load(ridge(45, "s on\n", "")), 22.5);
}

TEST_F(ObjNormals, off_and_zero_are_flat_even_at_small_angles) {
    for (const char* s : {"s off\n", "s 0\n", "s 1\ns 0\n", "s\n"}) expect_normal(folder_.load(ridge(10, s, "")), 0);
}

TEST_F(ObjNormals, different_groups_share_nothing) { expect_normal(folder_.load(ridge(10, "s 1\n", "s 2\n")), 0); }

TEST_F(ObjNormals, without_any_s_small_angles_are_smoothed_and_large_ones_not) {
    expect_normal(folder_.load(ridge(29, "", "")), 14.5);
    expect_normal(folder_.load(ridge(31, "", "")), 0);
}

TEST_F(ObjNormals, any_vn_ends_smoothing_by_angle) { expect_normal(folder_.load(ridge(10, "vn 1 0 0\n", "")), 0); }

TEST_F(ObjNormals, given_normals_win_over_groups) {
    const Scene scene = folder_.load("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 1 0\ns 1\nf 1//1 2//1 3//1\n");
    EXPECT_EQ(normal_at_ridge(scene), Vec3(0, 1, 0));
}

TEST_F(ObjNormals, cutting_a_polygon_does_not_weigh_it_double) {
    // A corner of a cube: three squares, each cut along some diagonal; the mean must be the space diagonal.
    const Scene scene = folder_.load(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nv 0 1 1\nv 1 0 1\ns 1\nf 1 3 5 2\nf 4 6 3 1\nf 1 2 7 4\n");
    const Vec3 n = normal_at_ridge(scene);
    EXPECT_NEAR(n.x, -std::sqrt(1.0 / 3.0), 1e-6);
    EXPECT_NEAR(n.y, n.x, 1e-6);
    EXPECT_NEAR(n.z, n.x, 1e-6);
}

TEST_F(ObjNormals, faces_without_area_disturb_nobody) {
    const Scene scene = folder_.load("v 0 0 0\nv 1 0 0\nv 0 1 0\ns 1\nf 1 1 2\nf 1 2 3\n");
    for (const Vec3& n : scene.meshes[0].normals) EXPECT_TRUE(is_finite(n));
    EXPECT_EQ(scene.meshes[0].triangles.size(), 2u);
}

TEST_F(ObjNormals, a_group_is_one_however_many_others_meet_there) {
    // Faces of 100 groups share the edge; group 7 comes again at the end and must find its first face.
    std::string text = ridge(40, "s 7\n", "");
    const size_t second = text.find("f 5 6 2 1");
    std::string others;
    for (int i = 100; i < 200; ++i) others += "s " + std::to_string(i) + "\nf 1 2 3\n";
    expect_normal(folder_.load(text.substr(0, second) + others + "s 7\n" + text.substr(second)), 20);
    const std::string many = text.substr(0, text.find("s 7"));
    expect_normal(folder_.load(many + others + "s 7\nf 1 2 3 4\nf 5 6 2 1\n"),
                  0);  // the first triangle is of group 100
}

TEST_F(ObjNormals, thousands_of_groups_and_corners_at_one_point_stay_quick) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 1; i < 100000; ++i)
        text += "s " + std::to_string(i) + "\nvt 0 " + std::to_string(i) + "\nf 1/-1 2/-1 3/-1\n";
    EXPECT_EQ(folder_.load(text).meshes[0].triangles.size(), 99999u);
}

TEST_F(ObjNormals, coinciding_faces_stay_quick) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 0; i < 50000; ++i) text += "f 1 2 3\n";
    EXPECT_EQ(folder_.load(text).meshes[0].positions.size(), 3u);
}

}  // namespace
}  // namespace warpath::test
