#include <gtest/gtest.h>

#include <cmath>

#include "importers/obj_loading.h"

namespace warpath::test {
namespace {

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

class ObjStatements : public ::testing::Test {
  protected:
    ObjFolder folder_;
};

TEST_F(ObjStatements, one_mesh_with_one_instance) {
    const Scene scene = folder_.load(square + "f 1 2 3 4\n");
    ASSERT_EQ(scene.meshes.size(), 1u);
    ASSERT_EQ(scene.instances.size(), 1u);
    EXPECT_EQ(scene.instances[0].to_world, glm::dmat4(1.0));
    EXPECT_EQ(scene.meshes[0].triangles.size(), 2u);
    EXPECT_EQ(scene.meshes[0].material_ids.size(), 2u);
    EXPECT_EQ(scene.material_names, std::vector<std::string>{"default"});
    EXPECT_TRUE(scene.warnings.empty());
}

TEST_F(ObjStatements, numbers_in_every_spelling) {
    const Scene scene = folder_.load(
        "v -3. -1.0e0 +0\nv -15e-1 -.1E+01 -0\nv +3.0 10.0E-1 .0\nv 0.15e1 1 0e5\nv 1e-46 -1.07797e-046 1e-400\nf 1 2 "
        "3 4\nf 1 2 5\n");
    const Bounds b = bounds_of(scene.meshes[0]);
    EXPECT_EQ(b.lo, Vec3(-3, -1, 0));
    EXPECT_EQ(b.hi, Vec3(3, 1, 0));
}

TEST_F(ObjStatements, numbers_are_rounded_correctly) {
    // Summing digit by digit gives neighbours of these.
    const Scene scene =
        folder_.load("v 0.1 16777217 3.4028235e38\nv 8388609.5 0.3000000119 123456.789\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(scene.meshes[0].positions[0], Vec3(0.1f, 16777216.0f, 3.4028235e38f));
    EXPECT_EQ(scene.meshes[0].positions[1], Vec3(8388610.0f, 0.3000000119f, 123456.789f));
}

TEST_F(ObjStatements, nan_and_huge_coordinates_load) {
    const Scene scene = folder_.load(square + "v nan inf -inf\nv 1e38 1e999 -1.#IND\nf 1 2 3\nf 1 5 6\n");
    EXPECT_EQ(scene.meshes[0].triangles.size(), 2u);
    EXPECT_TRUE(std::isnan(scene.meshes[0].positions[3].x));
    EXPECT_EQ(scene.meshes[0].positions[4].y, infinity);
    EXPECT_TRUE(std::isnan(scene.meshes[0].positions[4].z));
}

TEST_F(ObjStatements, negative_indices_count_from_where_the_face_stands) {
    const Scene scene = folder_.load(square + "f -4 -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 6 1 0\nf -3 6 -1\nv 9 9 9\n");
    ASSERT_EQ(scene.meshes[0].triangles.size(), 3u);
    EXPECT_EQ(bounds_of(scene.meshes[0]).hi, Vec3(6, 1, 0));
    EXPECT_EQ(scene.meshes[0].positions[scene.meshes[0].triangles[2].x], Vec3(5, 0, 0));
}

TEST_F(ObjStatements, faces_may_stand_before_their_vertices) {
    EXPECT_EQ(folder_.load("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").meshes[0].triangles.size(), 1u);
    EXPECT_TRUE(contains(folder_.error_of("# first\nf 1 2 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"), "scene.obj:2:"));
}

TEST_F(ObjStatements, line_ends_tabs_marks_and_joined_lines_change_nothing) {
    const std::string plain = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nusemtl red oak\nf 1/1 2/1 3/1 4/1\n";
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = plain;
        for (size_t i = text.find(from); i != std::string::npos; i = text.find(from, i + to.size()))
            text.replace(i, from.size(), to);
        return text;
    };
    const Scene expected = folder_.load(plain);
    for (const std::string& text :
         {replaced("\n", "\r\n"), replaced("\n", "\r"), replaced("\n", " \t\n\n"), "\xEF\xBB\xBF" + plain,
          plain.substr(0, plain.size() - 1), replaced("v ", "  v \\\n"), replaced("v ", "v \\\r\n"),
          replaced(" 0\n", "\t0 # note\n")}) {
        const Scene scene = folder_.load(text);
        EXPECT_EQ(scene.meshes[0].positions, expected.meshes[0].positions) << text;
        EXPECT_EQ(scene.meshes[0].triangles, expected.meshes[0].triangles) << text;
        EXPECT_EQ(scene.meshes[0].uvs, expected.meshes[0].uvs) << text;
        EXPECT_EQ(scene.material_names, expected.material_names) << text;
    }
}

TEST_F(ObjStatements, errors_name_file_and_line) {
    const std::pair<const char*, const char*> wrong[] = {{"f 1 2 5\n", "vertex 5"},
                                                         {"f 1 2 0\n", "vertex 0"},
                                                         {"f 1 2 -5\n", "vertex -5"},
                                                         {"f 1/1 2/1 3/1\n", "coordinate 1"},
                                                         {"f 1//2 2//2 3//2\n", "normal 2"},
                                                         {"f 1 2 x\n", "number"},
                                                         {"f 1 2 3.5\n", "3.5"},
                                                         {"f 1/a 2 3\n", "number"},
                                                         {"v 1 two 3\n", "'two'"},
                                                         {"v 1 2\n", "3 numbers"},
                                                         {"vn 0 0\n", "3 numbers"},
                                                         {"vt\n", "1 numbers"},
                                                         {"v 1,5 2 3\n", "'1,5'"},
                                                         {"f 1 2 99999999999999999999\n", "vertex"},
                                                         {"f 1 2 4294967296\n", "vertex 4294967296"},
                                                         {"s abc\n", "smoothing"},
                                                         {"\x02\x03 1\n", "binary"},
                                                         {"v 1 +-2 3\n", "+-2"}};
    for (const auto& [line, what] : wrong) {
        const std::string message = folder_.error_of(square + "# saved to C:\\models\\\no thing\n" + line);
        EXPECT_TRUE(contains(message, "scene.obj:7:")) << line << message;
        EXPECT_TRUE(contains(message, what)) << line << message;
    }
}

TEST_F(ObjStatements, joined_lines_count_as_lines) {
    EXPECT_TRUE(contains(folder_.error_of("v 0 \\\n 0 \\\n 0\nv x 0 0\n"), "scene.obj:4:"));
}

TEST_F(ObjStatements, a_comment_that_ends_in_a_backslash_hides_nothing) {
    EXPECT_EQ(folder_.load("v 0 0 0\n # saved to C:\\models\\\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").meshes[0].triangles.size(),
              1u);
}

TEST_F(ObjStatements, a_file_without_faces_has_nothing_to_render) {
    for (const char* text :
         {"v 1 2 3\n", "v 1 2 3\np 1\n", "# empty\n", "mtllib a.mtl\no thing\n", "v 0 0 0\nv 1 0 0\nf 1 2\n"})
        EXPECT_TRUE(contains(folder_.error_of(text), "nothing to render")) << text;
}

TEST_F(ObjStatements, lines_points_and_curves_are_left_out_with_one_warning) {
    const Scene scene = folder_.load(square + "p 1\nl 1 2\nl 2 3\ncstype bezier\nf 1 2 3\n");
    EXPECT_EQ(scene.meshes[0].triangles.size(), 1u);
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_TRUE(contains(scene.warnings[0], "2 x 'l' from line 6")) << scene.warnings[0];
    EXPECT_TRUE(contains(scene.warnings[0], "cstype"));
}

TEST_F(ObjStatements, faces_of_two_corners_are_counted) {
    const Scene scene = folder_.load(square + "f 1 2\nf 2 3\nf 1 2 3\n");
    EXPECT_EQ(scene.meshes[0].triangles.size(), 1u);
    EXPECT_EQ(num_warnings_with(scene, "2 faces have fewer than three corners"), 1u);
}

TEST_F(ObjStatements, a_face_cut_off_at_the_end_of_the_file_is_an_error) {
    EXPECT_TRUE(contains(folder_.error_of(square + "f 1 2 3\nf 1 2"), "cut short"));
}

TEST_F(ObjStatements, v_runs_down_and_absent_uvs_are_zero) {
    const Scene scene = folder_.load(square + "vt 0.25 0.75\nvt 2 -1 7\nf 1/1 2/2 3\n");
    EXPECT_EQ(scene.meshes[0].uvs, (std::vector<Vec2>{{0.25f, 0.25f}, {2, 2}, {0, 1}}));
}

TEST_F(ObjStatements, normals_become_unit_and_useless_ones_flat) {
    const Scene scene = folder_.load(square + "vn 0 0 8\nvn 0 0 0\nvn 1e30 0 0\nf 1//1 2//2 3//3\n");
    EXPECT_EQ(scene.meshes[0].normals, (std::vector<Vec3>{{0, 0, 1}, {0, 0, 0}, {1, 0, 0}}));
}

TEST_F(ObjStatements, corners_that_agree_share_a_vertex) {
    const std::string text = square + "vn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//1\nf 1//1 3//1 4//1\nf 1//2 2//1 3//1\n";
    EXPECT_EQ(folder_.load(text).meshes[0].positions.size(), 5u);
}

TEST_F(ObjStatements, vertices_without_a_face_are_left_out) {
    EXPECT_EQ(folder_.load("v 900 900 900\n" + square + "f 2 3 4\n").meshes[0].positions.size(), 3u);
}

TEST_F(ObjStatements, colours_after_the_position_are_kept) {
    const Scene scene = folder_.load("v 0 0 0 1 0 0\nv 1 0 0 0 0.5 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(scene.meshes[0].colors, (std::vector<Vec4>{{1, 0, 0, 1}, {0, 0.5f, 0, 1}, {1, 1, 1, 1}}));
    const Scene bytes = folder_.load("v 0 0 0 255 0 0\nv 1 0 0 0 51 0\nv 0 1 0 0 0 0\nf 1 2 3\n");
    EXPECT_FLOAT_EQ(bytes.meshes[0].colors[1].y, 0.2f);
    EXPECT_TRUE(folder_.load("v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n").meshes[0].colors.empty())
        << "a fourth number is a weight";
}

}  // namespace
}  // namespace warpath::test
