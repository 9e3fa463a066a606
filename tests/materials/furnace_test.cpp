#include <gtest/gtest.h>

#include "bsdf_cases.h"

/// What a uniform world of radiance 1 looks like in each material.
namespace warpath::test {
namespace {

constexpr float cosines[] = {0.1f, 0.25f, 0.5f, 0.75f, 1.0f};
constexpr float roughnesses[] = {0.0f, 0.05f, 0.1f, 0.25f, 0.4f, 0.5f, 0.7f, 0.85f, 1.0f};

/// Mean weight of stratified samples.
Vec3 albedo(const MaterialParams& p, float cos_o, int n = 96) {
    Uniform u(7);
    glm::dvec3 sum(0.0);
    const Vec3 wo = direction(cos_o, 0.4f);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const Vec2 cell = (Vec2(i, j) + u.next2()) / static_cast<float>(n);
            const BsdfSample s = sample_bsdf(plain_scene(), p, wo, u.next(), glm::min(cell, Vec2(0.99999994f)));
            if (s.valid) sum += s.weight;
        }
    return Vec3(sum / static_cast<double>(n * n));
}

void expect_albedo_between(const Material& material, bool front_side, double lo, double hi) {
    const BsdfCase c{"", material, front_side};
    for (const MaterialKind kind : {simplified_kind(material), MaterialKind::Principled})
        for (const float cos_o : cosines) {
            const Vec3 a = albedo(c.params_as(kind), cos_o);
            EXPECT_GE(min_component(a), lo)
                << "roughness " << material.roughness << " ior " << material.ior << " cos " << cos_o;
            EXPECT_LE(max_component(a), hi)
                << "roughness " << material.roughness << " ior " << material.ior << " cos " << cos_o;
        }
}

TEST(Furnace, white_metal_neither_gains_nor_loses) {
    for (const float r : roughnesses) expect_albedo_between(metal(Vec3(1.0f), r), true, 0.985, 1.008);
}

TEST(Furnace, white_plastic_neither_gains_nor_loses) {
    for (const float ior : {1.1f, 1.33f, 1.5f, 2.4f})
        for (const float r : roughnesses) expect_albedo_between(plastic(Vec3(1.0f), r, ior), true, 0.985, 1.01);
}

TEST(Furnace, clear_glass_vanishes_seen_from_outside) {
    for (const float ior : {1.1f, 1.5f, 2.4f})
        for (const float r : roughnesses) expect_albedo_between(glass(Vec3(1.0f), r, ior), true, 0.985, 1.01);
}

// The tables blur the onset of total reflection, which costs a little at a few angles.
TEST(Furnace, clear_glass_vanishes_seen_from_inside) {
    for (const float ior : {1.33f, 1.5f, 2.4f})
        for (const float r : roughnesses) expect_albedo_between(glass(Vec3(1.0f), r, ior), false, 0.97, 1.02);
}

TEST(Furnace, clear_thin_walls_vanish) {
    for (const float r : roughnesses) expect_albedo_between(thin_glass(Vec3(1.0f), r), true, 0.985, 1.008);
}

TEST(Furnace, no_mixture_gains) {
    for (const float metallic : {0.0f, 0.5f, 1.0f})
        for (const float transmission : {0.0f, 0.5f, 1.0f})
            for (const float r : {0.0f, 0.3f, 1.0f}) {
                Material m = mixture(r, metallic, transmission);
                m.base_color = Vec3(1.0f);
                expect_albedo_between(m, true, 0.5, 1.01);
                expect_albedo_between(m, false, 0.5, 1.02);
            }
}

TEST(Furnace, every_sample_of_smooth_clear_glass_weighs_one) {
    Uniform u(3);
    for (const bool front : {true, false})
        for (int i = 0; i < 2000; ++i) {
            const MaterialParams p = BsdfCase{"", glass(Vec3(1.0f), 0.0f), front}.params_as(MaterialKind::Dielectric);
            const BsdfSample s = sample_bsdf(plain_scene(), p, direction(1.0f - u.next(), 1.0f), u.next(), u.next2());
            ASSERT_TRUE(s.valid && s.delta);
            EXPECT_NEAR(s.weight.x, 1.0f, 1e-6f);
        }
}

TEST(Furnace, diffuse_returns_exactly_its_albedo) {
    Uniform u(5);
    const Material m = diffuse(Vec3(0.5f));
    EXPECT_EQ(simplified_kind(m), MaterialKind::Lambert);
    for (int i = 0; i < 1000; ++i) {
        const BsdfCase c{"", m};
        const Vec3 wo = direction(1.0f - u.next(), 2.0f);
        EXPECT_EQ(sample_bsdf(plain_scene(), c.params_as(MaterialKind::Lambert), wo, u.next(), u.next2()).weight,
                  Vec3(0.5f));
        const BsdfSample s = sample_bsdf(plain_scene(), c.params_as(MaterialKind::Principled), wo, u.next(), u.next2());
        EXPECT_NEAR(s.weight.x, 0.5f, 1e-6f);
    }
}

TEST(Furnace, black_without_a_refractive_step_returns_exactly_nothing) {
    Uniform u(6);
    for (const float r : roughnesses)
        for (int i = 0; i < 200; ++i) {
            const MaterialParams p = BsdfCase{"", plastic(Vec3(0.0f), r, 1.0f)}.params_as(MaterialKind::Principled);
            const Vec3 wo = direction(1.0f - u.next(), 0.0f);
            EXPECT_EQ(sample_bsdf(plain_scene(), p, wo, u.next(), u.next2()).weight, Vec3(0.0f));
            EXPECT_EQ(eval_bsdf(plain_scene(), p, wo, direction(u.next(), 6.0f * u.next())), Vec3(0.0f));
        }
}

TEST(Furnace, perfect_mirror_seen_head_on_returns_exactly_its_color) {
    const Vec3 color{0.3f, 0.7f, 1.0f};
    for (const MaterialKind kind : {MaterialKind::Conductor, MaterialKind::Principled}) {
        const MaterialParams p = BsdfCase{"", metal(color, 0.0f)}.params_as(kind);
        const BsdfSample s = sample_bsdf(plain_scene(), p, {0.0f, 0.0f, 1.0f}, 0.3f, {0.2f, 0.9f});
        ASSERT_TRUE(s.valid && s.delta);
        EXPECT_EQ(s.weight, color);
        EXPECT_EQ(s.wi, Vec3(0.0f, 0.0f, 1.0f));
    }
}

}  // namespace
}  // namespace warpath::test
