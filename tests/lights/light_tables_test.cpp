#include "lights/light_tables.h"

#include <gtest/gtest.h>

#include <limits>

#include "lights/list.h"
#include "scene/flatten.h"
#include "support/small_scenes.h"
#include "support/statistics.h"
#include "warpath/error.h"

namespace warpath {
namespace {

SceneData ready(Scene scene) {
    SceneData data = flatten(std::move(scene));
    const auto warnings = build_light_tables(data.columns, data.constants, data.environment, data.sun);
    EXPECT_TRUE(warnings.empty());
    return data;
}

Environment map_of(uint32_t width, uint32_t height, Vec3 fill) {
    Environment environment;
    environment.name = "map";
    environment.width = width, environment.height = height;
    environment.texels.assign(width * height, fill);
    return environment;
}

TEST(AliasTable, draws_each_entry_in_proportion_to_its_weight_and_never_one_of_weight_0) {
    const std::vector<double> weights{3, 0, 1, 7, 0, 0.001, 2, 0, 11};
    const std::vector<AliasEntry> table = build_alias_table(weights);
    std::vector<double> share(weights.size());
    for (size_t i = 0; i < table.size(); ++i) {
        ASSERT_GE(table[i].threshold, 0.0f);
        ASSERT_LE(table[i].threshold, 1.0f);
        share[i] += table[i].threshold;
        share[table[i].alias] += 1.0 - table[i].threshold;
    }
    for (size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(share[i] / 9, weights[i] / 24.001, 1e-6) << i;
    for (size_t i = 0; i < weights.size(); ++i) EXPECT_EQ(share[i] == 0.0, weights[i] == 0) << i;
}

TEST(AliasTable, works_for_one_entry_and_for_weights_that_span_the_range_of_double) {
    EXPECT_EQ(build_alias_table({1e-300})[0].threshold, 1.0f);
    const auto table = build_alias_table({1e-200, 1.0, 1e-30});
    EXPECT_LT(table[0].threshold, 1e-30f);
    EXPECT_EQ(table[0].alias, 1u);
}

TEST(LightTables, emitters_are_picked_by_area_times_luminance) {
    Scene scene;
    add(scene, quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), lamp(Vec3(1)));
    add(scene, quad({0, 0, 2}, {3, 0, 0}, {0, 1, 0}), lamp({0, 10, 0}));
    add(scene, quad({0, 0, 4}, {1, 0, 0}, {0, 1, 0}), lambert(Vec3(1)));
    const SceneData data = ready(std::move(scene));
    ASSERT_EQ(data.columns.emitters.size(), 4u);
    const double white = 1.0, green = 3 * 7.152, sum = white + green;
    for (const Emitter& e : data.columns.emitters) {
        const bool is_white = e.prim_id < 2;
        EXPECT_NEAR(e.select_pdf, 0.5 * (is_white ? white : green) / sum, 1e-6);
        EXPECT_FLOAT_EQ(e.area, is_white ? 0.5f : 1.5f);
        EXPECT_EQ(data.columns.emitters[data.columns.triangles[e.prim_id].light_id].prim_id, e.prim_id);
    }
    EXPECT_EQ(data.columns.triangles[4].light_id, invalid_id);
    EXPECT_FLOAT_EQ(data.constants.select_emitters, 1.0f);
    EXPECT_FLOAT_EQ(data.constants.max_radiance, 10.0f);
}

Scene textured_lamp(std::vector<Vec4> texels, uint32_t width) {
    Scene scene;
    Texture texture;
    texture.name = "glow", texture.width = width, texture.height = static_cast<uint32_t>(texels.size()) / width;
    texture.texels32 = std::move(texels);
    scene.textures.push_back(texture);
    Material glow = lamp(Vec3(2));
    glow.emission_tex.texture = 0;
    add(scene, quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), glow);
    return scene;
}

TEST(LightTables, an_emitter_shines_in_the_tables_if_any_texel_does) {
    std::vector<Vec4> texels(64 * 64, Vec4(0, 0, 0, 1));
    texels[63] = Vec4(5, 0, 0, 1);  // a single texel in a corner that no estimate of the mean meets
    const SceneData data = ready(textured_lamp(texels, 64));
    ASSERT_EQ(data.columns.emitters.size(), 2u);
    EXPECT_GT(data.columns.emitters[0].select_pdf, 0.0f);
    EXPECT_GT(data.columns.emitters[1].select_pdf, 0.0f);
    EXPECT_FLOAT_EQ(data.constants.max_radiance, 10.0f);
}

TEST(LightTables, a_lamp_whose_texture_is_black_is_no_light) {
    const SceneData data = ready(textured_lamp(std::vector<Vec4>(16, Vec4(0, 0, 0, 1)), 4));
    EXPECT_TRUE(data.columns.emitters.empty());
    EXPECT_EQ(data.columns.triangles[0].light_id, invalid_id);
    EXPECT_FALSE(has_lights(data.constants));
    EXPECT_EQ(data.constants.max_radiance, 0.0f);
}

TEST(LightTables, every_kind_that_is_there_is_picked_and_the_probabilities_sum_to_1) {
    Scene scene;
    add(scene, quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), lamp(Vec3(1e-6f)));
    scene.environment = white_sky(1000);
    scene.sun = Sun{};
    scene.lights.push_back({});
    const SceneConstants c = ready(std::move(scene)).constants;
    for (float p : {c.select_emitters, c.select_environment, c.select_sun, c.select_lights}) EXPECT_GE(p, 0.05f);
    EXPECT_NEAR(c.select_emitters + c.select_environment + c.select_sun + c.select_lights, 1.0f, 1e-6f);
}

TEST(LightTables, environment_densities_integrate_to_1_over_the_sphere) {
    Environment environment = map_of(32, 16, Vec3(0.01f));
    environment.texels[5 * 32 + 7] = Vec3(1000);
    environment.texels[0] = Vec3(50);
    Scene scene;
    add(scene, quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), lambert(Vec3(1)));
    scene.environment = environment;
    const SceneData data = ready(std::move(scene));
    double sum = 0;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 32; ++x)
            sum += data.columns.env_pdf[y * 32 + x] * (2 * M_PI / 32) *
                   (std::cos(M_PI * y / 16) - std::cos(M_PI * (y + 1) / 16));
    EXPECT_NEAR(sum, 1.0, 1e-5);
}

TEST(LightTables, density_is_positive_wherever_the_bilinear_lookup_is) {
    for (uint32_t bright : {0u, 31u, 37u, 15 * 32u + 31u, 8 * 32u}) {
        Environment environment = map_of(32, 16, Vec3(0));
        environment.texels[bright] = Vec3(0, 0, 1e-3f);
        Scene scene;
        add(scene, quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), lambert(Vec3(1)));
        scene.environment = environment;
        const SceneData data = ready(std::move(scene));
        const SceneView view = data.view();
        for (uint32_t j = 0; j < 200; ++j)
            for (uint32_t i = 0; i < 200; ++i) {
                const Vec3 w = sample_cone({(j + 0.5f) / 200, (i + 0.5f) / 200}, 2.0f);
                EXPECT_TRUE(is_zero(environment_radiance(view, w)) || environment_pdf(view, w) > 0.0f);
            }
    }
}

TEST(LightTables, bad_texels_count_as_black_and_are_told) {
    Scene scene;
    add(scene, quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), lambert(Vec3(1)));
    SceneData data = flatten(std::move(scene));
    Environment environment = map_of(4, 2, Vec3(1));
    environment.texels[3].y = std::numeric_limits<float>::quiet_NaN();
    environment.texels[4].x = -1.0f;
    const auto warnings = build_light_tables(data.columns, data.constants, environment, std::nullopt);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("map: 2 values"), std::string::npos) << warnings[0];
    EXPECT_EQ(data.columns.env_texels[3].y, 0.0f);
    EXPECT_EQ(data.columns.env_texels[3].z, 1.0f);
    environment.texels.pop_back();
    EXPECT_THROW(build_light_tables(data.columns, data.constants, environment, std::nullopt), Error);
}

TEST(LightTables, tables_can_be_built_again_without_a_trace_of_the_first_time) {
    Scene scene;
    add(scene, quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), lamp(Vec3(1)));
    scene.environment = map_of(8, 4, Vec3(7));
    scene.sun = Sun{};
    SceneData data = ready(std::move(scene));
    build_light_tables(data.columns, data.constants, std::nullopt, std::nullopt);
    EXPECT_FALSE(data.constants.has_environment);
    EXPECT_FALSE(data.constants.has_sun);
    EXPECT_TRUE(data.columns.env_texels.empty());
    EXPECT_EQ(data.columns.emitters.size(), 2u);
    EXPECT_FLOAT_EQ(data.constants.select_emitters, 1.0f);
    EXPECT_EQ(data.constants.max_radiance, 1.0f);
}

}  // namespace
}  // namespace warpath
